//! Inputs of a run of a work graph.

use crate::dispatch::Scene;
use crate::resource::Resource;

/// Inputs of a run of a work graph.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GraphInputs {
    /// The records that the graph begins with.
    pub entries: Vec<GraphEntry>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Acceleration structures.
    pub scenes: Vec<Scene>,
}

/// Records for a node of a work graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphEntry {
    /// Name of the node.
    pub node: String,
    /// Index in the array of nodes with this name.
    pub index: u32,
    /// Number of records.
    pub count: u32,
    /// The records, one after the other; empty for a node whose records have no content.
    pub records: Vec<u8>,
}
