//! `cargo campaign differential`: random HLSL programs, compiled, run, converted, run again, and
//! compared.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use differential::compiler::Compiler;
use differential::judge::{COMPILE, Judge, Subject};
use differential::{random, typed};
use gpu_test::install::ensure_device;
use gpu_test::worker_process::{again, parse_seeds};
use indicatif::ProgressBar;
use llvm_graphs::campaign::{self, Summary};

use crate::{differential_graphs, differential_shapes};

/// Arguments of the task.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo run --release -p campaigns -- differential --seeds 0..1000 --out failures
  cargo run --release -p campaigns -- differential --minutes 3
  cargo run --release -p campaigns -- differential --device none      the interpreter and the evaluator only
  cargo run --release -p campaigns --features llvm -- differential --kind graphs --device none      LLVM functions in LLVM's JIT and structured
  cargo run --release -p campaigns --features llvm -- differential --kind optimized --seeds 0..100000      structured programs after LLVM's optimizer
  cargo run --release -p campaigns -- differential --kind hlsl-shapes --seeds 0..100000      structured programs after the HLSL compiler's optimizer
  cargo run --release -p campaigns -- differential --kind hlsl-types --seeds 0..2000      types, memory, textures
  cargo run --release -p campaigns -- differential --kind hlsl-vectors --latest-dxc PATH --seeds 0..1000      long vectors")]
pub(crate) struct Arguments {
    /// The seeds; the last one is not among them.
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, default_value = "0..10000")]
    pub(crate) seeds: Range<u64>,
    /// Kind of programs.
    #[arg(long, value_enum, default_value_t = Kind::Hlsl)]
    kind: Kind,
    /// The HLSL compiler: its library (default: where xtask/scripts/install-dxc.sh puts it).
    #[arg(long, value_name = "PATH", conflicts_with = "dxc")]
    dxc_library: Option<PathBuf>,
    /// The HLSL compiler: any command that takes dxc's arguments. Slower than the library.
    #[arg(long, value_name = "PATH")]
    dxc: Option<PathBuf>,
    /// The compiler of programs with long vectors: any command that takes dxc's arguments and has
    /// shader model 6.9 (DXC 1.9 or newer); without it they are skipped.
    #[arg(long, value_name = "PATH")]
    latest_dxc: Option<PathBuf>,
    /// FXC, which compiles the programs of `hlsl` and `hlsl-types` a second and third time, to DXBC:
    /// any command that takes its arguments.
    #[arg(long, value_name = "PATH")]
    fxc: Option<PathBuf>,
    /// Start no seed after this many minutes.
    #[arg(long, value_name = "M")]
    pub(crate) minutes: Option<f64>,
    /// The device.
    #[arg(long, value_enum, default_value_t = Device::Lavapipe)]
    pub(crate) device: Device,
    /// Run without the validation layer.
    #[arg(long)]
    pub(crate) no_validation: bool,
    /// Number of threads (default: one per core)
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Write shrunk failures to this folder: HLSL, DXIL, test file and difference.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Judge the seeds that are read from standard input; failures are written to this folder.
    #[arg(long, hide = true)]
    worker: Option<PathBuf>,
}

/// Kind of random programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    /// HLSL compute programs.
    Hlsl,
    /// HLSL compute programs about data: types, memory, textures, atomic operations.
    HlslTypes,
    /// The same with vectors of more than four components (shader model 6.9).
    HlslVectors,
    /// LLVM functions with jumps that HLSL cannot express. Needs the feature `llvm` and LLVM
    /// 14.
    Graphs,
    /// Structured programs after LLVM's optimizer: is their structure recovered? Needs the same.
    Optimized,
    /// Structured programs after the HLSL compiler's optimizer: is their structure recovered?
    HlslShapes,
}

/// The device that runs converted shaders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Device {
    /// Mesa's software device, or the first one where that is missing.
    Lavapipe,
    /// SwiftShader, another software device.
    Swiftshader,
    /// Nowhere: the interpreter and the evaluator are compared.
    None,
}

/// After so long a program counts as one that does not end.
const LIMIT: Duration = Duration::from_mins(3);

/// A worker's most memory for LLVM's functions, in units of 1024 bytes: one of LLVM's passes may take all
/// there is.
const MEMORY: u64 = 6 << 20;

/// Bytes of the stack of a worker's thread: software drivers and the compiler recurse over the
/// shader.
const STACK: usize = 64 << 20;

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    match arguments.kind {
        Kind::HlslVectors | Kind::Graphs | Kind::Optimized | Kind::HlslShapes
            if arguments.fxc.is_some() =>
        {
            Err("--fxc is for the kinds hlsl and hlsl-types".to_owned())
        }
        Kind::HlslVectors if arguments.latest_dxc.is_none() => {
            println!("skipped: no compiler for shader model 6.9 (name one with --latest-dxc)");
            Ok(ExitCode::SUCCESS)
        }
        Kind::Optimized => differential_graphs::optimized(arguments, &bar(arguments)),
        Kind::HlslShapes => {
            differential_shapes::hlsl(arguments, &compiler(arguments)?, &bar(arguments))
        }
        _ => match &arguments.worker {
            Some(folder) => on_a_large_stack(|| worker(arguments, folder)),
            None => task(arguments),
        },
    }
}

/// Runs a worker on a thread whose stack suffices for drivers and compilers that recurse.
fn on_a_large_stack(
    worker: impl FnOnce() -> Result<(), String> + Send,
) -> Result<ExitCode, String> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let thread = builder
            .spawn_scoped(scope, worker)
            .map_err(|error| error.to_string())?;
        let ended = thread
            .join()
            .unwrap_or_else(|_| Err("the worker panicked".to_owned()));
        ended.map(|()| ExitCode::SUCCESS)
    })
}

pub(crate) fn jobs(arguments: &Arguments) -> usize {
    arguments.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

fn compiler(arguments: &Arguments) -> Result<Compiler, String> {
    if let (Kind::HlslVectors, Some(command)) = (arguments.kind, &arguments.latest_dxc) {
        return Ok(Compiler::Command(command.clone()));
    }
    let compiler = match (&arguments.dxc, &arguments.dxc_library) {
        (Some(command), _) => Ok(Compiler::Command(command.clone())),
        (None, Some(library)) => Compiler::library(library),
        (None, None) => Compiler::find(),
    };
    compiler.map_err(|error| error.to_string())
}

impl Device {
    /// Returns a part of its name, as `gpu-test` takes it; without one `gpu-test` takes lavapipe.
    pub(crate) fn part(self) -> Option<&'static str> {
        (self == Self::Swiftshader).then_some("swiftshader")
    }
}

/// Runs a worker, which judges the seeds that it reads from standard input.
fn worker(arguments: &Arguments, folder: &Path) -> Result<(), String> {
    if arguments.kind == Kind::Graphs {
        return differential_graphs::worker(arguments, folder);
    }
    let compiler = compiler(arguments)?;
    // A panic is a failure of the program in which it happens, and is reported with it.
    std::panic::set_hook(Box::new(|_| {}));
    let session = compiler.session().map_err(|error| error.to_string())?;
    let mut judge = match arguments.device {
        Device::None => Judge::new(session),
        device => Judge::with_device(session, device.part(), !arguments.no_validation)
            .map_err(|error| error.to_string())?,
    };
    judge.stage = Box::new(campaign::begin);
    let fxc = arguments.fxc.clone().map(Compiler::Command);
    let opened = fxc.as_ref().map(Compiler::session).transpose();
    judge.fxc = opened.map_err(|error| error.to_string())?;
    let (input, output) = (std::io::stdin().lock(), std::io::stdout());
    match arguments.kind {
        Kind::Hlsl if fxc.is_some() => judge.serve(random::generate_for_fxc, folder, input, output),
        Kind::HlslTypes if fxc.is_some() => {
            judge.serve(typed::generate_for_fxc, folder, input, output)
        }
        Kind::HlslTypes => judge.serve(typed::generate, folder, input, output),
        Kind::HlslVectors => judge.serve(typed::generate_long, folder, input, output),
        _ => judge.serve(random::generate, folder, input, output),
    }
    .map_err(|error| error.to_string())
}

fn task(arguments: &Arguments) -> Result<ExitCode, String> {
    // Reported here once, not by each worker.
    match arguments.kind {
        Kind::Graphs if cfg!(feature = "llvm") => {}
        Kind::Graphs => return Err(differential_graphs::WITHOUT_LLVM.to_owned()),
        _ => drop(compiler(arguments)?),
    }
    if arguments.device != Device::None {
        ensure_device(arguments.device.part())?;
    }
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = arguments.out.clone();
    let options = campaign::Options {
        seeds: arguments.seeds.clone(),
        minutes: arguments.minutes,
        jobs: jobs(arguments),
        limit: LIMIT,
        crashes: match arguments.kind {
            Kind::Graphs => differential_graphs::CRASHES,
            _ => &[(COMPILE, "the compiler crashed")],
        },
        out: out.unwrap_or_else(|| scratch.path().to_owned()),
        text: match arguments.kind {
            Kind::Graphs => differential_graphs::text,
            Kind::Hlsl if arguments.fxc.is_some() => |seed| random::generate_for_fxc(seed).text(),
            Kind::HlslTypes if arguments.fxc.is_some() => {
                |seed| typed::generate_for_fxc(seed).text()
            }
            Kind::HlslTypes => |seed| typed::generate(seed).text(),
            Kind::HlslVectors => |seed| typed::generate_long(seed).text(),
            _ => |seed| random::generate(seed).text(),
        },
    };
    let (bar, start) = (bar(arguments), Instant::now());
    let progress = |summary: &Summary| {
        bar.set_position(summary.ran);
        bar.set_message(summary.to_string());
        // A progress bar is for terminals only.
        if bar.is_hidden() && summary.ran.is_multiple_of(1000) {
            eprintln!("{summary}, {} s", start.elapsed().as_secs());
        }
    };
    let again = again()?;
    let worker = || {
        let mut command = Command::new(again.get_program());
        if cfg!(unix) && arguments.kind == Kind::Graphs {
            command = Command::new("sh");
            command
                .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
                .arg(again.get_program());
        }
        command.args(again.get_args());
        command.arg("--worker").arg(&options.out);
        command
    };
    let summary = campaign::run(&options, &worker, &progress);
    bar.finish_and_clear();
    Ok(report(
        &options,
        &summary.map_err(|error| error.to_string())?,
    ))
}

/// Returns a bar over the seeds, or without an end if there is a limit of time.
fn bar(arguments: &Arguments) -> ProgressBar {
    match arguments.minutes {
        Some(_) => ProgressBar::no_length(),
        None => ProgressBar::new(arguments.seeds.end - arguments.seeds.start),
    }
}

/// Reports failures, skipped seeds, and the counts.
fn report(options: &campaign::Options, summary: &Summary) -> ExitCode {
    for seed in &summary.written {
        for suffix in [".txt", ".hlsl"] {
            let text = std::fs::read_to_string(campaign::path(&options.out, *seed, suffix));
            eprintln!("{}", text.unwrap_or_default());
        }
    }
    for (reason, count) in &summary.skipped {
        println!("skipped {count}: {reason}");
    }
    for (seed, (kind, text)) in &summary.failed {
        println!("failed: seed {seed}: {kind}: {text}");
    }
    for problem in &summary.problems {
        eprintln!("error: {problem}");
    }
    for (name, sum) in differential_graphs::NUMBERS.iter().zip(&summary.numbers) {
        println!("{name}: {sum}");
    }
    println!("{summary}");
    crate::status(summary.failed.is_empty())
}
