//! The buffers of a shader, and the functions that write an invocation's trace into one of them.

use rspirv::dr::Operand;
use spirv::{Decoration, FunctionControl, StorageClass, Word};

use super::{Emitter, Error, HEAD, Layout, Module, Variables};
use crate::evaluate::DIGEST;

impl Emitter<'_> {
    /// Storage buffers of words at the bindings from 0 on, and the pointer type of their elements.
    pub(super) fn buffers<const COUNT: usize>(&mut self) -> ([Word; COUNT], Word) {
        let array = self.b.type_runtime_array(self.module.word);
        let block = self.b.type_struct([array]);
        self.b
            .decorate(array, Decoration::ArrayStride, [Operand::LiteralBit32(4)]);
        self.b.decorate(block, Decoration::Block, []);
        self.b
            .member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
        let pointer = self
            .b
            .type_pointer(None, StorageClass::StorageBuffer, block);
        let variables = std::array::from_fn(|binding| {
            let variable = self
                .b
                .variable(pointer, None, StorageClass::StorageBuffer, None);
            self.b.decorate(
                variable,
                Decoration::DescriptorSet,
                [Operand::LiteralBit32(0)],
            );
            self.b.decorate(
                variable,
                Decoration::Binding,
                [Operand::LiteralBit32(binding as u32)],
            );
            variable
        });
        (
            variables,
            self.b
                .type_pointer(None, StorageClass::StorageBuffer, self.module.word),
        )
    }

    /// Writes a word of the invocation's trace.
    fn write(
        &mut self,
        variables: &Variables,
        layout: Layout,
        at: Word,
        value: Word,
    ) -> Result<(), Error> {
        let word = self.module.word;
        let lane = self.b.load(word, None, variables.index, None, [])?;
        let stride = self.word(layout.stride());
        let base = self.b.i_mul(word, None, lane, stride)?;
        let at = self.b.i_add(word, None, base, at)?;
        let zero = self.word(0);
        let place = self
            .b
            .access_chain(self.module.element, None, variables.trace, [zero, at])?;
        Ok(self.b.store(place, value, None, [])?)
    }

    /// `event(id, value)`: counts the event, adds it to the digest, and appends it to the
    /// invocation's trace.
    pub(super) fn event_function(
        &mut self,
        variables: &Variables,
        layout: Layout,
    ) -> Result<(), Error> {
        let Module {
            void, bool, word, ..
        } = self.module;
        let signature = self.b.type_function(void, [word, word]);
        self.module.event = self
            .b
            .begin_function(void, None, FunctionControl::NONE, signature)?;
        let arguments = [
            self.b.function_parameter(word)?,
            self.b.function_parameter(word)?,
        ];
        self.b.begin_block(None)?;
        let seen = self.b.load(word, None, variables.seen, None, [])?;
        if layout.events > 0 {
            let most = self.word(layout.events);
            let fits = self.b.u_less_than(bool, None, seen, most)?;
            let number = self.b.select(word, None, fits, seen, most)?;
            let double = self.b.i_add(word, None, number, number)?;
            for (argument, offset) in arguments.into_iter().zip(HEAD..) {
                let offset = self.word(offset);
                let at = self.b.i_add(word, None, double, offset)?;
                self.write(variables, layout, at, argument)?;
            }
        }
        let mut digest = self.b.load(word, None, variables.digest, None, [])?;
        for (argument, (factor, shift)) in arguments.into_iter().zip(DIGEST) {
            let (factor, shift) = (self.word(factor), self.word(shift));
            let product = self.b.i_mul(word, None, digest, factor)?;
            let sum = self.b.i_add(word, None, product, argument)?;
            let high = self.b.shift_right_logical(word, None, sum, shift)?;
            digest = self.b.bitwise_xor(word, None, sum, high)?;
        }
        self.b.store(variables.digest, digest, None, [])?;
        let one = self.word(1);
        let more = self.b.i_add(word, None, seen, one)?;
        self.b.store(variables.seen, more, None, [])?;
        self.b.ret()?;
        self.b.end_function()?;
        Ok(())
    }

    /// `finish(value)`: writes the returned value, the number of events, and their digest.
    pub(super) fn finish_function(
        &mut self,
        variables: &Variables,
        layout: Layout,
    ) -> Result<(), Error> {
        let Module { void, word, .. } = self.module;
        let signature = self.b.type_function(void, [word]);
        self.module.finish = self
            .b
            .begin_function(void, None, FunctionControl::NONE, signature)?;
        let value = self.b.function_parameter(word)?;
        self.b.begin_block(None)?;
        let seen = self.b.load(word, None, variables.seen, None, [])?;
        let digest = self.b.load(word, None, variables.digest, None, [])?;
        let one = self.word(1);
        for (at, what) in [one, value, seen, digest].into_iter().enumerate() {
            let at = self.word(at as u32);
            self.write(variables, layout, at, what)?;
        }
        self.b.ret()?;
        self.b.end_function()?;
        Ok(())
    }
}
