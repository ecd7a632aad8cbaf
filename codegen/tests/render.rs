//! Positions and the shown text, where the text is not plain.

use winetl_codegen::SourceSet;
use winetl_codegen::codes::Code;
use winetl_codegen::diagnostic::{Diagnostic, Label, Place, Target};
use winetl_codegen::render::{Position, Style, position, render};

const TEXT: &str = "title: \"Größe — 大きさ\"\nsources: [ä, {id: \"ö\", kind: é}]\ndoc: 'it''s'\n";

fn sources() -> SourceSet {
    SourceSet::from_texts("schema/", [("größe.yaml", TEXT)])
}

fn at(target: Target) -> (usize, usize) {
    let Position { file, line, column, .. } = position(
        &sources(),
        &Label {
            target,
            text: String::new(),
        },
    );
    assert_eq!(file, "schema/größe.yaml");
    (line, column)
}

#[test]
fn columns_count_characters() {
    let sources = Place::file(0).key("sources");
    assert_eq!(at(Target::Node(Place::file(0).key("title"))), (1, 8));
    assert_eq!(at(Target::Node(sources.index(0))), (2, 11));
    assert_eq!(at(Target::Node(sources.index(1).key("id"))), (2, 19));
    assert_eq!(at(Target::Node(sources.index(1).key("kind"))), (2, 30));
    assert_eq!(at(Target::Key(sources.index(1).key("kind"))), (2, 24));
    // A key that is not there: the map above it.
    assert_eq!(at(Target::Node(sources.index(1).key("url"))), (2, 14));
    assert_eq!(at(Target::Key(sources.index(1).key("url"))), (2, 14));
}

#[test]
fn bytes_within_characters_are_rounded_down() {
    let inside = TEXT.find('ö').map_or(0, |at| at + 1);
    assert_eq!(at(Target::Byte { file: 0, at: inside }), (1, 11));
    assert_eq!(at(Target::Byte { file: 0, at: 0 }), (1, 1));
    // Beyond the end: the place where a next line would begin.
    assert_eq!(at(Target::Byte { file: 0, at: usize::MAX }), (4, 1));
}

#[test]
fn parts_of_a_text_are_found_behind_its_quote() {
    let part = |key: &str, at: usize, text: &str| Target::Part {
        place: Place::file(0).key(key),
        at,
        text: text.to_owned(),
    };
    assert_eq!(at(part("title", "Größe ".len(), "—")), (1, 15));
    assert_eq!(
        at(part(
            "title",
            TEXT.lines().next().map_or(0, |line| line.len() - "title: \"\"".len()),
            ""
        )),
        (1, 20)
    );
    // The text reads "it's", which does not stand so in the file: the whole is shown.
    assert_eq!(at(part("doc", 3, "s")), (3, 6));
    assert_eq!(at(part("doc", 0, "it")), (3, 7));
}

#[test]
fn carets_stand_under_wide_characters() {
    let problem = Diagnostic::at(
        Code::WrongShape,
        &Place::file(0).key("sources").index(1).key("id"),
        "wrong",
        "here",
    )
    .and(&Place::file(0).key("title"), "there")
    .help("mend it");
    insta::assert_snapshot!(render(&sources(), &problem, Style::Plain));
}

#[test]
fn colours_only_if_asked_for() {
    let problem = Diagnostic::at(Code::WrongShape, &Place::file(0).key("title"), "wrong", "here");
    assert!(!render(&sources(), &problem, Style::Plain).contains('\u{1b}'));
    assert!(render(&sources(), &problem, Style::Coloured).contains('\u{1b}'));
}

#[test]
fn a_position_ends_behind_its_text() {
    let label = Label {
        target: Target::Node(Place::file(0).key("title")),
        text: String::new(),
    };
    let position = position(&sources(), &label);
    assert_eq!((position.line, position.end_line), (1, 1));
    let text: String = TEXT
        .chars()
        .skip(position.column - 1)
        .take(position.end_column - position.column)
        .collect();
    assert_eq!(text, "\"Größe — 大きさ\"");
}

#[test]
fn places_without_text_are_named() {
    let problem = Diagnostic::new(
        Code::Unreadable,
        Target::Path("a/b.yaml".to_owned()),
        "cannot read a/b.yaml",
        "",
    );
    assert_eq!(
        position(&sources(), &problem.labels[0]),
        Position {
            file: "a/b.yaml".to_owned(),
            line: 0,
            column: 0,
            end_line: 0,
            end_column: 0
        }
    );
    assert_eq!(
        render(&sources(), &problem, Style::Plain),
        "error[E001]: cannot read a/b.yaml"
    );
    // A file that does not exist has no text either.
    let nowhere = Diagnostic::at(Code::WrongShape, &Place::file(9), "wrong", "here");
    assert_eq!(position(&sources(), &nowhere.labels[0]).line, 0);
}

#[test]
fn both_files_of_a_problem_are_shown() {
    let sources = SourceSet::from_texts("schema", [("a.yaml", "title: A\n"), ("b.yaml", "title: B\n")]);
    let problem = Diagnostic::at(Code::DuplicateName, &Place::file(1).key("title"), "twice", "again")
        .and(&Place::file(0).key("title"), "first");
    insta::assert_snapshot!(render(&sources, &problem, Style::Plain));
}
