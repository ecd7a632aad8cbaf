//! The recipes of the schema guide do what the guide shows: each is followed in a folder of its own, to the letter.
//!
//! Of a recipe, which is a section of the guide, three kinds of fenced blocks are followed in their order:
//!
//! - `diff`: a change of the file in its first line, as context with lines that go and come; it must fit at one place;
//! - `yaml`: a new file, named in the comment of its first line;
//! - `console`: command lines with all that they print.
//!
//! Afterwards the schema must have no problems and be in the form of `schema fmt`. To write what the commands print now into the
//! guide: `RENEW_RECIPES=1 cargo test -p winetl-tests --test recipes`; then read `git diff`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use winetl_tests::synth::{self, Buffer, Descriptor, Guid, Trace, guid};

const PROVIDER: Guid = guid("b1111111-0001-4b00-8d00-0000000c0de5");

/// A trace with an event of a provider that no schema knows.
fn trace() -> Vec<u8> {
    let payload = [&9_u32.to_le_bytes()[..], b"A\0d\0a\0\0\0"].concat();
    let descriptor = Descriptor {
        id: 1,
        ..Descriptor::default()
    };
    let event = synth::Event::header64(PROVIDER, descriptor)
        .process(4120, 4124)
        .at(Trace::qpc(50))
        .payload(&payload);
    Trace::new64().buffer(Buffer::new(0, 1).event(event)).build()
}

/// Standard output of a command line, which must succeed in silence.
fn run(line: &str) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = line.split_whitespace().map(OsString::from);
    let status = winetl_cli::run(args, &mut std::io::empty(), &mut out, &mut err);
    let out = String::from_utf8(out).unwrap();
    let err = String::from_utf8(err).unwrap();
    assert_eq!((status, err.as_str()), (0, ""), "{line}\n{out}");
    out.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            // Not `fs::copy`, which would keep a mark of files that can't be written.
            fs::write(target, fs::read(&path).unwrap()).unwrap();
        }
    }
}

/// Changes a file as a diff says, and gives its path.
fn apply(diff: &str) -> String {
    let (head, body) = diff.split_once('\n').unwrap();
    let path = head.strip_prefix("--- ").expect("the first line of a diff names the file");
    let side = |leave_out: char| -> String {
        let lines = body.lines().filter(|line| !line.starts_with(leave_out));
        lines
            .map(|line| line.get(1..).unwrap_or_default().to_owned() + "\n")
            .collect()
    };
    let (old, new) = (side('+'), side('-'));
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    assert_eq!(text.matches(&old).count(), 1, "{path} must have this once:\n{old}");
    fs::write(path, text.replace(&old, &new)).unwrap();
    path.to_owned()
}

/// Writes a new file, and gives its path.
fn create(text: &str) -> String {
    let (head, body) = text.split_once('\n').unwrap();
    let path = head.strip_prefix("# ").expect("the first line of a file names it");
    fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
    fs::write(path, body).unwrap();
    path.to_owned()
}

/// The same command lines with what they print.
fn renewed(console: &str) -> String {
    let commands: Vec<&str> = console.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(!commands.is_empty(), "no command in\n{console}");
    commands
        .iter()
        .map(|command| format!("$ {command}\n{}", run(command)))
        .collect()
}

/// Follows a recipe and gives it with fresh output, and how many commands it has.
fn follow(recipe: &str) -> (String, usize) {
    let mut fresh = String::new();
    let mut changed = BTreeSet::new();
    let mut commands = 0;
    let mut rest = recipe;
    while let Some((text, fenced)) = rest.split_once("```") {
        let (kind, fenced) = fenced.split_once('\n').unwrap();
        let (block, after) = fenced.split_once("```").unwrap();
        let block = match kind {
            "console" => {
                let block = renewed(block);
                commands += block.matches("$ winetl ").count();
                block
            }
            "diff" => {
                changed.insert(apply(block));
                block.to_owned()
            }
            "yaml" => {
                changed.insert(create(block));
                block.to_owned()
            }
            other => panic!("no recipe has a block of `{other}`"),
        };
        fresh += &format!("{text}```{kind}\n{block}```");
        rest = after;
    }
    let schemas: BTreeSet<&str> = changed.iter().filter_map(|path| path.split('/').next()).collect();
    for schema in schemas {
        let found = run(&format!("winetl schema check {schema}"));
        assert!(found.contains("no problems"), "{found}");
        let form = run(&format!("winetl schema fmt --check --schema {schema}"));
        assert!(form.contains(", 0 to be formatted"), "{form}");
    }
    (fresh + rest, commands)
}

#[test]
fn the_recipes_of_the_guide_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let path = root.join("schema/README.md");
    let guide = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = guide.split_once("\n## Recipes\n").unwrap();
    let (recipes, after) = rest.split_once("\n## ").unwrap();
    let mut sections = recipes.split("\n### ");
    let mut fresh = format!("{before}\n## Recipes\n{}", sections.next().unwrap());
    let mut count = 0;
    for section in sections {
        let folder = tempfile::tempdir().unwrap();
        copy(&root.join("schema"), &folder.path().join("schema"));
        fs::write(folder.path().join("trace.etl"), trace()).unwrap();
        // The commands name their files as the guide does. This is the only test of its process.
        std::env::set_current_dir(folder.path()).unwrap();
        let (text, commands) = follow(section);
        std::env::set_current_dir(&root).unwrap();
        assert!(commands > 0, "a recipe shows nothing:\n{section}");
        fresh += &format!("\n### {text}");
        count += 1;
    }
    assert!(count >= 9, "only {count} recipes");
    fresh += &format!("\n## {after}");
    if std::env::var_os("RENEW_RECIPES").is_some() {
        fs::write(&path, fresh).unwrap();
        return;
    }
    let differs = guide.lines().zip(fresh.lines()).find(|(old, new)| old != new);
    assert!(
        guide == fresh,
        "the recipes of schema/README.md print something else: {differs:#?}; to renew them: RENEW_RECIPES=1 cargo test -p \
         winetl-tests --test recipes"
    );
}
