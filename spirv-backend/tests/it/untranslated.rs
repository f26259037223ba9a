//! Operations without a translation: a call of each is an error that names the operation and the
//! feature that a translation would need.

use crate::assembler::{Text, declare_test, replace, shader};
use trellis_dxil_frontend::dxop::{ALL_OPS, Effects, FamilyOp, Op, ParamType};
use trellis_spirv_backend::error::untranslated;
use trellis_spirv_backend::{Error, Feature, Options, convert_entry};

/// A compute shader, and a library with shaders of several stages.
const COMPUTE: &str = "options/noinline_groupshared.dxil";
const LIBRARY: &str = "raytracing/hit_objects.dxil";

/// Converts a shader whose body is a call of `op` with undefined operands.
fn call(op: Op) -> Error {
    let base = match op.classify() {
        FamilyOp::HitObject(_) | FamilyOp::RayTracing(_) => LIBRARY,
        _ => COMPUTE,
    };
    let mut input = shader(base);
    let stages = op.info().stages;
    let entry = { input.shader.entry_points.iter() }
        .find(|e| e.function.is_some() && (base == COMPUTE || stages.has(e.kind)))
        .unwrap_or_else(|| panic!("{op}: no shader of its stages"))
        .clone();
    let module = &mut input.module;
    declare_test(module);
    let operands = " i32:undef".repeat(op.info().params.len());
    let result = match op.info().returns {
        ParamType::Void => "",
        _ => "%r : i32 = ",
    };
    let body = format!(
        "entry:\n{result}call @dx.op.test i32:{}{operands}\nret",
        op.code()
    );
    replace(module, &[Text(&entry.name, "void", &[], &body)]);
    convert_entry(&input, &entry, &Options::default()).expect_err("it is refused")
}

#[test]
fn the_error_names_the_operation_and_what_it_needs() {
    let mut count = 0;
    for op in ALL_OPS {
        let Some(why) = untranslated(op) else {
            continue;
        };
        count += 1;
        let error = call(op);
        let text = error.to_string();
        let Error::Unsupported { feature, .. } = error else {
            panic!("{op}: {text}");
        };
        assert_eq!(feature, Feature::Operation(op), "{op}: {text}");
        assert_eq!(feature.extension(), why.extension, "{op}");
        for part in [op.name(), why.reason, why.extension.unwrap_or_default()] {
            assert!(text.contains(part), "{op}: `{text}` lacks `{part}`");
        }
    }
    assert!(count >= 35, "only {count} operations");
}

#[test]
fn reserved_numbers_are_named() {
    let reserved = ALL_OPS
        .into_iter()
        .filter(|op| op.effects().any(Effects::RESERVED));
    for op in reserved {
        assert_eq!(untranslated(op), None);
        let text = call(op).to_string();
        assert!(
            text.contains(op.name()) && text.contains("reserved"),
            "{text}"
        );
    }
}
