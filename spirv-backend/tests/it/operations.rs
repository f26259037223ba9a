//! The translation of the operations and the stage interface, on the SPIR-V of corpus shaders.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Op, Word};
use trellis_spirv_backend::{Options, convert, convert_entry};

use crate::common;

/// Converts a shader of the corpus.
fn module(shader: &str, options: &Options) -> Module {
    let dxil = common::shader(&format!("{shader}.dxil"));
    let output = convert(&dxil, options).unwrap_or_else(|e| panic!("{shader}: {e}"));
    rspirv::dr::load_words(output.words).unwrap_or_else(|e| panic!("{shader}: {e}"))
}

/// Instructions of all functions with one of these opcodes.
fn body<'a>(module: &'a Module, ops: &'a [Op]) -> impl Iterator<Item = &'a Instruction> {
    module
        .functions
        .iter()
        .flat_map(|f| &f.blocks)
        .flat_map(|b| &b.instructions)
        .filter(|i| ops.contains(&i.class.opcode))
}

/// Returns all instructions that have a result, by id.
fn definitions(module: &Module) -> HashMap<Word, &Instruction> {
    module
        .all_inst_iter()
        .filter_map(|i| Some((i.result_id?, i)))
        .collect()
}

fn id(instruction: &Instruction, operand: usize) -> Word {
    instruction.operands[operand].id_ref_any().expect("an id")
}

/// Returns the literal of a scalar constant.
fn constant(definition: &Instruction) -> Option<u64> {
    match (definition.class.opcode, definition.operands.first()) {
        (Op::Constant, Some(Operand::LiteralBit32(v))) => Some((*v).into()),
        (Op::Constant, Some(Operand::LiteralBit64(v))) => Some(*v),
        _ => None,
    }
}

#[test]
fn a_remainder_of_64_bits_is_of_its_quotient() {
    // Drivers make the same instruction of a quotient and of that in its remainder.
    let module = module("arithmetic/int64", &Options::default());
    assert_eq!(body(&module, &[Op::UMod, Op::SRem]).count(), 0);
    let quotients: Vec<_> = body(&module, &[Op::UDiv]).collect();
    let operands = |at: usize| (id(quotients[at], 0), id(quotients[at], 1));
    assert_eq!(quotients.len(), 4);
    assert_eq!(operands(2).0, operands(3).0);
}

#[test]
fn shift_amounts_stay_below_the_width() {
    let module = module("arithmetic/shift_amounts", &Options::default());
    let definitions = definitions(&module);
    let width = |ty: Word| match definitions[&ty].operands[0] {
        Operand::LiteralBit32(width) => u64::from(width),
        ref other => panic!("{other:?}"),
    };
    let mut shifts = 0;
    for shift in body(
        &module,
        &[
            Op::ShiftLeftLogical,
            Op::ShiftRightLogical,
            Op::ShiftRightArithmetic,
        ],
    ) {
        shifts += 1;
        let width = width(shift.result_type.expect("a type"));
        let mut amount = definitions[&id(shift, 1)];
        // A mask taken before a conversion of the amount to the width of the value counts.
        while matches!(amount.class.opcode, Op::UConvert | Op::SConvert) {
            amount = definitions[&id(amount, 0)];
        }
        let bound = match amount.class.opcode {
            Op::BitwiseAnd => (0..2)
                .filter_map(|i| constant(definitions[&id(amount, i)]))
                .min(),
            _ => constant(amount),
        };
        assert!(bound.is_some_and(|b| b < width), "{shift:?} by {amount:?}");
    }
    assert!(shifts >= 9, "{shifts} shifts");
}

#[test]
fn what_only_helper_lanes_read_first_is_zero() {
    let bytes = common::shader("waves/pixel_include_helpers.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).unwrap();
    // Without the attribute that includes them.
    for group in &mut input.module.attribute_groups {
        group.attributes.clear();
    }
    let entry = input.shader.shaders().next().unwrap();
    let output = convert_entry(&input, entry, &Options::default()).unwrap();
    let m = rspirv::dr::load_words(output.words).unwrap();
    let read = body(&m, &[Op::GroupNonUniformShuffle]).next().unwrap();
    let definitions = definitions(&m);
    let mut selects = body(&m, &[Op::Select]);
    let select = selects.find(|select| Some(id(select, 1)) == read.result_id);
    let zero = definitions[&id(select.unwrap(), 2)];
    assert_eq!(zero.class.opcode, Op::ConstantNull);
}

#[test]
fn a_critical_section_spans_the_accesses_only() {
    let list = [
        Op::BeginInvocationInterlockEXT,
        Op::EndInvocationInterlockEXT,
        Op::ImageRead,
        Op::ImageWrite,
        Op::Load,
        Op::Return,
    ];
    let module = module("resources/rasterizer_ordered", &Options::default());
    let ops: Vec<Op> = body(&module, &list).map(|i| i.class.opcode).collect();
    let begin = ops.iter().position(|&op| op == list[0]).expect("a begin");
    // The position and the color are loaded before.
    assert!(ops[..begin].iter().all(|&op| op == Op::Load), "{ops:?}");
    assert!(begin >= 6, "{ops:?}");
    assert!(ops[begin..].contains(&Op::ImageRead));
    assert!(ops.ends_with(&[Op::EndInvocationInterlockEXT, Op::Return]));
}
