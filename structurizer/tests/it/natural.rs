//! Structured programs come back as they were: without selectors, dispatch and one-trip loops. A few
//! get copies of a return instead of a breakable block, which is counted. `TRELLIS_PROGRAMS` sets
//! the number of each kind.

use structurizer_testkit::generate::{Program, ProgramOptions, Rng, Shape, plain};
use structurizer_testkit::harness::setting;
use trellis_structurizer::text::{print, print_structured};
use trellis_structurizer::{Options, Report, Stage, structurize};

use crate::common;

fn programs(options: &ProgramOptions) -> impl Iterator<Item = Shape> {
    (0..setting("TRELLIS_PROGRAMS", 10_000))
        .map(move |seed| Program::random(&mut Rng::new(seed), options).lower())
}

fn folded(mut shape: Shape) -> Shape {
    shape.fold_empty();
    shape
}

/// Programs that may have more than their source had.
struct Known {
    /// Those with selectors or dispatch headers.
    selectors: u32,
    /// Of 10,000 programs, those that trade a breakable block or a selector for copies of an empty
    /// block that ends the invocation: the shape has fewer constructs than without them. Measured
    /// over 100,000 programs.
    copies: u32,
}

/// Fails with the smallest program that needs more than its source had, if there are more than
/// `known` of them.
fn expect_natural(shapes: impl Iterator<Item = Shape>, known: Known) {
    let (mut all, mut bad, mut copied, mut smallest) = (0, 0u32, 0u32, String::new());
    for shape in shapes {
        let func = plain(&shape);
        let input = print(&func);
        // The blocks of plans are compared, before selects remove some.
        let mut options = Options::default();
        options.stages = options.stages.without(Stage::Selects);
        let after = structurize(func.clone(), &options).unwrap();
        all += 1;
        let r = &after.report;
        let is_bad = r.selectors + r.dispatch_headers > 0;
        bad += u32::from(is_bad);
        if !is_bad && r.copies > 0 {
            copied += 1;
            // A copy has its price: without it there is a construct that the source did not have, or
            // else more blocks, since a switch that was there is used in place of a breakable block.
            options.stages = options.stages.without(Stage::ExitBlocks);
            let without = structurize(func, &options).unwrap();
            let constructs = |report: &Report| report.selectors + report.breakable_blocks;
            let written = after.order.len() - r.copies as usize;
            let shared = &without.report;
            assert!(
                constructs(shared) > constructs(r)
                    || constructs(shared) == constructs(r) && written < without.order.len(),
                "copies that spare nothing: {shared:?}, {r:?}:\n{input}\n{}",
                print_structured(&after)
            );
        }
        if is_bad || r.copies > 0 {
            let text = format!("{input}\n{}", print_structured(&after));
            if smallest.is_empty() || text.len() < smallest.len() {
                smallest = text;
            }
        }
    }
    println!("{bad} of {all} programs with selectors or dispatches, {copied} others with copies");
    assert!(
        bad <= known.selectors && copied * 10_000 <= known.copies * all,
        "{bad} of {all} programs have more selectors or dispatches than their source, {copied} others have copies; the smallest:\n{smallest}"
    );
}

#[test]
fn programs_come_back() {
    let options = |statements, switches| ProgramOptions {
        statements,
        switches,
        ..ProgramOptions::default()
    };
    let known = |selectors, copies| Known { selectors, copies };
    expect_natural(programs(&options(14, true)), known(0, 25));
    expect_natural(programs(&options(14, false)).map(folded), known(0, 5));
    expect_natural(programs(&options(14, true)).map(folded), known(0, 5));
    // A ratchet, the aim is 0: a few still need a selector, those in which all lanes are killed or
    // run forever.
    let long = options(60, true);
    expect_natural(programs(&long).take(10_000).map(folded), known(27, 56));
}

/// Breaks and continues over several levels and returns from anywhere: an exit path writes a
/// selector at most once and tests it at most once per level.
fn expect_cheap(shapes: impl Iterator<Item = Shape>) {
    let (mut exits, mut bad, mut smallest) = (0, 0u32, String::new());
    for (seed, shape) in shapes.enumerate() {
        let func = plain(&shape);
        let input = print(&func);
        // Without the stages that spare the selectors that are counted here, or write them otherwise.
        let mut options = Options::default();
        for stage in [Stage::Conditions, Stage::ExitBlocks, Stage::Selects] {
            options.stages = options.stages.without(stage);
        }
        let after = structurize(func, &options).unwrap();
        for run in 0..4 {
            let costs = common::costs::run(&after, seed as u64 * 4 + run, 500);
            exits += costs.len();
            if let Some(costs) = costs.iter().find(|c| c.writes > 1 || c.tests > c.levels) {
                bad += 1;
                let text = format!("{costs:?}\n{input}\n{}", print_structured(&after));
                if smallest.is_empty() || text.len() < smallest.len() {
                    smallest = text;
                }
            }
        }
    }
    assert!(exits > 100, "only {exits} exits test a selector");
    assert!(
        bad == 0,
        "{bad} runs with a more expensive exit, of {exits} exits; the smallest program:\n{smallest}"
    );
}

#[test]
fn multi_level_exits_cost_one_write_and_one_test_per_level() {
    let options = ProgramOptions {
        statements: 14,
        multi_level: true,
        ..ProgramOptions::default()
    };
    expect_cheap(programs(&options));
    expect_cheap(programs(&options).map(folded));
}

/// Selectors and breakable blocks are nearly as few where an optimizer has merged the returns.
#[test]
fn merged_returns_cost_no_more_than_separate_ones() {
    let options = ProgramOptions {
        statements: 14,
        returns: true,
        ..ProgramOptions::default()
    };
    let (mut separate, mut merged) = (0, 0);
    let (mut worse, mut smallest) = (0, String::new());
    let costs = |shape: &Shape| {
        let func = plain(shape);
        let text = print(&func);
        let after = structurize(func, &Options::default()).unwrap();
        let report = &after.report;
        let constructs = report.selectors + report.breakable_blocks;
        (constructs, format!("{text}\n{}", print_structured(&after)))
    };
    for shape in programs(&options).map(folded) {
        let apart = costs(&shape);
        let mut together = shape;
        together.merge_returns();
        let together = costs(&together);
        separate += u32::from(apart.0 > 0);
        merged += u32::from(together.0 > 0);
        if together.0 > apart.0 {
            worse += 1;
            if smallest.is_empty() || together.1.len() < smallest.len() {
                smallest = together.1;
            }
        }
    }
    println!(
        "{separate} programs with selectors or breakable blocks, {merged} with merged returns, {worse} worse"
    );
    // A ratchet, the aim is none: where a branch to a copied return was the only one to fall out of a
    // switch, others need a selector.
    assert!(
        merged <= separate + 25,
        "{merged} programs with merged returns have selectors or breakable blocks, {separate} with separate ones; the smallest that is worse:\n{smallest}"
    );
}
