//! Operations in which lanes exchange data: only the lanes that run together take part.
//!
//! Reading a lane that does not run here is undefined in D3D; this model gives the value that the
//! lane last had. A lane number beyond the wave gives 0.

use trellis_dxil_frontend::dxop::{DerivativeOp, QuadOp, WaveOp};
use trellis_dxil_frontend::module::BinaryOp;

use crate::action::Exchange;
use crate::alu::{self, binary};
use crate::scalar::Scalar;

/// Returns the results of an operation, one for each of `lanes`; only `active` lanes take part in
/// wave operations. `columns` holds each operand for all lanes of the wave.
pub(super) fn run(
    op: Exchange,
    ty: Scalar,
    width: usize,
    lanes: &[usize],
    active: &[usize],
    columns: &[Vec<u64>],
) -> Vec<[u64; 4]> {
    let arg = |index: usize, lane: usize| {
        columns
            .get(index)
            .and_then(|column| column.get(lane))
            .copied()
            .unwrap_or(0)
    };
    let scalar = |f: &dyn Fn(usize) -> u64| lanes.iter().map(|&lane| [f(lane), 0, 0, 0]).collect();
    match op {
        Exchange::LaneIndex => scalar(&|lane| lane as u64),
        Exchange::LaneCount => scalar(&|_| width as u64),
        Exchange::Quad(op) => scalar(&|lane| quad(op, lane, lanes, &arg)),
        Exchange::Derivative(op) => scalar(&|lane| derivative(op, ty, lane, &arg)),
        Exchange::Wave(op) => wave(op, ty, lanes, active, &arg),
    }
}

fn wave(
    op: WaveOp,
    ty: Scalar,
    all: &[usize],
    lanes: &[usize],
    arg: &dyn Fn(usize, usize) -> u64,
) -> Vec<[u64; 4]> {
    let scalar = |f: &dyn Fn(usize) -> u64| all.iter().map(|&lane| [f(lane), 0, 0, 0]).collect();
    let uniform = |value: u64| vec![[value, 0, 0, 0]; all.len()];
    let before = |lane: usize| lanes.iter().copied().take_while(move |&other| other < lane);
    let first = lanes.first().copied().unwrap_or(0);
    let set = |lane: usize| arg(0, lane) & 1 == 1;
    match op {
        WaveOp::WaveIsFirstLane => scalar(&|lane| u64::from(lane == first)),
        WaveOp::WaveAnyTrue => uniform(u64::from(lanes.iter().any(|&lane| set(lane)))),
        WaveOp::WaveAllTrue => uniform(u64::from(lanes.iter().all(|&lane| set(lane)))),
        WaveOp::WaveActiveAllEqual => uniform(u64::from(
            lanes
                .iter()
                .all(|&lane| equal(ty, arg(0, lane), arg(0, first))),
        )),
        WaveOp::WaveActiveBallot => {
            vec![words(lanes.iter().copied().filter(|&lane| set(lane))); all.len()]
        }
        WaveOp::WaveAllBitCount => uniform(lanes.iter().filter(|&&lane| set(lane)).count() as u64),
        WaveOp::WavePrefixBitCount => {
            scalar(&|lane| before(lane).filter(|&other| set(other)).count() as u64)
        }
        WaveOp::WaveReadLaneAt => scalar(&|lane| arg(0, arg(1, lane) as usize)),
        WaveOp::WaveReadLaneFirst => uniform(arg(0, first)),
        WaveOp::WaveActiveOp => {
            let combine = |a, b| active(ty, arg(1, first), arg(2, first) == 0, a, b);
            uniform(
                lanes
                    .iter()
                    .map(|&lane| arg(0, lane))
                    .reduce(combine)
                    .unwrap_or(0),
            )
        }
        WaveOp::WaveActiveBit => uniform(
            lanes
                .iter()
                .map(|&lane| arg(0, lane))
                .reduce(|a, b| bit(arg(1, first), a, b))
                .unwrap_or(0),
        ),
        WaveOp::WavePrefixOp => scalar(&|lane| {
            let product = arg(1, lane) == 1;
            before(lane)
                .map(|other| arg(0, other))
                .fold(identity(ty, product), |a, b| {
                    active(ty, u64::from(product), true, a, b)
                })
        }),
        WaveOp::WaveMatch => all
            .iter()
            .map(|&lane| {
                words(
                    lanes
                        .iter()
                        .copied()
                        .filter(|&other| equal(ty, arg(0, other), arg(0, lane))),
                )
            })
            .collect(),
        WaveOp::WaveMultiPrefixOp => scalar(&|lane| {
            let kind = arg(5, lane);
            let start = match kind {
                0 => identity(ty, false),
                1 => ty.mask(),
                2 | 3 => 0,
                _ => identity(ty, true),
            };
            before(lane)
                .filter(|&other| in_mask(arg, 1, lane, other))
                .map(|other| arg(0, other))
                .fold(start, |a, b| match kind {
                    0 => active(ty, 0, true, a, b),
                    1 => a & b,
                    2 => a | b,
                    3 => a ^ b,
                    _ => active(ty, 1, true, a, b),
                })
        }),
        WaveOp::WaveMultiPrefixBitCount => scalar(&|lane| {
            before(lane)
                .filter(|&other| in_mask(arg, 1, lane, other) && set(other))
                .count() as u64
        }),
    }
}

/// Exchanges values between the four lanes of a quad.
fn quad(op: QuadOp, lane: usize, lanes: &[usize], arg: &dyn Fn(usize, usize) -> u64) -> u64 {
    match op {
        QuadOp::QuadReadLaneAt => arg(0, lane & !3 | arg(1, lane) as usize & 3),
        // 0 across X, 1 across Y, 2 across the diagonal.
        QuadOp::QuadOp => arg(0, lane ^ (arg(1, lane) as usize + 1).min(3)),
        QuadOp::QuadVote => {
            let set = |lane: usize| arg(0, lane) & 1 == 1;
            let mut quad = lanes.iter().filter(|&&other| other & !3 == lane & !3);
            u64::from(if arg(1, lane) == 0 {
                quad.any(|&other| set(other))
            } else {
                quad.all(|&other| set(other))
            })
        }
    }
}

/// Returns the difference of two lanes of a quad; coarse derivatives use its first row and
/// column.
fn derivative(op: DerivativeOp, ty: Scalar, lane: usize, arg: &dyn Fn(usize, usize) -> u64) -> u64 {
    let (low, step) = match op {
        DerivativeOp::DerivCoarseX => (lane & !3, 1),
        DerivativeOp::DerivCoarseY => (lane & !3, 2),
        DerivativeOp::DerivFineX => (lane & !1, 1),
        DerivativeOp::DerivFineY => (lane & !2, 2),
    };
    binary(BinaryOp::FSub, ty, arg(0, low + step), arg(0, low), false)
}

/// Returns whether `lane` is in the four-word mask that lane `other` passes as operands `at` and
/// after.
fn in_mask(arg: &dyn Fn(usize, usize) -> u64, at: usize, lane: usize, other: usize) -> bool {
    arg(at + other / 32, lane) >> (other % 32) & 1 == 1
}

/// Returns a set of lanes as four words.
fn words(lanes: impl Iterator<Item = usize>) -> [u64; 4] {
    let mut words = [0; 4];
    for lane in lanes {
        if let Some(word) = words.get_mut(lane / 32) {
            *word |= 1 << (lane % 32);
        }
    }
    words
}

/// Floats are equal by value, so that NaN is not equal to itself.
fn equal(ty: Scalar, a: u64, b: u64) -> bool {
    if ty.is_float() {
        ty.to_f64(a) == ty.to_f64(b)
    } else {
        a == b
    }
}

/// Returns 0 or 1 of a type.
fn identity(ty: Scalar, product: bool) -> u64 {
    match (product, ty.is_float()) {
        (false, _) => 0,
        (true, true) => ty.round(1.0),
        (true, false) => 1,
    }
}

/// Returns the sum (0), product (1), minimum (2) or maximum (3). Floats are added and multiplied in
/// the lanes' order.
fn active(ty: Scalar, kind: u64, signed: bool, a: u64, b: u64) -> u64 {
    let float = ty.is_float();
    match kind {
        0 => binary(
            if float { BinaryOp::FAdd } else { BinaryOp::Add },
            ty,
            a,
            b,
            false,
        ),
        1 => binary(
            if float { BinaryOp::FMul } else { BinaryOp::Mul },
            ty,
            a,
            b,
            false,
        ),
        _ if float => alu::min_max(ty, a, b, kind == 3),
        _ => {
            let less = if signed {
                ty.signed(a) < ty.signed(b)
            } else {
                a < b
            };
            if less == (kind == 2) { a } else { b }
        }
    }
}

/// Returns the bitwise and (0), or (1), or exclusive or (2).
fn bit(kind: u64, a: u64, b: u64) -> u64 {
    match kind {
        0 => a & b,
        1 => a | b,
        _ => a ^ b,
    }
}

#[cfg(test)]
mod tests {
    use trellis_dxil_frontend::dxop::Op;

    use super::*;
    use crate::action::Action;

    /// Returns the first results of an operation on values of lanes 0 to 7, with further operands
    /// alike in all lanes.
    fn first(op: Op, lanes: &[usize], values: [u64; 8], more: &[u64]) -> Vec<u64> {
        let Some(Action::Wave(op)) = Action::of(op.classify()) else {
            panic!("{op:?} is not an operation of waves");
        };
        let mut columns = vec![values.to_vec()];
        columns.extend(more.iter().map(|&value| vec![value; 8]));
        run(op, Scalar::I32, 8, lanes, lanes, &columns)
            .iter()
            .map(|result| result[0])
            .collect()
    }

    const VALUES: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

    #[test]
    fn only_the_lanes_that_run_count() {
        assert_eq!(
            first(Op::WaveActiveOp, &[1, 3, 6], VALUES, &[0, 1]),
            [13, 13, 13]
        );
        assert_eq!(
            first(Op::WaveActiveOp, &[1, 3, 6], VALUES, &[1, 1]),
            [56, 56, 56]
        );
        assert_eq!(
            first(Op::WavePrefixOp, &[1, 3, 6], VALUES, &[0, 1]),
            [0, 2, 6]
        );
        assert_eq!(first(Op::WaveReadLaneFirst, &[3, 6], VALUES, &[]), [4, 4]);
        assert_eq!(first(Op::WaveIsFirstLane, &[3, 6], VALUES, &[]), [1, 0]);
        assert_eq!(
            first(
                Op::WaveActiveBallot,
                &[0, 1, 2, 7],
                [1, 0, 1, 1, 1, 1, 1, 1],
                &[]
            ),
            [0b1000_0101; 4]
        );
    }

    #[test]
    fn minimum_and_maximum_heed_the_sign() {
        let values = [0xffff_ffff, 2, 3, 4, 5, 6, 7, 8];
        assert_eq!(
            first(Op::WaveActiveOp, &[0, 1], values, &[2, 0])[0],
            0xffff_ffff
        );
        assert_eq!(first(Op::WaveActiveOp, &[0, 1], values, &[2, 1])[0], 2);
        assert_eq!(
            first(Op::WaveActiveOp, &[0, 1], values, &[3, 1])[0],
            0xffff_ffff
        );
    }

    #[test]
    fn groups_of_a_multi_prefix_are_apart() {
        assert_eq!(
            first(Op::WaveMatch, &[0, 1, 2, 3], [5, 6, 5, 6, 0, 0, 0, 0], &[]),
            [0b0101, 0b1010, 0b0101, 0b1010]
        );
        // Lanes 0, 2 and 4 are in the mask.
        assert_eq!(
            first(
                Op::WaveMultiPrefixOp,
                &[0, 2, 4],
                VALUES,
                &[0b1_0101, 0, 0, 0, 0, 1]
            ),
            [0, 1, 4]
        );
    }

    #[test]
    fn quads_are_four_lanes_in_a_row() {
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(
            first(Op::QuadOp, &all, VALUES, &[0]),
            [2, 1, 4, 3, 6, 5, 8, 7]
        );
        assert_eq!(
            first(Op::QuadOp, &all, VALUES, &[1]),
            [3, 4, 1, 2, 7, 8, 5, 6]
        );
        assert_eq!(
            first(Op::QuadOp, &all, VALUES, &[2]),
            [4, 3, 2, 1, 8, 7, 6, 5]
        );
        assert_eq!(
            first(Op::QuadReadLaneAt, &all, VALUES, &[2]),
            [3, 3, 3, 3, 7, 7, 7, 7]
        );
    }
}
