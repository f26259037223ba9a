//! Shaders, and facts about them.

use std::ffi::c_void;

use trellis_dxil::reflect_input;

use super::{bytes, free, make, make_text, options_of, put_sized, run, share};
use crate::abi::{Entry, ErrorHandle, OptionsHandle, ShaderHandle, Status, TextHandle};
use crate::failure::{Failure, Result};
use crate::shader::Shader;

/// Reads a shader or a library: a DXBC container with DXIL, or DXIL bitcode. The bytes are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_shader_load(
    data: *const c_void,
    size: usize,
    shader: *mut *mut ShaderHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the data has `size` bytes, and that the results can be
    // written.
    unsafe { make(shader, error, || Shader::read(bytes(data, size)?)) }
}

/// Links libraries: a library with the functions, resources and entry points of all, with each
/// declaration bound to the definition in another library. Debug information is dropped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_shader_link(
    libraries: *const *const ShaderHandle,
    count: usize,
    shader: *mut *mut ShaderHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that `count` handles are null or this library's, and that the
    // results can be written.
    unsafe {
        make(shader, error, || {
            if libraries.is_null() {
                return Err(Failure::argument("the list of libraries is null"));
            }
            let shared =
                (0..count).map(|at| share::<Shader, _>(libraries.add(at).read_unaligned()));
            let shared = shared.collect::<Result<Vec<_>>>()?;
            Shader::link(&shared.iter().map(|shader| &**shader).collect::<Vec<_>>())
        })
    }
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
    // SAFETY: the caller promises that it is null or a handle of this library.
    unsafe { share::<Shader, _>(shader) }.map_or(0, |shader| shader.entry_count())
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
    // SAFETY: the caller promises that the handle is null or this library's, and that the results
    // can be written, `entry` with `entry_size` bytes.
    unsafe {
        run(error, || {
            let shader = share::<Shader, _>(shader)?;
            put_sized(entry, entry_size, shader.entry(index)?)
        })
    }
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
    // SAFETY: the caller promises that handles are null or this library's, and that the results can be
    // written.
    unsafe {
        make_text(json, error, || {
            let shader = share::<Shader, _>(shader)?;
            let reflection = reflect_input(shader.input(), &options_of(options)?)?;
            Ok(serde_json::to_string(&reflection))
        })
    }
}
