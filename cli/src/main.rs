//! The `trellis` command.
//!
//! `commands` has one file per command, with its arguments; `args` is the grammar of all of them.

mod args;
mod color;
mod commands;
mod files;
mod isolation;
mod problem;
mod progress;
mod shift;
mod subject;
mod table;
mod translation;

use std::process::ExitCode;

use args::{Arguments, Command};
use clap::{CommandFactory as _, Parser};
use problem::Problem;

fn main() -> ExitCode {
    // Not a command for people: neither the help nor completions have it.
    let is_worker = std::env::args_os().skip(1).eq([isolation::WORKER]);
    let command = (!is_worker).then(|| Arguments::parse().command);
    quiet_panics();
    let result = match command {
        None => commands::batch_worker::run(),
        Some(command) => run(command),
    };
    result.unwrap_or_else(|problem| {
        problem.print();
        problem.exit_code()
    })
}

/// Runs a command.
fn run(command: Command) -> Result<ExitCode, Problem> {
    match command {
        Command::Convert(args) => commands::convert::run(&args),
        Command::Batch(args) => commands::batch::run(&args, &Arguments::command()),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Stat(args) => commands::stat::run(&args),
        Command::Validate(args) => commands::validate::run(&args),
        Command::MinimizeCorpus(args) => commands::minimize::run(&args),
        Command::Reduce(args) => commands::reduce::run(&args),
        Command::Dis(args) => commands::inspect::dis(&args),
        Command::Reflect(args) => commands::inspect::reflect(&args),
        Command::List(args) => commands::inspect::list(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Try(args) => commands::try_shaders::run(&args),
        Command::Restructure(args) => commands::restructure::run(&args),
        Command::Structurize(args) => commands::structurize::run(&args),
        Command::Tree(args) => commands::tree::run(&args),
        Command::Cfg(args) => commands::cfg::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Options(args) => commands::options::run(&args),
        Command::Completions(args) => commands::completions::run(&args, Arguments::command()),
        Command::Man(args) => commands::man::run(&args, Arguments::command()),
    }
}

/// Suppresses Rust's message for a panic inside a conversion: the panic is reported as that
/// shader's failure.
fn quiet_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !trellis_corpus::guard::is_active() {
            default(info);
        }
    }));
}
