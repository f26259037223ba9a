//! Runs: the instructions of a block that are one instruction of the structurizer's.
//!
//! The structurizer sees of a run what it needs: the values that come from elsewhere, those that are
//! used elsewhere, the effects of all, and how many there are ([`ir::Function::size`]). Values that are
//! computed and used in a run are values of emission only ([`Local`]). Where tools show instructions,
//! and where debug information has a place for each, a run is one instruction and all its values are
//! the structurizer's; both forms have the same effects and sizes, so that they are structurized alike.

use trellis_dxil_frontend::module::{Inst, InstId};
use trellis_entity::{EntityRange, EntityRef};
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

/// A run that further instructions may belong to.
pub(super) struct OpenRun {
    block: ir::Block,
    insts: EntityRange<InstId>,
    first_local: Local,
    effects: Effects,
    size: u32,
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

    /// Adds a value; one that an instruction computes has none of the structurizer's yet.
    #[inline]
    pub(super) fn push_local(&mut self, value: Option<ir::Value>) -> Local {
        self.last_use.push(0);
        self.structured.push(value.into())
    }
}

impl Lowering<'_> {
    /// Adds an instruction with the operands in `self.lists.uses` and results of `self.lists.types` to the run at
    /// the end of a block; a single result is the instruction's value.
    #[inline(always)]
    pub(super) fn add_to_run(
        &mut self,
        block: ir::Block,
        (id, inst): (InstId, &Inst),
        effects: Effects,
        single: bool,
    ) -> Result<(), Error> {
        let next = self.out.structured.next_key();
        let number = self.out.runs.len() as u32 + 1;
        let run = match &mut self.run {
            Some(run) => {
                run.effects |= effects;
                run.size += 1;
                run.insts = EntityRange::new(run.insts.start(), after(id));
                run
            }
            none => none.insert(OpenRun {
                block,
                insts: EntityRange::new(id, after(id)),
                first_local: next,
                effects,
                size: 1,
            }),
        };
        for &local in &self.lists.uses {
            let last = std::mem::replace(&mut self.out.last_use[local.index()], number);
            if self.lists.exports.has_all() || (local < run.first_local && last != number) {
                self.out.uses.push(local);
            }
        }
        let is_exported = inst
            .result
            .expand()
            .is_none_or(|value| self.lists.exports.has(value));
        for &ty in &self.lists.types {
            let local = self.out.push_local(None);
            if is_exported {
                self.out.exported.push(local);
                self.lists.export_types.push(ty);
            }
        }
        self.out.emitted.insert(id);
        if !self.lists.types.is_empty() {
            self.out.results[id.as_u32() as usize] = next.into();
            let further = EntityRange::new(next, self.out.structured.next_key()).into_iter();
            for local in further.skip(1) {
                self.out.further.insert(local);
            }
            if single {
                self.alias(inst, next);
            }
        }
        if self.lists.exports.has_all() {
            self.end_run()?;
        }
        Ok(())
    }

    /// Ends the run at the end of a block, if there is one: what follows does not belong to it.
    pub(super) fn end_run(&mut self) -> Result<(), Error> {
        let Some(run) = self.run.take() else {
            return Ok(());
        };
        let start = self.out.runs.last().map_or(0, |(_, run)| run.uses_end);
        self.lists.use_values.clear();
        for index in start as usize..self.out.uses.len() {
            let value = self.structured(self.out.uses[index])?;
            self.lists.use_values.push(value);
        }
        let made = self.func.append_inst(
            run.block,
            run.insts.start().as_u32(),
            run.effects,
            &self.lists.use_values,
            &self.lists.export_types,
        );
        self.func.set_size(made, run.size);
        self.lists.export_types.clear();
        let exported = self.out.exported.len() as u32;
        let start = self.out.runs.last().map_or(0, |(_, run)| run.exported_end);
        let exports = &self.out.exported[start as usize..];
        for (&local, value) in exports.iter().zip(self.func.results(made)) {
            self.out.structured[local] = value.into();
        }
        self.out.runs.push(Run {
            insts: run.insts,
            locals: EntityRange::new(run.first_local, self.out.structured.next_key()),
            uses_end: self.out.uses.len() as u32,
            exported_end: exported,
        });
        Ok(())
    }

    /// Appends an instruction that DXIL does not have to a block.
    pub(super) fn append_synthetic(
        &mut self,
        block: ir::Block,
        synthetic: SyntheticInst,
    ) -> Result<(), Error> {
        self.end_run()?;
        self.func
            .append_inst(block, synthetic.payload(), Effects::SIDE_EFFECT, &[], &[]);
        let (inst, local) = (InstId::from_u32(0), self.out.structured.next_key());
        self.out.runs.push(Run {
            insts: EntityRange::new(inst, inst),
            locals: EntityRange::new(local, local),
            uses_end: self.out.uses.len() as u32,
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
