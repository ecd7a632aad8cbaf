//! The store, with traces made of the parts it looks at.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use crate::order::Order;
use crate::trace::TraceFile;

const TRACE: &[u8] = include_bytes!("../../../tests/samples/item-event-schema-tl.etl");

#[test]
fn metadata_is_read_once() {
    let trace = TraceFile::from_bytes(TRACE).unwrap();
    let mut schemas = Schemas::default();
    let mut found = 0;
    for _ in 0..3 {
        let mut events = trace.events(Order::File);
        while let Some(event) = events.next() {
            schemas.collect(&event);
            let candidates = schemas.find(&event);
            found += candidates.iter().count();
            assert!(candidates.iter().all(|schema| schema.event_name.is_some()));
        }
    }
    let counts = schemas.counts();
    assert!(found > 0 && found as u64 == 3 * (found as u64 / 3), "{found}");
    assert!(counts.tracelogging > 0 && counts.tracelogging <= found as u64 / 3);
    assert_eq!(
        SchemaCounts {
            tracelogging: 0,
            ..counts
        },
        SchemaCounts::default()
    );
}

#[test]
fn metadata_beyond_the_limit_is_read_anew() {
    let trace = TraceFile::from_bytes(TRACE).unwrap();
    let mut schemas = Schemas {
        metadata_bytes: MAX_METADATA,
        ..Schemas::default()
    };
    let mut events = trace.events(Order::File);
    let mut found = 0;
    while let Some(event) = events.next() {
        found += schemas
            .find(&event)
            .iter()
            .filter(|schema| schema.event_name.is_some())
            .count();
    }
    assert!(found > 0 && schemas.counts().tracelogging == 0);
}

#[test]
fn a_later_manifest_goes_first() {
    let manifest = |events: &str| {
        format!(
            "<events><provider name='P' guid='{{00000000-0000-0000-0000-000000000001}}'><events>{events}</events></provider></events>"
        )
    };
    let mut schemas = Schemas::default();
    let mut add = |events: &str| schemas.add_manifest(Guid::ZERO, manifest(events).as_bytes(), Some(1));
    add("<event value='1' symbol='Old'/><event value='2' symbol='Kept'/>");
    add("<event value='1' symbol='New'/>");
    add("<event value='1' symbol='New'/>");
    let provider = schemas.manifests.values().next().unwrap();
    assert_eq!(provider.events[&(1, 0)].event_name.as_deref(), Some("New"));
    assert_eq!(provider.events[&(2, 0)].event_name.as_deref(), Some("Kept"));
    assert_eq!((schemas.counts().manifests, schemas.counts().manifest_events), (3, 2));
    assert!(schemas.notes().is_empty());
    schemas.add_manifest(Guid::ZERO, b"<events><provider", Some(9));
    assert!(matches!(
        schemas.notes(),
        [SchemaNote {
            event: Some(9),
            problem: SchemaProblem::Xml { .. },
            ..
        }]
    ));
}

#[test]
fn notes_are_bounded() {
    let mut schemas = Schemas::default();
    for _ in 0..MAX_NOTES + 5 {
        schemas.note(Guid::ZERO, None, SchemaProblem::Inflated);
    }
    assert_eq!((schemas.notes().len(), schemas.further_notes()), (MAX_NOTES, 5));
}

#[test]
fn schemas_of_another_trace_are_used_if_they_fit() {
    let trace = TraceFile::from_bytes(include_bytes!("../../../tests/samples/hello.etl").as_slice()).unwrap();
    let mut events = trace.events(Order::File);
    let mut tried = 0;
    while let Some(event) = events.next() {
        let header = event.header();
        let (Some(guid), Some(id), Some(version)) = (header.provider_id(), header.event_id(), header.event_version()) else {
            continue;
        };
        let size = event.payload().len();
        if size == 0 || Schemas::default().find(&event).iter().next().is_some() {
            continue;
        }
        // A manifest in which the event has so many fields of one byte.
        let manifest = |name: &str, count: usize| {
            let data = "<data name='x' inType='win:UInt8'/>".repeat(count);
            let text = format!(
                "<events><provider name='P' guid='{{{guid}}}'><events><event value='{id}' version='{version}' symbol='{name}' \
                 template='T'/></events><templates><template tid='T'>{data}</template></templates></provider></events>"
            );
            let mut schemas = Schemas::default();
            schemas.add_manifest(Guid::ZERO, text.as_bytes(), None);
            schemas.finish();
            Arc::new(schemas)
        };
        let nothing = Arc::new(Schemas::default());
        let found = |sets: &[&Arc<Schemas>]| {
            let mut joined = Schemas::joined(sets.iter().copied().cloned());
            let candidates = joined.find(&event);
            candidates.iter().next().and_then(|schema| schema.event_name.clone())
        };
        let (fits, longer, own) = (
            manifest("Fits", size),
            manifest("Longer", size + 1),
            manifest("Own", size - 1),
        );
        assert_eq!(found(&[&nothing, &fits]).as_deref(), Some("Fits"));
        assert_eq!(found(&[&nothing, &longer]), None);
        assert_eq!(found(&[&nothing, &longer, &fits]).as_deref(), Some("Fits"));
        // The trace's own goes first, whether or not it fits.
        assert_eq!(found(&[&own, &fits]).as_deref(), Some("Own"));
        tried += 1;
    }
    assert!(tried > 0);
}
