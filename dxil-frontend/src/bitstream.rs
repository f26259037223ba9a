//! LLVM's bitstream container: abbreviations, blocks and records, independent of their meaning.
//!
//! Source: "LLVM Bitcode File Format", sections *Bitstream Format* and *Bitcode Wrapper Format*.
//! All positions are in bits from the magic number, which the 32-bit alignment refers to. The
//! reader loads eight bytes at once, decodes each record into one reusable vector, and skips a
//! block by its length.

mod abbreviation;
mod block_info;
mod decode;
mod known;
mod skim;

use crate::error::{BitcodeErrorKind, Error};
use crate::limits;
use abbreviation::{Abbrev, AbbrevOp};
use decode::{Loaded, load, scalars, vbr6_fields};
pub(crate) use known::KnownBits;
pub use skim::RecordAt;

type Result<T> = std::result::Result<T, Error>;

/// Magic number of raw bitcode, little-endian.
pub const MAGIC: u32 = 0xdec0_4342;
/// Magic number of the wrapper header.
pub const WRAPPER_MAGIC: u32 = 0x0b17_c0de;

/// A nested block whose header was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Block id.
    pub id: u32,
    /// Width of its abbreviation ids in bits.
    width: u32,
    /// First bit of the body.
    start: usize,
    /// One past the last bit of the body.
    end: usize,
}

impl Block {
    /// Length of the body in bits.
    pub fn bits(&self) -> usize {
        self.end - self.start
    }
}

/// Result of [`Stream::next_entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The current block ended; the stream is in the surrounding block again.
    End,
    /// A nested block, to be entered or skipped.
    Block(Block),
    /// A record with this code; its fields are in [`Stream::record`].
    Record(u32),
}

/// State to restore at the end of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Scope {
    width: u32,
    end: usize,
    start: usize,
    first_abbrev: usize,
    block: u32,
}

/// A reader of a bitstream.
#[derive(Debug)]
pub struct Stream<'a> {
    data: &'a [u8],
    /// Position in bits.
    pos: usize,
    /// Where the current block ends, in bits.
    end: usize,
    /// First bit of the current block's body.
    start: usize,
    /// Absolute byte offset of `data`.
    base: usize,
    width: u32,
    block: u32,
    first_abbrev: usize,
    /// Surrounding blocks, `depth` of them.
    scopes: [Scope; limits::MAX_BLOCK_DEPTH],
    depth: usize,
    abbrevs: Vec<Abbrev>,
    ops: Vec<AbbrevOp>,
    /// Abbreviations that BLOCKINFO gives to block ids, in order of definition.
    block_info: Vec<(u32, Abbrev)>,
    /// Buffer with the code of the last record, then its fields, `len` entries in all; the rest is
    /// stale data of longer records.
    record: Vec<u64>,
    len: usize,
    record_start: usize,
}

/// Character of a `char6` code.
const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

impl<'a> Stream<'a> {
    /// Opens raw or wrapped bitcode. `base` is the absolute byte offset of `bytes`, for errors.
    pub fn open(bytes: &'a [u8], base: usize) -> Result<Self> {
        let word = |at: usize| {
            bytes
                .get(at..at + 4)
                .and_then(|b| b.try_into().ok())
                .map(u32::from_le_bytes)
        };
        let missing =
            |wanted: u64| BitcodeErrorKind::UnexpectedEnd { wanted }.at(base + bytes.len());
        let magic = word(0).ok_or_else(|| missing(32))?;
        let (data, base) = match magic {
            MAGIC => (bytes, base),
            WRAPPER_MAGIC => {
                let (offset, size) = word(8).zip(word(12)).ok_or_else(|| missing(128))?;
                let inner = bytes
                    .get(offset as usize..)
                    .and_then(|b| b.get(..size as usize));
                let inner = inner.ok_or_else(|| {
                    BitcodeErrorKind::Wrapper {
                        offset,
                        size,
                        available: bytes.len(),
                    }
                    .at(base + 8)
                })?;
                let found = inner
                    .get(..4)
                    .and_then(|b| b.try_into().ok())
                    .map_or(0, u32::from_le_bytes);
                if found != MAGIC {
                    return Err(BitcodeErrorKind::Magic { found }.at(base + offset as usize));
                }
                (inner, base + offset as usize)
            }
            found => return Err(BitcodeErrorKind::Magic { found }.at(base)),
        };
        if data.len() > limits::MAX_MODULE_BYTES {
            return Err(BitcodeErrorKind::Limit {
                what: "bytes of the module",
                count: data.len() as u64,
                limit: limits::MAX_MODULE_BYTES as u64,
            }
            .at(base));
        }
        Ok(Self {
            data,
            pos: 32,
            end: data.len() * 8,
            start: 32,
            base,
            width: 2,
            block: u32::MAX,
            first_abbrev: 0,
            scopes: [Scope::default(); limits::MAX_BLOCK_DEPTH],
            depth: 0,
            abbrevs: Vec::with_capacity(16),
            ops: Vec::with_capacity(128),
            block_info: Vec::with_capacity(16),
            record: vec![0; 128],
            len: 1,
            record_start: 32,
        })
    }

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

    /// Absolute byte offset of the last record or block header.
    pub fn record_offset(&self) -> usize {
        self.base + self.record_start / 8
    }

    /// Id of the current block; `None` at the top level.
    pub fn block_id(&self) -> Option<u32> {
        (self.depth != 0).then_some(self.block)
    }

    /// Bits from here to the end of the current block.
    pub fn remaining_bits(&self) -> usize {
        self.end.saturating_sub(self.pos)
    }

    /// Returns whether only padding can follow at the top level.
    pub fn at_end(&self) -> bool {
        self.remaining_bits() < 64
    }

    #[cold]
    fn unexpected_end(&self, wanted: u64) -> Error {
        BitcodeErrorKind::UnexpectedEnd { wanted }.at(self.base + self.pos / 8)
    }

    /// At least [`decode::WINDOW`] bits from the current position on, zero beyond the end of the
    /// data.
    #[inline(always)]
    fn peek(&self) -> u64 {
        load(self.data, self.pos)
    }

    /// Reads up to 64 bits.
    #[inline(always)]
    fn fixed(&mut self, width: u32) -> Result<u64> {
        let width_bits = width as usize;
        if width_bits > self.remaining_bits() {
            return Err(self.unexpected_end(u64::from(width)));
        }
        if width <= 57 {
            let value = self.peek() & ((1 << width) - 1);
            self.pos += width_bits;
            return Ok(value);
        }
        Ok(self.fixed_wide(width))
    }

    /// 58 to 64 bits, which are there.
    #[cold]
    fn fixed_wide(&mut self, width: u32) -> u64 {
        let low = self.peek() & 0xffff_ffff;
        self.pos += 32;
        let high = self.peek() & ((1 << (width - 32)) - 1);
        self.pos += width as usize - 32;
        low | high << 32
    }

    /// Reads a variable-width integer in chunks of `WIDTH` bits; one chunk is the rule.
    #[inline(always)]
    fn vbr<const WIDTH: u32>(&mut self) -> Result<u64> {
        let word = self.peek();
        if word >> (WIDTH - 1) & 1 == 0 && WIDTH as usize <= self.remaining_bits() {
            self.pos += WIDTH as usize;
            return Ok(word & ((1 << (WIDTH - 1)) - 1));
        }
        self.vbr_long(WIDTH)
    }

    /// Reads a variable-width integer of a width (2 to 32) that an abbreviation gives.
    #[inline]
    fn vbr_of(&mut self, width: u32) -> Result<u64> {
        match width {
            6 => self.vbr::<6>(),
            8 => self.vbr::<8>(),
            _ => self.vbr_long(width),
        }
    }

    /// As many chunks as one load holds; longer ones and those at the end of a block one by one.
    fn vbr_long(&mut self, width: u32) -> Result<u64> {
        let more = 1 << (width - 1);
        let window = 57.min(self.remaining_bits() as u64) as u32;
        let mut word = self.peek();
        let (mut value, mut shift, mut used) = (0, 0, width);
        while used <= window {
            value |= (word & (more - 1)) << shift;
            if word & more == 0 {
                self.pos += used as usize;
                return Ok(value);
            }
            word >>= width;
            shift += width - 1;
            used += width;
        }
        self.vbr_chunks(width)
    }

    #[cold]
    fn vbr_chunks(&mut self, width: u32) -> Result<u64> {
        let more = 1 << (width - 1);
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let chunk = self.fixed(width)?;
            let bits = chunk & (more - 1);
            if bits != 0 {
                if shift >= 64 || (bits << shift) >> shift != bits {
                    let kind = BitcodeErrorKind::Field {
                        field: "variable-width integer",
                        found: bits,
                        expected: "at most 64 bits",
                    };
                    return Err(kind.at(self.base + self.pos / 8));
                }
                value |= bits << shift;
            }
            if chunk & more == 0 {
                return Ok(value);
            }
            shift = (shift + width - 1).min(64);
        }
    }

    fn align(&mut self) -> Result<()> {
        let aligned = self.pos.next_multiple_of(32);
        if aligned > self.end {
            return Err(self.unexpected_end((aligned - self.pos) as u64));
        }
        self.pos = aligned;
        Ok(())
    }

    /// The next block or record of the current block; abbreviation definitions before it are
    /// read too.
    #[inline(never)]
    pub fn next_entry(&mut self) -> Result<Entry> {
        loop {
            self.record_start = self.pos;
            let (id, rest) = self.abbreviation_id()?;
            match id {
                0 => return self.leave(),
                1 => return self.block_header().map(Entry::Block),
                2 => {
                    let abbrev = self.define_abbreviation()?;
                    self.abbrevs.push(abbrev);
                }
                3 => return self.unabbreviated(rest).map(Entry::Record),
                _ => return self.abbreviated(id, rest).map(Entry::Record),
            }
        }
    }

    /// The abbreviation id, and what was loaded with it: at least 25 bits.
    #[inline(always)]
    fn abbreviation_id(&mut self) -> Result<(u32, Loaded)> {
        let next = self.pos + self.width as usize;
        if next > self.end {
            return Err(self.unexpected_end(u64::from(self.width)));
        }
        let word = self.peek();
        let rest = Loaded {
            pos: self.pos,
            used: self.width,
            word: word >> self.width,
        };
        self.pos = next;
        Ok(((word & ((1 << self.width) - 1)) as u32, rest))
    }

    /// The next top-level block; `None` at the end.
    pub fn next_top_level(&mut self) -> Result<Option<Block>> {
        if self.at_end() {
            return Ok(None);
        }
        self.record_start = self.pos;
        let id = self.fixed(2)?;
        if id != 1 {
            return Err(BitcodeErrorKind::Field {
                field: "abbreviation id at the top level",
                found: id,
                expected: "1 (a block)",
            }
            .at(self.record_offset()));
        }
        self.block_header().map(Some)
    }

    fn block_header(&mut self) -> Result<Block> {
        let id = self.vbr::<8>()?;
        let width = self.vbr::<4>()?;
        self.align()?;
        let words = self.fixed(32)?;
        let available = (self.remaining_bits() / 32) as u64;
        if words > available {
            return Err(BitcodeErrorKind::BlockLength { words, available }.at(self.record_offset()));
        }
        if !(2..=32).contains(&width) {
            return Err(BitcodeErrorKind::Field {
                field: "abbreviation width",
                found: width,
                expected: "2 to 32",
            }
            .at(self.record_offset()));
        }
        let id = u32::try_from(id).map_err(|_| {
            BitcodeErrorKind::Field {
                field: "block id",
                found: id,
                expected: "32 bits",
            }
            .at(self.record_offset())
        })?;
        Ok(Block {
            id,
            width: width as u32,
            start: self.pos,
            end: self.pos + words as usize * 32,
        })
    }

    /// Enters a block that [`Stream::next_entry`] or [`Stream::next_top_level`] returned, now or
    /// later.
    pub fn enter(&mut self, block: Block) -> Result<()> {
        let Some(scope) = self.scopes.get_mut(self.depth) else {
            let limit = limits::MAX_BLOCK_DEPTH as u64;
            return Err(BitcodeErrorKind::Limit {
                what: "nesting of blocks",
                count: limit + 1,
                limit,
            }
            .at(self.record_offset()));
        };
        *scope = Scope {
            width: self.width,
            end: self.end,
            start: self.start,
            first_abbrev: self.first_abbrev,
            block: self.block,
        };
        self.depth += 1;
        self.first_abbrev = self.abbrevs.len();
        self.abbrevs.extend(
            self.block_info
                .iter()
                .filter(|(id, _)| *id == block.id)
                .map(|(_, abbrev)| *abbrev),
        );
        (self.block, self.width, self.start, self.end, self.pos) =
            (block.id, block.width, block.start, block.end, block.start);
        Ok(())
    }

    /// Skips a block that was not entered.
    pub fn skip(&mut self, block: Block) {
        self.pos = block.end;
    }

    fn leave(&mut self) -> Result<Entry> {
        self.align()?;
        let Some(&scope) = self
            .depth
            .checked_sub(1)
            .and_then(|depth| self.scopes.get(depth))
        else {
            return Err(BitcodeErrorKind::Field {
                field: "abbreviation id at the top level",
                found: 0,
                expected: "1 (a block)",
            }
            .at(self.record_offset()));
        };
        if self.pos != self.end {
            let (found, expected) = (
                (self.pos - self.start) as u64,
                (self.end - self.start) as u64,
            );
            return Err(BitcodeErrorKind::BlockEnd { found, expected }.at(self.record_offset()));
        }
        self.depth -= 1;
        self.abbrevs.truncate(self.first_abbrev);
        (
            self.width,
            self.end,
            self.start,
            self.first_abbrev,
            self.block,
        ) = (
            scope.width,
            scope.end,
            scope.start,
            scope.first_abbrev,
            scope.block,
        );
        Ok(Entry::End)
    }

    fn record_code(&self, code: u64) -> Result<u32> {
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
    fn check_count(&self, what: &'static str, count: u64, min_bits: usize) -> Result<()> {
        if count.saturating_mul(min_bits as u64) <= self.remaining_bits() as u64 {
            return Ok(());
        }
        let limit = (self.remaining_bits() / min_bits) as u64;
        Err(BitcodeErrorKind::Limit { what, count, limit }.at(self.record_offset()))
    }

    /// Code and number of fields of an unabbreviated record, of which `word` has the first bits.
    #[inline(always)]
    fn code_and_count(&mut self, word: u64) -> Result<(u64, u64)> {
        // One chunk each as a rule.
        if word & 0x820 == 0 && self.pos + 12 <= self.end {
            self.pos += 12;
            return Ok((word & 0x1f, word >> 6 & 0x1f));
        }
        Ok((self.vbr::<6>()?, self.vbr::<6>()?))
    }

    /// Reads an unabbreviated record; `rest` has its first bits.
    #[inline(always)]
    fn unabbreviated(&mut self, rest: Loaded) -> Result<u32> {
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

    /// The fields one by one, each checked against the end of the block: for the rare long ones,
    /// and for exact errors.
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

    /// Abbreviation with that id, 4 or more.
    #[inline(always)]
    fn abbreviation(&self, id: u32) -> Result<Abbrev> {
        let index = self.first_abbrev + (id - 4) as usize;
        self.abbrevs.get(index).copied().ok_or_else(|| {
            let count = self.abbrevs.len() - self.first_abbrev;
            BitcodeErrorKind::UnknownAbbreviation { id, count }.at(self.record_offset())
        })
    }

    #[inline(always)]
    fn abbreviated(&mut self, id: u32, rest: Loaded) -> Result<u32> {
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
                (Some(AbbrevOp::Array), Some(&element)) => self.array(element)?,
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
            let op = self.ops.get(at).copied().unwrap_or(AbbrevOp::Blob);
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
    fn scalar(&mut self, op: AbbrevOp) -> Result<u64> {
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

    /// Array of fields of at most 8 bits (strings): several elements from each load.
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

    fn blob(&mut self) -> Result<()> {
        let bytes = self.blob_bytes()?;
        for (field, &byte) in self.grow(bytes.len()).iter_mut().zip(bytes) {
            *field = u64::from(byte);
        }
        Ok(())
    }

    /// Skips a blob, and returns its bytes.
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
