//! Many seeds on several workers: each program judged, failures shrunk and written.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use gpu_test::worker_process::for_seeds;

use crate::failure;
use crate::judge::{COMPILE, Difference, Kind};
use crate::worker::{Answer, START, Worker};

/// Maximum number of failures of one kind that are shrunk and reported; the rest are counted.
const REPORTED_PER_KIND: usize = 4;

/// Programs that a worker judges before another worker replaces it: drivers keep memory.
const RECYCLE: u64 = 100;

/// Options of a campaign.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seeds.
    pub seeds: Range<u64>,
    /// No seed is begun after so many minutes.
    pub minutes: Option<f64>,
    /// Workers.
    pub jobs: usize,
    /// Folder for failures; the workers get the same folder.
    pub out: PathBuf,
    /// Returns the text of a seed's program.
    pub text: fn(u64) -> String,
}

/// Number of programs fared how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Programs.
    pub ran: u64,
    /// All results are the same.
    pub equal: u64,
    /// Not compared.
    pub skipped: u64,
    /// Results differ.
    pub failed: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ran {}, equal {}, skipped {}, failed {}",
            self.ran, self.equal, self.skipped, self.failed
        )
    }
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Numbers of programs by outcome.
    pub counts: Counts,
    /// All seeds that failed.
    pub failed: BTreeMap<u64, Difference>,
    /// Seeds whose failure is in the folder.
    pub written: Vec<u64>,
    /// Why programs were skipped, and how many.
    pub reasons: BTreeMap<String, u64>,
    /// Failures that could not be shrunk or written, and why.
    pub problems: Vec<String>,
}

/// The state that the threads share.
struct Shared<'a> {
    options: &'a Options,
    worker: &'a (dyn Fn() -> Command + Sync),
    progress: &'a (dyn Fn(Counts) + Sync),
    summary: Mutex<Summary>,
}

/// The state of a thread.
struct Thread {
    worker: Worker,
    tested: u64,
}

/// Judges all seeds, or as many as the time allows: always a range from the first on. `worker` is
/// the command of a worker (see [`crate::worker::serve`]); `progress` is called after each program.
///
/// # Errors
/// A worker cannot be started.
pub fn run(
    options: &Options,
    worker: &(dyn Fn() -> Command + Sync),
    progress: &(dyn Fn(Counts) + Sync),
) -> std::io::Result<Summary> {
    let shared = Shared {
        options,
        worker,
        progress,
        summary: Mutex::default(),
    };
    let open = || {
        Ok(Thread {
            worker: Worker::start(worker())?,
            tested: 0,
        })
    };
    let work = |thread: &mut Thread, seed| shared.judge(thread, seed);
    for_seeds(&options.seeds, options.minutes, options.jobs, open, work)?;
    let mut summary = shared
        .summary
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    summary.written.sort_unstable();
    Ok(summary)
}

impl Shared<'_> {
    fn judge(&self, Thread { worker, tested }: &mut Thread, seed: u64) -> std::io::Result<()> {
        *tested += 1;
        if *tested % RECYCLE == 0 {
            *worker = Worker::start((self.worker)())?;
        }
        let mut answer = worker.ask("judge", seed);
        if let Answer::Crashed(stage) = &answer {
            // The worker reported errors of the compiler or the device itself.
            if stage == START {
                let text = "a worker ended before its first program";
                return Err(std::io::Error::other(text));
            }
            *worker = Worker::start((self.worker)())?;
            // Once more, alone: the state after earlier programs may have caused it.
            if stage != COMPILE {
                answer = worker.ask("judge", seed);
            }
        }
        match &answer {
            Answer::Crashed(stage) => {
                *worker = Worker::start((self.worker)())?;
                if stage != COMPILE {
                    self.tell_crash(seed, stage);
                }
            }
            Answer::Failed(difference) if self.is_reported(difference.kind) => {
                let shrunk = worker.ask("shrink", seed);
                *worker = Worker::start((self.worker)())?;
                self.report(seed, shrunk);
            }
            _ => {}
        }
        let counts = self.locked(|summary| {
            count(summary, seed, answer);
            summary.counts
        });
        (self.progress)(counts);
        Ok(())
    }

    fn locked<T>(&self, action: impl FnOnce(&mut Summary) -> T) -> T {
        action(
            &mut self
                .summary
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        )
    }

    /// Returns whether another failure of this kind is shrunk and reported.
    fn is_reported(&self, kind: Kind) -> bool {
        self.locked(|summary| {
            summary
                .failed
                .values()
                .filter(|difference| difference.kind == kind)
                .count()
                < REPORTED_PER_KIND
        })
    }

    fn report(&self, seed: u64, shrunk: Answer) {
        self.locked(|summary| match shrunk {
            Answer::Written => summary.written.push(seed),
            Answer::Gone(why) => summary
                .problems
                .push(format!("seed {seed}: not shrunk: {why}")),
            other => summary
                .problems
                .push(format!("seed {seed}: not shrunk: {other:?}")),
        });
    }

    /// Writes a program that crashes without shrinking it.
    fn tell_crash(&self, seed: u64, stage: &str) {
        let text = (self.options.text)(seed);
        let folder = &self.options.out;
        let said = format!(
            "seed {seed}:\n  the process crashed or did not end, in stage `{stage}`; not shrunk\n"
        );
        let wrote = failure::put(folder, seed, ".hlsl", text.as_bytes())
            .and_then(|()| failure::put(folder, seed, ".txt", said.as_bytes()));
        self.locked(|summary| match wrote {
            Ok(()) => summary.written.push(seed),
            Err(problem) => summary.problems.push(problem),
        });
    }
}

fn count(summary: &mut Summary, seed: u64, answer: Answer) {
    let counts = &mut summary.counts;
    counts.ran += 1;
    let difference = match answer {
        Answer::Equal | Answer::Written | Answer::Gone(_) => {
            counts.equal += 1;
            return;
        }
        Answer::Skipped(reason) => {
            counts.skipped += 1;
            *summary.reasons.entry(reason).or_default() += 1;
            return;
        }
        // There is nothing to convert then.
        Answer::Crashed(stage) if stage == COMPILE => {
            counts.skipped += 1;
            *summary
                .reasons
                .entry("the compiler crashed".to_owned())
                .or_default() += 1;
            return;
        }
        Answer::Crashed(stage) => Difference {
            kind: Kind::Crash,
            text: format!("stage {stage}"),
        },
        Answer::Failed(difference) => difference,
    };
    counts.failed += 1;
    summary.failed.insert(seed, difference);
}
