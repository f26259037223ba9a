//! Random graphs: valid, the same trace for every lane, the same lanes together.
//!
//! `TRELLIS_SEED` is the first seed, `TRELLIS_GRAPHS` how many graphs, `TRELLIS_BLOCKS` how large.
//! `TRELLIS_COLLECT` is a folder: the test then continues after a failure and writes the smallest
//! graph of each kind of failure there. `TRELLIS_VERBOSE` prints each graph before it runs.
//!
//! A program of its own: while a graph is shrunk, no panic of the program is printed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "it/common/switch_loop.rs"]
mod switch_loop;

use structurizer_testkit::check::{Checks, Failure, check_function, check_result, failure, shrink};
use structurizer_testkit::generate;
use structurizer_testkit::harness::{seeds, setting};
use structurizer_testkit::simt::LaneSets;
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::print;

/// Maximum number of tests of a failing graph while it is shrunk.
const SHRINK_TESTS: usize = 4000;

fn for_random_graphs(default: u64, test: &dyn Fn(&Function) -> Result<(), Failure>) {
    let blocks = setting("TRELLIS_BLOCKS", 64) as usize;
    let collect = std::env::var_os("TRELLIS_COLLECT").map(std::path::PathBuf::from);
    let mut kinds: Vec<(String, u64, usize)> = Vec::new();
    for seed in seeds(default) {
        let func = generate::random_function(seed, generate::mixed_size(seed, blocks));
        if std::env::var_os("TRELLIS_VERBOSE").is_some() {
            eprintln!("# seed {seed}\n{}", print(&func));
        }
        let Some(message) = failure(&func, test) else {
            continue;
        };
        let kind = message.kind();
        if let Some(known) = kinds.iter_mut().find(|known| known.0 == kind) {
            known.2 += 1;
            continue;
        }
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let small = shrink(func, SHRINK_TESTS, &|smaller| {
            failure(smaller, test).is_some_and(|other| other.kind() == kind)
        });
        std::panic::set_hook(hook);
        let again = failure(&small, test)
            .map(|failure| failure.to_string())
            .unwrap_or_default();
        let report = format!(
            "TRELLIS_SEED={seed}: {message}\nshrunk: {again}\n{}",
            print(&small)
        );
        match &collect {
            None => panic!("{report}"),
            Some(folder) => {
                let comment = |text: &str| {
                    text.lines()
                        .map(|line| format!("# {line}"))
                        .collect::<Vec<_>>()
                        .join("\n")
                };
                let text = format!(
                    "# TRELLIS_SEED={seed}\n{}\n{}",
                    comment(&again),
                    print(&small)
                );
                std::fs::write(folder.join(format!("seed{seed}.cfg")), text).unwrap();
                kinds.push((kind, seed, 1));
            }
        }
    }
    assert!(kinds.is_empty(), "{kinds:#?}");
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
