//! Sizes and components of the formats that tests use.

use ash::vk;

/// The type of a component in shaders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Component {
    Float,
    Sint,
    Uint,
}

/// Returns the type of a format's components in shaders.
pub(super) fn component(format: vk::Format) -> Component {
    use vk::Format as F;
    match format {
        F::R8_UINT
        | F::R8G8_UINT
        | F::R8G8B8A8_UINT
        | F::A2B10G10R10_UINT_PACK32
        | F::R16_UINT
        | F::R16G16_UINT
        | F::R16G16B16A16_UINT => Component::Uint,
        F::R32_UINT | F::R32G32_UINT | F::R32G32B32_UINT | F::R32G32B32A32_UINT => Component::Uint,
        F::R8_SINT
        | F::R8G8_SINT
        | F::R8G8B8A8_SINT
        | F::R16_SINT
        | F::R16G16_SINT
        | F::R16G16B16A16_SINT => Component::Sint,
        F::R32_SINT | F::R32G32_SINT | F::R32G32B32_SINT | F::R32G32B32A32_SINT => Component::Sint,
        _ => Component::Float,
    }
}

/// Bytes of a texel; `None` for formats that tests do not use.
pub fn texel_size(format: vk::Format) -> Option<usize> {
    use vk::Format as F;
    Some(match format {
        F::R8_UNORM | F::R8_SNORM | F::R8_UINT | F::R8_SINT => 1,
        F::R8G8_UNORM
        | F::R8G8_SNORM
        | F::R8G8_UINT
        | F::R8G8_SINT
        | F::R16_UNORM
        | F::R16_SNORM
        | F::R16_UINT
        | F::R16_SINT
        | F::R16_SFLOAT => 2,
        F::R8G8B8A8_UNORM
        | F::R8G8B8A8_SRGB
        | F::R8G8B8A8_SNORM
        | F::R8G8B8A8_UINT
        | F::R8G8B8A8_SINT
        | F::B8G8R8A8_UNORM => 4,
        F::A2B10G10R10_UNORM_PACK32 | F::A2B10G10R10_UINT_PACK32 | F::B10G11R11_UFLOAT_PACK32 => 4,
        F::R16G16_UNORM | F::R16G16_SNORM | F::R16G16_UINT | F::R16G16_SINT | F::R16G16_SFLOAT => 4,
        F::R32_UINT | F::R32_SINT | F::R32_SFLOAT | F::D32_SFLOAT => 4,
        F::R16G16B16A16_UNORM
        | F::R16G16B16A16_SNORM
        | F::R16G16B16A16_UINT
        | F::R16G16B16A16_SINT
        | F::R16G16B16A16_SFLOAT => 8,
        F::R32G32_UINT | F::R32G32_SINT | F::R32G32_SFLOAT | F::R64_UINT | F::R64_SINT => 8,
        F::R32G32B32_UINT | F::R32G32B32_SINT | F::R32G32B32_SFLOAT => 12,
        F::R32G32B32A32_UINT | F::R32G32B32A32_SINT | F::R32G32B32A32_SFLOAT => 16,
        _ => return None,
    })
}
