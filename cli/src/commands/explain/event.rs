//! The parts of an event: header, extended items, payload, and what is left.

use winetl::payload::PayloadRecord;
use winetl::payload::TemplateRecord;
use winetl::payload::decoded::{Decoded, DecodedBy, Undecoded};
use winetl::payload::schemas::Schemas;
use winetl::{Event, EventRoles as _, ItemRoles as _, Source, TraceFile, WalkStructure};

use super::tree::{Origins, Section, sources};
use super::{EventFacts, template};
use crate::interpret::{EventOf, SchemaInterpreter};
use crate::render::Identity;

/// All bytes of an event, and what is known of it as a whole.
pub(super) fn explain<S: Source>(
    event: &Event<'_>,
    trace: &TraceFile<S>,
    model: &SchemaInterpreter,
) -> (EventFacts, Vec<Section>) {
    let start = u64::from(event.buffer_offset());
    let end = start + event.bytes().len() as u64;
    let mut sections = Vec::new();
    let header = header(event, trace, model, start);
    let used = header.as_ref().map_or(start, |section| section.bytes.end);
    sections.extend(header);
    let from_tables = event.buffer().holds_switches();
    let payload = if from_tables {
        end
    } else {
        end - event.payload().len() as u64
    };
    items(event, model, used, payload, &mut sections);
    let mut schemas = schemas_for(event, trace);
    let decoded = schemas.decode(event);
    let mut payload_sections = Vec::new();
    // What stands in no byte of the event is no part of it.
    if !from_tables {
        payload_section(event, &decoded, model, payload, end, &mut payload_sections);
    }
    sections.extend(payload_sections);
    let identity = Identity::of(event, &decoded);
    let facts = EventFacts {
        n: event.index(),
        bytes: start..end,
        header_type: event.case().name,
        provider: identity.provider.as_deref().map(str::to_owned),
        name: identity.name.as_deref().map(str::to_owned),
        id: identity.id,
        version: event.header().event_version(),
        doc: event.info().map_or(String::new(), |info| info.doc.to_owned()),
        remark: from_tables.then_some("its payload stands in the tables at the start of the buffer"),
    };
    (facts, sections)
}

/// The schemas that the trace carries, if the event can't do without: the whole file is read for them.
fn schemas_for<S: Source>(event: &Event<'_>, trace: &TraceFile<S>) -> Schemas {
    let takes_all = event.payload_record().is_some_and(|record| {
        let outcome = record.measure();
        outcome.short.is_none() && outcome.consumed == event.payload().len()
    });
    let mut alone = Schemas::default();
    if takes_all || alone.find(event).best(event).is_some() {
        alone
    } else {
        trace.schemas()
    }
}

fn header<S: Source>(event: &Event<'_>, trace: &TraceFile<S>, model: &SchemaInterpreter, start: u64) -> Option<Section> {
    let (case, context) = (event.case(), trace.logfile().context());
    let context = context.with_pointer_size(case.pointer_size.unwrap_or(context.pointer_size));
    let index = model.structure_named(case.info?.name)?;
    let traced = model.trace_structure(index, event.bytes(), context)?;
    Some(Section::read("event header", &traced, start, model.schema()))
}

/// The extended items between header and payload.
fn items(event: &Event<'_>, model: &SchemaInterpreter, from: u64, to: u64, sections: &mut Vec<Section>) {
    let schema = model.schema();
    let start = u64::from(event.buffer_offset());
    let mut at = from;
    for item in event.extended_items() {
        let bytes = usize::try_from(at - start).ok().and_then(|at| event.bytes().get(at..));
        let header =
            bytes.and_then(|bytes| model.trace_structure(model.walked(WalkStructure::ItemHeader), bytes, event.context()));
        let Some(header) = header else { break };
        let end = (at + item.header.item_size().unwrap_or(0)).min(to);
        let data = at + header.used as u64;
        sections.push(Section::read("extended item", &header, at, schema));
        let data_end = data + item.data.len() as u64;
        let case = item
            .case
            .and_then(|case| Some((case, model.structure_named(case.info?.name)?)));
        let read = case.and_then(|(case, index)| Some((case, model.trace_structure(index, item.data, event.context())?)));
        let known = read.as_ref().map_or(data, |(_, traced)| data + traced.used as u64);
        if let Some((case, traced)) = &read {
            let mut section = Section::read("item data", traced, data, schema);
            section.name = format!("{} ({})", section.name, case.name);
            sections.push(section);
        }
        if known < data_end {
            let doc = match (&read, item.case) {
                (Some(_), _) => "Data behind what the schema describes of the item.",
                (None, Some(_)) => "Data of an item that is too short for its structure.",
                (None, None) => "Data of an item whose type the schema does not know.",
            };
            sections.push(Section::gap("item data", doc, known..data_end));
        }
        if data_end < end {
            sections.push(Section::gap(
                "padding",
                "Bytes that align what follows the item; they mean nothing.",
                data_end..end,
            ));
        }
        at = end;
    }
    if at < to {
        sections.push(Section::gap(
            "no item",
            "Bytes between header and payload that no item claims.",
            at..to,
        ));
    }
}

fn payload_section(
    event: &Event<'_>,
    decoded: &Decoded<'_>,
    model: &SchemaInterpreter,
    start: u64,
    end: u64,
    sections: &mut Vec<Section>,
) {
    let section = match (&decoded.record, decoded.source) {
        (Some(PayloadRecord::Template(record)), Some(DecodedBy::Trace(_))) => carried(record, decoded, start),
        (Some(_), Some(DecodedBy::Schema)) => by_schema(event, model, start),
        _ => None,
    };
    let known = section.as_ref().map_or(start, |section| section.bytes.end);
    sections.extend(section);
    if known < end {
        let doc = match decoded.undecoded {
            Some(Undecoded::TooShort) => "The payload ends within the next field of its layout.",
            Some(Undecoded::TrailingBytes) | None => "Payload behind the last field of the layout.",
            Some(Undecoded::NoSchema) => "Payload that neither the schema nor the trace describes.",
        };
        sections.push(Section::gap("not decoded", doc, known..end));
    }
}

fn carried(record: &TemplateRecord<'_>, decoded: &Decoded<'_>, start: u64) -> Option<Section> {
    let section = template::section(record, decoded.schema, start);
    (!section.bytes.is_empty()).then_some(section)
}

/// A payload that a schema file describes.
fn by_schema(event: &Event<'_>, model: &SchemaInterpreter, start: u64) -> Option<Section> {
    let info = event.info()?;
    let chosen = info.version(event.header().event_version().unwrap_or(0), event.context().pointer_size)?;
    let (of, version) = model.event_version(info, chosen)?;
    let traced = model.trace_payload(version.payload, event.payload(), event.context())?;
    let mut section = Section::read("payload", &traced, start, model.schema());
    let known = match of {
        EventOf::Class(class) => sources(&class.sources),
        EventOf::Provider(provider) => sources(&provider.sources),
    };
    let described = &mut section.described;
    *described = Origins {
        sources: if described.sources.is_empty() {
            known
        } else {
            std::mem::take(&mut described.sources)
        },
        ..std::mem::take(described)
    };
    Some(section)
}
