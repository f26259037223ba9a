//! Variables become values and phis: Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau, "Simple and
//! Efficient Construction of Static Single Assignment Form" (2013), with a list of pending phis
//! instead of recursion.
//!
//! A read looks for the last write, backwards along blocks with one predecessor, and makes a phi at
//! a block with several, whose operands are read next. In a block whose predecessors are not all
//! known the phi gets its operands when the block is *sealed*. Phis with one operand are removed in
//! the end, all at once (`finish.rs`).

use trellis_dxil_frontend::module::BlockId;

use super::{Builder, LOCAL, Origin, Overload, Phi, Value};

impl Builder {
    /// Returns the value behind both views of a value: the result of an instruction, or an integer
    /// if it is constant.
    fn base(&mut self, value: Value) -> Value {
        if value.as_u32() & LOCAL == 0 {
            return self.int(value);
        }
        match self.local(value).origin {
            Origin::View(base) => base,
            _ => value,
        }
    }

    /// Sets a variable, a number of the caller's choice, to a 32-bit value.
    pub fn write(&mut self, variable: u32, value: Value) {
        if let Some(block) = self.body.current {
            let value = self.base(value);
            self.set(block, variable, value);
        }
    }

    fn set(&mut self, block: BlockId, variable: u32, value: Value) {
        self.size += 1;
        if !self.is_too_large() {
            self.body.variables.insert((block, variable), value);
        }
    }

    /// Returns the value of a variable: zero if it was not set.
    pub fn read(&mut self, variable: u32) -> Value {
        let Some(block) = self.body.current else {
            return self.i32(0);
        };
        let mut pending = Vec::new();
        let value = self.read_at(block, variable, &mut pending);
        self.complete(pending);
        value
    }

    /// Declares that all branches to a block have been built.
    pub fn seal(&mut self, block: BlockId) {
        self.body.blocks[block].sealed = true;
        let pending = self.body.blocks[block].phis.clone();
        self.complete(pending);
    }

    /// Gives phis their operands.
    fn complete(&mut self, mut pending: Vec<u32>) {
        while let Some(index) = pending.pop() {
            let Phi {
                block, variable, ..
            } = self.body.phis[index as usize];
            let predecessors = self.body.blocks[block].predecessors.clone();
            for from in predecessors {
                let value = self.read_at(from, variable, &mut pending);
                self.size += 1;
                self.body.phis[index as usize].incoming.push((value, from));
            }
        }
    }

    /// Returns the value of a variable at the end of a block; phis without operands are added to
    /// `pending`.
    fn read_at(&mut self, block: BlockId, variable: u32, pending: &mut Vec<u32>) -> Value {
        let mut at = block;
        let mut passed = Vec::new();
        let value = loop {
            if let Some(&value) = self.body.variables.get(&(at, variable)) {
                break value;
            }
            passed.push(at);
            let data = &self.body.blocks[at];
            match *data.predecessors {
                _ if self.is_too_large() => break self.i32(0),
                [] if data.sealed => break self.i32(0),
                [only] if data.sealed => at = only,
                _ => {
                    if data.sealed {
                        pending.push(self.body.phis.len() as u32);
                    }
                    break self.add_phi(at, variable);
                }
            }
        };
        for at in passed {
            self.set(at, variable, value);
        }
        value
    }

    fn add_phi(&mut self, block: BlockId, variable: u32) -> Value {
        let index = self.body.phis.len() as u32;
        let value = self.add_local(self.scalar(Overload::I32), Origin::Phi(index));
        self.body.blocks[block].phis.push(index);
        self.body.phis.push(Phi {
            value,
            block,
            variable,
            incoming: Vec::new(),
        });
        value
    }
}
