//! Writes the sample traces and their list to `tests/samples/`, or checks them with `--check`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use winetl_tests::samples;

const USAGE: &str = "usage: write_samples [--check] [DIRECTORY]";

fn main() -> io::Result<ExitCode> {
    let mut check = false;
    let mut directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for argument in env::args_os().skip(1) {
        match argument.to_str() {
            Some("--check") => check = true,
            Some(option) if option.starts_with('-') => {
                writeln!(io::stderr(), "{USAGE}")?;
                return Ok(ExitCode::from(2));
            }
            _ => directory = PathBuf::from(argument),
        }
    }

    let mut files: Vec<_> = samples::all().map(|sample| (sample.file_name(), (sample.build)())).collect();
    files.push(("README.md".into(), samples::readme().into_bytes()));
    if check {
        check_all(&directory, &files)
    } else {
        write_all(&directory, &files)
    }
}

fn write_all(directory: &Path, files: &[(String, Vec<u8>)]) -> io::Result<ExitCode> {
    fs::create_dir_all(directory)?;
    for (name, bytes) in files {
        fs::write(directory.join(name), bytes)?;
    }
    let total: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    writeln!(io::stdout(), "{} files, {total} bytes", files.len())?;
    Ok(ExitCode::SUCCESS)
}

/// Names each file that is missing, differs, or is not in the list.
fn check_all(directory: &Path, files: &[(String, Vec<u8>)]) -> io::Result<ExitCode> {
    let mut wrong = vec![];
    for (name, bytes) in files {
        match fs::read(directory.join(name)) {
            Ok(found) if found == *bytes => {}
            Ok(found) => {
                let at = found
                    .iter()
                    .zip(bytes)
                    .position(|(a, b)| a != b)
                    .unwrap_or(found.len().min(bytes.len()));
                wrong.push(format!(
                    "{name}: differs from what is built, first at offset {at}; run write_samples"
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => wrong.push(format!("{name}: missing; run write_samples")),
            Err(error) => return Err(error),
        }
    }
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !files.iter().any(|(listed, _)| *listed == name) {
            wrong.push(format!("{name}: not in the list of samples; delete it"));
        }
    }
    for line in &wrong {
        writeln!(io::stderr(), "{line}")?;
    }
    Ok(if wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
