//! An instruction that is a run of several ([`Inside`]) counts as all of them.

use trellis_structurizer::ir::{Block, Effects, Function, Inside, Inst};
use trellis_structurizer::{Options, Structured, structurize, text};

/// A case of a switch leaves two loops: its target is copied.
const CASE: &str = "e: {dup} h1\nh1: {dup} h2 x\nh2: {dup} s l1\ns: {dup} switch l2 c0 c1 l1 x\n\
    c0: {dup} c1\nc1: {dup} l2\nl2: {dup} h2\nl1: {dup} h1\nx: {dup} ret";

/// Returns the function with so much inside of the instruction in the block `x`.
fn function(inside: Inside) -> (Function, Inst) {
    let mut func = text::parse(CASE).unwrap();
    let inst = func.insts(Block::from_u32(8)).next().unwrap();
    func.set_inside(inst, inside);
    (func, inst)
}

fn structured(inside: Inside) -> Structured {
    structurize(function(inside).0, &Options::default()).unwrap()
}

#[test]
fn what_is_inside_is_counted() {
    let (mut func, inst) = function(Inside::default());
    let before = func.num_entries();
    let inside = Inside {
        insts: 2,
        values: 3,
        uses: 4,
    };
    func.set_inside(inst, inside);
    assert_eq!(func.inside(inst), inside);
    assert_eq!(func.num_entries(), before + 9);
    assert_eq!(func.clone().num_entries(), before + 9);
    assert_eq!(func.num_insts_in(Block::from_u32(8)), 3);
    func.set_inside(inst, Inside { insts: 1, ..inside });
    assert_eq!(func.num_entries(), before + 8);
    func.set_inside(inst, Inside::default());
    assert_eq!(func.num_entries(), before);
}

#[test]
fn a_large_run_is_not_copied() {
    let inside = |insts| Inside {
        insts,
        ..Inside::default()
    };
    let copied = structured(inside(1));
    assert_eq!(copied.report.copies, 1);
    let runs = copied
        .func
        .blocks()
        .flat_map(|block| copied.func.insts(block));
    let runs = runs.filter(|&inst| copied.func.inside(inst) == inside(1));
    assert_eq!(runs.count(), 2, "the copy has as much inside");
    assert_eq!(structured(inside(8)).report.copies, 0);
}

#[test]
fn effects_of_a_run() {
    let load = Effects::READS_MEMORY | Effects::MAY_DUPLICATE;
    let add = Effects::MAY_DUPLICATE;
    assert_eq!(load.then(add), load);
    assert_eq!(add.then(Effects::CONVERGENT), Effects::CONVERGENT);
    assert_eq!(
        Effects::SIDE_EFFECT.then(load),
        Effects::SIDE_EFFECT | Effects::READS_MEMORY
    );
}
