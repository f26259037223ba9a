//! Instructions that compute: arithmetic, casts, comparisons, select, vectors and aggregates.

use crate::module::{ArithFlags, InstKind, PoolRange, Type, TypeId};

use super::Result;
use super::errors::{length_error, operand_type, same_type};
use super::fields::Fields;
use super::function::Body;
use super::operators::{arith_flags, cast_op, fast_math, predicate};

impl Body<'_> {
    /// Returns the pool's entries from `start` on.
    pub(super) fn pool_range(&self, start: usize) -> PoolRange {
        PoolRange::new(start, self.f.pool.len())
    }

    /// `[lhs, rhs, operation, flags?]`
    #[inline(never)]
    pub(super) fn binary(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (lhs, ty) = self.value(&mut fields)?;
        let rhs = self.value_of("right operand", ty, &mut fields)?;
        let op = self.builder.binary_op(fields.take()?, ty)?;
        let flags = if fields.left() > 0 {
            arith_flags(op, fields.take()?)
        } else {
            ArithFlags::default()
        };
        fields.done("2 operands, an operation, flags")?;
        self.push(
            InstKind::Binary {
                op,
                lhs,
                rhs,
                flags,
            },
            ty,
        )
    }

    /// Reads a cast: `[value, type, cast]`.
    #[inline(never)]
    pub(super) fn cast(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (value, from) = self.value(&mut fields)?;
        let ty = self.builder.type_at(fields.take()?)?;
        let op = cast_op(fields.take()?)?;
        fields.done("an operand, a type, a cast")?;
        self.builder.check_cast(op, from, ty)?;
        self.push(InstKind::Cast { op, value }, ty)
    }

    /// `[lhs, rhs, predicate, flags?]`
    #[inline(never)]
    pub(super) fn cmp(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (lhs, of) = self.value(&mut fields)?;
        let rhs = self.value_of("right operand", of, &mut fields)?;
        let predicate = predicate(fields.take()?)?;
        self.builder.check_predicate(predicate, of)?;
        let flags = if fields.left() > 0 { fields.take()? } else { 0 };
        let flags = if self.builder.is_float_like(of) {
            fast_math(flags)
        } else {
            ArithFlags::default()
        };
        fields.done("2 operands, a predicate, flags")?;
        let ty = self.builder.cmp_result(of);
        self.push(
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                flags,
            },
            ty,
        )
    }

    /// Reads a `select`: `[true, false, condition]`; the condition's type is written in VSELECT
    /// (29), and `i1` in SELECT (5).
    #[inline(never)]
    pub(super) fn select(&mut self, code: u32, mut fields: Fields<'_>) -> Result<()> {
        let (then, ty) = self.value(&mut fields)?;
        let else_ = self.value_of("false operand of select", ty, &mut fields)?;
        let bool_ty = self.builder.bool_type();
        let cond = if code == 5 {
            self.value_of("condition", bool_ty, &mut fields)?
        } else {
            let (cond, cond_ty) = self.value(&mut fields)?;
            if cond_ty != bool_ty {
                let of_vector = self.builder.cmp_result(ty);
                same_type("condition", cond_ty, of_vector)?;
            }
            cond
        };
        fields.done("3 operands")?;
        if !self.builder.is_first_class(ty) {
            return operand_type("operand of select", ty, "a first-class type");
        }
        self.push(InstKind::Select { cond, then, else_ }, ty)
    }

    fn vector_element(&self, what: &'static str, ty: TypeId) -> Result<TypeId> {
        match *self.builder.module.ty(ty) {
            Type::Vector { element, .. } => Ok(element),
            _ => operand_type(what, ty, "a vector"),
        }
    }

    fn int_index(&self, ty: TypeId) -> Result<()> {
        if self.builder.is_int(ty) {
            Ok(())
        } else {
            operand_type("index", ty, "an integer")
        }
    }

    /// Reads an `extractelement`: `[vector, index]`.
    #[inline(never)]
    pub(super) fn extract_element(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (vector, vector_ty) = self.value(&mut fields)?;
        let (index, index_ty) = self.value(&mut fields)?;
        fields.done("2 operands")?;
        self.int_index(index_ty)?;
        let ty = self.vector_element("operand of extractelement", vector_ty)?;
        self.push(InstKind::ExtractElement { vector, index }, ty)
    }

    /// Reads an `insertelement`: `[vector, element, index]`.
    #[inline(never)]
    pub(super) fn insert_element(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (vector, ty) = self.value(&mut fields)?;
        let element = self.vector_element("operand of insertelement", ty)?;
        let value = self.value_of("inserted element", element, &mut fields)?;
        let (index, index_ty) = self.value(&mut fields)?;
        fields.done("3 operands")?;
        self.int_index(index_ty)?;
        self.push(
            InstKind::InsertElement {
                vector,
                value,
                index,
            },
            ty,
        )
    }

    /// Reads a `shufflevector`: `[a, b, mask]`.
    #[inline(never)]
    pub(super) fn shuffle_vector(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (a, vector_ty) = self.value(&mut fields)?;
        let element = self.vector_element("operand of shufflevector", vector_ty)?;
        let b = self.value_of("second vector", vector_ty, &mut fields)?;
        let (mask, mask_ty) = self.value(&mut fields)?;
        fields.done("3 operands")?;
        let (Some(len), Type::Int(32)) = (
            self.builder.vector_len(mask_ty),
            self.builder.scalar(mask_ty),
        ) else {
            return operand_type("mask of shufflevector", mask_ty, "a vector of i32");
        };
        let ty = self.builder.find_or_add(Type::Vector { element, len });
        self.push(InstKind::ShuffleVector { a, b, mask }, ty)
    }

    /// Walks the index path that the rest of the record is, and keeps it.
    #[inline(always)]
    fn index_path(
        &mut self,
        aggregate: TypeId,
        fields: &mut Fields<'_>,
    ) -> Result<(TypeId, PoolRange)> {
        let start = self.f.pool.len();
        let mut ty = aggregate;
        while fields.left() > 0 {
            let index = fields.index("index")?;
            ty = self.builder.aggregate_step(ty, index.into())?;
            self.f.pool.push(index);
        }
        let indices = self.pool_range(start);
        if indices.is_empty() {
            Err(length_error("at least one index"))
        } else {
            Ok((ty, indices))
        }
    }

    /// Reads an `extractvalue`: `[aggregate, index…]`.
    #[inline(never)]
    pub(super) fn extract_value(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (aggregate, aggregate_ty) = self.value(&mut fields)?;
        let (ty, indices) = self.index_path(aggregate_ty, &mut fields)?;
        self.push(InstKind::ExtractValue { aggregate, indices }, ty)
    }

    /// Reads an `insertvalue`: `[aggregate, value, index…]`.
    #[inline(never)]
    pub(super) fn insert_value(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (aggregate, ty) = self.value(&mut fields)?;
        let (value, value_ty) = self.value(&mut fields)?;
        let (element, indices) = self.index_path(ty, &mut fields)?;
        same_type("inserted value", value_ty, element)?;
        self.push(
            InstKind::InsertValue {
                aggregate,
                value,
                indices,
            },
            ty,
        )
    }
}
