//! Tests of the wave interpreter.

use structurizer_testkit::simt::{
    CanonicalGraph, Config, EventKind, LaneSets, SimError, compare, is_reducible, run_canonical,
    run_graph, run_structured,
};
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::{parse, parse_structured};
use trellis_structurizer::{Options, Stages, Structured, structurize};

use crate::common::switch_loop;

/// Compares with many seeds: how many of them differ.
fn differences(before: &Function, after: &Structured, sets: LaneSets) -> usize {
    let differs = |seed: &u64| {
        let config = Config {
            seed: *seed,
            ..Config::default()
        };
        compare(
            &run_graph(before, &config).unwrap(),
            &run_structured(after, &config).unwrap(),
            sets,
        )
        .is_err()
    };
    (0..50).filter(differs).count()
}

const LOOP: &str = "a: h\nh: b x | loop x l\nb: c d | merge m\nc: {conv} m\nd: m\nm: {conv} l\nl: h\nx: {conv} ret";

fn without_merges(text: &str) -> Function {
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.split('|').next().unwrap())
        .collect();
    parse(&lines.join("\n")).unwrap()
}

#[test]
fn a_structured_graph_runs_alike_with_and_without_its_merges() {
    let after = parse_structured(LOOP).unwrap();
    assert_eq!(
        differences(&without_merges(LOOP), &after, LaneSets::Equal),
        0
    );
}

#[test]
fn swapped_arms_and_lost_instructions_are_seen() {
    let before = without_merges(LOOP);
    for (from, to) in [
        ("b: c d", "b: d c"),
        ("m: {conv} l", "m: {empty} l"),
        ("c: {conv} m", "c: {conv} l"),
        ("h: b x", "h: x b"),
    ] {
        let after = parse_structured(&LOOP.replace(from, to)).unwrap();
        assert!(differences(&before, &after, LaneSets::Ignore) > 10, "{to}");
    }
}

#[test]
fn lost_convergence_is_seen_only_in_the_sets() {
    // Without the selection's merge the arms reach m one after the other.
    let before = without_merges(LOOP);
    let after = parse_structured(&LOOP.replace(" | merge m", "")).unwrap();
    assert_eq!(differences(&before, &after, LaneSets::Ignore), 0);
    assert!(differences(&before, &after, LaneSets::Superset) > 10);
    // A switch in a loop loses it as well.
    let after =
        switch_loop::structurize(&without_merges("a: b c\nb: d\nd: e\nc: e\ne: {conv} ret"));
    let before = without_merges("a: b c\nb: d\nd: e\nc: e\ne: {conv} ret");
    assert_eq!(differences(&before, &after, LaneSets::Ignore), 0);
    assert!(differences(&before, &after, LaneSets::Superset) > 10);
}

#[test]
fn undefined_conditions_and_selectors_are_errors() {
    let config = Config::default();
    let undefined = parse("%u = undef : 1\na:\n if %u b c\nb: ret\nc: ret").unwrap();
    assert!(matches!(
        run_graph(&undefined, &config),
        Err(SimError::UndefinedCondition { .. })
    ));
    let selector = parse_structured(
        "%u = undef : sel\na:\n %t = test le %u 1\n merge c\n if %t b c\nb: c\nc: ret",
    )
    .unwrap();
    assert!(matches!(
        run_structured(&selector, &config),
        Err(SimError::UndefinedCondition { .. })
    ));
    let unwritten = parse("a: b c\nb:\n %x:3 = op 9\n br c\nc:\n op 10 side %x\n ret").unwrap();
    assert!(matches!(
        run_graph(&unwritten, &config),
        Err(SimError::Unwritten { .. })
    ));
}

#[test]
fn selectors_are_computed() {
    let text =
        "%three = selector 3\na:\n %p = test le %three 3\n merge m\n if %p y n\ny: m\nn: m\nm: ret";
    let trace = run_structured(&parse_structured(text).unwrap(), &Config::default()).unwrap();
    assert!(
        trace
            .lanes
            .iter()
            .all(|events| events[0].kind == EventKind::Inst(1))
    );
}

#[test]
fn lanes_wait_at_the_end_of_a_loop_and_leave_it_together() {
    let func = parse("a: h\nh: {conv} h x\nx: {conv} ret").unwrap();
    for seed in 0..20 {
        let trace = run_graph(
            &func,
            &Config {
                seed,
                ..Config::default()
            },
        )
        .unwrap();
        let whole = (1 << trace.lanes.len()) - 1;
        for events in trace
            .lanes
            .iter()
            .filter(|events| events.last().unwrap().kind == EventKind::Return)
        {
            // The first iteration and the code after the loop have all lanes that get there.
            assert_eq!(events[1].lanes, whole);
        }
        let after_loop: Vec<u64> = trace
            .lanes
            .iter()
            .flatten()
            .filter(|event| event.kind == EventKind::Inst(2))
            .map(|event| event.lanes)
            .collect();
        assert!(
            after_loop.windows(2).all(|pair| pair[0] == pair[1]),
            "{after_loop:?}"
        );
    }
}

#[test]
fn a_break_branch_keeps_its_block_in_the_loop() {
    // Every iteration runs w with the lanes that leave in it, since w is part of the loop.
    let inside = parse("a: h\nh: w l\nw: {conv} break x l\nl: h\nx: ret").unwrap();
    let after_loop = parse("a: h\nh: w l\nw: {conv} x\nl: h\nx: ret").unwrap();
    let sets = |func: &Function| -> usize {
        let runs = (0..20).map(|seed| {
            run_graph(
                func,
                &Config {
                    seed,
                    ..Config::default()
                },
            )
            .unwrap()
        });
        let partial = |event: &&structurizer_testkit::simt::Event| {
            event.kind == EventKind::Inst(2) && event.lanes.count_ones() < 8
        };
        runs.map(|trace| trace.lanes.iter().flatten().filter(partial).count())
            .sum()
    };
    assert!(sets(&inside) > sets(&after_loop));
    assert_eq!(sets(&after_loop), 0);
}

#[test]
fn reducible_or_not() {
    let cases = [
        ("a: b c\nb: c\nc: b d\nd: ret", false),
        ("a: h\nh: b x\nb: h\nx: ret", true),
        ("a: a b\nb: ret", true),
        ("a: ret\nb: c\nc: b", true),
    ];
    for (text, expected) in cases {
        assert_eq!(is_reducible(&parse(text).unwrap()), expected, "{text}");
    }
}

/// Two entries into one cycle, with a convergent block each.
const TWO_ENTRIES: &str = "a: b c\nb: {conv} c d\nc: {conv} b d\nd: {conv} ret";

#[test]
fn lanes_of_an_irreducible_loop_are_those_of_the_graph_with_dispatch_headers() {
    let before = parse(TWO_ENTRIES).unwrap();
    let mut options = Options::default();
    options.stages = CanonicalGraph::stages(Stages::ALL);
    let after = structurize(before.clone(), &options).unwrap();
    // In the function's own graph both entries are headers, so lanes meet elsewhere.
    assert_eq!(differences(&before, &after, LaneSets::Ignore), 0);
    assert!(differences(&before, &after, LaneSets::Equal) > 10);
    let graph = CanonicalGraph::of(&before, Stages::ALL).unwrap();
    assert!(graph.is_reducible() && graph.num_inserted() > 0);
    for seed in 0..50 {
        let config = Config {
            seed,
            ..Config::default()
        };
        let expected = run_canonical(&before, &graph, &config).unwrap();
        let found = run_structured(&after, &config).unwrap();
        compare(&expected, &found, LaneSets::Equal).unwrap();
    }
}
