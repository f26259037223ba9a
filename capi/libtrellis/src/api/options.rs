//! Options.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use trellis_dxil::MeshOutputs;

use super::{bytes, entry_name, free, lock, make, make_text, run, share, share_some, string};
use crate::abi::{
    BindFunction, ErrorHandle, HeapFunction, OptionsHandle, ShaderHandle, StageIo, Status,
    TextHandle,
};
use crate::answer::Userdata;
use crate::failure::{Failure, Result};
use crate::settings::Settings;
use crate::shader::Shader;
use crate::{bindings, stage_io};

/// Makes options: the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_new(
    options: *mut *mut OptionsHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the results can be written.
    unsafe { make(options, error, || Ok(Settings::default())) }
}

/// Frees options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_free(options: *mut OptionsHandle) -> Status {
    // SAFETY: the caller promises that it is null or a handle of this library.
    unsafe { free::<Settings>(options.cast()) }
}

/// Changes options.
///
/// # Safety
/// `options` is null or a handle of this library, and `error` is null or can be written.
unsafe fn change(
    options: *mut OptionsHandle,
    error: *mut *mut ErrorHandle,
    change: impl FnOnce(&mut Settings) -> Result<()>,
) -> Status {
    // SAFETY: the caller's promises are the same.
    unsafe { run(error, || change(&mut *lock::<Settings, _>(options)?)) }
}

/// Sets an option by its name, such as `target` or `interface.dual_source`, as `trellis_options_list` has
/// them: group and name. The value is JSON, or the text itself: `vulkan1.2`, `true`, `4`,
/// `{"set": 1, "binding": 0}`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_set(
    options: *mut OptionsHandle,
    name: *const c_char,
    name_length: usize,
    value: *const c_char,
    value_length: usize,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the texts have the given lengths, and the rules of `change`.
    unsafe {
        change(options, error, |settings| {
            let name = string("the name", name, name_length)?;
            settings.set(name, string("the value", value, value_length)?)
        })
    }
}

/// Sets all options: the object in JSON that `trellis convert --options` reads. Options that it
/// does not name get their defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_load(
    options: *mut OptionsHandle,
    json: *const c_char,
    json_length: usize,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the text has `json_length` bytes, and the rules of `change`.
    unsafe {
        change(options, error, |settings| {
            settings.load(string("the options", json, json_length)?)
        })
    }
}

/// Lists all options in JSON: an array of objects with `group`, `name`, `type`, `default` and `summary`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_list(
    json: *mut *mut TextHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    let list = || {
        let list = trellis_dxil::options::list();
        Ok(list.and_then(|list| serde_json::to_string(&list)))
    };
    // SAFETY: the caller promises that the results can be written.
    unsafe { make_text(json, error, list) }
}

/// Sets the callbacks that return the locations of resources. Without `heap`, shaders with
/// descriptor heaps are errors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_set_bindings(
    options: *mut OptionsHandle,
    bind: BindFunction,
    heap: HeapFunction,
    userdata: *mut c_void,
    error: *mut *mut ErrorHandle,
) -> Status {
    let userdata = Userdata(userdata);
    let callbacks = bindings::Callbacks {
        bind,
        heap,
        userdata,
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        change(options, error, |settings| {
            if bind.is_none() {
                return Err(Failure::argument("the callback for resources is null"));
            }
            settings.set_bindings(Arc::new(callbacks))
        })
    }
}

/// Puts resources where a root signature has them: of a container with one, which the shader itself may
/// be, or a serialized one. `trellis_shader_reflect` with these options has the `layout`. The flags are 0
/// or `TRELLIS_ROOT_ADDRESSES`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_set_root_signature(
    options: *mut OptionsHandle,
    data: *const c_void,
    size: usize,
    flags: u32,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the data has `size` bytes, and the rules of `change`.
    unsafe {
        change(options, error, |settings| {
            settings.set_root_signature(bytes(data, size)?, flags)
        })
    }
}

/// Sets the callbacks about inputs and outputs, from a struct of `functions_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_set_stage_io(
    options: *mut OptionsHandle,
    functions: *const StageIo,
    functions_size: usize,
    userdata: *mut c_void,
    error: *mut *mut ErrorHandle,
) -> Status {
    let userdata = Userdata(userdata);
    // SAFETY: the caller promises that the struct has `functions_size` bytes, and the rules of
    // `change`.
    unsafe {
        change(options, error, |settings| {
            let functions = stage_io_functions(bytes(functions.cast(), functions_size)?)?;
            let callbacks = stage_io::Callbacks {
                functions,
                userdata,
            };
            settings.set_stage_io(Arc::new(callbacks))
        })
    }
}

/// Returns the callbacks of a struct that may be shorter than ours, or longer if the rest is 0.
///
/// # Safety
/// The bytes are of a `StageIo` of this or another version.
unsafe fn stage_io_functions(bytes: &[u8]) -> Result<StageIo> {
    let own = bytes.len().min(size_of::<StageIo>());
    let (known, more) = bytes.split_at(own);
    if own == 0 || !own.is_multiple_of(size_of::<usize>()) || more.iter().any(|&byte| byte != 0) {
        return Err(Failure::argument(format!(
            "{} bytes are not callbacks that this version has",
            bytes.len()
        )));
    }
    let mut functions = StageIo::default();
    let to: *mut StageIo = &raw mut functions;
    // SAFETY: both have `own` bytes, and the copied words are whole functions, or null, as the
    // caller promises.
    unsafe { std::ptr::copy_nonoverlapping(known.as_ptr(), to.cast::<u8>(), own) };
    Ok(functions)
}

/// Sets the mesh shader before a pixel shader: its only entry point, or the one with a name; none if
/// `mesh` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_set_mesh(
    options: *mut OptionsHandle,
    mesh: *const ShaderHandle,
    entry: *const c_char,
    entry_length: usize,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the text has `entry_length` bytes, and the rules of
    // `change`.
    unsafe {
        change(options, error, |settings| {
            let entry = entry_name(entry, entry_length)?;
            let outputs = match share_some::<Shader, _>(mesh)? {
                Some(shader) => Some(Arc::new(MeshOutputs::of(&shader.input().shader, entry)?)),
                None => None,
            };
            settings.set_mesh(outputs)
        })
    }
}

/// Makes a copy of options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_options_copy(
    options: *const OptionsHandle,
    copy: *mut *mut OptionsHandle,
    error: *mut *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller promises that the handle is null or this library's, and that the results can be
    // written.
    unsafe { make(copy, error, || Ok(share::<Settings, _>(options)?.clone())) }
}
