//! Joined branches: the graphs that a graph becomes where branches to the same targets are one.
//!
//! `if (a && b) t; else f;` is two branches, and `if (e) s = f(); else s = g(); if (s) t; else f;`
//! three of which an optimizer may leave no join. A *join* is a node that branches to two targets in
//! place of its *members*: 2-way branches all of whose edges lead to the targets, or to other members
//! (that is `&&` and `||`), directly or through blocks with one successor. A join of switches has
//! members with equal targets. A join may be a member of another one. No path decides more than the
//! source's conditions do, so a join is not counted as a test.

use super::graph::{Digraph, MAX_NODES, Set, nodes, subsets};

/// Branches that are replaced by one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Group {
    members: Set,
    targets: Set,
}

/// Returns a graph, and all graphs with joins of it whose groups have no member in common. A join may
/// be a member of another one.
pub(super) fn variants(graph: &Digraph) -> Vec<Digraph> {
    let mut found = vec![graph.clone()];
    join(graph, 0, None, &mut found);
    found
}

/// Adds the graphs with further joins than those that have some members.
fn join(graph: &Digraph, used: Set, last: Option<Group>, found: &mut Vec<Digraph>) {
    if graph.len() == MAX_NODES {
        return;
    }
    // Groups that could have been joined before the last one are, in another graph.
    let last_node: Set = last.map_or(0, |_| 1 << (graph.len() - 1));
    for group in groups(graph) {
        let is_next = last.is_none_or(|last| group > last) || group.members & last_node != 0;
        if group.members & used == 0 && is_next {
            let mut joined = graph.clone();
            let node = joined.push(group.targets);
            for member in nodes(group.members) {
                let succs = joined.succs(member);
                if succs & group.targets != 0 {
                    joined.set_succs(member, succs & !group.targets | 1 << node);
                }
            }
            join(&joined, used | group.members, Some(group), found);
            found.push(joined);
        }
    }
}

/// Returns all groups of at least two members that lead to a target.
fn groups(graph: &Digraph) -> Vec<Group> {
    let mut found = Vec::new();
    let with = |ways: u32| {
        (0..graph.len())
            .filter(move |&node| graph.succs(node).count_ones() == ways)
            .fold(0, |set: Set, node| set | 1 << node)
    };
    for targets in subsets(graph.all()).filter(|t| t.count_ones() > 1) {
        let ways = targets.count_ones();
        if ways == 2 {
            let all = members(graph, with(2), targets);
            for some in subsets(all).filter(|s| s.count_ones() > 1) {
                let leads = |&m: &usize| graph.succs(m) & targets != 0;
                if members(graph, some, targets) == some && nodes(some).filter(leads).count() > 1 {
                    found.push(Group {
                        members: some,
                        targets,
                    });
                }
            }
        } else {
            let all = nodes(with(ways)).filter(|&node| graph.succs(node) == targets);
            let all = all.fold(0, |set: Set, node| set | 1 << node);
            for members in subsets(all).filter(|s| s.count_ones() > 1) {
                found.push(Group { members, targets });
            }
        }
    }
    found.sort_unstable();
    found
}

/// Returns those of some branches that may be members together.
pub(super) fn members(graph: &Digraph, branches: Set, targets: Set) -> Set {
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
