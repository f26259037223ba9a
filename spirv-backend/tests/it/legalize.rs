//! Legalization: refused inputs, and rewrites in linear space. (`tests/data/outputs/legalize.txt`
//! has the others.)

use std::fmt::Write as _;

use crate::assembler::{BASE, Text, main_of, replace, shader};
use trellis_spirv_backend::error::Limit;
use trellis_spirv_backend::{Error, Feature, InvalidKind, Options, convert_entry};

/// Converts a compute shader whose functions are replaced.
fn converted(functions: &[Text<'_>]) -> Result<(), Error> {
    let mut input = shader(BASE);
    replace(&mut input.module, functions);
    convert_entry(&input, &input.shader.entry_points[0], &Options::default()).map(drop)
}

/// Converts a compute shader with a body.
fn compute(body: &str) -> Result<(), Error> {
    converted(&[Text("main", "void", &[], &main_of(body))])
}

#[track_caller]
fn too_large(result: Result<(), Error>, expected: Limit) {
    match result.expect_err("it is refused") {
        Error::Unsupported {
            feature: Feature::TooLarge(limit),
            ..
        } => assert_eq!(limit, expected),
        error => panic!("{error}"),
    }
}

#[test]
fn computed_indices_of_huge_vectors() {
    let mut body = "%big : <200000xi32> = insertelement <200000xi32>:undef %id i32:5\n".to_owned();
    for n in 0..2000 {
        body += &format!("%x{n} : i32 = extractelement %big %id\n");
    }
    body += "%r : i32 = add %x0 %x1";
    too_large(compute(&body), Limit::AggregateParts);
}

/// Returns a body with many insertions, one after the other, at an index.
fn insertions(count: u32, index: impl Fn(u32) -> String) -> String {
    let mut body = String::from("%v0 : <1024xi32> = insertelement <1024xi32>:undef %id i32:0\n");
    for number in 1..count {
        let (before, index) = (number - 1, index(number));
        let line = format!("%v{number} : <1024xi32> = insertelement %v{before} %id {index}");
        writeln!(body, "{line}").unwrap();
    }
    body + &format!("%r : i32 = extractelement %v{} i32:500", count - 1)
}

/// A chain of insertions takes linear space.
#[test]
fn many_insertions() {
    let body = insertions(1024, |number| format!("i32:{number}"));
    compute(&body).unwrap_or_else(|error| panic!("{error}"));
}

/// Components that are chosen at run time cost work for each.
#[test]
fn too_many_computed_indices() {
    let body = insertions(200, |_| "%id".to_owned());
    too_large(compute(&body), Limit::AggregateParts);
}

#[test]
fn chains_of_calls_that_double_each_time_are_refused_before_anything_is_copied() {
    let bodies = (0..64).map(|i| match i {
        0 => "entry:\nstore i32:1 %p\nret".to_owned(),
        _ => format!("entry:\ncall @f{0} %p\ncall @f{0} %p\nret", i - 1),
    });
    let bodies: Vec<_> = (0..)
        .zip(bodies)
        .map(|(i, body)| (format!("f{i}"), body))
        .collect();
    let main = main_of("%cell : i32* = alloca i32\ncall @f63 %cell\n%r : i32 = load %cell");
    let functions = bodies
        .iter()
        .map(|(name, body)| Text(name, "void", &["%p : i32*"], body));
    let mut functions: Vec<Text<'_>> = functions.collect();
    functions.push(Text("main", "void", &[], &main));
    too_large(converted(&functions), Limit::Inlining);
}

#[test]
fn recursion_with_references() {
    let main = main_of("%cell : i32* = alloca i32\ncall @f %cell\n%r : i32 = load %cell");
    let functions = [
        Text("f", "void", &["%p : i32*"], "entry:\ncall @g %p\nret"),
        Text("g", "void", &["%p : i32*"], "entry:\ncall @f %p\nret"),
        Text("main", "void", &[], &main),
    ];
    let error = converted(&functions).unwrap_err();
    let kind = InvalidKind::Recursion;
    assert!(
        matches!(&error, Error::Invalid { kind: k, .. } if *k == kind),
        "{error}"
    );
}
