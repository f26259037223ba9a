//! A plain directed graph in compressed form.

use crate::entity::{Adjacency, Entity, EntityVec, PackedOption};
use crate::ir::{Block, Function};

/// A directed graph: successor and predecessor lists of each node.
#[derive(Clone, Debug)]
pub(crate) struct Cfg<N: Entity> {
    succs: Adjacency<N, N>,
    preds: Adjacency<N, N>,
}

impl<N: Entity> Default for Cfg<N> {
    fn default() -> Self {
        Self {
            succs: Adjacency::default(),
            preds: Adjacency::default(),
        }
    }
}

impl<N: Entity> Cfg<N> {
    /// Returns the graph with these successor lists.
    pub(crate) fn new(succs: Adjacency<N, N>) -> Self {
        Self {
            preds: succs.transposed(succs.len()),
            succs,
        }
    }
    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.succs.len()
    }
    /// Returns the nodes in order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = N> + use<N> {
        (0..self.len()).map(N::new)
    }
    /// Returns the successors of a node in edge order.
    pub(crate) fn succs(&self, node: N) -> &[N] {
        &self.succs[node]
    }
    /// Returns the predecessors of a node in the order of their indices.
    pub(crate) fn preds(&self, node: N) -> &[N] {
        &self.preds[node]
    }
}

impl Cfg<Block> {
    /// Returns the graph of a function's blocks, with one edge for each distinct successor.
    pub(crate) fn of(func: &Function) -> Self {
        let n = func.num_blocks();
        let mut succs = Adjacency::with_capacity(n, n * 2);
        let mut seen_from: EntityVec<Block, PackedOption<Block>> = EntityVec::new(n);
        for from in func.blocks() {
            for to in func.successors(from) {
                if core::mem::replace(&mut seen_from[to], from.into()) != from.into() {
                    succs.push(to);
                }
            }
            succs.end_list();
        }
        Self::new(succs)
    }
}
