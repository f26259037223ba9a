//! Creating, running and freeing converters, and their results.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

use trellis_c_support::handle;

use super::{put, run, with_converter};
use crate::abi::{Bool, CompiledSpirv, FALSE, OptionBase, OptionType, ResultCode, TRUE, result};
use crate::blob::Blob;
use crate::converter::{Converter, OwnConverter};
use crate::foreign;
use crate::log;
use crate::settings::row;

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
    run("create_converter", || {
        // SAFETY: the caller promises that it can be written. A null handle is safe to free.
        unsafe { put(converter, ptr::null_mut()) }?;
        // SAFETY: the caller promises that it is null or a handle of this library.
        let blob = unsafe { handle::share::<Blob>(blob) }?;
        let mut names = None;
        if !reflection_blob.is_null() {
            // SAFETY: as above.
            if let Blob::Own(blob) = &*unsafe { handle::share::<Blob>(reflection_blob) }? {
                names = Some(Arc::clone(blob));
            }
        }
        let created = match &*blob {
            Blob::Own(blob) => {
                let own = OwnConverter::new(Arc::clone(blob), names);
                Converter::Own(Box::new(own))
            }
            Blob::Foreign(blob) => Converter::Foreign(foreign::converter(blob)?),
        };
        // SAFETY: the caller promises that it can be written.
        unsafe { put(converter, handle::create(created)) }?;
        Ok(result::SUCCESS)
    })
}

/// Frees a converter; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_free(converter: *mut c_void) {
    if converter.is_null() {
        return;
    }
    run("converter_free", || {
        // SAFETY: the caller promises that it is a handle of this library.
        drop(unsafe { handle::free::<Converter>(converter) }?);
        Ok(())
    });
}

/// Converts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_run(converter: *mut c_void) -> ResultCode {
    let own = |converter: &mut OwnConverter| {
        converter.run()?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        with_converter("converter_run", converter, own, |f, converter| {
            (f.converter_run)(converter)
        })
    }
}

/// Returns the SPIR-V, until the converter runs again or is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_get_compiled_spirv(
    converter: *mut c_void,
    compiled: *mut CompiledSpirv,
) -> ResultCode {
    let own = |converter: &mut OwnConverter| {
        let words = &converter.output()?.words;
        let spirv = CompiledSpirv {
            data: words.as_ptr().cast(),
            size: size_of_val(words.as_slice()),
        };
        // SAFETY: the caller promises that it can be written.
        unsafe { put(compiled, spirv) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let name = "converter_get_compiled_spirv";
        with_converter(name, converter, own, |f, converter| {
            (f.converter_get_compiled_spirv)(converter, compiled)
        })
    }
}

/// Returns the name of the entry point in the source, until the converter runs again or is freed. In
/// SPIR-V it is `main`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_get_compiled_entry_point(
    converter: *mut c_void,
    entry_point: *mut *const c_char,
) -> ResultCode {
    let own = |converter: &mut OwnConverter| {
        let name = converter.output()?.entry.as_ptr();
        // SAFETY: the caller promises that it can be written.
        unsafe { put(entry_point, name) }?;
        Ok(result::SUCCESS)
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let name = "converter_get_compiled_entry_point";
        with_converter(name, converter, own, |f, converter| {
            (f.converter_get_compiled_entry_point)(converter, entry_point)
        })
    }
}

/// Returns whether an option is one of this version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_supports_option(option: OptionType) -> Bool {
    if row(option).is_some() { TRUE } else { FALSE }
}

/// Sets an option. One that is not known is accepted, and has no effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_add_option(
    converter: *mut c_void,
    option: *const OptionBase,
) -> ResultCode {
    let own = |converter: &mut OwnConverter| {
        // SAFETY: the caller promises that it is null or the struct of its option.
        unsafe { converter.settings.add(option) }?;
        Ok(result::SUCCESS)
    };
    let foreign = |f: &foreign::Functions, converter| {
        if option.is_null() {
            return result::ERROR_INVALID_ARGUMENT;
        }
        // SAFETY: as above, and it is not null.
        match unsafe { (f.converter_add_option)(converter, option) } {
            // As for programs in DXIL: a newer client must go on.
            result::ERROR_UNSUPPORTED_FEATURE => {
                // SAFETY: as above.
                let number = unsafe { option.read_unaligned() }.ty;
                log::note_option(
                    number,
                    format_args!(
                        "option {number} is not known to the library for DXBC, and has no effect"
                    ),
                );
                result::SUCCESS
            }
            other => other,
        }
    };
    // SAFETY: the caller's promises are the same.
    unsafe { with_converter("converter_add_option", converter, own, foreign) }
}
