//! From Microsoft's names to Rust's.

/// Words that are one word for Microsoft but look like two, or the other way round.
const WORDS: &[(&str, &str)] = &[
    ("MHz", "Mhz"),
    ("GUID", "Guid"),
    ("QPC", "Qpc"),
    ("PMC", "Pmc"),
    ("PEBS", "Pebs"),
];

/// Splits a name into lower-case words: `CpuSpeedInMHz` is cpu, speed, in, mhz, and `STACK_TRACE64` is stack, trace64.
fn words(name: &str) -> Vec<String> {
    let mut name = name.to_owned();
    if name.chars().any(|c| c.is_ascii_lowercase()) {
        for (from, to) in WORDS {
            name = name.replace(from, to);
        }
    }
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = vec![String::new()];
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
        let after = chars.get(at + 1).copied();
        let starts = c.is_ascii_uppercase()
            && (before
                .is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit() && after.is_some_and(|a| a.is_ascii_lowercase()))
                || before.is_some_and(|b| b.is_ascii_uppercase()) && after.is_some_and(|a| a.is_ascii_lowercase()));
        if c == '_' || starts {
            words.push(String::new());
        }
        if c != '_'
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Name of a Rust type: `WMI_BUFFER_HEADER` is `WmiBufferHeader`.
pub fn type_name(name: &str) -> String {
    words(name)
        .iter()
        .map(|word| {
            let mut chars = word.chars();
            chars
                .next()
                .map(|first| first.to_ascii_uppercase().to_string() + chars.as_str())
                .unwrap_or_default()
        })
        .collect()
}

/// Name of a Rust field, method or module: `BufferSize` is `buffer_size`.
pub fn field_name(name: &str) -> String {
    let snake = words(name).join("_");
    // `type` and its like are words of Rust.
    if syn::parse_str::<syn::Ident>(&snake).is_ok() {
        snake
    } else {
        format!("{snake}_")
    }
}

/// Name of a Rust constant: the words of `name` that `table` does not begin with, in capitals.
pub fn constant_name(table: &str, name: &str) -> String {
    let (table, name) = (words(table), words(name));
    let shared = table.iter().zip(&name).take_while(|(a, b)| a == b).count();
    // A name that is no longer than its table keeps its last word.
    let kept = name.get(shared.min(name.len().saturating_sub(1))..).unwrap_or_default();
    let constant = kept.join("_").to_ascii_uppercase();
    if constant.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{constant}")
    } else {
        constant
    }
}

/// Whether a name can be made into Rust names.
pub fn is_usable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && syn::parse_str::<syn::Ident>(&type_name(name)).is_ok()
}

/// Rust types that generated code names and that no schema may define: those of the runtime's prelude and of Rust's.
const RESERVED_TYPES: &[&str] = &[
    "AnsiFixed",
    "AnsiZ",
    "AsValue",
    "BinRead",
    "BinWrite",
    "Box",
    "Case",
    "Context",
    "Count",
    "EventInfo",
    "Expected",
    "FieldContext",
    "FieldInfo",
    "FieldVisitor",
    "Filetime",
    "FlagSet",
    "Guid",
    "Ipv4Addr",
    "Ipv6Addr",
    "Layout",
    "LayoutError",
    "NamedValue",
    "NoFields",
    "Number",
    "OpenEnum",
    "Option",
    "Peek",
    "ProviderInfo",
    "Record",
    "RecordInfo",
    "Result",
    "Sid",
    "SourceInfo",
    "String",
    "TableInfo",
    "TypedEvent",
    "Utf16Fixed",
    "Utf16Z",
    "Value",
    "Vec",
];

/// Whether a Rust type name is taken by something that is not of the schema.
pub fn is_reserved_type(rust_name: &str) -> bool {
    RESERVED_TYPES.contains(&rust_name) || crate::roles::ROLE_SETS.iter().any(|set| set.trait_name == rust_name)
}

/// No name is misspelt beyond this many characters: whoever writes longer ones gets no guess, and spends no time on one.
const LONGEST: usize = 200;

/// The candidate that differs least from `wanted`, if any is close enough to be a misspelling.
pub fn closest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    if length > LONGEST {
        return None;
    }
    let limit = (length / 3).max(1);
    let wanted = wanted.to_lowercase();
    candidates
        .into_iter()
        // As many edits as the lengths differ by are needed at least.
        .filter(|candidate| candidate.len() <= 4 * (LONGEST + limit) && candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Number of single-character edits between two words: one more, one less, another one, or two neighbours swapped.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Row i holds the distances from the first i characters of `a`; a swap looks back two rows.
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    let at = |rows: &[Vec<usize>], i: usize, j: usize| rows.get(i).and_then(|row| row.get(j)).copied().unwrap_or(usize::MAX - 1);
    for (i, from) in a.iter().enumerate() {
        rows.push(vec![i + 1]);
        for (j, to) in b.iter().enumerate() {
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(to) && b.get(j - 1) == Some(from);
            let mut best = at(&rows, i, j) + usize::from(from != to);
            best = best.min(at(&rows, i, j + 1) + 1).min(at(&rows, i + 1, j) + 1);
            if swapped {
                best = best.min(at(&rows, i - 1, j - 1) + 1);
            }
            if let Some(row) = rows.last_mut() {
                row.push(best);
            }
        }
    }
    at(&rows, a.len(), b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        for (from, to) in [
            ("WMI_BUFFER_HEADER", "WmiBufferHeader"),
            ("EVENT_EXTENDED_ITEM_STACK_TRACE64", "EventExtendedItemStackTrace64"),
            ("WMI_BUFFER_HEADER_5_2", "WmiBufferHeader52"),
            ("SYSTEMTIME", "Systemtime"),
        ] {
            assert_eq!(type_name(from), to);
        }
    }

    #[test]
    fn fields() {
        for (from, to) in [
            ("BufferSize", "buffer_size"),
            ("CpuSpeedInMHz", "cpu_speed_in_mhz"),
            ("ProcessId", "process_id"),
            ("Type", "type_"),
            ("LogFileNameString", "log_file_name_string"),
            ("Reserved1", "reserved1"),
            ("GUIDList", "guid_list"),
            ("TRACE_HEADER", "trace_header"),
        ] {
            assert_eq!(field_name(from), to);
        }
    }

    #[test]
    fn constants() {
        for (table, name, to) in [
            ("TRACE_HEADER_TYPE", "TRACE_HEADER_TYPE_SYSTEM32", "SYSTEM32"),
            ("ETW_BUFFER_STATE", "EtwBufferStateFree", "FREE"),
            ("EVENT_HEADER_FLAG", "EVENT_HEADER_FLAG_32_BIT_HEADER", "_32_BIT_HEADER"),
            ("TRACE_HEADER_FLAG", "TRACE_HEADER_FLAG", "FLAG"),
            ("TRACE_HEADER_FLAG", "TRACE_MESSAGE", "MESSAGE"),
        ] {
            assert_eq!(constant_name(table, name), to);
        }
    }

    #[test]
    fn misspellings() {
        assert_eq!(closest("u23", ["u8", "u16", "u32"]), Some("u32"));
        assert_eq!(
            closest("TRACE_HEADER_TYP", ["TRACE_HEADER_TYPE", "GUID"]),
            Some("TRACE_HEADER_TYPE")
        );
        assert_eq!(closest("ofsfet", ["size", "offset"]), Some("offset"));
        assert_eq!(closest("elephant", ["u8", "guid"]), None);
    }

    #[test]
    fn usable() {
        assert!(is_usable("Version"));
        assert!(!is_usable("2nd"));
        assert!(!is_usable("a-b"));
        assert!(!is_usable(""));
        assert!(is_reserved_type(&type_name("OPTION")) && is_reserved_type("EventRoles"));
        assert!(!is_reserved_type("Options"));
    }
}
