//! Dominators by Lengauer and Tarjan's algorithm ("A fast algorithm for finding dominators in a
//! flowgraph", 1979): near-linear, also where the iterative and the semi-NCA algorithms walk long
//! chains again and again (many early exits to one block, many entries into one loop).

use alloc::vec::Vec;

use crate::analysis::cfg::{Cfg, Edges};
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
    pub(crate) fn compute(&mut self, cfg: &impl Edges<N>, dfs: &Dfs<N>) {
        self.search.run(cfg, dfs);
        self.idom.reset(cfg.len());
        self.intervals.refill(Interval::EMPTY, cfg.len());
        for (w, &node) in dfs.preorder().iter().skip(1) {
            self.idom[node] = dfs.preorder()[self.search.idom[w]].into();
        }
        self.number(dfs);
    }

    /// Numbers the dominator tree in preorder: parents have smaller search numbers, so sizes add up
    /// from the back and starts follow from the front.
    fn number(&mut self, dfs: &Dfs<N>) {
        let Search {
            idom,
            size,
            start,
            next,
            ..
        } = &mut self.search;
        let n = idom.len();
        size.refill(1, n);
        for w in idom.keys().skip(1).rev() {
            let own = size[w];
            size[idom[w]] += own;
        }
        start.reset(n);
        next.refill(1, n);
        for w in idom.keys().skip(1) {
            let d = idom[w];
            start[w] = next[d];
            next[d] += size[w];
            next[w] = start[w] + 1;
        }
        for (w, &node) in dfs.preorder().iter() {
            self.intervals[node] = Interval {
                enter: start[w],
                leave: start[w] + size[w],
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
    parent: PrimaryMap<Preorder, Preorder>,
    /// The immediate dominator of each reached node; the root's is the root.
    idom: PrimaryMap<Preorder, Preorder>,
    forest: Forest,
    /// Nodes that wait for their immediate dominator at their semidominator: lists by the latter.
    waiting: PrimaryMap<Preorder, PackedOption<Preorder>>,
    next_waiting: PrimaryMap<Preorder, PackedOption<Preorder>>,
    /// For the numbers of the tree: the size of each subtree, its number, and that of its next child.
    size: PrimaryMap<Preorder, u32>,
    start: PrimaryMap<Preorder, u32>,
    next: PrimaryMap<Preorder, u32>,
}

/// The forest of the algorithm: the nodes that are linked already, with path compression.
#[derive(Clone, Debug, Default)]
struct Forest {
    ancestor: PrimaryMap<Preorder, Preorder>,
    /// The node with the least semidominator on the compressed path above each node.
    label: PrimaryMap<Preorder, Preorder>,
    semi: PrimaryMap<Preorder, Preorder>,
    path: Vec<Preorder>,
}

impl Forest {
    /// Returns the node with the least semidominator on the path from `v` up through the nodes that
    /// are linked already (numbered `linked` and above).
    #[inline(always)]
    fn eval(&mut self, v: Preorder, linked: usize) -> Preorder {
        if v.index() < linked {
            return v;
        }
        self.path.clear();
        let mut u = v;
        while self.ancestor[u].index() >= linked {
            self.path.push(u);
            u = self.ancestor[u];
        }
        // `u` is the last linked node; its ancestor is not linked yet. Compress from the top down.
        let root_ancestor = self.ancestor[u];
        let mut above = u;
        while let Some(x) = self.path.pop() {
            if self.semi[self.label[above]] < self.semi[self.label[x]] {
                self.label[x] = self.label[above];
            }
            self.ancestor[x] = root_ancestor;
            above = x;
        }
        self.label[v]
    }
}

impl Search {
    /// Finds the immediate dominators.
    fn run<N: Entity>(&mut self, cfg: &impl Edges<N>, dfs: &Dfs<N>) {
        let Self {
            parent,
            idom,
            forest,
            waiting,
            next_waiting,
            ..
        } = self;
        let n = dfs.preorder().len();
        let root = Preorder::new(0);
        let parent_of = |w: Preorder| dfs.parent(dfs.preorder()[w]).expand();
        parent.refill_with(n, |w| {
            let number = parent_of(w).and_then(|p| dfs.pre(p).expand());
            number.unwrap_or(root)
        });
        forest.ancestor.clone_from(parent);
        forest.label.refill_with(n, |w| w);
        forest.semi.refill_with(n, |w| w);
        idom.clone_from(parent);
        waiting.reset(n);
        next_waiting.reset(n);
        for w in idom.keys().skip(1).rev() {
            let mut best = parent[w];
            for &p in cfg.preds(dfs.preorder()[w]) {
                let Some(v) = dfs.pre(p).expand() else {
                    continue;
                };
                let u = forest.eval(v, w.index() + 1);
                best = best.min(forest.semi[u]);
            }
            forest.semi[w] = best;
            let up = parent[w];
            if best != up {
                next_waiting[w] = waiting[best];
                waiting[best] = w.into();
            }
            // With `w` linked, the paths from all that wait at its parent are.
            let mut list = core::mem::take(&mut waiting[up]);
            while let Some(v) = list.expand() {
                let u = forest.eval(v, w.index());
                idom[v] = if forest.semi[u] < up { u } else { up };
                list = next_waiting[v];
            }
        }
        for w in idom.keys().skip(1) {
            if idom[w] != forest.semi[w] {
                idom[w] = idom[idom[w]];
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
