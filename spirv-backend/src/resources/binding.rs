//! Asks the binding model for the place of a resource.

use trellis_dxil_frontend::shader::ResourceClass;

use super::handle::Origin;
use super::variable::Form;
use super::view::View;
use crate::bindings::{DescriptorKind, ResourceQuery};
use crate::error::Error;
use crate::values::Emitter;

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

impl Emitter<'_> {
    /// Set, binding and kind of a resource, its counter, or a heap.
    pub(super) fn place(&self, origin: Origin, view: &View, form: Form) -> Result<Place, Error> {
        let natural = natural(view, form);
        let bindings = &self.options.bindings;
        let name = |what: &str| Error::Binding {
            resource: what.to_owned(),
            why: String::new(),
        };
        let with = |error: Error, text: String| match error {
            Error::Binding { resource, .. } => Error::Binding {
                resource,
                why: text,
            },
            other => other,
        };
        let Origin::Range(at) = origin else {
            let (what, answer) = match (origin, form) {
                (Origin::SamplerHeap, _) => ("the sampler heap", bindings.heap(true)),
                (_, Form::Counter) => ("the heap of counters", bindings.counter_heap()),
                _ => ("the resource heap", bindings.heap(false)),
            };
            let heap = answer.map_err(|why| with(name(what), why))?;
            return Ok(Place {
                set: heap.set,
                binding: heap.binding,
                kind: natural,
            });
        };
        let r = &self.shader.resources[at as usize];
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
        let error = |why: String| {
            let what = if counter { "the counter of " } else { "" };
            let resource = format!(
                "{what}{:?} {:?} `{}` (register {}, space {})",
                r.class, r.kind, r.name, r.lower_bound, r.space
            );
            Error::Binding { resource, why }
        };
        let place = bindings.bind(&query).map_err(error)?;
        let kind = place.kind.unwrap_or(natural);
        if kind != natural && !translates(form, kind, crate::stage::is_ray_tracing(self.entry.kind))
        {
            return Err(error(format!(
                "the binding model puts it into a descriptor of kind {kind:?}, which is not supported; {natural:?} is"
            )));
        }
        if kind == DescriptorKind::ShaderRecord && (r.range_size != 1 || place.binding % 4 != 0) {
            return Err(error("in the shader record, an array of constant buffers, or an offset that is no multiple of 4 bytes".to_owned()));
        }
        Ok(Place {
            set: place.set,
            binding: place.binding,
            kind,
        })
    }
}
