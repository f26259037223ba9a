//! Contents of the dominator subtree of each node, and the targets of its exit edges: sums over the
//! subtrees, computed as differences in linear time.

use super::graph::{Graph, Node, NodeKind};
use crate::analysis::forward_dominators::ForwardDominators;
use crate::entity::PrimaryMap;
use crate::ir::{Effects, Function, Terminator};
use crate::result::Options;

/// Contents of the dominator subtree of a node, and the targets of its exit edges.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Subtree {
    insts: u32,
    /// True if a convergent instruction is in it, unless invocations come to it
    /// [together](Self::stays_together).
    convergent: bool,
    /// True if some invocation returns in it.
    pub(crate) returns: bool,
    /// Edges that leave the subtree, with the sums of their targets' numbers and squares: if all
    /// targets are the same, `count * squares == sum²`. The converse holds but for sums that are
    /// equal modulo 2^64 only, which may make a shape worse.
    count: u64,
    sum: u64,
    squares: u64,
}

/// Common target of the edges that leave a subtree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leads {
    /// No edge leaves it.
    Nowhere,
    /// All edges lead to this node.
    To(Node),
    /// To several nodes.
    Apart,
}

impl Subtree {
    /// Returns whether it may stay in a loop that it leaves: it is short and not convergent.
    pub(crate) fn stays_cheaply(&self, options: &Options) -> bool {
        !self.convergent && self.is_short(options)
    }
    /// Returns whether it is short enough to stay in a loop that it leaves.
    pub(crate) fn is_short(&self, options: &Options) -> bool {
        self.insts <= options.max_break_path
    }
    /// Returns whether it would run with fewer invocations in a loop that it leaves.
    pub(crate) fn is_convergent(&self) -> bool {
        self.convergent
    }
    /// Records that it runs with all invocations even in a loop that it leaves.
    pub(crate) fn stays_together(&mut self) {
        self.convergent = false;
    }
    /// Returns whether it has no instructions.
    pub(crate) fn is_empty(&self) -> bool {
        self.insts == 0
    }
    /// Returns where the edges that leave it lead.
    pub(crate) fn leads(&self) -> Leads {
        if self.count == 0 {
            Leads::Nowhere
        } else if self.count.wrapping_mul(self.squares) == self.sum.wrapping_mul(self.sum) {
            // A sum of equal 32-bit numbers.
            Leads::To(Node::from_u32((self.sum / self.count) as u32))
        } else {
            Leads::Apart
        }
    }

    fn add(&mut self, inner: Self) {
        self.insts = self.insts.saturating_add(inner.insts);
        self.convergent |= inner.convergent;
        self.returns |= inner.returns;
        self.count = self.count.wrapping_add(inner.count);
        self.sum = self.sum.wrapping_add(inner.sum);
        self.squares = self.squares.wrapping_add(inner.squares);
    }

    /// Adds an edge `sign` times.
    fn add_edge(&mut self, target: u64, sign: u64) {
        self.count = self.count.wrapping_add(sign);
        self.sum = self.sum.wrapping_add(sign.wrapping_mul(target));
        let square = target.wrapping_mul(target);
        self.squares = self.squares.wrapping_add(sign.wrapping_mul(square));
    }
}

/// Computes the sums: an edge counts at its source, and no more from its target's dominator on.
pub(crate) fn find_subtrees(
    func: &Function,
    graph: &Graph,
    dominators: &ForwardDominators<Node>,
    all: &mut PrimaryMap<Node, Subtree>,
) {
    all.reset(graph.len());
    for u in graph.nodes() {
        let subtree = &mut all[u];
        if let NodeKind::Block(block) = graph.kind(u) {
            subtree.returns = matches!(func.term(block), Terminator::Return(_));
            for inst in func.insts(block) {
                subtree.insts = subtree.insts.saturating_add(func.size(inst));
                subtree.convergent |= func.effects(inst).contains(Effects::CONVERGENT);
            }
        }
        for edge in graph.edges(u) {
            let target = u64::from(edge.to.as_u32());
            all[u].add_edge(target, 1);
            let stop = if Node::is_back_edge(u, edge.to) {
                Some(edge.to)
            } else {
                dominators.idom(edge.to)
            };
            if let Some(stop) = stop {
                all[stop].add_edge(target, 1u64.wrapping_neg());
            }
        }
    }
    for w in graph.nodes().rev() {
        if let Some(up) = dominators.idom(w) {
            let inner = all[w];
            all[up].add(inner);
        }
    }
}
