//! The payload that an amplification shader passes to its mesh shaders: one variable of the storage
//! class `TaskPayloadWorkgroupEXT`.
//!
//! In D3D the payload is a groupshared variable, or a local variable of the first thread, that is
//! an operand of `DispatchMesh`. The translation keeps that variable and copies it into the payload
//! at `DispatchMesh`, since barriers order groupshared memory, but not the payload's storage class.
//! Mesh shaders read the payload without a copy. Its layout depends on DXIL's type alone, so that
//! both shaders agree although they are translated separately.

use rspirv::spirv::{BuiltIn, Op, StorageClass, Word};
use trellis_dxil_frontend::module::{Type, TypeId, ValueId};

use super::Memory;
use super::access::{Fit, load_scalar, store_scalar};
use super::barrier::group_barrier;
use super::root::{Index, Root, StorageLocation};
use crate::error::{Error, InvalidKind, MemoryFeature};
use crate::interface::{self, Interface};
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Most bytes of a payload (D3D's limit).
const MAX_BYTES: u64 = 16384;

/// Most slots that a thread copies without a loop.
const MAX_UNROLLED: u32 = 16;

impl Memory {
    /// Returns the payload's variable, from the type of a pointer to it.
    pub(super) fn payload_root(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        pointer: TypeId,
    ) -> Result<Root, Error> {
        let Type::Pointer { pointee, .. } = *e.module.ty(pointer) else {
            return Err(e.invalid(InvalidKind::Memory, "a payload that is not a variable"));
        };
        let layout = self.layout(e, pointee)?;
        if layout.size > MAX_BYTES {
            return Err(e.invalid(
                InvalidKind::Memory,
                format!(
                    "a payload of {} bytes, the most is {MAX_BYTES}",
                    layout.size
                ),
            ));
        }
        if let Some(root) = self.payload {
            if root.bytes == layout.slot && root.bytes * u64::from(root.count) == layout.size {
                return Ok(root);
            }
            return Err(e.unsupported(MemoryFeature::PayloadTypes));
        }
        let root = self.new_root(
            e,
            layout,
            (StorageClass::TaskPayloadWorkgroupEXT, 1),
            false,
            None,
        )?;
        e.b.name(root.id, "payload");
        self.payload = Some(root);
        Ok(root)
    }
}

/// A copy into the payload.
struct Copy {
    from: StorageLocation,
    to: Root,
    /// Slots of the source for one of the payload.
    parts: u32,
}

/// Copies the data of `DispatchMesh`'s pointer to the payload's variable and returns it; `None`
/// for an empty payload. May change the current block.
pub(crate) fn copy(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    io: &mut Interface,
    pointer: ValueId,
) -> Result<Option<Word>, Error> {
    let ty = e.value_type(pointer)?;
    if let Type::Pointer { pointee, .. } = e.module.ty(ty)
        && matches!(e.module.ty(*pointee), Type::Struct { fields, opaque: false, .. } if fields.is_empty())
    {
        return Ok(None);
    }
    let to = memory.payload_root(e, ty)?;
    if e.is_undef(pointer) {
        return Ok(Some(to.id));
    }
    let from = memory.storage_location(e, pointer)?;
    let copy = Copy {
        parts: (to.bytes / from.root.bytes) as u32,
        from,
        to,
    };
    let inside = match from.index {
        Index::Constant(c) => {
            u64::from(to.count) * u64::from(copy.parts) + u64::from(c) <= u64::from(from.root.count)
        }
        Index::Dynamic(..) | Index::Row(..) => true,
        Index::Outside => false,
    };
    if !matches!(copy.parts, 1 | 2 | 4)
        || !inside
        || from.root.class == StorageClass::TaskPayloadWorkgroupEXT
    {
        return Err(e.unsupported(MemoryFeature::PartialPayload));
    }
    let thread = interface::load_builtin(e, io, BuiltIn::LocalInvocationIndex, Shape::U32);
    if from.root.class == StorageClass::Workgroup {
        // Writes of other threads belong to the payload, too.
        group_barrier(e);
        by_all_threads(e, &copy, thread)?;
    } else {
        by_first_thread(e, &copy, thread);
    }
    Ok(Some(to.id))
}

/// Emits a copy in which each thread copies the slots whose number is its own, modulo the number of
/// threads.
fn by_all_threads(e: &mut FunctionBuilder<'_>, copy: &Copy, thread: Word) -> Result<(), Error> {
    let threads = e
        .entry
        .properties
        .num_threads
        .and_then(|n| n.into_iter().try_fold(1u32, u32::checked_mul))
        .filter(|&n| n > 0);
    let Some(threads) = threads else {
        return Err(e.invalid_property("an amplification shader without a thread group size"));
    };
    let (full, rest) = (copy.to.count / threads, copy.to.count % threads);
    if full > MAX_UNROLLED {
        in_loop(e, copy, thread, threads);
        return Ok(());
    }
    for round in 0..full {
        copy.slot(e, Index::Dynamic(thread, round * threads));
    }
    if rest > 0 {
        let among = e.b.flag_with(Op::ULessThan, thread, rest);
        when(e, among, |e| {
            copy.slot(e, Index::Dynamic(thread, full * threads));
        });
    }
    Ok(())
}

/// Emits a copy by the first thread, from which D3D reads a variable of a thread.
fn by_first_thread(e: &mut FunctionBuilder<'_>, copy: &Copy, thread: Word) {
    let zero = e.b.const_u32(0);
    let first = e.b.flag(Op::IEqual, &[thread, zero]);
    when(e, first, |e| {
        if copy.to.count > 4 * MAX_UNROLLED {
            in_loop(e, copy, zero, 1);
        } else {
            for slot in 0..copy.to.count {
                copy.slot(e, Index::Constant(slot));
            }
        }
    });
}

/// Emits `if (cond) body`.
fn when(e: &mut FunctionBuilder<'_>, cond: Word, body: impl FnOnce(&mut FunctionBuilder<'_>)) {
    let (then, merge) = (e.b.id(), e.b.id());
    e.b.branch_if(cond, [then, merge], merge);
    e.b.begin_block(then);
    body(e);
    e.b.op_void(Op::Branch, &[merge]);
    e.b.begin_block(merge);
}

/// Copies the slots `start`, `start + step`, … in a loop.
fn in_loop(e: &mut FunctionBuilder<'_>, copy: &Copy, start: Word, step: u32) {
    let (before, header, body, next, merge) = (e.b.id(), e.b.id(), e.b.id(), e.b.id(), e.b.id());
    let (word, bool_ty) = (e.b.ty_u32(), e.b.ty_bool());
    let (count, step) = (e.b.const_u32(copy.to.count), e.b.const_u32(step));
    e.b.op_void(Op::Branch, &[before]);
    e.b.begin_block(before);
    e.b.op_void(Op::Branch, &[header]);
    e.b.begin_block(header);
    let (slot, operands) = e.b.phi(word, 2);
    let more = e.b.op(Op::ULessThan, bool_ty, &[slot, count]);
    e.b.op_void(Op::LoopMerge, &[merge, next, 0]);
    e.b.op_void(Op::BranchConditional, &[more, body, merge]);
    e.b.begin_block(body);
    copy.slot(e, Index::Dynamic(slot, 0));
    e.b.op_void(Op::Branch, &[next]);
    e.b.begin_block(next);
    let after = e.b.op(Op::IAdd, word, &[slot, step]);
    e.b.op_void(Op::Branch, &[header]);
    e.b.begin_block(merge);
    e.b.set_phi(operands, 0, start, before);
    e.b.set_phi(operands, 1, after, next);
}

impl Copy {
    /// Copies one slot of the payload.
    fn slot(&self, e: &mut FunctionBuilder<'_>, slot: Index) {
        let scalar: Scalar = self.to.slot;
        let from = StorageLocation {
            root: self.from.root,
            index: self.source(e, slot),
        };
        let value = load_scalar(
            e,
            &from,
            Fit {
                slots: self.parts,
                memory: scalar,
            },
            scalar,
            0,
        );
        let to = StorageLocation {
            root: self.to,
            index: slot,
        };
        store_scalar(
            e,
            &to,
            Fit {
                slots: 1,
                memory: scalar,
            },
            scalar,
            0,
            value,
        );
    }

    /// Returns where a slot of the payload begins in the source.
    fn source(&self, e: &mut FunctionBuilder<'_>, slot: Index) -> Index {
        let (id, constant) = match slot {
            Index::Constant(c) => (None, c * self.parts),
            Index::Dynamic(id, c) if self.parts == 1 => (Some(id), c),
            Index::Dynamic(id, c) => {
                let parts = e.b.const_u32(self.parts);
                (Some(e.b.word(Op::IMul, &[id, parts])), c * self.parts)
            }
            Index::Row(..) | Index::Outside => return Index::Outside,
        };
        let from = match self.from.index {
            Index::Row(row, slot) => {
                Index::Dynamic(e.b.word_with(Op::IMul, row, self.from.root.lanes), slot)
            }
            other => other,
        };
        match (from, id) {
            (Index::Constant(base), None) => Index::Constant(base + constant),
            (Index::Constant(base), Some(id)) => Index::Dynamic(id, base + constant),
            (Index::Dynamic(base, c), None) => Index::Dynamic(base, c.wrapping_add(constant)),
            (Index::Dynamic(base, c), Some(id)) => {
                Index::Dynamic(e.b.word(Op::IAdd, &[base, id]), c.wrapping_add(constant))
            }
            (Index::Row(..) | Index::Outside, _) => Index::Outside,
        }
    }
}
