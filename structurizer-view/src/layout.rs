//! Layout: `rust-sugiyama` orders each row and chooses the columns; rows, bends and curves are
//! computed here.
//!
//! An edge over several rows gets a point in each row between, which takes part in the layout like
//! a narrow node. So every edge of the layout spans one row, and an edge runs through a row only
//! where that row has space for it: edges cross edges, but never nodes.

use std::thread;

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};

use crate::figure::Figure;
use crate::rank::{Ranks, ranks};
use crate::{Error, MAX_NODES, MAX_POINTS};

/// Space between neighbours of a row, and between rows, in pixels.
const COLUMN_GAP: f64 = 18.0;
const ROW_GAP: f64 = 40.0;
/// Width of an edge that runs through a row.
const LANE: f64 = 4.0;
/// Stack of the thread that runs the layout: it recurses over the graph.
const STACK: usize = 256 << 20;

/// Calls what recurses and may panic on a thread of its own, so that neither reaches the caller.
/// WebAssembly has no threads here: its host ends an instance that panics, or whose stack is full.
fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|_| Error::Layout {
        what: "no thread for it",
    })?;
    thread.join().map_err(|_| Error::Layout {
        what: "the layout stopped",
    })
}

/// A placed figure, in pixels from the upper left corner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Centre, width and height of each node.
    pub(crate) nodes: Vec<Rectangle>,
    /// The way of each edge, from its source to its target.
    pub(crate) edges: Vec<Route>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A box by its centre.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Rectangle {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A cubic Bézier curve: the start, then two control points and an end for each piece.
pub(crate) type Route = Vec<(f64, f64)>;

/// Places a figure whose nodes have these widths and heights.
pub(crate) fn layout(figure: &Figure, sizes: &[(f64, f64)]) -> Result<Layout, Error> {
    let too_large = Error::TooLarge {
        nodes: figure.nodes.len(),
        edges: figure.edges.len(),
    };
    if figure.nodes.len() > MAX_NODES {
        return Err(too_large);
    }
    if figure.nodes.is_empty() {
        return Ok(Layout::default());
    }
    let ranks = ranks(figure);
    let chains = Chains::new(figure, &ranks, sizes).ok_or(too_large)?;
    let columns = chains.columns()?;
    Ok(place(figure, &ranks, &chains, &columns, sizes))
}

/// The graph in which every edge spans one row.
struct Chains {
    /// Width of each point; the figure's nodes come first.
    widths: Vec<f64>,
    /// Row of each point.
    rows: Vec<u32>,
    links: Vec<(u32, u32)>,
    /// The points between the ends of each edge, from the upper to the lower end.
    between: Vec<Vec<u32>>,
}

impl Chains {
    fn new(figure: &Figure, ranks: &Ranks, sizes: &[(f64, f64)]) -> Option<Self> {
        let mut this = Self {
            widths: sizes.iter().map(|s| s.0).collect(),
            rows: ranks.row.clone(),
            links: Vec::new(),
            between: Vec::new(),
        };
        for (edge, &upward) in figure.edges.iter().zip(&ranks.upward) {
            let (upper, lower) = if upward {
                (edge.to, edge.from)
            } else {
                (edge.from, edge.to)
            };
            let (first, last) = (ranks.row[upper as usize], ranks.row[lower as usize]);
            let mut between = Vec::new();
            if first < last {
                between = this.chain(upper, lower, first..last)?;
            }
            this.between.push(between);
        }
        Some(this)
    }

    /// Links two points by one in each row between them.
    fn chain(&mut self, upper: u32, lower: u32, rows: std::ops::Range<u32>) -> Option<Vec<u32>> {
        let mut last = upper;
        let mut between = Vec::new();
        for row in rows.skip(1) {
            if self.widths.len() >= MAX_POINTS {
                return None;
            }
            let point = self.widths.len() as u32;
            self.widths.push(LANE);
            self.rows.push(row);
            self.links.push((last, point));
            between.push(point);
            last = point;
        }
        self.links.push((last, lower));
        Some(between)
    }

    /// Returns the column of each point.
    fn columns(&self) -> Result<Vec<f64>, Error> {
        let vertices: Vec<(u32, (f64, f64))> = self
            .widths
            .iter()
            .enumerate()
            .map(|(i, &w)| (i as u32, (w, 1.0)))
            .collect();
        let mut links = self.links.clone();
        links.sort_unstable();
        links.dedup();
        // Every way to a point has the same length, so the points' rows come out as given.
        let config = Config {
            minimum_length: 1,
            vertex_spacing: COLUMN_GAP,
            ranking_type: RankingType::Up,
            c_minimization: CrossingMinimization::Barycenter,
            transpose: self.widths.len() < 1_000,
            ..Config::default()
        };
        let work = move || rust_sugiyama::from_vertices_and_edges(&vertices, &links, &config);
        let parts = apart(work)?;
        let mut columns = vec![f64::NAN; self.widths.len()];
        let mut left = 0.0;
        for (mut part, ..) in parts {
            part.sort_by_key(|&(point, _)| point);
            let edge = |&(point, (x, _)): &(usize, (f64, f64)), side: f64| {
                x + side * self.widths.get(point).copied().unwrap_or(0.0) / 2.0
            };
            let start = part
                .iter()
                .map(|p| edge(p, -1.0))
                .fold(f64::INFINITY, f64::min);
            let end = part
                .iter()
                .map(|p| edge(p, 1.0))
                .fold(f64::NEG_INFINITY, f64::max);
            for &(point, (x, _)) in &part {
                if let Some(column) = columns.get_mut(point) {
                    *column = (left + x - start).round();
                }
            }
            left += end - start + COLUMN_GAP;
        }
        if columns.iter().all(|x| x.is_finite()) {
            Ok(columns)
        } else {
            Err(Error::Layout {
                what: "a node has no place",
            })
        }
    }
}

/// Rows and curves.
fn place(
    figure: &Figure,
    ranks: &Ranks,
    chains: &Chains,
    columns: &[f64],
    sizes: &[(f64, f64)],
) -> Layout {
    let rows = chains.rows.iter().max().map_or(0, |&row| row as usize + 1);
    let mut heights = vec![0.0_f64; rows];
    let mut links = vec![0_usize; rows];
    for (node, &(_, height)) in sizes.iter().enumerate() {
        let slot = &mut heights[chains.rows[node] as usize];
        *slot = slot.max(height);
    }
    for &(upper, _) in &chains.links {
        links[chains.rows[upper as usize] as usize] += 1;
    }
    // Where many edges run there is more space between rows, as they are steeper then.
    let mut tops = Vec::with_capacity(rows);
    let mut y = 0.0;
    for (height, links) in heights.iter().zip(&links) {
        tops.push(y);
        y += height + ROW_GAP + (links.saturating_sub(4) as f64 * 1.5).min(60.0);
    }
    let nodes: Vec<Rectangle> = sizes
        .iter()
        .enumerate()
        .map(|(i, &(width, height))| {
            let row = chains.rows[i] as usize;
            Rectangle {
                x: columns[i],
                y: tops[row] + heights[row] / 2.0,
                width,
                height,
            }
        })
        .collect();
    let ports = Ports::new(figure, ranks, chains, columns, &nodes);
    let edges: Vec<Route> = (0..figure.edges.len())
        .map(|edge| {
            let (from, to) = (
                nodes[figure.edges[edge].from as usize],
                nodes[figure.edges[edge].to as usize],
            );
            if chains.between[edge].is_empty() && from == to {
                return self_loop(from);
            }
            let upward = ranks.upward[edge];
            let (upper, lower) = if upward { (to, from) } else { (from, to) };
            let mut route = vec![(ports.below[edge], upper.y + upper.height / 2.0)];
            for &point in &chains.between[edge] {
                let row = chains.rows[point as usize] as usize;
                curve(&mut route, (columns[point as usize], tops[row]));
                line(
                    &mut route,
                    (columns[point as usize], tops[row] + heights[row]),
                );
            }
            curve(
                &mut route,
                (ports.above[edge], lower.y - lower.height / 2.0),
            );
            if upward {
                route.reverse();
            }
            route
        })
        .collect();
    shifted(nodes, edges)
}

/// Draws an S from the last point down to another.
fn curve(route: &mut Route, to: (f64, f64)) {
    let Some(&from) = route.last() else { return };
    let half = (to.1 - from.1) / 2.0;
    route.extend([(from.0, from.1 + half), (to.0, to.1 - half), to]);
}

fn line(route: &mut Route, to: (f64, f64)) {
    let Some(&from) = route.last() else { return };
    route.extend([from, to, to]);
}

/// Returns an ear on the right.
fn self_loop(node: Rectangle) -> Route {
    let (x, y, reach) = (node.x + node.width / 2.0, node.y, 26.0);
    vec![
        (x, y + 8.0),
        (x + reach, y + 14.0),
        (x + reach, y - 14.0),
        (x, y - 8.0),
    ]
}

/// End points of edges: spread over a node's side in the order of their other ends.
struct Ports {
    /// For each edge, on the lower side of its upper node.
    below: Vec<f64>,
    /// On the upper side of its lower node.
    above: Vec<f64>,
}

impl Ports {
    fn new(
        figure: &Figure,
        ranks: &Ranks,
        chains: &Chains,
        columns: &[f64],
        nodes: &[Rectangle],
    ) -> Self {
        let count = figure.edges.len();
        let (mut below, mut above) = (vec![Vec::new(); nodes.len()], vec![Vec::new(); nodes.len()]);
        for (index, edge) in figure
            .edges
            .iter()
            .enumerate()
            .filter(|(_, e)| e.from != e.to)
        {
            let (upper, lower) = if ranks.upward[index] {
                (edge.to, edge.from)
            } else {
                (edge.from, edge.to)
            };
            let between = &chains.between[index];
            below[upper as usize].push((
                columns[between.first().map_or(lower, |&p| p) as usize],
                index,
            ));
            above[lower as usize].push((
                columns[between.last().map_or(upper, |&p| p) as usize],
                index,
            ));
        }
        let mut this = Self {
            below: vec![0.0; count],
            above: vec![0.0; count],
        };
        for (side, places) in [(below, &mut this.below), (above, &mut this.above)] {
            for (node, mut edges) in nodes.iter().zip(side) {
                edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let step = ((node.width - 12.0) / edges.len() as f64).min(14.0);
                let first = node.x - step * (edges.len() as f64 - 1.0) / 2.0;
                for (place, (_, edge)) in edges.into_iter().enumerate() {
                    places[edge] = first + step * place as f64;
                }
            }
        }
        this
    }
}

/// Moves everything so that the upper left corner is at the origin.
pub(crate) fn shifted(mut nodes: Vec<Rectangle>, mut edges: Vec<Route>) -> Layout {
    let corners = nodes.iter().flat_map(|n| {
        [
            (n.x - n.width / 2.0, n.y - n.height / 2.0),
            (n.x + n.width / 2.0, n.y + n.height / 2.0),
        ]
    });
    let points = corners.chain(edges.iter().flatten().copied());
    let (mut low, mut high) = (
        (f64::INFINITY, f64::INFINITY),
        (f64::NEG_INFINITY, f64::NEG_INFINITY),
    );
    for (x, y) in points {
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    }
    for node in &mut nodes {
        (node.x, node.y) = (node.x - low.0, node.y - low.1);
    }
    for point in edges.iter_mut().flatten() {
        *point = (point.0 - low.0, point.1 - low.1);
    }
    Layout {
        nodes,
        edges,
        width: high.0 - low.0,
        height: high.1 - low.1,
    }
}
