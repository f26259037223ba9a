//! The program database that FXC embeds with `/Zi` (part `SPDB`): the source files, and the line of each instruction.
//!
//! Source: LLVM's "The PDB File Format".

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

/// What is read of a database.
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
        if let Some(streams) = streams(data) {
            // What was read before an error is there.
            let _ = database.fill(&streams);
        }
        database
    }

    fn fill(&mut self, streams: &[Vec<u8>]) -> Option<()> {
        let info = streams.get(INFO)?;
        // Names, and a table of their offsets with streams: of its buckets those that are used.
        let names = info.get(32..)?.get(..u32_at(info, 28)? as usize)?;
        let mut table = info.get(32 + names.len()..)?;
        let count = u32_at(table, 0)? as usize;
        table = table.get(8..)?;
        for _ in 0..2 {
            table = table.get(4 + 4 * u32_at(table, 0)? as usize..)?;
        }
        let mut strings = &[][..];
        for entry in table.chunks_exact(8).take(count) {
            let stream = streams.get(u32_at(entry, 4)? as usize)?;
            let name = string_at(names, u32_at(entry, 0)?)?;
            match name.strip_prefix("/src/files/") {
                Some(name) => self
                    .sources
                    .push(view(name, &String::from_utf8_lossy(stream))),
                None if name == "/names" => strings = stream.get(12..)?,
                None => {}
            }
        }
        let module = streams.get(MODULES)?.get(MODULES_HEADER..)?;
        let stream = streams.get(usize::from(u16_at(module, 34)?))?;
        let symbols = (u32_at(module, 36)? as usize).checked_add(u32_at(module, 40)? as usize)?;
        let sections = subsections(stream.get(symbols..)?);
        let (_, files) = sections.iter().find(|(kind, _)| *kind == FILES)?;
        for (_, section) in sections.iter().filter(|(kind, _)| *kind == LINES) {
            let mut blocks = section.get(12..)?;
            while let (Some(file), Some(count), Some(size)) =
                (u32_at(blocks, 0), u32_at(blocks, 4), u32_at(blocks, 8))
            {
                let name = string_at(strings, u32_at(files, file as usize)?)?;
                let is_file = |source: &SourceView| source.name.eq_ignore_ascii_case(&name);
                let index = self.sources.iter().position(is_file);
                for entry in blocks.get(12..)?.chunks_exact(8).take(count as usize) {
                    let line = u32_at(entry, 4)? & 0x00FF_FFFF;
                    self.lines
                        .extend(index.map(|index| (u32_at(entry, 0).unwrap_or(0), index, line)));
                }
                blocks = blocks.get((size as usize).max(12)..)?;
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

fn string_at(data: &[u8], at: u32) -> Option<String> {
    let string = data.get(at as usize..)?.split(|&byte| byte == 0).next()?;
    Some(String::from_utf8_lossy(string).into_owned())
}
