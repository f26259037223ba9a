//! Switches: targets in the order of their arms; each precedes the arm that it falls into.

use alloc::vec::Vec;

use super::destination::OpenScope;
use super::{Continuation, Ending, OutEdge, Router, Selector, Step, SwitchTarget, internal};
use crate::ir::{Block, SelectionHint, Terminator};
use crate::passes::{DispatchCase, Edge, Node, NodeKind};
use crate::plan::blocks::{OutSwitchData, SelectorSwitch};
use crate::result::StageError;

/// An edge of a switch.
struct SwitchEdge {
    edge: Edge,
    out: OutEdge,
    /// Position of its cases among the cases of all targets.
    rank: usize,
}

/// The edges of the current switch, and the ranks of its arms.
#[derive(Default)]
pub(super) struct SwitchEdges {
    rank_of_arm: Vec<(Node, usize)>,
    list: Vec<SwitchEdge>,
}

impl Router<'_> {
    /// Routes a switch with several targets.
    pub(super) fn switch(
        &mut self,
        node: Node,
        block: Block,
        at: Continuation,
        is_header: bool,
    ) -> Result<(), StageError> {
        let Some(scope) = self.shape.scopes.of_switch(node) else {
            return Err(internal("several targets without a switch"));
        };
        let block = self.split_header(block, is_header, self.out.order.len());
        let following = self.following_branch(node);
        let block = self.open_labels(block, following.rest())?;
        let merge = self.fresh();
        let hint = match self.cx.terminator(node) {
            Some(Terminator::Switch { hint, .. }) => hint,
            _ => SelectionHint::None,
        };
        self.selection(block, merge, hint);
        let position = self.next_position(following, at)?;
        self.open_label(position, merge);
        self.walk.open[scope] = OpenScope {
            merge: merge.into(),
            continue_target: None.into(),
            merge_position: position,
            outer: at,
        };
        let inner = Continuation {
            position,
            block: merge.into(),
            scope,
        };
        self.walk.steps.push(Step::Merge(merge, following, at));
        let shape = self.shape;
        let arms = shape.roles.switch_arms(node);
        self.push_arms(arms, inner)?;
        let SwitchEdges {
            mut rank_of_arm,
            mut list,
        } = core::mem::take(&mut self.walk.switch_edges);
        rank_of_arm.clear();
        rank_of_arm.extend(arms.iter().enumerate().map(|(i, &a)| (a, i)));
        rank_of_arm.sort_unstable();
        let edges = self.cx.graph.edges(node);
        list.clear();
        let mut merge_taken = false;
        for (i, &edge) in edges.iter().enumerate() {
            let arm = rank_of_arm.binary_search_by_key(&edge.to, |r| r.0);
            let (out, rank) = match arm {
                Ok(found) => {
                    let out = self.branch_into(block, node, edge, self.entry(edge.to));
                    (out, rank_of_arm[found].1)
                }
                Err(_) => {
                    let out = self.case(block, node, edge, inner, &mut merge_taken)?;
                    (out, arms.len() + i)
                }
            };
            list.push(SwitchEdge { edge, out, rank });
        }
        if self.cx.graph.kind(node) == NodeKind::DispatchSwitch {
            self.end_dispatch_switch(node, block, &mut list)?;
        } else {
            self.end_switch(node, block, &list)?;
        }
        self.walk.switch_edges = SwitchEdges { rank_of_arm, list };
        Ok(())
    }

    /// Ends a block in a switch of the input.
    fn end_switch(
        &mut self,
        node: Node,
        block: Block,
        edges: &[SwitchEdge],
    ) -> Result<(), StageError> {
        let Some(Terminator::Switch {
            value,
            default,
            cases,
            hint,
        }) = self.cx.terminator(node)
        else {
            return Err(internal("several targets without a switch"));
        };
        let target = |item: &SwitchEdge| {
            Some(SwitchTarget {
                original: item.edge.assigns.expand()?,
                edge: item.out,
                rank: item.rank,
            })
        };
        if edges.iter().any(|item| item.edge.assigns.is_none()) {
            return Err(internal("a switch edge without a target"));
        }
        let switch = OutSwitchData {
            value,
            default,
            cases,
            hint,
            targets: (0, 0),
        };
        let switch = self.out.add_switch(switch, edges.iter().filter_map(target));
        self.end(block, Ending::Switch(switch));
        Ok(())
    }

    /// Ends a block in a switch on the dispatch selector.
    fn end_dispatch_switch(
        &mut self,
        node: Node,
        block: Block,
        edges: &mut [SwitchEdge],
    ) -> Result<(), StageError> {
        let Some(&SwitchEdge { out: default, .. }) = edges.first() else {
            return Err(internal("a dispatch without targets"));
        };
        edges.sort_unstable_by_key(|item| item.edge.to);
        let way_to = |case: &DispatchCase| {
            let found = edges.binary_search_by_key(&case.to, |item| item.edge.to);
            let item = found.ok().and_then(|i| edges.get(i));
            item.map(|item| (item.rank, case.code.as_u32(), item.out))
        };
        let cases = self.cx.graph.dispatch_cases(node).iter().map(way_to);
        let cases: Option<Vec<_>> = cases.collect();
        let mut cases = cases.ok_or_else(|| internal("a case of a dispatch without a target"))?;
        cases.sort_unstable();
        self.end(block, Ending::SelectorSwitch);
        self.out.selector_switches.push(SelectorSwitch {
            block,
            selector: Selector::Dispatch,
            cases: cases.into_iter().map(|c| (c.1, c.2)).collect(),
            default,
        });
        Ok(())
    }

    /// Adds the steps for the arms of a switch. A loop that a case falls into gets a block before
    /// its header.
    fn push_arms(&mut self, arms: &[Node], inner: Continuation) -> Result<(), StageError> {
        let shape = self.shape;
        for &arm in arms {
            if let Some(next) = shape.roles.falls_into(arm)
                && self.cx.is_header(next)
            {
                let before = self.fresh();
                self.walk.pre_header.insert(next, before);
            }
        }
        for &arm in arms.iter().rev() {
            let at = match shape.roles.falls_into(arm) {
                Some(next) => Continuation {
                    position: self.position(next)?.into(),
                    block: self.entry(next).into(),
                    scope: inner.scope,
                },
                None => inner,
            };
            self.walk.steps.push(Step::Region(arm, at));
        }
        Ok(())
    }

    /// Routes an edge of a switch that does not lead to one of its arms.
    fn case(
        &mut self,
        block: Block,
        node: Node,
        edge: Edge,
        inner: Continuation,
        merge_taken: &mut bool,
    ) -> Result<OutEdge, StageError> {
        let target = self.target(node, edge.to)?;
        let d = self.destination(inner, target)?;
        if inner.block == d.block.into() && !*merge_taken {
            *merge_taken = true;
            return Ok(self.branch_to_target(block, node, edge, target, d.block));
        }
        Ok(match self.exit_copy(node, edge, d, inner)? {
            Some(exit) => self.add_edge(block, exit),
            None => self.branch_by_block(block, node, edge, target, d.block),
        })
    }
}
