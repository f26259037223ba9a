//! Joined branches: the graphs that a graph becomes where branches to the same targets are one.
//!
//! The stage `conditions` joins branches by two rules that pay most of the time. Here every group of
//! branches is tried that `rewrite/join.rs` can write: 2-way branches all of whose edges lead to the
//! two targets, or to other members (that is `&&` and `||`), directly or through nodes with one
//! successor; and switches with equal cases.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::{Digraph, Set, nodes, subsets};
use super::solve::Steps;

/// Branches that are replaced by one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Group {
    pub(super) members: Set,
    pub(super) targets: Set,
}

/// The most graphs with joins.
const MAX_VARIANTS: usize = 256;

/// Returns a graph, and graphs with joins of it. A group has no member in common with another one, but
/// a join may be a member. `is_equal` says whether two branches of the graph may be members of one
/// group. Each set of branches that is looked at takes one of `steps`.
pub(super) fn variants(
    graph: &Digraph,
    is_equal: &dyn Fn(usize, usize) -> bool,
    steps: &mut Steps,
) -> Vec<(Digraph, Vec<Group>)> {
    let mut found = vec![(graph.clone(), Vec::new())];
    let mut from = 0;
    // One group, then two, ...
    while from < found.len() && found.len() < MAX_VARIANTS {
        let (before, of) = found[from].clone();
        from += 1;
        let used = of.iter().fold(0, |set, group: &Group| set | group.members);
        // A branch of the graph that a join takes the place of.
        let branch = |mut node: usize| {
            while let Some(group) = node.checked_sub(graph.len()).and_then(|i| of.get(i)) {
                node = group.members.trailing_zeros() as usize;
            }
            node
        };
        let is_equal = |a: usize, b: usize| is_equal(branch(a), branch(b));
        let last: Set = if of.is_empty() {
            0
        } else {
            1 << (before.len() - 1)
        };
        for group in groups(&before, !used, &is_equal, steps) {
            // In one order only.
            let is_later = of.last().is_none_or(|last| group > *last);
            let mut joined = before.clone();
            if found.len() < MAX_VARIANTS
                && (is_later || group.members & last != 0)
                && join(&mut joined, &group).is_some()
                && keeps_iterations(graph, &mut joined)
            {
                let mut groups = of.clone();
                groups.push(group);
                found.push((joined, groups));
            }
        }
    }
    found
}

fn join(joined: &mut Digraph, group: &Group) -> Option<()> {
    let node = joined.push()?;
    joined.set_succs(node, group.targets);
    if joined.switches & group.members != 0 {
        joined.switches |= 1 << node;
    }
    for member in nodes(group.members) {
        let succs = joined.succs(member);
        if succs & group.targets != 0 {
            joined.set_succs(member, succs & !group.targets | 1 << node);
        }
        joined.switches &= !(1 << member);
    }
    Some(())
}

/// Finds the loops of a graph with joins; returns whether each convergent instruction is in the same
/// ones as without.
fn keeps_iterations(graph: &Digraph, joined: &mut Digraph) -> bool {
    joined.find_loops();
    let is_same = |node: usize| graph.headers_around(node) == joined.headers_around(node);
    graph.convergent == 0 || joined.is_reducible && nodes(graph.convergent).all(is_same)
}

/// Returns all groups of at least two of some nodes that lead to a target.
fn groups(
    graph: &Digraph,
    of: Set,
    is_equal: &dyn Fn(usize, usize) -> bool,
    steps: &mut Steps,
) -> Vec<Group> {
    let mut found = Vec::new();
    let is_group = |members: Set| {
        let first = members.trailing_zeros() as usize;
        nodes(members).all(|member| is_equal(first, member))
    };
    let set = |of: &dyn Fn(usize) -> bool| {
        let all = (0..graph.len()).filter(|&node| of(node));
        all.fold(0, |set: Set, node| set | 1 << node)
    };
    let two_way = set(&|node| graph.succs(node).count_ones() == 2) & !graph.switches & of;
    for targets in pairs(graph.all()) {
        let all = members(graph, two_way, targets);
        for some in subsets(all).filter(|s| s.count_ones() > 1) {
            if !steps.take() {
                return found;
            }
            let leads = |&m: &usize| graph.succs(m) & targets != 0;
            if members(graph, some, targets) == some
                && nodes(some).filter(leads).count() > 1
                && is_group(some)
            {
                found.push(Group {
                    members: some,
                    targets,
                });
            }
        }
    }
    for first in nodes(graph.switches & of) {
        let targets = graph.succs(first);
        let later = graph.switches & of & !((2u32 << first) as Set).wrapping_sub(1);
        let equal = set(&|node| later >> node & 1 != 0 && graph.succs(node) == targets);
        for others in subsets(equal).skip(1).filter(|_| targets.count_ones() > 1) {
            let members = others | 1 << first;
            if !steps.take() {
                return found;
            }
            if is_group(members) {
                found.push(Group { members, targets });
            }
        }
    }
    found.sort_unstable();
    found
}

/// Returns the sets of two nodes of a set.
fn pairs(of: Set) -> impl Iterator<Item = Set> {
    nodes(of).flat_map(move |a| {
        nodes(of & !((2u32 << a) as Set).wrapping_sub(1)).map(move |b| 1 << a | 1 << b)
    })
}

/// Returns those of some branches that may be members together.
fn members(graph: &Digraph, branches: Set, targets: Set) -> Set {
    let mut covered: Set = 0;
    loop {
        let is_covered = |node: usize| {
            let succs = graph.succs(node);
            if branches >> node & 1 != 0 {
                succs & !(targets | covered) == 0
            } else {
                succs.count_ones() == 1 && succs & !covered == 0 && succs & targets == 0
            }
        };
        let all = (0..graph.len())
            .filter(|&node| is_covered(node))
            .fold(0, |set: Set, node| set | 1 << node);
        if all == covered {
            return covered & branches;
        }
        covered = all;
    }
}
