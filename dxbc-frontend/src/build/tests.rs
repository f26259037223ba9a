//! Modules that were built, as listings.

use trellis_dxil_frontend::disasm::disassemble;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{BinaryOp, Predicate};

use super::{Builder, Overload, Value};

fn input(b: &mut Builder, row: u32) -> Value {
    let args = [
        b.i32(0),
        b.i32(row),
        b.i8(0),
        b.undef(b.scalar(Overload::I32)),
    ];
    b.op(Op::LoadInput, Overload::F32, &args)
}

fn output(b: &mut Builder, value: Value) {
    let (value, args) = (b.float(value), [b.i32(0), b.i32(0), b.i8(0)]);
    b.op_void(
        Op::StoreOutput,
        Overload::F32,
        &[args[0], args[1], args[2], value],
    );
}

/// Builds a function `main` and returns its body.
fn body(build: impl FnOnce(&mut Builder)) -> String {
    let mut b = Builder::new();
    b.begin_function("main");
    build(&mut b);
    b.end_function();
    let module = b.finish().expect("a small module");
    let text = disassemble(&module, None, None).expect("a module that can be listed");
    let start = text.find("define").expect("a definition");
    let body = text[start..].split("\n}").next().unwrap_or_default();
    let body = body
        .lines()
        .skip(1)
        .map(|line| line.split("  ;").next().unwrap_or_default());
    body.map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn a_variable_of_two_branches_is_a_phi_of_floats() {
    let text = body(|b| {
        let x = input(b, 0);
        b.write(0, x);
        b.write(1, x);
        let zero = b.f32(0.0);
        let cond = b.cmp(Predicate::FOlt, x, zero);
        let (then, end) = (b.new_block(), b.new_block());
        b.cond_br(cond, then, end);
        b.begin(then);
        b.seal(then);
        let sum = b.binary(BinaryOp::FAdd, x, x);
        b.write(0, sum);
        // Not read: dead.
        b.write(2, sum);
        b.begin(end);
        b.seal(end);
        let (merged, same) = (b.read(0), b.read(1));
        let (merged, same) = (b.float(merged), b.float(same));
        let product = b.binary(BinaryOp::FMul, merged, same);
        output(b, product);
    });
    assert_eq!(
        text,
        "  %1 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)
  %2 = fcmp olt float %1, 0.000000e+00
  br i1 %2, label %3, label %5

; <label>:3
  %4 = fadd float %1, %1
  br label %5

; <label>:5
  %6 = phi float [ %1, %0 ], [ %4, %3 ]
  %7 = fmul float %6, %1
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %7)
  ret void
"
    );
}

#[test]
fn a_loop_has_phis_of_what_it_changes() {
    let text = body(|b| {
        let (zero, one, limit) = (b.i32(0), b.i32(1), b.i32(10));
        let unchanged = input(b, 0);
        b.write(0, zero);
        b.write(1, unchanged);
        let (head, next, end) = (b.new_block(), b.new_block(), b.new_block());
        b.begin(head);
        let counter = b.read(0);
        let counter = b.int(counter);
        let cond = b.cmp(Predicate::IUge, counter, limit);
        b.cond_br(cond, end, next);
        b.begin(next);
        b.seal(next);
        let value = b.read(1);
        output(b, value);
        let sum = b.binary(BinaryOp::Add, counter, one);
        b.write(0, sum);
        b.br(head);
        b.seal(head);
        b.begin(end);
        b.seal(end);
        let value = b.read(0);
        output(b, value);
    });
    assert_eq!(
        text,
        "  %1 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)
  br label %2

; <label>:2
  %3 = phi i32 [ 0, %0 ], [ %7, %6 ]
  %4 = bitcast i32 %3 to float
  %5 = icmp uge i32 %3, 10
  br i1 %5, label %8, label %6

; <label>:6
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %1)
  %7 = add i32 %3, 1
  br label %2

; <label>:8
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %4)
  ret void
"
    );
}

#[test]
fn unreached_code_and_unused_values_are_not_written() {
    let text = body(|b| {
        let x = input(b, 0);
        let _unused = b.binary(BinaryOp::FAdd, x, x);
        output(b, x);
        b.ret();
        output(b, x);
        let block = b.new_block();
        b.begin(block);
        output(b, x);
    });
    assert_eq!(
        text,
        "  %1 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %1)
  ret void
"
    );
}
