//! Edits applied to a client's own graph give a program that does the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hostile;
mod program;
mod run;

use program::{Program, Registers};
use run::{Applied, trace};
use structurizer_testkit::generate::{mixed_size, random_function};
use trellis_structurizer::Target;
use trellis_structurizer_client::{Edits, Options, structurize, structurize_ssa};

const SEEDS: u64 = 2000;

fn options(seed: u64) -> Options {
    let target = Target::PROFILES[seed as usize % Target::PROFILES.len()].1;
    Options::default().with_target(target.with_single_return(seed.is_multiple_of(3)))
}

/// Compares runs of a program before and after; of a run that does not end, the common prefix is
/// compared.
fn compare(seed: u64, before: &Applied, after: &Applied, edits: &Edits) {
    for run in 0..4 {
        let (expected, ends) = trace(before, run, 300);
        let (mut found, _) = trace(after, run, 30_000);
        if !ends {
            found.truncate(expected.len());
        }
        assert_eq!(expected, found, "seed {seed}, run {run}\n{}", edits.tree());
    }
}

#[test]
fn graphs_with_variables_have_the_same_traces() {
    let mut assignments = 0;
    for seed in 0..SEEDS {
        let client = Registers::of(&random_function(seed, mixed_size(seed, 64)));
        let edits = structurize(&client, &options(seed)).unwrap();
        let after = Applied::of(client.program(), &edits);
        compare(seed, &Applied::before(client.program()), &after, &edits);
        assignments += (edits.blocks.iter())
            .map(|edit| edit.assignments.len())
            .sum::<usize>();
        assert!(edits.blocks.iter().all(|edit| edit.phis.is_empty()));
    }
    assert!(assignments > 500, "{assignments}");
}

#[test]
fn graphs_in_ssa_form_have_the_same_traces() {
    let (mut replaced, mut phis) = (0, 0);
    for seed in 0..SEEDS {
        let client = Program::of(&random_function(seed, mixed_size(seed, 64)));
        let edits = structurize_ssa(&client, &options(seed)).unwrap();
        let after = Applied::of(&client, &edits);
        compare(seed, &Applied::before(&client), &after, &edits);
        let uses = edits.blocks.iter().map(|edit| edit.replaced.len());
        replaced += uses.sum::<usize>();
        phis += edits.new_values.len();
    }
    assert!(replaced > 1000 && phis > 1000, "{replaced} {phis}");
}

#[test]
fn the_same_graph_has_the_same_edits() {
    for seed in 0..50 {
        let client = Program::of(&random_function(seed, 30));
        let edits = [0; 2].map(|_| structurize_ssa(&client, &options(seed)).unwrap());
        assert_eq!(edits[0].blocks, edits[1].blocks);
    }
}
