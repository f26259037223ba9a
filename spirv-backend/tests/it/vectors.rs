//! Vectors of shader model 6.9: those that SPIR-V has stay vectors, others become scalars.

use std::fmt::Write as _;

use crate::assembler::{Text, replace, shader};
use crate::common::{self, count};
use trellis_spirv_backend::error::Limit;
use trellis_spirv_backend::{Error, Feature, Options, convert_entry};

fn lines(name: &str) -> Vec<String> {
    common::lines(&format!("vectors/{name}"), &Options::default())
}

#[test]
fn short_vectors_stay() {
    let math = lines("math.dxil");
    // One of three components, five of one.
    for op in ["Sin", "Log2", "InverseSqrt", "Sinh"] {
        assert_eq!(count(&math, &format!(" {op} ")), 6, "{op}");
    }
    assert_eq!(count(&math, "OpIsNan"), 6);
    let reductions = lines("reductions.dxil");
    assert_eq!(count(&reductions, "OpDot"), 1);
    assert_eq!(count(&reductions, "OpAny"), 1);
    assert_eq!(count(&reductions, "OpAll"), 1);
}

#[test]
fn wave_operations() {
    let waves = lines("waves.dxil");
    // Five components and three, of which each is equal or not by itself.
    assert_eq!(count(&waves, "OpGroupNonUniformAllEqual"), 8);
    assert_eq!(count(&waves, "OpGroupNonUniformUMax"), 1);
    assert_eq!(count(&waves, "OpGroupNonUniformSMin"), 5);
}

/// A compute shader with a body, in place of one with the buffer `Out`.
fn compute(body: &str) -> Result<Vec<u32>, Error> {
    const START: &str = "entry:
        %out : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:1 i32:0 i32:0 i1:0
        %id : i32 = call @dx.op.flattenedThreadIdInGroup.i32 i32:96";
    const END: &str = "
        call @dx.op.bufferStore.i32 i32:69 %out %id i32:0 %r i32:undef i32:undef i32:undef i8:1
        ret";
    let mut input = shader("options/noinline_groupshared.dxil");
    let main = [START, body, END].join("\n");
    replace(&mut input.module, &[Text("main", "void", &[], &main)]);
    convert_entry(&input, &input.shader.entry_points[0], &Options::default())
        .map(|output| output.words)
}

#[test]
fn vectors_of_one_component() {
    let body = "%a : <1xi32> = insertelement <1xi32>:undef %id i32:0
        %b : <1xi32> = add %a %a
        %r : i32 = extractelement %b i32:0";
    compute(body).unwrap_or_else(|e| panic!("{e}"));
}

/// A chain of insertions takes linear space.
#[test]
fn many_insertions() {
    let mut body = String::from("%v0 : <1024xi32> = insertelement <1024xi32>:undef %id i32:0\n");
    for index in 1..1024 {
        let before = index - 1;
        let line = format!("%v{index} : <1024xi32> = insertelement %v{before} %id i32:{index}\n");
        body.push_str(&line);
    }
    body.push_str("%r : i32 = extractelement %v1023 i32:500");
    compute(&body).unwrap_or_else(|e| panic!("{e}"));
}

/// Components that are chosen at run time cost work for each.
#[test]
fn too_many_computed_indices() {
    let mut body = String::from("%v0 : <1024xi32> = insertelement <1024xi32>:undef %id i32:0\n");
    for index in 1..200 {
        let before = index - 1;
        writeln!(
            body,
            "%v{index} : <1024xi32> = insertelement %v{before} %id %id"
        )
        .unwrap();
    }
    body.push_str("%r : i32 = extractelement %v199 i32:500");
    let error = compute(&body).expect_err("it is refused");
    assert!(
        matches!(
            &error,
            Error::Unsupported {
                feature: Feature::TooLarge(Limit::AggregateParts),
                ..
            }
        ),
        "{error}"
    );
}
