//! Sizes of types in memory, and the scalars that they are made of.

use std::ops::Range;
use std::rc::Rc;

use trellis_dxil_frontend::module::{Module, Type, TypeId};
use trellis_entity::PrimaryMap;

use crate::error::{Error, Feature, InvalidKind, Quantity, bounded, invalid, unsupported};
use crate::scalar::Scalar;

/// Most scalars of one value.
const MAX_LEAVES: u64 = 4096;

/// Most fields that are passed on the way to parts, in a whole program.
const MAX_FIELDS: u64 = 1 << 24;

/// A scalar of a type and its byte offset.
pub(super) type Leaf = (Scalar, u32);

#[derive(Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) bytes: u64,
    align: u64,
}

/// Types of a module. Integers and floats have their natural size and alignment, `bool` 4 bytes,
/// pointers 8.
pub(super) struct Layouts<'m> {
    module: &'m Module,
    native16: bool,
    /// Number of fields visited so far.
    work: u64,
    sizes: PrimaryMap<TypeId, Option<Size>>,
    leaves: PrimaryMap<TypeId, Option<Rc<[Leaf]>>>,
}

impl<'m> Layouts<'m> {
    pub(super) fn new(module: &'m Module, native16: bool) -> Self {
        Self {
            module,
            native16,
            work: 0,
            sizes: vec![None; module.types.len()].into(),
            leaves: vec![None; module.types.len()].into(),
        }
    }

    fn ty(&self, ty: TypeId) -> Result<&'m Type, Error> {
        self.module
            .types
            .get(ty)
            .ok_or_else(|| invalid(InvalidKind::UnknownType))
    }

    /// Returns the scalar that a type is; `None` for one that is made of others. Minimum-precision
    /// floats are `f32`.
    pub(super) fn scalar(&self, ty: TypeId) -> Result<Option<Scalar>, Error> {
        Ok(Some(match self.ty(ty)? {
            Type::Half if self.native16 => Scalar::F16,
            Type::Half | Type::Float => Scalar::F32,
            Type::Double => Scalar::F64,
            Type::Int(1) => Scalar::I1,
            Type::Int(8) => Scalar::I8,
            Type::Int(16) => Scalar::I16,
            Type::Int(32) => Scalar::I32,
            Type::Int(64) => Scalar::I64,
            Type::Int(bits @ 2..64) => Scalar::Odd(*bits as u8),
            Type::Int(bits) | Type::WideInt(bits) => {
                return Err(unsupported(Feature::IntegerWidth { bits: *bits }));
            }
            Type::Pointer { .. } => Scalar::Pointer,
            Type::Vector { .. } | Type::Array { .. } | Type::Struct { .. } => return Ok(None),
            Type::Void | Type::Label | Type::Metadata | Type::Function { .. } => {
                return Err(invalid(InvalidKind::NoValueType));
            }
        }))
    }

    /// Returns the element type and count of an array or vector.
    fn repeated(&self, ty: TypeId) -> Result<Option<(TypeId, u64)>, Error> {
        Ok(match *self.ty(ty)? {
            Type::Vector { element, len } => Some((element, u64::from(len))),
            Type::Array { element, len } => Some((element, len)),
            _ => None,
        })
    }

    /// Bytes of a type.
    pub(super) fn size(&mut self, ty: TypeId) -> Result<u64, Error> {
        Ok(self.measure(ty)?.bytes)
    }

    /// Returns the size and alignment, with an explicit stack: a type is measured after its parts.
    fn measure(&mut self, ty: TypeId) -> Result<Size, Error> {
        let mut stack = vec![ty];
        while let Some(&top) = stack.last() {
            self.ty(top)?;
            if stack.len() > 2 * self.sizes.len() + 1 {
                return Err(invalid(InvalidKind::RecursiveType));
            }
            let before = stack.len();
            let size = if let Some(scalar) = self.scalar(top)? {
                let bytes = u64::from(scalar.bytes());
                Size {
                    bytes,
                    align: bytes,
                }
            } else if let Some((element, count)) = self.repeated(top)? {
                self.part(element, &mut stack)?
                    .map_or(Size::default(), |size| Size {
                        bytes: size.bytes.saturating_mul(count),
                        align: size.align,
                    })
            } else {
                self.measure_struct(top, &mut stack)?
            };
            if stack.len() == before {
                self.sizes[top] = Some(size);
                stack.pop();
            }
        }
        Ok(self.sizes[ty].unwrap_or_default())
    }

    /// Returns the size of a part; if it is not known yet, the part is pushed on the stack.
    fn part(&self, ty: TypeId, stack: &mut Vec<TypeId>) -> Result<Option<Size>, Error> {
        self.ty(ty)?;
        let known = self.sizes[ty];
        if known.is_none() {
            stack.push(ty);
        }
        Ok(known)
    }

    fn measure_struct(&self, ty: TypeId, stack: &mut Vec<TypeId>) -> Result<Size, Error> {
        let mut size = Size { bytes: 0, align: 1 };
        if let Type::Struct { fields, packed, .. } = self.ty(ty)? {
            for &field in fields {
                let Some(part) = self.part(field, stack)? else {
                    return Ok(size);
                };
                let align = if *packed { 1 } else { part.align.max(1) };
                size.bytes = size.bytes.saturating_add(align - 1) / align * align;
                size.bytes = size.bytes.saturating_add(part.bytes);
                size.align = size.align.max(align);
            }
            size.bytes = size.bytes.saturating_add(size.align - 1) / size.align * size.align;
        }
        Ok(size)
    }

    /// Returns the byte offset and type of part `index` of a struct, array or vector.
    pub(super) fn step(&mut self, ty: TypeId, index: u64) -> Result<(u64, TypeId), Error> {
        if let Some((element, _)) = self.repeated(ty)? {
            return Ok((self.size(element)?.wrapping_mul(index), element));
        }
        let Type::Struct { fields, packed, .. } = self.ty(ty)? else {
            return Err(invalid(InvalidKind::IndexIntoScalar));
        };
        let mut at = 0u64;
        for (number, &field) in fields.iter().enumerate() {
            let part = self.measure(field)?;
            let align = if *packed { 1 } else { part.align.max(1) };
            at = at.saturating_add(align - 1) / align * align;
            self.work += 1;
            bounded(Quantity::Fields, self.work, MAX_FIELDS)?;
            if number as u64 == index {
                return Ok((at, field));
            }
            at = at.saturating_add(part.bytes);
        }
        Err(invalid(InvalidKind::FieldIndex))
    }

    /// Returns the scalars of a type in order, with their byte offsets.
    pub(super) fn leaves(&mut self, ty: TypeId) -> Result<Rc<[Leaf]>, Error> {
        self.ty(ty)?;
        if let Some(leaves) = &self.leaves[ty] {
            return Ok(Rc::clone(leaves));
        }
        let mut leaves = Vec::new();
        let mut work = 0usize;
        let mut stack = vec![(ty, 0u64)];
        while let Some((top, at)) = stack.pop() {
            work += 1;
            // An empty struct has no scalars, but takes time.
            let found = leaves.len().max(work.div_ceil(4)) as u64;
            bounded(Quantity::Scalars, found, MAX_LEAVES)?;
            if let Some(scalar) = self.scalar(top)? {
                leaves.push((scalar, at as u32));
                continue;
            }
            let count = match self.ty(top)? {
                Type::Struct { fields, .. } => fields.len() as u64,
                _ => self.repeated(top)?.map_or(0, |(_, count)| count),
            };
            bounded(Quantity::Scalars, count, MAX_LEAVES)?;
            for index in (0..count).rev() {
                let (offset, part) = self.step(top, index)?;
                stack.push((part, at.saturating_add(offset)));
            }
        }
        let leaves: Rc<[Leaf]> = leaves.into();
        self.leaves[ty] = Some(Rc::clone(&leaves));
        Ok(leaves)
    }

    /// Returns the range of a type's scalars that a path of part numbers selects.
    pub(super) fn select(&mut self, ty: TypeId, path: &[u32]) -> Result<Range<usize>, Error> {
        let (mut at, mut start) = (ty, 0);
        for &index in path {
            if let Some((element, count)) = self.repeated(at)? {
                if u64::from(index) >= count {
                    return Err(invalid(InvalidKind::ArrayIndex));
                }
                start += self.leaves(element)?.len() * index as usize;
                at = element;
                continue;
            }
            let Type::Struct { fields, .. } = self.ty(at)? else {
                return Err(invalid(InvalidKind::IndexIntoScalar));
            };
            let Some(&field) = fields.get(index as usize) else {
                return Err(invalid(InvalidKind::FieldIndex));
            };
            for &field in &fields[..index as usize] {
                start += self.leaves(field)?.len();
            }
            at = field;
        }
        Ok(start..start + self.leaves(at)?.len())
    }
}
