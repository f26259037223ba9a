//! The query to a binding model.

use trellis_dxil_frontend::shader::{Resource, ResourceClass, ResourceKind, ShaderKind};

/// A declared range of resources that a binding model is asked about.
///
/// Each range is asked about once per conversion, on the thread that converts, in the order of the
/// module's metadata: SRVs, UAVs, constant buffers, samplers, and in each class by
/// [`resource_index`](Self::resource_index). Ranges that the entry point does not use are asked
/// about, too; the model's answers about them have no effect. An unbounded range that is refused is
/// asked about again with a [`range_size`](Self::range_size) of 1: the shader's indices are ignored
/// then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ResourceQuery<'a> {
    /// Stage of the entry point.
    pub stage: ShaderKind,
    /// Class: SRV, UAV, constant buffer, sampler.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Register space.
    pub space: u32,
    /// First register.
    pub register: u32,
    /// Number of registers; `u32::MAX` for a range without end.
    pub range_size: u32,
    /// Number of the range within its class, in the module's metadata.
    pub resource_index: u32,
    /// Alignment of the offset of each access to a raw or structured buffer, in bytes: 16 for a raw
    /// buffer, the lowest bit of the stride for a structured one. 0 for other resources.
    pub alignment: u32,
    /// Stride of a structured buffer in bytes; 0 for other resources.
    pub stride: u32,
    /// Whether the UAV has a hidden counter, which needs a separate place
    /// ([`Binding::counter`](super::Binding::counter)).
    pub has_counter: bool,
    /// Whether the residency status of loads from a raw or structured buffer of DXBC is used, which
    /// only a texel buffer has: a storage buffer is always mapped.
    pub has_status: bool,
    /// Name, if known.
    pub name: &'a str,
}

impl<'a> ResourceQuery<'a> {
    /// Returns true if a library leaves the register to the application's linker: register and space
    /// are `u32::MAX` then, as DXC writes it.
    pub fn has_no_register(&self) -> bool {
        self.register == u32::MAX && self.space == u32::MAX
    }
    /// Returns the query about a range, in a shader of a stage.
    pub(crate) fn new(stage: ShaderKind, r: &'a Resource) -> Self {
        let stride = r.stride.unwrap_or(0);
        Self {
            stage,
            class: r.class,
            kind: r.kind,
            space: r.space,
            register: r.lower_bound,
            range_size: r.range_size,
            resource_index: r.id,
            alignment: alignment(r.kind, stride),
            stride,
            has_counter: r.has_counter,
            has_status: r.has_status,
            name: &r.name,
        }
    }
}

/// The views of a descriptor heap of one kind, that a binding model is asked about.
///
/// A model may put views of different kinds at different places, since a driver may have descriptors
/// of different sizes for them. It is asked at the first use of such a view, on the thread that
/// converts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HeapQuery {
    /// Stage of the entry point.
    pub stage: ShaderKind,
    /// Class: SRV, UAV, constant buffer, sampler. Only samplers are in the heap of samplers.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// As [`ResourceQuery::alignment`].
    pub alignment: u32,
    /// As [`ResourceQuery::stride`].
    pub stride: u32,
    /// True if the query is about the hidden counters of the UAVs, which a model has at the same index
    /// as the views.
    pub counter: bool,
}

impl HeapQuery {
    /// Returns the query about views of a kind.
    pub(crate) fn new(
        stage: ShaderKind,
        class: ResourceClass,
        kind: ResourceKind,
        stride: u32,
        counter: bool,
    ) -> Self {
        Self {
            stage,
            class,
            kind,
            alignment: alignment(kind, stride),
            stride,
            counter,
        }
    }
}

fn alignment(kind: ResourceKind, stride: u32) -> u32 {
    match kind {
        ResourceKind::RawBuffer => 16,
        ResourceKind::StructuredBuffer => stride & stride.wrapping_neg(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{ResourceKind, alignment};

    #[test]
    fn structured_buffers_are_aligned_to_a_part_of_their_stride() {
        let structured = |stride| alignment(ResourceKind::StructuredBuffer, stride);
        assert_eq!([12, 16, 20, 1, 0].map(structured), [4, 16, 4, 1, 0]);
        assert_eq!(alignment(ResourceKind::RawBuffer, 0), 16);
        assert_eq!(alignment(ResourceKind::Texture2D, 0), 0);
    }
}
