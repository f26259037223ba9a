//! Instructions that are emitted once: where the same operation on the same operands was emitted in a block that
//! dominates the current one, its result is used again. Drivers find these, too, but read and compare each
//! first.

use rspirv::spirv::{Op, Word};
use trellis_structurizer::analysis::ForwardDominators;
use trellis_structurizer::ir::{self, Block};

use super::FunctionBuilder;
use crate::module::Table;

/// The results of the current function.
#[derive(Default)]
pub(crate) struct Numbering {
    /// The block that is emitted; none before the first and after the last one.
    block: Option<Block>,
    /// The number that [`Builder::block_number`](crate::module::Builder::block_number) has in it. Operations may
    /// emit blocks of SPIR-V in it, which dominate nothing after them.
    number: (usize, usize),
    /// The instructions, with the number of the block that each is in.
    known: Table<u32>,
    /// Found when they are needed.
    dominators: Option<ForwardDominators<Block>>,
}

impl Numbering {
    /// Starts a block.
    pub(crate) fn begin_block(&mut self, block: Block, number: (usize, usize)) {
        self.block = Some(block);
        self.number = number;
    }

    fn dominates(&mut self, (func, order): (&ir::Function, &[Block]), a: Block, b: Block) -> bool {
        let find = || ForwardDominators::of(func, order);
        self.dominators.get_or_insert_with(find).dominates(a, b)
    }
}

impl FunctionBuilder<'_> {
    /// Returns the result of an operation that depends on its operands alone.
    pub(crate) fn once(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        let number = self.b.block_number();
        let Some(block) = self
            .numbering
            .block
            .filter(|_| number.0 == self.numbering.number.0)
        else {
            return self.b.op(op, ty, operands);
        };
        let (slot, known) = self.b.find(&mut self.numbering.known, (op, ty), operands);
        let graph = (self.context.structured, self.context.order);
        if let Some((id, at)) = known
            && (at == block.as_u32() || self.numbering.dominates(graph, Block::from_u32(at), block))
        {
            return id;
        }
        self.b.mark_place();
        let position = self.b.position();
        let id = self.b.op(op, ty, operands);
        if number == self.numbering.number {
            self.numbering.known.set(slot, position, block.as_u32());
        }
        id
    }

    /// Returns the result of an integer operation on two words, as [`FunctionBuilder::once`].
    pub(crate) fn word_op(&mut self, op: Op, operands: [Word; 2]) -> Word {
        let word = self.b.ty_u32();
        self.once(op, word, &operands)
    }
}
