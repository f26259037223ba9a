//! The boundaries at which values enter and leave a stage.

use dxil_frontend::shader::ShaderKind;
use rspirv::spirv::StorageClass;

/// One side of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Boundary {
    /// Vertex attributes.
    VertexInput,
    /// From the vertex shader to the rasterizer or the next stage.
    VertexOutput,
    /// Interpolated values.
    PixelInput,
    /// Render targets, depth, stencil, coverage.
    PixelOutput,
}

impl Boundary {
    /// The input side of a stage, if it has a signature there.
    pub(super) fn input(kind: ShaderKind) -> Option<Self> {
        match kind {
            ShaderKind::Vertex => Some(Self::VertexInput),
            ShaderKind::Pixel => Some(Self::PixelInput),
            _ => None,
        }
    }
    /// The output side of a stage, if it has a signature there.
    pub(super) fn output(kind: ShaderKind) -> Option<Self> {
        match kind {
            ShaderKind::Vertex => Some(Self::VertexOutput),
            ShaderKind::Pixel => Some(Self::PixelOutput),
            _ => None,
        }
    }
    pub(super) fn is_input(self) -> bool {
        matches!(self, Self::VertexInput | Self::PixelInput)
    }
    /// The other side belongs to another shader stage, so that both must agree on types and locations. The others face formats, whose signedness counts.
    pub(super) fn is_between_stages(self) -> bool {
        matches!(self, Self::VertexOutput | Self::PixelInput)
    }
    /// Interpolation is decided here.
    pub(super) fn interpolates(self) -> bool {
        self == Self::PixelInput
    }
    pub(super) fn storage_class(self) -> StorageClass {
        if self.is_input() { StorageClass::Input } else { StorageClass::Output }
    }
    /// Prefix of the variables' names.
    pub(super) fn prefix(self) -> &'static str {
        if self.is_input() { "in." } else { "out." }
    }
}
