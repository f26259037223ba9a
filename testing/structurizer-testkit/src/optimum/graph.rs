//! Graphs of few nodes, as bit sets, and all of them up to isomorphism.

use crate::generate::{End, Shape};

/// A set of nodes: one bit per node.
pub type Set = u16;

/// The most nodes of a [`Digraph`].
pub const MAX_NODES: usize = 12;

/// Returns the nodes of a set, in ascending order.
pub fn nodes(set: Set) -> impl Iterator<Item = usize> + Clone {
    let mut left = set;
    std::iter::from_fn(move || {
        let node = left.trailing_zeros() as usize;
        (left != 0).then(|| left &= left - 1)?;
        Some(node)
    })
}

/// Returns the non-empty subsets of a set.
pub(super) fn subsets(set: Set) -> impl Iterator<Item = Set> {
    let mut at = set;
    let mut is_done = set == 0;
    std::iter::from_fn(move || {
        if is_done {
            return None;
        }
        let found = at;
        at = (at - 1) & set;
        is_done = at == 0;
        Some(found)
    })
}

/// A control-flow graph: the successors of each node, of which node 0 is the entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Digraph {
    succs: Vec<Set>,
}

impl Digraph {
    /// Creates a graph from the successors of its nodes; none if there are too many.
    pub fn new(succs: Vec<Set>) -> Option<Self> {
        (succs.len() <= MAX_NODES).then_some(Self { succs })
    }

    /// Returns the graph of a shape, without edges that are repeated; none if it has too many
    /// blocks.
    pub fn of(shape: &Shape) -> Option<Self> {
        if shape.len() > MAX_NODES {
            return None;
        }
        let set = |end: &End| end.targets().into_iter().fold(0, |set, to| set | 1 << to);
        Self::new(shape.ends.iter().map(set).collect())
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.succs.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.succs.is_empty()
    }

    /// Returns all nodes.
    pub fn all(&self) -> Set {
        ((1u32 << self.len()) - 1) as Set
    }

    /// Returns the successors of a node.
    pub fn succs(&self, node: usize) -> Set {
        self.succs[node]
    }

    /// Returns the successors of some nodes.
    pub fn succs_of(&self, set: Set) -> Set {
        nodes(set).fold(0, |all, node| all | self.succs[node])
    }

    /// Returns the nodes that are reached from some nodes inside a set that has these.
    pub fn reach(&self, from: Set, inside: Set) -> Set {
        let mut seen = from;
        let mut new = from;
        while new != 0 {
            new = self.succs_of(new) & inside & !seen;
            seen |= new;
        }
        seen
    }

    /// Adds a node with these successors; the graph must have room for it.
    pub(super) fn push(&mut self, succs: Set) -> usize {
        self.succs.push(succs);
        self.len() - 1
    }

    pub(super) fn set_succs(&mut self, node: usize, succs: Set) {
        self.succs[node] = succs;
    }

    /// Returns the shape: each node is a block that has an instruction.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::default();
        for _ in 0..self.len() {
            shape.add();
        }
        for (node, &succs) in self.succs.iter().enumerate() {
            if succs != 0 {
                let targets: Vec<usize> = nodes(succs).collect();
                shape.to(node, &targets);
            }
        }
        shape
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
    if blocks == 0 || blocks > MAX_NODES {
        return found;
    }
    let mut orders = Vec::new();
    permutations(&mut vec![0], blocks, &mut orders);
    extend(&mut Vec::new(), 1, blocks, ways, &orders, &mut found);
    found
}

/// Adds all orders of the nodes that begin with some.
fn permutations(start: &mut Vec<usize>, blocks: usize, found: &mut Vec<Vec<usize>>) {
    if start.len() == blocks {
        found.push(start.clone());
        return;
    }
    for node in 1..blocks {
        if !start.contains(&node) {
            start.push(node);
            permutations(start, blocks, found);
            start.pop();
        }
    }
}

/// Adds all graphs whose first nodes have given successors, which name the nodes below `known`.
fn extend(
    succs: &mut Vec<Set>,
    known: usize,
    blocks: usize,
    ways: u32,
    orders: &[Vec<usize>],
    found: &mut Vec<Digraph>,
) {
    if succs.len() == blocks {
        if known == blocks && orders.iter().all(|order| is_least(succs, order)) {
            found.extend(Digraph::new(succs.clone()));
        }
        return;
    }
    if succs.len() == known {
        return;
    }
    // Nodes that are found here get the next numbers.
    for fresh in 0..=(blocks - known).min(ways as usize) {
        let new = ((1u32 << (known + fresh)) - (1u32 << known)) as Set;
        let old = ((1u32 << known) - 2) as Set;
        let some = subsets(old).chain([0]);
        for set in some.filter(|set| set.count_ones() + fresh as u32 <= ways) {
            succs.push(set | new);
            extend(succs, known + fresh, blocks, ways, orders, found);
            succs.pop();
        }
    }
}

/// Returns whether a list of successors is not greater than with its nodes renamed: `order` has the
/// old node of each new one.
fn is_least(succs: &[Set], order: &[usize]) -> bool {
    let mut new_name = [0; MAX_NODES];
    for (new, &old) in order.iter().enumerate() {
        new_name[old] = new;
    }
    for (new, &old) in order.iter().enumerate() {
        let renamed = nodes(succs[old]).fold(0, |set: Set, to| set | 1 << new_name[to]);
        match renamed.cmp(&succs[new]) {
            std::cmp::Ordering::Less => return false,
            std::cmp::Ordering::Greater => return true,
            std::cmp::Ordering::Equal => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Digraph, Set, all_graphs, nodes, permutations};

    /// Returns the least of all renamings.
    fn canonical(graph: &Digraph) -> Digraph {
        let mut orders = Vec::new();
        permutations(&mut vec![0], graph.len(), &mut orders);
        let renamed = |order: &Vec<usize>| {
            let name = |old: usize| order.iter().position(|&o| o == old).unwrap_or(0);
            let succs = order
                .iter()
                .map(|&old| nodes(graph.succs(old)).fold(0, |s: Set, to| s | 1 << name(to)));
            Digraph::new(succs.collect())
        };
        orders.iter().filter_map(renamed).min().unwrap_or_default()
    }

    #[test]
    fn each_graph_is_there_once() {
        for (blocks, ways) in [(1, 2), (2, 2), (3, 2), (4, 2), (4, 3)] {
            let found = all_graphs(blocks, ways);
            let choices: Vec<Set> = (0..1u16 << blocks)
                .filter(|s| s & 1 == 0 && s.count_ones() <= ways)
                .collect();
            let mut expected = BTreeSet::new();
            for number in 0..choices.len().pow(blocks as u32) {
                let digit = |i: u32| choices[number / choices.len().pow(i) % choices.len()];
                let graph = Digraph::new((0..blocks as u32).map(digit).collect()).unwrap();
                if graph.reach(1, graph.all()) == graph.all() {
                    expected.insert(canonical(&graph));
                }
            }
            let set: BTreeSet<Digraph> = found.iter().cloned().collect();
            assert_eq!(set.len(), found.len());
            assert_eq!(set, expected, "{blocks} blocks, {ways} ways");
        }
    }
}
