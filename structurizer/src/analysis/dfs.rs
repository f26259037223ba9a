//! Depth-first search with an explicit stack: preorder, tree parents, reverse post-order.

use alloc::vec::Vec;

use crate::analysis::cfg::Cfg;
use crate::entity::{Entity, EntityRef, PackedOption, PrimaryMap, entity_impl};

/// A preorder number of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Preorder(u32);
entity_impl!(Preorder, "pre");

/// A depth-first search from one root. Nodes that it does not reach have no numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dfs<N: Entity> {
    preorder: PrimaryMap<Preorder, N>,
    pre: PrimaryMap<N, PackedOption<Preorder>>,
    /// The parent in the search tree; the root's is the root.
    parent: PrimaryMap<Preorder, Preorder>,
    rpo: Vec<N>,
    /// The position of each reached node in post-order.
    post: PrimaryMap<N, u32>,
    /// The ancestors of the current node, each with the number of successors still to visit.
    stack: Vec<(Preorder, u32)>,
}

impl<N: Entity> Default for Dfs<N> {
    fn default() -> Self {
        Self {
            preorder: PrimaryMap::default(),
            pre: PrimaryMap::default(),
            parent: PrimaryMap::default(),
            rpo: Vec::new(),
            post: PrimaryMap::default(),
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
    pub(crate) fn compute(&mut self, cfg: &Cfg<N>, root: N) {
        let n = cfg.len();
        let Self {
            preorder,
            pre,
            parent,
            rpo,
            post,
            stack,
        } = self;
        preorder.clear();
        preorder.reserve_all(n);
        pre.reset(n);
        parent.clear();
        parent.reserve_all(n);
        rpo.clear();
        rpo.reserve(n);
        post.reset(n);
        stack.clear();
        stack.reserve(n);
        let (mut node, mut succs) = (root, cfg.succs(root));
        let mut number = preorder.push(root);
        pre[root] = number.into();
        parent.push(number);
        loop {
            if let Some((&to, before)) = succs.split_last() {
                succs = before;
                if pre[to].is_none() {
                    stack.push((number, before.len() as u32));
                    parent.push(number);
                    number = preorder.push(to);
                    pre[to] = number.into();
                    (node, succs) = (to, cfg.succs(to));
                }
                continue;
            }
            post[node] = rpo.len() as u32;
            rpo.push(node);
            let Some((around, left)) = stack.pop() else {
                break;
            };
            number = around;
            node = preorder[number];
            succs = &cfg.succs(node)[..left as usize];
        }
        rpo.reverse();
    }
    /// Removes nodes without which the others are met in the same order; not the root.
    pub(crate) fn remove(&mut self, is_removed: impl Fn(N) -> bool) {
        let Self { preorder, pre, .. } = self;
        // The new number of each node; a removed one has its parent's.
        let mut numbers: PrimaryMap<Preorder, Preorder> = self.parent.clone();
        self.parent.clear();
        let mut kept = PrimaryMap::with_capacity(preorder.len());
        for (number, &node) in preorder.iter() {
            let up = numbers[numbers[number]];
            if is_removed(node) {
                numbers[number] = up;
                pre[node] = None.into();
            } else {
                let new = kept.push(node);
                self.parent.push(up);
                numbers[number] = new;
                pre[node] = new.into();
            }
        }
        *preorder = kept;
        self.rpo.retain(|&node| pre[node].is_some());
        for (i, &node) in self.rpo.iter().rev().enumerate() {
            self.post[node] = i as u32;
        }
    }
    /// Makes it the same search of the graph whose nodes are numbered in reverse post-order: the nodes of
    /// the other search from `first` on. A first node before them leads to the root.
    pub(crate) fn renumber<M: Entity>(&mut self, of: &Dfs<M>, first: usize) {
        let n = first + of.rpo.len();
        let node = |m: M| N::new(n - 1 - of.post[m] as usize);
        self.preorder.clear();
        self.preorder.reserve_all(n);
        self.parent.clear();
        self.parent.reserve_all(n);
        self.pre.reset(n);
        for before in (0..first).map(N::new) {
            self.parent.push(Preorder(0));
            self.pre[before] = self.preorder.push(before).into();
        }
        for (&m, parent) in of.preorder.values().zip(of.parent.values()) {
            let is_root = self.preorder.len() == first;
            let up = if is_root { 0 } else { first };
            self.parent.push(Preorder::new(parent.index() + up));
            self.pre[node(m)] = self.preorder.push(node(m)).into();
        }
        self.rpo.clear();
        self.rpo.extend((0..n).map(N::new));
        self.post
            .refill_with(n, |node| (n - 1 - node.index()) as u32);
    }
    /// Returns the reached nodes in preorder.
    pub(crate) fn preorder(&self) -> &PrimaryMap<Preorder, N> {
        &self.preorder
    }
    /// Returns the preorder number of a node, if it is reached.
    pub(crate) fn pre(&self, node: N) -> PackedOption<Preorder> {
        self.pre[node]
    }
    /// Returns the parent of each node in the search tree; the root's is the root.
    pub(crate) fn parents(&self) -> &PrimaryMap<Preorder, Preorder> {
        &self.parent
    }
    /// Returns the parent of a reached node in the search tree, if it has one.
    pub(crate) fn parent(&self, node: N) -> Option<N> {
        let number = self.pre[node].expand()?;
        let parent = self.parent[number];
        (parent != number).then(|| self.preorder[parent])
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
        self.pre[a] <= self.pre[b] && self.post[a] >= self.post[b]
    }
    /// Returns whether an edge from a reached node leads to an ancestor of it, or to itself: no other
    /// edge leads backwards in reverse post-order.
    pub(crate) fn is_back_edge(&self, from: N, to: N) -> bool {
        self.post[to] >= self.post[from]
    }
}
