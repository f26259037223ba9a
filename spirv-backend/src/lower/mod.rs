//! DXIL function → structurizer function, and the maps between their values.
//!
//! Blocks keep their order. The DXIL instructions of a block become one structurizer instruction, a
//! [`Run`], whose payload is the [`InstId`] of the first, except
//! - *folded* ones, which have no instruction: handles and addresses (their users resolve them),
//!   `extractvalue` (an alias of a component), debug intrinsics, and instructions on
//!   `dx.break.cond` (known constants);
//! - a discard with a condition, which becomes control flow around a synthetic instruction
//!   ([`SyntheticInst`]).
//!
//! The uses of an instruction are the *leaves* of its operands: plain values, and the plain values
//! that folded operands are computed from, so that the structurizer has every value that emission
//! uses and another run computes.

mod calls;
mod control;
mod dispatch;
mod fold;
mod function;
mod hints;
mod hit;
mod hit_objects;
mod runs;
mod values;

use crate::options::Options;
use trellis_dxil_frontend::dxop::{DxDeclarations, FamilyOp, Op};
use trellis_dxil_frontend::module::{
    Function, FunctionId, GlobalId, InstId, Module, TypeId, ValueId,
};
use trellis_dxil_frontend::shader::{EntryPoint, ShaderKind};
use trellis_entity::{EntityRange, EntityRef, EntitySet, PackedOption, PrimaryMap, entity_impl};
use trellis_structurizer::ir;

pub(crate) use function::lower;
pub(crate) use hints::{Hints, MetadataKinds, attached};
pub(crate) use hit_objects::{HitObjects, is_hit_object};
use runs::LocalData;
pub(crate) use runs::Run;

/// The bit that is set in the payload of synthetic instructions and constants, and clear in the
/// payloads that are DXIL instruction or value numbers.
pub(crate) const SYNTHETIC: u32 = 1 << 31;

/// An instruction without a counterpart in DXIL, which lowering adds. Its payload is [`SYNTHETIC`]
/// plus its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SyntheticInst {
    /// Demotes the invocation to a helper invocation.
    Demote = 0,
    /// Ignores the hit; the invocation ends.
    IgnoreHit = 1,
    /// Accepts the hit and ends the search for others; the invocation ends.
    AcceptHit = 2,
}

impl SyntheticInst {
    /// Returns the payload of the structurizer's instruction.
    pub(crate) fn payload(self) -> u32 {
        SYNTHETIC | self as u32
    }
    /// Returns the synthetic instruction with this payload, if it ends an any-hit shader.
    pub(crate) fn end_of_hit(payload: u32) -> Option<Self> {
        [Self::IgnoreHit, Self::AcceptHit]
            .into_iter()
            .find(|inst| inst.payload() == payload)
    }
}

/// The module and lookup tables of lowering, computed once for all functions.
pub(crate) struct Source<'a> {
    pub(crate) module: &'a Module,
    /// The functions that are DXIL operations.
    pub(crate) ops: &'a DxDeclarations,
    /// Numbers of the metadata kinds.
    pub(crate) kinds: MetadataKinds,
    /// `dx.break.cond`.
    pub(crate) break_global: Option<GlobalId>,
    /// A discard demotes the invocation; else it terminates it.
    pub(crate) demote: bool,
    /// Calls have the types that the called functions declare, as the reader has checked; those that
    /// legalization writes may have others.
    pub(crate) has_declared_types: bool,
    /// Which hints branches and loops get.
    pub(crate) hints: Hints,
    /// The stage, whose operations calls must be.
    pub(crate) stage: ShaderKind,
    /// The entry point, if it is a ray tracing shader: its parameters are variables.
    pub(crate) ray_entry: Option<FunctionId>,
    /// The module has the type of hit objects.
    pub(crate) has_hit_objects: bool,
    /// Each instruction is a separate run: tools show them, and debug information refers to them.
    pub(crate) each_instruction: bool,
}

impl<'a> Source<'a> {
    pub(crate) fn new(
        (module, is_legalized): (&'a Module, bool),
        ops: &'a DxDeclarations,
        options: &Options,
        entry: &EntryPoint,
    ) -> Self {
        let ray_entry = entry
            .function
            .filter(|_| crate::stage::is_ray_tracing(entry.kind));
        Self {
            module,
            ops,
            kinds: MetadataKinds::new(&module.metadata),
            break_global: fold::break_global(module),
            demote: options.extensions.demote,
            has_declared_types: !is_legalized,
            hints: Hints::new(&options.workarounds),
            stage: entry.kind,
            ray_entry,
            has_hit_objects: module.types.keys().any(|ty| is_hit_object(module, ty)),
            each_instruction: options.debug.debug_info
                && module.metadata.named("llvm.dbg.cu").is_some(),
        }
    }
}

/// A number in [`Lowered::known`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct KnownId(u32);
entity_impl!(KnownId, "known");

/// A number or vector that a function computes: an argument, a phi, or the result of an instruction
/// or a component of it. Locals that only one run uses are not values of the structurizer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Local(u32);
entity_impl!(Local, "local");

/// Maps between the values of a DXIL function and its structurizer function.
#[derive(Default)]
pub(crate) struct Lowered {
    /// Number of module-level values: local value numbers start here.
    pub(crate) module_values: u32,
    /// Each local DXIL value (arguments, instruction results; `extractvalue` aliases the component
    /// that it takes).
    pub(crate) values: Vec<PackedOption<Local>>,
    /// Results of each instruction: components of a struct are contiguous.
    results: Vec<EntityRange<Local>>,
    /// The structurizer's value of each value that has one.
    pub(crate) structured: PrimaryMap<Local, PackedOption<ir::Value>>,
    /// Types and uses of all values, while functions are lowered.
    locals: PrimaryMap<Local, LocalData>,
    /// The values that have a use.
    used: EntitySet<Local>,
    /// By structurizer instruction, before structurization.
    pub(crate) runs: PrimaryMap<ir::Inst, Run>,
    /// Values that runs use and do not compute, by run, as they were before structurization: the
    /// difference shows which values the structurizer renamed.
    uses: Vec<Local>,
    /// Values that runs compute and others use, by run.
    exported: Vec<Local>,
    /// Instructions of runs: those that are not folded.
    emitted: Vec<InstId>,
    /// Numbers of the constants whose payload is [`SYNTHETIC`] plus an index.
    pub(crate) known: PrimaryMap<KnownId, u64>,
    /// Allocations of ray queries; the handle is the index into this list.
    pub(crate) queries: Vec<InstId>,
    /// The variables of hit objects.
    pub(crate) hit_objects: HitObjects,
    /// Discards that have separate blocks, two for each, after the function's blocks.
    pub(crate) discards: Vec<InstId>,
    /// Whether a block that control reaches calls `DispatchMesh`.
    pub(crate) dispatches: bool,
    /// Functions of the shader that this one calls.
    pub(crate) callees: Vec<FunctionId>,
}

impl Lowered {
    /// Returns a local DXIL value; `None` for values without a plain representation (handles,
    /// pointers).
    #[inline]
    pub(crate) fn local_of(&self, value: ValueId) -> Option<Local> {
        let index = value.as_u32().checked_sub(self.module_values)?;
        self.values.get(index as usize)?.expand()
    }
    /// Returns a component of an instruction's result.
    #[inline]
    pub(crate) fn result_of(&self, inst: InstId, component: u32) -> Option<Local> {
        let results = self.results.get(inst.index())?;
        let index = results.start().as_u32().checked_add(component)?;
        (index < results.end().as_u32()).then(|| Local::from_u32(index))
    }
    /// Returns true if a component of an instruction's result has a use.
    #[inline]
    pub(crate) fn is_used(&self, inst: InstId, component: u32) -> bool {
        self.result_of(inst, component)
            .is_some_and(|local| self.used.contains(local))
    }
}

/// A use that is not in a run: of a phi or at the end of a block.
const OTHER_USE: u32 = u32::MAX;

/// Returns true if an operation makes or refines a handle of a resource. Such an operation emits no
/// instruction: its users resolve it.
pub(super) fn is_handle_op(op: Op) -> bool {
    matches!(op.classify(), FamilyOp::Handle(_))
}

/// Returns true if an operation makes or refines a handle of a node, or of its records. It emits no
/// instruction either.
pub(super) fn is_node_handle_op(op: Op) -> bool {
    matches!(
        op,
        Op::CreateNodeOutputHandle
            | Op::IndexNodeHandle
            | Op::AnnotateNodeHandle
            | Op::CreateNodeInputRecordHandle
            | Op::AnnotateNodeRecordHandle
    )
}

/// Type of the address of a record, a number of 64 bits, which the module need not have a type for.
pub(crate) const ADDRESS: ir::Type = ir::Type(u32::MAX - 2);

/// Type of the offset of a record, a number of 32 bits.
pub(crate) const OFFSET: ir::Type = ir::Type(u32::MAX - 3);

/// Returns true if an operation makes a ray query.
pub(crate) fn allocates_query(op: Op) -> bool {
    matches!(op, Op::AllocateRayQuery | Op::AllocateRayQuery2)
}

/// Returns true if an operation's first operand is a ray query.
pub(crate) fn takes_query(op: Op) -> bool {
    match op.classify() {
        FamilyOp::RayQuery(_) => !allocates_query(op),
        _ => op == Op::HitObjectFromRayQuery,
    }
}

/// Returns the structurizer's type of a DXIL type.
pub(crate) fn ir_type(ty: TypeId) -> ir::Type {
    ir::Type(ty.as_u32())
}

/// Returns the index of a local value; `None` for a module-level one.
pub(crate) fn local_index(module: &Module, function: &Function, value: ValueId) -> Option<usize> {
    let index = (value.index()).checked_sub(module.values.len())?;
    (index < function.values.len()).then_some(index)
}
