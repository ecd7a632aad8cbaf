//! Reflection: names, places, docs and values of the fields, for everything that prints.

use proc_macro2::TokenStream;
use quote::quote;

use super::{hex, ident, kind_word};
use crate::model::{Length, Member, MemberKind, PerPointer, Schema, Source, Stored, Structure, Type};

/// The `Record` and `Layout` implementations of a structure.
pub(super) fn emit(schema: &Schema, structure: &Structure) -> TokenStream {
    let name = ident(&structure.rust_name);
    let (structure_name, doc) = (&structure.name, &structure.doc);
    let (p32, p64) = (hex(structure.extent.fixed.p32.into()), hex(structure.extent.fixed.p64.into()));
    let varies = structure.extent.varies;
    let sources = structure.sources.iter().map(source);
    let fields = structure.members.iter().map(|member| field_info(schema, member));
    let visits = structure.members.iter().enumerate().map(|(index, member)| {
        let value = value(member);
        let index = super::number(index as u64);
        quote!(visitor.field(&Self::INFO.fields[#index], #value);)
    });
    quote! {
        impl Layout for #name {
            const INFO: &'static RecordInfo = &RecordInfo {
                name: #structure_name,
                doc: #doc,
                min_size: [#p32, #p64],
                varies: #varies,
                sources: &[#(#sources),*],
                fields: &[#(#fields),*],
            };
        }

        impl Record for #name {
            fn info(&self) -> &'static RecordInfo { Self::INFO }

            fn visit(&self, visitor: &mut dyn FieldVisitor) { #(#visits)* }
        }
    }
}

fn value(member: &Member) -> TokenStream {
    let name = ident(&member.rust_name);
    match &member.kind {
        MemberKind::Computed(_) => quote!(self.#name().as_value()),
        MemberKind::Stored(Stored {
            ty: Type::Bytes(Length::Fixed(_)),
            condition: Some(_),
            ..
        }) => {
            quote!(self.#name.as_ref().map_or(Value::Absent, |bytes| Value::Bytes(bytes)))
        }
        MemberKind::Stored(Stored { ty: Type::Bytes(_), .. }) => quote!(Value::Bytes(&self.#name)),
        MemberKind::Stored(_) => quote!(self.#name.as_value()),
    }
}

fn field_info(schema: &Schema, member: &Member) -> TokenStream {
    let (name, doc) = (&member.name, &member.doc);
    let ty = schema.member_type_text(member);
    let offset = optional_pair(member.offset);
    let size = optional_pair(match &member.kind {
        MemberKind::Stored(stored) if !stored.extent.varies => Some(stored.extent.fixed),
        _ => None,
    });
    let unit = member.unit.as_deref().unwrap_or_default();
    let role = member.role.map(|role| role.name).unwrap_or_default();
    let (hidden, hex) = (member.hidden, member.hex);
    let computed = matches!(member.kind, MemberKind::Computed(_));
    quote! {
        FieldInfo { name: #name, ty: #ty, offset: #offset, size: #size, unit: #unit, role: #role, doc: #doc,
            hidden: #hidden, hex: #hex, computed: #computed }
    }
}

pub(super) fn optional_pair(pair: Option<PerPointer>) -> TokenStream {
    match pair {
        Some(pair) => {
            let (p32, p64) = (hex(pair.p32.into()), hex(pair.p64.into()));
            quote!(Some([#p32, #p64]))
        }
        None => quote!(None),
    }
}

pub(super) fn source(source: &Source) -> TokenStream {
    let (title, kind, url) = (
        &source.title,
        kind_word(source.kind),
        source.url.as_deref().unwrap_or_default(),
    );
    quote!(SourceInfo { title: #title, kind: #kind, url: #url })
}
