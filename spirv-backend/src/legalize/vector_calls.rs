//! Splits operations on vectors of a length that SPIR-V lacks (shader model 6.9): an operation on
//! each component by itself becomes one operation for each, a load gets a field for each component,
//! a store becomes stores of up to four components, a reduction becomes a chain. Each costs time
//! linear in the length.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{BufferOp, FamilyOp, Op, VectorOp, WaveOp};
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, Constant, Inst, InstId, InstKind, Type, TypeId, ValueId,
};

use super::aggregates::Aggregates;
use super::rewriter::{NewInst, binary, metadata_of};
use super::{is_aggregate, is_long_vector, type_id, unsupported};
use crate::error::{AggregateFeature, Error};

/// The operands of a call after the opcode.
type Operands = SmallVec<[ValueId; 8]>;

/// A call of an operation on long vectors.
struct VectorCall<'a> {
    at: InstId,
    inst: &'a Inst,
    operands: Operands,
}

impl Aggregates<'_> {
    /// Rewrites a call of an operation on long vectors; `false` for another instruction.
    pub(super) fn on_vector_call(&mut self, at: InstId, inst: &Inst) -> Result<bool, Error> {
        if !matches!(inst.kind, InstKind::Call { .. }) || !self.has_long_part(inst)? {
            return Ok(false);
        }
        let Some(call) = self.ops.parse(self.w.module, self.w.old, at)? else {
            return Ok(false);
        };
        let op = call.op;
        let operands = call.args.iter().map(|&v| ValueId::from_u32(v)).collect();
        let call = VectorCall { at, inst, operands };
        match op.classify() {
            FamilyOp::Buffer(BufferOp::RawBufferVectorLoad) => self.vector_load(&call),
            FamilyOp::Buffer(BufferOp::RawBufferVectorStore) => self.vector_store(&call),
            FamilyOp::Vector(op) => self.reduction(&call, op),
            FamilyOp::Wave(WaveOp::WaveMatch) => self.match_all(&call),
            FamilyOp::Math(_)
            | FamilyOp::Bit(_)
            | FamilyOp::Derivative(_)
            | FamilyOp::Wave(_)
            | FamilyOp::Quad(_) => self.each_component(&call),
            _ => Err(unsupported(
                self.w.old,
                AggregateFeature::VectorOperation { op },
            )),
        }
    }

    /// Returns true if an operand of a call, its result, or a field of its result is a long vector.
    fn has_long_part(&self, inst: &Inst) -> Result<bool, Error> {
        let in_result = match self.w.module.ty(inst.ty) {
            Type::Struct { fields, .. } => fields.iter().any(|&f| is_long_vector(self.w.module, f)),
            _ => is_long_vector(self.w.module, inst.ty),
        };
        if in_result {
            return Ok(true);
        }
        for operand in self.w.old.operands(&inst.kind) {
            if self.is_long(operand)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Appends a call of the same function with other operands.
    fn write_call(
        &mut self,
        call: &VectorCall<'_>,
        op: Option<Op>,
        operands: impl IntoIterator<Item = ValueId>,
        ty: TypeId,
    ) -> Result<ValueId, Error> {
        self.count(1)?;
        let InstKind::Call { args, .. } = call.inst.kind else {
            return Ok(self.undef(ty));
        };
        let opcode = match op {
            Some(op) => {
                let code = Constant::Int(op.code().into());
                self.w.constant(self.w.int, code).as_u32()
            }
            None => self.w.old.pool[args.range()][0],
        };
        let operands = operands.into_iter().map(ValueId::as_u32);
        let list = self.w.list(std::iter::once(opcode).chain(operands));
        let mut inst = *call.inst;
        if let InstKind::Call { args, .. } = &mut inst.kind {
            *args = list;
        }
        let is_void = matches!(self.w.module.ty(ty), Type::Void);
        let result = self.w.result(ty);
        (inst.ty, inst.result) = (ty, (!is_void).then_some(result).into());
        let metadata = metadata_of(self.w.old, call.at);
        self.w.push(NewInst { inst, metadata });
        Ok(result)
    }

    /// Appends an instruction with the metadata of a call.
    fn write_like(
        &mut self,
        call: &VectorCall<'_>,
        kind: InstKind,
        ty: TypeId,
    ) -> Result<ValueId, Error> {
        let result = self.write(kind, ty)?;
        let metadata = metadata_of(self.w.old, call.at);
        if let Some(last) = self.w.last() {
            (last.inst.debug_loc, last.metadata) = (call.inst.debug_loc, metadata);
        }
        Ok(result)
    }

    /// Appends an `extractvalue` of a field.
    fn field(&mut self, aggregate: ValueId, index: u32, ty: TypeId) -> Result<ValueId, Error> {
        let indices = self.w.list([index]);
        self.write(InstKind::ExtractValue { aggregate, indices }, ty)
    }

    /// Rewrites an operation that works on each component by itself. Scalar operands are used for
    /// all components.
    fn each_component(&mut self, call: &VectorCall<'_>) -> Result<bool, Error> {
        let types = self.leaves(call.inst.ty)?;
        let mut lists = SmallVec::<[Option<Vec<ValueId>>; 8]>::new();
        for &operand in &call.operands {
            let list = match self.is_long(operand)? {
                true => Some(self.parts_of(operand)?),
                false => None,
            };
            if list.as_ref().is_some_and(|list| list.len() != types.len()) {
                return Err(unsupported(self.w.old, AggregateFeature::VectorConversion));
            }
            lists.push(list);
        }
        let mut parts = Vec::with_capacity(types.len());
        for (index, &ty) in types.iter().enumerate() {
            let operands: Operands = (call.operands.iter().zip(&lists))
                .map(|(&whole, list)| list.as_ref().map_or(whole, |list| list[index]))
                .collect();
            parts.push(self.write_call(call, None, operands, ty)?);
        }
        self.keep_result(call.inst, parts)
    }

    /// Gives a load a field for each component. The backend takes it in that form.
    fn vector_load(&mut self, call: &VectorCall<'_>) -> Result<bool, Error> {
        let types = self.leaves(call.inst.ty)?;
        let flat = Type::Struct {
            name: None,
            fields: types.iter().copied().collect(),
            packed: false,
            opaque: false,
        };
        let ty = type_id(self.w.module, &flat);
        let result = self.write_call(call, None, call.operands.clone(), ty)?;
        let mut parts = Vec::with_capacity(types.len());
        for (index, ty) in (0..).zip(types) {
            parts.push(self.field(result, index, ty)?);
        }
        self.keep_result(call.inst, parts)
    }

    /// Writes stores of up to four components.
    fn vector_store(&mut self, call: &VectorCall<'_>) -> Result<bool, Error> {
        let &[uav, index, offset, value, alignment] = &call.operands[..] else {
            return Ok(false);
        };
        let parts = self.parts_of(value)?;
        let element = match parts.first() {
            Some(&first) => self.type_of_part(first)?,
            None => return Ok(true),
        };
        let size = self.bytes_in_buffer(element);
        let byte = type_id(self.w.module, &Type::Int(8));
        for (number, chunk) in (0u64..).zip(parts.chunks(4)) {
            let offset = self.after(offset, number * 4 * size)?;
            let mask = Constant::Int((1 << chunk.len()) - 1);
            let mask = self.w.constant(byte, mask);
            let absent = self.undef(element);
            let mut operands: Operands = [uav, index, offset].into_iter().collect();
            operands.extend(chunk.iter().copied());
            operands.resize(7, absent);
            operands.extend([mask, alignment]);
            let op = Some(Op::RawBufferStore);
            self.write_call(call, op, operands, call.inst.ty)?;
        }
        Ok(true)
    }

    /// Returns the bytes that a number takes in a buffer; one of minimum precision takes 4.
    fn bytes_in_buffer(&self, ty: TypeId) -> u64 {
        match self.w.module.ty(ty) {
            Type::Half | Type::Int(16) if self.native_low_precision => 2,
            Type::Double | Type::Int(64) => 8,
            _ => 4,
        }
    }

    /// Returns an offset in bytes, which may be absent, and `more` bytes after it.
    fn after(&mut self, offset: ValueId, more: u64) -> Result<ValueId, Error> {
        if more == 0 {
            return Ok(offset);
        }
        let known = match self.w.module.constant(Some(self.w.old), offset) {
            Some(data) if data.value == Constant::Undef => Some(0),
            _ => self.number(offset),
        };
        let sum = known.unwrap_or(0).wrapping_add(more) & u64::from(u32::MAX);
        let sum = self.w.constant(self.w.int, Constant::Int(sum));
        if known.is_some() {
            return Ok(sum);
        }
        self.write(binary(BinaryOp::Add, offset, sum), self.w.int)
    }

    /// Rewrites an operation that makes one number of all components.
    fn reduction(&mut self, call: &VectorCall<'_>, op: VectorOp) -> Result<bool, Error> {
        let mut lists = SmallVec::<[Vec<ValueId>; 2]>::new();
        for &operand in &call.operands {
            lists.push(self.parts_of(operand)?);
        }
        let (combine, flags) = match op {
            VectorOp::VectorReduceAnd => (BinaryOp::And, 0),
            VectorOp::VectorReduceOr => (BinaryOp::Or, 0),
            VectorOp::FDot => (BinaryOp::FAdd, ArithFlags::FAST),
        };
        let (ty, flags) = (call.inst.ty, ArithFlags(flags));
        let mut terms = std::mem::take(&mut lists[0]);
        if let Some(others) = lists.get(1) {
            if others.len() != terms.len() {
                return Err(unsupported(self.w.old, AggregateFeature::VectorConversion));
            }
            for (term, &rhs) in terms.iter_mut().zip(others) {
                let (op, lhs) = (BinaryOp::FMul, *term);
                let product = InstKind::Binary {
                    op,
                    lhs,
                    rhs,
                    flags,
                };
                *term = self.write_like(call, product, ty)?;
            }
        }
        let mut terms = terms.into_iter();
        let Some(mut sum) = terms.next() else {
            return Ok(false);
        };
        for rhs in terms {
            let (op, lhs) = (combine, sum);
            let kind = InstKind::Binary {
                op,
                lhs,
                rhs,
                flags,
            };
            sum = self.write_like(call, kind, ty)?;
        }
        if let Some(result) = call.inst.result.expand() {
            self.w.replace(result, sum);
        }
        Ok(true)
    }

    /// Rewrites `WaveMatch`: vectors match where all their components do.
    fn match_all(&mut self, call: &VectorCall<'_>) -> Result<bool, Error> {
        let types = self.leaves(call.inst.ty)?;
        let &[vector] = &call.operands[..] else {
            return Ok(false);
        };
        let mut masks: Vec<ValueId> = Vec::new();
        for part in self.parts_of(vector)? {
            let found = self.write_call(call, None, [part], call.inst.ty)?;
            for (index, &ty) in types.iter().enumerate() {
                let word = self.field(found, index as u32, ty)?;
                match masks.get(index) {
                    Some(&lhs) => {
                        let kind = binary(BinaryOp::And, lhs, word);
                        masks[index] = self.write(kind, ty)?;
                    }
                    None => masks.push(word),
                }
            }
        }
        self.keep_result(call.inst, masks)
    }

    /// Returns true if a value is a long vector.
    pub(super) fn is_long(&self, value: ValueId) -> Result<bool, Error> {
        let ty = self.w.type_of(value)?;
        Ok(is_aggregate(self.w.module, ty) && matches!(self.w.module.ty(ty), Type::Vector { .. }))
    }
}
