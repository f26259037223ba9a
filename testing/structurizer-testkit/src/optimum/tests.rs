//! The search against the structurizer and the verifier: what it finds is a structured program, and
//! what the structurizer finds is found.

use super::joins::variants;
use super::lower::lower;
use super::search::{Search, root};
use super::{Digraph, Measure, Set, all_graphs, function, least_cost};
use crate::generate::{End, Program, ProgramOptions, Rng};
use trellis_structurizer::ir::{Block, Function};
use trellis_structurizer::verify::verify;
use trellis_structurizer::{Options, Structured, Tree, structurize};

/// Graphs of few blocks, and every 40th of those of five.
fn graphs() -> impl Iterator<Item = Digraph> {
    let all = (1..=4).flat_map(|blocks| all_graphs(blocks, 3));
    let some = all_graphs(5, 3).into_iter().step_by(40);
    all.chain(some)
}

/// Returns whether each node is in one block, from which each of its successors is reached through
/// blocks without instructions.
fn has(program: &Structured, graph: &Digraph) -> bool {
    let func = &program.func;
    let node_of = |func: &Function, block| func.insts(block).find_map(|inst| func.payload(inst));
    let all = |node: usize| {
        let blocks = program.order.iter().copied();
        blocks.filter(move |&block| node_of(func, block) == Some(node as u32))
    };
    (0..graph.len()).all(|node| {
        let mut reached: Set = 0;
        let mut seen = std::collections::BTreeSet::new();
        let mut pending: Vec<Block> = all(node).flat_map(|block| func.successors(block)).collect();
        while let Some(block) = pending.pop() {
            if let Some(node) = node_of(func, block) {
                reached |= 1 << node;
            } else if seen.insert(block) {
                pending.extend(func.successors(block));
            }
        }
        all(node).count() == 1 && graph.succs(node) & !reached == 0
    })
}

#[test]
fn the_optimum_is_a_structured_program() {
    let mut count = 0;
    for graph in graphs() {
        for variant in variants(&graph) {
            let mut search = Search::new(&variant);
            let root = root(&variant);
            let Some(cost) = (0..5).find_map(|tests| search.cost(root, 12 * tests)) else {
                continue;
            };
            let program = lower(&search, root);
            let program = program.unwrap_or_else(|error| panic!("{variant:?} {cost}: {error}"));
            let result = verify(&program);
            let tree = Tree::of(&program);
            assert!(result.is_ok(), "{variant:?} {cost}\n{tree}{result:?}");
            assert!(has(&program, &variant), "{variant:?}\n{tree}");
            count += 1;
        }
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn nothing_is_better_than_the_optimum() {
    for graph in graphs() {
        let after = structurize(function(&graph), &Options::default()).unwrap();
        let measure = Measure::of(&after, &graph);
        let found = least_cost(&graph, measure.cost());
        assert!(found.is_some(), "{graph:?}: {measure:?}");
    }
}

#[test]
fn structured_programs_need_no_tests() {
    let mut count = 0;
    for seed in 0..20_000 {
        let options = ProgramOptions {
            statements: 4 + (seed % 5) as usize,
            ..ProgramOptions::default()
        };
        let shape = Program::random(&mut Rng::new(seed), &options).lower();
        let Some(graph) = Digraph::of(&shape).filter(|g| g.len() <= 9) else {
            continue;
        };
        // A graph's branch to two blocks is no switch, which could be left.
        let ends = shape.ends.iter().enumerate();
        let mut switches = ends.filter(|(_, end)| matches!(end, End::Switch(..)));
        if switches.any(|(block, _)| graph.succs(block).count_ones() < 3) {
            continue;
        }
        if graph.reach(1, graph.all()) == graph.all() {
            assert!(least_cost(&graph, 0).is_some(), "seed {seed}: {graph:?}");
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}
