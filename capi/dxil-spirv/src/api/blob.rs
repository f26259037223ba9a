//! Functions of parsed blobs.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

use trellis_c_support::{handle, text};

use super::{put, run, with_blob};
use crate::abi::{
    CbvRemapper, NodeInputData, NodeOutputData, RdatSubobject, ResultCode, SamplerRemapper,
    SrvRemapper, Stage, UavRemapper, result, stage,
};
use crate::blob::{Blob, EntryNames, OwnBlob, choose};
use crate::failure::{Failure, Result};
use crate::nodes::{NO_NODE, Node};
use crate::remap::{Callback, Remappers};
use crate::stage::stage_number;

/// Parses bytes into a new blob.
///
/// # Safety
/// `data` is null or has `size` bytes, and `blob` is null or can be written.
unsafe fn parse(
    function: &str,
    data: *const c_void,
    size: usize,
    blob: *mut *mut c_void,
    read: impl FnOnce(&[u8]) -> Result<Blob>,
) -> ResultCode {
    run(function, || {
        // SAFETY: the caller promises that it can be written. A null handle is safe to free.
        unsafe { put(blob, ptr::null_mut()) }?;
        // SAFETY: the caller promises that it has so many bytes.
        let bytes = unsafe { text::bytes(data, size) };
        let bytes = bytes.ok_or_else(|| Failure::argument("the data is null, or too large"))?;
        let parsed = handle::create(read(bytes)?);
        // SAFETY: as above.
        unsafe { put(blob, parsed) }?;
        Ok(result::SUCCESS)
    })
}

/// Parses a container.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: *mut *mut c_void,
) -> ResultCode {
    // SAFETY: the caller's promise is the same.
    unsafe { parse("parse_dxil_blob", data, size, blob, Blob::container) }
}

/// Parses the part of a container that is there for names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_reflection_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: *mut *mut c_void,
) -> ResultCode {
    let name = "parse_reflection_dxil_blob";
    // SAFETY: the caller's promise is the same.
    unsafe { parse(name, data, size, blob, Blob::reflection) }
}

/// Parses bitcode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil(
    data: *const c_void,
    size: usize,
    blob: *mut *mut c_void,
) -> ResultCode {
    // SAFETY: the caller's promise is the same.
    unsafe { parse("parse_dxil", data, size, blob, Blob::bitcode) }
}

fn no_listing() -> Failure {
    let text = "the module has no listing: it would be too long";
    Failure::new(result::ERROR_GENERIC, text)
}

/// Writes the listing to the standard error stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_dump_llvm_ir(blob: *mut c_void) {
    let own = |blob: &Arc<OwnBlob>| {
        let listing = blob.listing().ok_or_else(no_listing)?;
        eprintln!("{}", listing.to_string_lossy());
        Ok(())
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_dump_llvm_ir", blob, own, |f, blob| {
            (f.parsed_blob_dump_llvm_ir)(blob);
        });
    }
}

/// Returns the listing, until the blob is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_disassembled_ir(
    blob: *mut c_void,
    text: *mut *const c_char,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        let listing = blob.listing().ok_or_else(no_listing)?;
        // SAFETY: the caller promises that it can be written.
        unsafe { put(text, listing.as_ptr()) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_get_disassembled_ir", blob, own, |f, blob| {
            (f.parsed_blob_get_disassembled_ir)(blob, text)
        })
    }
}

/// Returns the bitcode of a container, until the blob is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_raw_ir(
    blob: *mut c_void,
    data: *mut *const c_void,
    size: *mut usize,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        let none = || Failure::answer(result::ERROR_GENERIC);
        let raw = blob.raw().ok_or_else(none)?;
        // SAFETY: the caller promises that they can be written.
        unsafe {
            put(data, raw.as_ptr().cast())?;
            put(size, raw.len())?;
        }
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_get_raw_ir", blob, own, |f, blob| {
            (f.parsed_blob_get_raw_ir)(blob, data, size)
        })
    }
}

/// Returns the stage of the first entry point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_shader_stage(blob: *mut c_void) -> Stage {
    let own = |blob: &Arc<OwnBlob>| Ok(stage_of(blob, None));
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_get_shader_stage", blob, own, |f, blob| {
            (f.parsed_blob_get_shader_stage)(blob)
        })
    }
}

/// Returns the stage of an entry point; unknown for a name that there is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_shader_stage_for_entry(
    blob: *mut c_void,
    entry: *const c_char,
) -> Stage {
    let own = |blob: &Arc<OwnBlob>| {
        // SAFETY: the caller promises that it is null or a string.
        let name = unsafe { text::read(entry) };
        Ok(stage_of(blob, name.as_deref()))
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let name = "parsed_blob_get_shader_stage_for_entry";
        with_blob(name, blob, own, |f, blob| {
            (f.parsed_blob_get_shader_stage_for_entry)(blob, entry)
        })
    }
}

fn stage_of(blob: &OwnBlob, name: Option<&str>) -> Stage {
    choose(blob.shader(), name).map_or(stage::UNKNOWN, |entry| stage_number(entry.kind))
}

/// Finds an entry point by its mangled name or its name in the source.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_entry_index_by_name(
    blob: *mut c_void,
    entry: *const c_char,
    index: *mut u32,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        if entry.is_null() {
            return Err(Failure::argument("the name of the entry point is null"));
        }
        // SAFETY: it is not null, and the caller promises that it is a string.
        let name = unsafe { std::ffi::CStr::from_ptr(entry) };
        let is = |names: &EntryNames| *names.mangled == *name || *names.source == *name;
        let found = blob.names.iter().position(is);
        let found = found.ok_or_else(|| Failure::answer(result::ERROR_GENERIC))?;
        // SAFETY: the caller promises that it can be written.
        unsafe { put(index, u32::try_from(found).unwrap_or(u32::MAX)) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let name = "parsed_blob_get_entry_index_by_name";
        with_blob(name, blob, own, |f, blob| {
            (f.parsed_blob_get_entry_index_by_name)(blob, entry, index)
        })
    }
}

/// Returns the number of entry points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_num_entry_points(
    blob: *mut c_void,
    count: *mut u32,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        let number = u32::try_from(blob.names.len()).unwrap_or(u32::MAX);
        // SAFETY: the caller promises that it can be written.
        unsafe { put(count, number) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_get_num_entry_points", blob, own, |f, blob| {
            (f.parsed_blob_get_num_entry_points)(blob, count)
        })
    }
}

/// Returns an entry point's names.
fn names(blob: &OwnBlob, index: u32) -> Result<&EntryNames> {
    let names = blob.names.get(index as usize);
    names.ok_or_else(|| Failure::argument(format!("there is no entry point {index}")))
}

/// Returns the mangled name of an entry point, until the blob is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_entry_point_name(
    blob: *mut c_void,
    index: u32,
    name: *mut *const c_char,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        // SAFETY: the caller promises that it can be written.
        unsafe { put(name, names(blob, index)?.mangled.as_ptr()) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_get_entry_point_name", blob, own, |f, blob| {
            (f.parsed_blob_get_entry_point_name)(blob, index, name)
        })
    }
}

/// Returns the name of an entry point in the source, until the blob is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_entry_point_demangled_name(
    blob: *mut c_void,
    index: u32,
    name: *mut *const c_char,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        // SAFETY: the caller promises that it can be written.
        unsafe { put(name, names(blob, index)?.source.as_ptr()) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let function = "parsed_blob_get_entry_point_demangled_name";
        with_blob(function, blob, own, |f, blob| {
            (f.parsed_blob_get_entry_point_demangled_name)(blob, index, name)
        })
    }
}

/// Describes a node of a work graph: its launch type and its input. What is no node has the launch type 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_entry_point_node_input(
    blob: *mut c_void,
    index: u32,
    data: *mut NodeInputData,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        names(blob, index)?;
        let node = blob.node(index);
        // SAFETY: the caller promises that it can be written.
        unsafe { put(data, node.map_or(NO_NODE, Node::input_data)) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let function = "parsed_blob_get_entry_point_node_input";
        with_blob(function, blob, own, |f, blob| {
            (f.parsed_blob_get_entry_point_node_input)(blob, index, data)
        })
    }
}

/// Returns the number of a node's outputs; 0 of what is no node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_entry_point_num_node_outputs(
    blob: *mut c_void,
    index: u32,
    count: *mut u32,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        names(blob, index)?;
        let outputs = blob.node(index).map_or(0, Node::num_outputs);
        // SAFETY: the caller promises that it can be written.
        unsafe { put(count, outputs) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let function = "parsed_blob_get_entry_point_num_node_outputs";
        with_blob(function, blob, own, |f, blob| {
            (f.parsed_blob_get_entry_point_num_node_outputs)(blob, index, count)
        })
    }
}

/// Describes an output of a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_entry_point_node_output(
    blob: *mut c_void,
    index: u32,
    output_index: u32,
    data: *mut NodeOutputData,
) -> ResultCode {
    let own = |blob: &Arc<OwnBlob>| {
        names(blob, index)?;
        let output = blob
            .node(index)
            .and_then(|node| node.output_data(output_index));
        let output = output.ok_or_else(|| {
            let text = format!("entry point {index} has no output {output_index}");
            Failure::argument(text)
        })?;
        // SAFETY: the caller promises that it can be written.
        unsafe { put(data, output) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let function = "parsed_blob_get_entry_point_node_output";
        with_blob(function, blob, own, |f, blob| {
            (f.parsed_blob_get_entry_point_node_output)(blob, index, output_index, data)
        })
    }
}

/// Asks remappers about the resources that the shader declares.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_scan_resources(
    blob: *mut c_void,
    srv_remapper: SrvRemapper,
    sampler_remapper: SamplerRemapper,
    cbv_remapper: CbvRemapper,
    uav_remapper: UavRemapper,
    userdata: *mut c_void,
) -> ResultCode {
    fn callback<F>(call: Option<F>, userdata: *mut c_void) -> Callback<F> {
        Callback { call, userdata }
    }
    let own = |blob: &Arc<OwnBlob>| {
        let remappers = Remappers {
            srv: callback(srv_remapper, userdata),
            sampler: callback(sampler_remapper, userdata),
            uav: callback(uav_remapper, userdata),
            cbv: callback(cbv_remapper, userdata),
        };
        let shader = blob.shader();
        let stage = choose(shader, None).map_or(shader.kind, |entry| entry.kind);
        remappers.scan(stage, &shader.resources);
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_scan_resources", blob, own, |f, blob| {
            (f.parsed_blob_scan_resources)(
                blob,
                srv_remapper,
                sampler_remapper,
                cbv_remapper,
                uav_remapper,
                userdata,
            )
        })
    }
}

/// Returns the number of subobjects of a library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_num_rdat_subobjects(blob: *mut c_void) -> u32 {
    let own = |blob: &Arc<OwnBlob>| Ok(u32::try_from(blob.subobjects.len()).unwrap_or(u32::MAX));
    // SAFETY: the caller's promises are the same.
    unsafe {
        let function = "parsed_blob_get_num_rdat_subobjects";
        with_blob(function, blob, own, |f, blob| {
            (f.parsed_blob_get_num_rdat_subobjects)(blob)
        })
    }
}

/// Returns a subobject. Its strings and payload are in the bytes that were parsed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_rdat_subobject(
    blob: *mut c_void,
    index: u32,
    subobject: *mut RdatSubobject,
) {
    let own = |blob: &Arc<OwnBlob>| {
        let found = blob.subobjects.get(index as usize);
        let none = || Failure::argument(format!("there is no subobject {index}"));
        let found = found.ok_or_else(none)?;
        // SAFETY: the caller promises that it can be written.
        unsafe { put(subobject, found.answer()) }
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_blob("parsed_blob_get_rdat_subobject", blob, own, |f, blob| {
            (f.parsed_blob_get_rdat_subobject)(blob, index, subobject);
        });
    }
}

/// Frees a blob; null is allowed. Converters of it stay usable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_free(blob: *mut c_void) {
    if blob.is_null() {
        return;
    }
    run("parsed_blob_free", || {
        // SAFETY: the caller promises that it is a handle of this library.
        drop(unsafe { handle::free::<Blob>(blob) }?);
        Ok(())
    });
}
