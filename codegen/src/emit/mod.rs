//! From the model to text: Rust for the runtime, Markdown for readers.
//!
//! Generated Rust names only the runtime's `codegen_prelude`, `core`, `binrw` and `bitflags`. One file comes from each YAML
//! file, so a change of one shows as a change of the other.

mod dispatch;
mod events;
mod events_md;
mod expr;
pub mod format_md;
mod glance;
mod payload;
mod pretty;
mod providers;
mod record;
mod roles;
mod structure;
mod table;
mod templates;
pub(crate) mod typed;
mod vectors;

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::model::{Schema, Source, SourceKind};
use crate::names::field_name;

/// Generates the Rust files of a schema, by their path below the output folder.
///
/// `format.rs` declares one module for each YAML file and includes the others.
pub fn rust(schema: &Schema) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut modules = TokenStream::new();
    let typed_layouts = schema.typed_layouts();
    for (index, file) in schema.files.iter().enumerate() {
        let module = module_name(&file.name);
        let mut items = TokenStream::new();
        for structure in schema.structures.iter().filter(|structure| structure.place.file == index) {
            items.extend(structure::emit(schema, structure));
            items.extend(record::emit(schema, structure));
            items.extend(roles::implementation(schema, structure));
        }
        for table in schema.tables.iter().filter(|table| table.place.file == index) {
            items.extend(table::emit(table));
        }
        for (number, layout) in schema.layouts.iter().enumerate() {
            if layout.place.file == index {
                items.extend(templates::emit(schema, layout));
                items.extend(typed_layouts.contains(&number).then(|| payload::emit(schema, layout)));
            }
        }
        for class in schema.classes.iter().filter(|class| class.place.file == index) {
            items.extend(typed::emit_class(schema, class));
        }
        for dispatch in schema.dispatches.iter().filter(|dispatch| dispatch.place.file == index) {
            items.extend(dispatch::emit(schema, dispatch));
        }
        // A file that only names events has no types of its own.
        if items.is_empty() {
            continue;
        }
        files.insert(
            format!("format/{module}.rs"),
            pretty::file(&format!("schema/{}", file.name), items),
        );
        let docs = doc_lines([file.title.as_str()].into_iter().chain(file.doc.as_deref()));
        modules.extend(module_tokens(&module, &docs));
    }
    for (module, doc, items) in [
        (
            "events",
            "Names of events, and the structures of their payloads.",
            events::emit(schema),
        ),
        ("typed", "The events to match on.", typed::emit(schema)),
        (
            "provider_names",
            "Names of well-known providers, of all files together.",
            providers::emit(schema),
        ),
        (
            "roles",
            "What the runtime and the tools use fields for, whatever their names.",
            roles::traits(),
        ),
        (
            "structures",
            "All structures, for tools that find one by name.",
            structures(schema),
        ),
    ] {
        files.insert(format!("format/{module}.rs"), pretty::file("the schema", items));
        modules.extend(module_tokens(module, &doc_lines([doc])));
    }
    files.insert(
        "format/vectors.rs".to_owned(),
        pretty::file("the test vectors of the schema", vectors::emit(schema)),
    );
    modules.extend(quote! {
        #[cfg(test)]
        mod vectors {
            #[allow(unused_imports, reason = "not every schema uses all")]
            use crate::codegen_prelude::*;
            include!(concat!(env!("OUT_DIR"), "/format/vectors.rs"));
        }
    });
    files.insert("format.rs".to_owned(), pretty::file("the schema", modules));
    files
}

/// The list of all structures.
fn structures(schema: &Schema) -> TokenStream {
    let count = number(schema.structures.len() as u64);
    let all = schema.structures.iter().map(|structure| {
        let name = ident(&structure.rust_name);
        quote!((<#name as Layout>::INFO, read_boxed::<#name>))
    });
    let docs = doc_lines(["Each structure with what reads it from bytes, in the order of the schema."]);
    quote! {
        #docs
        pub static STRUCTURES: [(&RecordInfo, ReadPayload); #count] = [#(#all),*];
    }
}

/// Names of the modules that come from no file.
pub(crate) const OWN_MODULES: &[&str] = &["events", "provider_names", "roles", "structures", "typed", "vectors"];

/// Name of the module for a YAML file: `kernel/process.yaml` is `kernel_process`.
pub fn module_name(file: &str) -> String {
    field_name(
        &file
            .trim_end_matches(".yaml")
            .replace(|c: char| !c.is_ascii_alphanumeric(), "_"),
    )
}

fn module_tokens(module: &str, docs: &TokenStream) -> TokenStream {
    let name = ident(module);
    let path = format!("/format/{module}.rs");
    quote! {
        pub use #name::*;
        #docs
        pub mod #name {
            #[allow(unused_imports, reason = "not every schema file uses all")]
            use super::*;
            #[allow(unused_imports, reason = "not every schema file uses all")]
            use crate::codegen_prelude::*;
            include!(concat!(env!("OUT_DIR"), #path));
        }
    }
}

fn ident(name: &str) -> proc_macro2::Ident {
    proc_macro2::Ident::new(name, proc_macro2::Span::call_site())
}

/// One `#[doc]` attribute for each line; an empty line between the parts.
fn doc_lines<'a>(parts: impl IntoIterator<Item = &'a str>) -> TokenStream {
    let mut lines = Vec::new();
    for part in parts.into_iter().filter(|part| !part.trim().is_empty()) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(part.trim().lines().map(|line| line.trim().to_owned()));
    }
    lines
        .iter()
        .map(|line| {
            // A blank after the slashes; brackets and angle brackets of the format are not links or tags.
            let line = if line.is_empty() {
                line.clone()
            } else {
                format!(" {}", escape_doc(line))
            };
            quote!(#[doc = #line])
        })
        .collect()
}

fn escape_doc(line: &str) -> String {
    line.replace('[', "\\[")
        .replace(']', "\\]")
        .replace('<', "\\<")
        .replace("\\<http", "<http")
}

/// A number in hex, two digits at least.
fn hex(value: u64) -> Literal {
    format!("0x{value:02X}")
        .parse()
        .unwrap_or_else(|_| Literal::u64_unsuffixed(value))
}

/// Microsoft's name as an alias for searches, where Rust's is another.
fn alias(name: &str, rust_name: &str) -> Option<TokenStream> {
    (name != rust_name).then(|| quote!(#[doc(alias = #name)]))
}

/// A plain decimal number.
fn number(value: u64) -> Literal {
    Literal::u64_unsuffixed(value)
}

/// One line that says where a fact is known from.
fn source_line(sources: &[Source]) -> String {
    let list: Vec<String> = sources
        .iter()
        .map(|source| {
            let title = match &source.url {
                Some(url) => format!("{} <{url}>", source.title),
                None => source.title.clone(),
            };
            format!("{title} ({})", kind_word(source.kind))
        })
        .collect();
    if list.is_empty() {
        String::new()
    } else {
        format!("Source: {}.", list.join("; "))
    }
}

/// Word for a kind of source, as in YAML.
pub fn kind_word(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Documented => "documented",
        SourceKind::Header => "header",
        SourceKind::Reversed => "reversed",
        SourceKind::Observed => "observed",
    }
}
