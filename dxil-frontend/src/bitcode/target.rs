//! TRIPLE and DATALAYOUT records of the MODULE block, recognised by their bits: DXC writes one
//! triple, and one layout for each of the two representations of 16-bit types.
//!
//! LLVM writes them right after the TYPE block, one unabbreviated character after another: a
//! thousand bits in each module. Other texts are read as ordinary records.

use crate::bitstream::{KnownBits, Stream};
use crate::module::{Module, Name};

const TRIPLE: &str = "dxil-ms-dx";
/// Without and with `-enable-16bit-types`.
const LAYOUTS: [&str; 2] = [
    "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64",
    "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64",
];

/// Width of abbreviation ids in the MODULE block of LLVM.
const ID_WIDTH: u32 = 3;

static RECORDS: [KnownBits<160>; 2] = [records(LAYOUTS[0]), records(LAYOUTS[1])];

const fn records(layout: &str) -> KnownBits<160> {
    let mut bits = KnownBits::new();
    record(&mut bits, 2, TRIPLE.as_bytes());
    record(&mut bits, 3, layout.as_bytes());
    bits
}

/// Writes an unabbreviated record of a text.
const fn record(bits: &mut KnownBits<160>, code: u64, text: &[u8]) {
    bits.fixed(3, ID_WIDTH);
    bits.vbr(code, 6);
    bits.vbr(text.len() as u64, 6);
    let mut at = 0;
    while at < text.len() {
        bits.vbr(text[at] as u64, 6);
        at += 1;
    }
}

/// Passes over a usual triple and layout if they come next, and gives them.
pub(super) fn pass_usual_target(stream: &mut Stream<'_>) -> Option<(&'static str, &'static str)> {
    RECORDS.iter().zip(LAYOUTS).find_map(|(records, layout)| {
        stream
            .pass_known(ID_WIDTH, records)
            .then_some((TRIPLE, layout))
    })
}

/// Takes a usual triple and layout if they come next, and nothing otherwise.
pub(super) fn take_usual_target(stream: &mut Stream<'_>, module: &mut Module) {
    if let Some((triple, layout)) = pass_usual_target(stream) {
        (module.triple, module.data_layout) = (Name::new_static(triple), Name::new_static(layout));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{block, text};
    use super::*;
    use crate::bitstream::Entry;
    use crate::container::Container;

    /// Returns the texts as the records have them, and as they are recognised after the TYPE block.
    fn both(file: &[u8]) -> (Module, Module) {
        let program = Container::open(file).unwrap().main_program().unwrap();
        let mut stream = Stream::open(program.bitcode, 0).unwrap();
        let module = stream.next_top_level().unwrap().unwrap();
        stream.enter(module).unwrap();
        let (mut slow, mut fast) = (Module::default(), Module::default());
        loop {
            match stream.next_entry().unwrap() {
                Entry::Block(nested) => {
                    stream.skip(nested);
                    if nested.id == block::TYPE {
                        let mut other = Stream::open(program.bitcode, 0).unwrap();
                        other.enter(module).unwrap();
                        other.skip(nested);
                        take_usual_target(&mut other, &mut fast);
                    }
                }
                Entry::Record(2) => slow.triple = text(stream.record()),
                Entry::Record(3) => slow.data_layout = text(stream.record()),
                Entry::Record(_) => {}
                Entry::End => return (slow, fast),
            }
        }
    }

    #[test]
    fn the_usual_target_is_what_the_records_say() {
        for (file, layout) in [
            (
                &include_bytes!("../../tests/data/compute.dxil")[..],
                LAYOUTS[0],
            ),
            (
                &include_bytes!("../../tests/data/compute_16bit.dxil")[..],
                LAYOUTS[1],
            ),
        ] {
            let (slow, fast) = both(file);
            assert_eq!(
                (&slow.triple, &slow.data_layout),
                (&fast.triple, &fast.data_layout)
            );
            assert_eq!(fast.data_layout, layout);
        }
    }
}
