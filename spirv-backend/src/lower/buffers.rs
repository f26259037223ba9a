//! What lowering allocates, for the next function.

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{BlockId, Function, FunctionId, Module, PoolRange};
use trellis_entity::{EntitySet, PackedOption, PrimaryMap};
use trellis_structurizer::ir;

use super::exports::Exports;
use super::function::{Below, FoldId, Step};
use super::{HitObjects, Local, Lowered, Run};
use crate::recycle::{list_bytes, refill};

/// Memory of the functions before.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The maps of functions that were emitted, empty.
    #[expect(
        clippy::vec_box,
        reason = "they go to the emission and back, and each is some hundred bytes"
    )]
    pub(super) lowered: Vec<Box<Lowered>>,
    pub(super) scratch: Scratch,
    /// Functions that were lowered, and that are to be; see `lower_all`.
    pub(crate) made: EntitySet<FunctionId>,
    pub(crate) wanted: Vec<FunctionId>,
}

/// The lists of [`Lowering`](super::function::Lowering).
#[derive(Default)]
pub(super) struct Scratch {
    /// Structurizer value of each constant that has one, by value number.
    pub(super) constants: Vec<PackedOption<ir::Value>>,
    /// By instruction, if it is folded.
    pub(super) below: Vec<PackedOption<FoldId>>,
    pub(super) folds: PrimaryMap<FoldId, Below>,
    /// Of each function, by value number, the last operation of it whose types are right.
    pub(super) fitting: Vec<Option<Op>>,
    /// Memory for [`Lowered::last_use`].
    pub(super) last_use: Vec<u32>,
    pub(super) leaves: Vec<Local>,
    /// Uses of the instruction at hand.
    pub(super) uses: Vec<Local>,
    /// Uses of the run at hand, when it ends.
    pub(super) use_values: Vec<ir::Value>,
    /// Types of the results of the instruction at hand.
    pub(super) types: Vec<ir::Type>,
    /// Types of the results of the run at hand.
    pub(super) export_types: Vec<ir::Type>,
    /// The values that are used outside of their run.
    pub(super) exports: Exports,
    /// Position of each block in reverse post-order; `u32::MAX` for one that control never reaches.
    pub(super) position: Vec<u32>,
    /// Last structurizer block of each block: discards split blocks.
    pub(super) tails: Vec<ir::Block>,
    /// Phis to complete: value, block, incoming pairs.
    pub(super) phis: Vec<(ir::Value, BlockId, PoolRange)>,
    /// Blocks that control reaches, in reverse post-order.
    pub(super) order: Vec<BlockId>,
    /// The path of the walk that finds them.
    pub(super) path: Vec<Step>,
}

/// Most value numbers that [`Scratch::fitting`] has: the functions of a module are first among its
/// values, after a few variables, and constants follow.
const MOST_CALLEES: usize = 256;

impl Scratch {
    /// Makes the lists those of a function that is not lowered yet.
    pub(super) fn reset(&mut self, module: &Module, function: &Function) {
        let constants = module.values.len() + function.values.len();
        refill(&mut self.constants, constants, None.into());
        refill(&mut self.below, function.insts.len(), None.into());
        self.folds.clear();
        let callees = module.values.len().min(MOST_CALLEES);
        refill(&mut self.fitting, callees, None);
        self.leaves.clear();
        self.uses.clear();
        self.use_values.clear();
        self.types.clear();
        self.export_types.clear();
        refill(&mut self.position, function.blocks.len(), u32::MAX);
        self.tails.clear();
        self.phis.clear();
        self.order.clear();
        self.path.clear();
    }
}

impl Buffers {
    /// Frees what only lowering needs.
    pub(crate) fn free_scratch(&mut self) {
        self.scratch = Scratch::default();
    }

    /// Takes the maps of a function that was emitted. Those of the functions of a shader are given
    /// back in reverse order, so that the same functions get them again.
    pub(crate) fn recycle(&mut self, mut lowered: Box<Lowered>) {
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
        } = &mut *lowered;
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
        let lowered: usize = self.lowered.iter().map(|lowered| lowered.bytes()).sum();
        lowered
            + self.lowered.len() * size_of::<Lowered>()
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
