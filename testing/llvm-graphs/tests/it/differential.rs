//! Random LLVM functions: LLVM's JIT, the structured function and the shader do the same.
//!
//! `TRELLIS_SEED=…` is the first seed, `TRELLIS_GRAPHS=…` the number of seeds. Long runs, and runs
//! on a device: `cargo campaign differential --kind graphs`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use llvm_graphs::campaign::Answer;
use llvm_graphs::compare::STEPS;
use llvm_graphs::differential::Worker;
use llvm_graphs::evaluate::evaluate;
use llvm_graphs::shader::{Layout, shader};
use structurizer_testkit::harness::setting;
use trellis_structurizer::ir::{Function, Terminator, Value, ValueKind};
use trellis_structurizer::{Options, structurize};

use crate::shaders::invalid;

#[test]
fn random_functions_do_the_same_in_llvm_and_structured() {
    let worker = Worker::new(None, 2).unwrap();
    let (first, count) = (setting("TRELLIS_SEED", 1), setting("TRELLIS_GRAPHS", 600));
    let (start, limit) = (
        Instant::now(),
        if count > 600 {
            Duration::MAX
        } else {
            Duration::from_secs(15)
        },
    );
    let (mut ran, mut same, mut sums) = (0, 0, [0; 5]);
    let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + count {
        ran += 1;
        match worker.check(seed) {
            Ok(Answer::Equal(numbers)) => {
                same += 1;
                sums.iter_mut().zip(numbers).for_each(|(sum, n)| *sum += n);
            }
            Ok(Answer::Skipped(what)) => *skipped.entry(what).or_default() += 1,
            Ok(answer) => panic!("seed {seed}: {answer:?}"),
            Err(failure) => panic!("{failure}\n{}", failure.ll),
        }
        if start.elapsed() > limit {
            break;
        }
    }
    let [_, switches, events, irreducible, _] = sums;
    println!(
        "ran {ran}, same {same}, irreducible {irreducible}, switches {switches}, events {events}, skipped {skipped:?}"
    );
    // Slow machines run fewer; the functions must be such as are worth the test.
    assert!(
        ran >= count.min(50) && same * 100 >= ran * 98,
        "{skipped:?}"
    );
    assert!(
        irreducible * 5 > same && events > 100 * same && switches * 4 > same,
        "irreducible {irreducible}, switches {switches}, events {events}"
    );
}

#[test]
fn shaders_of_random_functions_are_valid() {
    let worker = Worker::new(None, 0).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for seed in 5000..5040 {
        let Ok(case) = worker.case(seed) else {
            continue;
        };
        let structured = structurize(case.program.func.clone(), &Options::default()).unwrap();
        let events = if seed % 2 == 0 { 0 } else { 100 };
        let layout = Layout { lanes: 32, events };
        let words = shader(&case.program, &structured, layout).unwrap();
        assert_eq!(invalid(&words, folder.path()), None, "seed {seed}");
        checked += 1;
    }
    assert!(checked > 35, "{checked}");
}

#[test]
fn a_wrong_branch_on_a_selector_is_seen() {
    let worker = Worker::new(None, 0).unwrap();
    let (mut changed, mut seen) = (0, 0);
    for seed in 6000..6060 {
        let Ok(case) = worker.case(seed) else {
            continue;
        };
        let mut structured = structurize(case.program.func.clone(), &Options::default()).unwrap();
        let func = &mut structured.func;
        let is_test = |func: &Function, value: Value| matches!(func.value_kind(value), ValueKind::Result { inst, .. } if func.payload(inst).is_none());
        let mut blocks = structured.order.iter();
        let found = blocks.find_map(|&block| match func.terminator(block) {
            Some(end @ Terminator::CondBranch { cond, .. }) if is_test(func, cond) => {
                Some((block, end))
            }
            _ => None,
        });
        let Some((block, mut end)) = found else {
            continue;
        };
        if let Terminator::CondBranch { then, else_, .. } = &mut end {
            std::mem::swap(then, else_);
        }
        func.set_terminator(block, end);
        changed += 1;
        let same =
            case.inputs.iter().zip(&case.runs).all(|(input, run)| {
                evaluate(&case.program, func, input, STEPS).as_ref() == Ok(run)
            });
        seen += u32::from(!same);
    }
    // Some blocks no input gets to.
    assert!(
        changed > 20 && seen * 4 > changed * 3,
        "{seen} of {changed}"
    );
}
