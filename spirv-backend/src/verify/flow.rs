//! Functions after all words are read: structured control flow, dominance, phis.

use rspirv::spirv::{Op, Word};
use smallvec::SmallVec;
use trellis_entity::{EntityRef, ReservedValue};
use trellis_structurizer::verify::{self, BlockEnd, BlockMerge, Cfg, Flow, Position};

use super::layout::Role;
use super::read::Inst;
use super::types::Ty;
use super::{Block, Failure, Id, Place, Range, Verifier, broken};
use crate::error::VerifyRule;

/// The graph of a function, and the memory that its check needs, for the next one.
#[derive(Default)]
pub(super) struct Graph {
    /// The rules of structured control flow.
    structure: verify::Verifier,
    cfg: Cfg,
    flow: Flow,
}

impl Graph {
    fn dominates(&mut self, a: Position, b: Position) -> bool {
        self.flow.dominates(&self.cfg, a, b)
    }
}

impl Verifier<'_> {
    /// Checks the rules of a function.
    pub(super) fn function_body(&mut self, index: usize, graph: &mut Graph) -> Result<(), Failure> {
        self.function = self.functions[index];
        let def = self.read(self.function.start)?;
        self.signature(&def)?;
        let Range { later, crosses, .. } = self.function;
        let is_done = later.0 == later.1 && crosses.0 == crosses.1;
        if is_done && self.is_straight() {
            return Ok(());
        }
        self.structure(graph)?;
        if is_done {
            return Ok(());
        }
        graph.flow.read(&graph.cfg);
        let first = self.function.blocks.0;
        for cross in self.crosses.get(crosses.0..crosses.1).unwrap_or_default() {
            let position = |place: Place| Position::new(place.index() - first);
            let (from, to) = (position(cross.from), position(cross.to));
            if !graph.dominates(from, to) {
                self.uses(&self.read(cross.at)?, to, graph)?;
            }
        }
        for later in self.later.get(later.0..later.1).unwrap_or_default() {
            let inst = self.read(later.at)?;
            let block = Position::from_u32(later.block);
            if inst.op() == Op::Phi {
                self.phi(&inst, block, graph)?;
            } else {
                self.uses(&inst, block, graph)?;
                self.rules(&inst, self.shapes(&inst))?;
            }
        }
        Ok(())
    }

    /// Returns true for a function of one block that leaves it, so without edges to check.
    fn is_straight(&self) -> bool {
        let &[block] = self.blocks() else {
            return false;
        };
        let end = self.read(block.end);
        block.merge == 0 && end.is_ok_and(|end| end.layout.role == Role::End)
    }

    /// Returns the blocks of the current function.
    fn blocks(&self) -> &[Block] {
        &self.blocks[self.function.blocks.0..self.function.blocks.1]
    }

    /// Checks that a function and its parameters fit its type.
    fn signature(&self, def: &Inst<'_>) -> Result<(), Failure> {
        let Ty::Function(ret, start, end) = self.types.get(Self::operand(def, 1)?) else {
            return Err(broken(def, VerifyRule::FunctionType));
        };
        let mut inst = self.read(def.next)?;
        for &ty in self.types.members(start, end) {
            if inst.op() != Op::FunctionParameter {
                return Err(broken(def, VerifyRule::Signature));
            }
            if inst.result_type != ty {
                return Err(broken(&inst, VerifyRule::ParameterType));
            }
            inst = self.read(inst.next)?;
        }
        if inst.op() == Op::FunctionParameter || def.result_type != ret {
            Err(broken(def, VerifyRule::Signature))
        } else {
            Ok(())
        }
    }

    /// Returns true if a definition is in the current function.
    pub(super) fn is_local(&self, def: &Id) -> bool {
        (self.function.start..self.function.end).contains(&def.at)
    }

    /// Returns the block in the current function that a definition is in.
    fn position(&self, def: &Id) -> Option<Position> {
        (def.place >= Place::block(0) && self.is_local(def))
            .then(|| Position::new(def.place.index() - self.function.blocks.0))
    }

    /// Reads labels, merge instructions and terminators, and checks the structure.
    fn structure(&self, graph: &mut Graph) -> Result<(), Failure> {
        let number = |inst: &Inst<'_>, label: Word| {
            self.block_of(label)
                .ok_or_else(|| broken(inst, VerifyRule::NotALabel { id: label }))
        };
        let cfg = &mut graph.cfg;
        cfg.clear();
        for data in self.blocks() {
            let merge = match data.merge {
                0 => BlockMerge::None,
                at => {
                    let m = &self.read(at)?;
                    let merge = number(m, Self::operand(m, 0)?)?;
                    match m.op() {
                        Op::LoopMerge => BlockMerge::Loop {
                            merge,
                            continue_target: number(m, Self::operand(m, 1)?)?,
                        },
                        _ => BlockMerge::Selection { merge },
                    }
                }
            };
            let last = &self.read(data.end)?;
            let (end, skip) = match last.op() {
                Op::Branch => (BlockEnd::Branch, 0),
                Op::BranchConditional => (BlockEnd::Conditional, 1),
                Op::Switch => (BlockEnd::Switch, 1),
                _ => (BlockEnd::Exit, usize::MAX),
            };
            let mut targets: SmallVec<[Position; 8]> = SmallVec::new();
            for label in last.ids().skip(skip) {
                targets.push(number(last, label)?);
            }
            cfg.add_block(end, merge, targets);
        }
        let verified = graph.structure.verify_cfg(cfg);
        Ok(verified.map_err(|error| VerifyRule::ControlFlow { error })?)
    }

    /// Checks that each operand is defined, in this function or at module level, and that its
    /// definition dominates.
    fn uses(&self, inst: &Inst<'_>, block: Position, graph: &mut Graph) -> Result<(), Failure> {
        let mut reaches = |id: Word| {
            self.id(id).is_some_and(|def| match self.position(def) {
                Some(own) if own == block => def.at < inst.at,
                Some(own) => graph.dominates(own, block),
                None => def.place == Place::MODULE || self.is_local(def),
            })
        };
        let mut ids = inst.result_type().into_iter().chain(inst.ids());
        let Some(wrong) = ids.find(|&id| !reaches(id)) else {
            return Ok(());
        };
        Err(match self.id(wrong) {
            None => broken(inst, VerifyRule::Undefined { id: wrong }),
            Some(_) => broken(inst, VerifyRule::NotDominated { id: wrong }),
        })
    }

    fn phi(&self, inst: &Inst<'_>, block: Position, graph: &mut Graph) -> Result<(), Failure> {
        let mut expected: SmallVec<[Position; 8]> = graph.flow.predecessors(block).into();
        expected.sort_unstable();
        expected.dedup();
        if inst.operands.len() != 2 * expected.len() {
            return Err(broken(
                inst,
                VerifyRule::PhiCount {
                    found: inst.operands.len() / 2,
                    expected: expected.len(),
                },
            ));
        }
        for (index, pair) in inst.operands.chunks_exact(2).enumerate() {
            let (value, label) = (pair[0], pair[1]);
            // Emission usually lists predecessors in order.
            let pred = self.block_of(label);
            let slot = match pred {
                Some(p) if expected[index] == p => Some(index),
                Some(p) => expected.iter().position(|&e| e == p),
                None => None,
            };
            let (Some(slot), Some(pred)) = (slot, pred) else {
                return Err(broken(inst, VerifyRule::PhiPredecessor { label }));
            };
            expected[slot] = Position::reserved_value();
            let Some(def) = self.id(value) else {
                return Err(broken(inst, VerifyRule::Undefined { id: value }));
            };
            if def.ty != inst.result_type || def.is(Op::Label) {
                return Err(broken(inst, VerifyRule::PhiType { value }));
            }
            let fine = match self.position(def) {
                Some(own) => graph.dominates(own, pred),
                None => def.place == Place::MODULE || self.is_local(def),
            };
            if !fine {
                return Err(broken(inst, VerifyRule::PhiNotDominated { value, label }));
            }
        }
        // The type itself.
        if self.types.get(inst.result_type) == Ty::None {
            Err(broken(inst, VerifyRule::ResultType))
        } else {
            Ok(())
        }
    }
}
