//! Vectors of shader model 6.9: those that SPIR-V has stay vectors, others become scalars.

use std::fmt::Write as _;

use crate::assembler::{BASE, Text, main_of, replace, shader};

use trellis_spirv_backend::error::Limit;
use trellis_spirv_backend::{Error, Feature, Options, convert_entry};

/// A compute shader with a body, in place of one with the buffer `Out`.
fn compute(body: &str) -> Result<Vec<u32>, Error> {
    let mut input = shader(BASE);
    let main = main_of(body);
    replace(&mut input.module, &[Text("main", "void", &[], &main)]);
    convert_entry(&input, &input.shader.entry_points[0], &Options::default())
        .map(|output| output.words)
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
