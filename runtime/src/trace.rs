//! A trace file: its head, its buffers, its events.

use std::fs::File;
use std::path::Path;

use crate::buffer::{BufferCursor, BufferInfo, EventArea};
use crate::error::Error;
use crate::event::Event;
use crate::executor::{Executor, Interpreter};
use crate::limits::Limits;
use crate::logfile::Logfile;
use crate::order::{Ahead, BufferIndex, Collector, FileOrder, Order, Survey, TimeOrder, survey};
use crate::payload::schemas::Schemas;
use crate::report::{Note, Report};
use crate::source::Source;
use crate::walk::{Reading, Walk};

/// A trace that was identified and whose logfile header was read.
#[derive(Debug)]
pub struct TraceFile<S> {
    source: S,
    size: u64,
    logfile: Logfile,
    limits: Limits,
}

impl TraceFile<File> {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file can't be read, is empty, or does not begin as a trace does.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let file = File::open(path).map_err(|error| Error::Io { offset: 0, error })?;
        Self::new(file, Limits::default())
    }
}

impl TraceFile<Vec<u8>> {
    /// Takes a trace that is in memory.
    ///
    /// # Errors
    /// If the bytes do not begin as a trace does.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::new(bytes.into(), Limits::default())
    }
}

impl<S: Source> TraceFile<S> {
    /// Takes a trace from any source.
    ///
    /// # Errors
    /// If the source can't be read, is empty, or does not begin as a trace does.
    pub fn new(source: S, limits: Limits) -> Result<Self, Error> {
        Self::with_executor(source, limits, Executor::Generated)
    }

    /// Takes a trace from any source, to be read by an interpreter of a schema instead of by the generated parsers.
    ///
    /// # Errors
    /// If the source can't be read, is empty, or does not begin as the schema says that a trace does.
    pub fn with_interpreter(source: S, limits: Limits, interpreter: &'static dyn Interpreter) -> Result<Self, Error> {
        Self::with_executor(source, limits, Executor::Interpreter(interpreter))
    }

    fn with_executor(source: S, limits: Limits, executor: Executor) -> Result<Self, Error> {
        let size = source.size().map_err(|error| Error::Io { offset: 0, error })?;
        let logfile = Logfile::read(&source, &limits, executor)?;
        Ok(Self {
            source,
            size,
            logfile,
            limits,
        })
    }

    /// What the first buffer says of the whole trace.
    pub fn logfile(&self) -> &Logfile {
        &self.logfile
    }

    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The buffers in file order.
    pub fn buffers(&self) -> Buffers<'_, S> {
        Buffers {
            trace: self,
            cursor: BufferCursor::new(self.size),
            report: self.report(),
            area: EventArea::default(),
            done: false,
        }
    }

    /// The events. To put them in order by time, the whole file is walked first.
    pub fn events(&self, order: Order) -> Events<'_, S> {
        let walk = self.ordered(order, None).0;
        Events { trace: self, walk }
    }

    /// The schemas that the trace carries for its own events. The whole file is read for it, since they often stand behind the
    /// events that they describe.
    pub fn schemas(&self) -> Schemas {
        let mut collector = Collector::default();
        survey(&self.source, self.size, &self.logfile, &mut collector);
        collector.finish()
    }

    /// The events and the schemas: the same as [`Self::events`] and [`Self::schemas`], with one walk less for events in order by
    /// time.
    pub fn events_and_schemas(&self, order: Order) -> (Events<'_, S>, Schemas) {
        let (walk, schemas) = self.walk_and_schemas(order);
        (Events { trace: self, walk }, schemas)
    }

    /// The same as [`Self::events_and_schemas`], with the events as a place that does not borrow the trace.
    pub fn walk_and_schemas(&self, order: Order) -> (Walk, Schemas) {
        let mut collector = Collector::default();
        let (walk, walked) = self.ordered(order, Some(&mut collector));
        let schemas = if walked { collector.finish() } else { self.schemas() };
        (walk, schemas)
    }

    /// Walks the whole file to learn when its events were logged, and adds the schemas that it carries to `schemas`, which may be
    /// of other traces of the same machine. [`Schemas::finish`] ends the collection.
    pub fn survey(&self, schemas: &mut Schemas) -> Survey {
        let mut collector = Collector::with(std::mem::take(schemas));
        let found = survey(&self.source, self.size, &self.logfile, &mut collector);
        *schemas = collector.into_schemas();
        found
    }

    /// The events in file order of a trace whose session still writes it: those of whole buffers, each as soon as it is there.
    /// When there are no more, [`Walk::set_growth`] tells of a file that has grown.
    pub fn follow(&self) -> Walk {
        let mut walk = Walk::new(Reading::File(Box::new(FileOrder::new(self.size))), self.report());
        walk.set_growth(self, false);
        walk
    }

    /// The events, and whether the whole file was walked for them and shown to the collector.
    fn ordered(&self, order: Order, collector: Option<&mut Collector>) -> (Walk, bool) {
        let mut report = self.report();
        let index = match order {
            Order::File => None,
            Order::Time => BufferIndex::build(&self.source, self.size, &self.logfile, &self.limits, &mut report, collector),
        };
        let walked = index.is_some();
        let reading = match index {
            Some(index) => Reading::Time(TimeOrder::new(index, self.size)),
            None => Reading::File(Box::new(FileOrder::new(self.size))),
        };
        (Walk::new(reading, report), walked)
    }

    /// The bytes of a buffer behind its header, as they are stored: compressed, or events and what follows them.
    ///
    /// # Errors
    /// If the source can't be read.
    pub fn stored_area(&self, buffer: &BufferInfo) -> Result<Vec<u8>, Error> {
        let offset = buffer.offset + buffer.header_size as u64;
        let mut bytes = vec![
            0;
            usize::try_from(buffer.stored)
                .unwrap_or(usize::MAX)
                .saturating_sub(buffer.header_size)
        ];
        let read = self
            .source
            .read_full_at(offset, &mut bytes)
            .map_err(|error| Error::Io { offset, error })?;
        bytes.truncate(read);
        Ok(bytes)
    }

    /// Reads bytes of the file from `offset` on into `target`; gives how many were read, fewer only at the end of the file.
    ///
    /// # Errors
    /// If the source can't be read.
    pub fn read_at(&self, offset: u64, target: &mut [u8]) -> Result<usize, Error> {
        let read = self.source.read_full_at(offset, target);
        read.map_err(|error| Error::Io { offset, error })
    }

    fn report(&self) -> Report {
        let mut report = Report::new(self.limits.max_damages);
        if let Some(damage) = &self.logfile.damage {
            report.damage(damage.clone());
        }
        report
    }

    pub(crate) fn note_buffers(&self, found: u64, report: &mut Report) {
        let stated = self.logfile.roles().buffers_written().unwrap_or(0);
        if stated != found {
            report.note(Note::BuffersWritten { stated, found });
        }
    }
}

/// The buffers of a trace.
#[derive(Debug)]
pub struct Buffers<'t, S> {
    trace: &'t TraceFile<S>,
    cursor: BufferCursor,
    report: Report,
    area: EventArea,
    done: bool,
}

impl<S: Source> Buffers<'_, S> {
    /// What was damaged so far; complete once the iterator has ended.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Number of events in a buffer, and the time stamps of the first and the last that have one.
    pub fn summarise(&mut self, buffer: &BufferInfo) -> BufferSummary {
        let logfile = &self.trace.logfile;
        self.area.load(
            &self.trace.source,
            buffer,
            logfile.compression,
            logfile.context,
            &mut self.report,
        );
        crate::order::summarise(&self.area, buffer, logfile, &mut self.report)
    }
}

impl<S: Source> Iterator for Buffers<'_, S> {
    type Item = BufferInfo;

    fn next(&mut self) -> Option<BufferInfo> {
        let buffer = self
            .cursor
            .next(&self.trace.source, &self.trace.logfile.session, &mut self.report);
        if buffer.is_none() && !self.done {
            self.done = true;
            self.trace.note_buffers(self.cursor.found(), &mut self.report);
        }
        buffer
    }
}

/// What the events of one buffer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BufferSummary {
    /// Number of events.
    pub events: u64,
    /// Time stamp of the first event that has one, in ticks of the session's clock.
    pub first_time: Option<i64>,
    /// Time stamp of the last event that has one.
    pub last_time: Option<i64>,
}

/// The events of a trace, one at a time: each borrows the buffer it lies in.
#[derive(Debug)]
pub struct Events<'t, S> {
    trace: &'t TraceFile<S>,
    walk: Walk,
}

impl<S: Source> Events<'_, S> {
    /// The next event. Damage never ends the events: it is passed over and told of in the [report](Self::report).
    #[expect(clippy::should_implement_trait, reason = "an event borrows from the reader")]
    pub fn next(&mut self) -> Option<Event<'_>> {
        self.walk.next(self.trace)
    }

    /// The next event that may be wanted, as [`Walk::next_where`] has it.
    pub fn next_where(&mut self, may_be_wanted: impl FnMut(&Ahead) -> bool) -> Option<Event<'_>> {
        self.walk.next_where(self.trace, may_be_wanted)
    }

    /// What was damaged or odd so far; complete once there are no more events.
    pub fn report(&self) -> &Report {
        self.walk.report()
    }
}
