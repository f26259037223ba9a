//! The parts of a decision, for those who want more than its sentence.

use crate::ir::Block;
use crate::stage::Decision;

impl Decision {
    /// The name for JSON, in kebab case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::EntrySplit => "entry-split",
            Self::DispatchHeader { .. } => "dispatch-header",
            Self::SharedLatch { .. } => "shared-latch",
            Self::BreakPhisMoved { .. } => "break-phis-moved",
            Self::Removed { .. } => "removed",
            Self::ContinueTarget { .. } => "continue-target",
            Self::FreshContinueTarget => "fresh-continue-target",
            Self::OuterHeader { .. } => "outer-header",
            Self::BlockConstruct { .. } => "block-construct",
            Self::Follows { .. } => "follows",
            Self::Copied => "copied",
            Self::LoopFollow { .. } => "loop-follow",
            Self::StaysInLoop { .. } => "stays-in-loop",
            Self::FallsInto { .. } => "falls-into",
            Self::Selector { .. } => "selector",
            Self::SelectorDispatch { .. } => "selector-dispatch",
            Self::Ladder => "ladder",
            Self::PhisInserted { .. } => "phis-inserted",
        }
    }

    /// The other block that the decision is about, if there is one.
    pub fn other_block(self) -> Option<Block> {
        match self {
            Self::BreakPhisMoved { to: block }
            | Self::Removed { to: block }
            | Self::ContinueTarget { header: block }
            | Self::OuterHeader { latch: block }
            | Self::BlockConstruct { to: block }
            | Self::Follows { branch: block }
            | Self::LoopFollow { to: block }
            | Self::StaysInLoop { header: block }
            | Self::FallsInto { from: block }
            | Self::Selector { to: block } => Some(block),
            Self::Unreachable
            | Self::EntrySplit
            | Self::DispatchHeader { .. }
            | Self::SharedLatch { .. }
            | Self::FreshContinueTarget
            | Self::Copied
            | Self::SelectorDispatch { .. }
            | Self::Ladder
            | Self::PhisInserted { .. } => None,
        }
    }

    /// How many targets, back edges, ways or phis, if the decision is about a number of them.
    pub fn count(self) -> Option<u32> {
        match self {
            Self::DispatchHeader { targets: count } | Self::SharedLatch { back_edges: count } => {
                Some(count)
            }
            Self::SelectorDispatch { ways: count } | Self::PhisInserted { count } => Some(count),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::Block;
    use crate::stage::Decision;

    #[test]
    fn the_parts_are_in_the_sentence() {
        let block = Block::from_u32(77);
        for decision in [
            Decision::Removed { to: block },
            Decision::Follows { branch: block },
            Decision::StaysInLoop { header: block },
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
}
