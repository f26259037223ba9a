//! Raw and structured buffers as elements of some bits: a storage buffer with an array of unsigned
//! integers, or a texel buffer of words.

use rspirv::spirv::{Capability, Op, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::shader::ResourceClass;

use super::Emitter;
use super::buffer_address::{Address, stride};
use super::texel::texel_pointer;
use crate::error::{Error, Feature};
use crate::resources::{Access, Descriptor, Handle, Window, scaled};

/// A raw or structured buffer, as elements of some bits.
pub(super) struct Elements {
    handle: Handle,
    /// The block with an array; `None` of a texel buffer of words.
    block: Option<Descriptor>,
    window: Option<Window>,
    /// Integers, vectors of them, floats or pairs of halves.
    access: Access,
}

/// Residency codes.
pub(super) type Codes = SmallVec<[Word; 4]>;

/// The access to a texel buffer of words.
const TEXELS: Access = Access::Texels { counter: false };

impl Elements {
    /// Returns the buffer that a handle names as elements, or vectors of them.
    pub(super) fn of(e: &mut Emitter<'_>, handle: &Handle, access: Access) -> Result<Self, Error> {
        let is_vectors = matches!(access, Access::Vectors(..));
        let block = match is_vectors || !e.resources.is_texels(&e.f, handle, false)? {
            true => Some(e.descriptor(handle, access)?),
            false => None,
        };
        let window = match is_vectors {
            true => None,
            false => e.resources.window(&mut e.f, handle)?,
        };
        Ok(Self {
            handle: *handle,
            block,
            window,
            access,
        })
    }

    /// Returns the bits of an element.
    fn bits(&self) -> u32 {
        match self.access {
            Access::Elements(bits) | Access::Vectors(bits, _) => bits,
            _ => 32,
        }
    }

    /// Returns the bytes of an element, or of a vector of them.
    fn bytes(&self) -> u32 {
        match self.access {
            Access::Vectors(bits, lanes) => bits / 8 * lanes,
            _ => self.bits() / 8,
        }
    }

    /// Returns the type of an element, or of a vector of them.
    fn ty(&self, e: &mut Emitter<'_>) -> Word {
        let (element, lanes) = match self.access {
            Access::Floats => (e.b.ty_f32(), 1),
            Access::HalfPairs => (e.b.ty_float(16), 2),
            Access::Vectors(bits, lanes) => (e.b.ty_int(bits), lanes),
            _ => (e.b.ty_int(self.bits()), 1),
        };
        e.b.ty_vec(element, lanes)
    }

    /// Returns the number of the texel that an element is in.
    fn texel(&self, e: &mut Emitter<'_>, element: Word) -> Word {
        let mut texel = element;
        if self.bits() == 16 {
            texel = e.b.word_with(Op::ShiftRightLogical, element, 1);
        }
        match self.window {
            Some(window) => window.index(e, texel, 1),
            None => texel,
        }
    }

    /// Loads the image of a texel buffer; again the same id within a block.
    fn image(&self, e: &mut Emitter<'_>) -> Result<Word, Error> {
        Ok(e.load_descriptor(&self.handle, TEXELS)?.id)
    }

    /// Returns the pointer to a texel, for atomic operations.
    fn texel_pointer(&self, e: &mut Emitter<'_>, texel: Word) -> Result<Word, Error> {
        let word = e.b.ty_u32();
        texel_pointer(e, &self.handle, TEXELS, texel, word)
    }

    /// Returns the pointer to an element after an address, in a block.
    fn block_pointer(&self, e: &mut Emitter<'_>, block: &Descriptor, mut element: Word) -> Word {
        if let Some(window) = self.window {
            element = window.index(e, element, self.bits() / 8);
        }
        let zero = e.b.const_u32(0);
        let ty = self.ty(e);
        e.descriptor_pointer(block, &[zero, element], ty)
    }

    /// Returns the pointer to the element at an address, for an atomic operation.
    ///
    /// # Errors
    /// The elements have 64 bits or are floats, and are in a texel buffer.
    pub(super) fn pointer(&self, e: &mut Emitter<'_>, address: Address) -> Result<Word, Error> {
        let element = address.element(e, 0);
        if let Some(block) = &self.block {
            e.resources.note_write(block);
            return Ok(self.block_pointer(e, block, element));
        }
        if self.access != Access::Elements(32) {
            let bits = self.bits();
            return Err(e.unsupported(Feature::TexelBufferAtomics { bits }));
        }
        let texel = self.texel(e, element);
        self.texel_pointer(e, texel)
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
        let Some(block) = &self.block else {
            return Err(e.unsupported(Feature::VendorIntrinsic {
                library: "AGS",
                operation: "a matrix in a texel buffer".into(),
                needs: None,
            }));
        };
        e.resources.note_write(block);
        let pointer = self.block_pointer(e, block, word);
        Ok((pointer, block.is_at_address()))
    }

    /// Loads element, or vector, number `more` after an address. `codes`, if any, gets the residency
    /// code of a texel.
    pub(super) fn load(
        &self,
        e: &mut Emitter<'_>,
        address: Address,
        more: u32,
        codes: Option<&mut Codes>,
    ) -> Result<Word, Error> {
        let (element, ty) = (address.element(e, more), self.ty(e));
        if let Some(block) = &self.block {
            let pointer = self.block_pointer(e, block, element);
            return Ok(block.load(e, ty, pointer, self.bytes()));
        }
        let texel = self.texel(e, element);
        let (image, word) = (self.image(e)?, e.b.ty_u32());
        let four = e.b.ty_vec(word, 4);
        let (op, sparse) = match self.handle.desc.class {
            // UAVs are storage texel buffers, SRVs uniform texel buffers.
            ResourceClass::Uav => (Op::ImageRead, Op::ImageSparseRead),
            _ => (Op::ImageFetch, Op::ImageSparseFetch),
        };
        let texel = match codes {
            None => e.b.op(op, four, &[image, texel]),
            Some(codes) => {
                let (code, texel) = e.sparse(sparse, four, &[image, texel]);
                codes.push(code);
                texel
            }
        };
        let mut id = e.b.extract(word, texel, 0);
        if self.bits() == 16 {
            let shift = half_shift(e, element);
            id = e.b.op(Op::ShiftRightLogical, word, &[id, shift]);
            id = e.b.op(Op::UConvert, ty, &[id]);
        }
        Ok(id)
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
        if let Some(block) = &self.block {
            e.resources.note_write(block);
            let pointer = self.block_pointer(e, block, element);
            block.store(e, pointer, value, self.bytes());
            return Ok(());
        }
        let texel = self.texel(e, element);
        if self.bits() == 16 {
            let pointer = self.texel_pointer(e, texel)?;
            store_half(e, pointer, element, value);
            return Ok(());
        }
        let image = self.image(e)?;
        let four = e.b.ty_words(4);
        // The format has one component; the others are ignored.
        let value = e.b.construct(four, &[value; 4]);
        e.b.op_void(Op::ImageWrite, &[image, texel, value]);
        Ok(())
    }

    /// Returns the bytes of a raw buffer, or the structs of a structured one.
    pub(super) fn size(&self, e: &mut Emitter<'_>) -> Result<Word, Error> {
        let stride = stride(e, &self.handle.desc)?;
        // In bytes, or in words.
        let (size, is_words) = match (&self.block, self.window) {
            // D3D does not define the size of a root descriptor's buffer.
            (Some(block), _) if block.is_at_address() => return Ok(e.b.const_u32(0)),
            (block, Some(window)) => (window.size(e), block.is_none()),
            (Some(d), None) => {
                let block = e.descriptor_pointer(d, &[], d.pointee);
                (e.b.word(Op::ArrayLength, &[block, 0]), true)
            }
            (None, None) => {
                let image = self.image(e)?;
                e.b.caps.add(Capability::ImageQuery);
                (e.b.word(Op::ImageQuerySize, &[image]), true)
            }
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
        Ok(e.b.word_with(Op::UDiv, bytes, stride))
    }
}

/// Returns by how many bits the half of a word is shifted that an element of 16 bits is.
fn half_shift(e: &mut Emitter<'_>, element: Word) -> Word {
    let (one, four) = (e.b.const_u32(1), e.b.const_u32(4));
    let odd = e.b.word(Op::BitwiseAnd, &[element, one]);
    e.b.word(Op::ShiftLeftLogical, &[odd, four])
}

/// Stores half of a word: atomically, as another invocation may store the other half.
fn store_half(e: &mut Emitter<'_>, pointer: Word, element: Word, value: Word) {
    let (word, shift, low) = (e.b.ty_u32(), half_shift(e, element), e.b.const_u32(0xFFFF));
    let wide = e.b.op(Op::UConvert, word, &[value]);
    let bits = e.b.op(Op::ShiftLeftLogical, word, &[wide, shift]);
    let mask = e.b.op(Op::ShiftLeftLogical, word, &[low, shift]);
    let others = e.b.op(Op::Not, word, &[mask]);
    for (op, operand) in [(Op::AtomicAnd, others), (Op::AtomicOr, bits)] {
        e.atomic(op, word, pointer, &[operand]);
    }
}
