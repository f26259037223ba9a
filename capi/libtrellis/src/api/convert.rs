//! Translations.

use std::ffi::c_char;
use std::ptr;

use trellis_dxil::disassemble;

use super::{entry_name, free, lock, make, put_sized, run, share, share_some};
use crate::abi::{
    ConverterHandle, ErrorHandle, ModuleHandle, ModuleInfo, OptionsHandle, ShaderHandle, Status,
    TextHandle,
};
use crate::failure::Failure;
use crate::output::{Converter, Module, convert, options_of};
use crate::settings::Settings;
use crate::shader::Shader;
use crate::text::Text;

/// Translates an entry point: the one with a name, or if `entry` is null that of the option `entry`, else
/// the only one. `options` may be null. The module has passed a verifier.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_convert(
    shader: *const ShaderHandle,
    options: *const OptionsHandle,
    entry: *const c_char,
    entry_length: usize,
    module: *mut *mut ModuleHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    let body = || {
        // SAFETY: the caller promises that handles are null or of this library, that the text has so
        // many bytes, and that the result can be written.
        unsafe {
            make(module, || {
                let shader = share::<Shader, _>(shader)?;
                let options = options_of(share_some::<Settings, _>(options)?.as_deref());
                convert(&shader, &options, entry_name(entry, entry_length)?)
            })
        }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
}

/// Makes a converter, with a copy of options, which may be null: for threads that translate many
/// shaders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_converter_new(
    options: *const OptionsHandle,
    converter: *mut *mut ConverterHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    let body = || {
        // SAFETY: the caller promises that it is null or a handle of this library, and that the other
        // can be written.
        unsafe {
            make(converter, || {
                let settings = share_some::<Settings, _>(options)?;
                Ok(Converter::new(options_of(settings.as_deref())))
            })
        }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
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
    let body = || {
        // SAFETY: the caller promises that they are null or handles of this library.
        let (mut converter, settings) = unsafe {
            let converter = lock::<Converter, _>(converter)?;
            (converter, share_some::<Settings, _>(options)?)
        };
        converter.set_options(options_of(settings.as_deref()));
        Ok(())
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
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
    let body = || {
        // SAFETY: the caller promises that handles are null or of this library, that the text has so
        // many bytes, and that the result can be written.
        unsafe {
            make(module, || {
                let mut converter = lock::<Converter, _>(converter)?;
                let shader = share::<Shader, _>(shader)?;
                converter.convert(&shader, entry_name(entry, entry_length)?)
            })
        }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
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

/// Writes what is known of a module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_module_get_info(
    module: *const ModuleHandle,
    info: *mut ModuleInfo,
    info_size: usize,
    error: *mut *mut ErrorHandle,
) -> Status {
    let body = || {
        // SAFETY: the caller promises that it is null or a handle of this library.
        let module = unsafe { share::<Module, _>(module) }?;
        // SAFETY: the caller promises that so many bytes can be written.
        unsafe { put_sized(info, info_size, module.info()) }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
}

/// Prints a module as assembly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_module_disassemble(
    module: *const ModuleHandle,
    assembly: *mut *mut TextHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    let body = || {
        // SAFETY: the caller promises that it is null or a handle of this library, and that the other
        // can be written.
        unsafe {
            make(assembly, || {
                let module = share::<Module, _>(module)?;
                let text = disassemble(&module.words);
                let text = text.map_err(|error| Failure::panic(&error.to_string()))?;
                Ok(Text::new(&text))
            })
        }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
}
