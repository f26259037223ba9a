//! Floats of 8 bits as numbers of 32 bits, in arithmetic on integers: for devices without
//! `SPV_EXT_float8`. `E4M3` has no infinity.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;

/// Bits of a single's fraction, its bias, and infinity.
const FRACTION: u32 = 23;
const BIAS: u32 = 127;
const INFINITY: u32 = 0x7F80_0000;

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Format {
    /// Bits of the fraction.
    fraction: u32,
    bias: u32,
    /// The code of the largest number. Codes after it are infinity, if there is one, and NaN.
    largest: u32,
    /// The first code that is not a number.
    special: u32,
}

pub(super) const E5M2: Format = Format {
    fraction: 2,
    bias: 15,
    largest: 0x7B,
    special: 0x7C,
};
pub(super) const E4M3: Format = Format {
    fraction: 3,
    bias: 7,
    largest: 0x7E,
    special: 0x7F,
};

impl Format {
    /// The difference of the exponents, in units of a code's last bit.
    fn rebias(self) -> u32 {
        (BIAS - self.bias) << self.fraction
    }

    /// The least number that is not 0.
    fn least(self) -> f32 {
        0.5f32.powi((self.bias - 1 + self.fraction) as i32)
    }
}

fn scaled(e: &mut Emitter<'_>, value: Word, by: f32) -> Word {
    let (ty, by) = (e.b.ty_f32(), e.b.const_f32(by));
    e.b.op(Op::FMul, ty, &[value, by])
}

/// Emits the conversion of a word with AGS's number: bit 0 is the format, bit 1 set for a
/// conversion to it, bit 8 saturation.
pub(super) fn convert(e: &mut Emitter<'_>, word: Word, code: u64) -> Word {
    let format = if code & 1 == 0 { E4M3 } else { E5M2 };
    match code & 2 {
        0 => decode(e, word, format),
        _ => encode(e, word, format, code >> 8 != 0),
    }
}

/// Returns the bits of the single that a code is, which is in the low byte of a word.
pub(super) fn decode(e: &mut Emitter<'_>, code: Word, format: Format) -> Word {
    let (float, word) = (e.b.ty_f32(), e.b.ty_u32());
    let magnitude = e.b.word_with(Op::BitwiseAnd, code, 0x7F);
    let moved =
        e.b.word_with(Op::ShiftLeftLogical, magnitude, FRACTION - format.fraction);
    let rebias = format.rebias() << (FRACTION - format.fraction);
    let normal = e.b.word_with(Op::IAdd, moved, rebias);
    let denormal = e.b.op(Op::ConvertUToF, float, &[magnitude]);
    let denormal = scaled(e, denormal, format.least());
    let denormal = e.b.bitcast(word, denormal);
    let is_denormal =
        e.b.flag_with(Op::ULessThan, magnitude, 1 << format.fraction);
    let number = e.b.word(Op::Select, &[is_denormal, denormal, normal]);
    let special = e.b.word_with(Op::BitwiseOr, moved, INFINITY);
    let is_number = e.b.flag_with(Op::ULessThan, magnitude, format.special);
    let number = e.b.word(Op::Select, &[is_number, number, special]);
    let sign = e.b.word_with(Op::BitwiseAnd, code, 0x80);
    let sign = e.b.word_with(Op::ShiftLeftLogical, sign, 24);
    e.b.word(Op::BitwiseOr, &[number, sign])
}

/// Returns the code nearest to the single with these bits; of two equally near codes, the even one.
/// Numbers that are too large become the largest number if `saturates`, else infinity or NaN.
pub(super) fn encode(e: &mut Emitter<'_>, bits: Word, format: Format, saturates: bool) -> Word {
    let (float, word) = (e.b.ty_f32(), e.b.ty_u32());
    let lost = FRACTION - format.fraction;
    let magnitude = e.b.word_with(Op::BitwiseAnd, bits, 0x7FFF_FFFF);
    let odd = e.b.word_with(Op::ShiftRightLogical, magnitude, lost);
    let odd = e.b.word_with(Op::BitwiseAnd, odd, 1);
    let rounded = e.b.word(Op::IAdd, &[magnitude, odd]);
    let rounded = e.b.word_with(Op::IAdd, rounded, (1 << (lost - 1)) - 1);
    let normal = e.b.word_with(Op::ShiftRightLogical, rounded, lost);
    let normal = e.b.word_with(Op::ISub, normal, format.rebias());
    let value = e.b.bitcast(float, magnitude);
    let denormal = scaled(e, value, 1.0 / format.least());
    let denormal = e.b.ext(GLOp::RoundEven, float, &[denormal]);
    let denormal = e.b.op(Op::ConvertFToU, word, &[denormal]);
    let is_denormal = e.b.flag_with(
        Op::ULessThan,
        magnitude,
        (BIAS - format.bias + 1) << FRACTION,
    );
    let code = e.b.word(Op::Select, &[is_denormal, denormal, normal]);
    let most = e.b.const_u32(format.largest + u32::from(!saturates));
    let code = e.b.ext(GLOp::UMin, word, &[code, most]);
    let is_number = e.b.flag_with(Op::ULessThan, magnitude, INFINITY + 1);
    let nan = e.b.const_u32(0x7F);
    let code = e.b.word(Op::Select, &[is_number, code, nan]);
    let sign = e.b.word_with(Op::ShiftRightLogical, bits, 24);
    let sign = e.b.word_with(Op::BitwiseAnd, sign, 0x80);
    e.b.word(Op::BitwiseOr, &[code, sign])
}
