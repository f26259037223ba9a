//! Our own verifier: checks the words of a finished module against the rules of SPIR-V that emission could break, from the words alone.
//!
//! Instructions fit their opcodes and stand in the order of sections, ids are defined once and before use, definitions dominate uses, blocks and merge
//! instructions form structured control flow ([`structurizer::verify::verify_cfg`]), phis match their predecessors, the types of the common instructions fit,
//! declared types have their capabilities, and the entry point lists its interface. Source: SPIR-V 1.6, sections 2.3 (physical layout), 2.4 (logical layout),
//! 2.16 (validation), 3.52 (instructions).
//!
//! It never trusts emission: a module that fails is reported as a bug of Trellis instead of being handed out.

mod flow;
mod module;
mod read;
mod rules;
mod types;

use rspirv::spirv::{MAGIC_NUMBER, Op, Word};
use smallvec::SmallVec;

use read::{Inst, Reader};
use types::{Ty, Types};

/// In place of a block: defined at module level, or a function, so known everywhere.
const MODULE: u32 = u32::MAX;
/// In place of a block: a label or parameter, known in the whole of its function.
const EVERYWHERE: u32 = u32::MAX - 1;

/// What is known of an id.
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
    /// Whether there is a merge instruction before the terminator.
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
/// What is wrong, with ids.
pub(crate) fn verify(words: &[Word]) -> Result<(), Failure> {
    let [MAGIC_NUMBER, _, _, bound, 0, ..] = *words else { return Err("no header of a module".to_owned()) };
    // Ids are words of the module, and emission uses nearly all: more would be memory for nothing.
    if words.len() > u32::MAX as usize / 2 || bound as usize > words.len().saturating_mul(4) {
        return Err(format!("the bound of ids is {bound} in a module of {} words", words.len()));
    }
    let unknown = Id { at: 0, block: MODULE, ty: 0, op: Op::Nop };
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
    v.references()
}

impl<'a> Verifier<'a> {
    /// The instruction at a word.
    #[inline]
    fn read(&self, at: u32) -> Result<Inst<'a>, Failure> {
        let mut inst = self.reader.read(self.words, at)?;
        if inst.op() == Op::Switch && self.types.get(self.type_of(inst.operands[0])) == Ty::Int(64) {
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
        *slot = Id { at: inst.at, block, ty: inst.result_type, op: inst.op() };
        Ok(())
    }

    #[inline]
    fn id(&self, id: Word) -> Option<&Id> {
        self.ids.get(id as usize).filter(|i| i.at != 0)
    }

    /// Type of a value.
    fn type_of(&self, id: Word) -> Word {
        self.id(id).filter(|i| i.op != Op::Label).map_or(0, |i| i.ty)
    }

    /// Operand `index`, which is an id.
    fn operand(inst: &Inst<'_>, index: usize) -> Result<Word, Failure> {
        inst.operands.get(index).copied().ok_or_else(|| format!("{}: operand {index} is missing", show(inst)))
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
        let words = crate::convert(dxil, &Options::default()).expect("it converts").words;
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
