//! Literal bytes, so that a slip in the builder does not hide behind a constant of its own.

use super::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn u16_at(file: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([file[at], file[at + 1]])
}

fn u32_at(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]])
}

fn i64_at(file: &[u8], at: usize) -> i64 {
    i64::from(u32_at(file, at)) | (i64::from(u32_at(file, at + 4)) << 32)
}

#[test]
fn guids_are_mixed_endian() {
    assert_eq!(
        hex(&guid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716")),
        "d62cfb227b0e2b42a0c72fad1fd0e716"
    );
}

#[test]
fn filetimes_of_known_dates() {
    assert_eq!(filetime(1601, 1, 1, 0, 0, 0), 0);
    assert_eq!(filetime(1970, 1, 1, 0, 0, 0), 116_444_736_000_000_000);
    assert_eq!(filetime(2022, 6, 18, 4, 26, 40), 133_000_000_000_000_000);
    assert_eq!(
        filetime(2024, 3, 1, 0, 0, 0) - filetime(2024, 2, 28, 0, 0, 0),
        2 * 864_000_000_000
    );
}

#[test]
fn logfile_header_offsets_64() {
    let file = Trace::new64().build();
    assert_eq!(hex(&file[0x48..0x50]), "020002c07a010000"); // Version 2, SYSTEM64, marker, Size, HookId 0
    assert_eq!(file[0x36..0x38], [4, 0]); // BufferType HEADER
    assert_eq!(i64_at(&file, 0x58), START_RAW);
    assert_eq!(u32_at(&file, 0x68 + 0x2C), 8);
    assert_eq!(u32_at(&file, 0x68 + 0x24), 1);
    assert_eq!(i64_at(&file, 0x68 + 0x100), 10_000_000);
    assert_eq!(i64_at(&file, 0x68 + 0x108), START_TIME);
    assert_eq!(u32_at(&file, 0x68 + 0x110), 1);
    assert_eq!(file[0x68 + 0x118..0x68 + 0x11E], *b"S\0y\0n\0");
    // Fixed part, "SynthSession", the path, and their terminators.
    assert_eq!(usize::from(u16_at(&file, 0x4C)), 0x20 + 0x118 + 2 * (12 + 1) + 2 * (19 + 1));
}

#[test]
fn logfile_header_offsets_32() {
    let file = Trace::new32().build();
    assert_eq!(hex(&file[0x48..0x4C]), "020001c0");
    assert_eq!(u32_at(&file, 0x68 + 0x2C), 4);
    assert_eq!((u32_at(&file, 0x68 + 0x38), u32_at(&file, 0x68 + 0x3C)), (10, 7));
    assert_eq!(u32_at(&file, 0x68 + 0x40), -60_i32 as u32);
    assert_eq!(i64_at(&file, 0x68 + 0xF8), 10_000_000);
    assert_eq!(i64_at(&file, 0x68 + 0x100), START_TIME);
    assert_eq!(file[0x68 + 0x110..0x68 + 0x116], *b"S\0y\0n\0");
}

#[test]
fn buffer_header_of_windows_8_and_before() {
    let new = Buffer::new(258, 7).build(1024);
    assert_eq!(
        (u32_at(&new, 0x00), u32_at(&new, 0x30), u32_at(&new, 0x04)),
        (1024, 0x48, 0x48)
    );
    assert_eq!((i64_at(&new, 0x18), u32_at(&new, 0x2C)), (7, 3));
    assert_eq!((u16_at(&new, 0x28), u16_at(&new, 0x34)), (258, 0x20));
    assert!(new[0x48..].iter().all(|byte| *byte == 0xFF));
    let old = Buffer::new(3, 7).byte_processor().build(1024);
    assert_eq!((u16_at(&old, 0x28), u16_at(&old, 0x34)), (0x0803, 0));
}

#[test]
fn headers_start_with_their_markers_and_sizes() {
    let provider = guid("00000004-0000-0000-0000-000000000000");
    let first = |event: Event| hex(&event.payload(*b"abcd").to_bytes()[..8]);
    assert_eq!(first(Event::system32(0x0301, 2)), "020001c024000103");
    assert_eq!(first(Event::compact64(0x0501, 2)), "020004c01c000105");
    assert_eq!(first(Event::full32(provider, 1, 4, 2)), "34000ac001040200");
    assert_eq!(first(Event::instance64(provider, 1, 4, 2)), "4c0015c001040200");
    assert_eq!(first(Event::instance32_old(1, 2, 3, 4)), "3c000bc001000000");
    assert_eq!(
        first(Event::perfinfo64(0x0524, 4).counters(&[1, 2], None)),
        "040211c024002405"
    );
    assert_eq!(first(Event::perfinfo64(0x0524, 4).counters(&[], Some(9))), "048011c01c002405");
    assert_eq!(first(Event::header32(provider, Descriptor::default())), "540012c000000000");
    assert_eq!(first(Event::timed(77)), "140000b04d000000");
    assert_eq!(first(Event::error()), "08000dc061626364");
}

#[test]
fn message_parts_come_in_their_order() {
    let provider = guid("00000005-0000-0000-0000-000000000000");
    let message = Message::new(10).sequence(1).guid(provider).at(2).process(0x22, 0x11);
    let expected = "34000090\
                    0a002b00\
                    01000000\
                    05000000000000000000000000000000\
                    0200000000000000\
                    1100000022000000\
                    6162630000000000";
    assert_eq!(
        hex(&Event::from(message.clone().arguments(*b"abc\0\0\0\0\0")).to_bytes()),
        expected
    );
    let component = Event::from(message.component(0x1234)).to_bytes();
    assert_eq!(
        hex(&component),
        "200000900a002f00010000003412000002000000000000001100000022000000"
    );
}

#[test]
fn items_are_padded_and_linked() {
    let event = Event::header64(NO_GUID, Descriptor::default())
        .item(Item::ts_id(2))
        .item(Item::event_key(3))
        .payload(*b"p");
    let bytes = event.to_bytes();
    assert_eq!(u16_at(&bytes, 0x00), 0x71);
    assert_eq!(u16_at(&bytes, 0x04), 1);
    assert_eq!(
        hex(&bytes[0x50..]),
        "10000300010004000200000000000000\
                                     10000a00000008000300000000000000\
                                     70"
    );
}

#[test]
fn tracelogging_metadata() {
    let schema = TlSchema::new("E")
        .field("a", TlSchema::U32)
        .field_out("b", TlSchema::I32, 3)
        .array("c", TlSchema::U8, 258);
    assert_eq!(hex(&schema.to_bytes()), "1100004500610008620087036300240201");
    assert_eq!(
        hex(&Item::prov_traits("P", Some([7; 16])).to_bytes(false)[8..16]),
        "1700500013000107"
    );
}

#[test]
fn compressed_files_have_the_relogger_marks() {
    let buffer = Buffer::new(0, 1).event(Event::system64(0x0301, 4).payload([0; 200]));
    let file = Trace::new64().compressed().buffer(buffer).build();
    assert_eq!(u32_at(&file, 0x2C), 3); // State: XPRESS
    assert_eq!(file[0x68 + 0x06..0x68 + 0x08], [2, 0]); // log version
    assert_eq!(u32_at(&file, 0x68 + 0x20), 0x0401_0001); // LogFileMode
    let at = u32_at(&file, 0x00) as usize;
    assert_eq!(at % 512, 0);
    assert_eq!(u16_at(&file, at + 0x34), 0x0061); // COMPRESSED, PROC_INDEX, FLUSH_MARKER
    assert_eq!(u32_at(&file, at + 0x30), 0x48 + 0x20 + 200);
    assert_eq!(u32_at(&file, at) as usize, file.len() - at);
}

#[test]
fn lznt1_chunks() {
    assert_eq!(hex(&lznt1_stored(b"abc")), "0230616263");
    // Flags, 'a', then distance 1 (zero in the upper four bits) and length 9 (six more than three).
    assert_eq!(hex(&lznt1(b"aaaaaaaaaa")), "03b002610600");
}
