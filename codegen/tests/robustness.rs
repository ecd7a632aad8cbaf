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
    assert!(begun.elapsed() < Duration::from_secs(60), "{what} took {:?}", begun.elapsed());
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

/// Writes files into a folder and reads it as a schema, as the command line does.
fn read_folder(files: &[(&str, &[u8])]) -> Result<SourceSet, Vec<winetl_codegen::Diagnostic>> {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    SourceSet::read(folder.path())
}

#[test]
fn any_bytes_are_reported() {
    let mut random = Random(7);
    for round in 0..300 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        match read_folder(&[("a.yaml", &bytes), ("b.yaml", b"title: b\n")]) {
            Ok(sources) => {
                assert!(std::str::from_utf8(&bytes).is_ok());
                survives(&sources, &format!("bytes {round}"));
            }
            Err(problems) => {
                // Only the file that is not UTF-8 is named.
                let [problem] = problems.as_slice() else {
                    panic!("{problems:?}")
                };
                assert_eq!(problem.code, Code::Unreadable);
                assert!(problem.message.contains("a.yaml"), "{problem}");
            }
        }
    }
}

#[test]
fn files_that_share_a_name_are_told_apart() {
    let text = |name: &str| {
        format!(
            "title: A\nsources: [{{id: s, kind: observed, title: S}}]\nenums:\n  - {{name: {name}, type: u8, doc: A., sources: [s], values: [{{value: 0, name: {name}_0}}]}}\n"
        )
    };
    let [one, two] = [text("ONE"), text("TWO")];
    // The same name in two folders is no clash: the modules differ.
    let sources = read_folder(&[("a.yaml", one.as_bytes()), ("kernel/a.yaml", two.as_bytes())]).unwrap();
    assert_eq!(compile(&sources).1, []);
    // Names that become one module are reported at the second file, as is a whole file that is there twice.
    for (first, second) in [
        ("kernel_a.yaml", "kernel/a.yaml"),
        ("a.yaml", "a.yaml"),
        ("events.yaml", "b.yaml"),
    ] {
        let sources = SourceSet::from_texts("schema", [(first, one.as_str()), (second, two.as_str())]);
        let (_, problems) = compile(&sources);
        let [problem] = problems.as_slice() else {
            panic!("{problems:?}")
        };
        assert_eq!(problem.code, Code::DuplicateName, "{problem}");
        let at = position(&sources, &problem.labels[0]);
        assert!(at.file.ends_with(".yaml") && at.line > 0, "{at:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_link_to_nothing_and_a_loop_of_links_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), "title: a\n").unwrap();
    std::os::unix::fs::symlink(folder.path().join("absent"), folder.path().join("b.yaml")).unwrap();
    let problems = SourceSet::read(folder.path()).unwrap_err();
    let [problem] = problems.as_slice() else {
        panic!("{problems:?}")
    };
    assert_eq!(problem.code, Code::Unreadable);
    assert!(problem.message.contains("b.yaml"), "{problem}");
    std::fs::remove_file(folder.path().join("b.yaml")).unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
    // Each turn of the loop is another path to the same file, up to the depth that is read.
    let begun = Instant::now();
    let sources = SourceSet::read(folder.path()).unwrap();
    assert!(sources.files.len() <= 17 && begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let broken = |name: &str| format!("title: {name}\nstructures:\n  - {{nam: A}}\n");
    let [one, two] = [broken("a"), broken("b")];
    let sources = SourceSet::from_texts("schema", [("a.yaml", one.as_str()), ("b.yaml", two.as_str())]);
    let found: Vec<(Code, String, usize)> = compile(&sources)
        .1
        .iter()
        .map(|problem| (problem.code, position(&sources, &problem.labels[0])))
        .map(|(code, at)| (code, at.file, at.line))
        .collect();
    assert_eq!(
        found,
        [
            (Code::UnknownKey, "schema/a.yaml".to_owned(), 3),
            (Code::UnknownKey, "schema/b.yaml".to_owned(), 3)
        ]
    );
    // In one file all that is wrong in content, in the order of the lines.
    let text = "title: A\nsources: [{id: traces, kind: observed, title: S}]\nstructures:\n  - name: HEAD\n    size: 4\n    doc: A.\n    sources: [tarces]\n    fields:\n      - {name: First, offset: 0, type: u23, doc: A.}\n      - {name: Second, offset: 2, type: u16, role: event_sise, doc: A.}\n      - {name: Third, type: HAED, doc: A.}\n";
    let sources = SourceSet::from_texts("schema", [("a.yaml", text)]);
    let problems = compile(&sources).1;
    let texts = render_all(&sources, &problems, Style::Plain);
    for (code, line, help) in [
        (Code::UnknownSource, 7, "did you mean `traces`?"),
        (Code::UnknownType, 9, "did you mean `u32`?"),
        (Code::UnknownRole, 10, "did you mean `event_size`?"),
        (Code::UnknownType, 11, "did you mean `HEAD`?"),
    ] {
        let found = problems
            .iter()
            .find(|problem| problem.code == code && position(&sources, &problem.labels[0]).line == line);
        let help_found = found.and_then(|problem| problem.help.as_deref());
        assert_eq!(help_found, Some(help), "{texts}");
    }
}

#[test]
fn long_names_and_many_mistakes_take_no_long_time() {
    let long = "A".repeat(300_000);
    let head = "title: A\nsources: [{id: s, kind: observed, title: S}]\n";
    let names = format!(
        "{head}enums:\n  - {{name: {long}, type: u8, doc: A., sources: [s]}}\nstructures:\n  - {{name: B, size: 1, doc: A., sources: [s], fields: [{{name: C, offset: 0, type: {long}B, doc: A.}}]}}\n"
    );
    let keys = format!("{head}{long}: 1\n");
    let many: String = (0..3_000)
        .map(|number| format!("  - {{name: N{number}, size: 1, doc: A., sources: [s], fields: [{{name: C, offset: 0, type: M{number}, doc: A.}}]}}\n"))
        .collect();
    let many = format!("{head}structures:\n{many}");
    for (what, text) in [("names", names), ("keys", keys), ("many", many)] {
        let sources = SourceSet::from_texts("schema", [("a.yaml", text.as_str())]);
        let begun = Instant::now();
        let (_, problems) = compile(&sources);
        assert!(has_errors(&problems), "{what}");
        let says_more = problems.iter().any(|problem| {
            problem
                .help
                .as_deref()
                .is_some_and(|help| help.contains("more problems are not shown"))
        });
        assert_eq!(says_more, what == "many");
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} took {:?}", begun.elapsed());
    }
}
