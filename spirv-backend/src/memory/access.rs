//! Loads and stores of variables.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, StorageClass, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::{InstId, ValueId};

use super::root::{Index, StorageLocation};
use super::rows;
use super::{GroupsharedAccess, Memory, order_groupshared};
use crate::error::{Error, MemoryFeature};
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Position of a scalar in the slots of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fit {
    /// Slots that a scalar takes.
    pub(super) slots: u32,
    /// The scalar as memory holds it: a boolean is an integer.
    pub(super) memory: Scalar,
}

/// Returns the pointer to slot number `more` after a location within the variable.
pub(super) fn slot_pointer(
    e: &mut FunctionBuilder<'_>,
    location: &StorageLocation,
    more: u32,
) -> Word {
    let root = location.root;
    // One slot needs no index: another than 0 would be out of range.
    if root.count == 1 {
        return root.id;
    }
    if root.lanes > 1 {
        let (row, slot) = rows::position(e, location, more);
        let row = inside_elements(e, location, row);
        let ptr = slot_pointer_type(e, location);
        return e.once(Op::AccessChain, ptr, &[root.id, row, slot]);
    }
    let index = match location.index {
        Index::Constant(c) => e.b.const_u32(c.wrapping_add(more)),
        Index::Dynamic(id, c) if c.wrapping_add(more) == 0 => id,
        Index::Dynamic(id, c) => {
            let more = e.b.const_u32(c.wrapping_add(more));
            e.word_op(Op::IAdd, [id, more])
        }
        Index::Row(..) | Index::Outside => e.b.const_u32(0),
    };
    let index = inside_elements(e, location, index);
    let ptr = slot_pointer_type(e, location);
    e.once(Op::AccessChain, ptr, &[root.id, index])
}

fn slot_pointer_type(e: &mut FunctionBuilder<'_>, location: &StorageLocation) -> Word {
    let element = e.scalar_type(location.root.slot);
    e.b.ty_ptr(location.root.class, element)
}

/// Returns the index of an element, or of the last one where an option keeps computed indices inside.
fn inside_elements(e: &mut FunctionBuilder<'_>, location: &StorageLocation, index: Word) -> Word {
    let root = location.root;
    let is_computed = matches!(location.index, Index::Dynamic(..) | Index::Row(..));
    if !is_computed || !is_robust(e, root.class) {
        return index;
    }
    let u32_ty = e.b.ty_u32();
    let last = e.b.const_u32(root.count / root.lanes - 1);
    e.b.ext(GLOp::UMin, u32_ty, &[index, last])
}

/// Returns true if computed indices of variables of a class are kept inside the variable.
fn is_robust(e: &FunctionBuilder<'_>, class: StorageClass) -> bool {
    let options = &e.options.workarounds;
    match class {
        StorageClass::Function => options.robust_local_arrays,
        StorageClass::Workgroup => options.robust_groupshared,
        StorageClass::Private => options.robust_tables,
        _ => false,
    }
}

/// Returns the position of a scalar of a shape in slots, or an error if it does not fit.
pub(super) fn fit(
    e: &FunctionBuilder<'_>,
    location: &StorageLocation,
    shape: Shape,
    size: u64,
) -> Result<Fit, Error> {
    let memory = if shape.scalar == Scalar::Bool {
        Scalar::Int(32)
    } else {
        shape.scalar
    };
    let root = location.root;
    let slot = root.slot.width();
    if memory.width() == slot && size == root.bytes {
        return Ok(Fit { slots: 1, memory });
    }
    // Minimum precision in 16 bits, in memory of 32-bit words.
    if memory.width() < slot && size == root.bytes && matches!(root.slot, Scalar::Int(_)) {
        return Ok(Fit { slots: 1, memory });
    }
    // A number of several slots, lowest first.
    let slots = memory.width() / slot;
    if matches!(slots, 2 | 4)
        && u64::from(slot) == root.bytes * 8
        && size == u64::from(slots) * root.bytes
    {
        return Ok(Fit { slots, memory });
    }
    Err(e.unsupported(MemoryFeature::AccessWidth {
        access: shape.scalar.to_string(),
        memory: root.slot.to_string(),
    }))
}

/// Returns true if `lanes` scalars are within the variable, as far as that is known.
pub(super) fn inside(location: &StorageLocation, slots: u32) -> bool {
    match location.index {
        Index::Constant(c) => c
            .checked_add(slots)
            .is_some_and(|end| end <= location.root.count),
        Index::Dynamic(..) | Index::Row(..) => slots <= location.root.count,
        Index::Outside => false,
    }
}

pub(super) fn load_scalar(
    e: &mut FunctionBuilder<'_>,
    location: &StorageLocation,
    fit: Fit,
    scalar: Scalar,
    lane: u32,
) -> Word {
    let slot = location.root.slot;
    let slot_ty = e.scalar_type(slot);
    let pointer = slot_pointer(e, location, lane * fit.slots);
    let mut id = e.load(slot_ty, pointer);
    let memory_ty = e.scalar_type(fit.memory);
    if fit.slots > 1 {
        let mut parts: SmallVec<[Word; 4]> = smallvec![id];
        for part in 1..fit.slots {
            let pointer = slot_pointer(e, location, lane * fit.slots + part);
            parts.push(e.load(slot_ty, pointer));
        }
        let parts_ty = e.b.ty_vec(slot_ty, fit.slots);
        id = e.b.construct(parts_ty, &parts);
        id = e.b.bitcast(memory_ty, id);
    } else if fit.memory.width() < slot.width() {
        let narrow = Scalar::Int(fit.memory.width());
        let narrow_ty = e.scalar_type(narrow);
        id = e.b.op(Op::UConvert, narrow_ty, &[id]);
        if fit.memory != narrow {
            id = e.b.bitcast(memory_ty, id);
        }
    } else if fit.memory != slot {
        id = e.b.bitcast(memory_ty, id);
    }
    if scalar == Scalar::Bool {
        e.is_nonzero(id)
    } else {
        id
    }
}

pub(super) fn store_scalar(
    e: &mut FunctionBuilder<'_>,
    location: &StorageLocation,
    fit: Fit,
    scalar: Scalar,
    lane: u32,
    value: Word,
) {
    let slot = location.root.slot;
    let slot_ty = e.scalar_type(slot);
    let mut id = if scalar == Scalar::Bool {
        e.bool_to_u32(value, 1, 0)
    } else {
        value
    };
    let write = |e: &mut FunctionBuilder<'_>, part: u32, id: Word| {
        let pointer = slot_pointer(e, location, lane * fit.slots + part);
        e.b.op_void(Op::Store, &[pointer, id]);
    };
    if fit.slots > 1 {
        let parts_ty = e.b.ty_vec(slot_ty, fit.slots);
        let parts = e.b.bitcast(parts_ty, id);
        for part in 0..fit.slots {
            let word = e.b.extract(slot_ty, parts, part);
            write(e, part, word);
        }
        return;
    }
    if fit.memory.width() < slot.width() {
        let narrow = Scalar::Int(fit.memory.width());
        if fit.memory != narrow {
            let narrow_ty = e.scalar_type(narrow);
            id = e.b.bitcast(narrow_ty, id);
        }
        id = e.b.op(Op::UConvert, slot_ty, &[id]);
    } else if fit.memory != slot {
        id = e.b.bitcast(slot_ty, id);
    }
    write(e, 0, id);
}

/// Emits a `load`. Scalars that are known to be outside of the variable read as 0.
pub(super) fn load(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    inst: InstId,
    pointer: ValueId,
) -> Result<(), Error> {
    if !e.is_used(inst, 0) {
        return Ok(());
    }
    if let Some((record, address)) = memory.in_record(e, pointer)? {
        return memory.load_record(e, inst, (record, &address));
    }
    let location = memory.storage_location(e, pointer)?;
    let ty = e.result_type(inst);
    let shape = e.shape(ty)?;
    let size = memory.layout(e, ty)?.slot;
    let fit = fit(e, &location, shape, size)?;
    let result = e.shape_type(shape);
    if !inside(&location, shape.lanes * fit.slots) {
        let zero = e.b.const_null(result);
        e.set(inst, 0, zero);
        return Ok(());
    }
    order_groupshared(e, memory, location.root.class, GroupsharedAccess::Load);
    let mut parts = [0; 4];
    for (lane, part) in (0..shape.lanes).zip(&mut parts) {
        *part = load_scalar(e, &location, fit, shape.scalar, lane);
    }
    let id = e.b.construct(result, &parts[..shape.lanes as usize]);
    e.set_new(inst, shape, id);
    Ok(())
}

/// Emits a `store`. Scalars that are known to be outside of the variable are not written.
pub(super) fn store(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    pointer: ValueId,
    value: ValueId,
) -> Result<(), Error> {
    if let Some((record, address)) = memory.in_record(e, pointer)? {
        return memory.store_record(e, (record, &address), value);
    }
    let location = memory.storage_location(e, pointer)?;
    let shape = e.value_shape(value)?;
    let size = memory.layout(e, e.value_type(value)?)?.slot;
    let fit = fit(e, &location, shape, size)?;
    if e.is_undef(value) || !inside(&location, shape.lanes * fit.slots) {
        return Ok(());
    }
    let id = e.id(value)?;
    order_groupshared(e, memory, location.root.class, GroupsharedAccess::Store);
    for lane in 0..shape.lanes {
        let part = if shape.lanes == 1 {
            id
        } else {
            let ty = e.scalar_type(shape.scalar);
            e.b.extract(ty, id, lane)
        };
        store_scalar(e, &location, fit, shape.scalar, lane, part);
    }
    Ok(())
}
