//! Loop-exit selection: the merge target of each loop.
//!
//! A loop's *merge target* is the node that its merge block leads to. Invocations that leave the
//! loop for it need no selector. It is where the exits meet (their nearest common post-dominator on
//! the level around the loop), so that code before it may stay inside the loop, as it was in the
//! source (`if (c) { x; break; }`). An exit that must not stay inside is the merge target itself:
//! convergent operations would run with fewer invocations there, unless invocations come to them
//! together ([`uniform_exits`](super::uniform_exits)), and long code is better run once for all.
//! Near-linear in the graph.

use alloc::vec::Vec;

use super::Context;
use crate::analysis::ancestors::Ancestors;
use crate::analysis::loops::Loop;
use crate::analysis::postdominators::PostDominators;
use crate::entity::{Adjacency, PackedOption, PrimaryMap};
use crate::ir::Terminator;
use crate::passes::Node;
use crate::passes::subtrees::{Leads, Subtree};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// The merge targets. Empty where the function has neither loops nor switches.
#[derive(Debug, Default)]
pub(crate) struct LoopExits {
    merge_target: PrimaryMap<Loop, PackedOption<Node>>,
    /// Where the exits meet, if an exit that must leave is the merge target instead.
    meet: PrimaryMap<Loop, PackedOption<Node>>,
    /// Post-dominators, loop by loop.
    pub(crate) post: PostDominators<Node>,
    exits: Exits,
    voters: Voters,
}

/// The exits of the current loop that decide where its merge block leads.
#[derive(Debug, Default)]
struct Voters {
    all: Vec<Node>,
    /// All with the last node that control passes, sorted.
    by_end: Vec<(Node, Node)>,
    /// The largest group of nodes that meet.
    most: Vec<Node>,
}

impl LoopExits {
    /// Forgets all loops and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.merge_target.clear();
        self.meet.clear();
        self.post.clear();
    }

    /// Returns the merge target of a loop, if anything leaves it.
    pub(crate) fn merge_target(&self, l: Loop) -> Option<Node> {
        self.merge_target[l].expand()
    }
    /// Returns where the exits of a loop meet, if that is not its merge target.
    pub(crate) fn meet(&self, l: Loop) -> Option<Node> {
        self.meet[l].expand()
    }
}

/// Where the exits of a loop lead.
#[derive(Clone, Copy, Default)]
struct Ends {
    merge_target: Option<Node>,
    /// See [`LoopExits::meet`].
    meet: Option<Node>,
}

impl Ends {
    fn at(merge_target: Node) -> Self {
        Self {
            merge_target: Some(merge_target),
            meet: None,
        }
    }
}

impl LoopExits {
    /// Chooses the merge target of each loop.
    pub(super) fn choose(
        &mut self,
        cx: Context<'_>,
        subtrees: &PrimaryMap<Node, Subtree>,
        remarks: &mut Remarks,
    ) {
        let graph = cx.graph;
        self.exits.find(cx);
        let exits = &self.exits.of_loop;
        let kills = |node: Node| {
            matches!(
                cx.terminator(node),
                Some(Terminator::Kill | Terminator::Exit(_) | Terminator::Unreachable)
            )
        };
        self.post
            .compute(graph.cfg(), graph.loops(), graph.latches(), exits, kills);
        let choice = Choice {
            cx,
            subtrees,
            post: &self.post,
        };
        self.merge_target.reset(graph.loops().len());
        self.meet.reset(graph.loops().len());
        for l in graph.loops().all() {
            let ends = choice.ends(l, &exits[l], &mut self.voters);
            self.merge_target[l] = ends.merge_target.into();
            self.meet[l] = ends.meet.into();
        }
        if remarks.wanted() {
            for (l, to) in self.merge_target.iter() {
                if let Some(to) = to.expand() {
                    let (header, to) = (graph.name(graph.header(l)), graph.name(to));
                    remarks.add(Stage::LoopExits, header, Decision::LoopMergeTarget { to });
                }
            }
        }
    }
}

/// The exits of each loop, in reverse post-order: an edge counts for the outermost loop that it
/// leaves.
#[derive(Debug, Default)]
struct Exits {
    of_loop: Adjacency<Loop, Node>,
    nesting: Ancestors<Loop>,
    found: Vec<(Loop, Node)>,
}

impl Exits {
    fn find(&mut self, cx: Context<'_>) {
        let graph = cx.graph;
        let loops = graph.loops();
        let Self {
            of_loop,
            nesting,
            found,
        } = self;
        loops.find_nesting(nesting);
        found.clear();
        for u in graph.nodes() {
            let inner = loops.innermost(u);
            if inner.is_none() {
                continue;
            }
            for edge in graph.edges(u) {
                let level = if Node::is_back_edge(u, edge.to) {
                    loops.innermost(edge.to)
                } else {
                    loops.level_of(edge.to)
                };
                let depth = loops.depth_of(level);
                if depth < loops.depth_of(inner)
                    && let Some(left) = nesting.at_depth(inner, depth + 1).expand()
                {
                    found.push((left, edge.to));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        of_loop.regroup(loops.len(), || found.iter().copied());
    }
}

/// The choice of one loop's merge target.
struct Choice<'a> {
    cx: Context<'a>,
    subtrees: &'a PrimaryMap<Node, Subtree>,
    post: &'a PostDominators<Node>,
}

impl Choice<'_> {
    fn stays_cheaply(&self, node: Node) -> bool {
        self.subtrees[node].stays_cheaply(self.cx.options)
    }

    /// Returns where the exits of a loop lead, which are in reverse post-order.
    fn ends(&self, l: Loop, exits: &[Node], memory: &mut Voters) -> Ends {
        let Some(&last) = exits.last() else {
            return Ends::default();
        };
        let mut meet = self.post.meet(exits).expand();
        memory.all.clear();
        memory.all.extend_from_slice(exits);
        if meet.is_none() {
            meet = self.meet_of_most(memory);
        }
        let voters = &mut memory.all;
        if meet.is_none() {
            // No two of them meet: ends of invocations do not decide, as long as some continue.
            voters
                .retain(|&t| self.subtrees[t].leads() != Leads::Nowhere || !self.stays_cheaply(t));
            if voters.is_empty() {
                return Ends::at(self.end_of_condition(l, exits).unwrap_or(last));
            }
            meet = self.post.meet(voters).expand();
        }
        let best = exits.iter().map(|&t| self.post.end(t)).max();
        let must_leave = |t: Node| {
            Some(t) != meet
                && Some(self.post.end(t)) >= best
                && !(self.cx.runs(Stage::LoopExits) && self.stays_cheaply(t))
        };
        let outside = voters.iter().copied().find(|&t| must_leave(t));
        Ends {
            merge_target: outside.or(meet).or_else(|| voters.first().copied()),
            meet: meet.filter(|_| outside.is_some()),
        }
    }

    /// Returns the exit of the loop's own condition, at its latch or its header.
    fn end_of_condition(&self, l: Loop, exits: &[Node]) -> Option<Node> {
        let graph = self.cx.graph;
        let from = |node: Node| {
            let mut targets = graph.edges(node).iter().map(|e| e.to);
            targets.find(|to| exits.contains(to))
        };
        from(graph.latch(l)).or_else(|| from(graph.header(l)))
    }

    /// Returns the node where most of these nodes meet, if some of them do but not all; in a tie,
    /// the later node in reverse post-order.
    fn meet_of_most(&self, voters: &mut Voters) -> Option<Node> {
        let Voters { all, by_end, most } = voters;
        by_end.clear();
        by_end.extend(all.iter().map(|&t| (self.post.last(t), t)));
        by_end.sort_unstable();
        let groups = by_end.chunk_by(|a, b| a.0 == b.0);
        let largest = groups
            .filter(|group| group.len() > 1)
            .max_by_key(|group| group.len());
        most.clear();
        most.extend(largest.into_iter().flatten().map(|&(_, t)| t));
        self.post.meet(most).expand()
    }
}
