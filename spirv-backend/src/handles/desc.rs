//! The description of a resource: shape, element type and flags, from metadata or from
//! `annotateHandle`.

use rspirv::spirv::{Dim, ImageFormat};
use trellis_dxil_frontend::shader::{ComponentType, Resource, ResourceClass, ResourceKind};

/// The description of a resource at one use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ResourceDesc {
    /// Class.
    pub(crate) class: ResourceClass,
    /// Shape.
    pub(crate) kind: ResourceKind,
    /// Element type of a typed buffer or texture; `Invalid` for the others.
    pub(crate) component: ComponentType,
    /// Stride of a structured buffer in bytes; 0 for the others.
    pub(crate) stride: u32,
    /// Size of a constant buffer in bytes; 0 for the others.
    pub(crate) size: u32,
    /// `globallycoherent` or `reordercoherent`.
    pub(crate) coherent: bool,
    /// Rasterizer-ordered.
    pub(crate) rasterizer_ordered: bool,
    /// Texels of one 64-bit number for atomics; DXIL otherwise reads and writes them as two words.
    pub(crate) atomic64: bool,
    /// Texels of floats that are words to the shader, for a compare-exchange of their bits.
    pub(crate) words: bool,
}

impl ResourceDesc {
    /// The description of a handle that is not a resource of the shader.
    pub(crate) const NONE: Self = Self {
        class: ResourceClass::Srv,
        kind: ResourceKind::Invalid,
        component: ComponentType::Invalid,
        stride: 0,
        size: 0,
        coherent: false,
        rasterizer_ordered: false,
        atomic64: false,
        words: false,
    };

    /// Returns the description in the metadata of a declared range.
    pub(crate) fn of_resource(r: &Resource) -> Self {
        Self {
            class: r.class,
            kind: r.kind,
            component: r.component.unwrap_or(ComponentType::Invalid),
            stride: r.stride.unwrap_or(0),
            size: r.cbuffer_size,
            coherent: r.globally_coherent || r.reorder_coherent,
            rasterizer_ordered: r.rasterizer_ordered,
            atomic64: r.atomic64,
            words: false,
        }
    }

    /// Returns the description in the two words of `%dx.types.ResourceProperties`; `None` for a
    /// kind or element type that DXIL does not have.
    ///
    /// First word: kind in bits 0 to 7, log2 of the alignment in 8 to 11, then UAV (12),
    /// rasterizer-ordered (13), globally coherent (14), comparison sampler or counter (15), reorder-coherent (16). Second
    /// word: element type in bits 0 to 7 (typed), stride (structured), size in bytes (constant
    /// buffer). Source: DXC's `DxilResourceProperties`.
    pub(crate) fn of_properties(words: [u32; 2]) -> Option<Self> {
        let kind = ResourceKind::from_code(words[0] & 0xFF)?;
        let flag = |bit: u32| words[0] >> bit & 1 != 0;
        let class = match kind {
            ResourceKind::Invalid => return None,
            ResourceKind::CBuffer => ResourceClass::CBuffer,
            ResourceKind::Sampler => ResourceClass::Sampler,
            _ if flag(12) => ResourceClass::Uav,
            _ => ResourceClass::Srv,
        };
        let mut desc = Self {
            class,
            kind,
            component: ComponentType::Invalid,
            stride: 0,
            size: 0,
            coherent: flag(14) || flag(16),
            rasterizer_ordered: flag(13),
            atomic64: false,
            words: false,
        };
        match kind {
            // The size of a `tbuffer` has no meaning here.
            ResourceKind::CBuffer | ResourceKind::TBuffer => desc.size = words[1],
            ResourceKind::StructuredBuffer => desc.stride = words[1],
            // The kind of feedback, which is not needed.
            ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => {}
            _ if desc.is_image() => desc.component = ComponentType::from_code(words[1] & 0xFF)?,
            _ => {}
        }
        Some(desc)
    }

    /// Returns true for textures and typed buffers.
    pub(crate) fn is_image(&self) -> bool {
        self.image().is_some()
    }
    /// Returns true for the maps of sampler feedback.
    pub(crate) fn is_feedback(&self) -> bool {
        matches!(
            self.kind,
            ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray
        )
    }
    /// Returns kind and component type, for errors.
    pub(crate) fn form(&self) -> String {
        format!("a {:?} of {:?}", self.kind, self.component)
    }
    /// Returns true for raw and structured buffers.
    pub(crate) fn is_untyped_buffer(&self) -> bool {
        matches!(
            self.kind,
            ResourceKind::RawBuffer | ResourceKind::StructuredBuffer
        )
    }
    /// Returns true for typed buffers, `tbuffer` included.
    pub(crate) fn is_typed_buffer(&self) -> bool {
        matches!(self.kind, ResourceKind::TypedBuffer | ResourceKind::TBuffer)
    }
    /// Returns the shape of the image, if it is one.
    pub(crate) fn image(&self) -> Option<ImageShape> {
        ImageShape::of(self.kind)
    }
    /// Returns the type of a texel as Vulkan's image instructions see it; `None` if the element
    /// type has none.
    pub(crate) fn texel(&self) -> Option<Texel> {
        match self.kind {
            // Rows of 16 bytes of any content: integers keep every bit.
            ResourceKind::TBuffer => Some(Texel::UInt(32)),
            // The layout is described in `ops/feedback.rs`.
            _ if self.is_feedback() => Some(Texel::UInt(64)),
            _ if self.atomic64 => Some(Texel::UInt(64)),
            _ if self.words => Some(Texel::UInt(32)),
            _ => Texel::of(self.component),
        }
    }
}

/// Type of one component of a texel (the sampled type of `OpTypeImage`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Texel {
    /// 32-bit float; also every normalized format and half.
    Float,
    /// Signed integer of 32 or 64 bits.
    Int(u32),
    /// Unsigned integer of 32 or 64 bits.
    UInt(u32),
}

impl Texel {
    fn of(component: ComponentType) -> Option<Self> {
        Some(match component {
            ComponentType::F16 | ComponentType::F32 => Self::Float,
            ComponentType::SNormF16
            | ComponentType::UNormF16
            | ComponentType::SNormF32
            | ComponentType::UNormF32 => Self::Float,
            ComponentType::I16 | ComponentType::I32 => Self::Int(32),
            ComponentType::I1
            | ComponentType::U16
            | ComponentType::U32
            | ComponentType::PackedS8x32
            | ComponentType::PackedU8x32 => Self::UInt(32),
            // DXC reads a double as two words and joins them (`makeDouble`).
            ComponentType::F64 | ComponentType::SNormF64 | ComponentType::UNormF64 => {
                Self::UInt(32)
            }
            ComponentType::I64 => Self::Int(64),
            ComponentType::U64 => Self::UInt(64),
            ComponentType::Invalid => return None,
        })
    }
    /// Returns the width in bits.
    pub(crate) fn width(self) -> u32 {
        match self {
            Self::Float => 32,
            Self::Int(w) | Self::UInt(w) => w,
        }
    }
    /// Returns the one-component format that atomics need.
    pub(crate) fn atomic_format(self) -> ImageFormat {
        match self {
            Self::Float => ImageFormat::R32f,
            Self::Int(64) => ImageFormat::R64i,
            Self::UInt(64) => ImageFormat::R64ui,
            Self::Int(_) => ImageFormat::R32i,
            Self::UInt(_) => ImageFormat::R32ui,
        }
    }
}

/// Dimensions of an image as SPIR-V counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ImageShape {
    /// Dimensionality.
    pub(crate) dim: Dim,
    /// Has layers.
    pub(crate) arrayed: bool,
    /// Multisampled.
    pub(crate) multisampled: bool,
    /// Components of a coordinate, the layer included.
    pub(crate) coords: usize,
    /// Components of a derivative, of the coordinate of a LOD query, and of a position without the
    /// layer.
    pub(crate) position: usize,
    /// Components of an offset; 0 where none is possible.
    pub(crate) offset: usize,
    /// Components of the result of a size query.
    pub(crate) size: u32,
}

impl ImageShape {
    /// A texel buffer.
    pub(crate) const BUFFER: Self = Self {
        dim: Dim::DimBuffer,
        arrayed: false,
        multisampled: false,
        coords: 1,
        position: 1,
        offset: 0,
        size: 1,
    };

    fn of(kind: ResourceKind) -> Option<Self> {
        let shape = |dim, arrayed, multisampled, position, offset, size| {
            Some(Self {
                dim,
                arrayed,
                multisampled,
                coords: position + usize::from(arrayed),
                position,
                offset,
                size,
            })
        };
        match kind {
            ResourceKind::Texture1D => shape(Dim::Dim1D, false, false, 1, 1, 1),
            ResourceKind::Texture1DArray => shape(Dim::Dim1D, true, false, 1, 1, 2),
            ResourceKind::Texture2D | ResourceKind::FeedbackTexture2D => {
                shape(Dim::Dim2D, false, false, 2, 2, 2)
            }
            ResourceKind::Texture2DArray | ResourceKind::FeedbackTexture2DArray => {
                shape(Dim::Dim2D, true, false, 2, 2, 3)
            }
            ResourceKind::Texture2DMS => shape(Dim::Dim2D, false, true, 2, 2, 2),
            ResourceKind::Texture2DMSArray => shape(Dim::Dim2D, true, true, 2, 2, 3),
            ResourceKind::Texture3D => shape(Dim::Dim3D, false, false, 3, 3, 3),
            ResourceKind::TextureCube => shape(Dim::DimCube, false, false, 3, 0, 2),
            ResourceKind::TextureCubeArray => shape(Dim::DimCube, true, false, 3, 0, 3),
            ResourceKind::TypedBuffer | ResourceKind::TBuffer => Some(Self::BUFFER),
            _ => None,
        }
    }
    /// Returns true if the image is a buffer.
    pub(crate) fn is_buffer(&self) -> bool {
        self.dim == Dim::DimBuffer
    }
}

#[cfg(test)]
mod tests {
    use super::{ComponentType, ResourceClass, ResourceDesc, ResourceKind, Texel};

    /// Properties as DXC wrote them, with the names in its disassembly.
    #[test]
    fn properties() {
        let desc = |a, b| ResourceDesc::of_properties([a, b]).expect("known kind");
        let texture = desc(2, 1033); // Texture2D<4xF32>
        assert_eq!(
            (texture.class, texture.kind, texture.component),
            (
                ResourceClass::Srv,
                ResourceKind::Texture2D,
                ComponentType::F32
            )
        );
        let structured = desc(37644, 32); // RWStructuredBuffer<stride=32, counter>
        assert_eq!(
            (structured.class, structured.kind, structured.stride),
            (ResourceClass::Uav, ResourceKind::StructuredBuffer, 32)
        );
        assert!(!structured.coherent);
        let coherent = desc(20482, 261); // globallycoherent RWTexture2D<U32>
        assert!(coherent.coherent && !coherent.rasterizer_ordered);
        assert_eq!(coherent.texel(), Some(Texel::UInt(32)));
        let raw = desc(4107, 0); // RWByteAddressBuffer
        assert_eq!(
            (raw.class, raw.kind),
            (ResourceClass::Uav, ResourceKind::RawBuffer)
        );
        let constants = desc(13, 72); // CBuffer
        assert_eq!(
            (constants.class, constants.size),
            (ResourceClass::CBuffer, 72)
        );
        assert_eq!(desc(14, 0).class, ResourceClass::Sampler);
        assert_eq!(ResourceDesc::of_properties([99, 0]), None);
        assert_eq!(ResourceDesc::of_properties([2, 200]), None);
    }

    #[test]
    fn coordinates() {
        let shape =
            |kind| super::ImageShape::of(kind).map(|s| (s.coords, s.position, s.offset, s.size));
        assert_eq!(shape(ResourceKind::TextureCubeArray), Some((4, 3, 0, 3)));
        assert_eq!(shape(ResourceKind::Texture1DArray), Some((2, 1, 1, 2)));
        assert_eq!(shape(ResourceKind::StructuredBuffer), None);
    }
}
