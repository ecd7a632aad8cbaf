//! What the formats of Microsoft's tracerpt have in common: how it names events, spells numbers and fills what a header lacks.

use std::borrow::Cow;
use std::fmt;

use winetl::{Event, EventRoles, Guid};

use super::Identity;
use super::names::EventNames;
use super::sink::Shown;

/// Units of 100 ns in a millisecond.
const UNITS_PER_MS: u64 = 10_000;

/// The id that stands for none in headers.
const NO_ID: u64 = u32::MAX as u64;

/// A GUID in braces.
pub(crate) struct Braced(pub(crate) Guid);

impl fmt::Display for Braced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        f.write_str(ascii(&self.0.to_ascii()))?;
        f.write_str("}")
    }
}

/// Text that was just made of digits and the like.
fn ascii(text: &[u8]) -> &str {
    std::str::from_utf8(text).unwrap_or_default()
}

/// Bytes as upper-case digits.
pub(crate) struct UpperHex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for UpperHex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        self.0.chunks(digits.len() / 2).try_for_each(|bytes| {
            let (pairs, _) = digits.as_chunks_mut::<2>();
            for (pair, byte) in pairs.iter_mut().zip(bytes) {
                *pair = [byte >> 4, byte & 15].map(|digit| if digit < 10 { b'0' + digit } else { b'A' - 10 + digit });
            }
            f.write_str(ascii(digits.get(..2 * bytes.len()).unwrap_or_default()))
        })
    }
}

/// The numbers of an event in which tracerpt has no gaps.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// 0 for classic and kernel events; the number of a WPP message.
    pub(crate) id: u64,
    pub(crate) version: u64,
    pub(crate) channel: u64,
    pub(crate) level: u64,
    pub(crate) opcode: u64,
    pub(crate) task: u64,
    pub(crate) keyword: u64,
    /// 4294967295 where the header has none.
    pub(crate) process_id: u64,
    pub(crate) thread_id: u64,
    pub(crate) processor: Option<u16>,
    /// All zeros where the header has none.
    pub(crate) activity: Guid,
    /// Milliseconds that the thread had run in kernel mode and in user mode.
    pub(crate) kernel_ms: u64,
    pub(crate) user_ms: u64,
}

impl Numbers {
    pub(crate) fn of(shown: &Shown<'_>) -> Self {
        let header = shown.event.header();
        // tracerpt takes a tick of 15.625 ms as 15 ms: the times that it prints are multiples of that.
        let tick = shown.timer_resolution.unwrap_or(0) / UNITS_PER_MS;
        let ms = |ticks: Option<u64>| ticks.unwrap_or(0).saturating_mul(tick);
        Self {
            id: header.event_id().or_else(|| header.message_number()).unwrap_or(0),
            version: header.event_version().unwrap_or(0),
            channel: header.channel().unwrap_or(0),
            level: header.level().unwrap_or(0),
            opcode: header.opcode().unwrap_or(0),
            task: header.task().unwrap_or(0),
            keyword: header.keyword().unwrap_or(0),
            process_id: header.process_id().unwrap_or(NO_ID),
            thread_id: header.thread_id().unwrap_or(NO_ID),
            processor: shown.event.processor(),
            activity: header.activity_id().unwrap_or(Guid::ZERO),
            kernel_ms: ms(header.kernel_time()),
            user_ms: ms(header.user_time()),
        }
    }
}

/// The names of an event.
#[derive(Debug)]
pub(crate) struct EventTexts<'a> {
    /// Class of a classic or kernel event that the schema knows.
    pub(crate) class: Option<&'static str>,
    pub(crate) provider: Option<Cow<'a, str>>,
    pub(crate) opcode: Option<&'a str>,
    pub(crate) task: Option<&'a str>,
    pub(crate) level: Option<&'a str>,
    pub(crate) channel: Option<&'a str>,
    pub(crate) keywords: &'a [std::sync::Arc<str>],
    /// Name of a TraceLogging event.
    pub(crate) event: Option<&'a str>,
}

impl<'a> EventTexts<'a> {
    pub(crate) fn of(shown: &Shown<'a>) -> Self {
        let schema = shown.payload.schema;
        let names = EventNames::of(shown.event, schema);
        // Names of events from YAML are Class/Opcode.
        let (class, class_opcode) = match shown
            .event
            .info()
            .map(|info| info.name.split_once('/').unwrap_or((info.name, "")))
        {
            Some((class, opcode)) => (Some(class), Some(opcode).filter(|opcode| !opcode.is_empty())),
            None => (None, None),
        };
        Self {
            class,
            provider: shown.payload.provider_name(shown.event),
            opcode: class_opcode.or_else(|| names.as_ref().and_then(|names| names.opcode)),
            task: names.as_ref().and_then(|names| names.task),
            level: names.as_ref().and_then(|names| names.level),
            channel: schema.and_then(|schema| schema.channel_name.as_deref()),
            keywords: names.map(|names| names.keywords).unwrap_or_default(),
            event: schema.and_then(|schema| schema.event_name.as_deref()),
        }
    }

    /// What tracerpt's tables call the name of the event: its class, else its provider.
    pub(crate) fn name(&self) -> &str {
        self.class.or(self.provider.as_deref()).unwrap_or_default()
    }
}

/// The GUID that tracerpt's tables have: the class of a classic or kernel event, else the provider.
pub(crate) fn table_guid(event: &Event<'_>, identity: &Identity<'_>) -> Guid {
    event.class_id().or(identity.provider_id).unwrap_or(Guid::ZERO)
}
