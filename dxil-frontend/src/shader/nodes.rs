//! Nodes of work graphs: launch type, identity, input, outputs.
//!
//! The numbers are D3D's (DirectXShaderCompiler, `DxilConstants.h`). A node has one input at most in
//! today's shader models; the metadata is a list, and is kept as one.

use super::cursor::Tuple;
use super::{ComponentType, NodeLaunch, ShaderError};
use crate::module::Name;

type Result<T> = std::result::Result<T, ShaderError>;

/// Name of a node, with the index of its place in an array of nodes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeId {
    /// Name.
    pub name: Name,
    /// Index in the array of nodes with this name; 0 for a single node.
    pub index: u32,
}

/// Properties of a node (`[Shader("node")]`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NodeProperties {
    /// How records launch threads.
    pub launch: NodeLaunch,
    /// The program may begin with this node, even if others output to it.
    pub is_program_entry: bool,
    /// Name and index; the entry point's name and 0 if the metadata has none.
    pub id: Option<NodeId>,
    /// Place in the table of local root arguments.
    pub local_root_arguments: Option<u32>,
    /// The node whose input this one gets too.
    pub share_input_of: Option<NodeId>,
    /// Thread groups of a broadcasting node with a fixed grid.
    pub dispatch_grid: Option<[u32; 3]>,
    /// The most thread groups of a broadcasting node whose records have the grid.
    pub max_dispatch_grid: Option<[u32; 3]>,
    /// The number of times that the node may follow itself.
    pub max_recursion_depth: u32,
    /// Inputs.
    pub inputs: Vec<NodeInput>,
    /// Outputs, in the order of their numbers.
    pub outputs: Vec<NodeOutput>,
}

impl NodeProperties {
    /// Returns the record of the input; `None` for an empty one.
    pub fn input_record(&self) -> Option<&NodeRecord> {
        self.inputs.first()?.record()
    }
}

/// Flags of an input or output, and of a handle of records (DXIL `NodeIOFlags`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct NodeIoFlags(pub u32);

impl NodeIoFlags {
    /// It is an input.
    pub const INPUT: u32 = 1;
    /// It is an output.
    pub const OUTPUT: u32 = 2;
    /// Records can be written: outputs, and inputs whose type begins with `RW`.
    pub const READ_WRITE: u32 = 4;
    /// Records have no content.
    pub const EMPTY: u32 = 8;
    /// It is an array of nodes.
    pub const ARRAY: u32 = 16;
    /// A record belongs to a thread, a group, or a whole dispatch: the three values of this mask.
    pub const GRANULARITY: u32 = 96;
    /// The record counts the groups that finished with it (`[NodeTrackRWInputSharing]`).
    pub const TRACKS_SHARING: u32 = 256;
    /// `globallycoherent`.
    pub const GLOBALLY_COHERENT: u32 = 512;

    /// Returns true if a flag is set.
    pub const fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }
}

/// The type of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NodeRecord {
    /// Size in bytes, without the implementation's additions.
    pub size: u32,
    /// Alignment in bytes; 0 if the metadata does not have it.
    pub alignment: u32,
    /// Where the grid of a broadcasting node is (`SV_DispatchGrid`).
    pub grid: Option<DispatchGrid>,
}

/// The field `SV_DispatchGrid` of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DispatchGrid {
    /// Offset in bytes.
    pub offset: u32,
    /// Component type: `U32` or `U16`.
    pub component: ComponentType,
    /// Components, 1 to 3; the other dimensions are 1.
    pub components: u32,
}

/// An input of a node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NodeInput {
    /// Kind and properties.
    pub flags: NodeIoFlags,
    /// Type of the records, if the metadata has one.
    pub record: Option<NodeRecord>,
    /// The most records of a group of a coalescing node.
    pub max_records: Option<u32>,
}

impl NodeInput {
    /// Returns the type of the records; `None` for empty ones.
    pub fn record(&self) -> Option<&NodeRecord> {
        content(self.flags, self.record.as_ref())
    }
}

/// Returns the type of records unless they are empty.
fn content(flags: NodeIoFlags, record: Option<&NodeRecord>) -> Option<&NodeRecord> {
    record.filter(|r| !flags.has(NodeIoFlags::EMPTY) && r.size > 0)
}

/// An output of a node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NodeOutput {
    /// The node that gets the records; the first of an array.
    pub id: NodeId,
    /// Kind and properties.
    pub flags: NodeIoFlags,
    /// Type of the records, if the metadata has one.
    pub record: Option<NodeRecord>,
    /// The most records that a group (of a thread node: a thread) outputs.
    pub max_records: Option<u32>,
    /// Number of the output with which that limit is shared.
    pub max_records_shared_with: Option<u32>,
    /// Nodes in the array, [`UNBOUNDED`](super::UNBOUNDED) for one without end; `None` for a single
    /// node.
    pub array_size: Option<u32>,
    /// Nodes of the array may be missing.
    pub allows_sparse: bool,
}

impl NodeOutput {
    /// Returns the type of the records; `None` for empty ones.
    pub fn record(&self) -> Option<&NodeRecord> {
        content(self.flags, self.record.as_ref())
    }
}

/// Pairs of a list that are read: more than there are tags. Many inputs and outputs may name one list,
/// whose length must not be a factor of the time that reading takes.
const MAX_TAGS: usize = 32;

/// Reads a property of a node; false if the tag is another's. Of a list that
/// is there twice the first one counts.
pub(super) fn read(
    list: &Tuple<'_>,
    (tag, at): (u32, usize),
    node: &mut Option<Box<NodeProperties>>,
) -> Result<bool> {
    if !(13..=22).contains(&tag) {
        return Ok(false);
    }
    let node = node.get_or_insert_default();
    match tag {
        13 => node.launch = NodeLaunch::from_code(list.u32(at, "node launch type")?),
        14 => node.is_program_entry = list.bool(at, "program entry")?,
        15 => node.id = Some(id(list, at, "node id")?),
        16 => {
            let index = list.u32(at, "index of local root arguments")?;
            node.local_root_arguments = Some(index).filter(|&index| index != u32::MAX);
        }
        17 => node.share_input_of = Some(id(list, at, "node whose input is shared")?),
        18 => node.dispatch_grid = Some(list.ints(at, "dispatch grid", "3")?),
        19 => node.max_recursion_depth = list.u32(at, "recursion depth")?,
        20 => {
            let inputs = list.required_tuple(at, "node inputs")?;
            append(&mut node.inputs, inputs, "node input", input)?;
        }
        21 => {
            let outputs = list.required_tuple(at, "node outputs")?;
            append(&mut node.outputs, outputs, "node output", output)?;
        }
        _ => node.max_dispatch_grid = Some(list.ints(at, "largest dispatch grid", "3")?),
    }
    Ok(true)
}

/// Reads the inputs or outputs of a list unless another was read before.
fn append<'m, T>(
    items: &mut Vec<T>,
    list: Tuple<'m>,
    what: &'static str,
    read: impl Fn(Tuple<'m>) -> Result<T>,
) -> Result<()> {
    let unread = if items.is_empty() { list.len() } else { 0 };
    for index in 0..unread {
        items.push(read(list.required_tuple(index, what)?)?);
    }
    Ok(())
}

fn id(list: &Tuple<'_>, at: usize, what: &'static str) -> Result<NodeId> {
    let t = list
        .required_tuple(at, what)?
        .at_least(2, "2: name, index")?;
    Ok(NodeId {
        name: t.text(0, "name")?.into(),
        index: t.u32(1, "index")?,
    })
}

fn input(list: Tuple<'_>) -> Result<NodeInput> {
    let mut input = NodeInput::default();
    for tag in list.tags().take(MAX_TAGS) {
        let (tag, at) = tag?;
        match tag {
            1 => input.flags = NodeIoFlags(list.u32(at, "flags")?),
            2 => input.record = Some(record(list.required_tuple(at, "record type")?)?),
            3 => input.max_records = Some(list.u32(at, "number of records")?),
            _ => {}
        }
    }
    Ok(input)
}

fn output(list: Tuple<'_>) -> Result<NodeOutput> {
    let mut output = NodeOutput::default();
    for tag in list.tags().take(MAX_TAGS) {
        let (tag, at) = tag?;
        match tag {
            0 => output.id = id(&list, at, "node id")?,
            1 => output.flags = NodeIoFlags(list.u32(at, "flags")?),
            2 => output.record = Some(record(list.required_tuple(at, "record type")?)?),
            3 => output.max_records = Some(list.u32(at, "number of records")?),
            4 => output.max_records_shared_with = Some(list.u32(at, "output")?),
            5 => {
                output.array_size = Some(list.u32(at, "array size")?).filter(|&size| size > 0);
            }
            6 => output.allows_sparse = list.bool(at, "sparse nodes")?,
            _ => {}
        }
    }
    Ok(output)
}

fn record(list: Tuple<'_>) -> Result<NodeRecord> {
    let mut record = NodeRecord::default();
    for tag in list.tags().take(MAX_TAGS) {
        let (tag, at) = tag?;
        match tag {
            0 => record.size = list.u32(at, "record size")?,
            2 => record.alignment = list.u32(at, "record alignment")?,
            1 => record.grid = Some(grid(&list, at)?),
            _ => {}
        }
    }
    Ok(record)
}

fn grid(list: &Tuple<'_>, at: usize) -> Result<DispatchGrid> {
    let t = list.required_tuple(at, "SV_DispatchGrid")?;
    let t = t.at_least(3, "3: offset, component type, components")?;
    let component = t.code(
        1,
        "component type",
        |code| match ComponentType::from_code(code)? {
            known @ (ComponentType::U32 | ComponentType::U16) => Some(known),
            _ => None,
        },
        "u16 (3) or u32 (5)",
    )?;
    let components = t.code(
        2,
        "components",
        |count| (1..=3).contains(&count).then_some(count),
        "1 to 3",
    )?;
    Ok(DispatchGrid {
        offset: t.u32(0, "offset")?,
        component,
        components,
    })
}
