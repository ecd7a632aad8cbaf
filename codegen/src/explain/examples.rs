//! One mistake for each code, as a change of a schema file that has none.

use super::Example;
use crate::codes::Code;
use crate::load::SourceSet;
use crate::load::base::BUILTIN;

/// A structure of one size.
const FIXED: &str = r#"title: Queues
sources:
  - {id: traces, kind: observed, title: "Real traces"}
structures:
  - name: QUEUE_HEADER
    size: 0x08
    doc: Begins a queue.
    sources: [traces]
    fields:
      - {name: Length, offset: 0x00, type: u16, unit: bytes, doc: "Bytes of the queue."}
      - {name: Flags, offset: 0x02, type: u16, doc: "How it waits."}
      - {name: Owner, offset: 0x04, type: u32, doc: "Thread that waits."}
    vectors:
      - {doc: "made by hand", bytes: "08 00 01 00 07 00 00 00", expect: {Length: 8, Owner: 7}}
"#;

/// A structure that varies.
const VARYING: &str = r#"title: Lists
sources:
  - {id: traces, kind: observed, title: "Real traces"}
structures:
  - name: LIST_HEADER
    min_size: 0x02
    doc: Begins a list.
    sources: [traces]
    fields:
      - {name: Count, offset: 0x00, type: u16, doc: "Number of entries."}
      - {name: Entries, offset: 0x02, type: u16, count: "Count", doc: "The entries."}
      - {name: Data, type: bytes, size: rest, doc: "Whatever follows."}
    vectors:
      - {doc: "made by hand", bytes: "01 00 07 00 ff", expect: {Count: 1, Data: "ff"}}
"#;

/// A structure with parts that are not bytes of their own.
const PARTS: &str = r#"title: Times
sources:
  - {id: traces, kind: observed, title: "Real traces"}
structures:
  - name: CLOCK_READING
    size: 0x0C
    doc: What a clock said.
    sources: [traces]
    fields:
      - name: Kind
        offset: 0x00
        type: u32
        doc: "Kind of clock."
        bits:
          - {name: Source, bits: 0-7, doc: "Number of the clock."}
          - {name: IsExact, bits: 8, doc: "1 if it was not estimated."}
      - {name: Time, offset: 0x04, type: i64, doc: "What it said."}
      - {name: LowKind, offset: 0x00, type: u32, overlay: true, doc: "The kind again, as one number."}
    vectors:
      - {doc: "made by hand", bytes: "01 01 00 00 09 00 00 00 00 00 00 00", expect: {Source: 1, IsExact: 1, Time: 9}}
"#;

/// Tables.
const TABLES: &str = r#"title: Tables of queues
sources:
  - {id: traces, kind: observed, title: "Real traces"}
flags:
  - name: QUEUE_FLAG
    type: u8
    doc: How a queue waits.
    sources: [traces]
    bits:
      - {value: 0x01, name: QUEUE_FLAG_NAMED}
      - {value: 0x02, name: QUEUE_FLAG_URGENT}
enums:
  - name: QUEUE_KIND
    type: u8
    doc: What waits.
    sources: [traces]
    values:
      - {value: 0, name: QueueKindNone}
      - {value: 1, name: QueueKindTask}
"#;

/// Two forms of a structure.
const VARIANTS: &str = r#"title: Entries
sources:
  - {id: traces, kind: observed, title: "Real traces"}
structures:
  - name: QUEUE_ENTRY
    size: 0x04
    until: "6.2"
    doc: One entry.
    sources: [traces]
    fields:
      - {name: Owner, offset: 0x00, type: u32, doc: "Who waits."}
    vectors:
      - {doc: "made by hand", bytes: "07 00 00 00", expect: {Owner: 7}}
  - name: QUEUE_ENTRY_WIDE
    size: 0x08
    since: "6.2"
    variant_of: QUEUE_ENTRY
    doc: One entry since Windows 8.
    sources: [traces]
    fields:
      - {name: Owner, offset: 0x00, type: u64, doc: "Who waits."}
    vectors:
      - {doc: "made by hand", bytes: "07 00 00 00 00 00 00 00", expect: {Owner: 7}}
"#;

/// A dispatch.
const DISPATCH: &str = r#"title: Messages
sources:
  - {id: traces, kind: observed, title: "Real traces"}
structures:
  - name: MESSAGE
    size: 0x04
    doc: A message.
    sources: [traces]
    fields:
      - {name: Size, offset: 0x00, type: u16, role: event_size, doc: "Bytes of the message."}
      - {name: Type, offset: 0x02, type: u16, doc: "Kind of message."}
    vectors:
      - {doc: "made by hand", bytes: "04 00 01 00", expect: {Size: 4, Type: 1}}
dispatch:
  - name: MESSAGES
    doc: Messages by their kind.
    sources: [traces]
    marker: {offset: 3, type: u8}
    type: {offset: 2, type: u8}
    cases:
      - {marker: 0x00, value: 1, name: BEGIN, structure: MESSAGE}
      - {marker: 0x00, value: 2, name: END, structure: MESSAGE}
"#;

/// An overlay on the tables.
const OVERLAY: &str = r#"title: More tables of queues, on those that E303 shows
base: builtin
sources:
  - {id: traces, kind: observed, title: "Real traces"}
extends:
  flags:
    - name: QUEUE_FLAG
      bits:
        - {value: 0x02, name: QUEUE_FLAG_HURRIED, replaces: true}
        - {value: 0x04, name: QUEUE_FLAG_LOCKED}
enums:
  - name: QUEUE_ORDER
    type: u8
    doc: Who comes first.
    sources: [traces]
    values:
      - {value: 0, name: QueueOrderFirst}
      - {value: 1, name: QueueOrderLast}
"#;

/// The files of `base: builtin` in an example.
pub(super) fn builtin() -> SourceSet {
    SourceSet::from_texts(BUILTIN, [("tables.yaml", TABLES)])
}

/// How to mend a problem, and the example that shows it.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn of(code: Code) -> (&'static str, Example) {
    let words = |mend, wrong, right| (mend, Example::Words { wrong, right });
    // The right file with the first text, which stands in it once, replaced by the second.
    let files = |mend, right: &str, from: &str, to: &str| {
        let example = Example::Files {
            wrong: right.replacen(from, to, 1),
            right: right.to_owned(),
        };
        (mend, example)
    };
    match code {
        Code::Unreadable => words(
            "Check the path and its permissions, and save the file as UTF-8.",
            "a file that was saved as UTF-16 or in the code page of one country.",
            "the same file, saved as UTF-8.",
        ),
        Code::NoSchema => words(
            "Name the folder that holds the schema files; their names end in .yaml.",
            "a folder with no file, or with files such as queue.yml or queue.txt only.",
            "a folder with queue.yaml, or with a folder that has it.",
        ),
        Code::Syntax => files(
            "Look at the place shown and just above it for what was begun and not ended.",
            FIXED,
            "\"Thread that waits.\"",
            "\"Thread that waits.",
        ),
        Code::UnknownKey => files(
            "Write the key as the guide does; what is no key of the language goes into `doc` or a comment.",
            FIXED,
            "Flags, offset: 0x02",
            "Flags, ofset: 0x02",
        ),
        Code::MissingKey => files("Add the key that is named.", FIXED, "type: u16, doc: \"How", "doc: \"How"),
        Code::WrongShape => files(
            "Write a value of the kind that the report names; text that looks like a number is put in quotes, and a list in brackets.",
            FIXED,
            "size: 0x08",
            "size: eight",
        ),
        Code::MissingOffset => files(
            "State where the field begins: the offset of the field above plus its size.",
            FIXED,
            "name: Flags, offset: 0x02,",
            "name: Flags,",
        ),
        Code::NeedlessOffset => files(
            "Leave the offset out: the field follows the one above it, wherever that ends.",
            VARYING,
            "name: Data,",
            "name: Data, offset: 0x04,",
        ),
        Code::Overlap => files(
            "Mend the offset, or the type of the field above. If both fields do read the same bytes, move the second one to the end and mark it `overlay: true`.",
            FIXED,
            "name: Owner, offset: 0x04",
            "name: Owner, offset: 0x02",
        ),
        Code::Gap => files(
            "Mend the offset, or describe the bytes between by a field of their own with `hidden: true`.",
            FIXED,
            "name: Owner, offset: 0x04",
            "name: Owner, offset: 0x06",
        ),
        Code::SizeMismatch => files(
            "Mend the size or the fields: the last field ends where the structure does.",
            FIXED,
            "size: 0x08",
            "size: 0x0A",
        ),
        Code::SizeStatement => files(
            "Give `size` to a structure whose fields all have one size, and `min_size` to any other.",
            VARYING,
            "min_size: 0x02",
            "size: 0x02",
        ),
        Code::Overlay => files(
            "Let the overlay begin where one of the fields above begins and end where one ends, and use unsigned integers for all of them.",
            PARTS,
            "name: LowKind, offset: 0x00, type: u32",
            "name: LowKind, offset: 0x00, type: u16",
        ),
        Code::BitRange => files(
            "Count bits from 0, the lowest, write `first-last`, and give each bit to one range only.",
            PARTS,
            "name: IsExact, bits: 8,",
            "name: IsExact, bits: 32,",
        ),
        Code::Length => files(
            "Give `size` (an expression, or `rest`) to bytes and text in a fixed room; give `count` to arrays of other types.",
            VARYING,
            "type: bytes, size: rest",
            "type: bytes",
        ),
        Code::Rest => files(
            "Move the field that takes the rest to the end, or give it a length.",
            VARYING,
            "type: u16, count: \"Count\"",
            "type: u16, count: rest",
        ),
        Code::Cycle => files(
            "Name the structure that is really nested, or read the inner one as `bytes`.",
            VARIANTS,
            "name: Owner, offset: 0x00, type: u32",
            "name: Owner, offset: 0x00, type: QUEUE_ENTRY",
        ),
        Code::Expect => files(
            "Mend the value or the type of the field.",
            FIXED,
            "name: Flags, offset: 0x02, type: u16,",
            "name: Flags, offset: 0x02, type: u16, expect: 0x10000,",
        ),
        Code::UnknownType => files(
            "Use a type of the guide's table, or define the structure, enum or flag table in any file of the folder.",
            FIXED,
            "type: u32",
            "type: dword",
        ),
        Code::DuplicateName => files(
            "Rename one of the two. Names also clash if they become one name in Rust, as QUEUE_KIND and QueueKind do.",
            TABLES,
            "name: QUEUE_FLAG_URGENT",
            "name: QueueKindTask",
        ),
        Code::DuplicateValue => files(
            "Mend the value, or keep the name that Microsoft uses today and tell of the other one in its `doc`.",
            TABLES,
            "value: 0, name: QueueKindNone",
            "value: 1, name: QueueKindNone",
        ),
        Code::NotABit => files(
            "Write one bit (0x01, 0x02, 0x04, ...), or list the name under `groups` in place of `bits`.",
            TABLES,
            "value: 0x02",
            "value: 0x03",
        ),
        Code::TooWide => files(
            "Mend the value, or give the table a wider type.",
            TABLES,
            "value: 1, name: QueueKindTask",
            "value: 0x100, name: QueueKindTask",
        ),
        Code::UnknownRole => files(
            "Take a role of the guide's table, or leave `role` out: the field is then read and printed as any other.",
            FIXED,
            "type: u32,",
            "type: u32, role: waiting_thread,",
        ),
        Code::RoleMismatch => files(
            "Give the role to one field of the type that it needs.",
            DISPATCH,
            "name: Type, offset: 0x02, type: u16,",
            "name: Type, offset: 0x02, type: u16, role: event_size,",
        ),
        Code::WindowsVersion => files(
            "Write the version of the kernel in quotes: Vista is \"6.0\", 7 is \"6.1\", 8 is \"6.2\", 8.1 is \"6.3\", 10 and 11 are \"10.0.BUILD\".",
            VARIANTS,
            "since: \"6.2\"",
            "since: \"Windows 8\"",
        ),
        Code::VariantOverlap => files(
            "Let one variant end (`until`) where the next begins (`since`).",
            VARIANTS,
            "since: \"6.2\"",
            "since: \"6.1\"",
        ),
        Code::VersionRange => files(
            "Give the first version with it as `since`, and the first without it as `until`; leave out what the structure says already.",
            VARIANTS,
            "{name: Owner, offset: 0x00, type: u64, doc",
            "{name: Owner, offset: 0x00, type: u64, since: \"6.1\", doc",
        ),
        Code::VersionHole => files(
            "Let one form begin (`since`) where the form before ends (`until`), or describe the form that is missing.",
            VARIANTS,
            "since: \"6.2\"",
            "since: \"6.3\"",
        ),
        Code::UnknownStructure => files(
            "Write the name as it is defined, or define the structure in any file of the folder.",
            DISPATCH,
            "name: END, structure: MESSAGE",
            "name: END, structure: MESAGE",
        ),
        Code::BadName => files(
            "Use letters, digits and underscores only, with a letter first; some names that generated code needs for itself are taken.",
            VARIANTS,
            "name: QUEUE_ENTRY_WIDE",
            "name: QUEUE-ENTRY-WIDE",
        ),
        Code::ExpressionSyntax => files(
            "Complete the expression; the guide lists the operators.",
            VARYING,
            "count: \"Count\"",
            "count: \"Count +\"",
        ),
        Code::UnknownValue => files(
            "Name a field above, a bit or value of a table, or `PointerSize` or `LogVersion`.",
            VARYING,
            "count: \"Count\"",
            "count: \"Cuont\"",
        ),
        Code::LaterField => files(
            "Use only fields that stand above; a value that needs all fields belongs under `derived`.",
            VARYING,
            "count: \"Count\"",
            "count: \"Data\"",
        ),
        Code::NotANumber => files(
            "Use a field that is an unsigned integer, an enum or flags.",
            PARTS,
            "    vectors:",
            "    derived:\n      - {name: Later, type: u64, value: \"Time + 1\", doc: \"A moment after.\"}\n    vectors:",
        ),
        Code::DuplicateCase => files(
            "Mend the value, remove one case, or tell them apart by `when`.",
            DISPATCH,
            "value: 2, name: END",
            "value: 1, name: END",
        ),
        Code::BadCase => files(
            "Give the case either a `structure` or `end: true`, and only markers and masks that its dispatch can read.",
            DISPATCH,
            "name: END, structure: MESSAGE",
            "name: END",
        ),
        Code::MissingDoc => files(
            "Say in `doc` what it is, in words of your own.",
            FIXED,
            "type: u32, doc: \"Thread that waits.\"",
            "type: u32",
        ),
        Code::MissingSource => files(
            "Name in `sources` the ids of the pages, headers or traces that say so.",
            FIXED,
            "    sources: [traces]\n",
            "",
        ),
        Code::UnknownSource => files(
            "Write the id as it stands in `sources` at the top of the same file, or add the source there.",
            FIXED,
            "sources: [traces]",
            "sources: [tarces]",
        ),
        Code::VectorBytes => files(
            "Write two hex digits for each byte; `pointers` is 32 or 64.",
            FIXED,
            "\"08 00 01 00 07 00 00 00\"",
            "\"08 00 01 00 07 00 00 0\"",
        ),
        Code::VectorDecode => files(
            "Compare the bytes with the layout: one of the two is too long or too short.",
            FIXED,
            "\"08 00 01 00 07 00 00 00\"",
            "\"08 00 01 00 07 00 00\"",
        ),
        Code::VectorValue => files(
            "Work out by hand what the bytes say, then mend the bytes, the layout or the expectation.",
            FIXED,
            "expect: {Length: 8, Owner: 7}",
            "expect: {Length: 8, Owner: 9}",
        ),
        Code::Base => files(
            "Write `base: builtin`, or the path of a schema folder from the folder of the file; the two folders lie side by side.",
            OVERLAY,
            "base: builtin",
            "base: ../absent",
        ),
        Code::BaseTwice => words(
            "Keep the line in one file of the folder. An overlay on an overlay names that one.",
            "a folder with `base: builtin` in a.yaml and `base: ../other` in b.yaml.",
            "the same folder, with `base: ../other` in a.yaml only; ../other may have a base of its own.",
        ),
        Code::NotInBase => files(
            "Write the name as the base has it, under the list of its kind; what is new says neither `replaces` nor `extends`.",
            OVERLAY,
            "    - name: QUEUE_FLAG\n",
            "    - name: QUEUE_FLAGS\n",
        ),
        Code::NoBase => files(
            "Add `base` to one file of the folder, or take `replaces` and `extends` away.",
            OVERLAY,
            "name: QueueOrderLast}",
            "name: QueueOrderLast, replaces: true}",
        ),
        Code::ChangedTwice => files(
            "Put both changes into one, or keep one of the two.",
            OVERLAY,
            "name: QUEUE_FLAG_LOCKED}",
            "name: QUEUE_FLAG_LOCKED}\n        - {value: 0x02, name: QUEUE_FLAG_RUSHED, replaces: true}",
        ),
        Code::MissingVector => files(
            "Add bytes of a real trace, or some made by hand, with the values that they hold.",
            FIXED,
            "    vectors:\n      - {doc: \"made by hand\", bytes: \"08 00 01 00 07 00 00 00\", expect: {Length: 8, Owner: 7}}\n",
            "",
        ),
    }
}
