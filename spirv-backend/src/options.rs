//! What a caller may choose.

use std::sync::Arc;

use crate::bindings::{BindingModel, DefaultBindings};
use crate::mesh_outputs::MeshOutputs;
pub use crate::target::Target;

/// How DXIL's minimum-precision types (`min16float`, `min16int`) are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum MinPrecision {
    /// 32 bits, decorated `RelaxedPrecision`: needs no feature.
    #[default]
    Relaxed32,
    /// 16 bits.
    Native16,
}

/// Options of [`crate::convert`]. Cheap to clone; shared between threads.
#[derive(Clone)]
pub struct Options {
    /// Target environment.
    pub target: Target,
    /// Entry point to convert; `None`: the only one. Of a library's shader the mangled name, or the
    /// name in the source where only one shader has it.
    pub entry: Option<String>,
    /// Where each resource goes.
    pub bindings: Arc<dyn BindingModel>,
    /// Also run SPIRV-Tools' validator; an error without the feature `validate`.
    pub validate: bool,
    /// Emit `OpName` from the names in the module and its `STAT` part.
    pub names: bool,
    /// Minimum precision.
    pub min_precision: MinPrecision,
    /// `SV_VertexID` without the base vertex, as D3D defines it (`true`), or Vulkan's `VertexIndex`
    /// as it is.
    pub vertex_id_zero_based: bool,
    /// Same for `SV_InstanceID` and the base instance.
    pub instance_id_zero_based: bool,
    /// Declare native 16-bit stage inputs and outputs with 16-bit types (Vulkan's
    /// `storageInputOutput16`); else they are 32-bit and converted.
    pub io_16bit: bool,
    /// `SV_Target0` and `SV_Target1` are the two sources of dual-source blending: both at location
    /// 0.
    pub dual_source: bool,
    /// `SpecId` of the specialization constant that tells the number of samples of the render
    /// targets (`GetRenderTargetSampleCount`), for which Vulkan has no built-in. It is 1 unless the
    /// pipeline sets it.
    pub sample_count_spec_id: u32,
    /// Use `OpDemoteToHelperInvocation` for discard (D3D's semantics); else `OpKill`.
    pub demote: bool,
    /// Declare `SPV_KHR_maximal_reconvergence` when the shader has convergent operations.
    pub maximal_reconvergence: bool,
    /// Declare `SignedZeroInfNanPreserve` where the shader asks whether numbers are infinite or
    /// NaN; needs that Vulkan property of the device.
    pub preserve_nan: bool,
    /// Translate samples whose offset is computed (shader model 6.7). The device must have
    /// `VK_KHR_maintenance8`; spirv-val wants `--allow-offset-texture-operand`, which the built-in
    /// one cannot be told: with [`Options::validate`] such a shader is an error. Gathers with a
    /// computed offset need nothing of this.
    pub dynamic_offsets: bool,
    /// Vertex shaders with a position write `PointSize = 1.0`, the size that a point has in D3D.
    /// Vulkan without `VK_KHR_maintenance5` leaves the size of points undefined otherwise; with
    /// another topology the write has no effect. So do geometry shaders that emit points, for which
    /// the device needs `shaderTessellationAndGeometryPointSize`.
    pub point_size: bool,
    /// Domain shaders with a position write `PointSize = 1.0` too: for patches that a hull shader
    /// with `outputtopology("point")` tessellates, where the device has
    /// `shaderTessellationAndGeometryPointSize` switched on without `VK_KHR_maintenance5`. A domain
    /// shader cannot know the topology, and the write needs that feature.
    pub tessellation_point_size: bool,
    /// First location of patch constants in hull and domain shaders; `None`: behind the registers
    /// of the control points between the two stages, which link if both declare the same control
    /// points.
    pub patch_location: Option<u32>,
    /// The outputs of the mesh shader in front of a pixel shader, which D3D links by semantic:
    /// places the inputs where that shader writes them, and marks those that belong to a primitive.
    /// Without it a pixel shader is one behind a vertex shader; other stages ignore it.
    pub mesh: Option<Arc<MeshOutputs>>,
    /// Options of the structurizer.
    pub structurizer: trellis_structurizer::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Target::default(),
            entry: None,
            bindings: Arc::new(DefaultBindings::default()),
            validate: false,
            names: true,
            min_precision: MinPrecision::default(),
            vertex_id_zero_based: true,
            instance_id_zero_based: true,
            io_16bit: false,
            dual_source: false,
            sample_count_spec_id: 0,
            demote: true,
            maximal_reconvergence: false,
            preserve_nan: true,
            dynamic_offsets: false,
            point_size: true,
            tessellation_point_size: false,
            patch_location: None,
            mesh: None,
            structurizer: structurizer_options(),
        }
    }
}

/// The emitted module is verified anyway, graph and values: the structurizer's own check of its
/// result is for debug builds. Mesa's drivers forget a `continue` that leaves two switches.
fn structurizer_options() -> trellis_structurizer::Options {
    let mut options = trellis_structurizer::Options::default();
    options.verify = cfg!(debug_assertions);
    options.max_continue_switches = 1;
    options
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("target", &self.target)
            .field("entry", &self.entry)
            .field("validate", &self.validate)
            .finish_non_exhaustive()
    }
}
