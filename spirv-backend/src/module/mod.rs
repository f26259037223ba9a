//! The SPIR-V module under construction: ids, sections, deduplicated types and constants,
//! capabilities.
//!
//! Each section is a sequence of words from the start ([`Code`]), as an instruction of rspirv would
//! cost an allocation and 80 bytes that live until assembly only; the sections are joined at the
//! end. A type or constant is looked up by a hash of its words ([`Table`]), and is declared before
//! its use, as the caller needs its id.

mod body;
mod capabilities;
mod code;
mod debug;
mod declarations;
mod optional_id;
mod table;
mod types;

use rspirv::dr::ModuleHeader;
use rspirv::spirv::{
    AddressingModel, Capability, ExecutionMode, MemoryModel, Op, StorageClass, Word,
};
use smallvec::SmallVec;

use crate::error::VerifyRule;
use crate::target::Target;
use capabilities::Capabilities;
use code::Code;
use debug::DebugSections;
pub(crate) use debug::{MAX_TEXT, Place, PlaceId};
pub(crate) use optional_id::OptionalId;
pub(crate) use table::Table;

/// Ids that are requested so often that hashing their operands each time would show.
#[derive(Default)]
struct Common {
    /// The types of booleans, and of integers and floats of 32 bits.
    types: [OptionalId; 3],
    /// Unsigned constants from 0 on.
    small: [OptionalId; 16],
}

/// The generator's word of a module's header: the tool in the high half, its version in the low one, as
/// Khronos registers them. The number of Trellis is not registered, and far above all that are.
const GENERATOR: Word = (0x5452 << 16) | VERSION;

/// Major and minor version, a byte each.
const VERSION: Word = match (
    u8::from_str_radix(env!("CARGO_PKG_VERSION_MAJOR"), 10),
    u8::from_str_radix(env!("CARGO_PKG_VERSION_MINOR"), 10),
) {
    (Ok(major), Ok(minor)) => (major as Word) << 8 | minor as Word,
    _ => panic!("a version has numbers below 256"),
};

/// Builds a SPIR-V module.
#[derive(Default)]
pub(crate) struct Builder {
    /// The entry point and its execution modes.
    entry_point: Code,
    names: Code,
    /// Ids get names.
    has_names: bool,
    annotations: Code,
    /// Types, constants and module-level variables.
    declarations: Code,
    /// The shared ones of `declarations`.
    shared: Table<()>,
    /// Capabilities and extensions, collected from use.
    pub(crate) caps: Capabilities,
    /// The module-level variables.
    variables: SmallVec<[(Word, StorageClass); 16]>,
    /// Execution modes of the entry point, in the order in which they were requested.
    execution_modes: Vec<(ExecutionMode, SmallVec<[Word; 3]>)>,
    /// Memory for a name.
    text: String,
    next_id: Word,
    /// The import of `GLSL.std.450`.
    glsl: Option<Word>,
    /// The types and constants that nearly every instruction uses; 0 if not declared yet.
    common: Common,
    /// The functions; the last one may be under construction.
    code: Code,
    /// `OpVariable`s of the function under construction; they go to the start of its first block.
    locals: Code,
    /// Number of functions and of blocks begun so far.
    functions: usize,
    blocks: usize,
    /// Start of the first block of the function under construction.
    entry: usize,
    /// The source places of the instructions to append, and of the last instruction.
    place: PlaceId,
    marked: PlaceId,
    /// Debug information, if there is some.
    debug: Option<Box<DebugSections>>,
}

/// Initial capacity for the words of function bodies: the mean shader of the corpus has 740.
const CODE_WORDS: usize = 1024;
/// Initial capacity for the words of the header, capabilities, extensions, import and memory model.
const PREAMBLE_WORDS: usize = 128;
/// Initial capacities for the words of types, constants and variables, of decorations, and of names:
/// one of two real shaders has fewer.
const DECLARATION_WORDS: usize = 384;
const ANNOTATION_WORDS: usize = 128;
const NAME_WORDS: usize = 96;
/// Initial capacity for the bytes of a name.
const NAME_BYTES: usize = 64;
/// Initial capacity for the words of the entry point with its execution modes.
const ENTRY_POINT_WORDS: usize = 32;

impl Builder {
    /// Begins an empty module, with room for about `words` words of functions.
    pub(crate) fn new(target: Target, has_names: bool, words: usize) -> Self {
        Self {
            has_names,
            entry_point: Code::with_capacity(ENTRY_POINT_WORDS),
            names: Code::with_capacity(NAME_WORDS),
            text: String::with_capacity(NAME_BYTES),
            annotations: Code::with_capacity(ANNOTATION_WORDS),
            declarations: Code::with_capacity(DECLARATION_WORDS),
            caps: Capabilities::new(target),
            next_id: 1,
            code: Code::with_capacity(CODE_WORDS.max(words)),
            ..Self::default()
        }
    }

    /// Returns a fresh id.
    pub(crate) fn id(&mut self) -> Word {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Joins the sections, in the order of SPIR-V 1.6, section 2.4.
    ///
    /// # Errors
    /// An instruction does not fit in the format.
    pub(crate) fn finish(mut self) -> Result<Vec<Word>, VerifyRule> {
        let mut header = ModuleHeader::new(self.next_id);
        let (major, minor) = self.caps.target().spirv_version();
        header.set_version(major, minor);
        let addressing = if self.caps.has(Capability::PhysicalStorageBufferAddresses) {
            AddressingModel::PhysicalStorageBuffer64
        } else {
            AddressingModel::Logical
        };
        let debug = self.debug.take().unwrap_or_default();
        let sections = [
            self.entry_point,
            debug.strings,
            self.names,
            self.annotations,
            self.declarations,
            debug.constants,
            debug.instructions,
            self.code,
        ];
        let words: usize = sections.iter().map(Code::position).sum();
        let mut module = Code::with_capacity(PREAMBLE_WORDS + words);
        module.raw(&[
            header.magic_number,
            header.version,
            GENERATOR,
            header.bound,
            0,
        ]);
        self.caps.declare(&mut module);
        if let Some(id) = self.glsl {
            module.push_text(Op::ExtInstImport, &[id], "GLSL.std.450", &[]);
        }
        if debug.set != 0 {
            module.push_text(Op::ExtInstImport, &[debug.set], debug::SET, &[]);
        }
        let model = [addressing as Word, MemoryModel::GLSL450 as Word];
        module.push(Op::MemoryModel, model, &[]);
        let mut words = module.finish()?;
        for section in sections {
            words.extend(section.finish()?);
        }
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use rspirv::spirv;

    use super::Builder;
    use crate::target::Target;

    #[test]
    fn types_and_constants_are_shared() {
        let mut b = Builder::new(Target::Vulkan1_3, true, 0);
        assert_eq!(b.const_u32(7), b.const_u32(7));
        assert_ne!(b.const_u32(7), b.const_f32(f32::from_bits(7)));
        let f = b.ty_f32();
        assert_eq!(b.ty_vec(f, 4), b.ty_vec(f, 4));
        assert_eq!(b.ty_vec(f, 1), f);
        assert_eq!(
            b.ty_ptr(spirv::StorageClass::Input, f),
            b.ty_ptr(spirv::StorageClass::Input, f)
        );
    }
}
