//! Manifests that sources of .NET send as events, cut into parts.

use std::collections::{BTreeMap, HashMap};

use super::event_schema::SchemaProblem;
use super::manifest::MAX_MANIFEST;
use crate::context::Context;
use crate::event::Event;
use crate::format::roles::EventRoles;
use crate::format::{EventCommand, ManifestEnvelope, ManifestEventOpcode};
use crate::guid::Guid;
use crate::layout::Layout;
use crate::table::OpenEnum as _;

/// Most manifests of which not all parts are there yet; the parts of further ones are not kept.
const MAX_OPEN: usize = 256;
/// Most bytes of their parts.
const MAX_OPEN_BYTES: usize = 8 * MAX_MANIFEST;

/// Who sent a part: two processes may send the same manifest at once.
type Sender = (Guid, u64, u64);

/// The parts that wait for the others.
#[derive(Debug, Default)]
pub(super) struct Parts {
    open: HashMap<Sender, Open>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Open {
    total: u16,
    parts: BTreeMap<u16, Vec<u8>>,
}

/// What an event gave.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It carries no part of a manifest.
    None,
    /// Others are missing.
    Waiting,
    /// All are there.
    Whole(Vec<u8>),
    /// It is not kept.
    Dropped(SchemaProblem),
}

/// The envelope of a part and its bytes.
fn part<'a>(event: &Event<'a>) -> Option<(ManifestEnvelope, &'a [u8])> {
    let header = event.header();
    let (id, opcode) = (EventCommand::SEND_MANIFEST.number(), ManifestEventOpcode::SEND.number());
    if header.event_id() != Some(id) || header.opcode() != Some(opcode) {
        return None;
    }
    let payload = event.payload();
    let (envelope, size) = ManifestEnvelope::read_prefix(payload, Context::default()).ok()?;
    (envelope.is_manifest() != 0).then_some((envelope, payload.get(size..)?))
}

impl Parts {
    /// Takes the part that an event carries, if it carries one.
    pub(super) fn take(&mut self, event: &Event<'_>) -> Part {
        let Some((envelope, bytes)) = part(event) else {
            return Part::None;
        };
        let header = event.header();
        let provider = header.provider_id().unwrap_or_default();
        let sender = (provider, header.process_id().unwrap_or(0), header.thread_id().unwrap_or(0));
        self.add(sender, envelope.total_chunks, envelope.chunk_number, bytes)
    }

    fn add(&mut self, sender: Sender, total: u16, number: u16, bytes: &[u8]) -> Part {
        if total == 1 {
            return Part::Whole(bytes.to_vec());
        }
        if self.bytes + bytes.len() > MAX_OPEN_BYTES || self.open.len() >= MAX_OPEN && !self.open.contains_key(&sender) {
            return Part::Dropped(SchemaProblem::TooLarge {
                what: "parts of manifests",
                limit: MAX_OPEN_BYTES,
            });
        }
        let open = self.open.entry(sender).or_default();
        // A source sends its manifest again whenever it is enabled: from part 0 on.
        if open.total != total || number == 0 && open.parts.contains_key(&0) {
            self.bytes -= open.size();
            *open = Open {
                total,
                parts: BTreeMap::new(),
            };
        }
        self.bytes += bytes.len();
        self.bytes -= open.parts.insert(number, bytes.to_vec()).map_or(0, |old| old.len());
        if open.parts.len() < usize::from(total) {
            return Part::Waiting;
        }
        self.bytes -= open.size();
        let whole = self
            .open
            .remove(&sender)
            .map(|open| open.parts.into_values().flatten().collect());
        whole.map_or(Part::Waiting, Part::Whole)
    }

    /// Ends the collection: for each manifest with missing parts its provider, the parts in a row from the first, and the problem.
    pub(super) fn finish(&mut self) -> Vec<(Guid, Vec<u8>, SchemaProblem)> {
        self.bytes = 0;
        let mut left: Vec<_> = std::mem::take(&mut self.open).into_iter().collect();
        // The map has no order of its own, but results should not differ from run to run.
        left.sort_by_key(|(sender, _)| *sender);
        left.into_iter()
            .map(|((provider, ..), open)| {
                let row = open
                    .parts
                    .into_iter()
                    .zip(0..)
                    .take_while(|((number, _), index)| number == index);
                let row: Vec<_> = row.map(|((_, bytes), _)| bytes).collect();
                let problem = SchemaProblem::ManifestParts {
                    found: row.len(),
                    expected: open.total,
                };
                (provider, row.concat(), problem)
            })
            .collect()
    }
}

impl Open {
    fn size(&self) -> usize {
        self.parts.values().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Sender = (Guid::ZERO, 1, 1);
    const B: Sender = (Guid::ZERO, 2, 1);

    #[test]
    fn parts_in_any_order_of_several_senders() {
        let mut parts = Parts::default();
        assert_eq!(parts.add(A, 1, 0, b"all"), Part::Whole(b"all".to_vec()));
        assert_eq!(parts.add(A, 3, 2, b"c"), Part::Waiting);
        assert_eq!(parts.add(B, 2, 0, b"x"), Part::Waiting);
        assert_eq!(parts.add(A, 3, 0, b"a"), Part::Waiting);
        assert_eq!(parts.add(A, 3, 1, b"b"), Part::Whole(b"abc".to_vec()));
        assert_eq!(parts.add(B, 2, 1, b"y"), Part::Whole(b"xy".to_vec()));
        assert_eq!((parts.bytes, parts.open.len()), (0, 0));
    }

    #[test]
    fn part_0_begins_anew() {
        let mut parts = Parts::default();
        parts.add(A, 3, 0, b"old");
        parts.add(A, 3, 1, b"old");
        parts.add(A, 3, 0, b"n");
        parts.add(A, 3, 1, b"e");
        assert_eq!(parts.add(A, 3, 2, b"w"), Part::Whole(b"new".to_vec()));
        assert_eq!(parts.bytes, 0);
    }

    #[test]
    fn missing_parts_are_told() {
        let mut parts = Parts::default();
        parts.add(A, 4, 0, b"a");
        parts.add(A, 4, 1, b"b");
        parts.add(A, 4, 3, b"d");
        let left = parts.finish();
        assert_eq!(
            left,
            [(
                Guid::ZERO,
                b"ab".to_vec(),
                SchemaProblem::ManifestParts { found: 2, expected: 4 }
            )]
        );
        assert!(parts.finish().is_empty());
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut parts = Parts::default();
        let bytes = vec![0; 0xFF00];
        let mut dropped = 0;
        for process in 0..1000 {
            for number in 1..4 {
                dropped += usize::from(matches!(
                    parts.add((Guid::ZERO, process, 0), 9, number, &bytes),
                    Part::Dropped(_)
                ));
            }
        }
        assert!(
            parts.bytes <= MAX_OPEN_BYTES && parts.open.len() <= MAX_OPEN,
            "{} {}",
            parts.bytes,
            parts.open.len()
        );
        assert_eq!(dropped, 3000 - parts.bytes / bytes.len());
    }
}
