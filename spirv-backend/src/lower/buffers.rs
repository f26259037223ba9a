//! What lowering allocates, for the next function.

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{BlockId, FunctionId, PoolRange};
use trellis_entity::{EntitySet, PackedOption, PrimaryMap};
use trellis_structurizer::ir;

use super::exports::Exports;
use super::function::{Below, FoldId, Step};
use super::{HitObjects, Local, Lowered, Run};
use crate::recycle::list_bytes;

/// Memory of the functions before.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The maps of functions that were emitted, empty.
    pub(super) lowered: Vec<Lowered>,
    pub(super) scratch: Scratch,
    /// Functions that were lowered, and that are to be; see `lower_all`.
    pub(crate) made: EntitySet<FunctionId>,
    pub(crate) wanted: Vec<FunctionId>,
}

/// The lists of [`Lowering`](super::function::Lowering).
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) constants: Vec<PackedOption<ir::Value>>,
    pub(super) below: Vec<PackedOption<FoldId>>,
    pub(super) folds: PrimaryMap<FoldId, Below>,
    pub(super) fitting: Vec<Option<Op>>,
    pub(super) last_use: Vec<u32>,
    pub(super) leaves: Vec<Local>,
    pub(super) uses: Vec<Local>,
    pub(super) use_values: Vec<ir::Value>,
    pub(super) types: Vec<ir::Type>,
    pub(super) export_types: Vec<ir::Type>,
    pub(super) exports: Exports,
    pub(super) position: Vec<u32>,
    pub(super) tails: Vec<ir::Block>,
    pub(super) phis: Vec<(ir::Value, BlockId, PoolRange)>,
    pub(super) order: Vec<BlockId>,
    pub(super) path: Vec<Step>,
}

impl Buffers {
    /// Frees what only lowering needs.
    pub(crate) fn free_scratch(&mut self) {
        self.scratch = Scratch::default();
    }

    /// Takes the maps of a function that was emitted. Those of the functions of a shader are given
    /// back in reverse order, so that the same functions get them again.
    pub(crate) fn recycle(&mut self, mut lowered: Lowered) {
        let Lowered {
            module_values: _,
            values,
            results,
            further,
            structured,
            last_use: _,
            used,
            runs,
            uses,
            exported,
            emitted,
            known,
            queries,
            hit_objects,
            discards,
            callees,
        } = &mut lowered;
        values.clear();
        results.clear();
        further.clear();
        structured.clear();
        used.clear();
        runs.clear();
        uses.clear();
        exported.clear();
        emitted.clear();
        known.clear();
        queries.clear();
        discards.clear();
        callees.clear();
        // Few shaders have any.
        *hit_objects = HitObjects::default();
        self.lowered.push(lowered);
    }

    /// Returns the bytes that it keeps.
    pub(crate) fn bytes(&self) -> usize {
        let Scratch {
            constants,
            below,
            folds,
            fitting,
            last_use,
            leaves,
            uses,
            use_values,
            types,
            export_types,
            exports,
            position,
            tails,
            phis,
            order,
            path,
        } = &self.scratch;
        let lowered: usize = self.lowered.iter().map(Lowered::bytes).sum();
        lowered
            + list_bytes(&self.lowered)
            + self.made.capacity() / 8
            + list_bytes(&self.wanted)
            + list_bytes(constants)
            + list_bytes(below)
            + folds.capacity() * size_of::<Below>()
            + list_bytes(fitting)
            + list_bytes(last_use)
            + list_bytes(leaves)
            + list_bytes(uses)
            + list_bytes(use_values)
            + list_bytes(types)
            + list_bytes(export_types)
            + exports.bytes()
            + list_bytes(position)
            + list_bytes(tails)
            + list_bytes(phis)
            + list_bytes(order)
            + list_bytes(path)
    }
}

impl Lowered {
    /// Frees the memory that was reserved for more than there is.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.structured.shrink_to_fit();
        self.runs.shrink_to_fit();
        self.uses.shrink_to_fit();
        self.exported.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        list_bytes(&self.values)
            + list_bytes(&self.results)
            + self.structured.capacity() * size_of::<ir::Value>()
            + self.further.capacity() / 8
            + list_bytes(&self.used)
            + self.runs.capacity() * size_of::<Run>()
            + list_bytes(&self.uses)
            + list_bytes(&self.exported)
            + self.emitted.capacity() / 8
            + self.known.capacity() * size_of::<u64>()
            + list_bytes(&self.queries)
            + list_bytes(&self.discards)
            + list_bytes(&self.callees)
    }
}
