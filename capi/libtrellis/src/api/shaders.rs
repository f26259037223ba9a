//! Shaders, and what is known of them.

use std::ffi::c_void;
use std::ptr;

use trellis_dxil::reflect_input;

use super::{bytes, free, make, put, put_sized, run, share, share_some};
use crate::abi::{Entry, ErrorHandle, OptionsHandle, ShaderHandle, Status, TextHandle};
use crate::failure::Failure;
use crate::output::options_of;
use crate::settings::Settings;
use crate::shader::Shader;
use crate::text::Text;

/// Reads a shader or a library: a DXBC container with DXIL, or DXIL bitcode. The bytes are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_shader_load(
    data: *const c_void,
    size: usize,
    shader: *mut *mut ShaderHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    let body = || {
        // SAFETY: the caller promises that the data has so many bytes, and that the handle can be
        // written.
        unsafe { make(shader, || Shader::read(bytes(data, size)?)) }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
}

/// Frees a shader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_shader_free(shader: *mut ShaderHandle) -> Status {
    // SAFETY: the caller promises that it is null or a handle of this library.
    unsafe { free::<Shader>(shader.cast()) }
}

/// Returns the number of entry points; 0 if `shader` is not a shader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_shader_entry_count(shader: *const ShaderHandle) -> usize {
    let mut count = 0;
    let body = || {
        // SAFETY: the caller promises that it is null or a handle of this library.
        count = unsafe { share::<Shader, _>(shader) }?.entry_count();
        Ok(())
    };
    // SAFETY: null is allowed.
    unsafe { run(ptr::null_mut(), body) };
    count
}

/// Writes the facts of an entry point, by its number from 0 on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_shader_entry(
    shader: *const ShaderHandle,
    index: usize,
    entry: *mut Entry,
    entry_size: usize,
    error: *mut *mut ErrorHandle,
) -> Status {
    let body = || {
        // SAFETY: the caller promises that it is null or a handle of this library.
        let shader = unsafe { share::<Shader, _>(shader) }?;
        // SAFETY: the caller promises that so many bytes can be written.
        unsafe { put_sized(entry, entry_size, shader.entry(index)?) }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
}

/// Describes a shader in JSON, as `trellis reflect` does: resources and their places by the options,
/// signatures, properties of the stages, root signature. `options` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_shader_reflect(
    shader: *const ShaderHandle,
    options: *const OptionsHandle,
    json: *mut *mut TextHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    let body = || {
        // SAFETY: the caller promises that it can be written. A null handle is safe to free.
        unsafe { put(json, ptr::null_mut()) }?;
        // SAFETY: the caller promises that it is null or a handle of this library.
        let shader = unsafe { share::<Shader, _>(shader) }?;
        // SAFETY: as above.
        let settings = unsafe { share_some::<Settings, _>(options) }?;
        let options = options_of(settings.as_deref());
        drop(settings);
        let reflection = reflect_input(shader.input(), &options)?;
        let text = serde_json::to_string(&reflection)
            .map_err(|error| Failure::panic(&error.to_string()))?;
        // SAFETY: the caller promises that it can be written.
        unsafe { make(json, || Ok(Text::new(&text))) }
    };
    // SAFETY: the caller promises that `error` is null or can be written.
    unsafe { run(error, body) }
}
