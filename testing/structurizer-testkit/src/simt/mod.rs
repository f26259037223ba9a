//! An execution model of a wave of lanes, to check that structurization keeps the behaviour.
//!
//! Instructions are not interpreted: a result is a hash of the instruction's payload, its operands
//! and the lane, and for an instruction that reads memory or has a side effect also of how often
//! the lane ran it. Conditions are drawn from the hash of the value and the number of instructions
//! that the lane has run, so that the same program decides alike before and after, however often it
//! decides on a value between two instructions: a branch may have become several selects, or none.
//! Selectors and selects alone are computed as they are. At a uniform terminator
//! ([`Function::set_uniform`](trellis_structurizer::ir::Function::set_uniform)) all lanes that run
//! it together decide like the lowest of them. [`run_structured_like`] repeats these decisions of
//! each lane, since a result may be run by the lanes in smaller sets there.
//!
//! [`run_graph`] runs a function by the model of the input: a block number per lane, the lowest
//! block in a loop-contiguous reverse post-order first, lanes at the same block together, lanes
//! that take a back edge wait until no other lane is in the loop. [`run_canonical`] does the same
//! on the graph with dispatch headers, for irreducible functions. [`run_structured`] runs a
//! structured function under maximal reconvergence: lanes wait at merge blocks and continue
//! targets, by the merge instructions. [`compare`] then compares the lanes' events.
//!
//! Every run ends: a lane halts after [`Config::fuel`] instructions, and where it runs in circles
//! without any. Both depend on the lane's own path only, so that a lane halts at the same point before
//! and after.

mod canonical;
mod graph;
mod lane;
mod order;
mod structured;

use rustc_hash::FxHashMap;
use thiserror::Error;
use trellis_structurizer::ir::{Block, Value};

pub use canonical::{CanonicalGraph, run_canonical};
pub use graph::run_graph;
pub use order::is_reducible;
pub use structured::{run_structured, run_structured_like};

/// Options of a run.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Number of lanes, 1 to 64.
    pub lanes: u32,
    /// Seed of the conditions.
    pub seed: u64,
    /// Number of instructions after which a lane halts.
    pub fuel: u32,
    /// True if results of convergent instructions depend on the set of lanes that run together.
    pub convergent_results: bool,
    /// Switch values are drawn from `0..=switch_range`.
    pub switch_range: u64,
    /// How many of four instructions have results that do not depend on the lane, but only on the
    /// operands.
    pub uniform: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            lanes: 8,
            seed: 0,
            fuel: 128,
            convergent_results: false,
            switch_range: 7,
            uniform: 1,
        }
    }
}

impl Config {
    /// Returns whether the results of the instructions with a payload do not depend on the lane
    /// ([`Config::uniform`]). Those that read memory or have a side effect also depend on how often the
    /// lane ran them.
    pub fn is_uniform(&self, payload: u32) -> bool {
        lane::mix(self.seed, u64::from(payload) + (1 << 33)) & 3 < self.uniform
    }
}

/// An observable action of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Kind of action.
    pub kind: EventKind,
    /// A hash of the operands.
    pub operands: u64,
    /// Of a convergent instruction: the lanes that ran it together, one bit per lane; else 0.
    pub lanes: u64,
}

/// See [`Event`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// An instruction with a side effect or a convergent one, by its payload.
    Inst(u32),
    /// `Return`
    Return,
    /// `Kill`
    Kill,
    /// `Exit`, with its payload.
    Exit(u32),
    /// `Unreachable` was reached.
    Unreachable,
    /// The lane ran out of fuel or runs in circles.
    Halt,
}

/// Events of each lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// The events of each lane.
    pub lanes: Vec<Vec<Event>>,
    uniform: Decisions,
}

/// The decisions at uniform terminators: the random choice, by the lane, the hash of the value, and
/// the number of instructions that the lane had run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Decisions(FxHashMap<(usize, u64, u32), u64>);

/// Why a run cannot continue. Where the input runs, each of these is a bug of structurization.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SimError {
    /// A condition or a selector is undefined.
    #[error("{block} branches on {value}, which is undefined here")]
    UndefinedCondition {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A value is read before it is written.
    #[error("{block} reads {value} before it is written")]
    Unwritten {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A phi has no operand for the block that control came from.
    #[error("{phi} in {block} has no operand for {pred}")]
    MissingOperand {
        /// The block.
        block: Block,
        /// The phi.
        phi: Value,
        /// Block from which control came.
        pred: Block,
    },
    /// A block has no terminator, or the function has no block.
    #[error("{block} has no terminator")]
    NoTerminator {
        /// The block.
        block: Block,
    },
}

/// Comparison of the sets of lanes of convergent instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneSets {
    /// Not at all.
    Ignore,
    /// No lane may be missing.
    Superset,
    /// They must be the same.
    Equal,
}

/// The first difference between two traces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("lane {lane}, event {index}: expected {expected:?}, found {found:?}")]
pub struct Difference {
    /// The lane.
    pub lane: usize,
    /// Index of the event in the lane.
    pub index: usize,
    /// Event of the first trace.
    pub expected: Option<Event>,
    /// Event of the second trace.
    pub found: Option<Event>,
}

/// Compares the trace before with the trace after.
pub fn compare(before: &Trace, after: &Trace, sets: LaneSets) -> Result<(), Difference> {
    for lane in 0..before.lanes.len().max(after.lanes.len()) {
        let events = |trace: &Trace| trace.lanes.get(lane).map_or(0, Vec::len);
        for index in 0..events(before).max(events(after)) {
            let get = |trace: &Trace| {
                trace
                    .lanes
                    .get(lane)
                    .and_then(|events| events.get(index))
                    .copied()
            };
            let (expected, found) = (get(before), get(after));
            let same = match (expected, found) {
                (Some(a), Some(b)) => {
                    let together = match sets {
                        LaneSets::Ignore => true,
                        LaneSets::Superset => a.lanes & !b.lanes == 0,
                        LaneSets::Equal => a.lanes == b.lanes,
                    };
                    a.kind == b.kind && a.operands == b.operands && together
                }
                _ => false,
            };
            if !same {
                return Err(Difference {
                    lane,
                    index,
                    expected,
                    found,
                });
            }
        }
    }
    Ok(())
}
