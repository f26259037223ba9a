//! Exact conversions between IEEE half and wider floats (IEEE 754-2019, 3.4 and 4.3.1), on bits.

/// Returns the value of a half, exactly. A NaN keeps its sign and becomes quiet.
///
/// ```
/// use trellis_dxil_interpreter::half;
/// assert_eq!(half::to_f64(0x3c00), 1.0);
/// assert_eq!(half::to_f64(0x0001), 2f64.powi(-24));
/// ```
pub fn to_f64(bits: u16) -> f64 {
    let sign = u64::from(bits >> 15) << 63;
    let exponent = u64::from(bits >> 10 & 0x1f);
    let fraction = u64::from(bits & 0x3ff);
    match exponent {
        0 => {
            let magnitude = fraction as f64 * f64::from_bits((1023 - 24) << 52);
            f64::from_bits(magnitude.to_bits() | sign)
        }
        31 if fraction != 0 => f64::from_bits(sign | 0x7ff8 << 48 | fraction << 42),
        31 => f64::from_bits(sign | 0x7ff << 52),
        _ => f64::from_bits(sign | (exponent + 1023 - 15) << 52 | fraction << 42),
    }
}

/// Returns the value of a half as `f32`, exactly.
pub fn to_f32(bits: u16) -> f32 {
    to_f64(bits) as f32
}

/// Returns the nearest half, ties to even; beyond the largest finite half by half a unit or more,
/// infinity.
///
/// ```
/// use trellis_dxil_interpreter::half;
/// assert_eq!(half::from_f64(1.0), 0x3c00);
/// assert_eq!(half::from_f64(65519.0), 0x7bff);
/// assert_eq!(half::from_f64(65520.0), 0x7c00);
/// ```
pub fn from_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let magnitude = bits & !(1 << 63);
    if magnitude > 0x7ff << 52 {
        return sign | 0x7e00;
    }
    let exponent = (magnitude >> 52) as i64 - 1023;
    if exponent > 15 {
        return sign | 0x7c00;
    }
    if exponent < -25 {
        return sign;
    }
    let significand = (magnitude & ((1 << 52) - 1)) | 1 << 52;
    // Number of the 53 bits that are below the half's last place: 42, and more for subnormal halves.
    let (drop, base) = if exponent < -14 {
        (42 + (-14 - exponent) as u32, 0)
    } else {
        (42, ((exponent + 14) as u16) << 10)
    };
    let kept = (significand >> drop) as u16;
    let rest = significand & ((1 << drop) - 1);
    let middle = 1u64 << (drop - 1);
    let up = rest > middle || (rest == middle && kept & 1 == 1);
    // A normal number's implicit bit adds one to the exponent, and a carry out of the fraction one
    // more.
    sign | (base + kept + u16::from(up))
}

/// Returns the nearest half of an `f32`, ties to even.
pub fn from_f32(value: f32) -> u16 {
    from_f64(f64::from(value))
}

/// Returns a number of `exponent` bits (bias 15) and `fraction` bits without sign, as in
/// `R11G11B10_FLOAT`.
pub(crate) fn small_to_f32(bits: u32, fraction: u32) -> f32 {
    to_f32((bits << (10 - fraction)) as u16)
}

/// Computes the inverse of [`small_to_f32`]: negative numbers become 0, rounding is toward zero by
/// D3D's format rules, NaN stays NaN.
pub(crate) fn small_from_f32(value: f32, fraction: u32) -> u32 {
    let infinity = 0x1f << fraction;
    if value.is_nan() {
        return infinity | 1;
    }
    if value == f32::INFINITY {
        return infinity;
    }
    if value <= 0.0 {
        return 0;
    }
    let limit = small_to_f32(infinity - 1, fraction);
    let value = value.min(limit);
    // The nearest half, one less if it lies above, without the bits that do not fit.
    let mut bits = from_f32(value);
    if to_f32(bits) > value {
        bits -= 1;
    }
    u32::from(bits) >> (10 - fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_there_and_back() {
        for bits in 0..=u16::MAX {
            let value = to_f64(bits);
            if value.is_nan() {
                assert!(bits & 0x7fff > 0x7c00 && from_f64(value) == bits & 0x8000 | 0x7e00);
            } else {
                assert_eq!(from_f64(value), bits);
                assert_eq!(f64::from(to_f32(bits)), value);
            }
        }
    }

    #[test]
    fn between_two_halves_the_nearest_is_taken_and_the_even_one_of_a_tie() {
        for bits in 0..0x7bff_u16 {
            let (low, high) = (to_f64(bits), to_f64(bits + 1));
            let middle = f64::midpoint(low, high);
            assert_eq!(from_f64(middle), bits + (bits & 1), "tie above {low}");
            assert_eq!(from_f64(f64::from_bits(middle.to_bits() - 1)), bits);
            assert_eq!(from_f64(f64::from_bits(middle.to_bits() + 1)), bits + 1);
        }
    }

    #[test]
    fn small_floats_round_toward_zero() {
        assert_eq!(small_from_f32(1.0, 6), 15 << 6);
        assert_eq!(small_to_f32(15 << 6, 6), 1.0);
        assert_eq!(small_from_f32(1.999, 5), (15 << 5) | 31);
        assert_eq!(small_from_f32(-3.0, 6), 0);
        assert_eq!(small_from_f32(1e9, 6), 0x7bf);
        assert_eq!(small_from_f32(f32::INFINITY, 5), 0x3e0);
    }
}
