//! Matrices of a wave in AGS, as cooperative matrices of the subgroup (`SPV_KHR_cooperative_matrix`).
//!
//! The result of each operation is kept in a variable. The shader may also have it as 8 words for
//! each lane, with one element of 32 bits, two of 16 bits or four of 8 bits: then the words that
//! are used are loaded from the elements of the variable, and where they become a matrix again,
//! stored to these. A lane may have fewer elements than there is room for, depending on the device:
//! the numbers of the elements are clamped to the last one, and stores begin with the last. There
//! is room for 8 elements of 32 bits, and for 16 others, as lanes need for 16 x 16 matrices in
//! waves of 32 lanes or more.
//!
//! Not in the extension are conversions from one use of a matrix to another: they are a store to
//! groupshared memory and a load.

use rspirv::spirv::{
    BuiltIn, Capability, CooperativeMatrixLayout, Decoration, FPEncoding, GlslStd450Op as GLOp,
    MemoryAccess, MemorySemantics, Op, Scope, StorageClass, Word,
};
use smallvec::SmallVec;

use super::Emitter;
use super::elements::Elements;
use super::float8;
use super::state::{Made, Matrix, WORDS};
use crate::error::{Error, InvalidKind};
use crate::memory;
use crate::resources::{Access, arg_handle};
use crate::values::Shape;
use crate::vendor::wave_matrix::{Element, MatrixType, Product};
use crate::vendor::{NUMBER, OPERANDS, Private};

/// Rows and columns.
const SIZE: u32 = 16;
/// Elements of fewer bits than 32 that there is room for.
const SMALL: u32 = 16;
/// Numbers of the uses of a matrix.
const LEFT: u32 = 0;
const RIGHT: u32 = 1;
const ACCUMULATOR: u32 = 2;

/// Emits one of the private operations on matrices.
pub(super) fn emit(e: &mut Emitter<'_>, op: Private) -> Result<(), Error> {
    check_result(e)?;
    let code = e.arg_const(NUMBER)? >> 8;
    match op {
        Private::MatrixWords => return words(e, code as usize),
        Private::MatrixMultiply => return multiply(e, code),
        _ => {}
    }
    let ty = MatrixType::from_code(code & 0xFF)
        .ok_or_else(|| e.invalid(InvalidKind::Operand, "a type of matrices"))?;
    let (element, used_as) = (ty.element, ty.used_as);
    let matrix = match op {
        Private::MatrixFill => {
            let word = word(e, OPERANDS)?;
            let value = elements_of_word(e, element, word)[0];
            let matrix = matrix_type(e, element, used_as);
            e.b.op(Op::CompositeConstruct, matrix, &[value])
        }
        Private::MatrixConvert => {
            let to = MatrixType::from_code(code >> 8 & 0xFF)
                .ok_or_else(|| e.invalid(InvalidKind::Operand, "a type of matrices"))?;
            let operand = operand(e, 0, (element, used_as))?;
            let saturates = code >> 16 != 0;
            let id = convert(e, operand, (element, to.element), used_as, saturates);
            let id = other_use(e, id, to.element, (used_as, to.used_as));
            return made(e, (to.element, to.used_as), id);
        }
        Private::MatrixArithmetic => {
            let ty = matrix_type(e, element, used_as);
            let operands = [0, 1].map(|i| operand(e, i, (element, used_as)));
            let [a, b] = operands;
            let op = match (code >> 8, element.is_float(), element.is_signed()) {
                (1, true, _) => Op::FAdd,
                (1, false, _) => Op::IAdd,
                (2, true, _) => Op::FSub,
                (2, false, _) => Op::ISub,
                (4, true, _) => Op::FDiv,
                (4, false, true) => Op::SDiv,
                (4, false, false) => Op::UDiv,
                (_, true, _) => Op::FMul,
                (_, false, _) => Op::IMul,
            };
            e.b.op(op, ty, &[a?, b?])
        }
        Private::MatrixLoad | Private::MatrixStore => {
            let place = buffer(e)?;
            if op == Private::MatrixStore {
                let stored = operand(e, 3, (element, used_as))?;
                store(e, &place, stored, ty.column_major);
                return Ok(());
            }
            load(e, &place, (element, used_as), ty.column_major)
        }
        Private::MatrixLoadShared | Private::MatrixStoreShared => {
            let (pointer, stride) = (e.arg_value(OPERANDS)?, OPERANDS + 1);
            let distance = e.arg_value(stride)?;
            let pointer = memory::word_pointer(&mut e.f, &mut e.memory, pointer, distance)?;
            let stride = word(e, stride)?;
            let place = MatrixInMemory {
                pointer,
                stride,
                aligned: false,
            };
            if op == Private::MatrixStoreShared {
                let stored = operand(e, 2, (element, used_as))?;
                store(e, &place, stored, ty.column_major);
                return Ok(());
            }
            load(e, &place, (element, used_as), ty.column_major)
        }
        _ => {
            let id = length(e, element, used_as);
            // Four elements of 8 bits count as one.
            let id = if element.bits() == 8 {
                shifted(e, Op::ShiftRightLogical, id, 2)
            } else {
                id
            };
            e.set_result(0, id);
            return Ok(());
        }
    };
    made(e, (element, used_as), matrix)
}

/// Checks that the result is a word or the 8 words of a matrix.
fn check_result(e: &Emitter<'_>) -> Result<(), Error> {
    let count = e.field_count(e.call.inst);
    let mut fine = matches!(count, 0 | 8);
    if count == 0 {
        fine = e.shape(e.call.ty)? == Shape::U32;
    }
    for i in 0..count {
        fine &= e.shape(e.field_type(e.call.inst, i)?)? == Shape::U32;
    }
    if fine {
        Ok(())
    } else {
        Err(e.invalid(InvalidKind::Type, "the words of a matrix"))
    }
}

/// Returns an operand that is a word.
fn word(e: &mut Emitter<'_>, index: usize) -> Result<Word, Error> {
    let value = e.arg_value(index)?;
    if e.value_shape(value)? != Shape::U32 {
        return Err(e.invalid(InvalidKind::Type, "a word of a matrix"));
    }
    e.id(value)
}

/// Returns the type of an element.
fn element_type(e: &mut Emitter<'_>, element: Element) -> Word {
    let encoding = match element {
        Element::I8 | Element::U8 => return e.b.ty_int(8),
        Element::F16 => return e.b.ty_float(16),
        Element::F32 => return e.b.ty_f32(),
        Element::I32 | Element::U32 => return e.b.ty_u32(),
        Element::E5M2 | Element::E4M3 if !e.options.extensions.float8 => return e.b.ty_int(8),
        Element::E5M2 => FPEncoding::Float8E5M2EXT,
        Element::E4M3 => FPEncoding::Float8E4M3EXT,
    };
    e.b.caps.add(Capability::Float8EXT);
    e.b.caps.add(Capability::Float8CooperativeMatrixEXT);
    e.b.ty_other(Op::TypeFloat, &[8, encoding as Word])
}

fn matrix_type(e: &mut Emitter<'_>, element: Element, used_as: u32) -> Word {
    e.b.caps.add(Capability::CooperativeMatrixKHR);
    let element = element_type(e, element);
    let scope = e.b.const_u32(Scope::Subgroup as u32);
    let (size, used_as) = (e.b.const_u32(SIZE), e.b.const_u32(used_as));
    let operands = [element, scope, size, size, used_as];
    e.b.ty_other(Op::TypeCooperativeMatrixKHR, &operands)
}

/// Returns the number of elements that an invocation has of a matrix.
fn length(e: &mut Emitter<'_>, element: Element, used_as: u32) -> Word {
    let matrix = matrix_type(e, element, used_as);
    e.b.word(Op::CooperativeMatrixLengthKHR, &[matrix])
}

fn shifted(e: &mut Emitter<'_>, op: Op, id: Word, by: u32) -> Word {
    e.b.word_with(op, id, by)
}

/// Records the result of an operation, and sets its words that are used.
fn made(e: &mut Emitter<'_>, (element, used_as): (Element, u32), id: Word) -> Result<(), Error> {
    let matrix = matrix_type(e, element, used_as);
    let variable = e.b.variable(StorageClass::Function, matrix, None);
    e.b.op_void(Op::Store, &[variable, id]);
    let matrix = Matrix {
        element,
        used_as,
        variable,
        id,
        block: e.b.block_number(),
    };
    let used: SmallVec<[u32; WORDS]> = (0..WORDS as u32).filter(|&i| e.is_result_used(i)).collect();
    let words = words_of(e, &matrix, &used);
    for (&i, word) in used.iter().zip(words) {
        e.set_result(i, word);
    }
    let inst = e.call.inst;
    e.state.matrices.insert(inst, Made::Matrix(matrix));
    Ok(())
}

/// Returns the pointer to an element, clamped to the last one.
fn element_pointer(e: &mut Emitter<'_>, matrix: &Matrix, last: Word, number: u32) -> Word {
    let (word, mut index) = (e.b.ty_u32(), e.b.const_u32(number));
    if number > 0 {
        index = e.b.ext(GLOp::UMin, word, &[index, last]);
    }
    let element = element_type(e, matrix.element);
    e.b.access(StorageClass::Function, element, matrix.variable, &[index])
}

/// Returns the number of the last element.
fn last(e: &mut Emitter<'_>, matrix: &Matrix) -> Word {
    let length = length(e, matrix.element, matrix.used_as);
    e.b.word_with(Op::ISub, length, 1)
}

/// Returns how many elements there is room for.
fn room(element: Element) -> u32 {
    SMALL.min(WORDS as u32 * 32 / element.bits())
}

/// Returns some of the words of a matrix.
fn words_of(e: &mut Emitter<'_>, matrix: &Matrix, which: &[u32]) -> SmallVec<[Word; WORDS]> {
    let mut words = SmallVec::new();
    if which.is_empty() {
        return words;
    }
    let last = last(e, matrix);
    let count = 32 / matrix.element.bits();
    let (element, word) = (element_type(e, matrix.element), e.b.ty_u32());
    for &i in which {
        if i * count >= room(matrix.element) {
            words.push(e.b.const_u32(0));
            continue;
        }
        let parts: SmallVec<[Word; 4]> = (0..count)
            .map(|part| {
                let pointer = element_pointer(e, matrix, last, i * count + part);
                e.load(element, pointer)
            })
            .collect();
        let whole = if count == 1 {
            parts[0]
        } else {
            e.b.vector(element, &parts)
        };
        words.push(match matrix.element {
            Element::I32 | Element::U32 => whole,
            _ => e.b.bitcast(word, whole),
        });
    }
    words
}

/// Returns the elements that a word is.
fn elements_of_word(e: &mut Emitter<'_>, element: Element, word: Word) -> SmallVec<[Word; 4]> {
    let ty = element_type(e, element);
    let count = 32 / element.bits();
    let mut elements = SmallVec::new();
    if count == 1 {
        elements.push(match element {
            Element::I32 | Element::U32 => word,
            _ => e.b.bitcast(ty, word),
        });
        return elements;
    }
    let vector = e.b.ty_vec(ty, count);
    let whole = e.b.bitcast(vector, word);
    elements.extend((0..count).map(|i| e.b.extract(ty, whole, i)));
    elements
}

/// Notes words that become an operand.
fn words(e: &mut Emitter<'_>, count: usize) -> Result<(), Error> {
    let before = e.arg_value(OPERANDS)?;
    let before = e.def(before).map(|(inst, _)| inst);
    let known = before.and_then(|inst| e.state.matrices.get(&inst));
    let mut words = match known {
        Some(Made::Words(words)) => words.clone(),
        _ => SmallVec::new(),
    };
    for i in 0..count {
        words.push(word(e, OPERANDS + 1 + i)?);
    }
    let inst = e.call.inst;
    e.state.matrices.insert(inst, Made::Words(words));
    Ok(())
}

/// Returns an operand as a matrix of a type.
fn operand(
    e: &mut Emitter<'_>,
    index: usize,
    (element, used_as): (Element, u32),
) -> Result<Word, Error> {
    let value = e.arg_value(OPERANDS + index)?;
    let made = e.def(value).map(|(inst, _)| inst);
    let made = made.and_then(|inst| e.state.matrices.get(&inst).cloned());
    let matrix = matrix_type(e, element, used_as);
    let words = match made {
        Some(Made::Matrix(m)) if matrix_type(e, m.element, m.used_as) == matrix => {
            return Ok(if m.block == e.b.block_number() {
                m.id
            } else {
                e.load(matrix, m.variable)
            });
        }
        Some(Made::Matrix(other)) => words_of(e, &other, &[0, 1, 2, 3, 4, 5, 6, 7]),
        Some(Made::Words(words)) if words.len() == WORDS => words,
        _ => return Err(e.invalid(InvalidKind::Operand, "a matrix of a wave")),
    };
    let variable = e.b.variable(StorageClass::Function, matrix, None);
    let whole = Matrix {
        element,
        used_as,
        variable,
        id: 0,
        block: e.b.block_number(),
    };
    let last = last(e, &whole);
    let count = 32 / element.bits();
    for (i, &word) in words.iter().enumerate().rev() {
        let first = i as u32 * count;
        if first >= room(element) {
            continue;
        }
        let parts = elements_of_word(e, element, word);
        for (part, &value) in parts.iter().enumerate().rev() {
            let pointer = element_pointer(e, &whole, last, first + part as u32);
            e.b.op_void(Op::Store, &[pointer, value]);
        }
    }
    Ok(e.load(matrix, variable))
}

fn multiply(e: &mut Emitter<'_>, code: u64) -> Result<(), Error> {
    let product = Product::from_code(code)
        .ok_or_else(|| e.invalid(InvalidKind::Operand, "a product of matrices"))?;
    let [left, right, sum] = product.elements;
    let mut operands: SmallVec<[Word; 4]> = SmallVec::new();
    for (i, ty) in [(left, LEFT), (right, RIGHT), (sum, ACCUMULATOR)]
        .into_iter()
        .enumerate()
    {
        let id = operand(e, i, ty)?;
        operands.push(match format_of(e, ty.0) {
            Some(_) => by_element(e, id, (ty.0, Element::F16), ty.1, false),
            None => id,
        });
    }
    // Signed elements of each operand and of the result, which has the type of the last.
    let mut flags = 0;
    for (i, element) in [left, right, sum, sum].into_iter().enumerate() {
        flags |= u32::from(element.is_signed()) << i;
    }
    flags |= u32::from(product.saturates) << 4;
    if flags != 0 {
        operands.push(flags);
    }
    let ty = matrix_type(e, sum, ACCUMULATOR);
    let id = e.b.op(Op::CooperativeMatrixMulAddKHR, ty, &operands);
    made(e, (sum, ACCUMULATOR), id)
}

/// Converts the elements of a matrix.
fn convert(
    e: &mut Emitter<'_>,
    id: Word,
    (from, to): (Element, Element),
    used_as: u32,
    saturates: bool,
) -> Word {
    if from == to {
        return id;
    }
    if format_of(e, from).is_some() {
        let halves = by_element(e, id, (from, Element::F16), used_as, false);
        return convert(e, halves, (Element::F16, to), used_as, saturates);
    }
    if format_of(e, to).is_some() {
        let source = if from.is_float() { from } else { Element::F32 };
        let id = convert(e, id, (from, source), used_as, false);
        return by_element(e, id, (source, to), used_as, saturates);
    }
    let ty = matrix_type(e, to, used_as);
    if ty == matrix_type(e, from, used_as) {
        return id;
    }
    let op = match (from.is_float(), to.is_float()) {
        (true, true) => Op::FConvert,
        (true, false) if to.is_signed() => Op::ConvertFToS,
        (true, false) => Op::ConvertFToU,
        (false, true) if from.is_signed() => Op::ConvertSToF,
        (false, true) => Op::ConvertUToF,
        (false, false) if from.is_signed() => Op::SConvert,
        (false, false) => Op::UConvert,
    };
    let id = e.b.op(op, ty, &[id]);
    if saturates && op == Op::FConvert && to.bits() == 8 {
        let decoration = Decoration::SaturatedToLargestFloat8NormalConversionEXT;
        e.b.decorate(id, decoration, &[]);
    }
    id
}

/// Returns the format of elements that the device does not have, which are bytes then.
fn format_of(e: &Emitter<'_>, element: Element) -> Option<float8::Format> {
    match element {
        _ if e.options.extensions.float8 => None,
        Element::E5M2 => Some(float8::E5M2),
        Element::E4M3 => Some(float8::E4M3),
        _ => None,
    }
}

/// Converts the elements of a matrix from or to ones of [`format_of`], one after another: on devices
/// with AGS a lane has the same elements of both matrices.
fn by_element(
    e: &mut Emitter<'_>,
    id: Word,
    (from, to): (Element, Element),
    used_as: u32,
    saturates: bool,
) -> Word {
    let block = e.b.block_number();
    let [source, target] = [from, to].map(|element| {
        let matrix = matrix_type(e, element, used_as);
        let variable = e.b.variable(StorageClass::Function, matrix, None);
        let id = 0;
        Matrix {
            element,
            used_as,
            variable,
            id,
            block,
        }
    });
    e.b.op_void(Op::Store, &[source.variable, id]);
    let lasts = [last(e, &source), last(e, &target)];
    let [from_type, to_type] = [from, to].map(|element| element_type(e, element));
    let (float, word) = (e.b.ty_f32(), e.b.ty_u32());
    for i in (0..room(from).min(room(to))).rev() {
        let pointer = element_pointer(e, &source, lasts[0], i);
        let mut value = e.load(from_type, pointer);
        if let Some(format) = format_of(e, from) {
            let code = e.b.op(Op::UConvert, word, &[value]);
            let bits = float8::decode(e, code, format);
            let single = e.b.bitcast(float, bits);
            value = e.b.op(Op::FConvert, to_type, &[single]);
        } else if let Some(format) = format_of(e, to) {
            if from == Element::F16 {
                value = e.b.op(Op::FConvert, float, &[value]);
            }
            let bits = e.b.bitcast(word, value);
            let code = float8::encode(e, bits, format, saturates);
            value = e.b.op(Op::UConvert, to_type, &[code]);
        }
        let pointer = element_pointer(e, &target, lasts[1], i);
        e.b.op_void(Op::Store, &[pointer, value]);
    }
    let matrix = matrix_type(e, to, used_as);
    e.load(matrix, target.variable)
}

/// Stores a matrix to groupshared memory and loads it as one with another use.
fn other_use(e: &mut Emitter<'_>, id: Word, element: Element, (from, to): (u32, u32)) -> Word {
    if from == to {
        return id;
    }
    let (word, area) = (e.b.ty_u32(), SIZE * SIZE);
    if e.matrix_scratch == 0 {
        // One area for each subgroup, which has 32 invocations or more.
        let threads = e.entry.properties.num_threads.unwrap_or([1; 3]);
        let threads = threads.iter().fold(1, |all: u32, &n| all.saturating_mul(n));
        let waves = threads.div_ceil(32).clamp(1, 1 << 10);
        let array = e.b.ty_array(word, area * waves);
        e.matrix_scratch = e.f.b.variable(StorageClass::Workgroup, array, None);
    }
    let wave = e.builtin(BuiltIn::SubgroupId, Shape::U32);
    e.b.caps.add(Capability::GroupNonUniform);
    let first = shifted(e, Op::ShiftLeftLogical, wave, area.trailing_zeros());
    let scratch = e.matrix_scratch;
    let pointer = e.b.access(StorageClass::Workgroup, word, scratch, &[first]);
    let place = MatrixInMemory {
        pointer,
        stride: e.b.const_u32(SIZE),
        aligned: false,
    };
    wait(e);
    store(e, &place, id, false);
    wait(e);
    load(e, &place, (element, to), false)
}

/// Waits for the subgroup, and for its accesses to groupshared memory.
fn wait(e: &mut Emitter<'_>) {
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    let scope = e.b.const_u32(Scope::Subgroup as u32);
    let semantics = e.b.const_u32(semantics.bits());
    let operands = [scope, scope, semantics];
    e.b.op_void(Op::ControlBarrier, &operands);
}

/// Where a matrix is in memory.
struct MatrixInMemory {
    /// A pointer to its first word.
    pointer: Word,
    /// Words from a row or column to the next.
    stride: Word,
    /// The access needs an alignment.
    aligned: bool,
}

/// Returns the place in a buffer that the operands give: addresses are multiples of 4 bytes.
fn buffer(e: &mut Emitter<'_>) -> Result<MatrixInMemory, Error> {
    let handle = arg_handle(e, OPERANDS)?;
    let elements = Elements::of(e, &handle, Access::Elements(32))?;
    let (address, stride) = (word(e, OPERANDS + 1)?, word(e, OPERANDS + 2)?);
    let word = shifted(e, Op::ShiftRightLogical, address, 2);
    let (pointer, aligned) = elements.word_pointer(e, word)?;
    let stride = shifted(e, Op::ShiftRightLogical, stride, 2);
    Ok(MatrixInMemory {
        pointer,
        stride,
        aligned,
    })
}

fn layout(e: &mut Emitter<'_>, column_major: bool) -> Word {
    let layout = if column_major {
        CooperativeMatrixLayout::ColumnMajorKHR
    } else {
        CooperativeMatrixLayout::RowMajorKHR
    };
    e.b.const_u32(layout as u32)
}

/// The operands of an access to memory: those before the place's stride, the stride, and the alignment.
fn access(place: &MatrixInMemory, before: &[Word]) -> SmallVec<[Word; 8]> {
    let mut operands: SmallVec<[Word; 8]> = before.into();
    operands.push(place.stride);
    if place.aligned {
        operands.extend([MemoryAccess::ALIGNED.bits(), 4]);
    }
    operands
}

fn load(
    e: &mut Emitter<'_>,
    place: &MatrixInMemory,
    (element, used_as): (Element, u32),
    column_major: bool,
) -> Word {
    let ty = matrix_type(e, element, used_as);
    let layout = layout(e, column_major);
    let operands = access(place, &[place.pointer, layout]);
    e.b.op(Op::CooperativeMatrixLoadKHR, ty, &operands)
}

fn store(e: &mut Emitter<'_>, place: &MatrixInMemory, id: Word, column_major: bool) {
    let layout = layout(e, column_major);
    let operands = access(place, &[place.pointer, id, layout]);
    e.b.op_void(Op::CooperativeMatrixStoreKHR, &operands);
}
