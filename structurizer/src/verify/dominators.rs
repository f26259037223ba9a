//! Dominators by Lengauer and Tarjan (1979), simple linking: O(m log n) on every graph.
//!
//! The passes have their own dominator tree; the verifier does not share it, so that neither can
//! hide a bug of the other.

/// No block.
pub(super) const NONE: u32 = u32::MAX;

/// The dominator tree of the blocks that the entry (block 0) reaches.
#[derive(Debug)]
pub(crate) struct Dominators {
    /// Blocks in depth-first preorder.
    pub(crate) order: Vec<u32>,
    /// The immediate dominator of each block, [`NONE`] for the entry and for unreached blocks.
    pub(crate) idom: Vec<u32>,
    /// Depth-first postorder numbers, [`NONE`] for unreached blocks.
    pub(super) post: Vec<u32>,
    /// Preorder number in the dominator tree and the size of the subtree.
    range: Vec<(u32, u32)>,
}

impl Dominators {
    /// Whether `a` dominates `b`; both reached.
    pub(crate) fn dominates(&self, a: u32, b: u32) -> bool {
        let (start, size) = self.range[a as usize];
        self.range[b as usize].0.wrapping_sub(start) < size
    }

    /// Whether the entry reaches the block.
    pub(crate) fn reached(&self, block: u32) -> bool {
        self.post[block as usize] != NONE
    }

    /// The tree over `count` blocks (at least one), whose successors `edges` gives.
    pub(crate) fn compute<'a>(count: usize, edges: impl Fn(u32) -> &'a [u32]) -> Self {
        let search = Search::run(count, &edges);
        let idom = search.dominators(&edges);
        let reached = search.order.len();
        let mut range = vec![(0, 0); count];
        for &block in search.order.iter().rev() {
            range[block as usize].1 += 1;
            let up = idom[block as usize];
            if up != NONE {
                range[up as usize].1 += range[block as usize].1;
            }
        }
        // `next` is where the next child of a block starts.
        let mut next = vec![1; count];
        for &block in search.order.iter().take(reached).skip(1) {
            let up = idom[block as usize] as usize;
            let start = next[up];
            next[up] += range[block as usize].1;
            range[block as usize].0 = start;
            next[block as usize] = start + 1;
        }
        Dominators {
            order: search.order,
            idom,
            post: search.post,
            range,
        }
    }
}

/// A depth-first search. `number` and `parent` are preorder numbers.
struct Search {
    order: Vec<u32>,
    number: Vec<u32>,
    parent: Vec<u32>,
    post: Vec<u32>,
}

impl Search {
    fn run<'a>(count: usize, edges: &impl Fn(u32) -> &'a [u32]) -> Self {
        let mut search = Search {
            order: Vec::with_capacity(count),
            number: vec![NONE; count],
            parent: Vec::with_capacity(count),
            post: vec![NONE; count],
        };
        let mut stack: Vec<(u32, u32)> = Vec::with_capacity(16);
        let mut posts = 0;
        search.visit(0, 0);
        stack.push((0, 0));
        while let Some((block, edge)) = stack.last_mut() {
            let block = *block;
            match edges(block).get(*edge as usize) {
                Some(&to) => {
                    *edge += 1;
                    if search.number[to as usize] == NONE {
                        search.visit(to, search.number[block as usize]);
                        stack.push((to, 0));
                    }
                }
                None => {
                    search.post[block as usize] = posts;
                    posts += 1;
                    stack.pop();
                }
            }
        }
        search
    }

    fn visit(&mut self, block: u32, parent: u32) {
        self.number[block as usize] = self.order.len() as u32;
        self.order.push(block);
        self.parent.push(parent);
    }

    /// The predecessors of each preorder number, as preorder numbers: starts and pool.
    fn predecessors<'a>(&self, edges: &impl Fn(u32) -> &'a [u32]) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; self.order.len() + 1];
        for &block in &self.order {
            for &to in edges(block) {
                starts[self.number[to as usize] as usize + 1] += 1;
            }
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut fill = starts.clone();
        let mut pool = vec![0u32; starts.last().map_or(0, |&end| end as usize)];
        for (number, &block) in self.order.iter().enumerate() {
            for &to in edges(block) {
                let slot = &mut fill[self.number[to as usize] as usize];
                pool[*slot as usize] = number as u32;
                *slot += 1;
            }
        }
        (starts, pool)
    }

    fn dominators<'a>(&self, edges: &impl Fn(u32) -> &'a [u32]) -> Vec<u32> {
        let reached = self.order.len();
        let (starts, pool) = self.predecessors(edges);
        let mut forest = Forest::new(reached);
        let mut idom = vec![0u32; reached];
        // Buckets are linked lists: the vertices with a given semidominator.
        let (mut bucket, mut next) = (vec![NONE; reached], vec![NONE; reached]);
        for w in (1..reached).rev() {
            for &v in &pool[starts[w] as usize..starts[w + 1] as usize] {
                let u = forest.eval(v);
                forest.semi[w] = forest.semi[w].min(forest.semi[u as usize]);
            }
            let semi = forest.semi[w] as usize;
            next[w] = bucket[semi];
            bucket[semi] = w as u32;
            let parent = self.parent[w];
            forest.ancestor[w] = parent;
            let mut v = std::mem::replace(&mut bucket[parent as usize], NONE);
            while v != NONE {
                let u = forest.eval(v);
                idom[v as usize] = if forest.semi[u as usize] < forest.semi[v as usize] {
                    u
                } else {
                    parent
                };
                v = next[v as usize];
            }
        }
        let mut result = vec![NONE; self.number.len()];
        for w in 1..reached {
            if idom[w] != forest.semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
            result[self.order[w] as usize] = self.order[idom[w] as usize];
        }
        result
    }
}

/// The forest of linked vertices, with path compression.
struct Forest {
    semi: Vec<u32>,
    label: Vec<u32>,
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(count: usize) -> Self {
        let all: Vec<u32> = (0..count as u32).collect();
        Forest {
            semi: all.clone(),
            label: all,
            ancestor: vec![NONE; count],
            path: Vec::new(),
        }
    }

    /// The vertex with the least semidominator on the path from `v` to below its root.
    fn eval(&mut self, v: u32) -> u32 {
        let mut at = v;
        loop {
            let up = self.ancestor[at as usize];
            if up == NONE || self.ancestor[up as usize] == NONE {
                break;
            }
            self.path.push(at);
            at = up;
        }
        while let Some(at) = self.path.pop() {
            let up = self.ancestor[at as usize];
            let (mine, its) = (self.label[at as usize], self.label[up as usize]);
            if self.semi[its as usize] < self.semi[mine as usize] {
                self.label[at as usize] = its;
            }
            self.ancestor[at as usize] = self.ancestor[up as usize];
        }
        self.label[v as usize]
    }
}

#[cfg(test)]
mod tests {
    use structurizer_testkit::generate::Rng;

    use super::{Dominators, NONE};

    /// The blocks that the entry reaches without passing `without`.
    fn reached(edges: &[Vec<u32>], without: u32) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if block != without && !std::mem::replace(&mut seen[block as usize], true) {
                stack.extend(&edges[block as usize]);
            }
        }
        seen
    }

    #[test]
    fn agrees_with_leaving_out_each_block() {
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            let count = 1 + rng.below(30);
            let edges: Vec<Vec<u32>> = (0..count)
                .map(|_| {
                    let degree = rng.below(4);
                    (0..degree).map(|_| rng.below(count) as u32).collect()
                })
                .collect();
            let dominators = Dominators::compute(count, |block| &edges[block as usize]);
            let all = reached(&edges, NONE);
            for a in 0..count {
                assert_eq!(dominators.reached(a as u32), all[a], "{edges:?}");
                let rest = reached(&edges, a as u32);
                for b in (0..count).filter(|&b| all[a] && all[b]) {
                    assert_eq!(
                        dominators.dominates(a as u32, b as u32),
                        !rest[b],
                        "{a} over {b} in {edges:?}"
                    );
                }
            }
        }
    }
}
