//! Depth-first search with an explicit stack: preorder, tree parents, reverse post-order.

use super::{Cfg, NONE};

/// A depth-first search from one root. Nodes that it does not reach have number [`NONE`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Dfs {
    /// Nodes in preorder.
    pub(crate) preorder: Vec<u32>,
    /// Preorder number of each node.
    pub(crate) pre: Vec<u32>,
    /// Last preorder number in the node's subtree.
    pub(crate) last: Vec<u32>,
    /// Parent in the search tree.
    pub(crate) parent: Vec<u32>,
    /// Nodes in reverse post-order.
    pub(crate) rpo: Vec<u32>,
    /// Position of each node in `rpo`.
    pub(crate) rpo_number: Vec<u32>,
}

impl Dfs {
    /// Searches from `root`. Successors are taken last first, so that reverse post-order lists the
    /// first successor's side first: `then` before `else`.
    pub(crate) fn new(cfg: &Cfg, root: u32) -> Self {
        let n = cfg.len();
        let mut dfs = Self {
            preorder: Vec::with_capacity(n),
            pre: vec![NONE; n],
            last: vec![NONE; n],
            parent: vec![NONE; n],
            rpo: Vec::with_capacity(n),
            rpo_number: vec![NONE; n],
        };
        let mut stack: Vec<(u32, u32)> = Vec::with_capacity(n);
        dfs.enter(root, NONE);
        stack.push((root, cfg.succs(root).len() as u32));
        while let Some((node, left)) = stack.last_mut() {
            let node = *node;
            if *left == 0 {
                stack.pop();
                dfs.last[node as usize] = dfs.preorder.len() as u32 - 1;
                dfs.rpo.push(node);
                continue;
            }
            *left -= 1;
            let to = cfg.succs(node)[*left as usize];
            if dfs.pre[to as usize] == NONE {
                dfs.enter(to, node);
                stack.push((to, cfg.succs(to).len() as u32));
            }
        }
        dfs.rpo.reverse();
        for (i, &node) in dfs.rpo.iter().enumerate() {
            dfs.rpo_number[node as usize] = i as u32;
        }
        dfs
    }
    fn enter(&mut self, node: u32, parent: u32) {
        self.pre[node as usize] = self.preorder.len() as u32;
        self.parent[node as usize] = parent;
        self.preorder.push(node);
    }
    /// Whether the node is reached.
    pub(crate) fn reached(&self, node: u32) -> bool {
        self.pre[node as usize] != NONE
    }
    /// Whether `a` is an ancestor of `b` (or `b` itself) in the search tree.
    pub(crate) fn is_ancestor(&self, a: u32, b: u32) -> bool {
        let (a, pre) = (a as usize, self.pre[b as usize]);
        self.pre[a] <= pre && pre <= self.last[a]
    }
}
