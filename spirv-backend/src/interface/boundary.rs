//! The boundaries at which values enter and leave a stage.

use std::ops::Deref;

use rspirv::spirv::StorageClass;
use trellis_dxil_frontend::shader::{ShaderKind, SignatureElement, Signatures};

/// One side of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Boundary {
    /// Vertex attributes.
    VertexInput,
    /// From the vertex shader to the rasterizer or the next stage.
    VertexOutput,
    /// Control points of a patch, as the hull shader sees them.
    HullInput,
    /// Control points that the hull shader writes.
    HullOutput,
    /// Patch constants and tessellation factors that the hull shader writes.
    PatchOutput,
    /// Patch constants and tessellation factors that the domain shader reads.
    PatchInput,
    /// Control points that the domain shader reads.
    DomainInput,
    /// From the domain shader to the rasterizer or the next stage.
    DomainOutput,
    /// Vertices of a primitive.
    GeometryInput,
    /// From the geometry shader to the rasterizer.
    GeometryOutput,
    /// Interpolated values.
    PixelInput,
    /// Render targets, depth, stencil, coverage.
    PixelOutput,
    /// From a mesh shader: a value for each vertex.
    MeshVertex,
    /// From a mesh shader: a value for each primitive.
    MeshPrimitive,
}

/// An element of a signature at a boundary.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) boundary: Boundary,
    /// Its number in the signature.
    pub(super) index: usize,
    data: &'a SignatureElement,
}

impl Deref for Element<'_> {
    type Target = SignatureElement;

    fn deref(&self) -> &SignatureElement {
        self.data
    }
}

impl Element<'_> {
    /// Returns the number after its semantic's name.
    pub(super) fn semantic_index(self) -> u32 {
        self.indices.first().copied().unwrap_or(0)
    }
}

/// The signature of an entry point that describes a boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Input,
    Output,
    Patch,
}

impl Boundary {
    /// Returns the input side of a stage, if it has a signature there.
    pub(super) fn input(kind: ShaderKind) -> Option<Self> {
        match kind {
            ShaderKind::Vertex => Some(Self::VertexInput),
            ShaderKind::Hull => Some(Self::HullInput),
            ShaderKind::Domain => Some(Self::DomainInput),
            ShaderKind::Geometry => Some(Self::GeometryInput),
            ShaderKind::Pixel => Some(Self::PixelInput),
            _ => None,
        }
    }
    /// Returns the output side of a stage, if it has a signature there.
    pub(super) fn output(kind: ShaderKind) -> Option<Self> {
        match kind {
            ShaderKind::Vertex => Some(Self::VertexOutput),
            ShaderKind::Hull => Some(Self::HullOutput),
            ShaderKind::Domain => Some(Self::DomainOutput),
            ShaderKind::Geometry => Some(Self::GeometryOutput),
            ShaderKind::Pixel => Some(Self::PixelOutput),
            ShaderKind::Mesh => Some(Self::MeshVertex),
            _ => None,
        }
    }
    /// Returns the patch constants of a stage that has them.
    pub(super) fn patch(kind: ShaderKind) -> Option<Self> {
        match kind {
            ShaderKind::Hull => Some(Self::PatchOutput),
            ShaderKind::Domain => Some(Self::PatchInput),
            _ => None,
        }
    }
    pub(super) fn is_input(self) -> bool {
        matches!(
            self,
            Self::VertexInput
                | Self::HullInput
                | Self::PatchInput
                | Self::DomainInput
                | Self::GeometryInput
                | Self::PixelInput
        )
    }
    pub(super) fn is_patch(self) -> bool {
        matches!(self, Self::PatchOutput | Self::PatchInput)
    }
    /// Returns true if the other side belongs to another shader stage, so that both must agree on
    /// types and locations. The others face formats, whose signedness counts.
    pub(super) fn is_between_stages(self) -> bool {
        !matches!(self, Self::VertexInput | Self::PixelOutput)
    }
    /// Returns true if interpolation is decided here.
    pub(super) fn interpolates(self) -> bool {
        self == Self::PixelInput
    }
    /// Returns true if each element is an array over vertices or control points.
    pub(super) fn is_arrayed(self) -> bool {
        matches!(
            self,
            Self::HullInput | Self::HullOutput | Self::DomainInput | Self::GeometryInput
        )
    }
    pub(super) fn side(self) -> Side {
        match self {
            _ if self.is_patch() || self == Self::MeshPrimitive => Side::Patch,
            _ if self.is_input() => Side::Input,
            _ => Side::Output,
        }
    }
    /// Returns the elements at this boundary.
    pub(super) fn all(self, signatures: &Signatures) -> impl Iterator<Item = Element<'_>> {
        let elements = self.elements(signatures).iter().enumerate();
        elements.map(move |(index, data)| Element {
            boundary: self,
            index,
            data,
        })
    }
    /// Returns the elements of the signature.
    pub(super) fn elements(self, signatures: &Signatures) -> &[SignatureElement] {
        match self.side() {
            Side::Input => &signatures.input,
            Side::Output => &signatures.output,
            Side::Patch => &signatures.patch_constant,
        }
    }
    pub(super) fn storage_class(self) -> StorageClass {
        if self.is_input() {
            StorageClass::Input
        } else {
            StorageClass::Output
        }
    }
    /// Returns the prefix of the variables' names.
    pub(super) fn prefix(self) -> &'static str {
        if self.is_input() { "in." } else { "out." }
    }
}
