//! The schema loader: one YAML file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winetl_codegen::{SourceSet, compile, render};

fuzz_target!(|text: &str| {
    let sources = SourceSet::from_texts("schema", [("fuzz.yaml", text)]);
    let (_, problems) = compile(&sources);
    for label in problems.iter().flat_map(|problem| &problem.labels) {
        render::position(&sources, label);
    }
});
