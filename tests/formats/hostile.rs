//! Text that means something to a format stays text in it.

use serde_json::Value as Json;
use winetl_tests::synth::*;

use crate::tree::parse;
use crate::{dump, lines, plain};

/// Texts, as UTF-16, and what they are in a format that can hold any character.
fn texts() -> Vec<(Vec<u16>, String)> {
    let mut texts: Vec<(Vec<u16>, String)> = [
        "]]><![CDATA[ <a b='c'> & &amp; \"d\"",
        "a,b\"c\"\"d\r\ne;f\tg",
        "=1+2 +3 -4 @x",
        "\u{1}\u{8}\u{b}\u{1b}[2J\u{1f}\u{7f}\u{85}\u{9f}",
        "\u{202e}\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}\u{fdd0}",
        "é\u{1F600}\u{10FFFF}",
        "{\"a\":[1,null]}\\u0041\\",
        "--><?xml?><!DOCTYPE a [<!ENTITY b \"c\">]>&b;",
        " leading and trailing \n",
    ]
    .iter()
    .map(|text| (text.encode_utf16().collect(), (*text).to_owned()))
    .collect();
    texts.push((
        vec![0x41, 0xD800, 0x42, 0xDC00, 0xDBFF],
        "A\u{FFFD}B\u{FFFD}\u{FFFD}".to_owned(),
    ));
    texts
}

/// One TraceLogging event for each text, in the value and, where it can be one, in the names of field and event.
fn trace() -> Vec<u8> {
    let mut buffer = Buffer::new(0, 1);
    for (units, _) in texts() {
        let name = String::from_utf16_lossy(&units);
        let schema = TlSchema::new(&name)
            .field(&name, TlSchema::UTF16_Z)
            .field("plain", TlSchema::ANSI_Z);
        let mut payload = Payload::new();
        for unit in units {
            payload = payload.u16(unit);
        }
        let payload = payload.u16(0).ansi_z("end");
        let descriptor = Descriptor {
            channel: 11,
            ..Descriptor::default()
        };
        let event = Event::header64(GUID, descriptor)
            .at(Trace::qpc(1000))
            .item(Item::schema_tl(&schema))
            .payload(payload);
        buffer = buffer.event(event);
    }
    Trace::new64().buffer_size(8192).buffer(buffer).build()
}

const GUID_TEXT: &str = "c0470505-0e5e-5a11-9b1e-2f6d0a7c4e12";

const GUID: Guid = guid(GUID_TEXT);

#[test]
fn hostile_text_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.etl");
    std::fs::write(&path, trace()).unwrap();
    let path = path.to_str().unwrap();
    let expected: Vec<String> = texts().into_iter().map(|(_, text)| text).collect();
    let own = |event: &&Json| plain(&event["provider_id"]) == GUID_TEXT;

    let value = |fields: &Json| -> String {
        let fields = fields.as_object().unwrap();
        plain(fields.iter().find(|(name, _)| *name != "plain").unwrap().1)
    };
    let events = lines(&dump("jsonl", path));
    let found: Vec<String> = events.iter().filter(own).map(|event| value(&event["fields"])).collect();
    assert_eq!(found, expected);
    let names: Vec<String> = events.iter().filter(own).map(|event| plain(&event["event"])).collect();
    assert_eq!(names, expected);
    let array: Vec<Json> = serde_json::from_str(&dump("json", path)).unwrap();
    assert_eq!(array, events);

    let ecs = lines(&dump("ecs", path));
    let ecs: Vec<&Json> = ecs.iter().skip(events.len() - expected.len()).collect();
    assert!(
        ecs.iter()
            .map(|event| value(&event["winlog"]["event_data"]))
            .eq(expected.iter().cloned())
    );
    assert!(
        ecs.iter()
            .map(|event| plain(&event["event"]["action"]))
            .eq(expected.iter().cloned())
    );

    let text = dump("csv", path);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let event_column = reader.headers().unwrap().iter().position(|name| name == "event").unwrap();
    let fields_column = reader.headers().unwrap().iter().position(|name| name == "fields").unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let rows = &rows[rows.len() - expected.len()..];
    assert!(
        rows.iter()
            .map(|row| row[event_column].to_owned())
            .eq(expected.iter().cloned())
    );
    assert!(
        rows.iter()
            .map(|row| value(&serde_json::from_str(&row[fields_column]).unwrap()))
            .eq(expected.iter().cloned())
    );

    // What XML 1.0 cannot hold is U+FFFD there.
    let allowed = |character: char| matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{FFFD}' | '\u{10000}'..);
    let xml_text = |text: &String| -> String {
        text.chars()
            .map(|character| if allowed(character) { character } else { '\u{FFFD}' })
            .collect()
    };
    let root = parse(&dump("xml", path));
    let nodes = &root.children[root.children.len() - expected.len()..];
    for (node, expected) in nodes.iter().zip(expected.iter().map(xml_text)) {
        let data = &node.child("EventData").children[0];
        assert_eq!(data.text, expected);
        assert_eq!(data.attribute("Name").unwrap(), expected);
        assert_eq!(node.child("RenderingInfo").child("EventName").text, expected);
    }

    // An event is a line there, so line ends are blanks.
    let text = dump("tracerpt-csv", path);
    let rows: Vec<&str> = text.split('\n').filter(|row| !row.is_empty()).collect();
    assert_eq!(rows.len(), events.len() + 1);
    for (row, expected) in rows[rows.len() - expected.len()..].iter().zip(&expected) {
        let expected = expected.replace(['\r', '\n'], " ");
        let cells = crate::csv::spaced(row);
        assert_eq!(cells[1], expected);
        assert_eq!(cells[19..], [expected.as_str(), "end"]);
    }

    // Nothing can steer a terminal, and nothing but a line end ends a line.
    for text in [dump("text", path), crate::run(&["dump", "--long", path])] {
        assert!(!text.contains(|character: char| character.is_control() && character != '\n'));
        assert!(!text.contains(['\u{202e}', '\u{2028}', '\u{2029}']));
        assert!(text.contains("]]>"));
    }
    assert_eq!(dump("text", path).lines().count(), events.len());
}
