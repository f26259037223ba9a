//! LLVM bitstreams as trees of blocks and records, read and written without their meaning.
//!
//! Written records have no abbreviations, which every reader accepts, so that the first written form of a
//! file may be longer than the file. Source: "LLVM Bitcode File Format", section *Bitstream Format*.

use trellis_dxil::frontend::Error;
use trellis_dxil::frontend::bitstream::{Entry, MAGIC, Stream};

/// Abbreviations, which the records of the tree do not have any more.
const BLOCKINFO: u32 = 0;

/// Width of abbreviation ids in written blocks.
const WIDTH: u32 = 3;

/// An item of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Record(Record),
    Block(Block),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) code: u32,
    pub(super) fields: Vec<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) id: u32,
    pub(super) items: Vec<Item>,
}

impl Block {
    /// Returns the nested blocks with an id.
    pub(super) fn blocks(&self, id: u32) -> impl Iterator<Item = &Block> {
        self.items.iter().filter_map(move |item| match item {
            Item::Block(block) if block.id == id => Some(block),
            _ => None,
        })
    }

    /// Returns the records.
    pub(super) fn records(&self) -> impl Iterator<Item = &Record> {
        self.items.iter().filter_map(|item| match item {
            Item::Record(record) => Some(record),
            Item::Block(_) => None,
        })
    }
}

/// Reads the blocks at the top level, without abbreviations. Memory is a small multiple of the bits: a
/// record has at least one per field, and the reader limits the nesting.
pub(super) fn read(bitcode: &[u8]) -> Result<Vec<Block>, Error> {
    let mut stream = Stream::open(bitcode, 0)?;
    let mut top = Vec::new();
    while let Some(block) = stream.next_top_level()? {
        stream.enter(block)?;
        let mut open = vec![Block {
            id: block.id,
            items: Vec::new(),
        }];
        while let Some(current) = open.last_mut() {
            match stream.next_entry()? {
                Entry::Record(code) => {
                    let fields = stream.record().to_vec();
                    current.items.push(Item::Record(Record { code, fields }));
                }
                Entry::Block(nested) if nested.id == BLOCKINFO => {
                    // The abbreviations in it are needed to read the rest.
                    stream.block_info(nested)?;
                }
                Entry::Block(nested) => {
                    stream.enter(nested)?;
                    open.push(Block {
                        id: nested.id,
                        items: Vec::new(),
                    });
                }
                Entry::End => {
                    let done = open.pop().unwrap_or_default();
                    match open.last_mut() {
                        Some(outer) => outer.items.push(Item::Block(done)),
                        None => top.push(done),
                    }
                }
            }
        }
    }
    Ok(top)
}

/// Returns blocks as raw bitcode.
pub(super) fn write(blocks: &[Block]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.fixed(MAGIC.into(), 32);
    for block in blocks {
        writer.block(block, 2);
    }
    writer.bytes
}

/// Bits, from the lowest of each byte.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    /// Bits that are not in a whole byte yet.
    pending: u64,
    count: u32,
}

impl Writer {
    fn fixed(&mut self, value: u64, width: u32) {
        // At most 7 bits wait, and at most 32 come.
        self.pending |= value << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    fn vbr(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    fn align(&mut self) {
        let bits = self.bytes.len() % 4 * 8 + self.count as usize;
        let missing = (32 - bits % 32) % 32;
        self.fixed(0, missing as u32);
    }

    fn begin(&mut self, id: u32, outer: u32) -> usize {
        self.fixed(1, outer);
        self.vbr(id.into(), 8);
        self.vbr(WIDTH.into(), 4);
        self.align();
        self.fixed(0, 32);
        self.bytes.len()
    }

    fn end(&mut self, start: usize) {
        self.fixed(0, WIDTH);
        self.align();
        let words = ((self.bytes.len() - start) / 4) as u32;
        if let Some(length) = self.bytes.get_mut(start - 4..start) {
            length.copy_from_slice(&words.to_le_bytes());
        }
    }

    /// Writes a block, with an explicit stack for the blocks in it.
    fn block(&mut self, block: &Block, outer: u32) {
        let start = self.begin(block.id, outer);
        let mut open = vec![(block.items.iter(), start)];
        while let Some((items, start)) = open.last_mut() {
            match items.next() {
                Some(Item::Record(record)) => self.record(record),
                Some(Item::Block(nested)) => {
                    let start = self.begin(nested.id, WIDTH);
                    open.push((nested.items.iter(), start));
                }
                None => {
                    let start = *start;
                    self.end(start);
                    open.pop();
                }
            }
        }
    }

    fn record(&mut self, record: &Record) {
        self.fixed(3, WIDTH);
        self.vbr(record.code.into(), 6);
        self.vbr(record.fields.len() as u64, 6);
        for &field in &record.fields {
            self.vbr(field, 6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Item, Record, read, write};

    #[test]
    fn what_is_written_is_read() {
        let record = |code: u32, fields: &[u64]| {
            Item::Record(Record {
                code,
                fields: fields.to_vec(),
            })
        };
        let nested = Block {
            id: 12,
            items: vec![record(1, &[]), record(300, &[0, 31, 32, u64::MAX])],
        };
        let module = Block {
            id: 8,
            items: vec![record(1, &[1]), Item::Block(nested), record(2, &[7; 100])],
        };
        let blocks = [module, Block::default()];
        assert_eq!(read(&write(&blocks[..1])).unwrap(), blocks[..1]);
    }
}
