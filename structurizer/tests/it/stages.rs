//! Each stage can be switched off, alone and all together: the result stays valid, equivalent, and
//! keeps the lanes of convergent instructions together.
//!
//! `TRELLIS_SEED` and `TRELLIS_GRAPHS` choose the random graphs.

use structurizer_testkit::check::{Checks, check_function};
use structurizer_testkit::generate::{Family, random_function};
use structurizer_testkit::harness::seeds;
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::print;
use trellis_structurizer::{Options, Stage, Stages, structurize};

/// Returns all on, each one off, each one alone on, all off.
fn sets() -> Vec<Stages> {
    let mut sets = vec![Stages::ALL, Stages::NONE];
    sets.extend(Stage::OPTIONAL.map(|stage| Stages::ALL.without(stage)));
    sets.extend(Stage::OPTIONAL.map(|stage| Stages::NONE.with(stage)));
    sets
}

fn check(func: &Function, stages: Stages, max_continue_switches: u32, what: &str) {
    // With everything after an exit placed after its loop, and a fresh block for each merge, a
    // graph may grow somewhat more.
    let checks = Checks {
        stages,
        runs: 2,
        growth: 8,
        max_continue_switches,
        ..Checks::default()
    };
    check_function(func, &checks).unwrap_or_else(|error| {
        panic!(
            "{what} with {stages:?} and {max_continue_switches}: {error}\n{}",
            print(func)
        )
    });
}

#[test]
fn random_graphs_with_each_stage_off() {
    let sets = sets();
    for seed in seeds(10_000) {
        let func = random_function(seed, 4 + seed as usize % 40);
        // Each graph with two of the sets, each set on many graphs; the slow run takes them all.
        let at = seed as usize % sets.len();
        check(&func, sets[at], u32::MAX, &format!("seed {seed}"));
        // The limit of switches that a `continue` may leave combines with any of them.
        let switches = (seed % 3) as u32;
        check(
            &func,
            sets[(at + 1 + seed as usize / sets.len()) % sets.len()],
            switches,
            &format!("seed {seed}"),
        );
    }
}

#[test]
fn families_with_each_stage_off() {
    for family in Family::ALL {
        for n in [1, 2, 3, 5, 9] {
            let func = family.function(n);
            for stages in sets() {
                for switches in [0, 1, u32::MAX] {
                    check(&func, stages, switches, &format!("{family:?} of {n}"));
                }
            }
        }
    }
}

/// A stage that is in the table and not called would change nothing.
#[test]
fn each_optional_stage_changes_some_result() {
    let order = |func: &Function, stages: Stages| {
        let options = Options::default().with_stages(stages).with_many_breaks(2);
        let result = structurize(func.clone(), &options).unwrap();
        (print(&result.func), result.order)
    };
    let mut unused = Stage::OPTIONAL.to_vec();
    for seed in 0..2_000 {
        let func = random_function(seed, 4 + seed as usize % 40);
        let all = order(&func, Stages::ALL);
        unused.retain(|&stage| order(&func, Stages::ALL.without(stage)) == all);
        if unused.is_empty() {
            return;
        }
    }
    panic!("no result changes without {unused:?}");
}

#[test]
fn remarks_are_written_only_if_enabled() {
    let func = Family::UnrolledThreeBreaks.function(4);
    assert!(
        structurize(func.clone(), &Options::default())
            .unwrap()
            .report
            .remarks
            .is_empty()
    );
    let mut options = Options::default();
    options.remarks = true;
    let remarks = structurize(func, &options).unwrap().report.remarks;
    assert!(
        remarks.iter().any(|r| r.stage == Stage::BreakableBlocks),
        "{remarks:#?}"
    );
    assert!(remarks.is_sorted_by_key(|r| r.stage));
}

#[test]
fn names_of_stages_lead_back() {
    for stage in Stage::ALL {
        assert_eq!(Stage::from_name(stage.name()), Some(stage));
        assert!(Stages::ALL.contains(stage));
        assert_eq!(
            Stages::ALL.without(stage).contains(stage),
            !Stage::OPTIONAL.contains(&stage)
        );
    }
}
