//! A cursor over a part that tracks its absolute offset, so that every error has one.

use super::{ContainerError, ContainerErrorKind, FourCC};

/// Longest string in bytes, its end included; a mangled name with many template arguments is long,
/// but not that long.
const MAX_STRING: usize = 1 << 16;

/// Little-endian reader of a part's data.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Reader<'a> {
    part: FourCC,
    /// Absolute offset of `data[0]`.
    base: usize,
    data: &'a [u8],
    pos: usize,
}

type Result<T> = std::result::Result<T, ContainerError>;

impl<'a> Reader<'a> {
    pub(crate) fn new(part: FourCC, base: usize, data: &'a [u8]) -> Self {
        Self {
            part,
            base,
            data,
            pos: 0,
        }
    }
    /// Returns the position within the data.
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }
    pub(crate) fn remaining(&self) -> usize {
        self.data.len().saturating_sub(self.pos)
    }
    /// Returns an error at a position of the data.
    #[cold]
    pub(crate) fn error_at(&self, pos: usize, kind: ContainerErrorKind) -> ContainerError {
        ContainerError {
            part: self.part,
            offset: self.base.saturating_add(pos),
            kind,
        }
    }
    /// Returns an error about a field that begins at a position of the data.
    #[cold]
    pub(crate) fn bad_field(
        &self,
        pos: usize,
        field: &'static str,
        found: u64,
        expected: &'static str,
    ) -> ContainerError {
        self.error_at(
            pos,
            ContainerErrorKind::Field {
                field,
                found,
                expected,
            },
        )
    }
    /// Returns an error about an item that does not fit the remaining bytes.
    #[cold]
    pub(crate) fn truncated(
        &self,
        pos: usize,
        what: &'static str,
        wanted: u64,
        available: usize,
    ) -> ContainerError {
        let kind = ContainerErrorKind::Truncated {
            what,
            wanted,
            available: available as u64,
        };
        self.error_at(pos, kind)
    }
    /// Returns an error about an offset or index that is not below `limit`.
    #[cold]
    pub(crate) fn beyond(
        &self,
        pos: usize,
        what: &'static str,
        index: u32,
        limit: u64,
    ) -> ContainerError {
        let index = index.into();
        self.error_at(pos, ContainerErrorKind::Range { what, index, limit })
    }
    /// Returns the next `len` bytes.
    pub(crate) fn bytes(&mut self, len: usize, what: &'static str) -> Result<&'a [u8]> {
        let end = self.pos.checked_add(len);
        let Some(slice) = end.and_then(|e| self.data.get(self.pos..e)) else {
            return Err(self.truncated(self.pos, what, len as u64, self.remaining()));
        };
        self.pos += len;
        Ok(slice)
    }
    /// Returns `count` items of `size` bytes.
    pub(crate) fn items(
        &mut self,
        count: u32,
        size: usize,
        what: &'static str,
    ) -> Result<&'a [u8]> {
        let len = u64::from(count) * size as u64;
        if len > self.remaining() as u64 {
            return Err(self.truncated(self.pos, what, len, self.remaining()));
        }
        self.bytes(len as usize, what)
    }
    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u8> {
        Ok(self.bytes(1, what)?[0])
    }
    pub(crate) fn u16(&mut self, what: &'static str) -> Result<u16> {
        Ok(u16_at(self.bytes(2, what)?, 0))
    }
    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32> {
        Ok(u32_at(self.bytes(4, what)?, 0))
    }
    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64> {
        let b = self.bytes(8, what)?;
        Ok(u64::from(u32_at(b, 0)) | u64::from(u32_at(b, 4)) << 32)
    }
    pub(crate) fn f32(&mut self, what: &'static str) -> Result<f32> {
        Ok(f32::from_bits(self.u32(what)?))
    }
    /// Skips to the next multiple of four of the data.
    pub(crate) fn align4(&mut self) {
        self.pos = self.pos.next_multiple_of(4).min(self.data.len());
    }
    /// Returns a reader at another position of the same data.
    pub(crate) fn at(&self, pos: u32, what: &'static str) -> Result<Self> {
        if pos as usize > self.data.len() {
            return Err(self.beyond(self.pos, what, pos, self.data.len() as u64 + 1));
        }
        Ok(Self {
            pos: pos as usize,
            ..*self
        })
    }
    /// Returns a reader of the next `len` bytes alone.
    pub(crate) fn sub(&mut self, len: usize, what: &'static str) -> Result<Self> {
        let base = self.base + self.pos;
        Ok(Self {
            part: self.part,
            base,
            data: self.bytes(len, what)?,
            pos: 0,
        })
    }
    /// Returns the NUL-terminated string at offset `at` of the data.
    pub(crate) fn string_at(&self, at: u32, what: &'static str) -> Result<&'a str> {
        let Some(tail) = self.data.get(at as usize..) else {
            return Err(self.beyond(self.pos, what, at, self.data.len() as u64));
        };
        let tail = tail.get(..MAX_STRING).unwrap_or(tail);
        let end = tail.iter().position(|&b| b == 0);
        let text = end.and_then(|end| std::str::from_utf8(&tail[..end]).ok());
        text.ok_or_else(|| self.error_at(at as usize, ContainerErrorKind::String { what }))
    }
    pub(crate) fn data(&self) -> &'a [u8] {
        self.data
    }
}

/// Most bytes of all names of one part. Records may share names, so that a part could otherwise have
/// a quadratic number of them.
const MAX_NAMES: usize = 1 << 24;

/// Names of a part's records, NUL-terminated strings at offsets of its data.
pub(crate) struct Names<'a> {
    reader: Reader<'a>,
    /// Bytes so far.
    total: usize,
}

impl<'a> Names<'a> {
    pub(crate) fn new(reader: Reader<'a>) -> Self {
        Self { reader, total: 0 }
    }
    /// Returns the name at an offset.
    pub(crate) fn at(&mut self, at: u32, what: &'static str) -> Result<&'a str> {
        let name = self.reader.string_at(at, what)?;
        self.total += name.len();
        if self.total > MAX_NAMES {
            let (index, limit) = (self.total as u64, MAX_NAMES as u64 + 1);
            let what = "bytes of names";
            let kind = ContainerErrorKind::Range { what, index, limit };
            return Err(self.reader.error_at(at as usize, kind));
        }
        Ok(name)
    }
}

/// Returns the little-endian `u32` at `at`; 0 past the end (callers have checked the length).
pub(crate) fn u32_at(data: &[u8], at: usize) -> u32 {
    data.get(at..at + 4)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

/// Returns the little-endian `u16` at `at`; 0 past the end (callers have checked the length).
pub(crate) fn u16_at(data: &[u8], at: usize) -> u16 {
    data.get(at..at + 2)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u16::from_le_bytes)
}
