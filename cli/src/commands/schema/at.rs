//! The schema as one Windows version has it.

use winetl_codegen::Schema;
use winetl_codegen::model::{Entry, EventVersion, Structure, WindowsVersion};

/// All forms of a structure, those of older Windows first.
pub(super) fn family<'a>(schema: &'a Schema, structure: &Structure) -> Vec<&'a Structure> {
    let base = structure.variant_of.as_ref().unwrap_or(&structure.name);
    let all = schema.structures.iter();
    let mut forms: Vec<&Structure> = all
        .filter(|form| form.name == *base || form.variant_of.as_ref() == Some(base))
        .collect();
    forms.sort_by_key(|form| form.since);
    forms
}

/// The form that a Windows version has.
pub(super) fn form<'a>(forms: &[&'a Structure], windows: WindowsVersion) -> Option<&'a Structure> {
    let mut fitting = forms.iter().filter(|form| windows.is_within(form.since, form.until));
    fitting.next().copied()
}

/// The schema without what a Windows version lacks: values of tables, cases, versions of events. Structures all stay, since
/// others refer to them by number.
pub(super) fn reduced(schema: &Schema, windows: WindowsVersion) -> Schema {
    let mut reduced = schema.clone();
    let is_there = |entry: &Entry| windows.is_within(entry.since, entry.until);
    for table in &mut reduced.tables {
        table.entries.retain(is_there);
        table.groups.retain(is_there);
    }
    for dispatch in &mut reduced.dispatches {
        dispatch.cases.retain(|case| {
            let structure = case.structure.and_then(|index| schema.structures.get(index));
            structure.is_none_or(|structure| windows.is_within(structure.since, structure.until))
        });
    }
    for event in reduced.classes.iter_mut().flat_map(|class| &mut class.events) {
        event.versions = written(&event.versions, windows);
    }
    for event in reduced.providers.iter_mut().flat_map(|provider| &mut provider.events) {
        event.versions = written(&event.versions, windows);
    }
    reduced
}

/// The versions of an event that a Windows version writes. Where none is said to be, those of which nothing is said.
pub(super) fn written(versions: &[EventVersion], windows: WindowsVersion) -> Vec<EventVersion> {
    let (dated, undated): (Vec<_>, Vec<_>) = versions
        .iter()
        .cloned()
        .partition(|version| version.since.is_some() || version.until.is_some());
    let fitting: Vec<EventVersion> = dated
        .into_iter()
        .filter(|version| windows.is_within(version.since, version.until))
        .collect();
    if fitting.is_empty() { undated } else { fitting }
}

/// What is to be known of the versions of an event that a Windows version writes: what is left out, or not known.
pub(super) fn remark(all: &[EventVersion], windows: WindowsVersion) -> Option<String> {
    let shown = written(all, windows);
    let list = |versions: &[EventVersion]| {
        let numbers: Vec<String> = versions.iter().map(|version| version.version.to_string()).collect();
        numbers.join(", ")
    };
    if all.is_empty() {
        None
    } else if shown.is_empty() {
        let known: Vec<String> = all.iter().map(version_text).collect();
        Some(format!("No version is of Windows {windows}: {}.", known.join("; ")))
    } else if shown.iter().all(|version| version.since.is_none() && version.until.is_none()) {
        Some(format!(
            "The schema does not say which Windows writes version {}; it may be {windows}.",
            list(&shown)
        ))
    } else {
        Some(format!(
            "Windows {windows} writes version {}, of {} in all.",
            list(&shown),
            list(all)
        ))
    }
}

fn version_text(version: &EventVersion) -> String {
    format!(
        "version {} is of {}",
        version.version,
        windows_text(version.since, version.until)
    )
}

/// Windows versions in words; empty if nothing is said.
pub(super) fn windows_text(since: Option<WindowsVersion>, until: Option<WindowsVersion>) -> String {
    match (since, until) {
        (None, None) => String::new(),
        (Some(since), None) => format!("{since} and later"),
        (None, Some(until)) => format!("before {until}"),
        (Some(since), Some(until)) => format!("{since} to before {until}"),
    }
}
