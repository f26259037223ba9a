//! DXIL function → structurizer function, and the maps between their values.

use cranelift_entity::packed_option::PackedOption;
use dxil_frontend::module::{InstId, ValueId};

/// Maps between the values of a DXIL function and those of its structurizer function.
#[derive(Default)]
pub(crate) struct Lowered {
    /// Number of module-level values: local value numbers start here.
    pub(crate) module_values: u32,
    /// Structurizer value of each local DXIL value (arguments, instruction results; `extractvalue` aliases the component that it takes).
    pub(crate) values: Vec<PackedOption<structurizer::ir::Value>>,
    /// First result of each instruction and how many it has; components of a struct are contiguous.
    pub(crate) results: Vec<(PackedOption<structurizer::ir::Value>, u32)>,
    /// Whether a structurizer value has a use.
    pub(crate) used: Vec<bool>,
}

impl Lowered {
    /// Structurizer value of a local DXIL value; `None` for what has no plain representation (handles, pointers).
    pub(crate) fn value_of(&self, value: ValueId) -> Option<structurizer::ir::Value> {
        let index = value.as_u32().checked_sub(self.module_values)?;
        self.values.get(index as usize)?.expand()
    }
    /// Structurizer value of component `component` of an instruction's result.
    pub(crate) fn result_of(&self, inst: InstId, component: u32) -> Option<structurizer::ir::Value> {
        let (first, count) = *self.results.get(inst.as_u32() as usize)?;
        let first = first.expand()?;
        (component < count).then(|| structurizer::ir::Value::from_u32(first.as_u32() + component))
    }
    /// Whether anything uses a component of an instruction's result.
    pub(crate) fn is_used(&self, inst: InstId, component: u32) -> bool {
        self.result_of(inst, component).is_some_and(|v| self.used.get(v.as_u32() as usize).copied().unwrap_or(false))
    }
}
