//! The memory of atomic operations on buffers and textures.

use rspirv::spirv::{Capability, Op, Word};
use trellis_dxil_frontend::shader::ComponentType;

use super::Emitter;
use super::buffer_address::Address;
use super::elements::Elements;
use super::texel::{image_form, texel_pointer};
use crate::error::Error;
use crate::resources::{Access, Handle, Texel, texel_type};

/// The memory that an atomic operation accesses.
#[derive(Clone, Copy)]
pub(super) struct AtomicTarget {
    pub(super) pointer: Word,
    /// Type of the pointee.
    pub(super) texel: Texel,
}

/// Returns the pointer to an element of a buffer; its address starts at operand `first`.
pub(super) fn element_pointer(
    e: &mut Emitter<'_>,
    handle: &Handle,
    first: usize,
    access: Access,
) -> Result<Word, Error> {
    let place = [e.arg_value(first)?, e.arg_value(first + 1)?];
    let elements = Elements::of(e, handle, access)?;
    let bytes = match access {
        Access::Elements(bits) => bits / 8,
        _ => 4,
    };
    let address = Address::of(e, &handle.desc, place, bytes)?;
    elements.pointer(e, address)
}

impl AtomicTarget {
    /// Returns the target of a handle; coordinates or addresses start at operand `first`.
    pub(super) fn of(e: &mut Emitter<'_>, handle: &Handle, first: usize) -> Result<Self, Error> {
        let width = e.scalar(e.call.ty)?.width();
        if width == 64 {
            e.b.caps.add(Capability::Int64Atomics);
        }
        if handle.desc.is_untyped_buffer() {
            let pointer = element_pointer(e, handle, first, Access::Elements(width))?;
            let texel = Texel::UInt(width);
            return Ok(Self { pointer, texel });
        }
        let (shape, texel) = image_form(e, handle)?;
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
            let what = format!("{width} bits of {}", handle.desc.form());
            return Err(e.unsupported_on(what));
        }
        if e.resources.halves(&e.f, handle).is_some() {
            let operand = "an image that atomic operations on halves are used on, too";
            return Err(e.unsupported_on(operand));
        }
        let coordinate = e.arg_vector(first, shape.coords)?;
        let ty = texel_type(e, texel);
        let pointer = texel_pointer(e, handle, Access::Image, coordinate, ty)?;
        Ok(Self { pointer, texel })
    }

    /// Returns an operand in the type of the pointee.
    pub(super) fn operand(self, e: &mut Emitter<'_>, index: usize) -> Result<Word, Error> {
        let id = e.arg_id(index)?;
        if matches!(self.texel, Texel::UInt(_)) {
            return Ok(id);
        }
        let ty = texel_type(e, self.texel);
        Ok(e.b.bitcast(ty, id))
    }

    /// Emits an operation, whose result is the old value as an unsigned integer.
    pub(super) fn emit(self, e: &mut Emitter<'_>, op: Op, operands: &[Word]) {
        let ty = texel_type(e, self.texel);
        let mut id = e.atomic(op, ty, self.pointer, operands);
        if !matches!(self.texel, Texel::UInt(_)) && e.is_result_used(0) {
            let unsigned = e.b.ty_int(self.texel.width());
            id = e.b.bitcast(unsigned, id);
        }
        e.set_result(0, id);
    }
}
