//! Dominators by Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph"
//! (1979), with simple linking: O(m log n) on every graph.
//!
//! The passes have their own dominator tree; the verifier does not share it, so that a fault in one
//! is found by the other.

use alloc::vec;
use alloc::vec::Vec;

use trellis_entity::{EntityRef, PackedOption, PrimaryMap, ReservedValue, entity_impl};

use super::predecessors::Predecessors;

/// A node's number in depth-first preorder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Preorder(u32);
entity_impl!(Preorder, "preorder");

/// The dominator tree of the nodes that the entry (node 0) reaches.
#[derive(Debug)]
pub(crate) struct Dominators<K: EntityRef + ReservedValue> {
    /// The nodes in depth-first preorder.
    order: PrimaryMap<Preorder, K>,
    /// The immediate dominator of each node; none for the entry and for nodes that are not reached.
    idom: PrimaryMap<K, PackedOption<K>>,
    number: PrimaryMap<K, PackedOption<Preorder>>,
    /// Depth-first postorder numbers; meaningless for nodes that are not reached.
    post: PrimaryMap<K, u32>,
    /// Preorder number in the dominator tree and the size of the subtree.
    range: PrimaryMap<K, (u32, u32)>,
}

impl<K: EntityRef + ReservedValue> Dominators<K> {
    /// Returns whether `a` dominates `b`. Both have to be reached.
    pub(crate) fn dominates(&self, a: K, b: K) -> bool {
        let (start, size) = self.range[a];
        self.range[b].0.wrapping_sub(start) < size
    }

    /// Returns whether the entry reaches the node.
    pub(crate) fn reached(&self, node: K) -> bool {
        self.number[node].is_some()
    }

    /// Returns the reached nodes in depth-first preorder.
    pub(super) fn preorder(&self) -> impl Iterator<Item = K> + '_ {
        self.order.values().copied()
    }

    /// Returns the immediate dominator; none for the entry and for nodes that are not reached.
    pub(super) fn parent(&self, node: K) -> Option<K> {
        self.idom[node].expand()
    }

    /// Returns whether the edge leads to `from` or to an ancestor of it in the depth-first search.
    pub(super) fn is_retreating(&self, from: K, to: K) -> bool {
        self.post[to] >= self.post[from]
    }

    /// Computes the tree of a graph with `count` nodes (at least one); `edges` returns the
    /// successors of a node.
    pub(crate) fn compute<'a>(count: usize, edges: impl Fn(K) -> &'a [K]) -> Self
    where
        K: 'a,
    {
        let search = Search::run(count, &edges);
        let idom = search.dominators(&edges);
        let mut range = PrimaryMap::from(vec![(0, 0); count]);
        for &node in search.order.values().rev() {
            range[node].1 += 1;
            if let Some(up) = idom[node].expand() {
                range[up].1 += range[node].1;
            }
        }
        // Where the next child of a node starts.
        let mut next = PrimaryMap::from(vec![1; count]);
        for &node in search.order.values() {
            if let Some(up) = idom[node].expand() {
                let start = next[up];
                next[up] += range[node].1;
                range[node].0 = start;
                next[node] = start + 1;
            }
        }
        Dominators {
            order: search.order,
            idom,
            number: search.number,
            post: search.post,
            range,
        }
    }
}

/// A depth-first search.
struct Search<K: EntityRef + ReservedValue> {
    order: PrimaryMap<Preorder, K>,
    number: PrimaryMap<K, PackedOption<Preorder>>,
    /// The parent in the search tree; of the entry itself.
    parent: PrimaryMap<Preorder, Preorder>,
    post: PrimaryMap<K, u32>,
}

impl<K: EntityRef + ReservedValue> Search<K> {
    fn run<'a>(count: usize, edges: &impl Fn(K) -> &'a [K]) -> Self
    where
        K: 'a,
    {
        let mut search = Search {
            order: PrimaryMap::with_capacity(count),
            number: vec![PackedOption::default(); count].into(),
            parent: PrimaryMap::with_capacity(count),
            post: vec![0; count].into(),
        };
        let mut stack: Vec<(Preorder, core::slice::Iter<'a, K>)> = Vec::with_capacity(16);
        let mut posts = 0;
        let entry = K::new(0);
        stack.push((search.visit(entry, Preorder::new(0)), edges(entry).iter()));
        while let Some((number, rest)) = stack.last_mut() {
            match rest.next() {
                Some(&to) => {
                    if search.number[to].is_none() {
                        let number = search.visit(to, *number);
                        stack.push((number, edges(to).iter()));
                    }
                }
                None => {
                    search.post[search.order[*number]] = posts;
                    posts += 1;
                    stack.pop();
                }
            }
        }
        search
    }

    fn visit(&mut self, node: K, parent: Preorder) -> Preorder {
        let number = self.order.push(node);
        self.number[node] = number.into();
        self.parent.push(parent);
        number
    }

    fn dominators<'a>(&self, edges: &impl Fn(K) -> &'a [K]) -> PrimaryMap<K, PackedOption<K>>
    where
        K: 'a,
    {
        let reached = self.order.len();
        let predecessors = Predecessors::new(
            reached,
            self.order.iter().flat_map(|(number, &node)| {
                // Whatever a reached node has an edge to is reached, too.
                let targets = edges(node)
                    .iter()
                    .filter_map(|&to| self.number[to].expand());
                targets.map(move |to| (number, to))
            }),
        );
        let mut forest = Forest::new(reached);
        let mut idom = PrimaryMap::from(vec![Preorder::new(0); reached]);
        // Buckets are linked lists: the vertices with a given semidominator.
        let none = || PrimaryMap::from(vec![PackedOption::<Preorder>::default(); reached]);
        let (mut bucket, mut next) = (none(), none());
        for w in self.order.keys().skip(1).rev() {
            for &v in predecessors.of(w) {
                let u = forest.eval(v);
                forest.semi[w] = forest.semi[w].min(forest.semi[u]);
            }
            let semi = forest.semi[w];
            next[w] = core::mem::replace(&mut bucket[semi], w.into());
            let parent = self.parent[w];
            forest.ancestor[w] = parent.into();
            let mut vertices = bucket[parent].take();
            while let Some(v) = vertices {
                let u = forest.eval(v);
                idom[v] = if forest.semi[u] < forest.semi[v] {
                    u
                } else {
                    parent
                };
                vertices = next[v].expand();
            }
        }
        let mut result = PrimaryMap::from(vec![PackedOption::default(); self.number.len()]);
        for w in self.order.keys().skip(1) {
            if idom[w] != forest.semi[w] {
                idom[w] = idom[idom[w]];
            }
            result[self.order[w]] = self.order[idom[w]].into();
        }
        result
    }
}

/// The forest of linked vertices, with path compression.
struct Forest {
    semi: PrimaryMap<Preorder, Preorder>,
    label: PrimaryMap<Preorder, Preorder>,
    ancestor: PrimaryMap<Preorder, PackedOption<Preorder>>,
    path: Vec<(Preorder, Preorder)>,
}

impl Forest {
    fn new(count: usize) -> Self {
        let all: PrimaryMap<Preorder, Preorder> = (0..count).map(Preorder::new).collect();
        Forest {
            semi: all.clone(),
            label: all,
            ancestor: vec![PackedOption::default(); count].into(),
            path: Vec::new(),
        }
    }

    /// Returns the vertex with the least semidominator on the path from `v` to below its root.
    fn eval(&mut self, v: Preorder) -> Preorder {
        let mut at = v;
        while let Some(up) = self.ancestor[at].expand()
            && self.ancestor[up].is_some()
        {
            self.path.push((at, up));
            at = up;
        }
        while let Some((at, up)) = self.path.pop() {
            let label = self.label[up];
            if self.semi[label] < self.semi[self.label[at]] {
                self.label[at] = label;
            }
            self.ancestor[at] = self.ancestor[up];
        }
        self.label[v]
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use structurizer_testkit::generate::Rng;

    use trellis_entity::EntityRef;

    use super::Dominators;
    use crate::ir::Block;

    /// Returns the blocks that the entry reaches without passing `without`.
    fn reached(edges: &[Vec<Block>], without: Option<usize>) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if Some(block) != without && !core::mem::replace(&mut seen[block], true) {
                stack.extend(edges[block].iter().map(|to| to.index()));
            }
        }
        seen
    }

    #[test]
    fn agrees_with_leaving_out_each_block() {
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            let count = 1 + rng.below(30);
            let edges: Vec<Vec<Block>> = (0..count)
                .map(|_| {
                    let degree = rng.below(4);
                    (0..degree).map(|_| Block::new(rng.below(count))).collect()
                })
                .collect();
            let dominators = Dominators::compute(count, |block: Block| &edges[block.index()]);
            let all = reached(&edges, None);
            for a in 0..count {
                assert_eq!(dominators.reached(Block::new(a)), all[a], "{edges:?}");
                let rest = reached(&edges, Some(a));
                for b in (0..count).filter(|&b| all[a] && all[b]) {
                    assert_eq!(
                        dominators.dominates(Block::new(a), Block::new(b)),
                        !rest[b],
                        "{a} over {b} in {edges:?}"
                    );
                }
            }
        }
    }
}
