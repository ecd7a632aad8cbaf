//! One JSON object per event: the contract that `JSON.md` writes down.

use std::io::{self, Write};

use super::envelope::{KEYS, KeyValue, KeyVisitor, OF_KIND, visit_keys};
use super::json::Object;
use super::kind::Kinds;
use super::sink::{EventSink, Shown};

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
        self.push(shown);
        self.line.push(b'\n');
        out.write_all(&self.line)
    }
}

impl JsonLines {
    /// Pushes the keys in their order.
    fn push(&mut self, shown: &Shown<'_>) {
        let mut entries = Entries {
            line: Object::begin(&mut self.line),
            kinds: &mut self.kinds,
            shown,
            header: self.header,
        };
        visit_keys(&mut entries);
        entries.line.end();
    }
}

/// Pushes the entry of each key.
struct Entries<'a> {
    line: Object<'a>,
    kinds: &'a mut Kinds,
    shown: &'a Shown<'a>,
    header: bool,
}

impl KeyVisitor for Entries<'_> {
    #[inline(always)]
    fn key<const NUMBER: usize>(&mut self) {
        if NUMBER == *OF_KIND.start() {
            self.kinds.push(self.shown, &mut self.line);
        } else if !OF_KIND.contains(&NUMBER) {
            let info = const { &KEYS[NUMBER] };
            if info.presence.holds(self.shown, self.header) {
                let value = KeyValue {
                    key: info.key,
                    shown: self.shown,
                    kind: None,
                };
                self.line.written(info.entry, &value);
            }
        }
    }
}

/// Writes events as one array.
#[derive(Debug)]
pub(crate) struct JsonArray(pub(crate) JsonLines);

impl EventSink for JsonArray {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[\n")
    }

    fn separator(&self) -> &'static [u8] {
        b",\n"
    }

    fn event(&mut self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.0.line.clear();
        self.0.push(shown);
        out.write_all(&self.0.line)
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\n]\n")
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
        let extras = Extras::none(&state);
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
