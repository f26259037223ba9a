//! Sizes of LLVM types in bytes, as DXIL's data layout has them, and the scalars that they are made
//! of.
//!
//! Memory inside a shader becomes a flat array of *slots*, one for each scalar; an address is a
//! byte offset, independent of the `getelementptr` and `bitcast` instructions that computed it.

use trellis_dxil_frontend::module::{Module, Type, TypeId};

/// Size and content of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Size in bytes with the padding that an array element has.
    pub(crate) size: u64,
    /// Alignment in bytes.
    pub(crate) align: u64,
    /// Size of the smallest scalar in it.
    pub(crate) slot: u64,
    /// The only scalar type in it, if it has one.
    pub(crate) scalar: Option<TypeId>,
}

/// Layouts of the types of a module.
#[derive(Default)]
pub(crate) struct Layouts {
    known: Vec<Option<Layout>>,
    /// Types to compute, and how many of their parts are done.
    stack: Vec<(TypeId, usize)>,
    /// 16-bit types are aligned to 32 bits: modules with minimum precision.
    wide: bool,
    started: bool,
}

/// A type that memory here cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoLayout(pub(crate) TypeId);

impl Layouts {
    fn start(&mut self, module: &Module) {
        if !self.started {
            self.known = vec![None; module.types.len()];
            self.wide = module.data_layout.contains("i16:32");
            self.started = true;
        }
    }

    /// Returns the layout of a type.
    pub(crate) fn of(&mut self, module: &Module, ty: TypeId) -> Result<Layout, NoLayout> {
        self.start(module);
        // Nearly all calls are for a known type, and need no stack.
        if let Some(known) = self.get(ty) {
            return Ok(known);
        }
        // A cycle would never finish, but the stack is never deeper than there are types.
        self.stack.clear();
        self.stack.push((ty, 0));
        while let Some((top, done)) = self.stack.last_mut() {
            let (top, index) = (*top, top.as_u32() as usize);
            if self.known.get(index).ok_or(NoLayout(top))?.is_some() {
                self.stack.pop();
            } else if let Some(&part) = parts(module, top).get(*done) {
                *done += 1;
                self.stack.push((part, 0));
                if self.stack.len() > module.types.len() + 1 {
                    return Err(NoLayout(ty));
                }
            } else {
                self.known[index] = Some(self.compute(module, top)?);
                self.stack.pop();
            }
        }
        self.get(ty).ok_or(NoLayout(ty))
    }

    fn get(&self, ty: TypeId) -> Option<Layout> {
        *self.known.get(ty.as_u32() as usize)?
    }

    fn compute(&self, module: &Module, ty: TypeId) -> Result<Layout, NoLayout> {
        let scalar = |bytes: u64| {
            let size = if bytes < 4 && self.wide { 4 } else { bytes };
            Ok(Layout {
                size,
                align: size,
                slot: size,
                scalar: Some(ty),
            })
        };
        match module.types.get(ty) {
            // A boolean takes 32 bits whatever the mode.
            Some(Type::Int(1)) => Ok(Layout {
                size: 4,
                align: 4,
                slot: 4,
                scalar: Some(ty),
            }),
            Some(Type::Int(width @ (8 | 16 | 32 | 64))) => scalar(u64::from(*width / 8)),
            Some(Type::Half) => scalar(2),
            Some(Type::Float) => scalar(4),
            Some(Type::Double) => scalar(8),
            Some(Type::Array { element, len }) => self.repeated(*element, *len).ok_or(NoLayout(ty)),
            Some(Type::Vector { element, len }) => {
                self.repeated(*element, u64::from(*len)).ok_or(NoLayout(ty))
            }
            Some(Type::Struct {
                fields,
                packed,
                opaque: false,
                ..
            }) => self.structure(fields, *packed).ok_or(NoLayout(ty)),
            _ => Err(NoLayout(ty)),
        }
    }

    fn repeated(&self, element: TypeId, len: u64) -> Option<Layout> {
        let part = self.get(element)?;
        Some(Layout {
            size: part.size.checked_mul(len)?,
            ..part
        })
    }

    fn structure(&self, fields: &[TypeId], packed: bool) -> Option<Layout> {
        let mut all = Layout {
            size: 0,
            align: 1,
            slot: u64::MAX,
            scalar: None,
        };
        for (i, &field) in fields.iter().enumerate() {
            let part = self.get(field)?;
            let align = if packed { 1 } else { part.align };
            all.size = all
                .size
                .checked_next_multiple_of(align)?
                .checked_add(part.size)?;
            all.align = all.align.max(align);
            all.slot = all.slot.min(part.slot);
            all.scalar = if i == 0 || all.scalar == part.scalar {
                part.scalar
            } else {
                None
            };
        }
        all.size = all.size.checked_next_multiple_of(all.align)?;
        (all.slot != u64::MAX).then_some(all)
    }

    /// Returns the byte offset and type of a field.
    pub(super) fn field(
        &mut self,
        module: &Module,
        ty: TypeId,
        index: u64,
    ) -> Result<(u64, TypeId), NoLayout> {
        let Some(Type::Struct { fields, packed, .. }) = module.types.get(ty) else {
            return Err(NoLayout(ty));
        };
        let mut offset = 0u64;
        for (i, &field) in fields.iter().enumerate() {
            let part = self.of(module, field)?;
            offset = offset
                .checked_next_multiple_of(if *packed { 1 } else { part.align })
                .ok_or(NoLayout(ty))?;
            if i as u64 == index {
                return Ok((offset, field));
            }
            offset = offset.checked_add(part.size).ok_or(NoLayout(ty))?;
        }
        Err(NoLayout(ty))
    }
}

/// Types that a type is made of.
fn parts(module: &Module, ty: TypeId) -> &[TypeId] {
    match module.types.get(ty) {
        Some(Type::Array { element, .. } | Type::Vector { element, .. }) => {
            std::slice::from_ref(element)
        }
        Some(Type::Struct { fields, .. }) => fields,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::{Layouts, NoLayout};
    use trellis_dxil_frontend::module::{Module, Type, TypeId};
    use trellis_entity::PrimaryMap;

    fn module(types: impl Into<PrimaryMap<TypeId, Type>>, data_layout: &str) -> Module {
        Module {
            types: types.into(),
            data_layout: data_layout.into(),
            ..Module::default()
        }
    }
    fn t(n: u32) -> TypeId {
        TypeId::from_u32(n)
    }
    fn structure(fields: &[u32]) -> Type {
        Type::Struct {
            name: None,
            fields: fields.iter().map(|&f| t(f)).collect(),
            packed: false,
            opaque: false,
        }
    }

    #[test]
    fn sizes() {
        let types = vec![
            Type::Float,
            Type::Half,
            Type::Double,
            Type::Array {
                element: t(1),
                len: 3,
            },
            structure(&[0, 2, 1]),
            Type::Int(1),
        ];
        let m = module(
            types,
            "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64",
        );
        let mut l = Layouts::default();
        assert_eq!(l.of(&m, t(3)).map(|l| (l.size, l.slot)), Ok((6, 2)));
        assert_eq!(
            l.of(&m, t(4)).map(|l| (l.size, l.align, l.slot, l.scalar)),
            Ok((24, 8, 2, None))
        );
        assert_eq!(l.field(&m, t(4), 2), Ok((16, t(1))));
        assert_eq!(l.field(&m, t(4), 3), Err(NoLayout(t(4))));
        assert_eq!(l.of(&m, t(5)).map(|l| l.size), Ok(4));
        // Minimum precision: every scalar takes 32 bits at least.
        let m = module(
            m.types,
            "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64",
        );
        assert_eq!(
            Layouts::default().of(&m, t(3)).map(|l| (l.size, l.slot)),
            Ok((12, 4))
        );
    }

    #[test]
    fn hostile_types() {
        // A struct in itself, an array of 2^64 bytes, an empty struct.
        let types = vec![
            structure(&[0]),
            Type::Int(32),
            Type::Array {
                element: t(1),
                len: u64::MAX,
            },
            structure(&[]),
        ];
        let m = module(types, "");
        let mut l = Layouts::default();
        assert!(l.of(&m, t(0)).is_err());
        assert!(l.of(&m, t(2)).is_err());
        assert!(l.of(&m, t(3)).is_err());
        assert!(l.of(&m, t(99)).is_err());
        assert!(l.of(&m, t(1)).is_ok());
    }
}
