//! Text and values for XML 1.0, whatever is in them.

use std::borrow::Cow;
use std::fmt::Write as _;

use winetl::record::Value;

use super::cell::plain;
use super::json::Json;
use super::tracerpt::{Braced, UpperHex};
use super::value::JsonValue;

/// Appends text as content or in an attribute between `"`. Characters that XML 1.0 cannot hold, as most control characters, become
/// U+FFFD; a tab and a line end are written by number, because a reader would make blanks of them in an attribute, and a line
/// feed of a carriage return.
pub(crate) fn push_escaped(text: &str, out: &mut String) {
    // Nearly all text has nothing to escape; without a way out in between, many bytes are looked at at once.
    if !text.bytes().fold(false, |found, byte| found | is_special(byte)) {
        out.push_str(text);
        return;
    }
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_special) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let mut characters = behind.chars();
        match characters.next() {
            Some('&') => out.push_str("&amp;"),
            Some('<') => out.push_str("&lt;"),
            Some('>') => out.push_str("&gt;"),
            Some('"') => out.push_str("&quot;"),
            Some('\t') => out.push_str("&#9;"),
            Some('\n') => out.push_str("&#10;"),
            Some('\r') => out.push_str("&#13;"),
            Some(character) if is_allowed(character) => out.push(character),
            Some(_) => out.push(char::REPLACEMENT_CHARACTER),
            None => {}
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
}

/// Whether a byte begins a character that may have to be written otherwise.
fn is_special(byte: u8) -> bool {
    // U+FFFE and U+FFFF begin with 0xEF.
    matches!(byte, 0..=0x1F | b'&' | b'<' | b'>' | b'"' | 0xEF)
}

/// The characters of XML 1.0, in section 2.2.
fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

/// Appends a value that has no parts, escaped: as in JSON, but for GUIDs, which have braces, and digits beyond 9, which are in upper
/// case, as tracerpt has them.
pub(crate) fn push_value(value: Value<'_>, hex: bool, json: &mut Vec<u8>, out: &mut String) {
    json.clear();
    push_escaped(&text(value, hex, json), out);
}

/// The same not escaped. `json` is room to work in.
pub(crate) fn text<'a>(value: Value<'_>, hex: bool, json: &'a mut Vec<u8>) -> Cow<'a, str> {
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = match value {
        Value::Guid(guid) => write!(out, "{}", Braced(guid)),
        Value::Address(number) | Value::Flags(number, _) => write!(out, "{number:#X}"),
        Value::Unsigned(number) if hex => write!(out, "{number:#X}"),
        Value::Mapped(number, map) if map.is_bitmap => write!(out, "{number:#X}"),
        Value::Bytes(bytes) => write!(out, "{}", UpperHex(bytes)),
        value => {
            JsonValue { value, hex }.push(json);
            return plain(json);
        }
    };
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        push_escaped(text, &mut out);
        out
    }

    #[test]
    fn hostile_text_is_valid() {
        assert_eq!(escaped("a<b>&\"'c]]>"), "a&lt;b&gt;&amp;&quot;'c]]&gt;");
        assert_eq!(escaped("\t\r\n"), "&#9;&#13;&#10;");
        assert_eq!(
            escaped("\0\x01\x1B\u{FFFE}\u{FFFF}\u{FEFF}\u{FFFD}é\u{1F600}"),
            "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FEFF}\u{FFFD}é\u{1F600}"
        );
    }

    #[test]
    fn values_as_tracerpt_spells_them() {
        let text = |value| text(value, false, &mut Vec::new()).into_owned();
        assert_eq!(text(Value::Address(0xFFFF_8C8C_D16A_E040)), "0xFFFF8C8CD16AE040");
        assert_eq!(
            text(Value::Guid(winetl::Guid::ZERO)),
            "{00000000-0000-0000-0000-000000000000}"
        );
        assert_eq!(text(Value::Bytes(&[0xAB, 1])), "AB01");
        assert_eq!(text(Value::Unsigned(65536)), "65536");
        assert_eq!(text(Value::Absent), "");
    }
}
