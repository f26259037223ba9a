//! Legalization of constructs that SPIR-V does not have: calls with references, choices of handles
//! and pointers, aggregates as values.

use std::process::Command;

use crate::assembler::{Text, replace, shader};
use crate::common::{count, lines_of};
use trellis_dxil_frontend::Input;
use trellis_spirv_backend::error::Limit;
use trellis_spirv_backend::{Error, Feature, InvalidKind, Options, convert_entry};

/// A compute shader with the groupshared arrays `First` and `Second` of 64 `i32` and the buffer
/// `Out`.
const BASE: &str = "options/noinline_groupshared.dxil";

const START: &str = "
    entry:
    %out : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:1 i32:0 i32:0 i1:0
    %id : i32 = call @dx.op.flattenedThreadIdInGroup.i32 i32:96
    %low : i1 = ult %id i32:32";
const END: &str = "
    call @dx.op.bufferStore.i32 i32:69 %out %id i32:0 %r i32:undef i32:undef i32:undef i8:1
    ret";

fn assembled(base: &str, functions: &[Text<'_>]) -> Input<'static> {
    let mut input = shader(base);
    replace(&mut input.module, functions);
    input
}

fn main_of(body: &str) -> String {
    [START, body, END].join("\n")
}

/// Converts, lets spirv-val look where there is one, and returns the lines of the output.
fn lines(name: &str, input: &Input<'_>) -> Vec<String> {
    let output = convert_entry(input, &input.shader.entry_points[0], &Options::default())
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let path = std::env::temp_dir().join(format!(
        "trellis-legalize-{}-{name}.spv",
        std::process::id()
    ));
    std::fs::write(&path, output.bytes()).expect("a file");
    let check = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.3", "--scalar-block-layout"])
        .arg(&path)
        .output();
    std::fs::remove_file(&path).expect("the file");
    match check {
        Ok(check) => assert!(
            check.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&check.stderr)
        ),
        Err(_) => println!("no spirv-val here: {name} was looked at by Trellis' own verifier only"),
    }
    lines_of(&output.words)
}

fn compute(name: &str, body: &str) -> Vec<String> {
    lines(
        name,
        &assembled(BASE, &[Text("main", "void", &[], &main_of(body))]),
    )
}

fn error(base: &str, functions: &[Text<'_>]) -> Error {
    let input = assembled(base, functions);
    convert_entry(&input, &input.shader.entry_points[0], &Options::default())
        .expect_err("it is refused")
}

// ---- pointers
// ------------------------------------------------------------------------------------------------------------------------------

#[test]
fn a_choice_of_places_in_one_variable_is_a_choice_of_the_index() {
    let l = compute(
        "select_one",
        "
        %a : i32*3 = address [64xi32] @First i32:0 %id
        %b : i32*3 = address [64xi32] @First i32:0 i32:5
        %p : i32*3 = select %low %a %b
        store %id %p
        %r : i32 = load %p",
    );
    assert_eq!(count(&l, "OpSelect "), 1);
    assert_eq!(
        (count(&l, "OpStore "), count(&l, "OpBranchConditional")),
        (2, 0),
        "the place and the buffer"
    );
    assert_eq!(
        count(&l, "OpVariable"),
        3,
        "one array, the buffer, the built-in"
    );
}

#[test]
fn a_pointer_that_walks_through_an_array() {
    let l = compute(
        "walk",
        "
        %first : i32*3 = address [64xi32] @First i32:0 %id
        br loop
        loop:
        %p : i32*3 = phi %first,entry %next,loop
        %sum : i32 = phi i32:0,entry %more,loop
        %x : i32 = load %p
        %more : i32 = add %sum %x
        %next : i32*3 = address i32 %p i32:2
        %again : i1 = ult %more i32:100
        if %again loop done
        done:
        %r : i32 = add %more i32:0",
    );
    assert_eq!(
        (count(&l, "OpPhi"), count(&l, "OpLoopMerge")),
        (2, 1),
        "the place and the sum"
    );
}

#[test]
fn a_choice_of_variables_branches_to_each_access() {
    let l = compute(
        "two_variables",
        "
        %mine : [4xi32]* = alloca [4xi32]
        %other : [4xi32]* = alloca [4xi32]
        %a : i32* = address [4xi32] %mine i32:0 %id
        %b : i32* = address [4xi32] %other i32:0 i32:1
        if %low then else
        then:
        br join
        else:
        br join
        join:
        %p : i32* = phi %a,then %b,else
        %q : i32* = address i32 %p i32:1
        store %id %q
        %r : i32 = load %p",
    );
    assert_eq!(
        count(&l, "OpBranchConditional"),
        2,
        "the store, the load: the shader's own is a select"
    );
    assert_eq!(count(&l, "OpStore "), 3, "one each, and the buffer");
    assert_eq!(count(&l, "OpPhi"), 1, "what was read");
}

#[test]
fn atomic_operations_on_one_of_several_variables() {
    let l = compute(
        "atomics",
        "
        %a : i32*3 = address [64xi32] @First i32:0 %id
        %b : i32*3 = address [64xi32] @Second i32:0 %id
        %p : i32*3 = select %low %a %b
        %old : i32 = atomic_add %p i32:3
        %both : {i32,i1} = cmpxchg %p %old i32:9
        %before : i32 = extract %both 0
        %r : i32 = add %old %before",
    );
    assert_eq!(
        (
            count(&l, "OpAtomicIAdd"),
            count(&l, "OpAtomicCompareExchange")
        ),
        (2, 2)
    );
}

#[test]
fn three_variables_are_a_switch() {
    let l = compute(
        "three_variables",
        "
        %a : i32*3 = address [64xi32] @First i32:0 %id
        %b : i32*3 = address [64xi32] @Second i32:0 %id
        %local : i32* = alloca i32
        %p : i32*3 = select %low %a %b
        %high : i1 = ult i32:48 %id
        %q : i32*3 = select %high %p %local
        %r : i32 = load %q",
    );
    assert_eq!(count(&l, "OpSwitch"), 1);
    assert_eq!(count(&l, "OpLoad"), 4, "three and the built-in");
}

#[test]
fn other_uses_of_a_chosen_variable_are_refused() {
    let body = "
        %a : i32*3 = address [64xi32] @First i32:0 %id
        %b : i32*3 = address [64xi32] @Second i32:0 %id
        %p : i32*3 = select %low %a %b
        %cell : i32*3* = alloca i32*3
        store %p %cell
        %r : i32 = add %id %id";
    let error = error(BASE, &[Text("main", "void", &[], &main_of(body))]);
    assert!(
        matches!(&error, Error::Unsupported { feature, .. } if feature.name() == "pointer"),
        "{error}"
    );
}

// ---- aggregates
// ----------------------------------------------------------------------------------------------------------------------------

#[test]
fn structs_in_registers() {
    let l = compute(
        "aggregates",
        "
        %one : {i32,[2xi32]} = insert {i32,[2xi32]}:undef %id 0
        %two : {i32,[2xi32]} = insert %one i32:7 1.1
        if %low then join
        then:
        %three : {i32,[2xi32]} = insert %two i32:8 1.0
        br join
        join:
        %all : {i32,[2xi32]} = phi %two,entry %three,then
        %zero : {i32,[2xi32]} = select %low %all {i32,[2xi32]}:null
        %array : [2xi32] = extract %zero 1
        %x : i32 = extract %array 1
        %y : i32 = extract %zero 0
        %cell : {i32,[2xi32]}* = alloca {i32,[2xi32]}
        store %all %cell
        %again : {i32,[2xi32]} = load %cell
        %z : i32 = extract %again 1.0
        %xy : i32 = add %x %y
        %r : i32 = add %xy %z",
    );
    assert_eq!(count(&l, "OpPhi"), 0);
    assert_eq!(
        count(&l, "OpSelect "),
        4,
        "one a part, and one in place of the phi of the part that differs"
    );
    assert_eq!(count(&l, "OpCompositeInsert"), 0);
}

#[test]
fn aggregates_that_are_too_large() {
    let body = "
        %big : [99999999xi32] = insert [99999999xi32]:undef %id 5
        %r : i32 = extract %big 5";
    let error = error(BASE, &[Text("main", "void", &[], &main_of(body))]);
    assert!(
        matches!(&error, Error::Unsupported { feature, .. } if feature.name() == "aggregate"),
        "{error}"
    );
}

#[test]
fn a_long_vector_with_a_computed_index() {
    let l = compute(
        "long_vector",
        "%a : <6xi32> = insertelement <6xi32>:undef i32:7 i32:2
        %b : <6xi32> = insertelement %a %id %id
        %c : <6xi32> = shufflevector %b %a <6xi32>:undef
        %d : i32 = extractelement %c i32:0
        %e : i32 = extractelement %b %id
        %r : i32 = add %d %e",
    );
    assert!(
        l.iter()
            .all(|l| !(l.contains("OpTypeVector") && l.ends_with(" 6"))),
        "{l:#?}"
    );
    assert!(count(&l, "OpSelect") >= 5, "{l:#?}");
}

#[test]
fn a_shuffle_to_billions_of_components() {
    let body = "
        %big : <4000000000xi32> = shufflevector <2xi32>:undef <2xi32>:undef <4000000000xi32>:undef
        %r : i32 = extractelement %big i32:5";
    let error = error(BASE, &[Text("main", "void", &[], &main_of(body))]);
    assert!(
        matches!(&error, Error::Unsupported { feature, .. } if feature.name() == "aggregate"),
        "{error}"
    );
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

// ---- handles
// -------------------------------------------------------------------------------------------------------------------------------

#[test]
fn a_choice_of_handles_of_one_range_is_a_choice_of_the_index() {
    let l = compute(
        "handles",
        "
        %again : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:1 i32:0 i32:0 i1:0
        %h : %dx.types.Handle = select %low %out %again
        %s : i32 = add %id i32:1
        call @dx.op.bufferStore.i32 i32:69 %h %s i32:0 %id i32:undef i32:undef i32:undef i8:1
        %r : i32 = add %id %id",
    );
    assert_eq!(
        count(&l, "NonUniform"),
        0,
        "both have the same constant index"
    );
    assert_eq!(count(&l, "OpStore "), 2);
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

// ---- calls
// ---------------------------------------------------------------------------------------------------------------------------------

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

/// LLVM extends each index by its sign, a boolean, too: true is -1.
#[test]
fn a_boolean_as_an_index() {
    let l = compute(
        "boolean_index",
        "
        %p : i32*3 = address [64xi32] @First i32:0 i32:1
        %q : i32*3 = address i32 %p %low
        store %id %q
        %r : i32 = load %q",
    );
    assert_eq!((count(&l, "OpSelect "), count(&l, " 4294967295")), (2, 1));
}

#[test]
fn fences() {
    let l = compute("fence", "fence\n%r : i32 = add %id %id");
    assert_eq!(count(&l, "OpMemoryBarrier"), 1);
}
