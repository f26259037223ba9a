//! Module-level rules: layout, declarations, capabilities, entry points, references.

use rspirv::spirv::{Capability, Dim, Op, StorageClass, Word};
use smallvec::SmallVec;

use super::read::Inst;
use super::types::Ty;
use super::{Failure, MODULE, Verifier, show};

/// Words of the header (SPIR-V 1.6, section 2.3).
pub(super) const HEADER: u32 = 5;

/// Sections of a module in their order (SPIR-V 1.6, section 2.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Section {
    Capabilities,
    Extensions,
    Imports,
    MemoryModel,
    EntryPoints,
    ExecutionModes,
    Strings,
    Names,
    Annotations,
    Declarations,
}

fn section(op: Op) -> Section {
    match op {
        Op::Capability => Section::Capabilities,
        Op::Extension => Section::Extensions,
        Op::ExtInstImport => Section::Imports,
        Op::MemoryModel => Section::MemoryModel,
        Op::EntryPoint => Section::EntryPoints,
        Op::ExecutionMode | Op::ExecutionModeId => Section::ExecutionModes,
        Op::String => Section::Strings,
        Op::Name | Op::MemberName => Section::Names,
        Op::Decorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorate
        | Op::MemberDecorateString => Section::Annotations,
        _ => Section::Declarations,
    }
}

impl Verifier<'_> {
    /// Everything before the functions, in its order: each operand of a declaration is defined
    /// before. Gives the word where the functions start.
    pub(super) fn module_level(&mut self) -> Result<u32, Failure> {
        let mut at = HEADER;
        let mut last = Section::Capabilities;
        while (at as usize) < self.words.len() {
            let inst = self.read(at)?;
            if inst.op() == Op::Function {
                break;
            }
            inst.check()?;
            let section = section(inst.op());
            if section < last {
                return Err(format!("{}: is after the section {last:?}", show(&inst)));
            }
            last = section;
            match section {
                Section::Capabilities => self.capabilities.extend_from_slice(inst.operands),
                Section::Imports | Section::Strings => self.define(&inst, MODULE)?,
                Section::Declarations => self.declaration(&inst)?,
                Section::EntryPoints
                | Section::ExecutionModes
                | Section::Names
                | Section::Annotations => self.forward.push(at),
                Section::Extensions | Section::MemoryModel => {}
            }
            at = inst.next;
        }
        Ok(at)
    }

    fn declaration(&mut self, inst: &Inst<'_>) -> Result<(), Failure> {
        if let Some(id) = inst
            .ids()
            .chain(inst.result_type())
            .find(|&id| self.id(id).is_none())
        {
            return Err(format!("{}: id %{id} is not defined before", show(inst)));
        }
        self.define(inst, MODULE)?;
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
            Err(format!("{}: needs capability {any_of:?}", show(inst)))
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
            Ty::Int(width) | Ty::Float(width) => {
                Err(format!("{}: invalid width {width}", show(inst)))
            }
            Ty::Vector(element, len) => match self.types.get(element) {
                Ty::Bool | Ty::Int(_) | Ty::Float(_) if (2..=4).contains(&len) => Ok(()),
                _ => Err(format!("{}: a vector has 2 to 4 scalars", show(inst))),
            },
            Ty::Matrix(column, len) => match self.types.get(column) {
                Ty::Vector(element, _)
                    if matches!(self.types.get(element), Ty::Float(_))
                        && (2..=4).contains(&len) =>
                {
                    Ok(())
                }
                _ => Err(format!(
                    "{}: a matrix has 2 to 4 columns of floats",
                    show(inst)
                )),
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
                Err(format!("{}: of no image", show(inst)))
            }
            Ty::Pointer(_, pointee) if self.types.get(pointee) == Ty::None => {
                Err(format!("{}: points to no type", show(inst)))
            }
            Ty::Struct(start, end) => match self
                .types
                .members(start, end)
                .iter()
                .find(|&&m| matches!(self.types.get(m), Ty::None | Ty::Void))
            {
                Some(member) => Err(format!(
                    "{}: member %{member} is not a data type",
                    show(inst)
                )),
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
                _ => Err(format!("{}: the literal does not fit the type", show(inst))),
            },
            Op::ConstantTrue | Op::ConstantFalse if self.types.get(ty) != Ty::Bool => {
                Err(format!("{}: of no boolean type", show(inst)))
            }
            Op::ConstantComposite => self.composite_rules(inst, ty),
            Op::Variable => match (self.types.get(ty), inst.operands.first()) {
                (Ty::Pointer(class, _), Some(&own))
                    if class as Word == own && class != StorageClass::Function =>
                {
                    Ok(())
                }
                _ => Err(format!(
                    "{}: storage class and pointer type differ",
                    show(inst)
                )),
            },
            Op::ConstantTrue | Op::ConstantFalse | Op::ConstantNull | Op::Undef => {
                match self.types.get(ty) {
                    Ty::None | Ty::Void => Err(format!("{}: of no data type", show(inst))),
                    _ => Ok(()),
                }
            }
            Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstantComposite => Ok(()),
            _ => Err(format!("{}: is not allowed at module level", show(inst))),
        }
    }

    fn composite_rules(&self, inst: &Inst<'_>, ty: Word) -> Result<(), Failure> {
        for (index, part) in inst.ids().enumerate() {
            if self.types.part(ty, Some(index as u32)) != Some(self.type_of(part)) {
                return Err(format!("{}: part {index} has the wrong type", show(inst)));
            }
        }
        match self.types.get(ty) {
            Ty::Vector(_, len) if len as usize != inst.operands.len() => {
                Err(format!("{}: {len} parts expected", show(inst)))
            }
            Ty::Struct(start, end) if (end - start) as usize != inst.operands.len() => {
                Err(format!("{}: {} parts expected", show(inst), end - start))
            }
            _ => Ok(()),
        }
    }

    /// The instructions that may refer forward: entry points, execution modes, names, decorations.
    pub(super) fn references(&self) -> Result<(), Failure> {
        let mut entry_points = 0;
        for &at in &self.forward {
            let inst = self.read(at)?;
            if let Some(id) = inst.ids().find(|&id| self.id(id).is_none()) {
                return Err(format!("{}: id %{id} does not exist", show(&inst)));
            }
            if inst.op() == Op::EntryPoint {
                entry_points += 1;
                self.entry_point(&inst)?;
            }
        }
        if entry_points == 0 {
            Err("no entry point".to_owned())
        } else {
            Ok(())
        }
    }

    fn entry_point(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let function = Self::operand(inst, 1)?;
        if self.id(function).is_none_or(|i| i.op != Op::Function) {
            return Err(format!("{}: %{function} is not a function", show(inst)));
        }
        let mut listed: SmallVec<[Word; 16]> = inst.ids().skip(1).collect();
        if let Some(id) = listed
            .iter()
            .find(|&&id| self.id(id).is_none_or(|i| i.op != Op::Variable))
        {
            return Err(format!("{}: %{id} is not a variable", show(inst)));
        }
        listed.sort_unstable();
        if let Some([id, _]) = listed.array_windows().find(|[a, b]| a == b) {
            return Err(format!("{}: %{id} is listed twice", show(inst)));
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
                return Err(format!(
                    "{}: variable %{variable} is not listed",
                    show(inst)
                ));
            }
        }
        Ok(())
    }
}
