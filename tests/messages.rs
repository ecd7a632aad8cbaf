//! WPP messages: what a dump shows of them, for each combination of the options.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use std::ffi::OsString;
use std::io::Cursor;

use serde_json::{Value, json};
use winetl_tests::synth::{Buffer, Event, Message, Trace, guid};

const SEQUENCE: u16 = 0x01;
const GUID: u16 = 0x02;
const COMPONENTID: u16 = 0x04;
const TIMESTAMP: u16 = 0x08;
const SYSTEMINFO: u16 = 0x20;

const SOURCE: &str = "5e7d0003-3333-4333-8333-000000000003";
const ARGUMENTS: [u8; 5] = [0xDE, 0xAD, 0xBE, 0xEF, 0x01];

/// Every combination of the eight options that Windows names; the sequence numbers begin with 0.
fn trace() -> Vec<u8> {
    let messages = (0..256_u16).map(|options| {
        let message = Message::new(options + 1)
            .sequence(u32::from(options / 2))
            .guid(guid(SOURCE))
            .component(70_000 + u32::from(options))
            .at(Trace::qpc(i64::from(options)))
            .process(4120, 4124)
            .flags(options)
            .arguments(ARGUMENTS);
        Event::from(message)
    });
    Trace::new64()
        .buffer_size(16 * 1024)
        .buffer(Buffer::new(0, 1).events(messages).time(Trace::qpc(500)))
        .build()
}

fn dump(args: &[&str]) -> Vec<String> {
    let (mut stdout, mut stderr) = (vec![], vec![]);
    let args = ["winetl", "dump", "--order", "file"].iter().chain(args).copied().chain(["-"]);
    let status = winetl_cli::run(args.map(OsString::from), &mut Cursor::new(trace()), &mut stdout, &mut stderr);
    assert_eq!(status, 0, "{}", String::from_utf8_lossy(&stderr));
    let text = String::from_utf8(stdout).unwrap();
    let lines: Vec<_> = text.lines().skip(1).map(str::to_owned).collect();
    assert_eq!(lines.len(), 256);
    lines
}

/// The value if an option is set.
fn with(is_set: bool, value: impl Into<Value>) -> Value {
    if is_set { value.into() } else { Value::Null }
}

#[test]
fn json_lines_have_every_part_by_name() {
    for (line, options) in dump(&["--format", "jsonl"]).iter().zip(0_u16..) {
        let event: Value = serde_json::from_str(line).unwrap();
        let has = |option| options & option != 0;
        let component = has(COMPONENTID);
        let has_guid = has(GUID) && !component;
        let time = Trace::qpc(i64::from(options));
        assert_eq!(event["header_type"], "TRACE_HEADER_TYPE_MESSAGE", "{options:#x}");
        assert_eq!(event["provider_id"], with(has_guid, SOURCE), "{options:#x}");
        assert_eq!(event["id"], options + 1, "{options:#x}");
        assert_eq!(event["pid"], with(has(SYSTEMINFO), 4120), "{options:#x}");
        assert_eq!(event["tid"], with(has(SYSTEMINFO), 4124), "{options:#x}");
        assert_eq!(event["raw_time"], with(has(TIMESTAMP), time), "{options:#x}");
        assert_eq!(event["payload"], "deadbeef01", "{options:#x}");
        assert_eq!(event["undecoded"], "no schema", "{options:#x}");
        assert_eq!(event["fields"], Value::Null, "{options:#x}");

        let mut expected = json!({"Version": "0x90", "MessageNumber": options + 1});
        let parts = [
            ("SequenceNumber", with(has(SEQUENCE), options / 2)),
            ("ComponentId", with(component, 70_000 + u32::from(options))),
            ("MessageGuid", with(has_guid, SOURCE)),
            ("TimeStamp", with(has(TIMESTAMP), time)),
            ("ThreadId", with(has(SYSTEMINFO), 4124)),
            ("ProcessId", with(has(SYSTEMINFO), 4120)),
        ];
        let lengths = [4, 4, 16, 8, 4, 4];
        let length: usize = parts
            .iter()
            .zip(lengths)
            .filter(|((_, value), _)| !value.is_null())
            .map(|(_, length)| length)
            .sum();
        expected["Size"] = (8 + length + ARGUMENTS.len()).into();
        for (name, value) in parts.into_iter().filter(|(_, value)| !value.is_null()) {
            expected[name] = value;
        }
        let mut header = event["header"].clone();
        header
            .as_object_mut()
            .unwrap()
            .retain(|name, value| name != "OptionFlags" && !value.is_null());
        assert_eq!(header, expected, "{options:#x}");
    }
}

#[test]
fn lines_of_text_have_every_part() {
    for (line, options) in dump(&[]).iter().zip(0_u16..) {
        let has = |option| options & option != 0;
        let number = options + 1;
        let source = if has(COMPONENTID) {
            format!(" component {}/{number}", 70_000 + u32::from(options))
        } else if has(GUID) {
            format!(" {SOURCE}/{number}")
        } else {
            format!(" -/{number}")
        };
        let ids = if has(SYSTEMINFO) {
            "   4120/4124   MESSAGE"
        } else {
            "      -/-      MESSAGE"
        };
        let sequence = if has(SEQUENCE) {
            format!(" seq={}", options / 2)
        } else {
            String::new()
        };
        let end = format!("{source}{sequence}  5 bytes: deadbeef 01");
        assert!(line.contains(ids) && line.ends_with(&end), "{options:#x}: {line}");
    }
}
