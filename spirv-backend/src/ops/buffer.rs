//! Typed, raw and structured buffers.
//!
//! A typed buffer is a texel buffer. A raw or structured buffer is a storage buffer with an array
//! of unsigned integers of 32 bits (16 for the native 16-bit types, 64 for 64-bit atomics) or of
//! vectors of these (`numbers.rs`); byte addresses become element numbers. It can be a texel buffer of
//! words, too (`elements.rs`).

use rspirv::spirv::Word;
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{BufferOp, Op};
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::Emitter;
use super::numbers::Numbers;
use super::texel::ImageOps;
use super::{counter, image};
use crate::error::Error;
use crate::resources::Handle;
use crate::resources::arg_handle;
use crate::values::Shape;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: BufferOp) -> Result<(), Error> {
    // (loads, may access a typed buffer)
    let (load, typed) = match op {
        BufferOp::BufferLoad => (true, true),
        BufferOp::BufferStore => (false, true),
        BufferOp::RawBufferLoad => (true, false),
        BufferOp::RawBufferStore => (false, false),
        BufferOp::BufferUpdateCounter => return counter::update(e),
        BufferOp::RawBufferVectorLoad => (true, false),
        BufferOp::RawBufferVectorStore => (false, false),
    };
    let handle = arg_handle(e, 0)?;
    let (index, offset) = (e.arg_value(1)?, e.arg_value(2)?);
    match handle.desc.kind {
        ResourceKind::TypedBuffer | ResourceKind::TBuffer if typed => {
            let image = image::image(e, &handle)?;
            let mut coordinate = e.id(index)?;
            if let Some(window) = e.resources.window(&mut e.f, &handle)? {
                coordinate = window.index(e, coordinate, 1);
            }
            if load {
                return image::read(e, &image, coordinate, ImageOps::default());
            }
            image::write(e, &image, coordinate, 3, ImageOps::default())
        }
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer if load => {
            load_numbers(e, &handle, [index, offset])
        }
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
            store_numbers(e, &handle, [index, offset])
        }
        kind => Err(e.invalid_resource(format!("of a {kind:?}"))),
    }
}

/// Emits a load: the result has a field for each number, or one vector, and a status. (Of a vector
/// that SPIR-V does not have, legalization makes fields.)
fn load_numbers(e: &mut Emitter<'_>, handle: &Handle, place: [ValueId; 2]) -> Result<(), Error> {
    let status = e.field_count(e.call.inst).saturating_sub(1);
    let mut used: SmallVec<[bool; 4]> = (0..status).map(|i| e.is_result_used(i)).collect();
    let mut has_code = e.is_result_used(status);
    if has_code && !e.resources.is_texels(&e.f, handle, false)? {
        // Storage buffers have no residency code; `CheckAccessFullyMapped` handles that.
        let mapped = e.b.const_u32(1);
        e.set_result(status, mapped);
        has_code = false;
    }
    if !used.contains(&true) {
        match used.first_mut() {
            // The code is the first texel's.
            Some(first) if has_code => *first = true,
            _ => return Ok(()),
        }
    }
    let shape: Shape = e.shape(e.field_type(e.call.inst, 0)?)?;
    let mut numbers = Numbers::at(e, handle, place, shape)?;
    if has_code {
        numbers = numbers.with_codes();
    }
    if shape.lanes > 1 {
        let loaded = numbers.load(e, |_| true, shape.lanes)?;
        let mut parts = SmallVec::<[Word; 4]>::new();
        for i in 0..shape.lanes {
            parts.push(numbers.number(e, &loaded, i)?);
        }
        let ty = e.shape_type(shape);
        let id = e.b.construct(ty, &parts);
        e.set_field(0, shape, id);
    } else {
        let is_used = |i: u32| used.get(i as usize).copied().unwrap_or_default();
        let loaded = numbers.load(e, is_used, status)?;
        for i in (0..status).filter(|&i| is_used(i)) {
            let id = numbers.number(e, &loaded, i)?;
            e.set_field(i, shape, id);
        }
    }
    if let Some(code) = numbers.code(e) {
        e.set_result(status, code);
    }
    Ok(())
}

fn store_numbers(e: &mut Emitter<'_>, handle: &Handle, place: [ValueId; 2]) -> Result<(), Error> {
    const VALUES: usize = 3;
    const MASK: usize = 7;
    if handle.desc.class != ResourceClass::Uav {
        return Err(e.invalid_resource("to an SRV"));
    }
    let first = e.arg_value(VALUES)?;
    let shape = e.value_shape(first)?;
    if e.call.op == Op::RawBufferVectorStore {
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
    let mask = e.arg_const(MASK)?;
    let mut values = SmallVec::<[_; 4]>::new();
    for i in 0..4 {
        let value = e.arg_value(VALUES + i as usize)?;
        let is_stored = mask >> i & 1 != 0 && !e.is_undef(value);
        values.push(if is_stored { Some(e.id(value)?) } else { None });
    }
    Numbers::at(e, handle, place, shape)?.store(e, &values)
}
