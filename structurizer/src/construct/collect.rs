//! Stage 3, interleaved breaks in numbers: places that many lanes break to from every depth are
//! brought together.
//!
//! An unrolled loop with several breaks is a long chain of branches, each with a way to one of a
//! few places that all of them share. Each place stands where its first break leaves it, one inside
//! the other, so every break to an outer one passes the inner ones by and the nesting is as deep as
//! the chain is long. Here such places move out to the outermost of the branches that they hang on.
//! One block construct spans the chain from there, which becomes flat: each break goes to its merge
//! block, and behind that one selector decides between the places.
//!
//! A place may stand with any of its dominators, as long as what control comes to behind it moves
//! along: the order of reverse post-order among siblings keeps every forward edge going forward.

use rustc_hash::FxHashMap;

use crate::canonicalize::{Graph, Node};
use crate::construct::layout::{Intervals, Layout, Role, is_switch, live_edges};
use crate::construct::placement::Placement;
use crate::graph::NONE;
use crate::ir::Function;

/// How many branches have to lead to a place. Below that, nesting is what a person would have
/// written; and a compiler that knows breaks out of loops only (Mesa's) nests what follows a break
/// out of a switch, so that flat is no better for it.
const MANY: usize = 64;
/// How far out a place moves.
const MAX_LEVELS: usize = 64;
/// How often the predecessors of one place are counted.
const MAX_COUNTS: u32 = 4;

/// Moves places that are shared and interleaved to the outermost branch that they hang on. Gives
/// for each such branch the first place behind it.
pub(crate) fn collect(
    func: &Function,
    graph: &Graph,
    placement: &mut Placement,
    layout: &Layout,
    tree: &Intervals,
) -> FxHashMap<Node, Node> {
    let is_shared = |placement: &Placement, node: Node| {
        layout.role[node as usize] == Role::Item
            && placement.parent[node as usize] != NONE
            && graph.forward_preds[node as usize] as usize >= MANY
    };
    let mut first = FxHashMap::default();
    let mut counts: FxHashMap<Node, u32> = FxHashMap::default();
    let shared: Vec<Node> = graph
        .dfs
        .rpo
        .iter()
        .copied()
        .filter(|&node| is_shared(placement, node))
        .collect();
    if shared.len() < 2 {
        return first;
    }
    let mut budget = graph.len() * 8;
    for &place in &shared {
        let inner = placement.parent[place as usize];
        let mut path = Vec::new();
        let mut outermost = None;
        let mut at = inner;
        while path.len() < MAX_LEVELS && is_plain_arm(func, graph, placement, layout, at) {
            path.push(at);
            at = placement.parent[at as usize];
            let Some(left) = budget.checked_sub(1 + placement.children(at, false).count()) else {
                return first;
            };
            budget = left;
            let interleaves = |other: Node| {
                let count = counts.entry(other).or_default();
                *count += 1;
                let from_inside = |&&p: &&Node| tree.contains(inner, p);
                *count <= MAX_COUNTS
                    && graph.cfg.preds(other).iter().filter(from_inside).count() >= MANY
            };
            if is_two_way(func, graph, at)
                && placement
                    .children(at, false)
                    .filter(|&c| is_shared(placement, c))
                    .any(interleaves)
            {
                outermost = Some(path.len());
            }
        }
        let Some(outermost) = outermost else { continue };
        let to = placement.parent[path[outermost - 1] as usize];
        // The lists of children are written again: what that costs is bounded, too.
        let children = path[..outermost]
            .iter()
            .chain([&to])
            .map(|&node| placement.children(node, false).count())
            .sum::<usize>();
        let Some(left) = budget.checked_sub(children) else {
            return first;
        };
        budget = left;
        move_out(graph, placement, layout, &path[..outermost], place, to);
        let number = |n: Node| graph.dfs.rpo_number[n as usize];
        let earliest = first.entry(to).or_insert(place);
        for c in placement.children(to, false).filter(|&c| {
            layout.role[c as usize] == Role::Item
                && graph.forward_preds[c as usize] as usize >= MANY
        }) {
            if number(c) < number(*earliest) {
                *earliest = c;
            }
        }
    }
    first
}

/// Whether a node is an arm of a branch, and neither a loop nor a switch begins at it.
fn is_plain_arm(
    func: &Function,
    graph: &Graph,
    placement: &Placement,
    layout: &Layout,
    node: Node,
) -> bool {
    let own = graph.loops.of[node as usize];
    let heads = own != NONE && graph.loops.headers[own as usize] == node;
    let parent = placement.parent[node as usize];
    !heads
        && parent != NONE
        && layout.role[node as usize] == Role::Arm
        && is_two_way(func, graph, node)
        && !is_switch(func, graph, parent)
}

fn is_two_way(func: &Function, graph: &Graph, node: Node) -> bool {
    !is_switch(func, graph, node) && live_edges(func, graph, node) == 2
}

/// Makes a place, and all items of the nodes on its way out that come behind it, items of a node
/// further out.
fn move_out(
    graph: &Graph,
    placement: &mut Placement,
    layout: &Layout,
    path: &[Node],
    place: Node,
    to: Node,
) {
    let number = |n: Node| graph.dfs.rpo_number[n as usize];
    let mut moved: Vec<Node> = Vec::new();
    for &node in path {
        let goes = |&c: &Node| layout.role[c as usize] == Role::Item && number(c) >= number(place);
        let (go, stay): (Vec<Node>, Vec<Node>) = placement.children(node, false).partition(goes);
        placement.set_children(node, &stay);
        moved.extend(go);
    }
    let mut all: Vec<Node> = placement
        .children(to, false)
        .chain(moved.iter().copied())
        .collect();
    all.sort_unstable_by_key(|&c| number(c));
    placement.set_children(to, &all);
}

#[cfg(test)]
mod tests {
    use crate::ir::{Effects, Function, SelectionHint, Terminator, Type};
    use crate::{Options, Stage, Stages, Tree, structurize};

    /// A loop unrolled so many times with two breaks, to places of their own that lead to one end.
    fn unrolled(turns: usize) -> Function {
        chain(turns * 2, 2)
    }

    /// A chain of so many conditional breaks, to several places in turn that lead to one end.
    fn chain(breaks: usize, places: usize) -> Function {
        let mut func = Function::new();
        let entry = func.add_block();
        let tests: Vec<_> = (0..breaks).map(|_| func.add_block()).collect();
        let places: Vec<_> = (0..places).map(|_| func.add_block()).collect();
        let end = func.add_block();
        func.set_terminator(entry, Terminator::Branch(tests[0]));
        for (i, &block) in tests.iter().enumerate() {
            let inst = func.append_inst(block, i as u32, Effects::SIDE_EFFECT, &[], &[Type(1)]);
            let cond = func.results(inst).next().unwrap();
            let next = tests.get(i + 1).copied().unwrap_or(end);
            func.set_terminator(
                block,
                Terminator::CondBranch {
                    cond,
                    then: places[i % places.len()],
                    else_: next,
                    hint: SelectionHint::None,
                },
            );
        }
        for (i, block) in places.into_iter().chain([end]).enumerate() {
            func.append_inst(block, 1_000_000 + i as u32, Effects::SIDE_EFFECT, &[], &[]);
            func.set_terminator(
                block,
                if block == end {
                    Terminator::Return(None)
                } else {
                    Terminator::Branch(end)
                },
            );
        }
        func
    }

    fn depth(func: Function, options: &Options) -> (usize, u32) {
        let result = structurize(func, options).unwrap();
        let text = Tree::of(&result).to_string();
        (
            text.lines()
                .map(|line| (line.len() - line.trim_start().len()) / 4)
                .max()
                .unwrap(),
            result.report.selectors,
        )
    }

    #[test]
    fn many_breaks_are_flat_and_few_nest() {
        let options = Options::default();
        let (flat, selectors) = depth(unrolled(100), &options);
        assert!(
            flat <= 3 && selectors <= 2,
            "{flat} levels, {selectors} selectors"
        );
        let (nested, _) = depth(unrolled(12), &options);
        assert!(nested > 6, "{nested} levels");
        let without = Options {
            stages: Stages::ALL.without(Stage::InterleavedBreaks),
            ..Options::default()
        };
        let (nested, _) = depth(unrolled(100), &without);
        assert!(nested > 20, "{nested} levels");
    }

    #[test]
    fn traces_stay_what_they_are() {
        for turns in [64, 70, 90] {
            let checks = crate::check::Checks {
                runs: 20,
                ..crate::check::Checks::default()
            };
            crate::check::check_function(&unrolled(turns), &checks)
                .unwrap_or_else(|error| panic!("{turns} turns: {error}"));
        }
    }

    /// Many places in each other: the work of bringing them together is bounded.
    #[test]
    fn many_places() {
        let checks = crate::check::Checks {
            runs: 2,
            ..crate::check::Checks::default()
        };
        crate::check::check_function(&chain(64 * 150, 150), &checks).unwrap();
    }
}
