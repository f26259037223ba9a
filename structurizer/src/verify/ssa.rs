//! SSA: each use is dominated by its definition, phis fit their predecessors, types agree.

use trellis_entity::{EntityRef, EntitySet, PackedOption, PrimaryMap};

use super::cfg::{Cfg, Position};
use super::predecessors::Predecessors;
use super::{GraphCheck, Positions, VerifyError};
use crate::Structured;
use crate::ir::{Block, Function, Inst, InstKind, Terminator, Type, Value, ValueKind};

/// The state of the check.
#[derive(Default)]
pub(super) struct Memory {
    predecessors: Predecessors,
    /// Instructions that the walk has passed.
    seen: EntitySet<Inst>,
    /// The phis of all blocks: one that was removed from its block is not defined.
    // The phis that blocks have: one that was removed from its block still names the block.
    phis: EntitySet<Value>,
    /// Of each block: the phi that was last found to need an operand for it.
    expected: PrimaryMap<Position, PackedOption<Value>>,
}

impl Memory {
    /// Checks a structured function.
    pub(super) fn check(
        &mut self,
        structured: &Structured,
        cfg: &Cfg,
        positions: &Positions,
        graph: &mut GraphCheck,
    ) -> Result<(), VerifyError> {
        let func = &structured.func;
        let Self {
            predecessors,
            seen,
            phis,
            expected,
        } = self;
        predecessors.read(cfg);
        seen.clear();
        phis.clear();
        for &block in &structured.order {
            for phi in func.phis(block) {
                phis.insert(phi);
            }
        }
        expected.refill(PackedOption::default(), cfg.len());
        let mut checker = Checker {
            func,
            positions,
            cfg,
            graph,
            predecessors,
            seen,
            phis,
            expected,
        };
        for (position, &block) in structured.order.iter().enumerate() {
            let position = Position::new(position);
            checker.check_phis(block, position)?;
            checker.check_insts(block, position)?;
            if let Some(value) = func.terminator(block).and_then(Terminator::value) {
                checker.check_use(block, Some(position), value)?;
            }
        }
        Ok(())
    }
}

struct Checker<'a> {
    func: &'a Function,
    positions: &'a Positions,
    cfg: &'a Cfg,
    graph: &'a mut GraphCheck,
    predecessors: &'a Predecessors,
    seen: &'a mut EntitySet<Inst>,
    phis: &'a EntitySet<Value>,
    expected: &'a mut PrimaryMap<Position, PackedOption<Value>>,
}

impl Checker<'_> {
    fn check_phis(&mut self, block: Block, position: Position) -> Result<(), VerifyError> {
        let func = self.func;
        for phi in func.phis(block) {
            let mut expected = 0;
            for &pred in self.predecessors.of(position) {
                let known = core::mem::replace(&mut self.expected[pred], phi.into());
                expected += usize::from(known != phi.into());
            }
            let ty = func.value_type(phi);
            let mut found = 0;
            for operand in func.phi_operands(phi) {
                found += 1;
                let pred = self.positions.get(operand.pred).and_then(|at| at.expand());
                match pred.map(|pred| &mut self.expected[pred]) {
                    Some(expected) if *expected == phi.into() => *expected = None.into(),
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
            if found != expected {
                return Err(VerifyError::PhiOperandCount {
                    block,
                    phi,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }

    fn check_insts(&mut self, block: Block, position: Position) -> Result<(), VerifyError> {
        let func = self.func;
        for inst in func.insts(block) {
            for &value in func.uses(inst) {
                // An instruction of the same block must have been passed already.
                if let Some(ValueKind::Result { inst: by, .. }) =
                    func.has_value(value).then(|| func.value_kind(value))
                    && func.inst_block(by) == block
                    && !self.seen.contains(by)
                {
                    return Err(VerifyError::NotDominated { block, value });
                }
                self.check_use(block, Some(position), value)?;
            }
            let uses = func.uses(inst);
            let ty = |value: &Value| func.value_type(*value);
            let fits = match func.inst_kind(inst) {
                InstKind::Client(_) => true,
                InstKind::SelectorTest { .. } => uses.len() == 1 && ty(&uses[0]) == Type::SELECTOR,
                InstKind::Select => {
                    let mut results = func.results(inst);
                    uses.len() == 3 && results.all(|v| uses[1..].iter().all(|u| ty(u) == ty(&v)))
                }
            };
            if !fits {
                return Err(VerifyError::Type {
                    block,
                    value: uses.first().copied().unwrap_or(Value::new(0)),
                });
            }
            self.seen.insert(inst);
        }
        Ok(())
    }

    /// Checks that a value is defined at the end of a block.
    fn check_use(
        &mut self,
        block: Block,
        position: Option<Position>,
        value: Value,
    ) -> Result<(), VerifyError> {
        if !self.func.has_value(value) {
            return Err(VerifyError::MissingValue { block, value });
        }
        let definition = match self.func.value_kind(value) {
            ValueKind::Constant { .. }
            | ValueKind::SelectorConstant(_)
            | ValueKind::BoolConstant(_)
            | ValueKind::Undef => {
                return Ok(());
            }
            ValueKind::Phi(_) if !self.phis.contains(value) => {
                return Err(VerifyError::MissingValue { block, value });
            }
            ValueKind::Phi(block) => block,
            ValueKind::Result { inst, .. } => self.func.inst_block(inst),
        };
        if definition == block {
            return Ok(());
        }
        let dominates = match (self.positions[definition].expand(), position) {
            (Some(at), Some(position)) => self.graph.dominates(self.cfg, at, position),
            _ => false,
        };
        if dominates {
            Ok(())
        } else {
            Err(VerifyError::NotDominated { block, value })
        }
    }
}
