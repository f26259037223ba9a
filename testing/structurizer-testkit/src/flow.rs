//! The normal form in which a source program and a structured function are compared.
//!
//! It has two parts, over the numbers of calls:
//!
//! 1. **Order**: each pair of calls such that the second may be the next call after the first, the
//!    start and the end of the program included. A condition may have any result, except where a
//!    constant decides it on the path: a test of a selector, or a condition that was computed as a
//!    phi.
//! 2. **Repetition**: for each loop of the tree, the calls inside of it from which another
//!    iteration may follow.
//!
//! Neither depends on how conditions are evaluated (by branches, selects or masks; `switch` or a
//! chain of ifs), on which arm comes first, on whether an exit path is in its loop or after it, on
//! whether a loop is rotated, peeled or unrolled, or on code of which there are several copies: the
//! copies of a call are one. A path that does not exist in the source, a path that is missing, and a
//! loop around the wrong calls are differences.

use std::collections::{BTreeMap, BTreeSet};

/// The start of the program, as a call.
pub const START: u32 = u32::MAX - 1;
/// The end of the program, as a call.
pub const END: u32 = u32::MAX;

/// A flow of calls: nodes with at most one call each.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The call of each node, if it has one. Control starts at node 0.
    pub calls: Vec<Option<u32>>,
    /// Successors of each node.
    pub successors: Vec<Vec<usize>>,
    /// True for a node at whose end the program returns.
    pub returns: Vec<bool>,
    /// The loops.
    pub loops: Vec<Loop>,
}

/// A loop of a [`Flow`].
#[derive(Clone, Debug)]
pub struct Loop {
    /// The nodes at which an iteration starts.
    pub heads: Vec<usize>,
    /// The nodes inside.
    pub members: BTreeSet<usize>,
}

/// The normal form. See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The pairs of calls that may follow each other.
    pub next: BTreeSet<(u32, u32)>,
    /// The sets of calls that repeat together. No two loops with the same set are distinguished.
    pub loops: BTreeSet<BTreeSet<u32>>,
}

impl Flow {
    /// Adds nodes, each leading to the next.
    pub fn chain(&mut self, calls: &[Option<u32>]) -> std::ops::Range<usize> {
        let first = self.calls.len();
        let end = first + calls.len();
        for (index, &call) in calls.iter().enumerate() {
            self.calls.push(call);
            self.returns.push(false);
            self.successors.push(if index + 1 < calls.len() {
                vec![first + index + 1]
            } else {
                Vec::new()
            });
        }
        first..end
    }

    /// Returns whether each node is reached from the start.
    pub fn reached(&self) -> Vec<bool> {
        self.reached_from(0)
    }

    /// Returns whether each node is reached from a node.
    pub fn reached_from(&self, start: usize) -> Vec<bool> {
        let mut seen = vec![false; self.calls.len()];
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                stack.extend(&self.successors[node]);
            }
        }
        seen
    }

    /// Returns the normal form.
    pub fn shape(&self) -> Shape {
        let seen = self.reached();
        let mut next = BTreeSet::new();
        // A program may begin with a call.
        let first = self.calls.first().copied().flatten();
        match first {
            Some(call) => {
                next.insert((START, call));
            }
            None => self.add_next(START, 0, &mut next),
        }
        for node in (0..self.calls.len()).filter(|&node| seen[node]) {
            if let Some(call) = self.calls[node] {
                self.add_next(call, node, &mut next);
            }
        }
        let loops = self
            .loops
            .iter()
            .map(|one| self.repeated(one, &seen))
            .filter(|calls| !calls.is_empty())
            .collect();
        Shape { next, loops }
    }

    /// Adds the calls that may be the next ones after a node.
    fn add_next(&self, call: u32, node: usize, next: &mut BTreeSet<(u32, u32)>) {
        let mut seen = BTreeSet::new();
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if self.returns[at] {
                next.insert((call, END));
            }
            for &to in &self.successors[at] {
                match self.calls[to] {
                    Some(other) => {
                        next.insert((call, other));
                    }
                    None if seen.insert(to) => stack.push(to),
                    None => {}
                }
            }
        }
    }

    /// Returns the calls of a loop from which another iteration may follow. `reached` are the nodes
    /// that the start reaches.
    pub fn repeated(&self, one: &Loop, reached: &[bool]) -> BTreeSet<u32> {
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &node in &one.members {
            for &to in &self.successors[node] {
                if reached[node] && one.members.contains(&to) {
                    before.entry(to).or_default().push(node);
                }
            }
        }
        let mut seen = BTreeSet::new();
        let mut stack = one.heads.clone();
        while let Some(node) = stack.pop() {
            for &pred in before.get(&node).into_iter().flatten() {
                if seen.insert(pred) {
                    stack.push(pred);
                }
            }
        }
        seen.iter().filter_map(|&node| self.calls[node]).collect()
    }
}

/// Returns a line about the first difference: an item that only one side has.
pub fn difference(source: &Shape, result: &Shape) -> Option<String> {
    let name = |call: u32| match call {
        START => "start".to_owned(),
        END => "end".to_owned(),
        call if call >= 1000 => format!("test {}", call - 1000),
        call => call.to_string(),
    };
    let pairs = |a: &Shape, b: &Shape| -> Vec<String> {
        a.next
            .difference(&b.next)
            .map(|&(from, to)| format!("{} -> {}", name(from), name(to)))
            .collect()
    };
    let loops = |a: &Shape, b: &Shape| -> Vec<String> {
        a.loops
            .difference(&b.loops)
            .map(|set| {
                format!(
                    "{:?}",
                    set.iter().map(|&call| name(call)).collect::<Vec<_>>()
                )
            })
            .collect()
    };
    let parts = [
        ("paths that the source does not have", pairs(result, source)),
        ("missing paths", pairs(source, result)),
        ("loops that the source does not have", loops(result, source)),
        ("missing loops", loops(source, result)),
    ];
    let texts: Vec<String> = parts
        .iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(what, list)| format!("{what}: {}", list.join(", ")))
        .collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}
