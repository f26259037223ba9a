//! Splits vectors of one, or of more than four components, which SPIR-V lacks, into scalars, as
//! [`aggregates`](super::aggregates) does with structs and arrays.
//!
//! DXC does not split matrices in a library's structs: a `float4x4` is loaded as a vector of
//! sixteen components. From shader model 6.9 on, vectors have up to 1,024 components;
//! [`vector_calls`](super::vector_calls) has the operations on them. An insertion into a vector that
//! has no other use changes its list of components, so that a chain of them takes linear time.

use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Constant, Inst, InstKind, Predicate, Type, TypeId, ValueId, ValueKind,
};

use super::aggregates::Aggregates;
use super::rewriter::{binary, compare};
use super::{is_aggregate, type_id, unsupported};
use crate::error::{AggregateFeature, Error};

fn cast(op: CastOp, value: ValueId) -> InstKind {
    InstKind::Cast { op, value }
}

impl Aggregates<'_> {
    /// Rewrites an instruction on long vectors; `false` for another.
    pub(super) fn on_vectors(&mut self, inst: &Inst) -> Result<bool, Error> {
        match inst.kind {
            InstKind::ExtractElement { vector, index } if self.is_long(vector)? => {
                let component = match self.number(index) {
                    Some(index) => self
                        .part_of(vector, index as usize)?
                        .unwrap_or_else(|| self.undef(inst.ty)),
                    None => {
                        let parts = self.parts_of(vector)?;
                        self.chosen(&parts, index, inst.ty)?
                    }
                };
                if let Some(result) = inst.result.expand() {
                    self.w.replace(result, component);
                }
                Ok(true)
            }
            InstKind::InsertElement {
                vector,
                value,
                index,
            } if is_aggregate(self.w.module, inst.ty) => {
                let mut parts = self.taken_parts_of(vector)?;
                match self.number(index) {
                    Some(index) => {
                        if let Some(slot) = parts.get_mut(index as usize) {
                            *slot = value;
                        }
                    }
                    None => {
                        let ty = self.w.type_of(value)?;
                        for (place, part) in parts.iter_mut().enumerate() {
                            let here = self.equals(index, place as u64)?;
                            *part = self.write(
                                InstKind::Select {
                                    cond: here,
                                    then: value,
                                    else_: *part,
                                },
                                ty,
                            )?;
                        }
                    }
                }
                self.keep_result(inst, parts)
            }
            InstKind::ShuffleVector { a, b, mask }
                if is_aggregate(self.w.module, inst.ty) || self.is_long(a)? =>
            {
                self.shuffle(inst, (a, b, mask))
            }
            InstKind::Binary { .. } | InstKind::Cmp { .. } | InstKind::Cast { .. }
                if is_aggregate(self.w.module, inst.ty) =>
            {
                self.by_component(inst)
            }
            // Its components are taken where it is truncated.
            InstKind::Cast { .. } if matches!(self.w.module.ty(inst.ty), Type::WideInt(_)) => {
                Ok(true)
            }
            InstKind::Cast { value, .. } if self.is_wide(value)? => self.lowest_bits(inst, value),
            // A vector of one component as a number.
            InstKind::Cast { value, .. } if self.is_long(value)? => self.by_component(inst),
            _ => Ok(false),
        }
    }

    pub(super) fn number(&self, value: ValueId) -> Option<u64> {
        self.w.const_int(value)
    }

    /// Appends an instruction. Each counts: an index that is known at run time costs two for each
    /// component, whatever the file's size.
    pub(super) fn write(&mut self, kind: InstKind, ty: TypeId) -> Result<ValueId, Error> {
        self.count(1)?;
        Ok(self.w.value(kind, ty))
    }

    /// Returns `index == place`.
    fn equals(&mut self, index: ValueId, place: u64) -> Result<ValueId, Error> {
        let (ty, bool_ty) = (
            self.w.type_of(index)?,
            type_id(self.w.module, &Type::Int(1)),
        );
        let place = self.w.constant(ty, Constant::Int(place));
        self.write(compare(Predicate::IEq, index, place), bool_ty)
    }

    /// Returns the component with an index that is known at run time.
    fn chosen(&mut self, parts: &[ValueId], index: ValueId, ty: TypeId) -> Result<ValueId, Error> {
        let Some((&first, rest)) = parts.split_first() else {
            return Ok(self.undef(ty));
        };
        let mut chosen = first;
        for (place, &part) in (1u64..).zip(rest) {
            let here = self.equals(index, place)?;
            chosen = self.write(
                InstKind::Select {
                    cond: here,
                    then: part,
                    else_: chosen,
                },
                ty,
            )?;
        }
        Ok(chosen)
    }

    /// Returns the components of a vector of any length.
    fn components(&mut self, vector: ValueId) -> Result<Vec<ValueId>, Error> {
        if self.is_long(vector)? {
            return self.parts_of(vector);
        }
        let ty = self.w.type_of(vector)?;
        let &Type::Vector { element, len } = self.w.module.ty(ty) else {
            return Err(unsupported(self.w.old, AggregateFeature::ShuffleOperand));
        };
        let mut parts = Vec::new();
        for index in 0..len {
            let index = self.w.number(index);
            parts.push(self.write(InstKind::ExtractElement { vector, index }, element)?);
        }
        Ok(parts)
    }

    fn shuffle(
        &mut self,
        inst: &Inst,
        (a, b, mask): (ValueId, ValueId, ValueId),
    ) -> Result<bool, Error> {
        let &Type::Vector { element, len } = self.w.module.ty(inst.ty) else {
            return Err(unsupported(self.w.old, AggregateFeature::ShuffleOperand));
        };
        // The length comes from the file and is not bounded by its size: an undefined mask takes no
        // space in it.
        self.leaves(inst.ty)?;
        let mut from = self.components(a)?;
        from.extend(self.components(b)?);
        let lanes = match self
            .w
            .module
            .constant(Some(self.w.old), mask)
            .map(|c| &c.value)
        {
            Some(Constant::Null) => vec![Some(0); len as usize],
            Some(Constant::Undef) => vec![None; len as usize],
            Some(Constant::Data(lanes)) => lanes.iter().map(|&lane| Some(lane)).collect(),
            Some(Constant::Aggregate(range)) => self
                .w
                .module
                .const_operands
                .get(range.range())
                .unwrap_or_default()
                .iter()
                .map(|&lane| self.number(ValueId::from_u32(lane)))
                .collect(),
            _ => return Err(unsupported(self.w.old, AggregateFeature::ShuffleMask)),
        };
        let undef = self.undef(element);
        let parts: Vec<ValueId> = lanes
            .iter()
            .map(|lane| {
                lane.and_then(|lane| from.get(lane as usize).copied())
                    .unwrap_or(undef)
            })
            .collect();
        if is_aggregate(self.w.module, inst.ty) {
            return self.keep_result(inst, parts);
        }
        let mut vector = self.undef(inst.ty);
        for (index, value) in (0u64..).zip(parts) {
            let index = self.w.constant(self.w.int, Constant::Int(index));
            vector = self.write(
                InstKind::InsertElement {
                    vector,
                    value,
                    index,
                },
                inst.ty,
            )?;
        }
        if let Some(result) = inst.result.expand() {
            self.w.replace(result, vector);
        }
        Ok(true)
    }

    fn is_wide(&self, value: ValueId) -> Result<bool, Error> {
        let ty = self.w.type_of(value)?;
        Ok(matches!(self.w.module.ty(ty), Type::WideInt(_)))
    }

    /// Rewrites the truncation of a vector that was cast to a wide integer: its first components,
    /// up to the result's number of bits.
    fn lowest_bits(&mut self, inst: &Inst, wide: ValueId) -> Result<bool, Error> {
        let vector = match self.w.kind_of(wide) {
            Some(ValueKind::Inst(cast)) => match self.w.old.insts[cast].kind {
                InstKind::Cast { value, .. } => value,
                _ => wide,
            },
            _ => wide,
        };
        let (&Type::Vector { element, .. }, &Type::Int(want)) = (
            self.w.module.ty(self.w.type_of(vector)?),
            self.w.module.ty(inst.ty),
        ) else {
            return Err(unsupported(self.w.old, AggregateFeature::VectorConversion));
        };
        let (have, is_int) = match *self.w.module.ty(element) {
            Type::Int(bits) => (bits, true),
            Type::Half => (16, false),
            Type::Float => (32, false),
            Type::Double => (64, false),
            _ => return Err(unsupported(self.w.old, AggregateFeature::VectorConversion)),
        };
        let int = type_id(self.w.module, &Type::Int(have));
        let mut parts = self.components(vector)?;
        parts.truncate(want.div_ceil(have) as usize);
        let mut bits = None;
        for (place, mut part) in (0u64..).zip(parts) {
            if !is_int {
                part = self.write(cast(CastOp::BitCast, part), int)?;
            }
            if have < want {
                part = self.write(cast(CastOp::ZExt, part), inst.ty)?;
            } else if have > want {
                part = self.write(cast(CastOp::Trunc, part), inst.ty)?;
            }
            bits = Some(match bits {
                None => part,
                Some(lower) => {
                    let amount = Constant::Int(place * u64::from(have));
                    let amount = self.w.constant(inst.ty, amount);
                    let upper = self.write(binary(BinaryOp::Shl, part, amount), inst.ty)?;
                    self.write(binary(BinaryOp::Or, lower, upper), inst.ty)?
                }
            });
        }
        if let (Some(result), Some(bits)) = (inst.result.expand(), bits) {
            self.w.replace(result, bits);
        }
        Ok(true)
    }

    /// Rewrites arithmetic, comparisons and conversions.
    fn by_component(&mut self, inst: &Inst) -> Result<bool, Error> {
        let operands: Vec<ValueId> = self.w.old.operands(&inst.kind).collect();
        let mut lists = Vec::new();
        for operand in operands {
            lists.push(match self.is_long(operand)? {
                true => self.parts_of(operand)?,
                false => vec![operand],
            });
        }
        let types = self.leaves(inst.ty)?;
        if lists.iter().any(|list| list.len() != types.len()) {
            return Err(unsupported(self.w.old, AggregateFeature::VectorConversion));
        }
        let mut parts = Vec::new();
        for (index, &ty) in types.iter().enumerate() {
            let mut kind = inst.kind;
            match &mut kind {
                InstKind::Binary { lhs, rhs, .. } | InstKind::Cmp { lhs, rhs, .. } => {
                    (*lhs, *rhs) = (lists[0][index], lists[1][index]);
                }
                InstKind::Cast { value, .. } => *value = lists[0][index],
                _ => return Ok(false),
            }
            parts.push(self.write(kind, ty)?);
        }
        if let (Some(result), false) = (inst.result.expand(), is_aggregate(self.w.module, inst.ty))
        {
            self.w.replace(result, parts[0]);
            return Ok(true);
        }
        self.keep_result(inst, parts)
    }
}
