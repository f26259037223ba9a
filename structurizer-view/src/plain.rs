//! The output of `dot -Tplain`: positions and curves. <https://graphviz.org/docs/outputs/plain/>

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use trellis_entity::PrimaryMap;

use crate::Error;
use crate::dot::INCH;
use crate::figure::{Figure, Node};
use crate::layout::{Layout, Rectangle, Route, shifted};

/// Reads the layout of a figure that was written by [`dot_for_layout`](crate::dot_for_layout).
pub(crate) fn layout(figure: &Figure, text: &str) -> Result<Layout, Error> {
    read(figure, text).ok_or(Error::Layout {
        what: "the text is not the output of `dot -Tplain` for this graph",
    })
}

fn read(figure: &Figure, text: &str) -> Option<Layout> {
    let mut nodes: PrimaryMap<Node, Option<Rectangle>> = PrimaryMap::with_len(figure.nodes.len());
    let mut routes: FxHashMap<(Node, Node), VecDeque<Route>> = FxHashMap::default();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "node" => {
                let node = number(words.next()?)?;
                let (x, y) = (inches(words.next()?)?, -inches(words.next()?)?);
                let (width, height) = (inches(words.next()?)?, inches(words.next()?)?);
                *nodes.get_mut(node)? = Some(Rectangle {
                    x,
                    y,
                    width,
                    height,
                });
            }
            "edge" => {
                let ends = (number(words.next()?)?, number(words.next()?)?);
                let count: usize = words.next()?.parse().ok()?;
                let mut route = Route::new();
                for _ in 0..count {
                    route.push((inches(words.next()?)?, -inches(words.next()?)?));
                }
                if route.len() % 3 != 1 {
                    return None;
                }
                routes.entry(ends).or_default().push_back(route);
            }
            "graph" => {}
            _ => break,
        }
    }
    let nodes = nodes
        .into_values()
        .collect::<Option<PrimaryMap<Node, _>>>()?;
    let edges = figure.edges.iter().map(|e| {
        let mut route = routes.get_mut(&(e.from, e.to))?.pop_front()?;
        // Curves end where the arrow begins: the arrow is drawn at the node's side.
        if let (Some(&last), Some(target)) = (route.last(), nodes.get(e.to)) {
            let tip = nearest(*target, last);
            route.extend([last, tip, tip]);
        }
        Some(route)
    });
    let edges = edges.collect::<Option<Vec<_>>>()?;
    Some(shifted(nodes, edges))
}

/// Returns the point of a box that is nearest to another.
fn nearest(node: Rectangle, (x, y): (f64, f64)) -> (f64, f64) {
    let (w, h) = (node.width / 2.0, node.height / 2.0);
    (
        x.clamp(node.x - w, node.x + w),
        y.clamp(node.y - h, node.y + h),
    )
}

fn number(word: &str) -> Option<Node> {
    let number: u16 = word.strip_prefix('n')?.parse().ok()?;
    Some(Node::from_u32(number.into()))
}

fn inches(word: &str) -> Option<f64> {
    word.parse::<f64>()
        .ok()
        .filter(|x| x.is_finite() && x.abs() < 1e6)
        .map(|x| x * INCH)
}
