//! The analyses agree with their definitions on random graphs.

use structurizer_testkit::generate::random_function;
use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{Block, Function};
use trellis_structurizer::{Options, structurize};

/// Returns the blocks that `from` reach without passing `without`, along or against the edges.
fn reach(func: &Function, from: &[Block], without: Option<Block>, forward: bool) -> Vec<bool> {
    let mut seen = vec![false; func.num_blocks()];
    let mut work: Vec<Block> = from
        .iter()
        .copied()
        .filter(|&b| Some(b) != without)
        .collect();
    for b in &work {
        seen[b.as_u32() as usize] = true;
    }
    while let Some(at) = work.pop() {
        let next: Vec<Block> = if forward {
            func.successors(at).collect()
        } else {
            func.blocks()
                .filter(|&p| func.successors(p).any(|to| to == at))
                .collect()
        };
        for to in next {
            if Some(to) != without && !std::mem::replace(&mut seen[to.as_u32() as usize], true) {
                work.push(to);
            }
        }
    }
    seen
}

/// A result may be entered at another block than its function's first.
#[test]
fn the_entry_of_a_result_dominates_what_it_reaches() {
    let mut fresh = 0;
    for seed in 0..200 {
        let result = structurize(random_function(seed, 14), &Options::default()).unwrap();
        let entry = result.order[0];
        fresh += usize::from(entry != Block::from_u32(0));
        let reached = reach(&result.func, &[entry], None, true);
        let dominators = FlowGraph::from_entry(&result.func, entry).dominators();
        for block in result.func.blocks() {
            assert_eq!(
                dominators.dominates(entry, block),
                reached[block.as_u32() as usize],
                "seed {seed}, {block}"
            );
        }
    }
    assert!(fresh > 10, "{fresh}");
}

/// By definition, a dominates b if b is not reached without a.
#[test]
fn analyses_match_their_definitions() {
    let at = |b: Block| b.as_u32() as usize;
    for seed in 0..400 {
        let func = random_function(seed, 14);
        let graph = FlowGraph::of(&func);
        let entry = Block::from_u32(0);
        let reached = reach(&func, &[entry], None, true);
        let (dominators, post) = (graph.dominators(), graph.post_dominators());
        let ends: Vec<Block> = func
            .blocks()
            .filter(|&b| reached[at(b)] && func.successors(b).next().is_none())
            .collect();
        let all_end = func
            .blocks()
            .all(|b| !reached[at(b)] || reach(&func, &ends, None, false)[at(b)]);
        for a in func.blocks() {
            let (without, without_back) = (
                reach(&func, &[entry], Some(a), true),
                reach(&func, &ends, Some(a), false),
            );
            let mut after: Vec<Block> = Vec::new();
            for b in func.blocks() {
                let both = reached[at(a)] && reached[at(b)];
                assert_eq!(
                    dominators.dominates(a, b),
                    both && !without[at(b)],
                    "seed {seed}: {a} dominates {b}"
                );
                if all_end {
                    assert_eq!(
                        post.dominates(a, b),
                        both && !without_back[at(b)],
                        "seed {seed}: {a} post-dominates {b}"
                    );
                }
                if func
                    .blocks()
                    .any(|p| dominators.dominates(a, p) && func.successors(p).any(|to| to == b))
                    && (a == b || !dominators.dominates(a, b))
                {
                    after.push(b);
                }
            }
            assert_eq!(
                dominators.frontier(a),
                after,
                "seed {seed}: the frontier of {a}"
            );
            let next: Vec<Block> = func.successors(a).collect();
            let can: Vec<Block> = func
                .blocks()
                .filter(|&b| reach(&func, &next, None, true)[at(b)])
                .collect();
            assert_eq!(graph.reachable_from(a), can, "seed {seed}: from {a}");
            let parent = dominators.parent(a);
            assert!(
                parent.is_none_or(|p| p != a
                    && dominators.dominates(p, a)
                    && dominators.children(p).any(|c| c == a)),
                "seed {seed}: {a}"
            );
            if all_end {
                let before = |b: Block| {
                    func.successors(b).any(|to| post.dominates(a, to))
                        && (a == b || !post.dominates(a, b))
                };
                let before: Vec<Block> = func
                    .blocks()
                    .filter(|&b| reached[at(b)] && before(b))
                    .collect();
                assert_eq!(
                    post.frontier(a),
                    before,
                    "seed {seed}: the post-dominance frontier of {a}"
                );
            }
        }
    }
}

/// A block is in a loop exactly if it is on a cycle, and the loop's header is on one with it.
#[test]
fn loops_are_cycles() {
    for seed in 0..400 {
        let func = random_function(seed, 20);
        let graph = FlowGraph::of(&func);
        let loops = graph.loops();
        for b in graph.reverse_post_order() {
            let on_a_cycle = graph.reachable_from(b).contains(&b);
            let around = loops.innermost(b);
            assert_eq!(around.is_some(), on_a_cycle, "seed {seed}: {b}");
            if let Some(l) = around {
                assert!(
                    graph.reachable_from(b).contains(&l.header)
                        && graph.reachable_from(l.header).contains(&b),
                    "seed {seed}: {b}"
                );
                assert!(
                    l.irreducible || graph.dominators().dominates(l.header, b),
                    "seed {seed}: {b}"
                );
                assert_eq!(
                    l.depth,
                    l.parent.map_or(1, |outer| loops.all()[outer].depth + 1)
                );
            }
        }
    }
}
