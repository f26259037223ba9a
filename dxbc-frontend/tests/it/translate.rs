//! Small programs are translated and run; invalid ones are refused.

use dxbc_evaluator::Error;
use trellis_dxbc_frontend::read;
use trellis_dxbc_frontend::tokens::{Op, Program};
use trellis_dxil_frontend::container::{Container, FourCC};
use trellis_dxil_frontend::disasm;
use trellis_dxil_interpreter::dispatch::Dispatch;
use trellis_dxil_interpreter::{Inputs, Options, run_module};

use crate::assembler::assemble;

/// Runs a program, and returns the first four words of `u0`.
fn run(text: &str) -> [u32; 4] {
    let file = assemble(text);
    let input = read(&file).unwrap_or_else(|error| panic!("{error}"));
    let dispatch = r#"{"groups": [1, 1, 1], "bindings":
        [{"class": "uav", "register": 0, "kind": "raw", "bytes": 16}]}"#;
    let dispatch = Dispatch::from_json(dispatch).unwrap();
    let inputs = Inputs::try_from(&dispatch).unwrap();
    let outputs = run_module(&input.module, &input.shader, &inputs, &Options::default()).unwrap();
    let bytes = &outputs.uav(0, 0).unwrap().bytes;
    let words: [u32; 4] =
        std::array::from_fn(|i| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap()));
    match dxbc_evaluator::run(&file, &dispatch) {
        Ok(contents) => assert_eq!(contents[0].1, *bytes, "the evaluator differs: {text}"),
        Err(Error::Unsupported(_)) => {}
        Err(error) => panic!("{error}: {text}"),
    }
    words
}

/// Runs instructions that set `r0`, which is stored.
fn value(text: &str) -> [u32; 4] {
    run(&format!("{text}\nstore_raw u0.xyzw, l(0), r0.xyzw\nret"))
}

fn floats(text: &str) -> [f32; 4] {
    value(text).map(f32::from_bits)
}

#[test]
fn sources_are_read_before_any_destination_is_written() {
    assert_eq!(
        value("mov r0.xyzw, l(1, 2, 3, 4)\nmov r0.xyz, r0.yxxx"),
        [2, 1, 1, 4]
    );
    assert_eq!(
        value("mov r0.xyzw, l(7, 9, 0, 0)\nswapc r0.xy, r0.zw, l(0, 1, 0, 1), r0.xyxy, r0.yxyx"),
        [7, 7, 9, 9]
    );
    let [sin, cos, ..] = floats("mov r0.xyzw, l(1.0, 1.0, 0, 0)\nsincos r0.x, r0.y, r0.xxxx");
    assert!((sin - 1f32.sin()).abs() < 1e-5 && (cos - 1f32.cos()).abs() < 1e-5);
}

#[test]
fn integers_follow_the_specification() {
    assert_eq!(
        value(
            "ishl r0.x, l(1), l(33)\nishr r0.y, l(-8), l(34)\nushr r0.z, l(-8), l(60)\nnot r0.w, l(5)"
        ),
        [2, -2i32 as u32, 15, !5]
    );
    assert_eq!(
        value("udiv r0.x, r0.y, l(7), l(0)\nudiv r0.z, r0.w, l(17), l(5)"),
        [u32::MAX, u32::MAX, 3, 2]
    );
    assert_eq!(
        value("uaddc r0.x, r0.y, l(-1), l(3)\nusubb r0.z, r0.w, l(2), l(3)"),
        [2, 1, u32::MAX, 1]
    );
    assert_eq!(
        value(
            "imul r0.x, r0.y, l(-3), l(5)\numul r0.z, null, l(0x80000000), l(6)\nineg r0.w, l(4)"
        ),
        [u32::MAX, -15i32 as u32, 3, -4i32 as u32]
    );
    assert_eq!(
        value(
            "ftoi r0.x, l(-3000000000.0)\nftou r0.y, l(-1.5)\nftou r0.z, l(0x7fc00000)\nftoi r0.w, l(-1.75)"
        ),
        [0x8000_0000, 0, 0, -1i32 as u32]
    );
    assert_eq!(
        value("umul r0.x, r0.y, l(-1), l(3)\numad r0.z, l(2), l(3), l(4)\nabort\ndebug_break\nnop"),
        [2, -3i32 as u32, 10, 0]
    );
    assert_eq!(
        value(
            "bfi r0.x, l(4), l(8), l(5), l(0xffff)\nubfe r0.y, l(4), l(4), l(0xabc)\nibfe r0.z, l(4), l(4), l(0xabc)\nfirstbit_hi r0.w, l(1)"
        ),
        [0xf5ff, 0xb, 0xffff_fffb, 31]
    );
}

#[test]
fn finite_numbers_are_finite_halves() {
    assert_eq!(
        value("f32tof16 r0.xyzw, l(65520.0, -1000000.0, 0x7f800000, 1.5)"),
        [0x7bff, 0xfbff, 0x7c00, 0x3e00]
    );
    assert!(value("f32tof16 r0.x, l(0x7fc00000)")[0] & 0x3ff != 0);
}

#[test]
fn comparisons_yield_masks() {
    assert_eq!(
        value(
            "lt r0.x, l(1.0), l(2.0)\nne r0.y, l(0x7fc00000), l(0x7fc00000)\nge r0.z, l(0x7fc00000), l(1.0)\nieq r0.w, l(3), l(4)"
        ),
        [u32::MAX, u32::MAX, 0, 0]
    );
    assert_eq!(
        value("movc r0.xyzw, l(0, 1, 0x80000000, 0), l(1, 2, 3, 4), l(5, 6, 7, 8)"),
        [5, 2, 3, 8]
    );
}

#[test]
fn modifiers_and_saturate_apply_to_floats() {
    assert_eq!(
        floats(
            "mov r1.x, l(-2.5)\nmov r0.x, -r1.x\nadd r0.y, |r1.x|, l(1.0)\nmov r0.z, -|r1.x|\nmov_sat r0.w, -r1.x"
        ),
        [2.5, 3.5, -2.5, 1.0]
    );
    assert_eq!(
        value("mov r1.x, l(7)\niadd r0.x, -r1.x, l(10)"),
        [3, 0, 0, 0]
    );
}

#[test]
fn doubles_are_pairs_of_components() {
    let pair = "dadd r1.xy, d(1.5), d(2.25)\ndmul r1.zw, r1.xyxy, d(2.0)\n";
    // The second component that is written is of the second double.
    assert_eq!(
        floats(&format!("{pair}dtof r0.xz, r1.xyzw")),
        [3.75, 0.0, 7.5, 0.0]
    );
    assert_eq!(
        value(&format!("{pair}dlt r0.yw, r1.xyzw, r1.zwxy")),
        [0, u32::MAX, 0, 0]
    );
    assert_eq!(
        value(&format!(
            "{pair}dmovc r1.xyzw, l(0, 1, 0, 0), r1.xyxy, r1.zwzw\ndtoi r0.xy, -r1.xyzw"
        )),
        [-7i32 as u32, -3i32 as u32, 0, 0]
    );
    assert_eq!(
        value(
            "itod r1.zw, l(-3, 0, 0, 0)\ndtoi r0.x, r1.zwzw\nftod r1.xyzw, l(4.0, 5.0, 0, 0)\ndtou r0.yz, r1.xyzw"
        ),
        [-3i32 as u32, 4, 5, 0]
    );
}

/// Returns the translation of instructions that set `r0`, as a listing.
fn listing(text: &str) -> String {
    let file = assemble(&format!("{text}\nstore_raw u0.xyzw, l(0), r0.xyzw\nret"));
    let input = read(&file).unwrap();
    disasm::disassemble(&input.module, None, None).unwrap()
}

#[test]
fn arithmetic_of_minimum_precision_is_on_halves() {
    let text = "mov r1.xyzw, l(2049.0, 1.0, 0, 4.0)
        add r0.x{min16f}, r1.x, l(1.0)
        mul r0.y{min16f}, -r0.x{min16f}, r1.y
        dp2 r0.z{min16f}, r1.xyxx, l(1.0, 0, 0, 0)
        rcp r0.w{min16f}, r1.w";
    let listing = listing(text);
    for operation in ["fadd half", "fmul half", "@dx.op.dot2.f16(", "fdiv half"] {
        assert!(listing.contains(operation), "{operation}: {listing}");
    }
    // Four numbers: a half is not made again of the float that it became.
    assert_eq!(listing.matches("fptrunc").count(), 4, "{listing}");
    // Translations without the option have 32 bits.
    assert_eq!(floats(text), [2050.0, -2050.0, 2049.0, 0.25]);
}

#[test]
fn doubles_are_made_of_words_only_where_those_are_no_double() {
    let count = |text: &str| {
        let listing = listing(&format!("{text}\ndtoi r0.xy, r1.xyzw"));
        listing.matches("= call double @dx.op.makeDouble").count()
    };
    let doubles = "dadd r1.xyzw, d(1.5), d(2.25)\nmov r2.xyzw, r1.xyzw";
    assert_eq!(
        count(&format!("{doubles}\ndmul r1.xyzw, r2.xyzw, r1.zwxy")),
        0
    );
    assert_eq!(count(&format!("{doubles}\nmov r1.x, r2.z")), 1);
    assert_eq!(count(&format!("{doubles}\nmov r1.xyzw, r2.yxwz")), 2);
}

#[test]
fn arrays_stay_in_their_bounds() {
    let text = "mov x0[1].xyzw, l(1, 2, 3, 4)
        mov r1.x, l(1)
        mov r0.xy, x0[r1.x + 0].zwzw
        mov r1.x, l(100)
        mov x0[r1.x + 0].x, l(9)
        mov r0.z, x0[1].x
        mov r0.w, icb[r1.x + 0].x";
    assert_eq!(value(text), [3, 4, 1, 0]);
    assert_eq!(
        value("mov r1.x, l(1)\nmov r0.xyzw, icb[r1.x + 0].xyzw"),
        [5, 6, 7, 8]
    );
    // An index in an array.
    assert_eq!(
        value("mov x0[2].y, l(1)\nmov r0.x, icb[x0[2].y + 0].z"),
        [7, 0, 0, 0]
    );
}

#[test]
fn swizzles_of_memory_select_from_the_result() {
    let store = "store_raw u0.xyzw, l(0), l(1, 2, 3, 4)";
    assert_eq!(
        value(&format!("{store}\nld_raw r0.xyzw, l(4), u0.zyxw")),
        [4, 3, 2, 0]
    );
    assert_eq!(
        value(
            "store_raw g0.xy, l(8), l(5, 6, 0, 0)\nld_raw r0.xy, l(8), g0.yxxx
            store_structured g1.xy, l(3), l(0), l(7, 8, 0, 0)
            ld_structured r0.zw, l(3), l(0), g1.xxyx"
        ),
        [6, 5, 8, 7]
    );
}

#[test]
fn atomic_operations_yield_the_value_before() {
    assert_eq!(
        value(
            "store_raw g0.x, l(8), l(5)\nstore_structured g1.y, l(3), l(0), l(0, 8, 0, 0)
            imm_atomic_iadd r0.x, g0, l(8), l(10)\nld_raw r0.y, l(8), g0.xxxx
            imm_atomic_umax r0.z, g1, l(3, 4, 0, 0), l(99)
            ld_structured r0.w, l(3), l(4), g1.xxxx"
        ),
        [5, 15, 8, 99]
    );
    assert_eq!(
        value(
            "store_raw u0.xyzw, l(0), l(1, 2, 3, 4)
            imm_atomic_cmp_exch r0.x, u0, l(4), l(2), l(77)
            imm_atomic_cmp_exch r0.y, u0, l(8), l(2), l(78)
            ld_raw r0.zw, l(4), u0.xxxy"
        ),
        [2, 3, 77, 3]
    );
}

#[test]
fn switches_fall_through() {
    let run = |selector: u32| {
        value(&format!(
            "switch l({selector})
               case l(1)
               iadd r0.x, r0.x, l(1)
               default
               case l(2)
               iadd r0.x, r0.x, l(10)
               break
               iadd r0.x, r0.x, l(1000)
               case l(3)
               iadd r0.x, r0.x, l(100)
             endswitch"
        ))[0]
    };
    assert_eq!([1, 2, 3, 4].map(run), [11, 10, 100, 10]);
}

#[test]
fn loops_break_and_continue() {
    // 1 + 3 + 5 + 7: even numbers are skipped inside a switch, 8 ends the loop.
    let text = "loop
          ieq r1.y, r1.x, l(8)
          breakc_nz r1.y
          iadd r1.x, r1.x, l(1)
          and r1.z, r1.x, l(1)
          switch r1.z
            case l(0)
            iadd r0.y, r0.y, l(1)
            continue
            default
            break
          endswitch
          iadd r0.x, r0.x, r1.x
          ieq r1.w, r1.x, l(7)
          continuec_z r1.w
          mov r0.z, r1.x
        endloop";
    assert_eq!(value(text), [16, 4, 7, 0]);
}

#[test]
fn calls_return_to_their_place() {
    let text = "call label0
        call label0
        callc_z r0.w, label1
        callc_nz r0.w, label1
        store_raw u0.xyzw, l(0), r0.xyzw
        retc_nz r0.w
        store_raw u0.x, l(0), l(99)
        ret
        label label0
        iadd r0.x, r0.x, l(1)
        call label1
        iadd r0.z, r0.z, l(1)
        ret
        label label1
        iadd r0.y, r0.y, l(1)
        ieq r1.x, r0.y, l(2)
        retc_nz r1.x
        loop
          mov r0.w, l(5)
          ret
        endloop
        ret";
    assert_eq!(run(text), [2, 3, 2, 5]);
}

#[test]
fn code_that_is_not_reached_is_dropped() {
    let text = "mov r0.x, l(1)
        loop
          break
          if_nz r0.x
            mov r0.x, l(2)
          else
            loop
              mov r0.x, l(3)
            endloop
          endif
          call label7
        endloop";
    assert_eq!(value(text), [1, 0, 0, 0]);
}

/// Translates a shader after opcodes were replaced.
fn with_opcodes(shader: &str, opcodes: &[(Op, Op)]) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders/");
    let mut file = std::fs::read(format!("{path}{shader}.dxbc")).unwrap();
    let container = Container::open(&file).unwrap();
    let program = Program::read(&container).unwrap();
    for item in &program.items {
        if let Some((_, to)) = opcodes.iter().find(|pair| pair.0 == item.op) {
            file[item.offset] = *to as u8;
        }
    }
    let input = read(&file).unwrap();
    disasm::disassemble(&input.module, None, None).unwrap()
}

#[test]
fn opcodes_that_fxc_does_not_emit() {
    let cases = [
        ("opcodes.geometry", (Op::Emit, Op::EmitThenCut)),
        ("geometry", (Op::EmitStream, Op::EmitThenCutStream)),
    ];
    for (shader, opcodes) in cases {
        assert!(!with_opcodes(shader, &[]).contains("emitThenCutStream"));
        assert!(with_opcodes(shader, &[opcodes]).contains("emitThenCutStream"));
    }
    let join = [
        (Op::HsForkPhase, Op::HsJoinPhase),
        (
            Op::DclHsForkPhaseInstanceCount,
            Op::DclHsJoinPhaseInstanceCount,
        ),
    ];
    let rates = [(Op::DerivRtyCoarse, Op::DerivRty)];
    for (shader, opcodes) in [("opcodes.hull", &join[..]), ("opcodes.pixel", &rates)] {
        assert_eq!(with_opcodes(shader, opcodes), with_opcodes(shader, &[]));
    }
}

/// Only a geometry shader's outputs have streams.
#[test]
fn streams_of_other_stages_are_refused() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders/geometry.dxbc");
    let mut file = std::fs::read(path).unwrap();
    let container = Container::open(&file).unwrap();
    let offset = container.part(FourCC::SHADER_EX).unwrap().offset;
    // The stage in the version: a hull shader.
    file[offset + 2] = 3;
    let error = read(&file).unwrap_err().to_string();
    assert!(
        error.contains("stream of a signature element is 1, expected 0"),
        "{error}"
    );
}

#[test]
fn refused_programs() {
    let doubling: String = (0..31)
        .map(|i| format!("label label{i}\ncall label{0}\ncall label{0}\nret\n", i + 1))
        .collect();
    let nested = "if_nz r0.x\n".repeat(3000);
    let cases = [
        (
            nested.as_str(),
            "if: nested scopes: 2113 exceeds the limit of 2112",
        ),
        ("break", "break: it is not in a loop or switch"),
        ("endif", "endif: an endif without an if"),
        (
            "if_nz r0.x\nelse\nelse\nendif",
            "else: an else without an if",
        ),
        ("loop\nret", "ret: a scope that is not ended"),
        ("case l(1)", "case: a label outside of a switch"),
        (
            "switch r0.x\ncase l(1)\ncase l(1)\nendswitch",
            "switch: two cases have one value",
        ),
        ("call label3", "call: the label does not exist"),
        (
            "call label0\nret\nlabel label0\ncall label0\nret",
            "call: more than 32 nested calls",
        ),
        (
            "mov r5000.x, l(1)",
            "mov: the number of a temporary register",
        ),
        ("mov r0.x, x1[0].x", "mov: the array is not declared"),
        ("dmov r0.x, d(1.0)", "dmov: a half of a double is written"),
        (
            "mov o0.x, l(1)",
            "mov: the register is not in the signature",
        ),
        (
            &format!("call label0\nret\n{doubling}label label31\nret"),
            "instructions after calls are translated in place",
        ),
    ];
    for (text, expected) in cases {
        let file = assemble(text);
        let Err(error) = read(&file) else {
            panic!("{text} is translated");
        };
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}
