//! A workspace keeps its memory between functions, which no result depends on.

use structurizer_testkit::generate;
use trellis_structurizer::ir::{Block, Function, Terminator};
use trellis_structurizer::text::{parse, print_structured};
use trellis_structurizer::{Error, Options, Structured, Target, Workspace, structurize};

/// Structured programs, as a compiler's front end makes them.
const PLAIN: [&str; 6] = [
    "a: ret",
    "a: b c\nb: d\nc: d\nd: ret",
    "a: b\nb: c f\nc: d e\nd: e\ne: b\nf: ret",
    "a: switch b c d\nb: e\nc: e\nd: e\ne: ret",
    "a: b\nb: c g\nc: d e\nd: g\ne: f\nf: b\ng: ret",
    "a: b\nb: c h\nc: d g\nd: e f\ne: c\nf: c\ng: b\nh: ret",
];

fn functions() -> Vec<Function> {
    let plain = PLAIN.iter().map(|text| parse(text).unwrap());
    let random =
        (1..400).map(|seed| generate::random_function(seed, generate::mixed_size(seed, 48)));
    // Of one the workspace keeps no memory.
    let large = [generate::random_function(1, 6000)];
    plain.chain(random).chain(large).collect()
}

#[test]
fn results_do_not_depend_on_functions_before() {
    let mut workspace = Workspace::new();
    let drivers = Options::default().with_target(Target::SPIRV.with_breakable_blocks(false));
    for options in [
        Options::default(),
        drivers.clone(),
        drivers.with_remarks(true),
    ] {
        for func in functions() {
            let one = structurize(func.clone(), &options).unwrap();
            let other = workspace.structurize(func.clone(), &options).unwrap();
            assert_eq!(print_structured(&one), print_structured(&other));
            assert_eq!((&one.order, &one.merges), (&other.order, &other.merges));
            assert_eq!(one.report, other.report);
            assert_eq!(one.func.num_entries(), other.func.num_entries());
        }
    }
}

#[test]
fn errors_leave_a_workspace_usable() {
    let mut workspace = Workspace::new();
    let options = Options::default();
    let tiny = Options::default().with_max_blocks(1);
    for func in functions().iter().take(50) {
        let mut malformed = func.clone();
        let to = Block::from_u32(u32::MAX - 1);
        malformed.set_terminator(Block::from_u32(0), Terminator::Branch(to));
        let error = workspace.structurize(malformed, &options);
        assert!(matches!(error, Err(Error::Malformed(_))));
        let error = workspace.structurize(func.clone(), &tiny);
        assert!(func.num_blocks() < 2 || matches!(error, Err(Error::TooLarge { .. })));
        let one = structurize(func.clone(), &options).unwrap();
        let other = workspace.structurize(func.clone(), &options).unwrap();
        assert_eq!(print_structured(&one), print_structured(&other));
    }
}

#[test]
fn a_workspace_goes_to_any_thread() {
    const fn goes_to_any_thread<T: Send + Sync>() {}
    goes_to_any_thread::<Workspace>();
    goes_to_any_thread::<Structured>();
}
