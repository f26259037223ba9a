//! The stages of the structurizer by name, sets of them, and remarks: what a stage decided, where
//! and why.

use std::fmt;

use crate::ir::Block;

/// A stage. Those that are not always on only choose among shapes that are all right, so that each
/// may be switched off ([`Options::stages`](crate::Options::stages)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Stage {
    /// 0: a reducible graph with one back edge a loop. Always on.
    Canonicalize,
    /// 1: blocks that hold only phis on a way out of a loop are no merge of the source: their
    /// predecessors go on directly.
    BreakPhis,
    /// 2: a loop's latch is its continue target; where several blocks lead to it they merge in a
    /// block before it.
    ContinueLadders,
    /// 3: lanes that pass others by leave through a block construct.
    InterleavedBreaks,
    /// 4: of two arms one of which never falls through, the other follows it instead of standing
    /// beside it.
    MergeScopes,
    /// 5: blocks that do nothing go.
    DegenerateBlocks,
    /// 6: small blocks that end the lane are copied to where a selector would have to lead.
    Duplication,
    /// 7: what stands on a way out of a loop stands inside the loop or behind it, so that all ways
    /// out meet at its merge block.
    LoopTransposition,
    /// 8: a switch case that another one flows into stands behind it and is fallen into.
    FallThrough,
    /// 8: constructs, escapes and merge blocks. Always on.
    Constructs,
    /// 9: phis. Always on.
    Phis,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 11] = [
        Self::Canonicalize,
        Self::BreakPhis,
        Self::ContinueLadders,
        Self::InterleavedBreaks,
        Self::MergeScopes,
        Self::DegenerateBlocks,
        Self::Duplication,
        Self::LoopTransposition,
        Self::FallThrough,
        Self::Constructs,
        Self::Phis,
    ];
    /// Those that may be switched off.
    pub const OPTIONAL: [Self; 8] = [
        Self::BreakPhis,
        Self::ContinueLadders,
        Self::InterleavedBreaks,
        Self::MergeScopes,
        Self::DegenerateBlocks,
        Self::Duplication,
        Self::LoopTransposition,
        Self::FallThrough,
    ];
    /// The number that the design gives it.
    pub fn number(self) -> u32 {
        match self {
            Self::Constructs => 8,
            Self::Phis => 9,
            other => other as u32,
        }
    }
    /// The name for the command line and for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Canonicalize => "canonicalize",
            Self::BreakPhis => "break-phis",
            Self::ContinueLadders => "continue-ladders",
            Self::InterleavedBreaks => "interleaved-breaks",
            Self::MergeScopes => "merge-scopes",
            Self::DegenerateBlocks => "degenerate-blocks",
            Self::Duplication => "duplication",
            Self::LoopTransposition => "loop-transposition",
            Self::FallThrough => "fall-through",
            Self::Constructs => "constructs",
            Self::Phis => "phis",
        }
    }
    /// The stage with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of stages. Those that are always on are in none and in all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stages(u16);

impl Stages {
    /// Every stage.
    pub const ALL: Self = Self(u16::MAX);
    /// Only those that are always on.
    pub const NONE: Self = Self(0);

    /// This set and one more.
    #[must_use]
    pub const fn with(self, stage: Stage) -> Self {
        Self(self.0 | 1 << stage as u16)
    }
    /// This set without one.
    #[must_use]
    pub const fn without(self, stage: Stage) -> Self {
        Self(self.0 & !(1 << stage as u16))
    }
    /// Whether a stage runs.
    pub const fn contains(self, stage: Stage) -> bool {
        matches!(stage, Stage::Canonicalize | Stage::Constructs | Stage::Phis)
            || self.0 & 1 << stage as u16 != 0
    }
}

impl Default for Stages {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Debug for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(Stage::ALL.into_iter().filter(|&s| self.contains(s)))
            .finish()
    }
}

/// One decision: which stage, about which block, what was decided and why. `Display` is a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The stage.
    pub stage: Stage,
    /// The block that it is about: an original one, or one that the structurizer made.
    pub block: Block,
    /// What was decided.
    pub decision: Decision,
}

/// What a stage decided about a block. See [`Remark`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Decision {
    /// The block cannot be reached: it is left out.
    Unreachable,
    /// The entry has predecessors, so a fresh block stands before it.
    EntrySplit,
    /// The block is one of several entries into an irreducible loop: they are led through a
    /// dispatch header.
    DispatchHeader {
        /// How many targets it dispatches to.
        targets: u32,
    },
    /// The loop with this header has several back edges: they share a latch.
    SharedLatch {
        /// How many.
        back_edges: u32,
    },
    /// The block's phis are computed where control comes from, and control goes on directly.
    BreakPhisMoved {
        /// To where.
        to: Block,
    },
    /// The block does nothing: control goes on directly.
    Removed {
        /// To where.
        to: Block,
    },
    /// The block is the continue target of a loop.
    ContinueTarget {
        /// The loop's header.
        header: Block,
    },
    /// The loop with this header gets a fresh continue target.
    FreshContinueTarget,
    /// Two nested loops share this header: the outer one gets a header of its own.
    OuterHeader {
        /// The latch of the inner loop.
        latch: Block,
    },
    /// A block construct starts here.
    BlockConstruct {
        /// What its merge block leads to.
        to: Block,
    },
    /// The block follows a branch's other arm, which never falls through.
    Follows {
        /// The block that branches.
        branch: Block,
    },
    /// A copy of the block, which only ends the lane, stands where control would have had to carry
    /// a selector.
    Copied,
    /// The loop with this header is followed by a block.
    LoopFollow {
        /// That block.
        to: Block,
    },
    /// The block stands on a way out of a loop and stays inside.
    StaysInLoop {
        /// The loop's header.
        header: Block,
    },
    /// The case is fallen into.
    FallsInto {
        /// From which case.
        from: Block,
    },
    /// Lanes with several targets meet here: a selector decides whether `to` runs.
    Selector {
        /// What it guards.
        to: Block,
    },
    /// Lanes with several targets meet here, and a selector decides between ways out.
    SelectorDispatch {
        /// How many ways.
        ways: u32,
    },
    /// An empty merge block was made.
    Ladder,
    /// Phis were put into the block.
    PhisInserted {
        /// How many.
        count: u32,
    },
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unreachable => write!(f, "left out: no path leads there"),
            Self::EntrySplit => write!(
                f,
                "the entry has predecessors: a fresh block stands before it"
            ),
            Self::DispatchHeader { targets } => write!(
                f,
                "the loop has several entries: a dispatch header leads to {targets} targets"
            ),
            Self::SharedLatch { back_edges } => write!(f, "{back_edges} back edges share a latch"),
            Self::BreakPhisMoved { to } => write!(
                f,
                "only phis on a way out: its predecessors go to {to} directly"
            ),
            Self::Removed { to } => write!(f, "does nothing: its predecessors go to {to} directly"),
            Self::ContinueTarget { header } => write!(
                f,
                "the latch serves as continue target of the loop at {header}"
            ),
            Self::FreshContinueTarget => write!(
                f,
                "no block suits as continue target of the loop: a fresh one is made"
            ),
            Self::OuterHeader { latch } => {
                write!(
                    f,
                    "two nested loops share it as header, the inner one ends at {latch}: the outer one gets a header of its own"
                )
            }
            Self::BlockConstruct { to } => write!(
                f,
                "lanes below head for {to} past others: a block construct lets them leave"
            ),
            Self::Follows { branch } => write!(
                f,
                "the other arm of {branch} never falls through: this one follows it"
            ),
            Self::Copied => write!(
                f,
                "only ends the lane: copied to where a selector would have to lead"
            ),
            Self::LoopFollow { to } => write!(f, "the loop's ways out meet at {to}"),
            Self::StaysInLoop { header } => write!(
                f,
                "on a way out of the loop at {header}: stays inside, as it leads to where the loop goes"
            ),
            Self::FallsInto { from } => write!(
                f,
                "the case at {from} alone flows into this one: it falls through"
            ),
            Self::Selector { to } => write!(
                f,
                "lanes with several targets meet: a selector decides whether {to} runs"
            ),
            Self::SelectorDispatch { ways } => write!(
                f,
                "lanes with several targets meet: a selector decides between {ways} ways"
            ),
            Self::Ladder => write!(f, "an empty block to merge at"),
            Self::PhisInserted { count: 1 } => {
                write!(f, "a phi, as definitions reach it on several paths")
            }
            Self::PhisInserted { count } => {
                write!(f, "{count} phis, as definitions reach it on several paths")
            }
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.stage, self.block, self.decision)
    }
}

/// Where stages write remarks: a list that grows only if somebody asked for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remarks {
    list: Option<Vec<Remark>>,
}

impl Remarks {
    pub(crate) fn new(wanted: bool) -> Self {
        Self {
            list: wanted.then(Vec::new),
        }
    }
    pub(crate) fn wanted(&self) -> bool {
        self.list.is_some()
    }
    /// The blocks that have a remark, sorted.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = self.list.iter().flatten().map(|r| r.block).collect();
        blocks.sort_unstable();
        blocks
    }
    pub(crate) fn add(&mut self, stage: Stage, block: Block, decision: Decision) {
        if let Some(list) = &mut self.list {
            list.push(Remark {
                stage,
                block,
                decision,
            });
        }
    }
    /// The remarks in the order of the stages, those of one stage as they came.
    pub(crate) fn finish(self) -> Vec<Remark> {
        let mut list = self.list.unwrap_or_default();
        list.sort_by_key(|r| r.stage);
        list
    }
}
