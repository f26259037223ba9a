//! Blocks and terminators.

use smallvec::SmallVec;
use trellis_dxil_frontend::module::{
    BlockId, Inst, InstId, InstKind, PoolRange, Successors, ValueId,
};
use trellis_entity::{EntityRange, EntityRef};
use trellis_structurizer::ir::{self, SelectionHint, Terminator};

use super::function::{BlockEnd, Lowering, Position};
use super::{Source, SyntheticInst, hints};
use crate::error::{Error, InterfaceFeature, InvalidKind};

impl<'a> Lowering<'a> {
    /// Targets of a block that count for reachability; a branch on a literal has one. (A branch on
    /// `dx.break.cond` has both.)
    pub(super) fn successors(&self, block: BlockId) -> Successors<'a> {
        let function = self.function;
        let mut kind = function.terminator(block).kind;
        if self.end_in(block).is_some() || self.dispatch_in(block).is_some() {
            kind = InstKind::Unreachable;
        }
        match kind {
            InstKind::CondBr { cond, then, else_ } => {
                if let Some(c) = self.literal(cond) {
                    let target = if c & 1 != 0 { then } else { else_ };
                    kind = InstKind::Br { target };
                }
            }
            InstKind::Switch {
                value,
                default,
                cases,
            } => {
                if let Some(literal) = self.literal(value) {
                    let case = function.switch_cases(cases).find(|c| c.0 == literal);
                    let target = case.map_or(default, |c| c.1);
                    kind = InstKind::Br { target };
                }
            }
            _ => {}
        }
        function.successors(&kind)
    }

    /// Returns the call that ends every invocation of a block before its terminator.
    pub(super) fn end_in(&self, block: BlockId) -> Option<(InstId, SyntheticInst)> {
        let found = self.ends.binary_search_by_key(&block, |end| end.0).ok()?;
        Some((self.ends[found].1, self.ends[found].2))
    }

    pub(super) fn literal(&self, value: ValueId) -> Option<u64> {
        self.source.module.const_int(Some(self.function), value)
    }

    /// Fills the order and the positions.
    pub(super) fn reverse_post_order(&mut self) {
        let count = self.function.blocks.len();
        if count == 0 {
            return;
        }
        // As deep as most functions need.
        self.lists.path.reserve(count.min(16));
        let entry = BlockId::from_u32(0);
        self.lists.position[0] = 0;
        let below = self.successors(entry);
        self.lists.path.push((entry, below));
        while let Some((block, targets)) = self.lists.path.last_mut() {
            if let Some(target) = targets.next() {
                let seen = &mut self.lists.position[target.index()];
                if *seen == u32::MAX {
                    *seen = 0;
                    let below = self.successors(target);
                    self.lists.path.push((target, below));
                }
            } else {
                self.lists.order.push(*block);
                self.lists.path.pop();
            }
        }
        self.lists.order.reverse();
        for (index, block) in self.lists.order.iter().enumerate() {
            self.lists.position[block.index()] = index as u32;
        }
    }

    pub(super) fn reached(&self, block: BlockId) -> bool {
        self.lists.position[block.index()] != u32::MAX
    }

    fn ir_block(block: BlockId) -> ir::Block {
        ir::Block::from_u32(block.as_u32())
    }

    /// Reads the instructions of a block: numbers their values and adds their runs.
    pub(super) fn read_block(&mut self, block: BlockId) -> Result<(), Error> {
        let data = self.function.blocks[block];
        let mut to = Self::ir_block(block);
        let dispatch = self.dispatch_in(block);
        let end = data.insts.end().index();
        let last = dispatch.unwrap_or_else(|| InstId::new(end.saturating_sub(1)));
        self.current.block = block.as_u32();
        let end = self.end_in(block);
        let stop = end.map_or(last, |(at, _)| at);
        let function = self.function;
        for id in EntityRange::new(data.insts.start(), stop) {
            self.current.inst = Some(id.as_u32());
            self.instruction(block, &mut to, id, &function.insts[id])?;
        }
        if dispatch.is_some() {
            // The rest of the block never runs.
            self.current.inst = Some(last.as_u32());
            self.instruction(block, &mut to, last, &function.insts[last])?;
            if !self.returns_nothing() {
                return Err(self.unsupported(InterfaceFeature::DispatchMeshResult));
            }
            self.func.set_terminator(to, Terminator::Return(None));
        } else if let Some((_, synthetic)) = end {
            self.append_synthetic(to, synthetic);
            self.func.set_terminator(to, Terminator::Kill);
        }
        self.end_run();
        self.lists.block_ends[block.index()] = BlockEnd {
            block: to,
            phis: self.lists.phis.len() as u32,
            runs: self.lists.runs.len() as u32,
            discards: self.lists.discards.len() as u32,
        };
        Ok(())
    }

    /// Adds the phis, runs and terminators of a block to the structurizer's function. `from` is the end
    /// of the preceding block, and becomes the end of this one.
    pub(super) fn build_block(&mut self, block: BlockId, from: &mut BlockEnd) -> Result<(), Error> {
        self.current = Position {
            block: block.as_u32(),
            inst: None,
        };
        let end = self.lists.block_ends[block.index()];
        for index in from.phis..end.phis {
            let (local, ..) = self.lists.phis[index as usize];
            let ty = self.out.locals[local].ty;
            let phi = self.func.add_phi(Self::ir_block(block), ty);
            self.out.structured[local] = phi.into();
        }
        for index in from.runs..end.runs {
            self.build_run(index)?;
        }
        for index in from.discards..end.discards {
            let (id, block, cond, [then, else_]) = self.lists.discards[index as usize];
            self.current.inst = Some(id.as_u32());
            let terminator = Terminator::CondBranch {
                cond: self.operand_value(cond)?,
                then,
                else_,
                hint: SelectionHint::None,
            };
            self.func.set_terminator(block, terminator);
        }
        *from = end;
        if self.dispatch_in(block).is_some() || self.end_in(block).is_some() {
            return Ok(());
        }
        let last = self.function.blocks[block].insts.last();
        let last = last.unwrap_or(InstId::from_u32(0));
        self.current.inst = Some(last.as_u32());
        self.terminator(block, end.block, last, &self.function.insts[last])
    }

    fn terminator(
        &mut self,
        block: BlockId,
        to: ir::Block,
        id: InstId,
        inst: &Inst,
    ) -> Result<(), Error> {
        let here = self.lists.position[block.index()];
        let is_back = |target: BlockId| self.lists.position[target.index()] <= here;
        let may_loop = match inst.kind {
            InstKind::Br { target } => is_back(target),
            InstKind::CondBr { then, else_, .. } => is_back(then) || is_back(else_),
            _ => true,
        };
        if may_loop {
            self.loop_hint(block, id);
        }
        let terminator = match inst.kind {
            InstKind::Br { target } => Terminator::Branch(Self::ir_block(target)),
            InstKind::CondBr { cond, then, else_ } => self.conditional(id, cond, then, else_)?,
            InstKind::Switch {
                value,
                default,
                cases,
            } => self.switch(id, value, default, cases)?,
            InstKind::Ret { value: None } => Terminator::Return(None),
            InstKind::Ret { value: Some(value) } => {
                Terminator::Return(Some(self.operand_value(value)?))
            }
            InstKind::Unreachable => Terminator::Unreachable,
            other => {
                return Err(self.invalid(
                    InvalidKind::ControlFlow,
                    format!("the block ends in {other:?}"),
                ));
            }
        };
        self.func.set_terminator(to, terminator);
        Ok(())
    }

    /// Sets the hint of a loop. `llvm.loop` is attached to the branch of the back edge; the
    /// structurizer takes it at the header.
    fn loop_hint(&mut self, block: BlockId, id: InstId) {
        let Source {
            module,
            kinds,
            hints,
            ..
        } = self.source;
        let has_metadata = hints.source && !self.function.inst_metadata.is_empty();
        if !has_metadata && hints.of_loop == ir::LoopHint::None {
            return;
        }
        let here = self.lists.position[block.index()];
        let mut of_source = None;
        for target in self.successors(block) {
            if self.lists.position[target.index()] > here {
                continue;
            }
            let of_source = *of_source.get_or_insert_with(|| match has_metadata {
                true => hints::of_loop(module, self.function, id, kinds),
                false => ir::LoopHint::None,
            });
            let header = Self::ir_block(target);
            if of_source != ir::LoopHint::None {
                self.func.set_loop_hint(header, of_source);
            } else if self.func.loop_hint(header) == ir::LoopHint::None {
                self.func.set_loop_hint(header, hints.of_loop);
            }
        }
    }

    fn hint(&self, id: InstId) -> SelectionHint {
        let Source {
            module,
            kinds,
            hints,
            ..
        } = self.source;
        let of_source = match hints.source && !self.function.inst_metadata.is_empty() {
            true => hints::selection(module, self.function, id, kinds),
            false => SelectionHint::None,
        };
        match of_source {
            SelectionHint::None => hints.branch,
            of_source => of_source,
        }
    }

    fn conditional(
        &mut self,
        id: InstId,
        cond: ValueId,
        then: BlockId,
        else_: BlockId,
    ) -> Result<Terminator, Error> {
        let (then_block, else_block) = (Self::ir_block(then), Self::ir_block(else_));
        let literal = self.literal(cond);
        if let Some(c) = literal.or_else(|| self.known_number(cond)) {
            let (target, stay) = if c & 1 != 0 {
                (then, else_)
            } else {
                (else_, then)
            };
            // The edge that is never taken still determines the members of a loop, so that wave
            // operations in it are not moved after it.
            let kept = target != stay && (literal.is_none() || self.reached(stay));
            let (target, stay) = (Self::ir_block(target), Self::ir_block(stay));
            return Ok(if kept {
                Terminator::BreakBranch { target, stay }
            } else {
                Terminator::Branch(target)
            });
        }
        let cond = self.operand_value(cond)?;
        Ok(Terminator::CondBranch {
            cond,
            then: then_block,
            else_: else_block,
            hint: self.hint(id),
        })
    }

    fn switch(
        &mut self,
        id: InstId,
        value: ValueId,
        default: BlockId,
        cases: PoolRange,
    ) -> Result<Terminator, Error> {
        if self.literal(value).is_some() {
            let mut targets = self.successors(BlockId::from_u32(self.current.block));
            let target = targets.next().unwrap_or(default);
            return Ok(Terminator::Branch(Self::ir_block(target)));
        }
        // The reader has checked that it is an integer.
        let width = self.int_width(value).unwrap_or(64);
        if width == 1 {
            return self.switch_on_bool(id, value, default, cases);
        }
        let mask = if width >= 64 {
            u64::MAX
        } else {
            (1 << width) - 1
        };
        let list: SmallVec<[(u64, ir::Block); 16]> = self
            .function
            .switch_cases(cases)
            .map(|(literal, b)| (literal & mask, Self::ir_block(b)))
            .collect();
        let value = self.operand_value(value)?;
        let cases = self.func.add_cases(&list);
        Ok(Terminator::Switch {
            value,
            default: Self::ir_block(default),
            cases,
            hint: self.hint(id),
        })
    }

    /// Lowers a switch on a boolean to a branch: `OpSwitch` does not take booleans.
    fn switch_on_bool(
        &mut self,
        id: InstId,
        value: ValueId,
        default: BlockId,
        cases: PoolRange,
    ) -> Result<Terminator, Error> {
        let target = |literal: u64| {
            self.function
                .switch_cases(cases)
                .find(|c| c.0 & 1 == literal)
                .map_or(default, |c| c.1)
        };
        let (then, else_) = (target(1), target(0));
        let cond = self.operand_value(value)?;
        Ok(Terminator::CondBranch {
            cond,
            then: Self::ir_block(then),
            else_: Self::ir_block(else_),
            hint: self.hint(id),
        })
    }
}
