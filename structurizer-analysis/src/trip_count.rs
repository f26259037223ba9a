//! How often a test holds whose left side grows by a constant.

use trellis_structurizer::ir::Value;

/// The comparison of a [`Test`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
        }
    }
}

/// A comparison of a value with a constant: `left comparison right`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Test {
    /// The comparison.
    pub comparison: Comparison,
    /// True if both sides are two's complement numbers.
    pub is_signed: bool,
    /// The value.
    pub left: Value,
    /// The constant, of the width of the value; higher bits do not matter.
    pub right: u64,
}

/// Returns how often in a row a comparison with `right` has the result `holds`, for the numbers
/// `start`, `start + step`, ... of `bits` bits; none if it always has, or if that depends on numbers
/// that wrap around.
pub(crate) fn repetitions(
    bits: u32,
    (start, step, right): (u64, u64, u64),
    (comparison, is_signed): (Comparison, bool),
    holds: bool,
) -> Option<u64> {
    if !(1..=64).contains(&bits) {
        return None;
    }
    let modulus = 1i128 << bits;
    let unsigned = |number: u64| i128::from(number) & (modulus - 1);
    let signed = |number: u64| match unsigned(number) {
        number if number >= modulus / 2 => number - modulus,
        number => number,
    };
    let number = |of: u64| if is_signed { signed(of) } else { unsigned(of) };
    let (min, max) = match is_signed {
        true => (-modulus / 2, modulus / 2 - 1),
        false => (0, modulus - 1),
    };
    let (first, last, by) = (number(start), number(right), signed(step));
    let comparison = if holds {
        comparison
    } else {
        comparison.negated()
    };
    // The distance to the first number for which it does not hold, and the way there.
    let (distance, by, room) = match comparison {
        Comparison::Equal => {
            return match (first == last, by) {
                (false, _) => Some(0),
                (true, 0) => None,
                (true, _) => Some(1),
            };
        }
        Comparison::NotEqual => {
            let distance = (last - first) & (modulus - 1);
            let (up, down) = (by & (modulus - 1), -by & (modulus - 1));
            return match (distance, by) {
                (0, _) => Some(0),
                (_, 0) => None,
                _ if distance % up == 0 => u64::try_from(distance / up).ok(),
                _ if (modulus - distance) % down == 0 => {
                    u64::try_from((modulus - distance) / down).ok()
                }
                _ => None,
            };
        }
        Comparison::Less => (last - first, by, max - first),
        Comparison::LessEqual => (last - first + 1, by, max - first),
        Comparison::Greater => (first - last, -by, first - min),
        Comparison::GreaterEqual => (first - last + 1, -by, first - min),
    };
    if distance <= 0 {
        return Some(0);
    }
    if by <= 0 {
        return None;
    }
    let count = (distance + by - 1) / by;
    (count * by <= room)
        .then_some(count)
        .and_then(|count| u64::try_from(count).ok())
}

#[cfg(test)]
mod tests {
    use super::{Comparison, repetitions};

    /// By counting, for all numbers of four bits.
    #[test]
    fn the_same_as_by_counting() {
        let number = |of: u64, is_signed: bool| match is_signed && of >= 8 {
            true => i128::from(of) - 16,
            false => i128::from(of),
        };
        let all = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
        ];
        let (mut found, mut ends) = (0, 0);
        for case in 0..16 * 16 * 16 * 4 {
            let (start, step, right) = (case % 16, case / 16 % 16, case / 256 % 16);
            let (is_signed, holds) = (case / 4096 % 2 == 1, case / 8192 == 1);
            for comparison in all {
                let mut count = None;
                for steps in 0..40 {
                    let left = number((start + steps * step) % 16, is_signed);
                    let right = number(right, is_signed);
                    let result = match comparison {
                        Comparison::Equal => left == right,
                        Comparison::NotEqual => left != right,
                        Comparison::Less => left < right,
                        Comparison::LessEqual => left <= right,
                        Comparison::Greater => left > right,
                        Comparison::GreaterEqual => left >= right,
                    };
                    if result != holds {
                        count = Some(steps);
                        break;
                    }
                }
                ends += u32::from(count.is_some());
                let numbers = (start, step, right);
                let computed = repetitions(4, numbers, (comparison, is_signed), holds);
                if computed.is_some() {
                    found += 1;
                    assert_eq!(
                        computed, count,
                        "{numbers:?} {comparison:?} {is_signed} {holds}"
                    );
                }
            }
        }
        // The others wrap around before they end.
        assert!(found * 10 > ends * 7, "{found} of {ends}");
    }

    #[test]
    fn wide_numbers_do_not_overflow() {
        let less = (Comparison::Less, false);
        assert_eq!(
            repetitions(64, (0, 1, u64::MAX), less, true),
            Some(u64::MAX)
        );
        assert_eq!(repetitions(64, (0, 2, u64::MAX), less, true), None);
        let not_equal = (Comparison::NotEqual, true);
        assert_eq!(repetitions(64, (1, 1, 0), not_equal, true), Some(u64::MAX));
        assert_eq!(repetitions(0, (0, 1, 1), less, true), None);
        assert_eq!(repetitions(65, (0, 1, 1), less, true), None);
    }
}
