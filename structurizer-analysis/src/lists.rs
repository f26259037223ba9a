//! One list per index, all in one vector.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Function};

/// A list of values for each index of a type, in compressed form.
#[derive(Clone, Debug)]
pub(crate) struct Lists<K, V> {
    /// Start of the list of each index, followed by the end of the last list.
    start: Vec<usize>,
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: EntityRef, V: Copy> Lists<K, V> {
    /// Groups pairs by their index, by counting: the pairs of one index keep their order. Pairs
    /// whose index is not below `len` are omitted.
    pub(crate) fn group(len: usize, pairs: &[(K, V)]) -> Self {
        // While pairs are put in place, the start of the list of `k` is at `k + 1`.
        let mut start = vec![0; len + 2];
        for (key, _) in pairs {
            if let Some(count) = start.get_mut(key.index() + 2) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut start {
            sum += *count;
            *count = sum;
        }
        let mut items: Vec<V> = pairs.iter().map(|pair| pair.1).collect();
        items.truncate(sum);
        for &(key, value) in pairs {
            if key.index() < len {
                let at = &mut start[key.index() + 1];
                items[*at] = value;
                *at += 1;
            }
        }
        start.pop();
        Self {
            start,
            items,
            key: PhantomData,
        }
    }

    /// Returns all lists, one after the other.
    pub(crate) fn all(&self) -> &[V] {
        &self.items
    }

    /// Returns the list of an index; empty if there is no such index.
    pub(crate) fn get(&self, key: K) -> &[V] {
        let Some(&[start, end]) = self.start.get(key.index()..key.index() + 2) else {
            return &[];
        };
        &self.items[start..end]
    }
}

/// Returns the edges of a function, each once, in the order of the blocks that they come from.
fn edges(func: &Function) -> Vec<(Block, Block)> {
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
pub(crate) fn successors(func: &Function) -> Lists<Block, Block> {
    Lists::group(func.num_blocks(), &edges(func))
}

/// Returns the distinct predecessors of each block.
pub(crate) fn predecessors(func: &Function) -> Lists<Block, Block> {
    let mut edges = edges(func);
    for (from, to) in &mut edges {
        core::mem::swap(from, to);
    }
    Lists::group(func.num_blocks(), &edges)
}
