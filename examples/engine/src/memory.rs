//! Buffers and images, each in a separate allocation.
//!
//! An engine of any size would place many in one allocation.
#![allow(
    unsafe_code,
    reason = "Vulkan's objects are made, mapped and destroyed by calls that the compiler cannot check"
)]

use std::cell::Cell;
use std::rc::Rc;

use ash::vk;

use crate::device::Device;
use crate::error::{Error, Named as _};

/// A buffer with a device address, in memory that the host sees.
pub struct Buffer {
    device: Rc<Device>,
    pub(crate) raw: vk::Buffer,
    memory: vk::DeviceMemory,
    size: usize,
}

impl Buffer {
    /// Returns a buffer of zeros.
    ///
    /// # Errors
    /// Vulkan refuses.
    pub fn new(device: &Rc<Device>, size: usize) -> Result<Self, Error> {
        use vk::BufferUsageFlags as U;
        let info = vk::BufferCreateInfo::default()
            .size(size.max(4) as u64)
            .usage(
                U::SHADER_DEVICE_ADDRESS | U::STORAGE_BUFFER | U::INDEX_BUFFER | U::TRANSFER_DST,
            );
        // SAFETY: the structure lives until the call returns.
        let raw = unsafe { device.raw.create_buffer(&info, None) }.named("vkCreateBuffer")?;
        let mut buffer = Self {
            device: Rc::clone(device),
            raw,
            memory: vk::DeviceMemory::null(),
            size,
        };
        // SAFETY: the buffer is of this device.
        let needs = unsafe { device.raw.get_buffer_memory_requirements(raw) };
        use vk::MemoryPropertyFlags as M;
        buffer.memory = allocate(device, needs, M::HOST_VISIBLE | M::HOST_COHERENT)?;
        // SAFETY: the memory has the size and type that the buffer needs, and is bound once.
        unsafe { device.raw.bind_buffer_memory(raw, buffer.memory, 0) }
            .named("vkBindBufferMemory")?;
        buffer.access(|bytes| bytes.fill(0))?;
        Ok(buffer)
    }

    /// Returns a buffer with contents.
    ///
    /// # Errors
    /// Vulkan refuses.
    pub fn with_contents(device: &Rc<Device>, contents: &[u8]) -> Result<Self, Error> {
        let buffer = Self::new(device, contents.len())?;
        buffer.access(|bytes| bytes.copy_from_slice(contents))?;
        Ok(buffer)
    }

    /// Returns the contents.
    ///
    /// # Errors
    /// Vulkan refuses.
    pub fn contents(&self) -> Result<Vec<u8>, Error> {
        self.access(|bytes| bytes.to_vec())
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the address by which shaders read it.
    pub fn address(&self) -> u64 {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.raw);
        // SAFETY: the buffer has memory, and was created for addresses.
        unsafe { self.device.raw.get_buffer_device_address(&info) }
    }

    /// Calls `f` with the contents. The device must not use them at the time, which it does only while
    /// [`Commands::submit`](crate::commands::Commands::submit) waits for it.
    fn access<R>(&self, f: impl FnOnce(&mut [u8]) -> R) -> Result<R, Error> {
        let device = &self.device.raw;
        let (size, flags) = (vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
        // SAFETY: the memory is visible to the host and not mapped: this function alone maps it.
        let start =
            unsafe { device.map_memory(self.memory, 0, size, flags) }.named("vkMapMemory")?;
        // SAFETY: that many bytes were mapped, all of them were written by the device or are whatever
        // the memory has, and nothing else refers to them until the memory is unmapped.
        let result = f(unsafe { std::slice::from_raw_parts_mut(start.cast(), self.size) });
        // SAFETY: it is mapped, and the slice is gone.
        unsafe { device.unmap_memory(self.memory) };
        Ok(result)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: both are of this device (or null), and are not in use: submissions are waited for.
        unsafe {
            self.device.raw.destroy_buffer(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}

/// An image with its view.
pub struct Image {
    device: Rc<Device>,
    pub(crate) raw: vk::Image,
    /// All mip levels.
    pub(crate) view: vk::ImageView,
    /// The first mip level, for shaders that write it.
    pub(crate) first_level: vk::ImageView,
    memory: vk::DeviceMemory,
    /// Properties.
    pub(crate) info: ImageInfo,
    /// The layout after the last command that used it.
    pub(crate) layout: Cell<vk::ImageLayout>,
}

/// Properties of an image.
#[derive(Clone, Copy, Debug)]
pub struct ImageInfo {
    /// Width and height.
    pub size: [u32; 2],
    /// Format.
    pub format: vk::Format,
    /// How it is used.
    pub usage: vk::ImageUsageFlags,
    /// Number of mip levels.
    pub levels: u32,
    /// Number of samples of each texel.
    pub samples: u32,
}

impl ImageInfo {
    /// Returns one level with one sample.
    pub const fn new(size: [u32; 2], format: vk::Format, usage: vk::ImageUsageFlags) -> Self {
        Self {
            size,
            format,
            usage,
            levels: 1,
            samples: 1,
        }
    }

    /// Returns the aspect that is accessed: depth, or color.
    pub(crate) fn aspect(&self) -> vk::ImageAspectFlags {
        if self.format == vk::Format::D32_SFLOAT {
            vk::ImageAspectFlags::DEPTH
        } else {
            vk::ImageAspectFlags::COLOR
        }
    }
}

impl Image {
    /// Returns an image without contents.
    ///
    /// # Errors
    /// Vulkan refuses.
    pub fn new(device: &Rc<Device>, info: ImageInfo) -> Result<Self, Error> {
        let create = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(info.format)
            .extent(vk::Extent3D {
                width: info.size[0],
                height: info.size[1],
                depth: 1,
            })
            .mip_levels(info.levels)
            .array_layers(1)
            .samples(vk::SampleCountFlags::from_raw(info.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(info.usage);
        // SAFETY: the structure lives until the call returns.
        let raw = unsafe { device.raw.create_image(&create, None) }.named("vkCreateImage")?;
        let mut image = Self {
            device: Rc::clone(device),
            raw,
            view: vk::ImageView::null(),
            first_level: vk::ImageView::null(),
            memory: vk::DeviceMemory::null(),
            info,
            layout: Cell::new(vk::ImageLayout::UNDEFINED),
        };
        // SAFETY: the image is of this device.
        let needs = unsafe { device.raw.get_image_memory_requirements(raw) };
        image.memory = allocate(device, needs, vk::MemoryPropertyFlags::DEVICE_LOCAL)?;
        // SAFETY: the memory has the size and type that the image needs, and is bound once.
        unsafe { device.raw.bind_image_memory(raw, image.memory, 0) }.named("vkBindImageMemory")?;
        image.view = image.create_view(info.levels)?;
        image.first_level = image.create_view(1)?;
        Ok(image)
    }

    fn create_view(&self, levels: u32) -> Result<vk::ImageView, Error> {
        let range = vk::ImageSubresourceRange::default()
            .aspect_mask(self.info.aspect())
            .level_count(levels)
            .layer_count(1);
        let info = vk::ImageViewCreateInfo::default()
            .image(self.raw)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(self.info.format)
            .subresource_range(range);
        // SAFETY: the image is of this device and has memory and `levels` levels.
        unsafe { self.device.raw.create_image_view(&info, None) }.named("vkCreateImageView")
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: all are of this device (or null), and are not in use: submissions are waited for.
        unsafe {
            self.device.raw.destroy_image_view(self.first_level, None);
            self.device.raw.destroy_image_view(self.view, None);
            self.device.raw.destroy_image(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}

/// Allocates memory of the first type that fits.
fn allocate(
    device: &Device,
    needs: vk::MemoryRequirements,
    flags: vk::MemoryPropertyFlags,
) -> Result<vk::DeviceMemory, Error> {
    let index = vulkan_setup::memory_type(&device.memory, needs, flags).ok_or(Error::NoMemory)?;
    let mut addresses =
        vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
    let info = vk::MemoryAllocateInfo::default()
        .allocation_size(needs.size)
        .memory_type_index(index)
        .push_next(&mut addresses);
    // SAFETY: the structures live until the call returns.
    unsafe { device.raw.allocate_memory(&info, None) }.named("vkAllocateMemory")
}
