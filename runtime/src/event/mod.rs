//! Events: the header through its roles, the extended items, and the payload.

mod cursor;
mod extended;
mod known;

use crate::buffer::BufferInfo;
use crate::clock::Clock;
use crate::context::Context;
use crate::dispatch::{Case, EventInfo, EventVersion, PayloadLayout};
use crate::executor::{EventHeader, Executor};
use crate::filetime::Filetime;
use crate::format::roles::EventRoles;
use crate::format::{EventHeaderExtType, TypedEvent};
use crate::guid::Guid;
use crate::layout::LayoutError;
use crate::payload::{Outcome, PayloadRecord, TemplateRecord};
use crate::providers::ProviderInfo;
use crate::table::OpenEnum;

pub(crate) use cursor::{End, EventCursor, EventSpan};
pub(crate) use extended::measure as measure_items;
pub use extended::{ExtendedItem, ExtendedItems};
pub(crate) use known::{classic_event, kernel_event, provider_event};

/// An event with its decoded header.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    pub(crate) index: u64,
    pub(crate) buffer: &'a BufferInfo,
    pub(crate) buffer_offset: u32,
    pub(crate) bytes: &'a [u8],
    pub(crate) case: &'static Case,
    pub(crate) header: EventHeader,
    pub(crate) items: &'a [u8],
    pub(crate) payload: &'a [u8],
    pub(crate) context: Context,
    pub(crate) clock: &'a Clock,
    /// Its own time stamp; for a compact context switch, the sum of the times up to it.
    pub(crate) own_time: Option<i64>,
    /// Time of a neighbour, for an event without a time of its own.
    pub(crate) neighbour_time: Option<i64>,
    pub(crate) per_processor: bool,
    pub(crate) executor: Executor,
}

impl<'a> Event<'a> {
    /// Number of the event in file order, from 0.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The buffer that holds it.
    pub fn buffer(&self) -> &'a BufferInfo {
        self.buffer
    }

    /// Bytes from the start of the decompressed buffer, header included.
    pub fn buffer_offset(&self) -> u32 {
        self.buffer_offset
    }

    /// Where the event lies in the file; for a compressed buffer, where the buffer lies.
    pub fn file_offset(&self) -> u64 {
        if self.buffer.compressed {
            self.buffer.offset
        } else {
            self.buffer.offset + u64::from(self.buffer_offset)
        }
    }

    /// All bytes: header, extended items and payload.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Kind of the header.
    pub fn case(&self) -> &'static Case {
        self.case
    }

    /// The header. Its roles ([`EventRoles`]) say what it holds, whichever kind it is.
    pub fn header(&self) -> &EventHeader {
        &self.header
    }

    /// The extended data items, none for most events.
    pub fn extended_items(&self) -> ExtendedItems<'a> {
        ExtendedItems::new(self.items, self.context, self.executor)
    }

    /// The payload: what follows header and extended items. For a compact context switch what the tables of its buffer say of the
    /// thread, in the layout that the schema has for it.
    pub fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// What the payload is read with: the pointer size is that of the event, not of the trace.
    pub fn context(&self) -> Context {
        self.context
    }

    /// Processor that logged the event; `None` if the session's buffers do not belong to processors.
    pub fn processor(&self) -> Option<u16> {
        self.per_processor.then(|| self.buffer.processor())
    }

    /// Time stamp in ticks of the session's clock; `None` if the header has none. That of a compact context switch is the sum of
    /// the times from the start of its buffer on.
    pub fn raw_time(&self) -> Option<i64> {
        self.own_time
    }

    /// Its time stamp, or that of its neighbour.
    pub(crate) fn ticks(&self) -> Option<i64> {
        self.raw_time().or(self.neighbour_time)
    }

    /// Time in UTC. An event without a time stamp has the time of the event before it in its buffer; at the start of a buffer,
    /// of the first that has one; and if none has one, that at which the buffer was written. `None` if the clock cannot be converted, or the date is impossible.
    pub fn time(&self) -> Option<Filetime> {
        self.clock.to_filetime(self.ticks()?)
    }

    /// What the schema says of the event, if it is a kernel event, a classic event of a class that the schema knows, or an event
    /// that the schema describes by its provider and number. An event that carries TraceLogging metadata is none of these: its
    /// number says nothing, and is 0 for most.
    pub fn info(&self) -> Option<&'static EventInfo> {
        match self.header.hook_id() {
            Some(hook_id) => self.executor.kernel_event(u16::try_from(hook_id).ok()?),
            None => match self.header.class_id() {
                Some(class_id) => self.executor.classic_event(class_id, self.header.opcode()?),
                None => {
                    let found = self
                        .executor
                        .provider_event(self.header.provider_id()?, self.header.event_id()?)?;
                    (!self.is_tracelogging()).then_some(found)
                }
            },
        }
    }

    /// The payload by the layout that the schema has for the event. `None` if it has none, or if the payload does not even hold
    /// the fixed part of its structure.
    ///
    /// Versions of the kernel's events append fields, so a version that the schema does not list is read by the layout of another
    /// ([`EventInfo::version`]). Those of a provider may differ in anything, so this is done for an event of a provider only if
    /// that layout takes the payload to its last byte.
    pub fn payload_record(&self) -> Option<PayloadRecord<'a>> {
        let (info, version) = (self.info()?, self.header.event_version().unwrap_or(0));
        let layout = info.version(version, self.context.pointer_size)?;
        let record = self.read_payload(&layout.payload)?;
        if info.event_id.is_some() && u64::from(layout.version) != version {
            let outcome = record.measure();
            return (outcome.short.is_none() && outcome.consumed == self.payload.len()).then_some(record);
        }
        Some(record)
    }

    fn read_payload(&self, layout: &'static PayloadLayout) -> Option<PayloadRecord<'a>> {
        match layout {
            PayloadLayout::Template(template) => Some(PayloadRecord::Template(TemplateRecord::new(
                template,
                self.payload,
                self.context,
            ))),
            PayloadLayout::Structure(_, read) => read(self.payload, self.context)
                .ok()
                .map(|(record, consumed)| PayloadRecord::Structure(record, Outcome { consumed, short: None })),
            PayloadLayout::Interpreted(_, payload) => payload
                .interpret(self.payload, self.context)
                .map(|(record, outcome)| PayloadRecord::Structure(Box::new(record), outcome)),
        }
    }

    /// The event to match on, with the fields of its payload: for the events that the schema marks as `typed`, those that
    /// profilers and forensic tools work with. `None` for all others. The layout is that of [`EventInfo::version`]; bytes behind
    /// it are passed over, as those of a newer version are.
    ///
    /// ```
    /// use winetl::{Event, TypedEvent};
    ///
    /// /// Says what an event tells of processes.
    /// fn describe(event: &Event<'_>) -> Option<String> {
    ///     match event.typed()?.ok()? {
    ///         // All versions of the payload have these fields; a field that only some have is an `Option`.
    ///         TypedEvent::ProcessStart(process) | TypedEvent::ProcessDcStart(process) => {
    ///             let command = process.command_line().map(|text| text.to_text()).unwrap_or_default();
    ///             Some(format!("{} runs {} {command}", process.process_id(), process.image_file_name()))
    ///         }
    ///         TypedEvent::ThreadReadyThread(ready) => Some(format!("thread {} is ready", ready.t_thread_id)),
    ///         _ => None,
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// Names the field whose bytes are not all there. [`Event::payload_record`] gives the fields before it.
    pub fn typed(&self) -> Option<Result<TypedEvent, LayoutError>> {
        Some(self.typed_prefix()?.map(|(event, _)| event))
    }

    /// Like [`Event::typed`], with the number of bytes of the payload that were read.
    ///
    /// # Errors
    /// Names the field whose bytes are not all there.
    pub fn typed_prefix(&self) -> Option<Result<(TypedEvent, usize), LayoutError>> {
        let read = self.version()?.typed?;
        Some(read(self.payload, self.context))
    }

    /// What the schema has for the event's version.
    fn version(&self) -> Option<&'static EventVersion> {
        self.info()?
            .version(self.header.event_version().unwrap_or(0), self.context.pointer_size)
    }

    /// Whether the event describes itself.
    fn is_tracelogging(&self) -> bool {
        let kind = EventHeaderExtType::EVENT_SCHEMA_TL.number();
        self.extended_items().any(|item| item.item_type() == kind)
    }

    /// What the schema says of the event's provider; for a kernel event, whose header names none, of the one that the schema marks as
    /// the kernel's.
    pub fn provider(&self) -> Option<&'static ProviderInfo> {
        match self.header.hook_id() {
            Some(_) => self.executor.kernel_provider(),
            None => self.executor.provider(&self.provider_id()?),
        }
    }

    /// GUID of the provider: for a classic event its class, as Windows' own consumers report it.
    pub fn provider_id(&self) -> Option<Guid> {
        self.header.provider_id().or_else(|| self.header.class_id())
    }

    /// GUID of the event class, for a classic or kernel event.
    pub fn class_id(&self) -> Option<Guid> {
        let kernel = || {
            let info = self.executor.kernel_event(u16::try_from(self.header.hook_id()?).ok()?);
            info.map(|info| info.class_id)
        };
        self.header.class_id().or_else(kernel)
    }
}
