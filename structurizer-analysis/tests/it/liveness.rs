//! Liveness agrees with the equations of data flow.

use std::collections::BTreeSet;

use structurizer_testkit::generate::random_function;
use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Function, Terminator, Value, ValueKind};
use trellis_structurizer::{Options, structurize};
use trellis_structurizer_analysis::Liveness;

/// The values that are live at the start and at the end of each block, by repetition of the equations
/// on sets until nothing changes.
fn slow(func: &Function) -> (Vec<BTreeSet<Value>>, Vec<BTreeSet<Value>>) {
    let mut starts: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); func.num_blocks()];
    let mut ends = starts.clone();
    loop {
        let before = (starts.clone(), ends.clone());
        for block in func.blocks() {
            let mut live: BTreeSet<Value> = BTreeSet::new();
            for to in func.successors(block) {
                live.extend(&starts[to.index()]);
                for phi in func.phis(to) {
                    let operands = func.phi_operands(phi).filter(|o| o.pred == block);
                    live.extend(operands.map(|o| o.value));
                }
            }
            live.retain(|&value| {
                matches!(
                    func.value_kind(value),
                    ValueKind::Phi(_) | ValueKind::Result { .. }
                )
            });
            ends[block.index()].clone_from(&live);
            live.extend(func.terminator(block).and_then(Terminator::value));
            for inst in func.insts(block).collect::<Vec<_>>().into_iter().rev() {
                for result in func.results(inst) {
                    live.remove(&result);
                }
                live.extend(func.uses(inst));
            }
            for phi in func.phis(block) {
                live.remove(&phi);
            }
            live.retain(|&value| {
                matches!(
                    func.value_kind(value),
                    ValueKind::Phi(_) | ValueKind::Result { .. }
                )
            });
            starts[block.index()] = live;
        }
        if before == (starts.clone(), ends.clone()) {
            return (starts, ends);
        }
    }
}

fn check(func: &Function, seed: u64) -> usize {
    let liveness = Liveness::of(func);
    let (starts, ends) = slow(func);
    let list = |set: &BTreeSet<Value>| set.iter().copied().collect::<Vec<_>>();
    for block in func.blocks() {
        let (start, end) = (list(&starts[block.index()]), list(&ends[block.index()]));
        assert_eq!(
            liveness.live_in(block),
            start,
            "seed {seed}: start of {block}"
        );
        assert_eq!(liveness.live_out(block), end, "seed {seed}: end of {block}");
        for value in func.values() {
            assert_eq!(
                liveness.is_live_at_start(value, block),
                start.contains(&value)
            );
            assert_eq!(liveness.is_live_at_end(value, block), end.contains(&value));
        }
    }
    starts.iter().map(BTreeSet::len).sum()
}

#[test]
fn the_same_as_by_data_flow_before_and_after_structurization() {
    let mut live = [0, 0];
    for seed in 0..300 {
        let func = random_function(seed, 24);
        live[0] += check(&func, seed);
        if let Ok(structured) = structurize(func, &Options::default()) {
            live[1] += check(&structured.func, seed);
        }
    }
    assert!(live.iter().all(|&count| count > 5_000), "{live:?}");
}

#[test]
fn blocks_that_do_not_exist_have_no_values() {
    let liveness = Liveness::of(&Function::new());
    assert!(
        liveness.live_in(Block::new(3)).is_empty() && liveness.live_out(Block::new(0)).is_empty()
    );
}
