//! JSON in one line. What is printed once for each event is pushed straight into memory; rows and reports come through serde.
//!
//! Escapes and floating-point numbers are serde_json's here too. But most text is known to need no escape, or is quickly seen to,
//! and to go through a serializer for each key and number would double the time of a dump.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// What can be pushed as JSON.
pub(crate) trait Json {
    /// Appends the value to `out`.
    fn push(&self, out: &mut Vec<u8>);
}

/// A value that is too rare for a form of its own, through serde.
pub(crate) struct Serialized<T>(pub(crate) T);

impl<T: Serialize> Json for Serialized<T> {
    fn push(&self, out: &mut Vec<u8>) {
        let start = out.len();
        // Writing to memory does not fail, and no value here has a key that is not text.
        if serde_json::to_writer(&mut *out, &self.0).is_err() {
            out.truncate(start);
            out.extend_from_slice(b"null");
        }
    }
}

/// An object that is being pushed.
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    start: usize,
}

impl<'o> Object<'o> {
    pub(crate) fn begin(out: &'o mut Vec<u8>) -> Self {
        let start = out.len();
        Self { out, start }
    }

    /// Pushes an entry whose key is any text.
    #[inline]
    pub(crate) fn entry(&mut self, key: &str, value: &impl Json) {
        self.out.push(b',');
        push_text(key, self.out);
        self.out.push(b':');
        value.push(self.out);
    }

    /// Pushes an entry for [`entry!`], which has put the key into the form `,"key":`.
    #[inline(always)]
    pub(crate) fn written(&mut self, key: &'static str, value: &(impl Json + ?Sized)) {
        self.out.extend_from_slice(key.as_bytes());
        value.push(self.out);
    }

    /// Pushes entries that [`Self::pushed`] gave.
    #[inline]
    pub(crate) fn entries(&mut self, entries: &[u8]) {
        self.out.extend_from_slice(entries);
    }

    /// Gives the text of the entries that `push` pushes.
    pub(crate) fn pushed(&mut self, push: impl FnOnce(&mut Self)) -> &[u8] {
        let start = self.out.len();
        push(self);
        self.out.get(start..).unwrap_or_default()
    }

    /// Ends the object.
    pub(crate) fn end(self) {
        // Each entry has a comma before it; the first of them becomes the brace.
        match self.out.get_mut(self.start) {
            Some(first) => *first = b'{',
            None => self.out.push(b'{'),
        }
        self.out.push(b'}');
    }
}

/// Pushes an entry whose key is a literal without anything to escape.
macro_rules! entry {
    ($object:expr, $key:literal, $value:expr) => {
        $object.written(concat!(",\"", $key, "\":"), $value)
    };
}
pub(crate) use entry;

/// Pushes a list: `each` is called with what pushes one element.
pub(crate) fn push_list(out: &mut Vec<u8>, each: impl FnOnce(&mut dyn FnMut(&dyn Json))) {
    let start = out.len();
    each(&mut |element| {
        out.push(b',');
        element.push(out);
    });
    match out.get_mut(start) {
        Some(first) => *first = b'[',
        None => out.push(b'['),
    }
    out.push(b']');
}

/// Pushes text that was just made of letters, digits and the like, which no escape can be in.
#[inline]
pub(crate) fn push_ascii(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
}

/// Text of [`push_ascii`].
pub(crate) struct Ascii<T>(pub(crate) T);

impl<T: AsRef<[u8]>> Json for Ascii<T> {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_ascii(self.0.as_ref(), out);
    }
}

/// Pushes any text.
#[inline]
pub(crate) fn push_text(text: &str, out: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) {
        push_ascii(text.as_bytes(), out);
    } else {
        push_serialized(text, out);
    }
}

/// Whether serde_json would escape none of the bytes of a text: no control character, quotation mark or backslash is in it.
#[inline]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    const ONES: u64 = u64::MAX / 255;
    // Sets the high bit of some byte if one of the eight is below `least`, which is at most 128; else none.
    let below = |bytes: u64, least: u8| bytes.wrapping_sub(ONES * u64::from(least)) & !bytes;
    let special = |bytes: [u8; 8]| {
        let bytes = u64::from_ne_bytes(bytes);
        let same = |as_byte: u8| below(bytes ^ (ONES * u64::from(as_byte)), 1);
        (below(bytes, b' ') | same(b'"') | same(b'\\')) & (ONES << 7)
    };
    let Some(last) = text.last_chunk::<8>() else {
        return text.iter().all(|byte| !matches!(byte, ..b' ' | b'"' | b'\\'));
    };
    let (chunks, _) = text.as_chunks::<8>();
    // The last eight overlap the chunk before.
    chunks.iter().fold(special(*last), |found, chunk| found | special(*chunk)) == 0
}

#[inline(never)]
fn push_serialized<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    // It fails where a writer does or a map has keys that are no text; memory, text and numbers are neither.
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok());
}

impl Json for str {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_text(self, out);
    }
}

impl Json for &str {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_text(self, out);
    }
}

impl Json for Cow<'_, str> {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_text(self, out);
    }
}

impl<T: Json> Json for Option<T> {
    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.push(out),
            None => out.extend_from_slice(b"null"),
        }
    }
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Json for $ty {
            #[inline]
            fn push(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(itoa::Buffer::new().format(*self).as_bytes());
            }
        }
    )*};
}

numbers!(u16, u64, i64);

impl Json for f64 {
    fn push(&self, out: &mut Vec<u8>) {
        push_serialized(self, out);
    }
}

impl Json for bool {
    fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

/// Appends `value` and the end of the line to `out`.
pub(crate) fn push_line(value: &impl Serialize, out: &mut Vec<u8>) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Lines))?;
    out.push(b'\n');
    Ok(())
}

/// Serializes what [`Json::push`] gives, in [`push_line`] and nowhere else.
pub(crate) fn serialize<S: serde::Serializer>(value: &impl Json, serializer: S) -> Result<S::Ok, S::Error> {
    let mut pushed = Vec::new();
    value.push(&mut pushed);
    serializer.serialize_bytes(&pushed)
}

/// The form without blanks, in which bytes are JSON already. Nothing else serializes as bytes here: bytes of a trace are
/// hexadecimal digits.
struct Lines;

impl Formatter for Lines {
    fn write_byte_array<W: ?Sized + Write>(&mut self, writer: &mut W, value: &[u8]) -> io::Result<()> {
        writer.write_all(value)
    }
}

/// What is pushed, for tests.
#[cfg(test)]
pub(crate) fn text(value: &impl Json) -> String {
    let mut out = Vec::new();
    value.push(&mut out);
    String::from_utf8(out).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_as_serde_json_does() {
        let plain = "0123456789 abcdefghij\u{e9}\u{7f}\u{20ac}";
        for length in (0..=plain.len()).filter(|length| plain.is_char_boundary(*length)) {
            let plain = &plain[..length];
            assert!(is_plain(plain.as_bytes()));
            assert_eq!(text(&plain), serde_json::to_string(plain).unwrap());
            for at in (0..=length).filter(|at| plain.is_char_boundary(*at)) {
                for special in (0..0x20).chain([0x22, 0x5C]) {
                    let mut special = plain[..at].to_owned() + char::from(special).encode_utf8(&mut [0; 4]);
                    special.push_str(&plain[at..]);
                    assert!(!is_plain(special.as_bytes()), "{special:?}");
                    assert_eq!(text(&special.as_str()), serde_json::to_string(&special).unwrap());
                }
            }
        }
    }

    #[test]
    fn every_byte_is_plain_or_not_beside_any_other() {
        for pair in 0..=u16::MAX {
            let [a, b] = pair.to_le_bytes();
            let special = |byte: u8| byte < 0x20 || byte == 0x22 || byte == 0x5C;
            let mut bytes = [b'x'; 8];
            (bytes[3], bytes[4]) = (a, b);
            assert_eq!(is_plain(&bytes), !special(a) && !special(b), "{a:#x} {b:#x}");
        }
    }

    #[test]
    fn numbers_and_truth() {
        assert_eq!(
            (text(&u64::MAX), text(&i64::MIN)),
            (u64::MAX.to_string(), i64::MIN.to_string())
        );
        assert_eq!(
            (text(&0.5), text(&1e300), text(&f64::NAN)),
            ("0.5".into(), "1e+300".into(), "null".into())
        );
        assert_eq!(
            (text(&true), text(&Some(false)), text(&None::<bool>)),
            ("true".into(), "false".into(), "null".into())
        );
    }

    #[test]
    fn objects_and_lists() {
        let mut out = b"x".to_vec();
        Object::begin(&mut out).end();
        push_list(&mut out, |_| {});
        let mut object = Object::begin(&mut out);
        entry!(object, "a", &1u64);
        object.entry("\"", &"b");
        object.end();
        push_list(&mut out, |element| {
            element(&true);
            element(&None::<u64>);
        });
        assert_eq!(out, br#"x{}[]{"a":1,"\"":"b"}[true,null]"#);
    }

    #[test]
    fn what_is_pushed_is_serialized_as_it_is() {
        struct Pushed;
        impl Serialize for Pushed {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize(&1u64, serializer)
            }
        }
        let mut out = Vec::new();
        push_line(&[Some(Pushed), None], &mut out).unwrap();
        assert_eq!(out, b"[1,null]\n");
    }
}
