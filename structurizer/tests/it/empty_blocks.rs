//! The clean-up of a function before it is structured changes no trace.

use structurizer_testkit::check::{Checks, check_function};
use structurizer_testkit::generate::random_function;
use trellis_structurizer::{Options, Stage, Stages, structurize, text};

/// The stage alone, and all, on graphs with many removable blocks.
#[test]
fn removing_blocks_keeps_the_behaviour() {
    for seed in 0..3000 {
        let func = random_function(seed, 24);
        for stages in [Stages::NONE.with(Stage::EmptyBlocks), Stages::ALL] {
            let checks = Checks {
                stages,
                runs: 3,
                ..Checks::default()
            };
            check_function(&func, &checks)
                .unwrap_or_else(|error| panic!("seed {seed}, {stages:?}: {error}"));
        }
    }
}

#[test]
fn what_is_not_inserted_is_of_the_input() {
    // A loop of one block: the result has no inserted continue target.
    let func = text::parse("a: b\nb: b c\nc: ret").unwrap();
    let blocks = func.num_blocks();
    let result = structurize(func, &Options::default()).unwrap();
    assert_eq!(result.order.len(), blocks);
    assert_eq!(
        result.func.num_blocks() - result.report.blocks as usize,
        blocks
    );
}
