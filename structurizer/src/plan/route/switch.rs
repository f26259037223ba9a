//! Switches: targets in the order of their arms, each before the one that it falls into.

use super::destination::OpenScope;
use super::{Continuation, Ending, Router, Step, SwitchTarget, internal};
use crate::ir::{Block, Terminator};
use crate::passes::{Edge, Node};
use crate::plan::blocks::OutSwitchData;
use crate::result::Error;

impl Router<'_> {
    /// Routes a switch with several targets.
    pub(super) fn switch(
        &mut self,
        node: Node,
        block: Block,
        at: Continuation,
        is_header: bool,
    ) -> Result<(), Error> {
        let terminator = self.cx.terminator(node);
        let (
            Some(Terminator::Switch {
                value,
                default,
                cases,
                hint,
            }),
            Some(scope),
        ) = (terminator, self.shape.scopes.of_switch(node))
        else {
            return Err(internal("several targets without a switch"));
        };
        let block = self.split_header(block, is_header, self.out.order.len());
        let following = self.following_branch(node);
        let block = self.open_labels(block, following.rest())?;
        let merge = self.fresh();
        self.selection(block, merge, hint);
        let position = self.next_position(following, at)?;
        self.open_label(position, merge);
        self.open[scope] = OpenScope {
            merge: Some(merge),
            continue_target: None,
            merge_position: position,
            outer: at,
        };
        let inner = Continuation {
            position,
            block: Some(merge),
            scope,
            selector_switches: 0,
        };
        self.steps.push(Step::Merge(merge, following, at));
        let shape = self.shape;
        let arms = shape.roles.switch_arms(node);
        self.push_arms(arms, inner)?;
        let mut rank_of_arm: Vec<(Node, usize)> =
            arms.iter().enumerate().map(|(i, &a)| (a, i)).collect();
        rank_of_arm.sort_unstable();
        let edges = self.cx.graph.edges(node);
        let mut targets = Vec::with_capacity(edges.len());
        let mut merge_taken = false;
        for (i, &edge) in edges.iter().enumerate() {
            let original = edge
                .assigns
                .ok_or_else(|| internal("a switch edge without a target"))?;
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
            targets.push(SwitchTarget {
                original,
                edge: out,
                rank,
            });
        }
        targets.sort_unstable_by_key(|t| t.original);
        let switch = self.out.switches.push(OutSwitchData {
            value,
            default,
            cases,
            hint,
            targets,
        });
        self.end(block, Ending::Switch(switch));
        Ok(())
    }

    /// Adds the steps for the arms of a switch. A loop that a case falls into gets a block before
    /// its header.
    fn push_arms(&mut self, arms: &[Node], inner: Continuation) -> Result<(), Error> {
        let shape = self.shape;
        for &arm in arms {
            if let Some(next) = shape.roles.falls_into(arm)
                && self.cx.is_header(next)
            {
                let before = self.fresh();
                self.pre_header.insert(next, before);
            }
        }
        for &arm in arms.iter().rev() {
            let at = match shape.roles.falls_into(arm) {
                Some(next) => Continuation {
                    position: self.position(next)?.into(),
                    block: Some(self.entry(next)),
                    scope: inner.scope,
                    selector_switches: inner.selector_switches,
                },
                None => inner,
            };
            self.steps.push(Step::Region(arm, at));
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
    ) -> Result<super::OutEdge, Error> {
        let target = self.target(node, edge.to)?;
        let d = self.destination(inner, target)?;
        if Some(d.block) == inner.block && !*merge_taken {
            *merge_taken = true;
            return Ok(self.branch_to_target(block, node, edge, target, d.block));
        }
        Ok(match self.exit_copy(edge, d, inner)? {
            Some(exit) => self.add_edge(block, exit),
            None => self.branch_by_block(block, node, edge, target, d.block),
        })
    }
}
