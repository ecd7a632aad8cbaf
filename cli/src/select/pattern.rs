//! Names with wildcards, and regular expressions.

use std::str::FromStr;

use globset::GlobBuilder;
use regex::{Regex, RegexBuilder, bytes};

/// Most bytes of a pattern.
const LONGEST: usize = 4096;

/// Most bytes that a compiled pattern takes.
const COMPILED: usize = 4 << 20;

/// A name in any case, with wildcards.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    text: String,
    /// None if there is no wildcard in it.
    glob: Option<bytes::Regex>,
}

impl Pattern {
    pub(crate) fn matches(&self, name: &str) -> bool {
        // Names may have the characters of wildcards in them.
        name.eq_ignore_ascii_case(&self.text) || self.glob.as_ref().is_some_and(|glob| glob.is_match(name.as_bytes()))
    }

    /// The name as it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn has_wildcards(&self) -> bool {
        self.glob.is_some()
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("expected a name, found nothing; * stands for any".to_owned());
        }
        if text.len() > LONGEST {
            return Err(format!("expected at most {LONGEST} bytes, found {}", text.len()));
        }
        let glob = text.contains(['*', '?', '[', '{']).then(|| glob(text)).transpose()?;
        let text = text.to_owned();
        Ok(Self { text, glob })
    }
}

fn glob(text: &str) -> Result<bytes::Regex, String> {
    let expected = "expected a name in which * stands for any characters, ? for one, [a-z] for one of these and {a,b} for either";
    let glob = GlobBuilder::new(text)
        .case_insensitive(true)
        .backslash_escape(true)
        .build()
        .map_err(|error| format!("{}; {expected}", error.kind()))?;
    bytes::RegexBuilder::new(glob.regex())
        .size_limit(COMPILED)
        .build()
        .map_err(|_| format!("too large when compiled; {expected}"))
}

/// A regular expression.
#[derive(Debug, Clone)]
pub(crate) struct Search(Regex);

impl Search {
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl FromStr for Search {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("expected at most {LONGEST} bytes, found {}", text.len()));
        }
        RegexBuilder::new(text)
            .size_limit(COMPILED)
            .build()
            .map(Self)
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(limit) => {
                    format!("expected a regular expression of at most {limit} bytes when compiled: lower its repetitions")
                }
                error => format!("expected a regular expression, such as (?i)error|fail: {error}"),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ignore_case_and_take_wildcards() {
        let matches = |pattern: &str, name: &str| pattern.parse::<Pattern>().unwrap().matches(name);
        for (pattern, name) in [
            ("process/start", "Process/Start"),
            ("Process/*", "process/DCStart"),
            ("*", ""),
            ("*", "a/b\\c"),
            ("Image/?oad", "Image/Load"),
            ("{Image,Process}/Load", "Image/Load"),
            ("T[a-c]cpIp/*", "TbcpIp/Send"),
            // Characters of wildcards in a name.
            ("List[1]", "List[1]"),
            ("a\\*b*", "A*bc"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("Process", "Process/Start"),
            ("Process/?", "Process/Start"),
            ("a\\*b*", "axbc"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn errors_say_what_is_expected() {
        let error = |text: &str| text.parse::<Pattern>().unwrap_err();
        assert!(error("a[b").contains("expected a name in which *"), "{}", error("a[b"));
        assert!(error("").contains("found nothing"));
        assert!(error(&"a".repeat(5000)).contains("at most 4096 bytes, found 5000"));
        let error = |text: &str| text.parse::<Search>().unwrap_err();
        assert!(
            error("a(b").contains("expected a regular expression, such as"),
            "{}",
            error("a(b")
        );
        assert!(
            error(r"(\w{200}){200}").contains("when compiled"),
            "{}",
            error(r"(\w{200}){200}")
        );
        assert!(error(&"a".repeat(5000)).contains("at most 4096"));
    }
}
