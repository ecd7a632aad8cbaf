//! What is made from the definitions of the arguments: completions, manual pages, help, and what is said of mistakes.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::ffi::OsString;

fn run(args: &[&str]) -> (u8, String, String) {
    let args = std::iter::once("winetl").chain(args.iter().copied()).map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = winetl_cli::run(args, &mut std::io::empty(), &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status, text(stdout), text(stderr))
}

#[test]
fn mistakes_are_answered_with_what_was_meant() {
    let mistakes = [
        &["dmp", "x.etl"][..],
        &["dump", "--folow", "x.etl"],
        &["dump", "--format", "jsnl", "x.etl"],
        &["dump", "--jobs", "many", "x.etl"],
        &["schema", "lst"],
        &["dump", "-q", "-v", "x.etl"],
    ];
    let said = mistakes.map(|args| {
        let (status, out, errors) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        format!("$ winetl {}\n{errors}", args.join(" "))
    });
    insta::assert_snapshot!("mistakes", said.join("\n"));
}

#[test]
fn completions_and_manual_page() {
    insta::assert_snapshot!("completions_fish", run(&["completions", "fish"]).1);
    insta::assert_snapshot!("man_dump", run(&["man", "dump"]).1);
    // All shells have every command.
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (status, script, _) = run(&["completions", shell]);
        assert_eq!(status, 0);
        for command in ["dump", "info", "stats", "buffers", "schema"] {
            assert!(script.contains(command), "{shell} lacks {command}");
        }
    }
}

#[test]
fn long_help_of_every_command_has_examples() {
    for command in ["dump", "info", "stats", "buffers", "schema", "completions", "man"] {
        let (_, help, _) = run(&[command, "--help"]);
        assert!(
            help.contains(&format!("Examples:\n  winetl {command} ")) || help.contains("Examples:\n  winetl man | "),
            "{help}"
        );
    }
}
