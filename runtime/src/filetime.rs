//! Windows FILETIME: counting, calendar and text form.

use std::fmt;

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// Units of 100 ns per second.
pub const TICKS_PER_SECOND: i64 = 10_000_000;

const SECONDS_PER_DAY: i64 = 86_400;

/// Days of 400 Gregorian years, after which the calendar repeats.
const DAYS_PER_CYCLE: i64 = 146_097;

/// Cycles that make every value positive: i64 reaches 29,228 years back from 1601.
const BIAS_CYCLES: i64 = 74;

/// Length of the text form: `2025-10-05T11:30:19.2015908Z`.
const TEXT_LEN: usize = 28;

/// A point in time as a count of 100 ns since 1601-01-01T00:00:00 UTC, the Windows FILETIME, stored as a little-endian i64.
///
/// The text form is RFC 3339 with exactly 7 fractional digits, `2025-10-05T11:30:19.2015908Z`, in the proleptic Gregorian
/// calendar and without leap seconds, as Windows counts. A value that form cannot hold (negative, or after the year 9999)
/// prints as its number: `FILETIME(-1)`. Printing and converting never fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Filetime(
    /// 100 ns units since 1601-01-01T00:00:00 UTC.
    pub i64,
);

/// A FILETIME split into calendar date and time of day, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Civil {
    /// Year of the proleptic Gregorian calendar, -27627 to 30828; 0 is the year before 1.
    pub year: i32,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day of the month, 1 to 31.
    pub day: u8,
    /// Hour, 0 to 23.
    pub hour: u8,
    /// Minute, 0 to 59.
    pub minute: u8,
    /// Second, 0 to 59.
    pub second: u8,
    /// Fraction of the second in units of 100 ns, 0 to 9,999,999.
    pub ticks: u32,
}

impl Filetime {
    /// 1601-01-01T00:00:00Z, the zero of the count. Files use it for "no time", for example an unfinished trace's `EndTime`.
    pub const ZERO: Self = Self(0);

    /// 1970-01-01T00:00:00Z.
    pub const UNIX_EPOCH: Self = Self(116_444_736_000_000_000);

    /// The last value with a calendar text form, 9999-12-31T23:59:59.9999999Z.
    pub const MAX_TEXT: Self = Self(2_650_467_743_999_999_999);

    /// Splits the value into date and time; defined for every value.
    #[must_use]
    pub const fn to_civil(self) -> Civil {
        let seconds = self.0.div_euclid(TICKS_PER_SECOND);
        let ticks = self.0.rem_euclid(TICKS_PER_SECOND) as u32;
        // From here on unsigned and mostly in 32 bits, which divides faster: the bias of whole 400-year cycles takes the
        // earliest value above zero.
        let seconds = (seconds + BIAS_CYCLES * DAYS_PER_CYCLE * SECONDS_PER_DAY) as u64;
        let days = (seconds / SECONDS_PER_DAY as u64) as u32;
        let clock = (seconds % SECONDS_PER_DAY as u64) as u32;

        // 1601 begins a cycle. Counting the years from 1 March instead puts the leap day at the end of the year, which makes
        // month lengths a linear pattern; 306 days lie between 1 March 1600 and 1 January 1601.
        let days = days + 306;
        let cycle = days / DAYS_PER_CYCLE as u32;
        let day_of_cycle = days % DAYS_PER_CYCLE as u32;
        let year_of_cycle = (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
        let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let (month, next_year) = if march_month < 10 {
            (march_month + 3, 0)
        } else {
            (march_month - 9, 1)
        };
        let year = 400 * cycle + year_of_cycle + next_year;

        Civil {
            year: year as i32 + 1600 - 400 * BIAS_CYCLES as i32,
            month: month as u8,
            day: day as u8,
            hour: (clock / 3_600) as u8,
            minute: (clock / 60 % 60) as u8,
            second: (clock % 60) as u8,
            ticks,
        }
    }

    /// The text form as ASCII bytes, or `None` for a value before 1601 or after 9999.
    #[must_use]
    pub const fn to_ascii(&self) -> Option<[u8; TEXT_LEN]> {
        if self.0 < 0 || self.0 > Self::MAX_TEXT.0 {
            return None;
        }
        let civil = self.to_civil();
        let mut text = *b"0000-00-00T00:00:00.0000000Z";
        let year = civil.year as u32;
        put_pair(&mut text, 0, year / 100);
        put_pair(&mut text, 2, year % 100);
        put_pair(&mut text, 5, civil.month as u32);
        put_pair(&mut text, 8, civil.day as u32);
        put_pair(&mut text, 11, civil.hour as u32);
        put_pair(&mut text, 14, civil.minute as u32);
        put_pair(&mut text, 17, civil.second as u32);
        put_pair(&mut text, 20, civil.ticks / 100_000);
        put_pair(&mut text, 22, civil.ticks / 1_000 % 100);
        put_pair(&mut text, 24, civil.ticks / 10 % 100);
        text[26] = b'0' + (civil.ticks % 10) as u8;
        Some(text)
    }

    /// Writes the text form into `buf` without the formatting machinery; `None` for a value before 1601 or after 9999.
    #[must_use]
    pub fn encode<'a>(&self, buf: &'a mut [u8; TEXT_LEN]) -> Option<&'a str> {
        *buf = self.to_ascii()?;
        // ASCII only, so the check never fails.
        std::str::from_utf8(buf).ok()
    }
}

/// The digits of 0 to 99.
const PAIRS: [[u8; 2]; 100] = {
    let mut table = [[b'0'; 2]; 100];
    let mut i = 0;
    while i < 100 {
        table[i] = [b'0' + i as u8 / 10, b'0' + i as u8 % 10];
        i += 1;
    }
    table
};

/// Writes `value`, 0 to 99, as two digits at `at`.
const fn put_pair(text: &mut [u8; TEXT_LEN], at: usize, value: u32) {
    let pair = PAIRS[value as usize];
    text[at] = pair[0];
    text[at + 1] = pair[1];
}

impl fmt::Display for Filetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.encode(&mut [0; TEXT_LEN]) {
            Some(text) => f.pad(text),
            None => write!(f, "FILETIME({})", self.0),
        }
    }
}

impl fmt::Debug for Filetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl BinRead for Filetime {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): Self::Args<'_>) -> BinResult<Self> {
        i64::read_options(reader, Endian::Little, ()).map(Self)
    }
}

impl BinWrite for Filetime {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): Self::Args<'_>) -> BinResult<()> {
        self.0.write_options(writer, Endian::Little, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binrw::io::Cursor;

    const DAY: i64 = SECONDS_PER_DAY * TICKS_PER_SECOND;

    #[track_caller]
    fn check(value: i64, text: &str) {
        assert_eq!(Filetime(value).to_string(), text);
        assert_eq!(format!("{:?}", Filetime(value)), text);
        assert_eq!(Filetime(value).encode(&mut [0; 28]), Some(text));
    }

    #[test]
    fn known_values() {
        check(0, "1601-01-01T00:00:00.0000000Z");
        check(1, "1601-01-01T00:00:00.0000001Z");
        check(132_264_173_104_203_138, "2020-02-17T12:48:30.4203138Z");
        check(133_000_000_000_000_000, "2022-06-18T04:26:40.0000000Z");
        check(129_328_528_696_596_362, "2010-10-29T19:07:49.6596362Z");
        check(Filetime::UNIX_EPOCH.0, "1970-01-01T00:00:00.0000000Z");
        check(Filetime::UNIX_EPOCH.0 - 1, "1969-12-31T23:59:59.9999999Z");
        // 1582934400, 1609459199 and 951782400 seconds after 1970.
        check(
            Filetime::UNIX_EPOCH.0 + 1_582_934_400 * TICKS_PER_SECOND,
            "2020-02-29T00:00:00.0000000Z",
        );
        check(
            Filetime::UNIX_EPOCH.0 + 1_609_459_199 * TICKS_PER_SECOND,
            "2020-12-31T23:59:59.0000000Z",
        );
        check(
            Filetime::UNIX_EPOCH.0 + 951_782_400 * TICKS_PER_SECOND,
            "2000-02-29T00:00:00.0000000Z",
        );
        check(Filetime::MAX_TEXT.0, "9999-12-31T23:59:59.9999999Z");
    }

    #[test]
    fn impossible_dates_print_their_number() {
        for value in [-1, i64::MIN, i64::MAX, Filetime::MAX_TEXT.0 + 1] {
            assert_eq!(Filetime(value).to_string(), format!("FILETIME({value})"));
            assert_eq!(Filetime(value).encode(&mut [0; 28]), None);
        }
    }

    #[test]
    fn extremes_have_a_calendar_date() {
        let last = Filetime(i64::MAX).to_civil();
        // Windows' own limit for FileTimeToSystemTime.
        assert_eq!(
            (last.year, last.month, last.day, last.hour, last.minute, last.second),
            (30828, 9, 14, 2, 48, 5)
        );
        assert_eq!(last.ticks, 4_775_807);
        let first = Filetime(i64::MIN).to_civil();
        assert_eq!((first.year, first.month, first.day, first.ticks), (-27627, 4, 19, 5_224_192));
        let before = Filetime(-1).to_civil();
        assert_eq!((before.year, before.month, before.day, before.hour), (1600, 12, 31, 23));
        assert_eq!((before.minute, before.second, before.ticks), (59, 59, 9_999_999));
    }

    /// Walks day by day through 1601 to 9999 with the rules of the calendar written down naively.
    #[test]
    fn every_day_to_the_year_9999() {
        let mut value = 0;
        for year in 1601..=9999 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (index, length) in [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
                .into_iter()
                .enumerate()
            {
                for day in 1..=length {
                    let civil = Filetime(value + DAY - 1).to_civil();
                    assert_eq!((civil.year, civil.month, civil.day), (year, index as u8 + 1, day));
                    assert_eq!(Filetime(value).to_civil().day, day);
                    value += DAY;
                }
            }
        }
        assert_eq!(value - 1, Filetime::MAX_TEXT.0);
    }

    #[test]
    fn years_before_1601_repeat_every_400_years() {
        for value in [-1, -DAY * 59, -DAY * 365, -DAY * 30_000 + 5] {
            let early = Filetime(value).to_civil();
            let late = Filetime(value + DAYS_PER_CYCLE * DAY).to_civil();
            assert_eq!(
                Civil {
                    year: early.year + 400,
                    ..early
                },
                late
            );
        }
    }

    #[test]
    fn binary_form() {
        let bytes = 132_264_173_104_203_138i64.to_le_bytes();
        for endian in [Endian::Little, Endian::Big] {
            let value = Filetime::read_options(&mut Cursor::new(bytes), endian, ()).unwrap();
            assert_eq!(value, Filetime(132_264_173_104_203_138));
            let mut writer = Cursor::new(Vec::new());
            value.write_options(&mut writer, endian, ()).unwrap();
            assert_eq!(writer.into_inner(), bytes);
        }
        assert!(Filetime::read_le(&mut Cursor::new(&bytes[..7])).is_err());
    }
}
