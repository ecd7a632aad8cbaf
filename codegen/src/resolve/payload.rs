//! Payload layouts: types and lengths of their fields.

use super::Resolver;
use super::names::Definition;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Int, PayloadAlign, PayloadField, PayloadLayout, PayloadLength, PayloadType};
use crate::names::closest;
use crate::raw::{self, MarkType};

/// Names of the built-in payload types.
const BUILT_IN: &[&str] = &[
    "u8",
    "u16",
    "u32",
    "u64",
    "i8",
    "i16",
    "i32",
    "i64",
    "f32",
    "f64",
    "ptr",
    "size_t",
    "guid",
    "filetime",
    "bytes",
    "utf16",
    "ansi",
    "utf16z",
    "ansiz",
    "utf8z",
    "sid",
    "token_user",
    "ipv4",
    "ipv6",
    "port",
];

/// The layouts of a file: those of its classes, those that it adds to classes of the base, those of its providers, those that it
/// adds to providers of the base.
pub(super) fn layouts_of(index: usize, file: &raw::File) -> impl Iterator<Item = (Place, &raw::PayloadLayout)> {
    let top = Place::file(index);
    let extends = top.key("extends");
    let (parts, provider_parts) = (extends.key("event_classes"), extends.key("providers"));
    let classes = top.key("event_classes");
    let providers = top.key("providers");
    let of_providers = file.providers.iter().map(|provider| &provider.layouts).enumerate();
    let whole = file.event_classes.iter().map(|class| &class.layouts).enumerate();
    let to_providers = file.extends.providers.iter().map(|part| &part.layouts).enumerate();
    let added = file.extends.event_classes.iter().map(|part| &part.layouts).enumerate();
    let whole = whole.map(move |(at, list)| (classes.index(at).key("layouts"), list));
    whole
        .chain(added.map(move |(at, list)| (parts.index(at).key("layouts"), list)))
        .chain(of_providers.map(move |(at, list)| (providers.index(at).key("layouts"), list)))
        .chain(to_providers.map(move |(at, list)| (provider_parts.index(at).key("layouts"), list)))
        .flat_map(|(place, list)| list.iter().enumerate().map(move |(at, layout)| (place.index(at), layout)))
}

impl Resolver<'_> {
    /// Resolves all payload layouts, in the order in which they are numbered.
    pub(super) fn layouts(&mut self) {
        for (index, file) in self.files.iter().enumerate() {
            for (place, raw) in layouts_of(index, file) {
                let layout = self.layout(raw, &place);
                self.schema.layouts.push(layout);
            }
        }
    }

    fn layout(&mut self, raw: &raw::PayloadLayout, place: &Place) -> PayloadLayout {
        let mut fields = self.extended(raw, place);
        for (at, field) in raw.fields.iter().enumerate() {
            let place = place.key("fields").index(at);
            if fields.iter().any(|earlier| earlier.name == field.name) {
                self.report(
                    Diagnostic::at(
                        Code::DuplicateName,
                        &place.key("name"),
                        format!("`{}` is used twice in {}", field.name, raw.name),
                        "used again here",
                    )
                    .help("give one of the two another name"),
                );
            }
            // A field that can't be resolved stays as a number, so that what refers to it is not a problem of its own.
            let resolved = self.payload_field(field, &fields, &place);
            if let Some(resolved) = &resolved {
                self.mark(resolved, &place);
            }
            fields.push(resolved.unwrap_or_else(|| unresolved(field)));
        }
        PayloadLayout {
            name: raw.name.clone(),
            doc: raw.doc.as_ref().map(|doc| doc.trim().to_owned()),
            fields,
            place: place.clone(),
        }
    }

    /// The fields of the layout that this one extends. It must stand earlier, so no layout can extend itself.
    fn extended(&mut self, raw: &raw::PayloadLayout, place: &Place) -> Vec<PayloadField> {
        let Some(base) = &raw.extends else { return Vec::new() };
        if let Some(layout) = self.schema.layouts.iter().find(|layout| layout.name == *base) {
            return layout.fields.clone();
        }
        let help = match closest(base, self.schema.layouts.iter().map(|layout| layout.name.as_str())) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "a layout extends one that stands before it".to_owned(),
        };
        self.report(
            Diagnostic::at(
                Code::UnknownStructure,
                &place.key("extends"),
                format!("no layout `{base}` before this one"),
                "unknown layout",
            )
            .help(help),
        );
        Vec::new()
    }

    fn payload_field(&mut self, raw: &raw::PayloadField, earlier: &[PayloadField], place: &Place) -> Option<PayloadField> {
        let size = match &raw.size {
            Some(size) => Some(self.payload_length(size, earlier, &place.key("size"))?),
            None => None,
        };
        let count = match &raw.count {
            Some(count) => Some(self.payload_length(count, earlier, &place.key("count"))?),
            None => None,
        };
        let align = match &raw.align {
            None => None,
            Some(raw::Expression::Number(bytes @ (1 | 2 | 4 | 8))) => u8::try_from(*bytes).ok().map(PayloadAlign::Bytes),
            Some(raw::Expression::Text(text)) if text == "ptr" => Some(PayloadAlign::Pointer),
            Some(_) => {
                self.report(
                    Diagnostic::at(Code::Length, &place.key("align"), "not an alignment", "not 1, 2, 4, 8 or ptr")
                        .help("write 4, 8 or ptr"),
                );
                None
            }
        };
        let sized = matches!(raw.ty.as_str(), "bytes" | "utf16" | "ansi");
        if sized != size.is_some() {
            self.report(
                Diagnostic::at(
                    Code::Length,
                    &place.key(if sized { "type" } else { "size" }),
                    format!("`{}` {}", raw.name, if sized { "has no size" } else { "takes no size" }),
                    if sized { "needs one" } else { "not used" },
                )
                .help("`bytes`, `utf16` and `ansi` have a size; other types may have a `count`"),
            );
            return None;
        }
        let ty = self.payload_type(&raw.ty, size.unwrap_or(PayloadLength::Rest), &place.key("type"))?;
        Some(PayloadField {
            name: raw.name.clone(),
            ty,
            count,
            align,
            format: raw.format,
            optional: raw.optional,
            refers: raw.refers,
            unit: raw.unit.clone(),
            doc: raw.doc.as_ref().map(|doc| doc.trim().to_owned()),
        })
    }

    /// Checks that a field is of the type that its mark needs.
    fn mark(&mut self, field: &PayloadField, place: &Place) {
        let Some(refers) = field.refers else { return };
        let text = matches!(
            field.ty,
            PayloadType::Utf16Z | PayloadType::AnsiZ | PayloadType::Utf16(_) | PayloadType::Ansi(_)
        );
        let (fits, needed) = match refers.mark_type() {
            MarkType::Number => (is_number(field), "an integer or address"),
            MarkType::Numbers => (is_number_type(field.ty), "integers or addresses"),
            MarkType::Text => (text && field.count.is_none(), "text"),
        };
        if !fits {
            self.report(
                Diagnostic::at(
                    Code::RoleMismatch,
                    &place.key("refers"),
                    format!("`refers: {}` needs {needed}", refers.word()),
                    format!("`{}` is something else", field.name),
                )
                .help("take the mark away, or correct the type"),
            );
        }
    }

    fn payload_length(&mut self, raw: &raw::Expression, earlier: &[PayloadField], place: &Place) -> Option<PayloadLength> {
        let text = match raw {
            raw::Expression::Number(number) => match u32::try_from(*number) {
                Ok(number) => return Some(PayloadLength::Fixed(number)),
                Err(_) => number.to_string(),
            },
            raw::Expression::Text(text) if text == "rest" => return Some(PayloadLength::Rest),
            raw::Expression::Text(text) => text.clone(),
        };
        let found = earlier.iter().position(|field| field.name == text && is_number(field));
        if let Some(index) = found.and_then(|index| u16::try_from(index).ok()) {
            return Some(PayloadLength::Field(index));
        }
        let numbers: Vec<&str> = earlier
            .iter()
            .filter(|field| is_number(field))
            .map(|field| field.name.as_str())
            .collect();
        let help = match closest(&text, numbers.iter().copied()) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "write a number, the name of an earlier integer field, or `rest`".to_owned(),
        };
        self.report(
            Diagnostic::at(
                Code::UnknownValue,
                place,
                format!("`{text}` is no earlier number"),
                "not known here",
            )
            .help(help),
        );
        None
    }

    fn payload_type(&mut self, name: &str, size: PayloadLength, place: &Place) -> Option<PayloadType> {
        let ty = match name {
            "f32" => PayloadType::Float(4),
            "f64" => PayloadType::Float(8),
            "ptr" => PayloadType::Pointer,
            "size_t" => PayloadType::SizeT,
            "guid" => PayloadType::Guid,
            "filetime" => PayloadType::Filetime,
            "bytes" => PayloadType::Bytes(size),
            "utf16" => PayloadType::Utf16(size),
            "ansi" => PayloadType::Ansi(size),
            "utf16z" => PayloadType::Utf16Z,
            "ansiz" | "utf8z" => PayloadType::AnsiZ,
            "sid" => PayloadType::Sid,
            "token_user" => PayloadType::TokenUser,
            "ipv4" => PayloadType::Ipv4,
            "ipv6" => PayloadType::Ipv6,
            "port" => PayloadType::Port,
            _ => match (Int::find(name), self.names.get(name)) {
                (Some(int), _) => PayloadType::Int(int),
                (None, Some((Definition::Table(index), _))) => PayloadType::Table(*index),
                // Only layouts before this one can be held, so none can hold itself.
                (None, Some((Definition::Layout(index), _))) if *index < self.schema.layouts.len() => PayloadType::Layout(*index),
                _ => {
                    let known = self
                        .names
                        .iter()
                        .filter(|(_, (definition, _))| matches!(definition, Definition::Layout(_) | Definition::Table(_)));
                    let known = known.map(|(name, _)| *name).chain(BUILT_IN.iter().copied());
                    let help = match closest(name, known) {
                        Some(similar) => format!("did you mean `{similar}`?"),
                        None => format!(
                            "use an enum, a flag table, a layout that stands before this one, or one of {}",
                            BUILT_IN.join(", ")
                        ),
                    };
                    self.report(
                        Diagnostic::at(
                            Code::UnknownType,
                            place,
                            format!("unknown payload type `{name}`"),
                            "unknown type",
                        )
                        .help(help),
                    );
                    return None;
                }
            },
        };
        Some(ty)
    }
}

fn unresolved(raw: &raw::PayloadField) -> PayloadField {
    PayloadField {
        name: raw.name.clone(),
        ty: PayloadType::Int(Int { bytes: 8, signed: false }),
        count: None,
        align: None,
        format: None,
        optional: false,
        refers: None,
        unit: None,
        doc: None,
    }
}

fn is_number(field: &PayloadField) -> bool {
    field.count.is_none() && is_number_type(field.ty)
}

fn is_number_type(ty: PayloadType) -> bool {
    matches!(
        ty,
        PayloadType::Int(_) | PayloadType::Table(_) | PayloadType::SizeT | PayloadType::Pointer
    )
}
