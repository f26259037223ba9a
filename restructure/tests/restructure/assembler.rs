//! A small assembler: `%result = OpName %type operands`, with numbers for enumerants.

use std::collections::HashMap;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};

/// Returns the words of a module in SPIR-V 1.5.
pub(crate) fn assemble(text: &str) -> Vec<u32> {
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let mut words = vec![0x0723_0203, 0x0001_0500, 0, 0, 0];
    for line in text.lines() {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        let (result, tokens) = match tokens[..] {
            [] => continue,
            [id, "=", ref rest @ ..] => (Some(id), rest),
            ref all => (None, all),
        };
        let name = tokens[0].strip_prefix("Op").expect(line);
        let grammar = INSTRUCTION_TABLE.iter().find(|inst| inst.opname == name);
        let grammar = grammar.unwrap_or_else(|| panic!("{line}"));
        let mut operands = tokens[1..].to_vec();
        if let Some(result) = result {
            let has_type = grammar.operands[0].kind == OperandKind::IdResultType;
            operands.insert(usize::from(has_type), result);
        }
        let start = words.len();
        words.push(0);
        for operand in operands {
            if let Some(text) = operand.strip_prefix('"') {
                let mut bytes = text.trim_end_matches('"').as_bytes().to_vec();
                bytes.resize(bytes.len() / 4 * 4 + 4, 0);
                let chunks = bytes.chunks_exact(4);
                words.extend(chunks.map(|chunk| u32::from_le_bytes(chunk.try_into().unwrap())));
            } else if operand.starts_with('%') {
                let next = ids.len() as u32 + 1;
                words.push(*ids.entry(operand).or_insert(next));
            } else {
                words.push(operand.parse().expect(line));
            }
        }
        words[start] = ((words.len() - start) as u32) << 16 | grammar.opcode as u32;
    }
    words[3] = ids.len() as u32 + 1;
    words
}

/// Returns a compute shader with blocks, and more declarations. `%u` is an unsigned integer in a buffer
/// (`%load` loads it, `%slot` is its pointer), `%c` a boolean that depends on it.
pub(crate) fn shader(declarations: &str, blocks: &str) -> Vec<u32> {
    shader_with("", "", declarations, blocks)
}

/// Does the same with more variables of the entry point, and more names and annotations.
pub(crate) fn shader_with(
    interface: &str,
    annotations: &str,
    declarations: &str,
    blocks: &str,
) -> Vec<u32> {
    assemble(&format!(
        "OpCapability 1
        OpCapability 61
        OpCapability 63
        OpMemoryModel 0 1
        OpEntryPoint 5 %main \"main\" %buffer {interface}
        OpExecutionMode %main 17 32 1 1
        %file = OpString \"f\"
        OpName %entry \"entry\"
        {annotations}
        OpDecorate %block 2
        OpMemberDecorate %block 0 35 0
        OpDecorate %buffer 34 0
        OpDecorate %buffer 33 0
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %block = OpTypeStruct %uint
        %pblock = OpTypePointer 12 %block
        %puint = OpTypePointer 12 %uint
        %buffer = OpVariable %pblock 12
        %zero = OpConstant %uint 0
        %one = OpConstant %uint 1
        %two = OpConstant %uint 2
        %three = OpConstant %uint 3
        {declarations}
        %main = OpFunction %void 0 %fn
        %entry = OpLabel
        %slot = OpAccessChain %puint %buffer %zero
        %u = OpLoad %uint %slot
        %c = OpULessThan %bool %u %two
        {blocks}
        OpFunctionEnd"
    ))
}
