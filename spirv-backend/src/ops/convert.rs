//! Conversions of `dx.op`: bit casts, doubles and their halves, the legacy half and double
//! conversions.

use rspirv::spirv::Op;
use trellis_dxil_frontend::dxop::ConvertOp;

use super::Emitter;
use super::cast::{bitcast, f32_to_half_bits, float_to_int, half_bits_to_f32};
use crate::error::Error;
use crate::values::{FloatRange, Scalar, Shape};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: ConvertOp) -> Result<(), Error> {
    let value = e.arg_id(0)?;
    let id = match op {
        ConvertOp::BitcastI16toF16
        | ConvertOp::BitcastF16toI16
        | ConvertOp::BitcastI32toF32
        | ConvertOp::BitcastF32toI32
        | ConvertOp::BitcastI64toF64
        | ConvertOp::BitcastF64toI64 => {
            let (from, to) = (e.value_shape(e.arg_value(0)?)?, e.shape(e.call.ty)?);
            bitcast(e, from, to, value)?
        }
        ConvertOp::SplitDouble => {
            let (ty, pair_ty) = (e.b.ty_u32(), e.shape_type(Shape::U32.of_lanes(2)));
            let pair = e.b.bitcast(pair_ty, value);
            e.set_parts(ty, pair, 2);
            return Ok(());
        }
        ConvertOp::LegacyF32ToF16 => f32_to_half_bits(e, value),
        ConvertOp::LegacyF16ToF32 => half_bits_to_f32(e, value),
        ConvertOp::LegacyDoubleToFloat => {
            let ty = e.b.ty_f32();
            e.b.op(Op::FConvert, ty, &[value])
        }
        ConvertOp::LegacyDoubleToSInt32 | ConvertOp::LegacyDoubleToUInt32 => {
            let signed = op == ConvertOp::LegacyDoubleToSInt32;
            let from = Shape::of(Scalar::Float(64));
            float_to_int(e, from, Shape::U32, signed, (value, FloatRange::ALL))
        }
        ConvertOp::MakeDouble => {
            let high = e.arg_id(1)?;
            let (pair_ty, ty) = (e.shape_type(Shape::U32.of_lanes(2)), e.b.ty_float(64));
            let pair = e.b.construct(pair_ty, &[value, high]);
            e.b.bitcast(ty, pair)
        }
    };
    e.set_result(0, id);
    Ok(())
}
