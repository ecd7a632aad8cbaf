//! The facts about a trace, as the JSON form gives them and the screen words them.

use serde::Serialize;
use winetl::{Buffers, Filetime, LogfileRoles, Source};

use crate::input::{Container, Input};
use crate::render::hex::HexNumber;
use crate::render::labels::{Explained, explained};
use crate::render::value::{JsonRecord, JsonTime};
use crate::windows;

/// Most damages that are listed.
const SHOWN: usize = 20;

/// What there is to say of a trace; keys are those of the JSON form.
#[derive(Serialize)]
pub(super) struct Facts<'a> {
    pub(super) file: String,
    /// Bytes of the trace, decompressed if the file was compressed.
    pub(super) size: u64,
    /// One of `containers`.
    pub(super) gzip: bool,
    /// What the trace lay in, outermost first.
    pub(super) containers: Vec<&'static str>,
    pub(super) windows: Windows,
    /// Of the logfile header, which is that of its writer.
    pub(super) pointer_size: u8,
    pub(super) processors: Option<u64>,
    pub(super) cpu_mhz: Option<u64>,
    pub(super) session_name: Option<String>,
    pub(super) log_file_name: Option<String>,
    pub(super) log_file_mode: Mode,
    /// Major and minor version of the log file format.
    pub(super) format_version: String,
    pub(super) unfinished: bool,
    pub(super) start_time: Option<JsonTime>,
    pub(super) end_time: Option<JsonTime>,
    /// From start to end in units of 100 ns.
    pub(super) duration_100ns: Option<i64>,
    pub(super) boot_time: Option<JsonTime>,
    pub(super) time_zone: TimeZone,
    pub(super) clock: ClockFacts,
    pub(super) maximum_file_size: Option<Limit>,
    pub(super) buffer_size: Option<u64>,
    pub(super) buffers_written: Option<u64>,
    pub(super) buffers_found: u64,
    pub(super) buffers_lost: Option<u64>,
    pub(super) compressed_buffers: u64,
    /// Format of the compressed buffers.
    pub(super) compression: Option<String>,
    pub(super) events_found: u64,
    pub(super) events_lost: Option<u64>,
    /// What the trace carries to decode its own events.
    pub(super) schemas: SchemaFacts,
    pub(super) first_event_time: Option<JsonTime>,
    pub(super) last_event_time: Option<JsonTime>,
    /// Damages, the first of them as text.
    pub(super) damages: Vec<String>,
    pub(super) damage_count: u64,
    pub(super) lost_bytes: u64,
    header: JsonRecord<'a>,
}

#[derive(Serialize)]
pub(super) struct SchemaFacts {
    /// Different TraceLogging events.
    pub(super) tracelogging: u64,
    /// Manifests of .NET event sources.
    pub(super) manifests: u64,
    /// Records of event information, one for each kind of event.
    pub(super) event_infos: u64,
    /// Maps of names for values.
    pub(super) maps: u64,
}

#[derive(Serialize)]
pub(super) struct Windows {
    pub(super) major: Option<u64>,
    pub(super) minor: Option<u64>,
    pub(super) build: Option<u64>,
    pub(super) name: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Mode {
    value: Option<HexNumber>,
    flags: Vec<String>,
    #[serde(skip)]
    pub(super) labels: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct TimeZone {
    pub(super) bias_minutes: Option<i64>,
    /// Standard time as `+01:00`.
    pub(super) utc_offset: Option<String>,
    pub(super) name: Option<String>,
}

#[derive(Serialize)]
pub(super) struct ClockFacts {
    pub(super) kind: &'static str,
    /// The file does not say which clock it is.
    pub(super) assumed: bool,
    /// Ticks per second.
    pub(super) frequency: Option<i64>,
    /// Why its time stamps cannot be converted.
    pub(super) problem: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Limit {
    pub(super) value: u64,
    pub(super) unit: &'static str,
}

impl<'a> Facts<'a> {
    /// Reads all buffers. Damage is told of in the report of `buffers`.
    pub(super) fn collect<S: Source>(file: String, input: &'a Input, buffers: &mut Buffers<'_, S>) -> Self {
        let logfile = input.trace.logfile();
        let clock = logfile.clock();
        let (mut found, mut compressed, mut events) = (0, 0, 0);
        let mut times: Option<(Filetime, Filetime)> = None;
        while let Some(buffer) = buffers.next() {
            let summary = buffers.summarise(&buffer);
            found += 1;
            compressed += u64::from(buffer.compressed);
            events += summary.events;
            let known = |raw: Option<i64>| clock.to_filetime(raw?).filter(|time| time.to_ascii().is_some());
            for time in known(summary.first_time).into_iter().chain(known(summary.last_time)) {
                times = Some(times.map_or((time, time), |(first, last)| (first.min(time), last.max(time))));
            }
        }
        let schemas = input.trace.schemas().counts();
        let facts: &dyn LogfileRoles = logfile.roles();
        let not_zero = |time: Option<i64>| time.filter(|time| *time != 0).map(Filetime);
        let (start, end) = (not_zero(facts.start_time()), not_zero(facts.end_time()));
        let mode = explained(&logfile.header, "log_file_mode");
        let problem = clock.problem();
        let report = buffers.report();
        Self {
            file,
            size: input.trace.size(),
            gzip: input.containers.contains(&Container::Gzip),
            containers: input.containers.iter().map(|container| container.word()).collect(),
            windows: Windows {
                major: facts.windows_major(),
                minor: facts.windows_minor(),
                build: facts.windows_build(),
                name: facts.windows_build().and_then(windows::name),
            },
            pointer_size: logfile.context().pointer_size,
            processors: facts.processor_count(),
            cpu_mhz: facts.cpu_speed_mhz().filter(|speed| *speed != 0),
            session_name: facts.session_name(),
            log_file_name: facts.log_file_name(),
            log_file_mode: Mode {
                value: facts.log_file_mode().map(HexNumber),
                flags: mode.map(Explained::names).unwrap_or_default(),
                labels: mode.map(Explained::labels).unwrap_or_default(),
            },
            format_version: format!(
                "{}.{}",
                facts.log_version_major().unwrap_or(0),
                facts.log_version_minor().unwrap_or(0)
            ),
            unfinished: logfile.is_unfinished(),
            duration_100ns: start
                .zip(end)
                .filter(|(start, end)| start.to_ascii().is_some() && end.to_ascii().is_some())
                .map(|(start, end)| end.0 - start.0),
            start_time: start.map(JsonTime),
            end_time: end.map(JsonTime),
            boot_time: not_zero(facts.boot_time()).map(JsonTime),
            time_zone: TimeZone {
                bias_minutes: facts.time_zone_bias(),
                utc_offset: facts.time_zone_bias().and_then(utc_offset),
                name: facts.time_zone_name().filter(|name| !name.is_empty()),
            },
            clock: ClockFacts {
                kind: clock.kind().name(),
                assumed: clock.is_assumed(),
                frequency: frequency(clock),
                problem,
            },
            maximum_file_size: facts.maximum_file_size().filter(|size| *size != 0).map(|value| Limit {
                value,
                unit: if facts.is_size_in_kilobytes().is_some_and(|value| value != 0) {
                    "KB"
                } else {
                    "MB"
                },
            }),
            buffer_size: facts.session_buffer_size(),
            buffers_written: facts.buffers_written(),
            buffers_found: found,
            buffers_lost: facts.buffers_lost(),
            compressed_buffers: compressed,
            compression: (compressed > 0).then(|| logfile.compression().to_string()),
            events_found: events,
            events_lost: facts.events_lost(),
            schemas: SchemaFacts {
                tracelogging: schemas.tracelogging,
                manifests: schemas.manifests,
                event_infos: schemas.event_infos,
                maps: schemas.maps,
            },
            first_event_time: times.map(|(first, _)| JsonTime(first)),
            last_event_time: times.map(|(_, last)| JsonTime(last)),
            damages: report
                .damages()
                .iter()
                .take(SHOWN)
                .map(ToString::to_string)
                .chain(input.damage.clone())
                .collect(),
            damage_count: report.damages().len() as u64 + report.further() + u64::from(input.damage.is_some()),
            lost_bytes: report.lost_bytes(),
            header: JsonRecord(&logfile.header),
        }
    }
}

/// Ticks per second of the session's clock, where it has a steady number of them.
fn frequency(clock: &winetl::clock::Clock) -> Option<i64> {
    use winetl::clock::ClockKind;
    let parameters = clock.parameters();
    let frequency = match clock.kind() {
        ClockKind::PerformanceCounter => Some(parameters.frequency),
        ClockKind::SystemTime => Some(winetl::filetime::TICKS_PER_SECOND),
        ClockKind::CpuCycles => i64::try_from(parameters.cpu_mhz).ok()?.checked_mul(1_000_000),
        ClockKind::Unknown => None,
    };
    frequency.filter(|frequency| *frequency > 0)
}

/// The bias is what local time lacks to UTC, so its sign is turned. No zone is a day or more from UTC.
fn utc_offset(bias: i64) -> Option<String> {
    let (sign, minutes) = (if bias > 0 { '-' } else { '+' }, bias.unsigned_abs());
    (minutes < 24 * 60).then(|| format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_have_the_sign_of_clocks() {
        assert_eq!(utc_offset(-60).as_deref(), Some("+01:00"));
        assert_eq!(utc_offset(480).as_deref(), Some("-08:00"));
        assert_eq!(utc_offset(-330).as_deref(), Some("+05:30"));
        assert_eq!(utc_offset(0).as_deref(), Some("+00:00"));
        assert_eq!(utc_offset(i64::from(i32::MIN)), None);
    }
}
