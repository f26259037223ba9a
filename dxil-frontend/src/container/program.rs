//! Program parts: `DXIL`, `ILDB` (with debug information), `STAT` (reflection).

use super::reader::Reader;
use super::{ContainerError, FourCC, Part};
use crate::kinds::{ShaderKind, Version};

/// A bitcode program with the contents of its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Program<'a> {
    /// Part that holds it.
    pub part: FourCC,
    /// Stage.
    pub kind: ShaderKind,
    /// Shader model.
    pub model: Version,
    /// DXIL version.
    pub dxil_version: Version,
    /// The bitcode, from its magic number on.
    pub bitcode: &'a [u8],
    /// Absolute byte offset of the bitcode.
    pub offset: usize,
}

impl<'a> Program<'a> {
    /// Reads the program header of a part.
    ///
    /// # Errors
    /// Truncated header, wrong magic number, unknown stage, bitcode outside of the part.
    pub fn read(part: &Part<'a>) -> Result<Self, ContainerError> {
        let mut r = part.reader();
        let version = r.u32("program version")?;
        let kind = ShaderKind::from_code(version >> 16)
            .ok_or_else(|| r.bad_field(0, "shader kind", (version >> 16).into(), "0 to 15"))?;
        // The part and the bitcode have sizes, too, and only these bound the reads.
        r.u32("program size")?;
        let header = r.pos();
        let magic = r.u32("bitcode header")?;
        if magic.to_le_bytes() != *b"DXIL" {
            return Err(r.bad_field(
                header,
                "bitcode header magic",
                magic.into(),
                "0x4c495844 (\"DXIL\")",
            ));
        }
        let dxil = r.u32("DXIL version")?;
        let (offset, size) = (r.u32("bitcode offset")?, r.u32("bitcode size")?);
        let start = (header as u32).saturating_add(offset);
        let mut body = r.at(start, "bitcode offset")?;
        let bitcode = body.bytes(size as usize, "bitcode")?;
        Ok(Self {
            part: part.fourcc,
            kind,
            model: Version {
                major: version >> 4 & 15,
                minor: version & 15,
            },
            dxil_version: Version {
                major: dxil >> 8 & 0xFF,
                minor: dxil & 0xFF,
            },
            bitcode,
            offset: part.offset + start as usize,
        })
    }

    /// Returns whether a part has a program header: a `STAT` part of an old DXBC shader has none.
    pub(crate) fn is_program(part: &Part<'_>) -> bool {
        let mut r: Reader<'_> = part.reader();
        r.bytes(8, "").is_ok() && r.bytes(4, "").is_ok_and(|m| m == b"DXIL")
    }
}
