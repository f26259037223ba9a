//! Runs: the instructions of a block that are one instruction of the structurizer's.
//!
//! The structurizer sees only these properties of a run: its operands from elsewhere, its results
//! that are used elsewhere, the effects of all its instructions, and their number
//! ([`ir::Function::size`]). Values that are computed and used in a run are values of emission only
//! ([`Local`]). Where tools show instructions, and where debug information has a place for each, a
//! run is one instruction and all its values are the structurizer's; both forms have the same
//! effects and sizes, so that they are structurized alike.

use trellis_dxil_frontend::module::InstId;
use trellis_entity::EntityRange;
use trellis_structurizer::ir::{self, Effects};

use super::function::Lowering;
use super::{Local, Lowered, SyntheticInst};
use crate::error::{Error, InternalError, InvalidKind};

/// The DXIL instructions that one instruction of the structurizer represents.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The values that it computes.
    pub(crate) locals: EntityRange<Local>,
    /// The end of its range in [`Lowered::emitted`].
    insts_end: u32,
    /// The end of its range in [`Lowered::uses`].
    uses_end: u32,
    /// The end of its range in [`Lowered::exported`].
    exported_end: u32,
}

/// A run of the first walk.
#[derive(Clone, Copy)]
pub(super) struct OpenRun {
    block: ir::Block,
    payload: u32,
    /// From 1 on.
    number: u32,
    locals: EntityRange<Local>,
    insts_end: u32,
    uses_end: u32,
    effects: Effects,
    is_open: bool,
}

impl OpenRun {
    /// Returns a run of a block without instructions, whose values begin with `local`.
    pub(super) fn new(
        (block, payload): (ir::Block, u32),
        runs_before: usize,
        local: Local,
    ) -> Self {
        Self {
            block,
            payload,
            number: runs_before as u32 + 1,
            locals: EntityRange::new(local, local),
            insts_end: 0,
            uses_end: 0,
            effects: Effects::NONE,
            is_open: false,
        }
    }
}

/// Type and uses of a value.
pub(super) struct LocalData {
    pub(super) ty: ir::Type,
    /// The number of the last run that uses it, or [`OTHER_USE`](super::OTHER_USE); 0 for none.
    pub(super) last_use: u32,
    /// The structurizer has the value: it is used outside of its run.
    pub(super) is_exported: bool,
}

impl Lowered {
    /// Returns the values that a run uses and does not compute, each once, in the order of the
    /// structurizer's uses.
    #[inline]
    pub(crate) fn uses_of(&self, inst: ir::Inst) -> &[Local] {
        let [_, start, _] = self.starts_of(inst);
        let end = self.runs.get(inst).map_or(start, |run| run.uses_end);
        &self.uses[start as usize..end as usize]
    }

    /// Returns the values that a run computes and others use, in the order of the structurizer's
    /// results.
    #[inline]
    pub(crate) fn exported_of(&self, inst: ir::Inst) -> &[Local] {
        let [.., start] = self.starts_of(inst);
        let end = self.runs.get(inst).map_or(start, |run| run.exported_end);
        &self.exported[start as usize..end as usize]
    }

    /// Returns the instructions of a run.
    #[inline]
    pub(crate) fn insts_of(&self, inst: ir::Inst) -> Option<&[InstId]> {
        let [start, ..] = self.starts_of(inst);
        let end = self.runs.get(inst)?.insts_end;
        self.emitted.get(start as usize..end as usize)
    }

    /// Returns the ends of the ranges of the preceding run.
    fn starts_of(&self, inst: ir::Inst) -> [u32; 3] {
        let before = inst.as_u32().checked_sub(1).map(ir::Inst::from_u32);
        let before = before.and_then(|before| self.runs.get(before));
        before.map_or([0; 3], |run| {
            [run.insts_end, run.uses_end, run.exported_end]
        })
    }
}

impl Lowering<'_> {
    /// Adds a value.
    #[inline(always)]
    pub(super) fn push_local(&mut self, ty: ir::Type) -> Local {
        self.out.locals.push(LocalData {
            ty,
            last_use: 0,
            is_exported: self.source.each_instruction,
        })
    }

    /// Adds a value that has one of the structurizer's.
    pub(super) fn push_given(&mut self, value: ir::Value) -> Local {
        let local = self.push_local(self.func.value_type(value));
        self.lists.given.push((local, value));
        local
    }

    /// Begins an instruction of a block: opens a run if there is none.
    #[inline(always)]
    pub(super) fn begin_inst(&mut self, block: ir::Block, id: InstId) {
        if !self.run.is_open {
            let next = self.out.locals.next_key();
            self.run = OpenRun::new((block, id.as_u32()), self.lists.runs.len(), next);
            self.run.is_open = true;
        }
    }

    /// Adds a use by the instruction that was begun.
    #[inline(always)]
    pub(super) fn use_local(&mut self, local: Local) {
        let data = &mut self.out.locals[local];
        let last = std::mem::replace(&mut data.last_use, self.run.number);
        if local < self.run.locals.start()
            && (last != self.run.number || self.source.each_instruction)
        {
            data.is_exported = true;
            self.out.uses.push(local);
        }
    }

    /// Ends an instruction whose results are the values from `first` on.
    #[inline(always)]
    pub(super) fn end_inst(&mut self, id: InstId, first: Local, effects: Effects) {
        self.set_results(id, first);
        self.out.emitted.push(id);
        self.run.effects |= effects;
        if self.source.each_instruction {
            self.end_run();
        }
    }

    /// Ends the run, if there is one.
    pub(super) fn end_run(&mut self) {
        if !self.run.is_open {
            return;
        }
        let first = self.run.locals.start();
        self.run.locals = EntityRange::new(first, self.out.locals.next_key());
        self.run.insts_end = self.out.emitted.len() as u32;
        self.run.uses_end = self.out.uses.len() as u32;
        self.lists.runs.push(self.run);
        self.run.is_open = false;
    }

    /// Appends an instruction that DXIL does not have to a block.
    pub(super) fn append_synthetic(&mut self, block: ir::Block, synthetic: SyntheticInst) {
        self.end_run();
        let next = self.out.locals.next_key();
        self.run = OpenRun::new((block, synthetic.payload()), self.lists.runs.len(), next);
        self.run.effects = Effects::SIDE_EFFECT;
        self.run.is_open = true;
        self.end_run();
    }

    /// Adds a run to the structurizer's function.
    pub(super) fn build_run(&mut self, index: u32) -> Result<(), Error> {
        let run = self.lists.runs[index as usize];
        let [insts, uses, exported] = self.out.starts_of(self.out.runs.next_key());
        self.lists.use_values.clear();
        for &local in &self.out.uses[uses as usize..run.uses_end as usize] {
            let value = self.structured(local)?;
            self.lists.use_values.push(value);
        }
        self.lists.types.clear();
        for (local, data) in run.locals.zip(&self.out.locals[run.locals]) {
            if data.is_exported && self.out.structured[local].is_none() {
                self.out.exported.push(local);
                self.lists.types.push(data.ty);
            }
        }
        let (uses, types) = (&self.lists.use_values, &self.lists.types);
        let func = &mut *self.func;
        let made = func.append_inst(run.block, run.payload, run.effects, uses, types);
        // A synthetic instruction has none.
        func.set_size(made, (run.insts_end - insts).max(1));
        let exports = &self.out.exported[exported as usize..];
        for (&local, value) in exports.iter().zip(func.results(made)) {
            self.out.structured[local] = value.into();
        }
        self.out.runs.push(Run {
            locals: run.locals,
            insts_end: run.insts_end,
            uses_end: run.uses_end,
            exported_end: self.out.exported.len() as u32,
        });
        Ok(())
    }

    /// Returns the structurizer's value of a value that the current run does not compute.
    pub(super) fn structured(&self, local: Local) -> Result<ir::Value, Error> {
        let exported = self.out.locals[local].is_exported;
        self.out.structured[local]
            .expand()
            .ok_or_else(|| match exported {
                // It is not built yet: its block comes later in reverse post-order.
                true => self.invalid(
                    InvalidKind::Value,
                    "a value is used where its definition does not reach".to_owned(),
                ),
                false => Error::Internal {
                    what: InternalError::NotExported,
                    at: self.at(),
                },
            })
    }
}
