//! The verifier: each rule by a graph that breaks it, and its slow twin on random graphs and on
//! structured functions with something moved.

use structurizer_testkit::check::literal::{self, Graph};
use structurizer_testkit::generate::{Rng, random_function};
use trellis_structurizer::ir::{Block, Effects};
use trellis_structurizer::text::parse_structured;
use trellis_structurizer::verify::{BlockEnd, BlockMerge, Position, verify, verify_cfg_for};
use trellis_structurizer::{Options, Target, structurize};

use crate::common::switch_loop;

fn verdict(text: &str) -> String {
    match verify(&parse_structured(text).unwrap()) {
        Ok(()) => "valid".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Compares the verdicts of the verifier and of its slow twin with the expected ones.
fn check_verdicts(cases: &[(&str, &str)]) {
    for &(text, expected) in cases {
        assert_eq!(verdict(text), expected, "{text}");
        let structured = parse_structured(text).unwrap();
        let slow = literal::check(&Graph::of(&structured));
        assert_eq!(
            slow.is_ok(),
            expected == "valid",
            "the twin reports {slow:?}\n{text}"
        );
    }
}

#[test]
fn each_rule_of_selections_has_a_graph_that_breaks_it() {
    check_verdicts(&[
        ("a: b c | merge d\nb: d\nc: d\nd: ret", "valid"),
        (
            "a: b c\nb: d\nc: d\nd: ret",
            "b0 has a conditional branch without a merge instruction, and neither target is an exit",
        ),
        (
            "a: b b | merge b\nb: ret",
            "b0 has a conditional branch with b1 as both targets",
        ),
        (
            "a: b c | merge c\nb: d\nd: a\nc: ret",
            "b2 branches to the entry b0",
        ),
        (
            "a: b\nb: c | merge c\nc: ret",
            "b1 has a merge instruction that its terminator does not allow",
        ),
        (
            "a: switch b c\nb: ret\nc: ret",
            "b0 has a switch without a merge instruction",
        ),
        (
            "a: b d | merge d\nb: c d | merge d\nc: d\nd: ret",
            "b1 names the merge block of b0 as its own",
        ),
        (
            "a: b c | merge d\nb: c\nc: ret\nd: ret\ne: ret",
            "b4 is not structurally reachable",
        ),
        ("a: c b | merge d\nd: ret\nb: d\nc: d", "valid"),
        (
            "a: b c | merge c\nb: e d | merge d\nd: c\nc: ret\ne: d",
            "valid",
        ),
        (
            "a: b c | merge c\nb: e c | merge d\nd: c\nc: ret\ne: d",
            "b1 leaves its construct to b3, which is not a legal exit",
        ),
    ]);
}

#[test]
fn each_rule_of_loops_has_a_graph_that_breaks_it() {
    check_verdicts(&[
        ("a: l\nl: b m | loop m k\nb: k\nk: l\nm: ret", "valid"),
        ("a: l\nl: l m | loop m l\nm: ret", "valid"),
        ("a: l\nl: b | loop m k\nb: k m\nk: l m\nm: ret", "valid"),
        (
            "a: l\nl: b m\nb: l\nm: ret",
            "b2 has a back edge to b1, which is not a loop header",
        ),
        (
            "a: l\nl: b m | loop m k\nb: k l\nk: l\nm: ret",
            "b2 has a back edge to b1, but is not directly in its continue construct",
        ),
        (
            "a: l\nl: b | loop m k\nb: m\nk: ret\nm: ret",
            "b1 is a loop header without a back edge",
        ),
        (
            "a: l\nl: b | loop m k\nb: k\nk: c m\nc: l\nm: ret",
            "b3 leaves its construct to b5, which is not a legal exit",
        ),
        (
            "a: l\nl: b | loop m k\nb: k\nk: c d | merge e\nc: ret\nd: e\ne: l\nm: ret",
            "b4 ends the function inside the continue construct of b1",
        ),
        (
            "a: l\nl: b | loop m m\nb: m\nm: l",
            "b1 has b3 as both merge block and continue target",
        ),
        (
            "a: l\nl: b m | loop m l\nb: l\nm: ret",
            "b1 is its own continue target, but its back edge comes from b2",
        ),
        (
            "a: l\nl: o | loop m k\no: p n | loop n q\np: k q\nq: o\nn: k\nk: l\nm: ret",
            "b3 branches to the continue target b6 from outside the loop construct",
        ),
    ]);
}

#[test]
fn each_rule_of_switches_has_a_graph_that_breaks_it() {
    check_verdicts(&[
        (
            "a: switch d b c | merge m\nb: c\nc: m\nd: m\nm: ret",
            "valid",
        ),
        (
            "a: switch d c b | merge m\nb: c\nc: m\nd: m\nm: ret",
            "the case b1 is not immediately before b2, to which it falls through",
        ),
        (
            "a: switch m b c b | merge m\nb: m\nc: m\nm: ret",
            "b0 has labels with the target b1 that are not adjacent",
        ),
        (
            "a: switch m b c d | merge m\nb: c d\nc: m\nd: m\nm: ret",
            "the case b1 branches to b3 and to another case",
        ),
        (
            "a: switch d b c | merge m\nb: d\nc: d\nd: m\nm: ret",
            "the case b2 and another case branch to the case b3",
        ),
        (
            "a: switch b c | merge m\nb: switch m d | merge n\nd: n\nn: m\nc: m\nm: ret",
            "b1 does not structurally dominate its case target b5",
        ),
        // A nested switch to the merge block of the outer one (SPIRV-Tools#6383).
        (
            "a: switch m b | merge m\nb: switch n d | merge n\nd: m\nn: m\nm: ret",
            "b2 leaves its construct to b4, which is not a legal exit",
        ),
        // Out of a switch to the loop's merge block and continue target.
        (
            "a: l\nl: s | loop m k\ns: switch n b c | merge n\nb: m\nc: k\nn: k\nk: l\nm: ret",
            "valid",
        ),
        // Out of a loop to the merge block of the switch around.
        (
            "a: switch m b | merge m\nb: l\nl: c n | loop n k\nc: m k\nk: l\nn: m\nm: ret",
            "b3 leaves its construct to b6, which is not a legal exit",
        ),
    ]);
}

#[test]
fn each_rule_of_ssa_has_a_function_that_breaks_it() {
    let cases = [
        (
            "a: b c | merge d\nb:\n %x:3 = op 1\n br d\nc: d\nd:\n op 2 %x\n ret",
            "b3 uses v1, whose definition does not dominate the use",
        ),
        // Branch edges alone count for uses: nothing else reaches d.
        (
            "a: b c | merge d\nb:\n %x:3 = op 1\n br d\nc: kill\nd:\n op 2 %x\n ret",
            "valid",
        ),
        (
            "a:\n op 1 %x\n %x:3 = op 2\n ret",
            "b0 uses v0, whose definition does not dominate the use",
        ),
        (
            "%c = const 1 : 3\na: b\nb:\n %p = phi : 3\n ret",
            "v1 in b1 has 0 operands for 1 predecessors",
        ),
        (
            "%c = const 1 : 3\na: b\nb:\n %p = phi : 3 [a %c] [b %c]\n ret",
            "v1 in b1 has an operand for b1, which is not a predecessor or has another",
        ),
        (
            "%c = const 1 : 3\na: b\nb:\n %p = phi : 3 [a %c] [a %c]\n ret",
            "v1 in b1 has an operand for b0, which is not a predecessor or has another",
        ),
        (
            "%c = const 1 : 4\na: b\nb:\n %p = phi : 3 [a %c]\n ret",
            "b1 uses v0 with a wrong type",
        ),
        (
            "%u = undef : sel\na: b\nb:\n %p = phi : sel [a %u]\n ret",
            "the selector phi v1 in b1 has an undefined operand",
        ),
        (
            "%c = const 1 : 3\na:\n %t = test le %c 1\n ret",
            "b0 uses v0 with a wrong type",
        ),
        (
            "a: b\nb: break c b\nc: ret",
            "b1 still ends in a break branch",
        ),
        (
            "a: switch c 1=b 1=c | merge c\nb: c\nc: ret",
            "the switch in b0 has the literal 1 twice",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(verdict(text), expected, "{text}");
    }
}

#[test]
fn the_order_names_each_block_once_and_dominators_first() {
    let block = Block::from_u32;
    let mut structured = parse_structured("a: b c | merge d\nb: d\nc: d\nd: ret").unwrap();
    structured.order = vec![block(0), block(3), block(2), block(1)];
    assert_eq!(verify(&structured), Ok(()));
    let cases = [
        (vec![1, 0, 2, 3], "b1 is not structurally reachable"),
        (vec![0, 1, 2, 1, 3], "b1 is in the block order twice"),
        (
            vec![0, 1, 2],
            "b0 names b3, which is not in the block order",
        ),
        (
            vec![0, 1, 2, 3, 9],
            "the block order names b9, which does not exist",
        ),
        (vec![], "the function has no blocks"),
    ];
    for (order, expected) in cases {
        structured.order = order.into_iter().map(block).collect();
        let error = verify(&structured).unwrap_err().to_string();
        assert!(
            error == expected || expected.contains("reachable") && error.contains("b0"),
            "{error}"
        );
    }
}

fn mutate(graph: &mut Graph, rng: &mut Rng) {
    let n = graph.ends.len();
    let at = rng.below(n);
    // Mostly close by, where the cases are difficult.
    let near = |rng: &mut Rng| {
        let position = if rng.chance(70) {
            (at + rng.below(9)).saturating_sub(4)
        } else {
            rng.below(n)
        };
        Position::from_u32(position.min(n - 1) as u32)
    };
    let to = near(rng);
    match rng.below(10) {
        0..=4 => {
            let count = graph.successors[at].len();
            if count > 0 {
                graph.successors[at][rng.below(count)] = to;
            }
        }
        5 => {
            graph.merges[at] = match graph.merges[at] {
                BlockMerge::None => BlockMerge::Selection { merge: to },
                BlockMerge::Selection { .. } => BlockMerge::Selection { merge: to },
                BlockMerge::Loop {
                    merge,
                    continue_target,
                } if rng.chance(50) => BlockMerge::Loop {
                    merge: to,
                    continue_target: if merge == to { merge } else { continue_target },
                },
                BlockMerge::Loop { merge, .. } => BlockMerge::Loop {
                    merge,
                    continue_target: to,
                },
            };
        }
        6 => graph.merges[at] = BlockMerge::None,
        7 => {
            graph.ends[at] = BlockEnd::Branch;
            graph.successors[at] = vec![to];
            if let BlockMerge::Selection { .. } = graph.merges[at] {
                graph.merges[at] = BlockMerge::None;
            }
        }
        8 => {
            graph.ends[at] = BlockEnd::Conditional;
            let other = near(rng);
            graph.successors[at].truncate(1);
            graph.successors[at].extend([to, other]);
            graph.successors[at].truncate(2);
        }
        _ => {
            graph.ends[at] = BlockEnd::Exit;
            graph.successors[at].clear();
            graph.merges[at] = BlockMerge::None;
        }
    }
}

/// Compares the verifier and its twin on a graph; gives whether it is valid.
fn compare(graph: &Graph, target: Target) -> bool {
    let fast = verify_cfg_for(&graph.to_cfg(), target);
    let slow = literal::check_for(graph, target);
    assert_eq!(
        fast.is_ok(),
        slow.is_ok(),
        "the verifier reports {fast:?}, the twin {slow:?} for {target:?}\n{}",
        show(graph)
    );
    fast.is_ok()
}

fn show(graph: &Graph) -> String {
    let line = |block: usize| {
        format!(
            "{block}: {:?} {:?} {:?}\n",
            graph.ends[block], graph.successors[block], graph.merges[block]
        )
    };
    (0..graph.ends.len()).map(line).collect()
}

/// Other rules of some targets than jumps; SPIR-V has neither.
#[test]
fn rules_of_targets_have_a_function_that_breaks_them() {
    let two_returns = "a: b c | merge d\nb: ret\nc: ret\nd: unreachable";
    let continue_part = "a: h\nh: l e | loop e l\nl: h\ne: ret";
    let single_return = Target::SPIRV.with_single_return(true);
    for (text, target, expected) in [
        (
            two_returns,
            single_return,
            "b2 returns, and so does another block",
        ),
        (
            continue_part,
            Target::C,
            "the continue target b2 has instructions",
        ),
        (
            "a: h\nh: b l | loop e l\nb: l e\nl: h\ne: ret",
            Target::SPIRV.with_branch_merges(true),
            "b2 has a conditional branch without a merge instruction",
        ),
        (
            "a: b\nb: b c | loop c b\nc: c d | loop d c\nd: ret",
            Target::SPIRV.with_branch_merges(true),
            "b2 is a loop header, and the merge block of b1",
        ),
    ] {
        let mut structured = parse_structured(text).unwrap();
        structured
            .func
            .append_inst(Block::from_u32(2), 0, Effects::NONE, &[], &[]);
        assert_eq!(verify(&structured), Ok(()));
        structured.target = target;
        assert_eq!(verify(&structured).unwrap_err().to_string(), expected);
    }
}

#[test]
fn the_verifier_agrees_with_its_slow_twin() {
    let mut valid = 0;
    let mut all = 0;
    for seed in 0..900 {
        let func = random_function(seed, 12);
        let target = Target::PROFILES[seed as usize % Target::PROFILES.len()].1;
        let target = target.with_branch_merges(seed % 3 == 0);
        let options = Options::default().with_target(target);
        let structured = match structurize(func.clone(), &options) {
            Ok(structured) if seed % 4 != 0 => structured,
            _ if !target.continue_parts => continue,
            _ => switch_loop::structurize(&func),
        };
        let graph = Graph::of(&structured);
        if graph.ends.len() > 60 {
            continue;
        }
        assert!(compare(&graph, target));
        let mut rng = Rng::new(seed);
        for _ in 0..40 {
            let mut mutant = graph.clone();
            for _ in 0..=rng.below(2) {
                mutate(&mut mutant, &mut rng);
            }
            all += 1;
            valid += usize::from(compare(&mutant, target));
        }
    }
    println!("{valid} of {all} mutants are valid");
    assert!(
        valid * 50 > all && all > 10000,
        "{valid} of {all}: the test is too weak"
    );
}
