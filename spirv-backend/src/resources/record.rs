//! The shader record: D3D's local root signatures put 32-bit constants behind a shader's
//! identifier, where Vulkan has a buffer of its own.
//!
//! A binding model says of a constant buffer that it lies there, and at which offset
//! ([`DescriptorKind::ShaderRecord`]). All of them are members of one block, arrays of words, since
//! their offsets are multiples of four bytes only.

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass, Word};
use trellis_dxil_frontend::shader::ResourceClass;

use super::handle::{Handle, Origin};
use super::variable::Form;
use super::view::View;
use crate::bindings::{BindingError, BoundResource, DescriptorKind};
use crate::error::{Error, InvalidKind};
use crate::values::Emitter;

/// The variable of the record.
pub(super) struct Record {
    id: Word,
    members: Vec<Member>,
}

/// A constant buffer in the record.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Index into `Shader::resources`.
    range: u32,
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

impl Emitter<'_> {
    /// The words of a constant buffer, if the binding model puts it into the shader record.
    pub(crate) fn record_words(&mut self, handle: &Handle) -> Result<Option<RecordWords>, Error> {
        let Origin::Range(range) = handle.origin else {
            return Ok(None);
        };
        if !crate::stage::is_ray_tracing(self.entry.kind)
            || self.place(handle.origin, &handle.view, Form::Rows)?.kind
                != DescriptorKind::ShaderRecord
        {
            return Ok(None);
        }
        if self.resources.record.is_none() {
            let record = self.declare_record()?;
            self.resources.record = Some(record);
        }
        let found = self.resources.record.as_ref().and_then(|r| {
            Some((
                r.id,
                r.members.iter().position(|m| m.range == range)?,
                &r.members,
            ))
        });
        let Some((variable, member, members)) = found else {
            return Err(self.invalid(
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

    fn declare_record(&mut self) -> Result<Record, Error> {
        let mut members = Vec::new();
        for (range, resource) in (0u32..).zip(&self.shader.resources) {
            if resource.class != ResourceClass::CBuffer {
                continue;
            }
            // What the shader does not use needs no place.
            if let Ok(place) = self.place(
                Origin::Range(range),
                &View::of_resource(resource),
                Form::Rows,
            ) && place.kind == DescriptorKind::ShaderRecord
            {
                members.push(Member {
                    range,
                    offset: place.binding,
                    words: resource.cbuffer_size.div_ceil(4).max(1),
                });
            }
        }
        members.sort_by_key(|m| m.offset);
        if let Some([a, b]) = members
            .array_windows()
            .find(|[a, b]| u64::from(a.offset) + 4 * u64::from(a.words) > u64::from(b.offset))
        {
            let range = |m: &Member| self.shader.resources.get(m.range as usize);
            let Some(r) = range(b) else {
                return Err(self.invalid(InvalidKind::Resource, "a resource that does not exist"));
            };
            return Err(Error::Binding {
                resource: BoundResource::Range {
                    class: r.class,
                    kind: r.kind,
                    name: r.name.to_string(),
                    register: r.lower_bound,
                    space: r.space,
                    counter: false,
                },
                reason: BindingError::RecordOverlap {
                    offset: b.offset,
                    other: range(a).map_or_else(String::new, |r| r.name.to_string()),
                    start: a.offset,
                },
            });
        }
        let word = self.b.ty_u32();
        let mut types = Vec::with_capacity(members.len());
        for member in &members {
            let len = self.b.const_u32(member.words);
            let array = self.b.ty_fresh(
                Op::TypeArray,
                vec![Operand::IdRef(word), Operand::IdRef(len)],
            );
            self.b
                .decorate(array, Decoration::ArrayStride, &[Operand::LiteralBit32(4)]);
            types.push(Operand::IdRef(array));
        }
        let block = self.b.ty_fresh(Op::TypeStruct, types);
        self.b.decorate(block, Decoration::Block, &[]);
        for (index, member) in (0u32..).zip(&members) {
            self.b.decorate_member(
                block,
                index,
                Decoration::Offset,
                &[Operand::LiteralBit32(member.offset)],
            );
            if self.options.names {
                self.b.member_name(
                    block,
                    index,
                    &self.shader.resources[member.range as usize].name,
                );
            }
        }
        let class = StorageClass::ShaderRecordBufferKHR;
        let ptr = self.b.ty_ptr(class, block);
        let id = self.b.variable(ptr, class, None);
        if self.options.names {
            self.b.name(id, "ShaderRecord");
        }
        Ok(Record { id, members })
    }

    /// Loads word `more` after `4 * row`; zero where that is known to lie outside. `row` is a
    /// constant or an id.
    pub(crate) fn record_word(
        &mut self,
        record: &RecordWords,
        row: Result<u64, Word>,
        more: u32,
    ) -> Word {
        let word = self.b.ty_u32();
        let index = match row {
            Ok(row) => match row
                .checked_mul(4)
                .and_then(|at| at.checked_add(more.into()))
            {
                Some(at) if at < record.words.into() => self.b.const_u32(at as u32),
                _ => return self.b.const_u32(0),
            },
            Err(row) => {
                let (four, more) = (self.b.const_u32(4), self.b.const_u32(more));
                let at = self.b.op_ids(Op::IMul, word, &[row, four]);
                self.b.op_ids(Op::IAdd, word, &[at, more])
            }
        };
        let (ptr, member) = (
            self.b.ty_ptr(StorageClass::ShaderRecordBufferKHR, word),
            self.b.const_u32(record.member),
        );
        let pointer = self
            .b
            .op_ids(Op::AccessChain, ptr, &[record.variable, member, index]);
        self.load(word, pointer)
    }
}
