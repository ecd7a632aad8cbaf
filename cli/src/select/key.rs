//! Keys of the jsonl format as fields of conditions.

use winetl::payload::decoded::{Decoded, DecodedBy, Undecoded};
use winetl::record::Value;
use winetl::state::SessionState;
use winetl::{Event, EventRoles as _};

use super::compare::Outcome;
use crate::render::names::EventNames;
use crate::render::{Identity, real_id};

macro_rules! keys {
    ($($key:ident $name:literal $needs:ident,)*) => {
        /// A key of the jsonl format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Key {
            $($key,)*
        }

        impl Key {
            const ALL: &[(&str, Self)] = &[$(($name, Self::$key),)*];

            /// How much of the event must be known.
            pub(super) fn needs(self) -> Needs {
                match self {
                    $(Self::$key => Needs::$needs,)*
                }
            }
        }
    };
}

/// What of an event a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    Header,
    Payload,
}

keys! {
    N "n" Header,
    FileOffset "file_offset" Header,
    Buffer "buffer" Header,
    BufferOffset "buffer_offset" Header,
    Time "time" Header,
    RawTime "raw_time" Header,
    Cpu "cpu" Header,
    Pid "pid" Header,
    Tid "tid" Header,
    HeaderType "header_type" Header,
    ProviderId "provider_id" Header,
    Provider "provider" Payload,
    ClassId "class_id" Header,
    Event "event" Payload,
    Id "id" Header,
    Version "version" Header,
    Opcode "opcode" Header,
    Level "level" Header,
    Task "task" Header,
    Keyword "keyword" Header,
    DecodedBy "decoded_by" Payload,
    Undecoded "undecoded" Payload,
    Payload "payload" Payload,
    Process "process" Header,
    LevelName "names.level" Payload,
    OpcodeName "names.opcode" Payload,
    TaskName "names.task" Payload,
    KeywordNames "names.keywords" Payload,
}

impl Key {
    /// The key of a name, as the format spells it.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(key, _)| *key == name).map(|(_, key)| *key)
    }

    /// Shows the value of a key that [needs](Self::needs) no more than the header. Null is not shown.
    pub(super) fn see_header(self, event: &Event<'_>, state: &SessionState, outcome: &mut Outcome<'_>) {
        let header = event.header();
        let number = |number: Option<u64>| number.map_or(Value::Absent, Value::Unsigned);
        let guid = |guid: Option<winetl::Guid>| guid.map_or(Value::Absent, Value::Guid);
        let value = match self {
            Self::N => Value::Unsigned(event.index()),
            Self::FileOffset => Value::Unsigned(event.file_offset()),
            Self::Buffer => Value::Unsigned(event.buffer().index),
            Self::BufferOffset => number(event.buffer().compressed.then(|| u64::from(event.buffer_offset()))),
            Self::Time => super::event_time(event).map_or(Value::Absent, Value::Filetime),
            Self::RawTime => event.raw_time().map_or(Value::Absent, Value::Signed),
            Self::Cpu => number(event.processor().map(u64::from)),
            Self::Pid => number(real_id(header.process_id())),
            Self::Tid => number(real_id(header.thread_id())),
            Self::HeaderType => text(Some(event.case().name)),
            Self::ProviderId => guid(super::provider_id(event)),
            Self::ClassId => guid(event.class_id()),
            Self::Id => number(super::event_id(event)),
            Self::Version => number(header.event_version()),
            Self::Opcode => number(header.opcode()),
            Self::Level => number(header.level()),
            Self::Task => number(header.task()),
            Self::Keyword => header.keyword().map_or(Value::Absent, Value::Address),
            Self::Process => text(state.process_of(event)),
            _ => Value::Absent,
        };
        outcome.see(value, false);
    }

    /// Shows the value of a key that needs the payload.
    pub(super) fn see_payload<'a>(self, event: &Event<'a>, payload: &Decoded<'a>, outcome: &mut Outcome<'_>) {
        let names = || EventNames::of(event, payload.schema);
        match self {
            Self::Provider => outcome.see(text(payload.provider_name(event).as_deref()), false),
            Self::Event => outcome.see(text(Identity::of(event, payload).name.as_deref()), false),
            Self::DecodedBy => {
                let source = payload.source.filter(|_| payload.undecoded.is_none());
                outcome.see(text(source.map(DecodedBy::name)), false);
            }
            Self::Undecoded => outcome.see(text(payload.undecoded.map(Undecoded::name)), false),
            Self::Payload if payload.rest.is_empty() => {}
            Self::Payload => outcome.see(Value::Bytes(payload.rest), false),
            Self::LevelName => outcome.see(text(names().and_then(|names| names.level)), false),
            Self::OpcodeName => outcome.see(text(names().and_then(|names| names.opcode)), false),
            Self::TaskName => outcome.see(text(names().and_then(|names| names.task)), false),
            Self::KeywordNames => {
                let names = names();
                for name in names.iter().flat_map(|names| names.keywords) {
                    outcome.see(text(Some(name)), false);
                }
            }
            _ => {}
        }
    }
}

fn text(text: Option<&str>) -> Value<'_> {
    text.map_or(Value::Absent, |text| Value::Ansi(text.as_bytes()))
}
