//! One JSON object per event: the contract that `JSON.md` writes down.

use std::io::{self, Write};

use winetl::payload::decoded::{DecodedBy, Undecoded};
use winetl::{Event, EventRoles, ExtendedItem};

use super::hex::HexBytes;
use super::json::{Ascii, Json, Object, Serialized, entry, push_list};
use super::kind::Kinds;
use super::names::EventNames;
use super::real_id;
use super::resolved::JsonResolution;
use super::sink::{EventSink, Shown};
use super::value::{JsonBareRecord, JsonRecord};

/// Writes events as lines.
#[derive(Debug)]
pub(crate) struct JsonLines {
    line: Vec<u8>,
    kinds: Kinds,
    header: bool,
}

impl JsonLines {
    /// `header` says whether objects have the key of that name.
    pub(crate) fn new(header: bool) -> Self {
        Self {
            line: Vec::new(),
            kinds: Kinds::new(),
            header,
        }
    }
}

impl EventSink for JsonLines {
    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.line.clear();
        let line = Line {
            shown,
            kinds: &mut self.kinds,
            header: self.header,
        };
        line.push(&mut self.line);
        self.line.push(b'\n');
        out.write_all(&self.line)
    }
}

struct Line<'a> {
    shown: &'a Shown<'a>,
    kinds: &'a mut Kinds,
    header: bool,
}

impl Line<'_> {
    /// Pushes the keys in their order.
    fn push(self, out: &mut Vec<u8>) {
        let Shown {
            file,
            event,
            payload,
            process,
            resolved,
        } = *self.shown;
        let header = event.header();
        let mut line = Object::begin(out);
        if let Some(file) = file {
            entry!(line, "file", file);
        }
        entry!(line, "n", &event.index());
        entry!(line, "file_offset", &event.file_offset());
        entry!(line, "buffer", &event.buffer().index);
        entry!(
            line,
            "buffer_offset",
            &event.buffer().compressed.then(|| u64::from(event.buffer_offset()))
        );
        entry!(line, "time", &event.time().and_then(|time| time.to_ascii()).map(Ascii));
        entry!(line, "raw_time", &event.raw_time());
        entry!(line, "cpu", &event.processor());
        entry!(line, "pid", &real_id(header.process_id()));
        entry!(line, "tid", &real_id(header.thread_id()));
        self.kinds.push(event, payload, &mut line);
        if self.header {
            entry!(line, "header", &JsonRecord(header.record()));
        }
        entry!(line, "extended", &Items(event));
        entry!(
            line,
            "fields",
            &payload.record.as_ref().map(|record| JsonRecord(record.record()))
        );
        entry!(
            line,
            "decoded_by",
            &payload.source.filter(|_| payload.undecoded.is_none()).map(DecodedBy::name)
        );
        entry!(line, "undecoded", &payload.undecoded.map(Undecoded::name));
        entry!(line, "payload", &(!payload.rest.is_empty()).then_some(HexBytes(payload.rest)));
        entry!(line, "names", &EventNames::of(event, payload.schema));
        if let Some(process) = process {
            entry!(line, "process", &process);
        }
        if let Some(resolved) = resolved {
            entry!(
                line,
                "resolved",
                &(!resolved.is_empty()).then_some(Serialized(JsonResolution(resolved)))
            );
        }
        line.end();
    }
}

struct Items<'a>(&'a Event<'a>);

impl Json for Items<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        push_list(out, |element| {
            for item in self.0.extended_items() {
                element(&Item(&item));
            }
        });
    }
}

struct Item<'a>(&'a ExtendedItem<'a>);

impl Json for Item<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        let mut item = Object::begin(out);
        match self.0.type_name() {
            Some(name) => entry!(item, "type", name),
            None => entry!(item, "type", &self.0.item_type()),
        }
        match self.0.decode() {
            Some(Ok(data)) => entry!(item, "value", &JsonBareRecord(data.record())),
            Some(Err(_)) | None => entry!(item, "value", &HexBytes(self.0.data)),
        }
        item.end();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use winetl::{Order, TraceFile};

    use super::super::resolved::Extras;
    use super::super::sink::write_event;
    use super::*;

    /// What is kept of kinds changes no line.
    #[test]
    fn lines_do_not_depend_on_those_before() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples");
        let state = winetl::state::SessionState::default();
        let extras = Extras {
            state: &state,
            process_names: false,
            resolve: false,
        };
        let mut kept = JsonLines::new(true);
        let mut lines = 0;
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let Ok(trace) = TraceFile::open(&path) else { continue };
            let (mut events, mut schemas) = trace.events_and_schemas(Order::Time);
            while let Some(event) = events.next() {
                let (mut first, mut again) = (Vec::new(), Vec::new());
                let mut fresh = JsonLines::new(true);
                write_event(&mut fresh, None, &event, &mut schemas, extras, &mut first).unwrap();
                write_event(&mut kept, None, &event, &mut schemas, extras, &mut again).unwrap();
                assert_eq!(String::from_utf8(again), String::from_utf8(first), "{}", path.display());
                lines += 1;
            }
        }
        assert!(lines > 1000, "{lines}");
    }
}
