//! Integers that are not 0 where they are used, by the branches that lead there: in time that
//! [`STEPS`] bounds. A division by such a number needs no guard.
//!
//! `if (n != 0) x / n` is a branch on a comparison with 0, and a loop that ends at 0 has its number as
//! a phi, each value of which was compared before. Both are found by a walk up the chain of blocks
//! with one predecessor. Results of some operations are never 0: the number of lanes of a wave, a maximum
//! with a positive number.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, BlockId, CastOp, Function, InstId, InstKind, Predicate, Type, ValueId,
};
use trellis_entity::{EntityRef, PackedOption};

use super::{FunctionBuilder, FunctionContext};

/// How many instructions and blocks are looked at for one number.
const STEPS: u32 = 96;

/// How deep conditions and operands are looked into.
const DEPTH: u32 = 6;

/// The predecessor of each block that has one, once it was asked for.
#[derive(Debug, Default)]
pub(crate) struct SinglePredecessors {
    of: Vec<PackedOption<BlockId>>,
    is_known: bool,
}

impl SinglePredecessors {
    /// Drops the predecessors of the previous function.
    pub(crate) fn begin_function(&mut self) {
        self.is_known = false;
    }

    fn find(&mut self, function: &Function) {
        if self.is_known {
            return;
        }
        self.is_known = true;
        self.of.clear();
        self.of.resize(function.blocks.len(), None.into());
        let mut edges = vec![0u32; function.blocks.len()];
        for (from, to) in function.edges() {
            edges[to.index()] = edges[to.index()].saturating_add(1);
            self.of[to.index()] = match edges[to.index()] {
                1 => from.into(),
                _ => None.into(),
            };
        }
        // The function begins at its first block, whatever leads there.
        if let Some(entry) = self.of.first_mut() {
            *entry = None.into();
        }
    }
}

impl FunctionBuilder<'_> {
    /// Returns true if an integer is not 0 whenever control reaches the instruction that is being
    /// translated.
    pub(crate) fn is_never_zero(&mut self, value: ValueId) -> bool {
        if let Some(number) = self.const_int(value) {
            return number != 0;
        }
        let Some(at) = self.current.and_then(|inst| block_of(self.function, inst)) else {
            return false;
        };
        self.single_predecessors.find(self.context.function);
        let mut proof = Proof {
            c: &self.context,
            preds: &self.single_predecessors.of,
            assumed: SmallVec::new(),
            is_refuted: false,
            steps: STEPS,
        };
        proof.holds(value, at, DEPTH) && !proof.is_refuted
    }
}

impl FunctionContext<'_> {
    /// Returns the instructions of the block of an instruction that are at most `distance` before or
    /// after it, and the instruction itself.
    pub(crate) fn neighbours(&self, inst: InstId, distance: u32) -> impl Iterator<Item = InstId> {
        let block = block_of(self.function, inst).map(|at| self.function.blocks[at].insts);
        let (first, end) = block.map_or((inst, inst), |range| (range.start(), range.end()));
        let first = inst.as_u32().saturating_sub(distance).max(first.as_u32());
        let after = inst.as_u32().saturating_add(distance).saturating_add(1);
        (first..after.min(end.as_u32())).map(InstId::from_u32)
    }
}

/// Returns the block of an instruction.
fn block_of(function: &Function, inst: InstId) -> Option<BlockId> {
    let blocks = function.blocks.as_slice();
    let after = blocks.partition_point(|block| block.insts.end() <= inst);
    (after < blocks.len()).then(|| BlockId::new(after))
}

/// A search for the reason why a number is not 0.
struct Proof<'a> {
    c: &'a FunctionContext<'a>,
    preds: &'a [PackedOption<BlockId>],
    /// Phis that are being looked at. That they are not 0 may be assumed for the values that they get
    /// from themselves: it held in the iteration before.
    assumed: SmallVec<[ValueId; 4]>,
    /// True if a phi that was assumed not to be 0 may be: then nothing is proved.
    is_refuted: bool,
    steps: u32,
}

impl Proof<'_> {
    /// Returns true if a number is not 0 where it is used in a block.
    fn holds(&mut self, value: ValueId, at: BlockId, depth: u32) -> bool {
        self.is_compared(value, at) || self.by_definition(value, at, depth)
    }

    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    /// Returns true if the branch that alone leads to a block shows that a number is not 0.
    fn is_compared(&mut self, value: ValueId, at: BlockId) -> bool {
        let mut block = at;
        while let Some(before) = self.preds[block.index()].expand() {
            if !self.step() {
                return false;
            }
            if self.by_edge(value, before, block) {
                return true;
            }
            block = before;
        }
        false
    }

    /// Returns true if control takes an edge only where a number is not 0.
    fn by_edge(&mut self, value: ValueId, from: BlockId, to: BlockId) -> bool {
        match self.c.function.terminator(from).kind {
            InstKind::CondBr { cond, then, else_ } if then != else_ => {
                self.by_condition(value, cond, to == then, DEPTH)
            }
            InstKind::Switch {
                value: selector,
                default,
                cases,
            } if selector == value => {
                let mut cases = self.c.function.switch_cases(cases);
                match to == default {
                    // All cases of 0 lead elsewhere, or there is none.
                    true => cases.any(|(literal, target)| literal == 0 && target != to),
                    false => cases.all(|(literal, target)| target != to || literal != 0),
                }
            }
            _ => false,
        }
    }

    /// Returns true if a number is not 0 where a condition is `outcome`.
    fn by_condition(
        &mut self,
        value: ValueId,
        condition: ValueId,
        outcome: bool,
        depth: u32,
    ) -> bool {
        if depth == 0 || !self.step() {
            return false;
        }
        let Some((_, inst)) = self.c.def(condition) else {
            return false;
        };
        match inst.kind {
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => {
                lhs == value && of_zero(self.c, predicate, rhs) == Some(!outcome)
                    || rhs == value && of_zero(self.c, swapped(predicate), lhs) == Some(!outcome)
            }
            InstKind::Binary { op, lhs, rhs, .. }
                if (op, outcome) == (BinaryOp::And, true)
                    || (op, outcome) == (BinaryOp::Or, false) =>
            {
                self.by_condition(value, lhs, outcome, depth - 1)
                    || self.by_condition(value, rhs, outcome, depth - 1)
            }
            InstKind::Binary {
                op: BinaryOp::Xor,
                lhs,
                rhs,
                ..
            } if self.c.const_int(rhs) == Some(1) => {
                self.by_condition(value, lhs, !outcome, depth - 1)
            }
            _ => false,
        }
    }

    /// Returns true if a number is not 0 because of how it is computed, in a block or before.
    fn by_definition(&mut self, value: ValueId, at: BlockId, depth: u32) -> bool {
        if let Some(number) = self.c.const_int(value) {
            return number != 0;
        }
        if depth == 0 || !self.step() {
            return false;
        }
        let Some((_, inst)) = self.c.def(value) else {
            return false;
        };
        let no_wrap = |flags: ArithFlags| flags.has(ArithFlags::NUW) || flags.has(ArithFlags::NSW);
        let mut holds = |value| self.holds(value, at, depth - 1);
        match inst.kind {
            InstKind::Binary {
                op,
                lhs,
                rhs,
                flags,
                ..
            } => match op {
                BinaryOp::Or => holds(lhs) || holds(rhs),
                BinaryOp::Add if flags.has(ArithFlags::NUW) => holds(lhs) || holds(rhs),
                BinaryOp::Mul if no_wrap(flags) => holds(lhs) && holds(rhs),
                BinaryOp::Shl if no_wrap(flags) => holds(lhs),
                BinaryOp::LShr | BinaryOp::AShr | BinaryOp::UDiv
                    if flags.has(ArithFlags::EXACT) =>
                {
                    holds(lhs)
                }
                _ => false,
            },
            InstKind::Cast {
                op: CastOp::ZExt | CastOp::SExt,
                value,
            } => holds(value),
            InstKind::Select { then, else_, .. } => holds(then) && holds(else_),
            InstKind::Phi { incoming } => {
                if self.assumed.contains(&value) {
                    return true;
                }
                let Some(block) = self
                    .c
                    .def(value)
                    .and_then(|d| block_of(self.c.function, d.0))
                else {
                    return false;
                };
                self.assumed.push(value);
                let holds = self.c.function.phi_incoming(incoming).all(|(value, from)| {
                    self.by_edge(value, from, block) || self.holds(value, from, depth - 1)
                });
                self.is_refuted |= !holds;
                holds
            }
            InstKind::Call { .. } => self.by_operation(value, at, depth),
            _ => false,
        }
    }

    /// Returns true if the result of an operation is not 0.
    fn by_operation(&mut self, value: ValueId, at: BlockId, depth: u32) -> bool {
        let Some((inst, _)) = self.c.def(value) else {
            return false;
        };
        let Ok(Some(call)) = DxCall::parse(self.c.module, self.c.function, inst) else {
            return false;
        };
        let [a, b] = [0, 1].map(|i| call.operand(i));
        // Positive in all widths.
        let is_positive = |value: Option<ValueId>| {
            let number = value.and_then(|value| self.c.const_int(value));
            number.is_some_and(|number| (1..=0x7FFF).contains(&number))
        };
        let is_raised = is_positive(a) || is_positive(b);
        let mut holds =
            |value: Option<ValueId>| value.is_some_and(|value| self.holds(value, at, depth - 1));
        match call.op {
            Op::WaveGetLaneCount => true,
            Op::UMax => holds(a) || holds(b),
            Op::IMax if is_raised => true,
            // One of the operands.
            Op::UMin | Op::IMin | Op::IMax => holds(a) && holds(b),
            _ => false,
        }
    }
}

/// Returns the outcome of a comparison of 0 with a number, if it is known.
fn of_zero(c: &FunctionContext<'_>, predicate: Predicate, number: ValueId) -> Option<bool> {
    match predicate {
        // 0 is the least number.
        Predicate::IUgt => return Some(false),
        Predicate::IUle => return Some(true),
        _ => {}
    }
    let Type::Int(bits @ 1..=64) = *c.module.types.get(c.value_type(number).ok()?)? else {
        return None;
    };
    let number = c.const_int(number)? & u64::MAX >> (64 - bits);
    let is_negative = number >> (bits - 1) != 0;
    Some(match predicate {
        Predicate::IEq | Predicate::IUge => number == 0,
        Predicate::INe | Predicate::IUlt => number != 0,
        Predicate::ISgt => is_negative,
        Predicate::ISge => is_negative || number == 0,
        Predicate::ISlt => !is_negative && number != 0,
        Predicate::ISle => !is_negative,
        _ => return None,
    })
}

/// Returns the predicate of the same comparison with swapped operands.
fn swapped(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::IUgt => Predicate::IUlt,
        Predicate::IUge => Predicate::IUle,
        Predicate::IUlt => Predicate::IUgt,
        Predicate::IUle => Predicate::IUge,
        Predicate::ISgt => Predicate::ISlt,
        Predicate::ISge => Predicate::ISle,
        Predicate::ISlt => Predicate::ISgt,
        Predicate::ISle => Predicate::ISge,
        other => other,
    }
}
