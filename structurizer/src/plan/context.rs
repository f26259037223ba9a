//! The input that every part of the plan reads.

use crate::analysis::loops::Loop;
use crate::ir::{Function, Terminator};
use crate::passes::{Edge, Graph, Node, NodeKind};
use crate::result::Options;
use crate::stage::Stage;

/// The input of the plan: nothing in it changes while the plan is made.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) func: &'a Function,
    pub(crate) graph: &'a Graph,
    pub(crate) options: &'a Options,
}

impl<'a> Context<'a> {
    /// Returns whether a stage runs.
    pub(crate) fn runs(self, stage: Stage) -> bool {
        self.options.stages.contains(stage)
    }
    /// Returns how an original block ends; none for an inserted node.
    pub(crate) fn terminator(self, node: Node) -> Option<Terminator> {
        Some(self.func.term(self.graph.block(node)?))
    }
    /// Returns the edges of a node that control can take: a `BreakBranch` takes its first only.
    #[inline(always)]
    pub(crate) fn live_edges(self, node: Node) -> &'a [Edge] {
        let edges = self.graph.edges(node);
        match self.terminator(node) {
            Some(Terminator::BreakBranch { .. }) => &edges[..1],
            _ => edges,
        }
    }
    /// Returns whether a node ends in a switch with several distinct targets.
    #[inline(always)]
    pub(crate) fn is_switch(self, node: Node) -> bool {
        self.graph.kind(node) == NodeKind::DispatchSwitch
            || matches!(self.terminator(node), Some(Terminator::Switch { .. }))
                && self.graph.edges(node).len() > 1
    }
    /// Returns whether a node ends in a branch with two targets that is not a switch.
    pub(crate) fn is_two_way(self, node: Node) -> bool {
        !self.is_switch(node) && self.live_edges(node).len() == 2
    }
    /// Returns whether a node is a block that may be copied to where a selector would be needed: it is
    /// without instructions and ends the invocation. A value that it returns is defined in all of its predecessors, or is
    /// a phi of the block.
    pub(crate) fn may_copy_exit(self, node: Node) -> bool {
        self.runs(Stage::ExitBlocks)
            && self.graph.block(node).is_some_and(|block| {
                let end = self.func.term(block);
                let is_single =
                    self.options.target.single_return && matches!(end, Terminator::Return(_));
                end.is_exit() && !is_single && self.func.insts(block).next().is_none()
            })
    }
    /// Returns whether a node is a loop's header.
    pub(crate) fn is_header(self, node: Node) -> bool {
        self.graph.loop_headed_by(node).is_some()
    }
    /// Returns whether an edge leads back to the header of a loop around its source.
    pub(crate) fn is_back_edge_of(self, l: Loop, from: Node, to: Node) -> bool {
        self.graph.header(l) == to && Node::is_back_edge(from, to)
    }
}
