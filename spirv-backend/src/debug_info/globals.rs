//! Global variables: groupshared memory, static variables and resources that the shader uses.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Word};
use rustc_hash::FxHashSet;
use trellis_dxil_frontend::debug_info::{DebugNode, GlobalVariable};
use trellis_dxil_frontend::module::{GlobalId, ValueKind};

use super::DebugInfo;
use super::scopes::flag;
use super::types::Shape;
use crate::module::Builder;

/// The variable that a global of the module became, and the width of its numbers.
#[derive(Clone, Copy)]
pub(crate) struct GlobalMemory {
    /// Id.
    pub(crate) id: Word,
    /// Number of numbers, and bits of each.
    pub(crate) shape: (u32, u64),
}

impl DebugInfo<'_> {
    /// Declares the global variables of the source that have a variable in the output: by the
    /// module's variable, or by the name of a resource.
    pub(crate) fn global_variables(
        &mut self,
        b: &mut Builder,
        memory: impl Fn(GlobalId) -> Option<GlobalMemory>,
        resource: impl Fn(&str) -> Option<Word>,
    ) {
        let units = self.metadata.named("llvm.dbg.cu").unwrap_or_default();
        let mut described = FxHashSet::default();
        for &unit in units {
            let Some(DebugNode::CompileUnit(unit)) = self.metadata.debug_node(unit) else {
                continue;
            };
            for id in self.list(unit.globals).into_iter().flatten() {
                let Some(DebugNode::GlobalVariable(node)) = self.metadata.debug_node(id) else {
                    continue;
                };
                let of_module = |value| match self.module.value(None, value)?.kind {
                    ValueKind::Global(global) => memory(global),
                    _ => None,
                };
                let value = node.variable.and_then(|id| self.metadata.value(id));
                let found = match value {
                    Some((_, value)) => of_module(value).map(|found| (found.id, Some(found.shape))),
                    None => (node.name.as_deref().and_then(&resource)).map(|id| (id, None)),
                };
                let Some((id, shape)) = found.filter(|found| described.insert(found.0)) else {
                    continue;
                };
                // Parts that DXC split off have no separate type.
                if shape.is_some() && matches!(self.ty(b, node.ty).shape, Shape::Opaque) {
                    continue;
                }
                // Structures are flat arrays in the output, which no type of the source describes.
                let variable = match (shape, node.ty) {
                    (Some(_), Some(ty)) if self.flat_shape_of(b, ty) == shape => id,
                    (Some(_), _) => self.none(b),
                    (None, _) => id,
                };
                self.global_variable(b, &node, variable);
            }
        }
    }

    fn global_variable(&mut self, b: &mut Builder, node: &GlobalVariable<'_>, variable: Word) {
        let scope = node.scope.map(|scope| self.scope(b, scope));
        let (scope, source) = scope.map_or((self.unit, self.main), |s| (s.id, s.source));
        let source = self.source(b, node.file, source);
        let name = node.name.as_deref().unwrap_or_default();
        let [source, line, column] = self.position(b, source, (node.line, 0), name);
        let mut flags = 0;
        if node.is_local {
            flags |= flag::IS_LOCAL;
        }
        if node.is_definition {
            flags |= flag::IS_DEFINITION;
        }
        let operands = [
            b.debug_string(name),
            self.ty(b, node.ty).id,
            source,
            line,
            column,
            scope,
            b.debug_string(node.linkage_name.as_deref().unwrap_or(name)),
            variable,
            b.debug_u32(flags),
        ];
        b.debug_global(DebugOp::DebugGlobalVariable, &operands);
    }
}
