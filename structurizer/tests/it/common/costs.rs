//! The cost of an exit out of several constructs at run time: selector writes, and tests of it,
//! between two pieces of the client's code.

use std::collections::HashMap;

use structurizer_testkit::generate::Rng;
use trellis_structurizer::ir::{
    Block, Function, InstKind, SelectorOp, Terminator, Value, ValueKind,
};
use trellis_structurizer::{Merge, Structured};

/// The costs of one way from a piece of code to the next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Costs {
    /// Values that some edge on the way gives to a selector.
    pub(crate) writes: u32,
    /// Branches on a selector.
    pub(crate) tests: u32,
    /// Merge blocks that control passes: the constructs that it leaves.
    pub(crate) levels: u32,
}

/// Lets one lane run with random decisions, and gives the costs of each way that tests a selector.
pub(crate) fn run(structured: &Structured, seed: u64, steps: u32) -> Vec<Costs> {
    let func = &structured.func;
    let merges: Vec<Block> = structured
        .order
        .iter()
        .filter_map(|&block| match structured.merges[block] {
            Merge::Selection { merge, .. } | Merge::Loop { merge, .. } => Some(merge),
            Merge::None => None,
        })
        .collect();
    let mut lane = Lane {
        func,
        rng: Rng::new(seed),
        selectors: HashMap::new(),
        current: None,
        costs: Costs::default(),
        found: Vec::new(),
    };
    let mut at = structured.order[0];
    for _ in 0..steps {
        if merges.contains(&at) {
            lane.costs.levels += 1;
        }
        let Some(to) = lane.step(at) else { break };
        lane.take(at, to);
        at = to;
    }
    lane.end_of_way();
    lane.found
}

struct Lane<'a> {
    func: &'a Function,
    rng: Rng,
    selectors: HashMap<Value, u32>,
    /// The lane's last selector value.
    current: Option<u32>,
    costs: Costs,
    found: Vec<Costs>,
}

impl Lane<'_> {
    fn end_of_way(&mut self) {
        let costs = std::mem::take(&mut self.costs);
        if costs.tests > 0 {
            self.found.push(costs);
        }
    }

    /// Runs a block, and decides where to go.
    fn step(&mut self, at: Block) -> Option<Block> {
        let is_code = |inst| matches!(self.func.inst_kind(inst), InstKind::Client(_));
        if self.func.insts(at).any(is_code) {
            self.end_of_way();
        }
        match self.func.terminator(at)? {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => Some(to),
            Terminator::CondBranch {
                cond, then, else_, ..
            } => {
                let taken = match self.test(cond) {
                    Some(taken) => {
                        self.costs.tests += 1;
                        taken
                    }
                    // A decision of the client's is a piece of its code.
                    None => {
                        self.end_of_way();
                        self.rng.chance(50)
                    }
                };
                Some(if taken { then } else { else_ })
            }
            Terminator::Switch { default, cases, .. } => {
                let all = self.func.cases(cases);
                if !all.is_empty() {
                    self.end_of_way();
                }
                let pick = self.rng.below(all.len() + 1);
                Some(all.get(pick).map_or(default, |case| case.target))
            }
            Terminator::Return(_)
            | Terminator::Kill
            | Terminator::Exit(_)
            | Terminator::Unreachable => None,
        }
    }

    /// Returns the result of a selector test, if the instruction is one.
    fn test(&self, cond: Value) -> Option<bool> {
        let ValueKind::Result { inst, .. } = self.func.value_kind(cond) else {
            return None;
        };
        let InstKind::SelectorTest { op, constant } = self.func.inst_kind(inst) else {
            return None;
        };
        let value = self
            .value(self.func.uses(inst)[0])
            .expect("a tested selector has a value");
        Some(match op {
            SelectorOp::LessEqual => value <= constant,
            SelectorOp::Equal => value == constant,
        })
    }

    fn value(&self, value: Value) -> Option<u32> {
        match self.func.value_kind(value) {
            ValueKind::SelectorConstant(constant) => Some(constant),
            _ => self.selectors.get(&value).copied(),
        }
    }

    /// Gives the selectors of a block the values that an edge brings. All that one edge sets count
    /// as one write.
    fn take(&mut self, from: Block, to: Block) {
        let mut next = Vec::new();
        let mut writes = false;
        for phi in self.func.phis(to) {
            for operand in self
                .func
                .phi_operands(phi)
                .filter(|operand| operand.pred == from)
            {
                // The value that the lane's selector has anyway is passed on, as a constant because
                // that is plainer.
                writes |= matches!(self.func.value_kind(operand.value), ValueKind::SelectorConstant(constant) if self.current != Some(constant));
                next.push((phi, self.value(operand.value)));
            }
        }
        self.costs.writes += u32::from(writes);
        for (phi, value) in next {
            self.current = value.or(self.current);
            match value {
                Some(value) => self.selectors.insert(phi, value),
                None => self.selectors.remove(&phi),
            };
        }
    }
}
