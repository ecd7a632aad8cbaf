//! Traps of extended items: 10 to 12.

use winetl_tests::synth::{Event, Item, Trace};

use super::common::{each, fields};
use super::{OTHER, around, event, ids};

/// Types of the items and payload of the event between the two others.
fn read(event: Event) -> (Vec<u64>, Vec<u8>) {
    let file = around(event);
    assert_eq!(ids(&file), [1, 5, 9]);
    each(&file, |event| {
        (
            event.extended_items().map(|item| item.item_type()).collect(),
            event.payload().to_vec(),
        )
    })
    .swap_remove(2)
}

/// Bytes of an item, as a payload may hold them by chance.
fn like_an_item(more: u8) -> Vec<u8> {
    let mut bytes = vec![24, 0, 1, 0, more, 0, 16, 0];
    bytes.extend(OTHER);
    bytes
}

/// Trap 10. Wrong: items are read whether or not Flags say that there are some.
#[test]
fn there_are_no_items_without_extended_info() {
    for flags in [0x0000, 0x0040, 0xFFFE] {
        assert_eq!(
            read(event(5).flags(flags).payload(like_an_item(0))),
            (vec![], like_an_item(0)),
            "Flags {flags:#06x}"
        );
    }
}

/// Trap 10, too. Wrong: items are read as long as there seem to be some, and not by Linkage.
#[test]
fn the_last_item_is_the_one_that_says_so() {
    let found = read(event(5).item(Item::event_key(7)).payload(like_an_item(0)));
    assert_eq!(found, (vec![10], like_an_item(0)));
    // Only bit 0 of Linkage counts; it is clear here.
    let found = read(event(5).item(Item::event_key(7)).payload(like_an_item(0xFE)));
    assert_eq!(found, (vec![10], like_an_item(0xFE)));
}

/// Trap 11. Wrong: an item takes 8 bytes more than DataSize, and is the only one.
#[test]
fn items_are_padded_and_there_may_be_many() {
    for odd in 1..=8_u8 {
        let data = vec![0xA0 | odd; odd.into()];
        let items = [
            Item::new(9, data.clone()),
            Item::ts_id(3),
            Item::container_id("abc"),
            Item::event_key(4),
        ];
        let file = around(items.into_iter().fold(event(5).payload(*b"rest"), Event::item));
        let found = each(&file, |event| {
            event
                .extended_items()
                .map(|item| (item.item_type(), item.data.to_vec()))
                .collect::<Vec<_>>()
        });
        assert_eq!(
            found[2],
            [
                (9, data),
                (3, vec![3, 0, 0, 0]),
                (16, b"abc".to_vec()),
                (10, vec![4, 0, 0, 0, 0, 0, 0, 0])
            ]
        );
        assert_eq!(each(&file, |event| event.payload().to_vec())[2], b"rest");
    }
}

/// Trap 12. Wrong: items are part of the payload.
#[test]
fn the_payload_begins_behind_the_items() {
    let stack = Item::stack_trace64(0, &[0xFFFF_F800_0000_1000, 0x7FF6_0000_2000]);
    for event in [
        event(5),
        Event::header32(super::PROVIDER, Default::default()).at(Trace::qpc(50)),
    ] {
        let file = around(
            event
                .item(stack.clone())
                .item(Item::related_activity(OTHER))
                .payload(*b"payload"),
        );
        let found = each(&file, |event| {
            let decoded = event
                .extended_items()
                .map(|item| fields(item.decode().unwrap().unwrap().record()))
                .collect::<Vec<_>>();
            (decoded, event.payload().to_vec())
        });
        let (items, payload) = &found[2];
        assert_eq!(payload, b"payload");
        // The width of the addresses is the item's, not the event's.
        assert_eq!(
            items[0]["Address"],
            serde_json::json!([0xFFFF_F800_0000_1000_u64, 0x7FF6_0000_2000_u64])
        );
        assert_eq!(items[1]["RelatedActivityId"], "5e7d0005-5555-4555-8555-000000000005");
    }
}
