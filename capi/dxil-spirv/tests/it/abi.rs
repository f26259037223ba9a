//! Sizes, offsets and numbers of the interface, as a C compiler has them.
//!
//! `TRELLIS_DXIL_SPIRV_HEADER`, the path of the reference's own header, is compared as well.

use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use dxil_spirv_c_shared::abi::*;

/// Asserts sizes and offsets of structs: the type in Rust, the name in C, the fields; `a = b` where a
/// field has another name in C.
macro_rules! layouts {
    ($out:ident: $($rust:ident = $c:ident { $($field:ident $(= $other:ident)?),* $(,)? })+) => { $(
        let c = concat!("dxil_spv_", stringify!($c));
        check($out, &format!("sizeof({c})"), size_of::<$rust>());
        check($out, &format!("_Alignof({c})"), align_of::<$rust>());
        $(
            let field = layouts!(@name $field $($other)?);
            check($out, &format!("offsetof({c}, {field})"), offset_of!($rust, $field));
        )*
    )+ };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $other:ident) => { stringify!($other) };
}

fn check(out: &mut String, what: &str, value: usize) {
    writeln!(out, "_Static_assert({what} == {value}, \"{what}\");").unwrap();
}

fn structs(out: &mut String) {
    layouts! { out:
        D3dVertexInput = d3d_vertex_input { semantic, semantic_index, start_row, rows }
        VulkanVertexInput = vulkan_vertex_input { location }
        D3dStreamOutput = d3d_stream_output { semantic, semantic_index }
        VulkanStreamOutput = vulkan_stream_output { offset, stride, buffer_index, enable }
        D3dShaderStageIo = d3d_shader_stage_io { semantic, semantic_index, start_row, rows }
        VulkanShaderStageIo = vulkan_shader_stage_io { location, component, flags }
        D3dBinding = d3d_binding {
            stage, kind, resource_index, register_space, register_index, range_size, alignment,
        }
        VulkanBinding = vulkan_binding { set, binding, root_constant_index, bindless, descriptor_type }
        UavD3dBinding = uav_d3d_binding { d3d_binding, has_counter }
        SrvVulkanBinding = srv_vulkan_binding { buffer_binding, offset_binding }
        UavVulkanBinding = uav_vulkan_binding { buffer_binding, counter_binding, offset_binding }
        PushConstantMapping = push_constant_mapping { offset_in_words }
        CbvVulkanBinding = cbv_vulkan_binding { vulkan, push_constant }
        CompiledSpirv = compiled_spirv { data, size }
        RdatSubobject = rdat_subobject {
            kind, subobject_name, hit_group_type, exports, num_exports, args, payload, payload_size,
        }
        NodeInputData = node_input_data {
            node_id, payload_stride, launch_type, node_array_index, dispatch_grid_offset,
            dispatch_grid_type_bits, dispatch_grid_components, broadcast_grid,
            thread_group_size_spec_id, max_broadcast_grid_spec_id, recursion_factor, coalesce_factor,
            node_share_input_id, node_share_input_array_index, local_root_arguments_table_index,
            is_indirect_bda_stride_program_entry_spec_id, is_entry_point_spec_id,
            dispatch_grid_is_upper_bound_spec_id, is_static_broadcast_node_spec_id,
            dispatch_grid_is_upper_bound, node_track_rw_input_sharing, is_program_entry,
        }
        NodeOutputData = node_output_data {
            node_id, node_array_index, node_array_size, node_index_spec_constant_id, max_records,
            sparse_array,
        }
    }
    let binding = "dxil_spv_vulkan_binding";
    let bindless = offset_of!(VulkanBinding, bindless);
    for (field, offset) in [
        (
            "input_attachment_index",
            offset_of!(VulkanBinding, root_constant_index),
        ),
        (
            "bindless.heap_root_offset",
            bindless + offset_of!(Bindless, heap_root_offset),
        ),
        (
            "bindless.use_heap",
            bindless + offset_of!(Bindless, use_heap),
        ),
    ] {
        check(out, &format!("offsetof({binding}, {field})"), offset);
    }
}

fn options(out: &mut String) {
    layouts! { out:
        OptionBase = option_base { ty = type }
        OptionShaderDemoteToHelper = option_shader_demote_to_helper { base, supported }
        OptionDualSourceBlending = option_dual_source_blending { base, enabled }
        OptionOutputSwizzle = option_output_swizzle { base, swizzles, swizzle_count }
        OptionRasterizerSampleCount = option_rasterizer_sample_count { sample_count, spec_constant }
        OptionRootConstantInlineUniformBlock = option_root_constant_inline_uniform_block {
            desc_set, binding, enable,
        }
        OptionBindlessCbvSsboEmulation = option_bindless_cbv_ssbo_emulation { enable }
        OptionPhysicalStorageBuffer = option_physical_storage_buffer { enable }
        OptionSbtDescriptorSizeLog2 = option_sbt_descriptor_size_log2 {
            size_log2_srv_uav_cbv, size_log2_sampler,
        }
        OptionSsboAlignment = option_ssbo_alignment { alignment }
        OptionTypedUavReadWithoutFormat = option_typed_uav_read_without_format { supported }
        OptionShaderSourceFile = option_shader_source_file { name }
        OptionBindlessTypedBufferOffsets = option_bindless_typed_buffer_offsets { enable }
        OptionBindlessOffsetBufferLayout = option_bindless_offset_buffer_layout {
            untyped_offset, typed_offset, stride,
        }
        OptionStorageInputOutput16bit = option_storage_input_output_16bit { supported }
        OptionDescriptorQa = option_descriptor_qa {
            enabled, version, global_desc_set, global_binding, heap_desc_set, heap_binding, shader_hash,
        }
        OptionMinPrecisionNative16bit = option_min_precision_native_16bit { enabled }
        OptionShaderI8Dot = option_shader_i8_dot { supported }
        OptionShaderRayTracingPrimitiveCulling = option_shader_ray_tracing_primitive_culling { supported }
        OptionInvariantPosition = option_invariant_position { enabled }
        OptionScalarBlockLayout = option_scalar_block_layout { supported, supports_per_component_robustness }
        OptionBarycentricKhr = option_barycentric_khr { supported }
        OptionRobustPhysicalCbvLoad = option_robust_physical_cbv_load { enabled }
        OptionArithmeticRelaxedPrecision = option_arithmetic_relaxed_precision { enabled }
        OptionPhysicalAddressDescriptorIndexing = option_physical_address_descriptor_indexing {
            element_stride, element_offset,
        }
        OptionForceSubgroupSize = option_force_subgroup_size { forced_value, wave_size_enable }
        OptionDenormPreserveSupport = option_denorm_preserve_support {
            supports_float16_denorm_preserve, supports_float64_denorm_preserve,
        }
        OptionStrictHelperLaneWaveOps = option_strict_helper_lane_wave_ops { enable }
        OptionSubgroupPartitionedNv = option_subgroup_partitioned_nv { supported }
        OptionDeadCodeEliminate = option_dead_code_eliminate { enabled }
        OptionPreciseControl = option_precise_control { force_precise, propagate_precise }
        OptionSampleGradOptimizationControl = option_sample_grad_optimization_control {
            enabled, assume_uniform_scale,
        }
        OptionOpacityMicromap = option_opacity_micromap { enabled }
        OptionBranchControl = option_branch_control {
            use_shader_metadata, force_unroll, force_loop, force_flatten, force_branch,
        }
        OptionSubgroupProperties = option_subgroup_properties { minimum_size, maximum_size }
        OptionDescriptorHeapRobustness = option_descriptor_heap_robustness { enabled }
        OptionComputeShaderDerivativesNv = option_compute_shader_derivatives_nv { supported }
        OptionQuadControlReconvergence = option_quad_control_reconvergence {
            supports_quad_control, supports_maximal_reconvergence, force_maximal_reconvergence,
        }
        OptionRawAccessChainsNv = option_raw_access_chains_nv { supported }
        OptionDriverVersion = option_driver_version { driver_id, driver_version }
        OptionComputeShaderDerivatives = option_compute_shader_derivatives { supports_nv, supports_khr }
        OptionInstructionInstrumentation = option_instruction_instrumentation {
            enabled, version, control_desc_set, control_binding, payload_desc_set, payload_binding,
            shader_hash, instrumentation = type,
        }
        OptionShaderQuirk = option_shader_quirk { quirk }
        OptionExtendedRobustness = option_extended_robustness {
            robust_group_shared, robust_alloca, robust_constant_lut,
        }
        OptionMaxTessFactor = option_max_tess_factor { max_tess_factor }
        OptionVulkanMemoryModel = option_vulkan_memory_model { enabled }
        OptionFloat8Support = option_float8_support { wmma_fp8, nv_cooperative_matrix2_conversions }
        OptionNvapi = option_nvapi { enabled, register_index, register_space }
        OptionExtendedNonSemantic = option_extended_non_semantic { enabled }
        OptionViewInstancing = option_view_instancing {
            enabled, last_pre_rasterization_stage, view_index_to_view_instance_spec_id,
            view_instance_to_viewport_spec_id,
        }
        OptionMixedFloatDotProduct = option_mixed_float_dot_product { fp16_fp16_fp32, reserved }
        OptionComputeShaderDerivativesQuad = option_compute_shader_derivatives_quad { supports_quad }
    }
    for c in [
        "dxil_spv_result",
        "dxil_spv_option",
        "dxil_spv_shader_stage",
        "unsigned",
    ] {
        check(out, &format!("sizeof({c})"), 4);
    }
}

/// Asserts the numbers of the enumerations.
fn numbers(out: &mut String) {
    let mut list = |prefix: &str, all: &[(&str, u32)]| {
        for (name, number) in all {
            let name = name.replace("SUB_8X8", "SUB_8x8");
            writeln!(
                out,
                "_Static_assert(DXIL_SPV_{prefix}{name} == {number}u, \"{name}\");"
            )
            .unwrap();
        }
    };
    list("STAGE_", stage::ALL);
    list("RESOURCE_KIND_", kind::ALL);
    list("RESOURCE_CLASS_", class::ALL);
    list("VULKAN_DESCRIPTOR_TYPE_", descriptor_type::ALL);
    list("RDAT_SUBOBJECT_KIND_", subobject_kind::ALL);
    list("HIT_GROUP_TYPE_", hit_group_type::ALL);
    list("SHADER_QUIRK_", quirk::ALL);
    list("META_DESCRIPTOR_", meta_descriptor::ALL);
    list("META_DESCRIPTOR_KIND_", meta_descriptor_kind::ALL);
    list("NODE_LAUNCH_TYPE_", node_launch_type::ALL);
    list("SHADER_STAGE_IO_", stage_io_flags::ALL);
    list("LOG_LEVEL_", log_level::ALL);
    list("SHADER_FEATURE_", shader_feature::ALL);
    list(
        "INSTRUCTION_INSTRUMENTATION_TYPE_",
        instrumentation_type::ALL,
    );
    list("OPTION_", option::ALL);
    let results = [
        ("SUCCESS", result::SUCCESS),
        ("ERROR_OUT_OF_MEMORY", result::ERROR_OUT_OF_MEMORY),
        ("ERROR_GENERIC", result::ERROR_GENERIC),
        (
            "ERROR_UNSUPPORTED_FEATURE",
            result::ERROR_UNSUPPORTED_FEATURE,
        ),
        ("ERROR_PARSER", result::ERROR_PARSER),
        ("ERROR_FAILED_VALIDATION", result::ERROR_FAILED_VALIDATION),
        ("ERROR_INVALID_ARGUMENT", result::ERROR_INVALID_ARGUMENT),
        ("ERROR_NO_DATA", result::ERROR_NO_DATA),
    ];
    for (name, code) in results {
        writeln!(
            out,
            "_Static_assert(DXIL_SPV_{name} == {code}, \"{name}\");"
        )
        .unwrap();
    }
    for (name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(VERSION) {
        let name = format!("DXIL_SPV_API_VERSION_{name}");
        writeln!(out, "_Static_assert({name} == {number}, \"{name}\");").unwrap();
    }
}

/// Compiles a text together with the use of all functions.
fn compile(text: &str, header: Option<&Path>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("layout.c");
    std::fs::write(&file, format!("#include \"abi.c\"\n{text}")).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    cc.arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c"));
    if let Some(header) = header {
        cc.arg(format!("-DHEADER=\"{}\"", header.display()));
        cc.arg("-DDXIL_SPV_ENABLE_EXPERIMENTAL_WORKGRAPHS");
        cc.arg("-DDXIL_SPV_ENABLE_EXPERIMENTAL_MULTIVIEW");
    }
    let output = cc.arg(&file).output().expect("there is a C compiler, `cc`");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
}

fn statements() -> String {
    let mut text = String::new();
    structs(&mut text);
    options(&mut text);
    numbers(&mut text);
    assert!(text.lines().count() > 450);
    text
}

#[test]
fn layouts_and_numbers_are_those_that_c_has() {
    compile(&statements(), None);
}

#[test]
fn the_reference_agrees() {
    let Some(header) = std::env::var_os("TRELLIS_DXIL_SPIRV_HEADER") else {
        eprintln!("skipped: TRELLIS_DXIL_SPIRV_HEADER is not set");
        return;
    };
    compile(&statements(), Some(Path::new(&header)));
}
