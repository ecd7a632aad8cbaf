//! The committed samples are what the builder makes of the list, and nothing else lies beside them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use winetl_tests::samples;

const ADVICE: &str = "run `cargo run -p winetl-tests --bin write_samples` and look at what changed";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples")
}

#[test]
fn samples_are_fresh() {
    let mut stale = vec![];
    for sample in samples::all() {
        let file = folder().join(sample.file_name());
        let built = (sample.build)();
        match fs::read(&file) {
            Ok(found) if found == built => {}
            Ok(found) => {
                let same = found.iter().zip(&built).take_while(|(a, b)| a == b).count();
                stale.push(format!("{} differs from what is built, first at {same:#x}", sample.name));
            }
            Err(error) => stale.push(format!("{}: {error}", sample.name)),
        }
    }
    assert!(stale.is_empty(), "{ADVICE}\n{}", stale.join("\n"));
}

#[test]
fn list_is_fresh() {
    // A checkout may turn line ends into those of its system.
    let found = fs::read_to_string(folder().join("README.md")).unwrap().replace("\r\n", "\n");
    assert_eq!(found, samples::readme(), "{ADVICE}");
}

#[test]
fn no_file_is_forgotten() {
    let found: BTreeSet<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed = samples::all()
        .map(samples::Sample::file_name)
        .chain(["README.md".to_owned()])
        .collect();
    assert_eq!(found, listed, "{ADVICE}");
}
