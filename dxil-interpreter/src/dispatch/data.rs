//! Contents of a resource as the file writes them.

use serde::{Deserialize, Serialize};

use super::DispatchError;
use crate::half;
use crate::memory::little_endian;

/// Most bytes that one resource of a dispatch file may have: 256 MiB.
pub const MAX_BYTES: u64 = 1 << 28;

/// Type of the numbers of [`Data::Iota`], [`Data::Random`] and [`super::Tolerance`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "Rust's own names")]
pub enum Number {
    U8,
    U16,
    #[default]
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Number {
    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 => 2,
            Self::U32 | Self::F32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// Returns whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// Returns the number in the first bytes as `f64`, or `None` if there are too few bytes.
    pub fn read(self, bytes: &[u8]) -> Option<f64> {
        let bytes = bytes.get(..self.bytes())?;
        let raw = little_endian(bytes);
        Some(match self {
            Self::F16 => half::to_f64(raw as u16),
            Self::F32 => f64::from(f32::from_bits(raw as u32)),
            Self::F64 => f64::from_bits(raw),
            _ => raw as f64,
        })
    }

    fn write(self, value: f64, out: &mut Vec<u8>) {
        match self {
            Self::F16 => out.extend(half::from_f64(value).to_le_bytes()),
            Self::F32 => out.extend((value as f32).to_le_bytes()),
            Self::F64 => out.extend(value.to_le_bytes()),
            // Modulo 2^64, so that negative starts and steps work as written.
            _ => out.extend(&((value as i128) as u64).to_le_bytes()[..self.bytes()]),
        }
    }
}

/// Contents of a resource, little-endian in memory. In JSON an object with one field, such as
/// `{"u32": [1, 2]}` or `{"fill": {"f32": [0.5]}}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Data {
    /// 8-bit unsigned integers.
    U8(Vec<u8>),
    /// 16-bit unsigned integers.
    U16(Vec<u16>),
    /// 32-bit unsigned integers.
    U32(Vec<u32>),
    /// 64-bit unsigned integers.
    U64(Vec<u64>),
    /// 16-bit signed integers.
    I16(Vec<i16>),
    /// 32-bit signed integers.
    I32(Vec<i32>),
    /// 64-bit signed integers.
    I64(Vec<i64>),
    /// Half floats, written as decimal numbers. (NaN and infinity: write the bits as `u16`.)
    F16(Vec<f32>),
    /// Floats. (NaN and infinity: write the bits as `u32`.)
    F32(Vec<f32>),
    /// Doubles. (NaN and infinity: write the bits as `u64`.)
    F64(Vec<f64>),
    /// Bytes as pairs of hexadecimal digits, blanks allowed between the pairs.
    Hex(String),
    /// The contents over and over, up to the resource's size.
    Fill(Box<Data>),
    /// `start`, `start + step`, `start + 2 * step`, … up to the resource's size.
    Iota {
        /// Type of the numbers.
        #[serde(rename = "type", default)]
        number: Number,
        /// First number.
        #[serde(default)]
        start: f64,
        /// Difference of two.
        #[serde(default = "one")]
        step: f64,
    },
    /// Pseudo-random numbers from `min` to `max`, both included, up to the resource's size; the
    /// same for the same seed on every machine.
    Random {
        /// Type of the numbers.
        #[serde(rename = "type", default)]
        number: Number,
        /// Seed.
        #[serde(default)]
        seed: u64,
        /// Least number.
        min: f64,
        /// Greatest number.
        max: f64,
    },
    /// Several after each other. Only the last may be `fill`, `iota` or `random`.
    List(Vec<Data>),
}

fn one() -> f64 {
    1.0
}

impl Data {
    /// Returns `size` bytes, with zeros after contents that are shorter; the contents alone if
    /// `size` is `None`.
    ///
    /// # Errors
    /// The contents are longer than `size`, `fill` or `iota` lacks a size or is not last, digits
    /// are not hexadecimal, more than [`MAX_BYTES`] bytes.
    pub fn bytes(&self, size: Option<u64>) -> Result<Vec<u8>, DispatchError> {
        if let Some(size) = size.filter(|&size| size > MAX_BYTES) {
            return Err(DispatchError::TooLarge { bytes: size });
        }
        let size = size.map(|size| size as usize);
        let mut out = Vec::new();
        match self {
            Self::List(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    part.append(size.filter(|_| index + 1 == parts.len()), &mut out)?;
                }
            }
            part => part.append(size, &mut out)?,
        }
        if out.len() as u64 > MAX_BYTES {
            return Err(DispatchError::TooLarge {
                bytes: out.len() as u64,
            });
        }
        match size {
            Some(size) if out.len() > size => Err(DispatchError::TooLong {
                found: out.len() as u64,
                size: size as u64,
            }),
            Some(size) => {
                out.resize(size, 0);
                Ok(out)
            }
            None => Ok(out),
        }
    }

    /// Returns the type of its numbers; `None` for bytes and lists.
    pub fn number(&self) -> Option<Number> {
        Some(match self {
            Self::U8(_) => Number::U8,
            Self::U16(_) | Self::I16(_) => Number::U16,
            Self::U32(_) | Self::I32(_) => Number::U32,
            Self::U64(_) | Self::I64(_) => Number::U64,
            Self::F16(_) => Number::F16,
            Self::F32(_) => Number::F32,
            Self::F64(_) => Number::F64,
            Self::Iota { number, .. } | Self::Random { number, .. } => *number,
            Self::Fill(pattern) if !matches!(**pattern, Self::Fill(_) | Self::List(_)) => {
                return pattern.number();
            }
            Self::Hex(_) | Self::Fill(_) | Self::List(_) => return None,
        })
    }

    /// Bytes as numbers of a type. If there is a NaN or infinity, which JSON does not have, the
    /// bits as integers; if the bytes are not a whole number of them, hexadecimal.
    ///
    /// ```
    /// use trellis_dxil_interpreter::dispatch::{Data, Number};
    /// assert_eq!(Data::of_bytes(&[0, 0, 128, 63], Number::F32), Data::F32(vec![1.0]));
    /// assert_eq!(Data::of_bytes(&[0, 0, 192, 127], Number::F32), Data::U32(vec![0x7fc0_0000]));
    /// assert_eq!(Data::of_bytes(&[1, 2, 3], Number::U16), Data::Hex("010203".to_owned()));
    /// ```
    pub fn of_bytes(bytes: &[u8], number: Number) -> Self {
        if !bytes.len().is_multiple_of(number.bytes()) {
            return Self::Hex(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        let words = || bytes.chunks_exact(number.bytes()).map(little_endian);
        let finite = bytes
            .chunks_exact(number.bytes())
            .all(|chunk| number.read(chunk).is_some_and(f64::is_finite));
        match number {
            Number::F16 if finite => {
                Self::F16(words().map(|word| half::to_f32(word as u16)).collect())
            }
            Number::F32 if finite => {
                Self::F32(words().map(|word| f32::from_bits(word as u32)).collect())
            }
            Number::F64 if finite => Self::F64(words().map(f64::from_bits).collect()),
            Number::U8 => Self::U8(bytes.to_vec()),
            Number::U16 | Number::F16 => Self::U16(words().map(|word| word as u16).collect()),
            Number::U32 | Number::F32 => Self::U32(words().map(|word| word as u32).collect()),
            Number::U64 | Number::F64 => Self::U64(words().collect()),
        }
    }

    /// Appends one part; `limit` is the resource's size if the part may fill it.
    fn append(&self, limit: Option<usize>, out: &mut Vec<u8>) -> Result<(), DispatchError> {
        match self {
            Self::U8(v) => out.extend(v),
            Self::U16(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::U32(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::U64(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::I16(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::I32(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::I64(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::F16(v) => out.extend(v.iter().flat_map(|&n| half::from_f32(n).to_le_bytes())),
            Self::F32(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::F64(v) => out.extend(v.iter().flat_map(|n| n.to_le_bytes())),
            Self::Hex(text) => hex(text, out)?,
            Self::Fill(pattern) => {
                let limit = limit.ok_or(DispatchError::Endless)?;
                let pattern = match **pattern {
                    Self::Fill(_) | Self::Iota { .. } | Self::Random { .. } | Self::List(_) => {
                        return Err(DispatchError::Nested);
                    }
                    ref plain => plain.bytes(None)?,
                };
                if pattern.is_empty() {
                    return Err(DispatchError::Endless);
                }
                let missing = limit.saturating_sub(out.len());
                out.extend(pattern.iter().cycle().take(missing));
            }
            Self::Iota {
                number,
                start,
                step,
            } => {
                let limit = limit.ok_or(DispatchError::Endless)?;
                let count = limit.saturating_sub(out.len()) / number.bytes();
                for index in 0..count {
                    number.write(start + step * index as f64, out);
                }
            }
            Self::Random {
                number,
                seed,
                min,
                max,
            } => {
                let limit = limit.ok_or(DispatchError::Endless)?;
                let count = limit.saturating_sub(out.len()) / number.bytes();
                for index in 0..count as u64 {
                    // 53 bits, the precision of a double.
                    let unit = (split_mix(seed.wrapping_mul(1 << 32).wrapping_add(index)) >> 11)
                        as f64
                        / (1u64 << 53) as f64;
                    let value = if number.is_float() {
                        min + (max - min) * unit
                    } else {
                        min + ((max - min + 1.0) * unit).floor()
                    };
                    number.write(value, out);
                }
            }
            Self::List(_) => return Err(DispatchError::Nested),
        }
        Ok(())
    }
}

/// Returns a pseudo-random number for an index: SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) fn split_mix(index: u64) -> u64 {
    let mut z = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn hex(text: &str, out: &mut Vec<u8>) -> Result<(), DispatchError> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect();
    let digits = digits
        .filter(|digits| digits.len().is_multiple_of(2))
        .ok_or(DispatchError::Hex)?;
    out.extend(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Data {
        serde_json::from_str(text).expect("the text is data")
    }

    #[test]
    fn contents_are_padded_to_the_size() {
        assert_eq!(
            parse(r#"{"u32": [1, 258]}"#).bytes(Some(12)),
            Ok(vec![1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0])
        );
        assert_eq!(parse(r#"{"hex": "0a fF"}"#).bytes(None), Ok(vec![10, 255]));
        assert_eq!(
            parse(r#"{"f16": [1, -2]}"#).bytes(None),
            Ok(vec![0, 0x3c, 0, 0xc0])
        );
    }

    #[test]
    fn fill_and_iota_end_at_the_size() {
        assert_eq!(
            parse(r#"{"fill": {"u8": [1, 2]}}"#).bytes(Some(5)),
            Ok(vec![1, 2, 1, 2, 1])
        );
        assert_eq!(
            parse(r#"{"iota": {"type": "u16", "start": -1, "step": 2}}"#).bytes(Some(6)),
            Ok(vec![0xff, 0xff, 1, 0, 3, 0])
        );
        assert_eq!(
            parse(r#"{"list": [{"u8": [9]}, {"fill": {"u8": [7]}}]}"#).bytes(Some(3)),
            Ok(vec![9, 7, 7])
        );
        assert_eq!(
            parse(r#"{"iota": {}}"#).bytes(Some(8)),
            Ok(vec![0, 0, 0, 0, 1, 0, 0, 0])
        );
    }

    #[test]
    fn random_numbers_stay_in_their_range_and_repeat() {
        let data = parse(r#"{"random": {"type": "u16", "seed": 7, "min": 3, "max": 5}}"#);
        let bytes = data.bytes(Some(200)).unwrap();
        assert_eq!(data.bytes(Some(200)).unwrap(), bytes);
        let seen: std::collections::BTreeSet<u16> = bytes
            .chunks(2)
            .map(|b| u16::from_le_bytes([b[0], b[1]]))
            .collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [3, 4, 5]);
        let floats = parse(r#"{"random": {"type": "f32", "seed": 1, "min": -1, "max": 1}}"#)
            .bytes(Some(400))
            .unwrap();
        assert!(
            floats
                .chunks(4)
                .all(|b| (-1.0..=1.0).contains(&Number::F32.read(b).unwrap()))
        );
    }

    #[test]
    fn what_makes_no_sense_is_an_error() {
        assert_eq!(
            parse(r#"{"u32": [1]}"#).bytes(Some(3)),
            Err(DispatchError::TooLong { found: 4, size: 3 })
        );
        assert_eq!(
            parse(r#"{"fill": {"u8": [1]}}"#).bytes(None),
            Err(DispatchError::Endless)
        );
        assert_eq!(
            parse(r#"{"fill": {"u8": []}}"#).bytes(Some(4)),
            Err(DispatchError::Endless)
        );
        assert_eq!(
            parse(r#"{"fill": {"fill": {"u8": [1]}}}"#).bytes(Some(4)),
            Err(DispatchError::Nested)
        );
        assert_eq!(
            parse(r#"{"list": [{"iota": {}}, {"u8": [1]}]}"#).bytes(Some(4)),
            Err(DispatchError::Endless)
        );
        assert_eq!(
            parse(r#"{"hex": "0g"}"#).bytes(None),
            Err(DispatchError::Hex)
        );
        assert_eq!(
            parse(r#"{"u8": []}"#).bytes(Some(1 << 40)),
            Err(DispatchError::TooLarge { bytes: 1 << 40 })
        );
    }
}
