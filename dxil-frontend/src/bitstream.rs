//! LLVM's bitstream container: abbreviations, blocks and records, independent of their meaning.
//!
//! Source: "LLVM Bitcode File Format", sections *Bitstream Format* and *Bitcode Wrapper Format*.
//! All positions are in bits from the magic number, which the 32-bit alignment refers to. The
//! reader loads eight bytes at once, decodes each record into one reusable vector, and skips a
//! block by its length.

mod abbreviation;
mod bits;
mod block_info;
mod decode;
mod known;
mod record;
mod skim;
mod usual;

use crate::error::{BitcodeErrorKind, Error};
use crate::limits;
use abbreviation::{Abbrev, StoredOp, USUAL_ID_BITS};
use block_info::first_operands;
use decode::load;
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
    /// Returns the length of the body in bits.
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

/// State of a block, to restore at the end of a nested one.
#[derive(Clone, Copy, Debug, Default)]
struct Scope {
    /// Block id.
    block: u32,
    /// Width of the abbreviation ids.
    width: u32,
    /// The lowest bits of that number; 0 if these are more than usual, so that all ids look like
    /// END_BLOCK's.
    id_mask: u64,
    /// First bit of the body.
    start: usize,
    /// One past the last bit of the body.
    end: usize,
    /// Its first abbreviation in [`Stream::abbrevs`].
    first_abbrev: usize,
}

/// A reader of a bitstream.
#[derive(Debug)]
pub struct Stream<'a> {
    data: &'a [u8],
    /// Position in bits.
    pos: usize,
    /// Absolute byte offset of `data`.
    base: usize,
    /// The current block.
    scope: Scope,
    /// Surrounding blocks, `depth` of them.
    scopes: [Scope; limits::MAX_BLOCK_DEPTH],
    depth: usize,
    abbrevs: Vec<Abbrev>,
    ops: Vec<StoredOp>,
    /// BLOCKINFO began with the usual abbreviations.
    has_usual_info: bool,
    /// Further abbreviations that BLOCKINFO gives to block ids, in order of definition.
    block_info: Vec<(u32, Abbrev)>,
    /// Buffer with the fields of the last record, `len` in all; the rest is stale data of longer
    /// records.
    record: Vec<u64>,
    len: usize,
    record_start: usize,
}

impl<'a> Stream<'a> {
    /// Opens raw or wrapped bitcode. `base` is the absolute byte offset of `bytes`, for errors.
    pub fn open(bytes: &'a [u8], base: usize) -> Result<Self> {
        let word_of = |bytes: &[u8], at: usize| {
            let word = bytes.get(at..)?.first_chunk::<4>()?;
            Some(u32::from_le_bytes(*word))
        };
        let word = |at| word_of(bytes, at);
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
                let found = word_of(inner, 0).unwrap_or(0);
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
            base,
            scope: Scope {
                block: u32::MAX,
                width: 2,
                id_mask: 3,
                start: 32,
                end: data.len() * 8,
                first_abbrev: 0,
            },
            scopes: [Scope::default(); limits::MAX_BLOCK_DEPTH],
            depth: 0,
            abbrevs: Vec::with_capacity(16),
            ops: first_operands(),
            has_usual_info: false,
            block_info: Vec::new(),
            record: vec![0; 128],
            len: 0,
            record_start: 32,
        })
    }

    /// Returns the absolute byte offset of the last record or block header.
    pub fn record_offset(&self) -> usize {
        self.base + self.record_start / 8
    }

    /// Returns an error about a field of the last record or block header.
    #[cold]
    fn bad_field(&self, field: &'static str, found: u64, expected: &'static str) -> Error {
        let kind = BitcodeErrorKind::Field {
            field,
            found,
            expected,
        };
        kind.at(self.record_offset())
    }

    /// Returns the id of the current block; `None` at the top level.
    pub fn block_id(&self) -> Option<u32> {
        (self.depth != 0).then_some(self.scope.block)
    }

    /// Bits from here to the end of the current block.
    pub fn remaining_bits(&self) -> usize {
        self.scope.end.saturating_sub(self.pos)
    }

    /// Returns whether only padding can follow at the top level.
    pub fn at_end(&self) -> bool {
        self.remaining_bits() < 64
    }

    /// Returns the next block or record of the current block; abbreviation definitions before it
    /// are read too.
    #[inline(always)]
    pub fn next_entry(&mut self) -> Result<Entry> {
        match self.usual_record() {
            Some(code) => Ok(Entry::Record(code)),
            None => self.any_entry(),
        }
    }

    /// As [`Stream::next_entry`], with a check for each field: for all that is not a usual record,
    /// and for exact errors.
    #[inline(never)]
    fn any_entry(&mut self) -> Result<Entry> {
        loop {
            self.record_start = self.pos;
            match self.abbreviation_id()? {
                0 => return self.leave(),
                1 => return self.block_header().map(Entry::Block),
                2 => {
                    let abbrev = self.define_abbreviation()?;
                    self.abbrevs.push(abbrev);
                    if let Some(code) = self.usual_record() {
                        return Ok(Entry::Record(code));
                    }
                }
                id => return self.any_record(id).map(Entry::Record),
            }
        }
    }

    /// Returns the abbreviation id.
    #[inline(always)]
    fn abbreviation_id(&mut self) -> Result<u32> {
        self.fixed(self.scope.width).map(|id| id as u32)
    }

    /// Returns the next top-level block; `None` at the end.
    pub fn next_top_level(&mut self) -> Result<Option<Block>> {
        if self.at_end() {
            return Ok(None);
        }
        self.record_start = self.pos;
        let id = self.fixed(2)?;
        if id != 1 {
            return Err(self.bad_field("abbreviation id at the top level", id, "1 (a block)"));
        }
        self.block_header().map(Some)
    }

    #[inline(always)]
    fn block_header(&mut self) -> Result<Block> {
        // One chunk each as a rule, all in two loads.
        let word = self.peek();
        let length_at = (self.pos + 12).next_multiple_of(32);
        let (id, width, words);
        if word & 0x880 == 0 && length_at + 32 <= self.scope.end {
            (id, width) = (word & 0x7f, word >> 8 & 7);
            words = load(self.data, length_at) & 0xffff_ffff;
            self.pos = length_at + 32;
        } else {
            id = self.vbr::<8>()?;
            width = self.vbr::<4>()?;
            self.align()?;
            words = self.fixed(32)?;
        }
        let available = (self.remaining_bits() / 32) as u64;
        if words > available {
            return Err(BitcodeErrorKind::BlockLength { words, available }.at(self.record_offset()));
        }
        if !(2..=32).contains(&width) {
            return Err(self.bad_field("abbreviation width", width, "2 to 32"));
        }
        Ok(Block {
            id: u32::try_from(id).map_err(|_| self.bad_field("block id", id, "32 bits"))?,
            width: width as u32,
            start: self.pos,
            end: self.pos + words as usize * 32,
        })
    }

    /// Enters a block that [`Stream::next_entry`] or [`Stream::next_top_level`] returned, now or
    /// later.
    #[inline(always)]
    pub fn enter(&mut self, block: Block) -> Result<()> {
        let Some(outer) = self.scopes.get_mut(self.depth) else {
            let limit = limits::MAX_BLOCK_DEPTH as u64;
            return Err(BitcodeErrorKind::Limit {
                what: "nesting of blocks",
                count: limit + 1,
                limit,
            }
            .at(self.record_offset()));
        };
        *outer = self.scope;
        self.depth += 1;
        self.scope = Scope {
            block: block.id,
            width: block.width,
            id_mask: if block.width <= USUAL_ID_BITS {
                (1 << block.width) - 1
            } else {
                0
            },
            start: block.start,
            end: block.end,
            first_abbrev: self.abbrevs.len(),
        };
        self.pos = block.start;
        self.abbrevs.extend_from_slice(self.usual_abbrevs(block.id));
        for (id, abbrev) in &self.block_info {
            if *id == block.id {
                self.abbrevs.push(*abbrev);
            }
        }
        Ok(())
    }

    /// Skips a block that was not entered.
    pub fn skip(&mut self, block: Block) {
        self.pos = block.end;
    }

    #[inline(always)]
    fn leave(&mut self) -> Result<Entry> {
        self.align()?;
        let depth = self.depth.checked_sub(1);
        let Some(&scope) = depth.and_then(|depth| self.scopes.get(depth)) else {
            return Err(self.bad_field("abbreviation id at the top level", 0, "1 (a block)"));
        };
        if self.pos != self.scope.end {
            let (found, expected) = (
                (self.pos - self.scope.start) as u64,
                (self.scope.end - self.scope.start) as u64,
            );
            return Err(BitcodeErrorKind::BlockEnd { found, expected }.at(self.record_offset()));
        }
        self.depth -= 1;
        self.abbrevs.truncate(self.scope.first_abbrev);
        self.scope = scope;
        Ok(Entry::End)
    }
}
