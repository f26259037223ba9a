//! Records as LLVM writes them, decoded without a check per field.
//!
//! One function without calls reads nearly all records of a module: short ids, scalars that one
//! load holds, an array of integers of a usual width. It compares the end of the record with the
//! end of the block once. For any other record it reads nothing, and [`super::record`] does it with
//! all checks.

use super::Stream;
use super::abbreviation::{Abbrev, Form};
use super::decode::{CHAR6, Loaded, characters, fixed_fields, scalars, vbr6_fields};

impl Stream<'_> {
    /// Reads the next entry if it is a usual record, and returns its code.
    #[inline(always)]
    pub(super) fn usual_record(&mut self) -> Option<u32> {
        self.record_start = self.pos;
        let mut bits = Loaded::at(self.data, self.pos);
        let id = (bits.word & self.scope.id_mask) as usize;
        bits.skip(self.scope.width & 63);
        if id == 3 {
            return self.usual_unabbreviated(bits);
        }
        let index = id.checked_sub(4)?;
        let &Abbrev {
            start,
            end,
            usual,
            code,
        } = self.abbrevs.get(self.scope.first_abbrev + index)?;
        // The first one is the code.
        let ops = self.ops.get(start as usize + 1..usual as usize)?;
        let len = ops.len();
        let fields = self.record.get_mut(..len)?;
        let position = scalars(self.data, bits, ops, fields)?;
        if usual != end {
            return self.usual_array(position, code, len, usual);
        }
        self.take_record(code, len, position)
    }

    /// Continues after a record if it is all in the block, and returns its code.
    #[inline(always)]
    fn take_record(&mut self, code: u32, len: usize, end: usize) -> Option<u32> {
        if end > self.scope.end {
            return None;
        }
        (self.len, self.pos) = (len, end);
        Some(code)
    }

    /// Reads an unabbreviated record after its id.
    #[inline(always)]
    fn usual_unabbreviated(&mut self, mut bits: Loaded) -> Option<u32> {
        // At most 32 bits with the id.
        let code = bits.short_vbr6()? as u32;
        let len = bits.short_vbr6()? as usize;
        let fields = self.record.get_mut(..len)?;
        let end = vbr6_fields(self.data, bits, fields)?;
        self.take_record(code, len, end)
    }

    /// Reads the array at a position, after `from` fields of a record.
    #[inline(never)]
    fn usual_array(&mut self, position: usize, code: u32, from: usize, array: u32) -> Option<u32> {
        let data = self.data;
        let element = self.ops.get(array as usize + 1)?;
        let mut bits = Loaded::at(data, position);
        let len = from + bits.short_vbr6()? as usize;
        let fields = self.record.get_mut(from..len)?;
        let end = match (element.form, element.width) {
            (Form::Vbr, _) => vbr6_fields(data, bits, fields)?,
            (Form::Char6, _) => characters::<6, 9>(data, bits, fields, |word| {
                u64::from(CHAR6[word as usize & 63])
            }),
            (_, 8) => characters::<8, 7>(data, bits, fields, |word| word & 0xff),
            (_, width) => fixed_fields(data, bits, width.into(), fields),
        };
        self.take_record(code, len, end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, Result};
    use super::*;
    use crate::container::Container;

    /// Calls `each` with all entries, the fields of records and the positions after them, until the
    /// end or an error. Without `usual` all records are read with all checks.
    fn walk(stream: &mut Stream<'_>, usual: bool, each: &mut dyn FnMut(String)) -> Result<()> {
        while let Some(block) = stream.next_top_level()? {
            stream.enter(block)?;
            while stream.block_id().is_some() {
                if !usual {
                    stream.scope.id_mask = 0;
                }
                let entry = stream.next_entry()?;
                let (record, place) = match entry {
                    Entry::Record(_) => (stream.record(), stream.pos),
                    _ => (&[][..], 0),
                };
                each(format!("{entry:?} {record:?} {place}"));
                match entry {
                    Entry::Block(nested) if nested.id == 0 => {
                        if !usual {
                            stream.scope.id_mask = 0;
                        }
                        stream.block_info(nested)?;
                    }
                    Entry::Block(nested) => stream.enter(nested)?,
                    Entry::End | Entry::Record(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Returns the entries and the error, and the number of records.
    fn all(bytes: &[u8], usual: bool) -> (Vec<String>, usize) {
        let mut entries = Vec::new();
        let mut stream = Stream::open(bytes, 0).unwrap();
        let result = walk(&mut stream, usual, &mut |entry| entries.push(entry));
        let records = entries.iter().filter(|e| e.starts_with("Record")).count();
        entries.push(format!("{result:?} at {}", stream.record_offset()));
        (entries, records)
    }

    #[test]
    fn damaged_or_not_records_are_read_as_with_all_checks() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "dxil"))
            .collect();
        paths.sort();
        let mut seed = 11_u64;
        let mut random = move |below: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        let mut records = 0;
        for path in paths {
            let file = std::fs::read(&path).unwrap();
            let container = Container::open(&file).unwrap();
            for program in container.programs() {
                let mut bytes = program.unwrap().bitcode.to_vec();
                let usual = all(&bytes, true);
                assert_eq!(usual, all(&bytes, false), "{}", path.display());
                records += usual.1;
                for _ in 0..40 {
                    let (at, bit) = (4 + random(bytes.len() - 4), 1 << random(8));
                    bytes[at] ^= bit;
                    let name = path.display();
                    let (found, with_checks) = (all(&bytes, true), all(&bytes, false));
                    assert_eq!(found, with_checks, "{name}: bit {bit:#x} of byte {at}");
                    bytes[at] ^= bit;
                }
            }
        }
        assert!(records > 1000, "{records} records");
    }
}
