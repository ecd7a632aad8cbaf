//! Problems found in schema files: what, where, and how to mend it.

use std::fmt;

use crate::codes::Code;

/// One step from a YAML node to a node inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// An element of a list.
    Index(usize),
}

/// A YAML node: a file, and the steps that lead to it from the top of the file.
///
/// Line and column are looked up only when a diagnostic is shown (see [`crate::locate`]), so generated text can't depend
/// on them: a comment added to a schema changes nothing.
///
/// Places are in order of file and steps, so all places within one stand right behind it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index of the file in its [`crate::load::SourceSet`].
    pub file: usize,
    /// Steps from the top of the document.
    pub steps: Vec<Step>,
}

impl Place {
    /// The top of a file.
    pub fn file(file: usize) -> Self {
        Self { file, steps: Vec::new() }
    }

    /// The value of `key` in this node.
    pub fn key(&self, key: &str) -> Self {
        self.then(Step::Key(key.to_owned()))
    }

    /// Element `index` of this node.
    pub fn index(&self, index: usize) -> Self {
        self.then(Step::Index(index))
    }

    /// Whether this node lies in another one.
    pub fn is_within(&self, outer: &Self) -> bool {
        self.file == outer.file && self.steps.starts_with(&outer.steps)
    }

    fn then(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { file: self.file, steps }
    }
}

/// Where a label points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A YAML node.
    Node(Place),
    /// The key of a YAML node: the last step.
    Key(Place),
    /// A part of a YAML node that is text.
    Part {
        /// The node.
        place: Place,
        /// Byte of the text at which the part begins.
        at: usize,
        /// The part itself; empty for the one place between two bytes.
        text: String,
    },
    /// A byte of a file, where the YAML could not be read as a document.
    Byte {
        /// Index of the file.
        file: usize,
        /// Byte from the start of the file.
        at: usize,
    },
    /// A whole file or folder, with no text to show.
    Path(String),
}

/// A place and what is to be seen there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub target: Target,
    /// What is there.
    pub text: String,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Generated all the same.
    Warning,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Number of the kind of problem.
    pub code: Code,
    /// One sentence, naming what is wrong.
    pub message: String,
    /// Where it is; the first label is the main one.
    pub labels: Vec<Label>,
    /// How to mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A problem at a YAML node.
    pub fn at(code: Code, place: &Place, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self::new(code, Target::Node(place.clone()), message, label)
    }

    /// A problem at any target.
    pub fn new(code: Code, target: Target, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            labels: vec![Label {
                target,
                text: label.into(),
            }],
            help: None,
        }
    }

    /// Adds a second place that has to do with the problem.
    #[must_use]
    pub fn and(mut self, place: &Place, label: impl Into<String>) -> Self {
        self.labels.push(Label {
            target: Target::Node(place.clone()),
            text: label.into(),
        });
        self
    }

    /// Adds a second target that has to do with the problem.
    #[must_use]
    pub fn and_target(mut self, target: Target, label: impl Into<String>) -> Self {
        self.labels.push(Label {
            target,
            text: label.into(),
        });
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

/// Whether any of the problems keeps code from being generated.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
}
