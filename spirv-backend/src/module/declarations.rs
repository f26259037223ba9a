//! Declarations of the module: variables, decorations, names, the entry point.

use rspirv::spirv::{Decoration, ExecutionMode, ExecutionModel, Op, StorageClass, Word};

use super::Builder;

impl Builder {
    /// Declares a variable: of the current function in class `Function`, else of the module, which
    /// is to be added to the interface.
    pub(crate) fn variable(&mut self, class: StorageClass, ty: Word, init: Option<Word>) -> Word {
        let (ptr_ty, id) = (self.ty_ptr(class, ty), self.id());
        let operands = [class as Word, init.unwrap_or_default()];
        let count = 1 + usize::from(init.is_some());
        let section = match class {
            StorageClass::Function => &mut self.locals,
            _ => {
                self.variables.push((id, class));
                &mut self.declarations
            }
        };
        section.push(Op::Variable, [ptr_ty, id], &operands[..count]);
        id
    }
    /// Declares a variable at a set and binding.
    pub(crate) fn bound_variable(
        &mut self,
        class: StorageClass,
        ty: Word,
        (set, binding): (u32, u32),
    ) -> Word {
        let id = self.variable(class, ty, None);
        self.decorate(id, Decoration::DescriptorSet, &[set]);
        self.decorate(id, Decoration::Binding, &[binding]);
        id
    }
    pub(crate) fn decorate(&mut self, id: Word, decoration: Decoration, extra: &[Word]) {
        self.annotations
            .push(Op::Decorate, [id, decoration as Word], extra);
    }
    pub(crate) fn decorate_member(
        &mut self,
        id: Word,
        member: u32,
        decoration: Decoration,
        extra: &[Word],
    ) {
        let target = [id, member, decoration as Word];
        self.annotations.push(Op::MemberDecorate, target, extra);
    }
    /// Adds a decoration whose operands are ids.
    pub(crate) fn decorate_ids(&mut self, id: Word, decoration: Decoration, ids: &[Word]) {
        self.annotations
            .push(Op::DecorateId, [id, decoration as Word], ids);
    }
    /// Names an id, if the module has names.
    pub(crate) fn name(&mut self, id: Word, name: &str) {
        if self.has_names {
            self.name_block(id, name);
        }
    }
    /// Names a block, which has a separate option.
    pub(crate) fn name_block(&mut self, id: Word, name: &str) {
        // A string of SPIR-V ends at a NUL.
        let name = name.split('\0').next().unwrap_or_default();
        if !name.is_empty() {
            self.names.push_text(Op::Name, &[id], name, &[]);
        }
    }
    /// Names an id by text that is made for it.
    pub(crate) fn name_by(&mut self, id: Word, write: impl FnOnce(&mut String)) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        write(&mut text);
        self.name(id, &text);
        self.text = text;
    }
    pub(crate) fn member_name(&mut self, id: Word, member: u32, name: &str) {
        if !self.has_names {
            return;
        }
        let name = name.split('\0').next().unwrap_or_default();
        self.names
            .push_text(Op::MemberName, &[id, member], name, &[]);
    }
    /// Returns the id of the `GLSL.std.450` import.
    pub(crate) fn glsl(&mut self) -> Word {
        if let Some(id) = self.glsl {
            return id;
        }
        let id = self.id();
        self.glsl = Some(id);
        id
    }

    /// Adds an execution mode of the entry point; a mode that exists already is not added again. The
    /// operands are literals or ids, as the mode has them.
    pub(crate) fn execution_mode(&mut self, mode: ExecutionMode, operands: &[Word]) {
        if !self
            .execution_modes
            .iter()
            .any(|(m, o)| *m == mode && o.as_slice() == operands)
        {
            self.execution_modes.push((mode, operands.into()));
        }
    }
    /// Declares that invocations reconverge by the structure of the code.
    pub(crate) fn maximally_reconverges(&mut self) {
        self.caps.extension("SPV_KHR_maximal_reconvergence");
        self.execution_mode(ExecutionMode::MaximallyReconvergesKHR, &[]);
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
        let code = &mut self.entry_point;
        code.push_text(Op::EntryPoint, &[model as Word, id], name, interface);
        for (mode, operands) in self.execution_modes.drain(..) {
            let op = match takes_ids(mode) {
                true => Op::ExecutionModeId,
                false => Op::ExecutionMode,
            };
            code.push(op, [id, mode as Word], &operands);
        }
    }
    /// Returns the module-level variables.
    pub(crate) fn variables(&self) -> &[(Word, StorageClass)] {
        &self.variables
    }
}

/// Returns true if the operands of an execution mode are ids.
fn takes_ids(mode: ExecutionMode) -> bool {
    matches!(
        mode,
        ExecutionMode::IsApiEntryAMDX
            | ExecutionMode::MaxNodeRecursionAMDX
            | ExecutionMode::MaxNumWorkgroupsAMDX
            | ExecutionMode::ShaderIndexAMDX
            | ExecutionMode::SharesInputWithAMDX
            | ExecutionMode::StaticNumWorkgroupsAMDX
    )
}
