//! Developer tasks: `cargo xtask --help`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod compile_corpus;
mod header;
mod test;

/// Developer tasks for Trellis.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// What to do.
#[derive(Subcommand)]
enum Task {
    /// Run everything that CI tests; what needs a program that is not installed is skipped with a word.
    Test,
    /// Compile the corpus's HLSL shaders again and write its manifest.
    CompileCorpus {
        /// The HLSL compiler: any command that takes dxc's arguments.
        #[arg(long, value_name = "PATH")]
        dxc: PathBuf,
        /// Write nothing; exit with 1 if a file would change.
        #[arg(long)]
        check: bool,
        /// Compile only sources whose path contains this; the manifest then stays as it is.
        #[arg(long, value_name = "TEXT")]
        only: Option<String>,
        /// How many compilers run at once (default: one a core).
        #[arg(long, value_name = "N")]
        jobs: Option<usize>,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::Test => test(),
        Task::CompileCorpus { dxc, check, only, jobs } => compile_corpus(dxc, check, only, jobs),
    }
}

fn test() -> ExitCode {
    let outcome = test::run();
    for skipped in &outcome.skipped {
        println!("skipped: {skipped}");
    }
    for failed in &outcome.failed {
        eprintln!("failed: {failed}");
    }
    if outcome.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compile_corpus(dxc: PathBuf, check: bool, only: Option<String>, jobs: Option<usize>) -> ExitCode {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    let options = compile_corpus::Options { dxc, check, only, jobs };
    match compile_corpus::run(&folder, &options) {
        Ok(outcome) => {
            println!("{outcome}");
            if outcome.failed > 0 || (check && outcome.changed > 0) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
