//! Steps from event to event through the area of one buffer.

use crate::buffer::ALIGNMENT;
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
    /// The next event. Events begin at multiples of 8 from the start of the buffer; the gaps hold anything.
    #[inline]
    pub(crate) fn next(&mut self, area: &[u8], complete: bool, context: Context, executor: Executor) -> Result<EventSpan, End> {
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
