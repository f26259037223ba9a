//! Lists of a function's blocks and values.

use alloc::vec;
use alloc::vec::Vec;

use trellis_entity::{Adjacency, EntityRef};
use trellis_structurizer::ir::{Block, Function};

/// Groups pairs by their index. Pairs whose index is not below `len` are omitted.
pub(crate) fn group<K: EntityRef, V: Copy>(len: usize, pairs: &[(K, V)]) -> Adjacency<K, V> {
    Adjacency::group(len, || {
        pairs.iter().copied().filter(|pair| pair.0.index() < len)
    })
}

/// Returns the edges of a function, each once, in the order of the blocks that they come from.
pub(crate) fn edges(func: &Function) -> Vec<(Block, Block)> {
    let mut edges = Vec::new();
    let mut seen_from = vec![None; func.num_blocks()];
    for from in func.blocks() {
        for to in func.successors(from).filter(|&to| func.has_block(to)) {
            if seen_from[to.index()].replace(from) != Some(from) {
                edges.push((from, to));
            }
        }
    }
    edges
}

/// Returns the distinct successors of each block.
pub(crate) fn successors(func: &Function) -> Adjacency<Block, Block> {
    group(func.num_blocks(), &edges(func))
}

/// Returns the distinct predecessors of each block.
pub(crate) fn predecessors(func: &Function) -> Adjacency<Block, Block> {
    let edges = edges(func);
    Adjacency::group(func.num_blocks(), || {
        edges.iter().map(|&(from, to)| (to, from))
    })
}
