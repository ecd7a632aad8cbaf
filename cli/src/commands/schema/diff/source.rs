//! Where a schema that is compared comes from.

use std::path::{Path, PathBuf};

use winetl_codegen::load::base::BUILTIN;
use winetl_codegen::render::render_all;
use winetl_codegen::{Schema, SourceSet, compile, has_errors};

use super::git;
use crate::commands::Streams;
use crate::commands::schema::{FOLDER, built_in_sources, read, style};

/// What begins the name of a revision.
const GIT: &str = "git:";

/// A schema as the command line names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The one that was built in.
    BuiltIn,
    /// A folder of a revision of the repository around the current folder.
    Git {
        /// The revision.
        revision: String,
        /// The folder, from the top of the repository.
        folder: String,
    },
    /// A folder or a single file.
    Path(PathBuf),
}

impl Source {
    /// Reads a name: `builtin`, `git:REV`, `git:REV:FOLDER`, else a path. A folder with such a name is written `./builtin`.
    pub(super) fn parse(text: &str) -> Self {
        if text == BUILTIN {
            return Self::BuiltIn;
        }
        let Some(revision) = text.strip_prefix(GIT) else {
            return Self::Path(text.into());
        };
        let (revision, folder) = revision.split_once(':').unwrap_or((revision, FOLDER));
        Self::Git {
            revision: revision.to_owned(),
            folder: folder.trim_matches('/').to_owned(),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::BuiltIn => BUILTIN.to_owned(),
            Self::Git { revision, .. } => format!("{GIT}{revision}"),
            Self::Path(path) => path.display().to_string(),
        }
    }
}

/// The schema; `None` if it can't be used, and then it was said why and of which side.
pub(super) fn load(source: &Source, side: &str, streams: &mut Streams<'_>) -> Option<Schema> {
    let sources = match source {
        Source::BuiltIn => Ok(built_in_sources()),
        Source::Path(path) => read(path),
        Source::Git { revision, folder } => match git::read_with_bases(Path::new("."), revision, folder) {
            Ok(sources) => Ok(sources),
            Err(problem) => {
                streams
                    .messages
                    .unusable(&source.name(), &format!("cannot read the {side} schema: {problem}"));
                return None;
            }
        },
    };
    let (sources, schema, problems) = match sources {
        Ok(sources) => {
            let (schema, problems) = compile(&sources);
            (sources, schema, problems)
        }
        Err(problems) => (SourceSet::default(), Schema::default(), problems),
    };
    if !has_errors(&problems) {
        return Some(schema);
    }
    streams
        .messages
        .unusable(&source.name(), &format!("the {side} schema cannot be used:"));
    let text = render_all(&sources, &problems, style(streams));
    streams.messages.block(&text);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let git = |revision: &str, folder: &str| Source::Git {
            revision: revision.to_owned(),
            folder: folder.to_owned(),
        };
        assert_eq!(Source::parse("builtin"), Source::BuiltIn);
        assert_eq!(Source::parse("./builtin"), Source::Path("./builtin".into()));
        assert_eq!(Source::parse("git:HEAD~2"), git("HEAD~2", "schema"));
        assert_eq!(Source::parse("git:v1.0:other/yaml/"), git("v1.0", "other/yaml"));
        assert_eq!(Source::parse("git:"), git("", "schema"));
        assert_eq!(Source::parse("a.yaml"), Source::Path("a.yaml".into()));
    }
}
