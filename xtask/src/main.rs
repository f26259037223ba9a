//! Developer tasks: `cargo xtask --help`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

mod compile_corpus;
mod explorer;
#[cfg(feature = "tests")]
mod gpu_test;
mod header;
#[cfg(feature = "tests")]
mod machine_code;
#[cfg(feature = "tests")]
mod same_output;

/// Developer tasks for Trellis.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    after_help = "gpu-test, machine-code and same-output are compiled with the crates of the tests"
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// The tasks.
#[derive(Subcommand)]
enum Task {
    /// Compile the HLSL shaders of the corpus, or of another folder, again and write the manifest.
    CompileCorpus(compile_corpus::Arguments),
    /// Build the page of the explorer: one file that needs no server.
    Explorer(explorer::Arguments),
    /// Make the files of a release and use each.
    Release {
        /// Folder and parts: see `xtask/scripts/release.sh`.
        arguments: Vec<OsString>,
    },
    /// Run converted shaders on a Vulkan device and compare their outputs with the test files next
    /// to them, with DXC's own SPIR-V and with the interpreter.
    #[cfg(feature = "tests")]
    GpuTest(gpu_test::Arguments),
    /// Compile SPIR-V with a driver, without running it, and print its compiler's statistics:
    /// instructions, registers, time. RADV needs no GPU for that.
    #[cfg(feature = "tests")]
    MachineCode(machine_code::Arguments),
    /// Compare every output with another revision's, to the byte: the test of a refactoring.
    #[cfg(feature = "tests")]
    SameOutput(same_output::Arguments),
    /// The tasks that need the crates of the tests: gpu-test, machine-code, same-output.
    #[cfg(not(feature = "tests"))]
    #[command(external_subcommand)]
    OfTests(Vec<OsString>),
}

fn main() -> ExitCode {
    let ended = match Arguments::parse().task {
        Task::CompileCorpus(arguments) => compile_corpus::run(&arguments),
        Task::Explorer(arguments) => explorer::run(&arguments),
        Task::Release { arguments } => {
            let script = root().join("xtask/scripts/release.sh");
            execute(Command::new("bash").arg(script).args(arguments))
        }
        #[cfg(feature = "tests")]
        Task::GpuTest(arguments) => gpu_test::run(&arguments),
        #[cfg(feature = "tests")]
        Task::MachineCode(arguments) => machine_code::run(&arguments),
        #[cfg(feature = "tests")]
        Task::SameOutput(arguments) => same_output::run(&arguments),
        #[cfg(not(feature = "tests"))]
        Task::OfTests(arguments) => {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
            execute(
                cargo
                    .args(["run", "--package", "xtask", "--"])
                    .args(arguments),
            )
        }
    };
    ended.unwrap_or_else(|problem| {
        eprintln!("error: {problem}");
        ExitCode::FAILURE
    })
}

/// Runs a program that does a task.
fn execute(command: &mut Command) -> Result<ExitCode, String> {
    let ended = command.status().map_err(|error| error.to_string())?;
    Ok(status(ended.success()))
}

/// Returns the status of a task whose checks passed or not.
fn status(passed: bool) -> ExitCode {
    ExitCode::from(u8::from(!passed))
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

/// Returns a pool of `jobs` threads, or of one per core for 0.
fn threads(jobs: usize) -> Result<rayon::ThreadPool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|error| error.to_string())
}
