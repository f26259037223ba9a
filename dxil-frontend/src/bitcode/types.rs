//! TYPE block (17): the type table, and look-ups in it.

use trellis_entity::{PackedOption, PrimaryMap, SecondaryMap};

use crate::bitstream::{Block, Stream};
use crate::error::BitcodeErrorKind;
use crate::limits;
use crate::module::{Name, Type, TypeId, TypeList};

use super::check::{Child, check_depths};
use super::errors::{
    bad_field, below, operand_type, out_of_range, too_many, unknown_record, unsupported,
};
use super::fields::{Fields, text};
use super::{Builder, Result, each_record};

/// Look-ups in the type table.
#[derive(Default)]
pub(super) struct TypeIndex {
    /// For each type, the first pointer type to it, and for a pointer type, the next pointer type
    /// to the same type.
    pointers: PrimaryMap<TypeId, PointerLinks>,
    /// `i1`, if the table has it.
    bool_ty: Option<TypeId>,
    /// `void`, if the table has it.
    void_ty: Option<TypeId>,
    /// Nesting of each type, while that is checked.
    depth: SecondaryMap<TypeId, u32>,
}

/// See [`TypeIndex`].
#[derive(Clone, Copy, Default)]
struct PointerLinks {
    first: PackedOption<TypeId>,
    next: PackedOption<TypeId>,
}

/// Returns the component types that a type is made of.
fn components(ty: &Type) -> (Option<TypeId>, &[TypeId]) {
    match ty {
        Type::Pointer { pointee, .. } => (Some(*pointee), &[]),
        Type::Vector { element, .. } | Type::Array { element, .. } => (Some(*element), &[]),
        Type::Struct { fields, .. } => (None, fields),
        Type::Function { ret, params, .. } => (Some(*ret), params),
        _ => (None, &[]),
    }
}

fn component(ty: &Type, index: usize) -> Option<TypeId> {
    let (first, rest) = components(ty);
    match first {
        Some(first) if index == 0 => Some(first),
        Some(_) => rest.get(index - 1).copied(),
        None => rest.get(index).copied(),
    }
}

impl Builder {
    pub(super) fn read_types(&mut self, stream: &mut Stream<'_>, block: Block) -> Result<()> {
        if !self.module.types.is_empty() {
            return Err(bad_field("TYPE blocks", 2u64, "one"));
        }
        let most = block.bits() / 3;
        let mut name: Option<Name> = None;
        let mut declared = None;
        each_record(stream, block, |code, mut fields| {
            match code {
                1 => {
                    let count = fields.take()?;
                    if count > most as u64 {
                        return Err(too_many("types", count, most as u64));
                    }
                    // A type is at least 3 bits long, but 40 bytes here: more comes when it is
                    // there.
                    self.module.types.reserve((count as usize).min(4096) + 4);
                    declared = Some(count);
                }
                19 => name = Some(text(fields.rest())),
                _ => {
                    let ty = read_type(code, fields, &mut name)?;
                    self.module.types.push(ty);
                }
            }
            Ok(())
        })?;
        let count = self.module.types.len() as u64;
        if declared != Some(count) {
            return Err(out_of_range(
                "number of types",
                declared.unwrap_or(0),
                count,
            ));
        }
        self.check_components()?;
        self.check_nesting()?;
        self.index_types();
        Ok(())
    }

    /// Returns the type with number `index`.
    ///
    /// # Errors
    /// The table has no type with that number.
    #[inline]
    pub(super) fn type_at(&self, index: u64) -> Result<TypeId> {
        below("type", index, self.module.types.len()).map(TypeId::from_u32)
    }

    fn check_components(&self) -> Result<()> {
        let count = self.module.types.len() as u64;
        for ty in self.module.types.values() {
            let (first, rest) = components(ty);
            for (position, &part) in first.iter().chain(rest).enumerate() {
                let Some(found) = self.module.types.get(part) else {
                    return Err(out_of_range("type", part.as_u32(), count));
                };
                let fits = match (ty, found) {
                    (Type::Function { .. }, Type::Function { .. }) => false,
                    (Type::Function { .. }, Type::Void) => position == 0,
                    (Type::Function { .. }, Type::Metadata | Type::Label) => position != 0,
                    (Type::Pointer { .. }, Type::Function { .. }) => true,
                    (
                        Type::Vector { .. },
                        Type::Struct { .. } | Type::Array { .. } | Type::Vector { .. },
                    ) => false,
                    (
                        _,
                        Type::Void
                        | Type::Metadata
                        | Type::Label
                        | Type::WideInt(_)
                        | Type::Function { .. },
                    ) => false,
                    _ => true,
                };
                if !fits {
                    return operand_type("component of a type", part, "a type that is valid there");
                }
            }
        }
        Ok(())
    }

    /// Bounds the nesting, so that walks over types need no guard. A pointer to a named structure
    /// counts as a leaf: cycles are legal only through those.
    fn check_nesting(&mut self) -> Result<()> {
        let types = &self.module.types;
        let is_leaf = |ty: &Type| match ty {
            Type::Pointer { pointee, .. } => matches!(
                types.get(*pointee),
                Some(Type::Struct { name: Some(_), .. })
            ),
            _ => false,
        };
        let child = |at: TypeId, index: usize| match component(&types[at], index) {
            Some(part) if !is_leaf(&types[at]) => Child::Node(part),
            _ => Child::End,
        };
        let depth = &mut self.types.depth;
        depth.resize(types.len());
        // LLVM writes components first as a rule, so that one pass over the table finds most
        // depths; the others (0) are walked.
        for (id, ty) in types.iter() {
            let (first, rest) = if is_leaf(ty) {
                (None, &[][..])
            } else {
                components(ty)
            };
            let mut deepest = 0;
            let known = first.iter().chain(rest).all(|&part| {
                let part = depth[part];
                deepest = part.max(deepest);
                part != 0 && part < limits::MAX_TYPE_DEPTH
            });
            if known {
                depth[id] = deepest + 1;
            }
        }
        let limit = ("nesting of a type", limits::MAX_TYPE_DEPTH);
        check_depths(depth, limit, child, |ty| BitcodeErrorKind::TypeCycle { ty })
    }

    fn index_types(&mut self) {
        let count = self.module.types.len();
        // Results may add a few types.
        self.types.pointers.reserve(count + 4);
        for _ in 0..count {
            self.types.pointers.push(PointerLinks::default());
        }
        // Backwards, so that of equal entries the first is found.
        for id in self.module.types.keys().rev() {
            self.index_type(id);
        }
    }

    #[inline(always)]
    fn index_type(&mut self, id: TypeId) {
        match self.module.types[id] {
            Type::Int(1) => self.types.bool_ty = Some(id),
            Type::Void => self.types.void_ty = Some(id),
            Type::Pointer { pointee, .. } => {
                let first = &mut self.types.pointers[pointee].first;
                let next = std::mem::replace(first, id.into());
                self.types.pointers[id].next = next;
            }
            _ => {}
        }
    }

    fn add_type(&mut self, ty: Type) -> TypeId {
        let id = self.module.types.push(ty);
        self.types.pointers.push(PointerLinks::default());
        self.index_type(id);
        id
    }

    /// Finds a type that is not a pointer, or adds it: for results whose type no record names.
    pub(super) fn find_or_add(&mut self, ty: Type) -> TypeId {
        match self.module.types.position(|t| *t == ty) {
            Some(id) => id,
            None => self.add_type(ty),
        }
    }

    /// Returns `i1`.
    #[inline]
    pub(super) fn bool_type(&mut self) -> TypeId {
        match self.types.bool_ty {
            Some(ty) => ty,
            None => self.add_type(Type::Int(1)),
        }
    }

    /// Returns `void`.
    #[inline]
    pub(super) fn void_type(&mut self) -> TypeId {
        match self.types.void_ty {
            Some(ty) => ty,
            None => self.add_type(Type::Void),
        }
    }

    /// Returns the pointer type to `pointee`, found or added.
    #[inline(always)]
    pub(super) fn pointer_to(&mut self, pointee: TypeId, address_space: u32) -> TypeId {
        let mut next = self.types.pointers[pointee].first;
        while let Some(id) = next.expand() {
            if matches!(self.module.types[id], Type::Pointer { address_space: a, .. } if a == address_space)
            {
                return id;
            }
            next = self.types.pointers[id].next;
        }
        self.add_type(Type::Pointer {
            pointee,
            address_space,
        })
    }
}

/// Returns the component type number; whether it exists is checked once the table is complete.
fn part(fields: &mut Fields<'_>) -> Result<TypeId> {
    let index = fields.index("type")?;
    if index == u32::MAX {
        Err(bad_field("type", index, "a type number"))
    } else {
        Ok(TypeId::from_u32(index))
    }
}

/// Reads a list of types.
#[inline(always)]
fn parts(mut fields: Fields<'_>) -> Result<TypeList> {
    let mut all = TypeList::with_capacity(fields.left());
    while fields.left() > 0 {
        all.push(part(&mut fields)?);
    }
    Ok(all)
}

fn read_type(code: u32, mut fields: Fields<'_>, name: &mut Option<Name>) -> Result<Type> {
    Ok(match code {
        2 => Type::Void,
        3 => Type::Float,
        4 => Type::Double,
        5 => Type::Label,
        6 => Type::Struct {
            name: Some(name.take().unwrap_or_default()),
            fields: TypeList::new(),
            packed: false,
            opaque: true,
        },
        7 => {
            let widths = 1..=limits::MAX_INT_BITS;
            match fields.in_range("integer width", widths, "1 to 2^23 - 1 bits")? as u32 {
                bits @ ..=64 => Type::Int(bits),
                bits => Type::WideInt(bits),
            }
        }
        8 => {
            let pointee = part(&mut fields)?;
            let address_space = if fields.left() > 0 {
                fields.in_range("address space", 0..=0xff_ffff, "24 bits")? as u32
            } else {
                0
            };
            Type::Pointer {
                pointee,
                address_space,
            }
        }
        // FUNCTION_OLD has an attribute number that LLVM ignores.
        9 | 21 => {
            let vararg = fields.take()? != 0;
            if code == 9 {
                fields.take()?;
            }
            let ret = part(&mut fields)?;
            Type::Function {
                ret,
                params: parts(fields)?,
                vararg,
            }
        }
        10 => Type::Half,
        11 => {
            let len = fields.take()?;
            Type::Array {
                element: part(&mut fields)?,
                len,
            }
        }
        12 => {
            let len = fields.in_range(
                "vector length",
                1..=limits::MAX_VECTOR_LEN,
                "1 to 65536 elements",
            )? as u32;
            Type::Vector {
                element: part(&mut fields)?,
                len,
            }
        }
        16 => Type::Metadata,
        18 => {
            let packed = fields.take()? != 0;
            Type::Struct {
                name: None,
                fields: parts(fields)?,
                packed,
                opaque: false,
            }
        }
        20 => {
            let packed = fields.take()? != 0;
            Type::Struct {
                name: Some(name.take().unwrap_or_default()),
                fields: parts(fields)?,
                packed,
                opaque: false,
            }
        }
        13..=15 => return Err(unsupported("x86_fp80, fp128 or ppc_fp128 type")),
        17 => return Err(unsupported("x86_mmx type")),
        22 => return Err(unsupported("token type")),
        code => return Err(unknown_record(code)),
    })
}
