//! Conversions through the interface, compared with those of the Rust API.

#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the interface is one for C: each block passes pointers to what is alive during the call"
)]

use std::ffi::{CStr, CString, c_void};
use std::ptr;

use crate::common::{self, Blob, defaults, lines, listen, rust};
use c_testkit::{shader, shaders};
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;
use trellis_dxil_frontend::shader::{ResourceClass, source_name};
use trellis_spirv_backend::options::IntrinsicsUav;
use trellis_spirv_backend::{MinPrecision, convert_entry, disassemble};

/// Converts each entry point with both, and returns how many of them convert.
fn compare(name: &str, bytes: &[u8]) -> usize {
    let input = trellis_dxil_frontend::read(bytes).unwrap();
    let blob = Blob::parse(bytes).unwrap();
    let converter = blob.converter();
    let mut converted = 0;
    for entry in input.shader.shaders() {
        let mangled = CString::new(&*entry.name).unwrap();
        converter.entry(&mangled);
        let rust = convert_entry(&input, entry, &defaults());
        match (rust, converter.run()) {
            (Ok(rust), Ok(c)) => {
                assert!(rust.words == c, "{name}: {}", entry.name);
                assert_eq!(converter.compiled_entry(), source_name(&entry.name));
                converted += 1;
            }
            (Err(error), Err(_)) => {
                let line = common::last_line(log_level::ERROR).expect("a line");
                assert_eq!(line, format!("dxil_spv_converter_run: {error}"), "{name}");
            }
            (rust, c) => panic!("{name}: {rust:?} {:?}", c.map(|words| words.len())),
        }
    }
    converted
}

#[test]
fn the_corpus_converts_to_the_same_words() {
    listen();
    let converted: usize = shaders()
        .iter()
        .map(|(name, bytes)| compare(name, bytes))
        .sum();
    assert!(converted > 300, "{converted}");
}

#[test]
fn options_have_the_effect_that_they_have_in_rust() {
    let base = |ty| OptionBase { ty };
    let bytes = shader("control_flow/discard_in_loop.dxil");
    let converter = Blob::parse(&bytes).unwrap().converter();
    assert!(converter.run().unwrap() == rust(&bytes, &defaults()));

    converter.set(&OptionShaderDemoteToHelper {
        base: base(option::SHADER_DEMOTE_TO_HELPER),
        supported: FALSE,
    });
    let options = defaults().with_demote(false);
    let expected = rust(&bytes, &options);
    assert!(expected != rust(&bytes, &defaults()));
    assert!(converter.run().unwrap() == expected);

    converter.set(&OptionMinPrecisionNative16bit {
        base: base(option::MIN_PRECISION_NATIVE_16BIT),
        enabled: TRUE,
    });
    converter.set(&OptionPreciseControl {
        base: base(option::PRECISE_CONTROL),
        force_precise: TRUE,
        propagate_precise: FALSE,
    });
    let options = options
        .with_min_precision(MinPrecision::Native16)
        .with_force_precise(true);
    assert!(converter.run().unwrap() == rust(&bytes, &options));
}

#[test]
fn options_about_quads_and_intrinsics() {
    let base = |ty| OptionBase { ty };
    let bytes = shader("waves/quad_vote.cs.dxil");
    let converter = Blob::parse(&bytes).unwrap().converter();
    converter.set(&OptionComputeShaderDerivatives {
        base: base(option::COMPUTE_SHADER_DERIVATIVES),
        supports_nv: FALSE,
        supports_khr: FALSE,
    });
    let expected = rust(&bytes, &defaults().with_compute_derivatives(false));
    assert!(converter.run().unwrap() == expected);

    // Its only buffer, at register 1, cannot be both.
    let nvapi = |register_index| OptionNvapi {
        base: base(option::NVAPI),
        enabled: TRUE,
        register_index,
        register_space: 0,
    };
    converter.set(&nvapi(1));
    assert!(converter.run().is_err());
    converter.set(&nvapi(2));
    assert!(converter.run().is_ok());
}

/// A remapper's record of what it was asked.
#[derive(Default)]
struct Asked(Vec<(Class, D3dBinding, Bool)>);

unsafe extern "C" fn srv(
    asked: *mut c_void,
    d3d: *const D3dBinding,
    vulkan: *mut SrvVulkanBinding,
) -> Bool {
    let (asked, d3d) = unsafe { (&mut *asked.cast::<Asked>(), *d3d) };
    asked.0.push((class::SRV, d3d, FALSE));
    let at = unsafe { &mut (*vulkan).buffer_binding };
    at.set = 1;
    at.binding = 10 + d3d.resource_index;
    TRUE
}

unsafe extern "C" fn uav(
    asked: *mut c_void,
    d3d: *const UavD3dBinding,
    vulkan: *mut UavVulkanBinding,
) -> Bool {
    let (asked, d3d) = unsafe { (&mut *asked.cast::<Asked>(), *d3d) };
    asked.0.push((class::UAV, d3d.d3d_binding, d3d.has_counter));
    unsafe {
        (*vulkan).buffer_binding.set = 2;
        (*vulkan).buffer_binding.binding = 20 + d3d.d3d_binding.resource_index;
        (*vulkan).counter_binding.set = 7;
        (*vulkan).counter_binding.binding = d3d.d3d_binding.resource_index;
    }
    TRUE
}

unsafe extern "C" fn cbv(
    asked: *mut c_void,
    d3d: *const D3dBinding,
    vulkan: *mut CbvVulkanBinding,
) -> Bool {
    let (asked, d3d) = unsafe { (&mut *asked.cast::<Asked>(), *d3d) };
    asked.0.push((class::CBV, d3d, FALSE));
    unsafe {
        (*vulkan).push_constant = TRUE;
        (*vulkan).vulkan.push_constant.offset_in_words = 4 * d3d.resource_index;
    }
    TRUE
}

unsafe extern "C" fn sampler(
    asked: *mut c_void,
    d3d: *const D3dBinding,
    vulkan: *mut VulkanBinding,
) -> Bool {
    let (asked, d3d) = unsafe { (&mut *asked.cast::<Asked>(), *d3d) };
    asked.0.push((class::SAMPLER, d3d, FALSE));
    unsafe {
        (*vulkan).set = 3;
        (*vulkan).bindless.use_heap = TRUE;
        (*vulkan).bindless.heap_root_offset = 30;
        (*vulkan).root_constant_index = 5;
    }
    TRUE
}

#[test]
fn remappers_are_asked_in_the_order_of_the_metadata() {
    let mut seen = [0; 4];
    for (name, bytes) in shaders() {
        let input = trellis_dxil_frontend::read(&bytes).unwrap();
        let entry = input.shader.shaders().next().unwrap();
        if input.shader.resources.is_empty() || input.shader.shaders().count() > 1 {
            continue;
        }
        let blob = Blob::parse(&bytes).unwrap();
        let mut asked = Asked::default();
        let data: *mut Asked = &raw mut asked;
        let code = unsafe {
            dxil_spv_parsed_blob_scan_resources(
                blob.0,
                Some(srv),
                Some(sampler),
                Some(cbv),
                Some(uav),
                data.cast(),
            )
        };
        assert_eq!(code, result::SUCCESS);
        let scanned = std::mem::take(&mut asked).0;
        let expected: Vec<(Class, u32)> = input
            .shader
            .resources
            .iter()
            .map(|r| {
                seen[r.class as usize] += 1;
                let class = match r.class {
                    ResourceClass::Srv => class::SRV,
                    ResourceClass::Uav => class::UAV,
                    ResourceClass::CBuffer => class::CBV,
                    ResourceClass::Sampler => class::SAMPLER,
                };
                (class, r.id)
            })
            .collect();
        let order = |asked: &[(Class, D3dBinding, Bool)]| -> Vec<_> {
            asked
                .iter()
                .map(|(class, d3d, _)| (*class, d3d.resource_index))
                .collect()
        };
        assert_eq!(order(&scanned), expected, "{name}");

        let converter = blob.converter();
        unsafe {
            dxil_spv_converter_set_srv_remapper(converter.0, Some(srv), data.cast());
            dxil_spv_converter_set_sampler_remapper(converter.0, Some(sampler), data.cast());
            dxil_spv_converter_set_cbv_remapper(converter.0, Some(cbv), data.cast());
            dxil_spv_converter_set_uav_remapper(converter.0, Some(uav), data.cast());
        }
        if converter.run().is_ok() {
            assert!(entry.function.is_some());
            let heaps = asked
                .0
                .iter()
                .filter(|(_, d3d, _)| d3d.register_index == u32::MAX)
                .count();
            let declared = &asked.0[..asked.0.len() - heaps];
            // The UAV of AGS has no place.
            let expected = expected.iter().zip(&input.shader.resources);
            let expected = expected.filter(|(_, r)| r.space != IntrinsicsUav::AGS.space);
            let expected: Vec<(Class, u32)> = expected.map(|(asked, _)| *asked).collect();
            assert_eq!(order(declared), expected, "{name}");
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn answers_become_places() {
    listen();
    let bytes = shader("cbuffers/dynamic_index.dxil");
    let blob = Blob::parse(&bytes).unwrap();
    let converter = blob.converter();
    let mut asked = Asked::default();
    let data: *mut Asked = &raw mut asked;
    unsafe {
        dxil_spv_converter_set_srv_remapper(converter.0, Some(srv), data.cast());
        dxil_spv_converter_set_cbv_remapper(converter.0, Some(cbv), data.cast());
        dxil_spv_converter_set_uav_remapper(converter.0, Some(uav), data.cast());
        dxil_spv_converter_set_root_constant_word_count(converter.0, 64);
    }
    let words = converter
        .run()
        .unwrap_or_else(|code| panic!("{code}: {:?}", lines()));
    let text = disassemble(&words).unwrap();
    assert!(text.contains("PushConstant"), "{text}");
    assert!(text.contains("DescriptorSet 2"), "{text}");
    assert!(text.contains("Binding 20"), "{text}");
}

#[test]
fn names_come_from_the_reflection() {
    let bytes = shader("cbuffers/dynamic_index.dxil");
    let mut with_names = trellis_dxil_frontend::read(&bytes).unwrap();
    let container = with_names.container.unwrap();
    assert!(trellis_dxil_frontend::names_from_stat(&container, &mut with_names.shader).unwrap());
    let entry = with_names.shader.shaders().next().unwrap();
    let expected = convert_entry(&with_names, entry, &defaults()).unwrap();

    let blob = Blob::parse(&bytes).unwrap();
    let names = Blob::by(dxil_spv_parse_reflection_dxil_blob, &bytes).unwrap();
    let mut converter = ptr::null_mut();
    let code =
        unsafe { dxil_spv_create_converter_with_reflection(blob.0, names.0, &raw mut converter) };
    assert_eq!(code, result::SUCCESS);
    let converter = common::Converter(converter);
    // A converter does not depend on the blobs any more.
    drop((blob, names));
    assert!(converter.run().unwrap() == expected.words);
    assert!(converter.run().unwrap() == expected.words);
}

#[test]
fn libraries_have_entry_points() {
    let (name, bytes) = shaders()
        .into_iter()
        .find(|(_, bytes)| {
            let input = trellis_dxil_frontend::read(bytes).unwrap();
            input.shader.shaders().count() > 2
        })
        .unwrap();
    let input = trellis_dxil_frontend::read(&bytes).unwrap();
    let blob = Blob::parse(&bytes).unwrap();
    let mut count = 0;
    unsafe {
        assert_eq!(
            dxil_spv_parsed_blob_get_num_entry_points(blob.0, &raw mut count),
            0
        );
    }
    assert_eq!(count as usize, input.shader.shaders().count(), "{name}");
    for (index, entry) in (0..).zip(input.shader.shaders()) {
        let (mut mangled, mut source) = (ptr::null(), ptr::null());
        let (mut found, mut outputs) = (u32::MAX, u32::MAX);
        unsafe {
            let code = dxil_spv_parsed_blob_get_entry_point_name(blob.0, index, &raw mut mangled);
            assert_eq!(code, result::SUCCESS);
            assert_eq!(CStr::from_ptr(mangled).to_str().unwrap(), &*entry.name);
            let code =
                dxil_spv_parsed_blob_get_entry_point_demangled_name(blob.0, index, &raw mut source);
            assert_eq!(code, result::SUCCESS);
            assert_eq!(
                CStr::from_ptr(source).to_str().unwrap(),
                source_name(&entry.name)
            );
            for name in [mangled, source] {
                let code =
                    dxil_spv_parsed_blob_get_entry_index_by_name(blob.0, name, &raw mut found);
                assert_eq!((code, found), (result::SUCCESS, index));
                let stage = dxil_spv_parsed_blob_get_shader_stage_for_entry(blob.0, name);
                assert!((stage::INTERSECTION..=stage::CALLABLE).contains(&stage));
            }
            let code = dxil_spv_parsed_blob_get_entry_point_num_node_outputs(
                blob.0,
                index,
                &raw mut outputs,
            );
            assert_eq!((code, outputs), (result::SUCCESS, 0));
        }
    }
    unsafe {
        let stage = dxil_spv_parsed_blob_get_shader_stage_for_entry(blob.0, c"no such".as_ptr());
        assert_eq!(stage, stage::UNKNOWN);
    }
}

#[test]
fn facts_of_shaders() {
    let query = |bytes: &[u8], ask: &dyn Fn(*mut c_void) -> [u32; 3]| {
        let converter = Blob::parse(bytes).unwrap().converter();
        converter.run().unwrap();
        ask(converter.0)
    };
    let group = |converter| {
        let [mut x, mut y, mut z] = [0; 3];
        let code = unsafe {
            dxil_spv_converter_get_compute_workgroup_dimensions(
                converter, &raw mut x, &raw mut y, &raw mut z,
            )
        };
        assert_eq!(code, result::SUCCESS);
        [x, y, z]
    };
    let patch = |converter| {
        let [mut points, mut location] = [0; 2];
        unsafe {
            let code = dxil_spv_converter_get_patch_vertex_count(converter, &raw mut points);
            assert_eq!(code, result::SUCCESS);
            let code = dxil_spv_converter_get_patch_location_offset(converter, &raw mut location);
            assert_eq!(code, result::SUCCESS);
        }
        [points, location, 0]
    };
    let collatz = shader("../../spirv-backend/tests/data/collatz.dxil");
    let declared = trellis_dxil_frontend::read(&collatz).unwrap();
    let declared = declared.shader.entry_points[0]
        .properties
        .num_threads
        .unwrap();
    assert_eq!(query(&collatz, &group), declared);
    assert_eq!(query(&collatz, &patch), [0, u32::MAX, 0]);
    let hull = shader("tessellation/more_points.dxil");
    let [points, location, _] = query(&hull, &patch);
    assert_eq!(points, 3);
    assert!(location > 0 && location < 32, "{location}");
}

#[test]
fn listings_and_bitcode() {
    let bytes = shader("cbuffers/dynamic_index.dxil");
    let blob = Blob::parse(&bytes).unwrap();
    let (mut text, mut data, mut size) = (ptr::null(), ptr::null(), 0);
    unsafe {
        let code = dxil_spv_parsed_blob_get_disassembled_ir(blob.0, &raw mut text);
        assert_eq!(code, result::SUCCESS);
        assert!(
            CStr::from_ptr(text)
                .to_str()
                .unwrap()
                .contains("define void @main()")
        );
        let code = dxil_spv_parsed_blob_get_raw_ir(blob.0, &raw mut data, &raw mut size);
        assert_eq!(code, result::SUCCESS);
    }
    // SAFETY: the library returns its bytes, which stay until the blob is freed.
    let bitcode = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) };
    assert_eq!(&bitcode[..4], b"BC\xC0\xDE");
    let bare = Blob::by(dxil_spv_parse_dxil, bitcode).unwrap();
    assert!(bare.converter().run().unwrap() == blob.converter().run().unwrap());
    let code = unsafe { dxil_spv_parsed_blob_get_raw_ir(bare.0, &raw mut data, &raw mut size) };
    assert_eq!(code, result::ERROR_GENERIC, "as in the reference");
    assert_eq!(
        Blob::by(dxil_spv_parse_dxil, &bytes).err(),
        Some(result::ERROR_PARSER)
    );
}

#[test]
fn subobjects_are_in_the_bytes_that_were_parsed() {
    let bytes = shader("../../dxil-frontend/tests/data/library.dxil");
    let range = bytes.as_ptr_range();
    let blob = Blob::parse(&bytes).unwrap();
    let empty = RdatSubobject {
        kind: 0,
        subobject_name: ptr::null(),
        hit_group_type: 0,
        exports: ptr::null(),
        num_exports: 0,
        args: [0; 2],
        payload: ptr::null(),
        payload_size: 0,
    };
    let mut objects = [empty; 3];
    unsafe {
        assert_eq!(dxil_spv_parsed_blob_get_num_rdat_subobjects(blob.0), 3);
        for (index, object) in (0..).zip(&mut objects) {
            dxil_spv_parsed_blob_get_rdat_subobject(blob.0, index, object);
        }
    }
    let text = |at: *const std::ffi::c_char| unsafe { CStr::from_ptr(at) }.to_str().unwrap();
    let [group, any_hit, closest_hit] = {
        let exports = unsafe { std::slice::from_raw_parts(objects[2].exports, 3) };
        [exports[2], exports[0], exports[1]].map(text)
    };
    assert_eq!([group, any_hit, closest_hit], ["", "", "ch"]);
    assert_eq!(
        (objects[2].kind, objects[2].num_exports),
        (subobject_kind::HIT_GROUP, 3)
    );
    // The lists of exports are the blob's; all else is the caller's.
    drop(blob);
    assert_eq!(
        objects.map(|o| text(o.subobject_name)),
        ["grs", "cfg", "hg"]
    );
    assert_eq!(objects[0].kind, subobject_kind::GLOBAL_ROOT_SIGNATURE);
    assert!(range.contains(&objects[0].payload.cast()));
    assert!(range.contains(&objects[0].subobject_name.cast()));
    // SAFETY: it is within `bytes`.
    let payload = unsafe {
        std::slice::from_raw_parts(objects[0].payload.cast::<u8>(), objects[0].payload_size)
    };
    let signature = trellis_dxil_frontend::container::RootSignature::read_bytes(payload).unwrap();
    assert_eq!(signature.parameters.len(), 1);
    assert_eq!(objects[1].kind, subobject_kind::RAYTRACING_SHADER_CONFIG);
    assert_eq!(objects[1].args, [16, 8]);
}
