//! Ancestor queries on a tree that grows at its leaves, in logarithmic time: each node keeps its
//! parent and one *jump* to a far ancestor, chosen so that two equal jumps in a row are joined to
//! one (Myers, "An applicative random-access stack", 1983).

use super::NONE;

/// A forest whose nodes are named by the client; [`NONE`] is the root above all of them, at depth
/// 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ancestors {
    parent: Vec<u32>,
    jump: Vec<u32>,
    depth: Vec<u32>,
}

impl Ancestors {
    /// Room for nodes `0..len`, all children of the root until [`Ancestors::set_parent`] says
    /// otherwise.
    pub(crate) fn new(len: usize) -> Self {
        Self {
            parent: vec![NONE; len],
            jump: vec![NONE; len],
            depth: vec![1; len],
        }
    }
    /// Adds one more node below a parent that has its final place already.
    pub(crate) fn push(&mut self, parent: u32) {
        self.parent.push(NONE);
        self.jump.push(NONE);
        self.depth.push(1);
        self.set_parent(self.parent.len() as u32 - 1, parent);
    }
    /// Puts a leaf below a parent that has its final place already.
    pub(crate) fn set_parent(&mut self, node: u32, parent: u32) {
        let far = self.jump(parent);
        let joins = parent != NONE
            && self.depth(parent) - self.depth(far) == self.depth(far) - self.depth(self.jump(far));
        self.parent[node as usize] = parent;
        self.depth[node as usize] = self.depth(parent) + 1;
        self.jump[node as usize] = if joins { self.jump(far) } else { parent };
    }
    /// Distance from the root.
    pub(crate) fn depth(&self, node: u32) -> u32 {
        if node == NONE {
            0
        } else {
            self.depth[node as usize]
        }
    }
    /// The parent; the root's is the root.
    pub(crate) fn parent(&self, node: u32) -> u32 {
        if node == NONE {
            NONE
        } else {
            self.parent[node as usize]
        }
    }
    fn jump(&self, node: u32) -> u32 {
        if node == NONE {
            NONE
        } else {
            self.jump[node as usize]
        }
    }
    /// The ancestor at a depth; the node itself if it is no deeper.
    pub(crate) fn at_depth(&self, mut node: u32, depth: u32) -> u32 {
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
    /// The deepest node above or equal to both.
    pub(crate) fn common(&self, a: u32, b: u32) -> u32 {
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
    use super::{Ancestors, NONE};
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
                    NONE
                } else {
                    (i - 1 - up.min(i - 1)) as u32
                });
            }
            let path = |mut node: u32| {
                let mut list = vec![node];
                while node != NONE {
                    node = tree.parent(node);
                    list.push(node);
                }
                list
            };
            for _ in 0..2000 {
                let (a, b) = (rng.below(200) as u32, rng.below(200) as u32);
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
