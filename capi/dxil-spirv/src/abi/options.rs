//! The structs of the options: each begins with the number of its option.

use std::ffi::c_char;

use super::numbers::{Bool, InstrumentationType, OptionType, Quirk};

/// Declares structs of options.
macro_rules! options {
    ($($name:ident { $($field:ident: $ty:ty,)+ })+) => {
        structs! { options:
            #[derive(PartialEq, Eq)]
            OptionBase { ty: OptionType }
            $(
                #[derive(PartialEq, Eq)]
                $name { base: OptionBase, $($field: $ty),+ }
            )+
        }
    };
}

options! {
    OptionShaderDemoteToHelper { supported: Bool, }
    OptionDualSourceBlending { enabled: Bool, }
    OptionOutputSwizzle { swizzles: *const u32, swizzle_count: u32, }
    OptionRasterizerSampleCount { sample_count: u32, spec_constant: Bool, }
    OptionRootConstantInlineUniformBlock { desc_set: u32, binding: u32, enable: Bool, }
    OptionBindlessCbvSsboEmulation { enable: Bool, }
    OptionPhysicalStorageBuffer { enable: Bool, }
    OptionSbtDescriptorSizeLog2 { size_log2_srv_uav_cbv: u32, size_log2_sampler: u32, }
    OptionSsboAlignment { alignment: u32, }
    OptionTypedUavReadWithoutFormat { supported: Bool, }
    OptionShaderSourceFile { name: *const c_char, }
    OptionBindlessTypedBufferOffsets { enable: Bool, }
    OptionBindlessOffsetBufferLayout { untyped_offset: u32, typed_offset: u32, stride: u32, }
    OptionStorageInputOutput16bit { supported: Bool, }
    OptionDescriptorQa {
        enabled: Bool,
        version: u32,
        global_desc_set: u32,
        global_binding: u32,
        heap_desc_set: u32,
        heap_binding: u32,
        shader_hash: u64,
    }
    OptionMinPrecisionNative16bit { enabled: Bool, }
    OptionShaderI8Dot { supported: Bool, }
    OptionShaderRayTracingPrimitiveCulling { supported: Bool, }
    OptionInvariantPosition { enabled: Bool, }
    OptionScalarBlockLayout { supported: Bool, supports_per_component_robustness: Bool, }
    OptionBarycentricKhr { supported: Bool, }
    OptionRobustPhysicalCbvLoad { enabled: Bool, }
    OptionArithmeticRelaxedPrecision { enabled: Bool, }
    OptionPhysicalAddressDescriptorIndexing { element_stride: u32, element_offset: u32, }
    OptionForceSubgroupSize { forced_value: u32, wave_size_enable: Bool, }
    OptionDenormPreserveSupport {
        supports_float16_denorm_preserve: Bool,
        supports_float64_denorm_preserve: Bool,
    }
    OptionStrictHelperLaneWaveOps { enable: Bool, }
    OptionSubgroupPartitionedNv { supported: Bool, }
    OptionDeadCodeEliminate { enabled: Bool, }
    OptionPreciseControl { force_precise: Bool, propagate_precise: Bool, }
    OptionSampleGradOptimizationControl { enabled: Bool, assume_uniform_scale: Bool, }
    OptionOpacityMicromap { enabled: Bool, }
    OptionBranchControl {
        use_shader_metadata: Bool,
        force_unroll: Bool,
        force_loop: Bool,
        force_flatten: Bool,
        force_branch: Bool,
    }
    OptionSubgroupProperties { minimum_size: u32, maximum_size: u32, }
    OptionDescriptorHeapRobustness { enabled: Bool, }
    OptionComputeShaderDerivativesNv { supported: Bool, }
    OptionQuadControlReconvergence {
        supports_quad_control: Bool,
        supports_maximal_reconvergence: Bool,
        force_maximal_reconvergence: Bool,
    }
    OptionRawAccessChainsNv { supported: Bool, }
    OptionDriverVersion { driver_id: u32, driver_version: u32, }
    OptionComputeShaderDerivatives { supports_nv: Bool, supports_khr: Bool, }
    OptionInstructionInstrumentation {
        enabled: Bool,
        version: u32,
        control_desc_set: u32,
        control_binding: u32,
        payload_desc_set: u32,
        payload_binding: u32,
        shader_hash: u64,
        instrumentation: InstrumentationType,
    }
    OptionShaderQuirk { quirk: Quirk, }
    OptionExtendedRobustness {
        robust_group_shared: Bool,
        robust_alloca: Bool,
        robust_constant_lut: Bool,
    }
    OptionMaxTessFactor { max_tess_factor: u32, }
    OptionVulkanMemoryModel { enabled: Bool, }
    OptionFloat8Support { wmma_fp8: Bool, nv_cooperative_matrix2_conversions: Bool, }
    OptionNvapi { enabled: Bool, register_index: u32, register_space: u32, }
    OptionExtendedNonSemantic { enabled: Bool, }
    OptionViewInstancing {
        enabled: Bool,
        last_pre_rasterization_stage: Bool,
        view_index_to_view_instance_spec_id: u32,
        view_instance_to_viewport_spec_id: u32,
    }
    OptionMixedFloatDotProduct { fp16_fp16_fp32: Bool, reserved: [Bool; 4], }
    OptionComputeShaderDerivativesQuad { supports_quad: Bool, }
}
