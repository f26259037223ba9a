//! The words of a structured function.

use rspirv::spirv::Op;
use rustc_hash::FxHashSet;
use trellis_structurizer::ir::{
    Block, Inst, InstKind, LoopHint, SelectionHint, SelectorOp, Terminator, Type, Value, ValueKind,
};
use trellis_structurizer::{Merge, Structured};

use crate::Error;
use crate::assemble::{Changes, instruction};
use crate::body::{Body, DEBUG_NO_LINE, DEBUG_NO_SCOPE, Location, is_terminator};
use crate::lower::Ids;
use crate::module::Module;

/// Writes a function.
pub(crate) fn emit(
    module: &Module<'_>,
    body: &Body,
    structured: &Structured,
    ids: Ids,
    changes: &mut Changes,
) -> Result<Vec<u32>, Error> {
    let func = &structured.func;
    let labels = (ids.of_block.iter())
        .map(|&block| body.blocks[block].label)
        .collect();
    let mut emitter = Emitter {
        module,
        body,
        structured,
        changes,
        out: body.words[body.head.clone()].to_vec(),
        values: ids.of_value,
        labels,
        blocks: ids.of_block,
        emitted: FxHashSet::default(),
        location: Location::default(),
        locations: FxHashSet::default(),
    };
    emitter.values.resize(func.num_values(), 0);
    emitter.labels.resize(func.num_blocks(), 0);
    for (position, &block) in structured.order.iter().enumerate() {
        emitter.block(block, position == 0)?;
    }
    let Emitter {
        mut out, emitted, ..
    } = emitter;
    out.extend_from_slice(&body.words[body.tail.clone()]);
    let labels = body.blocks.iter().map(|block| block.label);
    let results = body.insts.iter().filter_map(|inst| inst.result);
    let removed = labels.chain(results).filter(|id| !emitted.contains(id));
    changes.removed.extend(removed);
    Ok(out)
}

struct Emitter<'a> {
    module: &'a Module<'a>,
    body: &'a Body,
    structured: &'a Structured,
    changes: &'a mut Changes,
    out: Vec<u32>,
    /// The id of each value; 0 for one that has none yet.
    values: Vec<u32>,
    /// The label of each block; 0 for one that has none yet.
    labels: Vec<u32>,
    /// The index in [`Body::blocks`] of each block of the input.
    blocks: Vec<usize>,
    /// The ids that are defined.
    emitted: FxHashSet<u32>,
    /// What applies to the next instruction.
    location: Location,
    /// The instructions for locations that were written.
    locations: FxHashSet<usize>,
}

impl Emitter<'_> {
    fn op(&mut self, op: Op, operands: &[u32]) {
        instruction(&mut self.out, op, operands);
    }

    fn label(&mut self, block: Block) -> Result<u32, Error> {
        let index = block.as_u32() as usize;
        if self.labels[index] == 0 {
            self.labels[index] = self.changes.fresh()?;
        }
        Ok(self.labels[index])
    }

    fn ty(&mut self, Type(ty): Type) -> Result<u32, Error> {
        match Type(ty) {
            Type::SELECTOR => self.changes.u32_type(),
            Type::BOOL => self.changes.bool_type(),
            _ => Ok(ty),
        }
    }

    fn value(&mut self, value: Value) -> Result<u32, Error> {
        let func = &self.structured.func;
        let index = value.as_u32() as usize;
        if self.values[index] != 0 {
            return Ok(self.values[index]);
        }
        let id = match func.value_kind(value) {
            ValueKind::Constant { payload } => payload,
            ValueKind::SelectorConstant(number) => self.changes.u32_constant(number)?,
            ValueKind::BoolConstant(is_true) => self.changes.bool_constant(is_true)?,
            ValueKind::Undef => {
                let ty = self.ty(func.value_type(value))?;
                self.changes.undef(ty)?
            }
            ValueKind::Phi(_) | ValueKind::Result { .. } => self.changes.fresh()?,
        };
        self.values[index] = id;
        Ok(id)
    }

    fn block(&mut self, block: Block, is_first: bool) -> Result<(), Error> {
        let Structured { func, .. } = self.structured;
        let label = self.label(block)?;
        self.emitted.insert(label);
        self.op(Op::Label, &[label]);
        self.location = Location::default();
        if is_first {
            for &variable in &self.body.variables {
                self.locate_line(variable);
                self.out.extend_from_slice(self.body.words_of(variable));
                self.emitted.extend(self.body.insts[variable].result);
            }
        }
        for phi in func.phis(block) {
            self.phi(phi)?;
        }
        for inst in func.insts(block) {
            self.inst(inst)?;
        }
        let input = self.blocks.get(block.as_u32() as usize);
        if let Some(&input) = input {
            let terminator = self.body.blocks[input].terminator;
            self.locate(self.body.insts[terminator].location)?;
        }
        self.merge(block)?;
        self.terminator(block)
    }

    fn phi(&mut self, phi: Value) -> Result<(), Error> {
        let func = &self.structured.func;
        let ty = self.ty(func.value_type(phi))?;
        let id = self.value(phi)?;
        self.emitted.insert(id);
        if let Some(of) = self.body.local(id) {
            self.locate_line(of);
        }
        let mut operands = vec![ty, id];
        for operand in func.phi_operands(phi) {
            operands.push(self.value(operand.value)?);
            operands.push(self.label(operand.pred)?);
        }
        self.op(Op::Phi, &operands);
        Ok(())
    }

    fn inst(&mut self, inst: Inst) -> Result<(), Error> {
        let func = &self.structured.func;
        match func.inst_kind(inst) {
            InstKind::Client(index) => {
                let index = index as usize;
                if is_terminator(self.body.insts[index].op) {
                    // The operands of the end of this block.
                    return Ok(());
                }
                self.locate(self.body.insts[index].location)?;
                let result = func.results(inst).next();
                self.client_inst(index, func.uses(inst), result)
            }
            InstKind::SelectorTest { op, constant } => {
                let op = match op {
                    SelectorOp::LessEqual => Op::ULessThanEqual,
                    SelectorOp::Equal => Op::IEqual,
                };
                let ty = self.changes.bool_type()?;
                let constant = self.changes.u32_constant(constant)?;
                let mut operands = vec![ty];
                for value in func.results(inst).chain(func.uses(inst).iter().copied()) {
                    operands.push(self.value(value)?);
                }
                self.emitted.extend(operands.get(1));
                operands.push(constant);
                self.op(op, &operands);
                Ok(())
            }
            InstKind::Select => {
                for result in func.results(inst) {
                    let mut operands = vec![self.ty(func.value_type(result))?];
                    for value in [result].into_iter().chain(func.uses(inst).iter().copied()) {
                        operands.push(self.value(value)?);
                    }
                    self.emitted.extend(operands.get(1));
                    self.op(Op::Select, &operands);
                }
                Ok(())
            }
        }
    }

    /// Writes an instruction of the input with these uses of values of blocks.
    fn client_inst(
        &mut self,
        index: usize,
        uses: &[Value],
        result: Option<Value>,
    ) -> Result<(), Error> {
        let (body, start) = (self.body, self.out.len());
        let of = &body.insts[index];
        self.out.extend_from_slice(body.words_of(index));
        if let Some(result) = result {
            let id = self.value(result)?;
            self.out[start + 2] = id;
            self.emitted.insert(id);
            let original = of.copy_of.or(of.result);
            if let Some(original) = original.filter(|&original| original != id) {
                self.changes.copies.push((original, id));
            }
        }
        let locals = body.id_offsets(index).iter().zip(body.uses(index));
        let locals = locals.filter(|(_, id)| body.local(*id).is_some());
        for ((&offset, _), &value) in locals.zip(uses) {
            self.out[start + usize::from(offset)] = self.value(value)?;
        }
        Ok(())
    }

    fn merge(&mut self, block: Block) -> Result<(), Error> {
        match self.structured.merges[block] {
            Merge::None => {}
            Merge::Selection { merge, hint } => {
                let merge = self.label(merge)?;
                let control = match hint {
                    SelectionHint::None => 0,
                    SelectionHint::Flatten => 1,
                    SelectionHint::DontFlatten => 2,
                };
                self.op(Op::SelectionMerge, &[merge, control]);
            }
            Merge::Loop {
                merge,
                continue_target,
                hint,
            } => {
                let mut operands = vec![self.label(merge)?, self.label(continue_target)?];
                match hint {
                    // See `lower`.
                    LoopHint::UnrollCount(inst) => {
                        operands.extend_from_slice(&self.body.words_of(inst as usize)[3..]);
                    }
                    _ => operands.push(0),
                }
                self.op(Op::LoopMerge, &operands);
            }
        }
        Ok(())
    }

    fn terminator(&mut self, block: Block) -> Result<(), Error> {
        let func = &self.structured.func;
        match func.terminator(block) {
            Some(Terminator::Branch(to)) => {
                let to = self.label(to)?;
                self.op(Op::Branch, &[to]);
            }
            Some(Terminator::CondBranch {
                cond, then, else_, ..
            }) => {
                let operands = [self.value(cond)?, self.label(then)?, self.label(else_)?];
                self.op(Op::BranchConditional, &operands);
            }
            Some(Terminator::Switch {
                value,
                default,
                cases,
                ..
            }) => {
                let Type(ty) = func.value_type(value);
                let (width, is_signed) = self.module.ty(ty).integer.unwrap_or((32, false));
                let mut operands = vec![self.value(value)?, self.label(default)?];
                for case in func.cases(cases) {
                    let is_negative =
                        is_signed && width < 32 && case.literal >> (width.max(1) - 1) & 1 == 1;
                    let sign = if is_negative { u32::MAX << width } else { 0 };
                    operands.push(case.literal as u32 | sign);
                    if width > 32 {
                        operands.push((case.literal >> 32) as u32);
                    }
                    operands.push(self.label(case.target)?);
                }
                self.op(Op::Switch, &operands);
            }
            Some(Terminator::Return(None)) => self.op(Op::Return, &[]),
            Some(Terminator::Return(Some(value))) => {
                let value = self.value(value)?;
                self.op(Op::ReturnValue, &[value]);
            }
            Some(Terminator::Exit(index)) => {
                let operands = (func.insts(block))
                    .filter(|&inst| func.payload(inst) == Some(index))
                    .last();
                let uses = operands.map_or(&[][..], |inst| func.uses(inst));
                self.client_inst(index as usize, uses, None)?;
            }
            Some(Terminator::Unreachable | Terminator::Kill | Terminator::BreakBranch { .. })
            | None => self.op(Op::Unreachable, &[]),
        }
        Ok(())
    }

    /// Writes the `OpLine` that applies to an instruction before which no other may be.
    fn locate_line(&mut self, inst: usize) {
        let line = self.body.insts[inst].location.line;
        if self.location.line != line {
            match line {
                Some(line) => self.out.extend_from_slice(self.body.words_of(line)),
                None => self.op(Op::NoLine, &[]),
            }
            self.location.line = line;
        }
    }

    /// Writes what makes a location apply to the next instruction.
    fn locate(&mut self, to: Location) -> Result<(), Error> {
        let from = self.location;
        if from == to {
            return Ok(());
        }
        self.debug_location(from.scope, to.scope, DEBUG_NO_SCOPE)?;
        self.debug_location(from.debug_line, to.debug_line, DEBUG_NO_LINE)?;
        if from.line != to.line {
            match to.line {
                Some(line) => self.out.extend_from_slice(self.body.words_of(line)),
                None => self.op(Op::NoLine, &[]),
            }
        }
        self.location = to;
        Ok(())
    }

    fn debug_location(
        &mut self,
        from: Option<usize>,
        to: Option<usize>,
        none: u32,
    ) -> Result<(), Error> {
        if from == to {
            return Ok(());
        }
        let start = self.out.len();
        match (from, to) {
            (_, Some(to)) => {
                self.out.extend_from_slice(self.body.words_of(to));
                if !self.locations.insert(to) {
                    self.out[start + 2] = self.changes.fresh()?;
                }
            }
            (Some(from), None) => {
                let (ty, set) = (self.body.word(from, 1), self.body.word(from, 3));
                let id = self.changes.fresh()?;
                self.op(Op::ExtInst, &[ty, id, set, none]);
            }
            (None, None) => {}
        }
        self.emitted.extend(self.out.get(start + 2));
        Ok(())
    }
}
