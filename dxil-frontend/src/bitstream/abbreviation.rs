//! Definitions of abbreviations: what each operand of a record is encoded as.

use super::decode::{WINDOW, load};
use super::{Result, Stream};
use crate::error::{BitcodeErrorKind, Error};
use crate::limits;

/// One operand of an abbreviation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AbbrevOp {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
    Array,
    Blob,
}

/// An operand as it is stored. A field without bits reads as 0, so that literals, fixed and variable
/// fields are decoded alike, without a branch on which of them it is: the order in which they come
/// cannot be predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StoredOp {
    /// Of a literal.
    pub(super) literal: u64,
    /// 0 for what has none.
    pub(super) width: u8,
    pub(super) form: Form,
}

/// What an operand is: up to [`Form::Vbr`] a scalar that [`super::decode`] reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Form {
    Fixed = 0,
    Vbr = 1,
    Char6,
    Array,
    Blob,
}

impl From<AbbrevOp> for StoredOp {
    #[inline(always)]
    fn from(op: AbbrevOp) -> Self {
        let (literal, width, form) = match op {
            AbbrevOp::Literal(value) => (value, 0, Form::Fixed),
            AbbrevOp::Fixed(width) => (0, width as u8, Form::Fixed),
            AbbrevOp::Vbr(width) => (0, width as u8, Form::Vbr),
            AbbrevOp::Char6 => (0, 0, Form::Char6),
            AbbrevOp::Array => (0, 0, Form::Array),
            AbbrevOp::Blob => (0, 0, Form::Blob),
        };
        Self {
            literal,
            width,
            form,
        }
    }
}

impl StoredOp {
    /// Returns the operand.
    #[inline]
    pub(super) fn op(self) -> AbbrevOp {
        match self.form {
            Form::Fixed if self.width == 0 => AbbrevOp::Literal(self.literal),
            Form::Fixed => AbbrevOp::Fixed(self.width.into()),
            Form::Vbr => AbbrevOp::Vbr(self.width.into()),
            Form::Char6 => AbbrevOp::Char6,
            Form::Array => AbbrevOp::Array,
            Form::Blob => AbbrevOp::Blob,
        }
    }
}

/// An abbreviation: a range of the operands of all abbreviations of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abbrev {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Stream<'_> {
    /// Reads the definition of an abbreviation, whose id was read.
    pub(super) fn define_abbreviation(&mut self) -> Result<Abbrev> {
        let start = self.ops.len();
        if !self.usual_abbreviation() {
            self.ops.truncate(start);
            self.any_abbreviation()?;
        }
        Ok(Abbrev {
            start: start as u32,
            end: self.ops.len() as u32,
        })
    }

    /// Reads a definition of at most 15 operands in as few bits as usual: is literal (1 bit), then
    /// its value (8), or encoding (3) and width (5). `false`, and nothing read, if there is
    /// anything else.
    #[inline(always)]
    fn usual_abbreviation(&mut self) -> bool {
        let (mut pos, mut word, mut used) = (self.pos, self.peek() >> 5, 5);
        let count = self.peek() & 31;
        let mut array_at = count;
        for index in 0..count {
            if used > WINDOW - 9 {
                pos += used as usize;
                (word, used) = (load(self.data, pos), 0);
            }
            let width = (word >> 4 & 31) as u32;
            let (op, length) = match word & 15 {
                0b0010 if matches!(width, 1..=15) => (AbbrevOp::Fixed(width), 9),
                0b0100 if matches!(width, 2..=15) => (AbbrevOp::Vbr(width), 9),
                0b0110 if index + 2 == count && index != 0 => {
                    array_at = index;
                    (AbbrevOp::Array, 4)
                }
                0b1000 => (AbbrevOp::Char6, 4),
                _ if word & 0x101 == 1 && array_at == count => {
                    (AbbrevOp::Literal(word >> 1 & 0x7f), 9)
                }
                _ => return false,
            };
            self.ops.push(op.into());
            word >>= length;
            used += length;
        }
        let end = pos + used as usize;
        let usual = matches!(count, 1..=15) && end <= self.end;
        if usual {
            self.pos = end;
        }
        usual
    }

    /// Reads any definition, operand by operand.
    #[cold]
    fn any_abbreviation(&mut self) -> Result<()> {
        let offset = self.record_offset();
        let bad = |reason| BitcodeErrorKind::Abbreviation { reason }.at(offset);
        let count = self.vbr::<5>()?;
        if count > limits::MAX_ABBREVIATION_OPERANDS {
            return Err(BitcodeErrorKind::Limit {
                what: "operands of an abbreviation",
                count,
                limit: limits::MAX_ABBREVIATION_OPERANDS,
            }
            .at(offset));
        }
        let mut after_array = false;
        for index in 0..count {
            let op = self.abbreviation_operand(bad)?;
            match op {
                AbbrevOp::Array if index + 2 != count || index == 0 => {
                    return Err(bad("has an array that is not second to last"));
                }
                AbbrevOp::Blob if index + 1 != count || index == 0 || after_array => {
                    return Err(bad("has a blob that is not last"));
                }
                AbbrevOp::Literal(_) if after_array => {
                    return Err(bad("has an array with elements of no width"));
                }
                _ => self.ops.push(op.into()),
            }
            after_array = op == AbbrevOp::Array;
        }
        if count == 0 {
            Err(bad("has no operands"))
        } else {
            Ok(())
        }
    }

    fn abbreviation_operand(&mut self, bad: impl Fn(&'static str) -> Error) -> Result<AbbrevOp> {
        // One load holds: is literal (1 bit), encoding (3), width (5, if it has no second chunk).
        let word = self.peek();
        let (is_literal, encoding, width) = (word & 1 != 0, word >> 1 & 7, word >> 4 & 31);
        let length = match (is_literal, encoding) {
            (true, _) => 1,
            (false, 1 | 2) => 9,
            (false, _) => 4,
        };
        if length > self.remaining_bits() {
            return Err(self.unexpected_end(length as u64));
        }
        self.pos += length;
        if is_literal {
            return self.vbr::<8>().map(AbbrevOp::Literal);
        }
        let width = if length == 9 && width & 16 != 0 {
            self.pos -= 5;
            self.vbr_long(5)?
        } else {
            width
        };
        Ok(match (encoding, width) {
            (1 | 2, 0) => AbbrevOp::Literal(0),
            (1, 1..=64) => AbbrevOp::Fixed(width as u32),
            (1, _) => return Err(bad("has a fixed field wider than 64 bits")),
            (2, 2..=32) => AbbrevOp::Vbr(width as u32),
            (2, _) => return Err(bad("has a variable-width field of 1 or more than 32 bits")),
            (3, _) => AbbrevOp::Array,
            (4, _) => AbbrevOp::Char6,
            (5, _) => AbbrevOp::Blob,
            _ => return Err(bad("has an unknown encoding")),
        })
    }
}
