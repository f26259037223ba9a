/* The interface's types and functions, written down independently of the library's sources: tests
 * compare both, and compile programs in C with this. */

#ifndef DECLARATIONS_H
#define DECLARATIONS_H

#include <stddef.h>

typedef unsigned char dxil_spv_bool;

enum { DXIL_SPV_API_VERSION_MAJOR = 2, DXIL_SPV_API_VERSION_MINOR = 68, DXIL_SPV_API_VERSION_PATCH = 0 };

#include "numbers.h"

typedef struct { const char *semantic; unsigned semantic_index, start_row, rows; } dxil_spv_d3d_vertex_input;
typedef struct { unsigned location; } dxil_spv_vulkan_vertex_input;
typedef struct { const char *semantic; unsigned semantic_index; } dxil_spv_d3d_stream_output;
typedef struct { unsigned offset, stride, buffer_index; dxil_spv_bool enable; } dxil_spv_vulkan_stream_output;
typedef struct { const char *semantic; unsigned semantic_index, start_row, rows; } dxil_spv_d3d_shader_stage_io;
typedef struct { unsigned location, component, flags; } dxil_spv_vulkan_shader_stage_io;
typedef struct {
    dxil_spv_shader_stage stage;
    dxil_spv_resource_kind kind;
    unsigned resource_index, register_space, register_index, range_size, alignment;
} dxil_spv_d3d_binding;
typedef struct {
    unsigned set, binding;
    union { unsigned root_constant_index, input_attachment_index; };
    struct { unsigned heap_root_offset; dxil_spv_bool use_heap; } bindless;
    dxil_spv_vulkan_descriptor_type descriptor_type;
} dxil_spv_vulkan_binding;
typedef struct { dxil_spv_d3d_binding d3d_binding; dxil_spv_bool has_counter; } dxil_spv_uav_d3d_binding;
typedef struct { dxil_spv_vulkan_binding buffer_binding, offset_binding; } dxil_spv_srv_vulkan_binding;
typedef struct { dxil_spv_vulkan_binding buffer_binding, counter_binding, offset_binding; } dxil_spv_uav_vulkan_binding;
typedef struct { unsigned offset_in_words; } dxil_spv_push_constant_mapping;
typedef struct {
    union { dxil_spv_vulkan_binding uniform_binding; dxil_spv_push_constant_mapping push_constant; } vulkan;
    dxil_spv_bool push_constant;
} dxil_spv_cbv_vulkan_binding;
typedef struct { const void *data; size_t size; } dxil_spv_compiled_spirv;
typedef struct {
    dxil_spv_rdat_subobject_kind kind;
    const char *subobject_name;
    dxil_spv_hit_group_type hit_group_type;
    const char *const *exports;
    unsigned num_exports, args[2];
    const void *payload;
    size_t payload_size;
} dxil_spv_rdat_subobject;
typedef struct {
    const char *node_id;
    unsigned payload_stride;
    dxil_spv_node_launch_type launch_type;
    unsigned node_array_index, dispatch_grid_offset, dispatch_grid_type_bits, dispatch_grid_components;
    unsigned broadcast_grid[3], thread_group_size_spec_id[3], max_broadcast_grid_spec_id[3];
    unsigned recursion_factor, coalesce_factor;
    const char *node_share_input_id;
    unsigned node_share_input_array_index, local_root_arguments_table_index;
    unsigned is_indirect_bda_stride_program_entry_spec_id, is_entry_point_spec_id;
    unsigned dispatch_grid_is_upper_bound_spec_id, is_static_broadcast_node_spec_id;
    dxil_spv_bool dispatch_grid_is_upper_bound, node_track_rw_input_sharing, is_program_entry;
} dxil_spv_node_input_data;
typedef struct {
    const char *node_id;
    unsigned node_array_index, node_array_size, node_index_spec_constant_id, max_records;
    dxil_spv_bool sparse_array;
} dxil_spv_node_output_data;

/* Options: each begins with its number. */
typedef struct { dxil_spv_option type; } dxil_spv_option_base;
#define OPTION(name, ...) typedef struct { dxil_spv_option_base base; __VA_ARGS__ } dxil_spv_option_##name
OPTION(shader_demote_to_helper, dxil_spv_bool supported;);
OPTION(dual_source_blending, dxil_spv_bool enabled;);
OPTION(output_swizzle, const unsigned *swizzles; unsigned swizzle_count;);
OPTION(rasterizer_sample_count, unsigned sample_count; dxil_spv_bool spec_constant;);
OPTION(root_constant_inline_uniform_block, unsigned desc_set; unsigned binding; dxil_spv_bool enable;);
OPTION(bindless_cbv_ssbo_emulation, dxil_spv_bool enable;);
OPTION(physical_storage_buffer, dxil_spv_bool enable;);
OPTION(sbt_descriptor_size_log2, unsigned size_log2_srv_uav_cbv; unsigned size_log2_sampler;);
OPTION(ssbo_alignment, unsigned alignment;);
OPTION(typed_uav_read_without_format, dxil_spv_bool supported;);
OPTION(shader_source_file, const char *name;);
OPTION(bindless_typed_buffer_offsets, dxil_spv_bool enable;);
OPTION(bindless_offset_buffer_layout, unsigned untyped_offset; unsigned typed_offset; unsigned stride;);
OPTION(storage_input_output_16bit, dxil_spv_bool supported;);
OPTION(descriptor_qa, dxil_spv_bool enabled; unsigned version; unsigned global_desc_set; unsigned global_binding;
    unsigned heap_desc_set; unsigned heap_binding; unsigned long long shader_hash;);
OPTION(min_precision_native_16bit, dxil_spv_bool enabled;);
OPTION(shader_i8_dot, dxil_spv_bool supported;);
OPTION(shader_ray_tracing_primitive_culling, dxil_spv_bool supported;);
OPTION(invariant_position, dxil_spv_bool enabled;);
OPTION(scalar_block_layout, dxil_spv_bool supported; dxil_spv_bool supports_per_component_robustness;);
OPTION(barycentric_khr, dxil_spv_bool supported;);
OPTION(robust_physical_cbv_load, dxil_spv_bool enabled;);
OPTION(arithmetic_relaxed_precision, dxil_spv_bool enabled;);
OPTION(physical_address_descriptor_indexing, unsigned element_stride; unsigned element_offset;);
OPTION(force_subgroup_size, unsigned forced_value; dxil_spv_bool wave_size_enable;);
OPTION(denorm_preserve_support, dxil_spv_bool supports_float16_denorm_preserve;
    dxil_spv_bool supports_float64_denorm_preserve;);
OPTION(strict_helper_lane_wave_ops, dxil_spv_bool enable;);
OPTION(subgroup_partitioned_nv, dxil_spv_bool supported;);
OPTION(dead_code_eliminate, dxil_spv_bool enabled;);
OPTION(precise_control, dxil_spv_bool force_precise; dxil_spv_bool propagate_precise;);
OPTION(sample_grad_optimization_control, dxil_spv_bool enabled; dxil_spv_bool assume_uniform_scale;);
OPTION(opacity_micromap, dxil_spv_bool enabled;);
OPTION(branch_control, dxil_spv_bool use_shader_metadata; dxil_spv_bool force_unroll; dxil_spv_bool force_loop;
    dxil_spv_bool force_flatten; dxil_spv_bool force_branch;);
OPTION(subgroup_properties, unsigned minimum_size; unsigned maximum_size;);
OPTION(descriptor_heap_robustness, dxil_spv_bool enabled;);
OPTION(compute_shader_derivatives_nv, dxil_spv_bool supported;);
OPTION(quad_control_reconvergence, dxil_spv_bool supports_quad_control; dxil_spv_bool supports_maximal_reconvergence;
    dxil_spv_bool force_maximal_reconvergence;);
OPTION(raw_access_chains_nv, dxil_spv_bool supported;);
OPTION(driver_version, unsigned driver_id; unsigned driver_version;);
OPTION(compute_shader_derivatives, dxil_spv_bool supports_nv; dxil_spv_bool supports_khr;);
OPTION(instruction_instrumentation, dxil_spv_bool enabled; unsigned version; unsigned control_desc_set;
    unsigned control_binding; unsigned payload_desc_set; unsigned payload_binding; unsigned long long shader_hash;
    dxil_spv_instruction_instrumentation_type type;);
OPTION(shader_quirk, dxil_spv_shader_quirk quirk;);
OPTION(extended_robustness, dxil_spv_bool robust_group_shared; dxil_spv_bool robust_alloca;
    dxil_spv_bool robust_constant_lut;);
OPTION(max_tess_factor, unsigned max_tess_factor;);
OPTION(vulkan_memory_model, dxil_spv_bool enabled;);
OPTION(float8_support, dxil_spv_bool wmma_fp8; dxil_spv_bool nv_cooperative_matrix2_conversions;);
OPTION(nvapi, dxil_spv_bool enabled; unsigned register_index; unsigned register_space;);
OPTION(extended_non_semantic, dxil_spv_bool enabled;);
OPTION(view_instancing, dxil_spv_bool enabled; dxil_spv_bool last_pre_rasterization_stage;
    unsigned view_index_to_view_instance_spec_id; unsigned view_instance_to_viewport_spec_id;);
OPTION(mixed_float_dot_product, dxil_spv_bool fp16_fp16_fp32; dxil_spv_bool reserved[4];);
OPTION(compute_shader_derivatives_quad, dxil_spv_bool supports_quad;);
#undef OPTION

typedef struct dxil_spv_parsed_blob_s *dxil_spv_parsed_blob;
typedef struct dxil_spv_converter_s *dxil_spv_converter;

#define CALLBACK(name, question, answer) \
    typedef dxil_spv_bool (*dxil_spv_##name##_cb)(void *, const dxil_spv_##question *, dxil_spv_##answer *)
CALLBACK(vertex_input_remapper, d3d_vertex_input, vulkan_vertex_input);
CALLBACK(stream_output_remapper, d3d_stream_output, vulkan_stream_output);
CALLBACK(shader_stage_io_remapper, d3d_shader_stage_io, vulkan_shader_stage_io);
CALLBACK(srv_remapper, d3d_binding, srv_vulkan_binding);
CALLBACK(sampler_remapper, d3d_binding, vulkan_binding);
CALLBACK(uav_remapper, uav_d3d_binding, uav_vulkan_binding);
CALLBACK(cbv_remapper, d3d_binding, cbv_vulkan_binding);
#undef CALLBACK
typedef void (*dxil_spv_log_cb)(void *, dxil_spv_log_level, const char *);

#define FUNCTION(result, name, ...) result dxil_spv_##name(__VA_ARGS__);
#include "functions.h"
#undef FUNCTION

#endif
