//! Vulkan, as far as tests need it: a compute shader, or the shaders of a draw, run once over given
//! contents.
//!
//! The types here are safe and independent of test files. The calls of Vulkan are in `device`,
//! `memory`, `setup`, `rays` and `run`.

mod chain;
mod compiler;
mod device;
mod features;
mod format;
mod memory;
mod multisample;
mod rays;
mod run;
mod setup;

pub use ash::vk;
pub use compiler::{Compiled, Compiler};
pub use device::{Device, list};
pub use features::{Features, missing_capability};
pub use format::texel_size;
pub use vulkan_setup::DeviceInfo;

use thiserror::Error;

use trellis_dxil_interpreter::dispatch::Scene;

use crate::spirv_module::SpirvModule;

/// Why a job did not give results.
#[derive(Debug, Error)]
pub enum Error {
    /// There is no Vulkan or no device.
    #[error(transparent)]
    Setup(#[from] vulkan_setup::Error),
    /// The device lacks a feature that the job needs: a reason to skip it.
    #[error("{0}")]
    Unsupported(String),
    /// A Vulkan call failed.
    #[error("{call}: {result}")]
    Call {
        /// The call.
        call: &'static str,
        /// Its answer.
        result: vk::Result,
    },
    /// The shader did not end in time; the device must not be used again.
    #[error("the shader still ran after {0} s")]
    Timeout(u64),
    /// The job contradicts itself.
    #[error("{0}")]
    Job(String),
}

/// Gives Vulkan's results the name of the call.
pub(crate) trait Named<T> {
    fn named(self, call: &'static str) -> Result<T, Error>;
}

impl<T> Named<T> for Result<T, vk::Result> {
    fn named(self, call: &'static str) -> Result<T, Error> {
        self.map_err(|result| Error::Call { call, result })
    }
}

/// The pipeline of a call that makes one.
impl Named<vk::Pipeline> for Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)> {
    fn named(self, call: &'static str) -> Result<vk::Pipeline, Error> {
        let made = self.map_err(|(_, result)| result).named(call)?;
        Ok(made[0])
    }
}

/// The code of one stage.
#[derive(Clone, Debug)]
pub struct StageCode {
    /// Stage.
    pub stage: vk::ShaderStageFlags,
    /// SPIR-V.
    pub words: Vec<u32>,
    /// Entry point.
    pub entry: String,
}

impl From<&SpirvModule> for StageCode {
    fn from(module: &SpirvModule) -> Self {
        Self {
            stage: module.stage,
            words: module.words.clone(),
            entry: module.entry.clone(),
        }
    }
}

/// Memory that shaders see, with its contents before the run.
#[derive(Clone, Debug)]
pub enum Object {
    /// A buffer.
    Buffer(Vec<u8>),
    /// An image.
    Image(Image),
    /// A sampler.
    Sampler(Sampler),
    /// An acceleration structure.
    Scene(Scene),
    /// A buffer with the device addresses of objects before it, then other bytes. The device must
    /// have [`Features::ray_tracing`], without which buffers have no addresses here.
    Addresses {
        /// The objects: buffers and acceleration structures; 0 in the place of others.
        of: Vec<usize>,
        /// The other bytes.
        then: Vec<u8>,
    },
}

/// An image and its contents.
#[derive(Clone, Debug)]
pub struct Image {
    /// 1D, 2D or 3D.
    pub dimension: vk::ImageType,
    /// Format of the texels.
    pub format: vk::Format,
    /// Width, height, depth in texels.
    pub extent: [u32; 3],
    /// Mip levels.
    pub mips: u32,
    /// Array layers; of cubes six for each.
    pub layers: u32,
    /// Samples of a texel. Several need a device with `StorageImageMultisample`, which their
    /// contents are written by.
    pub samples: u32,
    /// Cube views are made of it.
    pub cube: bool,
    /// Texels without gaps: for each layer each mip level, for each its planes, rows and texels,
    /// for each of these its samples.
    pub data: Vec<u8>,
}

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// Filter for magnification and minification.
    pub filter: vk::Filter,
    /// Filter between mip levels.
    pub mip_filter: vk::SamplerMipmapMode,
    /// Address modes for u, v, w.
    pub address: [vk::SamplerAddressMode; 3],
    /// Comparison of comparison samplers.
    pub compare: Option<vk::CompareOp>,
    /// Bias of the level of detail.
    pub lod_bias: f32,
    /// Bounds of the level of detail.
    pub lod: [f32; 2],
    /// Border colour.
    pub border: vk::BorderColor,
}

/// View of an image in a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Shape.
    pub shape: vk::ImageViewType,
    /// First mip level and the number of them.
    pub mips: (u32, u32),
}

/// One descriptor of a binding.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Index of the job's object.
    pub object: usize,
    /// Kind of descriptor, where the binding takes several (descriptor heaps).
    pub ty: Option<vk::DescriptorType>,
    /// View of an image.
    pub view: Option<View>,
    /// Format of a texel buffer.
    pub format: vk::Format,
}

/// A binding with all its descriptors.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Kind of descriptor.
    pub ty: vk::DescriptorType,
    /// Descriptors, `None` for those that the shader does not use.
    pub elements: Vec<Option<Element>>,
}

/// A vertex attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Location.
    pub location: u32,
    /// Format.
    pub format: vk::Format,
    /// Offset in bytes in a vertex.
    pub offset: u32,
}

/// The state of a draw other than its shaders.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Vertices and instances.
    pub count: [u32; 2],
    /// First vertex and first instance.
    pub first: [u32; 2],
    /// Topology.
    pub topology: vk::PrimitiveTopology,
    /// Attributes of a vertex.
    pub attributes: Vec<Attribute>,
    /// Bytes of a vertex.
    pub stride: u32,
    /// Vertices.
    pub vertices: Vec<u8>,
    /// Width and height of the targets.
    pub size: [u32; 2],
    /// Layers of the targets.
    pub layers: u32,
    /// Samples of a texel of the targets.
    pub samples: u32,
    /// Viewports: stripes of the targets, side by side.
    pub viewports: u32,
    /// Specialization constants of all shaders: id and value.
    pub constants: Vec<(u32, u32)>,
    /// Formats of the colour targets.
    pub targets: Vec<vk::Format>,
    /// There is a depth buffer (32-bit floats), cleared to 1; every fragment passes and writes.
    pub depth: bool,
    /// Control points of a patch; 0 for other topologies.
    pub control_points: u32,
    /// Groups of a mesh pipeline, which has no vertices.
    pub groups: Option<[u32; 3]>,
    /// Most bytes that transform feedback captures into each of its buffers; it is off without
    /// buffers.
    pub capture: Vec<u64>,
}

/// The work.
#[derive(Clone, Debug)]
pub enum Work {
    /// A dispatch with this number of groups in each dimension.
    Dispatch([u32; 3]),
    /// A draw.
    Draw(Draw),
    /// A dispatch of rays.
    Rays(Rays),
    /// A dispatch of a node of a work graph.
    Node(NodeDispatch),
}

/// A dispatch of a node of a work graph: a compute shader with constants of both kinds. The device must
/// have [`Features::ray_tracing`], without which buffers have no addresses here.
#[derive(Clone, Debug)]
pub struct NodeDispatch {
    /// Groups.
    pub groups: [u32; 3],
    /// Push constants, eight bytes each.
    pub push: Vec<Push>,
    /// Specialization constants: id and value.
    pub constants: Vec<(u32, u32)>,
}

/// Eight bytes of push constants.
#[derive(Clone, Copy, Debug)]
pub enum Push {
    /// A device address.
    Address {
        /// Index of a buffer among the job's objects.
        object: usize,
        /// Bytes after its begin.
        offset: u64,
    },
    /// Two words.
    Words([u32; 2]),
}

/// A dispatch of rays.
#[derive(Clone, Debug)]
pub struct Rays {
    /// Width, height, depth.
    pub size: [u32; 3],
    /// The shader table.
    pub table: Table,
    /// Depth to which shaders trace rays.
    pub recursion: u32,
}

/// Shaders by their callers, each a record of the shader table and a group of the pipeline.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The ray generation shader.
    pub raygen: Record,
    /// Miss shaders.
    pub miss: Vec<Record>,
    /// Hit groups.
    pub hit: Vec<Record>,
    /// Callable shaders.
    pub callable: Vec<Record>,
}

/// A record of the shader table: its shaders as indices into [`Job::stages`].
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Ray generation, miss or callable shader.
    pub general: Option<usize>,
    /// Closest-hit shader.
    pub closest: Option<usize>,
    /// Any-hit shader.
    pub any: Option<usize>,
    /// Intersection shader: the group is for boxes then.
    pub intersection: Option<usize>,
    /// Bytes after the identifier.
    pub data: Vec<u8>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Job {
    /// Shaders.
    pub stages: Vec<StageCode>,
    /// Objects.
    pub objects: Vec<Object>,
    /// Bindings.
    pub bindings: Vec<Binding>,
    /// Work.
    pub work: Work,
    /// Number of lanes of a wave; with `None` the device chooses.
    pub wave_size: Option<u32>,
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Contents of each object, in the job's order; empty for samplers.
    pub objects: Vec<Vec<u8>>,
    /// Contents of the colour targets.
    pub targets: Vec<Vec<u8>>,
    /// Contents of the depth buffer.
    pub depth: Vec<u8>,
    /// The bytes that transform feedback captured into each of its buffers.
    pub captured: Vec<Vec<u8>>,
    /// Messages of the validation layer.
    pub messages: Vec<String>,
}
