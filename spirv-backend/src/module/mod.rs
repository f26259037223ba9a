//! The SPIR-V module under construction: ids, sections, deduplicated types and constants,
//! capabilities.
//!
//! Declarations are kept in rspirv's [`dr::Module`]; this wrapper adds hashed deduplication
//! (rspirv's own builder searches linearly) and SPIR-V's rule that a type or constant is declared
//! before its use. Function bodies, three quarters of a module, are words from the start
//! ([`Code`]): a `dr::Instruction` for each would cost an allocation and 80 bytes that live until
//! assembly only.

mod body;
mod capabilities;
mod code;
mod declarations;
mod optional_id;
mod types;

use std::sync::OnceLock;

use rspirv::dr::{self, Operand};
use rspirv::grammar;
use rspirv::spirv::{ExecutionMode, Op, Word};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::error::VerifyRule;
use crate::target::Target;
use capabilities::Capabilities;
use code::{Code, operand_words};
pub(crate) use optional_id::OptionalId;

/// Operands of a deduplicated type or constant, as raw words: opcode, result type, operands.
type Key = SmallVec<[Word; 10]>;

/// Ids that are requested so often that hashing their operands each time would show.
#[derive(Default)]
struct Common {
    bool_ty: OptionalId,
    u32_ty: OptionalId,
    f32_ty: OptionalId,
    /// Unsigned constants from 0 on.
    small: [OptionalId; 16],
}

/// Builds one SPIR-V module.
pub(crate) struct Builder {
    /// The declarations so far; its list of functions stays empty, their words are in `code`.
    module: dr::Module,
    /// Capabilities and extensions, collected from use.
    pub(crate) caps: Capabilities,
    /// Execution modes of the entry point, in the order in which they were requested.
    execution_modes: Vec<(ExecutionMode, SmallVec<[Word; 3]>)>,
    next_id: Word,
    dedup: FxHashMap<Key, Word>,
    glsl: Option<Word>,
    /// The types and constants that nearly every instruction uses; 0 if not declared yet.
    common: Common,
    /// The functions, the one under construction last.
    code: Code,
    /// `OpVariable`s of the function under construction; they go to the start of its first block.
    locals: Code,
    /// Number of functions and of blocks begun so far.
    functions: usize,
    blocks: usize,
    /// Start of the first block of the function under construction.
    entry: usize,
}

/// Initial capacity for the words of function bodies: the mean shader of the corpus has 740.
const CODE_WORDS: usize = 1024;
/// Initial capacity for types, constants and variables: the mean shader has 30.
const DECLARATIONS: usize = 40;
/// Initial capacity for decorations: the mean shader has 11.
const DECORATIONS: usize = 16;

fn class(op: Op) -> &'static grammar::Instruction<'static> {
    static TABLE: OnceLock<Vec<&'static grammar::Instruction<'static>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut by_code = Vec::new();
        for inst in grammar::INSTRUCTION_TABLE.iter() {
            let code = inst.opcode as usize;
            if by_code.len() <= code {
                by_code.resize(code + 1, grammar::INSTRUCTION_TABLE.get(Op::Nop));
            }
            by_code[code] = inst;
        }
        by_code
    });
    table.get(op as usize).copied().unwrap_or(table[0])
}

/// Returns an instruction from its parts.
fn inst(
    op: Op,
    result_type: Option<Word>,
    result_id: Option<Word>,
    operands: Vec<Operand>,
) -> dr::Instruction {
    dr::Instruction {
        class: class(op),
        result_type,
        result_id,
        operands,
    }
}

/// Returns a few ids as operands.
fn id_list(ids: &[Word]) -> SmallVec<[Operand; 4]> {
    ids.iter().map(|&id| Operand::IdRef(id)).collect()
}

/// Ids as operands.
pub(crate) fn ids(ids: &[Word]) -> Vec<Operand> {
    ids.iter().map(|&id| Operand::IdRef(id)).collect()
}

impl Builder {
    pub(crate) fn new(target: Target) -> Self {
        let mut module = dr::Module::new();
        module.types_global_values.reserve(DECLARATIONS);
        module.annotations.reserve(DECORATIONS);
        Self {
            module,
            caps: Capabilities::new(target),
            execution_modes: Vec::new(),
            next_id: 1,
            dedup: FxHashMap::with_capacity_and_hasher(DECLARATIONS, FxBuildHasher),
            glsl: None,
            common: Common::default(),
            code: Code::with_capacity(CODE_WORDS),
            locals: Code::default(),
            functions: 0,
            blocks: 0,
            entry: 0,
        }
    }

    /// Returns a fresh id.
    pub(crate) fn id(&mut self) -> Word {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Completes header, capabilities, extensions, memory model, and assembles the module.
    ///
    /// # Errors
    /// An instruction does not fit in the format.
    pub(crate) fn finish(mut self) -> Result<Vec<Word>, VerifyRule> {
        let mut header = dr::ModuleHeader::new(self.next_id);
        let (major, minor) = self.caps.target().spirv_version();
        header.set_version(major, minor);
        self.caps.declare(&mut self.module);
        // A guess: most declarations have four words or less, names more.
        let declarations = self
            .module
            .global_inst_iter()
            .map(|inst| inst.operands.len() + 5)
            .sum::<usize>();
        let mut module = Code::with_capacity(declarations + self.code.position() + 5);
        module.raw(&[header.magic_number, header.version, 0, header.bound, 0]);
        for inst in self.module.global_inst_iter() {
            module.push(
                inst.class.opcode,
                inst.result_type,
                inst.result_id,
                &inst.operands,
            );
        }
        module.append(self.code);
        module.finish()
    }
}

#[cfg(test)]
mod tests {
    use rspirv::spirv;

    use super::Builder;
    use crate::target::Target;

    #[test]
    fn types_and_constants_are_shared() {
        let mut b = Builder::new(Target::Vulkan1_3);
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
