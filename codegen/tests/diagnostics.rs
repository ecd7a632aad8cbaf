//! One test or more for each diagnostic: a small schema with one mistake raises that number and nothing else, and the text
//! that people see is kept as a snapshot.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;

use winetl_codegen::codes::Code;
use winetl_codegen::render::{Style, render_all};
use winetl_codegen::{Diagnostic, SourceSet, compile};

/// A valid schema with a bit of everything; each test changes one place of it.
const VALID: &str = r#"title: Queue
sources:
  - {id: study, kind: observed, title: "Real traces"}
structures:
  - name: QUEUE_HEADER
    min_size: 0x14
    doc: Begins a queue.
    sources: [study]
    fields:
      - {name: Length, offset: 0x00, type: u16, unit: bytes, role: event_size, doc: "Bytes of the whole."}
      - name: Version
        offset: 0x02
        type: u16
        doc: "Layout and flags."
        bits:
          - {name: Layout, bits: 0-7, doc: "Number of the layout."}
          - {name: IsLast, bits: 15, doc: "1 for the last."}
      - {name: LowVersion, offset: 0x02, type: u16, overlay: true, doc: "Both bytes again."}
      - {name: Kind, offset: 0x04, type: QUEUE_KIND, doc: "What waits."}
      - {name: Flags, offset: 0x05, type: QUEUE_FLAG, doc: "How it waits."}
      - {name: Count, offset: 0x06, type: u16, expect: 1, doc: "Number of entries."}
      - {name: First, offset: 0x08, type: QUEUE_ENTRY, doc: "The entry that is always there."}
      - {name: Time, offset: 0x0C, type: i64, doc: "When it began."}
      - {name: Entries, offset: 0x14, type: QUEUE_ENTRY, count: "Count - 1", doc: "More entries."}
      - {name: Name, type: ansi, size: "Flags & QUEUE_FLAG_NAMED ? 4 : 0", doc: "Name of the queue."}
      - {name: Data, type: bytes, size: rest, doc: "Whatever follows."}
    derived:
      - {name: IsNamed, type: u8, value: "(Flags & QUEUE_FLAG_NAMED) != 0", doc: "1 if it has a name."}
    vectors:
      - doc: "made by hand"
        bytes: "14 00 03 80 01 00 01 00 07 00 00 00 09 00 00 00 00 00 00 00"
        expect: {Length: 20, Layout: 3, IsLast: 1, Kind: QueueKindTask, First.Owner: 7, Time: 9}
  - name: QUEUE_ENTRY
    size: 0x04
    until: "6.2"
    doc: One entry.
    sources: [study]
    fields:
      - {name: Owner, offset: 0x00, type: u32, doc: "Who waits."}
    vectors:
      - {doc: "made by hand", bytes: "07 00 00 00", expect: {Owner: 7}}
  - name: QUEUE_ENTRY_WIDE
    size: 0x08
    since: "6.2"
    variant_of: QUEUE_ENTRY
    doc: One entry of newer queues.
    sources: [study]
    fields:
      - {name: Owner, offset: 0x00, type: u64, doc: "Who waits."}
    vectors:
      - {doc: "made by hand", bytes: "07 00 00 00 00 00 00 00", expect: {Owner: 7}}
flags:
  - name: QUEUE_FLAG
    type: u8
    doc: How a queue waits.
    sources: [study]
    bits:
      - {value: 0x01, name: QUEUE_FLAG_NAMED}
      - {value: 0x02, name: QUEUE_FLAG_URGENT}
enums:
  - name: QUEUE_KIND
    type: u8
    doc: What waits.
    sources: [study]
    values:
      - {value: 0, name: QueueKindNone}
      - {value: 1, name: QueueKindTask}
dispatch:
  - name: QUEUE
    doc: Queues by their kind.
    sources: [study]
    marker: {offset: 5, type: u8}
    type: {offset: 4, type: u8}
    cases:
      - {marker: 0x00, value: 1, name: TASKS, structure: QUEUE_HEADER}
      - {marker: 0x01, name: NAMED, structure: QUEUE_HEADER}
carried_events:
  - {provider_id: "10112233-4466-6677-8899-aabbccddeeff", id: 7, doc: Opened., sources: [study], defines: disk, fields: [{name: Number, refers: disk}]}
event_classes:
  - name: Queue
    class_id: "00112233-4455-6677-8899-aabbccddeeff"
    doc: Queues begin and end.
    sources: [study]
    layouts:
      - name: QUEUE_START
        fields:
          - {name: Entries, type: u32}
          - {name: Names, type: utf16z, count: Entries}
          - {name: File, type: ptr, refers: file}
    events:
      - {name: Start, type: 0x0A, versions: [{version: 1, structure: QUEUE_ENTRY}, {version: 2, layout: QUEUE_START}]}
      - {name: Stop, hook_id: 0x0102, type: 0x0B, sources: [study]}
providers:
  - {id: "a1b2c3d4-e5f6-4718-a9ba-cbdcedfe0f10", name: Made-Queue, doc: "Queues of tasks.", sources: [study]}
  - id: "c1b2c3d4-e5f6-4718-a9ba-cbdcedfe0f10"
    name: Made-Events
    doc: Tells of queues.
    sources: [study]
    layouts:
      - {name: MADE_OPENED, fields: [{name: Handle, type: u32}, {name: Title, type: utf16z}]}
    events:
      - id: 1
        name: Opened
        versions: [{version: 0, layout: MADE_OPENED, vectors: [{doc: "by hand", bytes: "07000000 4100 0000", expect: {Handle: 7, Title: A}}]}, {version: 3}]
      - {id: 2, name: Closed, sources: [study]}
  - {id: "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", name: "Made Kernel", kernel: true, doc: "Queues of the kernel.", sources: [study]}
"#;

/// The valid schema with each first text replaced by the second, which must stand at one place only.
fn changed(changes: &[(&str, &str)]) -> SourceSet {
    let mut text = VALID.to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from:?} must stand once in the schema");
        text = text.replace(from, to);
    }
    SourceSet::from_texts("schema", [("queue.yaml", text.as_str())])
}

/// All problems must have the number `code`, whether errors or warnings.
fn check(code: Code, sources: &SourceSet, problems: &[Diagnostic]) -> String {
    let text = render_all(sources, problems, Style::Plain);
    assert!(!problems.is_empty(), "nothing was found");
    for problem in problems {
        assert_eq!(problem.code, code, "\n{text}");
    }
    text
}

macro_rules! raises {
    ($($name:ident: $code:ident, $($from:literal => $to:literal),+;)+) => {
        /// The numbers that have a test in this table.
        const TESTED: &[Code] = &[$(Code::$code),+];

        $(#[test]
        fn $name() {
            let sources = changed(&[$(($from, $to)),+]);
            let (_, problems) = compile(&sources);
            insta::assert_snapshot!(check(Code::$code, &sources, &problems));
        })+
    };
}

raises! {
    e100_unclosed_quote: Syntax, "doc: \"Who waits.\"}\n    vectors:\n      - {doc: \"made by hand\", bytes: \"07 00 00 00\"," => "doc: \"Who waits.}\n    vectors:\n      - {doc: \"made by hand\", bytes: \"07 00 00 00\",";
    e100_end_of_text: Syntax, "doc: \"Queues of the kernel.\", sources: [study]}" => "doc: \"Queues of the kernel.\", sources: [study]";
    e100_tab: Syntax, "    size: 0x04" => "\tsize: 0x04";
    e100_no_blank: Syntax, "doc: Queues by their kind." => "doc:Queues by their kind.";
    e101_unknown_key: UnknownKey, "name: Owner, offset: 0x00, type: u32" => "name: Owner, ofset: 0x00, type: u32";
    e101_unknown_section: UnknownKey, "dispatch:\n" => "dispatches:\n";
    e101_pointer_size: UnknownKey, "size: 0x08\n" => "size: {32: 8, 46: 8}\n";
    e102_missing_key: MissingKey, "{name: Owner, offset: 0x00, type: u32," => "{name: Owner, offset: 0x00,";
    e102_missing_title: MissingKey, "title: Queue\n" => "doc: Queue\n";
    e102_missing_pointer_size: MissingKey, "size: 0x08\n" => "size: {32: 8}\n";
    e103_text_for_number: WrongShape, "size: 0x04" => "size: four";
    e103_unknown_word: WrongShape, "kind: observed" => "kind: guessed";
    e103_list_for_expression: WrongShape, "count: \"Count - 1\"" => "count: [1]";
    e103_map_for_bits: WrongShape, "bits: 0-7" => "bits: {first: 0}";
    e103_float_in_vector: WrongShape, "expect: {Owner: 7}}\n  - name" => "expect: {Owner: 7.5}}\n  - name";
    e103_field_twice_in_vector: WrongShape, "expect: {Owner: 7}}\n  - name" => "expect: {Owner: 7, Owner: 7}}\n  - name";
    e103_key_twice: WrongShape, "doc: Begins a queue." => "doc: Begins a queue.\n    doc: Again.";
    e103_text_for_list: WrongShape, "doc: One entry.\n    sources: [study]" => "doc: One entry.\n    sources: study";
    e103_negative_offset: WrongShape, "name: Owner, offset: 0x00, type: u32" => "name: Owner, offset: -4, type: u32";
    e301_empty: UnknownType, "name: Owner, offset: 0x00, type: u32" => "name: Owner, offset: 0x00, type: ";
    e103_true_for_number: WrongShape, "hook_id: 0x0102" => "hook_id: true";
    e103_number_too_large: WrongShape, "hook_id: 0x0102" => "hook_id: 0x10000";
    e103_text_for_structure: WrongShape, "event_classes:\n" => "event_classes: none\nclasses:\n";
    e103_guid: WrongShape, "00112233-4455" => "00112233-445";
    e103_guid_of_provider: WrongShape, "a1b2c3d4-e5f6" => "a1b2c3d4e5f6";
    e103_sign_in_guid: WrongShape, "a1b2c3d4-e5f6" => "+1b2c3d4-e5f6";
    e103_guid_with_braces: WrongShape, "a1b2c3d4-e5f6-4718-a9ba-cbdcedfe0f10" => "{a1b2c3d4-e5f6-4718-a9ba-cbdcedfe0f10}";
    e201_missing_offset: MissingOffset, "{name: Kind, offset: 0x04," => "{name: Kind,";
    e201_missing_offset_in_block: MissingOffset, "        offset: 0x02\n" => "", "      - {name: LowVersion, offset: 0x02, type: u16, overlay: true, doc: \"Both bytes again.\"}\n" => "";
    e202_needless_offset: NeedlessOffset, "{name: Name, type" => "{name: Name, offset: 0x14, type";
    e203_overlap: Overlap, "{name: Flags, offset: 0x05" => "{name: Flags, offset: 0x04";
    e204_gap: Gap, "{name: Flags, offset: 0x05" => "{name: Flags, offset: 0x06";
    e204_gap_at_start: Gap, "{name: Owner, offset: 0x00, type: u32" => "{name: Owner, offset: 0x02, type: u32";
    e205_size: SizeMismatch, "size: 0x04" => "size: 0x06";
    e205_min_size: SizeMismatch, "min_size: 0x14" => "min_size: 0x10";
    e205_size_by_pointer: SizeMismatch, "{name: Owner, offset: 0x00, type: u64" => "{name: Owner, offset: 0x00, type: ptr";
    e206_no_size: SizeStatement, "    size: 0x04\n" => "";
    e206_min_size_of_fixed: SizeStatement, "size: 0x04" => "min_size: 0x04";
    e206_size_of_varying: SizeStatement, "min_size: 0x14" => "size: 0x14";
    e207_not_whole: Overlay, "{name: LowVersion, offset: 0x02, type: u16" => "{name: LowVersion, offset: 0x02, type: u8";
    e207_not_unsigned: Overlay, "{name: LowVersion, offset: 0x02, type: u16" => "{name: LowVersion, offset: 0x02, type: i16";
    e207_before_the_fields: Overlay, "{name: LowVersion, offset: 0x02" => "{name: LowVersion, offset: 0x04";
    e207_no_offset: Overlay, "{name: LowVersion, offset: 0x02, " => "{name: LowVersion, ";
    e207_guid: Overlay, "{name: LowVersion, offset: 0x02, type: u16" => "{name: LowVersion, offset: 0x02, type: guid";
    e207_array: Overlay, "{name: LowVersion, offset: 0x02, type: u16" => "{name: LowVersion, offset: 0x02, type: u16, count: 1";
    e207_half_a_field: Overlay, "{name: LowVersion, offset: 0x02" => "{name: LowVersion, offset: 0x01";
    e208_outside: BitRange, "bits: 15" => "bits: 16";
    e208_backwards: BitRange, "bits: 0-7" => "bits: 7-0";
    e208_not_numbers: BitRange, "bits: 0-7" => "bits: low";
    e208_overlap: BitRange, "bits: 15" => "bits: 7-15";
    e208_not_an_integer: BitRange, "{name: Time, offset: 0x0C, type: i64," => "{name: Time, offset: 0x0C, type: i64, bits: [{name: Low, bits: 0, doc: \"Low bit.\"}],";
    e209_no_size: Length, "type: bytes, size: rest" => "type: bytes";
    e209_needless_size: Length, "name: Owner, offset: 0x00, type: u32" => "name: Owner, offset: 0x00, type: u32, size: 4";
    e209_count_of_bytes: Length, "type: bytes, size: rest" => "type: bytes, size: 4, count: 2";
    e209_condition: Length, "{name: Name, type: ansi," => "{name: Name, type: ansi, if: \"Count > 1\",";
    e209_too_large: Length, "type: bytes, size: rest" => "type: bytes, size: 0x100000000";
    e209_structure_too_large: Length, "size: 0x04\n" => "size: 0xFFFFFFFF\n", "{name: Owner, offset: 0x00, type: u32, doc: \"Who waits.\"}" => "{name: Owner, offset: 0x00, type: u32, doc: \"Who waits.\"}\n      - {name: More, offset: 0x04, type: u64, count: 0xFFFFFFFF, doc: \"All others.\"}";
    e209_endless: Length, "type: bytes, size: rest" => "type: NOTHING, count: rest", "  - name: QUEUE_ENTRY_WIDE" => "  - {name: NOTHING, size: 0, doc: Nothing., sources: [study], vectors: [{doc: \"made by hand\", bytes: \"\"}]}\n  - name: QUEUE_ENTRY_WIDE";
    e210_after_the_rest: Rest, "doc: \"Whatever follows.\"}" => "doc: \"Whatever follows.\"}\n      - {name: Tail, type: u8, doc: \"The end.\"}";
    e210_two_after_the_rest: Rest, "doc: \"Whatever follows.\"}" => "doc: \"Whatever follows.\"}\n      - {name: Tail, type: u8, doc: \"The end.\"}\n      - {name: End, type: u8, doc: \"The end.\"}";
    e211_itself: Cycle, "{name: Owner, offset: 0x00, type: u32" => "{name: Owner, offset: 0x00, type: QUEUE_ENTRY";
    e211_through_another: Cycle, "{name: Owner, offset: 0x00, type: u64" => "{name: Owner, offset: 0x00, type: QUEUE_HEADER", "{name: First, offset: 0x08, type: QUEUE_ENTRY" => "{name: First, offset: 0x08, type: QUEUE_ENTRY_WIDE";
    e212_too_wide: Expect, "expect: 1, doc" => "expect: 0x10000, doc";
    e212_not_an_integer: Expect, "{name: Time, offset: 0x0C, type: i64," => "{name: Time, offset: 0x0C, type: i64, expect: 1,";
    e301_misspelt: UnknownType, "type: QUEUE_KIND" => "type: QUEUE_KIMD";
    e301_unlike_any: UnknownType, "{name: Owner, offset: 0x00, type: u32" => "{name: Owner, offset: 0x00, type: dword_value_of_the_owner";
    e301_table_of_signed: UnknownType, "    type: u8\n    doc: What waits." => "    type: i8\n    doc: What waits.";
    e301_selector: UnknownType, "type: {offset: 4, type: u8}" => "type: {offset: 4, type: guid}";
    e301_dispatch: UnknownType, "type: QUEUE_KIND" => "type: QUEUE";
    e302_structure: DuplicateName, "  - name: QUEUE_ENTRY_WIDE" => "  - name: QUEUE_ENTRY";
    e302_field: DuplicateName, "{name: Flags, offset: 0x05" => "{name: Kind, offset: 0x05", "derived:\n      - {name: IsNamed, type: u8, value: \"(Flags & QUEUE_FLAG_NAMED) != 0\"" => "derived:\n      - {name: IsNamed, type: u8, value: \"(Kind & QUEUE_FLAG_NAMED) != 0\"", "size: \"Flags & QUEUE_FLAG_NAMED ? 4 : 0\"" => "size: \"Kind & QUEUE_FLAG_NAMED ? 4 : 0\"";
    e302_field_in_rust: DuplicateName, "{name: Count, offset" => "{name: FLAGS, offset", "count: \"Count - 1\"" => "count: \"FLAGS - 1\"";
    e302_bit_range: DuplicateName, "{name: IsLast, bits" => "{name: Length, bits";
    e302_derived: DuplicateName, "{name: IsNamed, type" => "{name: Kind, type";
    e302_bit: DuplicateName, "value: 0x02, name: QUEUE_FLAG_URGENT" => "value: 0x02, name: QueueKindTask";
    e302_value_in_rust: DuplicateName, "{value: 0, name: QueueKindNone}" => "{value: 0, name: QUEUE_KIND_TASK}";
    e302_structure_in_rust: DuplicateName, "  - name: QUEUE_ENTRY_WIDE" => "  - name: QueueEntry";
    e302_source: DuplicateName, "  - {id: study, kind: observed, title: \"Real traces\"}" => "  - {id: study, kind: observed, title: \"Real traces\"}\n  - {id: study, kind: observed, title: \"More traces\"}";
    e302_provider: DuplicateName, "name: \"Made Kernel\"" => "name: Made-Queue";
    e303_provider: DuplicateValue, "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0" => "A1B2C3D4-E5F6-4718-A9BA-CBDCEDFE0F10";
    e303_kernel_provider: DuplicateValue, "name: Made-Queue," => "name: Made-Queue, kernel: true,";
    e311_provider: BadName, "name: \"Made Kernel\"" => "name: \"Made Kernel \"";
    e600_provider: MissingDoc, "doc: \"Queues of tasks.\", sources" => "sources";
    e601_provider: MissingSource, "doc: \"Queues of tasks.\", sources: [study]" => "doc: \"Queues of tasks.\"";
    e602_provider: UnknownSource, "doc: \"Queues of tasks.\", sources: [study]" => "doc: \"Queues of tasks.\", sources: [stduy]";
    e303_value: DuplicateValue, "{value: 0, name: QueueKindNone}" => "{value: 1, name: QueueKindNone}";
    e303_bit: DuplicateValue, "{value: 0x02, name: QUEUE_FLAG_URGENT}" => "{value: 0x01, name: QUEUE_FLAG_URGENT}";
    e303_event_type: DuplicateValue, "hook_id: 0x0102, type: 0x0B" => "type: 0x0A";
    e303_event_version: DuplicateValue, "{version: 2, layout" => "{version: 1, layout";
    e310_layout: UnknownStructure, "layout: QUEUE_START" => "layout: QUEUE_STRAT";
    e209_payload_size: Length, "type: utf16z, count: Entries" => "type: utf16, count: Entries";
    e301_payload_type: UnknownType, "{name: Entries, type: u32}" => "{name: Entries, type: u23}";
    e401_payload_count: UnknownValue, "count: Entries" => "count: Entires";
    e501_two_payloads: BadCase, "layout: QUEUE_START}" => "layout: QUEUE_START, structure: QUEUE_ENTRY}";
    e101_typed_event_of_provider: UnknownKey, "name: Closed, sources" => "name: Closed, typed: true, sources";
    e102_event_of_provider: MissingKey, "{id: 2, name: Closed" => "{name: Closed";
    e103_event_id: WrongShape, "{id: 2, name: Closed" => "{id: 0x10000, name: Closed";
    e302_layout_of_provider: DuplicateName, "{name: MADE_OPENED, fields" => "{name: QUEUE_ENTRY, fields", "layout: MADE_OPENED" => "layout: QUEUE_START", "expect: {Handle: 7, Title: A}" => "expect: {}";
    e303_event_of_provider: DuplicateValue, "{id: 2, name: Closed" => "{id: 1, name: Closed";
    e303_version_of_provider: DuplicateValue, "{version: 3}" => "{version: 0}";
    e307_event_of_provider: RoleMismatch, "name: Closed, sources" => "name: Closed, defines: process, sources";
    e310_layout_of_provider: UnknownStructure, "layout: MADE_OPENED" => "layout: MADE_OPEND";
    e311_event_of_provider: BadName, "name: Closed, sources" => "name: \"Closed \", sources";
    e600_described_provider: MissingDoc, "    doc: Tells of queues.\n" => "";
    e601_described_provider: MissingSource, "    doc: Tells of queues.\n    sources: [study]\n" => "    doc: Tells of queues.\n";
    e602_event_of_provider: UnknownSource, "name: Closed, sources: [study]" => "name: Closed, sources: [stduy]";
    e701_vector_of_provider: VectorDecode, "07000000 4100 0000" => "070000";
    e702_vector_of_provider: VectorValue, "{Handle: 7, Title: A}" => "{Handle: 8, Title: A}";
    e501_typed_without_versions: BadCase, "{name: Stop, hook_id" => "{name: Stop, typed: true, hook_id";
    e302_typed_variant: DuplicateName, "{name: Start, type: 0x0A, " => "{name: Start, type: 0x0A, typed: true, ", "{name: Stop, hook_id: 0x0102, type: 0x0B, sources: [study]}" => "{name: start, hook_id: 0x0102, type: 0x0B, typed: true, versions: [{version: 1, structure: QUEUE_ENTRY}]}";
    e302_typed_payload: DuplicateName, "{name: Start, type: 0x0A, " => "{name: Start, type: 0x0A, typed: true, ", "  - name: QUEUE_KIND\n" => "  - name: QUEUE_START_PAYLOAD\n", "type: QUEUE_KIND" => "type: QUEUE_START_PAYLOAD";
    e302_typed_field: DuplicateName, "{name: Start, type: 0x0A, " => "{name: Start, type: 0x0A, typed: true, ", "{name: File, type: ptr" => "{name: ENTRIES, type: ptr";
    e311_typed_field: BadName, "{name: Start, type: 0x0A, " => "{name: Start, type: 0x0A, typed: true, ", "{name: File, type: ptr" => "{name: \"1st\", type: ptr";
    e303_typed_type: DuplicateValue, "{name: Start, type: 0x0A, " => "{name: Start, type: 0x0A, typed: true, ", "{name: Stop, hook_id: 0x0102, type: 0x0B, sources: [study]}" => "{name: Stop, type: 0x0A, typed: true, versions: [{version: 1, structure: QUEUE_ENTRY}]}";
    e307_typed_mark: RoleMismatch, "{name: Start, type: 0x0A, versions: [{version: 1, structure: QUEUE_ENTRY}, " => "{name: Start, type: 0x0A, typed: true, defines: process, versions: [";
    e501_joins_unknown: BadCase, "  - name: QUEUE\n    doc: Queues by" => "  - name: QUEUE\n    joins: NOWHERE\n    doc: Queues by";
    e501_joins_itself: BadCase, "  - name: QUEUE\n    doc: Queues by" => "  - name: QUEUE\n    joins: QUEUE\n    doc: Queues by";
    e305_mask: TooWide, "marker: {offset: 5, type: u8}" => "marker: {offset: 5, type: u8, mask: 0x1FF}";
    e501_value_outside_mask: BadCase, "type: {offset: 4, type: u8}" => "type: {offset: 4, type: u8, mask: 0x10}";
    e501_marker_outside_dispatch_mask: BadCase, "marker: {offset: 5, type: u8}" => "marker: {offset: 5, type: u8, mask: 0xFE}";
    e304_two_bits: NotABit, "{value: 0x02, name: QUEUE_FLAG_URGENT}" => "{value: 0x06, name: QUEUE_FLAG_URGENT}";
    e304_no_bit: NotABit, "{value: 0x02, name: QUEUE_FLAG_URGENT}" => "{value: 0x00, name: QUEUE_FLAG_URGENT}";
    e305_value: TooWide, "{value: 1, name: QueueKindTask}" => "{value: 0x100, name: QueueKindTask}", "Kind: QueueKindTask" => "Kind: 1";
    e305_marker: TooWide, "{marker: 0x00," => "{marker: 0x100,";
    e306_misspelt: UnknownRole, "role: event_size" => "role: event_sise", "    cases:\n      - {marker: 0x00, value: 1, name: TASKS, structure: QUEUE_HEADER}\n      - {marker: 0x01, name: NAMED, structure: QUEUE_HEADER}\n" => "    cases: []\n";
    e307_type: RoleMismatch, "{name: Time, offset: 0x0C, type: i64," => "{name: Time, offset: 0x0C, type: i64, role: thread_id,";
    e307_twice: RoleMismatch, "{name: Kind, offset: 0x04, type: QUEUE_KIND," => "{name: Kind, offset: 0x04, type: QUEUE_KIND, role: event_size,";
    e307_nested: RoleMismatch, "{name: Owner, offset: 0x00, type: u32," => "{name: Owner, offset: 0x00, type: u32, role: event_size,";
    e307_two_kinds: RoleMismatch, "{name: Kind, offset: 0x04, type: QUEUE_KIND," => "{name: Kind, offset: 0x04, type: QUEUE_KIND, role: item_type,";
    e307_mark_type: RoleMismatch, "{name: Entries, type: u32}" => "{name: Entries, type: u32, refers: name}";
    e307_mark_array: RoleMismatch, "count: Entries}" => "count: Entries, refers: name}";
    e303_carried: DuplicateValue, "carried_events:\n" => "carried_events:\n  - {provider_id: \"10112233-4466-6677-8899-aabbccddeeff\", id: 7, doc: Opened., sources: [study]}\n";
    e307_carried: RoleMismatch, "{name: Number, refers: disk}" => "{name: Number, refers: code}";
    e307_lifetime: RoleMismatch, "{name: Stop, hook_id" => "{name: Stop, lifetime: ends, hook_id";
    e307_not_defined: RoleMismatch, "{name: Stop, hook_id" => "{name: Stop, defines: code, hook_id";
    e307_nothing_said: RoleMismatch, "versions: [{version: 1, structure: QUEUE_ENTRY}, {version: 2, layout: QUEUE_START}]" => "defines: thread, versions: [{version: 2, layout: QUEUE_START}]";
    e103_mark: WrongShape, "refers: file" => "refers: fiel";
    e308_words: WindowsVersion, "since: \"6.2\"" => "since: \"Windows 8\"";
    e308_one_number: WindowsVersion, "since: \"6.2\"" => "since: \"10\"";
    e308_bit: WindowsVersion, "{value: 0x02, name: QUEUE_FLAG_URGENT}" => "{value: 0x02, name: QUEUE_FLAG_URGENT, since: \"later\"}";
    e309_overlap: VariantOverlap, "since: \"6.2\"" => "since: \"6.1\"";
    e309_event: VariantOverlap, "versions: [{version: 1, structure: QUEUE_ENTRY}, {version: 2, layout: QUEUE_START}]" => "versions: [{version: 1, until: \"6.2\", structure: QUEUE_ENTRY}, {version: 2, since: \"6.1\", layout: QUEUE_START}]";
    e308_event: WindowsVersion, "{version: 1, structure: QUEUE_ENTRY}" => "{version: 1, since: \"8\", structure: QUEUE_ENTRY}";
    e309_field: VariantOverlap, "{name: LowVersion, offset: 0x02, type: u16, overlay: true, doc: \"Both bytes again.\"}" => "{name: LowVersion, offset: 0x02, type: u16, overlay: true, until: \"6.3\", doc: \"Both bytes again.\"}\n      - {name: HighVersion, offset: 0x02, type: u16, overlay: true, since: \"6.2\", doc: \"Both bytes again.\"}";
    e309_bit_range: VariantOverlap, "{name: IsLast, bits: 15, doc: \"1 for the last.\"}" => "{name: IsLast, bits: 15, until: \"6.2\", doc: \"1 for the last.\"}\n          - {name: IsFirst, bits: 14-15, since: \"6.1\", doc: \"1 for the first.\"}";
    e308_field: WindowsVersion, "{name: Count, offset: 0x06, type: u16," => "{name: Count, offset: 0x06, type: u16, since: \"Vista\",";
    e312_backwards: VersionRange, "since: \"6.2\"" => "since: \"6.2\"\n    until: \"6.1\"";
    e312_bit: VersionRange, "{value: 0x02, name: QUEUE_FLAG_URGENT}" => "{value: 0x02, name: QUEUE_FLAG_URGENT, since: \"6.2\", until: \"6.2\"}";
    e312_field: VersionRange, "{name: Owner, offset: 0x00, type: u64" => "{name: Owner, since: \"6.1\", offset: 0x00, type: u64";
    e312_event: VersionRange, "{version: 1, structure: QUEUE_ENTRY}" => "{version: 1, since: \"6.2\", until: \"6.1\", structure: QUEUE_ENTRY}";
    e313_variants: VersionHole, "since: \"6.2\"" => "since: \"6.3\"";
    e313_event: VersionHole, "versions: [{version: 1, structure: QUEUE_ENTRY}, {version: 2, layout: QUEUE_START}]" => "versions: [{version: 1, until: \"6.1\", structure: QUEUE_ENTRY}, {version: 2, since: \"6.2\", layout: QUEUE_START}]";
    e313_field: VersionHole, "{name: Count, offset: 0x06, type: u16, expect: 1, doc: \"Number of entries.\"}" => "{name: Count, offset: 0x06, type: u16, until: \"6.1\", expect: 1, doc: \"Number of entries.\"}", "{name: LowVersion, offset: 0x02, type: u16, overlay: true, doc: \"Both bytes again.\"}" => "{name: LowVersion, offset: 0x02, type: u16, overlay: true, until: \"6.0\", doc: \"Both bytes again.\"}\n      - {name: HighVersion, offset: 0x02, type: u16, overlay: true, since: \"6.2\", doc: \"Both bytes again.\"}";
    e310_variant: UnknownStructure, "variant_of: QUEUE_ENTRY" => "variant_of: QUEUE_ENTRIE";
    e310_case: UnknownStructure, "value: 1, name: TASKS, structure: QUEUE_HEADER" => "value: 1, name: TASKS, structure: QUEUE_HEAD";
    e310_event: UnknownStructure, "{version: 1, structure: QUEUE_ENTRY}" => "{version: 1, structure: QUEUE_KIND}";
    e311_field: BadName, "{name: Owner, offset: 0x00, type: u64" => "{name: 2nd-owner, offset: 0x00, type: u64", "bytes: \"07 00 00 00 00 00 00 00\", expect: {Owner: 7}" => "bytes: \"07 00 00 00 00 00 00 00\"";
    e311_structure: BadName, "  - name: QUEUE_ENTRY_WIDE" => "  - name: QUEUE ENTRY";
    e311_taken: BadName, "  - name: QUEUE_ENTRY_WIDE" => "  - name: RECORD";
    e311_keyword: BadName, "  - name: QUEUE_ENTRY_WIDE" => "  - name: SELF";
    e400_ends_early: ExpressionSyntax, "count: \"Count - 1\"" => "count: \"Count -\"";
    e400_stray: ExpressionSyntax, "value: \"(Flags & QUEUE_FLAG_NAMED) != 0\"" => "value: \"(Flags and QUEUE_FLAG_NAMED) != 0\"";
    e400_plain: ExpressionSyntax, "size: \"Flags & QUEUE_FLAG_NAMED ? 4 : 0\"" => "size: Count ++ 1";
    e401_misspelt: UnknownValue, "size: \"Flags & QUEUE_FLAG_NAMED ? 4 : 0\"" => "size: \"Flags & QUEUE_FLAG_NAMD ? 4 : 0\"";
    e401_unlike_any: UnknownValue, "count: \"Count - 1\"" => "count: \"NumberOfThings\"";
    e401_nested: UnknownValue, "count: \"Count - 1\"" => "count: \"First.Woner\"";
    e401_not_nested: UnknownValue, "count: \"Count - 1\"" => "count: \"Count.Low\"";
    e401_context: UnknownValue, "value: \"(Flags & QUEUE_FLAG_NAMED) != 0\"" => "value: \"PointerSize == 8\"";
    e402_later: LaterField, "count: \"Count - 1\"" => "count: \"Name\"";
    e402_itself: LaterField, "count: \"Count - 1\"" => "count: \"Entries\"";
    e403_signed: NotANumber, "count: \"Count - 1\"" => "count: \"Count - Time\"";
    e403_derived: NotANumber, "derived:\n      - {name: IsNamed, type: u8" => "derived:\n      - {name: IsNamed, type: guid";
    e403_bit_range: NotANumber, "{name: Layout, bits: 0-7," => "{name: Layout, bits: 0-7, type: QUEUE_ENTRY,";
    e500_twice: DuplicateCase, "{marker: 0x01, name: NAMED" => "{marker: 0x00, value: 1, name: NAMED";
    e500_hidden_by_mask: DuplicateCase, "{marker: 0x00, value: 1, name: TASKS" => "{marker: 0x00, marker_mask: 0x80, name: TASKS";
    e501_neither: BadCase, "name: NAMED, structure: QUEUE_HEADER}" => "name: NAMED}";
    e501_both: BadCase, "name: NAMED, structure: QUEUE_HEADER}" => "name: NAMED, structure: QUEUE_HEADER, end: true}";
    e501_pointers: BadCase, "name: NAMED, structure: QUEUE_HEADER}" => "name: NAMED, structure: QUEUE_HEADER, pointers: 16}";
    e501_marker: BadCase, "    marker: {offset: 5, type: u8}\n" => "", "{marker: 0x00, value: 1, name: TASKS" => "{value: 1, name: TASKS";
    e501_marker_outside_mask: BadCase, "{marker: 0x01, name: NAMED" => "{marker: 0x81, marker_mask: 0x80, name: NAMED";
    e501_mask_alone: BadCase, "{marker: 0x01, name: NAMED" => "{marker_mask: 0x80, name: NAMED";
    e501_no_size: BadCase, "name: NAMED, structure: QUEUE_HEADER}" => "name: NAMED, structure: QUEUE_ENTRY}";
    e501_marker_from_outside: BadCase, "    type: {offset: 4, type: u8}" => "    type: {type: u8}";
    e600_field: MissingDoc, "type: u32, doc: \"Who waits.\"}" => "type: u32}";
    e600_structure: MissingDoc, "    doc: One entry.\n" => "";
    e600_empty: MissingDoc, "doc: One entry.\n" => "doc: \"\"\n";
    e600_bit_range: MissingDoc, "{name: IsLast, bits: 15, doc: \"1 for the last.\"}" => "{name: IsLast, bits: 15}";
    e601_none: MissingSource, "    doc: What waits.\n    sources: [study]\n" => "    doc: What waits.\n";
    e602_misspelt: UnknownSource, "    doc: One entry.\n    sources: [study]" => "    doc: One entry.\n    sources: [studie]";
    e602_no_sources: UnknownSource, "sources:\n  - {id: study, kind: observed, title: \"Real traces\"}" => "sources: []";
    e700_not_hex: VectorBytes, "bytes: \"07 00 00 00\", expect" => "bytes: \"07 00 00 0g\", expect";
    e700_odd: VectorBytes, "bytes: \"07 00 00 00\", expect" => "bytes: \"07 00 00 0\", expect";
    e700_pointers: VectorBytes, "bytes: \"07 00 00 00\", expect" => "bytes: \"07 00 00 00\", pointers: 8, expect";
    e701_short: VectorDecode, "bytes: \"07 00 00 00\", expect" => "bytes: \"07 00 00\", expect";
    e701_long: VectorDecode, "bytes: \"07 00 00 00\", expect" => "bytes: \"07 00 00 00 00\", expect";
    e702_value: VectorValue, "bytes: \"07 00 00 00\", expect: {Owner: 7}" => "bytes: \"07 00 00 00\", expect: {Owner: 8}";
    e702_name: VectorValue, "Kind: QueueKindTask, First.Owner: 7" => "Kind: QueueKindNone, First.Owner: 7";
    e702_unknown_field: VectorValue, "bytes: \"07 00 00 00\", expect: {Owner: 7}" => "bytes: \"07 00 00 00\", expect: {Woner: 7}";
    w800_none: MissingVector, "    vectors:\n      - {doc: \"made by hand\", bytes: \"07 00 00 00\", expect: {Owner: 7}}\n" => "";
}

#[test]
fn the_schema_that_the_tests_change_is_valid() {
    let sources = changed(&[]);
    let (_, problems) = compile(&sources);
    assert_eq!(render_all(&sources, &problems, Style::Plain), "");
}

#[test]
fn names_of_cases_may_be_equal() {
    // A type of event headers has one name, whatever marker stands beside it.
    let sources = changed(&[(
        "{marker: 0x01, name: NAMED, structure: QUEUE_HEADER}",
        "{marker: 0x01, name: TASKS, structure: QUEUE_HEADER}",
    )]);
    assert_eq!(render_all(&sources, &compile(&sources).1, Style::Plain), "");
}

#[test]
fn a_case_is_hidden_only_if_all_it_takes_is_taken_before() {
    let cases = "      - {marker: 0x00, value: 1, name: TASKS, structure: QUEUE_HEADER}\n      - {marker: 0x01, name: NAMED, structure: QUEUE_HEADER}\n";
    let hidden = |first: &str, second: &str| {
        let text = format!(
            "      - {{{first}, name: A, structure: QUEUE_HEADER}}\n      - {{{second}, name: B, structure: QUEUE_HEADER}}\n"
        );
        let (_, problems) = compile(&changed(&[(cases, &text)]));
        assert!(
            problems.iter().all(|problem| problem.code == Code::DuplicateCase),
            "{problems:?}"
        );
        !problems.is_empty()
    };
    assert!(hidden("marker: 0xC0", "marker: 0xC0, value: 1"));
    assert!(!hidden("marker: 0xC0, value: 1", "marker: 0xC0"));
    assert!(!hidden("marker: 0xC0, value: 1", "marker: 0xC0, value: 2"));
    assert!(hidden("marker: 0x80, marker_mask: 0x80", "marker: 0xC0"));
    assert!(!hidden("marker: 0xC0", "marker: 0x80, marker_mask: 0x80"));
    assert!(!hidden("marker: 0x80, marker_mask: 0x80", "marker: 0x00, marker_mask: 0x80"));
    assert!(hidden("marker: 0x80, marker_mask: 0x80", "marker: 0xC0, marker_mask: 0xC0"));
    assert!(!hidden("marker: 0x80, marker_mask: 0xC0", "marker: 0x80, marker_mask: 0x80"));
    // A mask of all bits is none.
    assert!(hidden("marker: 0xC0, marker_mask: 0xFF", "marker: 0xC0"));
    assert!(hidden("marker: 0xC0", "marker: 0xC0, marker_mask: 0xFF"));
    assert!(hidden("value: 1", "marker: 0xC0, value: 1"));
    assert!(!hidden("marker: 0xC0, value: 1", "value: 1"));
    // Of conditions only equal ones are known to be true together.
    assert!(!hidden("marker: 0xC0, when: LogVersion > 1", "marker: 0xC0"));
    assert!(!hidden(
        "marker: 0xC0, when: LogVersion > 1",
        "marker: 0xC0, when: LogVersion > 2"
    ));
    assert!(hidden(
        "marker: 0xC0, when: LogVersion > 1",
        "marker: 0xC0, when: LogVersion > 1"
    ));
}

/// An overlay on the valid schema that raises nothing.
const OVERLAY: &str = r#"title: Newer queues
base: builtin
sources:
  - {id: lab, kind: observed, title: "A lab"}
extends:
  structures:
    - name: QUEUE_ENTRY_WIDE
      size: 0x0C
      sources: [lab]
      fields:
        - {name: Waits, offset: 0x08, type: u32, doc: "How often."}
      vectors:
        - {doc: "made by hand", bytes: "07 00 00 00 00 00 00 00 02 00 00 00", expect: {Owner: 7, Waits: 2}}
  flags:
    - name: QUEUE_FLAG
      bits:
        - {value: 0x02, name: QUEUE_FLAG_HURRIED, replaces: true}
        - {value: 0x04, name: QUEUE_FLAG_LOCKED}
  enums:
    - {name: QUEUE_KIND, values: [{value: 2, name: QueueKindBatch}]}
  dispatch:
    - name: QUEUE
      cases:
        - {marker: 0x00, value: 1, name: CHORES, structure: QUEUE_HEADER}
        - {marker: 0x02, name: LOCKED, structure: QUEUE_HEADER}
  event_classes:
    - name: Queue
      sources: [lab]
      layouts:
        - name: QUEUE_START_NEWER
          extends: QUEUE_START
          fields:
            - {name: Waits, type: u32}
      events:
        - {name: Pause, type: 0x0C, versions: [{version: 1, layout: QUEUE_START_NEWER}]}
        - {name: Halt, replaces: Stop, type: 0x0B, hook_id: 0x0102}
      extends:
        - {name: Start, sources: [lab], versions: [{version: 3, layout: QUEUE_START_NEWER}]}
  providers:
    - name: Made-Events
      sources: [lab]
      layouts:
        - name: MADE_OPENED_NEWER
          extends: MADE_OPENED
          fields:
            - {name: Seat, type: u16}
      events:
        - {id: 2, name: Shut, replaces: true}
        - {id: 3, name: Called, versions: [{version: 0, layout: MADE_OPENED_NEWER}]}
      extends:
        - id: 1
          sources: [lab]
          versions: [{version: 4, layout: MADE_OPENED_NEWER, vectors: [{doc: "by hand", bytes: "07000000 0000 0900", expect: {Handle: 7, Seat: 9}}]}]
enums:
  - name: QUEUE_ORDER
    type: u8
    doc: Who comes first.
    sources: [lab]
    values:
      - {value: 0, name: QueueOrderFirst}
providers:
  - {id: "a1b2c3d4-e5f6-4718-a9ba-cbdcedfe0f10", name: Named-Queue, replaces: Made-Queue, doc: "Queues.", sources: [lab]}
"#;

/// The overlay with each first text replaced by the second, on the valid schema.
fn overlaid(changes: &[(&str, &str)]) -> SourceSet {
    let mut text = OVERLAY.to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from:?} must stand once in the overlay");
        text = text.replace(from, to);
    }
    SourceSet::from_texts("builtin", [("queue.yaml", VALID)])
        .with_overlay(SourceSet::from_texts("mine", [("queue.yaml", text.as_str())]))
}

#[test]
fn the_valid_overlay_raises_nothing() {
    let sources = overlaid(&[]);
    assert_eq!(render_all(&sources, &compile(&sources).1, Style::Plain), "");
}

macro_rules! overlay_raises {
    ($($name:ident: $code:ident, $($from:literal => $to:literal),+;)+) => {
        /// The numbers that have a test in this table.
        const IN_OVERLAYS: &[Code] = &[$(Code::$code),+];

        $(#[test]
        fn $name() {
            let sources = overlaid(&[$(($from, $to)),+]);
            let (_, problems) = compile(&sources);
            insta::assert_snapshot!(check(Code::$code, &sources, &problems));
        })+
    };
}

overlay_raises! {
    overlay_e302_value: DuplicateName, "name: QueueKindBatch" => "name: QueueKindTask";
    overlay_e302_table: DuplicateName, "name: QUEUE_ORDER" => "name: QUEUE_KIND";
    overlay_e302_other_kind: DuplicateName, "name: QUEUE_ORDER" => "name: QUEUE_HEADER";
    overlay_e302_provider: DuplicateName, "name: Named-Queue, replaces: Made-Queue" => "name: Made-Queue";
    overlay_e302_event: DuplicateName, "name: Halt, replaces: Stop" => "name: Stop";
    overlay_e303_bit: DuplicateValue, "name: QUEUE_FLAG_HURRIED, replaces: true" => "name: QUEUE_FLAG_HURRIED";
    overlay_e303_version: DuplicateValue, "version: 3" => "version: 2";
    overlay_e303_event_type: DuplicateValue, "name: Pause, type: 0x0C" => "name: Pause, type: 0x0A";
    overlay_e302_event_of_provider: DuplicateName, "{id: 2, name: Shut, replaces: true}" => "{id: 2, name: Shut}";
    overlay_e303_version_of_provider: DuplicateValue, "version: 4, layout" => "version: 3, layout";
    overlay_e303_guid_of_provider: DuplicateValue, "name: Named-Queue, replaces: Made-Queue" => "name: Named-Queue";
    overlay_e310_layout_of_provider: UnknownStructure, "extends: MADE_OPENED\n" => "extends: MADE_OPENT\n";
    overlay_e702_vector_of_provider: VectorValue, "{Handle: 7, Seat: 9}" => "{Handle: 7, Seat: 8}";
    e902_provider: NotInBase, "name: Made-Events" => "name: Made-Event";
    e902_event_of_provider: NotInBase, "- id: 1" => "- id: 9";
    e902_replaced_event_of_provider: NotInBase, "id: 3, name: Called" => "id: 3, name: Called, replaces: true";
    e902_version_of_provider: NotInBase, "version: 4, layout" => "version: 4, replaces: true, layout";
    e902_layout_of_provider: NotInBase, "extends: MADE_OPENED\n" => "replaces: MADE_OPENDE\n";
    e903_version_of_new_event: NoBase, "versions: [{version: 0, layout: MADE_OPENED_NEWER}]" => "versions: [{version: 0, replaces: true, layout: MADE_OPENED_NEWER}]";
    e903_event_of_new_provider: NoBase, "replaces: Made-Queue, doc: \"Queues.\", sources: [lab]" => "replaces: Made-Queue, doc: \"Queues.\", sources: [lab], events: [{id: 1, name: A, replaces: true}]";
    e904_event_of_provider: ChangedTwice, "- id: 1" => "- id: 2";
    e904_provider: ChangedTwice, "replaces: Made-Queue" => "replaces: Made-Events";
    overlay_e205_size: SizeMismatch, "size: 0x0C" => "size: 0x10";
    overlay_e203_field: Overlap, "offset: 0x08" => "offset: 0x04";
    overlay_e500_case: DuplicateCase, "marker: 0x02, name" => "marker: 0x00, value: 1, name";
    overlay_e602_source: UnknownSource, "QUEUE_ENTRY_WIDE\n      size: 0x0C\n      sources: [lab]" => "QUEUE_ENTRY_WIDE\n      size: 0x0C\n      sources: [study]";
    overlay_w800_no_vector: MissingVector, "      vectors:\n        - {doc: \"made by hand\", bytes: \"07 00 00 00 00 00 00 00 02 00 00 00\", expect: {Owner: 7, Waits: 2}}\n" => "";
    e902_misspelt: NotInBase, "    - name: QUEUE_FLAG\n" => "    - name: QUEUE_FLAGS\n";
    e902_other_kind: NotInBase, "    - name: QUEUE_FLAG\n" => "    - name: QUEUE_KIND\n";
    e902_replaces: NotInBase, "replaces: Made-Queue" => "replaces: Made-Kweue";
    e902_value: NotInBase, "name: QUEUE_FLAG_LOCKED}" => "name: QUEUE_FLAG_LOCKED, replaces: true}";
    e902_event: NotInBase, "name: Start, sources" => "name: Strat, sources";
    e902_layout: NotInBase, "          extends: QUEUE_START\n" => "          replaces: QUEUE_STRAT\n";
    e903_entry_of_new: NoBase, "name: QueueOrderFirst" => "name: QueueOrderFirst, replaces: true";
    e904_bit: ChangedTwice, "name: QUEUE_FLAG_LOCKED}" => "name: QUEUE_FLAG_LOCKED}\n        - {value: 0x02, name: QUEUE_FLAG_RUSHED, replaces: true}";
    e904_replaced_and_extended: ChangedTwice, "name: QUEUE_ORDER" => "name: QUEUE_KIND\n    replaces: QUEUE_KIND";
}

#[test]
fn e903_no_base() {
    let text = "title: A\nextends:\n  flags: [{name: QUEUE_FLAG}]\n";
    let texts = [("a.yaml", text), ("queue.yaml", VALID)];
    let sources = SourceSet::from_texts("schema", texts);
    insta::assert_snapshot!(check(Code::NoBase, &sources, &compile(&sources).1));
    for (name, from, to) in [
        (
            "e903_replaces",
            "  - name: QUEUE_KIND\n",
            "  - name: QUEUE_KIND\n    replaces: QUEUE_FLAG\n",
        ),
        (
            "e903_layout_of_provider",
            "{name: MADE_OPENED, fields",
            "{name: MADE_OPENED, replaces: MADE_OPENED, fields",
        ),
    ] {
        let sources = changed(&[(from, to)]);
        insta::assert_snapshot!(name, check(Code::NoBase, &sources, &compile(&sources).1));
    }
}

#[test]
fn e901_two_bases() {
    let two = [
        ("a.yaml", "title: A\nbase: builtin\n"),
        ("b.yaml", "title: B\nbase: ../other\n"),
    ];
    let sources = SourceSet::from_texts("builtin", [("queue.yaml", VALID)]).with_overlay(SourceSet::from_texts("mine", two));
    insta::assert_snapshot!(check(Code::BaseTwice, &sources, &compile(&sources).1));
}

#[test]
fn every_number_has_a_test() {
    // The four that need folders have tests of their own, here or in `overlay.rs`.
    let untested: Vec<_> = Code::ALL
        .iter()
        .filter(|code| !TESTED.contains(code) && !matches!(code, Code::Unreadable | Code::NoSchema))
        .filter(|code| !matches!(code, Code::Base | Code::BaseTwice))
        .filter(|code| !IN_OVERLAYS.contains(code))
        .collect();
    assert!(untested.is_empty(), "{untested:?}");
}

/// What may be anything must end in a value: numbers of expressions as large as can be.
#[test]
fn expressions_of_the_largest_numbers_have_values() {
    for (expression, expected) in [
        ("0xFFFFFFFFFFFFFFFF + Flags + 1", "0xffffffff"),
        ("Count * 0xFFFFFFFFFFFFFFFF * 0xFFFFFFFFFFFFFFFF", "0xffffffff"),
        ("Flags / (Count - Count)", "0x0"),
        ("Flags % (Count - Count)", "0x0"),
        ("1 << 0xFFFFFFFFFFFFFFFF", "0x0"),
        ("Flags - 0xFFFFFFFFFFFFFFFF", "0x0"),
    ] {
        let derived = format!("{{name: Least, type: u32, format: hex, value: \"{expression}\", doc: \"Any.\"}}");
        let to = format!("derived:\n      - {derived}\n      - {{name: IsNamed");
        let vector = format!("Time: 9, Least: \"{expected}\"}}");
        let sources = changed(&[("derived:\n      - {name: IsNamed", &to), ("Time: 9}", &vector)]);
        assert_eq!(render_all(&sources, &compile(&sources).1, Style::Plain), "", "{expression}");
    }
    // A size that no record has ends the record early, without a panic or a large buffer.
    let sources = changed(&[("size: \"Flags & QUEUE_FLAG_NAMED ? 4 : 0\"", "size: 0xFFFFFFFF")]);
    let (_, problems) = compile(&sources);
    assert!(
        problems.iter().all(|problem| matches!(
            problem.code,
            Code::SizeMismatch | Code::Length | Code::NeedlessOffset | Code::MissingOffset | Code::VectorDecode
        )),
        "{problems:?}"
    );
    assert!(!problems.is_empty());
}

/// The problems of reading a folder, with its changing path cut out.
fn read(folder: &std::path::Path) -> (Vec<Code>, String) {
    let problems = SourceSet::read(folder).unwrap_err();
    let text = render_all(&SourceSet::default(), &problems, Style::Plain);
    (
        problems.iter().map(|problem| problem.code).collect(),
        text.replace(&folder.display().to_string(), "FOLDER").replace('\\', "/"),
    )
}

#[test]
fn e001_no_such_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (codes, text) = read(&folder.path().join("absent"));
    assert_eq!(codes, [Code::Unreadable]);
    // The reason in the message is the operating system's.
    assert!(text.starts_with("error[E001]: cannot read FOLDER: "), "{text}");
}

#[test]
fn e001_not_utf8() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.yaml"), b"title: \xff").unwrap();
    fs::write(folder.path().join("good.yaml"), "title: Good").unwrap();
    let (codes, text) = read(folder.path());
    assert_eq!(codes, [Code::Unreadable]);
    insta::assert_snapshot!(text);
}

#[test]
fn e002_no_schema() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "no schema").unwrap();
    let (codes, text) = read(folder.path());
    assert_eq!(codes, [Code::NoSchema]);
    insta::assert_snapshot!(text);
}
