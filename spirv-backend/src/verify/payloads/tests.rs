//! Modules with one rule of payloads broken each.

use rspirv::dr::{self, Operand};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, Op};

use crate::verify::tests::{
    Shader, block, bump, converted, decoration, inst, mode, refused, without_capability,
    without_mode,
};
use crate::verify::verify;

const SHARING: &[u8] = include_bytes!("../../../tests/data/finish_sharing.dxil");
const SHARED: &[u8] = include_bytes!("../../../../corpus/shaders/work_graphs/shared_input.dxil");
const RECURSION: &[u8] = include_bytes!("../../../../corpus/shaders/work_graphs/recursion.dxil");
const ARRAYS: &[u8] = include_bytes!("../../../../corpus/shaders/work_graphs/output_array.dxil");

#[track_caller]
fn without(shader: Shader, wanted: Decoration, text: &str) {
    refused(shader, text, |m| {
        decoration(m, wanted);
        let wanted = Operand::Decoration(wanted);
        m.annotations.retain(|i| !i.operands.contains(&wanted));
    });
}

/// Puts an instruction after the first with an opcode.
fn insert_after(module: &mut dr::Module, op: Op, new: dr::Instruction) {
    let (block, index) = block(module, op);
    block.insert(index + 1, new);
}

#[test]
fn the_capability() {
    for (shader, entry) in [(SHARING, "Fill"), (SHARED, "Tap")] {
        refused((shader, entry), "ShaderEnqueueAMDX", |m| {
            without_capability(m, Capability::ShaderEnqueueAMDX);
        });
    }
}

#[test]
fn decorations_that_must_exist() {
    for wanted in [
        Decoration::NodeMaxPayloadsAMDX,
        Decoration::PayloadNodeNameAMDX,
        Decoration::PayloadNodeArraySizeAMDX,
    ] {
        let text = format!("without decoration {wanted:?}");
        without((SHARING, "Begin"), wanted, &text);
    }
    for wanted in [Decoration::Offset, Decoration::ArrayStride] {
        without((SHARING, "Begin"), wanted, "Offset and ArrayStride");
    }
    let tracked = Decoration::TrackFinishWritingAMDX;
    without((SHARING, "Fill"), tracked, "without TrackFinishWritingAMDX");
}

#[test]
fn targets_and_operands_of_decorations() {
    let begin = (SHARING, "Begin");
    refused(begin, "on something that cannot have it", |m| {
        let array = decoration(m, Decoration::PayloadNodeNameAMDX).operands[0].clone();
        decoration(m, Decoration::TrackFinishWritingAMDX).operands[0] = array;
    });
    refused(begin, "on something that cannot have it", |m| {
        let indirect = Decoration::PayloadDispatchIndirectAMDX;
        // The array after the grid.
        decoration(m, indirect).operands[1] = Operand::LiteralBit32(2);
    });
    refused(begin, "is not an earlier constant", |m| {
        let name = decoration(m, Decoration::PayloadNodeNameAMDX).operands[2].clone();
        decoration(m, Decoration::NodeMaxPayloadsAMDX).operands[2] = name;
    });
    refused(begin, "is not an earlier constant", |m| {
        let number = decoration(m, Decoration::NodeMaxPayloadsAMDX).operands[2].clone();
        decoration(m, Decoration::PayloadNodeNameAMDX).operands[2] = number;
    });
    refused(begin, "shares the limit", |m| {
        let shared = decoration(m, Decoration::NodeSharesPayloadLimitsWithAMDX);
        shared.operands[2] = shared.operands[0].clone();
    });
}

#[test]
fn execution_modes() {
    refused((SHARING, "Fill"), "several execution modes", |m| {
        let mut coalescing = mode(m, ExecutionMode::LocalSize).clone();
        coalescing.operands.truncate(1);
        let mode = Operand::ExecutionMode(ExecutionMode::CoalescingAMDX);
        coalescing.operands.push(mode);
        m.execution_modes.push(coalescing);
    });
    refused((SHARED, "Tap"), "IsApiEntryAMDX false", |m| {
        without_mode(m, ExecutionMode::IsApiEntryAMDX);
    });
    refused((SHARED, "Tap"), "StaticNumWorkgroupsAMDX", |m| {
        let mode = mode(m, ExecutionMode::StaticNumWorkgroupsAMDX);
        mode.operands.truncate(4);
    });
    refused((SHARED, "Tap"), "SharesInputWithAMDX", |m| {
        let shares = mode(m, ExecutionMode::SharesInputWithAMDX);
        shares.operands[2] = shares.operands[3].clone();
    });
}

#[test]
fn operands_of_instructions() {
    let types = "operand types are not valid";
    refused((ARRAYS, "Spread"), types, |m| {
        // The number of payloads, 8, is not a scope.
        let allocation = inst(m, Op::AllocateNodePayloadsAMDX);
        allocation.operands[0] = allocation.operands[1].clone();
    });
    refused((RECURSION, "Walk"), types, |m| {
        let input = inst(m, Op::AccessChain).operands[0].clone();
        inst(m, Op::EnqueueNodePayloadsAMDX).operands[0] = input;
    });
    refused((RECURSION, "Walk"), types, |m| {
        let index = inst(m, Op::AllocateNodePayloadsAMDX).operands[2].clone();
        inst(m, Op::IsNodePayloadValidAMDX).operands[0] = index;
    });
}

#[test]
fn pointers_to_payloads() {
    let begin = (SHARING, "Begin");
    refused(begin, "a pointer to payloads", |m| {
        let id = bump(m);
        let mut copy = inst(m, Op::AllocateNodePayloadsAMDX).clone();
        let payloads = copy.result_id.expect("a result");
        copy.class = rspirv::grammar::INSTRUCTION_TABLE.get(Op::CopyObject);
        copy.result_id = Some(id);
        copy.operands = vec![Operand::IdRef(payloads)];
        insert_after(m, Op::AllocateNodePayloadsAMDX, copy);
    });
    refused((SHARING, "Fill"), "a pointer to payloads", |m| {
        let id = bump(m);
        let load = inst(m, Op::Load).clone();
        let store = inst(m, Op::Store).clone();
        let number = m.types_global_values.iter();
        let mut number = number.filter(|i| i.class.opcode == Op::Constant);
        let number = number.next().and_then(|i| i.result_id).expect("a constant");
        let mut atomic = load;
        atomic.class = rspirv::grammar::INSTRUCTION_TABLE.get(Op::AtomicIAdd);
        atomic.result_id = Some(id);
        atomic.operands = vec![
            store.operands[0].clone(),
            Operand::IdScope(number),
            Operand::IdMemorySemantics(number),
            Operand::IdRef(number),
        ];
        insert_after(m, Op::Store, atomic);
    });
    refused((RECURSION, "Walk"), "", |m| {
        let Operand::IdRef(input) = inst(m, Op::AccessChain).operands[0] else {
            panic!("a variable");
        };
        let mut all = m.types_global_values.iter_mut();
        let variable = all.find(|i| i.result_id == Some(input));
        let operands = &mut variable.expect("a variable").operands;
        operands.push(Operand::IdRef(input));
    });
}

#[test]
fn changed_words_are_no_panic() {
    for shader in [(SHARING, "Begin"), (SHARING, "Fill"), (SHARED, "Tap")] {
        let words = converted(shader);
        for at in 5..words.len() {
            for value in [0, 1, words[at] ^ 1, words[at].wrapping_add(2), u32::MAX] {
                let mut changed = words.clone();
                changed[at] = value;
                let _ = verify(&changed);
            }
        }
    }
}
