//! Structs, arrays and long vectors as values: each becomes its scalars, which `insertvalue` and
//! `extractvalue` only rename.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::module::{
    BlockId, ConstId, Constant, Function, FunctionId, Inst, InstKind, Module, PoolRange, Type,
    TypeId, ValueId, ValueKind,
};

use super::reachable::reverse_post_order;
use super::rewriter::{FunctionRewriter, NewInst, metadata_of, new_inst};
use super::{is_aggregate, type_id, unfinished, unsupported};
use crate::error::{AggregateFeature, ConstantFeature, Error, Limit};

/// Most scalars of all aggregates of a function together.
const MAX_PARTS: usize = 1 << 18;
/// Deepest nesting of a type or constant.
const MAX_DEPTH: u32 = 32;
/// Most parts of types and values that are looked at for one function.
const MAX_WORK: usize = 1 << 24;

/// Scalars of each aggregate value, in the order of the type.
pub(super) struct Aggregates<'a> {
    pub(super) module: &'a mut Module,
    pub(super) old: &'a Function,
    pub(super) rewriter: FunctionRewriter,
    parts: FxHashMap<ValueId, Vec<ValueId>>,
    /// Scalars in `parts`.
    total: usize,
    /// What is left of [`MAX_WORK`].
    work: usize,
    /// `i32`.
    pub(super) int: TypeId,
    /// The undefined value of each type.
    undefined: FxHashMap<TypeId, ValueId>,
}

/// Rewrites one function.
///
/// # Errors
/// Aggregates that are too large, or that are used in other ways.
pub(super) fn run(module: &mut Module, id: FunctionId) -> Result<(), Error> {
    let old = std::mem::take(&mut module.functions[id.as_u32() as usize]);
    let rewriter = FunctionRewriter::new(module, &old, old.blocks.len());
    let int = type_id(module, &Type::Int(32));
    let mut this = Aggregates {
        module,
        old: &old,
        rewriter,
        parts: FxHashMap::default(),
        total: 0,
        work: MAX_WORK,
        int,
        undefined: FxHashMap::default(),
    };
    this.rewrite()?;
    let rewriter = this.rewriter;
    module.functions[id.as_u32() as usize] =
        rewriter.finish().map_err(|why| unfinished(&old, why))?;
    Ok(())
}

/// Types of the scalars of a type (handles, pointers and vectors that SPIR-V has are scalars here).
fn leaves(
    module: &Module,
    ty: TypeId,
    out: &mut Vec<TypeId>,
    work: &mut usize,
    depth: u32,
) -> Option<()> {
    // Structs without parts cost work too.
    *work = work.checked_sub(1)?;
    if out.len() > MAX_PARTS || depth > MAX_DEPTH {
        return None;
    }
    if !is_aggregate(module, ty) {
        out.push(ty);
        return Some(());
    }
    match module.ty(ty) {
        Type::Struct { fields, .. } => fields
            .iter()
            .try_for_each(|&f| leaves(module, f, out, work, depth + 1)),
        Type::Array { .. } | Type::Vector { .. } => {
            let (element, len) = match *module.ty(ty) {
                Type::Array { element, len } => (element, len),
                Type::Vector { element, len } => (element, len.into()),
                _ => return None,
            };
            let start = out.len();
            leaves(module, element, out, work, depth + 1)?;
            let one = out.len() - start;
            let more = usize::try_from(len)
                .ok()?
                .checked_sub(1)?
                .checked_mul(one)?;
            if out.len().checked_add(more)? > MAX_PARTS {
                return None;
            }
            *work = work.checked_sub(more)?;
            for i in 0..more {
                out.push(out[start + i]);
            }
            Some(())
        }
        _ => None,
    }
}

impl Aggregates<'_> {
    pub(super) fn leaves(&mut self, ty: TypeId) -> Result<Vec<TypeId>, Error> {
        let mut out = Vec::new();
        leaves(self.module, ty, &mut out, &mut self.work, 0)
            .ok_or_else(|| unsupported(self.old, AggregateFeature::NoParts))?;
        Ok(out)
    }

    fn keep(&mut self, value: ValueId, parts: Vec<ValueId>) -> Result<(), Error> {
        self.count(parts.len())?;
        self.parts.insert(value, parts);
        Ok(())
    }

    /// Counts parts, or instructions that are written for each of them.
    pub(super) fn count(&mut self, parts: usize) -> Result<(), Error> {
        self.total += parts;
        if self.total > MAX_PARTS {
            return Err(unsupported(self.old, Limit::AggregateParts));
        }
        Ok(())
    }

    pub(super) fn type_of(&self, value: ValueId) -> Result<TypeId, Error> {
        let data = self
            .module
            .value(Some(self.old), value)
            .ok_or_else(|| unsupported(self.old, AggregateFeature::UnknownValue { value }))?;
        Ok(data.ty)
    }

    /// First scalar, number of scalars and type of the part that indices lead to.
    fn part(
        &mut self,
        aggregate: TypeId,
        indices: PoolRange,
    ) -> Result<(usize, usize, TypeId), Error> {
        let old = self.old;
        let wrong = || unsupported(old, AggregateFeature::Index);
        let (mut first, mut ty) = (0usize, aggregate);
        for &index in &self.old.pool[indices.range()] {
            match self.module.ty(ty) {
                Type::Struct { fields, .. } => {
                    let field = *fields.get(index as usize).ok_or_else(wrong)?;
                    let before: Vec<TypeId> = fields[..index as usize].to_vec();
                    for before in before {
                        first += self.leaves(before)?.len();
                    }
                    ty = field;
                }
                Type::Array { element, len } if u64::from(index) < *len => {
                    let element = *element;
                    first += self.leaves(element)?.len() * index as usize;
                    ty = element;
                }
                _ => return Err(wrong()),
            }
        }
        Ok((first, self.leaves(ty)?.len(), ty))
    }

    pub(super) fn undef(&mut self, ty: TypeId) -> ValueId {
        if let Some(&known) = self.undefined.get(&ty) {
            return known;
        }
        let made = self.rewriter.constant(self.module, ty, Constant::Undef);
        self.undefined.insert(ty, made);
        made
    }

    /// The scalars of a value.
    pub(super) fn parts_of(&mut self, value: ValueId) -> Result<Vec<ValueId>, Error> {
        if let Some(known) = self.parts.get(&value) {
            self.work = self
                .work
                .checked_sub(known.len())
                .ok_or_else(|| unsupported(self.old, Limit::AggregateUses))?;
            return Ok(known.clone());
        }
        let data = self.module.value(Some(self.old), value);
        match data.map(|d| (d.kind, d.ty)) {
            Some((ValueKind::Constant(c), ty)) => {
                let parts = self.constant(c, ty, 0)?;
                self.keep(value, parts.clone())?;
                Ok(parts)
            }
            Some((ValueKind::Inst(_), ty)) => {
                // A definition that control never reaches.
                let types = self.leaves(ty)?;
                Ok(types.into_iter().map(|t| self.undef(t)).collect())
            }
            _ => Err(unsupported(self.old, AggregateFeature::Parameter)),
        }
    }

    fn constant(
        &mut self,
        constant: ConstId,
        ty: TypeId,
        depth: u32,
    ) -> Result<Vec<ValueId>, Error> {
        if depth > MAX_DEPTH {
            return Err(unsupported(self.old, Limit::ConstantNesting));
        }
        let types = self.leaves(ty)?;
        match self.module.constants[constant.as_u32() as usize]
            .value
            .clone()
        {
            Constant::Undef => Ok(types.into_iter().map(|t| self.undef(t)).collect()),
            Constant::Null => Ok(types
                .into_iter()
                .map(|t| self.rewriter.constant(self.module, t, Constant::Null))
                .collect()),
            Constant::Data(numbers) if numbers.len() == types.len() => Ok(numbers
                .iter()
                .zip(types)
                .map(|(&bits, t)| {
                    let value = if matches!(self.module.ty(t), Type::Int(_)) {
                        Constant::Int(bits)
                    } else {
                        Constant::Float(bits)
                    };
                    self.rewriter.constant(self.module, t, value)
                })
                .collect()),
            Constant::Aggregate(range) => {
                let mut parts = Vec::new();
                let operands = self.module.const_operands[range.range()].to_vec();
                for value in operands {
                    let value = ValueId::from_u32(value);
                    let ty = self.type_of(value)?;
                    if !is_aggregate(self.module, ty) {
                        parts.push(value);
                    } else if let Some(ValueKind::Constant(c)) =
                        self.module.value(Some(self.old), value).map(|v| v.kind)
                    {
                        parts.extend(self.constant(c, ty, depth + 1)?);
                    }
                }
                if parts.len() != types.len() {
                    return Err(unsupported(self.old, AggregateFeature::ConstantTypes));
                }
                Ok(parts)
            }
            _ => Err(unsupported(self.old, ConstantFeature::AggregateExpression)),
        }
    }

    fn rewrite(&mut self) -> Result<(), Error> {
        let order = reverse_post_order(self.old);
        let mut phis = Vec::new();
        for &block in &order {
            let data = self.old.blocks[block.as_u32() as usize];
            for inst in &self.old.insts[data.start as usize..data.end as usize] {
                let (InstKind::Phi { incoming }, Some(result), true) =
                    (inst.kind, inst.result, is_aggregate(self.module, inst.ty))
                else {
                    continue;
                };
                let types = self.leaves(inst.ty)?;
                let parts: Vec<ValueId> = types.iter().map(|&t| self.rewriter.result(t)).collect();
                phis.push((block, incoming, types, parts.clone()));
                self.keep(result, parts)?;
            }
        }
        let mut reached = vec![false; self.old.blocks.len()];
        for &block in &order {
            reached[block.as_u32() as usize] = true;
        }
        // Phis come first in their blocks; their operands may be defined later, so they are written
        // when the rest is known.
        let mut rest: Vec<Vec<NewInst>> = vec![Vec::new(); self.old.blocks.len()];
        for &block in &order {
            let data = self.old.blocks[block.as_u32() as usize];
            for at in data.start..data.end {
                let inst = self.old.insts[at as usize];
                if !self.instruction(&inst, &mut rest[block.as_u32() as usize])? {
                    rest[block.as_u32() as usize].push(NewInst {
                        inst,
                        metadata: metadata_of(self.old, at),
                    });
                }
            }
        }
        for (block, incoming, types, parts) in phis {
            self.phi(block, incoming, &types, &parts)?;
        }
        for (block, insts) in rest.into_iter().enumerate() {
            if reached[block] {
                self.rewriter.extend(block as u32, insts);
            } else {
                let ty = self.old.terminator(BlockId::from_u32(block as u32)).ty;
                self.rewriter
                    .append(block as u32, InstKind::Unreachable, ty, None);
            }
        }
        Ok(())
    }

    fn phi(
        &mut self,
        block: BlockId,
        incoming: PoolRange,
        types: &[TypeId],
        results: &[ValueId],
    ) -> Result<(), Error> {
        let mut lists = vec![Vec::new(); types.len()];
        for (value, pred) in self.old.phi_incoming(incoming).collect::<Vec<_>>() {
            let parts = self.parts_of(value)?;
            for (list, part) in lists.iter_mut().zip(&parts) {
                list.extend([part.as_u32(), pred.as_u32()]);
            }
            self.total += parts.len();
            if self.total > MAX_PARTS {
                return Err(unsupported(self.old, Limit::PhiParts));
            }
        }
        for ((list, &ty), &result) in lists.into_iter().zip(types).zip(results) {
            let incoming = self.rewriter.list(list);
            self.rewriter
                .append(block.as_u32(), InstKind::Phi { incoming }, ty, Some(result));
        }
        Ok(())
    }

    /// Rewrites an instruction that has to do with aggregates; `false` for another, which stays.
    fn instruction(&mut self, inst: &Inst, out: &mut Vec<NewInst>) -> Result<bool, Error> {
        match inst.kind {
            InstKind::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                let mut parts = self.parts_of(aggregate)?;
                let ty = self.type_of(aggregate)?;
                let (first, count, part) = self.part(ty, indices)?;
                let new = if is_aggregate(self.module, part) {
                    self.parts_of(value)?
                } else {
                    vec![value]
                };
                if new.len() != count || first + count > parts.len() {
                    return Err(unsupported(self.old, AggregateFeature::InsertTypes));
                }
                parts[first..first + count].copy_from_slice(&new);
                self.keep_result(inst, parts)
            }
            InstKind::ExtractValue { aggregate, indices } => {
                let parts = self.parts_of(aggregate)?;
                let ty = self.type_of(aggregate)?;
                let (first, count, part) = self.part(ty, indices)?;
                let Some(taken) = parts.get(first..first + count) else {
                    return Err(unsupported(self.old, AggregateFeature::ExtractTypes));
                };
                if is_aggregate(self.module, part) {
                    return self.keep_result(inst, taken.to_vec());
                }
                if let (Some(result), [only]) = (inst.result, taken) {
                    self.rewriter.replace(result, *only);
                }
                Ok(true)
            }
            InstKind::Phi { .. } => Ok(is_aggregate(self.module, inst.ty)),
            InstKind::Select { cond, then, else_ } if is_aggregate(self.module, inst.ty) => {
                let (a, b) = (self.parts_of(then)?, self.parts_of(else_)?);
                let types = self.leaves(inst.ty)?;
                // Of long vectors each component may be chosen by itself.
                let cond_type = self.type_of(cond)?;
                let conds = if is_aggregate(self.module, cond_type) {
                    self.parts_of(cond)?
                } else {
                    vec![cond; types.len()]
                };
                let mut parts = Vec::with_capacity(types.len());
                for (((&ty, &then), &else_), &cond) in types.iter().zip(&a).zip(&b).zip(&conds) {
                    let result = self.rewriter.result(ty);
                    out.push(new_inst(
                        InstKind::Select { cond, then, else_ },
                        ty,
                        Some(result),
                    ));
                    parts.push(result);
                }
                self.keep_result(inst, parts)
            }
            InstKind::Load {
                ptr,
                align,
                volatile,
                ordering,
            } if is_aggregate(self.module, inst.ty) => {
                let mut parts = Vec::new();
                for (pointer, ty) in self.places(ptr, inst.ty, out)? {
                    let result = self.rewriter.result(ty);
                    let align = align.min(1);
                    out.push(new_inst(
                        InstKind::Load {
                            ptr: pointer,
                            align,
                            volatile,
                            ordering,
                        },
                        ty,
                        Some(result),
                    ));
                    parts.push(result);
                }
                self.keep_result(inst, parts)
            }
            InstKind::Store {
                ptr,
                value,
                align,
                volatile,
                ordering,
            } => {
                let ty = self.type_of(value)?;
                if !is_aggregate(self.module, ty) {
                    return Ok(false);
                }
                let parts = self.parts_of(value)?;
                for ((pointer, _), value) in self.places(ptr, ty, out)?.into_iter().zip(parts) {
                    let align = align.min(1);
                    out.push(new_inst(
                        InstKind::Store {
                            ptr: pointer,
                            value,
                            align,
                            volatile,
                            ordering,
                        },
                        inst.ty,
                        None,
                    ));
                }
                Ok(true)
            }
            InstKind::Call { .. } | InstKind::CmpXchg { .. }
                if is_aggregate(self.module, inst.ty) =>
            {
                self.taken_apart(inst, out)
            }
            _ => self.on_vectors(inst, out),
        }
    }

    pub(super) fn keep_result(&mut self, inst: &Inst, parts: Vec<ValueId>) -> Result<bool, Error> {
        if let Some(result) = inst.result {
            self.keep(result, parts)?;
        }
        Ok(true)
    }

    /// An operation with a struct as result stays; its fields are taken out at once.
    fn taken_apart(&mut self, inst: &Inst, out: &mut Vec<NewInst>) -> Result<bool, Error> {
        let Some(result) = inst.result else {
            return Ok(false);
        };
        let types = self.leaves(inst.ty)?;
        let flat = matches!(self.module.ty(inst.ty), Type::Struct { fields, .. } if fields.len() == types.len());
        if !flat {
            return Err(unsupported(self.old, AggregateFeature::NestedResult));
        }
        let id = match self.module.value(Some(self.old), result).map(|v| v.kind) {
            Some(ValueKind::Inst(i)) => i.as_u32(),
            _ => return Ok(false),
        };
        out.push(NewInst {
            inst: *inst,
            metadata: metadata_of(self.old, id),
        });
        let mut parts = Vec::with_capacity(types.len());
        for (index, ty) in types.into_iter().enumerate() {
            let part = self.rewriter.result(ty);
            let indices = self.rewriter.list([index as u32]);
            out.push(new_inst(
                InstKind::ExtractValue {
                    aggregate: result,
                    indices,
                },
                ty,
                Some(part),
            ));
            parts.push(part);
        }
        self.keep_result(inst, parts)
    }

    /// Addresses and types of the scalars of an aggregate in memory.
    fn places(
        &mut self,
        pointer: ValueId,
        ty: TypeId,
        out: &mut Vec<NewInst>,
    ) -> Result<Vec<(ValueId, TypeId)>, Error> {
        let int = self.int;
        let zero = self.rewriter.constant(self.module, int, Constant::Null);
        let pointer_type = self.type_of(pointer)?;
        // Paths of indices to the scalars, in order.
        let mut paths: Vec<(Vec<u32>, TypeId)> = vec![(Vec::new(), ty)];
        while let Some(at) = paths.iter().position(|p| is_aggregate(self.module, p.1)) {
            let (path, ty) = paths.remove(at);
            let below: Vec<TypeId> = match self.module.ty(ty) {
                Type::Struct { fields, .. } => fields.to_vec(),
                Type::Array { element, len } => {
                    vec![*element; usize::try_from(*len).unwrap_or(0).min(MAX_PARTS)]
                }
                Type::Vector { element, len } => vec![*element; (*len as usize).min(MAX_PARTS)],
                _ => Vec::new(),
            };
            if path.len() as u32 > MAX_DEPTH || paths.len() + below.len() > 1024 {
                return Err(unsupported(self.old, Limit::OneAccessParts));
            }
            let made = below
                .into_iter()
                .enumerate()
                .map(|(i, ty)| ([&path[..], &[i as u32]].concat(), ty));
            paths.splice(at..at, made.collect::<Vec<_>>());
        }
        self.total += paths.len();
        if self.total > MAX_PARTS {
            return Err(unsupported(self.old, Limit::AccessParts));
        }
        let mut places = Vec::with_capacity(paths.len());
        for (path, part) in paths {
            let mut operands = vec![pointer.as_u32(), zero.as_u32()];
            for index in path {
                operands.push(
                    self.rewriter
                        .constant(self.module, int, Constant::Int(index.into()))
                        .as_u32(),
                );
            }
            let operands = self.rewriter.list(operands);
            // Lowering asks what an address is made of, never for the type behind it.
            let result = self.rewriter.result(pointer_type);
            out.push(new_inst(
                InstKind::Gep {
                    inbounds: false,
                    source: ty,
                    operands,
                },
                pointer_type,
                Some(result),
            ));
            places.push((result, part));
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_WORK, leaves};
    use trellis_dxil_frontend::module::{Module, Type, TypeId};

    fn structure(fields: &[u32]) -> Type {
        Type::Struct {
            name: None,
            fields: fields.iter().map(|&f| TypeId::from_u32(f)).collect(),
            packed: false,
            opaque: false,
        }
    }

    #[test]
    fn types_that_double_at_each_level() {
        for last in [structure(&[]), Type::Int(32)] {
            let types = std::iter::once(last)
                .chain((0..31).map(|below| structure(&[below, below])))
                .collect();
            let module = Module {
                types,
                ..Module::default()
            };
            assert!(
                leaves(
                    &module,
                    TypeId::from_u32(31),
                    &mut Vec::new(),
                    &mut { MAX_WORK },
                    0
                )
                .is_none()
            );
        }
    }

    #[test]
    fn nested_types_are_flat() {
        let array = Type::Array {
            element: TypeId::from_u32(1),
            len: 3,
        };
        let module = Module {
            types: vec![Type::Float, structure(&[0, 0]), array, structure(&[2, 0])],
            ..Module::default()
        };
        let mut out = Vec::new();
        assert!(leaves(&module, TypeId::from_u32(3), &mut out, &mut { MAX_WORK }, 0).is_some());
        assert_eq!(out, [TypeId::from_u32(0); 7]);
    }
}
