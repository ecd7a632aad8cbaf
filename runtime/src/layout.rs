//! Reading a structure from a slice, and saying which field did not fit.

use std::fmt;

use binrw::io::{Error as IoError, ErrorKind, Read, Seek, SeekFrom};
use binrw::{BinRead, Endian};

use crate::context::Context;
use crate::record::{Record, RecordInfo};

/// A structure of the schema.
pub trait Layout: Record + Sized {
    /// Its names, places and docs.
    const INFO: &'static RecordInfo;

    /// Reads the structure from the start of `bytes`; gives it with the number of bytes read. A field that takes the rest takes
    /// all of `bytes`.
    ///
    /// # Errors
    /// Names the field whose bytes are not all there.
    #[inline]
    fn read_prefix(bytes: &[u8], context: Context) -> Result<(Self, usize), LayoutError>
    where
        Self: for<'a> BinRead<Args<'a> = Context>,
    {
        let mut reader = SliceReader { bytes, at: 0 };
        match Self::read_options(&mut reader, Endian::Little, context) {
            Ok(record) => Ok((record, reader.at)),
            Err(error) => Err(LayoutError::from_binrw(&error, Self::INFO.name, bytes.len())),
        }
    }
}

/// The field that was being read when an error came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldContext {
    structure: &'static str,
    field: &'static str,
}

impl FieldContext {
    /// Names a field.
    pub(crate) const fn new(structure: &'static str, field: &'static str) -> Self {
        Self { structure, field }
    }
}

impl fmt::Display for FieldContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.structure, self.field)
    }
}

/// A structure that does not fit into its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutError {
    /// Microsoft's name of the structure.
    pub structure: &'static str,
    /// Microsoft's name of the field whose bytes are missing; empty if it is not known.
    pub field: &'static str,
    /// How many bytes there were for the structure.
    pub available: usize,
}

impl LayoutError {
    /// A case of a dispatch that has no structure.
    pub(crate) fn no_structure(case: &'static str) -> Self {
        Self {
            structure: case,
            field: "",
            available: 0,
        }
    }

    /// Finds the innermost field in an error of binrw. Its own text is not used: it names source files.
    fn from_binrw(error: &binrw::Error, structure: &'static str, available: usize) -> Self {
        let field = match error {
            binrw::Error::Backtrace(trace) => trace.frames.iter().find_map(|frame| match frame {
                binrw::error::BacktraceFrame::Custom(custom) => custom.downcast_ref::<FieldContext>().copied(),
                _ => None,
            }),
            _ => None,
        };
        match field {
            Some(FieldContext { structure, field }) => Self {
                structure,
                field,
                available,
            },
            None => Self {
                structure,
                field: "",
                available,
            },
        }
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field {
            "" => write!(f, "{} does not fit into {} bytes", self.structure, self.available),
            field => write!(
                f,
                "{}.{field} does not fit: the bytes end after {}",
                self.structure, self.available
            ),
        }
    }
}

impl std::error::Error for LayoutError {}

/// A reader over a slice that binrw can use without the bookkeeping of `Cursor`: positions stay within the slice.
#[derive(Debug)]
pub(crate) struct SliceReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Read for SliceReader<'_> {
    #[inline]
    fn read(&mut self, target: &mut [u8]) -> Result<usize, IoError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.len().min(target.len());
        if let (Some(target), Some(rest)) = (target.get_mut(..count), rest.get(..count)) {
            target.copy_from_slice(rest);
        }
        self.at += count;
        Ok(count)
    }

    #[inline]
    fn read_exact(&mut self, target: &mut [u8]) -> Result<(), IoError> {
        match self.bytes.get(self.at..self.at + target.len()) {
            Some(source) => {
                target.copy_from_slice(source);
                self.at += target.len();
                Ok(())
            }
            None => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl Seek for SliceReader<'_> {
    #[inline]
    fn seek(&mut self, target: SeekFrom) -> Result<u64, IoError> {
        let base = match target {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => (self.at as u64).checked_add_signed(by),
            SeekFrom::End(by) => (self.bytes.len() as u64).checked_add_signed(by),
        };
        match base
            .and_then(|at| usize::try_from(at).ok())
            .filter(|at| *at <= self.bytes.len())
        {
            Some(at) => {
                self.at = at;
                Ok(at as u64)
            }
            None => Err(ErrorKind::InvalidInput.into()),
        }
    }

    #[inline]
    fn stream_position(&mut self) -> Result<u64, IoError> {
        Ok(self.at as u64)
    }
}
