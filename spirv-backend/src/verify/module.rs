//! Module-level rules: layout, declarations, capabilities, entry points, references.

use rspirv::spirv::{AddressingModel, Capability, Dim, Op, StorageClass, Word};
use smallvec::SmallVec;

use super::blocks::Scan;
use super::forms::stage;
use super::read::{Head, Inst, malformed_head};
use super::types::Ty;
use super::{DefinedIn, Failure, Verifier, broken};
use crate::error::{ModuleSection, VerifyRule};

/// Words of the header (SPIR-V 1.6, section 2.3).
pub(super) const HEADER: u32 = 5;

/// The addressing model of modules with device addresses.
const PHYSICAL: Word = AddressingModel::PhysicalStorageBuffer64 as Word;

/// Returns the section that the instructions of an opcode are in.
pub(super) fn section(op: Op) -> ModuleSection {
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
        let (reader, words) = (self.reader, self.words);
        let mut at = HEADER;
        let mut rest = words.get(at as usize..).unwrap_or_default();
        let mut last = ModuleSection::Capabilities;
        while !rest.is_empty() {
            let head = reader.next(&mut rest, at)?;
            if head.layout.op == Op::Function {
                break;
            }
            let section = head.layout.section;
            if section < last {
                let rule = VerifyRule::SectionOrder { previous: last };
                return Err(self.broken_at(at, rule));
            }
            if section != last && section == ModuleSection::EntryPoints {
                self.forward.0 = at;
            }
            last = section;
            let next = at + head.words.len() as u32;
            match section {
                ModuleSection::Declarations => self.declaration(head, at)?,
                ModuleSection::Names | ModuleSection::Annotations => self.reference(head, at)?,
                _ => self.preamble(section, head, at)?,
            }
            at = next;
        }
        Ok(at)
    }

    /// Reads an instruction of one of the sections that have few.
    fn preamble(&mut self, section: ModuleSection, head: Head<'_>, at: u32) -> Result<(), Failure> {
        let inst = &self.read(at)?;
        inst.check()?;
        match section {
            ModuleSection::Capabilities => self.capabilities.extend_from_slice(inst.operands),
            ModuleSection::Imports => {
                self.define(inst, DefinedIn::MODULE)?;
                self.import(inst);
            }
            ModuleSection::Strings => self.define(inst, DefinedIn::MODULE)?,
            ModuleSection::MemoryModel => self.memory_model(inst)?,
            ModuleSection::EntryPoints => {
                let model = Self::operand(inst, 0)?;
                self.models.push(model);
                self.stages |= stage(model);
                self.reference(head, at)?;
            }
            ModuleSection::ExecutionModes => self.reference(head, at)?,
            _ => {}
        }
        Ok(())
    }

    /// Remembers which ids an instruction refers to, which may come later.
    #[inline(always)]
    fn reference(&mut self, head: Head<'_>, at: u32) -> Result<(), Failure> {
        self.forward.1 = at + head.words.len() as u32;
        match head.simple_ids() {
            Some(ids) => ids.iter().for_each(|&id| self.references.push((id, at))),
            None => {
                let ids = head.ids().ok_or_else(|| malformed_head(head, at))?;
                self.references.extend(ids.map(|id| (id, at)));
            }
        }
        Ok(())
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

    #[inline]
    fn declaration(&mut self, head: Head<'_>, at: u32) -> Result<(), Failure> {
        let Scan {
            ty,
            id,
            shapes,
            is_unknown,
        } = self.scan(head, at, DefinedIn::MODULE)?;
        // Most declarations are constants of 32 bits.
        let is_word = shapes.result.is_word() && head.words.len() == 4;
        if is_word && !is_unknown && head.layout.op == Op::Constant {
            return Ok(());
        }
        self.other_declaration(&head.inst(at, ty, id), is_unknown)
    }

    #[inline(never)]
    fn other_declaration(&mut self, inst: &Inst<'_>, is_unknown: bool) -> Result<(), Failure> {
        if is_unknown {
            let mut ids = inst.ids().chain(inst.result_type());
            let is_missing = |id: &Word| *id == inst.result || self.id(*id).is_none();
            let id = ids.find(is_missing).unwrap_or(0);
            return Err(broken(inst, VerifyRule::NotDefinedBefore { id }));
        }
        if inst.op() == Op::ExtInst {
            return self.extended_declaration(inst);
        }
        if inst.op() == Op::Variable {
            self.variables
                .push((inst.result, inst.operands.first().copied().unwrap_or(0)));
        }
        match self.types.declare(inst) {
            Some(ty) => {
                let shape = self.types.shape(ty);
                if let Some(slot) = self.ids.get_mut(inst.result as usize) {
                    slot.shape = shape.of_type();
                }
                self.type_rules(inst, ty)
            }
            None => self.constant_rules(inst),
        }
    }

    /// Returns true if a capability is declared.
    pub(super) fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&(capability as Word))
    }

    /// Checks that an instruction's capability, or one of several, is declared.
    pub(super) fn need(&self, inst: &Inst<'_>, any_of: &[Capability]) -> Result<(), Failure> {
        if any_of.iter().any(|&capability| self.has(capability)) {
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
        if let Some(&(id, at)) = (self.references.iter()).find(|&&(id, _)| self.id(id).is_none()) {
            return Err(self.broken_at(at, VerifyRule::Undefined { id }));
        }
        for inst in self.forward() {
            match inst.layout.section {
                ModuleSection::EntryPoints => self.entry_point(&inst)?,
                ModuleSection::ExecutionModes => self.payload_mode(&inst)?,
                _ => break,
            }
        }
        if self.models.is_empty() {
            Err(VerifyRule::NoEntryPoint.into())
        } else {
            Ok(())
        }
    }

    fn entry_point(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let function = Self::operand(inst, 1)?;
        if self.id(function).is_none_or(|i| !i.is(Op::Function)) {
            return Err(broken(inst, VerifyRule::NotAFunction { id: function }));
        }
        let mut listed: SmallVec<[Word; 16]> = inst.ids().skip(1).collect();
        if let Some(id) = listed
            .iter()
            .find(|&&id| self.id(id).is_none_or(|i| !i.is(Op::Variable)))
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
