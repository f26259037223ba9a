//! A function's body: slots for its values, then its instructions and edges.

use std::collections::HashMap;
use std::ops::Range;

use trellis_dxil_frontend::debug_info::VariableUseKind;
use trellis_dxil_frontend::module::{
    BlockId, Function, FunctionId, Inst, InstId, InstKind, PoolRange, Type, TypeId, ValueId,
    ValueKind,
};
use trellis_entity::{EntityRange, EntityRef};

use super::{Decoder, Frame, FrameId, LeafId, Leaves, MAX_CALLS};
use crate::error::{Error, Feature, InvalidKind, Quantity, bounded, invalid, unsupported};
use crate::memory::Space;
use crate::program::{CopyId, Instr, Label, Line, Operand, Target, Terminator};

/// Returns the block of the program that a block of an inlined function becomes.
fn label_of(first_block: Label, block: BlockId) -> Label {
    Label::from_u32(first_block.as_u32() + block.as_u32())
}

/// Returns the scalars of a value that are in `range`.
fn part_of(whole: Leaves, range: Range<usize>) -> Leaves {
    let at = |index| LeafId::new(whole.start().index() + index);
    Leaves::new(at(range.start), at(range.end))
}

/// A function that is being inlined.
pub(super) struct Body<'m> {
    pub(super) function: &'m Function,
    frame: FrameId,
    first_block: Label,
    /// Scalars of the local values, as far as they are known.
    values: Vec<Option<Leaves>>,
    /// Values that rename others' scalars: nothing computes them.
    alias: Vec<bool>,
    /// The draft that instructions go to.
    pub(super) current: Label,
}

impl<'m> Decoder<'m> {
    /// Makes the drafts of a frame.
    pub(super) fn body(&mut self, frame: FrameId) -> Result<(), Error> {
        let Frame {
            function,
            first_block,
            ref arguments,
            ..
        } = self.frames[frame];
        let function: &'m Function = &self.module.functions[function];
        let mut values = vec![None; function.values.len()];
        for (value, data) in values.iter_mut().zip(&function.values) {
            if let ValueKind::Argument(number) = data.kind {
                *value = arguments.get(number as usize).copied();
            }
        }
        self.spend(function.values.len() + function.insts.len())?;
        let alias = vec![false; function.values.len()];
        let mut body = Body {
            function,
            frame,
            first_block,
            values,
            alias,
            current: first_block,
        };
        for inst in function.insts.values() {
            if let Some(result) = inst.result.expand() {
                self.assign(&mut body, inst, result)?;
            }
        }
        for (block, data) in function.blocks.iter() {
            body.current = label_of(first_block, block);
            for id in data.insts {
                let inst = function.insts.get(id);
                let inst = inst.ok_or_else(|| invalid(InvalidKind::BlockEnd))?;
                if inst.kind.is_terminator() {
                    self.line(&mut body, id, inst)?;
                    let end = self.terminator(&mut body, block, inst)?;
                    self.drafts[body.current].end = end;
                    break;
                }
                self.inst(&mut body, id, inst)?;
                self.line(&mut body, id, inst)?;
            }
        }
        Ok(())
    }

    /// Returns the index of a local value.
    fn local(&self, value: ValueId) -> Option<usize> {
        (value.as_u32() as usize).checked_sub(self.module.values.len())
    }

    /// Gives a result its scalars: another value's where it only renames them, else new slots.
    fn assign(&mut self, body: &mut Body<'m>, inst: &Inst, result: ValueId) -> Result<(), Error> {
        let index = self
            .local(result)
            .filter(|&index| index < body.values.len())
            .ok_or_else(|| invalid(InvalidKind::NotLocal))?;
        if let Some(leaves) = self.renamed(body, inst)? {
            body.values[index] = Some(leaves);
            body.alias[index] = true;
            return Ok(());
        }
        let count = self.layouts.leaves(inst.ty)?.len();
        body.values[index] = Some(self.slots(count)?);
        Ok(())
    }

    /// Returns the scalars of a value that computes nothing, if they are known already. (Blocks may
    /// come before the ones that dominate them.)
    fn renamed(&mut self, body: &mut Body<'m>, inst: &Inst) -> Result<Option<Leaves>, Error> {
        let function = body.function;
        let known =
            |this: &mut Self, body: &mut Body<'m>, value| -> Result<Option<Leaves>, Error> {
                match this.module.value(Some(function), value).map(|v| v.kind) {
                    Some(ValueKind::Inst(_) | ValueKind::Argument(_)) => {
                        Ok(this.local(value).and_then(|index| *body.values.get(index)?))
                    }
                    _ => this.operand(body, value).map(Some),
                }
            };
        match inst.kind {
            InstKind::ExtractValue { aggregate, indices } => {
                let Some(whole) = known(self, body, aggregate)? else {
                    return Ok(None);
                };
                let ty = self.type_of(body, aggregate)?;
                Ok(Some(part_of(whole, self.selected(body, ty, indices)?)))
            }
            InstKind::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                let (Some(whole), Some(part)) =
                    (known(self, body, aggregate)?, known(self, body, value)?)
                else {
                    return Ok(None);
                };
                let range = self.selected(body, inst.ty, indices)?;
                self.spliced(whole, range, part).map(Some)
            }
            InstKind::ExtractElement { vector, index } => {
                let (Some(whole), Some(index)) = (
                    known(self, body, vector)?,
                    self.module.const_int(Some(function), index),
                ) else {
                    return Ok(None);
                };
                let at = usize::try_from(index)
                    .ok()
                    .filter(|&index| index < whole.len())
                    .ok_or_else(|| invalid(InvalidKind::ElementIndex))?;
                Ok(Some(part_of(whole, at..at + 1)))
            }
            InstKind::InsertElement {
                vector,
                value,
                index,
            } => {
                let Some(index) = self.module.const_int(Some(function), index) else {
                    return Ok(None);
                };
                let (Some(whole), Some(part)) =
                    (known(self, body, vector)?, known(self, body, value)?)
                else {
                    return Ok(None);
                };
                self.spliced(whole, index as usize..index as usize + part.len(), part)
                    .map(Some)
            }
            // A wide integer represents the vector's scalars.
            InstKind::Cast { value, .. } if self.is_wide(inst.ty) => known(self, body, value),
            InstKind::Alloca { ty, count, .. } => {
                let count = self
                    .module
                    .const_int(Some(function), count)
                    .ok_or_else(|| unsupported(Feature::ComputedAllocaSize))?;
                let size = self.layouts.size(ty)?.saturating_mul(count);
                let pointer =
                    Self::object(&mut self.program.locals, Space::Local, size, Vec::new())?;
                let leaf = self.leaves.push(Operand::Const(pointer.0));
                Ok(Some(self.leaves_from(leaf)))
            }
            _ => Ok(None),
        }
    }

    /// Returns the range of a type's scalars that the indices of an instruction select.
    pub(super) fn selected(
        &mut self,
        body: &Body<'m>,
        ty: TypeId,
        indices: PoolRange,
    ) -> Result<Range<usize>, Error> {
        let path = body.function.pool.get(indices.range()).unwrap_or_default();
        self.layouts.select(ty, path)
    }

    /// Returns true for a vector that was cast to an integer of more than 64 bits.
    pub(super) fn is_wide(&self, ty: TypeId) -> bool {
        matches!(self.module.types.get(ty), Some(Type::WideInt(_)))
    }

    /// Returns the scalars of `whole`, those in `range` replaced by `part`.
    pub(super) fn spliced(
        &mut self,
        whole: Leaves,
        range: Range<usize>,
        part: Leaves,
    ) -> Result<Leaves, Error> {
        self.spend(whole.len())?;
        if range.end > whole.len() || range.len() != part.len() {
            return Err(invalid(InvalidKind::InsertedType));
        }
        let mut leaves = self.get(whole).to_vec();
        leaves[range].copy_from_slice(self.get(part));
        let start = self.leaves.next_key();
        self.leaves.extend(leaves);
        Ok(self.leaves_from(start))
    }

    /// Returns the scalars of an operand.
    pub(super) fn operand(&mut self, body: &mut Body<'m>, value: ValueId) -> Result<Leaves, Error> {
        let index = self.local(value).filter(|&index| index < body.values.len());
        if let Some(known) = index.and_then(|index| body.values[index]) {
            return Ok(known);
        }
        let leaves = self.constant_leaves(body.function, value)?;
        if let Some(index) = index {
            body.values[index] = Some(leaves);
        }
        Ok(leaves)
    }

    /// Returns the only scalar of an operand.
    pub(super) fn single(&mut self, body: &mut Body<'m>, value: ValueId) -> Result<Operand, Error> {
        let leaves = self.operand(body, value)?;
        match self.get(leaves) {
            &[leaf] => Ok(leaf),
            _ => Err(unsupported(Feature::AggregateOperand)),
        }
    }

    pub(super) fn type_of(&self, body: &Body<'m>, value: ValueId) -> Result<TypeId, Error> {
        self.module
            .value(Some(body.function), value)
            .map(|data| data.ty)
            .ok_or_else(|| invalid(InvalidKind::UnknownValue))
    }

    /// Slots of a result; `None` for one that only renames.
    pub(super) fn result(&self, body: &Body<'m>, inst: &Inst) -> Option<Leaves> {
        let index = self.local(inst.result.expand()?)?;
        if *body.alias.get(index)? {
            None
        } else {
            *body.values.get(index)?
        }
    }

    pub(super) fn emit(&mut self, body: &Body<'m>, instr: Instr) -> Result<(), Error> {
        self.spend(1)?;
        self.drafts[body.current].code.push(instr);
        Ok(())
    }

    /// Adds an instruction to the lines of a trace, with its result or the value that it gives a
    /// source variable. The code after a call is in another block.
    fn line(&mut self, body: &mut Body<'m>, id: InstId, inst: &Inst) -> Result<(), Error> {
        let Some(variables) = &self.traced else {
            return Ok(());
        };
        let described = variables.parse(self.module, body.function, id);
        self.spend(1)?;
        let described = described.filter(|described| described.kind == VariableUseKind::Value);
        let mut values = Vec::new();
        if let Some(value) = described.and_then(|d| d.value).or(inst.result.expand()) {
            let leaves = self.operand(body, value)?;
            self.spend(leaves.len())?;
            let types = self.layouts.leaves(self.type_of(body, value)?)?;
            let types = types.iter().map(|leaf| leaf.0);
            values.extend(types.zip(self.get(leaves).iter().copied()));
        }
        self.drafts[body.current].lines.push(Line {
            function: self.frames[body.frame].function,
            inst: id,
            values,
        });
        Ok(())
    }

    /// Returns a range of copies of scalars into slots.
    fn copies(&mut self, pairs: &[(Leaves, Leaves)]) -> Result<EntityRange<CopyId>, Error> {
        let start = self.program.copies.next_key();
        for &(to, from) in pairs {
            self.spend(to.len())?;
            if to.len() != from.len() {
                return Err(invalid(InvalidKind::ValueType));
            }
            for (to, from) in to.zip(from) {
                if let Operand::Slot(slot) = self.leaves[to] {
                    self.program.copies.push((slot, self.leaves[from]));
                }
            }
        }
        Ok(EntityRange::new(start, self.program.copies.next_key()))
    }

    /// Returns the edge between two blocks of a function.
    fn edge(&mut self, body: &mut Body<'m>, from: BlockId, to: BlockId) -> Result<Target, Error> {
        let function = body.function;
        let data = function.blocks.get(to);
        let data = data.ok_or_else(|| invalid(InvalidKind::UnknownBlock))?;
        let mut pairs = Vec::new();
        for inst in function.insts.get_range(data.insts).unwrap_or_default() {
            let InstKind::Phi { incoming } = inst.kind else {
                break;
            };
            self.spend(incoming.len() / 2)?;
            let Some(slots) = self.result(body, inst) else {
                continue;
            };
            let mut incoming = function.phi_incoming(incoming);
            let value = incoming.find(|&(_, block)| block == from);
            let (value, _) = value.ok_or_else(|| invalid(InvalidKind::PhiIncoming))?;
            pairs.push((slots, self.operand(body, value)?));
        }
        Ok(Target {
            block: label_of(body.first_block, to),
            copies: self.copies(&pairs)?,
        })
    }

    fn terminator(
        &mut self,
        body: &mut Body<'m>,
        block: BlockId,
        inst: &Inst,
    ) -> Result<Terminator, Error> {
        Ok(match inst.kind {
            InstKind::Br { target } => Terminator::Goto(self.edge(body, block, target)?),
            InstKind::CondBr { cond, then, else_ } => {
                let cond = self.single(body, cond)?;
                Terminator::If {
                    cond,
                    then: self.edge(body, block, then)?,
                    other: self.edge(body, block, else_)?,
                }
            }
            InstKind::Switch {
                value,
                default,
                cases,
            } => {
                let value = self.single(body, value)?;
                let default = self.edge(body, block, default)?;
                let mut known: HashMap<BlockId, Target> = HashMap::new();
                let mut list = Vec::new();
                for (literal, to) in body.function.switch_cases(cases) {
                    self.spend(1)?;
                    let target = match known.get(&to) {
                        Some(&target) => target,
                        None => self.edge(body, block, to)?,
                    };
                    known.insert(to, target);
                    list.push((literal, target));
                }
                let start = self.program.cases.next_key();
                self.program.cases.extend(list);
                Terminator::Switch {
                    value,
                    default,
                    cases: EntityRange::new(start, self.program.cases.next_key()),
                }
            }
            InstKind::Ret { value } => match self.frames[body.frame].back {
                None => Terminator::Return,
                Some((block, slots)) => {
                    let pairs = match value {
                        Some(value) => vec![(slots, self.operand(body, value)?)],
                        None => Vec::new(),
                    };
                    Terminator::Goto(Target {
                        block,
                        copies: self.copies(&pairs)?,
                    })
                }
            },
            _ => Terminator::Unreachable,
        })
    }

    /// Inlines a call: the block ends, the callee's blocks follow, a new block continues.
    pub(super) fn inline(
        &mut self,
        body: &mut Body<'m>,
        inst: &Inst,
        function: FunctionId,
        arguments: &[ValueId],
    ) -> Result<(), Error> {
        let depth = self.frames[body.frame].depth + 1;
        let mut up = Some(body.frame);
        while let Some(frame) = up {
            if self.frames[frame].function == function {
                return Err(invalid(InvalidKind::Recursion));
            }
            up = self.frames[frame].caller;
        }
        bounded(Quantity::NestedCalls, depth.into(), MAX_CALLS.into())?;
        let mut slots = Vec::new();
        let mut pairs = Vec::new();
        for &argument in arguments {
            let from = self.operand(body, argument)?;
            // Constants, addresses of local arrays for the most part, need no slots.
            let mut leaves = self.get(from).iter();
            if leaves.all(|leaf| matches!(leaf, Operand::Const(_))) {
                slots.push(from);
                continue;
            }
            let to = self.slots(from.len())?;
            pairs.push((to, from));
            slots.push(to);
        }
        let first_block = self.reserve(function)?;
        let after = self.draft()?;
        let copies = self.copies(&pairs)?;
        let result = self.result(body, inst).unwrap_or_default();
        self.frames.push(Frame {
            function,
            caller: Some(body.frame),
            depth,
            first_block,
            arguments: slots,
            back: Some((after, result)),
        });
        self.drafts[body.current].end = Terminator::Goto(Target {
            block: first_block,
            copies,
        });
        body.current = after;
        Ok(())
    }

    /// Ends the lane; instructions that follow do not run.
    pub(super) fn end(&mut self, body: &mut Body<'m>) -> Result<(), Error> {
        let after = self.draft()?;
        self.drafts[body.current].end = Terminator::Return;
        body.current = after;
        Ok(())
    }

    /// Ends the block with a barrier.
    pub(super) fn barrier(&mut self, body: &mut Body<'m>) -> Result<(), Error> {
        let after = self.draft()?;
        self.drafts[body.current].end = Terminator::Barrier(Target {
            block: after,
            copies: EntityRange::default(),
        });
        body.current = after;
        Ok(())
    }
}
