//! Predecessor lists in compressed form.

use alloc::vec::Vec;

use trellis_entity::{EntityRef, PrimaryMap};

/// The predecessors of each node, as ranges of one pool.
#[derive(Debug)]
pub(super) struct Predecessors<K: EntityRef> {
    /// End of the list of each node; it starts at the end of the previous node's list.
    ends: PrimaryMap<K, u32>,
    pool: Vec<K>,
}

impl<K: EntityRef> Default for Predecessors<K> {
    fn default() -> Self {
        Self {
            ends: PrimaryMap::new(),
            pool: Vec::new(),
        }
    }
}

impl<K: EntityRef> Predecessors<K> {
    /// Sorts the edges (source and target) of a graph with `count` nodes by target. Edges to one
    /// node keep their order. Linear: the edges are walked twice.
    pub(super) fn fill(&mut self, count: usize, edges: impl Iterator<Item = (K, K)> + Clone) {
        let Self { ends, pool } = self;
        ends.refill(0, count);
        let mut total = 0;
        edges.clone().for_each(|(_, to)| {
            ends[to] += 1;
            total += 1;
        });
        let mut next = 0;
        for end in ends.values_mut() {
            next += core::mem::replace(end, next);
        }
        // Each end is now a start, and moves to the end as the list is filled.
        pool.clear();
        pool.resize(total, K::new(0));
        edges.for_each(|(from, to)| {
            let end = &mut ends[to];
            pool[*end as usize] = from;
            *end += 1;
        });
    }

    /// Returns the predecessors of a node, one for each edge.
    pub(super) fn of(&self, node: K) -> &[K] {
        let start = match node.index().checked_sub(1) {
            Some(before) => self.ends[K::new(before)],
            None => 0,
        };
        &self.pool[start as usize..self.ends[node] as usize]
    }
}
