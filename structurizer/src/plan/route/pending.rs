//! Edges that are pending at merge blocks: the reasons of selectors, for remarks.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::entity::{EntityRef, EntityVec};
use crate::ir::Block;
use crate::passes::{Graph, Node};
use crate::plan::positions::Position;
use crate::plan::route::targets::Targets;

/// The most edges that a remark names.
const MAX_NAMED: usize = 16;
/// The most edges that are looked at for a remark: inserted nodes may have one name.
const MAX_LOOKED_AT: usize = 4 * MAX_NAMED;

/// An edge of the graph.
pub(super) type NodeEdge = (Node, Node);

/// The edges that are pending at each block, by their targets; nothing if no remarks are written.
/// Lists are moved, split and united like [`Targets`], and never copied.
pub(super) struct PendingEdges(Option<Lists>);

#[derive(Default)]
struct Lists {
    at: EntityVec<Block, BTreeMap<Position, List>>,
    /// All edges in the order in which they were routed, each with the next one of its list.
    edges: Vec<(NodeEdge, Option<usize>)>,
}

/// The first and the last edge of a list.
#[derive(Clone, Copy)]
struct List {
    first: usize,
    last: usize,
}

impl Lists {
    fn at(&mut self, block: Block) -> &mut BTreeMap<Position, List> {
        while self.at.len() <= block.index() {
            self.at.push(BTreeMap::new());
        }
        &mut self.at[block]
    }
    /// Adds a list to what is pending at a block.
    fn add(&mut self, block: Block, target: Position, list: List) {
        let own = self.at(block).entry(target);
        let mut before = None;
        own.and_modify(|own| before = Some(core::mem::replace(&mut own.last, list.last)))
            .or_insert(list);
        if let Some(last) = before
            && let Some(edge) = self.edges.get_mut(last)
        {
            edge.1 = Some(list.first);
        }
    }
    /// Adds lists to what is pending at a block: the fewer to the more.
    fn unite(&mut self, block: Block, mut other: BTreeMap<Position, List>) {
        let own = self.at(block);
        if own.len() < other.len() {
            core::mem::swap(own, &mut other);
        }
        for (target, list) in other {
            self.add(block, target, list);
        }
    }
}

impl PendingEdges {
    pub(super) fn new(wanted: bool) -> Self {
        Self(wanted.then(Lists::default))
    }
    /// Adds an edge that arrives at a block.
    pub(super) fn add(&mut self, at: Block, edge: NodeEdge, target: Position) {
        if let Some(lists) = &mut self.0 {
            let first = lists.edges.len();
            lists.edges.push((edge, None));
            lists.add(at, target, List { first, last: first });
        }
    }
    /// Forgets the edges with a target that control continues with.
    pub(super) fn arrive(&mut self, at: Block, target: Position) {
        if let Some(lists) = &mut self.0 {
            lists.at(at).remove(&target);
        }
    }
    /// Moves the edges with some targets from one block to another one: all that are pending
    /// between the lowest and the highest of these.
    pub(super) fn forward(&mut self, from: Block, to: Block, targets: &Targets) {
        let (Some(lists), Some(min), Some(max)) = (&mut self.0, targets.min(), targets.max())
        else {
            return;
        };
        let below = lists.at(from);
        let mut moved = below.split_off(&min);
        let above = moved.split_off(&max.next());
        if below.is_empty() {
            *below = above;
        } else {
            lists.unite(from, above);
        }
        lists.unite(to, moved);
    }
    /// Moves all edges from one block to another one.
    pub(super) fn move_all(&mut self, from: Block, to: Block) {
        if let Some(lists) = &mut self.0 {
            let list = core::mem::take(lists.at(from));
            lists.unite(to, list);
        }
    }
    /// Gives what is pending at a block for one target another target.
    pub(super) fn retarget(&mut self, at: Block, old: Position, new: Position) {
        if let Some(lists) = &mut self.0
            && let Some(list) = lists.at(at).remove(&old)
        {
            lists.add(at, new, list);
        }
    }
    /// Returns the edges that are pending at a block, by the names of their nodes: as many for each
    /// target, in the order in which they were routed.
    pub(super) fn named(&mut self, graph: &Graph, at: Block) -> Vec<(Block, Block)> {
        let Some(lists) = &mut self.0 else {
            return Vec::new();
        };
        let firsts = lists.at(at).values().map(|list| list.first);
        let mut next: Vec<usize> = firsts.take(MAX_LOOKED_AT).collect();
        let mut looked_at = Vec::new();
        while !next.is_empty() && looked_at.len() < MAX_LOOKED_AT {
            looked_at.extend(&next);
            next = next.iter().filter_map(|&i| lists.edges.get(i)?.1).collect();
        }
        looked_at.truncate(MAX_LOOKED_AT);
        let edge = |i: usize| lists.edges.get(i).map(|e| e.0);
        let mut chosen: Vec<(usize, (Block, Block))> = Vec::new();
        for i in looked_at {
            let name = edge(i).map(|(from, to)| (graph.name(from), graph.name(to)));
            if let Some(name) = name.filter(|name| chosen.iter().all(|c| c.1 != *name)) {
                chosen.push((i, name));
            }
            if chosen.len() == MAX_NAMED {
                break;
            }
        }
        chosen.sort_unstable();
        chosen.into_iter().map(|(_, name)| name).collect()
    }
}

/// Returns the names of the nodes of some edges, at most as many as a remark names.
pub(super) fn named(graph: &Graph, edges: &[NodeEdge]) -> Vec<(Block, Block)> {
    let mut named = Vec::new();
    for &(from, to) in edges.iter().take(MAX_LOOKED_AT) {
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
