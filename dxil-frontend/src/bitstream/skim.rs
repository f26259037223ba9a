//! Passing over records: finding where each one is and what code it has, without its fields.

use super::abbreviation::{Abbrev, Form};
use super::decode::{Loaded, WINDOW, load};
use super::{Entry, Result, Stream};
use crate::error::BitcodeErrorKind;

/// Position at which a record of the current block begins.
#[derive(Clone, Copy, Debug)]
pub struct RecordAt(usize);

/// Returns the code of an unabbreviated record that one load holds, after an id of `width` bits, and
/// its length, which may be past the end of the block.
#[inline(always)]
fn short_record(word: u64, width: u32) -> Option<(u32, usize)> {
    let word = word >> width;
    if width > WINDOW - 54 || word & 0x820 != 0 {
        return None;
    }
    // Code and count in one chunk each, then seven chunks.
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
    Some(((word & 31) as u32, width as usize + 12 + length))
}

impl Stream<'_> {
    /// As [`Stream::next_entry`], but the fields of a record may be passed over ([`Stream::record`]
    /// has no meaning then), and at its end the block is not left: its records can be read by
    /// [`Stream::reread`].
    ///
    /// # Errors
    /// The bits are malformed, so that the positions of records cannot be found.
    pub fn skim_entry(&mut self) -> Result<Entry> {
        loop {
            let word = load(self.data, self.pos);
            if word & self.scope.id_mask == 3
                && let Some((code, length)) = short_record(word, self.scope.width)
                && self.pos + length <= self.scope.end
            {
                self.record_start = self.pos;
                self.pos += length;
                return Ok(Entry::Record(code));
            }
            if let Some(code) = self.pass_text(word) {
                return Ok(Entry::Record(code));
            }
            // Reading what is longer takes little more than to pass over it.
            if let Some(code) = self.usual_record() {
                return Ok(Entry::Record(code));
            }
            match self.abbreviation_id()? {
                0 => return Ok(Entry::End),
                1 => return self.block_header().map(Entry::Block),
                2 => {
                    let abbrev = self.define_abbreviation()?;
                    self.abbrevs.push(abbrev);
                }
                id => return self.any_record(id).map(Entry::Record),
            }
        }
    }

    /// Passes over a record that is an array of elements of one width alone, as texts are, and returns its
    /// code; where another entry comes it does nothing.
    fn pass_text(&mut self, word: u64) -> Option<u32> {
        let index = ((word & self.scope.id_mask) as usize).checked_sub(4)?;
        let &Abbrev {
            start,
            end,
            usual,
            code,
        } = self.abbrevs.get(self.scope.first_abbrev + index)?;
        // The code is the first scalar, a literal.
        if usual == end || usual != start + 1 {
            return None;
        }
        let element = self.ops.get(usual as usize + 1)?;
        let width = match element.form {
            Form::Vbr => return None,
            Form::Char6 => 6,
            _ => usize::from(element.width),
        };
        let mut bits = Loaded::at(self.data, self.pos + self.scope.width as usize);
        let len = bits.short_vbr6()? as usize;
        let end = bits.end() + len * width;
        if end > self.scope.end {
            return None;
        }
        self.record_start = self.pos;
        self.pos = end;
        Some(code)
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
}
