//! The enum of typed events, and the enums of payloads that vary with the version.
//!
//! Events of a class with the same layouts in the same versions share one payload type, so that a pattern can take several of
//! them: `ProcessStart(process) | ProcessDcStart(process)`.

use proc_macro2::TokenStream;
use quote::quote;

use super::payload::{element_type, may_be_missing};
use super::{doc_lines, ident, payload};
use crate::model::{Event, EventClass, EventVersion, Payload, PayloadField, PayloadLayout, PayloadLength, PayloadType, Schema};
use crate::names::{field_name, type_name};

/// Name of an event's variant of `TypedEvent`: `Process/Start` is `ProcessStart`.
pub(crate) fn variant_name(event: &Event) -> String {
    event.name.split('/').map(type_name).collect()
}

/// One form of an event's payload: the versions that share a layout.
struct Form {
    /// `V4`; with the pointer size where it is for one only.
    name: String,
    payload: Payload,
    versions: Vec<u8>,
}

fn forms(event: &Event) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    for version in &event.versions {
        match forms.iter_mut().find(|form| form.payload == version.payload) {
            Some(form) => form.versions.push(version.version),
            None => forms.push(Form {
                name: match version.pointer_size {
                    None => format!("V{}", version.version),
                    Some(size) => format!("V{}Pointer{}", version.version, 8 * size),
                },
                payload: version.payload,
                versions: vec![version.version],
            }),
        }
    }
    forms
}

/// What tells payload types apart: the names and payloads of their forms.
fn shape(event: &Event) -> Vec<(String, Payload)> {
    forms(event).into_iter().map(|form| (form.name, form.payload)).collect()
}

/// Name of the payload type of an event whose payload has several forms: that of the first event of the class with the same.
pub(crate) fn payload_name(schema: &Schema, event: &Event) -> Option<String> {
    if forms(event).len() < 2 {
        return None;
    }
    let class = schema
        .classes
        .iter()
        .find(|class| class.events.iter().any(|other| other.name == event.name))?;
    let first = class
        .events
        .iter()
        .find(|other| other.typed && shape(other) == shape(event))
        .unwrap_or(event);
    Some(format!("{}Payload", variant_name(first)))
}

fn typed_events(schema: &Schema) -> impl Iterator<Item = &Event> {
    schema
        .classes
        .iter()
        .flat_map(|class| &class.events)
        .filter(|event| event.typed && !event.versions.is_empty())
}

/// Rust type of a payload; none for no bytes.
fn payload_type(schema: &Schema, payload: Payload) -> Option<TokenStream> {
    let name = match payload {
        Payload::Empty => return None,
        Payload::Layout(index) => ident(&type_name(&schema.layouts.get(index)?.name)),
        Payload::Structure(index) => ident(&schema.structures.get(index)?.rust_name),
    };
    Some(quote!(#name))
}

/// The function that reads a version of an event.
pub(super) fn reader(schema: &Schema, event: &Event, version: &EventVersion) -> TokenStream {
    if !event.typed {
        return quote!(None);
    }
    let variant = ident(&variant_name(event));
    let form = forms(event).into_iter().find(|form| form.payload == version.payload);
    let (Some(form), payload) = (form, payload_type(schema, version.payload)) else {
        return quote!(None);
    };
    let form = ident(&form.name);
    match (payload_name(schema, event).map(|name| ident(&name)), payload) {
        (None, None) => quote!(Some(|_, _| Ok((TypedEvent::#variant, 0)))),
        (None, Some(_)) => quote!(Some(|bytes, context| read_typed(bytes, context, TypedEvent::#variant))),
        (Some(name), None) => quote!(Some(|_, _| Ok((TypedEvent::#variant(#name::#form), 0)))),
        (Some(name), Some(_)) => quote! {
            Some(|bytes, context| read_typed(bytes, context, |payload| TypedEvent::#variant(#name::#form(payload))))
        },
    }
}

/// `TypedEvent` and its reflection.
pub(super) fn emit(schema: &Schema) -> TokenStream {
    let docs = doc_lines([
        "An event with its payload, for events that profilers and forensic tools match on.",
        "A payload whose layout varies with the version is an enum of layouts, whose methods give the fields whatever the version. \
         Further events may be added.",
    ]);
    let (mut variants, mut arms) = (TokenStream::new(), TokenStream::new());
    for event in typed_events(schema) {
        let variant = ident(&variant_name(event));
        let first = format!("`{}`.", event.name);
        let docs = doc_lines([first.as_str(), event.doc.as_deref().unwrap_or_default()]);
        let payload = match payload_name(schema, event).map(|name| ident(&name)) {
            Some(name) => Some(quote!(#name)),
            None => event
                .versions
                .first()
                .and_then(|version| payload_type(schema, version.payload)),
        };
        match payload {
            Some(ty) => {
                variants.extend(quote!(#docs #variant(#ty),));
                arms.extend(quote!(Self::#variant(payload) => payload,));
            }
            None => {
                variants.extend(quote!(#docs #variant,));
                arms.extend(quote!(Self::#variant => &NoFields,));
            }
        }
    }
    let value = if arms.is_empty() { quote!(*self) } else { quote!(self) };
    let record_docs = doc_lines(["The payload as names and values, for printing."]);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum TypedEvent { #variants }

        impl TypedEvent {
            #record_docs
            pub fn record(&self) -> &dyn Record { match #value { #arms } }
        }
    }
}

/// The payload types of a class.
pub(super) fn emit_class(schema: &Schema, class: &EventClass) -> TokenStream {
    let mut items = TokenStream::new();
    let typed_layouts = schema.typed_layouts();
    let has_structs = typed_layouts
        .iter()
        .filter_map(|index| schema.layouts.get(*index))
        .any(|layout| layout.place.is_within(&class.place));
    if has_structs {
        items.extend(payload::sources(class));
    }
    let mut done: Vec<String> = Vec::new();
    for event in class.events.iter().filter(|event| event.typed) {
        if let Some(name) = payload_name(schema, event)
            && !done.contains(&name)
        {
            items.extend(payload_enum(schema, class, event, &name));
            done.push(name);
        }
    }
    items
}

fn payload_enum(schema: &Schema, class: &EventClass, event: &Event, name: &str) -> TokenStream {
    let name = ident(name);
    let shape = shape(event);
    let sharing: Vec<String> = class
        .events
        .iter()
        .filter(|other| other.typed && self::shape(other) == shape)
        .map(|other| format!("`{}`", other.name))
        .collect();
    let first = format!("Payload of {}.", sharing.join(", "));
    let docs = doc_lines([
        first.as_str(),
        "A version that is not listed has the layout of the highest one below it.",
    ]);
    let forms = forms(event);
    let (mut variants, mut arms) = (TokenStream::new(), TokenStream::new());
    for form in &forms {
        let variant = ident(&form.name);
        let versions: Vec<String> = form.versions.iter().map(u8::to_string).collect();
        let plural = if versions.len() == 1 { "" } else { "s" };
        let docs = doc_lines([format!("Version{plural} {}.", versions.join(", ")).as_str()]);
        match payload_type(schema, form.payload) {
            Some(ty) => {
                variants.extend(quote!(#docs #variant(#ty),));
                arms.extend(quote!(Self::#variant(payload) => payload,));
            }
            None => {
                variants.extend(quote!(#docs #variant,));
                arms.extend(quote!(Self::#variant => &NoFields,));
            }
        }
    }
    let accessors = accessors(schema, &forms);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum #name { #variants }

        impl #name {
            #accessors

            fn layout(&self) -> &dyn Record { match self { #arms } }
        }

        impl Record for #name {
            fn info(&self) -> &'static RecordInfo { self.layout().info() }

            fn visit(&self, visitor: &mut dyn FieldVisitor) { self.layout().visit(visitor); }
        }
    }
}

/// How an accessor gives a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// An unsigned number of so many bytes: the widest of all forms.
    Unsigned(u32),
    /// Likewise a signed one.
    Signed(u32),
    /// Another value that is copied.
    Copy,
    /// A reference.
    Reference,
    /// A slice of bytes or elements.
    Slice,
    /// A security identifier that need not be there.
    Identifier,
}

fn access(field: &PayloadField) -> Access {
    match (field.ty, field.count) {
        (_, Some(_)) | (PayloadType::Bytes(_), None) => Access::Slice,
        (PayloadType::Int(int), _) if int.signed => Access::Signed(int.bytes),
        (PayloadType::Int(int), _) => Access::Unsigned(int.bytes),
        (PayloadType::Pointer | PayloadType::SizeT, _) => Access::Unsigned(8),
        (PayloadType::Port, _) => Access::Unsigned(2),
        (
            PayloadType::Float(_)
            | PayloadType::Guid
            | PayloadType::Filetime
            | PayloadType::Ipv4
            | PayloadType::Ipv6
            | PayloadType::Table(_),
            _,
        ) => Access::Copy,
        (PayloadType::TokenUser, _) => Access::Identifier,
        _ => Access::Reference,
    }
}

/// Type of what an accessor gives, without `Option`.
fn access_type(schema: &Schema, field: &PayloadField, access: Access) -> TokenStream {
    let element = element_type(schema, field);
    match (access, field.ty) {
        (Access::Unsigned(bytes), _) => {
            let ty = ident(&format!("u{}", 8 * bytes));
            quote!(#ty)
        }
        (Access::Signed(bytes), _) => {
            let ty = ident(&format!("i{}", 8 * bytes));
            quote!(#ty)
        }
        (Access::Copy, _) => element,
        (Access::Slice, PayloadType::Bytes(_)) if field.count.is_none() => quote!(&[u8]),
        (Access::Slice, _) => quote!(&[#element]),
        (Access::Reference, _) => quote!(&#element),
        (Access::Identifier, _) => quote!(&Sid),
    }
}

/// How two forms of a field are given by one accessor.
fn unite(a: Access, b: Access) -> Option<Access> {
    match (a, b) {
        (Access::Unsigned(a), Access::Unsigned(b)) => Some(Access::Unsigned(a.max(b))),
        (Access::Signed(a), Access::Signed(b)) => Some(Access::Signed(a.max(b))),
        (a, b) => (a == b).then_some(a),
    }
}

/// A method for each field of any form. A field whose type varies, beyond the size of a number, has none.
fn accessors(schema: &Schema, forms: &[Form]) -> TokenStream {
    let layouts: Vec<(&Form, Option<&PayloadLayout>)> = forms
        .iter()
        .map(|form| match form.payload {
            Payload::Layout(index) => (form, schema.layouts.get(index)),
            Payload::Empty | Payload::Structure(_) => (form, None),
        })
        .collect();
    // The newest form says best what a field means, and in which order they come.
    let mut names: Vec<&str> = Vec::new();
    for field in layouts
        .iter()
        .rev()
        .filter_map(|(_, layout)| *layout)
        .flat_map(|layout| &layout.fields)
    {
        if !names.contains(&field.name.as_str()) {
            names.push(&field.name);
        }
    }
    names.iter().filter_map(|name| accessor(schema, &layouts, name)).collect()
}

fn accessor(schema: &Schema, layouts: &[(&Form, Option<&PayloadLayout>)], name: &str) -> Option<TokenStream> {
    let found: Vec<(&Form, Option<(&PayloadField, bool)>)> = layouts
        .iter()
        .map(|(form, layout)| {
            let index = layout.and_then(|layout| layout.fields.iter().position(|field| field.name == name));
            let field = layout
                .zip(index)
                .and_then(|(layout, index)| Some((layout.fields.get(index)?, may_be_missing(layout, index))));
            (*form, field)
        })
        .collect();
    let mut fields = found.iter().filter_map(|(_, field)| *field);
    let (first, _) = fields.next()?;
    let access = fields.try_fold(access(first), |common, (field, _)| unite(common, self::access(field)))?;
    let ty = access_type(schema, first, access);
    let same_type = found
        .iter()
        .filter_map(|(_, field)| *field)
        .all(|(field, _)| access_type(schema, field, access).to_string() == ty.to_string());
    if !same_type {
        return None;
    }
    let always = access != Access::Identifier && found.iter().all(|(_, field)| field.is_some_and(|(_, missing)| !missing));
    let method = ident(&field_name(name));
    let mut arms = TokenStream::new();
    let mut without = Vec::new();
    for (form, field) in &found {
        let variant = ident(&form.name);
        match field {
            Some((field, missing)) => {
                let value = access_value(&method, field, access, *missing);
                let value = if always || *missing || access == Access::Identifier {
                    value
                } else {
                    quote!(Some(#value))
                };
                arms.extend(quote!(Self::#variant(payload) => #value,));
            }
            None => {
                let pattern = match form.payload {
                    Payload::Empty => quote!(Self::#variant),
                    _ => quote!(Self::#variant(_)),
                };
                arms.extend(quote!(#pattern => None,));
                without.push(form.name.as_str());
            }
        }
    }
    let ty = if always { ty } else { quote!(Option<#ty>) };
    let newest = found
        .iter()
        .rev()
        .find_map(|(_, field)| *field)
        .map_or(first, |(field, _)| field);
    let docs = accessor_docs(
        newest,
        &without,
        found.iter().any(|(_, field)| field.is_some_and(|(_, missing)| missing)),
    );
    Some(quote! {
        #docs
        pub fn #method(&self) -> #ty { match self { #arms } }
    })
}

fn access_value(name: &proc_macro2::Ident, field: &PayloadField, access: Access, missing: bool) -> TokenStream {
    let stored = self::access(field);
    match (access, missing) {
        (Access::Unsigned(_) | Access::Signed(_), false) if stored != access => {
            let ty = wide(access);
            quote!(#ty::from(payload.#name))
        }
        (Access::Unsigned(_) | Access::Signed(_), true) if stored != access => {
            let ty = wide(access);
            quote!(payload.#name.map(#ty::from))
        }
        (Access::Unsigned(_) | Access::Signed(_) | Access::Copy, _) => quote!(payload.#name),
        (Access::Reference | Access::Slice, false) => quote!(&payload.#name),
        // Arrays of a fixed number need not be dereferenced to a vector's slice.
        (Access::Slice, true) if is_array(field) => quote!(payload.#name.as_ref().map(|field| field.as_slice())),
        (Access::Slice, true) => quote!(payload.#name.as_deref()),
        (Access::Reference, true) => quote!(payload.#name.as_ref()),
        (Access::Identifier, false) => quote!(payload.#name.as_ref()),
        (Access::Identifier, true) => quote!(payload.#name.as_ref().and_then(Option::as_ref)),
    }
}

fn is_array(field: &PayloadField) -> bool {
    matches!(field.count, Some(PayloadLength::Fixed(_)))
        || field.count.is_none() && matches!(field.ty, PayloadType::Bytes(PayloadLength::Fixed(_)))
}

fn wide(access: Access) -> proc_macro2::Ident {
    match access {
        Access::Signed(bytes) => ident(&format!("i{}", 8 * bytes)),
        Access::Unsigned(bytes) => ident(&format!("u{}", 8 * bytes)),
        _ => ident("u64"),
    }
}

fn accessor_docs(field: &PayloadField, without: &[&str], may_end: bool) -> TokenStream {
    let first = match &field.doc {
        Some(doc) => format!("`{}`: {doc}", field.name),
        None => format!("`{}`.", field.name),
    };
    let mut facts = Vec::new();
    facts.extend(field.unit.as_ref().map(|unit| format!("Unit: {unit}.")));
    if !without.is_empty() {
        facts.push(format!("`None` for {}.", without.join(", ")));
    }
    if may_end {
        facts.push("`None` if the payload ends before it.".to_owned());
    }
    doc_lines([first.as_str(), facts.join(" ").as_str()])
}
