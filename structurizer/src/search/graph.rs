//! Graphs of few nodes, as bit sets.

/// A set of nodes: one bit per node.
pub(super) type Set = u16;

/// The most nodes of a [`Digraph`].
pub(super) const MAX_NODES: usize = 16;

/// Returns the nodes of a set, in ascending order.
pub(super) fn nodes(set: Set) -> impl Iterator<Item = usize> + Clone {
    let mut left = set;
    core::iter::from_fn(move || {
        let node = left.trailing_zeros() as usize;
        (left != 0).then(|| left &= left - 1)?;
        Some(node)
    })
}

/// Returns the subsets of a set, the empty one first, then those with the lowest nodes.
pub(super) fn subsets(set: Set) -> impl Iterator<Item = Set> {
    let mut next = Some(0);
    core::iter::from_fn(move || {
        let found: Set = next?;
        next = (found != set).then(|| (found | !set).wrapping_add(1) & set);
        Some(found)
    })
}

/// A control-flow graph: the successors of each node, of which node 0 is the entry.
#[derive(Clone, Default, Debug)]
pub(super) struct Digraph {
    succs: [Set; MAX_NODES],
    len: usize,
    /// The nodes that end in a switch.
    pub(super) switches: Set,
    /// The nodes that have convergent instructions.
    pub(super) convergent: Set,
    /// Whether each loop has one header.
    pub(super) is_reducible: bool,
    /// For each header the nodes of its natural loop.
    natural: [Set; MAX_NODES],
}

impl Digraph {
    /// Adds a node without successors; none if there is no room.
    pub(super) fn push(&mut self) -> Option<usize> {
        let node = self.len;
        self.len += usize::from(node < MAX_NODES);
        (node < MAX_NODES).then_some(node)
    }

    pub(super) fn set_succs(&mut self, node: usize, succs: Set) {
        self.succs[node] = succs;
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns all nodes.
    pub(super) fn all(&self) -> Set {
        ((1u32 << self.len) - 1) as Set
    }

    /// Returns the successors of a node.
    pub(super) fn succs(&self, node: usize) -> Set {
        self.succs[node]
    }

    /// Returns the successors of some nodes.
    pub(super) fn succs_of(&self, set: Set) -> Set {
        nodes(set).fold(0, |all, node| all | self.succs[node])
    }

    /// Returns the predecessors of some nodes.
    pub(super) fn preds_of(&self, set: Set) -> Set {
        let leads = |&node: &usize| self.succs[node] & set != 0;
        let preds = (0..self.len).filter(leads);
        preds.fold(0, |all, node| all | 1 << node)
    }

    /// Returns the nodes that are reached from some nodes inside a set that has these.
    pub(super) fn reach(&self, from: Set, inside: Set) -> Set {
        let mut seen = from;
        let mut new = from;
        while new != 0 {
            new = self.succs_of(new) & inside & !seen;
            seen |= new;
        }
        seen
    }

    /// Returns those of some nodes from which some others are reached, through them alone.
    pub(super) fn leads_to(&self, to: Set, inside: Set) -> Set {
        let mut seen = 0;
        let mut new = self.preds_of(to) & inside;
        while new != 0 {
            seen |= new;
            new = self.preds_of(new) & inside & !seen;
        }
        seen
    }

    /// Returns those of some nodes that are on a cycle of them.
    pub(super) fn on_cycles(&self, inside: Set) -> Set {
        let is_on = |&node: &usize| {
            let reached = self.reach(self.succs[node] & inside, inside);
            reached >> node & 1 != 0
        };
        nodes(inside).filter(is_on).fold(0, |all, n| all | 1 << n)
    }

    /// Finds the natural loops, and whether there are other ones.
    pub(super) fn find_loops(&mut self) {
        let all = self.all();
        self.natural = [0; MAX_NODES];
        let mut dominated = [0; MAX_NODES];
        for (node, own) in dominated.iter_mut().enumerate().take(self.len) {
            let others = all & !(1 << node);
            *own = all & !self.reach(1 & others, others);
        }
        for (header, &inside) in dominated.iter().enumerate().take(self.len) {
            let mut new = self.preds_of(1 << header) & inside;
            if new == 0 {
                continue;
            }
            let mut body: Set = 1 << header;
            while new & !body != 0 {
                body |= new;
                new = self.preds_of(new & !(1 << header)) & inside;
            }
            self.natural[header] = body;
        }
        // Without the back edges, no node is on a cycle.
        let mut forward = self.clone();
        for (node, succs) in forward.succs.iter_mut().enumerate().take(self.len) {
            let is_back = |&to: &usize| dominated[to] >> node & 1 != 0;
            let back = nodes(*succs).filter(is_back);
            *succs &= !back.fold(0, |set: Set, to| set | 1 << to);
        }
        self.is_reducible = forward.on_cycles(all) == 0;
    }

    /// Returns the headers of the natural loops around a node.
    pub(super) fn headers_around(&self, node: usize) -> Set {
        let is_around = |&header: &usize| self.natural[header] >> node & 1 != 0;
        (0..self.len)
            .filter(is_around)
            .fold(0, |all, header| all | 1 << header)
    }

    /// Returns whether convergent instructions run in the iterations of the graph with a loop of a
    /// program: it has none of them, or is one of the graph's loops. A second loop with one header
    /// splits the iterations of a loop of the graph, so that loop must have none of them, too.
    pub(super) fn keeps_iterations(&self, header: Set, body: Set, is_second: bool) -> bool {
        let inside = body & self.convergent;
        let is_one = header.count_ones() == 1;
        let natural = if is_one {
            self.natural[header.trailing_zeros() as usize]
        } else {
            0
        };
        if is_second {
            return (inside | natural & self.convergent) == 0;
        }
        inside == 0 || is_one && inside & !natural == 0
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Digraph, Set, nodes, subsets};

    fn graph(succs: &[Set]) -> Digraph {
        let mut graph = Digraph::default();
        for &to in succs {
            let node = graph.push().unwrap();
            graph.set_succs(node, to);
        }
        graph
    }

    #[test]
    fn subsets_are_in_order() {
        assert_eq!(subsets(0b101).collect::<Vec<_>>(), [0, 0b1, 0b100, 0b101]);
        assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
        assert_eq!(subsets(Set::MAX).count(), 1 << 16);
        assert_eq!(nodes(0b1010).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn loops_are_natural() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3
        let mut chain = graph(&[0b10, 0b100, 0b1010, 0]);
        chain.find_loops();
        assert!(chain.is_reducible);
        assert_eq!(chain.headers_around(2), 0b10);
        assert_eq!(chain.headers_around(3), 0);
        assert_eq!(chain.on_cycles(chain.all()), 0b110);
        // 0 -> 1 | 2, 1 <-> 2
        let mut ring = graph(&[0b110, 0b100, 0b10]);
        ring.find_loops();
        assert!(!ring.is_reducible);
    }
}
