//! Records of nodes as payloads of `SPV_AMDX_shader_enqueue`: their types, the input's variable, and
//! accesses.
//!
//! The struct of a record has a member for `SV_DispatchGrid`, which the extension requires, and
//! arrays of slots for the data before and after it: words, or numbers of 16 bits if the record has
//! any. An access finds its member by the constant part of its address, and its slot as in other
//! memory. Offsets are the same as DXIL's, so that both sides of an output agree whatever they
//! access.

use rspirv::spirv::{Capability, Decoration, Op, StorageClass, Word};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::{InstId, ValueId};
use trellis_dxil_frontend::shader::{
    ComponentType, DispatchGrid, NodeIoFlags, NodeLaunch, NodeOutput, NodeRecord, UNBOUNDED,
};

use super::Memory;
use super::access::{fit, inside, load_scalar, store_scalar};
use super::address::Address;
use super::node_handle::{Records, properties, records};
use super::record::{orders_records, record_base};
use super::root::{Index, Root, StorageLocation, slot_index};
use crate::error::{Error, InvalidKind, MemoryFeature, PointerFeature};
use crate::values::{FunctionBuilder, Scalar};

const CLASS: StorageClass = StorageClass::NodePayloadAMDX;

/// `SV_DispatchGrid`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Grid {
    /// Offset in bytes.
    offset: u32,
    /// Bytes of a component.
    bytes: u32,
    components: u32,
}

impl Grid {
    fn new(grid: DispatchGrid) -> Self {
        Self {
            offset: grid.offset,
            bytes: match grid.component {
                ComponentType::U16 => 2,
                _ => 4,
            },
            components: grid.components,
        }
    }

    /// Returns the offset after it.
    fn end(self) -> Option<u32> {
        let length = self.components.checked_mul(self.bytes)?;
        self.offset.checked_add(length)
    }
}

/// Properties of a record, as far as its struct depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    /// Bytes.
    size: u32,
    /// Bytes of a slot.
    slot: u32,
    grid: Option<Grid>,
    tracks: bool,
    coherent: bool,
    read_only: bool,
}

/// A member of the struct of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Member {
    /// Offset in bytes.
    offset: u32,
    /// Bytes of a slot.
    slot: u32,
    /// Number of slots; a single one is not an array.
    count: u32,
    /// It is the grid: a number or a vector.
    is_grid: bool,
    ty: Word,
}

impl Member {
    fn contains(&self, offset: u64) -> bool {
        let start = u64::from(self.offset);
        (start..start + u64::from(self.slot) * u64::from(self.count)).contains(&offset)
    }
}

/// The struct of a record.
struct Payload {
    id: Word,
    members: SmallVec<[Member; 3]>,
}

/// The payloads of a node.
#[derive(Clone, Copy)]
pub(crate) struct Payloads {
    /// The type of the array.
    pub(crate) array: Word,
    /// Number of the struct.
    payload: usize,
}

/// Which records have numbers of fewer than 32 bits.
#[derive(Default)]
struct Narrow {
    input: bool,
    outputs: SmallVec<[u32; 4]>,
}

/// The declared payloads of a node.
#[derive(Default)]
pub(super) struct NodePayloads {
    narrow: Option<Narrow>,
    structs: Vec<Payload>,
    by_key: FxHashMap<Key, usize>,
    input: Option<(Word, Payloads)>,
    /// By the number of the output.
    outputs: FxHashMap<u32, Payloads>,
    names: FxHashMap<String, Word>,
}

impl Memory {
    /// Returns the constant with the name of a node.
    pub(crate) fn node_name(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        name: &str,
    ) -> Result<Word, Error> {
        let names = &mut self.node_payloads.names;
        if let Some(&known) = names.get(name) {
            return Ok(known);
        }
        if name.contains('\0') {
            return Err(e.invalid_property(format!("node name {name:?}, which contains a NUL")));
        }
        let id = e.b.const_string(name);
        names.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Returns the variable of the input, and its payloads.
    pub(crate) fn node_input(
        &mut self,
        e: &mut FunctionBuilder<'_>,
    ) -> Result<(Word, Payloads), Error> {
        if let Some(known) = self.node_payloads.input {
            return Ok(known);
        }
        let node = properties(e)?;
        let Some(input) = node.inputs.first() else {
            return Err(e.invalid_property("records of the input of a node without one"));
        };
        let is_narrow = self.narrow(e)?.input;
        let writable = input.flags.has(NodeIoFlags::READ_WRITE);
        let key = key(e, input.record(), input.flags, is_narrow)?;
        let key = Key {
            coherent: key.coherent || writable && orders_records(e),
            read_only: !writable,
            ..key
        };
        let most = match node.launch {
            NodeLaunch::Coalescing => input.max_records.unwrap_or(1).max(1),
            _ => 1,
        };
        let payloads = self.payload_array(e, key, most);
        let id = e.b.variable(CLASS, payloads.array, None);
        e.b.name(id, "input");
        self.node_payloads.input = Some((id, payloads));
        Ok((id, payloads))
    }

    /// Returns the payloads of an output.
    pub(crate) fn node_output(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        number: u32,
    ) -> Result<Payloads, Error> {
        if let Some(&known) = self.node_payloads.outputs.get(&number) {
            return Ok(known);
        }
        let outputs = &properties(e)?.outputs;
        let Some(output) = outputs.get(number as usize) else {
            let detail = format!("output {number} of a node with {}", outputs.len());
            return Err(e.invalid(InvalidKind::Operand, detail));
        };
        let mut most = output.max_records.unwrap_or(1);
        let mut shared = None;
        if let Some(with) = output.max_records_shared_with {
            let other = outputs.get(with as usize);
            let other = other.filter(|other| other.max_records_shared_with.is_none());
            let Some(other) = other else {
                return Err(
                    e.invalid_property(format!("output {number} with the limit of output {with}"))
                );
            };
            most = other.max_records.unwrap_or(1);
            shared = Some(self.node_output(e, with)?);
        }
        let is_narrow = self.narrow(e)?.outputs.contains(&number);
        let key = key(e, output.record(), output.flags, is_narrow)?;
        let key = Key {
            coherent: key.coherent || orders_records(e),
            ..key
        };
        // Constants that decorate a type by id are declared before the type.
        let mut decorations = self.output_node(e, output)?;
        if let Some(shared) = shared {
            let decoration = Decoration::NodeSharesPayloadLimitsWithAMDX;
            decorations.push((decoration, shared.array));
        }
        let payloads = self.payload_array(e, key, most);
        for (decoration, id) in decorations {
            e.b.decorate_ids(payloads.array, decoration, &[id]);
        }
        if output.allows_sparse || output.array_size == Some(UNBOUNDED) {
            e.b.decorate(payloads.array, Decoration::PayloadNodeSparseArrayAMDX, &[]);
        }
        e.b.name_by(payloads.array, |text| {
            text.push_str("output_");
            text.push_str(&output.id.name);
        });
        self.node_payloads.outputs.insert(number, payloads);
        Ok(payloads)
    }

    /// Returns the decorations with operands that name the nodes for the payloads of an output.
    fn output_node(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        output: &NodeOutput,
    ) -> Result<SmallVec<[(Decoration, Word); 4]>, Error> {
        let name = self.node_name(e, &output.id.name)?;
        let mut decorations = smallvec![(Decoration::PayloadNodeNameAMDX, name)];
        if output.id.index != 0 {
            let index = e.b.const_u32(output.id.index);
            decorations.push((Decoration::PayloadNodeBaseIndexAMDX, index));
        }
        let nodes = output.array_size.unwrap_or(1);
        if nodes != UNBOUNDED {
            // The array's size includes the nodes before the first.
            let size = e.b.const_u32(output.id.index.saturating_add(nodes));
            decorations.push((Decoration::PayloadNodeArraySizeAMDX, size));
        }
        Ok(decorations)
    }

    /// Looks once for numbers of fewer than 32 bits in the records that the function accesses.
    fn narrow(&mut self, e: &mut FunctionBuilder<'_>) -> Result<&Narrow, Error> {
        if self.node_payloads.narrow.is_none() {
            let mut found = Narrow::default();
            for inst in e.function.insts.keys() {
                let Some(call) = e.parse(inst)? else {
                    continue;
                };
                if call.op != Dx::GetNodeRecordPtr {
                    continue;
                }
                let Some(record) = e.pointee_of(e.result_type(inst)) else {
                    continue;
                };
                if self.layout(e, record)?.slot >= 4 {
                    continue;
                }
                match records(e, e.operand_of(&call, 0)?)? {
                    Records::Input => found.input = true,
                    Records::Output(handle, _) if !found.outputs.contains(&handle.number) => {
                        found.outputs.push(handle.number);
                    }
                    Records::Output(..) => {}
                }
            }
            self.node_payloads.narrow = Some(found);
        }
        Ok(self.node_payloads.narrow.get_or_insert_default())
    }

    /// Declares an array of `most` payloads.
    fn payload_array(&mut self, e: &mut FunctionBuilder<'_>, key: Key, most: u32) -> Payloads {
        e.b.caps.add(Capability::ShaderEnqueueAMDX);
        let all = &mut self.node_payloads;
        let payload = *all.by_key.entry(key).or_insert_with(|| {
            all.structs.push(declare(e, key));
            all.structs.len() - 1
        });
        let record = self.node_payloads.structs[payload].id;
        let most = e.b.const_u32(most);
        let array = e.b.ty_fresh(Op::TypeNodePayloadArrayAMDX, &[record]);
        e.b.decorate_ids(array, Decoration::NodeMaxPayloadsAMDX, &[most]);
        Payloads { array, payload }
    }

    /// Returns the location of a part of a record; `None` if it is outside. `more` is added to the
    /// address.
    fn payload_location(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        (inst, address): (InstId, &Address),
        more: u64,
    ) -> Result<Option<StorageLocation>, Error> {
        let call = e.parse(inst)?;
        let call = call.ok_or_else(|| e.unsupported(PointerFeature::UnknownOrigin))?;
        let (base, payloads) = match records(e, e.operand_of(&call, 0)?)? {
            Records::Input => self.node_input(e)?,
            Records::Output(handle, allocation) => {
                // Where this number was renamed, the allocation may not dominate the access.
                if e.function.insts[inst]
                    .result
                    .expand()
                    .is_some_and(|v| e.is_renamed(v))
                {
                    return Err(e.unsupported(PointerFeature::SelectedRecords));
                }
                let payloads = self.node_output(e, handle.number)?;
                (e.id(allocation)?, payloads)
            }
        };
        let members = &self.node_payloads.structs[payloads.payload].members;
        let constant = address.constant.wrapping_add(more);
        let found = members.iter().position(|m| m.contains(constant));
        // HLSL indexes arrays, so that the constant part of an address is in the array.
        let number = match (found, address.terms.is_empty()) {
            (None, true) => return Ok(None),
            (Some(number), true) => number,
            (_, false) if members.len() == 1 => 0,
            (Some(number), false) if !members[number].is_grid => number,
            _ => return Err(e.unsupported(MemoryFeature::RecordGrid)),
        };
        let member = members[number];
        let mut root = Root {
            id: 0,
            class: CLASS,
            slot: Scalar::Int(member.slot * 8),
            bytes: member.slot.into(),
            count: member.count,
            vector: member.is_grid,
            lanes: 1,
        };
        let rest = Address {
            constant: constant.wrapping_sub(member.offset.into()),
            ..address.clone()
        };
        let index = slot_index(e, &root, &rest)?;
        if index == Index::Outside {
            return Ok(None);
        }
        let record = record_base(e, inst)?;
        let number = e.b.const_u32(number as u32);
        root.id = e.b.access(CLASS, member.ty, base, &[record, number]);
        Ok(Some(StorageLocation { root, index }))
    }

    /// Emits a `load` of a record.
    pub(super) fn load_payload(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        inst: InstId,
        at: (InstId, &Address),
    ) -> Result<(), Error> {
        let ty = e.result_type(inst);
        let shape = e.shape(ty)?;
        let size = self.layout(e, ty)?.slot;
        let mut parts: SmallVec<[Word; 4]> = SmallVec::new();
        for lane in 0..shape.lanes {
            let mut part = None;
            if let Some(location) = self.payload_location(e, at, u64::from(lane) * size)? {
                let fit = fit(e, &location, shape, size)?;
                if inside(&location, fit.slots) {
                    part = Some(load_scalar(e, &location, fit, shape.scalar, 0));
                }
            }
            let scalar = e.scalar_type(shape.scalar);
            parts.push(part.unwrap_or_else(|| e.b.const_null(scalar)));
        }
        let result = e.shape_type(shape);
        let id = e.b.construct(result, &parts);
        e.set(inst, 0, id);
        Ok(())
    }

    /// Emits a `store` to a record.
    pub(super) fn store_payload(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        at: (InstId, &Address),
        value: ValueId,
    ) -> Result<(), Error> {
        let shape = e.value_shape(value)?;
        let size = self.layout(e, e.value_type(value)?)?.slot;
        let id = e.id(value)?;
        for lane in 0..shape.lanes {
            let Some(location) = self.payload_location(e, at, u64::from(lane) * size)? else {
                continue;
            };
            let fit = fit(e, &location, shape, size)?;
            if !inside(&location, fit.slots) {
                continue;
            }
            let part = if shape.lanes == 1 {
                id
            } else {
                let ty = e.scalar_type(shape.scalar);
                e.b.extract(ty, id, lane)
            };
            store_scalar(e, &location, fit, shape.scalar, 0, part);
        }
        Ok(())
    }
}

/// Returns the properties of a record.
fn key(
    e: &FunctionBuilder<'_>,
    record: Option<&NodeRecord>,
    flags: NodeIoFlags,
    is_narrow: bool,
) -> Result<Key, Error> {
    let size = record.map_or(0, |record| record.size);
    let grid = record.and_then(|record| record.grid).map(Grid::new);
    let mut boundaries = size;
    if let Some(grid) = grid {
        let end = grid.end();
        let is_inside = end.is_some_and(|end| end <= size);
        if !is_inside || !grid.offset.is_multiple_of(grid.bytes) {
            return Err(e.invalid_property(format!("SV_DispatchGrid at offset {}", grid.offset)));
        }
        boundaries |= grid.offset | end.unwrap_or(0);
    }
    if !boundaries.is_multiple_of(2) {
        return Err(e.invalid_property(format!("a record of {size} bytes")));
    }
    Ok(Key {
        size,
        slot: if is_narrow || !boundaries.is_multiple_of(4) {
            2
        } else {
            4
        },
        grid,
        tracks: flags.has(NodeIoFlags::TRACKS_SHARING),
        coherent: flags.has(NodeIoFlags::GLOBALLY_COHERENT),
        read_only: false,
    })
}

/// Declares the struct of a record.
fn declare(e: &mut FunctionBuilder<'_>, key: Key) -> Payload {
    let mut members: SmallVec<[Member; 3]> = SmallVec::new();
    let mut slots = |e: &mut FunctionBuilder<'_>, start: u32, end: u32| {
        let count = end.saturating_sub(start) / key.slot;
        if count > 0 {
            members.push(Member {
                offset: start,
                slot: key.slot,
                count,
                is_grid: false,
                ty: slots_type(e, key.slot, count),
            });
        }
    };
    match key.grid {
        None => slots(e, 0, key.size),
        Some(grid) => {
            slots(e, 0, grid.offset);
            let scalar = e.b.ty_int(grid.bytes * 8);
            let ty = e.b.ty_vec(scalar, grid.components);
            slots(e, grid.end().unwrap_or(key.size), key.size);
            let at = members.iter().position(|m| m.offset > grid.offset);
            let member = Member {
                offset: grid.offset,
                slot: grid.bytes,
                count: grid.components,
                is_grid: true,
                ty,
            };
            members.insert(at.unwrap_or(members.len()), member);
        }
    }
    let types: SmallVec<[Word; 3]> = members.iter().map(|m| m.ty).collect();
    let id = e.b.ty_fresh(Op::TypeStruct, &types);
    for (index, member) in (0..).zip(&members) {
        e.b.decorate_member(id, index, Decoration::Offset, &[member.offset]);
        if key.coherent {
            e.b.decorate_member(id, index, Decoration::Coherent, &[]);
        }
        if key.read_only {
            e.b.decorate_member(id, index, Decoration::NonWritable, &[]);
        }
        if member.is_grid {
            e.b.decorate_member(id, index, Decoration::PayloadDispatchIndirectAMDX, &[]);
        }
    }
    if key.tracks {
        e.b.decorate(id, Decoration::TrackFinishWritingAMDX, &[]);
    }
    e.b.name(id, "Record");
    Payload { id, members }
}

/// Returns the type of `count` slots of `bytes` bytes.
fn slots_type(e: &mut FunctionBuilder<'_>, bytes: u32, count: u32) -> Word {
    let slot = e.b.ty_int(bytes * 8);
    if count == 1 {
        return slot;
    }
    let count = e.b.const_u32(count);
    let array = e.b.ty_fresh(Op::TypeArray, &[slot, count]);
    e.b.decorate(array, Decoration::ArrayStride, &[bytes]);
    array
}
