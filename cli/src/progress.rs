//! How far long work is, for people who wait at a terminal.

use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, FormattedDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

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
            let template = "{bytes} of {total_bytes} [{bar:30}] {msg}";
            // The template is constant; if it were wrong, the plain bar does.
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.with_style(style)
        });
        bar.set_message(pace(bytes, self.total, events, self.begin.elapsed()));
        bar.set_position(bytes);
    }

    /// Takes the line away, before other text is written to the terminal.
    pub(crate) fn hide(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Rate, events and time left, by what was done since the begin. (The bar's own estimate begins with the bar, to which the first
/// second's work would be that of a moment.)
fn pace(bytes: u64, total: u64, events: u64, elapsed: Duration) -> String {
    let rate = bytes as f64 / elapsed.as_secs_f64().max(f64::EPSILON);
    let mut text = format!("{}/s, {events} events", BinaryBytes(rate as u64));
    if rate >= 1.0 {
        // As long as a bar can be worth looking at.
        let left = (total.saturating_sub(bytes) as f64 / rate).min(1e9);
        text.push_str(&format!(", {} left", FormattedDuration(Duration::from_secs_f64(left.ceil()))));
    }
    text
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.hide();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_is_that_of_all_work_so_far() {
        let mib = 1 << 20;
        let text = pace(30 * mib, 90 * mib, 12, Duration::from_secs(3));
        assert_eq!(text, "10.00 MiB/s, 12 events, 00:00:06 left");
        assert_eq!(pace(0, 90, 0, Duration::from_secs(2)), "0 B/s, 0 events");
        assert!(pace(90, 90, 5, Duration::ZERO).contains(" left"));
        // More bytes than were expected.
        assert!(pace(100, 90, 5, Duration::from_secs(1)).ends_with("00:00:00 left"));
    }
}
