//! Functions with variables and copies behave as with phis.

pub(crate) mod interpret;
mod small;
mod twin;
mod walk;

use structurizer_testkit::generate::{mixed_size, random_function};
use trellis_structurizer::text::print_structured;
use trellis_structurizer::{Options, Structured, Target, structurize};
use trellis_structurizer_analysis::Variables;

/// Calls a test with the results of random functions.
fn for_random_results(test: impl Fn(&Structured, &Variables)) {
    for seed in 0..3000 {
        let func = random_function(seed, mixed_size(seed, 64));
        let target = Target::PROFILES[seed as usize % Target::PROFILES.len()].1;
        let structured = structurize(func, &Options::default().with_target(target)).unwrap();
        test(&structured, &Variables::of(&structured));
    }
}

fn check_traces(
    structured: &Structured,
    variables: &Variables,
    run: impl Fn(u64) -> Vec<interpret::Event>,
) {
    for seed in 0..4 {
        let expected = interpret::run(structured, None, seed);
        let found = run(seed);
        if let Some(index) = interpret::difference(&expected, &found) {
            panic!(
                "run {seed}, event {index}: {:?} became {:?}\n{}\n{variables:#?}",
                expected[index],
                found.get(index),
                print_structured(structured)
            );
        }
    }
}

#[test]
fn random_functions_have_the_same_traces() {
    for_random_results(|structured, variables| {
        check_traces(structured, variables, |seed| {
            interpret::run(structured, Some(variables), seed)
        });
    });
}

#[test]
fn random_trees_have_the_same_traces() {
    for_random_results(|structured, variables| {
        check_traces(structured, variables, |seed| {
            walk::run(structured, variables, seed)
        });
    });
}

#[test]
fn values_of_one_variable_are_never_live_together() {
    for_random_results(twin::check);
}
