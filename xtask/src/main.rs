//! Developer tasks: `cargo xtask --help`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod compile_corpus;
mod differential;
mod differential_graphs;
mod differential_shapes;
mod explorer;
mod gpu_test;
mod header;
mod machine_code;
mod mutate;
mod optimum;
mod same_output;
mod stress;

/// Developer tasks for Trellis.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// The tasks.
#[derive(Subcommand)]
enum Task {
    /// Structurize random graphs and check each result; failures are shrunk and reported. Build it
    /// with --release for long runs: `cargo run --release -p xtask -- stress`.
    Stress {
        /// The seeds, like 1..1000; the last one is not among them.
        #[arg(long, value_name = "A..B", value_parser = stress::parse_seeds, conflicts_with = "count")]
        seeds: Option<std::ops::Range<u64>>,
        /// Number of graphs, from seed 1 on (default: 10000, or unlimited if --minutes is given)
        #[arg(long, value_name = "N")]
        count: Option<u64>,
        /// The most blocks of a graph.
        #[arg(long, value_name = "MAX", default_value_t = 200)]
        blocks: usize,
        /// Stop after this many minutes.
        #[arg(long, value_name = "M")]
        minutes: Option<f64>,
        /// Number of threads (default: one per core)
        #[arg(long, value_name = "N")]
        jobs: Option<std::num::NonZeroUsize>,
        /// Structurize for this target, like `wgsl` or `rust`.
        #[arg(long, value_name = "NAME", default_value = "spirv", value_parser = stress::parse_target)]
        target: trellis_structurizer::Target,
        /// Let at most one block return.
        #[arg(long)]
        single_return: bool,
        /// Write the shrunk graphs of failures to this folder, as `.cfg` files.
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// Run converted shaders on a Vulkan device and compare what they write with the test files
    /// next to them, with DXC's own SPIR-V and with the interpreter.
    GpuTest(gpu_test::Arguments),
    /// Run the syntax, the DXIL and the converted SPIR-V of random programs, and compare the
    /// results; failures are shrunk and written. Build it with --release.
    Differential(differential::Arguments),
    /// Compile SPIR-V with a driver, without running it, and print what its compiler reports:
    /// instructions, registers, time. RADV needs no GPU for that.
    MachineCode(machine_code::Arguments),
    /// Convert shaders of the corpus with random edits: what converts must be valid by SPIRV-Tools.
    /// Build it with --release --features validate.
    Mutate(mutate::Arguments),
    /// Compare every output with that of another revision, to the byte: the test of a refactoring.
    SameOutput(same_output::Arguments),
    /// Compare results for every graph of few blocks with the least cost that any structured program
    /// needs. Build it with --release.
    Optimum(optimum::Arguments),
    /// Build the page of the explorer: one file that needs no server.
    Explorer(explorer::Arguments),
    /// Compile the HLSL shaders of the corpus, or of another folder, again and write the manifest.
    CompileCorpus {
        /// The folder with the shaders (default: the corpus)
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
        /// The HLSL compiler: any command that takes dxc's arguments.
        #[arg(long, value_name = "PATH")]
        dxc: PathBuf,
        /// The compiler for shader models 6.8 and later (DXC 1.8 or newer); without it, their shaders are
        /// left as they are.
        #[arg(long, value_name = "PATH")]
        latest_dxc: Option<PathBuf>,
        /// Write nothing; exit with 1 if a file would change.
        #[arg(long)]
        check: bool,
        /// Compile only sources whose path contains this.
        #[arg(long, value_name = "TEXT")]
        only: Option<String>,
        /// Number of compilers that run at once (default: one per core)
        #[arg(long, value_name = "N")]
        jobs: Option<usize>,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::Stress {
            seeds,
            count,
            blocks,
            minutes,
            jobs,
            target,
            single_return,
            out,
        } => {
            let seeds = seeds.unwrap_or_else(|| {
                let unlimited = if minutes.is_some() {
                    u64::MAX - 1
                } else {
                    10_000
                };
                1..count.unwrap_or(unlimited).saturating_add(1)
            });
            let options = stress::Options {
                seeds,
                blocks,
                minutes,
                jobs: jobs.map(usize::from),
                out,
            };
            stress(&options, target.with_single_return(single_return))
        }
        Task::GpuTest(arguments) => gpu_test::run(&arguments),
        Task::Differential(arguments) => differential::run(&arguments),
        Task::MachineCode(arguments) => machine_code::run(&arguments),
        Task::Mutate(arguments) => mutate::run(&arguments),
        Task::SameOutput(arguments) => same_output::run(&arguments),
        Task::Optimum(arguments) => optimum::run(&arguments),
        Task::Explorer(arguments) => explorer::run(&arguments),
        Task::CompileCorpus {
            folder,
            dxc,
            latest_dxc,
            check,
            only,
            jobs,
        } => {
            let options = compile_corpus::Options {
                dxc,
                latest_dxc,
                check,
                only,
                jobs,
            };
            compile_corpus(folder, &options)
        }
    }
}

fn stress(options: &stress::Options, target: trellis_structurizer::Target) -> ExitCode {
    // Panics are failures of the graph on which they happen, and are reported with it.
    std::panic::set_hook(Box::new(|_| {}));
    let check = |func: &trellis_structurizer::ir::Function| {
        let mut checks = structurizer_testkit::check::Checks {
            target,
            ..Default::default()
        };
        if target != trellis_structurizer::Target::SPIRV {
            // A label is a block, and a selector that others are spared is one.
            checks.growth = 8;
        }
        structurizer_testkit::check::check_function(func, &checks)
    };
    let summary = stress::run(options, &check);
    for failure in &summary.failures {
        eprintln!("{failure}");
    }
    for problem in &summary.not_written {
        eprintln!("error: {problem}");
    }
    println!("{summary}");
    if summary.failed == 0 && summary.not_written.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn compile_corpus(folder: Option<PathBuf>, options: &compile_corpus::Options) -> ExitCode {
    let corpus = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    match compile_corpus::run(&folder.unwrap_or_else(corpus), options) {
        Ok(outcome) => {
            println!("{outcome}");
            if outcome.failed > 0 || (options.check && outcome.changed > 0) {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
