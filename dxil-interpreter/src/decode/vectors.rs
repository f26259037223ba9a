//! Operations of `dx.op` on vectors (shader model 6.9): they become operations on their components.

use trellis_dxil_frontend::dxop::{BufferOp, DxCall, FamilyOp, VectorOp, WaveOp};
use trellis_dxil_frontend::module::BinaryOp;
use trellis_entity::{EntityRange, EntityRef};

use super::body::Body;
use super::{Decoder, Leaves};
use crate::action::{Action, Exchange, Pure, ResourceOp};
use crate::error::{Error, Feature, InvalidKind, invalid, unsupported};
use crate::program::{Compute, Instr, Operand, Slot};
use crate::scalar::Scalar;

/// Numbers that an access to a buffer moves at most.
const NUMBERS: usize = 4;

impl<'m> Decoder<'m> {
    /// Returns true for an operation that [`vector_op`](Self::vector_op) decodes whatever the length
    /// of its vectors.
    pub(super) fn is_vector_op(family: FamilyOp) -> bool {
        matches!(
            family,
            FamilyOp::Vector(_)
                | FamilyOp::Buffer(BufferOp::RawBufferVectorLoad | BufferOp::RawBufferVectorStore)
        )
    }

    /// Decodes an operation on vectors whose components have the type `ty`.
    pub(super) fn vector_op(
        &mut self,
        body: &mut Body<'m>,
        call: &DxCall<'m>,
        family: FamilyOp,
        ty: Scalar,
        out: EntityRange<Slot>,
    ) -> Result<(), Error> {
        let mut operands = Vec::with_capacity(call.args.len());
        for index in 0..call.args.len() {
            let value = call
                .operand(index)
                .ok_or_else(|| invalid(InvalidKind::MissingOperand { op: call.op }))?;
            operands.push(self.operand(body, value)?);
        }
        match family {
            FamilyOp::Buffer(BufferOp::RawBufferVectorLoad) => {
                self.vector_load(body, ty, out, &operands)
            }
            FamilyOp::Buffer(BufferOp::RawBufferVectorStore) => {
                self.vector_store(body, ty, &operands)
            }
            FamilyOp::Vector(op) => self.reduction(body, op, ty, out, &operands),
            FamilyOp::Wave(WaveOp::WaveMatch) => self.match_all(body, ty, out, &operands),
            FamilyOp::Math(_)
            | FamilyOp::Bit(_)
            | FamilyOp::Derivative(_)
            | FamilyOp::Wave(_)
            | FamilyOp::Quad(_) => {
                let action =
                    Action::of(family).ok_or_else(|| unsupported(Feature::Operation(call.op)))?;
                for (index, out) in out.enumerate() {
                    let args = operands
                        .iter()
                        .map(|&leaves| self.component(leaves, index))
                        .collect::<Result<Vec<_>, _>>()?;
                    self.dx_instr(body, action, ty, EntityRange::new(out, out.after(1)), args)?;
                }
                Ok(())
            }
            _ => Err(unsupported(Feature::OperationOnVectors(call.op))),
        }
    }

    /// Emits an operation on scalars.
    pub(super) fn dx_instr(
        &mut self,
        body: &Body<'m>,
        action: Action,
        ty: Scalar,
        out: EntityRange<Slot>,
        args: impl IntoIterator<Item = Operand>,
    ) -> Result<(), Error> {
        let start = self.program.operands.next_key();
        if matches!(action, Action::Wave(Exchange::Derivative(_))) && !self.program.has_quads() {
            // D3D does not define them; the translation has 0.
            let zeros = args.into_iter().map(|_| Operand::Const(0));
            self.program.operands.extend(zeros);
        } else {
            self.program.operands.extend(args);
        }
        let args = EntityRange::new(start, self.program.operands.next_key());
        self.spend(args.len())?;
        let dx = Instr::Dx {
            action,
            ty,
            out,
            args,
        };
        self.emit(body, dx)
    }

    /// Returns component `index` of an operand; the operand itself, if it is a scalar.
    fn component(&self, leaves: Leaves, index: usize) -> Result<Operand, Error> {
        let part = match self.get(leaves) {
            [only] => Some(only),
            all => all.get(index),
        };
        part.copied()
            .ok_or_else(|| invalid(InvalidKind::OperandTypes))
    }

    fn scalar(&self, operands: &[Leaves], index: usize) -> Result<Operand, Error> {
        let leaves = operands.get(index).map(|&leaves| self.get(leaves));
        match leaves {
            Some(&[only]) => Ok(only),
            _ => Err(invalid(InvalidKind::OperandTypes)),
        }
    }

    /// Returns a new slot.
    fn slot(&mut self) -> Result<Slot, Error> {
        let leaves = self.slots(1)?;
        Ok(self.first_slot(leaves))
    }

    fn binary(
        &mut self,
        body: &Body<'m>,
        op: BinaryOp,
        ty: Scalar,
        out: Option<Slot>,
        [a, b]: [Operand; 2],
    ) -> Result<Operand, Error> {
        let out = match out {
            Some(out) => out,
            None => self.slot()?,
        };
        self.emit(body, Instr::Compute(out, Compute::Binary { op, ty, a, b }))?;
        Ok(Operand::Slot(out))
    }

    /// Returns the handle, the first coordinate, and the second one plus the offset of a number.
    fn place(
        &mut self,
        body: &Body<'m>,
        ty: Scalar,
        operands: &[Leaves],
        number: usize,
    ) -> Result<[Operand; 3], Error> {
        let [handle, first, second] = [0, 1, 2].map(|index| self.scalar(operands, index));
        let size = match ty {
            Scalar::I16 if !self.program.native16 => 4,
            _ => ty.bytes(),
        };
        let more = u64::from(number as u32 * size);
        let second = match second? {
            offset if more == 0 => offset,
            Operand::Const(offset) => Operand::Const((offset + more) & 0xffff_ffff),
            Operand::Slot(offset) => {
                let pair = [Operand::Slot(offset), Operand::Const(more)];
                self.binary(body, BinaryOp::Add, Scalar::I32, None, pair)?
            }
        };
        Ok([handle?, first?, second])
    }

    fn vector_load(
        &mut self,
        body: &Body<'m>,
        ty: Scalar,
        out: EntityRange<Slot>,
        operands: &[Leaves],
    ) -> Result<(), Error> {
        let slots: Vec<Slot> = out.collect();
        let Some((&status, numbers)) = slots.split_last() else {
            return Ok(());
        };
        let load = Action::Resource(ResourceOp::BufferLoad);
        for (index, chunk) in numbers.chunks(NUMBERS).enumerate() {
            let place = self.place(body, ty, operands, index * NUMBERS)?;
            let out = EntityRange::new(chunk[0], chunk[0].after(chunk.len()));
            self.dx_instr(body, load, ty, out, place)?;
        }
        let (mapped, out) = (Operand::Const(1), EntityRange::new(status, status.after(1)));
        self.dx_instr(body, Action::Pure(Pure::IsMapped), ty, out, [mapped])
    }

    fn vector_store(
        &mut self,
        body: &Body<'m>,
        ty: Scalar,
        operands: &[Leaves],
    ) -> Result<(), Error> {
        const VALUE: usize = 3;
        let value = *operands
            .get(VALUE)
            .ok_or_else(|| invalid(InvalidKind::OperandTypes))?;
        let numbers = self.get(value).to_vec();
        let store = Action::Resource(ResourceOp::BufferStore);
        for (index, chunk) in numbers.chunks(NUMBERS).enumerate() {
            let mut args = self.place(body, ty, operands, index * NUMBERS)?.to_vec();
            args.extend(chunk);
            args.resize(VALUE + NUMBERS, Operand::Const(0));
            args.push(Operand::Const((1 << chunk.len()) - 1));
            let none = EntityRange::new(Slot::new(0), Slot::new(0));
            self.dx_instr(body, store, ty, none, args)?;
        }
        Ok(())
    }

    /// Decodes an operation that makes one number of all components.
    fn reduction(
        &mut self,
        body: &Body<'m>,
        op: VectorOp,
        ty: Scalar,
        out: EntityRange<Slot>,
        operands: &[Leaves],
    ) -> Result<(), Error> {
        let all = |this: &Self, index: usize| {
            let leaves = operands.get(index).map(|&leaves| this.get(leaves).to_vec());
            leaves.ok_or_else(|| invalid(InvalidKind::OperandTypes))
        };
        let mut terms = all(self, 0)?;
        let combine = match op {
            VectorOp::VectorReduceAnd => BinaryOp::And,
            VectorOp::VectorReduceOr => BinaryOp::Or,
            VectorOp::FDot => {
                let others = all(self, 1)?;
                if others.len() != terms.len() {
                    return Err(invalid(InvalidKind::OperandTypes));
                }
                for (term, other) in terms.iter_mut().zip(others) {
                    *term = self.binary(body, BinaryOp::FMul, ty, None, [*term, other])?;
                }
                BinaryOp::FAdd
            }
        };
        let mut terms = terms.into_iter();
        let Some(mut sum) = terms.next() else {
            return Err(invalid(InvalidKind::OperandTypes));
        };
        for term in terms {
            sum = self.binary(body, combine, ty, None, [sum, term])?;
        }
        for slot in out {
            // A copy.
            let zero = Operand::Const(0);
            let word = Scalar::I64;
            self.binary(body, BinaryOp::Or, word, Some(slot), [sum, zero])?;
        }
        Ok(())
    }

    /// Decodes `WaveMatch`: vectors match where all their components do.
    fn match_all(
        &mut self,
        body: &Body<'m>,
        ty: Scalar,
        out: EntityRange<Slot>,
        operands: &[Leaves],
    ) -> Result<(), Error> {
        let action = Action::of(FamilyOp::Wave(WaveOp::WaveMatch))
            .ok_or_else(|| invalid(InvalidKind::OperandTypes))?;
        let vector = *operands
            .first()
            .ok_or_else(|| invalid(InvalidKind::OperandTypes))?;
        for (index, part) in self.get(vector).to_vec().into_iter().enumerate() {
            if index == 0 {
                self.dx_instr(body, action, ty, out, [part])?;
                continue;
            }
            let found = self.slots(out.len())?;
            let first = self.first_slot(found);
            let words = EntityRange::new(first, first.after(out.len()));
            self.dx_instr(body, action, ty, words, [part])?;
            for (slot, word) in out.zip(words) {
                let pair = [Operand::Slot(slot), Operand::Slot(word)];
                self.binary(body, BinaryOp::And, Scalar::I32, Some(slot), pair)?;
            }
        }
        Ok(())
    }
}
