//! Structured programs that are changed: every result verifies, and what is only read or put back
//! means the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use structurizer_testkit::check::literal;
use structurizer_testkit::generate::{Family, Rng, random_function};
use structurizer_testkit::simt::{
    Config, LaneSets, SimError, Trace, compare, is_reducible, run_graph, run_structured,
};
use trellis_structurizer::ir::{Block, Effects, Function, SelectionHint, Type, Value};
use trellis_structurizer::text::{parse, parse_structured, print_structured};
use trellis_structurizer::tree::edit::{Cursor, EditError, Item, Jump, Program};
use trellis_structurizer::verify::verify;
use trellis_structurizer::{Options, Structured, Tree, structurize};

fn program_of(func: &Function) -> Program {
    Program::of(structurize(func.clone(), &Options::default()).unwrap()).unwrap()
}

/// Compares two runs. A lane is stopped at the end of a block, and blocks are not the same, so runs
/// that do not end say nothing.
fn compare_runs(
    before: Result<Trace, SimError>,
    after: Result<Trace, SimError>,
    sets: LaneSets,
) -> Result<(), String> {
    let endless = |trace: &Trace| {
        trace
            .lanes
            .iter()
            .any(|events| events.len() >= 4 * Config::default().fuel as usize)
    };
    match (before, after) {
        (Ok(before), Ok(after)) if endless(&before) || endless(&after) => Ok(()),
        (Ok(before), Ok(after)) => {
            compare(&before, &after, sets).map_err(|difference| difference.to_string())
        }
        // An edited program may branch on what is undefined.
        (Err(_), Err(_)) => Ok(()),
        (before, after) => Err(format!(
            "one of them does not run: {:?}, {:?}",
            before.err(),
            after.err()
        )),
    }
}

fn same_traces(before: &Structured, after: &Structured) -> Result<(), String> {
    let configs = (0..3).map(|seed| Config {
        seed,
        ..Config::default()
    });
    configs.into_iter().try_for_each(|config| {
        compare_runs(
            run_structured(before, &config),
            run_structured(after, &config),
            LaneSets::Equal,
        )
    })
}

/// Whether a result is valid and does what the input does.
fn check_result(before: &Function, after: &Structured) -> Result<(), String> {
    verify(after).map_err(|error| error.to_string())?;
    let sets = if is_reducible(before) {
        LaneSets::Equal
    } else {
        LaneSets::Ignore
    };
    let configs = (0..4).map(|seed| Config {
        seed,
        ..Config::default()
    });
    configs.into_iter().try_for_each(|config| {
        compare_runs(
            run_graph(before, &config),
            run_structured(after, &config),
            sets,
        )
    })
}

#[test]
fn a_program_that_is_only_read_means_the_same() {
    for seed in 1..=1500 {
        let func = random_function(seed, 4 + (seed % 60) as usize);
        let program = program_of(&func);
        let after = program
            .finish()
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_result(&func, &after)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", print_structured(&after)));
        // Once in form it stays what it is, but for the numbers of the loops' blocks.
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
            // From one of the innermost lists all the way out.
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

/// A random place, mostly valid.
fn place(program: &Program, rng: &mut Rng) -> Cursor {
    let blocks = program.blocks();
    let block = blocks[rng.below(blocks.len())];
    let insts: Vec<_> = program.func().insts(block).collect();
    Cursor::new(block, insts.get(rng.below(insts.len() + 1)).copied())
}

/// Two random places of one list, the first one first.
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

/// One random change; gives its name and what came of it.
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
                // What cannot be put in there is gone.
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
fn random_changes_leave_a_valid_program_or_none_at_all() {
    let mut counts: std::collections::BTreeMap<&str, (usize, usize)> = Default::default();
    for seed in 1..=500u64 {
        let mut rng = Rng::new(seed);
        let mut program = program_of(&random_function(seed, 4 + (seed % 30) as usize));
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
                    literal::check(&literal::Graph::of(&structured)),
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
fn what_is_put_back_means_the_same() {
    let mut moved = 0;
    for seed in 1..=600u64 {
        let mut rng = Rng::new(seed);
        let func = random_function(seed, 30);
        let mut program = program_of(&func);
        for _ in 0..6 {
            let (start, end) = range(&program, &mut rng);
            // A place that stays: the block before the range, at its end.
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

const DIAMOND: &str = "a:\n %x:1 = op 1 side\n merge d\n if %x b c\nb:\n %y:3 = op 2 side\n br d\nc: d\nd:\n %p = phi : 3 [b %y] [c %z]\n op 4 side %p\n ret\n%z = const 9 : 3";

fn diamond() -> Program {
    let text = DIAMOND.replace("\n%z = const 9 : 3", "");
    Program::of(parse_structured(&format!("%z = const 9 : 3\n{text}")).unwrap()).unwrap()
}

fn pseudo_code(program: Program) -> String {
    let structured = program.finish().unwrap();
    let text = Tree::of(&structured).with_instructions().to_string();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("// b"))
        .collect();
    lines.join("\n")
}

#[test]
fn an_if_moves_into_a_loop_with_its_phi() {
    let mut program = diamond();
    let start = program.start();
    let end = program.next_block(program.end_of_block(start)).unwrap();
    let behind = program.end_of_block(end);
    // All but the value that decides, which the loop reads.
    let from = program.next(start).unwrap();
    let cut = program.extract(from, behind).unwrap();
    let cond = program
        .func()
        .insts(program.block_at(start))
        .next()
        .and_then(|inst| program.func().results(inst).next())
        .unwrap();
    let [body] = program
        .insert_loop(program.end_of_block(start), Some((cond, false)))
        .unwrap();
    program.splice(cut, body).unwrap();
    let expected = "\
v1 = op1()
loop {
    if v1 {
        v2 = op2()
    } else {
        op2()
    }
    op4(v3)
} continue {
    if !v1 { break }
}
return
";
    let text = pseudo_code(program);
    assert!(
        text.contains("op4(v3)") && text.matches("loop {").count() == 1,
        "{text}"
    );
    // The numbers of the blocks say nothing.
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains(" from "))
        .collect();
    assert_eq!(lines, expected.lines().collect::<Vec<_>>(), "{text}");
}

#[test]
fn a_copy_has_values_of_its_own() {
    let mut program = diamond();
    let start = program.start();
    let end = program.end_of_block(program.next_block(program.end_of_block(start)).unwrap());
    let copy = program.copy(start, end).unwrap();
    program.splice(copy, end).unwrap();
    let text = pseudo_code(program);
    for (name, count) in [("op1()", 2), ("op4(", 2), ("if ", 2), ("return", 1)] {
        assert_eq!(text.matches(name).count(), count, "{name}: {text}");
    }
    let reads: Vec<&str> = text.lines().filter(|line| line.contains("op4(")).collect();
    assert_ne!(reads[0], reads[1]);
}

#[test]
fn a_break_takes_its_operand_along() {
    let text = "\
%c = const 1 : 1
%z = const 2 : 3
a: h
h:
    loop x k
    br b
b:
    %v:3 = op 10 side
    merge j
    if %c t j
t:
    %w:3 = op 11 side %v
    br x
j:
    op 12 side
    br k
k:
    if %c h x
x:
    %p = phi : 3 [t %w] [k %z]
    ret %p";
    let mut program = Program::of(parse_structured(text).unwrap()).unwrap();
    let body = program
        .into_arm(program.end_of_block(program.start()), 0)
        .unwrap();
    let end = program.next_block(body).unwrap();
    // Two ways more out of the loop, each with a value of its own; then the first one goes.
    for _ in 0..2 {
        let copy = program.copy(body, end).unwrap();
        program.splice(copy, program.next(end).unwrap()).unwrap();
    }
    let after = program.clone().finish().unwrap();
    let phi = after
        .order
        .iter()
        .flat_map(|&block| after.func.phis(block))
        .next()
        .unwrap();
    let mut values: Vec<Value> = after
        .func
        .phi_operands(phi)
        .map(|operand| operand.value)
        .collect();
    values.sort_unstable();
    values.dedup();
    assert_eq!((after.func.phi_operands(phi).count(), values.len()), (4, 4));
    program.extract(body, end).unwrap();
    let after = program.finish().unwrap();
    let text = Tree::of(&after).with_instructions().to_string();
    assert_eq!(
        (
            after.func.phi_operands(phi).count(),
            text.matches("op11").count()
        ),
        (3, 2),
        "{text}"
    );
}

#[test]
fn what_nothing_reaches_may_not_be_copied_to_where_it_counts() {
    // Behind the endless loop everything counts as defined.
    let text = "%c = const 1 : 1\na: l\nl:\n    loop m k\n    br k\nk: {pure} l\nm:\n    merge j\n    if %c t e\nt:\n    %v:3 = op 1\n    br j\ne: {pure} j\nj:\n    op 2 side %v\n    ret";
    let mut program = Program::of(parse_structured(text).unwrap()).unwrap();
    let start = program.start();
    let behind = program.next_block(start).unwrap();
    let end = program.end_of_block(program.next_block(behind).unwrap());
    let copy = program.copy(behind, end).unwrap();
    assert!(matches!(
        program.splice(copy, start),
        Err(EditError::NotDefined { .. })
    ));
    program.splice(copy, behind).unwrap();
    program.finish().unwrap();
}

#[test]
fn errors_name_what_is_wrong() {
    let mut program = diamond();
    let start = program.start();
    let inst = start.inst().unwrap();
    let cond = program.func().results(inst).next().unwrap();
    let arm = program.into_arm(start, 0).unwrap();
    let y = program.func().results(arm.inst().unwrap()).next().unwrap();
    let behind = program.next_block(start).unwrap();
    let next = program.next(start).unwrap();
    assert_eq!(
        program.extract(start, next),
        Err(EditError::UsedOutside {
            value: cond,
            block: program.block_at(start)
        })
    );
    assert_eq!(
        program.extract(arm, program.end_of_block(arm)),
        Err(EditError::UsedOutside {
            value: y,
            block: program.block_at(arm)
        })
    );
    assert_eq!(program.extract(behind, start), Err(EditError::NotARange));
    assert_eq!(program.extract(start, arm), Err(EditError::NotARange));
    assert_eq!(
        program.insert_inst(behind, 1, Effects::NONE, &[y], &[]),
        Err(EditError::NotDefined {
            value: y,
            block: program.block_at(behind)
        })
    );
    assert_eq!(
        program.insert_inst(start, 1, Effects::NONE, &[cond], &[]),
        Err(EditError::NotDefined {
            value: cond,
            block: program.block_at(start)
        })
    );
    let copy = program.copy(arm, program.end_of_block(arm)).unwrap();
    program.splice(copy, behind).unwrap();
    assert_eq!(
        program.splice(copy, behind),
        Err(EditError::NoFragment(copy))
    );
    assert_eq!(
        program.insert_inst(
            Cursor::new(Block::from_u32(999), None),
            1,
            Effects::NONE,
            &[],
            &[]
        ),
        Err(EditError::NoPlace)
    );
    let branch = program.construct_behind(start).unwrap();
    assert_eq!(
        program.set_jump(arm, Jump::Break(branch), &[]),
        Err(EditError::IllegalJump(Jump::Break(branch)))
    );
    assert_eq!(
        program.set_jump(start, Jump::Next, &[]),
        Err(EditError::IllegalJump(Jump::Next))
    );
    // A break may not leave its loop; a value behind the loop may not lose its definition.
    let [body] = program.insert_loop(behind, None).unwrap();
    let [then, _] = program.insert_if(body, cond, SelectionHint::None).unwrap();
    let the_loop = program
        .owners(then)
        .find(|&item| program.is_loop(item))
        .unwrap();
    program.set_jump(then, Jump::Break(the_loop), &[]).unwrap();
    let all = (
        program.start_of_block(body),
        program.next_block(body).unwrap(),
    );
    let cut = program.extract(all.0, all.1).unwrap();
    assert_eq!(
        program.splice(cut, start),
        Err(EditError::IllegalJump(Jump::Break(the_loop)))
    );
    program.splice(cut, body).unwrap();
    let late = program.next_block(body).unwrap();
    let made = program
        .insert_inst(late, 50, Effects::NONE, &[], &[Type(3)])
        .unwrap();
    let made = program.func().results(made).next().unwrap();
    let out = program.out(body).unwrap();
    assert_eq!(
        program.insert_inst(out, 51, Effects::NONE, &[made], &[]),
        Err(EditError::NotDefined {
            value: made,
            block: program.block_at(out)
        })
    );
    assert!(program.finish().is_ok());
    let goto = parse("a: b c\nb: d\nc: d\nd: ret").unwrap();
    let loose = Structured {
        order: goto.blocks().collect(),
        merges: Default::default(),
        report: Default::default(),
        func: goto,
    };
    assert!(matches!(Program::of(loose), Err(EditError::Verify(_))));
}
