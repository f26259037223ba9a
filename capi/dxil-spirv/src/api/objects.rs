//! Making and freeing blobs and converters, and the options of converters.

use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, OnceLock};

use libloading::Library;
use trellis_c_support::handle::{self, Object};
use trellis_c_support::text;

use super::functions::{Blob, Converter, Foreign, Functions, Program, with_converter};
use super::{put, run};
use crate::abi::{OptionBase, ResultCode, result};
use crate::blob::{OwnBlob, is_dxbc};
use crate::converter::OwnConverter;
use crate::failure::{Failure, Result};
use crate::{foreign, log};

/// Returns the functions of the library that the environment names, which stays loaded.
fn functions() -> Result<&'static Functions> {
    type Loaded = std::result::Result<(Functions, Library), String>;
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    let is_own = |functions: &Functions| {
        let own: unsafe extern "C" fn(_, _, _) -> _ = dxil_spv_parse_dxil_blob;
        ptr::fn_addr_eq(functions.dxil_spv_parse_dxil_blob, own)
    };
    match LOADED.get_or_init(|| foreign::load(Functions::find, is_own)) {
        Ok((functions, _)) => Ok(functions),
        Err(text) => {
            let code = result::ERROR_UNSUPPORTED_FEATURE;
            Err(Failure::new(code, text.as_str()))
        }
    }
}

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
        // SAFETY: the caller's promises are the same. A null handle is safe to free.
        unsafe {
            put(blob, ptr::null_mut())?;
            let bytes = text::bytes(data, size);
            let bytes = bytes.ok_or_else(|| Failure::argument("the data is null, or too large"))?;
            put(blob, handle::create(read(bytes)?))?;
        }
        Ok(result::SUCCESS)
    })
}

fn own(blob: OwnBlob) -> Blob {
    Program::Own(Arc::new(blob))
}

/// Parses a container.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: *mut *mut c_void,
) -> ResultCode {
    let read = |bytes: &[u8]| {
        if !(foreign::is_named() && is_dxbc(bytes)) {
            return OwnBlob::container(bytes).map(own);
        }
        let functions = functions()?;
        let free = functions.dxil_spv_parsed_blob_free;
        let blob = Foreign::make(functions, free, None, |to| {
            // SAFETY: the bytes can be read, and the handle can be written.
            unsafe { (functions.dxil_spv_parse_dxil_blob)(bytes.as_ptr().cast(), bytes.len(), to) }
        });
        Ok(Program::Foreign(blob?))
    };
    // SAFETY: the caller's promise is the same.
    unsafe { parse("dxil_spv_parse_dxil_blob", data, size, blob, read) }
}

/// Parses the part of a container that is there for names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_reflection_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: *mut *mut c_void,
) -> ResultCode {
    let (name, read) = ("dxil_spv_parse_reflection_dxil_blob", OwnBlob::reflection);
    // SAFETY: the caller's promise is the same.
    unsafe { parse(name, data, size, blob, |bytes| read(bytes).map(own)) }
}

/// Parses bitcode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil(
    data: *const c_void,
    size: usize,
    blob: *mut *mut c_void,
) -> ResultCode {
    let read = |bytes: &[u8]| OwnBlob::bitcode(bytes).map(own);
    // SAFETY: the caller's promise is the same.
    unsafe { parse("dxil_spv_parse_dxil", data, size, blob, read) }
}

/// Frees an object; null is allowed.
///
/// # Safety
/// `handle` is null or a handle of this library.
unsafe fn free<T: Object>(function: &str, handle: *mut c_void) {
    if handle.is_null() {
        return;
    }
    run(function, || {
        // SAFETY: the caller's promise is the same.
        drop(unsafe { handle::free::<T>(handle) }?);
        Ok(())
    });
}

/// Frees a blob; null is allowed. Converters of it stay usable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_free(blob: *mut c_void) {
    // SAFETY: the caller's promise is the same.
    unsafe { free::<Blob>("dxil_spv_parsed_blob_free", blob) }
}

/// Creates a converter of a blob.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_create_converter(
    blob: *mut c_void,
    converter: *mut *mut c_void,
) -> ResultCode {
    // SAFETY: the caller's promises are the same.
    unsafe { dxil_spv_create_converter_with_reflection(blob, ptr::null_mut(), converter) }
}

/// Creates a converter of a blob, with the names of another one, which may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_create_converter_with_reflection(
    blob: *mut c_void,
    reflection_blob: *mut c_void,
    converter: *mut *mut c_void,
) -> ResultCode {
    // SAFETY: the caller promises that handles are null or this library's, and that the converter can be
    // written. A null handle is safe to free. The other library's blob is passed to that library.
    let body = || unsafe {
        put(converter, ptr::null_mut())?;
        let blob = handle::share::<Blob>(blob)?;
        let mut names = None;
        if !reflection_blob.is_null()
            && let Program::Own(blob) = &*handle::share::<Blob>(reflection_blob)?
        {
            names = Some(Arc::clone(blob));
        }
        let created = match &*blob {
            Program::Own(blob) => {
                Program::Own(Box::new(OwnConverter::new(Arc::clone(blob), names)))
            }
            Program::Foreign(blob) => {
                let (functions, of) = (blob.functions, Some(Arc::clone(blob)));
                let free = functions.dxil_spv_converter_free;
                let make = |to| (functions.dxil_spv_create_converter)(blob.handle, to);
                Program::Foreign(Foreign::make(functions, free, of, make)?)
            }
        };
        put(converter, handle::create::<Converter>(created))?;
        Ok(result::SUCCESS)
    };
    run("dxil_spv_create_converter", body)
}

/// Frees a converter; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_free(converter: *mut c_void) {
    // SAFETY: the caller's promise is the same.
    unsafe { free::<Converter>("dxil_spv_converter_free", converter) }
}

/// Sets an option. One that is not known is accepted, and has no effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_add_option(
    converter: *mut c_void,
    option: *const OptionBase,
) -> ResultCode {
    let foreign = |f: &Functions, converter| {
        if option.is_null() {
            return result::ERROR_INVALID_ARGUMENT;
        }
        // SAFETY: the caller promises that it is the struct of its option, as it is not null.
        let (code, number) = unsafe {
            let code = (f.dxil_spv_converter_add_option)(converter, option);
            (code, option.read_unaligned().ty)
        };
        if code != result::ERROR_UNSUPPORTED_FEATURE {
            return code;
        }
        // As for programs in DXIL: a newer client must be able to continue.
        let unknown = "is not known to the library for DXBC, and has no effect";
        log::note_option(number, format_args!("option {number} {unknown}"));
        result::SUCCESS
    };
    // SAFETY: the caller promises that the option is null or the struct of its option, and that the
    // handle is null or this library's.
    unsafe {
        let own = |converter: &mut OwnConverter| converter.settings.add(option);
        with_converter("dxil_spv_converter_add_option", converter, own, foreign)
    }
}
