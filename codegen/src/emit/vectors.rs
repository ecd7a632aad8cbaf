//! Test vectors as unit tests of the generated parsers.

use proc_macro2::TokenStream;
use quote::quote;

use super::templates::template_name;
use super::{hex, ident, number};
use crate::model::{Payload, Schema, Vector};
use crate::names::{field_name, type_name};
use crate::raw::Scalar;

/// One test for each vector.
pub(super) fn emit(schema: &Schema) -> TokenStream {
    let mut tests = TokenStream::new();
    for structure in &schema.structures {
        let name = ident(&structure.rust_name);
        for (index, vector) in structure.vectors.iter().enumerate() {
            let test = ident(&format!("{}_{index}", field_name(&structure.name)));
            let arguments = arguments(vector);
            tests.extend(quote! {
                #[test]
                fn #test() {
                    check_vector::<#name>(#arguments);
                }
            });
        }
    }
    for event in schema.classes.iter().flat_map(|class| &class.events) {
        for version in &event.versions {
            let Payload::Layout(layout) = version.payload else { continue };
            let Some(layout) = schema.layouts.get(layout) else { continue };
            let template = template_name(layout);
            for (index, vector) in version.vectors.iter().enumerate() {
                let name = event.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                let test = ident(&format!("{}_v{}_{index}", field_name(&name), version.version));
                let arguments = arguments(vector);
                let typed = event.typed.then(|| {
                    let layout = ident(&type_name(&layout.name));
                    quote!(check_typed::<#layout>(&#template, #arguments);)
                });
                tests.extend(quote! {
                    #[test]
                    fn #test() {
                        check_payload(&#template, #arguments);
                        #typed
                    }
                });
            }
        }
    }
    for provider in &schema.providers {
        let id: String = provider.id.iter().map(|byte| format!("{byte:02x}")).collect();
        let versions = provider
            .events
            .iter()
            .flat_map(|event| event.versions.iter().map(move |version| (event, version)));
        for (event, version) in versions {
            let Some(layout) = schema.layout_of(version) else { continue };
            let template = template_name(layout);
            for (index, vector) in version.vectors.iter().enumerate() {
                // Names of providers and of their events are free text, numbers are not.
                let test = ident(&format!("event_{}_v{}_of_{id}_{index}", event.id, version.version));
                let arguments = arguments(vector);
                tests.extend(quote! {
                    #[test]
                    fn #test() {
                        check_payload(&#template, #arguments);
                    }
                });
            }
        }
    }
    quote! {
        #[allow(unused_imports, reason = "not every schema uses all")]
        use super::*;

        #tests
    }
}

/// Doc, bytes, context and expectations of a vector.
fn arguments(vector: &Vector) -> TokenStream {
    let bytes = vector.bytes.iter().map(|byte| hex((*byte).into()));
    let (pointer_size, log_version) = (
        number(vector.context.pointer_size.into()),
        hex(vector.context.log_version.into()),
    );
    let expect = vector.expect.iter().map(|(field, value)| {
        let value = scalar(value);
        quote!((#field, #value))
    });
    let doc = &vector.doc;
    quote!(#doc, &[#(#bytes),*], Context { pointer_size: #pointer_size, log_version: #log_version }, &[#(#expect),*])
}

fn scalar(value: &Scalar) -> TokenStream {
    match value {
        Scalar::Unsigned(value) => {
            let value = number(*value);
            quote!(Expected::Unsigned(#value))
        }
        Scalar::Signed(value) => {
            let value = proc_macro2::Literal::i64_unsuffixed(*value);
            quote!(Expected::Signed(#value))
        }
        Scalar::Text(value) => quote!(Expected::Text(#value)),
        Scalar::List(values) => {
            let values = values.iter().map(scalar);
            quote!(Expected::List(&[#(#values),*]))
        }
    }
}
