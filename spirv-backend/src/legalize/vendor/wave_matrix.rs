//! Matrices of a wave in AGS. An intrinsic is several compare-exchanges of one block: phases that
//! give the words of the operands (two words each, at the immediate's index), a phase with the
//! types, and phases that read the words of the result. A lane has 8 words of a matrix, which the
//! shader may keep in variables and choose from; an operand whose words are all from one result is
//! that result.
//!
//! Accesses to memory name it by a separate operation between the phases, at the address that the
//! first phase gave: a load of the buffer, or an atomic addition of 0 to groupshared memory.

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{BinaryOp, InstKind, Predicate, ValueId};

use super::ags::{Phase, error};
use super::writer::Writer;
use crate::error::Error;
use crate::vendor::Private;
use crate::vendor::wave_matrix::{MatrixType, Product};

const MUL_ACC: u64 = 0x28;
const UAV_LOAD: u64 = 0x29;
const UAV_STORE: u64 = 0x2A;
const LDS_LOAD: u64 = 0x2D;
const LDS_STORE: u64 = 0x2E;
const ELEMENT_FILL: u64 = 0x2F;
const ELEMENT_EXTRACT: u64 = 0x30;
const LENGTH: u64 = 0x31;
const COPY: u64 = 0x32;
const FILL: u64 = 0x33;
const ARITHMETIC: u64 = 0x35;

/// Returns true if an operation is one on matrices that has a translation.
pub(super) fn is_one(operation: u64) -> bool {
    matches!(operation, MUL_ACC..=UAV_STORE | LDS_LOAD..=FILL | ARITHMETIC)
}

/// The words of a matrix.
type Words = [ValueId; 8];

/// An intrinsic with some phases still to come.
#[derive(Default)]
pub(super) struct WaveMatrix {
    operation: u64,
    /// Words of the operands: of the register that also has the result, and of three others.
    operands: [[Option<ValueId>; 8]; 4],
    /// Address and stride, and the result of the phase that gave them.
    place: Option<(ValueId, ValueId, Option<ValueId>)>,
    /// The buffer's handle, or the pointer.
    memory: Option<ValueId>,
    /// The result of a load that names a buffer, from which a word is extracted.
    hook: Option<ValueId>,
    /// The words of the result, and the matrix if it is one.
    result: Option<(Words, Option<ValueId>)>,
    /// All but the phases that read the result have been seen.
    done: bool,
}

impl WaveMatrix {
    /// Rewrites a phase; returns its result.
    pub(super) fn phase(
        &mut self,
        w: &mut Writer<'_>,
        phase: Phase,
    ) -> Result<Option<ValueId>, Error> {
        if phase.operation != self.operation || phase.number == 0 && self.done {
            *self = Self::default();
            self.operation = phase.operation;
        }
        let accesses = matches!(phase.operation, UAV_LOAD | UAV_STORE | LDS_LOAD | LDS_STORE);
        match (phase.operation, phase.number) {
            (LENGTH, 0) => {
                let ty = matrix_type(w, phase, phase.immediate)?;
                self.done = true;
                let code = ty.code();
                Ok(Some(w.coded(Private::MatrixLength, code, &[], w.int)))
            }
            (FILL, 0) => {
                let ty = matrix_type(w, phase, phase.immediate)?;
                let matrix = w.matrix(Private::MatrixFill, ty.code(), &[phase.first]);
                self.finish(w, matrix);
                Ok(None)
            }
            (_, 0) if accesses => {
                let result = w.rewriter.old.insts[w.at].result.expand();
                self.place = Some((phase.first, phase.second, result));
                // The operation that names the memory is at this address.
                Ok(Some(phase.first))
            }
            (MUL_ACC | COPY | ELEMENT_FILL | ELEMENT_EXTRACT | ARITHMETIC, 0)
            | (UAV_STORE | LDS_STORE, 1) => {
                self.operand(w, phase)?;
                Ok(None)
            }
            (UAV_LOAD | LDS_LOAD, 1) => {
                let ty = matrix_type(w, phase, phase.immediate)?;
                let matrix = self.access(w, phase, ty, &[])?;
                self.finish(w, matrix);
                Ok(None)
            }
            (UAV_STORE | LDS_STORE, 2) => {
                let ty = matrix_type(w, phase, phase.immediate)?;
                let stored = self.matrix(w, 0);
                self.access(w, phase, ty, &[stored])?;
                self.done = true;
                Ok(None)
            }
            (MUL_ACC, 1) => {
                let Some(product) = Product::from_code(phase.immediate) else {
                    return Err(error(w, phase.operation, "of such matrices"));
                };
                let operands = [1, 2, 3].map(|i| self.matrix(w, i));
                let matrix = w.matrix(Private::MatrixMultiply, product.code(), &operands);
                self.finish(w, matrix);
                Ok(None)
            }
            (COPY, 1) => self.copy(w, phase),
            (ARITHMETIC, 1) => {
                let ty = matrix_type(w, phase, phase.immediate)?;
                let number = w.rewriter.const_int(phase.first);
                let Some(number) = number.filter(|n| (1..=5).contains(n) && ty.bits() > 8) else {
                    return Err(error(w, phase.operation, "without translation"));
                };
                let operands = [1, 2].map(|i| self.matrix(w, i));
                let code = ty.code() | (number as u32) << 8;
                let matrix = w.matrix(Private::MatrixArithmetic, code, &operands);
                self.finish(w, matrix);
                Ok(None)
            }
            (ELEMENT_FILL | ELEMENT_EXTRACT, 1) => self.element(w, phase),
            (FILL, 1) | (_, 2) => self.read(w, phase),
            _ => Err(error(w, phase.operation, "with an unknown phase")),
        }
    }

    /// Takes the operation that names the memory; returns true if the instruction is one.
    pub(super) fn other(&mut self, w: &mut Writer<'_>) -> Result<bool, Error> {
        let inst = w.rewriter.old.insts[w.at];
        if let InstKind::ExtractValue { aggregate, .. } = inst.kind
            && self.hook == Some(aggregate)
        {
            let none = w.number(0);
            w.replace(w.at, none);
            return Ok(true);
        }
        let Some((_, _, address)) = self.place else {
            return Ok(false);
        };
        if self.memory.is_some() || self.done {
            return Ok(false);
        }
        match self.operation {
            LDS_LOAD | LDS_STORE => {
                let InstKind::AtomicRmw { ptr, .. } = inst.kind else {
                    return Ok(false);
                };
                self.memory = Some(ptr);
                let none = w.number(0);
                w.replace(w.at, none);
                Ok(true)
            }
            _ => {
                let Some(call) = w.call(w.at)? else {
                    return Ok(false);
                };
                let loads = matches!(call.op, Op::BufferLoad | Op::RawBufferLoad);
                if !loads || address.is_none() || call.operand(1) != address {
                    return Ok(false);
                }
                self.memory = call.operand(0);
                self.hook = inst.result.expand();
                Ok(true)
            }
        }
    }

    /// Takes two words of an operand.
    fn operand(&mut self, w: &Writer<'_>, phase: Phase) -> Result<(), Error> {
        let (channel, half) = (phase.immediate & 0xF, phase.immediate >> 4 & 0xF);
        let words = self.operands.get_mut((phase.immediate >> 8) as usize);
        let at = (4 * half + 2 * channel) as usize;
        match words.and_then(|words| words.get_mut(at..at + 2)) {
            Some(words) if channel < 2 => {
                words.copy_from_slice(&[Some(phase.first), Some(phase.second)]);
                Ok(())
            }
            _ => Err(error(w, phase.operation, "with an unknown register")),
        }
    }

    /// Returns the words of an operand: 0 for those that were not given.
    fn words(&self, w: &mut Writer<'_>, which: usize) -> Words {
        self.operands[which].map(|word| word.unwrap_or_else(|| w.number(0)))
    }

    /// Returns the matrix that an operand is.
    fn matrix(&self, w: &mut Writer<'_>, which: usize) -> ValueId {
        let words = self.operands[which];
        let of = |i: usize| words[i].and_then(|word| w.matrix_words.get(&word)).copied();
        if let Some((matrix, 0)) = of(0)
            && (1..8).all(|i| of(i) == Some((matrix, i)))
        {
            return matrix;
        }
        let words = self.words(w, which);
        w.matrix_of(&words)
    }

    fn access(
        &self,
        w: &mut Writer<'_>,
        phase: Phase,
        ty: MatrixType,
        stored: &[ValueId],
    ) -> Result<ValueId, Error> {
        let (Some((address, stride, _)), Some(memory)) = (self.place, self.memory) else {
            return Err(error(w, phase.operation, "without memory"));
        };
        let (op, mut operands) = match phase.operation {
            UAV_LOAD => (Private::MatrixLoad, vec![memory, address, stride]),
            UAV_STORE => (Private::MatrixStore, vec![memory, address, stride]),
            LDS_LOAD => (Private::MatrixLoadShared, vec![memory, stride]),
            _ => (Private::MatrixStoreShared, vec![memory, stride]),
        };
        operands.extend(stored);
        Ok(if stored.is_empty() {
            w.matrix(op, ty.code(), &operands)
        } else {
            w.coded(op, ty.code(), &operands, w.int)
        })
    }

    /// Records the matrix that an intrinsic makes.
    fn finish(&mut self, w: &mut Writer<'_>, matrix: ValueId) {
        let words = std::array::from_fn(|i| w.field(matrix, i as u32));
        self.result = Some((words, Some(matrix)));
        self.done = true;
    }

    fn copy(&mut self, w: &mut Writer<'_>, phase: Phase) -> Result<Option<ValueId>, Error> {
        let (Some(to), Some(saturates)) = (
            w.rewriter.const_int(phase.first),
            w.rewriter.const_int(phase.second),
        ) else {
            return Err(error(w, phase.operation, "to a type that varies"));
        };
        let from = matrix_type(w, phase, phase.immediate)?;
        let to = matrix_type(w, phase, to)?;
        let operand = self.matrix(w, 0);
        let code = from.code() | to.code() << 8 | u32::from(saturates != 0) << 16;
        let matrix = w.matrix(Private::MatrixConvert, code, &[operand]);
        self.finish(w, matrix);
        Ok(None)
    }

    /// Extracts or replaces an element: a word, which has four elements of 8 bits, or a half.
    fn element(&mut self, w: &mut Writer<'_>, phase: Phase) -> Result<Option<ValueId>, Error> {
        let ty = matrix_type(w, phase, phase.immediate)?;
        let words = self.words(w, 0);
        let halves = ty.bits() == 16;
        let (index, shift) = if halves {
            let odd = w.with(BinaryOp::And, phase.first, 1);
            let word = w.with(BinaryOp::LShr, phase.first, 1);
            (word, w.with(BinaryOp::Shl, odd, 4))
        } else {
            (phase.first, w.number(0))
        };
        self.done = true;
        let is_at: [ValueId; 8] = std::array::from_fn(|i| {
            let number = w.number(i as u32);
            w.compare(Predicate::IEq, index, number)
        });
        if phase.operation == ELEMENT_EXTRACT {
            let mut word = words[0];
            for i in 1..8 {
                word = w.select(is_at[i], words[i], word);
            }
            if halves {
                let low = w.word(BinaryOp::LShr, word, shift);
                word = w.with(BinaryOp::And, low, 0xFFFF);
            }
            return Ok(Some(word));
        }
        let mut data = w.operands(w.at)?[5];
        let mut others = None;
        if halves {
            let low = w.with(BinaryOp::And, data, 0xFFFF);
            data = w.word(BinaryOp::Shl, low, shift);
            let mask = w.number(0xFFFF_0000);
            others = Some(w.word(BinaryOp::LShr, mask, shift));
        }
        let words = std::array::from_fn(|i| {
            let new = match others {
                Some(mask) => {
                    let kept = w.word(BinaryOp::And, words[i], mask);
                    w.word(BinaryOp::Or, kept, data)
                }
                None => data,
            };
            w.select(is_at[i], new, words[i])
        });
        self.result = Some((words, None));
        Ok(None)
    }

    /// Returns the word of the result that a phase reads.
    fn read(&self, w: &mut Writer<'_>, phase: Phase) -> Result<Option<ValueId>, Error> {
        let (channel, half) = (phase.immediate & 0xF, phase.immediate >> 4 & 0xF);
        let at = (4 * half + channel) as usize;
        match self.result {
            Some((words, matrix)) if channel < 4 && at < 8 => {
                if let (Some(matrix), Some(read)) =
                    (matrix, w.rewriter.old.insts[w.at].result.expand())
                {
                    w.matrix_words.insert(read, (matrix, at));
                }
                Ok(Some(words[at]))
            }
            _ => Err(error(w, phase.operation, "without the earlier phases")),
        }
    }
}

/// Returns the type that an immediate is.
fn matrix_type(w: &Writer<'_>, phase: Phase, code: u64) -> Result<MatrixType, Error> {
    MatrixType::from_code(code)
        .ok_or_else(|| error(w, phase.operation, "of a type without translation"))
}
