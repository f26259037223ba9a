//! Structs. Later versions add fields at the end only.

use std::ffi::c_char;

use super::{Bool, Class, Descriptor, Kind, PlaceKind, Signature, Stage};

/// Where in the shader an error is, as far as it is known.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// Part of the container, such as `DXIL`, or `bitcode` or `metadata`; null if it is not known.
    pub part: *const c_char,
    /// Length of `part`.
    pub part_length: usize,
    /// Function: its name, or its number as `#3`; null if it is not known.
    pub function: *const c_char,
    /// Length of `function`.
    pub function_length: usize,
    /// Offset in the bytes that were read; `TRELLIS_UNKNOWN_OFFSET` if it is not known.
    pub byte_offset: u64,
    /// Basic block of the function; `TRELLIS_UNKNOWN` if it is not known.
    pub block: u32,
    /// Instruction of the function; `TRELLIS_UNKNOWN` if it is not known.
    pub instruction: u32,
}

/// An entry point.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, as functions take it.
    pub name: *const c_char,
    /// Length of `name`.
    pub name_length: usize,
    /// Its stage.
    pub stage: Stage,
    /// Threads of a group, of compute, mesh and amplification shaders; else 0.
    pub workgroup_size: [u32; 3],
    /// Least number of lanes of a wave that the shader accepts; 0 if it declares none.
    pub wave_size_min: u32,
    /// Most lanes of a wave that the shader accepts; 0 if it declares none.
    pub wave_size_max: u32,
    /// Number of lanes that it prefers; 0 if it declares none.
    pub wave_size_preferred: u32,
}

/// Facts about a SPIR-V module.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ModuleInfo {
    /// Name of the entry point in DXIL; in SPIR-V it is the same unless `interface.entry_point_name`
    /// is set.
    pub entry: *const c_char,
    /// Length of `entry`.
    pub entry_length: usize,
    /// Its stage.
    pub stage: Stage,
    /// Location of the first patch constant of a hull or domain shader, which both must agree on:
    /// pass the hull shader's as the domain shader's `interface.patch_location`. `TRELLIS_UNKNOWN`
    /// in other stages.
    pub patch_location: u32,
}

/// A declared range of resources that a callback is asked about.
///
/// Each range is asked about once in a translation, in the order of the shader's metadata, whether the
/// entry point uses it or not. An unbounded range that is refused is asked about again with a
/// `range_size` of 1: the shader's indices are ignored then.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ResourceQuery {
    /// Size of this struct in the library.
    pub size: usize,
    /// Name, empty if it is not known. It is valid during the call only.
    pub name: *const c_char,
    /// Length of `name`.
    pub name_length: usize,
    /// Stage of the entry point.
    pub stage: Stage,
    /// Class.
    pub resource_class: Class,
    /// Shape.
    pub resource_kind: Kind,
    /// Register space.
    pub register_space: u32,
    /// First register.
    pub register_index: u32,
    /// Number of registers; `TRELLIS_UNBOUNDED` for a range without end.
    pub range_size: u32,
    /// Number of the range within its class.
    pub resource_index: u32,
    /// Alignment of the offsets of all accesses to a raw or structured buffer, in bytes; 0 for
    /// other resources.
    pub alignment: u32,
    /// Stride of a structured buffer in bytes; 0 for other resources.
    pub stride: u32,
    /// Whether the UAV has a hidden counter, which needs a separate place.
    pub has_counter: Bool,
}

/// The views of a descriptor heap of one kind (shader model 6.6), that a callback is asked about at the
/// first use of such a view.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HeapQuery {
    /// Size of this struct in the library.
    pub size: usize,
    /// Stage of the entry point.
    pub stage: Stage,
    /// Class; only samplers are in the heap of samplers.
    pub resource_class: Class,
    /// Shape.
    pub resource_kind: Kind,
    /// As in `trellis_resource_query`.
    pub alignment: u32,
    /// As in `trellis_resource_query`.
    pub stride: u32,
    /// Whether the question is about the hidden counters of the UAVs.
    pub counter: Bool,
}

/// A storage buffer with the offset and the size of each buffer in its descriptor, for devices that make
/// descriptors only at coarser offsets (`interface.offset_layout`).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SetBinding {
    /// Whether there is one.
    pub used: Bool,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// 0.
    pub reserved: u32,
}

/// Where a resource is: see `trellis_place_kind` for the fields that each kind has.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Kind of place.
    pub kind: PlaceKind,
    /// Kind of descriptor.
    pub descriptor: Descriptor,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// An index, a number, or bytes.
    pub offset: u32,
    /// Whether `root_constant` is added.
    pub has_root_constant: Bool,
    /// Number of a root constant.
    pub root_constant: u32,
    /// Number of constants.
    pub words: u32,
    /// Bytes after the identifier in the shader record.
    pub record_offset: u32,
    /// Binary logarithm of the size of a descriptor.
    pub size_log2: u32,
    /// 0.
    pub reserved: [u32; 6],
}

/// The answer about a range of resources. It is all 0 when a callback gets it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Binding {
    /// The resource.
    pub place: Place,
    /// The counter of a UAV; its descriptor is a storage buffer unless it specifies another.
    pub counter: Place,
    /// Where buffers begin in their descriptors.
    pub offsets: SetBinding,
}

/// The answer about views of a descriptor heap. It is all 0 when a callback gets it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct HeapPlace {
    /// Descriptor set of the array.
    pub set: u32,
    /// Binding of the array.
    pub binding: u32,
    /// Kind of descriptor.
    pub descriptor: Descriptor,
    /// 0.
    pub reserved: u32,
    /// Where buffers begin in their descriptors.
    pub offsets: SetBinding,
}

/// An input or output that a callback is asked about. Each is asked about once, in the order of the
/// shader's metadata; render targets are not.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ElementQuery {
    /// Size of this struct in the library.
    pub size: usize,
    /// Semantic, as it is written in the source. D3D compares semantics without case. It is valid during
    /// the call only.
    pub semantic: *const c_char,
    /// Length of `semantic`.
    pub semantic_length: usize,
    /// Semantic index of the first row.
    pub semantic_index: u32,
    /// Stage of the entry point.
    pub stage: Stage,
    /// The signature that it is in.
    pub signature: Signature,
    /// 0 for a semantic of the user's, else DXIL's number of the system value.
    pub system_value: u32,
    /// First register; `TRELLIS_UNKNOWN` in questions about captures.
    pub start_row: u32,
    /// Number of registers, each of which has a location.
    pub rows: u32,
    /// Components of each register.
    pub columns: u32,
    /// Stream of a geometry shader's output.
    pub stream: u32,
}

/// The answer about an input or output. It is the place without a callback when a callback gets it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ElementPlace {
    /// Location of the first row; the others follow.
    pub location: u32,
    /// First component in the location. Vertex inputs have none.
    pub component: u32,
    /// Whether each primitive has one value (`PerPrimitiveEXT`): a choice for inputs of a pixel shader
    /// only.
    pub per_primitive: Bool,
    /// 0.
    pub reserved: u32,
}

/// A capture of an output, or of a part of one, by transform feedback (D3D's stream output).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Capture {
    /// Number of the buffer, below 4.
    pub buffer: u32,
    /// Bytes of a vertex in the buffer, a multiple of 4.
    pub stride: u32,
    /// Offset in a vertex in bytes, a multiple of 4.
    pub offset: u32,
    /// Number of components that are captured; 0: all components of all rows.
    pub components: u32,
    /// The first of them, counted from the element's own first one.
    pub component: u32,
    /// The row that they are in.
    pub row: u32,
    /// 0.
    pub reserved: [u32; 2],
}
