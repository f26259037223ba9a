//! Mistakes of callers: each is an error, and nothing changes.

use std::ffi::{c_char, c_void};
use std::ptr;

use crate::calls::*;
use crate::common::{self, Converter, Options, Shader, call, make};
use c_testkit::{shader, shaders};
use trellis::abi::*;
use trellis::api::*;

const NULL: *mut c_void = ptr::null_mut();

fn status<T: std::fmt::Debug>(result: Result<T, common::Failed>) -> Status {
    result.expect_err("an error").status
}

/// Calls each function with a handle where it expects one, and returns the statuses.
fn statuses(handle: *mut c_void) -> Vec<(&'static str, Status)> {
    let bytes = shader("buffers/counters.dxil");
    let tables = [
        CONVERT,
        SETTERS,
        SET,
        QUERIES,
        WITH_OPTIONS,
        CHANGE,
        COPY,
        FREE,
    ];
    let functions = tables.into_iter().flatten();
    // A null handle selects the default options, or may be freed.
    let allowed = |name: &str| name == "trellis_converter_new" || name.ends_with("_free");
    // Texts are the objects of another kind.
    let required = functions
        .filter(|(name, _)| !(handle.is_null() && allowed(name)) && *name != "trellis_text_free");
    let call = |(name, call): &(&'static str, fn(&mut Arguments) -> Status)| {
        let mut arguments = Arguments::of_handle(&bytes, handle);
        let status = call(&mut arguments);
        arguments.check(status);
        (*name, status)
    };
    let mut statuses: Vec<_> = required.map(call).collect();
    assert!(statuses.len() >= 14);
    unsafe {
        let mut location = std::mem::zeroed::<Location>();
        let size = size_of::<Location>();
        let status = trellis_error_location(handle.cast(), &raw mut location, size);
        statuses.push(("trellis_error_location", status));
        statuses.push(("trellis_error_status", trellis_error_status(handle.cast())));
    }
    statuses
}

#[test]
fn handles_that_are_null_or_of_another_kind_or_freed() {
    let text = make(|to, error| unsafe { trellis_options_list(to, error) }).unwrap();
    let check = |handle: *mut c_void| {
        for (name, status) in statuses(handle) {
            assert_eq!(status, TRELLIS_INVALID_HANDLE, "{name}");
        }
        let mut count = 1;
        unsafe {
            assert!(trellis_module_words(handle.cast(), &raw mut count).is_null());
            assert_eq!(count, 0);
            assert_eq!(trellis_shader_entry_count(handle.cast()), 0);
            count = 1;
            assert_eq!(*trellis_error_text(handle.cast(), &raw mut count), 0);
            assert_eq!(count, 0);
        }
    };
    check(NULL);
    check(text.cast());
    unsafe {
        assert_eq!(trellis_shader_free(text.cast()), TRELLIS_INVALID_HANDLE);
        assert_eq!(trellis_text_free(text), TRELLIS_OK);
        assert_eq!(trellis_text_free(text), TRELLIS_INVALID_HANDLE);
        assert_eq!(*trellis_text_data(text, ptr::null_mut()), 0);
        for status in [
            trellis_text_free(ptr::null_mut()),
            trellis_error_free(ptr::null_mut()),
            trellis_shader_free(ptr::null_mut()),
            trellis_options_free(ptr::null_mut()),
            trellis_converter_free(ptr::null_mut()),
            trellis_module_free(ptr::null_mut()),
        ] {
            assert_eq!(status, TRELLIS_OK);
        }
    }
    check(text.cast());
}

#[test]
fn each_object_is_freed_once() {
    let bytes = shader("buffers/counters.dxil");
    let loaded = Shader::load(&bytes).unwrap();
    let (options, converter) = (Options::new(), Converter::new(None));
    let module = loaded.convert(None, None).unwrap();
    let handles = (loaded.0, options.0, converter.0, module.0);
    drop((loaded, options, converter, module));
    unsafe {
        assert_eq!(trellis_shader_free(handles.0), TRELLIS_INVALID_HANDLE);
        assert_eq!(trellis_options_free(handles.1), TRELLIS_INVALID_HANDLE);
        assert_eq!(trellis_converter_free(handles.2), TRELLIS_INVALID_HANDLE);
        assert_eq!(trellis_module_free(handles.3), TRELLIS_INVALID_HANDLE);
    }
    for handle in [
        handles.0.cast(),
        handles.1.cast(),
        handles.2.cast::<c_void>(),
    ] {
        for (name, status) in statuses(handle) {
            assert_eq!(status, TRELLIS_INVALID_HANDLE, "{name}");
        }
    }
}

#[test]
fn places_and_sizes_are_checked() {
    let bytes = shader("buffers/counters.dxil");
    let (data, size) = (bytes.as_ptr().cast(), bytes.len());
    let loaded = Shader::load(&bytes).unwrap();
    let none: *mut *mut ErrorHandle = ptr::null_mut();
    unsafe {
        let status = trellis_shader_load(data, size, ptr::null_mut(), none);
        assert_eq!(status, TRELLIS_INVALID_ARGUMENT);
        let mut handle = ptr::null_mut();
        let status = trellis_shader_load(ptr::null(), size, &raw mut handle, none);
        assert_eq!(status, TRELLIS_INVALID_ARGUMENT);
        let status = trellis_shader_load(data, usize::MAX, &raw mut handle, none);
        assert_eq!(status, TRELLIS_INVALID_ARGUMENT);
        let status = trellis_shader_load(ptr::null(), 0, &raw mut handle, none);
        assert_eq!(status, TRELLIS_UNREADABLE);
        assert!(handle.is_null());
        assert_eq!(
            trellis_options_new(ptr::null_mut(), none),
            TRELLIS_INVALID_ARGUMENT
        );

        // Structs of other versions: less is written, or zeros after it.
        let mut longer = [u64::MAX; 16];
        let to: *mut Entry = longer.as_mut_ptr().cast();
        assert_eq!(trellis_shader_entry(loaded.0, 0, to, 16, none), TRELLIS_OK);
        assert!(longer[0] != u64::MAX && longer[2] == u64::MAX);
        let status = trellis_shader_entry(loaded.0, 0, to, size_of_val(&longer), none);
        assert_eq!(status, TRELLIS_OK);
        assert_eq!(longer[15], 0);
        for size in [0, 1, usize::MAX] {
            let status = trellis_shader_entry(loaded.0, 0, to, size, none);
            assert_eq!(status, TRELLIS_INVALID_ARGUMENT);
        }
        let status = trellis_shader_entry(loaded.0, 0, ptr::null_mut(), 16, none);
        assert_eq!(status, TRELLIS_INVALID_ARGUMENT);
    }
    assert_eq!(status(loaded.entry(1)), TRELLIS_NO_ENTRY);
    assert_eq!(status(loaded.entry(usize::MAX)), TRELLIS_NO_ENTRY);
    assert_eq!(
        status(loaded.convert(None, Some("no such"))),
        TRELLIS_NO_ENTRY
    );
    assert_eq!(status(loaded.convert(None, Some(""))), TRELLIS_NO_ENTRY);
    let failed = loaded.convert(None, Some("a\0b")).err().unwrap();
    assert!(
        failed.text.contains("no entry point `a\\0b`"),
        "{}",
        failed.text
    );
    let text: [c_char; 2] = [-1, 0];
    let options = Options::new();
    for (name, length) in [
        (ptr::null(), 1),
        (text.as_ptr(), 1),
        (text.as_ptr(), usize::MAX),
    ] {
        let failed = call(|error| unsafe {
            trellis_options_set(options.0, name, length, name, length, error)
        });
        assert_eq!(status(failed), TRELLIS_INVALID_ARGUMENT);
        let failed = call(|error| unsafe {
            let mut module = ptr::null_mut();
            trellis_convert(loaded.0, ptr::null(), name, length, &raw mut module, error)
        });
        assert_eq!(status(failed), TRELLIS_INVALID_ARGUMENT);
    }
}

#[test]
fn options_that_are_not_there() {
    let options = Options::new();
    for (name, value) in [
        ("nothing", "1"),
        ("debug.nothing", "1"),
        ("debug.names", "perhaps"),
        ("target", "vulkan0"),
        ("interface.max_tessellation_factor", "4294967296"),
        ("quirks", "3"),
        ("", ""),
    ] {
        let failed = options.set(name, value).unwrap_err();
        assert_eq!(failed.status, TRELLIS_INVALID_OPTION);
        assert!(failed.text.contains(name), "{}", failed.text);
    }
    let deep = "[".repeat(100_000);
    assert_eq!(status(options.set("mesh", &deep)), TRELLIS_INVALID_OPTION);
    let dots = ".".repeat(100_000);
    assert_eq!(status(options.set(&dots, "1")), TRELLIS_INVALID_OPTION);
    let failed = options.bindings(None, None, NULL);
    assert_eq!(status(failed), TRELLIS_INVALID_ARGUMENT);
    let functions = [0usize; 8];
    let to: *const StageIo = functions.as_ptr().cast();
    for (size, expected) in [
        (0, TRELLIS_INVALID_ARGUMENT),
        (1, TRELLIS_INVALID_ARGUMENT),
        (size_of::<usize>(), TRELLIS_OK),
        (size_of_val(&functions), TRELLIS_OK),
    ] {
        let status =
            unsafe { trellis_options_set_stage_io(options.0, to, size, NULL, ptr::null_mut()) };
        assert_eq!(status, expected, "{size}");
    }
    for bytes in [&b"DXBC"[..], b"", &[0; 64]] {
        let (data, size) = (bytes.as_ptr().cast(), bytes.len());
        let failed = call(|error| unsafe {
            trellis_options_set_root_signature(options.0, data, size, 0, error)
        });
        assert_eq!(status(failed), TRELLIS_NO_ROOT_SIGNATURE);
    }
}

/// Answers of callbacks, and objects that the callbacks use during a call.
struct Nonsense {
    answer: Answer,
    binding: Binding,
    converter: *mut ConverterHandle,
    options: *mut OptionsHandle,
    shader: *mut ShaderHandle,
}

impl Default for Nonsense {
    fn default() -> Self {
        let place = Place {
            kind: TRELLIS_PLACE_DESCRIPTOR,
            ..Place::default()
        };
        Self {
            answer: TRELLIS_ANSWERED,
            binding: Binding {
                place,
                counter: place,
                ..Binding::default()
            },
            converter: ptr::null_mut(),
            options: ptr::null_mut(),
            shader: ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn nonsense(
    userdata: *mut c_void,
    _: *const ResourceQuery,
    binding: *mut Binding,
) -> Answer {
    let nonsense = unsafe { &*userdata.cast::<Nonsense>() };
    unsafe {
        *binding = nonsense.binding;
        if !nonsense.converter.is_null() {
            // The callback uses objects that the running call has locked.
            let none = ptr::null_mut();
            let mut module = ptr::null_mut();
            let status = trellis_converter_convert(
                nonsense.converter,
                nonsense.shader,
                ptr::null(),
                0,
                &raw mut module,
                none,
            );
            assert_eq!(status, TRELLIS_BUSY);
            assert_eq!(trellis_converter_free(nonsense.converter), TRELLIS_BUSY);
            assert_eq!(trellis_shader_free(nonsense.shader), TRELLIS_BUSY);
            // The converter has a copy of these.
            let status = trellis_options_load(nonsense.options, c"{}".as_ptr(), 2, none);
            assert_eq!(status, TRELLIS_OK);
        }
    }
    nonsense.answer
}

#[test]
fn callbacks_that_answer_nonsense() {
    type Change = fn(&mut Binding);
    let loaded = Shader::of_corpus("buffers/counters.dxil");
    let run = |nonsense: &Nonsense| {
        let options = Options::new();
        let userdata: *const Nonsense = nonsense;
        let userdata = userdata.cast_mut().cast();
        options
            .bindings(Some(self::nonsense), None, userdata)
            .unwrap();
        loaded.convert(Some(&options), None).map(drop)
    };
    run(&Nonsense::default()).unwrap();
    for (answer, expected) in [(0, "no place"), (2, "returned 2"), (u32::MAX, "returned")] {
        let failed = run(&Nonsense {
            answer,
            ..Nonsense::default()
        });
        let failed = failed.unwrap_err();
        assert_eq!(failed.status, TRELLIS_NO_BINDING);
        assert!(failed.text.contains(expected), "{}", failed.text);
    }
    let cases: [(Change, &str); 9] = [
        (|b| b.place.kind = 0, "nowhere"),
        (|b| b.place.kind = 99, "place kind 99"),
        (|b| b.place.descriptor = 99, "descriptor kind 99"),
        (|b| b.place.reserved[5] = 1, "reserved"),
        (|b| b.counter.kind = 8, "place kind 8"),
        (|b| b.offsets.used = 2, "offsets.used 2"),
        (|b| b.offsets.reserved = 2, "reserved"),
        (
            |b| (b.place.kind, b.place.has_root_constant) = (TRELLIS_PLACE_HEAP, 7),
            "has_root_constant 7",
        ),
        (|b| b.place.kind = TRELLIS_PLACE_ROOT_CONSTANTS, "constant"),
    ];
    for (change, expected) in cases {
        let mut nonsense = Nonsense::default();
        change(&mut nonsense.binding);
        let failed = run(&nonsense).unwrap_err();
        assert_eq!(failed.status, TRELLIS_NO_BINDING);
        assert!(failed.text.contains(expected), "{}", failed.text);
    }
    // Any place is either possible or an error.
    for kind in 1..8 {
        for descriptor in 0..10 {
            for offset in [0, 3, 8, u32::MAX] {
                let mut nonsense = Nonsense::default();
                for place in [&mut nonsense.binding.place, &mut nonsense.binding.counter] {
                    *place = Place {
                        kind,
                        descriptor,
                        offset,
                        set: offset,
                        size_log2: offset,
                        ..Place::default()
                    };
                }
                if let Err(failed) = run(&nonsense) {
                    assert_eq!(failed.status, TRELLIS_NO_BINDING, "{}", failed.text);
                }
            }
        }
    }
}

#[test]
fn callbacks_that_use_what_is_in_use() {
    let loaded = Shader::of_corpus("buffers/counters.dxil");
    let options = Options::new();
    let mut nonsense = Nonsense {
        options: options.0,
        shader: loaded.0,
        ..Nonsense::default()
    };
    let userdata: *mut Nonsense = &raw mut nonsense;
    options
        .bindings(Some(self::nonsense), None, userdata.cast())
        .unwrap();
    let converter = Converter::new(Some(&options));
    unsafe { (*userdata).converter = converter.0 };
    converter.convert(&loaded, None).unwrap();
}

#[test]
fn a_heap_without_a_callback() {
    let loaded = Shader::of_corpus("resources/descriptor_heap.dxil");
    let options = Options::new();
    let nonsense = Nonsense::default();
    let userdata: *const Nonsense = &raw const nonsense;
    let userdata = userdata.cast_mut().cast();
    options
        .bindings(Some(self::nonsense), None, userdata)
        .unwrap();
    let failed = loaded.convert(Some(&options), None).unwrap_err();
    assert_eq!(failed.status, TRELLIS_NO_BINDING);
    assert!(failed.text.contains("heap"), "{}", failed.text);
}

unsafe extern "C" fn many(
    _: *mut c_void,
    _: *const ElementQuery,
    _: *mut Capture,
    capacity: usize,
    count: *mut usize,
) -> Answer {
    unsafe { *count = capacity + 1 };
    TRELLIS_ANSWERED
}

unsafe extern "C" fn place(
    number: *mut c_void,
    _: *const ElementQuery,
    place: *mut ElementPlace,
) -> Answer {
    let place = unsafe { &mut *place };
    match number.addr() {
        0 => return TRELLIS_REFUSED,
        1 => place.reserved = 1,
        2 => place.per_primitive = 2,
        3 => place.location = u32::MAX,
        4 => place.component = 9,
        _ => return 5,
    }
    TRELLIS_ANSWERED
}

#[test]
fn callbacks_about_outputs_that_answer_nonsense() {
    let loaded = Shader::of_corpus("vertex_io/packed.dxil");
    let options = Options::new();
    let functions = StageIo {
        capture: Some(many),
        ..StageIo::default()
    };
    options.stage_io(&functions, NULL).unwrap();
    let failed = loaded.convert(Some(&options), None).unwrap_err();
    assert_eq!(failed.status, TRELLIS_NO_STAGE_IO);
    assert!(failed.text.contains("at most 128"), "{}", failed.text);
    for number in 0..6 {
        let functions = StageIo {
            output: Some(place),
            ..StageIo::default()
        };
        let number = ptr::without_provenance_mut(number);
        options.stage_io(&functions, number).unwrap();
        let failed = loaded.convert(Some(&options), None);
        assert_eq!(status(failed), TRELLIS_NO_STAGE_IO, "{number:?}");
    }
}

#[test]
fn errors_have_a_location() {
    let failed = Shader::load(b"DXBC").unwrap_err();
    assert_eq!(failed.status, TRELLIS_UNREADABLE);
    assert!(!failed.part.is_empty() && failed.byte_offset != TRELLIS_UNKNOWN_OFFSET);
    let mut functions = 0;
    let options = Options::new();
    options.set("target", "vulkan1.1").unwrap();
    for (_, bytes) in shaders() {
        let shader = Shader::load(&bytes).unwrap();
        let (name, _) = shader.entry(0).unwrap();
        if let Err(failed) = shader.convert(Some(&options), Some(&name))
            && failed.status == TRELLIS_UNSUPPORTED
        {
            functions += u32::from(!failed.function.is_empty());
        }
    }
    assert!(functions > 0);
}

#[test]
fn damaged_shaders() {
    let bytes = shader("buffers/counters.dxil");
    for bad in [&b""[..], b"DXBC", &bytes[..64], &[0; 100]] {
        assert_eq!(status(Shader::load(bad)), TRELLIS_UNREADABLE);
    }
    // A container that lies, at each of many bytes.
    for at in (0..bytes.len()).step_by(7) {
        let mut bad = bytes.clone();
        bad[at] ^= 0xFF;
        match Shader::load(&bad) {
            Ok(shader) => {
                let _ = shader.reflect(None);
                if let Err(failed) = shader.convert(None, None) {
                    assert!(!failed.text.contains("internal error"), "{}", failed.text);
                }
            }
            Err(failed) => assert_eq!(failed.status, TRELLIS_UNREADABLE),
        }
    }
}

#[test]
fn statuses_have_names() {
    for status in -1..=14 {
        let name = trellis_status_name(status);
        let name = unsafe { std::ffi::CStr::from_ptr(name) }.to_str().unwrap();
        assert_eq!(
            name == "unknown status",
            !(0..14).contains(&status),
            "{name}"
        );
    }
    let version = unsafe { std::ffi::CStr::from_ptr(trellis_version()) };
    assert_eq!(version.to_str().unwrap(), env!("CARGO_PKG_VERSION"));
    assert_eq!(trellis_api_version(), TRELLIS_API_VERSION);
}
