//! Random edits of random programs.

use structurizer_testkit::check::literal;
use structurizer_testkit::generate::{Family, Rng, random_function};
use trellis_structurizer::ir::{Block, Effects, SelectionHint, Type, Value};
use trellis_structurizer::text::print_structured;
use trellis_structurizer::{Target, Tree};
use trellis_structurizer_edit::{Cursor, EditError, Item, Jump, Program};

use crate::{check_result, program_for, program_of, same_traces};

#[test]
fn reading_a_program_keeps_its_behaviour() {
    for seed in 1..=1500 {
        let func = random_function(seed, 4 + (seed % 60) as usize);
        let program = program_of(&func);
        let after = program
            .finish()
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_result(&func, &after)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", print_structured(&after)));
        // A program in form is stable, but for the numbers of the loops' blocks.
        let again = Program::of(after.clone()).unwrap().finish().unwrap();
        assert_eq!(
            Tree::of(&again).to_string().lines().count(),
            Tree::of(&after).to_string().lines().count(),
            "seed {seed}"
        );
    }
}

#[test]
fn families_and_deep_nests_are_read() {
    let run = || {
        for family in Family::ALL {
            for n in [1, 3, 60] {
                let func = family.function(n);
                program_of(&func)
                    .finish()
                    .unwrap_or_else(|error| panic!("{family:?} of {n}: {error}"));
            }
        }
        for family in [
            Family::NestedIfs,
            Family::NestedLoops,
            Family::NestedSwitches,
        ] {
            let mut program = program_of(&family.function(5_000));
            // From one of the innermost lists to the outermost.
            let blocks = program.blocks();
            let mut at = Cursor::new(blocks[blocks.len() / 2], None);
            let depth = program.owners(at).count();
            assert!(depth > 2_000, "{family:?}: {depth}");
            while let Some(outer) = program.out(at) {
                at = outer;
            }
            let copy = program.copy(program.start(), at);
            assert!(copy.is_ok(), "{family:?}: {copy:?}");
            program.finish().unwrap();
        }
    };
    std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// Returns a random position, mostly valid.
fn place(program: &Program, rng: &mut Rng) -> Cursor {
    let blocks = program.blocks();
    let block = blocks[rng.below(blocks.len())];
    let insts: Vec<_> = program.func().insts(block).collect();
    Cursor::new(block, insts.get(rng.below(insts.len() + 1)).copied())
}

/// Returns two random positions of one list, in order.
fn range(program: &Program, rng: &mut Rng) -> (Cursor, Cursor) {
    let start = place(program, rng);
    let mut end = start;
    for _ in 0..rng.below(6) {
        end = program.next(end).unwrap_or(end);
    }
    (start, end)
}

fn values(program: &Program, rng: &mut Rng) -> Vec<Value> {
    let all: Vec<Value> = program.func().values().collect();
    if all.is_empty() {
        Vec::new()
    } else {
        (0..rng.below(3))
            .map(|_| all[rng.below(all.len())])
            .collect()
    }
}

/// Makes one random change; returns its name and its result.
fn change(program: &mut Program, rng: &mut Rng) -> (&'static str, Result<(), EditError>) {
    let at = place(program, rng);
    let any = values(program, rng).first().copied();
    match rng.below(10) {
        0 => {
            let uses = values(program, rng);
            (
                "inst",
                program
                    .insert_inst(at, 9000, Effects::SIDE_EFFECT, &uses, &[Type(3)])
                    .map(drop),
            )
        }
        1 => {
            let cond = any.unwrap_or_else(|| program.add_constant(7, Type(1)));
            (
                "if",
                program.insert_if(at, cond, SelectionHint::None).map(drop),
            )
        }
        2 => (
            "loop",
            program
                .insert_loop(
                    at,
                    any.filter(|_| rng.chance(80))
                        .map(|value| (value, rng.chance(50))),
                )
                .map(drop),
        ),
        // Copies of copies would soon be very large.
        3..=4 if program.blocks().len() < 300 => {
            let (start, end) = range(program, rng);
            let copied = program.copy(start, end);
            ("copy", copied.and_then(|copy| program.splice(copy, at)))
        }
        3..=7 => {
            let (start, end) = range(program, rng);
            let to = if rng.chance(50) { start } else { at };
            match program.extract(start, end) {
                Err(error) => ("extract", Err(error)),
                // A fragment that cannot be inserted there is dropped.
                Ok(cut) => ("move", program.splice(cut, to)),
            }
        }
        8 => {
            let owners: Vec<Item> = program.owners(at).collect();
            let owner = owners.get(rng.below(owners.len().max(1))).copied();
            let jump = match (rng.below(6), owner) {
                (0..=1, Some(owner)) => Jump::Break(owner),
                (2, Some(owner)) => Jump::Continue(owner),
                (3, _) => Jump::Kill,
                (4, _) => Jump::Return(None),
                _ => Jump::Next,
            };
            let operands: Vec<(Value, Value)> = any
                .map(|value| program.func().values().map(|phi| (phi, value)).collect())
                .unwrap_or_default();
            ("jump", program.set_jump(at, jump, &operands))
        }
        _ => {
            let Ok(preds) = program.predecessors_of(at) else {
                return ("phi", Err(EditError::NoPlace));
            };
            let value = any.unwrap_or_else(|| program.add_constant(8, Type(3)));
            let operands: Vec<(Block, Value)> =
                preds.into_iter().map(|pred| (pred, value)).collect();
            let ty = program.func().value_type(value);
            ("phi", program.add_phi(at, ty, &operands).map(drop))
        }
    }
}

#[test]
fn random_edits_give_a_valid_program_or_an_error() {
    let mut counts: std::collections::BTreeMap<&str, (usize, usize)> = Default::default();
    for seed in 1..=900u64 {
        let mut rng = Rng::new(seed);
        let target = [Target::SPIRV, Target::WGSL][seed as usize % 2];
        let func = random_function(seed, 4 + (seed % 30) as usize);
        let mut program = program_for(&func, target);
        for step in 0..16 {
            let before = program.clone();
            let (name, result) = change(&mut program, &mut rng);
            program
                .check()
                .unwrap_or_else(|error| panic!("seed {seed}, step {step}, {name}: {error}"));
            let finished = program.clone().finish();
            let structured = finished.unwrap_or_else(|error| {
                let old = before
                    .clone()
                    .finish()
                    .map(|old| Tree::of(&old).with_instructions().to_string())
                    .unwrap_or_default();
                panic!("seed {seed}, step {step}, {name}: {error}\n{old}")
            });
            if structured.order.len() <= 24 {
                assert_eq!(
                    literal::check_for(&literal::Graph::of(&structured), target),
                    Ok(()),
                    "seed {seed}, step {step}, {name}"
                );
            }
            let count = counts.entry(name).or_default();
            match result {
                Ok(()) => count.0 += 1,
                // A range that was cut out and does not fit elsewhere stays out.
                Err(_) if name == "move" => count.1 += 1,
                Err(_) => {
                    count.1 += 1;
                    let old = before.finish().unwrap();
                    assert_eq!(
                        Tree::of(&structured)
                            .with_instructions()
                            .to_string()
                            .lines()
                            .count(),
                        Tree::of(&old)
                            .with_instructions()
                            .to_string()
                            .lines()
                            .count()
                    );
                    same_traces(&old, &structured).unwrap_or_else(|error| {
                        panic!("seed {seed}, step {step}, {name}: {error}")
                    });
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(
        ["inst", "if", "loop", "copy", "move", "jump", "phi"]
            .iter()
            .all(|name| counts[name].0 > 40),
        "{counts:?}"
    );
    assert!(
        ["inst", "copy", "extract", "move", "jump"]
            .iter()
            .all(|name| counts[name].1 > 40),
        "{counts:?}"
    );
}

#[test]
fn putting_code_back_keeps_the_behaviour() {
    let mut moved = 0;
    for seed in 1..=600u64 {
        let mut rng = Rng::new(seed);
        let func = random_function(seed, 30);
        let mut program = program_of(&func);
        for _ in 0..6 {
            let (start, end) = range(&program, &mut rng);
            // A position that stays: the block before the range, at its end.
            let Some(first) = start.inst() else { continue };
            let block = program.block_at(start);
            let before: Vec<_> = program
                .func()
                .insts(block)
                .take_while(|&inst| inst != first)
                .collect();
            if let Ok(cut) = program.extract(start, end) {
                let next = program.func().insts(block).nth(before.len());
                program
                    .splice(cut, Cursor::new(block, next))
                    .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                moved += 1;
            }
        }
        let after = program.finish().unwrap();
        check_result(&func, &after).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    assert!(moved > 500, "{moved}");
}
