//! petgraph's algorithms on control-flow graphs agree with the analyses and with plain searches.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::algo::dominators::simple_fast;
use petgraph::algo::{connected_components, has_path_connecting, is_cyclic_directed, tarjan_scc};
use petgraph::visit::{
    Dfs, EdgeCount, EdgeRef, IntoEdgeReferences, IntoEdges, IntoEdgesDirected, IntoNeighbors,
    IntoNeighborsDirected, IntoNodeIdentifiers, IntoNodeReferences, NodeCount, NodeIndexable,
    Reversed, Walker,
};
use structurizer_testkit::generate::random_function;
use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::Block;
use trellis_structurizer::text::parse;
use trellis_structurizer::{Options, structurize};
use trellis_structurizer_analysis::petgraph::{BlockGraph, Edge};

/// Returns the blocks that the first block reaches without passing `without`.
fn reached(graph: &BlockGraph, without: Option<Block>) -> BTreeSet<Block> {
    let mut seen = BTreeSet::new();
    let mut stack: Vec<Block> = graph.node_identifiers().take(1).collect();
    while let Some(block) = stack.pop() {
        if Some(block) != without && seen.insert(block) {
            stack.extend(graph.neighbors(block));
        }
    }
    seen
}

/// petgraph's dominators match the definition: a block dominates the blocks that only paths
/// through it reach.
fn dominators_match_the_definition(graph: &BlockGraph, what: &str) {
    let entry = graph.from_index(0);
    let dominators = simple_fast(graph, entry);
    let all = reached(graph, None);
    for a in graph.node_identifiers() {
        let without = reached(graph, Some(a));
        for b in graph.node_identifiers() {
            let found = dominators
                .dominators(b)
                .is_some_and(|mut above| above.any(|up| up == a));
            let expected = all.contains(&b) && !without.contains(&b);
            assert_eq!(found, expected, "{what}: {a} over {b}");
        }
    }
}

#[test]
fn dominators_match_the_definition_and_the_analysis() {
    for seed in 0..300 {
        let func = random_function(seed, 40);
        let graph = BlockGraph::of(&func);
        dominators_match_the_definition(&graph, &format!("seed {seed}"));
        let dominators = simple_fast(&graph, Block::from_u32(0));
        let ours = FlowGraph::of(&func).dominators();
        for block in func.blocks() {
            assert_eq!(
                ours.parent(block),
                dominators.immediate_dominator(block),
                "seed {seed}: {block}"
            );
        }
        let structured = structurize(func, &Options::default()).unwrap();
        dominators_match_the_definition(
            &BlockGraph::of_structured(&structured),
            &format!("seed {seed}, structured"),
        );
        let structural = BlockGraph::structural(&structured);
        dominators_match_the_definition(&structural, &format!("seed {seed}, structural"));
        // The block order follows structural dominance.
        let dominators = simple_fast(&structural, structured.order[0]);
        for &block in &structured.order[1..] {
            let up = dominators.immediate_dominator(block).unwrap();
            assert!(structural.to_index(up) < structural.to_index(block));
        }
    }
}

#[test]
fn components_and_paths_agree_with_a_search() {
    for seed in 0..300 {
        let func = random_function(seed, 24);
        let graph = BlockGraph::of(&func);
        let reach = |from: Block| -> Vec<bool> {
            let mut seen = vec![false; func.num_blocks()];
            let mut stack = vec![from];
            while let Some(block) = stack.pop() {
                if !std::mem::replace(&mut seen[block.as_u32() as usize], true) {
                    stack.extend(func.successors(block));
                }
            }
            seen
        };
        let reached: Vec<Vec<bool>> = func.blocks().map(reach).collect();
        let mut component = vec![0; func.num_blocks()];
        for (number, blocks) in tarjan_scc(&graph).iter().enumerate() {
            for block in blocks {
                component[block.as_u32() as usize] = number;
            }
        }
        let mut cyclic = false;
        for a in func.blocks() {
            assert_eq!(
                Dfs::new(&graph, a).iter(&graph).count(),
                reached[a.as_u32() as usize]
                    .iter()
                    .filter(|&&there| there)
                    .count()
            );
            for b in func.blocks() {
                let (there, back) = (
                    reached[a.as_u32() as usize][b.as_u32() as usize],
                    reached[b.as_u32() as usize][a.as_u32() as usize],
                );
                assert_eq!(
                    has_path_connecting(&graph, a, b, None),
                    there,
                    "seed {seed}: {a} {b}"
                );
                assert_eq!(
                    has_path_connecting(Reversed(&graph), b, a, None),
                    there,
                    "seed {seed}: {b} {a} reversed"
                );
                assert_eq!(
                    component[a.as_u32() as usize] == component[b.as_u32() as usize],
                    there && back,
                    "seed {seed}: {a} {b}"
                );
                cyclic |= back && func.successors(a).any(|to| to == b);
            }
        }
        assert_eq!(is_cyclic_directed(&graph), cyclic, "seed {seed}");
        assert!(connected_components(&graph) >= 1);
    }
}

#[test]
fn each_edge_exists_in_both_directions_equally_often() {
    let func = parse("a: switch b b c\nb: c\nc: a d\nd: ret\ne: e").unwrap();
    let graph = BlockGraph::of(&func);
    assert_eq!((graph.node_count(), graph.edge_count()), (5, 7));
    let mut out: Vec<Edge> = graph
        .node_identifiers()
        .flat_map(|block| graph.edges(block))
        .collect();
    let mut into: Vec<Edge> = graph
        .node_identifiers()
        .flat_map(|block| graph.edges_directed(block, Direction::Incoming))
        .collect();
    assert!(graph.node_identifiers().all(|block| {
        graph
            .edges_directed(block, Direction::Incoming)
            .all(|edge| edge.target() == block)
    }));
    out.sort();
    into.sort();
    assert_eq!(out, into);
    assert_eq!(out.len(), graph.edge_references().count());
    assert_eq!(graph.node_references().count(), 5);
    let stranger = Block::from_u32(99);
    assert_eq!(
        (
            graph.neighbors(stranger).count(),
            graph
                .neighbors_directed(stranger, Direction::Incoming)
                .count()
        ),
        (0, 0)
    );
}
