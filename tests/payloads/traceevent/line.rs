//! One line of what TraceEvent prints.

/// An event. Every value is text; one of more than 20 characters is cut and ends in `...`.
#[derive(Debug)]
pub(super) struct Line {
    /// Milliseconds since the first event, as they are printed.
    pub(super) time: String,
    /// The same in thousandths.
    pub(super) micros: i64,
    pub(super) name: String,
    pub(super) process: String,
    pub(super) thread: String,
    pub(super) processor: i64,
    /// Bytes of the payload.
    pub(super) len: usize,
    pub(super) fields: Vec<(String, String)>,
}

impl Line {
    /// `EVENT 1,234.567: NAME PID=1; TID=2; PName=p; ProceNum=0; DataLen=16; Field=value; `; `None` for the counts at the end.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (time, rest) = text.strip_prefix("EVENT ")?.split_once(": ")?;
        let (name, values) = rest.split_once(" PID=").unwrap();
        let mut fields = split(&format!("PID={values}"));
        let mut take = |name: &str| {
            let (found, value) = fields.remove(0);
            assert_eq!(found, name, "{text}");
            value
        };
        let (process, thread) = (take("PID"), take("TID"));
        // The name of the process, which is looked up.
        take("PName");
        Some(Self {
            time: time.to_owned(),
            micros: time.replace([',', '.'], "").parse().unwrap(),
            name: name.to_owned(),
            process,
            thread,
            processor: take("ProceNum").parse().unwrap(),
            len: take("DataLen").replace(',', "").parse().unwrap(),
            fields,
        })
    }
}

/// `COUNT NAME:5`: how many events have this name; `None` for events.
pub(super) fn count(text: &str) -> Option<(&str, u64)> {
    let (name, count) = text.strip_prefix("COUNT ")?.rsplit_once(':')?;
    Some((name, count.parse().unwrap()))
}

fn split(values: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = vec![];
    for part in values.split("; ").filter(|part| !part.is_empty()) {
        match (part.split_once('='), fields.last_mut()) {
            (Some((name, value)), _) => fields.push((name.to_owned(), value.to_owned())),
            // The value before goes on.
            (None, Some((_, value))) => {
                value.push_str("; ");
                value.push_str(part);
            }
            (None, None) => panic!("{values}"),
        }
    }
    fields
}

mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let line = "EVENT 1,234.567: Windows Kernel/A/B PID=1; TID=-1; PName=p; ProceNum=3; DataLen=1,016; X=1; Y=a; b; Z=; ";
        let line = Line::parse(line).unwrap();
        assert_eq!(
            (line.micros, line.name.as_str(), line.len),
            (1_234_567, "Windows Kernel/A/B", 1016)
        );
        assert_eq!((line.process.as_str(), line.thread.as_str(), line.processor), ("1", "-1", 3));
        let fields: Vec<_> = line
            .fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(fields, [("X", "1"), ("Y", "a; b"), ("Z", "")]);
        let end = "COUNT Windows Kernel/A/B:17";
        assert!(Line::parse(end).is_none());
        assert_eq!(count(end), Some(("Windows Kernel/A/B", 17)));
        assert_eq!(count("EVENT 1: 2"), None);
    }
}
