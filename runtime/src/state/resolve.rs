//! Answers for one event.

use std::borrow::Cow;

use super::facts::Content;
use super::marked::{Marked, MarkedField, number, numbers, text};
use super::{SessionState, last_component};
use crate::event::{Event, ExtendedItem};
use crate::format::ExtendedItem as ItemData;
use crate::format::roles::EventRoles;
use crate::payload::schemas::Schemas;
use crate::payload::template::Refers;

/// What a trace says of the numbers in one of its events.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resolution<'s> {
    /// Process of the event's thread, where the header names a thread only.
    pub process: Option<ThreadOwner<'s>>,
    /// Number of the event that this one belongs to, as a stack does.
    pub event: Option<u64>,
    /// The payload's fields of which something is known.
    pub fields: Vec<ResolvedField<'s>>,
    /// For each extended item the frames of its stack; `None` for other items, and for keys without frames.
    pub extended: Vec<Option<Vec<Frame<'s>>>>,
}

/// A field and what its value stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedField<'s> {
    /// Name of the field.
    pub name: String,
    /// What its value stands for.
    pub value: Resolved<'s>,
}

/// What a value stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolved<'s> {
    /// Name of a process, file or registry key; for a path of the kernel, the path with a drive letter.
    Name(Cow<'s, str>),
    /// Drive letters on a disk.
    Names(Vec<&'s str>),
    /// Process of a thread.
    Thread(ThreadOwner<'s>),
    /// Place in an image.
    Frame(Frame<'s>),
    /// Frames of a stack.
    Frames(Vec<Frame<'s>>),
}

/// The process that a thread belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadOwner<'s> {
    /// Number of the process.
    pub process: u64,
    /// Name of its image.
    pub name: Option<&'s str>,
}

/// An address of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'s> {
    /// The address.
    pub address: u64,
    /// File name of the image there, and bytes from its start.
    pub image: Option<(&'s str, u64)>,
}

/// What an event says of where its addresses belong.
struct Place {
    at: i64,
    process: Option<u64>,
    /// The event itself says how paths are written.
    volume: bool,
}

impl Resolution<'_> {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.process.is_none() && self.event.is_none() && self.fields.is_empty() && self.extended.iter().all(Option::is_none)
    }
}

impl SessionState {
    /// What is known of the numbers in an event.
    pub fn resolve<'s>(&'s self, event: &Event<'_>, schemas: &mut Schemas) -> Resolution<'s> {
        let mut resolution = Resolution::default();
        let Some(at) = event.ticks() else { return resolution };
        let real = |id: Option<u64>| id.filter(|id| *id != u64::from(u32::MAX));
        let (process, thread) = (real(event.header().process_id()), real(event.header().thread_id()));
        if process.is_none() {
            resolution.process = thread.and_then(|thread| self.owner(thread, at));
        }
        let process = process.or(resolution.process.map(|owner| owner.process));
        let header = Place {
            at,
            process,
            volume: false,
        };
        resolution.extended = event.extended_items().map(|item| self.item(&item, &header)).collect();
        let Some(marked) = Marked::of(event, schemas) else {
            return resolution;
        };
        let (place, belongs) = self.place(&marked, &header);
        resolution.event = belongs.and_then(|(time, thread)| self.links.find(time, thread));
        // What an event defines needs no answer.
        let mut own = marked.defines.map(|defines| defines.what).filter(|what| match what {
            Refers::Thread => marked.has(Refers::Process),
            Refers::Stack => marked.has(Refers::Code),
            _ => marked.has(Refers::Name),
        });
        marked.each(&mut |field| {
            if own == Some(field.refers) {
                own = None;
            } else if let Some(value) = self.value(&field, &place) {
                let name = field.name.to_owned();
                resolution.fields.push(ResolvedField { name, value });
            }
        });
        resolution
    }

    /// Process of the addresses in a payload: the first that it names, that of its first thread, or that of the header. And time and
    /// thread of the event that this one belongs to.
    fn place(&self, marked: &Marked<'_>, header: &Place) -> (Place, Option<(i64, u64)>) {
        let (mut process, mut thread, mut time) = (None, None, None);
        marked.each(&mut |field| {
            let found = match field.refers {
                Refers::Process => &mut process,
                Refers::Thread => &mut thread,
                Refers::Event => &mut time,
                _ => return,
            };
            *found = found.or_else(|| number(&field.value));
        });
        let belongs = time.map(u64::cast_signed).zip(thread);
        let process = process.or_else(|| thread.and_then(|thread| self.process_of_thread(thread, header.at)));
        let place = Place {
            at: header.at,
            process: process.or(header.process),
            volume: marked.has(Refers::Volume),
        };
        (place, belongs)
    }

    fn value<'s>(&'s self, field: &MarkedField<'_>, place: &Place) -> Option<Resolved<'s>> {
        let key = |refers| Some((refers, 0, number(&field.value)?));
        let name = |refers| self.name(key(refers)?, place.at).map(Cow::Borrowed);
        match field.refers {
            Refers::Process | Refers::RegistryKey => name(field.refers).map(Resolved::Name),
            Refers::File => {
                let name = self.name(key(field.refers)?, place.at)?;
                Some(Resolved::Name(self.dos_path(name).map_or(Cow::Borrowed(name), Cow::Owned)))
            }
            Refers::Name if !place.volume => self.dos_path(&text(&field.value)?).map(Cow::Owned).map(Resolved::Name),
            Refers::Disk => {
                let names = self.timeline.all(key(field.refers)?).filter_map(|span| match span.content {
                    Content::Name(name) => Some(self.store.text(name)),
                    _ => None,
                });
                Some(names.collect::<Vec<_>>())
                    .filter(|names| !names.is_empty())
                    .map(Resolved::Names)
            }
            Refers::Thread => self.owner(number(&field.value)?, place.at).map(Resolved::Thread),
            Refers::Image => self.known_frame(number(&field.value)?, place).map(Resolved::Frame),
            Refers::Code => match numbers(&field.value) {
                Some(addresses) => {
                    let frames = self.frames(&addresses, place);
                    let known = frames.iter().any(|frame| frame.image.is_some());
                    known.then_some(Resolved::Frames(frames))
                }
                None => self.known_frame(number(&field.value)?, place).map(Resolved::Frame),
            },
            Refers::Stack => self.stack(number(&field.value)?, place).map(Resolved::Frames),
            Refers::Name | Refers::Volume | Refers::Event | Refers::Size => None,
        }
    }

    fn owner(&self, thread: u64, at: i64) -> Option<ThreadOwner<'_>> {
        let process = self.process_of_thread(thread, at)?;
        Some(ThreadOwner {
            process,
            name: self.process_name(process, at),
        })
    }

    /// The frames that a key stands for.
    fn stack(&self, key: u64, place: &Place) -> Option<Vec<Frame<'_>>> {
        match self.timeline.at((Refers::Stack, 0, key), place.at)? {
            Content::Frames(frames) => Some(self.frames(self.store.frames(frames), place)),
            _ => None,
        }
    }

    fn frames(&self, addresses: &[u64], place: &Place) -> Vec<Frame<'_>> {
        addresses.iter().map(|address| self.frame(*address, place)).collect()
    }

    fn frame(&self, address: u64, place: &Place) -> Frame<'_> {
        let image = self.image_at(place.process, address, place.at);
        Frame {
            address,
            image: image.map(|(path, base)| (last_component(path), address - base)),
        }
    }

    fn known_frame(&self, address: u64, place: &Place) -> Option<Frame<'_>> {
        Some(self.frame(address, place)).filter(|frame| frame.image.is_some())
    }

    /// The frames of an extended item that is a stack, or stands for one.
    fn item<'s>(&'s self, item: &ExtendedItem<'_>, place: &Place) -> Option<Vec<Frame<'s>>> {
        match item.decode()?.ok()?.generated()? {
            ItemData::EventExtendedItemStackTrace32(stack) => {
                let addresses: Vec<u64> = stack.address.iter().copied().map(u64::from).collect();
                Some(self.frames(&addresses, place))
            }
            ItemData::EventExtendedItemStackTrace64(stack) => Some(self.frames(&stack.address, place)),
            ItemData::EventExtendedItemStackKey32(key) => self.stack(key.stack_key.into(), place),
            ItemData::EventExtendedItemStackKey64(key) => self.stack(key.stack_key, place),
            _ => None,
        }
    }

    /// A path of the kernel as programs write it.
    fn dos_path(&self, path: &str) -> Option<String> {
        let (rest, dos) = self.volumes.iter().find_map(|(volume, dos)| {
            let start = path.get(..volume.len()).filter(|start| start.eq_ignore_ascii_case(volume))?;
            let rest = path.get(start.len()..)?;
            // `\Device\HarddiskVolume1` is no part of `\Device\HarddiskVolume10`.
            let whole = volume.ends_with('\\') || rest.is_empty() || rest.starts_with('\\');
            whole.then_some((rest, dos))
        })?;
        Some(format!("{dos}{rest}"))
    }
}
