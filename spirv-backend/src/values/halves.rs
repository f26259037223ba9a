//! Halves that were converted to `f32`: converting one back gives the bits that it had, which is a bit
//! cast instead of two conversions. HLSL has no other way to pack halves than by `f32`.

use rspirv::spirv::Word;

/// Where a half is that an `f32` has the value of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Half {
    /// A 16-bit float.
    Float(Word),
    /// The low 16 bits of a `u32`.
    Bits(Word),
}

/// The `f32` of a function that are converted halves. A half dominates the uses of its `f32`, since
/// its definition dominates the conversion.
#[derive(Default, Debug)]
pub(crate) struct Halves {
    /// By id, in ascending order, in which ids are made.
    list: Vec<(Word, Half)>,
}

impl Halves {
    /// Records that `float` is a converted half.
    pub(crate) fn insert(&mut self, float: Word, half: Half) {
        if self.list.last().is_none_or(|last| last.0 < float) {
            self.list.push((float, half));
        }
    }

    /// Returns the half that `float` was converted from, if it was.
    pub(crate) fn get(&self, float: Word) -> Option<Half> {
        let at = self.list.binary_search_by_key(&float, |entry| entry.0);
        at.ok().map(|at| self.list[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_found_by_their_result() {
        let mut halves = Halves::default();
        halves.insert(4, Half::Float(2));
        halves.insert(9, Half::Bits(3));
        assert_eq!(halves.get(9), Some(Half::Bits(3)));
        assert_eq!(halves.get(4), Some(Half::Float(2)));
        assert_eq!(halves.get(5), None);
    }
}
