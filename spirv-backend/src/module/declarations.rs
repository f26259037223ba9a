//! Declarations of the module: variables, decorations, names, the entry point.

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, ExecutionMode, ExecutionModel, Op, StorageClass, Word};

use super::{Builder, inst};

impl Builder {
    /// Returns a module-level variable; add it to the interface yourself.
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
    /// Returns the id of the `GLSL.std.450` import.
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

    /// Adds an execution mode of the entry point; a mode that exists already is not added again.
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
    /// Returns the module-level variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (Word, StorageClass)> {
        let globals = self.module.types_global_values.iter();
        globals
            .filter(|inst| inst.class.opcode == Op::Variable)
            .filter_map(|inst| match inst.operands.first() {
                Some(&Operand::StorageClass(class)) => Some((inst.result_id?, class)),
                _ => None,
            })
    }
}
