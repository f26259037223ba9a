//! A shader as parts of a container, and the bitcode of its program as a tree.

use trellis_dxil::frontend::container::{Container, FourCC, HashStatus, Program, Source};

use super::ReduceError;
use super::bitstream::{self, Block, Item};
use super::edits::FUNCTION;

/// Bytes of a program's header: version, size in words, and magic number, version, offset and size of the
/// bitcode.
const PROGRAM_HEADER: usize = 24;

/// A shader that can be edited and written.
#[derive(Clone)]
pub(super) struct Shader {
    /// `None` for bitcode by itself.
    container: Option<ContainerParts>,
    /// The blocks of the bitcode.
    pub(super) blocks: Vec<Block>,
}

#[derive(Clone)]
struct ContainerParts {
    is_signed: bool,
    /// Parts in file order; the program's part has no data.
    parts: Vec<(FourCC, Option<Vec<u8>>)>,
    /// The first words of the program: stage, shader model, DXIL version.
    version: [u8; 4],
    dxil_version: [u8; 4],
}

impl Shader {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ReduceError> {
        let unread = |error: &dyn std::fmt::Display| ReduceError::Unread {
            reason: error.to_string(),
        };
        let (bitcode, container) = match Source::open(bytes).map_err(|error| unread(&error))? {
            Source::Container(container) => {
                let (bitcode, parts) =
                    ContainerParts::read(&container).map_err(|error| unread(&error))?;
                (bitcode, Some(parts))
            }
            Source::Bitcode(_) => (bytes, None),
        };
        let blocks = bitstream::read(bitcode).map_err(|error| unread(&error))?;
        Ok(Self { container, blocks })
    }

    /// Returns the number of parts that can be dropped: all but the program.
    pub(super) fn parts(&self) -> usize {
        let parts = self.container.iter().flat_map(|parts| &parts.parts);
        parts.filter(|(_, data)| data.is_some()).count()
    }

    /// Returns the shader without some parts, by their numbers among those that can be dropped.
    pub(super) fn without_parts(&self, dropped: &[usize]) -> Self {
        let mut shader = self.clone();
        if let Some(container) = &mut shader.container {
            let mut number = 0;
            container.parts.retain(|(_, data)| {
                let keep = data.is_none() || !dropped.contains(&number);
                number += usize::from(data.is_some());
                keep
            });
        }
        shader
    }

    /// Returns how much is in the shader: bytes of parts, records and their fields. Blocks are padded to whole
    /// words, so that the size of the file does not show each step. An instruction has more weight than
    /// the constant that takes its place.
    pub(super) fn weight(&self) -> u64 {
        let parts = self.container.iter().flat_map(|parts| &parts.parts);
        let mut weight: u64 = parts
            .map(|(_, data)| 8 + data.as_ref().map_or(0, Vec::len) as u64)
            .sum();
        let mut pending: Vec<&Block> = self.blocks.iter().collect();
        while let Some(block) = pending.pop() {
            let each = if block.id == FUNCTION { 16 } else { 2 };
            for item in &block.items {
                match item {
                    Item::Record(record) => weight += each + record.fields.len() as u64,
                    Item::Block(nested) => pending.push(nested),
                }
            }
            weight += 2;
        }
        weight
    }

    /// Returns the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let bitcode = bitstream::write(&self.blocks);
        match &self.container {
            Some(parts) => parts.bytes(&bitcode),
            None => bitcode,
        }
    }
}

impl ContainerParts {
    fn read<'a>(container: &Container<'a>) -> Result<(&'a [u8], Self), Box<dyn std::error::Error>> {
        let all: Vec<_> = container.parts().collect();
        let of = |wanted: FourCC| all.iter().position(|part| part.fourcc == wanted);
        let index = of(FourCC::DXIL).or_else(|| of(FourCC::DEBUG_PROGRAM));
        let index = index.ok_or("the container has no program")?;
        let part = &all[index];
        let program = Program::read(part)?;
        let word = |at: usize| -> [u8; 4] {
            let word = part.data.get(at..at + 4);
            word.and_then(|word| word.try_into().ok())
                .unwrap_or_default()
        };
        let parts = all.iter().enumerate().map(|(number, part)| {
            let data = (number != index).then(|| part.data.to_vec());
            (part.fourcc, data)
        });
        let parts = Self {
            is_signed: container.check_hash() == HashStatus::Valid,
            parts: parts.collect(),
            version: word(0),
            dxil_version: word(12),
        };
        Ok((program.bitcode, parts))
    }

    fn bytes(&self, bitcode: &[u8]) -> Vec<u8> {
        let mut program = Vec::with_capacity(PROGRAM_HEADER + bitcode.len());
        program.extend(self.version);
        program.extend((((PROGRAM_HEADER + bitcode.len()) / 4) as u32).to_le_bytes());
        program.extend(b"DXIL");
        program.extend(self.dxil_version);
        program.extend(16_u32.to_le_bytes());
        program.extend((bitcode.len() as u32).to_le_bytes());
        program.extend(bitcode);
        let mut bytes = b"DXBC".to_vec();
        // Not a hash: see below.
        bytes.extend([u8::from(self.is_signed) * 3; 16]);
        bytes.extend([1, 0, 0, 0]);
        let data = |part: &'_ Option<Vec<u8>>| part.as_ref().map_or(program.len(), Vec::len);
        let table = 32 + 4 * self.parts.len();
        let size: usize = { self.parts.iter() }.map(|(_, part)| 8 + data(part)).sum();
        bytes.extend(((table + size) as u32).to_le_bytes());
        bytes.extend((self.parts.len() as u32).to_le_bytes());
        let mut offset = table;
        for (_, part) in &self.parts {
            bytes.extend((offset as u32).to_le_bytes());
            offset += 8 + data(part);
        }
        for (name, part) in &self.parts {
            bytes.extend(name.0);
            bytes.extend((data(part) as u32).to_le_bytes());
            bytes.extend(part.as_ref().unwrap_or(&program));
        }
        // The check of a wrong hash computes the right one.
        let status = Container::open(&bytes).map(|container| container.check_hash());
        if let (true, Ok(HashStatus::Invalid { computed, .. })) = (self.is_signed, status) {
            bytes[4..20].copy_from_slice(&computed);
        }
        bytes
    }
}
