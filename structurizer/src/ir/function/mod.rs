//! A function: pools of blocks, instructions and values, linked by indices.
//!
//! The instructions and phis of a block, and the operands of a phi, are singly linked lists inside
//! the pools (operand lists are circular, so that a phi has one link), so that appending takes
//! constant time and allocates nothing but the pools' growth. Inserting before an instruction is
//! linear in the length of its block. The text form and the well-formedness check are elsewhere
//! ([`text`](crate::text), [`check`](super::check)).

mod blocks;
mod insts;
mod phis;
mod values;

use alloc::vec::Vec;

use trellis_entity::{PackedOption, PrimaryMap};

use super::{Block, Case, Effects, Inst, InstKind, LoopHint, Terminator, Type, Value, ValueKind};
use crate::maps::FxHashMap;

pub use insts::{Insts, Results};
pub use phis::{PhiOperands, Phis};

/// End of a list of phi operands.
const NIL: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct BlockData {
    first_phi: PackedOption<Value>,
    last_phi: PackedOption<Value>,
    first_inst: PackedOption<Inst>,
    last_inst: PackedOption<Inst>,
    terminator: Option<Terminator>,
    is_uniform: bool,
    loop_hint: LoopHint,
    /// The header of the loop to whose convergence region the block belongs.
    region: PackedOption<Block>,
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
    /// See [`Function::size`].
    size: u32,
}

#[derive(Clone, Copy, Debug)]
struct ValueData {
    ty: Type,
    definition: Definition,
}

/// As [`ValueKind`], with the links of phis.
#[derive(Clone, Copy, Debug)]
enum Definition {
    Constant(u32),
    SelectorConstant(u32),
    BoolConstant(bool),
    Undef,
    Result { inst: Inst, index: u32 },
    Phi(PhiData),
}

#[derive(Clone, Copy, Debug)]
struct PhiData {
    block: Block,
    /// The next phi of the block.
    next: PackedOption<Value>,
    /// The last of the operands in the operand pool, or [`NIL`]; the first one follows it.
    last_operand: u32,
}

impl From<Definition> for ValueKind {
    #[inline]
    fn from(definition: Definition) -> Self {
        match definition {
            Definition::Constant(payload) => Self::Constant { payload },
            Definition::SelectorConstant(number) => Self::SelectorConstant(number),
            Definition::BoolConstant(is_true) => Self::BoolConstant(is_true),
            Definition::Undef => Self::Undef,
            Definition::Result { inst, index } => Self::Result { inst, index },
            Definition::Phi(phi) => Self::Phi(phi.block),
        }
    }
}

/// One operand of a phi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhiOperand {
    /// The predecessor that control comes from.
    pub pred: Block,
    /// The value that the phi then has.
    pub value: Value,
}

/// An operand in a circular list.
#[derive(Clone, Copy, Debug)]
struct OperandNode {
    operand: PhiOperand,
    next: u32,
}

/// A function as a graph of blocks. The first block is the entry.
///
/// Blocks, instructions and values are numbered in the order in which they are added; nothing is
/// allocated per block or instruction apart from the growth of the pools.
#[derive(Debug, Default)]
pub struct Function {
    blocks: PrimaryMap<Block, BlockData>,
    insts: PrimaryMap<Inst, InstData>,
    values: PrimaryMap<Value, ValueData>,
    uses: Vec<Value>,
    operands: Vec<OperandNode>,
    cases: Vec<Case>,
    undefs: Vec<(Type, Value)>,
    selector_constants: FxHashMap<u32, Value>,
    bool_constants: Vec<(Type, bool, Value)>,
    /// See [`Function::hole`].
    holes: Vec<(Type, Value)>,
}

impl Clone for Function {
    fn clone(&self) -> Self {
        let mut func = Self::default();
        func.clone_from(self);
        func
    }

    /// Copies the other function into the memory of this one.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            blocks,
            insts,
            values,
            uses,
            operands,
            cases,
            undefs,
            selector_constants,
            bool_constants,
            holes,
        } = self;
        blocks.clone_from(&source.blocks);
        insts.clone_from(&source.insts);
        values.clone_from(&source.values);
        uses.clone_from(&source.uses);
        operands.clone_from(&source.operands);
        cases.clone_from(&source.cases);
        undefs.clone_from(&source.undefs);
        selector_constants.clone_from(&source.selector_constants);
        bool_constants.clone_from(&source.bool_constants);
        holes.clone_from(&source.holes);
    }
}

impl Function {
    /// Returns an empty function.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty function with capacity for the given numbers of blocks, instructions and
    /// values.
    pub fn with_capacity(blocks: usize, insts: usize, values: usize) -> Self {
        Self {
            blocks: PrimaryMap::with_capacity(blocks),
            insts: PrimaryMap::with_capacity(insts),
            values: PrimaryMap::with_capacity(values),
            uses: Vec::with_capacity(insts * 2),
            ..Self::default()
        }
    }

    /// Removes everything and keeps the memory, for another function.
    pub fn clear(&mut self) {
        let Self {
            blocks,
            insts,
            values,
            uses,
            operands,
            cases,
            undefs,
            selector_constants,
            bool_constants,
            holes,
        } = self;
        blocks.clear();
        insts.clear();
        values.clear();
        uses.clear();
        operands.clear();
        cases.clear();
        undefs.clear();
        selector_constants.clear();
        bool_constants.clear();
        holes.clear();
    }

    /// Reserves memory for the given total numbers of blocks, instructions and values, as
    /// [`Function::with_capacity`] does.
    pub fn reserve(&mut self, blocks: usize, insts: usize, values: usize) {
        self.blocks
            .reserve(blocks.saturating_sub(self.blocks.len()));
        self.insts.reserve(insts.saturating_sub(self.insts.len()));
        self.values
            .reserve(values.saturating_sub(self.values.len()));
        let uses = insts * 2;
        self.uses.reserve(uses.saturating_sub(self.uses.len()));
    }

    /// Frees memory that nothing was added in.
    pub fn shrink_to_fit(&mut self) {
        let Self {
            blocks,
            insts,
            values,
            uses,
            operands,
            cases,
            undefs,
            selector_constants,
            bool_constants,
            holes,
        } = self;
        blocks.shrink_to_fit();
        insts.shrink_to_fit();
        values.shrink_to_fit();
        uses.shrink_to_fit();
        operands.shrink_to_fit();
        cases.shrink_to_fit();
        undefs.shrink_to_fit();
        selector_constants.shrink_to_fit();
        bool_constants.shrink_to_fit();
        holes.shrink_to_fit();
    }

    /// Returns the number of entries of the pools: blocks, cases of switches, instructions and
    /// their operands, values, and operands of phis, including removed ones. The memory of a
    /// function is linear in it.
    pub fn num_entries(&self) -> usize {
        let of_blocks = self.blocks.len() + self.cases.len();
        let of_insts = self.insts.len() + self.uses.len();
        of_blocks + of_insts + self.values.len() + self.operands.len()
    }
}
