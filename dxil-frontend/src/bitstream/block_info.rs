//! BLOCKINFO: abbreviations that blocks of an id begin with. LLVM 3.7's BLOCKINFO is recognised by
//! its bits.
//!
//! `WriteBlockInfo` of LLVM's `BitcodeWriter.cpp` defines the same sixteen abbreviations in each
//! module; they differ only in the bits of a type number, which depend on how many types there are.
//! Bits are compared, none decoded; any other block is read record by record.

use super::abbreviation::{Abbrev, Form, StoredOp};
use super::decode::load;
use super::known::KnownBits;
use super::{Block, Result, Stream};
use crate::error::BitcodeErrorKind;

/// Block id of BLOCKINFO.
const BLOCKINFO: u32 = 0;
/// Width of abbreviation ids in the BLOCKINFO block of LLVM.
const BLOCKINFO_WIDTH: u32 = 2;

/// Operand of a usual abbreviation.
#[derive(Clone, Copy)]
enum Op {
    Is(StoredOp),
    /// Fixed, as wide as a type number.
    Type,
}

const fn literal(value: u64) -> Op {
    Op::Is(StoredOp::literal(value))
}
const fn fixed(width: u32) -> Op {
    Op::Is(StoredOp::fixed(width))
}
const fn vbr(width: u32) -> Op {
    Op::Is(StoredOp::vbr(width))
}
const ARRAY: Op = Op::Is(StoredOp::form(Form::Array));
const CHAR6: Op = Op::Is(StoredOp::form(Form::Char6));

const VALUE_SYMTAB: u32 = 14;
const CONSTANTS: u32 = 11;
const FUNCTION: u32 = 12;

const USUAL: [(u32, &[Op]); 16] = [
    (VALUE_SYMTAB, &[fixed(3), vbr(8), ARRAY, fixed(8)]),
    (VALUE_SYMTAB, &[literal(1), vbr(8), ARRAY, fixed(7)]),
    (VALUE_SYMTAB, &[literal(1), vbr(8), ARRAY, CHAR6]),
    (VALUE_SYMTAB, &[literal(2), vbr(8), ARRAY, CHAR6]),
    (CONSTANTS, &[literal(1), Op::Type]),
    (CONSTANTS, &[literal(4), vbr(8)]),
    (CONSTANTS, &[literal(11), fixed(4), Op::Type, vbr(8)]),
    (CONSTANTS, &[literal(2)]),
    (FUNCTION, &[literal(20), vbr(6), Op::Type, vbr(4), fixed(1)]),
    (FUNCTION, &[literal(2), vbr(6), vbr(6), fixed(4)]),
    (FUNCTION, &[literal(2), vbr(6), vbr(6), fixed(4), fixed(7)]),
    (FUNCTION, &[literal(3), vbr(6), Op::Type, fixed(4)]),
    (FUNCTION, &[literal(10)]),
    (FUNCTION, &[literal(10), vbr(6)]),
    (FUNCTION, &[literal(15)]),
    (FUNCTION, &[literal(43), fixed(1), Op::Type, ARRAY, vbr(6)]),
];

/// The records for each width of a type number, and the first bit of that width.
static RECORDS: ([KnownBits<80>; 16], usize) = records();

const fn records() -> ([KnownBits<80>; 16], usize) {
    let mut all = [KnownBits::new(); 16];
    let (mut width, mut width_at) = (0, 0);
    while width < all.len() {
        let bits = &mut all[width];
        let (mut block, mut at) = (u32::MAX, 0);
        width_at = 0;
        while at < USUAL.len() {
            let (target, ops) = USUAL[at];
            if target != block {
                // Unabbreviated SETBID record: code 1, one field.
                bits.fixed(3, BLOCKINFO_WIDTH);
                bits.vbr(1, 6);
                bits.vbr(1, 6);
                bits.vbr(target as u64, 6);
                block = target;
            }
            bits.fixed(2, BLOCKINFO_WIDTH);
            bits.vbr(ops.len() as u64, 5);
            let mut op = 0;
            while op < ops.len() {
                if matches!(ops[op], Op::Type) && width_at == 0 {
                    width_at = bits.len() + 4;
                }
                operand(bits, ops[op], width as u64);
                op += 1;
            }
            at += 1;
        }
        width += 1;
    }
    (all, width_at)
}

/// Is literal (1 bit), then the value; or encoding (3 bits), then the width if it has one.
const fn operand(bits: &mut KnownBits<80>, op: Op, type_width: u64) {
    let (encoding, width) = match op {
        Op::Type => (1, type_width),
        Op::Is(op) => match op.form {
            Form::Fixed if op.width == 0 => {
                bits.fixed(1, 1);
                bits.vbr(op.literal, 8);
                return;
            }
            Form::Fixed => (1, op.width as u64),
            Form::Vbr => (2, op.width as u64),
            Form::Array => (3, 0),
            Form::Char6 => (4, 0),
            Form::Blob => (5, 0),
        },
    };
    bits.fixed(0, 1);
    bits.fixed(encoding, 3);
    if encoding < 3 {
        bits.vbr(width, 5);
    }
}

/// Operands of the usual abbreviations one after another.
static OPS: [Op; operand_count()] = flat().0;
/// The usual abbreviations, as ranges of these operands.
static ABBREVS: [Abbrev; USUAL.len()] = flat().1;

const fn operand_count() -> usize {
    let (mut count, mut at) = (0, 0);
    while at < USUAL.len() {
        count += USUAL[at].1.len();
        at += 1;
    }
    count
}

const fn flat() -> ([Op; operand_count()], [Abbrev; USUAL.len()]) {
    let mut ops = [Op::Type; operand_count()];
    let mut abbrevs = [Abbrev {
        start: 0,
        end: 0,
        usual: 0,
        code: 0,
    }; USUAL.len()];
    let (mut count, mut at) = (0, 0);
    while at < USUAL.len() {
        let of = USUAL[at].1;
        let (mut op, mut scalars) = (0, of.len());
        while op < of.len() {
            ops[count + op] = of[op];
            if let Op::Is(StoredOp {
                form: Form::Array, ..
            }) = of[op]
            {
                scalars = op;
            }
            op += 1;
        }
        // Without a literal code records are not usual.
        let (usual, code) = match of[0] {
            Op::Is(op) if op.is_literal() => (count + scalars, op.literal),
            _ => (0, 0),
        };
        abbrevs[at] = Abbrev {
            start: count as u32,
            end: (count + of.len()) as u32,
            usual: usual as u32,
            code: code as u32,
        };
        count += of.len();
        at += 1;
    }
    (ops, abbrevs)
}

/// Returns the operands that a stream begins with: of the usual abbreviations, whether or not it has them.
pub(super) fn first_operands() -> Vec<StoredOp> {
    let mut ops = Vec::with_capacity(128);
    ops.resize(operand_count(), StoredOp::fixed(1));
    ops
}

impl Stream<'_> {
    /// Returns the usual abbreviations of a block, if the stream has them.
    #[inline]
    pub(super) fn usual_abbrevs(&self, block: u32) -> &'static [Abbrev] {
        let (symtab, rest) = ABBREVS.split_at(4);
        let (constants, function) = rest.split_at(4);
        match block {
            _ if !self.has_usual_info => &[],
            VALUE_SYMTAB => symtab,
            CONSTANTS => constants,
            FUNCTION => function,
            _ => &[],
        }
    }

    /// Reads a BLOCKINFO block that was just announced.
    pub fn block_info(&mut self, block: Block) -> Result<()> {
        debug_assert_eq!(block.id, BLOCKINFO);
        self.enter(block)?;
        let target = self.take_usual_block_info();
        self.rest_of_block_info(target)
    }

    /// Reads the rest of a BLOCKINFO block; its definitions are for block `target` until a SETBID
    /// record selects another one.
    fn rest_of_block_info(&mut self, mut target: Option<u32>) -> Result<()> {
        loop {
            self.record_start = self.pos;
            let id = self.abbreviation_id()?;
            match id {
                0 => {
                    self.leave()?;
                    return Ok(());
                }
                1 => {
                    let id = self.block_header()?.id;
                    return Err(BitcodeErrorKind::NestedBlock { id }.at(self.record_offset()));
                }
                2 => {
                    let abbrev = self.define_abbreviation()?;
                    let Some(target) = target else {
                        return Err(BitcodeErrorKind::Abbreviation {
                            reason: "in BLOCKINFO before any SETBID record",
                        }
                        .at(self.record_offset()));
                    };
                    self.block_info.push((target, abbrev));
                }
                id => {
                    let code = self.any_record(id)?;
                    // SETBID; block and record names (2, 3) are for people.
                    if code == 1 {
                        let id = self.record().first().copied().unwrap_or(u64::MAX);
                        let number = u32::try_from(id);
                        let number = number.map_err(|_| self.bad_field("SETBID", id, "a block id"));
                        target = Some(number?);
                    }
                }
            }
        }
    }

    /// Takes the usual abbreviations if the BLOCKINFO block that was just entered begins with them,
    /// and nothing otherwise. Returns the block that abbreviations which follow are for.
    fn take_usual_block_info(&mut self) -> Option<u32> {
        // They come before all others of their blocks.
        if self.has_usual_info || !self.block_info.is_empty() {
            return None;
        }
        let (records, width_at) = &RECORDS;
        let width = (load(self.data, self.pos + width_at) & 31) as u32;
        // A field without bits would be the literal 0, which LLVM never writes.
        let known = records.get(width as usize).filter(|_| width != 0)?;
        if !self.pass_known(BLOCKINFO_WIDTH, known) {
            return None;
        }
        for (stored, op) in self.ops.iter_mut().zip(&OPS) {
            *stored = match *op {
                Op::Is(op) => op,
                Op::Type => StoredOp::fixed(width),
            };
        }
        self.has_usual_info = true;
        Some(FUNCTION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitstream::Entry;
    use crate::container::Container;

    #[test]
    fn the_usual_abbreviations_are_those_that_the_records_define() {
        let file = include_bytes!("../../tests/data/compute.dxil");
        let program = Container::open(file).unwrap().main_program().unwrap();
        let mut stream = Stream::open(program.bitcode, 0).unwrap();
        let module = stream.next_top_level().unwrap().unwrap();
        stream.enter(module).unwrap();
        let block_info = loop {
            match stream.next_entry().unwrap() {
                Entry::Block(block) if block.id == 0 => break block,
                Entry::Block(block) => stream.skip(block),
                Entry::Record(_) => {}
                Entry::End => panic!("no BLOCKINFO"),
            }
        };
        let open = || {
            let mut stream = Stream::open(program.bitcode, 0).unwrap();
            stream.enter(block_info).unwrap();
            stream
        };
        let mut fast = open();
        assert_eq!(fast.take_usual_block_info(), Some(FUNCTION));
        fast.rest_of_block_info(Some(FUNCTION)).unwrap();
        let mut slow = open();
        slow.rest_of_block_info(None).unwrap();
        let list = |stream: &mut Stream<'_>| -> Vec<_> {
            let mut list = Vec::new();
            for block in [VALUE_SYMTAB, CONSTANTS, FUNCTION, 17] {
                stream
                    .enter(Block {
                        id: block,
                        ..block_info
                    })
                    .unwrap();
                let abbrevs = stream.abbrevs.get(stream.scope.first_abbrev..).unwrap();
                list.extend(abbrevs.iter().map(|abbrev| {
                    let ops = &stream.ops[abbrev.start as usize..abbrev.end as usize];
                    let usual = (abbrev.usual != 0).then(|| abbrev.usual - abbrev.start);
                    (block, ops.to_vec(), usual, abbrev.code)
                }));
            }
            list
        };
        assert_eq!(fast.pos, slow.pos);
        assert_eq!(list(&mut fast), list(&mut slow));
        assert_eq!(list(&mut fast).len(), 16);
        assert!(fast.block_info.is_empty());
    }
}
