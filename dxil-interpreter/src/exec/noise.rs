//! Results that Vulkan leaves open, varied at random: a value that is the same in runs with different
//! seeds is the same on every device.
//!
//! Errors are as in "Precision and Operation of SPIR-V Instructions" in the Vulkan specification.
//! Exact sums, products and conversions are not varied. Where there are two permitted results, such
//! as denormals and zeros, one seed has the first, one the second, and one either at random. Waves
//! advance in a random order, and lanes access memory in a random order.

use std::cell::Cell;

use trellis_dxil_frontend::dxop::{ConvertOp, MathOp, PackedOp, WaveOp};
use trellis_dxil_frontend::module::{BinaryOp, CastOp};

use super::Results;
use crate::action::{Action, Exchange, Pure};
use crate::dispatch::split_mix;
use crate::scalar::Scalar;

/// Error of an interpolated input, relative to its greatest corner.
const INTERPOLATION: f64 = 1.0 / (1 << 18) as f64;
/// Error of a position in a texture, in texels: filters have 8 bits.
const TEXEL: f64 = 1.0 / 256.0;
/// Positions outside are any.
const TEXELS: f32 = 32768.0;
/// Error of trigonometric functions.
const ANGLE: f64 = 1.0 / (1 << 11) as f64;
/// Least error of a logarithm.
const LOGARITHM: f64 = 1.0 / (1 << 21) as f64;

/// Source of variations.
#[derive(Debug)]
pub(super) struct Noise {
    state: Cell<u64>,
    /// The choice between two permitted results; `None` at random.
    choice: Option<bool>,
    /// Sums and products are the nearest numbers, and logarithms of denormals wrong: as in most devices, so
    /// that what a rounded number decides is what it is there.
    usual: bool,
}

/// Returns the distance of 1 and the next number of a type.
fn epsilon(ty: Scalar) -> f64 {
    match ty {
        Scalar::F16 => 1.0 / f64::from(1 << 10),
        Scalar::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    }
}

/// Returns the least number above 0.
fn least(ty: Scalar) -> f64 {
    match ty {
        Scalar::F16 => 1.0 / f64::from(1 << 24),
        Scalar::F32 => f64::from(f32::from_bits(1)),
        _ => f64::from_bits(1),
    }
}

/// Returns a sum; NaN if it is rounded (Knuth's `TwoSum`).
fn sum(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let of_y = sum - x;
    let error = (x - (sum - of_y)) + (y - of_y);
    if error == 0.0 { sum } else { f64::NAN }
}

impl Noise {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            state: Cell::new(seed << 32),
            choice: [None, Some(true), Some(false)][(seed % 3) as usize],
            usual: seed / 3 % 2 == 1,
        }
    }

    /// Returns a number below `count`, which is not 0.
    pub(super) fn below(&self, count: usize) -> usize {
        self.state.set(self.state.get().wrapping_add(1));
        (split_mix(self.state.get()) % count as u64) as usize
    }

    /// Returns a zero: its sign is not preserved.
    fn zero(&self, ty: Scalar, value: u64) -> u64 {
        value ^ u64::from(self.flip()) << (ty.bytes() * 8 - 1)
    }

    /// Returns any number of a type, an undefined one: often a usual one, as few operations on others
    /// have different results.
    pub(super) fn any(&self, ty: Scalar) -> u64 {
        match (self.below(4), ty.is_float()) {
            (0, _) => self.below(usize::MAX) as u64 & ty.mask(),
            (_, true) => ty.round(self.part() * 4.0),
            (_, false) => self.below(8) as u64,
        }
    }

    /// Returns a number from 0.5 to 1 or from -1 to -0.5: not 0, and hardly ever the same twice, so that
    /// neither one result nor a difference of two is unchanged.
    fn part(&self) -> f64 {
        let size = 0.5 + self.below(1 << 20) as f64 / f64::from(1 << 21);
        if self.below(2) == 0 { size } else { -size }
    }

    /// Decides between two permitted results.
    pub(super) fn flip(&self) -> bool {
        self.choice.unwrap_or_else(|| self.below(2) == 0)
    }

    /// Returns lanes in a random order.
    pub(super) fn shuffled(&self, lanes: &[usize]) -> Vec<usize> {
        let mut lanes = lanes.to_vec();
        for end in (1..lanes.len()).rev() {
            lanes.swap(end, self.below(end + 1));
        }
        lanes
    }

    /// Returns a number that differs from `value` by at most `error`.
    fn near(&self, ty: Scalar, value: u64, error: f64) -> u64 {
        let number = ty.to_f64(value);
        // Not even a large error makes a number of infinity, nor a negative root.
        if !number.is_finite() || error == 0.0 || !error.is_finite() {
            return value;
        }
        ty.round(number + self.part() * error)
    }

    /// Returns a number that differs from `value` by at most some units in the last place, unless
    /// `value` is `exact`.
    fn rounded(&self, ty: Scalar, value: u64, exact: f64, units: f64) -> u64 {
        let number = ty.to_f64(value);
        if number == exact {
            return value;
        }
        let unit = (epsilon(ty) * number.abs()).max(least(ty));
        self.near(ty, value, units * unit)
    }

    /// Varies the result of an operation. A signed division by 0 has an undefined one.
    pub(super) fn binary(&self, op: BinaryOp, ty: Scalar, a: u64, b: u64, value: u64) -> u64 {
        if !ty.is_float() {
            let is_undefined = matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && b == 0;
            return if is_undefined { self.any(ty) } else { value };
        }
        let (x, y) = (ty.to_f64(a), ty.to_f64(b));
        if ty.to_f64(value) == 0.0 {
            return self.zero(ty, value);
        }
        match op {
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul if self.usual => value,
            BinaryOp::FAdd => self.rounded(ty, value, sum(x, y), 1.0),
            BinaryOp::FSub => self.rounded(ty, value, sum(x, -y), 1.0),
            BinaryOp::FMul => {
                let product = x * y;
                let is_exact = x.mul_add(y, -product) == 0.0;
                let exact = if is_exact { product } else { f64::NAN };
                self.rounded(ty, value, exact, 1.0)
            }
            // A reciprocal of a power of two is exact.
            BinaryOp::FDiv if y.to_bits() << 12 == 0 => value,
            BinaryOp::FDiv => self.rounded(ty, value, f64::NAN, 3.0),
            BinaryOp::FRem if y.is_finite() && y != 0.0 => {
                let quotient = x / y * (1.0 + self.part() * 3.0 * epsilon(ty));
                ty.round(x - y * quotient.trunc())
            }
            _ => value,
        }
    }

    /// Varies the result of a cast.
    pub(super) fn cast(&self, op: CastOp, from: Scalar, to: Scalar, a: u64, value: u64) -> u64 {
        let exact = match op {
            CastOp::FPTrunc => from.to_f64(a),
            CastOp::UIToFP => a as f64,
            CastOp::SIToFP => from.signed(a) as f64,
            _ => return value,
        };
        self.rounded(to, value, exact, 1.0)
    }

    /// Varies the result of an operation on a lane's operands.
    pub(super) fn pure(&self, op: Pure, ty: Scalar, args: &[u64], value: u64) -> u64 {
        let number = |index: usize| args.get(index).map_or(0.0, |&bits| ty.to_f64(bits));
        let (x, result) = (number(0), ty.to_f64(value).abs());
        let least_normal = f64::from(f32::MIN_POSITIVE);
        let units = |count: f64| self.rounded(ty, value, f64::NAN, count);
        let sum = |ty: Scalar, terms: &[f64]| {
            let size: f64 = terms.iter().map(|term| term.abs()).sum();
            if terms.iter().sum::<f64>() == ty.to_f64(value) {
                return value;
            }
            self.near(ty, value, size * epsilon(ty))
        };
        let dot = |count: usize| {
            let terms: Vec<f64> = (0..count).map(|i| number(i) * number(i + count)).collect();
            sum(ty, &terms)
        };
        match op {
            Pure::Math(MathOp::FMax | MathOp::FMin) if ty.is_float() && result == 0.0 => {
                self.zero(ty, value)
            }
            Pure::Math(op) => match op {
                MathOp::Dot2 => dot(2),
                MathOp::Dot3 => dot(3),
                MathOp::Dot4 => dot(4),
                MathOp::FMad | MathOp::Fma => sum(ty, &[x * number(1), number(2)]),
                MathOp::Frc => self.rounded(ty, value, x - x.floor(), 1.0),
                MathOp::Cos | MathOp::Sin => self.near(ty, value, ANGLE * x.abs().max(1.0)),
                MathOp::Tan => {
                    let error = ANGLE * x.abs().max(1.0) * (1.0 + result * result);
                    self.near(ty, value, error)
                }
                MathOp::Acos
                | MathOp::Asin
                | MathOp::Atan
                | MathOp::Hcos
                | MathOp::Hsin
                | MathOp::Htan => self.near(ty, value, ANGLE * result.max(1.0)),
                MathOp::Exp => units(3.0 + 2.0 * x.abs()),
                // Approximations read the fields of a denormal as if it were normal.
                MathOp::Log if self.usual && x > 0.0 && x < least_normal => {
                    ty.round((1.0 + x / least_normal).log2() - 127.0)
                }
                MathOp::Log => {
                    let error = (3.0 * epsilon(ty) * result).max(LOGARITHM);
                    self.near(ty, value, error)
                }
                MathOp::Sqrt => units(5.0),
                MathOp::Rsqrt => units(2.0),
                _ => value,
            },
            Pure::Packed(PackedOp::Dot2AddHalf) => {
                let half = |index: usize| args.get(index).map_or(0.0, |&n| Scalar::F16.to_f64(n));
                let acc = Scalar::F32.to_f64(args.first().copied().unwrap_or(0));
                let terms = [acc, half(1) * half(3), half(2) * half(4)];
                sum(Scalar::F32, &terms)
            }
            Pure::Convert(ConvertOp::LegacyF32ToF16) => {
                let exact = Scalar::F32.to_f64(args.first().copied().unwrap_or(0));
                self.rounded(Scalar::F16, value, exact, 1.0)
            }
            Pure::Convert(ConvertOp::LegacyDoubleToFloat) => {
                let exact = Scalar::F64.to_f64(args.first().copied().unwrap_or(0));
                self.rounded(Scalar::F32, value, exact, 1.0)
            }
            _ => value,
        }
    }

    /// Varies the results of an operation of a wave: sums and products of floats in any order.
    pub(super) fn wave(&self, op: Exchange, ty: Scalar, column: &[u64], values: &mut [[u64; 4]]) {
        let is_fold = matches!(
            op,
            Exchange::Wave(WaveOp::WaveActiveOp | WaveOp::WavePrefixOp | WaveOp::WaveMultiPrefixOp)
        );
        if !is_fold || !ty.is_float() {
            return;
        }
        let size: f64 = column.iter().map(|&n| ty.to_f64(n).abs()).sum();
        let part = self.part();
        for [value, ..] in values {
            let number = ty.to_f64(*value);
            if number.is_finite() && !column.contains(value) {
                let error = 4.0 * epsilon(ty) * size.max(number.abs());
                *value = ty.round(number + part * error);
            }
        }
    }

    /// Varies an interpolated input.
    pub(super) fn interpolated(&self, ty: Scalar, value: u64, corners: [f64; 3]) -> u64 {
        let size = corners.iter().fold(0.0, |size: f64, at| size.max(at.abs()));
        if corners.iter().all(|&at| at == corners[0]) {
            return value;
        }
        self.near(ty, value, INTERPOLATION * size)
    }

    /// Varies numbers that come from outside: halves may be floats there, and the intersection of a ray is
    /// computed in any way.
    pub(super) fn stored(&self, action: Action, ty: Scalar, results: &mut Results) {
        let error = match (action, ty) {
            (Action::Stage(_) | Action::Resource(_) | Action::Gather(_), Scalar::F16) => 1.0,
            (Action::RayQuery(_), Scalar::F32) => INTERPOLATION / epsilon(ty),
            _ => return,
        };
        self.units(ty, &mut results[..4], error);
    }

    /// Varies numbers by at most some units in the last place.
    pub(super) fn units(&self, ty: Scalar, values: &mut [u64], units: f64) {
        for value in values {
            *value = self.rounded(ty, *value, f64::NAN, units);
        }
    }

    /// Varies a position in texels.
    pub(super) fn texel(&self, at: f32) -> f32 {
        if at.is_nan() || at.abs() >= TEXELS {
            return (self.part() * f64::from(TEXELS)) as f32;
        }
        // A fraction that the filter has is exact.
        let is_exact = f64::from(at) / TEXEL % 1.0 == 0.0;
        if is_exact {
            return at;
        }
        at + (self.part() * TEXEL) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alu;

    #[test]
    fn only_results_that_devices_may_round_are_varied() {
        // Of a zero its sign.
        let is_varied = |op, ty: Scalar, a: f64, b: f64| {
            let (a, b) = (ty.round(a), ty.round(b));
            let value = alu::binary(op, ty, a, b, false);
            let mut noises = (1..7).map(Noise::new);
            noises.any(|noise| noise.binary(op, ty, a, b, value) != value)
        };
        for ty in [Scalar::F16, Scalar::F32, Scalar::F64] {
            for (op, a, b, expected) in [
                (BinaryOp::FAdd, 1.0, 2.0, false),
                (BinaryOp::FAdd, 1.0, 0.3 * f64::EPSILON, true),
                (BinaryOp::FMul, 3.0, 0.5, false),
                (BinaryOp::FMul, 1.1, 1.1, true),
                (BinaryOp::FDiv, 3.0, 4.0, false),
                (BinaryOp::FDiv, 1.0, 3.0, true),
                (BinaryOp::FSub, 0.0, 0.0, true),
            ] {
                // The second case adds 1 and 0 in halves.
                let expected = expected && (b == 0.0 || b > 1e-3 || ty != Scalar::F16);
                assert_eq!(is_varied(op, ty, a, b), expected, "{op:?} {ty:?} {a} {b}");
            }
        }
        let division = |b| Noise::new(1).binary(BinaryOp::SDiv, Scalar::I32, 6, b, 7);
        assert_eq!(division(2), 7);
        assert_ne!(division(0), 7);
    }

    #[test]
    fn a_choice_of_two_has_a_seed_for_each() {
        let flips = |seed| [0; 64].map(|_| Noise::new(seed).flip());
        assert_eq!((flips(1), flips(2)), ([true; 64], [false; 64]));
        let log = |seed| {
            let value = Scalar::F32.round(-149.0);
            let noise = Noise::new(seed);
            let log = noise.pure(Pure::Math(MathOp::Log), Scalar::F32, &[1], value);
            Scalar::F32.to_f64(log).round()
        };
        assert_eq!([log(2), log(5)], [-149.0, -127.0]);
        let noise = Noise::new(3);
        let flips = [0; 64].map(|_| noise.flip());
        assert!(flips.contains(&true) && flips.contains(&false));
        let lanes: Vec<usize> = (0..64).collect();
        let mut shuffled = noise.shuffled(&lanes);
        assert_ne!(shuffled, lanes);
        shuffled.sort_unstable();
        assert_eq!(shuffled, lanes);
    }
}
