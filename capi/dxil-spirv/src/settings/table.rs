//! All options of the interface, and their effects here. The README lists those without effect; a
//! test compares.

use std::slice;

use trellis_spirv_backend::bindings::{AddressLayout, HeapBinding, OffsetLayout};
use trellis_spirv_backend::options::{
    BranchHint, Component, DescriptorChecks, IntrinsicsUav, LoopHint, ValueChecks,
};
use trellis_spirv_backend::{MinPrecision, Quirks};

use super::Settings;
use crate::abi::*;
use crate::failure::{Failure, Result};
use crate::log;

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The same as in the reference.
    Same,
    /// A part of its effect in the reference; the rest has no effect.
    Part(&'static str),
    /// Nothing, for the reason.
    None(&'static str),
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// Its number.
    pub number: OptionType,
    /// Its name, without `DXIL_SPV_OPTION_`.
    pub name: &'static str,
    /// Its effect.
    pub effect: Effect,
    /// Sets it, by a pointer to its struct.
    pub(super) set: unsafe fn(&mut Settings, *const OptionBase) -> Result<()>,
}

/// The result of setting an option: an error for a value that is not defined, where there are such.
trait Done {
    fn done(self) -> Result<()>;
}

impl Done for () {
    fn done(self) -> Result<()> {
        Ok(())
    }
}

impl Done for Result<()> {
    fn done(self) -> Result<()> {
        self
    }
}

/// Sets an option.
///
/// # Safety
/// `at` points to a struct of this type, whose fields may have any bits.
unsafe fn set<T, R: Done>(
    settings: &mut Settings,
    at: *const OptionBase,
    set: impl FnOnce(&mut Settings, T) -> R,
) -> Result<()> {
    // SAFETY: the caller's promise is the same.
    let given = unsafe { at.cast::<T>().read_unaligned() };
    set(settings, given).done()
}

/// Declares the options: their effect, and the settings that their struct changes.
macro_rules! table {
    ($($name:ident: $effect:expr $(=> $set:expr)?;)+) => {
        /// All options, by number.
        pub const TABLE: &[OptionRow] = &[$(OptionRow {
            number: option::$name,
            name: stringify!($name),
            effect: $effect,
            set: table!(@set $($set)?),
        }),+];
    };
    (@set) => { |_, _| Ok(()) };
    (@set $set:expr) => {
        // SAFETY: the caller guarantees that it points to the struct of the option, and that a list in
        // the struct is null or has the stated number of elements.
        |settings, at| unsafe { set(settings, at, $set) }
    };
}

use Effect::{None as Nothing, Part, Same};

const DEBUGGING: &str = "instrumentation is not supported";
/// The version of the buffers of descriptor QA.
const DESCRIPTOR_QA_VERSION: u32 = 2;
/// The version of the buffers of instruction instrumentation.
const INSTRUMENTATION_VERSION: u32 = 2;
const SPEED: &str = "no observable difference";

table! {
    SHADER_DEMOTE_TO_HELPER: Same => |s, given: OptionShaderDemoteToHelper| {
        s.options.extensions.demote = on(given.supported);
    };
    DUAL_SOURCE_BLENDING: Same => |s, given: OptionDualSourceBlending| {
        s.options.interface.dual_source = on(given.enabled);
    };
    OUTPUT_SWIZZLE: Same => |s, given: OptionOutputSwizzle| -> Result<()> {
        s.options.interface.output_swizzles = swizzles(given)?;
        Ok(())
    };
    RASTERIZER_SAMPLE_COUNT: Same => |s, given: OptionRasterizerSampleCount| {
        let is_literal = !on(given.spec_constant);
        s.options.interface.sample_count = is_literal.then_some(given.sample_count);
        if !is_literal {
            s.options.interface.sample_count_spec_id = given.sample_count;
        }
    };
    ROOT_CONSTANT_INLINE_UNIFORM_BLOCK: Same => |s, given: OptionRootConstantInlineUniformBlock| {
        let at = HeapBinding { set: given.desc_set, binding: given.binding };
        s.options.interface.root_uniform_block = on(given.enable).then_some(at);
    };
    BINDLESS_CBV_SSBO_EMULATION: Same => |s, given: OptionBindlessCbvSsboEmulation| {
        s.places.storage_constants = on(given.enable);
    };
    PHYSICAL_STORAGE_BUFFER: Same => |s, given: OptionPhysicalStorageBuffer| {
        s.places.addresses = on(given.enable);
    };
    SBT_DESCRIPTOR_SIZE_LOG2: Same => |s, given: OptionSbtDescriptorSizeLog2| {
        s.places.descriptor_size = given.size_log2_srv_uav_cbv;
        s.places.sampler_size = given.size_log2_sampler;
    };
    SSBO_ALIGNMENT: Same => |s, given: OptionSsboAlignment| -> Result<()> {
        let alignment = given.alignment;
        if !alignment.is_power_of_two() {
            let text = format!("an alignment of {alignment}, which is not a power of two");
            return Err(Failure::argument(text));
        }
        s.places.storage_alignment = alignment;
        Ok(())
    };
    TYPED_UAV_READ_WITHOUT_FORMAT: Same => |s, given: OptionTypedUavReadWithoutFormat| {
        s.options.extensions.read_without_format = on(given.supported);
    };
    SHADER_SOURCE_FILE: Nothing("the output has no file name");
    BINDLESS_TYPED_BUFFER_OFFSETS: Same => |s, given: OptionBindlessTypedBufferOffsets| {
        s.places.typed_offsets = on(given.enable);
    };
    BINDLESS_OFFSET_BUFFER_LAYOUT: Same => |s, given: OptionBindlessOffsetBufferLayout| {
        s.options.interface.offset_layout = OffsetLayout {
            stride: given.stride,
            untyped: given.untyped_offset,
            typed: given.typed_offset,
        };
    };
    STORAGE_INPUT_OUTPUT_16BIT: Same => |s, given: OptionStorageInputOutput16bit| {
        s.options.interface.io_16bit = on(given.supported);
    };
    DESCRIPTOR_QA: Part("pixel shaders test depth late") => |s, given: OptionDescriptorQa| {
        let is_known = given.version == DESCRIPTOR_QA_VERSION;
        let is_enabled = on(given.enabled);
        not_done(Bool::from(is_enabled && !is_known), "this version of descriptor QA");
        s.options.debug.descriptor_checks = (is_enabled && is_known).then_some(DescriptorChecks {
            report: HeapBinding { set: given.global_desc_set, binding: given.global_binding },
            heap: HeapBinding { set: given.heap_desc_set, binding: given.heap_binding },
            shader: given.shader_hash,
        });
    };
    MIN_PRECISION_NATIVE_16BIT: Same => |s, given: OptionMinPrecisionNative16bit| {
        s.options.interface.min_precision = if on(given.enabled) {
            MinPrecision::Native16
        } else {
            MinPrecision::Relaxed32
        };
    };
    SHADER_I8_DOT: Same => |s, given: OptionShaderI8Dot| {
        s.options.extensions.integer_dot_product = on(given.supported);
    };
    SHADER_RAY_TRACING_PRIMITIVE_CULLING: Nothing("used where the shader requires it");
    INVARIANT_POSITION: Same => |s, given: OptionInvariantPosition| {
        s.options.interface.invariant_position = on(given.enabled);
    };
    SCALAR_BLOCK_LAYOUT: Nothing(SPEED);
    BARYCENTRIC_KHR: Nothing("barycentrics always use KHR");
    ROBUST_PHYSICAL_CBV_LOAD: Nothing("obsolete in dxil-spirv");
    ARITHMETIC_RELAXED_PRECISION: Nothing("relaxed precision is always allowed");
    PHYSICAL_ADDRESS_DESCRIPTOR_INDEXING: Same => |s, given: OptionPhysicalAddressDescriptorIndexing| {
        let (stride, offset) = (given.element_stride, given.element_offset);
        s.options.interface.address_layout = AddressLayout { stride, offset };
    };
    FORCE_SUBGROUP_SIZE: Same => |s, given: OptionForceSubgroupSize| {
        let forced = Some(given.forced_value).filter(|&n| n != 0);
        s.options.workarounds.wave_lane_count = forced;
        s.forced_wave_size = forced.filter(|_| on(given.wave_size_enable));
    };
    DENORM_PRESERVE_SUPPORT: Same => |s, given: OptionDenormPreserveSupport| {
        s.options.extensions.denorm_preserve_16 = on(given.supports_float16_denorm_preserve);
        s.options.extensions.denorm_preserve_64 = on(given.supports_float64_denorm_preserve);
    };
    STRICT_HELPER_LANE_WAVE_OPS: Nothing("wave operations are always strict");
    SUBGROUP_PARTITIONED_NV: Nothing(SPEED);
    DEAD_CODE_ELIMINATE: Nothing("dead code is always removed");
    PRECISE_CONTROL: Part("`propagate_precise` has no effect") => |s, given: OptionPreciseControl| {
        s.options.workarounds.force_precise = on(given.force_precise);
    };
    SAMPLE_GRAD_OPTIMIZATION_CONTROL: Nothing(SPEED);
    OPACITY_MICROMAP: Same => |s, given: OptionOpacityMicromap| {
        s.options.extensions.query_micromaps = on(given.enabled);
    };
    BRANCH_CONTROL: Same => |s, given: OptionBranchControl| {
        let workarounds = &mut s.options.workarounds;
        workarounds.source_hints = on(given.use_shader_metadata);
        workarounds.branch_hint = match (on(given.force_flatten), on(given.force_branch)) {
            (true, _) => Some(BranchHint::Flatten),
            (_, true) => Some(BranchHint::Branch),
            _ => None,
        };
        workarounds.loop_hint = match (on(given.force_unroll), on(given.force_loop)) {
            (true, _) => Some(LoopHint::Unroll),
            (_, true) => Some(LoopHint::Loop),
            _ => None,
        };
    };
    SUBGROUP_PROPERTIES: Nothing(SPEED);
    DESCRIPTOR_HEAP_ROBUSTNESS: Same => |s, given: OptionDescriptorHeapRobustness| {
        s.heap_limit.enabled = on(given.enabled);
    };
    COMPUTE_SHADER_DERIVATIVES_NV: Nothing("obsolete in dxil-spirv");
    QUAD_CONTROL_RECONVERGENCE: Same => |s, given: OptionQuadControlReconvergence| {
        let is_forced = on(given.force_maximal_reconvergence);
        s.options.extensions.quad_control = on(given.supports_quad_control);
        s.options.extensions.maximal_reconvergence = on(given.supports_maximal_reconvergence);
        s.options.workarounds.force_maximal_reconvergence = is_forced;
    };
    RAW_ACCESS_CHAINS_NV: Nothing(SPEED);
    DRIVER_VERSION: Nothing("no driver workarounds");
    COMPUTE_SHADER_DERIVATIVES: Part("`supports_nv` has no effect; derivatives always use KHR") =>
        |s, given: OptionComputeShaderDerivatives| {
            s.options.extensions.compute_derivatives = on(given.supports_khr);
        };
    INSTRUCTION_INSTRUMENTATION: Part("`NAN_INF` types, 32-bit floats") =>
        |s, given: OptionInstructionInstrumentation| {
            let (is_enabled, kind) = (on(given.enabled), given.instrumentation);
            let stores_only = kind == instrumentation_type::EXTERNALLY_VISIBLE_WRITE_NAN_INF;
            let is_known = given.version == INSTRUMENTATION_VERSION
                && (stores_only || kind == instrumentation_type::FULL_NAN_INF);
            not_done(Bool::from(is_enabled && !is_known), "this instruction instrumentation");
            s.options.debug.value_checks = (is_enabled && is_known).then_some(ValueChecks {
                control: HeapBinding { set: given.control_desc_set, binding: given.control_binding },
                values: HeapBinding { set: given.payload_desc_set, binding: given.payload_binding },
                shader: given.shader_hash,
                stores_only,
            });
        };
    SHADER_QUIRK: Same => |s, given: OptionShaderQuirk| add_quirk(&mut s.options.quirks, given.quirk);
    EXTENDED_ROBUSTNESS: Same => |s, given: OptionExtendedRobustness| {
        s.options.workarounds.robust_groupshared = on(given.robust_group_shared);
        s.options.workarounds.robust_local_arrays = on(given.robust_alloca);
        s.options.workarounds.robust_tables = on(given.robust_constant_lut);
    };
    MAX_TESS_FACTOR: Same => |s, given: OptionMaxTessFactor| {
        let factor = Some(given.max_tess_factor).filter(|&n| n != 0);
        s.options.interface.max_tessellation_factor = factor;
    };
    VULKAN_MEMORY_MODEL: Same => |s, given: OptionVulkanMemoryModel| {
        s.options.extensions.vulkan_memory_model = on(given.enabled);
    };
    FLOAT8_SUPPORT: Part("`nv_cooperative_matrix2_conversions` has no effect") =>
        |s, given: OptionFloat8Support| {
            s.options.extensions.float8 = on(given.wmma_fp8);
        };
    NVAPI: Part("footprints, positions, micromaps and spheres are not supported") =>
        |s, given: OptionNvapi| {
            let (register, space) = (given.register_index, given.register_space);
            let enabled = on(given.enabled);
            s.places.nvapi = enabled.then_some((register, space));
            s.options.vendor.nvapi = enabled.then_some(IntrinsicsUav { register, space });
        };
    EXTENDED_NON_SEMANTIC: Nothing(DEBUGGING);
    VIEW_INSTANCING: Same => |s, given: OptionViewInstancing| {
        let spec_id = |id| Some(id).filter(|&id| id != u32::MAX);
        s.views.enabled = on(given.enabled);
        let views = &mut s.views.views;
        views.last_stage = on(given.last_pre_rasterization_stage);
        views.instances = spec_id(given.view_index_to_view_instance_spec_id);
        views.viewports = spec_id(given.view_instance_to_viewport_spec_id);
    };
    MIXED_FLOAT_DOT_PRODUCT: Nothing(SPEED);
    COMPUTE_SHADER_DERIVATIVES_QUAD: Nothing("quads are used where the group size allows it");
}

/// Returns the option with a number.
pub fn row(number: OptionType) -> Option<&'static OptionRow> {
    let index = number.checked_sub(1)? as usize;
    TABLE.get(index)
}

fn on(value: Bool) -> bool {
    value != FALSE
}

/// Warns of an option without effect that a client would notice, if it is enabled.
fn not_done(enabled: Bool, what: &str) {
    if on(enabled) {
        log::warn(format_args!("{what}: not supported, and not done"));
    }
}

/// Adds a workaround.
fn add_quirk(quirks: &mut Quirks, number: Quirk) {
    let to = match number {
        quirk::FORCE_DEVICE_MEMORY_BARRIERS_THREAD_GROUP_COHERENCE => {
            &mut quirks.group_coherent_barriers
        }
        quirk::ASSUME_BROKEN_SUB_8X8_CUBE_MIPS => &mut quirks.broken_cube_mips,
        quirk::ROBUST_PHYSICAL_CBV_FORWARDING | quirk::ROBUST_PHYSICAL_CBV => {
            &mut quirks.robust_constant_addresses
        }
        quirk::MESH_OUTPUTS_ROBUSTNESS => &mut quirks.robust_mesh_outputs,
        quirk::AGGRESSIVE_NONUNIFORM | quirk::FORCE_NONUNIFORM => &mut quirks.non_uniform_indices,
        quirk::PROMOTE_GROUP_TO_DEVICE_MEMORY_BARRIER => &mut quirks.device_barriers,
        quirk::GROUP_SHARED_AUTO_BARRIER => &mut quirks.groupshared_barriers,
        quirk::FIXUP_LOOP_HEADER_UNDEF_PHIS => &mut quirks.undefined_loop_phis,
        quirk::FIXUP_RSQRT_INF_NAN => &mut quirks.finite_rsqrt,
        quirk::IGNORE_PRIMITIVE_SHADING_RATE => &mut quirks.ignore_shading_rate,
        quirk::ROBUST_COMPUTE_QUAD_BROADCAST => &mut quirks.robust_quad_reads,
        quirk::PRECISE_FMA => &mut quirks.precise_fma,
        quirk::CLAMP_WAVE_SIZE_TO_THREAD_GROUP_32 => &mut quirks.small_waves,
        quirk::NONE => return,
        // 15 is in use after this version of the interface.
        _ => {
            return log::debug(format_args!(
                "quirk {number} is not known, and has no effect"
            ));
        }
    };
    *to = true;
}

/// The most elements of a list in an option: render targets.
const MAX_SWIZZLES: u32 = 8;
/// A swizzle that changes nothing.
const IDENTITY_SWIZZLE: u32 = 0b11_10_01_00;

/// Returns the swizzles of render targets; empty if none changes anything.
///
/// # Safety
/// The list is null, or has `swizzle_count` elements.
unsafe fn swizzles(given: OptionOutputSwizzle) -> Result<Vec<[Component; 4]>> {
    let count = given.swizzle_count.min(MAX_SWIZZLES) as usize;
    if count == 0 {
        return Ok(Vec::new());
    }
    if given.swizzles.is_null() {
        return Err(Failure::argument("the list of swizzles is null"));
    }
    // SAFETY: it is not null, and the caller promises its length.
    let swizzles: &[u32] = unsafe { slice::from_raw_parts(given.swizzles, count) };
    if swizzles.iter().all(|&s| s & 0xFF == IDENTITY_SWIZZLE) {
        return Ok(Vec::new());
    }
    let component = |bits: u32| match bits & 3 {
        0 => Component::R,
        1 => Component::G,
        2 => Component::B,
        _ => Component::A,
    };
    let swizzle = |s: &u32| [0, 2, 4, 6].map(|shift| component(s >> shift));
    Ok(swizzles.iter().map(swizzle).collect())
}

#[cfg(test)]
mod tests {
    use super::{TABLE, option, row};

    #[test]
    fn the_table_has_every_option_at_its_number() {
        assert_eq!(TABLE.len(), 51);
        for (expected, row) in (1..).zip(TABLE) {
            assert_eq!(row.number, expected, "{}", row.name);
        }
        assert_eq!(option::ALL.len(), 52);
        assert!(row(0).is_none());
        assert!(row(52).is_none());
        assert_eq!(row(51).unwrap().name, "COMPUTE_SHADER_DERIVATIVES_QUAD");
    }
}
