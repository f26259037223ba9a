//! Dominators by semidominators (Georgiadis, "Linear-Time Algorithms for Dominators and Related
//! Problems", 2005: SEMI-NCA). The generators have their own so that a fault in the structurizer's
//! dominators cannot hide in its inputs.

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
    /// Computes the tree of a graph with at least one block.
    pub(super) fn new(successors: &[Vec<usize>]) -> Self {
        let count = successors.len();
        let mut preorder = vec![0];
        let mut reached = vec![false; count];
        reached[0] = true;
        let mut search = Search {
            number: vec![0; count],
            parent: vec![0],
        };
        let mut stack = vec![(0, successors[0].iter())];
        while let Some((block, rest)) = stack.last_mut() {
            match rest.next() {
                Some(&to) if reached[to] => {}
                Some(&to) => {
                    reached[to] = true;
                    search.number[to] = preorder.len();
                    search.parent.push(search.number[*block]);
                    preorder.push(to);
                    stack.push((to, successors[to].iter()));
                }
                None => {
                    stack.pop();
                }
            }
        }
        Dominators {
            parent: parents(successors, &preorder, &search),
            preorder,
            reached,
        }
    }

    /// Returns whether the entry reaches the block.
    pub(super) fn reached(&self, block: usize) -> bool {
        self.reached[block]
    }
}

/// The blocks by their numbers in preorder.
struct Search {
    number: Vec<usize>,
    /// The number of the block that each was reached from.
    parent: Vec<usize>,
}

/// Returns the immediate dominators of the reached blocks.
fn parents(successors: &[Vec<usize>], preorder: &[usize], search: &Search) -> Vec<Option<usize>> {
    let mut predecessors = vec![Vec::new(); preorder.len()];
    for (from, &block) in preorder.iter().enumerate() {
        for &to in &successors[block] {
            predecessors[search.number[to]].push(from);
        }
    }
    let mut forest = Forest::new(preorder.len());
    let mut semi: Vec<usize> = (0..preorder.len()).collect();
    for w in (1..preorder.len()).rev() {
        for &pred in &predecessors[w] {
            semi[w] = semi[w].min(forest.least(pred, &semi));
        }
        forest.ancestor[w] = Some(search.parent[w]);
        forest.label[w] = semi[w];
    }
    let mut parent = vec![None; successors.len()];
    let mut of_number = search.parent.clone();
    for w in 1..preorder.len() {
        while of_number[w] > semi[w] {
            of_number[w] = of_number[of_number[w]];
        }
        parent[preorder[w]] = Some(preorder[of_number[w]]);
    }
    parent
}

/// The tree of the search, as far as its blocks have been visited from the last one on.
struct Forest {
    ancestor: Vec<Option<usize>>,
    /// The least semidominator between a block and the ancestor.
    label: Vec<usize>,
    path: Vec<usize>,
}

impl Forest {
    fn new(count: usize) -> Self {
        Self {
            ancestor: vec![None; count],
            label: (0..count).collect(),
            path: Vec::new(),
        }
    }

    /// Returns the least semidominator on the way up from a block to the root of its tree, or the block
    /// itself if it is a root. The way is shorter the next time.
    fn least(&mut self, block: usize, semi: &[usize]) -> usize {
        let mut at = block;
        while let Some(above) = self.ancestor[at] {
            self.path.push(at);
            at = above;
        }
        let (root, mut least) = (at, usize::MAX);
        while let Some(at) = self.path.pop() {
            least = least.min(self.label[at]);
            self.label[at] = least;
            // The root itself has no semidominator yet.
            self.ancestor[at] = Some(root);
        }
        if block == root { semi[root] } else { least }
    }
}

#[cfg(test)]
mod tests {
    use super::Dominators;
    use crate::generate::Rng;

    /// The nearest block above others by the definition: a block dominates those that the entry does
    /// not reach without it.
    fn by_definition(successors: &[Vec<usize>], block: usize) -> Option<usize> {
        let reached_without = |removed: usize| {
            let mut reached = vec![false; successors.len()];
            let mut stack = vec![0];
            while let Some(at) = stack.pop() {
                if at != removed && !std::mem::replace(&mut reached[at], true) {
                    stack.extend(&successors[at]);
                }
            }
            reached
        };
        let above: Vec<usize> = (0..successors.len())
            .filter(|&other| other != block && !reached_without(other)[block])
            .collect();
        // The nearest one is dominated by all the others.
        let is_nearest = |&at: &usize| {
            let without = |other: usize| other == at || !reached_without(other)[at];
            above.iter().all(|&other| without(other))
        };
        above.iter().copied().find(is_nearest)
    }

    #[test]
    fn dominators_are_those_of_the_definition() {
        for seed in 0..300 {
            let mut random = Rng::new(seed);
            let count = 1 + random.below(12);
            let successors: Vec<Vec<usize>> = (0..count)
                .map(|_| {
                    let edges = random.below(4);
                    (0..edges).map(|_| random.below(count)).collect()
                })
                .collect();
            let dominators = Dominators::new(&successors);
            for block in 0..count {
                let expected = dominators
                    .reached(block)
                    .then(|| by_definition(&successors, block));
                assert_eq!(
                    dominators.parent[block],
                    expected.flatten(),
                    "seed {seed}, block {block} of {successors:?}"
                );
            }
        }
    }
}
