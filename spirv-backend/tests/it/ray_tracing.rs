//! The translation of the shaders of ray tracing pipelines.

use trellis_dxil_frontend::shader::ShaderKind;
use trellis_spirv_backend::{Error, Feature, Options, Target, convert, entry_points, reflect};

use crate::common::{self};

fn library(name: &str) -> Vec<u8> {
    common::shader(&format!("raytracing/{name}.dxil"))
}

fn options(entry: &str) -> Options {
    Options::default().with_entry(Some(entry.to_owned()))
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
