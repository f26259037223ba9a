//! Many breaks to the same few blocks give a flat result, and few nest.

use structurizer_testkit::check::{Checks, check_function, failure, shrunk};
use structurizer_testkit::generate::{FillOptions, Rng, fill, random_breaks};
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::parse;
use trellis_structurizer::{Options, Stage, Stages, Target, Tree, structurize};

/// Reiterations a loop with two breaks, to two blocks that branch to one end, unrolled `iterations`
/// times.
fn unrolled(iterations: usize) -> Function {
    chain(iterations * 2, 2)
}

/// Reiterations a chain of conditional breaks, alternately to several blocks that lead to one end.
fn chain(breaks: usize, places: usize) -> Function {
    let mut text = "entry: {empty} t0\n".to_owned();
    for i in 0..breaks {
        let next = if i + 1 < breaks {
            format!("t{}", i + 1)
        } else {
            "end".to_owned()
        };
        text += &format!("t{i}: p{} {next}\n", i % places);
    }
    text.extend((0..places).map(|place| format!("p{place}: end\n")));
    parse(&(text + "end: ret")).unwrap()
}

fn depth(func: Function, options: &Options) -> (usize, u32) {
    let result = structurize(func, options).unwrap();
    let text = Tree::of(&result).to_string();
    (
        text.lines()
            .map(|line| (line.len() - line.trim_start().len()) / 4)
            .max()
            .unwrap(),
        result.report.selectors,
    )
}

#[test]
fn many_breaks_are_flat_and_few_nest() {
    let options = Options::default();
    let (flat, selectors) = depth(unrolled(100), &options);
    assert!(
        flat <= 3 && selectors <= 2,
        "{flat} levels, {selectors} selectors"
    );
    let (flat, selectors) = depth(unrolled(12), &options);
    assert!(
        flat <= 3 && selectors <= 2,
        "{flat} levels, {selectors} selectors"
    );
    let (nested, _) = depth(unrolled(7), &options);
    assert!(nested > 3, "{nested} levels");
    let mut without = Options::default();
    without.stages = Stages::ALL.without(Stage::BreakFlattening);
    let (nested, _) = depth(unrolled(100), &without);
    assert!(nested > 20, "{nested} levels");
}

#[test]
fn many_breaks_keep_the_behaviour() {
    for iterations in [64, 70, 90] {
        let checks = Checks {
            runs: 20,
            ..Checks::default()
        };
        check_function(&unrolled(iterations), &checks)
            .unwrap_or_else(|error| panic!("{iterations} iterations: {error}"));
    }
}

/// Many targets nested in each other: the work of flattening them is bounded.
#[test]
fn many_nested_targets_keep_the_behaviour() {
    let checks = Checks {
        runs: 2,
        ..Checks::default()
    };
    check_function(&chain(64 * 150, 150), &checks).unwrap();
}

#[test]
fn many_breaks_are_flat_without_other_breakable_blocks() {
    let options = Options::default().with_target(Target::SPIRV.with_breakable_blocks(false));
    let (flat, selectors) = depth(unrolled(16), &options);
    assert!(
        flat <= 3 && selectors <= 2,
        "{flat} levels, {selectors} selectors"
    );
}

/// Chains of breaks are valid and keep their behaviour wherever the flat form begins.
#[test]
fn any_number_of_breaks_may_be_flat() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let length = 4 + rng.below(20);
        let shape = random_breaks(&mut rng, length);
        let func = fill(&shape, &mut rng, &FillOptions::default());
        let checks = Checks {
            many_breaks: 2 + (seed % 5) as u32,
            max_continue_switches: if seed % 2 == 0 { 1 } else { u32::MAX },
            target: Target::SPIRV.with_breakable_blocks(seed % 4 < 2),
            runs: 2,
            ..Checks::default()
        };
        let test = |func: &Function| check_function(func, &checks);
        if let Some(found) = failure(&func, &test) {
            panic!("# seed {seed}, {checks:?}: {}", shrunk(func, &found, &test));
        }
    }
}
