//! XML against the order of elements in Microsoft's event schema, and its values against JSON Lines.

use serde_json::Value as Json;

use crate::tree::{Node, parse};
use crate::{dump, events, plain, run, samples};

/// A child, the fewest and the most that there can be.
type Child = (&'static [&'static str], usize, usize);

const MANY: usize = usize::MAX;

/// Children of each element, in their order. Of several names in one place each may stand there.
const ELEMENTS: &[(&str, &[Child])] = &[
    ("Events", &[(&["Event"], 0, MANY)]),
    (
        "Event",
        &[
            (&["System"], 1, 1),
            (&["EventData", "BinaryEventData", "ProcessingErrorData"], 1, 1),
            (&["RenderingInfo"], 0, 1),
            (&["ExtendedTracingInfo"], 0, 1),
        ],
    ),
    (
        "System",
        &[
            (&["Provider"], 1, 1),
            (&["EventID"], 1, 1),
            (&["Version"], 1, 1),
            (&["Level"], 1, 1),
            (&["Task"], 1, 1),
            (&["Opcode"], 1, 1),
            (&["Keywords"], 1, 1),
            (&["TimeCreated"], 1, 1),
            (&["EventRecordID"], 1, 1),
            (&["Correlation"], 1, 1),
            (&["Execution"], 1, 1),
            (&["Channel"], 1, 1),
            (&["Computer"], 1, 1),
            (&["Security"], 0, 1),
        ],
    ),
    ("EventData", &[(&["Data", "ComplexData"], 0, MANY), (&["Binary"], 0, 1)]),
    ("ComplexData", &[(&["Data", "ComplexData"], 0, MANY)]),
    (
        "ProcessingErrorData",
        &[(&["ErrorCode"], 1, 1), (&["DataItemName"], 1, 1), (&["EventPayload"], 1, 1)],
    ),
    (
        "RenderingInfo",
        &[
            (&["Message"], 0, 1),
            (&["Level"], 0, 1),
            (&["Opcode"], 0, 1),
            (&["Task"], 0, 1),
            (&["Channel"], 0, 1),
            (&["Provider"], 0, 1),
            (&["Keywords"], 0, 1),
            (&["EventName"], 0, 1),
        ],
    ),
    (
        "ExtendedTracingInfo",
        &[
            (&["EventGuid"], 0, 1),
            (&["InstanceID"], 0, 1),
            (&["ParentInstanceID"], 0, 1),
            (&["winetl:ExtendedItem"], 0, MANY),
            (&["winetl:Resolved"], 0, 1),
        ],
    ),
    (
        "winetl:ExtendedItem",
        &[(&["Data", "ComplexData"], 0, MANY), (&["Binary"], 0, 1)],
    ),
];

/// Attributes of each element, in their order; those with `?` may be missing.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("Events", &["xmlns:winetl"]),
    ("Event", &["xmlns", "?winetl:File", "?winetl:Process"]),
    ("Provider", &["?Name", "?Guid"]),
    ("TimeCreated", &["?SystemTime", "?RawTime"]),
    ("Correlation", &["ActivityID", "?RelatedActivityID"]),
    (
        "Execution",
        &[
            "ProcessID",
            "ThreadID",
            "?ProcessorID",
            "?SessionID",
            "KernelTime",
            "UserTime",
        ],
    ),
    ("Security", &["UserID"]),
    ("Data", &["Name"]),
    ("ComplexData", &["Name"]),
    ("RenderingInfo", &["Culture"]),
    ("EventName", &["xmlns"]),
    ("ExtendedTracingInfo", &["xmlns"]),
    ("winetl:ExtendedItem", &["Type"]),
];

fn check(node: &Node, path: &str) {
    let found: &[Child] = ELEMENTS
        .iter()
        .find(|(name, _)| *name == node.name)
        .map_or(&[], |(_, children)| children);
    // Keywords are a mask in System, and a list of texts in RenderingInfo.
    let found: &[Child] = if node.name == "Keywords" {
        &[(&["Keyword"], 0, MANY)]
    } else {
        found
    };
    let mut counts = vec![0; found.len()];
    let mut place = 0;
    for child in &node.children {
        let at = found.iter().position(|(names, ..)| names.contains(&child.name.as_str()));
        let at = at.unwrap_or_else(|| panic!("{path}: {} in {}", child.name, node.name));
        assert!(at >= place, "{path}: {} out of order in {}", child.name, node.name);
        place = at;
        counts[at] += 1;
        check(child, path);
    }
    for ((names, least, most), count) in found.iter().zip(counts) {
        assert!(
            (*least..=*most).contains(&count),
            "{path}: {count} of {names:?} in {}",
            node.name
        );
    }
    let known: &[&str] = ATTRIBUTES
        .iter()
        .find(|(name, _)| *name == node.name)
        .map_or(&[], |(_, names)| names);
    let mut given = node.attributes.iter().map(|(name, _)| name.as_str()).peekable();
    for name in known {
        let present = given.next_if_eq(&name.trim_start_matches('?')).is_some();
        assert!(present || name.starts_with('?'), "{path}: {} without {name}", node.name);
    }
    assert_eq!(given.next(), None, "{path}: {}", node.name);
}

#[test]
fn elements_and_attributes_are_those_of_the_schema() {
    for path in samples() {
        let root = parse(&dump("xml", &path));
        assert_eq!(root.name, "Events");
        check(&root, &path);
        for event in &root.children {
            let namespace = |name: &str| format!("http://schemas.microsoft.com/win/2004/08/events/{name}");
            assert_eq!(event.attribute("xmlns"), Some(namespace("event")));
            if let Some(info) = event.find("ExtendedTracingInfo") {
                assert_eq!(info.attribute("xmlns"), Some(namespace("trace")));
            }
        }
    }
    let context = samples()
        .into_iter()
        .find(|path| path.ends_with("context-stacks.etl"))
        .unwrap();
    let root = parse(&run(&["dump", "--format", "xml", "--process-names", "--resolve", &context]));
    check(&root, &context);
    let resolved = |event: &&Node| {
        event
            .find("ExtendedTracingInfo")
            .is_some_and(|info| info.find("winetl:Resolved").is_some())
    };
    assert!(root.children.iter().filter(resolved).count() > 0);
}

/// Names and texts of all values, without what only one of both formats shows.
fn of_json(path: &str, value: &Json, out: &mut Vec<(String, String)>) {
    match value {
        Json::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| of_json(&format!("{path}/{name}"), value, out)),
        Json::Array(values) => values.iter().for_each(|value| of_json(path, value, out)),
        value => push(path, &plain(value), out),
    }
}

fn of_xml(path: &str, node: &Node, out: &mut Vec<(String, String)>) {
    for child in &node.children {
        let Some(name) = child.attribute("Name") else { continue };
        let path = format!("{path}/{name}");
        if child.name == "Data" {
            push(&path, &child.text, out);
        } else {
            of_xml(&path, child, out);
        }
    }
}

fn push(path: &str, text: &str, out: &mut Vec<(String, String)>) {
    // GUIDs have braces there, and digits of the sixteen are in upper case.
    let text = text.trim_start_matches('{').trim_end_matches('}').to_lowercase();
    if !text.is_empty() {
        out.push((path.to_owned(), text));
    }
}

#[test]
fn values_are_those_of_json_lines() {
    let (mut values, mut kinds) = (0, [0; 3]);
    for path in samples() {
        let root = parse(&dump("xml", &path));
        for (node, event) in root.children.iter().zip(events(&path)) {
            let system = node.child("System");
            for (element, key) in [
                ("Version", "version"),
                ("Level", "level"),
                ("Task", "task"),
                ("Opcode", "opcode"),
            ] {
                let expected = event[key].as_u64().unwrap_or(0).to_string();
                assert_eq!(system.child(element).text, expected, "{path}: {element}");
            }
            let keywords = event["keyword"].as_str().unwrap_or("0x0");
            assert_eq!(system.child("Keywords").text.to_lowercase(), keywords, "{path}");
            let execution = system.child("Execution");
            for (attribute, key) in [("ProcessID", "pid"), ("ThreadID", "tid")] {
                let expected = event[key].as_u64().unwrap_or(u32::MAX.into()).to_string();
                assert_eq!(execution.attribute(attribute), Some(expected), "{path}: {attribute}");
            }
            assert_eq!(execution.attribute("ProcessorID").unwrap_or_default(), plain(&event["cpu"]));
            let guid = system.child("Provider").attribute("Guid").unwrap_or_default();
            assert_eq!(guid.trim_matches(['{', '}']), plain(&event["provider_id"]), "{path}");
            let rest = plain(&event["payload"]).to_uppercase();
            if let Some(data) = node.find("EventData") {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                of_xml("", data, &mut found);
                of_json("", &event["fields"], &mut expected);
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{path}: event {}", event["n"]);
                assert_eq!(data.find("Binary").map(|node| node.text.clone()).unwrap_or_default(), rest);
                values += found.len();
                kinds[0] += 1;
            } else if let Some(data) = node.find("BinaryEventData") {
                assert_eq!(event["undecoded"], "no schema", "{path}");
                assert_eq!(data.text, rest, "{path}");
                kinds[1] += 1;
            } else {
                let data = node.child("ProcessingErrorData");
                assert_eq!(event["undecoded"], "payload shorter than its layout", "{path}");
                assert!(data.child("EventPayload").text.ends_with(&rest), "{path}");
                let item = &data.child("DataItemName").text;
                assert!(
                    !item.is_empty() && event["fields"].get(item).is_none_or(Json::is_null),
                    "{path}: {item}"
                );
                kinds[2] += 1;
            }
        }
    }
    assert!(values > 2_000 && kinds.iter().all(|count| *count > 0), "{values} {kinds:?}");
}
