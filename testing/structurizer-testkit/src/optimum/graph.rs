//! Graphs of few nodes, as bit sets: all of them up to isomorphism.

use crate::generate::Shape;

/// A set of nodes: one bit per node.
pub type Set = u16;

/// Returns the nodes of a set, in ascending order.
pub(super) fn nodes(set: Set) -> impl Iterator<Item = usize> + Clone {
    (0..Set::BITS as usize).filter(move |&node| set >> node & 1 != 0)
}

/// Returns the subsets of a set, the empty one last.
pub(super) fn subsets(set: Set) -> impl Iterator<Item = Set> {
    std::iter::successors(Some(set), move |&at| Some(at.checked_sub(1)? & set))
}

/// A control-flow graph: the successors of each node, of which node 0 is the entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digraph(Vec<Set>);

impl Digraph {
    /// Returns the graph of a shape, without edges that are repeated.
    #[cfg(test)]
    pub(super) fn of(shape: &Shape) -> Self {
        let set = |targets: Vec<usize>| targets.iter().fold(0, |set, to| set | 1 << to);
        Self(shape.ends.iter().map(|end| set(end.targets())).collect())
    }

    /// Returns the number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.0.len()
    }

    /// Returns all nodes.
    pub(super) fn all(&self) -> Set {
        (1 << self.0.len()) - 1
    }

    /// Returns the successors of some nodes.
    pub(super) fn succs(&self, set: Set) -> Set {
        nodes(set).fold(0, |all, node| all | self.0[node])
    }

    /// Returns the nodes that are reached from some nodes inside a set that has these.
    pub(super) fn reach(&self, from: Set, inside: Set) -> Set {
        let (mut seen, mut new) = (from, from);
        while new != 0 {
            new = self.succs(new) & inside & !seen;
            seen |= new;
        }
        seen
    }

    /// Returns the shape: each node is a block that has an instruction.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::default();
        for _ in 0..self.0.len() {
            shape.add();
        }
        for (node, &succs) in self.0.iter().enumerate().filter(|(_, succs)| **succs != 0) {
            shape.to(node, &nodes(succs).collect::<Vec<_>>());
        }
        shape
    }
}

/// Returns every graph of `blocks` blocks up to isomorphism, in a fixed order: all blocks are
/// reachable, each has at most `ways` distinct successors, and none leads to the entry (as in LLVM
/// and SPIR-V; a loop around all of a function has an empty block before it).
///
/// Of the graphs that differ only in the names of their blocks the one with the least list of
/// successor sets is taken.
pub fn all_graphs(blocks: usize, ways: u32) -> Vec<Digraph> {
    let mut graph = Digraph(vec![0; blocks]);
    let sets = subsets(graph.all() & !1).filter(|set| set.count_ones() <= ways);
    let sets: Vec<Set> = sets.collect();
    let names = renamings(blocks);
    let mut found = Vec::new();
    for number in 0..sets.len().pow(blocks as u32) {
        let mut digits = number;
        for succs in &mut graph.0 {
            *succs = sets[digits % sets.len()];
            digits /= sets.len();
        }
        let is_least = |names: &Vec<usize>| renamed(&graph.0, names).ge(graph.0.iter().copied());
        if graph.reach(1, graph.all()) == graph.all() && names.iter().all(is_least) {
            found.push(graph.clone());
        }
    }
    found
}

/// Returns all lists of the nodes that begin with the entry.
fn renamings(blocks: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![vec![0]];
    for _ in 1..blocks {
        let longer = |list: &Vec<usize>| -> Vec<Vec<usize>> {
            let others = (1..blocks).filter(|node| !list.contains(node));
            others.map(|node| [&list[..], &[node]].concat()).collect()
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists
}

/// Returns a graph with other names: `names` has the old node of each new one.
fn renamed<'a>(succs: &'a [Set], names: &'a [usize]) -> impl Iterator<Item = Set> {
    let set = move |old: usize| {
        { 0.. }.zip(names).fold(0, move |set: Set, (new, &to)| {
            set | (succs[old] >> to & 1) << new
        })
    };
    names.iter().map(move |&old| set(old))
}

#[cfg(test)]
mod tests {
    use super::all_graphs;

    #[test]
    fn each_graph_is_there_once() {
        // A generator by breadth-first numbers found the same numbers of graphs.
        let sizes = [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (4, 3)];
        let counts = sizes.map(|(blocks, ways)| all_graphs(blocks, ways).len());
        assert_eq!(counts, [1, 2, 18, 190, 2773, 440]);
    }
}
