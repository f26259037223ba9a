//! Capabilities and extensions, collected from the features that the shader uses.

use rspirv::spirv::{Capability, Op, Word};
use smallvec::SmallVec;

use super::code::Code;
use crate::target::Target;

/// The capabilities and extensions that a module needs.
#[derive(Default)]
pub(crate) struct Capabilities {
    target: Target,
    /// Without duplicates; a shader has few of both.
    capabilities: SmallVec<[Capability; 16]>,
    extensions: SmallVec<[&'static str; 4]>,
}

impl Capabilities {
    /// Returns the capabilities of an empty module.
    pub(super) fn new(target: Target) -> Self {
        let mut capabilities = Self {
            target,
            ..Self::default()
        };
        capabilities.add(Capability::Shader);
        capabilities
    }
    pub(crate) fn target(&self) -> Target {
        self.target
    }
    /// Returns whether a capability was declared.
    pub(crate) fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }
    /// Declares a capability, with the extension that brings it where the target's SPIR-V version
    /// does not have it in its core.
    pub(crate) fn add(&mut self, capability: Capability) {
        if self.has(capability) {
            return;
        }
        self.capabilities.push(capability);
        if let Some(extension) = extension_of(capability, self.target) {
            self.extension(extension);
        }
    }
    /// Declares an extension.
    pub(crate) fn extension(&mut self, name: &'static str) {
        if !self.extensions.contains(&name) {
            self.extensions.push(name);
        }
    }
    /// Appends the collected declarations, in numeric and alphabetic order.
    pub(super) fn declare(&mut self, module: &mut Code) {
        self.capabilities
            .sort_unstable_by_key(|&capability| capability as Word);
        for &capability in &self.capabilities {
            module.push(Op::Capability, [capability as Word], &[]);
        }
        self.extensions.sort_unstable();
        for &extension in &self.extensions {
            module.push_text(Op::Extension, &[], extension, &[]);
        }
    }
}

/// Returns the extension that a capability needs below the SPIR-V version that made it core.
/// Source: the SPIR-V grammar's "missing before" column.
fn extension_of(capability: Capability, target: Target) -> Option<&'static str> {
    let before = |version: (u8, u8), name| (target.spirv_version() < version).then_some(name);
    match capability {
        Capability::RuntimeDescriptorArray
        | Capability::ShaderNonUniform
        | Capability::UniformBufferArrayNonUniformIndexing
        | Capability::SampledImageArrayNonUniformIndexing
        | Capability::StorageBufferArrayNonUniformIndexing
        | Capability::StorageImageArrayNonUniformIndexing
        | Capability::UniformTexelBufferArrayNonUniformIndexing
        | Capability::StorageTexelBufferArrayNonUniformIndexing
        | Capability::UniformTexelBufferArrayDynamicIndexing
        | Capability::StorageTexelBufferArrayDynamicIndexing => {
            before((1, 5), "SPV_EXT_descriptor_indexing")
        }
        Capability::ShaderViewportIndexLayerEXT => Some("SPV_EXT_shader_viewport_index_layer"),
        Capability::ShaderLayer | Capability::ShaderViewportIndex => {
            before((1, 5), "SPV_EXT_shader_viewport_index_layer")
        }
        Capability::DemoteToHelperInvocation => {
            before((1, 6), "SPV_EXT_demote_to_helper_invocation")
        }
        Capability::DotProduct | Capability::DotProductInput4x8BitPacked => {
            before((1, 6), "SPV_KHR_integer_dot_product")
        }
        Capability::DenormPreserve
        | Capability::DenormFlushToZero
        | Capability::SignedZeroInfNanPreserve
        | Capability::RoundingModeRTE => before((1, 4), "SPV_KHR_float_controls"),
        Capability::StencilExportEXT => Some("SPV_EXT_shader_stencil_export"),
        Capability::FragmentBarycentricKHR => Some("SPV_KHR_fragment_shader_barycentric"),
        Capability::FragmentShaderPixelInterlockEXT
        | Capability::FragmentShaderSampleInterlockEXT => Some("SPV_EXT_fragment_shader_interlock"),
        Capability::FragmentFullyCoveredEXT => Some("SPV_EXT_fragment_fully_covered"),
        Capability::FragmentShadingRateKHR => Some("SPV_KHR_fragment_shading_rate"),
        Capability::ComputeDerivativeGroupLinearKHR
        | Capability::ComputeDerivativeGroupQuadsKHR => Some("SPV_KHR_compute_shader_derivatives"),
        Capability::Int64ImageEXT => Some("SPV_EXT_shader_image_int64"),
        Capability::QuadControlKHR => Some("SPV_KHR_quad_control"),
        Capability::GroupNonUniformPartitionedNV => Some("SPV_NV_shader_subgroup_partitioned"),
        Capability::AtomicFloat32AddEXT => Some("SPV_EXT_shader_atomic_float_add"),
        Capability::RayTracingClusterAccelerationStructureNV => {
            Some("SPV_NV_cluster_acceleration_structure")
        }
        Capability::AtomicFloat16VectorNV => Some("SPV_NV_shader_atomic_fp16_vector"),
        Capability::PhysicalStorageBufferAddresses => {
            before((1, 5), "SPV_KHR_physical_storage_buffer")
        }
        Capability::MultiView => before((1, 3), "SPV_KHR_multiview"),
        Capability::DrawParameters => before((1, 3), "SPV_KHR_shader_draw_parameters"),
        // `RayTraversalPrimitiveCullingKHR` belongs to both extensions and comes with one of these.
        Capability::RayQueryKHR => Some("SPV_KHR_ray_query"),
        Capability::RayTracingOpacityMicromapEXT => Some("SPV_EXT_opacity_micromap"),
        Capability::ShaderInvocationReorderEXT => Some("SPV_EXT_shader_invocation_reorder"),
        Capability::ShaderInvocationReorderNV => Some("SPV_NV_shader_invocation_reorder"),
        Capability::ShaderEnqueueAMDX => Some("SPV_AMDX_shader_enqueue"),
        Capability::RayTracingKHR => Some("SPV_KHR_ray_tracing"),
        Capability::CooperativeMatrixKHR => Some("SPV_KHR_cooperative_matrix"),
        Capability::Float8EXT => Some("SPV_EXT_float8"),
        Capability::MeshShadingEXT => Some("SPV_EXT_mesh_shader"),
        Capability::VulkanMemoryModel | Capability::VulkanMemoryModelDeviceScope => {
            before((1, 5), "SPV_KHR_vulkan_memory_model")
        }
        _ => None,
    }
}
