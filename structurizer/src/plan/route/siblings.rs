//! Sibling arms: nodes that follow a construct one after the other, and of which each invocation
//! runs one.
//!
//! Without more, each of them gets a guard: `if selector <= position { node }`, and an invocation
//! passes as many tests as there are nodes. If control does not flow from one of them into another
//! one, they are the arms of one selection instead: an `if` with an `else` for two, a switch on the
//! selector for more. `case 1: case 2: if (v == 1) a; else b; s; break;` comes back like that, and
//! so do two branches on the same condition that a compiler has threaded into each other.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use super::destination::Destination;
use super::{Continuation, Ending, NodeList, Router, Selector, Step, Targets, internal};
use crate::ir::{Block, SelectionHint};
use crate::passes::{Graph, Node};
use crate::plan::blocks::{OutEdge, SelectorSwitch};
use crate::plan::positions::Position;
use crate::remark::Decision;
use crate::result::Error;
use crate::stage::Stage;

/// How many edges are looked at to find siblings, per edge of the graph. The lists of nodes that
/// follow constructs nest, so some nodes are looked at more than once.
const BUDGET_PER_EDGE: usize = 8;

/// One of several sibling arms.
#[derive(Clone, Copy)]
struct Sibling {
    node: Node,
    position: Position,
    /// The nodes that follow it inside the arm.
    following: NodeList,
}

/// Sibling arms, and the nodes that follow all of them.
struct Siblings {
    arms: SmallVec<[Sibling; 4]>,
    rest: NodeList,
}

impl Router<'_> {
    /// Returns the budget for siblings in a graph.
    pub(super) fn sibling_budget(graph: &Graph) -> usize {
        let edges: usize = graph.nodes().map(|node| graph.edges(node).len()).sum();
        edges.saturating_mul(BUDGET_PER_EDGE)
    }

    /// Routes the first of the nodes that follow a merge block as sibling arms, if it has siblings;
    /// returns whether it has.
    pub(super) fn sibling_arms(
        &mut self,
        merge: Block,
        first: Node,
        rest: NodeList,
        targets: &mut Targets,
        at: Continuation,
    ) -> Result<bool, Error> {
        if !self.cx.runs(Stage::SiblingArms) || targets.len() < 2 {
            return Ok(false);
        }
        let Some(siblings) = self.find_siblings(first, rest, targets)? else {
            return Ok(false);
        };
        let is_else = siblings.arms.len() == 2 && targets.len() == 2;
        if !is_else && !self.may_switch(&siblings, at)? {
            return Ok(false);
        }
        for arm in &siblings.arms {
            if !targets.remove(arm.position) {
                return Err(internal("a sibling arm that nothing leads to"));
            }
        }
        self.select(merge, &siblings, core::mem::take(targets), at)?;
        Ok(true)
    }

    /// Writes a selection between sibling arms; what has other targets bypasses all of them.
    fn select(
        &mut self,
        merge: Block,
        siblings: &Siblings,
        others: Targets,
        at: Continuation,
    ) -> Result<(), Error> {
        self.out.order.push(merge);
        self.out.report.selectors += 1;
        self.out.needs_ssa_repair = true;
        let arms = siblings.arms.len() as u32;
        self.remark_selector(merge, Decision::SelectorArms { arms });
        for arm in &siblings.arms {
            self.pending_edges.arrive(merge, arm.position);
        }
        let after = self.fresh();
        self.selection(merge, after, SelectionHint::None);
        let is_else = siblings.arms.len() == 2 && others.is_empty();
        let mut edges = Vec::with_capacity(siblings.arms.len());
        for arm in &siblings.arms {
            let edge = self.add_edge(merge, self.block(arm.node));
            edges.push((arm.position, edge));
        }
        let default = if others.is_empty() {
            edges.pop().map(|(_, edge)| edge)
        } else {
            Some(self.forward(merge, after, others))
        };
        match (&edges[..], default) {
            (&[(bound, then)], Some(otherwise)) if is_else => {
                self.test(merge, Selector::Escape, bound.as_u32(), then, otherwise);
            }
            (_, Some(default)) => {
                self.end(merge, Ending::SelectorSwitch);
                let cases = self.selector_cases(&edges);
                self.out.selector_switches.push(SelectorSwitch {
                    block: merge,
                    selector: Selector::Escape,
                    cases,
                    default,
                });
            }
            _ => return Err(internal("a selection without arms")),
        }
        let inner = Continuation {
            position: self.next_position(siblings.rest, at)?,
            block: after.into(),
            scope: at.scope,
            selector_switches: at.selector_switches + u32::from(!is_else),
        };
        self.walk.steps.push(Step::Merge(after, siblings.rest, at));
        for arm in siblings.arms.iter().rev() {
            if arm.following.is_empty() {
                self.walk.steps.push(Step::Region(arm.node, inner));
            } else {
                let end = self.fresh();
                self.walk.arrivals[end].is_optional = true;
                self.push_region(arm.node, end, arm.following, inner)?;
            }
        }
        Ok(())
    }

    /// Returns the cases of a switch on the selector: the position of each arm, and those of the
    /// empty nodes that lead to it and are bypassed.
    fn selector_cases(&self, arms: &[(Position, OutEdge)]) -> Vec<(u32, OutEdge)> {
        let mut cases = Vec::with_capacity(arms.len());
        // The arms are in the order of their positions.
        let own = |position: Position| arms.binary_search_by_key(&position, |arm| arm.0).is_ok();
        for &(position, edge) in arms {
            // Labels with one target are adjacent.
            cases.push((position.as_u32(), edge));
            let mut stack = vec![position];
            while let Some(to) = stack.pop() {
                let bypassed = self.walk.bypassed.get(&to).into_iter().flatten();
                for &from in bypassed.filter(|&&from| !own(from)) {
                    cases.push((from.as_u32(), edge));
                    stack.push(from);
                }
            }
        }
        cases
    }

    /// Finds the siblings of a node: pending targets among those after it that no edge from the
    /// arms before leads into, each with the nodes up to the next one.
    fn find_siblings(
        &mut self,
        first: Node,
        rest: NodeList,
        targets: &Targets,
    ) -> Result<Option<Siblings>, Error> {
        let start = self.position(first)?;
        let mut arms: SmallVec<[Sibling; 4]> = SmallVec::new();
        arms.push(Sibling {
            node: first,
            position: start,
            following: NodeList::EMPTY,
        });
        let rest = rest.range();
        let (mut arm, mut inner) = (start, rest.start);
        let mut end = rest.start;
        while end < rest.end {
            let node = self.walk.lists[end];
            let position = self.position(node)?;
            let is_arm = targets.contains(position);
            if is_arm {
                arm = position;
            }
            if !self.spend(self.cx.graph.preds(node).len()) || self.is_led_to(node, start, arm) {
                break;
            }
            if is_arm {
                close(&mut arms, inner..end);
                inner = end + 1;
                arms.push(Sibling {
                    node,
                    position,
                    following: NodeList::EMPTY,
                });
            }
            end += 1;
        }
        close(&mut arms, inner..end);
        let rest = NodeList::new(end..rest.end);
        Ok((arms.len() > 1).then_some(Siblings { arms, rest }))
    }

    /// Returns whether an edge from a position in a range leads to a node.
    fn is_led_to(&self, node: Node, from: Position, to: Position) -> bool {
        let positions = &self.shape.positions;
        let mut preds = self.cx.graph.preds(node).iter();
        preds.any(|&p| positions.of(p).is_some_and(|p| from <= p && p < to))
    }

    /// Returns whether there may be a switch around sibling arms. It hides the merge block of a
    /// switch around it, so that no branch of an arm may be a break of that one; and a `continue`
    /// leaves one switch more, of which there may be
    /// [`max_continue_switches`](crate::Options::max_continue_switches).
    fn may_switch(&mut self, siblings: &Siblings, at: Continuation) -> Result<bool, Error> {
        let scope = &self.shape.scopes[at.scope];
        if !scope.is_switch() && scope.loop_scope.is_none() {
            return Ok(true);
        }
        let (Some(first), Some(last)) = (siblings.arms.first(), siblings.arms.last()) else {
            return Ok(false);
        };
        let tree = &self.shape.tree;
        let roots = siblings.arms.iter().flat_map(|arm| {
            let following = &self.walk.lists[arm.following.range()];
            following.iter().chain([&arm.node])
        });
        let nodes: usize = roots.map(|&root| tree.size(root) as usize).sum();
        if !self.spend(nodes) {
            return Ok(false);
        }
        let inside = first.position..self.end_of(first.position, nodes);
        if !inside.contains(&last.position) {
            return Ok(false);
        }
        // What falls through on the level of the arms may have to leave from further inside.
        let outside = Continuation {
            position: None.into(),
            block: None.into(),
            ..at
        };
        let may_exit =
            !scope.is_switch() && at.selector_switches < self.cx.options.max_continue_switches;
        let mut position = inside.start;
        while position < inside.end {
            if let Some(node) = self.shape.positions.node_at(position) {
                let is_shallow = may_exit && !self.is_in_inner_switch(node, at);
                for edge in self.cx.live_edges(node) {
                    let target = self.target(node, edge.to)?;
                    let exit = self
                        .find_destination(outside, target)
                        .filter(|d| d.is_exit && !inside.contains(&target));
                    if exit.is_some_and(|d| !is_shallow || !self.may_leave_switch(d, at)) {
                        return Ok(false);
                    }
                }
            }
            position = position.next();
        }
        Ok(true)
    }

    /// Returns whether an exit may leave a switch: a `continue` may for every target.
    fn may_leave_switch(&self, exit: Destination, at: Continuation) -> bool {
        let scopes = &self.shape.scopes;
        let around = scopes[at.scope].loop_scope.expand();
        self.cx.options.target.leaves_switches()
            || around.is_some_and(|l| self.walk.open[l].continue_target == exit.block.into())
    }

    /// Returns whether a node is in a switch or breakable block inside the scope that is routed.
    fn is_in_inner_switch(&self, node: Node, at: Continuation) -> bool {
        let scopes = &self.shape.scopes;
        let of_node = scopes.of_switch(node).or(scopes.of_breakable(node));
        let inner = of_node.unwrap_or_else(|| scopes.body_scope(self.cx.graph, node));
        let left = scopes.outermost_left(inner, at.scope);
        left.is_some_and(|left| scopes[left].of_loop.is_none())
    }

    /// Returns the position after so many nodes from a position on.
    fn end_of(&self, mut position: Position, mut nodes: usize) -> Position {
        while nodes > 0 && self.shape.positions.contains(position) {
            if self.shape.positions.node_at(position).is_some() {
                nodes -= 1;
            }
            position = position.next();
        }
        position
    }

    /// Takes an amount from the budget; returns false if it is used up.
    pub(super) fn spend(&mut self, amount: usize) -> bool {
        let left = self.sibling_budget.checked_sub(amount + 1);
        self.sibling_budget = left.unwrap_or(0);
        left.is_some()
    }
}

/// Gives the last of some arms the nodes that follow it.
fn close(arms: &mut SmallVec<[Sibling; 4]>, following: Range<usize>) {
    if let Some(last) = arms.last_mut() {
        last.following = NodeList::new(following);
    }
}
