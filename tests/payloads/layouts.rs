//! Kinds of events that this reader decodes by another layout than the other reader, with the reasons.

use serde_json::Value as Json;

use super::differences::Differences;
use super::kernel::{Decoded, Kind};
use super::rendering::Fields;

/// A kind, and what is to be expected instead.
#[derive(Debug)]
pub(crate) struct OtherLayout {
    /// Start of the trace's name.
    file: &'static str,
    /// Class, opcodes, version and pointer size; as the names of the kinds are written.
    class: &'static str,
    opcodes: &'static [u64],
    suffix: &'static str,
    /// How many events are decoded to the last byte here; `None` for all.
    exact: Option<u64>,
    /// Fields before the place where the readings part: name there, name here.
    same: &'static [(&'static str, &'static str)],
    /// Text that is there as a whole here, and there from the middle or not at all: name there, name here.
    ends_with: &'static [(&'static str, &'static str)],
    #[allow(dead_code, reason = "it is there to be read")]
    reason: &'static str,
}

const PROCESS: &str = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c";
const IMAGE: &str = "2cb15d1d-5fc1-11d2-abe1-00a0c911f518";

const WIDE_V0: &str = "by the layout of version 0, but these payloads were written with pointers of 8 bytes under headers that say 4: the \
                       size is read as the start of the path. Of four images it ends in two zero bytes, which end the path at once";

const OTHER_LAYOUTS: &[OtherLayout] = &[
    OtherLayout {
        file: "win7-rtm-32bit-process-data-32-v1",
        class: PROCESS,
        opcodes: &[1, 2],
        suffix: " v1 ptr4",
        exact: None,
        same: &[
            ("PageDirectoryBase", "PageDirectoryBase"),
            ("ProcessId", "ProcessId"),
            ("ParentId", "ParentId"),
            ("SessionId", "SessionId"),
            ("ExitStatus", "ExitStatus"),
        ],
        ends_with: &[("ImageFileName", "ImageFileName")],
        reason: "the first word of UserSID is 0, but a SID of revision 1 follows: it is read here, there taken for no SID",
    },
    OtherLayout {
        file: "vista-sp1-32bit-process-data-32-v3",
        class: PROCESS,
        opcodes: &[1, 2],
        suffix: " v3 ptr4",
        exact: None,
        same: &[
            ("UniqueProcessKey", "UniqueProcessKey"),
            ("ProcessId", "ProcessId"),
            ("ParentId", "ParentId"),
            ("SessionId", "SessionId"),
            ("ExitStatus", "ExitStatus"),
            ("DirectoryTableBase", "DirectoryTableBase"),
        ],
        ends_with: &[("ImageFileName", "ImageFileName"), ("CommandLine", "CommandLine")],
        reason: "as in version 1",
    },
    OtherLayout {
        file: "vista-sp1-32bit-process-data-32-v3",
        class: PROCESS,
        opcodes: &[3, 4],
        suffix: " v3 ptr4",
        exact: None,
        same: &[
            ("UniqueProcessKey", "UniqueProcessKey"),
            ("ProcessId", "ProcessId"),
            ("ParentId", "ParentId"),
            ("SessionId", "SessionId"),
            ("ExitStatus", "ExitStatus"),
            ("DirectoryTableBase", "DirectoryTableBase"),
        ],
        ends_with: &[("ImageFileName", "ImageFileName")],
        reason: "likewise; the first of these processes have no command line",
    },
    OtherLayout {
        file: "win7-rtm-32bit-image-data-32-v0",
        class: IMAGE,
        opcodes: &[2, 3],
        suffix: " v0 ptr4",
        exact: None,
        same: &[("ImageBase", "BaseAddress"), ("ImageSize", "ModuleSize")],
        ends_with: &[("FileName", "ImageFileName")],
        reason: "by the layout of version 0, which starts the path at byte 8; there by that of version 2, the lowest it knows, \
                 of which the fields from byte 8 lie within the path",
    },
    OtherLayout {
        file: "vista-sp1-32bit-test-data-64-v0",
        class: IMAGE,
        opcodes: &[2],
        suffix: " v0 ptr4",
        exact: None,
        same: &[("ImageBase", "BaseAddress"), ("ImageSize", "ModuleSize")],
        ends_with: &[("FileName", "ImageFileName")],
        reason: WIDE_V0,
    },
    OtherLayout {
        file: "vista-sp1-32bit-test-data-64-v0",
        class: IMAGE,
        opcodes: &[3],
        suffix: " v0 ptr4",
        exact: Some(20),
        same: &[("ImageBase", "BaseAddress"), ("ImageSize", "ModuleSize")],
        ends_with: &[("FileName", "ImageFileName")],
        reason: WIDE_V0,
    },
    OtherLayout {
        file: "win7-rtm-32bit-image-data-64-v1",
        class: IMAGE,
        opcodes: &[2, 3],
        suffix: " v1 ptr4",
        exact: Some(0),
        same: &[
            ("ImageBase", "ImageBase"),
            ("ImageSize", "ImageSize"),
            ("ProcessId", "ProcessId"),
        ],
        ends_with: &[],
        reason: "these payloads were written with pointers of 8 bytes under headers that say 4, so no layout fits. By that of \
                 version 1 the path is empty and bytes are left, as the other reader has it for opcode 10; there the layout of \
                 version 2 ends in the middle of the path, and takes what is left for one",
    },
];

/// What is expected of a kind instead of the expected values.
pub(crate) fn other(file: &str, key: &str) -> Option<&'static OtherLayout> {
    OTHER_LAYOUTS
        .iter()
        .filter(|other| file.starts_with(other.file))
        .find(|other| {
            key.strip_prefix(other.class)
                .and_then(|rest| rest.strip_prefix('/'))
                .and_then(|rest| rest.strip_suffix(other.suffix))
                .and_then(|opcode| opcode.parse().ok())
                .is_some_and(|opcode| other.opcodes.contains(&opcode))
        })
}

impl OtherLayout {
    pub(crate) fn compare_counts(&self, differences: &mut Differences, what: &str, found: &Kind) {
        let exact = self.exact.unwrap_or(found.count);
        if found.exact != exact {
            differences.add(format_args!("{what}: exact"), exact, found.exact);
        }
    }

    pub(crate) fn compare_fields(&self, differences: &mut Differences, what: &str, expected: &Fields, found: &Decoded) {
        for (theirs, ours) in self.same {
            let (theirs, found) = (expected.get(*theirs), found.fields.get(*ours));
            if theirs != found || theirs.is_none() {
                differences.add(format_args!("{what}.{ours}"), or_null(theirs), or_null(found));
            }
        }
        for (theirs, ours) in self.ends_with {
            let (theirs, found) = (expected.get(*theirs), found.fields.get(*ours));
            let longer = theirs
                .and_then(Json::as_str)
                .zip(found.and_then(Json::as_str))
                .is_some_and(|(theirs, found)| found.len() > theirs.len() && found.ends_with(theirs));
            if !longer {
                differences.add(
                    format_args!("{what}.{ours}"),
                    format_args!("...{}", or_null(theirs)),
                    or_null(found),
                );
            }
        }
    }
}

fn or_null(value: Option<&Json>) -> &Json {
    value.unwrap_or(&Json::Null)
}
