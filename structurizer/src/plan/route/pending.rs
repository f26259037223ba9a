//! Edges that are pending at merge blocks: the reasons of selectors, for remarks.

use crate::entity::EntityRef;
use crate::ir::Block;
use crate::passes::{Graph, Node};
use crate::plan::positions::Position;
use crate::plan::route::targets::Targets;

/// The most edges recorded per merge block.
const MAX_PENDING: usize = 1 << 10;
/// The most edges that a remark names.
const MAX_NAMED: usize = 16;

/// An edge of the graph.
pub(super) type NodeEdge = (Node, Node);

/// The edges that are pending at each block, with their targets; nothing if no remarks are written.
pub(super) struct PendingEdges(Option<Vec<Vec<(NodeEdge, Position)>>>);

impl PendingEdges {
    pub(super) fn new(wanted: bool) -> Self {
        Self(wanted.then(Vec::new))
    }

    fn at(&mut self, block: Block) -> Option<&mut Vec<(NodeEdge, Position)>> {
        let lists = self.0.as_mut()?;
        if lists.len() <= block.index() {
            lists.resize_with(block.index() + 1, Vec::new);
        }
        lists.get_mut(block.index())
    }
    /// Adds an edge that arrives at a block.
    pub(super) fn add(&mut self, at: Block, edge: NodeEdge, target: Position) {
        if let Some(list) = self.at(at).filter(|list| list.len() < MAX_PENDING) {
            list.push((edge, target));
        }
    }
    /// Moves the edges with some targets from one block to another one.
    pub(super) fn forward(&mut self, from: Block, to: Block, targets: &Targets) {
        let Some(list) = self.at(from) else { return };
        let (moved, left) = std::mem::take(list)
            .into_iter()
            .partition(|&(_, target)| targets.contains(target));
        *list = left;
        let moved: Vec<(NodeEdge, Position)> = moved;
        for (edge, target) in moved {
            self.add(to, edge, target);
        }
    }
    /// Moves all edges from one block to another one.
    pub(super) fn move_all(&mut self, from: Block, to: Block) {
        let list = self.at(from).map(std::mem::take);
        if let (Some(list), Some(at)) = (list, self.at(to)) {
            *at = list;
        }
    }
    /// Gives what is pending at a block for one target another target.
    pub(super) fn retarget(&mut self, at: Block, old: Position, new: Position) {
        let list = self.at(at).into_iter().flatten();
        list.filter(|e| e.1 == old).for_each(|e| e.1 = new);
    }
    /// Returns the edges that are pending at a block, by the names of their nodes.
    pub(super) fn named(&mut self, graph: &Graph, at: Block) -> Vec<(Block, Block)> {
        let list = self.at(at).map(|list| {
            let edges = list.iter().map(|e| e.0);
            edges.collect::<Vec<NodeEdge>>()
        });
        list.map_or_else(Vec::new, |list| named(graph, &list))
    }
}

/// Returns the names of the nodes of some edges, at most as many as a remark names.
pub(super) fn named(graph: &Graph, edges: &[NodeEdge]) -> Vec<(Block, Block)> {
    let mut named = Vec::new();
    for &(from, to) in edges {
        let edge = (graph.name(from), graph.name(to));
        if !named.contains(&edge) {
            named.push(edge);
        }
        if named.len() == MAX_NAMED {
            break;
        }
    }
    named
}
