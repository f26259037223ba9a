//! The cost of a result of the structurizer, counted on the result alone.
//!
//! Blocks that are neither the input's nor decide anything are contracted. What is left of the
//! inserted blocks are tests; a test that only another one leads to is part of that one.

use trellis_entity::EntityRef;
use trellis_structurizer::Structured;
use trellis_structurizer::ir::{Block, Function, Terminator, ValueKind};

use super::graph::Digraph;
use super::state::{BREAKABLE_BLOCK, TEST};

/// What a result has that its input did not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Measure {
    /// Tests that paths of the result have and paths of the input do not.
    pub tests: u32,
    /// Branches that take the place of several branches of the input.
    pub joins: u32,
    /// Switches with a default case only.
    pub breakable_blocks: u32,
}

impl Measure {
    /// Returns the cost, in the units of the search.
    pub fn cost(self) -> u32 {
        TEST * self.tests + BREAKABLE_BLOCK * self.breakable_blocks
    }

    /// Measures the result of a graph, each node of which is a block.
    pub fn of(after: &Structured, graph: &Digraph) -> Self {
        let contracted = Contracted::of(after, graph);
        let mut measure = Self::default();
        for &block in &after.order {
            let is_breakable = matches!(
                after.func.terminator(block),
                Some(Terminator::Switch { cases, .. }) if cases.is_empty()
            );
            measure.breakable_blocks += u32::from(is_breakable);
        }
        for test in contracted.tests() {
            if contracted.is_join[test] {
                measure.joins += 1;
            } else if !contracted.is_part_of_another(test) {
                measure.tests += 1;
            }
        }
        measure
    }
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

/// The graph of a result without blocks that decide nothing.
struct Contracted<'a> {
    graph: &'a Digraph,
    /// The tests that are joins.
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
        let distinct = |block: usize| {
            let mut list: Vec<usize> = func
                .successors(Block::new(block))
                .map(EntityRef::index)
                .collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        let is_split = |&block: &usize| is_split(func, block, blocks);
        let targets = |block: usize| {
            let targets = distinct(block);
            match targets
                .first()
                .filter(|&to| targets.len() == 1 && is_split(to))
            {
                Some(&branch) => distinct(branch),
                None => targets,
            }
        };
        let resolve = |mut block: usize| {
            for _ in 0..n {
                match &targets(block)[..] {
                    &[only] if block >= blocks => block = only,
                    _ => break,
                }
            }
            block
        };
        let mut succs = vec![Vec::new(); n];
        let mut preds = vec![Vec::new(); n];
        for &block in &after.order {
            let block = block.index();
            let targets = targets(block);
            if block >= blocks && (targets.len() < 2 || is_split(&block)) {
                continue;
            }
            let mut list: Vec<usize> = targets.into_iter().map(resolve).collect();
            list.sort_unstable();
            list.dedup();
            for &to in &list {
                preds[to].push(block);
            }
            succs[block] = list;
        }
        let mut contracted = Self {
            graph,
            is_join: vec![false; n],
            ways: (0..n).map(|block| targets(block).len() as u32).collect(),
            succs,
            preds,
        };
        // A join may be a member of another one.
        while let Some(join) = contracted.next_join() {
            contracted.is_join[join] = true;
        }
        contracted
    }

    fn next_join(&self) -> Option<usize> {
        self.tests()
            .find(|&test| !self.is_join[test] && self.takes_the_place_of_branches(test))
    }

    fn is_test(&self, block: usize) -> bool {
        block >= self.graph.len() && self.succs[block].len() > 1
    }

    fn tests(&self) -> impl Iterator<Item = usize> {
        (self.graph.len()..self.succs.len()).filter(|&block| self.is_test(block))
    }

    /// Returns whether only another test leads to a test.
    fn is_part_of_another(&self, test: usize) -> bool {
        matches!(self.preds[test][..], [pred] if pred != test && self.is_test(pred) && !self.is_join[pred])
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
                let is_member = |&to: &usize| to != test && covered[to];
                let leads = |to: &usize| *to == test && self.ways(block) == 2 || is_member(to);
                let succs = &self.succs[block];
                self.ways(block) <= 2 && !succs.is_empty() && succs.iter().all(leads)
            };
            let next: Vec<bool> = (0..covered.len()).map(is_covered).collect();
            if next == covered {
                break;
            }
            covered = next;
        }
        sources.iter().all(|&pred| covered[pred])
    }

    /// Returns the number of successors of a block in the input, or of a join; 0 for other inserted
    /// blocks.
    fn ways(&self, block: usize) -> u32 {
        if block < self.graph.len() {
            self.graph.succs(block).count_ones()
        } else if self.is_join[block] {
            self.ways[block]
        } else {
            0
        }
    }
}
