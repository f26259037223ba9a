//! Blocks of a [`Function`]: terminators, successors and switch cases.

use trellis_entity::EntityRef;

use super::{BlockData, Function};
use crate::ir::{Block, Case, CaseRange, LoopHint, Successors, Terminator};

impl Function {
    /// Adds a block without a terminator. The first one is the entry.
    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData {
            first_phi: None.into(),
            last_phi: None.into(),
            first_inst: None.into(),
            last_inst: None.into(),
            terminator: None,
            is_uniform: false,
            loop_hint: LoopHint::None,
        })
    }

    /// Reserves capacity for so many more blocks.
    pub(crate) fn reserve_blocks(&mut self, additional: usize) {
        self.blocks.reserve(additional);
    }

    /// Returns the number of blocks.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns all blocks, in index order.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block> + use<> {
        (0..self.blocks.len()).map(Block::new)
    }

    /// Returns the entry, if there is any block.
    pub fn entry(&self) -> Option<Block> {
        (!self.blocks.is_empty()).then(|| Block::new(0))
    }

    /// Returns whether the block exists.
    pub fn has_block(&self, block: Block) -> bool {
        self.blocks.is_valid(block)
    }

    /// Sets the terminator of a block, which is not [uniform](Self::set_uniform) then.
    pub fn set_terminator(&mut self, block: Block, terminator: Terminator) {
        self.blocks[block].terminator = Some(terminator);
        self.blocks[block].is_uniform = false;
    }

    /// Sets whether the terminator of a block is uniform: all invocations that run it together take
    /// the same edge, or end. They run it together if they are in the same iteration of each loop
    /// around it. So a condition that is the same for all invocations of a draw or dispatch makes a
    /// uniform branch wherever it is; one that an instruction with wave operations computes may
    /// make one only where it is computed.
    ///
    /// It is the client's promise, and the structurizer relies on it: where uniform branches lead to
    /// convergent instructions, they may be copied ([`Effects::MAY_DUPLICATE`]), or run in a loop
    /// that they leave, with the same invocations. Results do not keep it.
    ///
    /// [`Effects::MAY_DUPLICATE`]: crate::ir::Effects::MAY_DUPLICATE
    pub fn set_uniform(&mut self, block: Block, is_uniform: bool) {
        self.blocks[block].is_uniform = is_uniform;
    }

    /// Returns whether the terminator of a block is uniform. See [`set_uniform`](Self::set_uniform).
    pub fn is_uniform(&self, block: Block) -> bool {
        self.blocks[block].is_uniform
    }

    /// Replaces each target of a block's terminator.
    pub(crate) fn retarget(&mut self, block: Block, lead: impl Fn(Block) -> Block) {
        match self.blocks[block].terminator.as_mut() {
            Some(Terminator::Branch(to)) => *to = lead(*to),
            Some(
                Terminator::CondBranch {
                    then: a, else_: b, ..
                }
                | Terminator::BreakBranch { target: a, stay: b },
            ) => {
                (*a, *b) = (lead(*a), lead(*b));
            }
            Some(Terminator::Switch { default, cases, .. }) => {
                *default = lead(*default);
                let cases = *cases;
                for case in self.cases_mut(cases) {
                    case.target = lead(case.target);
                }
            }
            Some(Terminator::Return(_) | Terminator::Unreachable | Terminator::Kill) | None => {}
        }
    }

    /// Returns the terminator of a block, if it has been set.
    pub fn terminator(&self, block: Block) -> Option<Terminator> {
        self.blocks[block].terminator
    }

    /// Returns the terminator of a block of a checked function; `Unreachable` for a missing one.
    pub(crate) fn term(&self, block: Block) -> Terminator {
        self.blocks[block]
            .terminator
            .unwrap_or(Terminator::Unreachable)
    }

    /// Sets the loop control that the source gave to the loop with this header.
    pub fn set_loop_hint(&mut self, header: Block, hint: LoopHint) {
        self.blocks[header].loop_hint = hint;
    }

    /// Returns the loop control that the source gave to the loop with this header.
    pub fn loop_hint(&self, header: Block) -> LoopHint {
        self.blocks[header].loop_hint
    }

    /// Returns the successors of a block, in the terminator's order, repeated where an edge is
    /// repeated. Those of a `BreakBranch` are its target, then its stay edge.
    pub fn successors(&self, block: Block) -> Successors<'_> {
        let (fixed, cases) = match self.blocks[block].terminator {
            Some(Terminator::Branch(to)) => ([Some(to), None], &[][..]),
            Some(Terminator::CondBranch { then, else_, .. }) => {
                ([Some(then), Some(else_)], &[][..])
            }
            Some(Terminator::BreakBranch { target, stay }) => ([Some(target), Some(stay)], &[][..]),
            Some(Terminator::Switch { default, cases, .. }) => {
                ([Some(default), None], self.cases(cases))
            }
            _ => ([None, None], &[][..]),
        };
        Successors {
            fixed,
            cases: cases.iter(),
        }
    }

    /// Adds the cases of a switch to the pool.
    pub fn add_cases(&mut self, cases: &[(u64, Block)]) -> CaseRange {
        let start = self.cases.len() as u32;
        self.cases.extend(
            cases
                .iter()
                .map(|&(literal, target)| Case { literal, target }),
        );
        CaseRange {
            start,
            end: self.cases.len() as u32,
        }
    }

    /// Returns the cases of a switch; empty if the range is not of this function.
    pub fn cases(&self, range: CaseRange) -> &[Case] {
        self.cases
            .get(range.start as usize..range.end as usize)
            .unwrap_or(&[])
    }

    pub(crate) fn cases_mut(&mut self, range: CaseRange) -> &mut [Case] {
        self.cases
            .get_mut(range.start as usize..range.end as usize)
            .unwrap_or(&mut [])
    }

    /// Returns whether a block has neither phis nor instructions.
    pub fn is_empty_block(&self, block: Block) -> bool {
        let data = &self.blocks[block];
        data.first_phi.is_none() && data.first_inst.is_none()
    }
}
