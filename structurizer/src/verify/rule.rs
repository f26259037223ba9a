//! The rules that a graph can break, and their error messages.

use core::fmt;

use super::cfg::Position;

/// A rule that a block breaks. `{0}` is [`CfgError::block`], `{1}` is [`CfgError::other`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Rule {
    /// There is no block.
    NoBlock,
    /// An edge ends at a block that does not exist.
    MissingBlock,
    /// The number of successors does not fit how the block ends.
    SuccessorCount,
    /// `OpBranchConditional` with two equal targets (not allowed since SPIR-V 1.6).
    EqualTargets,
    /// A block branches to the entry.
    EntryIsTarget,
    /// No structured control-flow edge leads to the block.
    Unreachable,
    /// A block is before its immediate structural dominator in the block order.
    BlockOrder,
    /// The merge instruction does not fit the terminator.
    MergeBeforeTerminator,
    /// `OpSwitch` without a merge instruction.
    SwitchWithoutMerge,
    /// `OpBranchConditional` without a merge instruction although neither target is an exit.
    SelectionWithoutMerge,
    /// A conditional branch without a merge instruction that is not a back edge's, and the target
    /// has [branch merges](crate::Target::branch_merges).
    BranchWithoutMerge,
    /// A loop header that is the merge block of another construct, and the target has
    /// [branch merges](crate::Target::branch_merges).
    LoopAtMerge,
    /// Two headers name the same merge block.
    SharedMergeBlock,
    /// A header does not strictly structurally dominate its merge block.
    MergeNotDominated,
    /// A loop's merge block is its continue target.
    MergeIsContinueTarget,
    /// A loop header does not structurally dominate its continue target.
    ContinueNotDominated,
    /// A back edge to a block that is not a loop header.
    BackEdgeToNoHeader,
    /// A back edge from a block outside the loop's continue construct, or nested in it.
    BackEdgeOutsideContinue,
    /// A loop header without a back edge.
    NoBackEdge,
    /// A loop header with back edges from two blocks.
    SecondBackEdge,
    /// A function ends in a continue construct: the back-edge block does not structurally
    /// post-dominate the continue target.
    ExitInContinue,
    /// A loop header is its own continue target but not its back-edge block.
    HeaderContinues,
    /// An edge leaves a construct in a way that is not allowed.
    IllegalExit,
    /// An edge enters a construct at a block other than its header.
    IllegalEntry,
    /// An edge enters a continue construct from outside its loop.
    ContinueFromOutside,
    /// A switch does not structurally dominate a case target.
    CaseNotDominated,
    /// A case construct branches to two other cases.
    FallsToTwoCases,
    /// Two case constructs branch to the same case.
    TwoCasesFall,
    /// A case is not immediately before the case that it falls through to.
    CaseOrder,
    /// The labels of one target are not adjacent.
    LabelsApart,
    /// A continue construct is more than one block that branches to the loop header, and the target
    /// has no [continue parts](crate::Target::continue_parts).
    ContinuePart,
}

impl Rule {
    /// Returns the rule as a sentence, with `{0}` and `{1}` for the blocks.
    const fn text(self) -> &'static str {
        match self {
            Rule::NoBlock => "the function has no blocks",
            Rule::MissingBlock => "{0} has an edge to {1}, which does not exist",
            Rule::SuccessorCount => {
                "{0} has a number of successors that does not fit its terminator"
            }
            Rule::EqualTargets => "{0} has a conditional branch with {1} as both targets",
            Rule::EntryIsTarget => "{0} branches to the entry {1}",
            Rule::Unreachable => "{0} is not structurally reachable",
            Rule::BlockOrder => {
                "{0} is before its immediate structural dominator {1} in the block order"
            }
            Rule::MergeBeforeTerminator => {
                "{0} has a merge instruction that its terminator does not allow"
            }
            Rule::SwitchWithoutMerge => "{0} has a switch without a merge instruction",
            Rule::SelectionWithoutMerge => {
                "{0} has a conditional branch without a merge instruction, and neither target is an exit"
            }
            Rule::BranchWithoutMerge => "{0} has a conditional branch without a merge instruction",
            Rule::LoopAtMerge => "{0} is a loop header, and the merge block of {1}",
            Rule::SharedMergeBlock => "{0} names the merge block of {1} as its own",
            Rule::MergeNotDominated => {
                "{0} does not strictly structurally dominate its merge block {1}"
            }
            Rule::MergeIsContinueTarget => "{0} has {1} as both merge block and continue target",
            Rule::ContinueNotDominated => {
                "{0} does not structurally dominate its continue target {1}"
            }
            Rule::BackEdgeToNoHeader => "{0} has a back edge to {1}, which is not a loop header",
            Rule::BackEdgeOutsideContinue => {
                "{0} has a back edge to {1}, but is not directly in its continue construct"
            }
            Rule::NoBackEdge => "{0} is a loop header without a back edge",
            Rule::SecondBackEdge => "{0} has a second back edge to {1}",
            Rule::ExitInContinue => "{0} ends the function inside the continue construct of {1}",
            Rule::HeaderContinues => {
                "{0} is its own continue target, but its back edge comes from {1}"
            }
            Rule::IllegalExit => "{0} leaves its construct to {1}, which is not a legal exit",
            Rule::IllegalEntry => "{0} enters a construct at {1}, which is not its header",
            Rule::ContinueFromOutside => {
                "{0} branches to the continue target {1} from outside the loop construct"
            }
            Rule::CaseNotDominated => "{0} does not structurally dominate its case target {1}",
            Rule::FallsToTwoCases => "the case {0} branches to {1} and to another case",
            Rule::TwoCasesFall => "the case {0} and another case branch to the case {1}",
            Rule::CaseOrder => {
                "the case {0} is not immediately before {1}, to which it falls through"
            }
            Rule::ContinuePart => {
                "{0} has the continue target {1}, which does more than branch back"
            }
            Rule::LabelsApart => "{0} has labels with the target {1} that are not adjacent",
        }
    }

    /// Writes the rule as a sentence about these blocks.
    pub(super) fn describe(
        self,
        f: &mut fmt::Formatter<'_>,
        block: &dyn fmt::Display,
        other: Option<&dyn fmt::Display>,
    ) -> fmt::Result {
        let mut rest = self.text();
        while let Some(at) = rest.find('{') {
            f.write_str(&rest[..at])?;
            if &rest[at..at + 3] == "{0}" {
                write!(f, "{block}")?;
            } else if let Some(other) = other {
                write!(f, "{other}")?;
            } else {
                f.write_str("another block")?;
            }
            rest = &rest[at + 3..];
        }
        f.write_str(rest)
    }
}

/// A broken rule and the blocks, by position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CfgError {
    /// The rule.
    pub rule: Rule,
    /// The block that breaks it: the source of the edge, or the header.
    pub block: Position,
    /// The other block: the target of the edge, or the block that the header names.
    pub other: Option<Position>,
}

impl fmt::Display for CfgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let other = self.other.as_ref().map(|other| other as &dyn fmt::Display);
        self.rule.describe(f, &self.block, other)
    }
}

impl core::error::Error for CfgError {}

impl Rule {
    /// Returns the error of a block.
    pub(super) fn broken_at(self, block: Position) -> CfgError {
        CfgError {
            rule: self,
            block,
            other: None,
        }
    }

    /// Returns the error of a block and another one.
    pub(super) fn broken_by(self, block: Position, other: Position) -> CfgError {
        CfgError {
            rule: self,
            block,
            other: Some(other),
        }
    }
}
