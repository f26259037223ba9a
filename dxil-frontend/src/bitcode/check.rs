//! Rules that several blocks share: nesting, classes of types, casts, index paths.

use trellis_entity::{EntityRef, SecondaryMap};

use crate::error::BitcodeErrorKind;
use crate::module::{CastOp, Constant, Type, TypeId, ValueData, ValueKind};

use super::errors::{operand_type, out_of_range, too_many, unsupported};
use super::{Builder, Result};

/// One step of a walk over a node's children.
pub(super) enum Child<K> {
    /// No more children.
    End,
    /// A child that ends the walk.
    Leaf,
    /// A child to walk into.
    Node(K),
}

/// Fills `depth` (1 for a node without children) with an explicit stack. Nodes with a depth other
/// than 0 count as done.
///
/// # Errors
/// The error that `cycle` returns for a node that contains itself, or a depth beyond the limit.
pub(super) fn check_depths<K: EntityRef>(
    depth: &mut SecondaryMap<K, u32>,
    (what, limit): (&'static str, u32),
    child: impl Fn(K, usize) -> Child<K>,
    cycle: impl Fn(K) -> BitcodeErrorKind,
) -> Result<()> {
    const OPEN: u32 = u32::MAX;
    // Node, next child, deepest child so far.
    let mut stack: Vec<(K, usize, u32)> = Vec::new();
    for root in depth.keys() {
        if depth[root] != 0 {
            continue;
        }
        let mut current = (root, 0, 0);
        depth[root] = OPEN;
        loop {
            let (node, next, deepest) = current;
            match child(node, next) {
                Child::Leaf => current = (node, next + 1, deepest),
                Child::Node(inner) => match depth[inner] {
                    OPEN => return Err(cycle(inner).into_error()),
                    0 => {
                        depth[inner] = OPEN;
                        stack.push((node, next, deepest));
                        current = (inner, 0, 0);
                    }
                    known => current = (node, next + 1, deepest.max(known)),
                },
                Child::End => {
                    depth[node] = deepest + 1;
                    if deepest >= limit {
                        return Err(too_many(what, (deepest + 1).into(), limit.into()));
                    }
                    // The parent visits this child again and finds its depth.
                    match stack.pop() {
                        Some(parent) => current = parent,
                        None => break,
                    }
                }
            }
        }
    }
    Ok(())
}

impl Builder {
    /// Returns the element type of a vector, else the type itself.
    #[inline]
    pub(super) fn scalar(&self, ty: TypeId) -> &Type {
        match self.module.ty(ty) {
            Type::Vector { element, .. } => self.module.ty(*element),
            scalar => scalar,
        }
    }

    pub(super) fn is_int(&self, ty: TypeId) -> bool {
        matches!(self.module.ty(ty), Type::Int(_))
    }

    pub(super) fn is_float_like(&self, ty: TypeId) -> bool {
        matches!(self.scalar(ty), Type::Half | Type::Float | Type::Double)
    }

    /// Returns the pointee and address space of a pointer type.
    #[inline]
    pub(super) fn pointee(&self, what: &'static str, ty: TypeId) -> Result<(TypeId, u32)> {
        match *self.module.ty(ty) {
            Type::Pointer {
                pointee,
                address_space,
            } => Ok((pointee, address_space)),
            _ => operand_type(what, ty, "a pointer"),
        }
    }

    /// Returns whether memory can hold the type and any instruction can yield it.
    #[inline]
    pub(super) fn is_first_class(&self, ty: TypeId) -> bool {
        !matches!(
            self.module.ty(ty),
            Type::Void
                | Type::Label
                | Type::Metadata
                | Type::WideInt(_)
                | Type::Function { .. }
                | Type::Struct { opaque: true, .. }
        )
    }

    /// Returns the length of a vector type, or `None` for another type.
    pub(super) fn vector_len(&self, ty: TypeId) -> Option<u32> {
        match *self.module.ty(ty) {
            Type::Vector { len, .. } => Some(len),
            _ => None,
        }
    }

    /// Returns the result type of a comparison of values of type `ty`.
    pub(super) fn cmp_result(&mut self, ty: TypeId) -> TypeId {
        let element = self.bool_type();
        match self.vector_len(ty) {
            Some(len) => self.find_or_add(Type::Vector { element, len }),
            None => element,
        }
    }

    pub(super) fn check_cast(&self, op: CastOp, from: TypeId, to: TypeId) -> Result<()> {
        let bits = |ty: &Type| match ty {
            Type::Int(bits) | Type::WideInt(bits) => *bits,
            Type::Half => 16,
            Type::Float => 32,
            Type::Double => 64,
            _ => 0,
        };
        let (a, b) = (self.scalar(from), self.scalar(to));
        let (a_int, b_int) = (matches!(a, Type::Int(_)), matches!(b, Type::Int(_)));
        let (a_wide, b_wide) = (matches!(a, Type::WideInt(_)), matches!(b, Type::WideInt(_)));
        let (a_float, b_float) = (self.is_float_like(from), self.is_float_like(to));
        let spaces = match (a, b) {
            (
                Type::Pointer {
                    address_space: a, ..
                },
                Type::Pointer {
                    address_space: b, ..
                },
            ) => Some((a, b)),
            _ => None,
        };
        let (a_pointer, b_pointer) = (
            matches!(a, Type::Pointer { .. }),
            matches!(b, Type::Pointer { .. }),
        );
        let (len_a, len_b) = (self.vector_len(from), self.vector_len(to));
        let fits = match op {
            CastOp::Trunc => (a_int || a_wide) && b_int && bits(a) > bits(b),
            CastOp::ZExt | CastOp::SExt => a_int && b_int && bits(a) < bits(b),
            CastOp::FPToUI | CastOp::FPToSI => a_float && b_int,
            CastOp::UIToFP | CastOp::SIToFP => a_int && b_float,
            CastOp::FPTrunc => a_float && b_float && bits(a) > bits(b),
            CastOp::FPExt => a_float && b_float && bits(a) < bits(b),
            CastOp::PtrToInt => a_pointer && b_int,
            CastOp::IntToPtr => a_int && b_pointer,
            CastOp::AddrSpaceCast => spaces.is_some_and(|(a, b)| a != b),
            CastOp::BitCast => match spaces {
                Some((a, b)) => a == b && len_a == len_b,
                None => {
                    let total = |ty: &Type, len: Option<u32>| {
                        u64::from(bits(ty)) * u64::from(len.unwrap_or(1))
                    };
                    // Lowering takes the components of the vector that a wide integer was.
                    let wide = a_wide || b_wide && len_a.is_none();
                    return if total(a, len_a) == total(b, len_b) && bits(a) != 0 && !wide {
                        Ok(())
                    } else {
                        operand_type("operand of bitcast", from, "a type as wide as the result")
                    };
                }
            },
        };
        if fits && len_a == len_b {
            Ok(())
        } else {
            operand_type(
                "operand of a cast",
                from,
                "a type that this cast converts to the result's",
            )
        }
    }

    /// Returns the integer of a constant, zero-extended; `None` if it is not an integer constant.
    pub(super) fn constant_int(&self, value: ValueData) -> Option<u64> {
        let ValueKind::Constant(id) = value.kind else {
            return None;
        };
        let constant = self.module.constants.get(id)?;
        match constant.value {
            Constant::Int(v) => Some(v),
            Constant::Null if self.is_int(constant.ty) => Some(0),
            _ => None,
        }
    }

    /// Returns the element that one index of a `getelementptr` after the first selects; `index` is
    /// the value if it is defined yet.
    pub(super) fn gep_step(&self, aggregate: TypeId, index: Option<ValueData>) -> Result<TypeId> {
        match self.module.ty(aggregate) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Ok(*element),
            Type::Struct { fields, .. } => {
                let number = index.and_then(|value| self.constant_int(value));
                let Some(number) = number else {
                    return Err(unsupported(
                        "index of a structure that is not an integer constant",
                    ));
                };
                field(fields, number)
            }
            _ => operand_type("indexed value", aggregate, "an array, vector or structure"),
        }
    }

    /// Returns the element that one index of `extractvalue` or `insertvalue` selects.
    #[inline]
    pub(super) fn aggregate_step(&self, aggregate: TypeId, index: u64) -> Result<TypeId> {
        match self.module.ty(aggregate) {
            Type::Array { element, len } if index < *len => Ok(*element),
            Type::Array { len, .. } => Err(out_of_range("element", index, *len)),
            Type::Struct { fields, .. } => field(fields, index),
            _ => operand_type("indexed value", aggregate, "an array or structure"),
        }
    }
}

fn field(fields: &[TypeId], index: u64) -> Result<TypeId> {
    let found = usize::try_from(index).ok().and_then(|i| fields.get(i));
    found
        .copied()
        .ok_or_else(|| out_of_range("field", index, fields.len() as u64))
}
