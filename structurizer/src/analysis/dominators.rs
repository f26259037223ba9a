//! Dominators by Lengauer and Tarjan's algorithm ("A fast algorithm for finding dominators in a
//! flowgraph", 1979): near-linear, also where the iterative and the semi-NCA algorithms walk long
//! chains again and again (many early exits to one block, many entries into one loop).

use alloc::vec::Vec;

use crate::analysis::cfg::Cfg;
use crate::analysis::dfs::{Dfs, Preorder};
use crate::entity::{Entity, EntityRef, PackedOption, PrimaryMap};

/// Immediate dominators of the nodes that a search reaches, with intervals that answer "dominates"
/// in constant time.
#[derive(Clone, Debug)]
pub(crate) struct Dominators<N: Entity> {
    idom: PrimaryMap<N, PackedOption<N>>,
    intervals: PrimaryMap<N, Interval>,
    search: Search,
}

impl<N: Entity> Default for Dominators<N> {
    fn default() -> Self {
        Self {
            idom: PrimaryMap::default(),
            intervals: PrimaryMap::default(),
            search: Search::default(),
        }
    }
}

/// Preorder numbers of a subtree of the dominator tree.
#[derive(Clone, Copy, Debug)]
struct Interval {
    enter: u32,
    leave: u32,
}

impl Interval {
    /// The interval of a node that is not reached: in none, and none in it.
    const EMPTY: Self = Self {
        enter: u32::MAX,
        leave: 0,
    };
}

impl<N: Entity> Dominators<N> {
    /// Computes the tree.
    pub(crate) fn new(cfg: &Cfg<N>, dfs: &Dfs<N>) -> Self {
        let mut dominators = Self::default();
        dominators.compute(cfg, dfs);
        dominators.search = Search::default();
        dominators
    }

    /// Makes it the tree of a graph.
    pub(crate) fn compute(&mut self, cfg: &Cfg<N>, dfs: &Dfs<N>) {
        self.search.run(cfg, dfs);
        self.idom.reset(cfg.len());
        self.intervals.refill(Interval::EMPTY, cfg.len());
        for (w, &node) in dfs.preorder().iter().skip(1) {
            self.idom[node] = dfs.preorder()[self.search.nodes[w].idom].into();
        }
        self.number(dfs);
    }

    /// Numbers the dominator tree in preorder: parents have smaller search numbers, so sizes add up
    /// from the back and starts follow from the front.
    fn number(&mut self, dfs: &Dfs<N>) {
        let Search { nodes, numbers, .. } = &mut self.search;
        numbers.refill(
            Numbers {
                start: 0,
                size: 1,
                next: 1,
            },
            nodes.len(),
        );
        for w in nodes.keys().skip(1).rev() {
            let own = numbers[w].size;
            numbers[nodes[w].idom].size += own;
        }
        for (w, &node) in dfs.preorder().iter() {
            let Numbers { size, .. } = numbers[w];
            if w.index() > 0 {
                let up = &mut numbers[nodes[w].idom];
                let start = up.next;
                up.next += size;
                numbers[w].start = start;
                numbers[w].next = start + 1;
            }
            let enter = numbers[w].start;
            self.intervals[node] = Interval {
                enter,
                leave: enter + size,
            };
        }
    }

    /// Returns the immediate dominator of a node; none for the root and for unreached nodes.
    pub(crate) fn idom(&self, node: N) -> Option<N> {
        self.idom[node].expand()
    }

    /// Returns whether `a` dominates `b` (every node dominates itself); `false` if either is
    /// unreached.
    pub(crate) fn dominates(&self, a: N, b: N) -> bool {
        let (a, b) = (self.intervals[a], self.intervals[b]);
        a.enter <= b.enter && b.enter < a.leave
    }
}

/// The search for the immediate dominators, by preorder numbers.
#[derive(Clone, Debug, Default)]
struct Search {
    nodes: PrimaryMap<Preorder, SearchNode>,
    path: Vec<Preorder>,
    numbers: PrimaryMap<Preorder, Numbers>,
}

/// A reached node. Those that are linked already form a forest, with path compression.
#[derive(Clone, Copy, Debug)]
struct SearchNode {
    /// The immediate dominator; the root's is the root.
    idom: Preorder,
    semi: Preorder,
    ancestor: Preorder,
    /// The node with the least semidominator on the compressed path above.
    label: Preorder,
    /// The first of the nodes that wait for their immediate dominator at this one, their
    /// semidominator, and the next one that waits where this one does.
    waiting: PackedOption<Preorder>,
    next_waiting: PackedOption<Preorder>,
}

/// For the numbers of the tree: the size of a node's subtree, and the numbers of it and its next child.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    start: u32,
    size: u32,
    next: u32,
}

impl Search {
    /// Returns the node with the least semidominator on the path from `v` up through the nodes that
    /// are linked already (numbered `linked` and above).
    #[inline(always)]
    fn eval(&mut self, v: Preorder, linked: usize) -> Preorder {
        let Self { nodes, path, .. } = self;
        if v.index() < linked {
            return v;
        }
        path.clear();
        let mut u = v;
        while nodes[u].ancestor.index() >= linked {
            path.push(u);
            u = nodes[u].ancestor;
        }
        // `u` is the last linked node; its ancestor is not linked yet. Compress from the top down.
        let SearchNode {
            ancestor: root_ancestor,
            mut label,
            ..
        } = nodes[u];
        while let Some(x) = path.pop() {
            if nodes[label].semi < nodes[nodes[x].label].semi {
                nodes[x].label = label;
            }
            label = nodes[x].label;
            nodes[x].ancestor = root_ancestor;
        }
        label
    }

    /// Finds the immediate dominators.
    fn run<N: Entity>(&mut self, cfg: &Cfg<N>, dfs: &Dfs<N>) {
        let parents = dfs.parents();
        self.nodes.clear();
        self.nodes
            .extend(parents.iter().map(|(w, &parent)| SearchNode {
                idom: parent,
                semi: w,
                ancestor: parent,
                label: w,
                waiting: None.into(),
                next_waiting: None.into(),
            }));
        for (w, &node) in dfs.preorder().iter().skip(1).rev() {
            let up = parents[w];
            let mut best = up;
            for &p in cfg.preds(node) {
                let Some(v) = dfs.pre(p).expand() else {
                    continue;
                };
                let u = self.eval(v, w.index() + 1);
                best = best.min(self.nodes[u].semi);
            }
            self.nodes[w].semi = best;
            if best != up {
                self.nodes[w].next_waiting = self.nodes[best].waiting;
                self.nodes[best].waiting = w.into();
            }
            // With `w` linked, the paths from all that wait at its parent are.
            let mut list = core::mem::take(&mut self.nodes[up].waiting);
            while let Some(v) = list.expand() {
                let u = self.eval(v, w.index());
                self.nodes[v].idom = if self.nodes[u].semi < up { u } else { up };
                list = self.nodes[v].next_waiting;
            }
        }
        for w in parents.keys().skip(1) {
            let SearchNode { idom, semi, .. } = self.nodes[w];
            if idom != semi {
                self.nodes[w].idom = self.nodes[idom].idom;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::{Cfg, Dfs, Dominators};
    use crate::entity::{Adjacency, EntityRef, PrimaryMap};
    use crate::ir::Block;
    use structurizer_testkit::generate::Rng;

    /// Returns the nodes that the root reaches without passing `without`.
    fn reached(cfg: &Cfg<Block>, without: Option<Block>) -> PrimaryMap<Block, bool> {
        let mut seen = PrimaryMap::with_len(cfg.len());
        let mut work = vec![Block::new(0)];
        while let Some(n) = work.pop() {
            if Some(n) != without && !core::mem::replace(&mut seen[n], true) {
                work.extend(cfg.succs(n));
            }
        }
        seen
    }

    #[test]
    fn agrees_with_leaving_out_each_node() {
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let n = 1 + rng.below(14);
            let mut succs = Adjacency::with_capacity(n, 0);
            for _ in 0..n {
                for _ in 0..rng.below(4) {
                    succs.push(Block::new(rng.below(n)));
                }
                succs.end_list();
            }
            let cfg = Cfg::new(succs);
            let dominators = Dominators::new(&cfg, &Dfs::new(&cfg, Block::new(0)));
            let all = reached(&cfg, None);
            for a in cfg.nodes() {
                let rest = reached(&cfg, Some(a));
                for b in cfg.nodes() {
                    let expected = all[a] && all[b] && !rest[b];
                    assert_eq!(
                        dominators.dominates(a, b),
                        expected,
                        "{a} over {b} in {cfg:?}"
                    );
                }
            }
        }
    }
}
