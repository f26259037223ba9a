//! Edits of structured programs: each result verifies, and a program that is only read or put back
//! behaves as before.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod examples;
mod random;

use structurizer_testkit::check::{self, Failure};
use structurizer_testkit::simt::{Config, LaneSets, compare, is_reducible, run_structured};
use trellis_structurizer::ir::Function;
use trellis_structurizer::{Options, Structured, Target, structurize};
use trellis_structurizer_edit::Program;

fn program_of(func: &Function) -> Program {
    program_for(func, Target::SPIRV)
}

fn program_for(func: &Function, target: Target) -> Program {
    let options = Options::default().with_target(target);
    Program::of(structurize(func.clone(), &options).unwrap()).unwrap()
}

fn same_traces(before: &Structured, after: &Structured) -> Result<(), String> {
    (0..3).try_for_each(|seed| {
        let config = Config {
            seed,
            ..Config::default()
        };
        match [before, after].map(|program| run_structured(program, &config)) {
            [Ok(before), Ok(after)] => compare(&before, &after, LaneSets::Equal)
                .map_err(|difference| difference.to_string()),
            // An edited program may branch on an undefined value.
            [Err(_), Err(_)] => Ok(()),
            [before, after] => Err(format!(
                "one of them does not run: {:?}, {:?}",
                before.err(),
                after.err()
            )),
        }
    })
}

/// Checks that a result is valid and equivalent to the input.
fn check_result(before: &Function, after: &Structured) -> Result<(), Failure> {
    let sets = if is_reducible(before) {
        LaneSets::Equal
    } else {
        LaneSets::Ignore
    };
    check::check_result(before, after, 4, sets)
}
