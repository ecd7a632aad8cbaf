//! Names of events by hook id and by class, and their payloads by version.

use proc_macro2::TokenStream;
use quote::quote;

use super::templates::template_name;
use super::{doc_lines, hex, ident, number, typed};
use crate::model::{CarriedEvent, Event, EventClass, EventVersion, Payload, Provider, ProviderEvent, Schema};
use crate::names::field_name;
use crate::raw::{Lifetime, Refers};

/// The table of events, and the order in which classic events find theirs.
pub(super) fn emit(schema: &Schema) -> TokenStream {
    let mut all: Vec<(&EventClass, &Event)> = schema
        .classes
        .iter()
        .flat_map(|class| class.events.iter().map(move |event| (class, event)))
        .collect();
    // Kernel events come first, by hook id; the others follow by class and type.
    all.sort_by_key(|(class, event)| (event.hook_id.is_none(), event.hook_id, class.class_id, event.opcode));
    let kernel = number(all.iter().filter(|(_, event)| event.hook_id.is_some()).count() as u64);
    let events = all.iter().map(|(class, event)| event_info(schema, class, event));
    let mut by_class: Vec<(usize, [u8; 16], u8)> = all
        .iter()
        .enumerate()
        .map(|(index, (class, event))| (index, class.class_id, event.opcode))
        .collect();
    by_class.sort_by_key(|(_, class_id, opcode)| (*class_id, *opcode));
    by_class.dedup_by_key(|(_, class_id, opcode)| (*class_id, *opcode));
    let by_class_count = number(by_class.len() as u64);
    let by_class = by_class.iter().map(|(index, ..)| number(*index as u64));
    let count = number(all.len() as u64);
    let table_docs =
        doc_lines(["All events: those of the kernel by rising hook id, then those that only classic providers write."]);
    let kernel_docs = doc_lines(["How many of the events are the kernel's."]);
    let order_docs = doc_lines(["Indices of the events by rising class GUID (as stored) and type."]);
    let carried_docs = doc_lines(["Marks of events whose payloads the traces describe."]);
    let carried_count = number(schema.carried.len() as u64);
    let carried = schema.carried.iter().map(carried_event);
    let provider_docs = doc_lines(["Events of providers, by rising GUID of the provider (as stored) and number."]);
    let mut of_providers: Vec<(&Provider, &ProviderEvent)> = schema
        .providers
        .iter()
        .flat_map(|provider| provider.events.iter().map(move |event| (provider, event)))
        .collect();
    of_providers.sort_by_key(|(provider, event)| (provider.id, event.id));
    let provider_count = number(of_providers.len() as u64);
    let provider_events = of_providers
        .iter()
        .map(|(provider, event)| provider_event(schema, provider, event));
    let classes = schema.classes.iter().map(|class| {
        let name = ident(&format!("{}_CLASS", field_name(&class.name).to_uppercase()));
        let docs = doc_lines([format!("GUID of the class `{}`: {}", class.name, class.doc).as_str()]);
        let id = guid(&class.class_id);
        quote!(#docs pub const #name: Guid = #id;)
    });
    quote! {
        #(#classes)*

        #table_docs
        pub static EVENTS: [EventInfo; #count] = [#(#events),*];

        #kernel_docs
        pub const KERNEL_EVENTS: usize = #kernel;

        #order_docs
        pub static EVENTS_BY_CLASS: [u16; #by_class_count] = [#(#by_class),*];

        #carried_docs
        pub static CARRIED_EVENTS: [CarriedEvent; #carried_count] = [#(#carried),*];

        #provider_docs
        pub static PROVIDER_EVENTS: [EventInfo; #provider_count] = [#(#provider_events),*];
    }
}

fn provider_event(schema: &Schema, provider: &Provider, event: &ProviderEvent) -> TokenStream {
    let id = number(event.id.into());
    let (name, provider_id) = (&event.name, guid(&provider.id));
    let doc = event.doc.as_deref().unwrap_or_default();
    let defines = definition(event.defines);
    let versions = event.versions.iter().map(|version| event_version(schema, None, version));
    quote! {
        EventInfo { name: #name, hook_id: None, event_id: Some(#id), class_id: #provider_id, opcode: 0, doc: #doc,
            defines: #defines, versions: &[#(#versions),*] }
    }
}

fn event_info(schema: &Schema, class: &EventClass, event: &Event) -> TokenStream {
    let name = &event.name;
    let hook_id = match event.hook_id {
        Some(hook_id) => {
            let hook_id = hex(hook_id.into());
            quote!(Some(#hook_id))
        }
        None => quote!(None),
    };
    let class_id = guid(&class.class_id);
    let opcode = hex(event.opcode.into());
    let doc = event.doc.as_deref().unwrap_or_default();
    let defines = definition(event.defines);
    let versions = event
        .versions
        .iter()
        .map(|version| event_version(schema, Some(event), version));
    quote! {
        EventInfo { name: #name, hook_id: #hook_id, event_id: None, class_id: #class_id, opcode: #opcode, doc: #doc,
            defines: #defines, versions: &[#(#versions),*] }
    }
}

fn definition(defines: Option<(Refers, Lifetime)>) -> TokenStream {
    let Some((what, lifetime)) = defines else {
        return quote!(None);
    };
    let (what, lifetime) = (ident(&format!("{what:?}")), ident(&format!("{lifetime:?}")));
    quote!(Some(Definition { what: Refers::#what, lifetime: Lifetime::#lifetime }))
}

fn carried_event(event: &CarriedEvent) -> TokenStream {
    let provider_id = guid(&event.provider_id);
    let (id, defines) = (number(event.id.into()), definition(event.defines));
    let fields = event.fields.iter().map(|field| {
        let (name, refers) = (&field.name, ident(&format!("{:?}", field.refers)));
        quote!((#name, Refers::#refers))
    });
    quote! {
        CarriedEvent { provider_id: #provider_id, id: #id, defines: #defines, fields: &[#(#fields),*] }
    }
}

fn guid(bytes: &[u8; 16]) -> TokenStream {
    let bytes = bytes.iter().map(|byte| hex((*byte).into()));
    quote!(Guid::from_bytes([#(#bytes),*]))
}

fn event_version(schema: &Schema, event: Option<&Event>, version: &EventVersion) -> TokenStream {
    let number_of = number(version.version.into());
    let pointer_size = match version.pointer_size {
        Some(size) => {
            let size = number(size.into());
            quote!(Some(#size))
        }
        None => quote!(None),
    };
    let payload = match version.payload {
        Payload::Empty => quote!(PayloadLayout::Template(&EMPTY_TEMPLATE)),
        Payload::Layout(index) => match schema.layouts.get(index) {
            Some(layout) => {
                let template = template_name(layout);
                quote!(PayloadLayout::Template(&#template))
            }
            None => TokenStream::new(),
        },
        Payload::Structure(index) => match schema.structures.get(index) {
            Some(structure) => {
                let structure = ident(&structure.rust_name);
                quote!(PayloadLayout::Structure(<#structure as Layout>::INFO, read_boxed::<#structure>))
            }
            None => TokenStream::new(),
        },
    };
    let typed = event.map_or_else(|| quote!(None), |event| typed::reader(schema, event, version));
    quote!(EventVersion { version: #number_of, pointer_size: #pointer_size, payload: #payload, typed: #typed })
}
