//! Made event information records.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use crate::payload::template::Format;

/// One property: flags, two words of types or members, map name, count, length.
type Property = (u32, [u16; 2], u32, u16, u16);

const TEXTS: &str = "Prov \0win:Level \0Kw1 \0Kw2\0\0Field\0M\0";

fn offset(text: &str, properties: usize) -> u32 {
    let at = TEXTS.find(text).unwrap();
    u32::try_from(0x70 + 24 * properties + 2 * at).unwrap()
}

fn record(properties: &[Property], top: u32) -> Vec<u8> {
    let count = properties.len();
    let mut bytes = [[1; 16], [2; 16]].concat();
    bytes.extend([7, 0, 3, 16, 4, 10, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x80]);
    let words = [
        0,
        offset("Prov", count),
        offset("win:Level", count),
        0,
        offset("Kw1", count),
        0,
        0,
        0,
        0,
        0,
        0,
        0xFFFF_FFF0,
        0,
        u32::try_from(count).unwrap(),
        top,
        0x0000_0051,
    ];
    bytes.extend(words.iter().flat_map(|word: &u32| word.to_le_bytes()));
    for (flags, types, map, items, length) in properties {
        bytes.extend(flags.to_le_bytes());
        bytes.extend(offset("Field", count).to_le_bytes());
        bytes.extend(types.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(map.to_le_bytes());
        bytes.extend([*items, *length].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([0; 4]);
    }
    bytes.extend(TEXTS.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

#[test]
fn names_key_and_tags() {
    let bytes = record(&[], 0);
    let (provider, guid) = (Guid::from_bytes([1; 16]), Guid::from_bytes([1; 16]));
    assert_eq!(
        key(&bytes).unwrap(),
        Some((
            provider,
            Key {
                guid,
                id: 7,
                version: 3,
                classic: false
            }
        ))
    );
    let schema = lower(&bytes, None);
    assert_eq!(schema.provider_name.as_deref(), Some("Prov"));
    assert_eq!(schema.level_name.as_deref(), Some("Level"));
    assert_eq!(schema.keyword_names, [Arc::from("Kw1"), Arc::from("Kw2")]);
    // An offset beyond the record is no text.
    assert_eq!(
        (schema.event_name, schema.task_name, schema.tags, schema.problem),
        (None, None, 5, None)
    );
    let mut wbem = bytes.clone();
    wbem[0x30] = 1;
    let guid = Guid::from_bytes([2; 16]);
    assert_eq!(
        key(&wbem).unwrap(),
        Some((
            provider,
            Key {
                guid,
                id: 10,
                version: 3,
                classic: true
            }
        ))
    );
    wbem[0x30] = 3;
    assert_eq!(key(&wbem).unwrap(), None);
    assert!(key(&bytes[..0x6f]).is_err());
}

#[test]
fn counts_and_lengths_of_their_own_level() {
    let properties = [
        (0, [6, 0], 0, 1, 2),     // 0: u16
        (4, [8, 18], 0, 0, 4),    // 1: u32 in hex, as many as 0 says
        (1 | 4, [4, 3], 0, 0, 0), // 2: structures of 4 to 6, as many as 0 says
        (0x30, [1, 0], 0, 2, 5),  // 3: two texts of five characters
        (0, [8, 0], 0, 1, 4),     // 4: u32
        (2, [14, 0], 0, 1, 4),    // 5: as many bytes as 4 says
        (2, [1, 0], 0, 1, 4),     // 6: as many characters as 4 says
    ];
    let schema = lower(&record(&properties, 4), None);
    assert_eq!(schema.problem, None);
    let fields = schema.template.fields();
    assert_eq!(fields.len(), 4);
    assert_eq!(
        (&fields[1].ty, fields[1].repeat, fields[1].format),
        (&FieldType::Unsigned(4), Repeat::Field(0), Format::Hex)
    );
    assert_eq!(
        (&fields[3].ty, fields[3].repeat),
        (&FieldType::Utf16(Size::Fixed(5)), Repeat::Fixed(2))
    );
    assert_eq!(fields[2].repeat, Repeat::Field(0));
    let FieldType::Struct(members) = &fields[2].ty else {
        unreachable!("{:?}", fields[2])
    };
    let types: Vec<_> = members.fields().iter().map(|field| field.ty.clone()).collect();
    assert_eq!(
        types,
        [
            FieldType::Unsigned(4),
            FieldType::Bytes(Size::Field(0)),
            FieldType::Utf16(Size::Field(0))
        ]
    );
}

#[test]
fn references_that_lead_nowhere_end_the_fields() {
    let fields = |properties: &[Property], top| {
        let schema = lower(&record(properties, top), None);
        (schema.template.fields().len(), schema.problem)
    };
    let reference = |to| {
        Some(SchemaProblem::Reference {
            field: "Field".to_owned(),
            to: format!("property {to}"),
        })
    };
    assert_eq!(fields(&[(0, [6, 0], 0, 1, 2), (4, [4, 0], 0, 1, 1)], 2), (1, reference(1)));
    assert_eq!(fields(&[(0, [6, 0], 0, 1, 2), (2, [14, 0], 0, 1, 9)], 2), (1, reference(9)));
    let unknown = SchemaProblem::FieldType {
        field: "Field".to_owned(),
        found: "TdhIntype(999)".to_owned(),
    };
    assert_eq!(fields(&[(0, [999, 0], 0, 1, 2)], 1), (0, Some(unknown)));
    // A structure of itself, and structures of the same members again and again.
    assert_eq!(fields(&[(1, [0, 1], 0, 1, 0)], 1).1, Some(SchemaProblem::Inflated));
    let again: Vec<Property> = (0..500).map(|_| (1, [400, 100], 0, 1, 0)).collect();
    let schema = lower(&record(&again, 500), None);
    assert!(schema.template.fields().len() <= 500 && schema.problem.is_some());
    assert_eq!(fields(&[(0, [6, 0], 0, 1, 2)], 9), (1, None));
}

#[test]
fn texts_are_not_multiplied() {
    let mut bytes = record(&vec![(0, [4, 0], 0, 1, 1); 1000], 1000);
    let at = bytes.len();
    bytes.extend([b'x', 0].repeat(10_000));
    for property in 0..1000 {
        bytes[0x70 + 24 * property + 4..][..4].copy_from_slice(&u32::try_from(at).unwrap().to_le_bytes());
    }
    let schema = lower(&bytes, None);
    assert_eq!(schema.problem, Some(SchemaProblem::Inflated));
    assert!(schema.template.fields().iter().map(|field| field.name.len()).sum::<usize>() <= bytes.len());
}

#[test]
fn maps_name_values() {
    let info = |flag: u32| {
        let mut bytes = [9; 16].to_vec();
        let words = [0x20, flag, 2, 0, 0x24, 5, 0x28, 1];
        bytes.extend(words.iter().flat_map(|word: &u32| word.to_le_bytes()));
        bytes.extend("M\0B\0A \0".encode_utf16().flat_map(u16::to_le_bytes));
        bytes
    };
    let (provider, found) = map(&info(1)).unwrap().unwrap();
    assert_eq!(provider, Guid::from_bytes([9; 16]));
    assert_eq!(
        found,
        ValueMap::new("M".to_owned(), false, vec![(1, "A".to_owned()), (5, "B".to_owned())])
    );
    assert!(map(&info(2)).unwrap().unwrap().1.is_bitmap);
    assert_eq!(map(&info(4)).unwrap(), None);
    assert!(map(&info(1)[..30]).is_err());
    let mut maps = Maps::default();
    assert!(maps.insert(found.clone()) && !maps.insert(found));
    let property = (0, [8, 0], offset("M\0", 2), 1, 4);
    let schema = lower(&record(&[property, (0, [12, 0], offset("M\0", 2), 1, 8)], 2), Some(&maps));
    let names: Vec<_> = schema
        .template
        .fields()
        .iter()
        .map(|field| matches!(&field.names, Names::Map(map) if map.name == "M"))
        .collect();
    assert_eq!(names, [true, false]);
}

#[test]
fn records_cut_anywhere_and_changed_anywhere() {
    let bytes = record(&[(0, [6, 0], 0, 1, 2), (4, [4, 0], 0, 0, 1), (1, [0, 2], 0, 1, 0)], 3);
    for length in 0..bytes.len() {
        let schema = lower(&bytes[..length], None);
        assert!(schema.template.fields().len() <= 3);
        assert_eq!(schema.template.fields().is_empty(), length < 0x70 + 3 * 24, "{length}");
    }
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            assert!(lower(&bytes, None).template.fields().len() <= 3);
            assert!(map(&bytes).is_ok_and(|map| map.is_none_or(|map| map.1.entries.len() < 100)) || map(&bytes).is_err());
        }
    }
}
