//! One JSON object per event: the contract that `JSON.md` writes down.

use std::io::{self, Write};

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use winetl::payload::decoded::{Decoded, DecodedBy, Undecoded};
use winetl::payload::schemas::Schemas;
use winetl::{Event, EventRoles, ExtendedItem};

use super::hex::{HexBytes, HexNumber};
use super::json::{Ascii, push_line};
use super::names::EventNames;
use super::value::{JsonBareRecord, JsonGuid, JsonRecord};
use super::{Identity, real_id};

/// Writes events as lines.
#[derive(Debug)]
pub(crate) struct JsonLines {
    line: Vec<u8>,
    header: bool,
}

impl JsonLines {
    /// `header` says whether objects have the key of that name.
    pub(crate) fn new(header: bool) -> Self {
        Self {
            line: Vec::new(),
            header,
        }
    }

    /// Writes one event. `file` is its first key if more than one file was named.
    pub(crate) fn write<'a>(
        &mut self,
        file: Option<&str>,
        event: &Event<'a>,
        schemas: &'a mut Schemas,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.line.clear();
        let payload = schemas.decode(event);
        push_line(
            &Line {
                file,
                event,
                payload: &payload,
                header: self.header,
            },
            &mut self.line,
        )?;
        out.write_all(&self.line)
    }
}

struct Line<'a> {
    file: Option<&'a str>,
    event: &'a Event<'a>,
    payload: &'a Decoded<'a>,
    header: bool,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let event = self.event;
        let header = event.header();
        let payload = self.payload;
        let identity = Identity::of(event, payload);
        let mut map = serializer.serialize_map(None)?;
        if let Some(file) = self.file {
            map.serialize_entry("file", file)?;
        }
        map.serialize_entry("n", &event.index())?;
        map.serialize_entry("file_offset", &event.file_offset())?;
        map.serialize_entry("buffer", &event.buffer().index)?;
        map.serialize_entry("buffer_offset", &event.buffer().compressed.then(|| event.buffer_offset()))?;
        map.serialize_entry("time", &event.time().and_then(|time| time.to_ascii()).map(Ascii))?;
        map.serialize_entry("raw_time", &event.raw_time())?;
        map.serialize_entry("cpu", &event.processor())?;
        map.serialize_entry("pid", &real_id(header.process_id()))?;
        map.serialize_entry("tid", &real_id(header.thread_id()))?;
        map.serialize_entry("header_type", event.case().name)?;
        map.serialize_entry("provider_id", &identity.provider_id.map(JsonGuid))?;
        map.serialize_entry("provider", &identity.provider)?;
        map.serialize_entry("class_id", &identity.class_id.map(JsonGuid))?;
        map.serialize_entry("event", &identity.name)?;
        map.serialize_entry("id", &identity.id)?;
        map.serialize_entry("version", &header.event_version())?;
        map.serialize_entry("opcode", &header.opcode())?;
        map.serialize_entry("level", &header.level())?;
        map.serialize_entry("task", &header.task())?;
        map.serialize_entry("keyword", &header.keyword().map(HexNumber))?;
        if self.header {
            map.serialize_entry("header", &JsonRecord(header.record()))?;
        }
        map.serialize_entry("extended", &Items(event))?;
        map.serialize_entry("fields", &payload.record.as_ref().map(|record| JsonRecord(record.record())))?;
        map.serialize_entry(
            "decoded_by",
            &payload.source.filter(|_| payload.undecoded.is_none()).map(DecodedBy::name),
        )?;
        map.serialize_entry("undecoded", &payload.undecoded.map(Undecoded::name))?;
        map.serialize_entry("payload", &(!payload.rest.is_empty()).then_some(HexBytes(payload.rest)))?;
        map.serialize_entry("names", &EventNames::of(event, payload.schema))?;
        map.end()
    }
}

struct Items<'a>(&'a Event<'a>);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(None)?;
        for item in self.0.extended_items() {
            items.serialize_element(&Item(&item))?;
        }
        items.end()
    }
}

struct Item<'a>(&'a ExtendedItem<'a>);

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0.type_name() {
            Some(name) => map.serialize_entry("type", name)?,
            None => map.serialize_entry("type", &self.0.item_type())?,
        }
        match self.0.decode() {
            Some(Ok(data)) => map.serialize_entry("value", &JsonBareRecord(data.record()))?,
            Some(Err(_)) | None => map.serialize_entry("value", &HexBytes(self.0.data))?,
        }
        map.end()
    }
}
