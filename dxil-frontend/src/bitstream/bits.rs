//! Fixed-width and variable-width integers from the current position of a stream, and alignment to
//! 32 bits.
//!
//! Each read is checked against the end of the current block. The usual widths take one load of
//! eight bytes; integers that are longer are read chunk by chunk.

use super::decode::load;
use super::{Result, Stream};
use crate::error::{BitcodeErrorKind, Error};

impl Stream<'_> {
    #[cold]
    pub(super) fn unexpected_end(&self, wanted: u64) -> Error {
        BitcodeErrorKind::UnexpectedEnd { wanted }.at(self.base + self.pos / 8)
    }

    /// Returns at least [`decode::WINDOW`] bits from the current position on, zero beyond the end
    /// of the data.
    #[inline(always)]
    pub(super) fn peek(&self) -> u64 {
        load(self.data, self.pos)
    }

    /// Reads up to 64 bits.
    #[inline(always)]
    pub(super) fn fixed(&mut self, width: u32) -> Result<u64> {
        let width_bits = width as usize;
        if width_bits > self.remaining_bits() {
            return Err(self.unexpected_end(u64::from(width)));
        }
        if width <= 57 {
            let value = self.peek() & ((1 << width) - 1);
            self.pos += width_bits;
            return Ok(value);
        }
        Ok(self.fixed_wide(width))
    }

    /// Returns 58 to 64 bits, which must exist.
    #[cold]
    fn fixed_wide(&mut self, width: u32) -> u64 {
        let low = self.peek() & 0xffff_ffff;
        self.pos += 32;
        let high = self.peek() & ((1 << (width - 32)) - 1);
        self.pos += width as usize - 32;
        low | high << 32
    }

    /// Reads a variable-width integer in chunks of `WIDTH` bits; one chunk is the rule.
    #[inline(always)]
    pub(super) fn vbr<const WIDTH: u32>(&mut self) -> Result<u64> {
        let word = self.peek();
        if word >> (WIDTH - 1) & 1 == 0 && WIDTH as usize <= self.remaining_bits() {
            self.pos += WIDTH as usize;
            return Ok(word & ((1 << (WIDTH - 1)) - 1));
        }
        self.vbr_long(WIDTH)
    }

    /// Reads a variable-width integer of a width (2 to 32) that an abbreviation gives.
    #[inline]
    pub(super) fn vbr_of(&mut self, width: u32) -> Result<u64> {
        match width {
            6 => self.vbr::<6>(),
            8 => self.vbr::<8>(),
            _ => self.vbr_long(width),
        }
    }

    /// As many chunks as one load holds; longer ones and those at the end of a block one by one.
    #[inline]
    pub(super) fn vbr_long(&mut self, width: u32) -> Result<u64> {
        let more = 1 << (width - 1);
        let window = 57.min(self.remaining_bits() as u64) as u32;
        let mut word = self.peek();
        let (mut value, mut shift, mut used) = (0, 0, width);
        while used <= window {
            value |= (word & (more - 1)) << shift;
            if word & more == 0 {
                self.pos += used as usize;
                return Ok(value);
            }
            word >>= width;
            shift += width - 1;
            used += width;
        }
        self.vbr_chunks(width)
    }

    #[cold]
    fn vbr_chunks(&mut self, width: u32) -> Result<u64> {
        let more = 1 << (width - 1);
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let chunk = self.fixed(width)?;
            let bits = chunk & (more - 1);
            if bits != 0 {
                if shift >= 64 || (bits << shift) >> shift != bits {
                    let kind = BitcodeErrorKind::Field {
                        field: "variable-width integer",
                        found: bits,
                        expected: "at most 64 bits",
                    };
                    return Err(kind.at(self.base + self.pos / 8));
                }
                value |= bits << shift;
            }
            if chunk & more == 0 {
                return Ok(value);
            }
            shift = (shift + width - 1).min(64);
        }
    }

    #[inline]
    pub(super) fn align(&mut self) -> Result<()> {
        let aligned = self.pos.next_multiple_of(32);
        if aligned > self.scope.end {
            return Err(self.unexpected_end((aligned - self.pos) as u64));
        }
        self.pos = aligned;
        Ok(())
    }
}
