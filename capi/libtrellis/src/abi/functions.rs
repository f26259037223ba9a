//! Callbacks.

use std::ffi::c_void;

use super::{
    Answer, Binding, Capture, ElementPlace, ElementQuery, HeapPlace, HeapQuery, ResourceQuery,
};

/// Says where a range of resources is. The answer must depend on the question only.
pub type BindFunction = Option<
    unsafe extern "C" fn(
        userdata: *mut c_void,
        query: *const ResourceQuery,
        binding: *mut Binding,
    ) -> Answer,
>;

/// Says where views of a descriptor heap are.
pub type HeapFunction = Option<
    unsafe extern "C" fn(
        userdata: *mut c_void,
        query: *const HeapQuery,
        place: *mut HeapPlace,
    ) -> Answer,
>;

/// Says where an input or output is.
pub type ElementFunction = Option<
    unsafe extern "C" fn(
        userdata: *mut c_void,
        query: *const ElementQuery,
        place: *mut ElementPlace,
    ) -> Answer,
>;

/// Returns the captures of an output: writes `count`, at most `capacity`, and `count` captures.
pub type CaptureFunction = Option<
    unsafe extern "C" fn(
        userdata: *mut c_void,
        query: *const ElementQuery,
        captures: *mut Capture,
        capacity: usize,
        count: *mut usize,
    ) -> Answer,
>;

/// The callbacks about inputs and outputs; null for those whose places do not change.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct StageIo {
    /// About vertex inputs: the location counts.
    pub vertex_input: ElementFunction,
    /// About inputs from other stages.
    pub input: ElementFunction,
    /// About outputs to other stages.
    pub output: ElementFunction,
    /// About outputs of vertex, domain and geometry shaders, system values included.
    pub capture: CaptureFunction,
}
