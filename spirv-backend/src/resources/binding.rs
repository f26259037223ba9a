//! Where the binding model puts the resources: asked once, before the first use.

use trellis_dxil_frontend::shader::ResourceClass;
use trellis_entity::PrimaryMap;

use super::handle::range;
use super::variable::Access;
use crate::bindings::ask::{Answer, ask_all};
use crate::bindings::{
    BindingError, BoundResource, DescriptorKind, HeapBinding, HeapPlace, HeapQuery, Place,
};
use crate::error::Error;
use crate::handles::{Origin, RangeId, ResourceDesc};
use crate::values::FunctionBuilder;

/// Where a range is in an array of a heap's descriptors.
#[derive(Clone, Copy, Debug)]
pub(super) struct InHeap {
    pub(super) binding: HeapBinding,
    /// Index of the first register.
    pub(super) offset: u32,
    /// The addend of the index.
    pub(super) base: TableBase,
}

/// Where the index of a descriptor table's first descriptor is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TableBase {
    /// The index is 0.
    Zero,
    /// In a root constant with this number.
    RootConstant(u32),
    /// In the shader record, times the size of a descriptor.
    Record {
        /// Offset in bytes.
        offset: u32,
        /// Binary logarithm of the size.
        size_log2: u32,
    },
}

/// The answers for all declared ranges, and for the views of heaps in use.
#[derive(Default)]
pub(super) struct Answers {
    ranges: PrimaryMap<RangeId, Answer>,
    heaps: Vec<(HeapQuery, Result<HeapPlace, BindingError>)>,
    /// A range is at a device address, or its counter.
    has_addresses: bool,
    /// A range begins within its descriptors.
    has_offsets: bool,
    /// A range, or its counter, is in a kind of descriptor that is not its natural one.
    has_kinds: bool,
}

impl Answers {
    /// Asks about each range of a shader, in the order of the metadata.
    pub(super) fn ask(&mut self, e: &FunctionBuilder<'_>) {
        let model = &*e.options.bindings;
        self.ranges = ask_all(model, e.entry.kind, &e.shader.resources).into();
        let has_addresses = self.all_places().any(|(_, place)| place.is_address());
        self.has_addresses = has_addresses;
        let has_kinds = self.all_places().any(|(_, place)| place.kind().is_some());
        self.has_kinds = has_kinds;
        let bindings = self.ranges.values().filter_map(|a| a.binding.as_ref().ok());
        self.has_offsets = bindings
            .into_iter()
            .any(|binding| binding.offsets.is_some());
    }

    /// Returns true if a range is at a device address, or its counter.
    pub(super) fn has_addresses(&self) -> bool {
        self.has_addresses
    }

    /// Returns true if a range begins within its descriptors.
    pub(super) fn has_offsets(&self) -> bool {
        self.has_offsets
    }

    /// Returns the number of registers of a range.
    pub(super) fn registers(&self, range: RangeId) -> u32 {
        self.ranges[range].registers
    }

    /// Returns where a range is, or its counter.
    pub(super) fn place(
        &self,
        e: &FunctionBuilder<'_>,
        at: RangeId,
        counter: bool,
    ) -> Result<Place, Error> {
        let place = match &self.ranges[at].binding {
            Ok(binding) if counter => binding.counter.ok_or(BindingError::NoCounter),
            Ok(binding) => Ok(binding.place),
            Err(reason) => Err(reason.clone()),
        };
        place.map_err(|reason| binding_error(e, at, counter, reason))
    }

    /// Returns true if a raw or structured buffer, or its counter, is a texel buffer.
    pub(super) fn is_texels(
        &mut self,
        e: &FunctionBuilder<'_>,
        origin: Origin,
        desc: &ResourceDesc,
        counter: bool,
    ) -> Result<bool, Error> {
        let kind = match origin {
            Origin::Range(_) if !self.has_kinds => None,
            Origin::Range(at) => self.place(e, at, counter)?.kind(),
            _ => self.heap(e, origin, desc, counter)?.kind,
        };
        Ok(matches!(
            kind,
            Some(DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer)
        ))
    }

    /// Returns where in a heap a range is, or its counter; `None` if it is elsewhere.
    pub(super) fn in_heap(&self, at: RangeId, counter: bool) -> Option<InHeap> {
        let binding = self.ranges[at].binding.as_ref().ok()?;
        let place = if counter {
            binding.counter?
        } else {
            binding.place
        };
        let (binding, offset, base) = match place {
            Place::Heap {
                set,
                binding,
                offset,
                root_constant,
                ..
            } => {
                let base = root_constant.map_or(TableBase::Zero, TableBase::RootConstant);
                (HeapBinding { set, binding }, offset, base)
            }
            Place::RecordTable {
                set,
                binding,
                offset,
                record_offset,
                size_log2,
                ..
            } => {
                let base = TableBase::Record {
                    offset: record_offset,
                    size_log2,
                };
                (HeapBinding { set, binding }, offset, base)
            }
            _ => return None,
        };
        Some(InHeap {
            binding,
            offset,
            base,
        })
    }

    /// Returns the buffer of offsets and sizes of a range or of a heap's views.
    pub(super) fn offsets(
        &mut self,
        e: &FunctionBuilder<'_>,
        origin: Origin,
        desc: &ResourceDesc,
    ) -> Result<Option<HeapBinding>, Error> {
        Ok(match origin {
            Origin::Range(at) => {
                let binding = self.ranges[at].binding.as_ref().ok();
                binding.and_then(|binding| binding.offsets)
            }
            _ => self.heap(e, origin, desc, false)?.offsets,
        })
    }

    /// Returns where some views of a heap, or their counters, are; queries the model the first
    /// time.
    pub(super) fn heap(
        &mut self,
        e: &FunctionBuilder<'_>,
        origin: Origin,
        desc: &ResourceDesc,
        counter: bool,
    ) -> Result<HeapPlace, Error> {
        let query = HeapQuery::new(e.entry.kind, desc.class, desc.kind, desc.stride, counter);
        let known = self.heaps.iter().find(|(known, _)| *known == query);
        let place = match known {
            Some((_, place)) => place.clone(),
            None => {
                let place = e.options.bindings.heap(&query);
                self.heaps.push((query, place.clone()));
                place
            }
        };
        let resource = match origin {
            Origin::SamplerHeap => BoundResource::SamplerHeap,
            _ if counter => BoundResource::CounterHeap,
            _ => BoundResource::ResourceHeap,
        };
        place.map_err(|reason| Error::Binding { resource, reason })
    }

    /// Returns the places of all ranges and counters.
    pub(super) fn all_places(&self) -> impl Iterator<Item = (RangeId, Place)> {
        self.ranges.iter().flat_map(|(range, answer)| {
            let binding = answer.binding.as_ref().ok();
            let places = binding.into_iter().flat_map(|b| [Some(b.place), b.counter]);
            places.flatten().map(move |place| (range, place))
        })
    }
}

/// Returns the error of a range.
pub(super) fn binding_error(
    e: &FunctionBuilder<'_>,
    at: RangeId,
    counter: bool,
    reason: BindingError,
) -> Error {
    let r = range(e.shader, at);
    Error::Binding {
        resource: BoundResource::Range {
            class: r.class,
            kind: r.kind,
            name: r.name.to_string(),
            register: r.lower_bound,
            space: r.space,
            counter,
        },
        reason,
    }
}

/// A descriptor set, a binding in it, and the kind of descriptor there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BindingSlot {
    pub(super) set: u32,
    pub(super) binding: u32,
    pub(super) kind: DescriptorKind,
}

/// Returns the default kind of descriptor for an access.
fn natural(desc: &ResourceDesc, access: Access) -> DescriptorKind {
    let uav = desc.class == ResourceClass::Uav;
    match access {
        Access::Image if desc.is_typed_buffer() && uav => DescriptorKind::StorageTexelBuffer,
        Access::Image if desc.is_typed_buffer() => DescriptorKind::UniformTexelBuffer,
        Access::Image if uav => DescriptorKind::StorageImage,
        Access::Image => DescriptorKind::SampledImage,
        Access::Texels { counter: false } if !uav => DescriptorKind::UniformTexelBuffer,
        Access::Texels { .. } => DescriptorKind::StorageTexelBuffer,
        Access::Elements(_)
        | Access::Vectors(..)
        | Access::Floats
        | Access::HalfPairs
        | Access::Counter => DescriptorKind::StorageBuffer,
        Access::Addresses { .. } => DescriptorKind::DeviceAddress,
        Access::Rows => DescriptorKind::UniformBuffer,
        Access::Sampler => DescriptorKind::Sampler,
        Access::AccelerationStructure => DescriptorKind::AccelerationStructure,
    }
}

/// Returns true if an access can be to a descriptor of `kind` instead of the default kind.
fn translates(access: Access, kind: DescriptorKind) -> bool {
    access == Access::Rows && kind == DescriptorKind::StorageBuffer
}

/// Returns set, binding and kind of a resource, its counter, or views of a heap.
pub(super) fn binding_slot(
    e: &FunctionBuilder<'_>,
    answers: &mut Answers,
    origin: Origin,
    desc: &ResourceDesc,
    access: Access,
) -> Result<BindingSlot, Error> {
    let natural = natural(desc, access);
    let counter = access.is_counter();
    let Origin::Range(at) = origin else {
        let HeapPlace { at, kind, .. } = answers.heap(e, origin, desc, counter)?;
        let HeapBinding { set, binding } = at;
        let kind = kind.unwrap_or(natural);
        if kind != natural && !translates(access, kind) {
            let resource = BoundResource::ResourceHeap;
            let given = kind;
            let reason = BindingError::Kind { given, natural };
            return Err(Error::Binding { resource, reason });
        }
        return Ok(BindingSlot { set, binding, kind });
    };
    let error = |reason| Err(binding_error(e, at, counter, reason));
    match answers.place(e, at, counter)? {
        Place::Descriptor { set, binding, kind }
        | Place::Heap {
            set, binding, kind, ..
        }
        | Place::RecordTable {
            set, binding, kind, ..
        } => {
            let kind = kind.unwrap_or(natural);
            if kind != natural && !translates(access, kind) {
                let given = kind;
                return error(BindingError::Kind { given, natural });
            }
            Ok(BindingSlot { set, binding, kind })
        }
        Place::DeviceAddress { .. } | Place::RecordAddress { .. } => error(BindingError::NoAddress),
        Place::RootConstants { .. } => error(BindingError::NoConstants),
        Place::ShaderRecord { .. } => error(BindingError::NoRecord),
    }
}
