//! Queries about nodes of work graphs.

use std::ffi::CString;

use trellis_c_support::text::c_string;
use trellis_dxil_frontend::shader::{
    ComponentType, EntryPoint, NodeIoFlags, NodeLaunch, NodeProperties, ShaderKind,
};
use trellis_spirv_backend::nodes::{input_stride, spec};

use crate::abi::{Bool, FALSE, NodeInputData, NodeOutputData, TRUE, node_launch_type};

/// A node, with the texts that its answers point to.
#[derive(Debug)]
pub(crate) struct Node {
    properties: NodeProperties,
    id: CString,
    shares_input_of: CString,
    /// Names of the nodes that outputs lead to.
    outputs: Vec<CString>,
}

fn bool_of(value: bool) -> Bool {
    if value { TRUE } else { FALSE }
}

/// The answer for entry points that are not nodes.
pub(crate) const NO_NODE: NodeInputData = NodeInputData {
    node_id: c"".as_ptr(),
    payload_stride: 0,
    launch_type: node_launch_type::INVALID,
    node_array_index: 0,
    dispatch_grid_offset: 0,
    dispatch_grid_type_bits: 0,
    dispatch_grid_components: 0,
    broadcast_grid: [0; 3],
    thread_group_size_spec_id: [0; 3],
    max_broadcast_grid_spec_id: [0; 3],
    recursion_factor: 0,
    coalesce_factor: 0,
    node_share_input_id: c"".as_ptr(),
    node_share_input_array_index: 0,
    local_root_arguments_table_index: 0,
    is_indirect_bda_stride_program_entry_spec_id: 0,
    is_entry_point_spec_id: 0,
    dispatch_grid_is_upper_bound_spec_id: 0,
    is_static_broadcast_node_spec_id: 0,
    dispatch_grid_is_upper_bound: FALSE,
    node_track_rw_input_sharing: FALSE,
    is_program_entry: FALSE,
};

impl Node {
    /// Returns the node that an entry point is.
    pub(crate) fn of(entry: &EntryPoint) -> Option<Self> {
        let properties = entry.properties.node.as_deref()?;
        let is_known = !matches!(properties.launch, NodeLaunch::Unknown(_));
        if entry.kind != ShaderKind::Node || !is_known {
            return None;
        }
        let id = properties.id.as_ref();
        let shared = properties.share_input_of.as_ref();
        let outputs = properties.outputs.iter();
        Some(Self {
            id: c_string(id.map_or("", |id| &id.name)),
            shares_input_of: c_string(shared.map_or("", |id| &id.name)),
            outputs: outputs.map(|output| c_string(&output.id.name)).collect(),
            properties: properties.clone(),
        })
    }

    /// Returns the answer about its input; texts last as long as the node.
    pub(crate) fn input_data(&self) -> NodeInputData {
        let node = &self.properties;
        let is_broadcasting = node.launch == NodeLaunch::Broadcasting;
        let of_broadcasting = |number: u32| if is_broadcasting { number } else { u32::MAX };
        let index =
            |id: Option<&trellis_dxil_frontend::shader::NodeId>| id.map_or(0, |id| id.index);
        let input = node.inputs.first();
        let grid = node.input_record().and_then(|record| record.grid);
        let declared = node.max_dispatch_grid.or(node.dispatch_grid);
        let coalesced = input.and_then(|input| input.max_records).unwrap_or(0);
        NodeInputData {
            node_id: self.id.as_ptr(),
            payload_stride: input.map_or(0, input_stride),
            launch_type: node.launch.code(),
            node_array_index: index(node.id.as_ref()),
            dispatch_grid_offset: grid.map_or(0, |grid| grid.offset),
            dispatch_grid_type_bits: match grid.map(|grid| grid.component) {
                Some(ComponentType::U32) => 32,
                _ => 16,
            },
            dispatch_grid_components: grid.map_or(0, |grid| grid.components),
            broadcast_grid: declared.filter(|_| is_broadcasting).unwrap_or([0; 3]),
            thread_group_size_spec_id: [0, 1, 2].map(|axis| spec::GROUP_SIZE + axis),
            max_broadcast_grid_spec_id: spec::GRID.map(of_broadcasting),
            recursion_factor: node.max_recursion_depth,
            coalesce_factor: match node.launch {
                NodeLaunch::Coalescing => coalesced.max(1),
                _ => coalesced,
            },
            node_share_input_id: self.shares_input_of.as_ptr(),
            node_share_input_array_index: index(node.share_input_of.as_ref()),
            local_root_arguments_table_index: node.local_root_arguments.unwrap_or(u32::MAX),
            is_indirect_bda_stride_program_entry_spec_id: spec::IS_INDIRECT,
            is_entry_point_spec_id: spec::IS_ENTRY,
            dispatch_grid_is_upper_bound_spec_id: of_broadcasting(spec::GRID_IN_RECORD),
            is_static_broadcast_node_spec_id: of_broadcasting(spec::ONE_RECORD),
            dispatch_grid_is_upper_bound: bool_of(
                is_broadcasting && node.max_dispatch_grid.is_some(),
            ),
            node_track_rw_input_sharing: bool_of(
                input.is_some_and(|input| input.flags.has(NodeIoFlags::TRACKS_SHARING)),
            ),
            is_program_entry: bool_of(node.is_program_entry),
        }
    }

    /// Returns the number of outputs.
    pub(crate) fn num_outputs(&self) -> u32 {
        self.outputs.len() as u32
    }

    /// Returns the answer about an output; its text lasts as long as the node.
    pub(crate) fn output_data(&self, number: u32) -> Option<NodeOutputData> {
        let output = self.properties.outputs.get(number as usize)?;
        Some(NodeOutputData {
            node_id: self.outputs.get(number as usize)?.as_ptr(),
            node_array_index: output.id.index,
            node_array_size: output.array_size.unwrap_or(0),
            node_index_spec_constant_id: spec::OUTPUTS + number,
            max_records: output.max_records.unwrap_or(0),
            sparse_array: bool_of(output.allows_sparse),
        })
    }
}
