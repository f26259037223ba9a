//! The Vulkan device, with one queue.
#![allow(
    unsafe_code,
    reason = "Vulkan is loaded from a shared library and called through raw pointers"
)]

use std::ffi::{CStr, c_char, c_void};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use ash::vk;

use crate::error::{Error, Named as _};

/// A device. What is made from it keeps it alive.
pub struct Device {
    pub(crate) raw: ash::Device,
    pub(crate) queue: vk::Queue,
    pub(crate) queue_family: u32,
    pub(crate) memory: vk::PhysicalDeviceMemoryProperties,
    /// The most anisotropy of a sampler; 1 without that feature.
    pub(crate) max_anisotropy: f32,
    name: String,
    // Dropped after the device.
    instance: Instance,
}

/// The instance, with the validation layer if that is installed.
struct Instance {
    raw: ash::Instance,
    validation: Option<Validation>,
    // The functions of the others are in this library.
    library: ash::Entry,
}

/// The validation layer's messages.
struct Validation {
    functions: ash::ext::debug_utils::Instance,
    messenger: vk::DebugUtilsMessengerEXT,
    messages: Box<Mutex<Vec<String>>>,
}

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

impl Device {
    /// Opens the first Vulkan 1.3 device whose name contains `part` in any case. The validation layer
    /// is enabled if it is installed.
    ///
    /// # Errors
    /// There is no such device, or it lacks a feature.
    pub fn open(part: Option<&str>) -> Result<Rc<Self>, Error> {
        let instance = Instance::new()?;
        let (physical, name) = choose(&instance.raw, part)?;
        // SAFETY: `physical` is of this instance.
        let (families, memory, limits) = unsafe {
            (
                instance
                    .raw
                    .get_physical_device_queue_family_properties(physical),
                instance.raw.get_physical_device_memory_properties(physical),
                instance.raw.get_physical_device_properties(physical).limits,
            )
        };
        let needed = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let queue_family = families
            .iter()
            .position(|family| family.queue_flags.contains(needed))
            .ok_or(Error::Unsupported("a device without a graphics queue"))?
            as u32;
        let (raw, is_anisotropic) = create_device(&instance.raw, physical, queue_family, &name)?;
        // SAFETY: the device was created with one queue of this family.
        let queue = unsafe { raw.get_device_queue(queue_family, 0) };
        Ok(Rc::new(Self {
            raw,
            queue,
            queue_family,
            memory,
            max_anisotropy: if is_anisotropic {
                limits.max_sampler_anisotropy
            } else {
                1.0
            },
            name,
            instance,
        }))
    }

    /// Returns the device's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the validation layer is enabled.
    pub fn is_validated(&self) -> bool {
        self.instance.validation.is_some()
    }

    /// Checks that the validation layer, if it is enabled, has reported no errors so far.
    ///
    /// # Errors
    /// [`Error::Validation`].
    pub fn check_validation(&self) -> Result<(), Error> {
        let Some(validation) = &self.instance.validation else {
            return Ok(());
        };
        let messages = validation.messages.lock();
        let messages = messages.unwrap_or_else(PoisonError::into_inner);
        if messages.is_empty() {
            Ok(())
        } else {
            Err(Error::Validation(messages.clone()))
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: everything that was made from the device holds a reference to it, so that nothing of
        // it is left.
        unsafe { self.raw.destroy_device(None) };
    }
}

impl Instance {
    fn new() -> Result<Self, Error> {
        // SAFETY: loading runs the initializers of the system's Vulkan library.
        let library = unsafe { ash::Entry::load() };
        let library = library.map_err(|error| Error::NoLoader(error.to_string()))?;
        // SAFETY: the library is loaded.
        let layers = unsafe { library.enumerate_instance_layer_properties() }.unwrap_or_default();
        let has_layer = layers
            .iter()
            .any(|layer| layer.layer_name_as_c_str() == Ok(LAYER));
        let mut instance = Self {
            raw: create_instance(&library, has_layer)?,
            validation: None,
            library,
        };
        if has_layer {
            instance.validation = Some(Validation::new(&instance.library, &instance.raw)?);
        }
        Ok(instance)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the device was destroyed before; the messenger is destroyed before its instance.
        unsafe {
            if let Some(validation) = &self.validation {
                let messenger = validation.messenger;
                let functions = &validation.functions;
                functions.destroy_debug_utils_messenger(messenger, None);
            }
            self.raw.destroy_instance(None);
        }
    }
}

impl Validation {
    fn new(library: &ash::Entry, instance: &ash::Instance) -> Result<Self, Error> {
        let functions = ash::ext::debug_utils::Instance::new(library, instance);
        let messages = Box::new(Mutex::new(Vec::new()));
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
            .pfn_user_callback(Some(on_message))
            .user_data(std::ptr::from_ref(&*messages).cast_mut().cast());
        // SAFETY: the callback reads its user data as the list that it is; the list is in a box, which
        // lives longer than the messenger.
        let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }
            .named("vkCreateDebugUtilsMessengerEXT")?;
        Ok(Self {
            functions,
            messenger,
            messages,
        })
    }
}

unsafe extern "system" fn on_message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a structure that lives until this function returns, and the user data
    // that the messenger was created with: a list that nothing borrows mutably.
    let (text, list) = unsafe {
        let text = data.as_ref().and_then(|data| data.message_as_c_str());
        (text, user.cast::<Mutex<Vec<String>>>().as_ref())
    };
    if let (Some(text), Some(list)) = (text, list) {
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(text.to_string_lossy().into_owned());
    }
    vk::FALSE
}

fn create_instance(library: &ash::Entry, has_layer: bool) -> Result<ash::Instance, Error> {
    let application = vk::ApplicationInfo::default()
        .application_name(c"trellis-engine")
        .api_version(vk::API_VERSION_1_3);
    let layers: &[*const c_char] = if has_layer { &[LAYER.as_ptr()] } else { &[] };
    let extensions: &[*const c_char] = if has_layer {
        &[ash::ext::debug_utils::NAME.as_ptr()]
    } else {
        &[]
    };
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(layers)
        .enabled_extension_names(extensions);
    // SAFETY: what the structure points to lives until the call returns.
    match unsafe { library.create_instance(&info, None) } {
        // The loader found no driver at all.
        Err(vk::Result::ERROR_INCOMPATIBLE_DRIVER) => Err(no_device(None, &[])),
        made => made.named("vkCreateInstance"),
    }
}

/// Returns the first device that fits, and its name.
fn choose(
    instance: &ash::Instance,
    part: Option<&str>,
) -> Result<(vk::PhysicalDevice, String), Error> {
    // SAFETY: the instance is alive. Without any driver this is an error of its own kind.
    let devices = unsafe { instance.enumerate_physical_devices() }.unwrap_or_default();
    let mut found = Vec::new();
    for physical in devices {
        // SAFETY: `physical` is of this instance.
        let properties = unsafe { instance.get_physical_device_properties(physical) };
        let name = properties.device_name_as_c_str().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let is_wanted = part.is_none_or(|part| name.to_lowercase().contains(&part.to_lowercase()));
        if is_wanted && properties.api_version >= vk::API_VERSION_1_3 {
            return Ok((physical, name));
        }
        found.push(name);
    }
    Err(no_device(part, &found))
}

fn no_device(part: Option<&str>, found: &[String]) -> Error {
    Error::NoDevice {
        wanted: part.map_or_else(String::new, |part| format!(" with `{part}` in its name")),
        found: if found.is_empty() {
            "none".to_owned()
        } else {
            found.join(", ")
        },
    }
}

/// Creates the device with the features that the engine and the translated shaders need. The second
/// value is whether samplers may be anisotropic, which is not needed.
fn create_device(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    queue_family: u32,
    name: &str,
) -> Result<(ash::Device, bool), Error> {
    let mut has12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut has13 = vk::PhysicalDeviceVulkan13Features::default();
    let mut has = vk::PhysicalDeviceFeatures2::default()
        .push_next(&mut has12)
        .push_next(&mut has13);
    // SAFETY: `physical` is of this instance, and the chain lives until the call returns.
    unsafe { instance.get_physical_device_features2(physical, &mut has) };
    let has = has.features;
    let mut core = vk::PhysicalDeviceFeatures::default()
        .sampler_anisotropy(has.sampler_anisotropy == vk::TRUE);
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
    macro_rules! need {
        ($($has:ident.$field:ident => $on:ident;)*) => { $(
            if $has.$field != vk::TRUE {
                let (device, feature) = (name.to_owned(), stringify!($field));
                return Err(Error::Feature { device, feature });
            }
            $on.$field = vk::TRUE;
        )* };
    }
    need! {
        // Root descriptors are device addresses.
        has12.buffer_device_address => v12;
        // Tables without end, indexed by anything, with descriptors that nothing reads missing.
        has12.runtime_descriptor_array => v12;
        has.shader_sampled_image_array_dynamic_indexing => core;
        has12.shader_sampled_image_array_non_uniform_indexing => v12;
        has12.descriptor_binding_partially_bound => v12;
        // DXIL does not say the format of a texture that a shader writes.
        has.shader_storage_image_write_without_format => core;
        // The engine's own.
        has13.dynamic_rendering => v13;
        has13.synchronization2 => v13;
    }
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(queue_family)
        .queue_priorities(&[1.0])];
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_features(&core)
        .push_next(&mut v12)
        .push_next(&mut v13);
    // SAFETY: `physical` is of this instance, the features are among those that it has, and what the
    // structures point to lives until the call returns.
    let device =
        unsafe { instance.create_device(physical, &info, None) }.named("vkCreateDevice")?;
    Ok((device, has.sampler_anisotropy == vk::TRUE))
}
