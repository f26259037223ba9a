//! Our own verifier: checks the words of a finished module against the rules of SPIR-V that
//! emission could break, from the words alone.
//!
//! Instructions match their opcodes and are in the order of sections, ids are defined once and
//! before use, definitions dominate uses, blocks and merge instructions form structured control
//! flow ([`trellis_structurizer::verify::verify_cfg`]), phis match their predecessors, the types of
//! the common instructions fit, declared types have their capabilities, the entry point lists its
//! interface, and ray tracing stages have what is theirs. Source: SPIR-V 1.6, sections 2.3
//! (physical layout), 2.4 (logical layout), 2.16 (validation), 3.52 (instructions).
//!
//! It never trusts emission: a module that fails is reported as a bug of Trellis and never
//! returned.

mod debug_info;
mod flow;
mod hit_objects;
mod mesh;
mod module;
mod payloads;
mod ray_tracing;
mod read;
mod rules;
mod stages;
mod types;

use std::mem::take;

use rspirv::spirv::{AddressingModel, MAGIC_NUMBER, Op, Word};
use smallvec::SmallVec;
use trellis_entity::{EntityRange, PrimaryMap, entity_impl};
use trellis_structurizer::verify::Position;

use crate::error::{InstructionLocation, VerifyError, VerifyRule};
use crate::recycle::{emptied, recycled};
use module::HEADER;
use read::{Inst, Reader};
use types::{Ty, Types};

/// In place of a block: defined at module level, or a function, so known everywhere.
const MODULE: Position = Position::from_u32(u32::MAX - 1);
/// In place of a block: a label or parameter, known in the whole of its function.
const EVERYWHERE: Position = Position::from_u32(u32::MAX - 2);

/// The definition of an id.
#[derive(Clone, Copy)]
struct Id {
    /// The first word of its definition; 0 without one.
    at: u32,
    /// The block in its function, [`MODULE`] or [`EVERYWHERE`].
    block: Position,
    /// Result type, 0 without one; of a label the number of its block.
    ty: Word,
    op: Op,
}

/// An instruction in [`Verifier::insts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct BodyInst(u32);
entity_impl!(BodyInst, "inst");

/// A block of a function.
#[derive(Clone, Copy)]
struct Block {
    /// The instructions after the label.
    insts: EntityRange<BodyInst>,
    /// True if there is a merge instruction before the terminator.
    merge: bool,
}

/// The words of a function, and its blocks by number in the module.
#[derive(Clone, Copy, Default)]
struct Range {
    start: u32,
    end: u32,
    blocks: (usize, usize),
}

/// The state of one verification.
struct Verifier<'a> {
    words: &'a [Word],
    reader: Reader,
    ids: Vec<Id>,
    types: Types,
    capabilities: SmallVec<[Word; 16]>,
    /// The addressing model.
    addressing: Word,
    /// The import of debug information; 0 without one.
    debug_set: Word,
    /// Module-level variables: id, storage class.
    variables: SmallVec<[(Word, Word); 16]>,
    /// Instructions before the declarations that refer to ids.
    forward: Vec<Inst<'a>>,
    /// Instructions of the blocks, without their labels.
    insts: PrimaryMap<BodyInst, Inst<'a>>,
    functions: Vec<Range>,
    blocks: Vec<Block>,
    /// The function at hand.
    function: Range,
}

/// A broken rule; boxed, so that results are small.
struct Failure(Box<VerifyError>);

impl From<VerifyRule> for Failure {
    fn from(rule: VerifyRule) -> Self {
        Self(Box::new(rule.into()))
    }
}

/// What a verification allocates, for the next module.
#[derive(Default)]
pub(crate) struct Buffers {
    ids: Vec<Id>,
    types: Types,
    insts: Vec<Inst<'static>>,
    forward: Vec<Inst<'static>>,
    functions: Vec<Range>,
    blocks: Vec<Block>,
    flow: flow::Buffers,
}

impl Buffers {
    /// Returns the bytes that it keeps.
    pub(crate) fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<Id>()
            + self.types.bytes()
            + (self.insts.capacity() + self.forward.capacity()) * size_of::<Inst<'static>>()
            + self.functions.capacity() * size_of::<Range>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.flow.bytes()
    }
}

/// Verifies the words of a module.
///
/// # Errors
///
/// Returns the first violated rule, and the instruction that breaks it.
pub(crate) fn verify(words: &[Word], buffers: &mut Buffers) -> Result<(), VerifyError> {
    verify_words(words, buffers).map_err(|error| {
        let mut error = *error.0;
        if let Some(at) = &mut error.at {
            at.function = function_at(words, at.word);
        }
        error
    })
}

/// Returns the id of the function that a word is in.
#[cold]
fn function_at(words: &[Word], word: u32) -> Option<Word> {
    let (mut at, mut function) = (HEADER as usize, None);
    while at <= word as usize {
        let inst = words.get(at..)?;
        match Op::from_u32(inst.first()? & 0xFFFF) {
            Some(Op::Function) => function = inst.get(2).copied(),
            Some(Op::FunctionEnd) if at < word as usize => function = None,
            _ => {}
        }
        at += (inst.first()? >> 16).max(1) as usize;
    }
    function
}

fn verify_words(words: &[Word], buffers: &mut Buffers) -> Result<(), Failure> {
    let [MAGIC_NUMBER, _, _, bound, 0, ..] = *words else {
        return Err(VerifyRule::Header.into());
    };
    // Ids are words of the module, and emission uses nearly all: more would be memory for nothing.
    if words.len() > u32::MAX as usize / 2 || bound as usize > words.len().saturating_mul(4) {
        return Err(VerifyRule::IdBound {
            bound,
            words: words.len(),
        }
        .into());
    }
    let unknown = Id {
        at: 0,
        block: MODULE,
        ty: 0,
        op: Op::Nop,
    };
    let mut ids = emptied(take(&mut buffers.ids));
    ids.resize(bound as usize, unknown);
    let mut types = take(&mut buffers.types);
    types.reset(bound);
    let mut insts: Vec<Inst<'_>> = recycled(take(&mut buffers.insts));
    // More than four words an instruction in nearly every shader.
    insts.reserve(words.len() / 4);
    let mut v = Verifier {
        words,
        reader: Reader::new(),
        ids,
        types,
        capabilities: SmallVec::new(),
        addressing: AddressingModel::Logical as Word,
        debug_set: 0,
        variables: SmallVec::new(),
        forward: recycled(take(&mut buffers.forward)),
        insts: insts.into(),
        functions: emptied(take(&mut buffers.functions)),
        blocks: emptied(take(&mut buffers.blocks)),
        function: Range::default(),
    };
    v.run(&mut buffers.flow)?;
    buffers.ids = v.ids;
    buffers.types = v.types;
    buffers.insts = recycled(v.insts.into());
    buffers.forward = recycled(v.forward);
    buffers.functions = v.functions;
    buffers.blocks = v.blocks;
    Ok(())
}

impl<'a> Verifier<'a> {
    /// Checks everything.
    fn run(&mut self, flow: &mut flow::Buffers) -> Result<(), Failure> {
        let functions = self.module_level()?;
        self.functions(functions)?;
        for index in 0..self.functions.len() {
            self.function_body(index, flow)?;
        }
        self.references()?;
        self.mesh_shading()?;
        self.ray_tracing()?;
        self.node_payloads()?;
        self.vertex_stages()
    }

    /// Returns the instruction at a word.
    fn read(&self, at: u32) -> Result<Inst<'a>, Failure> {
        self.read_next(at)
    }

    /// As [`Verifier::read`], for the loops over all instructions.
    #[inline(always)]
    fn read_next(&self, at: u32) -> Result<Inst<'a>, Failure> {
        let mut inst = self.reader.read(self.words, at)?;
        if inst.op() == Op::Switch && self.types.get(self.type_of(inst.operands[0])) == Ty::Int(64)
        {
            inst.literal = 2;
        }
        Ok(inst)
    }

    /// Enters the result of an instruction.
    #[inline]
    fn define(&mut self, inst: &Inst<'_>, block: Position) -> Result<(), Failure> {
        let id = inst.result;
        if id == 0 {
            return Ok(());
        }
        let Some(slot) = self.ids.get_mut(id as usize) else {
            return Err(broken(inst, VerifyRule::IdNotBelowBound { id }));
        };
        if slot.at != 0 {
            return Err(broken(inst, VerifyRule::DefinedTwice { id }));
        }
        *slot = Id {
            at: inst.at,
            block,
            ty: inst.result_type,
            op: inst.op(),
        };
        Ok(())
    }

    #[inline]
    fn id(&self, id: Word) -> Option<&Id> {
        self.ids.get(id as usize).filter(|i| i.at != 0)
    }

    /// Returns the type of a value.
    fn type_of(&self, id: Word) -> Word {
        self.id(id)
            .filter(|i| i.op != Op::Label)
            .map_or(0, |i| i.ty)
    }

    /// Returns operand `index`, which is an id.
    fn operand(inst: &Inst<'_>, index: usize) -> Result<Word, Failure> {
        inst.operands
            .get(index)
            .copied()
            .ok_or_else(|| broken(inst, VerifyRule::MissingOperand { operand: index }))
    }
}

/// Returns the error of an instruction that breaks a rule.
#[cold]
fn broken(inst: &Inst<'_>, rule: VerifyRule) -> Failure {
    let at = InstructionLocation::new(inst.at, show(inst));
    Failure(Box::new(VerifyError::of_instruction(rule, at)))
}

/// Returns an instruction as text, for failures.
#[cold]
fn show(inst: &Inst<'_>) -> String {
    let mut text = String::new();
    if inst.result != 0 {
        text.push_str(&format!("%{} = ", inst.result));
    }
    text.push_str(&format!("Op{:?}", inst.op()));
    for id in inst.ids().take(8) {
        text.push_str(&format!(" %{id}"));
    }
    text
}

#[cfg(test)]
mod tests;
