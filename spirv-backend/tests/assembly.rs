//! The text of modules, read by SPIRV-Tools' assembler.

use rustc_hash::FxHashMap;
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions};
use trellis_spirv_backend::{Options, convert_all, disassemble};

use rspirv::binary::{Consumer, ParseAction, parse_words};
use rspirv::dr::{Instruction, ModuleHeader, Operand};

/// The instructions of a module with ids by their first appearance.
#[derive(Default)]
struct Normalized {
    ids: FxHashMap<u32, u32>,
    instructions: Vec<Instruction>,
}

impl Normalized {
    fn of(words: &[u32]) -> Vec<Instruction> {
        let mut module = Self::default();
        parse_words(words, &mut module).expect("the words are SPIR-V");
        module.instructions
    }

    fn id(&mut self, id: &mut u32) {
        let next = self.ids.len() as u32 + 1;
        *id = *self.ids.entry(*id).or_insert(next);
    }
}

impl Consumer for Normalized {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_header(&mut self, _: ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_instruction(&mut self, mut inst: Instruction) -> ParseAction {
        for id in inst.result_type.iter_mut().chain(&mut inst.result_id) {
            self.id(id);
        }
        for operand in &mut inst.operands {
            if let Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) =
                operand
            {
                self.id(id);
            }
        }
        self.instructions.push(inst);
        ParseAction::Continue
    }
}

/// Compares a module with the module that its text assembles to. Returns false if it has a
/// capability that SPIRV-Tools do not know.
fn assembles(words: &[u32], what: &str) -> bool {
    let text = disassemble(words).expect("it is SPIR-V");
    let assembler = assembler::create(Some(TargetEnv::Universal_1_6));
    let assembled = match assembler.assemble(&text, AssemblerOptions::default()) {
        Err(error) if error.to_string().contains("Invalid capability") => return false,
        assembled => assembled.unwrap_or_else(|error| panic!("{what}: {error}")),
    };
    let (expected, found) = (Normalized::of(words), Normalized::of(assembled.as_words()));
    assert_eq!(expected.len(), found.len(), "{what}");
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected, found, "{what}");
    }
    true
}

#[test]
fn outputs_of_the_corpus_assemble() {
    let (mut done, mut unknown) = (0, 0);
    for (i, (name, bytes)) in shader_testkit::shaders().into_iter().enumerate() {
        let options = &Options::default().with_debug_info(i % 2 == 0);
        for output in convert_all(&bytes, options)
            .expect("it can be read")
            .into_iter()
            .flatten()
        {
            match assembles(&output.words, &name) {
                true => done += 1,
                false => unknown += 1,
            }
        }
    }
    // Hit objects and nodes of work graphs are newer than the assembler.
    assert!(done > 1_400 && unknown <= 40, "{done} {unknown}");
}

#[test]
fn random_constants_assemble() {
    // Float and integer types by opcode, width and sign, as ids from 1 on.
    let types = [
        [22, 16, u32::MAX],
        [22, 32, u32::MAX],
        [22, 64, u32::MAX],
        [21, 16, 0],
        [21, 16, 1],
        [21, 32, 0],
        [21, 32, 1],
        [21, 64, 0],
        [21, 64, 1],
    ];
    let mut words = vec![0x0723_0203, 0x0001_0600, 0, 200_000, 0];
    for (id, &[opcode, width, sign]) in (1..).zip(&types) {
        let operands = [id, width, sign];
        let operands = &operands[..if sign == u32::MAX { 2 } else { 3 }];
        words.push((operands.len() as u32 + 1) << 16 | opcode);
        words.extend(operands);
    }
    let mut state = 1_u64;
    for id in 100..100_100 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let ty = (state >> 33) as usize % types.len();
        let [opcode, width, sign] = types[ty];
        // Every third one is near zero, or has the exponent of infinities.
        let bits = state.rotate_left(17) ^ state >> 29;
        let bits = match id % 6 {
            0 => bits >> 58,
            1 => bits | 0x7FF0_0000_7F80_7C00,
            _ => bits,
        };
        let low = match (width, opcode, sign) {
            (16, 21, 1) => bits as i16 as u32,
            (16, ..) => bits as u32 & 0xFFFF,
            _ => bits as u32,
        };
        let literal = [low, (bits >> 32) as u32];
        let literal = &literal[..width.div_ceil(32) as usize];
        words.push((literal.len() as u32 + 3) << 16 | 43);
        words.extend([ty as u32 + 1, id]);
        words.extend(literal);
    }
    assert!(assembles(&words, "constants"));
}
