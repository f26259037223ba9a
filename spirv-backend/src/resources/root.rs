//! Root constants and root descriptors: a block of push constants, or a uniform block.
//!
//! The block has the addresses of the root descriptors first, two words each, then the constants. Its
//! size is what the binding model's answers need, since a shader may declare less than the pipeline
//! layout has.

use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use super::Resources;
use super::binding::Answers;
use super::handle::range;
use crate::bindings::{BindingError, Place};
use crate::options::Options;
use crate::values::FunctionBuilder;

/// The most bytes of the block: what Vulkan's devices have for uniform blocks at least, and more than
/// they have for push constants.
const MAX_BYTES: u32 = 1 << 14;

/// The variable of the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootBlock {
    pub(super) id: Word,
    pub(super) class: StorageClass,
    /// Index of the member with the constants.
    pub(super) constants: u32,
}

/// Checks that a root constant is within the limits.
pub(super) fn check(options: &Options, word: u32) -> Result<(), BindingError> {
    let descriptors = options.interface.root_descriptors;
    let end = u64::from(descriptors) * 8 + (u64::from(word) + 1) * 4;
    if end > u64::from(MAX_BYTES) {
        return Err(BindingError::RootTooLarge {
            word,
            descriptors,
            limit: MAX_BYTES,
        });
    }
    Ok(())
}

impl Resources {
    /// Returns the block, declared if this is its first use. There is a root constant.
    pub(super) fn root_block(&mut self, e: &mut FunctionBuilder<'_>) -> RootBlock {
        let answers = &self.answers;
        *self.root.get_or_insert_with(|| declare(e, answers))
    }

    /// Loads a root constant, by an id that is below their number.
    pub(super) fn root_word(&mut self, e: &mut FunctionBuilder<'_>, index: Word) -> Word {
        let block = self.root_block(e);
        let word = e.b.ty_u32();
        let ptr = e.b.ty_ptr(block.class, word);
        let member = e.b.const_u32(block.constants);
        let pointer = e.b.op(Op::AccessChain, ptr, &[block.id, member, index]);
        e.load(word, pointer)
    }
}

/// Returns the number of constants that the answers need.
fn words(e: &FunctionBuilder<'_>, answers: &Answers) -> u32 {
    let ends = answers.all_places().filter_map(|(at, place)| {
        let last = match place {
            Place::Heap { root_constant, .. } => root_constant?,
            Place::RootConstants { offset } => {
                let size = range(e.shader, at).cbuffer_size.div_ceil(4).max(1);
                offset.checked_add(size - 1)?
            }
            _ => return None,
        };
        // One that is too large is an error where it is used.
        check(e.options, last).ok().map(|()| last + 1)
    });
    ends.max().unwrap_or(0).max(1)
}

fn declare(e: &mut FunctionBuilder<'_>, answers: &Answers) -> RootBlock {
    let descriptors = e.options.interface.root_descriptors;
    let words = words(e, answers);
    let word = e.b.ty_u32();
    let mut members = Vec::new();
    let mut member = |e: &mut FunctionBuilder<'_>, element: Word, len: u32, stride: u32| {
        let len = e.b.const_u32(len);
        let array = e.b.ty_fresh(Op::TypeArray, &[element, len]);
        e.b.decorate(array, Decoration::ArrayStride, &[stride]);
        members.push(array);
    };
    if descriptors > 0 {
        let address = e.b.ty_vec(word, 2);
        member(e, address, descriptors, 8);
    }
    member(e, word, words, 4);
    let block = e.b.ty_fresh(Op::TypeStruct, &members);
    e.b.decorate(block, Decoration::Block, &[]);
    let constants = members.len() as u32 - 1;
    if descriptors > 0 {
        e.b.decorate_member(block, 0, Decoration::Offset, &[0]);
    }
    e.b.decorate_member(block, constants, Decoration::Offset, &[descriptors * 8]);
    let uniform = e.options.interface.root_uniform_block;
    let class = match uniform {
        Some(_) => StorageClass::Uniform,
        None => StorageClass::PushConstant,
    };
    let ptr = e.b.ty_ptr(class, block);
    let id = e.b.variable(ptr, class, None);
    if let Some(at) = uniform {
        e.b.decorate(id, Decoration::DescriptorSet, &[at.set]);
        e.b.decorate(id, Decoration::Binding, &[at.binding]);
    }
    if e.options.debug.names {
        e.b.name(id, "RootConstants");
        if descriptors > 0 {
            e.b.member_name(block, 0, "descriptors");
        }
        e.b.member_name(block, constants, "constants");
    }
    RootBlock {
        id,
        class,
        constants,
    }
}
