//! Atomic operations on buffers and textures. D3D's are relaxed and visible to the whole device.

use rspirv::spirv::{Capability, MemorySemantics, Op, Scope, StorageClass, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::dxop::{AtomicOp, DxCall};
use trellis_dxil_frontend::shader::{ComponentType, ResourceClass};

use super::Emitter;
use super::elements::Elements;
use super::{buffer, float_atomic, vendor};
use crate::error::{Error, InvalidKind};
use crate::resources::arg_handle;
use crate::resources::texel_type;
use crate::resources::{Access, Handle, Texel};
use crate::values::Scalar;
use crate::vendor::FloatAtomic;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>, op: AtomicOp) -> Result<(), Error> {
    if let Some(op) = vendor::private(e, call)? {
        return vendor::emit(e, call, op);
    }
    let handle = arg_handle(e, call, 0)?;
    if handle.desc.class != ResourceClass::Uav {
        return Err(e.invalid_resource(call, "of an SRV"));
    }
    match op {
        AtomicOp::AtomicBinOp => {
            let number = e.arg_const(call, 1)?;
            if let Some(op) = FloatAtomic::from_number(number)
                && e.options.vendor.nvapi.is_some()
            {
                return float_atomic::emit(e, call, &handle, op);
            }
            let instruction = instruction(number).ok_or_else(|| {
                e.invalid(
                    InvalidKind::Operand,
                    format!("AtomicBinOp {number}, expected 0 to 8"),
                )
            })?;
            let target = target(e, call, &handle, 2)?;
            if target.texel == Texel::Float && instruction != Op::AtomicExchange {
                let operand = format!("{instruction:?} on an image of floats");
                return Err(e.unsupported_on(call, operand));
            }
            let value = operand(e, call, 5, target)?;
            finish(e, call, instruction, target, &[], &[value]);
            Ok(())
        }
        AtomicOp::AtomicCompareExchange => {
            let target = target(e, call, &handle, 1)?;
            if target.texel == Texel::Float {
                return Err(e.unsupported_on(call, "an image of floats"));
            }
            let (compare, new) = (operand(e, call, 4, target)?, operand(e, call, 5, target)?);
            let relaxed = e.b.const_u32(MemorySemantics::RELAXED.bits());
            finish(
                e,
                call,
                Op::AtomicCompareExchange,
                target,
                &[relaxed],
                &[new, compare],
            );
            Ok(())
        }
    }
}

/// DXIL's `AtomicBinOpCode`.
fn instruction(number: u64) -> Option<Op> {
    const OPS: [Op; 9] = [
        Op::AtomicIAdd,
        Op::AtomicAnd,
        Op::AtomicOr,
        Op::AtomicXor,
        Op::AtomicSMin,
        Op::AtomicSMax,
        Op::AtomicUMin,
        Op::AtomicUMax,
        Op::AtomicExchange,
    ];
    OPS.get(usize::try_from(number).ok()?).copied()
}

/// The memory that an atomic operation accesses.
#[derive(Clone, Copy)]
pub(super) struct AtomicTarget {
    pub(super) pointer: Word,
    /// Type of the pointee.
    pub(super) texel: Texel,
}

/// Returns the pointer; coordinates or addresses start at operand `first`.
pub(super) fn target(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    handle: &Handle,
    first: usize,
) -> Result<AtomicTarget, Error> {
    let width = match e.scalar(call.ty)? {
        Scalar::Int(w @ (32 | 64)) => w,
        other => return Err(e.unsupported_on(call, other.to_string())),
    };
    if handle.desc.class != ResourceClass::Uav {
        return Err(e.invalid_resource(call, "of a resource that is not writable"));
    }
    if width == 64 {
        e.b.caps.add(Capability::Int64Atomics);
    }
    if handle.desc.is_untyped_buffer() {
        let (index, offset) = (e.arg_value(call, first)?, e.arg_value(call, first + 1)?);
        let elements = Elements::of(e, handle, width)?;
        let address = buffer::address(e, &handle.desc, index, offset, width / 8)?;
        let pointer = elements.pointer(e, address)?;
        return Ok(AtomicTarget {
            pointer,
            texel: Texel::UInt(width),
        });
    }
    let (Some(shape), Some(texel)) = (handle.desc.image(), handle.desc.texel()) else {
        return Err(e.unsupported_on(
            call,
            format!("a {:?} of {:?}", handle.desc.kind, handle.desc.component),
        ));
    };
    // Those that have a format of one number.
    let is_number = matches!(
        handle.desc.component,
        ComponentType::I32
            | ComponentType::U32
            | ComponentType::F32
            | ComponentType::I64
            | ComponentType::U64
    );
    if shape.multisampled || shape.coords > 3 || texel.width() != width || !is_number {
        return Err(e.unsupported_on(
            call,
            format!(
                "{width} bits of a {:?} of {:?}",
                handle.desc.kind, handle.desc.component
            ),
        ));
    }
    if e.resources.halves(&mut e.f, handle).is_some() {
        let operand = "an image that atomic operations on halves are used on, too";
        return Err(e.unsupported_on(call, operand));
    }
    let coordinate = e.arg_vector(call, first, shape.coords)?;
    let ty = texel_type(e, texel);
    let pointer = texel_pointer(e, handle, coordinate, ty)?;
    Ok(AtomicTarget { pointer, texel })
}

/// Returns the pointer to a texel.
pub(super) fn texel_pointer(
    e: &mut Emitter<'_>,
    handle: &Handle,
    mut coordinate: Word,
    ty: Word,
) -> Result<Word, Error> {
    let d = e.descriptor(handle, Access::Image)?;
    let image = e.descriptor_pointer(&d, &[], d.pointee);
    if let Some(window) = e.resources.window(&mut e.f, handle)? {
        coordinate = window.index(e, coordinate, 1);
    }
    let (sample, ptr_ty) = (e.b.const_u32(0), e.b.ty_ptr(StorageClass::Image, ty));
    let pointer =
        e.b.op(Op::ImageTexelPointer, ptr_ty, &[image, coordinate, sample]);
    if d.non_uniform {
        e.resources.mark_non_uniform(&mut e.f, pointer);
    }
    Ok(pointer)
}

/// Returns an operand in the type of the pointee.
pub(super) fn operand(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    index: usize,
    target: AtomicTarget,
) -> Result<Word, Error> {
    let id = e.arg_id(call, index)?;
    if matches!(target.texel, Texel::UInt(_)) {
        return Ok(id);
    }
    let ty = texel_type(e, target.texel);
    Ok(e.b.bitcast(ty, id))
}

pub(super) fn finish(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    op: Op,
    target: AtomicTarget,
    semantics: &[Word],
    values: &[Word],
) {
    let (scope, relaxed) = (
        e.b.const_u32(Scope::Device as u32),
        e.b.const_u32(MemorySemantics::RELAXED.bits()),
    );
    let mut operands: SmallVec<[Word; 8]> = smallvec![target.pointer, scope, relaxed];
    operands.extend_from_slice(semantics);
    operands.extend_from_slice(values);
    let ty = texel_type(e, target.texel);
    let mut id = e.b.op(op, ty, &operands);
    if !matches!(target.texel, Texel::UInt(_)) && e.is_used(call.inst, 0) {
        let unsigned = e.b.ty_int(target.texel.width());
        id = e.b.bitcast(unsigned, id);
    }
    e.set(call.inst, 0, id);
}
