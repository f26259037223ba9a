//! Structs and callbacks, without the options.

use std::ffi::{c_char, c_void};

use super::numbers::{
    Bool, DescriptorType, HitGroupType, Kind, LogLevel, NodeLaunchType, Stage, SubobjectKind,
};

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct D3dVertexInput {
    pub semantic: *const c_char,
    pub semantic_index: u32,
    pub start_row: u32,
    pub rows: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct VulkanVertexInput {
    pub location: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct D3dStreamOutput {
    pub semantic: *const c_char,
    pub semantic_index: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct VulkanStreamOutput {
    pub offset: u32,
    pub stride: u32,
    pub buffer_index: u32,
    pub enable: Bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct D3dShaderStageIo {
    pub semantic: *const c_char,
    pub semantic_index: u32,
    pub start_row: u32,
    pub rows: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct VulkanShaderStageIo {
    pub location: u32,
    pub component: u32,
    pub flags: u32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct D3dBinding {
    pub stage: Stage,
    pub kind: Kind,
    pub resource_index: u32,
    pub register_space: u32,
    pub register_index: u32,
    pub range_size: u32,
    pub alignment: u32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bindless {
    pub heap_root_offset: u32,
    pub use_heap: Bool,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VulkanBinding {
    pub set: u32,
    pub binding: u32,
    /// Also the index of an input attachment: in C a union of two of this type.
    pub root_constant_index: u32,
    pub bindless: Bindless,
    pub descriptor_type: DescriptorType,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UavD3dBinding {
    pub d3d_binding: D3dBinding,
    pub has_counter: Bool,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SrvVulkanBinding {
    pub buffer_binding: VulkanBinding,
    pub offset_binding: VulkanBinding,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UavVulkanBinding {
    pub buffer_binding: VulkanBinding,
    pub counter_binding: VulkanBinding,
    pub offset_binding: VulkanBinding,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PushConstantMapping {
    pub offset_in_words: u32,
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

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CompiledSpirv {
    pub data: *const c_void,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RdatSubobject {
    pub kind: SubobjectKind,
    pub subobject_name: *const c_char,
    pub hit_group_type: HitGroupType,
    pub exports: *const *const c_char,
    pub num_exports: u32,
    pub args: [u32; 2],
    pub payload: *const c_void,
    pub payload_size: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NodeInputData {
    pub node_id: *const c_char,
    pub payload_stride: u32,
    pub launch_type: NodeLaunchType,
    pub node_array_index: u32,
    pub dispatch_grid_offset: u32,
    pub dispatch_grid_type_bits: u32,
    pub dispatch_grid_components: u32,
    pub broadcast_grid: [u32; 3],
    pub thread_group_size_spec_id: [u32; 3],
    pub max_broadcast_grid_spec_id: [u32; 3],
    pub recursion_factor: u32,
    pub coalesce_factor: u32,
    pub node_share_input_id: *const c_char,
    pub node_share_input_array_index: u32,
    pub local_root_arguments_table_index: u32,
    pub is_indirect_bda_stride_program_entry_spec_id: u32,
    pub is_entry_point_spec_id: u32,
    pub dispatch_grid_is_upper_bound_spec_id: u32,
    pub is_static_broadcast_node_spec_id: u32,
    pub dispatch_grid_is_upper_bound: Bool,
    pub node_track_rw_input_sharing: Bool,
    pub is_program_entry: Bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NodeOutputData {
    pub node_id: *const c_char,
    pub node_array_index: u32,
    pub node_array_size: u32,
    pub node_index_spec_constant_id: u32,
    pub max_records: u32,
    pub sparse_array: Bool,
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
