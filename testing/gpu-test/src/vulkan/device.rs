//! The loader, the instance and the device: available features, and which of them are enabled.
#![allow(
    unsafe_code,
    reason = "Vulkan is loaded from a shared library and called through raw pointers"
)]

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};

use ash::vk;

use super::chain::Chain;
use super::features::{Answers, Features, capabilities};
use super::rays::RayFunctions;
use super::{Error, Named};

/// The description of a device in [`list`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceInfo {
    /// Name, as the driver gives it.
    pub name: String,
    /// Vulkan version.
    pub version: String,
    /// Version of the driver, as Mesa writes it.
    pub driver: String,
    /// It has Vulkan 1.3, which the tests need.
    pub usable: bool,
}

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
    pub(super) instance: ash::Instance,
    pub(super) physical: vk::PhysicalDevice,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// A shader never ended: the objects that it uses must live as long as the process.
    pub(super) lost: Cell<bool>,
    // Dropped last: the functions of the others live in it.
    _entry: ash::Entry,
}

thread_local! {
    /// Messages of the validation layer: it calls back on the thread that made the call.
    static MESSAGES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Takes the messages of the validation layer since the last time.
pub(super) fn take_messages() -> Vec<String> {
    MESSAGES.with(RefCell::take)
}

unsafe extern "system" fn on_message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a structure that is valid until this function returns, or null; its
    // message ends in a zero.
    let text = unsafe { data.as_ref().and_then(|d| d.message_as_c_str()) };
    if let Some(text) = text {
        MESSAGES.with(|list| list.borrow_mut().push(text.to_string_lossy().into_owned()));
    }
    vk::FALSE
}

const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

fn load() -> Result<ash::Entry, Error> {
    // SAFETY: loading runs the initializers of libvulkan and its drivers; that they are sound is
    // the system's promise.
    unsafe { ash::Entry::load() }.map_err(|error| Error::NoLoader(error.to_string()))
}

fn instance(entry: &ash::Entry, validation: bool) -> Result<ash::Instance, Error> {
    let application = vk::ApplicationInfo::default()
        .application_name(c"trellis gpu-test")
        .api_version(vk::API_VERSION_1_3);
    let layers: &[*const c_char] = if validation {
        &[VALIDATION.as_ptr()]
    } else {
        &[]
    };
    let extensions: &[*const c_char] = if validation {
        &[ash::ext::debug_utils::NAME.as_ptr()]
    } else {
        &[]
    };
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(layers)
        .enabled_extension_names(extensions);
    // SAFETY: the structure and what it points to live until the call returns.
    unsafe { entry.create_instance(&info, None) }.named("vkCreateInstance")
}

/// Returns whether the validation layer is installed.
fn has_validation(entry: &ash::Entry) -> bool {
    // SAFETY: the entry is loaded.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
    layers
        .iter()
        .any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION))
}

fn describe(instance: &ash::Instance, physical: vk::PhysicalDevice) -> DeviceInfo {
    // SAFETY: `physical` is of this instance.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let version = properties.api_version;
    DeviceInfo {
        name: properties
            .device_name_as_c_str()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default(),
        version: format!(
            "{}.{}",
            vk::api_version_major(version),
            vk::api_version_minor(version)
        ),
        driver: format!(
            "{}.{}.{}",
            vk::api_version_major(properties.driver_version),
            vk::api_version_minor(properties.driver_version),
            vk::api_version_patch(properties.driver_version)
        ),
        usable: version >= vk::API_VERSION_1_3,
    }
}

/// Returns the devices of this machine.
///
/// # Errors
/// There is no loader, or no driver.
pub fn list() -> Result<Vec<DeviceInfo>, Error> {
    let entry = load()?;
    let instance = instance(&entry, false)?;
    // SAFETY: the instance is alive until the end of this function.
    let found =
        unsafe { instance.enumerate_physical_devices() }.named("vkEnumeratePhysicalDevices");
    let infos = found.map(|devices| devices.iter().map(|d| describe(&instance, *d)).collect());
    // SAFETY: the instance is destroyed once, after its last use, and has no children.
    unsafe { instance.destroy_instance(None) };
    infos
}

impl Device {
    /// Opens the first device whose name contains `part` in any case; without a part lavapipe, or
    /// the first device if that does not exist. The second value is whether the validation layer is
    /// enabled, which needs it to be installed.
    ///
    /// # Errors
    /// No loader, no such device, or Vulkan refuses.
    pub fn open(part: Option<&str>, validation: bool) -> Result<(Self, bool), Error> {
        let entry = load()?;
        let validation = validation && has_validation(&entry);
        let instance = instance(&entry, validation)?;
        match Self::open_in(entry.clone(), &instance, part, validation) {
            Ok(device) => Ok((device, validation)),
            Err(error) => {
                // SAFETY: nothing that was made from the instance is left, and the loader is still
                // there: `entry` keeps it.
                unsafe { instance.destroy_instance(None) };
                Err(error)
            }
        }
    }

    fn open_in(
        entry: ash::Entry,
        instance: &ash::Instance,
        part: Option<&str>,
        validation: bool,
    ) -> Result<Self, Error> {
        let (physical, info) = choose(instance, part)?;
        // SAFETY: `physical` is of this instance.
        let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
        let both = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let family = families
            .iter()
            .position(|f| f.queue_flags.contains(both))
            .unwrap_or(0) as u32;
        // Before the device: without it the layer prints messages about newer extensions.
        let messenger = if validation {
            Some(messenger(&entry, instance)?)
        } else {
            None
        };
        let (device, features) = match create(instance, physical, family) {
            Ok(made) => made,
            Err(error) => {
                if let Some((functions, messenger)) = messenger {
                    // SAFETY: the messenger is of this instance and is destroyed once, here: the
                    // device that would own it was not created.
                    unsafe { functions.destroy_debug_utils_messenger(messenger, None) };
                }
                return Err(error);
            }
        };
        // SAFETY: the device was created with one queue of this family.
        let queue = unsafe { device.get_device_queue(family, 0) };
        // SAFETY: `physical` is of this instance.
        let memory = unsafe { instance.get_physical_device_memory_properties(physical) };
        let feedback = features
            .transform_feedback
            .then(|| ash::ext::transform_feedback::Device::new(instance, &device));
        let statistics = features
            .statistics
            .then(|| ash::khr::pipeline_executable_properties::Device::new(instance, &device));
        let rays = features
            .ray_tracing
            .then(|| RayFunctions::new(instance, &device, physical));
        let mesh = features
            .mesh
            .then(|| ash::ext::mesh_shader::Device::new(instance, &device));
        // Messages of older layers about newer extensions do not concern the shaders.
        let _ = take_messages();
        Ok(Self {
            device,
            queue,
            family,
            memory,
            feedback,
            rays,
            mesh,
            statistics,
            features,
            info,
            instance: instance.clone(),
            physical,
            messenger,
            lost: Cell::new(false),
            _entry: entry,
        })
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
            return;
        }
        // SAFETY: runs clean up after themselves, so nothing of the device or instance is left but
        // the messenger.
        unsafe {
            self.device.destroy_device(None);
            if let Some((functions, messenger)) = &self.messenger {
                functions.destroy_debug_utils_messenger(*messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

fn choose(
    instance: &ash::Instance,
    part: Option<&str>,
) -> Result<(vk::PhysicalDevice, DeviceInfo), Error> {
    // SAFETY: the instance is alive.
    let devices =
        unsafe { instance.enumerate_physical_devices() }.named("vkEnumeratePhysicalDevices")?;
    let all: Vec<_> = devices
        .into_iter()
        .map(|d| (d, describe(instance, d)))
        .collect();
    let available = all
        .iter()
        .map(|(_, i)| format!("{} ({})", i.name, i.version))
        .collect::<Vec<_>>()
        .join(", ");
    let named = |name: &str| {
        all.iter()
            .find(|(_, i)| i.usable && i.name.to_lowercase().contains(&name.to_lowercase()))
    };
    let found = match part {
        Some(part) => named(part),
        None => named("llvmpipe").or_else(|| all.iter().find(|(_, i)| i.usable)),
    };
    let wanted = part
        .map(|p| format!(" whose name contains `{p}`"))
        .unwrap_or_default();
    found.cloned().ok_or(Error::NoDevice {
        wanted,
        available: if available.is_empty() {
            "none".to_owned()
        } else {
            available
        },
    })
}

fn messenger(
    entry: &ash::Entry,
    instance: &ash::Instance,
) -> Result<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT), Error> {
    let functions = ash::ext::debug_utils::Instance::new(entry, instance);
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(on_message));
    // SAFETY: the callback is a function of this program and needs no user data.
    let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }
        .named("vkCreateDebugUtilsMessengerEXT")?;
    Ok((functions, messenger))
}

/// Enables every feature that the device has, except robust buffer access: it would hide
/// accesses out of bounds.
fn create(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    family: u32,
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
    core.robust_buffer_access = vk::FALSE;
    chain.v13.robust_image_access = vk::FALSE;
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
    // SAFETY: `physical` is of this instance, what the structures point to lives until the call
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
