//! What damaged events and headers still say.

use winetl::{LogfileRoles as _, Order, TraceFile};
use winetl_tests::samples;

use super::common::{each, fields, read};

fn sample(name: &str) -> Vec<u8> {
    (samples::find(name).unwrap().build)()
}

/// Type, size of the data, and whether it could be decoded, of each item of the events with id 5.
fn items_of_5(name: &str) -> Vec<Vec<(u64, usize, bool)>> {
    let found = each(&sample(name), |event| {
        use winetl::EventRoles as _;
        let items = event
            .extended_items()
            .map(|item| (item.item_type(), item.data.len(), matches!(item.decode(), Some(Ok(_)))));
        (event.header().event_id() == Some(5)).then(|| items.collect())
    });
    found.into_iter().flatten().collect()
}

#[test]
fn an_impossible_item_begins_the_payload() {
    // The payload takes the place of the item that cannot be read, so that no byte is hidden.
    for name in [
        "damage-item-size-zero",
        "damage-item-size-beyond",
        "damage-item-data-size-beyond",
    ] {
        let payload = each(&sample(name), |event| {
            use winetl::EventRoles as _;
            (event.header().event_id() == Some(5)).then(|| (event.payload().len(), event.payload().ends_with(b"payload")))
        });
        // Two items of 16 bytes, and the seven bytes of the payload itself.
        assert_eq!(payload.into_iter().flatten().collect::<Vec<_>>(), [(39, true)], "{name}");
        assert_eq!(items_of_5(name), [vec![]], "{name}");
    }
}

#[test]
fn items_before_an_impossible_one_are_kept() {
    assert_eq!(items_of_5("damage-item-chain-open"), [vec![(10, 8, true)]]);
    assert_eq!(items_of_5("damage-item-missing"), [vec![]]);
}

#[test]
fn items_whose_data_does_not_fit_keep_their_bytes() {
    assert_eq!(
        items_of_5("damage-item-sid"),
        [vec![(2, 20, false)], vec![(2, 12, true)], vec![(2, 3, false)]]
    );
    assert_eq!(
        items_of_5("damage-item-stack"),
        [
            vec![(5, 14, true)],
            vec![(6, 21, true)],
            vec![(6, 5, false)],
            vec![(6, 8, true)],
        ]
    );
    assert_eq!(
        items_of_5("damage-item-fixed-sizes"),
        [
            vec![(1, 15, false)],
            vec![(1, 17, true)],
            vec![(3, 3, false)],
            vec![(10, 7, false)],
            vec![(10, 9, true)],
        ]
    );
}

#[test]
fn stacks_have_their_whole_addresses() {
    let addresses = each(&sample("damage-item-stack"), |event| {
        let item = event.extended_items().next()?;
        let data = fields(item.decode()?.ok()?.record());
        Some(data["Address"].as_array().unwrap().len())
    });
    assert_eq!(addresses.into_iter().flatten().collect::<Vec<_>>(), [1, 1, 0]);
}

#[test]
fn clocks_that_cannot_be_converted_leave_events_without_time() {
    for (name, text) in [
        ("damage-logfile-times", "PerfFreq is 0"),
        ("damage-logfile-negative", "PerfFreq is -1"),
        ("damage-cpu-mhz-zero", "CpuSpeedInMHz is 0"),
    ] {
        let bytes = sample(name);
        let trace = TraceFile::from_bytes(bytes.clone()).unwrap();
        let problem = trace.logfile().clock().problem().unwrap();
        assert!(problem.contains(text), "{name}: {problem}");
        let (events, _) = read(bytes, Order::Time).unwrap();
        assert!(
            events.iter().all(|event| event.time.is_none() && event.raw_time.is_some()),
            "{name}"
        );
    }
}

#[test]
fn times_that_are_no_dates_print_as_numbers() {
    let texts = each(&sample("damage-event-times"), |event| {
        (event.buffer().index == 2).then(|| event.time().map(|time| time.to_string()))
    });
    let texts: Vec<_> = texts.into_iter().flatten().collect();
    let [first, before, at_zero, last] = texts.as_slice() else {
        panic!("{texts:?}")
    };
    assert!(first.as_deref().unwrap().starts_with("FILETIME(-"), "{first:?}");
    // The clock stood at 12,345.6 seconds when the trace began at 09:30.
    assert_eq!(at_zero.as_deref(), Some("2024-05-14T06:04:14.4000000Z"));
    assert_eq!(before.as_deref(), Some("2024-05-14T06:04:14.3999999Z"));
    assert_eq!(*last, None, "beyond what a FILETIME can say");
}

#[test]
fn names_without_terminator_end_with_the_event() {
    let names = |name: &str| {
        let trace = TraceFile::from_bytes(sample(name)).unwrap();
        let header = &trace.logfile().header;
        (header.session_name().unwrap(), header.log_file_name())
    };
    let path = r"C:\Traces\synth.etl";
    assert_eq!(
        names("damage-logfile-name-unterminated"),
        ("SynthSession".into(), Some(path.into()))
    );
    let (both, none) = names("damage-logfile-names-unterminated");
    assert_eq!(both, format!("SynthSession{path}"));
    assert_eq!(none.unwrap_or_default(), "");
}

#[test]
fn impossible_dates_of_the_time_zone_are_kept_as_they_are() {
    let trace = TraceFile::from_bytes(sample("damage-logfile-zone-dates")).unwrap();
    let header = fields(&trace.logfile().header);
    assert_eq!(header["TimeZone.StandardDate.Month"], 13);
    assert_eq!(header["TimeZone.StandardDate.Year"], 0xFFFF);
    assert_eq!(header["TimeZone.Bias"], i32::MIN);
}

#[test]
fn pointers_have_the_width_of_the_header_whatever_pointer_size_says() {
    for name in ["damage-logfile-pointer-size", "damage-logfile-pointer-size-differs"] {
        let trace = TraceFile::from_bytes(sample(name)).unwrap();
        assert_eq!(trace.logfile().context().pointer_size, 8, "{name}");
        assert_eq!(trace.logfile().header.session_name().unwrap(), "SynthSession", "{name}");
    }
}
