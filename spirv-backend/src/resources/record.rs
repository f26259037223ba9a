//! The shader record: D3D's local root signatures put 32-bit constants after a shader's
//! identifier, where Vulkan has a buffer of its own.
//!
//! A binding model places a constant buffer there, at an offset that it chooses
//! ([`Place::ShaderRecord`]). All of them are members of one block, arrays of words, since
//! their offsets are multiples of four bytes only.

use rspirv::spirv::{Decoration, Op, StorageClass, Word};
use trellis_dxil_frontend::shader::ResourceClass;

use super::Resources;
use super::binding::{Answers, binding_error};
use super::handle::{Handle, Origin, RangeId, range};
use super::root;
use crate::bindings::{BindingError, Place};
use crate::error::{Error, InvalidKind};
use crate::values::FunctionBuilder;

/// The variable of the record.
pub(super) struct Record {
    id: Word,
    members: Vec<Member>,
}

/// A constant buffer in the record.
#[derive(Clone, Copy, Debug)]
struct Member {
    range: RangeId,
    /// Offset in bytes.
    offset: u32,
    words: u32,
}

/// A constant buffer as words of a block: of the shader record, or of the root constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockWords {
    variable: Word,
    class: StorageClass,
    member: u32,
    /// Number of the first word in the member.
    first: u32,
    words: u32,
    /// A computed index may be beyond the words, and reads 0 there.
    is_checked: bool,
}

impl Resources {
    /// Returns the words of a constant buffer, if the binding model puts it into the shader record or
    /// among the root constants.
    pub(crate) fn block_words(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
    ) -> Result<Option<BlockWords>, Error> {
        let Origin::Range(range) = handle.origin else {
            return Ok(None);
        };
        match self.answers.place(e, range, false)? {
            Place::ShaderRecord { offset } => self.record_words(e, range, offset).map(Some),
            Place::RootConstants { offset } => self.root_words(e, range, offset).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the words of a constant buffer that is in the shader record.
    fn record_words(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        range: RangeId,
        offset: u32,
    ) -> Result<BlockWords, Error> {
        member(e, range, offset).map_err(|reason| binding_error(e, range, false, reason))?;
        if self.record.is_none() {
            let record = declare_record(e, &self.answers)?;
            self.record = Some(record);
        }
        let found = self.record.as_ref().and_then(|r| {
            Some((
                r.id,
                r.members.iter().position(|m| m.range == range)?,
                &r.members,
            ))
        });
        let Some((variable, member, members)) = found else {
            return Err(e.invalid(
                InvalidKind::Resource,
                "a constant buffer that is not in the shader record",
            ));
        };
        Ok(BlockWords {
            variable,
            class: StorageClass::ShaderRecordBufferKHR,
            member: member as u32,
            first: 0,
            words: members[member].words,
            is_checked: false,
        })
    }

    /// Returns the words of a constant buffer that are root constants.
    fn root_words(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        at: RangeId,
        offset: u32,
    ) -> Result<BlockWords, Error> {
        let resource = range(e.shader, at);
        let words = resource.cbuffer_size.div_ceil(4).max(1);
        let checked = if resource.class != ResourceClass::CBuffer {
            Err(BindingError::NoConstants)
        } else if self.answers.registers(at) != 1 {
            Err(BindingError::RootArray)
        } else {
            root::check(e.options, offset.saturating_add(words - 1))
        };
        checked.map_err(|reason| binding_error(e, at, false, reason))?;
        let block = self.root_block(e);
        Ok(BlockWords {
            variable: block.id,
            class: block.class,
            member: block.constants,
            first: offset,
            words,
            is_checked: true,
        })
    }
}

/// Returns the constant buffer of a range, at an offset in the record.
fn member(e: &FunctionBuilder<'_>, at: RangeId, offset: u32) -> Result<Member, BindingError> {
    let resource = range(e.shader, at);
    if !crate::stage::is_ray_tracing(e.entry.kind) || resource.class != ResourceClass::CBuffer {
        return Err(BindingError::NoRecord);
    }
    if resource.range_size != 1 {
        return Err(BindingError::RecordArray);
    }
    if !offset.is_multiple_of(4) {
        return Err(BindingError::RecordAlignment { offset });
    }
    Ok(Member {
        range: at,
        offset,
        words: resource.cbuffer_size.div_ceil(4).max(1),
    })
}

fn declare_record(e: &mut FunctionBuilder<'_>, answers: &Answers) -> Result<Record, Error> {
    let mut members = Vec::new();
    for (range, place) in answers.places() {
        // A buffer that the shader does not use needs no place.
        if let Place::ShaderRecord { offset } = place
            && let Ok(member) = member(e, range, offset)
        {
            members.push(member);
        }
    }
    members.sort_by_key(|m| m.offset);
    if let Some([a, b]) = members
        .array_windows()
        .find(|[a, b]| u64::from(a.offset) + 4 * u64::from(a.words) > u64::from(b.offset))
    {
        let reason = BindingError::RecordOverlap {
            offset: b.offset,
            other: range(e.shader, a.range).name.to_string(),
            start: a.offset,
        };
        return Err(binding_error(e, b.range, false, reason));
    }
    let word = e.b.ty_u32();
    let mut types = Vec::with_capacity(members.len());
    for member in &members {
        let len = e.b.const_u32(member.words);
        let array = e.b.ty_fresh(Op::TypeArray, &[word, len]);
        e.b.decorate(array, Decoration::ArrayStride, &[4]);
        types.push(array);
    }
    let block = e.b.ty_fresh(Op::TypeStruct, &types);
    e.b.decorate(block, Decoration::Block, &[]);
    for (index, member) in (0u32..).zip(&members) {
        e.b.decorate_member(block, index, Decoration::Offset, &[member.offset]);
        if e.options.debug.names {
            e.b.member_name(block, index, &range(e.shader, member.range).name);
        }
    }
    let class = StorageClass::ShaderRecordBufferKHR;
    let ptr = e.b.ty_ptr(class, block);
    let id = e.b.variable(ptr, class, None);
    if e.options.debug.names {
        e.b.name(id, "ShaderRecord");
    }
    Ok(Record { id, members })
}

/// A number of words: a constant, or an id.
pub(crate) type WordIndex = Result<u64, Word>;

/// Returns the number of word `more` of a row of four words.
pub(crate) fn word_of_row(e: &mut FunctionBuilder<'_>, row: WordIndex, more: u32) -> WordIndex {
    match row {
        // One that is too large is beyond the words, too.
        Ok(row) => Ok(row.saturating_mul(4).saturating_add(more.into())),
        Err(row) => {
            let (word, four, more) = (e.b.ty_u32(), e.b.const_u32(4), e.b.const_u32(more));
            let at = e.b.op(Op::IMul, word, &[row, four]);
            Err(e.b.op(Op::IAdd, word, &[at, more]))
        }
    }
}

/// Loads a word of a constant buffer; zero where the number is known to lie outside.
pub(crate) fn block_word(
    e: &mut FunctionBuilder<'_>,
    block: &BlockWords,
    number: WordIndex,
) -> Word {
    let word = e.b.ty_u32();
    let (index, is_inside) = match number {
        Ok(number) if number >= block.words.into() => return e.b.const_u32(0),
        Ok(number) => (e.b.const_u32(number as u32 + block.first), None),
        Err(number) if block.is_checked => {
            let (bool_ty, words) = (e.b.ty_bool(), e.b.const_u32(block.words));
            let is_inside = e.b.op(Op::ULessThan, bool_ty, &[number, words]);
            // The first word is there whatever the number is.
            let zero = e.b.const_u32(0);
            let inside = e.b.op(Op::Select, word, &[is_inside, number, zero]);
            let first = e.b.const_u32(block.first);
            let index = e.b.op(Op::IAdd, word, &[inside, first]);
            (index, Some((is_inside, zero)))
        }
        Err(number) => (number, None),
    };
    let (ptr, member) = (e.b.ty_ptr(block.class, word), e.b.const_u32(block.member));
    let pointer =
        e.b.op(Op::AccessChain, ptr, &[block.variable, member, index]);
    let loaded = e.load(word, pointer);
    match is_inside {
        Some((is_inside, zero)) => e.b.op(Op::Select, word, &[is_inside, loaded, zero]),
        None => loaded,
    }
}
