//! Each rule of the bitcode reader on blocks, types, constants and metadata, on the smallest
//! bitstream that breaks it; and the same bitstream with nothing broken.

use crate::small_module::*;
use trellis_dxil_frontend::Error;
use trellis_dxil_frontend::bitcode::read_module;
use trellis_dxil_frontend::error::BitcodeErrorKind as Kind;
use trellis_dxil_frontend::module::{Constant, Module, Type};

const BLOCKINFO: u64 = 0;
const METADATA: u64 = 15;

/// Only types.
fn only_types(list: &[(u64, &[u64])]) -> Result<Module, Error> {
    let mut w = Writer::new();
    w.begin(MODULE, 3).record(1, &[1]);
    types(&mut w, list);
    w.end();
    parse(&w)
}

#[test]
fn wrong_magic_and_wrapper() {
    refused(read_module(b"DXBC", 0), "Magic { found: 1128421444 }");
    refused(read_module(b"BC", 0), "UnexpectedEnd { wanted: 32 }");
    refused(
        read_module(&0xdec0_4342_u32.to_le_bytes(), 0),
        "Missing { what: \"MODULE block\" }",
    );
    let wrapper = |offset: u32, size: u32| {
        [0x0b17_c0de, 0, offset, size, 0]
            .iter()
            .flat_map(|w: &u32| w.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    refused(
        read_module(&wrapper(20, 100), 0),
        "Wrapper { offset: 20, size: 100, available: 20 }",
    );
    refused(
        read_module(&wrapper(u32::MAX, 4), 0),
        "Wrapper { offset: 4294967295, size: 4, available: 20 }",
    );
    refused(read_module(&wrapper(16, 4), 0), "Magic { found: 0 }");
}

#[test]
fn a_wrapped_module_is_read_and_errors_have_absolute_offsets() {
    let inner = {
        let mut w = Writer::new();
        w.begin(MODULE, 3).record(1, &[1]);
        types(&mut w, &TYPES);
        w.end();
        w.bytes()
    };
    let mut file: Vec<u8> = [0x0b17_c0de, 0, 20, inner.len() as u32, 7]
        .iter()
        .flat_map(|w: &u32| w.to_le_bytes())
        .collect();
    file.extend(&inner);
    assert_eq!(
        read_module(&file, 0).expect("a wrapped module").types.len(),
        TYPES.len()
    );
    // A bad record in the middle: its offset counts the bytes before the module too.
    let mut w = Writer::new();
    w.begin(MODULE, 3).record(1, &[9]).end();
    let offset_of = |base: usize| match read_module(&w.bytes(), base) {
        Err(Error::Bitcode(error)) => (error.offset, error.place.block, error.place.record),
        other => panic!("{other:?}"),
    };
    assert_eq!(offset_of(0), (12, Some(8), Some(1)));
    assert_eq!(offset_of(1000), (1012, Some(8), Some(1)));
}

#[test]
fn blocks_and_abbreviations() {
    // Longer than the enclosing block.
    let mut w = Writer::new();
    w.id(1)
        .vbr(MODULE, 8)
        .vbr(3, 4)
        .align()
        .fixed(0xffff_ffff, 32);
    refused(parse(&w), "BlockLength { words: 4294967295, available: 0 }");
    // Does not end where its length puts the end.
    let mut w = Writer::new();
    w.id(1)
        .vbr(MODULE, 8)
        .vbr(3, 4)
        .align()
        .fixed(2, 32)
        .fixed(0, 3)
        .align()
        .fixed(0, 32);
    refused(parse(&w), "BlockEnd { found: 32, expected: 64 }");
    // Undefined abbreviation.
    let mut w = Writer::new();
    w.begin(MODULE, 3).id(5).end();
    refused(parse(&w), "UnknownAbbreviation { id: 5, count: 0 }");
    // A nested block in a block that has none.
    let mut w = Writer::new();
    w.begin(MODULE, 3)
        .begin(TYPE, 3)
        .begin(TYPE, 3)
        .end()
        .end()
        .end();
    refused(parse(&w), "NestedBlock { id: 17 }");
    // Abbreviation before SETBID.
    let mut w = Writer::new();
    w.begin(MODULE, 3)
        .begin(BLOCKINFO, 3)
        .id(2)
        .vbr(1, 5)
        .fixed(1, 1)
        .vbr(0, 8)
        .end()
        .end();
    refused(parse(&w), "Abbreviation {");
}

/// Defines `[literal 2 (triple), array of element]` in the module block, and begins a record with
/// it and this count.
fn array_record(element: impl Fn(&mut Writer), count: u64) -> Writer {
    let mut w = Writer::new();
    w.begin(MODULE, 3)
        .id(2)
        .vbr(3, 5)
        .fixed(1, 1)
        .vbr(2, 8)
        .fixed(0, 1)
        .fixed(3, 3);
    element(&mut w);
    w.id(4).vbr(count, 6);
    w
}

#[test]
fn abbreviated_arrays_and_counts_of_billions() {
    let char6 = |w: &mut Writer| {
        w.fixed(0, 1).fixed(4, 3);
    };
    let mut w = array_record(char6, 3);
    // c, 9, _
    w.fixed(2, 6).fixed(61, 6).fixed(63, 6).end();
    assert_eq!(&*parse(&w).expect("a correct module").triple, "c9_");
    let fixed7 = |w: &mut Writer| {
        w.fixed(0, 1).fixed(1, 3).vbr(7, 5);
    };
    let mut w = array_record(fixed7, 20);
    (0..20).for_each(|i| {
        w.fixed(97 + i, 7);
    });
    w.end();
    assert_eq!(
        &*parse(&w).expect("a correct module").triple,
        "abcdefghijklmnopqrst"
    );
    for count in [4_000_000_000, u64::MAX / 2] {
        let mut w = array_record(fixed7, count);
        w.end();
        refused(parse(&w), "Limit { what: \"elements of an array\"");
        let mut w = Writer::new();
        w.begin(MODULE, 3).id(3).vbr(2, 6).vbr(count, 6).end();
        refused(parse(&w), "Limit { what: \"fields of a record\"");
    }
    // Elements of no width would be free.
    let nothing = |w: &mut Writer| {
        w.fixed(0, 1).fixed(1, 3).vbr(0, 5);
    };
    refused(
        parse(array_record(nothing, 4_000_000_000).end()),
        "Abbreviation {",
    );
    // A variable-width integer that never ends.
    let mut w = Writer::new();
    w.begin(MODULE, 3).id(3).vbr(2, 6).vbr(1, 6);
    (0..14).for_each(|_| {
        w.fixed(0x3f, 6);
    });
    w.fixed(0, 6).end();
    refused(parse(&w), "Field { field: \"variable-width integer\"");
}

#[test]
fn nesting_of_blocks_100_000_deep() {
    // Blocks unknown to the reader are skipped by their length, however deep they are.
    let mut w = Writer::new();
    w.begin(MODULE, 3).record(1, &[1]);
    (0..100_000).for_each(|_| {
        w.begin(99, 3);
    });
    (0..100_001).for_each(|_| {
        w.end();
    });
    assert!(parse(&w).is_ok());
    // Known blocks are not nested that deep.
    let mut w = Writer::new();
    (0..100_000).for_each(|_| {
        w.begin(MODULE, 3);
    });
    (0..100_000).for_each(|_| {
        w.end();
    });
    assert!(
        parse(&w).is_ok(),
        "a module block in a module block is skipped, as LLVM does"
    );
}

#[test]
fn types_that_cannot_be() {
    assert!(only_types(&TYPES).is_ok());
    refused(
        only_types(&[(8, &[5, 0])]),
        "Index { what: \"type\", index: 5, count: 1 }",
    );
    refused(only_types(&[(13, &[])]), "Unsupported {");
    refused(only_types(&[(77, &[])]), "UnknownRecord { code: 77 }");
    refused(only_types(&[(7, &[1 << 23])]), "found: 8388608");
    // [4 x i128]
    refused(only_types(&[(7, &[128]), (11, &[4, 0])]), "OperandType {");
    refused(only_types(&[(7, &[])]), "RecordLength { found: 0");
    // [4 x void]
    refused(only_types(&[(2, &[]), (11, &[4, 0])]), "OperandType {");
    // Literal structure, array and pointer that contain themselves.
    for cycle in [
        &[(18, &[0, 0][..])][..],
        &[(11, &[4, 0])],
        &[(8, &[0, 0])],
        &[(18, &[0, 1]), (11, &[2, 0])],
    ] {
        assert!(
            matches!(error(only_types(cycle)), Kind::TypeCycle { .. }),
            "{cycle:?}"
        );
    }
    // Named structure that contains itself directly, and through a pointer.
    let name: (u64, &[u64]) = (19, &[83]);
    let named = |list: &[(u64, &[u64])]| {
        let mut w = Writer::new();
        w.begin(MODULE, 3)
            .begin(TYPE, 4)
            .record(1, &[list.len() as u64])
            .record(name.0, name.1);
        for (code, fields) in list {
            w.record(*code, fields);
        }
        w.end().end();
        parse(&w)
    };
    refused(named(&[(20, &[0, 0])]), "TypeCycle {");
    let linked =
        named(&[(20, &[0, 1]), (8, &[0, 0])]).expect("a structure with a pointer to itself");
    assert!(
        matches!(&linked.types.as_slice()[0], Type::Struct { name: Some(name), .. } if &**name == "S")
    );
    // More types announced than the block can hold.
    let mut w = Writer::new();
    w.begin(MODULE, 3)
        .begin(TYPE, 4)
        .record(1, &[4_000_000_000])
        .end()
        .end();
    refused(parse(&w), "Limit { what: \"types\"");
}

#[test]
fn types_nested_100_000_deep() {
    // i32, then each an array of the previous one, and in reverse order.
    let mut up: Vec<(u64, Vec<u64>)> = vec![(7, vec![32])];
    up.extend((0..100_000).map(|i| (11, vec![1, i])));
    let mut down: Vec<(u64, Vec<u64>)> = (0..100_000).map(|i| (8, vec![i + 1, 0])).collect();
    down.push((7, vec![32]));
    for list in [up, down] {
        let list: Vec<(u64, &[u64])> = list
            .iter()
            .map(|(code, fields)| (*code, &fields[..]))
            .collect();
        refused(only_types(&list), "Limit { what: \"nesting of a type\"");
    }
}

#[test]
fn constants() {
    let constants = |write: &dyn Fn(&mut Writer)| {
        with_body(write, |w| {
            w.record(1, &[1]).record(10, &[]);
        })
    };
    // [4 x i32] of value 2 four times, a forward reference; then i32 -5.
    let module = constants(&|w| {
        w.record(1, &[7])
            .record(7, &[2, 2, 2, 2])
            .record(1, &[I32])
            .record(4, &[signed(-5)]);
    });
    let module = module.expect("a forward reference between constants");
    assert!(
        matches!(module.constants.as_slice()[0].value, Constant::Aggregate(range) if range.len() == 4)
    );
    assert_eq!(
        module.constants.as_slice()[1].value,
        Constant::Int(0xffff_fffb)
    );
    let most_negative = constants(&|w| {
        w.record(1, &[I32])
            .record(4, &[signed(i64::from(i32::MIN))]);
    });
    assert_eq!(
        most_negative
            .expect("a correct module")
            .constants
            .as_slice()[0]
            .value,
        Constant::Int(0x8000_0000)
    );
    // {i32, i1} that contains itself through a select of the same type; value 1 is the constant, 2
    // is i1.
    let cycle = constants(&|w| {
        w.record(1, &[6])
            .record(13, &[2, 1, 1])
            .record(1, &[4])
            .record(3, &[]);
    });
    refused(cycle, "ConstantCycle { value: 1 }");
    let two = constants(&|w| {
        w.record(1, &[6])
            .record(13, &[3, 2, 2])
            .record(13, &[3, 1, 1])
            .record(1, &[4])
            .record(3, &[]);
    });
    refused(two, "ConstantCycle {");
    let cases: [(Records<'_>, &str); 7] = [
        (&[(2, &[])], "SETTYPE"),
        (&[(1, &[0])], "first-class"),
        (&[(1, &[99])], "out of range"),
        (&[(1, &[5]), (4, &[2])], "integer"),
        (&[(1, &[7]), (7, &[1, 1])], "number of elements"),
        (&[(1, &[7]), (7, &[50, 50, 50, 50])], "out of range"),
        (&[(1, &[7]), (22, &[1, 2, 3, 1 << 32])], "no more bits"),
    ];
    for (records, expected) in cases {
        refused(constants(&|w| write(w, records)), expected);
    }
}

/// DXC's reflection of templates has undefined values of opaque structs.
#[test]
fn an_undefined_value_of_an_opaque_struct() {
    let mut w = Writer::new();
    w.begin(MODULE, 3).record(1, &[1]);
    w.begin(TYPE, 4).record(1, &[1]).record(19, &[b'T'.into()]);
    w.record(6, &[0]).end();
    w.begin(CONSTANTS, 4).record(1, &[0]).record(3, &[]).end();
    w.end();
    let module = parse(&w).expect("a correct module");
    assert_eq!(module.constants.as_slice()[0].value, Constant::Undef);
}

#[test]
fn constants_nested_100_000_deep() {
    // i32 7, then each the negation (0 - x) of the previous one: value n + 1 is 0 - value n.
    let result = with_body(
        |w| {
            w.record(1, &[I32]).record(2, &[]);
            (0..100_000_u64).for_each(|i| {
                w.record(10, &[1, 1, i + 1]);
            });
        },
        |w| {
            w.record(1, &[1]).record(10, &[]);
        },
    );
    refused(result, "Limit { what: \"nesting of a constant\"");
}

#[test]
fn metadata() {
    let with = |write: &dyn Fn(&mut Writer)| {
        let mut w = Writer::new();
        w.begin(MODULE, 3).record(1, &[1]);
        types(&mut w, &TYPES);
        w.begin(METADATA, 3);
        write(&mut w);
        w.end().end();
        parse(&w)
    };
    // !0 = "a", !1 = !{!0, null, !2}, !2 = distinct !{!1}: a cycle is legal.
    let module = with(&|w| {
        w.record(1, &[97])
            .record(3, &[1, 0, 3])
            .record(5, &[2])
            .record(4, &[110])
            .record(10, &[1]);
    });
    let module = module.expect("a correct module");
    let named = module.metadata.named("n").expect("the named node");
    assert_eq!(
        module
            .metadata
            .operand(named[0], 0)
            .and_then(|id| module.metadata.string(id)),
        Some("a")
    );
    assert_eq!(module.metadata.operand(named[0], 1), None);
    let cases: [(Records<'_>, &str); 6] = [
        (&[(10, &[])], "Missing {"),
        (&[(2, &[I32, 3])], "UnresolvedValue { value: 3, count: 0 }"),
        (&[(2, &[99, 0])], "Index { what: \"type\""),
        (&[(3, &[0xffff_ffff])], "Field {"),
        (&[(3, &[9])], "metadata !8, which is never"),
        (&[(4, &[110]), (10, &[5])], "metadata !5, which is never"),
    ];
    for (records, expected) in cases {
        refused(with(&|w| write(w, records)), expected);
    }
}

#[test]
fn bodies_and_definitions_match() {
    let with = |defined: u64, bodies: u64| {
        let mut w = Writer::new();
        w.begin(MODULE, 3).record(1, &[1]);
        types(&mut w, &TYPES);
        (0..defined).for_each(|_| {
            w.record(8, &[2, 0, 0, 0, 0, 0, 0, 0]);
        });
        (0..bodies).for_each(|_| {
            w.begin(FUNCTION, 4).record(1, &[1]).record(10, &[]).end();
        });
        w.end();
        parse(&w)
    };
    assert!(with(2, 2).is_ok());
    refused(
        with(2, 1),
        "Index { what: \"number of function bodies\", index: 1, count: 2 }",
    );
    refused(with(0, 1), "Index { what: \"number of function bodies\"");
}
