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

/// A constant buffer in the record, for loads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordWords {
    variable: Word,
    member: u32,
    words: u32,
}

impl Resources {
    /// Returns the words of a constant buffer, if the binding model puts it into the shader record.
    pub(crate) fn record_words(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
    ) -> Result<Option<RecordWords>, Error> {
        let Origin::Range(range) = handle.origin else {
            return Ok(None);
        };
        let Place::ShaderRecord { offset } = self.answers.place(e, range, false)? else {
            return Ok(None);
        };
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
        Ok(Some(RecordWords {
            variable,
            member: member as u32,
            words: members[member].words,
        }))
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

/// Loads word `more` after `4 * row`; zero where that is known to lie outside. `row` is a
/// constant or an id.
pub(crate) fn record_word(
    e: &mut FunctionBuilder<'_>,
    record: &RecordWords,
    row: Result<u64, Word>,
    more: u32,
) -> Word {
    let word = e.b.ty_u32();
    let index = match row {
        Ok(row) => match row
            .checked_mul(4)
            .and_then(|at| at.checked_add(more.into()))
        {
            Some(at) if at < record.words.into() => e.b.const_u32(at as u32),
            _ => return e.b.const_u32(0),
        },
        Err(row) => {
            let (four, more) = (e.b.const_u32(4), e.b.const_u32(more));
            let at = e.b.op(Op::IMul, word, &[row, four]);
            e.b.op(Op::IAdd, word, &[at, more])
        }
    };
    let (ptr, member) = (
        e.b.ty_ptr(StorageClass::ShaderRecordBufferKHR, word),
        e.b.const_u32(record.member),
    );
    let pointer =
        e.b.op(Op::AccessChain, ptr, &[record.variable, member, index]);
    e.load(word, pointer)
}
