//! Rules about payloads of nodes (`SPV_AMDX_shader_enqueue`).

use rspirv::spirv::{Decoration, ExecutionMode};
use trellis_dxil_frontend::described;

use super::name;

described! {
    /// A rule for payloads of nodes.
    PayloadRule {
        Target { decoration: u32 } =>
            "decoration {} on something that cannot have it", decoration_name(*decoration);
        Operand {
            /// The decoration.
            decoration: u32,
        } =>
            "an operand of {} is not an earlier constant of its type, or not an earlier payload \
             array", decoration_name(*decoration);
        Missing { array: u32, decoration: u32 } =>
            "payload array %{array} without decoration {}", decoration_name(*decoration);
        SharedLimit { array: u32 } =>
            "payload array %{array} shares the limit of an array that has none";
        Layout { payload: u32 } =>
            "the struct %{payload} of a payload without Offset and ArrayStride";
        Variable { id: u32 } =>
            "variable %{id} of payloads is not of a payload array, or has an initializer";
        Mode { mode: u32 } =>
            "the operands of execution mode {} are invalid", mode_name(*mode);
        SeveralGrids => "several execution modes for the number of groups";
        SharingEntry => "a node that shares its input without IsApiEntryAMDX false";
        Pointer => "a pointer to payloads is selected, copied, or used atomically";
        Untracked =>
            "OpFinishWritingNodePayloadAMDX without TrackFinishWritingAMDX, or with CoalescingAMDX";
    }
}

fn decoration_name(decoration: u32) -> String {
    name(Decoration::from_u32(decoration), decoration)
}

fn mode_name(mode: u32) -> String {
    name(ExecutionMode::from_u32(mode), mode)
}
