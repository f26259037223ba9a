//! Root constants and root descriptors: a block of push constants, or a uniform block.
//!
//! The block has the addresses of the root descriptors first, two words each, then the constants.
//! The binding model's answers determine its size, since a shader may declare less than the
//! pipeline layout has.

use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use smallvec::SmallVec;

use super::Resources;
use super::binding::{Answers, binding_error};
use super::handle::range;
use crate::bindings::{BindingError, HeapLimit, Place};
use crate::error::{Error, InvalidKind};
use crate::handles::{Handle, Origin};
use crate::options::Options;
use crate::values::FunctionBuilder;

/// The most bytes of the block: the least limit of Vulkan's devices for uniform blocks, which is
/// more than for push constants.
const MAX_BYTES: u32 = 1 << 14;

/// The variable of the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootBlock {
    pub(super) id: Word,
    pub(super) class: StorageClass,
    /// Number of root descriptors, which are the first member if there are any.
    descriptors: u32,
}

impl RootBlock {
    /// Returns the index of the member with the constants.
    pub(super) fn constants_member(&self) -> u32 {
        u32::from(self.descriptors > 0)
    }
}

/// Returns the number of root descriptors.
fn descriptors(options: &Options) -> u32 {
    let given = options.interface.root_descriptors;
    let slots = options.bindings.root_layout().iter();
    let needed = slots.filter_map(|slot| match slot.place {
        Place::DeviceAddress { root_descriptor } => Some(root_descriptor.saturating_add(1)),
        _ => None,
    });
    needed.max().map_or(given, |needed| needed.max(given))
}

/// Checks that a root constant is there, and that the block is within the limits.
pub(super) fn check(options: &Options, word: u32) -> Result<(), BindingError> {
    match options.interface.root_constants {
        Some(words) if word >= words => Err(BindingError::NoRootConstant { word, words }),
        given => check_size(options, given.unwrap_or(word.saturating_add(1))),
    }
}

/// Checks that a block of `words` root constants is within the limits.
fn check_size(options: &Options, words: u32) -> Result<(), BindingError> {
    let descriptors = descriptors(options);
    if u64::from(descriptors) * 8 + u64::from(words) * 4 > u64::from(MAX_BYTES) {
        return Err(BindingError::RootTooLarge {
            word: words.saturating_sub(1),
            descriptors,
            limit: MAX_BYTES,
        });
    }
    Ok(())
}

/// Returns the number of words of a constant buffer of `bytes` bytes that begins at a root constant:
/// those that are there.
pub(super) fn words_of(options: &Options, offset: u32, bytes: u32) -> Result<u32, BindingError> {
    let mut words = bytes.div_ceil(4).max(1);
    if let Some(all) = options.interface.root_constants {
        words = words.min(all.saturating_sub(offset)).max(1);
    }
    check(options, offset.saturating_add(words - 1))?;
    Ok(words)
}

impl Resources {
    /// Returns the block, declared if this is its first use. There is a root constant or descriptor.
    pub(super) fn root_block(&mut self, e: &mut FunctionBuilder<'_>) -> RootBlock {
        let answers = &self.answers;
        *self.root.get_or_insert_with(|| declare(e, answers))
    }

    /// Returns true if the shader has root constants or root descriptors, and they are push constants.
    pub(crate) fn has_root_push_constants(&self) -> bool {
        self.root
            .is_some_and(|block| block.class == StorageClass::PushConstant)
    }

    /// Loads a root constant, by an id that is below their number.
    pub(super) fn root_word(&mut self, e: &mut FunctionBuilder<'_>, index: Word) -> Word {
        let block = self.root_block(e);
        let word = e.b.ty_u32();
        let ptr = e.b.ty_ptr(block.class, word);
        let member = e.b.const_u32(block.constants_member());
        let pointer = e.once(Op::AccessChain, ptr, &[block.id, member, index]);
        e.load(word, pointer)
    }

    /// Loads the address of a root descriptor, two words.
    pub(super) fn root_address(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        counter: bool,
        number: u32,
    ) -> Result<Word, Error> {
        let descriptors = descriptors(e.options);
        let checked = if number < descriptors {
            check_size(e.options, e.options.interface.root_constants.unwrap_or(0))
        } else {
            Err(BindingError::NoRootDescriptor {
                number,
                descriptors,
            })
        };
        checked.map_err(|reason| match handle.origin {
            Origin::Range(at) => binding_error(e, at, counter, reason),
            _ => e.invalid(InvalidKind::Resource, reason.to_string()),
        })?;
        let block = self.root_block(e);
        let pair = e.b.ty_words(2);
        let ptr = e.b.ty_ptr(block.class, pair);
        let (zero, number) = (e.b.const_u32(0), e.b.const_u32(number));
        let pointer = e.once(Op::AccessChain, ptr, &[block.id, zero, number]);
        Ok(e.load(pair, pointer))
    }
}

/// Returns the number of constants: the pipeline layout's, or the number that the answers need.
fn words(e: &FunctionBuilder<'_>, answers: &Answers) -> u32 {
    if let Some(words) = e.options.interface.root_constants {
        return words;
    }
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
    let limit = match e.options.interface.heap_limit {
        Some(HeapLimit::RootConstant(word)) => check(e.options, word).ok().map(|()| word + 1),
        _ => None,
    };
    ends.chain(limit).max().unwrap_or(0)
}

fn declare(e: &mut FunctionBuilder<'_>, answers: &Answers) -> RootBlock {
    let descriptors = descriptors(e.options);
    let words = words(e, answers);
    let word = e.b.ty_u32();
    let address = e.b.ty_vec(word, 2);
    // (element, number of them, stride, offset, name)
    let parts = [
        (address, descriptors, 8, 0, "descriptors"),
        (word, words, 4, descriptors * 8, "constants"),
    ];
    let parts = parts.into_iter().filter(|part| part.1 > 0);
    let parts: SmallVec<[_; 2]> = parts.collect();
    let mut members: SmallVec<[Word; 2]> = SmallVec::new();
    for &(element, len, stride, ..) in &parts {
        let len = e.b.const_u32(len);
        let array = e.b.ty_fresh(Op::TypeArray, &[element, len]);
        e.b.decorate(array, Decoration::ArrayStride, &[stride]);
        members.push(array);
    }
    let block = e.b.ty_fresh(Op::TypeStruct, &members);
    e.b.decorate(block, Decoration::Block, &[]);
    for (index, &(_, _, _, offset, name)) in (0..).zip(&parts) {
        e.b.decorate_member(block, index, Decoration::Offset, &[offset]);
        e.b.member_name(block, index, name);
    }
    let uniform = e.options.interface.root_uniform_block;
    let class = match uniform {
        Some(_) => StorageClass::Uniform,
        None => StorageClass::PushConstant,
    };
    let id = match uniform {
        Some(at) => e.b.bound_variable(class, block, (at.set, at.binding)),
        None => e.b.variable(class, block, None),
    };
    e.b.name(id, "RootConstants");
    RootBlock {
        id,
        class,
        descriptors,
    }
}
