//! The metadata kinds that each module begins its list with, recognised by their bits.
//!
//! A list of kinds is a seventh of all bits of a DXIL program, one unabbreviated character after
//! another, and always begins with the same fourteen, which LLVM 3.7 fixes (`LLVMContext.h`,
//! `MD_dbg` to `MD_dereferenceable_or_null`). In most the first kind that DXC adds comes next; a
//! shader without DXC's metadata lacks it. Bits are compared, none decoded; a list that begins
//! otherwise is read record by record.

use crate::bitstream::{KnownBits, Stream};
use crate::metadata::Metadata;
use crate::module::PoolRange;

/// The names by number.
const NAMES: [&str; 15] = [
    "dbg",
    "tbaa",
    "prof",
    "fpmath",
    "range",
    "tbaa.struct",
    "invariant.load",
    "alias.scope",
    "noalias",
    "nontemporal",
    "llvm.mem.parallel_loop_access",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
    "dx.temp",
];

/// Width of abbreviation ids in a METADATA block of LLVM.
const ID_WIDTH: u32 = 3;
const CODE_OF_KIND: u64 = 6;
const UNABBREVIATED: u64 = 3;

/// The records of the kinds above as LLVM writes them, and without the last one.
static RECORDS: [KnownBits<320>; 2] = [records(NAMES.len()), records(NAMES.len() - 1)];

/// The names one after another, and the range of each.
static TEXT: ([u8; text_len()], [(u32, PoolRange); NAMES.len()]) = text();

const fn records(count: usize) -> KnownBits<320> {
    let mut bits = KnownBits::new();
    let mut kind = 0;
    while kind < count {
        let name = NAMES[kind].as_bytes();
        bits.fixed(UNABBREVIATED, ID_WIDTH);
        bits.vbr(CODE_OF_KIND, 6);
        bits.vbr(1 + name.len() as u64, 6);
        bits.vbr(kind as u64, 6);
        let mut at = 0;
        while at < name.len() {
            bits.vbr(name[at] as u64, 6);
            at += 1;
        }
        kind += 1;
    }
    bits
}

const fn text_len() -> usize {
    let (mut len, mut kind) = (0, 0);
    while kind < NAMES.len() {
        len += NAMES[kind].len();
        kind += 1;
    }
    len
}

const fn text() -> ([u8; text_len()], [(u32, PoolRange); NAMES.len()]) {
    let mut bytes = [0; text_len()];
    let mut kinds = [(0, PoolRange { start: 0, end: 0 }); NAMES.len()];
    let (mut len, mut kind) = (0, 0);
    while kind < NAMES.len() {
        let name = NAMES[kind].as_bytes();
        kinds[kind] = (kind as u32, PoolRange::new(len, len + name.len()));
        let mut at = 0;
        while at < name.len() {
            bytes[len] = name[at];
            len += 1;
            at += 1;
        }
        kind += 1;
    }
    (bytes, kinds)
}

/// Takes the usual kinds if the METADATA block that was just entered begins with them, and nothing
/// otherwise.
pub(super) fn take_usual_kinds(stream: &mut Stream<'_>, metadata: &mut Metadata) -> bool {
    let [all, fixed] = &RECORDS;
    let (text, kinds) = &TEXT;
    let (text, kinds) = if stream.pass_known(ID_WIDTH, all) {
        (&text[..], &kinds[..])
    } else if stream.pass_known(ID_WIDTH, fixed) {
        let [fixed @ .., (_, last)] = kinds;
        (&text[..last.start as usize], &fixed[..])
    } else {
        return false;
    };
    let start = metadata.strings.len() as u32;
    metadata.strings.extend_from_slice(text);
    metadata.kinds.reserve(24);
    metadata.kinds.extend(kinds.iter().map(|&(kind, name)| {
        (
            kind,
            PoolRange {
                start: start + name.start,
                end: start + name.end,
            },
        )
    }));
    true
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, block, rest_of_records};
    use super::*;
    use crate::bitstream::Entry;
    use crate::container::Container;

    /// Compares the kinds that are taken from each METADATA block with its records, and returns
    /// their numbers.
    fn taken(file: &[u8]) -> Vec<usize> {
        let program = Container::open(file).unwrap().main_program().unwrap();
        let mut stream = Stream::open(program.bitcode, 0).unwrap();
        let module = stream.next_top_level().unwrap().unwrap();
        stream.enter(module).unwrap();
        let mut taken = Vec::new();
        loop {
            let nested = match stream.next_entry().unwrap() {
                Entry::End => return taken,
                Entry::Record(_) => continue,
                Entry::Block(nested) => nested,
            };
            if nested.id != block::METADATA {
                stream.skip(nested);
                continue;
            }
            let mut fast = Metadata::default();
            let mut probe = Stream::open(program.bitcode, 0).unwrap();
            probe.enter(nested).unwrap();
            let any = take_usual_kinds(&mut probe, &mut fast);
            assert_eq!(any, !fast.kinds.is_empty());
            let mut slow = Builder::default();
            stream.enter(nested).unwrap();
            rest_of_records(&mut stream, nested, |code, fields| {
                if code == CODE_OF_KIND as u32 {
                    slow.kind(fields)
                } else {
                    Ok(())
                }
            })
            .unwrap();
            let slow = slow.module.metadata;
            for &(kind, name) in &fast.kinds {
                assert_eq!(
                    slow.kind_name(kind),
                    std::str::from_utf8(&fast.strings[name.range()]).ok()
                );
            }
            assert!(slow.kinds.starts_with(&fast.kinds) && slow.strings.starts_with(&fast.strings));
            taken.push(fast.kinds.len());
        }
    }

    #[test]
    fn the_usual_kinds_are_those_that_the_records_say() {
        let all = taken(include_bytes!("../../tests/data/compute.dxil"));
        assert_eq!(all, [0, 15]);
        // DXC's first kind is another one here.
        let fixed = taken(include_bytes!("../../tests/data/denorm_preserve.dxil"));
        assert_eq!(fixed, [0, 14]);
    }
}
