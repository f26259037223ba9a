//! Unsigned divisions: by zero they give all ones, and SPIR-V leaves them undefined. Where control gets to
//! a division only with another divisor, nothing guards it.

use crate::assembler::{Text, replace, shader};
use trellis_spirv_backend::{Options, convert_entry, disassemble};

/// Returns whether the divisions by `%d` of a shader are guarded. `%id` is a number that may be 0.
fn is_guarded(body: &str) -> bool {
    is_guarded_in("options/noinline_groupshared.dxil", body)
}

/// As [`is_guarded`], in the module of a shader that declares the functions that the body calls.
fn is_guarded_in(name: &str, body: &str) -> bool {
    let mut input = shader(name);
    let start = "entry:
        %out : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:1 i32:0 i32:0 i1:0
        %id : i32 = call @dx.op.flattenedThreadIdInGroup.i32 i32:96";
    let end =
        "call @dx.op.bufferStore.i32 i32:69 %out %id i32:0 %q i32:undef i32:undef i32:undef i8:1
        ret";
    let body = body.replace("DIVIDE", "%q : i32 = udiv i32:1000 %d\n");
    let body = [start, &body.replace("STORE", end)].join("\n");
    replace(&mut input.module, &[Text("main", "void", &[], &body)]);
    let entry = &input.shader.entry_points[0];
    let output = convert_entry(&input, entry, &Options::default()).unwrap();
    let text = disassemble(&output.words).unwrap();
    assert_eq!(text.matches("OpUDiv").count(), 1, "{text}");
    // One selects the result, and a maximum with 1 the divisor.
    let guards = text.matches("OpSelect ").count();
    assert!(guards <= 1, "{text}");
    assert!(guards == 0 || text.contains(" UMax "), "{text}");
    guards > 0
}

const NUMBER: &str = "%d : i32 = and %id i32:12\n";

/// Returns a shader that divides where a comparison of `%d` has an outcome.
fn compared(comparison: &str, outcome: bool) -> String {
    let (then, otherwise) = if outcome {
        ("yes", "no")
    } else {
        ("no", "yes")
    };
    format!(
        "{NUMBER} %c : i1 = {comparison}\n if %c {then} {otherwise}\n yes:\n DIVIDE STORE\n no:\n ret"
    )
}

#[test]
fn a_number_that_may_be_zero_is_guarded() {
    assert!(is_guarded(&format!("{NUMBER} DIVIDE STORE")));
}

#[test]
fn a_branch_on_a_comparison_that_zero_fails_is_the_guard() {
    for (comparison, outcome, is_enough) in [
        ("ne %d i32:0", true, true),
        ("ne %d i32:0", false, false),
        ("eq %d i32:0", false, true),
        ("eq %d i32:3", true, true),
        ("eq %d i32:3", false, false),
        ("ult %d i32:5", false, true),
        ("ult %d i32:5", true, false),
        ("ult %id %d", true, true),
        ("ult %d %id", true, false),
        ("ugt %d %id", true, true),
        ("ugt i32:5 %d", false, true),
        ("sgt %d i32:0", true, true),
        ("sgt %d i32:4294967295", true, false),
        ("slt %d i32:0", true, true),
        ("slt %d i32:1", true, false),
    ] {
        let guarded = is_guarded(&compared(comparison, outcome));
        assert_eq!(guarded, !is_enough, "{comparison} is {outcome}");
    }
}

#[test]
fn both_conditions_of_an_and_hold() {
    let body = |op: &str, outcome: bool| {
        let (then, otherwise) = if outcome {
            ("yes", "no")
        } else {
            ("no", "yes")
        };
        format!(
            "{NUMBER} %a : i1 = ne %d i32:0\n %b : i1 = ult %id i32:9\n %c : i1 = {op} %a %b
            if %c {then} {otherwise}\n yes:\n DIVIDE STORE\n no:\n ret"
        )
    };
    assert!(!is_guarded(&body("and", true)));
    assert!(is_guarded(&body("and", false)));
    assert!(is_guarded(&body("or", true)));
    assert!(
        is_guarded(&body("or", false)),
        "`or` is false where %d is 0"
    );
}

#[test]
fn a_branch_that_others_go_around_is_no_guard() {
    let body = format!(
        "{NUMBER} %c : i1 = ne %d i32:0\n if %c yes join\n yes:\n br join\n join:\n DIVIDE STORE"
    );
    assert!(is_guarded(&body));
}

#[test]
fn a_loop_that_ends_at_zero_divides_by_its_number() {
    // `for (d = id | 1; d != 0; d >>= 1) q = 1000 / d;` as compilers rotate it.
    let body = |first: &str, condition: &str| {
        format!(
            "%first : i32 = {first}
            br loop
            loop:
            %d : i32 = phi %first,entry %next,loop
            DIVIDE
            %next : i32 = lshr %d i32:1
            %c : i1 = {condition}
            if %c done loop
            done:
            STORE"
        )
    };
    assert!(!is_guarded(&body("or %id i32:1", "eq %next i32:0")));
    assert!(is_guarded(&body("or %id i32:0", "eq %next i32:0")));
    assert!(is_guarded(&body("or %id i32:1", "eq %next i32:3")));
    assert!(
        is_guarded(&body("or %id i32:1", "eq %d i32:0")),
        "only after the division"
    );
}

#[test]
fn a_number_that_is_refuted_in_one_place_proves_nothing_in_another() {
    // `%d` is `%p | %p`: that `%p` is not 0 fails for the first operand, and must fail for the second.
    let body = "br loop
        loop:
        %p : i32 = phi i32:0,entry %p,loop
        %d : i32 = or %p %p
        DIVIDE
        %c : i1 = ult %id i32:9
        if %c done loop
        done:
        STORE";
    assert!(is_guarded(body));
}

#[test]
fn what_cannot_wrap_or_lose_bits_stays_other_than_zero() {
    let after = |expression: &str| {
        format!(
            "%n : i32 = or %id i32:4
            %d : i32 = {expression}
            DIVIDE STORE"
        )
    };
    assert!(!is_guarded(&after("shl.nuw %n i32:3")));
    assert!(is_guarded(&after("shl %n i32:3")));
    assert!(!is_guarded(&after("lshr.exact %n i32:2")));
    assert!(is_guarded(&after("lshr %n i32:2")));
    assert!(!is_guarded(&after("add.nuw %n %id")));
    assert!(is_guarded(&after("add %n %id")));
}

#[test]
fn results_of_operations_that_are_never_zero() {
    let wave = "%d : i32 = call @dx.op.waveGetLaneCount i32:112\n DIVIDE STORE";
    assert!(!is_guarded_in("compute/prefix_sum.dxil", wave));
    let of = |op: u32, a: &str, b: &str| {
        let body = format!(
            "%n : i32 = or %id i32:4
            %d : i32 = call @dx.op.binary.i32 i32:{op} {a} {b}
            DIVIDE STORE"
        );
        !is_guarded_in("regressions/loop_limit_of_three_bits.dxil", &body)
    };
    let (imax, imin, umax, umin) = (37, 38, 39, 40);
    assert!(of(umax, "%id", "i32:1") && of(umax, "%n", "%id"));
    assert!(!of(umax, "%id", "i32:0") && !of(umin, "%id", "i32:1"));
    assert!(
        of(umin, "%n", "i32:9")
            && of(imin, "%n", "i32:4294967287")
            && of(imax, "%n", "i32:4294967287")
    );
    assert!(
        of(imax, "%id", "i32:1") && !of(imax, "%id", "i32:4294967295") && !of(imin, "%id", "i32:1")
    );
}
