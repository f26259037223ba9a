//! Convergence regions of random functions.

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Function};

use super::Rng;
use super::dominators::Dominators;

/// Puts `percent` percent of the blocks that a loop header dominates into the convergence region of
/// such a loop, some of them into the region of a loop that they are in anyway.
pub fn mark_regions(func: &mut Function, rng: &mut Rng, percent: u32) {
    let successors = func.blocks().map(|block| func.successors(block));
    let successors: Vec<Vec<usize>> = successors
        .map(|list| list.map(EntityRef::index).collect())
        .collect();
    if successors.is_empty() {
        return;
    }
    let dominators = Dominators::new(&successors);
    // A block, its immediate dominator, and so on.
    let above = |block: usize| std::iter::successors(Some(block), |&at| dominators.parent[at]);
    let mut is_header = vec![false; successors.len()];
    for &from in &dominators.preorder {
        for &to in &successors[from] {
            is_header[to] |= above(from).any(|at| at == to);
        }
    }
    for &block in &dominators.preorder {
        let headers: Vec<usize> = above(block).filter(|&at| is_header[at]).collect();
        if !headers.is_empty() && rng.chance(percent) {
            let header = headers[rng.below(headers.len())];
            func.set_convergence_region(Block::new(block), Some(Block::new(header)));
        }
    }
}
