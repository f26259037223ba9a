//! Rows: each node gets one, so that control flows downwards but for back edges.

use crate::figure::{EdgeKind, Figure};
use trellis_structurizer::Header;

/// Rows of a figure.
pub(crate) struct Ranks {
    /// The row of each node, from 0.
    pub(crate) row: Vec<u32>,
    /// True if an edge points upwards (or to its own node), by index.
    pub(crate) upward: Vec<bool>,
}

/// Returns the longest path from the entry, over all edges but those that close a cycle. What comes
/// after a loop is below its continue target.
pub(crate) fn ranks(figure: &Figure) -> Ranks {
    let count = figure.nodes.len();
    // Flow first, so that a walk meets the cycles that the program has.
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); count];
    for edge in &figure.edges {
        below[edge.from as usize].push(edge.to);
    }
    for node in &figure.nodes {
        if let Header::Loop {
            merge: Some(merge),
            continue_target: Some(target),
        } = node.header
            && (target as usize) < count
            && (merge as usize) < count
        {
            below[target as usize].push(merge);
        }
    }
    let (order, finished) = finishing_order(&below);
    let goes_down = |from: u32, to: u32| finished[from as usize] > finished[to as usize];
    let mut row = vec![0; count];
    for &node in order.iter().rev() {
        for &to in &below[node as usize] {
            if goes_down(node, to) {
                row[to as usize] = row[to as usize].max(row[node as usize] + 1);
            }
        }
    }
    settle(&order, &below, &goes_down, &mut row);
    let upward = figure
        .edges
        .iter()
        .map(|e| row[e.from as usize] >= row[e.to as usize])
        .collect();
    debug_assert!(
        figure
            .edges
            .iter()
            .all(|e| e.kind == EdgeKind::Flow || e.from != e.to)
    );
    Ranks { row, upward }
}

/// Returns the nodes in the postorder of a depth-first walk, and the position of each in it. The
/// walk starts at the entry, then at what it did not meet.
fn finishing_order(below: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let count = below.len();
    let (mut order, mut place, mut seen) = (
        Vec::with_capacity(count),
        vec![0; count],
        vec![false; count],
    );
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for start in 0..count as u32 {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        stack.push((start, 0));
        while let Some((node, next)) = stack.last_mut() {
            if let Some(&to) = below[*node as usize].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    stack.push((to, 0));
                }
            } else {
                place[*node as usize] = order.len() as u32;
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
    order: &[u32],
    below: &[Vec<u32>],
    goes_down: &dyn Fn(u32, u32) -> bool,
    row: &mut [u32],
) {
    let mut ways_in = vec![0; below.len()];
    for (from, targets) in below.iter().enumerate() {
        for &to in targets.iter().filter(|&&to| goes_down(from as u32, to)) {
            ways_in[to as usize] += 1;
        }
    }
    for &node in order {
        let targets = below[node as usize]
            .iter()
            .filter(|&&to| goes_down(node, to));
        let (mut ways_out, mut nearest) = (0, u32::MAX);
        for &to in targets {
            ways_out += 1;
            nearest = nearest.min(row[to as usize]);
        }
        if ways_out > ways_in[node as usize] && ways_in[node as usize] > 0 && nearest != u32::MAX {
            row[node as usize] = row[node as usize].max(nearest.saturating_sub(1));
        }
    }
}
