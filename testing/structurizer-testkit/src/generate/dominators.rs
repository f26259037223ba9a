//! Dominators by iteration over the blocks in reverse post-order (Cooper, Harvey and Kennedy, "A
//! Simple, Fast Dominance Algorithm", 2001). The generators have their own so that a fault in the
//! structurizer's dominators cannot hide in its inputs.

/// The dominator tree of the blocks that the entry (block 0) reaches.
#[derive(Debug)]
pub(super) struct Dominators {
    /// The reached blocks in depth-first preorder, the first successor first.
    pub(super) preorder: Vec<usize>,
    /// The immediate dominator of each block; `None` for the entry and for unreached blocks.
    pub(super) parent: Vec<Option<usize>>,
    reached: Vec<bool>,
}

impl Dominators {
    /// Computes the tree of a graph with at least one block. Quadratic in the worst case.
    pub(super) fn new(successors: &[Vec<usize>]) -> Self {
        let count = successors.len();
        let (mut preorder, mut postorder) = (vec![0], Vec::with_capacity(count));
        let mut reached = vec![false; count];
        reached[0] = true;
        let mut stack = vec![(0, successors[0].iter())];
        while let Some((block, rest)) = stack.last_mut() {
            match rest.next() {
                Some(&to) if reached[to] => {}
                Some(&to) => {
                    reached[to] = true;
                    preorder.push(to);
                    stack.push((to, successors[to].iter()));
                }
                None => {
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        Dominators {
            parent: parents(successors, &postorder),
            preorder,
            reached,
        }
    }

    /// Returns whether the entry reaches the block.
    pub(super) fn reached(&self, block: usize) -> bool {
        self.reached[block]
    }
}

/// Returns the immediate dominators, from the reached blocks in postorder.
fn parents(successors: &[Vec<usize>], postorder: &[usize]) -> Vec<Option<usize>> {
    let mut number = vec![0; successors.len()];
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (index, &block) in postorder.iter().enumerate() {
        number[block] = index;
        for &to in &successors[block] {
            predecessors[to].push(block);
        }
    }
    let mut parent: Vec<Option<usize>> = vec![None; successors.len()];
    // The nearest block above both, by the parents found so far.
    let common = |parent: &[Option<usize>], mut a: usize, mut b: usize| {
        while a != b {
            let lower = if number[a] < number[b] {
                &mut a
            } else {
                &mut b
            };
            // The entry has the highest number, so the lower one has a parent.
            *lower = parent[*lower].unwrap_or(0);
        }
        a
    };
    loop {
        let mut changed = false;
        for &block in postorder.iter().rev().filter(|&&block| block != 0) {
            let known = predecessors[block]
                .iter()
                .copied()
                .filter(|&pred| pred == 0 || parent[pred].is_some());
            let new = known.reduce(|a, b| common(&parent, a, b));
            changed |= new != parent[block];
            parent[block] = new;
        }
        if !changed {
            return parent;
        }
    }
}
