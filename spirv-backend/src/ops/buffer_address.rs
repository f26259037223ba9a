//! Addresses in raw and structured buffers, in elements of some size.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::ResourceKind;

use super::Emitter;
use crate::error::{Error, InvalidKind};
use crate::resources::ResourceDesc;
use crate::values::known_bits::greatest;

/// An address in elements of some size: a part known now, and one known at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    constant: u32,
    dynamic: Option<Word>,
}

/// Returns the number of elements of `bytes` bytes (a power of two) that a constant byte address
/// covers.
fn constant_elements(index: u32, stride: u32, offset: u32, bytes: u32) -> u32 {
    index.wrapping_mul(stride).wrapping_add(offset) / bytes
}

/// Returns the id of a part of an address; if it is a constant, the number as the error.
fn part(e: &mut Emitter<'_>, value: ValueId) -> Result<Result<Word, u32>, Error> {
    Ok(match e.const_or_absent(value) {
        Some(number) => Err(number as u32),
        None => Ok(e.id(value)?),
    })
}

/// Returns `index * factor`.
fn scaled(e: &mut Emitter<'_>, index: Word, factor: u32) -> Word {
    if factor == 1 {
        return index;
    }
    let factor = e.b.const_u32(factor);
    e.word_op(Op::IMul, [index, factor])
}

/// Returns the index of the last struct within 4 GiB, which is beyond every buffer: later ones may wrap
/// into the buffer, as drivers count bytes with 32 bits.
fn last_struct(stride: u32) -> u32 {
    ((1 << 32) / u64::from(stride) - 1) as u32
}

/// Returns an index of structs that is at most `last`.
fn limited(e: &mut Emitter<'_>, index: Word, last: u32) -> Word {
    let (set, word, last) = (e.b.glsl(), e.b.ty_u32(), e.b.const_u32(last));
    e.once(Op::ExtInst, word, &[set, GLOp::UMin as Word, index, last])
}

/// Returns the bytes of a struct; 1 of a raw buffer.
pub(super) fn stride(e: &Emitter<'_>, desc: &ResourceDesc) -> Result<u32, Error> {
    match (desc.kind, desc.stride) {
        (ResourceKind::StructuredBuffer, 0) => {
            let detail = "a structured buffer with a stride of 0";
            Err(e.invalid(InvalidKind::Resource, detail))
        }
        (ResourceKind::StructuredBuffer, stride) => Ok(stride),
        _ => Ok(1),
    }
}

impl Address {
    /// Returns the address of a raw (`index` in bytes) or structured (`index` in structs, `offset` in
    /// bytes) access, in elements of `bytes` bytes: `index * stride + offset`.
    pub(super) fn of(
        e: &mut Emitter<'_>,
        desc: &ResourceDesc,
        [index, offset]: [ValueId; 2],
        bytes: u32,
    ) -> Result<Self, Error> {
        let stride = stride(e, desc)?;
        let last = last_struct(stride);
        let may_wrap = greatest(e, index) > last.into();
        let (mut index, offset) = (part(e, index)?, part(e, offset)?);
        match &mut index {
            Err(number) => *number = (*number).min(last),
            Ok(id) if may_wrap && e.options.workarounds.robust_structured_buffers => {
                *id = limited(e, *id, last);
            }
            Ok(_) => {}
        }
        let divide = |e: &mut Emitter<'_>, id: Word| {
            let shift = e.b.const_u32(bytes.trailing_zeros());
            Some(e.word_op(Op::ShiftRightLogical, [id, shift]))
        };
        let is_whole = stride % bytes == 0;
        let (constant, dynamic) = match (index, offset) {
            (Err(i), Err(o)) => (constant_elements(i, stride, o, bytes), None),
            (Err(i), Ok(o)) => {
                let base = i.wrapping_mul(stride);
                if base % bytes == 0 {
                    (base / bytes, divide(e, o))
                } else {
                    let base = e.b.const_u32(base);
                    let sum = e.word_op(Op::IAdd, [base, o]);
                    (0, divide(e, sum))
                }
            }
            (Ok(i), Err(o)) if is_whole => (o / bytes, Some(scaled(e, i, stride / bytes))),
            (Ok(i), Ok(o)) if is_whole => {
                let base = scaled(e, i, stride / bytes);
                let more = divide(e, o);
                (0, more.map(|more| e.word_op(Op::IAdd, [base, more])))
            }
            (Ok(i), Err(0)) => {
                let sum = scaled(e, i, stride);
                (0, divide(e, sum))
            }
            (Ok(i), offset) => {
                let base = scaled(e, i, stride);
                let more = offset.unwrap_or_else(|number| e.b.const_u32(number));
                let sum = e.word_op(Op::IAdd, [base, more]);
                (0, divide(e, sum))
            }
        };
        Ok(Self { constant, dynamic })
    }

    /// Returns the element number `more` after the address.
    pub(super) fn element(self, e: &mut Emitter<'_>, more: u32) -> Word {
        let constant = self.constant.wrapping_add(more);
        match self.dynamic {
            None => e.b.const_u32(constant),
            Some(id) if constant == 0 => id,
            Some(id) => {
                let constant = e.b.const_u32(constant);
                e.word_op(Op::IAdd, [id, constant])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{constant_elements, last_struct};

    #[test]
    fn addresses() {
        assert_eq!(constant_elements(12, 1, 0, 4), 3, "raw");
        assert_eq!(constant_elements(2, 32, 24, 4), 22, "structured");
        assert_eq!(constant_elements(3, 6, 4, 2), 11, "16-bit elements");
        for stride in [4, 12, 2048] {
            let end = (u64::from(last_struct(stride)) + 1) * u64::from(stride);
            assert!((1 << 32) - u64::from(stride) < end && end <= 1 << 32);
        }
    }
}
