//! The fields of one record, taken in order.

use std::ops::RangeInclusive;
use std::slice::Iter;

use crate::limits;
use crate::module::{Name, ValueId};

use super::Result;
use super::errors::{bad_field, length_error};

/// Fields of a record that are not yet taken. An argument of this type is in registers.
#[derive(Clone)]
pub(super) struct Fields<'r>(Iter<'r, u64>);

impl<'r> Fields<'r> {
    pub(super) fn new(all: &'r [u64]) -> Self {
        Self(all.iter())
    }
    /// Returns the number of fields not yet taken.
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        self.0.len()
    }
    /// Returns the next field.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Result<u64> {
        (self.0.next().copied()).ok_or_else(|| length_error("more"))
    }
    /// Returns the next field, or `default` at the end of the record.
    pub(super) fn take_or(&mut self, default: u64) -> u64 {
        self.0.next().copied().unwrap_or(default)
    }
    /// Returns the next field as 32 bits.
    #[inline]
    pub(super) fn index(&mut self, field: &'static str) -> Result<u32> {
        let found = self.take()?;
        u32::try_from(found).map_err(|_| bad_field(field, found, "32 bits"))
    }
    /// Returns the next field, checked against a range.
    #[inline]
    pub(super) fn in_range(
        &mut self,
        field: &'static str,
        range: RangeInclusive<u64>,
        expected: &'static str,
    ) -> Result<u64> {
        let found = self.take()?;
        if range.contains(&found) {
            Ok(found)
        } else {
            Err(bad_field(field, found, expected))
        }
    }
    /// Returns the next field as an absolute value number, which may be of a later value.
    pub(super) fn value_number(&mut self) -> Result<ValueId> {
        let number = self.in_range("value number", 0..=u64::from(u32::MAX >> 1), "31 bits")?;
        Ok(ValueId::from_u32(number as u32))
    }
    /// Returns the next field as a flag.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool> {
        Ok(self.in_range(field, 0..=1, "0 or 1")? == 1)
    }
    /// Returns the fields not yet taken.
    #[inline]
    pub(super) fn rest(&self) -> &'r [u64] {
        self.0.as_slice()
    }
    /// Returns an error unless all fields are taken.
    #[inline(always)]
    pub(super) fn done(&self, expected: &'static str) -> Result<()> {
        if self.left() == 0 {
            Ok(())
        } else {
            Err(length_error(expected))
        }
    }
}

/// Returns the text of one character a field. Invalid UTF-8 is replaced: names never affect the
/// meaning of a shader.
#[inline]
pub(super) fn text(fields: &[u64]) -> Name {
    let mut short = [0; 64];
    if let Some(bytes) = short.get_mut(..fields.len()) {
        for (byte, &field) in bytes.iter_mut().zip(fields) {
            *byte = field as u8;
        }
        return name(bytes);
    }
    name(&fields.iter().map(|&c| c as u8).collect::<Vec<u8>>())
}

#[inline]
fn name(bytes: &[u8]) -> Name {
    match std::str::from_utf8(bytes) {
        Ok(text) => Name::new(text),
        Err(_) => String::from_utf8_lossy(bytes).into(),
    }
}

/// Integers are stored with the sign in the lowest bit; `1` is the most negative one.
#[inline]
pub(super) fn signed(field: u64) -> i64 {
    let magnitude = (field >> 1) as i64;
    match (field & 1 == 0, field) {
        (true, _) => magnitude,
        (false, 1) => i64::MIN,
        (false, _) => -magnitude,
    }
}

/// Returns the alignment in bytes from LLVM's `log2 + 1`; 0 is none.
pub(super) fn alignment(exponent: u64) -> Result<u32> {
    match exponent {
        0 => Ok(0),
        1..=limits::MAX_ALIGN_EXPONENT => Ok(1 << (exponent - 1)),
        found => Err(bad_field("alignment exponent", found, "at most 30")),
    }
}
