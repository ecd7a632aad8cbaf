//! Colours of the text output.

use anstyle::{AnsiColor, Style};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Plain,
    /// Names of what the line is about.
    Name,
    /// Labels, and what is rarely read.
    Faint,
    /// The kind of a header.
    Kind,
    Warning,
    Error,
}

/// Whether and how text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint {
    coloured: bool,
}

impl Paint {
    pub(crate) fn new(coloured: bool) -> Self {
        Self { coloured }
    }

    pub(crate) fn is_on(self) -> bool {
        self.coloured
    }

    /// What begins a piece; nothing without colours.
    pub(crate) fn on(self, role: Role) -> impl std::fmt::Display {
        self.style(role).render()
    }

    /// What ends it.
    pub(crate) fn off(self, role: Role) -> impl std::fmt::Display {
        self.style(role).render_reset()
    }

    fn style(self, role: Role) -> Style {
        if !self.coloured {
            return Style::new();
        }
        match role {
            Role::Plain => Style::new(),
            Role::Name => Style::new().bold(),
            Role::Faint => Style::new().dimmed(),
            Role::Kind => AnsiColor::Cyan.on_default(),
            Role::Warning => AnsiColor::Yellow.on_default(),
            Role::Error => AnsiColor::Red.on_default().bold(),
        }
    }
}
