//! Why a file is no trace, and what to do about it.

use std::fs::File;
use std::io::{Read, Seek};

use winetl::Error;

/// Words it, with what is wrong with the containers of the file.
pub(super) fn describe(error: &Error, file: &mut File, damage: Option<String>) -> String {
    let mut text = error.to_string();
    match error {
        Error::NotATrace { .. } => {
            let mut head = Vec::new();
            // If the head cannot be read again, the advice is only less exact.
            let _ = file.rewind().and_then(|()| file.take(16).read_to_end(&mut head));
            text.push_str("; ");
            text.push_str(advice(&head));
        }
        Error::Empty | Error::LogfileHeader { .. } => text.push_str("; copy it again, after its session has ended"),
        _ => {}
    }
    if let Some(damage) = damage {
        text.push_str("; ");
        text.push_str(&damage);
    }
    text
}

/// Beginnings of files that are easily taken for traces.
const OTHER_FORMATS: &[(&[u8], &str)] = &[
    (b"ElfFile\0", "this is an event log (.evtx), not a trace"),
    (
        b"7z\xBC\xAF\x27\x1C",
        "this is a 7z archive: unpack it and name the .etl files in it",
    ),
    (
        b"Rar!\x1A\x07",
        "this is a RAR archive: unpack it and name the .etl files in it",
    ),
    (b"\x0A\x0D\x0D\x0A", "this is a packet capture (pcapng), not a trace"),
    (b"MZ", "this is a program, not a trace"),
    (b"<?xml", "this is an XML file, not a trace"),
];

fn advice(head: &[u8]) -> &'static str {
    let known = OTHER_FORMATS.iter().find(|(magic, _)| head.starts_with(magic));
    known.map_or(
        "check that it is an .etl file and that its start was not overwritten",
        |(_, advice)| advice,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_other_formats() {
        assert!(advice(b"7z\xBC\xAF\x27\x1C....").contains("7z"));
        assert!(advice(b"").contains(".etl"));
    }
}
