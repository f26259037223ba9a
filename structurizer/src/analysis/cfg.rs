//! A plain directed graph in compressed form.

use crate::entity::{Adjacency, Entity, PackedOption, PrimaryMap};
use crate::ir::{Block, Function, Terminator};

/// A directed graph: successor and predecessor lists of each node.
#[derive(Clone, Debug)]
pub(crate) struct Cfg<N: Entity> {
    succs: Adjacency<N, N>,
    preds: Adjacency<N, N>,
    /// The node from which an edge to each node was seen last, while the graph is made.
    seen_from: PrimaryMap<N, PackedOption<N>>,
}

impl<N: Entity> Default for Cfg<N> {
    fn default() -> Self {
        Self {
            succs: Adjacency::default(),
            preds: Adjacency::default(),
            seen_from: PrimaryMap::default(),
        }
    }
}

impl<N: Entity> Cfg<N> {
    /// Returns the graph with these successor lists.
    pub(crate) fn new(succs: Adjacency<N, N>) -> Self {
        let mut cfg = Self {
            succs,
            ..Self::default()
        };
        cfg.find_predecessors();
        cfg
    }
    /// Makes it the graph with the successor lists that `add` adds.
    pub(crate) fn compute(&mut self, add: impl FnOnce(&mut Adjacency<N, N>)) {
        self.succs.clear();
        add(&mut self.succs);
        self.find_predecessors();
    }
    fn find_predecessors(&mut self) {
        self.preds.transpose(&self.succs, self.succs.len());
    }
    /// Replaces each successor, and no predecessor.
    pub(crate) fn retarget(&mut self, lead: impl Fn(N) -> N) {
        for to in self.succs.items_mut() {
            *to = lead(*to);
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
        let mut cfg = Self::default();
        cfg.compute_of(func);
        cfg.seen_from = PrimaryMap::default();
        cfg
    }
    /// Makes it the graph of a function's blocks, as [`Cfg::of`].
    pub(crate) fn compute_of(&mut self, func: &Function) {
        self.succs.clear();
        self.succs.reserve(func.num_blocks());
        self.seen_from.clear();
        for from in func.blocks() {
            let mut all = func.successors(from);
            if matches!(func.terminator(from), Some(Terminator::Switch { .. })) {
                self.seen_from.resize(func.num_blocks(), None.into());
                all.for_each(|to| {
                    let seen = &mut self.seen_from[to];
                    if core::mem::replace(seen, from.into()) != from.into() {
                        self.succs.push(to);
                    }
                });
            } else if let Some(first) = all.next() {
                self.succs.push(first);
                self.succs.extend(all.next().filter(|&to| to != first));
            }
            self.succs.end_list();
        }
        self.find_predecessors();
    }
}
