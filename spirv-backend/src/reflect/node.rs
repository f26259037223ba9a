//! Nodes of work graphs.

use serde::Serialize;
use trellis_dxil_frontend::shader::{
    ComponentType, NodeId, NodeInput, NodeIoFlags, NodeLaunch, NodeOutput, NodeProperties,
};

use super::stages::UNKNOWN;
use crate::nodes::{input_stride, output_stride, spec};

/// A node of a work graph. [`crate::nodes`] has the interface of its shader.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeReflection {
    /// `broadcasting`, `coalescing` or `thread`.
    pub launch: &'static str,
    /// Name and index.
    pub id: NodeIdReflection,
    /// The program may begin with this node, even if others output to it.
    pub is_program_entry: bool,
    /// Place in the table of local root arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_root_arguments: Option<u32>,
    /// The node whose input this one gets too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_input_of: Option<NodeIdReflection>,
    /// Thread groups of a broadcasting node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch_grid: Option<[u32; 3]>,
    /// The most thread groups of a broadcasting node whose records have the grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_dispatch_grid: Option<[u32; 3]>,
    /// The number of times that the node may follow itself.
    pub max_recursion_depth: u32,
    /// The input, if the node has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<NodeInputReflection>,
    /// Outputs, in the order of their numbers.
    pub outputs: Vec<NodeOutputReflection>,
}

/// A name of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeIdReflection {
    /// Name.
    pub name: String,
    /// Index in the array of nodes with this name.
    pub index: u32,
}

/// The input of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeInputReflection {
    /// Bytes of a record; 0 for an empty one.
    pub record_size: u32,
    /// Bytes between records.
    pub stride: u32,
    /// The most records of a group of a coalescing node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records: Option<u32>,
    /// The grid of a broadcasting node in the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridReflection>,
    /// The last word of a record counts the groups that have not finished with it.
    pub tracks_sharing: bool,
}

/// The grid of a broadcasting node in its record (`SV_DispatchGrid`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GridReflection {
    /// Offset in bytes.
    pub offset: u32,
    /// Bits of a component.
    pub bits: u32,
    /// Components; the other dimensions are 1.
    pub components: u32,
}

/// An output of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeOutputReflection {
    /// The node that gets the records; the first of an array.
    pub id: NodeIdReflection,
    /// Nodes in the array, 4294967295 for one without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array_size: Option<u32>,
    /// Nodes of the array may be missing.
    pub allows_sparse: bool,
    /// Bytes of a record; 0 for an empty one.
    pub record_size: u32,
    /// Bytes between records.
    pub stride: u32,
    /// The most records that a group (of a thread node: a thread) outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records: Option<u32>,
    /// Number of the output with which that limit is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records_shared_with: Option<u32>,
    /// Number of the specialization constant with the number of the (first) node.
    pub spec_id: u32,
}

fn id(id: &NodeId) -> NodeIdReflection {
    NodeIdReflection {
        name: id.name.to_string(),
        index: id.index,
    }
}

/// Describes the node of the entry point `name`.
pub(super) fn node(node: &NodeProperties, name: &str) -> NodeReflection {
    let own = || NodeIdReflection {
        name: name.to_owned(),
        index: 0,
    };
    NodeReflection {
        launch: match node.launch {
            NodeLaunch::Broadcasting => "broadcasting",
            NodeLaunch::Coalescing => "coalescing",
            NodeLaunch::Thread => "thread",
            NodeLaunch::Unknown(_) => UNKNOWN,
        },
        id: node.id.as_ref().map_or_else(own, id),
        is_program_entry: node.is_program_entry,
        local_root_arguments: node.local_root_arguments,
        share_input_of: node.share_input_of.as_ref().map(id),
        dispatch_grid: node.dispatch_grid,
        max_dispatch_grid: node.max_dispatch_grid,
        max_recursion_depth: node.max_recursion_depth,
        input: node.inputs.first().map(input),
        outputs: (0..).zip(&node.outputs).map(output).collect(),
    }
}

fn input(input: &NodeInput) -> NodeInputReflection {
    let record = input.record();
    NodeInputReflection {
        record_size: record.map_or(0, |record| record.size),
        stride: input_stride(input),
        max_records: input.max_records,
        grid: record
            .and_then(|record| record.grid)
            .map(|grid| GridReflection {
                offset: grid.offset,
                bits: match grid.component {
                    ComponentType::U16 => 16,
                    _ => 32,
                },
                components: grid.components,
            }),
        tracks_sharing: input.flags.has(NodeIoFlags::TRACKS_SHARING),
    }
}

fn output((number, output): (u32, &NodeOutput)) -> NodeOutputReflection {
    NodeOutputReflection {
        id: id(&output.id),
        array_size: output.array_size,
        allows_sparse: output.allows_sparse,
        record_size: output.record().map_or(0, |record| record.size),
        stride: output_stride(output),
        max_records: output.max_records.filter(|&most| most > 0),
        max_records_shared_with: output.max_records_shared_with,
        spec_id: spec::OUTPUTS + number,
    }
}
