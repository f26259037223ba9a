//! Small parts: `HASH`, `ILDN`, `VERS`, `SRCI`, `PDBI`.

use super::{ContainerError, Part};

/// The `HASH` part: MD5 of the program (or of the source).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShaderHash {
    /// The hash covers the source's debug information.
    pub includes_source: bool,
    /// Digest.
    pub digest: [u8; 16],
}

impl ShaderHash {
    /// Reads the part.
    ///
    /// # Errors
    /// Shorter than 20 bytes.
    pub fn read(part: &Part<'_>) -> Result<Self, ContainerError> {
        let mut r = part.reader();
        let flags = r.u32("hash flags")?;
        let mut digest = [0; 16];
        digest.copy_from_slice(r.bytes(16, "digest")?);
        Ok(Self {
            includes_source: flags & 1 != 0,
            digest,
        })
    }
}

/// Reads `ILDN`: name of the file with debug information.
///
/// # Errors
/// The name does not fit the part or is not UTF-8.
pub fn read_debug_name<'a>(part: &Part<'a>) -> Result<&'a str, ContainerError> {
    let mut r = part.reader();
    r.u16("flags")?;
    let len = r.u16("name length")?;
    let at = r.pos();
    { r }.bytes(len as usize + 1, "name")?;
    r.string_at(at as u32, "debug name")
}

/// The `VERS` part: which compiler made this.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CompilerVersion<'a> {
    /// Major version.
    pub major: u16,
    /// Minor version.
    pub minor: u16,
    /// 1 debug build, 2 internal build.
    pub flags: u32,
    /// Commits up to this version.
    pub commit_count: u32,
    /// Commit and custom version text, as far as given.
    pub strings: Vec<&'a str>,
}

impl<'a> CompilerVersion<'a> {
    /// Reads the part.
    ///
    /// # Errors
    /// Truncated, or a string without end.
    pub fn read(part: &Part<'a>) -> Result<Self, ContainerError> {
        let mut r = part.reader();
        let (major, minor) = (r.u16("major version")?, r.u16("minor version")?);
        let (flags, commit_count) = (r.u32("version flags")?, r.u32("commit count")?);
        let size = r.u32("string list size")?;
        let list = r.sub(size as usize, "string list")?;
        let mut strings = Vec::new();
        let mut at = 0;
        while at < list.data().len() {
            let s = list.string_at(at as u32, "version string")?;
            at += s.len() + 1;
            strings.push(s);
        }
        Ok(Self {
            major,
            minor,
            flags,
            commit_count,
            strings,
        })
    }
}

/// A section of the `SRCI` part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SourceSection<'a> {
    /// 0 source contents, 1 source names, 2 compiler arguments.
    pub kind: u16,
    /// Flags.
    pub flags: u16,
    /// Content after the section's header, possibly compressed (zlib), not decoded here.
    pub data: &'a [u8],
}

/// Reads the section list of `SRCI`.
///
/// # Errors
/// A section outside of the part.
pub fn read_source_info<'a>(part: &Part<'a>) -> Result<Vec<SourceSection<'a>>, ContainerError> {
    const HEADER: usize = 8;
    let mut r = part.reader();
    r.u32("source info size")?;
    r.u16("flags")?;
    let count = r.u16("section count")?;
    { r }.items(count.into(), HEADER, "sections")?;
    let mut out = Vec::with_capacity(count.into());
    for _ in 0..count {
        let at = r.pos();
        let size = r.u32("section size")?;
        let (flags, kind) = (r.u16("section flags")?, r.u16("section type")?);
        let Some(len) = (size as usize).checked_sub(HEADER) else {
            return Err(r.bad_field(at, "section size", size.into(), "at least 8"));
        };
        out.push(SourceSection {
            kind,
            flags,
            data: r.bytes(len, "section")?,
        });
    }
    Ok(out)
}

/// The `PDBI` part: reflection of a PDB, unparsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PdbInfo<'a> {
    /// Version.
    pub version: u16,
    /// 0 not compressed, 1 zlib.
    pub compression: u16,
    /// Size of the content before compression.
    pub uncompressed_size: u32,
    /// Content.
    pub data: &'a [u8],
}

impl<'a> PdbInfo<'a> {
    /// Reads the part.
    ///
    /// # Errors
    /// Content outside of the part.
    pub fn read(part: &Part<'a>) -> Result<Self, ContainerError> {
        let mut r = part.reader();
        let (version, compression) = (r.u16("version")?, r.u16("compression type")?);
        let (size, uncompressed_size) = (r.u32("size")?, r.u32("uncompressed size")?);
        Ok(Self {
            version,
            compression,
            uncompressed_size,
            data: r.bytes(size as usize, "content")?,
        })
    }
}
