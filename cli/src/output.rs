//! The file that `-o` names: either all of the output comes to be in it, or it stays as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::OUTPUT_BUFFER;

/// Where the output goes until it is [kept](Self::keep). What is dropped before leaves nothing behind.
#[derive(Debug)]
pub(crate) struct OutputFile {
    writer: BufWriter<Target>,
    written: u64,
}

#[derive(Debug)]
enum Target {
    /// A device or pipe, which cannot be replaced.
    Direct(File),
    /// A file beside the one that it is to replace.
    Beside(NamedTempFile, PathBuf),
}

impl OutputFile {
    /// Begins the output to `path`. A file that is there keeps its contents for now, and its permissions for good.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let target = match fs::metadata(path) {
            Ok(found) if found.is_file() => {
                // Replacing a file takes no right to write it, but to do so without that right would be a surprise.
                OpenOptions::new().write(true).open(path)?;
                // Of a link, the file that it leads to is replaced.
                let path = fs::canonicalize(path)?;
                let beside = beside(&path)?;
                beside.as_file().set_permissions(found.permissions())?;
                Target::Beside(beside, path)
            }
            Ok(_) => Target::Direct(OpenOptions::new().write(true).open(path)?),
            // A link that leads nowhere: only the system can tell where the file is to be.
            Err(_) if fs::symlink_metadata(path).is_ok() => Target::Direct(File::create(path)?),
            Err(_) => Target::Beside(beside(path)?, path.to_owned()),
        };
        Ok(Self {
            writer: BufWriter::with_capacity(OUTPUT_BUFFER, target),
            written: 0,
        })
    }

    /// Whether nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// Ends the output, and puts the file in its place.
    ///
    /// # Errors
    /// If the last bytes cannot be written, or the file not be renamed; then the file that was there before is untouched.
    pub(crate) fn keep(self) -> io::Result<()> {
        match self.writer.into_inner().map_err(io::IntoInnerError::into_error)? {
            Target::Direct(mut file) => file.flush(),
            Target::Beside(file, path) => file.persist(path).map(drop).map_err(|error| error.error),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.writer.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Direct(file) => file.write(bytes),
            Self::Beside(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Direct(file) => file.flush(),
            Self::Beside(file, _) => file.flush(),
        }
    }
}

/// A file in the folder of `path`, with the permissions of any new file.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".winetl-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn what_is_not_kept_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut output = OutputFile::create(&path).unwrap();
        output.write_all(&vec![b'x'; 3 * OUTPUT_BUFFER]).unwrap();
        output.flush().unwrap();
        assert!(!path.exists(), "written under its name before it is complete");
        drop(output);
        assert!(names(folder.path()).is_empty());
        fs::write(&path, "before").unwrap();
        let mut output = OutputFile::create(&path).unwrap();
        output.write_all(b"after").unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn what_is_kept_replaces_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        for text in ["first", "2nd"] {
            let mut output = OutputFile::create(&path).unwrap();
            assert!(output.is_empty());
            output.write_all(text.as_bytes()).unwrap();
            assert!(!output.is_empty());
            output.keep().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut output = OutputFile::create(&link).unwrap();
        output.write_all(b"after").unwrap();
        output.keep().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"after");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        // A new file has the permissions that any program's has.
        let (new, plain) = (folder.path().join("new"), folder.path().join("plain"));
        OutputFile::create(&new).unwrap().keep().unwrap();
        File::create(&plain).unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&new), mode(&plain));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_as_they_are() {
        let mut output = OutputFile::create(Path::new("/dev/full")).unwrap();
        output.write_all(b"x").unwrap();
        assert_eq!(output.keep().unwrap_err().kind(), io::ErrorKind::StorageFull);
        OutputFile::create(Path::new("/dev/null")).unwrap().keep().unwrap();
    }
}
