use std::collections::BTreeMap;
use llvm_graphs::differential::{Verdict, Worker};
fn main() {
    let args: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let gpu = args.get(2).copied().unwrap_or(0);
    let device = (gpu > 0).then(|| gpu_test::vulkan::Device::open(None, gpu == 1).unwrap().0);
    let worker = Worker::new(device, 2).unwrap();
    let start = std::time::Instant::now();
    let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let (mut same, mut irr, mut blocks, mut switches, mut events) = (0, 0, 0, 0, 0);
    for seed in args[0]..args[1] {
        if std::env::var("V").is_ok() { eprintln!("{seed} {:?}", llvm_graphs::passes::draw(seed)); }
        match worker.check(seed, gpu > 0) {
            Ok(Verdict::Same(f)) => { same += 1; irr += u64::from(!f.reducible); blocks += f.blocks; switches += f.switches; events += f.events; }
            Ok(Verdict::Skipped(w)) => {if w=="store" {eprintln!("STORE {seed} {:?}", llvm_graphs::passes::draw(seed));} *skipped.entry(w).or_default() += 1},
            Err(f) => {
                let n = kinds.entry(f.kind.clone()).or_default(); *n += 1;
                if *n < 12 { println!("{f}"); std::fs::write(format!("/tmp/g{seed}.ll"), &f.ll).unwrap(); }
            }
        }
    }
    println!("same {same} irr {irr} blocks {blocks} switches {switches} events {events} skipped {skipped:?} kinds {kinds:?} {:?}", start.elapsed());
}
