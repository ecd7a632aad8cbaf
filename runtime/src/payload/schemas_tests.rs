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
