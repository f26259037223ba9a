//! `cargo xtask differential --kind graphs`: random LLVM functions in LLVM's JIT, structured, and
//! as shaders on a device; `--kind optimized`: structured programs after LLVM's optimizer.

use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::ProgressBar;

/// Options of the task.
#[cfg_attr(
    not(feature = "llvm"),
    expect(dead_code, reason = "without LLVM there is nothing to run")
)]
pub(crate) struct Task {
    /// The seeds.
    pub(crate) seeds: Range<u64>,
    /// No seed is started after this many minutes.
    pub(crate) minutes: Option<f64>,
    /// Part of the device's name, if one is used, and its name on the command line.
    pub(crate) device: Option<(Option<&'static str>, String)>,
    /// Enable the validation layer.
    pub(crate) validation: bool,
    /// Workers.
    pub(crate) jobs: usize,
    /// Folder for failures.
    pub(crate) out: Option<PathBuf>,
}

#[cfg(not(feature = "llvm"))]
mod without_llvm {
    use super::*;

    const MESSAGE: &str = "this needs LLVM 14 with its headers (Debian: llvm-14-dev) and xtask's feature `llvm`: \
                           cargo run --release -p xtask --features llvm -- differential --kind graphs";

    pub(crate) fn run(_: &Task, _: &ProgressBar) -> Result<ExitCode, String> {
        Err(MESSAGE.to_owned())
    }

    pub(crate) fn worker(_: &Task) -> Result<ExitCode, String> {
        Err(MESSAGE.to_owned())
    }

    pub(crate) fn optimized(_: &Task, _: &ProgressBar) -> Result<ExitCode, String> {
        Err(MESSAGE.to_owned())
    }
}

#[cfg(not(feature = "llvm"))]
pub(crate) use without_llvm::{optimized, run, worker};

#[cfg(feature = "llvm")]
pub(crate) use with_llvm::{optimized, run, worker};

#[cfg(feature = "llvm")]
mod with_llvm {
    use std::path::Path;
    use std::process::Command;
    use std::time::Instant;

    use gpu_test::vulkan::Device;
    use llvm_graphs::campaign::{self, Options, Summary};
    use llvm_graphs::differential::Worker;
    use llvm_graphs::optimized::{LEVELS, Optimizer};
    use llvm_graphs::recovered::Pipeline;

    use super::*;

    /// Bytes of the stack of a worker's thread: software drivers recurse over the shader.
    const STACK: usize = 64 << 20;
    /// A worker's most memory, in units of 1024 bytes.
    const MEMORY: u64 = 6 << 20;
    /// Runs of the wave interpreter for each graph.
    const SIMT: u64 = 2;
    /// Failures that are reported in full.
    const REPORTED: usize = 8;

    /// Tests the seeds that it reads from standard input.
    pub(crate) fn worker(task: &Task) -> Result<ExitCode, String> {
        let folder = task.out.clone().ok_or("a worker needs --out")?;
        let serve = || -> Result<(), String> {
            let device = task
                .device
                .as_ref()
                .map(|(part, _)| Device::open(*part, task.validation))
                .transpose()
                .map_err(|error| error.to_string())?;
            let worker = Worker::new(device.map(|(device, _)| device), SIMT)
                .map_err(|error| error.to_string())?;
            campaign::serve(worker, &folder, std::io::stdin().lock(), std::io::stdout())
                .map_err(|error| error.to_string())
        };
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, serve)
                .map_err(|error| error.to_string())?;
            thread
                .join()
                .unwrap_or_else(|_| Err("the worker panicked".to_owned()))
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// This program as a worker, where there is a shell with a limit on its memory: one of LLVM's
    /// passes may take all there is.
    fn worker_command(program: &Path, task: &Task, out: &Path) -> Command {
        let mut command = if cfg!(unix) {
            let mut shell = Command::new("sh");
            shell
                .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
                .arg(program);
            shell
        } else {
            Command::new(program)
        };
        let device = task.device.as_ref().map_or("none", |(_, name)| name);
        command
            .args([
                "differential",
                "--kind",
                "graphs",
                "--worker",
                "--device",
                device,
                "--out",
            ])
            .arg(out);
        if !task.validation {
            command.arg("--no-validation");
        }
        command
    }

    /// Tests all seeds.
    pub(crate) fn run(task: &Task, bar: &ProgressBar) -> Result<ExitCode, String> {
        if let Some((part, _)) = &task.device {
            crate::gpu_test::ensure_device(*part)?;
        }
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let out = task
            .out
            .clone()
            .unwrap_or_else(|| scratch.path().to_owned());
        let start = Instant::now();
        let progress = |summary: &Summary| {
            bar.set_position(if task.minutes.is_some() {
                start.elapsed().as_secs()
            } else {
                summary.ran
            });
            bar.set_message(format!(
                "same {}, failed {}",
                summary.same,
                summary.failed.len()
            ));
            if bar.is_hidden() && summary.ran.is_multiple_of(5000) {
                eprintln!(
                    "ran {}, same {}, failed {}, {} s",
                    summary.ran,
                    summary.same,
                    summary.failed.len(),
                    start.elapsed().as_secs()
                );
            }
        };
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let options = Options {
            seeds: task.seeds.clone(),
            minutes: task.minutes,
            jobs: task.jobs,
        };
        let summary = campaign::run(
            &options,
            &|| worker_command(&program, task, &out),
            &progress,
        )
        .map_err(|error| error.to_string())?;
        bar.finish_and_clear();
        for (seed, _) in summary.failed.iter().take(REPORTED) {
            eprintln!(
                "{}",
                std::fs::read_to_string(out.join(format!("{seed}.txt"))).unwrap_or_default()
            );
        }
        for (reason, count) in &summary.skipped {
            println!("skipped {count}: {reason}");
        }
        for (seed, what) in &summary.failed {
            println!("failed: seed {seed}: {what}");
        }
        println!("{summary}");
        Ok(if summary.failed.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    /// Compares programs before and after LLVM's optimizer.
    pub(crate) fn optimized(task: &Task, bar: &ProgressBar) -> Result<ExitCode, String> {
        let open = || -> Result<Box<dyn Pipeline>, String> {
            let optimizer = Optimizer::new().map_err(|error| error.to_string())?;
            Ok(Box::new(optimizer))
        };
        crate::differential_shapes::run(task, &LEVELS, &open, bar)
    }
}
