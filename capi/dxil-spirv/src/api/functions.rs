//! The functions of parsed blobs and of converters. Calls with handles of programs in DXBC are passed to
//! another library.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Arc;

use libloading::Library;
use trellis_c_support::handle::{self, Object};
use trellis_c_support::text;
use trellis_spirv_backend::bindings::HeapBinding;

use super::{Answer, put, put_each, run};
use crate::abi::*;
use crate::blob::OwnBlob;
use crate::converter::OwnConverter;
use crate::failure::{Failure, Result};
use crate::local_root::TableEntry;
use crate::log;
use crate::nodes::{NO_NODE, Node};
use crate::remap::{Callback, Remappers};

/// A handle of the other library.
pub(super) type Handle = *mut c_void;

/// An object of the other library.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) functions: &'static Functions,
    pub(super) handle: Handle,
    free: unsafe extern "C" fn(Handle),
    /// The object that it refers to.
    _of: Option<Arc<Foreign>>,
}

// SAFETY: the handle is only passed to the other library, whose handles may be used by any thread.
unsafe impl Send for Foreign {}
// SAFETY: as above; clients may not use a handle in two calls at once, as with the other library itself.
unsafe impl Sync for Foreign {}

impl Drop for Foreign {
    fn drop(&mut self) {
        // SAFETY: the handle is one of an object which nothing else frees, and the function is its.
        unsafe { (self.free)(self.handle) };
    }
}

impl Foreign {
    /// Makes an object by a function of the other library.
    pub(super) fn make(
        functions: &'static Functions,
        free: unsafe extern "C" fn(Handle),
        of: Option<Arc<Self>>,
        make: impl FnOnce(*mut Handle) -> ResultCode,
    ) -> Result<Arc<Self>> {
        functions.share_log();
        let mut handle = ptr::null_mut();
        let code = make(&raw mut handle);
        if code != result::SUCCESS {
            return Err(Failure::answer(code));
        }
        if handle.is_null() {
            let text = "the library for DXBC returned no handle";
            return Err(Failure::new(result::ERROR_GENERIC, text));
        }
        Ok(Arc::new(Self {
            functions,
            handle,
            free,
            _of: of,
        }))
    }

    /// Calls a function with the object.
    fn call<R>(&self, call: impl FnOnce(&Functions, Handle) -> R) -> R {
        self.functions.share_log();
        call(self.functions, self.handle)
    }
}

/// The object of a handle. Converters share their blob, so that it may be freed before them.
#[derive(Debug)]
pub(super) enum Program<T> {
    /// DXIL.
    Own(T),
    /// DXBC, which another library reads.
    Foreign(Arc<Foreign>),
}

pub(super) type Blob = Program<Arc<OwnBlob>>;
pub(super) type Converter = Program<Box<OwnConverter>>;

impl Object for Blob {
    const MAGIC: u32 = 0xB10B_0268;
}

impl Object for Converter {
    const MAGIC: u32 = 0xC0DE_0268;
}

/// Runs a function of a blob.
///
/// # Safety
/// `blob` is null or a handle of this library.
unsafe fn with_blob<R: Answer>(
    function: &str,
    blob: *mut c_void,
    own: impl FnOnce(&OwnBlob) -> Result<R::Body>,
    foreign: impl FnOnce(&Functions, Handle) -> R,
) -> R {
    run(function, || {
        // SAFETY: the caller's promise is the same.
        match &*unsafe { handle::share::<Blob>(blob) }? {
            Program::Own(blob) => own(blob).map(R::done),
            Program::Foreign(blob) => Ok(blob.call(foreign)),
        }
    })
}

/// Runs a function of a converter.
///
/// # Safety
/// `converter` is null or a handle of this library.
pub(super) unsafe fn with_converter<R: Answer>(
    function: &str,
    converter: *mut c_void,
    own: impl FnOnce(&mut OwnConverter) -> Result<R::Body>,
    foreign: impl FnOnce(&Functions, Handle) -> R,
) -> R {
    run(function, || {
        // SAFETY: the caller's promise is the same.
        match &mut *unsafe { handle::lock::<Converter>(converter) }? {
            Program::Own(converter) => own(converter).map(R::done),
            Program::Foreign(converter) => Ok(converter.call(foreign)),
        }
    })
}

/// Declares the functions of the other library. The functions under `others` have their types only; each of
/// a handle has its arguments after the handle, and its effect on DXIL: it is exported here, too, and
/// passes calls with DXBC on.
macro_rules! functions {
    (
        others { $($other:ident($($type:ty),*) $(-> $code:ty)?;)+ }
        $($with:ident { $(
            $(#[$meta:meta])*
            $name:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? = $own:expr;
        )+ })+
    ) => {
        /// The functions of the other library.
        #[derive(Debug)]
        pub(super) struct Functions {
            $(pub(super) $other: unsafe extern "C" fn($($type),*) $(-> $code)?,)+
            $($($name: unsafe extern "C" fn(Handle $(, $ty)*) $(-> $result)?,)+)+
        }

        impl Functions {
            /// Finds the functions in a library.
            pub(super) fn find(library: &Library) -> std::result::Result<Self, libloading::Error> {
                // SAFETY: a library with this interface has functions of these types.
                unsafe {
                    Ok(Self {
                        $($other: *library.get(concat!(stringify!($other), "\0").as_bytes())?,)+
                        $($($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)+)+
                    })
                }
            }
        }

        $($(
            $(#[$meta])*
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(handle: *mut c_void $(, $argument: $ty)*) $(-> $result)? {
                // SAFETY: the caller keeps the module's rules: the handle is null or this
                // library's, and each pointer is null or can be read or written as its type
                // requires, as `put`, `text::read` and the other library's function require.
                unsafe {
                    $with(stringify!($name), handle, $own, |f, handle| {
                        (f.$name)(handle $(, $argument)*)
                    })
                }
            }
        )+)+
    };
}

functions! {
    others {
        dxil_spv_parse_dxil_blob(*const c_void, usize, *mut Handle) -> ResultCode;
        dxil_spv_parsed_blob_free(Handle);
        dxil_spv_set_thread_log_callback(LogCallback, *mut c_void);
        dxil_spv_create_converter(Handle, *mut Handle) -> ResultCode;
        dxil_spv_converter_free(Handle);
        dxil_spv_converter_add_option(Handle, *const OptionBase) -> ResultCode;
    }

    with_blob {
        /// Writes the listing to the standard error stream.
        dxil_spv_parsed_blob_dump_llvm_ir() = |blob| {
            eprintln!("{}", blob.listing()?.to_string_lossy());
            Ok(())
        };

        /// Returns the listing, until the blob is freed.
        dxil_spv_parsed_blob_get_disassembled_ir(text: *mut *const c_char) -> ResultCode =
            |blob| put(text, blob.listing()?.as_ptr());

        /// Returns the bitcode of a container, until the blob is freed.
        dxil_spv_parsed_blob_get_raw_ir(data: *mut *const c_void, size: *mut usize) -> ResultCode = |blob| {
            let none = || Failure::answer(result::ERROR_GENERIC);
            let raw = blob.raw().ok_or_else(none)?;
            put(data, raw.as_ptr().cast())?;
            put(size, raw.len())
        };

        /// Returns the stage of the first entry point.
        dxil_spv_parsed_blob_get_shader_stage() -> Stage = |blob| Ok(blob.stage(None));

        /// Returns the stage of an entry point; unknown for a name that there is not.
        dxil_spv_parsed_blob_get_shader_stage_for_entry(entry: *const c_char) -> Stage =
            |blob| Ok(blob.stage(text::read(entry).as_deref()));

        /// Finds an entry point by its mangled name or its name in the source.
        dxil_spv_parsed_blob_get_entry_index_by_name(entry: *const c_char, index: *mut u32) -> ResultCode =
            |blob| {
                if entry.is_null() {
                    return Err(Failure::argument("the name of the entry point is null"));
                }
                let found = blob.index(CStr::from_ptr(entry));
                put(index, found.ok_or_else(|| Failure::answer(result::ERROR_GENERIC))?)
            };

        /// Returns the number of entry points.
        dxil_spv_parsed_blob_get_num_entry_points(count: *mut u32) -> ResultCode =
            |blob| put(count, u32::try_from(blob.names.len()).unwrap_or(u32::MAX));

        /// Returns the mangled name of an entry point, until the blob is freed.
        dxil_spv_parsed_blob_get_entry_point_name(index: u32, name: *mut *const c_char) -> ResultCode =
            |blob| put(name, blob.entry(index)?.mangled.as_ptr());

        /// Returns the name of an entry point in the source, until the blob is freed.
        dxil_spv_parsed_blob_get_entry_point_demangled_name(index: u32, name: *mut *const c_char) -> ResultCode =
            |blob| put(name, blob.entry(index)?.source.as_ptr());

        /// Describes a node of a work graph: its launch type and its input. Entry points that are
        /// not nodes have the launch type 0.
        dxil_spv_parsed_blob_get_entry_point_node_input(index: u32, data: *mut NodeInputData) -> ResultCode =
            |blob| put(data, blob.node(index)?.map_or(NO_NODE, Node::input_data));

        /// Returns the number of a node's outputs; 0 if it is not a node.
        dxil_spv_parsed_blob_get_entry_point_num_node_outputs(index: u32, count: *mut u32) -> ResultCode =
            |blob| put(count, blob.node(index)?.map_or(0, Node::num_outputs));

        /// Describes an output of a node.
        dxil_spv_parsed_blob_get_entry_point_node_output(index: u32, output: u32, data: *mut NodeOutputData) -> ResultCode =
            |blob| {
                let found = blob.node(index)?.and_then(|node| node.output_data(output));
                let none = || Failure::argument(format!("entry point {index} has no output {output}"));
                put(data, found.ok_or_else(none)?)
            };

        /// Asks remappers about the resources that the shader declares.
        dxil_spv_parsed_blob_scan_resources(
            srv: SrvRemapper, sampler: SamplerRemapper, cbv: CbvRemapper, uav: UavRemapper, userdata: *mut c_void
        ) -> ResultCode = |blob| {
            let remappers = Remappers {
                srv: Callback { call: srv, userdata },
                sampler: Callback { call: sampler, userdata },
                uav: Callback { call: uav, userdata },
                cbv: Callback { call: cbv, userdata },
            };
            remappers.scan(blob.shader());
            Ok(())
        };

        /// Returns the number of subobjects of a library.
        dxil_spv_parsed_blob_get_num_rdat_subobjects() -> u32 =
            |blob| Ok(u32::try_from(blob.subobjects.len()).unwrap_or(u32::MAX));

        /// Returns a subobject. Its strings and payload are in the bytes that were parsed.
        dxil_spv_parsed_blob_get_rdat_subobject(index: u32, subobject: *mut RdatSubobject) = |blob| {
            let found = blob.subobjects.get(index as usize);
            let none = || Failure::argument(format!("there is no subobject {index}"));
            put(subobject, found.ok_or_else(none)?.answer())
        };
    }

    with_converter {
        /// Chooses the entry point: by its mangled name, or its name in the source. Null for the first.
        dxil_spv_converter_set_entry_point(entry_point: *const c_char) = |converter| {
            let name = text::read(entry_point).map(Cow::into_owned);
            converter.entry = name.filter(|name| !name.is_empty());
            Ok(())
        };

        /// Sets the remapper of SRVs.
        dxil_spv_converter_set_srv_remapper(call: SrvRemapper, userdata: *mut c_void) =
            |converter| converter.remappers.srv.set(call, userdata);

        /// Sets the remapper of samplers.
        dxil_spv_converter_set_sampler_remapper(call: SamplerRemapper, userdata: *mut c_void) =
            |converter| converter.remappers.sampler.set(call, userdata);

        /// Sets the remapper of UAVs.
        dxil_spv_converter_set_uav_remapper(call: UavRemapper, userdata: *mut c_void) =
            |converter| converter.remappers.uav.set(call, userdata);

        /// Sets the remapper of constant buffers.
        dxil_spv_converter_set_cbv_remapper(call: CbvRemapper, userdata: *mut c_void) =
            |converter| converter.remappers.cbv.set(call, userdata);

        /// Sets the remapper of vertex inputs.
        dxil_spv_converter_set_vertex_input_remapper(call: VertexInputRemapper, userdata: *mut c_void) =
            |converter| converter.interface.vertex_input.set(call, userdata);

        /// Sets the remapper of stream outputs.
        dxil_spv_converter_set_stream_output_remapper(call: StreamOutputRemapper, userdata: *mut c_void) =
            |converter| converter.interface.stream_output.set(call, userdata);

        /// Sets the remapper of the stage's inputs.
        dxil_spv_converter_set_stage_input_remapper(call: StageIoRemapper, userdata: *mut c_void) =
            |converter| converter.interface.stage_input.set(call, userdata);

        /// Sets the remapper of the stage's outputs.
        dxil_spv_converter_set_stage_output_remapper(call: StageIoRemapper, userdata: *mut c_void) =
            |converter| converter.interface.stage_output.set(call, userdata);

        /// Sets the number of root constants.
        dxil_spv_converter_set_root_constant_word_count(words: u32) = |converter| {
            converter.settings.options.interface.root_constants = Some(words);
            Ok(())
        };

        /// Sets the number of root descriptors, which are before the root constants.
        dxil_spv_converter_set_root_descriptor_count(count: u32) = |converter| {
            converter.settings.options.interface.root_descriptors = count;
            Ok(())
        };

        /// Adds constants to the local root signature.
        dxil_spv_converter_add_local_root_constants(space: u32, register: u32, words: u32) = |converter| {
            converter.local.constants(space, register, words);
            Ok(())
        };

        /// Adds a descriptor to the local root signature.
        dxil_spv_converter_add_local_root_descriptor(class: Class, space: u32, register: u32) =
            |converter| converter.local.descriptor(class, space, register);

        /// Adds a table of one range to the local root signature, or a range to the table that is open.
        dxil_spv_converter_add_local_root_descriptor_table(
            class: Class, space: u32, register: u32, count: u32, heap_offset: u32
        ) = |converter| converter.local.table(TableEntry { class, space, register, count, heap_offset });

        /// Opens a table of the local root signature.
        dxil_spv_converter_begin_local_root_descriptor_table() -> ResultCode =
            |converter| converter.local.begin_table();

        /// Closes the table of the local root signature that is open.
        dxil_spv_converter_end_local_root_descriptor_table() -> ResultCode =
            |converter| converter.local.end_table();

        /// Has no effect: for debuggers' text in the output.
        dxil_spv_converter_add_root_parameter_mapping(parameter: u32, offset: u32) = |_| Ok(());

        /// Has no effect: for debuggers' text in the output.
        dxil_spv_converter_add_root_descriptor_mapping(parameter: u32, set: u32, binding: u32) = |_| Ok(());

        /// Has no effect: for debuggers' text in the output.
        dxil_spv_converter_add_non_semantic_debug_info(tag: *const c_char, data: *const c_void, size: usize) =
            |_| Ok(());

        /// Sets the first location of the patch constants of a domain shader.
        dxil_spv_converter_set_patch_location_offset(offset: u32) = |converter| {
            converter.patch_location = Some(offset).filter(|&n| n != u32::MAX);
            Ok(())
        };

        /// Sets the location of a descriptor that the client adds. Only descriptors of view
        /// instances have an effect.
        dxil_spv_converter_set_meta_descriptor(
            meta: MetaDescriptor, kind: MetaDescriptorKind, set: u32, binding: u32
        ) -> ResultCode =
            |converter| converter.settings.meta_descriptor(meta, kind, HeapBinding { set, binding });

        /// Converts.
        dxil_spv_converter_run() -> ResultCode = OwnConverter::run;

        /// Returns the SPIR-V, until the converter runs again or is freed.
        dxil_spv_converter_get_compiled_spirv(compiled: *mut CompiledSpirv) -> ResultCode = |converter| {
            let words = converter.output()?.words.as_slice();
            put(compiled, CompiledSpirv { data: words.as_ptr().cast(), size: size_of_val(words) })
        };

        /// Returns the name of the entry point in the source, until the converter runs again or is freed.
        /// In SPIR-V it is `main`.
        dxil_spv_converter_get_compiled_entry_point(entry_point: *mut *const c_char) -> ResultCode =
            |converter| put(entry_point, converter.output()?.entry.as_ptr());

        /// Returns whether the shader reads the size of waves.
        dxil_spv_converter_uses_subgroup_size() -> Bool =
            |converter| Ok(converter.facts().uses_subgroup_size);

        /// Returns whether the shader uses a feature.
        dxil_spv_converter_uses_shader_feature(feature: ShaderFeature) -> Bool = |converter| {
            let is_16bit = feature == shader_feature::NATIVE_16BIT_OPERATIONS;
            Ok(is_16bit && converter.facts().uses_16bit)
        };

        /// Returns the threads of a group.
        dxil_spv_converter_get_compute_workgroup_dimensions(x: *mut u32, y: *mut u32, z: *mut u32) -> ResultCode =
            |converter| put_each([x, y, z], converter.facts().workgroup);

        /// Returns the size of waves that the shader requires; 0 for none. A range of sizes is an error.
        dxil_spv_converter_get_compute_required_wave_size(size: *mut u32) -> ResultCode = |converter| {
            let [min, max, _] = converter.facts().wave;
            if max != 0 && min != max {
                return Err(Failure::answer(result::ERROR_GENERIC));
            }
            put(size, min)
        };

        /// Returns the sizes of waves that the shader accepts; 0 where it declares none.
        dxil_spv_converter_get_compute_wave_size_range(min: *mut u32, max: *mut u32, preferred: *mut u32) -> ResultCode =
            |converter| put_each([min, max, preferred], converter.facts().wave);

        /// Returns 0: there is no opinion about it.
        dxil_spv_converter_get_compute_heuristic_max_wave_size(size: *mut u32) -> ResultCode = |_| put(size, 0);

        /// Returns 0: there is no opinion about it.
        dxil_spv_converter_get_compute_heuristic_min_wave_size(size: *mut u32) -> ResultCode = |_| put(size, 0);

        /// Returns the control points of the patches that a hull shader reads.
        dxil_spv_converter_get_patch_vertex_count(count: *mut u32) -> ResultCode =
            |converter| put(count, converter.facts().patch_vertices);

        /// Returns the first location after the control points that a hull shader writes.
        dxil_spv_converter_get_patch_location_offset(offset: *mut u32) -> ResultCode =
            |converter| put(offset, converter.facts().patch_location);

        /// Returns whether Vulkan's multiview can draw all views at once.
        dxil_spv_converter_is_multiview_compatible(compatible: *mut Bool) -> ResultCode =
            |converter| put(compatible, converter.facts().multiview_compatible.into());

        /// Returns null: shaders are not analyzed.
        dxil_spv_converter_get_analysis_warnings() -> *const c_char = |_| Ok(ptr::null());
    }
}

impl Functions {
    /// Gives the other library the log callback of this thread.
    fn share_log(&self) {
        let log::Sink { callback, userdata } = log::get();
        // SAFETY: the function takes any callback, also none.
        unsafe { (self.dxil_spv_set_thread_log_callback)(callback, userdata) };
    }
}
