//! Each rule of the bitcode reader on function bodies, on the smallest bitstream that breaks it;
//! and the same bitstream with nothing broken.

use crate::small_module::*;
use trellis_dxil_frontend::Error;
use trellis_dxil_frontend::error::BitcodeErrorKind as Kind;
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, Constant, InstKind, Module, Ordering, Type,
};

/// Returns the body in a function with constants `i32 7` (value 1) and `i1 true` (value 2); the
/// argument is value 3, the first result value 4.
fn body(body: impl Fn(&mut Writer)) -> Result<Module, Error> {
    with_body(
        |w| {
            w.record(1, &[I32])
                .record(4, &[14])
                .record(1, &[4])
                .record(4, &[3]);
        },
        body,
    )
}

/// Returns the field that counts back from the next value number to `value`.
fn back(next: u64, value: u64) -> u64 {
    u64::from((next as u32).wrapping_sub(value as u32))
}

#[test]
fn a_small_function_is_read() {
    let module = body(|w| {
        // %4 = add nuw i32 %3, 7; ret void
        w.record(1, &[1])
            .record(2, &[back(4, 3), back(4, 1), 0, 1])
            .record(10, &[]);
    });
    let module = module.expect("a correct module");
    let f = &module.functions.as_slice()[0];
    assert_eq!(module.constants.as_slice()[0].value, Constant::Int(7));
    assert_eq!(module.constants.as_slice()[1].value, Constant::Int(1));
    match f.insts.as_slice()[0].kind {
        InstKind::Binary {
            op: BinaryOp::Add,
            lhs,
            rhs,
            flags,
        } => assert_eq!(
            (lhs.as_u32(), rhs.as_u32(), flags),
            (3, 1, ArithFlags(ArithFlags::NUW))
        ),
        other => panic!("{other:?}"),
    }
    assert_eq!(f.insts.as_slice()[1].kind, InstKind::Ret { value: None });
    assert_eq!(f.values.len(), 2);
}

#[test]
fn operands_and_types_of_instructions() {
    let cases: [(u64, &[u64], &str); 16] = [
        (2, &[1, 2, 0], "right operand has type"),
        (2, &[1, 1, 13], "binary operation is 13"),
        (2, &[1], "expected more"),
        (2, &[1, 1, 0, 0, 0], "2 operands, an operation, flags"),
        (28, &[1, 1, 2], "expected floating point"),
        (28, &[1, 1, 99], "predicate is 99"),
        (3, &[1, 5, 7], "operand of a cast"),
        (20, &[1, 1, 3, 0], "address has type"),
        (19, &[I32, I32, 1, 0x5f], "alignment exponent is 31"),
        (26, &[1, 0], "indexed value has type"),
        (34, &[9, 1 << 15, 2, 4, 1], "attribute list 9"),
        (34, &[0, 1 << 15, 2, 4], "expected more"),
        (34, &[0, 1 << 15, 2, 4, 2], "argument has type"),
        (34, &[0, 1 << 15, 2, 1, 1], "callee has type"),
        (13, &[], "invoke"),
        (99, &[], "unknown record code 99"),
    ];
    for (code, operands, expected) in cases {
        let result = body(|w| {
            w.record(1, &[1]);
            w.record(code, operands);
            w.record(10, &[]);
        });
        refused(result, expected);
    }
}

#[test]
fn attribute_lists_of_calls_have_16_bits() {
    // void f(i32 %1) { call void f(%1) }, with 65,536 attribute lists, which are empty.
    let call = |list: u64| {
        let mut w = Writer::new();
        w.begin(MODULE, 3).record(1, &[1]);
        w.begin(ATTRIBUTES, 4);
        for _ in 0..=u16::MAX {
            w.record(2, &[]);
        }
        w.end();
        types(&mut w, &TYPES);
        w.record(8, &[2, 0, 0, 0, 0, 0, 0, 0]);
        w.begin(FUNCTION, 4).record(1, &[1]);
        w.record(34, &[list, 1 << 15, 2, 2, 1]).record(10, &[]);
        w.end().end();
        parse(&w)
    };
    let module = call(65_535).expect("a correct module");
    match module.functions.as_slice()[0].insts.as_slice()[0].kind {
        InstKind::Call { attributes, .. } => assert_eq!(attributes, 65_535),
        other => panic!("{other:?}"),
    }
    let kind = error(call(65_536));
    assert!(
        kind.to_string().contains("attribute list of a call 65536"),
        "{kind}"
    );
}

/// Without `weak` the result is the value in memory, and without a failure ordering that is as strong
/// as the ordering allows: the form of LLVM 3.4, which Mesa writes.
#[test]
fn cmpxchg_of_llvm_3_4() {
    for (fields, ordering) in [
        (&[0, 6, 1][..], Ordering::SeqCst),
        (&[0, 4, 1], Ordering::Monotonic),
        (&[0, 5, 1], Ordering::Acquire),
        (&[0, 6, 1, 2], Ordering::Monotonic),
    ] {
        // %4 = alloca i32; %5 = cmpxchg i32* %4, i32 7, i32 7; %6 = add i32 %5, 7.
        let module = body(|w| {
            w.record(1, &[1]).record(19, &[I32, I32, 1, 0x43]);
            w.record(37, &[&[1, 4, 4], fields].concat())
                .record(2, &[1, 5, 0])
                .record(10, &[]);
        });
        let module = module.expect("a correct module");
        let exchange = module.functions.as_slice()[0].insts.as_slice()[1];
        assert_eq!(u64::from(exchange.ty.as_u32()), I32);
        let InstKind::CmpXchg { failure, weak, .. } = exchange.kind else {
            panic!("{exchange:?}")
        };
        assert_eq!((failure, weak), (ordering, false));
    }
}

#[test]
fn getelementptr_walks_types() {
    // %4 = alloca [4 x i32]; %5 = gep [4 x i32], %4, 7, 7; load i32 %5.
    let gep = |indices: &[u64]| {
        body(|w| {
            w.record(1, &[1]).record(19, &[7, I32, 1, 0x43]);
            w.record(43, &[&[0, 7, 1], indices].concat())
                .record(20, &[1, I32, 3, 0])
                .record(10, &[]);
        })
    };
    let module = gep(&[4, 4]).expect("a correct module");
    assert_eq!(
        module.functions.as_slice()[0].insts.as_slice()[1]
            .ty
            .as_u32(),
        3,
        "i32*"
    );
    refused(gep(&[4, 4, 4]), "indexed value has type");
    // A pointer as an index.
    refused(gep(&[1, 4]), "index of getelementptr has type");
}

#[test]
fn forward_references() {
    // Block 0: br 1. Block 1: %4 = phi i32 [7, 0], [%5, 1]; %5 = add %4, 7; br true, 1, 2. Block 2:
    // ret.
    let looped = |incoming: &[u64]| {
        body(|w| {
            w.record(1, &[3]).record(11, &[1]);
            w.record(16, &[&[I32], incoming].concat())
                .record(2, &[1, back(5, 1), 0])
                .record(11, &[1, 2, back(6, 2)])
                .record(10, &[]);
        })
    };
    assert!(looped(&[signed(3), 0, signed(-1), 1]).is_ok());
    // Value 9 is never defined; value 2 is i1.
    assert_eq!(
        error(looped(&[signed(3), 0, signed(-5), 1])),
        Kind::UnresolvedValue { value: 9, count: 6 }
    );
    refused(
        looped(&[signed(3), 0, signed(2), 1]),
        "TypeMismatch { what: \"operand of phi\"",
    );
    // One operand for each edge.
    refused(looped(&[signed(3), 0]), "ControlFlow {");
    refused(looped(&[signed(3), 0, signed(3), 0]), "ControlFlow {");
    refused(
        looped(&[signed(3), 0, signed(3), 7]),
        "Index { what: \"basic block\", index: 7, count: 3 }",
    );
    // An operand of another type than its earlier use requires: %4 = add i32 %5, 7; %5 = icmp eq.
    let late = body(|w| {
        w.record(1, &[1])
            .record(2, &[back(4, 5), I32, back(4, 1), 0])
            .record(28, &[back(5, 1), back(5, 1), 32])
            .record(10, &[]);
    });
    refused(late, "TypeMismatch { what: \"operand defined later\"");
}

#[test]
fn blocks_of_a_function() {
    let cases: [(Records<'_>, &str); 9] = [
        (&[(10, &[])], "before the declaration of blocks"),
        (&[(1, &[0])], "number of basic blocks is 0"),
        (&[(1, &[4_000_000_000])], "basic blocks: 4000000000"),
        (&[(1, &[1])], "number of basic blocks 0"),
        (&[(1, &[1]), (2, &[1, 1, 0])], "no terminator"),
        (
            &[(1, &[1]), (10, &[]), (10, &[])],
            "after the last block's terminator",
        ),
        (&[(1, &[1]), (11, &[0])], "branch to the entry block"),
        (
            &[(1, &[2]), (11, &[2]), (10, &[])],
            "basic block 2 out of range",
        ),
        (&[(1, &[1]), (10, &[1])], "returned value has type"),
    ];
    for (records, expected) in cases {
        refused(body(|w| write(w, records)), expected);
    }
}

#[test]
fn switches() {
    // switch i32 %3, default 1 [7: block 2]
    let plain = body(|w| {
        w.record(1, &[3])
            .record(12, &[I32, 1, 1, 1, 2])
            .record(10, &[])
            .record(10, &[]);
    });
    let module = plain.expect("a correct module");
    let InstKind::Switch { cases, .. } = module.functions.as_slice()[0].insts.as_slice()[0].kind
    else {
        panic!("no switch")
    };
    let cases: Vec<_> = module.functions.as_slice()[0]
        .switch_cases(cases)
        .map(|(literal, block)| (literal, block.as_u32()))
        .collect();
    assert_eq!(cases, [(7, 2)]);
    // LLVM 3.3's form: one case of two items, 3 and 10 to 12.
    let ranges = |high: u64| {
        body(|w| {
            w.record(1, &[3])
                .record(
                    12,
                    &[
                        0x4b5 << 16,
                        I32,
                        1,
                        1,
                        1,
                        2,
                        1,
                        signed(3),
                        0,
                        signed(10),
                        signed(high as i64),
                        2,
                    ],
                )
                .record(10, &[])
                .record(10, &[]);
        })
    };
    let module = ranges(12).expect("a correct module");
    let InstKind::Switch { cases, .. } = module.functions.as_slice()[0].insts.as_slice()[0].kind
    else {
        panic!("no switch")
    };
    let cases: Vec<_> = module.functions.as_slice()[0]
        .switch_cases(cases)
        .map(|(literal, block)| (literal, block.as_u32()))
        .collect();
    assert_eq!(cases, [(3, 2), (10, 2), (11, 2), (12, 2)]);
    refused(ranges(4_000_000_000), "Limit { what: \"cases of a switch\"");
    // A case that is not a constant.
    let argument = body(|w| {
        w.record(1, &[2])
            .record(12, &[I32, 1, 1, 3, 1])
            .record(10, &[]);
    });
    refused(argument, "OperandType { what: \"case\"");
}

#[test]
fn a_wide_integer_is_a_vector_and_is_truncated() {
    const VECTOR: u64 = 10;
    const I128: u64 = 11;
    // Value 1 is a vector, 2 is `i1 true`, 3 the argument; %4 = bitcast <4 x i32> %1 to i128.
    let wide = |code: u64, operands: &[u64]| {
        with_body(
            |w| {
                w.record(1, &[VECTOR]).record(2, &[]);
                w.record(1, &[4]).record(4, &[3]);
            },
            |w| {
                w.record(1, &[1]).record(3, &[back(4, 1), I128, 11]);
                w.record(code, operands).record(10, &[]);
            },
        )
    };
    let module = wide(3, &[1, I32, 0]).expect("a truncation to i32");
    let f = &module.functions.as_slice()[0];
    assert_eq!(*module.ty(f.insts.as_slice()[0].ty), Type::WideInt(128));
    assert_eq!(*module.ty(f.insts.as_slice()[1].ty), Type::Int(32));
    let cases: [(u64, &[u64], &str); 7] = [
        (3, &[1, VECTOR, 11], "operand of bitcast has type"),
        (3, &[1, I128, 11], "operand of bitcast has type"),
        (3, &[2, I128, 1], "operand of a cast has type"),
        (2, &[1, 1, 0], "operand of a binary operation has type"),
        (5, &[1, 1, 3], "operand of select has type"),
        (16, &[I128], "phi has type"),
        (19, &[I128, I32, 2, 0x43], "alloca has type"),
    ];
    for (code, operands, expected) in cases {
        refused(wide(code, operands), expected);
    }
    let constant = with_body(
        |w| {
            w.record(1, &[I128]);
        },
        |_| {},
    );
    refused(constant, "constant has type");
}
