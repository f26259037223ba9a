//! Module-level rules: layout, declarations, capabilities, entry points, references.

use rspirv::spirv::{AddressingModel, Capability, Dim, Op, StorageClass, Word};
use smallvec::SmallVec;

use super::read::Inst;
use super::types::Ty;
use super::{Failure, MODULE, Verifier, broken};
use crate::error::{ModuleSection, VerifyRule};

/// Words of the header (SPIR-V 1.6, section 2.3).
pub(super) const HEADER: u32 = 5;

/// The addressing model of modules with device addresses.
const PHYSICAL: Word = AddressingModel::PhysicalStorageBuffer64 as Word;

fn section(op: Op) -> ModuleSection {
    match op {
        Op::Capability => ModuleSection::Capabilities,
        Op::Extension => ModuleSection::Extensions,
        Op::ExtInstImport => ModuleSection::Imports,
        Op::MemoryModel => ModuleSection::MemoryModel,
        Op::EntryPoint => ModuleSection::EntryPoints,
        Op::ExecutionMode | Op::ExecutionModeId => ModuleSection::ExecutionModes,
        Op::String => ModuleSection::Strings,
        Op::Name | Op::MemberName => ModuleSection::Names,
        Op::Decorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorate
        | Op::MemberDecorateString => ModuleSection::Annotations,
        _ => ModuleSection::Declarations,
    }
}

impl Verifier<'_> {
    /// Checks everything before the functions, in its order: each operand of a declaration is
    /// defined before. Gives the word where the functions start.
    pub(super) fn module_level(&mut self) -> Result<u32, Failure> {
        let mut at = HEADER;
        let mut last = ModuleSection::Capabilities;
        while (at as usize) < self.words.len() {
            let inst = self.read_next(at)?;
            if inst.op() == Op::Function {
                break;
            }
            inst.check()?;
            let section = section(inst.op());
            if section < last {
                return Err(broken(&inst, VerifyRule::SectionOrder { previous: last }));
            }
            last = section;
            match section {
                ModuleSection::Capabilities => self.capabilities.extend_from_slice(inst.operands),
                ModuleSection::Imports => {
                    self.define(&inst, MODULE)?;
                    self.import(&inst);
                }
                ModuleSection::Strings => self.define(&inst, MODULE)?,
                ModuleSection::Declarations => self.declaration(&inst)?,
                ModuleSection::EntryPoints
                | ModuleSection::ExecutionModes
                | ModuleSection::Names
                | ModuleSection::Annotations => self.forward.push(inst),
                ModuleSection::MemoryModel => self.memory_model(&inst)?,
                ModuleSection::Extensions => {}
            }
            at = inst.next;
        }
        Ok(at)
    }

    /// Vulkan has two addressing models (VUID-StandaloneSpirv-None-04635 and the capability's own
    /// rule).
    fn memory_model(&mut self, inst: &Inst<'_>) -> Result<(), Failure> {
        self.addressing = Self::operand(inst, 0)?;
        if self.addressing == PHYSICAL {
            self.need(inst, &[Capability::PhysicalStorageBufferAddresses])
        } else if self.addressing == AddressingModel::Logical as Word {
            Ok(())
        } else {
            Err(broken(inst, VerifyRule::AddressingModel))
        }
    }

    fn declaration(&mut self, inst: &Inst<'_>) -> Result<(), Failure> {
        if let Some(id) = inst
            .ids()
            .chain(inst.result_type())
            .find(|&id| self.id(id).is_none())
        {
            return Err(broken(inst, VerifyRule::NotDefinedBefore { id }));
        }
        self.define(inst, MODULE)?;
        if inst.op() == Op::ExtInst {
            return self.extended_declaration(inst);
        }
        if inst.op() == Op::Variable {
            self.variables
                .push((inst.result, inst.operands.first().copied().unwrap_or(0)));
        }
        match self.types.declare(inst) {
            Some(ty) => self.type_rules(inst, ty),
            None => self.constant_rules(inst),
        }
    }

    fn need(&self, inst: &Inst<'_>, any_of: &[Capability]) -> Result<(), Failure> {
        if any_of
            .iter()
            .any(|&c| self.capabilities.contains(&(c as Word)))
        {
            Ok(())
        } else {
            Err(broken(inst, VerifyRule::capability(any_of)))
        }
    }

    fn type_rules(&self, inst: &Inst<'_>, ty: Ty) -> Result<(), Failure> {
        match ty {
            Ty::Int(8) => self.need(inst, &[Capability::Int8]),
            Ty::Int(16) => self.need(inst, &[Capability::Int16]),
            Ty::Int(64) => self.need(inst, &[Capability::Int64]),
            Ty::Float(16) => self.need(inst, &[Capability::Float16]),
            Ty::Float(64) => self.need(inst, &[Capability::Float64]),
            Ty::Int(32) | Ty::Float(32) => Ok(()),
            // With an encoding.
            Ty::Float(8) if inst.operands.len() == 2 => self.need(inst, &[Capability::Float8EXT]),
            Ty::Int(width) | Ty::Float(width) => Err(broken(inst, VerifyRule::Width { width })),
            Ty::Vector(element, len) => match self.types.get(element) {
                Ty::Bool | Ty::Int(_) | Ty::Float(_) if (2..=4).contains(&len) => Ok(()),
                _ => Err(broken(inst, VerifyRule::VectorType)),
            },
            Ty::Matrix(column, len) => match self.types.get(column) {
                Ty::Vector(element, _)
                    if matches!(self.types.get(element), Ty::Float(_))
                        && (2..=4).contains(&len) =>
                {
                    Ok(())
                }
                _ => Err(broken(inst, VerifyRule::MatrixType)),
            },
            Ty::Opaque if inst.op() != Op::TypeSampler => {
                self.need(inst, &[Capability::RayQueryKHR, Capability::RayTracingKHR])
            }
            Ty::Image(_, Dim::DimBuffer) => {
                self.need(inst, &[Capability::SampledBuffer, Capability::ImageBuffer])
            }
            Ty::Image(_, Dim::Dim1D) => {
                self.need(inst, &[Capability::Sampled1D, Capability::Image1D])
            }
            Ty::SampledImage(image) if !matches!(self.types.get(image), Ty::Image(..)) => {
                Err(broken(inst, VerifyRule::SampledImageType))
            }
            Ty::PayloadArray(payload) => {
                self.need(inst, &[Capability::ShaderEnqueueAMDX])?;
                match self.types.get(payload) {
                    Ty::Struct(..) => Ok(()),
                    _ => Err(broken(inst, VerifyRule::MemberType { member: payload })),
                }
            }
            Ty::Pointer(StorageClass::NodePayloadAMDX, pointee)
                if self.types.get(pointee) != Ty::None =>
            {
                self.need(inst, &[Capability::ShaderEnqueueAMDX])
            }
            Ty::Pointer(StorageClass::PhysicalStorageBuffer, _) if self.addressing != PHYSICAL => {
                Err(broken(inst, VerifyRule::AddressingModel))
            }
            Ty::Pointer(_, pointee) if self.types.get(pointee) == Ty::None => {
                Err(broken(inst, VerifyRule::PointerType))
            }
            Ty::Struct(start, end) => match self
                .types
                .members(start, end)
                .iter()
                .find(|&&m| matches!(self.types.get(m), Ty::None | Ty::Void))
            {
                Some(member) => Err(broken(inst, VerifyRule::MemberType { member: *member })),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn constant_rules(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let ty = inst.result_type;
        match inst.op() {
            Op::Constant | Op::SpecConstant => match (self.types.get(ty), inst.operands.len()) {
                (Ty::Int(64) | Ty::Float(64), 2) | (Ty::Int(8..=32) | Ty::Float(16 | 32), 1) => {
                    Ok(())
                }
                _ => Err(broken(inst, VerifyRule::LiteralWidth)),
            },
            Op::ConstantTrue | Op::ConstantFalse if self.types.get(ty) != Ty::Bool => {
                Err(broken(inst, VerifyRule::NotBool))
            }
            Op::ConstantComposite => self.composite_rules(inst, ty),
            Op::Variable => match (self.types.get(ty), inst.operands.first()) {
                (Ty::Pointer(class, _), Some(&own))
                    if class as Word == own && class != StorageClass::Function =>
                {
                    Ok(())
                }
                _ => Err(broken(inst, VerifyRule::VariableClass)),
            },
            Op::ConstantTrue | Op::ConstantFalse | Op::ConstantNull | Op::Undef => {
                match self.types.get(ty) {
                    Ty::None | Ty::Void => Err(broken(inst, VerifyRule::NotADataType)),
                    _ => Ok(()),
                }
            }
            Op::ConstantStringAMDX | Op::SpecConstantStringAMDX => {
                self.need(inst, &[Capability::ShaderEnqueueAMDX])
            }
            Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstantComposite => Ok(()),
            _ => Err(broken(inst, VerifyRule::NotAtModuleLevel)),
        }
    }

    fn composite_rules(&self, inst: &Inst<'_>, ty: Word) -> Result<(), Failure> {
        for (index, part) in inst.ids().enumerate() {
            if self.types.part(ty, Some(index as u32)) != Some(self.type_of(part)) {
                return Err(broken(inst, VerifyRule::ConstituentType { index }));
            }
        }
        match self.types.get(ty) {
            Ty::Vector(_, len) if len as usize != inst.operands.len() => {
                Err(broken(inst, VerifyRule::ConstituentCount { expected: len }))
            }
            Ty::Struct(start, end) if (end - start) as usize != inst.operands.len() => Err(broken(
                inst,
                VerifyRule::ConstituentCount {
                    expected: end - start,
                },
            )),
            _ => Ok(()),
        }
    }

    /// Checks the instructions that may refer forward: entry points, execution modes, names,
    /// decorations.
    pub(super) fn references(&self) -> Result<(), Failure> {
        let mut entry_points = 0;
        for &inst in &self.forward {
            if let Some(id) = inst.ids().find(|&id| self.id(id).is_none()) {
                return Err(broken(&inst, VerifyRule::Undefined { id }));
            }
            match inst.op() {
                Op::EntryPoint => {
                    entry_points += 1;
                    self.entry_point(&inst)?;
                }
                Op::ExecutionMode | Op::ExecutionModeId => self.payload_mode(&inst)?,
                _ => {}
            }
        }
        if entry_points == 0 {
            Err(VerifyRule::NoEntryPoint.into())
        } else {
            Ok(())
        }
    }

    /// Returns the execution models of the entry points. They come first: of a module without the
    /// stages at hand nothing more is read.
    pub(super) fn models(&self) -> impl Iterator<Item = Word> {
        self.forward.iter().map_while(|inst| {
            let model = inst.operands.first().copied();
            model.filter(|_| inst.op() == Op::EntryPoint)
        })
    }

    fn entry_point(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let function = Self::operand(inst, 1)?;
        if self.id(function).is_none_or(|i| i.op != Op::Function) {
            return Err(broken(inst, VerifyRule::NotAFunction { id: function }));
        }
        let mut listed: SmallVec<[Word; 16]> = inst.ids().skip(1).collect();
        if let Some(id) = listed
            .iter()
            .find(|&&id| self.id(id).is_none_or(|i| i.op != Op::Variable))
        {
            return Err(broken(inst, VerifyRule::NotAVariable { id: *id }));
        }
        listed.sort_unstable();
        if let Some([id, _]) = listed.array_windows().find(|[a, b]| a == b) {
            return Err(broken(inst, VerifyRule::ListedTwice { id: *id }));
        }
        // Major and minor version in the second and third byte. Since 1.4 all variables are listed,
        // before that inputs and outputs.
        let all = self
            .words
            .get(1)
            .is_some_and(|&version| version >= 0x0001_0400);
        for &(variable, class) in &self.variables {
            let wanted = all
                || class == StorageClass::Input as Word
                || class == StorageClass::Output as Word;
            if wanted && listed.binary_search(&variable).is_err() {
                return Err(broken(inst, VerifyRule::NotListed { id: variable }));
            }
        }
        Ok(())
    }
}
