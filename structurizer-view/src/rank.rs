//! Rows: each node gets one, so that control flows downwards but for back edges.

use trellis_entity::{EntitySet, PrimaryMap};
use trellis_structurizer::Header;

use crate::figure::{Figure, Node};

/// The nodes after each node.
type Below = PrimaryMap<Node, Vec<Node>>;

/// Returns the row of each node, from 0: the longest path from the entry, over all edges but those
/// that close a cycle. Nodes after a loop are below its continue target.
pub(crate) fn rows(figure: &Figure) -> PrimaryMap<Node, usize> {
    // Flow first, so that a walk meets the cycles that the program has.
    let mut below = Below::with_len(figure.nodes.len());
    for edge in &figure.edges {
        below[edge.from].push(edge.to);
    }
    for node in figure.nodes.values() {
        if let Header::Loop {
            merge: Some(merge),
            continue_target: Some(target),
        } = node.header
        {
            let (merge, target) = (Node::from_u32(merge), Node::from_u32(target));
            if figure.nodes.is_valid(merge) && figure.nodes.is_valid(target) {
                below[target].push(merge);
            }
        }
    }
    let (order, finished) = finishing_order(&below);
    let goes_down = |from: Node, to: Node| finished[from] > finished[to];
    let mut row = PrimaryMap::filled(0, below.len());
    for &node in order.iter().rev() {
        for &to in &below[node] {
            if goes_down(node, to) {
                row[to] = row[to].max(row[node] + 1);
            }
        }
    }
    settle(&order, &below, &goes_down, &mut row);
    row
}

/// Returns the nodes in the postorder of a depth-first walk, and the position of each in it. The
/// walk starts at the entry, then at each node that it has not visited.
fn finishing_order(below: &Below) -> (Vec<Node>, PrimaryMap<Node, usize>) {
    let mut order = Vec::with_capacity(below.len());
    let mut place = PrimaryMap::filled(0, below.len());
    let mut seen = EntitySet::new();
    let mut stack: Vec<(Node, usize)> = Vec::new();
    for start in below.keys() {
        if !seen.insert(start) {
            continue;
        }
        stack.push((start, 0));
        while let Some((node, next)) = stack.last_mut() {
            if let Some(&to) = below[*node].get(*next) {
                *next += 1;
                if seen.insert(to) {
                    stack.push((to, 0));
                }
            } else {
                place[*node] = order.len();
                order.push(*node);
                stack.pop();
            }
        }
    }
    (order, place)
}

/// Moves nodes with more outgoing than incoming edges down, as far as those allow: their edges get
/// shorter.
fn settle(
    order: &[Node],
    below: &Below,
    goes_down: &dyn Fn(Node, Node) -> bool,
    row: &mut PrimaryMap<Node, usize>,
) {
    let mut ways_in = PrimaryMap::filled(0, below.len());
    for (from, targets) in below.iter() {
        for &to in targets.iter().filter(|&&to| goes_down(from, to)) {
            ways_in[to] += 1;
        }
    }
    for &node in order {
        let targets = below[node].iter().filter(|&&to| goes_down(node, to));
        let (ways_out, nearest) = (targets.clone().count(), targets.map(|&to| row[to]).min());
        if let Some(nearest) = nearest
            && ways_in[node] > 0
            && ways_out > ways_in[node]
        {
            row[node] = row[node].max(nearest.saturating_sub(1));
        }
    }
}
