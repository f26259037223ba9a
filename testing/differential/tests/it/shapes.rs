//! Structured programs after DXC: committed DXIL without a compiler, and with one random programs.
//! `TRELLIS_BLESS=1` with a compiler makes the DXIL again.
//!
//! Long runs: `cargo campaign differential --kind hlsl-shapes`.

use std::path::PathBuf;

use differential::compiler::Compiler;
use differential::shapes::{LEVELS, Shapes, graph, hlsl, read};
use llvm_graphs::recovered::{CampaignOptions, Compiled, Pipeline, Written, run};
use llvm_graphs::source::{Argument, Case, Condition, Returns, Source, Statement, Tests};

/// Share of programs, in percent, whose structure is recovered. A ratchet.
const SAME: f64 = 96.0;

fn call(id: u32) -> Statement {
    Statement::Call(id, Argument::Constant)
}

fn test(id: u32) -> Condition {
    Condition::Test(id)
}

fn and(a: Condition, b: Condition) -> Condition {
    Condition::And(Box::new(a), Box::new(b))
}

/// Programs that together have everything.
fn programs() -> Vec<(&'static str, Source)> {
    use Statement::{Break, Call, Continue, DoWhile, If, Loop, Return, Switch, While};
    let case = |literals: &[u32], body: Vec<Statement>, falls: bool| Case {
        literals: literals.to_vec(),
        body,
        falls,
    };
    let jumps = vec![While(
        test(0),
        vec![
            call(1),
            Switch(
                1,
                vec![
                    case(&[0, 1], vec![call(2)], true),
                    case(
                        &[],
                        vec![If(test(2), vec![Continue(1)], vec![]), call(3)],
                        false,
                    ),
                    case(
                        &[2],
                        vec![DoWhile(
                            vec![
                                call(4),
                                If(test(3), vec![Break(3)], vec![]),
                                If(test(4), vec![call(5), Continue(2)], vec![]),
                            ],
                            test(5),
                        )],
                        false,
                    ),
                ],
            ),
            call(6),
        ],
    )];
    let either = Condition::Or(Box::new(and(test(0), test(1))), Box::new(test(2)));
    let returns = vec![
        Loop(vec![
            call(1),
            If(either, vec![Return], vec![]),
            If(test(3), vec![Break(1)], vec![call(2)]),
        ]),
        Call(3, Argument::Choose(and(test(4), test(5)))),
    ];
    let all = [
        ("jumps", jumps, Tests::Calls, Returns::Nothing),
        ("returns", returns.clone(), Tests::Reads, Returns::Numbers),
        ("bits", returns, Tests::Bits, Returns::Nothing),
    ];
    all.into_iter()
        .map(|(name, body, tests, returns)| {
            let source = Source {
                body,
                tests,
                returns,
            };
            (name, source)
        })
        .collect()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/shapes")
        .join(name)
}

#[test]
fn committed_programs_come_back() {
    let compiler = Compiler::find().ok();
    let blesses = std::env::var_os("TRELLIS_BLESS").is_some() && compiler.is_some();
    for (name, source) in programs() {
        let (text, dxil) = (file(&format!("{name}.hlsl")), file(&format!("{name}.dxil")));
        let printed = hlsl::print(&source);
        if let (true, Some(compiler)) = (blesses, &compiler) {
            let shapes = Shapes::new(compiler).unwrap();
            std::fs::write(&text, &printed).unwrap();
            std::fs::write(&dxil, shapes.dxil(&source).unwrap()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&text).unwrap(), printed, "{name}");
        let program = read::read(&std::fs::read(&dxil).unwrap()).unwrap();
        let written = Written::of(graph(&source)).unwrap();
        assert_eq!(written.difference, None, "{name}");
        let compiled = Compiled {
            program,
            text: printed,
        };
        let outcome = written.compare(compiled).unwrap().outcome;
        assert_eq!(outcome.cause, None, "{name}: {:?}", outcome.difference);
    }
}

#[test]
fn programs_come_back_after_dxc() {
    let Ok(compiler) = Compiler::find() else {
        eprintln!("skipped: no HLSL compiler");
        return;
    };
    let options = CampaignOptions {
        levels: &LEVELS,
        seeds: 0..100,
        minutes: Some(1.0),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        shows: false,
    };
    let open = || -> Result<Box<dyn Pipeline + '_>, String> {
        let shapes = Shapes::new(&compiler).map_err(|error| error.to_string())?;
        Ok(Box::new(shapes))
    };
    let summary = run(&options, &open, &|_| {}).unwrap();
    let row = &summary.rows[LEVELS[0]];
    assert!(row.errors.is_empty(), "{summary}");
    assert!(row.percentage() >= SAME, "{summary}\n{:?}", row.seeds);
}
