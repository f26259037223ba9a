//! Many seeds on several worker processes: a crash (of a compiler, one of LLVM's passes or a driver) ends
//! one worker, and another continues after that seed.
//!
//! The parent writes `judge SEED` or `shrink SEED`. The worker answers with `stage NAME` before each
//! stage that may crash, and then with an [`Answer`].

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gpu_test::worker_process::{WorkerProcess, for_seeds, one_line, reply};

/// Maximum number of failures of one kind that are shrunk and reported; the rest are counted.
const REPORTED_PER_KIND: usize = 4;

/// Programs that a worker judges before another worker replaces it: drivers keep memory.
const RECYCLE: u64 = 100;

/// The stage of a worker that has not begun with a program.
const START: &str = "start";

/// Options of a campaign.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seeds.
    pub seeds: Range<u64>,
    /// No seed is begun after this number of minutes.
    pub minutes: Option<f64>,
    /// Workers.
    pub jobs: usize,
    /// After so long a program counts as one that does not end. Shrinking may take three times as long.
    pub limit: Duration,
    /// Stages whose crash is not a failure of the program, each with its cause.
    pub crashes: &'static [(&'static str, &'static str)],
    /// Folder for failures; the workers get the same folder.
    pub out: PathBuf,
    /// Returns the text of a seed's program.
    pub text: fn(u64) -> String,
}

/// A worker's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// All results are the same; numbers of the program, which are added up.
    Equal(Vec<u64>),
    /// Not compared: why.
    Skipped(String),
    /// A difference: its kind, and its description.
    Failed(String, String),
    /// The shrunk failure is in the folder.
    Written,
    /// The failure could not be shrunk or written.
    Gone(String),
    /// The process crashed or was ended, in this stage.
    Crashed(String),
}

impl From<Option<Result<(), String>>> for Answer {
    /// Returns the answer to `shrink`; `None` for a program that does not fail again.
    fn from(written: Option<Result<(), String>>) -> Self {
        match written {
            Some(Ok(())) => Self::Written,
            Some(Err(problem)) => Self::Gone(problem),
            None => Self::Gone("it does not fail again".to_owned()),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(numbers) => {
                f.write_str("equal")?;
                { numbers.iter() }.try_for_each(|number| write!(f, " {number}"))
            }
            Self::Skipped(why) => write!(f, "skipped {}", one_line(why)),
            Self::Failed(kind, text) => write!(f, "failed {kind}\t{}", one_line(text)),
            Self::Written => f.write_str("written"),
            Self::Gone(why) => write!(f, "gone {}", one_line(why)),
            Self::Crashed(stage) => write!(f, "crashed {stage}"),
        }
    }
}

impl Answer {
    fn read(line: &str) -> Self {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "equal" => Self::Equal(rest.split(' ').flat_map(str::parse).collect()),
            "skipped" => Self::Skipped(rest.to_owned()),
            "written" => Self::Written,
            "gone" => Self::Gone(rest.to_owned()),
            _ => {
                let (kind, text) = rest.split_once('\t').unwrap_or((rest, ""));
                Self::Failed(kind.to_owned(), text.to_owned())
            }
        }
    }
}

/// Replies to the parent's lines until there are no more: `judge` gets a seed, and the folder for the
/// failure if that is to be shrunk.
///
/// # Errors
/// Input or output is gone.
pub fn serve(
    folder: &Path,
    input: impl BufRead,
    output: impl Write,
    mut judge: impl FnMut(u64, Option<&Path>) -> Answer,
) -> std::io::Result<()> {
    reply(input, output, |task, seed| {
        judge(seed, (task == "shrink").then_some(folder)).to_string()
    })
}

/// Prints the name of a stage before it begins.
pub fn begin(stage: &str) {
    println!("stage {stage}");
    let _ = std::io::stdout().flush();
}

/// Writes one of a failure's files, `seed_N` with a suffix.
///
/// # Errors
/// It could not be written: why.
pub fn put(folder: &Path, seed: u64, suffix: &str, contents: &[u8]) -> Result<(), String> {
    let path = path(folder, seed, suffix);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, contents))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns the path of a failure's file.
pub fn path(folder: &Path, seed: u64, suffix: &str) -> PathBuf {
    folder.join(format!("seed_{seed}{suffix}"))
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs.
    pub ran: u64,
    /// Of these, programs whose results are all the same.
    pub equal: u64,
    /// Sums of the numbers of the equal ones.
    pub numbers: Vec<u64>,
    /// All seeds that failed, with kind and difference.
    pub failed: BTreeMap<u64, (String, String)>,
    /// Seeds whose failure is in the folder.
    pub written: Vec<u64>,
    /// Why programs were not compared, and how many.
    pub skipped: BTreeMap<String, u64>,
    /// Failures that could not be shrunk or written, and why.
    pub problems: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (skipped, failed) = (self.skipped.values().sum::<u64>(), self.failed.len());
        let Self { ran, equal, .. } = self;
        write!(
            f,
            "ran {ran}, equal {equal}, skipped {skipped}, failed {failed}"
        )
    }
}

/// Judges the seeds in order, until the time is over. `worker` is the command of a worker (see
/// [`serve`]); `progress` is called after each program.
///
/// # Errors
/// A worker cannot be started.
pub fn run(
    options: &Options,
    worker: &(dyn Fn() -> Command + Sync),
    progress: &(dyn Fn(&Summary) + Sync),
) -> std::io::Result<Summary> {
    let shared = Mutex::new(Summary::default());
    let summary = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let open = || Ok((WorkerProcess::start(worker())?, 0));
    let work = |(process, judged): &mut (WorkerProcess, u64), seed| -> std::io::Result<()> {
        *judged += 1;
        if *judged % RECYCLE == 0 {
            *process = WorkerProcess::start(worker())?;
        }
        let mut answer = ask(process, "judge", seed, options.limit);
        // Once more, alone: the state after earlier programs may have caused it.
        if let Answer::Crashed(stage) = &answer
            && options.known(stage).is_none()
        {
            *process = WorkerProcess::start(worker())?;
            answer = ask(process, "judge", seed, options.limit);
        }
        let mut written = None;
        match &answer {
            // The worker reported errors of the compiler or the device itself.
            Answer::Crashed(stage) if stage == START => {
                let text = "a worker ended before its first program";
                return Err(std::io::Error::other(text));
            }
            Answer::Crashed(stage) => {
                *process = WorkerProcess::start(worker())?;
                if options.known(stage).is_none() {
                    written = Some(options.write_crash(seed, stage));
                }
            }
            Answer::Failed(kind, _) if summary().is_reported(kind) => {
                written = Some(match ask(process, "shrink", seed, 3 * options.limit) {
                    Answer::Written => Ok(()),
                    answer => Err(format!("seed {seed}: not shrunk: {answer}")),
                });
                *process = WorkerProcess::start(worker())?;
            }
            _ => {}
        }
        let mut summary = summary();
        match written {
            Some(Ok(())) => summary.written.push(seed),
            Some(Err(problem)) => summary.problems.push(problem),
            None => {}
        }
        summary.count(options, seed, answer);
        progress(&summary);
        Ok(())
    };
    for_seeds(&options.seeds, options.minutes, options.jobs, open, work)?;
    let mut summary = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.written.sort_unstable();
    Ok(summary)
}

fn ask(process: &mut WorkerProcess, task: &str, seed: u64, limit: Duration) -> Answer {
    let answers = ["equal", "written", "gone", "skipped", "failed"];
    match process.ask(&format!("{task} {seed}"), &answers, limit) {
        Ok(line) => Answer::read(&line),
        Err(stage) => Answer::Crashed(stage.unwrap_or_else(|| START.to_owned())),
    }
}

impl Options {
    /// Returns the cause of a stage's crash, if it is not a failure of the program.
    fn known(&self, stage: &str) -> Option<&'static str> {
        let known = self.crashes.iter().find(|(name, _)| *name == stage);
        known.map(|(_, what)| *what)
    }

    /// Writes a program that crashes without shrinking it.
    fn write_crash(&self, seed: u64, stage: &str) -> Result<(), String> {
        let text = format!(
            "seed {seed}: the process crashed or did not end, in stage `{stage}`; not shrunk\n\n{}",
            (self.text)(seed)
        );
        put(&self.out, seed, ".txt", text.as_bytes())
    }
}

impl Summary {
    /// Returns whether another failure of this kind is shrunk and reported.
    fn is_reported(&self, kind: &str) -> bool {
        let same = self.failed.values().filter(|(other, _)| other == kind);
        same.count() < REPORTED_PER_KIND
    }

    fn count(&mut self, options: &Options, seed: u64, answer: Answer) {
        self.ran += 1;
        let mut skip = |why: String| *self.skipped.entry(why).or_default() += 1;
        match answer {
            Answer::Equal(numbers) => {
                self.equal += 1;
                self.numbers.resize(numbers.len(), 0);
                for (sum, number) in self.numbers.iter_mut().zip(numbers) {
                    *sum += number;
                }
            }
            Answer::Skipped(why) => skip(why),
            Answer::Failed(kind, text) => drop(self.failed.insert(seed, (kind, text))),
            Answer::Crashed(stage) => match options.known(&stage) {
                Some(why) => skip(why.to_owned()),
                None => drop(self.failed.insert(seed, ("a crash".to_owned(), stage))),
            },
            Answer::Written | Answer::Gone(_) => skip("no answer".to_owned()),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn summary(script: &'static str, seeds: Range<u64>) -> (Summary, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let options = Options {
            seeds,
            minutes: None,
            jobs: 2,
            limit: Duration::from_mins(1),
            crashes: &[("compile", "the compiler crashed")],
            out: folder.path().to_owned(),
            text: |seed| format!("program {seed}"),
        };
        let shell = || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let summary = run(&options, &shell, &|_| {}).expect("the shell can be started");
        (summary, folder)
    }

    #[test]
    fn crashes_end_one_seed() {
        let script = r#"while read task seed; do
            echo "stage compile"; echo "noise of a driver"
            case $task$seed in
                judge3) kill -9 $$;;
                judge5) printf 'failed structured\tlane 1\n';;
                shrink5) echo "written";;
                judge6) echo "stage run"; kill -9 $$;;
                judge7) echo "skipped a reason";;
                judge8) printf 'failed other\tplain\n';;
                shrink8) echo "stage shrink"; kill -9 $$;;
                *) echo "equal 10 1";;
            esac
        done"#;
        let (summary, folder) = summary(script, 1..11);
        assert_eq!(summary.to_string(), "ran 10, equal 5, skipped 2, failed 3");
        assert_eq!(summary.numbers, [50, 5]);
        let skipped = [("a reason", 1), ("the compiler crashed", 1)];
        let named = |(why, count): (&str, u64)| (why.to_owned(), count);
        assert_eq!(summary.skipped, skipped.map(named).into());
        let failed = [
            (5, "structured", "lane 1"),
            (6, "a crash", "run"),
            (8, "other", "plain"),
        ];
        let named = |(seed, kind, text): (u64, &str, &str)| (seed, (kind.into(), text.into()));
        assert_eq!(summary.failed, failed.map(named).into());
        assert_eq!(summary.written, [5, 6]);
        assert_eq!(summary.problems, ["seed 8: not shrunk: crashed shrink"]);
        let text = std::fs::read_to_string(path(folder.path(), 6, ".txt")).expect("a crash");
        assert!(
            text.ends_with("in stage `run`; not shrunk\n\nprogram 6"),
            "{text}"
        );
    }

    #[test]
    fn a_worker_that_hangs_up_after_an_answer_is_replaced() {
        let script = r#"read task seed; echo "stage compile"; echo "equal""#;
        let (summary, _) = summary(script, 1..6);
        assert_eq!(summary.to_string(), "ran 5, equal 5, skipped 0, failed 0");
    }
}
