//! Programs without a compiler: determinism, soundness, meaning, shrinking; committed DXIL against
//! the evaluator.

use std::path::PathBuf;

use differential::compiler::Compiler;
use differential::control_flow::inputs;
use differential::evaluate::{Error, evaluate};
use differential::hlsl;
use differential::judge::{Compiled, Judge, Kind, Subject, Verdict, judge_without_device};
use differential::levels::{Problem, check};
use differential::program::*;
use differential::random::generate;
use differential::shrink::shrink;
use llvm_graphs::campaign::{path, put};

/// Seeds with committed DXIL: loops, switches, calls, groupshared memory, quads, wave operations,
/// at several levels of optimization.
const SEEDS: [u64; 12] = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 14, 18];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/seeds")
}

fn constant(number: u32) -> Expression {
    Expression::Constant(number)
}

fn program(main: Vec<Statement>) -> Program {
    Program {
        seed: 0,
        options: Compilation {
            fxc: false,
            model: 0,
            level: "-O3",
            short_circuit: false,
            native16: false,
        },
        lanes: 4,
        groups: 1,
        functions: Vec::new(),
        main,
    }
}

/// `lane & 1 == 1`
fn odd() -> Condition {
    let bit = Expression::Binary(
        Binary::And,
        Box::new(Expression::Lane),
        Box::new(constant(1)),
    );
    Condition::Compare(Compare::Equal, Box::new(bit), Box::new(constant(1)))
}

fn repeat(iterations: u32, body: Vec<Statement>) -> Statement {
    let condition = Condition::Constant(true);
    Statement::Loop(Loop {
        form: Form::For,
        attribute: Attribute::Loop,
        counter: 0,
        limit: (None, iterations),
        condition,
        body,
    })
}

/// Returns the records of each thread.
fn records(program: &Program) -> Vec<Vec<u32>> {
    let output = evaluate(program, &inputs(program)).unwrap();
    let threads = output.chunks(SLOTS as usize).map(|slots| {
        slots
            .iter()
            .copied()
            .take_while(|value| *value != 0)
            .collect()
    });
    threads.collect()
}

fn record(number: u32) -> Statement {
    Statement::Record(constant(number))
}

#[test]
fn the_same_seed_makes_the_same_text() {
    for seed in 0..50 {
        assert_eq!(hlsl::print(&generate(seed)), hlsl::print(&generate(seed)));
    }
    assert_ne!(hlsl::print(&generate(1)), hlsl::print(&generate(2)));
}

#[test]
fn random_programs_are_defined_and_end() {
    let mut waves = 0;
    for seed in 0..2000 {
        let program = generate(seed);
        assert_eq!(check(&program), Ok(()), "seed {seed}");
        match evaluate(&program, &inputs(&program)) {
            Ok(output) => assert_eq!(
                output.len(),
                (program.lanes * program.groups * SLOTS) as usize
            ),
            Err(error) => {
                assert!(
                    error == Error::Wave && program.has_waves(),
                    "seed {seed}: {error}"
                );
                waves += 1;
            }
        }
    }
    assert!(
        (400..1600).contains(&waves),
        "{waves} of 2000 programs have wave operations"
    );
}

#[test]
fn jumps_have_the_targets_that_hlsl_defines() {
    let when_odd = |jump: Statement| {
        Statement::If(Attribute::Branch, odd(), vec![record(1), jump], Vec::new())
    };
    let body =
        |jump: Statement| program(vec![repeat(2, vec![when_odd(jump), record(2)]), record(3)]);
    assert_eq!(
        records(&body(Statement::Break))[..2],
        [vec![2, 2, 3], vec![1, 3]]
    );
    assert_eq!(
        records(&body(Statement::Continue))[..2],
        [vec![2, 2, 3], vec![1, 1, 3]]
    );
    assert_eq!(
        records(&body(Statement::Return(Expression::Lane)))[..2],
        [vec![2, 2, 3], vec![1]]
    );
}

#[test]
fn cases_fall_through_and_break_leaves_the_switch_only() {
    let case = |label: u32, default: bool, body: Vec<Statement>, falls: bool| Case {
        labels: vec![label],
        default,
        body,
        falls,
    };
    let cases = vec![
        case(0, false, vec![record(1)], true),
        case(2, true, vec![record(2), Statement::Break], false),
        case(1, false, vec![record(3)], false),
    ];
    let switch = Statement::Switch(Attribute::None, Expression::Lane, cases);
    let all = records(&program(vec![repeat(1, vec![switch, record(4)])]));
    assert_eq!(all, [vec![1, 2, 4], vec![3, 4], vec![2, 4], vec![2, 4]]);
}

#[test]
fn barriers_that_some_threads_do_not_reach_are_found() {
    let exchange = || Statement::Exchange {
        variable: 0,
        value: Expression::Lane,
        offset: 1,
    };
    let when_odd = |body: Vec<Statement>| Statement::If(Attribute::Branch, odd(), body, Vec::new());
    assert_eq!(check(&program(vec![repeat(3, vec![exchange()])])), Ok(()));
    assert_eq!(
        check(&program(vec![when_odd(vec![exchange()])])),
        Err(Problem::Divergent(1))
    );
    // The second iteration lacks the threads that left in the first.
    assert_eq!(
        check(&program(vec![repeat(
            3,
            vec![exchange(), when_odd(vec![Statement::Break])]
        )])),
        Err(Problem::Divergent(1))
    );
    assert_eq!(
        check(&program(vec![repeat(
            3,
            vec![exchange(), when_odd(vec![Statement::Continue])]
        )])),
        Ok(())
    );
    assert_eq!(
        check(&program(vec![
            when_odd(vec![Statement::Return(Expression::Lane)]),
            exchange()
        ])),
        Err(Problem::Divergent(1))
    );
    assert_eq!(check(&program(vec![Statement::Break])), Err(Problem::Jump));
}

/// A bug that takes every `continue` for a `break`: the behaviour then differs in some
/// programs, and shrinks to a loop with little in it.
#[test]
fn a_planted_bug_is_found_and_shrunk() {
    let differs = |program: &Program| {
        let mut wrong = program.clone();
        let mut lists = vec![&mut wrong.main];
        lists.extend(
            wrong
                .functions
                .iter_mut()
                .map(|function| &mut function.body),
        );
        while let Some(list) = lists.pop() {
            for statement in list {
                if *statement == Statement::Continue {
                    *statement = Statement::Break;
                }
                match statement {
                    Statement::If(_, _, then, other) => lists.extend([then, other]),
                    Statement::Switch(_, _, cases) => {
                        lists.extend(cases.iter_mut().map(|case| &mut case.body));
                    }
                    Statement::Loop(it) => lists.push(&mut it.body),
                    _ => {}
                }
            }
        }
        let outputs = [program, &wrong].map(|program| evaluate(program, &inputs(program)));
        matches!(outputs, [Ok(_), Ok(_)]) && outputs[0] != outputs[1]
    };
    let found: Vec<Program> = (0..400)
        .map(generate)
        .filter(|program| differs(program))
        .take(3)
        .collect();
    assert_eq!(found.len(), 3, "the bug shows in three programs of 400");
    for program in found {
        let seed = program.seed;
        let small = shrink(program, 5000, &mut |smaller| differs(smaller));
        assert!(
            differs(&small) && small.size() <= 4,
            "seed {seed}: {}",
            hlsl::print(&small)
        );
    }
}

/// Returns the committed text and DXIL of a seed; made again by `TRELLIS_BLESS=1` where there is a
/// compiler.
fn committed(program: &Program) -> (String, Compiled) {
    let name = |suffix: &str| path(&folder(), program.seed, suffix);
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        let compiler = Compiler::find().unwrap();
        let judge = Judge::new(compiler.session().unwrap());
        let text = program.text();
        put(&folder(), program.seed, ".hlsl", text.as_bytes()).unwrap();
        let compiled = judge.compile(program).unwrap();
        put(&folder(), program.seed, ".dxil", &compiled[0].dxil).unwrap();
    }
    let dxil = std::fs::read(name(".dxil")).unwrap();
    let case = program.case(&dxil, 8).unwrap();
    let text = std::fs::read_to_string(name(".hlsl")).unwrap();
    let options = program.options;
    let compiled = Compiled {
        options,
        dxil,
        case,
    };
    (text, compiled)
}

#[test]
fn the_text_of_a_seed_stays() {
    for program in SEEDS.map(generate) {
        assert_eq!(
            hlsl::print(&program),
            committed(&program).0,
            "seed {}",
            program.seed
        );
    }
}

#[test]
fn committed_dxil_computes_the_same_as_the_syntax() {
    let mut compared = 0;
    for program in SEEDS.map(generate) {
        let (_, compiled) = committed(&program);
        assert_eq!(
            judge_without_device(&program, &[compiled]),
            Verdict::Equal,
            "seed {}",
            program.seed
        );
        compared += usize::from(!program.has_waves());
    }
    assert!(
        compared >= 4,
        "{compared} programs have one meaning for all waves"
    );
}

#[test]
fn another_program_s_dxil_is_a_difference() {
    let program = SEEDS
        .map(generate)
        .into_iter()
        .find(|program| !program.has_waves())
        .unwrap();
    let mut other = program.clone();
    other.main.insert(0, record(77));
    let verdict = judge_without_device(&other, &[committed(&program).1]);
    let Verdict::Failed(list) = verdict else {
        panic!("{verdict:?}")
    };
    assert_eq!(list[0].kind, Kind::Meaning);
    assert!(
        list[0]
            .text
            .starts_with("u0, space0, word 0: expected [4d, 00, 00, 00]"),
        "{}",
        list[0].text
    );
}

#[test]
fn fresh_programs_are_equal_where_there_is_a_compiler() {
    let compiler = match Compiler::find() {
        Ok(compiler) => compiler,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    let mut judge = Judge::new(compiler.session().unwrap());
    for seed in (0..60).filter(|seed| !CRASHES.contains(seed)) {
        let verdict = judge.judge(&generate(seed));
        assert!(
            matches!(verdict, Verdict::Equal | Verdict::Skipped(_)),
            "seed {seed}: {verdict:?}"
        );
    }
}

/// Seeds with which the compiler itself crashes.
const CRASHES: [u64; 0] = [];
