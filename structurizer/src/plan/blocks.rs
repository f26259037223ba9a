//! The blocks of the output, as planned: their order, merges, ends and edges.

use alloc::vec::Vec;

use trellis_entity::ReservedValue;

use crate::entity::{EntityRef, PackedOption, PrimaryMap, entity_impl};
use crate::ir::{Block, CaseRange, SelectionHint, Value};
use crate::maps::FxHashMap;
use crate::passes::Code;
use crate::plan::positions::Position;
use crate::result::{Merge, Report};

/// An edge of the output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OutEdge(u32);
entity_impl!(OutEdge, "e");

/// A switch of the output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OutSwitch(u32);
entity_impl!(OutSwitch, "s");

/// An edge of the input, which assigns phis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Assigning {
    /// The block whose terminator it comes from.
    pub(crate) origin: Block,
    /// The block whose phis it assigns.
    pub(crate) target: Block,
}

impl ReservedValue for Assigning {
    fn reserved_value() -> Self {
        let reserved = Block::reserved_value();
        Self {
            origin: reserved,
            target: reserved,
        }
    }
    fn is_reserved_value(self) -> bool {
        self.origin.is_reserved_value()
    }
}

/// The value that an edge of the output carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutEdgeData {
    pub(crate) from: Block,
    pub(crate) to: Block,
    /// The edge of the input that it carries, if any.
    pub(crate) assigns: PackedOption<Assigning>,
    /// Dispatch selector set on it, if any.
    pub(crate) code: PackedOption<Code>,
    /// Selector set on it: the position of its target; none if it forwards the incoming selector.
    pub(crate) selector: PackedOption<Position>,
}

/// The selector that a test reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Selector {
    /// The position of the target.
    Escape,
    /// The code of the entry into an irreducible loop.
    Dispatch,
}

/// A conditional branch on a selector, whose condition SSA construction fills in: to `then` if
/// `selector <= bound`, else to `otherwise`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) block: Block,
    pub(crate) selector: Selector,
    /// A position or a code.
    pub(crate) bound: u32,
    pub(crate) then: OutEdge,
    pub(crate) otherwise: OutEdge,
}

/// Where an empty block leads that is bypassed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bypass {
    pub(crate) to: Block,
}

/// A switch on a selector, whose value SSA construction fills in.
#[derive(Clone, Debug)]
pub(crate) struct SelectorSwitch {
    pub(crate) block: Block,
    pub(crate) selector: Selector,
    /// Positions or codes, each with the edge that is taken for it.
    pub(crate) cases: Vec<(u32, OutEdge)>,
    pub(crate) default: OutEdge,
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ending {
    /// As in the input: it ends the invocation.
    #[default]
    Unchanged,
    /// As a block of the input does for invocations that come from another one; it ends the
    /// invocation.
    CopyOf { original: Block, from: Block },
    /// Nothing arrives here.
    Unreachable,
    /// A branch.
    Branch(OutEdge),
    /// A branch on an original condition.
    Conditional {
        cond: Value,
        then: OutEdge,
        otherwise: OutEdge,
    },
    /// A [`Test`].
    Test,
    /// A [`SelectorSwitch`].
    SelectorSwitch,
    /// A switch of the input.
    Switch(OutSwitch),
    /// A switch with a default case only.
    Breakable(OutEdge),
}

/// A switch of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutSwitchData {
    pub(crate) value: Value,
    /// The default target in the input.
    pub(crate) default: Block,
    /// The cases in the input.
    pub(crate) cases: CaseRange,
    pub(crate) hint: SelectionHint,
    /// Its edges by original target, sorted: a range of [`Blocks::switch_targets`].
    pub(crate) targets: (usize, usize),
}

/// A target of an [`OutSwitchData`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchTarget {
    /// The target in the input.
    pub(crate) original: Block,
    pub(crate) edge: OutEdge,
    /// Position of its cases among the cases of all targets.
    pub(crate) rank: usize,
}

/// A block of the output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlannedBlock {
    pub(crate) merge: Merge,
    pub(crate) ending: Ending,
}

/// The blocks of the output. Those of the input keep their numbers, fresh ones come after them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// All blocks; not all of them are in the order.
    pub(crate) blocks: PrimaryMap<Block, PlannedBlock>,
    /// The order of the blocks in the output.
    pub(crate) order: Vec<Block>,
    /// The edges, in the order in which they were found: each only here.
    pub(crate) edges: PrimaryMap<OutEdge, OutEdgeData>,
    pub(crate) switches: PrimaryMap<OutSwitch, OutSwitchData>,
    /// The targets of all switches.
    pub(crate) switch_targets: Vec<SwitchTarget>,
    pub(crate) tests: Vec<Test>,
    pub(crate) selector_switches: Vec<SelectorSwitch>,
    /// Empty blocks that some edges to them bypass. An edge that assigns the phis of such a block
    /// may lead to the target of that block.
    pub(crate) bypassed: FxHashMap<Block, Bypass>,
    /// Whether there was a breakable block, used in the end or not.
    pub(crate) any_breakable: bool,
    /// True if some path of the output is not a path of the input, so definitions may no longer
    /// dominate their uses.
    pub(crate) needs_ssa_repair: bool,
    pub(crate) report: Report,
}

impl Blocks {
    /// Adds a switch with these targets, in any order.
    pub(crate) fn add_switch(
        &mut self,
        switch: OutSwitchData,
        targets: impl IntoIterator<Item = SwitchTarget>,
    ) -> OutSwitch {
        let start = self.switch_targets.len();
        self.switch_targets.extend(targets);
        self.switch_targets[start..].sort_unstable_by_key(|t| t.original);
        let targets = (start, self.switch_targets.len());
        self.switches.push(OutSwitchData { targets, ..switch })
    }
    /// Returns the targets of a switch, by the target in the input.
    pub(crate) fn targets_of(&self, switch: &OutSwitchData) -> &[SwitchTarget] {
        &self.switch_targets[switch.targets.0..switch.targets.1]
    }
    /// Returns the end of an edge.
    pub(crate) fn target(&self, edge: OutEdge) -> Block {
        self.edges[edge].to
    }
    /// Returns the number of blocks, with those that are not in the order.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }
    /// Returns the edges that leave a block, in no particular order.
    pub(crate) fn edges_from(&self, block: Block) -> impl Iterator<Item = &OutEdgeData> {
        let edges = self.edges.values();
        edges.filter(move |e| e.from.index() == block.index())
    }
}
