//! The verifier on modules that break one rule each.

use std::sync::Arc;

use rspirv::binary::Assemble;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{
    AddressingModel, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    ImageFormat, MemoryModel, Op, SelectionControl, StorageClass, Word,
};

use super::verify;
use crate::bindings::{BindingFile, DefaultBindings};
use crate::error::{VerifyError, VerifyRule};
use crate::options::{IntrinsicsUav, Options};

/// A shader, and an entry point unless the text is empty.
pub(super) type Shader = (&'static [u8], &'static str);

/// A shader with a loop and phis.
const COLLATZ: Shader = (
    include_bytes!("../../../corpus/shaders/control_flow/collatz.dxil"),
    "",
);

/// Returns the words of a converted shader.
pub(super) fn converted((dxil, entry): Shader) -> Vec<Word> {
    let options = Options::default()
        .with_shader_enqueue(true)
        .with_entry((!entry.is_empty()).then(|| entry.to_owned()));
    crate::convert(dxil, &options).expect("it converts").words
}

/// Returns a module. Adds instructions that the library does not load: modes after the others, and
/// strings before all other declarations.
fn load(words: &[Word]) -> dr::Module {
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

/// Changes a module, and requires that the verifier's error has a text.
#[track_caller]
fn refused_module(mut module: dr::Module, text: &str, change: impl FnOnce(&mut dr::Module)) {
    assert_eq!(verify(&module.assemble()), Ok(()));
    change(&mut module);
    refused_words(text, &module.assemble());
}

/// Requires that the verifier's error for a module has a text.
#[track_caller]
fn refused_words(text: &str, words: &[Word]) {
    let error = verify(words).expect_err("the change must be found");
    assert!(error.to_string().contains(text), "{error}");
}

/// Changes a converted shader, and requires that the verifier's error has a text.
#[track_caller]
pub(super) fn refused(shader: Shader, text: &str, change: impl FnOnce(&mut dr::Module)) {
    refused_module(load(&converted(shader)), text, change);
}

/// Removes a capability.
pub(super) fn without_capability(module: &mut dr::Module, capability: Capability) {
    let capability = Operand::Capability(capability);
    module.capabilities.retain(|i| i.operands[0] != capability);
}

/// Removes an execution mode.
pub(super) fn without_mode(module: &mut dr::Module, wanted: ExecutionMode) {
    mode(module, wanted);
    let wanted = Operand::ExecutionMode(wanted);
    module.execution_modes.retain(|i| i.operands[1] != wanted);
}

/// Changes the execution model.
pub(super) fn set_model(module: &mut dr::Module, model: ExecutionModel) {
    module.entry_points[0].operands[0] = Operand::ExecutionModel(model);
}

/// Returns an execution mode.
pub(super) fn mode(module: &mut dr::Module, wanted: ExecutionMode) -> &mut dr::Instruction {
    let mut modes = module.execution_modes.iter_mut();
    let found = modes.find(|i| i.operands[1] == Operand::ExecutionMode(wanted));
    found.unwrap_or_else(|| panic!("the shader has no {wanted:?}"))
}

/// Returns the first instruction with a decoration.
pub(super) fn decoration(module: &mut dr::Module, wanted: Decoration) -> &mut dr::Instruction {
    let mut all = module.annotations.iter_mut();
    let found = all.find(|i| i.operands.contains(&Operand::Decoration(wanted)));
    found.unwrap_or_else(|| panic!("the shader has no {wanted:?}"))
}

/// Returns a free id.
pub(super) fn bump(module: &mut dr::Module) -> Word {
    let header = module.header.as_mut().expect("a header");
    header.bound += 1;
    header.bound - 1
}

/// Returns the block of the first instruction with an opcode, and its index there.
pub(super) fn block(module: &mut dr::Module, op: Op) -> (&mut Vec<dr::Instruction>, usize) {
    let blocks = module.functions.iter_mut().flat_map(|f| &mut f.blocks);
    let mut found = blocks.filter_map(|block| {
        let index = block.instructions.iter().position(|i| i.class.opcode == op);
        index.map(|index| (&mut block.instructions, index))
    });
    found
        .next()
        .unwrap_or_else(|| panic!("the shader has no {op:?}"))
}

/// Returns the first declaration with an opcode.
fn global(module: &mut dr::Module, op: Op) -> &mut dr::Instruction {
    let mut all = module.types_global_values.iter_mut();
    let found = all.find(|i| i.class.opcode == op);
    found.unwrap_or_else(|| panic!("the shader has no {op:?}"))
}

/// Returns a constant of 32 bits.
fn narrow_constant(module: &dr::Module) -> Operand {
    let mut globals = module.types_global_values.iter();
    let narrow = globals.find_map(|i| match (i.class.opcode, &i.operands[..]) {
        (Op::Constant, [Operand::LiteralBit32(_)]) => i.result_id,
        _ => None,
    });
    Operand::IdRef(narrow.expect("a number of 32 bits"))
}

/// Returns the first instruction with an opcode.
pub(super) fn inst(module: &mut dr::Module, op: Op) -> &mut dr::Instruction {
    let (block, index) = block(module, op);
    &mut block[index]
}

#[test]
fn ids() {
    refused(COLLATZ, "is not defined", |m| {
        inst(m, Op::IAdd).operands[0] = Operand::IdRef(1_000_000);
    });
    refused(COLLATZ, "defined twice", |m| {
        let id = inst(m, Op::IAdd).result_id;
        inst(m, Op::Load).result_id = id;
    });
    refused(COLLATZ, "is not defined before its use", |m| {
        m.types_global_values.reverse();
    });
}

#[test]
fn definitions_reach_their_uses() {
    refused(COLLATZ, "does not dominate", |m| {
        // The first instruction that uses a later one of its block.
        let (block, index) = block(m, Op::IAdd);
        block.swap(index, index + 1);
        let later = block[index + 1].result_id.expect("a result");
        let mut operands = block[index].operands.iter_mut();
        let operand = operands.find(|o| matches!(o, Operand::IdRef(_)));
        *operand.expect("an operand") = Operand::IdRef(later);
    });
}

#[test]
fn values_of_blocks_that_do_not_dominate() {
    // A value of a later block: no word before defines it.
    let words = assembled_diamond(|then, _| then, |_, entry| entry);
    refused_words("does not dominate", &words);
    // A value of one of two paths, used after both.
    let words = assembled_diamond(|_, entry| entry, |then, _| then);
    refused_words("does not dominate", &words);
    let words = assembled_diamond(|_, entry| entry, |_, entry| entry);
    assert_eq!(verify(&words), Ok(()));
}

/// Returns a function with a selection that has one path, where a value is used before it and one
/// after it: each is the path's, or the entry's.
fn assembled_diamond(
    before: impl FnOnce(Word, Word) -> Word,
    after: impl FnOnce(Word, Word) -> Word,
) -> Vec<Word> {
    let mut b = dr::Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let (void, bool_ty, int) = (b.type_void(), b.type_bool(), b.type_int(32, 0));
    let one = b.constant_bit32(int, 1);
    let ty = b.type_function(void, vec![]);
    let main = b.begin_function(void, None, FunctionControl::NONE, ty);
    let main = main.expect("a function");
    b.entry_point(ExecutionModel::GLCompute, main, "main", []);
    let (then, end, other) = (b.id(), b.id(), b.id());
    b.begin_block(None).expect("a block");
    let sum = b.i_add(int, None, one, one).expect("a sum");
    let cond = b.i_equal(bool_ty, None, before(other, sum), one);
    let cond = cond.expect("a comparison");
    b.selection_merge(end, SelectionControl::NONE)
        .expect("a merge");
    b.branch_conditional(cond, then, end, []).expect("a branch");
    b.begin_block(Some(then)).expect("a block");
    b.i_mul(int, Some(other), sum, sum).expect("a product");
    b.branch(end).expect("a branch");
    b.begin_block(Some(end)).expect("a block");
    b.i_add(int, None, after(other, sum), sum).expect("a sum");
    b.ret().expect("a return");
    b.end_function().expect("an end");
    b.module().assemble()
}

#[test]
fn types_are_not_values() {
    refused(COLLATZ, "operand types are not valid", |m| {
        let ty = inst(m, Op::IAdd).result_type.expect("a type");
        inst(m, Op::IAdd).operands[0] = Operand::IdRef(ty);
    });
}

#[test]
fn sets_of_instructions_are_imported() {
    const BITS: &[u8] = include_bytes!("../../../corpus/shaders/arithmetic/bit_operations.dxil");
    refused((BITS, ""), "operand types are not valid", |m| {
        let ty = inst(m, Op::ExtInst).result_type.expect("a type");
        inst(m, Op::ExtInst).operands[0] = Operand::IdRef(ty);
    });
}

#[test]
fn phis_match_predecessors() {
    refused(COLLATZ, "predecessors", |m| {
        inst(m, Op::Phi).operands.truncate(2);
    });
}

#[test]
fn structure() {
    refused(COLLATZ, "structured control flow", |m| {
        let (block, index) = block(m, Op::LoopMerge);
        block.remove(index);
    });
}

#[test]
fn types() {
    refused(COLLATZ, "operand types are not valid", |m| {
        let ty = inst(m, Op::Load).result_type;
        inst(m, Op::IEqual).result_type = ty;
    });
}

#[test]
fn entry_point_and_capabilities() {
    refused(COLLATZ, "not listed", |m| {
        m.entry_points[0].operands.pop();
    });
    refused(COLLATZ, "no entry point", |m| m.entry_points.clear());
    refused(COLLATZ, "Int64", |m| {
        global(m, Op::TypeInt).operands[0] = Operand::LiteralBit32(64);
        without_capability(m, Capability::Int64);
    });
}

/// Changes the words of the module, and requires that the verifier's error has a text.
#[track_caller]
fn refused_change(text: &str, change: impl FnOnce(&mut Vec<Word>)) {
    let mut words = converted(COLLATZ);
    change(&mut words);
    refused_words(text, &words);
}

fn nop() -> dr::Instruction {
    dr::Instruction::new(Op::Nop, None, None, vec![])
}

#[test]
fn a_decoration_is_there_once() {
    refused(COLLATZ, "has a decoration twice", |m| {
        let repeated = m.annotations[0].clone();
        m.annotations.push(repeated);
    });
}

#[test]
fn header_and_bound() {
    refused_change("do not start with the header", |w| w[0] = 0);
    refused_change("do not start with the header", |w| w.truncate(4));
    refused_change("not below the id bound", |w| w[3] = 3);
    refused_change("id bound", |w| w[3] = u32::MAX);
}

#[test]
fn words_of_instructions() {
    refused_change("the module ends", |w| w.truncate(w.len() - 1));
    refused_change("the module ends", |w| {
        w.truncate(6);
        w[3] = 1;
    });
    refused_change("not valid for the opcode", |w| w[5] = 0);
    refused_change("opcode 65535", |w| w[5] = 2 << 16 | 0xFFFF);
    refused(COLLATZ, "not valid for the opcode", |m| {
        drop(inst(m, Op::IAdd).operands.pop());
    });
    refused(COLLATZ, "not valid for the opcode", |m| {
        inst(m, Op::IAdd).operands.push(Operand::IdRef(1));
    });
}

#[test]
fn order_of_sections() {
    refused(COLLATZ, "is after the section", |m| {
        let capability = m.capabilities[0].clone();
        m.annotations.push(capability);
    });
    refused_change("is between functions", |w| w.push(1 << 16 | Op::Nop as u32));
    refused(COLLATZ, "is not allowed at module level", |m| {
        m.types_global_values.push(nop());
    });
}

#[test]
fn shape_of_blocks() {
    refused(COLLATZ, "has no terminator", |m| {
        drop(m.functions[0].blocks[0].instructions.pop());
    });
    refused(COLLATZ, "after a terminator", |m| {
        m.functions[0].blocks[0].instructions.push(nop());
    });
    refused(COLLATZ, "between a merge instruction", |m| {
        let (block, index) = block(m, Op::LoopMerge);
        block.insert(index + 1, nop());
    });
    refused(COLLATZ, "is not a label", |m| {
        let id = inst(m, Op::IAdd).result_id.expect("a result");
        inst(m, Op::LoopMerge).operands[0] = Operand::IdRef(id);
    });
}

#[test]
fn signatures() {
    refused(COLLATZ, "differ from its type", |m| {
        let (ty, id) = (inst(m, Op::IAdd).result_type, Some(bump(m)));
        let parameter = dr::Instruction::new(Op::FunctionParameter, ty, id, vec![]);
        m.functions[0].parameters.push(parameter);
    });
    refused(COLLATZ, "is not a function type", |m| {
        let function = m.functions[0].def.as_mut();
        function.expect("a function").operands[1] = Operand::IdRef(1);
    });
}

#[test]
fn phis() {
    refused(COLLATZ, "does not have the phi's type", |m| {
        inst(m, Op::Phi).result_type = inst(m, Op::IEqual).result_type;
    });
    refused(COLLATZ, "is not a predecessor", |m| {
        inst(m, Op::Phi).operands[1] = Operand::IdRef(1_000_000);
    });
    refused(COLLATZ, "is not defined", |m| {
        inst(m, Op::Phi).operands[0] = Operand::IdRef(1_000_000);
    });
    refused(COLLATZ, "or is listed twice", |m| {
        let phi = inst(m, Op::Phi);
        phi.operands[1] = phi.operands[3].clone();
    });
    refused(COLLATZ, "a phi is after another instruction", |m| {
        let (block, index) = block(m, Op::Phi);
        block.insert(index, nop());
    });
    refused(COLLATZ, "does not have the phi's type", |m| {
        let phi = inst(m, Op::Phi);
        phi.operands[0] = phi.operands[1].clone();
    });
}

#[test]
fn declarations() {
    refused(COLLATZ, "cannot have 24 bits", |m| {
        global(m, Op::TypeInt).operands[0] = Operand::LiteralBit32(24);
    });
    refused(COLLATZ, "must have a type as its operand", |m| {
        let constant = global(m, Op::Constant).result_id.expect("a constant");
        let mut pointers = m.types_global_values.iter_mut().rev();
        let last = pointers.find(|i| i.class.opcode == Op::TypePointer);
        last.expect("a pointer type").operands[1] = Operand::IdRef(constant);
    });
    refused(COLLATZ, "a variable and its pointer type", |m| {
        global(m, Op::Variable).operands[0] = Operand::StorageClass(StorageClass::Function);
    });
    refused(COLLATZ, "does not have the width", |m| {
        let literal = Operand::LiteralBit32(0);
        global(m, Op::Constant).operands.push(literal);
    });
}

/// Changes a converted shader whose buffers are at device addresses, as [`refused`] does.
#[track_caller]
fn refused_address(text: &str, change: impl FnOnce(&mut dr::Module)) {
    let file = r#"{ "bindings": [
        { "class": "srv", "register": 0, "range": 8, "place": { "device_address": { "root_descriptor": 0 } } },
        { "class": "uav", "register": 0, "range": 8, "place": { "device_address": { "root_descriptor": 8 } } } ] }"#;
    let model = BindingFile::parse(file, DefaultBindings::default()).expect("a binding file");
    let options = Options::default()
        .with_root_descriptors(16)
        .with_bindings(Arc::new(model));
    let dxil = include_bytes!("../../../corpus/shaders/buffers/structured.dxil");
    let words = crate::convert(dxil, &options).expect("it converts").words;
    refused_module(load(&words), text, change);
}

#[test]
fn device_addresses() {
    for addressing in [AddressingModel::Logical, AddressingModel::Physical64] {
        refused_address("addressing model must be", |m| {
            let model = m.memory_model.as_mut().expect("a memory model");
            model.operands[0] = Operand::AddressingModel(addressing);
        });
    }
    refused_address("PhysicalStorageBufferAddresses", |m| {
        without_capability(m, Capability::PhysicalStorageBufferAddresses);
    });
    for op in [Op::Load, Op::Store] {
        let through = |m: &mut dr::Module, change: &dyn Fn(&mut Vec<Operand>)| {
            let blocks = &mut m.functions[0].blocks;
            let mut all = blocks.iter_mut().flat_map(|b| &mut b.instructions);
            let is_aligned = |i: &&mut dr::Instruction| {
                i.class.opcode == op && matches!(i.operands.last(), Some(Operand::LiteralBit32(_)))
            };
            change(&mut all.find(is_aligned).expect("an access").operands);
        };
        refused_address("must have an alignment", |m| {
            through(m, &|o| o.truncate(o.len() - 2));
        });
        for alignment in [0, 2, 6] {
            refused_address("must have an alignment", |m| {
                through(m, &|o| {
                    o.pop();
                    o.push(Operand::LiteralBit32(alignment));
                });
            });
        }
    }
    refused_address("operand types are not valid", |m| {
        let narrow = narrow_constant(m);
        inst(m, Op::Bitcast).operands[0] = narrow;
    });
}

#[test]
fn forward_references() {
    refused(COLLATZ, "is not defined", |m| {
        m.debug_names[0].operands[0] = Operand::IdRef(1_000_000);
    });
    refused(COLLATZ, "is not defined", |m| {
        m.annotations[0].operands[0] = Operand::IdRef(1_000_000);
    });
    refused(COLLATZ, "is not a function", |m| {
        let ty = m.types_global_values[0].result_id.expect("a type");
        m.entry_points[0].operands[1] = Operand::IdRef(ty);
    });
    refused(COLLATZ, "listed twice", |m| {
        let interface = &mut m.entry_points[0].operands;
        interface.extend(interface.last().cloned());
    });
}

#[test]
fn errors_name_rule_and_instruction() {
    let mut module = load(&converted(COLLATZ));
    let (result, op) = {
        let phi = inst(&mut module, Op::Phi);
        phi.operands[0] = Operand::IdRef(1_000_000);
        (phi.result_id, phi.class.opcode)
    };
    let VerifyError { rule, at, .. } = verify(&module.assemble()).expect_err("an unknown id");
    assert_eq!(rule, VerifyRule::Undefined { id: 1_000_000 });
    let at = at.expect("an instruction");
    let main = module.functions[0].def.as_ref();
    assert_eq!(at.function, main.and_then(|def| def.result_id));
    let start = format!("%{} = Op{op:?} %1000000", result.expect("a result"));
    assert!(at.text.starts_with(&start), "{at}");

    let mut words = module.assemble();
    words[0] = 0;
    let error = verify(&words).expect_err("no header");
    assert_eq!(error, VerifyError::from(VerifyRule::Header));
}

/// A pointer to data at an address is made of 64 bits.
#[test]
fn pointers_of_numbers() {
    const RECURSION: &[u8] = include_bytes!("../../../corpus/shaders/work_graphs/recursion.dxil");
    let options = Options::default().with_entry("Walk".to_owned());
    let words = crate::convert(RECURSION, &options)
        .expect("it converts")
        .words;
    refused_module(load(&words), "types", |m| {
        let narrow = narrow_constant(m);
        inst(m, Op::ConvertUToPtr).operands[0] = narrow;
    });
}

#[test]
fn atomics_on_floats_have_their_capability_and_types() {
    let dxil = include_bytes!("../../../corpus/shaders/vendor/nvapi_half_atomics.dxil");
    let uav = IntrinsicsUav {
        register: 7,
        space: 3,
    };
    let options = Options::default().with_nvapi(Some(uav));
    let words = crate::convert(dxil, &options).expect("it converts").words;
    let required = "capability AtomicFloat16VectorNV is required";
    refused_module(load(&words), required, |m| {
        without_capability(m, Capability::AtomicFloat16VectorNV);
    });
    refused_module(load(&words), "operand types are not valid", |m| {
        let atomic = inst(m, Op::AtomicFMinEXT);
        atomic.operands[3] = atomic.operands[1].clone();
    });
}

/// Vulkan has atomic operations on texels of some formats only.
#[test]
fn images_of_texel_pointers_have_a_format() {
    let dxil = include_bytes!("../../../corpus/shaders/atomics/texture.dxil");
    let mut words = converted((dxil, ""));
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        if first & 0xFFFF == Op::TypeImage as Word {
            words[at + 8] = ImageFormat::Unknown as Word;
        }
        at += (first >> 16) as usize;
    }
    let error = verify(&words).expect_err("the format is missing");
    assert_eq!(error.rule, VerifyRule::OperandTypes);
    let text = error.at.expect("a place").text;
    assert!(text.contains("OpImageTexelPointer"), "{text}");
}
