//! Makers of the errors of this reader, without their place: [`Error::within`] adds it further out.

use crate::bitstream::Stream;
use crate::error::{BitcodeErrorKind, Error, Place};
use crate::module::TypeId;

use super::Result;

/// Returns an error about valid LLVM that DXIL does not permit.
#[cold]
pub(super) fn unsupported(what: &'static str) -> Error {
    BitcodeErrorKind::Unsupported { what }.into_error()
}

/// Returns an error about the wrong number of fields; [`in_record`] adds the number.
#[cold]
pub(super) fn length_error(expected: &'static str) -> Error {
    let found = 0;
    BitcodeErrorKind::RecordLength { found, expected }.into_error()
}

/// Returns the error about the last record of a stream, with its position and length.
#[cold]
pub(super) fn in_record(mut error: Error, stream: &Stream<'_>, place: Place) -> Error {
    if let Error::Bitcode(error) = &mut error
        && let BitcodeErrorKind::RecordLength { found, .. } = &mut error.kind
    {
        *found = stream.record().len();
    }
    error.within(stream.record_offset(), place)
}

/// Returns an error about a required part that is missing.
#[cold]
pub(super) fn missing(what: &'static str) -> Error {
    BitcodeErrorKind::Missing { what }.into_error()
}

/// Returns an error about a broken control-flow rule.
#[cold]
pub(super) fn control_flow(what: &'static str) -> Error {
    BitcodeErrorKind::ControlFlow { what }.into_error()
}

/// Returns an error about a record code that cannot be skipped.
#[cold]
pub(super) fn unknown_record(code: u32) -> Error {
    BitcodeErrorKind::UnknownRecord { code }.into_error()
}

/// Returns an error about a field outside of its range.
#[cold]
pub(super) fn bad_field(
    field: &'static str,
    found: impl Into<u64>,
    expected: &'static str,
) -> Error {
    let found = found.into();
    BitcodeErrorKind::Field {
        field,
        found,
        expected,
    }
    .into_error()
}

/// Returns an error about an index beyond its table, or a count that is not the announced one.
#[cold]
pub(super) fn out_of_range(what: &'static str, index: impl Into<u64>, count: u64) -> Error {
    let index = index.into();
    BitcodeErrorKind::Index { what, index, count }.into_error()
}

/// Returns an error about a count beyond its limit.
#[cold]
pub(super) fn too_many(what: &'static str, count: u64, limit: u64) -> Error {
    BitcodeErrorKind::Limit { what, count, limit }.into_error()
}

/// Returns an error about a value that the function never defines.
#[cold]
pub(super) fn unresolved(value: u32, count: u32) -> Error {
    BitcodeErrorKind::UnresolvedValue { value, count }.into_error()
}

/// Returns an error about the wrong class of a type.
#[cold]
pub(super) fn operand_type<T>(
    what: &'static str,
    found: TypeId,
    expected: &'static str,
) -> Result<T> {
    Err(BitcodeErrorKind::OperandType {
        what,
        found,
        expected,
    }
    .into_error())
}

/// Checks two types that must be the same.
#[inline]
pub(super) fn same_type(what: &'static str, found: TypeId, expected: TypeId) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(BitcodeErrorKind::TypeMismatch {
        what,
        found,
        expected,
    }
    .into_error())
}

/// Returns an index that is below `count`.
#[inline]
pub(super) fn below(what: &'static str, index: u64, count: usize) -> Result<u32> {
    let count = count as u64;
    if index < count {
        Ok(index as u32)
    } else {
        Err(out_of_range(what, index, count))
    }
}
