//! Structures: the binrw struct, its size, and the methods for its computed values.

use proc_macro2::TokenStream;
use quote::quote;

use super::expr::{self, Access};
use super::{doc_lines, hex, ident, number, source_line};
use crate::expr::Expr;
use crate::model::{Computed, Length, Member, MemberKind, Origin, Schema, Stored, Structure, TableKind, Type};

/// The struct of a structure with its inherent items.
pub(super) fn emit(schema: &Schema, structure: &Structure) -> TokenStream {
    let name = ident(&structure.rust_name);
    let alias = super::alias(&structure.name, &structure.rust_name);
    let docs = structure_docs(structure);
    let fields = structure
        .stored()
        .map(|(_, member, stored)| field(schema, structure, member, stored));
    let helpers = structure
        .stored()
        .map(|(_, member, stored)| helpers(schema, structure, member, stored));
    let size = size_items(structure);
    let methods = structure.members.iter().filter_map(|member| match &member.kind {
        MemberKind::Computed(computed) => Some(method(schema, structure, member, computed)),
        MemberKind::Stored(_) => None,
    });
    quote! {
        #docs
        #alias
        #[derive(Debug, Clone, PartialEq, BinRead, BinWrite)]
        #[brw(little, import_raw(context: Context))]
        pub struct #name { #(#fields)* }

        impl #name {
            #size
            #(#methods)*
            #(#helpers)*
        }
    }
}

fn structure_docs(structure: &Structure) -> TokenStream {
    let first = format!("`{}`: {}", structure.name, structure.doc);
    let bytes = if structure.extent.varies { "bytes or more" } else { "bytes" };
    let mut facts = vec![format!("Size: {} {bytes}.", structure.extent.fixed)];
    facts.extend(structure.since.map(|version| format!("Since Windows {version}.")));
    facts.extend(structure.until.map(|version| format!("Until Windows {version}.")));
    facts.extend(structure.variant_of.as_ref().map(|base| format!("A form of `{base}`.")));
    let facts = facts.join(" ");
    let source = source_line(&structure.sources);
    doc_lines([first.as_str(), facts.as_str(), source.as_str()])
}

fn size_items(structure: &Structure) -> TokenStream {
    let (p32, p64) = (hex(structure.extent.fixed.p32.into()), hex(structure.extent.fixed.p64.into()));
    let min = doc_lines(["Bytes that are always there, for 32-bit and for 64-bit data."]);
    let exact = structure
        .extent
        .fixed
        .same()
        .filter(|_| !structure.extent.varies)
        .map(|size| {
            let size = hex(size.into());
            let docs = doc_lines(["Size in bytes."]);
            quote!(#docs pub const SIZE: usize = #size;)
        });
    quote! {
        #exact
        #min
        pub const MIN_SIZE: [usize; 2] = [#p32, #p64];
    }
}

fn field(schema: &Schema, structure: &Structure, member: &Member, stored: &Stored) -> TokenStream {
    let name = ident(&member.rust_name);
    let docs = field_docs(schema, member, stored);
    let (structure_name, field_name) = (&structure.name, &member.name);
    let Reading { ty, attributes } = reading(schema, structure, member, stored);
    let condition = stored.condition.as_ref().map(|condition| {
        let test = call(structure, member, "condition", condition);
        if is_optional(stored) {
            quote!(#[br(if(#test))])
        } else {
            quote!(#[br(if(#test, Vec::new()))])
        }
    });
    let ty = if stored.condition.is_some() && is_optional(stored) {
        quote!(Option<#ty>)
    } else {
        ty
    };
    quote! {
        #docs
        #[br(err_context(FieldContext::new(#structure_name, #field_name)))]
        #condition
        #attributes
        pub #name: #ty,
    }
}

/// Whether a conditional field is an `Option`; an array that is absent is an empty one.
pub(super) fn is_optional(stored: &Stored) -> bool {
    !matches!(stored.count, Some(Length::Computed(_) | Length::Rest))
        && !matches!(stored.ty, Type::Bytes(Length::Computed(_) | Length::Rest))
}

/// Functions for the condition and the length of a field. An expression inside an attribute could be neither documented nor
/// formatted.
fn helpers(schema: &Schema, structure: &Structure, member: &Member, stored: &Stored) -> TokenStream {
    let length = match (&stored.count, &stored.ty) {
        (Some(Length::Computed(expr)), _)
        | (_, Type::Bytes(Length::Computed(expr)) | Type::Utf16(Length::Computed(expr)) | Type::Ansi(Length::Computed(expr))) => {
            Some(expr)
        }
        _ => None,
    };
    let function = |suffix: &str, expr: &Expr, condition: bool| {
        let name = helper_name(member, suffix);
        let context = if expr.uses_context() {
            quote!(context: Context,)
        } else {
            TokenStream::new()
        };
        let parameters = inputs(expr).into_iter().filter_map(|index| {
            let member = structure.members.get(index)?;
            let MemberKind::Stored(stored) = &member.kind else {
                return None;
            };
            let (name, ty) = (ident(&member.rust_name), element_type(schema, &stored.ty));
            Some(if stored.condition.is_some() {
                quote!(#name: &Option<#ty>,)
            } else {
                quote!(#name: &#ty,)
            })
        });
        let (docs, result, body) = if condition {
            (
                format!("Whether `{}` is there.", member.name),
                quote!(bool),
                expr::condition(schema, structure, expr, Access::Locals),
            )
        } else {
            (
                format!("Length of `{}`.", member.name),
                quote!(u64),
                expr::value(schema, structure, expr, Access::Locals),
            )
        };
        let docs = doc_lines([docs.as_str()]);
        quote!(#docs fn #name(#(#parameters)* #context) -> #result { #body })
    };
    let condition = stored.condition.as_ref().map(|expr| function("condition", expr, true));
    let length = length.map(|expr| function("length", expr, false));
    quote!(#condition #length)
}

/// The call of a function made by [`helpers`].
fn call(structure: &Structure, member: &Member, suffix: &str, expr: &Expr) -> TokenStream {
    let name = helper_name(member, suffix);
    let arguments = inputs(expr).into_iter().filter_map(|index| {
        let name = ident(&structure.members.get(index)?.rust_name);
        Some(quote!(&#name,))
    });
    let context = if expr.uses_context() {
        quote!(context)
    } else {
        TokenStream::new()
    };
    quote!(Self::#name(#(#arguments)* #context))
}

fn helper_name(member: &Member, suffix: &str) -> proc_macro2::Ident {
    ident(&format!("{}_{suffix}", member.rust_name.trim_end_matches('_')))
}

/// The members whose fields an expression uses, each once.
fn inputs(expr: &Expr) -> Vec<usize> {
    let mut members: Vec<usize> = expr.fields().iter().filter_map(|path| path.first().copied()).collect();
    members.sort_unstable();
    members.dedup();
    members
}

struct Reading {
    ty: TokenStream,
    attributes: TokenStream,
}

fn reading(schema: &Schema, structure: &Structure, member: &Member, stored: &Stored) -> Reading {
    let length = |length: &Length| match length {
        Length::Fixed(bytes) => {
            let bytes = number((*bytes).into());
            quote!(Count::Exactly(#bytes))
        }
        Length::Computed(expr) => {
            let value = call(structure, member, "length", expr);
            quote!(Count::Exactly(#value))
        }
        Length::Rest => quote!(Count::Rest),
    };
    let element = element_type(schema, &stored.ty);
    let plain = |ty: TokenStream| Reading {
        ty,
        attributes: TokenStream::new(),
    };
    match (&stored.ty, &stored.count) {
        (Type::Pointer, None) => Reading {
            ty: element,
            attributes: quote! {
                #[br(parse_with = read_pointer, args_raw(context))]
                #[bw(write_with = write_pointer, args_raw(context))]
            },
        },
        (Type::Structure(_), None) => Reading {
            ty: element,
            attributes: quote!(#[brw(args_raw(context))]),
        },
        (Type::Bytes(Length::Fixed(bytes)), _) => {
            let bytes = number((*bytes).into());
            plain(quote!([u8; #bytes]))
        }
        (Type::Bytes(size), _) => {
            let size = length(size);
            Reading {
                ty: quote!(Vec<u8>),
                attributes: quote!(#[br(parse_with = read_bytes, args_raw(#size))]),
            }
        }
        (Type::Utf16(size), _) => {
            let size = length(size);
            Reading {
                ty: element,
                attributes: quote!(#[br(parse_with = read_utf16, args_raw(#size))]),
            }
        }
        (Type::Ansi(size), _) => {
            let size = length(size);
            Reading {
                ty: element,
                attributes: quote!(#[br(parse_with = read_ansi, args_raw(#size))]),
            }
        }
        (_, None) => plain(element),
        (Type::Pointer, Some(count)) => {
            let count = length(count);
            Reading {
                ty: quote!(Vec<#element>),
                attributes: quote! {
                    #[br(parse_with = read_pointers, args(#count, context))]
                    #[bw(write_with = write_pointers, args_raw(context))]
                },
            }
        }
        (Type::Structure(_), Some(count)) => {
            let count = length(count);
            Reading {
                ty: quote!(Vec<#element>),
                attributes: quote! {
                    #[br(parse_with = read_records, args(#count, context))]
                    #[bw(args_raw(context))]
                },
            }
        }
        (_, Some(Length::Fixed(count))) => {
            let count = number((*count).into());
            plain(quote!([#element; #count]))
        }
        (_, Some(count)) => {
            let count = length(count);
            Reading {
                ty: quote!(Vec<#element>),
                attributes: quote!(#[br(parse_with = read_values, args_raw(#count))]),
            }
        }
    }
}

/// Rust type of one element.
pub(super) fn element_type(schema: &Schema, ty: &Type) -> TokenStream {
    match ty {
        Type::Int(int) => {
            let name = ident(int.name());
            quote!(#name)
        }
        Type::Pointer => quote!(u64),
        Type::Guid => quote!(Guid),
        Type::Filetime => quote!(Filetime),
        Type::Bytes(_) => quote!(Vec<u8>),
        Type::Utf16(_) => quote!(Utf16Fixed),
        Type::Ansi(_) => quote!(AnsiFixed),
        Type::Utf16Z => quote!(Utf16Z),
        Type::AnsiZ | Type::Utf8Z => quote!(AnsiZ),
        Type::Sid => quote!(Sid),
        Type::Structure(index) => schema
            .structures
            .get(*index)
            .map(|structure| {
                let name = ident(&structure.rust_name);
                quote!(#name)
            })
            .unwrap_or_default(),
        Type::Table(index) => schema
            .tables
            .get(*index)
            .map(|table| {
                let name = ident(&table.rust_name);
                quote!(#name)
            })
            .unwrap_or_default(),
    }
}

fn field_docs(schema: &Schema, member: &Member, stored: &Stored) -> TokenStream {
    let mut facts = Vec::new();
    facts.push(match member.offset {
        Some(offset) => format!("Offset {offset}."),
        None => "Offset varies.".to_owned(),
    });
    facts.extend(versions_text(member));
    facts.extend(member.unit.as_ref().map(|unit| format!("Unit: {unit}.")));
    if stored.condition.is_some() {
        facts.push("Not always there.".to_owned());
    }
    facts.extend(stored.expect.map(|expect| format!("Always {expect:#x}.")));
    if let Type::Table(index) = stored.ty {
        facts.extend(schema.tables.get(index).map(|table| format!("Values: `{}`.", table.name)));
    }
    let first = format!("`{}`: {}", member.name, member.doc);
    let facts = facts.join(" ");
    doc_lines([first.as_str(), facts.as_str()])
}

/// Which Windows versions have the field, if not all that have the structure.
fn versions_text(member: &Member) -> Option<String> {
    match (member.since, member.until) {
        (None, None) => None,
        (Some(since), None) => Some(format!("Since Windows {since}.")),
        (None, Some(until)) => Some(format!("Until Windows {until}.")),
        (Some(since), Some(until)) => Some(format!("Since Windows {since}, until {until}.")),
    }
}

fn method(schema: &Schema, structure: &Structure, member: &Member, computed: &Computed) -> TokenStream {
    let name = ident(&member.rust_name);
    let origin = match &computed.origin {
        Origin::Bits { of, first, last } if first == last => format!("Bit {first} of `{of}`."),
        Origin::Bits { of, first, last } => format!("Bits {first} to {last} of `{of}`."),
        Origin::Overlay => format!(
            "The bytes at offset {} as one number.",
            member.offset.unwrap_or(crate::model::PerPointer { p32: 0, p64: 0 })
        ),
        Origin::Derived(text) => format!("Computed as `{text}`."),
    };
    let mut facts = Vec::new();
    facts.extend(versions_text(member));
    facts.extend(member.unit.as_ref().map(|unit| format!("Unit: {unit}.")));
    let facts = facts.join(" ");
    let first = format!("`{}`: {}", member.name, member.doc);
    let docs = doc_lines([first.as_str(), origin.as_str(), facts.as_str()]);
    let ty = element_type(schema, &computed.ty);
    let result = typed(
        schema,
        &computed.ty,
        &expr::value(schema, structure, &computed.value, Access::SelfFields),
        &computed.value,
    );
    quote! {
        #docs
        pub fn #name(&self) -> #ty { #result }
    }
}

/// A `u64` expression as a value of an unsigned type; what does not fit is cut off.
fn typed(schema: &Schema, ty: &Type, value: &TokenStream, expr: &Expr) -> TokenStream {
    let cut = |int: &str| {
        let int = ident(int);
        // A choice is a block, which `as` does not bind to.
        let value = if matches!(expr, Expr::Choice(..)) {
            quote!((#value))
        } else {
            value.clone()
        };
        if int == "u64" || expr.constant().is_some() {
            value
        } else {
            quote!(#value as #int)
        }
    };
    match ty {
        Type::Int(int) => cut(int.name()),
        Type::Table(index) => match schema.tables.get(*index) {
            Some(table) => {
                let (name, cut) = (ident(&table.rust_name), cut(table.int.name()));
                match table.kind {
                    TableKind::Enum => quote!(#name(#cut)),
                    TableKind::Flags => quote!(#name::from_bits_retain(#cut)),
                }
            }
            None => TokenStream::new(),
        },
        _ => TokenStream::new(),
    }
}
