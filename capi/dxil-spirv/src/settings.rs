//! The options: what each becomes, and which are accepted without effect.

mod table;

use std::slice;

use trellis_spirv_backend::bindings::{AddressLayout, HeapBinding, OffsetLayout};
use trellis_spirv_backend::options::{BranchHint, Component, LoopHint, ViewInstancing};
use trellis_spirv_backend::{MinPrecision, Options, Quirks};

use crate::abi::{
    self, Bool, MetaDescriptor, MetaDescriptorKind, OptionBase, OptionType, Quirk, meta_descriptor,
    meta_descriptor_kind, option, quirk,
};
use crate::failure::{Failure, Result};
use crate::log;

pub use table::{Effect, OptionRow, TABLE, row};

/// What a client has chosen.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What has an equivalent in the translation.
    pub(crate) options: Options,
    pub(crate) places: PlaceSettings,
    /// The number of invocations of a wave that the client sets.
    pub(crate) forced_wave_size: Option<u32>,
    pub(crate) views: ViewSettings,
}

/// Choices that change what the remappers' answers mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlaceSettings {
    /// Constant buffers in heaps are storage buffers.
    pub(crate) storage_constants: bool,
    /// Counters and acceleration structures in heaps are addresses.
    pub(crate) addresses: bool,
    /// The alignment of storage buffers: those that need less have an offset.
    pub(crate) storage_alignment: u32,
    /// Typed buffers have offsets.
    pub(crate) typed_offsets: bool,
    /// Binary logarithms of the sizes of descriptors in tables of a shader record.
    pub(crate) descriptor_size: u32,
    pub(crate) sampler_size: u32,
}

/// How views are instanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ViewSettings {
    enabled: bool,
    /// The choices, without the uniform block.
    views: ViewInstancing,
    /// The uniform block with the view of a draw.
    offsets: Option<HeapBinding>,
}

impl ViewSettings {
    /// Returns the option of the translation.
    pub(crate) fn instancing(&self) -> Option<ViewInstancing> {
        let mut views = self.views;
        views.offsets = self.offsets;
        Some(views).filter(|_| self.enabled)
    }

    /// Returns whether views can be those of Vulkan's multiview.
    pub(crate) fn has_multiview(&self) -> bool {
        self.enabled && self.views.instances.is_some()
    }
}

impl Default for Settings {
    fn default() -> Self {
        let mut options = Options::default();
        options.interface.entry_point_name = Some("main".to_owned());
        options.interface.multiview = false;
        options.extensions.preserve_nan = false;
        // Devices of clients that have such shaders have the extension.
        options.extensions.dynamic_offsets = true;
        // Clients have `VK_KHR_maintenance5`, and not the feature that the write needs.
        options.workarounds.point_size = false;
        Self {
            options,
            places: PlaceSettings {
                storage_constants: false,
                addresses: false,
                storage_alignment: 1,
                typed_offsets: false,
                descriptor_size: 0,
                sampler_size: 0,
            },
            forced_wave_size: None,
            views: ViewSettings::default(),
        }
    }
}

/// The most elements of a list in an option: render targets.
const MAX_SWIZZLES: u32 = 8;
/// A swizzle that changes nothing.
const IDENTITY_SWIZZLE: u32 = 0b11_10_01_00;

fn on(value: Bool) -> bool {
    value != abi::FALSE
}

impl Settings {
    /// Sets an option.
    ///
    /// # Errors
    /// Its pointer is null, or it has a value that is not defined.
    ///
    /// # Safety
    /// `at` is null, or points to the struct of the option whose number it begins with; of a number
    /// that is not defined, to an [`OptionBase`].
    pub(crate) unsafe fn add(&mut self, at: *const OptionBase) -> Result<()> {
        if at.is_null() {
            return Err(Failure::argument("the option is null"));
        }
        // SAFETY: it is not null, and the caller promises that it points to an option.
        let OptionBase { ty } = unsafe { at.read_unaligned() };
        let Some(row) = row(ty) else {
            // Newer clients have options that this version does not define, and must go on.
            let note = format_args!("option {ty} is not known, and has no effect");
            log::note_option(ty, note);
            return Ok(());
        };
        if let Effect::None(reason) = row.effect {
            let note = format_args!("option {} has no effect: {reason}", row.name);
            log::note_option(ty, note);
        }
        // SAFETY: the caller promises that it points to the struct of the option.
        unsafe { self.set(ty, at) }
    }

    /// Sets an option of a number that is defined.
    ///
    /// # Safety
    /// As [`add`](Self::add), and `at` is not null.
    unsafe fn set(&mut self, ty: OptionType, at: *const OptionBase) -> Result<()> {
        /// Reads the struct of an option.
        macro_rules! read {
            ($struct:ident) => {
                // SAFETY: the caller promises that it points to the struct of the option; all of
                // its fields may have any bits.
                unsafe { at.cast::<abi::$struct>().read_unaligned() }
            };
        }
        let Options {
            interface,
            extensions,
            workarounds,
            quirks,
            ..
        } = &mut self.options;
        let places = &mut self.places;
        match ty {
            option::SHADER_DEMOTE_TO_HELPER => {
                extensions.demote = on(read!(OptionShaderDemoteToHelper).supported);
            }
            option::DUAL_SOURCE_BLENDING => {
                interface.dual_source = on(read!(OptionDualSourceBlending).enabled);
            }
            option::OUTPUT_SWIZZLE => {
                let given = read!(OptionOutputSwizzle);
                // SAFETY: the caller promises that the list has so many elements.
                interface.output_swizzles = unsafe { swizzles(given) }?;
            }
            option::RASTERIZER_SAMPLE_COUNT => {
                let count = read!(OptionRasterizerSampleCount);
                if on(count.spec_constant) {
                    interface.sample_count = None;
                    interface.sample_count_spec_id = count.sample_count;
                } else {
                    interface.sample_count = Some(count.sample_count);
                }
            }
            option::ROOT_CONSTANT_INLINE_UNIFORM_BLOCK => {
                let block = read!(OptionRootConstantInlineUniformBlock);
                interface.root_uniform_block = on(block.enable).then_some(HeapBinding {
                    set: block.desc_set,
                    binding: block.binding,
                });
            }
            option::BINDLESS_CBV_SSBO_EMULATION => {
                places.storage_constants = on(read!(OptionBindlessCbvSsboEmulation).enable);
            }
            option::PHYSICAL_STORAGE_BUFFER => {
                places.addresses = on(read!(OptionPhysicalStorageBuffer).enable);
            }
            option::SBT_DESCRIPTOR_SIZE_LOG2 => {
                let sizes = read!(OptionSbtDescriptorSizeLog2);
                places.descriptor_size = sizes.size_log2_srv_uav_cbv;
                places.sampler_size = sizes.size_log2_sampler;
            }
            option::SSBO_ALIGNMENT => {
                let alignment = read!(OptionSsboAlignment).alignment;
                if !alignment.is_power_of_two() {
                    return Err(Failure::argument(format!(
                        "an alignment of {alignment}, which is not a power of two"
                    )));
                }
                places.storage_alignment = alignment;
            }
            option::TYPED_UAV_READ_WITHOUT_FORMAT => {
                let supported = read!(OptionTypedUavReadWithoutFormat).supported;
                extensions.read_without_format = on(supported);
            }
            option::BINDLESS_TYPED_BUFFER_OFFSETS => {
                places.typed_offsets = on(read!(OptionBindlessTypedBufferOffsets).enable);
            }
            option::BINDLESS_OFFSET_BUFFER_LAYOUT => {
                let layout = read!(OptionBindlessOffsetBufferLayout);
                interface.offset_layout = OffsetLayout {
                    stride: layout.stride,
                    untyped: layout.untyped_offset,
                    typed: layout.typed_offset,
                };
            }
            option::STORAGE_INPUT_OUTPUT_16BIT => {
                interface.io_16bit = on(read!(OptionStorageInputOutput16bit).supported);
            }
            option::MIN_PRECISION_NATIVE_16BIT => {
                interface.min_precision = if on(read!(OptionMinPrecisionNative16bit).enabled) {
                    MinPrecision::Native16
                } else {
                    MinPrecision::Relaxed32
                };
            }
            option::INVARIANT_POSITION => {
                interface.invariant_position = on(read!(OptionInvariantPosition).enabled);
            }
            option::PHYSICAL_ADDRESS_DESCRIPTOR_INDEXING => {
                let indexing = read!(OptionPhysicalAddressDescriptorIndexing);
                interface.address_layout = AddressLayout {
                    stride: indexing.element_stride,
                    offset: indexing.element_offset,
                };
            }
            option::FORCE_SUBGROUP_SIZE => {
                let size = read!(OptionForceSubgroupSize);
                let forced = Some(size.forced_value).filter(|&n| n != 0);
                workarounds.wave_lane_count = forced;
                self.forced_wave_size = forced.filter(|_| on(size.wave_size_enable));
            }
            option::DENORM_PRESERVE_SUPPORT => {
                let support = read!(OptionDenormPreserveSupport);
                extensions.denorm_preserve_16 = on(support.supports_float16_denorm_preserve);
                extensions.denorm_preserve_64 = on(support.supports_float64_denorm_preserve);
            }
            option::PRECISE_CONTROL => {
                workarounds.force_precise = on(read!(OptionPreciseControl).force_precise);
            }
            option::BRANCH_CONTROL => {
                let hints = read!(OptionBranchControl);
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
                let quads = read!(OptionQuadControlReconvergence);
                extensions.quad_control = on(quads.supports_quad_control);
                extensions.maximal_reconvergence = on(quads.supports_maximal_reconvergence);
                workarounds.force_maximal_reconvergence = on(quads.force_maximal_reconvergence);
            }
            option::SHADER_QUIRK => add_quirk(quirks, read!(OptionShaderQuirk).quirk),
            option::EXTENDED_ROBUSTNESS => {
                let robust = read!(OptionExtendedRobustness);
                workarounds.robust_groupshared = on(robust.robust_group_shared);
                workarounds.robust_local_arrays = on(robust.robust_alloca);
                workarounds.robust_tables = on(robust.robust_constant_lut);
            }
            option::MAX_TESS_FACTOR => {
                let factor = read!(OptionMaxTessFactor).max_tess_factor;
                interface.max_tessellation_factor = Some(factor).filter(|&n| n != 0);
            }
            option::VIEW_INSTANCING => {
                let views = read!(OptionViewInstancing);
                let spec_id = |id| Some(id).filter(|&id| id != u32::MAX);
                self.views.enabled = on(views.enabled);
                let to = &mut self.views.views;
                to.last_stage = on(views.last_pre_rasterization_stage);
                to.instances = spec_id(views.view_index_to_view_instance_spec_id);
                to.viewports = spec_id(views.view_instance_to_viewport_spec_id);
            }
            // SAFETY: the caller's promise is the same.
            _ => unsafe { unused(ty, at) },
        }
        Ok(())
    }

    /// Sets where a descriptor of the client's own is.
    pub(crate) fn meta_descriptor(
        &mut self,
        meta: MetaDescriptor,
        kind: MetaDescriptorKind,
        at: HeapBinding,
    ) -> Result<()> {
        defined(meta_descriptor::ALL, meta, "the descriptor")?;
        defined(meta_descriptor_kind::ALL, kind, "the kind of descriptor")?;
        match (meta, kind) {
            (
                meta_descriptor::DYNAMIC_VIEW_INSTANCING_OFFSETS,
                meta_descriptor_kind::UBO_CONTAINING_CONSTANT,
            ) => self.views.offsets = Some(at),
            (meta_descriptor::DYNAMIC_VIEW_INSTANCING_OFFSETS, meta_descriptor_kind::INVALID) => {
                self.views.offsets = None;
            }
            _ => log::debug(format_args!(
                "meta descriptor {meta} of kind {kind} has no effect"
            )),
        }
        Ok(())
    }
}

/// Warns of options without effect that a client would notice.
///
/// # Safety
/// `at` points to the struct of the option.
unsafe fn unused(ty: OptionType, at: *const OptionBase) {
    /// Reads the struct of an option.
    macro_rules! read {
        ($struct:ident) => {
            // SAFETY: the caller promises that it points to the struct of the option; all of its
            // fields may have any bits.
            unsafe { at.cast::<abi::$struct>().read_unaligned() }
        };
    }
    let what = match ty {
        option::DESCRIPTOR_QA if on(read!(OptionDescriptorQa).enabled) => "descriptor QA",
        option::INSTRUCTION_INSTRUMENTATION
            if on(read!(OptionInstructionInstrumentation).enabled) =>
        {
            "instruction instrumentation"
        }
        option::NVAPI if on(read!(OptionNvapi).enabled) => "NVAPI",
        option::DESCRIPTOR_HEAP_ROBUSTNESS if on(read!(OptionDescriptorHeapRobustness).enabled) => {
            "robustness of descriptor heaps"
        }
        _ => return,
    };
    log::warn(format_args!("{what}: not supported, and not done"));
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

/// Returns an error for the number of an enumeration that is not defined.
fn defined(list: &[(&str, u32)], number: u32, what: &str) -> Result<()> {
    if list.iter().any(|(_, n)| *n == number) {
        return Ok(());
    }
    Err(Failure::argument(format!("{what} {number} is not defined")))
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
