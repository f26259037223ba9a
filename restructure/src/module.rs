//! The words of a module as instructions, functions and types. Nothing is trusted: word counts are
//! checked before an instruction is read. Linear.

use std::ops::Range;
use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction, OperandKind};
use rspirv::spirv::{AddressingModel, Capability, MAGIC_NUMBER, Op, StorageClass};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Error;

/// Number of words of the header.
pub(crate) const HEADER: usize = 5;

/// A module.
pub(crate) struct Module<'a> {
    pub(crate) words: &'a [u32],
    /// The sections after the header, in order.
    pub(crate) sections: Vec<Section>,
    pub(crate) bound: u32,
    pub(crate) types: FxHashMap<u32, Type>,
    /// The types of values outside of blocks: constants, global variables, parameters.
    pub(crate) type_of: FxHashMap<u32, u32>,
    pub(crate) bool_type: Option<u32>,
    /// The type of unsigned integers of 32 bits.
    pub(crate) u32_type: Option<u32>,
    /// The instruction sets that have debug scopes and lines.
    pub(crate) debug_sets: FxHashSet<u32>,
    addressing: u32,
    has_variable_pointers: (bool, bool),
}

/// A part of a module.
pub(crate) enum Section {
    Function(Function),
    Other(Range<usize>),
}

/// A function, from `OpFunction` to `OpFunctionEnd`.
pub(crate) struct Function {
    pub(crate) id: u32,
    pub(crate) words: Range<usize>,
    /// False for a declaration of a function that is elsewhere.
    pub(crate) has_body: bool,
    /// False if there is nothing to structure.
    pub(crate) has_branches: bool,
}

/// A type, as far as structured control flow depends on it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Type {
    /// True if no phi may have it.
    pub(crate) no_phi: bool,
    /// Of an integer: its width, and whether it is signed.
    pub(crate) integer: Option<(u32, bool)>,
    /// Of a pointer.
    pub(crate) storage_class: Option<u32>,
}

/// An instruction: its opcode, and all of its words.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a> {
    pub(crate) at: usize,
    pub(crate) opcode: u32,
    pub(crate) words: &'a [u32],
}

impl Raw<'_> {
    pub(crate) fn is(&self, op: Op) -> bool {
        self.opcode == op as u32
    }

    /// Returns a word, or 0, which is not an id, where there are fewer.
    pub(crate) fn word(&self, index: usize) -> u32 {
        self.words.get(index).copied().unwrap_or(0)
    }

    /// Returns the ids of the result type and the result.
    pub(crate) fn result(&self) -> (Option<u32>, Option<u32>) {
        let operands = grammar(self.opcode).map_or(&[][..], |grammar| grammar.operands);
        let kind = |index: usize| operands.get(index).map(|operand| operand.kind);
        let id = |index: usize| self.words.get(index).copied();
        match (kind(0), kind(1)) {
            (Some(OperandKind::IdResultType), Some(OperandKind::IdResult)) => (id(1), id(2)),
            (Some(OperandKind::IdResult), _) => (None, id(1)),
            _ => (None, None),
        }
    }
}

/// Returns the grammar of an opcode. The table of rspirv is a list.
fn grammar(opcode: u32) -> Option<&'static Instruction<'static>> {
    static BY_OPCODE: LazyLock<FxHashMap<u32, &'static Instruction<'static>>> =
        LazyLock::new(|| {
            INSTRUCTION_TABLE
                .iter()
                .map(|i| (i.opcode as u32, i))
                .collect()
        });
    BY_OPCODE.get(&opcode).copied()
}

/// Returns the name of an opcode.
pub(crate) fn name_of(opcode: u32) -> &'static str {
    grammar(opcode).map_or("unknown instruction", |grammar| grammar.opname)
}

/// Returns the instructions in a range of words.
pub(crate) fn instructions(
    words: &[u32],
    range: Range<usize>,
) -> impl Iterator<Item = Result<Raw<'_>, Error>> {
    let Range { mut start, end } = range;
    std::iter::from_fn(move || {
        let &first = words.get(start..end)?.first()?;
        let (at, count) = (start, (first >> 16) as usize);
        if count == 0 || count > end - start {
            start = end;
            return Some(Err(Error::WordCount { word: at }));
        }
        start += count;
        Some(Ok(Raw {
            at,
            opcode: first & 0xffff,
            words: &words[at..start],
        }))
    })
}

impl<'a> Module<'a> {
    /// Reads a module.
    pub(crate) fn read(words: &'a [u32]) -> Result<Self, Error> {
        if words.len() < HEADER || words[0] != MAGIC_NUMBER {
            return Err(Error::Header);
        }
        let mut module = Self {
            words,
            sections: Vec::new(),
            bound: words[3],
            types: FxHashMap::default(),
            type_of: FxHashMap::default(),
            bool_type: None,
            u32_type: None,
            debug_sets: FxHashSet::default(),
            addressing: AddressingModel::Logical as u32,
            has_variable_pointers: (false, false),
        };
        let mut open: Option<Function> = None;
        let mut other = HEADER;
        for inst in instructions(words, HEADER..words.len()) {
            let inst = inst?;
            let end = inst.at + inst.words.len();
            let layout = Error::Layout {
                name: name_of(inst.opcode),
                word: inst.at,
            };
            match open.as_mut() {
                None if inst.is(Op::Function) => {
                    module.sections.push(Section::Other(other..inst.at));
                    module.declare(inst)?;
                    open = Some(Function {
                        id: inst.word(2),
                        words: inst.at..end,
                        has_body: false,
                        has_branches: false,
                    });
                }
                None if inst.is(Op::FunctionEnd) => return Err(layout),
                None => module.declare(inst)?,
                Some(_) if inst.is(Op::Function) => return Err(layout),
                Some(function) => {
                    function.words.end = end;
                    function.has_body |= inst.is(Op::Label);
                    function.has_branches |= inst.is(Op::Branch)
                        || inst.is(Op::BranchConditional)
                        || inst.is(Op::Switch);
                    if inst.is(Op::FunctionParameter) {
                        module.declare(inst)?;
                    } else if inst.is(Op::FunctionEnd) {
                        module.sections.extend(open.take().map(Section::Function));
                        other = end;
                    }
                }
            }
        }
        match open {
            Some(function) => Err(Error::NoEnd {
                function: function.id,
            }),
            None => {
                module.sections.push(Section::Other(other..words.len()));
                Ok(module)
            }
        }
    }

    /// Returns the functions, in order.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Function> {
        self.sections.iter().filter_map(|section| match section {
            Section::Function(function) => Some(function),
            Section::Other(_) => None,
        })
    }

    /// Returns a type; of an unknown one, the default.
    pub(crate) fn ty(&self, id: u32) -> Type {
        self.types.get(&id).copied().unwrap_or_default()
    }

    /// Reads an instruction outside of blocks.
    fn declare(&mut self, inst: Raw<'_>) -> Result<(), Error> {
        let (ty, result) = inst.result();
        if let Some(id) = result.filter(|&id| id >= self.bound) {
            return Err(Error::Bound { id });
        }
        if let (Some(ty), Some(id)) = (ty, result) {
            self.type_of.insert(id, ty);
        }
        let (first, second) = (inst.word(1), inst.word(2));
        let no_phi = |module: &Self, id: u32| module.ty(id).no_phi;
        let ty = match Op::from_u32(inst.opcode) {
            Some(Op::Capability) => {
                let is = |capability: Capability| first == capability as u32;
                self.has_variable_pointers.0 |= is(Capability::VariablePointersStorageBuffer);
                self.has_variable_pointers.1 |= is(Capability::VariablePointers);
                return Ok(());
            }
            Some(Op::MemoryModel) => {
                self.addressing = first;
                return Ok(());
            }
            Some(Op::ExtInstImport) => {
                let name: Vec<u8> = (inst.words.iter().skip(2))
                    .flat_map(|word| word.to_le_bytes())
                    .take_while(|&byte| byte != 0)
                    .collect();
                if name == b"NonSemantic.Shader.DebugInfo.100" || name == b"OpenCL.DebugInfo.100" {
                    self.debug_sets.insert(first);
                }
                return Ok(());
            }
            Some(Op::TypeBool) => {
                self.bool_type = Some(first);
                Type::default()
            }
            Some(Op::TypeInt) => {
                if (second, inst.word(3)) == (32, 0) {
                    self.u32_type = Some(first);
                }
                Type {
                    integer: Some((second, inst.word(3) != 0)),
                    ..Type::default()
                }
            }
            Some(Op::TypePointer | Op::TypeUntypedPointerKHR) => Type {
                no_phi: !self.may_select(second),
                storage_class: Some(second),
                ..Type::default()
            },
            Some(
                Op::TypeImage
                | Op::TypeSampler
                | Op::TypeSampledImage
                | Op::TypeAccelerationStructureKHR
                | Op::TypeRayQueryKHR
                | Op::TypeHitObjectNV
                | Op::TypeHitObjectEXT,
            ) => Type {
                no_phi: true,
                ..Type::default()
            },
            Some(Op::TypeArray | Op::TypeRuntimeArray) => Type {
                no_phi: no_phi(self, second),
                ..Type::default()
            },
            Some(Op::TypeStruct) => Type {
                no_phi: inst.words.iter().skip(2).any(|&id| no_phi(self, id)),
                ..Type::default()
            },
            _ => return Ok(()),
        };
        self.types.insert(first, ty);
        Ok(())
    }

    /// Returns whether a phi may have a pointer to a storage class.
    fn may_select(&self, class: u32) -> bool {
        let is_logical = self.addressing == AddressingModel::Logical as u32
            || self.addressing == AddressingModel::PhysicalStorageBuffer64 as u32;
        let is = |other: StorageClass| class == other as u32;
        let (buffers, all) = self.has_variable_pointers;
        !is_logical
            || is(StorageClass::PhysicalStorageBuffer)
            || is(StorageClass::StorageBuffer) && (buffers || all)
            || is(StorageClass::Workgroup) && all
    }
}
