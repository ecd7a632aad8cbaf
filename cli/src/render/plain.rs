//! Reflected values as plain text, safe to show on a terminal.

use std::fmt::{self, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr};

use winetl::record::{FieldInfo, FieldVisitor, Value};
use winetl::text::{push_ansi, push_utf16, push_utf16_bytes, sid_text, socket_address, systemtime_text};

use super::hex;

/// Most bytes of a payload that a line shows.
const SHOWN_BYTES: usize = 32;

/// Most elements of a list that a line shows.
const SHOWN_ELEMENTS: usize = 16;

/// A value as text; numbers as `0x...` if `hex`.
pub(crate) struct Plain<'a> {
    pub(crate) value: Value<'a>,
    pub(crate) hex: bool,
}

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Absent => f.write_str("-"),
            Value::Unsigned(number) if self.hex => write!(f, "{number:#x}"),
            Value::Unsigned(number) => write!(f, "{number}"),
            Value::Signed(number) => write!(f, "{number}"),
            Value::Guid(guid) => write!(f, "{guid}"),
            Value::Filetime(time) if time.to_ascii().is_none() => write!(f, "{}", time.0),
            Value::Filetime(time) => write!(f, "{time}"),
            Value::Enum(_, Some(entry)) => f.write_str(entry.name),
            Value::Enum(number, None) => write!(f, "{number}"),
            Value::Flags(bits, _) => write!(f, "{bits:#x}"),
            Value::Bytes(bytes) => {
                let mut text = Vec::new();
                cut_bytes(bytes, &mut text);
                write!(f, "({} bytes: {})", bytes.len(), String::from_utf8_lossy(&text))
            }
            Value::Utf16(units) => {
                let mut text = String::new();
                push_utf16(units, &mut text);
                quote(&text, f)
            }
            Value::Ansi(bytes) => {
                let mut text = String::new();
                push_ansi(bytes, &mut text);
                quote(&text, f)
            }
            Value::Utf16Bytes(bytes) => {
                let mut text = String::new();
                push_utf16_bytes(bytes, &mut text);
                quote(&text, f)
            }
            Value::Sid(sid) => write!(f, "{sid}"),
            Value::SidBytes([]) => f.write_str("-"),
            Value::SidBytes(bytes) => f.write_str(&sid_text(bytes)),
            Value::Address(number) => write!(f, "{number:#x}"),
            Value::Float(number) => write!(f, "{number}"),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Systemtime(bytes) => f.write_str(&systemtime_text(bytes)),
            Value::Ipv4(bytes) => write!(f, "{}", Ipv4Addr::from(bytes)),
            Value::Ipv6(bytes) => write!(f, "{}", Ipv6Addr::from(bytes)),
            Value::SocketAddress(bytes) => match socket_address(bytes) {
                Some(address) => write!(f, "{address}"),
                None => write!(f, "({} bytes)", bytes.len()),
            },
            Value::Mapped(number, map) => match map.name_of(number) {
                Some(name) => push_safe(name, f),
                None => write!(f, "{number:#x}"),
            },
            Value::Record(record) => {
                let mut fields = Fields {
                    f,
                    first: true,
                    result: Ok(()),
                };
                fields.f.write_char('{')?;
                record.visit(&mut fields);
                fields.result?;
                f.write_char('}')
            }
            Value::List(list) => {
                f.write_char('[')?;
                let mut index = 0;
                let mut result = Ok(());
                list.for_each(&mut |value| {
                    if index < SHOWN_ELEMENTS && result.is_ok() {
                        let comma = if index == 0 { "" } else { ", " };
                        result = write!(f, "{comma}{}", Plain { value, hex: self.hex });
                    }
                    index += 1;
                });
                result?;
                match list.len().saturating_sub(SHOWN_ELEMENTS) {
                    0 => f.write_char(']'),
                    more => write!(f, ", ... {more} more]"),
                }
            }
        }
    }
}

struct Fields<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    first: bool,
    result: fmt::Result,
}

impl FieldVisitor for Fields<'_, '_> {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if self.result.is_ok() && !info.hidden && !matches!(value, Value::Absent) {
            let blank = if self.first { "" } else { " " };
            self.first = false;
            self.result = write!(self.f, "{blank}{}={}", Safe(info.name), Plain { value, hex: info.hex });
        }
    }
}

/// Writes the first bytes in groups of four.
pub(crate) fn cut_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    let shown = bytes.get(..SHOWN_BYTES).unwrap_or(bytes);
    for (index, group) in shown.chunks(4).enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        hex::push_bytes(group, out);
    }
    if shown.len() < bytes.len() {
        out.extend_from_slice(b" ...");
    }
}

/// Text in quotation marks: `"..."`, or `'...'` around a text with `"` in it, so that a command line reads as it was typed.
/// Nothing is escaped but what could steer a terminal or turn the direction of writing, which is written as its number, and
/// the `"` of a text that has both marks.
fn quote(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    let mark = if text.contains('"') && !text.contains('\'') {
        '\''
    } else {
        '"'
    };
    out.write_char(mark)?;
    for (index, part) in text.split(mark).enumerate() {
        if index > 0 {
            write!(out, "\\u{{{:x}}}", u32::from(mark))?;
        }
        push_safe(part, out)?;
    }
    out.write_char(mark)
}

/// The same without quotation marks.
pub(crate) fn safe(text: &str) -> String {
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = push_safe(text, &mut out);
    out
}

/// Text that cannot steer a terminal, as [`safe`] has it: names of fields come from the trace too.
pub(crate) struct Safe<'a>(pub(crate) &'a str);

impl fmt::Display for Safe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return f.write_str(self.0);
        }
        push_safe(self.0, f)
    }
}

fn push_safe(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    for character in text.chars() {
        let turns = matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
        if character.is_control() || turns {
            write!(out, "\\u{{{:x}}}", u32::from(character))?;
        } else {
            out.write_char(character)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use winetl::record::List;

    use super::*;

    fn text(value: Value<'_>) -> String {
        Plain { value, hex: false }.to_string()
    }

    #[test]
    fn text_cannot_steer_a_terminal() {
        assert_eq!(text(Value::Ansi(b"a\x1b[2Jb")), "\"a\\u{1b}[2Jb\"");
        assert_eq!(safe("x\u{202E}y\nz"), "x\\u{202e}y\\u{a}z");
    }

    #[test]
    fn quotation_marks_stay_readable() {
        assert_eq!(text(Value::Ansi(b"it's")), "\"it's\"");
        assert_eq!(text(Value::Ansi(b"\"a b\" c")), "'\"a b\" c'");
        assert_eq!(text(Value::Ansi(b"\"it's\"")), "\"\\u{22}it's\\u{22}\"");
    }

    #[test]
    fn a_time_that_no_calendar_has_is_its_number() {
        assert_eq!(text(Value::Filetime(winetl::Filetime(-1))), "-1");
    }

    #[test]
    fn long_values_are_cut() {
        let bytes = [0xAB; 40];
        let shown = text(Value::Bytes(&bytes));
        assert!(
            shown.starts_with("(40 bytes: abababab abababab") && shown.ends_with(" ...)"),
            "{shown}"
        );
        let list: &dyn List = &vec![1u8; 20];
        assert!(text(Value::List(list)).ends_with(", ... 4 more]"));
    }
}
