//! Records with their fields: the code and fields of unabbreviated records, and the scalars,
//! arrays and blobs of abbreviated ones, each checked against the end of the block. Nearly all
//! records are read by [`super::usual`]; here are those that it does not read.

use super::abbreviation::{Abbrev, Form, StoredOp};
use super::decode::CHAR6;
use super::{Result, Stream};
use crate::error::BitcodeErrorKind;

impl<'a> Stream<'a> {
    /// Fields of the last record.
    #[inline]
    pub fn record(&self) -> &[u64] {
        self.record.get(..self.len).unwrap_or_default()
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
    fn record_code(&self, code: u64) -> Result<u32> {
        u32::try_from(code).map_err(|_| self.bad_field("record code", code, "32 bits"))
    }

    #[inline]
    fn check_count(&self, what: &'static str, count: u64, min_bits: usize) -> Result<()> {
        if count.saturating_mul(min_bits as u64) <= self.remaining_bits() as u64 {
            return Ok(());
        }
        let limit = (self.remaining_bits() / min_bits) as u64;
        Err(BitcodeErrorKind::Limit { what, count, limit }.at(self.record_offset()))
    }

    /// Reads the record with an abbreviation id of 3 or more.
    pub(super) fn any_record(&mut self, id: u32) -> Result<u32> {
        if id == 3 {
            self.unabbreviated()
        } else {
            self.abbreviated(id)
        }
    }

    fn unabbreviated(&mut self) -> Result<u32> {
        let (code, count) = (self.vbr::<6>()?, self.vbr::<6>()?);
        self.check_count("fields of a record", count, 6)?;
        self.len = 0;
        self.grow(count as usize);
        for index in 0..self.len {
            let value = self.vbr::<6>()?;
            if let Some(field) = self.record.get_mut(index) {
                *field = value;
            }
        }
        self.record_code(code)
    }

    /// Returns the abbreviation with that id, 4 or more.
    fn abbreviation(&self, id: u32) -> Result<Abbrev> {
        let index = self.scope.first_abbrev + (id - 4) as usize;
        self.abbrevs.get(index).copied().ok_or_else(|| {
            let count = self.abbrevs.len() - self.scope.first_abbrev;
            BitcodeErrorKind::UnknownAbbreviation { id, count }.at(self.record_offset())
        })
    }

    fn abbreviated(&mut self, id: u32) -> Result<u32> {
        let Abbrev { start, end, .. } = self.abbreviation(id)?;
        self.len = 0;
        let mut code = None;
        for at in start as usize..end as usize {
            let Some(&op) = self.ops.get(at) else { break };
            match (op.form, self.ops.get(at + 1)) {
                (Form::Array, Some(&element)) => {
                    self.array(element)?;
                    break;
                }
                (Form::Array | Form::Blob, _) => {
                    self.blob()?;
                    break;
                }
                _ => {
                    let value = self.scalar(op)?;
                    if code.is_none() {
                        code = Some(value);
                    } else if let [field] = self.grow(1) {
                        *field = value;
                    }
                }
            }
        }
        self.record_code(code.unwrap_or(0))
    }

    fn scalar(&mut self, op: StoredOp) -> Result<u64> {
        match op.form {
            Form::Fixed if op.width == 0 => Ok(op.literal),
            Form::Fixed => self.fixed(op.width.into()),
            Form::Vbr => self.vbr_of(op.width.into()),
            Form::Char6 => Ok(u64::from(CHAR6[self.fixed(6)? as usize & 63])),
            // `define_abbreviation` rejects both where a scalar is read.
            Form::Array | Form::Blob => Err(BitcodeErrorKind::Abbreviation {
                reason: "nests an array or a blob",
            }
            .at(self.record_offset())),
        }
    }

    fn array(&mut self, element: StoredOp) -> Result<()> {
        let count = self.vbr::<6>()?;
        let width = match element.form {
            Form::Fixed | Form::Vbr if element.width != 0 => element.width.into(),
            Form::Char6 => 6,
            _ => {
                return Err(BitcodeErrorKind::Abbreviation {
                    reason: "has an array of arrays or blobs",
                }
                .at(self.record_offset()));
            }
        };
        self.check_count("elements of an array", count, width)?;
        for _ in 0..count {
            let value = self.scalar(element)?;
            if let [field] = self.grow(1) {
                *field = value;
            }
        }
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
    fn blob_bytes(&mut self) -> Result<&'a [u8]> {
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
