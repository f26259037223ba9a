//! Random LLVM functions: LLVM's JIT, the structured function and the shader do the same.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use llvm_graphs::differential::{Verdict, Worker};

#[test]
fn random_functions_do_the_same_in_llvm_and_structured() {
    let worker = Worker::new(None, 2).unwrap();
    let start = Instant::now();
    let count: u64 = std::env::var("TRELLIS_GRAPHS").map_or(300, |count| count.parse().unwrap());
    let first: u64 = std::env::var("TRELLIS_SEED").map_or(1, |seed| seed.parse().unwrap());
    let (mut same, mut irreducible, mut events) = (0, 0, 0);
    let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + count {
        match worker.check(seed) {
            Ok(Verdict::Same(facts)) => {
                same += 1;
                irreducible += u64::from(!facts.reducible);
                events += facts.events;
            }
            Ok(Verdict::Skipped(what)) => *skipped.entry(what).or_default() += 1,
            Err(failure) => panic!("{failure}\n{}", failure.ll),
        }
        if start.elapsed() > Duration::from_mins(1) {
            break;
        }
    }
    println!("same {same}, irreducible {irreducible}, events {events}, skipped {skipped:?}, {:?}", start.elapsed());
    assert!(same * 10 > count * 9, "{skipped:?}");
}
