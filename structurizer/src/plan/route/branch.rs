//! Branches with two targets, and the breakable blocks that they open.

use super::destination::{Destination, OpenScope};
use super::{Continuation, Ending, Router, Selector, Step, internal};
use crate::ir::{Block, SelectionHint, Terminator, Value};
use crate::passes::{Code, Edge, Node, NodeKind};
use crate::plan::blocks::OutEdge;
use crate::plan::positions::Position;
use crate::result::StageError;

/// Condition of a two-way branch.
#[derive(Clone, Copy)]
pub(super) enum Condition {
    Value(Value),
    Dispatch(Code),
}

/// One side of a two-way branch.
#[derive(Clone, Copy)]
enum Side {
    /// An arm's region.
    Arm(Node),
    /// A copy of a block that ends the invocation, made for this branch.
    ExitCopy(Block),
    /// A branch to a target.
    Target(Position, Destination),
}

impl Side {
    /// Returns whether it is a break or a continue.
    fn is_exit(&self) -> bool {
        matches!(self, Self::Target(_, d) if d.is_exit)
    }
}

impl Router<'_> {
    /// Returns the condition of a two-way branch.
    pub(super) fn condition(&self, node: Node) -> Result<Condition, StageError> {
        match (self.cx.graph.kind(node), self.cx.terminator(node)) {
            (NodeKind::Dispatch { bound: Some(bound) }, _) => Ok(Condition::Dispatch(bound)),
            (_, Some(Terminator::CondBranch { cond, .. })) => Ok(Condition::Value(cond)),
            _ => Err(internal("a branch with two targets and no condition")),
        }
    }

    /// Ends a block in a conditional branch.
    pub(super) fn conditional(
        &mut self,
        block: Block,
        condition: Condition,
        then: OutEdge,
        otherwise: OutEdge,
    ) {
        match condition {
            Condition::Value(cond) => self.end(
                block,
                Ending::Conditional {
                    cond,
                    then,
                    otherwise,
                },
            ),
            Condition::Dispatch(bound) => {
                self.test(block, Selector::Dispatch, bound.as_u32(), then, otherwise);
            }
        }
    }

    fn side(&mut self, node: Node, edge: Edge, at: Continuation) -> Result<Side, StageError> {
        if self.is_arm(node, edge.to) {
            return Ok(Side::Arm(edge.to));
        }
        let target = self.target(node, edge.to)?;
        if self.is_following(node, edge.to) {
            // It leads to the merge block that the branch is about to get.
            let d = Destination {
                block: self.block(edge.to),
                is_exit: false,
                arrives: true,
            };
            return Ok(Side::Target(target, d));
        }
        let d = self.destination(at, target)?;
        Ok(match self.exit_copy(node, edge, d, at)? {
            Some(exit) => Side::ExitCopy(exit),
            None => Side::Target(target, d),
        })
    }

    /// Opens a node's breakable block, if it has one: a switch with a default case only before its
    /// branch. Returns the block of the branch, the continuation inside, and whether the block of
    /// the branch is a loop header.
    fn open_breakable(
        &mut self,
        node: Node,
        block: Block,
        at: Continuation,
        is_header: bool,
    ) -> Result<(Block, Continuation, bool), StageError> {
        let Some(scope) = self.shape.scopes.of_breakable(node) else {
            return Ok((block, at, is_header));
        };
        let block = self.split_header(block, is_header, self.out.order.len());
        let (branch, merge) = (self.fresh(), self.fresh());
        self.out.order.push(branch);
        let edge = self.add_edge(block, branch);
        self.end(block, Ending::Breakable(edge));
        self.selection(block, merge, SelectionHint::None);
        self.out.report.breakable_blocks += 1;
        self.out.any_breakable = true;
        self.walk.breakable.push((block, node));
        let shape = self.shape;
        let following = shape.roles.following(&shape.tree, node);
        let after = self.list(following.filter(|&c| shape.breakable.is_after(node, c)));
        let position = self.next_position(after, at)?;
        self.walk.open[scope] = OpenScope {
            merge: merge.into(),
            continue_target: None.into(),
            merge_position: position,
            outer: at,
        };
        self.walk.steps.push(Step::Merge(merge, after, at));
        let inside = Continuation {
            position,
            block: merge.into(),
            scope,
        };
        Ok((branch, inside, false))
    }

    /// Routes a branch with two targets.
    pub(super) fn two_way(
        &mut self,
        node: Node,
        block: Block,
        edges: [Edge; 2],
        at: Continuation,
        is_header: bool,
    ) -> Result<(), StageError> {
        let condition = self.condition(node)?;
        let (block, at, is_header) = self.open_breakable(node, block, at, is_header)?;
        let order_at = self.out.order.len();
        let sides = [
            self.side(node, edges[0], at)?,
            self.side(node, edges[1], at)?,
        ];
        // Forms that need no construct: one side is a break or continue and the other continues, or
        // both are. Nodes that break flattening moved here follow the branch all the same.
        let needs_no_merge = |s: &Side| s.is_exit() || !matches!(s, Side::Target(..));
        let shape = self.shape;
        let is_followed = shape
            .roles
            .following(&shape.tree, node)
            .any(|c| !shape.breakable.is_after(node, c));
        if !is_followed && sides.iter().any(Side::is_exit) && sides.iter().all(needs_no_merge) {
            self.without_merge(node, block, edges, sides, condition, at);
            return Ok(());
        }
        let block = self.split_header(block, is_header, order_at);
        self.with_merge(node, block, edges, sides, condition, at)
    }

    /// Routes a two-way branch as a selection with a merge block.
    fn with_merge(
        &mut self,
        node: Node,
        block: Block,
        edges: [Edge; 2],
        sides: [Side; 2],
        condition: Condition,
        at: Continuation,
    ) -> Result<(), StageError> {
        let hint = match self.cx.terminator(node) {
            Some(Terminator::CondBranch { hint, .. }) => hint,
            _ => SelectionHint::None,
        };
        let flat = match sides {
            [Side::Arm(_), Side::Arm(_)] => self.shape.flat_arms.of(node),
            [Side::Arm(a), Side::ExitCopy(_)] | [Side::ExitCopy(_), Side::Arm(a)] => Some(a),
            _ => None,
        };
        let mut following = self.list(flat);
        following.end = self.following_branch(node).end;
        let block = self.open_labels(block, following.rest())?;
        let merge = self.fresh();
        self.selection(block, merge, hint);
        let inner = Continuation {
            position: self.next_position(following, at)?,
            block: merge.into(),
            scope: at.scope,
        };
        self.open_label(inner.position, merge);
        self.walk.steps.push(Step::Merge(merge, following, at));
        let mut regions = [None; 2];
        let mut taken = None;
        let mut route = |router: &mut Self, i: usize| {
            let edge = edges[i];
            Ok::<_, StageError>(match sides[i] {
                Side::Arm(arm) if Some(arm) != flat => {
                    regions[i] = Some(arm);
                    router.branch_into(block, node, edge, router.entry(arm))
                }
                Side::ExitCopy(exit) => router.add_edge(block, exit),
                Side::Target(target, d) if d.is_exit => {
                    router.branch_to_target(block, node, edge, target, d.block)
                }
                Side::Arm(_) | Side::Target(..) => {
                    let target = router.target(node, edge.to)?;
                    // A node that follows the first one has its own label.
                    let label = router.labels.as_ref().and_then(|l| l.innermost(target));
                    let to = label.unwrap_or(merge);
                    if taken.replace(to) == Some(to) {
                        router.branch_by_block(block, node, edge, target, to)
                    } else {
                        router.branch_to_target(block, node, edge, target, to)
                    }
                }
            })
        };
        let then = route(self, 0)?;
        let otherwise = route(self, 1)?;
        for arm in regions.into_iter().rev().flatten() {
            self.walk.steps.push(Step::Region(arm, inner));
        }
        self.conditional(block, condition, then, otherwise);
        Ok(())
    }

    /// Routes a two-way branch with a break or a continue on one side, without a merge block.
    fn without_merge(
        &mut self,
        node: Node,
        block: Block,
        edges: [Edge; 2],
        sides: [Side; 2],
        condition: Condition,
        at: Continuation,
    ) {
        let mut taken = None;
        let mut route = |router: &mut Self, i: usize| {
            let edge = edges[i];
            match sides[i] {
                Side::Arm(arm) => {
                    router.walk.steps.push(Step::Region(arm, at));
                    router.branch_into(block, node, edge, router.entry(arm))
                }
                Side::ExitCopy(exit) => router.add_edge(block, exit),
                Side::Target(target, d) if taken == Some(d.block) => {
                    router.branch_by_block(block, node, edge, target, d.block)
                }
                Side::Target(target, d) => {
                    taken = Some(d.block);
                    router.branch_to_target(block, node, edge, target, d.block)
                }
            }
        };
        let then = route(self, 0);
        let otherwise = route(self, 1);
        self.conditional(block, condition, then, otherwise);
    }
}
