//! Texel formats of typed buffers and textures: bytes to components and back, by the rules of the
//! Direct3D 11.3 functional specification, section 3.2.3 (data conversion), and 19.1 (formats).

use serde::{Deserialize, Serialize};

use crate::half;

/// Interpretation of a component's bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// IEEE float of 16 or 32 bits; 10 or 11 bits without sign in [`Format::R11G11B10_FLOAT`].
    Float,
    /// Unsigned integer.
    Uint,
    /// Two's-complement integer.
    Sint,
    /// Unsigned integer over its largest value: 0 to 1.
    Unorm,
    /// Two's-complement integer over its largest value, not below -1.
    Snorm,
}

macro_rules! formats {
    ($($name:ident: $encoding:ident $bits:expr;)+) => {
        /// A texel format by its DXGI name; components are in memory in the name's order, the
        /// first in the lowest bits.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
        #[expect(non_camel_case_types, missing_docs, reason = "DXGI's own names")]
        pub enum Format { $($name),+ }

        impl Format {
            /// All formats.
            pub const ALL: &[Format] = &[$(Format::$name),+];
            /// Bits of each component.
            pub const fn bits(self) -> &'static [u32] {
                match self { $(Format::$name => &$bits),+ }
            }
            /// Returns the encoding of the components.
            pub const fn encoding(self) -> Encoding {
                match self { $(Format::$name => Encoding::$encoding),+ }
            }
        }
    };
}

formats! {
    R32G32B32A32_FLOAT: Float [32, 32, 32, 32];
    R32G32B32A32_UINT: Uint [32, 32, 32, 32];
    R32G32B32A32_SINT: Sint [32, 32, 32, 32];
    R32G32B32_FLOAT: Float [32, 32, 32];
    R32G32B32_UINT: Uint [32, 32, 32];
    R32G32B32_SINT: Sint [32, 32, 32];
    R16G16B16A16_FLOAT: Float [16, 16, 16, 16];
    R16G16B16A16_UNORM: Unorm [16, 16, 16, 16];
    R16G16B16A16_UINT: Uint [16, 16, 16, 16];
    R16G16B16A16_SNORM: Snorm [16, 16, 16, 16];
    R16G16B16A16_SINT: Sint [16, 16, 16, 16];
    R32G32_FLOAT: Float [32, 32];
    R32G32_UINT: Uint [32, 32];
    R32G32_SINT: Sint [32, 32];
    R10G10B10A2_UNORM: Unorm [10, 10, 10, 2];
    R10G10B10A2_UINT: Uint [10, 10, 10, 2];
    R11G11B10_FLOAT: Float [11, 11, 10];
    R8G8B8A8_UNORM: Unorm [8, 8, 8, 8];
    R8G8B8A8_UINT: Uint [8, 8, 8, 8];
    R8G8B8A8_SNORM: Snorm [8, 8, 8, 8];
    R8G8B8A8_SINT: Sint [8, 8, 8, 8];
    R16G16_FLOAT: Float [16, 16];
    R16G16_UNORM: Unorm [16, 16];
    R16G16_UINT: Uint [16, 16];
    R16G16_SNORM: Snorm [16, 16];
    R16G16_SINT: Sint [16, 16];
    R32_FLOAT: Float [32];
    R32_UINT: Uint [32];
    R32_SINT: Sint [32];
    R8G8_UNORM: Unorm [8, 8];
    R8G8_UINT: Uint [8, 8];
    R8G8_SNORM: Snorm [8, 8];
    R8G8_SINT: Sint [8, 8];
    R16_FLOAT: Float [16];
    R16_UNORM: Unorm [16];
    R16_UINT: Uint [16];
    R16_SNORM: Snorm [16];
    R16_SINT: Sint [16];
    R8_UNORM: Unorm [8];
    R8_UINT: Uint [8];
    R8_SNORM: Snorm [8];
    R8_SINT: Sint [8];
}

impl Format {
    /// Bytes of a texel.
    pub fn bytes(self) -> usize {
        self.bits().iter().sum::<u32>() as usize / 8
    }

    /// Returns whether components are integers; else they are floats to the shader.
    pub fn is_integer(self) -> bool {
        matches!(self.encoding(), Encoding::Uint | Encoding::Sint)
    }

    /// Returns the four components of a texel as 32 bits each: bits of an `f32`, or an integer
    /// extended by its sign. Components that the format lacks are 0, 0, 0, 1.
    ///
    /// ```
    /// use trellis_dxil_interpreter::format::Format;
    /// let one = 1f32.to_bits();
    /// assert_eq!(Format::R8G8_UNORM.decode(&[255, 0]), [one, 0, 0, one]);
    /// assert_eq!(Format::R16_SINT.decode(&[0xfe, 0xff]), [u32::MAX - 1, 0, 0, 1]);
    /// ```
    ///
    /// `texel` holds [`Format::bytes`] bytes; missing ones count as 0.
    pub fn decode(self, texel: &[u8]) -> [u32; 4] {
        let one = if self.is_integer() { 1 } else { 1f32.to_bits() };
        let mut result = [0, 0, 0, one];
        let word = texel
            .iter()
            .take(16)
            .rev()
            .fold(0u128, |word, &byte| word << 8 | u128::from(byte));
        let mut at = 0;
        for (component, &bits) in result.iter_mut().zip(self.bits()) {
            let raw = (word >> at) as u32 & mask(bits);
            *component = self.decode_component(raw, bits);
            at += bits;
        }
        result
    }

    /// Encodes components, the inverse of [`Format::decode`]: floats to fixed point round to
    /// nearest even and saturate, NaN to 0 (3.2.3.5); integers saturate; floats to half round to
    /// nearest even, to 10 and 11 bits toward zero.
    pub fn encode(self, components: [u32; 4]) -> Vec<u8> {
        let (mut word, mut at) = (0u128, 0);
        for (&component, &bits) in components.iter().zip(self.bits()) {
            word |= u128::from(self.encode_component(component, bits) & mask(bits)) << at;
            at += bits;
        }
        word.to_le_bytes()[..self.bytes()].to_vec()
    }

    fn decode_component(self, raw: u32, bits: u32) -> u32 {
        let signed = (raw << (32 - bits)) as i32 >> (32 - bits);
        match self.encoding() {
            Encoding::Uint => raw,
            Encoding::Sint => signed as u32,
            Encoding::Unorm => (raw as f32 / mask(bits) as f32).to_bits(),
            Encoding::Snorm => (signed as f32 / mask(bits - 1) as f32).max(-1.0).to_bits(),
            Encoding::Float => match bits {
                32 => raw,
                16 => half::to_f32(raw as u16).to_bits(),
                _ => half::small_to_f32(raw, bits - 5).to_bits(),
            },
        }
    }

    fn encode_component(self, component: u32, bits: u32) -> u32 {
        let float = f32::from_bits(component);
        let fixed = |low: f32, high: u32| {
            let clamped = if float.is_nan() {
                0.0
            } else {
                float.clamp(low, 1.0)
            };
            (clamped * high as f32).round_ties_even() as i32 as u32
        };
        match self.encoding() {
            Encoding::Uint => component.min(mask(bits)),
            Encoding::Sint => {
                let high = (mask(bits) >> 1) as i32;
                (component as i32).clamp(-high - 1, high) as u32
            }
            Encoding::Unorm => fixed(0.0, mask(bits)),
            Encoding::Snorm => fixed(-1.0, mask(bits - 1)),
            Encoding::Float => match bits {
                32 => component,
                16 => u32::from(half::from_f32(float)),
                _ => half::small_from_f32(float, bits - 5),
            },
        }
    }
}

fn mask(bits: u32) -> u32 {
    u32::MAX >> (32 - bits.clamp(1, 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_format_holds_survives_a_store() {
        for &format in Format::ALL {
            for start in 0..8u8 {
                let texel: Vec<u8> = (0..format.bytes() as u8)
                    .map(|i| start * 8 + i * 3)
                    .collect();
                let components = format.decode(&texel);
                // A NaN of 10 or 11 bits keeps no payload.
                if format == Format::R11G11B10_FLOAT
                    && components.iter().any(|&c| f32::from_bits(c).is_nan())
                {
                    continue;
                }
                assert_eq!(
                    format.encode(components),
                    texel,
                    "{format:?} {components:?}"
                );
            }
        }
    }

    #[test]
    fn stores_saturate() {
        assert_eq!(Format::R8_UNORM.encode([2f32.to_bits(), 0, 0, 0]), [255]);
        assert_eq!(Format::R8_UNORM.encode([f32::NAN.to_bits(), 0, 0, 0]), [0]);
        assert_eq!(
            Format::R8_SNORM.encode([(-1f32).to_bits(), 0, 0, 0]),
            [0x81]
        );
        assert_eq!(Format::R8_UINT.encode([300, 0, 0, 0]), [255]);
        assert_eq!(Format::R8_SINT.encode([-300i32 as u32, 0, 0, 0]), [0x80]);
        assert_eq!(
            Format::R16_FLOAT.encode([1e9f32.to_bits(), 0, 0, 0]),
            [0x00, 0x7c]
        );
    }

    #[test]
    fn the_least_snorm_is_minus_one_twice() {
        assert_eq!(Format::R8_SNORM.decode(&[0x80])[0], (-1f32).to_bits());
        assert_eq!(Format::R8_SNORM.decode(&[0x81])[0], (-1f32).to_bits());
    }
}
