//! Buffers that begin within their descriptors: a buffer has their offsets and sizes.
//!
//! D3D's views of raw and structured buffers begin at multiples of 16 and of 4 bytes, views of
//! typed buffers at any texel; a device may have descriptors at multiples of up to 256 bytes only.

use rspirv::spirv::{Op, Word};

use super::Resources;
use super::address::{load_pair, scaled};
use super::variable::Access;
use crate::error::Error;
use crate::handles::{Handle, Origin};
use crate::values::FunctionBuilder;

/// Where a buffer is in its descriptor: a pair of words, in bytes, or in texels if it is typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window(Word);

impl Resources {
    /// Returns where a buffer is in its descriptor; `None` if it begins where the descriptor does, and
    /// is as long. The same id again within a block.
    pub(crate) fn window(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
    ) -> Result<Option<Window>, Error> {
        let desc = &handle.desc;
        let is_untyped = desc.is_untyped_buffer();
        let is_range = handle.origin.range().is_some();
        if !desc.is_typed_buffer() && !is_untyped || is_range && !self.answers.has_offsets() {
            return Ok(None);
        }
        let is_texels = is_untyped && self.is_texels(e, handle, false)?;
        let is_typed = is_texels || desc.is_typed_buffer();
        if self.address(e, handle, false)?.is_some() {
            return Ok(None);
        }
        let Some(at) = self.answers.offsets(e, handle.origin, desc)? else {
            return Ok(None);
        };
        let access = match (is_texels, is_typed) {
            (true, _) => Access::Texels { counter: false },
            (_, true) => Access::Image,
            _ => Access::Elements(32),
        };
        let index = self.window_index(e, handle, access)?;
        self.enter_block(e);
        let key = (at, is_typed, index);
        if let Some(&(_, id)) = self.windows.iter().find(|known| known.0 == key) {
            return Ok(Some(Window(id)));
        }
        let variable = self.offsets_variable(e, at);
        let layout = e.options.interface.offset_layout;
        let number = if is_typed {
            layout.typed
        } else {
            layout.untyped
        };
        let pair = scaled(e, index, layout.stride, number);
        let id = load_pair(e, variable, pair);
        self.windows.push((key, id));
        Ok(Some(Window(id)))
    }

    /// Returns true if a raw or structured buffer is a storage buffer from its first byte on, so that
    /// a multiple of a vector's size is where the driver expects vectors.
    pub(crate) fn has_vectors(
        &mut self,
        e: &FunctionBuilder<'_>,
        handle: &Handle,
    ) -> Result<bool, Error> {
        let is_range = handle.origin.range().is_some();
        let has_offsets = (!is_range || self.answers.has_offsets())
            && (self.answers)
                .offsets(e, handle.origin, &handle.desc)?
                .is_some();
        Ok(!has_offsets
            && !self.is_texels(e, handle, false)?
            && self.address_source(e, handle, false)?.is_none())
    }

    /// Returns true if a raw or structured buffer, or its counter, is a texel buffer of words.
    pub(crate) fn is_texels(
        &mut self,
        e: &FunctionBuilder<'_>,
        handle: &Handle,
        counter: bool,
    ) -> Result<bool, Error> {
        let (origin, desc) = (handle.origin, &handle.desc);
        self.answers.is_texels(e, origin, desc, counter)
    }

    /// Returns the index of a handle's descriptor in its heap; 0 if it is in none.
    fn window_index(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Word, Error> {
        let is_single = match handle.origin {
            Origin::Range(at) => {
                self.answers.registers(at) == 1 && self.answers.in_heap(at, false).is_none()
            }
            _ => false,
        };
        if is_single {
            return Ok(e.b.const_u32(0));
        }
        // The index of an array that is loaded from again has the same id.
        let key = (handle.origin, e.id(handle.index)?);
        self.enter_block(e);
        if let Some(&(_, id)) = self.window_indices.iter().find(|known| known.0 == key) {
            return Ok(id);
        }
        let (id, _) = self.full_index(e, handle, access)?;
        self.window_indices.push((key, id));
        Ok(id)
    }
}

/// An index that is beyond every buffer, in elements of some bytes.
fn beyond(bytes: u32) -> u32 {
    u32::MAX / bytes.max(2)
}

impl Window {
    fn part(self, e: &mut FunctionBuilder<'_>, part: u32, bytes: u32) -> Word {
        let word = e.b.ty_u32();
        let id = e.b.extract(word, self.0, part);
        if bytes == 1 {
            return id;
        }
        let shift = e.b.const_u32(bytes.trailing_zeros());
        e.b.op(Op::ShiftRightLogical, word, &[id, shift])
    }

    /// Returns the size of the buffer, in bytes, or in texels if it is typed.
    pub(crate) fn size(self, e: &mut FunctionBuilder<'_>) -> Word {
        self.part(e, 1, 1)
    }

    /// Returns the index in the descriptor of an element with some bytes, a power of two; 1 for texels.
    /// One that is not in the buffer is not in the descriptor either.
    pub(crate) fn index(self, e: &mut FunctionBuilder<'_>, element: Word, bytes: u32) -> Word {
        let bool_ty = e.b.ty_bool();
        let (offset, size) = (self.part(e, 0, bytes), self.part(e, 1, bytes));
        let is_inside = e.b.op(Op::ULessThan, bool_ty, &[element, size]);
        let index = e.b.word(Op::IAdd, &[element, offset]);
        let beyond = e.b.const_u32(beyond(bytes));
        e.b.word(Op::Select, &[is_inside, index, beyond])
    }
}
