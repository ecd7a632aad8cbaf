//! Collects differences, so that a test names all of a trace's at once.

use std::fmt::{Display, Write as _};

use serde_json::{Map, Value as Json};

/// How many differences a failure shows.
const SHOWN: usize = 60;

/// Facts of the expected values that other parts compare, or that tell of bytes no reader looks at.
const TOP_KEYS: &[&str] = &[
    // What the file is.
    "file",
    "file_size",
    "sha256",
    "gzip",
    // Compared by the modules of this test.
    "logfile_event",
    "logfile_header",
    "total_events",
    "header_type_counts",
    "markers",
    "first_events",
    "last_event",
    "events_sha256",
    "payload_sha256",
    "errors",
    "buffer_count",
    "compressed_buffers",
    "compression_format",
    "bytes_after_last_buffer",
    "raw_time_min",
    "raw_time_max",
    "in_buffer_order",
    "hookids",
    "classic_guids",
    "providers",
    "message_guids",
    "message_flags",
    "event_header_flags",
    "event_header_properties",
    "ext_types",
    "ext_reserved1",
    "ext_reserved2",
    "ext_sizes",
    "sequences",
    "example_per_type",
    "buffers",
    "clock",
    "utc",
    // Bytes in gaps, and behind a compressed stream.
    "ext_pad",
    "event_pad",
    "xpress_leftover",
];

#[derive(Debug, Default)]
pub(crate) struct Differences(Vec<String>);

impl Differences {
    pub(crate) fn add(&mut self, what: impl Display, expected: impl Display, found: impl Display) {
        self.0.push(format!("{what}: expected {expected}, found {found}"));
    }

    /// Compares one value.
    pub(crate) fn same(&mut self, what: impl Display, expected: &Json, found: impl Into<Json>) {
        let found = found.into();
        if *expected != found {
            self.add(what, expected, found);
        }
    }

    /// Compares every key of an object, except those in `skip`. Those that only one side has are differences too.
    pub(crate) fn same_object(&mut self, what: &str, expected: &Json, mut found: Map<String, Json>, skip: &[&str]) {
        let Some(expected) = expected.as_object() else {
            self.add(what, expected, "an object");
            return;
        };
        for (key, expected) in expected.iter().filter(|(key, _)| !skip.contains(&key.as_str())) {
            match found.remove(key) {
                Some(found) => self.same(format_args!("{what}.{key}"), expected, found),
                None => self.add(format_args!("{what}.{key}"), expected, "nothing"),
            }
        }
        for (key, found) in found {
            self.add(format_args!("{what}.{key}"), "nothing", found);
        }
    }

    /// Fails if there are any.
    pub(crate) fn finish(self, file: &str) {
        let mut text = String::new();
        for difference in self.0.iter().take(SHOWN) {
            writeln!(text, "  {difference}").unwrap();
        }
        assert!(self.0.is_empty(), "{file}: {} differences\n{text}", self.0.len());
    }
}

/// A fact that is added to the expected values must be compared, too.
pub(crate) fn every_key_is_known(differences: &mut Differences, golden: &Json) {
    for key in golden.as_object().unwrap().keys() {
        if !TOP_KEYS.contains(&key.as_str()) {
            differences.add(key, "a fact that this test compares", "one that it does not know");
        }
    }
}
