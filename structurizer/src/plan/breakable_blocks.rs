//! Breakable blocks: switches with a default case only, which invocations leave forward without a
//! selector, like WebAssembly's `block`.
//!
//! `if (a) { if (b) { x; goto end; } y; } z; end:` has a merge block (`z`) that some invocations
//! must bypass. Without a breakable block they would carry a selector to it, to be compared there.
//! A *breakable block* spans from the branch to their target: its merge block is `end`, and its
//! break is legal from any selection inside. Returns from inlined functions, breaks out of unrolled
//! loops, and switches that a compiler turned into branches have this form.
//!
//! A breakable block hides the merge block of a switch (or breakable block) around it, so it is
//! made only where nothing inside breaks to that merge block. Cost: the edges times a logarithm.

use alloc::vec::Vec;

use super::Context;
use super::break_flattening::Flattened;
use super::continue_targets::ContinueTargets;
use super::following::Following;
use super::roles::{Role, Roles};
use super::scopes::{ScopeData, Scopes};
use super::tree::Tree;
use crate::entity::{PackedOption, PrimaryMap};
use crate::passes::Node;
use crate::stage::Stage;

/// A node that opens a breakable block, with the edges that the block is for.
type Reasons = (Node, Vec<(Node, Node)>);

/// The breakable blocks.
#[derive(Debug, Default)]
pub(crate) struct BreakableBlocks {
    /// The following node that the merge block of a node's breakable block leads to. Empty if there
    /// are no breakable blocks.
    merge: PrimaryMap<Node, PackedOption<Node>>,
    /// The edges that each of them is for, by node.
    reasons: Vec<Reasons>,
    breaks: Sums,
    following: Following,
    escapes: Vec<Escape>,
}

impl BreakableBlocks {
    /// Forgets all blocks and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.merge.clear();
        self.reasons.clear();
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.merge.is_empty()
    }
    /// Returns the following node that the merge block of a node's breakable block leads to; none
    /// if the node opens none.
    pub(crate) fn merge_of(&self, node: Node) -> Option<Node> {
        self.merge.get(node)?.expand()
    }
    /// Returns whether a node that follows another one comes after its breakable block.
    pub(crate) fn is_after(&self, node: Node, following: Node) -> bool {
        self.merge_of(node).is_some_and(|merge| following >= merge)
    }
    /// Returns the edges that a node's breakable block is for, if remarks are enabled.
    pub(crate) fn reasons(&self, node: Node) -> &[(Node, Node)] {
        let found = self.reasons.binary_search_by_key(&node, |r| r.0);
        let reasons = found.ok().and_then(|at| self.reasons.get(at));
        reasons.map_or(&[], |(_, edges)| edges)
    }
}

/// The parts of the plan that are made before.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) cx: Context<'a>,
    pub(super) tree: &'a Tree,
    pub(super) continue_targets: &'a ContinueTargets,
    pub(super) roles: &'a Roles,
    /// Scopes without breakable blocks.
    pub(super) scopes: &'a Scopes,
    pub(super) flattened: &'a Flattened,
}

/// An edge that needs a selector: the node whose construct it leaves last, and its target, which
/// follows some node around.
#[derive(Debug)]
struct Escape {
    edge: (Node, Node),
    from: Node,
    to: Node,
}

/// Sums over intervals of the placement tree's preorder (Fenwick, "A new data structure for
/// cumulative frequency tables", 1994).
#[derive(Debug, Default)]
struct Sums(Vec<i32>);

impl Sums {
    fn add(&mut self, at: u32, amount: i32) {
        let mut i = at as usize + 1;
        while i < self.0.len() {
            self.0[i] += amount;
            i += i & i.wrapping_neg();
        }
    }
    fn below(&self, end: u32) -> i32 {
        let (mut i, mut sum) = (end as usize, 0);
        while i > 0 {
            sum += self.0[i];
            i &= i - 1;
        }
        sum
    }
}

impl BreakableBlocks {
    /// Chooses the breakable blocks. `wants_reasons` keeps the edges that each of them is for.
    pub(super) fn choose(&mut self, before: Before<'_>, wants_reasons: bool) {
        self.clear();
        let Self {
            merge,
            reasons,
            breaks,
            following,
            escapes,
        } = self;
        let graph = before.cx.graph;
        breaks.0.clear();
        breaks.0.resize(graph.len() + 1, 0);
        let mut choice = Choice {
            before,
            breaks,
            merge,
            reasons: wants_reasons.then_some(reasons),
        };
        following.find(before.cx, before.tree, before.roles);
        escapes.clear();
        choice.find_escapes(following, escapes);
        if escapes.is_empty() && before.flattened.is_empty() {
            return;
        }
        choice.merge.reset(graph.len());
        // By the node that their targets follow, outer nodes first.
        let outer = |e: &Escape| before.tree.parent(e.to);
        escapes.sort_by_key(|e| (outer(e), e.to));
        // Nodes that were brought together have their block before all others.
        choice.choose_flattened();
        if before.cx.runs(Stage::BreakableBlocks) {
            for group in escapes.chunk_by(|a, b| outer(a) == outer(b)) {
                choice.choose_one(group);
            }
        }
        if self.merge.values().all(PackedOption::is_none) {
            self.clear();
        }
        self.reasons.sort_unstable_by_key(|r| r.0);
    }
}

/// The choice in progress.
struct Choice<'a> {
    before: Before<'a>,
    /// Counts for each node the edges below it that break out of the innermost switch or breakable
    /// block around that node.
    breaks: &'a mut Sums,
    merge: &'a mut PrimaryMap<Node, PackedOption<Node>>,
    reasons: Option<&'a mut Vec<Reasons>>,
}

impl Choice<'_> {
    fn choose_flattened(&mut self) {
        let Before {
            cx: Context { graph, .. },
            tree,
            roles,
            flattened,
            ..
        } = self.before;
        for head in graph.nodes() {
            let Some(&first) = flattened.get(&head) else {
                continue;
            };
            let after = || {
                let following = roles.following(tree, head);
                following.filter(|&c| c >= first)
            };
            if self.hides_breaks(head, after()) {
                continue;
            }
            self.merge[head] = first.into();
            let mut edges = Vec::new();
            for to in after() {
                for &from in graph.preds(to).iter().filter(|&&p| tree.contains(head, p)) {
                    self.add_break(from, head);
                    edges.push((from, to));
                }
            }
            if let Some(reasons) = &mut self.reasons {
                reasons.push((head, edges));
            }
        }
    }

    /// Chooses whether there is a breakable block for edges whose targets follow one node, in the
    /// order of their targets.
    fn choose_one(&mut self, group: &[Escape]) {
        let Before {
            cx, tree, roles, ..
        } = self.before;
        let Some(head) = tree.parent(group[0].to) else {
            return;
        };
        if self.merge[head].is_some() || !cx.is_two_way(head) {
            return;
        }
        // Several targets that several edges each lead to: all are collected before the first, and
        // dispatched there by one selector. Else the target that most lead to.
        let targets = || group.chunk_by(|a, b| a.to == b.to);
        let is_shared = |same: &&[Escape]| same.len() > 1;
        let collect = targets()
            .filter(is_shared)
            .nth(1)
            .and_then(|_| targets().find(is_shared));
        let Some(best) = collect.or_else(|| targets().max_by_key(|same| same.len())) else {
            return;
        };
        let first = best[0].to;
        let after = roles.following(tree, head).filter(|&c| c >= first);
        if self.hides_breaks(head, after) {
            return;
        }
        self.merge[head] = first.into();
        // Breaks out of this block must not be hidden by another one inside it.
        let leaving = || group.iter().filter(|e| e.to >= first);
        for escape in leaving() {
            self.add_break(escape.from, head);
        }
        if let Some(reasons) = &mut self.reasons {
            reasons.push((head, leaving().map(|e| e.edge).collect()));
        }
    }

    /// Counts an edge from a node that breaks out of a block that `head` opens.
    fn add_break(&mut self, from: Node, head: Node) {
        self.breaks.add(self.before.tree.enter(from), 1);
        // Only intervals below the head count it.
        self.breaks.add(self.before.tree.enter(head), -1);
    }

    /// Returns whether a breakable block at a node would hide a merge block that something inside
    /// breaks to. It does not hide breaks in the code after it.
    fn hides_breaks(&self, head: Node, after: impl Iterator<Item = Node>) -> bool {
        let tree = self.before.tree;
        let inside =
            |node: Node| self.breaks.below(tree.leave(node)) - self.breaks.below(tree.enter(node));
        inside(head) != after.map(inside).sum::<i32>()
    }

    /// Finds the edges that need a selector, and counts breaks.
    fn find_escapes(&mut self, following: &Following, escapes: &mut Vec<Escape>) {
        let Before {
            cx,
            tree,
            continue_targets,
            roles,
            scopes,
            ..
        } = self.before;
        let hides_no_loop = cx.options.target.leaves_switches();
        for u in cx.graph.nodes() {
            for edge in cx.live_edges(u) {
                let to = edge.to;
                if roles.is_arm_of(tree, to, u) || continue_targets.continues(cx, u, to).is_some() {
                    continue;
                }
                let inner = scopes.body_scope(cx.graph, u);
                let left = scopes.outermost_left(inner, scopes.sequence_scope(to));
                let left = left.map(|scope| &scopes[scope]);
                let from = left.and_then(|s| s.head.expand()).unwrap_or(u);
                let leaves_switch = left.is_some_and(|s| s.of_loop.is_none());
                let may_hide = |s: &ScopeData| {
                    let leaves_one_loop = s.of_loop.is_some() && !hides_no_loop;
                    (s.of_loop.is_none() || leaves_one_loop)
                        && s.loop_scope == scopes[inner].loop_scope
                };
                if left.is_some_and(may_hide) {
                    // It leaves switches only: the merge block of the outermost one must stay in
                    // reach, and the merge block of a loop, too, where a `break` may not leave a
                    // switch.
                    self.add_break(u, from);
                }
                let falls_to = match left {
                    Some(s) if s.of_loop.is_some() => following.after_loop(from),
                    _ => following.after_branch(from),
                };
                // Edges that leave a switch for code after its following nodes meet others at its
                // merge block and need a selector there anyway: to bypass the following nodes costs
                // no more.
                let is_next = leaves_switch && following.after(from) == Some(to);
                if falls_to != Some(to)
                    && !is_next
                    // A copy of the end takes the place of a break.
                    && !cx.may_copy_exit(to)
                    && roles.role(to) == Role::Following
                    && tree.parent(to).is_some_and(|p| tree.contains(p, from))
                {
                    escapes.push(Escape {
                        edge: (u, to),
                        from,
                        to,
                    });
                }
            }
        }
    }
}
