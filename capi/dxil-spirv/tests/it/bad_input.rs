//! Wrong calls: an error and a line of the log, never an end of the process.

use std::ffi::{c_char, c_void};
use std::ptr;

use crate::calls::{self, Arguments};
use crate::common::{self, Answer, Blob, Converter, Remap, get, last_line, lines, listen};
use c_testkit::shader;
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;

const NULL: *mut c_void = ptr::null_mut();

/// All functions of a blob or converter. Freeing null is permitted.
fn functions() -> impl Iterator<Item = (&'static str, fn(&mut Arguments) -> calls::IsRefused)> {
    use calls::{CREATE, DUMP, FREE, OPTION, QUERIES, RUN, SETTERS};
    let tables = [CREATE, DUMP, QUERIES, SETTERS, OPTION, RUN, FREE];
    tables.into_iter().flatten().copied()
}

/// Returns whether a function is of blobs.
fn is_of_blob(name: &str) -> bool {
    name.starts_with("dxil_spv_parsed_blob") || name.starts_with("dxil_spv_create")
}

#[test]
fn handles_that_are_null_or_were_freed_or_are_of_another_kind() {
    listen();
    let blob = Blob::parse(&shader("buffers/counters.dxil")).unwrap();
    let converter = blob.converter();
    let mut freed = blob.converter();
    unsafe { dxil_spv_converter_free(freed.0) };
    // Another converter is not taken for the freed one.
    let next = blob.converter();
    for (name, call) in functions() {
        let other = if is_of_blob(name) {
            converter.0
        } else {
            blob.0
        };
        for (handle, text) in [
            (NULL, "is null"),
            (freed.0, "was freed"),
            (other, "another kind"),
        ] {
            assert!(call(&mut Arguments::of_handle(handle)).0, "{name}: {text}");
            let lines = lines();
            if handle.is_null() && name.ends_with("_free") {
                assert_eq!(lines, [], "{name}");
                continue;
            }
            let [(log_level::ERROR, line)] = &*lines else {
                panic!("{name}: {lines:?}")
            };
            let starts = line.starts_with("dxil_spv_create") || line.starts_with(name);
            assert!(starts && line.contains(text), "{name}: {line}");
        }
    }
    next.run().unwrap();
    freed.0 = NULL;
}

#[test]
fn null_pointers() {
    listen();
    let bytes = shader("buffers/counters.dxil");
    let blob = Blob::parse(&bytes).unwrap();
    let converter = blob.converter();
    converter.run().unwrap();
    lines();
    let mut checked = 0;
    for (name, call) in calls::CREATE.iter().chain(calls::QUERIES) {
        let handle = if is_of_blob(name) {
            blob.0
        } else {
            converter.0
        };
        let mut arguments = Arguments::of_handle(handle);
        arguments.nowhere = 1;
        let refused = call(&mut arguments).0;
        assert_eq!(arguments.made(), None, "{name}");
        let line = last_line(log_level::ERROR);
        if arguments.results > 0 {
            let line = line.expect("a line of the log");
            // The shader has neither.
            let none = ["has no output 0", "is no subobject 0"];
            let expected = line.contains("null") || none.iter().any(|none| line.ends_with(none));
            assert!(refused && expected, "{name}: {line}");
            checked += 1;
        } else {
            assert_eq!(line, None, "{name}");
        }
    }
    assert!(checked > 20);

    let (data, size) = (bytes.as_ptr().cast::<c_void>(), bytes.len());
    let mut none = NULL;
    let at = &raw mut none;
    let expect = |code: ResultCode| {
        assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
        let line = last_line(log_level::ERROR).expect("a line of the log");
        let is_line = line.starts_with("dxil_spv_") && line.contains("null");
        assert!(is_line, "{line}");
    };
    unsafe {
        dxil_spv_get_version(ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        expect(result::ERROR_INVALID_ARGUMENT);
        expect(dxil_spv_parse_dxil_blob(data, size, ptr::null_mut()));
        expect(dxil_spv_parse_dxil_blob(ptr::null(), size, at));
        expect(dxil_spv_parse_dxil_blob(data, usize::MAX, at));
        let nowhere = ptr::null_mut();
        expect(dxil_spv_parse_reflection_dxil_blob(data, size, nowhere));
        expect(dxil_spv_parse_dxil(ptr::null(), 4, at));
        let index = dxil_spv_parsed_blob_get_entry_index_by_name;
        expect(index(blob.0, ptr::null(), ptr::null_mut()));
        expect(dxil_spv_converter_add_option(converter.0, ptr::null()));

        // Null that the reference allows.
        dxil_spv_converter_set_entry_point(converter.0, ptr::null());
        dxil_spv_converter_set_srv_remapper(converter.0, None, NULL);
        let stage = dxil_spv_parsed_blob_get_shader_stage_for_entry(blob.0, ptr::null());
        assert_eq!(stage, stage::COMPUTE);
        assert_eq!(lines(), []);
    }
    converter.run().unwrap();
}

#[test]
fn numbers_that_are_not_defined() {
    listen();
    let bytes = shader("buffers/counters.dxil");
    let blob = Blob::parse(&bytes).unwrap();
    let converter = blob.converter();
    let expected = converter.run().unwrap();
    for number in [0, 52, 100, u32::MAX] {
        lines();
        converter.set(number, |_: &mut OptionBase| {});
        assert_eq!(lines().len(), 1, "a line about option {number}");
        assert_eq!(dxil_spv_converter_supports_option(number), FALSE);
    }
    converter.quirk(15);
    converter.quirk(u32::MAX);
    let code = converter.option(option::SSBO_ALIGNMENT, |o: &mut OptionSsboAlignment| {
        o.alignment = 3;
    });
    assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
    let code = converter.option(option::OUTPUT_SWIZZLE, |o: &mut OptionOutputSwizzle| {
        o.swizzle_count = 8;
    });
    assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
    lines();
    unsafe {
        let code = dxil_spv_converter_set_meta_descriptor(converter.0, 99, 1, 0, 0);
        assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
        let code = dxil_spv_converter_set_meta_descriptor(converter.0, 1, 99, 0, 0);
        assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
        assert_eq!(
            dxil_spv_converter_uses_shader_feature(converter.0, 99),
            FALSE
        );
        dxil_spv_converter_add_local_root_descriptor(converter.0, 99, 0, 0);
        dxil_spv_converter_add_local_root_descriptor_table(converter.0, 99, 0, 0, 1, 0);
        let code = dxil_spv_converter_end_local_root_descriptor_table(converter.0);
        assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
        assert_eq!(lines().len(), 5);
        let mut data: *const c_char = ptr::null();
        let code = dxil_spv_parsed_blob_get_entry_point_name(blob.0, 1, &raw mut data);
        assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
    }
    assert!(converter.run().unwrap() == expected);
}

/// Runs a converter with one answer for all places.
fn run_with(
    converter: &Converter,
    answer: Bool,
    at: VulkanBinding,
) -> Result<Vec<u32>, ResultCode> {
    let (counter, offsets, words) = (at, VulkanBinding::default(), None);
    let places = Answer {
        at,
        counter,
        offsets,
        words,
    };
    let mut remap = Remap::new(|_, _, _| (answer, places));
    unsafe {
        dxil_spv_converter_set_uav_remapper(converter.0, Some(common::uav), remap.userdata());
    }
    converter.run()
}

#[test]
fn remappers_that_answer_nonsense() {
    listen();
    let bytes = shader("buffers/structured.dxil");
    let blob = Blob::parse(&bytes).unwrap();
    let converter = blob.converter();
    let plain = VulkanBinding {
        set: 2,
        ..VulkanBinding::default()
    };
    run_with(&converter, TRUE, plain).unwrap();

    for ty in 0..9 {
        for use_heap in [FALSE, 2] {
            let binding = VulkanBinding {
                descriptor_type: ty,
                bindless: Bindless {
                    heap_root_offset: u32::MAX,
                    use_heap,
                },
                root_constant_index: 0x1000_0000,
                ..plain
            };
            lines();
            let done = run_with(&converter, TRUE, binding);
            if ty > descriptor_type::INPUT_ATTACHMENT {
                let line = last_line(log_level::ERROR).expect("a line of the log");
                assert!(line.contains(&format!("descriptor type {ty}")), "{line}");
                assert!(done.is_err());
            }
            if let Err(code) = done {
                assert!((result::ERROR_NO_DATA..0).contains(&code));
            }
        }
    }
    for answer in [FALSE, 2, 255] {
        let code = run_with(&converter, answer, plain).unwrap_err();
        assert_eq!(code, result::ERROR_GENERIC);
        let line = last_line(log_level::ERROR).expect("a line of the log");
        assert!(line.contains("no place"), "{line}");
    }
    // Whatever the callback does with its own converter, it is in use.
    let mut remap = Remap::new(|_, _, _| unsafe {
        dxil_spv_converter_set_uav_remapper(converter.0, None, NULL);
        dxil_spv_converter_free(converter.0);
        let code = dxil_spv_converter_run(converter.0);
        assert_eq!(code, result::ERROR_INVALID_ARGUMENT);
        (TRUE, Answer::at(plain))
    });
    converter.remap(&mut remap);
    converter.run().unwrap();
    let line = last_line(log_level::ERROR).expect("a line of the log");
    assert!(line.contains("in use"), "{line}");
}

#[test]
fn bytes_that_are_not_shaders() {
    listen();
    let bytes = shader("buffers/counters.dxil");
    let parse: [unsafe extern "C" fn(*const c_void, usize, *mut *mut c_void) -> ResultCode; 3] = [
        dxil_spv_parse_dxil_blob,
        dxil_spv_parse_reflection_dxil_blob,
        dxil_spv_parse_dxil,
    ];
    for by in parse {
        for bad in [&b""[..], b"DXBC", &bytes[..64], &[0; 100]] {
            lines();
            let code = Blob::by(by, bad).err().expect("an error");
            assert_eq!(code, result::ERROR_PARSER);
            assert!(last_line(log_level::ERROR).is_some());
        }
    }
    // A container that lies about sizes, at each byte.
    for at in 0..300 {
        let mut bad = bytes.clone();
        bad[at] ^= 0xFF;
        for by in parse {
            if let Ok(blob) = Blob::by(by, &bad) {
                let converter = blob.converter();
                let _ = converter.run();
            }
        }
    }
}

#[test]
fn nothing_was_converted() {
    listen();
    let blob = Blob::parse(&shader("buffers/counters.dxil")).unwrap();
    let converter = blob.converter();
    let words = || get(|to| unsafe { dxil_spv_converter_get_compiled_spirv(converter.0, to) });
    assert_eq!(words().err(), Some(result::ERROR_GENERIC));
    converter.entry(c"no such");
    assert_eq!(converter.run(), Err(result::ERROR_GENERIC));
    assert!(last_line(log_level::ERROR).unwrap().contains("no such"));
    converter.entry(c"main");
    converter.run().unwrap();
    assert!(words().is_ok());
    converter.entry(c"no such");
    assert!(converter.run().is_err());
    let code = words().err();
    assert_eq!(
        code,
        Some(result::ERROR_GENERIC),
        "no result of an earlier run"
    );
}

/// A container with one part.
fn container(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0; 16]);
    bytes.extend(1u32.to_le_bytes());
    let size = u32::try_from(44 + data.len()).unwrap();
    bytes.extend(size.to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(36u32.to_le_bytes());
    bytes.extend(name);
    bytes.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn a_malformed_token_stream_is_an_error() {
    listen();
    if std::env::var_os("TRELLIS_DXBC_LIBRARY").is_some() {
        eprintln!("skipped: TRELLIS_DXBC_LIBRARY is set");
        return;
    }
    for name in [b"SHDR", b"SHEX"] {
        let code = Blob::parse(&container(name, &[0; 8])).err();
        assert_eq!(code, Some(result::ERROR_PARSER));
        let line = last_line(log_level::ERROR).unwrap();
        assert!(line.contains("token stream"), "{line}");
    }
}
