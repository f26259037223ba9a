//! Long runs: `cargo campaign --help`. `.ci/campaign` has CI's.

use std::process::ExitCode;

use clap::Parser;

mod differential;
mod differential_graphs;
mod differential_shapes;
mod mutate;
mod optimum;
mod outputs;
mod stress;

/// Long runs of random programs, graphs and mutated shaders. Build it with --release.
#[derive(Parser)]
#[command(name = "cargo campaign")]
enum Campaign {
    /// Structurize random graphs and check each result; failures are shrunk and reported
    Stress(stress::Arguments),
    /// Run the syntax, the DXIL and the converted SPIR-V of random programs, and compare the
    /// results; failures are shrunk and written
    Differential(differential::Arguments),
    /// Convert shaders of the corpus with random edits: outputs must be valid by SPIRV-Tools
    /// (feature `validate`)
    Mutate(mutate::Arguments),
    /// Compare results for every graph of few blocks with the least cost that any structured program
    /// needs
    Optimum(optimum::Arguments),
    /// List the rules that SPIRV-Tools (feature `validate`) finds broken in edited outputs, and our verifier
    /// does not
    Outputs(outputs::Arguments),
}

fn main() -> ExitCode {
    let ended = match Campaign::parse() {
        Campaign::Stress(arguments) => stress::run(&arguments),
        Campaign::Differential(arguments) => differential::run(&arguments),
        Campaign::Mutate(arguments) => mutate::run(&arguments),
        Campaign::Optimum(arguments) => optimum::run(&arguments),
        Campaign::Outputs(arguments) => outputs::run(&arguments),
    };
    ended.unwrap_or_else(|problem| {
        eprintln!("error: {problem}");
        ExitCode::FAILURE
    })
}

/// Returns the status of a campaign whose checks passed or not.
fn status(passed: bool) -> ExitCode {
    ExitCode::from(u8::from(!passed))
}
