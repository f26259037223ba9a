//! Single edits and their results.

use trellis_structurizer::ir::{Block, Effects, SelectionHint, Type, Value};
use trellis_structurizer::text::{parse, parse_structured};
use trellis_structurizer::{Options, Structured, Target, Tree, structurize};
use trellis_structurizer_edit::{Cursor, EditError, Jump, Program};

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
    let after = program.end_of_block(end);
    // All but the value that decides, which the loop reads.
    let from = program.next(start).unwrap();
    let cut = program.extract(from, after).unwrap();
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
    // The numbers of the blocks are irrelevant.
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
fn a_moved_break_keeps_its_phi_operand() {
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
    // Two more exits of the loop, each with its own value; then the first one is removed.
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
fn a_copy_of_unreachable_code_is_checked_where_it_is_inserted() {
    // After the endless loop everything counts as defined.
    let text = "%c = const 1 : 1\na: l\nl:\n    loop m k\n    br k\nk: {pure} l\nm:\n    merge j\n    if %c t e\nt:\n    %v:3 = op 1\n    br j\ne: {pure} j\nj:\n    op 2 side %v\n    ret";
    let mut program = Program::of(parse_structured(text).unwrap()).unwrap();
    let start = program.start();
    let after = program.next_block(start).unwrap();
    let end = program.end_of_block(program.next_block(after).unwrap());
    let copy = program.copy(after, end).unwrap();
    assert!(matches!(
        program.splice(copy, start),
        Err(EditError::NotDefined { .. })
    ));
    program.splice(copy, after).unwrap();
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
    let after = program.next_block(start).unwrap();
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
    assert_eq!(program.extract(after, start), Err(EditError::NotARange));
    assert_eq!(program.extract(start, arm), Err(EditError::NotARange));
    assert_eq!(
        program.insert_inst(after, 1, Effects::NONE, &[y], &[]),
        Err(EditError::NotDefined {
            value: y,
            block: program.block_at(after)
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
    program.splice(copy, after).unwrap();
    assert_eq!(
        program.splice(copy, after),
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
    let branch = program.construct_after(start).unwrap();
    assert_eq!(
        program.set_jump(arm, Jump::Break(branch), &[]),
        Err(EditError::IllegalJump(Jump::Break(branch)))
    );
    assert_eq!(
        program.set_jump(start, Jump::Next, &[]),
        Err(EditError::IllegalJump(Jump::Next))
    );
}

#[test]
fn a_break_stays_in_its_loop_and_a_value_keeps_its_definition() {
    let mut program = diamond();
    let start = program.start();
    let inst = start.inst().unwrap();
    let cond = program.func().results(inst).next().unwrap();
    let after = program.next_block(start).unwrap();
    let [body] = program.insert_loop(after, None).unwrap();
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
}

#[test]
fn a_graph_that_is_not_structured_is_not_a_program() {
    let goto = parse("a: b c\nb: d\nc: d\nd: ret").unwrap();
    let loose = Structured {
        order: goto.blocks().collect(),
        merges: Default::default(),
        target: Default::default(),
        report: Default::default(),
        func: goto,
    };
    assert!(matches!(Program::of(loose), Err(EditError::Verify(_))));
    // A program has no jumps out of several constructs.
    let options = Options::default().with_target(Target::RUST);
    let labelled = structurize(parse("a: b c\nb: d\nc: d\nd: ret").unwrap(), &options);
    assert!(matches!(
        Program::of(labelled.unwrap()),
        Err(EditError::MultiLevel)
    ));
}
