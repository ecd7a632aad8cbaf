//! A manifest that a trace carries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winetl::payload::manifest::Manifest;

fuzz_target!(|text: &str| {
    let _ = Manifest::parse(text);
});
