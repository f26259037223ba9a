//! Direct3D's names in Vulkan's words.

use ash::vk;
use spirv::ImageFormat;
use trellis_dxil_interpreter::dispatch::{Address, Filter};
use trellis_dxil_interpreter::format::Format;

/// Vulkan's name of a format.
pub fn vulkan(format: Format) -> vk::Format {
    use Format as D;
    use vk::Format as V;
    match format {
        D::R32G32B32A32_FLOAT => V::R32G32B32A32_SFLOAT,
        D::R32G32B32A32_UINT => V::R32G32B32A32_UINT,
        D::R32G32B32A32_SINT => V::R32G32B32A32_SINT,
        D::R32G32B32_FLOAT => V::R32G32B32_SFLOAT,
        D::R32G32B32_UINT => V::R32G32B32_UINT,
        D::R32G32B32_SINT => V::R32G32B32_SINT,
        D::R16G16B16A16_FLOAT => V::R16G16B16A16_SFLOAT,
        D::R16G16B16A16_UNORM => V::R16G16B16A16_UNORM,
        D::R16G16B16A16_UINT => V::R16G16B16A16_UINT,
        D::R16G16B16A16_SNORM => V::R16G16B16A16_SNORM,
        D::R16G16B16A16_SINT => V::R16G16B16A16_SINT,
        D::R32G32_FLOAT => V::R32G32_SFLOAT,
        D::R32G32_UINT => V::R32G32_UINT,
        D::R32G32_SINT => V::R32G32_SINT,
        D::R10G10B10A2_UNORM => V::A2B10G10R10_UNORM_PACK32,
        D::R10G10B10A2_UINT => V::A2B10G10R10_UINT_PACK32,
        D::R11G11B10_FLOAT => V::B10G11R11_UFLOAT_PACK32,
        D::R8G8B8A8_UNORM => V::R8G8B8A8_UNORM,
        D::R8G8B8A8_UINT => V::R8G8B8A8_UINT,
        D::R8G8B8A8_SNORM => V::R8G8B8A8_SNORM,
        D::R8G8B8A8_SINT => V::R8G8B8A8_SINT,
        D::R16G16_FLOAT => V::R16G16_SFLOAT,
        D::R16G16_UNORM => V::R16G16_UNORM,
        D::R16G16_UINT => V::R16G16_UINT,
        D::R16G16_SNORM => V::R16G16_SNORM,
        D::R16G16_SINT => V::R16G16_SINT,
        D::R32_FLOAT => V::R32_SFLOAT,
        D::R32_UINT => V::R32_UINT,
        D::R32_SINT => V::R32_SINT,
        D::R8G8_UNORM => V::R8G8_UNORM,
        D::R8G8_UINT => V::R8G8_UINT,
        D::R8G8_SNORM => V::R8G8_SNORM,
        D::R8G8_SINT => V::R8G8_SINT,
        D::R16_FLOAT => V::R16_SFLOAT,
        D::R16_UNORM => V::R16_UNORM,
        D::R16_UINT => V::R16_UINT,
        D::R16_SNORM => V::R16_SNORM,
        D::R16_SINT => V::R16_SINT,
        D::R8_UNORM => V::R8_UNORM,
        D::R8_UINT => V::R8_UINT,
        D::R8_SNORM => V::R8_SNORM,
        D::R8_SINT => V::R8_SINT,
    }
}

/// Returns the format that a SPIR-V module demands of an image; `None` for those that Direct3D has
/// no name for.
pub fn demanded(format: ImageFormat) -> Option<Format> {
    use Format as D;
    use ImageFormat as S;
    Some(match format {
        S::Rgba32f => D::R32G32B32A32_FLOAT,
        S::Rgba32ui => D::R32G32B32A32_UINT,
        S::Rgba32i => D::R32G32B32A32_SINT,
        S::Rgba16f => D::R16G16B16A16_FLOAT,
        S::Rgba16ui => D::R16G16B16A16_UINT,
        S::Rgba16i => D::R16G16B16A16_SINT,
        S::Rg32f => D::R32G32_FLOAT,
        S::Rg32ui => D::R32G32_UINT,
        S::Rg32i => D::R32G32_SINT,
        S::R32f => D::R32_FLOAT,
        S::R32ui => D::R32_UINT,
        S::R32i => D::R32_SINT,
        S::R16f => D::R16_FLOAT,
        S::R16ui => D::R16_UINT,
        S::R16i => D::R16_SINT,
        S::Rgba8 => D::R8G8B8A8_UNORM,
        S::Rgba8Snorm => D::R8G8B8A8_SNORM,
        S::Rgba8ui => D::R8G8B8A8_UINT,
        S::Rgba8i => D::R8G8B8A8_SINT,
        _ => return None,
    })
}

/// Vulkan's filters for texels and for mip levels.
pub fn filter(filter: Filter) -> (vk::Filter, vk::SamplerMipmapMode) {
    match filter {
        Filter::Point => (vk::Filter::NEAREST, vk::SamplerMipmapMode::NEAREST),
        Filter::Linear => (vk::Filter::LINEAR, vk::SamplerMipmapMode::LINEAR),
    }
}

/// Vulkan's address mode.
pub fn address(address: Address) -> vk::SamplerAddressMode {
    match address {
        Address::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        Address::Wrap => vk::SamplerAddressMode::REPEAT,
        Address::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
        Address::Border => vk::SamplerAddressMode::CLAMP_TO_BORDER,
    }
}
