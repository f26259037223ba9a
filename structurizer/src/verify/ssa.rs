//! SSA: each use is dominated by its definition, phis fit their predecessors, types agree.

use std::cell::OnceCell;

use trellis_entity::EntityRef;

use super::cfg::Cfg;
use super::dominators::Dominators;
use super::{NONE, VerifyError};
use crate::Structured;
use crate::ir::{Block, Function, InstKind, Terminator, Type, Value, ValueKind};

pub(super) fn check(
    structured: &Structured,
    cfg: &Cfg,
    positions: &[u32],
    structural: &Dominators,
) -> Result<(), VerifyError> {
    let func = &structured.func;
    let (starts, preds) = predecessors(cfg);
    let mut checker = Checker {
        func,
        order: &structured.order,
        positions,
        cfg,
        structural,
        plain: OnceCell::new(),
        seen: vec![false; func.num_insts()],
        pred_stamp: vec![0; cfg.len()],
        stamp: 0,
    };
    for (position, &block) in structured.order.iter().enumerate() {
        let preds = &preds[starts[position] as usize..starts[position + 1] as usize];
        checker.check_phis(block, preds)?;
        checker.check_insts(block, position as u32)?;
        if let Some(value) = func.terminator(block).and_then(Terminator::value) {
            checker.check_use(block, position as u32, value)?;
        }
    }
    Ok(())
}

/// The distinct predecessors of each block along branch edges: starts and pool.
fn predecessors(cfg: &Cfg) -> (Vec<u32>, Vec<u32>) {
    let count = cfg.len();
    let mut starts = vec![0u32; count + 1];
    let mut last = vec![NONE; count];
    for block in 0..count as u32 {
        for &to in cfg.successors(block) {
            if std::mem::replace(&mut last[to as usize], block) != block {
                starts[to as usize + 1] += 1;
            }
        }
    }
    for index in 1..=count {
        starts[index] += starts[index - 1];
    }
    let mut pool = vec![0u32; starts[count] as usize];
    let mut fill = starts.clone();
    last.fill(NONE);
    for block in 0..count as u32 {
        for &to in cfg.successors(block) {
            if std::mem::replace(&mut last[to as usize], block) != block {
                let slot = &mut fill[to as usize];
                pool[*slot as usize] = block;
                *slot += 1;
            }
        }
    }
    (starts, pool)
}

struct Checker<'a> {
    func: &'a Function,
    order: &'a [Block],
    positions: &'a [u32],
    cfg: &'a Cfg,
    structural: &'a Dominators,
    /// Made only where structural dominance, which is stricter, does not do.
    plain: OnceCell<Dominators>,
    /// Instructions that the walk has passed.
    seen: Vec<bool>,
    /// Per block: `stamp` if it is a predecessor still without an operand.
    pred_stamp: Vec<u32>,
    stamp: u32,
}

impl Checker<'_> {
    fn check_phis(&mut self, block: Block, preds: &[u32]) -> Result<(), VerifyError> {
        let func = self.func;
        for phi in func.phis(block) {
            self.stamp += 1;
            for &pred in preds {
                self.pred_stamp[pred as usize] = self.stamp;
            }
            let ty = func.value_type(phi);
            let mut found = 0;
            for operand in func.phi_operands(phi) {
                found += 1;
                let pred = self
                    .positions
                    .get(operand.pred.index())
                    .copied()
                    .unwrap_or(NONE);
                match self.pred_stamp.get_mut(pred as usize) {
                    Some(stamp) if *stamp == self.stamp => *stamp = 0,
                    _ => {
                        return Err(VerifyError::PhiOperand {
                            block,
                            phi,
                            pred: operand.pred,
                        });
                    }
                }
                self.check_use(operand.pred, pred, operand.value)?;
                if func.value_type(operand.value) != ty {
                    return Err(VerifyError::Type {
                        block,
                        value: operand.value,
                    });
                }
                if ty == Type::SELECTOR && func.value_kind(operand.value) == ValueKind::Undef {
                    return Err(VerifyError::UndefinedSelector { block, phi });
                }
            }
            if found != preds.len() {
                return Err(VerifyError::PhiOperandCount {
                    block,
                    phi,
                    found,
                    expected: preds.len(),
                });
            }
        }
        Ok(())
    }

    fn check_insts(&mut self, block: Block, position: u32) -> Result<(), VerifyError> {
        let func = self.func;
        for inst in func.insts(block) {
            for &value in func.uses(inst) {
                // An instruction of the same block must have been passed already.
                if let Some(ValueKind::Result { inst: by, .. }) =
                    func.has_value(value).then(|| func.value_kind(value))
                    && func.inst_block(by) == block
                    && !self.seen[by.index()]
                {
                    return Err(VerifyError::NotDominated { block, value });
                }
                self.check_use(block, position, value)?;
            }
            if let InstKind::SelectorTest { .. } = func.inst_kind(inst) {
                let uses = func.uses(inst);
                let fits = uses.len() == 1 && func.value_type(uses[0]) == Type::SELECTOR;
                if !fits {
                    return Err(VerifyError::Type {
                        block,
                        value: uses.first().copied().unwrap_or(Value::new(0)),
                    });
                }
            }
            self.seen[inst.index()] = true;
        }
        Ok(())
    }

    /// Checks that a value is defined at the end of a block.
    fn check_use(&self, block: Block, position: u32, value: Value) -> Result<(), VerifyError> {
        if !self.func.has_value(value) {
            return Err(VerifyError::MissingValue { block, value });
        }
        let definition = match self.func.value_kind(value) {
            ValueKind::Constant { .. } | ValueKind::SelectorConstant(_) | ValueKind::Undef => {
                return Ok(());
            }
            ValueKind::Phi(block) => block,
            ValueKind::Result { inst, .. } => self.func.inst_block(inst),
        };
        if definition == block {
            return Ok(());
        }
        let at = self.positions[definition.index()];
        let dominates = at != NONE
            && (self.structural.dominates(at, position) || self.dominates_plainly(at, position));
        if dominates {
            Ok(())
        } else {
            Err(VerifyError::NotDominated {
                block: self.order[position as usize],
                value,
            })
        }
    }

    /// Dominance over branch edges, which is what SPIR-V asks of a use. A block that no branch
    /// reaches is dominated by all.
    fn dominates_plainly(&self, a: u32, b: u32) -> bool {
        let plain = self.plain.get_or_init(|| self.cfg.plain_dominators());
        !plain.reached(b) || (plain.reached(a) && plain.dominates(a, b))
    }
}
