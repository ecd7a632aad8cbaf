//! Steps from buffer to buffer through the file, over damage too.

use std::io;
use std::ops::Range;

use super::header::{ALIGNMENT, BufferInfo, Candidate, MAX_CANDIDATE_SIZE, Session, filled_range};
use super::resync::{find_buffer, is_zero_to_end};
use crate::report::{Damage, DamageKind, Note, Report};
use crate::source::Source;

/// Position in the sequence of buffers.
///
/// A header is believed if at most its size is impossible, or if its size leads to a header in which nothing is, or to the end
/// of the file. Else the next believable header is looked for, and what lies between is lost.
#[derive(Debug, Clone)]
pub(crate) struct BufferCursor {
    /// Where the next buffer is expected.
    at: u64,
    index: u64,
    file_size: u64,
    done: bool,
}

/// What is found where a buffer is expected.
enum Found {
    Buffer(Candidate),
    /// Zeros to the end of the file.
    ZeroTail,
    /// The end of the file, or too few bytes for a header.
    End,
    Nothing(Option<Candidate>),
}

impl BufferCursor {
    pub(crate) fn new(file_size: u64) -> Self {
        Self {
            at: 0,
            index: 0,
            file_size,
            done: false,
        }
    }

    /// A cursor at a buffer that was found before.
    pub(crate) fn resumed(at: u64, index: u64, file_size: u64) -> Self {
        Self {
            at,
            index,
            file_size,
            done: false,
        }
    }

    /// Says how large the file is now.
    pub(crate) fn set_file_size(&mut self, file_size: u64) {
        self.file_size = file_size;
    }

    /// Whether all of the next buffer is there, in a file that still grows. What is no buffer at all is left to [`Self::next`]
    /// once a buffer's size of it is there.
    pub(crate) fn is_whole<S: Source + ?Sized>(&self, source: &S, session: &Session) -> bool {
        let left = self.file_size.saturating_sub(self.at);
        match self.look(source, self.at, session) {
            Ok(Found::Buffer(candidate)) => candidate.size.unwrap_or(session.buffer_size) <= left,
            Ok(Found::Nothing(_)) => session.buffer_size.min(session.max_buffer_size) <= left,
            Ok(Found::ZeroTail | Found::End) => false,
            // The error is told of when the buffer is read.
            Err(_) => true,
        }
    }

    /// Number of buffers found so far.
    pub(crate) fn found(&self) -> u64 {
        self.index
    }

    /// The next buffer.
    pub(crate) fn next<S: Source + ?Sized>(&mut self, source: &S, session: &Session, report: &mut Report) -> Option<BufferInfo> {
        if self.done {
            return None;
        }
        match self.step(source, session, report) {
            Ok(Some(buffer)) => {
                self.index += 1;
                Some(buffer)
            }
            Ok(None) => {
                self.done = true;
                None
            }
            Err(error) => {
                self.done = true;
                report.damage(self.lost(self.at..self.file_size, DamageKind::Io(error.to_string())));
                None
            }
        }
    }

    fn lost(&self, lost: Range<u64>, kind: DamageKind) -> Damage {
        Damage {
            lost,
            buffer: None,
            buffer_offset: None,
            kind,
        }
    }

    fn step<S: Source + ?Sized>(&mut self, source: &S, session: &Session, report: &mut Report) -> io::Result<Option<BufferInfo>> {
        // The first buffer was identified before, whatever else its header says.
        let candidate = match self.look(source, self.at, session)? {
            Found::Buffer(candidate) => candidate,
            Found::Nothing(Some(candidate)) if self.index == 0 => candidate,
            Found::ZeroTail => {
                report.note(Note::ZeroTail {
                    offset: self.at,
                    length: self.file_size - self.at,
                });
                return Ok(None);
            }
            Found::End => {
                if self.at < self.file_size {
                    let missing = session.header_size() as u64 - (self.file_size - self.at);
                    report.damage(self.lost(self.at..self.file_size, DamageKind::Truncated { missing }));
                }
                return Ok(None);
            }
            Found::Nothing(candidate) => {
                let stated = candidate.and_then(|candidate| candidate.roles().buffer_size()).unwrap_or(0);
                return self.resume(source, session, DamageKind::NoBuffer { buffer_size: stated }, report);
            }
        };
        self.accept(source, &candidate, session, report).map(Some)
    }

    /// Goes on at the next header in which nothing is impossible; what lies before it is lost.
    fn resume<S: Source + ?Sized>(
        &mut self,
        source: &S,
        session: &Session,
        kind: DamageKind,
        report: &mut Report,
    ) -> io::Result<Option<BufferInfo>> {
        let next = find_buffer(source, self.at + 1, self.file_size, session)?;
        report.damage(self.lost(self.at..next.unwrap_or(self.file_size), kind));
        let Some(next) = next else { return Ok(None) };
        self.at = next;
        match self.look(source, next, session)? {
            Found::Buffer(candidate) => self.accept(source, &candidate, session, report).map(Some),
            _ => Ok(None),
        }
    }

    fn look<S: Source + ?Sized>(&self, source: &S, at: u64, session: &Session) -> io::Result<Found> {
        let mut bytes = [0; MAX_CANDIDATE_SIZE];
        let bytes = bytes.get_mut(..session.candidate_size()).unwrap_or_default();
        let read = source.read_full_at(at, bytes)?;
        let Some(candidate) = Candidate::read(bytes.get(..read).unwrap_or_default(), session) else {
            return Ok(
                if bytes.get(..read).is_some_and(|rest| rest.iter().all(|byte| *byte == 0)) && read > 0 {
                    Found::ZeroTail
                } else {
                    Found::End
                },
            );
        };
        if candidate.sane {
            return Ok(Found::Buffer(candidate));
        }
        if candidate.zero && is_zero_to_end(source, at)? {
            return Ok(Found::ZeroTail);
        }
        // Something in the header is impossible, but its size may still be right.
        let leads_on = match candidate.size.map(|size| at + size) {
            Some(next) if next == self.file_size => true,
            Some(next) if next < self.file_size => {
                let read = source.read_full_at(next, bytes)?;
                Candidate::read(bytes.get(..read).unwrap_or_default(), session).is_some_and(|next| next.sane)
            }
            _ => false,
        };
        Ok(if leads_on {
            Found::Buffer(candidate)
        } else if candidate.sane_but_size {
            Found::Buffer(Candidate { size: None, ..candidate })
        } else {
            Found::Nothing(Some(candidate))
        })
    }

    fn accept<S: Source + ?Sized>(
        &mut self,
        source: &S,
        candidate: &Candidate,
        session: &Session,
        report: &mut Report,
    ) -> io::Result<BufferInfo> {
        let offset = self.at;
        let left = self.file_size - offset;
        let compressed = candidate.compressed();
        let size = candidate.size;
        let mut damage = |at: u64, kind: DamageKind| {
            report.damage(Damage {
                lost: at..at,
                buffer: Some(self.index),
                buffer_offset: None,
                kind,
            });
        };
        let filled = filled(
            candidate,
            size.unwrap_or(session.buffer_size).min(session.max_buffer_size),
            session,
        )
        .unwrap_or_else(|(kind, filled)| {
            damage(offset, kind);
            filled
        });
        let filled = match self.differing(source, candidate, filled, session)? {
            Some(saved) => {
                damage(offset, DamageKind::FilledBytesDiffer { filled, saved });
                saved
            }
            None => filled,
        };
        let stated_next = size.map(|size| offset + size).filter(|next| *next <= self.file_size);
        self.at = match stated_next {
            Some(next) if self.follows(source, next, session)? => next,
            _ => {
                // Where the events end in the file: the next buffer can't begin before.
                let content_end = offset + if compressed { session.header_size() as u64 } else { filled };
                let found = find_buffer(source, content_end, self.file_size, session)?;
                match (stated_next, found, size) {
                    // Garbage behind the buffer; the next step tells of it.
                    (Some(next), None, _) => next,
                    (Some(next), Some(found), _) if found > next => next,
                    (None, None, Some(size)) => {
                        damage(self.file_size, DamageKind::Truncated { missing: size - left });
                        self.file_size
                    }
                    (_, found, _) => {
                        damage(
                            offset,
                            DamageKind::BufferSize {
                                found: candidate.roles().buffer_size().unwrap_or(0),
                            },
                        );
                        found.unwrap_or(self.file_size)
                    }
                }
            }
        };
        let stored = self.at - offset;
        let is_header = candidate.roles().buffer_is_header().is_some_and(|value| value != 0);
        Ok(BufferInfo {
            index: self.index,
            offset,
            header: candidate.header.clone(),
            stored,
            filled,
            compressed,
            is_header,
            header_size: session.header_size(),
        })
    }

    /// The older account of the filled bytes of a data buffer, if it is the larger and what lies behind the smaller one is not
    /// marked as empty. In every sound file the two are equal there, so one of them is damaged; taking the larger loses nothing.
    fn differing<S: Source + ?Sized>(
        &self,
        source: &S,
        candidate: &Candidate,
        filled: u64,
        session: &Session,
    ) -> io::Result<Option<u64>> {
        let roles = candidate.roles();
        let (_, most) = filled_range(candidate.compressed(), candidate.size.unwrap_or(session.buffer_size), session);
        let saved = roles.buffer_saved_offset().filter(|saved| *saved > filled && *saved <= most);
        let is_data = roles.buffer_is_header().is_some_and(|value| value == 0);
        if saved.is_none() || !is_data || roles.buffer_filled() != Some(filled) {
            return Ok(None);
        }
        let mut behind = [0; ALIGNMENT];
        let read = source.read_full_at(self.at + filled, &mut behind)?;
        let marker = session
            .executor
            .select_header(behind.get(..read).unwrap_or_default(), session.context);
        let marked_empty = !candidate.compressed() && marker.is_some_and(|case| case.info.is_none());
        Ok(saved.filter(|_| !marked_empty))
    }

    /// Whether the file goes on at `next` as behind a buffer.
    fn follows<S: Source + ?Sized>(&self, source: &S, next: u64, session: &Session) -> io::Result<bool> {
        if next == self.file_size {
            return Ok(true);
        }
        if next > self.file_size {
            return Ok(false);
        }
        Ok(match self.look(source, next, session)? {
            Found::Buffer(_) | Found::ZeroTail | Found::End => true,
            Found::Nothing(_) => false,
        })
    }
}

/// The filled bytes of a buffer, or what is wrong with the stated number and the best guess.
fn filled(candidate: &Candidate, size: u64, session: &Session) -> Result<u64, (DamageKind, u64)> {
    let (least, most) = filled_range(candidate.compressed(), size, session);
    let range = least..=most;
    let found = candidate.roles().buffer_filled().unwrap_or(0);
    if range.contains(&found) {
        return Ok(found);
    }
    let saved = candidate
        .roles()
        .buffer_saved_offset()
        .filter(|saved| range.contains(saved) && *saved > least);
    Err((DamageKind::FilledBytes { found, least, most }, saved.unwrap_or(most)))
}
