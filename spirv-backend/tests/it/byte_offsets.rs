//! Constant buffers that are read by byte offset: where the lowest four bits of the offset are known, so is
//! the component of the row.

use crate::assembler::{Text, replace, shader};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Word};
use trellis_spirv_backend::{Options, convert_entry};

/// Returns the component that a shader reads from a row, if it is a constant. `%id` is any number, and
/// `%offset` the offset.
fn component(offset: &str) -> Option<u32> {
    read(offset).1
}

/// Returns the operation that computes the row, and the component.
fn read(offset: &str) -> (Op, Option<u32>) {
    let mut input = shader("cbuffers/not_legacy.dxil");
    let body = format!(
        "entry:
        %out : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:1 i32:0 i32:0 i1:0
        %buffer : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:2 i32:0 i32:0 i1:0
        %id : i32 = call @dx.op.threadId.i32 i32:93 i32:0
        {offset}
        %word : float = call @dx.op.cbufferLoad.f32 i32:58 %buffer %offset i32:4
        call @dx.op.bufferStore.f32 i32:69 %out %id i32:0 %word float:undef float:undef float:undef i8:1
        ret"
    );
    replace(&mut input.module, &[Text("main", "void", &[], &body)]);
    let entry = &input.shader.entry_points[0];
    let output = convert_entry(&input, entry, &Options::default()).unwrap();
    let module = rspirv::dr::load_words(output.words).unwrap();
    let id = |inst: &Instruction, at: usize| inst.operands[at].id_ref_any().unwrap();
    let define = |wanted: Word| {
        let mut all = module.all_inst_iter();
        all.find(|inst| inst.result_id == Some(wanted)).unwrap()
    };
    // A member, a row and a component.
    let chains: Vec<_> = module
        .all_inst_iter()
        .filter(|inst| inst.class.opcode == Op::AccessChain && inst.operands.len() == 4)
        .collect();
    assert_eq!(chains.len(), 1);
    let (row, component) = (define(id(chains[0], 2)), define(id(chains[0], 3)));
    let component = match (component.class.opcode, component.operands.first()) {
        (Op::Constant, Some(&Operand::LiteralBit32(number))) => Some(number),
        _ => None,
    };
    (row.class.opcode, component)
}

#[test]
fn elements_of_rows_have_a_known_component() {
    let at = |more: u32| format!("%row : i32 = shl %id i32:4\n%offset : i32 = add %row i32:{more}");
    // The sum may wrap: the row is made of the offset, and its lowest bits stay.
    for (more, expected) in [(0, 0), (4, 1), (20, 1), (24, 2), (0xffff_fffc, 3)] {
        assert_eq!(component(&at(more)), Some(expected), "{more}");
    }
    let words = |offset: &str| {
        format!("%scaled : i32 = mul i32:4 %id\n%sum : i32 = add i32:2 %scaled\n{offset}")
    };
    for (offset, expected) in [
        ("%offset : i32 = shl %sum i32:2", 2),
        (
            "%more : i32 = add %sum i32:9\n%offset : i32 = shl %more i32:2",
            3,
        ),
        (
            "%more : i32 = or %sum i32:1\n%offset : i32 = mul %more i32:4",
            3,
        ),
    ] {
        assert_eq!(component(&words(offset)), Some(expected), "{offset}");
    }
    let or = "%row : i32 = and %id i32:4080\n%offset : i32 = or i32:8 %row";
    assert_eq!(component(or), Some(2));
}

/// The structurizer may rename values of other blocks, and sees only the offset.
#[test]
fn rows_are_sums_of_what_the_block_computes() {
    let offset = "%row : i32 = shl %id i32:4\n%offset : i32 = add %row i32:20";
    assert_eq!(read(offset), (Op::BitwiseAnd, Some(1)));
    let other =
        format!("{offset}\n%c : i1 = ne %id i32:0\nif %c yes join\nyes:\nfence\nbr join\njoin:");
    assert_eq!(read(&other), (Op::ShiftRightLogical, Some(1)));
}

#[test]
fn other_offsets_have_an_unknown_component() {
    for offset in [
        "%offset : i32 = shl %id i32:2",
        "%row : i32 = shl %id i32:3\n%offset : i32 = add %row i32:4",
        "%row : i32 = shl %id i32:4\n%more : i32 = shl %id i32:2\n%offset : i32 = add %row %more",
        "%row : i32 = shl %id i32:4\n%offset : i32 = sub i32:4 %row",
    ] {
        assert_eq!(component(offset), None, "{offset}");
    }
}
