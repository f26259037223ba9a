//! Raw and structured buffers as elements of some bits: a storage buffer with an array of unsigned
//! integers, or a texel buffer of words.

use rspirv::spirv::{Capability, MemorySemantics, Op, Scope, StorageClass, Word};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::Emitter;
use super::buffer::Address;
use crate::error::{Error, Feature, InvalidKind};
use crate::resources::{Access, Descriptor, Handle, Window, scaled};

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
    fn image(&self, e: &mut Emitter<'_>) -> Result<Word, Error> {
        let access = self.access();
        let loaded = e.load_descriptor(&self.handle, access)?;
        Ok(loaded.id)
    }

    /// Returns the pointer to a texel, for atomic operations.
    pub(super) fn pointer(&self, e: &mut Emitter<'_>, coordinate: Word) -> Result<Word, Error> {
        let access = self.access();
        let d = &e.descriptor(&self.handle, access)?;
        let image = e.descriptor_pointer(d, &[], d.pointee);
        let (sample, word) = (e.b.const_u32(0), e.b.ty_u32());
        let ty = e.b.ty_ptr(StorageClass::Image, word);
        let pointer =
            e.b.op(Op::ImageTexelPointer, ty, &[image, coordinate, sample]);
        if d.non_uniform {
            e.resources.mark_non_uniform(&mut e.f, pointer);
        }
        Ok(pointer)
    }

    fn load(&self, e: &mut Emitter<'_>, coordinate: Word) -> Result<Word, Error> {
        let image = self.image(e)?;
        let word = e.b.ty_u32();
        let texel = e.b.ty_vec(word, 4);
        let op = match self.handle.desc.class {
            ResourceClass::Uav => Op::ImageRead,
            _ => Op::ImageFetch,
        };
        let texel = e.b.op(op, texel, &[image, coordinate]);
        Ok(e.b.extract(word, texel, 0))
    }

    fn store(&self, e: &mut Emitter<'_>, coordinate: Word, value: Word) -> Result<(), Error> {
        let image = self.image(e)?;
        let word = e.b.ty_u32();
        let texel = e.b.ty_vec(word, 4);
        let texel = e.b.construct(texel, &[value; 4]);
        e.b.op_void(Op::ImageWrite, &[image, coordinate, texel]);
        Ok(())
    }

    /// Returns the number of words.
    fn len(&self, e: &mut Emitter<'_>) -> Result<Word, Error> {
        let image = self.image(e)?;
        e.b.caps.add(Capability::ImageQuery);
        let word = e.b.ty_u32();
        Ok(e.b.op(Op::ImageQuerySize, word, &[image]))
    }
}

impl Elements {
    /// Returns the buffer that a handle names.
    pub(super) fn of(e: &mut Emitter<'_>, handle: &Handle, bits: u32) -> Result<Self, Error> {
        Self::new(e, handle, (bits, Content::Integers))
    }

    /// Returns the buffer that a handle names as floats of 32 bits, for atomic operations on these.
    pub(super) fn of_floats(e: &mut Emitter<'_>, handle: &Handle) -> Result<Self, Error> {
        Self::new(e, handle, (32, Content::Floats))
    }

    /// Returns the buffer that a handle names as pairs of halves, for atomic operations on these.
    pub(super) fn of_half_pairs(e: &mut Emitter<'_>, handle: &Handle) -> Result<Self, Error> {
        Self::new(e, handle, (32, Content::HalfPairs))
    }

    /// Returns the buffer that a handle names as vectors of `lanes` elements of `bits` bits.
    pub(super) fn of_vectors(
        e: &mut Emitter<'_>,
        handle: &Handle,
        (bits, lanes): (u32, u32),
    ) -> Result<Self, Error> {
        if lanes == 1 {
            return Self::of(e, handle, bits);
        }
        let access = Access::Vectors(bits, lanes);
        Ok(Self {
            form: Form::Block(e.descriptor(handle, access)?),
            window: None,
            bits,
            lanes,
            content: Content::Integers,
        })
    }

    fn new(
        e: &mut Emitter<'_>,
        handle: &Handle,
        (bits, content): (u32, Content),
    ) -> Result<Self, Error> {
        let form = if e.resources.is_texels(&mut e.f, handle, false)? {
            Form::Texels(Texels::of(handle, false))
        } else {
            let access = match content {
                Content::Integers => Access::Elements(bits),
                Content::Floats => Access::Floats,
                Content::HalfPairs => Access::HalfPairs,
            };
            Form::Block(e.descriptor(handle, access)?)
        };
        let window = e.resources.window(&mut e.f, handle)?;
        Ok(Self {
            form,
            window,
            bits,
            lanes: 1,
            content,
        })
    }

    /// Returns the number of the texel that an element is in.
    fn texel(&self, e: &mut Emitter<'_>, element: Word) -> Word {
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
    fn block_pointer(&self, e: &mut Emitter<'_>, block: &Descriptor, mut element: Word) -> Word {
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
        e.descriptor_pointer(block, &[zero, element], ty)
    }

    /// Returns the type of an element, or of a vector of them.
    fn ty(&self, e: &mut Emitter<'_>) -> Word {
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
    pub(super) fn pointer(&self, e: &mut Emitter<'_>, address: Address) -> Result<Word, Error> {
        let element = address.element(e, 0);
        match &self.form {
            Form::Block(block) => {
                e.resources.note_write(block);
                Ok(self.block_pointer(e, block, element))
            }
            Form::Texels(_) if self.bits != 32 || self.content != Content::Integers => {
                Err(e.unsupported(Feature::TexelBufferAtomics { bits: self.bits }))
            }
            Form::Texels(texels) => {
                let texel = self.texel(e, element);
                texels.pointer(e, texel)
            }
        }
    }

    /// Returns the pointer to a word, and whether accesses through it need an alignment.
    ///
    /// # Errors
    /// The buffer is a texel buffer.
    pub(super) fn word_pointer(
        &self,
        e: &mut Emitter<'_>,
        word: Word,
    ) -> Result<(Word, bool), Error> {
        match &self.form {
            Form::Block(block) => {
                e.resources.note_write(block);
                let pointer = self.block_pointer(e, block, word);
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
        e: &mut Emitter<'_>,
        address: Address,
        more: u32,
    ) -> Result<Word, Error> {
        let (element, ty) = (address.element(e, more), self.ty(e));
        match &self.form {
            Form::Block(block) => {
                let pointer = self.block_pointer(e, block, element);
                Ok(block.load(e, ty, pointer, self.bytes()))
            }
            Form::Texels(texels) => {
                let texel = self.texel(e, element);
                let mut word = texels.load(e, texel)?;
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
        e: &mut Emitter<'_>,
        address: Address,
        more: u32,
        value: Word,
    ) -> Result<(), Error> {
        let element = address.element(e, more);
        match &self.form {
            Form::Block(block) => {
                e.resources.note_write(block);
                let pointer = self.block_pointer(e, block, element);
                block.store(e, pointer, value, self.bytes());
            }
            Form::Texels(texels) => {
                let texel = self.texel(e, element);
                if self.bits == 16 {
                    let pointer = texels.pointer(e, texel)?;
                    store_half(e, pointer, element, value);
                } else {
                    texels.store(e, texel, value)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the bytes of a raw buffer, or the structs of a structured one.
    pub(super) fn size(&self, e: &mut Emitter<'_>, handle: &Handle) -> Result<Word, Error> {
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
                let block = e.descriptor_pointer(d, &[], d.pointee);
                (e.b.op(Op::ArrayLength, word, &[block, 0]), true)
            }
            (Form::Texels(texels), None) => (texels.len(e)?, true),
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
fn half_shift(e: &mut Emitter<'_>, element: Word) -> Word {
    let (word, one, four) = (e.b.ty_u32(), e.b.const_u32(1), e.b.const_u32(4));
    let odd = e.b.op(Op::BitwiseAnd, word, &[element, one]);
    e.b.op(Op::ShiftLeftLogical, word, &[odd, four])
}

/// Stores half of a word: atomically, as another invocation may store the other half.
fn store_half(e: &mut Emitter<'_>, pointer: Word, element: Word, value: Word) {
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
