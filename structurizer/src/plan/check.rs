//! The plan's own rules, checked in debug builds and by tests.

use alloc::vec::Vec;

use super::Plan;
use super::blocks::{Ending, SelectorSwitch};
use crate::entity::PrimaryMap;
use crate::ir::Block;
use crate::passes::Node;
use crate::result::{Merge, StageError};

impl Plan<'_> {
    /// Checks that the positions are an order in which every forward edge leads forward and every
    /// scope is an interval, and that the planned blocks are complete: each block of the order
    /// ends, each of its edges leads to a block of the order, no block is in the order twice, and
    /// the order starts with the entry.
    ///
    /// # Errors
    /// [`StageError::Internal`] with the rule that is broken.
    pub(crate) fn check(&self) -> Result<(), StageError> {
        let rules: [(&'static str, bool); 6] = [
            (
                "plan: each node has the position of its place in the order",
                self.positions_are_a_numbering(),
            ),
            (
                "plan: every forward edge leads to a later position",
                self.edges_lead_forward(),
            ),
            (
                "plan: a scope inside another one is an interval of its interval",
                self.scopes_nest(),
            ),
            (
                "plan: the order starts with the entry and has each block once",
                self.order_is_a_list_of_blocks(),
            ),
            (
                "plan: edges and merges lead to blocks of the order",
                self.edges_lead_to_blocks(),
            ),
            (
                "plan: each block ends according to its edges",
                self.endings_have_their_edges(),
            ),
        ];
        match rules.iter().find(|rule| !rule.1) {
            Some(&(what, _)) => Err(StageError::Internal { what }),
            None => Ok(()),
        }
    }

    fn positions_are_a_numbering(&self) -> bool {
        let positions = &self.shape.positions;
        let is_at = |(position, node): (_, Option<_>)| {
            node.is_none_or(|node| positions.of(node) == Some(position))
        };
        positions.iter().all(is_at) && self.cx.graph.nodes().all(|n| positions.of(n).is_some())
    }

    fn edges_lead_forward(&self) -> bool {
        let (graph, positions) = (self.cx.graph, &self.shape.positions);
        graph.nodes().all(|from| {
            let mut edges = graph.edges(from).iter();
            edges.all(|e| Node::is_back_edge(from, e.to) || positions.of(from) < positions.of(e.to))
        })
    }

    fn scopes_nest(&self) -> bool {
        let scopes = &self.shape.scopes;
        let mut all = scopes.iter();
        all.all(|(id, scope)| {
            let around = scope.loop_scope.expand().filter(|&l| l != id);
            let head = scope.head.expand();
            let position = head.and_then(|head| self.shape.positions.of(head));
            around.is_none_or(|l| {
                let span = scopes[l].span;
                scope.span.last().is_none_or(|last| span.contains(last))
                    && position.is_none_or(|position| span.contains(position))
            })
        })
    }

    fn in_order(&self) -> PrimaryMap<Block, u32> {
        let mut count: PrimaryMap<Block, u32> = PrimaryMap::with_len(self.blocks.len());
        for &block in &self.blocks.order {
            count[block] += 1;
        }
        count
    }

    fn order_is_a_list_of_blocks(&self) -> bool {
        let entry = self.blocks.order.first();
        let is_entry = |&block: &Block| self.blocks.edges.values().all(|edge| edge.to != block);
        entry.is_some_and(is_entry) && self.in_order().values().all(|&count| count <= 1)
    }

    fn edges_lead_to_blocks(&self) -> bool {
        let count = self.in_order();
        let is_in = |block: Block| count.get(block) == Some(&1);
        let edges = self.blocks.edges.values();
        let merges = self
            .blocks
            .order
            .iter()
            .map(|&b| self.blocks.blocks[b].merge);
        edges.clone().all(|e| is_in(e.from) && is_in(e.to))
            && merges.into_iter().all(|merge| match merge {
                Merge::None => true,
                Merge::Selection { merge, .. } => is_in(merge),
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => is_in(merge) && is_in(continue_target),
            })
    }

    fn selector_switch(&self, block: Block) -> Option<&SelectorSwitch> {
        let mut switches = self.blocks.selector_switches.iter();
        switches.find(|switch| switch.block == block)
    }

    fn endings_have_their_edges(&self) -> bool {
        let blocks = &self.blocks;
        let mut leaving: PrimaryMap<Block, usize> = PrimaryMap::with_len(blocks.len());
        for edge in blocks.edges.values() {
            leaving[edge.from] += 1;
        }
        let ends = |block: Block| match blocks.blocks[block].ending {
            Ending::Unchanged => self.cx.func.term(block).is_exit(),
            Ending::CopyOf { original, .. } => self.cx.func.term(original).is_exit(),
            Ending::Unreachable => true,
            Ending::Branch(edge) | Ending::Breakable(edge) => blocks.edges[edge].from == block,
            Ending::Conditional {
                then, otherwise, ..
            } => [then, otherwise]
                .iter()
                .all(|&edge| blocks.edges[edge].from == block),
            Ending::Test => blocks.tests.iter().any(|test| test.block == block),
            Ending::SelectorSwitch => self.selector_switch(block).is_some(),
            Ending::Switch(switch) => {
                let switch = &blocks.switches[switch];
                let mut targets = blocks.targets_of(switch).iter();
                targets.all(|t| blocks.edges[t.edge].from == block)
            }
        };
        let count = |block: Block| match blocks.blocks[block].ending {
            Ending::Unchanged | Ending::CopyOf { .. } | Ending::Unreachable => 0,
            Ending::Branch(_) | Ending::Breakable(_) => 1,
            Ending::Conditional { .. } | Ending::Test => 2,
            Ending::Switch(switch) => blocks.targets_of(&blocks.switches[switch]).len(),
            // A bypassed empty block is one more case of the arm that it leads to, but not another
            // edge.
            Ending::SelectorSwitch => self.selector_switch(block).map_or(0, distinct_edges),
        };
        blocks
            .order
            .iter()
            .all(|&block| ends(block) && leaving[block] == count(block))
    }
}

/// Returns the number of edges of a switch on the selector: several cases may share one.
fn distinct_edges(switch: &SelectorSwitch) -> usize {
    let mut edges: Vec<_> = switch.cases.iter().map(|case| case.1).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.len() + 1
}
