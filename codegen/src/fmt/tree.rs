//! A YAML file as nodes that know where they stand, and the comments between them.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::Refusal;

/// A file.
pub(super) struct Tree {
    /// The document; none if there is only blank space or comments.
    pub(super) root: Option<Node>,
    /// Comments above the first entry.
    pub(super) head: Vec<Comment>,
    /// A blank line is between them and the first entry.
    pub(super) head_is_apart: bool,
    /// Comments of each entry on lines of its own, by [`Entry::id`].
    pub(super) notes: Vec<Notes>,
    /// Comments below the last entry.
    pub(super) foot: Vec<Comment>,
}

impl Tree {
    /// The texts of all comments, sorted: entries may change their order.
    pub(super) fn sorted_comments(&self) -> Vec<&str> {
        let noted = self.notes.iter().flat_map(|notes| &notes.above);
        let after = self.notes.iter().filter_map(|notes| notes.after.as_deref());
        let mut all: Vec<&str> = self
            .head
            .iter()
            .chain(noted)
            .chain(&self.foot)
            .map(|comment| comment.text.as_str())
            .chain(after)
            .collect();
        all.sort_unstable();
        all
    }
}

/// A comment on a line of its own.
pub(super) struct Comment {
    /// A blank line is above it.
    pub(super) blank: bool,
    /// From the `#`, without blanks at the end.
    pub(super) text: String,
}

/// What stands around an entry.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) above: Vec<Comment>,
    /// A blank line is directly above it.
    pub(super) blank: bool,
    /// The comment at the end of its line.
    pub(super) after: Option<String>,
}

/// A node: its bytes, and what it is.
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) content: Content,
}

pub(super) enum Content {
    Scalar {
        style: ScalarStyle,
        /// The value, without quotes and escapes.
        value: String,
    },
    Map {
        /// In braces.
        flow: bool,
        entries: Vec<Entry>,
    },
    List {
        /// In brackets.
        flow: bool,
        entries: Vec<Entry>,
    },
}

/// A key with its value, or an element of a list.
pub(super) struct Entry {
    /// Index of its notes; none inside braces and brackets.
    pub(super) id: Option<usize>,
    pub(super) key: Option<Node>,
    pub(super) value: Node,
}

impl Node {
    /// Whether it is a map or list whose entries have lines of their own.
    pub(super) fn is_block(&self) -> bool {
        matches!(
            self.content,
            Content::Map { flow: false, .. } | Content::List { flow: false, .. }
        )
    }
}

/// Reads a file that is known to be valid YAML of bounded depth.
pub(super) fn read(text: &str) -> Result<Tree, Refusal> {
    let mut offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    offsets.push(text.len());
    let mut reader = Reader {
        text,
        offsets,
        parser: Parser::new_from_str(text),
        starts: Vec::new(),
        blanks: Vec::new(),
        opaque: Vec::new(),
        flows: Vec::new(),
        plain_values: Vec::new(),
    };
    let mut root = None;
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => break,
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            event => root = Some(reader.node(event, span, false)?),
        }
    }
    let Reader {
        starts,
        blanks,
        opaque,
        flows,
        plain_values,
        ..
    } = reader;
    let mut tree = Tree {
        root,
        head: Vec::new(),
        head_is_apart: starts.first().is_some_and(|&start| has_blank_above(text, start)),
        notes: blanks
            .into_iter()
            .map(|blank| Notes {
                blank,
                ..Notes::default()
            })
            .collect(),
        foot: Vec::new(),
    };
    for range in comments(text, opaque) {
        let comment = text.get(range.clone()).unwrap_or_default().trim_end().to_owned();
        place(&mut tree, text, range.start, comment, &starts, &flows, &plain_values);
    }
    Ok(tree)
}

/// Gives a comment to the entry it belongs to.
fn place(
    tree: &mut Tree,
    text: &str,
    at: usize,
    comment: String,
    starts: &[usize],
    flows: &[Range<usize>],
    plain_values: &[Option<usize>],
) {
    let next = starts.partition_point(|&start| start < at);
    let begun = next.checked_sub(1);
    let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    let alone = line.chars().all(|c| c.is_whitespace() || c == '-' || c == '?');
    let in_brackets = flows
        .get(..flows.partition_point(|flow| flow.start < at))
        .and_then(<[_]>::last);
    let in_brackets = in_brackets.is_some_and(|flow| at < flow.end);
    // Between a key and its value on the next line.
    let before_value = begun
        .and_then(|id| plain_values.get(id).copied().flatten())
        .is_some_and(|value| value > at);
    let target = if alone && !in_brackets && !before_value {
        Some(next)
    } else {
        begun
    };
    let own = Comment {
        blank: alone && !in_brackets && has_blank_above(text, at),
        text: comment,
    };
    let count = tree.notes.len();
    match target.filter(|id| *id < count) {
        Some(0) if next == 0 => tree.head.push(own),
        None if next == 0 && count > 0 => tree.head.push(own),
        Some(id) => {
            let Some(notes) = tree.notes.get_mut(id) else { return };
            if alone || in_brackets || notes.after.is_some() {
                notes.above.push(own);
            } else {
                notes.after = Some(own.text);
            }
        }
        None => tree.foot.push(own),
    }
}

/// Whether the line above the one of byte `at` is there and blank.
fn has_blank_above(text: &str, at: usize) -> bool {
    let mut lines = text.get(..at).unwrap_or_default().rsplit('\n').skip(1);
    lines.next().is_some_and(|line| line.trim().is_empty())
}

/// The byte ranges of all comments: a `#` behind a blank or at the start of a line, and in no scalar.
fn comments(text: &str, mut opaque: Vec<Range<usize>>) -> Vec<Range<usize>> {
    opaque.sort_by_key(|range| range.start);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut scalars = opaque.into_iter().peekable();
    let mut before = '\n';
    let mut skip_to = 0;
    for (at, c) in text.char_indices() {
        while scalars.next_if(|range| range.end <= at).is_some() {}
        let inside = scalars.peek().is_some_and(|range| range.start <= at);
        if at >= skip_to && c == '#' && before.is_whitespace() && !inside {
            let end = text
                .get(at..)
                .and_then(|rest| rest.find('\n'))
                .map_or(text.len(), |line| at + line);
            found.push(at..end);
            skip_to = end;
        }
        before = c;
    }
    found
}

/// Where the mark (`>-`, `|`) of a block text stands that begins behind `before`; none if there is no plain one.
fn block_mark(before: &str) -> Option<usize> {
    let before = before.trim_end();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.get(line_start..)?;
    let marks = line.match_indices(['|', '>']).map(|(at, _)| at);
    let mut marks = marks.filter(|&at| at == 0 || line.get(..at).is_some_and(|before| before.ends_with(' ')));
    let at = marks.find(|at| {
        let rest = line.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        rest.is_empty() || rest.starts_with(' ') && rest.trim_start().starts_with('#')
    })?;
    Some(line_start + at)
}

struct Reader<'a> {
    text: &'a str,
    /// Byte of each character: the parser counts characters.
    offsets: Vec<usize>,
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    /// Where each entry outside brackets begins, in order.
    starts: Vec<usize>,
    /// Whether a blank line is above each of them.
    blanks: Vec<bool>,
    /// Where the value of each of them begins, if it has no entries of its own.
    plain_values: Vec<Option<usize>>,
    /// Scalars.
    opaque: Vec<Range<usize>>,
    /// The outermost brackets.
    flows: Vec<Range<usize>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Refusal> {
        match self.parser.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => {
                let at = self.byte(error.marker().index());
                Err(Refusal::at(self.text, at, format!("not valid YAML: {}", error.info())))
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn byte(&self, index: usize) -> usize {
        self.offsets.get(index).copied().unwrap_or(self.text.len())
    }

    fn refuse<T>(&self, at: usize, what: &str) -> Result<T, Refusal> {
        Err(Refusal::at(
            self.text,
            at,
            format!("{what}: schema files do without; write it out"),
        ))
    }

    /// Reads the node that begins with `event`.
    fn node(&mut self, event: Event<'a>, span: Span, in_flow: bool) -> Result<Node, Refusal> {
        let range = self.byte(span.start.index())..self.byte(span.end.index());
        match event {
            Event::Alias(_) => self.refuse(range.start, "an alias"),
            Event::Scalar(_, _, 1.., _) | Event::SequenceStart(1.., _) | Event::MappingStart(1.., _) => {
                self.refuse(range.start, "an anchor")
            }
            Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) => {
                self.refuse(range.start, "a tag")
            }
            Event::Scalar(value, style, ..) => self.scalar(range, style, value.into_owned()),
            Event::SequenceStart(..) => self.collection(range, '[', in_flow),
            Event::MappingStart(..) => self.collection(range, '{', in_flow),
            _ => self.refuse(range.start, "a part of YAML that has no name"),
        }
    }

    fn scalar(&mut self, mut range: Range<usize>, style: ScalarStyle, value: String) -> Result<Node, Refusal> {
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            // The parser's range is that of the text; the mark stands on the line above it.
            let Some(mark) = block_mark(self.text.get(..range.start).unwrap_or_default()) else {
                return self.refuse(
                    range.start,
                    "a block text with an indentation number, with `+` or without text",
                );
            };
            let text = self.text.get(mark..range.end).unwrap_or_default();
            range = mark..mark + text.trim_end().len();
            // A comment behind the mark is no part of the text.
            let first_line = mark + text.find('\n').unwrap_or(text.len());
            self.opaque.push(first_line.min(range.end)..range.end);
        } else {
            self.opaque.push(range.clone());
        }
        Ok(Node {
            range,
            content: Content::Scalar { style, value },
        })
    }

    fn collection(&mut self, mut range: Range<usize>, bracket: char, in_flow: bool) -> Result<Node, Refusal> {
        let is_map = bracket == '{';
        let flow = self.text.get(range.start..).is_some_and(|rest| rest.starts_with(bracket));
        if in_flow && !flow {
            return self.refuse(range.start, "a pair without braces");
        }
        let mut entries = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::SequenceEnd | Event::MappingEnd) {
                // The end of a bracket's token may lie behind blanks and a comment.
                range.end = self.byte(span.start.index()) + usize::from(flow);
                break;
            }
            // An element has its number before its own entries have theirs.
            let id = (!flow).then_some(self.starts.len());
            if !flow {
                let start = self.byte(span.start.index());
                self.starts.push(start);
                // A blank line above the first entry is none between entries.
                self.blanks.push(!entries.is_empty() && has_blank_above(self.text, start));
                self.plain_values.push(None);
            }
            let mut value = self.node(event, span, flow)?;
            if let Some(start) = id.and_then(|id| self.starts.get_mut(id)) {
                *start = value.range.start.min(*start);
            }
            let mut key = None;
            if is_map {
                if !matches!(
                    value.content,
                    Content::Scalar {
                        style: ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted,
                        ..
                    }
                ) {
                    return self.refuse(value.range.start, "a key that is no word");
                }
                let (event, span) = self.next()?;
                key = Some(value);
                value = self.node(event, span, flow)?;
            }
            if let Some(slot) = id.and_then(|id| self.plain_values.get_mut(id)) {
                *slot = Some(value.range.start).filter(|_| !value.is_block() && !value.range.is_empty());
            }
            entries.push(Entry { id, key, value });
        }
        if flow && !in_flow {
            self.flows.push(range.clone());
        }
        let content = if is_map {
            Content::Map { flow, entries }
        } else {
            Content::List { flow, entries }
        };
        Ok(Node { range, content })
    }
}
