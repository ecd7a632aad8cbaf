//! Payload layouts as static templates for the one decoder.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, number};
use crate::model::{PayloadAlign, PayloadField, PayloadLayout, PayloadLength, PayloadType, Schema, Table, TableKind};
use crate::names::field_name;
use crate::raw::PayloadFormat;

/// The fields of a layout and its template.
pub(super) fn emit(schema: &Schema, layout: &PayloadLayout) -> TokenStream {
    let (name, fields_name) = (template_name(layout), fields_name(layout));
    let docs = super::doc_lines([
        format!("`{}`.", layout.name).as_str(),
        layout.doc.as_deref().unwrap_or_default(),
    ]);
    let count = number(layout.fields.len() as u64);
    let fields = layout.fields.iter().map(|field| emit_field(schema, field));
    quote! {
        static #fields_name: [TemplateField; #count] = [#(#fields),*];

        #docs
        pub static #name: Template = Template::fixed(&#fields_name);
    }
}

/// Name of the static template of a layout.
pub(super) fn template_name(layout: &PayloadLayout) -> proc_macro2::Ident {
    ident(&field_name(&layout.name).to_ascii_uppercase())
}

fn fields_name(layout: &PayloadLayout) -> proc_macro2::Ident {
    ident(&format!("{}_FIELDS", field_name(&layout.name).to_ascii_uppercase()))
}

fn emit_field(schema: &Schema, field: &PayloadField) -> TokenStream {
    let name = &field.name;
    let ty = field_type(schema, field);
    let table = match field.ty {
        PayloadType::Table(index) => schema.tables.get(index),
        _ => None,
    };
    let doc = field.doc.as_deref().unwrap_or_default();
    let plain = field.count.is_none()
        && field.align.is_none()
        && field.format.is_none()
        && !field.optional
        && field.refers.is_none()
        && table.is_none()
        && doc.is_empty();
    if plain {
        return quote!(TemplateField::plain(Cow::Borrowed(#name), #ty));
    }
    let repeat = match field.count {
        None => quote!(Repeat::One),
        Some(PayloadLength::Fixed(count)) => {
            let count = number(count.into());
            quote!(Repeat::Fixed(#count))
        }
        Some(PayloadLength::Field(index)) => {
            let index = number(index.into());
            quote!(Repeat::Field(#index))
        }
        Some(PayloadLength::Rest) => quote!(Repeat::Rest),
    };
    let align = match field.align {
        None => quote!(Align::None),
        Some(PayloadAlign::Bytes(bytes)) => {
            let bytes = number(bytes.into());
            quote!(Align::Bytes(#bytes))
        }
        Some(PayloadAlign::Pointer) => quote!(Align::Pointer),
    };
    let format = match field.format {
        None => quote!(Format::Default),
        Some(PayloadFormat::Hex) => quote!(Format::Hex),
        Some(PayloadFormat::Clock) => quote!(Format::Clock),
    };
    let names = match table {
        None => quote!(Names::None),
        Some(Table {
            kind: TableKind::Enum,
            rust_name,
            ..
        }) => {
            let table = ident(rust_name);
            quote!(Names::Enum(<#table as OpenEnum>::TABLE))
        }
        Some(Table { rust_name, .. }) => {
            let table = ident(rust_name);
            quote!(Names::Flags(<#table as FlagSet>::TABLE))
        }
    };
    let optional = field.optional;
    let refers = match field.refers {
        Some(refers) => {
            let refers = ident(&format!("{refers:?}"));
            quote!(Some(Refers::#refers))
        }
        None => quote!(None),
    };
    quote! {
        TemplateField { name: Cow::Borrowed(#name), ty: #ty, repeat: #repeat, align: #align, optional: #optional, format: #format,
            names: #names, refers: #refers, doc: #doc }
    }
}

fn field_type(schema: &Schema, field: &PayloadField) -> TokenStream {
    let length = |length: PayloadLength, unit: u32| match length {
        PayloadLength::Fixed(bytes) => {
            let count = number((bytes / unit).into());
            quote!(Size::Fixed(#count))
        }
        PayloadLength::Field(index) => {
            let index = number(index.into());
            quote!(Size::Field(#index))
        }
        PayloadLength::Rest => quote!(Size::Rest),
    };
    match field.ty {
        PayloadType::Int(int) => {
            let bytes = number(int.bytes.into());
            if int.signed {
                quote!(FieldType::Signed(#bytes))
            } else {
                quote!(FieldType::Unsigned(#bytes))
            }
        }
        PayloadType::Table(index) => {
            let bytes = number(schema.tables.get(index).map_or(8, |table| table.int.bytes).into());
            quote!(FieldType::Unsigned(#bytes))
        }
        PayloadType::Float(bytes) => {
            let bytes = number(bytes.into());
            quote!(FieldType::Float(#bytes))
        }
        PayloadType::Pointer => quote!(FieldType::Pointer),
        PayloadType::SizeT => quote!(FieldType::SizeT),
        PayloadType::Guid => quote!(FieldType::Guid),
        PayloadType::Filetime => quote!(FieldType::Filetime),
        PayloadType::Bytes(size) => {
            let size = length(size, 1);
            quote!(FieldType::Bytes(#size))
        }
        PayloadType::Utf16(size) => {
            let size = length(size, 2);
            quote!(FieldType::Utf16(#size))
        }
        PayloadType::Ansi(size) => {
            let size = length(size, 1);
            quote!(FieldType::Ansi(#size))
        }
        PayloadType::Utf16Z => quote!(FieldType::Utf16Z),
        PayloadType::AnsiZ => quote!(FieldType::AnsiZ),
        PayloadType::Sid => quote!(FieldType::Sid),
        PayloadType::TokenUser => quote!(FieldType::TokenUser),
        PayloadType::Ipv4 => quote!(FieldType::Ipv4),
        PayloadType::Ipv6 => quote!(FieldType::Ipv6),
        PayloadType::Port => quote!(FieldType::Port),
        PayloadType::Layout(index) => match schema.layouts.get(index) {
            Some(layout) => {
                let fields = fields_name(layout);
                quote!(FieldType::Struct(Template::fixed(&#fields)))
            }
            None => quote!(FieldType::Null),
        },
    }
}
