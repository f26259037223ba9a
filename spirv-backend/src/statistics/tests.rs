//! Tests of the numbers, on small modules in words.

use rspirv::spirv::Op;

use super::{Statistics, StatisticsError, statistics};

/// Returns a module: its instructions as opcodes with operands.
fn module(insts: &[(Op, &[u32])]) -> Vec<u32> {
    let mut words = vec![0x0723_0203, 0x0001_0600, 0, 100, 0];
    for (op, operands) in insts {
        words.push((operands.len() as u32 + 1) << 16 | *op as u32);
        words.extend_from_slice(operands);
    }
    words
}

/// Returns the numbers of a function whose blocks these instructions are. `%1` is `void`, `%2` the type of
/// integers, `%3` and `%4` are constants, `%5` and `%6` true and false, `%7` a value that is not constant.
fn of(blocks: &[(Op, &[u32])]) -> Result<Statistics, StatisticsError> {
    let mut insts: Vec<(Op, &[u32])> = vec![
        (Op::TypeVoid, &[1]),
        (Op::TypeInt, &[2, 32, 0]),
        (Op::Constant, &[2, 3, 0]),
        (Op::Constant, &[2, 4, 1]),
        (Op::ConstantTrue, &[8, 5]),
        (Op::ConstantFalse, &[8, 6]),
        (Op::Function, &[1, 9, 0, 1]),
    ];
    insts.extend_from_slice(blocks);
    insts.push((Op::FunctionEnd, &[]));
    statistics(&module(&insts))
}

/// `loop { if (x) break; if (y) continue; }` with a comparison at the end.
#[test]
fn breaks_and_continues_leave_inner_constructs() {
    let found = of(&[
        (Op::Label, &[10]),
        (Op::Branch, &[11]),
        (Op::Label, &[11]),
        (Op::LoopMerge, &[20, 19, 0]),
        (Op::Branch, &[12]),
        (Op::Label, &[12]),
        (Op::SelectionMerge, &[13, 0]),
        (Op::BranchConditional, &[7, 20, 13]),
        (Op::Label, &[13]),
        (Op::SelectionMerge, &[14, 0]),
        (Op::BranchConditional, &[7, 19, 14]),
        (Op::Label, &[14]),
        (Op::Branch, &[19]),
        (Op::Label, &[19]),
        (Op::BranchConditional, &[7, 11, 20]),
        (Op::Label, &[20]),
        (Op::Return, &[]),
    ])
    .unwrap();
    let counts = &found.total;
    assert_eq!(counts.blocks, 7);
    assert_eq!((counts.loops, counts.selections), (1, 2));
    assert_eq!((counts.breaks, counts.continues), (1, 1));
    assert_eq!(counts.loop_exits, 2);
    assert_eq!(counts.nesting, 2);
    assert_eq!(counts.branch_only_blocks, 2, "the entry and the last one");
    assert_eq!(counts.one_trip_loops, 0);
    assert_eq!(found.functions.len(), 1);
}

/// A switch with a default only, with a break out of it, before a switch on the selector.
#[test]
fn breakable_blocks_and_selectors() {
    let found = of(&[
        (Op::Label, &[10]),
        (Op::SelectionMerge, &[20, 0]),
        (Op::Switch, &[3, 11]),
        (Op::Label, &[11]),
        (Op::SelectionMerge, &[12, 0]),
        (Op::BranchConditional, &[7, 20, 12]),
        (Op::Label, &[12]),
        (Op::Branch, &[20]),
        (Op::Label, &[20]),
        (Op::Phi, &[2, 30, 3, 11, 4, 12]),
        (Op::SelectionMerge, &[22, 0]),
        (Op::Switch, &[30, 22, 1, 21]),
        (Op::Label, &[21]),
        (Op::Branch, &[22]),
        (Op::Label, &[22]),
        (Op::Return, &[]),
    ])
    .unwrap();
    let counts = &found.total;
    assert_eq!((counts.switches, counts.breakable_blocks), (2, 1));
    assert_eq!(counts.selector_switches, 1);
    assert_eq!(counts.breaks, 1);
}

/// The selector of one branch is a variable with constants, the other's is a value.
#[test]
fn a_variable_is_a_selector_if_only_constants_are_stored() {
    let selectors = |stored: u32| {
        of(&[
            (Op::Label, &[10]),
            (Op::Variable, &[8, 40, 7]),
            (Op::Store, &[40, 3]),
            (Op::Store, &[40, stored]),
            (Op::Load, &[2, 41, 40]),
            (Op::IEqual, &[8, 42, 41, 4]),
            (Op::SelectionMerge, &[11, 0]),
            (Op::BranchConditional, &[42, 11, 11]),
            (Op::Label, &[11]),
            (Op::Return, &[]),
        ])
        .unwrap()
        .total
        .selector_branches
    };
    assert_eq!(selectors(4), 1);
    assert_eq!(selectors(7), 0);
}

#[test]
fn a_loop_whose_back_edge_is_never_taken_has_one_iteration() {
    let one_trip = |condition: u32| {
        of(&[
            (Op::Label, &[10]),
            (Op::Branch, &[11]),
            (Op::Label, &[11]),
            (Op::LoopMerge, &[20, 19, 0]),
            (Op::Branch, &[19]),
            (Op::Label, &[19]),
            (Op::BranchConditional, &[condition, 11, 20]),
            (Op::Label, &[20]),
            (Op::Return, &[]),
        ])
        .unwrap()
        .total
        .one_trip_loops
    };
    assert_eq!(one_trip(6), 1);
    assert_eq!(one_trip(5), 0);
    assert_eq!(one_trip(7), 0);
}

/// A switch on 64 bits has literals of two words.
#[test]
fn wide_cases() {
    let words = module(&[
        (Op::TypeInt, &[2, 64, 0]),
        (Op::Function, &[1, 9, 0, 1]),
        (Op::Label, &[10]),
        (Op::IAdd, &[2, 7, 3, 3]),
        (Op::SelectionMerge, &[11, 0]),
        (Op::Switch, &[7, 11, 5, 0, 12, 6, 0, 11]),
        (Op::Label, &[12]),
        (Op::Branch, &[11]),
        (Op::Label, &[11]),
        (Op::Return, &[]),
        (Op::FunctionEnd, &[]),
    ]);
    assert_eq!(statistics(&words).unwrap().total.blocks, 3);
}

#[test]
fn what_is_malformed_is_named_with_its_word() {
    assert_eq!(statistics(&[]), Err(StatisticsError::Header));
    assert_eq!(statistics(&[7; 9]), Err(StatisticsError::Header));
    let message = |words: &[u32]| statistics(words).unwrap_err().to_string();
    let mut words = module(&[]);
    words.push(0);
    assert_eq!(
        message(&words),
        "word 5: an instruction (opcode 0) with a word count of 0"
    );
    words[5] = 4 << 16 | Op::Load as u32;
    assert_eq!(message(&words), "word 5: OpLoad needs 4 words, 1 remain");
    assert_eq!(
        message(&module(&[(Op::Label, &[3])])),
        "word 5: OpLabel is not allowed here: no function is open"
    );
    assert_eq!(
        message(&module(&[(Op::Name, &[])])),
        "word 5: OpName lacks operands"
    );
    let error = |blocks: &[(Op, &[u32])]| of(blocks).unwrap_err().to_string();
    assert_eq!(
        error(&[(Op::Label, &[10]), (Op::Branch, &[77])]),
        "word 32: the function has no block %77"
    );
    assert_eq!(
        error(&[(Op::Label, &[10])]),
        "word 30: OpLabel is not allowed here: the block has no terminator"
    );
    let open = module(&[(Op::Function, &[1, 9, 0, 1])]);
    assert_eq!(message(&open), "word 5: this function has no OpFunctionEnd");
}

/// No prefix and no damaged word of a module is a panic.
#[test]
fn damaged_modules_are_errors_or_numbers() {
    let shader = include_bytes!("../../tests/data/collatz.dxil");
    let words = crate::convert(shader, &crate::Options::default())
        .unwrap()
        .words;
    assert!(statistics(&words).is_ok());
    for end in 0..words.len() {
        let _ = statistics(&words[..end]);
    }
    for at in 0..words.len() {
        for bit in [0, 3, 16, 31] {
            let mut damaged = words.clone();
            damaged[at] ^= 1 << bit;
            let _ = statistics(&damaged);
        }
    }
}
