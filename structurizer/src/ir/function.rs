//! A function: pools of blocks, instructions and values, linked by indices.

use trellis_entity::{EntityRef, PackedOption, PrimaryMap};

use rustc_hash::FxHashMap;

use super::{
    Block, Case, CaseRange, Effects, Inst, InstKind, LoopHint, SelectorOp, Successors, Terminator,
    Type, Value, ValueKind,
};

/// End of a list of phi operands.
const NIL: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct BlockData {
    first_phi: PackedOption<Value>,
    last_phi: PackedOption<Value>,
    first_inst: PackedOption<Inst>,
    last_inst: PackedOption<Inst>,
    terminator: Option<Terminator>,
    loop_hint: LoopHint,
}

#[derive(Clone, Debug)]
struct InstData {
    kind: InstKind,
    effects: Effects,
    block: Block,
    next: PackedOption<Inst>,
    uses: (u32, u32),
    first_result: u32,
    results: u32,
}

#[derive(Clone, Copy, Debug)]
struct ValueData {
    kind: ValueKind,
    ty: Type,
    /// Of a phi: the next phi of the block.
    next_phi: PackedOption<Value>,
    /// Of a phi: its operands in the operand pool.
    first_operand: u32,
    last_operand: u32,
}

/// One operand of a phi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhiOperand {
    /// The predecessor that control comes from.
    pub pred: Block,
    /// The value that the phi then has.
    pub value: Value,
}

#[derive(Clone, Copy, Debug)]
struct OperandNode {
    operand: PhiOperand,
    next: u32,
}

/// A function as a graph of blocks. The first block is the entry.
///
/// Blocks, instructions and values are numbered in the order in which they are added; nothing is
/// allocated a block or an instruction beside the growth of the pools.
#[derive(Clone, Debug, Default)]
pub struct Function {
    blocks: PrimaryMap<Block, BlockData>,
    insts: PrimaryMap<Inst, InstData>,
    values: PrimaryMap<Value, ValueData>,
    uses: Vec<Value>,
    operands: Vec<OperandNode>,
    cases: Vec<Case>,
    undefs: Vec<(Type, Value)>,
    selector_constants: FxHashMap<u32, Value>,
}

impl Function {
    /// An empty function.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty function with room for so many blocks, instructions and values.
    pub fn with_capacity(blocks: usize, insts: usize, values: usize) -> Self {
        Self {
            blocks: PrimaryMap::with_capacity(blocks),
            insts: PrimaryMap::with_capacity(insts),
            values: PrimaryMap::with_capacity(values),
            uses: Vec::with_capacity(insts * 2),
            ..Self::default()
        }
    }

    // ---- blocks -------------------------------------------------------------------------------

    /// Adds a block without a terminator. The first one is the entry.
    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData {
            first_phi: None.into(),
            last_phi: None.into(),
            first_inst: None.into(),
            last_inst: None.into(),
            terminator: None,
            loop_hint: LoopHint::None,
        })
    }

    /// Makes room for so many more blocks.
    pub(crate) fn reserve_blocks(&mut self, additional: usize) {
        self.blocks.reserve(additional);
    }

    /// How many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many instructions there are.
    pub fn num_insts(&self) -> usize {
        self.insts.len()
    }

    /// How many values there are.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// All blocks in index order.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block> + use<> {
        (0..self.blocks.len()).map(Block::new)
    }

    /// All values in index order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value> + use<> {
        (0..self.values.len()).map(Value::new)
    }

    /// The entry, if there is any block.
    pub fn entry(&self) -> Option<Block> {
        (!self.blocks.is_empty()).then(|| Block::new(0))
    }

    /// Whether the block exists.
    pub fn has_block(&self, block: Block) -> bool {
        self.blocks.is_valid(block)
    }

    /// Whether the value exists.
    pub fn has_value(&self, value: Value) -> bool {
        self.values.is_valid(value)
    }

    /// Sets how a block ends.
    pub fn set_terminator(&mut self, block: Block, terminator: Terminator) {
        self.blocks[block].terminator = Some(terminator);
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

    /// How a block ends, if that was said.
    pub fn terminator(&self, block: Block) -> Option<Terminator> {
        self.blocks[block].terminator
    }

    /// How a block of a checked function ends; a missing terminator reads as `Unreachable`.
    pub(crate) fn term(&self, block: Block) -> Terminator {
        self.blocks[block]
            .terminator
            .unwrap_or(Terminator::Unreachable)
    }

    /// Says what the source asked of the loop whose header this block is.
    pub fn set_loop_hint(&mut self, header: Block, hint: LoopHint) {
        self.blocks[header].loop_hint = hint;
    }

    /// What the source asked of the loop whose header this block is.
    pub fn loop_hint(&self, header: Block) -> LoopHint {
        self.blocks[header].loop_hint
    }

    /// The successors in the terminator's order, repeated where an edge is. `BreakBranch` gives
    /// its target, then its stay edge.
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

    /// The cases of a switch; empty if the range is not of this function.
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

    // ---- values -------------------------------------------------------------------------------

    fn push_value(&mut self, kind: ValueKind, ty: Type) -> Value {
        self.values.push(ValueData {
            kind,
            ty,
            next_phi: None.into(),
            first_operand: NIL,
            last_operand: NIL,
        })
    }

    /// Adds a value that is defined everywhere: a constant, an argument, a global. The payload is
    /// the client's.
    pub fn add_constant(&mut self, payload: u32, ty: Type) -> Value {
        self.push_value(ValueKind::Constant { payload }, ty)
    }

    /// The undefined value of a type; one per type.
    pub fn undef(&mut self, ty: Type) -> Value {
        if let Some(&(_, value)) = self.undefs.iter().find(|(t, _)| *t == ty) {
            return value;
        }
        let value = self.push_value(ValueKind::Undef, ty);
        self.undefs.push((ty, value));
        value
    }

    /// The selector constant with this number; one per number.
    pub fn selector_constant(&mut self, number: u32) -> Value {
        if let Some(&value) = self.selector_constants.get(&number) {
            return value;
        }
        let value = self.push_value(ValueKind::SelectorConstant(number), Type::SELECTOR);
        self.selector_constants.insert(number, value);
        value
    }

    /// Where a value comes from.
    pub fn value_kind(&self, value: Value) -> ValueKind {
        self.values[value].kind
    }

    /// A value's type.
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }

    // ---- phis ---------------------------------------------------------------------------------

    /// Adds a phi to the end of a block's phis. Operands come later, in any order.
    pub fn add_phi(&mut self, block: Block, ty: Type) -> Value {
        let phi = self.push_value(ValueKind::Phi(block), ty);
        let data = &mut self.blocks[block];
        match data.last_phi.expand() {
            Some(last) => self.values[last].next_phi = phi.into(),
            None => data.first_phi = phi.into(),
        }
        data.last_phi = phi.into();
        phi
    }

    /// Adds an operand to a phi: one a predecessor, also where several edges come from it.
    pub fn add_phi_operand(&mut self, phi: Value, pred: Block, value: Value) {
        let node = self.operands.len() as u32;
        self.operands.push(OperandNode {
            operand: PhiOperand { pred, value },
            next: NIL,
        });
        let data = &mut self.values[phi];
        if data.last_operand == NIL {
            data.first_operand = node;
        } else {
            self.operands[data.last_operand as usize].next = node;
        }
        data.last_operand = node;
    }

    /// Replaces the operands of a phi.
    pub(crate) fn set_phi_operands(&mut self, phi: Value, operands: &[(Block, Value)]) {
        self.values[phi].first_operand = NIL;
        self.values[phi].last_operand = NIL;
        for &(pred, value) in operands {
            self.add_phi_operand(phi, pred, value);
        }
    }

    /// The phis of a block, in order.
    pub fn phis(&self, block: Block) -> Phis<'_> {
        Phis {
            func: self,
            next: self.blocks[block].first_phi,
        }
    }

    /// Whether a block starts with a phi.
    pub fn has_phis(&self, block: Block) -> bool {
        self.blocks[block].first_phi.is_some()
    }

    /// The operands of a phi, in the order in which they were added; none for another value.
    pub fn phi_operands(&self, phi: Value) -> PhiOperands<'_> {
        PhiOperands {
            func: self,
            next: self.values[phi].first_operand,
        }
    }

    // ---- instructions -------------------------------------------------------------------------

    /// Adds an instruction to the end of a block. Its results are contiguous values.
    pub fn append_inst(
        &mut self,
        block: Block,
        payload: u32,
        effects: Effects,
        uses: &[Value],
        result_types: &[Type],
    ) -> Inst {
        self.push_inst(
            block,
            InstKind::Client(payload),
            effects,
            uses,
            result_types,
        )
    }

    fn push_inst(
        &mut self,
        block: Block,
        kind: InstKind,
        effects: Effects,
        uses: &[Value],
        result_types: &[Type],
    ) -> Inst {
        let start = self.uses.len() as u32;
        self.uses.extend_from_slice(uses);
        let inst = self.insts.next_key();
        let first_result = self.values.len() as u32;
        for (index, &ty) in result_types.iter().enumerate() {
            self.push_value(
                ValueKind::Result {
                    inst,
                    index: index as u32,
                },
                ty,
            );
        }
        self.insts.push(InstData {
            kind,
            effects,
            block,
            next: None.into(),
            uses: (start, self.uses.len() as u32),
            first_result,
            results: result_types.len() as u32,
        });
        let data = &mut self.blocks[block];
        match data.last_inst.expand() {
            Some(last) => self.insts[last].next = inst.into(),
            None => data.first_inst = inst.into(),
        }
        data.last_inst = inst.into();
        inst
    }

    /// Adds a selector test to the end of a block and gives its boolean.
    pub fn append_selector_test(
        &mut self,
        block: Block,
        selector: Value,
        op: SelectorOp,
        constant: u32,
    ) -> Value {
        let kind = InstKind::SelectorTest { op, constant };
        let inst = self.push_inst(block, kind, Effects::NONE, &[selector], &[Type::BOOL]);
        Value::new(self.insts[inst].first_result as usize)
    }

    /// Adds an instruction before another one of its block, or to the end of the block. Takes as
    /// long as the block is.
    pub(crate) fn insert_inst(
        &mut self,
        block: Block,
        before: Option<Inst>,
        kind: InstKind,
        effects: Effects,
        uses: &[Value],
        types: &[Type],
    ) -> Inst {
        let first = before.map_or_else(Vec::new, |before| {
            self.insts(block)
                .skip_while(|&inst| inst != before)
                .take(1)
                .collect()
        });
        let Some(&before) = first.first() else {
            return self.push_inst(block, kind, effects, uses, types);
        };
        // The tail comes off, and on again behind the new instruction.
        let (last, previous) = (
            self.blocks[block].last_inst,
            self.insts(block).take_while(|&inst| inst != before).last(),
        );
        self.blocks[block].last_inst = previous.into();
        match previous {
            Some(previous) => self.insts[previous].next = None.into(),
            None => self.blocks[block].first_inst = None.into(),
        }
        let inst = self.push_inst(block, kind, effects, uses, types);
        self.insts[inst].next = before.into();
        self.blocks[block].last_inst = last;
        inst
    }

    /// Moves the instructions of a block from one on to the end of another block; none without that
    /// one.
    pub(crate) fn move_insts(&mut self, from: Block, first: Option<Inst>, to: Block) {
        let Some(first) = first else { return };
        let previous = self.insts(from).take_while(|&inst| inst != first).last();
        let last = self.blocks[from].last_inst;
        self.blocks[from].last_inst = previous.into();
        match previous {
            Some(previous) => self.insts[previous].next = None.into(),
            None => self.blocks[from].first_inst = None.into(),
        }
        match self.blocks[to].last_inst.expand() {
            Some(last) => self.insts[last].next = first.into(),
            None => self.blocks[to].first_inst = first.into(),
        }
        self.blocks[to].last_inst = last;
        let mut next = Some(first);
        while let Some(inst) = next {
            self.insts[inst].block = to;
            next = self.insts[inst].next.expand();
        }
    }

    /// Lets the phis of a block name another predecessor.
    pub(crate) fn rename_predecessor(&mut self, block: Block, from: Block, to: Block) {
        let mut phi = self.blocks[block].first_phi.expand();
        while let Some(value) = phi {
            let mut node = self.values[value].first_operand;
            while let Some(operand) = self.operands.get_mut(node as usize) {
                if operand.operand.pred == from {
                    operand.operand.pred = to;
                }
                node = operand.next;
            }
            phi = self.values[value].next_phi.expand();
        }
    }

    /// The instructions of a block, in order, without phis and terminator.
    pub fn insts(&self, block: Block) -> Insts<'_> {
        Insts {
            func: self,
            next: self.blocks[block].first_inst,
        }
    }

    /// Whether a block has neither phis nor instructions.
    pub fn is_empty_block(&self, block: Block) -> bool {
        let data = &self.blocks[block];
        data.first_phi.is_none() && data.first_inst.is_none()
    }

    /// What an instruction is.
    pub fn inst_kind(&self, inst: Inst) -> InstKind {
        self.insts[inst].kind
    }

    /// The payload of a client's instruction, `None` for one that the structurizer made.
    pub fn payload(&self, inst: Inst) -> Option<u32> {
        match self.insts[inst].kind {
            InstKind::Client(payload) => Some(payload),
            InstKind::SelectorTest { .. } => None,
        }
    }

    /// What an instruction does beside computing its results.
    pub fn effects(&self, inst: Inst) -> Effects {
        self.insts[inst].effects
    }

    /// The block that an instruction is in.
    pub fn inst_block(&self, inst: Inst) -> Block {
        self.insts[inst].block
    }

    /// The values that an instruction reads.
    pub fn uses(&self, inst: Inst) -> &[Value] {
        let (start, end) = self.insts[inst].uses;
        &self.uses[start as usize..end as usize]
    }

    pub(crate) fn uses_mut(&mut self, inst: Inst) -> &mut [Value] {
        let (start, end) = self.insts[inst].uses;
        &mut self.uses[start as usize..end as usize]
    }

    /// The results of an instruction: contiguous values.
    pub fn results(&self, inst: Inst) -> Results {
        let data = &self.insts[inst];
        Results {
            next: data.first_result,
            end: data.first_result + data.results,
        }
    }
}

/// The phis of a block. See [`Function::phis`].
#[derive(Clone, Debug)]
pub struct Phis<'a> {
    func: &'a Function,
    next: PackedOption<Value>,
}

impl Iterator for Phis<'_> {
    type Item = Value;
    fn next(&mut self) -> Option<Value> {
        let phi = self.next.expand()?;
        self.next = self.func.values[phi].next_phi;
        Some(phi)
    }
}

/// The operands of a phi. See [`Function::phi_operands`].
#[derive(Clone, Debug)]
pub struct PhiOperands<'a> {
    func: &'a Function,
    next: u32,
}

impl Iterator for PhiOperands<'_> {
    type Item = PhiOperand;
    fn next(&mut self) -> Option<PhiOperand> {
        let node = self.func.operands.get(self.next as usize)?;
        self.next = node.next;
        Some(node.operand)
    }
}

/// The instructions of a block. See [`Function::insts`].
#[derive(Clone, Debug)]
pub struct Insts<'a> {
    func: &'a Function,
    next: PackedOption<Inst>,
}

impl Iterator for Insts<'_> {
    type Item = Inst;
    fn next(&mut self) -> Option<Inst> {
        let inst = self.next.expand()?;
        self.next = self.func.insts[inst].next;
        Some(inst)
    }
}

/// The results of an instruction. See [`Function::results`].
#[derive(Clone, Debug)]
pub struct Results {
    next: u32,
    end: u32,
}

impl Iterator for Results {
    type Item = Value;
    fn next(&mut self) -> Option<Value> {
        (self.next < self.end).then(|| {
            self.next += 1;
            Value::new(self.next as usize - 1)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.end - self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Results {}
