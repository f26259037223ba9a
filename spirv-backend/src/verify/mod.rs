//! Our own verifier: checks the words of a finished module against the rules of SPIR-V that
//! emission could break, from the words alone.
//!
//! Instructions match their opcodes and are in the order of sections, ids are defined once and
//! before use, definitions dominate uses, blocks and merge instructions form structured control
//! flow ([`trellis_structurizer::verify::verify_cfg`]), phis match their predecessors, the types of
//! the common instructions fit, declared types have their capabilities, the entry point lists its
//! interface, and ray tracing instructions are in ray tracing stages. Source: SPIR-V 1.6, sections
//! 2.3 (physical layout), 2.4 (logical layout), 2.16 (validation), 3.52 (instructions).
//!
//! Each word is read once: [`blocks`] checks an instruction when it reads it, as most operands are
//! defined in the same block or at module level.
//!
//! It never trusts emission: a module that fails is reported as a bug of Trellis and never
//! returned.

mod blocks;
mod debug_info;
mod decorations;
mod flow;
mod forms;
mod layout;
mod module;
mod payloads;
mod ray_tracing;
mod read;
mod rules;
mod stages;
mod types;

use rspirv::spirv::{AddressingModel, MAGIC_NUMBER, Op, Word};
use smallvec::SmallVec;
use trellis_structurizer::verify::Position;

use crate::error::{InstructionLocation, VerifyError, VerifyRule};
pub(crate) use layout::is_terminator;
use module::HEADER;
use read::{Inst, Reader};
use types::{Shape, Ty, Types};

/// Where an id is defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DefinedIn(u32);

impl DefinedIn {
    /// Nowhere so far.
    const UNKNOWN: Self = Self(0);
    /// At module level, or it is a function, so known everywhere.
    const MODULE: Self = Self(1);
    /// A label or parameter, known in the whole of its function.
    const FUNCTION: Self = Self(2);

    /// Block `number` of the module.
    fn block(number: u32) -> Self {
        Self(number + 3)
    }
}

/// The definition of an id. All bits are zero for an id without one, and it is small: the list of all
/// ids is emptied for each module.
#[derive(Clone, Copy)]
struct Id {
    /// The first word of its definition; 0 without one.
    at: u32,
    place: DefinedIn,
    /// Result type, 0 without one; of a label the number of its block.
    ty: Word,
    opcode: u16,
    /// Of a value the shape of its type, of a type its own.
    shape: Shape,
}

impl Id {
    /// Returns true if an instruction with that opcode defines the id.
    fn is(&self, op: Op) -> bool {
        u32::from(self.opcode) == op as u32
    }

    /// Returns the opcode of the instruction that defines the id.
    fn op(&self) -> Op {
        Op::from_u32(self.opcode.into()).unwrap_or(Op::Nop)
    }
}

/// An instruction that is checked when its function is read to the end.
#[derive(Clone, Copy)]
struct Later {
    at: u32,
    /// The number of its block in the function.
    block: u32,
}

/// A use of a value of another block, which must dominate.
#[derive(Clone, Copy)]
struct Cross {
    from: Position,
    to: Position,
    /// The first instruction that uses a value so.
    at: u32,
}

/// A function.
#[derive(Clone, Copy, Default)]
struct Function {
    /// Its first word.
    start: u32,
    /// The result type.
    returned: Word,
    /// The first of its blocks, of all in the module.
    first_block: u32,
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
    /// The sources of debug information by id: the length of each line, and the last byte.
    sources: Vec<(Word, Vec<u32>, u8)>,
    /// Module-level variables: id, storage class.
    variables: SmallVec<[(Word, Word); 16]>,
    /// The words of entry points, execution modes, names and decorations.
    forward: (u32, u32),
    /// Their ids, each with its instruction: definitions come later.
    references: Vec<(Word, u32)>,
    /// The execution models of the entry points.
    models: SmallVec<[Word; 1]>,
    /// The same as a set.
    stages: forms::Stages,
    /// Calls, whose functions may come later.
    calls: Vec<u32>,
    /// The current function, and the checks at its end.
    function: Function,
    later: Vec<Later>,
    crosses: Vec<Cross>,
    /// The word where the functions start.
    functions: u32,
}

/// A broken rule; boxed, so that results are small.
struct Failure(Box<VerifyError>);

impl From<VerifyRule> for Failure {
    fn from(rule: VerifyRule) -> Self {
        Self(Box::new(rule.into()))
    }
}

/// Verifies the words of a module.
///
/// # Errors
///
/// Returns the first violated rule, and the instruction that breaks it.
pub(crate) fn verify(words: &[Word]) -> Result<(), VerifyError> {
    verify_words(words).map_err(|error| {
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

fn verify_words(words: &[Word]) -> Result<(), Failure> {
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
        place: DefinedIn::UNKNOWN,
        ty: 0,
        opcode: 0,
        shape: Shape::NONE,
    };
    // About the number of blocks in modules.
    let few = words.len() / 32;
    let mut v = Verifier {
        words,
        reader: Reader::new(),
        ids: vec![unknown; bound as usize],
        types: Types::new(bound),
        capabilities: SmallVec::new(),
        addressing: AddressingModel::Logical as Word,
        debug_set: 0,
        sources: Vec::new(),
        variables: SmallVec::new(),
        forward: (HEADER, HEADER),
        references: Vec::with_capacity(few),
        models: SmallVec::new(),
        stages: 0,
        calls: Vec::new(),
        function: Function::default(),
        later: Vec::with_capacity(few),
        crosses: Vec::with_capacity(few),
        functions: 0,
    };
    v.run()
}

impl<'a> Verifier<'a> {
    /// Checks everything.
    fn run(&mut self) -> Result<(), Failure> {
        self.functions = self.module_level()?;
        self.functions()?;
        self.references()?;
        self.decorations().no_repetition()?;
        self.ray_tracing()?;
        self.node_payloads()?;
        self.stage_rules()
    }

    /// Returns the instruction at a word.
    fn read(&self, at: u32) -> Result<Inst<'a>, Failure> {
        let mut inst = self.reader.read(self.words, at)?;
        if inst.op() == Op::Switch && self.types.get(self.type_of(inst.operands[0])) == Ty::Int(64)
        {
            inst.literal = 2;
        }
        Ok(inst)
    }

    /// Returns the instructions that may refer forward: entry points, execution modes, names,
    /// decorations.
    fn forward(&self) -> impl Iterator<Item = Inst<'a>> {
        let (mut at, end) = self.forward;
        std::iter::from_fn(move || {
            let inst = (at < end).then(|| self.read(at).ok()).flatten()?;
            at = inst.next;
            Some(inst)
        })
    }

    /// Enters the result of an instruction.
    fn define(&mut self, inst: &Inst<'_>, place: DefinedIn) -> Result<(), Failure> {
        let shape = match self.ids.get(inst.result_type as usize) {
            Some(ty) => ty.shape.of_value(),
            None => Shape::NONE,
        };
        let id = Id {
            at: inst.at,
            place,
            ty: inst.result_type,
            opcode: inst.op() as u16,
            shape,
        };
        self.enter(inst.result, id)
    }

    /// Enters an id, unless it is 0.
    #[inline(always)]
    fn enter(&mut self, id: Word, data: Id) -> Result<(), Failure> {
        match self.ids.get_mut(id as usize) {
            Some(slot) if slot.at == 0 && id != 0 => {
                *slot = data;
                Ok(())
            }
            _ if id == 0 => Ok(()),
            Some(_) => Err(self.broken_at(data.at, VerifyRule::DefinedTwice { id })),
            None => Err(self.broken_at(data.at, VerifyRule::IdNotBelowBound { id })),
        }
    }

    /// Returns the error of the instruction at a word that breaks a rule.
    #[cold]
    fn broken_at(&self, at: u32, rule: VerifyRule) -> Failure {
        match self.read(at) {
            Ok(inst) => broken(&inst, rule),
            Err(failure) => failure,
        }
    }

    #[inline]
    fn id(&self, id: Word) -> Option<&Id> {
        self.ids.get(id as usize).filter(|i| i.at != 0)
    }

    /// Returns the type of a value.
    fn type_of(&self, id: Word) -> Word {
        self.id(id).filter(|i| !i.is(Op::Label)).map_or(0, |i| i.ty)
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
