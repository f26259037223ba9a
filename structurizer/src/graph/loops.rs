//! The loop nesting forest of any graph, reducible or not, in near-linear time: Havlak's forest by
//! Ramalingam's method ("Identifying loops in almost linear time", 1999): cross and forward edges
//! wait at the least common ancestor of their ends, so that no edge is looked at twice.

use super::{Cfg, NONE, dfs::Dfs};

/// A loop: index into [`Loops::headers`] and its companions.
pub(crate) type Loop = u32;

/// Loops of a graph. The header of an irreducible loop is the entry that the search met first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    /// Header of each loop; outer loops come before inner ones.
    pub(crate) headers: Vec<u32>,
    /// Enclosing loop.
    pub(crate) parent: Vec<Loop>,
    /// Nesting depth, 1 for an outermost loop.
    pub(crate) depth: Vec<u32>,
    /// Innermost loop that contains a node (a header is in its own loop).
    pub(crate) of: Vec<Loop>,
    /// Whether some edge enters a loop beside its header.
    pub(crate) irreducible: Vec<bool>,
}

struct UnionFind(Vec<u32>);

impl UnionFind {
    fn find(&mut self, mut x: u32) -> u32 {
        while self.0[x as usize] != x {
            self.0[x as usize] = self.0[self.0[x as usize] as usize];
            x = self.0[x as usize];
        }
        x
    }
}

impl Loops {
    /// Finds the loops among the nodes that the search reaches.
    pub(crate) fn new(cfg: &Cfg, dfs: &Dfs) -> Self {
        let n = cfg.len();
        let mut loops = Self {
            of: vec![NONE; n],
            ..Self::default()
        };
        if !has_back_edge(cfg, dfs) {
            return loops;
        }
        let (waiting_start, waiting) = edges_at_common_ancestors(cfg, dfs);
        let mut sets = UnionFind((0..n as u32).collect());
        let mut header_of: Vec<u32> = vec![NONE; n]; // header of the innermost loop around a node, excluding a loop that it heads
        let mut is_header = vec![false; n];
        let mut irreducible_header = vec![false; n];
        // Extra predecessors of a representative: cross and forward edges that have been released.
        // A list for each, through `extra`: (predecessor, next).
        let mut first_extra = vec![NONE; n];
        let mut extra: Vec<(u32, u32)> = Vec::with_capacity(waiting.len());
        let mut mark = vec![NONE; n];
        let mut work = Vec::new();
        let mut body = Vec::new();
        for &h in dfs.preorder.iter().rev() {
            for &(y, x) in
                &waiting[waiting_start[h as usize] as usize..waiting_start[h as usize + 1] as usize]
            {
                let rep = sets.find(x);
                extra.push((y, first_extra[rep as usize]));
                first_extra[rep as usize] = extra.len() as u32 - 1;
                // The edge enters every loop found so far that contains x, beside the one that x
                // heads.
                let mut entered = header_of[x as usize];
                while entered != NONE {
                    irreducible_header[entered as usize] = true;
                    entered = header_of[entered as usize];
                }
            }
            mark[h as usize] = h;
            body.clear();
            let mut self_loop = false;
            for &y in cfg.preds(h) {
                if dfs.reached(y) && dfs.is_ancestor(h, y) {
                    self_loop |= y == h;
                    let rep = sets.find(y);
                    if mark[rep as usize] != h {
                        mark[rep as usize] = h;
                        work.push(rep);
                    }
                }
            }
            while let Some(y) = work.pop() {
                body.push(y);
                let (mut z, mut next) = (dfs.parent[y as usize], first_extra[y as usize]);
                while z != NONE {
                    let rep = sets.find(z);
                    if mark[rep as usize] != h {
                        mark[rep as usize] = h;
                        work.push(rep);
                    }
                    (z, next) = extra.get(next as usize).copied().unwrap_or((NONE, NONE));
                }
            }
            if self_loop || !body.is_empty() {
                is_header[h as usize] = true;
                for &y in &body {
                    header_of[y as usize] = h;
                    sets.0[y as usize] = h;
                }
            }
        }
        loops.collect(dfs, &header_of, &is_header, &irreducible_header);
        loops
    }

    fn collect(&mut self, dfs: &Dfs, header_of: &[u32], is_header: &[bool], irreducible: &[bool]) {
        for &node in &dfs.preorder {
            let outer = header_of[node as usize];
            let outer = if outer == NONE {
                NONE
            } else {
                self.of[outer as usize]
            };
            if is_header[node as usize] {
                self.of[node as usize] = self.headers.len() as Loop;
                self.headers.push(node);
                self.parent.push(outer);
                self.depth.push(if outer == NONE {
                    1
                } else {
                    self.depth[outer as usize] + 1
                });
                self.irreducible.push(irreducible[node as usize]);
            } else {
                self.of[node as usize] = outer;
            }
        }
    }

    /// Number of loops.
    pub(crate) fn len(&self) -> usize {
        self.headers.len()
    }
    /// Depth of a loop, 0 for none.
    pub(crate) fn depth_of(&self, l: Loop) -> u32 {
        if l == NONE { 0 } else { self.depth[l as usize] }
    }
}

fn has_back_edge(cfg: &Cfg, dfs: &Dfs) -> bool {
    dfs.preorder
        .iter()
        .any(|&n| cfg.succs(n).iter().any(|&s| dfs.is_ancestor(s, n)))
}

/// Cross and forward edges `(from, to)`, sorted by the least common ancestor of their ends in the
/// search tree. Tarjan's offline algorithm: in reverse post-order of the tree, a union-find over
/// finished subtrees names the ancestor.
fn edges_at_common_ancestors(cfg: &Cfg, dfs: &Dfs) -> (Vec<u32>, Vec<(u32, u32)>) {
    let n = cfg.len();
    let mut found: Vec<(u32, u32, u32)> = Vec::new();
    let mut sets = UnionFind((0..n as u32).collect());
    // Post-order: `rpo` from the back. When node v finishes, every edge between v and an already
    // finished node u has lca = find(u).
    let mut done = vec![false; n];
    for &v in dfs.rpo.iter().rev() {
        // All children of v are finished and joined to v.
        done[v as usize] = true;
        for &u in cfg.succs(v) {
            // forward edges to a descendant: the ancestor is v itself
            if u != v && done[u as usize] && dfs.parent[u as usize] != v && dfs.is_ancestor(v, u) {
                found.push((v, v, u));
            } else if u != v && done[u as usize] && !dfs.is_ancestor(v, u) {
                let lca = sets.find(u);
                found.push((lca, v, u));
            }
        }
        let p = dfs.parent[v as usize];
        if p != NONE {
            sets.0[v as usize] = p;
        }
    }
    let mut start = vec![0u32; n + 1];
    for &(lca, ..) in &found {
        start[lca as usize + 1] += 1;
    }
    for i in 0..n {
        start[i + 1] += start[i];
    }
    let mut fill = start.clone();
    let mut edges = vec![(0, 0); found.len()];
    for (lca, y, x) in found {
        edges[fill[lca as usize] as usize] = (y, x);
        fill[lca as usize] += 1;
    }
    (start, edges)
}
