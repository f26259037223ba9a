//! Translations.

use std::ffi::c_char;
use std::ptr;

use trellis_dxil::disassemble;

use super::{entry_name, free, lock, make, make_text, options_of, put_sized, run, share};
use crate::abi::{
    ConverterHandle, ErrorHandle, ModuleHandle, ModuleInfo, OptionsHandle, ShaderHandle, Status,
    TextHandle,
};
use crate::output::{Converter, Module};
use crate::shader::Shader;

/// Translates an entry point: the one with the name `entry`, or if it is null the one that the
/// option `entry` names, else the only one. `options` may be null. The module has passed a
/// verifier.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_convert(
    shader: *const ShaderHandle,
    options: *const OptionsHandle,
    entry: *const c_char,
    entry_length: usize,
    module: *mut *mut ModuleHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that handles are null or this library's, that the text has
    // `entry_length` bytes, and that the results can be written.
    unsafe {
        make(module, error, || {
            let shader = share::<Shader, _>(shader)?;
            let mut converter = Converter::new(options_of(options)?);
            converter.convert(&shader, entry_name(entry, entry_length)?)
        })
    }
}

/// Makes a converter, with a copy of options, which may be null: for threads that translate many
/// shaders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_converter_new(
    options: *const OptionsHandle,
    converter: *mut *mut ConverterHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the handle is null or this library's, and that the results can be
    // written.
    unsafe {
        make(converter, error, || {
            Ok(Converter::new(options_of(options)?))
        })
    }
}

/// Frees a converter. Modules that it made remain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_converter_free(converter: *mut ConverterHandle) -> Status {
    // SAFETY: the caller promises that it is null or a handle of this library.
    unsafe { free::<Converter>(converter.cast()) }
}

/// Gives a converter a copy of other options, which may be null: for its next translations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_converter_set_options(
    converter: *mut ConverterHandle,
    options: *const OptionsHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that handles are null or this library's, and that the error can be
    // written.
    unsafe {
        run(error, || {
            let mut converter = lock::<Converter, _>(converter)?;
            converter.set_options(options_of(options)?);
            Ok(())
        })
    }
}

/// Translates an entry point with the options of a converter: as `trellis_convert`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_converter_convert(
    converter: *mut ConverterHandle,
    shader: *const ShaderHandle,
    entry: *const c_char,
    entry_length: usize,
    module: *mut *mut ModuleHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that handles are null or this library's, that the text has
    // `entry_length` bytes, and that the results can be written.
    unsafe {
        make(module, error, || {
            let mut converter = lock::<Converter, _>(converter)?;
            let shader = share::<Shader, _>(shader)?;
            converter.convert(&shader, entry_name(entry, entry_length)?)
        })
    }
}

/// Frees a module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_module_free(module: *mut ModuleHandle) -> Status {
    // SAFETY: the caller promises that it is null or a handle of this library.
    unsafe { free::<Module>(module.cast()) }
}

/// Returns the words of a module, in the machine's byte order, and their number; null and 0 if `module` is
/// not a module. `count` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_module_words(
    module: *const ModuleHandle,
    count: *mut usize,
) -> *const u32 {
    // SAFETY: the caller promises that it is null or a handle of this library.
    let module = unsafe { share::<Module, _>(module) }.ok();
    if !count.is_null() {
        let number = module.as_ref().map_or(0, |module| module.words.len());
        // SAFETY: it is not null, and the caller promises that it can be written.
        unsafe { count.write_unaligned(number) };
    }
    module.map_or(ptr::null(), |module| module.words.as_ptr())
}

/// Writes the facts about a module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_module_get_info(
    module: *const ModuleHandle,
    info: *mut ModuleInfo,
    info_size: usize,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the handle is null or this library's, and that the results
    // can be written, `info` with `info_size` bytes.
    unsafe {
        run(error, || {
            let module = share::<Module, _>(module)?;
            put_sized(info, info_size, module.info())
        })
    }
}

/// Prints a module as assembly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_module_disassemble(
    module: *const ModuleHandle,
    assembly: *mut *mut TextHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the handle is null or this library's, and that the results can be
    // written.
    unsafe {
        make_text(assembly, error, || {
            let module = share::<Module, _>(module)?;
            Ok(disassemble(&module.words))
        })
    }
}
