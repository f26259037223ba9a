//! Dominators of a reducible graph in one walk, from an order in which all edges but the back edges lead forward.
//!
//! The immediate dominator of a node is the deepest common ancestor of its predecessors before it: a
//! back edge comes from a node that its target dominates.

use crate::analysis::ancestors::Ancestors;
use crate::entity::{Entity, PackedOption};

/// The dominator tree of the nodes that the first one reaches.
#[derive(Clone, Debug)]
pub(crate) struct ForwardDominators<N: Entity> {
    tree: Ancestors<N>,
    entry: PackedOption<N>,
}

impl<N: Entity> Default for ForwardDominators<N> {
    fn default() -> Self {
        Self {
            tree: Ancestors::default(),
            entry: None.into(),
        }
    }
}

impl<N: Entity> ForwardDominators<N> {
    /// Starts a tree for a graph of `len` nodes.
    pub(crate) fn start(&mut self, len: usize, entry: N) {
        self.tree.reset(len);
        self.entry = entry.into();
    }

    /// Adds a node whose predecessors, but for those of back edges, were added before it.
    pub(crate) fn add(&mut self, node: N, forward_preds: impl Iterator<Item = N>) {
        let reached = forward_preds
            .map(PackedOption::from)
            .filter(|&p| self.reached(p));
        let idom = reached.reduce(|a, b| self.tree.common(a, b));
        if let Some(idom) = idom {
            self.tree.set_parent(node, idom);
        }
    }

    fn reached(&self, node: PackedOption<N>) -> bool {
        node == self.entry || self.tree.parent(node).is_some()
    }

    /// Returns the immediate dominator of a node; none for the entry and for unreached nodes.
    pub(crate) fn idom(&self, node: N) -> Option<N> {
        self.tree.parent(node.into()).expand()
    }

    /// Returns whether `a` dominates `b`: every node dominates itself.
    pub(crate) fn dominates(&self, a: N, b: N) -> bool {
        let a = a.into();
        self.tree.at_depth(b.into(), self.tree.depth(a)) == a
    }
}

#[cfg(test)]
mod tests {
    use super::ForwardDominators;
    use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators};
    use crate::entity::{Adjacency, EntityRef};
    use crate::ir::Block;
    use structurizer_testkit::generate::Rng;

    #[test]
    fn agrees_with_the_general_algorithm() {
        let mut rng = Rng::new(8);
        for _ in 0..2000 {
            // Each node but the first has an edge from an earlier one, or none; an edge back leads to a dominator.
            let n = 1 + rng.below(14);
            let mut edges = alloc::vec::Vec::new();
            for to in 1..n {
                for _ in 0..rng.below(4) {
                    edges.push((Block::new(rng.below(to)), Block::new(to)));
                }
            }
            let graph = |edges: &[(Block, Block)]| {
                let cfg = Cfg::new(Adjacency::group(n, || edges.iter().copied()));
                let dfs = Dfs::new(&cfg, Block::new(0));
                (Dominators::new(&cfg, &dfs), cfg, dfs)
            };
            let (dominators, ..) = graph(&edges);
            for _ in 0..rng.below(4) {
                let (a, b) = (Block::new(rng.below(n)), Block::new(rng.below(n)));
                if dominators.dominates(a, b) {
                    edges.push((b, a));
                }
            }
            let (dominators, cfg, dfs) = graph(&edges);
            let mut forward = ForwardDominators::default();
            forward.start(n, Block::new(0));
            for node in cfg.nodes() {
                let preds = cfg.preds(node).iter().copied();
                forward.add(node, preds.filter(|&p| p < node));
            }
            for a in cfg.nodes().filter(|&a| dfs.reached(a)) {
                assert_eq!(forward.idom(a), dominators.idom(a), "{a} in {cfg:?}");
                for b in cfg.nodes().filter(|&b| dfs.reached(b)) {
                    assert_eq!(forward.dominates(a, b), dominators.dominates(a, b));
                }
            }
        }
    }
}
