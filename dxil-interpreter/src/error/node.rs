//! Rules of work graphs that a run breaks.

described! {
    /// A rule of work graphs that a node, or an entry of the graph, breaks. D3D leaves undefined what
    /// happens then.
    NodeRule {
        Exists => "there is no such node",
        EntryRecords {
            /// Bytes of the entry's records.
            bytes: usize,
            /// Number of records.
            count: u32,
            /// Bytes of a record of the node.
            size: u32,
        } => "{bytes} bytes for {count} records of {size} bytes",
        Target {
            /// Name of the target.
            name: String,
            /// Its index.
            index: u32,
        } => "records for `{name}` with index {index}, which is not valid",
        MaxRecords {
            /// Number of the output.
            output: usize,
            /// The declared number.
            limit: u32,
        } => "more records of output {output} than its limit of {limit}",
        Uniform => "threads allocate different records for their group",
        Complete => "records that are not completed",
        Handle => "an undefined handle of a node or record",
    }
}
