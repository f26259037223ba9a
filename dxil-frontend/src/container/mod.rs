//! DXBC containers: a header, an offset table, and parts named by four characters.
//!
//! Opening one checks the header and that every part lies within the input, and allocates nothing;
//! a part is read on request. Layout (all little-endian): `DXBC`, 16 bytes of hash, `u16`
//! major and minor version, `u32` total size, `u32` part count, an offset for each part; at each
//! offset the part's four characters, `u32` size, data.

mod hash;
mod info;
mod other;
mod pdb;
mod program;
mod psv;
mod rdat;
mod rdef;
mod reader;
mod root_signature;
mod signature;

pub use crate::error::{ContainerError, ContainerErrorKind, FourCC};
pub use hash::HashStatus;
pub use info::{
    CompilerVersion, PdbInfo, ShaderHash, SourceSection, read_debug_name, read_source_info,
};
pub use other::kind_of_file;
pub use program::Program;
pub use psv::{
    Dependencies, Mask, PipelineValidation, PsvElement, PsvResource, RuntimeInfo, StageInfo,
};
pub use rdat::{
    IndexArray, RdatFunction, RdatResource, RdatSubobject, RuntimeData, SubobjectKind, Table,
};
pub use rdef::{
    BufferDefinition, BufferVariable, ResourceBinding, ResourceDefinitions, VariableType,
    VariableTypes,
};
pub use root_signature::{
    DescriptorRange, RootDescriptor, RootParameter, RootParameterKind, RootSignature, StaticSampler,
};
pub use signature::{PartSignatureElement, read_signature};

pub(crate) use pdb::MAGIC as PDB_MAGIC;
use reader::{Reader, u32_at};

type Result<T> = std::result::Result<T, ContainerError>;

/// Parts that a container may hold.
#[expect(missing_docs, reason = "the format's own names")]
impl FourCC {
    pub const CONTAINER: Self = Self(*b"DXBC");
    pub const PDB: Self = Self(*b"MSF7");
    pub const SHADER: Self = Self(*b"SHDR");
    pub const SHADER_EX: Self = Self(*b"SHEX");
    pub const LEVEL_9: Self = Self(*b"Aon9");
    pub const RESOURCE_DEF: Self = Self(*b"RDEF");
    pub const INPUT_SIGNATURE: Self = Self(*b"ISG1");
    pub const OUTPUT_SIGNATURE: Self = Self(*b"OSG1");
    pub const PATCH_CONSTANT_SIGNATURE: Self = Self(*b"PSG1");
    pub const STATISTICS: Self = Self(*b"STAT");
    pub const DEBUG_PROGRAM: Self = Self(*b"ILDB");
    pub const DEBUG_NAME: Self = Self(*b"ILDN");
    pub const FEATURES: Self = Self(*b"SFI0");
    pub const PRIVATE: Self = Self(*b"PRIV");
    pub const ROOT_SIGNATURE: Self = Self(*b"RTS0");
    pub const DXIL: Self = Self(*b"DXIL");
    pub const PIPELINE_VALIDATION: Self = Self(*b"PSV0");
    pub const RUNTIME_DATA: Self = Self(*b"RDAT");
    pub const HASH: Self = Self(*b"HASH");
    pub const SOURCE_INFO: Self = Self(*b"SRCI");
    pub const PDB_INFO: Self = Self(*b"PDBI");
    pub const COMPILER_VERSION: Self = Self(*b"VERS");
}

/// A part: its name and data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part<'a> {
    /// Name.
    pub fourcc: FourCC,
    /// Absolute byte offset of the data.
    pub offset: usize,
    /// Data.
    pub data: &'a [u8],
}

impl<'a> Part<'a> {
    pub(crate) fn reader(&self) -> Reader<'a> {
        Reader::new(self.fourcc, self.offset, self.data)
    }
}

/// An opened container; borrows the input.
#[derive(Clone, Copy, Debug)]
pub struct Container<'a> {
    /// The input up to the size that the header gives.
    bytes: &'a [u8],
    count: u32,
}

const HEADER: usize = 32;

impl<'a> Container<'a> {
    /// Checks the header and that each part lies within the input. Bytes after the container's size and
    /// its parts are ignored.
    ///
    /// # Errors
    /// Wrong magic number or version, a size larger than the input, parts outside of the input.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut r = Reader::new(FourCC::CONTAINER, 0, bytes);
        let is_other = !bytes.starts_with(&FourCC::CONTAINER.0);
        if let Some(error) = is_other
            .then(|| ContainerError::of_other_file(bytes))
            .flatten()
        {
            return Err(error);
        }
        let magic = r.bytes(4, "container header")?;
        if magic != b"DXBC" {
            let found = FourCC([magic[0], magic[1], magic[2], magic[3]]);
            return Err(r.error_at(0, ContainerErrorKind::Magic { found }));
        }
        r.bytes(16, "hash")?;
        let major = r.u16("major version")?;
        if major != 1 {
            return Err(r.bad_field(20, "major version", major.into(), "1"));
        }
        r.u16("minor version")?;
        let size = r.u32("container size")?;
        if size as usize > bytes.len() {
            return Err(r.truncated(24, "container", size.into(), bytes.len()));
        }
        let count = r.u32("part count")?;
        let table = r.items(count, 4, "part table")?;
        let mut end = (HEADER + table.len()).max(size as usize);
        for (i, entry) in table.chunks_exact(4).enumerate() {
            let at = HEADER + 4 * i;
            let offset = u32_at(entry, 0);
            let fits = bytes
                .get(offset as usize..)
                .filter(|t| t.len() >= 8 && offset as usize >= HEADER + table.len());
            let Some(tail) = fits else {
                let limit = bytes.len().saturating_sub(7) as u64;
                return Err(r.beyond(at, "part offset", offset, limit));
            };
            let size = u32_at(tail, 4);
            if size as usize > tail.len() - 8 {
                let name = FourCC([tail[0], tail[1], tail[2], tail[3]]);
                let part = Reader::new(name, offset as usize, tail);
                return Err(part.truncated(4, "part", size.into(), tail.len() - 8));
            }
            end = end.max(offset as usize + 8 + size as usize);
        }
        let bytes = bytes.get(..end).unwrap_or(bytes);
        Ok(Self { bytes, count })
    }

    /// Returns the sizes in headers of the container that differ from the contents, which are read all
    /// the same.
    pub(crate) fn wrong_sizes(&self) -> Vec<WrongSize> {
        let mut found = Vec::new();
        let mut compare = |part, size: u64, actual: usize, is_wrong: bool| {
            if is_wrong {
                let actual = actual as u64;
                found.push(WrongSize { part, size, actual });
            }
        };
        let (size, actual) = (u32_at(self.bytes, 24), self.bytes.len());
        let is_wrong = (size as usize) < actual;
        compare(FourCC::CONTAINER, size.into(), actual, is_wrong);
        let names = [FourCC::DXIL, FourCC::DEBUG_PROGRAM, FourCC::STATISTICS];
        for part in self.parts().filter(|part| names.contains(&part.fourcc)) {
            let (size, actual) = (u64::from(u32_at(part.data, 4)) * 4, part.data.len());
            let is_wrong = Program::is_program(&part) && size > actual as u64;
            compare(part.fourcc, size, actual, is_wrong);
        }
        found
    }

    /// Returns the whole container.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns all parts in file order.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Part<'a>> + Clone + use<'a> {
        let bytes = self.bytes;
        (0..self.count as usize).map(move |i| {
            // `open` has checked that all of this is within the container.
            let at = u32_at(bytes, HEADER + 4 * i) as usize;
            let name = u32_at(bytes, at).to_le_bytes();
            let size = u32_at(bytes, at + 4) as usize;
            Part {
                fourcc: FourCC(name),
                offset: at + 8,
                data: bytes.get(at + 8..at + 8 + size).unwrap_or(&[]),
            }
        })
    }

    /// Returns the first part with this name.
    pub fn part(&self, fourcc: FourCC) -> Option<Part<'a>> {
        self.parts().find(|p| p.fourcc == fourcc)
    }

    /// Reads the first part with this name, if there is one. A part without data is as none.
    fn read<T>(
        &self,
        fourcc: FourCC,
        read: impl FnOnce(&Part<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        let part = self.part(fourcc).filter(|part| !part.data.is_empty());
        part.map(|part| read(&part)).transpose()
    }

    /// Reads the first signature part that is there.
    fn signature(&self, names: &[FourCC]) -> Result<Option<Vec<PartSignatureElement<'a>>>> {
        let name = names.iter().find(|&&name| self.part(name).is_some());
        name.map_or(Ok(None), |&name| self.read(name, read_signature))
    }

    /// Returns all programs, in file order: `DXIL` and `ILDB` parts, and `STAT` parts that hold
    /// one.
    pub fn programs(&self) -> impl Iterator<Item = Result<Program<'a>>> + use<'a> {
        self.parts()
            .filter(|p| match p.fourcc {
                FourCC::DXIL | FourCC::DEBUG_PROGRAM => true,
                FourCC::STATISTICS => Program::is_program(p),
                _ => false,
            })
            .map(|p| Program::read(&p))
    }

    /// Returns the program to convert: the `DXIL` part, else `ILDB`, else `STAT`.
    ///
    /// # Errors
    /// The part is missing, or its header is malformed.
    pub fn main_program(&self) -> Result<Program<'a>> {
        let part = self
            .part(FourCC::DXIL)
            .or_else(|| self.part(FourCC::DEBUG_PROGRAM));
        match part.or_else(|| self.part(FourCC::STATISTICS).filter(Program::is_program)) {
            Some(part) => Program::read(&part),
            None => Err(ContainerError {
                part: FourCC::CONTAINER,
                offset: 0,
                kind: ContainerErrorKind::NoProgram,
            }),
        }
    }

    /// Returns the reflection program of `STAT`, which keeps the names that `DXIL` lost.
    ///
    /// # Errors
    /// The program header is malformed.
    pub fn reflection_program(&self) -> Result<Option<Program<'a>>> {
        self.part(FourCC::STATISTICS)
            .filter(Program::is_program)
            .map(|p| Program::read(&p))
            .transpose()
    }

    /// Returns the feature bits of the `SFI0` part; 0 without one.
    ///
    /// # Errors
    /// The part is shorter than 8 bytes.
    pub fn feature_flags(&self) -> Result<u64> {
        self.part(FourCC::FEATURES)
            .map_or(Ok(0), |p| p.reader().u64("feature flags"))
    }

    /// Returns the input signature (`ISG1`, else `ISGN`). `None` without either.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn input_signature(&self) -> Result<Option<Vec<PartSignatureElement<'a>>>> {
        self.signature(signature::INPUT)
    }

    /// Returns the output signature (`OSG1`, else `OSG5` or `OSGN`). `None` without any.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn output_signature(&self) -> Result<Option<Vec<PartSignatureElement<'a>>>> {
        self.signature(signature::OUTPUT)
    }

    /// Returns the patch-constant or primitive signature (`PSG1`, else `PCSG`). `None` without
    /// either.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn patch_constant_signature(&self) -> Result<Option<Vec<PartSignatureElement<'a>>>> {
        self.signature(signature::PATCH_CONSTANT)
    }

    /// Returns the names of resources (`RDEF`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn resource_definitions(&self) -> Result<Option<ResourceDefinitions<'a>>> {
        self.read(FourCC::RESOURCE_DEF, ResourceDefinitions::read)
    }

    /// Returns the types of the variables in `RDEF`. `None` without the part.
    ///
    /// # Errors
    /// The part is too short.
    pub fn variable_types(&self) -> Result<Option<VariableTypes<'a>>> {
        self.read(FourCC::RESOURCE_DEF, VariableTypes::open)
    }

    /// Returns the pipeline state validation (`PSV0`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn pipeline_validation(&self) -> Result<Option<PipelineValidation<'a>>> {
        self.read(FourCC::PIPELINE_VALIDATION, PipelineValidation::read)
    }

    /// Returns the root signature (`RTS0`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn root_signature(&self) -> Result<Option<RootSignature>> {
        self.read(FourCC::ROOT_SIGNATURE, RootSignature::read)
    }

    /// Returns the runtime data of a library (`RDAT`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn runtime_data(&self) -> Result<Option<RuntimeData<'a>>> {
        self.read(FourCC::RUNTIME_DATA, RuntimeData::read)
    }

    /// Returns the hash of the program (`HASH`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn shader_hash(&self) -> Result<Option<ShaderHash>> {
        self.read(FourCC::HASH, ShaderHash::read)
    }

    /// Returns the name of the file with debug information (`ILDN`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn debug_name(&self) -> Result<Option<&'a str>> {
        self.read(FourCC::DEBUG_NAME, read_debug_name)
    }

    /// Returns which compiler made this (`VERS`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn compiler_version(&self) -> Result<Option<CompilerVersion<'a>>> {
        self.read(FourCC::COMPILER_VERSION, CompilerVersion::read)
    }

    /// Sections with sources and arguments (`SRCI`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn source_info(&self) -> Result<Option<Vec<SourceSection<'a>>>> {
        self.read(FourCC::SOURCE_INFO, read_source_info)
    }

    /// Returns the reflection of a PDB (`PDBI`). `None` without the part.
    ///
    /// # Errors
    /// The part is malformed.
    pub fn pdb_info(&self) -> Result<Option<PdbInfo<'a>>> {
        self.read(FourCC::PDB_INFO, PdbInfo::read)
    }

    /// Compares the container's hash with its content.
    pub fn check_hash(&self) -> HashStatus {
        hash::check(self.bytes)
    }
}

/// A size in a header that differs from the contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongSize {
    /// The part; `DXBC` for the container itself.
    pub part: FourCC,
    /// Bytes by its header.
    pub size: u64,
    /// Bytes that are there.
    pub actual: u64,
}

impl std::fmt::Display for WrongSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { part, size, actual } = self;
        write!(
            f,
            "{part}: the header gives {size} bytes, there are {actual}"
        )
    }
}

/// Input that [`crate::read`] accepts: a container, also in a PDB, or bitcode by itself, also after a
/// program header.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A DXBC container.
    Container(Container<'a>),
    /// Bitcode, with or without LLVM's wrapper header.
    Bitcode(&'a [u8]),
}

impl<'a> Source<'a> {
    /// Distinguishes the kinds of files by their first bytes.
    ///
    /// # Errors
    /// None of them, or a malformed header.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let part = Part {
            fourcc: FourCC::DXIL,
            offset: 0,
            data: bytes,
        };
        match bytes.first_chunk::<4>() {
            Some([b'B', b'C', 0xC0, 0xDE] | [0xDE, 0xC0, 0x17, 0x0B]) => Ok(Self::Bitcode(bytes)),
            Some(b"DXBC") => Container::open(bytes).map(Self::Container),
            _ if Program::is_program(&part) => Ok(Self::Bitcode(Program::read(&part)?.bitcode)),
            _ if bytes.starts_with(PDB_MAGIC) => {
                Container::open(pdb::container(bytes)?).map(Self::Container)
            }
            _ => Container::open(bytes).map(Self::Container),
        }
    }
}
