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
            region: None.into(),
        })
    }

    /// Reserves capacity for `additional` more blocks.
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
    /// the same edge, or end. They run it together if they are in the same iteration of each
    /// enclosing loop, including loops whose [convergence region](Self::set_convergence_region) has
    /// it. So a condition that is the same for all invocations of a draw or dispatch makes a
    /// uniform branch everywhere; a result of wave operations may be uniform only in the block that
    /// computes it.
    ///
    /// It is the client's promise, and the structurizer relies on it: where uniform branches lead to
    /// convergent instructions, they may run in a loop that they leave, with the same invocations.
    /// Results do not keep it.
    pub fn set_uniform(&mut self, block: Block, is_uniform: bool) {
        self.blocks[block].is_uniform = is_uniform;
    }

    /// Returns whether the terminator of a block is uniform. See [`set_uniform`](Self::set_uniform).
    pub fn is_uniform(&self, block: Block) -> bool {
        self.blocks[block].is_uniform
    }

    /// Puts a block into the convergence region of the loop with this header, or into none: its
    /// convergent instructions run in each iteration of the loop, together with the invocations
    /// that leave to the block in that iteration. Without a region, code outside of a natural loop
    /// runs after the loop, with all invocations that come there.
    ///
    /// The block, and every block on a path from the header to it, counts as part of the loop, as
    /// if an edge that is never taken led from its end back to the header. Its terminator does not:
    /// control continues outside, where it is no longer [uniform](Self::set_uniform). A region of a
    /// loop that the block is in anyway changes nothing. The header must head a loop and dominate
    /// the block, or the function is malformed ([`check`](crate::check)). Results do not keep
    /// regions.
    ///
    /// In terms of LLVM's convergence control: for an operation with the token of an
    /// `llvm.experimental.convergence.loop`, the block is in the region of the loop whose heart that
    /// is; one with the token of an `entry` needs no region. If a block has operations of several
    /// regions, the client splits it. Operations with the token of an `anchor` may run with any set
    /// of invocations, the same for all of them. If they are in the block of the anchor, they are not
    /// marked [`Effects::CONVERGENT`], as instructions of a block always run with the same
    /// invocations. If not, the anchor and they are convergent, and those outside of the anchor's loop
    /// are in its region.
    ///
    /// [`Effects::CONVERGENT`]: crate::ir::Effects::CONVERGENT
    ///
    /// # Examples
    ///
    /// A wave operation before a `break`. The invocations that have a hit in one iteration run it
    /// together, though its block does not lead back to the loop:
    ///
    /// ```
    /// use trellis_structurizer::{Options, Tree, ir::Block, structurize, text};
    ///
    /// let search = "start: next\nnext: hit more\nhit: {conv} end\nmore: next end\nend: ret";
    /// let mut func = text::parse(search).unwrap();
    /// let [next, hit] = [1, 2].map(Block::from_u32);
    /// let is_in_loop = |func| {
    ///     let tree = Tree::of(&structurize(func, &Options::default())?).to_string();
    ///     let (hit, end) = (tree.find("// b2").unwrap(), tree.find("\n}").unwrap());
    ///     Ok::<bool, trellis_structurizer::Error>(hit < end)
    /// };
    /// assert!(!is_in_loop(func.clone())?);
    /// func.set_convergence_region(hit, Some(next));
    /// assert!(is_in_loop(func)?);
    /// # Ok::<(), trellis_structurizer::Error>(())
    /// ```
    pub fn set_convergence_region(&mut self, block: Block, header: Option<Block>) {
        self.blocks[block].region = header.into();
    }

    /// Returns the header of the loop to whose convergence region a block belongs, if it was set.
    /// See [`set_convergence_region`](Self::set_convergence_region).
    pub fn convergence_region(&self, block: Block) -> Option<Block> {
        self.blocks[block].region.expand()
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
            // It ends the invocation.
            Some(_) | None => {}
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
