//! A whole file, read as the commands read it: in both orders, with the schemas that it carries, and all values.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winetl::payload::schemas::Schemas;
use winetl::payload::traits::provider_name;
use winetl::record::{FieldInfo, FieldVisitor, Value};
use winetl::{Limits, Order, TraceFile};

struct All;

impl FieldVisitor for All {
    fn field(&mut self, _: &FieldInfo<'_>, value: Value<'_>) {
        see(value);
    }
}

fn see(value: Value<'_>) {
    match value {
        Value::Record(record) => record.visit(&mut All),
        Value::List(list) => list.for_each(&mut see),
        _ => {}
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(trace) = TraceFile::new(bytes, Limits::default()) else {
        return;
    };
    let mut schemas = Schemas::default();
    let mut in_file = 0_u64;
    let mut events = trace.events(Order::File);
    while let Some(event) = events.next() {
        in_file += 1;
        schemas.collect(&event);
    }
    schemas.finish();
    let mut in_time = 0_u64;
    let mut events = trace.events(Order::Time);
    while let Some(event) = events.next() {
        in_time += 1;
        provider_name(&event);
        for item in event.extended_items() {
            let _ = item.decode();
        }
        let decoded = schemas.decode(&event);
        assert!(decoded.rest.len() <= event.payload().len());
        if let Some(record) = &decoded.record {
            record.record().visit(&mut All);
        }
    }
    assert_eq!(in_file, in_time, "the order changes which events there are");
});
