//! A workspace keeps its memory between functions: the same results, and nothing to allocate for
//! plain functions. A program of its own, since its allocator counts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(
    unsafe_code,
    reason = "the allocator of this program counts, and passes everything on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use structurizer_testkit::generate;
use trellis_structurizer::ir::{Block, Function, Terminator};
use trellis_structurizer::text::{parse, print_structured};
use trellis_structurizer::{
    Error, Options, Report, Stage, Stages, Structured, Target, Workspace, structurize,
};

/// Counts the allocations of the current thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
}

// SAFETY: each function does what the system's allocator does, with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the rules of this function, which are the same.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
    plain.chain(random).collect()
}

/// The stages without those that allocate.
fn without_allocations() -> Stages {
    Stages::ALL
        .without(Stage::Conditions)
        .without(Stage::LoopEnds)
}

/// The lists that the check of a plan makes, which runs in debug builds.
const CHECK: usize = if cfg!(debug_assertions) { 3 } else { 0 };

/// Returns whether a result has no constructs that the source did not have.
fn is_plain(report: &Report) -> bool {
    report.selectors + report.breakable_blocks + report.dispatch_headers == 0
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
            let mut one = Workspace::for_one();
            let one = one.structurize(func.clone(), &options).unwrap();
            let mut again = workspace.function();
            again.clone_from(&func);
            let other = workspace.structurize(again, &options).unwrap();
            assert_eq!(print_structured(&one), print_structured(&other));
            assert_eq!((&one.order, &one.merges), (&other.order, &other.merges));
            assert_eq!(one.report, other.report);
            assert_eq!(one.func.num_entries(), other.func.num_entries());
            workspace.recycle(other);
        }
    }
}

#[test]
fn plain_functions_allocate_nothing() {
    let functions = functions();
    let options = Options::default();
    let simple = Options::default().with_stages(without_allocations());
    let mut workspace = Workspace::new();
    let mut run = |func: &Function, options: &Options| {
        let mut again = workspace.function();
        again.clone_from(func);
        ALLOCATIONS.set(0);
        let result = workspace.structurize(again, options).unwrap();
        let report = result.report.clone();
        workspace.recycle(result);
        (ALLOCATIONS.get(), report, workspace.kept_bytes())
    };
    let mut kept = 0;
    for _ in 0..2 {
        for func in &functions {
            run(func, &simple);
            kept = run(func, &options).2;
        }
    }
    for (func, text) in functions.iter().zip(PLAIN) {
        // A function before may have left its lists on top.
        run(func, &options);
        let (allocations, report, _) = run(func, &options);
        assert!(allocations <= CHECK, "{allocations} for {text}: {report:?}");
    }
    // Sets of more than a few targets are on the heap.
    let (mut plain, mut few, mut others) = (0, 0, 0);
    for func in &functions {
        let (allocations, report, _) = run(func, &simple);
        if is_plain(&report) {
            plain += 1;
            few += allocations.saturating_sub(CHECK);
        } else {
            others += allocations;
        }
    }
    println!(
        "{few} allocations for {plain} plain functions, {others} for {} others",
        functions.len() - plain
    );
    assert!(plain > 50 && 10 * few < plain, "{few} {plain}");
    assert!(others < 60 * functions.len(), "{others}");
    let last = functions.last().unwrap();
    let now = run(last, &options).2;
    assert!(now < kept + kept / 2, "{now} instead of {kept}");
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
fn memory_is_counted_and_freed() {
    let mut workspace = Workspace::new();
    assert_eq!(workspace.kept_bytes(), 0);
    let func = generate::random_function(3, 500);
    let entries = func.num_entries();
    let result = workspace.structurize(func, &Options::default()).unwrap();
    let before = workspace.kept_bytes();
    assert!(before > 10 * entries, "{before}");
    workspace.recycle(result);
    assert!(workspace.kept_bytes() > before);
    workspace.clear();
    assert_eq!(workspace.kept_bytes(), 0);
}

#[test]
fn a_workspace_goes_to_any_thread() {
    const fn goes_to_any_thread<T: Send + Sync>() {}
    goes_to_any_thread::<Workspace>();
    goes_to_any_thread::<Structured>();
}
