//! The check of a client's function, before any pass sees it.

use thiserror::Error;

use trellis_entity::EntitySet;

use crate::analysis::{dominators::Dominators, flow::Flow};
use crate::entity::{EntityRef, PackedOption, PrimaryMap};
use crate::ir::{Block, Function, Inst, Value, ValueKind};

/// The reason why a function that a client built is malformed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// There is no block at all.
    #[error("the function has no block")]
    Empty,
    /// A block has no terminator.
    #[error("{block} has no terminator")]
    NoTerminator {
        /// The block.
        block: Block,
    },
    /// A terminator names a block that does not exist.
    #[error("{block} branches to {target}, which does not exist")]
    MissingTarget {
        /// The block whose terminator it is.
        block: Block,
        /// The block that does not exist.
        target: Block,
    },
    /// A block uses a value that does not exist.
    #[error("{block} uses {value}, which does not exist")]
    MissingValue {
        /// The block with the use.
        block: Block,
        /// The value that does not exist.
        value: Value,
    },
    /// The entry has a phi, which would have no operand where control enters the function.
    #[error("the entry has the phi {phi}")]
    EntryPhi {
        /// The phi.
        phi: Value,
    },
    /// A phi has no operand for a predecessor of its block.
    #[error("{phi} in {block} has no operand for the predecessor {pred}")]
    MissingOperand {
        /// The phi.
        phi: Value,
        /// Its block.
        block: Block,
        /// The predecessor.
        pred: Block,
    },
    /// A phi has an operand for a block that is not a predecessor, or two for one.
    #[error(
        "{phi} in {block} has an operand for {pred}, which is not a predecessor or has one already"
    )]
    ExtraOperand {
        /// The phi.
        phi: Value,
        /// Its block.
        block: Block,
        /// The block that the operand is for.
        pred: Block,
    },
    /// An operand of a phi has another type than the phi.
    #[error("{phi} in {block} has another type than its operand {value}")]
    OperandType {
        /// The phi.
        phi: Value,
        /// The block that it is in.
        block: Block,
        /// The operand.
        value: Value,
    },
    /// A use is not dominated by its definition.
    #[error("{block} uses {value}, whose definition does not dominate the use")]
    NotDominated {
        /// The block with the use; of a phi's operand the predecessor.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A convergence region ([`Function::set_convergence_region`]) is of a block that does not
    /// exist.
    #[error("{block} is in the convergence region of {header}, which does not exist")]
    MissingHeader {
        /// The block that is in the region.
        block: Block,
        /// The block that does not exist.
        header: Block,
    },
    /// A convergence region is of a block to which no block leads that it dominates.
    #[error("{block} is in the convergence region of {header}, which is not the header of a loop")]
    NotAHeader {
        /// The block that is in the region.
        block: Block,
        /// The block that is not a header.
        header: Block,
    },
    /// A block is in the convergence region of a loop whose header does not dominate it.
    #[error("{block} is in the convergence region of {header}, which does not dominate it")]
    NotInRegion {
        /// The block.
        block: Block,
        /// The header.
        header: Block,
    },
}

/// Checks a function: every index names something that exists, phis have one operand per
/// predecessor and are not in the entry, definitions dominate their uses, and convergence regions are of loops whose headers
/// dominate them. Blocks that the entry does not reach are only checked for the first of these,
/// since they are removed, and with them the operands of phis for them.
pub fn check(func: &Function) -> Result<(), CheckError> {
    Checker::default().check(func, &mut Flow::default())
}

/// The analyses of a function that is checked.
#[derive(Default)]
pub(crate) struct Checker {
    dominators: Dominators<Block>,
    /// The phi that a block was last seen with as predecessor (`false`) or as operand (`true`).
    seen: PrimaryMap<Block, (PackedOption<Value>, bool)>,
    /// True for headers of loops, where there are convergence regions.
    is_header: PrimaryMap<Block, bool>,
    /// The instructions that were passed.
    passed: EntitySet<Inst>,
}

impl Checker {
    /// Checks a function, as [`check`]. `flow` becomes its graph.
    pub(crate) fn check(&mut self, func: &Function, flow: &mut Flow) -> Result<(), CheckError> {
        if func.num_blocks() == 0 {
            return Err(CheckError::Empty);
        }
        let mut has_regions = false;
        for block in func.blocks() {
            let terminator = func
                .terminator(block)
                .ok_or(CheckError::NoTerminator { block })?;
            for target in func.successors(block) {
                if !func.has_block(target) {
                    return Err(CheckError::MissingTarget { block, target });
                }
            }
            for phi in func.phis(block) {
                let mut preds = func.phi_operands(phi).map(|o| o.pred);
                if let Some(pred) = preds.find(|&pred| !func.has_block(pred)) {
                    return Err(CheckError::ExtraOperand { phi, block, pred });
                }
            }
            let operands = func
                .phis(block)
                .flat_map(|phi| func.phi_operands(phi))
                .map(|o| o.value);
            let uses = func
                .insts(block)
                .flat_map(|inst| func.uses(inst).iter().copied());
            let mut all = operands.chain(uses).chain(terminator.value());
            if let Some(value) = all.find(|&v| !func.has_value(v)) {
                return Err(CheckError::MissingValue { block, value });
            }
            if let Some(header) = func.convergence_region(block) {
                if !func.has_block(header) {
                    return Err(CheckError::MissingHeader { block, header });
                }
                has_regions = true;
            }
        }
        flow.compute(func);
        if !has_regions && is_block_local(func) {
            return Ok(());
        }
        self.dominators.compute(&flow.cfg, &flow.dfs);
        // A phi of the entry has no operand for the edge on which control enters the function.
        if let Some(phi) = func.phis(Block::new(0)).next() {
            return Err(CheckError::EntryPhi { phi });
        }
        let check = Check {
            func,
            flow,
            dominators: &self.dominators,
        };
        check.phis(&mut self.seen)?;
        check.uses(&mut self.passed)?;
        if has_regions {
            check.regions(&mut self.is_header)?;
        }
        Ok(())
    }
}

/// Returns whether there are no phis, the instructions of each block are numbered in order (none was
/// inserted or moved), and each value is used after its definition in the block of that: nothing about
/// such a function depends on dominators.
fn is_block_local(func: &Function) -> bool {
    let is_local = |value: Value, block: Block, user: Option<Inst>| match func.value_kind(value) {
        ValueKind::Phi(_) => false,
        ValueKind::Result { inst, .. } => {
            func.inst_block(inst) == block && user.is_none_or(|user| inst < user)
        }
        _ => true,
    };
    func.blocks().all(|block| {
        let mut insts = func.insts(block);
        let mut last = None;
        !func.has_phis(block)
            && insts.all(|inst| {
                last.replace(inst) < Some(inst)
                    && func
                        .uses(inst)
                        .iter()
                        .all(|&v| is_local(v, block, Some(inst)))
            })
            && func
                .term(block)
                .value()
                .is_none_or(|v| is_local(v, block, None))
    })
}

struct Check<'a> {
    func: &'a Function,
    flow: &'a Flow,
    dominators: &'a Dominators<Block>,
}

impl Check<'_> {
    fn reached(&self) -> impl Iterator<Item = Block> {
        self.func.blocks().filter(|&b| self.flow.dfs.reached(b))
    }

    fn phis(
        &self,
        seen: &mut PrimaryMap<Block, (PackedOption<Value>, bool)>,
    ) -> Result<(), CheckError> {
        seen.reset(self.flow.cfg.len());
        for block in self.reached().filter(|&b| self.func.has_phis(b)) {
            for phi in self.func.phis(block) {
                for &pred in self.flow.cfg.preds(block) {
                    seen[pred] = (phi.into(), false);
                }
                for operand in self.func.phi_operands(phi) {
                    if seen[operand.pred] != (phi.into(), false) {
                        return Err(CheckError::ExtraOperand {
                            phi,
                            block,
                            pred: operand.pred,
                        });
                    }
                    seen[operand.pred] = (phi.into(), true);
                    let value = operand.value;
                    if self.func.value_type(value) != self.func.value_type(phi) {
                        return Err(CheckError::OperandType { phi, block, value });
                    }
                    if self.flow.dfs.reached(operand.pred) {
                        self.dominated(operand.value, operand.pred, None)?;
                    }
                }
                for &pred in self.flow.cfg.preds(block) {
                    if seen[pred] != (phi.into(), true) && self.flow.dfs.reached(pred) {
                        return Err(CheckError::MissingOperand { phi, block, pred });
                    }
                }
            }
        }
        Ok(())
    }

    fn uses(&self, passed: &mut EntitySet<Inst>) -> Result<(), CheckError> {
        passed.clear();
        for block in self.reached() {
            for inst in self.func.insts(block) {
                for &value in self.func.uses(inst) {
                    self.dominated(value, block, Some(passed))?;
                }
                passed.insert(inst);
            }
            if let Some(value) = self.func.term(block).value() {
                self.dominated(value, block, None)?;
            }
        }
        Ok(())
    }

    fn regions(&self, is_header: &mut PrimaryMap<Block, bool>) -> Result<(), CheckError> {
        // A predecessor that is not reached has no dominators.
        is_header.reset(self.flow.cfg.len());
        for from in self.reached() {
            for &to in self.flow.cfg.succs(from) {
                is_header[to] |= self.dominators.dominates(to, from);
            }
        }
        for block in self.reached() {
            let Some(header) = self.func.convergence_region(block) else {
                continue;
            };
            if !is_header[header] {
                return Err(CheckError::NotAHeader { block, header });
            }
            if !self.dominators.dominates(header, block) {
                return Err(CheckError::NotInRegion { block, header });
            }
        }
        Ok(())
    }

    /// Checks a use in a block: by an instruction, where `passed` has those before it in its block, or
    /// at the block's end.
    fn dominated(
        &self,
        value: Value,
        block: Block,
        passed: Option<&EntitySet<Inst>>,
    ) -> Result<(), CheckError> {
        let (definition, earlier) = match self.func.value_kind(value) {
            ValueKind::Phi(at) => (at, true),
            ValueKind::Result { inst, .. } => (
                self.func.inst_block(inst),
                passed.is_none_or(|passed| passed.contains(inst)),
            ),
            _ => return Ok(()),
        };
        let fine = if definition == block {
            earlier
        } else {
            self.dominators.dominates(definition, block)
        };
        if fine {
            Ok(())
        } else {
            Err(CheckError::NotDominated { block, value })
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{CheckError, check};
    use crate::ir::{Block, Effects, Function, Terminator, Type};

    #[test]
    fn each_wrong_region_is_named() {
        let with = |block: u32, header: u32| {
            let text = "a: b\nb: c d\nc: b\nd: e\ne: ret\nf: e";
            let mut func = crate::text::parse(text).unwrap();
            let [block, header] = [block, header].map(Block::from_u32);
            func.set_convergence_region(block, Some(header));
            (check(&func), block, header)
        };
        for (block, header) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 3)] {
            assert_eq!(with(block, header).0, Ok(()), "{block} {header}");
        }
        let (found, block, header) = with(3, 77);
        assert_eq!(found, Err(CheckError::MissingHeader { block, header }));
        for not_a_header in [0, 2, 3, 5] {
            let (found, block, header) = with(3, not_a_header);
            assert_eq!(found, Err(CheckError::NotAHeader { block, header }));
        }
        let (found, block, header) = with(0, 1);
        assert_eq!(found, Err(CheckError::NotInRegion { block, header }));
    }

    #[test]
    fn operands_have_the_type_of_their_phi() {
        let mut f = crate::text::parse("a: b\nb: ret").unwrap();
        let [a, block] = [0, 1].map(Block::from_u32);
        let phi = f.add_phi(block, Type(1));
        let value = f.add_constant(0, Type(2));
        f.add_phi_operand(phi, a, value);
        assert_eq!(
            check(&f),
            Err(CheckError::OperandType { phi, block, value })
        );
    }

    #[test]
    fn operands_for_unreachable_predecessors_are_dropped() {
        let mut f = crate::text::parse("a: b\nb: ret\nc: b").unwrap();
        let [a, b, c] = [0, 1, 2].map(Block::from_u32);
        let phi = f.add_phi(b, Type(1));
        let value = f.add_constant(0, Type(1));
        for pred in [a, c] {
            f.add_phi_operand(phi, pred, value);
        }
        f.append_inst(b, 0, Effects::NONE, &[phi], &[]);
        let result = crate::structurize(f, &crate::Options::default()).unwrap();
        assert_eq!(result.order, [a, b]);
        assert!(
            result
                .func
                .phi_operands(phi)
                .all(|operand| operand.pred == a)
        );
    }

    #[test]
    fn instructions_count_in_the_order_of_their_block() {
        for has_phi in [false, true] {
            let mut f = Function::new();
            let (a, b) = (f.add_block(), f.add_block());
            f.set_terminator(a, Terminator::Branch(b));
            f.set_terminator(b, Terminator::Return(None));
            let constant = f.add_constant(0, Type(1));
            if has_phi {
                let phi = f.add_phi(b, Type(1));
                f.add_phi_operand(phi, a, constant);
            }
            let user = f.append_inst(a, 0, Effects::NONE, &[constant], &[]);
            let inserted = f.insert_inst(user, 1, Effects::NONE, &[], &[Type(1)]);
            let value = f.results(inserted).next().unwrap();
            f.replace_uses(a, |_| value);
            assert_eq!(f.insts(a).collect::<Vec<_>>(), [inserted, user]);
            assert_eq!(check(&f), Ok(()));
            let late = f.append_inst(b, 2, Effects::NONE, &[value], &[]);
            f.move_insts(inserted, b);
            assert_eq!(f.insts(b).collect::<Vec<_>>(), [late, inserted, user]);
            let wrong = CheckError::NotDominated { block: b, value };
            assert_eq!(check(&f), Err(wrong));
        }
    }

    #[test]
    fn each_mistake_is_named() {
        let ty = Type(1);
        assert_eq!(check(&Function::new()), Err(CheckError::Empty));
        let mut f = Function::new();
        let (a, b, c) = (f.add_block(), f.add_block(), f.add_block());
        assert_eq!(check(&f), Err(CheckError::NoTerminator { block: a }));
        let cond = f.add_constant(0, Type::BOOL);
        f.set_terminator(
            a,
            Terminator::CondBranch {
                cond,
                then: b,
                else_: c,
                hint: Default::default(),
            },
        );
        f.set_terminator(b, Terminator::Branch(c));
        f.set_terminator(c, Terminator::Return(None));
        assert_eq!(check(&f), Ok(()));
        let in_b = f.append_inst(b, 0, Effects::NONE, &[], &[ty]);
        let value = f.results(in_b).next().unwrap();
        let good = f.clone();
        f.append_inst(c, 1, Effects::NONE, &[value], &[]);
        assert_eq!(check(&f), Err(CheckError::NotDominated { block: c, value }));
        let mut f = good;
        let phi = f.add_phi(c, ty);
        f.add_phi_operand(phi, b, value);
        assert_eq!(
            check(&f),
            Err(CheckError::MissingOperand {
                phi,
                block: c,
                pred: a
            })
        );
        let undef = f.undef(ty);
        f.add_phi_operand(phi, a, undef);
        assert_eq!(check(&f), Ok(()));
        let mut unreachable = f.clone();
        let block = unreachable.add_block();
        unreachable.set_terminator(block, Terminator::Return(None));
        let phi_there = unreachable.add_phi(block, ty);
        let pred = Block::from_u32(99);
        unreachable.add_phi_operand(phi_there, pred, undef);
        assert_eq!(
            check(&unreachable),
            Err(CheckError::ExtraOperand {
                phi: phi_there,
                block,
                pred
            })
        );
        f.add_phi_operand(phi, a, undef);
        assert_eq!(
            check(&f),
            Err(CheckError::ExtraOperand {
                phi,
                block: c,
                pred: a
            })
        );
    }
}
