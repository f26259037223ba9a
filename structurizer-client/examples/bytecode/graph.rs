//! The bytecode as a graph for clients with variables: a block per operation, and one for the end.

use trellis_structurizer::ir::{Block, Effects};
use trellis_structurizer_client::{ControlFlow, Terminator};

use super::bytecode::Op;

/// A program. The number of a condition is the index of its operation.
pub(crate) struct Graph<'a>(pub(crate) &'a [Op]);

impl ControlFlow for Graph<'_> {
    fn num_blocks(&self) -> usize {
        self.0.len() + 1
    }

    fn terminator(&self, block: Block) -> Terminator<u32> {
        let at = block.as_u32();
        let to = |at: usize| Block::from_u32(at as u32);
        let next = Block::from_u32(at + 1);
        match self.0.get(at as usize) {
            None => Terminator::Return(None),
            Some(Op::Goto(target)) => Terminator::Goto(to(*target)),
            Some(Op::IfLess(_, _, target)) => Terminator::Branch {
                condition: at,
                then: to(*target),
                else_: next,
            },
            Some(Op::Switch(_, targets)) => Terminator::Switch {
                value: at,
                default: next,
                cases: (0..)
                    .zip(targets.iter().map(|&target| to(target)))
                    .collect(),
            },
            Some(Op::Set(..) | Op::Add(..) | Op::Print(_)) => Terminator::Goto(next),
        }
    }

    fn effects(&self, block: Block) -> Effects {
        match self.0.get(block.as_u32() as usize) {
            Some(Op::Set(..) | Op::Add(..) | Op::Print(_)) => Effects::SIDE_EFFECT,
            _ => Effects::NONE,
        }
    }
}
