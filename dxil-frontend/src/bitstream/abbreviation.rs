//! Definitions of abbreviations: what each operand of a record is encoded as.

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

/// An abbreviation: a range of the operands of all abbreviations of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abbrev {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Stream<'_> {
    /// Reads the definition of an abbreviation, whose id was read.
    pub(super) fn define_abbreviation(&mut self) -> Result<Abbrev> {
        let offset = self.record_offset();
        let bad = |reason| BitcodeErrorKind::Abbreviation { reason }.at(offset);
        let count = self.vbr::<5>()?;
        if count > limits::MAX_ABBREVIATION_OPERANDS {
            return Err(BitcodeErrorKind::Limit { what: "operands of an abbreviation", count, limit: limits::MAX_ABBREVIATION_OPERANDS }.at(offset));
        }
        let start = self.ops.len();
        let mut after_array = false;
        for index in 0..count {
            let op = match self.usual_operand() {
                Some(op) => op,
                None => self.abbreviation_operand(bad)?,
            };
            match op {
                AbbrevOp::Array if index + 2 != count || index == 0 => return Err(bad("has an array that is not second to last")),
                AbbrevOp::Blob if index + 1 != count || index == 0 || after_array => return Err(bad("has a blob that is not last")),
                AbbrevOp::Literal(_) if after_array => return Err(bad("has an array with elements of no width")),
                _ => self.ops.push(op),
            }
            after_array = op == AbbrevOp::Array;
        }
        if count == 0 {
            return Err(bad("has no operands"));
        }
        Ok(Abbrev { start: start as u32, end: self.ops.len() as u32 })
    }

    /// Operand of an abbreviation in as few bits as usual: is literal (1 bit), then its value (8), or encoding (3) and width (5). `None`, and nothing read, if
    /// it takes more or is none.
    #[inline(always)]
    fn usual_operand(&mut self) -> Option<AbbrevOp> {
        let word = self.peek();
        let width = (word >> 4 & 31) as u32;
        let (op, length) = match (word & 15, width) {
            (0b0010, 1..=15) => (AbbrevOp::Fixed(width), 9),
            (0b0100, 2..=15) => (AbbrevOp::Vbr(width), 9),
            (0b0110, _) => (AbbrevOp::Array, 4),
            (0b1000, _) => (AbbrevOp::Char6, 4),
            _ if word & 0x101 == 1 => (AbbrevOp::Literal(word >> 1 & 0x7f), 9),
            _ => return None,
        };
        if length > self.remaining_bits() {
            return None;
        }
        self.pos += length;
        Some(op)
    }

    #[cold]
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
