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
use crate::program::{Instr, Operand, Slot, Term};
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
                let (a, b) = (self.operand(body, lhs)?, self.operand(body, rhs)?);
                for (index, (ty, a, b)) in self.pairs(inst.ty, a, b)?.into_iter().enumerate() {
                    self.emit(
                        body,
                        Instr::Binary {
                            op,
                            ty,
                            out: first.after(index),
                            a,
                            b,
                        },
                    )?;
                }
            }
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => {
                let ty = self.type_of(body, lhs)?;
                let (a, b) = (self.operand(body, lhs)?, self.operand(body, rhs)?);
                for (index, (ty, a, b)) in self.pairs(ty, a, b)?.into_iter().enumerate() {
                    self.emit(
                        body,
                        Instr::Compare {
                            predicate,
                            ty,
                            out: first.after(index),
                            a,
                            b,
                        },
                    )?;
                }
            }
            InstKind::Select { cond, then, else_ } => {
                let (cond, then, other) = (
                    self.operand(body, cond)?,
                    self.operand(body, then)?,
                    self.operand(body, else_)?,
                );
                let conds = self.get(cond).to_vec();
                for (index, (_, then, other)) in
                    self.pairs(inst.ty, then, other)?.into_iter().enumerate()
                {
                    let cond = conds
                        .get(index)
                        .or(conds.first())
                        .copied()
                        .ok_or_else(|| invalid(InvalidKind::NoCondition))?;
                    self.emit(
                        body,
                        Instr::Select {
                            out: first.after(index),
                            cond,
                            then,
                            other,
                        },
                    )?;
                }
            }
            _ => {}
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
        let pointer = self.single(body, ptr)?;
        for (index, &(ty, offset)) in self.layouts.leaves(ty)?.iter().enumerate() {
            self.emit(
                body,
                Instr::Load {
                    ty,
                    out: first.after(index),
                    pointer,
                    offset,
                },
            )?;
        }
        Ok(())
    }

    /// Decodes an atomic operation on memory.
    fn atomic(&mut self, body: &mut Body<'m>, inst: &Inst, first: Slot) -> Result<(), Error> {
        match inst.kind {
            InstKind::AtomicRmw { op, ptr, value, .. } => {
                let (ty, pointer, value) = (
                    self.scalar_of(inst.ty)?,
                    self.single(body, ptr)?,
                    self.single(body, value)?,
                );
                self.emit(
                    body,
                    Instr::AtomicRmw {
                        op,
                        ty,
                        out: first,
                        pointer,
                        value,
                    },
                )?;
            }
            InstKind::CmpXchg {
                ptr, compare, new, ..
            } => {
                let ty = self.type_of(body, new)?;
                let (ty, pointer) = (self.scalar_of(ty)?, self.single(body, ptr)?);
                let (compare, new) = (self.single(body, compare)?, self.single(body, new)?);
                self.emit(
                    body,
                    Instr::CompareExchange {
                        ty,
                        out: first,
                        pointer,
                        compare,
                        new,
                    },
                )?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the slot of the first scalar of a result.
    pub(super) fn first_slot(&self, out: Leaves) -> Slot {
        match self.get(out).first() {
            Some(&Operand::Slot(slot)) => slot,
            _ => Slot::from_u32(0),
        }
    }

    /// Scalars of a type with those of two operands of it.
    fn pairs(
        &mut self,
        ty: TypeId,
        a: Leaves,
        b: Leaves,
    ) -> Result<Vec<(Scalar, Operand, Operand)>, Error> {
        let types = self.layouts.leaves(ty)?;
        if types.len() != a.len() || types.len() != b.len() {
            return Err(invalid(InvalidKind::OperandTypes));
        }
        Ok(types
            .iter()
            .zip(self.get(a).iter().zip(self.get(b)))
            .map(|(&(ty, _), (&a, &b))| (ty, a, b))
            .collect())
    }

    /// Decodes an instruction that moves parts of vectors and aggregates, where renaming was not
    /// possible.
    fn aggregate(&mut self, body: &mut Body<'m>, inst: &Inst, first: Slot) -> Result<(), Error> {
        let parts: Vec<Operand> = match inst.kind {
            InstKind::ExtractValue { aggregate, indices } => {
                let (ty, whole) = (
                    self.type_of(body, aggregate)?,
                    self.operand(body, aggregate)?,
                );
                let path = body.function.pool.get(indices.range()).unwrap_or_default();
                let (range, _) = self
                    .layouts
                    .select(ty, path.iter().map(|&index| u64::from(index)))?;
                self.get(whole).get(range).unwrap_or_default().to_vec()
            }
            InstKind::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                let (whole, part) = (self.operand(body, aggregate)?, self.operand(body, value)?);
                let path = body.function.pool.get(indices.range()).unwrap_or_default();
                let (range, _) = self
                    .layouts
                    .select(inst.ty, path.iter().map(|&index| u64::from(index)))?;
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
                return self.emit(
                    body,
                    Instr::Element {
                        out: first,
                        index,
                        parts,
                    },
                );
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
                for (number, a) in self.get(whole).to_vec().into_iter().enumerate() {
                    self.emit(
                        body,
                        Instr::Replace {
                            out: first.after(number),
                            a,
                            value,
                            index,
                            number: number as u32,
                        },
                    )?;
                }
                return Ok(());
            }
            _ => return Err(unsupported(Feature::Instruction)),
        };
        for (index, a) in parts.into_iter().enumerate() {
            self.emit(
                body,
                Instr::Copy {
                    out: first.after(index),
                    a,
                },
            )?;
        }
        Ok(())
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
            self.emit(
                body,
                Instr::Cast {
                    op,
                    from,
                    to,
                    out: first.after(index),
                    a,
                },
            )?;
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
        let mut cast = |op, from, to, out, a| {
            let instr = Instr::Cast {
                op,
                from,
                to,
                out,
                a,
            };
            self.emit(body, instr)
        };
        match bits.bits().cmp(&to.bits()) {
            Ordering::Less => Err(unsupported(Feature::VectorBitCast)),
            Ordering::Equal => cast(CastOp::BitCast, from, to, out, a),
            Ordering::Greater => {
                // The result's slot holds 64 bits.
                cast(CastOp::BitCast, from, bits, out, a)?;
                cast(CastOp::Trunc, bits, to, out, Operand::Slot(out))
            }
        }
    }

    fn store(&mut self, body: &mut Body<'m>, ptr: ValueId, value: ValueId) -> Result<(), Error> {
        let ty = self.type_of(body, value)?;
        let (pointer, leaves) = (self.single(body, ptr)?, self.operand(body, value)?);
        let values = self.get(leaves).to_vec();
        for (&(ty, offset), value) in self.layouts.leaves(ty)?.iter().zip(values) {
            self.emit(
                body,
                Instr::Store {
                    ty,
                    value,
                    pointer,
                    offset,
                },
            )?;
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
        self.emit(
            body,
            Instr::Address {
                out,
                base,
                bytes,
                terms,
            },
        )
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
        let function = self
            .module
            .functions
            .get(id)
            .ok_or_else(|| invalid(InvalidKind::UnknownFunction))?;
        if !function.is_declaration {
            let arguments: Option<Vec<ValueId>> = body
                .function
                .call_args(args)
                .map(|arg| {
                    if let CallArg::Value(value) = arg {
                        Some(value)
                    } else {
                        None
                    }
                })
                .collect();
            let arguments = arguments.ok_or_else(|| invalid(InvalidKind::MetadataArgument))?;
            return self.inline(body, inst, id, &arguments);
        }
        // Lifetime and debug intrinsics have no effect.
        if ["llvm.lifetime.", "llvm.dbg.", "llvm.assume"]
            .iter()
            .any(|prefix| function.name.starts_with(prefix))
        {
            return Ok(());
        }
        Err(unsupported(Feature::Call {
            function: function.name.to_string(),
        }))
    }
}
