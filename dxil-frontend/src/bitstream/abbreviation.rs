//! Definitions of abbreviations: the encoding of each operand of a record.

use super::decode::{WINDOW, load};
use super::{Result, Stream};
use crate::error::{BitcodeErrorKind, Error};
use crate::limits;

/// One operand of an abbreviation. A field without bits reads as 0, so that literals, fixed and variable
/// fields are decoded alike, without a branch on which of them it is: the order in which they come
/// cannot be predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StoredOp {
    /// Of a literal.
    pub(super) literal: u64,
    /// The lowest `width` bits.
    pub(super) mask: u64,
    /// The highest of these bits if it marks that the integer continues.
    pub(super) more: u64,
    /// 0 for encodings without a width.
    pub(super) width: u8,
    pub(super) form: Form,
}

/// The form of an operand: up to [`Form::Vbr`] a scalar that [`super::decode`] reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Form {
    Fixed = 0,
    Vbr = 1,
    Char6,
    Array,
    Blob,
}

impl StoredOp {
    #[inline(always)]
    pub(super) const fn literal(literal: u64) -> Self {
        Self {
            literal,
            ..Self::form(Form::Fixed)
        }
    }

    #[inline(always)]
    pub(super) const fn form(form: Form) -> Self {
        Self {
            literal: 0,
            mask: 0,
            more: 0,
            width: 0,
            form,
        }
    }

    /// Returns a field of 1 to 64 bits.
    #[inline(always)]
    pub(super) const fn fixed(width: u32) -> Self {
        Self {
            mask: u64::MAX >> (64 - width),
            width: width as u8,
            ..Self::form(Form::Fixed)
        }
    }

    /// Returns a field with chunks of 2 to 32 bits.
    #[inline(always)]
    pub(super) const fn vbr(width: u32) -> Self {
        Self {
            more: 1 << (width - 1),
            form: Form::Vbr,
            ..Self::fixed(width)
        }
    }

    /// Returns whether it is a literal.
    pub(super) const fn is_literal(self) -> bool {
        matches!(self.form, Form::Fixed) && self.width == 0
    }

    /// Returns the code of records whose first operand this is: LLVM has literals there.
    fn usual_code(self) -> Option<u32> {
        let code = u32::try_from(self.literal).ok();
        code.filter(|_| self.is_literal())
    }

    /// Returns whether [`super::usual`] reads arrays of these.
    fn is_usual_element(self) -> bool {
        match self.form {
            Form::Fixed => u32::from(self.width) <= WINDOW,
            Form::Vbr => self.width == 6,
            form => form == Form::Char6,
        }
    }
}

/// An abbreviation: a range of the operands of all abbreviations of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abbrev {
    pub(super) start: u32,
    pub(super) end: u32,
    /// One past its scalars; 0 if [`super::usual`] does not read such records.
    pub(super) usual: u32,
    /// Of these records, if that reads them.
    pub(super) code: u32,
}

/// Most bits of the scalars of a usual abbreviation, with the id of the abbreviation: one load has
/// all of them as long as each variable one has one chunk.
const USUAL_BITS: u32 = WINDOW - USUAL_ID_BITS;
/// Most bits of an abbreviation id for which that holds.
pub(super) const USUAL_ID_BITS: u32 = 8;

impl Abbrev {
    /// Returns the abbreviation with these operands; `start` is the number of the first one.
    #[inline]
    pub(super) fn new(start: usize, ops: &[StoredOp]) -> Self {
        let (mut bits, mut scalars) = (0, 0);
        let mut tail = ops;
        while let [op, rest @ ..] = tail
            && op.form <= Form::Vbr
        {
            bits += u32::from(op.width);
            scalars += 1;
            tail = rest;
        }
        let code = ops.first().and_then(|op| op.usual_code());
        let is_usual = bits <= USUAL_BITS
            && code.is_some()
            && scalars <= USUAL_BITS
            && match tail {
                [] => true,
                [array, element] => array.form == Form::Array && element.is_usual_element(),
                _ => false,
            };
        Self {
            start: start as u32,
            end: (start + ops.len()) as u32,
            usual: if is_usual { start as u32 + scalars } else { 0 },
            code: code.unwrap_or(0),
        }
    }
}

impl Stream<'_> {
    /// Reads the definition of an abbreviation, whose id was read.
    #[inline]
    pub(super) fn define_abbreviation(&mut self) -> Result<Abbrev> {
        let start = self.ops.len();
        if let Some(abbrev) = self.usual_abbreviation() {
            return Ok(abbrev);
        }
        self.ops.truncate(start);
        self.any_abbreviation()?;
        let ops = self.ops.get(start..).unwrap_or_default();
        Ok(Abbrev::new(start, ops))
    }

    /// Reads a definition of at most 15 operands in as few bits as usual: is literal (1 bit), then
    /// its value (8), or encoding (3) and width (5). If there is anything else, it is `None`, and
    /// nothing is read but operands, which the caller removes.
    #[inline(always)]
    fn usual_abbreviation(&mut self) -> Option<Abbrev> {
        let start = self.ops.len();
        let (mut pos, mut word, mut used) = (self.pos, self.peek(), 5);
        let count = word as u32 & 31;
        word >>= 5;
        let mut scalars = count;
        for index in 0..count {
            if used > WINDOW - 9 {
                pos += used as usize;
                (word, used) = (load(self.data, pos), 0);
            }
            let width = word as u32 >> 4 & 31;
            let (op, length) = match word & 15 {
                0b0010 if matches!(width, 1..=15) => (StoredOp::fixed(width), 9),
                0b0100 if matches!(width, 2..=15) => (StoredOp::vbr(width), 9),
                0b0110 if index + 2 == count && index != 0 => {
                    scalars = index;
                    (StoredOp::form(Form::Array), 4)
                }
                // Only as the element of an array.
                0b1000 if scalars != count => (StoredOp::form(Form::Char6), 4),
                _ if word & 0x101 == 1 && scalars == count => {
                    (StoredOp::literal(word >> 1 & 0x7f), 9)
                }
                _ => return None,
            };
            self.ops.push(op);
            word >>= length;
            used += length;
        }
        let end = pos + used as usize;
        if !matches!(count, 1..=15) || end > self.scope.end {
            return None;
        }
        self.pos = end;
        let ops = self.ops.get(start..).unwrap_or_default();
        Some(Abbrev::new(start, ops))
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
            match op.form {
                Form::Array if index + 2 != count || index == 0 => {
                    return Err(bad("has an array that is not second to last"));
                }
                Form::Blob if index + 1 != count || index == 0 || after_array => {
                    return Err(bad("has a blob that is not last"));
                }
                _ if op.is_literal() && after_array => {
                    return Err(bad("has an array with elements of no width"));
                }
                _ => self.ops.push(op),
            }
            after_array = op.form == Form::Array;
        }
        if count == 0 {
            Err(bad("has no operands"))
        } else {
            Ok(())
        }
    }

    fn abbreviation_operand(&mut self, bad: impl Fn(&'static str) -> Error) -> Result<StoredOp> {
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
            return self.vbr::<8>().map(StoredOp::literal);
        }
        let width = if length == 9 && width & 16 != 0 {
            self.pos -= 5;
            self.vbr_long(5)?
        } else {
            width
        };
        Ok(match (encoding, width) {
            (1 | 2, 0) => StoredOp::literal(0),
            (1, 1..=64) => StoredOp::fixed(width as u32),
            (1, _) => return Err(bad("has a fixed field wider than 64 bits")),
            (2, 2..=32) => StoredOp::vbr(width as u32),
            (2, _) => return Err(bad("has a variable-width field of 1 or more than 32 bits")),
            (3, _) => StoredOp::form(Form::Array),
            (4, _) => StoredOp::form(Form::Char6),
            (5, _) => StoredOp::form(Form::Blob),
            _ => return Err(bad("has an unknown encoding")),
        })
    }
}
