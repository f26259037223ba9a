//! Scalar types of values. A value of any of them is held in a `u64`, its bits at the bottom and
//! zeros above.

use crate::half;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Scalar {
    I1,
    I8,
    I16,
    I32,
    I64,
    /// An integer of another width: 2 to 63 bits, kept in no memory.
    Odd(u8),
    F16,
    F32,
    F64,
    /// See [`crate::memory::Pointer`].
    Pointer,
}

impl Scalar {
    /// Returns the width in bits.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::I8 => 8,
            Self::I16 | Self::F16 => 16,
            Self::I32 | Self::F32 => 32,
            Self::I64 | Self::F64 | Self::Pointer => 64,
            Self::Odd(bits) => u32::from(bits),
        }
    }
    /// Returns all bits set.
    pub(crate) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
    /// Bytes in memory. `bool` takes 4, as HLSL has it.
    pub(crate) fn bytes(self) -> u32 {
        if self == Self::I1 {
            4
        } else {
            self.bits().div_ceil(8)
        }
    }
    /// Returns whether it is a float.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }
    /// Returns the value as a signed number.
    pub(crate) fn signed(self, value: u64) -> i64 {
        let unused = 64 - self.bits();
        (value << unused) as i64 >> unused
    }
    /// Returns the value of a float type.
    pub(crate) fn to_f64(self, value: u64) -> f64 {
        match self {
            Self::F16 => half::to_f64(value as u16),
            Self::F32 => f64::from(f32::from_bits(value as u32)),
            _ => f64::from_bits(value),
        }
    }
    /// Returns the nearest value of a float type, ties to even.
    pub(crate) fn round(self, value: f64) -> u64 {
        match self {
            Self::F16 => u64::from(half::from_f64(value)),
            Self::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        }
    }
}
