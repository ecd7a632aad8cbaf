//! Lists and ranges of numbers.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Numbers as `1,2,10-20`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbers(Vec<RangeInclusive<u64>>);

impl Numbers {
    pub(crate) fn contains(&self, number: u64) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }
}

/// Reads a number, decimal or `0x...`.
pub(crate) fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // A sign is no digit, but the standard library takes one.
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
        None if !text.starts_with('+') => text.parse().ok(),
        _ => None,
    }
}

/// Whether a text is meant as numbers: it begins with a digit.
pub(crate) fn is_numeric(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(|part| range(part.trim()))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

fn range(part: &str) -> Result<RangeInclusive<u64>, String> {
    let one = |text: &str| {
        let text = text.trim();
        number(text).ok_or_else(|| {
            let found = if text.is_empty() {
                "nothing".to_owned()
            } else {
                format!("`{text}`")
            };
            format!(
                "expected a number from 0 to {}, found {found}; as in 1,2,10-20 or 0x1f",
                u64::MAX
            )
        })
    };
    let (first, last) = match part.split_once('-') {
        Some((first, last)) => (one(first)?, one(last)?),
        None => {
            let number = one(part)?;
            (number, number)
        }
    };
    if first > last {
        return Err(format!(
            "expected the smaller number first in a range, found `{part}`; write {last}-{first}"
        ));
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let numbers: Numbers = "1, 2,10-20,0x1F-0x21".parse().unwrap();
        let chosen: Vec<u64> = (0..64).filter(|number| numbers.contains(*number)).collect();
        let expected: Vec<u64> = [1, 2].into_iter().chain(10..=20).chain(31..=33).collect();
        assert_eq!(chosen, expected);
        assert!("0-18446744073709551615".parse::<Numbers>().unwrap().contains(u64::MAX));
    }

    #[test]
    fn errors_say_what_is_expected() {
        for (text, expected) in [
            ("", "found nothing; as in 1,2,10-20 or 0x1f"),
            ("1,,2", "found nothing"),
            ("-1", "found nothing"),
            ("+1", "found `+1`"),
            ("0x+1", "found `0x+1`"),
            ("1-2-3", "found `2-3`"),
            (
                "18446744073709551616",
                "from 0 to 18446744073709551615, found `18446744073709551616`",
            ),
            ("seven", "found `seven`"),
            ("20-10", "write 10-20"),
        ] {
            let error = text.parse::<Numbers>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
