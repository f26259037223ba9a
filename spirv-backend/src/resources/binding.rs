//! Queries the binding model for the set and binding of a resource.

use trellis_dxil_frontend::shader::ResourceClass;

use super::desc::ResourceDesc;
use super::handle::{Origin, range};
use super::variable::Access;
use crate::bindings::{BindingError, BoundResource, DescriptorKind, ResourceQuery};
use crate::error::Error;
use crate::values::FunctionBuilder;

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
        Access::Elements(_) | Access::Counter => DescriptorKind::StorageBuffer,
        Access::Rows => DescriptorKind::UniformBuffer,
        Access::Sampler => DescriptorKind::Sampler,
        Access::AccelerationStructure => DescriptorKind::AccelerationStructure,
    }
}

/// Returns true if an access can be to a descriptor of `kind` instead of the default kind;
/// `record`: the stage has a shader record.
fn translates(access: Access, kind: DescriptorKind, record: bool) -> bool {
    access == Access::Rows
        && (kind == DescriptorKind::StorageBuffer || kind == DescriptorKind::ShaderRecord && record)
}

/// Returns set, binding and kind of a resource, its counter, or a heap.
pub(super) fn binding_slot(
    e: &FunctionBuilder<'_>,
    origin: Origin,
    desc: &ResourceDesc,
    access: Access,
) -> Result<BindingSlot, Error> {
    let natural = natural(desc, access);
    let bindings = &e.options.bindings;
    let Origin::Range(at) = origin else {
        let (resource, answer) = match (origin, access) {
            (Origin::SamplerHeap, _) => (BoundResource::SamplerHeap, bindings.heap(true)),
            (_, Access::Counter) => (BoundResource::CounterHeap, bindings.counter_heap()),
            _ => (BoundResource::ResourceHeap, bindings.heap(false)),
        };
        let heap = answer.map_err(|reason| Error::Binding { resource, reason })?;
        return Ok(BindingSlot {
            set: heap.set,
            binding: heap.binding,
            kind: natural,
        });
    };
    let r = range(e.shader, at);
    let counter = access == Access::Counter;
    let query = ResourceQuery {
        class: r.class,
        kind: r.kind,
        space: r.space,
        register: r.lower_bound,
        range_size: r.range_size,
        name: &r.name,
        counter,
    };
    let error = |reason: BindingError| Error::Binding {
        resource: BoundResource::Range {
            class: r.class,
            kind: r.kind,
            name: r.name.to_string(),
            register: r.lower_bound,
            space: r.space,
            counter,
        },
        reason,
    };
    let slot = bindings.bind(&query).map_err(error)?;
    let kind = slot.kind.unwrap_or(natural);
    if kind != natural && !translates(access, kind, crate::stage::is_ray_tracing(e.entry.kind)) {
        return Err(error(BindingError::Kind {
            given: kind,
            natural,
        }));
    }
    if kind == DescriptorKind::ShaderRecord && r.range_size != 1 {
        return Err(error(BindingError::RecordArray));
    }
    if kind == DescriptorKind::ShaderRecord && slot.binding % 4 != 0 {
        let offset = slot.binding;
        return Err(error(BindingError::RecordAlignment { offset }));
    }
    Ok(BindingSlot {
        set: slot.set,
        binding: slot.binding,
        kind,
    })
}
