//! A process that judges programs, one line for each: a compiler or driver that crashes ends only
//! that process.
//!
//! The parent writes `judge SEED` or `shrink SEED`; the worker answers with `stage NAME` before
//! each stage that may crash, and then with one of `equal`, `skipped REASON`, `failed KIND TEXT`,
//! `written`, `gone`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::judge::{Difference, Judge, Kind, Verdict};
use crate::{failure, random};

/// After so long a program counts as one that does not end.
const LIMIT: Duration = Duration::from_mins(2);

/// Shrinking takes longer.
const SHRINK_LIMIT: Duration = Duration::from_mins(6);

/// Replies to the parent's lines until there are no more. Shrunk failures go to `folder`.
///
/// # Errors
/// Input or output is gone.
pub fn serve(
    mut judge: Judge<'_>,
    folder: &Path,
    input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    for line in input.lines() {
        let line = line?;
        let (task, seed) = line.split_once(' ').unwrap_or((&line, ""));
        let Ok(seed) = seed.parse() else { continue };
        let program = random::generate(seed);
        let verdict = judge.judge(&program);
        let answer = match (task, verdict) {
            (_, Verdict::Equal) => "equal".to_owned(),
            (_, Verdict::Skipped(reason)) => format!("skipped {}", one_line(&reason)),
            ("shrink", Verdict::Failed(found)) => {
                // First as it is, in case that shrinking crashes.
                let failure = failure::of(&mut judge, program.clone(), &found)
                    .map(|failure| failure::write(folder, &failure));
                let shrunk = failure::minimal(&mut judge, program, &found)
                    .map(|failure| failure::write(folder, &failure));
                match shrunk.or(failure) {
                    Some(Ok(())) => "written".to_owned(),
                    Some(Err(problem)) => format!("gone {}", one_line(&problem)),
                    None => "gone".to_owned(),
                }
            }
            (_, Verdict::Failed(found)) => found.first().map_or("equal".to_owned(), |first| {
                format!("failed {:?} {}", first.kind, one_line(&first.text))
            }),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The stage of a worker that has not begun with a program.
pub const START: &str = "start";

/// A worker's reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// All results are the same.
    Equal,
    /// Not compared: why.
    Skipped(String),
    /// The differences.
    Failed(Difference),
    /// The shrunk failure is in the folder.
    Written,
    /// The failure could not be shrunk or written.
    Gone(String),
    /// The process crashed or was ended, in this stage.
    Crashed(String),
}

/// The parent's end.
pub struct Worker {
    /// With the time at which it is ended.
    child: Arc<Mutex<(Child, Option<Instant>)>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn start(mut command: Command) -> std::io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || std::io::Error::other("a worker without pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let child = Arc::new(Mutex::new((child, None)));
        let watched = Arc::downgrade(&child);
        std::thread::spawn(move || {
            while let Some(child) = watched.upgrade() {
                if let Ok(mut child) = child.lock()
                    && child.1.is_some_and(|end| Instant::now() > end)
                {
                    let _ = child.0.kill();
                    return;
                }
                drop(child);
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        Ok(Self {
            child,
            input,
            output,
        })
    }

    /// Sends a request about a seed: `judge`, or `shrink`.
    pub fn ask(&mut self, task: &str, seed: u64) -> Answer {
        let limit = if task == "shrink" {
            SHRINK_LIMIT
        } else {
            LIMIT
        };
        self.until(Instant::now().checked_add(limit));
        let answer = if self
            .input
            .write_all(format!("{task} {seed}\n").as_bytes())
            .is_ok()
        {
            self.answer()
        } else {
            Answer::Crashed(START.to_owned())
        };
        self.until(None);
        answer
    }

    fn until(&self, end: Option<Instant>) {
        if let Ok(mut child) = self.child.lock() {
            child.1 = end;
        }
    }

    fn answer(&mut self) -> Answer {
        let mut stage = START.to_owned();
        loop {
            let mut line = String::new();
            if !matches!(self.output.read_line(&mut line), Ok(1..)) {
                return Answer::Crashed(stage);
            }
            let (word, rest) = line
                .trim_end()
                .split_once(' ')
                .unwrap_or((line.trim_end(), ""));
            match word {
                "equal" => return Answer::Equal,
                "written" => return Answer::Written,
                "gone" => return Answer::Gone(rest.to_owned()),
                "skipped" => return Answer::Skipped(rest.to_owned()),
                "failed" => {
                    let (kind, text) = rest.split_once(' ').unwrap_or((rest, ""));
                    let kind = Kind::ALL
                        .into_iter()
                        .find(|known| format!("{known:?}") == kind)
                        .unwrap_or(Kind::Panic);
                    return Answer::Failed(Difference {
                        kind,
                        text: text.to_owned(),
                    });
                }
                "stage" => rest.clone_into(&mut stage),
                // Drivers print to standard output, too.
                _ => {}
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Ok(mut child) = self.child.lock() {
            let _ = child.0.kill();
            let _ = child.0.wait();
        }
    }
}
