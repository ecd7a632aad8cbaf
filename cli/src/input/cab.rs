//! Members of cabinets (`.cab`).
//!
//! The crate `cab` finds a member by its name alone, decompresses all in front of it for each member, and panics where a damaged
//! directory has it look behind the data. So the directory is read here, and the crate is given cabinets of one member that is a
//! whole folder: the unit that a cabinet compresses.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use super::container::{Container, Peeled};
use super::spool::{Budget, Spooled, spool};

/// A folder of this number or more is shared with the cabinet before or behind.
const CONTINUED: u16 = 0xFFFD;

const HAS_PREVIOUS: u16 = 1;
const HAS_NEXT: u16 = 2;
const HAS_RESERVE: u16 = 4;

/// Longest text in a directory, with its terminator.
const TEXT: u64 = 257;

/// Name of the member that stands for a folder.
const WHOLE: &str = "folder";

/// A cabinet.
#[derive(Debug)]
pub(super) struct Cab {
    file: File,
    folders: Vec<Folder>,
    entries: Vec<Entry>,
    /// Bytes of each block of data that are for other programs.
    reserve: u8,
    /// Why the directory is not all there.
    pub(super) problem: Option<String>,
    /// The folder that was unpacked last.
    unpacked: Option<(u16, Spooled)>,
}

#[derive(Debug)]
struct Folder {
    start: u32,
    blocks: u16,
    compression: u16,
}

/// A member: bytes of a folder.
#[derive(Debug)]
struct Entry {
    name: String,
    folder: u16,
    start: u32,
    size: u32,
}

impl Cab {
    /// Reads what members there are.
    ///
    /// # Errors
    /// There are none to be found.
    pub(super) fn open(file: File) -> Result<Self, String> {
        let mut cab = Self {
            file,
            folders: Vec::new(),
            entries: Vec::new(),
            reserve: 0,
            problem: None,
            unpacked: None,
        };
        if let Err(error) = cab.list() {
            let text = match error.kind() {
                io::ErrorKind::UnexpectedEof => "the file ends within it".to_owned(),
                _ => error.to_string(),
            };
            let text = format!("the directory of the cabinet cannot be read: {text}; copy or download it again");
            if cab.entries.is_empty() {
                return Err(text);
            }
            cab.problem = Some(text);
        }
        // A folder is unpacked once.
        cab.entries.sort_by_key(|entry| entry.folder);
        Ok(cab)
    }

    fn list(&mut self) -> io::Result<()> {
        let mut file = BufReader::new(&self.file);
        file.seek(SeekFrom::Start(0))?;
        // Signature, size and a reserved number before each of the two places.
        skip(&mut file, 16)?;
        let files_start = u32(&mut file)?;
        // Reserved, and the version.
        skip(&mut file, 6)?;
        let (folders, files, flags) = (u16(&mut file)?, u16(&mut file)?, u16(&mut file)?);
        // Id of the set, and number of the cabinet in it.
        skip(&mut file, 4)?;
        let mut folder_reserve = 0;
        if flags & HAS_RESERVE != 0 {
            let header_reserve = u16(&mut file)?;
            let [folder, data] = array(&mut file)?;
            (folder_reserve, self.reserve) = (u64::from(folder), data);
            skip(&mut file, header_reserve.into())?;
        }
        for flag in [HAS_PREVIOUS, HAS_NEXT] {
            if flags & flag != 0 {
                // Names of the cabinet and of its disk.
                text(&mut file)?;
                text(&mut file)?;
            }
        }
        for _ in 0..folders {
            self.folders.push(Folder {
                start: u32(&mut file)?,
                blocks: u16(&mut file)?,
                compression: u16(&mut file)?,
            });
            skip(&mut file, folder_reserve)?;
        }
        file.seek(SeekFrom::Start(files_start.into()))?;
        for _ in 0..files {
            let (size, start, folder) = (u32(&mut file)?, u32(&mut file)?, u16(&mut file)?);
            // Date, time, attributes.
            skip(&mut file, 6)?;
            let name = String::from_utf8_lossy(&text(&mut file)?).into_owned();
            self.entries.push(Entry {
                name,
                folder,
                start,
                size,
            });
        }
        Ok(())
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.name.clone()).collect()
    }

    /// Hands the bytes of a member on.
    ///
    /// # Errors
    /// Nothing of it can be decompressed.
    pub(super) fn read<T>(
        &mut self,
        index: usize,
        containers: &[Container],
        budget: &mut Budget,
        take: impl FnOnce(Box<dyn Read + '_>, &mut Budget) -> T,
    ) -> Result<T, String> {
        let entry = self.entries.get(index).ok_or("is not in the cabinet")?;
        let folder = match self.folders.get(usize::from(entry.folder)) {
            Some(folder) => folder,
            None if entry.folder >= CONTINUED => {
                return Err(
                    "is continued in another cabinet of a set, which is not supported: unpack the set, and name what comes out"
                        .to_owned(),
                );
            }
            None => {
                return Err(format!(
                    "is said to be in folder {}, which the cabinet does not have",
                    entry.folder
                ));
            }
        };
        let spooled = match self.unpacked.take() {
            Some((number, spooled)) if number == entry.folder => spooled,
            _ => unpack(&self.file, folder, self.reserve, containers, budget)?,
        };
        let (_, spooled) = self.unpacked.insert((entry.folder, spooled));
        let (start, size) = (u64::from(entry.start), u64::from(entry.size));
        let there = spooled.size.saturating_sub(start).min(size);
        let why = spooled.end.as_ref().map_or_else(
            || "the data in the cabinet are shorter than its members".to_owned(),
            ToString::to_string,
        );
        if there == 0 && size > 0 {
            return Err(format!("cannot be unpacked: {why}"));
        }
        let mut data = &spooled.file;
        data.seek(SeekFrom::Start(start)).map_err(|error| super::read_error(&error))?;
        let data = data.take(there);
        Ok(if there < size {
            take(Box::new(data.chain(Failing(Some(why)))), budget)
        } else {
            take(Box::new(data), budget)
        })
    }
}

/// Ends with an error.
struct Failing(Option<String>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other(self.0.take().unwrap_or_default()))
    }
}

/// Decompresses a folder.
fn unpack(file: &File, folder: &Folder, reserve: u8, containers: &[Container], budget: &mut Budget) -> Result<Spooled, String> {
    let problem = |error: io::Error| format!("cannot be unpacked from the cabinet: {error}");
    let view = View {
        head: Cursor::new(one_member(folder, reserve)),
        file: file.try_clone().map_err(problem)?,
        start: folder.start.into(),
        place: 0,
    };
    let mut cabinet = cab::Cabinet::new(view).map_err(problem)?;
    let whole = cabinet.read_file(WHOLE).map_err(problem)?;
    let whole = Peeled {
        containers: containers.to_vec(),
        head: Vec::new(),
        rest: Box::new(whole),
        failure: None,
        archive: None,
    };
    spool(whole, Some(budget))
}

/// The beginning of a cabinet that has one folder, with one member that is all of it.
fn one_member(folder: &Folder, reserve: u8) -> Vec<u8> {
    let head = |data_start: u32, files_start: u32| {
        let mut head = Vec::new();
        head.extend_from_slice(b"MSCF\0\0\0\0\0\0\0\0\0\0\0\0");
        head.extend_from_slice(&files_start.to_le_bytes());
        // Reserved, version 1.3, one folder, one member, the set.
        head.extend_from_slice(&[0, 0, 0, 0, 3, 1, 1, 0, 1, 0]);
        head.extend_from_slice(&HAS_RESERVE.to_le_bytes());
        head.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, reserve]);
        head.extend_from_slice(&data_start.to_le_bytes());
        head.extend_from_slice(&folder.blocks.to_le_bytes());
        head.extend_from_slice(&folder.compression.to_le_bytes());
        let files_start = head.len();
        head.extend_from_slice(&u32::MAX.to_le_bytes());
        head.extend_from_slice(&[0; 12]);
        head.extend_from_slice(WHOLE.as_bytes());
        head.push(0);
        (files_start, head)
    };
    let (files_start, draft) = head(0, 0);
    let number = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
    head(number(draft.len()), number(files_start)).1
}

/// A made-up beginning, and the data of a folder behind it.
struct View {
    head: Cursor<Vec<u8>>,
    file: File,
    /// Where the data begin in the file.
    start: u64,
    place: u64,
}

impl View {
    fn head_size(&self) -> u64 {
        self.head.get_ref().len() as u64
    }
}

impl Read for View {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match self.place.checked_sub(self.head_size()) {
            None => {
                self.head.set_position(self.place);
                self.head.read(buffer)?
            }
            Some(behind) => {
                self.file.seek(SeekFrom::Start(self.start.saturating_add(behind)))?;
                self.file.read(buffer)?
            }
        };
        self.place += count as u64;
        Ok(count)
    }
}

impl Seek for View {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
            SeekFrom::End(_) => None,
        };
        self.place = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}

fn array<const N: usize>(reader: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn u16(reader: &mut dyn Read) -> io::Result<u16> {
    Ok(u16::from_le_bytes(array(reader)?))
}

fn u32(reader: &mut dyn Read) -> io::Result<u32> {
    Ok(u32::from_le_bytes(array(reader)?))
}

fn skip(reader: &mut dyn Read, bytes: u64) -> io::Result<()> {
    let skipped = io::copy(&mut reader.take(bytes), &mut io::sink())?;
    if skipped == bytes {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Text up to its terminator.
fn text(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(TEXT).read_until(0, &mut bytes)?;
    if bytes.pop() == Some(0) {
        Ok(bytes)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, "a name has no end"))
    }
}
