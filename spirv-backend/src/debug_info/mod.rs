//! Debug information of the source, from DXIL's metadata to `NonSemantic.Shader.DebugInfo.100`.
//!
//! Nodes are converted when code first refers to them: a place with its scopes, files and the calls
//! that were inlined, a variable with its type. Each node is converted once.
//!
//! Metadata is not trusted. Unreadable nodes are left out, so that debug information never makes a
//! conversion fail: an invalid scope becomes the compilation unit, an invalid type an opaque one,
//! and circles are cut. Chains are walked with loops. Lists that many nodes share could make the
//! output quadratic, so [`DebugInfo`] has a budget in proportion to the metadata; when it is spent,
//! the remaining lists are empty.

mod globals;
mod pieces;
mod scopes;
mod sources;
mod types;
mod variables;

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Word};
use rustc_hash::FxHashMap;
use trellis_dxil_frontend::debug_info::{DebugNode, arguments};
use trellis_dxil_frontend::metadata::{MdId, Metadata};
use trellis_dxil_frontend::module::{FunctionId, Module};

use crate::module::{Builder, OptionalId};
pub(crate) use globals::GlobalMemory;
use scopes::Scope;
use sources::Sources;
use types::TypeInfo;
pub(crate) use variables::VariablePart;

/// Operands that the lists of any module may have together, in addition to those in proportion to
/// its metadata.
const MIN_BUDGET: usize = 1 << 12;

/// Most members of structures that all searches for parts of variables visit.
const MAX_STEPS: usize = 1 << 20;

/// The debug information of a module, as far as it is converted.
pub(crate) struct DebugInfo<'m> {
    module: &'m Module,
    metadata: &'m Metadata,
    sources: Sources<'m>,
    /// The compilation unit.
    unit: Word,
    /// The source of the compilation unit.
    main: Word,
    scopes: FxHashMap<MdId, Scope>,
    inlined: FxHashMap<MdId, OptionalId>,
    types: FxHashMap<MdId, TypeInfo>,
    variables: FxHashMap<MdId, OptionalId>,
    /// The node that describes each function.
    functions: FxHashMap<FunctionId, MdId>,
    none: OptionalId,
    opaque: OptionalId,
    /// `DebugExpression`s: that without operations, and those for parts.
    expressions: FxHashMap<Option<(u64, u64)>, Word>,
    paths: FxHashMap<(MdId, u64, u64), pieces::Path>,
    /// The bits of matrices are row by row, by an argument of the compiler. The metadata does not
    /// show that a matrix is declared otherwise.
    row_major: bool,
    /// Operands that lists may still have.
    budget: usize,
    /// Members that searches for parts may still visit.
    steps: usize,
}

impl<'m> DebugInfo<'m> {
    /// Returns the debug information of a module, with its compilation unit and embedded sources;
    /// `None` if the module has none.
    pub(crate) fn new(b: &mut Builder, module: &'m Module) -> Option<Self> {
        let metadata = &module.metadata;
        let units = metadata.named("llvm.dbg.cu")?;
        let units = units
            .iter()
            .filter_map(|&id| match metadata.debug_node(id)? {
                DebugNode::CompileUnit(unit) => Some(unit),
                _ => None,
            });
        let units: Vec<_> = units.collect();
        let file = units.first()?.file;
        b.begin_debug_info();
        let mut this = Self {
            module,
            metadata,
            sources: Sources::new(metadata),
            unit: 0,
            main: 0,
            scopes: FxHashMap::default(),
            inlined: FxHashMap::default(),
            types: FxHashMap::default(),
            variables: FxHashMap::default(),
            functions: FxHashMap::default(),
            none: OptionalId::NONE,
            opaque: OptionalId::NONE,
            expressions: FxHashMap::default(),
            paths: FxHashMap::default(),
            row_major: arguments(metadata).any(|argument| argument.ends_with("Zpr")),
            budget: MIN_BUDGET
                + 2 * (metadata.nodes.len() + metadata.operands.len() + metadata.records.len()),
            steps: MAX_STEPS,
        };
        this.main = this.sources.main(b, metadata, file);
        this.sources.embedded(b);
        this.unit = this.compilation_unit(b);
        for list in units.iter().filter_map(|unit| unit.subprograms) {
            this.list_functions(list);
        }
        Some(this)
    }

    /// The information's version, DWARF's, and HLSL's number as a source language.
    fn compilation_unit(&self, b: &mut Builder) -> Word {
        let operands = [b.debug_u32(1), b.debug_u32(4), self.main, b.debug_u32(5)];
        b.debug_global(DebugOp::DebugCompilationUnit, &operands)
    }

    /// Returns `DebugInfoNone`.
    fn none(&mut self, b: &mut Builder) -> Word {
        if let Some(known) = self.none.expand() {
            return known;
        }
        let id = b.debug_global(DebugOp::DebugInfoNone, &[]);
        self.none = id.into();
        id
    }

    /// Takes `operands` from the budget.
    fn spend(&mut self, operands: usize) -> bool {
        let left = self.budget.checked_sub(operands);
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// Returns the entries of a tuple, as far as the budget allows; none if it is not one.
    fn list(&mut self, tuple: Option<MdId>) -> Vec<Option<MdId>> {
        let Some(operands) = tuple.and_then(|id| self.metadata.tuple(id)) else {
            return Vec::new();
        };
        if self.spend(operands.len()) {
            operands.collect()
        } else {
            Vec::new()
        }
    }
}
