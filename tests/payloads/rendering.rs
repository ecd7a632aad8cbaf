//! Values that are the same though they look different there: the one list of them, with the reasons.

use std::fmt::Write as _;
use std::net::Ipv6Addr;

use serde_json::{Map, Value as Json, json};

use super::common::hex;
use super::differences::Differences;

/// Fields by name, as this reader shows them or as the other does.
pub(crate) type Fields = Map<String, Json>;

/// One way in which the other reader shows what this one has under other names or in another form.
#[derive(Debug)]
struct Rule {
    /// The event; empty for any.
    event: &'static str,
    /// Field there; empty for fields that only this reader shows.
    theirs: &'static str,
    /// Fields here that it is made from.
    ours: &'static [&'static str],
    /// The value there, made from the fields here; `None` if the rule is not for this value.
    render: fn(&Fields) -> Option<Json>,
    /// Why it looks different.
    #[allow(dead_code, reason = "it is there to be read")]
    reason: &'static str,
}

const HEADER: &str = "EventTrace/Header";

/// All of a time zone.
const TIME_ZONE: &[&str] = &[
    "TimeZone.Bias",
    "TimeZone.StandardName",
    "TimeZone.StandardDate.Year",
    "TimeZone.StandardDate.Month",
    "TimeZone.StandardDate.DayOfWeek",
    "TimeZone.StandardDate.Day",
    "TimeZone.StandardDate.Hour",
    "TimeZone.StandardDate.Minute",
    "TimeZone.StandardDate.Second",
    "TimeZone.StandardDate.Milliseconds",
    "TimeZone.StandardBias",
    "TimeZone.DaylightName",
    "TimeZone.DaylightDate.Year",
    "TimeZone.DaylightDate.Month",
    "TimeZone.DaylightDate.DayOfWeek",
    "TimeZone.DaylightDate.Day",
    "TimeZone.DaylightDate.Hour",
    "TimeZone.DaylightDate.Minute",
    "TimeZone.DaylightDate.Second",
    "TimeZone.DaylightDate.Milliseconds",
    "TimeZone.DaylightBias",
    "Padding",
];

const RULES: &[Rule] = &[
    Rule {
        event: "",
        theirs: "daddr",
        ours: &["daddr"],
        render: |ours| all_groups(ours.get("daddr")?),
        reason: "IPv6 addresses are written with all eight groups there, here in the canonical form of RFC 5952",
    },
    Rule {
        event: "",
        theirs: "saddr",
        ours: &["saddr"],
        render: |ours| all_groups(ours.get("saddr")?),
        reason: "as daddr",
    },
    Rule {
        event: "",
        theirs: "ThreadName",
        ours: &[],
        render: |ours| (!ours.contains_key("ThreadName")).then_some(Json::Null),
        reason: "an optional field at which the payload has ended is null there, here it is left out",
    },
    Rule {
        event: HEADER,
        theirs: "Version",
        ours: &["MajorVersion", "MinorVersion", "SubVersion", "SubMinorVersion"],
        render: version,
        reason: "TRACE_LOGFILE_HEADER has a union of one number and of its four bytes; the bytes are what has a meaning",
    },
    Rule {
        event: HEADER,
        theirs: "MaxFileSize",
        ours: &["MaximumFileSize"],
        render: |ours| ours.get("MaximumFileSize").cloned(),
        reason: "the name in the MOF class; here that in TRACE_LOGFILE_HEADER",
    },
    Rule {
        event: HEADER,
        theirs: "CPUSpeed",
        ours: &["CpuSpeedInMHz"],
        render: |ours| ours.get("CpuSpeedInMHz").cloned(),
        reason: "the name in the MOF class; here that in TRACE_LOGFILE_HEADER",
    },
    Rule {
        event: HEADER,
        theirs: "SessionNameString",
        ours: &["LoggerNameString"],
        render: |ours| ours.get("LoggerNameString").cloned(),
        reason: "TRACE_LOGFILE_HEADER calls the session a logger",
    },
    Rule {
        event: HEADER,
        theirs: "TimeZoneInformation",
        ours: TIME_ZONE,
        render: time_zone,
        reason: "172 bytes of TIME_ZONE_INFORMATION and 4 that align what follows are bytes there, here a structure",
    },
    Rule {
        event: HEADER,
        theirs: "TimeZone",
        ours: TIME_ZONE,
        render: |ours| {
            let bytes: Vec<u8> = serde_json::from_value(time_zone(ours)?).ok()?;
            Some(json!(hex(bytes.strip_suffix(&[0; 4])?)))
        },
        reason: "by the layout of version 0 there: bytes as hex digits, and what aligns the next field is left out",
    },
    Rule {
        event: HEADER,
        theirs: "",
        ours: &[
            "FormatVersion",
            "ClockTimerSource",
            "PerfCounterTimerSource",
            "IsCompressedMode",
            "IsPerSessionBuffering",
            "IsSizeInKilobytes",
        ],
        render: |_| None,
        reason: "computed from other fields, without bytes of their own",
    },
];

/// Compares all fields: those that only one side has are differences too.
pub(crate) fn compare(differences: &mut Differences, what: &str, event: &str, expected: &Fields, found: &Fields) {
    let rules = || RULES.iter().filter(|rule| rule.event.is_empty() || rule.event == event);
    let mut rest = found.clone();
    for rule in rules().filter(|rule| rule.theirs.is_empty()) {
        rest.retain(|name, _| !rule.ours.contains(&name.as_str()));
    }
    for (name, expected) in expected {
        let rendered = rules()
            .filter(|rule| rule.theirs == name)
            .find_map(|rule| Some((rule, (rule.render)(found)?)));
        let value = match rendered {
            Some((rule, value)) => {
                rest.retain(|name, _| !rule.ours.contains(&name.as_str()));
                Some(value)
            }
            None => rest.remove(name),
        };
        match value {
            Some(value) if value == *expected => {}
            Some(value) => differences.add(format_args!("{what}.{name}"), expected, value),
            None => differences.add(format_args!("{what}.{name}"), expected, "nothing"),
        }
    }
    for (name, value) in rest {
        differences.add(format_args!("{what}.{name}"), "nothing", value);
    }
}

/// An IPv6 address with all its groups; `None` for anything else, such as an IPv4 address.
fn all_groups(address: &Json) -> Option<Json> {
    let address: Ipv6Addr = address.as_str()?.parse().ok()?;
    let mut text = String::new();
    for (index, group) in address.segments().into_iter().enumerate() {
        write!(text, "{}{group:x}", if index > 0 { ":" } else { "" }).unwrap();
    }
    Some(json!(text))
}

pub(crate) fn version(ours: &Fields) -> Option<Json> {
    let byte = |name: &str| ours.get(name)?.as_u64();
    Some(json!(
        byte("MajorVersion")? | byte("MinorVersion")? << 8 | byte("SubVersion")? << 16 | byte("SubMinorVersion")? << 24
    ))
}

fn time_zone(ours: &Fields) -> Option<Json> {
    let number = |name: &str| Some(ours.get(name)?.as_i64()? as i32);
    let mut bytes = vec![];
    bytes.extend(number("TimeZone.Bias")?.to_le_bytes());
    for half in ["Standard", "Daylight"] {
        let name = ours.get(&format!("TimeZone.{half}Name"))?.as_str()?;
        let mut units: Vec<u16> = name.encode_utf16().collect();
        units.resize(32, 0);
        bytes.extend(units.into_iter().flat_map(u16::to_le_bytes));
        for part in [
            "Year",
            "Month",
            "DayOfWeek",
            "Day",
            "Hour",
            "Minute",
            "Second",
            "Milliseconds",
        ] {
            let part = number(&format!("TimeZone.{half}Date.{part}"))? as u16;
            bytes.extend(part.to_le_bytes());
        }
        bytes.extend(number(&format!("TimeZone.{half}Bias"))?.to_le_bytes());
    }
    bytes.extend(number("Padding")?.to_le_bytes());
    Some(json!(bytes))
}

/// The rules themselves: each lets through what it is for, and nothing else.
mod tests {
    use super::*;

    fn count(event: &str, expected: Json, found: Json) -> usize {
        let mut differences = Differences::default();
        compare(
            &mut differences,
            "",
            event,
            expected.as_object().unwrap(),
            found.as_object().unwrap(),
        );
        differences.len()
    }

    #[test]
    fn plain_fields_must_be_equal_and_on_both_sides() {
        assert_eq!(count("", json!({"a": 1, "b": "x"}), json!({"b": "x", "a": 1})), 0);
        assert_eq!(count("", json!({"a": 1}), json!({"a": 2})), 1);
        assert_eq!(count("", json!({"a": 1}), json!({})), 1);
        assert_eq!(count("", json!({}), json!({"a": 1})), 1);
    }

    #[test]
    fn addresses_are_compared_as_addresses() {
        let full = json!({"daddr": "fe80:0:0:0:0:0:0:1", "saddr": "10.0.0.1"});
        assert_eq!(count("", full.clone(), json!({"daddr": "fe80::1", "saddr": "10.0.0.1"})), 0);
        assert_eq!(count("", full.clone(), json!({"daddr": "fe80::2", "saddr": "10.0.0.1"})), 1);
        assert_eq!(count("", full, json!({"daddr": "fe80::1", "saddr": "10.0.0.2"})), 1);
    }

    #[test]
    fn only_a_missing_name_is_null() {
        assert_eq!(count("", json!({"ThreadName": null}), json!({})), 0);
        assert_eq!(count("", json!({"ThreadName": null}), json!({"ThreadName": "x"})), 1);
        assert_eq!(count("", json!({"ThreadName": "x"}), json!({})), 1);
    }

    #[test]
    fn header_has_other_names() {
        let ours = json!({
            "MajorVersion": 6, "MinorVersion": 1, "SubVersion": 1, "SubMinorVersion": 5, "FormatVersion": 261,
            "MaximumFileSize": 100, "CpuSpeedInMHz": 2394, "LoggerNameString": "x",
        });
        let theirs = json!({"Version": 83_951_878, "MaxFileSize": 100, "CPUSpeed": 2394, "SessionNameString": "x"});
        assert_eq!(count(HEADER, theirs.clone(), ours.clone()), 0);
        // Not under these names in other events.
        assert_eq!(count("Other/Event", theirs, ours), 12);
    }

    #[test]
    fn time_zone_is_put_together() {
        let mut ours = json!({"Padding": 0, "TimeZone.Bias": -60});
        for half in ["Standard", "Daylight"] {
            ours[format!("TimeZone.{half}Name")] = json!("AB");
            ours[format!("TimeZone.{half}Bias")] = json!(-1);
            for part in [
                "Year",
                "Month",
                "DayOfWeek",
                "Day",
                "Hour",
                "Minute",
                "Second",
                "Milliseconds",
            ] {
                ours[format!("TimeZone.{half}Date.{part}")] = json!(10);
            }
        }
        let bytes = time_zone(ours.as_object().unwrap()).unwrap();
        let bytes: Vec<u8> = serde_json::from_value(bytes).unwrap();
        assert_eq!(bytes.len(), 172 + 4);
        assert_eq!(bytes[..10], [0xC4, 0xFF, 0xFF, 0xFF, 0x41, 0, 0x42, 0, 0, 0]);
        assert_eq!(bytes[68..72], [10, 0, 10, 0]);
        assert_eq!(bytes[84..92], [0xFF, 0xFF, 0xFF, 0xFF, 0x41, 0, 0x42, 0]);
        assert_eq!(bytes[168..], [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
    }
}
