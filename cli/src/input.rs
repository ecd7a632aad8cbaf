//! Opening what the command line names: a file, standard input, either of them compressed with gzip.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use winetl::{Error, Limits, TraceFile};

use crate::interpret::SchemaInterpreter;

/// The name that stands for standard input.
pub(crate) const STDIN: &str = "-";

const GZIP_MAGIC: [u8; 3] = [0x1F, 0x8B, 0x08];

/// An opened trace.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) trace: TraceFile<File>,
    /// The file was compressed as a whole; offsets are those of the trace within.
    pub(crate) gzip: bool,
    /// What is wrong with the compressed file, although its first part could be used.
    pub(crate) damage: Option<String>,
}

/// Opens a trace. What cannot be read at any offset (standard input, a pipe, gzip) is copied into a temporary file first, so
/// memory does not grow with it.
pub(crate) fn open(path: &Path, stdin: &mut dyn Read, interpreter: Option<&'static SchemaInterpreter>) -> Result<Input, String> {
    let contents = if path == Path::new(STDIN) {
        copy(stdin)?
    } else {
        open_file(path)?
    };
    let Contents { mut file, gzip, damage } = contents;
    let source = try_clone(&file)?;
    let trace = match interpreter {
        Some(interpreter) => TraceFile::with_interpreter(source, Limits::default(), interpreter),
        None => TraceFile::new(source, Limits::default()),
    };
    match trace {
        Ok(trace) => Ok(Input { trace, gzip, damage }),
        Err(error) => Err(describe(&error, &mut file, damage)),
    }
}

/// A file that can be read at any offset.
struct Contents {
    file: File,
    gzip: bool,
    damage: Option<String>,
}

fn open_file(path: &Path) -> Result<Contents, String> {
    let mut file = File::open(path).map_err(|error| format!("cannot open: {}", io_text(&error)))?;
    let metadata = file.metadata().map_err(|error| format!("cannot open: {}", io_text(&error)))?;
    if metadata.is_dir() {
        return Err("is a folder: name the .etl files in it".to_owned());
    }
    if !metadata.is_file() {
        return copy(&mut file);
    }
    let head = read_head(&mut file)?;
    file.rewind().map_err(|error| read_error(&error))?;
    if head == GZIP_MAGIC {
        copy(&mut file)
    } else {
        Ok(Contents {
            file,
            gzip: false,
            damage: None,
        })
    }
}

/// Copies a stream into a temporary file, decompressed if it is gzip.
fn copy(reader: &mut dyn Read) -> Result<Contents, String> {
    let head = read_head(reader)?;
    let gzip = head == GZIP_MAGIC;
    let stream = BufReader::with_capacity(64 << 10, head.chain(reader));
    let mut stream: Box<dyn Read + '_> = if gzip {
        Box::new(MultiGzDecoder::new(stream))
    } else {
        Box::new(stream)
    };
    let spool_error = |error: io::Error| format!("cannot write to a temporary file: {}", io_text(&error));
    let mut file = tempfile::tempfile().map_err(spool_error)?;
    let mut chunk = vec![0; 64 << 10];
    let mut copied = 0u64;
    let damage = loop {
        match stream.read(&mut chunk) {
            Ok(0) => break None,
            Ok(count) => {
                file.write_all(chunk.get(..count).unwrap_or_default()).map_err(spool_error)?;
                copied += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // What was decompressed before is as good as the start of a file that was cut off.
            Err(error) if gzip && copied > 0 => {
                break Some(format!(
                    "at {copied:#x} of the decompressed trace: the gzip file cannot be decompressed further: {error}; copy or download it again"
                ));
            }
            Err(error) => return Err(read_error(&error)),
        }
    };
    Ok(Contents { file, gzip, damage })
}

/// The first bytes, as many as tell gzip from a trace.
fn read_head(reader: &mut dyn Read) -> Result<Vec<u8>, String> {
    let mut head = Vec::new();
    reader
        .take(GZIP_MAGIC.len() as u64)
        .read_to_end(&mut head)
        .map_err(|error| read_error(&error))?;
    Ok(head)
}

fn try_clone(file: &File) -> Result<File, String> {
    file.try_clone().map_err(|error| read_error(&error))
}

fn read_error(error: &io::Error) -> String {
    format!("cannot read: {}", io_text(error))
}

/// The same words on every system for what happens most; else those of the system.
pub(crate) fn io_text(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied; check the rights of the file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder; name a file".to_owned(),
        _ => error.to_string(),
    }
}

/// Why a file is no trace, and what to do about it.
fn describe(error: &Error, file: &mut File, damage: Option<String>) -> String {
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
        b"PK\x03\x04",
        "this is a ZIP archive: unpack it and name the .etl files in it",
    ),
    (b"MSCF", "this is a cabinet archive: unpack it and name the .etl files in it"),
    (
        b"7z\xBC\xAF\x27\x1C",
        "this is a 7z archive: unpack it and name the .etl files in it",
    ),
    (b"\x28\xB5\x2F\xFD", "this is compressed with zstd: decompress it first"),
    (b"\xFD7zXZ\0", "this is compressed with xz: decompress it first"),
    (b"BZh", "this is compressed with bzip2: decompress it first"),
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
    use std::io::Cursor;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn contents(bytes: Vec<u8>) -> (Vec<u8>, bool, Option<String>) {
        let mut contents = copy(&mut Cursor::new(bytes)).unwrap();
        let mut bytes = Vec::new();
        contents.file.rewind().unwrap();
        contents.file.read_to_end(&mut bytes).unwrap();
        (bytes, contents.gzip, contents.damage)
    }

    #[test]
    fn copies_plain_and_compressed_streams() {
        assert_eq!(contents(b"ab".to_vec()), (b"ab".to_vec(), false, None));
        assert_eq!(contents(gzip(b"trace")), (b"trace".to_vec(), true, None));
        let two = [gzip(b"first "), gzip(b"second")].concat();
        assert_eq!(contents(two), (b"first second".to_vec(), true, None));
    }

    #[test]
    fn keeps_what_a_damaged_stream_gave() {
        let whole: Vec<u8> = (0..100_000u32)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        let mut cut = gzip(&whole);
        cut.truncate(cut.len() / 2);
        let (bytes, _, damage) = contents(cut);
        assert!(!bytes.is_empty() && whole.starts_with(&bytes));
        assert!(damage.unwrap().contains(&format!("{:#x}", bytes.len())));
    }

    #[test]
    fn a_stream_that_gives_nothing_is_an_error() {
        assert!(copy(&mut Cursor::new(&GZIP_MAGIC[..])).is_err());
    }

    #[test]
    fn advice_names_other_formats() {
        assert!(advice(b"PK\x03\x04....").contains("ZIP"));
        assert!(advice(b"").contains(".etl"));
    }
}
