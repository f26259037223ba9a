//! Edits of structured programs: each result verifies, and a program that is only read or put back
//! behaves as before.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod examples;
mod random;

use structurizer_testkit::simt::{
    Config, LaneSets, SimError, Trace, compare, is_reducible, run_graph, run_structured,
    run_structured_like,
};
use trellis_structurizer::ir::Function;
use trellis_structurizer::verify::verify;
use trellis_structurizer::{Options, Structured, Target, structurize};
use trellis_structurizer_edit::Program;

fn program_of(func: &Function) -> Program {
    program_for(func, Target::SPIRV)
}

fn program_for(func: &Function, target: Target) -> Program {
    let options = Options::default().with_target(target);
    Program::of(structurize(func.clone(), &options).unwrap()).unwrap()
}

/// Compares two runs.
fn compare_runs(
    before: Result<Trace, SimError>,
    after: Result<Trace, SimError>,
    sets: LaneSets,
) -> Result<(), String> {
    match (before, after) {
        (Ok(before), Ok(after)) => {
            compare(&before, &after, sets).map_err(|difference| difference.to_string())
        }
        // An edited program may branch on what is undefined.
        (Err(_), Err(_)) => Ok(()),
        (before, after) => Err(format!(
            "one of them does not run: {:?}, {:?}",
            before.err(),
            after.err()
        )),
    }
}

fn same_traces(before: &Structured, after: &Structured) -> Result<(), String> {
    let configs = (0..3).map(|seed| Config {
        seed,
        ..Config::default()
    });
    configs.into_iter().try_for_each(|config| {
        compare_runs(
            run_structured(before, &config),
            run_structured(after, &config),
            LaneSets::Equal,
        )
    })
}

/// Returns whether a result is valid and does what the input does.
fn check_result(before: &Function, after: &Structured) -> Result<(), String> {
    verify(after).map_err(|error| error.to_string())?;
    let sets = if is_reducible(before) {
        LaneSets::Equal
    } else {
        LaneSets::Ignore
    };
    let configs = (0..4).map(|seed| Config {
        seed,
        ..Config::default()
    });
    configs.into_iter().try_for_each(|config| {
        let expected = run_graph(before, &config);
        let found = match &expected {
            Ok(expected) => run_structured_like(after, &config, expected),
            Err(_) => run_structured(after, &config),
        };
        compare_runs(expected, found, sets)
    })
}
