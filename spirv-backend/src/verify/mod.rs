//! Our own verifier: checks the words of a finished module against the rules of SPIR-V that
//! emission could break, from the words alone.
//!
//! Instructions match their opcodes and are in the order of sections, ids are defined once and
//! before use, definitions dominate uses, blocks and merge instructions form structured control
//! flow ([`trellis_structurizer::verify::verify_cfg`]), phis match their predecessors, the types of
//! the common instructions fit, declared types have their capabilities, the entry point lists its
//! interface, and ray tracing stages have what is theirs. Source: SPIR-V 1.6, sections 2.3
//! (physical layout), 2.4 (logical layout), 2.16 (validation), 3.52 (instructions).
//!
//! It never trusts emission: a module that fails is reported as a bug of Trellis instead of being
//! handed out.

mod flow;
mod mesh;
mod module;
mod ray_tracing;
mod read;
mod rules;
mod stages;
mod types;

use rspirv::spirv::{MAGIC_NUMBER, Op, Word};
use smallvec::SmallVec;

use read::{Inst, Reader};
use types::{Ty, Types};

/// In place of a block: defined at module level, or a function, so known everywhere.
const MODULE: u32 = u32::MAX;
/// In place of a block: a label or parameter, known in the whole of its function.
const EVERYWHERE: u32 = u32::MAX - 1;

/// The definition of an id.
#[derive(Clone, Copy)]
struct Id {
    /// The first word of its definition; 0 without one.
    at: u32,
    /// Number of the block in its function, [`MODULE`] or [`EVERYWHERE`].
    block: u32,
    /// Result type, 0 without one; of a label the number of its block.
    ty: Word,
    op: Op,
}

/// A block of a function, by instructions of [`Verifier::insts`].
#[derive(Clone, Copy)]
struct Block {
    /// The one after the label.
    start: u32,
    /// True if there is a merge instruction before the terminator.
    merge: bool,
    /// The one after the terminator.
    end: u32,
}

/// The words of a function, and its blocks by number in the module.
#[derive(Clone, Copy, Default)]
struct Range {
    start: u32,
    end: u32,
    blocks: (u32, u32),
}

/// The state of one verification.
struct Verifier<'a> {
    words: &'a [Word],
    reader: Reader,
    ids: Vec<Id>,
    types: Types,
    capabilities: SmallVec<[Word; 16]>,
    /// Module-level variables: id, storage class.
    variables: SmallVec<[(Word, Word); 16]>,
    /// Instructions before the declarations that refer to ids.
    forward: SmallVec<[u32; 32]>,
    /// Instructions of the blocks, without their labels.
    insts: Vec<Inst<'a>>,
    functions: SmallVec<[Range; 4]>,
    blocks: SmallVec<[Block; 16]>,
    /// The function at hand.
    function: Range,
}

/// Why a module is wrong.
type Failure = String;

/// Verifies the words of a module.
///
/// # Errors
///
/// Returns a description of the first violated rule, with ids.
pub(crate) fn verify(words: &[Word]) -> Result<(), Failure> {
    let [MAGIC_NUMBER, _, _, bound, 0, ..] = *words else {
        return Err("no header of a module".to_owned());
    };
    // Ids are words of the module, and emission uses nearly all: more would be memory for nothing.
    if words.len() > u32::MAX as usize / 2 || bound as usize > words.len().saturating_mul(4) {
        return Err(format!(
            "the bound of ids is {bound} in a module of {} words",
            words.len()
        ));
    }
    let unknown = Id {
        at: 0,
        block: MODULE,
        ty: 0,
        op: Op::Nop,
    };
    let mut v = Verifier {
        words,
        reader: Reader::new(),
        ids: vec![unknown; bound as usize],
        types: Types::new(bound),
        capabilities: SmallVec::new(),
        variables: SmallVec::new(),
        forward: SmallVec::new(),
        // More than four words an instruction in nearly every shader.
        insts: Vec::with_capacity(words.len() / 4),
        functions: SmallVec::new(),
        blocks: SmallVec::new(),
        function: Range::default(),
    };
    let functions = v.module_level()?;
    v.functions(functions)?;
    for index in 0..v.functions.len() {
        v.function_body(index)?;
    }
    v.references()?;
    v.mesh_shading()?;
    v.ray_tracing()?;
    v.vertex_stages()
}

impl<'a> Verifier<'a> {
    /// Returns the instruction at a word.
    #[inline]
    fn read(&self, at: u32) -> Result<Inst<'a>, Failure> {
        let mut inst = self.reader.read(self.words, at)?;
        if inst.op() == Op::Switch && self.types.get(self.type_of(inst.operands[0])) == Ty::Int(64)
        {
            inst.literal = 2;
        }
        Ok(inst)
    }

    /// Enters the result of an instruction.
    #[inline]
    fn define(&mut self, inst: &Inst<'_>, block: u32) -> Result<(), Failure> {
        let id = inst.result;
        if id == 0 {
            return Ok(());
        }
        let Some(slot) = self.ids.get_mut(id as usize) else {
            return Err(format!("{}: id %{id} is not below the bound", show(inst)));
        };
        if slot.at != 0 {
            return Err(format!("{}: id %{id} is defined twice", show(inst)));
        }
        *slot = Id {
            at: inst.at,
            block,
            ty: inst.result_type,
            op: inst.op(),
        };
        Ok(())
    }

    #[inline]
    fn id(&self, id: Word) -> Option<&Id> {
        self.ids.get(id as usize).filter(|i| i.at != 0)
    }

    /// Type of a value.
    fn type_of(&self, id: Word) -> Word {
        self.id(id)
            .filter(|i| i.op != Op::Label)
            .map_or(0, |i| i.ty)
    }

    /// Operand `index`, which is an id.
    fn operand(inst: &Inst<'_>, index: usize) -> Result<Word, Failure> {
        inst.operands
            .get(index)
            .copied()
            .ok_or_else(|| format!("{}: operand {index} is missing", show(inst)))
    }
}

/// An instruction as text, for failures.
#[cold]
fn show(inst: &Inst<'_>) -> String {
    let mut text = String::new();
    if inst.result != 0 {
        text.push_str(&format!("%{} = ", inst.result));
    }
    text.push_str(&format!("Op{:?}", inst.op()));
    for id in inst.ids().take(8) {
        text.push_str(&format!(" %{id}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use rspirv::binary::Assemble;
    use rspirv::dr::{self, Operand};
    use rspirv::spirv::{Capability, Op};

    use super::verify;
    use crate::options::Options;

    /// A converted shader with a loop and phis.
    fn module() -> dr::Module {
        let dxil = include_bytes!("../../../corpus/shaders/control_flow/collatz.dxil");
        let words = crate::convert(dxil, &Options::default())
            .expect("it converts")
            .words;
        dr::load_words(words).expect("SPIR-V")
    }

    /// Changes the module, and gives the verifier's answer.
    fn after(change: impl FnOnce(&mut dr::Module)) -> String {
        let mut module = module();
        assert_eq!(verify(&module.assemble()), Ok(()));
        change(&mut module);
        verify(&module.assemble()).expect_err("the change must be found")
    }

    /// The first instruction of the function with an opcode: block and index.
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
                .contains("does not exist")
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
            .contains("not defined before")
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
        verify(&words).expect_err("the change must be found")
    }

    fn nop() -> dr::Instruction {
        dr::Instruction::new(Op::Nop, None, None, vec![])
    }

    #[test]
    fn header_and_bound() {
        assert!(after_words(|w| w[0] = 0).contains("no header"));
        assert!(after_words(|w| w.truncate(4)).contains("no header"));
        assert!(after_words(|w| w[3] = 3).contains("not below the bound"));
        assert!(after_words(|w| w[3] = u32::MAX).contains("the bound of ids"));
    }

    #[test]
    fn words_of_instructions() {
        assert!(after_words(|w| w.truncate(w.len() - 1)).contains("the module ends"));
        let cut = after_words(|w| {
            w.truncate(6);
            w[3] = 1;
        });
        assert!(cut.contains("the module ends"), "{cut}");
        assert!(after_words(|w| w[5] = 0).contains("do not fit the opcode"));
        assert!(after_words(|w| w[5] = 2 << 16 | 0xFFFF).contains("opcode 65535"));
        assert!(
            after(|m| drop(inst(m, Op::IAdd).operands.pop())).contains("do not fit the opcode")
        );
        assert!(
            after(|m| inst(m, Op::IAdd).operands.push(Operand::IdRef(1)))
                .contains("do not fit the opcode")
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
            after(|m| drop(m.functions[0].blocks[0].instructions.pop()))
                .contains("without terminator")
        );
        assert!(
            after(|m| m.functions[0].blocks[0].instructions.push(nop())).contains("not in a block")
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
        assert!(more.contains("differs from its type"), "{more}");
        assert!(
            after(
                |m| m.functions[0].def.as_mut().expect("a function").operands[1] =
                    Operand::IdRef(1)
            )
            .contains("no function type")
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
            .contains("another type")
        );
        assert!(
            after(|m| inst(m, Op::Phi).operands[1] = Operand::IdRef(1_000_000))
                .contains("is not a predecessor")
        );
        assert!(
            after(|m| inst(m, Op::Phi).operands[0] = Operand::IdRef(1_000_000))
                .contains("does not exist")
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
        assert!(late.contains("a phi after another instruction"), "{late}");
        let label = after(|m| {
            let (block, _) = find(m, Op::Phi);
            let label = m.functions[0].blocks[block]
                .label
                .as_ref()
                .and_then(|l| l.result_id)
                .expect("a label");
            inst(m, Op::Phi).operands[0] = Operand::IdRef(label);
        });
        assert!(label.contains("another type"), "{label}");
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
        assert!(width.contains("invalid width"), "{width}");
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
        assert!(pointer.contains("points to no type"), "{pointer}");
        let variable = after(|m| {
            let at = global(m, Op::Variable);
            m.types_global_values[at].operands[0] =
                Operand::StorageClass(spirv::StorageClass::Function);
        });
        assert!(
            variable.contains("storage class and pointer type differ"),
            "{variable}"
        );
        let literal = after(|m| {
            let at = global(m, Op::Constant);
            m.types_global_values[at]
                .operands
                .push(Operand::LiteralBit32(0));
        });
        assert!(literal.contains("the literal does not fit"), "{literal}");
    }

    #[test]
    fn forward_references() {
        assert!(
            after(|m| m.debug_names[0].operands[0] = Operand::IdRef(1_000_000))
                .contains("does not exist")
        );
        assert!(
            after(|m| m.annotations[0].operands[0] = Operand::IdRef(1_000_000))
                .contains("does not exist")
        );
        let ty = module().types_global_values[0].result_id.expect("a type");
        assert!(
            after(|m| m.entry_points[0].operands[1] = Operand::IdRef(ty))
                .contains("is not a function")
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
}
