//! Typed, raw and structured buffers.
//!
//! A typed buffer is a texel buffer. A raw or structured buffer is a storage buffer with an array
//! of unsigned integers of 32 bits (16 for the native 16-bit types, 64 for 64-bit atomics) or of
//! vectors of these (`numbers.rs`); byte addresses become element numbers. It can be a texel buffer of
//! words, too (`elements.rs`).

use rspirv::spirv::{Op as SpvOp, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{BufferOp, DxCall, Op};
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::Emitter;
use super::elements::Elements;
use super::numbers::Numbers;
use super::texel::ImageOps;
use super::{counter, image};
use crate::error::{Error, InvalidKind};
use crate::resources::arg_handle;
use crate::resources::{Handle, ResourceDesc};
use crate::values::Shape;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>, op: BufferOp) -> Result<(), Error> {
    // (loads, may access a typed buffer)
    let (load, typed) = match op {
        BufferOp::BufferLoad => (true, true),
        BufferOp::BufferStore => (false, true),
        BufferOp::RawBufferLoad => (true, false),
        BufferOp::RawBufferStore => (false, false),
        BufferOp::BufferUpdateCounter => return counter::update(e, call),
        BufferOp::RawBufferVectorLoad => (true, false),
        BufferOp::RawBufferVectorStore => (false, false),
    };
    let handle = arg_handle(e, call, 0)?;
    let (index, offset) = (e.arg_value(call, 1)?, e.arg_value(call, 2)?);
    match handle.desc.kind {
        ResourceKind::TypedBuffer | ResourceKind::TBuffer if typed => {
            let image = image::image(e, call, &handle)?;
            let mut coordinate = e.id(index)?;
            if let Some(window) = e.resources.window(&mut e.f, &handle)? {
                coordinate = window.index(e, coordinate, 1);
            }
            if load {
                return image::read(e, call, &image, coordinate, ImageOps::default());
            }
            image::write(e, call, &image, coordinate, 3, ImageOps::default())
        }
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer if load => {
            load_numbers(e, call, &handle, [index, offset])
        }
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
            store_numbers(e, call, &handle, [index, offset])
        }
        kind => Err(e.invalid_resource(call, format!("of a {kind:?}"))),
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

fn part(e: &mut Emitter<'_>, value: ValueId) -> Result<Part, Error> {
    if e.is_undef(value) {
        return Ok(Part::Constant(0));
    }
    match e.const_int(value) {
        Some(c) => Ok(Part::Constant(c as u32)),
        None => Ok(Part::Id(e.id(value)?)),
    }
}

/// Returns `index * factor`.
fn scaled(e: &mut Emitter<'_>, index: Word, factor: u32) -> Word {
    if factor == 1 {
        return index;
    }
    let factor = e.b.const_u32(factor);
    e.word_op(SpvOp::IMul, [index, factor])
}

/// Returns the address of a raw (`index` in bytes) or structured (`index` in structs, `offset` in
/// bytes) access, in elements of `bytes` bytes.
pub(super) fn address(
    e: &mut Emitter<'_>,
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
    let divide = |e: &mut Emitter<'_>, id: Word| {
        let shift = e.b.const_u32(bytes.trailing_zeros());
        e.word_op(SpvOp::ShiftRightLogical, [id, shift])
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
                let sum = e.word_op(SpvOp::IAdd, [base, o]);
                Address {
                    constant: 0,
                    dynamic: Some(divide(e, sum)),
                }
            }
        }
        (Part::Id(i), Part::Constant(o)) if stride % bytes == 0 => Address {
            constant: o / bytes,
            dynamic: Some(scaled(e, i, stride / bytes)),
        },
        (Part::Id(i), Part::Id(o)) if stride % bytes == 0 => {
            let (base, more) = (scaled(e, i, stride / bytes), divide(e, o));
            Address {
                constant: 0,
                dynamic: Some(e.word_op(SpvOp::IAdd, [base, more])),
            }
        }
        (Part::Id(i), offset) => {
            let mut sum = scaled(e, i, stride);
            let more = match offset {
                Part::Constant(0) => None,
                Part::Constant(o) => Some(e.b.const_u32(o)),
                Part::Id(o) => Some(o),
            };
            if let Some(more) = more {
                sum = e.word_op(SpvOp::IAdd, [sum, more]);
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
    pub(super) fn element(self, e: &mut Emitter<'_>, more: u32) -> Word {
        let constant = self.constant.wrapping_add(more);
        match self.dynamic {
            None => e.b.const_u32(constant),
            Some(id) if constant == 0 => id,
            Some(id) => {
                let constant = e.b.const_u32(constant);
                e.word_op(SpvOp::IAdd, [id, constant])
            }
        }
    }
}

/// Emits a load: the result has a field for each number, or one vector, and a status. (Of a vector
/// that SPIR-V does not have, legalization makes fields.)
fn load_numbers(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    handle: &Handle,
    place: [ValueId; 2],
) -> Result<(), Error> {
    let status = e.field_count(call.inst).saturating_sub(1);
    if e.is_used(call.inst, status) {
        // Storage buffers have no residency code; `CheckAccessFullyMapped` handles that.
        let mapped = e.b.const_u32(1);
        e.set(call.inst, status, mapped);
    }
    if !(0..status).any(|i| e.is_used(call.inst, i)) {
        return Ok(());
    }
    let shape: Shape = e.shape(e.field_type(call.inst, 0)?)?;
    let mut numbers = Numbers::at(e, handle, place, shape)?;
    if shape.lanes > 1 {
        let loaded = numbers.load(e, |_| true, shape.lanes)?;
        let mut parts = SmallVec::<[Word; 4]>::new();
        for i in 0..shape.lanes {
            parts.push(numbers.number(e, &loaded, i)?);
        }
        let ty = e.shape_type(shape);
        let id = e.b.construct(ty, &parts);
        e.set_field(call, 0, shape, id);
        return Ok(());
    }
    let used: SmallVec<[bool; 4]> = (0..status).map(|i| e.is_used(call.inst, i)).collect();
    let is_used = |i: u32| used.get(i as usize).copied().unwrap_or_default();
    let loaded = numbers.load(e, is_used, status)?;
    for i in (0..status).filter(|&i| is_used(i)) {
        let id = numbers.number(e, &loaded, i)?;
        e.set_field(call, i, shape, id);
    }
    Ok(())
}

fn store_numbers(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    handle: &Handle,
    place: [ValueId; 2],
) -> Result<(), Error> {
    const VALUES: usize = 3;
    const MASK: usize = 7;
    if handle.desc.class != ResourceClass::Uav {
        return Err(e.invalid_resource(call, "to an SRV"));
    }
    let first = e.arg_value(call, VALUES)?;
    let shape = e.value_shape(first)?;
    if call.op == Op::RawBufferVectorStore {
        if e.is_undef(first) {
            return Ok(());
        }
        let (vector, one) = (e.id(first)?, shape.of_lanes(1));
        let ty = e.shape_type(one);
        let mut values = SmallVec::<[_; 4]>::new();
        for i in 0..shape.lanes {
            values.push(Some(match shape.lanes {
                1 => vector,
                _ => e.b.extract(ty, vector, i),
            }));
        }
        return Numbers::at(e, handle, place, shape)?.store(e, &values);
    }
    let mask = e.arg_const(call, MASK)?;
    let mut values = SmallVec::<[_; 4]>::new();
    for i in 0..4 {
        let value = e.arg_value(call, VALUES + i as usize)?;
        let is_stored = mask >> i & 1 != 0 && !e.is_undef(value);
        values.push(if is_stored { Some(e.id(value)?) } else { None });
    }
    Numbers::at(e, handle, place, shape)?.store(e, &values)
}

/// Emits `GetDimensions`: the bytes of a raw buffer, the structs (and the stride) of a structured
/// one.
pub(super) fn size(e: &mut Emitter<'_>, call: &DxCall<'_>, handle: &Handle) -> Result<(), Error> {
    if e.is_used(call.inst, 0) {
        let buffer = Elements::of(e, handle, 32)?;
        let id = buffer.size(e, handle)?;
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
