//! Instructions of a [`Function`]: a linked list per block.

use trellis_entity::{EntityRef, PackedOption};

use super::{Definition, Function, InstData};
use crate::ir::{Block, Effects, Inst, InstKind, SelectorOp, Type, Value};

impl Function {
    /// Returns the number of instructions.
    pub fn num_insts(&self) -> usize {
        self.insts.len()
    }

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
                Definition::Result {
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
            size: 1,
        });
        let data = &mut self.blocks[block];
        match data.last_inst.expand() {
            Some(last) => self.insts[last].next = inst.into(),
            None => data.first_inst = inst.into(),
        }
        data.last_inst = inst.into();
        inst
    }

    /// Adds a selector test to the end of a block and returns its boolean result.
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

    /// Adds a select to the end of a block and returns its result, of the type of the last two values:
    /// the second value if the first, a condition, is true, and the third if it is false.
    pub fn append_select(&mut self, block: Block, uses: [Value; 3], ty: Type) -> Value {
        let inst = self.push_inst(block, InstKind::Select, Effects::NONE, &uses, &[ty]);
        Value::new(self.insts[inst].first_result as usize)
    }

    /// Adds a select to the end of a block, whose result is a value that was a phi, and is no
    /// longer in a block's list.
    pub(crate) fn make_select_of_phi(&mut self, phi: Value, block: Block, uses: [Value; 3]) {
        let inst = self.push_inst(block, InstKind::Select, Effects::NONE, &uses, &[]);
        self.values[phi].definition = Definition::Result { inst, index: 0 };
        let data = &mut self.insts[inst];
        (data.first_result, data.results) = (phi.as_u32(), 1);
    }

    /// Inserts an instruction before another one, in its block. Its results are contiguous values.
    /// Linear in the number of instructions of the block.
    pub fn insert_inst(
        &mut self,
        before: Inst,
        payload: u32,
        effects: Effects,
        uses: &[Value],
        result_types: &[Type],
    ) -> Inst {
        let block = self.insts[before].block;
        let last = self.cut_before(before);
        let inst = self.append_inst(block, payload, effects, uses, result_types);
        self.insts[inst].next = before.into();
        self.blocks[block].last_inst = last;
        inst
    }

    /// Moves an instruction and all after it in its block to the end of another block. Linear in the
    /// number of instructions of the block.
    pub fn move_insts(&mut self, first: Inst, to: Block) {
        let last = self.cut_before(first);
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

    /// Ends the list of a block before an instruction of it. Returns the last instruction of the
    /// list that is cut off.
    fn cut_before(&mut self, inst: Inst) -> PackedOption<Inst> {
        let block = self.insts[inst].block;
        let previous = self.insts(block).take_while(|&other| other != inst).last();
        match previous {
            Some(previous) => self.insts[previous].next = None.into(),
            None => self.blocks[block].first_inst = None.into(),
        }
        core::mem::replace(&mut self.blocks[block].last_inst, previous.into())
    }

    /// Returns the instructions of a block, in order, without phis and terminator.
    pub fn insts(&self, block: Block) -> Insts<'_> {
        Insts {
            func: self,
            next: self.blocks[block].first_inst,
        }
    }

    /// Returns the kind of an instruction.
    pub fn inst_kind(&self, inst: Inst) -> InstKind {
        self.insts[inst].kind
    }

    /// Returns the payload of a client's instruction, `None` for one that the structurizer made.
    pub fn payload(&self, inst: Inst) -> Option<u32> {
        match self.insts[inst].kind {
            InstKind::Client(payload) => Some(payload),
            InstKind::SelectorTest { .. } | InstKind::Select => None,
        }
    }

    /// Returns the effects of an instruction in addition to computing its results.
    pub fn effects(&self, inst: Inst) -> Effects {
        self.insts[inst].effects
    }

    /// Sets the [size](Self::size) of an instruction.
    pub fn set_size(&mut self, inst: Inst, size: u32) {
        self.insts[inst].size = size;
    }

    /// Returns how many instructions an instruction counts as where a stage compares lengths of
    /// code ([`Options::max_break_path`](crate::Options::max_break_path)): 1, unless a client whose
    /// instruction represents a sequence has set the sequence's length.
    pub fn size(&self, inst: Inst) -> u32 {
        self.insts[inst].size
    }

    /// Returns the block that an instruction is in.
    pub fn inst_block(&self, inst: Inst) -> Block {
        self.insts[inst].block
    }

    /// Returns the values that an instruction reads.
    pub fn uses(&self, inst: Inst) -> &[Value] {
        let (start, end) = self.insts[inst].uses;
        &self.uses[start as usize..end as usize]
    }

    pub(crate) fn uses_mut(&mut self, inst: Inst) -> &mut [Value] {
        let (start, end) = self.insts[inst].uses;
        &mut self.uses[start as usize..end as usize]
    }

    /// Returns the results of an instruction: contiguous values.
    pub fn results(&self, inst: Inst) -> Results {
        let data = &self.insts[inst];
        Results {
            next: data.first_result,
            end: data.first_result + data.results,
        }
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
