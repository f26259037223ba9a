//! Dominators by Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph"
//! (1979), with simple linking: O(m log n) on every graph.
//!
//! The passes have their own dominator tree; the verifier does not share it, so that a fault in one
//! is found by the other.

use alloc::vec::Vec;

use trellis_entity::{EntityRef, PackedOption, PrimaryMap, ReservedValue, entity_impl};

use super::predecessors::Predecessors;
use super::refill;

/// A node's number in depth-first preorder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Preorder(u32);
entity_impl!(Preorder, "preorder");

/// The dominator tree of the nodes that the entry (node 0) reaches.
#[derive(Debug)]
pub(super) struct Dominators<K: EntityRef + ReservedValue> {
    /// The nodes in depth-first preorder.
    order: PrimaryMap<Preorder, K>,
    /// The immediate dominator of each node; none for the entry and for nodes that are not reached.
    idom: PrimaryMap<K, PackedOption<K>>,
    number: PrimaryMap<K, PackedOption<Preorder>>,
    /// Depth-first postorder numbers; meaningless for nodes that are not reached.
    post: PrimaryMap<K, u32>,
    /// Preorder number in the dominator tree and the size of the subtree.
    range: PrimaryMap<K, (u32, u32)>,
    /// Where the next child of a node starts, while the tree is numbered.
    next: PrimaryMap<K, u32>,
    /// The nodes that are being searched, each with the number of successors that were visited.
    stack: Vec<(Preorder, usize)>,
    search: Search,
}

impl<K: EntityRef + ReservedValue> Default for Dominators<K> {
    fn default() -> Self {
        Self {
            order: PrimaryMap::new(),
            idom: PrimaryMap::new(),
            number: PrimaryMap::new(),
            post: PrimaryMap::new(),
            range: PrimaryMap::new(),
            next: PrimaryMap::new(),
            stack: Vec::new(),
            search: Search::default(),
        }
    }
}

impl<K: EntityRef + ReservedValue> Dominators<K> {
    /// Returns whether `a` dominates `b`. Both have to be reached.
    pub(super) fn dominates(&self, a: K, b: K) -> bool {
        let (start, size) = self.range[a];
        self.range[b].0.wrapping_sub(start) < size
    }

    /// Returns whether the entry reaches the node.
    pub(super) fn reached(&self, node: K) -> bool {
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

    /// Makes it the tree of a graph with `count` nodes (at least one); `edges` returns the successors
    /// of a node.
    pub(super) fn compute<'a>(&mut self, count: usize, edges: impl Fn(K) -> &'a [K])
    where
        K: 'a,
    {
        self.search(count, &edges);
        self.find_dominators(&edges);
        let Self {
            order,
            idom,
            range,
            next,
            ..
        } = self;
        refill(range, (0, 0), count);
        for &node in order.values().rev() {
            range[node].1 += 1;
            if let Some(up) = idom[node].expand() {
                range[up].1 += range[node].1;
            }
        }
        refill(next, 1, count);
        for &node in order.values() {
            if let Some(up) = idom[node].expand() {
                let start = next[up];
                next[up] += range[node].1;
                range[node].0 = start;
                next[node] = start + 1;
            }
        }
    }

    /// Searches the graph depth-first.
    fn search<'a>(&mut self, count: usize, edges: &impl Fn(K) -> &'a [K])
    where
        K: 'a,
    {
        self.order.clear();
        self.search.parent.clear();
        refill(&mut self.number, PackedOption::default(), count);
        refill(&mut self.post, 0, count);
        let mut stack = core::mem::take(&mut self.stack);
        let mut posts = 0;
        stack.push((self.visit(K::new(0), Preorder::new(0)), 0));
        while let Some((number, visited)) = stack.last_mut() {
            let (number, node) = (*number, self.order[*number]);
            match edges(node).get(*visited) {
                Some(&to) => {
                    *visited += 1;
                    if self.number[to].is_none() {
                        let to = self.visit(to, number);
                        stack.push((to, 0));
                    }
                }
                None => {
                    self.post[node] = posts;
                    posts += 1;
                    stack.pop();
                }
            }
        }
        self.stack = stack;
    }

    fn visit(&mut self, node: K, parent: Preorder) -> Preorder {
        let number = self.order.push(node);
        self.number[node] = number.into();
        self.search.parent.push(parent);
        number
    }

    fn find_dominators<'a>(&mut self, edges: &impl Fn(K) -> &'a [K])
    where
        K: 'a,
    {
        let Self {
            order,
            number,
            search,
            ..
        } = self;
        let Search {
            parent,
            predecessors,
            forest,
            idom,
            bucket,
            next,
        } = search;
        let reached = order.len();
        predecessors.fill(
            reached,
            order.iter().flat_map(|(from, &node)| {
                // Whatever a reached node has an edge to is reached, too.
                let targets = edges(node).iter();
                let targets = targets.filter_map(|&to| number[to].expand());
                targets.map(move |to| (from, to))
            }),
        );
        forest.reset(reached);
        refill(idom, Preorder::new(0), reached);
        refill(bucket, PackedOption::default(), reached);
        refill(next, PackedOption::default(), reached);
        for w in order.keys().skip(1).rev() {
            for &v in predecessors.of(w) {
                let u = forest.eval(v);
                forest.semi[w] = forest.semi[w].min(forest.semi[u]);
            }
            let semi = forest.semi[w];
            next[w] = core::mem::replace(&mut bucket[semi], w.into());
            let parent = parent[w];
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
        refill(&mut self.idom, PackedOption::default(), number.len());
        for w in order.keys().skip(1) {
            if idom[w] != forest.semi[w] {
                idom[w] = idom[idom[w]];
            }
            self.idom[order[w]] = order[idom[w]].into();
        }
    }
}

/// The search for the dominators, by preorder numbers.
#[derive(Debug, Default)]
struct Search {
    /// The parent in the search tree; of the entry itself.
    parent: PrimaryMap<Preorder, Preorder>,
    predecessors: Predecessors<Preorder>,
    forest: Forest,
    idom: PrimaryMap<Preorder, Preorder>,
    /// Buckets are linked lists: the vertices with a given semidominator.
    bucket: PrimaryMap<Preorder, PackedOption<Preorder>>,
    next: PrimaryMap<Preorder, PackedOption<Preorder>>,
}

/// The forest of linked vertices, with path compression.
#[derive(Debug, Default)]
struct Forest {
    semi: PrimaryMap<Preorder, Preorder>,
    label: PrimaryMap<Preorder, Preorder>,
    ancestor: PrimaryMap<Preorder, PackedOption<Preorder>>,
    path: Vec<(Preorder, Preorder)>,
}

impl Forest {
    /// Makes it a forest of vertices of which none is linked.
    fn reset(&mut self, count: usize) {
        self.semi.clear();
        self.semi.extend((0..count).map(Preorder::new));
        self.label.clear();
        self.label.extend((0..count).map(Preorder::new));
        refill(&mut self.ancestor, PackedOption::default(), count);
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
            let mut dominators = Dominators::default();
            dominators.compute(count, |block: Block| edges[block.index()].as_slice());
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
