//! Modules with one rule of payloads broken each.

use rspirv::binary::Assemble;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, Op};

use crate::options::Options;
use crate::verify::verify;

const SHARING: &[u8] = include_bytes!("../../../tests/data/finish_sharing.dxil");
const SHARED: &[u8] = include_bytes!("../../../../corpus/shaders/work_graphs/shared_input.dxil");
const RECURSION: &[u8] = include_bytes!("../../../../corpus/shaders/work_graphs/recursion.dxil");
const ARRAYS: &[u8] = include_bytes!("../../../../corpus/shaders/work_graphs/output_array.dxil");

fn words(shader: &[u8], entry: &str) -> Vec<u32> {
    let options = Options::default()
        .with_shader_enqueue(true)
        .with_entry(Some(entry.to_owned()));
    crate::convert(shader, &options).expect("it converts").words
}

/// Returns a module. What the library does not load is put in: modes after the others, and strings
/// before all other declarations.
fn load(words: &[u32]) -> dr::Module {
    let (mut kept, mut modes, mut strings) = (words[..5].to_vec(), Vec::new(), Vec::new());
    let mut rest = &words[5..];
    while let Some(&first) = rest.first() {
        let (inst, after) = rest.split_at((first >> 16) as usize);
        rest = after;
        match Op::from_u32(first & 0xFFFF) {
            Some(op @ Op::ExecutionModeId) => {
                let mode = ExecutionMode::from_u32(inst[2]).expect("a mode");
                let mut operands = vec![Operand::IdRef(inst[1]), Operand::ExecutionMode(mode)];
                operands.extend(inst[3..].iter().map(|&id| Operand::IdRef(id)));
                modes.push(dr::Instruction::new(op, None, None, operands));
            }
            Some(op @ Op::ConstantStringAMDX) => {
                let bytes = inst[2..].iter().flat_map(|word| word.to_le_bytes());
                let bytes = bytes.take_while(|&byte| byte != 0).collect();
                let text = String::from_utf8(bytes).expect("text");
                let text = vec![Operand::LiteralString(text)];
                strings.push(dr::Instruction::new(op, None, Some(inst[1]), text));
            }
            _ => kept.extend_from_slice(inst),
        }
    }
    let mut module = dr::load_words(kept).expect("SPIR-V");
    module.execution_modes.extend(modes);
    module.types_global_values.splice(0..0, strings);
    module
}

/// Changes a converted node, and gives the verifier's answer.
fn after((shader, entry): (&[u8], &str), change: impl FnOnce(&mut dr::Module)) -> String {
    let mut module = load(&words(shader, entry));
    assert_eq!(verify(&module.assemble()), Ok(()));
    change(&mut module);
    verify(&module.assemble())
        .expect_err("the change must be found")
        .to_string()
}

fn without((shader, entry): (&[u8], &str), decoration: Decoration) -> String {
    after((shader, entry), |m| {
        let before = m.annotations.len();
        m.annotations
            .retain(|i| !i.operands.contains(&Operand::Decoration(decoration)));
        assert!(m.annotations.len() < before, "{decoration:?}");
    })
}

fn decoration(module: &mut dr::Module, wanted: Decoration) -> &mut dr::Instruction {
    let found = module
        .annotations
        .iter_mut()
        .find(|i| i.operands.contains(&Operand::Decoration(wanted)));
    found.unwrap_or_else(|| panic!("the node has no {wanted:?}"))
}

fn mode(module: &mut dr::Module, wanted: ExecutionMode) -> &mut dr::Instruction {
    let found = module
        .execution_modes
        .iter_mut()
        .find(|i| i.operands[1] == Operand::ExecutionMode(wanted));
    found.unwrap_or_else(|| panic!("the node has no {wanted:?}"))
}

/// Returns the first instruction with an opcode.
fn inst(module: &mut dr::Module, op: Op) -> &mut dr::Instruction {
    let blocks = module.functions.iter_mut().flat_map(|f| &mut f.blocks);
    let mut all = blocks.flat_map(|block| &mut block.instructions);
    let found = all.find(|i| i.class.opcode == op);
    found.unwrap_or_else(|| panic!("the node has no {op:?}"))
}

/// Puts an instruction after the first with an opcode.
fn insert_after(module: &mut dr::Module, op: Op, new: dr::Instruction) {
    let blocks = module.functions.iter_mut().flat_map(|f| &mut f.blocks);
    for block in blocks {
        let at = block.instructions.iter().position(|i| i.class.opcode == op);
        if let Some(at) = at {
            return block.instructions.insert(at + 1, new);
        }
    }
    panic!("the node has no {op:?}");
}

fn bump(module: &mut dr::Module) -> u32 {
    let header = module.header.as_mut().expect("a header");
    header.bound += 1;
    header.bound - 1
}

#[test]
fn the_capability() {
    for (shader, entry) in [(SHARING, "Fill"), (SHARED, "Tap")] {
        let text = after((shader, entry), |m| {
            let own = Operand::Capability(Capability::ShaderEnqueueAMDX);
            m.capabilities.retain(|i| i.operands[0] != own);
        });
        assert!(text.contains("ShaderEnqueueAMDX"), "{text}");
    }
}

#[test]
fn decorations_that_must_exist() {
    for wanted in [
        Decoration::NodeMaxPayloadsAMDX,
        Decoration::PayloadNodeNameAMDX,
        Decoration::PayloadNodeArraySizeAMDX,
    ] {
        let text = without((SHARING, "Begin"), wanted);
        assert!(
            text.contains("without decoration") && text.contains(&format!("{wanted:?}")),
            "{text}"
        );
    }
    for wanted in [Decoration::Offset, Decoration::ArrayStride] {
        let text = without((SHARING, "Begin"), wanted);
        assert!(text.contains("Offset and ArrayStride"), "{text}");
    }
    let text = without((SHARING, "Fill"), Decoration::TrackFinishWritingAMDX);
    assert!(text.contains("without TrackFinishWritingAMDX"), "{text}");
}

#[test]
fn targets_and_operands_of_decorations() {
    let begin = (SHARING, "Begin");
    let text = after(begin, |m| {
        let array = decoration(m, Decoration::PayloadNodeNameAMDX).operands[0].clone();
        decoration(m, Decoration::TrackFinishWritingAMDX).operands[0] = array;
    });
    assert!(text.contains("on something that cannot have it"), "{text}");
    let text = after(begin, |m| {
        let indirect = Decoration::PayloadDispatchIndirectAMDX;
        // The array after the grid.
        decoration(m, indirect).operands[1] = Operand::LiteralBit32(2);
    });
    assert!(text.contains("on something that cannot have it"), "{text}");
    let text = after(begin, |m| {
        let name = decoration(m, Decoration::PayloadNodeNameAMDX).operands[2].clone();
        decoration(m, Decoration::NodeMaxPayloadsAMDX).operands[2] = name;
    });
    assert!(text.contains("is not an earlier constant"), "{text}");
    let text = after(begin, |m| {
        let number = decoration(m, Decoration::NodeMaxPayloadsAMDX).operands[2].clone();
        decoration(m, Decoration::PayloadNodeNameAMDX).operands[2] = number;
    });
    assert!(text.contains("is not an earlier constant"), "{text}");
    let text = after(begin, |m| {
        let shared = decoration(m, Decoration::NodeSharesPayloadLimitsWithAMDX);
        shared.operands[2] = shared.operands[0].clone();
    });
    assert!(text.contains("shares the limit"), "{text}");
}

#[test]
fn execution_modes() {
    let text = after((SHARING, "Fill"), |m| {
        let mut coalescing = mode(m, ExecutionMode::LocalSize).clone();
        coalescing.operands.truncate(1);
        coalescing
            .operands
            .push(Operand::ExecutionMode(ExecutionMode::CoalescingAMDX));
        m.execution_modes.push(coalescing);
    });
    assert!(text.contains("several execution modes"), "{text}");
    let text = after((SHARED, "Tap"), |m| {
        m.execution_modes
            .retain(|i| i.operands[1] != Operand::ExecutionMode(ExecutionMode::IsApiEntryAMDX));
    });
    assert!(text.contains("IsApiEntryAMDX false"), "{text}");
    let text = after((SHARED, "Tap"), |m| {
        mode(m, ExecutionMode::StaticNumWorkgroupsAMDX)
            .operands
            .truncate(4);
    });
    assert!(text.contains("StaticNumWorkgroupsAMDX"), "{text}");
    let text = after((SHARED, "Tap"), |m| {
        let shares = mode(m, ExecutionMode::SharesInputWithAMDX);
        shares.operands[2] = shares.operands[3].clone();
    });
    assert!(text.contains("SharesInputWithAMDX"), "{text}");
}

#[test]
fn operands_of_instructions() {
    let types = "operand types are not valid";
    let text = after((ARRAYS, "Spread"), |m| {
        // The number of payloads, 8, is not a scope.
        let allocation = inst(m, Op::AllocateNodePayloadsAMDX);
        allocation.operands[0] = allocation.operands[1].clone();
    });
    assert!(text.contains(types), "{text}");
    let text = after((RECURSION, "Walk"), |m| {
        let input = inst(m, Op::AccessChain).operands[0].clone();
        inst(m, Op::EnqueueNodePayloadsAMDX).operands[0] = input;
    });
    assert!(text.contains(types), "{text}");
    let text = after((RECURSION, "Walk"), |m| {
        let index = inst(m, Op::AllocateNodePayloadsAMDX).operands[2].clone();
        inst(m, Op::IsNodePayloadValidAMDX).operands[0] = index;
    });
    assert!(text.contains(types), "{text}");
}

#[test]
fn pointers_to_payloads() {
    let begin = (SHARING, "Begin");
    let text = after(begin, |m| {
        let id = bump(m);
        let mut copy = inst(m, Op::AllocateNodePayloadsAMDX).clone();
        let payloads = copy.result_id.expect("a result");
        copy.class = rspirv::grammar::INSTRUCTION_TABLE.get(Op::CopyObject);
        copy.result_id = Some(id);
        copy.operands = vec![Operand::IdRef(payloads)];
        insert_after(m, Op::AllocateNodePayloadsAMDX, copy);
    });
    assert!(text.contains("a pointer to payloads"), "{text}");
    let text = after((SHARING, "Fill"), |m| {
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
    assert!(text.contains("a pointer to payloads"), "{text}");
    let text = after((RECURSION, "Walk"), |m| {
        let Operand::IdRef(input) = inst(m, Op::AccessChain).operands[0] else {
            panic!("a variable");
        };
        let mut all = m.types_global_values.iter_mut();
        let variable = all.find(|i| i.result_id == Some(input));
        let operands = &mut variable.expect("a variable").operands;
        operands.push(Operand::IdRef(input));
    });
    assert!(!text.is_empty());
}

#[test]
fn changed_words_are_no_panic() {
    for (shader, entry) in [(SHARING, "Begin"), (SHARING, "Fill"), (SHARED, "Tap")] {
        let words = words(shader, entry);
        for at in 5..words.len() {
            for value in [0, 1, words[at] ^ 1, words[at].wrapping_add(2), u32::MAX] {
                let mut changed = words.clone();
                changed[at] = value;
                let _ = verify(&changed);
            }
        }
    }
}
