//! Event information: TRACE_EVENT_INFO and EVENT_MAP_INFO records in MetaData events of merged traces.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::event_schema::{EventSchema, SchemaProblem, SchemaSource};
use super::tdh;
use super::template::{FieldType, Names, Repeat, Size, Template, TemplateField, ValueMap};
use super::value::Numbers;
use crate::context::Context;
use crate::format::{
    DecodingSource, EventMapInfo, EventMapInfoEvent, EventPropertyInfo, MapFlags, PropertyFlags, TdhIntype, TdhOuttype,
    TraceEventInfo,
};
use crate::guid::Guid;
use crate::layout::{Layout, LayoutError};
use crate::text::push_utf16;

/// The maps of one provider.
#[derive(Debug, Default)]
pub(super) struct Maps {
    by_name: HashMap<String, Arc<ValueMap>>,
    /// Grows with each change, so that schemas made before it can be told.
    pub(super) changes: u64,
}

impl Maps {
    /// Keeps a map; says whether it is news.
    pub(super) fn insert(&mut self, map: ValueMap) -> bool {
        let news = self.by_name.get(&map.name).is_none_or(|old| **old != map);
        if news {
            self.by_name.insert(map.name.clone(), Arc::new(map));
            self.changes += 1;
        }
        news
    }
}

/// Which events a TRACE_EVENT_INFO is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// Provider, or class of a classic event.
    pub(super) guid: Guid,
    /// Event id, or type of a classic event.
    pub(super) id: u16,
    /// Version of the event.
    pub(super) version: u8,
    /// Whether the event is classic.
    pub(super) classic: bool,
}

/// The provider and the events that a TRACE_EVENT_INFO is about; `None` if they can't be told apart by id: WPP and TraceLogging.
pub(super) fn key(bytes: &[u8]) -> Result<Option<(Guid, Key)>, LayoutError> {
    let (info, _) = TraceEventInfo::read_prefix(bytes, Context::default())?;
    let (event, version) = (&info.event_descriptor, info.event_descriptor.version);
    let key = match info.decoding_source {
        DecodingSource::WBEM => Key {
            guid: info.event_guid,
            id: u16::from(event.opcode.0),
            version,
            classic: true,
        },
        DecodingSource::XML_FILE => Key {
            guid: info.provider_guid,
            id: event.id,
            version,
            classic: false,
        },
        _ => return Ok(None),
    };
    Ok(Some((info.provider_guid, key)))
}

/// Names and fields of the event that a TRACE_EVENT_INFO is about. `maps` are those of its provider.
pub(super) fn lower(bytes: &[u8], maps: Option<&Maps>) -> EventSchema {
    let mut schema = EventSchema::new(SchemaSource::TraceEventInfo);
    let info = match TraceEventInfo::read_prefix(bytes, Context::default()) {
        Ok((info, _)) => info,
        Err(error) => {
            schema.problem = Some(SchemaProblem::Layout(error));
            return schema;
        }
    };
    let mut texts = Texts::new(bytes);
    schema.provider_name = texts.shared(info.provider_name_offset);
    schema.level_name = texts.name(info.level_name_offset);
    schema.channel_name = texts.shared(info.channel_name_offset);
    schema.task_name = texts.name(info.task_name_offset);
    schema.opcode_name = texts.name(info.opcode_name_offset);
    schema.message = texts.shared(info.event_message_offset);
    if info.decoding_source == DecodingSource::XML_FILE {
        schema.event_name = texts.shared(info.event_name_offset);
    }
    schema.keyword_names = texts.list(info.keywords_name_offset);
    schema.tags = info.tags();
    let properties = &info.event_property_info_array;
    let mut lowering = Lowering {
        texts,
        maps,
        properties,
        left: properties.len(),
        problem: None,
    };
    let top = usize::try_from(info.top_level_property_count)
        .unwrap_or(usize::MAX)
        .min(properties.len());
    let fields = lowering.fields(0, top, 0);
    schema.template = Arc::new(Template::from(fields));
    schema.problem = lowering.problem.or(lowering.texts.spent.then_some(SchemaProblem::Inflated));
    schema
}

/// The provider of a map and the map. Maps of patterns have no values and give `None`.
pub(super) fn map(bytes: &[u8]) -> Result<Option<(Guid, ValueMap)>, LayoutError> {
    let (event, _) = EventMapInfoEvent::read_prefix(bytes, Context::default())?;
    let (info, _) = EventMapInfo::read_prefix(&event.map_info, Context::default())?;
    let bits = MapFlags::EVENTMAP_INFO_FLAG_MANIFEST_BITMAP | MapFlags::EVENTMAP_INFO_FLAG_WBEM_BITMAP;
    let values = MapFlags::EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP | MapFlags::EVENTMAP_INFO_FLAG_WBEM_VALUEMAP;
    if !info.flag.intersects(bits | values) {
        return Ok(None);
    }
    let mut texts = Texts::new(&event.map_info);
    let name = texts.owned(info.name_offset);
    let entries = info.map_entry_array.iter();
    let entries = entries
        .map(|entry| (u64::from(entry.value), texts.owned(entry.output_offset)))
        .collect();
    Ok(Some((
        event.provider_id,
        ValueMap::new(name, info.flag.intersects(bits), entries),
    )))
}

struct Lowering<'a> {
    texts: Texts<'a>,
    maps: Option<&'a Maps>,
    properties: &'a [EventPropertyInfo],
    /// Sane information uses each property once.
    left: usize,
    problem: Option<SchemaProblem>,
}

impl Lowering<'_> {
    /// The fields from one property on; `depth` is 0 for those of the event and 1 for those of a structure.
    fn fields(&mut self, start: usize, count: usize, depth: usize) -> Vec<TemplateField> {
        let mut fields = Vec::new();
        for index in 0..count {
            let Some(property) = self.properties.get(start + index) else {
                self.problem.get_or_insert(SchemaProblem::Inflated);
                break;
            };
            let Some(left) = self.left.checked_sub(1) else {
                self.problem.get_or_insert(SchemaProblem::Inflated);
                break;
            };
            self.left = left;
            match self.field(property, start, index, depth) {
                Ok(field) => fields.push(field),
                Err(problem) => {
                    self.problem.get_or_insert(problem);
                    break;
                }
            }
            if self.problem.is_some() {
                break;
            }
        }
        fields
    }

    fn field(
        &mut self,
        property: &EventPropertyInfo,
        start: usize,
        index: usize,
        depth: usize,
    ) -> Result<TemplateField, SchemaProblem> {
        let flags = property.flags;
        let name = self.texts.owned(property.name_offset);
        // Counts and lengths name properties of the whole record; fields name those of their own level.
        let reference = |to: u16| {
            let level = usize::from(to).checked_sub(start).filter(|at| *at < index.min(Numbers::LEN));
            level
                .and_then(|at| u16::try_from(at).ok())
                .ok_or_else(|| SchemaProblem::Reference {
                    field: name.clone(),
                    to: format!("property {to}"),
                })
        };
        let repeat = if flags.contains(PropertyFlags::PARAM_COUNT) {
            Repeat::Field(reference(property.count)?)
        } else if flags.contains(PropertyFlags::PARAM_FIXED_COUNT) || property.count > 1 {
            Repeat::Fixed(u32::from(property.count))
        } else {
            Repeat::One
        };
        let size = if flags.contains(PropertyFlags::PARAM_LENGTH) {
            Some(Size::Field(reference(property.length)?))
        } else if flags.contains(PropertyFlags::PARAM_FIXED_LENGTH) || property.length > 0 && tdh::takes_length(property.in_type)
        {
            Some(Size::Fixed(u32::from(property.length)))
        } else {
            None
        };
        let mut field = TemplateField::plain(Cow::Borrowed(""), FieldType::Null);
        field.repeat = repeat;
        if flags.contains(PropertyFlags::STRUCT) {
            // A structure holds no structures.
            if depth > 0 {
                return Err(SchemaProblem::TooDeep { limit: 1 });
            }
            let (first, count) = (property.struct_start_index(), property.num_of_struct_members());
            let members = self.fields(usize::from(first), usize::from(count), depth + 1);
            field.ty = FieldType::Struct(Template::from(members));
        } else {
            field.names = self.names(property);
            (field.ty, field.format) = tdh::lower(property.in_type, property.out_type, size).ok_or_else(|| {
                let found = format!("{:?}", property.in_type);
                SchemaProblem::FieldType {
                    field: name.clone(),
                    found,
                }
            })?;
        }
        field.name = Cow::Owned(name);
        Ok(field)
    }

    fn names(&mut self, property: &EventPropertyInfo) -> Names {
        // Only integers have maps.
        let integer = matches!(
            property.in_type,
            TdhIntype::UINT8 | TdhIntype::UINT16 | TdhIntype::UINT32 | TdhIntype::HEXINT32
        ) || matches!(property.in_type, TdhIntype::INT8 | TdhIntype::INT16 | TdhIntype::INT32)
            || property.in_type == TdhIntype::UINT64 && property.out_type != TdhOuttype::ETWTIME;
        if property.map_name_offset == 0 || !integer {
            return Names::None;
        }
        let name = self.texts.owned(property.map_name_offset);
        self.maps
            .and_then(|maps| maps.by_name.get(&name))
            .map_or(Names::None, |map| Names::Map(Arc::clone(map)))
    }
}

/// The texts behind a record.
struct Texts<'a> {
    bytes: &'a [u8],
    /// Code units that may still be read. Two fields may share a text, but not all of them a long one: nothing would bound the
    /// memory.
    left: usize,
    spent: bool,
}

impl<'a> Texts<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            left: bytes.len(),
            spent: false,
        }
    }

    fn shared(&mut self, offset: u32) -> Option<Arc<str>> {
        Some(self.owned(offset)).filter(|text| !text.is_empty()).map(Arc::from)
    }

    /// A name without the prefix of Windows' own, as that of a manifest.
    fn name(&mut self, offset: u32) -> Option<Arc<str>> {
        let text = self.owned(offset);
        Some(text.strip_prefix("win:").unwrap_or(&text))
            .filter(|text| !text.is_empty())
            .map(Arc::from)
    }

    /// The text at an offset, without the blank that Windows puts behind names; empty for none.
    fn owned(&mut self, offset: u32) -> String {
        self.at(offset).0
    }

    fn at(&mut self, offset: u32) -> (String, usize) {
        let mut text = String::new();
        // Offset 0 is the record itself.
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let Some(rest) = self.bytes.get(offset..).filter(|_| offset != 0) else {
            return (text, 0);
        };
        let (units, _) = rest.as_chunks::<2>();
        let units: Vec<u16> = units
            .iter()
            .take(self.left)
            .map(|unit| u16::from_le_bytes(*unit))
            .take_while(|unit| *unit != 0)
            .collect();
        self.left -= units.len();
        self.spent |= self.left == 0;
        push_utf16(&units, &mut text);
        text.truncate(text.trim_end().len());
        (text, units.len())
    }

    /// Texts one after the other, up to an empty one.
    fn list(&mut self, mut offset: u32) -> Vec<Arc<str>> {
        let mut list = Vec::new();
        loop {
            let (text, units) = self.at(offset);
            if units == 0 {
                return list;
            }
            list.push(Arc::from(text));
            offset = offset.saturating_add(u32::try_from(2 * units + 2).unwrap_or(u32::MAX));
        }
    }
}

#[cfg(test)]
#[path = "event_info_tests.rs"]
mod tests;
