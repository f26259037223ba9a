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
