//! Shows diagnostics the way rustc does: file, line, column, the source line, a caret, and help.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Label, Severity, Step, Target};
use crate::load::SourceSet;
use crate::locate::{locate, locate_key, token_at};

/// Whether the text carries terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// With escape sequences for colours.
    Coloured,
}

/// Position of a label in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Path as shown.
    pub file: String,
    /// Line, from 1; 0 where there is no text.
    pub line: usize,
    /// Column in characters, from 1; 0 where there is no text.
    pub column: usize,
    /// Line of the first character behind the label, from 1; 0 where there is no text.
    pub end_line: usize,
    /// Column of that character, from 1; 0 where there is no text.
    pub end_column: usize,
}

/// Finds the position of a label.
pub fn position(sources: &SourceSet, label: &Label) -> Position {
    let Some((file, range)) = span(sources, &label.target) else {
        let file = if let Target::Path(path) = &label.target {
            path.clone()
        } else {
            sources.folder.clone()
        };
        return Position {
            file,
            line: 0,
            column: 0,
            end_line: 0,
            end_column: 0,
        };
    };
    let text = sources.files.get(file).map_or("", |source| source.text.as_str());
    let (line, column) = line_and_column(text, range.start);
    let (end_line, end_column) = line_and_column(text, range.end);
    Position {
        file: sources.display_name(file),
        line,
        column,
        end_line,
        end_column,
    }
}

/// Line and column in characters of a byte, both from 1.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}

fn span(sources: &SourceSet, target: &Target) -> Option<(usize, std::ops::Range<usize>)> {
    let (file, range) = match target {
        Target::Node(place) => (place.file, locate(&sources.files.get(place.file)?.text, &place.steps)),
        Target::Byte { file, at } => (*file, token_at(&sources.files.get(*file)?.text, *at)),
        Target::Key(place) => {
            let text = &sources.files.get(place.file)?.text;
            let key = match place.steps.split_last() {
                Some((Step::Key(key), map)) => locate_key(text, map, key, 0),
                _ => None,
            };
            (place.file, key.unwrap_or_else(|| locate(text, &place.steps)))
        }
        Target::Part { place, at, text: part } => {
            let text = &sources.files.get(place.file)?.text;
            let whole = locate(text, &place.steps);
            // Text with escapes or over several lines does not look as it reads: then the whole is shown.
            let quote = usize::from(text.get(whole.clone()).is_some_and(|token| token.starts_with(['"', '\''])));
            let start = whole.start + quote + at;
            let found = start < whole.end + usize::from(quote == 0)
                && text.get(start..).is_some_and(|rest| rest.starts_with(part.as_str()));
            (place.file, if found { start..start + part.len() } else { whole })
        }
        Target::Path(_) => return None,
    };
    // An empty range has no caret: show one character.
    let text = &sources.files.get(file)?.text;
    let range = if range.is_empty() {
        let next = text
            .get(range.start..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
        range.start..range.start + next
    } else {
        range
    };
    Some((file, range))
}

/// Renders one diagnostic.
pub fn render(sources: &SourceSet, diagnostic: &Diagnostic, style: Style) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
    let mut group = Group::with_title(title);
    let spans: Vec<_> = diagnostic
        .labels
        .iter()
        .enumerate()
        .filter_map(|(index, label)| span(sources, &label.target).map(|(file, range)| (index, file, range, label)))
        .collect();
    let mut files: Vec<usize> = spans.iter().map(|(_, file, ..)| *file).collect();
    files.dedup();
    let names: Vec<String> = files.iter().map(|&file| sources.display_name(file)).collect();
    for (&file, name) in files.iter().zip(&names) {
        let text = sources.files.get(file).map_or("", |source| source.text.as_str());
        let annotations = spans
            .iter()
            .filter(|(_, in_file, ..)| *in_file == file)
            .map(|(index, _, range, label)| {
                let kind = if *index == 0 {
                    AnnotationKind::Primary
                } else {
                    AnnotationKind::Context
                };
                kind.span(range.clone()).label(label.text.as_str())
            });
        group = group.element(Snippet::source(text).path(name.as_str()).annotations(annotations));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    renderer.render(&[group]).to_string()
}

/// Renders all, with a blank line between them.
pub fn render_all(sources: &SourceSet, diagnostics: &[Diagnostic], style: Style) -> String {
    diagnostics
        .iter()
        .map(|diagnostic| render(sources, diagnostic, style))
        .collect::<Vec<_>>()
        .join("\n\n")
}
