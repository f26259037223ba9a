//! Loads and stores of variables.

use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::{InstId, ValueId};

use super::root::{Index, Place};
use crate::error::{Error, MemoryFeature};
use crate::values::Shape;
use crate::values::{Emitter, Scalar};

/// How a scalar lies in the slots of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fit {
    /// Slots that a scalar takes.
    pub(super) slots: u32,
    /// The scalar as memory holds it: a boolean is an integer.
    pub(super) memory: Scalar,
}

impl Emitter<'_> {
    /// Pointer to slot number `more` after a place that exists.
    pub(super) fn slot_pointer(&mut self, place: &Place, more: u32) -> Word {
        let root = place.root;
        // One slot needs no index: another than 0 would be out of range.
        if root.count == 1 {
            return root.id;
        }
        let u32_ty = self.b.ty_u32();
        let index = match place.index {
            Index::Constant(c) => self.b.const_u32(c.wrapping_add(more)),
            Index::Dynamic(id, c) if c.wrapping_add(more) == 0 => id,
            Index::Dynamic(id, c) => {
                let more = self.b.const_u32(c.wrapping_add(more));
                self.b.op_ids(Op::IAdd, u32_ty, &[id, more])
            }
            Index::Outside => self.b.const_u32(0),
        };
        let element = self.scalar_type(root.slot);
        let ptr = self.b.ty_ptr(root.class, element);
        self.b.op_ids(Op::AccessChain, ptr, &[root.id, index])
    }

    /// How a scalar of a shape fits into slots; an error where it does not.
    fn fit(&self, place: &Place, shape: Shape, size: u64) -> Result<Fit, Error> {
        let memory = if shape.scalar == Scalar::Bool {
            Scalar::Int(32)
        } else {
            shape.scalar
        };
        let root = place.root;
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
        Err(self.unsupported(MemoryFeature::AccessWidth {
            access: shape.scalar.to_string(),
            memory: root.slot.to_string(),
        }))
    }

    /// Whether `lanes` scalars lie within the variable, as far as that is known.
    pub(super) fn inside(place: &Place, slots: u32) -> bool {
        match place.index {
            Index::Constant(c) => c
                .checked_add(slots)
                .is_some_and(|end| end <= place.root.count),
            Index::Dynamic(..) => slots <= place.root.count,
            Index::Outside => false,
        }
    }

    pub(super) fn load_scalar(
        &mut self,
        place: &Place,
        fit: Fit,
        scalar: Scalar,
        lane: u32,
    ) -> Word {
        let slot = place.root.slot;
        let slot_ty = self.scalar_type(slot);
        let pointer = self.slot_pointer(place, lane * fit.slots);
        let mut id = self.load(slot_ty, pointer);
        let memory_ty = self.scalar_type(fit.memory);
        if fit.slots > 1 {
            let mut parts: SmallVec<[Word; 4]> = smallvec![id];
            for part in 1..fit.slots {
                let pointer = self.slot_pointer(place, lane * fit.slots + part);
                parts.push(self.load(slot_ty, pointer));
            }
            let parts_ty = self.b.ty_vec(slot_ty, fit.slots);
            id = self.b.construct(parts_ty, &parts);
            id = self.b.bitcast(memory_ty, id);
        } else if fit.memory.width() < slot.width() {
            let narrow = Scalar::Int(fit.memory.width());
            let narrow_ty = self.scalar_type(narrow);
            id = self.b.op_ids(Op::UConvert, narrow_ty, &[id]);
            if fit.memory != narrow {
                id = self.b.bitcast(memory_ty, id);
            }
        } else if fit.memory != slot {
            id = self.b.bitcast(memory_ty, id);
        }
        if scalar == Scalar::Bool {
            self.is_nonzero(id)
        } else {
            id
        }
    }

    pub(super) fn store_scalar(
        &mut self,
        place: &Place,
        fit: Fit,
        scalar: Scalar,
        lane: u32,
        value: Word,
    ) {
        let slot = place.root.slot;
        let slot_ty = self.scalar_type(slot);
        let mut id = if scalar == Scalar::Bool {
            self.bool_to_u32(value, 1, 0)
        } else {
            value
        };
        let write = |e: &mut Self, part: u32, id: Word| {
            let pointer = e.slot_pointer(place, lane * fit.slots + part);
            e.b.op_void(Op::Store, [Operand::IdRef(pointer), Operand::IdRef(id)]);
        };
        if fit.slots > 1 {
            let parts_ty = self.b.ty_vec(slot_ty, fit.slots);
            let parts = self.b.bitcast(parts_ty, id);
            for part in 0..fit.slots {
                let word = self.b.extract(slot_ty, parts, part);
                write(self, part, word);
            }
            return;
        }
        if fit.memory.width() < slot.width() {
            let narrow = Scalar::Int(fit.memory.width());
            if fit.memory != narrow {
                let narrow_ty = self.scalar_type(narrow);
                id = self.b.bitcast(narrow_ty, id);
            }
            id = self.b.op_ids(Op::UConvert, slot_ty, &[id]);
        } else if fit.memory != slot {
            id = self.b.bitcast(slot_ty, id);
        }
        write(self, 0, id);
    }
}

/// `load`: what is known to lie outside of the variable reads 0.
pub(super) fn load(e: &mut Emitter<'_>, inst: InstId, pointer: ValueId) -> Result<(), Error> {
    if !e.is_used(inst, 0) {
        return Ok(());
    }
    let place = e.place_of(pointer)?;
    let ty = e.result_type(inst);
    let shape = e.shape(ty)?;
    let size = e.layout(ty)?.slot;
    let fit = e.fit(&place, shape, size)?;
    let result = e.shape_type(shape);
    if !Emitter::inside(&place, shape.lanes * fit.slots) {
        let zero = e.b.const_null(result);
        e.set(inst, 0, zero);
        return Ok(());
    }
    let parts: SmallVec<[Word; 4]> = (0..shape.lanes)
        .map(|lane| e.load_scalar(&place, fit, shape.scalar, lane))
        .collect();
    let id = e.b.construct(result, &parts);
    e.set_new(inst, shape, id);
    Ok(())
}

/// `store`: what is known to lie outside of the variable is not written.
pub(super) fn store(e: &mut Emitter<'_>, pointer: ValueId, value: ValueId) -> Result<(), Error> {
    let place = e.place_of(pointer)?;
    let shape = e.value_shape(value)?;
    let size = e.layout(e.value_type(value)?)?.slot;
    let fit = e.fit(&place, shape, size)?;
    if e.is_undef(value) || !Emitter::inside(&place, shape.lanes * fit.slots) {
        return Ok(());
    }
    let id = e.id(value)?;
    for lane in 0..shape.lanes {
        let part = if shape.lanes == 1 {
            id
        } else {
            let ty = e.scalar_type(shape.scalar);
            e.b.extract(ty, id, lane)
        };
        e.store_scalar(&place, fit, shape.scalar, lane, part);
    }
    Ok(())
}
