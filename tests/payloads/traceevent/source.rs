//! What a value of a line is made from, in the words of the list of differences.

use serde_json::{Value as Json, json};

use super::events::Candidate;

/// 100 ns between 1601 and 1970.
const UNIX_EPOCH: i64 = 116_444_736_000_000_000;

/// Flags of an I/O request packet that occur, with TraceEvent's names. The bits are those of wdm.h.
const IRP_FLAGS: &[(u64, &str)] = &[
    (0x001, "Nocache"),
    (0x002, "MountCompletion"),
    (0x004, "SynchronousApi"),
    (0x040, "SynchronousPagingIo"),
    (0x200, "Write"),
    (0x800, "DeferIOCompletion"),
];

/// Likewise of how a file may be shared. TraceEvent has one name for both of the first two.
const SHARE: &[(u64, &str)] = &[(3, "ReadWrite"), (1, "Read"), (2, "Write"), (4, "Delete")];

/// Attributes of files, of which TraceEvent has the names for options of the same bits that occur.
const ATTRIBUTES: &[(u64, &str)] = &[(0x20, "FILE_ATTRIBUTE_ARCHIVE"), (0x40, "FILE_ATTRIBUTE_DEVICE")];

/// What is to be done if a file is there or is not, by the highest byte of the options.
const DISPOSITIONS: &[&str] = &[
    "SUPERSEDE",
    "OPEN_EXISTING",
    "CREATE_NEW",
    "OPEN_ALWAYS",
    "TRUNCATE_EXISTING",
    "CREATE_ALWAYS",
];

/// Likewise of a process.
const PROCESS_FLAGS: &[(u64, &str)] = &[(2, "Wow64"), (4, "Protected")];

const PRIORITIES: &[&str] = &["NotSet", "Verylow", "Low", "Normal", "High", "Critical"];

/// The value; `None` if the event does not have it.
///
/// ```text
/// "text"           this text                       header process   process of the header
/// Name             this field                      header thread    thread of the header
/// Name[3..8]       bits of this field              processor        processor of the buffer
/// ms(Name)         ticks as milliseconds           PID and size     two numbers of 4 bytes as one of 8
/// since(Name)      milliseconds since this time    version of the file
/// unix(Name)       seconds since 1970 as FILETIME
/// irp(Name), priority(Name), process(Name), share(Name), disposition(Name), attributes(Name)   words for numbers
/// A + B            sum of these fields             code(Name)       number of the only character
/// file(Name)       what follows the last backslash path(Name)       a path with a drive letter
/// first(A.B)       field B of the first structure of the array A
/// seconds(Name)    SYSTEMTIME with the seconds as milliseconds
/// ```
pub(super) fn value(source: &str, event: &Candidate) -> Option<Json> {
    let field = |name: &str| event.fields.get(name);
    let number = |name: &str| field(name)?.as_u64();
    if let Some(text) = source.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return Some(json!(text));
    }
    if source.contains(" + ") {
        return source.split(" + ").map(number).sum::<Option<u64>>().map(Json::from);
    }
    if let Some((name, bits)) = source.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        let (from, to) = bits.split_once("..").unwrap();
        let (from, to): (u32, u32) = (from.parse().unwrap(), to.parse().unwrap());
        return Some(json!(number(name)? >> from & ((1 << (to - from)) - 1)));
    }
    if let Some((function, name)) = source.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        let text = |name: &str| field(name)?.as_str();
        return Some(match function {
            "first" => {
                let (list, name) = name.split_once('.').unwrap();
                field(list)?.as_array()?.first()?.get(name)?.clone()
            }
            "code" => json!(u32::from(text(name)?.chars().next()?)),
            "file" => json!(text(name)?.rsplit('\\').next()?),
            "path" => json!(path(text(name)?)),
            "seconds" => json!(seconds_twice(text(name)?)),
            "share" => json!(flags(number(name)?, SHARE)),
            "attributes" => json!(flags(number(name)? & 0xFF_FFFF, ATTRIBUTES)),
            "disposition" => json!(DISPOSITIONS.get((number(name)? >> 24) as usize)?),
            "ms" => json!(milliseconds(number(name)?.cast_signed(), event.frequency)),
            "since" => json!(milliseconds(event.raw_time - field(name)?.as_i64()?, event.frequency)),
            "unix" => json!(UNIX_EPOCH + number(name)?.cast_signed() * 10_000_000),
            "irp" => json!(flags(number(name)? & 0x1_FFFF, IRP_FLAGS)),
            "process" => json!(flags(number(name)?, PROCESS_FLAGS)),
            "priority" => json!(PRIORITIES.get((number(name)? >> 17 & 7) as usize)?),
            _ => panic!("{source}"),
        });
    }
    match source {
        "header process" => event.process.map(Json::from),
        "header thread" => event.thread.map(Json::from),
        "processor" => event.processor.map(Json::from),
        "PID and size" => Some(json!(number("PID")? | number("size")? << 32)),
        "version of the file" => super::super::rendering::version(&event.fields),
        name => field(name).cloned(),
    }
}

/// A path of the kernel as programs see it: the traces say that this volume is drive C.
fn path(kernel: &str) -> String {
    match (
        kernel.strip_prefix(r"\Device\HarddiskVolume2\"),
        kernel.strip_prefix(r"\Device\Mup\"),
    ) {
        (Some(rest), _) => format!(r"C:\{rest}"),
        (None, Some(rest)) => format!(r"\\{rest}"),
        (None, None) => kernel.to_owned(),
    }
}

/// `2021-09-09T14:59:35.7990000Z` as `21/09/09 14:59:35.035`.
fn seconds_twice(time: &str) -> String {
    let to_seconds = time[2..19].replace('-', "/").replace('T', " ");
    format!("{to_seconds}.0{}000", &time[17..19])
}

fn milliseconds(ticks: i64, frequency: i64) -> String {
    let micros = (ticks * 1_000_000 + frequency / 2) / frequency;
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

fn flags(bits: u64, table: &[(u64, &str)]) -> String {
    let mut rest = bits;
    let mut names = vec![];
    for (bit, name) in table {
        if rest & bit == *bit {
            rest &= !bit;
            names.push((*name).to_owned());
        }
    }
    if rest != 0 || bits == 0 {
        names.push(if rest == 0 { "None".to_owned() } else { format!("{rest:#x}") });
    }
    names.join(", ")
}
