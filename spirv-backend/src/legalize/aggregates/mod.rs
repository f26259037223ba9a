//! Structs, arrays and long vectors as values: each becomes its scalars, which `insertvalue` and
//! `extractvalue` only rename.

mod instructions;

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::module::{
    BlockId, ConstId, Constant, Function, Inst, InstKind, Module, PoolRange, Type, TypeId, ValueId,
    ValueKind,
};
use trellis_entity::EntitySet;

use crate::error::{AggregateFeature, ConstantFeature, Error, Limit};
use crate::legalize::reachable::reverse_post_order;
use crate::legalize::rewriter::FunctionRewriter;
use crate::legalize::{Context, is_aggregate, unsupported};

/// Most scalars of all aggregates of a function together.
const MAX_PARTS: usize = 1 << 18;
/// Deepest nesting of a type or constant.
const MAX_DEPTH: u32 = 32;
/// Maximum number of parts of types and values that are visited for one function.
const MAX_WORK: usize = 1 << 24;

/// Scalars of each aggregate value, in the order of the type.
pub(super) struct Aggregates<'a> {
    pub(super) w: FunctionRewriter<'a>,
    parts: FxHashMap<ValueId, Vec<ValueId>>,
    /// Scalars in `parts`.
    total: usize,
    /// The rest of the budget of [`MAX_WORK`].
    work: usize,
    pub(super) ops: &'a DxDeclarations,
    /// True if a number of 16 bits takes 2 bytes in a buffer.
    pub(super) native_low_precision: bool,
    /// Number of uses of each aggregate value.
    uses: FxHashMap<ValueId, u32>,
    /// The undefined value of each type.
    undefined: FxHashMap<TypeId, ValueId>,
}

/// Rewrites one function.
///
/// # Errors
/// Aggregates that are too large, or that are used in other ways.
pub(super) fn run(
    &Context { ops, shader, .. }: &Context<'_>,
    w: FunctionRewriter<'_>,
) -> Result<Function, Error> {
    let mut this = Aggregates {
        w,
        parts: FxHashMap::default(),
        total: 0,
        work: MAX_WORK,
        ops,
        native_low_precision: shader.native_low_precision,
        uses: FxHashMap::default(),
        undefined: FxHashMap::default(),
    };
    this.rewrite()?;
    this.w.finish()
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
        leaves(self.w.module, ty, &mut out, &mut self.work, 0)
            .ok_or_else(|| unsupported(self.w.old, AggregateFeature::NoParts))?;
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
            return Err(unsupported(self.w.old, Limit::AggregateParts));
        }
        Ok(())
    }

    /// Returns the type of a scalar of a value, which may be new.
    pub(super) fn type_of_part(&self, part: ValueId) -> Result<TypeId, Error> {
        let data = self.w.module.value(Some(&self.w.out), part);
        data.map(|data| data.ty)
            .ok_or_else(|| unsupported(self.w.old, AggregateFeature::UnknownValue { value: part }))
    }

    /// Returns the first scalar, number of scalars and type of the part that indices lead to. The reader
    /// has checked them.
    fn part(
        &mut self,
        aggregate: TypeId,
        indices: PoolRange,
    ) -> Result<(usize, usize, TypeId), Error> {
        let (mut first, mut ty) = (0usize, aggregate);
        for &index in &self.w.old.pool[indices.range()] {
            match self.w.module.ty(ty) {
                Type::Struct { fields, .. } => {
                    let before: Vec<TypeId> = fields[..index as usize].to_vec();
                    ty = fields[index as usize];
                    for before in before {
                        first += self.leaves(before)?.len();
                    }
                }
                &Type::Array { element, .. } => {
                    first += self.leaves(element)?.len() * index as usize;
                    ty = element;
                }
                _ => {}
            }
        }
        Ok((first, self.leaves(ty)?.len(), ty))
    }

    pub(super) fn undef(&mut self, ty: TypeId) -> ValueId {
        if let Some(&known) = self.undefined.get(&ty) {
            return known;
        }
        let made = self.w.undef(ty);
        self.undefined.insert(ty, made);
        made
    }

    /// Returns the scalars of a value.
    pub(super) fn parts_of(&mut self, value: ValueId) -> Result<Vec<ValueId>, Error> {
        if let Some(known) = self.parts.get(&value) {
            self.work = self
                .work
                .checked_sub(known.len())
                .ok_or_else(|| unsupported(self.w.old, Limit::AggregateUses))?;
            return Ok(known.clone());
        }
        match self.w.data(value).map(|d| (d.kind, d.ty)) {
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
            _ => Err(unsupported(self.w.old, AggregateFeature::Parameter)),
        }
    }

    /// As [`parts_of`](Self::parts_of), for the current instruction; parts without another use are
    /// moved, not copied.
    pub(super) fn taken_parts_of(&mut self, value: ValueId) -> Result<Vec<ValueId>, Error> {
        if self.uses.get(&value) == Some(&1)
            && let Some(parts) = self.parts.remove(&value)
        {
            self.total -= parts.len().min(self.total);
            return Ok(parts);
        }
        self.parts_of(value)
    }

    /// Returns one scalar of a value, if the index is in range.
    pub(super) fn part_of(
        &mut self,
        value: ValueId,
        index: usize,
    ) -> Result<Option<ValueId>, Error> {
        if let Some(known) = self.parts.get(&value) {
            return Ok(known.get(index).copied());
        }
        Ok(self.parts_of(value)?.get(index).copied())
    }

    fn count_uses(&mut self, order: &[BlockId]) {
        for &block in order {
            for inst in self.w.old.block_insts(block) {
                for operand in self.w.old.operands(&inst.kind) {
                    let data = self.w.data(operand);
                    if data.is_some_and(|d| is_aggregate(self.w.module, d.ty)) {
                        *self.uses.entry(operand).or_default() += 1;
                    }
                }
            }
        }
    }

    fn constant(
        &mut self,
        constant: ConstId,
        ty: TypeId,
        depth: u32,
    ) -> Result<Vec<ValueId>, Error> {
        if depth > MAX_DEPTH {
            return Err(unsupported(self.w.old, Limit::ConstantNesting));
        }
        let types = self.leaves(ty)?;
        match self.w.module.constants[constant].value.clone() {
            Constant::Undef => Ok(types.into_iter().map(|t| self.undef(t)).collect()),
            Constant::Null => Ok(types
                .into_iter()
                .map(|t| self.w.constant(t, Constant::Null))
                .collect()),
            Constant::Data(numbers) => Ok(numbers
                .iter()
                .zip(types)
                .map(|(&bits, t)| {
                    let value = if matches!(self.w.module.ty(t), Type::Int(_)) {
                        Constant::Int(bits)
                    } else {
                        Constant::Float(bits)
                    };
                    self.w.constant(t, value)
                })
                .collect()),
            Constant::Aggregate(range) => {
                let mut parts = Vec::new();
                let operands = self.w.module.const_operands[range.range()].to_vec();
                for value in operands {
                    let value = ValueId::from_u32(value);
                    let ty = self.w.type_of(value)?;
                    if !is_aggregate(self.w.module, ty) {
                        parts.push(value);
                    } else if let Some(ValueKind::Constant(c)) = self.w.kind_of(value) {
                        parts.extend(self.constant(c, ty, depth + 1)?);
                    }
                }
                Ok(parts)
            }
            _ => Err(unsupported(
                self.w.old,
                ConstantFeature::AggregateExpression,
            )),
        }
    }

    fn rewrite(&mut self) -> Result<(), Error> {
        let order = reverse_post_order(self.w.old);
        self.count_uses(&order);
        let mut phis = Vec::new();
        for &block in &order {
            for inst in self.w.old.block_insts(block) {
                let (InstKind::Phi { incoming }, Some(result), true) = (
                    inst.kind,
                    inst.result.expand(),
                    is_aggregate(self.w.module, inst.ty),
                ) else {
                    continue;
                };
                let types = self.leaves(inst.ty)?;
                let parts: Vec<ValueId> = types.iter().map(|&t| self.w.result(t)).collect();
                phis.push((block, incoming, types, parts.clone()));
                self.keep(result, parts)?;
            }
        }
        let mut reached = EntitySet::with_capacity(self.w.old.blocks.len());
        for &block in &order {
            reached.insert(block);
        }
        for &block in &order {
            for at in self.w.old.blocks[block].insts {
                let inst = self.w.old.insts[at];
                if !self.on_vector_call(at, &inst)? && !self.instruction(&inst)? {
                    self.w.keep(at);
                }
            }
            self.w.end_block(block);
        }
        // The operands of phis may be defined later, so they are written when the rest is known.
        let mut phis = phis.into_iter().peekable();
        while let Some((block, incoming, types, parts)) = phis.next() {
            self.phi(incoming, &types, &parts)?;
            if phis.peek().is_none_or(|next| next.0 != block) {
                self.w.begin_block(block);
            }
        }
        for block in self.w.old.blocks.keys().filter(|&b| !reached.contains(b)) {
            let ty = self.w.old.terminator(block).ty;
            self.w.append(InstKind::Unreachable, ty, None);
            self.w.end_block(block);
        }
        Ok(())
    }

    fn phi(
        &mut self,
        incoming: PoolRange,
        types: &[TypeId],
        results: &[ValueId],
    ) -> Result<(), Error> {
        let mut lists = vec![Vec::new(); types.len()];
        for (value, pred) in self.w.old.phi_incoming(incoming).collect::<Vec<_>>() {
            let parts = self.parts_of(value)?;
            for (list, part) in lists.iter_mut().zip(&parts) {
                list.extend([part.as_u32(), pred.as_u32()]);
            }
            self.total += parts.len();
            if self.total > MAX_PARTS {
                return Err(unsupported(self.w.old, Limit::PhiParts));
            }
        }
        for ((list, &ty), &result) in lists.into_iter().zip(types).zip(results) {
            let incoming = self.w.list(list);
            self.w.append(InstKind::Phi { incoming }, ty, Some(result));
        }
        Ok(())
    }

    pub(super) fn keep_result(&mut self, inst: &Inst, parts: Vec<ValueId>) -> Result<bool, Error> {
        if let Some(result) = inst.result.expand() {
            self.keep(result, parts)?;
        }
        Ok(true)
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
            types: vec![Type::Float, structure(&[0, 0]), array, structure(&[2, 0])].into(),
            ..Module::default()
        };
        let mut out = Vec::new();
        assert!(leaves(&module, TypeId::from_u32(3), &mut out, &mut { MAX_WORK }, 0).is_some());
        assert_eq!(out, [TypeId::from_u32(0); 7]);
    }
}
