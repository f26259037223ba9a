//! A process that judges programs, one line for each: a compiler or driver that crashes ends only
//! that process.
//!
//! The parent writes `judge SEED` or `shrink SEED`; the worker answers with `stage NAME` before
//! each stage that may crash, and then with one of `equal`, `skipped REASON`, `failed KIND TEXT`,
//! `written`, `gone`.

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gpu_test::worker_process::{WorkerProcess, one_line, reply};

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
    output: impl Write,
) -> std::io::Result<()> {
    reply(input, output, |task, seed| {
        let program = random::generate(seed);
        match (task, judge.judge(&program)) {
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
            (_, verdict) => answer_of(&verdict),
        }
    })
}

/// Returns the answer to `judge`.
pub(crate) fn answer_of(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Equal => "equal".to_owned(),
        Verdict::Skipped(reason) => format!("skipped {}", one_line(reason)),
        Verdict::Failed(found) => found.first().map_or("equal".to_owned(), |first| {
            format!("failed {:?} {}", first.kind, one_line(&first.text))
        }),
    }
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
pub struct Worker(WorkerProcess);

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn start(command: Command) -> std::io::Result<Self> {
        WorkerProcess::start(command).map(Self)
    }

    /// Sends a request about a seed: `judge`, or `shrink`.
    pub fn ask(&mut self, task: &str, seed: u64) -> Answer {
        let limit = if task == "shrink" {
            SHRINK_LIMIT
        } else {
            LIMIT
        };
        let answers = ["equal", "written", "gone", "skipped", "failed"];
        match self.0.ask(&format!("{task} {seed}"), &answers, limit) {
            Ok(line) => Answer::read(&line),
            Err(stage) => Answer::Crashed(stage.unwrap_or_else(|| START.to_owned())),
        }
    }
}

impl Answer {
    fn read(line: &str) -> Self {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "equal" => Self::Equal,
            "written" => Self::Written,
            "gone" => Self::Gone(rest.to_owned()),
            "skipped" => Self::Skipped(rest.to_owned()),
            _ => {
                let (kind, text) = rest.split_once(' ').unwrap_or((rest, ""));
                let kind = Kind::ALL
                    .into_iter()
                    .find(|known| format!("{known:?}") == kind)
                    .unwrap_or(Kind::Panic);
                Self::Failed(Difference {
                    kind,
                    text: text.to_owned(),
                })
            }
        }
    }
}
