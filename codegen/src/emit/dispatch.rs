//! Dispatches: an enum over the structures, the `match` that picks one, and a cheap look at size and time.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::expr::{self, Access};
use super::{doc_lines, glance, hex, ident, number, roles, source_line};
use crate::model::{Case, Dispatch, Schema, Structure};

/// The enum of a dispatch and its functions.
pub(super) fn emit(schema: &Schema, dispatch: &Dispatch) -> TokenStream {
    let name = ident(&dispatch.rust_name);
    let source = source_line(&dispatch.sources);
    let docs = doc_lines([dispatch.doc.as_str(), source.as_str()]);
    let structures = structures(schema, dispatch);
    let variants: Vec<Ident> = structures.iter().map(|structure| ident(&structure.rust_name)).collect();
    let variant_docs = structures
        .iter()
        .map(|structure| doc_lines([format!("`{}`.", structure.name).as_str()]));
    let static_cases = dispatch.cases.iter().map(|case| case_info(schema, case));
    let count = number(dispatch.cases.len() as u64);
    let select = select(schema, dispatch);
    let cases_docs = doc_lines(["All cases, in the order of the schema."]);
    let cases = quote! {
        #cases_docs
        pub const CASES: [Case; #count] = [#(#static_cases),*];

        #select
    };
    if let Some(host) = dispatch.joins.and_then(|host| schema.dispatches.get(host)) {
        let host = format!("The structures are read by [`{}`].", host.rust_name);
        let docs = doc_lines([dispatch.doc.as_str(), &host, source.as_str()]);
        return quote! {
            #docs
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct #name;

            impl #name { #cases }
        };
    }
    let reads = read_arms(schema, dispatch);
    let peek = dispatch.selector.offset.map(|_| peek(schema, dispatch));
    let glance = dispatch.selector.offset.map(|_| glance::emit(schema, dispatch));
    let role_set = structures
        .first()
        .and_then(|structure| {
            schema
                .roles_of(structure)
                .first()
                .and_then(|(role, _)| crate::roles::find(role.name))
        })
        .filter(|_| dispatch.selector.offset.is_some());
    let forwarding = role_set.map(|(set, _)| {
        let (set_name, methods) = (ident(set.trait_name), roles::forwarding(set, &variants));
        quote!(impl #set_name for #name { #methods })
    });
    let record_docs = doc_lines(["The structure with its fields."]);
    let read_docs = doc_lines([
        "Reads the structure of `case` from the start of `bytes`; gives it with the number of bytes read.",
        "# Errors\nNames the field whose bytes are not all there.",
    ]);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "read one at a time, never stored in numbers")]
        pub enum #name { #(#variant_docs #variants(#variants),)* }

        impl #name {
            #cases

            #peek

            #glance

            #read_docs
            pub fn read(case: &Case, bytes: &[u8], context: Context) -> Result<(Self, usize), LayoutError> {
                match case.structure { #(#reads)* _ => Err(LayoutError::no_structure(case.name)) }
            }

            #record_docs
            pub fn record(&self) -> &dyn Record {
                match self { #(Self::#variants(record) => record,)* }
            }
        }

        impl Record for #name {
            fn info(&self) -> &'static RecordInfo { self.record().info() }
            fn visit(&self, visitor: &mut dyn FieldVisitor) { self.record().visit(visitor); }
        }

        #forwarding
    }
}

/// Numbers of the structures of a dispatch and of those that join it, each once, in the order of the schema.
fn structure_numbers(schema: &Schema, dispatch: &Dispatch) -> Vec<usize> {
    let joined = schema
        .dispatches
        .iter()
        .filter(|other| other.joins.and_then(|host| schema.dispatches.get(host)) == Some(dispatch));
    let all = std::iter::once(dispatch).chain(joined);
    let mut numbers: Vec<usize> = all.flat_map(|one| &one.cases).filter_map(|case| case.structure).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The structures of a dispatch and of those that join it, each once, in the order of the schema.
fn structures<'s>(schema: &'s Schema, dispatch: &Dispatch) -> Vec<&'s Structure> {
    let numbers = structure_numbers(schema, dispatch);
    numbers.into_iter().filter_map(|index| schema.structures.get(index)).collect()
}

fn case_info(schema: &Schema, case: &Case) -> TokenStream {
    let (name, opaque) = (&case.name, case.opaque);
    let doc = case.doc.as_deref().unwrap_or_default();
    let structure = match case.structure.and_then(|index| schema.structures.get(index)) {
        Some(structure) => {
            let structure = ident(&structure.rust_name);
            quote!(Some(<#structure as Layout>::INFO))
        }
        None => quote!(None),
    };
    let index = match case.structure {
        Some(index) => {
            let index = number(index as u64);
            quote!(#index)
        }
        None => quote!(usize::MAX),
    };
    let pointer_size = match case.pointer_size {
        Some(size) => {
            let size = number(size.into());
            quote!(Some(#size))
        }
        None => quote!(None),
    };
    quote!(Case { name: #name, structure: #index, info: #structure, pointer_size: #pointer_size, opaque: #opaque, doc: #doc })
}

fn select(schema: &Schema, dispatch: &Dispatch) -> TokenStream {
    // `when` sees context values only, so any structure will do to resolve its names.
    let condition = |when: &crate::expr::Expr| {
        schema
            .structures
            .first()
            .map(|any| expr::condition(schema, any, when, Access::Locals))
            .unwrap_or_default()
    };
    let arms: Vec<TokenStream> = dispatch
        .cases
        .iter()
        .enumerate()
        .map(|(index, case)| {
            let index = number(index as u64);
            let mut guards = Vec::new();
            let marker = dispatch.marker.as_ref().map(|selector| match case.marker {
                Some((value, mask)) if mask & selector.int.max() != selector.int.max() => {
                    let (value, mask) = (hex(value), hex(mask));
                    guards.push(quote!(marker & #mask == #value));
                    quote!(_)
                }
                Some((value, _)) => {
                    let value = hex(value);
                    quote!(#value)
                }
                None => quote!(_),
            });
            let value = match case.value {
                Some(value) => {
                    let value = hex(value);
                    quote!(#value)
                }
                None => quote!(_),
            };
            guards.extend(case.when.as_ref().map(condition));
            let pattern = match marker {
                Some(marker) => quote!((#marker, #value)),
                None => value,
            };
            let guard = guards
                .into_iter()
                .reduce(|all, one| quote!(#all && #one))
                .map(|guard| quote!(if #guard));
            quote!(#pattern #guard => Some(&Self::CASES_TABLE[#index]),)
        })
        .collect();
    let reads_context = dispatch.cases.iter().any(|case| case.when.is_some());
    let context = if reads_context { quote!(context) } else { quote!(_context) };
    let table_docs = quote! {
        const CASES_TABLE: &'static [Case] = &Self::CASES;
    };
    let at = |selector: &crate::model::Selector| {
        let (offset, bytes) = (number(selector.offset.unwrap_or(0).into()), number(selector.int.bytes.into()));
        let mask = selector.mask.map(|mask| {
            let mask = hex(mask);
            quote!(& #mask)
        });
        quote!(little_endian(bytes, #offset, #bytes)? #mask)
    };
    match (&dispatch.marker, dispatch.selector.offset) {
        (Some(marker), Some(_)) => {
            let docs = doc_lines(["Finds the case that the first bytes of a record belong to."]);
            let (marker, value) = (at(marker), at(&dispatch.selector));
            quote! {
                #table_docs
                #docs
                pub fn select(bytes: &[u8], #context: Context) -> Option<&'static Case> {
                    let marker = #marker;
                    let value = #value;
                    match (marker, value) { #(#arms)* #[allow(unreachable_patterns, reason = "the cases may cover all")] _ => None }
                }
            }
        }
        (None, Some(_)) => {
            let docs = doc_lines(["Finds the case that the first bytes of a record belong to."]);
            let value = at(&dispatch.selector);
            quote! {
                #table_docs
                #docs
                pub fn select(bytes: &[u8], #context: Context) -> Option<&'static Case> {
                    let value = #value;
                    match value { #(#arms)* #[allow(unreachable_patterns, reason = "the cases may cover all")] _ => None }
                }
            }
        }
        (_, None) => {
            let docs = doc_lines(["Finds the case of a type value."]);
            quote! {
                #table_docs
                #docs
                pub fn select(value: u64, #context: Context) -> Option<&'static Case> {
                    match value { #(#arms)* #[allow(unreachable_patterns, reason = "the cases may cover all")] _ => None }
                }
            }
        }
    }
}

fn read_arms(schema: &Schema, dispatch: &Dispatch) -> Vec<TokenStream> {
    arms(schema, dispatch, |structure| {
        let variant = ident(&structure.rust_name);
        quote!(#variant::read_prefix(bytes, context).map(|(record, used)| (Self::#variant(record), used)))
    })
}

/// An arm for each structure, by its number.
pub(super) fn arms(schema: &Schema, dispatch: &Dispatch, body: impl Fn(&Structure) -> TokenStream) -> Vec<TokenStream> {
    structure_numbers(schema, dispatch)
        .into_iter()
        .filter_map(|index| {
            let body = body(schema.structures.get(index)?);
            let index = number(index as u64);
            Some(quote!(#index => #body,))
        })
        .collect()
}

fn peek(schema: &Schema, dispatch: &Dispatch) -> TokenStream {
    let docs = doc_lines([
        "Size and time of a record without decoding it all: what a walk and a merge by time need.",
        "`None` if the bytes end before the size.",
    ]);
    let arms = arms(schema, dispatch, |structure| {
        let variant = ident(&structure.rust_name);
        match fixed_role(schema, structure, "event_size") {
            Some((offset, bytes)) => {
                let (offset, bytes) = (number(offset.into()), number(bytes.into()));
                let timestamp = match (
                    fixed_role(schema, structure, "timestamp"),
                    has_role(schema, structure, "timestamp"),
                ) {
                    (Some((offset, bytes)), _) => {
                        let (offset, bytes) = (number(offset.into()), number(bytes.into()));
                        quote!(little_endian(bytes, #offset, #bytes).map(u64::cast_signed))
                    }
                    (None, true) => {
                        quote!(#variant::read_prefix(bytes, context).ok().and_then(|(record, _)| EventRoles::timestamp(&record)))
                    }
                    (None, false) => quote!(None),
                };
                quote!(Some(Peek { size: little_endian(bytes, #offset, #bytes)?, timestamp: #timestamp }))
            }
            None => quote!({
                let (record, _) = #variant::read_prefix(bytes, context).ok()?;
                Some(Peek { size: EventRoles::event_size(&record)?, timestamp: EventRoles::timestamp(&record) })
            }),
        }
    });
    quote! {
        #docs
        pub fn peek(case: &Case, bytes: &[u8], context: Context) -> Option<Peek> {
            match case.structure { #(#arms)* _ => None }
        }
    }
}

fn has_role(schema: &Schema, structure: &Structure, name: &str) -> bool {
    schema.roles_of(structure).iter().any(|(role, _)| role.name == name)
}

/// Offset and bytes of a role's field, if these never vary.
fn fixed_role(schema: &Schema, structure: &Structure, name: &str) -> Option<(u32, u32)> {
    let (_, path) = schema.roles_of(structure).into_iter().find(|(role, _)| role.name == name)?;
    glance::place(schema, structure, &path)
}
