//! Steps from event to event through the area of one buffer.

use crate::buffer::{ALIGNMENT, Contents, EventArea, SWITCH_HEAD_SIZE};
use crate::context::Context;
use crate::dispatch::Case;
use crate::executor::Executor;
use crate::report::DamageKind;

/// Where an event lies in the area, and the kind of its header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventSpan {
    pub(crate) at: usize,
    pub(crate) size: usize,
    pub(crate) case: &'static Case,
}

/// Position in an area of events.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EventCursor {
    at: usize,
}

/// Why there is no further event.
#[derive(Debug)]
pub(crate) enum End {
    /// The area is used up.
    Regular,
    /// The area is marked as empty from this place on.
    Marked(usize),
    /// The area is cut off within the event at this place.
    Cut(usize),
    /// What is at this place is no event.
    Damaged(usize, DamageKind),
}

impl EventCursor {
    /// A cursor at the first event or packet of a buffer.
    pub(crate) fn at_start_of(area: &EventArea) -> Self {
        let at = if area.switches().is_some() { SWITCH_HEAD_SIZE } else { 0 };
        Self { at }
    }

    /// The next event or packet.
    #[inline]
    pub(crate) fn next(&mut self, area: &EventArea, context: Context, executor: Executor) -> Result<EventSpan, End> {
        match area.contents() {
            Contents::Events => self.next_event(area.bytes(), area.is_complete(), context, executor),
            Contents::Switches(Ok(_)) => self.next_switch(area.bytes(), area.is_complete(), context, executor),
            Contents::Switches(Err(_)) if !area.is_complete() => Err(End::Cut(0)),
            Contents::Switches(Err(error)) => Err(End::Damaged(0, DamageKind::ContextSwitches(error.clone()))),
        }
    }

    /// The next packet of a buffer of context switches. Packets follow each other without gaps.
    fn next_switch(&mut self, area: &[u8], complete: bool, context: Context, executor: Executor) -> Result<EventSpan, End> {
        let at = self.at;
        let rest = area.get(at..).unwrap_or_default();
        let Some(first) = rest.first() else {
            return Err(if complete { End::Regular } else { End::Cut(at) });
        };
        let Some(case) = executor.select_switch(rest, context) else {
            let found = u32::from(*first);
            return Err(End::Damaged(at, DamageKind::UnknownHeader { found }));
        };
        let least = crate::buffer::least_size(case, context);
        match executor
            .peek_header(case, rest, context)
            .and_then(|peek| usize::try_from(peek.size).ok())
        {
            Some(size) if size > 0 => {
                self.at = at + size;
                Ok(EventSpan { at, size, case })
            }
            _ if !complete => Err(End::Cut(at)),
            _ => Err(End::Damaged(
                at,
                DamageKind::EventSize {
                    header: case.name,
                    found: u64::from(least),
                    least,
                    left: rest.len(),
                },
            )),
        }
    }

    /// The next event. Events begin at multiples of 8 from the start of the buffer; the gaps hold anything.
    #[inline]
    fn next_event(&mut self, area: &[u8], complete: bool, context: Context, executor: Executor) -> Result<EventSpan, End> {
        let at = self.at;
        let rest = area.get(at..).unwrap_or_default();
        let Some(first) = rest.first_chunk::<4>() else {
            return Err(if rest.is_empty() || complete {
                End::Regular
            } else {
                End::Cut(at)
            });
        };
        let Some(case) = executor.select_header(rest, context) else {
            return Err(End::Damaged(
                at,
                DamageKind::UnknownHeader {
                    found: u32::from_le_bytes(*first),
                },
            ));
        };
        if case.info.is_none() {
            return Err(End::Marked(at));
        }
        let least = crate::buffer::least_size(case, context);
        let size = match executor.peek_header(case, rest, context) {
            Some(peek) => peek.size,
            None if !complete => return Err(End::Cut(at)),
            None => 0,
        };
        let event = usize::try_from(size).ok().filter(|size| *size >= least as usize);
        match event {
            Some(size) if size <= rest.len() => {
                self.at = (at + size).next_multiple_of(ALIGNMENT);
                Ok(EventSpan { at, size, case })
            }
            Some(_) if !complete => Err(End::Cut(at)),
            _ => Err(End::Damaged(
                at,
                DamageKind::EventSize {
                    header: case.name,
                    found: size,
                    least,
                    left: rest.len(),
                },
            )),
        }
    }
}
