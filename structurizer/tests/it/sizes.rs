//! An instruction counts with the size that a client sets, where lengths of code decide.

use trellis_structurizer::ir::Block;
use trellis_structurizer::{Options, Tree, structurize, text};

/// Returns whether the code before a break stays in the loop if its instruction has this size.
fn is_inside(size: u32) -> bool {
    let mut func = text::parse("e: h\nh: {} b x\nb: {} h y\ny: {} x\nx: ret").unwrap();
    let inst = func.insts(Block::from_u32(3)).next().unwrap();
    func.set_size(inst, size);
    let options = Options::default().with_max_break_path(8);
    let tree = Tree::of(&structurize(func, &options).unwrap()).to_string();
    tree.find("// b3").unwrap() < tree.find("\n}").unwrap()
}

#[test]
fn a_long_instruction_leaves_the_loop() {
    assert!(is_inside(1) && is_inside(8));
    assert!(!is_inside(9) && !is_inside(u32::MAX));
}
