//! Graphs in `tests/filetests/*.cfg` and the results of the analyses.
//!
//! A file is a graph, a line `---`, and the results: the divergent values and branches, the values
//! that are live at the start and end of each block, the loops. `TRELLIS_BLESS=1` writes the
//! results. Instructions mean by their payload:
//!
//! | payload | meaning |
//! |---|---|
//! | 1 | differs between invocations |
//! | 2 | is the same for all invocations that run it together |
//! | 1000 + n | its operand plus n |
//! | 2000 + n | its operand is less than n, as unsigned numbers |
//! | others | depends on its operands |
//!
//! A constant's payload is its number, of 32 bits.

use std::fmt::Write;
use std::path::Path;

use structurizer_testkit::harness::filetests;
use trellis_structurizer::ir::{Function, Value, ValueKind};
use trellis_structurizer::text::{parse, print};
use trellis_structurizer_analysis::{
    Comparison, Divergence, Liveness, LoopDetails, Meaning, Rule, Test,
};

fn payload(func: &Function, value: Value) -> Option<u32> {
    match func.value_kind(value) {
        ValueKind::Result { inst, .. } => func.payload(inst),
        _ => None,
    }
}

fn rule(func: &Function, value: Value) -> Rule {
    match payload(func, value) {
        Some(1) => Rule::Divergent,
        Some(2) => Rule::Uniform,
        _ => Rule::Operands,
    }
}

fn meaning(func: &Function, value: Value) -> Option<Meaning> {
    let operand = |inst| func.uses(inst).first().copied();
    match func.value_kind(value) {
        ValueKind::Constant { payload } => {
            let number = u64::from(payload);
            Some(Meaning::Constant { bits: 32, number })
        }
        ValueKind::Result { inst, .. } => match func.payload(inst)? {
            step @ 1000..2000 => Some(Meaning::Add(operand(inst)?, u64::from(step) - 1000)),
            right @ 2000..3000 => Some(Meaning::Test(Test {
                comparison: Comparison::Less,
                is_signed: false,
                left: operand(inst)?,
                right: u64::from(right) - 2000,
            })),
            _ => None,
        },
        _ => None,
    }
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() {
        "-".to_owned()
    } else {
        items.join(" ")
    }
}

fn analyse(func: &Function) -> String {
    // The names of values and blocks are the structurizer's numbers.
    let mut text = print(func);
    let divergence = Divergence::of_function(func, |value| rule(func, value));
    let values = func
        .values()
        .filter(|&value| divergence.is_divergent(value));
    let branches = func
        .blocks()
        .filter(|&block| divergence.is_divergent_branch(block));
    writeln!(text, "# divergent: {}", list(values)).unwrap();
    writeln!(text, "# divergent branches: {}", list(branches)).unwrap();
    let liveness = Liveness::of(func);
    for block in func.blocks() {
        let (start, end) = (
            list(liveness.live_in(block)),
            list(liveness.live_out(block)),
        );
        writeln!(text, "# live in {block}: {start}; out: {end}").unwrap();
    }
    for l in LoopDetails::of(func) {
        let kind = if l.irreducible {
            "irreducible loop"
        } else {
            "loop"
        };
        let exits = list(l.exits.iter().map(|(from, to)| format!("{from}->{to}")));
        writeln!(
            text,
            "# {kind} {}: depth {}, preheader {}, latches {}, exits {exits}",
            l.header,
            l.depth,
            list(l.preheader),
            list(&l.latches),
        )
        .unwrap();
        for induction in l.inductions(func, |value| meaning(func, value)) {
            let (phi, start, step) = (induction.phi, induction.start, induction.step);
            writeln!(text, "#   {phi} = {start} + {step} per iteration").unwrap();
        }
        if let Some(count) = l.trip_count(func, |value| meaning(func, value)) {
            writeln!(text, "#   the header runs {count} times").unwrap();
        }
    }
    text
}

#[test]
fn each_graph_has_the_results_in_its_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    filetests(&folder, 15, |_, input, _| {
        Ok(analyse(&parse(input).map_err(|error| error.to_string())?))
    });
}
