//! Random expressions and conditions.

use super::{Make, Place, pick};
use crate::program::*;

impl Make {
    /// Returns a number below `mask + 1`.
    pub(super) fn small(&mut self, place: &Place, orderly: bool, mask: u32) -> Expression {
        let value = self.operand(place, orderly);
        Expression::Binary(
            Binary::And,
            Box::new(value),
            Box::new(Expression::Constant(mask)),
        )
    }

    /// Returns a value with much in its low bits, the same in all threads if `orderly`.
    pub(super) fn operand(&mut self, place: &Place, orderly: bool) -> Expression {
        let counters: Vec<usize> = place
            .counters
            .iter()
            .filter(|(_, same)| *same || !orderly)
            .map(|(number, _)| *number)
            .collect();
        let counter =
            (!counters.is_empty()).then(|| Expression::Counter(*pick(&mut self.rng, &counters)));
        let constant = Expression::Constant(self.rng.below(INPUTS as usize) as u32);
        let add = |a: Expression, b: Expression| {
            Expression::Binary(Binary::Add, Box::new(a), Box::new(b))
        };
        let input = |index: Expression| Expression::Input(Box::new(index));
        if orderly {
            return match (self.rng.below(4), counter) {
                (0, Some(counter)) => counter,
                (1 | 2, Some(counter)) => input(add(counter, constant)),
                (3, _) if self.quads => input(add(Expression::QuadIndex, constant)),
                _ => input(constant),
            };
        }
        match (self.rng.below(10), counter) {
            (0 | 1, Some(counter)) => add(counter, Expression::Lane),
            (2 | 3, Some(counter)) => input(add(add(counter, Expression::Id), constant)),
            (4, Some(counter)) => counter,
            (5, _) => Expression::Lane,
            (6, _) => Expression::Binary(
                Binary::ShiftRight,
                Box::new(Expression::Lane),
                Box::new(Expression::Constant(1 + self.rng.below(3) as u32)),
            ),
            (7, _) => Expression::Variable(self.rng.below(VARIABLES)),
            (8, _) if self.waves => self.expression(place, 1),
            _ => input(add(Expression::Id, constant)),
        }
    }

    pub(super) fn condition(&mut self, place: &Place, orderly: bool, depth: u32) -> Condition {
        match self.rng.below(12) {
            0 | 1 if depth > 0 => Condition::And(
                Box::new(self.condition(place, orderly, depth - 1)),
                Box::new(self.condition(place, orderly, depth - 1)),
            ),
            2 if depth > 0 => Condition::Or(
                Box::new(self.condition(place, orderly, depth - 1)),
                Box::new(self.condition(place, orderly, depth - 1)),
            ),
            3 if depth > 0 => Condition::Not(Box::new(self.condition(place, orderly, depth - 1))),
            4 if self.waves && !orderly => match self.rng.below(4) {
                0 => Condition::AnyTrue(Box::new(self.condition(place, orderly, 0))),
                1 => Condition::AllTrue(Box::new(self.condition(place, orderly, 0))),
                2 => Condition::AllEqual(Box::new(self.small(place, orderly, 1))),
                _ => Condition::IsFirst,
            },
            _ => {
                let mask = *pick(&mut self.rng, &[1, 3, 3, 7, 15]);
                let a = self.small(place, orderly, mask);
                let b = if self.rng.chance(70) {
                    Expression::Constant(self.rng.below(mask as usize + 1) as u32)
                } else {
                    self.small(place, orderly, mask)
                };
                Condition::Compare(*pick(&mut self.rng, &COMPARES), Box::new(a), Box::new(b))
            }
        }
    }

    pub(super) fn expression(&mut self, place: &Place, depth: u32) -> Expression {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf(place);
        }
        let boxed = |value: Expression| Box::new(value);
        match self.rng.below(20) {
            0..10 => Expression::Binary(
                *pick(&mut self.rng, &BINARIES),
                boxed(self.expression(place, depth - 1)),
                boxed(self.expression(place, depth - 1)),
            ),
            10 => Expression::Unary(
                *pick(&mut self.rng, &UNARIES),
                boxed(self.expression(place, depth - 1)),
            ),
            11 | 12 => {
                let condition = Box::new(self.condition(place, false, 1));
                Expression::Select(
                    condition,
                    boxed(self.expression(place, depth - 1)),
                    boxed(self.expression(place, depth - 1)),
                )
            }
            13..16 if self.waves => {
                let all = if self.model >= 5 {
                    &WAVES[..]
                } else {
                    &WAVES[..WAVES.len() - 1]
                };
                Expression::Wave(
                    *pick(&mut self.rng, all),
                    boxed(self.expression(place, depth - 1)),
                )
            }
            16 | 17 if self.waves => {
                let vote = *pick(
                    &mut self.rng,
                    &[
                        Vote::Ballot,
                        Vote::Ballot,
                        Vote::CountBits,
                        Vote::PrefixCountBits,
                    ],
                );
                Expression::Vote(vote, Box::new(self.condition(place, false, 1)))
            }
            18 | 19 if self.quads && place.orderly => {
                let lane = self.rng.below(4) as u32;
                let quad = match self.rng.below(if self.derivatives { 9 } else { 5 }) {
                    0 => Quad::AcrossX,
                    1 => Quad::AcrossY,
                    2 => Quad::Diagonal,
                    3 => Quad::LaneAt(lane),
                    4 => Quad::WaveLane(lane.max(1)),
                    5 | 6 => Quad::DdxFine,
                    _ => Quad::DdyFine,
                };
                Expression::Quad(quad, boxed(self.expression(place, depth - 1)))
            }
            _ => self.operand(place, false),
        }
    }

    /// Returns an expression without operands, or with an index only.
    fn leaf(&mut self, place: &Place) -> Expression {
        match self.rng.below(8) {
            0 => Expression::Constant(*pick(
                &mut self.rng,
                &[0, 1, 2, 5, 31, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff],
            )),
            1 => Expression::Constant(self.rng.below(1000) as u32),
            // Operations that compilers narrow.
            2 if self.rng.chance(30) => {
                let mask = Expression::Constant(*pick(&mut self.rng, &[7, 31, 255, 0xffff]));
                Expression::Binary(
                    Binary::And,
                    Box::new(Expression::Variable(self.rng.below(VARIABLES))),
                    Box::new(mask),
                )
            }
            2..5 => Expression::Variable(self.rng.below(VARIABLES)),
            5 if self.arrays => Expression::Element(Box::new(self.operand(place, false))),
            6 => Expression::Input(Box::new(self.operand(place, false))),
            _ => self.operand(place, false),
        }
    }
}

const COMPARES: [Compare; 6] = [
    Compare::Equal,
    Compare::NotEqual,
    Compare::Less,
    Compare::LessEqual,
    Compare::SignedLess,
    Compare::SignedLessEqual,
];

const UNARIES: [Unary; 6] = [
    Unary::Not,
    Unary::Negate,
    Unary::CountBits,
    Unary::ReverseBits,
    Unary::FirstBitHigh,
    Unary::FirstBitLow,
];

const BINARIES: [Binary; 18] = [
    Binary::Add,
    Binary::Add,
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Remainder,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Xor,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::ArithmeticShiftRight,
    Binary::Min,
    Binary::Max,
    Binary::SignedMin,
    Binary::SignedMax,
];

/// The last needs shader model 6.5.
const WAVES: [Wave; 11] = [
    Wave::Sum,
    Wave::Product,
    Wave::Min,
    Wave::Max,
    Wave::And,
    Wave::Or,
    Wave::Xor,
    Wave::PrefixSum,
    Wave::PrefixProduct,
    Wave::ReadFirst,
    Wave::Match,
];
