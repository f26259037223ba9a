//! The rules about single edges: back edges, exits of constructs, entries, fall-through of cases.

use super::cfg::{BlockEnd, BlockMerge, Cfg, Position};
use super::constructs::{Construct, Constructs, Kind};
use super::dominators::Dominators;
use super::roles::Roles;
use super::rule::{CfgError, Rule};
use crate::Target;

impl Constructs {
    /// Finds the back-edge block of each loop header.
    pub(super) fn find_back_edges(
        &mut self,
        cfg: &Cfg,
        dominators: &Dominators,
    ) -> Result<(), CfgError> {
        for (block, _) in cfg.blocks() {
            for &to in cfg.successors(block) {
                if !dominators.is_retreating(block, to) {
                    continue;
                }
                let BlockMerge::Loop { .. } = cfg.merge(to) else {
                    return Err(Rule::BackEdgeToNoHeader.broken_by(block, to));
                };
                let inner = &self.data[self.blocks[block].inner];
                if inner.kind != Kind::Continue || inner.header != to.into() {
                    return Err(Rule::BackEdgeOutsideContinue.broken_by(block, to));
                }
                match self.blocks[to].back.expand() {
                    Some(back) if back != block => {
                        return Err(Rule::SecondBackEdge.broken_by(block, to));
                    }
                    _ => self.blocks[to].back = block.into(),
                }
            }
        }
        for (block, info) in cfg.blocks() {
            if let BlockMerge::Loop {
                continue_target, ..
            } = info.merge
            {
                match self.blocks[block].back.expand() {
                    None => return Err(Rule::NoBackEdge.broken_at(block)),
                    Some(back) if continue_target == block && back != block => {
                        return Err(Rule::HeaderContinues.broken_by(block, back));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Checks each block's exits and merge instruction.
    pub(super) fn check_edges(
        &mut self,
        cfg: &Cfg,
        roles: &Roles,
        dominators: &Dominators,
        target: Target,
    ) -> Result<(), CfgError> {
        if target.multi_level {
            self.find_nesting();
        }
        for (block, info) in cfg.blocks() {
            if let BlockMerge::Loop {
                continue_target: to,
                ..
            } = info.merge
                && !target.continue_parts
                && (self.blocks[block].back != to.into() || cfg.end(to) != BlockEnd::Branch)
            {
                return Err(Rule::ContinuePart.broken_by(block, to));
            }
            if info.end == BlockEnd::Exit
                && let Some(header) = self.data[self.blocks[block].inner].continuing.expand()
            {
                return Err(Rule::ExitInContinue.broken_by(block, header));
            }
            if target.branch_merges
                && matches!(info.merge, BlockMerge::Loop { .. })
                && let Some(header) = roles.of[block].merge_of.expand()
            {
                return Err(Rule::LoopAtMerge.broken_by(block, header));
            }
            let mut inside = 0;
            let mut is_latch = false;
            for &to in cfg.successors(block) {
                if dominators.is_retreating(block, to) {
                    is_latch = true;
                } else if !self.exits(roles, block, to, target)? {
                    inside += 1;
                }
            }
            if info.merge == BlockMerge::None
                && info.end == BlockEnd::Conditional
                && target.branch_merges
                && !is_latch
            {
                return Err(Rule::BranchWithoutMerge.broken_at(block));
            }
            if info.merge == BlockMerge::None && inside > 1 {
                return Err(Rule::SelectionWithoutMerge.broken_at(block));
            }
        }
        Ok(())
    }

    /// Returns whether a forward edge is an exit of a construct; an error if it is not allowed.
    fn exits(
        &mut self,
        roles: &Roles,
        block: Position,
        to: Position,
        target: Target,
    ) -> Result<bool, CfgError> {
        let (from, into) = (self.blocks[block].inner, self.blocks[to].outer);
        let here = self.data[from];
        if let Some(header) = roles.of[to].merge_of.expand() {
            let own = self.blocks[header].inner;
            let legal = match self.data[own].kind {
                Kind::Selection => from == own,
                Kind::Switch => here.breakable == own.into(),
                Kind::Loop => {
                    here.looping == own.into()
                        && (target.break_leaves_switches || here.breakable == own.into())
                }
                _ => false,
            };
            // A loop of one block is a continue construct, which its back-edge block leaves.
            let legal = legal
                || target.multi_level
                    && self.data[own].kind != Kind::Continue
                    && self.is_nested(from, own);
            let latch = here.kind == Kind::Continue
                && here.header == header.into()
                && self.blocks[header].back == block.into();
            if legal || latch {
                return Ok(true);
            }
        }
        if let Some(header) = roles.of[to].continue_of.expand() {
            let own = self.blocks[header].inner;
            let is_inside = target.multi_level
                && self.data[own].kind == Kind::Loop
                && self.is_nested(from, own);
            if here.looping == own.into() || is_inside {
                return Ok(true);
            }
            if from != into {
                return Err(Rule::ContinueFromOutside.broken_by(block, to));
            }
        }
        let case_of = roles.of[to].case_of.expand();
        // Whether a continue construct or a case construct starts at the target.
        let starts = into != Construct::FUNCTION && self.data[into].start == to;
        if let Some(switch) = case_of
            && starts
            && switch != block
            && here.kind == Kind::Case
            && here.header == switch.into()
            && from != into
            && target.falls_through()
        {
            self.fall_through(here.start, to)?;
            return Ok(true);
        }
        if case_of == Some(block) && starts || from == into {
            return Ok(false);
        }
        // If the construct at the other end is around this one, the edge leaves, else it enters.
        let leaves = case_of.is_some() && starts || self.is_around(into, block);
        let rule = if leaves {
            Rule::IllegalExit
        } else {
            Rule::IllegalEntry
        };
        Err(rule.broken_by(block, to))
    }

    /// Returns whether a construct is around a block. Walks up, for error messages only.
    fn is_around(&self, construct: Construct, block: Position) -> bool {
        let mut at = self.blocks[block].inner;
        while at != construct {
            let here = &self.data[at];
            let Some(header) = here.header.expand() else {
                return false;
            };
            at = match here.kind {
                Kind::Case => self.blocks[header].inner,
                _ => self.blocks[header].outer,
            };
        }
        true
    }

    fn fall_through(&mut self, case: Position, to: Position) -> Result<(), CfgError> {
        let different = |known: Option<Position>, new: Position| known.is_some_and(|k| k != new);
        if different(self.blocks[case].falls_to.expand(), to) {
            return Err(Rule::FallsToTwoCases.broken_by(case, to));
        }
        self.blocks[case].falls_to = to.into();
        if different(self.blocks[to].falls_from.expand(), case) {
            return Err(Rule::TwoCasesFall.broken_by(case, to));
        }
        self.blocks[to].falls_from = case.into();
        Ok(())
    }

    /// Checks that each case is right before the case that it falls through to.
    pub(super) fn check_case_order(&self, cfg: &Cfg, roles: &Roles) -> Result<(), CfgError> {
        for (case, _) in cfg.blocks() {
            let (Some(run), Some(next)) = (roles.of[case].run, self.blocks[case].falls_to.expand())
            else {
                continue;
            };
            // The default is not a label: falling through it leads to the case after it.
            let to = match roles.of[next].run {
                Some(_) => Some(next),
                None => self.blocks[next].falls_to.expand(),
            };
            if let Some(to) = to
                && roles.of[to].run.is_some_and(|after| after != run + 1)
            {
                return Err(Rule::CaseOrder.broken_by(case, to));
            }
        }
        Ok(())
    }
}
