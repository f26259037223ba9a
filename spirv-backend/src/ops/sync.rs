//! Barriers.
//!
//! D3D names the memory that a barrier orders (UAVs seen by the device or by the group, groupshared
//! memory) and whether the threads of the group wait for each other. SPIR-V's scope is the widest
//! that is named, its semantics name the storage classes, always as acquire and release.

use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope};
use trellis_dxil_frontend::dxop::{BarrierOp, DxCall};

use crate::error::{Error, Feature, InvalidKind};
use crate::values::Emitter;

/// What a barrier does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Barrier {
    /// Threads of the group wait for each other.
    sync: bool,
    /// Orders accesses to UAVs.
    uav: bool,
    /// Orders accesses to groupshared memory.
    groupshared: bool,
    /// For the whole device rather than for the group.
    device: bool,
}

impl Barrier {
    /// `dx.op.barrier`: bits of `BarrierMode`; `None` for an unknown bit or none at all.
    fn from_mode(mode: u64) -> Option<Self> {
        let flag = |bit: u64| mode & bit != 0;
        (mode != 0 && mode < 16).then(|| Self {
            sync: flag(1),
            uav: flag(2) || flag(4),
            groupshared: flag(8),
            device: flag(2),
        })
    }
    /// Shader model 6.8's barriers: bits of `MemoryTypeFlag` and `BarrierSemanticFlag`.
    fn from_flags(memory: u64, semantics: u64) -> Option<Self> {
        let known = memory < 16 && semantics < 8;
        known.then_some(Self {
            sync: semantics & 1 != 0,
            uav: memory & 1 != 0,
            groupshared: memory & 2 != 0,
            device: semantics & 4 != 0,
        })
    }
    fn memory_scope(self) -> Scope {
        if self.device && self.uav {
            Scope::Device
        } else {
            Scope::Workgroup
        }
    }
    fn semantics(self) -> MemorySemantics {
        let mut semantics = MemorySemantics::RELAXED;
        if self.uav {
            semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
        }
        if self.groupshared {
            semantics |= MemorySemantics::WORKGROUP_MEMORY;
        }
        if semantics != MemorySemantics::RELAXED {
            semantics |= MemorySemantics::ACQUIRE_RELEASE;
        }
        semantics
    }
}

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>, op: BarrierOp) -> Result<(), Error> {
    let barrier = match op {
        BarrierOp::Barrier => {
            let mode = e.arg_const(call, 0)?;
            Barrier::from_mode(mode).ok_or_else(|| {
                e.invalid(InvalidKind::Operand, format!("Barrier with mode {mode}"))
            })?
        }
        BarrierOp::BarrierByMemoryType => {
            let (memory, semantics) = (e.arg_const(call, 0)?, e.arg_const(call, 1)?);
            flags(e, call, memory, semantics)?
        }
        // The object is a UAV: shader model 6.8 has no other handles here.
        BarrierOp::BarrierByMemoryHandle => {
            let semantics = e.arg_const(call, 1)?;
            flags(e, call, 1, semantics)?
        }
        BarrierOp::BarrierByNodeRecordHandle => return Err(e.unsupported(call.op)),
    };
    emit_barrier(e, barrier);
    Ok(())
}

fn flags(
    e: &Emitter<'_>,
    call: &DxCall<'_>,
    memory: u64,
    semantics: u64,
) -> Result<Barrier, Error> {
    Barrier::from_flags(memory, semantics).ok_or_else(|| {
        e.unsupported(Feature::on(
            call.op,
            format!("memory {memory:#x} with semantics {semantics:#x}"),
        ))
    })
}

/// LLVM's `fence`: orders all memory for the device.
pub(crate) fn fence(e: &mut Emitter<'_>) {
    let groupshared = e.entry.properties.num_threads.is_some();
    emit_barrier(
        e,
        Barrier {
            sync: false,
            uav: true,
            groupshared,
            device: true,
        },
    );
}

/// The threads of the group wait for each other and see each other's groupshared memory.
pub(crate) fn group_barrier(e: &mut Emitter<'_>) {
    emit_barrier(
        e,
        Barrier {
            sync: true,
            uav: false,
            groupshared: true,
            device: false,
        },
    );
}

fn emit_barrier(e: &mut Emitter<'_>, barrier: Barrier) {
    let semantics = barrier.semantics();
    let memory = e.b.const_u32(barrier.memory_scope() as u32);
    let mask = e.b.const_u32(semantics.bits());
    if barrier.sync {
        let execution = e.b.const_u32(Scope::Workgroup as u32);
        e.b.op_void(
            Op::ControlBarrier,
            [
                Operand::IdScope(execution),
                Operand::IdScope(memory),
                Operand::IdMemorySemantics(mask),
            ],
        );
    } else if semantics != MemorySemantics::RELAXED {
        e.b.op_void(
            Op::MemoryBarrier,
            [Operand::IdScope(memory), Operand::IdMemorySemantics(mask)],
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{Barrier, MemorySemantics, Scope};

    /// HLSL's six barrier functions by their modes.
    #[test]
    fn modes() {
        let group = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
        let uav = MemorySemantics::UNIFORM_MEMORY
            | MemorySemantics::IMAGE_MEMORY
            | MemorySemantics::ACQUIRE_RELEASE;
        for (name, mode, sync, scope, semantics) in [
            ("GroupMemoryBarrier", 8, false, Scope::Workgroup, group),
            (
                "GroupMemoryBarrierWithGroupSync",
                9,
                true,
                Scope::Workgroup,
                group,
            ),
            ("DeviceMemoryBarrier", 2, false, Scope::Device, uav),
            (
                "DeviceMemoryBarrierWithGroupSync",
                3,
                true,
                Scope::Device,
                uav,
            ),
            ("AllMemoryBarrier", 10, false, Scope::Device, uav | group),
            (
                "AllMemoryBarrierWithGroupSync",
                11,
                true,
                Scope::Device,
                uav | group,
            ),
            ("UAVs of the group", 4, false, Scope::Workgroup, uav),
            (
                "wait only",
                1,
                true,
                Scope::Workgroup,
                MemorySemantics::RELAXED,
            ),
        ] {
            let b = Barrier::from_mode(mode).expect(name);
            assert_eq!(
                (b.sync, b.memory_scope(), b.semantics()),
                (sync, scope, semantics),
                "{name}"
            );
        }
        assert_eq!(Barrier::from_mode(0), None);
        assert_eq!(Barrier::from_mode(16), None);
    }

    #[test]
    fn flags() {
        // Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE)
        let b = Barrier::from_flags(3, 3).expect("known flags");
        assert_eq!((b.sync, b.memory_scope()), (true, Scope::Workgroup));
        assert_eq!(
            Barrier::from_flags(1, 4).map(Barrier::memory_scope),
            Some(Scope::Device)
        );
        assert_eq!(Barrier::from_flags(16, 0), None);
        assert_eq!(Barrier::from_flags(1, 8), None);
    }
}
