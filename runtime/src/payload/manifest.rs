//! Instrumentation manifests: providers and their events.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::event_schema::{EventSchema, SchemaProblem, SchemaSource};
use super::manifest_xml::{self, Element};
use super::tdh;
use super::template::{FieldType, Names, Repeat, Size, Template, TemplateField, ValueMap};
use super::value::Numbers;
use crate::format::{TdhIntype, TdhOuttype};
use crate::guid::Guid;

/// Largest manifest that is read, in bytes; Microsoft's own largest are near 1 MiB. Reading takes up to forty times as much
/// memory for a while.
pub const MAX_MANIFEST: usize = 4 << 20;

/// A manifest.
#[derive(Debug, Clone, Default)]
pub struct Manifest {
    /// Its providers.
    pub providers: Vec<ManifestProvider>,
    /// Why it could not be read to its end.
    pub problem: Option<SchemaProblem>,
}

/// A provider of a manifest.
#[derive(Debug, Clone, Default)]
pub struct ManifestProvider {
    /// Its name.
    pub name: Option<Arc<str>>,
    /// Its GUID; `None` if the manifest has none that can be read.
    pub guid: Option<Guid>,
    /// Its events by id and version.
    pub events: HashMap<(u16, u8), EventSchema>,
}

impl Manifest {
    /// Reads the XML of a manifest. What is not known in it is passed over.
    pub fn parse(text: &str) -> Self {
        if text.len() > MAX_MANIFEST {
            let problem = SchemaProblem::TooLarge {
                what: "a manifest",
                limit: MAX_MANIFEST,
            };
            return Self {
                providers: Vec::new(),
                problem: Some(problem),
            };
        }
        let (root, problem) = manifest_xml::parse(text);
        let strings = Strings::new(&root, text.len());
        let mut manifest = Self {
            providers: Vec::new(),
            problem,
        };
        // The elements around the providers: the whole manifest, or its `events` alone.
        let mut around = vec![&root];
        while let Some(element) = around.pop() {
            for child in &element.children {
                match child.name {
                    "instrumentationManifest" | "instrumentation" | "events" => around.push(child),
                    "provider" => manifest.providers.push(provider(child, &strings)),
                    _ => {}
                }
            }
        }
        manifest
    }
}

fn provider(element: &Element, strings: &Strings<'_>) -> ManifestProvider {
    let name = element.get("name").map(Arc::from);
    let guid = element
        .get("guid")
        .and_then(|guid| guid.trim_matches(['{', '}', ' ']).parse().ok());
    let mut scope = Scope {
        names: HashMap::new(),
        templates: HashMap::new(),
    };
    let maps = maps(element, strings);
    for template in element.items("templates", "template") {
        if let Some(id) = template.get("tid") {
            scope.templates.entry(id).or_insert_with(|| fields(template, &maps));
        }
    }
    let events = element.items("events", "event");
    let events = events
        .filter_map(|event| scope.event(event, name.as_ref(), strings))
        .collect();
    ManifestProvider { name, guid, events }
}

struct Scope<'a> {
    /// Names that events share.
    names: HashMap<&'a str, Arc<str>>,
    templates: HashMap<&'a str, (Arc<Template>, Option<SchemaProblem>)>,
}

impl<'a> Scope<'a> {
    fn event(
        &mut self,
        event: &'a Element,
        provider: Option<&Arc<str>>,
        strings: &Strings<'_>,
    ) -> Option<((u16, u8), EventSchema)> {
        let id = u16::try_from(number(event.get("value")?)?).ok()?;
        let version = event
            .get("version")
            .and_then(number)
            .and_then(|version| u8::try_from(version).ok())
            .unwrap_or(0);
        let mut schema = EventSchema::new(SchemaSource::Manifest);
        schema.provider_name = provider.cloned();
        schema.event_name = event.get("name").or_else(|| event.get("symbol")).map(|name| self.name(name));
        schema.task_name = event.get("task").map(|name| self.name(name));
        schema.opcode_name = event.get("opcode").map(|name| self.name(name));
        schema.level_name = event.get("level").map(|name| self.name(name));
        schema.channel_name = event.get("channel").map(|name| self.name(name));
        let keywords = event.get("keywords").unwrap_or_default();
        schema.keyword_names = keywords.split_whitespace().map(|name| self.name(name)).collect();
        schema.message = event.get("message").and_then(|message| strings.resolve(message));
        if let Some(template) = event.get("template") {
            match self.templates.get(template) {
                Some((fields, problem)) => (schema.template, schema.problem) = (Arc::clone(fields), problem.clone()),
                None => {
                    let (field, to) = ("the event".to_owned(), format!("template {template}"));
                    schema.problem = Some(SchemaProblem::Reference { field, to });
                }
            }
        }
        Some(((id, version), schema))
    }

    /// A name without the prefix of Windows' own.
    fn name(&mut self, name: &'a str) -> Arc<str> {
        let name = name.trim();
        let name = name.strip_prefix("win:").unwrap_or(name);
        Arc::clone(self.names.entry(name).or_insert_with(|| Arc::from(name)))
    }
}

/// The string table: of several cultures English, else the first.
struct Strings<'a> {
    texts: HashMap<&'a str, Arc<str>>,
    /// Bytes that maps may take from it: a text that many values share would grow without bound.
    limit: usize,
}

impl<'a> Strings<'a> {
    fn new(root: &'a Element, limit: usize) -> Self {
        let mut texts = HashMap::new();
        let mut around: Vec<&Element> = vec![root];
        let mut resources: Vec<&Element> = Vec::new();
        while let Some(element) = around.pop() {
            for child in &element.children {
                match child.name {
                    "instrumentationManifest" | "localization" => around.push(child),
                    "resources" => resources.push(child),
                    _ => {}
                }
            }
        }
        let english = |element: &&Element| !element.get("culture").is_some_and(|culture| culture.starts_with("en"));
        resources.sort_by_key(english);
        for string in resources
            .iter()
            .flat_map(|resources| resources.items("stringTable", "string"))
        {
            if let (Some(id), Some(value)) = (string.get("id"), string.get("value")) {
                texts.entry(id).or_insert_with(|| Arc::from(value));
            }
        }
        Self { texts, limit }
    }

    /// The text of `$(string.id)`; other text stands for itself, and a message of mc is not there.
    fn resolve(&self, text: &str) -> Option<Arc<str>> {
        match text.strip_prefix("$(").and_then(|text| text.strip_suffix(')')) {
            Some(id) => id.strip_prefix("string.").and_then(|id| self.texts.get(id)).map(Arc::clone),
            None => Some(Arc::from(text)),
        }
    }
}

fn maps<'a>(provider: &'a Element, strings: &Strings<'_>) -> HashMap<&'a str, Arc<ValueMap>> {
    let mut left = strings.limit;
    let mut maps = HashMap::new();
    for map in provider.all("maps").flat_map(|maps| &maps.children) {
        let (is_bitmap, Some(name)) = (map.name == "bitMap", map.get("name")) else {
            continue;
        };
        let mut entries = Vec::new();
        for entry in map.all("map") {
            let value = entry.get("value").and_then(number);
            let text = entry.get("message").and_then(|message| strings.resolve(message));
            let Some((value, text)) = value.zip(text) else {
                continue;
            };
            left = left.saturating_sub(text.len());
            if left == 0 {
                break;
            }
            entries.push((value, text.trim_end().to_owned()));
        }
        maps.entry(name)
            .or_insert_with(|| Arc::new(ValueMap::new(name.to_owned(), is_bitmap, entries)));
    }
    maps
}

/// The fields of a template or structure, up to one that can't be lowered.
fn fields(element: &Element, maps: &HashMap<&str, Arc<ValueMap>>) -> (Arc<Template>, Option<SchemaProblem>) {
    let (fields, problem) = level(element, maps, 0);
    (Arc::new(Template::from(fields)), problem)
}

fn level(element: &Element, maps: &HashMap<&str, Arc<ValueMap>>, depth: usize) -> (Vec<TemplateField>, Option<SchemaProblem>) {
    let mut fields = Vec::new();
    // Field names to indices, for lengths and counts.
    let mut indices: HashMap<&str, u16> = HashMap::new();
    for child in &element.children {
        let name = child.get("name").unwrap_or_default();
        let lowered = match child.name {
            "data" => data(child, name, &indices, maps),
            "struct" if depth > 0 => Err(SchemaProblem::TooDeep { limit: 1 }),
            "struct" => structure(child, name, &indices, maps),
            _ => continue,
        };
        match lowered {
            Ok((field, problem)) => {
                if let Ok(index) = u16::try_from(fields.len()) {
                    indices.insert(name, index);
                }
                fields.push(field);
                if problem.is_some() {
                    return (fields, problem);
                }
            }
            Err(problem) => return (fields, Some(problem)),
        }
    }
    (fields, None)
}

type Lowered = Result<(TemplateField, Option<SchemaProblem>), SchemaProblem>;

fn structure(element: &Element, name: &str, indices: &HashMap<&str, u16>, maps: &HashMap<&str, Arc<ValueMap>>) -> Lowered {
    let repeat = repeat(element, name, indices)?;
    let (members, problem) = level(element, maps, 1);
    let ty = FieldType::Struct(Template::from(members));
    Ok((
        TemplateField {
            repeat,
            ..TemplateField::plain(Cow::Owned(name.to_owned()), ty)
        },
        problem,
    ))
}

fn data(element: &Element, name: &str, indices: &HashMap<&str, u16>, maps: &HashMap<&str, Arc<ValueMap>>) -> Lowered {
    let in_name = element.get("inType").unwrap_or_default();
    let unknown = || SchemaProblem::FieldType {
        field: name.to_owned(),
        found: in_name.to_owned(),
    };
    let in_type: TdhIntype = tdh::in_type_named(in_name).ok_or_else(unknown)?;
    let out_type = element
        .get("outType")
        .and_then(tdh::out_type_named)
        .unwrap_or(TdhOuttype::NULL);
    let size = match element.get("length").filter(|_| tdh::takes_length(in_type)) {
        None => None,
        Some(text) => Some(match number(text) {
            Some(length) => Size::Fixed(u32::try_from(length).map_err(|_| unknown())?),
            None => Size::Field(reference(text, name, indices)?),
        }),
    };
    let repeat = repeat(element, name, indices)?;
    let (ty, format) = tdh::lower(in_type, out_type, size).ok_or_else(unknown)?;
    let map = element.get("map").and_then(|map| maps.get(map));
    let integer = matches!(ty, FieldType::Unsigned(_) | FieldType::Signed(_));
    let names = map.filter(|_| integer).map_or(Names::None, |map| Names::Map(Arc::clone(map)));
    Ok((
        TemplateField {
            repeat,
            format,
            names,
            ..TemplateField::plain(Cow::Owned(name.to_owned()), ty)
        },
        None,
    ))
}

fn repeat(element: &Element, name: &str, indices: &HashMap<&str, u16>) -> Result<Repeat, SchemaProblem> {
    let Some(text) = element.get("count") else {
        return Ok(Repeat::One);
    };
    Ok(match number(text) {
        // Windows takes an array of one as no array.
        Some(1) => Repeat::One,
        Some(count) => Repeat::Fixed(u32::try_from(count).unwrap_or(u32::MAX)),
        None => Repeat::Field(reference(text, name, indices)?),
    })
}

fn reference(to: &str, from: &str, indices: &HashMap<&str, u16>) -> Result<u16, SchemaProblem> {
    let index = indices.get(to).copied().filter(|index| usize::from(*index) < Numbers::LEN);
    index.ok_or_else(|| SchemaProblem::Reference {
        field: from.to_owned(),
        to: to.to_owned(),
    })
}

/// A number as manifests write it: decimal, or hex behind `0x`.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
