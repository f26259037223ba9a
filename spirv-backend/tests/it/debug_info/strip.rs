//! Debug information changes nothing else: without its instructions the module is the same as one
//! made without it, but for the numbers of ids.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rspirv::binary::{Consumer, ParseAction, parse_words};
use rspirv::dr::{Instruction, ModuleHeader, Operand};
use rspirv::spirv::Op;
use shader_testkit::shaders;
use trellis_spirv_backend::{Options, Output, Target, convert_all};

/// All instructions: rspirv's loader has no place for extended ones outside of blocks.
struct List(Vec<Instruction>);

impl Consumer for List {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_header(&mut self, _: ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_instruction(&mut self, inst: Instruction) -> ParseAction {
        self.0.push(inst);
        ParseAction::Continue
    }
}

/// Returns the module without debug information and without the instructions that only it uses,
/// with ids numbered in the order in which they occur.
pub(crate) fn stripped(words: &[u32]) -> Vec<Instruction> {
    let mut list = List(Vec::new());
    parse_words(words, &mut list).unwrap();
    let List(mut insts) = list;
    let is_set = |inst: &Instruction| match inst.operands.first() {
        Some(Operand::LiteralString(name)) => name.starts_with("NonSemantic."),
        _ => false,
    };
    let imports = insts
        .iter()
        .filter(|inst| inst.class.opcode == Op::ExtInstImport);
    let sets: HashSet<u32> = (imports.filter(|inst| is_set(inst)))
        .filter_map(|inst| inst.result_id)
        .collect();
    insts.retain(|inst| match (inst.class.opcode, inst.operands.first()) {
        (Op::ExtInst, Some(Operand::IdRef(set))) => !sets.contains(set),
        (Op::Extension, Some(Operand::LiteralString(name))) => name != "SPV_KHR_non_semantic_info",
        (Op::ExtInstImport, _) => !is_set(inst),
        (Op::String, _) => false,
        _ => true,
    });
    remove_unused(&mut insts);
    merge_constants(&mut insts);
    number(&mut insts);
    insts
}

fn ids(inst: &Instruction) -> impl Iterator<Item = u32> {
    let operands = inst.operands.iter().filter_map(Operand::id_ref_any);
    operands.chain(inst.result_type)
}

/// Removes constants and types of numbers that nothing uses.
fn remove_unused(insts: &mut Vec<Instruction>) {
    loop {
        let used: HashSet<u32> = insts.iter().flat_map(ids).collect();
        let before = insts.len();
        insts.retain(|inst| {
            let removable = matches!(
                inst.class.opcode,
                Op::Constant
                    | Op::ConstantTrue
                    | Op::ConstantFalse
                    | Op::TypeInt
                    | Op::TypeFloat
                    | Op::TypeBool
            );
            !removable || inst.result_id.is_none_or(|id| used.contains(&id))
        });
        if insts.len() == before {
            return;
        }
    }
}

/// Sorts plain types by their contents, since numeric types may be declared earlier.
fn merge_constants(insts: &mut [Instruction]) {
    let is_plain = |op| {
        matches!(
            op,
            Op::TypeInt | Op::TypeFloat | Op::TypeBool | Op::TypeVoid
        )
    };
    let last = insts
        .iter()
        .position(|inst| inst.class.opcode == Op::Function);
    insts[..last.unwrap()].sort_by_key(|inst| match inst.class.opcode {
        op if is_plain(op) => format!("{:?}{:?}", inst.class.opcode, inst.operands),
        _ => "z".to_owned(),
    });
}

fn number(insts: &mut [Instruction]) {
    let mut numbers = HashMap::new();
    for inst in insts {
        let mut renumber = |id: &mut u32| {
            let next = numbers.len() as u32 + 1;
            *id = *numbers.entry(*id).or_insert(next);
        };
        inst.result_type.iter_mut().for_each(&mut renumber);
        inst.result_id.iter_mut().for_each(&mut renumber);
        inst.operands
            .iter_mut()
            .filter_map(Operand::id_ref_any_mut)
            .for_each(&mut renumber);
    }
}

/// Shaders without an `ILDB` program are the same with the option, to the word.
#[test]
fn other_shaders_are_the_same() {
    let mut compared = 0;
    for (name, bytes) in shaders() {
        if bytes.windows(4).any(|name| name == b"ILDB") {
            continue;
        }
        let plain = convert_all(&bytes, &Options::default().with_debug_info(false)).unwrap();
        let with = convert_all(&bytes, &Options::default()).unwrap();
        for (plain, with) in plain.iter().zip(&with) {
            let words = |output: &Result<Output, _>| output.as_ref().ok().map(|o| o.words.clone());
            assert_eq!(words(plain), words(with), "{name}");
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared} entry points");
}

#[test]
fn without_its_instructions_the_module_is_the_same() {
    let options = Options::default().with_names(false).with_debug_info(false);
    for (path, bytes) in super::all_shaders() {
        for target in Target::ALL {
            let plain = options
                .clone()
                .with_target(target)
                .with_validate(cfg!(feature = "validate"));
            let with = plain.clone().with_debug_info(true);
            let plain = convert_all(&bytes, &plain).unwrap();
            let with = convert_all(&bytes, &with).unwrap();
            for (plain, with) in plain.into_iter().zip(with) {
                // A feature that the target or SPIRV-Tools lacks is an error in both.
                match (plain, with) {
                    (Ok(plain), Ok(with)) => compare(&path, &plain.words, &with.words),
                    (Err(plain), Err(with)) => assert_eq!(plain.kind(), with.kind()),
                    (plain, with) => {
                        panic!("{}: {:?} and {:?}", path.display(), plain.err(), with.err())
                    }
                }
            }
        }
    }
}

/// Compares a module without debug information with a module that has it.
fn compare(path: &Path, plain: &[u32], with: &[u32]) {
    assert!(with.len() > plain.len());
    let (plain, with) = (stripped(plain), stripped(with));
    for (index, (plain, with)) in plain.iter().zip(&with).enumerate() {
        assert_eq!(plain, with, "{}: instruction {index}", path.display());
    }
    assert_eq!(plain.len(), with.len(), "{}", path.display());
}
