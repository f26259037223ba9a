//! The log: a callback per thread, or the standard error stream.

use std::cell::Cell;
use std::ffi::c_void;
use std::fmt::Display;
use std::ptr;

use trellis_c_support::text::c_string;

use crate::abi::{LogCallback, LogLevel, OptionType, log_level};

/// Where the lines of a thread go.
#[derive(Clone, Copy)]
pub(crate) struct Sink {
    pub(crate) callback: LogCallback,
    pub(crate) userdata: *mut c_void,
}

thread_local! {
    static SINK: Cell<Sink> = const {
        Cell::new(Sink { callback: None, userdata: ptr::null_mut() })
    };
}

/// Sets where the lines of this thread go.
pub(crate) fn set(sink: Sink) {
    SINK.set(sink);
}

/// Returns where the lines of this thread go.
pub(crate) fn get() -> Sink {
    SINK.get()
}

/// Writes an error.
pub(crate) fn error(text: impl Display) {
    write(log_level::ERROR, &text);
}

/// Writes a warning: something that may be wrong later.
pub(crate) fn warn(text: impl Display) {
    write(log_level::WARN, &text);
}

/// Writes a note at debug level.
pub(crate) fn debug(text: impl Display) {
    write(log_level::DEBUG, &text);
}

/// Writes a note about an option, if this is the first with its number on this thread: clients set the
/// same options for each shader.
pub(crate) fn note_option(number: OptionType, text: impl Display) {
    thread_local! {
        static NOTED: Cell<u64> = const { Cell::new(0) };
    }
    let bit = 1u64.checked_shl(number).unwrap_or(0);
    if NOTED.get() & bit == 0 {
        NOTED.set(NOTED.get() | bit);
        debug(text);
    }
}

fn write(level: LogLevel, text: &dyn Display) {
    let Sink { callback, userdata } = get();
    match callback {
        Some(callback) => {
            let line = c_string(&format!("{text}\n"));
            // SAFETY: the caller of `dxil_spv_set_thread_log_callback` promises that the callback can
            // be called with its data and a line, on this thread, until it sets another.
            unsafe { callback(userdata, level, line.as_ptr()) };
        }
        // Without a callback, warnings and errors must still be visible.
        None if level == log_level::ERROR => eprintln!("[ERROR]: {text}"),
        None if level == log_level::WARN => eprintln!("[WARN]: {text}"),
        None => {}
    }
}
