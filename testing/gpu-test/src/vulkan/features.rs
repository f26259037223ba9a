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
    let others = OTHERS.iter().filter(|(_, has)| has(answers) == vk::TRUE);
    list.extend(others.map(|(capability, _)| *capability));
    let subgroup = SUBGROUP.iter();
    let subgroup = subgroup.filter(|(_, operations)| answers.subgroup.contains(*operations));
    list.extend(subgroup.map(|(capability, _)| *capability));
    list
}

/// Capabilities, each with its condition on the features in a `T`.
type Table<T> = [(C, fn(&T) -> vk::Bool32)];

/// A condition on everything that the device reported.
type Condition = fn(&Answers<'_>) -> vk::Bool32;

/// Returns the capabilities of a table whose condition holds.
fn selected<T>(table: &Table<T>, features: &T) -> impl Iterator<Item = C> {
    let selected = table.iter().filter(|(_, has)| has(features) == vk::TRUE);
    selected.map(|(capability, _)| *capability)
}

/// Declares a table: capabilities with the fields that must be set.
macro_rules! table {
    ($name:ident: $ty:ty; $($capability:ident: $($field:ident)&+;)+) => {
        const $name: &Table<$ty> = &[$((C::$capability, |f| vk::TRUE $(& f.$field)+)),+];
    };
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

// Capabilities by the features of Vulkan 1.0.
table! { CORE: vk::PhysicalDeviceFeatures;
    StorageImageExtendedFormats: shader_storage_image_extended_formats;
    Geometry: geometry_shader;
    Tessellation: tessellation_shader;
    GeometryPointSize: shader_tessellation_and_geometry_point_size;
    TessellationPointSize: shader_tessellation_and_geometry_point_size;
    Float64: shader_float64;
    Int64: shader_int64;
    Int16: shader_int16;
    ImageGatherExtended: shader_image_gather_extended;
    StorageImageMultisample: shader_storage_image_multisample;
    ImageMSArray: shader_storage_image_multisample;
    UniformBufferArrayDynamicIndexing: shader_uniform_buffer_array_dynamic_indexing;
    SampledImageArrayDynamicIndexing: shader_sampled_image_array_dynamic_indexing;
    StorageBufferArrayDynamicIndexing: shader_storage_buffer_array_dynamic_indexing;
    StorageImageArrayDynamicIndexing: shader_storage_image_array_dynamic_indexing;
    ClipDistance: shader_clip_distance;
    CullDistance: shader_cull_distance;
    ImageCubeArray: image_cube_array;
    SampledCubeArray: image_cube_array;
    SampleRateShading: sample_rate_shading;
    InterpolationFunction: sample_rate_shading;
    SparseResidency: shader_resource_residency;
    MinLod: shader_resource_min_lod;
    StorageImageReadWithoutFormat: shader_storage_image_read_without_format;
    StorageImageWriteWithoutFormat: shader_storage_image_write_without_format;
    MultiViewport: multi_viewport;
}

// Capabilities by the features of Vulkan 1.1.
table! { VULKAN_1_1: vk::PhysicalDeviceVulkan11Features<'static>;
    StorageBuffer16BitAccess: storage_buffer16_bit_access;
    UniformAndStorageBuffer16BitAccess: uniform_and_storage_buffer16_bit_access;
    StorageInputOutput16: storage_input_output16;
    DrawParameters: shader_draw_parameters;
    MultiView: multiview;
    VariablePointersStorageBuffer: variable_pointers_storage_buffer;
    VariablePointers: variable_pointers;
}

// Capabilities by the features of Vulkan 1.2.
table! { VULKAN_1_2: vk::PhysicalDeviceVulkan12Features<'static>;
    Int64Atomics: shader_buffer_int64_atomics & shader_shared_int64_atomics;
    Float16: shader_float16;
    Int8: shader_int8;
    StorageBuffer8BitAccess: storage_buffer8_bit_access;
    UniformAndStorageBuffer8BitAccess: uniform_and_storage_buffer8_bit_access;
    ShaderViewportIndex: shader_output_viewport_index;
    ShaderLayer: shader_output_layer;
    ShaderViewportIndexLayerEXT: shader_output_layer & shader_output_viewport_index;
    ShaderNonUniform: descriptor_indexing;
    RuntimeDescriptorArray: runtime_descriptor_array;
    UniformTexelBufferArrayDynamicIndexing: shader_uniform_texel_buffer_array_dynamic_indexing;
    StorageTexelBufferArrayDynamicIndexing: shader_storage_texel_buffer_array_dynamic_indexing;
    UniformBufferArrayNonUniformIndexing: shader_uniform_buffer_array_non_uniform_indexing;
    SampledImageArrayNonUniformIndexing: shader_sampled_image_array_non_uniform_indexing;
    StorageBufferArrayNonUniformIndexing: shader_storage_buffer_array_non_uniform_indexing;
    StorageImageArrayNonUniformIndexing: shader_storage_image_array_non_uniform_indexing;
    UniformTexelBufferArrayNonUniformIndexing: shader_uniform_texel_buffer_array_non_uniform_indexing;
    StorageTexelBufferArrayNonUniformIndexing: shader_storage_texel_buffer_array_non_uniform_indexing;
    VulkanMemoryModel: vulkan_memory_model;
    VulkanMemoryModelDeviceScope: vulkan_memory_model_device_scope;
    PhysicalStorageBufferAddresses: buffer_device_address;
}

// Capabilities by the features of Vulkan 1.3.
table! { VULKAN_1_3: vk::PhysicalDeviceVulkan13Features<'static>;
    DemoteToHelperInvocation: shader_demote_to_helper_invocation;
    DotProduct: shader_integer_dot_product;
    DotProductInputAll: shader_integer_dot_product;
    DotProductInput4x8Bit: shader_integer_dot_product;
    DotProductInput4x8BitPacked: shader_integer_dot_product;
}

/// Capabilities by features of extensions, of several structures, or by properties.
const OTHERS: &[(C, Condition)] = &[
    (C::GeometryStreams, |a| a.chain.feedback.geometry_streams),
    (C::Int64ImageEXT, |a| {
        a.chain.image_int64.shader_image_int64_atomics
    }),
    (C::AtomicFloat32AddEXT, |a| {
        a.chain.float_atomics.shader_buffer_float32_atomic_add
    }),
    (C::TransformFeedback, |a| {
        a.features.transform_feedback.into()
    }),
    (C::StencilExportEXT, |a| a.stencil_export.into()),
    (C::FragmentBarycentricKHR, |a| {
        a.chain.barycentric.fragment_shader_barycentric
    }),
    (C::ComputeDerivativeGroupQuadsKHR, |a| {
        a.chain.derivatives.compute_derivative_group_quads
    }),
    (C::ComputeDerivativeGroupLinearKHR, |a| {
        a.chain.derivatives.compute_derivative_group_linear
    }),
    (C::FragmentShaderSampleInterlockEXT, |a| {
        a.chain.interlock.fragment_shader_sample_interlock
    }),
    (C::FragmentShaderPixelInterlockEXT, |a| {
        a.chain.interlock.fragment_shader_pixel_interlock
    }),
    (C::QuadControlKHR, |a| {
        a.chain.quad_control.shader_quad_control
    }),
    (C::FragmentShadingRateKHR, |a| {
        a.chain.rate.pipeline_fragment_shading_rate
    }),
    (C::RayTracingKHR, |a| a.features.ray_tracing.into()),
    (C::RayQueryKHR, |a| {
        vk::Bool32::from(a.features.ray_tracing) & a.chain.ray_query.ray_query
    }),
    (C::RayTraversalPrimitiveCullingKHR, |a| {
        vk::Bool32::from(a.features.ray_tracing) & a.chain.rays.ray_traversal_primitive_culling
    }),
    (C::MeshShadingEXT, |a| a.features.mesh.into()),
    (C::DenormPreserve, |a| {
        a.features.preserves_denormals[1].into()
    }),
    (C::DenormFlushToZero, |a| {
        a.features.flushes_denormals.into()
    }),
    (C::SignedZeroInfNanPreserve, |a| {
        a.features.preserves_nan[1].into()
    }),
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
