//! `cargo xtask differential --kind graphs`: random LLVM functions in LLVM's JIT, structured, and
//! as shaders on a device; `--kind optimized`: structured programs after LLVM's optimizer.

use std::process::ExitCode;

use indicatif::ProgressBar;

use crate::differential::Arguments;

#[cfg(not(feature = "llvm"))]
mod without_llvm {
    use super::*;

    const MESSAGE: &str = "this needs LLVM 14 with its headers (Debian: llvm-14-dev) and xtask's feature `llvm`: \
                           cargo run --release -p xtask --features llvm -- differential --kind graphs";

    pub(crate) fn run(_: &Arguments, _: &ProgressBar) -> Result<ExitCode, String> {
        Err(MESSAGE.to_owned())
    }

    pub(crate) fn worker(_: &Arguments) -> Result<(), String> {
        Err(MESSAGE.to_owned())
    }

    pub(crate) fn optimized(_: &Arguments, _: &ProgressBar) -> Result<ExitCode, String> {
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

    use gpu_test::vulkan;
    use llvm_graphs::campaign::{self, Options, Summary};
    use llvm_graphs::differential::Worker;
    use llvm_graphs::optimized::{LEVELS, Optimizer};
    use llvm_graphs::recovered::Pipeline;

    use super::*;
    use crate::differential::{self, Device};

    /// A worker's most memory, in units of 1024 bytes.
    const MEMORY: u64 = 6 << 20;
    /// Runs of the wave interpreter for each graph.
    const SIMT: u64 = 2;
    /// Failures that are reported in full.
    const REPORTED: usize = 8;

    /// Tests the seeds that it reads from standard input.
    pub(crate) fn worker(arguments: &Arguments) -> Result<(), String> {
        let folder = arguments.out.clone().ok_or("a worker needs --out")?;
        let open = |device: Device| vulkan::Device::open(device.part(), !arguments.no_validation);
        let device = Some(arguments.device).filter(|device| *device != Device::None);
        let device = device
            .map(open)
            .transpose()
            .map_err(|error| error.to_string())?;
        let worker = Worker::new(device.map(|(device, _)| device), SIMT)
            .map_err(|error| error.to_string())?;
        campaign::serve(worker, &folder, std::io::stdin().lock(), std::io::stdout())
            .map_err(|error| error.to_string())
    }

    /// This program as a worker, where there is a shell with a limit on its memory: one of LLVM's
    /// passes may take all there is.
    fn worker_command(program: &Path, arguments: &Arguments, out: &Path) -> Command {
        let mut command = Command::new(program);
        if cfg!(unix) {
            command = Command::new("sh");
            command
                .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
                .arg(program);
        }
        differential::worker_command(command, arguments, out)
    }

    /// Tests all seeds.
    pub(crate) fn run(arguments: &Arguments, bar: &ProgressBar) -> Result<ExitCode, String> {
        if arguments.device != Device::None {
            crate::gpu_test::ensure_device(arguments.device.part())?;
        }
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let out = arguments
            .out
            .clone()
            .unwrap_or_else(|| scratch.path().to_owned());
        let start = Instant::now();
        let progress = |summary: &Summary| {
            bar.set_position(summary.ran);
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
            seeds: arguments.seeds.clone(),
            minutes: arguments.minutes,
            jobs: differential::jobs(arguments),
        };
        let summary = campaign::run(
            &options,
            &|| worker_command(&program, arguments, &out),
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
        Ok(crate::status(summary.failed.is_empty()))
    }

    /// Compares programs before and after LLVM's optimizer.
    pub(crate) fn optimized(arguments: &Arguments, bar: &ProgressBar) -> Result<ExitCode, String> {
        let open = || -> Result<Box<dyn Pipeline>, String> {
            let optimizer = Optimizer::new().map_err(|error| error.to_string())?;
            Ok(Box::new(optimizer))
        };
        crate::differential_shapes::run(arguments, &LEVELS, &open, bar)
    }
}
