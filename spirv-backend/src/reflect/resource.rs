//! Resources and where the binding model puts them.

use serde::{Serialize, Serializer};
use trellis_dxil_frontend::shader::{Resource, ResourceClass, SamplerKind, Shader, UNBOUNDED};

use crate::bindings::ask::{Answer, ask_all};
use crate::bindings::{Binding, BindingError, DescriptorKind, Place};
use crate::options::Options;

/// One resource range and where the binding model puts it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ResourceReflection {
    /// Name, if known.
    pub name: String,
    /// `srv`, `uav`, `cbuffer` or `sampler`.
    pub class: &'static str,
    /// Shape, such as `Texture2D`.
    pub kind: String,
    /// Register space.
    pub space: u32,
    /// First register.
    pub register: u32,
    /// Number of registers; absent for an unbounded range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Element type of a typed resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// Stride of a structured buffer in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stride: Option<u32>,
    /// Size of a constant buffer in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// `globallycoherent`, `rasterizer_ordered`, `comparison`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<&'static str>,
    /// Binding in Vulkan.
    pub vulkan: BindingReflection,
    /// Binding of the hidden counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<BindingReflection>,
}

/// A binding in a descriptor set, another place, or the reason why there is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum BindingReflection {
    /// The binding.
    Bound {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
        /// Kind of descriptor.
        descriptor: String,
    },
    /// No separate descriptor.
    Elsewhere {
        /// Where it is.
        place: Place,
    },
    /// The binding model has none.
    Unbound {
        /// The reason, serialized as its text.
        #[serde(serialize_with = "as_text")]
        error: BindingError,
    },
}

pub(super) fn class_name(class: ResourceClass) -> &'static str {
    match class {
        ResourceClass::Srv => "srv",
        ResourceClass::Uav => "uav",
        ResourceClass::CBuffer => "cbuffer",
        ResourceClass::Sampler => "sampler",
    }
}

/// Describes the resources of a shader that are chosen.
pub(super) fn resources(
    shader: &Shader,
    options: &Options,
    is_chosen: impl Fn(&Resource) -> bool,
) -> Vec<ResourceReflection> {
    let answers = ask_all(&*options.bindings, shader.kind, &shader.resources);
    let resources = shader.resources.iter().zip(answers);
    // The UAV of intrinsics does not exist.
    let resources = resources.filter(|(r, _)| is_chosen(r) && !options.vendor.encodes(r));
    resources.map(|(r, answer)| resource(r, answer)).collect()
}

fn resource(r: &Resource, answer: Answer) -> ResourceReflection {
    let mut flags = Vec::new();
    let mut flag = |on: bool, name| {
        if on {
            flags.push(name);
        }
    };
    flag(r.globally_coherent, "globally_coherent");
    flag(r.rasterizer_ordered, "rasterizer_ordered");
    flag(r.atomic64, "atomic64");
    flag(
        r.class == ResourceClass::Sampler && r.sampler_kind == SamplerKind::Comparison,
        "comparison",
    );
    let answer = answer.binding;
    let counter = |binding: Binding| binding.counter.ok_or(BindingError::NoCounter);
    let counter = r.has_counter.then(|| answer.clone().and_then(counter));
    ResourceReflection {
        name: r.name.to_string(),
        class: class_name(r.class),
        kind: format!("{:?}", r.kind),
        space: r.space,
        register: r.lower_bound,
        count: bounded(r.range_size),
        component: r.component.map(|c| format!("{c:?}")),
        stride: r.stride,
        size: (r.class == ResourceClass::CBuffer).then_some(r.cbuffer_size),
        flags,
        vulkan: place(
            answer.map(|binding| binding.place),
            DescriptorKind::natural(r),
        ),
        counter: counter.map(|answer| place(answer, DescriptorKind::StorageBuffer)),
    }
}

pub(super) fn bounded(count: u32) -> Option<u32> {
    (count != UNBOUNDED).then_some(count)
}

fn place(answer: Result<Place, BindingError>, natural: DescriptorKind) -> BindingReflection {
    match answer {
        Ok(Place::Descriptor { set, binding, kind }) => BindingReflection::Bound {
            set,
            binding,
            descriptor: format!("{:?}", kind.unwrap_or(natural)),
        },
        Ok(place) => BindingReflection::Elsewhere { place },
        Err(error) => BindingReflection::Unbound { error },
    }
}

/// Serializes an error as its text.
fn as_text<S: Serializer>(error: &BindingError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_tbuffer_is_a_texel_buffer() {
        let dxil = include_bytes!("../../../corpus/shaders/buffers/texture_buffer.dxil");
        let reflection = crate::reflect(dxil, &crate::Options::default()).expect("it can be read");
        let super::BindingReflection::Bound { descriptor, .. } = &reflection.resources[0].vulkan
        else {
            panic!("it has a place")
        };
        assert_eq!(
            descriptor, "UniformTexelBuffer",
            "as the translation declares it"
        );
    }
}
