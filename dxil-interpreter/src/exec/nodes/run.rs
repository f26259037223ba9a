//! Runs of work graphs, level by level: all records that the nodes of a level output are inputs of
//! the next one.
//!
//! In a level the nodes run in the order of their names and indices, each for its records in the
//! order in which they were allocated. Groups of a coalescing node get the maximum number of
//! records, the last group the rest; a thread node runs as groups of one thread. A record that
//! several nodes share is there once.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use trellis_dxil_frontend::module::Module;
use trellis_dxil_frontend::shader::{
    ComponentType, EntryPoint, NodeLaunch, NodeProperties, NodeRecord, Shader, ShaderKind,
};

use super::{Graph, Machine, Output};
use crate::error::{Error, Feature, NodeRule, Quantity, bounded, unsupported};
use crate::exec::{Wave, groups, wave_width};
use crate::graph::{GraphEntry, GraphInputs};
use crate::memory::little_endian;
use crate::program::Program;
use crate::resource::Outputs;
use crate::{Options, decode};

/// Most levels of a graph (D3D's limit).
const MAX_LEVELS: usize = 32;
/// Most instructions, operands and copies of all nodes together.
const MAX_INSTRUCTIONS: u64 = 1 << 24;

/// A node of a library.
struct Node<'m> {
    name: String,
    index: u32,
    entry: &'m EntryPoint,
    properties: &'m NodeProperties,
    /// The node, decoded if the graph may come to it.
    program: Option<Program>,
}

/// Records for a node.
#[derive(Default)]
struct Batch {
    records: Vec<Vec<u8>>,
    /// The number of records, including empty ones.
    count: u64,
}

/// The input of a node in a level.
#[derive(Clone)]
struct Input {
    /// Numbers of the records.
    records: Range<u32>,
    /// As [`Batch::count`].
    count: u64,
}

/// The batches of a level, by node and the number of times that it may still follow itself.
type Level = BTreeMap<(usize, u32), Batch>;

/// The nodes of a library, sorted by name and index.
struct Library<'m> {
    nodes: Vec<Node<'m>>,
    /// Their numbers by name and index.
    numbers: HashMap<(String, u32), usize>,
    /// The nodes that share the input of a node.
    sharers: HashMap<(String, u32), Vec<usize>>,
}

/// Runs a graph of nodes of a library.
pub(crate) fn run_graph(
    module: &Module,
    shader: &Shader,
    inputs: &GraphInputs,
    options: &Options,
) -> Result<Outputs, Error> {
    let mut library = Library::new(shader);
    let mut level = Level::new();
    let mut first = Vec::new();
    for entry in &inputs.entries {
        let number = library.numbers.get(&(entry.node.clone(), entry.index));
        let &number = number.ok_or_else(|| fail(entry, NodeRule::Exists))?;
        first.push(number);
        let properties = library.nodes[number].properties;
        let batch = level.entry((number, properties.max_recursion_depth));
        add(batch.or_default(), entry, properties)?;
    }
    let mut instructions = 0;
    for number in library.reachable(first) {
        let node = &mut library.nodes[number];
        let program = decode::decode(module, shader, node.entry, node.entry.function, options)?;
        let sizes = [
            program.code.len(),
            program.operands.len(),
            program.copies.len(),
        ];
        instructions += sizes.iter().sum::<usize>() as u64;
        bounded(Quantity::Instructions, instructions, MAX_INSTRUCTIONS)?;
        node.program = Some(program);
    }
    let idle = Program::default();
    let mut machine = Machine::new(&idle, &inputs.resources, &inputs.scenes, options)?;
    let depth = |node: &Node<'_>| node.properties.max_recursion_depth;
    machine.graph = Graph {
        depths: library.nodes.iter().map(depth).collect(),
        numbers: std::mem::take(&mut library.numbers),
        ..Graph::default()
    };
    for _ in 0..MAX_LEVELS {
        if level.is_empty() {
            return Ok(machine.finish());
        }
        level = run_level(&mut machine, &library, level, options)?;
    }
    Err(Error::Limit {
        quantity: Quantity::Levels,
        limit: MAX_LEVELS as u64,
    })
}

impl<'m> Library<'m> {
    fn new(shader: &'m Shader) -> Self {
        let entries = shader.entry_points.iter();
        let entries = entries.filter(|entry| entry.kind == ShaderKind::Node);
        let node = |entry: &'m EntryPoint| {
            let properties = entry.properties.node.as_deref()?;
            let (name, index) = match &properties.id {
                Some(id) => (id.name.to_string(), id.index),
                None => (entry.name.to_string(), 0),
            };
            Some(Node {
                name,
                index,
                entry,
                properties,
                program: None,
            })
        };
        let mut nodes: Vec<Node<'_>> = entries.filter_map(node).collect();
        nodes.sort_by(|a, b| (&a.name, a.index).cmp(&(&b.name, b.index)));
        let (mut numbers, mut sharers) = (HashMap::new(), HashMap::new());
        for (number, node) in nodes.iter().enumerate() {
            numbers.insert((node.name.clone(), node.index), number);
            if let Some(id) = &node.properties.share_input_of {
                let of = sharers.entry((id.name.to_string(), id.index));
                of.or_insert_with(Vec::new).push(number);
            }
        }
        Self {
            nodes,
            numbers,
            sharers,
        }
    }

    /// Returns the numbers of the nodes that share the input of a node.
    fn sharers(&self, number: usize) -> impl Iterator<Item = usize> {
        let node = &self.nodes[number];
        let all = self.sharers.get(&(node.name.clone(), node.index));
        let all = all.into_iter().flatten().copied();
        all.filter(move |&other| other != number)
    }

    /// Returns the numbers of the nodes that a graph may come to: all of an array, if it outputs to
    /// one of them.
    fn reachable(&self, mut work: Vec<usize>) -> Vec<usize> {
        let mut arrays: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            arrays.entry(&node.name).or_default().push(number);
        }
        let mut found = vec![false; self.nodes.len()];
        while let Some(number) = work.pop() {
            if std::mem::replace(&mut found[number], true) {
                continue;
            }
            work.extend(self.sharers(number));
            for output in &self.nodes[number].properties.outputs {
                // The second output to an array has nothing to add.
                work.extend(arrays.remove(&*output.id.name).unwrap_or_default());
            }
        }
        (0..found.len()).filter(|&number| found[number]).collect()
    }
}

fn fail(entry: &GraphEntry, rule: NodeRule) -> Error {
    Error::Node {
        node: entry.node.clone(),
        rule,
    }
}

/// Adds the records of an entry.
fn add(batch: &mut Batch, entry: &GraphEntry, properties: &NodeProperties) -> Result<(), Error> {
    let size = properties.input_record().map_or(0, |record| record.size);
    let (bytes, count) = (entry.records.len(), entry.count as usize);
    let stride = bytes.checked_div(count).unwrap_or(0);
    let fits = count > 0 && stride * count == bytes && stride >= size as usize;
    if !fits || (size == 0 && bytes > 0) {
        let count = entry.count;
        return Err(fail(entry, NodeRule::EntryRecords { bytes, count, size }));
    }
    batch.count += count as u64;
    if stride > 0 {
        let records = entry.records.chunks_exact(stride);
        batch.records.extend(records.map(<[u8]>::to_vec));
    }
    Ok(())
}

/// Runs the nodes of a level; returns the next one.
fn run_level<'p>(
    machine: &mut Machine<'p>,
    library: &'p Library<'_>,
    level: Level,
    options: &Options,
) -> Result<Level, Error> {
    let graph = &mut machine.graph;
    graph.records.clear();
    graph.allocations.clear();
    graph.counts.clear();
    graph.bytes = 0;
    let mut runs = Vec::new();
    for ((number, left), batch) in level {
        let first = graph.records.len() as u32;
        graph.records.extend(batch.records);
        let input = Input {
            records: first..graph.records.len() as u32,
            count: batch.count,
        };
        runs.push((number, left, input.clone()));
        for other in library.sharers(number) {
            runs.push((other, graph.depths[other], input.clone()));
        }
    }
    for (number, left, input) in runs {
        let node = &library.nodes[number];
        let Some(program) = &node.program else {
            continue;
        };
        machine.enter(program, wave_width(program, options)? as usize);
        machine.spend(node.properties.outputs.len() as u64)?;
        machine.graph.enter(node, number, left);
        run_node(machine, node, &input)?;
    }
    let graph = &mut machine.graph;
    let mut next = Level::new();
    for allocation in &graph.allocations {
        if allocation.count == 0 {
            continue;
        }
        let batch = next.entry((allocation.node, allocation.left)).or_default();
        let first = allocation.first as usize;
        let records = &mut graph.records[first..first + allocation.count as usize];
        batch.records.extend(records.iter_mut().map(std::mem::take));
        batch.count += u64::from(allocation.count);
    }
    for (&place, &count) in &graph.counts {
        next.entry(place).or_default().count += count;
    }
    Ok(next)
}

impl Graph {
    /// Begins to run a node.
    fn enter(&mut self, node: &Node<'_>, number: usize, left: u32) {
        self.name.clone_from(&node.name);
        (self.number, self.left) = (number, left);
        self.sharing.clear();
        let outputs = node.properties.outputs.iter().enumerate();
        self.outputs = outputs
            .map(|(number, output)| Output {
                name: output.id.name.to_string(),
                index: output.id.index,
                nodes: output.array_size.unwrap_or(1),
                size: output.record().map_or(0, |record| record.size),
                most: output.max_records.unwrap_or(0),
                counter: output
                    .max_records_shared_with
                    .map_or(number, |n| n as usize),
            })
            .collect();
    }
}

/// Runs a node for records.
fn run_node(machine: &mut Machine<'_>, node: &Node<'_>, input: &Input) -> Result<(), Error> {
    let properties = node.properties;
    let record_type = properties.input_record();
    let at_once = match properties.launch {
        NodeLaunch::Coalescing => {
            let input = properties.inputs.first();
            let most = input.and_then(|input| input.max_records);
            most.unwrap_or(1).max(1)
        }
        NodeLaunch::Broadcasting | NodeLaunch::Thread => 1,
        NodeLaunch::Unknown(_) => return Err(unsupported(Feature::NodeLaunch)),
    };
    let mut waves = machine.waves()?;
    let mut done = 0;
    while done < input.count {
        machine.spend(1)?;
        let now = u64::from(at_once).min(input.count - done);
        let at = |done: u64| {
            let Range { start, end } = input.records;
            (u64::from(start) + done).min(u64::from(end)) as u32
        };
        let numbers: Vec<u32> = (at(done)..at(done + now)).collect();
        let grid = match properties.launch {
            NodeLaunch::Broadcasting => {
                let record = numbers
                    .first()
                    .and_then(|&n| machine.graph.records.get(n as usize));
                grid(properties, record_type, record.map_or(&[], Vec::as_slice))
            }
            _ => [1; 3],
        };
        if let Some(&record) = numbers.first() {
            let groups = grid.map(u64::from).into_iter().fold(1, u64::saturating_mul);
            machine.graph.sharing.insert(record, groups);
        }
        run_grid(machine, &mut waves, grid, &numbers, now as u32)?;
        done += now;
    }
    Ok(())
}

fn run_grid(
    machine: &mut Machine<'_>,
    waves: &mut [Wave],
    grid: [u32; 3],
    numbers: &[u32],
    count: u32,
) -> Result<(), Error> {
    for group in groups(grid) {
        machine.group = group;
        let before = machine.graph.allocations.len();
        let steps = machine.graph.begin_group(numbers.to_vec(), count);
        machine.spend(steps)?;
        machine.run_group(waves, machine.program.group_size())?;
        let mut made = machine.graph.allocations[before..].iter();
        if made.any(|allocation| !allocation.is_complete) {
            return Err(machine.graph.fail(NodeRule::Complete));
        }
    }
    Ok(())
}

/// Returns the groups of a broadcasting node for a record, at most those that the node declares.
fn grid(properties: &NodeProperties, ty: Option<&NodeRecord>, record: &[u8]) -> [u32; 3] {
    let Some(most) = properties.max_dispatch_grid else {
        return properties.dispatch_grid.unwrap_or([1; 3]);
    };
    let Some(field) = ty.and_then(|ty| ty.grid) else {
        return most;
    };
    let size = if field.component == ComponentType::U16 {
        2
    } else {
        4
    };
    let mut grid = [1; 3];
    for (axis, groups) in grid.iter_mut().enumerate().take(field.components as usize) {
        let at = (field.offset as usize).saturating_add(axis * size);
        let bytes = record.get(at..at.saturating_add(size)).unwrap_or_default();
        *groups = (little_endian(bytes) as u32).min(most[axis]);
    }
    grid
}
