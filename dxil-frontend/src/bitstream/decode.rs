//! Decodes the fields of a record from a register, without checks against the end of the block:
//! [`super::Stream`] checks once per record, and reads a record that does not fit again with all
//! checks.

use super::abbreviation::{Form, StoredOp};

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
}

/// Returns one integer in chunks of `width` bits and the bits that it takes; `None` if one load
/// does not hold it.
#[inline]
fn vbr_at(data: &[u8], pos: usize, width: u32) -> Option<(u64, u32)> {
    let more = 1 << (width - 1);
    let mut word = load(data, pos);
    let (mut value, mut shift, mut used) = (0, 0, width);
    while used <= WINDOW {
        value |= (word & (more - 1)) << shift;
        if word & more == 0 {
            return Some((value, used));
        }
        word >>= width;
        shift += width - 1;
        used += width;
    }
    None
}

/// Decodes integers in 6-bit chunks, several from each load, and returns the position after them.
/// It may be past the end of the block: the caller compares once. `None` if an integer is longer
/// than a load.
#[inline(always)]
pub(super) fn vbr6_fields(data: &[u8], from: Loaded, fields: &mut [u64]) -> Option<usize> {
    // Four characters of a text have two chunks each: the continuation bits, and the low five bits
    // of each.
    const MORE: u64 = 0x8208_2082_0820;
    const PAIRS: u64 = 0x0200_2002_0020;
    const LOW: u64 = 0x01f0_1f01_f01f;
    // Set in a chunk that is not the last: none of four chunks.
    const SINGLES: u64 = 0x82_0820;
    let mut fields = fields.iter_mut();
    let Loaded {
        mut pos,
        mut used,
        mut word,
    } = from;
    loop {
        if word & MORE == PAIRS && used <= WINDOW - 48 && fields.as_slice().len() >= 4 {
            let joined = word & LOW | word >> 1 & LOW << 5;
            for shift in [0, 12, 24, 36] {
                if let Some(field) = fields.next() {
                    *field = joined >> shift & 0x3ff;
                }
            }
            used += 48;
        }
        while word & SINGLES == 0 && used <= WINDOW - 24 && fields.as_slice().len() >= 4 {
            for shift in [0, 6, 12, 18] {
                if let Some(field) = fields.next() {
                    *field = word >> shift & 0x1f;
                }
            }
            word >>= 24;
            used += 24;
        }
        while used <= WINDOW - 12
            && let Some(field) = fields.next()
        {
            let bits;
            if word & 0x20 == 0 {
                (*field, bits) = (word & 0x1f, 6);
            } else if word & 0x800 == 0 {
                (*field, bits) = (word & 0x1f | word >> 1 & 0x3e0, 12);
            } else {
                let (value, long) = vbr_at(data, pos + used as usize, 6)?;
                *field = value;
                used += long;
                break;
            }
            word >>= bits;
            used += bits;
        }
        pos += used as usize;
        if fields.as_slice().is_empty() {
            return Some(pos);
        }
        (word, used) = (load(data, pos), 0);
    }
}

/// Returns the position after `count` integers in 6-bit chunks. It may be past the end of the
/// block: the caller compares. Beyond the end of the data all bits are zero, so that no more than
/// nine integers are passed there with each load.
pub(super) fn skip_vbr6(data: &[u8], mut pos: usize, mut count: u64) -> usize {
    // Lowest bits of the nine chunks of a load.
    const ONES: u64 = 0x1_0410_4104_1041;
    while count > 0 {
        // Chunks that end an integer.
        let mut ends = !(load(data, pos) >> 5) & ONES;
        // Nine numbers of at most 1, one at each bit of `ONES`: their sum is at the highest
        // one.
        let found = ends.wrapping_mul(ONES) >> 48 & 63;
        if found < count {
            count -= found;
            pos += 54;
            continue;
        }
        for _ in 1..count {
            ends &= ends - 1;
        }
        return pos + ends.trailing_zeros() as usize + 6;
    }
    pos
}

/// Decodes the scalars of an abbreviation up to an array or blob, several from each load: the
/// record code and what follows. Returns their number and the position after them, which may be
/// past the end of the block: the caller compares once. `None` if one is wider than usual.
#[inline(always)]
pub(super) fn scalars(
    data: &[u8],
    from: Loaded,
    ops: &[StoredOp],
    fields: &mut [u64],
) -> Option<(usize, usize)> {
    let Loaded {
        mut pos,
        mut used,
        mut word,
    } = from;
    let mut count = 0;
    for (
        &StoredOp {
            literal,
            width,
            form,
        },
        field,
    ) in ops.iter().zip(fields)
    {
        if form > Form::Vbr {
            if form == Form::Char6 {
                return None;
            }
            break;
        }
        let width = u32::from(width);
        if used + width > WINDOW {
            pos += used as usize;
            (word, used) = (load(data, pos), 0);
            if width > WINDOW {
                return None;
            }
        }
        let value = word & ((1 << width) - 1);
        // The highest bit of a variable field, nothing of others.
        let more = (form as u64) << width >> 1;
        count += 1;
        if value & more != 0 {
            let (value, bits) = vbr_at(data, pos + used as usize, width)?;
            *field = value;
            pos += (used + bits) as usize;
            (word, used) = (load(data, pos), 0);
            continue;
        }
        *field = value | literal;
        word >>= width;
        used += width;
    }
    Some((count, pos + used as usize))
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
            // What is longer than a load is compared by its length alone.
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
                    assert_eq!(skip_vbr6(&data, offset, count as u64), pos);
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
