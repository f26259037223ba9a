//! The rules of debug information, on modules that break one each.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Op, Word};

use crate::error::VerifyRule;
use crate::options::Options;
use crate::verify::verify;

/// Returns a converted shader with debug information.
fn words() -> Vec<Word> {
    let dxil = include_bytes!("../../../tests/data/debug_info/particles.dxil");
    let options = Options::default();
    crate::convert(dxil, &options).expect("it converts").words
}

/// Returns where the instructions of the module begin, and their opcodes.
fn insts(words: &[Word]) -> Vec<(usize, Op)> {
    let mut found = Vec::new();
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        found.push((at, Op::from_u32(first & 0xFFFF).expect("an opcode")));
        at += (first >> 16) as usize;
    }
    found
}

/// Returns where the first instruction of debug information with a number begins.
fn position(words: &[Word], op: DebugOp) -> usize {
    let is_wanted = |&(at, opcode): &(usize, Op)| {
        // First word, type, result, set, number; instructions of GLSL.std.450 have another set.
        opcode == Op::ExtInst && words[at + 4] == op as Word && words[at + 3] == set(words)
    };
    insts(words)
        .into_iter()
        .find(is_wanted)
        .expect("it is there")
        .0
}

/// Returns the import of the set: the last one.
fn set(words: &[Word]) -> Word {
    let imports = insts(words).into_iter();
    let mut imports = imports.filter(|(_, op)| *op == Op::ExtInstImport);
    words[imports.next_back().expect("an import").0 + 1]
}

/// Changes the words, and returns the rule that they break.
fn after(change: impl FnOnce(&mut Vec<Word>)) -> VerifyRule {
    let mut words = words();
    assert_eq!(verify(&words), Ok(()));
    change(&mut words);
    verify(&words).expect_err("the change must be found").rule
}

/// Moves the instruction at `from` before the instruction at `to`.
fn move_inst(words: &mut Vec<Word>, from: usize, to: usize) {
    let length = (words[from] >> 16) as usize;
    let inst: Vec<Word> = words.drain(from..from + length).collect();
    let to = if to > from { to - length } else { to };
    words.splice(to..to, inst);
}

#[test]
fn operands_have_kinds() {
    // A line in a file that is a scope; a scope that is a line's file.
    for (op, operand, other) in [
        (DebugOp::DebugLine, 0, DebugOp::DebugCompilationUnit),
        (DebugOp::DebugLine, 1, DebugOp::DebugSource),
        (DebugOp::DebugScope, 0, DebugOp::DebugSource),
        (DebugOp::DebugValue, 0, DebugOp::DebugExpression),
        (DebugOp::DebugValue, 2, DebugOp::DebugFunction),
        (DebugOp::DebugValue, 1, DebugOp::DebugFunction),
        (DebugOp::DebugLocalVariable, 1, DebugOp::DebugFunction),
        (DebugOp::DebugLocalVariable, 5, DebugOp::DebugTypeBasic),
        (DebugOp::DebugFunctionDefinition, 1, DebugOp::DebugFunction),
    ] {
        let rule = after(|words| {
            let id = words[position(words, other) + 2];
            let at = position(words, op);
            words[at + 5 + operand] = id;
        });
        assert_eq!(rule, VerifyRule::DebugInfoOperand { op, operand });
    }
}

#[test]
fn operands_are_as_many_as_the_instruction_has() {
    let rule = after(|words| {
        let at = position(words, DebugOp::DebugLine);
        words[at + 4] = DebugOp::DebugScope as Word;
    });
    let op = DebugOp::DebugScope;
    assert!(matches!(rule, VerifyRule::DebugInfoOperand { op: found, .. } if found == op));
}

#[test]
fn instructions_have_numbers_of_the_set() {
    for number in [
        40,
        DebugOp::DebugTypePointer as Word,
        DebugOp::DebugMacroDef as Word,
    ] {
        let rule = after(|words| {
            let at = position(words, DebugOp::DebugLine);
            words[at + 4] = number;
        });
        assert_eq!(rule, VerifyRule::DebugInfoInstruction { number });
    }
}

#[test]
fn lines_are_in_their_sources() {
    for (line, column) in [(0, 0), (10_000, 0), (1, 10_000)] {
        let rule = after(|words| {
            // New constants before the first function's, which have the type of the old ones.
            let at = position(words, DebugOp::DebugLine);
            let (old, new) = (words[at + 6], words[3]);
            let is_old = |&(at, op): &(usize, Op)| op == Op::Constant && words[at + 2] == old;
            let (constant, _) = insts(words).into_iter().find(is_old).expect("it is there");
            let word = words[constant + 1];
            words[at + 6..at + 10].copy_from_slice(&[new, new, new + 1, new + 1]);
            for value in [line, column].into_iter().zip(new..) {
                let first = 4 << 16 | Op::Constant as Word;
                words.splice(constant..constant, [first, word, value.1, value.0]);
            }
            words[3] = new + 2;
        });
        assert_eq!(rule, VerifyRule::DebugInfoLine { line, column });
    }
}

#[test]
fn instructions_have_their_place() {
    let line = DebugOp::DebugLine;
    let moved = |from: DebugOp, before: Op, rule: VerifyRule| {
        let found = after(|words| {
            let mut all = insts(words).into_iter();
            let to = match before {
                // The last one is in another block than the first.
                Op::Return => all.rfind(|inst| inst.1 == before),
                // A local variable, by its storage class.
                Op::Variable => all.find(|inst| inst.1 == before && words[inst.0 + 3] == 7),
                _ => all.find(|inst| inst.1 == before),
            };
            let from = position(words, from);
            move_inst(words, from, to.expect("the instruction").0);
        });
        assert_eq!(found, rule);
    };
    moved(line, Op::Variable, VerifyRule::DebugInfoPlace);
    moved(line, Op::Phi, VerifyRule::PhiOrder);
    // At module level.
    moved(line, Op::Function, VerifyRule::DebugInfoPlace);
    // The function's definition, a declaration.
    moved(
        DebugOp::DebugFunctionDefinition,
        Op::Return,
        VerifyRule::DebugInfoPlace,
    );
    moved(
        DebugOp::DebugEntryPoint,
        Op::Return,
        VerifyRule::DebugInfoPlace,
    );
}
