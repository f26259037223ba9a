//! Switches: where their cases meet, and which case falls into which.
//!
//! A case that exactly one other case flows into follows that case directly (a fall-through, which
//! SPIR-V allows to the next case). The exception is where the cases meet, which follows the
//! switch: what all of them come by that go on at all. Cases that continue or leave the loop, and
//! those that only kill, go on nowhere; if they pass the place by and yet reach what stands behind
//! it, there is no such place.

use crate::canonicalize::{Graph, Node, NodeKind};
use crate::construct::layout::{Intervals, Layout, Role};
use crate::construct::placement::Placement;
use crate::graph::{
    NONE,
    loops::Loop,
    postdominators::{End, PostDominators, level_of},
};
use crate::ir::Function;

/// A switch and what is asked about its cases.
struct Cases<'a> {
    func: &'a Function,
    graph: &'a Graph,
    placement: &'a Placement,
    tree: &'a Intervals,
    role: &'a [Role],
    switch: Node,
    /// Children of the switch in the placement tree, in reverse post-order.
    children: Vec<Node>,
    /// The loop that the switch itself is in, which may be the one that it heads.
    level: Loop,
}

/// Chooses the cases that others fall into and the case that follows the switch, if it is one.
pub(super) fn choose(
    layout: &mut Layout,
    func: &Function,
    graph: &Graph,
    placement: &Placement,
    tree: &Intervals,
    switch: Node,
) {
    let children: Vec<Node> = placement.children(switch, false).collect();
    let cases = Cases {
        func,
        graph,
        placement,
        tree,
        role: &layout.role,
        switch,
        children,
        level: graph.loops.of[switch as usize],
    };
    let meet = cases.meet();
    let Cases { children, .. } = cases;
    if meet != NONE
        && placement.parent[meet as usize] == switch
        && layout.role[meet as usize] == Role::Arm
    {
        // The only case that goes on.
        layout.role[meet as usize] = Role::Item;
    }
    let mut targets: Vec<Node> = graph.edges(switch).iter().map(|e| e.to).collect();
    targets.sort_unstable();
    for &y in &children {
        // Two edges to one dispatch header carry different codes, so each needs a block of its own.
        let first = targets.partition_point(|&t| t < y);
        let is_target = targets.get(first) == Some(&y) && targets.get(first + 1) != Some(&y);
        if layout.role[y as usize] != Role::Item || !is_target || y == meet {
            continue;
        }
        let from = only_case_before(graph, tree, &layout.role, &children, switch, y);
        if from != NONE && layout.falls_into[from as usize] == NONE {
            layout.falls_into[from as usize] = y;
            layout.role[y as usize] = Role::Arm;
        }
    }
}

/// The child of the switch that a node is in; [`NONE`] if it is in none.
fn child_of(tree: &Intervals, children: &[Node], node: Node) -> Node {
    let at = children.partition_point(|&c| tree.enter[c as usize] <= tree.enter[node as usize]);
    at.checked_sub(1)
        .map(|i| children[i])
        .filter(|&child| tree.contains(child, node))
        .unwrap_or(NONE)
}

/// The only case that control comes from to `to`, but for the switch itself; [`NONE`] if there are
/// none or several.
fn only_case_before(
    graph: &Graph,
    tree: &Intervals,
    role: &[Role],
    children: &[Node],
    switch: Node,
    to: Node,
) -> Node {
    let mut from = NONE;
    for &p in graph
        .cfg
        .preds(to)
        .iter()
        .filter(|&&p| p != switch && !graph.dfs.is_ancestor(to, p))
    {
        let child = child_of(tree, children, p);
        if child == NONE || role[child as usize] != Role::Arm || from != NONE && from != child {
            return NONE;
        }
        from = child;
    }
    from
}

impl Cases<'_> {
    fn targets(&self) -> impl Iterator<Item = Node> + '_ {
        self.graph.edges(self.switch).iter().map(|e| e.to)
    }
    fn post(&self) -> &PostDominators {
        &self.placement.follows.post
    }
    /// Whether a case stays on the switch's level.
    fn stays(&self, to: Node) -> bool {
        level_of(&self.graph.loops, to) == self.level
            && !self.graph.dfs.is_ancestor(to, self.switch)
    }
    /// Whether a case does nothing but continue the loop.
    fn continues(&self, to: Node) -> bool {
        let is_next = |to: Node| {
            self.placement.continue_node[self.level as usize] == to
                || self.graph.loops.headers[self.level as usize] == to
        };
        // A block of several cases is where these meet, and a case of another switch has to be got
        // to first.
        let is_own = self.role[to as usize] == Role::Arm
            && self.placement.parent[to as usize] == self.switch;
        let does_nothing = || {
            is_own
                && matches!(self.graph.kinds[to as usize], NodeKind::Block(block) if self.func.is_empty_block(block))
        };
        self.level != NONE
            && (is_next(to)
                || matches!(self.graph.edges(to), [edge] if is_next(edge.to)) && does_nothing())
    }
    /// Whether a case is killed, or runs for ever, in code of its own.
    fn dies(&self, to: Node) -> bool {
        self.post().end(to) < End::Return && self.tree.contains(to, self.post().last(to))
    }
    /// Whether a case leaves the loop on a way of its own.
    fn breaks(&self, to: Node) -> bool {
        let follow = if self.level == NONE {
            NONE
        } else {
            self.placement.follows.follow[self.level as usize]
        };
        let scope = self.placement.inner_scope(self.graph, self.switch);
        let own_way = || {
            follow != NONE
                && self
                    .post()
                    .before(follow, to)
                    .is_some_and(|last| self.tree.contains(to, last))
        };
        to == follow || self.placement.scope[to as usize] != scope || own_way()
    }
    /// Where the cases meet that go on; [`NONE`] if there is no such place.
    fn meet(&self) -> Node {
        let harmless =
            |to: Node| self.stays(to) || self.continues(to) || self.dies(to) || self.breaks(to);
        if !self.targets().all(harmless) {
            return NONE;
        }
        let inside: Vec<Node> = self
            .targets()
            .filter(|&to| self.stays(to) && !self.continues(to))
            .collect();
        let meet = self.post().meet(&inside);
        if meet == NONE
            || self.targets().any(|to| self.is_behind(meet, to))
            || inside.iter().any(|&to| self.goes_by(meet, to))
        {
            return NONE;
        }
        meet
    }
    /// Whether a case is where control comes to behind `meet`, too.
    fn is_behind(&self, meet: Node, to: Node) -> bool {
        let enter = |node: Node| self.tree.enter[node as usize];
        let follows = self.role[to as usize] == Role::Item
            && self.placement.parent[to as usize] == self.switch;
        let from = |&p: &Node| {
            let child = child_of(self.tree, &self.children, p);
            child != NONE
                && enter(child) >= enter(meet)
                && (child == meet || self.role[child as usize] == Role::Item)
        };
        follows
            && to != meet
            && enter(to) > enter(meet)
            && self.graph.cfg.preds(to).iter().any(from)
    }
    /// Whether a case ends otherwise than what comes by `meet`, and shares its end with more than
    /// one other case.
    fn goes_by(&self, meet: Node, to: Node) -> bool {
        // What stands behind an outer construct lies behind all that stands behind the switch.
        if self.placement.parent[meet as usize] == self.switch
            && self.placement.parent[to as usize] != self.switch
        {
            return true;
        }
        let last = self.post().last(to);
        let falls = || {
            self.placement.parent[last as usize] == self.switch
                && only_case_before(
                    self.graph,
                    self.tree,
                    self.role,
                    &self.children,
                    self.switch,
                    last,
                ) != NONE
        };
        self.post().end(to) < self.post().end(meet) && !self.tree.contains(to, last) && !falls()
    }
}
