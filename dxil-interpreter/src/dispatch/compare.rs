//! Comparison of a resource after a run with the dispatch file's expectation.

use super::{Binding, DispatchError, Tolerance};

/// The first number of a resource that is not as expected.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// Byte offset, or `None` for the counter.
    pub offset: Option<usize>,
    /// The bytes expected there.
    pub expected: Vec<u8>,
    /// The bytes found there.
    pub found: Vec<u8>,
}

impl Binding {
    /// Compares the contents after a run with the expected ones; `None` if they agree, or nothing
    /// is expected.
    ///
    /// # Errors
    /// See [`Data::bytes`](super::Data::bytes).
    pub fn mismatch(
        &self,
        found: &[u8],
        counter: Option<u32>,
    ) -> Result<Option<Mismatch>, DispatchError> {
        if let Some(expected) = self.expect_counter
            && counter != Some(expected)
        {
            let found = counter.map_or_else(Vec::new, |counter| counter.to_le_bytes().to_vec());
            return Ok(Some(Mismatch {
                offset: None,
                expected: expected.to_le_bytes().to_vec(),
                found,
            }));
        }
        let Some(expected) = self.expected()? else {
            return Ok(None);
        };
        Ok(first_difference(&expected, found, self.tolerance))
    }
}

/// Returns the first number where `found` is not `expected`, to the bit without `tolerance`.
pub fn first_difference(
    expected: &[u8],
    found: &[u8],
    tolerance: Option<Tolerance>,
) -> Option<Mismatch> {
    let width = tolerance.map_or(4, |tolerance| tolerance.number.bytes());
    let chunk = |bytes: &[u8], at: usize| {
        bytes
            .get(at..bytes.len().min(at + width))
            .unwrap_or_default()
            .to_vec()
    };
    for offset in (0..expected.len().max(found.len())).step_by(width) {
        let (a, b) = (chunk(expected, offset), chunk(found, offset));
        if a != b && !tolerance.is_some_and(|tolerance| tolerance.allows(&a, &b)) {
            return Some(Mismatch {
                offset: Some(offset),
                expected: a,
                found: b,
            });
        }
    }
    None
}

impl Tolerance {
    fn allows(self, expected: &[u8], found: &[u8]) -> bool {
        let (Some(expected), Some(found)) = (self.number.read(expected), self.number.read(found))
        else {
            return false;
        };
        if expected.is_nan() || found.is_nan() {
            return expected.is_nan() && found.is_nan();
        }
        // Not even a finite number is near to infinity.
        expected == found
            || expected.is_finite()
                && (expected - found).abs() <= self.absolute.max(self.relative * expected.abs())
    }
}
