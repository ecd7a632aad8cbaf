//! The facts in words.

use std::io::{self, Write};

use super::facts::{Facts, SchemaFacts};
use crate::render::paint::{Paint, Role};
use crate::render::plain::safe;
use crate::render::table::{counted, thousands};
use crate::render::value::JsonTime;

/// Columns of the labels.
const LABEL: usize = 14;

/// Writes the facts, one per line. Standard error names each damage.
pub(super) fn write(name: &str, facts: &Facts<'_>, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}{}{}", paint.on(Role::Name), safe(name), paint.off(Role::Name))?;
    for (label, text) in lines(facts) {
        writeln!(
            out,
            "  {}{label:<LABEL$}{}  {text}",
            paint.on(Role::Faint),
            paint.off(Role::Faint)
        )?;
    }
    Ok(())
}

/// What the trace lay in, the innermost first.
fn containers(facts: &Facts<'_>) -> String {
    let words: Vec<&str> = facts.containers.iter().rev().copied().collect();
    match words.as_slice() {
        [] => String::new(),
        words => format!(", decompressed from {}", words.join(" in ")),
    }
}

fn lines(facts: &Facts<'_>) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("size", format!("{} bytes{}", thousands(facts.size), containers(facts))),
        ("Windows", windows(facts)),
        ("session", name(facts.session_name.as_deref())),
        ("written to", name(facts.log_file_name.as_deref())),
        ("mode", mode(facts)),
        ("start", time(facts.start_time.as_ref(), "not given")),
        (
            "end",
            time(
                facts.end_time.as_ref(),
                "not written: the session was still running, or crashed",
            ),
        ),
    ];
    lines.extend(facts.duration_100ns.map(|duration| ("duration", self::duration(duration))));
    lines.extend([
        ("events", events(facts)),
        ("first event", time(facts.first_event_time.as_ref(), "none with a known time")),
        ("last event", time(facts.last_event_time.as_ref(), "none with a known time")),
        ("lost", lost(facts)),
        ("buffers", buffers(facts)),
        ("clock", clock(facts)),
        ("time zone", time_zone(facts)),
        ("booted", time(facts.boot_time.as_ref(), "not given")),
        ("processors", processors(facts)),
        ("log version", facts.format_version.clone()),
    ]);
    lines.extend(schemas(facts).map(|schemas| ("schemas", schemas)));
    if facts.damage_count > 0 {
        lines.push((
            "damaged",
            format!(
                "{}, {} lost",
                counted(facts.damage_count, "place"),
                counted(facts.lost_bytes, "byte")
            ),
        ));
    }
    lines
}

fn windows(facts: &Facts<'_>) -> String {
    let windows = &facts.windows;
    let number = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    let name = windows.name.clone().unwrap_or_else(|| "unknown version".to_owned());
    // A program of 32 bits that controls a session writes what Windows of 32 bits does.
    let bits = match facts.pointer_size {
        4 => "32-bit, or controlled by a 32-bit program",
        _ => "64-bit",
    };
    format!(
        "{name} ({}.{}.{}), {bits}",
        number(windows.major),
        number(windows.minor),
        number(windows.build)
    )
}

fn mode(facts: &Facts<'_>) -> String {
    let mut text = facts.log_file_mode.labels.join(", ");
    if text.is_empty() {
        text.push_str("none");
    }
    if let Some(limit) = &facts.maximum_file_size {
        text.push_str(&format!("; at most {} {}", thousands(limit.value), limit.unit));
    }
    text
}

fn name(name: Option<&str>) -> String {
    name.filter(|name| !name.is_empty())
        .map_or_else(|| "not given".to_owned(), safe)
}

fn time(time: Option<&JsonTime>, none: &str) -> String {
    match time {
        Some(JsonTime(time)) if time.to_ascii().is_none() => format!("{}, which no calendar has", time.0),
        Some(JsonTime(time)) => time.to_string(),
        None => none.to_owned(),
    }
}

/// 100 ns units in the largest units that fit.
fn duration(ticks: i64) -> String {
    let (sign, ticks) = (if ticks < 0 { "-" } else { "" }, ticks.unsigned_abs());
    let (seconds, rest) = (ticks / 10_000_000, ticks % 10_000_000);
    let (days, hours, minutes, second) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    let mut text = sign.to_owned();
    for (count, unit) in [(days, "d "), (hours, "h "), (minutes, "min ")] {
        // Once a unit was named, those below it are too.
        if count > 0 || text.len() > sign.len() {
            text.push_str(&format!("{count} {unit}"));
        }
    }
    text.push_str(&format!("{second}.{:03} s", rest / 10_000));
    text
}

fn events(facts: &Facts<'_>) -> String {
    let text = thousands(facts.events_found);
    let ticks = facts
        .duration_100ns
        .and_then(|duration| u128::try_from(duration).ok())
        .unwrap_or(0);
    // A rate below 1, or over less than a second, says nothing.
    let rate = (u128::from(facts.events_found) * 10_000_000)
        .checked_div(ticks)
        .and_then(|rate| u64::try_from(rate).ok());
    match rate.filter(|rate| *rate > 0 && ticks >= 10_000_000) {
        Some(rate) => format!("{text} ({} per second)", thousands(rate)),
        None => text,
    }
}

fn lost(facts: &Facts<'_>) -> String {
    let number = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), thousands);
    let text = format!("{} events, {} buffers", number(facts.events_lost), number(facts.buffers_lost));
    if facts.unfinished {
        format!("{text} (only known once a session has ended)")
    } else {
        text
    }
}

fn buffers(facts: &Facts<'_>) -> String {
    let size = facts
        .buffer_size
        .map(|size| format!(" of {} bytes", thousands(size)))
        .unwrap_or_default();
    let mut text = format!("{}{size}", thousands(facts.buffers_found));
    match facts.buffers_written {
        Some(written) if written == facts.buffers_found => {}
        Some(0) => text.push_str("; the header does not say how many were written"),
        Some(written) => text.push_str(&format!("; the header says that {} were written", thousands(written))),
        None => {}
    }
    if let Some(format) = &facts.compression {
        text.push_str(&format!(
            "; {} compressed (format {format})",
            thousands(facts.compressed_buffers)
        ));
    }
    text
}

/// What the trace carries to decode its own events; none if it carries nothing.
fn schemas(facts: &Facts<'_>) -> Option<String> {
    let SchemaFacts {
        tracelogging,
        manifests,
        event_infos,
        maps,
    } = &facts.schemas;
    let parts: Vec<String> = [
        (*tracelogging, "TraceLogging event"),
        (*manifests, "manifest"),
        (*event_infos, "event description"),
        (*maps, "value map"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| counted(count, what))
    .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn clock(facts: &Facts<'_>) -> String {
    let clock = &facts.clock;
    let mut text = clock.kind.to_owned();
    if let Some(frequency) = clock.frequency {
        text.push_str(&format!(
            ", {} ticks per second",
            u64::try_from(frequency).map_or_else(|_| frequency.to_string(), thousands)
        ));
    }
    if clock.assumed {
        text.push_str(" (assumed: the header does not say)");
    }
    if let Some(problem) = &clock.problem {
        text.push_str(&format!("; {problem}"));
    }
    text
}

fn time_zone(facts: &Facts<'_>) -> String {
    let zone = &facts.time_zone;
    let offset = match (&zone.utc_offset, zone.bias_minutes) {
        (Some(offset), _) => format!("UTC{offset}"),
        (None, Some(bias)) => format!("a bias of {bias} minutes, which no zone has"),
        (None, None) => "not given".to_owned(),
    };
    match &zone.name {
        Some(name) => format!("{offset} ({})", safe(name)),
        None => offset,
    }
}

fn processors(facts: &Facts<'_>) -> String {
    let count = facts.processors.map_or_else(|| "?".to_owned(), |count| count.to_string());
    facts
        .cpu_mhz
        .map_or(count.clone(), |speed| format!("{count}, {} MHz", thousands(speed)))
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_in_words() {
        assert_eq!(duration(12_340_000), "1.234 s");
        assert_eq!(duration(600_000_000), "1 min 0.000 s");
        assert_eq!(duration(864_000_000_000 + 10_000_000), "1 d 0 h 0 min 1.000 s");
        assert_eq!(duration(-10_000_000), "-1.000 s");
    }
}
