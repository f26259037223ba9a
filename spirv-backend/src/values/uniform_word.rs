//! Uniform blocks of one word.

use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use super::FunctionBuilder;
use crate::bindings::HeapBinding;
use crate::module::OptionalId;

/// Loads the word of a uniform block, whose variable has an id once it is declared.
/// `(name, member)` names the variable and its member.
pub(crate) fn uniform_word(
    e: &mut FunctionBuilder<'_>,
    variable: &mut OptionalId,
    at: HeapBinding,
    (name, member): (&str, &str),
) -> Word {
    let word = e.b.ty_u32();
    let id = variable.expand().unwrap_or_else(|| {
        let block = e.b.ty_fresh(Op::TypeStruct, &[word]);
        e.b.decorate(block, Decoration::Block, &[]);
        e.b.decorate_member(block, 0, Decoration::Offset, &[0]);
        let id = (e.b).bound_variable(StorageClass::Uniform, block, (at.set, at.binding));
        e.b.member_name(block, 0, member);
        e.b.name(id, name);
        id
    });
    *variable = id.into();
    let (ptr, zero) = (e.b.ty_ptr(StorageClass::Uniform, word), e.b.const_u32(0));
    let pointer = e.once(Op::AccessChain, ptr, &[id, zero]);
    e.load(word, pointer)
}
