//! The memory of the structurizer: at most a constant number of bytes per entry of the input and of
//! the largest result that [`Options::max_growth`] allows, whatever the input.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use benches::allocations::{Counting, peak_during};
use structurizer_testkit::generate::{Family, Rng, Values, random_function};
use trellis_structurizer::ir::{Block, Effects, Function, Terminator, Type, Value};
use trellis_structurizer::{Error, Options, structurize};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes per entry. Vectors that grow are in memory twice while they are copied, and memory of one
/// stage is kept for the next function (`Workspace`) instead of freed for the next stage.
const BYTES: u64 = 640;

/// Structurizes a function and holds the peak of the memory under the bound; returns whether there
/// is a result.
fn expect_bounded(name: &str, func: Function, options: &Options) -> bool {
    let input = func.num_entries();
    let limit = options.max_entries(&func);
    let mut result = None;
    let peak = peak_during(|| result = Some(structurize(func, options)));
    let entries = match result.unwrap() {
        Ok(after) => Some(after.func.num_entries()),
        Err(Error::ResultTooLarge { limit: named }) => {
            assert_eq!(named, limit, "{name}");
            None
        }
        Err(error) => panic!("{name}: {error}"),
    };
    let most = entries.unwrap_or(limit);
    println!(
        "{name}: {input} entries, {entries:?} after, limit {limit}: {} MB, {:.0} bytes per entry",
        peak >> 20,
        peak as f64 / (input + most) as f64
    );
    assert!(
        peak <= BYTES * (input + most) as u64,
        "{name}: {peak} bytes for {input} entries, {entries:?} after"
    );
    assert!(most <= limit, "{name}");
    entries.is_some()
}

/// Blocks that switch to each of some targets, with phis of one another's values.
fn switches(targets: &[Vec<usize>], phis: impl Fn(usize) -> usize) -> Function {
    let mut func = Function::new();
    let ty = Type(1);
    let blocks: Vec<Block> = targets.iter().map(|_| func.add_block()).collect();
    let zero = func.add_constant(0, ty);
    let mut preds = vec![Vec::new(); blocks.len()];
    for (from, list) in targets.iter().enumerate() {
        for &to in list {
            preds[to].push(from);
        }
    }
    // A phi of each block, and a value that an instruction computes.
    let mut all: Vec<Vec<Value>> = Vec::new();
    for (at, &block) in blocks.iter().enumerate() {
        let count = if preds[at].is_empty() { 0 } else { phis(at) };
        all.push((0..count).map(|_| func.add_phi(block, ty)).collect());
    }
    for (at, list) in targets.iter().enumerate() {
        let own = all[at].first().copied().unwrap_or(zero);
        let effects = Effects::SIDE_EFFECT;
        let inst = func.append_inst(blocks[at], at as u32, effects, &[own], &[ty]);
        let value = func.results(inst).next().unwrap();
        let terminator = match list.split_first() {
            None => Terminator::Return(None),
            Some((&first, rest)) => {
                let cases = rest.iter().map(|&to| (to as u64, blocks[to]));
                let cases = func.add_cases(&cases.collect::<Vec<_>>());
                Terminator::Switch {
                    value,
                    default: blocks[first],
                    cases,
                    hint: Default::default(),
                }
            }
        };
        func.set_terminator(blocks[at], terminator);
        for &to in list {
            for &phi in &all[to] {
                func.add_phi_operand(phi, blocks[at], value);
            }
        }
    }
    func
}

/// Every block switches to every other one but the entry.
fn complete(n: usize, phis: usize) -> Function {
    let mut targets: Vec<Vec<usize>> = (0..n).map(|_| (1..=n).collect()).collect();
    targets.push(Vec::new());
    switches(&targets, |_| phis)
}

/// Every block switches to some others.
fn dense(rng: &mut Rng, n: usize, phis: usize) -> Function {
    let mut targets: Vec<Vec<usize>> = Vec::new();
    for _ in 0..n {
        let percent = 1 + rng.below(60) as u32;
        let mut list: Vec<usize> = (1..=n).filter(|_| rng.chance(percent)).collect();
        if list.is_empty() {
            list.push(n);
        }
        targets.push(list);
    }
    targets.push(Vec::new());
    switches(&targets, |_| phis)
}

/// Nested loops whose innermost one jumps to an end with many phis: each of these passes all levels,
/// where it meets invocations that do not jump.
fn many_phis_past_many_levels(levels: usize, phis: usize) -> Function {
    let (body, end) = (levels + 1, 2 * levels + 2);
    let latch = |level: usize| body + level;
    let mut targets: Vec<Vec<usize>> = vec![vec![1]];
    targets.extend((1..=levels).map(|header| vec![header + 1, latch(header)]));
    targets.push(vec![end, latch(levels)]);
    for level in 1..=levels {
        let outer = if level > 1 { latch(level - 1) } else { end };
        targets.push(vec![level, outer]);
    }
    targets.push(Vec::new());
    switches(&targets, |block| if block == end { phis } else { 1 })
}

#[test]
fn the_worst_inputs_that_are_known() {
    let options = Options::default();
    let worst = [
        (Family::IrreducibleRing, 1 << 12),
        (Family::MutualSwitches, 1 << 10),
        (Family::NestedLoopsContinueOuter, 1 << 11),
        (Family::GotoIntoLoop, 1 << 11),
        (Family::NestedSwitches, 1 << 11),
        (Family::CrossingArms, 1 << 11),
        (Family::RandomAny, 1 << 13),
    ];
    for (family, n) in worst {
        for values in Values::ALL {
            let name = format!("{family:?} of {n}, {values:?}");
            let has_result = expect_bounded(&name, family.function_with(n, values), &options);
            assert!(has_result, "{name}");
        }
    }
    assert!(expect_bounded("complete, phis", complete(100, 8), &options));
    assert!(expect_bounded("complete", complete(200, 0), &options));
}

#[test]
fn what_would_be_quadratic_is_an_error() {
    let options = Options::default();
    let name = "phis past levels";
    assert!(expect_bounded(
        name,
        many_phis_past_many_levels(40, 40),
        &options
    ));
    assert!(!expect_bounded(
        name,
        many_phis_past_many_levels(1500, 1500),
        &options
    ));
}

#[test]
fn random_graphs_stay_below_any_limit() {
    let mut options = Options::default();
    let mut refused = 0;
    for seed in 0..100 {
        options.max_growth = seed as usize % 20;
        let func = random_function(seed, 300);
        expect_bounded(&format!("seed {seed}"), func, &options);
        let mut rng = Rng::new(seed);
        let func = dense(&mut rng, 2 + seed as usize % 40, seed as usize % 12);
        expect_bounded(&format!("dense {seed}"), func, &options);
        options.max_growth = 0;
        let size = 20 * seed as usize;
        let func = many_phis_past_many_levels(size, size);
        refused += u32::from(!expect_bounded("phis past levels", func, &options));
    }
    assert!((10..90).contains(&refused), "{refused}");
}
