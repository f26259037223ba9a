//! Graphs of few nodes, as bit sets: all of them up to isomorphism, and those with joined branches.
//!
//! `if (a && b) t; else f;` is two branches, and `if (e) s = f(); else s = g(); if (s) t; else f;`
//! three of which an optimizer may leave no join. A *join* is a node that branches to two targets in
//! place of its *members*: 2-way branches all of whose edges lead to the targets, or to other members
//! (that is `&&` and `||`), directly or through blocks with one successor. A join of switches has
//! members with equal targets. A join may be a member of another one. No path decides more than the
//! source's conditions do, so a join is not counted as a test.

use crate::generate::Shape;

/// A set of nodes: one bit per node.
pub type Set = u16;

/// The most nodes of a [`Digraph`].
const MAX_NODES: usize = 12;

/// Returns the nodes of a set, in ascending order.
pub(super) fn nodes(set: Set) -> impl Iterator<Item = usize> + Clone {
    let mut left = set;
    std::iter::from_fn(move || {
        let node = left.trailing_zeros() as usize;
        (left != 0).then(|| left &= left - 1)?;
        Some(node)
    })
}

/// Returns the set of the nodes below `count` that fit.
fn set_of(count: usize, fits: impl Fn(&usize) -> bool) -> Set {
    (0..count).filter(fits).fold(0, |set, node| set | 1 << node)
}

/// Returns the subsets of a set, the empty one last.
pub(super) fn subsets(set: Set) -> impl Iterator<Item = Set> {
    std::iter::successors(Some(set), move |&at| Some(at.checked_sub(1)? & set))
}

/// Returns the subsets of a set with several nodes.
pub(super) fn groups_in(set: Set) -> impl Iterator<Item = Set> {
    subsets(set).filter(|some| some.count_ones() > 1)
}

/// A control-flow graph: the successors of each node, of which node 0 is the entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Digraph(Vec<Set>);

impl Digraph {
    /// Returns the graph of a shape, without edges that are repeated; none if it has too many
    /// blocks.
    pub fn of(shape: &Shape) -> Option<Self> {
        let set = |targets: Vec<usize>| targets.iter().fold(0, |set, to| set | 1 << to);
        let succs = || shape.ends.iter().map(|end| set(end.targets())).collect();
        (shape.len() <= MAX_NODES).then(|| Self(succs()))
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns all nodes.
    pub(super) fn all(&self) -> Set {
        set_of(self.len(), |_| true)
    }

    /// Returns the successors of a node.
    pub(super) fn succs(&self, node: usize) -> Set {
        self.0[node]
    }

    /// Returns the successors of some nodes.
    pub(super) fn succs_of(&self, set: Set) -> Set {
        nodes(set).fold(0, |all, node| all | self.0[node])
    }

    /// Returns the nodes that are reached from some nodes inside a set that has these.
    pub(super) fn reach(&self, from: Set, inside: Set) -> Set {
        let (mut seen, mut new) = (from, from);
        while new != 0 {
            new = self.succs_of(new) & inside & !seen;
            seen |= new;
        }
        seen
    }

    /// Returns the shape: each node is a block that has an instruction.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::default();
        for _ in 0..self.len() {
            shape.add();
        }
        for (node, &succs) in self.0.iter().enumerate().filter(|(_, succs)| **succs != 0) {
            shape.to(node, &nodes(succs).collect::<Vec<_>>());
        }
        shape
    }

    /// Returns the graph, and all graphs with joins of it whose groups have no member in common.
    pub(super) fn variants(&self) -> Vec<Self> {
        let mut found = vec![self.clone()];
        self.join(0, None, &mut found);
        found
    }

    /// Adds the graphs with further joins than those that have some members.
    fn join(&self, used: Set, last: Option<(Set, Set)>, found: &mut Vec<Self>) {
        if self.len() == MAX_NODES {
            return;
        }
        // Groups that could have been joined before the last one are, in another graph.
        let last_node: Set = last.map_or(0, |_| 1 << (self.len() - 1));
        for (some, targets) in self.groups() {
            let is_next = last.is_none_or(|last| (some, targets) > last) || some & last_node != 0;
            if some & used == 0 && is_next {
                let mut joined = self.clone();
                for member in nodes(some).filter(|&member| self.0[member] & targets != 0) {
                    joined.0[member] = self.0[member] & !targets | 1 << self.len();
                }
                joined.0.push(targets);
                joined.join(used | some, Some((some, targets)), found);
                found.push(joined);
            }
        }
    }

    /// Returns all groups of at least two members that lead to a target: members and targets.
    fn groups(&self) -> Vec<(Set, Set)> {
        let mut found = Vec::new();
        for targets in groups_in(self.all()) {
            let ways = targets.count_ones();
            let same = set_of(self.len(), |&node| match ways {
                2 => self.0[node].count_ones() == 2,
                _ => self.0[node] == targets,
            });
            let leads = |&node: &usize| self.0[node] & targets != 0;
            let is_group = |&some: &Set| {
                ways > 2
                    || self.members(some, targets) == some && nodes(some).filter(leads).count() > 1
            };
            let all = if ways == 2 {
                self.members(same, targets)
            } else {
                same
            };
            found.extend(groups_in(all).filter(is_group).map(|some| (some, targets)));
        }
        found.sort_unstable();
        found
    }

    /// Returns the branches of a list that may be members together.
    fn members(&self, branches: Set, targets: Set) -> Set {
        let mut covered: Set = 0;
        loop {
            let all = set_of(self.len(), |&node| {
                let succs = self.0[node];
                if branches >> node & 1 != 0 {
                    succs & !(targets | covered) == 0
                } else {
                    succs.count_ones() == 1 && succs & !covered == 0 && succs & targets == 0
                }
            });
            if all == covered {
                return covered & branches;
            }
            covered = all;
        }
    }
}

/// Returns every graph of so many blocks up to isomorphism, in a fixed order: all blocks are
/// reachable, each has at most `ways` distinct successors, and none leads to the entry (as in LLVM
/// and SPIR-V; a loop around all of a function has an empty block before it).
///
/// Of the graphs that differ only in the names of their blocks there is the one with the least list
/// of successor sets. Its blocks are numbered in the order in which a breadth-first walk finds them,
/// so only those are made, and each is compared with all its renamings.
pub fn all_graphs(blocks: usize, ways: u32) -> Vec<Digraph> {
    let mut found = Vec::new();
    extend(&mut Vec::new(), 1, ways, &orders(blocks), &mut found);
    found
}

/// Returns all orders of the nodes that begin with the entry.
fn orders(blocks: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![0]];
    for _ in 1..blocks {
        let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let others = (1..blocks).filter(|node| !order.contains(node));
            others.map(|node| [&order[..], &[node]].concat()).collect()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// Adds all graphs whose first nodes have given successors, which name the nodes below `known`.
fn extend(
    succs: &mut Vec<Set>,
    known: usize,
    ways: u32,
    orders: &[Vec<usize>],
    found: &mut Vec<Digraph>,
) {
    let blocks = orders[0].len();
    if succs.len() == blocks {
        if known == blocks && orders.iter().all(|order| is_least(succs, order)) {
            found.push(Digraph(succs.clone()));
        }
        return;
    }
    if succs.len() == known {
        return;
    }
    // Nodes that are found here get the next numbers.
    for fresh in 0..=(blocks - known).min(ways as usize) {
        let new = set_of(known + fresh, |&node| node >= known);
        let old = subsets(set_of(known, |&node| node > 0));
        for set in old.filter(|set| set.count_ones() + fresh as u32 <= ways) {
            succs.push(set | new);
            extend(succs, known + fresh, ways, orders, found);
            succs.pop();
        }
    }
}

/// Returns a graph with other numbers: `order` has the old node of each new one.
fn renamed<'a>(succs: &'a [Set], order: &'a [usize]) -> impl Iterator<Item = Set> {
    let new = |old: usize| order.iter().position(|&other| other == old).unwrap_or(0);
    let set = move |&old: &usize| nodes(succs[old]).fold(0, |set: Set, to| set | 1 << new(to));
    order.iter().map(set)
}

/// Returns whether a list of successors is not greater than with its nodes renamed.
fn is_least(succs: &[Set], order: &[usize]) -> bool {
    renamed(succs, order).ge(succs.iter().copied())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Digraph, Set, all_graphs, orders, renamed};

    #[test]
    fn each_graph_is_there_once() {
        for (blocks, ways) in [(1, 2), (2, 2), (3, 2), (4, 2), (4, 3)] {
            let found = all_graphs(blocks, ways);
            let choices: Vec<Set> = (0..1u16 << blocks)
                .filter(|s| s & 1 == 0 && s.count_ones() <= ways)
                .collect();
            let orders = orders(blocks);
            let mut expected = BTreeSet::new();
            for number in 0..choices.len().pow(blocks as u32) {
                let digit = |i: u32| choices[number / choices.len().pow(i) % choices.len()];
                let graph = Digraph((0..blocks as u32).map(digit).collect());
                if graph.reach(1, graph.all()) == graph.all() {
                    let all = orders
                        .iter()
                        .map(|order| renamed(&graph.0, order).collect());
                    expected.insert(Digraph(all.min().unwrap_or_default()));
                }
            }
            let set: BTreeSet<Digraph> = found.iter().cloned().collect();
            assert_eq!(set.len(), found.len());
            assert_eq!(set, expected, "{blocks} blocks, {ways} ways");
        }
    }
}
