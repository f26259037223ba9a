//! Rules about payloads of nodes (`SPV_AMDX_shader_enqueue`).

use rspirv::spirv::{Decoration, ExecutionMode};
use thiserror::Error;

use super::name;

/// A rule for payloads of nodes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PayloadRule {
    /// A decoration of payload arrays or their structs on something else.
    #[error("decoration {} on something that cannot have it", decoration_name(*decoration))]
    Target {
        /// The decoration.
        decoration: u32,
    },
    /// An operand of a decoration or an execution mode that is not what it must be.
    #[error("an operand of {} is not an earlier constant of its type, or not an earlier payload array", decoration_name(*decoration))]
    Operand {
        /// The decoration.
        decoration: u32,
    },
    /// A payload array without a decoration.
    #[error("payload array %{array} without decoration {}", decoration_name(*decoration))]
    Missing {
        /// The type.
        array: u32,
        /// The decoration.
        decoration: u32,
    },
    /// A payload array that shares the limit of one that shares another's, or its own.
    #[error("payload array %{array} shares the limit of an array without one of its own")]
    SharedLimit {
        /// The type.
        array: u32,
    },
    /// A payload without an explicit layout.
    #[error("the struct %{payload} of a payload without Offset and ArrayStride")]
    Layout {
        /// The struct.
        payload: u32,
    },
    /// A variable of payloads that is not of a payload array, or has an initializer.
    #[error("variable %{id} of payloads is not of a payload array, or has an initializer")]
    Variable {
        /// The variable.
        id: u32,
    },
    /// An execution mode whose operands are not what they must be.
    #[error("the operands of execution mode {} are not what they must be", mode_name(*mode))]
    Mode {
        /// The mode.
        mode: u32,
    },
    /// Several of `CoalescingAMDX`, `StaticNumWorkgroupsAMDX` and `MaxNumWorkgroupsAMDX`.
    #[error("several execution modes for the number of groups")]
    SeveralGrids,
    /// A node that gets another's input and is not declared as one that the program cannot begin with.
    #[error("a node that shares its input without IsApiEntryAMDX false")]
    SharingEntry,
    /// A pointer to payloads in an instruction that cannot have one.
    #[error("a pointer to payloads is selected, copied, or used atomically")]
    Pointer,
    /// `OpFinishWritingNodePayloadAMDX` on a payload that does not count who finished with it, or in a
    /// node of coalesced payloads.
    #[error(
        "OpFinishWritingNodePayloadAMDX without TrackFinishWritingAMDX, or with CoalescingAMDX"
    )]
    Untracked,
}

fn decoration_name(decoration: u32) -> String {
    name(Decoration::from_u32(decoration), decoration)
}

fn mode_name(mode: u32) -> String {
    name(ExecutionMode::from_u32(mode), mode)
}
