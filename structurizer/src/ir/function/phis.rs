//! Phis of a [`Function`]: a linked list per block, and a linked list of operands per phi.

use trellis_entity::PackedOption;

use super::{Function, NIL, OperandNode, PhiOperand};
use crate::ir::{Block, Type, Value, ValueKind};

impl Function {
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

    /// Adds an operand to a phi: one per predecessor, also where several edges come from it.
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

    /// Removes the operands of a phi for some predecessors.
    pub(crate) fn remove_phi_operands(&mut self, phi: Value, removes: impl Fn(Block) -> bool) {
        // Nodes are unlinked in place: new ones for what is kept would take memory for each removal.
        let mut node = core::mem::replace(&mut self.values[phi].first_operand, NIL);
        let mut last = NIL;
        while let Some(&OperandNode { operand, next }) = self.operands.get(node as usize) {
            if !removes(operand.pred) {
                match self.operands.get_mut(last as usize) {
                    Some(previous) => previous.next = node,
                    None => self.values[phi].first_operand = node,
                }
                last = node;
            }
            node = next;
        }
        if let Some(previous) = self.operands.get_mut(last as usize) {
            previous.next = NIL;
        }
        self.values[phi].last_operand = last;
    }

    /// Removes the phis of a block for which `keep` returns false. Their values stay valid.
    pub(crate) fn retain_phis(&mut self, block: Block, mut keep: impl FnMut(Value) -> bool) {
        let mut next = self.blocks[block].first_phi.expand();
        self.blocks[block].first_phi = None.into();
        self.blocks[block].last_phi = None.into();
        while let Some(phi) = next {
            next = self.values[phi].next_phi.expand();
            if !keep(phi) {
                continue;
            }
            self.values[phi].next_phi = None.into();
            match self.blocks[block].last_phi.expand() {
                Some(last) => self.values[last].next_phi = phi.into(),
                None => self.blocks[block].first_phi = phi.into(),
            }
            self.blocks[block].last_phi = phi.into();
        }
    }

    /// Replaces the values that a block's phis, instructions and terminator use.
    pub(crate) fn replace_uses(&mut self, block: Block, new: impl Fn(Value) -> Value) {
        let mut phi = self.blocks[block].first_phi.expand();
        while let Some(value) = phi {
            let mut node = self.values[value].first_operand;
            while let Some(operand) = self.operands.get_mut(node as usize) {
                operand.operand.value = new(operand.operand.value);
                node = operand.next;
            }
            phi = self.values[value].next_phi.expand();
        }
        let mut inst = self.blocks[block].first_inst.expand();
        while let Some(at) = inst {
            for value in self.uses_mut(at) {
                *value = new(*value);
            }
            inst = self.insts[at].next.expand();
        }
        let mut terminator = self.term(block);
        if let Some(value) = terminator.value_mut() {
            let old = *value;
            *value = new(old);
            if *value != old {
                self.blocks[block].terminator = Some(terminator);
            }
        }
    }

    /// Returns the phis of a block, in order.
    pub fn phis(&self, block: Block) -> Phis<'_> {
        Phis {
            func: self,
            next: self.blocks[block].first_phi,
        }
    }

    /// Returns whether a block starts with a phi.
    pub fn has_phis(&self, block: Block) -> bool {
        self.blocks[block].first_phi.is_some()
    }

    /// Returns the operands of a phi, in the order in which they were added; none for another
    /// value.
    pub fn phi_operands(&self, phi: Value) -> PhiOperands<'_> {
        PhiOperands {
            func: self,
            next: self.values[phi].first_operand,
        }
    }

    /// Replaces a predecessor in the phis of a block.
    pub(crate) fn rename_predecessor(&mut self, block: Block, from: Block, to: Block) {
        self.rename_predecessors(block, |pred| if pred == from { to } else { pred });
    }

    /// Replaces the predecessors in the phis of a block.
    pub(crate) fn rename_predecessors(&mut self, block: Block, new: impl Fn(Block) -> Block) {
        let mut phi = self.blocks[block].first_phi.expand();
        while let Some(value) = phi {
            let mut node = self.values[value].first_operand;
            while let Some(operand) = self.operands.get_mut(node as usize) {
                operand.operand.pred = new(operand.operand.pred);
                node = operand.next;
            }
            phi = self.values[value].next_phi.expand();
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
