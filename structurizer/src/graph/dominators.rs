//! Dominators by Lengauer and Tarjan's algorithm ("A fast algorithm for finding dominators in a
//! flowgraph", 1979): near-linear, also where the iterative and the semi-NCA algorithms walk long
//! chains again and again (many early exits to one block, many entries into one loop).

use super::{Cfg, NONE, dfs::Dfs};

/// Immediate dominators of the nodes that a search reaches, with intervals that answer "dominates"
/// in constant time.
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
        let parent: Vec<u32> = dfs
            .preorder
            .iter()
            .map(|&v| dfs.parent[v as usize])
            .map(|p| if p == NONE { 0 } else { dfs.pre[p as usize] })
            .collect();
        let mut ancestor = parent.clone();
        let mut idom = parent.clone();
        let mut path = Vec::new();
        // Nodes that wait for their immediate dominator at their semidominator: lists by the
        // latter.
        let (mut waiting, mut next_waiting) = (vec![NONE; n], vec![NONE; n]);
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
            let up = parent[w as usize];
            if best != up {
                next_waiting[w as usize] = waiting[best as usize];
                waiting[best as usize] = w;
            }
            // With `w` linked, the paths from all that wait at its parent are.
            let mut v = std::mem::replace(&mut waiting[up as usize], NONE);
            while v != NONE {
                let u = eval(v, w, &mut ancestor, &mut label, &semi, &mut path);
                idom[v as usize] = if semi[u as usize] < up { u } else { up };
                v = next_waiting[v as usize];
            }
        }
        for w in 1..n {
            if idom[w] != semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
        }
        let mut result = Self {
            idom: vec![NONE; cfg.len()],
            enter: vec![NONE; cfg.len()],
            leave: vec![0; cfg.len()],
        };
        for (&node, &d) in dfs.preorder.iter().zip(&idom).skip(1) {
            result.idom[node as usize] = dfs.preorder[d as usize];
        }
        result.number(&idom, dfs);
        result
    }

    /// Preorder intervals of the dominator tree: parents have smaller search numbers, so sizes add
    /// up from the back and starts follow from the front.
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
        self.enter[a] != NONE
            && self.enter[b] != NONE
            && self.enter[a] <= self.enter[b]
            && self.enter[b] < self.leave[a]
    }
}

/// The node with the least semidominator on the path from `v` up through the nodes that are linked
/// already (numbered `linked` and above), with path compression.
fn eval(
    v: u32,
    linked: u32,
    ancestor: &mut [u32],
    label: &mut [u32],
    semi: &[u32],
    path: &mut Vec<u32>,
) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::{Cfg, Dfs, Dominators};
    use structurizer_testkit::generate::Rng;

    /// The nodes that the root reaches without passing `without`.
    fn reached(cfg: &Cfg, without: u32) -> Vec<bool> {
        let mut seen = vec![false; cfg.len()];
        let mut work = vec![0];
        while let Some(n) = work.pop() {
            if n != without && !std::mem::replace(&mut seen[n as usize], true) {
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
            let (mut start, mut succs) = (vec![0], Vec::new());
            for _ in 0..n {
                for _ in 0..rng.below(4) {
                    succs.push(rng.below(n) as u32);
                }
                start.push(succs.len() as u32);
            }
            let cfg = Cfg::new(start, succs);
            let dominators = Dominators::new(&cfg, &Dfs::new(&cfg, 0));
            let all = reached(&cfg, u32::MAX);
            for a in 0..n as u32 {
                let rest = reached(&cfg, a);
                for b in 0..n as u32 {
                    let expected = all[a as usize] && all[b as usize] && !rest[b as usize];
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
