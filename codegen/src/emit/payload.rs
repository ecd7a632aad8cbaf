//! Payload layouts of typed events as binrw structs. The same layouts are templates too; both take the same bytes.

use proc_macro2::TokenStream;
use quote::quote;

use super::record::{optional_pair, source};
use super::{doc_lines, hex, ident, number};
use crate::model::{EventClass, PayloadAlign, PayloadField, PayloadLayout, PayloadLength, PayloadType, PerPointer, Schema};
use crate::names::{field_name, type_name};
use crate::raw::PayloadFormat;

/// The struct of a layout, and its `Layout` and `Record` implementations.
pub(super) fn emit(schema: &Schema, layout: &PayloadLayout) -> TokenStream {
    let rust_name = type_name(&layout.name);
    let name = ident(&rust_name);
    let alias = super::alias(&layout.name, &rust_name);
    let first = format!("`{}`, a payload.", layout.name);
    let used = used_by(schema, layout);
    let docs = doc_lines([first.as_str(), layout.doc.as_deref().unwrap_or_default(), used.as_str()]);
    let places = places(schema, layout);
    let fields = layout
        .fields
        .iter()
        .enumerate()
        .map(|(index, field)| struct_field(schema, layout, index, field, places.offsets.get(index).copied().flatten()));
    let info = info(schema, layout, &places);
    let visits = layout
        .fields
        .iter()
        .enumerate()
        .map(|(index, field)| visit(schema, index, field, may_be_missing(layout, index)));
    quote! {
        #docs
        #alias
        #[derive(Debug, Clone, PartialEq, BinRead)]
        // No field can have a name that ends like this.
        #[br(little, import_raw(context_: Context))]
        pub struct #name { #(#fields)* }

        impl Layout for #name {
            const INFO: &'static RecordInfo = &#info;
        }

        impl Record for #name {
            fn info(&self) -> &'static RecordInfo { Self::INFO }

            fn visit(&self, visitor: &mut dyn FieldVisitor) { #(#visits)* }
        }
    }
}

/// The sources of a class, for the layouts of its typed events.
pub(super) fn sources(class: &EventClass) -> TokenStream {
    let name = sources_name(class);
    let sources = class.sources.iter().map(source);
    quote!(const #name: &[SourceInfo] = &[#(#sources),*];)
}

fn sources_name(class: &EventClass) -> proc_macro2::Ident {
    ident(&format!("{}_SOURCES", field_name(&class.name).to_ascii_uppercase()))
}

/// Whether the payload may end before the field: from the first optional field on.
pub(super) fn may_be_missing(layout: &PayloadLayout, index: usize) -> bool {
    layout.fields.iter().take(index + 1).any(|field| field.optional)
}

fn used_by(schema: &Schema, layout: &PayloadLayout) -> String {
    let mut events: Vec<String> = Vec::new();
    for event in schema
        .classes
        .iter()
        .flat_map(|class| &class.events)
        .filter(|event| event.typed)
    {
        let versions: Vec<String> = event
            .versions
            .iter()
            .filter(|version| schema.layout_of(version).is_some_and(|used| used.name == layout.name))
            .map(|version| version.version.to_string())
            .collect();
        if !versions.is_empty() {
            events.push(format!("{} ({})", event.name, versions.join(", ")));
        }
    }
    if events.is_empty() {
        String::new()
    } else {
        format!("Of these events, with their versions: {}.", events.join("; "))
    }
}

fn struct_field(
    schema: &Schema,
    layout: &PayloadLayout,
    index: usize,
    field: &PayloadField,
    offset: Option<PerPointer>,
) -> TokenStream {
    let name = ident(&field_name(&field.name));
    let (layout_name, field_text) = (&layout.name, &field.name);
    let docs = field_docs(schema, field, offset, may_be_missing(layout, index));
    let reading = reading(schema, layout, field);
    let (mut ty, mut parser, arguments) = (reading.ty, reading.parser, reading.arguments);
    let mut plain = reading.plain;
    let behind = index
        .checked_sub(1)
        .filter(|_| !field.optional)
        .filter(|before| may_be_missing(layout, *before));
    if field.optional {
        parser = quote!(payload_fields::optional(#parser));
    } else if let Some(before) = behind.and_then(|before| layout.fields.get(before)) {
        let before = ident(&field_name(&before.name));
        parser = quote!(payload_fields::behind(#before.is_some(), #parser));
    }
    if may_be_missing(layout, index) {
        ty = quote!(Option<#ty>);
        plain = false;
    }
    match field.align {
        None | Some(PayloadAlign::Bytes(0 | 1)) => {}
        Some(PayloadAlign::Bytes(bytes)) => {
            let bytes = number(bytes.into());
            parser = quote!(payload_fields::aligned(#bytes, #parser));
            plain = false;
        }
        Some(PayloadAlign::Pointer) => {
            parser = quote!(payload_fields::aligned(context_.pointer_size, #parser));
            plain = false;
        }
    }
    let arguments = (arguments.to_string() != "()").then(|| quote!(, args_raw(#arguments)));
    let attributes = (!plain).then(|| quote!(#[br(parse_with = #parser #arguments)]));
    quote! {
        #docs
        #[br(err_context(FieldContext::new(#layout_name, #field_text)))]
        #attributes
        pub #name: #ty,
    }
}

struct Reading {
    ty: TokenStream,
    parser: TokenStream,
    arguments: TokenStream,
    /// binrw needs no help.
    plain: bool,
}

fn reading(schema: &Schema, layout: &PayloadLayout, field: &PayloadField) -> Reading {
    let element = element_type(schema, field);
    let count = |length: PayloadLength, unit: u32| match length {
        PayloadLength::Fixed(bytes) => {
            let count = number((bytes / unit).into());
            quote!(payload_fields::Count::Exactly(#count))
        }
        PayloadLength::Field(index) => {
            let name = layout
                .fields
                .get(usize::from(index))
                .map(|field| ident(&field_name(&field.name)));
            quote!(payload_fields::Count::Exactly(Number::number(&#name)))
        }
        PayloadLength::Rest => quote!(payload_fields::Count::Rest),
    };
    let (parser, arguments, plain) = match field.ty {
        PayloadType::Int(_)
        | PayloadType::Float(_)
        | PayloadType::Guid
        | PayloadType::Filetime
        | PayloadType::Table(_)
        | PayloadType::Bytes(PayloadLength::Fixed(_)) => (quote!(<#element>::read_options), quote!(()), true),
        PayloadType::Sid => (quote!(Sid::read_options), quote!(()), true),
        PayloadType::Pointer | PayloadType::SizeT => (quote!(payload_fields::pointer), quote!(context_), false),
        PayloadType::Bytes(size) => (quote!(payload_fields::bytes), count(size, 1), false),
        PayloadType::Utf16(size) => (quote!(payload_fields::utf16), count(size, 2), false),
        PayloadType::Ansi(size) => (quote!(payload_fields::ansi), count(size, 1), false),
        PayloadType::Utf16Z => (quote!(payload_fields::utf16z), quote!(()), false),
        PayloadType::AnsiZ => (quote!(payload_fields::ansiz), quote!(()), false),
        PayloadType::TokenUser => (quote!(payload_fields::token_user), quote!(context_), false),
        PayloadType::Ipv4 => (quote!(payload_fields::ipv4), quote!(()), false),
        PayloadType::Ipv6 => (quote!(payload_fields::ipv6), quote!(()), false),
        PayloadType::Port => (quote!(payload_fields::port), quote!(()), false),
        PayloadType::Layout(_) => (quote!(payload_fields::part), quote!(context_), false),
    };
    match field.count {
        None => Reading {
            ty: element,
            parser,
            arguments,
            plain,
        },
        Some(PayloadLength::Fixed(length)) if plain => {
            let length = number(length.into());
            Reading {
                ty: quote!([#element; #length]),
                parser: quote!(<[#element; #length]>::read_options),
                arguments,
                plain,
            }
        }
        Some(length) => {
            let count = count(length, 1);
            Reading {
                ty: quote!(Vec<#element>),
                parser: quote!(payload_fields::many(#parser)),
                arguments: quote!((#count, #arguments)),
                plain: false,
            }
        }
    }
}

/// Rust type of one element of a field.
pub(super) fn element_type(schema: &Schema, field: &PayloadField) -> TokenStream {
    match field.ty {
        PayloadType::Int(int) => {
            let name = ident(int.name());
            quote!(#name)
        }
        PayloadType::Float(4) => quote!(f32),
        PayloadType::Float(_) => quote!(f64),
        PayloadType::Pointer | PayloadType::SizeT => quote!(u64),
        PayloadType::Guid => quote!(Guid),
        PayloadType::Filetime => quote!(Filetime),
        PayloadType::Bytes(PayloadLength::Fixed(bytes)) => {
            let bytes = number(bytes.into());
            quote!([u8; #bytes])
        }
        PayloadType::Bytes(_) => quote!(Vec<u8>),
        PayloadType::Utf16(_) => quote!(Utf16Fixed),
        PayloadType::Ansi(_) => quote!(AnsiFixed),
        PayloadType::Utf16Z => quote!(Utf16Z),
        PayloadType::AnsiZ => quote!(AnsiZ),
        PayloadType::Sid => quote!(Sid),
        PayloadType::TokenUser => quote!(Option<Sid>),
        PayloadType::Ipv4 => quote!(Ipv4Addr),
        PayloadType::Ipv6 => quote!(Ipv6Addr),
        PayloadType::Port => quote!(u16),
        PayloadType::Table(index) => {
            let name = schema.tables.get(index).map(|table| ident(&table.rust_name));
            quote!(#name)
        }
        PayloadType::Layout(index) => {
            let name = schema.layouts.get(index).map(|layout| ident(&type_name(&layout.name)));
            quote!(#name)
        }
    }
}

fn field_docs(schema: &Schema, field: &PayloadField, offset: Option<PerPointer>, missing: bool) -> TokenStream {
    let first = match &field.doc {
        Some(doc) => format!("`{}`: {doc}", field.name),
        None => format!("`{}`.", field.name),
    };
    let mut facts = Vec::new();
    facts.push(match offset {
        Some(offset) => format!("Offset {offset}."),
        None => "Offset varies.".to_owned(),
    });
    facts.extend(field.unit.as_ref().map(|unit| format!("Unit: {unit}.")));
    if matches!(field.ty, PayloadType::Pointer | PayloadType::SizeT) {
        facts.push("As wide as a pointer.".to_owned());
    }
    if field.format == Some(PayloadFormat::Clock) {
        facts.push("Time stamp of the session's clock.".to_owned());
    }
    if let PayloadType::Table(index) = field.ty {
        facts.extend(schema.tables.get(index).map(|table| format!("Values: `{}`.", table.name)));
    }
    if missing {
        facts.push("The payload may end before it.".to_owned());
    }
    doc_lines([first.as_str(), facts.join(" ").as_str()])
}

/// Where the fields of a layout lie.
struct Places {
    /// Of each field its offset, where that is fixed.
    offsets: Vec<Option<PerPointer>>,
    /// Bytes that are always there.
    min_size: PerPointer,
    varies: bool,
}

fn places(schema: &Schema, layout: &PayloadLayout) -> Places {
    let mut end = Some(PerPointer { p32: 0, p64: 0 });
    let mut min_size = PerPointer { p32: 0, p64: 0 };
    let mut offsets = Vec::new();
    for (index, field) in layout.fields.iter().enumerate() {
        end = end.map(|end| match field.align {
            None => end,
            Some(PayloadAlign::Bytes(bytes)) => aligned(end, bytes.into(), bytes.into()),
            Some(PayloadAlign::Pointer) => aligned(end, 4, 8),
        });
        offsets.push(end);
        let size = field_size(schema, field);
        let missing = may_be_missing(layout, index);
        end = end.zip(size).map(|(end, size)| sum(end, size)).filter(|_| !missing);
        if !missing {
            min_size = end.unwrap_or_else(|| sum(min_size, size.unwrap_or_else(|| least_size(schema, field))));
        }
    }
    Places {
        offsets,
        min_size,
        varies: end.is_none(),
    }
}

fn aligned(size: PerPointer, p32: u32, p64: u32) -> PerPointer {
    PerPointer {
        p32: size.p32.next_multiple_of(p32.max(1)),
        p64: size.p64.next_multiple_of(p64.max(1)),
    }
}

fn sum(a: PerPointer, b: PerPointer) -> PerPointer {
    PerPointer {
        p32: a.p32.saturating_add(b.p32),
        p64: a.p64.saturating_add(b.p64),
    }
}

/// Bytes of a field, if it never varies.
fn field_size(schema: &Schema, field: &PayloadField) -> Option<PerPointer> {
    let same = |bytes: u32| Some(PerPointer { p32: bytes, p64: bytes });
    let one = match field.ty {
        PayloadType::Int(int) => same(int.bytes),
        PayloadType::Table(index) => same(schema.tables.get(index)?.int.bytes),
        PayloadType::Float(bytes) => same(bytes),
        PayloadType::Pointer | PayloadType::SizeT => Some(PerPointer { p32: 4, p64: 8 }),
        PayloadType::Guid | PayloadType::Ipv6 => same(16),
        PayloadType::Filetime => same(8),
        PayloadType::Ipv4 => same(4),
        PayloadType::Port => same(2),
        PayloadType::Bytes(PayloadLength::Fixed(bytes)) | PayloadType::Ansi(PayloadLength::Fixed(bytes)) => same(bytes),
        PayloadType::Utf16(PayloadLength::Fixed(bytes)) => same(bytes / 2 * 2),
        PayloadType::Layout(index) => {
            let places = places(schema, schema.layouts.get(index)?);
            (!places.varies).then_some(places.min_size)
        }
        _ => None,
    }?;
    match field.count {
        None => Some(one),
        Some(PayloadLength::Fixed(count)) => Some(PerPointer {
            p32: one.p32.saturating_mul(count),
            p64: one.p64.saturating_mul(count),
        }),
        Some(_) => None,
    }
}

/// Least bytes of a field whose size varies.
fn least_size(schema: &Schema, field: &PayloadField) -> PerPointer {
    let bytes = match (field.ty, field.count) {
        (_, Some(PayloadLength::Field(_) | PayloadLength::Rest)) => 0,
        (PayloadType::Utf16Z, _) => 2,
        (PayloadType::AnsiZ, _) => 1,
        (PayloadType::Sid, _) => 8,
        (PayloadType::TokenUser, _) => 4,
        (PayloadType::Layout(index), _) => {
            return schema
                .layouts
                .get(index)
                .map_or(PerPointer { p32: 0, p64: 0 }, |layout| places(schema, layout).min_size);
        }
        _ => 0,
    };
    PerPointer { p32: bytes, p64: bytes }
}

fn info(schema: &Schema, layout: &PayloadLayout, places: &Places) -> TokenStream {
    let (name, doc) = (&layout.name, layout.doc.as_deref().unwrap_or_default());
    let (p32, p64) = (hex(places.min_size.p32.into()), hex(places.min_size.p64.into()));
    let varies = places.varies;
    let class = schema.classes.iter().find(|class| layout.place.is_within(&class.place));
    let sources = class.map_or(quote!(&[]), |class| {
        let name = sources_name(class);
        quote!(#name)
    });
    let fields = layout.fields.iter().enumerate().map(|(index, field)| {
        let name = &field.name;
        let ty = schema.payload_type_text(field);
        let offset = optional_pair(places.offsets.get(index).copied().flatten());
        let size = optional_pair(field_size(schema, field));
        let (unit, doc) = (field.unit.as_deref().unwrap_or_default(), field.doc.as_deref().unwrap_or_default());
        let hex = is_hex(field);
        quote! {
            FieldInfo { name: #name, ty: #ty, offset: #offset, size: #size, unit: #unit, doc: #doc, hex: #hex, ..FieldInfo::UNKNOWN }
        }
    });
    quote! {
        RecordInfo { name: #name, doc: #doc, min_size: [#p32, #p64], varies: #varies, sources: #sources, fields: &[#(#fields),*] }
    }
}

/// Whether the values are shown in hex: where they have names, those are shown.
fn is_hex(field: &PayloadField) -> bool {
    field.format == Some(PayloadFormat::Hex) && !matches!(field.ty, PayloadType::Table(_))
}

fn visit(schema: &Schema, index: usize, field: &PayloadField, missing: bool) -> TokenStream {
    let name = ident(&field_name(&field.name));
    let index = number(index as u64);
    let place = if missing { quote!(field) } else { quote!(&self.#name) };
    let value = match (special_value(field), field.count) {
        (None, _) if missing => quote!(field.as_value()),
        (None, _) => quote!(self.#name.as_value()),
        (Some(value), None) => {
            let copied = if missing { quote!(*field) } else { quote!(self.#name) };
            value(&place, &copied)
        }
        (Some(value), Some(_)) => {
            let ty = element_type(schema, field);
            let value = value(&quote!(element), &quote!(*element));
            quote!(Value::List(&payload_fields::Elements::<#ty> { of: #place, value: |element| #value }))
        }
    };
    if missing {
        quote! {
            if let Some(field) = &self.#name {
                visitor.field(&Self::INFO.fields[#index], #value);
            }
        }
    } else {
        quote!(visitor.field(&Self::INFO.fields[#index], #value);)
    }
}

/// Makes a value of a reference to an element and of its copy.
type MakeValue = fn(&TokenStream, &TokenStream) -> TokenStream;

/// How a value is made, if its type does not say it.
fn special_value(field: &PayloadField) -> Option<MakeValue> {
    match field.ty {
        PayloadType::Pointer => Some(|_, copy| quote!(Value::Address(#copy))),
        PayloadType::SizeT if is_hex(field) => Some(|_, copy| quote!(Value::Address(#copy))),
        PayloadType::Int(int) if is_hex(field) && !int.signed && int.bytes == 8 => Some(|_, copy| quote!(Value::Address(#copy))),
        PayloadType::Int(int) if is_hex(field) && !int.signed => Some(|_, copy| quote!(Value::Address(u64::from(#copy)))),
        PayloadType::Bytes(_) => Some(|reference, _| quote!(Value::Bytes(#reference))),
        _ => None,
    }
}
