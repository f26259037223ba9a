//! The SPIR-V module under construction: ids, sections, deduplicated types and constants,
//! capabilities.
//!
//! Declarations are kept in rspirv's [`dr::Module`]; this wrapper adds hashed deduplication
//! (rspirv's own builder searches linearly) and SPIR-V's rule that a type or constant stands before
//! its use. Function bodies, three quarters of a module, are words from the start ([`Code`]): an
//! instruction of its own for each would cost an allocation and 80 bytes, to be written out and
//! dropped a moment later.

mod capabilities;
mod code;

use std::sync::OnceLock;

use rspirv::dr::{self, Operand};
use rspirv::grammar;
use rspirv::spirv::{
    Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl, GlslStd450Op as GLOp,
    Op, StorageClass, Word,
};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use crate::options::Target;
use capabilities::Capabilities;
use code::{Code, operand_words};

/// Operands of a deduplicated type or constant, as raw words: opcode, result type, operands.
type Key = SmallVec<[Word; 10]>;

/// Ids that are asked for so often that hashing their operands each time would show.
#[derive(Default)]
struct Common {
    bool_ty: Word,
    u32_ty: Word,
    f32_ty: Word,
    /// Unsigned constants from 0 on.
    small: [Word; 16],
}

/// Builds one SPIR-V module.
pub(crate) struct Builder {
    /// What has been declared so far; its list of functions stays empty, their words are in `code`.
    module: dr::Module,
    /// Capabilities and extensions, collected from use.
    pub(crate) caps: Capabilities,
    /// Execution modes of the entry point, in the order in which they were requested.
    execution_modes: Vec<(ExecutionMode, SmallVec<[Word; 3]>)>,
    next_id: Word,
    dedup: FxHashMap<Key, Word>,
    glsl: Option<Word>,
    /// The types and constants that nearly every instruction asks for; 0 is none yet.
    common: Common,
    /// The functions, the one under construction last.
    code: Code,
    /// `OpVariable`s of the function under construction; they go to the start of its first block.
    locals: Code,
    /// Number of functions and of blocks begun so far.
    functions: usize,
    blocks: usize,
    /// Where the first block of the function under construction starts.
    entry: usize,
}

/// Room for the words of function bodies: the mean shader of the corpus has 740.
const CODE_WORDS: usize = 1024;
/// Room for types, constants and variables: the mean shader has 30.
const DECLARATIONS: usize = 40;
/// Room for decorations: the mean shader has 11.
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

/// An instruction from its parts.
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

/// A few ids as operands.
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

    /// A fresh id.
    pub(crate) fn id(&mut self) -> Word {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    // ---- types and constants
    // -------------------------------------------------------------------------------------------------------------

    /// A type or constant of which one suffices: the id of the first one with the same operands.
    fn unique(&mut self, op: Op, ty: Option<Word>, operands: &[Operand]) -> Word {
        let mut key = Key::new();
        key.push(op as Word);
        key.push(ty.unwrap_or(0));
        for o in operands {
            key_words(o, &mut key);
        }
        if let Some(&id) = self.dedup.get(&key) {
            return id;
        }
        let id = self.id();
        self.dedup.insert(key, id);
        self.module
            .types_global_values
            .push(inst(op, ty, Some(id), operands.to_vec()));
        id
    }

    pub(crate) fn ty_void(&mut self) -> Word {
        self.unique(Op::TypeVoid, None, &[])
    }
    pub(crate) fn ty_bool(&mut self) -> Word {
        if self.common.bool_ty == 0 {
            self.common.bool_ty = self.unique(Op::TypeBool, None, &[]);
        }
        self.common.bool_ty
    }
    /// Unsigned integer of `width` bits; all DXIL integers are unsigned here, SPIR-V's signed
    /// operations accept them.
    pub(crate) fn ty_int(&mut self, width: u32) -> Word {
        if width == 32 {
            self.ty_u32()
        } else {
            self.ty_int_signed(width, false)
        }
    }
    pub(crate) fn ty_int_signed(&mut self, width: u32, signed: bool) -> Word {
        match width {
            8 => self.caps.add(Capability::Int8),
            16 => self.caps.add(Capability::Int16),
            64 => self.caps.add(Capability::Int64),
            _ => {}
        }
        self.unique(
            Op::TypeInt,
            None,
            &[
                Operand::LiteralBit32(width),
                Operand::LiteralBit32(u32::from(signed)),
            ],
        )
    }
    pub(crate) fn ty_u32(&mut self) -> Word {
        if self.common.u32_ty == 0 {
            self.common.u32_ty = self.ty_int_signed(32, false);
        }
        self.common.u32_ty
    }
    pub(crate) fn ty_float(&mut self, width: u32) -> Word {
        if width == 32 {
            self.ty_f32()
        } else {
            self.ty_float_of(width)
        }
    }
    fn ty_float_of(&mut self, width: u32) -> Word {
        match width {
            16 => self.caps.add(Capability::Float16),
            64 => self.caps.add(Capability::Float64),
            _ => {}
        }
        self.unique(Op::TypeFloat, None, &[Operand::LiteralBit32(width)])
    }
    pub(crate) fn ty_f32(&mut self) -> Word {
        if self.common.f32_ty == 0 {
            self.common.f32_ty = self.ty_float_of(32);
        }
        self.common.f32_ty
    }
    /// Vector of `len` components; the component type itself when `len` is 1.
    pub(crate) fn ty_vec(&mut self, element: Word, len: u32) -> Word {
        if len == 1 {
            return element;
        }
        self.unique(
            Op::TypeVector,
            None,
            &[Operand::IdRef(element), Operand::LiteralBit32(len)],
        )
    }
    /// Array without explicit layout.
    pub(crate) fn ty_array(&mut self, element: Word, len: u32) -> Word {
        let len = self.const_u32(len);
        self.unique(
            Op::TypeArray,
            None,
            &[Operand::IdRef(element), Operand::IdRef(len)],
        )
    }
    /// Runtime array without explicit layout (descriptor arrays).
    pub(crate) fn ty_runtime_array(&mut self, element: Word) -> Word {
        self.unique(Op::TypeRuntimeArray, None, &[Operand::IdRef(element)])
    }
    /// Struct without decorations.
    pub(crate) fn ty_struct(&mut self, members: &[Word]) -> Word {
        self.unique(Op::TypeStruct, None, &id_list(members))
    }
    /// A type that must not be shared with an undecorated one of the same shape (layout decorations
    /// follow): always a new id.
    pub(crate) fn ty_fresh(&mut self, op: Op, operands: Vec<Operand>) -> Word {
        let id = self.id();
        self.module
            .types_global_values
            .push(inst(op, None, Some(id), operands));
        id
    }
    pub(crate) fn ty_ptr(&mut self, class: StorageClass, pointee: Word) -> Word {
        self.unique(
            Op::TypePointer,
            None,
            &[Operand::StorageClass(class), Operand::IdRef(pointee)],
        )
    }
    /// Any other type by opcode (`OpTypeImage`, `OpTypeSampler`, `OpTypeSampledImage`,
    /// `OpTypeAccelerationStructureKHR`, …).
    pub(crate) fn ty_other(&mut self, op: Op, operands: &[Operand]) -> Word {
        self.unique(op, None, operands)
    }
    pub(crate) fn ty_function(&mut self, ret: Word, params: &[Word]) -> Word {
        let operands: SmallVec<[Operand; 4]> = std::iter::once(&ret)
            .chain(params)
            .map(|&id| Operand::IdRef(id))
            .collect();
        self.unique(Op::TypeFunction, None, &operands)
    }

    pub(crate) fn const_bool(&mut self, value: bool) -> Word {
        let ty = self.ty_bool();
        self.unique(
            if value {
                Op::ConstantTrue
            } else {
                Op::ConstantFalse
            },
            Some(ty),
            &[],
        )
    }
    pub(crate) fn const_u32(&mut self, value: u32) -> Word {
        if let Some(&id) = self.common.small.get(value as usize)
            && id != 0
        {
            return id;
        }
        let ty = self.ty_u32();
        let id = self.unique(Op::Constant, Some(ty), &[Operand::LiteralBit32(value)]);
        if let Some(slot) = self.common.small.get_mut(value as usize) {
            *slot = id;
        }
        id
    }
    /// Unsigned specialization constant number `spec_id`: always a new id.
    pub(crate) fn spec_const_u32(&mut self, spec_id: u32, default: u32) -> Word {
        let (ty, id) = (self.ty_u32(), self.id());
        self.module.types_global_values.push(inst(
            Op::SpecConstant,
            Some(ty),
            Some(id),
            vec![Operand::LiteralBit32(default)],
        ));
        self.decorate(id, Decoration::SpecId, &[Operand::LiteralBit32(spec_id)]);
        id
    }
    /// Constant of signed type, for the few operands whose sign matters (image offsets).
    pub(crate) fn const_i32(&mut self, value: i32) -> Word {
        let ty = self.ty_int_signed(32, true);
        self.const_of(ty, 32, u64::from(value as u32))
    }
    pub(crate) fn const_f32(&mut self, value: f32) -> Word {
        let ty = self.ty_f32();
        self.unique(
            Op::Constant,
            Some(ty),
            &[Operand::LiteralBit32(value.to_bits())],
        )
    }
    /// Integer constant of `width` bits (16-bit ones are zero-extended in the word, as the type is
    /// unsigned).
    pub(crate) fn const_int(&mut self, width: u32, value: u64) -> Word {
        let ty = self.ty_int(width);
        self.const_of(ty, width, value)
    }
    /// Float constant of `width` bits, given as bits.
    pub(crate) fn const_float_bits(&mut self, width: u32, bits: u64) -> Word {
        let ty = self.ty_float(width);
        self.const_of(ty, width, bits)
    }
    fn const_of(&mut self, ty: Word, width: u32, bits: u64) -> Word {
        let literal = if width == 64 {
            Operand::LiteralBit64(bits)
        } else {
            Operand::LiteralBit32(bits as u32)
        };
        self.unique(Op::Constant, Some(ty), &[literal])
    }
    pub(crate) fn const_null(&mut self, ty: Word) -> Word {
        self.unique(Op::ConstantNull, Some(ty), &[])
    }
    pub(crate) fn const_composite(&mut self, ty: Word, parts: &[Word]) -> Word {
        self.unique(Op::ConstantComposite, Some(ty), &id_list(parts))
    }
    /// One `OpUndef` a type, at module level.
    pub(crate) fn undef(&mut self, ty: Word) -> Word {
        self.unique(Op::Undef, Some(ty), &[])
    }

    // ---- module-level declarations
    // -------------------------------------------------------------------------------------------------------

    /// A module-level variable; add it to the interface yourself.
    pub(crate) fn variable(
        &mut self,
        ptr_ty: Word,
        class: StorageClass,
        init: Option<Word>,
    ) -> Word {
        let id = self.id();
        let operands = match init {
            None => vec![Operand::StorageClass(class)],
            Some(init) => vec![Operand::StorageClass(class), Operand::IdRef(init)],
        };
        self.module
            .types_global_values
            .push(inst(Op::Variable, Some(ptr_ty), Some(id), operands));
        id
    }
    pub(crate) fn decorate(&mut self, id: Word, decoration: Decoration, extra: &[Operand]) {
        let mut operands = Vec::with_capacity(2 + extra.len());
        operands.extend([Operand::IdRef(id), Operand::Decoration(decoration)]);
        operands.extend_from_slice(extra);
        self.module
            .annotations
            .push(inst(Op::Decorate, None, None, operands));
    }
    pub(crate) fn decorate_member(
        &mut self,
        id: Word,
        member: u32,
        decoration: Decoration,
        extra: &[Operand],
    ) {
        let mut operands = Vec::with_capacity(3 + extra.len());
        operands.extend([
            Operand::IdRef(id),
            Operand::LiteralBit32(member),
            Operand::Decoration(decoration),
        ]);
        operands.extend_from_slice(extra);
        self.module
            .annotations
            .push(inst(Op::MemberDecorate, None, None, operands));
    }
    pub(crate) fn name(&mut self, id: Word, name: &str) {
        // A string of SPIR-V ends at a NUL.
        let name = name.split('\0').next().unwrap_or_default();
        if !name.is_empty() {
            self.module.debug_names.push(inst(
                Op::Name,
                None,
                None,
                vec![Operand::IdRef(id), Operand::LiteralString(name.to_owned())],
            ));
        }
    }
    pub(crate) fn member_name(&mut self, id: Word, member: u32, name: &str) {
        let name = name.split('\0').next().unwrap_or_default();
        let operands = vec![
            Operand::IdRef(id),
            Operand::LiteralBit32(member),
            Operand::LiteralString(name.to_owned()),
        ];
        self.module
            .debug_names
            .push(inst(Op::MemberName, None, None, operands));
    }
    /// Id of the `GLSL.std.450` import.
    pub(crate) fn glsl(&mut self) -> Word {
        if let Some(id) = self.glsl {
            return id;
        }
        let id = self.id();
        self.glsl = Some(id);
        self.module.ext_inst_imports.push(inst(
            Op::ExtInstImport,
            None,
            Some(id),
            vec![Operand::LiteralString("GLSL.std.450".to_owned())],
        ));
        id
    }

    /// Adds an execution mode of the entry point; one that is there already stays where it is.
    pub(crate) fn execution_mode(&mut self, mode: ExecutionMode, operands: &[Word]) {
        if !self
            .execution_modes
            .iter()
            .any(|(m, o)| *m == mode && o.as_slice() == operands)
        {
            self.execution_modes.push((mode, operands.into()));
        }
    }
    /// Declares function `id` as the entry point, with its execution modes; `interface` has the
    /// variables that it must list.
    pub(crate) fn entry_point(
        &mut self,
        model: ExecutionModel,
        id: Word,
        name: &str,
        interface: &[Word],
    ) {
        let mut operands = Vec::with_capacity(3 + interface.len());
        operands.extend([
            Operand::ExecutionModel(model),
            Operand::IdRef(id),
            Operand::LiteralString(name.to_owned()),
        ]);
        operands.extend(interface.iter().map(|&id| Operand::IdRef(id)));
        self.module
            .entry_points
            .push(inst(Op::EntryPoint, None, None, operands));
        for (mode, literals) in std::mem::take(&mut self.execution_modes) {
            let mut operands = Vec::with_capacity(2 + literals.len());
            operands.extend([Operand::IdRef(id), Operand::ExecutionMode(mode)]);
            operands.extend(literals.into_iter().map(Operand::LiteralBit32));
            self.module
                .execution_modes
                .push(inst(Op::ExecutionMode, None, None, operands));
        }
    }
    /// The module-level variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (Word, StorageClass)> {
        let globals = self.module.types_global_values.iter();
        globals
            .filter(|inst| inst.class.opcode == Op::Variable)
            .filter_map(|inst| match inst.operands.first() {
                Some(&Operand::StorageClass(class)) => Some((inst.result_id?, class)),
                _ => None,
            })
    }

    // ---- function bodies
    // -----------------------------------------------------------------------------------------------------------------

    /// Appends an instruction with a result to the current block.
    pub(crate) fn op(&mut self, op: Op, ty: Word, operands: impl AsRef<[Operand]>) -> Word {
        let id = self.id();
        self.code.push(op, ty, id, operands.as_ref());
        id
    }
    /// The same with operands that are words: ids, literals of a word.
    pub(crate) fn op_ids(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        let id = self.id();
        self.code.push_words(op, ty, id, operands);
        id
    }
    /// Appends an instruction without a result.
    pub(crate) fn op_void(&mut self, op: Op, operands: impl AsRef<[Operand]>) {
        self.code.push(op, 0, 0, operands.as_ref());
    }
    /// The same with operands that are words: ids, enumerants, literals of a word.
    pub(crate) fn op_void_words(&mut self, op: Op, operands: &[Word]) {
        self.code.push_words(op, 0, 0, operands);
    }
    /// `OpExtInst` of `GLSL.std.450`.
    pub(crate) fn ext(&mut self, op: GLOp, ty: Word, operands: &[Word]) -> Word {
        let mut list: SmallVec<[Word; 6]> = smallvec![self.glsl(), op as Word];
        list.extend_from_slice(operands);
        self.op_ids(Op::ExtInst, ty, &list)
    }
    pub(crate) fn bitcast(&mut self, ty: Word, value: Word) -> Word {
        self.op_ids(Op::Bitcast, ty, &[value])
    }
    /// Component `index` of a composite.
    pub(crate) fn extract(&mut self, ty: Word, composite: Word, index: u32) -> Word {
        self.op_ids(Op::CompositeExtract, ty, &[composite, index])
    }
    /// A vector (or other composite) of the parts; the part itself when there is one and `ty` is
    /// scalar by [`Builder::ty_vec`]'s rule.
    pub(crate) fn construct(&mut self, ty: Word, parts: &[Word]) -> Word {
        if let [only] = parts {
            *only
        } else {
            self.op_ids(Op::CompositeConstruct, ty, parts)
        }
    }

    /// `OpPhi` of so many predecessors, whose operands [`Builder::set_phi`] fills in: its id and
    /// the place of its operands.
    pub(crate) fn phi(&mut self, ty: Word, predecessors: usize) -> (Word, usize) {
        let id = self.id();
        (id, self.code.push_open(Op::Phi, ty, id, 2 * predecessors))
    }
    /// Operands `index` of the phi whose operands are at `phi`.
    pub(crate) fn set_phi(&mut self, phi: usize, index: usize, value: Word, predecessor: Word) {
        self.code.set(phi + 2 * index, value);
        self.code.set(phi + 2 * index + 1, predecessor);
    }
    /// A variable of the current function (storage class `Function`).
    pub(crate) fn local_variable(&mut self, ptr_ty: Word, init: Option<Word>) -> Word {
        let id = self.id();
        let class = StorageClass::Function as Word;
        match init {
            Some(init) => self
                .locals
                .push_words(Op::Variable, ptr_ty, id, &[class, init]),
            None => self.locals.push_words(Op::Variable, ptr_ty, id, &[class]),
        }
        id
    }

    /// Starts a function, and its first block; gives the ids of the parameters. What is appended
    /// before the first [`Builder::begin_block`] stands in that block.
    pub(crate) fn begin_function(
        &mut self,
        id: Word,
        ret: Word,
        ty: Word,
        parameters: &[Word],
    ) -> Vec<Word> {
        self.code
            .push_words(Op::Function, ret, id, &[FunctionControl::NONE.bits(), ty]);
        let ids = parameters.iter().map(|&ty| {
            let id = self.next_id;
            self.next_id += 1;
            self.code.push_words(Op::FunctionParameter, ty, id, &[]);
            id
        });
        let ids = ids.collect();
        self.functions += 1;
        self.blocks = 0;
        self.entry = self.code.push_open(Op::Label, 0, 0, 1);
        ids
    }
    /// Starts a block.
    pub(crate) fn begin_block(&mut self, label: Word) {
        if self.blocks == 0 {
            self.code.set(self.entry, label);
        } else {
            self.code.push_words(Op::Label, 0, label, &[]);
        }
        self.blocks += 1;
    }
    /// Ends the function: its last block has its terminator, and its phis are filled in.
    pub(crate) fn finish_function(&mut self) {
        self.code.insert(self.entry + 1, &mut self.locals);
        self.code.push_words(Op::FunctionEnd, 0, 0, &[]);
    }
    /// Number of the function at hand, from 1 on.
    pub(crate) fn function_number(&self) -> usize {
        self.functions
    }
    /// What tells the current block from all others: numbers of function and block, from 1 on.
    pub(crate) fn block_number(&self) -> (usize, usize) {
        (self.functions, self.blocks)
    }
    /// Where the next instruction of the body will stand.
    pub(crate) fn position(&self) -> usize {
        self.code.position()
    }
    /// Results of the instructions from `start` on whose opcode is one of `ops`.
    pub(crate) fn results_since(&self, start: usize, ops: &[Op]) -> SmallVec<[Word; 4]> {
        let made = self
            .code
            .since(start)
            .filter(|(op, _)| ops.iter().any(|&o| o as Word == *op));
        made.filter_map(|(_, words)| words.get(2).copied())
            .collect()
    }

    /// Completes header, capabilities, extensions, memory model, and assembles the module.
    ///
    /// # Errors
    /// An instruction does not fit in the format.
    pub(crate) fn finish(mut self) -> Result<Vec<Word>, String> {
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
                inst.result_type.unwrap_or(0),
                inst.result_id.unwrap_or(0),
                &inst.operands,
            );
        }
        module.append(self.code);
        module.finish()
    }
}

fn key_words(operand: &Operand, key: &mut Key) {
    match operand {
        Operand::IdRef(v) | Operand::LiteralBit32(v) => key.push(*v),
        Operand::LiteralBit64(v) => key.extend([*v as u32, (*v >> 32) as u32]),
        Operand::StorageClass(v) => key.push(*v as u32),
        other => {
            let mut words = Vec::new();
            operand_words(other, &mut words);
            key.extend(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use rspirv::spirv;

    use super::Builder;
    use crate::options::Target;

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
