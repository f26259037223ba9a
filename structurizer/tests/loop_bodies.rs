//! Bodies of loops with several branches to a continue target with instructions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use structurizer_testkit::check::{Checks, check_function};
use trellis_structurizer::{CostWeights, Merge, Options, Stage, Structured, structurize, text};

/// `do { if (b) { c; if (c) continue; d; } else e; f; } while (g: …);`: a latch with two ways to it.
const TWO_CONTINUES: &str = "a: b\nb: c e\nc: g d\nd: f\ne: f\nf: g\ng: b x\nx: ret";

fn drivers() -> Options {
    Options::default().with_weights(CostWeights::drivers())
}

/// Returns the breakable blocks of a structured graph, and the most branches to one of its continue
/// targets. The graph keeps its meaning.
fn shape(graph: &str, options: &Options) -> (u32, usize) {
    let func = text::parse(graph).unwrap();
    check_function(&func, &Checks::default()).unwrap();
    let result: Structured = structurize(func, options).unwrap();
    let branches = |to| {
        let blocks = result.order.iter();
        blocks
            .flat_map(|&block| result.func.successors(block))
            .filter(|&successor| successor == to)
            .count()
    };
    let continues = result.order.iter().filter_map(|&block| {
        let Merge::Loop {
            continue_target, ..
        } = result.merges[block]
        else {
            return None;
        };
        Some(branches(continue_target))
    });
    (result.report.breakable_blocks, continues.max().unwrap())
}

#[test]
fn drivers_get_one_branch_to_a_continue_target() {
    assert_eq!(shape(TWO_CONTINUES, &drivers()), (1, 1));
    assert_eq!(shape(TWO_CONTINUES, &Options::default()), (0, 2));
    let weights = CostWeights::drivers().with_repeated_continue(0);
    let options = Options::default().with_weights(weights);
    assert_eq!(shape(TWO_CONTINUES, &options), (0, 2));
    let mut options = drivers();
    options.stages = options.stages.without(Stage::BreakableBlocks);
    assert_eq!(shape(TWO_CONTINUES, &options).0, 0);
}

#[test]
fn the_header_may_branch_itself() {
    // One `continue` is in the header.
    let header = "a: b\nb: g d\nd: f e\ne: g\nf: g\ng: b x\nx: ret";
    assert_eq!(shape(header, &drivers()).1, 1);
}

#[test]
fn loops_in_loops_are_changed_each() {
    let graph = "a: b\nb: c e\nc: g d\nd: f\ne: f\nf: g\ng: b h\n\
                 h: i k\ni: l j\nj: m\nk: m\nm: l\nl: a x\nx: ret";
    assert_eq!(shape(graph, &drivers()), (2, 1));
}

#[test]
fn loops_that_end_elsewhere_and_empty_latches_stay() {
    // `e` is left for the merge block of the loop.
    let breaks = "a: b\nb: c e\nc: g d\nd: f\ne: f x\nf: g\ng: b x\nx: ret";
    assert_eq!(shape(breaks, &drivers()), (0, 2));
    // `e` returns.
    let returns = "a: b\nb: c e\nc: g d\nd: f\ne: f y\nf: g\ng: b x\nx: ret\ny: ret";
    assert_eq!(shape(returns, &drivers()).0, 0);
}

#[test]
fn a_continue_in_a_switch_stays() {
    let graph = "a: b\nb: switch c d g\nc: f\nd: f\nf: g\ng: b x\nx: ret";
    assert_eq!(shape(graph, &drivers()).0, 0);
}

/// Returns the breakable blocks of a graph that is too large for [`shape`]'s checks.
fn breakable_blocks(graph: &str) -> usize {
    let func = text::parse(graph).unwrap();
    let result = structurize(func, &drivers()).unwrap();
    result.report.breakable_blocks as usize
}

/// Many loops in a row, each the merge block of the one before, and in each other.
#[test]
fn many_loops() {
    const COUNT: usize = 2_000;
    let mut graph = String::from("s: b0\n");
    for i in 0..COUNT {
        let next = i + 1;
        graph.push_str(&format!(
            "b{i}: c{i} e{i}\nc{i}: g{i} d{i}\nd{i}: f{i}\ne{i}: f{i}\nf{i}: g{i}\ng{i}: b{i} b{next}\n"
        ));
    }
    graph.push_str(&format!("b{COUNT}: ret"));
    assert_eq!(breakable_blocks(&graph), COUNT);

    // Each loop has the next one in its first arm.
    const DEPTH: usize = 300;
    let mut graph = String::from("s: b0\n");
    for i in 0..DEPTH {
        let (inner, to) = (
            i + 1,
            if i == 0 {
                "x".to_owned()
            } else {
                format!("d{}", i - 1)
            },
        );
        graph.push_str(&format!(
            "b{i}: c{i} e{i}\nc{i}: g{i} b{inner}\nd{i}: f{i}\ne{i}: f{i}\nf{i}: g{i}\ng{i}: b{i} {to}\n"
        ));
    }
    graph.push_str(&format!("b{DEPTH}: d{}\nx: ret", DEPTH - 1));
    assert_eq!(breakable_blocks(&graph), DEPTH);
}
