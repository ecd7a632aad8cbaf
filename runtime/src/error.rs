//! Why a file can't be read as a trace at all.

use std::fmt;
use std::io;

use crate::layout::LayoutError;

/// Nothing of the file can be used. Damage further on is no error: see [`crate::Report`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file can't be opened or read.
    Io {
        /// Where in the file.
        offset: u64,
        /// What the operating system says.
        error: io::Error,
    },
    /// The file has no bytes.
    Empty,
    /// The file does not begin as a trace does.
    NotATrace {
        /// Where in the file.
        offset: u64,
        /// What a trace has there.
        expected: String,
        /// What the file has there.
        found: String,
    },
    /// The file begins as a trace does, but its logfile header is not all there, and nothing can be told without it.
    LogfileHeader {
        /// Where in the file the header begins.
        offset: u64,
        /// What does not fit.
        problem: LayoutError,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { offset: 0, error } => write!(f, "cannot read: {error}"),
            Self::Io { offset, error } => write!(f, "at {offset:#x}: cannot read: {error}"),
            Self::Empty => f.write_str("the file is empty: a trace has at least one buffer"),
            Self::NotATrace { offset, expected, found } => {
                write!(f, "at {offset:#x}: not an ETL trace: expected {expected}, found {found}")
            }
            Self::LogfileHeader { offset, problem } => {
                write!(
                    f,
                    "at {offset:#x}: the logfile header is cut off: {problem}; without it the trace cannot be read"
                )
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::LogfileHeader { problem, .. } => Some(problem),
            _ => None,
        }
    }
}
