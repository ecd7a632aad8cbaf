//! What single events say that there is, within a bound on memory.

use std::collections::HashMap;
use std::mem::size_of;
use std::sync::Arc;

use super::timeline::Key;
use crate::payload::template::Lifetime;

/// What a thing is, as far as events need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Name of a process, file, key or disk, by its index.
    Name(u32),
    /// Process of a thread.
    Process(u64),
    /// Path, by its index, and size of an image.
    Image(u32, u64),
    /// Frames of a stack, by their index.
    Frames(u32),
}

/// One event that tells of a thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fact {
    pub(super) key: Key,
    pub(super) at: i64,
    /// Number of the event.
    pub(super) order: u64,
    pub(super) lifetime: Lifetime,
    /// None if the event does not say.
    pub(super) content: Option<Content>,
}

/// Texts and stacks, each kept once, and how much memory is left.
#[derive(Debug, Default)]
pub(super) struct Store {
    names: Vec<Arc<str>>,
    by_name: HashMap<Arc<str>, u32>,
    stacks: Vec<Arc<[u64]>>,
    by_stack: HashMap<Arc<[u64]>, u32>,
    left: u64,
    /// What found no room.
    pub(super) left_out: u64,
}

/// Most frames of a stack that is shown wherever its key is. Windows logs at most 192.
const MAX_FRAMES: usize = 256;

/// What an entry of a map and list takes beside its contents.
const ENTRY: usize = 64;

impl Store {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            left: limit,
            ..Self::default()
        }
    }

    /// Index of a text; none if there is no room for it.
    pub(super) fn name(&mut self, text: &str) -> Option<u32> {
        if let Some(index) = self.by_name.get(text) {
            return Some(*index);
        }
        let index = u32::try_from(self.names.len()).ok()?;
        self.take(text.len() + ENTRY).then(|| {
            let text: Arc<str> = text.into();
            self.names.push(Arc::clone(&text));
            self.by_name.insert(text, index);
            index
        })
    }

    pub(super) fn stack(&mut self, frames: &[u64]) -> Option<u32> {
        if frames.len() > MAX_FRAMES {
            self.left_out += 1;
            return None;
        }
        if let Some(index) = self.by_stack.get(frames) {
            return Some(*index);
        }
        let index = u32::try_from(self.stacks.len()).ok()?;
        self.take(size_of_val(frames) + ENTRY).then(|| {
            let frames: Arc<[u64]> = frames.into();
            self.stacks.push(Arc::clone(&frames));
            self.by_stack.insert(frames, index);
            index
        })
    }

    /// Room for one more `T`.
    pub(super) fn room_for<T>(&mut self) -> bool {
        // A list doubles when it is full.
        self.take(2 * size_of::<T>())
    }

    pub(super) fn text(&self, index: u32) -> &str {
        self.names.get(index as usize).map_or("", |text| text)
    }

    pub(super) fn frames(&self, index: u32) -> &[u64] {
        self.stacks.get(index as usize).map_or(&[], |frames| frames)
    }

    /// No more is added.
    pub(super) fn finish(&mut self) {
        (self.by_name, self.by_stack) = Default::default();
    }

    fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes as u64) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left_out += 1;
                false
            }
        }
    }
}
