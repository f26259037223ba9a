//! Switches: cases in the order of their arms, each before the one that it falls into.

use crate::canonicalize::Node;
use crate::construct::emit::{Emitter, Step, internal};
use crate::construct::transfer::{Context, OpenFrame};
use crate::graph::NONE;
use crate::ir::{Block, CaseRange, SelectionHint, Terminator, Value};
use crate::result::{Error, Merge};

impl Emitter<'_> {
    pub(super) fn switch(
        &mut self,
        node: Node,
        block: Block,
        context: Context,
        is_header: bool,
    ) -> Result<(), Error> {
        let Some(origin) = self.origin(node) else {
            return Err(internal("a switch without a block"));
        };
        let Terminator::Switch {
            value,
            default,
            cases,
            hint,
        } = self.func.term(origin)
        else {
            return Err(internal("several targets without a switch"));
        };
        let block = self.split_header(block, is_header, self.order.len());
        let frame = self.layout.switch_frame[node as usize];
        let join = self.fresh();
        self.merges[block] = Merge::Selection { merge: join, hint };
        let items = self.items_of(node);
        let follow_position = items.first().map_or(context.follow_position, |&i| {
            self.layout.position[i as usize]
        });
        self.open[frame as usize] = OpenFrame {
            merge: Some(join),
            continue_target: None,
            follow_position,
            outer: context,
        };
        let inner = Context {
            follow_position,
            follow: Some(join),
            frame,
        };
        let items = self.pool(&items);
        self.steps.push(Step::Join(join, items, context));
        // Targets in the order of their cases: arms first, each before the one that it falls into.
        let edges = self.graph.edges(node).to_vec();
        let arms = self.layout.arms_of_switch(node).to_vec();
        for &arm in &arms {
            let next = self.layout.falls_into[arm as usize];
            if next != NONE && self.header_of(next).is_some() {
                let before = self.fresh();
                self.pre_header.insert(next, before);
            }
        }
        for &arm in arms.iter().rev() {
            let falls_into = self.layout.falls_into[arm as usize];
            let mut context = inner;
            if falls_into != NONE {
                context.follow_position = self.layout.position[falls_into as usize];
                context.follow = Some(self.entry(falls_into));
            }
            self.steps.push(Step::Region(arm, context));
        }
        let mut rank_of_arm: Vec<(Node, u32)> = arms
            .iter()
            .enumerate()
            .map(|(i, &a)| (a, i as u32))
            .collect();
        rank_of_arm.sort_unstable();
        let mut physical: Vec<(Block, Block, u32)> = Vec::with_capacity(edges.len()); // (original target, block, rank)
        let mut join_taken = false;
        for (i, &edge) in edges.iter().enumerate() {
            let original = edge
                .assigns
                .ok_or_else(|| internal("a switch edge without a target"))?;
            let arm = rank_of_arm.binary_search_by_key(&edge.to, |r| r.0).ok();
            let to = if let Some(at) = arm {
                physical.push((original, self.entry(edge.to), rank_of_arm[at].1));
                self.enter(block, node, edge);
                continue;
            } else {
                let target = self.target(node, edge.to);
                let d = self.destination(inner, target)?;
                if d.block == join && !join_taken {
                    join_taken = true;
                    self.go(block, node, edge, target, join);
                    join
                } else if let Some(end) = self.end_block(edge, d, inner) {
                    self.link(block, end);
                    end
                } else {
                    self.edge_block(block, node, edge, target, d.block)
                }
            };
            physical.push((original, to, (arms.len() + i) as u32));
        }
        self.set_switch(block, value, default, cases, hint, physical)
    }

    fn set_switch(
        &mut self,
        block: Block,
        value: Value,
        default: Block,
        cases: CaseRange,
        hint: SelectionHint,
        mut physical: Vec<(Block, Block, u32)>,
    ) -> Result<(), Error> {
        physical.sort_unstable_by_key(|p| p.0);
        let find = |target: Block| {
            let at = physical
                .binary_search_by_key(&target, |p| p.0)
                .map_err(|_| internal("a case without a target"))?;
            Ok::<_, Error>(physical[at])
        };
        let mut list = Vec::with_capacity(cases.len());
        for (i, case) in self.func.cases(cases).iter().enumerate() {
            let (_, to, rank) = find(case.target)?;
            list.push((rank, i, case.literal, to));
        }
        list.sort_unstable_by_key(|c| (c.0, c.1));
        let default = find(default)?.1;
        let list: Vec<(u64, Block)> = list
            .into_iter()
            .map(|(_, _, literal, to)| (literal, to))
            .collect();
        let cases = self.func.add_cases(&list);
        self.func.set_terminator(
            block,
            Terminator::Switch {
                value,
                default,
                cases,
                hint,
            },
        );
        Ok(())
    }
}
