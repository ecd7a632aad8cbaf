//! Arguments of `winetl explain`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::{AFTER_HELP, ReportFormat, SchemaChoice, Unpacking};

const EXPLAIN_HELP: &str = "\
OFFSET is a place in the file, 5224 or 0x1468, or BUFFER:OFFSET, a place in a buffer as winetl buffers and the jsonl format number \
them: 1:0x468 is byte 0x468 of buffer 1, counted from the start of its header. In a compressed buffer that is the place after \
decompression; no byte of the file stands for one field alone there.

Examples:
  winetl explain trace.etl 0x1468
  winetl explain trace.etl 1:0x468
  winetl explain trace.etl --event 12
  winetl explain --schema schema trace.etl 0x1468 --format json";

#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_HELP, after_long_help = format!("{EXPLAIN_HELP}\n\n{AFTER_HELP}"))]
pub(crate) struct Explain {
    /// Trace, also compressed or the only one in an archive; archive!member for one of several; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The byte: a place in the file, decimal or 0x..., or BUFFER:OFFSET
    #[arg(value_name = "OFFSET", required_unless_present = "event", conflicts_with = "event")]
    pub(crate) offset: Option<Address>,
    /// Explain all bytes of an event, by its number in file order from 0: n of the jsonl format
    #[arg(long, value_name = "N", value_parser = number)]
    pub(crate) event: Option<u64>,
    #[command(flatten)]
    pub(crate) unpacking: Unpacking,
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// Form of the output; json is one object
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ReportFormat,
}

/// A byte of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Address {
    /// Of the file, from its start.
    File(u64),
    /// Of a buffer when decompressed, from the start of its header.
    Buffer {
        /// Number of the buffer in file order, from 0.
        buffer: u64,
        /// Bytes from its start.
        at: u64,
    },
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None => number(text).map(Self::File),
            Some((buffer, at)) => Ok(Self::Buffer {
                buffer: number(buffer)?,
                at: number(at)?,
            }),
        }
    }
}

/// A number, decimal or `0x...`.
fn number(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
    // A sign would be part of a number to the parser.
    let all_digits = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    let number = all_digits.then(|| u64::from_str_radix(digits, radix).ok()).flatten();
    number.ok_or_else(|| "not a number such as 5224 or 0x1468; a place in a buffer is BUFFER:OFFSET, such as 1:0x468".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!("5224".parse(), Ok(Address::File(5224)));
        assert_eq!("0x1468".parse(), Ok(Address::File(0x1468)));
        assert_eq!("0X1aF".parse(), Ok(Address::File(0x1af)));
        assert_eq!("2:0x48".parse(), Ok(Address::Buffer { buffer: 2, at: 0x48 }));
        assert_eq!("0x10:16".parse(), Ok(Address::Buffer { buffer: 16, at: 16 }));
        for wrong in [
            "",
            "-1",
            "+1",
            "0x",
            "1f",
            "1:",
            ":1",
            "1:2:3",
            "0x+1",
            "18446744073709551616",
            "1 ",
            "ä",
        ] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }
}
