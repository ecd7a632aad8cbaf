//! Whether a value that TraceEvent prints is one that this reader has.

use serde_json::Value as Json;
use winetl::Filetime;

/// Characters that are left of a longer value.
const SHOWN: usize = 20;

/// Compares by what the value here is: numbers as numbers, with commas or in hex there; text as text.
pub(super) fn agrees(theirs: &str, ours: &Json) -> bool {
    match ours {
        Json::Number(number) => {
            let number = number.as_u64().or_else(|| number.as_i64().map(i64::cast_unsigned)).unwrap();
            number_agrees(theirs, number) || is_date(theirs) && text_agrees(theirs, &date(number.cast_signed()))
        }
        Json::String(text) => text_agrees(theirs, text),
        Json::Bool(truth) => theirs.eq_ignore_ascii_case(&truth.to_string()),
        _ => false,
    }
}

fn number_agrees(theirs: &str, ours: u64) -> bool {
    match theirs {
        "None" | "False" => ours == 0,
        "True" => ours == 1,
        _ => match theirs.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16) == Ok(ours),
            None => forms(ours)
                .iter()
                .any(|ours| text_agrees(theirs, ours) || theirs == ours.replace(',', "")),
        },
    }
}

/// A number without a sign, and with that of 64 and of 32 bits, with commas between thousands.
fn forms(number: u64) -> Vec<String> {
    let mut forms = vec![commas(&number.to_string()), commas(&number.cast_signed().to_string())];
    forms.extend(u32::try_from(number).map(|number| commas(&number.cast_signed().to_string())));
    forms
}

fn commas(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn text_agrees(theirs: &str, ours: &str) -> bool {
    let cut = ours.char_indices().nth(SHOWN).map(|(at, _)| &ours[..at]);
    let shown = cut.map_or_else(|| ours.to_owned(), |cut| format!("{cut}..."));
    theirs == shown.replace('\n', "\\n").replace('\r', "\\r")
}

/// `21/09/09 14:59:42.05...`
fn is_date(theirs: &str) -> bool {
    let pattern = "00/00/00 00:00:00.00...";
    theirs.len() == pattern.len()
        && theirs.bytes().zip(pattern.bytes()).all(|(found, place)| match place {
            b'0' => found.is_ascii_digit(),
            place => found == place,
        })
}

fn date(ticks: i64) -> String {
    let text = Filetime(ticks).to_string();
    text.get(2..).unwrap_or_default().replacen('-', "/", 2).replacen('T', " ", 1)
}

mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers() {
        assert!(agrees("8,192", &json!(8192)));
        assert!(agrees("0x00001fff", &json!(0x1FFF)));
        assert!(agrees("-1", &json!(u32::MAX)));
        assert!(agrees("-1", &json!(-1)));
        assert!(!agrees("-1", &json!(u64::from(u16::MAX))));
        assert!(!agrees("8,192", &json!(8193)));
        assert!(agrees("None", &json!(0)));
        assert!(!agrees("None", &json!(1)));
        assert!(agrees("-1,000,000,000,000,0...", &json!(-1_000_000_000_000_000_i64)));
        assert!(!agrees("-1,000,000,000,000,1...", &json!(-1_000_000_000_000_000_i64)));
        assert!(agrees("-100", &json!(-100)));
    }

    #[test]
    fn text() {
        assert!(agrees("short", &json!("short")));
        assert!(agrees("12345678901234567890...", &json!("123456789012345678901")));
        assert!(!agrees("12345678901234567890...", &json!("12345678901234567890")));
        assert!(!agrees("1234...", &json!("12345")));
        assert!(!agrees("short", &json!("shorter")));
        assert!(agrees("two\\r\\nlines", &json!("two\r\nlines")));
    }

    #[test]
    fn dates() {
        assert!(agrees("70/01/01 00:00:00.00...", &json!(116_444_736_000_000_000_u64)));
        assert!(!agrees("70/01/01 00:00:00.01...", &json!(116_444_736_000_000_000_u64)));
    }
}
