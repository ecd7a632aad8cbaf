//! Enum and flag tables: open newtypes that keep values nobody has named.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc_lines, hex, ident, source_line};
use crate::model::{Entry, Table, TableKind};

/// The type of a table.
pub(super) fn emit(table: &Table) -> TokenStream {
    let name = ident(&table.rust_name);
    let int = ident(table.int.name());
    let table_name = &table.name;
    let alias = super::alias(table_name, &table.rust_name);
    let first = format!("`{}`: {}", table.name, table.doc);
    let source = source_line(&table.sources);
    let docs = doc_lines([first.as_str(), source.as_str()]);
    let entries = table.entries.iter().map(entry);
    let groups = table.groups.iter().map(entry);
    let doc = &table.doc;
    let wide = table.int.bytes == 8;
    let number = |value: TokenStream| if wide { value } else { quote!(u64::from(#value)) };
    let info = quote! {
        TableInfo { name: #table_name, doc: #doc, entries: &[#(#entries),*], groups: &[#(#groups),*] }
    };
    match table.kind {
        TableKind::Enum => {
            let constants = table.entries.iter().map(|entry| {
                let (docs, constant, value) = (entry_docs(entry), ident(&entry.rust_name), hex(entry.value));
                quote!(#docs pub const #constant: Self = Self(#value);)
            });
            let arms = table.entries.iter().enumerate().map(|(index, entry)| {
                let (value, index) = (hex(entry.value), super::number(index as u64));
                quote!(#value => Some(&Self::TABLE.entries[#index]))
            });
            let number = number(quote!(self.0));
            quote! {
                #docs
                #alias
                #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
                pub struct #name(pub #int);

                impl #name { #(#constants)* }

                impl OpenEnum for #name {
                    const TABLE: &'static TableInfo = &#info;

                    fn number(self) -> u64 { #number }

                    fn entry(self) -> Option<&'static NamedValue> {
                        match self.0 { #(#arms,)* _ => None }
                    }
                }

                open_enum!(#name, #int);
            }
        }
        TableKind::Flags => {
            let constants = table.entries.iter().chain(&table.groups).map(|entry| {
                let (docs, constant, value) = (entry_docs(entry), ident(&entry.rust_name), hex(entry.value));
                quote!(#docs const #constant = #value;)
            });
            let number = number(quote!(self.bits()));
            quote! {
                bitflags::bitflags! {
                    #docs
                    #alias
                    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
                    pub struct #name: #int { #(#constants)* }
                }

                impl FlagSet for #name {
                    const TABLE: &'static TableInfo = &#info;

                    fn number(self) -> u64 { #number }
                }

                flag_set!(#name, #int);
            }
        }
    }
}

fn entry(entry: &Entry) -> TokenStream {
    let (value, name) = (hex(entry.value), &entry.name);
    let label = entry.label.as_deref().unwrap_or_default();
    let doc = entry.doc.as_deref().unwrap_or_default();
    quote!(NamedValue { value: #value, name: #name, label: #label, doc: #doc })
}

fn entry_docs(entry: &Entry) -> TokenStream {
    let first = format!(
        "`{}`{}",
        entry.name,
        entry.doc.as_ref().map(|doc| format!(": {doc}")).unwrap_or_default()
    );
    let mut versions = Vec::new();
    versions.extend(entry.since.map(|version| format!("Since Windows {version}.")));
    versions.extend(entry.until.map(|version| format!("Until Windows {version}.")));
    let versions = versions.join(" ");
    doc_lines([first.as_str(), versions.as_str()])
}
