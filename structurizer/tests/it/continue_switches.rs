//! [`Options::max_continue_switches`]: no `continue` of a result leaves more switches than it
//! permits, as seen in the blocks of the result alone.

use structurizer_testkit::generate::{Family, random_function};
use trellis_structurizer::ir::{Block, Function, Terminator};
use trellis_structurizer::text::{parse, print_structured};
use trellis_structurizer::{Merge, Options, Structured, structurize};

fn structured(func: &Function, max_continue_switches: u32) -> Structured {
    let mut options = Options::default();
    options.max_continue_switches = max_continue_switches;
    structurize(func.clone(), &options).unwrap()
}

/// Returns the most switches that one branch to the continue target of its innermost loop leaves.
fn most_switches_left(result: &Structured) -> usize {
    // Constructs are contiguous in the order, so a stack holds those around a block. A loop's
    // continue construct is part of it until the merge block.
    let mut around: Vec<(Block, Merge)> = Vec::new();
    let mut most = 0;
    for &block in &result.order {
        let ends_here = |&(_, merge): &(Block, Merge)| matches!(merge, Merge::Selection { merge, .. } | Merge::Loop { merge, .. } if merge == block);
        while around.last().is_some_and(ends_here) {
            around.pop();
        }
        if result.merges[block] != Merge::None {
            around.push((block, result.merges[block]));
        }
        let innermost = around
            .iter()
            .rposition(|(_, merge)| matches!(merge, Merge::Loop { .. }));
        let Some((
            at,
            Merge::Loop {
                continue_target, ..
            },
        )) = innermost.map(|at| (at, around[at].1))
        else {
            continue;
        };
        if result
            .func
            .successors(block)
            .any(|to| to == continue_target)
        {
            let is_switch = |(header, _): &&(Block, Merge)| {
                matches!(
                    result.func.terminator(*header),
                    Some(Terminator::Switch { .. })
                )
            };
            most = most.max(around[at + 1..].iter().filter(is_switch).count());
        }
    }
    most
}

#[test]
fn no_continue_leaves_more_switches_than_it_may() {
    let mut unlimited = [0; 2];
    let graphs = (1..4000).map(|seed| {
        (
            format!("seed {seed}"),
            random_function(seed, 6 + seed as usize % 40),
        )
    });
    let families = Family::ALL
        .into_iter()
        .flat_map(|family| [3, 9].map(|n| (format!("{family:?} of {n}"), family.function(n))));
    for (name, func) in graphs.chain(families) {
        for (limit, unlimited) in (0..).zip(&mut unlimited) {
            let result = structured(&func, limit);
            let most = most_switches_left(&result);
            assert!(
                most <= limit as usize,
                "{name}: {most} with a limit of {limit}\n{}",
                print_structured(&result)
            );
            *unlimited +=
                usize::from(most_switches_left(&structured(&func, u32::MAX)) > limit as usize);
        }
    }
    // Without the limit they would, or this tests nothing.
    assert!(
        unlimited.iter().all(|&count| count > 20),
        "{unlimited:?} graphs"
    );
}

/// A loop with a switch in a switch, each with a break, and a way from the inner one to the next
/// turn.
const NESTED: &str = "
entry: head
head: outer exit
outer: switch b 0=a 1=inner
a: after
b: after
inner: switch c 0=turn 1=within
c: next
within: next turn
next: after
after: turn
turn: head
exit: ret
";

#[test]
fn the_default_is_no_limit() {
    let func = parse(NESTED).unwrap();
    assert_eq!(Options::default().max_continue_switches, u32::MAX);
    let most = |limit| most_switches_left(&structured(&func, limit));
    assert_eq!([u32::MAX, 2, 1, 0].map(most), [2, 2, 1, 0]);
}
