//! The two ways to read what the schema describes: the generated parsers, or an interpreter of YAML files.

use std::fmt;

use crate::context::Context;
use crate::dispatch::{Case, EventInfo, Glance, PayloadLayout, Peek};
use crate::dynamic::{DynamicRecord, Parsed};
use crate::format::{
    EtwBufferFlag, EtwBufferState, EtwBufferType, EventHeaderExtendedDataItem, ExtendedItem, PerfinfoCcswapType, TraceHeader,
    TraceLogfileHeader, WmiBufferHeader,
};
use crate::guid::Guid;
use crate::layout::{Layout, LayoutError};
use crate::providers::ProviderInfo;
use crate::record::RecordInfo;
use crate::table::{FlagSet, OpenEnum, TableInfo};

/// Header of an event, whichever kind it is.
pub type EventHeader = Parsed<TraceHeader>;

/// What an interpreter gives for a structure: the values, and the number of bytes read.
pub type Interpretation = Result<(DynamicRecord, usize), LayoutError>;

/// Reads the structures of a schema that is known only when the program runs.
///
/// A trace that is opened [with an interpreter](crate::TraceFile::with_interpreter) is walked and decoded by it instead of by
/// the generated parsers. What both share is the walk itself, which finds everything by role.
pub trait Interpreter: fmt::Debug + Sync {
    /// Reads one of the structures that the walk needs.
    ///
    /// # Errors
    /// Names the field whose bytes are not all there.
    fn read(&self, structure: WalkStructure, bytes: &[u8], context: Context) -> Interpretation;

    /// Names, places and docs of one of the structures that the walk needs.
    fn info(&self, structure: WalkStructure) -> &'static RecordInfo;

    /// The tables of the buffer header's fields.
    fn buffer_tables(&self) -> BufferTables;

    /// Kind of the event header at the start of `bytes`.
    fn select_header(&self, bytes: &[u8], context: Context) -> Option<&'static Case>;

    /// Kind of the packet at the start of `bytes`, in a buffer of compact context switches.
    fn select_switch(&self, bytes: &[u8], context: Context) -> Option<&'static Case>;

    /// Size and time of an event without the rest of its header.
    fn peek_header(&self, case: &Case, bytes: &[u8], context: Context) -> Option<Peek>;

    /// Kind of an extended data item.
    fn select_item(&self, item_type: u64, context: Context) -> Option<&'static Case>;

    /// Reads the structure that a kind of header or item leads to.
    ///
    /// # Errors
    /// Names the field whose bytes are not all there.
    fn read_case(&self, case: &Case, bytes: &[u8], context: Context) -> Interpretation;

    /// A kernel event by its hook id.
    fn kernel_event(&self, hook_id: u16) -> Option<&'static EventInfo>;

    /// A classic event by its class and type.
    fn classic_event(&self, class_id: Guid, opcode: u64) -> Option<&'static EventInfo>;

    /// An event that the schema describes by its provider and number.
    fn provider_event(&self, provider_id: Guid, event_id: u64) -> Option<&'static EventInfo>;

    /// What the schema says of a provider.
    fn provider(&self, id: &Guid) -> Option<&'static ProviderInfo>;

    /// The provider of kernel events, whose headers name none.
    fn kernel_provider(&self) -> Option<&'static ProviderInfo>;
}

/// Structures that the walk through a file needs, whatever events there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkStructure {
    /// `WMI_BUFFER_HEADER`.
    BufferHeader,
    /// `TRACE_LOGFILE_HEADER`.
    LogfileHeader,
    /// The structure of the event header that carries it.
    LogfileEvent,
    /// `EVENT_HEADER_EXTENDED_DATA_ITEM`.
    ItemHeader,
}

impl WalkStructure {
    /// Microsoft's name, by which a schema defines it.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    fn info(self) -> &'static RecordInfo {
        match self {
            Self::BufferHeader => WmiBufferHeader::INFO,
            Self::LogfileHeader => TraceLogfileHeader::INFO,
            Self::LogfileEvent => crate::format::SystemTraceHeader::INFO,
            Self::ItemHeader => EventHeaderExtendedDataItem::INFO,
        }
    }
}

/// Tables that say which values a sound buffer header has.
#[derive(Debug, Clone, Copy)]
pub struct BufferTables {
    /// Kinds of buffers.
    pub types: &'static TableInfo,
    /// States of buffers.
    pub states: &'static TableInfo,
    /// Flags of buffers.
    pub flags: &'static TableInfo,
}

/// How a trace is read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Executor {
    /// By the generated parsers.
    Generated,
    /// By an interpreter.
    Interpreter(&'static dyn Interpreter),
}

impl Executor {
    pub(crate) fn info(self, structure: WalkStructure) -> &'static RecordInfo {
        match self {
            Self::Generated => structure.info(),
            Self::Interpreter(interpreter) => interpreter.info(structure),
        }
    }

    /// Bytes of a buffer header. The events follow it at once.
    #[inline]
    pub(crate) fn buffer_header_size(self) -> usize {
        match self {
            Self::Generated => WmiBufferHeader::SIZE,
            Self::Interpreter(_) => self.info(WalkStructure::BufferHeader).min_size[1] as usize,
        }
    }

    pub(crate) fn buffer_header(self, bytes: &[u8], context: Context) -> Result<(Parsed<WmiBufferHeader>, usize), LayoutError> {
        self.read(WalkStructure::BufferHeader, bytes, context)
    }

    pub(crate) fn logfile_header(
        self,
        bytes: &[u8],
        context: Context,
    ) -> Result<(Parsed<TraceLogfileHeader>, usize), LayoutError> {
        self.read(WalkStructure::LogfileHeader, bytes, context)
    }

    pub(crate) fn item_header(
        self,
        bytes: &[u8],
        context: Context,
    ) -> Result<(Parsed<EventHeaderExtendedDataItem>, usize), LayoutError> {
        self.read(WalkStructure::ItemHeader, bytes, context)
    }

    #[inline]
    fn read<T>(self, structure: WalkStructure, bytes: &[u8], context: Context) -> Result<(Parsed<T>, usize), LayoutError>
    where
        T: Layout + for<'a> binrw::BinRead<Args<'a> = Context>,
    {
        match self {
            Self::Generated => T::read_prefix(bytes, context).map(|(record, used)| (Parsed::Generated(record), used)),
            Self::Interpreter(interpreter) => interpreted(interpreter.read(structure, bytes, context)),
        }
    }

    /// The event header that carries the logfile header, whatever its type byte says.
    pub(crate) fn logfile_event(self, bytes: &[u8], context: Context) -> Result<(EventHeader, usize), LayoutError> {
        match self {
            Self::Generated => crate::format::SystemTraceHeader::read_prefix(bytes, context)
                .map(|(header, used)| (Parsed::Generated(TraceHeader::SystemTraceHeader(header)), used)),
            Self::Interpreter(interpreter) => interpreted(interpreter.read(WalkStructure::LogfileEvent, bytes, context)),
        }
    }

    pub(crate) fn buffer_tables(self) -> BufferTables {
        match self {
            Self::Generated => BufferTables {
                types: EtwBufferType::TABLE,
                states: EtwBufferState::TABLE,
                flags: EtwBufferFlag::TABLE,
            },
            Self::Interpreter(interpreter) => interpreter.buffer_tables(),
        }
    }

    #[inline]
    pub(crate) fn select_header(self, bytes: &[u8], context: Context) -> Option<&'static Case> {
        match self {
            Self::Generated => TraceHeader::select(bytes, context),
            Self::Interpreter(interpreter) => interpreter.select_header(bytes, context),
        }
    }

    pub(crate) fn select_switch(self, bytes: &[u8], context: Context) -> Option<&'static Case> {
        match self {
            Self::Generated => PerfinfoCcswapType::select(bytes, context),
            Self::Interpreter(interpreter) => interpreter.select_switch(bytes, context),
        }
    }

    #[inline]
    pub(crate) fn peek_header(self, case: &Case, bytes: &[u8], context: Context) -> Option<Peek> {
        match self {
            Self::Generated => TraceHeader::peek(case, bytes, context),
            Self::Interpreter(interpreter) => interpreter.peek_header(case, bytes, context),
        }
    }

    /// What events are chosen by. `None` if only decoding the header tells, as it always does for an interpreter.
    #[inline]
    pub(crate) fn glance(self, case: &Case, bytes: &[u8]) -> Option<Glance> {
        match self {
            Self::Generated => TraceHeader::glance(case, bytes),
            Self::Interpreter(_) => None,
        }
    }

    #[inline]
    pub(crate) fn header(self, case: &Case, bytes: &[u8], context: Context) -> Result<(EventHeader, usize), LayoutError> {
        match self {
            Self::Generated => TraceHeader::read(case, bytes, context).map(|(header, used)| (Parsed::Generated(header), used)),
            Self::Interpreter(interpreter) => interpreted(interpreter.read_case(case, bytes, context)),
        }
    }

    pub(crate) fn select_item(self, item_type: u64, context: Context) -> Option<&'static Case> {
        match self {
            Self::Generated => ExtendedItem::select(item_type, context),
            Self::Interpreter(interpreter) => interpreter.select_item(item_type, context),
        }
    }

    pub(crate) fn item(self, case: &Case, bytes: &[u8], context: Context) -> Result<Parsed<ExtendedItem>, LayoutError> {
        match self {
            Self::Generated => ExtendedItem::read(case, bytes, context).map(|(item, _)| Parsed::Generated(item)),
            Self::Interpreter(interpreter) => interpreted(interpreter.read_case(case, bytes, context)).map(|(item, _)| item),
        }
    }

    /// Finds a kernel event by its hook id.
    pub(crate) fn kernel_event(self, hook_id: u16) -> Option<&'static EventInfo> {
        match self {
            Self::Generated => crate::event::kernel_event(hook_id),
            Self::Interpreter(interpreter) => interpreter.kernel_event(hook_id),
        }
    }

    /// Finds an event by its class and type.
    pub(crate) fn classic_event(self, class_id: Guid, opcode: u64) -> Option<&'static EventInfo> {
        match self {
            Self::Generated => crate::event::classic_event(class_id, opcode),
            Self::Interpreter(interpreter) => interpreter.classic_event(class_id, opcode),
        }
    }

    /// Finds an event by its provider and number.
    pub(crate) fn provider_event(self, provider_id: Guid, event_id: u64) -> Option<&'static EventInfo> {
        match self {
            Self::Generated => crate::event::provider_event(provider_id, event_id),
            Self::Interpreter(interpreter) => interpreter.provider_event(provider_id, event_id),
        }
    }

    /// What the schema says of a provider.
    pub(crate) fn provider(self, id: &Guid) -> Option<&'static ProviderInfo> {
        match self {
            Self::Generated => crate::providers::provider(id),
            Self::Interpreter(interpreter) => interpreter.provider(id),
        }
    }

    /// The provider of kernel events.
    pub(crate) fn kernel_provider(self) -> Option<&'static ProviderInfo> {
        match self {
            Self::Generated => crate::providers::kernel_provider(),
            Self::Interpreter(interpreter) => interpreter.kernel_provider(),
        }
    }

    /// Whether the schema says that an event's payload is the logfile header.
    pub(crate) fn carries_logfile_header(self, event: &EventInfo) -> bool {
        let header = self.info(WalkStructure::LogfileHeader);
        event
            .versions
            .iter()
            .any(|version| matches!(&version.payload, PayloadLayout::Structure(info, _) | PayloadLayout::Interpreted(info, _) if info.name == header.name))
    }
}

fn interpreted<T>(read: Interpretation) -> Result<(Parsed<T>, usize), LayoutError> {
    read.map(|(record, used)| (Parsed::Interpreted(record), used))
}
