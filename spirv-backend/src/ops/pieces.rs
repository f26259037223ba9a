//! Accesses to several neighbouring elements of a buffer, as vectors where these are aligned.
//!
//! A vector is read or written whole: its size divides the unit in which the buffer is inside or
//! outside of its bounds, so that none of its elements is outside where another is not.

use smallvec::SmallVec;

/// Known alignment of an address in bytes: its remainder by a power of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Alignment {
    pub(super) modulus: u32,
    pub(super) remainder: u32,
}

impl Alignment {
    /// Returns the alignment of a multiple of `bytes`, at most `limit`, which is a power of two.
    pub(super) fn of_multiple(bytes: u32, limit: u32) -> Self {
        let modulus = match bytes {
            0 => limit,
            _ => (1 << bytes.trailing_zeros()).min(limit),
        };
        let remainder = 0;
        Self { modulus, remainder }
    }

    /// Returns the alignment of the sum of the address and a number.
    pub(super) fn plus(self, number: u32) -> Self {
        let remainder = self.remainder.wrapping_add(number) & (self.modulus - 1);
        Self { remainder, ..self }
    }
}

/// Elements that are accessed at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// The first of them.
    pub(super) first: u32,
    /// How many there are: 1, 2 or 4.
    pub(super) lanes: u32,
}

/// Splits an access to the elements of `bytes` bytes after an address whose bits in `used` are 1.
/// A load may include others, a store may not.
pub(super) fn pieces(
    alignment: Alignment,
    bytes: u32,
    used: u32,
    is_load: bool,
) -> SmallVec<[Piece; 8]> {
    let mut pieces = SmallVec::new();
    let mut rest = used;
    while rest != 0 {
        let element = rest.trailing_zeros();
        let vector = [4, 2]
            .into_iter()
            .find_map(|lanes| vector(alignment, bytes, element, lanes, rest, is_load));
        let piece = vector.unwrap_or(Piece {
            first: element,
            lanes: 1,
        });
        rest &= !piece.mask();
        pieces.push(piece);
    }
    pieces
}

/// Returns the vector that an element is in, if it has enough of the elements in `rest`.
fn vector(
    alignment: Alignment,
    bytes: u32,
    element: u32,
    lanes: u32,
    rest: u32,
    is_load: bool,
) -> Option<Piece> {
    let size = bytes * lanes;
    if !alignment.modulus.is_multiple_of(size) || !alignment.remainder.is_multiple_of(bytes) {
        return None;
    }
    let lane = (alignment.remainder / bytes + element) % lanes;
    let first = element.checked_sub(lane)?;
    let piece = Piece { first, lanes };
    let half = Piece {
        first: first + lanes / 2,
        lanes: lanes / 2,
    };
    let lower = piece.mask() & !half.mask();
    let pays = rest & lower != 0 && rest & half.mask() != 0;
    let is_whole = rest & piece.mask() == piece.mask();
    (is_whole || is_load && pays).then_some(piece)
}

impl Piece {
    fn mask(self) -> u32 {
        let ones = (1 << self.lanes) - 1;
        u32::checked_shl(ones, self.first).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Alignment, pieces};

    fn split(modulus: u32, remainder: u32, bytes: u32, used: u32, is_load: bool) -> String {
        let alignment = Alignment { modulus, remainder };
        let pieces = pieces(alignment, bytes, used, is_load);
        let text = pieces.iter().map(|p| format!("{}x{}", p.first, p.lanes));
        text.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn aligned_elements_are_vectors() {
        assert_eq!(split(16, 0, 4, 0b1111, true), "0x4");
        assert_eq!(split(8, 0, 4, 0b1111, true), "0x2 2x2");
        assert_eq!(split(4, 0, 4, 0b1111, true), "0x1 1x1 2x1 3x1");
        assert_eq!(split(16, 8, 4, 0b1111, true), "0x2 2x2");
        assert_eq!(split(16, 4, 4, 0b1111, true), "0x1 1x2 3x1");
        assert_eq!(split(4, 2, 2, 0b1111, false), "0x1 1x2 3x1");
        assert_eq!(split(16, 0, 4, 0xFF, false), "0x4 4x4");
        assert_eq!(split(16, 1, 2, 0b11, true), "0x1 1x1", "between two");
    }

    #[test]
    fn only_loads_include_others() {
        assert_eq!(split(16, 0, 4, 0b0111, true), "0x4");
        assert_eq!(split(16, 0, 4, 0b0111, false), "0x2 2x1");
        assert_eq!(split(16, 0, 4, 0b1001, true), "0x4");
        assert_eq!(split(16, 0, 4, 0b1001, false), "0x1 3x1");
        assert_eq!(split(16, 0, 4, 0b0011, true), "0x2");
        assert_eq!(split(16, 0, 4, 0b0100, true), "2x1");
        assert_eq!(split(16, 0, 4, 0, true), "");
    }

    #[test]
    fn sums() {
        let sum = Alignment::of_multiple(24, 16).plus(20);
        assert_eq!((sum.modulus, sum.remainder), (8, 4));
        assert_eq!(Alignment::of_multiple(0, 16).modulus, 16);
    }
}
