//! The blocks and instructions of a function, and which words of an instruction are ids.

use std::ops::Range;

use rspirv::binary::{Assemble, Consumer, ParseAction, Parser};
use rspirv::dr;
use rspirv::spirv::{MAGIC_NUMBER, Op};
use rustc_hash::FxHashMap;

use crate::Error;
use crate::module::{Function, Module, Raw, instructions, name_of};

/// A function with blocks.
pub(crate) struct Body {
    /// The words of the function and of instructions that were made.
    pub(crate) words: Vec<u32>,
    /// Instructions before the first label.
    pub(crate) head: Range<usize>,
    /// The `OpFunctionEnd`.
    pub(crate) tail: Range<usize>,
    pub(crate) insts: Vec<Inst>,
    /// Of all instructions: the places of words that are ids.
    ids: Vec<u16>,
    pub(crate) blocks: Vec<Block>,
    /// The instructions that define variables, which the result has at the start of its first block.
    pub(crate) variables: Vec<usize>,
    /// The index of the block with each label.
    pub(crate) block_of: FxHashMap<u32, usize>,
    /// The instruction that defines each id.
    defined: FxHashMap<u32, usize>,
}

/// A block. Instructions are indices into [`Body::insts`].
pub(crate) struct Block {
    /// The `OpLabel`.
    pub(crate) label: u32,
    pub(crate) phis: Vec<usize>,
    /// Without phis, variables, lines, merge instruction and terminator.
    pub(crate) insts: Vec<usize>,
    pub(crate) merge: Option<usize>,
    pub(crate) terminator: usize,
}

/// An instruction of a block.
#[derive(Clone)]
pub(crate) struct Inst {
    pub(crate) words: Range<usize>,
    pub(crate) op: Op,
    pub(crate) ty: Option<u32>,
    pub(crate) result: Option<u32>,
    ids: Range<usize>,
    pub(crate) location: Location,
    /// The result that this one is a copy of.
    pub(crate) copy_of: Option<u32>,
}

/// The debug location of an instruction: the last `OpLine`, `DebugLine` and `DebugScope` of its
/// block before it, as indices into [`Body::insts`].
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Location {
    pub(crate) line: Option<usize>,
    pub(crate) debug_line: Option<usize>,
    pub(crate) scope: Option<usize>,
}

/// Numbers of the instructions of `NonSemantic.Shader.DebugInfo.100` and `OpenCL.DebugInfo.100`.
pub(crate) const DEBUG_SCOPE: u32 = 23;
pub(crate) const DEBUG_NO_SCOPE: u32 = 24;
pub(crate) const DEBUG_LINE: u32 = 103;
pub(crate) const DEBUG_NO_LINE: u32 = 104;

/// Collects the instructions that rspirv parses.
struct Parsed(Vec<dr::Instruction>);

impl Consumer for Parsed {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_header(&mut self, _: dr::ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_instruction(&mut self, inst: dr::Instruction) -> ParseAction {
        self.0.push(inst);
        ParseAction::Continue
    }
}

/// The state of the reader.
struct Reader<'a> {
    module: &'a Module<'a>,
    body: Body,
    open: Option<Block>,
    location: Location,
}

impl Body {
    /// Reads a function.
    pub(crate) fn read(module: &Module<'_>, function: &Function) -> Result<Self, Error> {
        let words = module.words[function.words.clone()].to_vec();
        let all: Vec<Raw<'_>> =
            instructions(module.words, function.words.clone()).collect::<Result<_, _>>()?;
        let first = all.iter().position(|inst| inst.is(Op::Label));
        let (head, blocks) = all.split_at(first.unwrap_or(all.len()));
        let start = function.words.start;
        let at = |inst: &Raw<'_>| inst.at - start;
        let no_end = Error::NoEnd {
            function: function.id,
        };
        let (Some(last), [inside @ .., _]) = (blocks.last(), blocks) else {
            return Err(no_end);
        };
        debug_assert!(!head.is_empty() && last.is(Op::FunctionEnd));
        let mut reader = Reader {
            module,
            body: Self {
                head: 0..blocks.first().map_or(0, at),
                tail: at(last)..words.len(),
                words,
                insts: Vec::new(),
                ids: Vec::new(),
                blocks: Vec::new(),
                variables: Vec::new(),
                block_of: FxHashMap::default(),
                defined: FxHashMap::default(),
            },
            open: None,
            location: Location::default(),
        };
        let mut parsed = parse(function.id, inside)?.into_iter();
        for &raw in inside {
            let known = if raw.is(Op::Switch) {
                None
            } else {
                parsed.next()
            };
            let inst = reader.body.add(raw, at(&raw), known)?;
            reader.read(raw, inst)?;
        }
        match reader.open {
            Some(_) => Err(no_end),
            None => Ok(reader.body),
        }
    }

    /// Returns the word at an offset of an instruction; 0, which is not an id, if there is none.
    pub(crate) fn word(&self, inst: usize, offset: usize) -> u32 {
        self.words_of(inst).get(offset).copied().unwrap_or(0)
    }

    pub(crate) fn words_of(&self, inst: usize) -> &[u32] {
        &self.words[self.insts[inst].words.clone()]
    }

    /// Returns the offsets of the ids that an instruction uses, without its type and result.
    pub(crate) fn id_offsets(&self, inst: usize) -> &[u16] {
        &self.ids[self.insts[inst].ids.clone()]
    }

    /// Returns the ids that an instruction uses.
    pub(crate) fn uses(&self, inst: usize) -> impl Iterator<Item = u32> {
        let words = self.words_of(inst);
        let offsets = self.id_offsets(inst).iter();
        offsets.map(move |&offset| words[usize::from(offset)])
    }

    /// Returns the labels that a terminator names.
    fn targets(&self, module: &Module<'_>, terminator: usize) -> Vec<u32> {
        let words = self.words_of(terminator);
        match self.insts[terminator].op {
            Op::Branch => words[1..2].to_vec(),
            Op::BranchConditional => words[2..4].to_vec(),
            Op::Switch => {
                let cases = self.cases(module, terminator);
                let cases = cases.into_iter().map(|case| case.1);
                std::iter::once(words[2]).chain(cases).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the instruction that defines an id in a block, variables apart: they are available in
    /// the whole function.
    pub(crate) fn local(&self, id: u32) -> Option<usize> {
        let inst = self.defined.get(&id).copied()?;
        (!is_variable(self.insts[inst].op)).then_some(inst)
    }

    /// Returns the type of a value; none if it is not defined.
    pub(crate) fn type_of(&self, module: &Module<'_>, id: u32) -> Option<u32> {
        match self.defined.get(&id) {
            Some(&inst) => self.insts[inst].ty,
            None => module.type_of.get(&id).copied(),
        }
    }

    /// Returns the successors of each block, by index.
    pub(crate) fn successors(&self, module: &Module<'_>) -> Result<Vec<Vec<usize>>, Error> {
        let index = |id: u32| self.block_of.get(&id).copied().ok_or(Error::NoBlock { id });
        let of = |block: &Block| {
            let targets = self.targets(module, block.terminator);
            targets.into_iter().map(index).collect()
        };
        self.blocks.iter().map(of).collect()
    }

    /// Returns the blocks that the entry reaches, in reverse post-order.
    pub(crate) fn reverse_post_order(successors: &[Vec<usize>]) -> Vec<usize> {
        let mut order = Vec::with_capacity(successors.len());
        let mut seen = vec![false; successors.len()];
        // Blocks, each with the number of successors that were visited.
        let mut stack = vec![(0, 0)];
        if let Some(entry) = seen.first_mut() {
            *entry = true;
        }
        while let Some((block, next)) = stack.last_mut() {
            let Some(&to) = successors.get(*block).and_then(|all| all.get(*next)) else {
                order.push(*block);
                stack.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[to], true) {
                stack.push((to, 0));
            }
        }
        order.reverse();
        order
    }

    /// Returns the width of a switch's literals in bits, and whether they are signed.
    pub(crate) fn selector(&self, module: &Module<'_>, switch: usize) -> (u32, bool) {
        let ty = self.type_of(module, self.word(switch, 1));
        ty.and_then(|ty| module.ty(ty).integer)
            .unwrap_or((32, false))
    }

    /// Returns the cases of a switch: the literal, zero-extended from its width, and the label.
    pub(crate) fn cases(&self, module: &Module<'_>, switch: usize) -> Vec<(u64, u32)> {
        let (width, _) = self.selector(module, switch);
        let words = &self.words_of(switch)[3..];
        let cut = |literal: u64| match width {
            0..64 => literal & ((1 << width) - 1),
            _ => literal,
        };
        if width > 32 {
            let cases = words.chunks_exact(3);
            let literal = |case: &[u32]| u64::from(case[0]) | u64::from(case[1]) << 32;
            cases.map(|case| (cut(literal(case)), case[2])).collect()
        } else {
            let cases = words.chunks_exact(2);
            cases
                .map(|case| (cut(u64::from(case[0])), case[1]))
                .collect()
        }
    }

    /// Adds an instruction that rspirv parsed; a switch, if it did not.
    fn add(
        &mut self,
        raw: Raw<'_>,
        at: usize,
        parsed: Option<dr::Instruction>,
    ) -> Result<usize, Error> {
        let start = self.ids.len();
        let layout = Error::Layout {
            name: name_of(raw.opcode),
            word: raw.at,
        };
        let (op, ty, result) = match parsed {
            Some(parsed) => {
                let results = [parsed.result_type, parsed.result_id];
                let mut offset = 1 + results.iter().flatten().count();
                let mut scratch = Vec::new();
                for operand in &parsed.operands {
                    if operand.id_ref_any().is_some() {
                        self.ids.push(offset as u16);
                    }
                    scratch.clear();
                    operand.assemble_into(&mut scratch);
                    offset += scratch.len();
                }
                if offset != raw.words.len() {
                    return Err(layout);
                }
                (parsed.class.opcode, parsed.result_type, parsed.result_id)
            }
            None if raw.words.len() < 3 => return Err(layout),
            None => {
                self.ids.push(1);
                (Op::Switch, None, None)
            }
        };
        if let Some(id) = result.filter(|_| op != Op::Label)
            && self.defined.insert(id, self.insts.len()).is_some()
        {
            return Err(Error::DefinedTwice { id });
        }
        self.insts.push(Inst {
            words: at..at + raw.words.len(),
            op,
            ty,
            result,
            ids: start..self.ids.len(),
            location: Location::default(),
            copy_of: None,
        });
        Ok(self.insts.len() - 1)
    }

    /// Adds a copy of an instruction with another result and other uses.
    pub(crate) fn copy(
        &mut self,
        inst: usize,
        result: u32,
        location: Location,
        uses: &[u32],
    ) -> usize {
        let of = self.insts[inst].clone();
        let start = self.words.len();
        self.words.extend_from_within(of.words.clone());
        self.words[start + 2] = result;
        for (&offset, &id) in self.ids[of.ids.clone()].iter().zip(uses) {
            self.words[start + usize::from(offset)] = id;
        }
        self.insts.push(Inst {
            words: start..self.words.len(),
            result: Some(result),
            location,
            copy_of: of.copy_of.or(of.result),
            ..of
        });
        self.defined.insert(result, self.insts.len() - 1);
        self.insts.len() - 1
    }

    /// Replaces the ids that an instruction uses.
    pub(crate) fn set_uses(&mut self, inst: usize, uses: &[u32]) {
        let Inst { words, ids, .. } = self.insts[inst].clone();
        for (&offset, &id) in self.ids[ids].iter().zip(uses) {
            self.words[words.start + usize::from(offset)] = id;
        }
    }
}

/// Parses the instructions of blocks but switches, whose literals need the types of the module. No
/// other instruction of a block needs more than its own words; those outside of blocks that do are
/// refused, as rspirv panics where they do not fit.
fn parse(function: u32, insts: &[Raw<'_>]) -> Result<Vec<dr::Instruction>, Error> {
    let mut stream = vec![MAGIC_NUMBER, 0x0001_0600, 0, 0, 0];
    for inst in insts.iter().filter(|inst| !inst.is(Op::Switch)) {
        if is_module_level(inst) {
            return Err(Error::Layout {
                name: name_of(inst.opcode),
                word: inst.at,
            });
        }
        stream.extend_from_slice(inst.words);
    }
    let bytes: Vec<u8> = stream.iter().flat_map(|word| word.to_le_bytes()).collect();
    drop(stream);
    let mut parsed = Parsed(Vec::with_capacity(insts.len()));
    match Parser::new(&bytes, &mut parsed).parse() {
        Ok(()) => Ok(parsed.0),
        Err(error) => Err(Error::Instruction {
            function,
            message: error.to_string(),
        }),
    }
}

/// Returns whether an instruction is one for outside of functions.
fn is_module_level(inst: &Raw<'_>) -> bool {
    let name = name_of(inst.opcode);
    let is = |prefix: &str| name.starts_with(prefix);
    is("Type")
        || is("Constant")
        || is("SpecConstant")
        || is("Decorate")
        || is("Function") && !inst.is(Op::FunctionCall)
}

impl Reader<'_> {
    /// Reads an instruction between the first label and the end of the function.
    fn read(&mut self, raw: Raw<'_>, inst: usize) -> Result<(), Error> {
        let bound = self.module.bound;
        let Inst { op, result, .. } = self.body.insts[inst];
        if let Some(id) = (self.body.uses(inst).chain(result)).find(|&id| id >= bound) {
            return Err(Error::Bound { id });
        }
        let layout = Error::Layout {
            name: name_of(raw.opcode),
            word: raw.at,
        };
        if self.read_location(raw, inst) {
            return Ok(());
        }
        self.body.insts[inst].location = self.location;
        match (&mut self.open, op) {
            (None, Op::Label) => {
                let label = raw.word(1);
                let index = self.body.blocks.len();
                if self.body.block_of.insert(label, index).is_some() {
                    return Err(Error::DefinedTwice { id: label });
                }
                self.open = Some(Block {
                    label,
                    phis: Vec::new(),
                    insts: Vec::new(),
                    merge: None,
                    terminator: 0,
                });
            }
            (None, _) | (Some(_), Op::Label) => return Err(layout),
            (Some(block), Op::Phi) => block.phis.push(inst),
            (Some(_), op) if is_variable(op) => self.body.variables.push(inst),
            (Some(block), Op::SelectionMerge | Op::LoopMerge) => block.merge = Some(inst),
            (Some(_), _) if is_terminator(op) => {
                let open = self.open.take();
                self.location = Location::default();
                self.body.blocks.extend(open.map(|block| Block {
                    terminator: inst,
                    ..block
                }));
            }
            (Some(block), _) => block.insts.push(inst),
        }
        Ok(())
    }

    /// Reads an instruction that only sets the location of those after it; returns false if it is
    /// another one.
    fn read_location(&mut self, raw: Raw<'_>, inst: usize) -> bool {
        let debug = match self.body.insts[inst].op {
            Op::ExtInst if self.module.debug_sets.contains(&raw.word(3)) => Some(raw.word(4)),
            _ => None,
        };
        let Location {
            line,
            debug_line,
            scope,
        } = &mut self.location;
        match (self.body.insts[inst].op, debug) {
            (Op::Line, _) => *line = Some(inst),
            (Op::NoLine, _) => *line = None,
            (_, Some(DEBUG_LINE)) => *debug_line = Some(inst),
            (_, Some(DEBUG_NO_LINE)) => *debug_line = None,
            (_, Some(DEBUG_SCOPE)) => *scope = Some(inst),
            (_, Some(DEBUG_NO_SCOPE)) => *scope = None,
            _ => return false,
        }
        true
    }
}

fn is_variable(op: Op) -> bool {
    matches!(op, Op::Variable | Op::UntypedVariableKHR)
}

/// Returns whether an instruction ends a block.
pub(crate) fn is_terminator(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Kill
            | Op::Unreachable
            | Op::TerminateInvocation
            | Op::IgnoreIntersectionKHR
            | Op::TerminateRayKHR
            | Op::EmitMeshTasksEXT
    )
}
