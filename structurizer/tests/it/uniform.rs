//! Convergent instructions stay in loops that they leave where uniform branches keep the invocations
//! together; they run with the invocations of the input then.

use structurizer_testkit::check::{Checks, check_function};
use structurizer_testkit::generate::{
    FillOptions, Rng, Shape, fill, mark_uniform, random_reducible,
};
use structurizer_testkit::harness::setting;
use trellis_structurizer::ir::{Block, Effects, Function};
use trellis_structurizer::text::{parse, print};

/// Returns a shape of overlapping switches, in a loop if `in_loop`.
fn overlapping(rng: &mut Rng, in_loop: bool) -> Shape {
    let mut shape = Shape::default();
    let entry = shape.add();
    let count = 4 + rng.below(6);
    let blocks: Vec<usize> = (0..count).map(|_| shape.add()).collect();
    let end = shape.add();
    shape.to(entry, &[blocks[0]]);
    for (index, &block) in blocks.iter().enumerate() {
        let next = |rng: &mut Rng| {
            let ahead = &blocks[index + 1..];
            let near = ahead.get(rng.below(ahead.len().min(4)));
            near.copied().filter(|_| rng.chance(85)).unwrap_or(end)
        };
        let targets = 1 + rng.below(4) * usize::from(index < 3 || rng.chance(30));
        let targets: Vec<usize> = (0..targets).map(|_| next(rng)).collect();
        shape.to(block, &targets);
    }
    if in_loop {
        let exit = shape.add();
        let leaves = blocks[rng.below(blocks.len())];
        shape.to(end, &[blocks[0], exit]);
        shape.to(leaves, &[end, exit]);
    }
    shape
}

/// Returns a reducible function, one of three kinds. Many of its instructions are convergent.
fn function(seed: u64, percent: u32) -> Function {
    let mut rng = Rng::new(seed);
    let shape: Shape = match seed % 3 {
        0 => {
            let blocks = 6 + rng.below(14);
            random_reducible(&mut rng, blocks)
        }
        kind => overlapping(&mut rng, kind == 2),
    };
    let options = FillOptions {
        plain: rng.chance(75),
        plain_effects: Effects::SIDE_EFFECT | Effects::CONVERGENT,
        convergent: 50,
        ..FillOptions::default()
    };
    let mut func = fill(&shape, &mut rng, &options);
    mark_uniform(&mut func, &mut rng, percent);
    func
}

#[test]
fn convergent_code_keeps_its_lane_sets() {
    for seed in 0..setting("TRELLIS_GRAPHS", 600) {
        for percent in [0, 75, 100] {
            let func = function(seed, percent);
            let checks = Checks {
                growth: usize::MAX / 1000,
                ..Checks::default()
            };
            check_function(&func, &checks)
                .unwrap_or_else(|failure| panic!("seed {seed}: {failure}\n{}", print(&func)));
        }
    }
}

#[test]
fn the_mark_is_kept_by_the_text_form() {
    let text = "a: {uniform} b c\nb: {uniform flatten} switch c d d\nc: d\nd: ret";
    let func = parse(text).unwrap();
    let is_uniform = |func: &Function| -> Vec<bool> {
        let blocks = func.blocks();
        blocks.map(|block| func.is_uniform(block)).collect()
    };
    assert_eq!(is_uniform(&func), [true, true, false, false]);
    let printed = print(&func);
    assert!(printed.contains("if %v0 b1 b2 uniform\n"), "{printed}");
    assert!(printed.contains("uniform flatten\n"), "{printed}");
    let again = parse(&printed).unwrap();
    assert_eq!(is_uniform(&again), is_uniform(&func));
    assert_eq!(print(&again), printed);
}

#[test]
fn a_new_terminator_is_not_uniform() {
    let mut func = parse("a: {uniform} b c\nb: c\nc: ret").unwrap();
    let entry = Block::from_u32(0);
    let terminator = func.terminator(entry).unwrap();
    func.set_terminator(entry, terminator);
    assert!(!func.is_uniform(entry));
}
