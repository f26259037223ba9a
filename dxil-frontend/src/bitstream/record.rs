//! Records with their fields: the code and fields of unabbreviated records, and the scalars,
//! arrays and blobs of abbreviated ones.
//!
//! [`super::decode`] decodes the usual fields from a register without a check per field. A record
//! whose end does not fit the block, or that has wider fields, is read again field by field.

use super::abbreviation::{Abbrev, AbbrevOp, Form};
use super::decode::{Loaded, load, scalars, vbr6_fields};
use super::{Result, Stream};
use crate::error::BitcodeErrorKind;

/// Character of a `char6` code.
const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

impl<'a> Stream<'a> {
    /// Fields of the last record.
    #[inline]
    pub fn record(&self) -> &[u64] {
        self.record.get(1..self.len).unwrap_or_default()
    }

    /// Appends `count` fields to the record, to be written by the caller.
    #[inline]
    fn grow(&mut self, count: usize) -> &mut [u64] {
        let end = self.len + count;
        if end > self.record.len() {
            self.record.resize(end.next_power_of_two(), 0);
        }
        let fields = self.record.get_mut(self.len..end).unwrap_or_default();
        self.len = end;
        fields
    }

    #[inline]
    pub(super) fn record_code(&self, code: u64) -> Result<u32> {
        u32::try_from(code).map_err(|_| {
            BitcodeErrorKind::Field {
                field: "record code",
                found: code,
                expected: "32 bits",
            }
            .at(self.record_offset())
        })
    }

    #[inline]
    pub(super) fn check_count(
        &self,
        what: &'static str,
        count: u64,
        min_bits: usize,
    ) -> Result<()> {
        if count.saturating_mul(min_bits as u64) <= self.remaining_bits() as u64 {
            return Ok(());
        }
        let limit = (self.remaining_bits() / min_bits) as u64;
        Err(BitcodeErrorKind::Limit { what, count, limit }.at(self.record_offset()))
    }

    /// Returns the code and number of fields of an unabbreviated record, of which `word` has the
    /// first bits.
    #[inline(always)]
    pub(super) fn code_and_count(&mut self, word: u64) -> Result<(u64, u64)> {
        // One chunk each as a rule.
        if word & 0x820 == 0 && self.pos + 12 <= self.end {
            self.pos += 12;
            return Ok((word & 0x1f, word >> 6 & 0x1f));
        }
        Ok((self.vbr::<6>()?, self.vbr::<6>()?))
    }

    /// Reads an unabbreviated record; `rest` has its first bits.
    #[inline(always)]
    pub(super) fn unabbreviated(&mut self, rest: Loaded) -> Result<u32> {
        let short = self.pos;
        let (code, count) = self.code_and_count(rest.word)?;
        let rest = if self.pos == short + 12 {
            Loaded {
                used: rest.used + 12,
                word: rest.word >> 12,
                ..rest
            }
        } else {
            Loaded::at(self.data, self.pos)
        };
        self.check_count("fields of a record", count, 6)?;
        self.len = 1 + count as usize;
        if self.len > self.record.len() {
            self.record.resize(self.len.next_power_of_two(), 0);
        }
        let fields = self.record.get_mut(1..self.len).unwrap_or_default();
        match vbr6_fields(self.data, rest, fields) {
            Some(end) if end <= self.end => self.pos = end,
            _ => self.vbr6_fields_checked(1)?,
        }
        self.record_code(code)
    }

    /// Reads the fields one by one, each checked against the end of the block: for the rare long
    /// ones, and for exact errors.
    #[cold]
    fn vbr6_fields_checked(&mut self, start: usize) -> Result<()> {
        for index in start..self.len {
            let value = self.vbr::<6>()?;
            if let Some(field) = self.record.get_mut(index) {
                *field = value;
            }
        }
        Ok(())
    }

    /// Returns the abbreviation with that id, 4 or more.
    #[inline(always)]
    pub(super) fn abbreviation(&self, id: u32) -> Result<Abbrev> {
        let index = self.first_abbrev + (id - 4) as usize;
        self.abbrevs.get(index).copied().ok_or_else(|| {
            let count = self.abbrevs.len() - self.first_abbrev;
            BitcodeErrorKind::UnknownAbbreviation { id, count }.at(self.record_offset())
        })
    }

    #[inline(always)]
    pub(super) fn abbreviated(&mut self, id: u32, rest: Loaded) -> Result<u32> {
        let Abbrev { start, end } = self.abbreviation(id)?;
        let ops = self
            .ops
            .get(start as usize..end as usize)
            .unwrap_or_default();
        // Enough for all scalars, the code among them.
        if ops.len() > self.record.len() {
            self.record.resize(ops.len().next_power_of_two(), 0);
        }
        match scalars(self.data, rest, ops, &mut self.record) {
            Some((count, position)) if position <= self.end => {
                (self.len, self.pos) = (count, position);
            }
            _ => self.scalars_checked(start as usize, end as usize)?,
        }
        let tail = start as usize + self.len;
        if tail < end as usize {
            match (self.ops.get(tail), self.ops.get(tail + 1)) {
                (Some(op), Some(element)) if op.form == Form::Array => self.array(element.op())?,
                _ => self.blob()?,
            }
        }
        self.record_code(self.record.first().copied().unwrap_or(0))
    }

    /// Scalars of an abbreviation one by one, each checked against the end of the block: for the
    /// rare wide ones, and for exact errors.
    #[cold]
    fn scalars_checked(&mut self, start: usize, end: usize) -> Result<()> {
        self.len = 0;
        for at in start..end {
            let op = self.ops.get(at).map_or(AbbrevOp::Blob, |op| op.op());
            if matches!(op, AbbrevOp::Array | AbbrevOp::Blob) {
                break;
            }
            let value = self.scalar(op)?;
            if let [field] = self.grow(1) {
                *field = value;
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn scalar(&mut self, op: AbbrevOp) -> Result<u64> {
        match op {
            AbbrevOp::Literal(value) => Ok(value),
            AbbrevOp::Fixed(width) => self.fixed(width),
            AbbrevOp::Vbr(width) => self.vbr_of(width),
            AbbrevOp::Char6 => Ok(u64::from(CHAR6[self.fixed(6)? as usize & 63])),
            // `define_abbreviation` rejects both where a scalar is read.
            AbbrevOp::Array | AbbrevOp::Blob => Err(BitcodeErrorKind::Abbreviation {
                reason: "nests an array or a blob",
            }
            .at(self.record_offset())),
        }
    }

    #[inline]
    fn array(&mut self, element: AbbrevOp) -> Result<()> {
        let count = self.vbr::<6>()?;
        match element {
            AbbrevOp::Fixed(7) => self.narrow_array(count, 7, |v| v),
            AbbrevOp::Fixed(8) => self.narrow_array(count, 8, |v| v),
            AbbrevOp::Char6 => self.narrow_array(count, 6, |v| u64::from(CHAR6[v as usize & 63])),
            AbbrevOp::Fixed(width @ 1..=8) => self.narrow_array(count, width, |v| v),
            AbbrevOp::Vbr(6) => {
                self.check_count("elements of an array", count, 6)?;
                let start = self.len;
                self.grow(count as usize);
                let fields = self.record.get_mut(start..self.len).unwrap_or_default();
                match vbr6_fields(self.data, Loaded::at(self.data, self.pos), fields) {
                    Some(end) if end <= self.end => self.pos = end,
                    _ => self.vbr6_fields_checked(start)?,
                }
                Ok(())
            }
            AbbrevOp::Fixed(width) | AbbrevOp::Vbr(width) => {
                self.check_count("elements of an array", count, width as usize)?;
                for _ in 0..count {
                    let value = self.scalar(element)?;
                    if let [field] = self.grow(1) {
                        *field = value;
                    }
                }
                Ok(())
            }
            _ => Err(BitcodeErrorKind::Abbreviation {
                reason: "has an array of arrays or blobs",
            }
            .at(self.record_offset())),
        }
    }

    /// Reads an array of fields of at most 8 bits (strings): several elements from each load.
    #[inline(always)]
    fn narrow_array(&mut self, count: u64, width: u32, decode: impl Fn(u64) -> u64) -> Result<()> {
        self.check_count("elements of an array", count, width as usize)?;
        let (per_load, mask) = (57 / width as usize, (1 << width) - 1);
        let (start, end) = (self.len, self.len + count as usize);
        if end > self.record.len() {
            self.record.resize(end.next_power_of_two(), 0);
        }
        let mut pos = self.pos;
        for fields in self
            .record
            .get_mut(start..end)
            .unwrap_or_default()
            .chunks_mut(per_load)
        {
            let mut word = load(self.data, pos);
            for field in &mut *fields {
                *field = decode(word & mask);
                word >>= width;
            }
            pos += fields.len() * width as usize;
        }
        (self.pos, self.len) = (pos, end);
        Ok(())
    }

    #[inline]
    fn blob(&mut self) -> Result<()> {
        let bytes = self.blob_bytes()?;
        for (field, &byte) in self.grow(bytes.len()).iter_mut().zip(bytes) {
            *field = u64::from(byte);
        }
        Ok(())
    }

    /// Skips a blob, and returns its bytes.
    #[inline]
    pub(super) fn blob_bytes(&mut self) -> Result<&'a [u8]> {
        let len = self.vbr::<6>()?;
        self.align()?;
        self.check_count("bytes of a blob", len, 8)?;
        let from = self.pos / 8;
        let bytes = self.data.get(from..from + len as usize).unwrap_or_default();
        self.pos += len as usize * 8;
        self.align()?;
        Ok(bytes)
    }
}
