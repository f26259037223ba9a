//! The placement tree: which node follows which, and inside which loop.
//!
//! Each node is a child of its immediate dominator, or, where it leaves loops, follows the
//! outermost loop that it leaves: its parent is then that loop's header. The loop that a node is
//! placed in must be inside the node's natural loop, or equal to it, and contain the loop that the
//! body of each forward predecessor is placed in; any loop between is right, as long as no
//! convergent instruction stays in a loop that it is not part of, unless invocations come to it
//! together ([`uniform_exits`](super::uniform_exits)). Which one is chosen is a matter of shape: a
//! short exit path of a loop that leads to the loop's merge target anyway (`if (c) { x; break; }`)
//! stays inside, the rest comes after the loop.
//!
//! With children in reverse post-order, and those in a loop before those after it, the preorder of
//! the tree is an order in which every forward edge leads forward and every loop is contiguous
//! ([`positions`](super::positions)). The preorder numbers here do not separate the two kinds of
//! children: they are for queries about subtrees and for heuristics.

use super::Context;
use super::loop_exits::LoopExits;
use crate::analysis::ancestors::Ancestors;
use crate::analysis::forward_dominators::ForwardDominators;
use crate::analysis::loops::Loop;
use crate::analysis::postdominators::End;
use crate::entity::{Adjacency, PackedOption, PrimaryMap};
use crate::ir::Terminator;
use crate::passes::subtrees::{Leads, Subtree};
use crate::passes::{Graph, Node};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// Maximum number of loops in which a node tries to stay, innermost first, before its natural loop
/// determines its position.
const MAX_LOOPS_TRIED: u32 = 64;

/// The placement tree. Children are in reverse post-order.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    parent: PrimaryMap<Node, PackedOption<Node>>,
    /// Loop that a node is placed in; for a header the loop around its own.
    placed_in: PrimaryMap<Node, PackedOption<Loop>>,
    /// The loop after which a node comes, if it follows one.
    after_loop: PrimaryMap<Node, PackedOption<Loop>>,
    /// Nesting of loops in the placement tree (differs from the loop forest where a loop is on an
    /// exit path of another).
    loops: Ancestors<Loop>,
    children: Adjacency<Node, Node>,
    after: Adjacency<Loop, Node>,
    intervals: PrimaryMap<Node, Interval>,
    /// The next preorder number of a child of each node, while they are numbered.
    next: PrimaryMap<Node, u32>,
    /// True if a node, with everything that it dominates, stays in a loop that it is not part of.
    stays_whole: PrimaryMap<Node, bool>,
}

/// Preorder numbers of a subtree.
#[derive(Clone, Copy, Debug, Default)]
struct Interval {
    enter: u32,
    size: u32,
}

impl Tree {
    /// Builds the placement tree.
    pub(super) fn place(
        &mut self,
        cx: Context<'_>,
        dominators: &ForwardDominators<Node>,
        subtrees: &PrimaryMap<Node, Subtree>,
        exits: &LoopExits,
        remarks: &mut Remarks,
    ) {
        let graph = cx.graph;
        let n = graph.len();
        self.parent.reset(n);
        self.placed_in.reset(n);
        self.after_loop.reset(n);
        self.loops.reset(graph.loops().len());
        self.stays_whole.reset(n);
        let mut placer = Placer {
            cx,
            subtrees,
            exits,
            tree: self,
        };
        for w in graph.nodes() {
            let natural = graph.level_of(w);
            let idom = dominators.idom(w);
            let placed = match idom {
                Some(idom) if !graph.loops().is_empty() => placer.choose_loop(w, idom, natural),
                _ => natural,
            };
            placer.tree.placed_in[w] = placed;
            if placed != natural
                && remarks.wanted()
                && let Some(l) = placed.expand()
            {
                let header = graph.name(graph.header(l));
                remarks.add(
                    Stage::LoopExits,
                    graph.name(w),
                    Decision::StaysInLoop { header },
                );
            }
            if let Some(own) = graph.loop_headed_by(w) {
                placer.tree.loops.set_parent(own, placed);
            }
            if let Some(idom) = idom {
                placer.attach(w, idom, placed);
            }
        }
        self.collect_children(graph);
    }
}

/// The placement in progress.
struct Placer<'a> {
    cx: Context<'a>,
    subtrees: &'a PrimaryMap<Node, Subtree>,
    exits: &'a LoopExits,
    tree: &'a mut Tree,
}

impl Placer<'_> {
    /// Returns the loop of a node whose forward predecessors have theirs: from the innermost that
    /// is allowed outwards, the first in which it may stay.
    fn choose_loop(
        &mut self,
        w: Node,
        idom: Node,
        natural: PackedOption<Loop>,
    ) -> PackedOption<Loop> {
        let graph = self.cx.graph;
        let mut common: Option<PackedOption<Loop>> = None;
        // Forward predecessors, which are placed already, come first.
        for &p in graph.preds(w).iter().take_while(|&&p| p < w) {
            let of = self.tree.body_loop(graph, p);
            common = Some(common.map_or(of, |c| self.tree.loops.common(c, of)));
            if common == Some(natural) {
                break;
            }
        }
        let mut placed = common.unwrap_or(natural);
        for _ in 0..MAX_LOOPS_TRIED {
            let Some(l) = placed.expand().filter(|_| placed != natural) else {
                break;
            };
            // A loop's merge target is outside of it.
            if self.exits.merge_target(l) != Some(w) && self.may_stay(w, idom, l) {
                return placed;
            }
            placed = self.tree.loops.parent(placed);
        }
        natural
    }

    /// Returns whether a node may stay in a loop that it is not part of: because its dominator
    /// stays with its whole subtree, or for its own reasons.
    fn may_stay(&mut self, w: Node, idom: Node, l: Loop) -> bool {
        let Context { graph, options, .. } = self.cx;
        if !self.cx.runs(Stage::LoopExits) || options.target.single_return && self.returns(w) {
            return false;
        }
        let merge_target = self.exits.merge_target(l);
        let subtree = &self.subtrees[w];
        // A path to the node where all exits meet needs no separate test after the loop. Empty
        // blocks are bypassed there.
        let meet = self.exits.meet(l).filter(|_| !subtree.is_empty());
        let leads_to_merge_target = match subtree.leads() {
            Leads::Nowhere => true,
            Leads::To(to) => merge_target == Some(to) || meet == Some(to),
            Leads::Apart => false,
        };
        // Convergent code stays in the same loops as its dominator, so that the same invocations
        // run it together.
        let is_kept = !subtree.is_convergent() || graph.level_of(w) == graph.level_of(idom);
        let with_dominator =
            self.tree.placed_in[idom] == l.into() && self.tree.stays_whole[idom] && is_kept;
        if with_dominator || subtree.stays_cheaply(options) && leads_to_merge_target {
            self.tree.stays_whole[w] = true;
            return true;
        }
        let post = &self.exits.post;
        let end = merge_target.map_or(End::Endless, |to| post.end(to));
        subtree.stays_cheaply(options)
            && (post.end(w) < end
                || merge_target.is_some_and(|to| post.strictly_post_dominates(to, w)))
    }

    fn returns(&self, w: Node) -> bool {
        matches!(self.cx.terminator(w), Some(Terminator::Return(_)))
    }

    fn attach(&mut self, w: Node, idom: Node, placed: PackedOption<Loop>) {
        let Self { cx, tree, .. } = self;
        let inner = tree.body_loop(cx.graph, idom);
        let left = if inner == placed {
            None
        } else {
            let depth = tree.loops.depth(placed) + 1;
            tree.loops.at_depth(inner, depth).expand()
        };
        tree.parent[w] = left.map_or(idom, |l| cx.graph.header(l)).into();
        tree.after_loop[w] = left.into();
    }
}

impl Tree {
    /// Makes the lists of children and the preorder intervals from the parents.
    fn collect_children(&mut self, graph: &Graph) {
        let Self {
            parent,
            after_loop,
            children,
            after,
            intervals,
            next,
            ..
        } = self;
        children.regroup(graph.len(), || {
            let inside = graph.nodes().filter(|&w| after_loop[w].is_none());
            inside.filter_map(|w| Some((parent[w].expand()?, w)))
        });
        after.regroup(graph.loops().len(), || {
            graph
                .nodes()
                .filter_map(|w| Some((after_loop[w].expand()?, w)))
        });
        intervals.refill(Interval { enter: 0, size: 1 }, graph.len());
        // Children come after their parents in reverse post-order.
        for w in graph.nodes().rev() {
            if let Some(p) = parent[w].expand() {
                let size = intervals[w].size;
                intervals[p].size += size;
            }
        }
        next.refill(1, graph.len());
        for w in graph.nodes() {
            if let Some(p) = parent[w].expand() {
                intervals[w].enter = next[p];
                next[p] += intervals[w].size;
            }
            next[w] = intervals[w].enter + 1;
        }
    }

    /// Moves nodes to parents further out, one after the other. They are in their parents' own
    /// regions.
    pub(super) fn move_out(&mut self, graph: &Graph, moves: &[(Node, Node)]) {
        for &(node, parent) in moves {
            self.parent[node] = parent.into();
        }
        self.collect_children(graph);
    }

    /// Returns the parent of a node; none for the entry.
    pub(crate) fn parent(&self, node: Node) -> Option<Node> {
        self.parent[node].expand()
    }
    /// Returns whether a node is a child of another one, in its region or after its loop.
    pub(crate) fn is_child(&self, node: Node, of: Node) -> bool {
        self.parent[node] == of.into()
    }
    /// Returns the loop that a node is placed in, if any; for a header the loop around its own.
    pub(crate) fn placed_in(&self, node: Node) -> PackedOption<Loop> {
        self.placed_in[node]
    }
    /// Returns the loop that a node's body is placed in: the loop that it heads, if any.
    pub(crate) fn body_loop(&self, graph: &Graph, node: Node) -> PackedOption<Loop> {
        match graph.loop_headed_by(node) {
            Some(own) => own.into(),
            None => self.placed_in[node],
        }
    }
    /// Returns the depth of a placed loop; 0 for none.
    pub(crate) fn loop_depth(&self, l: PackedOption<Loop>) -> u32 {
        self.loops.depth(l)
    }
    /// Returns whether a node comes after the loop that its parent heads.
    pub(crate) fn follows_loop(&self, node: Node) -> bool {
        self.after_loop[node].is_some()
    }
    /// Returns the children in a node's own region.
    pub(crate) fn children(&self, node: Node) -> &[Node] {
        &self.children[node]
    }
    /// Returns the nodes that come after a loop.
    pub(crate) fn after(&self, l: Loop) -> &[Node] {
        &self.after[l]
    }
    /// Returns the preorder number of a node.
    pub(crate) fn enter(&self, node: Node) -> u32 {
        self.intervals[node].enter
    }
    /// Returns the preorder number after a node's subtree.
    pub(crate) fn leave(&self, node: Node) -> u32 {
        self.intervals[node].enter + self.intervals[node].size
    }
    /// Returns how many nodes a subtree has.
    pub(crate) fn size(&self, node: Node) -> u32 {
        self.intervals[node].size
    }
    /// Returns whether `b` is in the subtree of `a`.
    pub(crate) fn contains(&self, a: Node, b: Node) -> bool {
        let (a, b) = (self.intervals[a], self.intervals[b]);
        b.enter.wrapping_sub(a.enter) < a.size
    }
}
