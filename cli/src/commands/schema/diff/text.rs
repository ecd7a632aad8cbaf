//! Changes for people: by class, then by item, a line each.

use winetl_codegen::diff::{Action, Change, Names};

use super::traces::{self, TraceEffect};
use super::{by_class, summary, title};
use crate::render::paint::{Paint, Role};
use crate::render::plain::safe;
use crate::render::table::{WIDTH, wrap};

/// The text.
pub(super) fn render(changes: &[Change], paint: Paint) -> String {
    let mut out = String::new();
    for (class, changes) in by_class(changes) {
        piece(&mut out, paint, Role::Kind, title(class));
        out.push('\n');
        for item in changes.chunk_by(|a, b| (a.kind, &a.item) == (b.kind, &b.item)) {
            render_item(&mut out, item, paint);
        }
        out.push('\n');
    }
    out.push_str(&summary(changes));
    out.push('\n');
    out
}

/// The effect on dumps.
pub(super) fn traces(traces: &[TraceEffect], paint: Paint) -> String {
    let mut out = String::from("\n");
    piece(&mut out, paint, Role::Kind, "Dumps of traces");
    out.push('\n');
    for trace in traces {
        let role = match trace.word() {
            "same" => Role::Plain,
            "differs" => Role::Warning,
            _ => Role::Error,
        };
        out.push_str("  ");
        piece(&mut out, paint, Role::Name, &safe(&trace.trace));
        out.push(' ');
        piece(&mut out, paint, role, trace.word());
        let reason = trace.reason();
        if !reason.is_empty() {
            out.push_str(&format!(": {}", safe(&reason)));
        }
        out.push('\n');
        for key in trace.keys() {
            let side = |text: &Option<String>| text.as_deref().map_or_else(|| "(none)".to_owned(), safe);
            out.push_str(&format!(
                "    ~ {}: {} -> {}\n",
                safe(&key.key),
                side(&key.before),
                side(&key.after)
            ));
        }
    }
    out.push_str(&format!("\n{}\n", traces::summary(traces)));
    out
}

fn render_item(out: &mut String, changes: &[Change], paint: Paint) {
    let Some(first) = changes.first() else { return };
    out.push_str("  ");
    piece(out, paint, Role::Name, &safe(first.item.shown()));
    piece(out, paint, Role::Faint, &format!(" ({})", first.kind.word()));
    out.push('\n');
    for change in changes {
        render_change(out, change, paint);
    }
}

fn render_change(out: &mut String, change: &Change, paint: Paint) {
    let (sign, role) = match change.action {
        Action::Added => ('+', Role::Plain),
        Action::Removed => ('-', Role::Error),
        Action::Renamed => ('=', Role::Warning),
        Action::Changed => ('~', Role::Warning),
    };
    out.push_str("    ");
    piece(out, paint, role, &sign.to_string());
    out.push(' ');
    let part = change.part.as_ref().map(Names::shown);
    if let Some(part) = part {
        piece(out, paint, Role::Name, &safe(part));
        out.push(' ');
    }
    let side = |text: &Option<String>| text.as_deref().map_or_else(|| "(none)".to_owned(), safe);
    let (before, after) = (side(&change.before), side(&change.after));
    let text = match change.action {
        Action::Added => format!("{} added: {after}", change.what),
        Action::Removed => format!("{} removed: {before}", change.what),
        Action::Renamed => format!("{} renamed, was {before}", change.what),
        Action::Changed => format!("{}: {before} -> {after}", change.what),
    };
    let used = 6 + part.map_or(0, |part| part.chars().count() + 1);
    if change.action == Action::Changed && used + text.chars().count() > WIDTH {
        // Long texts stand below each other.
        out.push_str(change.what);
        out.push('\n');
        for (sign, text) in [('-', before), ('+', after)] {
            for (index, line) in wrap(&text, WIDTH - 10).iter().enumerate() {
                let sign = if index == 0 { sign } else { ' ' };
                out.push_str(&format!("        {sign} {line}\n"));
            }
        }
        return;
    }
    out.push_str(&text);
    out.push('\n');
}

fn piece(out: &mut String, paint: Paint, role: Role, text: &str) {
    out.push_str(&format!("{}{text}{}", paint.on(role), paint.off(role)));
}
