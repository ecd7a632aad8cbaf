//! JSON in one line, through serde_json.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// Appends `value` and the end of the line to `out`.
pub(crate) fn push_line(value: &impl Serialize, out: &mut Vec<u8>) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Lines))?;
    out.push(b'\n');
    Ok(())
}

/// The form without blanks, in which [`Ascii`] is text.
struct Lines;

impl Formatter for Lines {
    fn write_byte_array<W: ?Sized + Write>(&mut self, writer: &mut W, value: &[u8]) -> io::Result<()> {
        let mut compact = CompactFormatter;
        compact.begin_string(writer)?;
        writer.write_all(value)?;
        compact.end_string(writer)
    }
}

/// Text that was just made of letters, digits and the like, which no escape can be in: it is written as it is. Most of a dump
/// is such text (digits of payloads, GUIDs, times), and to search it for what to escape would cost a fifth of the time.
///
/// It serializes as bytes, which nothing else does here: bytes of a trace are hexadecimal digits.
pub(crate) struct Ascii<T>(pub(crate) T);

impl<T: AsRef<[u8]>> Serialize for Ascii<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0.as_ref())
    }
}

/// The line without its end, for tests.
#[cfg(test)]
pub(crate) fn text(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    push_line(value, &mut out).unwrap();
    out.pop();
    String::from_utf8(out).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_text() {
        assert_eq!(text(&Some(Ascii(b"0f"))), "\"0f\"");
        assert_eq!(text(&["a\"b"]), "[\"a\\\"b\"]");
    }
}
