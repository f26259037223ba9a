//! The interface for tests: handles that free themselves, and errors as Rust has them.

use std::ffi::{c_char, c_void};
use std::ptr;

use trellis::abi::*;
use trellis::api::*;

/// An error of the library.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failed {
    pub(crate) status: Status,
    pub(crate) text: String,
    pub(crate) part: String,
    pub(crate) function: String,
    pub(crate) byte_offset: u64,
}

/// Returns the text that a pointer and a length are of, after which there is a zero.
pub(crate) fn text(data: *const c_char, length: usize) -> String {
    if data.is_null() {
        assert_eq!(length, 0);
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length + 1) };
    let (zero, bytes) = bytes.split_last().unwrap();
    assert_eq!(*zero, 0);
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Calls a function that takes a place for an error.
pub(crate) fn call(function: impl FnOnce(*mut *mut ErrorHandle) -> Status) -> Result<(), Failed> {
    // Previous contents must not be read.
    let mut error = ptr::dangling_mut::<u64>().cast();
    let status = function(&raw mut error);
    if status == TRELLIS_OK {
        assert!(error.is_null());
        return Ok(());
    }
    unsafe {
        assert_eq!(trellis_error_status(error), status);
        let mut length = 0;
        let data = trellis_error_text(error, &raw mut length);
        let message = text(data, length);
        assert!(!message.is_empty());
        let mut location = std::mem::zeroed::<Location>();
        let size = size_of::<Location>();
        let found = trellis_error_location(error, &raw mut location, size);
        assert_eq!(found, TRELLIS_OK);
        let failed = Failed {
            status,
            text: message,
            part: text(location.part, location.part_length),
            function: text(location.function, location.function_length),
            byte_offset: location.byte_offset,
        };
        assert_eq!(trellis_error_free(error), TRELLIS_OK);
        assert_eq!(trellis_error_free(error), TRELLIS_INVALID_HANDLE);
        Err(failed)
    }
}

/// Calls a function that makes an object.
pub(crate) fn make<H>(
    function: impl FnOnce(*mut *mut H, *mut *mut ErrorHandle) -> Status,
) -> Result<*mut H, Failed> {
    let mut handle = ptr::dangling_mut::<u64>().cast();
    let done = call(|error| function(&raw mut handle, error));
    assert_eq!(done.is_err(), handle.is_null());
    done.map(|()| handle)
}

/// Declares an object that frees itself.
macro_rules! objects {
    ($($name:ident = $handle:ident, $free:ident;)+) => { $(
        #[derive(Debug)]
        pub(crate) struct $name(pub *mut $handle);

        impl Drop for $name {
            fn drop(&mut self) {
                assert_eq!(unsafe { $free(self.0) }, TRELLIS_OK);
            }
        }

        // SAFETY: handles may be used by any thread.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    )+ };
}

objects! {
    Shader = ShaderHandle, trellis_shader_free;
    Options = OptionsHandle, trellis_options_free;
    Converter = ConverterHandle, trellis_converter_free;
    Module = ModuleHandle, trellis_module_free;
    Text = TextHandle, trellis_text_free;
}

impl Shader {
    pub(crate) fn load(bytes: &[u8]) -> Result<Self, Failed> {
        let data = bytes.as_ptr().cast::<c_void>();
        let load = |to, error| unsafe { trellis_shader_load(data, bytes.len(), to, error) };
        Ok(Self(make(load)?))
    }

    pub(crate) fn link(libraries: &[&Self]) -> Result<Self, Failed> {
        let handles: Vec<_> = libraries
            .iter()
            .map(|shader| shader.0.cast_const())
            .collect();
        let (data, count) = (handles.as_ptr(), handles.len());
        let link = |to, error| unsafe { trellis_shader_link(data, count, to, error) };
        Ok(Self(make(link)?))
    }

    /// Loads a shader of the corpus.
    pub(crate) fn of_corpus(name: &str) -> Self {
        Self::load(&c_testkit::shader(name)).unwrap()
    }

    /// Returns the name and the facts of an entry point.
    pub(crate) fn entry(&self, index: usize) -> Result<(String, Entry), Failed> {
        let mut entry = unsafe { std::mem::zeroed::<Entry>() };
        let size = size_of::<Entry>();
        call(|error| unsafe { trellis_shader_entry(self.0, index, &raw mut entry, size, error) })?;
        Ok((text(entry.name, entry.name_length), entry))
    }

    pub(crate) fn convert(
        &self,
        options: Option<&Options>,
        entry: Option<&str>,
    ) -> Result<Module, Failed> {
        let options = options.map_or(ptr::null_mut(), |options| options.0);
        let (name, length) = parts(entry);
        let convert =
            |to, error| unsafe { trellis_convert(self.0, options, name, length, to, error) };
        Ok(Module(make(convert)?))
    }

    pub(crate) fn reflect(&self, options: Option<&Options>) -> Result<String, Failed> {
        let options = options.map_or(ptr::null_mut(), |options| options.0);
        let json = |to, error| unsafe { trellis_shader_reflect(self.0, options, to, error) };
        Ok(Text(make(json)?).get())
    }
}

/// Returns a text as C passes it.
pub(crate) fn parts(text: Option<&str>) -> (*const c_char, usize) {
    text.map_or((ptr::null(), 0), |text| (text.as_ptr().cast(), text.len()))
}

impl Options {
    pub(crate) fn new() -> Self {
        Self(make(|to, error| unsafe { trellis_options_new(to, error) }).unwrap())
    }

    pub(crate) fn set(&self, name: &str, value: &str) -> Result<(), Failed> {
        let ((name, name_length), (value, length)) = (parts(Some(name)), parts(Some(value)));
        call(|error| unsafe {
            trellis_options_set(self.0, name, name_length, value, length, error)
        })
    }

    pub(crate) fn bindings(
        &self,
        bind: BindFunction,
        heap: HeapFunction,
        userdata: *mut c_void,
    ) -> Result<(), Failed> {
        call(|error| unsafe { trellis_options_set_bindings(self.0, bind, heap, userdata, error) })
    }

    pub(crate) fn stage_io(
        &self,
        functions: &StageIo,
        userdata: *mut c_void,
    ) -> Result<(), Failed> {
        let size = size_of::<StageIo>();
        call(|error| unsafe {
            trellis_options_set_stage_io(self.0, functions, size, userdata, error)
        })
    }
}

impl Converter {
    pub(crate) fn new(options: Option<&Options>) -> Self {
        let options = options.map_or(ptr::null_mut(), |options| options.0);
        let new = |to, error| unsafe { trellis_converter_new(options, to, error) };
        Self(make(new).unwrap())
    }

    pub(crate) fn convert(&self, shader: &Shader, entry: Option<&str>) -> Result<Module, Failed> {
        let (name, length) = parts(entry);
        let convert = |to, error| unsafe {
            trellis_converter_convert(self.0, shader.0, name, length, to, error)
        };
        Ok(Module(make(convert)?))
    }
}

impl Module {
    pub(crate) fn words(&self) -> &[u32] {
        let mut count = 0;
        unsafe {
            let words = trellis_module_words(self.0, &raw mut count);
            assert!(!words.is_null());
            std::slice::from_raw_parts(words, count)
        }
    }

    pub(crate) fn info(&self) -> (String, ModuleInfo) {
        let mut info = unsafe { std::mem::zeroed::<ModuleInfo>() };
        let size = size_of::<ModuleInfo>();
        call(|error| unsafe { trellis_module_get_info(self.0, &raw mut info, size, error) })
            .unwrap();
        (text(info.entry, info.entry_length), info)
    }
}

impl Text {
    pub(crate) fn get(&self) -> String {
        let mut length = 0;
        text(
            unsafe { trellis_text_data(self.0, &raw mut length) },
            length,
        )
    }
}
