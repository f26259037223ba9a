//! Bit sequences that most files contain, computed at compile time and compared with the file's
//! bits.

use super::Stream;
use super::decode::load;

/// Up to `N` bytes of bits.
#[derive(Clone, Copy)]
pub(crate) struct KnownBits<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> KnownBits<N> {
    /// Returns an empty sequence of bits.
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; N],
            len: 0,
        }
    }

    /// Returns the number of bits.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Appends the lowest `width` bits of a value.
    pub(crate) const fn fixed(&mut self, value: u64, width: u32) {
        let mut bit = 0;
        while bit < width {
            self.bytes[self.len / 8] |= ((value >> bit & 1) as u8) << (self.len % 8);
            self.len += 1;
            bit += 1;
        }
    }

    /// Appends an integer in chunks of `width` bits.
    pub(crate) const fn vbr(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }
}

impl Stream<'_> {
    /// Passes over these bits if they come next, from a whole byte on, in a block with abbreviation
    /// ids of that width; otherwise it does nothing.
    pub(crate) fn pass_known<const N: usize>(&mut self, width: u32, known: &KnownBits<N>) -> bool {
        let (bytes, rest) = (known.len / 8, known.len % 8);
        let from = self.pos / 8;
        let same = self.scope.width == width
            && self.pos.is_multiple_of(8)
            && known.len <= self.remaining_bits()
            && known
                .bytes
                .get(..bytes)
                .is_some_and(|known| self.data.get(from..from + bytes) == Some(known))
            && (load(self.data, self.pos + bytes * 8) ^ load(&known.bytes, bytes * 8))
                & ((1 << rest) - 1)
                == 0;
        if same {
            self.pos += known.len;
        }
        same
    }
}
