//! Changes for programs: an object per change and line, and one per trace.

use std::io::{self, Write};

use serde::Serialize;
use winetl_codegen::diff::{Change, Names};

use super::traces::{Outcome, TraceEffect};
use crate::render::json::push_line;

#[derive(Serialize)]
struct Line<'a> {
    class: &'static str,
    action: &'static str,
    kind: &'static str,
    item: &'a str,
    /// Only where the item was renamed.
    old_item: Option<&'a str>,
    part: Option<&'a str>,
    /// Only where the part was renamed.
    old_part: Option<&'a str>,
    what: &'static str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

/// Writes all changes.
pub(super) fn write(changes: &[Change], out: &mut dyn Write) -> io::Result<()> {
    for change in changes {
        let mut line = Vec::new();
        let object = Line {
            class: change.class.word(),
            action: change.action.word(),
            kind: change.kind.word(),
            item: change.item.shown(),
            old_item: change.item.former(),
            part: change.part.as_ref().map(Names::shown),
            old_part: change.part.as_ref().and_then(Names::former),
            what: change.what,
            before: change.before.as_deref(),
            after: change.after.as_deref(),
        };
        push_line(&object, &mut line)?;
        out.write_all(&line)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct TraceLine<'a> {
    trace: &'a str,
    effect: &'static str,
    /// Number of the first event that differs.
    n: Option<u64>,
    /// From where it differs, or why it was passed over.
    reason: Option<String>,
    keys: Vec<KeyLine<'a>>,
}

/// Values are JSON in text, so that one that is missing is not one that is null.
#[derive(Serialize)]
struct KeyLine<'a> {
    key: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

/// Writes the effect on dumps.
pub(super) fn write_traces(traces: &[TraceEffect], out: &mut dyn Write) -> io::Result<()> {
    for trace in traces {
        let keys = trace.keys().iter().map(|key| KeyLine {
            key: &key.key,
            before: key.before.as_deref(),
            after: key.after.as_deref(),
        });
        let object = TraceLine {
            trace: &trace.trace,
            effect: trace.word(),
            n: match trace.outcome {
                Outcome::Differs { n, .. } => n,
                Outcome::Same | Outcome::Unreadable(..) => None,
            },
            reason: Some(trace.reason()).filter(|reason| !reason.is_empty()),
            keys: keys.collect(),
        };
        let mut line = Vec::new();
        push_line(&object, &mut line)?;
        out.write_all(&line)?;
    }
    Ok(())
}
