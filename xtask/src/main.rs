//! Developer tasks: `cargo xtask --help`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

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
    Stress(stress::Arguments),
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
    CompileCorpus(compile_corpus::Arguments),
}

fn main() -> ExitCode {
    let ended = match Arguments::parse().task {
        Task::Stress(arguments) => stress::run(&arguments),
        Task::GpuTest(arguments) => gpu_test::run(&arguments),
        Task::Differential(arguments) => differential::run(&arguments),
        Task::MachineCode(arguments) => machine_code::run(&arguments),
        Task::Mutate(arguments) => mutate::run(&arguments),
        Task::SameOutput(arguments) => same_output::run(&arguments),
        Task::Optimum(arguments) => optimum::run(&arguments),
        Task::Explorer(arguments) => explorer::run(&arguments),
        Task::CompileCorpus(arguments) => compile_corpus::run(&arguments),
    };
    ended.unwrap_or_else(|problem| {
        eprintln!("error: {problem}");
        ExitCode::FAILURE
    })
}

/// Returns the status of a task whose checks passed or not.
fn status(passed: bool) -> ExitCode {
    ExitCode::from(u8::from(!passed))
}

/// Makes a command that runs this program with the same arguments, and more.
fn again() -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1));
    Ok(command)
}

/// Returns the repository's root.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the folder that cargo builds in.
fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns all files below a folder, sorted.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let at = |error| format!("{}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(at)? {
            let path = entry.map_err(at)?.path();
            let list = if path.is_dir() {
                &mut folders
            } else {
                &mut files
            };
            list.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns so many threads, or one per core for 0.
fn threads(jobs: usize) -> Result<rayon::ThreadPool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|error| error.to_string())
}
