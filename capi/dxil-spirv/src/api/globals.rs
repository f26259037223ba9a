//! Functions without an object: version, options, log, allocator.

use std::ffi::c_void;

use super::{put_each, run};
use crate::abi::{Bool, LogCallback, OptionType, VERSION};
use crate::log::{self, Sink};
use crate::settings::row;

/// Returns the version of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_get_version(major: *mut u32, minor: *mut u32, patch: *mut u32) {
    // SAFETY: the caller promises that the pointers are null or can be written.
    run("dxil_spv_get_version", || unsafe {
        put_each([major, minor, patch], VERSION)
    });
}

/// Returns whether an option is one of this version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_converter_supports_option(option: OptionType) -> Bool {
    row(option).is_some().into()
}

/// Sets where this thread's log lines go; null for the standard error stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_set_thread_log_callback(
    callback: LogCallback,
    userdata: *mut c_void,
) {
    log::set(Sink { callback, userdata });
}

/// Returns this thread's log callback: a function of the reference in C++ that its command line uses.
#[unsafe(export_name = "_ZN8dxil_spv23get_thread_log_callbackEv")]
pub extern "C" fn get_thread_log_callback() -> LogCallback {
    log::get().callback
}

/// Returns the data of this thread's log callback: as [`get_thread_log_callback`].
#[unsafe(export_name = "_ZN8dxil_spv32get_thread_log_callback_userdataEv")]
pub extern "C" fn get_thread_log_callback_userdata() -> *mut c_void {
    log::get().userdata
}

/// Does nothing: objects do not depend on the thread's allocator.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_begin_thread_allocator_context() {}

/// Does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_end_thread_allocator_context() {}

/// Does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_reset_thread_allocator_context() {}
