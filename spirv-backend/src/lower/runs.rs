//! Runs: the instructions of a block that are one instruction of the structurizer's.
//!
//! The structurizer sees of a run what it needs: the values that come from elsewhere, those that are
//! used elsewhere, the effects of all, and how many there are ([`ir::Function::size`]). Values that are
//! computed and used in a run are values of emission only ([`Local`]). Where tools show instructions,
//! and where debug information has a place for each, a run is one instruction and all its values are
//! the structurizer's; both forms have the same effects and sizes, so that they are structurized alike.

use trellis_dxil_frontend::module::InstId;
use trellis_entity::EntityRange;
use trellis_structurizer::ir::{self, Effects};

use super::function::Lowering;
use super::{Local, Lowered, SyntheticInst};
use crate::error::{Error, InternalError};

/// What one instruction of the structurizer's represents.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// Its instructions are those of this range that are emitted.
    pub(crate) insts: EntityRange<InstId>,
    /// The values that it computes.
    pub(crate) locals: EntityRange<Local>,
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
    insts: EntityRange<InstId>,
    locals: EntityRange<Local>,
    uses_end: u32,
    effects: Effects,
    /// Number of instructions; 0 if none was added yet.
    size: u32,
}

impl OpenRun {
    /// Returns a run of a block without instructions, whose values begin with `local`.
    pub(super) fn new(
        (block, payload): (ir::Block, u32),
        runs_before: usize,
        local: Local,
    ) -> Self {
        let inst = InstId::from_u32(payload);
        Self {
            block,
            payload,
            number: runs_before as u32 + 1,
            insts: EntityRange::new(inst, inst),
            locals: EntityRange::new(local, local),
            uses_end: 0,
            effects: Effects::NONE,
            size: 0,
        }
    }
}

/// What the first walk finds about a value.
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
        let (start, _) = self.starts_of(inst);
        let end = self.runs.get(inst).map_or(start, |run| run.uses_end);
        &self.uses[start as usize..end as usize]
    }

    /// Returns the values that a run computes and others use, in the order of the structurizer's
    /// results.
    #[inline]
    pub(crate) fn exported_of(&self, inst: ir::Inst) -> &[Local] {
        let (_, start) = self.starts_of(inst);
        let end = self.runs.get(inst).map_or(start, |run| run.exported_end);
        &self.exported[start as usize..end as usize]
    }

    fn starts_of(&self, inst: ir::Inst) -> (u32, u32) {
        let before = inst.as_u32().checked_sub(1).map(ir::Inst::from_u32);
        let before = before.and_then(|before| self.runs.get(before));
        before.map_or((0, 0), |run| (run.uses_end, run.exported_end))
    }
}

impl Lowering<'_> {
    /// Adds a value.
    #[inline(always)]
    pub(super) fn push_local(&mut self, ty: ir::Type) -> Local {
        self.locals.push(LocalData {
            ty,
            last_use: 0,
            is_exported: self.each_instruction,
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
        if self.run.size == 0 {
            let next = self.locals.next_key();
            self.run = OpenRun::new((block, id.as_u32()), self.lists.runs.len(), next);
        }
    }

    /// Adds a use by the instruction that was begun.
    #[inline(always)]
    pub(super) fn use_local(&mut self, local: Local) {
        let data = &mut self.locals[local];
        let last = std::mem::replace(&mut data.last_use, self.run.number);
        if local < self.run.locals.start() && (last != self.run.number || self.each_instruction) {
            data.is_exported = true;
            self.out.uses.push(local);
        }
    }

    /// Ends an instruction whose results are the values from `first` on.
    #[inline(always)]
    pub(super) fn end_inst(&mut self, id: InstId, first: Local, effects: Effects) {
        self.set_results(id, first);
        self.out.emitted.insert(id);
        self.run.effects |= effects;
        self.run.size += 1;
        self.run.insts = EntityRange::new(self.run.insts.start(), after(id));
        if self.each_instruction {
            self.end_run();
        }
    }

    /// Ends the run, if there is one.
    pub(super) fn end_run(&mut self) {
        if self.run.size == 0 {
            return;
        }
        let first = self.run.locals.start();
        self.run.locals = EntityRange::new(first, self.locals.next_key());
        self.run.uses_end = self.out.uses.len() as u32;
        self.lists.runs.push(self.run);
        self.run.size = 0;
    }

    /// Appends an instruction that DXIL does not have to a block.
    pub(super) fn append_synthetic(&mut self, block: ir::Block, synthetic: SyntheticInst) {
        self.end_run();
        let next = self.locals.next_key();
        self.run = OpenRun::new((block, synthetic.payload()), self.lists.runs.len(), next);
        self.run.effects = Effects::SIDE_EFFECT;
        self.run.size = 1;
        self.end_run();
    }

    /// Adds a run to the structurizer's function.
    pub(super) fn build_run(&mut self, index: usize) -> Result<(), Error> {
        let run = self.lists.runs[index];
        let last = self.out.runs.last().map(|(_, run)| *run);
        let (uses, exported) = last.map_or((0, 0), |run| (run.uses_end, run.exported_end));
        self.lists.use_values.clear();
        for index in uses..run.uses_end {
            let value = self.structured(self.out.uses[index as usize])?;
            self.lists.use_values.push(value);
        }
        self.lists.types.clear();
        for local in run.locals {
            let LocalData {
                ty, is_exported, ..
            } = self.locals[local];
            if is_exported && self.out.structured[local].is_none() {
                self.out.exported.push(local);
                self.lists.types.push(ty);
            }
        }
        let (uses, types) = (&self.lists.use_values, &self.lists.types);
        let func = &mut *self.func;
        let made = func.append_inst(run.block, run.payload, run.effects, uses, types);
        func.set_size(made, run.size);
        let exports = &self.out.exported[exported as usize..];
        for (&local, value) in exports.iter().zip(func.results(made)) {
            self.out.structured[local] = value.into();
        }
        self.out.runs.push(Run {
            insts: run.insts,
            locals: run.locals,
            uses_end: run.uses_end,
            exported_end: self.out.exported.len() as u32,
        });
        Ok(())
    }

    /// Returns the structurizer's value of a value that the run at hand does not compute.
    pub(super) fn structured(&self, local: Local) -> Result<ir::Value, Error> {
        self.out.structured[local]
            .expand()
            .ok_or_else(|| Error::Internal {
                what: InternalError::NotExported,
                at: self.at(),
            })
    }
}

/// Returns the id after that of an instruction.
fn after(id: InstId) -> InstId {
    InstId::from_u32(id.as_u32() + 1)
}
