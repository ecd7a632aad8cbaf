//! Metadata of TraceLogging events and of their providers, and a payload: the first byte is the length of the payload.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winetl::Context;
use winetl::payload::TemplateRecord;
use winetl::payload::traits::ProviderTraits;
use winetl::record::{FieldInfo, FieldVisitor, Value};

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
    let Some((length, rest)) = bytes.split_first() else { return };
    let (payload, metadata) = rest.split_at(usize::from(*length).min(rest.len()));
    let _ = ProviderTraits::parse(metadata);
    let schema = winetl::payload::tracelogging::parse(metadata);
    let record = TemplateRecord::new(&schema.template, payload, Context::default());
    let outcome = record.decode(&mut All);
    assert!(outcome.consumed <= payload.len());
    assert_eq!(outcome, record.measure());
});
