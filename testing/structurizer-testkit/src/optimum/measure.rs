//! The cost of a result of the structurizer, counted on the result alone.
//!
//! Blocks that are neither the input's nor decide anything are contracted. The inserted blocks that
//! remain are tests; a test that only another one leads to is part of that one.

use trellis_entity::EntityRef;
use trellis_structurizer::Structured;
use trellis_structurizer::ir::{Block, Function, Terminator, ValueKind};

use super::graph::Digraph;

/// Returns the cost of the result of a graph, each node of which is a block: tests that its paths
/// have and paths of the input do not, and switches with a default case only.
pub fn cost_of(after: &Structured, graph: &Digraph) -> u32 {
    let contracted = Contracted::of(after, graph);
    let is_breakable = |block: &&Block| matches!(after.func.terminator(**block), Some(Terminator::Switch { cases, .. }) if cases.is_empty());
    let is_counted = |&test: &usize| {
        let is_part = matches!(contracted.preds[test][..], [pred] if pred != test && contracted.is_test(pred) && !contracted.is_join[pred]);
        !contracted.is_join[test] && !is_part
    };
    let tests = contracted.tests().filter(is_counted).count();
    (tests + after.order.iter().filter(is_breakable).count()) as u32
}

/// Returns whether an inserted block branches for the one before it, which is the header of a loop:
/// on a condition that is computed there, or a phi.
fn is_split(func: &Function, block: usize, blocks: usize) -> bool {
    let condition = func.terminator(Block::new(block));
    let condition = condition.and_then(Terminator::value);
    let before = match condition.map(|value| func.value_kind(value)) {
        Some(ValueKind::Result { inst, .. }) => func.inst_block(inst),
        Some(ValueKind::Phi(block)) => block,
        _ => return false,
    };
    let is_before = func.terminator(before) == Some(Terminator::Branch(Block::new(block)));
    block >= blocks && before.index() != block && is_before
}

fn distinct(targets: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut list: Vec<usize> = targets.collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// The graph of a result without blocks that decide nothing.
struct Contracted<'a> {
    graph: &'a Digraph,
    /// The tests that are joins: each takes the place of branches.
    is_join: Vec<bool>,
    /// Number of distinct successors in the result.
    ways: Vec<u32>,
    /// Distinct successors of each block; empty for blocks that are not in the order or contracted.
    succs: Vec<Vec<usize>>,
    /// Distinct predecessors.
    preds: Vec<Vec<usize>>,
}

impl<'a> Contracted<'a> {
    fn of(after: &Structured, graph: &'a Digraph) -> Self {
        let (func, blocks) = (&after.func, graph.len());
        let n = func.num_blocks();
        let own = |block: usize| {
            let targets = func.successors(Block::new(block));
            distinct(targets.map(EntityRef::index))
        };
        let targets = |block: usize| match own(block)[..] {
            [only] if is_split(func, only, blocks) => own(only),
            _ => own(block),
        };
        let resolve = |mut block: usize| {
            for _ in 0..n {
                match targets(block)[..] {
                    [only] if block >= blocks => block = only,
                    _ => break,
                }
            }
            block
        };
        let mut contracted = Self {
            graph,
            is_join: vec![false; n],
            ways: (0..n).map(|block| targets(block).len() as u32).collect(),
            succs: vec![Vec::new(); n],
            preds: vec![Vec::new(); n],
        };
        for block in after.order.iter().map(|block| block.index()) {
            let targets = targets(block);
            if block < blocks || targets.len() > 1 && !is_split(func, block, blocks) {
                let list = distinct(targets.into_iter().map(resolve));
                for &to in &list {
                    contracted.preds[to].push(block);
                }
                contracted.succs[block] = list;
            }
        }
        // A join may be a member of another one.
        while let Some(join) = contracted.next_join() {
            contracted.is_join[join] = true;
        }
        contracted
    }

    fn next_join(&self) -> Option<usize> {
        let is_new = |&test: &usize| !self.is_join[test] && self.takes_the_place_of_branches(test);
        self.tests().find(is_new)
    }

    fn is_test(&self, block: usize) -> bool {
        block >= self.graph.len() && self.succs[block].len() > 1
    }

    fn tests(&self) -> impl Iterator<Item = usize> {
        (self.graph.len()..self.succs.len()).filter(|&block| self.is_test(block))
    }

    /// Returns whether a test takes the place of branches: those that lead there lead nowhere else,
    /// or to others of them. Switches must have had the same targets.
    fn takes_the_place_of_branches(&self, test: usize) -> bool {
        let ways = self.ways[test];
        let sources = &self.preds[test];
        if sources.iter().any(|&pred| self.ways(pred) != ways) {
            return false;
        }
        if ways > 2 {
            let targets = |block: usize| match self.is_join[block] {
                true => 0,
                false => self.graph.succs(block),
            };
            return sources
                .iter()
                .all(|&pred| self.succs[pred] == [test] && targets(pred) == targets(sources[0]));
        }
        let mut covered = vec![false; self.succs.len()];
        loop {
            let is_covered = |block: usize| {
                let ways = self.ways(block);
                let leads = |&to: &usize| if to == test { ways == 2 } else { covered[to] };
                let succs = &self.succs[block];
                ways <= 2 && !succs.is_empty() && succs.iter().all(leads)
            };
            let next: Vec<bool> = (0..covered.len()).map(is_covered).collect();
            if next == covered {
                return sources.iter().all(|&pred| covered[pred]);
            }
            covered = next;
        }
    }

    /// Returns the number of successors of a block in the input, or of a join; 0 for other inserted
    /// blocks.
    fn ways(&self, block: usize) -> u32 {
        match block {
            _ if block < self.graph.len() => self.graph.succs(block).count_ones(),
            _ if self.is_join[block] => self.ways[block],
            _ => 0,
        }
    }
}
