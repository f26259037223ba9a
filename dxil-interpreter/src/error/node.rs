//! Rules of work graphs that a run breaks.

use std::fmt;

/// A rule of work graphs that a node, or an entry of the graph, breaks. D3D leaves undefined what
/// happens then. [`Display`](fmt::Display) describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NodeRule {
    /// The node exists in the library.
    Exists,
    /// The bytes of an entry's records are as many records as it has.
    EntryRecords {
        /// Bytes of the entry's records.
        bytes: usize,
        /// Number of records.
        count: u32,
        /// Bytes of a record of the node.
        size: u32,
    },
    /// Records are output to nodes that exist, and not to the node itself after its last recursion.
    Target {
        /// Name of the target.
        name: String,
        /// Its index.
        index: u32,
    },
    /// A group, or a thread of a thread node, outputs at most the declared number of records.
    MaxRecords {
        /// Number of the output.
        output: usize,
        /// The declared number.
        limit: u32,
    },
    /// All threads of a group allocate the same for the group.
    Uniform,
    /// Records that are allocated are completed.
    Complete,
    /// Handles of nodes and records are made by their operations.
    Handle,
}

impl fmt::Display for NodeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists => f.write_str("there is no such node"),
            Self::EntryRecords { bytes, count, size } => {
                write!(f, "{bytes} bytes for {count} records of {size} bytes")
            }
            Self::Target { name, index } => {
                write!(
                    f,
                    "records for `{name}` with index {index}, which is not valid"
                )
            }
            Self::MaxRecords { output, limit } => {
                write!(
                    f,
                    "more records of output {output} than its limit of {limit}"
                )
            }
            Self::Uniform => f.write_str("threads allocate different records for their group"),
            Self::Complete => f.write_str("records that are not completed"),
            Self::Handle => f.write_str("an undefined handle of a node or record"),
        }
    }
}
