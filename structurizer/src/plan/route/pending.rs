//! Edges that are pending at merge blocks: the reasons of selectors, for remarks.

use alloc::collections::{BTreeMap, btree_map};
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::entity::{PackedOption, PrimaryMap, entity_impl};
use crate::ir::Block;
use crate::passes::{Graph, Node};
use crate::plan::positions::Position;
use crate::plan::route::slots::Slots;
use crate::plan::route::targets::Targets;

/// The most edges that a remark names.
const MAX_NAMED: usize = 16;
/// The most edges that are looked at for a remark: inserted nodes may have one name.
const MAX_LOOKED_AT: usize = 4 * MAX_NAMED;

/// An edge of the graph.
pub(super) type NodeEdge = (Node, Node);

/// The edges that are pending at each block, by their targets; nothing if no remarks are written.
/// Lists are moved, split and united like [`Targets`], and never copied.
pub(super) struct PendingEdges {
    lists: Lists,
    wanted: bool,
}

/// The lists of pending edges.
#[derive(Default)]
pub(super) struct Lists {
    at: Slots<ByTarget>,
    /// All edges in the order in which they were routed, each with the next one of its list.
    edges: PrimaryMap<Pending, (NodeEdge, PackedOption<Pending>)>,
}

/// An edge that is pending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pending(u32);
entity_impl!(Pending, "pending");

/// The first and the last edge of a list.
#[derive(Clone, Copy)]
struct List {
    first: Pending,
    last: Pending,
}

/// The most targets that a block's lists are kept for without a tree.
const FEW: usize = 6;

/// Lists by their targets. Nearly all blocks have two at most, which need no allocation.
enum ByTarget {
    /// In order.
    Few(SmallVec<[(Position, List); 2]>),
    Many(BTreeMap<Position, List>),
}

impl Default for ByTarget {
    fn default() -> Self {
        Self::Few(SmallVec::new())
    }
}

impl ByTarget {
    fn len(&self) -> usize {
        match self {
            Self::Few(few) => few.len(),
            Self::Many(many) => many.len(),
        }
    }
    /// Gives a target a list if it has none; else changes the end of its list, and returns the old
    /// one.
    fn add(&mut self, target: Position, list: List) -> Option<Pending> {
        if let Self::Few(few) = self {
            match few.binary_search_by_key(&target, |entry| entry.0) {
                Ok(i) => return Some(core::mem::replace(&mut few[i].1.last, list.last)),
                Err(i) if few.len() < FEW => {
                    few.insert(i, (target, list));
                    return None;
                }
                Err(_) => *self = Self::Many(few.drain(..).collect()),
            }
        }
        let Self::Many(many) = self else {
            return None;
        };
        match many.entry(target) {
            btree_map::Entry::Occupied(mut own) => {
                Some(core::mem::replace(&mut own.get_mut().last, list.last))
            }
            btree_map::Entry::Vacant(entry) => {
                entry.insert(list);
                None
            }
        }
    }
    fn remove(&mut self, target: Position) -> Option<List> {
        match self {
            Self::Few(few) => {
                let i = few.binary_search_by_key(&target, |entry| entry.0).ok()?;
                Some(few.remove(i).1)
            }
            Self::Many(many) => many.remove(&target),
        }
    }
    /// Removes and returns the lists of a target and of later ones.
    fn split_off(&mut self, target: Position) -> Self {
        match self {
            Self::Few(few) => {
                let from = few.partition_point(|entry| entry.0 < target);
                Self::Few(few.drain(from..).collect())
            }
            Self::Many(many) => Self::Many(many.split_off(&target)),
        }
    }
    fn for_each(&self, mut what: impl FnMut(Position, List)) {
        match self {
            Self::Few(few) => few.iter().for_each(|&(target, list)| what(target, list)),
            Self::Many(many) => many.iter().for_each(|(&target, &list)| what(target, list)),
        }
    }
}

impl Lists {
    fn clear(&mut self) {
        self.at.clear();
        self.edges.clear();
    }
    /// Adds a list to the pending edges of a block.
    fn add(&mut self, block: Block, target: Position, list: List) {
        if let Some(last) = self.at.get_mut(block).add(target, list) {
            self.edges[last].1 = list.first.into();
        }
    }
    /// Removes the list of a target from the pending edges of a block, and the block's slot with
    /// its last list.
    fn remove(&mut self, block: Block, target: Position) -> Option<List> {
        self.at.get(block)?;
        let own = self.at.get_mut(block);
        let list = own.remove(target);
        if own.len() == 0 {
            self.at.take(block);
        }
        list
    }
    /// Adds lists to the pending edges of a block: merges the smaller set into the larger one.
    fn unite(&mut self, block: Block, mut other: ByTarget) {
        if other.len() == 0 {
            return;
        }
        let own = self.at.get_mut(block);
        if own.len() < other.len() {
            core::mem::swap(own, &mut other);
        }
        other.for_each(|target, list| self.add(block, target, list));
    }
}

impl PendingEdges {
    /// Returns the edges of a walk that begins, in the memory of the previous one, with room for
    /// the edges at `blocks` blocks.
    pub(super) fn new(wanted: bool, blocks: usize, mut lists: Lists) -> Self {
        lists.clear();
        if wanted {
            lists.at.reserve(blocks);
        }
        Self { lists, wanted }
    }
    /// Returns the memory for the next walk.
    pub(super) fn into_lists(self) -> Lists {
        self.lists
    }
    fn wanted(&mut self) -> Option<&mut Lists> {
        self.wanted.then_some(&mut self.lists)
    }
    /// Adds an edge that arrives at a block.
    pub(super) fn add(&mut self, at: Block, edge: NodeEdge, target: Position) {
        if let Some(lists) = self.wanted() {
            let first = lists.edges.push((edge, None.into()));
            lists.add(at, target, List { first, last: first });
        }
    }
    /// Forgets the edges with a target that control continues with.
    pub(super) fn arrive(&mut self, at: Block, target: Position) {
        if let Some(lists) = self.wanted() {
            lists.remove(at, target);
        }
    }
    /// Moves the edges with some targets from one block to another one: all that are pending
    /// between the lowest and the highest of these.
    pub(super) fn forward(&mut self, from: Block, to: Block, targets: &Targets) {
        let (Some(lists), Some(min), Some(max)) = (self.wanted(), targets.min(), targets.max())
        else {
            return;
        };
        let mut below = lists.at.take(from);
        let mut moved = below.split_off(min);
        let above = moved.split_off(max.next());
        lists.unite(from, below);
        lists.unite(from, above);
        lists.unite(to, moved);
    }
    /// Moves all edges from one block to another one.
    pub(super) fn move_all(&mut self, from: Block, to: Block) {
        if let Some(lists) = self.wanted() {
            let list = lists.at.take(from);
            lists.unite(to, list);
        }
    }
    /// Changes the target of edges that are pending at a block.
    pub(super) fn retarget(&mut self, at: Block, old: Position, new: Position) {
        if let Some(lists) = self.wanted()
            && let Some(list) = lists.remove(at, old)
        {
            lists.add(at, new, list);
        }
    }
    /// Returns the edges that are pending at a block, by the names of their nodes, at most
    /// [`MAX_NAMED`]: distributed over the targets, in the order in which they were routed.
    pub(super) fn named(&mut self, graph: &Graph, at: Block) -> Vec<(Block, Block)> {
        let Some(lists) = self.wanted() else {
            return Vec::new();
        };
        let mut next: SmallVec<[Pending; MAX_LOOKED_AT]> = SmallVec::new();
        let Some(pending) = lists.at.get(at) else {
            return Vec::new();
        };
        pending.for_each(|_, list| {
            if next.len() < MAX_LOOKED_AT {
                next.push(list.first);
            }
        });
        let mut looked_at: SmallVec<[Pending; MAX_LOOKED_AT]> = SmallVec::new();
        while !next.is_empty() && looked_at.len() < MAX_LOOKED_AT {
            let room = MAX_LOOKED_AT - looked_at.len();
            looked_at.extend(next.iter().copied().take(room));
            let following = |&i: &Pending| lists.edges[i].1.expand();
            next = next.iter().filter_map(following).collect();
        }
        let mut chosen: SmallVec<[(Pending, (Block, Block)); MAX_NAMED]> = SmallVec::new();
        for i in looked_at {
            let (from, to) = lists.edges[i].0;
            let name = (graph.name(from), graph.name(to));
            if chosen.iter().all(|c| c.1 != name) {
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

/// Returns the names of the nodes of some edges, at most [`MAX_NAMED`].
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
