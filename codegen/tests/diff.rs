//! Differences between schemas: each kind of change in a small schema, and the laws that hold for all of them.

use std::path::Path;

use winetl_codegen::diff::{Change, Class, Kind, diff};
use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Schema, SourceSet, compile, has_errors};

/// A schema with a bit of everything; each test changes a place of it.
const BASE: &str = r#"title: Queue
sources:
  - {id: study, kind: observed, title: "Real traces"}
  - {id: page, kind: documented, title: "A page", url: "https://example.org/page"}
structures:
  - name: QUEUE
    min_size: {32: 0x14, 64: 0x18}
    since: "6.0"
    doc: Begins a queue.
    sources: [study]
    fields:
      - name: Version
        offset: 0x00
        type: u16
        doc: "Layout and flags."
        bits:
          - {name: Layout, bits: 0-7, doc: "Number of the layout."}
      - {name: Kind, offset: 0x02, type: KIND, doc: "What waits."}
      - {name: Flags, offset: 0x03, type: QUEUE_FLAG, doc: "How it waits."}
      - {name: Count, offset: 0x04, type: u32, unit: entries, expect: 1, doc: "Number of entries."}
      - {name: Both, offset: 0x00, type: u32, overlay: true, doc: "The first three as one number."}
      - {name: First, offset: 0x08, type: ENTRY, doc: "The entry that is always there."}
      - {name: Id, offset: 0x0C, type: u32, role: thread_id, doc: "Who made it."}
      - {name: Address, offset: 0x10, type: ptr, doc: "Where it is."}
      - {name: Entries, offset: {32: 0x14, 64: 0x18}, type: ENTRY, count: "Count - 1", doc: "More entries."}
      - {name: Name, type: ansiz, doc: "Name of the queue."}
      - {name: Title, type: utf16z, doc: "Title of the queue."}
      - {name: Extra, type: u32, if: "Flags & QUEUE_FLAG_NAMED", doc: "There with the flag only."}
      - {name: Data, type: bytes, size: rest, hidden: true, doc: "Whatever follows."}
    derived:
      - {name: IsLong, type: u8, value: "Count > 100", doc: "1 if it is long."}
  - name: ENTRY
    size: 0x04
    doc: One entry.
    sources: [study]
    fields:
      - {name: Owner, offset: 0x00, type: u16, doc: "Who waits."}
      - {name: Order, offset: 0x02, type: u16, doc: "Where it waits."}
    vectors:
      - {doc: "made by hand", bytes: "07 00 01 00", expect: {Owner: 7}}
  - name: OTHER
    size: 0x02
    doc: Another thing.
    sources: [study]
    fields:
      - {name: Number, offset: 0x00, type: u16, doc: "A number."}
enums:
  - name: KIND
    type: u8
    doc: Kinds of queues.
    sources: [study]
    values:
      - {value: 1, name: KIND_TASK, label: Task, doc: "Tasks."}
      - {value: 2, name: KIND_JOB}
flags:
  - name: QUEUE_FLAG
    type: u8
    doc: Flags of queues.
    sources: [study]
    bits:
      - {value: 0x01, name: QUEUE_FLAG_NAMED, doc: "It has a name."}
    groups:
      - {value: 0x0E, name: QUEUE_FLAG_MASK}
dispatch:
  - name: THING
    doc: Things by kind.
    sources: [study]
    type: {type: KIND}
    cases:
      - {value: 1, name: THING_QUEUE, when: "PointerSize == 8", structure: QUEUE, pointers: 64}
      - {value: 1, name: THING_QUEUE, structure: QUEUE}
      - {value: 2, name: THING_ENTRY, structure: ENTRY}
event_classes:
  - name: Job
    group: 0x07
    class_id: "00112233-4455-6677-8899-aabbccddeeff"
    doc: Jobs begin and end.
    sources: [study]
    layouts:
      - name: Job_V1
        fields:
          - {name: Size, type: u32, unit: bytes, doc: "Bytes of the name."}
          - {name: Name, type: ansi, size: Size}
          - {name: Kind, type: KIND}
      - name: Job_V2
        extends: Job_V1
        fields:
          - {name: Time, type: u64, format: clock}
          - {name: Mask, type: u32}
    events:
      - {name: Start, type: 0x01, versions: [{version: 1, layout: Job_V1, verified: 3}, {version: 2, layout: Job_V2}]}
      - {name: Pause, type: 0x02}
"#;

fn compiled(text: &str) -> Schema {
    let sources = SourceSet::from_texts("schema", [("queue.yaml", text)]);
    let (schema, problems) = compile(&sources);
    assert!(!has_errors(&problems), "{}", render_all(&sources, &problems, Style::Plain));
    schema
}

fn edited(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "nothing to change: {from}");
        text.replace(from, to)
    })
}

/// A change as one line.
fn line(change: &Change) -> String {
    let name = |names: &winetl_codegen::diff::Names| match names.former() {
        Some(former) => format!("{former}=>{}", names.shown()),
        None => names.shown().to_owned(),
    };
    let part = change
        .part
        .as_ref()
        .map(|part| format!(".{}", name(part)))
        .unwrap_or_default();
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    format!(
        "{} {} {}{part} {}: {} -> {}",
        change.class.word(),
        change.action.word(),
        name(&change.item),
        change.what,
        side(&change.before),
        side(&change.after)
    )
}

/// Compares in both directions, which must say the same.
fn both_ways(old: &Schema, new: &Schema) -> Vec<String> {
    let changes = diff(old, new);
    let mut mirrored: Vec<Change> = diff(new, old).into_iter().map(Change::mirrored).collect();
    let mut sorted = changes.clone();
    mirrored.sort();
    sorted.sort();
    assert_eq!(sorted, mirrored, "the other direction says something else");
    assert!(changes.is_sorted_by_key(|change| std::cmp::Reverse(change.class)));
    assert!(diff(new, new).is_empty(), "a schema differs from itself");
    changes.iter().map(line).collect()
}

fn check(edits: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(both_ways(&compiled(BASE), &compiled(&edited(edits))), expected);
}

#[test]
fn no_change() {
    check(&[], &[]);
    // What no reader of bytes or docs can notice: another order of structures, blanks, other spellings.
    check(
        &[
            ("title: Queue\n", "# A comment\ntitle: \"Queue\"\n"),
            ("offset: 0x0C", "offset: 12"),
        ],
        &[],
    );
    check(&[("\"Count > 100\"", "\"(Count) > 0x64\"")], &[]);
}

#[test]
fn fields_that_moved() {
    check(
        &[
            ("{name: Owner, offset: 0x00,", "{name: Owner, offset: 0x02,"),
            (
                "      - {name: Order, offset: 0x02, type: u16, doc: \"Where it waits.\"}\n",
                "",
            ),
            (
                "      - {name: Owner, ",
                "      - {name: Order, offset: 0x00, type: u16, doc: \"Where it waits.\"}\n      - {name: Owner, ",
            ),
            ("bytes: \"07 00 01 00\"", "bytes: \"01 00 07 00\""),
        ],
        &[
            "layout changed ENTRY.Order offset: 0x02 -> 0x00",
            "layout changed ENTRY.Owner offset: 0x00 -> 0x02",
            "docs changed ENTRY test vectors: made by hand (64-bit, log version 0x0105: 07000100) -> made by hand (64-bit, log version 0x0105: 01000700)",
        ],
    );
}

#[test]
fn sizes_and_types() {
    check(
        &[
            ("size: 0x02\n    doc: Another", "size: 0x04\n    doc: Another"),
            (
                "{name: Number, offset: 0x00, type: u16",
                "{name: Number, offset: 0x00, type: i32",
            ),
        ],
        &[
            "layout changed OTHER size: 0x02 -> 0x04",
            "layout changed OTHER.Number type: u16 -> i32",
            "layout changed OTHER.Number size: 0x02 -> 0x04",
        ],
    );
    // A table over the same integer: the bytes are read as before, and shown with names.
    check(
        &[("{name: Kind, offset: 0x02, type: KIND", "{name: Kind, offset: 0x02, type: u8")],
        &["naming changed QUEUE.Kind type: KIND -> u8"],
    );
    check(
        &[("{name: Kind, type: KIND}", "{name: Kind, type: u16}")],
        &[
            "layout changed Job_V1.Kind type: KIND -> u16",
            "layout changed Job_V2.Kind type: KIND -> u16",
        ],
    );
}

#[test]
fn counts_conditions_and_order() {
    check(
        &[("count: \"Count - 1\"", "count: Count")],
        &["layout changed QUEUE.Entries count: Count - 1 -> Count"],
    );
    check(
        &[("if: \"Flags & QUEUE_FLAG_NAMED\"", "if: \"Flags & 2\"")],
        &["layout changed QUEUE.Extra condition: Flags & 1 -> Flags & 2"],
    );
    check(
        &[
            ("{name: Name, type: ansiz, doc: \"Name of the queue.\"}", "@"),
            (
                "{name: Title, type: utf16z, doc: \"Title of the queue.\"}",
                "{name: Name, type: ansiz, doc: \"Name of the queue.\"}",
            ),
            ("@", "{name: Title, type: utf16z, doc: \"Title of the queue.\"}"),
        ],
        &["layout changed QUEUE order: Name, Title -> Title, Name"],
    );
    check(
        &[("bits: 0-7", "bits: 0-6"), ("\"Count > 100\"", "\"Count > 10\"")],
        &[
            "layout changed QUEUE.Layout value: bits 0-7 of Version -> bits 0-6 of Version",
            "layout changed QUEUE.IsLong value: Count > 0x64 -> Count > 0xa",
        ],
    );
}

#[test]
fn added_and_removed_fields() {
    check(
        &[("      - {name: Title, type: utf16z, doc: \"Title of the queue.\"}\n", "")],
        &["layout removed QUEUE.Title field: utf16z -> -"],
    );
    check(
        &[(
            "          - {name: Time, type",
            "          - {name: State, type: u16, count: 2, align: 4}\n          - {name: Time, type",
        )],
        &["layout added Job_V2.State field: - -> u16[2], aligned to 4"],
    );
}

#[test]
fn renamed_fields() {
    // The expressions that use the field say the same as before.
    check(
        &[
            ("name: Count,", "name: Number_Of,"),
            ("Count - 1", "Number_Of - 1"),
            ("Count > 100", "Number_Of > 100"),
        ],
        &["naming renamed QUEUE.Count=>Number_Of field: Count -> Number_Of"],
    );
    // Fields without offsets: what is renamed stays behind the same field.
    check(
        &[("{name: Title, type: utf16z,", "{name: Caption, type: utf16z,")],
        &["naming renamed QUEUE.Title=>Caption field: Title -> Caption"],
    );
    check(
        &[
            ("{name: Size, type: u32,", "{name: Length, type: u32,"),
            ("size: Size}", "size: Length}"),
        ],
        &[
            "naming renamed Job_V1.Size=>Length field: Size -> Length",
            "naming renamed Job_V2.Size=>Length field: Size -> Length",
        ],
    );
    // Another name and another type is another field.
    check(
        &[("{name: Mask, type: u32}", "{name: Flags, type: u64}")],
        &[
            "layout removed Job_V2.Mask field: u32 -> -",
            "layout added Job_V2.Flags field: - -> u64",
        ],
    );
    // Two fields that swap their names moved, as far as names say.
    check(
        &[
            ("name: Owner, offset", "name: @, offset"),
            ("name: Order, offset", "name: Owner, offset"),
            ("name: @, offset", "name: Order, offset"),
            ("{Owner: 7}", "{Order: 7}"),
        ],
        &[
            "layout changed ENTRY.Order offset: 0x02 -> 0x00",
            "layout changed ENTRY.Owner offset: 0x00 -> 0x02",
            "docs changed ENTRY.Order doc: Where it waits. -> Who waits.",
            "docs changed ENTRY.Owner doc: Who waits. -> Where it waits.",
        ],
    );
}

#[test]
fn renamed_items() {
    check(
        &[
            ("name: ENTRY\n", "name: QUEUE_ENTRY\n"),
            ("type: ENTRY,", "type: QUEUE_ENTRY,"),
            ("structure: ENTRY}", "structure: QUEUE_ENTRY}"),
        ],
        &["naming renamed ENTRY=>QUEUE_ENTRY structure: ENTRY -> QUEUE_ENTRY"],
    );
    // A structure that holds a renamed one, and is renamed too.
    check(
        &[
            ("name: ENTRY\n", "name: ITEM\n"),
            ("type: ENTRY,", "type: ITEM,"),
            ("structure: ENTRY}", "structure: ITEM}"),
            ("name: QUEUE\n", "name: LINE\n"),
            ("structure: QUEUE", "structure: LINE"),
        ],
        &[
            "naming renamed ENTRY=>ITEM structure: ENTRY -> ITEM",
            "naming renamed QUEUE=>LINE structure: QUEUE -> LINE",
        ],
    );
    // Renamed and changed: most of it is still there.
    check(
        &[
            ("name: QUEUE\n", "name: LINE\n"),
            ("structure: QUEUE", "structure: LINE"),
            ("{name: Title, type: utf16z,", "{name: Title, type: ansiz,"),
        ],
        &[
            "layout changed QUEUE=>LINE.Title type: utf16z -> ansiz",
            "naming renamed QUEUE=>LINE structure: QUEUE -> LINE",
        ],
    );
    check(
        &[("name: KIND\n", "name: QUEUE_KIND\n"), ("type: KIND", "type: QUEUE_KIND")],
        &["naming renamed KIND=>QUEUE_KIND table: KIND -> QUEUE_KIND"],
    );
    check(
        &[
            ("name: Job\n", "name: Task\n"),
            ("name: Job_V1", "name: Task_V1"),
            ("layout: Job_V1", "layout: Task_V1"),
            ("extends: Job_V1", "extends: Task_V1"),
        ],
        &[
            "naming renamed Job=>Task event class: Job -> Task",
            "naming renamed Job/Pause=>Task/Pause event: Job/Pause -> Task/Pause",
            "naming renamed Job/Start=>Task/Start event: Job/Start -> Task/Start",
            "naming renamed Job_V1=>Task_V1 payload layout: Job_V1 -> Task_V1",
        ],
    );
}

#[test]
fn removed_items() {
    let from = BASE.find("  - name: OTHER").unwrap();
    let to = BASE.find("enums:").unwrap();
    let without = format!("{}{}", &BASE[..from], &BASE[to..]);
    assert_eq!(
        both_ways(&compiled(BASE), &compiled(&without)),
        ["layout removed OTHER structure: 0x02 bytes, 1 field -> -"]
    );
    // The events of a class go with it; its payload layouts have names of their own.
    let without = &BASE[..BASE.find("event_classes:").unwrap()];
    assert_eq!(
        both_ways(&compiled(BASE), &compiled(without)),
        [
            "layout removed Job event class: 00112233-4455-6677-8899-aabbccddeeff, 2 events -> -",
            "layout removed Job_V1 payload layout: 3 fields -> -",
            "layout removed Job_V2 payload layout: 5 fields -> -",
        ]
    );
    let changes = both_ways(&Schema::default(), &compiled(BASE));
    let added = |kind: &str| {
        changes
            .iter()
            .filter(|line| line.contains(&format!(" {kind}: - -> ")))
            .count()
    };
    assert_eq!(
        (added("structure"), added("table"), added("dispatch"), added("file")),
        (3, 2, 1, 1)
    );
    assert_eq!(changes.len(), 10, "{changes:#?}");
}

#[test]
fn tables() {
    check(
        &[("    groups:", "      - {value: 0x10, name: QUEUE_FLAG_LAST}\n    groups:")],
        &["naming added QUEUE_FLAG.QUEUE_FLAG_LAST flag: - -> 0x10"],
    );
    check(
        &[("name: KIND_JOB}", "name: KIND_WORK}")],
        &["naming renamed KIND.KIND_JOB=>KIND_WORK value: KIND_JOB -> KIND_WORK"],
    );
    check(
        &[("{value: 2, name: KIND_JOB}", "{value: 3, name: KIND_JOB}")],
        &["naming changed KIND.KIND_JOB value: 0x2 -> 0x3"],
    );
    check(
        &[(
            "label: Task, doc: \"Tasks.\"",
            "label: Chore, doc: \"Chores.\", since: \"6.1\"",
        )],
        &[
            "naming changed KIND.KIND_TASK label: Task -> Chore",
            "docs changed KIND.KIND_TASK doc: Tasks. -> Chores.",
            "docs changed KIND.KIND_TASK since: - -> 6.1",
        ],
    );
    // The value of a flag is part of a condition.
    check(
        &[("{value: 0x01, name: QUEUE_FLAG_NAMED", "{value: 0x10, name: QUEUE_FLAG_NAMED")],
        &[
            "layout changed QUEUE.Extra condition: Flags & 1 -> Flags & 0x10",
            "naming changed QUEUE_FLAG.QUEUE_FLAG_NAMED value: 0x1 -> 0x10",
        ],
    );
    check(
        &[(
            "      - {value: 0x0E, name: QUEUE_FLAG_MASK}",
            "      - {value: 0x0C, name: QUEUE_FLAG_MASK}",
        )],
        &["naming changed QUEUE_FLAG.QUEUE_FLAG_MASK value: 0xe -> 0xc"],
    );
}

#[test]
fn dispatches() {
    check(
        &[("structure: ENTRY}", "structure: OTHER, opaque: true}")],
        &[
            "layout changed THING.THING_ENTRY structure: ENTRY -> OTHER",
            "layout changed THING.THING_ENTRY opaque: - -> yes",
        ],
    );
    check(
        &[("name: THING_ENTRY,", "name: THING_PART,")],
        &["naming renamed THING.THING_ENTRY=>THING_PART case: THING_ENTRY -> THING_PART"],
    );
    check(
        &[("{value: 2, name: THING_ENTRY,", "{value: 3, name: THING_ENTRY,")],
        &["layout changed THING.THING_ENTRY matches: value 0x02 -> value 0x03"],
    );
    check(
        &[("PointerSize == 8", "PointerSize == 4"), ("pointers: 64", "pointers: 32")],
        &[
            "layout changed THING.THING_QUEUE matches: value 0x01, when PointerSize == 8 -> value 0x01, when PointerSize == 4",
            "layout changed THING.THING_QUEUE pointers: 64-bit -> 32-bit",
        ],
    );
    check(
        &[(
            "      - {value: 2, name: THING_ENTRY",
            "      - {value: 7, name: THING_END, end: true}\n      - {value: 2, name: THING_ENTRY",
        )],
        &["layout added THING.THING_END case: - -> value 0x07: end"],
    );
    check(
        &[("type: {type: KIND}", "type: {type: u16}")],
        &["layout changed THING type: u8 from outside -> u16 from outside"],
    );
}

#[test]
fn events() {
    check(
        &[(
            "{version: 2, layout: Job_V2}",
            "{version: 2, layout: Job_V1}, {version: 3, layout: Job_V2}",
        )],
        &[
            "layout changed Job/Start.v2 payload: Job_V2 -> Job_V1",
            "layout added Job/Start.v3 version: - -> Job_V2",
        ],
    );
    check(
        &[("verified: 3", "verified: 4, pointers: 64")],
        &[
            "layout removed Job/Start.v1 version: Job_V1 -> -",
            "layout added Job/Start.v1 (64-bit) version: - -> Job_V1",
        ],
    );
    check(
        &[(
            "{name: Pause, type: 0x02}",
            "{name: Hold, type: 0x02, doc: \"It waits.\"}\n      - {name: Go, type: 0x03}",
        )],
        &[
            "naming added Job/Go event: - -> hook id 0x0703, only the name is known",
            "naming renamed Job/Pause=>Job/Hold event: Job/Pause -> Job/Hold",
            "docs changed Job/Pause=>Job/Hold doc: - -> It waits.",
        ],
    );
    check(
        &[("group: 0x07", "group: 0x08")],
        &[
            "layout changed Job group: 0x07 -> 0x08",
            "layout changed Job/Pause hook id: 0x0702 -> 0x0802",
            "layout changed Job/Start hook id: 0x0701 -> 0x0801",
        ],
    );
    check(
        &[
            ("format: clock}", "format: hex, optional: true}"),
            ("{name: Mask, type: u32}", "{name: Mask, type: u32, optional: true}"),
        ],
        &[
            "layout changed Job_V2.Time optional: - -> yes",
            "layout changed Job_V2.Mask optional: - -> yes",
            "naming changed Job_V2.Time format: clock -> hex",
        ],
    );
}

#[test]
fn names_and_values_of_fields() {
    check(
        &[
            ("unit: entries, expect: 1,", "expect: 2, format: hex,"),
            ("role: thread_id", "role: process_id"),
            ("hidden: true, ", ""),
        ],
        &[
            "naming changed QUEUE.Count expected value: 0x1 -> 0x2",
            "naming changed QUEUE.Count unit: entries -> -",
            "naming changed QUEUE.Count format: - -> hex",
            "naming changed QUEUE.Id role: thread_id -> process_id",
            "naming changed QUEUE.Data hidden: yes -> -",
        ],
    );
}

/// Providers and marks, behind the other sections.
const MARKS: &str = r#"providers:
  - {id: "11112222-3333-4444-5555-666677778888", name: Queue-Provider, doc: "Tells of queues.", sources: [study]}
carried_events:
  - {provider_id: "11112222-3333-4444-5555-666677778888", id: 7, doc: "A job begins.", sources: [study], defines: process, lifetime: starts, fields: [{name: Number, refers: process}]}
"#;

fn check_marks(edits: &[(&str, &str)], expected: &[&str]) {
    let old = format!("{BASE}{MARKS}");
    let new = edits.iter().fold(old.clone(), |text, (from, to)| {
        assert!(text.contains(from), "nothing to change: {from}");
        text.replace(from, to)
    });
    assert_eq!(both_ways(&compiled(&old), &compiled(&new)), expected);
}

#[test]
fn providers_and_carried_events() {
    check_marks(&[], &[]);
    check_marks(
        &[("name: Queue-Provider,", "name: Queues, kernel: true,")],
        &[
            "naming renamed Queue-Provider=>Queues provider: Queue-Provider -> Queues",
            "naming changed Queue-Provider=>Queues kernel: - -> yes",
        ],
    );
    check_marks(
        &[
            ("lifetime: starts", "lifetime: ends"),
            ("\"A job begins.\"", "\"A job ends.\""),
        ],
        &[
            "naming changed 11112222-3333-4444-5555-666677778888/7 lifetime: starts -> ends",
            "docs changed 11112222-3333-4444-5555-666677778888/7 doc: A job begins. -> A job ends.",
        ],
    );
    check_marks(
        &[("name: Number, refers: process}]", "name: Id, refers: process}]")],
        &[
            "naming removed 11112222-3333-4444-5555-666677778888/7.Number marked field: process -> -",
            "naming added 11112222-3333-4444-5555-666677778888/7.Id marked field: - -> process",
        ],
    );
    assert_eq!(
        both_ways(&compiled(&format!("{BASE}{MARKS}")), &compiled(BASE)),
        [
            "naming removed Queue-Provider provider: 11112222-3333-4444-5555-666677778888 -> -",
            "naming removed 11112222-3333-4444-5555-666677778888/7 carried event: 1 marked field -> -",
        ]
    );
}

#[test]
fn marks_masks_and_joined_dispatches() {
    check(
        &[
            ("{name: Mask, type: u32}", "{name: Mask, type: u32, refers: process}"),
            ("{name: Start, type: 0x01,", "{name: Start, type: 0x01, typed: true,"),
        ],
        &[
            "naming changed Job/Start typed: - -> yes",
            "naming changed Job_V2.Mask refers: - -> process",
        ],
    );
    check(
        &[("type: {type: KIND}", "type: {type: KIND, mask: 0x03}")],
        &["layout changed THING type: u8 from outside -> u8 & 0x03 from outside"],
    );
}

#[test]
fn documentation() {
    check(
        &[
            ("title: Queue\n", "title: Queues\n"),
            ("since: \"6.0\"", "since: \"6.1\""),
            (
                "doc: Begins a queue.\n    sources: [study]",
                "doc: Begins each queue.\n    sources: [study, page]",
            ),
            (
                "doc: Jobs begin and end.\n    sources: [study]",
                "doc: Jobs begin and end.\n    sources: [page]",
            ),
            ("doc: \"made by hand\"", "doc: \"made by me\""),
            ("doc: \"Who made it.\"", "doc: \"Maker.\""),
            ("verified: 3", "verified: 30"),
        ],
        &[
            "docs changed ENTRY test vectors: made by hand (64-bit, log version 0x0105: 07000100) -> made by me (64-bit, log version 0x0105: 07000100)",
            "docs changed QUEUE since: 6.0 -> 6.1",
            "docs changed QUEUE doc: Begins a queue. -> Begins each queue.",
            "docs changed QUEUE sources: - -> A page <https://example.org/page> (documented)",
            "docs changed QUEUE.Id doc: Who made it. -> Maker.",
            "docs changed Job sources: Real traces (observed) -> A page <https://example.org/page> (documented)",
            "docs changed Job/Start.v1 verified: 3 -> 30",
            "docs changed queue.yaml title: Queue -> Queues",
        ],
    );
}

#[test]
fn the_shipped_schema_against_edited_copies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let shipped = SourceSet::read(&folder).unwrap();
    let (old, problems) = compile(&shipped);
    assert!(!has_errors(&problems));
    assert_eq!(diff(&old, &old), []);
    // Leaving out a file that others do not use takes away what it has, and nothing else.
    let mut files = 0;
    for left_out in &shipped.files {
        let rest = shipped.files.iter().filter(|file| file.name != left_out.name);
        let (new, problems) = compile(&SourceSet::from_texts(
            "schema",
            rest.map(|file| (file.name.as_str(), file.text.as_str())),
        ));
        if has_errors(&problems) {
            continue;
        }
        files += 1;
        both_ways(&old, &new);
        let index = old.files.iter().position(|file| file.name == left_out.name).unwrap();
        let structures = old
            .structures
            .iter()
            .filter(|item| item.place.file == index)
            .map(|item| &item.name);
        let tables = old
            .tables
            .iter()
            .filter(|item| item.place.file == index)
            .map(|item| &item.name);
        let dispatches = old
            .dispatches
            .iter()
            .filter(|item| item.place.file == index)
            .map(|item| &item.name);
        let classes = old
            .classes
            .iter()
            .filter(|item| item.place.file == index)
            .map(|item| &item.name);
        let layouts = old
            .layouts
            .iter()
            .filter(|item| item.place.file == index)
            .map(|item| &item.name);
        let providers = old
            .providers
            .iter()
            .filter(|item| item.place.file == index)
            .map(|item| &item.name);
        let carried = old.carried.iter().filter(|item| item.place.file == index).count();
        let mut expected: Vec<&str> = structures
            .chain(tables)
            .chain(dispatches)
            .chain(classes)
            .chain(layouts)
            .chain(providers)
            .map(String::as_str)
            .chain([left_out.name.as_str()])
            .collect();
        let changes = diff(&old, &new);
        // Carried events have no names of their own, so they are counted.
        let (marks, named): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(|change| change.kind == Kind::CarriedEvent);
        assert_eq!(marks.len(), carried, "without {}", left_out.name);
        let mut found: Vec<&str> = named.iter().map(|change| change.item.shown()).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "without {}", left_out.name);
    }
    assert!(files > 20, "only {files} files can be left out");
}

#[test]
fn events_of_providers() {
    const PROVIDERS: &str = r#"providers:
  - id: "10112233-4455-6677-8899-aabbccddeeff"
    name: Made-Queue
    doc: Queues.
    sources: [study]
    layouts:
      - {name: Opened_V0, fields: [{name: Handle, type: u32}]}
    events:
      - {id: 1, name: Opened, versions: [{version: 0, layout: Opened_V0}]}
      - {id: 2, name: Closed}
"#;
    let base = format!("{BASE}{PROVIDERS}");
    let check = |edits: &[(&str, &str)], expected: &[&str]| {
        let edited = edits.iter().fold(base.clone(), |text, (from, to)| {
            assert!(text.contains(from), "nothing to change: {from}");
            text.replace(from, to)
        });
        assert_eq!(both_ways(&compiled(&base), &compiled(&edited)), expected);
    };
    check(
        &[("name: Closed}", "name: Shut}")],
        &["naming renamed Made-Queue/Closed=>Made-Queue/Shut event: Made-Queue/Closed -> Made-Queue/Shut"],
    );
    check(
        &[("{id: 2, name: Closed}", "{id: 3, name: Closed}")],
        &["layout changed Made-Queue/Closed id: 2 -> 3"],
    );
    check(
        &[("name: Closed}", "name: Closed, versions: [{version: 0, layout: Opened_V0}]}")],
        &["layout added Made-Queue/Closed.v0 version: - -> Opened_V0"],
    );
    check(
        &[(PROVIDERS, "")],
        &[
            "layout removed Opened_V0 payload layout: 1 field -> -",
            "layout removed Made-Queue provider: 10112233-4455-6677-8899-aabbccddeeff, 2 events -> -",
        ],
    );
}

#[test]
fn classes_are_ordered() {
    assert!(Class::Layout > Class::Naming && Class::Naming > Class::Docs);
    assert!(Class::ALL.is_sorted_by(|a, b| a > b));
}
