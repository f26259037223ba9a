//! LLVM's casts, with D3D's rules for numbers out of range: a float that does not fit an integer
//! saturates, NaN becomes 0.

use crate::ops::Emitter;
use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::module::{CastOp, InstId, ValueId};

use crate::error::{Error, Feature, InvalidKind};
use crate::options::FloatToInt;
use crate::values::{FloatRange, Half, Scalar, Shape, float_bits, float_range};

/// Emits a cast.
pub(crate) fn emit(
    e: &mut Emitter<'_>,
    inst: InstId,
    op: CastOp,
    value: ValueId,
) -> Result<(), Error> {
    let from = e.value_shape(value)?;
    let ty = e.result_type(inst);
    let to = e.shape(ty)?;
    let source = e.id(value)?;
    let id = match (op, from.scalar, to.scalar) {
        (CastOp::Trunc, Scalar::Int(_), Scalar::Bool) => lowest_bit(e, from, source),
        // The upper half of a minimum-precision integer has no meaning, so truncation to it is
        // free.
        (CastOp::Trunc, Scalar::Int(a), Scalar::Int(b)) if a == b => source,
        (CastOp::Trunc, Scalar::Int(_), Scalar::Int(_)) => convert(e, Op::UConvert, to, source),
        (CastOp::ZExt, Scalar::Bool, Scalar::Int(_)) => choose_int(e, to, source, 1),
        (CastOp::SExt, Scalar::Bool, Scalar::Int(_)) => choose_int(e, to, source, u64::MAX),
        (CastOp::ZExt, Scalar::Int(_), Scalar::Int(b)) => e.resize_int(from, b, false, source),
        (CastOp::SExt, Scalar::Int(_), Scalar::Int(b)) => e.resize_int(from, b, true, source),
        (CastOp::FPToUI | CastOp::FPToSI, Scalar::Float(_), Scalar::Int(_)) => {
            let bounds = float_range(e, value);
            float_to_int(e, from, to, op == CastOp::FPToSI, (source, bounds))
        }
        (CastOp::FPToUI | CastOp::FPToSI, Scalar::Float(_), Scalar::Bool) => {
            let (ty, zero) = (e.shape_type(to), e.splat_float(from, 0.0));
            e.b.op(Op::FOrdNotEqual, ty, &[source, zero])
        }
        (CastOp::UIToFP, Scalar::Bool, Scalar::Float(_)) => choose_float(e, to, source, 1.0),
        (CastOp::SIToFP, Scalar::Bool, Scalar::Float(_)) => choose_float(e, to, source, -1.0),
        (CastOp::UIToFP, Scalar::Int(_), Scalar::Float(_)) => {
            let source = e.zero_extended(from, source);
            convert(e, Op::ConvertUToF, to, source)
        }
        (CastOp::SIToFP, Scalar::Int(_), Scalar::Float(_)) => {
            let source = e.sign_extended(from, source);
            convert(e, Op::ConvertSToF, to, source)
        }
        (CastOp::FPTrunc | CastOp::FPExt, Scalar::Float(_), Scalar::Float(b)) => {
            resize_float(e, from, b, source)
        }
        (CastOp::BitCast, _, _) => bitcast(e, from, to, source)?,
        _ => {
            return Err(e.unsupported(Feature::instruction_on(
                format!("{op:?}"),
                format!("{} to {}", from.scalar, to.scalar),
            )));
        }
    };
    // A cast that changes nothing hands on its operand, which has its own decorations.
    if id == source {
        e.set(inst, 0, id);
    } else {
        e.set_new(inst, to, id);
    }
    Ok(())
}

fn convert(e: &mut Emitter<'_>, op: Op, to: Shape, source: Word) -> Word {
    let ty = e.shape_type(to);
    e.b.op(op, ty, &[source])
}

fn lowest_bit(e: &mut Emitter<'_>, from: Shape, source: Word) -> Word {
    let (ty, bool_ty) = (e.shape_type(from), e.shape_type(from.with(Scalar::Bool)));
    let (one, zero) = (e.splat_int(from, 1), e.splat_int(from, 0));
    let bit = e.b.op(Op::BitwiseAnd, ty, &[source, one]);
    e.b.op(Op::INotEqual, bool_ty, &[bit, zero])
}

fn choose_int(e: &mut Emitter<'_>, to: Shape, cond: Word, then: u64) -> Word {
    let (ty, then, zero) = (e.shape_type(to), e.splat_int(to, then), e.splat_int(to, 0));
    e.b.op(Op::Select, ty, &[cond, then, zero])
}

fn choose_float(e: &mut Emitter<'_>, to: Shape, cond: Word, then: f64) -> Word {
    let (ty, then, zero) = (
        e.shape_type(to),
        e.splat_float(to, then),
        e.splat_float(to, 0.0),
    );
    e.b.op(Op::Select, ty, &[cond, then, zero])
}

/// Changes the width of a float. A half that was an `f32` only to be a half again keeps its bits.
fn resize_float(e: &mut Emitter<'_>, from: Shape, to: u32, source: Word) -> Word {
    let single = from.lanes == 1 && !from.relaxed;
    match e.halves.get(source) {
        Some(Half::Bits(bits)) if single && to == 16 => {
            let half = e.b.ty_float(16);
            let pair_ty = e.b.ty_vec(half, 2);
            let pair = e.b.bitcast(pair_ty, bits);
            return e.b.extract(half, pair, 0);
        }
        Some(Half::Float(half)) if single && to == 16 => return half,
        _ => {}
    }
    let id = e.resize_float(from, to, source);
    if single && (from.width(), to) == (16, 32) {
        e.halves.insert(id, Half::Float(source));
    }
    id
}

/// Converts a float to an integer as D3D's `ftou` and `ftoi`: toward zero, saturating, NaN to 0.
/// (SPIR-V's own conversion is undefined out of range.)
pub(crate) fn float_to_int(
    e: &mut Emitter<'_>,
    from: Shape,
    to: Shape,
    signed: bool,
    (source, bounds): (Word, FloatRange),
) -> Word {
    let convert_op = if signed {
        Op::ConvertFToS
    } else {
        Op::ConvertFToU
    };
    if e.options.extensions.float_to_int == FloatToInt::Native {
        match (from.width(), to.bits()) {
            (_, 32) | (16, 16) if !to.relaxed => return convert(e, convert_op, to, source),
            // Devices do not saturate from 32 bits to 16: the result of the conversion to 32 bits
            // is clamped.
            (_, 16) => return native_to_16_bits(e, to, signed, source),
            _ => {}
        }
    }
    let (ty, float_ty, bool_ty) = (
        e.shape_type(to),
        e.shape_type(from),
        e.shape_type(from.with(Scalar::Bool)),
    );
    let range = IntRange::new(from.width(), to.bits(), signed);
    let (low, high) = (
        e.splat_float(from, range.low),
        e.splat_float(from, range.high),
    );
    // NClamp and NMax take NaN to the lower bound, which is right for unsigned integers.
    let may_be_low = bounds.low < range.low || bounds.may_be_nan;
    let may_be_high = bounds.high > range.high;
    let clamped = match (may_be_low, may_be_high) {
        (true, true) => e.b.ext(GLOp::NClamp, float_ty, &[source, low, high]),
        (true, false) => e.b.ext(GLOp::NMax, float_ty, &[source, low]),
        (false, true) => e.b.ext(GLOp::NMin, float_ty, &[source, high]),
        (false, false) => source,
    };
    let mut id = e.b.op(convert_op, ty, &[clamped]);
    if range.high_differs && may_be_high {
        let above = e.b.op(Op::FOrdGreaterThan, bool_ty, &[source, high]);
        let max = e.splat_int(to, range.max);
        id = e.b.op(Op::Select, ty, &[above, max, id]);
    }
    if range.low_differs && may_be_low {
        let below = e.b.op(Op::FOrdLessThan, bool_ty, &[source, low]);
        let min = e.splat_int(to, 1 << (to.bits() - 1));
        id = e.b.op(Op::Select, ty, &[below, min, id]);
    }
    if signed && bounds.may_be_nan {
        let nan = e.b.op(Op::IsNan, bool_ty, &[source]);
        let zero = e.splat_int(to, 0);
        id = e.b.op(Op::Select, ty, &[nan, zero, id]);
    }
    id
}

/// Converts a float to an integer of 16 bits: to 32 bits by the device, then to the nearest number.
/// (Devices do not saturate a conversion from 32 bits to 16.)
fn native_to_16_bits(e: &mut Emitter<'_>, to: Shape, signed: bool, source: Word) -> Word {
    let wide = to.with(Scalar::Int(32));
    let ty = e.shape_type(wide);
    let nearest = if signed {
        let word = convert(e, Op::ConvertFToS, wide, source);
        let (low, high) = (e.splat_int(wide, 0xFFFF_8000), e.splat_int(wide, 0x7FFF));
        e.b.ext(GLOp::SClamp, ty, &[word, low, high])
    } else {
        let word = convert(e, Op::ConvertFToU, wide, source);
        let high = e.splat_int(wide, 0xFFFF);
        e.b.ext(GLOp::UMin, ty, &[word, high])
    };
    match to.width() {
        16 => convert(e, Op::UConvert, to, nearest),
        _ => nearest,
    }
}

/// The floats that convert to an integer type without overflow.
struct IntRange {
    /// Least of them (or the least finite one).
    low: f64,
    /// Greatest of them (or the greatest finite one).
    high: f64,
    /// Greatest integer.
    max: u64,
    /// A float above `high` must give `max`, which `high` itself does not.
    high_differs: bool,
    /// A float below `low` (minus infinity) must give the least integer, which `low` itself does
    /// not.
    low_differs: bool,
}

impl IntRange {
    fn new(float_width: u32, bits: u32, signed: bool) -> Self {
        let magnitude_bits = if signed { bits - 1 } else { bits };
        let max = if magnitude_bits == 64 {
            u64::MAX
        } else {
            (1 << magnitude_bits) - 1
        };
        let (precision, largest) = match float_width {
            16 => (11, 65504.0),
            32 => (24, f64::from(f32::MAX)),
            _ => (53, f64::MAX),
        };
        // The greatest float below 2^magnitude_bits: all bits of the significand set.
        let dropped = magnitude_bits.saturating_sub(precision);
        let exact = max >> dropped << dropped;
        let high = (exact as f64).min(largest);
        let power = 2f64.powi(magnitude_bits as i32);
        let low = if signed { (-power).max(-largest) } else { 0.0 };
        debug_assert!(high < power && (float_width != 16 || float_bits(16, high) < 0x7C00));
        Self {
            low,
            high,
            max,
            high_differs: (high as u64) != max,
            low_differs: signed && low != -power,
        }
    }
}

/// Reinterprets bits.
pub(crate) fn bitcast(
    e: &mut Emitter<'_>,
    from: Shape,
    to: Shape,
    source: Word,
) -> Result<Word, Error> {
    if (from.scalar, from.lanes) == (to.scalar, to.lanes) {
        return Ok(source);
    }
    match (from.scalar, to.scalar) {
        (Scalar::Float(32), Scalar::Int(32))
            if from.relaxed && to.relaxed && from.lanes == 1 && to.lanes == 1 =>
        {
            Ok(f32_to_half_bits(e, source))
        }
        (Scalar::Int(32), Scalar::Float(32))
            if from.relaxed && to.relaxed && from.lanes == 1 && to.lanes == 1 =>
        {
            Ok(half_bits_to_f32(e, source))
        }
        _ if from.relaxed || to.relaxed => Err(e.unsupported(Feature::instruction_on(
            "bitcast",
            "minimum-precision vectors",
        ))),
        (Scalar::Bool, _) | (_, Scalar::Bool) => {
            Err(e.unsupported(Feature::instruction_on("bitcast", "i1")))
        }
        _ if from.width() * from.lanes != to.width() * to.lanes => Err(e.invalid(
            InvalidKind::Type,
            format!(
                "a bitcast from {} bits to {}",
                from.width() * from.lanes,
                to.width() * to.lanes
            ),
        )),
        _ => {
            let ty = e.shape_type(to);
            Ok(e.b.bitcast(ty, source))
        }
    }
}

/// Returns the bits of a scalar `f32`, rounded to half, in the low 16 bits of a `u32`; the upper
/// ones are zero.
pub(crate) fn f32_to_half_bits(e: &mut Emitter<'_>, source: Word) -> Word {
    let word = e.b.ty_u32();
    match e.halves.get(source) {
        Some(Half::Float(half)) => {
            let half_ty = e.b.ty_float(16);
            let (pair_ty, zero) = (e.b.ty_vec(half_ty, 2), e.b.const_float_bits(16, 0));
            let pair = e.b.construct(pair_ty, &[half, zero]);
            return e.b.bitcast(word, pair);
        }
        Some(Half::Bits(bits)) => {
            let mask = e.b.const_u32(0xFFFF);
            return e.b.op(Op::BitwiseAnd, word, &[bits, mask]);
        }
        None => {}
    }
    let (pair_ty, u32_ty, zero) = (e.b.ty_floats(2), e.b.ty_u32(), e.b.const_f32(0.0));
    let pair = e.b.construct(pair_ty, &[source, zero]);
    e.b.ext(GLOp::PackHalf2x16, u32_ty, &[pair])
}

/// Returns the half in the low 16 bits of a `u32` as `f32`.
pub(crate) fn half_bits_to_f32(e: &mut Emitter<'_>, source: Word) -> Word {
    let float = e.b.ty_f32();
    let pair_ty = e.b.ty_vec(float, 2);
    let pair = e.b.ext(GLOp::UnpackHalf2x16, pair_ty, &[source]);
    let id = e.b.extract(float, pair, 0);
    e.halves.insert(id, Half::Bits(source));
    id
}

#[cfg(test)]
mod tests {
    use super::IntRange;

    #[test]
    fn ranges_are_the_greatest_exact_floats() {
        let r = IntRange::new(32, 32, false);
        assert_eq!(
            (r.low, r.high, r.max, r.high_differs, r.low_differs),
            (0.0, 4294967040.0, 0xFFFF_FFFF, true, false)
        );
        let r = IntRange::new(32, 32, true);
        assert_eq!(
            (r.low, r.high, r.max, r.high_differs, r.low_differs),
            (-2147483648.0, 2147483520.0, 0x7FFF_FFFF, true, false)
        );
        let r = IntRange::new(64, 32, true);
        assert_eq!(
            (r.low, r.high, r.high_differs),
            (-2147483648.0, 2147483647.0, false)
        );
        let r = IntRange::new(32, 16, false);
        assert_eq!((r.low, r.high, r.high_differs), (0.0, 65535.0, false));
        let r = IntRange::new(16, 16, false);
        assert_eq!((r.high, r.max, r.high_differs), (65504.0, 65535, true));
        let r = IntRange::new(16, 32, true);
        assert_eq!(
            (r.low, r.high, r.high_differs, r.low_differs),
            (-65504.0, 65504.0, true, true)
        );
        let r = IntRange::new(32, 64, false);
        assert_eq!((r.high, r.max), (18446742974197923840.0, u64::MAX));
        let r = IntRange::new(64, 64, true);
        assert_eq!(
            (r.low, r.high, r.max),
            (
                -9223372036854775808.0,
                9223372036854774784.0,
                i64::MAX as u64
            )
        );
        let r = IntRange::new(16, 16, true);
        assert_eq!(
            (r.low, r.high, r.max, r.high_differs, r.low_differs),
            (-32768.0, 32752.0, 32767, true, false)
        );
    }
}
