//! Dominators of a reducible graph in one walk, from an order in which all edges but the back edges lead forward.
//!
//! The immediate dominator of a node is the deepest common ancestor of its predecessors before it: a
//! back edge comes from a node that its target dominates.

use crate::analysis::ancestors::Ancestors;
use crate::entity::{Entity, PackedOption, PrimaryMap};
use crate::ir::{Block, Function};

/// The dominator tree of the nodes that the first one reaches.
///
/// ```
/// use trellis_structurizer::{Options, analysis::ForwardDominators, structurize, text};
///
/// let func = text::parse("a: b c\nb: {} d\nc: {} d\nd: ret").unwrap();
/// let result = structurize(func, &Options::default())?;
/// let dominators = ForwardDominators::of(&result.func, &result.order);
/// let [a, b, d] = [0, 1, 3].map(|i| result.func.blocks().nth(i).unwrap());
/// assert!(dominators.dominates(a, d) && !dominators.dominates(b, d));
/// # Ok::<(), trellis_structurizer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ForwardDominators<N: Entity> {
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

impl ForwardDominators<Block> {
    /// Returns the tree of the blocks of a result in its [`order`](crate::Structured::order).
    pub fn of(func: &Function, order: &[Block]) -> Self {
        let mut dominators = Self::default();
        let Some(&entry) = order.first() else {
            return dominators;
        };
        dominators.start(func.num_blocks(), entry);
        let mut is_placed: PrimaryMap<Block, bool> = PrimaryMap::with_len(func.num_blocks());
        // The dominator of each block, by the edges from earlier blocks only.
        let mut found: PrimaryMap<Block, PackedOption<Block>> =
            PrimaryMap::with_len(func.num_blocks());
        for &block in order {
            is_placed[block] = true;
            if let Some(idom) = found[block].expand() {
                dominators.tree.set_parent(block, idom.into());
            } else if block != entry {
                continue;
            }
            for to in func.successors(block).filter(|&to| !is_placed[to]) {
                found[to] = match found[to].is_some() {
                    true => dominators.tree.common(found[to], block.into()),
                    false => block.into(),
                };
            }
        }
        dominators
    }
}

impl<N: Entity> ForwardDominators<N> {
    /// Starts a tree for a graph of `len` nodes.
    pub(crate) fn start(&mut self, len: usize, entry: N) {
        self.tree.reset(len);
        self.entry = entry.into();
    }

    /// Adds a node. Its predecessors were added before it, except the sources of back edges.
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
    pub fn idom(&self, node: N) -> Option<N> {
        self.tree.parent(node.into()).expand()
    }

    /// Returns whether `a` dominates `b`: every node dominates itself.
    pub fn dominates(&self, a: N, b: N) -> bool {
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
