//! Reads the names of resources alone, the only part of a `STAT` program that is needed.
//!
//! Three fifths of a `STAT` program are types, functions, attributes and metadata that are not
//! needed. This reader only reads `dx.resources`: it skips all other blocks, notes where each
//! metadata record is, and reads only those that the resources are made of.

use smallvec::SmallVec;

use crate::bitstream::{Block, Entry, RecordAt, Stream};
use crate::error::BitcodeErrorKind;
use crate::kinds::ResourceClass;
use crate::module::Name;

use super::target::pass_usual_target;
use super::{Result, block, each_record};

/// Class and number of a resource, and its name, which may be empty.
pub(crate) type NamedResource = (ResourceClass, u32, Name);

/// Returns the names of the resources, by class and number; `None` if the module does not look as DXC
/// writes it, which is for [`super::read_module`] to judge.
///
/// # Errors
/// The bits that were read are malformed.
pub(crate) fn resource_names(
    bytes: &[u8],
    base_offset: usize,
) -> Result<Option<Vec<NamedResource>>> {
    let mut stream = Stream::open(bytes, base_offset)?;
    while let Some(block) = stream.next_top_level()? {
        match block.id {
            block::MODULE => {
                stream.enter(block)?;
                return of_module(&mut stream);
            }
            block::BLOCKINFO => stream.block_info(block)?,
            _ => stream.skip(block),
        }
    }
    Ok(None)
}

fn of_module(stream: &mut Stream<'_>) -> Result<Option<Vec<NamedResource>>> {
    // By value number: integer constants.
    let mut numbers = Vec::with_capacity(64);
    loop {
        match stream.skim_entry()? {
            Entry::End => return Ok(None),
            Entry::Block(nested) => match nested.id {
                block::BLOCKINFO => stream.block_info(nested)?,
                block::CONSTANTS => read_numbers(stream, nested, &mut numbers)?,
                block::TYPE => {
                    stream.skip(nested);
                    pass_usual_target(stream);
                }
                block::METADATA => return of_metadata(stream, nested, &numbers),
                _ => stream.skip(nested),
            },
            // Global variables and functions are values too; aliases are not for this reader.
            Entry::Record(7 | 8) => numbers.push(None),
            Entry::Record(9 | 14) => return Ok(None),
            Entry::Record(_) => {}
        }
    }
}

fn read_numbers(
    stream: &mut Stream<'_>,
    block: Block,
    numbers: &mut Vec<Option<u32>>,
) -> Result<()> {
    each_record(stream, block, |code, mut fields| {
        match code {
            // SETTYPE makes no value. Numbers of resources are of type `i32`, whatever type
            // SETTYPE selects.
            1 => {}
            2 => numbers.push(Some(0)),
            4 => numbers.push(Some(super::fields::signed(fields.take()?) as u32)),
            _ => numbers.push(None),
        }
        Ok(())
    })
}

/// The metadata block under reading.
struct Entries<'s, 'd> {
    stream: &'s mut Stream<'d>,
    /// Records of the entries by number.
    at: &'s [RecordAt],
    /// Fields that may still be read: each entry once as a rule, so that a list of one large entry
    /// again and again is not for this reader.
    budget: usize,
}

impl Entries<'_, '_> {
    /// Fields of entry `reference - 1` if it has one of these codes.
    fn read(&mut self, reference: u64, codes: &[u32]) -> Result<Option<&[u64]>> {
        let at = reference
            .checked_sub(1)
            .and_then(|entry| self.at.get(usize::try_from(entry).ok()?));
        let Some(&at) = at else { return Ok(None) };
        let code = self.stream.reread(at)?;
        let fields = self.stream.record();
        match self.budget.checked_sub(1 + fields.len()) {
            Some(budget) if codes.contains(&code) => self.budget = budget,
            _ => return Ok(None),
        }
        Ok(Some(fields))
    }
}

/// Codes of a tuple, plain or distinct.
const TUPLE: [u32; 2] = [3, 5];

fn of_metadata(
    stream: &mut Stream<'_>,
    block: Block,
    numbers: &[Option<u32>],
) -> Result<Option<Vec<NamedResource>>> {
    stream.enter(block)?;
    // Records of the entries by number.
    let mut at = Vec::with_capacity(block.bits() / 48);
    let mut resources = None;
    let mut is_resources = false;
    loop {
        match stream.skim_entry()? {
            Entry::End => break,
            Entry::Block(nested) => {
                return Err(
                    BitcodeErrorKind::NestedBlock { id: nested.id }.at(stream.record_offset())
                );
            }
            // The same entries as `metadata_record` counts.
            Entry::Record(1..=3 | 5 | 7 | 12..=34) => at.push(stream.record_at()),
            Entry::Record(4) => {
                let place = stream.record_at();
                stream.reread(place)?;
                is_resources = stream
                    .record()
                    .iter()
                    .copied()
                    .eq(b"dx.resources".iter().map(|&c| u64::from(c)));
            }
            Entry::Record(10) if is_resources && resources.is_none() => {
                let place = stream.record_at();
                stream.reread(place)?;
                resources = stream.record().first().copied();
                is_resources = false;
            }
            Entry::Record(8 | 9 | 35..=40) => return Ok(None),
            Entry::Record(_) => {}
        }
    }
    let Some(resources) = resources else {
        return Ok(None);
    };
    let entries = Entries {
        stream,
        at: &at,
        budget: block.bits(),
    };
    of_lists(entries, resources.saturating_add(1), numbers)
}

fn of_lists(
    mut entries: Entries<'_, '_>,
    lists: u64,
    numbers: &[Option<u32>],
) -> Result<Option<Vec<NamedResource>>> {
    let Some(&[srvs, uavs, buffers, samplers, ..]) = entries.read(lists, &TUPLE)? else {
        return Ok(None);
    };
    let mut names = Vec::with_capacity(8);
    let classes = [
        (ResourceClass::Srv, srvs),
        (ResourceClass::Uav, uavs),
        (ResourceClass::CBuffer, buffers),
        (ResourceClass::Sampler, samplers),
    ];
    for (class, list) in classes {
        if list == 0 {
            continue;
        }
        let Some(list) = entries.read(list, &TUPLE)? else {
            return Ok(None);
        };
        let list: SmallVec<[u64; 16]> = list
            .iter()
            .copied()
            .filter(|&resource| resource != 0)
            .collect();
        for resource in list {
            let Some(&[number, _, name, _, _, _, _, ..]) = entries.read(resource, &TUPLE)? else {
                return Ok(None);
            };
            let Some(&[_, value]) = entries.read(number, &[2])? else {
                return Ok(None);
            };
            let number = usize::try_from(value)
                .ok()
                .and_then(|value| numbers.get(value).copied().flatten());
            let name = match name {
                0 => Some(Name::default()),
                name => entries.read(name, &[1])?.and_then(utf8),
            };
            let (Some(number), Some(name)) = (number, name) else {
                return Ok(None);
            };
            names.push((class, number, name));
        }
    }
    // The order of `resource_list`.
    names.sort_by_key(|&(class, number, _)| (class, number));
    Ok(Some(names))
}

/// Returns the text of one character a field.
fn utf8(fields: &[u64]) -> Option<Name> {
    let bytes: SmallVec<[u8; 64]> = fields.iter().map(|&c| c as u8).collect();
    std::str::from_utf8(&bytes).ok().map(Name::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitcode::read_module;
    use crate::container::Container;
    use crate::shader::resource_list;

    /// Names as the reader of whole modules finds them; `None` if the module or its resources are
    /// malformed.
    fn slow(bytes: &[u8]) -> Option<Vec<NamedResource>> {
        let resources = resource_list(&read_module(bytes, 0).ok()?).ok()?;
        Some(
            resources
                .into_iter()
                .map(|r| (r.class, r.id, r.name))
                .collect(),
        )
    }

    fn files() -> Vec<Vec<u8>> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "dxil"))
            .collect();
        paths.sort();
        paths
            .iter()
            .map(|path| std::fs::read(path).unwrap())
            .collect()
    }

    #[test]
    fn damaged_or_not_the_names_are_those_of_the_whole_module() {
        let mut seed = 7_u64;
        let mut random = move |below: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        let (mut named, mut agree) = (0, 0);
        for file in files() {
            let container = Container::open(&file).unwrap();
            let Some(program) = container.reflection_program().unwrap() else {
                continue;
            };
            let whole = slow(program.bitcode).unwrap();
            // Without resources no names are needed.
            if whole.is_empty() {
                continue;
            }
            named += whole.len();
            assert_eq!(resource_names(program.bitcode, 0).unwrap(), Some(whole));
            let mut bytes = program.bitcode.to_vec();
            for _ in 0..300 {
                let (at, bit) = (random(bytes.len()), 1 << random(8));
                bytes[at] ^= bit;
                if let (Some(whole), Ok(Some(short))) = (slow(&bytes), resource_names(&bytes, 0)) {
                    assert_eq!(short, whole, "bit {bit:#x} of byte {at}");
                    agree += 1;
                }
                bytes[at] ^= bit;
            }
        }
        assert!(
            named > 10 && agree > 1000,
            "{named} names, {agree} damaged programs"
        );
    }
}
