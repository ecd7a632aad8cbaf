//! Points in time, as command lines name them.

use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use winetl::Filetime;

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// On the calendar.
    At(Filetime),
    /// So many 100 ns after the first event in the file.
    After(i64),
}

/// Nanoseconds of the unit of a FILETIME.
const UNIT: i128 = 100;

impl Moment {
    /// The time, if the first event is at `first`; `None` if it cannot be told.
    pub(crate) fn after(self, first: Option<Filetime>) -> Option<Filetime> {
        match self {
            Self::At(time) => Some(time),
            Self::After(by) => Some(Filetime(first?.0.saturating_add(by))),
        }
    }
}

/// Reads a time of the calendar: RFC 3339, UTC where no offset is given, or a date alone.
pub(crate) fn calendar(text: &str) -> Option<Filetime> {
    let timestamp = text
        .parse::<Timestamp>()
        .or_else(|_| text.parse::<DateTime>().and_then(|civil| TimeZone::UTC.to_timestamp(civil)))
        .ok()?;
    let ticks = timestamp.as_nanosecond().div_euclid(UNIT) + i128::from(Filetime::UNIX_EPOCH.0);
    i64::try_from(ticks).ok().map(Filetime)
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(after) = text.strip_prefix('+') {
            let span = after.parse::<SignedDuration>().ok().filter(|span| !span.is_negative());
            let ticks = span.and_then(|span| i64::try_from(span.as_nanos() / UNIT).ok());
            return ticks.map(Self::After).ok_or_else(|| {
                "expected a time after the first event as a number with the unit h, m, s, ms or us, such as +1.5s or +2m"
                    .to_owned()
            });
        }
        calendar(text).map(Self::At).ok_or_else(|| {
            "expected a time such as 2024-05-14T09:30:00.5Z or 2024-05-14T11:30:00+02:00 (UTC if no offset is given), \
             or one after the first event such as +1.5s"
                .to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendar_times() {
        for (text, expected) in [
            ("2024-05-14T09:30:00.0000020Z", "2024-05-14T09:30:00.0000020Z"),
            ("2024-05-14T11:30:00+02:00", "2024-05-14T09:30:00.0000000Z"),
            ("2024-05-14T09:30:00", "2024-05-14T09:30:00.0000000Z"),
            ("2024-05-14 09:30:00.5", "2024-05-14T09:30:00.5000000Z"),
            ("2024-05-14 09:30", "2024-05-14T09:30:00.0000000Z"),
            ("2024-05-14", "2024-05-14T00:00:00.0000000Z"),
            // A digit more than Windows counts.
            ("2024-05-14T09:30:00.00000209Z", "2024-05-14T09:30:00.0000020Z"),
            ("1601-01-01T00:00:00Z", "1601-01-01T00:00:00.0000000Z"),
        ] {
            match text.parse() {
                Ok(Moment::At(time)) => assert_eq!(time.to_string(), expected, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert_eq!(calendar("1600-12-31T23:59:59.9999999Z"), Some(Filetime(-1)));
    }

    #[test]
    fn times_after_the_first_event() {
        for (text, expected) in [
            ("+0s", 0),
            ("+1.5s", 15_000_000),
            ("+2m", 1_200_000_000),
            ("+2m 1s", 1_210_000_000),
            ("+1h", 36_000_000_000),
            ("+250us", 2_500),
            ("+100ms", 1_000_000),
            ("+1ms", 10_000),
            ("+300ns", 3),
        ] {
            assert_eq!(text.parse(), Ok(Moment::After(expected)), "{text}");
        }
        let moment = Moment::After(i64::MAX);
        assert_eq!(moment.after(Some(Filetime(1))), Some(Filetime(i64::MAX)));
        assert_eq!(moment.after(None), None);
    }

    #[test]
    fn errors_have_an_example() {
        for text in [
            "",
            "now",
            "2024-13-01",
            "09:30",
            "2024-05-14T25:00:00Z",
            "2024-05-14T09:30:00+99:00",
        ] {
            assert!(
                text.parse::<Moment>().unwrap_err().contains("2024-05-14T09:30:00.5Z"),
                "{text}"
            );
        }
        for text in ["+", "+1", "+1.5", "+s", "+-1s", "+1d", "+99999999999999h"] {
            assert!(text.parse::<Moment>().unwrap_err().contains("+1.5s"), "{text}");
        }
    }
}
