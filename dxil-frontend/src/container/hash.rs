//! The container's hash: MD5 over everything after the hash field, with a non-standard
//! finalisation.
//!
//! MD5 (RFC 1321) appends the bit count as the last eight bytes; this variant puts the bit count
//! into the first word of the last block and `(bit count >> 2) | 1` into its last word.

/// Result of [`super::Container::check_hash`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HashStatus {
    /// All zero: the compiler did not sign it.
    Unsigned,
    /// One of the two values (all bytes 1, or all bytes 2) that make a runtime in developer mode
    /// skip the check.
    Bypass,
    /// The hash fits the content.
    Valid,
    /// The hash does not fit the content.
    Invalid {
        /// In the file.
        stored: [u8; 16],
        /// Of the content.
        computed: [u8; 16],
    },
}

/// First byte that the hash covers.
const HASHED_FROM: usize = 20;

pub(super) fn check(container: &[u8]) -> HashStatus {
    let (Some(stored), Some(content)) = (
        container
            .get(4..HASHED_FROM)
            .and_then(|s| <[u8; 16]>::try_from(s).ok()),
        container.get(HASHED_FROM..),
    ) else {
        return HashStatus::Unsigned;
    };
    match stored {
        _ if stored == [0; 16] => HashStatus::Unsigned,
        _ if stored == [1; 16] || stored == [2; 16] => HashStatus::Bypass,
        _ => {
            let computed = container_hash(content);
            if computed == stored {
                HashStatus::Valid
            } else {
                HashStatus::Invalid { stored, computed }
            }
        }
    }
}

/// Returns the hash of the bytes after the hash field.
pub(super) fn container_hash(content: &[u8]) -> [u8; 16] {
    let mut state = INITIAL;
    let (blocks, tail) = content.as_chunks::<64>();
    for block in blocks {
        transform(&mut state, block);
    }
    let bits = (content.len() as u32).wrapping_mul(8);
    let mut last = [0u8; 64];
    if tail.len() >= 56 {
        last[..tail.len()].copy_from_slice(tail);
        last[tail.len()] = 0x80;
        transform(&mut state, &last);
        last = [0; 64];
    } else {
        last[4..4 + tail.len()].copy_from_slice(tail);
        last[4 + tail.len()] = 0x80;
    }
    last[..4].copy_from_slice(&bits.to_le_bytes());
    last[60..].copy_from_slice(&(bits >> 2 | 1).to_le_bytes());
    transform(&mut state, &last);
    digest(state)
}

const INITIAL: [u32; 4] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];

fn digest(state: [u32; 4]) -> [u8; 16] {
    let mut out = [0; 16];
    for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    out
}

/// Rotations of RFC 1321, four a round.
const ROTATIONS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// `floor(2^32 * |sin(i + 1)|)`, RFC 1321.
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

fn transform(state: &mut [u32; 4], block: &[u8; 64]) {
    let word = |i: usize| super::reader::u32_at(block, 4 * (i % 16));
    let [mut a, mut b, mut c, mut d] = *state;
    for (i, &sine) in SINES.iter().enumerate() {
        let (f, index) = match i / 16 {
            0 => (b & c | !b & d, i),
            1 => (d & b | !d & c, 5 * i + 1),
            2 => (b ^ c ^ d, 3 * i + 5),
            _ => (c ^ (b | !d), 7 * i),
        };
        let sum = a
            .wrapping_add(f)
            .wrapping_add(sine)
            .wrapping_add(word(index));
        (a, d, c) = (d, c, b);
        b = b.wrapping_add(sum.rotate_left(ROTATIONS[i / 16][i % 4]));
    }
    for (s, v) in state.iter_mut().zip([a, b, c, d]) {
        *s = s.wrapping_add(v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes MD5 with its own finalisation, for the test vectors of RFC 1321.
    fn md5(data: &[u8]) -> String {
        let mut padded = data.to_vec();
        padded.push(0x80);
        while padded.len() % 64 != 56 {
            padded.push(0);
        }
        padded.extend((data.len() as u64 * 8).to_le_bytes());
        let mut state = INITIAL;
        for block in padded.as_chunks::<64>().0 {
            transform(&mut state, block);
        }
        format!("{:032x}", u128::from_be_bytes(digest(state)))
    }

    #[test]
    fn the_rounds_are_md5() {
        assert_eq!(md5(b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(md5(b"abc"), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(
            md5(
                b"12345678901234567890123456789012345678901234567890123456789012345678901234567890"
            ),
            "57edf4a22be3c955ac49da2e2107b67a"
        );
    }
}
