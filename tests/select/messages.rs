//! What is said of options that cannot be, and of those that choose nothing.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{OPTIONS, run, sample};

#[test]
fn wrong_values() {
    let mut text = String::new();
    for args in [
        ["--provider", "9e814aad-3204-11d2-9a82-006008a8693"],
        ["--provider", "a[b"],
        ["--event", "0x12345"],
        ["--id", "1,x"],
        ["--id", "20-10"],
        ["--opcode", "1-"],
        ["--level", "severe"],
        ["--keyword", "0"],
        ["--pid", "-5"],
        ["--from", "yesterday"],
        ["--from", "+5"],
        ["--to", "2024-02-30T00:00:00Z"],
        ["--activity", "5e7d0004"],
        ["--match", "a(b"],
        ["--match", r"(\w{200}){200}"],
        ["--where", "ProcessId"],
        ["--where", "ProcessId = "],
        ["--where", "ProcessId = 4 || pid = 4"],
        ["--where", "A = C:\\Program Files"],
        ["--where", "A ~ [x"],
        ["--limit", "many"],
    ] {
        let args = ["dump", &format!("{}={}", args[0], args[1]), "trace.etl"];
        let output = run(&args, &[]);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{args:?}");
        let message = output.stderr.split("\n\nFor more information").next().unwrap();
        writeln!(text, "{message}\n").unwrap();
    }
    insta::assert_snapshot!("wrong_values", text);
}

#[test]
fn nothing_chosen() {
    let mut text = String::new();
    let path = sample("hello");
    let path = path.to_str().unwrap();
    for args in [
        &["--provider", "Contoso.Nots"][..],
        &["--provider", "Kernel-Process"],
        &["--provider", "5e7d0001-1111-4111-8111-000000000001"],
        &["--provider", "Contoso.Notes", "--event", "FileOpned"],
        &["--event", "Process/Begin", "--event", "Process/Star"],
        &["--event", "0x0999"],
        &["--process", "note.exe"],
        &["--where", "ProcesId = 4"],
        &["--where", "fields.NoSuchThing = 4 && ProcessId = 1"],
        // What is there, but not together.
        &["--provider", "Contoso.Notes", "--event", "Process/Start"],
        &["--pid", "1"],
        &["--provider", "Nobody", "--count"],
    ] {
        let all: Vec<&str> = ["dump"].iter().chain(args).copied().chain([path]).collect();
        let output = run(&all, &[]);
        assert_eq!(output.status, 0, "{args:?}: {}", output.stderr);
        writeln!(text, "{}", args.join(" ")).unwrap();
        text += &output.stdout;
        text += &output.stderr.replace(path, "hello.etl");
        text += "\n";
    }
    insta::assert_snapshot!("nothing_chosen", text);
}

/// What values are made of: pieces of right ones, and anything else.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "pid",
            "header.",
            "fields.",
            "ProcessId",
            " ",
            "=",
            "!=",
            "<=",
            "~",
            "contains ",
            "&&",
            "||",
            "'",
            "\"",
            "0x",
            "0",
            "12",
            "-",
            ",",
            "+",
            "1.5",
            "s",
            "e5",
            "2024-05-14",
            "T09:30:00",
            "Z",
            "5e7d0004-4444-4444-8444-000000000004",
            "{",
            "}",
            "[",
            "]",
            "*",
            "?",
            "(",
            ")",
            "\\",
            ".",
            "\u{e9}",
            "99999999999999999999",
        ])
        .prop_map(str::to_owned),
        any::<String>().prop_filter("a command line has no zero", |text| !text.contains('\0')),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a value is, it chooses events or is refused with words.
    #[test]
    fn any_value_is_taken_or_refused(option in prop::sample::select(OPTIONS.to_vec()), value in pieces()) {
        let hello = sample("hello");
        let output = run(&["dump", "--count", &format!("{option}={value}"), hello.to_str().unwrap()], &[]);
        match output.status {
            0 => prop_assert!(output.stdout.trim_end().parse::<u64>().is_ok(), "{}", output.stdout),
            status => {
                prop_assert_eq!(status, 2);
                prop_assert!(output.stdout.is_empty() && output.stderr.contains(option), "{}", output.stderr);
            }
        }
    }
}
