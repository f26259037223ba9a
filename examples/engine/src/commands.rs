//! Recording of commands, with the calls of Direct3D 12: root parameters are set by their numbers.
#![allow(
    unsafe_code,
    reason = "Vulkan's commands are recorded by calls that the compiler cannot check"
)]

use std::marker::PhantomData;
use std::rc::Rc;

use ash::vk;
use trellis_dxil::bindings::RootParameterPlace;

use crate::device::Device;
use crate::error::{Error, Named as _};
use crate::memory::{Buffer, Image};
use crate::pipeline::{Pipeline, Table};

/// A list of commands. Everything that they use is borrowed until they have run.
pub struct Commands<'r> {
    device: Rc<Device>,
    pool: vk::CommandPool,
    raw: vk::CommandBuffer,
    fence: vk::Fence,
    /// Whether a function that [`render`](Self::render) was given is running.
    is_rendering: bool,
    resources: PhantomData<&'r ()>,
}

/// The images that draws write.
#[derive(Clone, Copy)]
pub struct Attachments<'r> {
    /// Color, which is not cleared: a draw covers it.
    pub color: Option<&'r Image>,
    /// Where the samples of a multisampled color are averaged to.
    pub resolve: Option<&'r Image>,
    /// Depth, which is cleared.
    pub depth: &'r Image,
}

impl<'r> Commands<'r> {
    /// Begins to record.
    ///
    /// # Errors
    /// Vulkan refuses.
    pub fn new(device: &Rc<Device>) -> Result<Self, Error> {
        let mut commands = Self {
            device: Rc::clone(device),
            pool: vk::CommandPool::null(),
            raw: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
            is_rendering: false,
            resources: PhantomData,
        };
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(device.queue_family);
        // SAFETY: the device has a queue of this family.
        commands.pool =
            unsafe { device.raw.create_command_pool(&info, None) }.named("vkCreateCommandPool")?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(commands.pool)
            .command_buffer_count(1);
        // SAFETY: the pool is of this device.
        let buffers = unsafe { device.raw.allocate_command_buffers(&info) };
        commands.raw = buffers.named("vkAllocateCommandBuffers")?[0];
        let info = vk::FenceCreateInfo::default();
        // SAFETY: the structure lives until the call returns.
        commands.fence = unsafe { device.raw.create_fence(&info, None) }.named("vkCreateFence")?;
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the command buffer is new.
        unsafe { device.raw.begin_command_buffer(commands.raw, &info) }
            .named("vkBeginCommandBuffer")?;
        Ok(commands)
    }

    /// Runs the commands and waits for their end.
    ///
    /// # Errors
    /// Vulkan refuses, or the commands did not end.
    pub fn submit(self) -> Result<(), Error> {
        let device = &self.device.raw;
        let buffers = [self.raw];
        let info = vk::SubmitInfo::default().command_buffers(&buffers);
        // SAFETY: the command buffer is being recorded, and its operands are borrowed until the end
        // of this function.
        unsafe {
            device
                .end_command_buffer(self.raw)
                .named("vkEndCommandBuffer")?;
            device
                .queue_submit(self.device.queue, &[info], self.fence)
                .named("vkQueueSubmit")?;
            device
                .wait_for_fences(&[self.fence], true, u64::MAX)
                .named("vkWaitForFences")
        }
    }

    /// Makes all earlier writes visible to later commands.
    pub fn barrier(&mut self) {
        let barriers = [memory_barrier()];
        let info = vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: the command buffer is being recorded.
        unsafe { self.device.raw.cmd_pipeline_barrier2(self.raw, &info) };
    }

    /// Brings an image into a layout, after everything before and before everything that follows.
    pub fn transition(&mut self, image: &'r Image, layout: vk::ImageLayout) {
        let old = image.layout.replace(layout);
        self.transition_level(image, (0, vk::REMAINING_MIP_LEVELS), old, layout);
    }

    fn transition_level(
        &mut self,
        image: &Image,
        (first, count): (u32, u32),
        old: vk::ImageLayout,
        new: vk::ImageLayout,
    ) {
        let all = memory_barrier();
        let barriers = [vk::ImageMemoryBarrier2::default()
            .src_stage_mask(all.src_stage_mask)
            .src_access_mask(all.src_access_mask)
            .dst_stage_mask(all.dst_stage_mask)
            .dst_access_mask(all.dst_access_mask)
            .old_layout(old)
            .new_layout(new)
            .image(image.raw)
            .subresource_range(
                vk::ImageSubresourceRange::default()
                    .aspect_mask(image.info.aspect())
                    .base_mip_level(first)
                    .level_count(count)
                    .layer_count(1),
            )];
        let info = vk::DependencyInfo::default().image_memory_barriers(&barriers);
        // SAFETY: the command buffer is being recorded; the image is borrowed until it has run, and is
        // in the old layout by then.
        unsafe { self.device.raw.cmd_pipeline_barrier2(self.raw, &info) };
    }

    /// Makes the smaller mip levels of an image from its first one, and leaves it to be sampled.
    pub fn make_mip_levels(&mut self, image: &'r Image) {
        use vk::ImageLayout as L;
        self.transition(image, L::TRANSFER_DST_OPTIMAL);
        let (dst, src) = (L::TRANSFER_DST_OPTIMAL, L::TRANSFER_SRC_OPTIMAL);
        let corner = |level: u32| {
            let side = |length: u32| (length >> level).max(1) as i32;
            vk::Offset3D {
                x: side(image.info.size[0]),
                y: side(image.info.size[1]),
                z: 1,
            }
        };
        let layers = |level| {
            vk::ImageSubresourceLayers::default()
                .aspect_mask(image.info.aspect())
                .mip_level(level)
                .layer_count(1)
        };
        for level in 1..image.info.levels {
            self.transition_level(image, (level - 1, 1), dst, src);
            let blit = vk::ImageBlit::default()
                .src_subresource(layers(level - 1))
                .src_offsets([vk::Offset3D::default(), corner(level - 1)])
                .dst_subresource(layers(level))
                .dst_offsets([vk::Offset3D::default(), corner(level)]);
            let filter = vk::Filter::LINEAR;
            // SAFETY: the command buffer is being recorded; the image has these levels, in these
            // layouts.
            unsafe {
                let device = &self.device.raw;
                device.cmd_blit_image(self.raw, image.raw, src, image.raw, dst, &[blit], filter);
            }
        }
        let last = image.info.levels - 1;
        self.transition_level(image, (last, 1), dst, src);
        image.layout.set(src);
        self.transition(image, L::SHADER_READ_ONLY_OPTIMAL);
    }

    /// Copies an image of four bytes for each texel to a buffer, rows without gaps.
    ///
    /// # Errors
    /// The buffer is too small.
    pub fn read_back(&mut self, image: &'r Image, buffer: &'r Buffer) -> Result<(), Error> {
        let [width, height] = image.info.size;
        if buffer.size() < 4 * width as usize * height as usize {
            return Err(Error::TooSmall);
        }
        self.transition(image, vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
        let layers = vk::ImageSubresourceLayers::default()
            .aspect_mask(image.info.aspect())
            .layer_count(1);
        let region = vk::BufferImageCopy::default()
            .image_subresource(layers)
            .image_extent(vk::Extent3D {
                width,
                height,
                depth: 1,
            });
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        // SAFETY: the command buffer is being recorded; the image is in the layout, and the buffer has
        // room for it.
        unsafe {
            let device = &self.device.raw;
            device.cmd_copy_image_to_buffer(self.raw, image.raw, layout, buffer.raw, &[region]);
        }
        self.barrier();
        Ok(())
    }

    /// Draws to images: calls `draws`, which binds pipelines.
    ///
    /// # Errors
    /// Those of `draws`.
    pub fn render(
        &mut self,
        attachments: Attachments<'r>,
        draws: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let color_layout = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
        let depth_layout = vk::ImageLayout::DEPTH_ATTACHMENT_OPTIMAL;
        for image in [attachments.color, attachments.resolve]
            .into_iter()
            .flatten()
        {
            self.transition(image, color_layout);
        }
        self.transition(attachments.depth, depth_layout);
        let color = attachments.color.map(|image| {
            let info = vk::RenderingAttachmentInfo::default()
                .image_view(image.view)
                .image_layout(color_layout)
                .load_op(vk::AttachmentLoadOp::DONT_CARE)
                .store_op(vk::AttachmentStoreOp::STORE);
            match attachments.resolve {
                None => info,
                Some(to) => info
                    .resolve_mode(vk::ResolveModeFlags::AVERAGE)
                    .resolve_image_view(to.view)
                    .resolve_image_layout(color_layout),
            }
        });
        let far = vk::ClearDepthStencilValue {
            depth: 1.0,
            stencil: 0,
        };
        let depth = vk::RenderingAttachmentInfo::default()
            .image_view(attachments.depth.view)
            .image_layout(depth_layout)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(vk::ClearValue { depth_stencil: far });
        let [width, height] = attachments.depth.info.size;
        let area = vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent: vk::Extent2D { width, height },
        };
        // Direct3D's y points up, Vulkan's down.
        let viewport = vk::Viewport {
            x: 0.0,
            y: height as f32,
            width: width as f32,
            height: -(height as f32),
            min_depth: 0.0,
            max_depth: 1.0,
        };
        let info = vk::RenderingInfo::default()
            .render_area(area)
            .layer_count(1)
            .color_attachments(color.as_slice())
            .depth_attachment(&depth);
        // SAFETY: the command buffer is being recorded; the images are in their layouts and are
        // borrowed until it has run.
        unsafe {
            self.device.raw.cmd_begin_rendering(self.raw, &info);
            self.device.raw.cmd_set_viewport(self.raw, 0, &[viewport]);
            self.device.raw.cmd_set_scissor(self.raw, 0, &[area]);
        }
        self.is_rendering = true;
        let result = draws(self);
        self.is_rendering = false;
        // SAFETY: rendering began above.
        unsafe { self.device.raw.cmd_end_rendering(self.raw) };
        result
    }

    /// Binds the indices of draws: 32-bit numbers.
    pub fn bind_indices(&mut self, buffer: &'r Buffer) {
        // SAFETY: the command buffer is being recorded; the buffer is borrowed until it has run.
        unsafe {
            let device = &self.device.raw;
            device.cmd_bind_index_buffer(self.raw, buffer.raw, 0, vk::IndexType::UINT32);
        }
    }

    /// Binds a pipeline. Its root parameters are set next, then come draws or dispatches.
    pub fn bind<'c>(&'c mut self, pipeline: &'r Pipeline) -> Bound<'c, 'r> {
        let point = pipeline.bind_point;
        // SAFETY: the command buffer is being recorded; the pipeline is borrowed until it has run.
        unsafe {
            let device = &self.device.raw;
            device.cmd_bind_pipeline(self.raw, point, pipeline.raw);
            if pipeline.root_set != vk::DescriptorSet::null() {
                let sets = [pipeline.root_set];
                device.cmd_bind_descriptor_sets(self.raw, point, pipeline.layout, 0, &sets, &[]);
            }
        }
        Bound {
            is_set: vec![false; pipeline.root.parameters.len()],
            commands: self,
            pipeline,
        }
    }
}

impl Drop for Commands<'_> {
    fn drop(&mut self) {
        let device = &self.device.raw;
        // SAFETY: the commands never ran or have ended, unless the device is lost.
        unsafe {
            device.destroy_fence(self.fence, None);
            device.destroy_command_pool(self.pool, None);
        }
    }
}

/// A pipeline that is bound.
pub struct Bound<'c, 'r> {
    commands: &'c mut Commands<'r>,
    pipeline: &'r Pipeline,
    is_set: Vec<bool>,
}

impl<'r> Bound<'_, 'r> {
    /// Sets root constants, from the first on (`SetGraphicsRoot32BitConstants`).
    ///
    /// # Errors
    /// The parameter does not have this number of constants.
    pub fn constants(&mut self, parameter: usize, values: &[u32]) -> Result<&mut Self, Error> {
        match self.place(parameter) {
            Some(RootParameterPlace::Constants { offset, count })
                if values.len() <= count as usize =>
            {
                let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                self.push(offset, &bytes);
                Ok(self.done(parameter))
            }
            _ => Err(self.wrong(parameter, "a parameter with this number of constants")),
        }
    }

    /// Sets a root descriptor (`SetGraphicsRootConstantBufferView` and others).
    ///
    /// # Errors
    /// The parameter is not a root descriptor.
    pub fn buffer(&mut self, parameter: usize, buffer: &'r Buffer) -> Result<&mut Self, Error> {
        match self.place(parameter) {
            Some(RootParameterPlace::Address { offset }) => {
                self.push(offset, &buffer.address().to_le_bytes());
                Ok(self.done(parameter))
            }
            _ => Err(self.wrong(parameter, "a root descriptor")),
        }
    }

    /// Sets a descriptor table (`SetGraphicsRootDescriptorTable`), which was made for this parameter of
    /// this pipeline.
    ///
    /// # Errors
    /// The parameter is not a descriptor table.
    pub fn table(&mut self, parameter: usize, table: &'r Table<'r>) -> Result<&mut Self, Error> {
        let Some(RootParameterPlace::Table { set }) = self.place(parameter) else {
            return Err(self.wrong(parameter, "a descriptor table"));
        };
        if table.layout != self.pipeline.set_layouts[set as usize] {
            return Err(self.wrong(parameter, "a table of another parameter"));
        }
        let (point, layout) = (self.pipeline.bind_point, self.pipeline.layout);
        let sets = [table.raw];
        // SAFETY: the command buffer is being recorded; the table is borrowed until it has run.
        unsafe {
            let device = &self.commands.device.raw;
            device.cmd_bind_descriptor_sets(self.commands.raw, point, layout, set, &sets, &[]);
        }
        Ok(self.done(parameter))
    }

    /// Runs thread groups of a compute shader.
    ///
    /// # Errors
    /// A root parameter was not set, or the pipeline is of the other kind.
    pub fn dispatch(&mut self, groups: [u32; 3]) -> Result<(), Error> {
        self.check(vk::PipelineBindPoint::COMPUTE)?;
        let [x, y, z] = groups;
        // SAFETY: the command buffer is being recorded, a compute pipeline and all that it uses is bound.
        unsafe {
            let device = &self.commands.device.raw;
            device.cmd_dispatch(self.commands.raw, x, y, z);
        }
        Ok(())
    }

    /// Draws vertices.
    ///
    /// # Errors
    /// A root parameter was not set, or the pipeline is of the other kind.
    pub fn draw(&mut self, vertices: u32) -> Result<(), Error> {
        self.check(vk::PipelineBindPoint::GRAPHICS)?;
        // SAFETY: as for dispatches.
        unsafe {
            let device = &self.commands.device.raw;
            device.cmd_draw(self.commands.raw, vertices, 1, 0, 0);
        }
        Ok(())
    }

    /// Draws a range of the indices that are bound, a number of times.
    ///
    /// # Errors
    /// A root parameter was not set, or the pipeline is of the other kind.
    pub fn draw_indexed(
        &mut self,
        indices: std::ops::Range<u32>,
        instances: u32,
    ) -> Result<(), Error> {
        self.check(vk::PipelineBindPoint::GRAPHICS)?;
        let (first, count) = (indices.start, indices.end - indices.start);
        // SAFETY: as for dispatches.
        unsafe {
            let device = &self.commands.device.raw;
            device.cmd_draw_indexed(self.commands.raw, count, instances, first, 0, 0);
        }
        Ok(())
    }

    fn place(&self, parameter: usize) -> Option<RootParameterPlace> {
        self.pipeline.root.parameters.get(parameter).copied()
    }

    fn push(&self, offset: u32, bytes: &[u8]) {
        let (layout, stages) = (self.pipeline.layout, self.pipeline.stages);
        // SAFETY: the command buffer is being recorded; the range is a root parameter's.
        unsafe {
            let device = &self.commands.device.raw;
            device.cmd_push_constants(self.commands.raw, layout, stages, offset, bytes);
        }
    }

    fn done(&mut self, parameter: usize) -> &mut Self {
        self.is_set[parameter] = true;
        self
    }

    fn wrong(&self, parameter: usize, given: &'static str) -> Error {
        Error::WrongParameter {
            pipeline: self.pipeline.name.clone(),
            parameter,
            given,
        }
    }

    fn check(&self, point: vk::PipelineBindPoint) -> Result<(), Error> {
        let draws = point == vk::PipelineBindPoint::GRAPHICS;
        if self.pipeline.bind_point != point || self.commands.is_rendering != draws {
            return Err(Error::WrongPlace(self.pipeline.name.clone()));
        }
        let missing = |(parameter, is_set): (usize, &bool)| {
            (!is_set && self.pipeline.root.is_used(parameter)).then_some(parameter)
        };
        match self.is_set.iter().enumerate().find_map(missing) {
            None => Ok(()),
            Some(parameter) => Err(Error::ParameterNotSet {
                pipeline: self.pipeline.name.clone(),
                parameter,
            }),
        }
    }
}

/// Returns a barrier between everything before and everything after: simple, and enough for a few
/// passes.
fn memory_barrier() -> vk::MemoryBarrier2<'static> {
    let access = vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE;
    vk::MemoryBarrier2::default()
        .src_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
        .src_access_mask(access)
        .dst_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
        .dst_access_mask(access)
}
