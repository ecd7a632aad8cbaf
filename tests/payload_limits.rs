//! Schemas that a hostile trace carries, and payloads they do not fit: nothing panics, and nothing takes more memory than a small
//! multiple of the bytes that are there.
//!
//! The generator gives the same numbers on each run. Memory is counted by the allocator, on the thread that reads.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use allocation_counter::measure;
use winetl::payload::decoded::Decoded;
use winetl::payload::schemas::Schemas;
use winetl::payload::traits;
use winetl::record::{FieldInfo, FieldVisitor, Value};
use winetl::{Event as Read, Order, TraceFile};
use winetl_tests::synth::{Buffer, Descriptor, Event, Guid, Item, Payload, Trace, guid};

const PROVIDER: Guid = guid("5e7d0002-1111-4111-8111-000000000001");
const METADATA: Guid = guid("bbccf6c1-6cd1-48c4-80ff-839482e37671");
const INFO: u8 = 32;
const MAP_INFO: u8 = 33;
const SCHEMA_TL: u16 = 11;
const PROV_TRAITS: u16 = 12;
/// Event of an EventSource that carries a part of its manifest.
const MANIFEST: u16 = 0xFFFE;

/// What collecting takes at most at once: a base for tables and the XML reader, and a multiple of what the trace has carried so far.
/// A TraceLogging field of 3 bytes becomes one of about 100, with its name.
const COLLECTED: (u64, u64) = (4 * 1024, 16);
/// What decoding takes at most, of the event's own bytes: nothing is copied; only names are made.
const DECODED: (u64, u64) = (1024, 1);

/// A generator of the same numbers on each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap()
    }

    /// Random bytes; small ones are frequent, as counts and lengths are.
    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let len = self.below(most + 1);
        (0..len)
            .map(|_| {
                if self.below(2) == 0 {
                    self.byte()
                } else {
                    u8::try_from(self.below(5)).unwrap()
                }
            })
            .collect()
    }

    /// Changes a few bytes, or cuts the rest off.
    fn spoil(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        for _ in 0..self.below(4).min(bytes.len()) {
            let at = self.below(bytes.len());
            bytes[at] = [0, 1, 0x7F, 0xFF, self.byte()][self.below(5)];
        }
        if self.below(4) == 0 {
            bytes.truncate(self.below(bytes.len() + 1));
        }
        bytes
    }
}

/// Sees every value, and keeps none.
#[derive(Default)]
struct Count(u64);

impl FieldVisitor for Count {
    fn field(&mut self, _: &FieldInfo<'_>, value: Value<'_>) {
        self.value(value);
    }
}

impl Count {
    fn value(&mut self, value: Value<'_>) {
        self.0 += 1;
        match value {
            Value::Record(record) => record.visit(self),
            Value::List(list) => list.for_each(&mut |element| self.value(element)),
            _ => {}
        }
    }
}

/// What reading came to.
#[derive(Debug, Default)]
struct Seen {
    values: u64,
    /// Events whose payload something describes.
    decoded: u64,
}

/// Reads a trace of these events as the commands do: first the schemas, then the payloads.
fn read(events: &[Event]) -> Seen {
    let buffer = events
        .iter()
        .cloned()
        .fold(Buffer::new(0, 1), |buffer, event| buffer.event(event));
    let size = u32::try_from(events.iter().map(|event| event.to_bytes().len() + 8).sum::<usize>() + 4096).unwrap();
    let bytes = Trace::new64().buffer_size(size.next_multiple_of(4096)).buffer(buffer).build();
    let trace = TraceFile::from_bytes(bytes).unwrap();
    let mut schemas = Schemas::default();
    let mut carried = 0;
    let mut cursor = trace.events(Order::File);
    let mut found = 0;
    while let Some(event) = cursor.next() {
        carried += event.bytes().len() as u64;
        found += 1;
        within(COLLECTED, carried, &event, || schemas.collect(&event));
    }
    assert_eq!(found, events.len() + 1, "events that are read");
    let finished = measure(|| schemas.finish());
    assert!(
        finished.bytes_max <= COLLECTED.0 + COLLECTED.1 * carried,
        "{finished:?} of {carried}"
    );
    let mut seen = Seen::default();
    let mut cursor = trace.events(Order::File);
    while let Some(event) = cursor.next() {
        let mut count = Count::default();
        within(DECODED, event.bytes().len() as u64, &event, || {
            drop(traits::provider_name(&event));
            visit(&schemas.decode(&event), &mut count);
        });
        // Each value has a byte of its own or a field in the schema, at each depth.
        assert!(count.0 <= 40 * carried, "{} values of {carried} bytes", count.0);
        let decoded = schemas.decode(&event);
        assert!(decoded.rest.len() <= event.payload().len());
        if let Some(record) = &decoded.record {
            seen.decoded += 1;
            // Texts of all values are made, too.
            common::fields(record.record());
        }
        seen.values += count.0;
    }
    seen
}

fn visit(decoded: &Decoded<'_>, count: &mut Count) {
    if let Some(record) = &decoded.record {
        record.record().visit(count);
    }
}

/// Runs a step, which may take `base + factor * bytes` of memory.
fn within((base, factor): (u64, u64), bytes: u64, event: &Read<'_>, step: impl FnOnce()) {
    let used = measure(step);
    assert!(
        used.bytes_max <= base + factor * bytes,
        "{} bytes at once, of {bytes}: event {} {:02x?}",
        used.bytes_max,
        event.index(),
        event.bytes()
    );
}

fn event(id: u16, payload: &[u8]) -> Event {
    let descriptor = Descriptor {
        id,
        channel: 11,
        ..Descriptor::default()
    };
    Event::header64(PROVIDER, descriptor).payload(payload)
}

fn tracelogging(metadata: &[u8], payload: &[u8]) -> Event {
    event(0, payload).item(Item::new(SCHEMA_TL, metadata))
}

/// EVENT_SCHEMA_TL: its size, no tags, a name, and these fields.
fn metadata(fields: &[u8]) -> Vec<u8> {
    let size = u16::try_from(fields.len() + 5).unwrap();
    Payload::new().u16(size).bytes([0]).ansi_z("E").bytes(fields).build()
}

/// TRACE_EVENT_INFO of event `id` with properties of random types, counts and structures.
fn info(random: &mut Random, id: u16) -> Event {
    let count = random.below(8);
    let texts = 0x70 + 24 * count;
    let text = |index: usize| u32::try_from(texts + 4 * index).unwrap();
    let mut bytes = Payload::new()
        .bytes(PROVIDER)
        .bytes([0; 16])
        .u16(id)
        .bytes([0, 11, 0, 0, 0, 0])
        .u64(0);
    let words = [
        0,
        text(0),
        0,
        0,
        0,
        text(1),
        text(2),
        text(3),
        0,
        0,
        0,
        0,
        u32::try_from(count).unwrap(),
        u32::try_from(random.below(count + 1)).unwrap(),
        0,
    ];
    bytes = bytes.u32(0);
    for word in words {
        bytes = bytes.u32(word);
    }
    for property in 0..count {
        let flags = [0, 0, 1, 2, 4, 8, 0x20, 0x43][random.below(8)];
        let types = [
            u16::try_from(random.below(24)).unwrap(),
            u16::try_from(random.below(40)).unwrap(),
        ];
        bytes = bytes
            .u32(flags)
            .u32(text(property))
            .u16(types[0])
            .u16(types[1])
            .u32([0, text(property)][random.below(2)]);
        bytes = bytes
            .u16([0, 1, 2, 0xFFFF][random.below(4)])
            .u16(u16::try_from(random.below(9)).unwrap())
            .u32(0);
    }
    for letter in b"PABCDEFGH" {
        bytes = bytes.bytes([*letter, 0, 0, 0]);
    }
    let bytes = random.spoil(bytes.build());
    Event::full64(METADATA, INFO, 0, 0).payload(bytes)
}

/// EVENT_MAP_INFO with random entries.
fn map(random: &mut Random) -> Event {
    let count = random.below(6);
    let texts = u32::try_from(16 + 8 * count).unwrap();
    let mut bytes = Payload::new()
        .u32(texts)
        .u32(u32::try_from(random.below(5)).unwrap())
        .u32(u32::try_from(count).unwrap())
        .u32(0);
    for entry in 0..u32::try_from(count).unwrap() {
        bytes = bytes.u32(texts + 4 * entry).u32(entry);
    }
    for letter in b"ABCDEFGH" {
        bytes = bytes.bytes([*letter, 0, 0, 0]);
    }
    let bytes = random.spoil(bytes.build());
    Event::full64(METADATA, MAP_INFO, 0, 0).payload(Payload::new().bytes(PROVIDER).bytes(bytes).build())
}

const MANIFEST_TEXT: &str = r#"<instrumentationManifest><instrumentation><events><provider name="P" guid="{5e7d0002-1111-4111-8111-000000000001}">
<maps><valueMap name="V"><map value="1" message="$(string.one)"/></valueMap></maps>
<templates><template tid="t"><data name="n" inType="win:UInt16"/><data name="a" inType="win:UInt32" count="n"/>
<struct name="s" count="n"><data name="x" inType="win:UInt8" map="V"/><data name="y" inType="win:UnicodeString"/></struct>
<data name="b" inType="win:Binary" length="n"/><data name="u" inType="win:SID"/></template></templates>
<events><event value="7" version="0" template="t"/></events></provider></events></instrumentation>
<localization><resources><stringTable><string id="one" value="One"/></stringTable></resources></localization></instrumentationManifest>"#;

/// The parts of a manifest that is cut there.
fn manifest(text: &[u8], cuts: &[usize]) -> Vec<Event> {
    let mut parts = vec![];
    let mut from = 0;
    for to in cuts.iter().copied().chain([text.len()]) {
        parts.push(&text[from..to]);
        from = to;
    }
    let total = u16::try_from(parts.len()).unwrap();
    let part = |(number, part): (usize, &&[u8])| {
        let envelope = Payload::new()
            .bytes([1, 1, 0, 0x5B])
            .u16(total)
            .u16(u16::try_from(number).unwrap());
        let descriptor = Descriptor {
            id: MANIFEST,
            opcode: 0xFE,
            task: MANIFEST,
            ..Descriptor::default()
        };
        Event::header64(PROVIDER, descriptor).payload(envelope.bytes(part).build())
    };
    parts.iter().enumerate().map(part).collect()
}

#[test]
fn random_metadata_of_events() {
    const PARTS: &[&[u8]] = &[
        b"f\0\x04",
        b"f\0\x01",
        b"f\0\x02",
        b"f\0\x41",
        b"f\0\x42",
        b"f\0\xc6\x02",
        b"f\0\x16",
        b"f\0\x17",
        b"f\0\x24\xff\xff",
        b"f\0\x13",
        b"f\0\x53",
        b"s\0\x98\x01",
        b"s\0\xd8\x02",
        b"s\0\xd8\x7f",
        b"s\0\xb8\x03\xff\xff",
        b"s\0\x58",
        b"\xff\xfe\0\x04",
        b"f\0\x84\x80\x81\x01",
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut seen = Seen::default();
    for _ in 0..2000 {
        let fields: Vec<u8> = (0..random.below(40))
            .flat_map(|_| PARTS[random.below(PARTS.len())])
            .copied()
            .collect();
        let metadata = random.spoil(metadata(&fields));
        let traits = random.spoil(Payload::new().u16(13).ansi_z("Name").bytes([6, 0, 1, 2, 3, 4]).build());
        let payload = random.bytes(300);
        let found = read(&[tracelogging(&metadata, &payload).item(Item::new(PROV_TRAITS, traits))]);
        seen.values += found.values;
        seen.decoded += found.decoded;
    }
    assert!(seen.decoded > 3000 && seen.values > 20_000, "{seen:?}");
}

#[test]
fn random_event_information_and_contradictions() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut decoded = 0;
    for _ in 0..1500 {
        // Two schemas for one event, a map, a manifest that says something else, and metadata in the event itself.
        let mut events = vec![info(&mut random, 7), map(&mut random), info(&mut random, 7)];
        if random.below(3) == 0 {
            let text = random.spoil(MANIFEST_TEXT.as_bytes().to_vec());
            events.extend(manifest(&text, &[]));
        }
        for _ in 0..3 {
            let payload = random.bytes(120);
            events.push(event(7, &payload));
        }
        events.push(event(7, &random.bytes(50)).item(Item::new(SCHEMA_TL, metadata(b"f\0\x42"))));
        decoded += read(&events).decoded;
    }
    assert!(decoded > 3000, "{decoded}");
}

#[test]
fn manifests_cut_at_any_place() {
    let text = MANIFEST_TEXT.as_bytes();
    let payload = Payload::new()
        .u16(2)
        .u32(1)
        .u32(2)
        .bytes([1, b'a', 0, 0, 0, 1, 0, 0])
        .bytes([9, 9])
        .bytes([1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0])
        .build();
    let mut whole = manifest(text, &[]);
    whole.push(event(7, &payload));
    let whole = read(&whole);
    assert_eq!(whole.decoded, 2);
    for at in 0..text.len() {
        let mut events = manifest(text, &[at]);
        events.push(event(7, &payload));
        let found = read(&events);
        assert_eq!((found.decoded, found.values), (whole.decoded, whole.values), "cut at {at}");
        // The second part is missing, and comes before the first.
        read(&[events[0].clone(), events[2].clone()]);
        read(&[events[1].clone(), events[0].clone(), events[2].clone()]);
    }
}

#[test]
fn structures_nested_beyond_the_limit() {
    for depth in [1, 2, 7, 8, 9, 31, 32, 33, 64, 127, 1000] {
        // Each is an array of one field; the innermost is an array of bytes.
        for part in [b"s\0\x98\x01".as_slice(), b"s\0\xd8\x01", b"s\0\xb8\x01\xff\xff"] {
            let mut fields = part.repeat(depth);
            fields.extend(b"f\0\x44");
            for payload in [vec![], vec![0xFF; 2], [1, 0].repeat(200), vec![0xFF; 2000]] {
                read(&[tracelogging(&metadata(&fields), &payload)]);
            }
        }
    }
}

#[test]
fn counts_and_texts_beyond_the_payload() {
    let sid = Payload::new()
        .bytes([1, 255, 0, 0, 0, 0, 0, 5])
        .bytes([0xFF; 255 * 4])
        .build();
    let payloads = [
        vec![],
        vec![0xFF],
        vec![0xFF; 2],
        vec![0xFF; 9],
        // Halves of surrogate pairs, with and without an end; UTF-8 that is cut.
        vec![0x00, 0xD8, 0x00, 0xD8, 0, 0],
        [0x00, 0xDC].repeat(50),
        vec![0xC3, 0x28, 0xF0, 0x9F, 0],
        sid.clone(),
        sid[..sid.len() - 1].to_vec(),
        vec![1, 255],
        [vec![0xFF, 0xFF], sid.repeat(3)].concat(),
    ];
    for kind in 0..=0x1F {
        for form in [
            vec![kind],
            vec![kind | 0x40],
            vec![kind | 0x20, 0xFF, 0xFF],
            vec![kind | 0x80, 35],
            vec![kind | 0xC0, 2],
        ] {
            let fields = [b"f\0".as_slice(), &form, b"g\0\x08"].concat();
            for payload in &payloads {
                read(&[tracelogging(&metadata(&fields), payload)]);
            }
        }
    }
}

#[test]
fn texts_that_are_used_again_and_again() {
    let long = |bytes: Payload| bytes.bytes([b'x', 0].repeat(10_000)).bytes([0, 0]).build();
    let count = 1500_u32;
    let mut bytes = Payload::new()
        .bytes(PROVIDER)
        .bytes([0; 16])
        .u16(7)
        .bytes([0, 11, 0, 0, 0, 0])
        .u64(0)
        .u32(0);
    let text = 0x70 + 24 * count;
    for word in [
        text, text, text, text, text, text, text, text, text, text, text, text, count, count, 0,
    ] {
        bytes = bytes.u32(word);
    }
    assert_eq!(bytes.clone().build().len(), 0x70);
    for _ in 0..count {
        bytes = bytes.u32(0).u32(text).u16(4).u16(0).u32(text).u16(1).u16(1).u32(0);
    }
    let info = Event::full64(METADATA, INFO, 0, 0).payload(long(bytes));
    let mut bytes = Payload::new().bytes(PROVIDER).u32(text).u32(1).u32(count).u32(0);
    for value in 0..count {
        bytes = bytes.u32(16 + 8 * count).u32(value);
    }
    let map = Event::full64(METADATA, MAP_INFO, 0, 0).payload(long(bytes));
    let event = event(7, &[1; 2000]);
    // A text of 20,000 bytes that 1,500 fields or entries have as their name: the bound is far below that.
    for events in [
        vec![info.clone(), event.clone()],
        vec![map.clone(), info.clone(), event.clone()],
        vec![map, event],
    ] {
        read(&events);
    }
}
