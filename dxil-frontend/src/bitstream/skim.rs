//! Passing over records: finding where each one is and what code it has, without its fields.

use super::abbreviation::{Abbrev, AbbrevOp};
use super::decode::{Loaded, WINDOW, skip_vbr6};
use super::{Entry, Result, Stream};
use crate::error::BitcodeErrorKind;

/// Position at which a record of the current block begins.
#[derive(Clone, Copy, Debug)]
pub struct RecordAt(usize);

/// Returns the code of an unabbreviated record that one load holds, and the position after it,
/// which may be past the end of the block.
#[inline(always)]
fn short_record(rest: Loaded) -> Option<(u32, usize)> {
    let Loaded { pos, used, word } = rest;
    // Code and count in one chunk each, then seven chunks.
    if used > WINDOW - 54 || word & 0x820 != 0 {
        return None;
    }
    let count = word >> 6 & 31;
    let mut ends = !word >> 17 & 0x10_4104_1041;
    let mut length = 0;
    for _ in 0..count {
        if ends == 0 {
            return None;
        }
        length = ends.trailing_zeros() as usize + 6;
        ends &= ends - 1;
    }
    Some(((word & 31) as u32, pos + used as usize + 12 + length))
}

impl Stream<'_> {
    /// As [`Stream::next_entry`], but the fields of a record are passed over ([`Stream::record`]
    /// has no meaning then), and at its end the block is not left: its records can be read by
    /// [`Stream::reread`].
    ///
    /// # Errors
    /// The bits are malformed, so that the positions of records cannot be found.
    pub fn skim_entry(&mut self) -> Result<Entry> {
        loop {
            self.record_start = self.pos;
            let rest = Loaded::at(self.data, self.pos);
            let id = self.abbreviation_id()?;
            let rest = Loaded {
                pos: rest.pos,
                used: self.width,
                word: rest.word >> self.width,
            };
            match id {
                0 => return Ok(Entry::End),
                1 => return self.block_header().map(Entry::Block),
                2 => {
                    let abbrev = self.define_abbreviation()?;
                    self.abbrevs.push(abbrev);
                }
                3 => {
                    return match short_record(rest) {
                        Some((code, position)) if position <= self.end => {
                            self.pos = position;
                            Ok(Entry::Record(code))
                        }
                        _ => self.skim_unabbreviated().map(Entry::Record),
                    };
                }
                _ => return self.skim_abbreviated(id).map(Entry::Record),
            }
        }
    }

    /// Returns the position of the last record.
    pub fn record_at(&self) -> RecordAt {
        RecordAt(self.record_start)
    }

    /// Reads a record of the current block, with its fields, and continues after it.
    ///
    /// # Errors
    /// The bits are malformed.
    pub fn reread(&mut self, at: RecordAt) -> Result<u32> {
        self.pos = at.0;
        match self.next_entry()? {
            Entry::Record(code) => Ok(code),
            Entry::End | Entry::Block(_) => {
                Err(BitcodeErrorKind::Missing { what: "record" }.at(self.record_offset()))
            }
        }
    }

    fn skim_unabbreviated(&mut self) -> Result<u32> {
        let (code, count) = self.code_and_count()?;
        self.skip_fields(count)?;
        self.record_code(code)
    }

    /// Passes over that many integers in 6-bit chunks.
    fn skip_fields(&mut self, count: u64) -> Result<()> {
        self.check_count("fields of a record", count, 6)?;
        self.go_to(skip_vbr6(self.data, self.pos, count))
    }

    /// Moves to a position of the current block.
    fn go_to(&mut self, position: usize) -> Result<()> {
        if position > self.end {
            return Err(self.unexpected_end((position - self.pos) as u64));
        }
        self.pos = position;
        Ok(())
    }

    fn skim_abbreviated(&mut self, id: u32) -> Result<u32> {
        let Abbrev { start, end, .. } = self.abbreviation(id)?;
        let mut code = None;
        for at in start as usize..end as usize {
            let op = self.ops.get(at).map_or(AbbrevOp::Blob, |op| op.op());
            let value = match (op, self.ops.get(at + 1)) {
                (AbbrevOp::Array, Some(element)) => {
                    self.skip_array(element.op())?;
                    break;
                }
                (AbbrevOp::Array | AbbrevOp::Blob, _) => {
                    self.blob_bytes()?;
                    break;
                }
                (op, _) => self.scalar(op)?,
            };
            code.get_or_insert(value);
        }
        self.record_code(code.unwrap_or(0))
    }

    fn skip_array(&mut self, element: AbbrevOp) -> Result<()> {
        let count = self.vbr::<6>()?;
        let width = match element {
            AbbrevOp::Vbr(6) => return self.skip_fields(count),
            AbbrevOp::Fixed(width) | AbbrevOp::Vbr(width) => width as usize,
            _ => 6,
        };
        self.check_count("elements of an array", count, width)?;
        match element {
            AbbrevOp::Fixed(_) | AbbrevOp::Char6 => self.go_to(self.pos + count as usize * width),
            element => (0..count).try_for_each(|_| self.scalar(element).map(|_| ())),
        }
    }
}
