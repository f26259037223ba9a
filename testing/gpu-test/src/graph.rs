//! Runs of work graphs: a small dispatcher for the shaders that nodes become.
//!
//! It runs a graph level by level. After each level it reads the nodes' counters and allocations,
//! and makes the dispatches of the next one: `spirv-backend/README.md` has the layout. The host
//! does the work of a dispatcher, which a device would run as shaders, so that the steps are easy
//! to see.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trellis_dxil_interpreter::dispatch::Binding;
use trellis_spirv_backend::nodes::{self, spec};
use trellis_spirv_backend::reflect::{NodeIdReflection, NodeReflection, Reflection};

use crate::bind;
use crate::case::{Case, check_bindings, is_default, is_one, one};
use crate::execute::NotRun;
use crate::spirv_module::SpirvModule;
use crate::vulkan::{Device, Job, NodeDispatch, Object, Push, Results, StageCode, Work};

/// Threads of a group of a thread node.
const THREADS: u32 = 32;

/// Groups that share the grid of a record.
const SHARERS: u32 = 2;

/// Most levels of a graph (D3D's limit).
const MAX_LEVELS: usize = 32;

/// Most bytes of the records of a level.
const MAX_BYTES: u64 = 1 << 26;

/// A run of a work graph.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// The records that the graph begins with.
    pub entries: Vec<Entry>,
    /// Resources.
    #[serde(default)]
    pub bindings: Vec<Binding>,
}

/// Records for an entry of the graph.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Name of the node.
    pub node: String,
    /// Index in its array.
    #[serde(default, skip_serializing_if = "is_default")]
    pub index: u32,
    /// Words of the records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<u32>,
    /// Number of records.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// How the records are given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mode: Mode,
}

/// How an entry's records are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Their address and stride are push constants.
    #[default]
    Direct,
    /// Address and stride are in memory.
    Indirect,
    /// One record, whose grid the dispatch has.
    One,
}

impl Graph {
    /// Checks the entries and the resources.
    ///
    /// # Errors
    /// An entry has no records, or a binding makes no sense.
    pub fn check(&self) -> Result<(), String> {
        for entry in &self.entries {
            if entry.count == 0 || !entry.records.len().is_multiple_of(entry.count as usize) {
                return Err(format!(
                    "{} words for {} records of `{}`",
                    entry.records.len(),
                    entry.count,
                    entry.node
                ));
            }
        }
        check_bindings(&self.bindings)
    }
}

/// A node of a library: its shader's name and its description.
#[derive(Clone, Debug)]
pub struct Node {
    entry: String,
    about: NodeReflection,
}

/// Returns the nodes that a reflection describes.
pub fn nodes(reflection: &Reflection) -> Vec<Node> {
    let entries = reflection.entry_points.iter();
    let node = |e: &trellis_spirv_backend::reflect::EntryReflection| {
        Some(Node {
            entry: e.name.clone(),
            about: e.node.clone()?,
        })
    };
    entries.filter_map(node).collect()
}

/// A program: nodes by number, arrays in a row. `None` is a missing node in between.
struct Program<'a> {
    nodes: Vec<Option<&'a Node>>,
    /// First number and length of each array, by name.
    arrays: BTreeMap<&'a str, (u32, u32)>,
}

impl<'a> Program<'a> {
    fn new(library: &'a [Node]) -> Self {
        let mut lengths: BTreeMap<&str, u32> = BTreeMap::new();
        for node in library {
            let length = lengths.entry(&node.about.id.name).or_default();
            *length = (*length).max(node.about.id.index + 1);
        }
        let (mut arrays, mut all) = (BTreeMap::new(), Vec::new());
        for (name, length) in lengths {
            arrays.insert(name, (all.len() as u32, length));
            for index in 0..length {
                let is_it =
                    |node: &&Node| node.about.id.name == name && node.about.id.index == index;
                all.push(library.iter().find(is_it));
            }
        }
        Self { nodes: all, arrays }
    }

    /// Returns the number of the first node of an array from an index on, and how many follow; `None`
    /// without any.
    fn array(&self, id: &NodeIdReflection) -> Option<(u32, u32)> {
        let &(first, length) = self.arrays.get(id.name.as_str())?;
        let after = length.checked_sub(id.index).filter(|&n| n > 0)?;
        Some((first + id.index, after))
    }

    fn number(&self, name: &str, index: u32) -> Result<u32, String> {
        let found = self.array(&NodeIdReflection {
            name: name.to_owned(),
            index,
        });
        let number = found.map(|(number, _)| number);
        let exists = |n: &u32| self.nodes.get(*n as usize).is_some_and(Option::is_some);
        number
            .filter(exists)
            .ok_or_else(|| format!("no node `{name}` with index {index}"))
    }

    /// Returns a node with its number, and those that share its input.
    fn with_sharers(&self, number: u32) -> impl Iterator<Item = (u32, &'a Node)> {
        let own = self.nodes.get(number as usize).copied().flatten();
        let all = (0..).zip(self.nodes.iter().copied());
        let all = all.filter_map(|(n, node)| Some((n, node?)));
        all.filter(move |(n, node)| {
            let shared = node.about.share_input_of.as_ref();
            *n == number || shared.is_some() && shared == own.map(|own| &own.about.id)
        })
    }
}

/// The input of a dispatch.
struct Input {
    /// Memory of the records.
    records: Vec<u8>,
    /// Offsets of the records of all nodes; of an entry none.
    offsets: Vec<u32>,
    /// The first record, and the number after the last one.
    range: [u32; 2],
    /// Stride of an entry's records.
    stride: u32,
    /// How an entry's records are given; `None` for other nodes.
    mode: Option<Mode>,
}

/// Outputs of the nodes of a level.
struct Level {
    records: Vec<u8>,
    counters: Vec<u32>,
}

/// A graph that runs.
struct Run<'a> {
    device: &'a Device,
    case: &'a Case,
    modules: &'a [SpirvModule],
    program: Program<'a>,
    /// Contents of the case's resources.
    resources: Vec<Vec<u8>>,
    messages: Vec<String>,
    /// The number of times that each node may still follow itself.
    left: Vec<u32>,
}

/// Runs a graph; gives the contents of the case's resources afterwards.
///
/// # Errors
/// The device lacks something, a node does not exist, or the memory that the nodes wrote is
/// invalid.
pub fn run(
    device: &Device,
    modules: &[SpirvModule],
    library: &[Node],
    case: &Case,
    graph: &Graph,
) -> Result<Results, NotRun> {
    let program = Program::new(library);
    let mut run = Run {
        device,
        case,
        modules,
        left: vec![0; program.nodes.len()],
        program,
        resources: Vec::new(),
        messages: Vec::new(),
    };
    run.all(graph)?;
    Ok(Results {
        objects: run.resources,
        messages: run.messages,
        ..Results::default()
    })
}

fn failed(text: impl Into<String>) -> NotRun {
    NotRun::Failed(text.into())
}

impl Run<'_> {
    fn all(&mut self, graph: &Graph) -> Result<(), NotRun> {
        let mut work = Vec::new();
        for entry in &graph.entries {
            let number = self.program.number(&entry.node, entry.index);
            let number = number.map_err(NotRun::Failed)?;
            let words = entry.records.iter();
            let stride = entry.records.len() as u32 / entry.count * 4;
            for (number, _) in self.program.with_sharers(number) {
                let input = Input {
                    records: words.clone().flat_map(|word| word.to_le_bytes()).collect(),
                    offsets: Vec::new(),
                    range: [0, entry.count],
                    stride,
                    mode: Some(entry.mode),
                };
                work.push((number, input));
            }
        }
        let mut before = Vec::new();
        for _ in 0..MAX_LEVELS {
            if work.is_empty() {
                return Ok(());
            }
            let now: Vec<u32> = work.iter().map(|(number, _)| *number).collect();
            for &number in &now {
                let Some(node) = self.program.nodes[number as usize] else {
                    return Err(failed(format!("records for missing node {number}")));
                };
                let left = &mut self.left[number as usize];
                *left = match before.contains(&number) {
                    true => left.saturating_sub(1),
                    false => node.about.max_recursion_depth,
                };
            }
            let level = self.level(&work)?;
            work = self.next(level)?;
            before = now;
        }
        Err(failed(format!("more than {MAX_LEVELS} levels")))
    }

    /// Runs the nodes of a level.
    fn level(&mut self, work: &[(u32, Input)]) -> Result<Level, NotRun> {
        let nodes = self.program.nodes.len();
        let mut counters = vec![0; 2 + nodes];
        for (counter, node) in counters[2..].iter_mut().zip(&self.program.nodes) {
            if node.is_none() {
                *counter = nodes::MISSING_NODE;
            }
        }
        let (mut allocations, mut bytes) = (0u64, 0u64);
        for (number, input) in work {
            let (more, size) = self.most_output(*number, input)?;
            allocations += more;
            bytes += size;
        }
        if bytes > MAX_BYTES || allocations > MAX_BYTES {
            return Err(failed(format!("{bytes} bytes of records")));
        }
        counters.resize(2 + nodes + 2 * allocations as usize, 0);
        let mut level = Level {
            records: vec![0; bytes as usize],
            counters,
        };
        for (number, input) in work {
            self.dispatch(*number, input, &mut level)?;
        }
        Ok(level)
    }

    fn node(&self, number: u32) -> Result<&Node, NotRun> {
        let node = self.program.nodes.get(number as usize).copied().flatten();
        node.ok_or_else(|| failed(format!("records for missing node {number}")))
    }

    /// Returns the most allocations and bytes that a dispatch may output.
    fn most_output(&self, number: u32, input: &Input) -> Result<(u64, u64), NotRun> {
        let about = &self.node(number)?.about;
        let groups = match about.launch {
            "thread" => u64::from(input.range[1] - input.range[0]),
            "coalescing" => groups(about, input).into_iter().map(u64::from).product(),
            _ => {
                let grid = about.max_dispatch_grid.or(about.dispatch_grid);
                let grid = grid.unwrap_or([1; 3]).into_iter().map(u64::from);
                grid.product::<u64>() * u64::from(input.range[1] - input.range[0])
            }
        };
        let (mut allocations, mut bytes) = (0u64, 0u64);
        for output in about.outputs.iter().filter(|output| output.stride > 0) {
            let shared = output.max_records_shared_with;
            let shared = shared.and_then(|at| about.outputs.get(at as usize)?.max_records);
            let most = shared.or(output.max_records).unwrap_or(0);
            let most = u64::from(most) * groups;
            allocations += most;
            let stride = output.stride.next_multiple_of(nodes::ALLOCATION_ALIGNMENT);
            bytes += most * u64::from(stride);
        }
        Ok((allocations, bytes))
    }

    /// Returns the numbers of the nodes that a node's outputs lead to.
    fn constants(&self, node: &Node, mode: Option<Mode>) -> Vec<(u32, u32)> {
        let mut constants = vec![
            (spec::GROUP_SIZE, THREADS),
            (spec::IS_ENTRY, u32::from(mode.is_some())),
            (spec::IS_INDIRECT, u32::from(mode == Some(Mode::Indirect))),
            (spec::ONE_RECORD, u32::from(mode == Some(Mode::One))),
        ];
        if node.about.launch != "thread" {
            constants.remove(0);
        }
        for (index, output) in (0..).zip(&node.about.outputs) {
            let (first, length) = self
                .program
                .array(&output.id)
                .unwrap_or((nodes::NO_NODE, 0));
            constants.push((spec::OUTPUTS + index, first));
            if output.allows_sparse {
                constants.push((spec::OUTPUT_SIZES + index, length));
            }
        }
        constants
    }

    /// Runs one node.
    fn dispatch(&mut self, number: u32, input: &Input, level: &mut Level) -> Result<(), NotRun> {
        let node = self.node(number)?;
        let module = self.modules.iter().find(|m| m.entry == node.entry);
        let module = module.ok_or_else(|| failed(format!("no shader `{}`", node.entry)))?;
        let bound = bind::bind(module, self.case).map_err(NotRun::Failed)?;
        let mut objects = bound.objects;
        for (object, known) in objects.iter_mut().zip(&self.resources) {
            if let Object::Buffer(contents) = object {
                contents.clone_from(known);
            }
        }
        let kept = objects.len();
        let words = |words: &[u32]| {
            Object::Buffer(words.iter().flat_map(|word| word.to_le_bytes()).collect())
        };
        objects.extend([
            Object::Buffer(input.records.clone()),
            words(&input.offsets),
            words(&input.range),
            Object::Buffer(level.records.clone()),
            words(&level.counters),
            Object::Addresses {
                of: vec![kept],
                then: input.stride.to_le_bytes().to_vec(),
            },
        ]);
        let [records, offsets, range, output, counters, indirect] =
            [0, 1, 2, 3, 4, 5].map(|more| kept + more);
        let at = |object, offset| Push::Address { object, offset };
        let is_indirect = input.mode == Some(Mode::Indirect);
        let push = [
            at(if is_indirect { indirect } else { records }, 0),
            at(range, 0),
            at(range, 4),
            match input.mode {
                Some(Mode::Indirect) => at(indirect, 8),
                Some(_) => Push::Words([input.stride, 0]),
                None => at(offsets, 0),
            },
            at(output, 0),
            at(counters, 0),
            Push::Words([0, 0]),
            Push::Words([self.program.nodes.len() as u32, self.left[number as usize]]),
        ];
        let job = Job {
            stages: vec![StageCode::from(module)],
            objects,
            bindings: bound.bindings,
            work: Work::Node(NodeDispatch {
                groups: groups(&node.about, input),
                push: push.to_vec(),
                constants: self.constants(node, input.mode),
            }),
            wave_size: None,
        };
        let mut results = self.device.run(&job)?;
        self.messages.append(&mut results.messages);
        level.records = std::mem::take(&mut results.objects[output]);
        let words = results.objects[counters].as_chunks::<4>().0.iter();
        level.counters = words.map(|&word| u32::from_le_bytes(word)).collect();
        results.objects.truncate(kept);
        self.resources = results.objects;
        Ok(())
    }

    /// Finds the records that a level left for the next one.
    fn next(&self, mut level: Level) -> Result<Vec<(u32, Input)>, NotRun> {
        let nodes = self.program.nodes.len();
        let [bytes, allocations] = [level.counters[0], level.counters[1]];
        let list = level.counters[2 + nodes..].as_chunks::<2>().0;
        if bytes as usize > level.records.len() || allocations as usize > list.len() {
            return Err(failed(format!(
                "{bytes} bytes in {allocations} allocations, more than the nodes may output"
            )));
        }
        let mut found: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        for &[head, offset] in &list[..allocations as usize] {
            let (number, count) = (head >> 8, (head & 0xFF) + 1);
            let stride = stride(&self.node(number)?.about);
            if !offset.is_multiple_of(nodes::ALLOCATION_ALIGNMENT) || stride == 0 {
                return Err(failed(format!(
                    "an allocation at {offset} of node {number}"
                )));
            }
            found[number as usize].extend((0..count).map(|at| offset + at * stride));
        }
        let (mut work, mut offsets, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for (number, records) in (0u32..).zip(&mut found) {
            let count = level.counters[2 + number as usize];
            let Some(node) = self.program.nodes[number as usize] else {
                if count != nodes::MISSING_NODE || !records.is_empty() {
                    return Err(failed(format!("records for missing node {number}")));
                }
                continue;
            };
            if stride(&node.about) > 0 && count as usize != records.len() {
                return Err(failed(format!(
                    "node {number}: {count} records, {} of them allocated",
                    records.len()
                )));
            }
            for &record in records.iter() {
                begin_sharing(&node.about, &mut level.records, record)?;
            }
            let first = offsets.len() as u32;
            offsets.append(records);
            if count > 0 {
                counts.push((number, [first, first + count]));
            }
        }
        for (number, range) in counts {
            for (number, _) in self.program.with_sharers(number) {
                let input = Input {
                    records: level.records.clone(),
                    offsets: offsets.clone(),
                    range,
                    stride: 0,
                    mode: None,
                };
                work.push((number, input));
            }
        }
        Ok(work)
    }
}

/// Writes the number of groups at the end of a record that tracks who shares it.
fn begin_sharing(about: &NodeReflection, records: &mut [u8], offset: u32) -> Result<(), NotRun> {
    let Some(input) = about.input.as_ref().filter(|input| input.tracks_sharing) else {
        return Ok(());
    };
    let record = records.get_mut(offset as usize..(offset + input.stride) as usize);
    let record = record.ok_or_else(|| failed(format!("a record at {offset}")))?;
    let count: u32 = grid(about, record).into_iter().product();
    let end = record.len() - 4;
    record[end..].copy_from_slice(&count.to_le_bytes());
    Ok(())
}

/// Returns the bytes between input records.
fn stride(about: &NodeReflection) -> u32 {
    about.input.as_ref().map_or(0, |input| input.stride)
}

/// Returns the grid of a broadcasting node for a record.
fn grid(about: &NodeReflection, record: &[u8]) -> [u32; 3] {
    let Some(most) = about.max_dispatch_grid else {
        return about.dispatch_grid.unwrap_or([1; 3]);
    };
    let Some(field) = about.input.as_ref().and_then(|input| input.grid) else {
        return most;
    };
    let mut grid = [1; 3];
    let size = field.bits as usize / 8;
    for (axis, size_of) in grid.iter_mut().enumerate().take(field.components as usize) {
        let at = field.offset as usize + axis * size;
        let mut word = [0; 4];
        if let Some(bytes) = record.get(at..at + size) {
            word[..size].copy_from_slice(bytes);
        }
        *size_of = u32::from_le_bytes(word).min(most[axis]);
    }
    grid
}

/// Returns the groups of a dispatch.
fn groups(about: &NodeReflection, input: &Input) -> [u32; 3] {
    let count = input.range[1] - input.range[0];
    let row = match about.launch {
        "thread" => count.div_ceil(THREADS),
        "coalescing" => {
            let most = about.input.as_ref().and_then(|input| input.max_records);
            count.div_ceil(most.unwrap_or(1).max(1))
        }
        _ if input.mode == Some(Mode::One) => return grid(about, &input.records),
        _ => return [count, 1, SHARERS],
    };
    [row, 1, 1]
}
