//! Copying what cannot be read at any offset into a temporary file, so that memory does not grow with it, and how much of it.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::rc::Rc;

use super::container::{Container, Peeled, decode_error, phrase};
use super::{io_text, read_error};

/// Bytes that any file may unpack to.
const UNPACKED: u64 = 1 << 30;

/// A file may unpack to so many times its size: traces, also those of zeros for the most part, stay far below it.
const RATIO: u64 = 200;

/// How many bytes a file that the command line names may unpack to, all its members together.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    /// As the command line says.
    limit: Option<u64>,
    /// Bytes of the file itself, so far as they are known.
    packed: Rc<Cell<u64>>,
    used: u64,
}

impl Budget {
    pub(super) fn new(limit: Option<u64>) -> Self {
        Self {
            limit,
            packed: Rc::default(),
            used: 0,
        }
    }

    /// Counts the bytes of a stream as those of the file.
    pub(super) fn count<'r>(&self, stream: Box<dyn Read + 'r>) -> Box<dyn Read + 'r> {
        Box::new(Counted {
            stream,
            count: Rc::clone(&self.packed),
        })
    }

    /// Says how large the file itself is.
    pub(super) fn set_packed(&self, bytes: u64) {
        self.packed.set(bytes);
    }

    /// In bytes.
    pub(super) fn limit(&self) -> u64 {
        self.limit
            .unwrap_or_else(|| self.packed.get().saturating_mul(RATIO).max(UNPACKED))
    }

    /// Nothing more may be unpacked.
    pub(super) fn is_spent(&self) -> bool {
        self.left() == 0
    }

    fn left(&self) -> u64 {
        self.limit().saturating_sub(self.used)
    }
}

struct Counted<'r> {
    stream: Box<dyn Read + 'r>,
    count: Rc<Cell<u64>>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
}

/// A temporary file that is gone when it is closed.
#[derive(Debug)]
pub(super) struct Spooled {
    pub(super) file: File,
    /// Bytes in it.
    pub(super) size: u64,
    /// Why there are no more, if that is not as it should be.
    pub(super) end: Option<End>,
}

impl Spooled {
    /// What was lost of a trace that lay in `containers`.
    pub(super) fn damage(&self, containers: &[Container]) -> Option<String> {
        let (end, size, phrase) = (self.end.as_ref()?, self.size, phrase(containers));
        Some(match end {
            End::Limit(_) => format!("at {size:#x} of the decompressed trace: the {phrase} could be unpacked no further: {end}"),
            End::Failed(_) => format!(
                "at {size:#x} of the decompressed trace: the {phrase} cannot be decompressed further: {end}; copy or download it again"
            ),
        })
    }
}

/// Why copying ended early.
#[derive(Debug)]
pub(super) enum End {
    /// At so many bytes.
    Limit(u64),
    /// The decoder says so.
    Failed(String),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => write!(
                f,
                "the file unpacks to more than the limit of {limit} bytes; if it was not made to fill the disk, raise that with --max-unpacked"
            ),
            Self::Failed(text) => f.write_str(text),
        }
    }
}

/// Copies a stream, as far as it can be read and as the budget goes. Without containers, an error that ends it is no damage to
/// live with: what is not compressed can be read again.
pub(super) fn spool(peeled: Peeled<'_>, mut budget: Option<&mut Budget>) -> Result<Spooled, String> {
    let spool_error = |error: io::Error| {
        format!(
            "cannot write to a temporary file in {}: {}",
            std::env::temp_dir().display(),
            io_text(&error)
        )
    };
    let Peeled {
        containers,
        head,
        mut rest,
        mut failure,
        ..
    } = peeled;
    let mut file = tempfile::tempfile().map_err(spool_error)?;
    let mut chunk = head;
    let mut size = 0u64;
    let end = loop {
        let left = budget.as_deref().map_or(u64::MAX, Budget::left);
        if chunk.len() as u64 > left {
            let limit = budget.as_deref().map_or(0, Budget::limit);
            chunk.truncate(usize::try_from(left).unwrap_or(0));
            file.write_all(&chunk).map_err(spool_error)?;
            size += chunk.len() as u64;
            if let Some(budget) = &mut budget {
                budget.used += chunk.len() as u64;
            }
            break Some(End::Limit(limit));
        }
        file.write_all(&chunk).map_err(spool_error)?;
        size += chunk.len() as u64;
        if let Some(budget) = &mut budget {
            budget.used += chunk.len() as u64;
        }
        chunk.resize(64 << 10, 0);
        let read = match failure.take() {
            Some(error) => Err(error),
            None => rest.read(&mut chunk),
        };
        match read {
            Ok(0) => break None,
            Ok(count) => chunk.truncate(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => chunk.clear(),
            Err(error) if containers.is_empty() => return Err(read_error(&error)),
            // What was decompressed before is as good as the start of a file that was cut off.
            Err(error) => break Some(End::Failed(decode_error(&error))),
        }
    };
    Ok(Spooled { file, size, end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::container::peel;

    #[test]
    fn a_budget_is_for_all_members_together() {
        let mut budget = Budget::new(Some(100));
        let mut unpack = || {
            let zeros = flate2::read::GzEncoder::new(io::repeat(0).take(60), flate2::Compression::best());
            spool(peel(Box::new(zeros), &[]).unwrap(), Some(&mut budget)).unwrap()
        };
        let (first, second, third) = (unpack(), unpack(), unpack());
        assert!(first.size == 60 && first.end.is_none());
        assert_eq!(second.size, 40);
        assert!(matches!(second.end, Some(End::Limit(100))));
        assert_eq!(third.size, 0);
        assert!(budget.is_spent());
    }

    #[test]
    fn a_large_file_may_unpack_to_more() {
        let left = |limit, packed| {
            let budget = Budget::new(limit);
            budget.set_packed(packed);
            budget.left()
        };
        assert_eq!(left(None, 10), UNPACKED);
        assert_eq!(left(None, 1 << 30), 200 << 30);
        assert_eq!(left(Some(5), 1 << 30), 5);
    }
}
