//! The interface for tests: converters that free themselves, and the lines of the log.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use dxil_spirv_c_shared::abi::*;
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

/// Returns the interface's number of a class.
pub(crate) fn class_of(class: ResourceClass) -> Class {
    match class {
        ResourceClass::Srv => class::SRV,
        ResourceClass::Uav => class::UAV,
        ResourceClass::CBuffer => class::CBV,
        ResourceClass::Sampler => class::SAMPLER,
    }
}

/// Returns the options that the interface starts with.
pub(crate) fn defaults() -> Options {
    Options::default()
        .with_bindings(Arc::new(Plain))
        .with_debug_info(false)
        .with_entry_point_name(Some("main".to_owned()))
        .with_multiview(false)
        .with_preserve_nan(false)
        .with_dynamic_offsets(true)
        .with_integer_dot_product(false)
        .with_ags(Some(IntrinsicsUav::AGS))
        .with_point_size(false)
        .with_float8(false)
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

/// Returns the value that a function writes, or its error.
pub(crate) fn get<T>(function: impl FnOnce(*mut T) -> ResultCode) -> Result<T, ResultCode> {
    let mut to = MaybeUninit::uninit();
    match function(to.as_mut_ptr()) {
        // SAFETY: a function that succeeds has written it.
        result::SUCCESS => Ok(unsafe { to.assume_init() }),
        code => Err(code),
    }
}

/// Returns a string of the library.
pub(crate) fn text<'a>(text: *const c_char) -> &'a str {
    // SAFETY: it is a string, and the tests use it as long as it stays.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap()
}

/// Answer of a remapper of resources.
#[derive(Clone, Copy, Default)]
pub(crate) struct Answer {
    pub(crate) at: VulkanBinding,
    pub(crate) counter: VulkanBinding,
    pub(crate) offsets: VulkanBinding,
    /// Root constants, for constant buffers.
    pub(crate) words: Option<u32>,
}

impl Answer {
    /// Returns an answer that has a place only.
    pub(crate) fn at(at: VulkanBinding) -> Self {
        Self {
            at,
            ..Self::default()
        }
    }
}

/// A function that the remappers [`srv`], [`uav`], [`cbv`] and [`sampler`] call: with the class,
/// the question, and whether there is a counter. Its result is the remapper's.
pub(crate) struct Remap<'a>(Box<dyn FnMut(Class, D3dBinding, Bool) -> (Bool, Answer) + 'a>);

impl<'a> Remap<'a> {
    pub(crate) fn new(remap: impl FnMut(Class, D3dBinding, Bool) -> (Bool, Answer) + 'a) -> Self {
        Self(Box::new(remap))
    }

    pub(crate) fn userdata(&mut self) -> *mut c_void {
        ptr::from_mut(self).cast()
    }

    unsafe fn ask(
        userdata: *mut c_void,
        class: Class,
        d3d: D3dBinding,
        counter: Bool,
    ) -> (Bool, Answer) {
        let remap = unsafe { &mut *userdata.cast::<Remap<'_>>() };
        (remap.0)(class, d3d, counter)
    }
}

pub(crate) unsafe extern "C" fn srv(
    userdata: *mut c_void,
    d3d: *const D3dBinding,
    to: *mut SrvVulkanBinding,
) -> Bool {
    unsafe {
        let (found, answer) = Remap::ask(userdata, class::SRV, *d3d, FALSE);
        (*to).buffer_binding = answer.at;
        (*to).offset_binding = answer.offsets;
        found
    }
}

pub(crate) unsafe extern "C" fn uav(
    userdata: *mut c_void,
    d3d: *const UavD3dBinding,
    to: *mut UavVulkanBinding,
) -> Bool {
    unsafe {
        let UavD3dBinding {
            d3d_binding,
            has_counter,
        } = *d3d;
        let (found, answer) = Remap::ask(userdata, class::UAV, d3d_binding, has_counter);
        (*to).buffer_binding = answer.at;
        (*to).counter_binding = answer.counter;
        (*to).offset_binding = answer.offsets;
        found
    }
}

pub(crate) unsafe extern "C" fn cbv(
    userdata: *mut c_void,
    d3d: *const D3dBinding,
    to: *mut CbvVulkanBinding,
) -> Bool {
    unsafe {
        let (found, answer) = Remap::ask(userdata, class::CBV, *d3d, FALSE);
        (*to).push_constant = answer.words.is_some().into();
        match answer.words {
            Some(offset_in_words) => {
                (*to).vulkan.push_constant = PushConstantMapping { offset_in_words };
            }
            None => (*to).vulkan.uniform_binding = answer.at,
        }
        found
    }
}

pub(crate) unsafe extern "C" fn sampler(
    userdata: *mut c_void,
    d3d: *const D3dBinding,
    to: *mut VulkanBinding,
) -> Bool {
    unsafe {
        let (found, answer) = Remap::ask(userdata, class::SAMPLER, *d3d, FALSE);
        *to = answer.at;
        found
    }
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
        Converter(get(|to| unsafe { dxil_spv_create_converter(self.0, to) }).unwrap())
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
    /// Passes an option of a number: its struct of zeros, after a change.
    pub(crate) fn option<T>(&self, ty: OptionType, change: impl FnOnce(&mut T)) -> ResultCode {
        // SAFETY: the fields of options are numbers and pointers, and the first is the base.
        let mut option = unsafe { std::mem::zeroed::<T>() };
        let at = (&raw mut option).cast::<OptionBase>();
        unsafe { (*at).ty = ty };
        change(&mut option);
        unsafe { dxil_spv_converter_add_option(self.0, (&raw const option).cast()) }
    }

    /// Sets an option: as [`Self::option`].
    pub(crate) fn set<T>(&self, ty: OptionType, change: impl FnOnce(&mut T)) {
        assert_eq!(self.option(ty, change), result::SUCCESS);
    }

    /// Sets the four remappers of resources.
    pub(crate) fn remap(&self, remap: &mut Remap<'_>) {
        let userdata = remap.userdata();
        unsafe {
            dxil_spv_converter_set_srv_remapper(self.0, Some(srv), userdata);
            dxil_spv_converter_set_sampler_remapper(self.0, Some(sampler), userdata);
            dxil_spv_converter_set_cbv_remapper(self.0, Some(cbv), userdata);
            dxil_spv_converter_set_uav_remapper(self.0, Some(uav), userdata);
        }
    }

    pub(crate) fn quirk(&self, quirk: u32) {
        self.set(option::SHADER_QUIRK, |o: &mut OptionShaderQuirk| {
            o.quirk = quirk;
        });
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
        let get_spirv = |to| unsafe { dxil_spv_converter_get_compiled_spirv(self.0, to) };
        let CompiledSpirv { data, size } = get(get_spirv).unwrap();
        assert_eq!(size % 4, 0);
        // SAFETY: the library returns the words, which stay until the converter runs again.
        unsafe { std::slice::from_raw_parts(data.cast::<u32>(), size / 4) }.to_vec()
    }

    pub(crate) fn compiled_entry(&self) -> String {
        let entry = |to| unsafe { dxil_spv_converter_get_compiled_entry_point(self.0, to) };
        text(get(entry).unwrap()).to_owned()
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        unsafe { dxil_spv_converter_free(self.0) };
    }
}
