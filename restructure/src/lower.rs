//! A function of the structurizer for a function of the module.
//!
//! Instructions are opaque, with their index in [`Body::insts`] as payload. Values of the module level,
//! parameters and variables are available everywhere: only phis and terminators see them, as constants.

use rspirv::spirv::{Op, SelectionControl};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_structurizer::ir::{
    Block, Effects, Function, LoopHint, SelectionHint, Terminator, Type, Value,
};

use crate::Error;
use crate::body::{Body, is_terminator};
use crate::convergence;
use crate::module::{Module, Raw};
use crate::regions;

/// A function of the structurizer, and what its parts are in the module.
pub(crate) struct Lowered {
    pub(crate) func: Function,
    pub(crate) ids: Ids,
}

/// The ids of the input.
pub(crate) struct Ids {
    /// Of each value; 0 for one without.
    pub(crate) of_value: Vec<u32>,
    /// The index in [`Body::blocks`] of each block.
    pub(crate) of_block: Vec<usize>,
}

/// Makes the function. Blocks that the entry does not reach are omitted, with the operands of phis for
/// them.
pub(crate) fn lower(
    module: &Module<'_>,
    body: &Body,
    convergent: &FxHashSet<u32>,
) -> Result<Lowered, Error> {
    let successors = body.successors(module)?;
    let order = Body::reverse_post_order(&successors);
    let mut blocks = vec![None; body.blocks.len()];
    for &index in &order {
        blocks[index] = Some(());
    }
    let mut func = Function::new();
    let blocks: Vec<Option<Block>> = (blocks.into_iter())
        .map(|reached| reached.map(|()| func.add_block()))
        .collect();
    let of_block = (0..blocks.len()).filter(|&i| blocks[i].is_some()).collect();
    let mut lowering = Lowering {
        module,
        body,
        convergent,
        func,
        blocks,
        values: FxHashMap::default(),
        of_value: Vec::new(),
        convergent_blocks: Vec::new(),
    };
    // A definition dominates its uses, so that it comes before them.
    for &index in &order {
        lowering.block(index)?;
    }
    for &index in &order {
        lowering.phi_operands(index)?;
    }
    let loops = lowering.loops(&order);
    let Lowering {
        mut func,
        of_value,
        mut convergent_blocks,
        ..
    } = lowering;
    convergent_blocks.dedup();
    regions::set(&mut func, &loops, &convergent_blocks);
    let ids = Ids { of_value, of_block };
    Ok(Lowered { func, ids })
}

struct Lowering<'a> {
    module: &'a Module<'a>,
    body: &'a Body,
    convergent: &'a FxHashSet<u32>,
    func: Function,
    blocks: Vec<Option<Block>>,
    values: FxHashMap<u32, Value>,
    of_value: Vec<u32>,
    convergent_blocks: Vec<Block>,
}

impl Lowering<'_> {
    fn block(&mut self, index: usize) -> Result<(), Error> {
        let body = self.body;
        let Some(block) = self.blocks[index] else {
            return Ok(());
        };
        let of = &body.blocks[index];
        for &phi in &of.phis {
            let inst = &body.insts[phi];
            if let (Some(ty), Some(id)) = (inst.ty, inst.result) {
                let value = self.func.add_phi(block, Type(ty));
                self.define(id, value);
            }
        }
        for &inst in &of.insts {
            self.inst(block, inst)?;
        }
        self.end(index, block)
    }

    fn define(&mut self, id: u32, value: Value) {
        let index = value.as_u32() as usize;
        if self.of_value.len() <= index {
            self.of_value.resize(index + 1, 0);
        }
        self.of_value[index] = id;
        self.values.insert(id, value);
    }

    /// Adds an instruction to the end of a block.
    fn inst(&mut self, block: Block, index: usize) -> Result<(), Error> {
        let body = self.body;
        let mut uses = Vec::new();
        for id in body.uses(index).filter(|&id| body.local(id).is_some()) {
            let value = self.values.get(&id).copied();
            uses.push(value.ok_or(Error::NotDefined { id })?);
        }
        let inst = &body.insts[index];
        let raw = Raw {
            at: 0,
            opcode: inst.op as u32,
            words: body.words_of(index),
        };
        let mut effects = match inst.result {
            Some(_) => Effects::NONE,
            None => Effects::SIDE_EFFECT,
        };
        if convergence::is_convergent(raw, self.convergent) {
            effects |= Effects::CONVERGENT;
            self.convergent_blocks.push(block);
        }
        let ty = inst.ty.filter(|_| inst.result.is_some()).map(Type);
        let added = (self.func).append_inst(block, index as u32, effects, &uses, ty.as_slice());
        let value = self.func.results(added).next();
        if let (Some(id), Some(value)) = (inst.result, value) {
            self.define(id, value);
        }
        Ok(())
    }

    /// Returns the value that a phi or terminator reads.
    fn value(&mut self, id: u32) -> Result<Value, Error> {
        if let Some(&value) = self.values.get(&id) {
            return Ok(value);
        }
        let ty = self.body.type_of(self.module, id);
        let ty = ty.filter(|_| self.body.local(id).is_none());
        let ty = ty.ok_or(Error::NotDefined { id })?;
        let value = self.func.add_constant(id, Type(ty));
        self.define(id, value);
        Ok(value)
    }

    /// Returns the block with a label, which the entry reaches.
    fn target(&self, id: u32) -> Result<Block, Error> {
        let index = self.body.block_of.get(&id);
        let block = index.and_then(|&index| self.blocks[index]);
        block.ok_or(Error::NoBlock { id })
    }

    fn end(&mut self, index: usize, block: Block) -> Result<(), Error> {
        let body = self.body;
        let of = &body.blocks[index];
        let at = of.terminator;
        let hint = of.merge.map_or(0, |merge| match body.insts[merge].op {
            Op::SelectionMerge => body.word(merge, 2),
            _ => 0,
        });
        let hint = SelectionControl::from_bits_truncate(hint);
        let hint = if hint.contains(SelectionControl::FLATTEN) {
            SelectionHint::Flatten
        } else if hint.contains(SelectionControl::DONT_FLATTEN) {
            SelectionHint::DontFlatten
        } else {
            SelectionHint::None
        };
        if let Some(merge) = of.merge
            && body.insts[merge].op == Op::LoopMerge
            && body.word(merge, 3) != 0
        {
            // The structurizer only keeps the hint: the number is the index of `OpLoopMerge`, whose control is
            // written again.
            (self.func).set_loop_hint(block, LoopHint::UnrollCount(merge as u32));
        }
        let terminator = match body.insts[at].op {
            Op::Branch => Terminator::Branch(self.target(body.word(at, 1))?),
            Op::BranchConditional => Terminator::CondBranch {
                cond: self.value(body.word(at, 1))?,
                then: self.target(body.word(at, 2))?,
                else_: self.target(body.word(at, 3))?,
                hint,
            },
            Op::Switch => {
                let mut cases = Vec::new();
                let mut literals = FxHashSet::default();
                for (literal, to) in body.cases(self.module, at) {
                    if !literals.insert(literal) {
                        return Err(Error::RepeatedLiteral {
                            block: of.label,
                            literal,
                        });
                    }
                    cases.push((literal, self.target(to)?));
                }
                Terminator::Switch {
                    value: self.value(body.word(at, 1))?,
                    default: self.target(body.word(at, 2))?,
                    cases: self.func.add_cases(&cases),
                    hint,
                }
            }
            Op::Return => Terminator::Return(None),
            Op::ReturnValue => Terminator::Return(Some(self.value(body.word(at, 1))?)),
            Op::Unreachable => Terminator::Unreachable,
            op => {
                debug_assert!(is_terminator(op));
                if body.uses(at).any(|id| body.local(id).is_some()) {
                    self.inst(block, at)?;
                }
                Terminator::Exit(at as u32)
            }
        };
        self.func.set_terminator(block, terminator);
        Ok(())
    }

    fn phi_operands(&mut self, index: usize) -> Result<(), Error> {
        let body = self.body;
        for &phi in &body.blocks[index].phis {
            let result = body.insts[phi].result;
            let Some(value) = result.and_then(|id| self.values.get(&id).copied()) else {
                continue;
            };
            for operand in body.words_of(phi)[3..].chunks_exact(2) {
                let &[id, label] = operand else { continue };
                let pred = (body.block_of.get(&label)).ok_or(Error::NoBlock { id: label })?;
                if let Some(pred) = self.blocks[*pred] {
                    let operand = self.value(id)?;
                    self.func.add_phi_operand(value, pred, operand);
                }
            }
        }
        Ok(())
    }

    /// Returns the loop headers of the input with their merge blocks.
    fn loops(&self, order: &[usize]) -> Vec<(Block, Option<Block>)> {
        let body = self.body;
        let mut loops = Vec::new();
        for &index in order {
            if let (Some(block), Some(merge)) = (self.blocks[index], body.blocks[index].merge)
                && body.insts[merge].op == Op::LoopMerge
            {
                loops.push((block, self.target(body.word(merge, 1)).ok()));
            }
        }
        loops
    }
}
