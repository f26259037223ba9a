//! A function of the module as the structurizer sees it: values and blocks have the module's ids and
//! the order of the function.
//!
//! Values of the module level, parameters and variables are available everywhere.

use rspirv::spirv::{Op, SelectionControl};
use rustc_hash::FxHashSet;
use trellis_structurizer::ir::{Block, Effects, LoopHint, SelectionHint, Type};
use trellis_structurizer_client::{ControlFlow, Ssa, Terminator};

use crate::Error;
use crate::body::{self, Body};
use crate::convergence;
use crate::module::{Module, Raw};

/// A block that does not exist.
const NO_BLOCK: Block = Block::from_u32(u32::MAX - 1);

/// A function of the module.
pub(crate) struct Client<'a> {
    pub(crate) module: &'a Module<'a>,
    pub(crate) body: &'a Body,
    pub(crate) convergent: &'a FxHashSet<u32>,
}

impl Client<'_> {
    /// Checks names, and the order of definitions and uses inside of blocks, which the structurizer
    /// does not see.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Self { module, body, .. } = self;
        body.successors(module)?;
        for block in &body.blocks {
            for &inst in &block.insts {
                let later = inst..=block.terminator;
                let is_later = |id: u32| body.local(id).is_some_and(|of| later.contains(&of));
                if let Some(id) = body.uses(inst).find(|&id| is_later(id)) {
                    return Err(Error::NotDefined { id });
                }
            }
            for &inst in block.phis.iter().chain([&block.terminator]) {
                let is_known =
                    |id: u32| body.type_of(module, id).is_some() || body.block_of.contains_key(&id);
                if let Some(id) = body.uses(inst).find(|&id| !is_known(id)) {
                    return Err(Error::NotDefined { id });
                }
            }
        }
        Ok(())
    }

    /// Returns an error with the ids of the module.
    pub(crate) fn error(&self, function: u32, error: trellis_structurizer_client::Error) -> Error {
        use trellis_structurizer_client::Error as E;
        match error {
            E::NotDominated { value: id, .. } => Error::NotDefined { id },
            E::RepeatedLiteral { block, literal } => Error::RepeatedLiteral {
                block: self.block(block).label,
                literal,
            },
            error => Error::Structurizer { function, error },
        }
    }

    fn block(&self, block: Block) -> &body::Block {
        &self.body.blocks[block.as_u32() as usize]
    }

    /// Returns the block with a label.
    fn target(&self, label: u32) -> Block {
        let index = self.body.block_of.get(&label);
        index.map_or(NO_BLOCK, |&index| Block::from_u32(index as u32))
    }

    /// Returns the instructions of a block, with a terminator that reads values as a call does.
    fn insts(&self, block: Block) -> impl Iterator<Item = usize> {
        let of = self.block(block);
        let end = match self.terminator(block) {
            Terminator::Exit(_) => Some(of.terminator).filter(|&at| self.has_locals(at)),
            _ => None,
        };
        of.insts.iter().copied().chain(end)
    }

    fn has_locals(&self, inst: usize) -> bool {
        let mut uses = self.body.uses(inst);
        uses.any(|id| self.body.local(id).is_some())
    }

    /// Returns the `OpLoopMerge` or `OpSelectionMerge` of a block.
    fn merge(&self, block: Block, op: Op) -> Option<usize> {
        let merge = self.block(block).merge;
        merge.filter(|&merge| self.body.insts[merge].op == op)
    }
}

impl ControlFlow for Client<'_> {
    fn num_blocks(&self) -> usize {
        self.body.blocks.len()
    }

    fn terminator(&self, block: Block) -> Terminator<u32> {
        let at = self.block(block).terminator;
        let word = |offset| self.body.word(at, offset);
        let target = |offset| self.target(word(offset));
        match self.body.insts[at].op {
            Op::Branch => Terminator::Goto(target(1)),
            Op::BranchConditional => Terminator::Branch {
                condition: word(1),
                then: target(2),
                else_: target(3),
            },
            Op::Switch => Terminator::Switch {
                value: word(1),
                default: target(2),
                cases: { self.body.cases(self.module, at).into_iter() }
                    .map(|(literal, label)| (literal, self.target(label)))
                    .collect(),
            },
            Op::Return => Terminator::Return(None),
            Op::ReturnValue => Terminator::Return(Some(word(1))),
            Op::Unreachable => Terminator::Unreachable,
            _ => Terminator::Exit(block.as_u32()),
        }
    }

    fn effects(&self, block: Block) -> Effects {
        self.insts(block).fold(Effects::NONE, |all, index| {
            let inst = &self.body.insts[index];
            let raw = Raw {
                at: 0,
                opcode: inst.op as u32,
                words: self.body.words_of(index),
            };
            let effects = match inst.result {
                Some(_) => Effects::NONE,
                None => Effects::SIDE_EFFECT,
            };
            match convergence::is_convergent(raw, self.convergent) {
                true => all | effects | Effects::CONVERGENT,
                false => all | effects,
            }
        })
    }

    fn size(&self, block: Block) -> u32 {
        self.insts(block).count() as u32
    }

    fn loop_merge(&self, header: Block) -> Option<Block> {
        let merge = self.merge(header, Op::LoopMerge)?;
        Some(self.target(self.body.word(merge, 1)))
    }

    /// The structurizer only keeps the hint: the number is the index of `OpLoopMerge`, whose control is
    /// written again.
    fn loop_hint(&self, header: Block) -> LoopHint {
        let merge = self.merge(header, Op::LoopMerge);
        let merge = merge.filter(|&merge| self.body.word(merge, 3) != 0);
        merge.map_or(LoopHint::None, |merge| LoopHint::UnrollCount(merge as u32))
    }

    fn selection_hint(&self, block: Block) -> SelectionHint {
        let merge = self.merge(block, Op::SelectionMerge);
        let control = merge.map_or(0, |merge| self.body.word(merge, 2));
        let control = SelectionControl::from_bits_truncate(control);
        if control.contains(SelectionControl::FLATTEN) {
            SelectionHint::Flatten
        } else if control.contains(SelectionControl::DONT_FLATTEN) {
            SelectionHint::DontFlatten
        } else {
            SelectionHint::None
        }
    }
}

impl Ssa for Client<'_> {
    fn phis(&self, block: Block) -> Vec<(u32, Vec<(Block, u32)>)> {
        let phis = self.block(block).phis.iter().filter_map(|&phi| {
            let words = self.body.words_of(phi);
            let operands = words[3..].chunks_exact(2);
            let operands = operands.map(|operand| (self.target(operand[1]), operand[0]));
            Some((self.body.insts[phi].result?, operands.collect()))
        });
        phis.collect()
    }

    fn definitions(&self, block: Block) -> Vec<u32> {
        let insts = self.block(block).insts.iter();
        let typed = insts.map(|&inst| &self.body.insts[inst]);
        let typed = typed.filter(|inst| inst.ty.is_some());
        typed.filter_map(|inst| inst.result).collect()
    }

    fn uses(&self, block: Block) -> Vec<u32> {
        let uses = self.insts(block).flat_map(|inst| self.body.uses(inst));
        uses.filter(|&id| self.body.local(id).is_some()).collect()
    }

    fn ty(&self, value: u32) -> Type {
        Type(self.body.type_of(self.module, value).unwrap_or(0))
    }
}
