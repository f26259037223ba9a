//! Stage 3, interleaved breaks: block constructs, from which lanes leave forwards without a
//! selector.
//!
//! `if (a) { if (b) { x; goto end; } y; } z; end:` has a join (`z`) that some lanes must pass by.
//! Without more they would carry a selector to it and test it there. A *block construct* spans from
//! the branch to what they head for: a switch with a default case only, whose merge block is `end`
//! and whose break is legal from any selection inside. This is what becomes of returns from inlined
//! functions, of breaks out of unrolled loops and of a switch that a compiler turned into a branch.
//!
//! A block construct hides the merge block of a switch (or block construct) around it, so it is
//! made only where no lane inside breaks to that one.

use rustc_hash::FxHashMap;

use crate::canonicalize::{Graph, Node};
use crate::construct::layout::{Intervals, Layout, Role, live_edges};
use crate::construct::placement::Placement;
use crate::graph::NONE;
use crate::ir::Function;

/// An edge that cannot go to its target directly: the node whose construct it leaves last, and the
/// target, an item of some node around.
struct Escape {
    from: Node,
    to: Node,
}

/// Sums over intervals of the placement tree's preorder (Fenwick, "A new data structure for
/// cumulative frequency tables", 1994).
struct Sums(Vec<i32>);

impl Sums {
    fn add(&mut self, at: u32, amount: i32) {
        let mut i = at as usize + 1;
        while i < self.0.len() {
            self.0[i] += amount;
            i += i & i.wrapping_neg();
        }
    }
    fn below(&self, end: u32) -> i32 {
        let (mut i, mut sum) = (end as usize, 0);
        while i > 0 {
            sum += self.0[i];
            i &= i - 1;
        }
        sum
    }
}

/// Chooses the block constructs: for each node that gets one the item that its merge block leads
/// to, else [`NONE`]. Empty if there is none.
pub(crate) fn choose(
    func: &Function,
    graph: &Graph,
    placement: &Placement,
    layout: &Layout,
    tree: &Intervals,
    collected: &FxHashMap<Node, Node>,
) -> Vec<Node> {
    let follow = follows(graph, placement, layout);
    let mut breaks = Sums(vec![0; graph.len() + 1]);
    let mut escapes = find_escapes(func, graph, placement, layout, tree, &follow, &mut breaks);
    if escapes.is_empty() && collected.is_empty() {
        return Vec::new();
    }
    // By the node whose items they head for, outer nodes first; of its targets the one that most
    // head for.
    let number = |n: Node| graph.dfs.rpo_number[n as usize];
    escapes.sort_by_key(|e| (number(placement.parent[e.to as usize]), number(e.to)));
    let mut merge = vec![NONE; graph.len()];
    let mut any = false;
    // Places that were brought together have their construct before all others.
    for head in graph
        .dfs
        .rpo
        .iter()
        .copied()
        .filter(|head| collected.contains_key(head))
    {
        let first = collected[&head];
        let behind = || {
            placement
                .children(head, false)
                .filter(|&c| layout.role[c as usize] == Role::Item && number(c) >= number(first))
        };
        if !hides_breaks(&breaks, tree, head, behind()) {
            merge[head as usize] = first;
            any = true;
            for &from in behind()
                .flat_map(|c| graph.cfg.preds(c))
                .filter(|&&p| tree.contains(head, p))
            {
                breaks.add(tree.enter[from as usize], 1);
                breaks.add(tree.enter[head as usize], -1);
            }
        }
    }
    for group in
        escapes.chunk_by(|a, b| placement.parent[a.to as usize] == placement.parent[b.to as usize])
    {
        let head = placement.parent[group[0].to as usize];
        if merge[head as usize] != NONE
            || layout.switch_frame[head as usize] != NONE
            || live_edges(func, graph, head) != 2
        {
            continue;
        }
        // Several targets that several lanes each head for: all are collected before the first, and
        // dispatched there by one selector.
        let targets = || group.chunk_by(|a, b| a.to == b.to);
        let is_shared = |same: &&[Escape]| same.len() > 1;
        let collect = targets()
            .filter(is_shared)
            .nth(1)
            .and_then(|_| targets().find(is_shared));
        let Some(best) = collect.or_else(|| targets().max_by_key(|same| same.len())) else {
            continue;
        };
        let first = best[0].to;
        let behind = placement
            .children(head, false)
            .filter(|&c| layout.role[c as usize] == Role::Item && number(c) >= number(first));
        if hides_breaks(&breaks, tree, head, behind) {
            continue;
        }
        let at = tree.enter[head as usize];
        merge[head as usize] = first;
        any = true;
        // What breaks out of this construct must not be hidden by another one inside it.
        for escape in group.iter().filter(|e| number(e.to) >= number(first)) {
            breaks.add(tree.enter[escape.from as usize], 1);
            breaks.add(at, -1);
        }
    }
    if any { merge } else { Vec::new() }
}

/// Whether a block construct at a node would hide a merge block that something inside breaks to.
/// Breaks of what stands behind the construct are not hidden by it.
fn hides_breaks(
    breaks: &Sums,
    tree: &Intervals,
    head: Node,
    behind: impl Iterator<Item = Node>,
) -> bool {
    let inside = |node: Node| {
        breaks.below(tree.enter[node as usize] + tree.size[node as usize])
            - breaks.below(tree.enter[node as usize])
    };
    inside(head) != behind.map(inside).sum::<i32>()
}

/// What stands after each node.
struct Follows {
    /// Where control falls out of the node's construct; [`NONE`] for a continue target or the end
    /// of the function.
    after: Vec<Node>,
    /// Where it goes after the node's own branch or switch.
    after_branch: Vec<Node>,
    /// Where it goes after the loop that the node heads.
    after_loop: Vec<Node>,
}

fn follows(graph: &Graph, placement: &Placement, layout: &Layout) -> Follows {
    let role = |node: Node| layout.role[node as usize];
    let mut f = Follows {
        after: vec![NONE; graph.len()],
        after_branch: vec![NONE; graph.len()],
        after_loop: vec![NONE; graph.len()],
    };
    for &w in &graph.dfs.rpo {
        // Within this node's own construct: its items one after the other, then what stands after
        // it or, in a loop, the continue target.
        let own = graph.loops.of[w as usize];
        let heads = own != NONE && graph.loops.headers[own as usize] == w;
        let last = if heads { NONE } else { f.after[w as usize] };
        f.after_branch[w as usize] = chain(
            &mut f.after,
            placement
                .children(w, false)
                .filter(|&c| role(c) == Role::Item),
            last,
        );
        for arm in placement
            .children(w, false)
            .filter(|&c| role(c) == Role::Arm)
        {
            f.after[arm as usize] = match layout.falls_into[arm as usize] {
                NONE => f.after_branch[w as usize],
                next => next,
            };
        }
        if heads {
            let last = f.after[w as usize];
            f.after_loop[w as usize] = chain(
                &mut f.after,
                placement
                    .children(w, true)
                    .filter(|&c| role(c) == Role::After),
                last,
            );
        }
    }
    f
}

/// Each of these nodes follows the one before; gives the first, or `last` if there is none.
fn chain(after: &mut [Node], nodes: impl Iterator<Item = Node>, last: Node) -> Node {
    let (mut first, mut before) = (last, NONE);
    for node in nodes {
        if before == NONE {
            first = node;
        } else {
            after[before as usize] = node;
        }
        after[node as usize] = last;
        before = node;
    }
    first
}

/// The edges that need a selector. `breaks` counts for each node the edges below it that break out
/// of the innermost switch around that node.
fn find_escapes(
    func: &Function,
    graph: &Graph,
    placement: &Placement,
    layout: &Layout,
    tree: &Intervals,
    follow: &Follows,
    breaks: &mut Sums,
) -> Vec<Escape> {
    let mut escapes = Vec::new();
    for &u in &graph.dfs.rpo {
        for edge in &graph.edges(u)[..live_edges(func, graph, u)] {
            let to = edge.to;
            let is_arm =
                layout.role[to as usize] == Role::Arm && placement.parent[to as usize] == u;
            if is_arm || Layout::continues(graph, placement, u, to).is_some() {
                continue;
            }
            let (inner, frame) = (layout.body_frame(graph, u), layout.seq_frame(to));
            let left = layout.outermost_left(inner, frame);
            let from = left.map_or(u, |f| layout.frames[f as usize].head);
            let frames = &layout.frames;
            if left.is_some_and(|f| {
                frames[f as usize].loop_ == NONE
                    && frames[f as usize].loop_frame == frames[inner as usize].loop_frame
            }) {
                // It leaves switches only: the outermost one's merge block must stay in reach.
                breaks.add(tree.enter[u as usize], 1);
                breaks.add(tree.enter[from as usize], -1);
            }
            let falls_to = match left {
                Some(f) if layout.frames[f as usize].loop_ != NONE => {
                    follow.after_loop[from as usize]
                }
                _ => follow.after_branch[from as usize],
            };
            // Lanes that leave a switch for what follows its items meet others at its merge block
            // and are told apart there anyway: to pass the items by costs no more.
            let is_next = left.is_some_and(|f| frames[f as usize].loop_ == NONE)
                && follow.after[from as usize] == to;
            if falls_to != to
                && !is_next
                && layout.role[to as usize] == Role::Item
                && tree.contains(placement.parent[to as usize], from)
            {
                escapes.push(Escape { from, to });
            }
        }
    }
    escapes
}
