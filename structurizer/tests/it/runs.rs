//! An instruction that is a run of several ([`Inside`]) counts as all of them.

use trellis_structurizer::ir::{Block, Function, Inside, Inst};
use trellis_structurizer::text;

/// Nested loops around a switch.
const CASE: &str = "e: {} h1\nh1: {} h2 x\nh2: {} s l1\ns: {} switch l2 c0 c1 l1 x\n\
    c0: {} c1\nc1: {} l2\nl2: {} h2\nl1: {} h1\nx: {} ret";

/// Returns the function with so much inside of the instruction in the block `x`.
fn function(inside: Inside) -> (Function, Inst) {
    let mut func = text::parse(CASE).unwrap();
    let inst = func.insts(Block::from_u32(8)).next().unwrap();
    func.set_inside(inst, inside);
    (func, inst)
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
