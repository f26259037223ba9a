//! Typed, raw and structured buffers.
//!
//! A typed buffer is a texel buffer. A raw or structured buffer is a storage buffer with an array
//! of unsigned integers of 32 bits (16 for the native 16-bit types, 64 for 64-bit atomics); byte
//! addresses become element numbers. It can be a texel buffer of words, too (`elements.rs`).

use rspirv::spirv::{Op, Word};
use trellis_dxil_frontend::dxop::{BufferOp, DxCall};
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::State;
use super::elements::Elements;
use super::memory_number::{from_memory, memory_bits, to_memory};
use super::texel::{ImageOps, STATUS};
use super::{counter, image};
use crate::error::{Error, InvalidKind};
use crate::resources::arg_handle;
use crate::resources::{Handle, ResourceDesc, scaled};
use crate::values::FunctionBuilder;
use crate::values::Shape;

/// Emits one operation of this family.
pub(crate) fn emit(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    op: BufferOp,
) -> Result<(), Error> {
    // (loads, may access a typed buffer)
    let (load, typed) = match op {
        BufferOp::BufferLoad => (true, true),
        BufferOp::BufferStore => (false, true),
        BufferOp::RawBufferLoad => (true, false),
        BufferOp::RawBufferStore => (false, false),
        BufferOp::BufferUpdateCounter => return counter::update(e, state, call),
        BufferOp::RawBufferVectorLoad | BufferOp::RawBufferVectorStore => {
            return Err(e.unsupported(call.op));
        }
    };
    let handle = arg_handle(e, call, 0)?;
    let (index, offset) = (e.arg_value(call, 1)?, e.arg_value(call, 2)?);
    match handle.desc.kind {
        ResourceKind::TypedBuffer | ResourceKind::TBuffer if typed => {
            let image = image::image(e, state, call, &handle)?;
            let mut coordinate = e.id(index)?;
            if let Some(window) = state.resources.window(e, &handle)? {
                coordinate = window.index(e, coordinate, 1);
            }
            if load {
                return image::read(e, call, &image, coordinate, ImageOps::default());
            }
            image::write(e, call, &image, coordinate, 3, ImageOps::default())
        }
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer if load => {
            load_numbers(e, state, call, &handle, index, offset)
        }
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
            store_numbers(e, state, call, &handle, index, offset)
        }
        kind => Err(e.invalid(
            InvalidKind::Resource,
            format!("{} of a {kind:?}", call.op.name()),
        )),
    }
}

/// An address in elements of some size: a part known now, and one known at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    constant: u32,
    dynamic: Option<Word>,
}

/// The parts of an address, in bytes: `index * stride + offset`. Constants are given as `Err`,
/// ids as `Ok`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Constant(u32),
    Id(Word),
}

/// Returns the number of elements of `bytes` bytes (a power of two) that a constant byte address
/// covers; addresses wrap at 32 bits, as D3D's do.
fn constant_elements(index: u32, stride: u32, offset: u32, bytes: u32) -> u32 {
    index.wrapping_mul(stride).wrapping_add(offset) / bytes
}

fn part(e: &mut FunctionBuilder<'_>, value: ValueId) -> Result<Part, Error> {
    if e.is_undef(value) {
        return Ok(Part::Constant(0));
    }
    match e.const_int(value) {
        Some(c) => Ok(Part::Constant(c as u32)),
        None => Ok(Part::Id(e.id(value)?)),
    }
}

/// Returns the address of a raw (`index` in bytes) or structured (`index` in structs, `offset` in
/// bytes) access, in elements of `bytes` bytes.
pub(super) fn address(
    e: &mut FunctionBuilder<'_>,
    desc: &ResourceDesc,
    index: ValueId,
    offset: ValueId,
    bytes: u32,
) -> Result<Address, Error> {
    let stride = if desc.kind == ResourceKind::StructuredBuffer {
        desc.stride
    } else {
        1
    };
    if stride == 0 {
        return Err(e.invalid(
            InvalidKind::Resource,
            "a structured buffer with a stride of 0",
        ));
    }
    let (index, offset) = (part(e, index)?, part(e, offset)?);
    let u32_ty = e.b.ty_u32();
    let divide = |e: &mut FunctionBuilder<'_>, id: Word| {
        let shift = e.b.const_u32(bytes.trailing_zeros());
        e.b.op(Op::ShiftRightLogical, u32_ty, &[id, shift])
    };
    Ok(match (index, offset) {
        (Part::Constant(i), Part::Constant(o)) => Address {
            constant: constant_elements(i, stride, o, bytes),
            dynamic: None,
        },
        (Part::Constant(i), Part::Id(o)) => {
            let base = i.wrapping_mul(stride);
            if base % bytes == 0 {
                Address {
                    constant: base / bytes,
                    dynamic: Some(divide(e, o)),
                }
            } else {
                let base = e.b.const_u32(base);
                let sum = e.b.op(Op::IAdd, u32_ty, &[base, o]);
                Address {
                    constant: 0,
                    dynamic: Some(divide(e, sum)),
                }
            }
        }
        (Part::Id(i), Part::Constant(o)) if stride % bytes == 0 && o % bytes == 0 => Address {
            constant: o / bytes,
            dynamic: Some(scaled(e, i, stride / bytes, 0)),
        },
        (Part::Id(i), Part::Id(o)) if stride % bytes == 0 => {
            let (base, more) = (scaled(e, i, stride / bytes, 0), divide(e, o));
            Address {
                constant: 0,
                dynamic: Some(e.b.op(Op::IAdd, u32_ty, &[base, more])),
            }
        }
        (Part::Id(i), offset) => {
            let mut sum = scaled(e, i, stride, 0);
            let more = match offset {
                Part::Constant(0) => None,
                Part::Constant(o) => Some(e.b.const_u32(o)),
                Part::Id(o) => Some(o),
            };
            if let Some(more) = more {
                sum = e.b.op(Op::IAdd, u32_ty, &[sum, more]);
            }
            Address {
                constant: 0,
                dynamic: Some(divide(e, sum)),
            }
        }
    })
}

impl Address {
    /// Returns the element number `more` after the address.
    pub(super) fn element(self, e: &mut FunctionBuilder<'_>, more: u32) -> Word {
        let constant = self.constant.wrapping_add(more);
        match self.dynamic {
            None => e.b.const_u32(constant),
            Some(id) if constant == 0 => id,
            Some(id) => {
                let (ty, constant) = (e.b.ty_u32(), e.b.const_u32(constant));
                e.b.op(Op::IAdd, ty, &[id, constant])
            }
        }
    }
}

/// Elements that memory holds a number of `bits` bits in: (bits of an element, elements a number).
fn elements_of(bits: u32) -> (u32, u32) {
    if bits == 64 { (32, 2) } else { (bits, 1) }
}

fn load_numbers(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    handle: &Handle,
    index: ValueId,
    offset: ValueId,
) -> Result<(), Error> {
    if e.is_used(call.inst, STATUS) {
        // Storage buffers have no residency code; `CheckAccessFullyMapped` handles that.
        let mapped = e.b.const_u32(1);
        e.set(call.inst, STATUS, mapped);
    }
    if !(0..STATUS).any(|i| e.is_used(call.inst, i)) {
        return Ok(());
    }
    let shape: Shape = e.shape(e.field_type(call.inst, 0)?)?;
    let bits = memory_bits(e, shape)?;
    let (element, per_number) = elements_of(bits);
    let buffer = Elements::of(e, state, handle, element)?;
    let address = address(e, &handle.desc, index, offset, element / 8)?;
    for i in 0..STATUS {
        if !e.is_used(call.inst, i) {
            continue;
        }
        let mut raw = buffer.load(e, state, address, i * per_number)?;
        if per_number == 2 {
            let high = buffer.load(e, state, address, i * per_number + 1)?;
            let ty = e.b.ty_int(element);
            let pair = e.b.ty_vec(ty, 2);
            raw = e.b.construct(pair, &[raw, high]);
        }
        let id = from_memory(e, raw, bits, shape)?;
        e.set_field(call, i, shape, id);
    }
    Ok(())
}

fn store_numbers(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    handle: &Handle,
    index: ValueId,
    offset: ValueId,
) -> Result<(), Error> {
    const VALUES: usize = 3;
    const MASK: usize = 7;
    if handle.desc.class != ResourceClass::Uav {
        return Err(e.invalid(
            InvalidKind::Resource,
            format!("{} to an SRV", call.op.name()),
        ));
    }
    let mask = e.arg_const(call, MASK)?;
    let shape = e.value_shape(e.arg_value(call, VALUES)?)?;
    let bits = memory_bits(e, shape)?;
    let (element, per_number) = elements_of(bits);
    let buffer = Elements::of(e, state, handle, element)?;
    let address = address(e, &handle.desc, index, offset, element / 8)?;
    let ty = e.b.ty_int(element);
    for i in (0..4).filter(|i| mask >> i & 1 != 0) {
        let value = e.arg_value(call, VALUES + i as usize)?;
        if e.is_undef(value) {
            continue;
        }
        let raw = to_memory(e, value, bits)?;
        for part in 0..per_number {
            let id = if per_number == 1 {
                raw
            } else {
                e.b.extract(ty, raw, part)
            };
            buffer.store(e, state, address, i * per_number + part, id)?;
        }
    }
    Ok(())
}

/// Emits `GetDimensions`: the bytes of a raw buffer, the structs (and the stride) of a structured
/// one.
pub(super) fn size(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    handle: &Handle,
) -> Result<(), Error> {
    if e.is_used(call.inst, 0) {
        let buffer = Elements::of(e, state, handle, 32)?;
        let id = buffer.size(e, state, handle)?;
        e.set(call.inst, 0, id);
    }
    if e.is_used(call.inst, 1) {
        let stride = e.b.const_u32(handle.desc.stride);
        e.set(call.inst, 1, stride);
    }
    image::unset_fields(e, call, 2..4);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::constant_elements;

    #[test]
    fn addresses() {
        assert_eq!(constant_elements(12, 1, 0, 4), 3, "raw");
        assert_eq!(constant_elements(2, 32, 24, 4), 22, "structured");
        assert_eq!(constant_elements(3, 6, 4, 2), 11, "16-bit elements");
        assert_eq!(
            constant_elements(u32::MAX, 4, 8, 4),
            1,
            "byte addresses wrap"
        );
    }
}
