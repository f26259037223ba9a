//! Rewriting of a function: [`FunctionRewriter`] collects the new instructions of each block and
//! builds the new function from them. Instructions are appended to the *pending* ones, which
//! [`FunctionRewriter::end_block`] adds to a block. Phis may be appended anywhere in their block.
//!
//! Value numbers need not follow the order of instructions: the old numbers are kept, new ones are
//! appended. A value that is replaced by another keeps its number too; [`FunctionRewriter::finish`]
//! renames all operands, in time linear in the size of the function. Metadata, debug locations and
//! names are carried over; dead values are not removed.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, BlockData, BlockId, CastOp, Constant, ConstantData, Function, Inst,
    InstId, InstKind, Module, PoolRange, Predicate, Type, TypeId, ValueData, ValueId, ValueKind,
    append_list, copy_kind,
};
use trellis_entity::{EntityRange, EntityRef, PrimaryMap};

use super::{at, type_id, unsupported};
use crate::error::{AggregateFeature, Error, HandleFeature, InvalidKind, PointerFeature};

/// The instruction of a value whose definition is not written yet, or was removed.
pub(super) const GONE: u32 = u32::MAX - 1;

/// An instruction of the new function, with its metadata.
#[derive(Clone)]
pub(super) struct NewInst {
    pub(super) inst: Inst,
    pub(super) metadata: Attached,
}

/// Metadata attached to an instruction, (kind, node): most have none, which takes little memory.
pub(super) type Attached = Option<Box<SmallVec<[(u32, MdId); 1]>>>;

/// Why a rewritten function is not well formed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unfinished {
    /// A value that is replaced by itself; possible only in unreachable code.
    Circular(ValueId),
    /// An operand whose defining instruction was removed.
    Gone(ValueId),
}

/// Builds the new form of a function. Pool ranges of its instructions refer to `out.pool`.
pub(super) struct FunctionRewriter<'a> {
    pub(super) module: &'a mut Module,
    /// The function as it was.
    pub(super) old: &'a Function,
    /// Everything but blocks and instructions.
    pub(super) out: Function,
    /// `i32`.
    pub(super) int: TypeId,
    blocks: PrimaryMap<BlockId, Vec<NewInst>>,
    /// Instructions that are not in a block yet.
    pending: Vec<NewInst>,
    module_values: usize,
    /// The replacement of each local value; the value itself if it is not replaced.
    replaced: Vec<ValueId>,
}

/// Returns the metadata attached to an instruction.
pub(super) fn metadata_of(function: &Function, inst: InstId) -> Attached {
    let list = &function.inst_metadata;
    let first = list.partition_point(|entry| entry.0 < inst);
    let own = list[first..].iter().take_while(|entry| entry.0 == inst);
    let mut own = own.map(|entry| (entry.1, entry.2)).peekable();
    own.peek()?;
    Some(Box::new(own.collect()))
}

impl<'a> FunctionRewriter<'a> {
    /// Creates a rewriter of `old` with `blocks` empty blocks.
    pub(super) fn new(module: &'a mut Module, old: &'a Function, blocks: usize) -> Self {
        let int = type_id(module, &Type::Int(32));
        let module_values = module.values.len();
        let out = Function {
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            inst_metadata: Vec::new(),
            block_names: Vec::new(),
            ..old.clone()
        };
        let replaced = (0..old.values.len())
            .map(|i| ValueId::from_u32((module_values + i) as u32))
            .collect();
        Self {
            module,
            old,
            out,
            int,
            blocks: vec![Vec::new(); blocks].into(),
            pending: Vec::new(),
            module_values,
            replaced,
        }
    }

    /// Sets the number of blocks, which are empty so far.
    pub(super) fn set_blocks(&mut self, count: usize) {
        self.blocks = vec![Vec::new(); count].into();
    }

    /// Returns the function as it was.
    pub(super) fn unchanged(self) -> Function {
        self.old.clone()
    }

    /// Returns the number of the next new value.
    pub(super) fn next_value(&self) -> u32 {
        (self.module_values + self.out.values.len()) as u32
    }

    /// Adds a local value.
    pub(super) fn add_value(&mut self, ty: TypeId, kind: ValueKind) -> ValueId {
        let value = ValueId::from_u32(self.next_value());
        self.out.values.push(ValueData { ty, kind });
        self.replaced.push(value);
        value
    }

    /// Adds a constant to the function.
    pub(super) fn constant(&mut self, ty: TypeId, value: Constant) -> ValueId {
        let id = self.module.constants.push(ConstantData { ty, value });
        self.add_value(ty, ValueKind::Constant(id))
    }

    /// Adds an `i32` to the function.
    pub(super) fn number(&mut self, number: u32) -> ValueId {
        self.constant(self.int, Constant::Int(number.into()))
    }

    /// Adds an undefined value to the function.
    pub(super) fn undef(&mut self, ty: TypeId) -> ValueId {
        self.constant(ty, Constant::Undef)
    }

    /// Returns the value of a constant integer of the old function.
    pub(super) fn const_int(&self, value: ValueId) -> Option<u64> {
        self.module.const_int(Some(self.old), value)
    }

    /// Returns the type and kind of a value of the old function.
    pub(super) fn data(&self, value: ValueId) -> Option<ValueData> {
        self.module.value(Some(self.old), value)
    }

    /// Returns the kind of a value of the old function.
    pub(super) fn kind_of(&self, value: ValueId) -> Option<ValueKind> {
        Some(self.data(value)?.kind)
    }

    /// Returns a constant of the old function.
    pub(super) fn constant_of(&self, value: ValueId) -> Option<&Constant> {
        Some(&self.module.constant(Some(self.old), value)?.value)
    }

    /// Returns the type of a value of the old function.
    ///
    /// # Errors
    /// It does not exist.
    pub(super) fn type_of(&self, value: ValueId) -> Result<TypeId, Error> {
        let unknown = || unsupported(self.old, AggregateFeature::UnknownValue { value });
        Ok(self.data(value).ok_or_else(unknown)?.ty)
    }

    /// Returns an instruction in place of an old one, whose metadata it gets.
    pub(super) fn in_place_of(&self, at: InstId, inst: Inst) -> NewInst {
        let metadata = metadata_of(self.old, at);
        NewInst { inst, metadata }
    }

    /// Appends an old instruction.
    pub(super) fn keep(&mut self, at: InstId) {
        self.push(self.in_place_of(at, self.old.insts[at]));
    }

    /// Returns the values that a phi or select of the old function chooses from.
    pub(super) fn choices(&self, kind: InstKind) -> Vec<ValueId> {
        match kind {
            InstKind::Phi { incoming } => self.old.phi_incoming(incoming).map(|p| p.0).collect(),
            InstKind::Select { then, else_, .. } => vec![then, else_],
            _ => Vec::new(),
        }
    }

    /// Returns a phi or select of other values, in the order of [`choices`](Self::choices).
    ///
    /// # Errors
    /// It is another instruction.
    pub(super) fn choice_of(
        &mut self,
        kind: InstKind,
        values: &[ValueId],
    ) -> Result<InstKind, Error> {
        match (kind, values) {
            (InstKind::Select { cond, .. }, &[then, else_]) => {
                Ok(InstKind::Select { cond, then, else_ })
            }
            (InstKind::Phi { incoming }, _) => {
                let preds = self.out.pool[incoming.range()].chunks_exact(2);
                let pairs = preds
                    .zip(values)
                    .flat_map(|(pair, v)| [v.as_u32(), pair[1]]);
                let incoming: Vec<u32> = pairs.collect();
                let incoming = self.list(incoming);
                Ok(InstKind::Phi { incoming })
            }
            _ => Err(unsupported(self.old, HandleFeature::UnknownSelection)),
        }
    }

    /// Returns a call of an operation by the callee of another: a new declaration would renumber all
    /// values.
    pub(super) fn call_like(
        &mut self,
        model: InstKind,
        op: Op,
        operands: impl IntoIterator<Item = ValueId>,
    ) -> InstKind {
        let opcode = self.number(op.code()).as_u32();
        let operands = operands.into_iter().map(ValueId::as_u32);
        let list = self.list(std::iter::once(opcode).chain(operands));
        let mut kind = model;
        if let InstKind::Call { args, .. } = &mut kind {
            *args = list;
        }
        kind
    }

    /// Adds a value for the result of an instruction that is yet to be written.
    pub(super) fn result(&mut self, ty: TypeId) -> ValueId {
        self.add_value(ty, ValueKind::Inst(InstId::from_u32(GONE)))
    }

    /// Replaces all uses of `old` by `new`, including those in instructions already written.
    pub(super) fn replace(&mut self, old: ValueId, new: ValueId) {
        if let Some(slot) = self.local(old) {
            self.replaced[slot] = new;
        }
    }

    fn local(&self, value: ValueId) -> Option<usize> {
        let index = value.index().checked_sub(self.module_values);
        index.filter(|&i| i < self.replaced.len())
    }

    /// Appends operands to the pool and returns their range.
    pub(super) fn list(&mut self, entries: impl IntoIterator<Item = u32>) -> PoolRange {
        append_list(&mut self.out.pool, entries)
    }

    /// Appends an instruction.
    pub(super) fn push(&mut self, inst: NewInst) {
        self.pending.push(inst);
    }

    /// Appends instructions.
    pub(super) fn extend(&mut self, insts: Vec<NewInst>) {
        self.pending.extend(insts);
    }

    /// Takes the pending instructions.
    pub(super) fn take(&mut self) -> Vec<NewInst> {
        std::mem::take(&mut self.pending)
    }

    /// Returns the instruction that was appended last.
    pub(super) fn last(&mut self) -> Option<&mut NewInst> {
        self.pending.last_mut()
    }

    /// Adds the pending instructions to a block.
    pub(super) fn end_block(&mut self, block: BlockId) {
        match &mut self.blocks[block] {
            list if list.is_empty() => *list = std::mem::take(&mut self.pending),
            list => list.append(&mut self.pending),
        }
    }

    /// Adds the pending instructions to a block, before its others.
    pub(super) fn begin_block(&mut self, block: BlockId) {
        self.pending.append(&mut self.blocks[block]);
        self.blocks[block] = self.take();
    }

    /// Appends an instruction without metadata.
    pub(super) fn append(&mut self, kind: InstKind, ty: TypeId, result: Option<ValueId>) {
        let inst = Inst {
            kind,
            ty,
            result: result.into(),
            debug_loc: 0,
        };
        let metadata = None;
        self.push(NewInst { inst, metadata });
    }

    /// Appends an instruction with a result; returns the result.
    pub(super) fn value(&mut self, kind: InstKind, ty: TypeId) -> ValueId {
        let result = self.result(ty);
        self.append(kind, ty, Some(result));
        result
    }

    /// Appends an operation on `i32`s.
    pub(super) fn word(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.value(binary(op, lhs, rhs), self.int)
    }

    /// Appends a phi of values with the blocks that they come from.
    pub(super) fn phi(&mut self, values: &[(ValueId, BlockId)], ty: TypeId, result: ValueId) {
        let incoming = self.list(values.iter().flat_map(|(v, b)| [v.as_u32(), b.as_u32()]));
        self.append(InstKind::Phi { incoming }, ty, Some(result));
    }

    /// Appends the sum of a number and terms: indices, each with its factor. Indices are converted to
    /// `i32` with their sign, as `getelementptr` takes them.
    pub(super) fn sum(
        &mut self,
        start: Option<ValueId>,
        terms: impl IntoIterator<Item = (ValueId, u32)>,
        constant: u32,
    ) -> ValueId {
        let mut sum = start;
        for (index, factor) in terms {
            let mut term = self.index(index);
            if factor != 1 {
                let factor = self.number(factor);
                term = self.word(BinaryOp::Mul, term, factor);
            }
            sum = Some(match sum {
                None => term,
                Some(before) => self.word(BinaryOp::Add, before, term),
            });
        }
        match sum {
            None => self.number(constant),
            Some(sum) if constant == 0 => sum,
            Some(sum) => {
                let constant = self.number(constant);
                self.word(BinaryOp::Add, sum, constant)
            }
        }
    }

    fn index(&mut self, value: ValueId) -> ValueId {
        let op = match self.data(value).map(|data| self.module.ty(data.ty)) {
            None | Some(Type::Int(32)) => return value,
            Some(Type::Int(64)) => CastOp::Trunc,
            Some(_) => CastOp::SExt,
        };
        self.value(InstKind::Cast { op, value }, self.int)
    }

    /// Returns the final replacement of a value; `None` if the replacements form a cycle.
    fn resolve(&self, value: ValueId) -> Option<ValueId> {
        let mut current = value;
        for _ in 0..=self.replaced.len() {
            let Some(slot) = self.local(current) else {
                return Some(current);
            };
            if self.replaced[slot] == current {
                return Some(current);
            }
            current = self.replaced[slot];
        }
        None
    }

    /// Compresses chains of replacements, so that resolving a value is one step.
    fn settle(&mut self) -> Result<(), Unfinished> {
        // Path compression: each chain is walked once.
        for slot in 0..self.replaced.len() {
            let start = ValueId::from_u32((self.module_values + slot) as u32);
            let end = self.resolve(start).ok_or(Unfinished::Circular(start))?;
            let mut current = start;
            while let Some(at) = self.local(current) {
                let next = self.replaced[at];
                if next == current {
                    break;
                }
                self.replaced[at] = end;
                current = next;
            }
        }
        Ok(())
    }

    /// Returns the function with all blocks in order.
    ///
    /// # Errors
    /// A value that is replaced by itself, or an operand that was removed.
    pub(super) fn finish(self) -> Result<Function, Error> {
        let old = self.old;
        self.build().map_err(|why| unfinished(old, why))
    }

    fn build(mut self) -> Result<Function, Unfinished> {
        self.settle()?;
        let Self {
            mut out,
            blocks,
            module_values,
            replaced,
            ..
        } = self;
        let old_pool = std::mem::take(&mut out.pool);
        let from = Function {
            pool: old_pool,
            ..Function::default()
        };
        for value in &mut out.values {
            if let ValueKind::Inst(inst) = &mut value.kind {
                *inst = InstId::from_u32(GONE);
            }
        }
        let mut pool = Vec::with_capacity(from.pool.len());
        out.blocks.reserve(blocks.len());
        out.insts.reserve(blocks.values().map(Vec::len).sum());
        let local = |v: ValueId| v.index().checked_sub(module_values);
        let resolve = |v: ValueId| {
            let replacement = local(v).and_then(|i| replaced.get(i));
            replacement.copied().unwrap_or(v)
        };
        for block in blocks.into_values() {
            let start = out.insts.next_key();
            let is_phi = |new: &NewInst| matches!(new.inst.kind, InstKind::Phi { .. });
            let (phis, others): (Vec<_>, Vec<_>) = block.into_iter().partition(is_phi);
            for NewInst { mut inst, metadata } in phis.into_iter().chain(others) {
                let id = out.insts.next_key();
                inst.kind = copy_kind(&inst.kind, &from.pool, &mut pool, 0, resolve, |b, _| b);
                let result = inst.result.expand().and_then(local);
                if let Some(data) = result.and_then(|i| out.values.get_mut(i)) {
                    data.kind = ValueKind::Inst(id);
                }
                let metadata = metadata.into_iter().flat_map(|list| *list);
                let metadata = metadata.map(|(kind, node)| (id, kind, node));
                out.inst_metadata.extend(metadata);
                out.insts.push(inst);
            }
            out.blocks.push(BlockData {
                insts: EntityRange::new(start, out.insts.next_key()),
            });
        }
        out.pool = pool;
        follow_replaced(&mut out, module_values, &replaced);
        for inst in out.insts.values() {
            let gone = out.operands(&inst.kind).find(|&v| {
                let data = local(v).and_then(|i| out.values.get(i));
                data.is_some_and(|d| d.kind == ValueKind::Inst(InstId::from_u32(GONE)))
            });
            if let Some(value) = gone {
                return Err(Unfinished::Gone(value));
            }
        }
        Ok(out)
    }
}

/// Returns the error of a function that is not well formed.
fn unfinished(function: &Function, why: Unfinished) -> Error {
    match why {
        Unfinished::Circular(value) => Error::invalid(
            InvalidKind::Value,
            format!("value {value} is defined by itself"),
            at(function),
        ),
        Unfinished::Gone(value) => unsupported(function, PointerFeature::SelectedUse { value }),
    }
}

/// Gives replaced values the definition of their replacements: no operand names them, but debug
/// information still does.
fn follow_replaced(out: &mut Function, module_values: usize, replaced: &[ValueId]) {
    for (index, replacement) in replaced.iter().enumerate() {
        let Some(to) = replacement.index().checked_sub(module_values) else {
            continue;
        };
        if to == index {
            continue;
        }
        let (Some(&old), Some(&new)) = (out.values.get(index), out.values.get(to)) else {
            continue;
        };
        let has_definition = match new.kind {
            ValueKind::Inst(inst) => inst.as_u32() != GONE,
            ValueKind::Constant(_) => true,
            _ => false,
        };
        if has_definition && old.ty == new.ty {
            out.values[index].kind = new.kind;
        }
    }
}

/// Returns an operation on integers or floats, without flags.
pub(super) fn binary(op: BinaryOp, lhs: ValueId, rhs: ValueId) -> InstKind {
    let flags = ArithFlags(0);
    InstKind::Binary {
        op,
        lhs,
        rhs,
        flags,
    }
}

/// Returns a comparison, without flags.
pub(super) fn compare(predicate: Predicate, lhs: ValueId, rhs: ValueId) -> InstKind {
    let flags = ArithFlags(0);
    InstKind::Cmp {
        predicate,
        lhs,
        rhs,
        flags,
    }
}
