//! Dominators by the semi-NCA algorithm (Georgiadis 2005): near-linear, also where the simple iterative algorithm walks long chains again and again
//! (many early exits to one block).

use super::{Cfg, NONE, dfs::Dfs};

/// Immediate dominators of the nodes that a search reaches, with intervals that answer "dominates" in constant time.
#[derive(Clone, Debug)]
pub(crate) struct Dominators {
    /// Immediate dominator; [`NONE`] for the root and for unreached nodes.
    pub(crate) idom: Vec<u32>,
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Dominators {
    /// Computes the tree.
    pub(crate) fn new(cfg: &Cfg, dfs: &Dfs) -> Self {
        let n = dfs.preorder.len();
        // Everything in preorder numbers.
        let mut semi: Vec<u32> = (0..n as u32).collect();
        let mut label: Vec<u32> = (0..n as u32).collect();
        let parent: Vec<u32> = dfs.preorder.iter().map(|&v| dfs.parent[v as usize]).map(|p| if p == NONE { 0 } else { dfs.pre[p as usize] }).collect();
        let mut ancestor = parent.clone();
        let mut idom = parent.clone();
        let mut path = Vec::new();
        for w in (1..n as u32).rev() {
            let mut best = parent[w as usize];
            for &p in cfg.preds(dfs.preorder[w as usize]) {
                let v = dfs.pre[p as usize];
                if v == NONE {
                    continue;
                }
                let u = eval(v, w + 1, &mut ancestor, &mut label, &semi, &mut path);
                best = best.min(semi[u as usize]);
            }
            semi[w as usize] = best;
        }
        for w in 1..n as u32 {
            let mut d = idom[w as usize];
            while d > semi[w as usize] {
                d = idom[d as usize];
            }
            idom[w as usize] = d;
        }
        let mut result = Self { idom: vec![NONE; cfg.len()], enter: vec![NONE; cfg.len()], leave: vec![0; cfg.len()] };
        for (&node, &d) in dfs.preorder.iter().zip(&idom).skip(1) {
            result.idom[node as usize] = dfs.preorder[d as usize];
        }
        result.number(&idom, dfs);
        result
    }

    /// Preorder intervals of the dominator tree: parents have smaller search numbers, so sizes add up from the back and starts follow from the front.
    fn number(&mut self, idom: &[u32], dfs: &Dfs) {
        let n = idom.len();
        let mut size = vec![1u32; n];
        for w in (1..n).rev() {
            size[idom[w] as usize] += size[w];
        }
        let mut start = vec![0u32; n];
        let mut next: Vec<u32> = vec![1; n];
        for w in 1..n {
            let d = idom[w] as usize;
            start[w] = next[d];
            next[d] += size[w];
            next[w] = start[w] + 1;
        }
        for w in 0..n {
            let node = dfs.preorder[w] as usize;
            self.enter[node] = start[w];
            self.leave[node] = start[w] + size[w];
        }
    }

    /// Whether `a` dominates `b` (every node dominates itself); `false` if either is unreached.
    pub(crate) fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.enter[a] != NONE && self.enter[b] != NONE && self.enter[a] <= self.enter[b] && self.enter[b] < self.leave[a]
    }
}

/// The node with the least semidominator on the path from `v` up through the nodes that are linked already (numbered `linked` and above), with path
/// compression.
fn eval(v: u32, linked: u32, ancestor: &mut [u32], label: &mut [u32], semi: &[u32], path: &mut Vec<u32>) -> u32 {
    if v < linked {
        return v;
    }
    path.clear();
    let mut u = v;
    while ancestor[u as usize] >= linked {
        path.push(u);
        u = ancestor[u as usize];
    }
    // `u` is the last linked node; its ancestor is not linked yet. Compress from the top down.
    let root_ancestor = ancestor[u as usize];
    let mut above = u;
    while let Some(x) = path.pop() {
        if semi[label[above as usize] as usize] < semi[label[x as usize] as usize] {
            label[x as usize] = label[above as usize];
        }
        ancestor[x as usize] = root_ancestor;
        above = x;
    }
    label[v as usize]
}
