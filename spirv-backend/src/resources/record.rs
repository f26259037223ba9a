//! The shader record: D3D's local root signatures put root parameters after a shader's identifier,
//! where Vulkan has a separate buffer.
//!
//! A binding model places constants, device addresses and descriptor tables there, at offsets that it
//! chooses ([`Place::ShaderRecord`], [`Place::RecordAddress`], [`Place::RecordTable`]). A node of a work
//! graph has the address of such a record among its push constants. All of them are
//! members of one block: constants are arrays of words, since their offsets are multiples of four bytes
//! only; the others are pairs of words.

use rspirv::spirv::{Decoration, MemoryAccess, Op, StorageClass, Word};
use trellis_dxil_frontend::shader::{ResourceClass, ShaderKind};

use super::Resources;
use super::binding::{Answers, binding_error};
use super::handle::range;
use super::nodes::pointer_at;
use super::root;
use crate::bindings::{BindingError, Place};
use crate::error::{Error, InterfaceFeature, InvalidKind};
use crate::handles::{Handle, Origin, RangeId};
use crate::nodes::push;
use crate::stage::is_ray_tracing;
use crate::values::FunctionBuilder;

/// The declared record.
pub(super) struct Record {
    place: RecordPlace,
    members: Vec<Member>,
}

/// Where the record is.
#[derive(Clone, Copy)]
enum RecordPlace {
    /// In a variable.
    Variable(Word),
    /// At the address of a node's local root arguments: the type of the block.
    Address(Word),
}

/// A part of the record.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// A resource that is there, or whose table is.
    range: RangeId,
    /// Offset in bytes.
    offset: u32,
    content: Content,
}

/// The contents of a part of the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    /// So many constants, of one constant buffer.
    Words(u32),
    /// An address, or where a table begins; several resources may be in a table.
    Pair,
}

impl Member {
    fn end(&self) -> u64 {
        let size = match self.content {
            Content::Words(words) => 4 * u64::from(words),
            Content::Pair => 8,
        };
        u64::from(self.offset) + size
    }
}

/// A constant buffer as words of a block: of the shader record, or of the root constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockWords {
    /// The variable, or the pointer to the block.
    base: Word,
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
            place @ Place::ShaderRecord { words, .. } => self
                .record_words(e, range, place, words.is_some())
                .map(Some),
            Place::RootConstants { offset } => self.root_words(e, range, offset).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the words of a constant buffer that is in the shader record.
    fn record_words(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        range: RangeId,
        place: Place,
        is_checked: bool,
    ) -> Result<BlockWords, Error> {
        let (base, number, member) = self.record_member(e, range, place, false)?;
        let Content::Words(words) = member.content else {
            return Err(binding_error(e, range, false, BindingError::NoConstants));
        };
        Ok(BlockWords {
            base,
            class: record_class(e),
            member: number,
            first: 0,
            words,
            is_checked,
        })
    }

    /// Loads the eight bytes of a handle's resource or table, or of its counter's, in the shader record.
    pub(super) fn record_pair(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        counter: bool,
    ) -> Result<Word, Error> {
        let Origin::Range(range) = handle.origin else {
            return Err(e.invalid(InvalidKind::Resource, "a heap in the shader record"));
        };
        let place = self.answers.place(e, range, counter)?;
        let (base, number, _) = self.record_member(e, range, place, counter)?;
        let class = record_class(e);
        let pair = e.b.ty_words(2);
        let ty = e.b.ty_ptr(class, pair);
        let number = e.b.const_u32(number);
        let pointer = e.b.op(Op::AccessChain, ty, &[base, number]);
        Ok(load_of(e, class, (pair, 8), pointer))
    }

    /// Returns the variable of the shader record, or the pointer to it, and the number of the member
    /// that a place is of.
    fn record_member(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        range: RangeId,
        place: Place,
        counter: bool,
    ) -> Result<(Word, u32, Member), Error> {
        if e.entry.kind == ShaderKind::Node && e.options.extensions.shader_enqueue {
            return Err(e.unsupported(InterfaceFeature::NodeLocalRootArguments));
        }
        let wanted = member(e, range, place);
        let wanted = wanted.map_err(|reason| binding_error(e, range, counter, reason))?;
        if self.record.is_none() {
            let record = declare_record(e, &self.answers)?;
            self.record = Some(record);
        }
        let found = self.record.as_ref().and_then(|r| {
            let is_wanted = |m: &Member| (m.offset, m.content) == (wanted.offset, wanted.content);
            Some((r.place, r.members.iter().position(is_wanted)?))
        });
        let Some((place, number)) = found else {
            let what = "a resource that is not in the shader record";
            return Err(e.invalid(InvalidKind::Resource, what));
        };
        let base = match place {
            RecordPlace::Variable(id) => id,
            RecordPlace::Address(block) => {
                let address = self.nodes.load_push(e, push::LOCAL_ROOT_ARGUMENTS);
                pointer_at(e, address, block)
            }
        };
        Ok((base, number as u32, wanted))
    }

    /// Returns the words of a constant buffer that are root constants.
    fn root_words(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        at: RangeId,
        offset: u32,
    ) -> Result<BlockWords, Error> {
        let resource = range(e.shader, at);
        let checked = if resource.class != ResourceClass::CBuffer {
            Err(BindingError::NoConstants)
        } else if self.answers.registers(at) != 1 {
            Err(BindingError::RootArray)
        } else {
            root::words_of(e.options, offset, resource.cbuffer_size)
        };
        let words = checked.map_err(|reason| binding_error(e, at, false, reason))?;
        let block = self.root_block(e);
        Ok(BlockWords {
            base: block.id,
            class: block.class,
            member: block.constants_member(),
            first: offset,
            words,
            is_checked: true,
        })
    }
}

/// Returns the part of the record that the place of a range or of its counter is.
fn member(e: &FunctionBuilder<'_>, at: RangeId, place: Place) -> Result<Member, BindingError> {
    let resource = range(e.shader, at);
    let is_recorded = is_ray_tracing(e.entry.kind) || e.entry.kind == ShaderKind::Node;
    let (offset, alignment, content) = match place {
        Place::ShaderRecord { offset, words } => {
            if !is_recorded || resource.class != ResourceClass::CBuffer {
                return Err(BindingError::NoRecord);
            }
            if resource.range_size != 1 {
                return Err(BindingError::RecordArray);
            }
            let declared = resource.cbuffer_size.div_ceil(4);
            let words = words.map_or(declared, |words| words.min(declared)).max(1);
            (offset, 4, Content::Words(words))
        }
        Place::RecordAddress { offset } => (offset, 8, Content::Pair),
        Place::RecordTable {
            record_offset,
            size_log2,
            ..
        } => {
            if size_log2 >= u32::BITS {
                return Err(BindingError::DescriptorSize { size_log2 });
            }
            (record_offset, 8, Content::Pair)
        }
        _ => return Err(BindingError::NoRecord),
    };
    if !is_recorded {
        return Err(BindingError::NoRecordStage);
    }
    if !offset.is_multiple_of(alignment) {
        return Err(BindingError::RecordAlignment { offset, alignment });
    }
    Ok(Member {
        range: at,
        offset,
        content,
    })
}

fn declare_record(e: &mut FunctionBuilder<'_>, answers: &Answers) -> Result<Record, Error> {
    // A resource that the shader does not use needs no place.
    let all = answers.all_places();
    let mut members: Vec<Member> = all
        .filter_map(|(at, place)| member(e, at, place).ok())
        .collect();
    members.sort_by_key(|m| m.offset);
    members.dedup_by(|b, a| {
        b.offset == a.offset && b.content == Content::Pair && a.content == Content::Pair
    });
    if let Some([a, b]) = members
        .array_windows()
        .find(|[a, b]| a.end() > u64::from(b.offset))
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
        types.push(match member.content {
            Content::Pair => e.b.ty_vec(word, 2),
            Content::Words(words) => {
                let len = e.b.const_u32(words);
                let array = e.b.ty_fresh(Op::TypeArray, &[word, len]);
                e.b.decorate(array, Decoration::ArrayStride, &[4]);
                array
            }
        });
    }
    let block = e.b.ty_fresh(Op::TypeStruct, &types);
    e.b.decorate(block, Decoration::Block, &[]);
    for (index, member) in (0u32..).zip(&members) {
        e.b.decorate_member(block, index, Decoration::Offset, &[member.offset]);
        let name = &range(e.shader, member.range).name;
        match member.content {
            Content::Words(_) => e.b.member_name(block, index, name),
            Content::Pair => e.b.member_name(block, index, &format!("{name}.base")),
        }
    }
    let class = record_class(e);
    if class == StorageClass::PhysicalStorageBuffer {
        let place = RecordPlace::Address(block);
        return Ok(Record { place, members });
    }
    let id = e.b.variable(class, block, None);
    e.b.name(id, "ShaderRecord");
    let place = RecordPlace::Variable(id);
    Ok(Record { place, members })
}

/// Returns the storage class of the record.
fn record_class(e: &FunctionBuilder<'_>) -> StorageClass {
    match e.entry.kind {
        ShaderKind::Node => StorageClass::PhysicalStorageBuffer,
        _ => StorageClass::ShaderRecordBufferKHR,
    }
}

/// Loads a value from a block of a storage class; `(ty, bytes)` is its type and size.
fn load_of(
    e: &mut FunctionBuilder<'_>,
    class: StorageClass,
    (ty, bytes): (Word, u32),
    pointer: Word,
) -> Word {
    if class != StorageClass::PhysicalStorageBuffer {
        return e.load(ty, pointer);
    }
    let aligned = MemoryAccess::ALIGNED.bits();
    e.b.op(Op::Load, ty, &[pointer, aligned, bytes])
}

/// A number of words: a constant, or an id.
pub(crate) type WordIndex = Result<u64, Word>;

/// Returns the number of word `more` of a row of four words.
pub(crate) fn word_of_row(e: &mut FunctionBuilder<'_>, row: WordIndex, more: u32) -> WordIndex {
    match row {
        // One that is too large is beyond the words, too.
        Ok(row) => Ok(row.saturating_mul(4).saturating_add(more.into())),
        Err(row) => {
            let (four, more) = (e.b.const_u32(4), e.b.const_u32(more));
            let at = e.b.word(Op::IMul, &[row, four]);
            Err(e.b.word(Op::IAdd, &[at, more]))
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
            let is_inside = e.b.flag_with(Op::ULessThan, number, block.words);
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
    let pointer = e.b.op(Op::AccessChain, ptr, &[block.base, member, index]);
    let loaded = load_of(e, block.class, (word, 4), pointer);
    match is_inside {
        Some((is_inside, zero)) => e.b.op(Op::Select, word, &[is_inside, loaded, zero]),
        None => loaded,
    }
}
