//! Options of translation layers on a device: the tests of some folders, with all options that must
//! not change results; accesses out of bounds; swizzled targets.

use std::fs;
use std::path::Path;

use gpu_test::case::{Case, Draw, TestFile};
use gpu_test::compare::differences;
use gpu_test::execute::{self, NotRun};
use gpu_test::spirv_module;
use trellis_spirv_backend::bindings::{HeapBinding, HeapLimit};
use trellis_spirv_backend::options::{
    Component, DescriptorChecks, LoopHint, ValueChecks, ViewInstancing,
};
use trellis_spirv_backend::{Options, convert};

use crate::common;

/// Runs the cases of some folders with options, and returns how many ran.
fn run_folders(folders: &[&str], options: &Options, is_wanted: fn(&Case) -> bool) -> usize {
    let Some(device) = common::device() else {
        return usize::MAX;
    };
    let mut run = 0;
    for test in common::tests(folders) {
        let (shader, file) = (common::path(&test, ".dxil"), common::cases(&test));
        // A shader that requires a separate process may crash the driver.
        if file.alone || common::path(&test, ".bindings.json").exists() {
            continue;
        }
        let name = shader.display();
        // lavapipe's barriers of a wave are none in control flow that only some waves run.
        let waits = shader.ends_with("groupshared/matrix_transpose.dxil");
        let options = options.clone().with_groupshared_barriers(waits);
        let converted = match convert(&fs::read(&shader).unwrap(), &options) {
            Err(error) if error.to_string().contains("reads only") => continue,
            converted => converted.unwrap(),
        };
        let module = spirv_module::read(&converted.words).unwrap();
        for case in file.cases.iter().filter(|case| is_wanted(case)) {
            match execute::run(&device, &module, case) {
                Ok(observed) => {
                    assert_eq!(differences(case, &observed), Vec::<String>::new(), "{name}");
                    let mut messages = observed.messages;
                    messages.retain(|text| !execute::is_of_an_old_layer(text));
                    assert_eq!(messages, Vec::<String>::new(), "{name}");
                    run += 1;
                }
                Err(NotRun::Skipped(what)) => println!("{name}: skipped: {what}"),
                Err(NotRun::Failed(what)) => panic!("{name}: {what}"),
            }
        }
    }
    println!("{run} cases");
    run
}

#[test]
fn results_are_the_same() {
    let options = Options::default()
        .with_vulkan_memory_model(true)
        .with_robust_local_arrays(true)
        .with_robust_groupshared(true)
        .with_robust_tables(true)
        .with_device_barriers(true)
        .with_non_uniform_indices(true)
        .with_undefined_loop_phis(true)
        .with_robust_quad_reads(true)
        .with_source_hints(false)
        .with_loop_hint(Some(LoopHint::Loop));
    let folders = [
        "atomics",
        "barriers",
        "buffers",
        "groupshared",
        "local_arrays",
        "waves",
    ];
    let run = run_folders(&folders, &options, |case| case.dispatch.is_some());
    assert!(run > 20, "{run} cases");
}

/// Textures and typed buffers of one 32-bit number are read with a format.
#[test]
fn what_is_read_may_have_a_format() {
    let options = Options::default().with_read_without_format(false);
    let folders = ["atomics", "buffers", "resources", "textures"];
    let run = run_folders(&folders, &options, |case| case.dispatch.is_some());
    assert!(run > 20, "{run} cases");
}

#[test]
fn pixel_shaders_draw_the_same() {
    let options = Options::default()
        .with_quad_control(true)
        .with_force_precise(true)
        .with_entry_point_name(Some("other".to_owned()))
        .with_sample_count(Some(1))
        .with_multiview(false)
        .with_robust_tables(true);
    let is_pixel = |case: &Case| {
        let alone = |draw: &Draw| draw.stages.is_empty() && !draw.targets.is_empty();
        case.draw.as_ref().is_some_and(alone)
    };
    let folders = ["pixel_io", "waves", "control_flow"];
    let run = run_folders(&folders, &options, is_pixel);
    assert!(run > 15, "{run} cases");
}

/// View and layer are in a uniform block: the view is 2.
#[test]
fn a_draw_is_of_one_view() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/view.dxil");
    let mut views = ViewInstancing::default();
    views.offsets = Some(HeapBinding { set: 0, binding: 5 });
    let options = Options::default().with_view_instancing(Some(views));
    let case = |view: u32| {
        format!(
            r#""draw": {{ "vertices": 3, "size": [1, 1],
                "bindings": [ {{ "class": "cbv", "register": 5, "kind": "constants", "bytes": 16,
                                 "data": {{ "u32": [{view}, 0, 0, 0] }} }} ],
                "targets": [
                {{ "format": "R32G32B32A32_UINT", "expect": {{ "u32": [2, 20, 7, 9] }} }} ] }}"#
        )
    };
    // The layer is in the upper half.
    check(&shader, &options, &case(2));
    check(&shader, &options, &case(2 | 5 << 16));
}

/// Runs a shader on the case of a file's text, and compares.
fn check(shader: &Path, options: &Options, case: &str) {
    let Some(device) = common::device() else {
        return;
    };
    let converted = convert(&fs::read(shader).unwrap(), options).unwrap();
    let module = spirv_module::read(&converted.words).unwrap();
    let text = format!(r#"{{ "cases": [ {{ "name": "one", {case} }} ] }}"#);
    let file = TestFile::from_json(&text).unwrap();
    match execute::run(&device, &module, &file.cases[0]) {
        Ok(observed) => {
            assert_eq!(differences(&file.cases[0], &observed), Vec::<String>::new());
            assert_eq!(observed.messages, Vec::<String>::new());
        }
        Err(NotRun::Skipped(what)) => println!("skipped: {what}"),
        Err(NotRun::Failed(what)) => panic!("{what}"),
    }
}

#[test]
fn what_is_out_of_bounds_is_the_last_element() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/out_of_bounds.dxil");
    let options = Options::default()
        .with_robust_local_arrays(true)
        .with_robust_groupshared(true)
        .with_robust_tables(true)
        .with_finite_rsqrt(true);
    // Multiples of 4, so that the shader takes the rsqrt of 0.
    let indices = [
        0,
        4,
        8,
        12,
        16,
        20,
        100,
        1000,
        1 << 20,
        1 << 30,
        u32::MAX - 3,
        4,
        0,
        64,
        32,
        28,
    ];
    let inputs: Vec<u32> = indices.iter().copied().chain([200; 16]).collect();
    let of = |at: u32| {
        let most = f32::MAX.to_bits();
        [200 + at.min(7), 300 + at.min(15), 100 + at.min(4), most]
    };
    let expected: Vec<u32> = indices.iter().copied().flat_map(of).collect();
    let case = format!(
        r#""dispatch": {{ "groups": [1, 1, 1], "bindings": [
            {{ "class": "srv", "register": 0, "kind": "structured", "stride": 4, "bytes": 128,
               "data": {{ "u32": {inputs:?} }} }},
            {{ "class": "uav", "register": 0, "kind": "structured", "stride": 4, "bytes": 256,
               "expect": {{ "u32": {expected:?} }} }} ] }}"#
    );
    check(&shader, &options, &case);
}

/// Where the bytes before a struct are more than 32 bits, reads are 0, and nothing is written.
#[test]
fn structs_beyond_4_gib_are_not_there() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beyond_4_gib.dxil");
    let options = Options::default().with_robust_structured_buffers(true);
    // Without the option index 2^30 is struct 0 where a struct has 4 or 16 bytes, and so on.
    let indices = [
        0,
        1,
        1 << 30,
        u32::MAX / 12 + 1,
        (1 << 28) + 1,
        u32::MAX / 24 + 1,
        u32::MAX,
        (1 << 31) + 2,
    ];
    let words: Vec<u32> = (100..196).collect();
    let mut expected = vec![0; 32];
    expected[..8].copy_from_slice(&[100, 101, 102, 105, 101, 104, 106, 111]);
    let mut written: Vec<u32> = words[..24].to_vec();
    written[..6].copy_from_slice(&[101, 101, 9, 104, 104, 9]);
    let input = |register: u32, stride: u32, words: &[u32]| {
        format!(
            r#"{{ "class": "srv", "register": {register}, "kind": "structured", "stride": {stride},
                 "bytes": {}, "data": {{ "u32": {words:?} }} }}"#,
            words.len() * 4
        )
    };
    let inputs = [
        input(0, 4, &indices),
        input(1, 4, &words[..16]),
        input(2, 12, &words[..24]),
        input(3, 16, &words[..32]),
        input(4, 24, &words[..48]),
    ];
    let case = format!(
        r#""dispatch": {{ "groups": [1, 1, 1], "bindings": [ {},
            {{ "class": "uav", "register": 0, "kind": "structured", "stride": 16, "bytes": 128,
               "expect": {{ "u32": {expected:?} }} }},
            {{ "class": "uav", "register": 1, "kind": "structured", "stride": 12, "bytes": 96,
               "data": {{ "u32": {:?} }}, "expect": {{ "u32": {written:?} }} }} ] }}"#,
        inputs.join(","),
        &words[..24],
    );
    check(&shader, &options, &case);
}

/// Four lanes read the heap's buffers with these indices: 1 to 3 are there, and one beyond reads the
/// last, which is where a layer has its null descriptor.
#[test]
fn indices_beyond_a_heap_are_its_size() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/heap_limit.dxil");
    let buffer = |index: u32| {
        format!(
            r#"{{ "class": "srv", "space": 0, "register": 0, "heap": {index}, "kind": "structured",
                 "stride": 4, "bytes": 16, "data": {{ "u32": [{0}, {0}, {0}, {0}] }} }}"#,
            100 + index
        )
    };
    let case = format!(
        r#""dispatch": {{ "groups": [1, 1, 1], "bindings": [
            {{ "class": "cbv", "register": 0, "kind": "constants", "bytes": 16,
               "data": {{ "u32": [1, 2, 1000, 4294967295] }} }},
            {}, {}, {},
            {{ "class": "uav", "register": 0, "kind": "structured", "stride": 4, "bytes": 16,
               "expect": {{ "u32": [101, 102, 103, 103] }} }} ] }}"#,
        buffer(1),
        buffer(2),
        buffer(3)
    );
    let options = Options::default().with_heap_limit(Some(HeapLimit::Size(3)));
    check(&shader, &options, &case);
}

/// Four lanes read the heap's buffers; one index is wrong, and reads the buffer after the heap's four.
#[test]
fn wrong_descriptors_are_reported() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/heap_limit.dxil");
    let at = |binding: u32| HeapBinding { set: 0, binding };
    let checks = DescriptorChecks {
        report: at(2005),
        heap: at(1005),
        shader: 7 << 32 | 6,
    };
    let options = Options::default().with_descriptor_checks(Some(checks));
    // Storage buffers, made at the times 0 to 3, of which word 10 of the report is the last.
    let mut heap = vec![4, 77];
    heap.extend((0..4).flat_map(|number| [number, number, 8]));
    let mut report = vec![0; 12];
    report[10..].copy_from_slice(&[3, 0b1111]);
    let words = |words: &[u32]| format!(r#"{{ "u32": {words:?} }}"#);
    let run = |index: u32, heap: &[u32], report: &[u32], found: u32, after: &[u32]| {
        let buffer = |class: &str, register: u32, rest: &str, count: usize| {
            format!(
                r#"{{ "class": "{class}", "register": {register}, "kind": "structured", "stride": 4,
                      "bytes": {}, {rest} }}"#,
                count * 4
            )
        };
        let of_heap = (0..5).map(|at| {
            let data = words(&[100 + at; 4]);
            buffer("srv", 0, &format!(r#""heap": {at}, "data": {data}"#), 4)
        });
        let mut bindings: Vec<String> = of_heap.collect();
        let indices = words(&[1, 0, 3, index]);
        bindings.push(format!(
            r#"{{ "class": "cbv", "register": 0, "kind": "constants", "bytes": 16, "data": {indices} }}"#
        ));
        let expect = words(&[101, 100, 103, found]);
        bindings.push(buffer("uav", 0, &format!(r#""expect": {expect}"#), 4));
        let data = words(heap);
        bindings.push(buffer("srv", 5, &format!(r#""data": {data}"#), heap.len()));
        let (data, expect) = (words(report), words(after));
        let rest = format!(r#""data": {data}, "expect": {expect}"#);
        bindings.push(buffer("uav", 5, &rest, report.len()));
        let bindings = bindings.join(",");
        let case = format!(r#""dispatch": {{ "groups": [1, 1, 1], "bindings": [ {bindings} ] }}"#);
        check(&shader, &options, &case);
    };
    let fault = |report: &[u32], [index, resource, kinds, fault]: [u32; 4]| {
        let mut after = vec![6, 7, index, 77, resource, 1, 1, 8, kinds, fault];
        after.extend(&report[10..]);
        after
    };
    run(2, &heap, &report, 102, &report);
    // Beyond the heap nothing is known.
    run(1000, &heap, &report, 104, &fault(&report, [1000, 0, 0, 3]));
    let mut image = heap.clone();
    image[2 + 2 * 3 + 2] = 1;
    run(2, &image, &report, 104, &fault(&report, [2, 2, 1, 2]));
    let mut destroyed = report.clone();
    destroyed[11] = 0b1011;
    run(2, &heap, &destroyed, 104, &fault(&destroyed, [2, 2, 8, 4]));
    let mut late = heap;
    late[2 + 2 * 3 + 1] = 4;
    run(2, &late, &report, 104, &fault(&report, [2, 2, 8, 8]));
}

/// Of four lanes one computes an infinity, adds to it, and stores it.
#[test]
fn infinities_are_reported() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/infinite.dxil");
    let at = |binding: u32| HeapBinding { set: 0, binding };
    let infinite = f32::INFINITY.to_bits();
    // The number that is loaded is the first result, the quotient the second, the sum the third.
    for (stores_only, first) in [(false, 2), (true, 1)] {
        let checks = ValueChecks {
            control: at(2005),
            values: at(2006),
            shader: 7 << 32 | 6,
            stores_only,
        };
        // The entry is one of 32.
        let entry = ((first * 97) ^ 7 ^ 6) % 32;
        let mut control = [0, 0];
        control[entry / 16] = 0x1_0001_u32 << (entry % 16);
        let mut values = vec![0; 4 * 32];
        values[4 * entry..][..4].copy_from_slice(&[6, 7, first as u32, infinite]);
        let case = format!(
            r#""dispatch": {{ "groups": [1, 1, 1], "bindings": [
                {{ "class": "srv", "register": 0, "kind": "structured", "stride": 4, "bytes": 16,
                   "data": {{ "f32": [1, 0.5, 0, -1] }} }},
                {{ "class": "uav", "register": 0, "kind": "structured", "stride": 4, "bytes": 16,
                   "expect": {{ "u32": [{}, {}, {infinite}, 0] }} }},
                {{ "class": "uav", "register": 5, "kind": "structured", "stride": 4, "bytes": 8,
                   "expect": {{ "u32": {control:?} }} }},
                {{ "class": "uav", "register": 6, "kind": "structured", "stride": 16, "bytes": 512,
                   "expect": {{ "u32": {values:?} }} }} ] }}"#,
            2_f32.to_bits(),
            3_f32.to_bits(),
        );
        check(
            &shader,
            &Options::default().with_value_checks(Some(checks)),
            &case,
        );
    }
}

/// The undefined summand before the first positive number is 0 by a quirk.
#[test]
fn undefined_variables_of_loops_are_zero() {
    let path = "../../spirv-backend/tests/data/undefined_loop_variable.dxil";
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut numbers = vec![0.0f32; 80];
    numbers[..5].copy_from_slice(&[0.0, 0.0, 0.0, 2.0, 5.0]);
    numbers[79] = 4.0;
    // Lane i adds nothing in the first three iterations, and the number at i + 3 in the last.
    let expected: Vec<f32> = (0..64).map(|lane| numbers[lane + 3]).collect();
    let case = format!(
        r#""dispatch": {{ "groups": [1, 1, 1], "bindings": [
            {{ "class": "srv", "register": 0, "kind": "structured", "stride": 4, "bytes": 320,
               "data": {{ "f32": {numbers:?} }} }},
            {{ "class": "uav", "register": 0, "kind": "structured", "stride": 4, "bytes": 256,
               "expect": {{ "f32": {expected:?} }} }} ] }}"#
    );
    check(
        &shader,
        &Options::default().with_undefined_loop_phis(true),
        &case,
    );
}

#[test]
fn targets_are_swizzled() {
    use Component::{A, B, G, R};
    let shader = common::corpus().join("pixel_io/no_inputs.dxil");
    for (swizzle, expected) in [
        ([R, G, B, A], "[1.0, 0.5, 0.25, 1.0]"),
        ([A, R, G, B], "[1.0, 1.0, 0.5, 0.25]"),
        ([B; 4], "[0.25, 0.25, 0.25, 0.25]"),
    ] {
        let options = Options::default().with_output_swizzles(vec![swizzle]);
        let case = format!(
            r#""draw": {{ "vertices": 3, "size": [1, 1], "targets": [
                {{ "format": "R32G32B32A32_FLOAT", "expect": {{ "f32": {expected} }} }} ] }}"#
        );
        check(&shader, &options, &case);
    }
}
