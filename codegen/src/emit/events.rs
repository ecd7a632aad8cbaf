//! Names of events by hook id, and the structures of their payloads.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc_lines, hex, ident, number};
use crate::model::Schema;

/// The table of events and the reader of their payloads.
pub(super) fn emit(schema: &Schema) -> TokenStream {
    let events = schema.events.iter().map(|event| {
        let (name, hook_id) = (&event.name, hex(event.hook_id.into()));
        let doc = event.doc.as_deref().unwrap_or_default();
        let class_id = match event.class_id {
            Some(bytes) => {
                let bytes = bytes.iter().map(|byte| hex((*byte).into()));
                quote!(Some(Guid::from_bytes([#(#bytes),*])))
            }
            None => quote!(None),
        };
        let structure = match event.structure.and_then(|index| schema.structures.get(index)) {
            Some(structure) => {
                let structure = ident(&structure.rust_name);
                quote!(Some(<#structure as Layout>::INFO))
            }
            None => quote!(None),
        };
        quote!(EventInfo { name: #name, hook_id: #hook_id, class_id: #class_id, payload: #structure, doc: #doc })
    });
    let reads = schema.events.iter().filter_map(|event| {
        let structure = ident(&schema.structures.get(event.structure?)?.rust_name);
        let hook_id = hex(event.hook_id.into());
        Some(quote!(#hook_id => #structure::read_prefix(payload, context).map(|(record, used)| (Box::new(record) as Box<dyn Record>, used)),))
    });
    let count = number(schema.events.len() as u64);
    let table_docs = doc_lines(["Events by rising hook id."]);
    let read_docs = doc_lines([
        "Reads the payload of a kernel event whose structure is known; gives it with the number of bytes read.",
        "`None` if the structure is not known.",
    ]);
    quote! {
        #table_docs
        pub static EVENTS: [EventInfo; #count] = [#(#events),*];

        #read_docs
        pub fn read_payload(hook_id: u16, payload: &[u8], context: Context) -> Option<Result<DecodedPayload, LayoutError>> {
            Some(match hook_id { #(#reads)* _ => return None })
        }
    }
}
