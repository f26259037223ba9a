//! Raw and structured buffers as elements of some bits: a storage buffer with an array of unsigned
//! integers, or a texel buffer of words.

use rspirv::spirv::{Capability, MemorySemantics, Op, Scope, StorageClass, Word};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::State;
use super::buffer::Address;
use crate::error::{Error, Feature, InvalidKind};
use crate::resources::{Access, Descriptor, Handle, Window, scaled};
use crate::values::FunctionBuilder;

/// A raw or structured buffer, as elements of some bits.
pub(super) struct Elements {
    form: Form,
    window: Option<Window>,
    bits: u32,
    /// How many of them a vector has; 1 where elements are not vectors.
    lanes: u32,
    content: Content,
}

/// What the elements of a buffer are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Unsigned integers.
    Integers,
    /// Floats of 32 bits.
    Floats,
    /// Two halves each.
    HalfPairs,
}

/// What a buffer is.
enum Form {
    /// A block with an array.
    Block(Descriptor),
    /// A texel buffer.
    Texels(Texels),
}

/// A texel buffer of words: what a handle names, or its counter.
pub(super) struct Texels {
    handle: Handle,
    counter: bool,
}

impl Texels {
    /// Returns the texel buffer that a handle names, or its counter.
    pub(super) fn of(handle: &Handle, counter: bool) -> Self {
        let handle = *handle;
        Self { handle, counter }
    }

    fn access(&self) -> Access {
        let counter = self.counter;
        Access::Texels { counter }
    }

    /// Loads the image; again the same id within a block.
    fn image(&self, e: &mut FunctionBuilder<'_>, state: &mut State) -> Result<Word, Error> {
        let access = self.access();
        let loaded = state.resources.load_descriptor(e, &self.handle, access)?;
        Ok(loaded.id)
    }

    /// Returns the pointer to a texel, for atomic operations.
    pub(super) fn pointer(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        coordinate: Word,
    ) -> Result<Word, Error> {
        let access = self.access();
        let d = &state.resources.descriptor(e, &self.handle, access)?;
        let image = state.resources.descriptor_pointer(e, d, &[], d.pointee);
        let (sample, word) = (e.b.const_u32(0), e.b.ty_u32());
        let ty = e.b.ty_ptr(StorageClass::Image, word);
        let pointer =
            e.b.op(Op::ImageTexelPointer, ty, &[image, coordinate, sample]);
        if d.non_uniform {
            state.resources.mark_non_uniform(e, pointer);
        }
        Ok(pointer)
    }

    fn load(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        coordinate: Word,
    ) -> Result<Word, Error> {
        let image = self.image(e, state)?;
        let word = e.b.ty_u32();
        let texel = e.b.ty_vec(word, 4);
        let op = match self.handle.desc.class {
            ResourceClass::Uav => Op::ImageRead,
            _ => Op::ImageFetch,
        };
        let texel = e.b.op(op, texel, &[image, coordinate]);
        Ok(e.b.extract(word, texel, 0))
    }

    fn store(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        coordinate: Word,
        value: Word,
    ) -> Result<(), Error> {
        let image = self.image(e, state)?;
        let word = e.b.ty_u32();
        let texel = e.b.ty_vec(word, 4);
        let texel = e.b.construct(texel, &[value; 4]);
        e.b.op_void(Op::ImageWrite, &[image, coordinate, texel]);
        Ok(())
    }

    /// Returns the number of words.
    fn len(&self, e: &mut FunctionBuilder<'_>, state: &mut State) -> Result<Word, Error> {
        let image = self.image(e, state)?;
        e.b.caps.add(Capability::ImageQuery);
        let word = e.b.ty_u32();
        Ok(e.b.op(Op::ImageQuerySize, word, &[image]))
    }
}

impl Elements {
    /// Returns the buffer that a handle names.
    pub(super) fn of(
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        handle: &Handle,
        bits: u32,
    ) -> Result<Self, Error> {
        Self::new(e, state, handle, (bits, Content::Integers))
    }

    /// Returns the buffer that a handle names as floats of 32 bits, for atomic operations on these.
    pub(super) fn of_floats(
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        handle: &Handle,
    ) -> Result<Self, Error> {
        Self::new(e, state, handle, (32, Content::Floats))
    }

    /// Returns the buffer that a handle names as pairs of halves, for atomic operations on these.
    pub(super) fn of_half_pairs(
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        handle: &Handle,
    ) -> Result<Self, Error> {
        Self::new(e, state, handle, (32, Content::HalfPairs))
    }

    /// Returns the buffer that a handle names as vectors of `lanes` elements of `bits` bits.
    pub(super) fn of_vectors(
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        handle: &Handle,
        (bits, lanes): (u32, u32),
    ) -> Result<Self, Error> {
        if lanes == 1 {
            return Self::of(e, state, handle, bits);
        }
        let access = Access::Vectors(bits, lanes);
        Ok(Self {
            form: Form::Block(state.resources.descriptor(e, handle, access)?),
            window: None,
            bits,
            lanes,
            content: Content::Integers,
        })
    }

    fn new(
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        handle: &Handle,
        (bits, content): (u32, Content),
    ) -> Result<Self, Error> {
        let form = if state.resources.is_texels(e, handle, false)? {
            Form::Texels(Texels::of(handle, false))
        } else {
            let access = match content {
                Content::Integers => Access::Elements(bits),
                Content::Floats => Access::Floats,
                Content::HalfPairs => Access::HalfPairs,
            };
            Form::Block(state.resources.descriptor(e, handle, access)?)
        };
        let window = state.resources.window(e, handle)?;
        Ok(Self {
            form,
            window,
            bits,
            lanes: 1,
            content,
        })
    }

    /// Returns the number of the texel that an element is in.
    fn texel(&self, e: &mut FunctionBuilder<'_>, element: Word) -> Word {
        let mut texel = element;
        if self.bits == 16 {
            let (word, one) = (e.b.ty_u32(), e.b.const_u32(1));
            texel = e.b.op(Op::ShiftRightLogical, word, &[element, one]);
        }
        match self.window {
            Some(window) => window.index(e, texel, 1),
            None => texel,
        }
    }

    /// Returns the pointer to an element after an address, in a block.
    fn block_pointer(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        block: &Descriptor,
        mut element: Word,
    ) -> Word {
        if let Some(window) = self.window {
            element = window.index(e, element, self.bits / 8);
        }
        let zero = e.b.const_u32(0);
        let ty = match self.content {
            Content::Integers => self.ty(e),
            Content::Floats => e.b.ty_f32(),
            Content::HalfPairs => {
                let half = e.b.ty_float(16);
                e.b.ty_vec(half, 2)
            }
        };
        let resources = &mut state.resources;
        resources.descriptor_pointer(e, block, &[zero, element], ty)
    }

    /// Returns the type of an element, or of a vector of them.
    fn ty(&self, e: &mut FunctionBuilder<'_>) -> Word {
        let element = e.b.ty_int(self.bits);
        e.b.ty_vec(element, self.lanes)
    }

    /// Returns the bytes of an element, or of a vector of them.
    fn bytes(&self) -> u32 {
        self.bits / 8 * self.lanes
    }

    /// Returns the pointer to the element at an address, for an atomic operation.
    ///
    /// # Errors
    /// The elements have 64 bits or are floats, and are in a texel buffer.
    pub(super) fn pointer(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        address: Address,
    ) -> Result<Word, Error> {
        let element = address.element(e, 0);
        match &self.form {
            Form::Block(block) => {
                state.resources.note_write(block);
                Ok(self.block_pointer(e, state, block, element))
            }
            Form::Texels(_) if self.bits != 32 || self.content != Content::Integers => {
                Err(e.unsupported(Feature::TexelBufferAtomics { bits: self.bits }))
            }
            Form::Texels(texels) => {
                let texel = self.texel(e, element);
                texels.pointer(e, state, texel)
            }
        }
    }

    /// Returns the pointer to a word, and whether accesses through it need an alignment.
    ///
    /// # Errors
    /// The buffer is a texel buffer.
    pub(super) fn word_pointer(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        word: Word,
    ) -> Result<(Word, bool), Error> {
        match &self.form {
            Form::Block(block) => {
                state.resources.note_write(block);
                let pointer = self.block_pointer(e, state, block, word);
                Ok((pointer, block.is_at_address()))
            }
            Form::Texels(_) => Err(e.unsupported(Feature::VendorIntrinsic {
                library: "AGS",
                operation: "a matrix in a texel buffer".into(),
                needs: None,
            })),
        }
    }

    /// Loads element, or vector, number `more` after an address.
    pub(super) fn load(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        address: Address,
        more: u32,
    ) -> Result<Word, Error> {
        let (element, ty) = (address.element(e, more), self.ty(e));
        match &self.form {
            Form::Block(block) => {
                let pointer = self.block_pointer(e, state, block, element);
                Ok(block.load(e, ty, pointer, self.bytes()))
            }
            Form::Texels(texels) => {
                let texel = self.texel(e, element);
                let mut word = texels.load(e, state, texel)?;
                if self.bits == 16 {
                    let (word_ty, shift) = (e.b.ty_u32(), half_shift(e, element));
                    word = e.b.op(Op::ShiftRightLogical, word_ty, &[word, shift]);
                    word = e.b.op(Op::UConvert, ty, &[word]);
                }
                Ok(word)
            }
        }
    }

    /// Stores element, or vector, number `more` after an address.
    pub(super) fn store(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        address: Address,
        more: u32,
        value: Word,
    ) -> Result<(), Error> {
        let element = address.element(e, more);
        match &self.form {
            Form::Block(block) => {
                state.resources.note_write(block);
                let pointer = self.block_pointer(e, state, block, element);
                block.store(e, pointer, value, self.bytes());
            }
            Form::Texels(texels) => {
                let texel = self.texel(e, element);
                if self.bits == 16 {
                    let pointer = texels.pointer(e, state, texel)?;
                    store_half(e, pointer, element, value);
                } else {
                    texels.store(e, state, texel, value)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the bytes of a raw buffer, or the structs of a structured one.
    pub(super) fn size(
        &self,
        e: &mut FunctionBuilder<'_>,
        state: &mut State,
        handle: &Handle,
    ) -> Result<Word, Error> {
        let stride = match handle.desc.kind {
            ResourceKind::StructuredBuffer if handle.desc.stride == 0 => {
                return Err(e.invalid(
                    InvalidKind::Resource,
                    "a structured buffer with a stride of 0",
                ));
            }
            ResourceKind::StructuredBuffer => handle.desc.stride,
            _ => 1,
        };
        let word = e.b.ty_u32();
        // In bytes, or in words.
        let (size, is_words) = match (&self.form, self.window) {
            // D3D does not define the size of a root descriptor's buffer.
            (Form::Block(block), _) if block.is_at_address() => return Ok(e.b.const_u32(0)),
            (Form::Block(_), Some(window)) => (window.size(e), false),
            (Form::Texels(_), Some(window)) => (window.size(e), true),
            (Form::Block(d), None) => {
                let block = state.resources.descriptor_pointer(e, d, &[], d.pointee);
                (e.b.op(Op::ArrayLength, word, &[block, 0]), true)
            }
            (Form::Texels(texels), None) => (texels.len(e, state)?, true),
        };
        if is_words && stride == 4 {
            return Ok(size);
        }
        let bytes = if is_words {
            scaled(e, size, 4, 0)
        } else {
            size
        };
        if stride == 1 {
            return Ok(bytes);
        }
        let stride = e.b.const_u32(stride);
        Ok(e.b.op(Op::UDiv, word, &[bytes, stride]))
    }
}

/// Returns by how many bits the half of a word is shifted that an element of 16 bits is.
fn half_shift(e: &mut FunctionBuilder<'_>, element: Word) -> Word {
    let (word, one, four) = (e.b.ty_u32(), e.b.const_u32(1), e.b.const_u32(4));
    let odd = e.b.op(Op::BitwiseAnd, word, &[element, one]);
    e.b.op(Op::ShiftLeftLogical, word, &[odd, four])
}

/// Stores half of a word: atomically, as another invocation may store the other half.
fn store_half(e: &mut FunctionBuilder<'_>, pointer: Word, element: Word, value: Word) {
    let (word, shift, low) = (e.b.ty_u32(), half_shift(e, element), e.b.const_u32(0xFFFF));
    let wide = e.b.op(Op::UConvert, word, &[value]);
    let bits = e.b.op(Op::ShiftLeftLogical, word, &[wide, shift]);
    let mask = e.b.op(Op::ShiftLeftLogical, word, &[low, shift]);
    let others = e.b.op(Op::Not, word, &[mask]);
    let scope = e.b.const_u32(Scope::Device as u32);
    let relaxed = e.b.const_u32(MemorySemantics::RELAXED.bits());
    for (op, operand) in [(Op::AtomicAnd, others), (Op::AtomicOr, bits)] {
        e.b.op(op, word, &[pointer, scope, relaxed, operand]);
    }
}
