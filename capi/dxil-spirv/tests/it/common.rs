//! The interface for tests: converters that free themselves, and the lines of the log.

#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the interface is one for C: each block passes pointers to what is alive during the call"
)]

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Arc;

use dxil_spirv_c_shared::abi::{
    CompiledSpirv, LogLevel, OptionBase, OptionShaderQuirk, ResultCode, result,
};
use dxil_spirv_c_shared::api::*;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};
use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingModel, DescriptorKind, HeapPlace, HeapQuery, Place, ResourceQuery,
};
use trellis_spirv_backend::options::IntrinsicsUav;
use trellis_spirv_backend::{Options, convert_entry};

/// The interface's bindings without remappers: set and binding are space and register, and raw and
/// structured buffers and counters are texel buffers.
pub(crate) struct Plain;

impl BindingModel for Plain {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let (set, binding) = (query.space, query.register);
        if query.has_no_register() {
            return Err(BindingError::NoRegister);
        }
        if binding == u32::MAX {
            return Err(BindingError::NoEntry);
        }
        let place = |set, kind| Place::Descriptor { set, binding, kind };
        let storage = Some(DescriptorKind::StorageTexelBuffer);
        let kind = match (query.kind, query.class) {
            (ResourceKind::RawBuffer | ResourceKind::StructuredBuffer, ResourceClass::Uav) => {
                storage
            }
            (ResourceKind::RawBuffer | ResourceKind::StructuredBuffer, _) => {
                Some(DescriptorKind::UniformTexelBuffer)
            }
            _ => None,
        };
        let binding = Binding::new(place(set, kind));
        Ok(if query.has_counter {
            binding.with_counter(place(set + 1, storage))
        } else {
            binding
        })
    }

    fn heap(&self, _: &HeapQuery) -> Result<HeapPlace, BindingError> {
        Err(BindingError::model(
            "the remapper's answer about a heap is not in a heap",
        ))
    }
}

/// Returns the options that the interface starts with.
pub(crate) fn defaults() -> Options {
    Options::default()
        .with_bindings(Arc::new(Plain))
        .with_entry_point_name(Some("main".to_owned()))
        .with_multiview(false)
        .with_preserve_nan(false)
        .with_dynamic_offsets(true)
        .with_integer_dot_product(false)
        .with_ags(Some(IntrinsicsUav::AGS))
        .with_point_size(false)
}

/// Converts the first entry point of a shader in Rust.
pub(crate) fn rust(bytes: &[u8], options: &Options) -> Vec<u32> {
    let input = trellis_dxil_frontend::read(bytes).unwrap();
    let entry = input.shader.shaders().next().unwrap();
    convert_entry(&input, entry, options).unwrap().words
}

thread_local! {
    static LINES: RefCell<Vec<(LogLevel, String)>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn log(_: *mut c_void, level: LogLevel, text: *const c_char) {
    // SAFETY: the library passes a string.
    let text = unsafe { CStr::from_ptr(text) };
    let line = (level, text.to_string_lossy().trim_end().to_owned());
    LINES.with_borrow_mut(|lines| lines.push(line));
}

/// Collects the lines of this thread's log from now on.
pub(crate) fn listen() {
    // SAFETY: the callback is a function that stays.
    unsafe { dxil_spv_set_thread_log_callback(Some(log), ptr::null_mut()) };
    lines();
}

/// Returns the lines since the last call.
pub(crate) fn lines() -> Vec<(LogLevel, String)> {
    LINES.with_borrow_mut(std::mem::take)
}

/// Returns the last line of the log that has at least a level.
pub(crate) fn last_line(level: LogLevel) -> Option<String> {
    let lines = lines().into_iter();
    lines
        .filter(|(l, _)| *l >= level)
        .map(|(_, text)| text)
        .next_back()
}

/// A blob.
pub(crate) struct Blob(pub *mut c_void);

impl Blob {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, ResultCode> {
        Self::by(dxil_spv_parse_dxil_blob, bytes)
    }

    pub(crate) fn by(
        parse: unsafe extern "C" fn(*const c_void, usize, *mut *mut c_void) -> ResultCode,
        bytes: &[u8],
    ) -> Result<Self, ResultCode> {
        let mut blob = ptr::null_mut();
        let code = unsafe { parse(bytes.as_ptr().cast(), bytes.len(), &raw mut blob) };
        if code == result::SUCCESS {
            Ok(Self(blob))
        } else {
            assert!(blob.is_null());
            Err(code)
        }
    }

    pub(crate) fn converter(&self) -> Converter {
        let mut converter = ptr::null_mut();
        let code = unsafe { dxil_spv_create_converter(self.0, &raw mut converter) };
        assert_eq!(code, result::SUCCESS);
        Converter(converter)
    }
}

impl Drop for Blob {
    fn drop(&mut self) {
        unsafe { dxil_spv_parsed_blob_free(self.0) };
    }
}

/// A converter.
pub(crate) struct Converter(pub *mut c_void);

impl Converter {
    pub(crate) fn option<T>(&self, option: &T) -> ResultCode {
        let option: *const T = option;
        unsafe { dxil_spv_converter_add_option(self.0, option.cast::<OptionBase>()) }
    }

    /// Sets an option.
    pub(crate) fn set<T>(&self, option: &T) {
        assert_eq!(self.option(option), result::SUCCESS);
    }

    pub(crate) fn quirk(&self, quirk: u32) -> ResultCode {
        let base = OptionBase {
            ty: dxil_spirv_c_shared::abi::option::SHADER_QUIRK,
        };
        self.option(&OptionShaderQuirk { base, quirk })
    }

    pub(crate) fn entry(&self, name: &CStr) {
        unsafe { dxil_spv_converter_set_entry_point(self.0, name.as_ptr()) };
    }

    pub(crate) fn run(&self) -> Result<Vec<u32>, ResultCode> {
        let code = unsafe { dxil_spv_converter_run(self.0) };
        if code == result::SUCCESS {
            Ok(self.words())
        } else {
            Err(code)
        }
    }

    pub(crate) fn words(&self) -> Vec<u32> {
        let mut compiled = CompiledSpirv {
            data: ptr::null(),
            size: 0,
        };
        let code = unsafe { dxil_spv_converter_get_compiled_spirv(self.0, &raw mut compiled) };
        assert_eq!(code, result::SUCCESS);
        assert_eq!(compiled.size % 4, 0);
        let data = compiled.data.cast::<u32>();
        // SAFETY: the library returns the words, which stay until the converter runs again.
        unsafe { std::slice::from_raw_parts(data, compiled.size / 4) }.to_vec()
    }

    pub(crate) fn compiled_entry(&self) -> String {
        let mut name = ptr::null();
        let code = unsafe { dxil_spv_converter_get_compiled_entry_point(self.0, &raw mut name) };
        assert_eq!(code, result::SUCCESS);
        // SAFETY: the library returns a string, which stays until the converter runs again.
        unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned()
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        unsafe { dxil_spv_converter_free(self.0) };
    }
}
