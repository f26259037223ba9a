//! The Vulkan device, with one queue.
#![allow(
    unsafe_code,
    reason = "Vulkan is loaded from a shared library and called through raw pointers"
)]

use std::rc::Rc;

use ash::vk;
use vulkan_setup::{Instance, queue_family};

use crate::error::{Error, Named as _};

/// A device. Objects that are made from it keep it alive.
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

impl Device {
    /// Opens the first Vulkan 1.3 device whose name contains `part` in any case. The validation layer
    /// is enabled if it is installed.
    ///
    /// # Errors
    /// There is no such device, or it lacks a feature.
    pub fn open(part: Option<&str>) -> Result<Rc<Self>, Error> {
        let instance = Instance::new(c"trellis-engine", true)?;
        let (physical, info) = instance.choose(part, "")?;
        // SAFETY: `physical` is of this instance.
        let (memory, limits) = unsafe {
            (
                instance.raw.get_physical_device_memory_properties(physical),
                instance.raw.get_physical_device_properties(physical).limits,
            )
        };
        let queue_family = queue_family(&instance.raw, physical)
            .ok_or(Error::Unsupported("a device without a graphics queue"))?;
        let name = info.name;
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
        self.instance.is_validated()
    }

    /// Checks that the validation layer, if it is enabled, has reported no errors so far.
    ///
    /// # Errors
    /// [`Error::Validation`].
    pub fn check_validation(&self) -> Result<(), Error> {
        match self.instance.messages() {
            Some(messages) if !messages.is_empty() => Err(Error::Validation(messages.clone())),
            _ => Ok(()),
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: everything that was made from the device holds a reference to it, so that all of it
        // is destroyed already.
        unsafe { self.raw.destroy_device(None) };
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
    // SAFETY: `physical` is of this instance, the features are among those that it has, and the
    // pointees of the structures live until the call returns.
    let device =
        unsafe { instance.create_device(physical, &info, None) }.named("vkCreateDevice")?;
    Ok((device, has.sampler_anisotropy == vk::TRUE))
}
