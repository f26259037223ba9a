//! Where control goes after each loop.
//!
//! A loop's *follow* is the block that its merge block leads to. Lanes that leave the loop for it
//! need no selector. It is where the ways out meet (the nearest common post-dominator of the exits,
//! on the level around the loop), so that what stands before it may stay inside the loop, as it
//! stood in the source (`if (c) { x; break; }`). A way out that must not stay inside (convergent
//! operations would run with fewer lanes there, and long code is better run once for all lanes) is
//! the follow itself.

use crate::canonicalize::{Graph, Node, NodeKind};
use crate::construct::placement::Subtree;
use crate::graph::{
    NONE,
    ancestors::Ancestors,
    loops::Loop,
    postdominators::{End, PostDominators, level_of},
};
use crate::ir::{Function, Terminator};
use crate::result::Options;
use crate::stage::{Decision, Remarks, Stage};

/// The exits of the loops, those of one loop in a row: an edge counts for the outermost loop that
/// it leaves.
#[derive(Clone, Debug, Default)]
struct Exits {
    start: Vec<u32>,
    targets: Vec<Node>,
}

impl Exits {
    fn of(&self, l: Loop) -> std::ops::Range<usize> {
        self.start[l as usize] as usize..self.start[l as usize + 1] as usize
    }
}

/// What [`choose`] found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Follows {
    /// The follow of each loop; [`NONE`] if nothing leaves it.
    pub(crate) follow: Vec<Node>,
    /// Post-dominators, loop by loop.
    pub(crate) post: PostDominators,
}

/// Chooses the follow of each loop.
pub(crate) fn choose(
    func: &Function,
    graph: &Graph,
    subtrees: &[Subtree],
    options: &Options,
    remarks: &mut Remarks,
) -> Follows {
    let exits = find_exits(graph);
    let kills = |node: Node| match graph.kinds[node as usize] {
        NodeKind::Block(block) => {
            matches!(func.term(block), Terminator::Kill | Terminator::Unreachable)
        }
        _ => false,
    };
    let post = PostDominators::new(
        &graph.cfg,
        &graph.dfs,
        &graph.loops,
        &graph.latch,
        |l| exits.of(l),
        &exits.targets,
        kills,
    );
    let one = |l: Loop| match &exits.targets[exits.of(l)] {
        [] => NONE,
        targets => choose_one(graph, subtrees, options, &post, targets, l),
    };
    let follow: Vec<Node> = (0..graph.loops.len() as Loop).map(one).collect();
    for (&header, &to) in graph.loops.headers.iter().zip(&follow) {
        if to != NONE && remarks.wanted() {
            remarks.add(
                Stage::LoopTransposition,
                graph.name(header),
                Decision::LoopFollow { to: graph.name(to) },
            );
        }
    }
    Follows { follow, post }
}

fn find_exits(graph: &Graph) -> Exits {
    let loops = &graph.loops;
    let mut nesting = Ancestors::new(loops.len());
    for l in 0..loops.len() as Loop {
        nesting.set_parent(l, loops.parent[l as usize]);
    }
    let mut found: Vec<(Loop, u32)> = Vec::new();
    for &u in &graph.dfs.preorder {
        let l = loops.of[u as usize];
        if l == NONE {
            continue;
        }
        for edge in graph.edges(u) {
            let level = if graph.dfs.is_ancestor(edge.to, u) {
                loops.of[edge.to as usize]
            } else {
                level_of(loops, edge.to)
            };
            let depth = loops.depth_of(level);
            if depth < loops.depth_of(l) {
                found.push((
                    nesting.at_depth(l, depth + 1),
                    graph.dfs.rpo_number[edge.to as usize],
                ));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    let mut exits = Exits {
        start: vec![0; loops.len() + 1],
        targets: Vec::with_capacity(found.len()),
    };
    for (l, number) in found {
        exits.start[l as usize + 1] += 1;
        exits.targets.push(graph.dfs.rpo[number as usize]);
    }
    for l in 0..loops.len() {
        exits.start[l + 1] += exits.start[l];
    }
    exits
}

/// The follow of one loop. `targets` are its exits' in reverse post-order.
fn choose_one(
    graph: &Graph,
    subtrees: &[Subtree],
    options: &Options,
    post: &PostDominators,
    targets: &[Node],
    l: Loop,
) -> Node {
    let mut meet = post.meet(targets);
    let mut voters = targets.to_vec();
    if meet == NONE {
        meet = meet_of_most(graph, post, &voters);
    }
    if meet == NONE {
        // No two of them meet: ends of lanes do not decide, as long as somebody goes on.
        voters.retain(|&t| {
            subtrees[t as usize].target() != Ok(None)
                || !subtrees[t as usize].stays_cheaply(options)
        });
        if voters.is_empty() {
            // Only ends: that of the loop's own condition, else the last.
            let from = |node: Node| {
                graph
                    .edges(node)
                    .iter()
                    .map(|e| e.to)
                    .find(|to| targets.contains(to))
            };
            return from(graph.latch[l as usize])
                .or_else(|| from(graph.loops.headers[l as usize]))
                .unwrap_or(targets[targets.len() - 1]);
        }
        meet = post.meet(&voters);
    }
    let best = targets
        .iter()
        .map(|&t| post.end(t))
        .max()
        .unwrap_or(End::Return);
    let must_leave = |t: Node| {
        t != meet
            && post.end(t) >= best
            && !(options.stages.contains(Stage::LoopTransposition)
                && subtrees[t as usize].stays_cheaply(options))
    };
    match voters.iter().copied().find(|&t| must_leave(t)) {
        Some(t) => t,
        None if meet != NONE => meet,
        None => voters[0],
    }
}

/// Where most of these nodes meet, if they do not all but some do; of two places that as many come
/// by the later one in reverse post-order.
fn meet_of_most(graph: &Graph, post: &PostDominators, voters: &[Node]) -> Node {
    let mut by_end: Vec<(u32, Node)> = voters
        .iter()
        .map(|&t| (graph.dfs.rpo_number[post.last(t) as usize], t))
        .collect();
    by_end.sort_unstable_by_key(|&(end, t)| (end, graph.dfs.rpo_number[t as usize]));
    let groups = by_end.chunk_by(|a, b| a.0 == b.0);
    let most: Vec<Node> = groups
        .filter(|group| group.len() > 1)
        .max_by_key(|group| group.len())
        .into_iter()
        .flatten()
        .map(|&(_, t)| t)
        .collect();
    post.meet(&most)
}
