//! How far a batch is: a bar on a terminal, else a line from time to time, on standard error.

use std::io::IsTerminal as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::files;
use crate::problem::Problem;

/// Time between two lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// The progress of a batch.
pub(crate) struct Progress {
    /// Counts the finished shaders; hidden if standard error is not a terminal.
    bar: ProgressBar,
    failed: AtomicU64,
    lines: bool,
}

impl Progress {
    /// Creates the progress of a batch of `total` inputs, with nothing to see if it is `quiet`.
    pub(crate) fn new(total: u64, quiet: bool) -> Self {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let lines = !quiet && !std::io::stderr().is_terminal();
        Self::on(target, total, lines)
    }

    /// Creates the progress with a bar on `target`.
    fn on(target: ProgressDrawTarget, total: u64, lines: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = "{bar:40} {pos}/{len} shaders, {msg}{per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let failed = AtomicU64::new(0);
        Self { bar, failed, lines }
    }

    /// Counts an input and how many of its shaders failed.
    pub(crate) fn finished(&self, failed: u64) {
        if failed > 0 {
            let failed = self.failed.fetch_add(failed, Ordering::Relaxed) + failed;
            self.bar.set_message(format!("{failed} failed, "));
        }
        self.bar.inc(1);
    }

    /// Shows the progress while `work` runs.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let result = match self.lines {
            false => work(),
            true => every(INTERVAL, &|| files::note(&self.line()), work),
        };
        self.bar.finish_and_clear();
        result
    }

    fn line(&self) -> String {
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let failed = self.failed.load(Ordering::Relaxed);
        line(done, total, failed, self.bar.elapsed())
    }
}

/// Returns the line after this time.
fn line(done: u64, total: u64, failed: u64, time: Duration) -> String {
    let speed = done as f64 / time.as_secs_f64().max(1e-3);
    let mut text = format!("{done} of {total} shaders, {failed} failed, {speed:.0}/s");
    if done > 0 {
        let left = total.saturating_sub(done) as f64 / speed;
        text += &format!(", {left:.0} s left");
    }
    text
}

/// Calls `print` whenever that much time has passed, until `work` is done. A shader that takes long
/// does not delay it, hence a thread.
fn every<T>(interval: Duration, print: &(dyn Fn() + Sync), work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        // Dropped when `work` returns or panics, which ends the thread.
        let (_working, done) = mpsc::channel::<()>();
        scope.spawn(move || {
            while done.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                print();
            }
        });
        work()
    })
}

/// Lines of JSON on standard output.
#[derive(Default)]
pub(crate) struct Lines {
    /// The first error of writing.
    problem: OnceLock<Problem>,
}

impl Lines {
    /// Prints a value as one line.
    pub(crate) fn print(&self, value: &impl Serialize) {
        let text = serde_json::to_string(value).map_err(|error| {
            Problem::usage_error("cannot write the result as JSON").because(&error)
        });
        let printed = text.and_then(|text| files::write_standard(format!("{text}\n").as_bytes()));
        if let Err(problem) = printed {
            self.problem.get_or_init(|| problem);
        }
    }

    /// Returns the first error.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        self.problem.into_inner().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread::sleep;
    use std::time::Duration;

    use indicatif::{InMemoryTerm, ProgressDrawTarget};

    use super::{Progress, every, line};

    #[test]
    fn a_bar_shows_counts_and_the_time_that_is_left_and_goes_away() {
        let terminal = InMemoryTerm::new(5, 100);
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal.clone()), 250);
        let progress = Progress::on(target, 200, false);
        let shown = progress.during(|| {
            for failed in [0, 0, 2, 0, 1] {
                sleep(Duration::from_millis(20));
                progress.finished(failed);
            }
            terminal.contents()
        });
        let (bar, text) = shown.split_once(' ').unwrap();
        assert_eq!(bar.chars().count(), 40, "{shown}");
        assert!(text.starts_with("5/200 shaders, 3 failed, "), "{shown}");
        assert!(text.contains("/s, ") && text.ends_with("s left"), "{shown}");
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_line_has_counts_speed_and_the_time_that_is_left() {
        let text = line(1200, 20_000, 3, Duration::from_millis(2927));
        assert_eq!(text, "1200 of 20000 shaders, 3 failed, 410/s, 46 s left");
        assert_eq!(
            line(0, 5, 0, Duration::ZERO),
            "0 of 5 shaders, 0 failed, 0/s"
        );
    }

    #[test]
    fn lines_come_while_work_is_done_and_not_after_it() {
        let lines = AtomicU64::new(0);
        let count = || {
            lines.fetch_add(1, Ordering::Relaxed);
        };
        let short = every(Duration::from_secs(3600), &count, || 5);
        assert_eq!((short, lines.load(Ordering::Relaxed)), (5, 0));
        every(Duration::from_millis(1), &count, || {
            while lines.load(Ordering::Relaxed) < 2 {
                sleep(Duration::from_millis(1));
            }
        });
    }
}
