//! Rewrites one instruction on aggregates into instructions on their scalars.

use trellis_dxil_frontend::dxop::is_dx_op;
use trellis_dxil_frontend::module::{
    Constant, Inst, InstKind, PoolRange, Type, TypeId, ValueId, ValueKind,
};

use super::{Aggregates, MAX_DEPTH, MAX_PARTS};
use crate::error::{AggregateFeature, Error, Feature, Limit};
use crate::legalize::{is_aggregate, unsupported};

impl Aggregates<'_> {
    /// Rewrites an instruction that has to do with aggregates; `false` for another, which stays.
    pub(super) fn instruction(&mut self, inst: &Inst) -> Result<bool, Error> {
        match inst.kind {
            InstKind::InsertValue {
                aggregate,
                value,
                indices,
            } => self.insert(inst, aggregate, value, indices),
            InstKind::ExtractValue { aggregate, indices } => self.extract(inst, aggregate, indices),
            InstKind::Phi { .. } => Ok(is_aggregate(self.w.module, inst.ty)),
            InstKind::Select { cond, then, else_ } if is_aggregate(self.w.module, inst.ty) => {
                self.select(inst, cond, [then, else_])
            }
            InstKind::Load {
                ptr,
                align,
                volatile,
                ordering,
            } if is_aggregate(self.w.module, inst.ty) => {
                let load_part = |ptr| InstKind::Load {
                    ptr,
                    align: align.min(1),
                    volatile,
                    ordering,
                };
                self.load(inst, ptr, load_part)
            }
            InstKind::Store {
                ptr,
                value,
                align,
                volatile,
                ordering,
            } => {
                let store_part = |ptr, value| InstKind::Store {
                    ptr,
                    value,
                    align: align.min(1),
                    volatile,
                    ordering,
                };
                self.store(inst, ptr, value, store_part)
            }
            InstKind::Call { .. } | InstKind::CmpXchg { .. }
                if is_aggregate(self.w.module, inst.ty) =>
            {
                self.taken_apart(inst)
            }
            _ => self.on_vectors(inst),
        }
    }

    /// Rewrites an `insertvalue`, which replaces some scalars of the aggregate.
    fn insert(
        &mut self,
        inst: &Inst,
        aggregate: ValueId,
        value: ValueId,
        indices: PoolRange,
    ) -> Result<bool, Error> {
        let mut parts = self.taken_parts_of(aggregate)?;
        let ty = self.w.type_of(aggregate)?;
        let (first, count, part) = self.part(ty, indices)?;
        let new = if is_aggregate(self.w.module, part) {
            self.parts_of(value)?
        } else {
            vec![value]
        };
        parts[first..first + count].copy_from_slice(&new);
        self.keep_result(inst, parts)
    }

    /// Rewrites an `extractvalue`, whose result is some scalars of the aggregate.
    fn extract(
        &mut self,
        inst: &Inst,
        aggregate: ValueId,
        indices: PoolRange,
    ) -> Result<bool, Error> {
        let parts = self.parts_of(aggregate)?;
        let ty = self.w.type_of(aggregate)?;
        let (first, count, part) = self.part(ty, indices)?;
        let taken = &parts[first..first + count];
        if is_aggregate(self.w.module, part) {
            return self.keep_result(inst, taken.to_vec());
        }
        if let (Some(result), [only]) = (inst.result.expand(), taken) {
            self.w.replace(result, *only);
        }
        Ok(true)
    }

    /// Rewrites a `select` into one for each scalar.
    fn select(
        &mut self,
        inst: &Inst,
        cond: ValueId,
        [then, else_]: [ValueId; 2],
    ) -> Result<bool, Error> {
        let (a, b) = (self.parts_of(then)?, self.parts_of(else_)?);
        let types = self.leaves(inst.ty)?;
        // Of long vectors each component may be chosen by itself.
        let cond_type = self.w.type_of(cond)?;
        let conds = if is_aggregate(self.w.module, cond_type) {
            self.parts_of(cond)?
        } else {
            vec![cond; types.len()]
        };
        let mut parts = Vec::with_capacity(types.len());
        for (((&ty, &then), &else_), &cond) in types.iter().zip(&a).zip(&b).zip(&conds) {
            let kind = InstKind::Select { cond, then, else_ };
            parts.push(self.w.value(kind, ty));
        }
        self.keep_result(inst, parts)
    }

    /// Rewrites a `load` into one for each scalar: `load_part` of its address.
    fn load(
        &mut self,
        inst: &Inst,
        ptr: ValueId,
        load_part: impl Fn(ValueId) -> InstKind,
    ) -> Result<bool, Error> {
        let mut parts = Vec::new();
        for (ptr, ty) in self.places(ptr, inst.ty)? {
            parts.push(self.w.value(load_part(ptr), ty));
        }
        self.keep_result(inst, parts)
    }

    /// Rewrites a `store` of an aggregate into one for each scalar: `store_part` of its address
    /// and value. Returns `false` for a store of a scalar.
    fn store(
        &mut self,
        inst: &Inst,
        ptr: ValueId,
        value: ValueId,
        store_part: impl Fn(ValueId, ValueId) -> InstKind,
    ) -> Result<bool, Error> {
        let ty = self.w.type_of(value)?;
        if !is_aggregate(self.w.module, ty) {
            return Ok(false);
        }
        let parts = self.parts_of(value)?;
        for ((ptr, _), value) in self.places(ptr, ty)?.into_iter().zip(parts) {
            self.w.append(store_part(ptr, value), inst.ty, None);
        }
        Ok(true)
    }

    /// Keeps an operation whose result is a struct, and extracts its fields right after it.
    fn taken_apart(&mut self, inst: &Inst) -> Result<bool, Error> {
        let Some(result) = inst.result.expand() else {
            return Ok(false);
        };
        let types = self.leaves(inst.ty)?;
        let flat = matches!(self.w.module.ty(inst.ty), Type::Struct { fields, .. } if fields.len() == types.len());
        if !flat {
            if let InstKind::Call { callee, .. } = inst.kind
                && let Some(ValueKind::Function(id)) =
                    self.w.module.value(None, callee).map(|v| v.kind)
                && let Some(function) = self.w.module.functions.get(id)
                && !is_dx_op(function)
            {
                let function = function.name.to_string();
                return Err(unsupported(self.w.old, Feature::Call { function }));
            }
            return Err(unsupported(self.w.old, AggregateFeature::NestedResult));
        }
        let defined = self.w.kind_of(result);
        let Some(ValueKind::Inst(id)) = defined else {
            return Ok(false);
        };
        self.w.push(self.w.in_place_of(id, *inst));
        let mut parts = Vec::with_capacity(types.len());
        for (index, ty) in types.into_iter().enumerate() {
            let kind = InstKind::ExtractValue {
                aggregate: result,
                indices: self.w.list([index as u32]),
            };
            parts.push(self.w.value(kind, ty));
        }
        self.keep_result(inst, parts)
    }

    /// Addresses and types of the scalars of an aggregate in memory.
    fn places(&mut self, pointer: ValueId, ty: TypeId) -> Result<Vec<(ValueId, TypeId)>, Error> {
        let int = self.w.int;
        let zero = self.w.constant(int, Constant::Null);
        let pointer_type = self.w.type_of(pointer)?;
        // Paths of indices to the scalars, in order.
        let mut paths: Vec<(Vec<u32>, TypeId)> = vec![(Vec::new(), ty)];
        while let Some(at) = paths.iter().position(|p| is_aggregate(self.w.module, p.1)) {
            let (path, ty) = paths.remove(at);
            let below: Vec<TypeId> = match self.w.module.ty(ty) {
                Type::Struct { fields, .. } => fields.to_vec(),
                Type::Array { element, len } => {
                    vec![*element; usize::try_from(*len).unwrap_or(0).min(MAX_PARTS)]
                }
                Type::Vector { element, len } => vec![*element; (*len as usize).min(MAX_PARTS)],
                _ => Vec::new(),
            };
            if path.len() as u32 > MAX_DEPTH || paths.len() + below.len() > 1024 {
                return Err(unsupported(self.w.old, Limit::OneAccessParts));
            }
            let made = below
                .into_iter()
                .enumerate()
                .map(|(i, ty)| ([&path[..], &[i as u32]].concat(), ty));
            paths.splice(at..at, made.collect::<Vec<_>>());
        }
        self.total += paths.len();
        if self.total > MAX_PARTS {
            return Err(unsupported(self.w.old, Limit::AccessParts));
        }
        let mut places = Vec::with_capacity(paths.len());
        for (path, part) in paths {
            let mut operands = vec![pointer.as_u32(), zero.as_u32()];
            for index in path {
                operands.push(self.w.constant(int, Constant::Int(index.into())).as_u32());
            }
            let operands = self.w.list(operands);
            // Lowering uses the base and the indices of an address, never its pointee type.
            let kind = InstKind::Gep {
                inbounds: false,
                source: ty,
                operands,
            };
            places.push((self.w.value(kind, pointer_type), part));
        }
        Ok(places)
    }
}
