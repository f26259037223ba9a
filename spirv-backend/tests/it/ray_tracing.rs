//! The translation of the shaders of ray tracing pipelines.

use std::sync::Arc;

use trellis_dxil_frontend::shader::ShaderKind;
use trellis_spirv_backend::bindings::{BindingFile, DefaultBindings};
use trellis_spirv_backend::{
    Error, Feature, Options, Target, convert, disassemble, entry_points, reflect,
};

use crate::common::{self, count};

fn library(name: &str) -> Vec<u8> {
    common::shader(&format!("raytracing/{name}.dxil"))
}

fn options(entry: &str) -> Options {
    Options::default().with_entry(Some(entry.to_owned()))
}

fn lines(name: &str, entry: &str) -> Vec<String> {
    common::lines(&format!("raytracing/{name}.dxil"), &options(entry))
}

/// Returns the type of the only variable of a storage class, written out.
fn data_type(lines: &[String], class: &str) -> String {
    let variables: Vec<&String> = lines
        .iter()
        .filter(|l| l.contains("OpVariable ") && l.split(' ').any(|word| word == class))
        .collect();
    let [variable] = variables[..] else {
        panic!("{class}: {variables:?}")
    };
    let definition = |id: &str| {
        lines
            .iter()
            .find_map(|l| l.strip_prefix(&format!("{id} = ")))
            .unwrap_or_else(|| panic!("no {id}"))
    };
    let pointer = definition(variable.split(' ').nth(3).expect("a type"));
    let pointee = definition(pointer.split(' ').nth(2).expect("a pointee"));
    let words: Vec<&str> = pointee.split(' ').collect();
    match words[..] {
        ["OpTypeArray", element, length] => {
            format!("{} x {}", definition(element), definition(length))
        }
        ["OpTypeVector", element, length] => format!("vector {} x {length}", definition(element)),
        _ => pointee.to_owned(),
    }
}

#[test]
fn entries_have_the_names_of_the_source() {
    let bytes = library("first_hit");
    let entries: Vec<_> = entry_points(&bytes)
        .expect("readable")
        .into_iter()
        .map(|e| (e.name, e.stage))
        .collect();
    let expected = [
        ("Generate", ShaderKind::RayGeneration),
        ("Hit", ShaderKind::ClosestHit),
        ("Missed", ShaderKind::Miss),
    ];
    for (name, stage) in expected {
        assert!(entries.contains(&(name.to_owned(), stage)), "{entries:?}");
    }
    assert_eq!(entries.len(), expected.len());
    let output =
        convert(&bytes, &options("?Missed@@YAXUPayload@@@Z")).expect("mangled names do too");
    assert_eq!(
        (output.entry.as_str(), output.stage),
        ("Missed", ShaderKind::Miss)
    );
    let error = convert(&bytes, &Options::default()).expect_err("none is chosen");
    assert_eq!(
        error.to_string(),
        "the module has several entry points: choose one of `Generate`, `Hit`, `Missed`"
    );
}

#[test]
fn functions_without_stage_are_no_entries() {
    let names: Vec<_> = entry_points(&library("mixed_library"))
        .expect("readable")
        .into_iter()
        .map(|e| e.name)
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(
        lines("mixed_library", "Fill")
            .iter()
            .any(|l| l.starts_with("OpEntryPoint GLCompute") && l.contains("\"Fill\""))
    );
}

#[test]
fn each_stage_has_its_model() {
    for (name, entry, model) in [
        ("first_hit", "Generate", "RayGeneration"),
        ("first_hit", "Hit", "ClosestHit"),
        ("first_hit", "Missed", "Miss"),
        ("report_hit", "Any", "AnyHit"),
        ("report_hit", "Reports", "Intersection"),
        ("callable", "Square", "Callable"),
    ] {
        let l = lines(name, entry);
        assert!(
            l.iter()
                .any(|l| l.starts_with(&format!("OpEntryPoint {model}"))),
            "{entry}"
        );
        assert_eq!(count(&l, "OpCapability RayTracingKHR"), 1);
        assert_eq!(count(&l, "OpExtension \"SPV_KHR_ray_tracing\""), 1);
        assert_eq!(count(&l, "RayQuery"), 0, "{entry}");
    }
}

#[test]
fn structs_of_one_layout_give_one_type() {
    let bare = |text: String| {
        text.split(' ')
            .filter(|word| !word.starts_with('%'))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let sent = bare(data_type(
        &lines("split_generate", "Generate"),
        "RayPayloadKHR",
    ));
    assert_eq!(
        sent, "OpTypeInt 32 0 x OpConstant 7",
        "three floats, a number, three floats"
    );
    assert_eq!(
        bare(data_type(
            &lines("split_hits", "Hit"),
            "IncomingRayPayloadKHR"
        )),
        sent,
        "other names, other nesting"
    );
    assert_eq!(
        bare(data_type(
            &lines("split_hits", "Missed"),
            "IncomingRayPayloadKHR"
        )),
        sent
    );
    // 16-bit members make all words 16 bits wide: half, three integers, float, four halves, word,
    // double at offset 24.
    let narrow = bare(data_type(
        &lines("payload_16bit", "Missed"),
        "IncomingRayPayloadKHR",
    ));
    assert_eq!(narrow, "OpTypeInt 16 0 x OpConstant 16");
    assert_eq!(
        bare(data_type(
            &lines("payload_16bit", "Generate"),
            "RayPayloadKHR"
        )),
        narrow
    );
    assert_eq!(
        bare(data_type(
            &lines("payload_16bit", "Mix"),
            "IncomingCallableDataKHR"
        )),
        "OpTypeInt 16 0 x OpConstant 4"
    );
}

#[test]
fn barycentrics_are_a_vector() {
    let l = lines("first_hit", "Hit");
    assert_eq!(
        data_type(&l, "HitAttributeKHR"),
        "vector OpTypeFloat 32 x 2"
    );
    assert_eq!(
        count(&l, " Location "),
        0,
        "only what is handed over has a location"
    );
    let own = lines("intersection", "Hit");
    assert!(
        data_type(&own, "HitAttributeKHR").starts_with("OpTypeInt 32 0 x"),
        "attributes of an intersection shader are words"
    );
}

#[test]
fn data_is_copied_as_a_whole() {
    let l = lines("first_hit", "Generate");
    let at = |part: &str| {
        l.iter()
            .position(|l| l.contains(part))
            .unwrap_or_else(|| panic!("no {part}"))
    };
    assert_eq!(count(&l, "OpCopyMemory"), 2, "in and out");
    assert_eq!(at("OpTraceRayKHR"), at("OpCopyMemory") + 1);
    assert_eq!(count(&l, "%payload Location 0"), 1);
    // Two kinds of payload: the shader's own goes through a variable, the one that it was given may
    // go on as it is.
    let given = lines("recursion", "Missed");
    assert_eq!(count(&given, "OpCopyMemory"), 0);
    assert!(
        given
            .iter()
            .any(|l| l.starts_with("OpTraceRayKHR") && l.ends_with("%in_payload")),
        "{given:?}"
    );
    let several = lines("callable", "Generate");
    assert_eq!(
        count(&several, "Location 0") + count(&several, "Location 1"),
        2,
        "structs of two sizes"
    );
}

#[test]
fn hits_end_in_terminators() {
    let l = lines("any_hit_loop", "Any");
    assert!(count(&l, "OpIgnoreIntersectionKHR") >= 1 && count(&l, "OpTerminateRayKHR") >= 1);
    assert_eq!(count(&l, "OpKill"), 0);
    for (index, line) in l
        .iter()
        .enumerate()
        .filter(|(_, l)| *l == "OpIgnoreIntersectionKHR" || *l == "OpTerminateRayKHR")
    {
        let next = &l[index + 1];
        assert!(
            next.contains("OpLabel") || next == "OpFunctionEnd",
            "{line} ends its block: {next}"
        );
    }
}

#[test]
fn what_a_call_changes_is_read_again() {
    let l = lines("report_current_t", "Reports");
    assert_eq!(count(&l, "OpDecorate %in_RayTCurrent Volatile"), 1);
    assert_eq!(
        l.iter()
            .filter(|l| l.contains("OpLoad") && l.ends_with("%in_RayTCurrent"))
            .count(),
        3
    );
    assert_eq!(
        count(&lines("first_hit", "Hit"), "Volatile"),
        0,
        "a ray's end is known in a closest-hit shader"
    );
    assert_eq!(
        count(
            &lines("waves", "Generate"),
            "OpDecorate %in_WaveLaneIndex Volatile"
        ),
        1
    );
}

#[test]
fn attributes_that_change_are_a_copy() {
    let l = lines("attributes_changed", "Hit");
    let id = |name: &str| {
        l.iter()
            .find(|l| l.starts_with("OpName") && l.ends_with(name))
            .and_then(|l| l.split(' ').nth(1))
            .map(str::to_owned)
    };
    let attributes = id("\"attributes\"").expect("attributes");
    assert!(
        !l.iter()
            .any(|l| l.starts_with("OpStore") && l.split(' ').nth(1) == Some(&attributes)),
        "{l:?}"
    );
}

#[test]
fn resources_of_a_library_are_descriptors() {
    let l = lines("resource_arrays", "Generate");
    for (name, binding) in [("Grid", 1008), ("Lists", 1000), ("Out", 2000)] {
        assert_eq!(
            count(&l, &format!("OpDecorate %{name} Binding {binding}")),
            1,
            "{name}"
        );
    }
    let unused = lines("resources", "Missed");
    assert_eq!(
        count(&unused, "Binding"),
        1,
        "the materials only: {unused:?}"
    );
}

#[test]
fn matrices_are_taken_apart() {
    for library in ["payload_matrices", "payload_matrices.od"] {
        for entry in ["Generate", "Missed", "Hit"] {
            let l = lines(library, entry);
            let long = l.iter().find(|l| {
                l.contains("OpTypeVector")
                    && l.split(' ')
                        .next_back()
                        .and_then(|n| n.parse::<u32>().ok())
                        .is_some_and(|n| n > 4)
            });
            assert_eq!(long, None, "{library}, {entry}");
        }
    }
    let class = data_type(
        &lines("payload_matrices", "Missed"),
        "IncomingRayPayloadKHR",
    );
    assert!(
        class.starts_with("OpTypeInt 32 0") && class.ends_with(" 43"),
        "16, 6, 12 and 9 numbers: {class}"
    );
}

#[test]
fn constants_of_the_record() {
    let record = |bindings: &str, entry: &str| {
        let file =
            BindingFile::parse(bindings, DefaultBindings::default()).expect("a binding file");
        convert(
            &library("shader_record"),
            &options(entry).with_bindings(Arc::new(file)),
        )
    };
    let at = |offset: u32| {
        format!(
            r#"{{ "bindings": [{{ "class": "cbv", "space": 7, "register": 0, "place": {{ "shader_record": {{ "offset": {offset} }} }} }}] }}"#
        )
    };
    let output = record(&at(12), "Hit").expect("it converts");
    let text = disassemble(&output.words).expect("our own words");
    assert!(
        text.contains("Offset 12") && text.contains("ShaderRecordBufferKHR"),
        "{text}"
    );
    assert!(!text.contains("DescriptorSet 7"), "{text}");
    let error = record(&at(6), "Hit").expect_err("no multiple of four");
    assert!(
        error.to_string().contains("`Own`")
            && error.to_string().contains("not a multiple of 4 bytes"),
        "{error}"
    );
    let bytes = library("resources");
    let overlap = r#"{ "bindings": [
        { "class": "cbv", "register": 0, "place": { "shader_record": { "offset": 0 } } },
        { "class": "cbv", "space": 0, "register": 1, "range": 2, "place": { "shader_record": { "offset": 16 } } }] }"#;
    let file = BindingFile::parse(overlap, DefaultBindings::default()).expect("a binding file");
    let converted = convert(&bytes, &options("Missed").with_bindings(Arc::new(file)));
    assert!(converted.is_err_and(|e| e.to_string().contains("arrays of constant buffers")));
}

#[test]
fn reflection_lists_the_shaders() {
    let reflection = reflect(&library("first_hit"), &Options::default()).expect("readable");
    let entries: Vec<_> = reflection
        .entry_points
        .iter()
        .map(|e| (e.name.as_str(), e.stage, e.payload_size, e.attribute_size))
        .collect();
    let expected = [
        ("Generate", "ray-generation", None, None),
        ("Hit", "closest-hit", Some(16), Some(8)),
        ("Missed", "miss", Some(16), None),
    ];
    assert_eq!(entries, expected);
}

#[test]
fn vulkan_1_1_has_no_ray_tracing() {
    let options = options("Generate").with_target(Target::Vulkan1_1);
    match convert(&library("first_hit"), &options) {
        Err(Error::Unsupported { feature, .. }) => assert_eq!(
            feature,
            Feature::StageTarget {
                stage: ShaderKind::RayGeneration,
                spirv: (1, 4),
                minimum: Target::Vulkan1_2,
            }
        ),
        other => panic!("{other:?}"),
    }
}
