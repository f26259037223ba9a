//! The objects of one run: handles, buffers, images.
#![allow(
    unsafe_code,
    reason = "Vulkan's handles are made, mapped and destroyed by calls that the compiler cannot check"
)]

use ash::vk;
use spirv::Capability;

use super::device::Device;
use super::format::texel_size;
use super::{Error, Image, Named, Object, Sampler, View};

/// A handle that dies with the run.
pub(super) enum Handle {
    Buffer(vk::Buffer),
    BufferView(vk::BufferView),
    Image(vk::Image),
    ImageView(vk::ImageView),
    Memory(vk::DeviceMemory),
    Sampler(vk::Sampler),
    Module(vk::ShaderModule),
    SetLayout(vk::DescriptorSetLayout),
    DescriptorPool(vk::DescriptorPool),
    PipelineLayout(vk::PipelineLayout),
    Pipeline(vk::Pipeline),
    CommandPool(vk::CommandPool),
    Fence(vk::Fence),
    Structure(vk::AccelerationStructureKHR),
}

/// Owns the handles of a run and destroys them, the last one first.
pub(super) struct Scope<'d> {
    pub(super) device: &'d Device,
    handles: Vec<Handle>,
}

/// Memory that the host sees, with a buffer on it.
#[derive(Clone, Copy)]
pub(super) struct Buffer {
    pub(super) buffer: vk::Buffer,
    pub(super) size: u64,
    memory: vk::DeviceMemory,
}

/// An image with the staging buffer of its contents.
#[derive(Clone, Copy)]
pub(super) struct Texture {
    pub(super) image: vk::Image,
    pub(super) staging: Buffer,
    /// Shaders may write it.
    pub(super) storage: bool,
}

/// An object of the job, on the device.
#[derive(Clone, Copy)]
pub(super) enum Resident {
    Buffer(Buffer),
    Texture(Texture),
    Sampler(vk::Sampler),
    Scene(vk::AccelerationStructureKHR),
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        if self.device.lost.get() {
            return;
        }
        let device = &self.device.device;
        for handle in self.handles.drain(..).rev() {
            // SAFETY: each handle is of this device, is destroyed once, after the objects that were
            // made from it, and the device is idle: a run waits for its end.
            unsafe {
                match handle {
                    Handle::Buffer(h) => device.destroy_buffer(h, None),
                    Handle::BufferView(h) => device.destroy_buffer_view(h, None),
                    Handle::Image(h) => device.destroy_image(h, None),
                    Handle::ImageView(h) => device.destroy_image_view(h, None),
                    Handle::Memory(h) => device.free_memory(h, None),
                    Handle::Sampler(h) => device.destroy_sampler(h, None),
                    Handle::Module(h) => device.destroy_shader_module(h, None),
                    Handle::SetLayout(h) => device.destroy_descriptor_set_layout(h, None),
                    Handle::DescriptorPool(h) => device.destroy_descriptor_pool(h, None),
                    Handle::PipelineLayout(h) => device.destroy_pipeline_layout(h, None),
                    Handle::Pipeline(h) => device.destroy_pipeline(h, None),
                    Handle::CommandPool(h) => device.destroy_command_pool(h, None),
                    Handle::Fence(h) => device.destroy_fence(h, None),
                    Handle::Structure(h) => {
                        if let Some(rays) = &self.device.rays {
                            rays.structures.destroy_acceleration_structure(h, None);
                        }
                    }
                }
            }
        }
    }
}

impl<'d> Scope<'d> {
    pub(super) fn new(device: &'d Device) -> Self {
        Self {
            device,
            handles: Vec::new(),
        }
    }

    /// Keeps a handle until the end of the run.
    pub(super) fn keep<T: Copy>(&mut self, handle: T, wrap: impl FnOnce(T) -> Handle) -> T {
        self.handles.push(wrap(handle));
        handle
    }

    fn allocate(
        &mut self,
        needs: vk::MemoryRequirements,
        flags: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory, Error> {
        let index = vulkan_setup::memory_type(&self.device.memory, needs, flags)
            .ok_or_else(|| Error::Job("no memory type fits".to_owned()))?;
        let mut addressed =
            vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut info = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(index);
        if self.device.rays.is_some() {
            info = info.push_next(&mut addressed);
        }
        // SAFETY: the device is alive; the structures live until the call returns.
        let memory =
            unsafe { self.device.device.allocate_memory(&info, None) }.named("vkAllocateMemory")?;
        Ok(self.keep(memory, Handle::Memory))
    }

    /// Returns a buffer with contents, of any use. Empty contents still have four bytes: Vulkan has
    /// no empty buffers.
    pub(super) fn buffer(&mut self, contents: &[u8]) -> Result<Buffer, Error> {
        use vk::BufferUsageFlags as U;
        let size = contents.len().next_multiple_of(4).max(4) as u64;
        let texels = U::UNIFORM_TEXEL_BUFFER | U::STORAGE_TEXEL_BUFFER;
        let mut usage = U::STORAGE_BUFFER
            | U::UNIFORM_BUFFER
            | texels
            | U::TRANSFER_SRC
            | U::TRANSFER_DST
            | U::VERTEX_BUFFER;
        if self.device.feedback.is_some() {
            usage |= U::TRANSFORM_FEEDBACK_BUFFER_EXT | U::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT;
        }
        if self.device.rays.is_some() {
            usage |= U::SHADER_DEVICE_ADDRESS | U::SHADER_BINDING_TABLE_KHR;
            usage |= U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR
                | U::ACCELERATION_STRUCTURE_STORAGE_KHR;
        }
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        let device = &self.device.device;
        // SAFETY: the device is alive, and `usage` names only uses that its features allow.
        let buffer = unsafe { device.create_buffer(&info, None) }.named("vkCreateBuffer")?;
        self.keep(buffer, Handle::Buffer);
        // SAFETY: the buffer is of this device.
        let needs = unsafe { device.get_buffer_memory_requirements(buffer) };
        let memory = self.allocate(
            needs,
            vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT,
        )?;
        // SAFETY: the memory has the size and the type that the buffer requires, and neither is
        // bound yet.
        unsafe { device.bind_buffer_memory(buffer, memory, 0) }.named("vkBindBufferMemory")?;
        let made = Buffer {
            buffer,
            size,
            memory,
        };
        self.with_bytes(made, |bytes| {
            bytes.fill(0);
            bytes[..contents.len()].copy_from_slice(contents);
        })?;
        Ok(made)
    }

    /// Maps a buffer that the device does not use at the moment, and calls `access` with its bytes.
    fn with_bytes<R>(
        &self,
        buffer: Buffer,
        access: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R, Error> {
        let device = &self.device.device;
        // SAFETY: the memory is host-visible and coherent, and not mapped: this function alone maps
        // memory, and unmaps it before it returns.
        let mapped = unsafe {
            device.map_memory(
                buffer.memory,
                0,
                vk::WHOLE_SIZE,
                vk::MemoryMapFlags::empty(),
            )
        }
        .named("vkMapMemory")?;
        // SAFETY: the mapping has at least `size` bytes, each bit pattern is a valid `u8`, and
        // neither the device nor another slice uses them: submitted work is waited for.
        let bytes =
            unsafe { std::slice::from_raw_parts_mut(mapped.cast::<u8>(), buffer.size as usize) };
        let result = access(bytes);
        // SAFETY: the memory is mapped, and the slice is not used after this.
        unsafe { device.unmap_memory(buffer.memory) };
        Ok(result)
    }

    /// Writes into a buffer that the device does not use yet.
    pub(super) fn write(
        &self,
        buffer: Buffer,
        offset: usize,
        contents: &[u8],
    ) -> Result<(), Error> {
        if buffer.size < (offset + contents.len()) as u64 {
            return Err(Error::Job(format!(
                "{} bytes at {offset} of a buffer of {}",
                contents.len(),
                buffer.size
            )));
        }
        self.with_bytes(buffer, |bytes| {
            bytes[offset..offset + contents.len()].copy_from_slice(contents);
        })
    }

    /// Returns the contents of a buffer.
    pub(super) fn read(&self, buffer: Buffer, length: usize) -> Result<Vec<u8>, Error> {
        self.with_bytes(buffer, |bytes| bytes[..bytes.len().min(length)].to_vec())
    }

    /// Returns an image, with its contents in a staging buffer.
    pub(super) fn texture(
        &mut self,
        image: &Image,
        extra: vk::ImageUsageFlags,
    ) -> Result<Texture, Error> {
        use vk::ImageUsageFlags as U;
        let device = &self.device.device;
        // SAFETY: the physical device is alive.
        let properties = unsafe {
            self.device
                .instance
                .raw
                .get_physical_device_format_properties(self.device.physical, image.format)
        };
        let features = properties.optimal_tiling_features;
        let mut usage = U::TRANSFER_SRC | U::TRANSFER_DST | extra;
        if features.contains(vk::FormatFeatureFlags::SAMPLED_IMAGE) {
            usage |= U::SAMPLED;
        }
        let multisampled = self
            .device
            .features
            .capabilities
            .contains(&Capability::StorageImageMultisample);
        if features.contains(vk::FormatFeatureFlags::STORAGE_IMAGE)
            && (image.samples == 1 || multisampled)
        {
            usage |= U::STORAGE;
        }
        let flags = if image.cube {
            vk::ImageCreateFlags::CUBE_COMPATIBLE
        } else {
            vk::ImageCreateFlags::empty()
        };
        if image.samples > 1 {
            self.takes_samples(image, usage)?;
        }
        let [width, height, depth] = image.extent;
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(image.dimension)
            .format(image.format)
            .extent(vk::Extent3D {
                width,
                height,
                depth,
            })
            .mip_levels(image.mips)
            .array_layers(image.layers)
            .samples(vk::SampleCountFlags::from_raw(image.samples))
            .usage(usage);
        // SAFETY: the device is alive, and `usage` names only uses that the format supports.
        let made = unsafe { device.create_image(&info, None) }.named("vkCreateImage")?;
        self.keep(made, Handle::Image);
        // SAFETY: the image is of this device.
        let needs = unsafe { device.get_image_memory_requirements(made) };
        let memory = self.allocate(needs, vk::MemoryPropertyFlags::empty())?;
        // SAFETY: the memory has the size and the type that the image requires, and neither is
        // bound yet.
        unsafe { device.bind_image_memory(made, memory, 0) }.named("vkBindImageMemory")?;
        Ok(Texture {
            image: made,
            staging: self.buffer(&image.data)?,
            storage: usage.contains(U::STORAGE),
        })
    }

    /// Returns whether the device has images of the format, use and number of samples.
    fn takes_samples(&self, image: &Image, usage: vk::ImageUsageFlags) -> Result<(), Error> {
        let (instance, physical, optimal) = (
            &self.device.instance.raw,
            self.device.physical,
            vk::ImageTiling::OPTIMAL,
        );
        // SAFETY: the physical device is alive.
        let found = unsafe {
            instance.get_physical_device_image_format_properties(
                physical,
                image.format,
                image.dimension,
                optimal,
                usage,
                vk::ImageCreateFlags::empty(),
            )
        };
        let wanted = vk::SampleCountFlags::from_raw(image.samples);
        if found.is_ok_and(|properties| properties.sample_counts.contains(wanted)) {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "{} samples of {:?}",
            image.samples, image.format
        )))
    }

    /// Returns a view of an image.
    pub(super) fn image_view(
        &mut self,
        texture: Texture,
        image: &Image,
        view: View,
    ) -> Result<vk::ImageView, Error> {
        let whole = matches!(
            view.shape,
            vk::ImageViewType::TYPE_1D | vk::ImageViewType::TYPE_2D | vk::ImageViewType::TYPE_3D
        );
        let layers = match view.shape {
            _ if whole => 1,
            vk::ImageViewType::CUBE => 6,
            _ => image.layers,
        };
        let aspect = aspect(image.format);
        let range = vk::ImageSubresourceRange::default()
            .aspect_mask(aspect)
            .base_mip_level(view.mips.0)
            .level_count(view.mips.1)
            .layer_count(layers);
        let info = vk::ImageViewCreateInfo::default()
            .image(texture.image)
            .view_type(view.shape)
            .format(image.format)
            .subresource_range(range);
        // SAFETY: the image is of this device, bound, and has the format and the levels.
        let made = unsafe { self.device.device.create_image_view(&info, None) }
            .named("vkCreateImageView")?;
        Ok(self.keep(made, Handle::ImageView))
    }

    /// Returns a view of a buffer as texels.
    pub(super) fn buffer_view(
        &mut self,
        buffer: Buffer,
        format: vk::Format,
        length: usize,
    ) -> Result<vk::BufferView, Error> {
        let texel = texel_size(format)
            .ok_or_else(|| Error::Job(format!("texel buffers of {format:?} are not known")))?;
        let range = (length / texel * texel) as u64;
        let info = vk::BufferViewCreateInfo::default()
            .buffer(buffer.buffer)
            .format(format)
            .range(range.max(texel as u64));
        // SAFETY: the buffer is of this device, bound, and was made for texels; `range` is at most
        // its size.
        let made = unsafe { self.device.device.create_buffer_view(&info, None) }
            .named("vkCreateBufferView")?;
        Ok(self.keep(made, Handle::BufferView))
    }

    fn sampler(&mut self, s: &Sampler) -> Result<vk::Sampler, Error> {
        let mut info = vk::SamplerCreateInfo::default()
            .mag_filter(s.filter)
            .min_filter(s.filter)
            .mipmap_mode(s.mip_filter)
            .address_mode_u(s.address[0])
            .address_mode_v(s.address[1])
            .address_mode_w(s.address[2])
            .mip_lod_bias(s.lod_bias)
            .min_lod(s.lod[0])
            .max_lod(s.lod[1])
            .border_color(s.border);
        if let Some(compare) = s.compare {
            info = info.compare_enable(true).compare_op(compare);
        }
        // SAFETY: the device is alive; the structure lives until the call returns.
        let made =
            unsafe { self.device.device.create_sampler(&info, None) }.named("vkCreateSampler")?;
        Ok(self.keep(made, Handle::Sampler))
    }

    /// Puts an object of the job on the device.
    /// `before` are the objects before it.
    pub(super) fn place(
        &mut self,
        object: &Object,
        before: &[Resident],
    ) -> Result<Resident, Error> {
        Ok(match object {
            Object::Addresses { of, then } => {
                let mut contents = Vec::new();
                for &at in of {
                    let address = match before.get(at) {
                        Some(Resident::Buffer(buffer)) => {
                            super::rays::address(self.device, *buffer)?
                        }
                        Some(Resident::Scene(scene)) => {
                            super::rays::reference(self.device, *scene)?
                        }
                        _ => 0,
                    };
                    contents.extend(address.to_le_bytes());
                }
                contents.extend(then);
                Resident::Buffer(self.buffer(&contents)?)
            }
            Object::Buffer(contents) => Resident::Buffer(self.buffer(contents)?),
            Object::Image(image) => {
                Resident::Texture(self.texture(image, vk::ImageUsageFlags::empty())?)
            }
            Object::Sampler(sampler) => Resident::Sampler(self.sampler(sampler)?),
            Object::Scene(scene) => Resident::Scene(super::rays::scene(self, scene)?),
        })
    }
}

/// Returns the aspect of a format: depth or colour.
pub(super) fn aspect(format: vk::Format) -> vk::ImageAspectFlags {
    if format == vk::Format::D32_SFLOAT {
        vk::ImageAspectFlags::DEPTH
    } else {
        vk::ImageAspectFlags::COLOR
    }
}
