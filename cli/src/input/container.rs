//! What a trace may be packed into, recognised by content, and the decoders of compressed streams.

use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

/// How many containers a trace may lie in, one within the other: `.etl.gz` in a ZIP archive is two.
pub(super) const DEPTH: usize = 2;

/// Bytes at the beginning that tell what something is.
pub(super) const HEAD: usize = 16 << 10;

/// Windows of at most 128 MiB are decompressed: no more is written without asking for it (`zstd --long`).
const WINDOW_LOG: u32 = 27;

/// The same for xz and LZMA, in KiB, with what the decoder needs beside the window.
const XZ_MEMORY_KIB: u32 = (128 << 10) + 1024;

/// What a trace was packed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
    Zip,
    Cab,
}

impl Container {
    /// The name that JSON and screens give.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
            Self::Zip => "zip",
            Self::Cab => "cab",
        }
    }

    /// Whether it holds members.
    pub(super) fn is_archive(self) -> bool {
        matches!(self, Self::Zip | Self::Cab)
    }

    /// By the first bytes; names say nothing.
    pub(super) fn recognise(head: &[u8]) -> Option<Self> {
        let is_bzip2 = || {
            let block = head.get(4..10)?;
            let level = head.strip_prefix(b"BZh")?.first()?;
            let starts = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
            Some((b'1'..=b'9').contains(level) && starts.iter().any(|start| *start == block))
        };
        let is_skippable_frame =
            || head.first().is_some_and(|byte| byte & 0xF0 == 0x50) && head.get(1..4) == Some(b"\x2A\x4D\x18");
        if head.starts_with(b"\x1F\x8B\x08") {
            Some(Self::Gzip)
        } else if head.starts_with(b"\x28\xB5\x2F\xFD") || is_skippable_frame() {
            Some(Self::Zstd)
        } else if head.starts_with(b"\xFD7zXZ\0") {
            Some(Self::Xz)
        } else if is_bzip2() == Some(true) {
            Some(Self::Bzip2)
        } else if [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"]
            .iter()
            .any(|magic| head.starts_with(*magic))
        {
            Some(Self::Zip)
        } else if head.starts_with(b"MSCF") {
            Some(Self::Cab)
        } else {
            None
        }
    }

    /// Decompresses a stream; `None` if an archive was asked for.
    pub(super) fn decoder<'r>(self, stream: Box<dyn Read + 'r>) -> io::Result<Option<Box<dyn Read + 'r>>> {
        let stream = BufReader::with_capacity(64 << 10, stream);
        Ok(Some(match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(stream)),
            Self::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(stream)?;
                decoder.window_log_max(WINDOW_LOG)?;
                Box::new(decoder)
            }
            Self::Xz => Box::new(XzReader::new_mem_limit(stream, true, XZ_MEMORY_KIB)),
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(stream)),
            Self::Zip | Self::Cab => return Ok(None),
        }))
    }
}

/// Whether LZMA data with such a window is decompressed.
pub(super) fn is_window_allowed(bytes: u32) -> bool {
    bytes <= 1 << WINDOW_LOG
}

/// How containers are worded in messages, the innermost first: `gzip file in the zip archive`.
pub(super) fn phrase(containers: &[Container]) -> String {
    let words = containers.iter().rev().map(|container| match container {
        Container::Cab => "cabinet".to_owned(),
        Container::Zip => "zip archive".to_owned(),
        other => format!("{} file", other.word()),
    });
    words.collect::<Vec<_>>().join(" in the ")
}

/// What a decoder says, with what a limit of ours means.
pub(super) fn decode_error(error: &io::Error) -> String {
    let text = error.to_string();
    // zstd gives no kind of error for it.
    if error.kind() == io::ErrorKind::OutOfMemory || text.contains("too much memory") {
        format!(
            "it was compressed with a window of more than {} MiB, which is not decompressed here",
            (1u32 << WINDOW_LOG) >> 20
        )
    } else {
        text
    }
}

/// A stream whose compression was taken off.
pub(super) struct Peeled<'r> {
    /// All containers around the stream, outermost first.
    pub(super) containers: Vec<Container>,
    /// Its first bytes, [`HEAD`] of them if it has that many.
    pub(super) head: Vec<u8>,
    /// The bytes behind `head`.
    pub(super) rest: Box<dyn Read + 'r>,
    /// Why nothing comes behind `head`.
    pub(super) failure: Option<io::Error>,
    /// The stream is an archive.
    pub(super) archive: Option<Container>,
}

/// Takes all compression off that a stream in `containers` has.
///
/// # Errors
/// The stream cannot be read at all, or is packed too often.
pub(super) fn peel<'r>(stream: Box<dyn Read + 'r>, containers: &[Container]) -> Result<Peeled<'r>, String> {
    let (mut stream, mut containers) = (stream, containers.to_vec());
    loop {
        let (head, failure) = read_head(&mut stream);
        let inner = Container::recognise(&head);
        if inner.is_some() && containers.len() >= DEPTH {
            return Err(too_deep());
        }
        let layer = inner.filter(|inner| !inner.is_archive());
        let Some(layer) = layer else {
            return match failure {
                Some(error) if head.is_empty() && containers.is_empty() => Err(super::read_error(&error)),
                Some(error) if head.is_empty() => Err(format!(
                    "the {} cannot be decompressed: {}; copy or download it again",
                    phrase(&containers),
                    decode_error(&error)
                )),
                failure => Ok(Peeled {
                    containers,
                    head,
                    rest: stream,
                    failure,
                    archive: inner,
                }),
            };
        };
        containers.push(layer);
        let packed = Cursor::new(head).chain(Ending { rest: stream, failure });
        stream = match layer.decoder(Box::new(packed)) {
            Ok(Some(decoder)) => decoder,
            Ok(None) => return Err(too_deep()),
            Err(error) => return Err(format!("the {} cannot be decompressed: {error}", phrase(&containers))),
        };
    }
}

fn too_deep() -> String {
    format!("is packed more than {DEPTH} times, one within the other: unpack it once, and name what comes out")
}

/// Reads the first bytes, and what kept it from reading more.
fn read_head(stream: &mut dyn Read) -> (Vec<u8>, Option<io::Error>) {
    let mut head = Vec::new();
    // What was read before an error stays in `head`.
    let failure = stream.take(HEAD as u64).read_to_end(&mut head).err();
    (head, failure)
}

/// The rest of a stream, or the error that ended it.
struct Ending<'r> {
    rest: Box<dyn Read + 'r>,
    failure: Option<io::Error>,
}

impl Read for Ending<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.rest.read(buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognised_by_content() {
        let cases: &[(&[u8], Option<Container>)] = &[
            (b"\x1F\x8B\x08\0", Some(Container::Gzip)),
            (b"\x28\xB5\x2F\xFD\0", Some(Container::Zstd)),
            (b"\x5A\x2A\x4D\x18\0", Some(Container::Zstd)),
            (b"\xFD7zXZ\0\0", Some(Container::Xz)),
            (b"BZh9\x31\x41\x59\x26\x53\x59", Some(Container::Bzip2)),
            (b"BZh9 is how this text begins", None),
            (b"PK\x03\x04", Some(Container::Zip)),
            (b"PK\x05\x06", Some(Container::Zip)),
            (b"MSCF\0\0\0\0", Some(Container::Cab)),
            (b"\0\0\x01\0", None),
            (b"", None),
        ];
        for (head, expected) in cases {
            assert_eq!(Container::recognise(head), *expected, "{head:?}");
        }
    }

    #[test]
    fn worded_from_the_inside() {
        assert_eq!(phrase(&[Container::Zip, Container::Gzip]), "gzip file in the zip archive");
        assert_eq!(phrase(&[Container::Cab]), "cabinet");
    }
}
