//! Events that are passed over by a look at their header: what the look says is what the decoded header says, and the events that
//! are left, with their numbers, times and order, and all that is told of damage, are the same as without passing over any.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use winetl::dispatch::Glance;
use winetl::{Ahead, Event, EventRoles as _, Order, TraceFile};
use winetl_tests::shared;

/// The samples, and the smaller real traces.
fn traces() -> Vec<PathBuf> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let folders = [Some(samples), shared::folder().map(|folder| folder.join("samples"))];
    let mut found: Vec<PathBuf> = folders
        .iter()
        .flatten()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "etl"))
        .filter(|path| fs::metadata(path).unwrap().len() < 8 << 20)
        .collect();
    found.sort();
    assert!(found.len() > 20, "{found:?}");
    found
}

/// What a look has to say of an event, by its decoded header.
fn by_header(event: &Event<'_>) -> Glance {
    let header = event.header();
    Glance {
        timestamp: header.timestamp(),
        hook_id: header.hook_id(),
        provider_id: header.provider_id(),
        class_id: header.class_id(),
        event_id: header.event_id(),
        level: header.level(),
        process_id: header.process_id(),
        thread_id: header.thread_id(),
        has_extended_items: header.has_extended_items(),
    }
}

type Seen = (u64, Option<i64>, Option<winetl::Filetime>, u32);

fn seen(event: &Event<'_>) -> Seen {
    (event.index(), event.raw_time(), event.time(), event.buffer_offset())
}

/// Passes over events by `is_wanted`, and holds what is left against a reading of all. Gives how many were passed over.
fn check(bytes: &[u8], order: Order, name: &str, is_wanted: impl Fn(&Glance, usize) -> bool) -> usize {
    let Ok(trace) = TraceFile::from_bytes(bytes) else { return 0 };
    let mut all = Vec::new();
    let mut events = trace.events(order);
    while let Some(event) = events.next() {
        all.push((seen(&event), by_header(&event), event.bytes().len(), event.case().name));
    }
    let report = format!("{:?}", events.report());

    let mut passed = 0;
    let mut left = all.iter();
    let mut events = trace.events(order);
    let mut look = |ahead: &Ahead| {
        let is_wanted = is_wanted(&ahead.glance, ahead.size);
        passed += usize::from(!is_wanted);
        is_wanted
    };
    let mut given = 0;
    while let Some(event) = events.next_where(&mut look) {
        given += 1;
        let expected = (seen(&event), by_header(&event), event.bytes().len(), event.case().name);
        for other in left.by_ref().take_while(|one| **one != expected) {
            assert!(
                !is_wanted(&other.1, other.2),
                "{name}: {other:?} was passed over before {expected:?}"
            );
        }
    }
    assert!(left.all(|other| !is_wanted(&other.1, other.2)), "{name}");
    assert_eq!(given + passed, all.len(), "{name}");
    assert_eq!(format!("{:?}", events.report()), report, "{name}");
    passed
}

#[test]
fn what_is_left_is_the_same() {
    let mut passed = 0;
    for path in traces() {
        let name = path.display().to_string();
        let bytes = fs::read(&path).unwrap();
        for order in [Order::Time, Order::File] {
            check(&bytes, order, &name, |_, _| true);
            passed += check(&bytes, order, &name, |_, _| false);
            passed += check(&bytes, order, &name, |glance, size| {
                (size + usize::try_from(glance.thread_id.unwrap_or(0)).unwrap_or(0)) % 7 == 0
            });
        }
    }
    assert!(passed > 10_000, "{passed}");
}

/// Damage anywhere is told of just the same.
#[test]
fn damage_is_told_of_all_the_same() {
    for path in traces() {
        let name = path.display().to_string();
        let bytes = fs::read(&path).unwrap();
        if bytes.len() > 200 << 10 {
            continue;
        }
        for step in 1..12 {
            let mut bytes = bytes.clone();
            for at in (step * 97..bytes.len()).step_by(bytes.len() / 23 + step) {
                bytes[at] ^= 0xff;
            }
            for order in [Order::Time, Order::File] {
                check(&bytes, order, &format!("{name} damaged {step}"), |glance, _| {
                    glance.event_id == Some(1)
                });
            }
        }
    }
}

/// All that is turned away is what the decoded header says it is.
#[test]
fn a_look_says_what_the_header_says() {
    let mut looked = 0;
    for path in traces() {
        // Some samples are no traces.
        let Ok(trace) = TraceFile::open(&path) else { continue };
        let glances = RefCell::new(Vec::new());
        let mut events = trace.events(Order::File);
        while let Some(event) = events.next_where(|ahead| {
            glances.borrow_mut().push((ahead.glance, ahead.case.name, ahead.size));
            true
        }) {
            // An event that is wanted is given at once.
            if let Some((glance, case, size)) = glances.borrow_mut().pop() {
                looked += 1;
                assert_eq!(glance, by_header(&event), "{}: {}", path.display(), event.index());
                assert_eq!((case, size), (event.case().name, event.bytes().len()));
            }
        }
    }
    assert!(looked > 10_000, "{looked}");
}
