//! Members of ZIP archives (also `.diagsession`): by the directory at the end, or one after the other where there is none.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use zip::read::{ZipFile, ZipReadOptions, read_zipfile_from_stream_with_options};
use zip::result::{ZipError, ZipResult};
use zip::{CompressionMethod, ZipArchive};

use super::container::{Container, is_window_allowed};
use super::member::MEMBERS;

/// An archive.
#[derive(Debug)]
pub(super) struct Zip {
    file: File,
    /// By its directory, if that can be used.
    listed: Option<ZipArchive<File>>,
    entries: Vec<Entry>,
    /// Why its directory cannot be used, or not all of the archive.
    pub(super) problem: Option<String>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    /// Where it lies if there is no directory.
    found: Option<Place>,
    packed: u64,
    method: CompressionMethod,
    encrypted: bool,
    folder: bool,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    /// Of what is in front of the data.
    start: u64,
    data: u64,
    /// The archive does not say how long they are.
    open: bool,
}

/// Of whatever has the facts about a member.
macro_rules! entry {
    ($facts:expr, $found:expr) => {
        Entry {
            name: $facts.name().map_or_else(
                |_| String::from_utf8_lossy($facts.name_raw()).into_owned(),
                |name| name.into_owned(),
            ),
            found: $found,
            packed: $facts.compressed_size(),
            method: $facts.compression(),
            encrypted: $facts.encrypted(),
            folder: $facts.is_dir(),
        }
    };
}

impl Zip {
    /// Reads what members there are.
    ///
    /// # Errors
    /// There are none to be found.
    pub(super) fn open(file: File) -> Result<Self, String> {
        let (listed, entries, problem) = match list(&file) {
            Ok((listed, entries)) => (Some(listed), entries, None),
            Err(error) => {
                let (entries, end) = find(&file);
                if entries.is_empty() {
                    return Err(format!(
                        "the zip archive cannot be read: {}; copy or download it again",
                        zip_text(&error)
                    ));
                }
                let mut text = format!(
                    "the directory at the end of the zip archive cannot be used ({}): the members were looked for one after the other",
                    zip_text(&error)
                );
                if let Some(end) = end {
                    text.push_str(", ");
                    text.push_str(&end);
                }
                (None, entries, Some(text + "; copy or download it again"))
            }
        };
        Ok(Self {
            file,
            listed,
            entries,
            problem,
        })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.name.clone()).collect()
    }

    /// A folder has no bytes.
    pub(super) fn is_folder(&self, index: usize) -> bool {
        self.entries.get(index).is_some_and(|entry| entry.folder)
    }

    /// Hands the bytes of a member on.
    ///
    /// # Errors
    /// It cannot be decompressed at all.
    pub(super) fn read<T>(&mut self, index: usize, take: impl FnOnce(Box<dyn Read + '_>) -> T) -> Result<T, String> {
        let entry = self.entries.get(index).ok_or("is not in the archive")?;
        if entry.encrypted {
            return Err("is encrypted: unpack the archive with its password, and name what comes out".to_owned());
        }
        match entry.method {
            // These decoders take as much memory as the archive asks for, unless they are told not to.
            CompressionMethod::Zstd => self.limited(index, Container::Zstd, take),
            CompressionMethod::Xz => self.limited(index, Container::Xz, take),
            CompressionMethod::Lzma => {
                let mut header = [0; 9];
                let read = self.packed(index)?.read_exact(&mut header);
                // Version, size of the properties, and in those a byte in front of the size of the window.
                let window = header.last_chunk().map_or(u32::MAX, |window| u32::from_le_bytes(*window));
                if read.is_err() || !is_window_allowed(window) {
                    return Err(format!(
                        "is compressed with LZMA and a window of {window} bytes, which is more than is decompressed here"
                    ));
                }
                self.unlimited(index, take)
            }
            CompressionMethod::Stored | CompressionMethod::Deflated | CompressionMethod::Deflate64 | CompressionMethod::Bzip2 => {
                self.unlimited(index, take)
            }
            method => Err(format!(
                "is compressed with a method that is not known ({method}): unpack the archive with the program that made it"
            )),
        }
    }

    fn limited<T>(&mut self, index: usize, method: Container, take: impl FnOnce(Box<dyn Read + '_>) -> T) -> Result<T, String> {
        let decoder = method.decoder(self.packed(index)?);
        let text = |error: io::Error| format!("cannot be decompressed: {error}");
        decoder
            .map_err(text)?
            .map(take)
            .ok_or_else(|| "cannot be decompressed".to_owned())
    }

    fn unlimited<T>(&mut self, index: usize, take: impl FnOnce(Box<dyn Read + '_>) -> T) -> Result<T, String> {
        let found = self.entries.get(index).and_then(|entry| entry.found);
        let mut file = &self.file;
        match (&mut self.listed, found) {
            (Some(listed), _) => {
                let reader = listed.by_index(index).map_err(unreadable)?;
                Ok(take(Box::new(reader)))
            }
            (None, Some(place)) => {
                let reader = read_found(&mut file, place.start, place.open, ZipReadOptions::new()).map_err(unreadable)?;
                reader
                    .map(|reader| take(Box::new(reader)))
                    .ok_or_else(|| unreadable(ZipError::FileNotFound))
            }
            (None, None) => Err(unreadable(ZipError::FileNotFound)),
        }
    }

    /// The compressed bytes of a member.
    fn packed(&mut self, index: usize) -> Result<Box<dyn Read + '_>, String> {
        if let Some(listed) = &mut self.listed {
            return Ok(Box::new(listed.by_index_raw(index).map_err(unreadable)?));
        }
        let entry = self
            .entries
            .get(index)
            .and_then(|entry| Some((entry.found?.data, entry.packed)));
        let (data, packed) = entry.ok_or_else(|| unreadable(ZipError::FileNotFound))?;
        let mut file = &self.file;
        file.seek(SeekFrom::Start(data)).map_err(|error| super::read_error(&error))?;
        Ok(Box::new(file.take(packed)))
    }
}

fn unreadable(error: ZipError) -> String {
    format!("cannot be read from the zip archive: {}", zip_text(&error))
}

/// The members that the directory has.
fn list(file: &File) -> ZipResult<(ZipArchive<File>, Vec<Entry>)> {
    let archive = ZipArchive::new(file.try_clone()?)?;
    if archive.len() > MEMBERS {
        return Err(ZipError::UnsupportedArchive("it has more than 65,536 members"));
    }
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let facts = archive.by_index_data(index)?;
        entries.push(entry!(facts, None));
    }
    Ok((archive, entries))
}

/// Members in the order in which they lie in the file, and why there may be more.
fn find(file: &File) -> (Vec<Entry>, Option<String>) {
    let (mut entries, mut start) = (Vec::new(), 0);
    let problem = loop {
        if entries.len() == MEMBERS {
            break Some(format!("the first {MEMBERS} of them"));
        }
        let mut reader = file;
        let mut open = false;
        let ignored = || ZipReadOptions::new().ignore_encryption_flag(true);
        let mut found = read_found(&mut reader, start, open, ignored());
        if matches!(found, Err(ZipError::UnsupportedArchive(_))) {
            drop(found);
            open = true;
            found = read_found(&mut reader, start, open, ignored());
        }
        match found {
            Ok(Some(member)) => {
                let mut place = file;
                let Ok(data) = place.stream_position() else { break None };
                let entry = entry!(member, Some(Place { start, data, open }));
                drop(member);
                start = data.saturating_add(entry.packed);
                let name = entry.name.clone();
                entries.push(entry);
                if open {
                    break Some(format!(
                        "and the archive does not say where {name} ends and the next one begins"
                    ));
                }
            }
            Ok(None) | Err(ZipError::Io(_)) => break None,
            Err(error) => break Some(format!("up to {start:#x}: {}", zip_text(&error))),
        }
    };
    (entries, problem)
}

/// Begins to read the member that lies at `start`. `None` where the directory begins.
fn read_found<'r, 'f>(
    reader: &'r mut &'f File,
    start: u64,
    open: bool,
    mut options: ZipReadOptions<'r>,
) -> ZipResult<Option<ZipFile<'r, &'f File>>> {
    let end = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(start))?;
    if open {
        // Up to the end: the compressed data say themselves where they end. Their checksum comes only behind them.
        options = options.override_compressed_size(end - start.min(end)).ignore_crc32(true);
    }
    read_zipfile_from_stream_with_options(reader, options)
}

/// What went wrong, without the kind of error that is clear from where it is said.
fn zip_text(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => "the file ends within it".to_owned(),
        ZipError::Io(error) => error.to_string(),
        ZipError::InvalidArchive(text) if text.contains("EOCD") => "its end is missing or damaged".to_owned(),
        ZipError::InvalidArchive(text) => text.to_string(),
        ZipError::UnsupportedArchive(text) => (*text).to_owned(),
        error => error.to_string(),
    }
}
