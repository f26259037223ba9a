//! What each option sets.

use std::slice;

use trellis_spirv_backend::bindings::{AddressLayout, HeapBinding, OffsetLayout};
use trellis_spirv_backend::options::{BranchHint, Component, IntrinsicsUav, LoopHint};
use trellis_spirv_backend::{MinPrecision, Options, Quirks};

use super::Settings;
use crate::abi::{self, Bool, OptionBase, OptionType, Quirk, option, quirk};
use crate::failure::{Failure, Result};
use crate::log;

/// The most elements of a list in an option: render targets.
const MAX_SWIZZLES: u32 = 8;
/// A swizzle that changes nothing.
const IDENTITY_SWIZZLE: u32 = 0b11_10_01_00;

fn on(value: Bool) -> bool {
    value != abi::FALSE
}

/// Reads the struct of an option.
macro_rules! read {
    ($at:ident, $struct:ident) => {
        // SAFETY: the caller promises that it points to the struct of the option; all of its fields
        // may have any bits.
        unsafe { $at.cast::<abi::$struct>().read_unaligned() }
    };
}

/// Sets an option of a number that is defined.
///
/// # Errors
/// It has a value that is not defined.
///
/// # Safety
/// `at` points to the struct of the option.
pub(super) unsafe fn set(
    settings: &mut Settings,
    ty: OptionType,
    at: *const OptionBase,
) -> Result<()> {
    // SAFETY: the caller's promise is the same.
    unsafe {
        if !place(settings, ty, at)? && !interface(settings, ty, at)? && !code(settings, ty, at) {
            unused(ty, at);
        }
    }
    Ok(())
}

/// Sets an option about the places of resources; returns whether it is one.
///
/// # Safety
/// As [`set`].
unsafe fn place(settings: &mut Settings, ty: OptionType, at: *const OptionBase) -> Result<bool> {
    let interface = &mut settings.options.interface;
    let places = &mut settings.places;
    match ty {
        option::ROOT_CONSTANT_INLINE_UNIFORM_BLOCK => {
            let block = read!(at, OptionRootConstantInlineUniformBlock);
            interface.root_uniform_block = on(block.enable).then_some(HeapBinding {
                set: block.desc_set,
                binding: block.binding,
            });
        }
        option::BINDLESS_CBV_SSBO_EMULATION => {
            places.storage_constants = on(read!(at, OptionBindlessCbvSsboEmulation).enable);
        }
        option::PHYSICAL_STORAGE_BUFFER => {
            places.addresses = on(read!(at, OptionPhysicalStorageBuffer).enable);
        }
        option::SBT_DESCRIPTOR_SIZE_LOG2 => {
            let sizes = read!(at, OptionSbtDescriptorSizeLog2);
            places.descriptor_size = sizes.size_log2_srv_uav_cbv;
            places.sampler_size = sizes.size_log2_sampler;
        }
        option::SSBO_ALIGNMENT => {
            let alignment = read!(at, OptionSsboAlignment).alignment;
            if !alignment.is_power_of_two() {
                return Err(Failure::argument(format!(
                    "an alignment of {alignment}, which is not a power of two"
                )));
            }
            places.storage_alignment = alignment;
        }
        option::BINDLESS_TYPED_BUFFER_OFFSETS => {
            places.typed_offsets = on(read!(at, OptionBindlessTypedBufferOffsets).enable);
        }
        option::BINDLESS_OFFSET_BUFFER_LAYOUT => {
            let layout = read!(at, OptionBindlessOffsetBufferLayout);
            interface.offset_layout = OffsetLayout {
                stride: layout.stride,
                untyped: layout.untyped_offset,
                typed: layout.typed_offset,
            };
        }
        option::DESCRIPTOR_HEAP_ROBUSTNESS => {
            settings.heap_limit.enabled = on(read!(at, OptionDescriptorHeapRobustness).enabled);
        }
        option::NVAPI => {
            let nvapi = read!(at, OptionNvapi);
            let register = (nvapi.register_index, nvapi.register_space);
            places.nvapi = on(nvapi.enabled).then_some(register);
            settings.options.vendor.nvapi =
                (places.nvapi).map(|(register, space)| IntrinsicsUav { register, space });
        }
        option::PHYSICAL_ADDRESS_DESCRIPTOR_INDEXING => {
            let indexing = read!(at, OptionPhysicalAddressDescriptorIndexing);
            interface.address_layout = AddressLayout {
                stride: indexing.element_stride,
                offset: indexing.element_offset,
            };
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Sets an option about inputs and outputs; returns whether it is one.
///
/// # Safety
/// As [`set`].
unsafe fn interface(
    settings: &mut Settings,
    ty: OptionType,
    at: *const OptionBase,
) -> Result<bool> {
    let interface = &mut settings.options.interface;
    match ty {
        option::DUAL_SOURCE_BLENDING => {
            interface.dual_source = on(read!(at, OptionDualSourceBlending).enabled);
        }
        option::OUTPUT_SWIZZLE => {
            let given = read!(at, OptionOutputSwizzle);
            // SAFETY: the caller promises that the list has so many elements.
            interface.output_swizzles = unsafe { swizzles(given) }?;
        }
        option::RASTERIZER_SAMPLE_COUNT => {
            let count = read!(at, OptionRasterizerSampleCount);
            if on(count.spec_constant) {
                interface.sample_count = None;
                interface.sample_count_spec_id = count.sample_count;
            } else {
                interface.sample_count = Some(count.sample_count);
            }
        }
        option::STORAGE_INPUT_OUTPUT_16BIT => {
            interface.io_16bit = on(read!(at, OptionStorageInputOutput16bit).supported);
        }
        option::MIN_PRECISION_NATIVE_16BIT => {
            interface.min_precision = if on(read!(at, OptionMinPrecisionNative16bit).enabled) {
                MinPrecision::Native16
            } else {
                MinPrecision::Relaxed32
            };
        }
        option::INVARIANT_POSITION => {
            interface.invariant_position = on(read!(at, OptionInvariantPosition).enabled);
        }
        option::MAX_TESS_FACTOR => {
            let factor = read!(at, OptionMaxTessFactor).max_tess_factor;
            interface.max_tessellation_factor = Some(factor).filter(|&n| n != 0);
        }
        option::VIEW_INSTANCING => {
            let views = read!(at, OptionViewInstancing);
            let spec_id = |id| Some(id).filter(|&id| id != u32::MAX);
            settings.views.enabled = on(views.enabled);
            let to = &mut settings.views.views;
            to.last_stage = on(views.last_pre_rasterization_stage);
            to.instances = spec_id(views.view_index_to_view_instance_spec_id);
            to.viewports = spec_id(views.view_instance_to_viewport_spec_id);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Sets an option about the code; returns whether it is one.
///
/// # Safety
/// As [`set`].
unsafe fn code(settings: &mut Settings, ty: OptionType, at: *const OptionBase) -> bool {
    let Options {
        extensions,
        workarounds,
        quirks,
        ..
    } = &mut settings.options;
    match ty {
        option::SHADER_DEMOTE_TO_HELPER => {
            extensions.demote = on(read!(at, OptionShaderDemoteToHelper).supported);
        }
        option::TYPED_UAV_READ_WITHOUT_FORMAT => {
            let supported = read!(at, OptionTypedUavReadWithoutFormat).supported;
            extensions.read_without_format = on(supported);
        }
        option::FORCE_SUBGROUP_SIZE => {
            let size = read!(at, OptionForceSubgroupSize);
            let forced = Some(size.forced_value).filter(|&n| n != 0);
            workarounds.wave_lane_count = forced;
            settings.forced_wave_size = forced.filter(|_| on(size.wave_size_enable));
        }
        option::DENORM_PRESERVE_SUPPORT => {
            let support = read!(at, OptionDenormPreserveSupport);
            extensions.denorm_preserve_16 = on(support.supports_float16_denorm_preserve);
            extensions.denorm_preserve_64 = on(support.supports_float64_denorm_preserve);
        }
        option::COMPUTE_SHADER_DERIVATIVES => {
            let support = read!(at, OptionComputeShaderDerivatives);
            extensions.compute_derivatives = on(support.supports_khr);
        }
        option::SHADER_I8_DOT => {
            extensions.integer_dot_product = on(read!(at, OptionShaderI8Dot).supported);
        }
        option::PRECISE_CONTROL => {
            workarounds.force_precise = on(read!(at, OptionPreciseControl).force_precise);
        }
        option::BRANCH_CONTROL => {
            let hints = read!(at, OptionBranchControl);
            workarounds.source_hints = on(hints.use_shader_metadata);
            workarounds.branch_hint = match (on(hints.force_flatten), on(hints.force_branch)) {
                (true, _) => Some(BranchHint::Flatten),
                (_, true) => Some(BranchHint::Branch),
                _ => None,
            };
            workarounds.loop_hint = match (on(hints.force_unroll), on(hints.force_loop)) {
                (true, _) => Some(LoopHint::Unroll),
                (_, true) => Some(LoopHint::Loop),
                _ => None,
            };
        }
        option::QUAD_CONTROL_RECONVERGENCE => {
            let quads = read!(at, OptionQuadControlReconvergence);
            extensions.quad_control = on(quads.supports_quad_control);
            extensions.maximal_reconvergence = on(quads.supports_maximal_reconvergence);
            workarounds.force_maximal_reconvergence = on(quads.force_maximal_reconvergence);
        }
        option::SHADER_QUIRK => add_quirk(quirks, read!(at, OptionShaderQuirk).quirk),
        option::VULKAN_MEMORY_MODEL => {
            extensions.vulkan_memory_model = on(read!(at, OptionVulkanMemoryModel).enabled);
        }
        option::EXTENDED_ROBUSTNESS => {
            let robust = read!(at, OptionExtendedRobustness);
            workarounds.robust_groupshared = on(robust.robust_group_shared);
            workarounds.robust_local_arrays = on(robust.robust_alloca);
            workarounds.robust_tables = on(robust.robust_constant_lut);
        }
        _ => return false,
    }
    true
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

/// Returns the swizzles of render targets; empty if none changes anything.
///
/// # Safety
/// The list is null, or has so many elements.
unsafe fn swizzles(given: abi::OptionOutputSwizzle) -> Result<Vec<[Component; 4]>> {
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

/// Warns of options without effect that a client would notice.
///
/// # Safety
/// `at` points to the struct of the option.
unsafe fn unused(ty: OptionType, at: *const OptionBase) {
    let what = match ty {
        option::DESCRIPTOR_QA if on(read!(at, OptionDescriptorQa).enabled) => "descriptor QA",
        option::INSTRUCTION_INSTRUMENTATION
            if on(read!(at, OptionInstructionInstrumentation).enabled) =>
        {
            "instruction instrumentation"
        }
        _ => return,
    };
    log::warn(format_args!("{what}: not supported, and not done"));
}
