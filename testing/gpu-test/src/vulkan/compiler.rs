//! A driver's compiler: pipelines that are compiled and never run, and the driver's statistics of
//! them (`VK_KHR_pipeline_executable_properties`).
//!
//! A stage of a draw is compiled alone, as a graphics pipeline library, so that the driver may remove
//! none of its inputs and outputs.
#![allow(
    unsafe_code,
    reason = "Vulkan's pipelines are made and read by calls that the compiler cannot check"
)]

use std::ffi::CString;
use std::time::{Duration, Instant};

use ash::{khr, vk};

use super::device::Device;
use super::memory::{Handle, Scope};
use super::setup::{compute, layout, module, set_layouts};
use super::{Binding, Error, Named, StageCode};
use crate::spirv_module::{Count, Resource, SpirvModule};

/// Descriptors of an array without end.
const UNBOUNDED: u32 = 64;

/// Bytes of push constants that every device has.
const PUSHED: u32 = 256;

/// A device's compiler.
pub struct Compiler<'d> {
    device: &'d Device,
    statistics: &'d khr::pipeline_executable_properties::Device,
}

/// The driver's statistics of a shader.
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

impl Device {
    /// Returns the device's compiler.
    ///
    /// # Errors
    /// The device reports nothing about pipelines.
    pub fn compiler(&self) -> Result<Compiler<'_>, Error> {
        let Some(statistics) = &self.statistics else {
            let what = khr::pipeline_executable_properties::NAME.to_string_lossy();
            return Err(Error::Unsupported(format!(
                "{} lacks {what}",
                self.info.name
            )));
        };
        Ok(Compiler {
            device: self,
            statistics,
        })
    }
}

impl Compiler<'_> {
    /// Compiles a shader: compute, or a stage of a draw.
    ///
    /// # Errors
    /// The stage is not supported, or a call fails.
    pub fn compile(&self, shader: &SpirvModule) -> Result<Compiled, Error> {
        let mut scope = Scope::new(self.device);
        let bindings: Vec<_> = shader.resources.iter().map(binding).collect();
        let sets = set_layouts(&mut scope, &bindings)?;
        let layout = layout(&mut scope, &sets, vk::ShaderStageFlags::ALL, PUSHED)?;
        let code = StageCode::from(shader);
        let module = module(&mut scope, &code)?;
        let name = CString::new(code.entry).map_err(|e| Error::Job(e.to_string()))?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(shader.stage)
            .module(module)
            .name(&name);
        let start = Instant::now();
        let pipeline = match shader.stage {
            vk::ShaderStageFlags::COMPUTE => {
                let flags = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
                compute(&scope, layout, &[stage], flags)?
            }
            _ => self.library(layout, stage)?,
        };
        let mut compiled = Compiled {
            time: start.elapsed(),
            statistics: Vec::new(),
        };
        scope.keep(pipeline, Handle::Pipeline);
        self.read(pipeline, &mut compiled)?;
        Ok(compiled)
    }

    /// Compiles a stage of a draw as a graphics pipeline library.
    fn library(
        &self,
        layout: vk::PipelineLayout,
        stage: vk::PipelineShaderStageCreateInfo<'_>,
    ) -> Result<vk::Pipeline, Error> {
        use vk::ShaderStageFlags as S;
        let part = match stage.stage {
            S::VERTEX | S::MESH_EXT => {
                vk::GraphicsPipelineLibraryFlagsEXT::PRE_RASTERIZATION_SHADERS
            }
            S::FRAGMENT => vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_SHADER,
            other => return Err(Error::Unsupported(format!("a shader of {other:?} alone"))),
        };
        if !self.device.features.pipeline_libraries {
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
        let (device, cache) = (&self.device.device, vk::PipelineCache::null());
        // SAFETY: module and layout are of this device; the structures live until the call returns.
        unsafe { device.create_graphics_pipelines(cache, &[info], None) }
            .named("vkCreateGraphicsPipelines")
    }

    /// Reads the driver's statistics of a pipeline.
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

/// Returns a binding without descriptors.
fn binding(resource: &Resource) -> Binding {
    let count = match resource.count {
        Count::One => 1,
        Count::Array(count) => count.min(1 << 16),
        Count::Unbounded => UNBOUNDED,
    };
    Binding {
        set: resource.set,
        binding: resource.binding,
        ty: resource.ty,
        elements: vec![None; count as usize],
    }
}
