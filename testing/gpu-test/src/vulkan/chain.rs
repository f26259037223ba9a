//! The feature structures of Vulkan 1.3 and of the extensions that converted shaders may need, as
//! one chain: to query them and to enable them.

use std::ffi::CStr;

use ash::vk;

/// The structures. Those of extensions that the device lacks stay zero and out of the chain.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) v11: vk::PhysicalDeviceVulkan11Features<'static>,
    pub(super) v12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub(super) v13: vk::PhysicalDeviceVulkan13Features<'static>,
    pub(super) reconvergence: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR<'static>,
    // The KHR extension took over the NV structure as it is, with its number.
    pub(super) derivatives: vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV<'static>,
    pub(super) mutable: vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT<'static>,
    pub(super) barycentric: vk::PhysicalDeviceFragmentShaderBarycentricFeaturesKHR<'static>,
    pub(super) image_int64: vk::PhysicalDeviceShaderImageAtomicInt64FeaturesEXT<'static>,
    pub(super) interlock: vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT<'static>,
    pub(super) quad_control: vk::PhysicalDeviceShaderQuadControlFeaturesKHR<'static>,
    pub(super) feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT<'static>,
    pub(super) structures: vk::PhysicalDeviceAccelerationStructureFeaturesKHR<'static>,
    pub(super) rays: vk::PhysicalDeviceRayTracingPipelineFeaturesKHR<'static>,
    pub(super) ray_query: vk::PhysicalDeviceRayQueryFeaturesKHR<'static>,
    pub(super) mesh: vk::PhysicalDeviceMeshShaderFeaturesEXT<'static>,
    // Exchanges of floats need no capability, but the feature.
    pub(super) float_atomics: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    pub(super) rate: vk::PhysicalDeviceFragmentShadingRateFeaturesKHR<'static>,
    pub(super) executables: vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR<'static>,
    pub(super) libraries: vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT<'static>,
    pub(super) robustness: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
}

/// Extensions that need no structure.
const PLAIN: [&CStr; 3] = [
    c"VK_EXT_shader_stencil_export",
    c"VK_KHR_pipeline_library",
    c"VK_KHR_deferred_host_operations",
];

impl Chain {
    /// Links the structures that the device supports to `head`, and returns the names of their
    /// extensions.
    pub(super) fn link<'a>(
        &'a mut self,
        head: vk::PhysicalDeviceFeatures2<'a>,
        has: &dyn Fn(&CStr) -> bool,
    ) -> (vk::PhysicalDeviceFeatures2<'a>, Vec<&'static CStr>) {
        let mut names: Vec<&'static CStr> = PLAIN.into_iter().filter(|name| has(name)).collect();
        // A structure may still point into the chain of an earlier call.
        macro_rules! core {
            ($head:expr; $($field:ident)*) => {{ let mut head = $head; $(self.$field.p_next = std::ptr::null_mut(); head = head.push_next(&mut self.$field);)* head }};
        }
        let mut head = core!(head; v11 v12 v13);
        macro_rules! extensions {
            ($($field:ident: $($name:literal)|+;)*) => { $(
                if let Some(name) = [$($name),+].into_iter().find(|name| has(name)) {
                    names.push(name);
                    self.$field.p_next = std::ptr::null_mut();
                    head = head.push_next(&mut self.$field);
                }
            )* };
        }
        extensions! {
            reconvergence: c"VK_KHR_shader_maximal_reconvergence";
            derivatives: c"VK_KHR_compute_shader_derivatives" | c"VK_NV_compute_shader_derivatives";
            mutable: c"VK_EXT_mutable_descriptor_type";
            barycentric: c"VK_KHR_fragment_shader_barycentric";
            image_int64: c"VK_EXT_shader_image_atomic_int64";
            interlock: c"VK_EXT_fragment_shader_interlock";
            quad_control: c"VK_KHR_shader_quad_control";
            feedback: c"VK_EXT_transform_feedback";
            mesh: c"VK_EXT_mesh_shader";
            float_atomics: c"VK_EXT_shader_atomic_float";
            rate: c"VK_KHR_fragment_shading_rate";
            executables: c"VK_KHR_pipeline_executable_properties";
            libraries: c"VK_EXT_graphics_pipeline_library";
            robustness: c"VK_EXT_robustness2";
            structures: c"VK_KHR_acceleration_structure";
            rays: c"VK_KHR_ray_tracing_pipeline";
            ray_query: c"VK_KHR_ray_query";
        }
        (head, names)
    }
}
