//! Skimming: finds the position and the code of each record without reading its fields.

use super::abbreviation::{Abbrev, Form};
use super::decode::{Loaded, load};
use super::{Entry, Result, Stream};
use crate::error::BitcodeErrorKind;

/// Position at which a record of the current block begins.
#[derive(Clone, Copy, Debug)]
pub struct RecordAt(usize);

/// Returns the position after `count` integers in 6-bit chunks, which may be past the end of the
/// block.
#[inline(always)]
fn pass_vbr6(data: &[u8], mut pos: usize, mut count: u64) -> usize {
    // Lowest bits of the nine chunks of a load, and the sum of nine such numbers.
    const ONES: u64 = 0x1_0410_4104_1041;
    while count > 0 {
        // 1 for the last chunk of an integer.
        let mut ends = !load(data, pos) >> 5 & ONES;
        let some = ends.wrapping_mul(ONES) >> 48 & 63;
        if some < count {
            count -= some;
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

impl Stream<'_> {
    /// As [`Stream::next_entry`], but the fields of a record may be passed over ([`Stream::record`]
    /// has no meaning then), and at its end the block is not left: its records can be read by
    /// [`Stream::reread`].
    ///
    /// # Errors
    /// The bits are malformed, so that the positions of records cannot be found.
    pub fn skim_entry(&mut self) -> Result<Entry> {
        loop {
            if let Some((code, end)) = self.usual_end()
                && end <= self.scope.end
            {
                self.record_start = self.pos;
                self.pos = end;
                return Ok(Entry::Record(code));
            }
            self.record_start = self.pos;
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

    /// Returns the code of the record that comes next and the position after it, if it is
    /// unabbreviated, or an array of elements of one width alone, as texts are.
    #[inline(always)]
    fn usual_end(&self) -> Option<(u32, usize)> {
        let mut bits = Loaded::at(self.data, self.pos);
        let id = (bits.word & self.scope.id_mask) as usize;
        bits.skip(self.scope.width & 63);
        if id == 3 {
            let (code, len) = (bits.short_vbr6()? as u32, bits.short_vbr6()?);
            return Some((code, pass_vbr6(self.data, bits.end(), len)));
        }
        let &Abbrev {
            start,
            end,
            usual,
            code,
        } = self
            .abbrevs
            .get(self.scope.first_abbrev + id.checked_sub(4)?)?;
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
        let len = bits.short_vbr6()? as usize;
        Some((code, bits.end() + len * width))
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
