//! Decodes the fields of a record from a register, without checks against the end of the block:
//! [`super::usual`] checks once per record.

use std::mem::take;

use super::abbreviation::StoredOp;

/// Bits that one load of eight bytes has at least, wherever in a byte it starts.
pub(super) const WINDOW: u32 = 57;

/// Returns at least [`WINDOW`] bits from a bit position on, zero beyond the end of the data.
#[inline(always)]
pub(super) fn load(data: &[u8], pos: usize) -> u64 {
    let byte = pos >> 3;
    let word = match data
        .get(byte..byte + 8)
        .and_then(|bytes| bytes.first_chunk::<8>())
    {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => load_tail(data, byte),
    };
    word >> (pos & 7)
}

#[cold]
fn load_tail(data: &[u8], byte: usize) -> u64 {
    let mut bytes = [0; 8];
    if let Some(tail) = data.get(byte..) {
        for (to, from) in bytes.iter_mut().zip(tail) {
            *to = *from;
        }
    }
    u64::from_le_bytes(bytes)
}

/// Remaining bits of a load.
#[derive(Clone, Copy)]
pub(super) struct Loaded {
    /// Position of the load.
    pub(super) pos: usize,
    /// Bits of it that were read.
    pub(super) used: u32,
    /// The bits that follow those, up to [`WINDOW`].
    pub(super) word: u64,
}

impl Loaded {
    #[inline(always)]
    pub(super) fn at(data: &[u8], pos: usize) -> Self {
        Self {
            pos,
            used: 0,
            word: load(data, pos),
        }
    }

    /// Returns the position after the bits that were read.
    #[inline(always)]
    pub(super) fn end(self) -> usize {
        self.pos + self.used as usize
    }

    /// Loads again if fewer than the given number of bits remain.
    #[inline(always)]
    pub(super) fn reload(&mut self, data: &[u8], bits: u32) {
        if self.used > WINDOW - bits {
            *self = Self::at(data, self.end());
        }
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, bits: u32) {
        self.word >>= bits;
        self.used += bits;
    }

    /// Reads an integer in 6-bit chunks; `None` for one that is longer than a load.
    #[inline(always)]
    fn vbr6(&mut self, data: &[u8]) -> Option<u64> {
        self.reload(data, 24);
        let word = self.word;
        if word & 0x20 == 0 {
            self.skip(6);
            return Some(word & 0x1f);
        }
        if word & 0x800 == 0 {
            self.skip(12);
            return Some(word & 0x1f | word >> 1 & 0x3e0);
        }
        // Highest bits of four chunks: 0 in the last one.
        let ends = !word & 0x82_0820;
        if ends == 0 {
            let (value, next) = long_vbr(data, self.end(), 6)?;
            *self = Self::at(data, next);
            return Some(value);
        }
        // The bits up to the last chunk, then without the continuation bits.
        let chunks = word & (ends ^ (ends - 1));
        self.skip(ends.trailing_zeros() + 1);
        Some(
            chunks & 0x1f
                | chunks >> 1 & 0x1f << 5
                | chunks >> 2 & 0x1f << 10
                | chunks >> 3 & 0x1f << 15,
        )
    }

    /// Reads an integer of one or two 6-bit chunks; `None` for a longer one.
    #[inline(always)]
    pub(super) fn short_vbr6(&mut self) -> Option<u64> {
        let word = self.word;
        let (value, bits) = if word & 0x20 == 0 {
            (word & 0x1f, 6)
        } else if word & 0x800 == 0 {
            (word & 0x1f | word >> 1 & 0x3e0, 12)
        } else {
            return None;
        };
        self.word = word >> bits;
        self.used += bits;
        Some(value)
    }
}

/// Returns the integer in chunks of `width` bits at a position, and the position after it; `None` if
/// one load does not hold it.
#[inline(never)]
fn long_vbr(data: &[u8], pos: usize, width: u32) -> Option<(u64, usize)> {
    let more = 1 << (width - 1);
    let mut word = load(data, pos);
    let (mut value, mut shift, mut used) = (0, 0, width);
    while used <= WINDOW {
        value |= (word & (more - 1)) << shift;
        if word & more == 0 {
            return Some((value, pos + used as usize));
        }
        word >>= width;
        shift += width - 1;
        used += width;
    }
    None
}

/// Decodes integers in 6-bit chunks, and returns the position after them. It may be past the end of
/// the block: the caller compares once. `None` if an integer is longer than a load.
#[inline(always)]
pub(super) fn vbr6_fields(data: &[u8], mut bits: Loaded, fields: &mut [u64]) -> Option<usize> {
    for field in fields {
        *field = bits.vbr6(data)?;
    }
    Some(bits.end())
}

/// Decodes scalars of an abbreviation, which one load holds as long as each has one chunk, and
/// returns the position after them. `None` if an integer is longer than a load.
#[inline(always)]
pub(super) fn scalars(
    data: &[u8],
    mut bits: Loaded,
    ops: &[StoredOp],
    fields: &mut [u64],
) -> Option<usize> {
    for (op, field) in ops.iter().zip(fields) {
        let value = bits.word & op.mask;
        if value & op.more == 0 {
            *field = value | op.literal;
            bits.skip(op.width.into());
        } else {
            let next;
            if op.width == 6 {
                *field = bits.vbr6(data)?;
                next = bits.end();
            } else {
                (*field, next) = long_vbr(data, bits.end(), op.width.into())?;
            }
            bits = Loaded::at(data, next);
        }
    }
    Some(bits.end())
}

/// Character of a `char6` code.
pub(super) const CHAR6: &[u8; 64] =
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

/// Decodes characters of `WIDTH` bits, `COUNT` from each load, and returns the position after them.
#[inline(always)]
pub(super) fn characters<const WIDTH: usize, const COUNT: usize>(
    data: &[u8],
    from: Loaded,
    mut fields: &mut [u64],
    decode: impl Fn(u64) -> u64,
) -> usize {
    let mut pos = from.end();
    while fields.len() >= COUNT {
        let Some((some, rest)) = take(&mut fields).split_first_chunk_mut::<COUNT>() else {
            break;
        };
        let mut word = load(data, pos);
        for field in some {
            *field = decode(word);
            word >>= WIDTH;
        }
        pos += WIDTH * COUNT;
        fields = rest;
    }
    let mut word = load(data, pos);
    pos += WIDTH * fields.len();
    for field in fields {
        *field = decode(word);
        word >>= WIDTH;
    }
    pos
}

/// Decodes integers of a width up to [`WINDOW`], and returns the position after them.
#[inline(always)]
pub(super) fn fixed_fields(data: &[u8], from: Loaded, width: u32, fields: &mut [u64]) -> usize {
    let mut bits = from;
    let mask = (1 << width) - 1;
    for field in fields {
        bits.reload(data, width);
        *field = bits.word & mask;
        bits.skip(width);
    }
    bits.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes chunk by chunk and bit by bit.
    fn slow_vbr6(data: &[u8], pos: &mut usize) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let bit =
                |at: usize| u64::from(data.get(at / 8).map_or(0, |byte| byte >> (at % 8) & 1));
            let chunk = (0..6).map(|i| bit(*pos + i) << i).sum::<u64>();
            *pos += 6;
            // Values longer than a load are compared by length alone.
            value |= (chunk & 31).checked_shl(shift).unwrap_or(0);
            shift += 5;
            if chunk < 32 {
                return value;
            }
        }
    }

    #[test]
    fn six_bit_chunks_decode_as_bit_by_bit() {
        let mut seed = 1_u64;
        let mut random = move || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            seed >> 33
        };
        let mut decoded = 0;
        for _ in 0..20_000 {
            // Continuation bits: rarely set, set in every other chunk as in a text, or anything.
            let style = random() % 3;
            let (offset, chunks) = (random() as usize % 8, random() as usize % 40);
            let mut bits = vec![false; offset];
            for at in 0..chunks {
                let more = match style {
                    0 => random() % 8 == 0,
                    1 => at % 2 == 0,
                    _ => random() % 2 == 0,
                };
                let chunk = random() & 31 | u64::from(more) << 5;
                bits.extend((0..6).map(|i| chunk >> i & 1 != 0));
            }
            let data: Vec<u8> = bits
                .chunks(8)
                .map(|bits| {
                    bits.iter()
                        .rev()
                        .fold(0, |byte, &bit| byte << 1 | u8::from(bit))
                })
                .collect();
            let count = chunks / 2;
            let mut pos = offset;
            let mut longest = 0;
            let expected: Vec<u64> = (0..count)
                .map(|_| {
                    let start = pos;
                    let value = slow_vbr6(&data, &mut pos);
                    longest = longest.max(pos - start);
                    value
                })
                .collect();
            let mut found = vec![0; count];
            match vbr6_fields(&data, Loaded::at(&data, offset), &mut found) {
                Some(end) => {
                    assert_eq!((end, &found), (pos, &expected));
                    decoded += 1;
                }
                None => assert!(
                    longest > WINDOW as usize,
                    "no integer here is longer than a load: {expected:?}"
                ),
            }
        }
        assert!(decoded > 15_000);
    }
}
