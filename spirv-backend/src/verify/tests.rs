//! The verifier on modules that break one rule each.

use std::sync::Arc;

use rspirv::binary::Assemble;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{
    AddressingModel, Capability, ExecutionModel, FunctionControl, MemoryModel, Op,
    SelectionControl, Word,
};

use super::verify;
use crate::bindings::{BindingFile, DefaultBindings};
use crate::error::{VerifyError, VerifyRule};
use crate::options::{IntrinsicsUav, Options};

/// Returns a converted shader with a loop and phis.
fn module() -> dr::Module {
    let dxil = include_bytes!("../../../corpus/shaders/control_flow/collatz.dxil");
    let words = crate::convert(dxil, &Options::default())
        .expect("it converts")
        .words;
    dr::load_words(words).expect("SPIR-V")
}

/// Changes the module, and returns the verifier's error.
fn after(change: impl FnOnce(&mut dr::Module)) -> String {
    let mut module = module();
    assert_eq!(verify(&module.assemble()), Ok(()));
    change(&mut module);
    verify(&module.assemble())
        .expect_err("the change must be found")
        .to_string()
}

/// Returns the first instruction of the function with an opcode: block and index.
fn find(module: &dr::Module, op: Op) -> (usize, usize) {
    let blocks = module.functions[0].blocks.iter().enumerate();
    let mut found = blocks.filter_map(|(b, block)| {
        block
            .instructions
            .iter()
            .position(|i| i.class.opcode == op)
            .map(|i| (b, i))
    });
    found
        .next()
        .unwrap_or_else(|| panic!("the shader has no {op:?}"))
}

fn inst(module: &mut dr::Module, op: Op) -> &mut dr::Instruction {
    let (block, index) = find(module, op);
    &mut module.functions[0].blocks[block].instructions[index]
}

#[test]
fn ids() {
    assert!(
        after(|m| inst(m, Op::IAdd).operands[0] = Operand::IdRef(1_000_000))
            .contains("is not defined")
    );
    assert!(
        after(|m| {
            let id = inst(m, Op::IAdd).result_id;
            inst(m, Op::Load).result_id = id;
        })
        .contains("defined twice")
    );
    assert!(
        after(|m| {
            m.types_global_values.reverse();
        })
        .contains("is not defined before its use")
    );
}

#[test]
fn definitions_reach_their_uses() {
    let text = after(|m| {
        // The first instruction that uses a later one of its block.
        let (block, index) = find(m, Op::IAdd);
        m.functions[0].blocks[block]
            .instructions
            .swap(index, index + 1);
        let later = m.functions[0].blocks[block].instructions[index + 1].result_id;
        if let Some(id) = later {
            let slot = &mut m.functions[0].blocks[block].instructions[index].operands;
            if let Some(o) = slot.iter_mut().find(|o| matches!(o, Operand::IdRef(_))) {
                *o = Operand::IdRef(id);
            }
        }
    });
    assert!(text.contains("does not dominate"), "{text}");
}

#[test]
fn values_of_blocks_that_do_not_dominate() {
    // A value of a later block: no word before defines it.
    let words = assembled_diamond(|then, _| then, |_, entry| entry);
    let before = verify(&words).expect_err("it is defined later").to_string();
    assert!(before.contains("does not dominate"), "{before}");
    // A value of one of two paths, used after both.
    let words = assembled_diamond(|_, entry| entry, |then, _| then);
    let path = verify(&words).expect_err("it is not known").to_string();
    assert!(path.contains("does not dominate"), "{path}");
    assert_eq!(
        verify(&assembled_diamond(|_, entry| entry, |_, entry| entry)),
        Ok(())
    );
}

/// Returns a function with a selection that has one path, where a value is used before and one after
/// it: each that of the path, or that of the entry.
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
    let main = b
        .begin_function(void, None, FunctionControl::NONE, ty)
        .expect("a function");
    b.entry_point(ExecutionModel::GLCompute, main, "main", []);
    let (then, end, other) = (b.id(), b.id(), b.id());
    b.begin_block(None).expect("a block");
    let sum = b.i_add(int, None, one, one).expect("a sum");
    let cond = b
        .i_equal(bool_ty, None, before(other, sum), one)
        .expect("a comparison");
    let control = SelectionControl::NONE;
    b.selection_merge(end, control).expect("a merge");
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
    let text = after(|m| {
        let ty = inst(m, Op::IAdd).result_type.expect("a type");
        inst(m, Op::IAdd).operands[0] = Operand::IdRef(ty);
    });
    assert!(text.contains("operand types are not valid"), "{text}");
}

#[test]
fn phis_match_predecessors() {
    assert!(
        after(|m| {
            inst(m, Op::Phi).operands.truncate(2);
        })
        .contains("predecessors")
    );
}

#[test]
fn structure() {
    assert!(
        after(|m| {
            let (b, i) = find(m, Op::LoopMerge);
            m.functions[0].blocks[b].instructions.remove(i);
        })
        .contains("structured control flow")
    );
}

#[test]
fn types() {
    assert!(
        after(|m| {
            let ty = inst(m, Op::Load).result_type;
            inst(m, Op::IEqual).result_type = ty;
        })
        .contains("operand types are not valid")
    );
}

#[test]
fn entry_point_and_capabilities() {
    assert!(
        after(|m| {
            m.entry_points[0].operands.pop();
        })
        .contains("not listed")
    );
    assert!(after(|m| m.entry_points.clear()).contains("no entry point"));
    let wide = after(|m| {
        let int = m
            .types_global_values
            .iter_mut()
            .find(|i| i.class.opcode == Op::TypeInt)
            .expect("a type");
        int.operands[0] = Operand::LiteralBit32(64);
        m.capabilities
            .retain(|c| c.operands[0] != Operand::Capability(Capability::Int64));
    });
    assert!(wide.contains("Int64"), "{wide}");
}

/// Changes the words of the module, and gives the verifier's answer.
fn after_words(change: impl FnOnce(&mut Vec<u32>)) -> String {
    let mut words = module().assemble();
    change(&mut words);
    verify(&words)
        .expect_err("the change must be found")
        .to_string()
}

fn nop() -> dr::Instruction {
    dr::Instruction::new(Op::Nop, None, None, vec![])
}

#[test]
fn header_and_bound() {
    assert!(after_words(|w| w[0] = 0).contains("do not start with the header"));
    assert!(after_words(|w| w.truncate(4)).contains("do not start with the header"));
    assert!(after_words(|w| w[3] = 3).contains("not below the id bound"));
    assert!(after_words(|w| w[3] = u32::MAX).contains("id bound"));
}

#[test]
fn words_of_instructions() {
    assert!(after_words(|w| w.truncate(w.len() - 1)).contains("the module ends"));
    let cut = after_words(|w| {
        w.truncate(6);
        w[3] = 1;
    });
    assert!(cut.contains("the module ends"), "{cut}");
    assert!(after_words(|w| w[5] = 0).contains("not valid for the opcode"));
    assert!(after_words(|w| w[5] = 2 << 16 | 0xFFFF).contains("opcode 65535"));
    assert!(after(|m| drop(inst(m, Op::IAdd).operands.pop())).contains("not valid for the opcode"));
    assert!(
        after(|m| inst(m, Op::IAdd).operands.push(Operand::IdRef(1)))
            .contains("not valid for the opcode")
    );
}

#[test]
fn order_of_sections() {
    let misplaced = after(|m| {
        let capability = m.capabilities[0].clone();
        m.annotations.push(capability);
    });
    assert!(misplaced.contains("is after the section"), "{misplaced}");
    assert!(after_words(|w| w.push(1 << 16 | Op::Nop as u32)).contains("is between functions"));
    assert!(
        after(|m| m.types_global_values.push(nop())).contains("is not allowed at module level")
    );
}

#[test]
fn shape_of_blocks() {
    assert!(
        after(|m| drop(m.functions[0].blocks[0].instructions.pop())).contains("has no terminator")
    );
    assert!(
        after(|m| m.functions[0].blocks[0].instructions.push(nop())).contains("after a terminator")
    );
    let apart = after(|m| {
        let (block, index) = find(m, Op::LoopMerge);
        m.functions[0].blocks[block]
            .instructions
            .insert(index + 1, nop());
    });
    assert!(apart.contains("between a merge instruction"), "{apart}");
    let foreign = after(|m| {
        let id = inst(m, Op::IAdd).result_id.expect("a result");
        let (block, index) = find(m, Op::LoopMerge);
        m.functions[0].blocks[block].instructions[index].operands[0] = Operand::IdRef(id);
    });
    assert!(foreign.contains("is not a label"), "{foreign}");
}

#[test]
fn signatures() {
    let more = after(|m| {
        let (ty, bound) = (
            inst(m, Op::IAdd).result_type,
            m.header.as_ref().expect("a header").bound,
        );
        m.header.as_mut().expect("a header").bound += 1;
        m.functions[0].parameters.push(dr::Instruction::new(
            Op::FunctionParameter,
            ty,
            Some(bound),
            vec![],
        ));
    });
    assert!(more.contains("differ from its type"), "{more}");
    assert!(
        after(|m| m.functions[0].def.as_mut().expect("a function").operands[1] = Operand::IdRef(1))
            .contains("is not a function type")
    );
}

#[test]
fn phis() {
    let type_of_bool = |m: &mut dr::Module| inst(m, Op::IEqual).result_type;
    assert!(
        after(|m| {
            let ty = type_of_bool(m);
            inst(m, Op::Phi).result_type = ty;
        })
        .contains("does not have the phi's type")
    );
    assert!(
        after(|m| inst(m, Op::Phi).operands[1] = Operand::IdRef(1_000_000))
            .contains("is not a predecessor")
    );
    assert!(
        after(|m| inst(m, Op::Phi).operands[0] = Operand::IdRef(1_000_000))
            .contains("is not defined")
    );
    let twice = after(|m| {
        let phi = inst(m, Op::Phi);
        phi.operands[1] = phi.operands[3].clone();
    });
    assert!(twice.contains("or is listed twice"), "{twice}");
    let late = after(|m| {
        let (block, index) = find(m, Op::Phi);
        m.functions[0].blocks[block]
            .instructions
            .insert(index, nop());
    });
    assert!(
        late.contains("a phi is after another instruction"),
        "{late}"
    );
    let label = after(|m| {
        let (block, _) = find(m, Op::Phi);
        let label = m.functions[0].blocks[block]
            .label
            .as_ref()
            .and_then(|l| l.result_id)
            .expect("a label");
        inst(m, Op::Phi).operands[0] = Operand::IdRef(label);
    });
    assert!(label.contains("does not have the phi's type"), "{label}");
}

#[test]
fn declarations() {
    let global = |m: &mut dr::Module, op: Op| {
        m.types_global_values
            .iter()
            .position(|i| i.class.opcode == op)
            .unwrap_or_else(|| panic!("no {op:?}"))
    };
    let width = after(|m| {
        let at = global(m, Op::TypeInt);
        m.types_global_values[at].operands[0] = Operand::LiteralBit32(24);
    });
    assert!(width.contains("cannot have 24 bits"), "{width}");
    let pointer = after(|m| {
        let at = m
            .types_global_values
            .iter()
            .rposition(|i| i.class.opcode == Op::TypePointer)
            .expect("a pointer type");
        let constant = m.types_global_values[..at]
            .iter()
            .find(|i| i.class.opcode == Op::Constant)
            .and_then(|i| i.result_id);
        m.types_global_values[at].operands[1] =
            Operand::IdRef(constant.expect("a constant before"));
    });
    assert!(
        pointer.contains("must have a type as its operand"),
        "{pointer}"
    );
    let variable = after(|m| {
        let at = global(m, Op::Variable);
        m.types_global_values[at].operands[0] =
            Operand::StorageClass(spirv::StorageClass::Function);
    });
    assert!(variable.contains("that of its pointer type"), "{variable}");
    let literal = after(|m| {
        let at = global(m, Op::Constant);
        m.types_global_values[at]
            .operands
            .push(Operand::LiteralBit32(0));
    });
    assert!(literal.contains("does not have the width"), "{literal}");
}

/// Returns a converted shader whose buffers are at device addresses.
fn module_with_addresses() -> dr::Module {
    let file = r#"{ "bindings": [
        { "class": "srv", "register": 0, "range": 8, "place": { "device_address": { "root_descriptor": 0 } } },
        { "class": "uav", "register": 0, "range": 8, "place": { "device_address": { "root_descriptor": 8 } } } ] }"#;
    let model = BindingFile::parse(file, DefaultBindings::default()).expect("a binding file");
    let options = Options::default()
        .with_root_descriptors(16)
        .with_bindings(Arc::new(model));
    let dxil = include_bytes!("../../../corpus/shaders/buffers/structured.dxil");
    let words = crate::convert(dxil, &options).expect("it converts").words;
    dr::load_words(words).expect("SPIR-V")
}

#[test]
fn device_addresses() {
    let after = |change: &dyn Fn(&mut dr::Module)| {
        let mut module = module_with_addresses();
        assert_eq!(verify(&module.assemble()), Ok(()));
        change(&mut module);
        let error = verify(&module.assemble());
        error.expect_err("the change must be found").to_string()
    };
    let logical = after(&|m| {
        let model = m.memory_model.as_mut().expect("a memory model");
        model.operands[0] = Operand::AddressingModel(AddressingModel::Logical);
    });
    assert!(logical.contains("addressing model must be"), "{logical}");
    let kernel = after(&|m| {
        let model = m.memory_model.as_mut().expect("a memory model");
        model.operands[0] = Operand::AddressingModel(AddressingModel::Physical64);
    });
    assert!(kernel.contains("addressing model must be"), "{kernel}");
    let undeclared = after(&|m| {
        m.capabilities.retain(|c| {
            c.operands[0] != Operand::Capability(Capability::PhysicalStorageBufferAddresses)
        });
    });
    assert!(
        undeclared.contains("PhysicalStorageBufferAddresses"),
        "{undeclared}"
    );
    for op in [Op::Load, Op::Store] {
        let through = |m: &mut dr::Module, change: &dyn Fn(&mut Vec<Operand>)| {
            let blocks = &mut m.functions[0].blocks;
            let mut all = blocks.iter_mut().flat_map(|b| &mut b.instructions);
            let is_aligned = |i: &&mut dr::Instruction| {
                i.class.opcode == op && matches!(i.operands.last(), Some(Operand::LiteralBit32(_)))
            };
            change(&mut all.find(is_aligned).expect("an access").operands);
        };
        let without = after(&|m| through(m, &|o| o.truncate(o.len() - 2)));
        assert!(without.contains("must have an alignment"), "{without}");
        for alignment in [0, 2, 6] {
            let wrong = after(&|m| {
                through(m, &|o| {
                    o.pop();
                    o.push(Operand::LiteralBit32(alignment));
                });
            });
            assert!(wrong.contains("must have an alignment"), "{wrong}");
        }
    }
    let narrow = after(&|m| {
        let uint = m
            .types_global_values
            .iter()
            .find(|i| i.class.opcode == Op::TypeInt && i.operands[0] == Operand::LiteralBit32(32));
        let uint = uint.and_then(|i| i.result_id).expect("an integer type");
        let zero = m
            .types_global_values
            .iter()
            .find(|i| i.class.opcode == Op::Constant && i.result_type == Some(uint));
        let zero = zero.and_then(|i| i.result_id).expect("a constant");
        inst(m, Op::Bitcast).operands[0] = Operand::IdRef(zero);
    });
    assert!(narrow.contains("operand types are not valid"), "{narrow}");
}

#[test]
fn forward_references() {
    assert!(
        after(|m| m.debug_names[0].operands[0] = Operand::IdRef(1_000_000))
            .contains("is not defined")
    );
    assert!(
        after(|m| m.annotations[0].operands[0] = Operand::IdRef(1_000_000))
            .contains("is not defined")
    );
    let ty = module().types_global_values[0].result_id.expect("a type");
    assert!(
        after(|m| m.entry_points[0].operands[1] = Operand::IdRef(ty)).contains("is not a function")
    );
    let twice = after(|m| {
        let last = m.entry_points[0]
            .operands
            .last()
            .cloned()
            .expect("an interface");
        m.entry_points[0].operands.push(last);
    });
    assert!(twice.contains("listed twice"), "{twice}");
}

#[test]
fn errors_name_rule_and_instruction() {
    let mut module = module();
    let (result, op) = {
        let phi = inst(&mut module, Op::Phi);
        phi.operands[0] = Operand::IdRef(1_000_000);
        (phi.result_id, phi.class.opcode)
    };
    let VerifyError { rule, at, .. } = verify(&module.assemble()).expect_err("an unknown id");
    assert_eq!(rule, VerifyRule::Undefined { id: 1_000_000 });
    let at = at.expect("an instruction");
    let main = module.functions[0]
        .def
        .as_ref()
        .and_then(|def| def.result_id);
    assert_eq!(at.function, main);
    let start = format!("%{} = Op{op:?} %1000000", result.expect("a result"));
    assert!(at.text.starts_with(&start), "{at}");

    let mut words = module.assemble();
    words[0] = 0;
    let error = verify(&words).expect_err("no header");
    assert_eq!(error, VerifyError::from(VerifyRule::Header));
}

/// A pointer to what is at an address is made of 64 bits.
#[test]
fn pointers_of_numbers() {
    let dxil = include_bytes!("../../../corpus/shaders/work_graphs/recursion.dxil");
    let options = Options::default().with_entry("Walk".to_owned());
    let words = crate::convert(dxil, &options).expect("it converts").words;
    let mut module = dr::load_words(words).expect("SPIR-V");
    assert_eq!(verify(&module.assemble()), Ok(()));
    let mut globals = module.types_global_values.iter();
    let narrow = globals.find_map(|i| match (i.class.opcode, &i.operands[..]) {
        (Op::Constant, [Operand::LiteralBit32(_)]) => i.result_id,
        _ => None,
    });
    let narrow = narrow.expect("a number of 32 bits");
    inst(&mut module, Op::ConvertUToPtr).operands[0] = Operand::IdRef(narrow);
    let error = verify(&module.assemble()).expect_err("the change must be found");
    assert!(error.to_string().contains("types"), "{error}");
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
    let module = || dr::load_words(&words).expect("SPIR-V");
    let broken = |module: &dr::Module| {
        let error = verify(&module.assemble()).expect_err("the change must be found");
        error.to_string()
    };
    let mut without = module();
    let halves = Operand::Capability(Capability::AtomicFloat16VectorNV);
    without.capabilities.retain(|c| c.operands[0] != halves);
    assert!(broken(&without).contains("capability AtomicFloat16VectorNV is required"));
    let mut word = module();
    let (block, at) = find(&word, Op::AtomicFMinEXT);
    let atomic = &mut word.functions[0].blocks[block].instructions[at];
    atomic.operands[3] = atomic.operands[1].clone();
    assert!(broken(&word).contains("operand types are not valid"));
}
