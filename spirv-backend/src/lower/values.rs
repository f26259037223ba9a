//! Structurizer values of DXIL values: constants, aliases, known numbers, and the leaves of folded
//! operands.

use std::ops::Range;

use trellis_dxil_frontend::module::{
    Constant, Inst, InstId, InstKind, Module, Type, TypeId, ValueId, ValueKind,
};
use trellis_entity::{EntityRange, EntityRef};
use trellis_structurizer::ir;

use super::function::{Below, Lowering};
use super::{Local, OTHER_USE, SYNTHETIC, ir_type};
use crate::error::{AggregateFeature, Error, Feature, InvalidKind, PointerFeature, TypePosition};
use crate::vendor;

/// Returns true if a type is a number or a vector of numbers.
pub(super) fn is_plain(module: &Module, ty: TypeId) -> bool {
    match module.ty(ty) {
        Type::Int(_) | Type::Half | Type::Float | Type::Double => true,
        Type::Vector { element, .. } => matches!(
            module.ty(*element),
            Type::Int(_) | Type::Half | Type::Float | Type::Double
        ),
        _ => false,
    }
}

impl Lowering<'_> {
    pub(super) fn int_width(&self, value: ValueId) -> Option<u32> {
        self.type_width(self.source.module.value(Some(self.function), value)?.ty)
    }

    pub(super) fn type_width(&self, ty: TypeId) -> Option<u32> {
        match self.source.module.ty(ty) {
            Type::Int(width) => Some(*width),
            _ => None,
        }
    }

    /// Returns true if a type is a number or a vector of numbers.
    pub(super) fn is_plain(&self, ty: TypeId) -> bool {
        is_plain(self.source.module, ty)
    }

    /// Returns a type's name for an error.
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        match self.source.module.ty(ty) {
            Type::Struct {
                name: Some(name), ..
            } => format!("%{name}"),
            Type::Pointer { address_space, .. } => {
                format!("a pointer (address space {address_space})")
            }
            Type::Struct { .. } => "a struct".to_owned(),
            other => format!("{other:?}"),
        }
    }

    /// Returns the structurizer value of a phi operand, branch condition or similar operand, which is
    /// not in a run. Constants get one on first use.
    pub(super) fn operand_value(&mut self, value: ValueId) -> Result<ir::Value, Error> {
        if let Some(local) = self.out.local_of(value) {
            self.out.locals[local].last_use = OTHER_USE;
            return self.structured(local);
        }
        let data = self
            .source
            .module
            .value(Some(self.function), value)
            .ok_or_else(|| {
                self.invalid(InvalidKind::Value, format!("value {value} does not exist"))
            })?;
        match data.kind {
            ValueKind::Constant(c) => {
                if !self.is_plain(data.ty) {
                    let ty = self.type_name(data.ty);
                    return Err(self.unsupported(Feature::ty(ty, TypePosition::Constant)));
                }
                if let Some(known) = self.lists.constants[c].expand() {
                    return Ok(known);
                }
                let undef = self.source.module.constants[c].value == Constant::Undef;
                let ty = ir_type(data.ty);
                let made = if undef {
                    self.func.undef(ty)
                } else {
                    self.func.add_constant(value.as_u32(), ty)
                };
                self.lists.constants[c] = made.into();
                Ok(made)
            }
            ValueKind::Inst(_) | ValueKind::Argument(_) if !self.is_plain(data.ty) => {
                let ty = self.type_name(data.ty);
                Err(self.unsupported(Feature::ty(ty, TypePosition::ControlFlow)))
            }
            ValueKind::Inst(_) | ValueKind::Argument(_) => Err(self.invalid(
                InvalidKind::Value,
                format!("value {value} is used where its definition does not reach"),
            )),
            ValueKind::Global(_) | ValueKind::Function(_) => {
                Err(self.unsupported(PointerFeature::ControlFlow))
            }
        }
    }

    /// Returns the operands of a folded instruction; none for another one.
    #[inline]
    pub(super) fn below(&self, inst: InstId) -> Below {
        let fold = self.lists.below[inst.index()].expand();
        fold.map_or_else(Below::default, |fold| self.lists.folds[fold])
    }

    pub(super) fn below_mut(&mut self, inst: InstId) -> &mut Below {
        let folds = &mut self.lists.folds;
        let slot = &mut self.lists.below[inst.index()];
        let fold = match slot.expand() {
            Some(fold) => fold,
            None => folds.push(Below::default()),
        };
        *slot = fold.into();
        &mut folds[fold]
    }

    /// Returns the number of a folded instruction's result.
    pub(super) fn known_number(&self, value: ValueId) -> Option<u64> {
        if self.out.known.is_empty() {
            return None;
        }
        let ValueKind::Inst(i) = self.source.module.value(Some(self.function), value)?.kind else {
            return None;
        };
        let known = self.below(i).known.expand()?;
        self.out.known.get(known).copied()
    }

    pub(super) fn set_known(&mut self, id: InstId, inst: &Inst, number: u64) {
        let known = self.out.known.push(number);
        self.below_mut(id).known = known.into();
        let value = self
            .func
            .add_constant(SYNTHETIC | known.as_u32(), ir_type(inst.ty));
        let local = self.push_given(value);
        self.alias(inst, local);
    }

    /// Records that the result of an instruction is a value.
    #[inline]
    pub(super) fn alias(&mut self, inst: &Inst, local: Local) {
        if let Some(result) = inst.result.expand() {
            let index = (result.as_u32()).wrapping_sub(self.out.module_values);
            if let Some(value) = self.out.values.get_mut(index as usize) {
                *value = local.into();
            }
        }
    }

    /// Records the results of an instruction: the values from `first` on.
    #[inline]
    pub(super) fn set_results(&mut self, id: InstId, first: Local) {
        self.out.results[id.index()] = EntityRange::new(first, self.out.locals.next_key());
    }

    /// Makes a value the structurizer's, if a run computes it.
    #[inline]
    pub(super) fn export(&mut self, value: ValueId) {
        if let Some(local) = self.out.local_of(value) {
            self.out.locals[local].is_exported = true;
        }
    }

    /// Passes the leaves of operands to `leaf`.
    #[inline(always)]
    pub(super) fn collect_operands(
        &mut self,
        operands: impl IntoIterator<Item = ValueId>,
        leaf: impl Fn(&mut Self, Local) + Copy,
    ) -> Result<(), Error> {
        for operand in operands {
            self.collect(operand, leaf);
        }
        match self.lists.unreached.take() {
            None => Ok(()),
            Some(operand) => Err(self.no_leaves(operand)),
        }
    }

    /// Passes on the leaves of an operand: most are constants, and values with their own number.
    #[inline(always)]
    fn collect(&mut self, operand: ValueId, leaf: impl Fn(&mut Self, Local)) {
        let index = (operand.as_u32()).wrapping_sub(self.out.module_values) as usize;
        match self.out.values.get(index).map(|local| local.expand()) {
            Some(Some(local)) => leaf(self, local),
            Some(None) => {
                if let ValueKind::Inst(inst) = self.function.values[index].kind {
                    for index in self.leaves_of(operand, inst) {
                        leaf(self, self.lists.leaves[index as usize]);
                    }
                }
            }
            None => {}
        }
    }

    /// Returns where the leaves of a value without a number are. A value that has none for another
    /// reason is stored in `self.lists.unreached`.
    #[inline(never)]
    fn leaves_of(&mut self, operand: ValueId, i: InstId) -> Range<u32> {
        let below = self.below(i);
        let Inst { kind, ty, .. } = self.function.insts[i];
        if below.depth == 0
            && !matches!(kind, InstKind::Alloca { .. })
            && !self.is_hit_object(operand)
            && !vendor::is_matrix(self.source.module, ty)
        {
            self.lists.unreached = operand.into();
        }
        below.start..below.end
    }

    /// Returns the error of an operand that has no number and is not folded.
    #[cold]
    fn no_leaves(&self, operand: ValueId) -> Error {
        let index = super::local_index(self.source.module, self.function, operand);
        if let Some(index) = index
            && let ValueKind::Inst(inst) = self.function.values[index].kind
            && !self.out.results[inst.index()].is_empty()
        {
            return self.unsupported(AggregateFeature::Operand);
        }
        self.invalid(
            InvalidKind::Value,
            format!("value {operand} is used where its definition does not reach"),
        )
    }

    pub(super) fn depth_of(&self, operand: ValueId) -> Option<u8> {
        let index = super::local_index(self.source.module, self.function, operand)?;
        let ValueKind::Inst(i) = self.function.values[index].kind else {
            return None;
        };
        Some(self.below(i).depth)
    }
}
