//! Options of a conversion, in groups.
//!
//! Each group is declared once, in a table of names, types, defaults and texts (the macro
//! `option_groups!`), from which come the struct, its documentation, its serialized form, the
//! methods of [`Options`] that set them, and the list that `trellis options` prints ([`list`]).

mod choices;
mod list;
mod models;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::shader::{Resource, ResourceClass, ResourceKind, Shader};
use trellis_structurizer::{Options as Structurizer, Stages};

use crate::bindings::{
    AddressLayout, BindingModel, DefaultBindings, HeapBinding, HeapLimit, OffsetLayout,
};
use crate::mesh_outputs::MeshOutputs;
use crate::stage_io::{DefaultStageIo, StageIoModel};
pub use crate::target::{ParseTargetError, Target};
pub use choices::{
    BranchHint, Component, DescriptorChecks, FloatToInt, IntrinsicsUav, LoopHint, MinPrecision,
    ValueChecks, ViewInstancing,
};
use list::Row;
pub use list::{OptionInfo, list};

/// Declares groups of options from a table.
macro_rules! option_groups {
    ($(
        $(#[$meta:meta])*
        $group:ident: $struct:ident {
            $( $(#[doc = $doc:literal])+ $field:ident / $with:ident: $ty:ty = $default:expr, )+
        }
    )+) => {
        $(
            $(#[$meta])*
            #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
            #[serde(default, deny_unknown_fields)]
            #[non_exhaustive]
            pub struct $struct {
                $( $(#[doc = $doc])+ pub $field: $ty, )+
            }

            impl Default for $struct {
                fn default() -> Self {
                    Self { $( $field: $default, )+ }
                }
            }
        )+

        impl Options {
            $( $(
                $(#[doc = $doc])+
                #[must_use]
                pub fn $with(mut self, $field: $ty) -> Self {
                    self.$group.$field = $field;
                    self
                }
            )+ )+
        }

        /// The options of the groups.
        const GROUPED: &[Row] = &[
            $( $( (stringify!($group), stringify!($field), stringify!($ty), &[$($doc),+]), )+ )+
        ];
    };
}

option_groups! {
    /// The shader's interface with the pipeline and with other stages.
    interface: InterfaceOptions {
        /// Representation of minimum-precision types.
        min_precision / with_min_precision: MinPrecision = MinPrecision::default(),
        /// `SV_VertexID` excludes the base vertex, as in D3D; otherwise it is Vulkan's
        /// `VertexIndex`.
        vertex_id_zero_based / with_vertex_id_zero_based: bool = true,
        /// `SV_InstanceID` excludes the base instance, as in D3D; otherwise it is Vulkan's
        /// `InstanceIndex`.
        instance_id_zero_based / with_instance_id_zero_based: bool = true,
        /// Declare native 16-bit stage inputs and outputs as 16-bit types (`storageInputOutput16`)
        /// instead of converting from and to 32 bits.
        io_16bit / with_io_16bit: bool = false,
        /// Dual-source blending: `SV_Target0` and `SV_Target1` are both at location 0. Further
        /// targets are not written.
        dual_source / with_dual_source: bool = false,
        /// Per render target, the components of `SV_Target` written to red, green, blue and alpha,
        /// such as `["a", "r", "g", "b"]`. Targets after the last entry are not swizzled. With
        /// `dual_source` the first entry applies to both.
        output_swizzles / with_output_swizzles: Vec<[Component; 4]> = Vec::new(),
        /// `SpecId` of the specialization constant (default 1) with the number of samples of the
        /// render targets (`GetRenderTargetSampleCount`).
        sample_count_spec_id / with_sample_count_spec_id: u32 = 0,
        /// The number of samples, if known, instead of a specialization constant.
        sample_count / with_sample_count: Option<u32> = None,
        /// Name of the entry point in the output; by default the name in DXIL. `Output::entry` is
        /// always the name in DXIL.
        entry_point_name / with_entry_point_name: Option<String> = None,
        /// Decorate `SV_Position` of vertex, hull, domain, geometry and mesh shaders as
        /// `Invariant`, so that equal expressions give equal positions.
        invariant_position / with_invariant_position: bool = false,
        /// `SV_ViewID` is Vulkan's view index; otherwise it is 0 and the device needs no multiview.
        multiview / with_multiview: bool = true,
        /// `SV_ViewID` is D3D's view instance: an object with `last_stage`, `instances` and
        /// `viewports` (each a `SpecId`), `offsets` and `mask` (set and binding of a uniform
        /// block). Overrides `multiview`.
        view_instancing / with_view_instancing: Option<ViewInstancing> = None,
        /// Upper bound of tessellation factors.
        max_tessellation_factor / with_max_tessellation_factor: Option<u32> = None,
        /// First location of patch constants in hull and domain shaders; by default after the
        /// control points' registers, which link if both stages declare the same control points.
        patch_location / with_patch_location: Option<u32> = None,
        /// Number of root descriptors: 8-byte addresses before the root constants.
        root_descriptors / with_root_descriptors: u32 = 0,
        /// Set and binding of an inline uniform block for root descriptors and root constants,
        /// instead of push constants.
        root_uniform_block / with_root_uniform_block: Option<HeapBinding> = None,
        /// Number of root constants (32-bit words); by default the largest number in the binding
        /// model's answers. Reads beyond it return 0.
        root_constants / with_root_constants: Option<u32> = None,
        /// Layout of the buffers with the offsets of buffers in their descriptors
        /// (`bindings::Binding::offsets`).
        offset_layout / with_offset_layout: OffsetLayout = OffsetLayout::default(),
        /// Layout of the buffers of device addresses (`bindings::DescriptorKind::DeviceAddress`).
        address_layout / with_address_layout: AddressLayout = AddressLayout::default(),
        /// Keep indices inside descriptor heaps and tables, also of the shader record. An index
        /// beyond the resource heap becomes the heap's size, where a null descriptor must be;
        /// beyond the sampler heap, 2047. The size is `{ "size": n }`, `{ "root_constant": n }`, `{
        /// "uniform_block": { "set", "binding" } }`, or `{ "buffer_length": { "at": { "set",
        /// "binding" }, "pairs": n } }`.
        heap_limit / with_heap_limit: Option<HeapLimit> = None,
    }

    /// Features of the device, beyond its Vulkan version, that the output may require.
    extensions: Extensions {
        /// Conversion of floats to integers: `saturate` or `native`.
        float_to_int / with_float_to_int: FloatToInt = FloatToInt::default(),
        /// Discard is `OpDemoteToHelperInvocation` (D3D's semantics); otherwise `OpKill`.
        demote / with_demote: bool = true,
        /// Declare `SPV_KHR_maximal_reconvergence` in shaders with wave operations, `QuadAny` or
        /// `QuadAll`.
        maximal_reconvergence / with_maximal_reconvergence: bool = false,
        /// Use `SPV_KHR_quad_control` for `QuadAny` and `QuadAll`; pixel shaders with them run in
        /// full quads, also for derivatives. Otherwise they are made of quad exchanges.
        quad_control / with_quad_control: bool = false,
        /// Declare `SignedZeroInfNanPreserve`, a device property, where the shader tests for
        /// infinity or NaN.
        preserve_nan / with_preserve_nan: bool = true,
        /// Translate samples with computed offsets (shader model 6.7), which need
        /// `VK_KHR_maintenance8`. The built-in spirv-val rejects them: with `validate` it is an
        /// error. Gathers do not need this option.
        dynamic_offsets / with_dynamic_offsets: bool = false,
        /// Writable textures and typed buffers that the shader reads have no format
        /// (`shaderStorageImageReadWithoutFormat`); otherwise they have one 32-bit component, as
        /// D3D guarantees, and reading others is an error.
        read_without_format / with_read_without_format: bool = true,
        /// Use Vulkan's memory model (`vulkanMemoryModel`) instead of GLSL's.
        vulkan_memory_model / with_vulkan_memory_model: bool = false,
        /// Declare `DenormPreserve` for 16-bit floats, as D3D requires
        /// (`shaderDenormPreserveFloat16`).
        denorm_preserve_16 / with_denorm_preserve_16: bool = false,
        /// Declare `DenormPreserve` for 64-bit floats (`shaderDenormPreserveFloat64`).
        denorm_preserve_64 / with_denorm_preserve_64: bool = false,
        /// Declare quads for quad operations of compute, mesh and amplification shaders
        /// (`SPV_KHR_compute_shader_derivatives`): since shader model 6.6 two by two threads where
        /// the group allows it; otherwise four lanes in a row. Derivatives always need the
        /// extension.
        compute_derivatives / with_compute_derivatives: bool = true,
        /// Use Vulkan 1.3's packed dot products (`shaderIntegerDotProduct`); otherwise products and
        /// sums.
        integer_dot_product / with_integer_dot_product: bool = true,
        /// Use `SPV_NV_shader_invocation_reorder`, which lacks some operations, for hit objects and
        /// reordering (shader model 6.9) instead of `SPV_EXT_shader_invocation_reorder`.
        nv_invocation_reorder / with_nv_invocation_reorder: bool = false,
        /// Use `SPV_EXT_float8` for matrices of AGS; otherwise 16-bit floats.
        float8 / with_float8: bool = true,
        /// Declare opacity micromaps in all ray queries, not only with shader model 6.9's flag.
        query_micromaps / with_query_micromaps: bool = false,
        /// Work-graph nodes use `SPV_AMDX_shader_enqueue`, whose records the driver schedules;
        /// otherwise they are compute shaders with records at device addresses.
        shader_enqueue / with_shader_enqueue: bool = false,
    }

    /// Code that compensates for differences of drivers or Vulkan from D3D.
    workarounds: Workarounds {
        /// Vertex shaders with a position, and geometry shaders that emit points
        /// (`shaderTessellationAndGeometryPointSize`), write `PointSize = 1.0` as in D3D. Without
        /// it the size of points is undefined before `VK_KHR_maintenance5`.
        point_size / with_point_size: bool = true,
        /// Domain shaders with a position write `PointSize = 1.0`, for `outputtopology("point")`
        /// without `VK_KHR_maintenance5`; needs `shaderTessellationAndGeometryPointSize`.
        tessellation_point_size / with_tessellation_point_size: bool = false,
        /// Most switches that one `continue` leaves; deeper ones use a selector. Mesa 25.0 ignores
        /// a `continue` that leaves two switches.
        max_continue_switches / with_max_continue_switches: u32 = 1,
        /// Treat all arithmetic as `precise`.
        force_precise / with_force_precise: bool = false,
        /// Keep computed indices of local arrays inside the array; out-of-bounds reads are 0 in
        /// D3D, undefined in Vulkan.
        robust_local_arrays / with_robust_local_arrays: bool = false,
        /// Keep computed indices of groupshared memory inside it.
        robust_groupshared / with_robust_groupshared: bool = false,
        /// Keep computed indices of constant tables and static arrays inside them.
        robust_tables / with_robust_tables: bool = false,
        /// Structs beyond 4 GiB read as 0, as in D3D; otherwise their addresses wrap into the buffer.
        robust_structured_buffers / with_robust_structured_buffers: bool = false,
        /// Keep local copies of constant buffers instead of reading the buffer at computed indices
        /// (unless `robust_local_arrays` is set).
        keep_buffer_copies / with_keep_buffer_copies: bool = false,
        /// Access raw, structured and constant buffers by single elements instead of vectors and
        /// rows.
        scalar_buffers / with_scalar_buffers: bool = false,
        /// Declare `SPV_KHR_maximal_reconvergence` in every shader.
        force_maximal_reconvergence / with_force_maximal_reconvergence: bool = false,
        /// Keep the source's hints: `[branch]`, `[flatten]`, `[loop]`, `[unroll]`.
        source_hints / with_source_hints: bool = true,
        /// Hint of `if` and `switch` without one: `flatten` or `branch`.
        branch_hint / with_branch_hint: Option<BranchHint> = None,
        /// Hint of loops without one: `unroll` or `loop`.
        loop_hint / with_loop_hint: Option<LoopHint> = None,
        /// Value of `WaveGetLaneCount`, which must be the pipeline's subgroup size.
        wave_lane_count / with_wave_lane_count: Option<u32> = None,
    }

    /// Workarounds for bugs of applications, by name. Each is off by default.
    quirks: Quirks {
        /// Treat computed indices of resource arrays as `NonUniformResourceIndex`.
        non_uniform_indices / with_non_uniform_indices: bool = false,
        /// In a shader with a barrier that orders UAV accesses, every group barrier orders them
        /// device-wide, and UAVs are coherent.
        group_coherent_barriers / with_group_coherent_barriers: bool = false,
        /// Every group barrier orders UAV accesses device-wide, and UAVs are coherent.
        device_barriers / with_device_barriers: bool = false,
        /// `SV_ShadingRate` is not written and reads as 0 (one invocation per pixel).
        ignore_shading_rate / with_ignore_shading_rate: bool = false,
        /// `rsqrt` is at most the greatest finite number.
        finite_rsqrt / with_finite_rsqrt: bool = false,
        /// `WaveGetLaneCount` is at most 32 where the group has 32 threads.
        small_waves / with_small_waves: bool = false,
        /// `mad` is one operation, fused on devices that can, also where it is `precise`.
        precise_fma / with_precise_fma: bool = false,
        /// Cube map samples at a given level do not use mips of fewer than 8x8 texels.
        broken_cube_mips / with_broken_cube_mips: bool = false,
        /// Reads beyond a constant buffer at a device address are 0.
        robust_constant_addresses / with_robust_constant_addresses: bool = false,
        /// A mesh shader that sets more vertices or primitives than it declares outputs none, and
        /// out-of-range ones are not written.
        robust_mesh_outputs / with_robust_mesh_outputs: bool = false,
        /// Groupshared accesses of different kinds wait for the other threads of the wave, for
        /// shaders that rely on lockstep.
        groupshared_barriers / with_groupshared_barriers: bool = false,
        /// Loop variables that are undefined on entry are 0.
        undefined_loop_phis / with_undefined_loop_phis: bool = false,
        /// Quad reads of inactive lanes in compute shaders are 0.
        robust_quad_reads / with_robust_quad_reads: bool = false,
    }

    /// Intrinsics of vendors, which libraries for HLSL encode as operations on a UAV that does not exist.
    /// Without the option that UAV is one like others.
    vendor: VendorOptions {
        /// The UAV of AMD's AGS: an object with `register` and `space` (by default 0 and
        /// 2147420894).
        ags / with_ags: Option<IntrinsicsUav> = None,
        /// The UAV of NVIDIA's NVAPI: an object with the shader's `register` and `space`.
        nvapi / with_nvapi: Option<IntrinsicsUav> = None,
    }

    /// Names, debug information and checks.
    debug: DebugOptions {
        /// Emit `OpName` from the names in the module and its `STAT` part.
        names / with_names: bool = true,
        /// Emit `OpName` for each block with the structurizer's number (`b3`), as in `trellis
        /// tree`, `trellis cfg` and `trellis explain`.
        block_names / with_block_names: bool = false,
        /// Convert debug information of shaders compiled with `-Zi -Qembed_debug` (`ILDB`) to
        /// `NonSemantic.Shader.DebugInfo.100`. The rest of the output is unchanged. Below Vulkan
        /// 1.3 the device needs `VK_KHR_shader_non_semantic_info`.
        debug_info / with_debug_info: bool = true,
        /// Report wrong descriptors of the resource heap: `report`, `heap` (each a `set` and
        /// `binding`) and `shader`, a number.
        descriptor_checks / with_descriptor_checks: Option<DescriptorChecks> = None,
        /// Report infinities and NaN: `control`, `values` (each a `set` and `binding`), `shader`,
        /// `stores_only`.
        value_checks / with_value_checks: Option<ValueChecks> = None,
        /// Also run SPIRV-Tools' validator; an error in a build without the feature `validate`.
        validate / with_validate: bool = false,
    }

    /// The structurizer. The output is valid and equivalent with any of these.
    structurizer: StructurizerOptions {
        /// A switch per optional stage, all on by default. `trellis explain` lists their decisions.
        stages / with_stages: Stages = Stages::ALL,
        /// Switches with a default case only in place of selectors, where branches leave several
        /// selections. Drivers compile them as loops.
        breakable_blocks / with_breakable_blocks: bool = false,
        /// Most instructions of an exit path that stays inside its loop.
        max_break_path / with_max_break_path: u32 = Structurizer::default().max_break_path,
    }
}

impl VendorOptions {
    /// Returns true if a shader has a UAV of intrinsics.
    pub(crate) fn applies(&self, shader: &Shader) -> bool {
        shader.resources.iter().any(|r| self.encodes(r))
    }

    /// Returns true if a resource is the UAV of intrinsics.
    pub(crate) fn encodes(&self, resource: &Resource) -> bool {
        let uav = match resource.kind {
            ResourceKind::RawBuffer => self.ags,
            ResourceKind::StructuredBuffer => self.nvapi,
            _ => None,
        };
        resource.class == ResourceClass::Uav
            && uav.is_some_and(|uav| {
                (uav.register, uav.space) == (resource.lower_bound, resource.space)
            })
    }
}

/// Options of [`crate::convert`]. Cheap to clone; shared between threads.
///
/// Serialized, it is an object with these fields; absent fields have their defaults, and an unknown
/// field is an error. A binding model is serialized as a
/// [`BindingFile`](crate::bindings::BindingFile) if it can be written as one
/// ([`BindingModel::to_file`]), and omitted otherwise; so is the model of stage inputs and outputs.
///
/// # Examples
///
/// ```
/// use trellis_spirv_backend::{Options, Target};
///
/// let options = Options::default()
///     .with_target(Target::Vulkan1_2)
///     .with_names(false);
/// assert!(!options.debug.names);
///
/// let same: Options = serde_json::from_str(
///     r#"{ "target": "vulkan1.2", "debug": { "names": false } }"#,
/// )?;
/// assert_eq!(same.target, options.target);
/// assert_eq!(same.debug, options.debug);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Options {
    /// Target environment.
    pub target: Target,
    /// Entry point to convert; `None`: the only one. For a library's shader the mangled name, or
    /// the name in the source where only one shader has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The set and binding of each resource.
    #[serde(
        serialize_with = "models::serialize_bindings",
        deserialize_with = "models::deserialize_bindings",
        skip_serializing_if = "models::has_no_file"
    )]
    pub bindings: Arc<dyn BindingModel>,
    /// The places of stage inputs and outputs, and the captures of stream output. Serialized like
    /// `bindings`, as a [`StageIoFile`](crate::stage_io::StageIoFile).
    #[serde(
        serialize_with = "models::serialize_stage_io",
        deserialize_with = "models::deserialize_stage_io",
        skip_serializing_if = "models::has_no_stage_io_file"
    )]
    pub stage_io: Arc<dyn StageIoModel>,
    /// The shader's interface.
    pub interface: InterfaceOptions,
    /// Features of the device that the output may require.
    pub extensions: Extensions,
    /// Code for differences between drivers or APIs.
    pub workarounds: Workarounds,
    /// Workarounds for bugs of applications.
    pub quirks: Quirks,
    /// Intrinsics of vendors.
    pub vendor: VendorOptions,
    /// Names, debug information and checks.
    pub debug: DebugOptions,
    /// The outputs of the mesh shader before a pixel shader, which D3D links by semantic: gives the
    /// inputs the locations that the mesh shader writes, and decorates those that belong to a
    /// primitive. These are the defaults that `stage_io` is asked with; where it moved the mesh
    /// shader's outputs, it has to move the inputs, too. Without it a pixel shader follows a vertex
    /// shader; other stages ignore it.
    #[serde(
        serialize_with = "models::serialize_mesh",
        deserialize_with = "models::deserialize_mesh"
    )]
    pub mesh: Option<Arc<MeshOutputs>>,
    /// The structurizer.
    pub structurizer: StructurizerOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Target::default(),
            entry: None,
            bindings: default_bindings(),
            stage_io: Arc::new(DefaultStageIo),
            interface: InterfaceOptions::default(),
            extensions: Extensions::default(),
            workarounds: Workarounds::default(),
            quirks: Quirks::default(),
            vendor: VendorOptions::default(),
            debug: DebugOptions::default(),
            mesh: None,
            structurizer: StructurizerOptions::default(),
        }
    }
}

impl Options {
    /// Sets the target environment.
    #[must_use]
    pub fn with_target(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Sets the entry point to convert.
    #[must_use]
    pub fn with_entry(mut self, entry: impl Into<Option<String>>) -> Self {
        self.entry = entry.into();
        self
    }

    /// Sets the binding model.
    #[must_use]
    pub fn with_bindings(mut self, bindings: Arc<dyn BindingModel>) -> Self {
        self.bindings = bindings;
        self
    }

    /// Sets the model of the places of stage inputs and outputs.
    #[must_use]
    pub fn with_stage_io(mut self, stage_io: Arc<dyn StageIoModel>) -> Self {
        self.stage_io = stage_io;
        self
    }

    /// Sets the mesh shader that a pixel shader is linked with.
    #[must_use]
    pub fn with_mesh(mut self, mesh: impl Into<Option<Arc<MeshOutputs>>>) -> Self {
        self.mesh = mesh.into();
        self
    }

    /// Returns the structurizer's options of a conversion with these options.
    ///
    /// The emitted module is verified anyway, graph and values: the structurizer's own check of its
    /// result is for debug builds.
    pub fn structurizer_options(&self) -> Structurizer {
        let mut options = Structurizer::default();
        options.verify = cfg!(debug_assertions);
        options.stages = self.structurizer.stages;
        options.target.breakable_blocks = self.structurizer.breakable_blocks;
        options.max_break_path = self.structurizer.max_break_path;
        options.max_continue_switches = self.workarounds.max_continue_switches;
        options
    }
}

fn default_bindings() -> Arc<dyn BindingModel> {
    Arc::new(DefaultBindings::default())
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("target", &self.target)
            .field("entry", &self.entry)
            .field("bindings", &self.bindings.to_file())
            .field("stage_io", &self.stage_io.to_file())
            .field("interface", &self.interface)
            .field("extensions", &self.extensions)
            .field("workarounds", &self.workarounds)
            .field("quirks", &self.quirks)
            .field("vendor", &self.vendor)
            .field("debug", &self.debug)
            .field("structurizer", &self.structurizer)
            .field("mesh", &self.mesh)
            .finish()
    }
}

#[cfg(test)]
mod tests;
