//! Where the fields of a decoded structure lie.

use std::ops::Range;

/// The bytes of a field or of an element of an array, with what lies within.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Of a field its index among the members of the structure or the fields of the layout, of an element its number.
    pub index: usize,
    /// Bytes from the start of the outermost structure; none for a field that is not there. Padding before the field is in no span.
    pub bytes: Range<usize>,
    /// Of an array its elements, of a nested structure or layout its fields. Computed values take no bytes and are not among them.
    pub parts: Vec<Span>,
}

/// Where a field or element begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    /// Bytes from the start of the outermost structure.
    pub(super) at: usize,
    depth: usize,
}

/// Notes spans while a structure is read, if anyone asked for them.
#[derive(Debug, Default)]
pub(super) struct Tracer {
    /// What was found so far at each level; no level if nobody asked.
    levels: Vec<Vec<Span>>,
}

impl Tracer {
    /// A tracer that keeps what it sees.
    pub(super) fn keeping() -> Self {
        Self {
            levels: vec![Vec::new()],
        }
    }

    /// Begins a field or element at `at`: what is noted next lies within it.
    pub(super) fn begin(&mut self, at: usize) -> Start {
        let depth = self.levels.len();
        if depth > 0 {
            self.levels.push(Vec::new());
        }
        Start { at, depth }
    }

    /// Ends a field or element.
    pub(super) fn end(&mut self, index: usize, bytes: Range<usize>) {
        let Some(parts) = self.levels.pop() else { return };
        if let Some(outer) = self.levels.last_mut() {
            outer.push(Span { index, bytes, parts });
        }
    }

    /// Forgets a field or element that turned out not to be there, with all that was begun in it.
    pub(super) fn cancel(&mut self, start: Start) {
        self.levels.truncate(start.depth);
    }

    /// The spans of the outermost structure.
    pub(super) fn finish(mut self) -> Vec<Span> {
        self.levels.drain(..).next().unwrap_or_default()
    }
}
