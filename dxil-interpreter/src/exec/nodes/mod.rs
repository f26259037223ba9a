//! Operations of nodes of work graphs, for one lane. `run` runs a graph.
//!
//! A handle of records is the number of an allocation, from 1, or [`INPUT`]; a handle of an output
//! is its number, from 1, with the index in its array in the high half. A record is an object of
//! [`Space::Record`](crate::memory::Space).
//!
//! An operation for the whole group gives the first thread that comes to it the result, and all
//! others the same: each call site counts for each thread how often it came there. So waves need
//! not be together.

mod run;

use std::collections::{BTreeMap, HashMap};

use trellis_dxil_frontend::dxop::NodeOp;

use super::{CLEARED, Machine, Wave};
use crate::error::{Error, NodeRule, Quantity};
use crate::memory::{Pointer, Space};

pub(crate) use run::run_graph;

/// The handle of the input records.
pub(crate) const INPUT: u64 = 1 << 63;
/// Most records of a level of a graph.
const MAX_RECORDS: usize = 1 << 20;
/// Most bytes of the records of a level.
const MAX_BYTES: usize = 1 << 26;

/// An output of the node that runs.
#[derive(Debug)]
struct Output {
    name: String,
    index: u32,
    /// Nodes of the array; 1 for a single node.
    nodes: u32,
    /// Bytes of a record; 0 for an empty one.
    size: u32,
    /// Most records of a group or thread, and the output that counts them.
    most: u32,
    counter: usize,
}

/// Records that were allocated together.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    first: u32,
    count: u32,
    node: usize,
    /// The number of times that the node may still follow itself.
    left: u32,
    is_complete: bool,
}

/// The group's nth operation at a call site.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ForGroup {
    operands: [u64; 2],
    result: u64,
}

/// State of the node that runs.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Numbers of the nodes by name and index.
    numbers: HashMap<(String, u32), usize>,
    /// Name of the node, for errors.
    name: String,
    number: usize,
    /// The most times that a node may follow itself, by number.
    depths: Vec<u32>,
    left: u32,
    outputs: Vec<Output>,
    /// Records of the level's inputs, then those that are output.
    records: Vec<Vec<u8>>,
    /// Bytes of all records.
    bytes: usize,
    allocations: Vec<Allocation>,
    /// Empty records that were sent, by node and remaining recursion.
    counts: BTreeMap<(usize, u32), u64>,
    /// Records of the group's input.
    input: Vec<u32>,
    /// Number of the group's input records, including empty ones.
    input_count: u32,
    /// Groups that have not finished with a record, by its number.
    sharing: HashMap<u32, u64>,
    /// By call site and occurrence.
    for_group: HashMap<(u64, u32), ForGroup>,
    /// Occurrences by call site and thread.
    occurrences: HashMap<(u64, u32), u32>,
    /// Records that the group output, by counter.
    used: HashMap<usize, u64>,
}

impl Graph {
    fn fail(&self, rule: NodeRule) -> Error {
        Error::Node {
            node: self.name.clone(),
            rule,
        }
    }

    /// Returns the contents of a record.
    pub(super) fn record(&mut self, number: usize) -> Option<&mut Vec<u8>> {
        self.records.get_mut(number)
    }

    /// Makes the payload of a mesh shader the only record.
    pub(super) fn set_record(&mut self, payload: Vec<u8>) {
        self.records = vec![payload];
    }

    /// Begins a group with its input; returns the steps that this takes.
    fn begin_group(&mut self, input: Vec<u32>, count: u32) -> u64 {
        let cleared = self.for_group.capacity() + self.occurrences.capacity() + input.len();
        self.input = input;
        self.input_count = count;
        self.for_group.clear();
        self.occurrences.clear();
        self.used.clear();
        cleared as u64
    }

    /// Returns how often a thread came to a call site before.
    fn occurrence(&mut self, site: u64, thread: u32) -> u32 {
        let count = self.occurrences.entry((site, thread)).or_insert(0);
        *count += 1;
        *count - 1
    }

    fn output(&self, handle: u64) -> Result<(usize, u32), Error> {
        let number = (handle as u32 as usize).checked_sub(1);
        let number = number.filter(|&number| number < self.outputs.len());
        let number = number.ok_or_else(|| self.fail(NodeRule::Handle))?;
        Ok((number, (handle >> 32) as u32))
    }

    /// Returns the node that an output leads to, and how often it may follow itself then; `None` if
    /// there is none.
    fn target(&self, output: &Output, at: u32) -> Option<(usize, u32)> {
        if at >= output.nodes {
            return None;
        }
        let place = (output.name.clone(), output.index.checked_add(at)?);
        let &number = self.numbers.get(&place)?;
        if number == self.number {
            Some((number, self.left.checked_sub(1)?))
        } else {
            Some((number, self.depths.get(number).copied().unwrap_or(0)))
        }
    }

    /// Counts records of an output, and returns the node that they are for.
    fn count(&mut self, handle: u64, count: u32) -> Result<Option<(usize, u32, u32)>, Error> {
        let (number, at) = self.output(handle)?;
        if count == 0 {
            return Ok(None);
        }
        let output = &self.outputs[number];
        let Some((node, left)) = self.target(output, at) else {
            return Err(self.fail(NodeRule::Target {
                name: output.name.clone(),
                index: output.index.wrapping_add(at),
            }));
        };
        let (size, counter) = (output.size, output.counter);
        let limit = self.outputs.get(counter).map_or(0, |output| output.most);
        let used = self.used.entry(counter).or_insert(0);
        *used += u64::from(count);
        if *used > u64::from(limit) {
            return Err(self.fail(NodeRule::MaxRecords {
                output: counter,
                limit,
            }));
        }
        Ok(Some((node, left, size)))
    }

    /// Allocates records; returns their handle.
    fn allocate(&mut self, handle: u64, count: u32) -> Result<u64, Error> {
        let first = self.records.len();
        let (mut node, mut left) = (usize::MAX, 0);
        if let Some((target, depth, size)) = self.count(handle, count)? {
            (node, left) = (target, depth);
            let bytes = (size as usize).saturating_mul(count as usize);
            self.bytes = self.bytes.saturating_add(bytes);
            let full = |quantity, limit: usize| {
                let limit = limit as u64;
                Err(Error::Limit { quantity, limit })
            };
            if first + count as usize > MAX_RECORDS {
                return full(Quantity::Records, MAX_RECORDS);
            }
            if self.bytes > MAX_BYTES {
                return full(Quantity::RecordBytes, MAX_BYTES);
            }
            let record = vec![0; size as usize];
            self.records.resize(first + count as usize, record);
        }
        self.allocations.push(Allocation {
            first: first as u32,
            count,
            node,
            left,
            is_complete: count == 0,
        });
        Ok(self.allocations.len() as u64)
    }

    fn allocation(&mut self, handle: u64) -> Result<&mut Allocation, Error> {
        let number = usize::try_from(handle).ok().and_then(|n| n.checked_sub(1));
        let number = number.filter(|&number| number < self.allocations.len());
        let number = number.ok_or_else(|| self.fail(NodeRule::Handle))?;
        Ok(&mut self.allocations[number])
    }
}

impl Machine<'_> {
    /// Runs an operation of a node.
    pub(super) fn node_op(
        &mut self,
        wave: &Wave,
        op: NodeOp,
        lane: usize,
        args: &[u64],
    ) -> Result<u64, Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let thread = self.program.thread(wave.first + lane as u32);
        let (handle, number) = (arg(0), arg(1) as u32);
        Ok(match op {
            NodeOp::AllocateNodeOutputRecords | NodeOp::IncrementOutputCount => {
                let for_group = arg(2) & 1 == 0;
                let site = for_group.then(|| (arg(3), thread));
                self.once([handle, u64::from(number)], site, |this| {
                    this.output_records(op, handle, number)
                })?
            }
            NodeOp::FinishedCrossGroupSharing => {
                self.once([handle, 0], Some((arg(1), thread)), |this| {
                    Ok(u64::from(this.finish_sharing()))
                })?
            }
            NodeOp::OutputComplete => {
                self.graph.allocation(handle)?.is_complete = true;
                0
            }
            NodeOp::GetNodeRecordPtr => {
                let record = if handle == INPUT {
                    self.graph.input.get(number as usize).copied()
                } else {
                    let &mut Allocation { first, count, .. } = self.graph.allocation(handle)?;
                    (number < count).then(|| first + number)
                };
                if record.is_none() {
                    self.out_of_bounds.set(self.out_of_bounds.get() + 1);
                }
                record.map_or(0, |record| Pointer::new(Space::Record, record).0)
            }
            NodeOp::GetInputRecordCount => u64::from(self.graph.input_count),
            NodeOp::IndexNodeHandle => u64::from(handle as u32) | u64::from(number) << 32,
            NodeOp::NodeOutputIsValid => {
                let (output, at) = self.graph.output(handle)?;
                let output = &self.graph.outputs[output];
                u64::from(self.graph.target(output, at).is_some())
            }
            NodeOp::GetRemainingRecursionLevels => u64::from(self.graph.left),
            // The decoder makes copies of them.
            NodeOp::CreateNodeOutputHandle
            | NodeOp::AnnotateNodeHandle
            | NodeOp::CreateNodeInputRecordHandle
            | NodeOp::AnnotateNodeRecordHandle => handle,
        })
    }

    /// Returns the result of `run`, which for an operation of the whole group (at a call site, for
    /// a thread) is run for one thread.
    fn once(
        &mut self,
        operands: [u64; 2],
        site: Option<(u64, u32)>,
        run: impl FnOnce(&mut Self) -> Result<u64, Error>,
    ) -> Result<u64, Error> {
        let Some((site, thread)) = site else {
            return run(self);
        };
        let key = (site, self.graph.occurrence(site, thread));
        match self.graph.for_group.get(&key) {
            Some(known) if known.operands == operands => Ok(known.result),
            Some(_) => Err(self.graph.fail(NodeRule::Uniform)),
            None => {
                let result = run(self)?;
                let done = ForGroup { operands, result };
                self.graph.for_group.insert(key, done);
                Ok(result)
            }
        }
    }

    /// Allocates records, or counts empty ones.
    fn output_records(&mut self, op: NodeOp, handle: u64, number: u32) -> Result<u64, Error> {
        if op == NodeOp::IncrementOutputCount {
            if let Some((node, left, _)) = self.graph.count(handle, number)? {
                *self.graph.counts.entry((node, left)).or_insert(0) += u64::from(number);
            }
            return Ok(0);
        }
        let before = self.graph.bytes;
        let result = self.graph.allocate(handle, number)?;
        let cleared = (self.graph.bytes - before) as u64 / CLEARED;
        self.spend(cleared + u64::from(number))?;
        Ok(result)
    }

    /// Returns whether the group is the last one that finishes with its record.
    fn finish_sharing(&mut self) -> bool {
        let graph = &mut self.graph;
        let record = graph.input.first();
        let Some(left) = record.and_then(|record| graph.sharing.get_mut(record)) else {
            return false;
        };
        *left = left.saturating_sub(1);
        *left == 0
    }
}
