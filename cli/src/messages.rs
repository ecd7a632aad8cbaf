//! What goes to standard error, and the exit status that comes of it.

use std::io::Write;

use winetl::compression::DecompressReason;
use winetl::{Damage, DamageKind, Note, Report};

use crate::render::paint::{Paint, Role};
use crate::render::plain::safe;
use crate::render::table::counted;

/// Exit statuses, as `--help` lists them.
pub(crate) mod status {
    pub(crate) const SUCCESS: u8 = 0;
    pub(crate) const UNUSABLE: u8 = 1;
    pub(crate) const USAGE: u8 = 2;
    pub(crate) const DAMAGED: u8 = 3;
}

/// Most damages shown of one file.
const SHOWN: usize = 20;

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Errors, and one line for all damages of a file.
    Quiet,
    /// Damages one by one, what can be done about them, and what matters for the output.
    Normal,
    /// All that is odd, too.
    Verbose,
}

/// Writes messages and remembers the worst.
pub(crate) struct Messages<'a> {
    stderr: &'a mut dyn Write,
    paint: Paint,
    verbosity: Verbosity,
    usage: bool,
    unusable: bool,
    damaged: bool,
}

impl<'a> Messages<'a> {
    pub(crate) fn new(stderr: &'a mut dyn Write, paint: Paint, verbosity: Verbosity) -> Self {
        Self {
            stderr,
            paint,
            verbosity,
            usage: false,
            unusable: false,
            damaged: false,
        }
    }

    /// Whether messages are coloured.
    pub(crate) fn is_coloured(&self) -> bool {
        self.paint.is_on()
    }

    /// A file, or the output, that could not be used.
    pub(crate) fn unusable(&mut self, name: &str, text: &str) {
        self.unusable = true;
        self.line(name, Role::Error, text);
    }

    /// Arguments that do not go together, which is more than their definitions can say.
    pub(crate) fn wrong_usage(&mut self, text: &str) {
        self.usage = true;
        let (on, off) = (self.paint.on(Role::Error), self.paint.off(Role::Error));
        let _ = writeln!(self.stderr, "winetl: {on}{text}{off}");
    }

    /// A part of a file that could not be used.
    pub(crate) fn damaged(&mut self, name: &str, text: &str) {
        self.damaged = true;
        self.line(name, Role::Warning, text);
    }

    /// Something worth knowing, unless all shall be quiet.
    pub(crate) fn note(&mut self, name: &str, text: &str) {
        if self.verbosity == Verbosity::Quiet {
            return;
        }
        self.line(name, Role::Plain, &format!("note: {text}"));
    }

    /// Damages of a reading, what became of the `rest`, and notes: that of another order always, the others if they are wanted.
    pub(crate) fn report(&mut self, name: &str, report: &Report, rest: &str) {
        for note in report.notes() {
            if self.verbosity == Verbosity::Verbose || matches!(note, Note::FileOrder { .. }) {
                self.note(name, &note.to_string());
            }
        }
        if report.is_clean() {
            return;
        }
        let all = report.damages().len() as u64 + report.further();
        if self.verbosity != Verbosity::Quiet {
            self.details(name, report, all);
        }
        let places = counted(all, "place");
        let summary = match report.lost_bytes() {
            0 => format!("{places} damaged, but no bytes were lost"),
            lost => format!("{} in {places} could not be read; {rest}", counted(lost, "byte")),
        };
        self.damaged(name, &summary);
        if self.verbosity != Verbosity::Quiet {
            self.line(name, Role::Plain, &format!("help: {}", advice(report.damages())));
        }
    }

    /// The damages one by one.
    fn details(&mut self, name: &str, report: &Report, all: u64) {
        for damage in report.damages().iter().take(SHOWN) {
            self.damaged(name, &damage.to_string());
        }
        if all > SHOWN as u64 {
            self.damaged(
                name,
                &format!(
                    "... and {} more (`winetl buffers` shows what each buffer holds)",
                    all - SHOWN as u64
                ),
            );
        }
    }

    /// Text of several lines that says itself what it is about, and why nothing can be done.
    pub(crate) fn block(&mut self, text: &str) {
        self.fail();
        let _ = writeln!(self.stderr, "{text}");
    }

    /// Makes the exit status one of failure; the reason is part of the output.
    pub(crate) fn fail(&mut self) {
        self.unusable = true;
    }

    /// The exit status of all that was said.
    pub(crate) fn status(&self) -> u8 {
        match (self.unusable, self.damaged) {
            _ if self.usage => status::USAGE,
            (true, _) => status::UNUSABLE,
            (false, true) => status::DAMAGED,
            (false, false) => status::SUCCESS,
        }
    }

    fn line(&mut self, name: &str, role: Role, text: &str) {
        // Where standard error itself cannot be written there is nobody to tell.
        let _ = writeln!(
            self.stderr,
            "winetl: {}: {}{text}{}",
            safe(name),
            self.paint.on(role),
            self.paint.off(role)
        );
    }
}

/// What can be done about damages; the first that fits.
fn advice(damages: &[Damage]) -> &'static str {
    let any = |fits: fn(&DamageKind) -> bool| damages.iter().any(|damage| fits(&damage.kind));
    if any(|kind| matches!(kind, DamageKind::Truncated { .. })) {
        "the file was cut off: copy it again, after its session has ended"
    } else if any(
        |kind| matches!(kind, DamageKind::Compression(error) if matches!(error.reason, DecompressReason::Unsupported { .. })),
    ) {
        "merge or relog the trace on Windows without compression"
    } else if any(|kind| matches!(kind, DamageKind::Io(_))) {
        "copy the file to another disk and try again"
    } else {
        "the bytes were changed after Windows wrote them: another copy of the file may be whole"
    }
}
