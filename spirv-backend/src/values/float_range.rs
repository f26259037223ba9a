//! Bounds of floats, from the operands' instructions, in time that [`STEPS`] bounds and without a
//! table. A conversion to an integer saturates only where the float may be out of range.
//!
//! Bounds are computed in `f64` and are a little too wide: a driver may fuse a product and a sum, and an
//! operation rounds in the type of its result.

use std::cell::Cell;

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Constant, Inst, InstId, InstKind, Type, TypeId, ValueId,
};
use trellis_dxil_frontend::shader::{SemanticKind, ShaderKind};

use super::FunctionContext;
use super::constant::half_to_float;
use super::known_bits;

/// How many instructions are looked through, one after the other.
const DEPTH: u32 = 6;

/// How many instructions are looked at for one float.
const STEPS: u32 = 64;

/// The greatest coordinate of a pixel, with much to spare: D3D's and Vulkan's images have 2^15 pixels a side.
const MAX_PIXEL: f64 = 131_072.0;

/// Bounds of a float.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct FloatRange {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// It may be NaN, which is out of bounds.
    pub(crate) may_be_nan: bool,
}

impl FloatRange {
    /// Any float.
    pub(crate) const ALL: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        may_be_nan: true,
    };

    /// Returns the bounds of a float that is not NaN.
    fn new(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            may_be_nan: false,
        }
    }

    fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite() && !self.may_be_nan
    }

    fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            may_be_nan: self.may_be_nan || other.may_be_nan,
        }
    }

    /// Returns the bounds of the results of an operation whose exact results are in these, in a type whose
    /// greatest float is `max`.
    fn rounded(self, max: f64) -> Self {
        let wide = |bound: f64| bound.abs() * 1e-3 + f64::from(f32::MIN_POSITIVE);
        let away = |bound: f64, by: f64| match bound {
            // Rounding does not change the sign.
            0.0 => 0.0,
            _ => bound + by,
        };
        let (low, high) = (
            away(self.low, -wide(self.low)),
            away(self.high, wide(self.high)),
        );
        Self {
            low: if low < -max { f64::NEG_INFINITY } else { low },
            high: if high > max { f64::INFINITY } else { high },
            ..self
        }
    }
}

/// Returns the bounds of a float.
pub(crate) fn float_range(c: &FunctionContext<'_>, value: ValueId) -> FloatRange {
    range(c, value, DEPTH, &Cell::new(STEPS))
}

/// Returns the greatest finite float of a type.
fn max_of(c: &FunctionContext<'_>, ty: TypeId) -> f64 {
    match c.module.types.get(ty) {
        Some(Type::Half) => 65504.0,
        _ => f32::MAX.into(),
    }
}

fn range(c: &FunctionContext<'_>, value: ValueId, depth: u32, steps: &Cell<u32>) -> FloatRange {
    let Some(left) = steps.get().checked_sub(1) else {
        return FloatRange::ALL;
    };
    steps.set(left);
    if let Some(number) = float_constant(c, value) {
        return match number.is_nan() {
            true => FloatRange::ALL,
            false => FloatRange::new(number, number),
        };
    }
    let Some((inst, data)) = c.def(value).filter(|_| depth > 0) else {
        return FloatRange::ALL;
    };
    let of = |value| range(c, value, depth - 1, steps);
    match data.kind {
        InstKind::Binary { op, lhs, rhs, .. } => {
            let a = of(lhs);
            if a == FloatRange::ALL && lhs != rhs {
                return a;
            }
            let b = of(rhs);
            let exact = match op {
                BinaryOp::FAdd => sum(a, b),
                BinaryOp::FSub => sum(a, negated(b)),
                BinaryOp::FMul if lhs == rhs => square(a),
                BinaryOp::FMul => product(a, b),
                BinaryOp::FDiv if b.low > 0.0 => {
                    product(a, FloatRange::new(1.0 / b.high, 1.0 / b.low))
                }
                _ => FloatRange::ALL,
            };
            exact.rounded(max_of(c, data.ty))
        }
        InstKind::Cast { op, value } => cast(c, op, value, data, of),
        InstKind::Select { then, else_, .. } => of(then).or(of(else_)),
        InstKind::Phi { incoming } => {
            let mut found: Option<FloatRange> = None;
            for (value, _) in c.function.phi_incoming(incoming) {
                let next = of(value);
                let both = found.map_or(next, |found| found.or(next));
                found = Some(both);
                if both == FloatRange::ALL {
                    // As in a loop, where the bounds of a phi depend on themselves.
                    break;
                }
            }
            found.unwrap_or(FloatRange::ALL)
        }
        InstKind::Call { .. } => operation(c, inst, data.ty, of),
        _ => FloatRange::ALL,
    }
}

/// Returns a scalar constant that is a float.
pub(crate) fn float_constant(c: &FunctionContext<'_>, value: ValueId) -> Option<f64> {
    let constant = c.module.constant(Some(c.function), value)?;
    let bits = match constant.value {
        Constant::Float(bits) => bits,
        Constant::Null => 0,
        _ => return None,
    };
    Some(match c.module.types.get(constant.ty)? {
        Type::Half => f32::from_bits(half_to_float(bits as u16)).into(),
        Type::Float => f32::from_bits(bits as u32).into(),
        Type::Double => f64::from_bits(bits),
        _ => return None,
    })
}

fn negated(a: FloatRange) -> FloatRange {
    FloatRange {
        low: -a.high,
        high: -a.low,
        ..a
    }
}

fn sum(a: FloatRange, b: FloatRange) -> FloatRange {
    match a.is_finite() || b.is_finite() {
        true => FloatRange {
            low: a.low + b.low,
            high: a.high + b.high,
            may_be_nan: a.may_be_nan || b.may_be_nan,
        },
        // Infinities of both signs have no sum.
        false => FloatRange::ALL,
    }
}

fn product(a: FloatRange, b: FloatRange) -> FloatRange {
    if !a.is_finite() || !b.is_finite() {
        return FloatRange::ALL;
    }
    let corners = [
        a.low * b.low,
        a.low * b.high,
        a.high * b.low,
        a.high * b.high,
    ];
    let [low, high] = [f64::min, f64::max].map(|pick| corners.into_iter().reduce(pick));
    FloatRange::new(
        low.unwrap_or(f64::NEG_INFINITY),
        high.unwrap_or(f64::INFINITY),
    )
}

fn square(a: FloatRange) -> FloatRange {
    let ends = (a.low * a.low, a.high * a.high);
    let spans_zero = a.low <= 0.0 && a.high >= 0.0;
    FloatRange {
        low: if spans_zero { 0.0 } else { ends.0.min(ends.1) },
        high: ends.0.max(ends.1),
        ..a
    }
}

fn cast(
    c: &FunctionContext<'_>,
    op: CastOp,
    value: ValueId,
    data: &Inst,
    of: impl Fn(ValueId) -> FloatRange,
) -> FloatRange {
    let max = max_of(c, data.ty);
    match op {
        CastOp::UIToFP => FloatRange::new(0.0, known_bits::greatest(c, value)).rounded(max),
        CastOp::SIToFP => {
            let bits = known_bits::width(c, value);
            let half = 2f64.powi(bits as i32 - 1);
            let greatest = known_bits::greatest(c, value);
            let low = if greatest < half { 0.0 } else { -half };
            FloatRange::new(low, greatest.min(half)).rounded(max)
        }
        CastOp::FPExt => of(value),
        CastOp::FPTrunc => of(value).rounded(max),
        _ => FloatRange::ALL,
    }
}

fn operation(
    c: &FunctionContext<'_>,
    inst: InstId,
    ty: TypeId,
    of: impl Fn(ValueId) -> FloatRange,
) -> FloatRange {
    let Ok(Some(call)) = c.parse(inst) else {
        return FloatRange::ALL;
    };
    let operand = |at| call.operand(at).map_or(FloatRange::ALL, &of);
    let rounded = |round: fn(f64) -> f64| {
        let a = operand(0);
        FloatRange {
            low: round(a.low),
            high: round(a.high),
            ..a
        }
    };
    match call.op {
        Op::Saturate => FloatRange::new(0.0, 1.0),
        Op::FAbs => {
            let a = operand(0);
            FloatRange {
                low: if a.low > 0.0 { a.low } else { 0.0 },
                high: a.high.abs().max(a.low.abs()),
                ..a
            }
        }
        Op::RoundNe | Op::RoundZ | Op::RoundNi | Op::RoundPi => FloatRange {
            low: rounded(f64::floor).low,
            ..rounded(f64::ceil)
        },
        // 2 to the power of the operand.
        Op::Exp => FloatRange {
            low: 0.0,
            high: f64::INFINITY,
            ..operand(0)
        },
        Op::Frc if operand(0).is_finite() => FloatRange::new(0.0, 1.0),
        Op::Sqrt => {
            let a = operand(0);
            match a.low >= 0.0 {
                true => FloatRange {
                    low: 0.0,
                    high: a.high.sqrt(),
                    ..a
                }
                .rounded(max_of(c, ty)),
                false => FloatRange::ALL,
            }
        }
        // The other operand where one is NaN.
        Op::FMax | Op::FMin => {
            let (a, b) = (operand(0), operand(1));
            let pick = |x: f64, y: f64| match call.op {
                Op::FMax => x.max(y),
                _ => x.min(y),
            };
            let mut all = FloatRange::new(pick(a.low, b.low), pick(a.high, b.high));
            for (one, other) in [(a, b), (b, a)] {
                if one.may_be_nan {
                    all.low = all.low.min(other.low);
                    all.high = all.high.max(other.high);
                }
            }
            all.may_be_nan = a.may_be_nan && b.may_be_nan;
            all
        }
        Op::FMad | Op::Fma => {
            sum(product(operand(0), operand(1)), operand(2)).rounded(max_of(c, ty))
        }
        Op::LoadInput if is_pixel(c, &call) => FloatRange::new(0.0, MAX_PIXEL),
        _ => FloatRange::ALL,
    }
}

/// Returns whether an input is a coordinate of the pixel.
fn is_pixel(c: &FunctionContext<'_>, call: &DxCall<'_>) -> bool {
    let number = |at| call.operand(at).and_then(|value| c.const_int(value));
    let element = number(0).and_then(|id| {
        let mut inputs = c.entry.signatures.input.iter();
        inputs.find(|element| u64::from(element.id) == id)
    });
    c.entry.kind == ShaderKind::Pixel
        && element.is_some_and(|element| element.semantic == SemanticKind::Position)
        && number(2).is_some_and(|column| column < 2)
}

#[cfg(test)]
mod tests {
    use shader_testkit::Random;

    use super::{FloatRange, negated, product, square, sum};

    /// Returns bounds, and a float in them.
    fn float(rng: &mut Random) -> (FloatRange, f32) {
        let mut number = || {
            let scale = [1.0, 16.0, 1e5];
            (rng.below(2_000_001) as f32 - 1e6) / scale[rng.below(3)]
        };
        let [a, b] = [number(), number()];
        let x = a + (b - a) * (rng.below(101) as f32 / 100.0);
        let (low, high) = (a.min(b), a.max(b));
        (FloatRange::new(low.into(), high.into()), x.clamp(low, high))
    }

    #[test]
    fn results_are_in_the_bounds_fused_or_not() {
        let mut rng = Random(3);
        for _ in 0..100_000 {
            let [(a, x), (b, y), (c, z)] = [(); 3].map(|()| float(&mut rng));
            let max = f32::MAX.into();
            let mad = sum(product(a, b).rounded(max), c).rounded(max);
            for (range, found) in [
                (sum(a, b).rounded(max), x + y),
                (sum(a, negated(b)).rounded(max), x - y),
                (product(a, b).rounded(max), x * y),
                (square(a).rounded(max), x * x),
                (mad, x * y + z),
                (mad, x.mul_add(y, z)),
                (a.or(b), x),
                (a.or(b), y),
            ] {
                let found = f64::from(found);
                assert!(
                    range.low <= found && found <= range.high,
                    "{found} in {range:?}"
                );
            }
        }
    }

    #[test]
    fn what_may_be_infinite_may_be_nan() {
        let all = FloatRange::new(f64::NEG_INFINITY, f64::INFINITY);
        let one = FloatRange::new(1.0, 1.0);
        assert_eq!(sum(all, all), FloatRange::ALL);
        assert_eq!(product(all, one), FloatRange::ALL);
        assert_eq!(sum(all, one), all);
        assert_eq!(
            FloatRange::new(0.0, 70_000.0).rounded(65504.0).high,
            f64::INFINITY
        );
    }
}
