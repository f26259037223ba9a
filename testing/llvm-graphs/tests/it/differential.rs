//! Random LLVM functions: LLVM's JIT, the structured function and the shader do the same.
//!
//! `TRELLIS_SEED=…` is the first seed, `TRELLIS_GRAPHS=…` the number of seeds. Long runs, and runs
//! on a device: `cargo xtask differential --kind graphs`.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use llvm_graphs::compare::STEPS;
use llvm_graphs::differential::{Verdict, Worker};
use llvm_graphs::evaluate::evaluate;
use llvm_graphs::shader::{Layout, shader};
use trellis_structurizer::ir::{Function, Terminator, Value, ValueKind};
use trellis_structurizer::{Options, structurize};

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

#[test]
fn random_functions_do_the_same_in_llvm_and_structured() {
    let worker = Worker::new(None, 2).unwrap();
    let (first, count) = (number("TRELLIS_SEED", 1), number("TRELLIS_GRAPHS", 600));
    let (start, limit) = (
        Instant::now(),
        if count > 600 {
            Duration::MAX
        } else {
            Duration::from_secs(15)
        },
    );
    let (mut ran, mut same, mut irreducible, mut switches, mut events) = (0, 0, 0, 0, 0);
    let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + count {
        ran += 1;
        match worker.check(seed) {
            Ok(Verdict::Same(facts)) => {
                same += 1;
                irreducible += u64::from(!facts.reducible);
                switches += facts.switches;
                events += facts.events;
            }
            Ok(Verdict::Skipped(what)) => *skipped.entry(what).or_default() += 1,
            Err(failure) => panic!("{failure}\n{}", failure.ll),
        }
        if start.elapsed() > limit {
            break;
        }
    }
    println!(
        "ran {ran}, same {same}, irreducible {irreducible}, switches {switches}, events {events}, skipped {skipped:?}"
    );
    // Slow machines run fewer; the functions must be such as are worth the test.
    assert!(
        ran >= count.min(50) && same * 100 >= ran * 98,
        "{skipped:?}"
    );
    assert!(
        irreducible * 5 > same && events as u64 > 100 * same && switches as u64 * 4 > same,
        "irreducible {irreducible}, switches {switches}, events {events}"
    );
}

#[test]
fn shaders_of_random_functions_are_valid() {
    if Command::new("spirv-val").arg("--version").output().is_err() {
        println!("skipped: `spirv-val` is not installed");
        return;
    }
    let worker = Worker::new(None, 0).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for seed in 5000..5040 {
        let Ok(case) = worker.case(seed) else {
            continue;
        };
        let structured = structurize(case.program.func.clone(), &Options::default()).unwrap();
        let words = shader(
            &case.program,
            &structured,
            Layout {
                lanes: 32,
                events: if seed % 2 == 0 { 0 } else { 100 },
            },
        )
        .unwrap();
        let path = folder.path().join("shader.spv");
        std::fs::write(
            &path,
            words
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect::<Vec<u8>>(),
        )
        .unwrap();
        let output = Command::new("spirv-val")
            .args(["--target-env", "vulkan1.3"])
            .arg(&path)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "seed {seed}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
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
        let found = structured
            .order
            .iter()
            .find_map(|&block| match func.terminator(block) {
                Some(Terminator::CondBranch {
                    cond,
                    then,
                    else_,
                    hint,
                }) if is_test(func, cond) => Some((block, cond, then, else_, hint)),
                _ => None,
            });
        let Some((block, cond, then, else_, hint)) = found else {
            continue;
        };
        func.set_terminator(
            block,
            Terminator::CondBranch {
                cond,
                then: else_,
                else_: then,
                hint,
            },
        );
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
