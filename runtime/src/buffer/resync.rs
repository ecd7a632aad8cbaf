//! Finds the next buffer behind damage.

use std::io;

use super::header::{Candidate, QuickLook, Session};
use crate::source::Source;

/// How much of the file is looked at once.
const WINDOW: usize = 64 << 10;

/// The first place from `from` on that holds a header with nothing impossible in it. Compressed buffers begin at any byte.
pub(super) fn find_buffer<S: Source + ?Sized>(source: &S, from: u64, end: u64, session: &Session) -> io::Result<Option<u64>> {
    let look = QuickLook::new(session.executor);
    let candidate_size = session.candidate_size();
    let mut window = vec![0; WINDOW];
    let mut start = from;
    while start < end {
        let filled = source.read_full_at(start, &mut window)?;
        let bytes = window.get(..filled).unwrap_or_default();
        let last = filled.saturating_sub(candidate_size);
        for at in 0..=last {
            let candidate = bytes.get(at..(at + candidate_size).min(filled)).unwrap_or_default();
            if look.might_be_header(candidate) && Candidate::read(candidate, session).is_some_and(|candidate| candidate.sane) {
                return Ok(Some(start + at as u64));
            }
        }
        if filled < WINDOW {
            break;
        }
        start += last as u64 + 1;
    }
    Ok(None)
}

/// Whether all bytes from `from` to the end are zeros.
pub(super) fn is_zero_to_end<S: Source + ?Sized>(source: &S, from: u64) -> io::Result<bool> {
    let mut window = vec![0; WINDOW];
    let mut at = from;
    loop {
        let filled = source.read_full_at(at, &mut window)?;
        let bytes = window.get(..filled).unwrap_or_default();
        if bytes.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        if filled < WINDOW {
            return Ok(true);
        }
        at += filled as u64;
    }
}
