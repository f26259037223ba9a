//! The variables that memory became, for debug information.

use rspirv::spirv::Word;
use trellis_dxil_frontend::module::{GlobalId, InstId, ValueId};

use super::Memory;
use super::address::{Base, resolve};
use super::root::Root;
use crate::values::FunctionContext;

/// A variable that an `alloca` or a global became: a number, or an array of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DeclaredVariable {
    /// Id of the variable.
    pub(crate) id: Word,
    /// Its numbers.
    pub(crate) count: u32,
    /// Bits of a number.
    pub(crate) width: u32,
}

impl From<Root> for DeclaredVariable {
    fn from(root: Root) -> Self {
        Self {
            id: root.id,
            count: root.count,
            width: root.slot.width(),
        }
    }
}

impl Memory {
    /// Returns the variable of an `alloca` of the current function, if it has been used.
    pub(crate) fn declared_alloca(&self, inst: InstId) -> Option<DeclaredVariable> {
        self.allocas.get(&inst).map(|&root| root.into())
    }

    /// Returns the variable of a global, if it has been used.
    pub(crate) fn declared_global(&self, global: GlobalId) -> Option<DeclaredVariable> {
        let root = self.globals.get(global).copied().flatten()?;
        Some(root.into())
    }

    /// Returns the `alloca` that an address points into, and its offset in bytes if that is constant.
    pub(crate) fn accessed_alloca(
        &mut self,
        context: &FunctionContext<'_>,
        pointer: ValueId,
    ) -> Option<(InstId, Option<u64>)> {
        let (module, function) = (context.module, context.function);
        let address = resolve(module, &mut self.layouts, function, pointer).ok()?;
        let Base::Alloca(inst) = address.base else {
            return None;
        };
        let offset = address.terms.is_empty().then_some(address.constant);
        Some((inst, offset))
    }
}
