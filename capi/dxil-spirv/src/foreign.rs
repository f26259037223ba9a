//! Programs in DXBC (shader models 4 and 5), which another library with this interface reads.
//!
//! The environment variable `TRELLIS_DXBC_LIBRARY` names it. It is loaded when the first such program
//! is parsed, and stays.

use std::env;
use std::ffi::{OsStr, c_char, c_void};
use std::ptr;
use std::sync::{Arc, OnceLock};

use libloading::Library;

use crate::abi::{
    self, Bool, Class, CompiledSpirv, LogCallback, MetaDescriptor, MetaDescriptorKind,
    NodeInputData, NodeOutputData, OptionBase, RdatSubobject, ResultCode, ShaderFeature, Stage,
    result,
};
use crate::failure::{Failure, Result};
use crate::log;

/// Name of the environment variable.
const VARIABLE: &str = "TRELLIS_DXBC_LIBRARY";

/// A handle of the other library.
pub(crate) type Handle = *mut c_void;

/// Declares the functions that calls are passed to.
macro_rules! functions {
    ($($name:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)?;)+) => {
        /// The functions of the other library.
        #[derive(Debug)]
        pub(crate) struct Functions {
            $(pub(crate) $name: unsafe extern "C" fn($($ty),*) $(-> $result)?,)+
        }

        impl Functions {
            /// Finds the functions in a library.
            fn find(library: &Library) -> std::result::Result<Self, libloading::Error> {
                Ok(Self {
                    $(
                        // SAFETY: a library with this interface has functions of these types.
                        $name: *unsafe {
                            library.get(concat!("dxil_spv_", stringify!($name), "\0").as_bytes())
                        }?,
                    )+
                })
            }
        }
    };
}

functions! {
    parse_dxil_blob(data: *const c_void, size: usize, blob: *mut Handle) -> ResultCode;
    parsed_blob_dump_llvm_ir(blob: Handle);
    parsed_blob_get_disassembled_ir(blob: Handle, text: *mut *const c_char) -> ResultCode;
    parsed_blob_get_raw_ir(blob: Handle, data: *mut *const c_void, size: *mut usize) -> ResultCode;
    parsed_blob_get_shader_stage(blob: Handle) -> Stage;
    parsed_blob_get_shader_stage_for_entry(blob: Handle, entry: *const c_char) -> Stage;
    parsed_blob_get_entry_index_by_name(blob: Handle, entry: *const c_char, index: *mut u32) -> ResultCode;
    parsed_blob_get_num_entry_points(blob: Handle, count: *mut u32) -> ResultCode;
    parsed_blob_get_entry_point_name(blob: Handle, index: u32, name: *mut *const c_char) -> ResultCode;
    parsed_blob_get_entry_point_demangled_name(blob: Handle, index: u32, name: *mut *const c_char) -> ResultCode;
    parsed_blob_get_entry_point_node_input(blob: Handle, index: u32, data: *mut NodeInputData) -> ResultCode;
    parsed_blob_get_entry_point_num_node_outputs(blob: Handle, index: u32, count: *mut u32) -> ResultCode;
    parsed_blob_get_entry_point_node_output(blob: Handle, index: u32, output: u32, data: *mut NodeOutputData) -> ResultCode;
    parsed_blob_scan_resources(blob: Handle, srv: abi::SrvRemapper, sampler: abi::SamplerRemapper, cbv: abi::CbvRemapper, uav: abi::UavRemapper, userdata: *mut c_void) -> ResultCode;
    parsed_blob_get_num_rdat_subobjects(blob: Handle) -> u32;
    parsed_blob_get_rdat_subobject(blob: Handle, index: u32, subobject: *mut RdatSubobject);
    parsed_blob_free(blob: Handle);
    set_thread_log_callback(callback: LogCallback, userdata: *mut c_void);
    create_converter(blob: Handle, converter: *mut Handle) -> ResultCode;
    converter_free(converter: Handle);
    converter_set_entry_point(converter: Handle, entry: *const c_char);
    converter_set_stage_input_remapper(converter: Handle, remapper: abi::StageIoRemapper, userdata: *mut c_void);
    converter_set_stage_output_remapper(converter: Handle, remapper: abi::StageIoRemapper, userdata: *mut c_void);
    converter_set_vertex_input_remapper(converter: Handle, remapper: abi::VertexInputRemapper, userdata: *mut c_void);
    converter_set_stream_output_remapper(converter: Handle, remapper: abi::StreamOutputRemapper, userdata: *mut c_void);
    converter_set_srv_remapper(converter: Handle, remapper: abi::SrvRemapper, userdata: *mut c_void);
    converter_set_sampler_remapper(converter: Handle, remapper: abi::SamplerRemapper, userdata: *mut c_void);
    converter_set_root_constant_word_count(converter: Handle, words: u32);
    converter_set_root_descriptor_count(converter: Handle, count: u32);
    converter_set_uav_remapper(converter: Handle, remapper: abi::UavRemapper, userdata: *mut c_void);
    converter_set_cbv_remapper(converter: Handle, remapper: abi::CbvRemapper, userdata: *mut c_void);
    converter_add_local_root_constants(converter: Handle, space: u32, register: u32, words: u32);
    converter_add_local_root_descriptor(converter: Handle, class: Class, space: u32, register: u32);
    converter_add_local_root_descriptor_table(converter: Handle, class: Class, space: u32, register: u32, count: u32, offset: u32);
    converter_begin_local_root_descriptor_table(converter: Handle) -> ResultCode;
    converter_end_local_root_descriptor_table(converter: Handle) -> ResultCode;
    converter_add_root_parameter_mapping(converter: Handle, parameter: u32, offset: u32);
    converter_add_root_descriptor_mapping(converter: Handle, parameter: u32, set: u32, binding: u32);
    converter_add_non_semantic_debug_info(converter: Handle, tag: *const c_char, data: *const c_void, size: usize);
    converter_set_patch_location_offset(converter: Handle, offset: u32);
    converter_run(converter: Handle) -> ResultCode;
    converter_get_compiled_spirv(converter: Handle, compiled: *mut CompiledSpirv) -> ResultCode;
    converter_get_compiled_entry_point(converter: Handle, entry: *mut *const c_char) -> ResultCode;
    converter_add_option(converter: Handle, option: *const OptionBase) -> ResultCode;
    converter_uses_subgroup_size(converter: Handle) -> Bool;
    converter_get_compute_workgroup_dimensions(converter: Handle, x: *mut u32, y: *mut u32, z: *mut u32) -> ResultCode;
    converter_get_compute_required_wave_size(converter: Handle, size: *mut u32) -> ResultCode;
    converter_get_compute_wave_size_range(converter: Handle, min: *mut u32, max: *mut u32, preferred: *mut u32) -> ResultCode;
    converter_get_compute_heuristic_max_wave_size(converter: Handle, size: *mut u32) -> ResultCode;
    converter_get_compute_heuristic_min_wave_size(converter: Handle, size: *mut u32) -> ResultCode;
    converter_get_patch_vertex_count(converter: Handle, count: *mut u32) -> ResultCode;
    converter_get_patch_location_offset(converter: Handle, offset: *mut u32) -> ResultCode;
    converter_uses_shader_feature(converter: Handle, feature: ShaderFeature) -> Bool;
    converter_is_multiview_compatible(converter: Handle, compatible: *mut Bool) -> ResultCode;
    converter_get_analysis_warnings(converter: Handle) -> *const c_char;
    converter_set_meta_descriptor(converter: Handle, meta: MetaDescriptor, kind: MetaDescriptorKind, set: u32, binding: u32) -> ResultCode;
}

impl Functions {
    /// Gives the other library the log callback of this thread.
    pub(crate) fn share_log(&self) {
        let log::Sink { callback, userdata } = log::get();
        // SAFETY: the function takes any callback, also none.
        unsafe { (self.set_thread_log_callback)(callback, userdata) };
    }
}

/// The other library, which stays loaded.
struct Loaded {
    functions: Functions,
    _library: Library,
}

/// Loads a library. Its calls of its own functions must not get to ours, which have the same names and
/// come first in the process.
///
/// # Safety
/// The initialization of the library may run in this process.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe fn open(path: &OsStr) -> std::result::Result<Library, libloading::Error> {
    use libloading::os::unix;
    /// `RTLD_DEEPBIND`: the library's own symbols come first.
    const DEEP_BIND: std::ffi::c_int = 8;
    let flags = unix::RTLD_NOW | unix::RTLD_LOCAL | DEEP_BIND;
    // SAFETY: the caller's promise is the same.
    Ok(unsafe { unix::Library::open(Some(path), flags) }?.into())
}

/// Loads a library. Where names are of libraries rather than of the process, nothing else is needed;
/// elsewhere the library must have been linked with `-Bsymbolic`.
///
/// # Safety
/// The initialization of the library may run in this process.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
unsafe fn open(path: &OsStr) -> std::result::Result<Library, libloading::Error> {
    // SAFETY: the caller's promise is the same.
    unsafe { Library::new(path) }
}

/// Loads the library that the environment names.
fn load() -> std::result::Result<Loaded, String> {
    let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else {
        return Err(format!(
            "the program is DXBC (shader model 4 or 5), which is not translated; {VARIABLE} may name \
             a library with the same interface that does"
        ));
    };
    let name = path.to_string_lossy().into_owned();
    let failed = |error| format!("{VARIABLE}: cannot use {name}: {error}");
    // SAFETY: who sets the variable chooses a library whose initialization may run in this process.
    let library = unsafe { open(&path) }.map_err(failed)?;
    let functions = Functions::find(&library).map_err(failed)?;
    if ptr::fn_addr_eq(
        functions.parse_dxil_blob,
        crate::api::dxil_spv_parse_dxil_blob as unsafe extern "C" fn(_, _, _) -> _,
    ) {
        return Err(format!("{VARIABLE}: {name} is this library"));
    }
    Ok(Loaded {
        functions,
        _library: library,
    })
}

/// Returns the functions of the other library.
fn functions() -> Result<&'static Functions> {
    static LOADED: OnceLock<std::result::Result<Loaded, String>> = OnceLock::new();
    match LOADED.get_or_init(load) {
        Ok(loaded) => Ok(&loaded.functions),
        Err(text) => Err(Failure::new(
            result::ERROR_UNSUPPORTED_FEATURE,
            text.as_str(),
        )),
    }
}

/// A blob of the other library.
#[derive(Debug)]
pub(crate) struct ForeignBlob {
    pub(crate) functions: &'static Functions,
    pub(crate) handle: Handle,
}

// SAFETY: the handle is only passed to the other library, whose handles may be used by any thread.
unsafe impl Send for ForeignBlob {}
// SAFETY: as above; clients may not use a blob in two calls at once, as with the other library itself.
unsafe impl Sync for ForeignBlob {}

impl Drop for ForeignBlob {
    fn drop(&mut self) {
        // SAFETY: the handle is that of a blob which nothing else frees.
        unsafe { (self.functions.parsed_blob_free)(self.handle) };
    }
}

/// A converter of the other library.
#[derive(Debug)]
pub(crate) struct ForeignConverter {
    pub(crate) functions: &'static Functions,
    pub(crate) handle: Handle,
    /// What it refers to.
    _blob: Arc<ForeignBlob>,
}

// SAFETY: as for `ForeignBlob`.
unsafe impl Send for ForeignConverter {}
// SAFETY: as for `ForeignBlob`.
unsafe impl Sync for ForeignConverter {}

impl Drop for ForeignConverter {
    fn drop(&mut self) {
        // SAFETY: the handle is that of a converter which nothing else frees.
        unsafe { (self.functions.converter_free)(self.handle) };
    }
}

/// Parses a program in the other library.
///
/// # Errors
/// There is no such library, or it does not read the program.
pub(crate) fn parse(bytes: &[u8]) -> Result<ForeignBlob> {
    let functions = functions()?;
    functions.share_log();
    let mut handle = ptr::null_mut();
    // SAFETY: the bytes can be read, and the handle can be written.
    let code =
        unsafe { (functions.parse_dxil_blob)(bytes.as_ptr().cast(), bytes.len(), &raw mut handle) };
    made(code, handle)?;
    Ok(ForeignBlob { functions, handle })
}

/// Creates a converter in the other library.
///
/// # Errors
/// The other library's.
pub(crate) fn converter(blob: &Arc<ForeignBlob>) -> Result<ForeignConverter> {
    let functions = blob.functions;
    functions.share_log();
    let mut handle = ptr::null_mut();
    // SAFETY: the blob is one of the other library, and the handle can be written.
    let code = unsafe { (functions.create_converter)(blob.handle, &raw mut handle) };
    made(code, handle)?;
    Ok(ForeignConverter {
        functions,
        handle,
        _blob: Arc::clone(blob),
    })
}

fn made(code: ResultCode, handle: Handle) -> Result<()> {
    if code != result::SUCCESS {
        return Err(Failure::answer(code));
    }
    if handle.is_null() {
        let text = "the library for DXBC returned no handle";
        return Err(Failure::new(result::ERROR_GENERIC, text));
    }
    Ok(())
}
