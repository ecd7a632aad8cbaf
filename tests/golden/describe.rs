//! An event by the names of the expected values.

use serde_json::{Map, Value as Json, json};
use winetl::{Event, EventRoles as _, ExtendedItem};

use super::common::{fields, hex, number};
use super::differences::Differences;
use super::walk::{Walk, place};

/// Bytes of a payload and of an item that the expected values show, and of a whole event.
const SHOWN: usize = 64;
const SHOWN_RAW: usize = 256;

/// Fields that are computed from others, or compared by another name.
const NOT_SHOWN: &[&str] = &[
    "HeaderType",
    "MarkerFlags",
    "ProcessorTime",
    "HasExtendedItems",
    "DataPointerSize",
    "ExtendedValues",
    "ComponentId",
];

pub(crate) fn compare(differences: &mut Differences, golden: &Json, walk: &Walk) {
    for (number, expected) in golden["first_events"].as_array().unwrap().iter().enumerate() {
        compare_event(
            differences,
            &format!("first_events[{number}]"),
            expected,
            walk,
            Some(number as u64),
        );
    }
    compare_event(
        differences,
        "last_event",
        &golden["last_event"],
        walk,
        walk.total.checked_sub(1),
    );
    let examples = golden["example_per_type"].as_object().unwrap();
    for (kind, expected) in examples {
        compare_event(differences, &format!("example {kind}"), expected, walk, None);
        let first = walk.first_of_kind.get(kind.as_str()).map(|(place, _)| place);
        differences.same(
            format_args!("place of the first {kind}"),
            &json!(place(expected)),
            json!(first),
        );
    }
    differences.same("kinds with an example", &json!(examples.len()), walk.first_of_kind.len());
}

fn compare_event(differences: &mut Differences, what: &str, expected: &Json, walk: &Walk, index: Option<u64>) {
    let Some((found_index, found)) = walk.described.get(&place(expected)) else {
        differences.add(what, format_args!("an event at {:?}", place(expected)), "none");
        return;
    };
    if let Some(index) = index {
        differences.same(format_args!("{what}: index"), &json!(index), *found_index);
    }
    let mut found = found.clone();
    // The lists show different parts.
    for key in ["raw", "data_hex", "utc", "filetime", "time"] {
        if expected.get(key).is_none_or(Json::is_null) && (key != "time" || found.get(key) == Some(&Json::Null)) {
            let ours = found.remove(key);
            if expected.get(key).is_some() {
                differences.same(format_args!("{what}.{key}"), &Json::Null, ours);
            }
        }
    }
    let nulls: Vec<_> = ["utc", "filetime"]
        .into_iter()
        .filter(|key| expected.get(*key).is_some_and(Json::is_null))
        .collect();
    differences.same_object(what, expected, found, &nulls);
}

/// The kind of an event's header, in short.
pub(crate) fn kind(event: &Event<'_>) -> &'static str {
    event.case().name.trim_start_matches("TRACE_HEADER_TYPE_")
}

/// The kind of an item, in short.
pub(crate) fn item_name(item: &ExtendedItem<'_>) -> &'static str {
    item.type_name()
        .unwrap_or("unknown")
        .trim_start_matches("EVENT_HEADER_EXT_TYPE_")
}

pub(crate) fn event(event: &Event<'_>) -> Map<String, Json> {
    let mut found = header(event);
    let (bytes, payload) = (event.bytes(), event.payload());
    let start = bytes.len() - payload.len();
    // A time of the neighbour is not the event's own.
    let time = event.raw_time().and_then(|_| event.time());
    found.insert("type".into(), json!(kind(event)));
    found.insert(
        "marker".into(),
        json!(format!(
            "{:08x}",
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        )),
    );
    found.insert("size".into(), json!(bytes.len()));
    found.insert("time".into(), json!(event.raw_time()));
    found.insert("data_off".into(), json!(start));
    found.insert("data_size".into(), json!(payload.len()));
    found.insert("data_hex".into(), json!(hex(&payload[..payload.len().min(SHOWN)])));
    found.insert("buffer".into(), json!(event.buffer().index));
    found.insert("off_in_buffer".into(), json!(event.buffer_offset()));
    found.insert("utc".into(), json!(time.map(|time| time.to_string())));
    found.insert("filetime".into(), json!(time.map(|time| time.0)));
    found.insert("raw".into(), json!(hex(&bytes[..bytes.len().min(SHOWN_RAW)])));
    let items: Vec<_> = event.extended_items().collect();
    if !items.is_empty() {
        let mut at = start
            - items
                .iter()
                .map(|item| number(&item.header, "Reserved1").unwrap_or(0) as usize)
                .sum::<usize>();
        let items = items.iter().map(|item| {
            let offset = at;
            at += number(&item.header, "Reserved1").unwrap_or(0) as usize;
            Json::Object(self::item(item, offset))
        });
        found.insert("ext".into(), items.collect());
    }
    found
}

fn header(event: &Event<'_>) -> Map<String, Json> {
    let kind = kind(event);
    let mut found = Map::new();
    let all = fields(event.header().record());
    let flags_byte = |all: &Map<String, Json>| {
        let value = |name| all.get(name).and_then(Json::as_u64).unwrap_or(0);
        value("PmcCounterCount") | value("Spare") << 3 | value("PebsIndexPresent") << 7
    };
    if kind.starts_with("SYSTEM") || kind.starts_with("COMPACT") {
        found.insert("VersionHigh".into(), json!(flags_byte(&all)));
    }
    let hooked = event.header().hook_id().is_some();
    for (name, value) in all {
        let name = name.rsplit('.').next().unwrap();
        let name = match name {
            "EventVersion" => "Version",
            // The whole word, of which the version is a part; in a message the marker.
            "Version" if hooked || kind == "MESSAGE" => continue,
            "PmcCounterCount" | "PebsIndexPresent" | "Spare" if !kind.starts_with("PERFINFO") => continue,
            "PmcCounterCount" => "PmcCount",
            "PebsIndexPresent" => "Pebs",
            "Spare" => "SpareBits",
            "SequenceNumber" => "Sequence",
            name if NOT_SHOWN.contains(&name) => continue,
            name => name,
        };
        let value = match (name, value.as_u64()) {
            ("HookId" | "Flags" | "EventProperty" | "OptionFlags", Some(number)) => json!(format!("{number:#06x}")),
            ("Keyword", Some(number)) => json!(format!("{number:#018x}")),
            (_, None) if value.is_null() => continue,
            _ => value,
        };
        found.insert(name.to_owned(), value);
    }
    if let Some(flags) = number(event.header().record(), "OptionFlags") {
        let names = [
            "SEQUENCE",
            "GUID",
            "COMPONENTID",
            "TIMESTAMP",
            "PERFORMANCE_TIMESTAMP",
            "SYSTEMINFO",
            "POINTER32",
            "POINTER64",
        ];
        let names: Vec<_> = names
            .into_iter()
            .enumerate()
            .filter(|(bit, _)| flags & 1 << bit != 0)
            .map(|(_, name)| name)
            .collect();
        found.insert("FlagNames".into(), json!(names));
    }
    found
}

fn item(item: &ExtendedItem<'_>, offset: usize) -> Map<String, Json> {
    let header = fields(&item.header);
    let mut found = Map::new();
    for (name, ours) in [
        ("Reserved1", "Reserved1"),
        ("ExtType", "ExtType"),
        ("Linkage", "HasNext"),
        ("Reserved2", "Reserved2"),
        ("DataSize", "DataSize"),
    ] {
        found.insert(name.into(), header.get(ours).cloned().unwrap_or_default());
    }
    found.insert("Name".into(), json!(item_name(item)));
    found.insert("offset".into(), json!(offset));
    let decoded = match item.decode() {
        Some(Ok(data)) => fields(data.record()),
        Some(Err(error)) => [("error".to_owned(), json!(error.to_string()))].into_iter().collect(),
        None => Map::new(),
    };
    let mut show = |name: &str, field: &str| {
        found.insert(name.into(), decoded.get(field).cloned().unwrap_or_else(|| json!(decoded)));
    };
    match item_name(item) {
        "RELATED_ACTIVITYID" => show("Guid", "RelatedActivityId"),
        "CONTROL_GUID" => show("Guid", "ControlGuid"),
        "SID" => show("Sid", "Sid"),
        "TS_ID" => show("SessionId", "SessionId"),
        "PEBS_INDEX" => show("Value", "PebsIndex"),
        "EVENT_KEY" => show("Value", "Key"),
        "PROCESS_START_KEY" => show("Value", "ProcessStartKey"),
        "CONTAINER_ID" => show("ContainerId", "ContainerId"),
        // Read without a sign there.
        "QPC_DELTA" => drop(found.insert("Value".into(), json!(decoded["QpcDelta"].as_i64().map(|delta| delta as u64)))),
        name @ ("STACK_TRACE32" | "STACK_TRACE64") => {
            show("MatchId", "MatchId");
            let frames = decoded["Address"].as_array().cloned().unwrap_or_default();
            let width = if name == "STACK_TRACE32" { 4 } else { 8 };
            found.insert("frames".into(), json!(frames.len()));
            found.insert("frame_rem".into(), json!((item.data.len() - 8) % width));
            found.insert(
                "first_frame".into(),
                json!(frames.first().and_then(Json::as_u64).map(|address| format!("{address:#x}"))),
            );
        }
        _ => {
            if let Some(error) = decoded.get("error") {
                found.insert("error".into(), error.clone());
            }
            found.insert("hex".into(), json!(hex(&item.data[..item.data.len().min(SHOWN)])));
        }
    }
    found
}
