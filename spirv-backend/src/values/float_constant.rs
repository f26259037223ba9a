//! Constant expressions of floats, which tested compilers do not emit: LLVM folds them.
//!
//! Numbers are computed as doubles and rounded once more. For the operations of LLVM on halves and
//! singles that gives the same as rounding once, since a double has more than twice their digits.

use trellis_dxil_frontend::module::{BinaryOp, CastOp, Predicate, Type};

use super::constant::half_to_float;
use super::shape::float_bits;
use crate::integer::sign_extend;

/// Returns the width of a float type.
pub(super) fn width_of(ty: &Type) -> Option<u32> {
    match ty {
        Type::Half => Some(16),
        Type::Float => Some(32),
        Type::Double => Some(64),
        _ => None,
    }
}

/// Returns the number with the given bits.
fn number(width: u32, bits: u64) -> f64 {
    match width {
        16 => f32::from_bits(half_to_float(bits as u16)).into(),
        32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// Returns the bits of a number; all NaNs are one, so that the result depends on no machine.
fn bits(width: u32, number: f64) -> u64 {
    if number.is_nan() {
        return match width {
            16 => 0x7E00,
            32 => 0x7FC0_0000,
            _ => 0x7FF8_0000_0000_0000,
        };
    }
    float_bits(width, number)
}

/// Evaluates an operation on floats of `width` bits; `None` for one of integers.
pub(super) fn binary(op: BinaryOp, a: u64, b: u64, width: u32) -> Option<u64> {
    let (a, b) = (number(width, a), number(width, b));
    Some(bits(
        width,
        match op {
            BinaryOp::FAdd => a + b,
            BinaryOp::FSub => a - b,
            BinaryOp::FMul => a * b,
            BinaryOp::FDiv => a / b,
            BinaryOp::FRem => a % b,
            _ => return None,
        },
    ))
}

/// Compares two floats of `width` bits; `None` for a comparison of integers.
pub(super) fn compare(predicate: Predicate, a: u64, b: u64, width: u32) -> Option<bool> {
    let (a, b) = (number(width, a), number(width, b));
    let unordered = a.is_nan() || b.is_nan();
    Some(match predicate {
        Predicate::FFalse => false,
        Predicate::FOeq => a == b,
        Predicate::FOgt => a > b,
        Predicate::FOge => a >= b,
        Predicate::FOlt => a < b,
        Predicate::FOle => a <= b,
        Predicate::FOne => !unordered && a != b,
        Predicate::FOrd => !unordered,
        Predicate::FUno => unordered,
        Predicate::FUeq => unordered || a == b,
        Predicate::FUgt => unordered || a > b,
        Predicate::FUge => unordered || a >= b,
        Predicate::FUlt => unordered || a < b,
        Predicate::FUle => unordered || a <= b,
        Predicate::FUne => a != b,
        Predicate::FTrue => true,
        _ => return None,
    })
}

/// Converts between the types of numbers, where one of them is a float; `None` for another
/// conversion, and where LLVM's result is undefined.
pub(super) fn cast(op: CastOp, value: u64, from: &Type, to: &Type) -> Option<u64> {
    let integer = |ty: &Type| match ty {
        Type::Int(width) => Some(*width),
        _ => None,
    };
    match op {
        CastOp::FPTrunc | CastOp::FPExt => {
            let number = number(width_of(from)?, value);
            Some(bits(width_of(to)?, number))
        }
        CastOp::UIToFP => Some(rounded(width_of(to)?, value.into())),
        CastOp::SIToFP => {
            let value = sign_extend(value, integer(from)?);
            Some(rounded(width_of(to)?, value.into()))
        }
        CastOp::FPToUI | CastOp::FPToSI => {
            let number = number(width_of(from)?, value).trunc();
            let width = integer(to)?;
            let (least, end) = if op == CastOp::FPToUI {
                (0.0, 2f64.powi(width as i32))
            } else {
                let end = 2f64.powi(width as i32 - 1);
                (-end, end)
            };
            (least <= number && number < end).then_some(number as i128 as u64)
        }
        _ => None,
    }
}

/// Returns the bits of the float next to an integer, which is rounded once.
fn rounded(width: u32, value: i128) -> u64 {
    match width {
        64 => (value as f64).to_bits(),
        32 => (value as f32).to_bits().into(),
        // Integers that a double rounds are far beyond the range of a half.
        _ => bits(width, value as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::{BinaryOp, CastOp, Predicate, Type, binary, cast, compare};

    #[test]
    fn singles() {
        let bits = |x: f32| u64::from(x.to_bits());
        let (one, three) = (bits(1.0), bits(3.0));
        assert_eq!(
            binary(BinaryOp::FDiv, one, three, 32),
            Some(bits(1.0 / 3.0))
        );
        assert_eq!(
            binary(BinaryOp::FRem, bits(-7.5), bits(2.0), 32),
            Some(bits(-1.5))
        );
        assert_eq!(binary(BinaryOp::FDiv, 0, 0, 32), Some(0x7FC0_0000));
        assert_eq!(binary(BinaryOp::Add, one, three, 32), None);
        let nan = 0x7FC0_0000;
        assert_eq!(compare(Predicate::FUlt, nan, one, 32), Some(true));
        assert_eq!(compare(Predicate::FOlt, one, three, 32), Some(true));
        assert_eq!(compare(Predicate::FUne, nan, nan, 32), Some(true));
        assert_eq!(compare(Predicate::FOne, nan, nan, 32), Some(false));
    }

    #[test]
    fn conversions() {
        let single = |x: f32| u64::from(x.to_bits());
        let (float, half, word) = (&Type::Float, &Type::Half, &Type::Int(32));
        assert_eq!(
            cast(CastOp::FPTrunc, single(1.5), float, half),
            Some(0x3E00)
        );
        assert_eq!(cast(CastOp::FPExt, 0x3E00, half, float), Some(single(1.5)));
        let all = u64::from(u32::MAX);
        assert_eq!(cast(CastOp::SIToFP, all, word, float), Some(single(-1.0)));
        assert_eq!(
            cast(CastOp::UIToFP, all, word, float),
            Some(single(4_294_967_296.0))
        );
        let minus = cast(CastOp::FPToSI, single(-2.5), float, word).map(|bits| bits as u32);
        assert_eq!(minus, Some(-2i32 as u32));
        assert_eq!(cast(CastOp::FPToUI, single(-2.5), float, word), None);
        assert_eq!(cast(CastOp::Trunc, 1, word, word), None);
    }
}
