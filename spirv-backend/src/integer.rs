//! Arithmetic on integer constants, as LLVM defines it.

use trellis_dxil_frontend::module::{BinaryOp, Predicate};

/// Returns a mask of the low `width` bits.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// Sign-extends the low `width` bits of `value`.
pub(crate) fn sign_extend(value: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((value << shift) as i64) >> shift
}

/// Compares two zero-extended numbers of `width` bits; `None` for a comparison of floats.
pub(crate) fn compare(predicate: Predicate, a: u64, b: u64, width: u32) -> Option<bool> {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    Some(match predicate {
        Predicate::IEq => a == b,
        Predicate::INe => a != b,
        Predicate::IUgt => a > b,
        Predicate::IUge => a >= b,
        Predicate::IUlt => a < b,
        Predicate::IUle => a <= b,
        Predicate::ISgt => sa > sb,
        Predicate::ISge => sa >= sb,
        Predicate::ISlt => sa < sb,
        Predicate::ISle => sa <= sb,
        _ => return None,
    })
}

/// Evaluates an integer operation on zero-extended operands, without truncation; `None` for one of
/// floats, and where LLVM's result is undefined.
pub(crate) fn binary(op: BinaryOp, a: u64, b: u64, width: u32) -> Option<u64> {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    let shift = u32::try_from(b).ok().filter(|&s| s < width);
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::SDiv => sa.checked_div(sb)? as u64,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::SRem => sa.checked_rem(sb)? as u64,
        BinaryOp::Shl => a << shift?,
        BinaryOp::LShr => a >> shift?,
        BinaryOp::AShr => (sa >> shift?) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::binary;
    use trellis_dxil_frontend::module::BinaryOp;

    #[test]
    fn constant_expressions_never_trap() {
        assert_eq!(binary(BinaryOp::UDiv, 1, 0, 32), None);
        assert_eq!(binary(BinaryOp::SDiv, 1 << 63, u64::MAX, 64), None);
        assert_eq!(binary(BinaryOp::Shl, 1, 32, 32), None);
        assert_eq!(binary(BinaryOp::AShr, 0x8000_0000, 31, 32), Some(u64::MAX));
    }
}
