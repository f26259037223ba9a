//! Dominators in one walk over a reverse postorder: the immediate dominator of a block is the
//! deepest common dominator of the sources of its forward edges, found in O(log n) by jumps (Myers,
//! "An applicative random-access stack", 1983).
//!
//! Retreating edges are not followed, so the tree is exact where the target of each dominates its
//! source. The rules require that: a back edge comes out of the continue construct of its target, and
//! a header dominates the blocks that it names. A graph with another retreating edge is refused.
//!
//! The passes have their own dominator tree; the verifier does not share it, so that a fault in one
//! is found by the other.

use alloc::vec::Vec;

use trellis_entity::PrimaryMap;

use super::cfg::{Cfg, Position};

/// The dominator tree of the blocks that the entry reaches.
#[derive(Debug, Default)]
pub(super) struct Dominators {
    /// The reached blocks in depth-first postorder.
    postorder: Vec<Position>,
    nodes: PrimaryMap<Position, Node>,
    /// The blocks that are being searched, each with its edges that were not followed yet.
    stack: Vec<(Position, u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Number in depth-first postorder, from 1 on; 0 if it is not reached, and [`Node::OPEN`] while the
    /// search is in it.
    post: u32,
    /// Number of dominators above.
    depth: u32,
    /// The immediate dominator, if there is one, and a dominator far above it.
    idom: Position,
    jump: Position,
    /// Number in preorder of the tree, and the one after those below it.
    first: u32,
    last: u32,
}

impl Node {
    const OPEN: u32 = u32::MAX;
    const NEW: Self = Self {
        post: 0,
        depth: 0,
        idom: Position::NONE,
        jump: Position::ENTRY,
        first: 0,
        last: 1,
    };
}

/// The edges that dominate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edges {
    /// Structured control-flow edges.
    Structural,
    /// Branch edges alone.
    Branches,
}

impl Dominators {
    /// Returns whether `a` dominates `b`. Both have to be reached.
    #[inline]
    pub(super) fn dominates(&self, a: Position, b: Position) -> bool {
        let above = &self.nodes[a];
        (above.first..above.last).contains(&self.nodes[b].first)
    }

    /// Returns whether the entry reaches the block.
    pub(super) fn reached(&self, block: Position) -> bool {
        block == Position::ENTRY || self.nodes[block].idom != Position::NONE
    }

    /// Returns the reached blocks, immediate dominators first.
    pub(super) fn order(&self) -> impl Iterator<Item = Position> + '_ {
        self.postorder.iter().rev().copied()
    }

    /// Returns the immediate dominator; none for the entry and for blocks that are not reached.
    pub(super) fn parent(&self, block: Position) -> Option<Position> {
        Some(self.nodes[block].idom).filter(|&idom| idom != Position::NONE)
    }

    /// Returns whether the edge leads to `from` or to an ancestor of it in the depth-first search.
    pub(super) fn is_retreating(&self, from: Position, to: Position) -> bool {
        self.nodes[to].post >= self.nodes[from].post
    }

    /// Makes it the tree of a graph of at least one block, over structured control-flow edges.
    pub(super) fn compute(&mut self, cfg: &Cfg) {
        self.search(cfg);
        self.find(cfg, Edges::Structural);
    }

    /// Makes it the tree of the same graph over branch edges alone. They are some of the edges of the
    /// other tree, so its order fits.
    pub(super) fn compute_plain(&mut self, cfg: &Cfg, structural: &Self) {
        self.postorder.clone_from(&structural.postorder);
        let posts = structural.nodes.values().map(|node| node.post);
        self.nodes.clear();
        self.nodes
            .extend(posts.map(|post| Node { post, ..Node::NEW }));
        self.find(cfg, Edges::Branches);
    }

    /// Finds the dominators.
    fn find(&mut self, cfg: &Cfg, edges: Edges) {
        for index in (0..self.postorder.len()).rev() {
            let block = self.postorder[index];
            if !self.reached(block) {
                continue;
            }
            self.place(block);
            for &to in cfg.edges(edges, block) {
                if !self.is_retreating(block, to) {
                    self.nodes[to].idom = match self.parent(to) {
                        None => block,
                        Some(idom) => self.common(idom, block),
                    };
                }
            }
        }
        self.number();
    }

    /// Numbers the tree in preorder.
    fn number(&mut self) {
        let nodes = &mut self.nodes;
        for &block in &self.postorder {
            let Node { idom, last, .. } = nodes[block];
            if let Some(up) = nodes.get_mut(idom) {
                up.last += last;
            }
        }
        // Until a block has its number, `last` is how many blocks it dominates; then where the next
        // one below it starts.
        for &block in self.postorder.iter().rev() {
            let Node { idom, last, .. } = nodes[block];
            let mut first = 0;
            if let Some(up) = nodes.get_mut(idom) {
                first = up.last;
                up.last += last;
            }
            nodes[block].first = first;
            nodes[block].last = first + 1;
        }
    }

    /// Searches the graph depth-first.
    fn search(&mut self, cfg: &Cfg) {
        let Self {
            postorder,
            nodes,
            stack,
        } = self;
        postorder.clear();
        nodes.refill(Node::NEW, cfg.len());
        let mut visit = Some(Position::ENTRY);
        loop {
            if let Some(block) = visit.take() {
                let (start, end) = cfg.range(Edges::Structural, block);
                nodes[block].post = Node::OPEN;
                stack.push((block, start, end));
            }
            let Some((block, next, end)) = stack.last_mut() else {
                return;
            };
            if next == end {
                postorder.push(*block);
                nodes[*block].post = postorder.len() as u32;
                stack.pop();
            } else {
                let to = cfg.target(*next);
                *next += 1;
                visit = (nodes[to].post == 0).then_some(to);
            }
        }
    }

    /// Makes a block a leaf below its immediate dominator, which is known.
    fn place(&mut self, block: Position) {
        let Some(idom) = self.parent(block) else {
            return;
        };
        let up = self.nodes[idom];
        let far = self.nodes[up.jump];
        let far_jump = self.nodes[far.jump];
        // Two equal jumps in a row are joined to one.
        let joins = up.depth - far.depth == far.depth - far_jump.depth;
        let node = &mut self.nodes[block];
        node.depth = up.depth + 1;
        node.jump = if joins { far.jump } else { idom };
    }

    /// Returns the dominator of a block at a depth; the block if it is no deeper.
    fn above(&self, block: Position, depth: u32) -> Position {
        let mut at = block;
        let mut node = self.nodes[at];
        while node.depth > depth {
            let far = self.nodes[node.jump];
            (at, node) = if far.depth >= depth {
                (node.jump, far)
            } else {
                (node.idom, self.nodes[node.idom])
            };
        }
        at
    }

    /// Returns the deepest block that dominates both.
    fn common(&self, a: Position, b: Position) -> Position {
        let depth = self.nodes[a].depth.min(self.nodes[b].depth);
        let (mut a, mut b) = (self.above(a, depth), self.above(b, depth));
        while a != b {
            // Jumps depend on the depth alone, so both sides jump equally far.
            let (up_a, up_b) = (self.nodes[a], self.nodes[b]);
            (a, b) = if up_a.jump == up_b.jump {
                (up_a.idom, up_b.idom)
            } else {
                (up_a.jump, up_b.jump)
            };
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use structurizer_testkit::generate::Rng;

    use trellis_entity::EntityRef;

    use super::{Cfg, Dominators, Position};
    use crate::verify::{BlockEnd, BlockMerge};

    /// Returns the blocks that the entry reaches without passing `without`.
    fn reached(edges: &[Vec<usize>], without: Option<usize>) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if Some(block) != without && !core::mem::replace(&mut seen[block], true) {
                stack.extend(&edges[block]);
            }
        }
        seen
    }

    #[test]
    fn agrees_with_leaving_out_each_block() {
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            let count = 1 + rng.below(30);
            let mut edges = vec![Vec::new(); count];
            for to in 1..count {
                (0..rng.below(4)).for_each(|_| edges[rng.below(to)].push(to));
            }
            for _ in 0..rng.below(6) {
                let (from, to) = (rng.below(count), 1 + rng.below(count));
                // A back edge leads to a dominator.
                if to < count && !reached(&edges, Some(to))[from] {
                    let at = rng.below(edges[from].len() + 1);
                    edges[from].insert(at, to);
                }
            }
            let mut cfg = Cfg::default();
            for targets in &edges {
                let targets = targets.iter().map(|&to| Position::new(to));
                cfg.add_block(BlockEnd::Switch, BlockMerge::None, targets);
            }
            let mut dominators = Dominators::default();
            dominators.compute(&cfg);
            let all = reached(&edges, None);
            for a in 0..count {
                assert_eq!(dominators.reached(Position::new(a)), all[a], "{edges:?}");
                let rest = reached(&edges, Some(a));
                for b in (0..count).filter(|&b| all[a] && all[b]) {
                    assert_eq!(
                        dominators.dominates(Position::new(a), Position::new(b)),
                        !rest[b],
                        "{a} over {b} in {edges:?}"
                    );
                }
            }
        }
    }
}
