//! Local arrays, groupshared memory, constant tables, records of nodes.
//!
//! Each `alloca` and each global variable becomes one SPIR-V variable: a scalar, or a flat array of
//! its scalars (*slots*). DXC has flattened nearly all memory to arrays of one scalar type, so a
//! slot has that type and no cast is needed; memory of mixed types has slots of unsigned integers
//! as wide as its narrowest scalar, and memory with atomic operations has integers.

mod access;
pub(crate) mod address;
mod atomic;
pub(crate) mod barrier;
mod declared;
mod init;
pub(crate) mod layout;
pub(crate) mod node_handle;
pub(crate) mod node_payload;
pub(crate) mod payload;
pub(crate) mod ray_data;
mod record;
mod root;
mod rows;

use rspirv::spirv::{StorageClass, Word};
use rustc_hash::FxHashMap;
use trellis_dxil_frontend::module::{GlobalId, InstId, InstKind};

use crate::error::{Error, Feature};
use crate::values::FunctionBuilder;
use address::{Base, resolve};
pub(crate) use atomic::word_pointer;
use layout::Layouts;
use root::Root;
use rows::Rows;
use trellis_entity::{EntitySet, PrimaryMap};

/// Variables for memory inside the shader.
#[derive(Default)]
pub(crate) struct Memory {
    layouts: Layouts,
    /// Variable of each global; declared at the first use.
    globals: PrimaryMap<GlobalId, Option<Root>>,
    /// Variables of the current function's `alloca`s.
    allocas: FxHashMap<InstId, Root>,
    /// Common patterns of the current function's accesses.
    rows: Rows,
    /// Globals with atomic operations.
    atomic: EntitySet<GlobalId>,
    /// The data that ray tracing shaders pass to each other.
    ray_data: ray_data::RayData,
    /// The payload between amplification and mesh shader.
    payload: Option<Root>,
    /// Blocks of the numbers in records of nodes.
    record_blocks: record::RecordBlocks,
    /// The same as payloads.
    node_payloads: node_payload::NodePayloads,
    /// The last access to groupshared memory, and the block that it is in, where a quirk orders them.
    groupshared: Option<((usize, usize), GroupsharedAccess)>,
    /// Table of D3D's standard sample positions (`GetSamplePosition`).
    pub(crate) sample_positions: Option<Word>,
}

impl Memory {
    /// Looks for atomic operations, which decide the type of a variable; called once for the
    /// module, before the bodies.
    pub(crate) fn declare(&mut self, e: &FunctionBuilder<'_>) {
        let module = e.module;
        for _ in module.globals.keys() {
            self.globals.push(None);
        }
        let mut globals = module.globals.values();
        if !globals.any(|global| global.address_space == root::GROUPSHARED) {
            return;
        }
        for function in module.functions.values() {
            for inst in function.insts.values() {
                let (InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. }) = inst.kind
                else {
                    continue;
                };
                // An address that cannot be resolved is reported where it is emitted.
                if let Ok(address) = resolve(module, &mut self.layouts, function, ptr)
                    && let Base::Global(global) = address.base
                    && module.globals.is_valid(global)
                {
                    self.atomic.insert(global);
                }
            }
        }
    }
    /// Begins a new function (`FunctionBuilder::function`): drops the state of the previous one.
    pub(crate) fn enter_function(&mut self, e: &mut FunctionBuilder<'_>) -> Result<(), Error> {
        self.allocas.clear();
        self.rows.reset();
        ray_data::enter_function(e, self)
    }
}

/// An access to groupshared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GroupsharedAccess {
    Load,
    Store,
    Atomic,
}

/// Orders an access to memory after those before it, if it is groupshared and a quirk requires it:
/// for shaders that rely on all threads of a group running in step. Accesses of one kind in a block
/// need no order.
fn order_groupshared(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    class: StorageClass,
    access: GroupsharedAccess,
) {
    if !e.options.quirks.groupshared_barriers || class != StorageClass::Workgroup {
        return;
    }
    let now = Some((e.b.block_number(), access));
    if memory.groupshared != now {
        memory.groupshared = now;
        barrier::wave_barrier(e);
    }
}

/// Emits `alloca`, `load`, `store`, `atomicrmw` or `cmpxchg`.
pub(crate) fn emit(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    inst: InstId,
) -> Result<(), Error> {
    match e.kind(inst) {
        // The variable is declared at its first use.
        InstKind::Alloca { .. } => Ok(()),
        InstKind::Load { ptr, .. } => access::load(e, memory, inst, ptr),
        InstKind::Store { ptr, value, .. } => access::store(e, memory, ptr, value),
        InstKind::AtomicRmw { op, ptr, value, .. } => {
            atomic::read_modify_write(e, memory, inst, op, ptr, value)
        }
        InstKind::CmpXchg {
            ptr, compare, new, ..
        } => atomic::compare_exchange(e, memory, inst, ptr, compare, new),
        other => Err(e.unsupported(Feature::instruction_kind(&other))),
    }
}
