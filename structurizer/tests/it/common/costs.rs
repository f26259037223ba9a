//! The cost of an exit out of several constructs at run time: selector writes, and tests of it,
//! between two pieces of the client's code.

use std::collections::HashMap;

use structurizer_testkit::generate::Rng;
use trellis_structurizer::ir::{
    Block, Function, InstKind, SelectorOp, Terminator, Type, Value, ValueKind,
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

/// The selectors of a lane, and the booleans that tests of them give.
struct Lane<'a> {
    func: &'a Function,
    values: HashMap<Value, u64>,
}

impl Lane<'_> {
    fn read(&self, value: Value) -> Option<u64> {
        match self.func.value_kind(value) {
            ValueKind::SelectorConstant(number) => Some(u64::from(number)),
            ValueKind::BoolConstant(is_true) => Some(u64::from(is_true)),
            _ => self.values.get(&value).copied(),
        }
    }

    fn block(&mut self, block: Block, rng: &mut Rng) {
        for inst in self.func.insts(block) {
            let uses = self.func.uses(inst);
            let content = match self.func.inst_kind(inst) {
                InstKind::Client(_) => continue,
                InstKind::SelectorTest { op, constant } => {
                    self.read(uses[0]).map(|selector| match op {
                        SelectorOp::LessEqual => u64::from(selector <= u64::from(constant)),
                        SelectorOp::Equal => u64::from(selector == u64::from(constant)),
                    })
                }
                InstKind::Select => {
                    let decision = self.read(uses[0]);
                    let is_true = decision.map_or_else(|| rng.chance(50), |content| content != 0);
                    self.read(uses[if is_true { 1 } else { 2 }])
                }
            };
            let results = self.func.results(inst);
            (self.values).extend(results.zip(content));
        }
    }

    fn phis(&mut self, block: Block, from: Block) {
        let func = self.func;
        let new: Vec<(Value, u64)> = { func.phis(block) }
            .filter_map(|phi| {
                let operand = func.phi_operands(phi).find(|o| o.pred == from)?;
                Some((phi, self.read(operand.value)?))
            })
            .collect();
        self.values.extend(new);
    }
}

/// Lets one lane run with random decisions, and gives the costs of each way that tests a selector.
pub(crate) fn run(structured: &Structured, seed: u64, steps: u32) -> Vec<Costs> {
    let func = &structured.func;
    let merges = { structured.order.iter() }.filter_map(|&block| match structured.merges[block] {
        Merge::Selection { merge, .. } | Merge::Loop { merge, .. } => Some(merge),
        Merge::None => None,
    });
    let merges: Vec<Block> = merges.collect();
    let mut lane = Lane {
        func,
        values: HashMap::new(),
    };
    let mut rng = Rng::new(seed);
    // The lane's last selector value.
    let mut current = None;
    let (mut found, mut at) = (vec![Costs::default()], structured.order[0]);
    for _ in 0..steps {
        let is_code = |inst| matches!(func.inst_kind(inst), InstKind::Client(_));
        let ends = func.insts(at).any(is_code);
        lane.block(at, &mut rng);
        found.last_mut().unwrap().levels += u32::from(merges.contains(&at));
        if ends {
            found.push(Costs::default());
        }
        let to = match func.terminator(at) {
            Some(Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. }) => to,
            Some(Terminator::CondBranch {
                cond, then, else_, ..
            }) => {
                let decides = !matches!(func.value_kind(cond), ValueKind::Result { inst, .. }
                    if matches!(func.inst_kind(inst), InstKind::SelectorTest { .. }));
                let taken = if decides {
                    // A decision of the client's is a piece of its code.
                    found.push(Costs::default());
                    rng.chance(50)
                } else {
                    found.last_mut().unwrap().tests += 1;
                    lane.read(cond).expect("a tested selector has a value") != 0
                };
                if taken { then } else { else_ }
            }
            Some(Terminator::Switch { default, cases, .. }) => {
                let all = func.cases(cases);
                if !all.is_empty() {
                    found.push(Costs::default());
                }
                let pick = rng.below(all.len() + 1);
                all.get(pick).map_or(default, |case| case.target)
            }
            _ => break,
        };
        lane.phis(to, at);
        // All that one edge sets count as one write. The value that the lane's selector has anyway is
        // passed on, as a constant because that is plainer.
        let operands = { func.phis(to) }.flat_map(|phi| func.phi_operands(phi));
        let mut written = operands.filter(|operand| operand.pred == at);
        let is_write = written.any(|operand| match func.value_kind(operand.value) {
            ValueKind::SelectorConstant(constant) => current != Some(u64::from(constant)),
            _ => false,
        });
        found.last_mut().unwrap().writes += u32::from(is_write);
        let selectors = { func.phis(to) }.filter(|&phi| func.value_type(phi) == Type::SELECTOR);
        for phi in selectors {
            current = lane.read(phi).or(current);
        }
        at = to;
    }
    found.retain(|costs| costs.tests > 0);
    found
}
