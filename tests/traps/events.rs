//! Traps of event headers: 13 to 18, 26, 28.

use winetl::EventRoles as _;
use winetl_tests::samples;
use winetl_tests::synth::{Event, Message, Trace};

use super::common::each;
use super::{OTHER, PROVIDER, around, around_in, between, event, ids, kinds};

/// Trap 13. Wrong: the first three parts of a provider's GUID are read with their bytes turned round.
#[test]
fn provider_guids_have_the_order_of_windows() {
    let providers = each(&around(event(5)), |event| event.provider_id().map(|guid| guid.to_string()));
    assert_eq!(providers[2].as_deref(), Some("a61ea624-4944-55fc-c2a8-37838829438d"));
}

/// Trap 14. Wrong: each WPP message has GUID, thread and process, without a time; a component id is an error.
#[test]
fn parts_of_messages_go_by_their_flags() {
    for flags in 0..0x100_u16 {
        let has = |flag: u16| flags & flag != 0;
        let message = Message::new(43)
            .sequence(7)
            .guid(OTHER)
            .component(4660)
            .at(Trace::qpc(50))
            .process(4120, 244);
        let (fields, payload) = between(&around(message.flags(flags).arguments(*b"arguments")));
        assert_eq!(payload, b"arguments", "flags {flags:#06x}");
        assert_eq!(fields["MessageNumber"], 43);
        let number = |name: &str, there: bool, value: i64| {
            assert_eq!(
                fields[name].as_i64(),
                there.then_some(value),
                "{name} with flags {flags:#06x}"
            );
        };
        number("SequenceNumber", has(0x01), 7);
        number("ComponentId", has(0x04), 4660);
        number("TimeStamp", has(0x08), Trace::qpc(50));
        number("ThreadId", has(0x20), 244);
        number("ProcessId", has(0x20), 4120);
        let guid = (has(0x02) && !has(0x04)).then_some("5e7d0005-5555-4555-8555-000000000005");
        assert_eq!(fields["MessageGuid"].as_str(), guid, "flags {flags:#06x}");
    }
}

/// Trap 15. Wrong: PERFINFO has thread, process and processor times like the other headers.
#[test]
fn perfinfo_has_16_bytes_without_thread_or_times() {
    let file = around(Event::perfinfo64(0x0F2E, 2).at(Trace::qpc(50)).payload(*b"sixteen bytes in"));
    let found = each(&file, |event| {
        let header = event.header();
        let absent = [
            header.thread_id(),
            header.process_id(),
            header.kernel_time(),
            header.user_time(),
        ];
        (
            event.bytes().len() - event.payload().len(),
            absent,
            event.raw_time(),
            event.payload().to_vec(),
        )
    });
    assert_eq!(
        found[2],
        (0x10, [None; 4], Some(Trace::qpc(50)), b"sixteen bytes in".to_vec())
    );
}

/// Trap 16. Wrong: counters and PEBS index are part of the payload.
#[test]
fn counters_stand_before_the_payload() {
    let counters = [11, 12, 13, 14, 15, 16, 17];
    for count in 0..=7 {
        for pebs in [None, Some(99)] {
            let headers = [
                Event::perfinfo32(0x0524, 4),
                Event::perfinfo64(0x0524, 4),
                Event::system32(0x0301, 4),
                Event::system64(0x0301, 4),
                Event::compact32(0x1820, 4),
                Event::compact64(0x1820, 4),
            ];
            for header in headers {
                let event = header
                    .at(Trace::qpc(50))
                    .counters(&counters[..count], pebs)
                    .payload(*b"payload");
                let (fields, payload) = between(&around(event));
                assert_eq!(payload, b"payload");
                let values: Vec<_> = counters[..count].iter().copied().chain(pebs).collect();
                assert_eq!(fields["ExtendedValues"], serde_json::json!(values));
                assert_eq!(fields["EventVersion"], 4);
            }
        }
    }
}

/// Trap 17. Wrong: every header begins with its Size; in half of them Version stands there.
#[test]
fn size_stands_at_4_in_headers_with_a_hook_id() {
    let headers = [
        (Event::system32(0x0301, 255), 0x20),
        (Event::system64(0x0301, 255), 0x20),
        (Event::compact32(0x0301, 255), 0x18),
        (Event::compact64(0x0301, 255), 0x18),
        (Event::perfinfo32(0x0301, 255), 0x10),
        (Event::perfinfo64(0x0301, 255), 0x10),
    ];
    for (header, length) in headers {
        let (fields, payload) = between(&around(header.at(Trace::qpc(50)).payload(*b"abc")));
        assert_eq!(fields["Size"], length + 3);
        assert_eq!(fields["EventVersion"], 255);
        assert_eq!(payload, b"abc");
    }
}

/// Trap 18. Wrong: pointers in payloads have the width that the logfile header or the event's Flags say.
#[test]
fn pointers_of_a_payload_have_the_width_of_the_header_type() {
    let class = OTHER;
    let headers = [
        (Event::system32(0x0301, 2), 4),
        (Event::system64(0x0301, 2), 8),
        (Event::compact32(0x1820, 2), 4),
        (Event::compact64(0x1820, 2), 8),
        (Event::perfinfo32(0x0524, 2), 4),
        (Event::perfinfo64(0x0524, 2), 8),
        (Event::full32(class, 1, 4, 2), 4),
        (Event::full64(class, 1, 4, 2), 8),
        (Event::instance32(class, 1, 4, 2), 4),
        (Event::instance64(class, 1, 4, 2), 8),
        (Event::header32(PROVIDER, Default::default()), 4),
        (Event::header64(PROVIDER, Default::default()), 8),
        // 32_BIT_HEADER and 64_BIT_HEADER of Flags contradict.
        (Event::header32(PROVIDER, Default::default()).flags(0x0040), 4),
        (Event::header64(PROVIDER, Default::default()).flags(0x0020), 8),
        (Message::new(1).pointer32().into(), 4),
        (Message::new(1).pointer64().into(), 8),
    ];
    for trace in [Trace::new32(), Trace::new64()] {
        for (header, width) in &headers {
            let file = around_in(trace.clone(), header.clone().at(Trace::qpc(50)).payload([0; 32]));
            let found = each(&file, |event| (event.case().name, event.context().pointer_size));
            assert_eq!(found[2].1, *width, "{}", found[2].0);
        }
    }
}

/// Trap 26. Wrong: structures are tried in turn until one seems to fit. Each type leads to one, and an unknown one to none.
#[test]
fn the_type_byte_alone_decides() {
    let known = [
        (0x01, "SYSTEM32"),
        (0x02, "SYSTEM64"),
        (0x03, "COMPACT32"),
        (0x04, "COMPACT64"),
        (0x0A, "FULL_HEADER32"),
        (0x0B, "INSTANCE32"),
        (0x10, "PERFINFO32"),
        (0x11, "PERFINFO64"),
        (0x12, "EVENT_HEADER32"),
        (0x13, "EVENT_HEADER64"),
        (0x14, "FULL_HEADER64"),
        (0x15, "INSTANCE64"),
    ];
    // The same bytes whatever the type says: 96 is the size, wherever a header has it.
    let mut bytes = [0; 96];
    (bytes[0], bytes[4]) = (96, 96);
    for header_type in 0..=0xFF_u8 {
        (bytes[2], bytes[3]) = (header_type, 0xC0);
        let file = around(
            event(5)
                .payload([0; 16])
                .with_header_bytes(0, *bytes.first_chunk::<0x50>().unwrap())
                .with_size(96),
        );
        let kinds = kinds(&file);
        assert_eq!(kinds.len(), 4, "type {header_type:#04x}: {kinds:?}");
        match known.iter().find(|(number, _)| *number == header_type) {
            Some((_, name)) => assert_eq!(kinds[2], *name),
            None => {
                let opaque = each(&file, |event| {
                    (event.case().opaque, event.header().event_id(), event.header().hook_id())
                });
                assert_eq!(opaque[2], (true, None, None), "type {header_type:#04x}: {}", kinds[2]);
            }
        }
    }
    // Unknown markers likewise.
    let markers = (samples::find("header-unknown-markers").unwrap().build)();
    assert!(super::common::read(markers, winetl::Order::File).unwrap().1.is_clean());
}

/// Trap 28. Wrong: a hook id that is not known ends the reading.
#[test]
fn an_unknown_hook_id_is_an_event_like_others() {
    for hook in [0x7F7F, 0x00EE, 0xFFFF] {
        let file = around(Event::system64(hook, 9).at(Trace::qpc(50)).payload(*b"unknown"));
        assert_eq!(ids(&file), [1, 9]);
        let found = each(&file, |event| {
            (
                event.info().map(|info| info.name),
                event.payload_record().is_some(),
                event.payload().to_vec(),
            )
        });
        assert_eq!(found[2], (None, false, b"unknown".to_vec()), "hook id {hook:#06x}");
    }
}
