//! Where the bytes of a trace come from.

use std::fs::File;
use std::io;

/// Bytes that can be read at any offset: a file, or memory.
pub trait Source {
    /// Number of bytes.
    ///
    /// # Errors
    /// As the operating system reports.
    fn size(&self) -> io::Result<u64>;

    /// Reads bytes from `offset` on into `target`; gives how many were read, 0 at the end.
    ///
    /// # Errors
    /// As the operating system reports.
    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize>;

    /// Reads until `target` is full or the source ends; gives how many bytes were read.
    ///
    /// # Errors
    /// As the operating system reports.
    fn read_full_at(&self, mut offset: u64, target: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(rest) = target.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read_at(offset, rest) {
                Ok(0) => break,
                Ok(count) => {
                    filled += count;
                    offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Source for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, target, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, target, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self;
        file.seek(SeekFrom::Start(offset))?;
        file.read(target)
    }
}

impl Source for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..))
            .unwrap_or_default();
        let count = rest.len().min(target.len());
        if let (Some(target), Some(rest)) = (target.get_mut(..count), rest.get(..count)) {
            target.copy_from_slice(rest);
        }
        Ok(count)
    }
}

impl Source for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }

    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, target)
    }
}

impl<S: Source + ?Sized> Source for &S {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, target)
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_at(&self, offset: u64, target: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, target)
    }
}
