//! Conversions through the C interface, compared with the Rust API.

use std::ffi::CString;
use std::mem::MaybeUninit;

use crate::common::{
    self, Answer, Blob, Remap, class_of, defaults, get, lines, listen, rust, text,
};
use c_testkit::{shader, shaders};
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;
use trellis_dxil_frontend::shader::source_name;
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
    let bytes = shader("control_flow/discard_in_loop.dxil");
    let converter = Blob::parse(&bytes).unwrap().converter();
    assert!(converter.run().unwrap() == rust(&bytes, &defaults()));

    converter.set(
        option::SHADER_DEMOTE_TO_HELPER,
        |o: &mut OptionShaderDemoteToHelper| o.supported = FALSE,
    );
    let options = defaults().with_demote(false);
    let expected = rust(&bytes, &options);
    assert!(expected != rust(&bytes, &defaults()));
    assert!(converter.run().unwrap() == expected);

    converter.set(
        option::MIN_PRECISION_NATIVE_16BIT,
        |o: &mut OptionMinPrecisionNative16bit| o.enabled = TRUE,
    );
    converter.set(option::PRECISE_CONTROL, |o: &mut OptionPreciseControl| {
        o.force_precise = TRUE;
    });
    let options = options
        .with_min_precision(MinPrecision::Native16)
        .with_force_precise(true);
    assert!(converter.run().unwrap() == rust(&bytes, &options));
}

#[test]
fn options_about_quads_and_intrinsics() {
    let bytes = shader("waves/quad_vote.cs.dxil");
    let converter = Blob::parse(&bytes).unwrap().converter();
    converter.set(
        option::COMPUTE_SHADER_DERIVATIVES,
        |o: &mut OptionComputeShaderDerivatives| o.supports_khr = FALSE,
    );
    let expected = rust(&bytes, &defaults().with_compute_derivatives(false));
    assert!(converter.run().unwrap() == expected);

    // Its only buffer, at register 1, cannot be both.
    let set_nvapi = |register| {
        converter.set(option::NVAPI, |o: &mut OptionNvapi| {
            (o.enabled, o.register_index) = (TRUE, register);
        });
    };
    set_nvapi(1);
    assert!(converter.run().is_err());
    set_nvapi(2);
    assert!(converter.run().is_ok());
}

/// Questions to remappers, with the class.
type Asked = Vec<(Class, D3dBinding)>;

/// Returns a remapper that records its queries.
fn remap(asked: &mut Asked) -> Remap<'_> {
    Remap::new(move |class, d3d, _| {
        asked.push((class, d3d));
        let place = |set, first| VulkanBinding {
            set,
            binding: first + d3d.resource_index,
            ..VulkanBinding::default()
        };
        let in_heap = VulkanBinding {
            bindless: Bindless {
                heap_root_offset: 30,
                use_heap: TRUE,
            },
            root_constant_index: 5,
            ..place(3, 0)
        };
        let answer = match class {
            class::SRV => Answer::at(place(1, 10)),
            class::UAV => Answer {
                at: place(2, 20),
                counter: place(7, 0),
                ..Answer::default()
            },
            class::CBV => Answer {
                words: Some(4 * d3d.resource_index),
                ..Answer::default()
            },
            _ => Answer::at(in_heap),
        };
        (TRUE, answer)
    })
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
        let mut scanned = Asked::new();
        let mut keep = remap(&mut scanned);
        let code = unsafe {
            let (srv, sampler) = (Some(common::srv as _), Some(common::sampler as _));
            let (cbv, uav) = (Some(common::cbv as _), Some(common::uav as _));
            dxil_spv_parsed_blob_scan_resources(blob.0, srv, sampler, cbv, uav, keep.userdata())
        };
        drop(keep);
        assert_eq!(code, result::SUCCESS);
        let declared = input.shader.resources.iter().map(|r| {
            seen[r.class as usize] += 1;
            (class_of(r.class), r.id)
        });
        let expected: Vec<(Class, u32)> = declared.collect();
        let order = |asked: &[(Class, D3dBinding)]| -> Vec<_> {
            let order = asked
                .iter()
                .map(|(class, d3d)| (*class, d3d.resource_index));
            order.collect()
        };
        assert_eq!(order(&scanned), expected, "{name}");

        let converter = blob.converter();
        let mut asked = Asked::new();
        let mut keep = remap(&mut asked);
        converter.remap(&mut keep);
        let converted = converter.run();
        drop(keep);
        if converted.is_ok() {
            assert!(entry.function.is_some());
            let is_heap = |(_, d3d): &&(Class, D3dBinding)| d3d.register_index == u32::MAX;
            let heaps = asked.iter().filter(is_heap).count();
            let declared = &asked[..asked.len() - heaps];
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
    let mut asked = Asked::new();
    let mut remap = remap(&mut asked);
    converter.remap(&mut remap);
    unsafe { dxil_spv_converter_set_root_constant_word_count(converter.0, 64) };
    let words = converter
        .run()
        .unwrap_or_else(|code| panic!("{code}: {:?}", lines()));
    let text = disassemble(&words).unwrap();
    for part in ["PushConstant", "DescriptorSet 2", "Binding 20"] {
        assert!(text.contains(part), "{text}");
    }
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
    let create = |to| unsafe { dxil_spv_create_converter_with_reflection(blob.0, names.0, to) };
    let converter = common::Converter(get(create).unwrap());
    // A converter does not depend on the blobs any more.
    drop((blob, names));
    assert!(converter.run().unwrap() == expected.words);
    assert!(converter.run().unwrap() == expected.words);
}

#[test]
fn libraries_have_entry_points() {
    let is_library = |bytes: &[u8]| {
        let input = trellis_dxil_frontend::read(bytes).unwrap();
        input.shader.shaders().count() > 2
    };
    let mut shaders = shaders().into_iter();
    let (name, bytes) = shaders.find(|(_, bytes)| is_library(bytes)).unwrap();
    let input = trellis_dxil_frontend::read(&bytes).unwrap();
    let blob = Blob::parse(&bytes).unwrap();
    let count = get(|to| unsafe { dxil_spv_parsed_blob_get_num_entry_points(blob.0, to) });
    let expected = input.shader.shaders().count();
    assert_eq!(count.unwrap() as usize, expected, "{name}");
    let stage_of = dxil_spv_parsed_blob_get_shader_stage_for_entry;
    for (index, entry) in (0..).zip(input.shader.shaders()) {
        unsafe {
            let get_name = dxil_spv_parsed_blob_get_entry_point_name;
            let mangled = get(|to| get_name(blob.0, index, to)).unwrap();
            assert_eq!(text(mangled), &*entry.name);
            let get_name = dxil_spv_parsed_blob_get_entry_point_demangled_name;
            let source = get(|to| get_name(blob.0, index, to)).unwrap();
            assert_eq!(text(source), source_name(&entry.name));
            for name in [mangled, source] {
                let find = dxil_spv_parsed_blob_get_entry_index_by_name;
                assert_eq!(get(|to| find(blob.0, name, to)), Ok(index));
                let stage = stage_of(blob.0, name);
                assert!((stage::INTERSECTION..=stage::CALLABLE).contains(&stage));
            }
            let outputs = dxil_spv_parsed_blob_get_entry_point_num_node_outputs;
            assert_eq!(get(|to| outputs(blob.0, index, to)), Ok(0));
        }
    }
    let stage = unsafe { stage_of(blob.0, c"no such".as_ptr()) };
    assert_eq!(stage, stage::UNKNOWN);
}

#[test]
fn facts_of_shaders() {
    let convert = |bytes: &[u8]| {
        let converter = Blob::parse(bytes).unwrap().converter();
        converter.run().unwrap();
        converter
    };
    let patch = |converter: &common::Converter| unsafe {
        let points = get(|to| dxil_spv_converter_get_patch_vertex_count(converter.0, to));
        let location = get(|to| dxil_spv_converter_get_patch_location_offset(converter.0, to));
        [points, location].map(Result::unwrap)
    };
    let bytes = shader("../../spirv-backend/tests/data/collatz.dxil");
    let collatz = convert(&bytes);
    let declared = trellis_dxil_frontend::read(&bytes).unwrap();
    let declared = declared.shader.entry_points[0].properties.num_threads;
    let [mut x, mut y, mut z] = [0; 3];
    let code = unsafe {
        let dimensions = dxil_spv_converter_get_compute_workgroup_dimensions;
        dimensions(collatz.0, &raw mut x, &raw mut y, &raw mut z)
    };
    assert_eq!((code, Some([x, y, z])), (result::SUCCESS, declared));
    assert_eq!(patch(&collatz), [0, u32::MAX]);
    let [points, location] = patch(&convert(&shader("tessellation/more_points.dxil")));
    assert_eq!(points, 3);
    assert!(location > 0 && location < 32, "{location}");
}

#[test]
fn listings_and_bitcode() {
    let bytes = shader("cbuffers/dynamic_index.dxil");
    let blob = Blob::parse(&bytes).unwrap();
    let listing = get(|to| unsafe { dxil_spv_parsed_blob_get_disassembled_ir(blob.0, to) });
    assert!(text(listing.unwrap()).contains("define void @main()"));
    let raw = |blob: &Blob| {
        let mut size = 0;
        let data = get(|to| unsafe { dxil_spv_parsed_blob_get_raw_ir(blob.0, to, &raw mut size) });
        data.map(|data| (data, size))
    };
    let (data, size) = raw(&blob).unwrap();
    // SAFETY: the library returns its bytes, which stay until the blob is freed.
    let bitcode = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) };
    assert_eq!(&bitcode[..4], b"BC\xC0\xDE");
    let bare = Blob::by(dxil_spv_parse_dxil, bitcode).unwrap();
    assert!(bare.converter().run().unwrap() == blob.converter().run().unwrap());
    let code = raw(&bare).err();
    assert_eq!(code, Some(result::ERROR_GENERIC), "as in the reference");
    let code = Blob::by(dxil_spv_parse_dxil, &bytes).err();
    assert_eq!(code, Some(result::ERROR_PARSER));
}

#[test]
fn subobjects_are_in_the_bytes_that_were_parsed() {
    let bytes = shader("../../dxil-frontend/tests/data/library.dxil");
    let range = bytes.as_ptr_range();
    let blob = Blob::parse(&bytes).unwrap();
    let objects = unsafe {
        assert_eq!(dxil_spv_parsed_blob_get_num_rdat_subobjects(blob.0), 3);
        [0, 1, 2].map(|index| {
            let mut object = MaybeUninit::uninit();
            dxil_spv_parsed_blob_get_rdat_subobject(blob.0, index, object.as_mut_ptr());
            object.assume_init()
        })
    };
    let exports = unsafe { std::slice::from_raw_parts(objects[2].exports, 3) };
    let [any_hit, closest_hit, intersection] = [0, 1, 2].map(|at| text(exports[at]));
    assert_eq!([any_hit, closest_hit, intersection], ["", "ch", ""]);
    let group: RdatSubobject = objects[2];
    assert_eq!(
        (group.kind, group.num_exports),
        (subobject_kind::HIT_GROUP, 3)
    );
    // The lists of exports are the blob's; all else is the caller's.
    drop(blob);
    let names = objects.map(|object| text(object.subobject_name));
    assert_eq!(names, ["grs", "cfg", "hg"]);
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
