//! The head of a trace: whether a file is one, and what its logfile header says.

use crate::buffer::Session;
use crate::clock::{Clock, ClockParameters};
use crate::compression::CompressionFormat;
use crate::context::Context;
use crate::dynamic::Parsed;
use crate::error::Error;
use crate::executor::{EventHeader, Executor, WalkStructure};
use crate::format::roles::{BufferRoles, EventRoles, LogfileRoles};
use crate::format::{EtwClockType, TraceLogfileHeader, WmiBufferHeader};
use crate::limits::Limits;
use crate::report::{Damage, DamageKind};
use crate::source::Source;
use crate::table::OpenEnum;

/// What the first buffer says of the whole trace.
#[derive(Debug, Clone)]
pub struct Logfile {
    /// The logfile header. Its roles ([`LogfileRoles`]) say what it holds.
    pub header: Parsed<TraceLogfileHeader>,
    /// Header of the event that carries it.
    pub event: EventHeader,
    pub(crate) clock: Clock,
    pub(crate) context: Context,
    pub(crate) compression: CompressionFormat,
    pub(crate) session: Session,
    /// What is wrong with the first buffer although the trace can be read.
    pub(crate) damage: Option<Damage>,
}

/// Whether the facts of a logfile header that are the same in all traces are as they must be.
fn is_plausible(header: &Parsed<TraceLogfileHeader>, pointer_size: u8, limits: &Limits, executor: Executor) -> bool {
    let facts: &dyn LogfileRoles = header;
    let sizes = executor.buffer_header_size() as u64..=u64::from(limits.max_buffer_size);
    facts.pointer_size() == Some(u64::from(pointer_size))
        && facts
            .clock_type()
            .is_some_and(|clock| EtwClockType::TABLE.entries.iter().any(|entry| entry.value == clock))
        && facts.session_buffer_size().is_some_and(|size| sizes.contains(&size))
        && facts.start_time().is_some_and(|start| start > 0)
}

/// The logfile header with its strings is shorter than this: names are at most 1,024 characters each.
const HEAD_SIZE: usize = 64 << 10;

impl Logfile {
    /// Identifies a trace by its first buffer. The format has no magic number, so several facts have to agree.
    pub(crate) fn read<S: Source + ?Sized>(source: &S, limits: &Limits, executor: Executor) -> Result<Self, Error> {
        let size = source.size().map_err(|error| Error::Io { offset: 0, error })?;
        let mut head = vec![0; HEAD_SIZE.min(usize::try_from(size).unwrap_or(HEAD_SIZE))];
        let read = source
            .read_full_at(0, &mut head)
            .map_err(|error| Error::Io { offset: 0, error })?;
        head.truncate(read);
        if head.is_empty() {
            return Err(Error::Empty);
        }
        Self::parse(&head, limits, executor)
    }

    fn parse(head: &[u8], limits: &Limits, executor: Executor) -> Result<Self, Error> {
        let header_size = executor.buffer_header_size();
        let context = Context::default();
        let Ok((buffer, _)) = executor.buffer_header(head, context) else {
            return Err(Error::NotATrace {
                offset: 0,
                expected: format!("a buffer header of {header_size} bytes"),
                found: format!("the end of the file at {:#x}", head.len()),
            });
        };
        let area = head.get(header_size..).unwrap_or_default();
        match Self::first_event(area, context, executor) {
            // Damage in the version of the first event moves where its payload begins.
            Ok((header, event, pointer_size)) => Ok(Some(())
                .filter(|()| !is_plausible(&header, pointer_size, limits, executor))
                .and_then(|()| Self::behind_damage(area, &buffer, limits, executor))
                .unwrap_or_else(|| Self::new(header, event, &buffer, pointer_size, limits, executor))),
            // A header buffer may be damaged in just its first event header.
            Err(error) if BufferRoles::buffer_is_header(&buffer) == Some(1) => {
                Self::behind_damage(area, &buffer, limits, executor).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads the event that carries the logfile header; gives both with the pointer size.
    fn first_event(
        area: &[u8],
        context: Context,
        executor: Executor,
    ) -> Result<(Parsed<TraceLogfileHeader>, EventHeader, u8), Error> {
        let header_size = executor.buffer_header_size();
        let expected = "the event header of a logfile header (system header, hook id 0)";
        let not_a_trace = |found: String| Error::NotATrace {
            offset: header_size as u64,
            expected: expected.to_owned(),
            found,
        };
        let first = area.first_chunk::<4>().map_or_else(
            || "the end of the file".to_owned(),
            |first| format!("{:#010x}", u32::from_le_bytes(*first)),
        );
        let case = executor
            .select_header(area, context)
            .ok_or_else(|| not_a_trace(first.clone()))?;
        let (Ok((event, used)), Some(pointer_size)) = (executor.header(case, area, context), case.pointer_size) else {
            return Err(not_a_trace(format!("{first}, which is no such header")));
        };
        let hook_id = event.hook_id().and_then(|hook_id| u16::try_from(hook_id).ok());
        let described = hook_id.and_then(|hook_id| executor.kernel_event(hook_id));
        if !described.is_some_and(|event| executor.carries_logfile_header(event)) {
            let hook_id = hook_id.map_or_else(
                || "without a hook id".to_owned(),
                |hook_id| format!("with hook id {hook_id:#06x}"),
            );
            return Err(not_a_trace(format!("a {} event {hook_id}", case.name)));
        }
        let payload = area.get(used..).unwrap_or_default();
        let payload = event
            .event_size()
            .and_then(|size| payload.get(..usize::try_from(size).ok()?.checked_sub(used)?))
            .unwrap_or(payload);
        let (header, _) = executor
            .logfile_header(payload, context.with_pointer_size(pointer_size))
            .map_err(|problem| Error::LogfileHeader {
                offset: (header_size + used) as u64,
                problem,
            })?;
        Ok((header, event, pointer_size))
    }

    /// Reads the logfile header behind an event header that is damaged, if what is there can be one.
    fn behind_damage(area: &[u8], buffer: &Parsed<WmiBufferHeader>, limits: &Limits, executor: Executor) -> Option<Self> {
        let context = Context::default();
        let [fixed, _] = executor.info(WalkStructure::LogfileEvent).min_size;
        let (event, _) = executor.logfile_event(area, context).ok()?;
        let payload = area.get(fixed as usize..)?;
        [8, 4].into_iter().find_map(|pointer_size: u8| {
            let (header, _) = executor
                .logfile_header(payload, context.with_pointer_size(pointer_size))
                .ok()?;
            is_plausible(&header, pointer_size, limits, executor).then(|| {
                let found = area.first_chunk::<4>().map_or(0, |first| u32::from_le_bytes(*first));
                let mut logfile = Self::new(header, event.clone(), buffer, pointer_size, limits, executor);
                logfile.damage = Some(Damage {
                    lost: 0..0,
                    buffer: Some(0),
                    buffer_offset: None,
                    kind: DamageKind::LogfileEvent { found },
                });
                logfile
            })
        })
    }

    fn new(
        header: Parsed<TraceLogfileHeader>,
        event: EventHeader,
        buffer: &Parsed<WmiBufferHeader>,
        pointer_size: u8,
        limits: &Limits,
        executor: Executor,
    ) -> Self {
        let (facts, buffer): (&dyn LogfileRoles, &dyn BufferRoles) = (&header, buffer);
        let log_version = facts.log_version_major().unwrap_or(0) << 8 | facts.log_version_minor().unwrap_or(0);
        let context = Context {
            pointer_size,
            log_version: u16::try_from(log_version).unwrap_or(u16::MAX),
        };
        let clock = Clock::new(ClockParameters {
            clock_type: facts.clock_type().unwrap_or(0),
            start_time: facts.start_time().unwrap_or(0),
            reference: event.timestamp().unwrap_or(0),
            frequency: facts.clock_frequency().unwrap_or(0),
            cpu_mhz: facts.cpu_speed_mhz().unwrap_or(0),
        });
        // Only a compressed trace has its format in the header buffer; elsewhere the same bytes are the buffer's state.
        let stated = facts
            .is_compressed_mode()
            .filter(|value| *value != 0)
            .and(buffer.buffer_compression_format());
        // 0 contradicts the mode: the header buffer is damaged there.
        let stated = stated
            .and_then(|number| u16::try_from(number).ok())
            .filter(|number| *number != 0)
            .map(CompressionFormat);
        // A buffer may be compressed although the mode does not say so: XPRESS is what has been seen.
        let compression = stated.unwrap_or(CompressionFormat::XPRESS);
        let session = Session {
            buffer_size: facts.session_buffer_size().unwrap_or(0),
            max_buffer_size: u64::from(limits.max_buffer_size),
            context,
            executor,
        };
        let damage = (buffer.buffer_is_header() == Some(0)).then(|| Damage {
            lost: 0..0,
            buffer: Some(0),
            buffer_offset: None,
            kind: DamageKind::NotHeaderBuffer {
                found: buffer.buffer_type().unwrap_or(0),
            },
        });
        Self {
            header,
            event,
            clock,
            context,
            compression,
            session,
            damage,
        }
    }

    /// The logfile header by its roles, whatever its fields are named.
    pub fn roles(&self) -> &dyn LogfileRoles {
        &self.header
    }

    /// Converts time stamps of the session to UTC.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What the trace's structures are read with, unless an event says otherwise.
    pub fn context(&self) -> Context {
        self.context
    }

    /// Format of the compressed buffers, if there are any.
    pub fn compression(&self) -> CompressionFormat {
        self.compression
    }

    /// Whether the session was still running, or had crashed, when the file was copied: its end is not written.
    pub fn is_unfinished(&self) -> bool {
        self.roles().end_time() == Some(0)
    }

    /// Whether the file was made from others by the relogger: buffers then tell when that happened, as FILETIME.
    pub fn is_relogged(&self) -> bool {
        let relog = u64::from(crate::format::EventTraceLogfileMode::RELOG_MODE.bits());
        self.roles().log_file_mode().unwrap_or(0) & relog != 0
    }

    /// Whether each buffer belongs to a processor; else to the session, and its processor number means nothing.
    pub fn is_per_processor(&self) -> bool {
        self.roles().is_per_session_buffering().is_none_or(|value| value == 0)
    }
}
