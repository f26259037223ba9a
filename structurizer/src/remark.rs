//! Remarks: the decisions of stages, with their blocks and reasons.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::ir::Block;
use crate::stage::Stage;

/// One decision: its stage, its block, and the edges that caused it. `Display` is a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Remark {
    /// The stage.
    pub stage: Stage,
    /// The block that it is about: an original one, or one that the structurizer made.
    pub block: Block,
    /// The decision.
    pub decision: Decision,
    /// The edges of the input that are the reason, of a selector, a breakable block, a dispatch
    /// header or a copy; the first 16 if there are more.
    pub edges: Vec<(Block, Block)>,
}

impl Remark {
    /// Returns the decision and the edges that are its reason, as a sentence.
    pub fn sentence(&self) -> String {
        let mut text = self.decision.to_string();
        for (i, (from, to)) in self.edges.iter().enumerate() {
            text.push_str(if i == 0 { "; edges " } else { ", " });
            text.push_str(&format!("{from} -> {to}"));
        }
        text
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.stage, self.block, self.sentence())
    }
}

/// A decision of a stage about a block. See [`Remark`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Decision {
    /// The block cannot be reached: it is removed.
    Unreachable,
    /// The entry has predecessors, so a fresh block is inserted before it.
    EntrySplit,
    /// The block is one of several entries into an irreducible loop: they are led through a
    /// dispatch header.
    DispatchHeader {
        /// Number of targets that it dispatches to.
        targets: u32,
    },
    /// The loop with this header has several back edges: they share a latch.
    SharedLatch {
        /// The number of them.
        back_edges: u32,
    },
    /// The block is empty and is removed.
    Removed {
        /// The block that its predecessors branch to.
        to: Block,
    },
    /// The block is empty, and branches to it bypass it where a selector would have to guard it.
    Bypassed {
        /// The block that they lead to instead.
        to: Block,
    },
    /// The block is the continue target of a loop.
    ContinueTarget {
        /// The loop's header.
        header: Block,
    },
    /// The loop with this header gets a fresh continue target.
    FreshContinueTarget,
    /// A breakable block starts here.
    BreakableBlock {
        /// The block that its merge block leads to.
        to: Block,
    },
    /// The block follows a branch's other arm, which never falls through.
    Follows {
        /// The block that branches.
        branch: Block,
    },
    /// The block, which only ends the invocation, is copied to where a selector would be needed.
    Copied,
    /// Branches to the same targets lead here: a phi of their conditions decides.
    JoinedBranches {
        /// The number of branches.
        branches: u32,
    },
    /// The exits of the loop with this header meet at a block.
    LoopMergeTarget {
        /// That block.
        to: Block,
    },
    /// The block is on an exit path of a loop and stays inside.
    StaysInLoop {
        /// The loop's header.
        header: Block,
    },
    /// The block is inside a loop that it leaves, as the client put it into the loop's convergence
    /// region.
    InRegion {
        /// The loop's header.
        header: Block,
    },
    /// The case is fallen into.
    FallsInto {
        /// From which case.
        from: Block,
    },
    /// Branches with several targets meet here: a selector decides whether `to` runs.
    Selector {
        /// The block that it guards.
        to: Block,
    },
    /// Branches with several targets meet here, and a selector decides between exits.
    SelectorDispatch {
        /// Number of exits.
        ways: u32,
    },
    /// An empty merge block was made.
    EmptyMerge,
    /// The arms of the selection hold no instructions: selects decide instead.
    Selects {
        /// The number of them.
        count: u32,
    },
    /// Phis were inserted into the block.
    PhisInserted {
        /// The number of them.
        count: u32,
    },
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unreachable => write!(f, "removed: no path leads to it"),
            Self::EntrySplit => write!(
                f,
                "the entry has predecessors: a fresh block is inserted before it"
            ),
            Self::DispatchHeader { targets } => write!(
                f,
                "the loop has several entries: a dispatch header leads to {targets} targets"
            ),
            Self::SharedLatch { back_edges } => write!(f, "{back_edges} back edges share a latch"),
            Self::Removed { to } => write!(f, "empty: its predecessors branch to {to} directly"),
            Self::Bypassed { to } => write!(
                f,
                "empty: branches to it lead to {to} instead, without a selector"
            ),
            Self::ContinueTarget { header } => write!(
                f,
                "the latch is the continue target of the loop at {header}"
            ),
            Self::FreshContinueTarget => write!(
                f,
                "no block can be the continue target of the loop: a fresh one is inserted"
            ),
            Self::BreakableBlock { to } => write!(
                f,
                "branches below jump forward to {to} past other code: wrapped in a breakable block"
            ),
            Self::Follows { branch } => write!(
                f,
                "the other arm of {branch} never falls through: this one follows it"
            ),
            Self::Copied => write!(
                f,
                "only ends the invocation: copied to where a selector would be needed"
            ),
            Self::JoinedBranches { branches } => write!(
                f,
                "{branches} branches to the same targets lead here: a phi of their conditions decides"
            ),
            Self::LoopMergeTarget { to } => write!(f, "the loop's exits meet at {to}"),
            Self::StaysInLoop { header } => write!(
                f,
                "on an exit path of the loop at {header}: kept inside because it rejoins at the loop's merge block"
            ),
            Self::InRegion { header } => write!(
                f,
                "in the convergence region of the loop at {header}: kept inside"
            ),
            Self::FallsInto { from } => write!(
                f,
                "only the case at {from} flows into this one: it falls through"
            ),
            Self::Selector { to } => write!(
                f,
                "branches with several targets meet: a selector decides whether {to} runs"
            ),
            Self::SelectorDispatch { ways } => write!(
                f,
                "branches with several targets meet: a selector decides between {ways} exits"
            ),
            Self::EmptyMerge => write!(f, "an empty merge block is inserted"),
            Self::Selects { count: 0 } => {
                write!(f, "its arms hold nothing: no branch is needed")
            }
            Self::Selects { count: 1 } => write!(
                f,
                "its arms hold no instructions: a select decides instead of a branch"
            ),
            Self::Selects { count } => write!(
                f,
                "its arms hold no instructions: {count} selects decide instead of a branch"
            ),
            Self::PhisInserted { count: 1 } => {
                write!(f, "a phi, as definitions reach it on several paths")
            }
            Self::PhisInserted { count } => {
                write!(f, "{count} phis, as definitions reach it on several paths")
            }
        }
    }
}

impl Decision {
    /// Returns the name for JSON, in kebab case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::EntrySplit => "entry-split",
            Self::DispatchHeader { .. } => "dispatch-header",
            Self::SharedLatch { .. } => "shared-latch",
            Self::Selects { .. } => "selects",
            Self::Removed { .. } => "removed",
            Self::Bypassed { .. } => "bypassed",
            Self::ContinueTarget { .. } => "continue-target",
            Self::FreshContinueTarget => "fresh-continue-target",
            Self::BreakableBlock { .. } => "breakable-block",
            Self::Follows { .. } => "follows",
            Self::Copied => "copied",
            Self::JoinedBranches { .. } => "joined-branches",
            Self::LoopMergeTarget { .. } => "loop-merge-target",
            Self::StaysInLoop { .. } => "stays-in-loop",
            Self::InRegion { .. } => "in-region",
            Self::FallsInto { .. } => "falls-into",
            Self::Selector { .. } => "selector",
            Self::SelectorDispatch { .. } => "selector-dispatch",
            Self::EmptyMerge => "empty-merge",
            Self::PhisInserted { .. } => "phis-inserted",
        }
    }

    /// Returns the other block that the decision is about, if there is one.
    pub fn other_block(self) -> Option<Block> {
        match self {
            Self::Removed { to: block }
            | Self::Bypassed { to: block }
            | Self::ContinueTarget { header: block }
            | Self::BreakableBlock { to: block }
            | Self::Follows { branch: block }
            | Self::LoopMergeTarget { to: block }
            | Self::StaysInLoop { header: block }
            | Self::InRegion { header: block }
            | Self::FallsInto { from: block }
            | Self::Selector { to: block } => Some(block),
            Self::Unreachable
            | Self::EntrySplit
            | Self::DispatchHeader { .. }
            | Self::SharedLatch { .. }
            | Self::Selects { .. }
            | Self::FreshContinueTarget
            | Self::Copied
            | Self::SelectorDispatch { .. }
            | Self::JoinedBranches { .. }
            | Self::EmptyMerge
            | Self::PhisInserted { .. } => None,
        }
    }

    /// Returns how many targets, back edges, selects, exits, instructions or phis, if the decision is about a number of
    /// them.
    pub fn count(self) -> Option<u32> {
        match self {
            Self::DispatchHeader { targets: count }
            | Self::SharedLatch { back_edges: count }
            | Self::Selects { count }
            | Self::SelectorDispatch { ways: count }
            | Self::JoinedBranches { branches: count }
            | Self::PhisInserted { count } => Some(count),
            _ => None,
        }
    }
}

/// The remarks of a run: a list that grows only if they are wanted.
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
    /// Returns the blocks that have a remark, sorted.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = self.list.iter().flatten().map(|r| r.block).collect();
        blocks.sort_unstable();
        blocks
    }
    pub(crate) fn add(&mut self, stage: Stage, block: Block, decision: Decision) {
        self.add_for_edges(stage, block, decision, Vec::new());
    }
    /// Adds a remark with the edges that are its reason.
    pub(crate) fn add_for_edges(
        &mut self,
        stage: Stage,
        block: Block,
        decision: Decision,
        edges: Vec<(Block, Block)>,
    ) {
        if let Some(list) = &mut self.list {
            list.push(Remark {
                stage,
                block,
                decision,
                edges,
            });
        }
    }
    /// Returns the remarks in the order of the stages, then in the order in which they were added.
    pub(crate) fn finish(self) -> Vec<Remark> {
        let mut list = self.list.unwrap_or_default();
        list.sort_by_key(|r| r.stage);
        list
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;

    use super::{Decision, Remark};
    use crate::ir::Block;
    use crate::stage::Stage;

    #[test]
    fn the_parts_are_in_the_sentence() {
        let block = Block::from_u32(77);
        for decision in [
            Decision::Removed { to: block },
            Decision::Bypassed { to: block },
            Decision::Follows { branch: block },
            Decision::StaysInLoop { header: block },
            Decision::InRegion { header: block },
            Decision::FallsInto { from: block },
            Decision::SharedLatch { back_edges: 55 },
            Decision::PhisInserted { count: 55 },
        ] {
            let text = decision.to_string();
            assert_eq!(
                decision.other_block().is_some(),
                text.contains("b77"),
                "{text}"
            );
            assert_eq!(decision.count().is_some(), text.contains("55"), "{text}");
            assert!(
                decision
                    .name()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b == b'-')
            );
        }
    }

    #[test]
    fn the_edges_are_in_the_sentence() {
        let [a, b] = [1, 2].map(Block::from_u32);
        let remark = Remark {
            stage: Stage::Construction,
            block: a,
            decision: Decision::Selector { to: b },
            edges: vec![(a, b), (b, a)],
        };
        assert!(remark.to_string().ends_with("; edges b1 -> b2, b2 -> b1"));
    }
}
