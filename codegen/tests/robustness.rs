//! Damaged schemas: every mistake is reported where it stands, and nothing makes the compiler panic or hang.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use winetl_codegen::codes::Code;
use winetl_codegen::render::{Style, position, render, render_all};
use winetl_codegen::{Severity, SourceSet, compile, has_errors};

/// The schema of the project.
fn shipped() -> SourceSet {
    SourceSet::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")).unwrap()
}

#[test]
fn the_shipped_schema_has_no_problems() {
    let sources = shipped();
    let (_, problems) = compile(&sources);
    assert_eq!(render_all(&sources, &problems, Style::Plain), "");
}

/// A number in a field's offset.
struct Offset {
    /// Where its digits stand, without `0x`.
    digits: Range<usize>,
    number: u64,
    /// Where the value of `offset` begins: the number itself, or the map for both pointer sizes.
    value: usize,
}

/// Every number that says where a field is.
fn offsets(text: &str) -> Vec<Offset> {
    let mut found = Vec::new();
    let mut in_fields = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        // Sections stand at the margin, keys of a structure four blanks deep.
        let indent = line.len() - line.trim_start().len();
        if indent == 4 && !line.trim_start().starts_with('-') {
            in_fields = line.trim_start().starts_with("fields:");
        } else if indent < 4 {
            in_fields = false;
        }
        if in_fields && let Some(at) = line.find("offset: ") {
            let value = at + "offset: ".len();
            let end = match line[value..].strip_prefix('{') {
                Some(map) => value + map.find('}').unwrap() + 1,
                None => value + "0x".len() + line[value + 2..].find(|c: char| !c.is_ascii_hexdigit()).unwrap(),
            };
            for (hex, _) in line[value..end].match_indices("0x") {
                let from = value + hex + "0x".len();
                let to = from + line[from..].find(|c: char| !c.is_ascii_hexdigit()).unwrap();
                let number = u64::from_str_radix(&line[from..to], 16).unwrap();
                found.push(Offset {
                    digits: start + from..start + to,
                    number,
                    value: start + value,
                });
            }
        }
        start += line.len();
    }
    found
}

#[test]
fn every_field_moved_by_a_byte_is_reported_in_its_file() {
    let sources = shipped();
    let mut moved = 0;
    for (index, file) in sources.files.iter().enumerate() {
        for Offset { digits, number, value } in offsets(&file.text) {
            let mut changed = sources.clone();
            changed.files[index]
                .text
                .replace_range(digits, &format!("{:02X}", number + 1));
            let (_, problems) = compile(&changed);
            let text = render_all(&changed, &problems, Style::Plain);
            let before = &file.text[..value];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            // One mistake, one report, at the number that was changed.
            let [problem] = problems.as_slice() else {
                panic!("{}:{line}: {} problems\n{text}", file.name, problems.len())
            };
            assert!(matches!(problem.code, Code::Gap | Code::Overlay), "{text}");
            let at = position(&changed, &problem.labels[0]);
            assert!(at.file.ends_with(&file.name), "{text}");
            assert_eq!((at.line, at.column), (line, column), "{text}");
            moved += 1;
        }
    }
    assert!(moved > 200, "only {moved} offsets were found");
}

/// A small generator of numbers, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Compiles and shows all problems; the time must stay short.
fn survives(sources: &SourceSet, what: &str) {
    let begun = Instant::now();
    let (_, problems) = compile(sources);
    for problem in problems.iter().take(20) {
        let text = render(sources, problem, Style::Plain);
        assert!(text.contains(problem.code.as_str()), "{text}");
        if problem.severity() == Severity::Error {
            assert!(position(sources, &problem.labels[0]).line > 0, "{what}: no position\n{text}");
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{what} took {:?}", begun.elapsed());
}

#[test]
fn truncated_schemas_are_reported() {
    // Each file alone: what it names in the others is then unknown as well.
    for file in shipped().files {
        for length in (0..file.text.len())
            .step_by(64)
            .filter(|length| file.text.is_char_boundary(*length))
        {
            let sources = SourceSet::from_texts("schema", [(file.name.as_str(), &file.text[..length])]);
            survives(&sources, &format!("{} cut to {length} bytes", file.name));
        }
    }
}

#[test]
fn damaged_schemas_are_reported() {
    const BYTES: &[u8] = b" \n\t:-,{}[]\"'#&*!|>%@0x9azA_.?\xc3\xa9";
    let sources = shipped();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..400 {
        let mut changed = sources.clone();
        let file = random.below(changed.files.len());
        let mut bytes = changed.files[file].text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = BYTES[random.below(BYTES.len())],
                1 => bytes.insert(at, BYTES[random.below(BYTES.len())]),
                _ => {
                    bytes.drain(at..(at + random.below(40)).min(bytes.len()));
                }
            }
        }
        changed.files[file].text = String::from_utf8_lossy(&bytes).into_owned();
        survives(&changed, &format!("damage {round}"));
    }
}

#[test]
fn swapped_lines_are_reported() {
    let sources = shipped();
    let mut random = Random(42);
    for round in 0..100 {
        let mut changed = sources.clone();
        let file = random.below(changed.files.len());
        let mut lines: Vec<&str> = sources.files[file].text.split_inclusive('\n').collect();
        let (a, b) = (random.below(lines.len()), random.below(lines.len()));
        lines.swap(a, b);
        changed.files[file].text = lines.concat();
        survives(&changed, &format!("swap {round}"));
    }
}

#[test]
fn odd_texts_are_reported() {
    for text in [
        "",
        "\n",
        "#",
        "---",
        "...",
        "title",
        "title:",
        "[]",
        "{}",
        "- a",
        "title: a\n---\ntitle: b\n",
        "\u{feff}title: a",
        "title: é\nfoo: 1",
        "title: &a [*a]",
        "? a\n: b",
        "title: !!binary aGk=",
        "title: a\nstructures: *x",
        "title: \"",
        "title: 'é",
        "é",
        "\t",
        "\0",
        "title: a\r\nstructures: 1\r\n",
    ] {
        let sources = SourceSet::from_texts("", [("a.yaml", text)]);
        let (_, problems) = compile(&sources);
        let _ = render_all(&sources, &problems, Style::Plain);
        let titled = text.starts_with("title: !!") || text.starts_with("\u{feff}");
        assert!(titled || has_errors(&problems) || text == "title:", "{text:?} was taken");
    }
}

#[test]
fn deep_and_repeated_nodes_are_refused() {
    let deep = format!("title: {}", "[".repeat(2_000));
    // Aliases of aliases: 10^9 nodes if they were all made.
    let mut bomb = "title: a\nenums:\n  - &a0 {name: x, type: u8}\n".to_owned();
    for level in 1..10 {
        let list = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("  - &a{level} [{list}]\n"));
    }
    for text in [deep, bomb] {
        let sources = SourceSet::from_texts("", [("a.yaml", text.as_str())]);
        let begun = Instant::now();
        assert!(has_errors(&compile(&sources).1));
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
