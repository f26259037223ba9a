//! Our own verifier: checks a finished module against the rules of SPIR-V that emission could break, from the module alone.
//!
//! Ids are defined once and before use, definitions dominate uses, blocks and merge instructions form structured control flow
//! ([`structurizer::verify::verify_cfg`]), phis match their predecessors, the types of the common instructions fit, declared types have their capabilities,
//! and the entry point lists its interface. Source: SPIR-V 1.6, sections 2.4 (layout), 2.16 (validation), 3.52 (instructions).
//!
//! It never trusts emission: a module that fails is reported as a bug of Trellis instead of being handed out.

mod flow;
mod module;
mod rules;
mod types;

use rspirv::dr::{self, Operand};
use rspirv::spirv::{Op, Word};

use types::Types;

/// Where a result id is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Nowhere so far.
    None,
    /// At module level, or a function: known everywhere.
    Module,
    /// A parameter of the current function.
    Parameter,
    /// The label of a block of the current function.
    Label(u32),
    /// In a block of the current function: block number, instruction number.
    Body(u32, u32),
}

/// What is known of an id.
#[derive(Clone, Copy)]
struct Id {
    place: Place,
    op: Op,
    /// Result type, 0 without one.
    ty: Word,
    /// Number of the function that it is local to; `u32::MAX` at module level.
    function: u32,
}

const GLOBAL: u32 = u32::MAX;

/// The state of one verification.
struct Verifier<'a> {
    module: &'a dr::Module,
    ids: Vec<Id>,
    types: Types,
    /// Value of each 32-bit integer constant by id; `u32::MAX` for what is none.
    constants: Vec<Word>,
    /// Number of the function at hand.
    function: u32,
}

/// Why a module is wrong.
type Failure = String;

/// Verifies a module that is ready to be assembled.
///
/// # Errors
/// What is wrong, with ids.
pub(crate) fn verify(module: &dr::Module) -> Result<(), Failure> {
    let bound = module.header.as_ref().map_or(0, |h| h.bound);
    let unknown = Id { place: Place::None, op: Op::Nop, ty: 0, function: GLOBAL };
    let mut v = Verifier { module, ids: vec![unknown; bound as usize], types: Types::new(bound), constants: vec![u32::MAX; bound as usize], function: GLOBAL };
    v.module_level()?;
    for (index, function) in module.functions.iter().enumerate() {
        v.function = index as u32;
        v.function_body(function)?;
    }
    v.references()
}

impl Verifier<'_> {
    /// Enters the result of an instruction.
    fn define(&mut self, inst: &dr::Instruction, place: Place) -> Result<(), Failure> {
        let Some(id) = inst.result_id else { return Ok(()) };
        let function = if place == Place::Module { GLOBAL } else { self.function };
        let Some(slot) = self.ids.get_mut(id as usize).filter(|_| id != 0) else {
            return Err(format!("{}: id %{id} is not below the bound", show(inst)));
        };
        if slot.place != Place::None {
            return Err(format!("{}: id %{id} is defined twice", show(inst)));
        }
        *slot = Id { place, op: inst.class.opcode, ty: inst.result_type.unwrap_or(0), function };
        Ok(())
    }

    fn id(&self, id: Word) -> Option<&Id> {
        self.ids.get(id as usize).filter(|i| i.place != Place::None)
    }

    /// Type of a value.
    fn type_of(&self, id: Word) -> Word {
        self.id(id).map_or(0, |i| i.ty)
    }

    /// Operand `index` as an id.
    fn operand(inst: &dr::Instruction, index: usize) -> Result<Word, Failure> {
        match inst.operands.get(index) {
            Some(Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id)) => Ok(*id),
            _ => Err(format!("{}: operand {index} must be an id", show(inst))),
        }
    }
}

/// Ids among the operands of an instruction.
fn id_operands(inst: &dr::Instruction) -> impl Iterator<Item = Word> + '_ {
    inst.operands.iter().filter_map(|o| match o {
        Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) => Some(*id),
        _ => None,
    })
}

/// An instruction as text, for failures.
#[cold]
fn show(inst: &dr::Instruction) -> String {
    let mut text = String::new();
    if let Some(id) = inst.result_id {
        text.push_str(&format!("%{id} = "));
    }
    text.push_str(&format!("Op{}", inst.class.opname));
    for id in id_operands(inst).take(8) {
        text.push_str(&format!(" %{id}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use rspirv::dr::{self, Operand};
    use rspirv::spirv::{Capability, Op};

    use super::verify;
    use crate::options::Options;

    /// A converted shader with a loop and phis.
    fn module() -> dr::Module {
        let dxil = include_bytes!("../../../corpus/shaders/control_flow/collatz.dxil");
        let words = crate::convert(dxil, &Options::default()).expect("it converts").words;
        dr::load_words(words).expect("SPIR-V")
    }

    /// Changes the module, and gives the verifier's answer.
    fn after(change: impl FnOnce(&mut dr::Module)) -> String {
        let mut module = module();
        assert_eq!(verify(&module), Ok(()));
        change(&mut module);
        verify(&module).expect_err("the change must be found")
    }

    /// The first instruction of the function with an opcode: block and index.
    fn find(module: &dr::Module, op: Op) -> (usize, usize) {
        let blocks = module.functions[0].blocks.iter().enumerate();
        let mut found = blocks.filter_map(|(b, block)| block.instructions.iter().position(|i| i.class.opcode == op).map(|i| (b, i)));
        found.next().unwrap_or_else(|| panic!("the shader has no {op:?}"))
    }

    fn inst(module: &mut dr::Module, op: Op) -> &mut dr::Instruction {
        let (block, index) = find(module, op);
        &mut module.functions[0].blocks[block].instructions[index]
    }

    #[test]
    fn ids() {
        assert!(after(|m| inst(m, Op::IAdd).operands[0] = Operand::IdRef(1_000_000)).contains("does not exist"));
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
            .contains("not defined before")
        );
    }

    #[test]
    fn definitions_reach_their_uses() {
        let text = after(|m| {
            // The first instruction that uses a later one of its block.
            let (block, index) = find(m, Op::IAdd);
            m.functions[0].blocks[block].instructions.swap(index, index + 1);
            let later = m.functions[0].blocks[block].instructions[index + 1].result_id;
            if let Some(id) = later {
                let slot = &mut m.functions[0].blocks[block].instructions[index].operands;
                if let Some(o) = slot.iter_mut().find(|o| matches!(o, Operand::IdRef(_))) {
                    *o = Operand::IdRef(id);
                }
            }
        });
        assert!(text.contains("does not reach"), "{text}");
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
            .contains("do not fit")
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
            let int = m.types_global_values.iter_mut().find(|i| i.class.opcode == Op::TypeInt).expect("a type");
            int.operands[0] = Operand::LiteralBit32(64);
            m.capabilities.retain(|c| c.operands[0] != Operand::Capability(Capability::Int64));
        });
        assert!(wide.contains("Int64"), "{wide}");
    }
}
