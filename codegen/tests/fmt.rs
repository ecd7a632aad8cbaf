//! The formatter: the shipped files have the form, damaged ones get it back, and no data or comment is ever lost.
#![cfg(feature = "fmt")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;

use proptest::prelude::*;
use winetl_codegen::SourceSet;
use winetl_codegen::fmt::{Kind, format};

fn folder(name: &str) -> SourceSet {
    SourceSet::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The schema of the project, and the small one of the tests.
fn shipped() -> SourceSet {
    let mut sources = folder("../schema");
    sources.files.extend(folder("tests/features").files);
    sources
}

fn formatted(text: &str) -> String {
    format(text).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"))
}

#[test]
fn shipped_files_have_the_form() {
    for file in shipped().files {
        let form = formatted(&file.text.replace("\r\n", "\n"));
        let difference = file.text.lines().zip(form.lines()).find(|(is, ought)| is != ought);
        assert!(
            form == file.text.replace("\r\n", "\n"),
            "{}: {difference:?}; to mend it: winetl schema fmt --schema schema",
            file.name
        );
    }
}

#[test]
fn every_rule_at_work() {
    let before = "\u{feff}# Head.\r
\r
sources: [ {title: 'A page' ,   id: a,kind: observed } ]   # of facts\r
title:   Queues\r
\r
\r
\r
# Of queues.\r
structures:\r
# Begins.\r
-   size:    0x0c   # twelve
    name: QUEUE
    doc: >-   # said
         Two
         lines.

    # The fields.
    fields:
    - { type: u32, name: A, # inside
        offset: 0x0a,
        doc: \"one
     and two\" }
    -
      # Above the second.
      type: u32
      # Above the name.
      name: B
      unknown: 'it''s \"it\"'
      doc: plain

        text
    vectors: [{expect: {Z: 1, A: 0xfF}, bytes: '0a', doc: x}]
  # Foot.
";
    let after = "# Head.

title: Queues
sources: [{id: a, kind: observed, title: \"A page\"}] # of facts

# Of queues.
structures:
  # Begins.
  - name: QUEUE
    size: 0x0C # twelve
    doc: >- # said
      Two
      lines.

    # The fields.
    fields:
      # inside
      - {name: A, offset: 0x0A, type: u32, doc: \"one
        and two\"}
      # Above the second.
      # Above the name.
      - name: B
        type: u32
        doc: plain

          text
        unknown: 'it''s \"it\"'
    vectors: [{doc: x, bytes: \"0a\", expect: {Z: 1, A: 0xFF}}]
# Foot.
";
    assert_eq!(formatted(before), after);
    assert_eq!(formatted(after), after);
}

#[test]
fn what_has_no_form_is_refused_with_its_place() {
    for (text, place, reason) in [
        ("title: &a x\n", "1:8", "an anchor"),
        ("title: x\ndoc: *a\n", "2:6", "not valid YAML"),
        ("title: !!str x\n", "1:8", "a tag"),
        ("title: |+\n  x\n\n", "2:3", "a block text"),
        ("title: |2\n  x\n", "2:3", "a block text"),
        ("sources: [a: b]\n", "1:11", "a pair without braces"),
        ("? [a]\n: b\n", "1:3", "a key that is no word"),
        ("title: a\n---\ntitle: b\n", "", "not valid YAML"),
        ("title: \"a\ndoc: b\n", "", "not valid YAML"),
        ("title: a\ntitle: b\n", "", "not valid YAML"),
    ] {
        let refusal = format(text).unwrap_err();
        let shown = refusal.to_string();
        assert!(shown.contains(reason), "{text:?}: {shown}");
        assert!(
            place.is_empty() || shown.starts_with(&format!("{place}: ")),
            "{text:?}: {shown}"
        );
        assert!(refusal.line > 0 && refusal.column > 0, "{text:?}: {shown}");
    }
}

#[test]
fn deep_and_repeated_nodes_are_refused_in_time() {
    let mut bomb = "a0: &a0 [x]\n".to_owned();
    for level in 1..10 {
        let list = vec![std::format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&std::format!("a{level}: &a{level} [{list}]\n"));
    }
    for text in [std::format!("title: {}", "[".repeat(100_000)), "- ".repeat(100_000), bomb] {
        assert!(format(&text).is_err());
    }
}

#[test]
fn the_order_names_every_key_of_the_language() {
    let schema: serde_json::Value = serde_json::from_str(&winetl_codegen::json_schema::text().unwrap()).unwrap();
    for &kind in Kind::ALL {
        let name = std::format!("{kind:?}");
        let definition = if kind == Kind::File {
            &schema
        } else {
            &schema["$defs"][&name]
        };
        let object = definition["anyOf"].as_array().map_or(definition, |kinds| {
            kinds.iter().find(|node| node["properties"].is_object()).unwrap()
        });
        let mut known: Vec<&str> = object["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let mut ordered = kind.keys().to_vec();
        known.sort_unstable();
        ordered.sort_unstable();
        assert_eq!(ordered, known, "{name}");
    }
    // And every map of the language has an order.
    let maps = schema["$defs"].as_object().unwrap().iter();
    for (name, _) in maps.filter(|(_, definition)| definition["properties"].is_object()) {
        assert!(Kind::ALL.iter().any(|kind| std::format!("{kind:?}") == *name), "{name}");
    }
}

/// Changes of the form alone, each chosen by a number.
fn mangled(text: &str, choices: &[u8]) -> String {
    let mut choices = choices.iter().copied().cycle();
    let mut choose = move |limit: u8| choices.next().unwrap_or(0) % limit;
    let mut out = String::new();
    let wide = choose(3) == 0;
    let crlf = choose(2) == 0;
    let mut in_block = None;
    let mut in_quotes = false;
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        let mut line = line.to_owned();
        let begins_in_quotes = in_quotes;
        in_quotes ^= line.replace("\\\"", "").matches('"').count() % 2 == 1;
        if in_block.is_some_and(|block| depth > block) {
            // Inside a block text only the depth is form.
        } else if begins_in_quotes {
            line = std::format!("{}{line}", " ".repeat(choose(3).into()));
        } else {
            in_block = (line.ends_with(">-") || line.ends_with("|-") || line.ends_with('|')).then_some(depth);
            let trimmed = line.trim_start();
            if let Some((before, braces)) = trimmed
                .split_once('{')
                .filter(|(before, _)| before.trim_end_matches("- ").is_empty())
                && !braces.contains(['{', '[', '"', '\\'])
                && let Some(inside) = braces.strip_suffix('}')
                && choose(2) == 0
            {
                // Another order of the keys, with other blanks.
                let mut parts: Vec<&str> = inside.split(", ").collect();
                let turn = usize::from(choose(8)) % parts.len();
                parts.rotate_left(turn);
                let comma = ["  ,  ", ",", " , "][usize::from(choose(3))];
                let comma = if comma == "," { ", " } else { comma };
                line = std::format!("{}{before}{{ {} }}", " ".repeat(depth), parts.join(comma));
            }
            if choose(4) == 0 {
                line = lower_hex(&line);
            }
            if choose(4) == 0 && !in_quotes && !line.contains(['#', '"', '\'']) && in_block.is_none() {
                line = line.replacen(": ", ":   ", 1);
            }
            if choose(6) == 0 && !in_quotes && in_block.is_none() {
                line.push_str(&" ".repeat(choose(4).into()));
            }
        }
        if wide {
            let depth = line.len() - line.trim_start().len();
            line = std::format!("{}{line}", " ".repeat(depth));
            // The dash takes a wider step with it.
            if let Some((before, item)) = line.split_once("- ").filter(|(before, _)| before.trim().is_empty()) {
                line = std::format!("{before}-   {item}");
            }
        }
        out.push_str(&line);
        out.push_str(if crlf { "\r\n" } else { "\n" });
    }
    out.push_str(&"\n".repeat(choose(3).into()));
    out
}

/// Hex digits of plain numbers in small letters; a line with text in quotes is left alone.
fn lower_hex(line: &str) -> String {
    if line.contains('"') {
        return line.to_owned();
    }
    let mut parts = line.split(": 0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
        out.push_str(": 0x");
        out.push_str(&part[..end].to_ascii_lowercase());
        out.push_str(&part[end..]);
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mangled_files_get_their_form_back(pick in any::<prop::sample::Index>(), choices in prop::collection::vec(any::<u8>(), 1..200)) {
        let files = shipped().files;
        let file = pick.get(&files);
        let text = file.text.replace("\r\n", "\n");
        let mangled = mangled(&text, &choices);
        let form = format(&mangled);
let form = form.map_err(|refusal| TestCaseError::fail(std::format!("{}: {refusal}\n{mangled}", file.name)))?;
        let difference = text.lines().zip(form.lines()).find(|(ought, is)| ought != is);
        prop_assert!(form == text, "{}: {:?}", file.name, difference);
    }

    #[test]
    fn comments_are_kept_wherever_they_are(pick in any::<prop::sample::Index>(), places in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..8)) {
        let files = shipped().files;
        let file = pick.get(&files);
        let text = file.text.replace("\r\n", "\n");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut tried = Vec::new();
        for (number, (place, alone)) in places.iter().enumerate() {
            let at = place.index(lines.len());
            let mut with = lines.clone();
            let comment = std::format!("# remark {number} {{'\": -");
            if *alone {
                with.insert(at, comment.clone());
            } else {
                with[at].push(' ');
                with[at].push_str(&comment);
            }
            // Inside a text it is no comment: then the data differs.
            let value = |lines: &[String]| serde_yaml::from_str::<serde_yaml::Value>(&lines.join("\n")).ok();
            if value(&with) == value(&lines) {
                lines = with;
                tried.push(comment);
            }
        }
        let text = lines.join("\n") + "\n";
        let form = format(&text).map_err(|refusal| TestCaseError::fail(std::format!("{}: {refusal}", file.name)))?;
        for comment in tried {
            prop_assert_eq!(form.matches(&comment).count(), 1, "{}", comment);
        }
        prop_assert_eq!(format(&form), Ok(form));
    }

    #[test]
    fn any_text_is_formatted_to_the_same_data_or_refused(text in "[ \n#:,{}\\[\\]\"'>|&*!?0xaF-]{0,60}") {
        if let Ok(form) = format(&text) {
            let value = |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).ok();
            prop_assert_eq!(value(&text), value(&form));
            prop_assert_eq!(format(&form), Ok(form));
        }
    }
}
