//! The program database that FXC embeds with `/Zi` (part `SPDB`): the source files, and the line of each instruction.
//!
//! Source: LLVM's "The PDB File Format".

use std::collections::HashMap;

use crate::answer::SourceView;
use crate::sources::{u16_at, u32_at, view};

/// Streams of the file.
const INFO: usize = 1;
const MODULES: usize = 3;
/// Size of the header before the first module.
const MODULES_HEADER: usize = 64;
/// Subsections of a module.
const LINES: u32 = 0xF2;
const FILES: u32 = 0xF4;

/// Contents of a database.
#[derive(Default)]
pub(crate) struct Database {
    /// The source files.
    pub(crate) sources: Vec<SourceView>,
    /// Offset of an instruction in the program, index of a source file, and a line.
    pub(crate) lines: Vec<(u32, usize, u32)>,
}

impl Database {
    /// Reads a database, as far as it is well-formed.
    pub(crate) fn read(data: &[u8]) -> Self {
        let mut database = Self::default();
        if let Some(mut streams) = streams(data) {
            // The data before an error is kept.
            let _ = database.fill(&mut streams);
        }
        database
    }

    fn fill(&mut self, streams: &mut [Vec<u8>]) -> Option<()> {
        let info = std::mem::take(streams.get_mut(INFO)?);
        // Names, and a table of their offsets with streams: of its buckets those in use.
        let names = info.get(32..)?.get(..u32_at(&info, 28)? as usize)?;
        let mut table = info.get(32 + names.len()..)?;
        let count = u32_at(table, 0)? as usize;
        table = table.get(8..)?;
        for _ in 0..2 {
            table = table.get(4 + 4 * u32_at(table, 0)? as usize..)?;
        }
        let mut strings = Vec::new();
        let mut by_name = HashMap::new();
        // Each name and each stream is used once, so that a damaged table needs no more memory than it has.
        let mut left = names.len();
        for entry in table.chunks_exact(8).take(count) {
            let name = string_at(names, u32_at(entry, 0)?, &mut left)?;
            let source = name.strip_prefix("/src/files/");
            if source.is_none() && name != "/names" {
                continue;
            }
            let stream = std::mem::take(streams.get_mut(u32_at(entry, 4)? as usize)?);
            match source {
                Some(name) => {
                    by_name.insert(name.to_ascii_lowercase(), self.sources.len());
                    self.sources
                        .push(view(name, &String::from_utf8_lossy(&stream)));
                }
                None => strings = stream,
            }
        }
        let strings = strings.get(12..).unwrap_or_default();
        let mut left = strings.len();
        let mut indices = HashMap::new();
        let module = streams.get(MODULES)?.get(MODULES_HEADER..)?;
        let stream = streams.get(usize::from(u16_at(module, 34)?))?;
        let symbols = (u32_at(module, 36)? as usize).checked_add(u32_at(module, 40)? as usize)?;
        let sections = subsections(stream.get(symbols..)?);
        let (_, files) = sections.iter().find(|(kind, _)| *kind == FILES)?;
        let mut index_of = |file: u32| {
            if let Some(&known) = indices.get(&file) {
                return Some(known);
            }
            let name = string_at(strings, u32_at(files, file as usize)?, &mut left)?;
            let index = by_name.get(&name.to_ascii_lowercase()).copied();
            indices.insert(file, index);
            Some(index)
        };
        for (_, section) in sections.iter().filter(|(kind, _)| *kind == LINES) {
            let mut blocks = section.get(12..)?;
            while let (Some(file), Some(count), Some(size)) =
                (u32_at(blocks, 0), u32_at(blocks, 4), u32_at(blocks, 8))
            {
                let index: Option<usize> = index_of(file)?;
                let size = (size as usize).max(12);
                let block = blocks.get(12..size)?;
                for entry in block.chunks_exact(8).take(count as usize) {
                    let line = u32_at(entry, 4)? & 0x00FF_FFFF;
                    let offset = u32_at(entry, 0)?;
                    self.lines.extend(index.map(|index| (offset, index, line)));
                }
                blocks = blocks.get(size..)?;
            }
        }
        Some(())
    }
}

/// Returns the streams, which are lists of blocks.
fn streams(data: &[u8]) -> Option<Vec<Vec<u8>>> {
    let block_size = u32_at(data, 32)? as usize;
    let block = |number: u32| {
        data.get((number as usize).checked_mul(block_size)?..)?
            .get(..block_size)
    };
    // Each block is in one stream, so that a damaged file needs no more memory than it has.
    let mut left = data.len();
    let mut joined = |list: &[u8], size: usize| {
        left = left.checked_sub(size)?;
        let mut stream = Vec::with_capacity(size);
        for number in list.chunks_exact(4) {
            stream.extend_from_slice(block(u32_at(number, 0)?)?);
        }
        stream.truncate(size);
        Some(stream)
    };
    let size = u32_at(data, 44)? as usize;
    let list =
        |data: &[u8], size: usize| Some(data.get(..4 * size.div_ceil(block_size.max(1)))?.to_vec());
    let directory = joined(&list(block(u32_at(data, 52)?)?, size)?, size)?;
    let count = u32_at(&directory, 0)? as usize;
    let mut lists = directory.get(4_usize.checked_add(count.checked_mul(4)?)?..)?;
    let mut all = Vec::new();
    for size in directory[4..].chunks_exact(4).take(count) {
        // The size of a stream that is deleted.
        let size = u32_at(size, 0).filter(|&size| size != u32::MAX)? as usize;
        let blocks = list(lists, size)?;
        all.push(joined(&blocks, size)?);
        lists = &lists[blocks.len()..];
    }
    Some(all)
}

/// Returns the kinds and the contents of a module's subsections.
fn subsections(mut data: &[u8]) -> Vec<(u32, &[u8])> {
    let mut all = Vec::new();
    while let (Some(kind), Some(size)) = (u32_at(data, 0), u32_at(data, 4)) {
        let contents = &data[8..];
        all.push((kind, contents.get(..size as usize).unwrap_or(contents)));
        data = contents
            .get((size as usize).next_multiple_of(4)..)
            .unwrap_or_default();
    }
    all
}

/// Returns the string at an offset, and subtracts its length from `left`.
fn string_at(data: &[u8], at: u32, left: &mut usize) -> Option<String> {
    let string = data.get(at as usize..)?.split(|&byte| byte == 0).next()?;
    *left = left.checked_sub(string.len())?;
    Some(String::from_utf8_lossy(string).into_owned())
}

#[cfg(test)]
mod tests {
    use trellis_dxil::frontend::container::{Container, FourCC};

    use super::Database;

    #[test]
    fn a_damaged_database_has_no_more_than_its_bytes() {
        let shader = include_bytes!("../tests/data/fxc_zi.dxbc");
        let mut parts = Container::open(shader).unwrap().parts();
        let part = parts.find(|part| part.fourcc == FourCC(*b"SPDB"));
        let data = part.unwrap().data;
        assert!(Database::read(data).lines.len() > 10);
        for at in (0..data.len() - 4).step_by(4) {
            for value in [0_u32, 1, 8, 12, 0xffff, u32::MAX] {
                let mut damaged = data.to_vec();
                damaged[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let found = Database::read(&damaged);
                let bytes = { found.sources.iter() }.map(|s| s.name.len() + s.text.text.len());
                // A byte that is not UTF-8 takes three.
                assert!(bytes.sum::<usize>() <= 4 * data.len());
                assert!(found.lines.len() <= data.len() / 8);
            }
        }
    }
}
