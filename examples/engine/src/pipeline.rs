//! Pipelines from DXIL, for any root signature.
//!
//! [`Pipeline::new`] is the whole way: the root signature in the first container gives the binding model
//! for the translation and the layout for Vulkan.
#![allow(
    unsafe_code,
    reason = "Vulkan's objects are made and destroyed by calls that the compiler cannot check"
)]

use std::ffi::CString;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use ash::vk;
use trellis_dxil::bindings::{RootParameterPlace, RootSignatureBindings};
use trellis_dxil::{Options, Output, ShaderKind, dxbc};

use crate::device::Device;
use crate::error::{Error, Named as _};
use crate::memory::Image;
use crate::root_layout::{RootLayout, Slot, sampler_info};

/// Settings of a graphics pipeline, apart from its shaders; the vertex shader reads its vertices from
/// buffers.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderState {
    /// Format of the color attachment, if there is one.
    pub color: Option<vk::Format>,
    /// Whether there is a depth attachment with a depth test.
    pub depth: bool,
    /// Whether the depth is pushed away a little, for shadow maps.
    pub depth_bias: bool,
    /// Number of samples of each pixel; 0 is 1.
    pub samples: u32,
}

/// A pipeline with its layout.
pub struct Pipeline {
    device: Rc<Device>,
    /// For messages.
    pub(crate) name: String,
    pub(crate) raw: vk::Pipeline,
    pub(crate) layout: vk::PipelineLayout,
    pub(crate) bind_point: vk::PipelineBindPoint,
    /// The stages of the push constants.
    pub(crate) stages: vk::ShaderStageFlags,
    pub(crate) root: RootLayout,
    /// Set 0, which has nothing but the static samplers; null without any.
    pub(crate) root_set: vk::DescriptorSet,
    pub(crate) set_layouts: Vec<vk::DescriptorSetLayout>,
    samplers: Vec<vk::Sampler>,
    root_pool: vk::DescriptorPool,
}

impl Pipeline {
    /// Translates shaders with the layout of their root signature, and makes a pipeline of them: of one
    /// compute shader, or of a vertex shader and perhaps a pixel shader.
    ///
    /// # Errors
    /// The containers are malformed or have no common root signature, or have something that the
    /// engine leaves out; or Vulkan refuses.
    pub fn new(
        device: &Rc<Device>,
        name: &str,
        containers: &[&[u8]],
        state: RenderState,
    ) -> Result<Self, Error> {
        let (layout, shaders) = translate(name, containers)?;
        let stages = shaders
            .iter()
            .map(|shader| stage(shader.stage))
            .fold(vk::ShaderStageFlags::empty(), |all, stage| all | stage);
        let root = RootLayout::new(&layout, stages)?;
        let mut pipeline = Self {
            device: Rc::clone(device),
            name: name.to_owned(),
            raw: vk::Pipeline::null(),
            layout: vk::PipelineLayout::null(),
            bind_point: if stages == vk::ShaderStageFlags::COMPUTE {
                vk::PipelineBindPoint::COMPUTE
            } else {
                vk::PipelineBindPoint::GRAPHICS
            },
            stages,
            root,
            root_set: vk::DescriptorSet::null(),
            set_layouts: Vec::new(),
            samplers: Vec::new(),
            root_pool: vk::DescriptorPool::null(),
        };
        pipeline.create_layout()?;
        pipeline.create(&shaders, state)?;
        Ok(pipeline)
    }

    /// Creates samplers, set layouts, the pipeline layout and set 0.
    fn create_layout(&mut self) -> Result<(), Error> {
        let device = Rc::clone(&self.device);
        for index in 0..self.root.sets.len() {
            let slots = self.root.sets[index].clone();
            let layout = self.create_set_layout(&slots)?;
            self.set_layouts.push(layout);
        }
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&self.set_layouts)
            .push_constant_ranges(self.root.push_constants.as_slice());
        // SAFETY: the set layouts are of this device; the structures live until the call returns.
        self.layout = unsafe { device.raw.create_pipeline_layout(&info, None) }
            .named("vkCreatePipelineLayout")?;
        // Immutable samplers need no writes, but a descriptor set.
        if !self.root.sets[0].is_empty() {
            let made = allocate_set(&device, self.set_layouts[0], &self.root.sets[0])?;
            (self.root_pool, self.root_set) = made;
        }
        Ok(())
    }

    fn create_set_layout(&mut self, slots: &[Slot]) -> Result<vk::DescriptorSetLayout, Error> {
        let device = Rc::clone(&self.device);
        // A sampler for each binding; those that are not static are null and not used.
        let mut samplers = vec![vk::Sampler::null(); slots.len()];
        for (slot, place) in slots.iter().zip(&mut samplers) {
            if let Some(sampler) = &slot.sampler {
                let info = sampler_info(sampler, device.max_anisotropy)?;
                // SAFETY: the structure lives until the call returns.
                *place =
                    unsafe { device.raw.create_sampler(&info, None) }.named("vkCreateSampler")?;
                self.samplers.push(*place);
            }
        }
        let binding = |(slot, sampler): (&Slot, _)| {
            let binding = vk::DescriptorSetLayoutBinding::default()
                .binding(slot.binding)
                .descriptor_type(slot.ty)
                .descriptor_count(slot.count)
                .stage_flags(slot.stages);
            if slot.sampler.is_some() {
                binding.immutable_samplers(std::slice::from_ref(sampler))
            } else {
                binding
            }
        };
        let bindings: Vec<_> = slots.iter().zip(&samplers).map(binding).collect();
        let flags = |slot: &Slot| {
            if slot.count > 1 {
                vk::DescriptorBindingFlags::PARTIALLY_BOUND
            } else {
                vk::DescriptorBindingFlags::empty()
            }
        };
        let flags: Vec<_> = slots.iter().map(flags).collect();
        let mut flags =
            vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
        let info = vk::DescriptorSetLayoutCreateInfo::default()
            .bindings(&bindings)
            .push_next(&mut flags);
        // SAFETY: there is one flag per binding; the structures live until the call returns.
        unsafe { device.raw.create_descriptor_set_layout(&info, None) }
            .named("vkCreateDescriptorSetLayout")
    }

    /// Creates the pipeline of the translated shaders.
    fn create(&mut self, shaders: &[Output], state: RenderState) -> Result<(), Error> {
        let device = &self.device.raw;
        let mut modules = Modules {
            device: &self.device,
            list: Vec::new(),
        };
        // An entry point's name comes from a string of the container and has no zero in it.
        let names: Vec<CString> = shaders
            .iter()
            .map(|shader| CString::new(shader.entry.as_str()).unwrap_or_default())
            .collect();
        let mut stages = Vec::new();
        for (shader, name) in shaders.iter().zip(&names) {
            stages.push(
                vk::PipelineShaderStageCreateInfo::default()
                    .stage(stage(shader.stage))
                    .module(modules.add(&shader.words)?)
                    .name(name),
            );
        }
        if self.bind_point == vk::PipelineBindPoint::GRAPHICS {
            self.raw = graphics(&self.device, self.layout, &stages, state)?;
            return Ok(());
        }
        let info = vk::ComputePipelineCreateInfo::default()
            .layout(self.layout)
            .stage(stages[0]);
        // SAFETY: module and layout are of this device; the structures live until the call returns.
        let made =
            unsafe { device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        self.raw = made
            .map(|list| list[0])
            .map_err(|(_, result)| result)
            .named("vkCreateComputePipelines")?;
        Ok(())
    }

    /// Returns the contents of the descriptor table that a root parameter is: for each range its views,
    /// from the first on.
    ///
    /// # Errors
    /// The parameter is no table, or Vulkan refuses.
    pub fn table<'r>(&self, parameter: usize, ranges: &[&[View<'r>]]) -> Result<Table<'r>, Error> {
        let Some(&RootParameterPlace::Table { set }) = self.root.parameters.get(parameter) else {
            return Err(Error::WrongParameter {
                pipeline: self.name.clone(),
                parameter,
                given: "a descriptor table",
            });
        };
        let slots = &self.root.sets[set as usize];
        let layout = self.set_layouts[set as usize];
        let (pool, raw) = allocate_set(&self.device, layout, slots)?;
        let table = Table {
            device: Rc::clone(&self.device),
            raw,
            layout,
            pool,
            views: PhantomData,
        };
        for slot in slots {
            let number = slot.range.map_or(0, |range| range as usize);
            let views = ranges.get(number).copied().unwrap_or_default();
            let views = &views[..views.len().min(slot.count as usize)];
            if !views.is_empty() {
                table.write(slot, views);
            }
        }
        Ok(table)
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        let device = &self.device.raw;
        // SAFETY: all are of this device (or null), and are not in use: submissions are waited for.
        unsafe {
            device.destroy_pipeline(self.raw, None);
            device.destroy_descriptor_pool(self.root_pool, None);
            device.destroy_pipeline_layout(self.layout, None);
            for layout in &self.set_layouts {
                device.destroy_descriptor_set_layout(*layout, None);
            }
            for sampler in &self.samplers {
                device.destroy_sampler(*sampler, None);
            }
        }
    }
}

/// The view that a descriptor of a table is of.
#[derive(Clone, Copy)]
pub enum View<'r> {
    /// All mip levels of an image, to be sampled: an SRV.
    Sampled(&'r Image),
    /// The first mip level of an image, to be written: a UAV.
    Storage(&'r Image),
}

/// A descriptor table with its contents.
pub struct Table<'r> {
    device: Rc<Device>,
    pub(crate) raw: vk::DescriptorSet,
    /// The layout that it was made with, of one parameter of one pipeline.
    pub(crate) layout: vk::DescriptorSetLayout,
    pool: vk::DescriptorPool,
    views: PhantomData<View<'r>>,
}

impl Table<'_> {
    fn write(&self, slot: &Slot, views: &[View<'_>]) {
        let info = |view: &View<'_>| match view {
            View::Sampled(image) => vk::DescriptorImageInfo::default()
                .image_view(image.view)
                .image_layout(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL),
            View::Storage(image) => vk::DescriptorImageInfo::default()
                .image_view(image.first_level)
                .image_layout(vk::ImageLayout::GENERAL),
        };
        let images: Vec<_> = views.iter().map(info).collect();
        let write = vk::WriteDescriptorSet::default()
            .dst_set(self.raw)
            .dst_binding(slot.binding)
            .descriptor_type(slot.ty)
            .image_info(&images);
        // SAFETY: the set is new and has a descriptor of the type for each; the views are of this device
        // and live as long as the table.
        unsafe { self.device.raw.update_descriptor_sets(&[write], &[]) };
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        // SAFETY: the pool is of this device, and its set is not in use: submissions are waited for.
        unsafe { self.device.raw.destroy_descriptor_pool(self.pool, None) };
    }
}

/// Translates the shaders of a pipeline: the part that Trellis does. The same steps serve any engine.
fn translate(
    name: &str,
    containers: &[&[u8]],
) -> Result<(trellis_dxil::bindings::PipelineLayout, Vec<Output>), Error> {
    let failed = |source: trellis_dxil::Error| Error::Shader {
        shader: name.to_owned(),
        source: Box::new(source),
    };
    // The binding model is the layout of the root signature.
    let mut model = None;
    for container in containers {
        let own = RootSignatureBindings::read(container).map_err(|source| {
            let shader = name.to_owned();
            Error::RootSignature { shader, source }
        })?;
        if *model.get_or_insert_with(|| own.clone()) != own {
            return Err(Error::DifferentRootSignatures(name.to_owned()));
        }
    }
    let model = model.ok_or(Error::Unsupported("pipelines without shaders"))?;
    let model = model.with_addresses();
    // The shaders, with resources where the model puts them. Draws begin at vertex 0 and instance 0, so
    // that Vulkan's numbers are D3D's, and the device needs no `shaderDrawParameters`.
    let options = Options::default()
        .with_bindings(Arc::new(model.clone()))
        .with_vertex_id_zero_based(false)
        .with_instance_id_zero_based(false);
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for container in containers {
        inputs.push(dxbc::read(container).map_err(|error| failed(error.into()))?);
        outputs.push(trellis_dxil::convert(container, &options).map_err(failed)?);
    }
    // The description from which Vulkan's layout is created.
    let layout = model.pipeline_layout(inputs.iter().map(|input| &input.shader));
    Ok((layout, outputs))
}

fn stage(kind: ShaderKind) -> vk::ShaderStageFlags {
    match kind {
        ShaderKind::Vertex => vk::ShaderStageFlags::VERTEX,
        ShaderKind::Pixel => vk::ShaderStageFlags::FRAGMENT,
        ShaderKind::Compute => vk::ShaderStageFlags::COMPUTE,
        _ => vk::ShaderStageFlags::empty(),
    }
}

/// Shader modules, which are needed only until the pipeline is created.
struct Modules<'d> {
    device: &'d Device,
    list: Vec<vk::ShaderModule>,
}

impl Modules<'_> {
    fn add(&mut self, words: &[u32]) -> Result<vk::ShaderModule, Error> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the words are a module that passed the verifier, and live until the call returns.
        let module = unsafe { self.device.raw.create_shader_module(&info, None) }
            .named("vkCreateShaderModule")?;
        self.list.push(module);
        Ok(module)
    }
}

impl Drop for Modules<'_> {
    fn drop(&mut self) {
        for module in &self.list {
            // SAFETY: the module is of this device; pipelines do not need it any more.
            unsafe { self.device.raw.destroy_shader_module(*module, None) };
        }
    }
}

/// Returns a descriptor set in a separate pool.
fn allocate_set(
    device: &Device,
    layout: vk::DescriptorSetLayout,
    slots: &[Slot],
) -> Result<(vk::DescriptorPool, vk::DescriptorSet), Error> {
    let size = |slot: &Slot| {
        vk::DescriptorPoolSize::default()
            .ty(slot.ty)
            .descriptor_count(slot.count)
    };
    let sizes: Vec<_> = slots.iter().map(size).collect();
    let info = vk::DescriptorPoolCreateInfo::default()
        .max_sets(1)
        .pool_sizes(&sizes);
    // SAFETY: the structures live until the call returns.
    let pool = unsafe { device.raw.create_descriptor_pool(&info, None) }
        .named("vkCreateDescriptorPool")?;
    let layouts = [layout];
    let info = vk::DescriptorSetAllocateInfo::default()
        .descriptor_pool(pool)
        .set_layouts(&layouts);
    // SAFETY: pool and layout are of this device, and the pool has room for the set.
    let made = unsafe { device.raw.allocate_descriptor_sets(&info) };
    match made.named("vkAllocateDescriptorSets") {
        Ok(sets) => Ok((pool, sets[0])),
        Err(error) => {
            // SAFETY: nothing was allocated from the pool.
            unsafe { device.raw.destroy_descriptor_pool(pool, None) };
            Err(error)
        }
    }
}

/// Creates a graphics pipeline for triangles, with Direct3D's conventions.
fn graphics(
    device: &Device,
    layout: vk::PipelineLayout,
    stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    state: RenderState,
) -> Result<vk::Pipeline, Error> {
    let input = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(1)
        .scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .cull_mode(if state.depth {
            vk::CullModeFlags::BACK
        } else {
            vk::CullModeFlags::NONE
        })
        .front_face(vk::FrontFace::CLOCKWISE)
        .depth_bias_enable(state.depth_bias)
        .depth_bias_constant_factor(2.0)
        .depth_bias_slope_factor(2.0)
        .line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(state.samples.max(1)));
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(state.depth)
        .depth_write_enable(state.depth)
        .depth_compare_op(vk::CompareOp::LESS_OR_EQUAL);
    let blends = [vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA)];
    let colors = state.color.as_slice();
    let blend =
        vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends[..colors.len()]);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default()
        .dynamic_states(&[vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR]);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(colors)
        .depth_attachment_format(vk::Format::D32_SFLOAT);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .layout(layout)
        .stages(stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .push_next(&mut rendering);
    // SAFETY: modules and layout are of this device; the structures live until the call returns.
    let made = unsafe {
        device
            .raw
            .create_graphics_pipelines(vk::PipelineCache::null(), &[info], None)
    };
    made.map(|list| list[0])
        .map_err(|(_, result)| result)
        .named("vkCreateGraphicsPipelines")
}
