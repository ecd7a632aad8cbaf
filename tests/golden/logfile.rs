//! The logfile header, its times, and the event that carries it.

use serde_json::{Map, Value as Json, json};
use winetl::clock::ClockKind;
use winetl::record::Record;
use winetl::{Filetime, LogfileRoles as _, Order, TraceFile};

use super::common::{fields, number};
use super::describe;
use super::differences::Differences;

pub(crate) fn compare(differences: &mut Differences, golden: &Json, trace: &TraceFile<&[u8]>) {
    let logfile = trace.logfile();
    header(differences, &golden["logfile_header"], trace);

    let mut events = trace.events(Order::File);
    match events.next() {
        Some(event) => {
            let mut found = describe::event(&event);
            // These are compared with the first event.
            for key in ["data_hex", "utc", "filetime", "raw"] {
                found.remove(key);
            }
            differences.same_object("logfile_event", &golden["logfile_event"], found, &[]);
        }
        None => differences.add("logfile_event", "an event", "none"),
    }

    let kind = match logfile.clock().kind() {
        ClockKind::PerformanceCounter => "QPC",
        ClockKind::SystemTime => "SystemTime",
        other => other.name(),
    };
    differences.same("clock", &golden["clock"], kind);
    let utc = &golden["utc"];
    let text = |time: Option<i64>| time.filter(|time| *time != 0).map(|time| Filetime(time).to_string());
    differences.same("utc.StartTime", &utc["StartTime"], text(logfile.header.start_time()));
    differences.same("utc.EndTime", &utc["EndTime"], text(logfile.header.end_time()));
    differences.same("utc.BootTime", &utc["BootTime"], text(logfile.header.boot_time()));
    differences.same(
        "is_unfinished",
        &json!(golden["logfile_header"]["EndTime"] == 0),
        logfile.is_unfinished(),
    );
}

fn header(differences: &mut Differences, golden: &Json, trace: &TraceFile<&[u8]>) {
    let logfile = trace.logfile();
    let mut found = fields(&logfile.header);
    let zone: Vec<_> = found.keys().filter(|key| key.starts_with("TimeZone.")).cloned().collect();
    let zone: Map<_, _> = zone
        .into_iter()
        .filter_map(|key| found.remove(&key).map(|value| (key["TimeZone.".len()..].to_owned(), value)))
        .collect();
    found.insert("TimeZone".to_owned(), time_zone(zone));
    let padding = found.remove("Padding").and_then(|value| value.as_u64()).unwrap_or(u64::MAX);
    found.insert("TimeZonePad".to_owned(), json!(format!("{:08x}", padding.swap_bytes() >> 32)));
    // Computed from other fields.
    for key in [
        "FormatVersion",
        "ClockTimerSource",
        "PerfCounterTimerSource",
        "IsCompressedMode",
        "IsPerSessionBuffering",
        "IsSizeInKilobytes",
    ] {
        found.remove(key);
    }

    // Where the strings end.
    let mut events = trace.events(Order::File);
    let event = events.next().unwrap();
    let payload = event.payload();
    let used = match event.payload_record() {
        Some(payload) => {
            differences.same(
                "payload of the first event",
                &json!("TRACE_LOGFILE_HEADER"),
                payload.record().info().name,
            );
            payload.measure().consumed
        }
        None => {
            differences.add("payload of the first event", "TRACE_LOGFILE_HEADER", "nothing");
            0
        }
    };
    found.insert("PayloadSize".to_owned(), json!(payload.len()));
    found.insert("StringsEnd".to_owned(), json!(used));
    found.insert("Trailing".to_owned(), json!(super::common::hex(&payload[used..])));
    let names = logfile
        .header
        .info()
        .fields
        .iter()
        .find(|field| field.name == "LoggerNameString");
    let wide = usize::from(logfile.context().pointer_size == 8);
    found.insert(
        "FixedSize".to_owned(),
        json!(names.and_then(|field| field.offset).map(|offset| offset[wide])),
    );
    let terminated = number(&logfile.header, "LoggerNameString").is_none() && payload[..used].ends_with(&[0, 0]);
    found.insert("StringsTerminated".to_owned(), json!([terminated, terminated]));
    differences.same_object("logfile_header", golden, found, &[]);
}

/// Dates become lists of their eight words.
fn time_zone(mut zone: Map<String, Json>) -> Json {
    for date in ["StandardDate", "DaylightDate"] {
        let parts = [
            "Year",
            "Month",
            "DayOfWeek",
            "Day",
            "Hour",
            "Minute",
            "Second",
            "Milliseconds",
        ];
        let words = parts.map(|part| zone.remove(&format!("{date}.{part}")).unwrap_or_default());
        zone.insert(date.to_owned(), json!(words));
    }
    Json::Object(zone)
}
