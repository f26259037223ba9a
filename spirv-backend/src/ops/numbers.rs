//! Numbers of one type in a raw or structured buffer: as elements, or as vectors of elements.
//!
//! Vectors need fewer instructions, and the driver need not find them. Structured buffers are
//! bounds-checked per struct: a vector inside one struct is either fully in bounds or fully out. Raw
//! buffers are checked per word, so their vectors are pairs of halves.

use rspirv::spirv::{Op, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::ResourceKind;

use super::Emitter;
use super::buffer_address::Address;
use super::elements::{Codes, Elements};
use super::memory_number::{from_memory, memory_bits, to_memory};
use super::pieces::{Alignment, Piece, pieces};
use crate::error::{Error, InvalidKind};
use crate::resources::{Access, Handle};
use crate::values::Shape;
use crate::values::known_bits::low_zeros;

/// The most bytes of a vector.
const LARGEST: u32 = 16;

/// Returns `(element_bits, elements_per_number)` for a `bits`-wide number in memory.
fn elements_of(bits: u32) -> (u32, u32) {
    if bits == 64 { (32, 2) } else { (bits, 1) }
}

/// Numbers of one type in a buffer.
pub(super) struct Numbers {
    handle: Handle,
    /// Index and offset.
    place: [ValueId; 2],
    alignment: Alignment,
    /// A number, as an operation has it.
    shape: Shape,
    /// Bits of a number in memory.
    bits: u32,
    /// The buffer as vectors: number of elements, the vectors, and the address in them.
    views: SmallVec<[(u32, Elements, Address); 2]>,
    /// The residency codes of the texels that were loaded, if the status is used.
    codes: Option<Codes>,
}

/// An element that was loaded: in a vector, or alone.
#[derive(Clone, Copy)]
pub(super) struct LoadedElement {
    vector: Word,
    lanes: u32,
    lane: u32,
    /// The vector has the type of the operation's numbers.
    is_converted: bool,
}

/// The elements that were loaded, by number.
pub(super) type LoadedElements = SmallVec<[Option<LoadedElement>; 8]>;

impl Numbers {
    /// Returns the numbers at a place in a buffer.
    pub(super) fn at(
        e: &mut Emitter<'_>,
        handle: &Handle,
        place: [ValueId; 2],
        shape: Shape,
    ) -> Result<Self, Error> {
        let bits = memory_bits(e, shape)?;
        let has_vectors =
            !e.options.workarounds.scalar_buffers && e.resources.has_vectors(&e.f, handle)?;
        Ok(Self {
            handle: *handle,
            place,
            alignment: match has_vectors {
                true => alignment(e, handle, place),
                false => Alignment::of_multiple(1, 1),
            },
            shape: shape.of_lanes(1),
            bits,
            views: SmallVec::new(),
            codes: None,
        })
    }

    /// Returns the buffer as vectors, and the address in these.
    fn view(
        &mut self,
        e: &mut Emitter<'_>,
        lanes: u32,
    ) -> Result<&(u32, Elements, Address), Error> {
        let known = self.views.iter().position(|view| view.0 == lanes);
        let at = match known {
            Some(at) => at,
            None => {
                let (element, _) = elements_of(self.bits);
                let access = match lanes {
                    1 => Access::Elements(element),
                    _ => Access::Vectors(element, lanes),
                };
                let buffer = Elements::of(e, &self.handle, access)?;
                let bytes = element / 8 * lanes;
                let address = Address::of(e, &self.handle.desc, self.place, bytes)?;
                self.views.push((lanes, buffer, address));
                self.views.len() - 1
            }
        };
        Ok(&self.views[at])
    }

    /// Makes loads from texels note their residency codes.
    pub(super) fn with_codes(mut self) -> Self {
        self.codes = Some(Codes::new());
        self
    }

    /// Returns the residency code of all loads: the first of a texel that is not mapped, else the
    /// last. `None` without [`Self::with_codes`].
    pub(super) fn code(&self, e: &mut Emitter<'_>) -> Option<Word> {
        let (first, more) = self.codes.as_ref()?.split_first()?;
        let (bool_ty, u32_ty) = (e.b.ty_bool(), e.b.ty_u32());
        Some(more.iter().fold(*first, |code, &next| {
            let is_mapped = e.b.op(Op::ImageSparseTexelsResident, bool_ty, &[code]);
            e.b.op(Op::Select, u32_ty, &[is_mapped, next, code])
        }))
    }

    /// Returns the number of a piece, which begins with element `first`, in vectors after their
    /// address.
    fn more(&self, first: u32, lanes: u32) -> u32 {
        let (element, _) = elements_of(self.bits);
        let bytes = element / 8;
        // The address in vectors is rounded down.
        (self.alignment.remainder % (bytes * lanes) + first * bytes) / (bytes * lanes)
    }

    /// Splits an access to the numbers that `is_used` selects, of `count`.
    fn split(
        &self,
        is_used: impl Fn(u32) -> bool,
        count: u32,
        is_load: bool,
    ) -> SmallVec<[Piece; 8]> {
        let (element, each) = elements_of(self.bits);
        let (bytes, ones) = (element / 8, (1 << each) - 1);
        let mut split = SmallVec::new();
        // Long vectors have more than four.
        for start in (0..count).step_by(4) {
            let of_number = |i: u32| (u32::from(is_used(start + i)) * ones) << (i * each);
            let used = (0..4.min(count - start)).fold(0, |used, i| used | of_number(i));
            let first = start * each;
            let alignment = self.alignment.plus(first * bytes);
            let parts = pieces(alignment, bytes, used, is_load).into_iter();
            split.extend(parts.map(|piece| Piece {
                first: first + piece.first,
                ..piece
            }));
        }
        split
    }

    /// Returns true if a vector of elements becomes a vector of the operation's numbers by a bit cast.
    fn is_plain(&self) -> bool {
        let is_same = self.shape.scalar.width() == self.bits;
        // The upper half of a narrow integer is made where it is stored.
        self.bits != 64 && is_same && !self.shape.is_narrow()
    }

    /// Loads the numbers that `is_used` selects, of `count`.
    pub(super) fn load(
        &mut self,
        e: &mut Emitter<'_>,
        is_used: impl Fn(u32) -> bool,
        count: u32,
    ) -> Result<LoadedElements, Error> {
        let (_, each) = elements_of(self.bits);
        let mut loaded: LoadedElements = SmallVec::from_elem(None, (count * each) as usize);
        for piece in self.split(is_used, count, true) {
            let more = self.more(piece.first, piece.lanes);
            let mut codes = self.codes.take();
            let (_, buffer, address) = self.view(e, piece.lanes)?;
            let mut vector = buffer.load(e, *address, more, codes.as_mut())?;
            self.codes = codes;
            let is_converted = piece.lanes > 1 && self.is_plain();
            if is_converted {
                let shape = self.shape.of_lanes(piece.lanes);
                vector = from_memory(e, vector, self.bits, shape)?;
            }
            for lane in 0..piece.lanes {
                if let Some(slot) = loaded.get_mut((piece.first + lane) as usize) {
                    *slot = Some(LoadedElement {
                        vector,
                        lanes: piece.lanes,
                        lane,
                        is_converted,
                    });
                }
            }
        }
        Ok(loaded)
    }

    /// Returns a number that was loaded.
    pub(super) fn number(
        &self,
        e: &mut Emitter<'_>,
        loaded: &LoadedElements,
        number: u32,
    ) -> Result<Word, Error> {
        let (element, each) = elements_of(self.bits);
        let get = |at: u32| loaded.get(at as usize).copied().flatten();
        let (Some(low), Some(high)) = (get(number * each), get(number * each + each - 1)) else {
            return Err(e.invalid(InvalidKind::Operand, "a number that is not loaded"));
        };
        if low.is_converted {
            let ty = e.shape_type(self.shape);
            return Ok(e.b.extract(ty, low.vector, low.lane));
        }
        let ty = e.b.ty_int(element);
        let part = |e: &mut Emitter<'_>, part: LoadedElement| match part.lanes {
            1 => part.vector,
            _ => e.b.extract(ty, part.vector, part.lane),
        };
        let raw = match each {
            1 => part(e, low),
            _ if low.vector == high.vector && low.lanes == 2 => low.vector,
            _ => {
                let pair = e.b.ty_vec(ty, 2);
                if low.vector == high.vector {
                    let (v, at) = (low.vector, low.lane);
                    e.b.op(Op::VectorShuffle, pair, &[v, v, at, at + 1])
                } else {
                    let parts = [part(e, low), part(e, high)];
                    e.b.construct(pair, &parts)
                }
            }
        };
        from_memory(e, raw, self.bits, self.shape)
    }

    /// Stores numbers: those that are not `None`.
    pub(super) fn store(
        &mut self,
        e: &mut Emitter<'_>,
        values: &[Option<Word>],
    ) -> Result<(), Error> {
        let is_used = |i: u32| values.get(i as usize).copied().flatten().is_some();
        for piece in self.split(is_used, values.len() as u32, false) {
            let vector = self.stored(e, values, piece.first, piece.lanes)?;
            let more = self.more(piece.first, piece.lanes);
            let (_, buffer, address) = self.view(e, piece.lanes)?;
            buffer.store(e, *address, more, vector)?;
        }
        Ok(())
    }

    /// Returns the value that a piece stores.
    fn stored(
        &self,
        e: &mut Emitter<'_>,
        values: &[Option<Word>],
        first: u32,
        lanes: u32,
    ) -> Result<Word, Error> {
        let (element, each) = elements_of(self.bits);
        let ty = e.b.ty_int(element);
        let vector_ty = e.b.ty_vec(ty, lanes);
        let mut parts = SmallVec::<[Word; 4]>::new();
        for at in first..first + lanes {
            let value = values.get((at / each) as usize).copied().flatten();
            let Some(value) = value else {
                return Err(e.invalid(InvalidKind::Operand, "a number that is not stored"));
            };
            if lanes > 1 && self.is_plain() {
                parts.push(value);
                continue;
            }
            let raw = to_memory(e, self.shape, value, self.bits)?;
            if each == lanes && first.is_multiple_of(each) {
                return Ok(raw);
            }
            parts.push(match each {
                1 => raw,
                _ => e.b.extract(ty, raw, at % each),
            });
        }
        if lanes > 1 && self.is_plain() {
            let number_ty = e.shape_type(self.shape.of_lanes(lanes));
            let vector = e.b.construct(number_ty, &parts);
            return Ok(match number_ty == vector_ty {
                true => vector,
                false => e.b.bitcast(vector_ty, vector),
            });
        }
        Ok(match parts[..] {
            [single] => single,
            _ => e.b.construct(vector_ty, &parts),
        })
    }
}

/// Returns the known alignment of a place's address.
fn alignment(e: &Emitter<'_>, handle: &Handle, [index, offset]: [ValueId; 2]) -> Alignment {
    let desc = &handle.desc;
    let is_structured = desc.kind == ResourceKind::StructuredBuffer;
    let limit = match is_structured {
        true => Alignment::of_multiple(desc.stride, LARGEST).modulus,
        false => 4,
    };
    let mut alignment = Alignment::of_multiple(0, limit);
    for (part, scale) in [
        (index, if is_structured { desc.stride } else { 1 }),
        (offset, 1),
    ] {
        if e.is_undef(part) {
            continue;
        }
        match e.const_int(part) {
            Some(number) => alignment = alignment.plus((number as u32).wrapping_mul(scale)),
            None => {
                let zeros = low_zeros(e, part) + scale.trailing_zeros();
                let multiple = Alignment::of_multiple(1 << zeros.min(31), alignment.modulus);
                alignment.modulus = multiple.modulus;
                alignment = alignment.plus(0);
            }
        }
    }
    alignment
}
