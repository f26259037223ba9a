//! Depth-first search with an explicit stack: preorder, tree parents, reverse post-order.

use alloc::vec::Vec;

use crate::analysis::cfg::{Cfg, Edges};
use crate::entity::{Entity, EntityRef, PackedOption, PrimaryMap, entity_impl};

/// A preorder number of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Preorder(u32);
entity_impl!(Preorder, "pre");

/// A position in the reverse post-order of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RpoNumber(u32);
entity_impl!(RpoNumber, "rpo");

/// A depth-first search from one root. Nodes that it does not reach have no numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dfs<N: Entity> {
    preorder: PrimaryMap<Preorder, N>,
    pre: PrimaryMap<N, PackedOption<Preorder>>,
    parent: PrimaryMap<N, PackedOption<N>>,
    rpo: Vec<N>,
    rpo_number: PrimaryMap<N, PackedOption<RpoNumber>>,
    /// The nodes that are being searched, each with the number of successors that are left.
    stack: Vec<(N, u32)>,
}

impl<N: Entity> Default for Dfs<N> {
    fn default() -> Self {
        Self {
            preorder: PrimaryMap::default(),
            pre: PrimaryMap::default(),
            parent: PrimaryMap::default(),
            rpo: Vec::new(),
            rpo_number: PrimaryMap::default(),
            stack: Vec::new(),
        }
    }
}

impl<N: Entity> Dfs<N> {
    /// Searches from `root`. Successors are visited last first, so that reverse post-order lists
    /// the first successor's side first: `then` before `else`.
    pub(crate) fn new(cfg: &Cfg<N>, root: N) -> Self {
        let mut dfs = Self::default();
        dfs.compute(cfg, root);
        dfs.stack = Vec::new();
        dfs
    }
    /// Makes it the search from `root`, as [`Dfs::new`].
    pub(crate) fn compute(&mut self, cfg: &impl Edges<N>, root: N) {
        let n = cfg.len();
        self.preorder.clear();
        self.preorder.reserve_all(n);
        self.pre.reset(n);
        self.parent.reset(n);
        self.rpo.clear();
        self.rpo.reserve(n);
        self.rpo_number.reset(n);
        let mut stack = core::mem::take(&mut self.stack);
        self.enter(root, None.into());
        stack.push((root, cfg.succs(root).len() as u32));
        while let Some((node, left)) = stack.last_mut() {
            let node = *node;
            if *left == 0 {
                stack.pop();
                self.rpo.push(node);
                continue;
            }
            *left -= 1;
            let to = cfg.succs(node)[*left as usize];
            if !self.reached(to) {
                self.enter(to, node.into());
                stack.push((to, cfg.succs(to).len() as u32));
            }
        }
        self.stack = stack;
        self.rpo.reverse();
        for (i, &node) in self.rpo.iter().enumerate() {
            self.rpo_number[node] = RpoNumber(i as u32).into();
        }
    }
    /// Makes it the same search of the graph whose nodes are numbered in reverse post-order, those of
    /// the other search from `first` on. A first node before them leads to the root.
    pub(crate) fn renumber<M: Entity>(&mut self, of: &Dfs<M>, first: usize) {
        let node = |m: M| N::new(first + of.rpo_number[m].expand().map_or(0, EntityRef::index));
        let n = first + of.rpo.len();
        self.preorder.clear();
        self.preorder.reserve_all(n);
        self.parent.clear();
        self.parent.reserve_all(n);
        self.pre.reset(n);
        if first > 0 {
            self.parent.push(None.into());
            self.pre[N::new(0)] = self.preorder.push(N::new(0)).into();
        }
        for &m in of.preorder.values() {
            self.pre[node(m)] = self.preorder.push(node(m)).into();
        }
        let root = (first > 0).then(|| N::new(0));
        for &m in &of.rpo {
            let parent = of.parent[m].expand().map(node);
            self.parent.push(parent.or(root).into());
        }
        self.rpo.clear();
        self.rpo.extend((0..n).map(N::new));
        self.rpo_number
            .refill_with(n, |n: N| RpoNumber::new(n.index()).into());
    }
    fn enter(&mut self, node: N, parent: PackedOption<N>) {
        self.parent[node] = parent;
        self.pre[node] = self.preorder.push(node).into();
    }
    /// Returns the reached nodes in preorder.
    pub(crate) fn preorder(&self) -> &PrimaryMap<Preorder, N> {
        &self.preorder
    }
    /// Returns the preorder number of a node, if it is reached.
    pub(crate) fn pre(&self, node: N) -> PackedOption<Preorder> {
        self.pre[node]
    }
    /// Returns the parent of a node in the search tree, if it has one.
    pub(crate) fn parent(&self, node: N) -> PackedOption<N> {
        self.parent[node]
    }
    /// Returns the reached nodes in reverse post-order.
    pub(crate) fn rpo(&self) -> &[N] {
        &self.rpo
    }
    /// Returns whether the node is reached.
    pub(crate) fn reached(&self, node: N) -> bool {
        self.pre[node].is_some()
    }
    /// Returns whether `a` is an ancestor of `b` (or `b` itself) in the search tree, of two reached
    /// nodes.
    pub(crate) fn is_ancestor(&self, a: N, b: N) -> bool {
        self.pre[a] <= self.pre[b] && self.rpo_number[a] <= self.rpo_number[b]
    }
    /// Returns whether an edge from a reached node leads to an ancestor of it, or to itself: no other
    /// edge leads backwards in reverse post-order.
    pub(crate) fn is_back_edge(&self, from: N, to: N) -> bool {
        self.rpo_number[to] <= self.rpo_number[from]
    }
}
