//! What the trace itself says of the numbers in its events: names of processes, and all else that `--resolve` shows.

use std::fmt;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use winetl::Event;
use winetl::payload::schemas::Schemas;
use winetl::state::{Frame, Resolution, Resolved, SessionState, ThreadOwner};

use super::plain::safe;

/// What lines show beside the events themselves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extras<'s> {
    pub(crate) state: &'s SessionState,
    pub(crate) process_names: bool,
    pub(crate) resolve: bool,
    /// Length of a timer tick of the trace in 100 ns.
    pub(crate) timer_resolution: Option<u64>,
}

impl<'s> Extras<'s> {
    /// Nothing beside the events; no state is asked.
    pub(crate) fn none(state: &'s SessionState) -> Self {
        Self {
            state,
            process_names: false,
            resolve: false,
            timer_resolution: None,
        }
    }

    /// Name of the event's process, if names were asked for.
    pub(crate) fn process(&self, event: &Event<'_>) -> Option<Option<&'s str>> {
        self.process_names.then(|| self.state.process_of(event))
    }

    /// What the numbers of the event stand for, if that was asked for.
    pub(crate) fn resolve(&self, event: &Event<'_>, schemas: &mut Schemas) -> Option<Resolution<'s>> {
        self.resolve.then(|| self.state.resolve(event, schemas))
    }
}

/// A resolution as the object that `JSON.md` describes.
pub(crate) struct JsonResolution<'a>(pub(crate) &'a Resolution<'a>);

impl Serialize for JsonResolution<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let resolution = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("process", &resolution.process.map(JsonOwner))?;
        map.serialize_entry("event", &resolution.event)?;
        map.serialize_entry("fields", &JsonFields(resolution))?;
        map.serialize_entry("extended", &JsonItems(&resolution.extended))?;
        map.end()
    }
}

struct JsonFields<'a>(&'a Resolution<'a>);

impl Serialize for JsonFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for field in &self.0.fields {
            map.serialize_entry(&field.name, &JsonValue(&field.value))?;
        }
        map.end()
    }
}

struct JsonItems<'a>(&'a [Option<Vec<Frame<'a>>>]);

impl Serialize for JsonItems<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(None)?;
        for item in self.0 {
            items.serialize_element(&item.as_deref().map(JsonFrames))?;
        }
        items.end()
    }
}

struct JsonValue<'a>(&'a Resolved<'a>);

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Resolved::Name(name) => serializer.serialize_str(name),
            Resolved::Names(names) => names.serialize(serializer),
            Resolved::Thread(owner) => JsonOwner(*owner).serialize(serializer),
            Resolved::Frame(frame) => serializer.collect_str(&FrameText(frame)),
            Resolved::Frames(frames) => JsonFrames(frames).serialize(serializer),
        }
    }
}

struct JsonOwner<'a>(ThreadOwner<'a>);

impl Serialize for JsonOwner<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("pid", &self.0.process)?;
        map.serialize_entry("process", &self.0.name)?;
        map.end()
    }
}

struct JsonFrames<'a>(&'a [Frame<'a>]);

impl Serialize for JsonFrames<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut frames = serializer.serialize_seq(Some(self.0.len()))?;
        for frame in self.0 {
            frames.serialize_element(&format_args!("{}", FrameText(frame)))?;
        }
        frames.end()
    }
}

/// `image+0xoffset`, or the address where no image is known.
struct FrameText<'a>(&'a Frame<'a>);

impl fmt::Display for FrameText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.image {
            Some((image, offset)) => write!(f, "{image}+{offset:#x}"),
            None => write!(f, "{:#x}", self.0.address),
        }
    }
}

/// Frames that a line of text shows of a stack.
const SHOWN_FRAMES: usize = 4;

/// A resolution as part of a line.
pub(crate) struct PlainResolution<'a>(pub(crate) &'a Resolution<'a>);

impl fmt::Display for PlainResolution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resolution = self.0;
        if let Some(owner) = resolution.process {
            write!(f, " process=")?;
            write_owner(f, owner)?;
        }
        if let Some(event) = resolution.event {
            write!(f, " event=#{event}")?;
        }
        for field in &resolution.fields {
            write!(f, " {}=", safe(&field.name))?;
            match &field.value {
                Resolved::Name(name) => write!(f, "{}", safe(name))?,
                Resolved::Names(names) => write!(f, "{}", safe(&names.join(",")))?,
                Resolved::Thread(owner) => write_owner(f, *owner)?,
                Resolved::Frame(frame) => write!(f, "{}", safe(&FrameText(frame).to_string()))?,
                Resolved::Frames(frames) => write_frames(f, frames)?,
            }
        }
        for frames in resolution.extended.iter().flatten() {
            write!(f, " stack=")?;
            write_frames(f, frames)?;
        }
        Ok(())
    }
}

fn write_owner(f: &mut fmt::Formatter<'_>, owner: ThreadOwner<'_>) -> fmt::Result {
    match owner.name {
        Some(name) => write!(f, "{} ({})", owner.process, safe(name)),
        None => write!(f, "{}", owner.process),
    }
}

fn write_frames(f: &mut fmt::Formatter<'_>, frames: &[Frame<'_>]) -> fmt::Result {
    for (number, frame) in frames.iter().take(SHOWN_FRAMES).enumerate() {
        let before = if number == 0 { "" } else { "<" };
        write!(f, "{before}{}", safe(&FrameText(frame).to_string()))?;
    }
    match frames.len().checked_sub(SHOWN_FRAMES) {
        Some(more @ 1..) => write!(f, "<... {more} more"),
        _ => Ok(()),
    }
}
