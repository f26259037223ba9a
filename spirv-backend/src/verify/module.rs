//! Module-level rules: declarations, capabilities, entry points, references.

use rspirv::dr::{self, Operand};
use rspirv::spirv::{Capability, Dim, Op, StorageClass, Word};

use super::types::Ty;
use super::{Failure, Place, Verifier, id_operands, show};

/// The longest instruction in words: the length is half a word.
const MAX_WORDS: usize = 0xFFFF;

impl Verifier<'_> {
    /// Declarations in order: each operand is defined before.
    pub(super) fn module_level(&mut self) -> Result<(), Failure> {
        let module = self.module;
        for inst in &module.ext_inst_imports {
            self.define(inst, Place::Module)?;
        }
        for inst in &module.types_global_values {
            if let Some(id) = id_operands(inst).chain(inst.result_type).find(|&id| self.id(id).is_none()) {
                return Err(format!("{}: id %{id} is not defined before", show(inst)));
            }
            length(inst)?;
            self.define(inst, Place::Module)?;
            match self.types.declare(inst) {
                Some(ty) => self.type_rules(inst, ty)?,
                None => self.constant_rules(inst)?,
            }
            if let (Op::Constant, Some(id), [Operand::LiteralBit32(value)]) = (inst.class.opcode, inst.result_id, inst.operands.as_slice()) {
                self.constants[id as usize] = *value;
            }
        }
        for function in &module.functions {
            let Some(def) = &function.def else { return Err("a function without OpFunction".to_owned()) };
            self.define(def, Place::Module)?;
        }
        Ok(())
    }

    fn has(&self, capability: Capability) -> bool {
        self.module.capabilities.iter().any(|i| matches!(i.operands.first(), Some(Operand::Capability(c)) if *c == capability))
    }

    fn need(&self, inst: &dr::Instruction, any_of: &[Capability]) -> Result<(), Failure> {
        if any_of.iter().any(|&c| self.has(c)) { Ok(()) } else { Err(format!("{}: needs capability {any_of:?}", show(inst))) }
    }

    fn type_rules(&self, inst: &dr::Instruction, ty: Ty) -> Result<(), Failure> {
        match ty {
            Ty::Int(8) => self.need(inst, &[Capability::Int8]),
            Ty::Int(16) => self.need(inst, &[Capability::Int16]),
            Ty::Int(64) => self.need(inst, &[Capability::Int64]),
            Ty::Float(16) => self.need(inst, &[Capability::Float16]),
            Ty::Float(64) => self.need(inst, &[Capability::Float64]),
            Ty::Int(32) | Ty::Float(32) => Ok(()),
            Ty::Int(width) | Ty::Float(width) => Err(format!("{}: no such width: {width}", show(inst))),
            Ty::Vector(element, len) => match self.types.get(element) {
                Ty::Bool | Ty::Int(_) | Ty::Float(_) if (2..=4).contains(&len) => Ok(()),
                _ => Err(format!("{}: a vector has 2 to 4 scalars", show(inst))),
            },
            Ty::Matrix(column, len) => match self.types.get(column) {
                Ty::Vector(element, _) if matches!(self.types.get(element), Ty::Float(_)) && (2..=4).contains(&len) => Ok(()),
                _ => Err(format!("{}: a matrix has 2 to 4 columns of floats", show(inst))),
            },
            Ty::Opaque if inst.class.opcode != Op::TypeSampler => self.need(inst, &[Capability::RayQueryKHR, Capability::RayTracingKHR]),
            Ty::Image(_, Dim::DimBuffer) => self.need(inst, &[Capability::SampledBuffer, Capability::ImageBuffer]),
            Ty::Image(_, Dim::Dim1D) => self.need(inst, &[Capability::Sampled1D, Capability::Image1D]),
            Ty::SampledImage(image) if !matches!(self.types.get(image), Ty::Image(..)) => Err(format!("{}: of no image", show(inst))),
            Ty::Pointer(_, pointee) if self.types.get(pointee) == Ty::None => Err(format!("{}: points to no type", show(inst))),
            Ty::Struct(start, end) => match self.types.members(start, end).iter().find(|&&m| matches!(self.types.get(m), Ty::None | Ty::Void)) {
                Some(member) => Err(format!("{}: member %{member} is no data type", show(inst))),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn constant_rules(&self, inst: &dr::Instruction) -> Result<(), Failure> {
        let ty = inst.result_type.unwrap_or(0);
        match inst.class.opcode {
            Op::Constant => match (self.types.get(ty), inst.operands.as_slice()) {
                (Ty::Int(64) | Ty::Float(64), [Operand::LiteralBit64(_)]) | (Ty::Int(8..=32) | Ty::Float(16 | 32), [Operand::LiteralBit32(_)]) => Ok(()),
                _ => Err(format!("{}: the literal does not fit the type", show(inst))),
            },
            Op::ConstantTrue | Op::ConstantFalse if self.types.get(ty) != Ty::Bool => Err(format!("{}: of no boolean type", show(inst))),
            Op::ConstantComposite => self.composite_rules(inst, ty),
            Op::Variable => match (self.types.get(ty), inst.operands.first()) {
                (Ty::Pointer(class, _), Some(Operand::StorageClass(own))) if class == *own && class != StorageClass::Function => Ok(()),
                _ => Err(format!("{}: storage class and pointer type differ", show(inst))),
            },
            Op::ConstantTrue | Op::ConstantFalse | Op::ConstantNull | Op::Undef => match self.types.get(ty) {
                Ty::None | Ty::Void => Err(format!("{}: of no data type", show(inst))),
                _ => Ok(()),
            },
            Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstantComposite | Op::String => Ok(()),
            _ => Err(format!("{}: cannot stand at module level", show(inst))),
        }
    }

    fn composite_rules(&self, inst: &dr::Instruction, ty: Word) -> Result<(), Failure> {
        for (index, part) in id_operands(inst).enumerate() {
            if self.types.part(ty, Some(index as u32)) != Some(self.type_of(part)) {
                return Err(format!("{}: part {index} has the wrong type", show(inst)));
            }
        }
        match self.types.get(ty) {
            Ty::Vector(_, len) if len as usize != inst.operands.len() => Err(format!("{}: {len} parts expected", show(inst))),
            Ty::Struct(start, end) if (end - start) as usize != inst.operands.len() => Err(format!("{}: {} parts expected", show(inst), end - start)),
            _ => Ok(()),
        }
    }

    /// What may refer forward: entry points, execution modes, names, decorations.
    pub(super) fn references(&self) -> Result<(), Failure> {
        let module = self.module;
        let headers = module.entry_points.iter().chain(&module.execution_modes).chain(&module.debug_names).chain(&module.annotations);
        for inst in headers {
            if let Some(id) = id_operands(inst).find(|&id| self.id(id).is_none()) {
                return Err(format!("{}: id %{id} does not exist", show(inst)));
            }
            length(inst)?;
        }
        if module.entry_points.is_empty() {
            return Err("no entry point".to_owned());
        }
        for inst in &module.entry_points {
            self.entry_point(inst)?;
        }
        Ok(())
    }

    fn entry_point(&self, inst: &dr::Instruction) -> Result<(), Failure> {
        let function = Self::operand(inst, 1)?;
        if self.id(function).is_none_or(|i| i.op != Op::Function) {
            return Err(format!("{}: %{function} is no function", show(inst)));
        }
        let mut listed: Vec<Word> = id_operands(inst).skip(1).collect();
        if let Some(id) = listed.iter().find(|&&id| self.id(id).is_none_or(|i| i.op != Op::Variable)) {
            return Err(format!("{}: %{id} is no variable", show(inst)));
        }
        listed.sort_unstable();
        if let Some([id, _]) = listed.array_windows().find(|[a, b]| a == b) {
            return Err(format!("{}: %{id} is listed twice", show(inst)));
        }
        let all = self.module.header.as_ref().is_some_and(|h| h.version() >= (1, 4));
        for variable in self.module.types_global_values.iter().filter(|i| i.class.opcode == Op::Variable) {
            let class = variable.operands.first();
            let wanted = all || matches!(class, Some(Operand::StorageClass(StorageClass::Input | StorageClass::Output)));
            if let (true, Some(id)) = (wanted, variable.result_id)
                && listed.binary_search(&id).is_err()
            {
                return Err(format!("{}: variable %{id} is not listed", show(inst)));
            }
        }
        Ok(())
    }
}

/// Checks that an instruction fits in the format.
pub(super) fn length(inst: &dr::Instruction) -> Result<(), Failure> {
    // A word for each operand but strings and wide literals, which need a look.
    if inst.operands.len() < 16 && !inst.operands.iter().any(|o| matches!(o, Operand::LiteralString(_))) {
        return Ok(());
    }
    if let Some(Operand::LiteralString(text)) = inst.operands.iter().find(|o| matches!(o, Operand::LiteralString(s) if s.contains('\0'))) {
        return Err(format!("{}: the string {text:?} has a NUL within", show(inst)));
    }
    let words: usize = inst.operands.iter().map(operand_words).sum();
    if words + 3 > MAX_WORDS { Err(format!("{}: longer than {MAX_WORDS} words", show(inst))) } else { Ok(()) }
}

fn operand_words(operand: &Operand) -> usize {
    match operand {
        Operand::LiteralString(text) => text.len() / 4 + 1,
        Operand::LiteralBit64(_) => 2,
        _ => 1,
    }
}
