//! Function bodies: instructions in the order in which they are appended.

use rspirv::spirv::{
    FunctionControl, GlslStd450Op as GLOp, Op, SelectionControl, StorageClass, Word,
};
use smallvec::SmallVec;

use super::Builder;
use super::table::{Key, Table};

impl Builder {
    /// Appends an instruction with a result to the current block. The operands are words: ids,
    /// enumerants and literals.
    pub(crate) fn op(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        self.mark_place();
        let id = self.id();
        self.code.push(op, [ty, id], operands);
        id
    }
    /// Looks up an instruction with a result of the current function: see [`Table::find`].
    pub(crate) fn find<T: Copy + Default>(
        &self,
        table: &mut Table<T>,
        (op, ty): (Op, Word),
        operands: &[Word],
    ) -> (usize, Option<(Word, T)>) {
        table.find(&self.code, &Key::new(op, Some(ty), operands))
    }
    /// Appends an instruction without a result.
    pub(crate) fn op_void(&mut self, op: Op, operands: &[Word]) {
        self.mark_place();
        self.code.push(op, [], operands);
    }
    /// Appends an `OpExtInst` of `GLSL.std.450`.
    pub(crate) fn ext(&mut self, op: GLOp, ty: Word, operands: &[Word]) -> Word {
        let set = self.glsl();
        self.mark_place();
        let id = self.id();
        self.code
            .push(Op::ExtInst, [ty, id, set, op as Word], operands);
        id
    }
    pub(crate) fn bitcast(&mut self, ty: Word, value: Word) -> Word {
        self.op(Op::Bitcast, ty, &[value])
    }
    /// Emits an instruction whose result is a word of 32 bits.
    pub(crate) fn word(&mut self, op: Op, operands: &[Word]) -> Word {
        let ty = self.ty_u32();
        self.op(op, ty, operands)
    }
    /// Emits a word from another one and a constant.
    pub(crate) fn word_with(&mut self, op: Op, word: Word, constant: u32) -> Word {
        let constant = self.const_u32(constant);
        self.word(op, &[word, constant])
    }
    /// Emits an instruction whose result is a scalar `bool`.
    pub(crate) fn flag(&mut self, op: Op, operands: &[Word]) -> Word {
        let ty = self.ty_bool();
        self.op(op, ty, operands)
    }
    /// Emits a comparison of a word with a constant.
    pub(crate) fn flag_with(&mut self, op: Op, word: Word, constant: u32) -> Word {
        let ty = self.ty_bool();
        let constant = self.const_u32(constant);
        self.op(op, ty, &[word, constant])
    }
    /// Returns the component `index` of a composite.
    pub(crate) fn extract(&mut self, ty: Word, composite: Word, index: u32) -> Word {
        self.op(Op::CompositeExtract, ty, &[composite, index])
    }
    /// Returns a vector (or other composite) of the parts; the part itself when there is one and
    /// `ty` is scalar by [`Builder::ty_vec`]'s rule.
    pub(crate) fn construct(&mut self, ty: Word, parts: &[Word]) -> Word {
        if let [only] = parts {
            *only
        } else {
            self.op(Op::CompositeConstruct, ty, parts)
        }
    }
    /// Emits a vector of scalars, or the only one.
    pub(crate) fn vector(&mut self, component: Word, parts: &[Word]) -> Word {
        let ty = self.ty_vec(component, parts.len() as u32);
        self.construct(ty, parts)
    }

    /// Returns a pointer to the part of type `ty` that indices lead to from the pointer `base`.
    pub(crate) fn access(
        &mut self,
        class: StorageClass,
        ty: Word,
        base: Word,
        indices: &[Word],
    ) -> Word {
        let ty = self.ty_ptr(class, ty);
        self.mark_place();
        let id = self.id();
        self.code.push(Op::AccessChain, [ty, id, base], indices);
        id
    }

    /// Appends an `OpPhi` with the given number of predecessors, whose operands
    /// [`Builder::set_phi`] sets. Returns its id and the position of its operands.
    pub(crate) fn phi(&mut self, ty: Word, predecessors: usize) -> (Word, usize) {
        let id = self.id();
        (
            id,
            self.code.push_open(Op::Phi, &[ty, id], 2 * predecessors),
        )
    }
    /// Sets operands `index` of the phi whose operands are at `phi`.
    pub(crate) fn set_phi(&mut self, phi: usize, index: usize, value: Word, predecessor: Word) {
        self.code.set(phi + 2 * index, value);
        self.code.set(phi + 2 * index + 1, predecessor);
    }
    /// Starts a function, and its first block; gives the ids of the parameters. Instructions that
    /// are appended before the first [`Builder::begin_block`] are in that block.
    pub(crate) fn begin_function(
        &mut self,
        id: Word,
        ret: Word,
        ty: Word,
        parameters: &[Word],
    ) -> Vec<Word> {
        self.code.push(
            Op::Function,
            [ret, id, FunctionControl::NONE.bits(), ty],
            &[],
        );
        let ids = parameters.iter().map(|&ty| {
            let id = self.next_id;
            self.next_id += 1;
            self.code.push(Op::FunctionParameter, [ty, id], &[]);
            id
        });
        let ids = ids.collect();
        self.reset_place();
        self.functions += 1;
        self.blocks = 0;
        self.entry = self.code.push_open(Op::Label, &[], 1);
        ids
    }
    /// Ends the current block with a branch; both ways meet at `merge`.
    pub(crate) fn branch_if(&mut self, condition: Word, [then, otherwise]: [Word; 2], merge: Word) {
        self.op_void(Op::SelectionMerge, &[merge, SelectionControl::NONE.bits()]);
        self.op_void(Op::BranchConditional, &[condition, then, otherwise]);
    }
    /// Starts a block.
    pub(crate) fn begin_block(&mut self, label: Word) {
        if self.blocks == 0 {
            self.code.set(self.entry, label);
        } else {
            self.code.push(Op::Label, [label], &[]);
            self.reset_place();
        }
        self.blocks += 1;
    }
    /// Ends the function: its last block has its terminator, and its phis are filled in.
    pub(crate) fn finish_function(&mut self) {
        self.code.insert(self.entry + 1, &mut self.locals);
        self.code.push(Op::FunctionEnd, [], &[]);
    }
    /// Identifies the current block: the numbers of its function and block, from 1 on.
    pub(crate) fn block_number(&self) -> (usize, usize) {
        (self.functions, self.blocks)
    }
    /// Returns the position of the next instruction of the body.
    pub(crate) fn position(&self) -> usize {
        self.code.position()
    }
    /// Results of the instructions from `start` on whose opcode is one of `ops`.
    pub(crate) fn results_since(&self, start: usize, ops: &[Op]) -> SmallVec<[Word; 4]> {
        let made = self
            .code
            .since(start)
            .filter(|(op, _)| ops.iter().any(|&o| o as Word == *op));
        made.filter_map(|(_, words)| words.get(2).copied())
            .collect()
    }
    /// Results of a type of the instructions from `start` on.
    pub(crate) fn results_of(&self, start: usize, ty: Word) -> SmallVec<[Word; 4]> {
        let made = self.code.since(start).map(|(_, words)| words);
        let made = made.filter(|words| words.get(1) == Some(&ty));
        made.filter_map(|words| words.get(2).copied()).collect()
    }
}
