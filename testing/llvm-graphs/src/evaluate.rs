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

struct Lane<'a> {
    program: &'a Program,
    func: &'a Function,
    input: &'a [u32; INPUTS],
    values: Vec<u64>,
    run: Run,
}

/// Runs a function of the program, the original or a structured one, for at most so many blocks.
///
/// Undefined values and poison are 0. The steps of a structured function include those of its fresh
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
    let Some(mut block) = func.entry() else {
        return Ok(Run::default());
    };
    let constant = |value| match func.value_kind(value) {
        ValueKind::Constant { payload } => program
            .constants
            .get(payload as usize)
            .copied()
            .unwrap_or(0),
        ValueKind::SelectorConstant(number) => u64::from(number),
        ValueKind::BoolConstant(is_true) => u64::from(is_true),
        _ => 0,
    };
    let mut lane = Lane {
        program,
        func,
        input,
        values: func.values().map(constant).collect(),
        run: Run::default(),
    };
    let mut from = None;
    for _ in 0..steps {
        lane.phis(block, from)?;
        for inst in func.insts(block) {
            lane.inst(block, inst)?;
        }
        match lane.terminator(block)? {
            Some(to) => (from, block) = (Some(block), to),
            None => return Ok(lane.run),
        }
    }
    Err(Error::Steps(steps))
}

impl Lane<'_> {
    fn get(&self, value: Value) -> u64 {
        self.values[value.as_u32() as usize]
    }

    fn phis(&mut self, block: Block, from: Option<Block>) -> Result<(), Error> {
        // All are read before any is written.
        let mut new = Vec::new();
        for phi in self.func.phis(block) {
            let operand = self
                .func
                .phi_operands(phi)
                .find(|operand| Some(operand.pred) == from);
            let operand = operand.ok_or(Error::Malformed {
                block,
                what: "an operand of a phi",
            })?;
            new.push((phi, self.get(operand.value)));
        }
        for (phi, value) in new {
            self.values[phi.as_u32() as usize] = value;
        }
        Ok(())
    }

    fn inst(&mut self, block: Block, inst: Inst) -> Result<(), Error> {
        let uses = self.func.uses(inst);
        let malformed = Error::Malformed {
            block,
            what: "an operand",
        };
        let operand = |index: usize| uses.get(index).copied().ok_or(malformed);
        let result = match self.func.inst_kind(inst) {
            InstKind::SelectorTest { op, constant } => {
                let selector = self.get(operand(0)?);
                u64::from(match op {
                    SelectorOp::LessEqual => selector <= u64::from(constant),
                    SelectorOp::Equal => selector == u64::from(constant),
                })
            }
            InstKind::Select => {
                let chosen = if self.get(operand(0)?) != 0 { 1 } else { 2 };
                self.get(operand(chosen)?)
            }
            InstKind::Client(payload) => {
                let op = self
                    .program
                    .ops
                    .get(payload as usize)
                    .ok_or(Error::Malformed {
                        block,
                        what: "an operation",
                    })?;
                let value = |index: usize| operand(index).map(|value| self.get(value));
                let width_of = |index: usize| {
                    let width = width(self.func.value_type(operand(index)?));
                    width.ok_or(Error::Unsupported {
                        block,
                        what: "a value that is not an integer",
                    })
                };
                match op {
                    Op::Binary(op) => binary(*op, value(0)?, value(1)?, width_of(0)?)
                        .map_err(|what| Error::Undefined { block, what })?,
                    Op::Compare(predicate) => {
                        u64::from(compare(*predicate, value(0)?, value(1)?, width_of(0)?))
                    }
                    Op::Select => value(if value(0)? != 0 { 1 } else { 2 })?,
                    Op::ZeroExtend | Op::Copy => value(0)?,
                    Op::SignExtend => sign_extend(value(0)?, width_of(0)?) as u64,
                    Op::Element => {
                        value(0)?.wrapping_add(sign_extend(value(1)?, width_of(1)?) as u64)
                    }
                    Op::Load => {
                        let element = self.input.get(value(0)? as usize);
                        u64::from(*element.ok_or(Error::Undefined {
                            block,
                            what: "a read past the end of the input",
                        })?)
                    }
                    Op::Event => {
                        let event = [value(0)? as u32, value(1)? as u32];
                        self.run.events.push(event);
                        0
                    }
                    Op::Opaque(what) => return Err(Error::Unsupported { block, what }),
                    Op::Call(_) => {
                        return Err(Error::Unsupported {
                            block,
                            what: "a call",
                        });
                    }
                }
            }
        };
        for value in self.func.results(inst) {
            let width = width(self.func.value_type(value)).ok_or(Error::Unsupported {
                block,
                what: "a result that is not an integer",
            })?;
            self.values[value.as_u32() as usize] = truncate(result, width);
        }
        Ok(())
    }

    fn terminator(&mut self, block: Block) -> Result<Option<Block>, Error> {
        match self.func.terminator(block) {
            Some(Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. }) => {
                Ok(Some(to))
            }
            Some(Terminator::CondBranch {
                cond, then, else_, ..
            }) => Ok(Some(if self.get(cond) != 0 { then } else { else_ })),
            Some(Terminator::Switch {
                value,
                default,
                cases,
                ..
            }) => {
                let literal = self.get(value);
                Ok(Some(
                    self.func
                        .cases(cases)
                        .iter()
                        .find(|case| case.literal == literal)
                        .map_or(default, |case| case.target),
                ))
            }
            Some(Terminator::Return(value)) => {
                self.run.returned = value.map_or(0, |value| self.get(value)) as u32;
                Ok(None)
            }
            Some(Terminator::Unreachable) => Err(Error::Undefined {
                block,
                what: "an unreachable end",
            }),
            Some(Terminator::Kill | Terminator::Exit(_)) => Ok(None),
            None => Err(Error::Malformed {
                block,
                what: "a terminator",
            }),
        }
    }
}

/// Returns the result of an operation, which is still to be cut to the width.
pub(crate) fn binary(op: Binary, a: u64, b: u64, width: u32) -> Result<u64, &'static str> {
    let signed = |value| sign_extend(value, width);
    let division = b == 0;
    let too_far = b >= u64::from(width);
    let most = truncate(u64::MAX, width);
    Ok(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem if division => {
            return Err("a division by zero");
        }
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
pub(crate) fn compare(predicate: Predicate, a: u64, b: u64, width: u32) -> bool {
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
