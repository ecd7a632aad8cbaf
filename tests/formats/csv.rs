//! CSV against JSON Lines, cell by cell.

use serde_json::Value as Json;

use crate::{events, plain, run, samples};

/// Cells of a line of tracerpt's form: a blank behind each comma, text in quotation marks.
pub(crate) fn spaced(row: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = row.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => cell.extend(characters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => {
                assert!(matches!(characters.next(), None | Some(' ')), "{row}");
                cells.push(std::mem::take(&mut cell));
            }
            other => cell.push(other),
        }
    }
    assert!(!quoted, "{row}");
    cells.push(cell);
    cells
}

#[test]
fn all_cells_are_those_of_json_lines() {
    let keys = "n,file_offset,buffer,buffer_offset,time,raw_time,cpu,pid,tid,header_type,provider_id,provider,class_id,event,id,\
                version,opcode,level,task,keyword,header,extended,fields,decoded_by,undecoded,payload,names";
    let mut cells = 0;
    for path in samples() {
        let text = run(&["dump", "--format", "csv", "--columns", keys, &path]);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let heading = reader.headers().unwrap().clone();
        assert!(heading.iter().eq(keys.split(',')), "{path}");
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let events = events(&path);
        assert_eq!(rows.len(), events.len(), "{path}");
        for (row, event) in rows.iter().zip(&events) {
            for (key, cell) in heading.iter().zip(row) {
                let value = &event[key];
                match value {
                    Json::Object(_) | Json::Array(_) => {
                        assert_eq!(&serde_json::from_str::<Json>(cell).unwrap(), value, "{path}: {key}");
                    }
                    value => assert_eq!(cell, plain(value), "{path}: {key}"),
                }
                cells += 1;
            }
        }
    }
    assert!(cells > 10_000, "{cells}");
}

#[test]
fn fields_have_columns_of_their_own() {
    let path = samples().into_iter().find(|path| path.ends_with("hello.etl")).unwrap();
    let columns = "n,header.ThreadId,fields.ImageFileName,fields.cursor.line,fields.TimeZone";
    let text = run(&["dump", "--format", "csv", "--columns", columns, &path]);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut found = [0; 4];
    for (row, event) in reader.records().map(Result::unwrap).zip(events(&path)) {
        let pointers = [
            "/header/ThreadId",
            "/fields/ImageFileName",
            "/fields/cursor/line",
            "/fields/TimeZone",
        ];
        for (index, pointer) in pointers.iter().enumerate() {
            let expected = event.pointer(pointer).unwrap_or(&Json::Null);
            let cell = &row[index + 1];
            match expected {
                Json::Object(_) => assert_eq!(&serde_json::from_str::<Json>(cell).unwrap(), expected),
                expected => assert_eq!(cell, plain(expected), "{pointer}"),
            }
            found[index] += u32::from(!cell.is_empty());
        }
    }
    assert!(found.iter().all(|count| *count > 0), "{found:?}");
}
