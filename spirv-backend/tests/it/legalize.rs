//! Legalization of constructs that SPIR-V does not have: calls with references, and what is refused.
//! (`tests/data/outputs/legalize.txt` has the others.)

use crate::assembler::{BASE, Text, main_of, replace, shader};
use crate::common::{check_with_spirv_val, count, lines_of};
use trellis_dxil_frontend::Input;
use trellis_spirv_backend::error::Limit;
use trellis_spirv_backend::{Error, Feature, InvalidKind, Options, convert_entry};

fn assembled(base: &str, functions: &[Text<'_>]) -> Input<'static> {
    let mut input = shader(base);
    replace(&mut input.module, functions);
    input
}

/// Converts, lets spirv-val look where there is one, and returns the lines of the output.
fn lines(name: &str, input: &Input<'_>) -> Vec<String> {
    let output = convert_entry(input, &input.shader.entry_points[0], &Options::default())
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    check_with_spirv_val(name, &output);
    lines_of(&output.words)
}

fn error(base: &str, functions: &[Text<'_>]) -> Error {
    let input = assembled(base, functions);
    convert_entry(&input, &input.shader.entry_points[0], &Options::default())
        .expect_err("it is refused")
}

#[test]
fn computed_indices_of_huge_vectors() {
    let mut body = "%big : <200000xi32> = insertelement <200000xi32>:undef %id i32:5\n".to_owned();
    for n in 0..2000 {
        body += &format!("%x{n} : i32 = extractelement %big %id\n");
    }
    body += "%r : i32 = add %x0 %x1";
    let error = error(BASE, &[Text("main", "void", &[], &main_of(&body))]);
    assert!(
        matches!(&error, Error::Unsupported { feature: Feature::TooLarge(limit), .. } if *limit == Limit::AggregateParts),
        "{error}"
    );
}

#[test]
fn different_resources_are_refused_by_name() {
    let body = "
        entry:
        %out : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:1 i32:0 i32:0 i1:0
        %in : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:0 i32:0 i32:0 i1:0
        %id : i32 = call @dx.op.threadId.i32 i32:93 i32:0
        %low : i1 = ult %id i32:32
        %h : %dx.types.Handle = select %low %out %in
        ret";
    let error = error(
        "options/noinline_references.dxil",
        &[Text("main", "void", &[], body)],
    );
    let text = error.to_string();
    assert!(
        matches!(error, Error::Unsupported { .. })
            && text.contains("u0, space0")
            && text.contains("t0, space0"),
        "{text}"
    );
}

#[test]
fn handles_and_pointers_as_parameters() {
    let main = main_of(
        "
        %cell : i32* = alloca i32
        store i32:4 %cell
        call @change %cell %out
        %pair : {i32,i32} = call @pair %id
        %a : i32 = extract %pair 0
        %b : i32 = load %cell
        %r : i32 = add %a %b",
    );
    let change = "
        entry:
        %x : i32 = load %p
        %small : i1 = ult %x i32:5
        if %small yes no
        yes:
        call @dx.op.bufferStore.i32 i32:69 %h %x i32:0 %x i32:undef i32:undef i32:undef i8:1
        store i32:6 %p
        ret
        no:
        ret";
    let pair = "
        entry:
        %small : i1 = ult %n i32:5
        if %small yes no
        yes:
        %one : {i32,i32} = insert {i32,i32}:undef %n 0
        ret %one
        no:
        ret {i32,i32}:null";
    let input = assembled(
        BASE,
        &[
            Text(
                "change",
                "void",
                &["%p : i32*", "%h : %dx.types.Handle"],
                change,
            ),
            Text("pair", "{i32,i32}", &["%n : i32"], pair),
            Text("main", "void", &[], &main),
        ],
    );
    let l = lines("parameters", &input);
    assert_eq!(
        (count(&l, "OpFunction "), count(&l, "OpFunctionCall")),
        (1, 0)
    );
    assert_eq!(count(&l, "OpBranchConditional"), 1);
}

#[test]
fn chains_of_calls_that_double_each_time_are_refused_before_anything_is_copied() {
    let names: Vec<String> = (0..64).map(|i| format!("f{i}")).collect();
    let bodies: Vec<String> = (0..64)
        .map(|i| {
            if i == 0 {
                "entry:\nstore i32:1 %p\nret".to_owned()
            } else {
                format!("entry:\ncall @f{0} %p\ncall @f{0} %p\nret", i - 1)
            }
        })
        .collect();
    let main = main_of("%cell : i32* = alloca i32\ncall @f63 %cell\n%r : i32 = load %cell");
    let mut functions: Vec<Text<'_>> = names
        .iter()
        .zip(&bodies)
        .map(|(name, body)| Text(name, "void", &["%p : i32*"], body))
        .collect();
    functions.push(Text("main", "void", &[], &main));
    let error = error(BASE, &functions);
    assert!(
        matches!(&error, Error::Unsupported { feature: Feature::TooLarge(limit), .. } if *limit == Limit::Inlining),
        "{error}"
    );
}

#[test]
fn recursion_with_references() {
    let main = main_of("%cell : i32* = alloca i32\ncall @f %cell\n%r : i32 = load %cell");
    let error = error(
        BASE,
        &[
            Text("f", "void", &["%p : i32*"], "entry:\ncall @g %p\nret"),
            Text("g", "void", &["%p : i32*"], "entry:\ncall @f %p\nret"),
            Text("main", "void", &[], &main),
        ],
    );
    assert!(
        matches!(
            &error,
            Error::Invalid {
                kind: InvalidKind::Recursion,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn plain_calls_stay() {
    let main = main_of("%r : i32 = call @twice %id");
    let twice = "entry:\n%r : i32 = add %n %n\nret %r";
    let l = lines(
        "plain_calls",
        &assembled(
            BASE,
            &[
                Text("twice", "i32", &["%n : i32"], twice),
                Text("main", "void", &[], &main),
            ],
        ),
    );
    assert_eq!(count(&l, "OpFunctionCall"), 1);
}
