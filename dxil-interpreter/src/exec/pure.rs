//! Operations that depend on a lane's operands alone.
//!
//! Transcendental functions are computed in `f64` and rounded to the type once: within 0.5001 ULP
//! of the true result for `f32` and half, as far as the host's library is right to the last places
//! of a double. D3D allows far more (Direct3D 11.3 functional specification, 22.10).

use super::Results;
use trellis_dxil_frontend::dxop::{BitOp, ConvertOp, MathOp, PackedOp};
use trellis_dxil_frontend::module::{BinaryOp, CastOp};

use crate::action::Pure;
use crate::alu::{self, binary, flush};
use crate::half;
use crate::scalar::Scalar;

/// Writes the results of an operation; a missing operand counts as 0.
pub(super) fn run(op: Pure, ty: Scalar, args: &[u64], ftz: bool, out: &mut Results) {
    let arg = |index: usize| args.get(index).copied().unwrap_or(0);
    match op {
        Pure::Math(op) => {
            let (first, second) = math(op, ty, args, ftz);
            out[0] = first;
            out[1] = second.unwrap_or(out[1]);
        }
        Pure::Bit(op) => out[0] = bit(op, ty, [arg(0), arg(1), arg(2), arg(3)]),
        Pure::Packed(op) => packed(op, ty, args, out),
        Pure::Convert(op) => convert(op, arg(0), arg(1), ftz, out),
        Pure::IsMapped => out[0] = u64::from(arg(0) != 0),
    }
}

/// Results of an operation of the family: the first, and the second if there is one. For a product
/// the high word is first, for a division the quotient, for a sum or difference the number before
/// the carry.
fn math(op: MathOp, ty: Scalar, args: &[u64], ftz: bool) -> (u64, Option<u64>) {
    let arg = |index: usize| args.get(index).copied().unwrap_or(0);
    let (a, b, c) = (arg(0), arg(1), arg(2));
    let (x, y) = (a as u32, b as u32);
    let (sa, sb) = (ty.signed(a), ty.signed(b));
    let float = |f: fn(f64) -> f64| flush(ty, ty.round(f(ty.to_f64(flush(ty, a, ftz)))), ftz);
    let words = |product: u64| (product >> 32, Some(product & 0xffff_ffff));
    let min_max = |max| {
        let result = alu::min_max(ty, flush(ty, a, ftz), flush(ty, b, ftz), max);
        flush(ty, result, ftz)
    };
    let only = match op {
        MathOp::IMul => {
            return words(i64::from(x as i32).wrapping_mul(i64::from(y as i32)) as u64);
        }
        MathOp::UMul => return words(u64::from(x) * u64::from(y)),
        MathOp::UDiv => {
            let remainder = x.checked_rem(y).unwrap_or(u32::MAX);
            let quotient = x.checked_div(y).unwrap_or(u32::MAX);
            return (u64::from(quotient), Some(u64::from(remainder)));
        }
        MathOp::UAddc => {
            let carry = x.checked_add(y).is_none();
            return (u64::from(x.wrapping_add(y)), Some(u64::from(carry)));
        }
        MathOp::USubb => return (u64::from(x.wrapping_sub(y)), Some(u64::from(x < y))),
        MathOp::IMax => sa.max(sb) as u64 & ty.mask(),
        MathOp::IMin => sa.min(sb) as u64 & ty.mask(),
        MathOp::UMax => a.max(b),
        MathOp::UMin => a.min(b),
        MathOp::IMad | MathOp::UMad => a.wrapping_mul(b).wrapping_add(c) & ty.mask(),
        MathOp::Dot2 => dot(ty, args, 2, ftz),
        MathOp::Dot3 => dot(ty, args, 3, ftz),
        MathOp::Dot4 => dot(ty, args, 4, ftz),
        MathOp::FMad => {
            let product = binary(BinaryOp::FMul, ty, a, b, ftz);
            binary(BinaryOp::FAdd, ty, product, c, ftz)
        }
        MathOp::Fma => ty.round(ty.to_f64(a).mul_add(ty.to_f64(b), ty.to_f64(c))),
        MathOp::FMax => min_max(true),
        MathOp::FMin => min_max(false),
        MathOp::IsNaN => u64::from(ty.to_f64(a).is_nan()),
        MathOp::IsInf => u64::from(ty.to_f64(a).is_infinite()),
        MathOp::IsFinite => u64::from(ty.to_f64(a).is_finite()),
        MathOp::IsNormal => u64::from(is_normal(ty, a)),
        // Clears the sign bit of any number, NaN included.
        MathOp::FAbs => flush(ty, a, ftz) & ty.mask() >> 1,
        // NaN becomes 0.
        MathOp::Saturate => float(|x| if x > 0.0 { x.min(1.0) } else { 0.0 }),
        MathOp::Cos => float(f64::cos),
        MathOp::Sin => float(f64::sin),
        MathOp::Tan => float(f64::tan),
        MathOp::Acos => float(f64::acos),
        MathOp::Asin => float(f64::asin),
        MathOp::Atan => float(f64::atan),
        MathOp::Hcos => float(f64::cosh),
        MathOp::Hsin => float(f64::sinh),
        MathOp::Htan => float(f64::tanh),
        MathOp::Exp => float(f64::exp2),
        MathOp::Log => float(f64::log2),
        MathOp::Frc => float(|x| x - x.floor()),
        MathOp::Sqrt => float(f64::sqrt),
        MathOp::Rsqrt => float(|x| x.sqrt().recip()),
        MathOp::RoundNe => float(f64::round_ties_even),
        MathOp::RoundNi => float(f64::floor),
        MathOp::RoundPi => float(f64::ceil),
        MathOp::RoundZ => float(f64::trunc),
    };
    (only, None)
}

fn is_normal(ty: Scalar, value: u64) -> bool {
    let x = ty.to_f64(value);
    let least = match ty {
        Scalar::F16 => 2f64.powi(-14),
        Scalar::F32 => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    };
    x.is_finite() && x.abs() >= least
}

/// Operations on bits. Positions are counted from the lowest bit by `FirstbitLo`, from the highest
/// by `FirstbitHi` and `FirstbitSHi`; all ones if no bit matches.
fn bit(op: BitOp, ty: Scalar, [a, b, c, d]: [u64; 4]) -> u64 {
    let width = ty.bits();
    let position = |position: u32| {
        if position >= width {
            0xffff_ffff
        } else {
            u64::from(position)
        }
    };
    let top = |value: u64| position((value << (64 - width)).leading_zeros());
    match op {
        BitOp::Bfrev => a.reverse_bits() >> (64 - width),
        BitOp::Countbits => u64::from(a.count_ones()),
        BitOp::FirstbitLo => position(a.trailing_zeros()),
        BitOp::FirstbitHi => top(a),
        // The first bit that differs from the sign.
        BitOp::FirstbitSHi => top(if ty.signed(a) < 0 { !a & ty.mask() } else { a }),
        BitOp::Msad => msad(a as u32, b as u32, c as u32),
        BitOp::Ibfe => extract(true, a as u32, b as u32, c as u32),
        BitOp::Ubfe => extract(false, a as u32, b as u32, c as u32),
        BitOp::Bfi => insert(a as u32, b as u32, c as u32, d as u32),
    }
}

fn packed(op: PackedOp, ty: Scalar, args: &[u64], out: &mut Results) {
    let arg = |index: usize| args.get(index).copied().unwrap_or(0);
    let (a, b, c) = (arg(0), arg(1), arg(2));
    out[0] = match op {
        PackedOp::Unpack4x8 => return unpack(ty, a, b, out),
        PackedOp::Pack4x8 => pack(ty, a, [b, c, arg(3), arg(4)]),
        PackedOp::Dot2AddHalf => dot2_add(a, [b, c], [arg(3), arg(4)]),
        PackedOp::Dot4AddI8Packed => dot4_add(a as u32, b as u32, c as u32, true),
        PackedOp::Dot4AddU8Packed => dot4_add(a as u32, b as u32, c as u32, false),
    };
}

fn convert(op: ConvertOp, a: u64, b: u64, ftz: bool, out: &mut Results) {
    out[0] = match op {
        ConvertOp::MakeDouble => a & 0xffff_ffff | b << 32,
        ConvertOp::SplitDouble => {
            out[1] = a >> 32;
            a & 0xffff_ffff
        }
        ConvertOp::BitcastI16toF16
        | ConvertOp::BitcastF16toI16
        | ConvertOp::BitcastI32toF32
        | ConvertOp::BitcastF32toI32
        | ConvertOp::BitcastI64toF64
        | ConvertOp::BitcastF64toI64 => a,
        ConvertOp::LegacyF32ToF16 => u64::from(half::from_f32(f32::from_bits(a as u32))),
        ConvertOp::LegacyF16ToF32 => u64::from(half::to_f32(a as u16).to_bits()),
        ConvertOp::LegacyDoubleToFloat => {
            alu::cast(CastOp::FPTrunc, Scalar::F64, Scalar::F32, a, ftz)
        }
        ConvertOp::LegacyDoubleToSInt32 => {
            alu::cast(CastOp::FPToSI, Scalar::F64, Scalar::I32, a, ftz)
        }
        ConvertOp::LegacyDoubleToUInt32 => {
            alu::cast(CastOp::FPToUI, Scalar::F64, Scalar::I32, a, ftz)
        }
    };
}

/// Returns the sum of absolute differences of bytes, those left out where the reference is 0.
fn msad(reference: u32, source: u32, sum: u32) -> u64 {
    let pairs = reference
        .to_le_bytes()
        .into_iter()
        .zip(source.to_le_bytes());
    let differences = pairs
        .filter(|&(reference, _)| reference != 0)
        .map(|(reference, source)| u32::from(reference.abs_diff(source)));
    u64::from(differences.fold(sum, u32::wrapping_add))
}

/// Returns `width` bits from `offset` on; both count modulo 32, and no bits give 0.
fn extract(signed: bool, width: u32, offset: u32, value: u32) -> u64 {
    let (width, offset) = (width & 31, offset & 31);
    if width == 0 {
        return 0;
    }
    // A field that reaches beyond bit 31 ends there.
    let unused = 32u32.saturating_sub(width + offset);
    let top = value << unused;
    let shift = unused + offset;
    u64::from(if signed {
        (top as i32 >> shift) as u32
    } else {
        top >> shift
    })
}

fn insert(width: u32, offset: u32, value: u32, replaced: u32) -> u64 {
    let mask = ((1u32 << (width & 31)) - 1) << (offset & 31);
    u64::from(value << (offset & 31) & mask | replaced & !mask)
}

/// Products and sums from left to right, each rounded.
fn dot(ty: Scalar, args: &[u64], count: usize, ftz: bool) -> u64 {
    let (Some(left), Some(right)) = (args.get(..count), args.get(count..2 * count)) else {
        return 0;
    };
    let mut products = left
        .iter()
        .zip(right)
        .map(|(&a, &b)| binary(BinaryOp::FMul, ty, a, b, ftz));
    let first = products.next().unwrap_or(0);
    products.fold(first, |sum, product| {
        binary(BinaryOp::FAdd, ty, sum, product, ftz)
    })
}

/// `acc + a.x * b.x + a.y * b.y`: halves whose products are exact in `f32`, summed in `f32` from
/// left to right.
fn dot2_add(acc: u64, a: [u64; 2], b: [u64; 2]) -> u64 {
    let product = |i: usize| half::to_f32(a[i] as u16) * half::to_f32(b[i] as u16);
    u64::from((f32::from_bits(acc as u32) + product(0) + product(1)).to_bits())
}

fn dot4_add(acc: u32, a: u32, b: u32, signed: bool) -> u64 {
    let extend = |byte: u8| {
        if signed {
            i32::from(byte as i8) as u32
        } else {
            u32::from(byte)
        }
    };
    let products = a
        .to_le_bytes()
        .into_iter()
        .zip(b.to_le_bytes())
        .map(|(a, b)| extend(a).wrapping_mul(extend(b)));
    u64::from(products.fold(acc, u32::wrapping_add))
}

/// Packs four integers as bytes: mode 0 takes the low bits, 1 clamps to 0 to 255, 2 to -128 to 127.
fn pack(ty: Scalar, mode: u64, values: [u64; 4]) -> u64 {
    let byte = |value: u64| match mode {
        1 => ty.signed(value).clamp(0, 255) as u8,
        2 => ty.signed(value).clamp(-128, 127) as u8,
        _ => value as u8,
    };
    u64::from(u32::from_le_bytes(values.map(byte)))
}

/// Unpacks four bytes as integers: mode 1 extends by the sign.
fn unpack(ty: Scalar, mode: u64, packed: u64, out: &mut Results) {
    for (value, byte) in out.iter_mut().zip((packed as u32).to_le_bytes()) {
        *value = if mode == 1 {
            i64::from(byte as i8) as u64 & ty.mask()
        } else {
            u64::from(byte)
        };
    }
}

#[cfg(test)]
mod tests {
    use trellis_dxil_frontend::dxop::Op;

    use super::*;
    use crate::action::Action;

    fn run(op: Op, ty: Scalar, args: &[u64], ftz: bool, out: &mut Results) {
        let Some(Action::Pure(op)) = Action::of(op.classify()) else {
            panic!("{op:?} does not depend on its operands alone");
        };
        super::run(op, ty, args, ftz, out);
    }

    fn one(op: Op, ty: Scalar, args: &[u64]) -> u64 {
        let mut out = [0; 9];
        run(op, ty, args, false, &mut out);
        out[0]
    }

    #[test]
    fn first_bits_count_from_their_end() {
        assert_eq!(one(Op::FirstbitHi, Scalar::I32, &[1]), 31);
        assert_eq!(one(Op::FirstbitHi, Scalar::I32, &[0]), 0xffff_ffff);
        assert_eq!(one(Op::FirstbitHi, Scalar::I16, &[0x8000]), 0);
        assert_eq!(one(Op::FirstbitHi, Scalar::I64, &[1]), 63);
        assert_eq!(one(Op::FirstbitLo, Scalar::I32, &[0x10]), 4);
        assert_eq!(one(Op::FirstbitLo, Scalar::I32, &[0]), 0xffff_ffff);
        assert_eq!(one(Op::FirstbitSHi, Scalar::I32, &[0xffff_fffe]), 31);
        assert_eq!(
            one(Op::FirstbitSHi, Scalar::I32, &[0xffff_ffff]),
            0xffff_ffff
        );
        assert_eq!(one(Op::FirstbitSHi, Scalar::I32, &[0]), 0xffff_ffff);
        assert_eq!(one(Op::FirstbitSHi, Scalar::I32, &[2]), 30);
        assert_eq!(one(Op::Bfrev, Scalar::I16, &[1]), 0x8000);
    }

    #[test]
    fn bit_fields_end_at_the_word() {
        assert_eq!(one(Op::Ubfe, Scalar::I32, &[8, 4, 0xabcd_1234]), 0x23);
        assert_eq!(one(Op::Ubfe, Scalar::I32, &[8, 28, 0xabcd_1234]), 0xa);
        assert_eq!(
            one(Op::Ibfe, Scalar::I32, &[4, 28, 0xabcd_1234]),
            0xffff_fffa
        );
        assert_eq!(one(Op::Ibfe, Scalar::I32, &[0, 3, u64::from(u32::MAX)]), 0);
        assert_eq!(one(Op::Ubfe, Scalar::I32, &[32, 0, 7]), 0);
        assert_eq!(
            one(Op::Bfi, Scalar::I32, &[8, 8, 0xfff, 0x1111_1111]),
            0x1111_ff11
        );
    }

    #[test]
    fn a_double_is_two_words() {
        let mut out = [0; 9];
        run(
            Op::SplitDouble,
            Scalar::F64,
            &[1.5f64.to_bits()],
            false,
            &mut out,
        );
        assert_eq!(
            one(Op::MakeDouble, Scalar::F64, &out[..2]),
            1.5f64.to_bits()
        );
    }

    #[test]
    fn wide_products_and_carries() {
        let mut out = [0; 9];
        run(Op::IMul, Scalar::I32, &[0xffff_ffff, 2], false, &mut out);
        assert_eq!(out[..2], [0xffff_ffff, 0xffff_fffe]);
        run(Op::UMul, Scalar::I32, &[0xffff_ffff, 2], false, &mut out);
        assert_eq!(out[..2], [1, 0xffff_fffe]);
        run(Op::UDiv, Scalar::I32, &[7, 0], false, &mut out);
        assert_eq!(out[..2], [0xffff_ffff, 0xffff_ffff]);
        run(Op::UAddc, Scalar::I32, &[0xffff_ffff, 2], false, &mut out);
        assert_eq!(out[..2], [1, 1]);
        run(Op::USubb, Scalar::I32, &[1, 2], false, &mut out);
        assert_eq!(out[..2], [0xffff_ffff, 1]);
    }

    #[test]
    fn saturate_takes_nan_to_zero() {
        let of = |x: f32| {
            f32::from_bits(one(Op::Saturate, Scalar::F32, &[u64::from(x.to_bits())]) as u32)
        };
        assert_eq!(
            [of(f32::NAN), of(-1.0), of(0.25), of(7.0)],
            [0.0, 0.0, 0.25, 1.0]
        );
    }

    #[test]
    fn bytes() {
        assert_eq!(
            one(
                Op::Pack4x8,
                Scalar::I32,
                &[1, 300, u64::from(-5i32 as u32), 7, 255]
            ),
            0xff07_00ff
        );
        assert_eq!(
            one(Op::Pack4x8, Scalar::I16, &[2, 300, 0xff00, 7, 0xffff]),
            0xff07_807f
        );
        assert_eq!(
            one(Op::Msad, Scalar::I32, &[0x0010_0005, 0xff20_ff01, 100]),
            100 + 16 + 4
        );
        assert_eq!(
            one(
                Op::Dot4AddI8Packed,
                Scalar::I32,
                &[10, 0x0000_00ff, 0x0000_0002]
            ),
            8
        );
        assert_eq!(
            one(
                Op::Dot4AddU8Packed,
                Scalar::I32,
                &[10, 0x0000_00ff, 0x0000_0002]
            ),
            520
        );
        let mut out = [0; 9];
        run(
            Op::Unpack4x8,
            Scalar::I16,
            &[1, 0x80ff_0001],
            false,
            &mut out,
        );
        assert_eq!(out[..4], [1, 0, 0xffff, 0xff80]);
    }
}
