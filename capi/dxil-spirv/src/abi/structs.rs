//! Structs and callbacks, without the options.

use std::ffi::{c_char, c_void};

use super::numbers::{
    Bool, DescriptorType, HitGroupType, Kind, LogLevel, NodeLaunchType, Stage, SubobjectKind,
};

structs! { structs:
    D3dVertexInput { semantic: *const c_char, semantic_index: u32, start_row: u32, rows: u32 }
    #[derive(Default)]
    VulkanVertexInput { location: u32 }
    D3dStreamOutput { semantic: *const c_char, semantic_index: u32 }
    #[derive(Default)]
    VulkanStreamOutput { offset: u32, stride: u32, buffer_index: u32, enable: Bool }
    D3dShaderStageIo { semantic: *const c_char, semantic_index: u32, start_row: u32, rows: u32 }
    #[derive(Default)]
    VulkanShaderStageIo { location: u32, component: u32, flags: u32 }
    #[derive(PartialEq, Eq, Default)]
    D3dBinding {
        stage: Stage,
        kind: Kind,
        resource_index: u32,
        register_space: u32,
        register_index: u32,
        range_size: u32,
        alignment: u32,
    }
    #[derive(PartialEq, Eq, Default)]
    Bindless { heap_root_offset: u32, use_heap: Bool }
    #[derive(PartialEq, Eq, Default)]
    VulkanBinding {
        set: u32,
        binding: u32,
        /// Also the index of an input attachment: in C a union of two of this type.
        root_constant_index: u32,
        bindless: Bindless,
        descriptor_type: DescriptorType,
    }
    #[derive(PartialEq, Eq, Default)]
    UavD3dBinding { d3d_binding: D3dBinding, has_counter: Bool }
    #[derive(PartialEq, Eq, Default)]
    SrvVulkanBinding { buffer_binding: VulkanBinding, offset_binding: VulkanBinding }
    #[derive(PartialEq, Eq, Default)]
    UavVulkanBinding {
        buffer_binding: VulkanBinding,
        counter_binding: VulkanBinding,
        offset_binding: VulkanBinding,
    }
    #[derive(PartialEq, Eq, Default)]
    PushConstantMapping { offset_in_words: u32 }
    CompiledSpirv { data: *const c_void, size: usize }
    RdatSubobject {
        kind: SubobjectKind,
        subobject_name: *const c_char,
        hit_group_type: HitGroupType,
        exports: *const *const c_char,
        num_exports: u32,
        args: [u32; 2],
        payload: *const c_void,
        payload_size: usize,
    }
    NodeInputData {
        node_id: *const c_char,
        payload_stride: u32,
        launch_type: NodeLaunchType,
        node_array_index: u32,
        dispatch_grid_offset: u32,
        dispatch_grid_type_bits: u32,
        dispatch_grid_components: u32,
        broadcast_grid: [u32; 3],
        thread_group_size_spec_id: [u32; 3],
        max_broadcast_grid_spec_id: [u32; 3],
        recursion_factor: u32,
        coalesce_factor: u32,
        node_share_input_id: *const c_char,
        node_share_input_array_index: u32,
        local_root_arguments_table_index: u32,
        is_indirect_bda_stride_program_entry_spec_id: u32,
        is_entry_point_spec_id: u32,
        dispatch_grid_is_upper_bound_spec_id: u32,
        is_static_broadcast_node_spec_id: u32,
        dispatch_grid_is_upper_bound: Bool,
        node_track_rw_input_sharing: Bool,
        is_program_entry: Bool,
    }
    NodeOutputData {
        node_id: *const c_char,
        node_array_index: u32,
        node_array_size: u32,
        node_index_spec_constant_id: u32,
        max_records: u32,
        sparse_array: Bool,
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union CbvPlace {
    pub uniform_binding: VulkanBinding,
    pub push_constant: PushConstantMapping,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CbvVulkanBinding {
    pub vulkan: CbvPlace,
    pub push_constant: Bool,
}

pub type VertexInputRemapper = Option<
    unsafe extern "C" fn(*mut c_void, *const D3dVertexInput, *mut VulkanVertexInput) -> Bool,
>;
pub type StreamOutputRemapper = Option<
    unsafe extern "C" fn(*mut c_void, *const D3dStreamOutput, *mut VulkanStreamOutput) -> Bool,
>;
pub type StageIoRemapper = Option<
    unsafe extern "C" fn(*mut c_void, *const D3dShaderStageIo, *mut VulkanShaderStageIo) -> Bool,
>;
pub type SrvRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dBinding, *mut SrvVulkanBinding) -> Bool>;
pub type SamplerRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dBinding, *mut VulkanBinding) -> Bool>;
pub type UavRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const UavD3dBinding, *mut UavVulkanBinding) -> Bool>;
pub type CbvRemapper =
    Option<unsafe extern "C" fn(*mut c_void, *const D3dBinding, *mut CbvVulkanBinding) -> Bool>;
pub type LogCallback = Option<unsafe extern "C" fn(*mut c_void, LogLevel, *const c_char)>;
