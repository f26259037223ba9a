//! The role of each block for the headers that name it, and the rules that need only that.

use trellis_entity::{PackedOption, PrimaryMap};

use super::cfg::{BlockEnd, BlockInfo, BlockMerge, Cfg, Position};
use super::dominators::Edges;
use super::rule::{CfgError, Rule};

/// The roles of all blocks.
#[derive(Default)]
pub(super) struct Roles {
    pub(super) of: PrimaryMap<Position, Role>,
}

/// The headers that name a block, if any.
#[derive(Clone, Copy, Default)]
pub(super) struct Role {
    /// The header whose merge block it is.
    pub(super) merge_of: PackedOption<Position>,
    /// The loop header whose continue target it is.
    pub(super) continue_of: PackedOption<Position>,
    /// The switch whose target it is.
    pub(super) case_of: PackedOption<Position>,
    /// Of a case target: the number of its run of labels; none if it is only the default.
    pub(super) run: Option<u32>,
}

impl Roles {
    /// Reads the roles, and checks terminators and merge instructions.
    pub(super) fn read(&mut self, cfg: &Cfg) -> Result<(), CfgError> {
        let count = cfg.len();
        if count == 0 {
            return Err(Rule::NoBlock.broken_at(Position::ENTRY));
        }
        self.of.reset(count);
        for (block, info) in cfg.blocks() {
            if let Some(&to) = cfg
                .edges(Edges::Structural, block)
                .iter()
                .find(|&&to| !cfg.contains(to))
            {
                return Err(Rule::MissingBlock.broken_by(block, to));
            }
            let successors = cfg.successors(block);
            if successors.contains(&Position::ENTRY) {
                return Err(Rule::EntryIsTarget.broken_by(block, Position::ENTRY));
            }
            let fits = match info.end {
                BlockEnd::Exit => successors.is_empty(),
                BlockEnd::Branch => successors.len() == 1,
                BlockEnd::Conditional => successors.len() == 2,
                BlockEnd::Switch => !successors.is_empty(),
            };
            if !fits {
                return Err(Rule::SuccessorCount.broken_at(block));
            }
            if info.end == BlockEnd::Conditional && successors[0] == successors[1] {
                return Err(Rule::EqualTargets.broken_by(block, successors[0]));
            }
            self.read_merge(block, info)?;
            if info.end == BlockEnd::Switch {
                self.read_switch(block, successors)?;
            }
        }
        Ok(())
    }

    fn read_merge(&mut self, block: Position, info: &BlockInfo) -> Result<(), CfgError> {
        let merge = match (info.merge, info.end) {
            (BlockMerge::None, BlockEnd::Switch) => {
                return Err(Rule::SwitchWithoutMerge.broken_at(block));
            }
            (BlockMerge::None, _) => return Ok(()),
            (BlockMerge::Selection { merge }, BlockEnd::Conditional | BlockEnd::Switch) => merge,
            (
                BlockMerge::Loop {
                    merge,
                    continue_target,
                },
                BlockEnd::Branch | BlockEnd::Conditional,
            ) => {
                if merge == continue_target {
                    return Err(Rule::MergeIsContinueTarget.broken_by(block, merge));
                }
                // A second loop with this continue target cannot dominate it and is refused then.
                self.of[continue_target].continue_of = block.into();
                merge
            }
            _ => return Err(Rule::MergeBeforeTerminator.broken_at(block)),
        };
        match core::mem::replace(&mut self.of[merge].merge_of, block.into()).expand() {
            None => Ok(()),
            Some(first) => Err(Rule::SharedMergeBlock.broken_by(block, first)),
        }
    }

    fn read_switch(&mut self, block: Position, successors: &[Position]) -> Result<(), CfgError> {
        let mut last = None;
        let mut run = 0;
        for &target in &successors[1..] {
            if last != Some(target) {
                if self.of[target].run.is_some() {
                    // Also where it is a label of another switch: two switches cannot both
                    // dominate it, unless it is the merge block of one of them.
                    let rule = if self.of[target].case_of == block.into() {
                        Rule::LabelsApart
                    } else {
                        Rule::CaseNotDominated
                    };
                    return Err(rule.broken_by(block, target));
                }
                self.of[target].run = Some(run);
                run += 1;
                last = Some(target);
            }
            self.of[target].case_of = block.into();
        }
        self.of[successors[0]].case_of = block.into();
        Ok(())
    }
}
