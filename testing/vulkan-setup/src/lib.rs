//! Vulkan's loader, instance and validation layer, and the choice of a device: where `gpu-test` and the
//! engine in `examples` begin.
#![allow(
    unsafe_code,
    reason = "Vulkan is loaded from a shared library and called through raw pointers"
)]

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;
use thiserror::Error;

/// Why there is no device.
#[derive(Debug, Error)]
pub enum Error {
    /// The system has no Vulkan.
    #[error("there is no Vulkan loader ({0}): install it (Debian: libvulkan1)")]
    NoLoader(String),
    /// No device fits.
    #[error(
        "no Vulkan 1.3 device{wanted}: install a driver (Debian: mesa-vulkan-drivers, which has a software device); found: {found}"
    )]
    NoDevice {
        /// The requested device, as a part of the sentence.
        wanted: String,
        /// The devices that exist.
        found: String,
    },
    /// A call of Vulkan failed.
    #[error("{call}: {result}")]
    Call {
        /// Name of the function.
        call: &'static str,
        /// Its result.
        result: vk::Result,
    },
}

/// The description of a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceInfo {
    /// Name, as the driver gives it.
    pub name: String,
    /// Vulkan version.
    pub version: String,
    /// Version of the driver, as Mesa writes it.
    pub driver: String,
    /// It has Vulkan 1.3.
    pub usable: bool,
}

/// An instance. Objects that are made from it must be destroyed before.
pub struct Instance {
    /// Its functions.
    pub raw: ash::Instance,
    validation: Option<Validation>,
    is_kept: Cell<bool>,
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

impl Instance {
    /// Loads Vulkan 1.3 and makes an instance for a program, with the validation layer if that is
    /// requested and installed.
    ///
    /// # Errors
    /// There is no loader or no driver, or Vulkan refuses.
    pub fn new(program: &CStr, validation: bool) -> Result<Self, Error> {
        // SAFETY: loading runs the initializers of libvulkan and its drivers; that they are sound is the
        // system's promise.
        let library = unsafe { ash::Entry::load() };
        let library = library.map_err(|error| Error::NoLoader(error.to_string()))?;
        // SAFETY: the library is loaded.
        let layers = unsafe { library.enumerate_instance_layer_properties() }.unwrap_or_default();
        let mut layers = layers.iter();
        let validation = validation && layers.any(|layer| layer.layer_name_as_c_str() == Ok(LAYER));
        let mut instance = Self {
            raw: create_instance(&library, program, validation)?,
            validation: None,
            is_kept: Cell::new(false),
            library,
        };
        if validation {
            instance.validation = Some(Validation::new(&instance.library, &instance.raw)?);
        }
        Ok(instance)
    }

    /// Returns whether the validation layer is enabled.
    pub fn is_validated(&self) -> bool {
        self.validation.is_some()
    }

    /// Returns the messages of the validation layer that were not taken yet.
    pub fn messages(&self) -> Option<MutexGuard<'_, Vec<String>>> {
        let messages = self.validation.as_ref()?.messages.lock();
        Some(messages.unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets the instance live as long as the process.
    pub fn keep(&self) {
        self.is_kept.set(true);
    }

    /// Returns the devices of this machine.
    pub fn devices(&self) -> Vec<(vk::PhysicalDevice, DeviceInfo)> {
        // SAFETY: the instance is alive. Without any driver this is an error.
        let devices = unsafe { self.raw.enumerate_physical_devices() }.unwrap_or_default();
        let describe = |physical| (physical, describe(&self.raw, physical));
        devices.into_iter().map(describe).collect()
    }

    /// Returns the first device with Vulkan 1.3 whose name contains `part` in any case; without a part
    /// the one whose name contains `preferred`, or the first.
    ///
    /// # Errors
    /// There is no such device.
    pub fn choose(
        &self,
        part: Option<&str>,
        preferred: &str,
    ) -> Result<(vk::PhysicalDevice, DeviceInfo), Error> {
        let all = self.devices();
        let named = |part: &str| {
            let part = part.to_lowercase();
            let mut all = all.iter();
            all.find(|(_, info)| info.usable && info.name.to_lowercase().contains(&part))
        };
        let found = match part {
            Some(part) => named(part),
            None => named(preferred).or_else(|| named("")),
        };
        found.cloned().ok_or_else(|| {
            let names = all
                .iter()
                .map(|(_, i)| format!("{} ({})", i.name, i.version));
            no_device(part, &names.collect::<Vec<_>>())
        })
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.is_kept.get() {
            return;
        }
        // SAFETY: whatever was made from the instance was destroyed before, but for the messenger, which
        // is destroyed first.
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
        let call = "vkCreateDebugUtilsMessengerEXT";
        // SAFETY: the callback reads its user data as the list that it is; the list is in a box, which
        // lives longer than the messenger.
        let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }
            .map_err(|result| Error::Call { call, result })?;
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

fn create_instance(
    library: &ash::Entry,
    program: &CStr,
    validation: bool,
) -> Result<ash::Instance, Error> {
    let application = vk::ApplicationInfo::default()
        .application_name(program)
        .api_version(vk::API_VERSION_1_3);
    let names = [LAYER.as_ptr(), ash::ext::debug_utils::NAME.as_ptr()];
    let [layers, extensions]: [&[*const c_char]; 2] = match validation {
        true => [&names[..1], &names[1..]],
        false => [&[], &[]],
    };
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(layers)
        .enabled_extension_names(extensions);
    let call = "vkCreateInstance";
    // SAFETY: the pointees of the structure live until the call returns.
    unsafe { library.create_instance(&info, None) }.map_err(|result| match result {
        // The loader found no driver at all.
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => no_device(None, &[]),
        result => Error::Call { call, result },
    })
}

fn no_device(part: Option<&str>, found: &[String]) -> Error {
    let wanted = part.map(|part| format!(" with `{part}` in its name"));
    let none = found.is_empty().then(|| "none".to_owned());
    Error::NoDevice {
        wanted: wanted.unwrap_or_default(),
        found: none.unwrap_or_else(|| found.join(", ")),
    }
}

fn describe(instance: &ash::Instance, physical: vk::PhysicalDevice) -> DeviceInfo {
    // SAFETY: `physical` is of this instance.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let parts = |version| {
        (
            vk::api_version_major(version),
            vk::api_version_minor(version),
        )
    };
    let (major, minor) = parts(properties.api_version);
    let (of_driver, minor_of_driver) = parts(properties.driver_version);
    let patch = vk::api_version_patch(properties.driver_version);
    let name = properties.device_name_as_c_str().unwrap_or_default();
    DeviceInfo {
        name: name.to_string_lossy().into_owned(),
        version: format!("{major}.{minor}"),
        driver: format!("{of_driver}.{minor_of_driver}.{patch}"),
        usable: properties.api_version >= vk::API_VERSION_1_3,
    }
}

/// Returns the number of the first type of memory that fits an object and has properties.
pub fn memory_type(
    memory: &vk::PhysicalDeviceMemoryProperties,
    needs: vk::MemoryRequirements,
    flags: vk::MemoryPropertyFlags,
) -> Option<u32> {
    let types = (0..).zip(&memory.memory_types[..memory.memory_type_count as usize]);
    let fits = |index: u32, ty: &vk::MemoryType| {
        needs.memory_type_bits >> index & 1 != 0 && ty.property_flags.contains(flags)
    };
    let mut found = types.filter(|&(index, ty)| fits(index, ty));
    found.next().map(|(index, _)| index)
}

/// Returns the number of the first family of queues for graphics and compute.
pub fn queue_family(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Option<u32> {
    // SAFETY: `physical` is of this instance.
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    let needed = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    let mut families = (0..).zip(families);
    families
        .find(|(_, family)| family.queue_flags.contains(needed))
        .map(|(index, _)| index)
}
