//! Which SPIR-V capabilities a device has.

use ash::vk;
use spirv::Capability;

use super::chain::Chain;

/// What a device can do and has enabled, as plain booleans by capability.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Capabilities that modules may declare.
    pub capabilities: Vec<Capability>,
    /// Smallest and largest wave that can be asked for; the same if there is no choice.
    pub wave: [u32; 2],
    /// The wave size can be asked for in these stages.
    pub wave_stages: vk::ShaderStageFlags,
    /// The wave size that the device takes by itself.
    pub wave_default: u32,
    /// Transform feedback.
    pub transform_feedback: bool,
    /// Acceleration structures, and pipelines that trace rays in them.
    pub ray_tracing: bool,
    /// Mesh and amplification shaders.
    pub mesh: bool,
    /// Mutable descriptors, as descriptor heaps need them.
    pub mutable_descriptors: bool,
    /// Floats keep their infinities and NaNs: 16, 32, 64 bits.
    pub preserves_nan: [bool; 3],
    /// Denormals are kept: 16, 32, 64 bits.
    pub preserves_denormals: [bool; 3],
    /// Denormals of 32 bits can be flushed.
    pub flushes_denormals: bool,
    /// Stages with wave operations.
    pub subgroup_stages: vk::ShaderStageFlags,
}

/// The first capability of a module that the device lacks.
pub fn missing_capability(features: &Features, wanted: &[Capability]) -> Option<Capability> {
    wanted
        .iter()
        .copied()
        .find(|c| !features.capabilities.contains(c))
}

/// The structures that the device answered with.
pub(super) struct Answers<'a> {
    pub(super) core: &'a vk::PhysicalDeviceFeatures,
    pub(super) chain: &'a Chain,
    pub(super) subgroup: vk::SubgroupFeatureFlags,
    pub(super) stencil_export: bool,
    pub(super) features: &'a Features,
}

/// Capabilities of Vulkan 1.3, with the bit that each needs (Vulkan specification, appendix "SPIR-V
/// Environment").
pub(super) fn capabilities(a: &Answers<'_>) -> Vec<Capability> {
    use Capability as C;
    let on = |bit: vk::Bool32| bit == vk::TRUE;
    let (core, chain) = (a.core, a.chain);
    let (v11, v12, v13) = (&chain.v11, &chain.v12, &chain.v13);
    let sub = |flag| a.subgroup.contains(flag);
    let table = [
        (C::Matrix, true),
        (C::Shader, true),
        (C::InputAttachment, true),
        (C::Sampled1D, true),
        (C::Image1D, true),
        (C::SampledBuffer, true),
        (C::ImageBuffer, true),
        (C::ImageQuery, true),
        (C::DerivativeControl, true),
        (
            C::StorageImageExtendedFormats,
            on(core.shader_storage_image_extended_formats),
        ),
        (C::Geometry, on(core.geometry_shader)),
        (C::Tessellation, on(core.tessellation_shader)),
        (
            C::GeometryPointSize,
            on(core.shader_tessellation_and_geometry_point_size),
        ),
        (
            C::TessellationPointSize,
            on(core.shader_tessellation_and_geometry_point_size),
        ),
        (C::GeometryStreams, on(chain.feedback.geometry_streams)),
        (C::Float64, on(core.shader_float64)),
        (C::Int64, on(core.shader_int64)),
        (
            C::Int64Atomics,
            on(v12.shader_buffer_int64_atomics) && on(v12.shader_shared_int64_atomics),
        ),
        (
            C::Int64ImageEXT,
            on(chain.image_int64.shader_image_int64_atomics),
        ),
        (C::Int16, on(core.shader_int16)),
        (C::Float16, on(v12.shader_float16)),
        (C::Int8, on(v12.shader_int8)),
        (
            C::ImageGatherExtended,
            on(core.shader_image_gather_extended),
        ),
        (
            C::StorageImageMultisample,
            on(core.shader_storage_image_multisample),
        ),
        (C::ImageMSArray, on(core.shader_storage_image_multisample)),
        (
            C::UniformBufferArrayDynamicIndexing,
            on(core.shader_uniform_buffer_array_dynamic_indexing),
        ),
        (
            C::SampledImageArrayDynamicIndexing,
            on(core.shader_sampled_image_array_dynamic_indexing),
        ),
        (
            C::StorageBufferArrayDynamicIndexing,
            on(core.shader_storage_buffer_array_dynamic_indexing),
        ),
        (
            C::StorageImageArrayDynamicIndexing,
            on(core.shader_storage_image_array_dynamic_indexing),
        ),
        (C::ClipDistance, on(core.shader_clip_distance)),
        (C::CullDistance, on(core.shader_cull_distance)),
        (C::ImageCubeArray, on(core.image_cube_array)),
        (C::SampledCubeArray, on(core.image_cube_array)),
        (C::SampleRateShading, on(core.sample_rate_shading)),
        (C::InterpolationFunction, on(core.sample_rate_shading)),
        (C::SparseResidency, on(core.shader_resource_residency)),
        (C::MinLod, on(core.shader_resource_min_lod)),
        (
            C::StorageImageReadWithoutFormat,
            on(core.shader_storage_image_read_without_format),
        ),
        (
            C::StorageImageWriteWithoutFormat,
            on(core.shader_storage_image_write_without_format),
        ),
        (C::MultiViewport, on(core.multi_viewport)),
        (C::TransformFeedback, a.features.transform_feedback),
        (
            C::StorageBuffer16BitAccess,
            on(v11.storage_buffer16_bit_access),
        ),
        (
            C::UniformAndStorageBuffer16BitAccess,
            on(v11.uniform_and_storage_buffer16_bit_access),
        ),
        (C::StorageInputOutput16, on(v11.storage_input_output16)),
        (
            C::StorageBuffer8BitAccess,
            on(v12.storage_buffer8_bit_access),
        ),
        (
            C::UniformAndStorageBuffer8BitAccess,
            on(v12.uniform_and_storage_buffer8_bit_access),
        ),
        (C::DrawParameters, on(v11.shader_draw_parameters)),
        (C::MultiView, on(v11.multiview)),
        (
            C::VariablePointersStorageBuffer,
            on(v11.variable_pointers_storage_buffer),
        ),
        (C::VariablePointers, on(v11.variable_pointers)),
        (C::DeviceGroup, true),
        (C::StencilExportEXT, a.stencil_export),
        (C::ShaderViewportIndex, on(v12.shader_output_viewport_index)),
        (C::ShaderLayer, on(v12.shader_output_layer)),
        (
            C::ShaderViewportIndexLayerEXT,
            on(v12.shader_output_layer) && on(v12.shader_output_viewport_index),
        ),
        (
            C::FragmentBarycentricKHR,
            on(chain.barycentric.fragment_shader_barycentric),
        ),
        (
            C::ComputeDerivativeGroupQuadsKHR,
            on(chain.derivatives.compute_derivative_group_quads),
        ),
        (
            C::ComputeDerivativeGroupLinearKHR,
            on(chain.derivatives.compute_derivative_group_linear),
        ),
        (
            C::FragmentShaderSampleInterlockEXT,
            on(chain.interlock.fragment_shader_sample_interlock),
        ),
        (
            C::FragmentShaderPixelInterlockEXT,
            on(chain.interlock.fragment_shader_pixel_interlock),
        ),
        (
            C::QuadControlKHR,
            on(chain.quad_control.shader_quad_control),
        ),
        (
            C::FragmentShadingRateKHR,
            on(chain.rate.pipeline_fragment_shading_rate),
        ),
        (C::RayTracingKHR, a.features.ray_tracing),
        (
            C::RayQueryKHR,
            a.features.ray_tracing && on(chain.ray_query.ray_query),
        ),
        (
            C::RayTraversalPrimitiveCullingKHR,
            a.features.ray_tracing && on(chain.rays.ray_traversal_primitive_culling),
        ),
        (C::MeshShadingEXT, a.features.mesh),
        (C::ShaderNonUniform, on(v12.descriptor_indexing)),
        (C::RuntimeDescriptorArray, on(v12.runtime_descriptor_array)),
        (
            C::UniformTexelBufferArrayDynamicIndexing,
            on(v12.shader_uniform_texel_buffer_array_dynamic_indexing),
        ),
        (
            C::StorageTexelBufferArrayDynamicIndexing,
            on(v12.shader_storage_texel_buffer_array_dynamic_indexing),
        ),
        (
            C::UniformBufferArrayNonUniformIndexing,
            on(v12.shader_uniform_buffer_array_non_uniform_indexing),
        ),
        (
            C::SampledImageArrayNonUniformIndexing,
            on(v12.shader_sampled_image_array_non_uniform_indexing),
        ),
        (
            C::StorageBufferArrayNonUniformIndexing,
            on(v12.shader_storage_buffer_array_non_uniform_indexing),
        ),
        (
            C::StorageImageArrayNonUniformIndexing,
            on(v12.shader_storage_image_array_non_uniform_indexing),
        ),
        (
            C::UniformTexelBufferArrayNonUniformIndexing,
            on(v12.shader_uniform_texel_buffer_array_non_uniform_indexing),
        ),
        (
            C::StorageTexelBufferArrayNonUniformIndexing,
            on(v12.shader_storage_texel_buffer_array_non_uniform_indexing),
        ),
        (C::VulkanMemoryModel, on(v12.vulkan_memory_model)),
        (
            C::VulkanMemoryModelDeviceScope,
            on(v12.vulkan_memory_model_device_scope),
        ),
        (
            C::PhysicalStorageBufferAddresses,
            on(v12.buffer_device_address),
        ),
        (
            C::DemoteToHelperInvocation,
            on(v13.shader_demote_to_helper_invocation),
        ),
        (C::DotProduct, on(v13.shader_integer_dot_product)),
        (C::DotProductInputAll, on(v13.shader_integer_dot_product)),
        (C::DotProductInput4x8Bit, on(v13.shader_integer_dot_product)),
        (
            C::DotProductInput4x8BitPacked,
            on(v13.shader_integer_dot_product),
        ),
        (C::GroupNonUniform, sub(vk::SubgroupFeatureFlags::BASIC)),
        (C::GroupNonUniformVote, sub(vk::SubgroupFeatureFlags::VOTE)),
        (
            C::GroupNonUniformArithmetic,
            sub(vk::SubgroupFeatureFlags::ARITHMETIC),
        ),
        (
            C::GroupNonUniformBallot,
            sub(vk::SubgroupFeatureFlags::BALLOT),
        ),
        (
            C::GroupNonUniformShuffle,
            sub(vk::SubgroupFeatureFlags::SHUFFLE),
        ),
        (
            C::GroupNonUniformShuffleRelative,
            sub(vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE),
        ),
        (
            C::GroupNonUniformClustered,
            sub(vk::SubgroupFeatureFlags::CLUSTERED),
        ),
        (C::GroupNonUniformQuad, sub(vk::SubgroupFeatureFlags::QUAD)),
        (C::DenormPreserve, a.features.preserves_denormals[1]),
        (C::DenormFlushToZero, a.features.flushes_denormals),
        (C::SignedZeroInfNanPreserve, a.features.preserves_nan[1]),
    ];
    table
        .into_iter()
        .filter(|(_, has)| *has)
        .map(|(capability, _)| capability)
        .collect()
}
