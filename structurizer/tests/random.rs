//! Random graphs: valid, the same trace for every lane, the same lanes together.
//!
//! `TRELLIS_SEED` is the first seed, `TRELLIS_GRAPHS` how many graphs, `TRELLIS_BLOCKS` how large.
//!
//! A separate program: while a graph is shrunk, no panic of the program is printed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "it/common/switch_loop.rs"]
mod switch_loop;

use structurizer_testkit::check::{Checks, Failure, check_function, check_result, failure, shrunk};
use structurizer_testkit::generate;
use structurizer_testkit::harness::{seeds, setting};
use structurizer_testkit::simt::LaneSets;
use trellis_structurizer::ir::Function;

fn for_random_graphs(default: u64, test: &dyn Fn(&Function) -> Result<(), Failure>) {
    let blocks = setting("TRELLIS_BLOCKS", 64) as usize;
    for seed in seeds(default) {
        let func = generate::random_function(seed, generate::mixed_size(seed, blocks));
        if let Some(found) = failure(&func, test) {
            let hook = std::panic::take_hook();
            std::panic::set_hook(Box::new(|_| {}));
            let report = shrunk(func, &found, test);
            std::panic::set_hook(hook);
            panic!("# TRELLIS_SEED={seed}: {report}");
        }
    }
}

#[test]
fn random_graphs_keep_their_meaning() {
    for_random_graphs(8000, &|func| check_function(func, &Checks::default()));
}

#[test]
fn the_switch_in_a_loop_passes_the_same_checks() {
    for_random_graphs(1500, &|func| {
        check_result(func, &switch_loop::structurize(func), 4, LaneSets::Ignore)
    });
}
