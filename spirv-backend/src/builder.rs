//! The SPIR-V module under construction: ids, sections, deduplicated types and constants, capabilities.
//!
//! The module itself is rspirv's [`dr::Module`]; this wrapper adds hashed deduplication (rspirv's own builder searches linearly) and SPIR-V's
//! rule that a type or constant stands before its use.

use std::sync::OnceLock;

use rspirv::binary::Assemble;
use rspirv::dr::{self, Operand};
use rspirv::grammar;
use rspirv::spirv::{Capability, Decoration, GlslStd450Op as GLOp, Op, StorageClass, Word};
use rustc_hash::FxHashMap;

use crate::capabilities::Capabilities;
use crate::options::Target;

/// Operands of a deduplicated type or constant, as raw words: opcode, result type, operands.
type Key = smallvec::SmallVec<[Word; 10]>;

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
    /// What has been declared so far; functions are appended by [`Builder::finish_function`].
    pub(crate) module: dr::Module,
    /// Capabilities and extensions, collected from use.
    pub(crate) caps: Capabilities,
    next_id: Word,
    dedup: FxHashMap<Key, Word>,
    glsl: Option<Word>,
    /// The types and constants that nearly every instruction asks for; 0 is none yet.
    common: Common,
    /// Instructions of the block being filled.
    body: Vec<dr::Instruction>,
    function: dr::Function,
}

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
pub(crate) fn inst(op: Op, result_type: Option<Word>, result_id: Option<Word>, operands: Vec<Operand>) -> dr::Instruction {
    dr::Instruction { class: class(op), result_type, result_id, operands }
}

/// Ids as operands.
pub(crate) fn ids(ids: &[Word]) -> Vec<Operand> {
    ids.iter().map(|&id| Operand::IdRef(id)).collect()
}

impl Builder {
    pub(crate) fn new(target: Target) -> Self {
        Self {
            module: dr::Module::new(),
            caps: Capabilities::new(target),
            next_id: 1,
            dedup: FxHashMap::default(),
            glsl: None,
            common: Common::default(),
            body: Vec::new(),
            function: dr::Function::new(),
        }
    }

    /// A fresh id.
    pub(crate) fn id(&mut self) -> Word {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    // ---- types and constants -------------------------------------------------------------------------------------------------------------

    /// A type or constant of which one suffices: the id of the first one with the same operands.
    fn unique(&mut self, op: Op, ty: Option<Word>, operands: &[Operand]) -> Word {
        let mut key = Key::new();
        key.push(op as Word);
        key.push(ty.unwrap_or(0));
        for o in operands {
            push_words(o, &mut key);
        }
        if let Some(&id) = self.dedup.get(&key) {
            return id;
        }
        let id = self.id();
        self.dedup.insert(key, id);
        self.module.types_global_values.push(inst(op, ty, Some(id), operands.to_vec()));
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
    /// Unsigned integer of `width` bits; all DXIL integers are unsigned here, SPIR-V's signed operations accept them.
    pub(crate) fn ty_int(&mut self, width: u32) -> Word {
        if width == 32 { self.ty_u32() } else { self.ty_int_signed(width, false) }
    }
    pub(crate) fn ty_int_signed(&mut self, width: u32, signed: bool) -> Word {
        match width {
            8 => self.caps.add(Capability::Int8),
            16 => self.caps.add(Capability::Int16),
            64 => self.caps.add(Capability::Int64),
            _ => {}
        }
        self.unique(Op::TypeInt, None, &[Operand::LiteralBit32(width), Operand::LiteralBit32(u32::from(signed))])
    }
    pub(crate) fn ty_u32(&mut self) -> Word {
        if self.common.u32_ty == 0 {
            self.common.u32_ty = self.ty_int_signed(32, false);
        }
        self.common.u32_ty
    }
    pub(crate) fn ty_float(&mut self, width: u32) -> Word {
        if width == 32 { self.ty_f32() } else { self.ty_float_of(width) }
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
        self.unique(Op::TypeVector, None, &[Operand::IdRef(element), Operand::LiteralBit32(len)])
    }
    /// Array without explicit layout.
    pub(crate) fn ty_array(&mut self, element: Word, len: u32) -> Word {
        let len = self.const_u32(len);
        self.unique(Op::TypeArray, None, &[Operand::IdRef(element), Operand::IdRef(len)])
    }
    /// Runtime array without explicit layout (descriptor arrays).
    pub(crate) fn ty_runtime_array(&mut self, element: Word) -> Word {
        self.unique(Op::TypeRuntimeArray, None, &[Operand::IdRef(element)])
    }
    /// Struct without decorations.
    pub(crate) fn ty_struct(&mut self, members: &[Word]) -> Word {
        self.unique(Op::TypeStruct, None, &ids(members))
    }
    /// A type that must not be shared with an undecorated one of the same shape (layout decorations follow): always a new id.
    pub(crate) fn ty_fresh(&mut self, op: Op, operands: Vec<Operand>) -> Word {
        let id = self.id();
        self.module.types_global_values.push(inst(op, None, Some(id), operands));
        id
    }
    pub(crate) fn ty_ptr(&mut self, class: StorageClass, pointee: Word) -> Word {
        self.unique(Op::TypePointer, None, &[Operand::StorageClass(class), Operand::IdRef(pointee)])
    }
    /// Any other type by opcode (`OpTypeImage`, `OpTypeSampler`, `OpTypeSampledImage`, `OpTypeAccelerationStructureKHR`, …).
    pub(crate) fn ty_other(&mut self, op: Op, operands: &[Operand]) -> Word {
        self.unique(op, None, operands)
    }
    pub(crate) fn ty_function(&mut self, ret: Word, params: &[Word]) -> Word {
        let mut operands = vec![Operand::IdRef(ret)];
        operands.extend(ids(params));
        self.unique(Op::TypeFunction, None, &operands)
    }

    pub(crate) fn const_bool(&mut self, value: bool) -> Word {
        let ty = self.ty_bool();
        self.unique(if value { Op::ConstantTrue } else { Op::ConstantFalse }, Some(ty), &[])
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
    /// Constant of signed type, for the few operands whose sign matters (image offsets).
    pub(crate) fn const_i32(&mut self, value: i32) -> Word {
        let ty = self.ty_int_signed(32, true);
        self.const_of(ty, 32, u64::from(value as u32))
    }
    pub(crate) fn const_f32(&mut self, value: f32) -> Word {
        let ty = self.ty_f32();
        self.unique(Op::Constant, Some(ty), &[Operand::LiteralBit32(value.to_bits())])
    }
    /// Integer constant of `width` bits (16-bit ones are zero-extended in the word, as the type is unsigned).
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
        let literal = if width == 64 { Operand::LiteralBit64(bits) } else { Operand::LiteralBit32(bits as u32) };
        self.unique(Op::Constant, Some(ty), &[literal])
    }
    pub(crate) fn const_null(&mut self, ty: Word) -> Word {
        self.unique(Op::ConstantNull, Some(ty), &[])
    }
    pub(crate) fn const_composite(&mut self, ty: Word, parts: &[Word]) -> Word {
        self.unique(Op::ConstantComposite, Some(ty), &ids(parts))
    }
    /// One `OpUndef` a type, at module level.
    pub(crate) fn undef(&mut self, ty: Word) -> Word {
        self.unique(Op::Undef, Some(ty), &[])
    }

    // ---- module-level declarations -------------------------------------------------------------------------------------------------------

    /// A module-level variable; add it to the interface yourself.
    pub(crate) fn variable(&mut self, ptr_ty: Word, class: StorageClass, init: Option<Word>) -> Word {
        let id = self.id();
        let mut operands = vec![Operand::StorageClass(class)];
        operands.extend(init.map(Operand::IdRef));
        self.module.types_global_values.push(inst(Op::Variable, Some(ptr_ty), Some(id), operands));
        id
    }
    pub(crate) fn decorate(&mut self, id: Word, decoration: Decoration, extra: &[Operand]) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend_from_slice(extra);
        self.module.annotations.push(inst(Op::Decorate, None, None, operands));
    }
    pub(crate) fn decorate_member(&mut self, id: Word, member: u32, decoration: Decoration, extra: &[Operand]) {
        let mut operands = vec![Operand::IdRef(id), Operand::LiteralBit32(member), Operand::Decoration(decoration)];
        operands.extend_from_slice(extra);
        self.module.annotations.push(inst(Op::MemberDecorate, None, None, operands));
    }
    pub(crate) fn name(&mut self, id: Word, name: &str) {
        // A string of SPIR-V ends at a NUL.
        let name = name.split('\0').next().unwrap_or_default();
        if !name.is_empty() {
            self.module.debug_names.push(inst(Op::Name, None, None, vec![Operand::IdRef(id), Operand::LiteralString(name.to_owned())]));
        }
    }
    pub(crate) fn member_name(&mut self, id: Word, member: u32, name: &str) {
        let name = name.split('\0').next().unwrap_or_default();
        let operands = vec![Operand::IdRef(id), Operand::LiteralBit32(member), Operand::LiteralString(name.to_owned())];
        self.module.debug_names.push(inst(Op::MemberName, None, None, operands));
    }
    /// Id of the `GLSL.std.450` import.
    pub(crate) fn glsl(&mut self) -> Word {
        if let Some(id) = self.glsl {
            return id;
        }
        let id = self.id();
        self.glsl = Some(id);
        self.module.ext_inst_imports.push(inst(Op::ExtInstImport, None, Some(id), vec![Operand::LiteralString("GLSL.std.450".to_owned())]));
        id
    }

    // ---- function bodies -----------------------------------------------------------------------------------------------------------------

    /// Appends an instruction with a result to the current block.
    pub(crate) fn op(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.id();
        self.body.push(inst(op, Some(ty), Some(id), operands));
        id
    }
    /// The same with ids only.
    pub(crate) fn op_ids(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        self.op(op, ty, ids(operands))
    }
    /// Appends an instruction without a result.
    pub(crate) fn op_void(&mut self, op: Op, operands: Vec<Operand>) {
        self.body.push(inst(op, None, None, operands));
    }
    /// `OpExtInst` of `GLSL.std.450`.
    pub(crate) fn ext(&mut self, op: GLOp, ty: Word, operands: &[Word]) -> Word {
        let set = self.glsl();
        let mut list = Vec::with_capacity(operands.len() + 2);
        list.push(Operand::IdRef(set));
        list.push(Operand::LiteralExtInstInteger(op as u32));
        list.extend(operands.iter().map(|&id| Operand::IdRef(id)));
        self.op(Op::ExtInst, ty, list)
    }
    pub(crate) fn bitcast(&mut self, ty: Word, value: Word) -> Word {
        self.op_ids(Op::Bitcast, ty, &[value])
    }
    /// Component `index` of a composite.
    pub(crate) fn extract(&mut self, ty: Word, composite: Word, index: u32) -> Word {
        self.op(Op::CompositeExtract, ty, vec![Operand::IdRef(composite), Operand::LiteralBit32(index)])
    }
    /// A vector (or other composite) of the parts; the part itself when there is one and `ty` is scalar by [`Builder::ty_vec`]'s rule.
    pub(crate) fn construct(&mut self, ty: Word, parts: &[Word]) -> Word {
        if let [only] = parts { *only } else { self.op_ids(Op::CompositeConstruct, ty, parts) }
    }

    /// Starts a function: its `OpFunction` and parameters are set by the caller.
    pub(crate) fn begin_function(&mut self, def: dr::Instruction, parameters: Vec<dr::Instruction>) {
        self.function = dr::Function { def: Some(def), end: Some(inst(Op::FunctionEnd, None, None, vec![])), parameters, blocks: Vec::new() };
    }
    /// Ends the current block: its instructions (with `phis` first) become a block of the current function.
    pub(crate) fn finish_block(&mut self, label: Word, phis: Vec<dr::Instruction>) {
        let mut instructions = std::mem::take(&mut self.body);
        if !phis.is_empty() {
            instructions.splice(0..0, phis);
        }
        self.function.blocks.push(dr::Block { label: Some(inst(Op::Label, None, Some(label), vec![])), instructions });
    }
    /// Instructions gathered so far in the current block.
    pub(crate) fn body_len(&self) -> usize {
        self.body.len()
    }
    /// Instruction `index` of the current block.
    pub(crate) fn body_inst(&self, index: usize) -> Option<&dr::Instruction> {
        self.body.get(index)
    }
    /// The function under construction, to patch phis or insert variables into its first block.
    pub(crate) fn function_mut(&mut self) -> &mut dr::Function {
        &mut self.function
    }
    /// Moves the function under construction into the module.
    pub(crate) fn finish_function(&mut self) {
        let function = std::mem::take(&mut self.function);
        self.module.functions.push(function);
    }

    /// Completes header, capabilities, extensions, memory model.
    pub(crate) fn finish(mut self) -> dr::Module {
        let mut header = dr::ModuleHeader::new(self.next_id);
        let (major, minor) = self.caps.target().spirv_version();
        header.set_version(major, minor);
        header.generator = 0;
        self.module.header = Some(header);
        self.caps.declare(&mut self.module);
        self.module
    }
}

fn push_words(operand: &Operand, key: &mut Key) {
    match operand {
        Operand::IdRef(v) | Operand::LiteralBit32(v) => key.push(*v),
        Operand::LiteralBit64(v) => key.extend([*v as u32, (*v >> 32) as u32]),
        Operand::StorageClass(v) => key.push(*v as u32),
        other => {
            let mut words = Vec::new();
            other.assemble_into(&mut words);
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
        assert_eq!(b.ty_ptr(spirv::StorageClass::Input, f), b.ty_ptr(spirv::StorageClass::Input, f));
    }
}
