//! The message of an event: what its schema says in words, with the values of the fields put in.

use winetl::record::{FieldInfo, FieldVisitor, Value};

use super::cell::plain;
use super::json::Json;
use super::sink::Shown;
use super::value::JsonValue;

/// Most bytes of a message: a short one can name a long field again and again.
const LONGEST: usize = 1 << 16;

/// The message of an event, if the trace has one for it. `%1` is the first field, `%n` a line end, `%t` a tab, `%%` and the like
/// the character itself, as in the messages of Windows; what stands between `!` behind a field's number is a hint for C and is left
/// out. A field that is not there is nothing.
pub(crate) fn message(shown: &Shown<'_>) -> Option<String> {
    let message = shown.payload.schema?.message.as_deref()?;
    let mut fields = Texts(Vec::new());
    if message.contains('%')
        && let Some(record) = &shown.payload.record
    {
        record.record().visit(&mut fields);
    }
    Some(fill(message, &fields.0))
}

fn fill(message: &str, fields: &[String]) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let digits = after.bytes().take(2).take_while(u8::is_ascii_digit).count();
        let (number, behind) = after.split_at(digits);
        if digits > 0 {
            let field = number
                .parse::<usize>()
                .ok()
                .and_then(|number| fields.get(number.checked_sub(1)?));
            out.push_str(field.map(String::as_str).unwrap_or_default());
            rest = hint_end(behind);
        } else {
            let mut characters = behind.chars();
            match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('b') => out.push(' '),
                // Ends the message without a line end.
                Some('0') | None => {}
                Some(other) => out.push(other),
            }
            rest = characters.as_str();
        }
        if out.len() > LONGEST {
            out.truncate(boundary(&out, LONGEST));
            return out;
        }
    }
    out.push_str(rest);
    out
}

/// Behind the hint for C, if one stands here.
fn hint_end(text: &str) -> &str {
    let inner = text.strip_prefix('!');
    inner
        .and_then(|inner| inner.split_once('!'))
        .map_or(text, |(_, behind)| behind)
}

/// The last boundary of characters at or before a place.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// The fields as text.
struct Texts(Vec<String>);

impl FieldVisitor for Texts {
    fn field(&mut self, info: &FieldInfo<'_>, value: Value<'_>) {
        if !info.hidden {
            let mut json = Vec::new();
            JsonValue { value, hex: info.hex }.push(&mut json);
            self.0.push(plain(&json).into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_put_in() {
        let fields: Vec<String> = (1..=12).map(|number| format!("f{number}")).collect();
        let filled = |message| fill(message, &fields);
        assert_eq!(filled("no field"), "no field");
        assert_eq!(filled("%1 and %12!s!, not %13!"), "f1 and f12, not !");
        assert_eq!(filled("100%% of %2%nend%"), "100% of f2\nend");
        assert_eq!(filled("%1!unclosed"), "f1!unclosed");
        assert_eq!(filled("%é"), "é");
    }

    #[test]
    fn messages_do_not_grow_without_end() {
        let fields = vec!["é".repeat(40_000)];
        assert!(fill(&"%1".repeat(1000), &fields).len() <= LONGEST);
    }
}
