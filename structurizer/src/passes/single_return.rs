//! Single return: the blocks that return lead to one block that does.

use alloc::vec;
use alloc::vec::Vec;

use crate::entity::{EntityRef, PrimaryMap};
use crate::ir::{Block, Function, Terminator, Type, Value};

/// Makes a single return block, with a phi of the values: one per type of value, which is one per
/// function. Linear in the function.
pub(crate) fn run(func: &mut Function) {
    let mut returns: Vec<(Option<Type>, Block, Option<Value>)> = Vec::new();
    let mut reached: PrimaryMap<Block, bool> = PrimaryMap::with_len(func.num_blocks());
    let mut stack = vec![Block::new(0)];
    reached[Block::new(0)] = true;
    while let Some(block) = stack.pop() {
        if let Terminator::Return(value) = func.term(block) {
            returns.push((value.map(|value| func.value_type(value)), block, value));
        }
        for to in func.successors(block) {
            if !core::mem::replace(&mut reached[to], true) {
                stack.push(to);
            }
        }
    }
    returns.sort_unstable_by_key(|r| (r.0.map(|ty| ty.0), r.1));
    for list in returns
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|list| list.len() > 1)
    {
        let end = func.add_block();
        let phi = list[0].0.map(|ty| func.add_phi(end, ty));
        for &(_, block, value) in list {
            func.set_terminator(block, Terminator::Branch(end));
            if let (Some(phi), Some(value)) = (phi, value) {
                func.add_phi_operand(phi, block, value);
            }
        }
        func.set_terminator(end, Terminator::Return(phi));
    }
}
