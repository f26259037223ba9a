//! Rules of D3D and of convergence, one shader each: `shaders/NAME.hlsl` states the rule,
//! `NAME.json` has inputs and the outputs that follow from it by hand.

use std::path::{Path, PathBuf};

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::Constant;
use trellis_dxil_interpreter::dispatch::{Binding, Dispatch, Draw};
use trellis_dxil_interpreter::{
    Error, Feature, Inputs, Options, Outputs, run, run_draw, run_module,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shaders")
}

fn dispatch(name: &str) -> Dispatch {
    let text =
        std::fs::read_to_string(folder().join(name).with_extension("json")).expect("a dispatch");
    Dispatch::from_json(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn shader(name: &str) -> Vec<u8> {
    let name = name.strip_suffix(".dxil").unwrap_or(name);
    std::fs::read(folder().join(format!("{name}.dxil"))).expect("a shader")
}

fn outputs(name: &str, dispatch: &Dispatch, options: Options) -> Result<Outputs, Error> {
    run(&shader(name), &Inputs::try_from(dispatch)?, &options)
}

/// Returns the results of a shader that are not as expected.
fn differences(name: &str, options: Options) -> Vec<String> {
    let dispatch = dispatch(name);
    assert!(
        dispatch
            .bindings
            .iter()
            .any(|binding| binding.expect.is_some()),
        "{name} expects nothing"
    );
    let outputs = match outputs(name, &dispatch, options) {
        Ok(outputs) => outputs,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mismatches = outputs
        .mismatches(&dispatch.bindings)
        .expect("expectations are well-formed");
    mismatches
        .iter()
        .map(|(place, mismatch)| format!("{name}, {place}: {mismatch:?}"))
        .collect()
}

#[test]
fn rules_hold() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the shaders")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for file in files.iter().filter(|file| {
        let name = file.to_string_lossy();
        name.ends_with(".json") && !name.ends_with(".draw.json")
    }) {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let wave = dispatch(&name).wave;
        count += 1;
        wrong.extend(differences(
            &name,
            Options {
                wave,
                ..Options::default()
            },
        ));
    }
    assert!(count >= 26, "only {count} rules");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn undefined_values_are_varied() {
    let dispatch = dispatch("undefined_values");
    let mut runs = (1..=8).map(|seed| {
        let options = Options {
            noise: Some(seed),
            ..Options::default()
        };
        let outputs = outputs("undefined_values", &dispatch, options).unwrap();
        outputs.uav(0, 0).unwrap().bytes.clone()
    });
    let first = runs.next().unwrap();
    let runs: Vec<_> = runs.collect();
    let is_varied = |word: usize| {
        let bytes = word * 4..word * 4 + 4;
        runs.iter()
            .any(|run| run[bytes.clone()] != first[bytes.clone()])
    };
    let varied: Vec<_> = (0..5).map(is_varied).collect();
    assert_eq!(varied, [false, true, true, true, true]);
}

fn draw(name: &str) -> Draw {
    let path = folder().join(format!("{name}.draw.json"));
    Draw::from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the results of a draw that are not as expected.
fn draw_differences(name: &str, options: Options) -> Vec<String> {
    let draw = draw(name);
    // A further draw of a shader has a further part in its name.
    let is_shader = folder().join(format!("{name}.dxil")).exists();
    let first = name.rsplit_once('.').filter(|_| !is_shader);
    let mut shaders = vec![shader(first.map_or(name, |(first, _)| first))];
    shaders.extend(draw.stages.iter().map(|name| shader(name)));
    let shaders: Vec<&[u8]> = shaders.iter().map(Vec::as_slice).collect();
    match run_draw(&shaders, &draw, &options) {
        Ok(outputs) => {
            let mismatches = outputs.mismatches(&draw).unwrap().into_iter();
            mismatches
                .map(|mismatch| format!("{name}: {mismatch:?}"))
                .collect()
        }
        Err(error) => vec![format!("{name}: {error}")],
    }
}

#[test]
fn rules_of_draws_hold() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = name.strip_suffix(".draw.json") else {
            continue;
        };
        count += 1;
        wrong.extend(draw_differences(name, Options::default()));
    }
    assert!(count >= 7, "only {count} rules");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A shader without wave operations has the same results with every wave width.
#[test]
fn the_width_of_waves_does_not_matter_without_wave_operations() {
    for wave in [4, 8, 16, 32, 64, 128] {
        for name in ["barrier_sum", "atomics", "local_arrays", "thread_ids"] {
            assert_eq!(
                differences(
                    name,
                    Options {
                        wave: Some(wave),
                        ..Options::default()
                    }
                ),
                Vec::<String>::new(),
                "width {wave}"
            );
        }
    }
}

fn words(values: &[u32]) -> Dispatch {
    let numbers: Vec<String> = values.iter().map(u32::to_string).collect();
    let text = r#"{"groups": [1, 1, 1], "bindings": [{"class": "uav", "register": 0, "kind": "structured", "stride": 4, "bytes": 64, "data": {"u32": [VALUES]}}]}"#;
    Dispatch::from_json(&text.replace("VALUES", &numbers.join(","))).expect("a dispatch")
}

#[test]
fn a_barrier_that_some_lanes_do_not_reach_is_an_error() {
    let all = outputs("divergent_barrier", &words(&[1; 8]), Options::default())
        .expect("all lanes reach the barrier");
    assert_eq!(all.resources[0].bytes[0], 7);
    let none = outputs("divergent_barrier", &words(&[0; 8]), Options::default())
        .expect("no lane reaches the barrier");
    assert_eq!(none.resources[0].bytes, vec![0; 64]);
    let some = outputs(
        "divergent_barrier",
        &words(&[0, 0, 1, 1]),
        Options::default(),
    );
    assert_eq!(
        some,
        Err(Error::Barrier {
            group: [0; 3],
            waiting: 2,
            other: 0
        })
    );
    // Also where whole waves do not reach it.
    let waves = outputs(
        "divergent_barrier",
        &words(&[1, 1, 1, 1, 0, 0, 0, 0]),
        Options {
            wave: Some(4),
            ..Options::default()
        },
    );
    assert_eq!(
        waves,
        Err(Error::Barrier {
            group: [0; 3],
            waiting: 0,
            other: 4
        })
    );
}

#[test]
fn an_endless_loop_reaches_the_step_limit() {
    let limit = 10_000;
    let result = outputs(
        "endless",
        &words(&[1, 1, 1, 0, 1, 1, 1, 1]),
        Options {
            steps: limit,
            ..Options::default()
        },
    );
    assert_eq!(result, Err(Error::Steps { limit }));
    let ended = outputs(
        "endless",
        &words(&[1; 8]),
        Options {
            steps: limit,
            ..Options::default()
        },
    )
    .expect("it ends");
    assert!(ended.steps < 200, "{}", ended.steps);
}

#[test]
fn what_the_model_lacks_is_named() {
    let dispatch = dispatch("thread_ids");
    let (bytes, inputs) = (shader("thread_ids"), Inputs::try_from(&dispatch).unwrap());
    let mut input = trellis_dxil_frontend::read(&bytes).unwrap();
    // `SV_GroupIndex` becomes `SV_ViewID`, which compute shaders do not have.
    for constant in input.module.constants.values_mut() {
        if constant.value == Constant::Int(96) {
            constant.value = Constant::Int(138);
        }
    }
    assert_eq!(
        run_module(&input.module, &input.shader, &inputs, &Options::default()),
        Err(Error::Unsupported {
            feature: Feature::Operation(Op::ViewID)
        })
    );
}

/// A ray costs a step for each instance, geometry and primitive that it is compared with.
#[test]
fn rays_count_as_steps() {
    let mut dispatch = dispatch("ray_values");
    let few = outputs("ray_values", &dispatch, Options::default())
        .expect("it ends")
        .steps;
    let scene = &mut dispatch.scenes[0];
    let hit = scene.instances.pop().expect("an instance");
    scene.instances.resize(1001, scene.instances[0].clone());
    scene.instances.push(hit);
    let options = Options {
        steps: few + 1000,
        ..Options::default()
    };
    let steps = outputs("ray_values", &dispatch, options)
        .expect("it ends")
        .steps;
    assert_eq!(steps, few + 1000);
    let options = Options {
        steps: few + 999,
        ..Options::default()
    };
    let result = outputs("ray_values", &dispatch, options);
    assert_eq!(result, Err(Error::Steps { limit: few + 999 }));
}

#[test]
fn structures_that_do_not_fit_are_errors() {
    let good = dispatch("ray_values");
    let run = |change: &dyn Fn(&mut Dispatch)| {
        let mut changed = good.clone();
        change(&mut changed);
        outputs("ray_values", &changed, Options::default())
    };
    let unbound = run(&|dispatch| dispatch.scenes[0].register = 1);
    assert!(matches!(unbound, Err(Error::Unbound { .. })), "{unbound:?}");
    let buffer = r#"{"class": "srv", "register": 0, "kind": "raw", "bytes": 16}"#;
    let buffer: Binding = serde_json::from_str(buffer).unwrap();
    let other = run(&|dispatch| {
        dispatch.scenes.clear();
        dispatch.bindings.push(buffer.clone());
    });
    assert!(matches!(other, Err(Error::Mismatch { .. })), "{other:?}");
    let twice = run(&|dispatch| dispatch.bindings.push(buffer.clone()));
    let rule = |result: &Result<Outputs, Error>, name: &str| {
        assert!(
            matches!(result, Err(Error::Dispatch(error)) if error.to_string().contains(name)),
            "{result:?}"
        );
    };
    rule(&twice, "bound twice");
    rule(
        &run(&|dispatch| dispatch.scenes[0].instances[0].mesh = 9),
        "mesh 9",
    );
    rule(
        &run(&|dispatch| dispatch.scenes[0].meshes[0].clear()),
        "mesh 0",
    );
    rule(
        &run(&|dispatch| dispatch.scenes[0].meshes[0][0].triangles.clear()),
        "mesh 0",
    );
}

#[test]
fn inputs_that_do_not_fit_the_shader_are_errors() {
    let empty = Dispatch {
        bindings: Vec::new(),
        ..words(&[])
    };
    assert!(matches!(
        outputs("endless", &empty, Options::default()),
        Err(Error::Unbound { .. })
    ));
    let mut stride = words(&[1; 8]);
    stride.bindings[0].stride = Some(8);
    assert!(matches!(
        outputs("endless", &stride, Options::default()),
        Err(Error::Mismatch { .. })
    ));
    let mut counter = dispatch("counters");
    counter.bindings[0].counter = None;
    counter.bindings[0].expect_counter = None;
    assert!(matches!(
        outputs("counters", &counter, Options::default()),
        Err(Error::NoCounter { .. })
    ));
    assert!(matches!(
        outputs(
            "endless",
            &words(&[1; 8]),
            Options {
                wave: Some(12),
                ..Options::default()
            }
        ),
        Err(Error::WaveWidth { .. })
    ));
    let mut samples = dispatch("multisampled");
    samples.bindings[1].samples = 1;
    let result = outputs("multisampled", &samples, Options::default());
    assert!(
        matches!(&result, Err(Error::Mismatch { declared, .. }) if declared == "Texture2DMSArray"),
        "{result:?}"
    );
    let entry = Dispatch {
        entry: "other".to_owned(),
        ..words(&[1; 8])
    };
    assert!(matches!(
        outputs("endless", &entry, Options::default()),
        Err(Error::Entry { .. })
    ));
}

#[test]
fn a_draw_that_does_not_fit_the_shader_is_an_error() {
    let run = |draw: &Draw, shaders: &[&str]| {
        let shaders: Vec<Vec<u8>> = shaders.iter().map(|name| shader(name)).collect();
        let shaders: Vec<&[u8]> = shaders.iter().map(Vec::as_slice).collect();
        run_draw(&shaders, draw, &Options::default()).unwrap_err()
    };
    let good = draw("vertex_ids");
    let mut bad = good.clone();
    bad.inputs.clear();
    let error = run(&bad, &["vertex_ids"]);
    assert_eq!(error.to_string(), "the inputs have no values for A0");
    let mut bad = good.clone();
    bad.outputs[0].index = 1;
    let error = run(&bad, &["vertex_ids"]);
    assert_eq!(
        error.to_string(),
        "the last stage has no output SV_Position1"
    );
    let error = run(&good, &["vertex_ids", "perspective"]);
    assert_eq!(error.to_string(), "the draw has two vertex shaders");
    let mut bad = good.clone();
    (bad.vertices, bad.instances) = (u32::MAX, u32::MAX);
    assert!(matches!(
        run(&bad, &["vertex_ids"]),
        Error::Limit { .. } | Error::Dispatch(_)
    ));
    let error = run(&good, &["squares"]);
    assert!(matches!(error, Error::Entry { .. }), "{error}");
}

#[test]
fn a_damaged_shader_of_a_draw_is_an_error_or_ends() {
    for name in [
        "pixel_quads",
        "pixel_samples",
        "pixel_outputs",
        "vertex_ids",
        "geometry_strips",
        "hull_and_domain",
        "hull_and_domain.domain",
        "mesh_payload",
        "mesh_payload.mesh",
    ] {
        let (whole, draw) = (shader(name), draw(name));
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            let options = Options {
                steps: 100_000,
                ..Options::default()
            };
            // Whatever comes of it, it must come back.
            let _ = run_draw(&[&damaged], &draw, &options);
        }
    }
}

#[test]
fn a_damaged_shader_is_an_error_or_ends() {
    for name in [
        "barrier_sum",
        "local_arrays",
        "wave_match",
        "textures",
        "ray_commits",
    ] {
        let (whole, dispatch) = (shader(name), dispatch(name));
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            // Whatever comes of it, it must come back.
            let _ = run(
                &damaged,
                &Inputs::try_from(&dispatch).expect("inputs"),
                &Options {
                    steps: 100_000,
                    ..Options::default()
                },
            );
        }
    }
}
