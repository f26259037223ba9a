//! Targets: for each profile, and each combination of capabilities, results are valid and
//! equivalent; with multi-level exits reducible graphs need no selectors.
//!
//! `TRELLIS_SEED` and `TRELLIS_GRAPHS` choose the random graphs.

use structurizer_testkit::check::{Checks, check_function};
use structurizer_testkit::generate::{Family, mixed_size, random_function};
use structurizer_testkit::harness::seeds;
use trellis_structurizer::ir::{Block, Function, Terminator};
use trellis_structurizer::text::print;
use trellis_structurizer::tree::Kind;
use trellis_structurizer::{Options, Stage, Stages, Target, Tree, structurize};

/// Returns all combinations of capabilities.
fn combinations() -> Vec<Target> {
    let bit = |bits: u32, at: u32| bits >> at & 1 == 1;
    let target = |bits| {
        Target::SPIRV
            .with_multi_level(bit(bits, 0))
            .with_break_leaves_switches(bit(bits, 1))
            .with_fall_through(bit(bits, 2))
            .with_continue_parts(bit(bits, 3))
            .with_single_return(bit(bits, 4))
            .with_branch_merges(bit(bits, 5))
            .with_breakable_blocks(bit(bits, 6))
    };
    (0..128).map(target).collect()
}

fn check(func: &Function, target: Target, stages: Stages, what: &str) {
    let checks = Checks {
        runs: 2,
        // Each label is a block, and each node of a graph may have one.
        growth: 8,
        stages,
        target,
        ..Checks::default()
    };
    if let Err(failure) = check_function(func, &checks) {
        panic!(
            "{what} for {target:?} and {stages:?}: {failure}\n{}",
            print(func)
        );
    }
}

fn for_random_graphs(count: u64, test: impl Fn(u64, &Function)) {
    for seed in seeds(count) {
        test(seed, &random_function(seed, mixed_size(seed, 48)));
    }
}

#[test]
fn random_graphs_for_each_combination() {
    let combinations = combinations();
    for_random_graphs(10_000, |seed, func| {
        let at = seed as usize % combinations.len();
        check(func, combinations[at], Stages::ALL, &format!("seed {seed}"));
    });
}

#[test]
fn random_graphs_for_each_combination_with_stages_off() {
    let combinations = combinations();
    for_random_graphs(4000, |seed, func| {
        let target = combinations[seed as usize % combinations.len()];
        let at = seed as usize / combinations.len();
        let off = Stage::OPTIONAL[at % Stage::OPTIONAL.len()];
        let stages = match at % 3 {
            0 => Stages::ALL.without(off),
            1 => Stages::NONE.with(off),
            _ => Stages::NONE,
        };
        check(func, target, stages, &format!("seed {seed}"));
    });
}

#[test]
fn families_for_each_profile() {
    for family in Family::ALL {
        for n in [1, 2, 3, 5, 9] {
            let func = family.function(n);
            for target in combinations() {
                check(&func, target, Stages::ALL, &format!("{family:?} of {n}"));
            }
        }
    }
}

/// Large families: nothing is quadratic or recursive in the depth.
#[test]
fn large_graphs_for_each_profile() {
    for family in Family::ALL {
        let func = family.function(2000);
        for (name, target) in Target::PROFILES {
            let result = structurize(func.clone(), &Options::default().with_target(target));
            let result = result.unwrap_or_else(|error| panic!("{family:?} for {name}: {error}"));
            let blocks = func.num_blocks();
            assert!(
                result.order.len() <= 8 * (blocks + 1),
                "{family:?} for {name}: {blocks} -> {}",
                result.order.len()
            );
        }
    }
}

#[test]
fn one_block_returns() {
    for_random_graphs(2000, |seed, func| {
        for target in [Target::SPIRV, Target::WASM, Target::WGSL] {
            let options = Options::default().with_target(target.with_single_return(true));
            let result = structurize(func.clone(), &options).unwrap();
            // Random functions return values of several types; each type has its own block.
            let returned = |block: &Block| match result.func.terminator(*block) {
                Some(Terminator::Return(value)) => {
                    Some(value.map(|value| result.func.value_type(value)))
                }
                _ => None,
            };
            let mut types: Vec<_> = result.order.iter().filter_map(returned).collect();
            let returns = types.len();
            types.sort_unstable_by_key(|ty| ty.map(|ty| ty.0));
            types.dedup();
            assert_eq!(returns, types.len(), "seed {seed}\n{}", print(func));
            // It is in no loop.
            let tree = Tree::of(&result);
            let mut loops = Vec::new();
            for (index, node) in tree.nodes().iter().enumerate() {
                loops.retain(|&end| end > index as u32);
                match node.kind {
                    Kind::Loop { .. } => loops.push(node.end),
                    Kind::Return(_) => assert!(loops.is_empty(), "seed {seed}\n{}", print(func)),
                    _ => {}
                }
            }
        }
    });
}

#[test]
fn profiles_have_names() {
    for (name, target) in Target::PROFILES {
        assert_eq!(Target::from_name(name), Some(target));
    }
    assert_eq!(Target::from_name("pascal"), None);
    assert_eq!(Target::default(), Target::SPIRV);
}
