//! The examples of the explanations do what they are said to do.

use std::fs;
use std::path::Path;

use winetl_codegen::codes::Code;
use winetl_codegen::compile;
use winetl_codegen::explain::{Example, explain, sources, with_code_list, with_role_table};
use winetl_codegen::render::{Style, render_all};

#[test]
fn a_wrong_example_raises_its_code_once_and_a_right_one_nothing() {
    for &code in Code::ALL {
        let Example::Files { wrong, right } = explain(code).example else {
            // These lie in the folder, not in a text; `diagnostics.rs` tests them with folders.
            assert!(
                matches!(code, Code::Unreadable | Code::NoSchema | Code::BaseTwice),
                "{code} has no files"
            );
            continue;
        };
        assert_ne!(wrong, right, "{code}");
        let files = sources(&right);
        let text = render_all(&files, &compile(&files).1, Style::Plain);
        assert_eq!(text, "", "the right example of {code}");
        let files = sources(&wrong);
        let (_, problems) = compile(&files);
        let text = render_all(&files, &problems, Style::Plain);
        let codes: Vec<Code> = problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, [code], "the wrong example of {code}\n{text}");
    }
}

#[test]
fn every_code_is_explained_in_markdown() {
    for &code in Code::ALL {
        let explanation = explain(code);
        let page = explanation.markdown();
        assert!(page.starts_with(&format!("## {code}: {}\n", code.title())), "{page}");
        assert!(page.contains(code.meaning()) && page.contains(explanation.mend), "{page}");
        assert!(explanation.mend.ends_with('.'), "{code}");
        if let Some(report) = explanation.report(Style::Plain) {
            assert!(report.contains(&format!("[{code}]")) && page.contains(&report), "{page}");
        }
    }
}

#[test]
fn the_list_of_codes_in_the_guide_is_fresh() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/README.md");
    let kept = fs::read_to_string(guide).unwrap_or_default().replace("\r\n", "\n");
    let fresh = with_code_list(&kept).expect("the guide has a place for the list");
    assert!(
        kept == fresh,
        "the list of codes in schema/README.md is old; to renew it: cargo run -p winetl-codegen -- docs"
    );
    assert!(
        Code::ALL
            .iter()
            .all(|code| kept.contains(&format!("| `{code}` | {} |", code.title())))
    );
}

#[test]
fn the_table_of_roles_in_the_guide_is_fresh() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/README.md");
    let kept = fs::read_to_string(guide).unwrap_or_default().replace("\r\n", "\n");
    let fresh = with_role_table(&kept).expect("the guide has a place for the table");
    assert!(
        kept == fresh,
        "the table of roles in schema/README.md is old; to renew it: cargo run -p winetl-codegen -- docs"
    );
    assert!(kept.contains("| `event_size` |") && kept.contains("| `item_has_next` |"));
}
