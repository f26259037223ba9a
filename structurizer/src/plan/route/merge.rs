//! Merge blocks: where the branches that leave a construct meet, and how control continues there.
//!
//! Everything that can arrive at a merge block has been routed before it, so its pending targets
//! are known. One target: control simply continues there. Several: the selector, which holds the
//! position of the target, is compared once for each node that may follow.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::destination::Destination;
use super::{Continuation, Ending, NodeList, Router, Selector, Step, Targets, internal};
use crate::ir::{Block, SelectionHint, Terminator};
use crate::passes::Node;
use crate::plan::blocks::Bypass;
use crate::plan::positions::Position;
use crate::remark::Decision;
use crate::result::StageError;
use crate::stage::Stage;

/// Maximum number of targets, and of empty blocks, that are followed to one common target.
const MAX_BYPASSED: usize = 16;

/// Minimum number of nodes that follow a construct, each with a guard, for which a comparison that
/// skips half of them is made.
const MANY_GUARDS: usize = 16;

/// Groups of targets with one destination each. Nearly always there is one.
type Groups = SmallVec<[(Destination, Targets); 1]>;

/// An empty block with one successor.
struct EmptyStep {
    block: Block,
    to: Block,
    /// The target that it leads to.
    target: Position,
}

impl Router<'_> {
    /// Routes a merge block. It is followed by the first of the following nodes that is a pending
    /// target, by the continuation of all of them, or by something further out.
    pub(super) fn merge(
        &mut self,
        merge: Block,
        following: NodeList,
        at: Continuation,
    ) -> Result<(), StageError> {
        if self.labels.is_some() {
            // With multi-level exits no path needs a selector.
            return self.labelled_merge(merge, following, at);
        }
        let mut targets = self.walk.pending.take(merge);
        if targets.is_empty() {
            if !self.walk.arrivals[merge].is_optional {
                self.out.order.push(merge);
                // A header declares it, so it must exist.
                self.end(merge, Ending::Unreachable);
            }
            return Ok(());
        }
        self.bypass_empty_targets(merge, &mut targets)?;
        let mut rest = following;
        while !rest.is_empty() {
            let node = self.walk.lists[rest.next as usize];
            rest.next += 1;
            let position = self.position(node)?;
            if !targets.contains(position) {
                continue;
            }
            if targets.only() == Some(position) {
                return self.continue_with(merge, node, rest, at);
            }
            if self.bypass_empty_node(merge, node, rest, &mut targets, at)? {
                continue;
            }
            if let Some(middle) = self.middle(rest, &targets)? {
                return self.halves(merge, rest, middle, targets, at);
            }
            return self.guard(merge, node, rest, targets, at);
        }
        self.leave(merge, targets, at)
    }

    /// Continues with a node that all that is pending leads to: the merge block is not needed.
    fn continue_with(
        &mut self,
        merge: Block,
        node: Node,
        rest: NodeList,
        at: Continuation,
    ) -> Result<(), StageError> {
        self.walk.arrivals[merge].alias = self.block(node).into();
        if rest.is_empty() {
            self.walk.steps.push(Step::Region(node, at));
            return Ok(());
        }
        let after = self.fresh();
        self.walk.arrivals[after].is_optional = true;
        self.push_region(node, after, rest, at)
    }

    /// Adds the steps for a node and the merge block after it.
    pub(super) fn push_region(
        &mut self,
        node: Node,
        after: Block,
        rest: NodeList,
        at: Continuation,
    ) -> Result<(), StageError> {
        let inner = Continuation {
            position: self.next_position(rest, at)?,
            block: after.into(),
            scope: at.scope,
        };
        // The steps are a stack: the region is routed before its merge block.
        self.walk.steps.push(Step::Merge(after, rest, at));
        self.walk.steps.push(Step::Region(node, inner));
        Ok(())
    }

    /// Removes an empty node from the targets if a selector would have to guard it and it leads to
    /// its continuation anyway; returns whether it did. The selector keeps the position of the
    /// node: no test lies between it and the continuation.
    fn bypass_empty_node(
        &mut self,
        merge: Block,
        node: Node,
        rest: NodeList,
        targets: &mut Targets,
        at: Continuation,
    ) -> Result<bool, StageError> {
        if !self.cx.runs(Stage::EmptyBlocks) {
            return Ok(false);
        }
        let Some(step) = self.empty_step(node)? else {
            return Ok(false);
        };
        let position = self.position(node)?;
        let follows = self.next_position(rest, at)? == step.target.into();
        if !follows || !self.may_bypass(&step) || !targets.remove(position) {
            return Ok(false);
        }
        targets.insert(step.target);
        self.note_bypassed(&step);
        self.pending_edges.retarget(merge, position, step.target);
        self.remark_bypassed(&step);
        Ok(true)
    }

    /// Returns whether an empty block may be bypassed without making a chain of bypassed blocks too
    /// long.
    fn may_bypass(&self, step: &EmptyStep) -> bool {
        let links = &self.out.bypassed;
        let mut above = 0;
        let mut at = step.to;
        while let Some(link) = links.get(&at) {
            above += 1;
            at = link.to;
            if above > MAX_BYPASSED {
                return false;
            }
        }
        let below = self
            .walk
            .bypassed_below
            .get(&step.block)
            .copied()
            .unwrap_or(0);
        // A block that is bypassed already adds no link.
        links.contains_key(&step.block) || below + above < MAX_BYPASSED
    }

    fn note_bypassed(&mut self, step: &EmptyStep) {
        let link = Bypass { to: step.to };
        if self.out.bypassed.insert(step.block, link).is_none() {
            let (mut block, mut to) = (step.block, Some(step.to));
            while let Some(next) = to {
                let below = self.walk.bypassed_below.get(&block).copied().unwrap_or(0) + 1;
                let entry = self.walk.bypassed_below.entry(next).or_default();
                *entry = below.max(*entry);
                block = next;
                to = self.out.bypassed.get(&next).map(|link| link.to);
            }
        }
    }

    fn remark_bypassed(&mut self, step: &EmptyStep) {
        let decision = Decision::Bypassed { to: step.to };
        self.remarks.add(Stage::Construction, step.block, decision);
    }

    /// Returns where a node leads that does nothing but branch.
    fn empty_step(&self, node: Node) -> Result<Option<EmptyStep>, StageError> {
        let (func, graph) = (self.cx.func, self.cx.graph);
        let Some(block) = graph.block(node) else {
            return Ok(None);
        };
        let (Terminator::Branch(to), [edge]) = (func.term(block), graph.edges(node)) else {
            return Ok(None);
        };
        let does_nothing = func.is_empty_block(block)
            // A phi there would need the edge from this block.
            && !func.has_phis(to)
            && edge.code.is_none()
            && !self.cx.is_header(node);
        if !does_nothing {
            return Ok(None);
        }
        let target = self.target(node, edge.to)?;
        Ok(Some(EmptyStep { block, to, target }))
    }

    /// Replaces several targets by one, if all of them lead to that through nothing but empty
    /// blocks.
    fn bypass_empty_targets(
        &mut self,
        merge: Block,
        targets: &mut Targets,
    ) -> Result<(), StageError> {
        if !self.cx.runs(Stage::EmptyBlocks) || !(2..=MAX_BYPASSED).contains(&targets.len()) {
            return Ok(());
        }
        let mut ahead = targets.clone();
        let mut passed: SmallVec<[(Position, EmptyStep); 4]> = SmallVec::new();
        for _ in 0..MAX_BYPASSED {
            let Some(first) = ahead.min().filter(|_| ahead.len() > 1) else {
                break;
            };
            let node = self.shape.positions.node_at(first);
            let step = node.map_or(Ok(None), |node| self.empty_step(node))?;
            let Some(step) = step.filter(|step| self.may_bypass(step)) else {
                return Ok(());
            };
            ahead.remove(first);
            ahead.insert(step.target);
            passed.push((first, step));
        }
        if ahead.len() == 1 {
            *targets = ahead;
            for (position, step) in passed {
                self.note_bypassed(&step);
                self.pending_edges.retarget(merge, position, step.target);
                self.remark_bypassed(&step);
            }
        }
        Ok(())
    }

    /// Returns the index of the node that begins the second half of many pending nodes; none if
    /// they are few. The first pending node is the one before `rest`.
    fn middle(&self, rest: NodeList, targets: &Targets) -> Result<Option<usize>, StageError> {
        let mut list = rest.range();
        let Some(last) = list.end.checked_sub(1).filter(|last| list.contains(last)) else {
            return Ok(None);
        };
        let last = self.position(self.walk.lists[last])?;
        let pending_from = |first: Position| targets.first_from(first).filter(|&p| p <= last);
        let mut pending = pending_from(self.position(self.walk.lists[list.start])?);
        for _ in 2..MANY_GUARDS {
            pending = pending.and_then(|p| pending_from(p.next()));
        }
        if pending.is_none() {
            return Ok(None);
        }
        // Both halves of the list have some.
        loop {
            let middle = list.start + list.len() / 2;
            if pending_from(self.position(self.walk.lists[middle])?).is_some() {
                return Ok(Some(middle));
            }
            list.end = middle;
        }
    }

    /// Splits a long list of nodes that each need a guard: one comparison leads to the guards of
    /// the first half, or past all of them. The first node is the one before `rest`.
    fn halves(
        &mut self,
        merge: Block,
        rest: NodeList,
        middle: usize,
        mut targets: Targets,
        at: Continuation,
    ) -> Result<(), StageError> {
        let rest = rest.range();
        let first = NodeList::new(rest.start - 1..middle);
        let second = NodeList::new(middle..rest.end);
        let low = targets.take_below(self.position(self.walk.lists[middle])?);
        let Some(bound) = low.max() else {
            return Err(internal("a half of the guards that nothing leads to"));
        };
        self.out.order.push(merge);
        self.out.report.selectors += 1;
        self.out.needs_ssa_repair = true;
        let to = self.block(self.walk.lists[rest.start - 1]);
        self.remark_selector(merge, Decision::Selector { to });
        let (inner, after) = (self.fresh(), self.fresh());
        self.selection(merge, after, SelectionHint::None);
        let then = self.forward(merge, inner, low);
        let otherwise = self.forward(merge, after, targets);
        self.test(merge, Selector::Escape, bound.as_u32(), then, otherwise);
        let inside = Continuation {
            position: self.next_position(second, at)?,
            block: after.into(),
            scope: at.scope,
        };
        self.walk.steps.push(Step::Merge(after, second, at));
        self.walk.steps.push(Step::Merge(inner, first, inside));
        Ok(())
    }

    /// Guards a node by a selector: paths with other targets bypass it.
    fn guard(
        &mut self,
        merge: Block,
        node: Node,
        rest: NodeList,
        mut others: Targets,
        at: Continuation,
    ) -> Result<(), StageError> {
        let position = self.position(node)?;
        // The set moves on to the next merge block, less this node: copying it would make long
        // sequences of nodes quadratic.
        if !others.remove(position) {
            return Err(internal("a following node that nothing leads to"));
        }
        let block = self.block(node);
        self.out.order.push(merge);
        self.out.report.selectors += 1;
        self.out.needs_ssa_repair = true;
        self.remark_selector(merge, Decision::Selector { to: block });
        self.pending_edges.arrive(merge, position);
        let then = self.add_edge(merge, block);
        let exit = if rest.is_empty() {
            self.common_exit(&others, at)?
        } else {
            None
        };
        if let Some(exit) = exit {
            let otherwise = self.forward(merge, exit, others);
            self.test(merge, Selector::Escape, position.as_u32(), then, otherwise);
            self.walk.steps.push(Step::Region(node, at));
            return Ok(());
        }
        let after = self.fresh();
        self.selection(merge, after, SelectionHint::None);
        let otherwise = self.forward(merge, after, others);
        self.test(merge, Selector::Escape, position.as_u32(), then, otherwise);
        self.push_region(node, after, rest, at)
    }

    /// Writes down a selector and the edges that are the reason of it.
    pub(super) fn remark_selector(&mut self, merge: Block, decision: Decision) {
        if self.remarks.wanted() {
            let edges = self.pending_edges.named(self.cx.graph, merge);
            self.remarks
                .add_for_edges(Stage::Construction, merge, decision, edges);
        }
    }

    /// Returns the break or continue that all these targets share, if they do.
    fn common_exit(
        &self,
        targets: &Targets,
        at: Continuation,
    ) -> Result<Option<Block>, StageError> {
        let mut exit = None;
        let mut next = targets.min();
        while let Some(t) = next {
            let d = self.destination(at, t)?;
            if !d.is_exit || exit.is_some_and(|block| block != d.block) {
                return Ok(None);
            }
            exit = Some(d.block);
            next = self
                .next_change(at, t)
                .and_then(|change| targets.first_from(change));
        }
        Ok(exit)
    }

    /// Routes a merge block that no node follows: control continues with the outer continuation,
    /// with the continue target, or further out.
    pub(super) fn leave(
        &mut self,
        merge: Block,
        mut targets: Targets,
        at: Continuation,
    ) -> Result<(), StageError> {
        self.out.order.push(merge);
        // Groups of targets with the same destination, in order.
        let mut groups = Groups::new();
        while let Some(t) = targets.min() {
            let d = self.destination(at, t)?;
            let change = match targets.only() {
                Some(_) => None,
                None => self.next_change(at, t),
            };
            let part = match change {
                Some(change) => targets.take_below(change),
                None => core::mem::take(&mut targets),
            };
            match groups.last_mut() {
                Some((last, list)) if last.block == d.block => {
                    last.is_exit &= d.is_exit;
                    list.unite(part);
                }
                _ => {
                    let mut group = (d, part);
                    // Where a `break` may not leave a switch, the code after the switch and the
                    // code after the loop are both reached by the switch's merge block. The
                    // continue target is between them, and is reached in the same way.
                    if let Some(first) = groups.iter().position(|(g, _)| g.block == d.block) {
                        for (between, list) in groups.drain(first..) {
                            group.0.is_exit &= between.is_exit;
                            group.1.unite(list);
                        }
                    }
                    groups.push(group);
                }
            }
        }
        // An exit need not be taken at once: a branch beyond a switch leaves by the switch's merge
        // block.
        if groups.len() == 1
            && let Some((d, list)) = groups.pop()
        {
            self.out.needs_ssa_repair |= list.len() > 1;
            self.out.report.ladders += 1;
            self.remarks
                .add(Stage::Construction, merge, Decision::EmptyMerge);
            let edge = self.forward(merge, d.block, list);
            self.end(merge, Ending::Branch(edge));
            return Ok(());
        }
        self.out.report.selectors += 1;
        self.out.needs_ssa_repair = true;
        let ways = groups.len() as u32;
        self.remark_selector(merge, Decision::SelectorDispatch { ways });
        self.dispatch(merge, groups, at)
    }

    /// Compares the selector with the groups one after the other. Exits need no construct; the
    /// continuation of a selection gets a merge block to fall into.
    fn dispatch(
        &mut self,
        merge: Block,
        groups: Groups,
        at: Continuation,
    ) -> Result<(), StageError> {
        let inner = self.fresh();
        let mut fall = Targets::default();
        let mut exits: Vec<(Block, Targets)> = Vec::new();
        for (d, list) in groups {
            if !d.is_exit {
                fall.unite(list);
            } else if let Some((_, targets)) = exits.iter_mut().find(|(b, _)| *b == d.block) {
                targets.unite(list);
            } else {
                exits.push((d.block, list));
            }
        }
        let mut list: Vec<(Block, Targets)> = Vec::new();
        if !fall.is_empty() {
            self.selection(merge, inner, SelectionHint::None);
            self.walk
                .steps
                .push(Step::Merge(inner, NodeList::EMPTY, at));
            list.push((inner, fall));
        }
        // Lowest targets first; those that fall through are below all others, as they stay inside
        // the scope.
        list.extend(exits);
        list.sort_unstable_by_key(|(_, t)| t.max());
        if list.windows(2).any(|w| w[0].1.max() >= w[1].1.min()) {
            return Err(internal("targets with one destination are not contiguous"));
        }
        let Some((last, last_targets)) = list.pop() else {
            return Err(internal("a merge block without targets"));
        };
        let mut block = merge;
        let mut rest = list.into_iter().peekable();
        while let Some((to, targets)) = rest.next() {
            let bound = targets.max().map_or(0, Position::as_u32);
            let then = self.forward(block, to, targets);
            if rest.peek().is_none() {
                let otherwise = self.forward(block, last, last_targets);
                self.test(block, Selector::Escape, bound, then, otherwise);
                return Ok(());
            }
            let next = self.fresh();
            self.out.order.push(next);
            let otherwise = self.add_edge(block, next);
            self.pending_edges.move_all(block, next);
            self.test(block, Selector::Escape, bound, then, otherwise);
            block = next;
        }
        Err(internal("a selector with one target"))
    }
}
