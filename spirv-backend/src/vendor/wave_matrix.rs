//! Types and products of matrices of a wave, as AGS numbers them. All matrices are of 16 rows and 16
//! columns.

/// The type of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    I8,
    U8,
    F16,
    F32,
    I32,
    U32,
    /// 5 bits of exponent (`BF8`).
    E5M2,
    /// 4 bits of exponent (`FP8`).
    E4M3,
}

impl Element {
    fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0x2 => Self::I8,
            0x3 => Self::U8,
            0x4 => Self::F16,
            0x6 => Self::F32,
            0x7 => Self::I32,
            0x8 => Self::U32,
            0x9 => Self::E5M2,
            0xA => Self::E4M3,
            _ => return None,
        })
    }

    /// Returns the bits of an element.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::I8 | Self::U8 | Self::E5M2 | Self::E4M3 => 8,
            Self::F16 => 16,
            Self::F32 | Self::I32 | Self::U32 => 32,
        }
    }

    /// Returns true for floats.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::E5M2 | Self::E4M3)
    }

    /// Returns true for signed integers.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I32)
    }
}

/// A type of matrices, and how they are in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MatrixType {
    /// The elements.
    pub(crate) element: Element,
    /// SPIR-V's number of the use: left operand, right operand, accumulator.
    pub(crate) used_as: u32,
    /// In memory a column comes after the other.
    pub(crate) column_major: bool,
    code: u32,
}

impl MatrixType {
    /// Returns the type with AGS's number: 4 bits for the elements, 3 for the use, one for the layout,
    /// and others that are 0 for 16 rows and columns.
    pub(crate) fn from_code(code: u64) -> Option<Self> {
        let used_as = code >> 4 & 7;
        if code > 0xFF || used_as > 2 {
            return None;
        }
        Some(Self {
            element: Element::from_number(code & 0xF)?,
            used_as: used_as as u32,
            column_major: code & 0x80 != 0,
            code: code as u32,
        })
    }

    /// Returns the number of the type.
    pub(crate) fn code(self) -> u32 {
        self.code
    }

    /// Returns the bits of an element.
    pub(crate) fn bits(self) -> u32 {
        self.element.bits()
    }
}

/// A product of two matrices, to which a third is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Product {
    /// The elements of the left operand, of the right one, and of the result.
    pub(crate) elements: [Element; 3],
    /// A sum that is too large becomes the largest number.
    pub(crate) saturates: bool,
    code: u32,
}

impl Product {
    /// Returns the product with AGS's number: 7 bits for the types, and bit 15 for saturation.
    pub(crate) fn from_code(code: u64) -> Option<Self> {
        use Element::{E4M3, E5M2, F16, F32, I8, I32, U8};
        let saturates = code & 0x8000 != 0;
        let elements = match code & !0x8000 {
            0x1 => [F16, F16, F16],
            0x3 => [E5M2, E5M2, F32],
            0x4 => [E5M2, E4M3, F32],
            0x5 => [F16, F16, F32],
            0x6 => [E4M3, E5M2, F32],
            0x7 => [E4M3, E4M3, F32],
            0xC => [I8, I8, I32],
            0xD => [U8, U8, I32],
            0xE => [I8, U8, I32],
            0xF => [U8, I8, I32],
            _ => return None,
        };
        if saturates && elements[2] != I32 {
            return None;
        }
        let code = code as u32;
        Some(Self {
            elements,
            saturates,
            code,
        })
    }

    /// Returns the number of the product.
    pub(crate) fn code(self) -> u32 {
        self.code
    }
}
