//! Functions after all words are read: structured control flow, dominance, phis.

use rspirv::spirv::{Op, Word};
use trellis_entity::PrimaryMap;
use trellis_structurizer::verify::{self, Cfg, Position, Predecessors};

use super::layout::Role;
use super::read::Inst;
use super::types::Ty;
use super::{DefinedIn, Failure, Id, Verifier, broken};
use crate::error::VerifyRule;

/// The graph of a function, and the memory that its check needs, for the next one.
#[derive(Default)]
pub(super) struct Graph {
    /// The rules of structured control flow.
    structure: verify::Verifier,
    pub(super) cfg: Cfg,
    predecessors: Predecessors,
    /// Of each block: the phi that was last found to need an operand for it.
    expected: PrimaryMap<Position, u32>,
}

impl Verifier<'_> {
    /// Checks the rules of the current function, whose words were all read.
    pub(super) fn function_body(&self, def: &Inst<'_>, graph: &mut Graph) -> Result<(), Failure> {
        self.signature(def)?;
        let is_done = self.later.is_empty() && self.crosses.is_empty();
        // Without edges there is nothing to check.
        if is_done && graph.cfg.is_single_exit() {
            return Ok(());
        }
        self.structure(graph)?;
        if is_done {
            return Ok(());
        }
        graph.predecessors.read(&graph.cfg);
        graph.expected.refill(0, graph.cfg.len());
        for cross in &self.crosses {
            if !graph.structure.dominates(&graph.cfg, cross.from, cross.to) {
                self.uses(&self.read(cross.at)?, cross.to, graph)?;
            }
        }
        for later in &self.later {
            let block = Position::from_u32(later.block);
            let head = self.reader.head(self.words, later.at)?;
            if let (Role::Phi, &[_, ty, id, ..]) = (head.layout.role, head.words) {
                self.phi(&head.inst(later.at, ty, id), block, graph)?;
            } else {
                let inst = self.read(later.at)?;
                self.uses(&inst, block, graph)?;
                self.rules(&inst, self.shapes(&inst))?;
            }
        }
        Ok(())
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
        def.at >= self.function.start
    }

    /// Returns the block in the current function that a definition is in.
    pub(super) fn position(&self, place: DefinedIn) -> Option<Position> {
        let first = DefinedIn::block(self.function.first_block);
        place.0.checked_sub(first.0).map(Position::from_u32)
    }

    /// Checks the structure.
    fn structure(&self, graph: &mut Graph) -> Result<(), Failure> {
        let position = |label: Position| self.block_of(label.as_u32());
        graph.cfg.retarget(position).map_err(|label| {
            let id = label.as_u32();
            let names = |inst: &Inst<'_>| {
                matches!(inst.layout.role, Role::Branch | Role::Merge)
                    && inst.ids().any(|i| i == id)
            };
            let rule = VerifyRule::NotALabel { id };
            let mut insts = self.insts_from(self.function.start);
            match insts.find(names) {
                Some(inst) => broken(&inst, rule),
                None => rule.into(),
            }
        })?;
        let verified = graph.structure.verify_cfg(&graph.cfg);
        Ok(verified.map_err(|error| VerifyRule::ControlFlow { error })?)
    }

    /// Checks that each operand is defined, in this function or at module level, and that its
    /// definition dominates.
    fn uses(&self, inst: &Inst<'_>, block: Position, graph: &mut Graph) -> Result<(), Failure> {
        let mut reaches = |id: Word| {
            self.id(id)
                .is_some_and(|def| match self.position(def.place) {
                    Some(own) if own == block => def.at < inst.at,
                    Some(own) => graph.structure.dominates(&graph.cfg, own, block),
                    None => def.place == DefinedIn::MODULE || self.is_local(def),
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
        let mut expected = 0;
        for &pred in graph.predecessors.of(block) {
            let known = std::mem::replace(&mut graph.expected[pred], inst.at);
            expected += usize::from(known != inst.at);
        }
        if inst.operands.len() != 2 * expected {
            return Err(broken(
                inst,
                VerifyRule::PhiCount {
                    found: inst.operands.len() / 2,
                    expected,
                },
            ));
        }
        for &[value, label] in inst.operands.as_chunks().0 {
            let pred = self.block_of(label);
            let Some(pred) = pred.filter(|&pred| graph.expected[pred] == inst.at) else {
                return Err(broken(inst, VerifyRule::PhiPredecessor { label }));
            };
            graph.expected[pred] = 0;
            let Some(def) = self.id(value) else {
                return Err(broken(inst, VerifyRule::Undefined { id: value }));
            };
            if def.ty != inst.result_type || def.is(Op::Label) {
                return Err(broken(inst, VerifyRule::PhiType { value }));
            }
            let fine = match self.position(def.place) {
                Some(own) => graph.structure.dominates(&graph.cfg, own, pred),
                None => def.place == DefinedIn::MODULE || self.is_local(def),
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
