//! Many seeds on several worker processes: a crash (in one of LLVM's passes or a driver) ends one
//! worker, and another continues after that seed.
//!
//! The parent writes `SEED` or, not to have the failure shrunk, `SEED plain`. The worker answers
//! with `stage NAME` before each stage, and then with one of `same` and five numbers,
//! `skipped REASON`, `failed KIND: TEXT`.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, Write};
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gpu_test::worker_process::{WorkerProcess, for_seeds, one_line};

use crate::differential::{Facts, Stage, Verdict, Worker};

/// After so long a worker is ended.
const LIMIT: Duration = Duration::from_mins(10);

/// Options of a campaign.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seeds.
    pub seeds: Range<u64>,
    /// No seed is begun after so many minutes.
    pub minutes: Option<f64>,
    /// Workers.
    pub jobs: usize,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Seeds.
    pub ran: u64,
    /// Of these, functions whose traces are the same everywhere.
    pub same: u64,
    /// Of the same ones: those with a cycle with several entries.
    pub irreducible: u64,
    /// Of the same ones: those that the device ran, too.
    pub on_device: u64,
    /// Blocks, switches and events of the same ones.
    pub sizes: [u64; 3],
    /// Why functions were skipped or not run on the device, and how many.
    pub skipped: BTreeMap<String, u64>,
    /// Seeds that failed, with the worker's messages.
    pub failed: BTreeMap<u64, String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [blocks, switches, events] = self.sizes;
        let skipped: u64 = self.ran - self.same - self.failed.len() as u64;
        write!(
            f,
            "ran {}, same {}, skipped {skipped}, failed {}; irreducible {}, on the device {}",
            self.ran,
            self.same,
            self.failed.len(),
            self.irreducible,
            self.on_device
        )?;
        write!(f, ", blocks {blocks}, switches {switches}, events {events}")
    }
}

/// Tests the parent's seeds until there are no more, or the device hangs. Failures are written to
/// the folder.
///
/// # Errors
/// Input or output is gone, or a failure cannot be written.
pub fn serve(
    mut worker: Worker,
    folder: &Path,
    input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    worker.stage = Box::new(|stage| {
        println!("stage {stage:?}");
        let _ = std::io::stdout().flush();
    });
    for line in input.lines() {
        let line = line?;
        let (seed, plain) = line.split_once(' ').unwrap_or((&line, ""));
        let Ok(seed) = seed.parse() else { continue };
        worker.shrinks = plain.is_empty();
        let answer = match worker.check(seed) {
            Ok(Verdict::Same(facts)) => {
                let Facts {
                    blocks,
                    reducible,
                    switches,
                    events,
                    on_device,
                } = facts;
                format!(
                    "same {blocks} {switches} {events} {} {}",
                    u8::from(!reducible),
                    u8::from(on_device)
                )
            }
            Ok(Verdict::Skipped(why)) => format!("skipped {}", one_line(&why)),
            Err(failure) => {
                std::fs::create_dir_all(folder)?;
                for (suffix, text) in [
                    ("txt", failure.to_string()),
                    ("cfg", failure.cfg.clone()),
                    ("ll", failure.ll.clone()),
                ] {
                    std::fs::write(folder.join(format!("{seed}.{suffix}")), text)?;
                }
                format!("failed {}: {}", failure.kind, one_line(&failure.what))
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
        if worker
            .device
            .as_ref()
            .is_some_and(gpu_test::vulkan::Device::is_lost)
        {
            break;
        }
    }
    Ok(())
}

/// Tests all seeds, or as many as the time allows: always a range from the first on. `worker` is
/// the command of a process that calls [`serve`]; `progress` is called after each seed.
///
/// # Errors
/// A worker cannot be started.
pub fn run(
    options: &Options,
    worker: &(dyn Fn() -> Command + Sync),
    progress: &(dyn Fn(&Summary) + Sync),
) -> std::io::Result<Summary> {
    let summary = Mutex::new(Summary::default());
    let work = |process: &mut WorkerProcess, seed| -> std::io::Result<()> {
        let answer = ask(process, worker, seed)?;
        let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
        summary.count(seed, answer);
        progress(&summary);
        Ok(())
    };
    let open = || WorkerProcess::start(worker());
    for_seeds(&options.seeds, options.minutes, options.jobs, open, work)?;
    Ok(summary.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the answer about a seed, or the stage in which the worker crashed; another one runs
/// then.
fn ask(
    process: &mut WorkerProcess,
    worker: &(dyn Fn() -> Command + Sync),
    seed: u64,
) -> std::io::Result<Result<String, String>> {
    let mut task = seed.to_string();
    for _ in 0..2 {
        match process.ask(&task, &["same", "skipped", "failed"], LIMIT) {
            Ok(answer) => return Ok(Ok(answer)),
            Err(stage) => {
                *process = WorkerProcess::start(worker())?;
                match stage {
                    // The one before hung up after its last answer.
                    None => {}
                    Some(stage) if stage == format!("{:?}", Stage::Shrink) => {
                        task = format!("{seed} plain");
                    }
                    Some(stage) => return Ok(Err(stage)),
                }
            }
        }
    }
    Ok(Err("start".to_owned()))
}

impl Summary {
    fn count(&mut self, seed: u64, answer: Result<String, String>) {
        self.ran += 1;
        let mut skip = |why: &str| *self.skipped.entry(why.to_owned()).or_default() += 1;
        match answer
            .as_ref()
            .map(|answer| answer.split_once(' ').unwrap_or((answer, "")))
        {
            Ok(("same", numbers)) => {
                let mut numbers = numbers
                    .split(' ')
                    .map(|number| number.parse::<u64>().unwrap_or(0));
                let mut next = || numbers.next().unwrap_or(0);
                self.same += 1;
                self.sizes.iter_mut().for_each(|size| *size += next());
                self.irreducible += next();
                self.on_device += next();
            }
            Ok(("skipped", why)) => skip(why),
            Ok((_, what)) => {
                self.failed.insert(seed, what.to_owned());
            }
            Err(stage) if *stage == format!("{:?}", Stage::Llvm) => skip("LLVM crashed"),
            // All comparisons but that of the device were done.
            Err(stage) if *stage == format!("{:?}", Stage::Device) => {
                skip("the driver crashed: same on the CPU");
            }
            Err(stage) => {
                self.failed.insert(
                    seed,
                    format!("the process crashed or did not end in stage {stage}"),
                );
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &'static str) -> impl Fn() -> Command + Sync {
        move || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        }
    }

    fn summary(script: &'static str, seeds: Range<u64>) -> Summary {
        run(
            &Options {
                seeds,
                minutes: None,
                jobs: 2,
            },
            &shell(script),
            &|_| {},
        )
        .expect("the shell can be started")
    }

    #[test]
    fn crashes_end_one_seed() {
        let script = r#"while read seed plain; do
            echo "stage Llvm"; echo "noise of a driver"
            case $seed in
                3) kill -9 $$;;
                4) echo "stage Device"; kill -9 $$;;
                5) echo "failed structured: lane 1";;
                6) echo "stage Ours"; kill -9 $$;;
                7) echo "skipped a reason";;
                8) if [ -z "$plain" ]; then echo "stage Shrink"; kill -9 $$; else echo "failed plain"; fi;;
                *) echo "same 10 2 30 1 0";;
            esac
        done"#;
        let summary = summary(script, 1..11);
        assert_eq!(
            (
                summary.ran,
                summary.same,
                summary.irreducible,
                summary.sizes
            ),
            (10, 4, 4, [40, 8, 120])
        );
        let skipped = [
            ("LLVM crashed", 1),
            ("a reason", 1),
            ("the driver crashed: same on the CPU", 1),
        ];
        assert_eq!(
            summary.skipped,
            skipped.map(|(why, count)| (why.to_owned(), count)).into()
        );
        let failed = [
            (5, "structured: lane 1"),
            (6, "the process crashed or did not end in stage Ours"),
            (8, "plain"),
        ];
        assert_eq!(
            summary.failed,
            failed.map(|(seed, what)| (seed, what.to_owned())).into()
        );
    }

    #[test]
    fn a_worker_that_hangs_up_after_an_answer_is_replaced() {
        let summary = summary(
            r#"read seed plain; echo "stage Llvm"; echo "same 1 1 1 0 1""#,
            1..6,
        );
        assert_eq!((summary.ran, summary.same, summary.on_device), (5, 5, 5));
        assert!(summary.failed.is_empty(), "{summary:?}");
    }
}
