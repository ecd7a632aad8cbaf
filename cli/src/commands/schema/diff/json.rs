//! Changes for programs: an object per change and line.

use std::io::{self, Write};

use serde::Serialize;
use winetl_codegen::diff::{Change, Names};

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
