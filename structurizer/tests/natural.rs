//! Structured programs come back without selectors, dispatch and one-trip loops.

use structurizer::generate::{FillOptions, Program, ProgramOptions, Rng, Shape, fill};
use structurizer::text::{print, print_structured};
use structurizer::{Options, structurize};

/// How many of the shapes need a selector, and the text of the smallest.
fn count(shapes: impl Iterator<Item = Shape>) -> (usize, usize, String) {
    let (mut all, mut bad, mut smallest) = (0, 0, String::new());
    for shape in shapes {
        let func = fill(&shape, &mut Rng::new(1), &FillOptions { plain: true, ..FillOptions::default() });
        let input = print(&func);
        let after = structurize(func, &Options::default()).unwrap();
        all += 1;
        if after.report.selectors > 0 || after.report.dispatch_headers > 0 {
            bad += 1;
            let text = format!("{input}\n{}", print_structured(&after));
            if smallest.is_empty() || text.len() < smallest.len() {
                smallest = text;
            }
        }
    }
    (all, bad, smallest)
}

fn programs(options: ProgramOptions) -> impl Iterator<Item = Shape> {
    (0..2000u64).map(move |seed| Program::random(&mut Rng::new(seed), &options).lower())
}

#[test]
fn structured_programs_as_they_stand_need_no_selector() {
    let options = ProgramOptions { statements: 14, ..ProgramOptions::default() };
    let (all, bad, text) = count(programs(options));
    assert_eq!(bad, 0, "{bad} of {all} programs got a selector; the smallest:\n{text}");
}

#[test]
fn structured_programs_without_switches_folded_need_no_selector() {
    let options = ProgramOptions { statements: 14, switches: false, ..ProgramOptions::default() };
    let (all, bad, text) = count(programs(options).map(|mut shape| {
        shape.fold_empty();
        shape
    }));
    assert_eq!(bad, 0, "{bad} of {all} programs got a selector; the smallest:\n{text}");
}
