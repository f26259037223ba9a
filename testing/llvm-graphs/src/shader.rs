//! A structured program as a compute shader: each invocation of one workgroup runs it on its own
//! input and writes its trace.
//!
//! Descriptors of set 0: binding 0 holds [`INPUTS`] words per invocation, binding 1
//! [`Layout::stride`] words per invocation: whether the invocation returned (1), the returned
//! value, the number of its events and their [`digest`](crate::evaluate::digest), then id and value
//! of each if the layout keeps them. Integers of other widths than 1, 32 and 64 live in the next
//! wider ones, zero-extended.

mod arithmetic;
mod trace;

use std::collections::BTreeMap;

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Error as BuildError, Operand};
use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel,
    FunctionControl, LoopControl, MemoryModel, SelectionControl, StorageClass, Word,
};
use thiserror::Error;
use trellis_structurizer::ir::{Block, Inst, InstKind, SelectorOp, Terminator, Value, ValueKind};
use trellis_structurizer::{Merge, Structured};

use crate::program::{INPUTS, Op, Program, width};

/// Words of an invocation's trace before its events.
pub const HEAD: u32 = 4;

/// The sizes of a shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Invocations of the one workgroup.
    pub lanes: u32,
    /// Number of events of an invocation that are kept. With 0 only their digest is kept, which
    /// software devices compile much faster.
    pub events: u32,
}

impl Layout {
    /// Returns the number of words that an invocation writes. All events that do not fit are
    /// written to the slot after the last one.
    pub fn stride(self) -> u32 {
        if self.events == 0 {
            HEAD
        } else {
            HEAD + 2 * (self.events + 1)
        }
    }
}

/// An error of [`shader`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The graph has an instruction or a value that is not an integer.
    #[error("{block} has an instruction without a form in SPIR-V here: {what}")]
    Unsupported {
        /// The block.
        block: Block,
        /// The instruction.
        what: &'static str,
    },
    /// An instruction lacks an operand, or a block its terminator.
    #[error("{block} is not well formed: {what}")]
    Malformed {
        /// The block.
        block: Block,
        /// The missing part.
        what: &'static str,
    },
    /// The instructions do not make a module.
    #[error("building the module: {0}")]
    Build(#[from] BuildError),
}

/// The ids of the module that the function's instructions use.
struct Module {
    void: Word,
    bool: Word,
    word: Word,
    input: Word,
    element: Word,
    event: Word,
    finish: Word,
}

/// The module's variables.
struct Variables {
    /// The invocation's index.
    index: Word,
    /// The buffer of traces.
    trace: Word,
    /// Number of the invocation's events.
    seen: Word,
    /// Their digest.
    digest: Word,
}

struct Emitter<'a> {
    b: Builder,
    program: &'a Program,
    structured: &'a Structured,
    module: Module,
    /// The invocation's first input element.
    base: Word,
    constants: BTreeMap<(Word, u64), Word>,
    undefs: BTreeMap<Word, Word>,
    long: Option<Word>,
    values: Vec<Option<Word>>,
    blocks: Vec<Word>,
}

/// Returns the shader's words.
///
/// # Errors
/// See [`enum@Error`].
pub fn shader(
    program: &Program,
    structured: &Structured,
    layout: Layout,
) -> Result<Vec<u32>, Error> {
    let mut b = Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let bool = b.type_bool();
    let word = b.type_int(32, 0);
    let void = b.type_void();
    let long = if has_long(structured) {
        b.capability(Capability::Int64);
        Some(b.type_int(64, 0))
    } else {
        None
    };
    let module = Module {
        void,
        bool,
        word,
        input: 0,
        element: 0,
        event: 0,
        finish: 0,
    };
    let blocks = structured.func.blocks().map(|_| b.id()).collect();
    let values = vec![None; structured.func.num_values()];
    let mut emitter = Emitter {
        b,
        program,
        structured,
        module,
        base: 0,
        constants: BTreeMap::new(),
        undefs: BTreeMap::new(),
        long,
        values,
        blocks,
    };
    emitter.module(layout)?;
    Ok(emitter.b.module().assemble())
}

fn has_long(structured: &Structured) -> bool {
    let func = &structured.func;
    func.values()
        .any(|value| width(func.value_type(value)).is_some_and(|width| width > 32))
}

impl Emitter<'_> {
    /// Returns an integer constant of a type.
    fn constant(&mut self, ty: Word, value: u64) -> Word {
        if let Some(&id) = self.constants.get(&(ty, value)) {
            return id;
        }
        let id = if Some(ty) == self.long {
            self.b.constant_bit64(ty, value)
        } else if ty == self.module.bool {
            if value != 0 {
                self.b.constant_true(ty)
            } else {
                self.b.constant_false(ty)
            }
        } else {
            self.b.constant_bit32(ty, value as u32)
        };
        self.constants.insert((ty, value), id);
        id
    }

    fn word(&mut self, value: u32) -> Word {
        self.constant(self.module.word, u64::from(value))
    }

    /// Returns the type that holds integers of `width` bits.
    fn holder(&self, width: u32) -> Word {
        match (width, self.long) {
            (1, _) => self.module.bool,
            (33.., Some(long)) => long,
            _ => self.module.word,
        }
    }

    fn module(&mut self, layout: Layout) -> Result<(), Error> {
        let Module { void, word, .. } = self.module;
        let in_pointer = self.b.type_pointer(None, StorageClass::Input, word);
        let index = self.b.variable(in_pointer, None, StorageClass::Input, None);
        self.b.decorate(
            index,
            Decoration::BuiltIn,
            [Operand::BuiltIn(BuiltIn::LocalInvocationIndex)],
        );
        let ([input, trace], element) = self.buffers();
        (self.module.input, self.module.element) = (input, element);
        let private = self.b.type_pointer(None, StorageClass::Private, word);
        let zero = self.word(0);
        let mut variable = || {
            self.b
                .variable(private, None, StorageClass::Private, Some(zero))
        };
        let (seen, digest) = (variable(), variable());
        let variables = Variables {
            index,
            trace,
            seen,
            digest,
        };
        self.event_function(&variables, layout)?;
        self.finish_function(&variables, layout)?;
        let signature = self.b.type_function(void, []);
        let main = self
            .b
            .begin_function(void, None, FunctionControl::NONE, signature)?;
        self.b.begin_block(None)?;
        let lane = self.b.load(word, None, index, None, [])?;
        let inputs = self.word(INPUTS as u32);
        self.base = self.b.i_mul(word, None, lane, inputs)?;
        self.number();
        let order = &self.structured.order;
        let entry = order.first().map(|&block| self.label(block));
        self.b.branch(entry.ok_or(BuildError::DetachedBlock)?)?;
        for &block in order {
            self.block(block)?;
        }
        self.b.end_function()?;
        self.b
            .entry_point(ExecutionModel::GLCompute, main, "main", [index]);
        self.b
            .execution_mode(main, ExecutionMode::LocalSize, [layout.lanes, 1, 1]);
        Ok(())
    }

    /// Reserves an id for each value that an instruction or a phi defines, since phis refer to
    /// later ones.
    fn number(&mut self) {
        let func = &self.structured.func;
        for value in func.values() {
            if matches!(
                func.value_kind(value),
                ValueKind::Phi(_) | ValueKind::Result { .. }
            ) {
                self.values[value.as_u32() as usize] = Some(self.b.id());
            }
        }
    }

    fn label(&self, block: Block) -> Word {
        self.blocks[block.as_u32() as usize]
    }

    /// Returns the type and width of a value.
    fn type_of(&self, block: Block, value: Value) -> Result<(Word, u32), Error> {
        let width = width(self.structured.func.value_type(value)).ok_or(Error::Unsupported {
            block,
            what: "a value that is not an integer",
        })?;
        Ok((self.holder(width), width))
    }

    /// Returns the id of a value.
    fn get(&mut self, block: Block, value: Value) -> Result<Word, Error> {
        if let Some(id) = self.values[value.as_u32() as usize] {
            return Ok(id);
        }
        let (ty, _) = self.type_of(block, value)?;
        Ok(match self.structured.func.value_kind(value) {
            ValueKind::Constant { payload } => {
                let number = self
                    .program
                    .constants
                    .get(payload as usize)
                    .copied()
                    .unwrap_or(0);
                self.constant(ty, number)
            }
            ValueKind::SelectorConstant(number) => self.word(number),
            ValueKind::BoolConstant(is_true) => self.constant(ty, u64::from(is_true)),
            _ => match self.undefs.get(&ty) {
                Some(&id) => id,
                None => {
                    // Among the module's constants, so that it is defined everywhere.
                    let id = self.b.id();
                    let undef =
                        rspirv::dr::Instruction::new(spirv::Op::Undef, Some(ty), Some(id), vec![]);
                    self.b.module_mut().types_global_values.push(undef);
                    self.undefs.insert(ty, id);
                    id
                }
            },
        })
    }

    fn block(&mut self, block: Block) -> Result<(), Error> {
        let func = &self.structured.func;
        self.b.begin_block(Some(self.label(block)))?;
        for phi in func.phis(block) {
            let (ty, _) = self.type_of(block, phi)?;
            let mut operands = Vec::new();
            for operand in func.phi_operands(phi) {
                operands.push((self.get(block, operand.value)?, self.label(operand.pred)));
            }
            let id = self.get(block, phi)?;
            self.b.phi(ty, Some(id), operands)?;
        }
        for inst in func.insts(block) {
            self.inst(block, inst)?;
        }
        self.end(block)
    }

    fn inst(&mut self, block: Block, inst: Inst) -> Result<(), Error> {
        let (program, func) = (self.program, &self.structured.func);
        let mut uses = Vec::new();
        for &value in func.uses(inst) {
            uses.push((self.get(block, value)?, self.type_of(block, value)?.1));
        }
        let results: Vec<Value> = func.results(inst).collect();
        let malformed = |what| Error::Malformed { block, what };
        let payload = match func.inst_kind(inst) {
            InstKind::Client(payload) => payload,
            InstKind::SelectorTest { .. } => return self.test(block, inst, &uses),
            InstKind::Select => {
                let (&[(condition, _), (then, _), (else_, _)], &[result]) =
                    (&uses[..], &results[..])
                else {
                    return Err(malformed("an operand"));
                };
                let (ty, _) = self.type_of(block, result)?;
                let id = self.get(block, result)?;
                self.b.select(ty, Some(id), condition, then, else_)?;
                return Ok(());
            }
        };
        let op = program
            .ops
            .get(payload as usize)
            .ok_or(malformed("an operation"))?;
        if let (Op::Event, &[(id, _), (value, _)]) = (op, &uses[..]) {
            self.b
                .function_call(self.module.void, None, self.module.event, [id, value])?;
            return Ok(());
        }
        let &[result] = &results[..] else {
            return Err(malformed("a result"));
        };
        let (ty, width) = self.type_of(block, result)?;
        let id = self.get(block, result)?;
        match (op, &uses[..]) {
            (Op::Binary(op), &[(a, _), (b, _)]) => {
                let value = self.binary(*op, a, b, width)?;
                self.b.copy_object(ty, Some(id), value)?;
            }
            (Op::Compare(predicate), &[(a, width), (b, _)]) => {
                let value = self.compare(*predicate, a, b, width)?;
                self.b.copy_object(ty, Some(id), value)?;
            }
            (Op::Select, &[(condition, _), (then, _), (else_, _)]) => {
                self.b.select(ty, Some(id), condition, then, else_)?;
            }
            (Op::ZeroExtend, &[(value, from)]) => {
                let value = self.zero_extend(value, from, width)?;
                self.b.copy_object(ty, Some(id), value)?;
            }
            (Op::SignExtend, &[(value, from)]) => {
                let value = self.sign_extend(value, from, width)?;
                self.b.copy_object(ty, Some(id), value)?;
            }
            (Op::Copy, &[(value, _)]) => {
                self.b.copy_object(ty, Some(id), value)?;
            }
            (Op::Element, &[(pointer, _), (number, from)]) => {
                let number = if from > 32 {
                    self.zero_extend(number, from, 32)?
                } else {
                    self.sign_extend(number, from, 32)?
                };
                self.b.i_add(ty, Some(id), pointer, number)?;
            }
            (Op::Load, &[(pointer, _)]) => {
                // Each invocation reads its own elements only.
                let (last, zero) = (self.word(INPUTS as u32 - 1), self.word(0));
                let element = self.b.bitwise_and(self.module.word, None, pointer, last)?;
                let at = self.b.i_add(self.module.word, None, self.base, element)?;
                let place = self.b.access_chain(
                    self.module.element,
                    None,
                    self.module.input,
                    [zero, at],
                )?;
                self.b.load(ty, Some(id), place, None, [])?;
            }
            (Op::Opaque(what), _) => return Err(Error::Unsupported { block, what }),
            (Op::Call(_), _) => {
                return Err(Error::Unsupported {
                    block,
                    what: "a call",
                });
            }
            _ => return Err(malformed("an operand")),
        }
        Ok(())
    }

    /// Emits a selector test of the structurizer.
    fn test(&mut self, block: Block, inst: Inst, uses: &[(Word, u32)]) -> Result<(), Error> {
        let func = &self.structured.func;
        let InstKind::SelectorTest { op, constant } = func.inst_kind(inst) else {
            return Ok(());
        };
        let &[(selector, _)] = uses else {
            return Err(Error::Malformed {
                block,
                what: "an operand",
            });
        };
        let constant = self.word(constant);
        let results: Vec<Value> = func.results(inst).collect();
        for result in results {
            let id = self.get(block, result)?;
            match op {
                SelectorOp::LessEqual => {
                    self.b
                        .u_less_than_equal(self.module.bool, Some(id), selector, constant)?
                }
                SelectorOp::Equal => {
                    self.b
                        .i_equal(self.module.bool, Some(id), selector, constant)?
                }
            };
        }
        Ok(())
    }

    /// Merge instruction and terminator. Hints are omitted, since they do not affect the
    /// comparison.
    fn end(&mut self, block: Block) -> Result<(), Error> {
        let func = &self.structured.func;
        let terminator = func.terminator(block).ok_or(Error::Malformed {
            block,
            what: "a terminator",
        })?;
        // The operands of the terminator are emitted before the merge instruction.
        let value = terminator
            .value()
            .map(|value| Ok::<_, Error>((self.get(block, value)?, self.type_of(block, value)?.1)))
            .transpose()?;
        let word = match (terminator, value) {
            (Terminator::Switch { .. }, Some((value, 1))) => self.zero_extend(value, 1, 32)?,
            (Terminator::Return(_), Some((value, from))) => self.zero_extend(value, from, 32)?,
            (Terminator::Return(_), None) => self.word(0),
            (_, Some((value, _))) => value,
            (_, None) => 0,
        };
        if let Terminator::Return(_) = terminator {
            self.b
                .function_call(self.module.void, None, self.module.finish, [word])?;
        }
        match self.structured.merges[block] {
            Merge::None => {}
            Merge::Selection { merge, .. } => self
                .b
                .selection_merge(self.label(merge), SelectionControl::NONE)?,
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => self.b.loop_merge(
                self.label(merge),
                self.label(continue_target),
                LoopControl::NONE,
                [],
            )?,
        }
        match terminator {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => {
                self.b.branch(self.label(to))?;
            }
            Terminator::CondBranch { then, else_, .. } => {
                self.b
                    .branch_conditional(word, self.label(then), self.label(else_), [])?;
            }
            Terminator::Switch { default, cases, .. } => {
                let long = value.is_some_and(|(_, width)| width > 32);
                let literal = |number: u64| {
                    if long {
                        Operand::LiteralBit64(number)
                    } else {
                        Operand::LiteralBit32(number as u32)
                    }
                };
                let targets: Vec<_> = func
                    .cases(cases)
                    .iter()
                    .map(|case| (literal(case.literal), self.label(case.target)))
                    .collect();
                self.b.switch(word, self.label(default), targets)?;
            }
            Terminator::Return(_) | Terminator::Kill | Terminator::Exit(_) => self.b.ret()?,
            Terminator::Unreachable => self.b.unreachable()?,
        }
        Ok(())
    }
}
