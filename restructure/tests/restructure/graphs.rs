//! Modules with control flow that no structured language has.

use rspirv::spirv::Op;
use trellis_restructure::{Error, Profile, restructure};

use crate::assembler::{shader, shader_with};
use crate::common::{instructions, opcode, validate};

/// Restructures a module for each profile, and checks the results.
fn restructured(words: &[u32]) -> Vec<u32> {
    for (name, profile) in Profile::ALL.into_iter().rev() {
        let result = restructure(words, profile).unwrap_or_else(|e| panic!("{name}: {e}"));
        validate(&result).unwrap_or_else(|e| panic!("{name}: {e}"));
        let again = restructure(words, profile).unwrap();
        assert_eq!(result, again);
        if profile == Profile::Spirv {
            return result;
        }
    }
    unreachable!()
}

fn count(words: &[u32], op: Op) -> usize {
    let of_op = |inst: &&[u32]| opcode(inst) == op as u32;
    instructions(words).filter(of_op).count()
}

/// Returns the first instruction with an opcode.
fn find(words: &[u32], op: Op) -> &[u32] {
    let mut all = instructions(words);
    all.find(|inst| opcode(inst) == op as u32).unwrap()
}

#[test]
fn irreducible_loops() {
    let words = shader(
        "",
        "OpBranchConditional %c %a %b
        %a = OpLabel
        %pa = OpPhi %uint %u %entry %nb %b
        %na = OpIAdd %uint %pa %one
        %ca = OpULessThan %bool %na %three
        OpBranchConditional %ca %b %end
        %b = OpLabel
        %pb = OpPhi %uint %two %entry %na %a
        %nb = OpIMul %uint %pb %two
        %cb = OpULessThan %bool %nb %three
        OpBranchConditional %cb %a %end
        %end = OpLabel
        %p = OpPhi %uint %na %a %nb %b
        OpStore %slot %p
        OpReturn",
    );
    let result = restructured(&words);
    assert_eq!(count(&result, Op::LoopMerge), 1);
}

#[test]
fn exits_of_two_loops() {
    let words = shader(
        "",
        "OpBranch %outer
        %outer = OpLabel
        %i = OpPhi %uint %zero %entry %i1 %next
        OpBranch %inner
        %inner = OpLabel
        %j = OpPhi %uint %zero %outer %j1 %more
        %found = OpIEqual %bool %j %u
        OpBranchConditional %found %hit %more
        %more = OpLabel
        %j1 = OpIAdd %uint %j %one
        %go = OpULessThan %bool %j1 %three
        OpBranchConditional %go %inner %next
        %next = OpLabel
        %i1 = OpIAdd %uint %i %one
        %go1 = OpULessThan %bool %i1 %three
        OpBranchConditional %go1 %outer %end
        %hit = OpLabel
        OpStore %slot %j
        OpBranch %end
        %end = OpLabel
        %p = OpPhi %uint %i1 %next %j %hit
        OpStore %slot %p
        OpReturn",
    );
    let result = restructured(&words);
    assert_eq!(count(&result, Op::LoopMerge), 2);
}

#[test]
fn cases_that_cross() {
    let words = shader(
        "",
        "OpSwitch %u %d 0 %a 1 %b 4294967295 %e
        %a = OpLabel
        OpStore %slot %one
        OpBranchConditional %c %b %e
        %b = OpLabel
        OpStore %slot %two
        OpBranchConditional %c %e %d
        %e = OpLabel
        OpStore %slot %three
        OpBranchConditional %c %d %end
        %d = OpLabel
        OpStore %slot %zero
        OpBranch %end
        %end = OpLabel
        OpReturn",
    );
    restructured(&words);
}

#[test]
fn selectors_of_all_widths_keep_their_literals() {
    let declarations = "%i16 = OpTypeInt 16 1
        %i64 = OpTypeInt 64 0
        %long = OpConstant %i64 5 7
        %short = OpConstant %i16 4294967295";
    let long = "OpSwitch %long %end 4 4294967295 %a 5 7 %a";
    let short = "OpSwitch %short %end 4294967295 %a 3 %a";
    for (switch, literals) in [
        (long, &[(3, 4), (4, u32::MAX), (6, 5), (7, 7)][..]),
        (short, &[(3, u32::MAX), (5, 3)]),
    ] {
        let blocks = format!(
            "{switch}
            %a = OpLabel
            OpStore %slot %one
            OpBranch %end
            %end = OpLabel
            OpReturn"
        );
        let mut words = shader(declarations, &blocks);
        let capability = 2 << 16 | Op::Capability as u32;
        words.splice(5..5, [capability, 11, capability, 22]);
        let result = restructured(&words);
        for &(at, literal) in literals {
            assert_eq!(find(&result, Op::Switch)[at], literal);
        }
    }
}

#[test]
fn convergent_operations_before_a_break_stay_in_the_loop() {
    let search = |merge: &str| {
        let blocks = format!(
            "OpBranch %head
            %head = OpLabel
            %i = OpPhi %uint %zero %entry %i1 %next
            {merge}
            OpBranch %body
            %body = OpLabel
            %found = OpIEqual %bool %i %u
            OpBranchConditional %found %hit %next
            %hit = OpLabel
            %sum = OpGroupNonUniformIAdd %uint %three 0 %one
            OpStore %slot %sum
            OpBranch %end
            %next = OpLabel
            %i1 = OpIAdd %uint %i %one
            OpBranch %head
            %end = OpLabel
            OpReturn"
        );
        let result = restructured(&shader("", &blocks));
        // The operation is in the loop if the block of the back edge comes after it.
        let position = |op: Op| instructions(&result).position(|i| opcode(i) == op as u32);
        position(Op::GroupNonUniformIAdd) < position(Op::IAdd)
    };
    // Without merge instructions, invocations leave the loop before they run the operation.
    assert!(!search(""));
    assert!(search("OpLoopMerge %end %next 0"));
}

#[test]
fn loop_and_selection_controls_are_kept() {
    let words = shader(
        "",
        "OpBranch %head
        %head = OpLabel
        %i = OpPhi %uint %zero %entry %i1 %next
        %go = OpULessThan %bool %i %u
        OpLoopMerge %end %next 256 7
        OpBranchConditional %go %body %end
        %body = OpLabel
        OpSelectionMerge %join 1
        OpBranchConditional %c %then %join
        %then = OpLabel
        OpStore %slot %one
        OpBranch %join
        %join = OpLabel
        OpStore %slot %two
        OpBranch %next
        %next = OpLabel
        %i1 = OpIAdd %uint %i %one
        OpBranch %head
        %end = OpLabel
        OpReturn",
    );
    let result = restructured(&words);
    assert_eq!(find(&result, Op::LoopMerge)[3..], [256, 7]);
    assert_eq!(find(&result, Op::SelectionMerge)[2..], [1]);
}

/// A search in two loops: the result is sampled after both, with a group operation, so that control
/// gets there with a selector. `sampler` loads the sampled image, in the loops.
fn sampling(sampler: &str) -> Vec<u32> {
    shader_with(
        "%texture %private",
        "OpDecorate %texture 33 1
        OpDecorate %texture 34 1
        OpDecorate %t 0",
        "%float = OpTypeFloat 32
        %v2 = OpTypeVector %float 2
        %v4 = OpTypeVector %float 4
        %image = OpTypeImage %float 1 0 0 0 1 0
        %sampled = OpTypeSampledImage %image
        %pimage = OpTypePointer 0 %sampled
        %texture = OpVariable %pimage 0
        %pprivate = OpTypePointer 6 %sampled
        %private = OpVariable %pprivate 6
        %f0 = OpConstant %float 0
        %v0 = OpConstantComposite %v2 %f0 %f0",
        &format!(
            "OpBranch %outer
            %outer = OpLabel
            %i = OpPhi %uint %zero %entry %i1 %next
            OpBranch %inner
            %inner = OpLabel
            %j = OpPhi %uint %zero %outer %j1 %more
            OpBranchConditional %c %mid %more
            %mid = OpLabel
            {sampler}
            %found = OpIEqual %bool %j %u
            OpBranchConditional %found %hit %more
            %more = OpLabel
            %j1 = OpIAdd %uint %j %one
            %go = OpULessThan %bool %j1 %three
            OpBranchConditional %go %inner %next
            %next = OpLabel
            %i1 = OpIAdd %uint %i %one
            %go1 = OpULessThan %bool %i1 %three
            OpBranchConditional %go1 %outer %end
            %hit = OpLabel
            %sum = OpGroupNonUniformIAdd %uint %three 0 %one
            %s = OpImageSampleExplicitLod %v4 %t %v0 2 %f0
            %s0 = OpCompositeExtract %float %s 0
            %s1 = OpConvertFToU %uint %s0
            OpStore %where %s1
            OpStore %where %sum
            OpBranch %end
            %end = OpLabel
            OpReturn"
        ),
    )
}

#[test]
fn values_that_no_phi_may_have_are_computed_again() {
    let words = sampling(
        "%where = OpAccessChain %puint %buffer %zero
        %p = OpCopyObject %pimage %texture
        %t = OpLoad %sampled %p",
    );
    let result = restructured(&words);
    for (op, more) in [
        (Op::Load, 1),
        (Op::AccessChain, 1),
        (Op::CopyObject, 1),
        (Op::Decorate, 1),
    ] {
        assert_eq!(count(&result, op), count(&words, op) + more, "{op:?}");
    }
}

#[test]
fn what_cannot_be_computed_again_is_an_error() {
    // A private variable may change.
    let words = sampling(
        "%where = OpAccessChain %puint %buffer %zero
        %t = OpLoad %sampled %private",
    );
    let error = restructure(&words, Profile::Spirv).unwrap_err();
    let Error::NoPhi { id } = error else {
        panic!("{error}");
    };
    let is_it = |inst: &[u32]| opcode(inst) == Op::Load as u32 && inst[2] == id;
    assert!(instructions(&words).any(is_it));
}

#[test]
fn terminators_with_operands_and_payloads_are_kept() {
    for (end, op) in [
        ("OpTerminateInvocation", Op::TerminateInvocation),
        ("OpKill", Op::Kill),
        ("OpIgnoreIntersectionKHR", Op::IgnoreIntersectionKHR),
        ("OpEmitMeshTasksEXT %w %one %one", Op::EmitMeshTasksEXT),
    ] {
        let blocks = format!(
            "OpBranchConditional %c %a %b
            %a = OpLabel
            OpBranch %c1
            %b = OpLabel
            OpBranch %c1
            %c1 = OpLabel
            %w = OpPhi %uint %one %a %two %b
            OpBranchConditional %c %d %e
            %d = OpLabel
            {end}
            %e = OpLabel
            OpReturn"
        );
        let words = shader("", &blocks);
        let result = restructure(&words, Profile::Spirv).unwrap();
        assert_eq!(find(&result, op), find(&words, op));
    }
}

#[test]
fn lines_and_names_follow_their_instructions() {
    // Names of a value that is removed and of one that is not.
    let words = shader_with(
        "",
        "OpName %unused \"unused\"
        OpName %x \"x\"",
        "",
        "OpLine %file 1 1
        OpBranchConditional %c %a %b
        %a = OpLabel
        OpLine %file 2 1
        %x = OpIAdd %uint %u %one
        OpBranch %end
        %b = OpLabel
        OpLine %file 3 1
        %y = OpIAdd %uint %u %two
        OpBranch %end
        %dead = OpLabel
        %unused = OpIAdd %uint %u %two
        OpBranch %end
        %end = OpLabel
        %p = OpPhi %uint %x %a %y %b %unused %dead
        OpLine %file 4 1
        OpStore %slot %p
        OpNoLine
        OpStore %slot %p
        OpReturn",
    );
    let x = find(&words, Op::Phi)[3];
    let result = restructured(&words);
    assert_eq!(count(&result, Op::Name), count(&words, Op::Name) - 1);
    assert_eq!(count(&result, Op::Line), 4);
    let mut line = 0;
    for inst in instructions(&result) {
        match Op::from_u32(opcode(inst)) {
            Some(Op::Line) => line = inst[2],
            Some(Op::NoLine | Op::Label) => line = 0,
            Some(Op::IAdd) => assert_eq!(line, if inst[2] == x { 2 } else { 3 }),
            Some(Op::Store) => assert!(line == 4 || line == 0),
            _ => {}
        }
    }
}

#[test]
fn mistakes_are_named() {
    let blocks = |text: &str| {
        restructure(&shader("", text), Profile::Spirv)
            .unwrap_err()
            .to_string()
    };
    for (text, expected) in [
        ("OpBranch %nowhere", "a branch leads to %"),
        (
            "OpBranch %a\n%a = OpLabel\nOpSwitch %u %b 1 %b 1 %b\n%b = OpLabel\nOpReturn",
            "has the literal 1 twice",
        ),
        (
            "OpBranch %a\n%a = OpLabel\n%k = OpIAdd %uint %later %one\nOpBranch %b\n%b = OpLabel\n%later = OpIAdd %uint %u %one\nOpReturn",
            "is used where its definition does not dominate",
        ),
        (
            "OpBranch %a\n%a = OpLabel\n%a2 = OpLabel\nOpReturn",
            "the Label at word",
        ),
        (
            "OpBranch %a\n%a = OpLabel\nOpReturn\n%a3 = OpLabel",
            "has no end",
        ),
        (
            "OpBranch %a\n%a = OpLabel\n%int = OpTypeInt 16 0\nOpReturn",
            "the TypeInt at word",
        ),
        (
            "OpBranch %a\n%a = OpLabel\n%u = OpIAdd %uint %one %one\nOpReturn",
            "is defined twice",
        ),
    ] {
        let found = blocks(text);
        assert!(found.contains(expected), "{found}");
    }
}
