//! The interface of nodes of work graphs, which become compute shaders: where a dispatcher puts
//! their records, and the outputs that it reads.
//!
//! `spirv-backend/README.md` describes the layout; these are its numbers.

use trellis_dxil_frontend::shader::{NodeInput, NodeIoFlags, NodeOutput, NodeRecord};

/// Offsets of the push constants in bytes.
pub mod push {
    /// Address of the input records. If the node is an entry, and records and stride are indirect: the
    /// address of that address.
    pub const RECORDS: u32 = 0;
    /// Address of the number of the first record, a word.
    pub const FIRST: u32 = 8;
    /// Address of the number after the last record, a word.
    pub const END: u32 = 16;
    /// Of an entry, the stride of the records in bytes, in the lower word; the address of that word if
    /// it is indirect. Of another node, the address of the records' offsets, a word for each.
    pub const STRIDE_OR_OFFSETS: u32 = 24;
    /// Address of the output records.
    pub const OUTPUT_RECORDS: u32 = 32;
    /// Address of the counters.
    pub const COUNTERS: u32 = 40;
    /// Address of the local root arguments.
    pub const LOCAL_ROOT_ARGUMENTS: u32 = 48;
    /// Where the list of allocations begins: words after the counter of the first node.
    pub const ALLOCATIONS: u32 = 56;
    /// The number of times that the node may still follow itself.
    pub const RECURSION_LEVELS: u32 = 60;
    /// Size of the block.
    pub const SIZE: u32 = 64;
}

/// Numbers of specialization constants.
pub mod spec {
    /// Threads of a group of a thread node; the default is 1. (2 and 3 belong to y and z, which are 1.)
    pub const GROUP_SIZE: u32 = 0;
    /// The records are an entry's: one after another. The default is the node's `[NodeIsProgramEntry]`.
    pub const IS_ENTRY: u32 = 3;
    /// The entry's address and stride of records are in memory. The default is false.
    pub const IS_INDIRECT: u32 = 4;
    /// The grid of a broadcasting node is in its records. The default is true for a node with
    /// `[NodeMaxDispatchGrid]`.
    pub const GRID_IN_RECORD: u32 = 5;
    /// The dispatch has the grid of a single record of a broadcasting node. The default is false.
    pub const ONE_RECORD: u32 = 6;
    /// The grid of a broadcasting node, or the most of it: x, y, z. The defaults are the node's.
    pub const GRID: [u32; 3] = [7, 8, 9];
    /// Number of the node that is the first of each output: this plus the output's number.
    /// [`NO_NODE`](super::NO_NODE) if there is none.
    pub const OUTPUTS: u32 = 100;
    /// Nodes in the array of each output that may be sparse: this plus the output's number. The default
    /// is the array's size in the shader.
    pub const OUTPUT_SIZES: u32 = 0x1_0000;
}

/// Number of the node of an output that the program lacks.
pub const NO_NODE: u32 = u32::MAX;

/// Groups in a row of a dispatch over records: the y coordinate counts rows of this size.
pub const GROUPS_PER_ROW: u32 = 32 * 1024;

/// The most records of an allocation.
pub const MAX_ALLOCATION: u32 = 256;

/// Alignment of the records of an allocation, in bytes.
pub const ALLOCATION_ALIGNMENT: u32 = 16;

/// The bit of a node's counter that marks a node that the program does not have.
pub const MISSING_NODE: u32 = 1 << 31;

/// Returns the bytes between records: their size, and a word at the end if they count the groups that
/// have not finished (`[NodeTrackRWInputSharing]`). 0 for empty records.
fn stride(record: Option<&NodeRecord>, flags: NodeIoFlags) -> u32 {
    let size = record.map_or(0, |record| record.size);
    if size > 0 && flags.has(NodeIoFlags::TRACKS_SHARING) {
        size.saturating_add(3) / 4 * 4 + 4
    } else {
        size
    }
}

/// Returns the bytes between records of an input; 0 for empty records.
pub fn input_stride(input: &NodeInput) -> u32 {
    stride(input.record(), input.flags)
}

/// Returns the bytes between records of an output; 0 for empty records.
pub fn output_stride(output: &NodeOutput) -> u32 {
    stride(output.record(), output.flags)
}
