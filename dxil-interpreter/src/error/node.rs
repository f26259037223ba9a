//! Rules of work graphs that a run breaks.

use trellis_dxil_frontend::described;

described! {
    /// A rule of work graphs that a node, or an entry of the graph, breaks. The behavior is
    /// undefined in D3D.
    NodeRule {
        Exists => "there is no such node";
        EntryRecords { bytes: usize, count: u32, size: u32 } =>
            "{bytes} bytes for {count} records of {size} bytes";
        Target { name: String, index: u32 } =>
            "records for `{name}` with index {index}, which is not valid";
        MaxRecords { output: usize, limit: u32 } =>
            "more records of output {output} than its limit of {limit}";
        Uniform => "threads allocate different records for their group";
        Complete => "records that are not completed";
        Handle => "an undefined handle of a node or record";
    }
}
