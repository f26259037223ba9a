//! Barriers: the memory and the execution that they order, and their instructions.
//!
//! D3D names the memory that a barrier orders (UAVs seen by the device or by the group, groupshared
//! memory) and whether the threads of the group wait for each other. SPIR-V's scope is the widest
//! that is named, its semantics name the storage classes, always as acquire and release.

use rspirv::spirv::{MemorySemantics, Op, Scope};

use crate::values::FunctionBuilder;

/// The effects of a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Barrier {
    /// Threads of the group wait for each other.
    pub(crate) sync: bool,
    /// Orders accesses to UAVs.
    pub(crate) uav: bool,
    /// Orders accesses to groupshared memory.
    pub(crate) groupshared: bool,
    /// Orders accesses to records of nodes.
    pub(crate) node: bool,
    /// For the whole device rather than for the group.
    pub(crate) device: bool,
}

impl Barrier {
    /// Decodes the operand of `dx.op.barrier`, bits of `BarrierMode`. Returns `None` for an unknown
    /// bit or no bit.
    pub(crate) fn from_mode(mode: u64) -> Option<Self> {
        let flag = |bit: u64| mode & bit != 0;
        (mode != 0 && mode < 16).then(|| Self {
            sync: flag(1),
            uav: flag(2) || flag(4),
            groupshared: flag(8),
            node: false,
            device: flag(2),
        })
    }
    /// Decodes the operands of shader model 6.8's barriers, bits of `MemoryTypeFlag` and
    /// `BarrierSemanticFlag`.
    pub(crate) fn from_flags(memory: u64, semantics: u64) -> Option<Self> {
        let known = memory < 16 && semantics < 16;
        known.then_some(Self {
            sync: semantics & 1 != 0,
            uav: memory & 1 != 0,
            groupshared: memory & 2 != 0,
            node: memory & 12 != 0,
            // After a reordering (8) other lanes run the thread, and must see its writes.
            device: semantics & 12 != 0,
        })
    }
    fn memory_scope(self) -> Scope {
        if self.device && (self.uav || self.node) {
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
        if self.node {
            semantics |= MemorySemantics::UNIFORM_MEMORY;
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

/// Emits a barrier at which the threads of the group wait for each other and see each other's
/// groupshared memory.
pub(crate) fn group_barrier(e: &mut FunctionBuilder<'_>) {
    emit(
        e,
        Barrier {
            sync: true,
            uav: false,
            groupshared: true,
            node: false,
            device: false,
        },
    );
}

/// Emits a barrier at which the threads of a wave that run wait for each other and see each other's
/// groupshared memory.
pub(super) fn wave_barrier(e: &mut FunctionBuilder<'_>) {
    let semantics = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
    let wave = e.b.const_u32(Scope::Subgroup as u32);
    let memory = e.b.const_u32(Scope::Workgroup as u32);
    let mask = e.b.const_u32(semantics.bits());
    e.b.op_void(Op::ControlBarrier, &[wave, memory, mask]);
}

/// Emits a barrier; omits a barrier that orders nothing and does not wait.
pub(crate) fn emit(e: &mut FunctionBuilder<'_>, barrier: Barrier) {
    let semantics = barrier.semantics();
    let memory = e.b.const_u32(barrier.memory_scope() as u32);
    let mask = e.b.const_u32(semantics.bits());
    if barrier.sync {
        let execution = e.b.const_u32(Scope::Workgroup as u32);
        e.b.op_void(Op::ControlBarrier, &[execution, memory, mask]);
    } else if semantics != MemorySemantics::RELAXED {
        e.b.op_void(Op::MemoryBarrier, &[memory, mask]);
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
        assert_eq!(
            Barrier::from_flags(1, 8).map(Barrier::memory_scope),
            Some(Scope::Device)
        );
        assert_eq!(Barrier::from_flags(1, 16), None);
    }
}
