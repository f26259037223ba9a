//! The execution modes of a node with `SPV_AMDX_shader_enqueue`: its function is the entry point.

use rspirv::spirv::{Capability, ExecutionMode};
use trellis_dxil_frontend::shader::NodeLaunch;

use crate::error::{Error, Feature};
use crate::memory::node_handle::properties;
use crate::ops::Emitter;
use crate::target::Target;

/// Declares the node's input and execution modes.
///
/// # Errors
/// The target lacks the extension's SPIR-V version, or the node's launch type or grid is missing or
/// invalid.
pub(super) fn declare(e: &mut Emitter<'_>) -> Result<(), Error> {
    if e.options.target.spirv_version() < (1, 4) {
        return Err(e.unsupported(Feature::StageTarget {
            stage: e.entry.kind,
            spirv: (1, 4),
            minimum: Target::Vulkan1_2,
        }));
    }
    let node = properties(e)?;
    e.b.caps.add(Capability::ShaderEnqueueAMDX);
    if !node.inputs.is_empty() {
        e.memory.node_input(&mut e.f)?;
    }
    match node.launch {
        NodeLaunch::Broadcasting => {
            let without_grid = node
                .input_record()
                .is_none_or(|record| record.grid.is_none());
            if node.max_dispatch_grid.is_some() && !node.inputs.is_empty() && without_grid {
                return Err(e.invalid_property("a grid in the records of a node, which have none"));
            }
            let (mode, grid) = match (node.max_dispatch_grid, node.dispatch_grid) {
                (Some(grid), _) => (ExecutionMode::MaxNumWorkgroupsAMDX, grid),
                (None, Some(grid)) => (ExecutionMode::StaticNumWorkgroupsAMDX, grid),
                (None, None) => {
                    return Err(e.invalid_property("a broadcasting node without a grid"));
                }
            };
            let grid = grid.map(|groups| e.b.const_u32(groups));
            e.b.execution_mode(mode, &grid);
        }
        NodeLaunch::Thread if e.entry.properties.num_threads != Some([1; 3]) => {
            return Err(e.invalid_property("a thread node with groups of several threads"));
        }
        // A thread node is a group of one thread for one record.
        NodeLaunch::Coalescing | NodeLaunch::Thread => {
            e.b.execution_mode(ExecutionMode::CoalescingAMDX, &[]);
        }
        NodeLaunch::Unknown(number) => {
            return Err(e.invalid_property(format!("a node of launch type {number}")));
        }
    }
    let index = node.id.as_ref().map_or(0, |id| id.index);
    let index = e.b.const_u32(index);
    e.b.execution_mode(ExecutionMode::ShaderIndexAMDX, &[index]);
    if node.max_recursion_depth > 0 {
        let depth = e.b.const_u32(node.max_recursion_depth);
        e.b.execution_mode(ExecutionMode::MaxNodeRecursionAMDX, &[depth]);
    }
    if let Some(other) = &node.share_input_of {
        let name = e.memory.node_name(&mut e.f, &other.name)?;
        let index = e.b.const_u32(other.index);
        e.b.execution_mode(ExecutionMode::SharesInputWithAMDX, &[name, index]);
    }
    // Without this mode the program may begin with the node: whether another one outputs to it is
    // not in the shader.
    if node.share_input_of.is_some() || node.is_program_entry {
        let is_entry = e.b.const_bool(node.share_input_of.is_none());
        e.b.execution_mode(ExecutionMode::IsApiEntryAMDX, &[is_entry]);
    }
    Ok(())
}
