//! SPIR-V capabilities of a device.

use ash::vk;
use ash::vk::SubgroupFeatureFlags as S;
use spirv::Capability as C;

use super::chain::Chain;

/// The features that a device has and that are enabled.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Capabilities that modules may declare.
    pub capabilities: Vec<C>,
    /// Smallest and largest wave size that can be required; the same if there is no choice.
    pub wave: [u32; 2],
    /// The stages in which a wave size can be required.
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
    /// Statistics of pipelines.
    pub statistics: bool,
    /// Stages of a draw can be compiled alone.
    pub pipeline_libraries: bool,
}

/// Returns the first capability of a module that the device lacks.
pub fn missing_capability(features: &Features, wanted: &[C]) -> Option<C> {
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

/// Returns the capabilities of Vulkan 1.3 and of extensions that modules may declare on the device.
///
/// The tables below give the feature that each requires (Vulkan specification, appendix "SPIR-V
/// Environment").
pub(super) fn capabilities(answers: &Answers<'_>) -> Vec<C> {
    let chain = answers.chain;
    let mut list = ALWAYS.to_vec();
    list.extend(selected(CORE, answers.core));
    list.extend(selected(VULKAN_1_1, &chain.v11));
    list.extend(selected(VULKAN_1_2, &chain.v12));
    list.extend(selected(VULKAN_1_3, &chain.v13));
    list.extend(
        OTHERS
            .iter()
            .filter(|(_, has)| has(answers))
            .map(|(capability, _)| *capability),
    );
    list.extend(
        SUBGROUP
            .iter()
            .filter(|(_, operations)| answers.subgroup.contains(*operations))
            .map(|(capability, _)| *capability),
    );
    list
}

/// Capabilities, each with its condition on the features in a `T`.
type Table<T> = [(C, fn(&T) -> bool)];

/// A condition on everything that the device reported.
type Condition = fn(&Answers<'_>) -> bool;

/// Returns the capabilities of a table whose condition holds.
fn selected<T>(table: &Table<T>, features: &T) -> impl Iterator<Item = C> {
    table
        .iter()
        .filter(|(_, has)| has(features))
        .map(|(capability, _)| *capability)
}

fn on(bit: vk::Bool32) -> bool {
    bit == vk::TRUE
}

/// Capabilities that each device of Vulkan 1.3 has.
const ALWAYS: &[C] = &[
    C::Matrix,
    C::Shader,
    C::InputAttachment,
    C::Sampled1D,
    C::Image1D,
    C::SampledBuffer,
    C::ImageBuffer,
    C::ImageQuery,
    C::DerivativeControl,
    C::DeviceGroup,
];

/// Capabilities by the features of Vulkan 1.0.
const CORE: &Table<vk::PhysicalDeviceFeatures> = &[
    (C::StorageImageExtendedFormats, |f| {
        on(f.shader_storage_image_extended_formats)
    }),
    (C::Geometry, |f| on(f.geometry_shader)),
    (C::Tessellation, |f| on(f.tessellation_shader)),
    (C::GeometryPointSize, |f| {
        on(f.shader_tessellation_and_geometry_point_size)
    }),
    (C::TessellationPointSize, |f| {
        on(f.shader_tessellation_and_geometry_point_size)
    }),
    (C::Float64, |f| on(f.shader_float64)),
    (C::Int64, |f| on(f.shader_int64)),
    (C::Int16, |f| on(f.shader_int16)),
    (C::ImageGatherExtended, |f| {
        on(f.shader_image_gather_extended)
    }),
    (C::StorageImageMultisample, |f| {
        on(f.shader_storage_image_multisample)
    }),
    (C::ImageMSArray, |f| on(f.shader_storage_image_multisample)),
    (C::UniformBufferArrayDynamicIndexing, |f| {
        on(f.shader_uniform_buffer_array_dynamic_indexing)
    }),
    (C::SampledImageArrayDynamicIndexing, |f| {
        on(f.shader_sampled_image_array_dynamic_indexing)
    }),
    (C::StorageBufferArrayDynamicIndexing, |f| {
        on(f.shader_storage_buffer_array_dynamic_indexing)
    }),
    (C::StorageImageArrayDynamicIndexing, |f| {
        on(f.shader_storage_image_array_dynamic_indexing)
    }),
    (C::ClipDistance, |f| on(f.shader_clip_distance)),
    (C::CullDistance, |f| on(f.shader_cull_distance)),
    (C::ImageCubeArray, |f| on(f.image_cube_array)),
    (C::SampledCubeArray, |f| on(f.image_cube_array)),
    (C::SampleRateShading, |f| on(f.sample_rate_shading)),
    (C::InterpolationFunction, |f| on(f.sample_rate_shading)),
    (C::SparseResidency, |f| on(f.shader_resource_residency)),
    (C::MinLod, |f| on(f.shader_resource_min_lod)),
    (C::StorageImageReadWithoutFormat, |f| {
        on(f.shader_storage_image_read_without_format)
    }),
    (C::StorageImageWriteWithoutFormat, |f| {
        on(f.shader_storage_image_write_without_format)
    }),
    (C::MultiViewport, |f| on(f.multi_viewport)),
];

/// Capabilities by the features of Vulkan 1.1.
const VULKAN_1_1: &Table<vk::PhysicalDeviceVulkan11Features<'static>> = &[
    (C::StorageBuffer16BitAccess, |f| {
        on(f.storage_buffer16_bit_access)
    }),
    (C::UniformAndStorageBuffer16BitAccess, |f| {
        on(f.uniform_and_storage_buffer16_bit_access)
    }),
    (C::StorageInputOutput16, |f| on(f.storage_input_output16)),
    (C::DrawParameters, |f| on(f.shader_draw_parameters)),
    (C::MultiView, |f| on(f.multiview)),
    (C::VariablePointersStorageBuffer, |f| {
        on(f.variable_pointers_storage_buffer)
    }),
    (C::VariablePointers, |f| on(f.variable_pointers)),
];

/// Capabilities by the features of Vulkan 1.2.
const VULKAN_1_2: &Table<vk::PhysicalDeviceVulkan12Features<'static>> = &[
    (C::Int64Atomics, |f| {
        on(f.shader_buffer_int64_atomics) && on(f.shader_shared_int64_atomics)
    }),
    (C::Float16, |f| on(f.shader_float16)),
    (C::Int8, |f| on(f.shader_int8)),
    (C::StorageBuffer8BitAccess, |f| {
        on(f.storage_buffer8_bit_access)
    }),
    (C::UniformAndStorageBuffer8BitAccess, |f| {
        on(f.uniform_and_storage_buffer8_bit_access)
    }),
    (C::ShaderViewportIndex, |f| {
        on(f.shader_output_viewport_index)
    }),
    (C::ShaderLayer, |f| on(f.shader_output_layer)),
    (C::ShaderViewportIndexLayerEXT, |f| {
        on(f.shader_output_layer) && on(f.shader_output_viewport_index)
    }),
    (C::ShaderNonUniform, |f| on(f.descriptor_indexing)),
    (
        C::RuntimeDescriptorArray,
        |f| on(f.runtime_descriptor_array),
    ),
    (C::UniformTexelBufferArrayDynamicIndexing, |f| {
        on(f.shader_uniform_texel_buffer_array_dynamic_indexing)
    }),
    (C::StorageTexelBufferArrayDynamicIndexing, |f| {
        on(f.shader_storage_texel_buffer_array_dynamic_indexing)
    }),
    (C::UniformBufferArrayNonUniformIndexing, |f| {
        on(f.shader_uniform_buffer_array_non_uniform_indexing)
    }),
    (C::SampledImageArrayNonUniformIndexing, |f| {
        on(f.shader_sampled_image_array_non_uniform_indexing)
    }),
    (C::StorageBufferArrayNonUniformIndexing, |f| {
        on(f.shader_storage_buffer_array_non_uniform_indexing)
    }),
    (C::StorageImageArrayNonUniformIndexing, |f| {
        on(f.shader_storage_image_array_non_uniform_indexing)
    }),
    (C::UniformTexelBufferArrayNonUniformIndexing, |f| {
        on(f.shader_uniform_texel_buffer_array_non_uniform_indexing)
    }),
    (C::StorageTexelBufferArrayNonUniformIndexing, |f| {
        on(f.shader_storage_texel_buffer_array_non_uniform_indexing)
    }),
    (C::VulkanMemoryModel, |f| on(f.vulkan_memory_model)),
    (C::VulkanMemoryModelDeviceScope, |f| {
        on(f.vulkan_memory_model_device_scope)
    }),
    (C::PhysicalStorageBufferAddresses, |f| {
        on(f.buffer_device_address)
    }),
];

/// Capabilities by the features of Vulkan 1.3.
const VULKAN_1_3: &Table<vk::PhysicalDeviceVulkan13Features<'static>> = &[
    (C::DemoteToHelperInvocation, |f| {
        on(f.shader_demote_to_helper_invocation)
    }),
    (C::DotProduct, |f| on(f.shader_integer_dot_product)),
    (C::DotProductInputAll, |f| on(f.shader_integer_dot_product)),
    (C::DotProductInput4x8Bit, |f| {
        on(f.shader_integer_dot_product)
    }),
    (C::DotProductInput4x8BitPacked, |f| {
        on(f.shader_integer_dot_product)
    }),
];

/// Capabilities by features of extensions, of several structures, or by properties.
const OTHERS: &[(C, Condition)] = &[
    (C::GeometryStreams, |a| {
        on(a.chain.feedback.geometry_streams)
    }),
    (C::Int64ImageEXT, |a| {
        on(a.chain.image_int64.shader_image_int64_atomics)
    }),
    (C::AtomicFloat32AddEXT, |a| {
        on(a.chain.float_atomics.shader_buffer_float32_atomic_add)
    }),
    (C::TransformFeedback, |a| a.features.transform_feedback),
    (C::StencilExportEXT, |a| a.stencil_export),
    (C::FragmentBarycentricKHR, |a| {
        on(a.chain.barycentric.fragment_shader_barycentric)
    }),
    (C::ComputeDerivativeGroupQuadsKHR, |a| {
        on(a.chain.derivatives.compute_derivative_group_quads)
    }),
    (C::ComputeDerivativeGroupLinearKHR, |a| {
        on(a.chain.derivatives.compute_derivative_group_linear)
    }),
    (C::FragmentShaderSampleInterlockEXT, |a| {
        on(a.chain.interlock.fragment_shader_sample_interlock)
    }),
    (C::FragmentShaderPixelInterlockEXT, |a| {
        on(a.chain.interlock.fragment_shader_pixel_interlock)
    }),
    (C::QuadControlKHR, |a| {
        on(a.chain.quad_control.shader_quad_control)
    }),
    (C::FragmentShadingRateKHR, |a| {
        on(a.chain.rate.pipeline_fragment_shading_rate)
    }),
    (C::RayTracingKHR, |a| a.features.ray_tracing),
    (C::RayQueryKHR, |a| {
        a.features.ray_tracing && on(a.chain.ray_query.ray_query)
    }),
    (C::RayTraversalPrimitiveCullingKHR, |a| {
        a.features.ray_tracing && on(a.chain.rays.ray_traversal_primitive_culling)
    }),
    (C::MeshShadingEXT, |a| a.features.mesh),
    (C::DenormPreserve, |a| a.features.preserves_denormals[1]),
    (C::DenormFlushToZero, |a| a.features.flushes_denormals),
    (C::SignedZeroInfNanPreserve, |a| a.features.preserves_nan[1]),
];

/// Capabilities by the operations of subgroups.
const SUBGROUP: &[(C, S)] = &[
    (C::GroupNonUniform, S::BASIC),
    (C::GroupNonUniformVote, S::VOTE),
    (C::GroupNonUniformArithmetic, S::ARITHMETIC),
    (C::GroupNonUniformBallot, S::BALLOT),
    (C::GroupNonUniformShuffle, S::SHUFFLE),
    (C::GroupNonUniformShuffleRelative, S::SHUFFLE_RELATIVE),
    (C::GroupNonUniformClustered, S::CLUSTERED),
    (C::GroupNonUniformQuad, S::QUAD),
];
