//! Asks the binding model for the place of a resource.

use trellis_dxil_frontend::shader::ResourceClass;

use super::handle::Origin;
use super::variable::Form;
use super::view::View;
use crate::bindings::{BindingError, BoundResource, DescriptorKind, ResourceQuery};
use crate::error::Error;
use crate::values::FunctionBuilder;

/// A place and the kind of descriptor that stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) set: u32,
    pub(super) binding: u32,
    pub(super) kind: DescriptorKind,
}

/// The kind of descriptor that a form of access naturally has.
fn natural(view: &View, form: Form) -> DescriptorKind {
    let uav = view.class == ResourceClass::Uav;
    match form {
        Form::Image if view.is_typed_buffer() && uav => DescriptorKind::StorageTexelBuffer,
        Form::Image if view.is_typed_buffer() => DescriptorKind::UniformTexelBuffer,
        Form::Image if uav => DescriptorKind::StorageImage,
        Form::Image => DescriptorKind::SampledImage,
        Form::Elements(_) | Form::Counter => DescriptorKind::StorageBuffer,
        Form::Rows => DescriptorKind::UniformBuffer,
        Form::Sampler => DescriptorKind::Sampler,
        Form::AccelerationStructure => DescriptorKind::AccelerationStructure,
    }
}

/// Whether code exists for a form of access to another kind of descriptor than the natural one;
/// `record`: the stage has a shader record.
fn translates(form: Form, kind: DescriptorKind, record: bool) -> bool {
    form == Form::Rows
        && (kind == DescriptorKind::StorageBuffer || kind == DescriptorKind::ShaderRecord && record)
}

/// Set, binding and kind of a resource, its counter, or a heap.
pub(super) fn place(
    e: &FunctionBuilder<'_>,
    origin: Origin,
    view: &View,
    form: Form,
) -> Result<Place, Error> {
    let natural = natural(view, form);
    let bindings = &e.options.bindings;
    let Origin::Range(at) = origin else {
        let (resource, answer) = match (origin, form) {
            (Origin::SamplerHeap, _) => (BoundResource::SamplerHeap, bindings.heap(true)),
            (_, Form::Counter) => (BoundResource::CounterHeap, bindings.counter_heap()),
            _ => (BoundResource::ResourceHeap, bindings.heap(false)),
        };
        let heap = answer.map_err(|reason| Error::Binding { resource, reason })?;
        return Ok(Place {
            set: heap.set,
            binding: heap.binding,
            kind: natural,
        });
    };
    let r = &e.shader.resources[at as usize];
    let counter = form == Form::Counter;
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
    let place = bindings.bind(&query).map_err(error)?;
    let kind = place.kind.unwrap_or(natural);
    if kind != natural && !translates(form, kind, crate::stage::is_ray_tracing(e.entry.kind)) {
        return Err(error(BindingError::Kind {
            given: kind,
            natural,
        }));
    }
    if kind == DescriptorKind::ShaderRecord && r.range_size != 1 {
        return Err(error(BindingError::RecordArray));
    }
    if kind == DescriptorKind::ShaderRecord && place.binding % 4 != 0 {
        let offset = place.binding;
        return Err(error(BindingError::RecordAlignment { offset }));
    }
    Ok(Place {
        set: place.set,
        binding: place.binding,
        kind,
    })
}
