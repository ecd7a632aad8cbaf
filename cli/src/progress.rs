//! How far long work is, for people who wait at a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that takes less needs none.
const AFTER: Duration = Duration::from_secs(1);

/// A line on the terminal of standard error: bytes, rate, events, time left.
#[derive(Debug)]
pub(crate) struct Progress {
    is_wanted: bool,
    begin: Instant,
    total: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Progress through `total` bytes; never shown unless it is wanted.
    pub(crate) fn new(is_wanted: bool, total: u64) -> Self {
        Self {
            is_wanted,
            begin: Instant::now(),
            total,
            bar: None,
        }
    }

    /// Says how many bytes were passed, and how many events they had.
    pub(crate) fn at(&mut self, bytes: u64, events: u64) {
        if !self.is_wanted || self.begin.elapsed() < AFTER {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr());
            let template = "{bytes} of {total_bytes} [{bar:30}] {binary_bytes_per_sec}, {msg} events, {eta} left";
            // The template is constant; if it were wrong, the plain bar does.
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.with_style(style).with_elapsed(self.begin.elapsed())
        });
        bar.set_message(events.to_string());
        bar.set_position(bytes);
    }

    /// Takes the line away, before other text is written to the terminal.
    pub(crate) fn hide(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.hide();
    }
}
