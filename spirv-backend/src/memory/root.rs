//! The variable of an `alloca` or a global.

use rspirv::spirv::{StorageClass, Word};
use trellis_dxil_frontend::module::{Constant, GlobalId, InstId, InstKind, Type, TypeId, ValueId};
use trellis_dxil_frontend::shader::source_name;

use super::address::{Address, Base, resolve};
use super::init::{self, BadInit};
use super::layout::Layout;
use super::ray_data;
use crate::error::{
    ConstantFeature, Error, Feature, InvalidKind, Limit, MemoryFeature, PointerFeature,
    TypePosition,
};
use crate::values::half_to_float;
use crate::values::{Emitter, Scalar};

/// D3D's address space of groupshared memory.
const GROUPSHARED: u32 = 3;

/// Most slots of a variable whose initializer is not all zero.
const MAX_INITIALIZED: u64 = 1 << 18;

/// A variable made of slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Root {
    /// Id of the variable.
    pub(super) id: Word,
    /// Storage class.
    pub(super) class: StorageClass,
    /// Type of a slot.
    pub(super) slot: Scalar,
    /// Bytes that a slot takes in LLVM's layout.
    pub(super) bytes: u64,
    /// Number of slots; a single one is no array.
    pub(super) count: u32,
    /// A vector instead of an array.
    pub(super) vector: bool,
}

/// A place in a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) root: Root,
    pub(super) index: Index,
}

/// Number of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Index {
    /// Known, and in range.
    Constant(u32),
    /// Known at run time: an id, plus a constant.
    Dynamic(Word, u32),
    /// Known and out of range: nothing is there.
    Outside,
}

impl Emitter<'_> {
    /// The place that a pointer means.
    pub(super) fn place_of(&mut self, pointer: ValueId) -> Result<Place, Error> {
        let (module, function) = (self.module, self.function);
        let address = resolve(module, &mut self.memory.layouts, function, pointer)
            .map_err(|cause| cause.at(self.location()))?;
        let root = match address.base {
            Base::Global(global) => self.global_root(global)?,
            Base::Alloca(inst) => self.alloca_root(inst)?,
            Base::Argument(index) => self.argument_root(index)?,
            Base::Payload(inst) => self.payload_root(self.result_type(inst))?,
            Base::Chosen(_) => return Err(self.unsupported(PointerFeature::Selected)),
        };
        let index = self.slot_index(&root, &address)?;
        Ok(Place { root, index })
    }

    fn slot_index(&mut self, root: &Root, address: &Address) -> Result<Index, Error> {
        let bytes = root.bytes;
        let (constant, rest) = (
            (address.constant as i64).div_euclid(bytes as i64),
            (address.constant as i64).rem_euclid(bytes as i64),
        );
        if rest != 0 || address.terms.iter().any(|t| t.1 % bytes != 0) {
            return Err(self.unsupported(PointerFeature::BetweenScalars));
        }
        if address.terms.is_empty() {
            return Ok(match u32::try_from(constant) {
                Ok(index) if index < root.count => Index::Constant(index),
                _ => Index::Outside,
            });
        }
        let u32_ty = self.b.ty_u32();
        let mut sum = None;
        for &(value, scale) in &address.terms {
            let shape = self.value_shape(value)?;
            let id = self.id(value)?;
            let mut id = self.resize_int(shape, 32, true, id);
            let factor = (scale / bytes) as u32;
            if factor != 1 {
                let factor = self.b.const_u32(factor);
                id = self.b.op_ids(spirv::Op::IMul, u32_ty, &[id, factor]);
            }
            sum = Some(match sum {
                None => id,
                Some(before) => self.b.op_ids(spirv::Op::IAdd, u32_ty, &[before, id]),
            });
        }
        Ok(sum.map_or(Index::Outside, |id| Index::Dynamic(id, constant as u32)))
    }

    fn alloca_root(&mut self, inst: InstId) -> Result<Root, Error> {
        if let Some(&root) = self.memory.allocas.get(&inst) {
            return Ok(root);
        }
        let InstKind::Alloca { ty, count, .. } = self.kind(inst) else {
            return Err(self.invalid(
                InvalidKind::Memory,
                "memory of an instruction that is not an alloca",
            ));
        };
        let count = self
            .const_int(count)
            .ok_or_else(|| self.unsupported(MemoryFeature::AllocaSize))?;
        let mut layout = self.layout(ty)?;
        if self.memory.ray_data.is_handed_over(inst) {
            layout = ray_data::as_words(layout);
        }
        let size = layout
            .size
            .checked_mul(count)
            .ok_or_else(|| self.unsupported(Limit::Alloca))?;
        let root = self.new_root(
            Layout { size, ..layout },
            StorageClass::Function,
            false,
            None,
        )?;
        self.memory.allocas.insert(inst, root);
        Ok(root)
    }

    fn global_root(&mut self, global: GlobalId) -> Result<Root, Error> {
        let index = global.as_u32() as usize;
        let (Some(known), Some(data)) = (
            self.memory.globals.get(index).copied(),
            self.module.globals.get(index),
        ) else {
            return Err(self.invalid(InvalidKind::Value, format!("{global} does not exist")));
        };
        if let Some(root) = known {
            return Ok(root);
        }
        let layout = self.layout(data.ty)?;
        let root = if data.address_space == GROUPSHARED {
            let atomic = self.memory.atomic[index];
            self.new_root(layout, StorageClass::Workgroup, atomic, None)?
        } else {
            let init = data.init.ok_or_else(|| {
                self.unsupported(MemoryFeature::External {
                    name: data.name.to_string(),
                })
            })?;
            self.new_root(layout, StorageClass::Private, false, Some((data.ty, init)))?
        };
        if self.options.names {
            self.b.name(root.id, source_name(&data.name));
        }
        self.memory.globals[index] = Some(root);
        Ok(root)
    }

    pub(super) fn layout(&mut self, ty: TypeId) -> Result<Layout, Error> {
        self.memory.layouts.of(self.module, ty).map_err(|bad| {
            let name = self.module.types.get(bad.0.as_u32() as usize);
            self.unsupported(Feature::ty(format!("{name:?}"), TypePosition::Memory))
        })
    }

    pub(super) fn new_root(
        &mut self,
        layout: Layout,
        class: StorageClass,
        atomic: bool,
        init: Option<(TypeId, ValueId)>,
    ) -> Result<Root, Error> {
        let slots = layout.size / layout.slot;
        let count = u32::try_from(slots).ok().filter(|&c| c > 0);
        let count =
            count.ok_or_else(|| self.unsupported(Limit::Variable { bytes: layout.size }))?;
        let integer = Scalar::Int(layout.slot as u32 * 8);
        let slot = match layout.scalar {
            Some(ty) => match self.scalar(ty)? {
                Scalar::Bool => Scalar::Int(32),
                Scalar::Float(_) if atomic => integer,
                scalar => scalar,
            },
            None => integer,
        };
        if slot == Scalar::Int(8) {
            return Err(self.unsupported(MemoryFeature::Int8));
        }
        let element = self.scalar_type(slot);
        let ty = if count == 1 {
            element
        } else {
            self.b.ty_array(element, count)
        };
        let ptr = self.b.ty_ptr(class, ty);
        let mut root = Root {
            id: 0,
            class,
            slot,
            bytes: layout.slot,
            count,
            vector: false,
        };
        let init = match init {
            Some((content, value)) => self.initializer(&root, content, value, ty)?,
            None => None,
        };
        if class == StorageClass::Function {
            root.id = self.b.local_variable(ptr, init);
        } else {
            root.id = self.b.variable(ptr, class, init);
        }
        Ok(root)
    }

    /// The initializer as one constant of the variable's type.
    fn initializer(
        &mut self,
        root: &Root,
        content: TypeId,
        value: ValueId,
        ty: Word,
    ) -> Result<Option<Word>, Error> {
        if matches!(self.module.constant(None, value), Some(c) if c.value == Constant::Undef) {
            return Ok(None);
        }
        let scalars = init::scalars(self.module, &mut self.memory.layouts, content, value)
            .map_err(|bad| match bad {
                BadInit::Shape => self.invalid(
                    InvalidKind::Memory,
                    "an initializer that does not match the type of its variable",
                ),
                BadInit::Kind => self.unsupported(ConstantFeature::Initializer),
                BadInit::Size => self.unsupported(Limit::Initializer),
            })?;
        if scalars.is_empty() {
            return Ok(Some(self.b.const_null(ty)));
        }
        if u64::from(root.count) > MAX_INITIALIZED {
            return Err(self.unsupported(Limit::Initializer));
        }
        let mut slots: Vec<Word> = vec![0; root.count as usize];
        for s in scalars {
            let scalar = self.scalar(s.ty)?;
            let at = (s.offset / root.bytes) as usize;
            // A scalar of two slots in memory of mixed types: low word first.
            let parts: &[Word] = &if scalar == root.slot {
                vec![self.scalar_constant(s.ty, scalar, s.bits)]
            } else if let Scalar::Int(width) = root.slot {
                let bits = match (scalar, self.module.ty(s.ty)) {
                    (Scalar::Bool, _) => s.bits & 1,
                    // Minimum precision in 32 bits.
                    (Scalar::Float(32), Type::Half) => u64::from(half_to_float(s.bits as u16)),
                    _ => s.bits,
                };
                (0..scalar.width().div_ceil(width))
                    .map(|i| self.b.const_int(width, mask(bits >> (i * width), width)))
                    .collect()
            } else {
                return Err(self.unsupported(ConstantFeature::MixedInitializer));
            };
            for (i, &part) in parts.iter().enumerate() {
                *slots.get_mut(at + i).ok_or_else(|| {
                    self.invalid(
                        InvalidKind::Memory,
                        "an initializer larger than its variable",
                    )
                })? = part;
            }
        }
        if slots.contains(&0) {
            let element = self.scalar_type(root.slot);
            let zero = self.b.const_null(element);
            slots
                .iter_mut()
                .filter(|slot| **slot == 0)
                .for_each(|slot| *slot = zero);
        }
        if let [only] = slots[..] {
            return Ok(Some(only));
        }
        Ok(Some(self.b.const_composite(ty, &slots)))
    }
}

fn mask(bits: u64, width: u32) -> u64 {
    if width >= 64 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}
