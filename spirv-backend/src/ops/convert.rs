//! Conversions of `dx.op`: bit casts, doubles and their halves, the legacy half and double
//! conversions.

use rspirv::spirv::Op;
use trellis_dxil_frontend::dxop::{ConvertOp, DxCall};

use super::Emitter;
use super::cast::{bitcast, f32_to_half_bits, float_to_int, half_bits_to_f32};
use crate::error::Error;
use crate::values::Scalar;
use crate::values::Shape;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>, op: ConvertOp) -> Result<(), Error> {
    match op {
        ConvertOp::BitcastI16toF16
        | ConvertOp::BitcastF16toI16
        | ConvertOp::BitcastI32toF32
        | ConvertOp::BitcastF32toI32
        | ConvertOp::BitcastI64toF64
        | ConvertOp::BitcastF64toI64 => {
            let (from, to) = (e.value_shape(e.arg_value(call, 0)?)?, e.shape(call.ty)?);
            let source = e.arg_id(call, 0)?;
            let id = bitcast(e, from, to, source)?;
            e.set(call.inst, 0, id);
        }
        ConvertOp::MakeDouble => {
            let (low, high) = (e.arg_id(call, 0)?, e.arg_id(call, 1)?);
            let (pair_ty, ty) = (e.shape_type(Shape::U32.of_lanes(2)), e.b.ty_float(64));
            let pair = e.b.construct(pair_ty, &[low, high]);
            let id = e.b.bitcast(ty, pair);
            e.set(call.inst, 0, id);
        }
        ConvertOp::SplitDouble => {
            let value = e.arg_id(call, 0)?;
            let (ty, pair_ty) = (e.b.ty_u32(), e.shape_type(Shape::U32.of_lanes(2)));
            let pair = e.b.bitcast(pair_ty, value);
            e.set_parts(call, ty, pair, 2);
        }
        ConvertOp::LegacyF32ToF16 => {
            let value = e.arg_id(call, 0)?;
            let id = f32_to_half_bits(e, value);
            e.set(call.inst, 0, id);
        }
        ConvertOp::LegacyF16ToF32 => {
            let value = e.arg_id(call, 0)?;
            let id = half_bits_to_f32(e, value);
            e.set(call.inst, 0, id);
        }
        ConvertOp::LegacyDoubleToFloat => {
            let (value, ty) = (e.arg_id(call, 0)?, e.b.ty_f32());
            let id = e.b.op(Op::FConvert, ty, &[value]);
            e.set(call.inst, 0, id);
        }
        ConvertOp::LegacyDoubleToSInt32 | ConvertOp::LegacyDoubleToUInt32 => {
            let value = e.arg_id(call, 0)?;
            let id = float_to_int(
                e,
                Shape::of(Scalar::Float(64)),
                Shape::U32,
                op == ConvertOp::LegacyDoubleToSInt32,
                value,
            );
            e.set(call.inst, 0, id);
        }
    }
    Ok(())
}
