//! The functions of blobs and converters in tables, with arguments that are random, or wrong in one way.

use std::ffi::{c_char, c_void};
use std::ptr;

use crate::common::{self, Answer, Remap};
use c_testkit::{Random, calls};
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;

/// Returns a random place.
fn place(random: &mut Random) -> VulkanBinding {
    let likely = !random.one_in(4);
    let [set, binding, root_constant_index, heap_root_offset, other] = random.words();
    VulkanBinding {
        set,
        binding,
        root_constant_index,
        bindless: Bindless {
            heap_root_offset,
            use_heap: random.one_in(2).into(),
        },
        descriptor_type: if likely {
            random.below(4) as u32
        } else {
            other
        },
    }
}

/// Returns a remapper with random answers.
fn remap(mut random: Random) -> Remap<'static> {
    Remap::new(move |_, _, _| {
        let answer = Answer {
            at: place(&mut random),
            counter: place(&mut random),
            offsets: place(&mut random),
            words: random.one_in(3).then(|| random.number()),
        };
        ((!random.one_in(8)).into(), answer)
    })
}

/// The bytes of an option of any number: long enough for all of them.
#[derive(Default)]
#[repr(C, align(8))]
struct AnyOption {
    ty: OptionType,
    words: [u32; 15],
}

/// Makes the arguments of calls.
pub(crate) struct Arguments {
    pub(crate) random: Random,
    shaders: Vec<Vec<u8>>,
    /// Handles, freed or not.
    pub(crate) blobs: Vec<*mut c_void>,
    pub(crate) converters: Vec<*mut c_void>,
    /// The only handle; all other arguments are good.
    pub(crate) handle: Option<*mut c_void>,
    /// How seldom a result has no place; 0 for never.
    pub(crate) nowhere: usize,
    /// Number of results that functions were given a place, or none, for.
    pub(crate) results: u32,
    /// Places for results of any type.
    place: Box<[u64; 32]>,
    made: Box<*mut c_void>,
    option: Box<AnyOption>,
    bytes: Vec<u8>,
    /// The state of the callbacks, which stays where it is.
    callbacks: Box<Remap<'static>>,
}

impl Arguments {
    pub(crate) fn new(shaders: &[Vec<u8>], random: Random) -> Self {
        Self {
            callbacks: Box::new(remap(Random(!random.0))),
            random,
            shaders: shaders.to_vec(),
            blobs: Vec::new(),
            converters: Vec::new(),
            handle: None,
            nowhere: 16,
            results: 0,
            place: Box::new([0; 32]),
            made: Box::new(ptr::null_mut()),
            option: Box::default(),
            bytes: Vec::new(),
        }
    }

    /// Returns arguments that are good, but for the handle.
    pub(crate) fn of_handle(handle: *mut c_void) -> Self {
        Self {
            handle: Some(handle),
            nowhere: 0,
            ..Self::new(&[], Random(1))
        }
    }

    /// Returns a handle: mostly of the kind, and mostly the newest.
    fn any(&mut self, converter: bool) -> *mut c_void {
        if let Some(handle) = self.handle {
            return handle;
        }
        let list = if converter != self.random.one_in(32) {
            &self.converters
        } else {
            &self.blobs
        };
        let any = self.random.pick(list);
        let handle = if self.random.one_in(4) {
            any
        } else {
            list.last().copied()
        };
        handle.unwrap_or(ptr::null_mut())
    }

    pub(crate) fn blob(&mut self) -> *mut c_void {
        self.any(false)
    }

    pub(crate) fn converter(&mut self) -> *mut c_void {
        self.any(true)
    }

    fn names(&mut self) -> *mut c_void {
        if self.random.one_in(4) {
            self.blob()
        } else {
            ptr::null_mut()
        }
    }

    fn data(&mut self) -> *const c_void {
        self.bytes = self.random.shader(&self.shaders);
        self.bytes.as_ptr().cast()
    }

    fn size(&mut self) -> usize {
        self.bytes.len()
    }

    /// Returns a place for a result.
    fn to<T>(&mut self) -> *mut T {
        assert!(size_of::<T>() <= size_of_val(&*self.place));
        self.results += 1;
        if self.nowhere > 0 && self.random.one_in(self.nowhere) {
            return ptr::null_mut();
        }
        self.place.as_mut_ptr().cast()
    }

    /// Returns a place for a handle.
    fn new_handle(&mut self) -> *mut *mut c_void {
        let to = &raw mut *self.made;
        if self.to::<u8>().is_null() {
            ptr::null_mut()
        } else {
            to
        }
    }

    /// Returns the handle that a function made, if it did.
    pub(crate) fn made(&mut self) -> Option<*mut c_void> {
        let made = std::mem::replace(&mut *self.made, ptr::null_mut());
        Some(made).filter(|made| !made.is_null())
    }

    fn name(&mut self) -> *const c_char {
        let names = [
            c"main".as_ptr(),
            c"no such".as_ptr(),
            c"".as_ptr(),
            ptr::null(),
        ];
        let random = self.random.below(names.len());
        names[if self.handle.is_some() { 0 } else { random }]
    }

    fn number(&mut self) -> u32 {
        let number = self.random.number();
        if self.handle.is_some() { 0 } else { number }
    }

    fn option(&mut self) -> *const OptionBase {
        let (ty, words) = (self.random.below(54) as u32, self.random.words());
        // These have pointers.
        let has_pointer = matches!(ty, option::OUTPUT_SWIZZLE | option::SHADER_SOURCE_FILE);
        let words = if has_pointer { [0; 15] } else { words };
        *self.option = AnyOption { ty, words };
        (&raw const *self.option).cast()
    }

    fn some<T>(&mut self, callback: T) -> Option<T> {
        Some(callback).filter(|_| !self.random.one_in(4))
    }

    fn srv(&mut self) -> SrvRemapper {
        self.some(common::srv)
    }

    fn uav(&mut self) -> UavRemapper {
        self.some(common::uav)
    }

    fn cbv(&mut self) -> CbvRemapper {
        self.some(common::cbv)
    }

    fn sampler(&mut self) -> SamplerRemapper {
        self.some(common::sampler)
    }

    #[expect(clippy::unused_self, reason = "arguments are methods")]
    fn none<T>(&mut self) -> Option<T> {
        None
    }

    fn userdata(&mut self) -> *mut c_void {
        self.callbacks.userdata()
    }
}

/// Whether a function reports an invalid argument.
pub(crate) struct IsRefused(pub(crate) bool);

impl From<ResultCode> for IsRefused {
    fn from(code: ResultCode) -> Self {
        Self(code == result::ERROR_INVALID_ARGUMENT)
    }
}

impl From<()> for IsRefused {
    fn from((): ()) -> Self {
        Self(true)
    }
}

impl From<u32> for IsRefused {
    fn from(number: u32) -> Self {
        Self(number == 0)
    }
}

impl From<Bool> for IsRefused {
    fn from(value: Bool) -> Self {
        Self(value == FALSE)
    }
}

impl From<*const c_char> for IsRefused {
    fn from(text: *const c_char) -> Self {
        Self(text.is_null())
    }
}

calls! { Arguments => IsRefused: from;
    PARSE = dxil_spv_parse_dxil_blob(data, size, new_handle);
    PARSE_PART =
        dxil_spv_parse_dxil(data, size, new_handle),
        dxil_spv_parse_reflection_dxil_blob(data, size, new_handle);
    CREATE =
        dxil_spv_create_converter(blob, new_handle),
        dxil_spv_create_converter_with_reflection(blob, names, new_handle);
    /// Functions that write to the standard error stream.
    DUMP = dxil_spv_parsed_blob_dump_llvm_ir(blob);
    QUERIES =
        dxil_spv_parsed_blob_get_disassembled_ir(blob, to),
        dxil_spv_parsed_blob_get_raw_ir(blob, to, to),
        dxil_spv_parsed_blob_get_shader_stage(blob),
        dxil_spv_parsed_blob_get_shader_stage_for_entry(blob, name),
        dxil_spv_parsed_blob_get_entry_index_by_name(blob, name, to),
        dxil_spv_parsed_blob_get_num_entry_points(blob, to),
        dxil_spv_parsed_blob_get_entry_point_name(blob, number, to),
        dxil_spv_parsed_blob_get_entry_point_demangled_name(blob, number, to),
        dxil_spv_parsed_blob_get_entry_point_node_input(blob, number, to),
        dxil_spv_parsed_blob_get_entry_point_num_node_outputs(blob, number, to),
        dxil_spv_parsed_blob_get_entry_point_node_output(blob, number, number, to),
        dxil_spv_parsed_blob_scan_resources(blob, srv, sampler, cbv, uav, userdata),
        dxil_spv_parsed_blob_get_num_rdat_subobjects(blob),
        dxil_spv_parsed_blob_get_rdat_subobject(blob, number, to),
        dxil_spv_converter_get_compiled_spirv(converter, to),
        dxil_spv_converter_get_compiled_entry_point(converter, to),
        dxil_spv_converter_uses_subgroup_size(converter),
        dxil_spv_converter_uses_shader_feature(converter, number),
        dxil_spv_converter_get_compute_workgroup_dimensions(converter, to, to, to),
        dxil_spv_converter_get_compute_required_wave_size(converter, to),
        dxil_spv_converter_get_compute_wave_size_range(converter, to, to, to),
        dxil_spv_converter_get_compute_heuristic_max_wave_size(converter, to),
        dxil_spv_converter_get_compute_heuristic_min_wave_size(converter, to),
        dxil_spv_converter_get_patch_vertex_count(converter, to),
        dxil_spv_converter_get_patch_location_offset(converter, to),
        dxil_spv_converter_is_multiview_compatible(converter, to),
        dxil_spv_converter_get_analysis_warnings(converter);
    SETTERS =
        dxil_spv_converter_set_entry_point(converter, name),
        dxil_spv_converter_set_srv_remapper(converter, srv, userdata),
        dxil_spv_converter_set_uav_remapper(converter, uav, userdata),
        dxil_spv_converter_set_cbv_remapper(converter, cbv, userdata),
        dxil_spv_converter_set_sampler_remapper(converter, sampler, userdata),
        dxil_spv_converter_set_vertex_input_remapper(converter, none, userdata),
        dxil_spv_converter_set_stream_output_remapper(converter, none, userdata),
        dxil_spv_converter_set_stage_input_remapper(converter, none, userdata),
        dxil_spv_converter_set_stage_output_remapper(converter, none, userdata),
        dxil_spv_converter_set_root_constant_word_count(converter, number),
        dxil_spv_converter_set_root_descriptor_count(converter, number),
        dxil_spv_converter_add_local_root_constants(converter, number, number, number),
        dxil_spv_converter_add_local_root_descriptor(converter, number, number, number),
        dxil_spv_converter_add_local_root_descriptor_table(converter, number, number, number, number, number),
        dxil_spv_converter_begin_local_root_descriptor_table(converter),
        dxil_spv_converter_end_local_root_descriptor_table(converter),
        dxil_spv_converter_add_root_parameter_mapping(converter, number, number),
        dxil_spv_converter_add_root_descriptor_mapping(converter, number, number, number),
        dxil_spv_converter_add_non_semantic_debug_info(converter, name, data, size),
        dxil_spv_converter_set_patch_location_offset(converter, number),
        dxil_spv_converter_set_meta_descriptor(converter, number, number, number, number);
    OPTION = dxil_spv_converter_add_option(converter, option);
    RUN = dxil_spv_converter_run(converter);
    FREE =
        dxil_spv_parsed_blob_free(blob),
        dxil_spv_converter_free(converter);
}
