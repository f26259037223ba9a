//! Every compute shader of the corpus runs to its end or reports the feature that the model does
//! not support.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use shader_testkit::{corpus, files};
use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::dxop::{DxCall, Effects, Op};
use trellis_dxil_frontend::module::InstKind;
use trellis_dxil_frontend::shader::{EntryPoint, ShaderKind};
use trellis_dxil_interpreter::dispatch::{
    Binding, Dispatch, Draw, Mismatch, Number, Place, Scene, Tolerance,
};
use trellis_dxil_interpreter::{Error, Inputs, Options, generate, run, run_draw, run_module};

/// Bounds of the numbers for shaders that index a range of resources by them, or loop until certain
/// ones come.
const SMALL: [(&str, u32); 4] = [
    ("cbuffers/array_of_buffers.", 6),
    ("control_flow/infinite_loop_nested.", 2),
    ("control_flow/state_machine.", 1),
    ("control_flow/tree_traversal.", 2),
];

/// Contents of the heap for shaders that take resources from it: indices and a binding. The
/// constants that they take indices from begin with 7, 12, 17.
const TEXTURE: &str = r#"{"class": "srv", "kind": "texture2d", "format": "R32G32B32A32_FLOAT", "size": [4, 4, 1], "data": {"iota": {"type": "f32"}}}"#;
const SCENE: &str = r#"{"meshes": [[{"triangles": [[[0, 0, 1], [0, 1, 1], [1, 0, 1]]]}]], "instances": [{"mesh": 0}]}"#;
const SAMPLER: &str = r#"{"class": "sampler", "kind": "sampler", "filter": "linear"}"#;
const HEAPS: [(&str, RangeInclusive<u32>, &str); 22] = [
    (
        "atomics/float_compare_typed.",
        4..=4,
        r#"{"class": "uav", "kind": "texture2d", "format": "R32_FLOAT", "size": [16, 16, 1]}"#,
    ),
    (
        "atomics/heap_typed_64.",
        1..=1,
        r#"{"class": "uav", "kind": "typed", "format": "R32G32_UINT", "bytes": 2048}"#,
    ),
    (
        "atomics/heap_typed_64.",
        3..=3,
        r#"{"class": "uav", "kind": "texture2d", "format": "R32_UINT", "size": [16, 16, 1]}"#,
    ),
    (
        "atomics/heap_typed_64.",
        7..=7,
        r#"{"class": "uav", "kind": "texture2d", "format": "R32G32_UINT", "size": [16, 16, 1]}"#,
    ),
    ("resources/handle_choice_from_heap.", 0..=200, TEXTURE),
    ("resources/handle_phi_heap.", 0..=200, TEXTURE),
    ("resources/descriptor_heap.", 7..=7, TEXTURE),
    (
        "resources/descriptor_heap.",
        8..=8,
        r#"{"class": "srv", "kind": "texture2d", "format": "R32_FLOAT", "size": [4, 4, 1]}"#,
    ),
    (
        "resources/descriptor_heap.",
        12..=12,
        r#"{"class": "uav", "kind": "texture2d", "format": "R32G32B32A32_FLOAT", "size": [64, 1, 1]}"#,
    ),
    (
        "resources/descriptor_heap.",
        17..=17,
        r#"{"class": "uav", "kind": "raw", "bytes": 256}"#,
    ),
    (
        "resources/descriptor_heap.",
        22..=22,
        r#"{"class": "srv", "kind": "typed", "format": "R32G32B32A32_FLOAT", "bytes": 1024}"#,
    ),
    (
        "resources/descriptor_heap.",
        27..=27,
        r#"{"class": "uav", "kind": "structured", "stride": 20, "bytes": 1280}"#,
    ),
    (
        "resources/descriptor_heap.",
        32..=32,
        r#"{"class": "cbv", "kind": "constants", "bytes": 32}"#,
    ),
    ("resources/descriptor_heap.", 37..=42, SAMPLER),
    (
        "resources/handle_phi_heap_buffers.",
        7..=7,
        r#"{"class": "uav", "kind": "structured", "stride": 20, "bytes": 1280}"#,
    ),
    (
        "resources/handle_phi_heap_buffers.",
        8..=8,
        r#"{"class": "srv", "kind": "texture2d", "format": "R32_FLOAT", "size": [4, 4, 1]}"#,
    ),
    ("resources/handle_phi_heap_buffers.", 0..=3, SAMPLER),
    (
        "resources/heap_atomics_and_counters.",
        7..=7,
        r#"{"class": "uav", "kind": "structured", "stride": 8, "bytes": 64}"#,
    ),
    (
        "resources/heap_atomics_and_counters.",
        12..=12,
        r#"{"class": "uav", "kind": "texture2d", "format": "R32_UINT", "size": [64, 1, 1]}"#,
    ),
    (
        "resources/heap_atomics_and_counters.",
        17..=17,
        r#"{"class": "uav", "kind": "raw", "bytes": 256}"#,
    ),
    (
        "root_signature/heap_indexed.",
        7..=7,
        r#"{"class": "srv", "kind": "structured", "stride": 4, "bytes": 512}"#,
    ),
    (
        "root_signature/heap_indexed.",
        12..=12,
        r#"{"class": "uav", "kind": "structured", "stride": 4, "bytes": 512}"#,
    ),
];

/// Returns the inputs that a shader of the corpus is run with.
fn inputs(name: &str, input: &Input<'_>, entry: &EntryPoint) -> Inputs {
    let below = SMALL
        .iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .map_or(64, |small| small.1);
    let mut dispatch = generate::dispatch(&input.module, &input.shader, [2, 1, 1], below);
    for (_, indices, binding) in HEAPS.iter().filter(|(prefix, ..)| name.starts_with(prefix)) {
        let binding: Binding = serde_json::from_str(binding).expect("a binding");
        dispatch
            .bindings
            .extend(indices.clone().map(|index| Binding {
                place: Place {
                    heap: Some(index),
                    ..binding.place
                },
                ..binding.clone()
            }));
    }
    if name == "ray_query/shadows_and_occlusion.heap.dxil" {
        dispatch.scenes.push(Scene {
            heap: Some(7),
            ..serde_json::from_str(SCENE).expect("a scene")
        });
    }
    let mut inputs = Inputs::try_from(&dispatch).expect("generated inputs are valid");
    inputs.entry = entry.name.to_string();
    inputs
}

/// Name, module and entry point of each compute shader.
fn each_compute_shader(mut visit: impl FnMut(&str, &Input<'_>, &EntryPoint)) {
    for file in files(&corpus(), "dxil") {
        let bytes = std::fs::read(&file).expect("a shader");
        let input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
        let folder = file
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default()
            .to_string_lossy();
        let name = format!(
            "{folder}/{}",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
        for entry in input
            .shader
            .entry_points
            .iter()
            .filter(|entry| entry.kind == ShaderKind::Compute)
        {
            visit(&name, &input, entry);
        }
    }
}

/// Returns whether a shader's results may depend on the grouping of lanes or on their order.
fn depends_on_waves(input: &Input<'_>) -> bool {
    let together = Effects::WAVE
        .union(Effects::QUAD)
        .union(Effects::DERIVATIVE);
    input.module.functions.values().any(|function| {
        { function.insts.keys() }.any(|inst| {
            let call = DxCall::parse(&input.module, function, inst).expect("the corpus is valid");
            let atomic = matches!(
                function.insts[inst].kind,
                InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. }
            );
            atomic
                || call.is_some_and(|call| {
                    call.info().effects.any(together)
                        || matches!(
                            call.op,
                            Op::AtomicBinOp | Op::AtomicCompareExchange | Op::BufferUpdateCounter
                        )
                })
        })
    })
}

#[test]
fn without_wave_operations_and_atomics_the_width_of_waves_does_not_matter() {
    let (mut compared, mut different) = (0, Vec::new());
    each_compute_shader(|name, input, entry| {
        let inputs = inputs(name, input, entry);
        let run = |wave| {
            run_module(
                &input.module,
                &input.shader,
                &inputs,
                &Options {
                    wave: Some(wave),
                    steps: 1 << 24,
                    ..Options::default()
                },
            )
            .map(|outputs| outputs.resources)
        };
        if depends_on_waves(input) {
            return;
        }
        let Ok(expected) = run(32) else { return };
        compared += 1;
        different.extend(
            [4, 16, 128]
                .into_iter()
                .filter(|&wave| run(wave).as_ref() != Ok(&expected))
                .map(|wave| format!("{name} with {wave}")),
        );
    });
    assert!(different.is_empty(), "{different:?}");
    assert!(compared >= 150, "only {compared} compared");
}

/// Difference of floats of a draw without a tolerance: the device rounds in other ways, and flushes
/// denormals.
const ROUNDING: Tolerance = Tolerance {
    number: Number::F32,
    relative: 1e-5,
    absolute: 1e-6,
};

/// Returns the DXBC that FXC makes of a shader, if it does.
fn dxbc(dxil: &Path) -> Option<PathBuf> {
    let name = dxil.strip_prefix(corpus()).ok()?.with_extension("dxbc");
    let path = corpus().join("../dxbc").join(name);
    path.exists().then_some(path)
}

/// Runs a draw with a shader, DXIL or its DXBC, and the others that it names; returns the differences.
fn draws(
    file: &Path,
    is_dxbc: bool,
    shader: &[u8],
    draw: &Draw,
) -> Result<Vec<(String, Mismatch)>, Error> {
    let others = draw.stages.iter().map(|name| {
        let dxil = file.with_file_name(name);
        let path = dxbc(&dxil).filter(|_| is_dxbc).unwrap_or(dxil);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    });
    let others: Vec<Vec<u8>> = others.collect();
    let mut shaders = vec![shader];
    shaders.extend(others.iter().map(Vec::as_slice));
    let options = Options {
        wave: draw.wave,
        ..Options::default()
    };
    let outputs = run_draw(&shaders, draw, &options)?;
    let mut draw = draw.clone();
    for target in draw.targets.iter_mut().chain(&mut draw.depth) {
        let is_float = target.format.bits()[0] == 32 && !target.format.is_integer();
        target.tolerance = target.tolerance.or(is_float.then_some(ROUNDING));
    }
    for (output, (_, is_float)) in draw.outputs.iter_mut().zip(&outputs.outputs) {
        output.tolerance = output.tolerance.or(is_float.then_some(ROUNDING));
    }
    Ok(outputs.mismatches(&draw)?)
}

/// The test files next to the corpus's shaders hold the results of a device (see `gpu-test`): the
/// model agrees, unless a case gives a reason why it is not compared.
#[test]
fn recorded_results_are_those_of_the_model() {
    let (mut agreed, mut wrong) = (0, Vec::new());
    let forms = files(&corpus(), "dxil").into_iter().flat_map(|file| {
        let dxbc = dxbc(&file);
        let dxbc = dxbc.map(|dxbc| (file.clone(), dxbc));
        [(file.clone(), file)].into_iter().chain(dxbc)
    });
    for (file, path) in forms {
        let Ok(text) = std::fs::read_to_string(file.with_extension("run.json")) else {
            continue;
        };
        let bytes = std::fs::read(&path).expect("a shader");
        let test: serde_json::Value = serde_json::from_str(&text).expect("a test file");
        for case in test["cases"]
            .as_array()
            .expect("cases")
            .iter()
            .filter(|case| case["without"]["interpreter"].is_null())
        {
            let name = format!("{}, {}", path.display(), case["name"]);
            if let Some(draw) = case.get("draw") {
                let draw = Draw::from_json(&draw.to_string()).expect("a draw");
                match draws(&file, path != file, &bytes, &draw) {
                    Ok(mismatches) => {
                        agreed += usize::from(mismatches.is_empty());
                        let text = |(what, mismatch)| format!("{name}, {what}: {mismatch:?}");
                        wrong.extend(mismatches.into_iter().map(text));
                    }
                    Err(error) => wrong.push(format!("{name}: {error}")),
                }
                continue;
            }
            let Some(dispatch) = case.get("dispatch") else {
                continue;
            };
            let dispatch = Dispatch::from_json(&dispatch.to_string())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let options = Options {
                wave: dispatch.wave,
                ..Options::default()
            };
            match run(
                &bytes,
                &Inputs::try_from(&dispatch).expect("inputs"),
                &options,
            ) {
                Ok(outputs) => {
                    let mismatches = outputs
                        .mismatches(&dispatch.bindings)
                        .expect("expectations");
                    agreed += usize::from(mismatches.is_empty());
                    wrong.extend(
                        mismatches
                            .iter()
                            .map(|(place, mismatch)| format!("{name}, {place}: {mismatch:?}")),
                    );
                }
                Err(error) => wrong.push(format!("{name}: {error}")),
            }
        }
    }
    println!("{agreed} cases agree");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(agreed >= 900, "only {agreed} cases");
}

/// Shaders that take resources from a heap, or index a range of them by their inputs.
const UNBOUND: [&str; 8] = [
    "materials/geometry_buffer.bindless.dxil",
    "mesh/level_selection.as_sm66.dxil",
    "resources/array_of_arrays.dxil",
    "resources/descriptor_heap_nonuniform.dxil",
    "resources/sm66_binding.dxil",
    "sampler_feedback/kinds.dxil",
    "tessellation/displacement.ds_sm66.dxil",
    "vertices/vertex_pulling.sm66.dxil",
];

/// Each shader of the graphics pipeline runs alone, with the draw that is generated for it.
#[test]
fn shaders_of_the_graphics_pipeline_run() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for file in files(&corpus(), "dxil") {
        let bytes = std::fs::read(&file).expect("a shader");
        let input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
        let is_drawn = !matches!(input.shader.kind, ShaderKind::Compute | ShaderKind::Library);
        for entry in input.shader.entry_points.iter().filter(|_| is_drawn) {
            let draw = generate::draw(&input.module, &input.shader, entry);
            let text = draw.to_json();
            assert_eq!(Draw::from_json(&text).as_ref(), Ok(&draw), "{text}");
            let options = Options {
                steps: 1 << 24,
                ..Options::default()
            };
            match run_draw(&[&bytes], &draw, &options) {
                Ok(_) => ran += 1,
                Err(Error::Unbound { .. } | Error::NotInHeap { .. } | Error::Mismatch { .. })
                    if UNBOUND.iter().any(|name| file.ends_with(name)) => {}
                Err(error) => wrong.push(format!("{}: {error}", file.display())),
            }
        }
    }
    assert!(ran >= 480, "only {ran} ran");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn compute_shaders_run() {
    let (mut ran, mut steps, mut unsupported, mut wrong) = (0, 0, Vec::new(), Vec::new());
    each_compute_shader(|name, input, entry| {
        let inputs = inputs(name, input, entry);
        match run_module(
            &input.module,
            &input.shader,
            &inputs,
            &Options {
                steps: 1 << 24,
                ..Options::default()
            },
        ) {
            Ok(outputs) => {
                ran += 1;
                steps += outputs.steps;
            }
            Err(Error::Unsupported { feature }) => {
                unsupported.push(format!("{name}: {feature}"));
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    });
    println!(
        "{ran} ran with {steps} lane-instructions; not supported are {}:\n{}",
        unsupported.len(),
        unsupported.join("\n")
    );
    assert!(
        wrong.is_empty(),
        "{} failed:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(unsupported.is_empty(), "not supported: {unsupported:?}");
    assert!(ran >= 500, "only {ran} ran");
}
