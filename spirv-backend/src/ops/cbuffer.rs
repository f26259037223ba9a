//! Constant buffers: a uniform block of rows of four words.

use rspirv::spirv::{Op, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::CBufferOp;

use super::Emitter;
use super::memory_number::{from_memory, memory_bits};
use crate::error::{Error, InvalidKind};
use crate::resources::arg_handle;
use crate::resources::{Access, BlockWords, Descriptor, Handle, WordIndex};
use crate::resources::{block_word, word_of_row};
use crate::values::known_bits::low_bits;
use crate::values::{Scalar, Shape, Sum};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: CBufferOp) -> Result<(), Error> {
    match op {
        CBufferOp::CBufferLoadLegacy => load_row(e),
        CBufferOp::CBufferLoad => load_bytes(e),
    }
}

fn rows(handle: &Handle) -> u64 {
    u64::from(handle.desc.size.div_ceil(16).max(1))
}

/// The numbers of a row that are in use, a bit for each.
#[derive(Clone, Copy)]
struct Used(u32);

impl Used {
    fn numbers(self) -> impl Iterator<Item = u32> {
        (0..8).filter(move |i| self.0 >> i & 1 != 0)
    }
}

/// Emits `CBufferLoadLegacy(handle, row)`: 16 bytes as 8, 4 or 2 numbers. Minimum-precision numbers
/// take 32 bits each.
fn load_row(e: &mut Emitter<'_>) -> Result<(), Error> {
    let handle = arg_handle(e, 0)?;
    let count = e.field_count(e.call.inst);
    let shape = e.shape(e.field_type(e.call.inst, 0)?)?;
    let bits = match count {
        8 => 16,
        4 => 32,
        2 => 64,
        _ => {
            let detail = format!("a row of {count} numbers, expected 2, 4 or 8");
            return Err(e.invalid(InvalidKind::Type, detail));
        }
    };
    let is_used = (0..count).map(|i| u32::from(e.is_result_used(i)) << i);
    let used = Used(is_used.sum());
    if used.0 == 0 {
        return Ok(());
    }
    let row = e.arg_value(1)?;
    let known = e.const_int(row);
    if known.is_some_and(|r| r >= rows(&handle)) {
        // Past the end of the buffer D3D reads 0.
        let ty = e.shape_type(shape);
        let zero = e.b.const_null(ty);
        used.numbers().for_each(|i| e.set_result(i, zero));
        return Ok(());
    }
    let words = if let Some(block) = e.resources.block_words(&mut e.f, &handle)? {
        let row = match known {
            Some(row) => Ok(row),
            None => Err(e.id(row)?),
        };
        RowWords::of_block(e, &block, row, used, bits)
    } else {
        let row = e.id(row)?;
        let d = e.descriptor(&handle, Access::Rows)?;
        let bounds = Bounds::of(e, &handle, &d, row, known.is_some());
        let words = RowWords::load(e, &d, bounds.row, used, bits);
        words.within(e, &bounds)
    };
    if let (RowWords::Vector(row), Scalar::Float(32), 32, false) =
        // The usual case: one bit cast of the row in place of one per component.
        (&words, shape.scalar, bits, shape.relaxed)
    {
        set_floats(e, *row, used);
        return Ok(());
    }
    for i in used.numbers() {
        let raw = words.number(e, i, bits)?;
        let id = from_memory(e, raw, bits, shape)?;
        e.set_field(i, shape, id);
    }
    Ok(())
}

/// Sets the results of a load to components of a row, as floats.
fn set_floats(e: &mut Emitter<'_>, row: Word, used: Used) {
    let float = e.b.ty_f32();
    let vector = e.shape_type(Shape::F32.of_lanes(4));
    let row = e.once(Op::Bitcast, vector, &[row]);
    for i in used.numbers() {
        let id = e.once(Op::CompositeExtract, float, &[row, i]);
        e.set_field(i, Shape::F32, id);
    }
}

/// The row that is read, and whether there is one.
struct Bounds {
    row: Word,
    /// Whether the row that the shader reads is in the buffer; `None` if that is not checked.
    is_inside: Option<Word>,
}

impl Bounds {
    /// Returns the row of a buffer to read. Nothing checks the bounds of a buffer at a device
    /// address unless a quirk requires it: then another row is read, and is 0.
    fn of(e: &mut Emitter<'_>, handle: &Handle, d: &Descriptor, row: Word, is_known: bool) -> Self {
        if is_known || !d.is_at_address() || !e.options.quirks.robust_constant_addresses {
            let is_inside = None;
            return Self { row, is_inside };
        }
        let rows = e.b.const_u32(rows(handle) as u32);
        let (bool_ty, zero) = (e.b.ty_bool(), e.b.const_u32(0));
        let is_inside = e.b.op(Op::ULessThan, bool_ty, &[row, rows]);
        let row = e.b.word(Op::Select, &[is_inside, row, zero]);
        Self {
            row,
            is_inside: Some(is_inside),
        }
    }
}

/// The words of a row that are in use.
enum RowWords {
    /// The whole row.
    Vector(Word),
    /// One word of it.
    Single(Word),
}

impl RowWords {
    /// Loads the row. Where words are loaded separately, loads only the word that the `used`
    /// numbers of `bits` bits need, if it is a single one: else the driver sees the same load
    /// wherever the shader reads parts of the row. At a device address the buffer may end in the
    /// row.
    fn load(e: &mut Emitter<'_>, d: &Descriptor, row: Word, used: Used, bits: u32) -> Self {
        let (u32_ty, zero) = (e.b.ty_u32(), e.b.const_u32(0));
        let first = used.0.trailing_zeros() * bits / 32;
        let has_single_words = d.is_at_address() || e.options.workarounds.scalar_buffers;
        if has_single_words && bits <= 32 && used.numbers().all(|i| i * bits / 32 == first) {
            let component = e.b.const_u32(first);
            let pointer = e.descriptor_pointer(d, &[zero, row, component], u32_ty);
            return Self::Single(d.load(e, u32_ty, pointer, 4));
        }
        let vec4 = e.shape_type(Shape::U32.of_lanes(4));
        let pointer = e.descriptor_pointer(d, &[zero, row], vec4);
        Self::Vector(d.load(e, vec4, pointer, 16))
    }

    /// Returns the words, which are 0 if they are out of bounds.
    fn within(self, e: &mut Emitter<'_>, bounds: &Bounds) -> Self {
        let Some(mut is_inside) = bounds.is_inside else {
            return self;
        };
        let word = e.b.ty_u32();
        match self {
            Self::Single(id) => {
                let zero = e.b.const_u32(0);
                Self::Single(e.b.op(Op::Select, word, &[is_inside, id, zero]))
            }
            Self::Vector(id) => {
                let vector = e.b.ty_vec(word, 4);
                let bool_ty = e.b.ty_bool();
                let condition = e.b.ty_vec(bool_ty, 4);
                let zero = e.b.const_null(vector);
                is_inside = e.b.construct(condition, &[is_inside; 4]);
                Self::Vector(e.b.op(Op::Select, vector, &[is_inside, id, zero]))
            }
        }
    }

    /// Loads the words that the `used` numbers of `bits` bits need from a block of words.
    fn of_block(
        e: &mut Emitter<'_>,
        block: &BlockWords,
        row: WordIndex,
        used: Used,
        bits: u32,
    ) -> Self {
        let needs = |word: u32| {
            used.numbers()
                .any(|i| (i * bits / 32..=(i * bits + bits - 1) / 32).contains(&word))
        };
        let needed: SmallVec<[u32; 4]> = (0..4).filter(|&word| needs(word)).collect();
        if let [only] = needed[..] {
            let number = word_of_row(e, row, only);
            return Self::Single(block_word(e, block, number));
        }
        let zero = e.b.const_u32(0);
        let words: SmallVec<[Word; 4]> = (0..4)
            .map(|word| {
                if needs(word) {
                    let number = word_of_row(e, row, word);
                    block_word(e, block, number)
                } else {
                    zero
                }
            })
            .collect();
        let vec4 = e.b.ty_words(4);
        Self::Vector(e.b.construct(vec4, &words))
    }

    /// Returns the number `i` as an unsigned integer of its width; two words in a vector for 64
    /// bits.
    fn number(&self, e: &mut Emitter<'_>, i: u32, bits: u32) -> Result<Word, Error> {
        let u32_ty = e.b.ty_u32();
        let at = i * bits / 32;
        let word = match *self {
            Self::Vector(v) if bits == 64 => {
                let pair = e.b.ty_vec(u32_ty, 2);
                let shuffle = vec![v, v, at, at + 1];
                return Ok(e.b.op(Op::VectorShuffle, pair, &shuffle));
            }
            Self::Vector(v) => e.once(Op::CompositeExtract, u32_ty, &[v, at]),
            Self::Single(_) if bits == 64 => {
                return Err(e.invalid(InvalidKind::Type, "one word read as 64 bits"));
            }
            Self::Single(word) => word,
        };
        Ok(if bits == 16 {
            half_word(e, word, i % 2)
        } else {
            word
        })
    }
}

/// Returns the low (0) or high (1) half of a word as a 16-bit integer.
fn half_word(e: &mut Emitter<'_>, word: Word, half: u32) -> Word {
    let u16_ty = e.b.ty_int(16);
    let word = if half == 0 {
        word
    } else {
        e.b.word_with(Op::ShiftRightLogical, word, 16)
    };
    e.b.op(Op::UConvert, u16_ty, &[word])
}

/// Returns the row of an offset that is a sum of a shifted value and a constant, as a sum: drivers find
/// constant offsets in sums. The offset is taken modulo 2 to the power of 32, and so is the row modulo 2
/// to the power of 28.
fn scaled_row(e: &mut Emitter<'_>, offset: Sum, more: u32) -> Word {
    let mut row = offset.value;
    if offset.shift > 4 {
        row = e.b.word_with(Op::ShiftLeftLogical, row, offset.shift - 4);
    }
    let more = offset.more.wrapping_add(more) >> 4;
    if more != 0 {
        row = e.b.word_with(Op::IAdd, row, more);
    }
    e.b.word_with(Op::BitwiseAnd, row, u32::MAX >> 4)
}

/// Emits `CBufferLoad(handle, byteOffset, alignment)`: one number at any aligned offset.
fn load_bytes(e: &mut Emitter<'_>) -> Result<(), Error> {
    let handle = arg_handle(e, 0)?;
    let shape = e.shape(e.call.ty)?;
    let bits = memory_bits(e, shape)?;
    let u32_ty = e.b.ty_u32();
    let offset = e.arg_value(1)?;
    let size = rows(&handle) * 16;
    if e.const_int(offset)
        .is_some_and(|o| o.saturating_add(u64::from(bits / 8)) > size)
    {
        let ty = e.shape_type(shape);
        // Past the end of the buffer D3D reads 0.
        let null = e.b.const_null(ty);
        e.set_result(0, null);
        return Ok(());
    }
    let block = e.resources.block_words(&mut e.f, &handle)?;
    let d = match block {
        Some(_) => None,
        None => Some(e.descriptor(&handle, Access::Rows)?),
    };
    let is_known = e.const_int(offset).is_some();
    let (known, low) = low_bits(e, offset);
    let offset = e.id(offset)?;
    // With a variable part of whole rows, the constant part of the row can be added to it.
    let sum = Some(e.sum_of(offset)).filter(|sum| sum.shift >= 4);
    let word = |e: &mut Emitter<'_>, more: u32| {
        let at = if more == 0 {
            offset
        } else {
            let more = e.b.const_u32(more);
            e.b.op(Op::IAdd, u32_ty, &[offset, more])
        };
        let (four, two, three) = (e.b.const_u32(4), e.b.const_u32(2), e.b.const_u32(3));
        let Some(d) = &d else {
            let number = e.b.op(Op::ShiftRightLogical, u32_ty, &[at, two]);
            return block.map_or(number, |block| block_word(e, &block, Err(number)));
        };
        let zero = e.b.const_u32(0);
        let row = match sum {
            Some(sum) => scaled_row(e, sum, more),
            None => e.b.op(Op::ShiftRightLogical, u32_ty, &[at, four]),
        };
        let bounds = Bounds::of(e, &handle, d, row, is_known);
        // Elements of an array of rows are in the same component, whatever their number is.
        let component = if known >= 4 {
            let low = (low as u32 & 15).wrapping_add(more);
            e.b.const_u32(low >> 2 & 3)
        } else {
            let at = e.b.op(Op::ShiftRightLogical, u32_ty, &[at, two]);
            e.b.op(Op::BitwiseAnd, u32_ty, &[at, three])
        };
        let pointer = e.descriptor_pointer(d, &[zero, bounds.row, component], u32_ty);
        let loaded = d.load(e, u32_ty, pointer, 4);
        match bounds.is_inside {
            Some(is_inside) => e.b.op(Op::Select, u32_ty, &[is_inside, loaded, zero]),
            None => loaded,
        }
    };
    let raw = match bits {
        64 => {
            let parts = [word(e, 0), word(e, 4)];
            let pair = e.b.ty_vec(u32_ty, 2);
            e.b.construct(pair, &parts)
        }
        16 => {
            let whole = word(e, 0);
            let (two, three) = (e.b.const_u32(2), e.b.const_u32(3));
            // Bit position of the half: 8 times the offset within the word, which is 0 or 2.
            let in_word = e.b.op(Op::BitwiseAnd, u32_ty, &[offset, two]);
            let bit = e.b.op(Op::ShiftLeftLogical, u32_ty, &[in_word, three]);
            let shifted = e.b.op(Op::ShiftRightLogical, u32_ty, &[whole, bit]);
            let u16_ty = e.b.ty_int(16);
            e.b.op(Op::UConvert, u16_ty, &[shifted])
        }
        _ => word(e, 0),
    };
    let id = from_memory(e, raw, bits, shape)?;
    e.set_new_result(shape, id);
    Ok(())
}
