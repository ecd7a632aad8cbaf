//! The folder of real traces and of what an independent program read from them. It is no part of this repository.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{env, io};

/// Names the folder. Where it is set, the folder and every file that a test wants from it must be there.
const VARIABLE: &str = "WINETL_SHARED";

/// Where a test finds its files; `None`, said on standard error, if the machine has none and none were promised.
pub fn folder() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        let folder = PathBuf::from(named);
        assert!(
            folder.is_dir(),
            "{VARIABLE} is set to {}, which is no folder",
            folder.display()
        );
        return Some(folder);
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    if beside.join("golden").is_dir() {
        return Some(beside);
    }
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        // If even this can't be said, there is nobody to say it to.
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: no real traces: {VARIABLE} is not set, and there is no {}",
            beside.display()
        );
    });
    None
}
