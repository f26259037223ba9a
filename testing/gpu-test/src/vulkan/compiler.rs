//! A driver's compiler: pipelines that are compiled and never run, and what the driver reports of them
//! (`VK_KHR_pipeline_executable_properties`).
//!
//! A stage of a draw is compiled alone, as a graphics pipeline library, so that the driver may remove
//! none of its inputs and outputs.
#![allow(
    unsafe_code,
    reason = "Vulkan is loaded from a shared library and called through raw pointers"
)]

use std::ffi::{CStr, CString, c_char};
use std::time::{Duration, Instant};

use ash::vk;

use super::chain::Chain;
use super::device::{DeviceInfo, choose, instance, load};
use super::{Error, Named};
use crate::spirv_module::{Count, Resource, SpirvModule};

/// Descriptors of an array without end.
const UNBOUNDED: u32 = 64;
/// Most descriptor sets of a layout.
const SETS: u32 = 32;

/// A driver's compiler.
pub struct Compiler {
    device: ash::Device,
    statistics: ash::khr::pipeline_executable_properties::Device,
    libraries: bool,
    /// The device.
    pub info: DeviceInfo,
    instance: ash::Instance,
    // Dropped last: the functions of the others live in it.
    _entry: ash::Entry,
}

/// What the driver made of a shader.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Compiled {
    /// Time that the driver took.
    pub time: Duration,
    /// Numbers by the driver's names, of all its executables together.
    pub statistics: Vec<(String, f64)>,
}

impl Compiled {
    fn add(&mut self, name: &str, number: f64) {
        match self.statistics.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += number,
            None => self.statistics.push((name.to_owned(), number)),
        }
    }
}

impl Compiler {
    /// Opens the first device whose name contains `part`; without a part the first one.
    ///
    /// # Errors
    /// There is no loader or no such device, or it reports nothing about pipelines.
    pub fn open(part: Option<&str>) -> Result<Self, Error> {
        let entry = load()?;
        let instance = instance(&entry, false)?;
        match open_in(entry, &instance, part) {
            Ok(compiler) => Ok(compiler),
            Err(error) => {
                // SAFETY: nothing that was made from the instance is left. The functions of the loader
                // are still there: the instance has a copy of them, and the library stays loaded.
                unsafe { instance.destroy_instance(None) };
                Err(error)
            }
        }
    }

    /// Compiles a shader: compute, or a stage of a draw.
    ///
    /// # Errors
    /// The stage is not supported, or a call fails.
    pub fn compile(&self, module: &SpirvModule) -> Result<Compiled, Error> {
        let mut objects = Objects {
            compiler: self,
            sets: Vec::new(),
            layout: vk::PipelineLayout::null(),
            module: vk::ShaderModule::null(),
            pipeline: vk::Pipeline::null(),
        };
        objects.layout(module)?;
        let info = vk::ShaderModuleCreateInfo::default().code(&module.words);
        // SAFETY: the words live until the call returns. Whoever compiles a shader has validated it.
        objects.module = unsafe { self.device.create_shader_module(&info, None) }
            .named("vkCreateShaderModule")?;
        let name = CString::new(module.entry.as_str()).map_err(|e| Error::Job(e.to_string()))?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(module.stage)
            .module(objects.module)
            .name(&name);
        let start = Instant::now();
        objects.pipeline = match module.stage {
            vk::ShaderStageFlags::COMPUTE => self.compute(objects.layout, stage)?,
            _ => self.library(objects.layout, module, stage)?,
        };
        let mut compiled = Compiled {
            time: start.elapsed(),
            statistics: Vec::new(),
        };
        self.read(objects.pipeline, &mut compiled)?;
        Ok(compiled)
    }

    fn compute(
        &self,
        layout: vk::PipelineLayout,
        stage: vk::PipelineShaderStageCreateInfo<'_>,
    ) -> Result<vk::Pipeline, Error> {
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR)
            .layout(layout)
            .stage(stage);
        // SAFETY: module and layout are of this device; the structures live until the call returns.
        let made = unsafe {
            self.device
                .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
        };
        made.map(|list| list[0]).map_err(|(_, result)| Error::Call {
            call: "vkCreateComputePipelines",
            result,
        })
    }

    /// Compiles a stage of a draw as a graphics pipeline library.
    fn library(
        &self,
        layout: vk::PipelineLayout,
        module: &SpirvModule,
        stage: vk::PipelineShaderStageCreateInfo<'_>,
    ) -> Result<vk::Pipeline, Error> {
        use vk::ShaderStageFlags as S;
        let part = match module.stage {
            S::VERTEX | S::MESH_EXT => {
                vk::GraphicsPipelineLibraryFlagsEXT::PRE_RASTERIZATION_SHADERS
            }
            S::FRAGMENT => vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_SHADER,
            other => return Err(Error::Unsupported(format!("a shader of {other:?} alone"))),
        };
        if !self.libraries {
            let what = "VK_EXT_graphics_pipeline_library";
            return Err(Error::Unsupported(format!("the device lacks {what}")));
        }
        let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(part);
        let mut rendering = vk::PipelineRenderingCreateInfo::default();
        let (viewports, scissors) = ([vk::Viewport::default()], [vk::Rect2D::default()]);
        let viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewports(&viewports)
            .scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default();
        let stages = [stage];
        let info = vk::GraphicsPipelineCreateInfo::default()
            .flags(
                vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR
                    | vk::PipelineCreateFlags::LIBRARY_KHR,
            )
            .layout(layout)
            .stages(&stages)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .push_next(&mut rendering)
            .push_next(&mut library);
        // SAFETY: module and layout are of this device; the structures live until the call returns.
        let made = unsafe {
            self.device
                .create_graphics_pipelines(vk::PipelineCache::null(), &[info], None)
        };
        made.map(|list| list[0]).map_err(|(_, result)| Error::Call {
            call: "vkCreateGraphicsPipelines",
            result,
        })
    }

    /// Reads what the driver reports of a pipeline.
    fn read(&self, pipeline: vk::Pipeline, compiled: &mut Compiled) -> Result<(), Error> {
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline is of this device, and was made with `CAPTURE_STATISTICS`.
        let executables = unsafe { self.statistics.get_pipeline_executable_properties(&info) }
            .named("vkGetPipelineExecutablePropertiesKHR")?;
        for index in 0..executables.len() {
            let info = vk::PipelineExecutableInfoKHR::default()
                .pipeline(pipeline)
                .executable_index(index as u32);
            // SAFETY: the same, and there is such an executable.
            let list = unsafe { self.statistics.get_pipeline_executable_statistics(&info) }
                .named("vkGetPipelineExecutableStatisticsKHR")?;
            for statistic in list {
                let name = statistic.name_as_c_str().unwrap_or_default();
                use vk::PipelineExecutableStatisticFormatKHR as Format;
                // SAFETY: the format names the field of the union that the driver has set.
                let number = unsafe {
                    match statistic.format {
                        Format::BOOL32 => f64::from(statistic.value.b32),
                        Format::INT64 => statistic.value.i64 as f64,
                        Format::UINT64 => statistic.value.u64 as f64,
                        _ => statistic.value.f64,
                    }
                };
                compiled.add(&name.to_string_lossy(), number);
            }
        }
        Ok(())
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // SAFETY: pipelines are destroyed where they were made; nothing of the device is left.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// What one shader needs, destroyed together.
struct Objects<'a> {
    compiler: &'a Compiler,
    sets: Vec<vk::DescriptorSetLayout>,
    layout: vk::PipelineLayout,
    module: vk::ShaderModule,
    pipeline: vk::Pipeline,
}

impl Objects<'_> {
    /// Makes a layout with the descriptors that the module declares, and as many push constants as every
    /// device has.
    fn layout(&mut self, module: &SpirvModule) -> Result<(), Error> {
        let device = &self.compiler.device;
        let count = module.resources.iter().map(|r| r.set + 1).max();
        let count = count.unwrap_or(0);
        if count > SETS {
            return Err(Error::Unsupported(format!("{count} descriptor sets")));
        }
        for set in 0..count {
            let of_set = module.resources.iter().filter(|r| r.set == set);
            let bindings: Vec<_> = of_set.map(binding).collect();
            let flags: Vec<_> = bindings
                .iter()
                .map(|_| vk::DescriptorBindingFlags::PARTIALLY_BOUND)
                .collect();
            let lists: Vec<_> = bindings.iter().map(types).collect();
            let mutable = bindings
                .iter()
                .any(|b| b.descriptor_type == vk::DescriptorType::MUTABLE_EXT);
            let mut flags =
                vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
            let mut lists = vk::MutableDescriptorTypeCreateInfoEXT::default()
                .mutable_descriptor_type_lists(&lists);
            let mut info = vk::DescriptorSetLayoutCreateInfo::default()
                .bindings(&bindings)
                .push_next(&mut flags);
            if mutable {
                info = info.push_next(&mut lists);
            }
            // SAFETY: the lists have an element for each binding and live until the call returns.
            let layout = unsafe { device.create_descriptor_set_layout(&info, None) }
                .named("vkCreateDescriptorSetLayout")?;
            self.sets.push(layout);
        }
        let ranges = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::ALL)
            .size(256)];
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&self.sets)
            .push_constant_ranges(&ranges);
        // SAFETY: the set layouts are of this device.
        self.layout = unsafe { device.create_pipeline_layout(&info, None) }
            .named("vkCreatePipelineLayout")?;
        Ok(())
    }
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        let device = &self.compiler.device;
        // SAFETY: each object is of this device or null, was made here, and nothing uses it.
        unsafe {
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_shader_module(self.module, None);
            device.destroy_pipeline_layout(self.layout, None);
            for &set in &self.sets {
                device.destroy_descriptor_set_layout(set, None);
            }
        }
    }
}

fn binding(resource: &Resource) -> vk::DescriptorSetLayoutBinding<'static> {
    let count = match resource.count {
        Count::One => 1,
        Count::Array(count) => count.min(1 << 16),
        Count::Unbounded => UNBOUNDED,
    };
    vk::DescriptorSetLayoutBinding::default()
        .binding(resource.binding)
        .descriptor_type(resource.ty)
        .descriptor_count(count)
        .stage_flags(vk::ShaderStageFlags::ALL)
}

/// The types that a descriptor of a heap may have; other descriptors have an empty list.
fn types(
    binding: &vk::DescriptorSetLayoutBinding<'_>,
) -> vk::MutableDescriptorTypeListEXT<'static> {
    let list = vk::MutableDescriptorTypeListEXT::default();
    if binding.descriptor_type == vk::DescriptorType::MUTABLE_EXT {
        list.descriptor_types(&super::setup::MUTABLE)
    } else {
        list
    }
}

fn open_in(
    entry: ash::Entry,
    instance: &ash::Instance,
    part: Option<&str>,
) -> Result<Compiler, Error> {
    let (physical, info) = choose(instance, part)?;
    // SAFETY: `physical` is of this instance.
    let extensions = unsafe { instance.enumerate_device_extension_properties(physical) }
        .named("vkEnumerateDeviceExtensionProperties")?;
    let has = |name: &CStr| {
        extensions
            .iter()
            .any(|e| e.extension_name_as_c_str() == Ok(name))
    };
    let reports = ash::khr::pipeline_executable_properties::NAME;
    if !has(reports) {
        return Err(Error::Unsupported(format!(
            "{} lacks {}",
            info.name,
            reports.to_string_lossy()
        )));
    }
    let libraries =
        has(ash::ext::graphics_pipeline_library::NAME) && has(ash::khr::pipeline_library::NAME);
    let mut chain = Chain::default();
    let mut core = {
        let (mut query, _) = chain.link(vk::PhysicalDeviceFeatures2::default(), &has);
        // SAFETY: `physical` is of this instance, and the chain lives until the call returns.
        unsafe { instance.get_physical_device_features2(physical, &mut query) };
        query.features
    };
    // Checks of bounds would hide what the shader itself costs.
    core.robust_buffer_access = vk::FALSE;
    chain.v13.robust_image_access = vk::FALSE;
    let head = vk::PhysicalDeviceFeatures2::default().features(core);
    let (on, mut names) = chain.link(head, &has);
    let mut reporting = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
        .pipeline_executable_info(true);
    let mut library = vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT::default()
        .graphics_pipeline_library(true);
    names.push(reports);
    let mut on = on.push_next(&mut reporting);
    if libraries {
        names.push(ash::ext::graphics_pipeline_library::NAME);
        names.push(ash::khr::pipeline_library::NAME);
        on = on.push_next(&mut library);
    }
    let names: Vec<*const c_char> = names.into_iter().map(CStr::as_ptr).collect();
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
    let create = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .push_next(&mut on);
    // SAFETY: what the structures point to lives until the call returns, and the extensions and
    // features are among those that the device reported.
    let device =
        unsafe { instance.create_device(physical, &create, None) }.named("vkCreateDevice")?;
    Ok(Compiler {
        statistics: ash::khr::pipeline_executable_properties::Device::new(instance, &device),
        device,
        libraries,
        info,
        instance: instance.clone(),
        _entry: entry,
    })
}
