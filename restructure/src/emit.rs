//! The words of a structured function.

use rspirv::spirv::Op;
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_structurizer::Merge;
use trellis_structurizer::ir::{Block, LoopHint, SelectionHint, SelectorOp, Type};
use trellis_structurizer_client::{BlockEdit, Edits, Phi, Terminator, Value};

use crate::Error;
use crate::assemble::{Changes, instruction};
use crate::body::{Body, DEBUG_NO_LINE, DEBUG_NO_SCOPE, Location};
use crate::module::Module;

/// Writes a function.
pub(crate) fn emit(
    module: &Module<'_>,
    body: &Body,
    edits: &Edits,
    changes: &mut Changes,
) -> Result<Vec<u32>, Error> {
    let mut emitter = Emitter {
        module,
        body,
        edits,
        changes,
        out: body.words[body.head.clone()].to_vec(),
        values: vec![0; edits.new_values.len()],
        labels: FxHashMap::default(),
        emitted: FxHashSet::default(),
        location: Location::default(),
        locations: FxHashSet::default(),
    };
    for (position, edit) in edits.blocks.iter().enumerate() {
        emitter.block(edit, position == 0)?;
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
    edits: &'a Edits,
    changes: &'a mut Changes,
    out: Vec<u32>,
    /// The id of each new value; 0 for one that has none yet.
    values: Vec<u32>,
    /// The labels of new blocks.
    labels: FxHashMap<Block, u32>,
    /// The ids that are defined.
    emitted: FxHashSet<u32>,
    /// The location of the next instruction.
    location: Location,
    /// The instructions for locations that were written.
    locations: FxHashSet<usize>,
}

impl Emitter<'_> {
    fn op(&mut self, op: Op, operands: &[u32]) {
        instruction(&mut self.out, op, operands);
    }

    fn label(&mut self, block: Block) -> Result<u32, Error> {
        if let Some(input) = self.body.blocks.get(block.as_u32() as usize) {
            return Ok(input.label);
        }
        if let Some(&label) = self.labels.get(&block) {
            return Ok(label);
        }
        let label = self.changes.fresh()?;
        self.labels.insert(block, label);
        Ok(label)
    }

    fn ty(&mut self, Type(ty): Type) -> Result<u32, Error> {
        match Type(ty) {
            Type::SELECTOR => self.changes.u32_type(),
            Type::BOOL => self.changes.bool_type(),
            _ => Ok(ty),
        }
    }

    fn value(&mut self, value: Value) -> Result<u32, Error> {
        match value {
            Value::Client(id) => Ok(id),
            Value::New(number) => {
                let number = number as usize;
                if self.values[number] == 0 {
                    self.values[number] = self.changes.fresh()?;
                }
                Ok(self.values[number])
            }
            Value::Selector(number) => self.changes.u32_constant(number),
            Value::Bool(is_true) => self.changes.bool_constant(is_true),
            Value::Test {
                selector,
                op,
                constant,
            } => {
                let op = match op {
                    SelectorOp::LessEqual => Op::ULessThanEqual,
                    SelectorOp::Equal => Op::IEqual,
                };
                let ty = self.changes.bool_type()?;
                let constant = self.changes.u32_constant(constant)?;
                let result = self.changes.fresh()?;
                let selector = self.value(Value::New(selector))?;
                self.op(op, &[ty, result, selector, constant]);
                Ok(result)
            }
            Value::Undef(ty) => {
                let ty = self.ty(ty)?;
                self.changes.undef(ty)
            }
        }
    }

    fn block(&mut self, edit: &BlockEdit, is_first: bool) -> Result<(), Error> {
        let body = self.body;
        let label = self.label(edit.block)?;
        self.emitted.insert(label);
        self.op(Op::Label, &[label]);
        // Debug locations end with their block.
        self.location = Location::default();
        if is_first {
            // Variables must be in the first block, which may be a new one.
            for &variable in &body.variables {
                self.locate_line(variable);
                self.out.extend_from_slice(body.words_of(variable));
                self.emitted.extend(body.insts[variable].result);
            }
        }
        for phi in &edit.phis {
            self.phi(phi)?;
        }
        if let Some(input) = body.blocks.get(edit.block.as_u32() as usize) {
            let replaced = edit.replaced.iter().copied().collect();
            for &inst in &input.insts {
                self.locate(body.insts[inst].location)?;
                self.client_inst(inst, &replaced)?;
            }
        }
        // A test of a selector is before the merge instruction.
        let operand = match edit.terminator {
            Terminator::Branch {
                condition: value, ..
            }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => self.value(value)?,
            _ => 0,
        };
        if let Some(input) = body.blocks.get(edit.block.as_u32() as usize) {
            self.locate(body.insts[input.terminator].location)?;
        }
        self.merge(edit.merge)?;
        self.terminator(edit, operand)
    }

    fn phi(&mut self, phi: &Phi) -> Result<(), Error> {
        let ty = self.ty(phi.ty)?;
        let id = self.value(phi.value)?;
        self.emitted.insert(id);
        if let Some(of) = self.body.local(id) {
            self.locate_line(of);
        }
        let mut operands = vec![ty, id];
        for &(pred, value) in &phi.operands {
            operands.push(self.value(value)?);
            operands.push(self.label(pred)?);
        }
        self.op(Op::Phi, &operands);
        Ok(())
    }

    /// Writes an instruction of the input with other values in place of some.
    fn client_inst(&mut self, index: usize, replaced: &FxHashMap<u32, Value>) -> Result<(), Error> {
        let (body, start) = (self.body, self.out.len());
        let of = &body.insts[index];
        self.out.extend_from_slice(body.words_of(index));
        if let Some(result) = of.result {
            self.emitted.insert(result);
            if let Some(original) = of.copy_of {
                self.changes.copies.push((original, result));
            }
        }
        for (&offset, id) in body.id_offsets(index).iter().zip(body.uses(index)) {
            if let Some(&value) = replaced.get(&id) {
                self.out[start + usize::from(offset)] = self.value(value)?;
            }
        }
        Ok(())
    }

    fn merge(&mut self, merge: Merge) -> Result<(), Error> {
        match merge {
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
                    // See `client`.
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

    /// Writes a terminator that reads the value with an id.
    fn terminator(&mut self, edit: &BlockEdit, operand: u32) -> Result<(), Error> {
        match &edit.terminator {
            Terminator::Goto(to) => {
                let to = self.label(*to)?;
                self.op(Op::Branch, &[to]);
            }
            Terminator::Branch { then, else_, .. } => {
                let operands = [operand, self.label(*then)?, self.label(*else_)?];
                self.op(Op::BranchConditional, &operands);
            }
            Terminator::Switch {
                value,
                default,
                cases,
            } => {
                let ty = match *value {
                    Value::Client(id) => self.body.type_of(self.module, id),
                    Value::New(number) => Some(self.edits.new_values[number as usize].0),
                    _ => None,
                };
                let integer = ty.and_then(|ty| self.module.ty(ty).integer);
                let (width, is_signed) = integer.unwrap_or((32, false));
                let mut operands = vec![operand, self.label(*default)?];
                for &(literal, target) in cases {
                    // Literals narrower than a word are sign-extended if their type is signed
                    // (SPIR-V 1.6, section 2.2.1).
                    let is_negative =
                        is_signed && width < 32 && literal >> (width.max(1) - 1) & 1 == 1;
                    let sign = if is_negative { u32::MAX << width } else { 0 };
                    operands.push(literal as u32 | sign);
                    if width > 32 {
                        operands.push((literal >> 32) as u32);
                    }
                    operands.push(self.label(target)?);
                }
                self.op(Op::Switch, &operands);
            }
            Terminator::Return(None) => self.op(Op::Return, &[]),
            Terminator::Return(Some(_)) => self.op(Op::ReturnValue, &[operand]),
            Terminator::Exit(block) => {
                // Of this block, or of the block of the input before it.
                let replaced = self.edits.block(Block::from_u32(*block));
                let replaced = replaced.map_or(&[][..], |edit| &edit.replaced);
                let inst = self.body.blocks[*block as usize].terminator;
                self.client_inst(inst, &replaced.iter().copied().collect())?;
            }
            Terminator::Unreachable => self.op(Op::Unreachable, &[]),
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

    /// Writes the debug instructions that give the next instruction a location.
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
                    // The copy of an instruction needs its own id.
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
