//! Selects: a branch that decides about values only becomes selects.
//!
//! Its arms hold no instructions: each is an edge, or a chain of empty blocks, to the block where they
//! meet. Optimizers leave such branches where they find too many phis or a hint of the source, and so
//! does construction where an edge sets a selector. The values of a phi where the arms meet are defined
//! at the branch, as nothing in an arm defines any, and a select has no effect: nothing is executed that
//! was not before. So there is no limit; a compiler may make a branch of selects, too.
//!
//! The header of a selection then branches to the block that was the merge block, and the arms are
//! removed. Inner selections come first, so that an inner one without phis is a chain of empty blocks
//! when the outer one is looked at. Linear in the function.

use alloc::vec::Vec;

use crate::build::Built;
use crate::entity::{EntityRef, PrimaryMap};
use crate::ir::{Block, Function, Terminator, Value};
use crate::remark::{Decision, Remarks};
use crate::result::Merge;
use crate::stage::Stage;

/// Facts about the blocks of a function.
#[derive(Default)]
pub(crate) struct Memory {
    /// Number of edges to a block.
    edges: PrimaryMap<Block, u32>,
    /// Whether a block is a merge block or a continue target.
    has_role: PrimaryMap<Block, bool>,
    is_removed: PrimaryMap<Block, bool>,
    /// The phis where two arms meet, with the values if the condition is true and if it is false.
    phis: Vec<(Value, [Value; 2])>,
    operands: Vec<(Block, Value)>,
}

/// Replaces the branches of a structured function.
pub(crate) fn run(e: &mut Built, memory: &mut Memory, remarks: &mut Remarks) {
    memory.start(e);
    let mut removed = false;
    for i in (0..e.plan.order.len()).rev() {
        let block = e.plan.order[i];
        if let Some(count) = memory.replace(e, block) {
            removed = true;
            remarks.add(Stage::Selects, block, Decision::Selects { count });
        }
    }
    if removed {
        e.plan.order.retain(|&block| !memory.is_removed[block]);
    }
}

impl Memory {
    fn start(&mut self, e: &Built) {
        self.edges.reset(e.func.num_blocks());
        self.has_role.reset(e.func.num_blocks());
        self.is_removed.reset(e.func.num_blocks());
        for &block in &e.plan.order {
            for to in e.func.successors(block) {
                self.edges[to] += 1;
            }
            match e.merges[block] {
                Merge::None => {}
                Merge::Selection { merge, .. } => self.has_role[merge] = true,
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => {
                    self.has_role[merge] = true;
                    self.has_role[continue_target] = true;
                }
            }
        }
    }

    /// Replaces a branch if it decides about values only. Returns the number of selects.
    fn replace(&mut self, e: &mut Built, block: Block) -> Option<u32> {
        let merge = match e.merges[block] {
            Merge::None => None,
            Merge::Selection { merge, .. } => Some(merge),
            Merge::Loop { .. } => return None,
        };
        let Terminator::CondBranch {
            cond, then, else_, ..
        } = e.func.term(block)
        else {
            return None;
        };
        let (end, to) = self.end_of_arm(e, block, then);
        let (other_end, other_to) = self.end_of_arm(e, block, else_);
        if to != other_to || merge.is_some_and(|merge| merge != to) {
            return None;
        }
        if merge.is_some() {
            e.merges[block] = Merge::None;
            self.has_role[to] = false;
        }
        e.func.set_terminator(block, Terminator::Branch(to));
        for mut block in [then, else_] {
            while block != to
                && let Terminator::Branch(next) = e.func.term(block)
            {
                self.is_removed[block] = true;
                block = next;
            }
        }
        self.edges[to] -= 1;
        self.find_values(&e.func, to, [end, other_end]);
        Some(self.set_phis(e, block, cond, to, [end, other_end]))
    }

    /// Returns the last edge of an arm of empty blocks, which starts with an edge of a branch.
    fn end_of_arm(&self, e: &Built, branch: Block, first: Block) -> (Block, Block) {
        let (mut from, mut to) = (branch, first);
        while self.edges[to] == 1
            && !self.has_role[to]
            && e.merges[to] == Merge::None
            && e.func.is_empty_block(to)
            && let Terminator::Branch(next) = e.func.term(to)
        {
            (from, to) = (to, next);
        }
        (from, to)
    }

    /// Finds the phis of the block where two arms meet, and their values.
    fn find_values(&mut self, func: &Function, to: Block, ends: [Block; 2]) {
        self.phis.clear();
        for phi in func.phis(to) {
            let mut values = [phi; 2];
            for operand in func.phi_operands(phi) {
                for (value, end) in values.iter_mut().zip(ends) {
                    if operand.pred == end {
                        *value = operand.value;
                    }
                }
            }
            match values.map(|value| func.is_hole(value)) {
                [true, _] => values[0] = values[1],
                [_, true] => values[1] = values[0],
                _ => {}
            }
            self.phis.push((phi, values));
        }
    }

    /// Gives the phis of the block where two arms meet one value from the branch, which selects at its
    /// end choose; a phi without other operands is the select. Returns the number of selects.
    fn set_phis(
        &mut self,
        e: &mut Built,
        branch: Block,
        cond: Value,
        to: Block,
        ends: [Block; 2],
    ) -> u32 {
        let has_others = self.edges[to] > 1;
        if !has_others {
            let mut all = self.phis.iter();
            let is_kept = |_| all.next().is_some_and(|(_, [a, b])| a == b);
            e.func.retain_phis(to, is_kept);
        }
        let mut count = 0;
        for &(phi, [then, otherwise]) in &self.phis {
            let is_select = then != otherwise;
            count += u32::from(is_select);
            if is_select && !has_others {
                e.func
                    .make_select_of_phi(phi, branch, [cond, then, otherwise]);
                e.plan.report.phis -= u32::from(phi.index() >= e.input_values);
                continue;
            }
            let ty = e.func.value_type(phi);
            let value = match is_select {
                true => e.func.append_select(branch, [cond, then, otherwise], ty),
                false => then,
            };
            let others = e.func.phi_operands(phi);
            let others = others.filter(|operand| !ends.contains(&operand.pred));
            self.operands.clear();
            self.operands.extend(others.map(|o| (o.pred, o.value)));
            self.operands.push((branch, value));
            e.func.set_phi_operands(phi, &self.operands);
        }
        count
    }
}
