//! Records of nodes of work graphs: numbers at device addresses.
//!
//! The address of a record is the value of `GetNodeRecordPtr`; an access adds its offset. Each
//! number is accessed as a block of its type, so that records of mixed types need no slots; the
//! block's member has the qualifiers of the record.

use rspirv::spirv::{
    Capability, Decoration, MemoryAccess, MemorySemantics, Op, Scope, StorageClass, Word,
};
use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{InstId, ValueId};
use trellis_dxil_frontend::shader::NodeIoFlags;

use super::Memory;
use super::address::Address;
use crate::error::{Error, InvalidKind, MemoryFeature, PointerFeature};
use crate::resources::struct_words;
use crate::values::{FunctionBuilder, Scalar, Shape};

/// Most operations between a record's handle and the operation that makes it; compilers emit one.
const MAX_STEPS: usize = 64;

/// Qualifiers of the memory that an access is to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Qualifiers {
    coherent: bool,
    read_only: bool,
}

/// Blocks of one number: type of the number, qualifiers, block.
#[derive(Default)]
pub(super) struct RecordBlocks(Vec<((Word, Qualifiers), Word)>);

/// A number, or a vector of numbers, in a record.
pub(super) struct RecordPlace {
    pointer: Word,
    /// Type of the memory.
    ty: Word,
    /// Bytes of a component.
    bytes: u32,
}

/// Returns the qualifiers of the records that a `GetNodeRecordPtr` is of, from its handle's type.
fn qualifiers(e: &FunctionBuilder<'_>, inst: InstId) -> Result<Qualifiers, Error> {
    let lost = || e.unsupported(PointerFeature::UnknownOrigin);
    let parse = |inst| -> Result<Option<DxCall<'_>>, Error> { e.parse(inst) };
    let call = parse(inst)?.ok_or_else(lost)?;
    let mut handle = e.operand_of(&call, 0)?;
    let mut flags = NodeIoFlags::default();
    for _ in 0..MAX_STEPS {
        let (inst, _) = e.def(handle).ok_or_else(lost)?;
        let call = parse(inst)?.ok_or_else(lost)?;
        if call.op != Dx::AnnotateNodeRecordHandle {
            break;
        }
        let info = e.operand_of(&call, 1)?;
        let words: Option<[u32; 2]> = struct_words(e.module, e.function, info);
        flags = NodeIoFlags(flags.0 | words.map_or(0, |words| words[0]));
        handle = e.operand_of(&call, 0)?;
    }
    let is_writable = flags.has(NodeIoFlags::READ_WRITE);
    Ok(Qualifiers {
        // Barriers without `Coherent` make nothing visible in GLSL's memory model.
        coherent: flags.has(NodeIoFlags::GLOBALLY_COHERENT) || is_writable && orders_records(e),
        read_only: !is_writable && flags.has(NodeIoFlags::INPUT),
    })
}

/// Returns true if the shader has barriers that may order accesses to records: other threads of the
/// group see earlier writes.
pub(super) fn orders_records(e: &FunctionBuilder<'_>) -> bool {
    let barriers = [
        Dx::BarrierByMemoryType,
        Dx::BarrierByMemoryHandle,
        Dx::BarrierByNodeRecordHandle,
    ];
    barriers.into_iter().any(|op| e.source.ops.calls(op))
}

impl Memory {
    /// Returns the block of a number.
    fn record_block(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        ty: Word,
        qualifiers: Qualifiers,
    ) -> Word {
        let key = (ty, qualifiers);
        if let Some(&(_, block)) = self.record_blocks.0.iter().find(|known| known.0 == key) {
            return block;
        }
        // Blocks with other decorations must be other types.
        let block = e.b.ty_fresh(Op::TypeStruct, &[ty]);
        e.b.decorate(block, Decoration::Block, &[]);
        e.b.decorate_member(block, 0, Decoration::Offset, &[0]);
        if qualifiers.coherent {
            e.b.decorate_member(block, 0, Decoration::Coherent, &[]);
        }
        if qualifiers.read_only {
            e.b.decorate_member(block, 0, Decoration::NonWritable, &[]);
        }
        e.b.name(block, "RecordPart");
        self.record_blocks.0.push((key, block));
        block
    }

    /// Returns the place of a number of a shape, or of a vector, with the size in bytes of each
    /// component.
    fn record_place(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        (inst, address): (InstId, &Address),
        shape: Shape,
        bytes: u64,
    ) -> Result<RecordPlace, Error> {
        let scalar = match shape.scalar {
            // D3D's booleans have 32 bits in memory.
            Scalar::Bool => Scalar::Int(32),
            other => other,
        };
        if u64::from(scalar.width()) != bytes * 8 {
            return Err(e.unsupported(MemoryFeature::AccessWidth {
                access: scalar.to_string(),
                memory: format!("numbers of {bytes} bytes in a record"),
            }));
        }
        let fits = |offset: u64| offset.is_multiple_of(bytes);
        if !fits(address.constant) || !address.terms.iter().all(|term| fits(term.1)) {
            return Err(e.unsupported(PointerFeature::BetweenScalars));
        }
        match scalar.width() {
            8 => e.b.caps.add(Capability::StorageBuffer8BitAccess),
            16 => e.b.caps.add(Capability::StorageBuffer16BitAccess),
            _ => {}
        }
        let qualifiers = qualifiers(e, inst)?;
        let base = record_base(e, inst)?;
        let address = sum(e, base, address)?;
        let ty = e.shape_type(shape.with(scalar));
        let block = self.record_block(e, ty, qualifiers);
        e.b.caps.add(Capability::PhysicalStorageBufferAddresses);
        let class = StorageClass::PhysicalStorageBuffer;
        let (to_block, to_number) = (e.b.ty_ptr(class, block), e.b.ty_ptr(class, ty));
        let block = e.b.op(Op::ConvertUToPtr, to_block, &[address]);
        let zero = e.b.const_u32(0);
        let pointer = e.b.op(Op::AccessChain, to_number, &[block, zero]);
        Ok(RecordPlace {
            pointer,
            ty,
            bytes: bytes as u32,
        })
    }

    /// Emits a `load` of a record.
    pub(super) fn load_record(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        inst: InstId,
        at: (InstId, &Address),
    ) -> Result<(), Error> {
        if e.options.extensions.shader_enqueue {
            return self.load_payload(e, inst, at);
        }
        let ty = e.result_type(inst);
        let shape = e.shape(ty)?;
        let bytes = self.layout(e, ty)?.slot;
        let place = self.record_place(e, at, shape, bytes)?;
        let aligned = MemoryAccess::ALIGNED.bits();
        let operands = [place.pointer, aligned, place.bytes];
        let mut id = e.b.op(Op::Load, place.ty, &operands);
        if shape.scalar == Scalar::Bool {
            let (result, zero) = (
                e.shape_type(shape),
                e.splat_int(shape.with(Scalar::Int(32)), 0),
            );
            id = e.b.op(Op::INotEqual, result, &[id, zero]);
        }
        e.set_new(inst, shape, id);
        Ok(())
    }

    /// Emits a `store` to a record.
    pub(super) fn store_record(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        at: (InstId, &Address),
        value: ValueId,
    ) -> Result<(), Error> {
        if e.is_undef(value) {
            return Ok(());
        }
        if e.options.extensions.shader_enqueue {
            return self.store_payload(e, at, value);
        }
        let shape = e.value_shape(value)?;
        let bytes = self.layout(e, e.value_type(value)?)?.slot;
        let place = self.record_place(e, at, shape, bytes)?;
        let mut id = e.id(value)?;
        if shape.scalar == Scalar::Bool {
            let numbers = shape.with(Scalar::Int(32));
            let (one, zero) = (e.splat_int(numbers, 1), e.splat_int(numbers, 0));
            id = e.b.op(Op::Select, place.ty, &[id, one, zero]);
        }
        let aligned = MemoryAccess::ALIGNED.bits();
        e.b.op_void(Op::Store, &[place.pointer, id, aligned, place.bytes]);
        Ok(())
    }

    /// Returns the pointer, scope and semantics of an atomic operation on a record, and the type of the
    /// number. Other groups may have the same record.
    pub(super) fn atomic_record(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        at: (InstId, &Address),
        scalar: Scalar,
    ) -> Result<(Vec<Word>, Word, Word), Error> {
        if e.options.extensions.shader_enqueue {
            return Err(e.unsupported(MemoryFeature::RecordAtomic));
        }
        let Scalar::Int(width @ (32 | 64)) = scalar else {
            return Err(e.unsupported(MemoryFeature::AtomicWidth {
                access: scalar.to_string(),
                memory: "a record".to_owned(),
            }));
        };
        if width == 64 {
            e.b.caps.add(Capability::Int64Atomics);
        }
        let place = self.record_place(e, at, Shape::of(scalar), u64::from(width / 8))?;
        let scope = e.b.const_u32(Scope::Device as u32);
        let relaxed = e.b.const_u32(MemorySemantics::RELAXED.bits());
        Ok((vec![place.pointer, scope, relaxed], place.ty, relaxed))
    }
}

/// Returns the id of a record's address.
pub(super) fn record_base(e: &mut FunctionBuilder<'_>, inst: InstId) -> Result<Word, Error> {
    match e
        .function
        .insts
        .get(inst)
        .and_then(|inst| inst.result.expand())
    {
        Some(value) => e.id(value),
        None => Err(e.invalid(InvalidKind::Value, "a record without an address")),
    }
}

/// Returns the address of a part of a record.
fn sum(e: &mut FunctionBuilder<'_>, base: Word, address: &Address) -> Result<Word, Error> {
    let long = e.b.ty_int(64);
    let mut id = base;
    for &(index, scale) in &address.terms {
        let shape = e.value_shape(index)?;
        let index = e.id(index)?;
        let mut index = e.resize_int(shape, 64, true, index);
        if scale != 1 {
            let scale = e.b.const_int(64, scale);
            index = e.b.op(Op::IMul, long, &[index, scale]);
        }
        id = e.b.op(Op::IAdd, long, &[id, index]);
    }
    if address.constant != 0 {
        let constant = e.b.const_int(64, address.constant);
        id = e.b.op(Op::IAdd, long, &[id, constant]);
    }
    Ok(id)
}
