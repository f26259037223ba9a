//! Phis of a [`Function`]: a linked list per block, and a linked list of operands per phi.

use trellis_entity::PackedOption;

use super::{Definition, Function, NIL, OperandNode, PhiData, PhiOperand};
use crate::ir::{Block, Type, Value};

impl Function {
    /// Adds a phi to the end of a block's phis. Operands come later, in any order.
    pub fn add_phi(&mut self, block: Block, ty: Type) -> Value {
        let data = PhiData {
            block,
            next: None.into(),
            last_operand: NIL,
        };
        let phi = self.push_value(Definition::Phi(data), ty);
        self.append_phi(block, phi);
        phi
    }

    /// Makes a phi the last one of a block.
    fn append_phi(&mut self, block: Block, phi: Value) {
        match self.blocks[block].last_phi.expand() {
            Some(last) => self.set_next_phi(last, Some(phi)),
            None => self.blocks[block].first_phi = phi.into(),
        }
        self.blocks[block].last_phi = phi.into();
    }

    #[inline]
    fn next_phi(&self, phi: Value) -> Option<Value> {
        match self.values[phi].definition {
            Definition::Phi(data) => data.next.expand(),
            _ => None,
        }
    }

    fn set_next_phi(&mut self, phi: Value, next: Option<Value>) {
        if let Definition::Phi(data) = &mut self.values[phi].definition {
            data.next = next.into();
        }
    }

    /// Returns the last of the operands of a phi in the pool; [`NIL`] if there is none.
    #[inline]
    fn last_operand(&self, phi: Value) -> u32 {
        match self.values[phi].definition {
            Definition::Phi(data) => data.last_operand,
            _ => NIL,
        }
    }

    /// Sets the last operand of a phi and returns the previous one.
    #[inline]
    fn set_last_operand(&mut self, phi: Value, last: u32) -> u32 {
        match &mut self.values[phi].definition {
            Definition::Phi(data) => core::mem::replace(&mut data.last_operand, last),
            _ => NIL,
        }
    }

    /// Changes the operands of a phi.
    fn change_operands(&mut self, phi: Value, mut change: impl FnMut(&mut PhiOperand)) {
        let last = self.last_operand(phi);
        let mut node = last;
        while let Some(&OperandNode { next, .. }) = self.operands.get(node as usize) {
            change(&mut self.operands[next as usize].operand);
            if next == last {
                break;
            }
            node = next;
        }
    }

    /// Adds an operand to a phi: one per predecessor, also where several edges come from it. Those for
    /// predecessors that the entry does not reach may be there or not: they are dropped.
    pub fn add_phi_operand(&mut self, phi: Value, pred: Block, value: Value) {
        let node = self.operands.len() as u32;
        let last = self.set_last_operand(phi, node);
        let next = match self.operands.get_mut(last as usize) {
            Some(last) => core::mem::replace(&mut last.next, node),
            None => node,
        };
        self.operands.push(OperandNode {
            operand: PhiOperand { pred, value },
            next,
        });
    }

    /// Reserves memory for `operands` more operands of phis.
    pub fn reserve_phi_operands(&mut self, operands: usize) {
        self.operands.reserve_exact(operands);
    }

    /// Replaces the operands of a phi: one per predecessor, as of
    /// [`add_phi_operand`](Self::add_phi_operand).
    pub fn set_phi_operands(&mut self, phi: Value, operands: &[(Block, Value)]) {
        // Its nodes are reused, so the pool grows only by additional operands.
        let end = self.last_operand(phi);
        let first = self.operands.get(end as usize).map_or(NIL, |end| end.next);
        let mut operands = operands.iter();
        let (mut node, mut last) = (first, NIL);
        while last != end
            && let Some(&(pred, value)) = operands.next()
        {
            let own = &mut self.operands[node as usize];
            own.operand = PhiOperand { pred, value };
            last = node;
            node = own.next;
        }
        if let Some(last) = self.operands.get_mut(last as usize) {
            last.next = first;
        }
        self.set_last_operand(phi, last);
        for &(pred, value) in operands {
            self.add_phi_operand(phi, pred, value);
        }
    }

    /// Removes the operands of a phi for some predecessors.
    pub(crate) fn remove_phi_operands(&mut self, phi: Value, removes: impl Fn(Block) -> bool) {
        // Nodes are unlinked in place: copying the kept operands would take memory for each
        // removal.
        let end = self.last_operand(phi);
        let mut node = self.operands.get(end as usize).map_or(NIL, |end| end.next);
        let (mut first, mut last) = (NIL, NIL);
        while let Some(&OperandNode { operand, next }) = self.operands.get(node as usize) {
            if !removes(operand.pred) {
                match self.operands.get_mut(last as usize) {
                    Some(previous) => previous.next = node,
                    None => first = node,
                }
                last = node;
            }
            if node == end {
                break;
            }
            node = next;
        }
        if let Some(last) = self.operands.get_mut(last as usize) {
            last.next = first;
        }
        self.set_last_operand(phi, last);
    }

    /// Removes the phis of a block for which `keep` returns false. Their values stay valid.
    pub(crate) fn retain_phis(&mut self, block: Block, mut keep: impl FnMut(Value) -> bool) {
        let mut next = self.blocks[block].first_phi.expand();
        self.blocks[block].first_phi = None.into();
        self.blocks[block].last_phi = None.into();
        while let Some(phi) = next {
            next = self.next_phi(phi);
            if keep(phi) {
                self.set_next_phi(phi, None);
                self.append_phi(block, phi);
            }
        }
    }

    /// Replaces the values that a block's phis, instructions and terminator use: `new` is called with
    /// each and returns the value in its place.
    pub fn replace_uses(&mut self, block: Block, new: impl Fn(Value) -> Value) {
        let mut phi = self.blocks[block].first_phi.expand();
        while let Some(value) = phi {
            self.change_operands(value, |operand| operand.value = new(operand.value));
            phi = self.next_phi(value);
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
        let last = self.last_operand(phi);
        PhiOperands {
            func: self,
            next: self
                .operands
                .get(last as usize)
                .map_or(NIL, |last| last.next),
            last,
        }
    }

    /// Replaces the predecessors in the phis of a block: `new` maps each predecessor to the
    /// block in its place. For a predecessor that is split or merged with another
    /// block.
    pub fn rename_predecessors(&mut self, block: Block, new: impl Fn(Block) -> Block) {
        let mut phi = self.blocks[block].first_phi.expand();
        while let Some(value) = phi {
            self.change_operands(value, |operand| operand.pred = new(operand.pred));
            phi = self.next_phi(value);
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
        self.next = self.func.next_phi(phi).into();
        Some(phi)
    }
}

/// The operands of a phi. See [`Function::phi_operands`].
#[derive(Clone, Debug)]
pub struct PhiOperands<'a> {
    func: &'a Function,
    next: u32,
    last: u32,
}

impl Iterator for PhiOperands<'_> {
    type Item = PhiOperand;
    fn next(&mut self) -> Option<PhiOperand> {
        let node = self.func.operands.get(self.next as usize)?;
        self.next = if self.next == self.last {
            NIL
        } else {
            node.next
        };
        Some(node.operand)
    }
}
