//! Conversions between numbers in buffers (unsigned integers of 16 or 32 bits, pairs of words for
//! 64) and DXIL's overload types.

use crate::ops::Emitter;
use rspirv::spirv::{Op, Word};

use crate::error::{Error, InvalidKind, MemoryFeature};
use crate::values::Scalar;
use crate::values::Shape;

/// Bits that a number takes in a buffer: a minimum-precision number takes 32.
pub(super) fn memory_bits(e: &Emitter<'_>, shape: Shape) -> Result<u32, Error> {
    match shape.scalar {
        Scalar::Bool | Scalar::Int(8) => Err(e.unsupported(MemoryFeature::BufferElement {
            ty: shape.scalar.to_string(),
        })),
        Scalar::Int(16) | Scalar::Float(16) if !e.shader.native_low_precision => Ok(32),
        scalar => Ok(scalar.width()),
    }
}

/// Returns a number of `bits` bits (an unsigned integer; a vector of two words for 64) as the
/// overload type. Minimum-precision types are narrower than in memory: the value is converted.
pub(super) fn from_memory(
    e: &mut Emitter<'_>,
    raw: Word,
    bits: u32,
    shape: Shape,
) -> Result<Word, Error> {
    let ty = e.shape_type(shape);
    match (shape.scalar, bits) {
        (Scalar::Int(32), 32) | (Scalar::Int(16), 16) => Ok(raw),
        (scalar, bits) if scalar.width() == bits => Ok(e.b.bitcast(ty, raw)),
        (Scalar::Float(16), 32) => {
            let f32_ty = e.b.ty_f32();
            let float = e.b.bitcast(f32_ty, raw);
            Ok(e.b.op(Op::FConvert, ty, &[float]))
        }
        (Scalar::Int(16), 32) => Ok(e.b.op(Op::UConvert, ty, &[raw])),
        (scalar, _) => Err(e.invalid(
            InvalidKind::Type,
            format!("numbers of {bits} bits read as {scalar}"),
        )),
    }
}

/// Returns a value of DXIL as a buffer holds it; a vector of two words for 64 bits.
pub(super) fn to_memory(
    e: &mut Emitter<'_>,
    shape: Shape,
    id: Word,
    bits: u32,
) -> Result<Word, Error> {
    match (shape.scalar, bits) {
        // DXIL does not record whether a minimum-precision number is signed. As a load takes the
        // low 16 bits only, this shows outside of the shader at most.
        (Scalar::Int(_), 32) if shape.is_narrow() || shape.width() == 16 => {
            Ok(e.resize_int(shape, 32, true, id))
        }
        (Scalar::Int(32), 32) | (Scalar::Int(16), 16) => Ok(id),
        (Scalar::Int(_) | Scalar::Float(_), 64) if shape.width() == 64 => {
            let pair = e.b.ty_words(2);
            Ok(e.b.bitcast(pair, id))
        }
        (Scalar::Float(16), 32) => {
            let (f32_ty, u32_ty) = (e.b.ty_f32(), e.b.ty_u32());
            let float = e.b.op(Op::FConvert, f32_ty, &[id]);
            Ok(e.b.bitcast(u32_ty, float))
        }
        (scalar, bits) if scalar.width() == bits => {
            let ty = e.b.ty_int(bits);
            Ok(e.b.bitcast(ty, id))
        }
        (scalar, _) => Err(e.invalid(InvalidKind::Type, format!("{scalar} stored as {bits} bits"))),
    }
}
