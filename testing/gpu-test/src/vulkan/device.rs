//! The device: available features, and which of them are enabled.
#![allow(
    unsafe_code,
    reason = "Vulkan is loaded from a shared library and called through raw pointers"
)]

use std::cell::Cell;
use std::ffi::{CStr, c_char};

use ash::vk;
use vulkan_setup::{DeviceInfo, Instance, queue_family};

use super::chain::Chain;
use super::features::{Answers, Features, capabilities};
use super::rays::RayFunctions;
use super::{Error, Named};

const PROGRAM: &CStr = c"trellis gpu-test";

/// A device with one queue. It belongs to one thread.
pub struct Device {
    pub(super) device: ash::Device,
    pub(super) queue: vk::Queue,
    pub(super) family: u32,
    pub(super) memory: vk::PhysicalDeviceMemoryProperties,
    pub(super) feedback: Option<ash::ext::transform_feedback::Device>,
    pub(super) rays: Option<RayFunctions>,
    pub(super) mesh: Option<ash::ext::mesh_shader::Device>,
    pub(super) statistics: Option<ash::khr::pipeline_executable_properties::Device>,
    /// Its features.
    pub features: Features,
    /// Its description.
    pub info: DeviceInfo,
    pub(super) physical: vk::PhysicalDevice,
    /// A shader never ended: the objects that it uses must live as long as the process.
    pub(super) lost: Cell<bool>,
    // Dropped after the device.
    pub(super) instance: Instance,
}

/// Returns the devices of this machine.
///
/// # Errors
/// There is no loader, or no driver.
pub fn list() -> Result<Vec<DeviceInfo>, Error> {
    let devices = Instance::new(PROGRAM, false)?.devices().into_iter();
    Ok(devices.map(|(_, info)| info).collect())
}

impl Device {
    /// Opens the first device whose name contains `part` in any case; without a part lavapipe, or
    /// the first device if that does not exist. The second value is whether the validation layer is
    /// enabled, which needs it to be installed.
    ///
    /// # Errors
    /// No loader, no such device, or Vulkan refuses.
    pub fn open(part: Option<&str>, validation: bool) -> Result<(Self, bool), Error> {
        Self::open_with(part, validation, false)
    }

    /// Opens a device as [`open`](Self::open) does, without the validation layer. Accesses out of
    /// bounds have the results that D3D defines, as far as the device can.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_robust(part: Option<&str>) -> Result<Self, Error> {
        Ok(Self::open_with(part, false, true)?.0)
    }

    fn open_with(
        part: Option<&str>,
        validation: bool,
        robust: bool,
    ) -> Result<(Self, bool), Error> {
        let instance = Instance::new(PROGRAM, validation)?;
        let is_validated = instance.is_validated();
        let (physical, info) = instance.choose(part, "llvmpipe")?;
        let raw = &instance.raw;
        let family = queue_family(raw, physical).unwrap_or(0);
        let (device, features) = create(raw, physical, family, robust)?;
        // SAFETY: the device was created with one queue of this family.
        let queue = unsafe { device.get_device_queue(family, 0) };
        // SAFETY: `physical` is of this instance.
        let memory = unsafe { raw.get_physical_device_memory_properties(physical) };
        let opened = Self {
            queue,
            family,
            memory,
            feedback: features
                .transform_feedback
                .then(|| ash::ext::transform_feedback::Device::new(raw, &device)),
            rays: features
                .ray_tracing
                .then(|| RayFunctions::new(raw, &device, physical)),
            mesh: features
                .mesh
                .then(|| ash::ext::mesh_shader::Device::new(raw, &device)),
            statistics: features
                .statistics
                .then(|| ash::khr::pipeline_executable_properties::Device::new(raw, &device)),
            device,
            features,
            info,
            physical,
            lost: Cell::new(false),
            instance,
        };
        // Messages of older layers about newer extensions do not concern the shaders.
        let _ = opened.take_messages();
        Ok((opened, is_validated))
    }

    /// Takes the messages of the validation layer since the last time.
    pub(super) fn take_messages(&self) -> Vec<String> {
        let messages = self.instance.messages();
        messages.map_or_else(Vec::new, |mut messages| std::mem::take(&mut *messages))
    }
}

impl Device {
    /// Returns whether a shader did not end on it: no more can be run then.
    pub fn is_lost(&self) -> bool {
        self.lost.get()
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if self.lost.get() {
            self.instance.keep();
            return;
        }
        // SAFETY: runs clean up after themselves, so nothing of the device is in use.
        unsafe { self.device.destroy_device(None) };
    }
}

/// Enables every feature that the device has, robust access only if requested: it hides accesses out
/// of bounds.
fn create(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    family: u32,
    robust: bool,
) -> Result<(ash::Device, Features), Error> {
    // SAFETY: `physical` is of this instance.
    let extensions = unsafe { instance.enumerate_device_extension_properties(physical) }
        .named("vkEnumerateDeviceExtensionProperties")?;
    let has = |name: &CStr| {
        extensions
            .iter()
            .any(|e| e.extension_name_as_c_str() == Ok(name))
    };
    let mut chain = Chain::default();
    let mut core = {
        let (mut query, _) = chain.link(vk::PhysicalDeviceFeatures2::default(), &has);
        // SAFETY: `physical` is of this instance, and the chain lives until the call returns.
        unsafe { instance.get_physical_device_features2(physical, &mut query) };
        query.features
    };
    if !robust {
        core.robust_buffer_access = vk::FALSE;
        chain.v13.robust_image_access = vk::FALSE;
        chain.robustness = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
    }
    // For tools that record and replay, and for groups of devices.
    chain.v12.buffer_device_address_capture_replay = vk::FALSE;
    chain.v12.buffer_device_address_multi_device = vk::FALSE;
    chain.structures.acceleration_structure_capture_replay = vk::FALSE;
    chain
        .rays
        .ray_tracing_pipeline_shader_group_handle_capture_replay = vk::FALSE;
    chain
        .rays
        .ray_tracing_pipeline_shader_group_handle_capture_replay_mixed = vk::FALSE;
    let features = describe_features(
        instance,
        physical,
        &core,
        &chain,
        has(c"VK_EXT_shader_stencil_export"),
    );
    let (mut on, names) = chain.link(vk::PhysicalDeviceFeatures2::default().features(core), &has);
    let names: Vec<*const c_char> = names.into_iter().map(CStr::as_ptr).collect();
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(family)
        .queue_priorities(&[1.0])];
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .push_next(&mut on);
    // SAFETY: `physical` is of this instance, the pointees of the structures live until the call
    // returns, and the extensions and features are among those that the device reported.
    let device =
        unsafe { instance.create_device(physical, &info, None) }.named("vkCreateDevice")?;
    Ok((device, features))
}

fn describe_features(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    core: &vk::PhysicalDeviceFeatures,
    chain: &Chain,
    stencil_export: bool,
) -> Features {
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    let mut floats = vk::PhysicalDeviceFloatControlsProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default()
        .push_next(&mut subgroup)
        .push_next(&mut sizes)
        .push_next(&mut floats);
    // SAFETY: `physical` is of this instance; the chain lives until the call returns.
    unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
    let nan = [
        floats.shader_signed_zero_inf_nan_preserve_float16,
        floats.shader_signed_zero_inf_nan_preserve_float32,
        floats.shader_signed_zero_inf_nan_preserve_float64,
    ];
    let denormals = [
        floats.shader_denorm_preserve_float16,
        floats.shader_denorm_preserve_float32,
        floats.shader_denorm_preserve_float64,
    ];
    let choice = chain.v13.subgroup_size_control == vk::TRUE;
    let mut features = Features {
        capabilities: Vec::new(),
        wave: if choice {
            [sizes.min_subgroup_size, sizes.max_subgroup_size]
        } else {
            [subgroup.subgroup_size; 2]
        },
        wave_stages: if choice {
            sizes.required_subgroup_size_stages
        } else {
            vk::ShaderStageFlags::empty()
        },
        wave_default: subgroup.subgroup_size,
        transform_feedback: chain.feedback.transform_feedback == vk::TRUE,
        ray_tracing: [
            chain.structures.acceleration_structure,
            chain.rays.ray_tracing_pipeline,
            chain.v12.buffer_device_address,
        ]
        .iter()
        .all(|on| *on == vk::TRUE),
        mesh: chain.mesh.mesh_shader == vk::TRUE && chain.mesh.task_shader == vk::TRUE,
        mutable_descriptors: chain.mutable.mutable_descriptor_type == vk::TRUE,
        preserves_nan: nan.map(|bit| bit == vk::TRUE),
        preserves_denormals: denormals.map(|bit| bit == vk::TRUE),
        flushes_denormals: floats.shader_denorm_flush_to_zero_float32 == vk::TRUE,
        subgroup_stages: subgroup.supported_stages,
        statistics: chain.executables.pipeline_executable_info == vk::TRUE,
        pipeline_libraries: chain.libraries.graphics_pipeline_library == vk::TRUE,
    };
    features.capabilities = capabilities(&Answers {
        core,
        chain,
        subgroup: subgroup.supported_operations,
        stencil_export,
        features: &features,
    });
    features
}
