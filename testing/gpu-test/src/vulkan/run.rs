//! One run: contents up, the work, contents down.
#![allow(
    unsafe_code,
    reason = "commands are recorded by calls that the compiler cannot check"
)]

use ash::vk;

use super::device::Device;
use super::memory::{Buffer, Handle, Resident, Scope, Texture, aspect};
use super::multisample::Direction;
use super::setup::{Pipeline, pipeline};
use super::{
    Draw, Error, Image, Job, Named, Object, Push, Results, View, Work, multisample, rays,
    texel_size,
};

/// Seconds after which a shader counts as endless.
const LIMIT: u64 = 60;

impl Device {
    /// Runs a job and waits for its end.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the device lacks something; [`Error::Timeout`] if the shader does
    /// not end (the device must not be used again); Vulkan's errors.
    pub fn run(&self, job: &Job) -> Result<Results, Error> {
        if self.lost.get() {
            return Err(Error::Job(
                "the device is busy with a shader that does not end".to_owned(),
            ));
        }
        let _ = self.take_messages();
        let mut scope = Scope::new(self);
        let results = execute(&mut scope, job);
        drop(scope);
        let messages = self.take_messages();
        match results {
            Ok(results) => Ok(Results {
                messages,
                ..results
            }),
            // The layer's messages explain why a call failed.
            Err(Error::Call { call, result }) if !messages.is_empty() => Err(Error::Job(format!(
                "{call}: {result}: {}",
                messages.join("; ")
            ))),
            Err(error) => Err(error),
        }
    }
}

/// Targets of a draw.
struct Targets {
    colors: Vec<(Image, Texture, vk::ImageView)>,
    depth: Option<(Image, Texture, vk::ImageView)>,
    vertices: Buffer,
    /// Buffers of transform feedback, each with its counter buffer.
    captured: Vec<(Buffer, Buffer)>,
}

fn execute(scope: &mut Scope<'_>, job: &Job) -> Result<Results, Error> {
    if let Some(wave) = job.wave_size
        && !(scope.device.features.wave[0]..=scope.device.features.wave[1]).contains(&wave)
    {
        return Err(Error::Unsupported(format!("waves of {wave} lanes")));
    }
    let mut residents = Vec::with_capacity(job.objects.len());
    for object in &job.objects {
        residents.push(scope.place(object, &residents)?);
    }
    let targets = match &job.work {
        Work::Dispatch(_) | Work::Rays(_) | Work::Node(_) => None,
        Work::Draw(draw) => Some(targets(scope, draw)?),
    };
    let pipeline = pipeline(scope, job, &residents)?;
    let table = match &job.work {
        Work::Rays(rays) => Some(rays::table(scope, &pipeline, &rays.table)?),
        Work::Dispatch(_) | Work::Draw(_) | Work::Node(_) => None,
    };
    let commands = begin(scope)?;
    let images: Vec<(&Image, Texture)> = job
        .objects
        .iter()
        .zip(&residents)
        .filter_map(texture_of)
        .collect();
    for &(image, texture) in &images {
        to_general(scope, commands, image, texture);
        copy(scope, commands, (image, texture), Direction::Fill)?;
    }
    barrier(scope, commands);
    match (&job.work, &targets) {
        (Work::Draw(draw), Some(targets)) => {
            record_draw(scope, commands, &pipeline, draw, targets)?;
        }
        (Work::Dispatch(groups), _) => record_dispatch(scope, commands, &pipeline, *groups),
        (Work::Node(node), _) => {
            push(scope, commands, &pipeline, &node.push, &residents)?;
            record_dispatch(scope, commands, &pipeline, node.groups);
        }
        (Work::Rays(work), _) => {
            bind(
                scope,
                commands,
                &pipeline,
                vk::PipelineBindPoint::RAY_TRACING_KHR,
            );
            rays::record(scope, commands, table.as_ref(), work.size);
        }
        (Work::Draw(_), None) => {}
    }
    barrier(scope, commands);
    let drawn = targets
        .iter()
        .flat_map(|t| t.colors.iter().chain(&t.depth))
        .map(|(image, texture, _)| (image, *texture));
    for texture in images.iter().copied().chain(drawn) {
        copy(scope, commands, texture, Direction::Fetch)?;
    }
    barrier(scope, commands);
    submit(scope, commands)?;
    results(scope, job, &residents, targets.as_ref())
}

fn texture_of<'a>((object, resident): (&'a Object, &Resident)) -> Option<(&'a Image, Texture)> {
    match (object, resident) {
        (Object::Image(image), Resident::Texture(texture)) => Some((image, *texture)),
        _ => None,
    }
}

fn targets(scope: &mut Scope<'_>, draw: &Draw) -> Result<Targets, Error> {
    let shape = if draw.layers > 1 {
        vk::ImageViewType::TYPE_2D_ARRAY
    } else {
        vk::ImageViewType::TYPE_2D
    };
    let mut target = |format: vk::Format, usage| {
        let texels = [draw.size[0], draw.size[1], draw.layers, draw.samples]
            .iter()
            .map(|&n| n as usize)
            .product::<usize>();
        let bytes = texels
            * texel_size(format)
                .ok_or_else(|| Error::Job(format!("targets of {format:?} are not known")))?;
        let extent = [draw.size[0], draw.size[1], 1];
        let data = vec![0; bytes];
        let image = Image {
            dimension: vk::ImageType::TYPE_2D,
            format,
            extent,
            mips: 1,
            layers: draw.layers,
            samples: draw.samples,
            cube: false,
            data,
        };
        let texture = scope.texture(&image, usage)?;
        let view = scope.image_view(
            texture,
            &image,
            View {
                shape,
                mips: (0, 1),
            },
        )?;
        Ok::<_, Error>((image, texture, view))
    };
    let colors = draw
        .targets
        .iter()
        .map(|format| target(*format, vk::ImageUsageFlags::COLOR_ATTACHMENT))
        .collect::<Result<_, _>>()?;
    let depth = if draw.depth {
        Some(target(
            vk::Format::D32_SFLOAT,
            vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        )?)
    } else {
        None
    };
    let vertices = scope.buffer(&draw.vertices)?;
    let captured = draw
        .capture
        .iter()
        .map(|&size| {
            Ok((
                scope.buffer(&vec![0; size as usize])?,
                scope.buffer(&[0; 4])?,
            ))
        })
        .collect::<Result<_, Error>>()?;
    Ok(Targets {
        colors,
        depth,
        vertices,
        captured,
    })
}

pub(super) fn begin(scope: &mut Scope<'_>) -> Result<vk::CommandBuffer, Error> {
    let device = &scope.device.device;
    let info = vk::CommandPoolCreateInfo::default().queue_family_index(scope.device.family);
    // SAFETY: the device is alive, and has queues of the family.
    let pool = unsafe { device.create_command_pool(&info, None) }.named("vkCreateCommandPool")?;
    scope.keep(pool, Handle::CommandPool);
    let info = vk::CommandBufferAllocateInfo::default()
        .command_pool(pool)
        .command_buffer_count(1);
    // SAFETY: the pool is of this device and is used by this thread only.
    let commands =
        unsafe { device.allocate_command_buffers(&info) }.named("vkAllocateCommandBuffers")?[0];
    // SAFETY: the command buffer was just allocated.
    unsafe { device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default()) }
        .named("vkBeginCommandBuffer")?;
    Ok(commands)
}

/// Everything before is done and seen by everything after.
pub(super) fn barrier(scope: &Scope<'_>, commands: vk::CommandBuffer) {
    let all = vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE;
    let stages = vk::PipelineStageFlags2::ALL_COMMANDS;
    let memory = [vk::MemoryBarrier2::default()
        .src_stage_mask(stages)
        .src_access_mask(all)
        .dst_stage_mask(stages | vk::PipelineStageFlags2::HOST)
        .dst_access_mask(all)];
    let info = vk::DependencyInfo::default().memory_barriers(&memory);
    // SAFETY: the commands are being recorded, outside of rendering.
    unsafe { scope.device.device.cmd_pipeline_barrier2(commands, &info) };
}

/// Moves an image to the layout in which it stays.
fn to_general(scope: &Scope<'_>, commands: vk::CommandBuffer, image: &Image, texture: Texture) {
    let range = vk::ImageSubresourceRange::default()
        .aspect_mask(aspect(image.format))
        .level_count(image.mips)
        .layer_count(image.layers);
    let all = vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE;
    let stages = vk::PipelineStageFlags2::ALL_COMMANDS;
    let barriers = [vk::ImageMemoryBarrier2::default()
        .image(texture.image)
        .new_layout(vk::ImageLayout::GENERAL)
        .src_stage_mask(stages)
        .dst_stage_mask(stages)
        .dst_access_mask(all)
        .subresource_range(range)];
    let info = vk::DependencyInfo::default().image_memory_barriers(&barriers);
    // SAFETY: the commands are being recorded, outside of rendering; the image is of this device
    // and has the levels and layers.
    unsafe { scope.device.device.cmd_pipeline_barrier2(commands, &info) };
}

/// Returns the regions of an image's subresources in its data: by layer, in it by mip level.
fn regions(image: &Image) -> Vec<vk::BufferImageCopy> {
    let mut offset = 0;
    let mut list = Vec::new();
    for layer in 0..image.layers {
        for mip in 0..image.mips {
            let [width, height, depth] = image.extent.map(|n| (n >> mip).max(1));
            let layers = vk::ImageSubresourceLayers::default()
                .aspect_mask(aspect(image.format))
                .mip_level(mip)
                .base_array_layer(layer)
                .layer_count(1);
            list.push(
                vk::BufferImageCopy::default()
                    .buffer_offset(offset)
                    .image_subresource(layers)
                    .image_extent(vk::Extent3D {
                        width,
                        height,
                        depth,
                    }),
            );
            offset += u64::from(width)
                * u64::from(height)
                * u64::from(depth)
                * texel_size(image.format).unwrap_or(0) as u64;
        }
    }
    list
}

/// Copies an image from its staging buffer, or to it.
fn copy(
    scope: &mut Scope<'_>,
    commands: vk::CommandBuffer,
    (image, texture): (&Image, Texture),
    direction: Direction,
) -> Result<(), Error> {
    if image.samples > 1 {
        return multisample::record(scope, commands, (image, texture), direction);
    }
    let device = &scope.device.device;
    let (buffer, regions) = (texture.staging.buffer, regions(image));
    let (image, layout) = (texture.image, vk::ImageLayout::GENERAL);
    // SAFETY: the commands are being recorded; the image is in the layout, and the regions are
    // inside the image and its staging buffer.
    unsafe {
        match direction {
            Direction::Fill => {
                device.cmd_copy_buffer_to_image(commands, buffer, image, layout, &regions);
            }
            Direction::Fetch => {
                device.cmd_copy_image_to_buffer(commands, image, layout, buffer, &regions);
            }
        }
    }
    Ok(())
}

fn bind(
    scope: &Scope<'_>,
    commands: vk::CommandBuffer,
    pipeline: &Pipeline,
    point: vk::PipelineBindPoint,
) {
    // SAFETY: the commands are being recorded, the pipeline is for this bind point, and the sets
    // were made with its layout; all are kept until the end of the run.
    unsafe {
        scope
            .device
            .device
            .cmd_bind_pipeline(commands, point, pipeline.pipeline);
        if !pipeline.sets.is_empty() {
            scope.device.device.cmd_bind_descriptor_sets(
                commands,
                point,
                pipeline.layout,
                0,
                &pipeline.sets,
                &[],
            );
        }
    }
}

pub(super) fn record_dispatch(
    scope: &Scope<'_>,
    commands: vk::CommandBuffer,
    pipeline: &Pipeline,
    [x, y, z]: [u32; 3],
) {
    bind(scope, commands, pipeline, vk::PipelineBindPoint::COMPUTE);
    // SAFETY: the commands are being recorded, and a compute pipeline is bound.
    unsafe { scope.device.device.cmd_dispatch(commands, x, y, z) };
}

/// Sets the push constants of a node.
fn push(
    scope: &Scope<'_>,
    commands: vk::CommandBuffer,
    pipeline: &Pipeline,
    constants: &[Push],
    residents: &[Resident],
) -> Result<(), Error> {
    let mut bytes = Vec::with_capacity(constants.len() * 8);
    for constant in constants {
        match *constant {
            Push::Words([low, high]) => {
                bytes.extend(low.to_le_bytes());
                bytes.extend(high.to_le_bytes());
            }
            Push::Address { object, offset } => {
                let Some(Resident::Buffer(buffer)) = residents.get(object) else {
                    return Err(Error::Job(format!("the address of object {object}")));
                };
                let address = rays::address(scope.device, *buffer)? + offset;
                bytes.extend(address.to_le_bytes());
            }
        }
    }
    if bytes.is_empty() {
        return Ok(());
    }
    // SAFETY: the commands are being recorded, and the layout has a range of this size.
    unsafe {
        scope.device.device.cmd_push_constants(
            commands,
            pipeline.layout,
            vk::ShaderStageFlags::COMPUTE,
            0,
            &bytes,
        );
    }
    Ok(())
}

/// The buffers of transform feedback as Vulkan takes them: lists of one length.
struct Captured {
    buffers: Vec<vk::Buffer>,
    counters: Vec<vk::Buffer>,
    sizes: Vec<u64>,
    /// The offset of each buffer's first byte: 0.
    starts: Vec<u64>,
}

impl Captured {
    fn new(targets: &Targets) -> Self {
        let list = &targets.captured;
        Self {
            buffers: list.iter().map(|(buffer, _)| buffer.buffer).collect(),
            counters: list.iter().map(|(_, counter)| counter.buffer).collect(),
            sizes: list.iter().map(|(buffer, _)| buffer.size).collect(),
            starts: vec![0; list.len()],
        }
    }

    fn count(&self) -> u32 {
        self.buffers.len() as u32
    }
}

/// Returns the colour attachments and the depth attachment of a draw, each cleared first.
fn attachments(
    targets: &Targets,
) -> (
    Vec<vk::RenderingAttachmentInfo<'static>>,
    Option<vk::RenderingAttachmentInfo<'static>>,
) {
    let attachment = |view: vk::ImageView, clear| {
        vk::RenderingAttachmentInfo::default()
            .image_view(view)
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear)
    };
    let colors: Vec<_> = targets
        .colors
        .iter()
        .map(|(_, _, view)| attachment(*view, vk::ClearValue::default()))
        .collect();
    let cleared = vk::ClearValue {
        depth_stencil: vk::ClearDepthStencilValue {
            depth: 1.0,
            stencil: 0,
        },
    };
    let depth = targets
        .depth
        .as_ref()
        .map(|(_, _, view)| attachment(*view, cleared));
    (colors, depth)
}

fn record_draw(
    scope: &Scope<'_>,
    commands: vk::CommandBuffer,
    pipeline: &Pipeline,
    draw: &Draw,
    targets: &Targets,
) -> Result<(), Error> {
    for (image, texture, _) in targets.colors.iter().chain(&targets.depth) {
        to_general(scope, commands, image, *texture);
    }
    bind(scope, commands, pipeline, vk::PipelineBindPoint::GRAPHICS);
    let feedback = match (draw.capture.is_empty(), &scope.device.feedback) {
        (true, _) => None,
        (false, None) => return Err(Error::Unsupported("VK_EXT_transform_feedback".to_owned())),
        (false, Some(feedback)) => Some(feedback.fp()),
    };
    if draw.groups.is_some() && scope.device.mesh.is_none() {
        return Err(Error::Unsupported("VK_EXT_mesh_shader".to_owned()));
    }
    let (colors, depth) = attachments(targets);
    let area = vk::Rect2D {
        offset: vk::Offset2D::default(),
        extent: vk::Extent2D {
            width: draw.size[0],
            height: draw.size[1],
        },
    };
    let mut info = vk::RenderingInfo::default()
        .render_area(area)
        .layer_count(draw.layers)
        .color_attachments(&colors);
    if let Some(depth) = &depth {
        info = info.depth_attachment(depth);
    }
    let captured = Captured::new(targets);
    let device = &scope.device.device;
    // SAFETY: the commands are being recorded and the pipeline is bound; buffers and views are kept
    // until the end of the run; the lists of `captured` have `count` elements each, and the
    // functions of an extension exist only if it is enabled.
    unsafe {
        device.cmd_bind_vertex_buffers(commands, 0, &[targets.vertices.buffer], &[0]);
        device.cmd_begin_rendering(commands, &info);
        if let Some(functions) = feedback {
            (functions.cmd_bind_transform_feedback_buffers_ext)(
                commands,
                0,
                captured.count(),
                captured.buffers.as_ptr(),
                captured.starts.as_ptr(),
                captured.sizes.as_ptr(),
            );
            (functions.cmd_begin_transform_feedback_ext)(
                commands,
                0,
                0,
                std::ptr::null(),
                std::ptr::null(),
            );
        }
        match (draw.groups, &scope.device.mesh) {
            (Some([x, y, z]), Some(functions)) => functions.cmd_draw_mesh_tasks(commands, x, y, z),
            _ => device.cmd_draw(
                commands,
                draw.count[0],
                draw.count[1],
                draw.first[0],
                draw.first[1],
            ),
        }
        if let Some(functions) = feedback {
            (functions.cmd_end_transform_feedback_ext)(
                commands,
                0,
                captured.count(),
                captured.counters.as_ptr(),
                captured.starts.as_ptr(),
            );
        }
        device.cmd_end_rendering(commands);
    }
    Ok(())
}

pub(super) fn submit(scope: &mut Scope<'_>, commands: vk::CommandBuffer) -> Result<(), Error> {
    let device = &scope.device.device;
    // SAFETY: the commands are being recorded.
    unsafe { device.end_command_buffer(commands) }.named("vkEndCommandBuffer")?;
    // SAFETY: the device is alive.
    let fence = unsafe { device.create_fence(&vk::FenceCreateInfo::default(), None) }
        .named("vkCreateFence")?;
    scope.keep(fence, Handle::Fence);
    let list = [commands];
    let info = [vk::SubmitInfo::default().command_buffers(&list)];
    // SAFETY: the queue belongs to this thread, the fence is unsignalled, and all that the commands
    // use is kept until the fence is signalled, or for ever if it is not.
    unsafe { device.queue_submit(scope.device.queue, &info, fence) }.named("vkQueueSubmit")?;
    // SAFETY: the fence is of this device.
    let waited = unsafe { device.wait_for_fences(&[fence], true, LIMIT * 1_000_000_000) };
    match waited {
        Ok(()) => Ok(()),
        Err(result) => {
            // Objects that the device still uses must not be freed.
            scope.device.lost.set(true);
            Err(if result == vk::Result::TIMEOUT {
                Error::Timeout(LIMIT)
            } else {
                Error::Call {
                    call: "vkWaitForFences",
                    result,
                }
            })
        }
    }
}

fn results(
    scope: &Scope<'_>,
    job: &Job,
    residents: &[Resident],
    targets: Option<&Targets>,
) -> Result<Results, Error> {
    let read = |image: &Image, texture: &Texture| scope.read(texture.staging, image.data.len());
    let mut results = Results::default();
    for (object, resident) in job.objects.iter().zip(residents) {
        results.objects.push(match (object, resident) {
            (Object::Buffer(contents), Resident::Buffer(buffer)) => {
                scope.read(*buffer, contents.len())?
            }
            (Object::Image(image), Resident::Texture(texture)) => read(image, texture)?,
            _ => Vec::new(),
        });
    }
    if let (Some(targets), Work::Draw(draw)) = (targets, &job.work) {
        results.targets = targets
            .colors
            .iter()
            .map(|(image, texture, _)| read(image, texture))
            .collect::<Result<_, _>>()?;
        if let Some((image, texture, _)) = &targets.depth {
            results.depth = read(image, texture)?;
        }
        for ((buffer, counter), &limit) in targets.captured.iter().zip(&draw.capture) {
            let written = scope
                .read(*counter, 4)?
                .first_chunk()
                .map_or(0, |word| u64::from(u32::from_le_bytes(*word)));
            results
                .captured
                .push(scope.read(*buffer, written.min(limit) as usize)?);
        }
    }
    Ok(results)
}
