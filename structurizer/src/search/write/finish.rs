//! What is known of a program only once all of its blocks are written: where labels are, which empty
//! blocks are reached, and the numbers of targets.

use alloc::vec;
use alloc::vec::Vec;

use super::{Decided, Empty, Header, Label, Set, Writer};
use crate::entity::{EntityRef, EntityVec};
use crate::ir::Block;
use crate::plan::blocks::{Blocks, Ending, OutEdge, Selector, SelectorSwitch, Test};
use crate::plan::positions::Position;
use crate::remark::{Decision, Remarks};
use crate::result::Merge;
use crate::search::graph::{MAX_NODES, nodes};
use crate::search::number::{largest, numbers};
use crate::stage::Stage;

/// The most edges that a remark names.
const MAX_NAMED: usize = 16;

impl Writer<'_> {
    /// Ends the empty blocks.
    pub(super) fn end_empty_blocks(&mut self) -> Option<()> {
        let mut is_reached: EntityVec<Block, bool> = EntityVec::new(self.out.blocks.len());
        for &(to, _) in self.leads.values() {
            is_reached[self.block(to)?] = true;
        }
        let mut empty = core::mem::take(&mut self.empty);
        while let Some(at) = empty.iter().position(|&(block, _)| is_reached[block]) {
            let (block, Empty { to, .. }) = empty.swap_remove(at);
            self.branch(block, None, to?);
            is_reached[self.block(to?)?] = true;
        }
        for (block, Empty { otherwise, .. }) in empty {
            self.end(block, Ending::Unreachable);
            if let Some((to, node)) = otherwise {
                self.branch(block, None, to);
                let (_, target) = &mut self.leads[OutEdge::new(self.out.edges.len() - 1)];
                *target = Some(node);
            }
        }
        Some(())
    }

    pub(super) fn block(&self, label: Label) -> Option<Block> {
        self.labels[label.0]
    }

    /// Fills in what is known now that all blocks are written.
    pub(super) fn finish(mut self, remarks: &mut Remarks) -> Option<Blocks> {
        self.end_empty_blocks()?;
        let two = self.decided.iter().filter(|test| !test.is_switch);
        let pairs: Vec<[Set; 2]> = two.map(|test| [test.arms[0].0, test.arms[1].0]).collect();
        let numbers = numbers(&self.order, &pairs)?;
        for i in 0..self.out.edges.len() {
            let edge = OutEdge::new(i);
            let (to, target) = self.leads[edge];
            let to = self.block(to)?;
            let data = &mut self.out.edges[edge];
            data.to = to;
            let number = target.map(|node| Position::from_u32(numbers[node]));
            data.selector = number.into();
        }
        for &(block, header) in &self.headers {
            self.out.blocks[block].merge = match header {
                Header::Selection(merge, hint) => Merge::Selection {
                    merge: self.block(merge)?,
                    hint,
                },
                Header::Loop {
                    merge,
                    continue_target,
                    hint,
                } => Merge::Loop {
                    merge: self.block(merge)?,
                    continue_target: self.block(continue_target)?,
                    hint,
                },
            };
        }
        for test in core::mem::take(&mut self.decided) {
            self.test(test, &numbers, remarks);
        }
        if remarks.wanted() {
            for &(block, merge) in &self.breakable {
                let merge = self.block(merge)?;
                let to = self.leads_to(merge);
                let decision = Decision::BreakableBlock { to };
                remarks.add_for_edges(Stage::ProgramSearch, block, decision, self.reasons(merge));
            }
        }
        Some(self.out)
    }

    /// Writes a test, now that targets have numbers.
    pub(super) fn test(
        &mut self,
        test: Decided,
        numbers: &[u32; MAX_NODES],
        remarks: &mut Remarks,
    ) {
        let arms = test.arms.len() as u32;
        let decision = Decision::SelectorArms { arms };
        if remarks.wanted() {
            let edges = self.reasons(test.block);
            remarks.add_for_edges(Stage::ProgramSearch, test.block, decision, edges);
        }
        if test.is_switch {
            let default = test.arms[test.arms.len() - 1].1;
            let others = test.arms.iter().filter(|arm| arm.1 != default);
            let cases = others.flat_map(|&(set, edge)| nodes(set).map(move |n| (numbers[n], edge)));
            self.out.selector_switches.push(SelectorSwitch {
                block: test.block,
                selector: Selector::Escape,
                cases: cases.collect(),
                default,
            });
            return;
        }
        let [mut low, mut high] = [test.arms[0], test.arms[1]];
        if largest(numbers, low.0) > largest(numbers, high.0) {
            core::mem::swap(&mut low, &mut high);
        }
        self.out.tests.push(Test {
            block: test.block,
            selector: Selector::Escape,
            bound: largest(numbers, low.0),
            then: low.1,
            otherwise: high.1,
        });
    }

    /// Returns the edges of the input that lead to an inserted block through inserted ones.
    pub(super) fn reasons(&self, block: Block) -> Vec<(Block, Block)> {
        let mut found = Vec::new();
        let mut pending = vec![block];
        let mut next = 0;
        while let Some(&block) = pending.get(next) {
            next += 1;
            for edge in self
                .out
                .edges
                .values()
                .iter()
                .filter(|edge| edge.to == block)
            {
                match edge.assigns.expand() {
                    Some(assigns) => found.push((assigns.origin, assigns.target)),
                    None if !pending.contains(&edge.from) => pending.push(edge.from),
                    None => {}
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_NAMED);
        found
    }

    /// Returns the first block of the input that a block leads to, or the last inserted one.
    pub(super) fn leads_to(&self, mut block: Block) -> Block {
        for _ in 0..self.out.order.len() {
            match self.out.blocks[block].ending {
                Ending::Branch(edge) if block.index() >= self.func.num_blocks() => {
                    block = self.out.target(edge);
                }
                _ => break,
            }
        }
        block
    }
}
