//! The variable of an `alloca` or a global.

use rspirv::spirv::{StorageClass, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::{Constant, GlobalId, InstId, InstKind, Type, TypeId, ValueId};
use trellis_dxil_frontend::shader::{ShaderKind, source_name};

use super::Memory;
use super::address::{Address, Base, resolve};
use super::init::{self, BadInit};
use super::layout::Layout;
use super::ray_data;
use super::rows;
use crate::error::{
    ConstantFeature, Error, Feature, InvalidKind, Limit, MemoryFeature, PointerFeature,
    TypePosition,
};
use crate::stage::has_groupshared;
use crate::values::half_to_float;
use crate::values::{FunctionBuilder, Scalar};

/// D3D's address space of groupshared memory.
pub(super) const GROUPSHARED: u32 = 3;

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
    /// Number of slots; a single one is not an array.
    pub(super) count: u32,
    /// A vector instead of an array.
    pub(super) vector: bool,
    /// Slots of an element of the array: vectors if there are several.
    pub(super) lanes: u32,
}

/// A slot of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StorageLocation {
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
    /// The element of an array of vectors that is known at run time, and the slot in it.
    Row(Word, u32),
    /// Known and out of range.
    Outside,
}

impl Memory {
    /// Returns the record that a pointer refers to and the offset in it, if it is one.
    pub(super) fn in_record(
        &mut self,
        e: &FunctionBuilder<'_>,
        pointer: ValueId,
    ) -> Result<Option<(InstId, Address)>, Error> {
        if e.entry.kind != ShaderKind::Node {
            return Ok(None);
        }
        let address = resolve(e.module, &mut self.layouts, e.function, pointer)
            .map_err(|cause| cause.at(e.location()))?;
        Ok(match address.base {
            Base::Record(inst) => Some((inst, address)),
            _ => None,
        })
    }

    /// Returns the location that a pointer refers to.
    pub(super) fn storage_location(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        pointer: ValueId,
    ) -> Result<StorageLocation, Error> {
        let (module, function) = (e.module, e.function);
        let address = resolve(module, &mut self.layouts, function, pointer)
            .map_err(|cause| cause.at(e.location()))?;
        let root = match address.base {
            Base::Global(global) => self.global_root(e, global)?,
            Base::Alloca(inst) => self.alloca_root(e, inst)?,
            Base::Argument(index) => self.argument_root(e, index)?,
            Base::Payload(inst) => self.payload_root(e, e.result_type(inst))?,
            Base::Chosen(_) => return Err(e.unsupported(PointerFeature::Selected)),
            Base::Record(_) => return Err(e.unsupported(PointerFeature::NotAVariable)),
        };
        let index = slot_index(e, &root, &address)?;
        Ok(StorageLocation { root, index })
    }
}

pub(super) fn slot_index(
    e: &mut FunctionBuilder<'_>,
    root: &Root,
    address: &Address,
) -> Result<Index, Error> {
    let bytes = root.bytes;
    let (constant, rest) = (
        (address.constant as i64).div_euclid(bytes as i64),
        (address.constant as i64).rem_euclid(bytes as i64),
    );
    if rest != 0 || address.terms.iter().any(|t| t.1 % bytes != 0) {
        return Err(e.unsupported(PointerFeature::BetweenScalars));
    }
    if address.terms.is_empty() {
        return Ok(match u32::try_from(constant) {
            Ok(index) if index < root.count => Index::Constant(index),
            _ => Index::Outside,
        });
    }
    let mut sum = None;
    for &(value, scale) in &address.terms {
        let shape = e.value_shape(value)?;
        let id = e.id(value)?;
        let mut id = e.resize_int(shape, 32, true, id);
        let factor = (scale / bytes) as u32;
        if factor != 1 {
            let factor = e.b.const_u32(factor);
            id = e.word_op(spirv::Op::IMul, [id, factor]);
        }
        sum = Some(match sum {
            None => id,
            Some(before) => e.word_op(spirv::Op::IAdd, [before, id]),
        });
    }
    let constant = constant as u32;
    Ok(match (sum, rows::slot_in_row(e, root, &address.terms)) {
        (None, _) => Index::Outside,
        (Some(id), None) => Index::Dynamic(id, constant),
        (Some(id), Some(low)) => rows::row(e, root, (id, low), constant),
    })
}

impl Memory {
    fn alloca_root(&mut self, e: &mut FunctionBuilder<'_>, inst: InstId) -> Result<Root, Error> {
        if let Some(&root) = self.allocas.get(&inst) {
            return Ok(root);
        }
        let InstKind::Alloca { ty, count, .. } = e.kind(inst) else {
            return Err(e.invalid(
                InvalidKind::Memory,
                "memory of an instruction that is not an alloca",
            ));
        };
        let count = e
            .const_int(count)
            .ok_or_else(|| e.unsupported(MemoryFeature::AllocaSize))?;
        let mut layout = self.layout(e, ty)?;
        if self.ray_data.is_handed_over(inst) {
            layout = ray_data::as_words(layout);
        }
        let size = layout
            .size
            .checked_mul(count)
            .ok_or_else(|| e.unsupported(Limit::Alloca))?;
        let layout = Layout { size, ..layout };
        // Ray data is copied whole, from a variable of the same type.
        let lanes = if self.ray_data.is_handed_over(inst) {
            1
        } else {
            (self.rows).lanes(e, &mut self.layouts, Base::Alloca(inst), layout)
        };
        let root = self.new_root(e, layout, (StorageClass::Function, lanes), false, None)?;
        self.allocas.insert(inst, root);
        Ok(root)
    }

    fn global_root(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        global: GlobalId,
    ) -> Result<Root, Error> {
        if let Some(root) = self.globals[global] {
            return Ok(root);
        }
        let data = &e.module.globals[global];
        let layout = self.layout(e, data.ty)?;
        let root = if data.address_space == GROUPSHARED {
            if !has_groupshared(e.entry.kind) {
                let what = format!(
                    "groupshared memory `{}` in a {:?} shader",
                    data.name, e.entry.kind
                );
                return Err(e.invalid(InvalidKind::Stage, what));
            }
            let atomic = self.atomic.contains(global);
            self.new_root(e, layout, (StorageClass::Workgroup, 1), atomic, None)?
        } else {
            let init = data.init.ok_or_else(|| {
                e.unsupported(MemoryFeature::External {
                    name: data.name.to_string(),
                })
            })?;
            let lanes = self
                .rows
                .lanes(e, &mut self.layouts, Base::Global(global), layout);
            let init = Some((data.ty, init));
            self.new_root(e, layout, (StorageClass::Private, lanes), false, init)?
        };
        e.b.name(root.id, source_name(&data.name));
        self.globals[global] = Some(root);
        Ok(root)
    }

    pub(super) fn layout(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        ty: TypeId,
    ) -> Result<Layout, Error> {
        self.layouts.of(e.module, ty).map_err(|bad| {
            let name = e.module.types.get(bad.0);
            e.unsupported(Feature::ty(format!("{name:?}"), TypePosition::Memory))
        })
    }

    pub(super) fn new_root(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        layout: Layout,
        (class, lanes): (StorageClass, u32),
        atomic: bool,
        init: Option<(TypeId, ValueId)>,
    ) -> Result<Root, Error> {
        let slots = layout.size / layout.slot;
        let count = u32::try_from(slots).ok().filter(|&c| c > 0);
        let count = count.ok_or_else(|| e.unsupported(Limit::Variable { bytes: layout.size }))?;
        let integer = Scalar::Int(layout.slot as u32 * 8);
        let slot = match layout.scalar {
            Some(ty) => match e.scalar(ty)? {
                Scalar::Bool => Scalar::Int(32),
                Scalar::Float(_) if atomic => integer,
                scalar => scalar,
            },
            None => integer,
        };
        if slot == Scalar::Int(8) {
            return Err(e.unsupported(MemoryFeature::Int8));
        }
        let element = e.scalar_type(slot);
        let ty = match (count, lanes) {
            (1, _) => element,
            (_, 1) => e.b.ty_array(element, count),
            _ => {
                let row = e.b.ty_vec(element, lanes);
                e.b.ty_array(row, count / lanes)
            }
        };
        // Before the constants of the initializer.
        e.b.ty_ptr(class, ty);
        let mut root = Root {
            id: 0,
            class,
            slot,
            bytes: layout.slot,
            count,
            vector: false,
            lanes,
        };
        let init = match init {
            Some((content, value)) => self.initializer(e, &root, content, value, ty)?,
            None => None,
        };
        root.id = e.b.variable(class, ty, init);
        Ok(root)
    }

    /// Returns the initializer as one constant of the variable's type.
    fn initializer(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        root: &Root,
        content: TypeId,
        value: ValueId,
        ty: Word,
    ) -> Result<Option<Word>, Error> {
        if matches!(e.module.constant(None, value), Some(c) if c.value == Constant::Undef) {
            return Ok(None);
        }
        let scalars = init::scalars(e.module, &mut self.layouts, content, value);
        let scalars = scalars.map_err(|bad| match bad {
            BadInit::Kind => e.unsupported(ConstantFeature::Initializer),
            BadInit::Size => e.unsupported(Limit::Initializer),
        })?;
        if scalars.is_empty() {
            return Ok(Some(e.b.const_null(ty)));
        }
        if u64::from(root.count) > MAX_INITIALIZED {
            return Err(e.unsupported(Limit::Initializer));
        }
        let mut slots: Vec<Word> = vec![0; root.count as usize];
        for s in scalars {
            let scalar = e.scalar(s.ty)?;
            let at = (s.offset / root.bytes) as usize;
            // A scalar of two slots in memory of mixed types: low word first.
            let parts: SmallVec<[Word; 8]> = if scalar == root.slot {
                smallvec![e.scalar_constant(s.ty, scalar, s.bits)]
            } else if let Scalar::Int(width) = root.slot {
                let bits = match (scalar, e.module.ty(s.ty)) {
                    (Scalar::Bool, _) => s.bits & 1,
                    // Minimum precision in 32 bits.
                    (Scalar::Float(32), Type::Half) => u64::from(half_to_float(s.bits as u16)),
                    _ => s.bits,
                };
                (0..scalar.width().div_ceil(width))
                    .map(|i| e.b.const_int(width, mask(bits >> (i * width), width)))
                    .collect()
            } else {
                return Err(e.unsupported(ConstantFeature::MixedInitializer));
            };
            for (i, &part) in parts.iter().enumerate() {
                *slots.get_mut(at + i).ok_or_else(|| {
                    e.invalid(
                        InvalidKind::Memory,
                        "an initializer larger than its variable",
                    )
                })? = part;
            }
        }
        if slots.contains(&0) {
            let element = e.scalar_type(root.slot);
            let zero = e.b.const_null(element);
            slots
                .iter_mut()
                .filter(|slot| **slot == 0)
                .for_each(|slot| *slot = zero);
        }
        if let [only] = slots[..] {
            return Ok(Some(only));
        }
        if root.lanes > 1 {
            let element = e.scalar_type(root.slot);
            let row = e.b.ty_vec(element, root.lanes);
            let rows = slots.chunks(root.lanes as usize);
            slots = rows.map(|slots| e.b.const_composite(row, slots)).collect();
        }
        Ok(Some(e.b.const_composite(ty, &slots)))
    }
}

fn mask(bits: u64, width: u32) -> u64 {
    if width >= 64 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}
