//! Runs a program with one lane on the CPU: as it is, or structured.

use thiserror::Error;
use trellis_structurizer::ir::{
    Block, Function, Inst, InstKind, SelectorOp, Terminator, Value, ValueKind,
};

use crate::program::{Binary, INPUTS, Op, Predicate, Program, sign_extend, truncate, width};

/// The observable behaviour of a run: the events in order, and the value that the function returns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// Id and value of each event.
    pub events: Vec<[u32; 2]>,
    /// The returned value, cut to 32 bits; 0 if there is none.
    pub returned: u32,
}

/// Factor and shift with which id and value go into a [`digest`].
pub const DIGEST: [(u32, u32); 2] = [(0x9e37_79b1, 15), (0x85eb_ca77, 13)];

/// Returns one number for the events of a run: each changes it, and so does their order.
pub fn digest(events: &[[u32; 2]]) -> u32 {
    events.iter().fold(0, |digest: u32, event| {
        event
            .iter()
            .zip(DIGEST)
            .fold(digest, |digest, (word, (factor, shift))| {
                let sum = digest.wrapping_mul(factor).wrapping_add(*word);
                sum ^ (sum >> shift)
            })
    })
}

/// Why a run has no end that can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The run took too many blocks.
    #[error("the run did not end within {0} blocks")]
    Steps(usize),
    /// LLVM calls it undefined behaviour.
    #[error("undefined behaviour in {block}: {what}")]
    Undefined {
        /// The block.
        block: Block,
        /// The undefined operation.
        what: &'static str,
    },
    /// The graph has an instruction or a value that is not an integer.
    #[error("{block} has an instruction that cannot be run: {what}")]
    Unsupported {
        /// The block.
        block: Block,
        /// The instruction.
        what: &'static str,
    },
    /// A phi lacks the operand of the block that control came from, or the graph a terminator.
    #[error("{block} is not well formed: {what}")]
    Malformed {
        /// The block.
        block: Block,
        /// The missing part.
        what: &'static str,
    },
}

/// Runs a function of the program, the original or a structured one, for at most `steps` blocks.
///
/// Undefined values and poison are 0. The steps of a structured function include its inserted
/// blocks.
///
/// # Errors
/// See [`enum@Error`].
pub fn evaluate(
    program: &Program,
    func: &Function,
    input: &[u32; INPUTS],
    steps: usize,
) -> Result<Run, Error> {
    let (mut run, mut lane) = (Run::default(), Lane::new(program, func));
    let (mut from, mut next) = (None, func.entry());
    for _ in 0..steps {
        let Some(block) = next else {
            return Ok(run);
        };
        lane.visit(from, block, |op, operands| match (op, operands) {
            (Op::Load, &[element]) => {
                let word = input.get(element as usize).copied().map(u64::from);
                let what = "a read past the end of the input";
                word.ok_or(Error::Undefined { block, what })
            }
            (Op::Event, &[id, value]) => {
                run.events.push([id as u32, value as u32]);
                Ok(0)
            }
            (Op::Opaque(what), _) => Err(Error::Unsupported { block, what }),
            (Op::Call(_), _) => {
                let what = "a call";
                Err(Error::Unsupported { block, what })
            }
            (Op::Binary(_), [_, _]) => {
                let what = "a division by zero";
                Err(Error::Undefined { block, what })
            }
            _ => {
                let what = "an operand";
                Err(Error::Malformed { block, what })
            }
        })?;
        match func.terminator(block) {
            Some(Terminator::Return(value)) => {
                run.returned = value.map_or(0, |value| lane.get(value)) as u32;
            }
            Some(Terminator::Unreachable) => {
                let what = "an unreachable end";
                return Err(Error::Undefined { block, what });
            }
            Some(_) => {}
            None => {
                let what = "a terminator";
                return Err(Error::Malformed { block, what });
            }
        }
        (from, next) = (Some(block), lane.next(block));
    }
    Err(Error::Steps(steps))
}

/// The values of a run.
pub(crate) struct Lane<'a> {
    pub(crate) program: &'a Program,
    pub(crate) func: &'a Function,
    values: Vec<u64>,
}

impl<'a> Lane<'a> {
    pub(crate) fn new(program: &'a Program, func: &'a Function) -> Self {
        let constant = |value| constant(program, func, value).unwrap_or(0);
        Self {
            program,
            func,
            values: func.values().map(constant).collect(),
        }
    }

    pub(crate) fn get(&self, value: Value) -> u64 {
        self.values[value.as_u32() as usize]
    }

    /// Sets a value to a number, cut to its width.
    pub(crate) fn set(&mut self, value: Value, number: u64) {
        let width = width(self.func.value_type(value)).unwrap_or(64);
        self.values[value.as_u32() as usize] = truncate(number, width);
    }

    /// Runs a block that is reached from another one. `effect` returns the result of an operation that
    /// does not depend on its operands alone, or has none.
    pub(crate) fn visit(
        &mut self,
        from: Option<Block>,
        block: Block,
        mut effect: impl FnMut(&Op, &[u64]) -> Result<u64, Error>,
    ) -> Result<(), Error> {
        let func = self.func;
        let malformed = |what| Error::Malformed { block, what };
        // All phis are read before any is written.
        let mut new = Vec::new();
        for phi in func.phis(block) {
            let mut operands = func.phi_operands(phi);
            let operand = operands.find(|operand| Some(operand.pred) == from);
            let operand = operand.ok_or(malformed("an operand of a phi"))?;
            new.push((phi, self.get(operand.value)));
        }
        for (phi, number) in new {
            self.set(phi, number);
        }
        for inst in func.insts(block) {
            let uses = func.uses(inst);
            let operand = |index: usize| uses.get(index).map(|&value| self.get(value));
            let number = match compute(self.program, func, inst, &operand) {
                Some(number) => number,
                None => {
                    let operands: Vec<u64> = uses.iter().map(|&value| self.get(value)).collect();
                    let op = self.program.op(func, inst);
                    effect(op.ok_or(malformed("an operation"))?, &operands)?
                }
            };
            for value in func.results(inst) {
                self.set(value, number);
            }
        }
        Ok(())
    }

    /// Returns the block after one that has run; none at an end.
    pub(crate) fn next(&self, block: Block) -> Option<Block> {
        match self.func.terminator(block)? {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => Some(to),
            Terminator::CondBranch {
                cond, then, else_, ..
            } => Some(if self.get(cond) != 0 { then } else { else_ }),
            Terminator::Switch {
                value,
                default,
                cases,
                ..
            } => {
                let literal = self.get(value);
                let mut cases = self.func.cases(cases).iter();
                let case = cases.find(|case| case.literal == literal);
                Some(case.map_or(default, |case| case.target))
            }
            _ => None,
        }
    }
}

/// Returns the number that a value is everywhere.
pub(crate) fn constant(program: &Program, func: &Function, value: Value) -> Option<u64> {
    match func.value_kind(value) {
        ValueKind::Constant { payload } => program.constants.get(payload as usize).copied(),
        ValueKind::SelectorConstant(number) => Some(u64::from(number)),
        ValueKind::BoolConstant(is_true) => Some(u64::from(is_true)),
        _ => None,
    }
}

/// Returns the result of an instruction, still to be cut to its width; none if it has none, as for a
/// division by zero, or depends on unknown operands or something else.
pub(crate) fn compute(
    program: &Program,
    func: &Function,
    inst: Inst,
    operand: &dyn Fn(usize) -> Option<u64>,
) -> Option<u64> {
    let width_of = |index: usize| width(func.value_type(*func.uses(inst).get(index)?));
    let ones = || Some(truncate(u64::MAX, width_of(0)?));
    let chosen = || operand(if operand(0)? != 0 { 1 } else { 2 });
    let op = match func.inst_kind(inst) {
        InstKind::SelectorTest { op, constant } => {
            let (selector, constant) = (operand(0)?, u64::from(constant));
            return Some(u64::from(match op {
                SelectorOp::LessEqual => selector <= constant,
                SelectorOp::Equal => selector == constant,
            }));
        }
        InstKind::Select => return chosen(),
        InstKind::Client(_) => program.op(func, inst)?,
    };
    Some(match *op {
        Op::Binary(Binary::And) if [0, 1].iter().any(|&at| operand(at) == Some(0)) => 0,
        Op::Binary(Binary::Or) if [0, 1].iter().any(|&at| operand(at) == ones()) => ones()?,
        Op::Binary(op) => binary(op, operand(0)?, operand(1)?, width_of(0)?)?,
        Op::Compare(predicate) => {
            u64::from(compare(predicate, operand(0)?, operand(1)?, width_of(0)?))
        }
        Op::Select => chosen()?,
        Op::ZeroExtend | Op::Copy => operand(0)?,
        Op::SignExtend => sign_extend(operand(0)?, width_of(0)?) as u64,
        Op::Element => operand(0)?.wrapping_add(sign_extend(operand(1)?, width_of(1)?) as u64),
        Op::Load | Op::Event | Op::Call(_) | Op::Opaque(_) => return None,
    })
}

/// Returns the result of an operation, which is still to be cut to the width; none of a division by zero.
fn binary(op: Binary, a: u64, b: u64, width: u32) -> Option<u64> {
    let signed = |value| sign_extend(value, width);
    let division = b == 0;
    let too_far = b >= u64::from(width);
    let most = truncate(u64::MAX, width);
    Some(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem if division => return None,
        Binary::UDiv => a / b,
        Binary::URem => a % b,
        Binary::SDiv => signed(a).wrapping_div(signed(b)) as u64,
        Binary::SRem => signed(a).wrapping_rem(signed(b)) as u64,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        // Poison; nothing that the outside sees depends on it.
        Binary::Shl | Binary::LShr | Binary::AShr if too_far => 0,
        Binary::Shl => a << b,
        Binary::LShr => a >> b,
        Binary::AShr => (signed(a) >> b) as u64,
        Binary::UMin => a.min(b),
        Binary::UMax => a.max(b),
        Binary::SMin => signed(a).min(signed(b)) as u64,
        Binary::SMax => signed(a).max(signed(b)) as u64,
        Binary::USubSat => a.saturating_sub(b),
        Binary::UAddSat => a.checked_add(b).map_or(most, |sum| sum.min(most)),
    })
}

/// Returns whether a comparison of two integers of a width holds.
fn compare(predicate: Predicate, a: u64, b: u64, width: u32) -> bool {
    let (x, y) = (sign_extend(a, width), sign_extend(b, width));
    match predicate {
        Predicate::Eq => a == b,
        Predicate::Ne => a != b,
        Predicate::Ugt => a > b,
        Predicate::Uge => a >= b,
        Predicate::Ult => a < b,
        Predicate::Ule => a <= b,
        Predicate::Sgt => x > y,
        Predicate::Sge => x >= y,
        Predicate::Slt => x < y,
        Predicate::Sle => x <= y,
    }
}
