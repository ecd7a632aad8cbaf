//! Writes the nodes of a file in their one form.

use saphyr_parser::ScalarStyle;

use super::keys::Kind;
use super::tree::{Comment, Content, Entry, Node, Notes, Tree};

/// Blanks of one level.
const STEP: usize = 2;

/// The text of a file in its one form.
pub(super) fn print(text: &str, tree: &Tree) -> String {
    let mut printer = Printer {
        text,
        tree,
        out: String::with_capacity(text.len()),
    };
    printer.comments(&tree.head, 0);
    match &tree.root {
        Some(root) if root.is_block() => {
            if !tree.head.is_empty() && tree.head_is_apart {
                printer.blank_line();
            }
            printer.block(root, 0, Kind::File);
        }
        Some(root) => {
            printer.inline(root, 0, Kind::File);
            printer.out.push('\n');
        }
        None => {}
    }
    printer.comments(&tree.foot, 0);
    printer.out
}

struct Printer<'a> {
    text: &'a str,
    tree: &'a Tree,
    out: String,
}

impl<'a> Printer<'a> {
    fn notes(&self, entry: &Entry) -> Option<&'a Notes> {
        entry.id.and_then(|id| self.tree.notes.get(id))
    }

    fn blank_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn indent(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn comments(&mut self, comments: &[Comment], indent: usize) {
        for comment in comments {
            if comment.blank {
                self.blank_line();
            }
            self.indent(indent);
            self.out.push_str(&comment.text);
            self.out.push('\n');
        }
    }

    fn after(&mut self, notes: Option<&Notes>) {
        if let Some(comment) = notes.and_then(|notes| notes.after.as_deref()) {
            self.out.push(' ');
            self.out.push_str(comment);
        }
    }

    /// A map or list with its entries on lines of their own.
    fn block(&mut self, node: &Node, indent: usize, kind: Kind) {
        match &node.content {
            Content::Map { entries, .. } => self.map(&ordered(entries, kind), indent, kind, false),
            Content::List { entries, .. } => self.list(entries, indent, kind),
            Content::Scalar { .. } => {}
        }
    }

    /// `begun`: the first entry stands behind the dash of a list, and what is above it is written.
    fn map(&mut self, entries: &[&Entry], indent: usize, kind: Kind, begun: bool) {
        for (index, entry) in entries.iter().enumerate() {
            let notes = self.notes(entry);
            if !(begun && index == 0) {
                self.above(notes, indent, index == 0);
                self.indent(indent);
            }
            let key = entry.key.as_ref();
            let inner = kind.of(key.map_or("", name));
            if let Some(key) = key {
                self.inline(key, indent, kind);
            }
            self.out.push(':');
            let value = &entry.value;
            if value.is_block() {
                self.after(notes);
                self.out.push('\n');
                self.block(value, indent + STEP, inner);
            } else {
                self.plain(value, indent, inner, notes);
            }
        }
    }

    fn list(&mut self, entries: &[Entry], indent: usize, kind: Kind) {
        for (index, entry) in entries.iter().enumerate() {
            let notes = self.notes(entry);
            self.above(notes, indent, index == 0);
            let value = &entry.value;
            match &value.content {
                Content::Map { flow: false, entries } => {
                    let entries = ordered(entries, kind);
                    // What stood above a key that comes first now stands above the dash.
                    if let Some(notes) = entries.first().and_then(|first| self.notes(first)) {
                        self.comments(&notes.above, indent);
                    }
                    self.indent(indent);
                    self.out.push_str("- ");
                    self.map(&entries, indent + STEP, kind, true);
                }
                Content::List { flow: false, entries } => {
                    self.indent(indent);
                    self.out.push_str("-\n");
                    self.list(entries, indent + STEP, kind);
                }
                _ => {
                    self.indent(indent);
                    self.out.push('-');
                    self.plain(value, indent, kind, notes);
                }
            }
        }
    }

    /// Comments and the blank line above an entry; none above the first of its map or list.
    fn above(&mut self, notes: Option<&Notes>, indent: usize, first: bool) {
        let Some(notes) = notes else { return };
        let mut comments = notes.above.iter();
        if first && let Some(comment) = comments.next() {
            self.indent(indent);
            self.out.push_str(&comment.text);
            self.out.push('\n');
        }
        self.comments(comments.as_slice(), indent);
        if notes.blank && !(first && notes.above.is_empty()) {
            self.blank_line();
        }
    }

    /// A value on the line of its key or dash, with the end of the line.
    fn plain(&mut self, value: &Node, indent: usize, kind: Kind, notes: Option<&Notes>) {
        if let Content::Scalar {
            style: ScalarStyle::Literal | ScalarStyle::Folded,
            ..
        } = &value.content
        {
            let mut lines = self.source(value).lines();
            let header = lines.next().unwrap_or_default().split('#').next().unwrap_or_default();
            self.out.push(' ');
            self.out.push_str(header.trim_end());
            self.after(notes);
            self.out.push('\n');
            self.block_text(&lines.collect::<Vec<_>>(), indent + STEP);
            return;
        }
        if !value.range.is_empty() {
            self.out.push(' ');
            self.inline(value, indent, kind);
        }
        self.after(notes);
        self.out.push('\n');
    }

    /// The lines of a block text, moved to another depth.
    fn block_text(&mut self, lines: &[&str], indent: usize) {
        let depth = |line: &&str| line.len() - line.trim_start_matches(' ').len();
        let first = lines.iter().find(|line| !line.trim().is_empty()).map_or(0, depth);
        for line in lines {
            if line.len() > first {
                self.indent(indent);
                self.out.push_str(line.get(first..).unwrap_or_default().trim_end());
            }
            self.out.push('\n');
        }
    }

    fn source(&self, node: &Node) -> &'a str {
        self.text.get(node.range.clone()).unwrap_or_default()
    }

    /// A scalar, or a map or list in brackets.
    fn inline(&mut self, node: &Node, indent: usize, kind: Kind) {
        let (entries, brackets, inner_of_list) = match &node.content {
            Content::Scalar { style, value } => return self.scalar(node, *style, value, indent),
            Content::Map { entries, .. } => (ordered(entries, kind), ['{', '}'], false),
            Content::List { entries, .. } => (entries.iter().collect(), ['[', ']'], true),
        };
        self.out.push(brackets[0]);
        for (index, entry) in entries.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            let mut inner = kind;
            if let Some(key) = &entry.key {
                inner = kind.of(name(key));
                self.inline(key, indent, kind);
                self.out.push(':');
                if !entry.value.range.is_empty() {
                    self.out.push(' ');
                }
            }
            debug_assert!(inner_of_list || entry.key.is_some());
            self.inline(&entry.value, indent, inner);
        }
        self.out.push(brackets[1]);
    }

    fn scalar(&mut self, node: &Node, style: ScalarStyle, value: &str, indent: usize) {
        let source = self.source(node);
        match style {
            ScalarStyle::Plain if is_hex(source) => {
                self.out.push_str("0x");
                self.out.push_str(&source.get(2..).unwrap_or_default().to_ascii_uppercase());
            }
            ScalarStyle::SingleQuoted
                if !value.contains(|c: char| c == '"' || c == '\\' || c.is_control()) && !source.contains('\n') =>
            {
                self.out.push('"');
                self.out.push_str(value);
                self.out.push('"');
            }
            _ => {
                for (index, line) in source.split('\n').enumerate() {
                    if index > 0 {
                        self.out.push('\n');
                        if !line.trim().is_empty() {
                            self.indent(indent + STEP);
                        }
                    }
                    // Blanks around a line break inside a text are not part of it.
                    let line = if index > 0 { line.trim_start() } else { line };
                    self.out.push_str(line.trim_end());
                }
            }
        }
    }
}

/// A number in hex, as it is read as one: not the digits of something else.
fn is_hex(source: &str) -> bool {
    source
        .strip_prefix("0x")
        .is_some_and(|digits| digits.bytes().all(|c| c.is_ascii_hexdigit()) && u64::from_str_radix(digits, 16).is_ok())
}

fn name(key: &Node) -> &str {
    match &key.content {
        Content::Scalar { value, .. } => value,
        _ => "",
    }
}

/// The entries of a map in the order of the language; keys that it does not know come last, as they stood.
fn ordered(entries: &[Entry], kind: Kind) -> Vec<&Entry> {
    let mut ordered: Vec<&Entry> = entries.iter().collect();
    ordered.sort_by_key(|entry| kind.rank(entry.key.as_ref().map_or("", name)));
    ordered
}
