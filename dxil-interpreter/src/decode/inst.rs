//! Single instructions.

use std::cmp::Ordering;

use trellis_dxil_frontend::dxop::DxCall;
use trellis_dxil_frontend::module::{
    CallArg, CastOp, Inst, InstId, InstKind, PoolRange, Type, TypeId, ValueId, ValueKind,
};
use trellis_entity::EntityRange;

use super::body::Body;
use super::{Decoder, Leaves};
use crate::error::{Error, Feature, InvalidKind, invalid, unsupported};
use crate::program::{Access, Compute, Instr, Operand, Slot, Term};
use crate::scalar::Scalar;

impl<'m> Decoder<'m> {
    /// Decodes instruction `id` of a function, which ends no block.
    pub(super) fn inst(
        &mut self,
        body: &mut Body<'m>,
        id: InstId,
        inst: &Inst,
    ) -> Result<(), Error> {
        match inst.kind {
            InstKind::Call { callee, args, .. } => {
                return self.call(body, id, inst, callee, args);
            }
            InstKind::Store { ptr, value, .. } => return self.store(body, ptr, value),
            InstKind::Fence { .. } | InstKind::Phi { .. } | InstKind::Alloca { .. } => {
                return Ok(());
            }
            _ => {}
        }
        let Some(out) = self.result(body, inst) else {
            return Ok(());
        };
        let first = self.first_slot(out);
        match inst.kind {
            InstKind::Binary { .. } | InstKind::Cmp { .. } | InstKind::Select { .. } => {
                self.elementwise(body, inst, first)?;
            }
            InstKind::Cast { op, value } => self.cast(body, op, value, inst.ty, first)?,
            InstKind::Load { ptr, .. } => self.load(body, ptr, inst.ty, first)?,
            InstKind::Gep {
                source, operands, ..
            } => self.gep(body, source, operands, first)?,
            InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => {
                self.atomic(body, inst, first)?;
            }
            _ => self.aggregate(body, inst, first)?,
        }
        Ok(())
    }

    /// Decodes a binary operation, comparison or selection, scalar by scalar.
    fn elementwise(&mut self, body: &mut Body<'m>, inst: &Inst, first: Slot) -> Result<(), Error> {
        match inst.kind {
            InstKind::Binary { op, lhs, rhs, .. } => {
                let pairs = self.pairs(body, inst.ty, lhs, rhs)?;
                let ops = pairs.map(|(ty, a, b)| Compute::Binary { op, ty, a, b });
                self.compute(body, first, ops)
            }
            InstKind::Cmp {
                predicate: by,
                lhs,
                rhs,
                ..
            } => {
                let ty = self.type_of(body, lhs)?;
                let pairs = self.pairs(body, ty, lhs, rhs)?;
                let ops = pairs.map(|(ty, a, b)| Compute::Compare { by, ty, a, b });
                self.compute(body, first, ops)
            }
            InstKind::Select { cond, then, else_ } => {
                let cond = self.operand(body, cond)?;
                let conds = self.get(cond).to_vec();
                let pairs = self.pairs(body, inst.ty, then, else_)?;
                let first_cond = conds.first();
                let all = first_cond.ok_or_else(|| invalid(InvalidKind::NoCondition))?;
                // One condition is for all scalars.
                let conds = conds.iter().chain(std::iter::repeat(all));
                let ops = pairs
                    .zip(conds)
                    .map(|((_, then, other), &cond)| Compute::Select { cond, then, other });
                self.compute(body, first, ops)
            }
            _ => Ok(()),
        }
    }

    /// Emits computations of consecutive scalars.
    fn compute(
        &mut self,
        body: &Body<'m>,
        first: Slot,
        ops: impl IntoIterator<Item = Compute>,
    ) -> Result<(), Error> {
        for (index, op) in ops.into_iter().enumerate() {
            self.emit(body, Instr::Compute(first.after(index), op))?;
        }
        Ok(())
    }

    /// Decodes a load, scalar by scalar.
    fn load(
        &mut self,
        body: &mut Body<'m>,
        ptr: ValueId,
        ty: TypeId,
        first: Slot,
    ) -> Result<(), Error> {
        let ptr = self.single(body, ptr)?;
        for (index, &(ty, offset)) in self.layouts.leaves(ty)?.iter().enumerate() {
            let load = Access::Load { ty, ptr, offset };
            self.emit(body, Instr::Access(first.after(index), load))?;
        }
        Ok(())
    }

    /// Decodes an atomic operation on memory.
    fn atomic(&mut self, body: &mut Body<'m>, inst: &Inst, first: Slot) -> Result<(), Error> {
        let access = match inst.kind {
            InstKind::AtomicRmw { op, ptr, value, .. } => {
                let (ty, ptr) = (self.scalar_of(inst.ty)?, self.single(body, ptr)?);
                let value = self.single(body, value)?;
                Access::AtomicRmw { op, ty, ptr, value }
            }
            InstKind::CmpXchg {
                ptr, compare, new, ..
            } => {
                let ty = self.type_of(body, new)?;
                let (ty, ptr) = (self.scalar_of(ty)?, self.single(body, ptr)?);
                let (old, new) = (self.single(body, compare)?, self.single(body, new)?);
                let has_flag = matches!(self.module.ty(inst.ty), Type::Struct { .. });
                Access::CompareExchange {
                    has_flag,
                    ty,
                    ptr,
                    old,
                    new,
                }
            }
            _ => return Ok(()),
        };
        self.emit(body, Instr::Access(first, access))
    }

    /// Returns the slot of the first scalar of a result.
    pub(super) fn first_slot(&self, out: Leaves) -> Slot {
        match self.get(out).first() {
            Some(&Operand::Slot(slot)) => slot,
            _ => Slot::from_u32(0),
        }
    }

    /// Returns the scalar types of a type, each with the matching scalars of two operands.
    fn pairs(
        &mut self,
        body: &mut Body<'m>,
        ty: TypeId,
        a: ValueId,
        b: ValueId,
    ) -> Result<std::vec::IntoIter<(Scalar, Operand, Operand)>, Error> {
        let (a, b) = (self.operand(body, a)?, self.operand(body, b)?);
        let types = self.layouts.leaves(ty)?;
        if types.len() != a.len() || types.len() != b.len() {
            return Err(invalid(InvalidKind::OperandTypes));
        }
        let pairs = types.iter().zip(self.get(a).iter().zip(self.get(b)));
        let pairs: Vec<_> = pairs.map(|(&(ty, _), (&a, &b))| (ty, a, b)).collect();
        Ok(pairs.into_iter())
    }

    /// Decodes an instruction that moves parts of vectors and aggregates, where renaming was not
    /// possible.
    fn aggregate(&mut self, body: &mut Body<'m>, inst: &Inst, first: Slot) -> Result<(), Error> {
        let parts: Vec<Operand> = match inst.kind {
            InstKind::ExtractValue { aggregate, indices } => {
                let ty = self.type_of(body, aggregate)?;
                let whole = self.operand(body, aggregate)?;
                let range = self.selected(body, ty, indices)?;
                self.get(whole).get(range).unwrap_or_default().to_vec()
            }
            InstKind::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                let (whole, part) = (self.operand(body, aggregate)?, self.operand(body, value)?);
                let range = self.selected(body, inst.ty, indices)?;
                let leaves = self.spliced(whole, range, part)?;
                self.get(leaves).to_vec()
            }
            InstKind::ShuffleVector { a, b, mask } => {
                let (a, b) = (self.operand(body, a)?, self.operand(body, b)?);
                let both: Vec<Operand> = self.get(a).iter().chain(self.get(b)).copied().collect();
                let mask = self.shuffle_mask(body.function, mask)?;
                mask.into_iter()
                    .map(|index| {
                        index
                            .and_then(|index| both.get(index as usize).copied())
                            .unwrap_or(Operand::Const(0))
                    })
                    .collect()
            }
            InstKind::ExtractElement { vector, index } => {
                let (whole, index) = (self.operand(body, vector)?, self.single(body, index)?);
                let start = self.program.operands.next_key();
                let parts = self.get(whole).to_vec();
                self.spend(parts.len())?;
                self.program.operands.extend(parts);
                let parts = EntityRange::new(start, self.program.operands.next_key());
                return self.compute(body, first, [Compute::Element { index, parts }]);
            }
            InstKind::InsertElement {
                vector,
                value,
                index,
            } => {
                let (whole, value, index) = (
                    self.operand(body, vector)?,
                    self.single(body, value)?,
                    self.single(body, index)?,
                );
                let parts = self.get(whole).to_vec();
                let ops = (0..).zip(parts).map(|(number, a)| Compute::Replace {
                    a,
                    value,
                    index,
                    number,
                });
                return self.compute(body, first, ops);
            }
            _ => return Err(unsupported(Feature::Instruction)),
        };
        self.compute(body, first, parts.into_iter().map(Compute::Copy))
    }

    fn cast(
        &mut self,
        body: &mut Body<'m>,
        op: CastOp,
        value: ValueId,
        to: TypeId,
        first: Slot,
    ) -> Result<(), Error> {
        let from_ty = self.type_of(body, value)?;
        if self.is_wide(from_ty) {
            return self.lowest_bits(body, value, to, first);
        }
        let (from, to) = (self.layouts.leaves(from_ty)?, self.layouts.leaves(to)?);
        let leaves = self.operand(body, value)?;
        let operands = self.get(leaves).to_vec();
        if from.len() != to.len() {
            return Err(unsupported(Feature::VectorBitCast));
        }
        for (index, (&a, (&(from, _), &(to, _)))) in
            operands.iter().zip(from.iter().zip(to.iter())).enumerate()
        {
            if op == CastOp::BitCast && from.bits() != to.bits() {
                return Err(unsupported(Feature::MinimumPrecisionBitCast));
            }
            let cast = Compute::Cast { op, from, to, a };
            self.emit(body, Instr::Compute(first.after(index), cast))?;
        }
        Ok(())
    }

    /// Decodes the truncation of a vector that was cast to a wide integer: its first component.
    fn lowest_bits(
        &mut self,
        body: &mut Body<'m>,
        wide: ValueId,
        to: TypeId,
        out: Slot,
    ) -> Result<(), Error> {
        let def = self.module.value(Some(body.function), wide).map(|v| v.kind);
        let Some(ValueKind::Inst(cast)) = def else {
            return Err(unsupported(Feature::VectorBitCast));
        };
        let InstKind::Cast { value: vector, .. } = body.function.insts[cast].kind else {
            return Err(unsupported(Feature::VectorBitCast));
        };
        let (vector_ty, wide_ty) = (self.type_of(body, vector)?, self.type_of(body, wide)?);
        let (from, to) = (self.layouts.leaves(vector_ty)?, self.layouts.leaves(to)?);
        let leaves = self.operand(body, wide)?;
        let (Some(&a), Some(&(from, _)), Some(&(to, _))) =
            (self.get(leaves).first(), from.first(), to.first())
        else {
            return Err(unsupported(Feature::VectorBitCast));
        };
        let all = from.bits() * leaves.len() as u32;
        if !matches!(self.module.ty(wide_ty), Type::WideInt(bits) if *bits == all) {
            return Err(unsupported(Feature::MinimumPrecisionBitCast));
        }
        let bits = match from.bits() {
            16 => Scalar::I16,
            32 => Scalar::I32,
            64 => Scalar::I64,
            _ => from,
        };
        let mut cast = |op, from, to, a| {
            self.emit(body, Instr::Compute(out, Compute::Cast { op, from, to, a }))
        };
        match bits.bits().cmp(&to.bits()) {
            Ordering::Less => Err(unsupported(Feature::VectorBitCast)),
            Ordering::Equal => cast(CastOp::BitCast, from, to, a),
            Ordering::Greater => {
                // The result's slot holds 64 bits.
                cast(CastOp::BitCast, from, bits, a)?;
                cast(CastOp::Trunc, bits, to, Operand::Slot(out))
            }
        }
    }

    fn store(&mut self, body: &mut Body<'m>, ptr: ValueId, value: ValueId) -> Result<(), Error> {
        let ty = self.type_of(body, value)?;
        let (ptr, leaves) = (self.single(body, ptr)?, self.operand(body, value)?);
        let values = self.get(leaves).to_vec();
        for (&(ty, offset), value) in self.layouts.leaves(ty)?.iter().zip(values) {
            let store = Instr::Store {
                ty,
                value,
                ptr,
                offset,
            };
            self.emit(body, store)?;
        }
        Ok(())
    }

    fn gep(
        &mut self,
        body: &mut Body<'m>,
        source: TypeId,
        operands: PoolRange,
        out: Slot,
    ) -> Result<(), Error> {
        let list: Vec<ValueId> = body.function.values_in(operands).collect();
        let Some((&base, indices)) = list.split_first() else {
            return Err(invalid(InvalidKind::NoBasePointer));
        };
        let base = self.single(body, base)?;
        let start = self.program.terms.next_key();
        let (mut bytes, mut at) = (0u64, source);
        for (number, &value) in indices.iter().enumerate() {
            let index = self.single(body, value)?;
            let index_ty = self.type_of(body, value)?;
            let ty = self.scalar_of(index_ty)?;
            if let Operand::Const(index) = index {
                let index = ty.signed(index) as u64;
                if number == 0 {
                    bytes = bytes.wrapping_add(self.layouts.size(at)?.wrapping_mul(index));
                } else {
                    let (offset, part) = self.layouts.step(at, index)?;
                    bytes = bytes.wrapping_add(offset);
                    at = part;
                }
                continue;
            }
            let stride = if number == 0 {
                self.layouts.size(at)?
            } else {
                // An array's part 1 lies one stride after its start.
                let (stride, part) = self.layouts.step(at, 1)?;
                at = part;
                stride
            };
            self.program.terms.push(Term { index, ty, stride });
        }
        let terms = EntityRange::new(start, self.program.terms.next_key());
        self.spend(terms.len())?;
        self.compute(body, out, [Compute::Address { base, bytes, terms }])
    }

    fn call(
        &mut self,
        body: &mut Body<'m>,
        id: InstId,
        inst: &Inst,
        callee: ValueId,
        args: PoolRange,
    ) -> Result<(), Error> {
        if let Some(call) = DxCall::parse(self.module, body.function, id)? {
            return self.dx(body, inst, &call);
        }
        let Some(ValueKind::Function(id)) = self.module.value(None, callee).map(|data| data.kind)
        else {
            return Err(unsupported(Feature::IndirectCall));
        };
        let function = self.module.functions.get(id);
        let function = function.ok_or_else(|| invalid(InvalidKind::UnknownFunction))?;
        if !function.is_declaration {
            let value = |arg| match arg {
                CallArg::Value(value) => Ok(value),
                CallArg::Metadata(_) => Err(invalid(InvalidKind::MetadataArgument)),
            };
            let arguments = body.function.call_args(args).map(value);
            let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
            return self.inline(body, inst, id, &arguments);
        }
        // Lifetime and debug intrinsics have no effect.
        let mut ignored = ["llvm.lifetime.", "llvm.dbg.", "llvm.assume"].into_iter();
        if ignored.any(|prefix| function.name.starts_with(prefix)) {
            return Ok(());
        }
        let function = function.name.to_string();
        Err(unsupported(Feature::Call { function }))
    }
}
