//! Ancestor queries on a forest that grows at its leaves, in logarithmic time.
//!
//! Each node keeps its parent and one *jump* to a far ancestor, chosen so that two equal jumps in a
//! row are joined to one (Myers, "An applicative random-access stack", 1983). Adding a leaf takes
//! constant time.

use crate::entity::{Entity, PackedOption, PrimaryMap};

/// A forest over an index type. `None` is the root above all nodes, at depth 0.
#[derive(Clone, Debug)]
pub(crate) struct Ancestors<N: Entity> {
    nodes: PrimaryMap<N, Links<N>>,
}

#[derive(Clone, Debug)]
struct Links<N: Entity> {
    parent: PackedOption<N>,
    jump: PackedOption<N>,
    depth: u32,
}

impl<N: Entity> Default for Ancestors<N> {
    fn default() -> Self {
        Self {
            nodes: PrimaryMap::default(),
        }
    }
}

impl<N: Entity> Ancestors<N> {
    /// Returns a forest of `len` nodes, all children of the root until
    /// [`Ancestors::set_parent`] changes it.
    pub(crate) fn new(len: usize) -> Self {
        let mut forest = Self::default();
        forest.reset(len);
        forest
    }
    /// Makes it a forest of `len` nodes, as [`Ancestors::new`], in the memory that it has.
    pub(crate) fn reset(&mut self, len: usize) {
        let links = Links {
            parent: None.into(),
            jump: None.into(),
            depth: 1,
        };
        self.nodes.refill(links, len);
    }
    /// Adds a node below a parent whose position in the forest is final.
    pub(crate) fn push(&mut self, parent: PackedOption<N>) {
        let links = self.below(parent);
        self.nodes.push(links);
    }
    /// Moves a leaf below a parent whose position in the forest is final.
    pub(crate) fn set_parent(&mut self, node: N, parent: PackedOption<N>) {
        self.nodes[node] = self.below(parent);
    }
    fn below(&self, parent: PackedOption<N>) -> Links<N> {
        let far = self.jump(parent);
        let joins = parent.is_some()
            && self.depth(parent) - self.depth(far) == self.depth(far) - self.depth(self.jump(far));
        Links {
            parent,
            depth: self.depth(parent) + 1,
            jump: if joins { self.jump(far) } else { parent },
        }
    }
    /// Returns the distance from the root.
    pub(crate) fn depth(&self, node: PackedOption<N>) -> u32 {
        node.expand().map_or(0, |node| self.nodes[node].depth)
    }
    /// Returns the parent; the root's is the root.
    pub(crate) fn parent(&self, node: PackedOption<N>) -> PackedOption<N> {
        node.expand().map_or(node, |node| self.nodes[node].parent)
    }
    fn jump(&self, node: PackedOption<N>) -> PackedOption<N> {
        node.expand().map_or(node, |node| self.nodes[node].jump)
    }
    /// Returns the ancestor at a depth; the node itself if it is no deeper.
    pub(crate) fn at_depth(&self, mut node: PackedOption<N>, depth: u32) -> PackedOption<N> {
        while self.depth(node) > depth {
            let far = self.jump(node);
            node = if self.depth(far) >= depth {
                far
            } else {
                self.parent(node)
            };
        }
        node
    }
    /// Returns the deepest node above or equal to both.
    pub(crate) fn common(&self, a: PackedOption<N>, b: PackedOption<N>) -> PackedOption<N> {
        let depth = self.depth(a).min(self.depth(b));
        let (mut a, mut b) = (self.at_depth(a, depth), self.at_depth(b, depth));
        while a != b {
            // Jumps depend on the depth alone, so both sides jump equally far.
            let (far_a, far_b) = (self.jump(a), self.jump(b));
            (a, b) = if far_a == far_b {
                (self.parent(a), self.parent(b))
            } else {
                (far_a, far_b)
            };
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::Ancestors;
    use crate::entity::{EntityRef, PackedOption};
    use crate::ir::Block;
    use structurizer_testkit::generate::Rng;

    #[test]
    fn agrees_with_walking_the_parents() {
        let mut rng = Rng::new(7);
        for shape in [1, 3, 200] {
            let mut tree = Ancestors::default();
            for i in 0..200usize {
                // From one long path to a bush.
                let up = rng.below(shape.min(i + 1));
                tree.push(if i == 0 || rng.chance(1) {
                    None.into()
                } else {
                    Block::new(i - 1 - up.min(i - 1)).into()
                });
            }
            let path = |mut node: PackedOption<Block>| {
                let mut list = vec![node];
                while node.is_some() {
                    node = tree.parent(node);
                    list.push(node);
                }
                list
            };
            for _ in 0..2000 {
                let [a, b] = [(); 2].map(|()| PackedOption::from(Block::new(rng.below(200))));
                let (up_a, up_b) = (path(a), path(b));
                assert_eq!(tree.depth(a) as usize, up_a.len() - 1);
                assert_eq!(
                    Some(&tree.common(a, b)),
                    up_a.iter().find(|x| up_b.contains(x))
                );
                let depth = rng.below(up_a.len());
                assert_eq!(tree.at_depth(a, depth as u32), up_a[up_a.len() - 1 - depth]);
            }
        }
    }
}
