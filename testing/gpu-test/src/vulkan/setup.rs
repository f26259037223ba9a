//! Descriptor sets and pipelines of a run.
#![allow(
    unsafe_code,
    reason = "Vulkan's objects are made by calls that the compiler cannot check"
)]

use std::ffi::CString;

use ash::vk;

use super::memory::{Handle, Resident, Scope};
use super::{Binding, Draw, Element, Error, Job, Named, Object, StageCode, Work};

/// A pipeline with all that is bound with it.
pub(super) struct Pipeline {
    pub(super) pipeline: vk::Pipeline,
    pub(super) layout: vk::PipelineLayout,
    pub(super) sets: Vec<vk::DescriptorSet>,
}

/// Makes the pipeline of the job and its descriptor sets.
pub(super) fn pipeline(
    scope: &mut Scope<'_>,
    job: &Job,
    residents: &[Resident],
) -> Result<Pipeline, Error> {
    let layouts = set_layouts(scope, &job.bindings)?;
    let pushed = match &job.work {
        Work::Node(node) => node.push.len() as u32 * 8,
        Work::Dispatch(_) | Work::Draw(_) | Work::Rays(_) => 0,
    };
    let layout = layout(scope, &layouts, vk::ShaderStageFlags::COMPUTE, pushed)?;
    let sets = descriptor_sets(scope, job, &layouts, residents)?;
    let names = job
        .stages
        .iter()
        .map(|s| CString::new(s.entry.as_str()).map_err(|e| Error::Job(e.to_string())))
        .collect::<Result<Vec<_>, _>>()?;
    let modules = job
        .stages
        .iter()
        .map(|stage| module(scope, stage))
        .collect::<Result<Vec<_>, _>>()?;
    let mut sizes: Vec<_> = job
        .stages
        .iter()
        .map(|_| {
            vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
                .required_subgroup_size(job.wave_size.unwrap_or(0))
        })
        .collect();
    let constants: &[(u32, u32)] = match &job.work {
        Work::Draw(draw) => &draw.constants,
        Work::Node(node) => &node.constants,
        Work::Dispatch(_) | Work::Rays(_) => &[],
    };
    let entry = |(index, (id, _)): (usize, &(u32, u32))| {
        vk::SpecializationMapEntry::default()
            .constant_id(*id)
            .offset(index as u32 * 4)
            .size(4)
    };
    let entries: Vec<_> = constants.iter().enumerate().map(entry).collect();
    let values: Vec<u8> = constants
        .iter()
        .flat_map(|(_, value)| value.to_le_bytes())
        .collect();
    let special = vk::SpecializationInfo::default()
        .map_entries(&entries)
        .data(&values);
    let stages: Vec<_> = job
        .stages
        .iter()
        .zip(&modules)
        .zip(&names)
        .zip(&mut sizes)
        .map(|(((stage, module), name), size)| {
            let info = vk::PipelineShaderStageCreateInfo::default()
                .stage(stage.stage)
                .module(*module)
                .name(name)
                .specialization_info(&special);
            let wanted =
                job.wave_size.is_some() && scope.device.features.wave_stages.contains(stage.stage);
            if wanted { info.push_next(size) } else { info }
        })
        .collect();
    let pipeline = match &job.work {
        Work::Dispatch(_) | Work::Node(_) => {
            compute(scope, layout, &stages, vk::PipelineCreateFlags::empty())?
        }
        Work::Draw(draw) => graphics(scope, layout, &stages, draw)?,
        Work::Rays(rays) => super::rays::pipeline(scope, layout, &stages, rays)?,
    };
    scope.keep(pipeline, Handle::Pipeline);
    Ok(Pipeline {
        pipeline,
        layout,
        sets,
    })
}

/// Makes a pipeline layout; `pushed` are bytes of push constants.
pub(super) fn layout(
    scope: &mut Scope<'_>,
    sets: &[vk::DescriptorSetLayout],
    stages: vk::ShaderStageFlags,
    pushed: u32,
) -> Result<vk::PipelineLayout, Error> {
    let ranges = [vk::PushConstantRange::default()
        .stage_flags(stages)
        .size(pushed)];
    let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(sets);
    if pushed > 0 {
        info = info.push_constant_ranges(&ranges);
    }
    // SAFETY: the set layouts are of this device; the structures live until the call returns.
    let layout = unsafe { scope.device.device.create_pipeline_layout(&info, None) }
        .named("vkCreatePipelineLayout")?;
    Ok(scope.keep(layout, Handle::PipelineLayout))
}

pub(super) fn module(scope: &mut Scope<'_>, stage: &StageCode) -> Result<vk::ShaderModule, Error> {
    let info = vk::ShaderModuleCreateInfo::default().code(&stage.words);
    // SAFETY: the module has passed a validator (Vulkan leaves the effect of others undefined), and
    // the words live until the call returns.
    let module = unsafe { scope.device.device.create_shader_module(&info, None) }
        .named("vkCreateShaderModule")?;
    Ok(scope.keep(module, Handle::Module))
}

pub(super) fn set_layouts(
    scope: &mut Scope<'_>,
    bindings: &[Binding],
) -> Result<Vec<vk::DescriptorSetLayout>, Error> {
    let count = bindings.iter().map(|b| b.set + 1).max().unwrap_or(0);
    if count > 32 {
        return Err(Error::Unsupported(format!("{count} descriptor sets")));
    }
    (0..count)
        .map(|set| {
            let of_set: Vec<&Binding> = bindings.iter().filter(|b| b.set == set).collect();
            let list: Vec<_> = of_set
                .iter()
                .map(|b| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(b.binding)
                        .descriptor_type(b.ty)
                        .descriptor_count(b.elements.len() as u32)
                        .stage_flags(vk::ShaderStageFlags::ALL)
                })
                .collect();
            let flags: Vec<_> = of_set
                .iter()
                .map(|b| {
                    if b.elements.iter().any(Option::is_none) {
                        vk::DescriptorBindingFlags::PARTIALLY_BOUND
                    } else {
                        vk::DescriptorBindingFlags::empty()
                    }
                })
                .collect();
            let mut flags =
                vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
            // The others have empty lists
            // (VUID-VkMutableDescriptorTypeListEXT-descriptorTypeCount-04599).
            let types = |b: &&Binding| {
                if b.ty == vk::DescriptorType::MUTABLE_EXT {
                    &MUTABLE[..]
                } else {
                    &[]
                }
            };
            let mut lists: Vec<_> = of_set
                .iter()
                .map(|b| vk::MutableDescriptorTypeListEXT::default().descriptor_types(types(b)))
                .collect();
            // Validation layer 1.3.239 looks for the list of a binding by its number instead of its
            // place, and Vulkan ignores lists that belong to no binding.
            if let Some(heap) = of_set
                .iter()
                .rposition(|b| b.ty == vk::DescriptorType::MUTABLE_EXT)
            {
                let (number, list) = (of_set[heap].binding as usize, lists[heap]);
                lists.resize(lists.len().max(number + 1).min(1 << 16), list);
            }
            let mut mutable = vk::MutableDescriptorTypeCreateInfoEXT::default()
                .mutable_descriptor_type_lists(&lists);
            let mut info = vk::DescriptorSetLayoutCreateInfo::default()
                .bindings(&list)
                .push_next(&mut flags);
            if of_set
                .iter()
                .any(|b| b.ty == vk::DescriptorType::MUTABLE_EXT)
            {
                info = info.push_next(&mut mutable);
            }
            // SAFETY: the lists of flags and types have an element for each binding, and live until
            // the call returns.
            let layout = unsafe {
                scope
                    .device
                    .device
                    .create_descriptor_set_layout(&info, None)
            }
            .named("vkCreateDescriptorSetLayout")?;
            Ok(scope.keep(layout, Handle::SetLayout))
        })
        .collect()
}

/// The types that a descriptor of a heap may have.
const MUTABLE: [vk::DescriptorType; 6] = [
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
    vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::STORAGE_BUFFER,
];

fn descriptor_sets(
    scope: &mut Scope<'_>,
    job: &Job,
    layouts: &[vk::DescriptorSetLayout],
    residents: &[Resident],
) -> Result<Vec<vk::DescriptorSet>, Error> {
    if layouts.is_empty() {
        return Ok(Vec::new());
    }
    let sizes: Vec<_> = job
        .bindings
        .iter()
        .map(|b| {
            vk::DescriptorPoolSize::default()
                .ty(b.ty)
                .descriptor_count((b.elements.len() as u32).max(1))
        })
        .collect();
    let info = vk::DescriptorPoolCreateInfo::default()
        .max_sets(layouts.len() as u32)
        .pool_sizes(&sizes);
    // SAFETY: the device is alive; the structures live until the call returns.
    let pool = unsafe { scope.device.device.create_descriptor_pool(&info, None) }
        .named("vkCreateDescriptorPool")?;
    scope.keep(pool, Handle::DescriptorPool);
    let info = vk::DescriptorSetAllocateInfo::default()
        .descriptor_pool(pool)
        .set_layouts(layouts);
    // SAFETY: the pool and the layouts are of this device, and the pool is large enough.
    let sets = unsafe { scope.device.device.allocate_descriptor_sets(&info) }
        .named("vkAllocateDescriptorSets")?;
    for binding in &job.bindings {
        for (index, element) in binding.elements.iter().enumerate() {
            if let Some(element) = element {
                write(
                    scope,
                    job,
                    residents,
                    (sets[binding.set as usize], binding, index as u32),
                    element,
                )?;
            }
        }
    }
    Ok(sets)
}

fn write(
    scope: &mut Scope<'_>,
    job: &Job,
    residents: &[Resident],
    (set, binding, index): (vk::DescriptorSet, &Binding, u32),
    element: &Element,
) -> Result<(), Error> {
    use vk::DescriptorType as T;
    let missing = || {
        Error::Job(format!(
            "set {}, binding {}: the bound object does not match the descriptor",
            binding.set, binding.binding
        ))
    };
    let object = job.objects.get(element.object).ok_or_else(missing)?;
    let resident = *residents.get(element.object).ok_or_else(missing)?;
    let (mut images, mut buffers, mut views, mut structures) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let ty = match (element.ty.unwrap_or(binding.ty), resident, object) {
        (ty @ (T::UNIFORM_BUFFER | T::STORAGE_BUFFER), Resident::Buffer(b), _) => {
            buffers.push(
                vk::DescriptorBufferInfo::default()
                    .buffer(b.buffer)
                    .range(vk::WHOLE_SIZE),
            );
            ty
        }
        (
            ty @ (T::UNIFORM_TEXEL_BUFFER | T::STORAGE_TEXEL_BUFFER),
            Resident::Buffer(b),
            Object::Buffer(contents),
        ) => {
            views.push(scope.buffer_view(b, element.format, contents.len())?);
            ty
        }
        (
            ty @ (T::SAMPLED_IMAGE | T::STORAGE_IMAGE),
            Resident::Texture(texture),
            Object::Image(image),
        ) => {
            let view = scope.image_view(texture, image, element.view.ok_or_else(missing)?)?;
            images.push(
                vk::DescriptorImageInfo::default()
                    .image_view(view)
                    .image_layout(vk::ImageLayout::GENERAL),
            );
            ty
        }
        (ty @ T::ACCELERATION_STRUCTURE_KHR, Resident::Scene(structure), _) => {
            structures.push(structure);
            ty
        }
        (T::SAMPLER, Resident::Sampler(sampler), _) => {
            images.push(vk::DescriptorImageInfo::default().sampler(sampler));
            T::SAMPLER
        }
        _ => return Err(missing()),
    };
    let mut write = vk::WriteDescriptorSet::default()
        .dst_set(set)
        .dst_binding(binding.binding)
        .dst_array_element(index)
        .descriptor_type(ty);
    write.descriptor_count = 1;
    let mut of_structures = vk::WriteDescriptorSetAccelerationStructureKHR::default()
        .acceleration_structures(&structures);
    if !structures.is_empty() {
        write = write.push_next(&mut of_structures);
    } else if !images.is_empty() {
        write = write.image_info(&images);
    } else if !buffers.is_empty() {
        write = write.buffer_info(&buffers);
    } else {
        write = write.texel_buffer_view(&views);
    }
    // SAFETY: the set is not in use yet, it has the binding and the array element, and the objects
    // are of this device and of the descriptor's type.
    unsafe { scope.device.device.update_descriptor_sets(&[write], &[]) };
    Ok(())
}

pub(super) fn compute(
    scope: &Scope<'_>,
    layout: vk::PipelineLayout,
    stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    flags: vk::PipelineCreateFlags,
) -> Result<vk::Pipeline, Error> {
    let [stage] = stages else {
        return Err(Error::Job("a dispatch has one shader".to_owned()));
    };
    let info = vk::ComputePipelineCreateInfo::default()
        .flags(flags)
        .layout(layout)
        .stage(*stage);
    let (device, cache) = (&scope.device.device, vk::PipelineCache::null());
    // SAFETY: module and layout are of this device; the structures live until the call returns.
    unsafe { device.create_compute_pipelines(cache, &[info], None) }
        .named("vkCreateComputePipelines")
}

/// Returns the viewports of a draw, side by side, and the scissor rectangle of each.
fn viewports(draw: &Draw) -> (Vec<vk::Viewport>, Vec<vk::Rect2D>) {
    let [width, height] = draw.size;
    let stripe = width / draw.viewports.max(1);
    // Direct3D's y points up, Vulkan's down.
    let viewport = |index: u32| vk::Viewport {
        x: (index * stripe) as f32,
        y: height as f32,
        width: stripe as f32,
        height: -(height as f32),
        min_depth: 0.0,
        max_depth: 1.0,
    };
    // Rasterization is clipped by the scissor rectangle, not by the viewport.
    let rectangle = |index: u32| vk::Rect2D {
        offset: vk::Offset2D {
            x: (index * stripe) as i32,
            y: 0,
        },
        extent: vk::Extent2D {
            width: stripe,
            height,
        },
    };
    let all = 0..draw.viewports;
    (
        all.clone().map(viewport).collect(),
        all.map(rectangle).collect(),
    )
}

fn graphics(
    scope: &Scope<'_>,
    layout: vk::PipelineLayout,
    stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    draw: &Draw,
) -> Result<vk::Pipeline, Error> {
    let bindings = [vk::VertexInputBindingDescription::default().stride(draw.stride)];
    let attributes: Vec<_> = draw
        .attributes
        .iter()
        .map(|a| {
            vk::VertexInputAttributeDescription::default()
                .location(a.location)
                .format(a.format)
                .offset(a.offset)
        })
        .collect();
    let mut input = vk::PipelineVertexInputStateCreateInfo::default();
    if !attributes.is_empty() {
        input = input
            .vertex_binding_descriptions(&bindings)
            .vertex_attribute_descriptions(&attributes);
    }
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(draw.topology);
    let (viewports, scissors) = viewports(draw);
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewports(&viewports)
        .scissors(&scissors);
    let discard = !stages
        .iter()
        .any(|stage| stage.stage == vk::ShaderStageFlags::FRAGMENT);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .line_width(1.0)
        .front_face(vk::FrontFace::CLOCKWISE)
        .rasterizer_discard_enable(discard);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(draw.samples));
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(draw.depth)
        .depth_write_enable(draw.depth)
        .depth_compare_op(vk::CompareOp::ALWAYS);
    let write_all = vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA);
    let blends = vec![write_all; draw.targets.len()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let depth_format = if draw.depth {
        vk::Format::D32_SFLOAT
    } else {
        vk::Format::UNDEFINED
    };
    let tessellation = vk::PipelineTessellationStateCreateInfo::default()
        .patch_control_points(draw.control_points);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&draw.targets)
        .depth_attachment_format(depth_format);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .layout(layout)
        .stages(stages)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .push_next(&mut rendering);
    let info = if draw.groups.is_none() {
        info.vertex_input_state(&input)
            .input_assembly_state(&assembly)
    } else {
        info
    };
    let info = if draw.control_points > 0 {
        info.tessellation_state(&tessellation)
    } else {
        info
    };
    let (device, cache) = (&scope.device.device, vk::PipelineCache::null());
    // SAFETY: modules and layout are of this device; the structures live until the call returns.
    unsafe { device.create_graphics_pipelines(cache, &[info], None) }
        .named("vkCreateGraphicsPipelines")
}
