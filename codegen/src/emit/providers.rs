//! The table of well-known providers, and its part of the reference page.

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;

use super::format_md::{cell, write_sources};
use super::{doc_lines, hex, kind_word, number};
use crate::decode::guid_text;
use crate::model::{Provider, Schema, Source};

/// The table, sorted for binary search, and which of its providers is the kernel's.
pub(super) fn emit(schema: &Schema) -> TokenStream {
    let mut all: Vec<&Provider> = schema.providers.iter().collect();
    all.sort_by_key(|provider| provider.id);
    let count = number(all.len() as u64);
    let kernel = match all.iter().position(|provider| provider.kernel) {
        Some(index) => {
            let index = number(index as u64);
            quote!(Some(&PROVIDERS[#index]))
        }
        None => quote!(None),
    };
    let entries = all.iter().map(|provider| {
        let id = provider.id.iter().map(|byte| hex((*byte).into()));
        let (name, doc) = (&provider.name, &provider.doc);
        quote!(ProviderInfo { id: Guid::from_bytes([#(#id),*]), name: #name, doc: #doc })
    });
    let table_docs = doc_lines(["Well-known providers by rising GUID (as stored)."]);
    let kernel_docs = doc_lines(["The provider of kernel events, whose headers name none."]);
    quote! {
        #table_docs
        pub static PROVIDERS: [ProviderInfo; #count] = [#(#entries),*];

        #kernel_docs
        pub static KERNEL_PROVIDER: Option<&ProviderInfo> = #kernel;
    }
}

/// The providers of one file as a table by name, with all of their sources below.
pub(super) fn write_providers(out: &mut String, schema: &Schema, file: usize) {
    let mut providers: Vec<&Provider> = schema
        .providers
        .iter()
        .filter(|provider| provider.place.file == file)
        .collect();
    if providers.is_empty() {
        return;
    }
    providers.sort_by_key(|provider| &provider.name);
    let _ = writeln!(out, "\n| GUID | name | meaning | known from |\n|---|---|---|---|");
    let mut sources: Vec<Source> = Vec::new();
    for provider in providers {
        let mut kinds: Vec<&str> = provider.sources.iter().map(|source| kind_word(source.kind)).collect();
        kinds.dedup();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            guid_text(&provider.id),
            cell(&provider.name),
            cell(&provider.doc),
            kinds.join(", ")
        );
        for source in &provider.sources {
            if !sources.contains(source) {
                sources.push(source.clone());
            }
        }
    }
    write_sources(out, &sources);
}
