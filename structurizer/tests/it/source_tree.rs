//! The tree of a structured program equals the tree of its source, both in a normal form.
//! `TRELLIS_PROGRAMS` sets the number.

use crate::common::normal::read::{of_program, of_tree};
use crate::common::normal::{normal, text};
use structurizer_testkit::generate::{FillOptions, Program, ProgramOptions, Rng, fill};
use trellis_structurizer::text::{print, print_structured};
use trellis_structurizer::tree::Tree;
use trellis_structurizer::{Options, Stage, structurize};

/// Returns the source's normal form, the result's, and what to show where they differ.
fn both(program: &Program) -> (String, String, String) {
    let (shape, sites) = program.lower_with_sites();
    let source = text(&normal(of_program(program, &shape, &sites)));
    let func = fill(
        &shape,
        &mut Rng::new(1),
        &FillOptions {
            plain: true,
            ..FillOptions::default()
        },
    );
    let input = print(&func);
    // A `break` out of a loop that runs once is also an `&&`; the programs have none of those, so
    // that the first is what their source says.
    let mut options = Options::default();
    options.stages = options.stages.without(Stage::Conditions);
    let after = structurize(func, &options).unwrap();
    let r = &after.report;
    // A copy of an empty block that ends the invocation is a `return` in the tree, which is compared.
    if r.selectors + r.dispatch_headers > 0 {
        return (
            source,
            format!(
                "{} selectors, {} dispatch headers\n",
                r.selectors, r.dispatch_headers
            ),
            format!("{input}\n{}", print_structured(&after)),
        );
    }
    let tree = Tree::of(&after);
    let found = text(&normal(of_tree(&tree, &after.func)));
    (source, found, format!("{program:?}\n{input}\n{tree}"))
}

#[test]
fn the_tree_is_the_source() {
    let count = std::env::var("TRELLIS_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(10_000u64);
    let options = ProgramOptions {
        statements: 14,
        ..ProgramOptions::default()
    };
    let (mut bad, mut smallest) = (Vec::new(), String::new());
    for seed in 0..count {
        let (source, found, story) = both(&Program::random(&mut Rng::new(seed), &options));
        if source != found {
            bad.push(seed);
            let text = format!("seed {seed}: the source\n{source}the result\n{found}{story}");
            if smallest.is_empty() || text.len() < smallest.len() {
                smallest = text;
            }
        }
    }
    assert!(
        bad.is_empty(),
        "{} of {count} programs differ, seeds {bad:?}; the smallest, {smallest}",
        bad.len()
    );
}
