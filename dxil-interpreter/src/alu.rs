//! LLVM's arithmetic on scalars, with D3D's rules where LLVM leaves a case undefined (Direct3D 11.3
//! functional specification, 3.1 and 22.11 to 22.13).

use trellis_dxil_frontend::module::{BinaryOp, CastOp, Predicate, RmwOp};

use crate::scalar::Scalar;

/// Flushes a denormal `f32` to zero of its sign, if the shader requires that. Other types keep
/// theirs (D3D defines no mode for them).
pub(crate) fn flush(ty: Scalar, value: u64, on: bool) -> u64 {
    if on && ty == Scalar::F32 && value & 0x7f80_0000 == 0 {
        value & 0x8000_0000
    } else {
        value
    }
}

/// Computes a binary operation. Shift amounts are taken modulo the width; division by zero gives
/// all ones; the least number by -1 wraps.
pub(crate) fn binary(op: BinaryOp, ty: Scalar, a: u64, b: u64, ftz: bool) -> u64 {
    use BinaryOp::*;
    let (sa, sb) = (ty.signed(a), ty.signed(b));
    let shift = (b % u64::from(ty.bits())) as u32;
    let result = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        URem => a.checked_rem(b).unwrap_or(u64::MAX),
        SDiv if b == 0 => u64::MAX,
        SRem if b == 0 => u64::MAX,
        SDiv => sa.wrapping_div(sb) as u64,
        SRem => sa.wrapping_rem(sb) as u64,
        Shl => a << shift,
        LShr => a >> shift,
        AShr => (sa >> shift) as u64,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        FAdd | FSub | FMul | FDiv | FRem => {
            return flush(
                ty,
                float_binary(op, ty, flush(ty, a, ftz), flush(ty, b, ftz)),
                ftz,
            );
        }
    };
    result & ty.mask()
}

/// Computes a float operation, rounded once: `f32` in `f32`; halves in `f64`, where sums and
/// products are exact and a quotient's second rounding is harmless (53 >= 2 * 11 + 2).
fn float_binary(op: BinaryOp, ty: Scalar, a: u64, b: u64) -> u64 {
    macro_rules! apply {
        ($a:expr, $b:expr) => {
            match op {
                BinaryOp::FAdd => $a + $b,
                BinaryOp::FSub => $a - $b,
                BinaryOp::FMul => $a * $b,
                BinaryOp::FDiv => $a / $b,
                _ => $a % $b,
            }
        };
    }
    if ty == Scalar::F32 {
        return u64::from(apply!(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits());
    }
    ty.round(apply!(ty.to_f64(a), ty.to_f64(b)))
}

/// Returns the result of a comparison.
pub(crate) fn compare(predicate: Predicate, ty: Scalar, a: u64, b: u64, ftz: bool) -> bool {
    use Predicate::*;
    let (sa, sb) = (ty.signed(a), ty.signed(b));
    match predicate {
        IEq => return a == b,
        INe => return a != b,
        IUgt => return a > b,
        IUge => return a >= b,
        IUlt => return a < b,
        IUle => return a <= b,
        ISgt => return sa > sb,
        ISge => return sa >= sb,
        ISlt => return sa < sb,
        ISle => return sa <= sb,
        _ => {}
    }
    let (fa, fb) = (ty.to_f64(flush(ty, a, ftz)), ty.to_f64(flush(ty, b, ftz)));
    let unordered = fa.is_nan() || fb.is_nan();
    match predicate {
        FOeq => fa == fb,
        FOgt => fa > fb,
        FOge => fa >= fb,
        FOlt => fa < fb,
        FOle => fa <= fb,
        FOne => !unordered && fa != fb,
        FOrd => !unordered,
        FUno => unordered,
        FUeq => unordered || fa == fb,
        FUgt => unordered || fa > fb,
        FUge => unordered || fa >= fb,
        FUlt => unordered || fa < fb,
        FUle => unordered || fa <= fb,
        FUne => fa != fb,
        FTrue => true,
        _ => false,
    }
}

/// Computes a cast. Floats to integers go toward zero and saturate, NaN becomes 0; all else rounds
/// to nearest even.
pub(crate) fn cast(op: CastOp, from: Scalar, to: Scalar, value: u64, ftz: bool) -> u64 {
    let float = || from.to_f64(flush(from, value, ftz));
    match op {
        CastOp::Trunc
        | CastOp::ZExt
        | CastOp::BitCast
        | CastOp::PtrToInt
        | CastOp::IntToPtr
        | CastOp::AddrSpaceCast => value & to.mask(),
        CastOp::SExt => from.signed(value) as u64 & to.mask(),
        // i1 is true for everything but zero.
        CastOp::FPToUI | CastOp::FPToSI if to == Scalar::I1 => {
            u64::from(float() != 0.0 && !float().is_nan())
        }
        CastOp::FPToUI => (float() as u64).min(to.mask()),
        CastOp::FPToSI => {
            let high = (to.mask() >> 1) as i64;
            (float() as i64).clamp(-high - 1, high) as u64 & to.mask()
        }
        CastOp::UIToFP if to == Scalar::F32 => u64::from((value as f32).to_bits()),
        CastOp::SIToFP if to == Scalar::F32 => u64::from((from.signed(value) as f32).to_bits()),
        // To half by way of double: a 64-bit number far above 2^53 is infinity either way.
        CastOp::UIToFP => to.round(value as f64),
        CastOp::SIToFP => to.round(from.signed(value) as f64),
        CastOp::FPTrunc | CastOp::FPExt if from == to => value,
        CastOp::FPTrunc | CastOp::FPExt => flush(to, to.round(float()), ftz),
    }
}

/// Returns the new value of an atomic operation on integers.
pub(crate) fn atomic(op: RmwOp, ty: Scalar, old: u64, operand: u64) -> u64 {
    let signed = |take_first: bool| if take_first { old } else { operand };
    let result = match op {
        RmwOp::Xchg => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Max => signed(ty.signed(old) >= ty.signed(operand)),
        RmwOp::Min => signed(ty.signed(old) <= ty.signed(operand)),
        RmwOp::UMax => old.max(operand),
        RmwOp::UMin => old.min(operand),
    };
    result & ty.mask()
}

/// Returns the lesser (or greater) float; of a number and NaN the number, of two zeros the negative
/// (positive) one.
pub(crate) fn min_max(ty: Scalar, a: u64, b: u64, greater: bool) -> u64 {
    let (fa, fb) = (ty.to_f64(a), ty.to_f64(b));
    if fa.is_nan() {
        return b;
    }
    if fb.is_nan() {
        return a;
    }
    let first = match fa.partial_cmp(&fb) {
        Some(std::cmp::Ordering::Less) => true,
        Some(std::cmp::Ordering::Equal) => fa.is_sign_negative(),
        _ => false,
    };
    if first == greater { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(value: f32) -> u64 {
        u64::from(value.to_bits())
    }

    #[test]
    fn conversions_to_integers_saturate() {
        let to = |op, value: f32, to| cast(op, Scalar::F32, to, f(value), false);
        assert_eq!(to(CastOp::FPToUI, -1.0, Scalar::I32), 0);
        assert_eq!(to(CastOp::FPToUI, 1e20, Scalar::I32), 0xffff_ffff);
        assert_eq!(to(CastOp::FPToUI, f32::NAN, Scalar::I32), 0);
        assert_eq!(to(CastOp::FPToSI, -1e20, Scalar::I32), 0x8000_0000);
        assert_eq!(to(CastOp::FPToSI, 1e20, Scalar::I16), 0x7fff);
        assert_eq!(to(CastOp::FPToSI, f32::NEG_INFINITY, Scalar::I64), 1 << 63);
        assert_eq!(to(CastOp::FPToSI, -1.9, Scalar::I32), 0xffff_ffff);
    }

    #[test]
    fn division_and_shifts_have_no_undefined_case() {
        for ty in [Scalar::I16, Scalar::I32, Scalar::I64] {
            let least = 1 << (ty.bits() - 1);
            assert_eq!(binary(BinaryOp::UDiv, ty, 7, 0, false), ty.mask());
            assert_eq!(binary(BinaryOp::URem, ty, 7, 0, false), ty.mask());
            assert_eq!(binary(BinaryOp::SDiv, ty, least, ty.mask(), false), least);
            assert_eq!(binary(BinaryOp::SRem, ty, least, ty.mask(), false), 0);
            assert_eq!(
                binary(BinaryOp::Shl, ty, 1, u64::from(ty.bits()) + 3, false),
                8
            );
            assert_eq!(
                binary(BinaryOp::AShr, ty, least, u64::from(ty.bits()) - 1, false),
                ty.mask()
            );
        }
    }

    #[test]
    fn of_a_number_and_nan_the_number_wins() {
        let nan = f(f32::NAN);
        assert_eq!(min_max(Scalar::F32, nan, f(1.0), false), f(1.0));
        assert_eq!(min_max(Scalar::F32, f(1.0), nan, true), f(1.0));
        assert_eq!(min_max(Scalar::F32, f(-0.0), f(0.0), true), f(0.0));
        assert_eq!(min_max(Scalar::F32, f(0.0), f(-0.0), false), f(-0.0));
        assert_eq!(min_max(Scalar::F32, f(2.0), f(-3.0), false), f(-3.0));
    }

    #[test]
    fn denormals_stay_unless_the_shader_flushes_them() {
        let small = u64::from(1u32);
        assert_eq!(binary(BinaryOp::FAdd, Scalar::F32, small, small, false), 2);
        assert_eq!(binary(BinaryOp::FAdd, Scalar::F32, small, small, true), 0);
        assert!(
            compare(Predicate::FOeq, Scalar::F32, small, 0, true)
                && !compare(Predicate::FOeq, Scalar::F32, small, 0, false)
        );
    }

    #[test]
    fn half_arithmetic_rounds_once() {
        // 1 + 2^-11 is a tie: the even neighbour is 1.
        assert_eq!(
            binary(BinaryOp::FAdd, Scalar::F16, 0x3c00, 0x1000, false),
            0x3c00
        );
        assert_eq!(
            binary(BinaryOp::FMul, Scalar::F16, 0x7bff, 0x4000, false),
            0x7c00
        );
    }
}
