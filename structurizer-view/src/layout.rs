//! Layout: `rust-sugiyama` orders each row and chooses the columns; rows, bends and curves are
//! computed here.
//!
//! An edge over several rows gets a point in each row between, which takes part in the layout like
//! a narrow node. So every edge of the layout spans one row, and an edge runs through a row only
//! where that row has space for it: edges cross edges, but never nodes.

use std::thread;

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};
use trellis_entity::{EntityRef as _, PrimaryMap};

use crate::figure::{Figure, Node};
use crate::rank::rows;
use crate::{Error, MAX_NODES, MAX_POINTS};

/// Space between neighbours of a row, and between rows, in pixels.
const COLUMN_GAP: f64 = 18.0;
const ROW_GAP: f64 = 40.0;
/// Width of an edge that runs through a row.
const LANE: f64 = 4.0;
/// Stack of the thread that runs the layout: it recurses over the graph.
const STACK: usize = 256 << 20;

/// Calls a function that recurses and may panic on a separate thread, which protects the caller.
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
    pub(crate) nodes: PrimaryMap<Node, Rectangle>,
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
pub(crate) fn layout(
    figure: &Figure,
    sizes: &PrimaryMap<Node, (f64, f64)>,
) -> Result<Layout, Error> {
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
    let points = Points::new(figure, sizes).ok_or(too_large)?;
    let columns = points.columns()?;
    Ok(points.place(&columns, sizes))
}

/// The graph in which every edge spans one row. Its points are the figure's nodes, and after them the bends.
struct Points {
    widths: PrimaryMap<Node, f64>,
    rows: PrimaryMap<Node, usize>,
    links: Vec<(Node, Node)>,
    /// The edges of the figure.
    chains: Vec<Chain>,
}

/// An edge from its upper to its lower end.
struct Chain {
    upper: Node,
    lower: Node,
    /// The points between.
    between: Vec<Node>,
    /// True if it points upwards.
    upward: bool,
}

impl Points {
    fn new(figure: &Figure, sizes: &PrimaryMap<Node, (f64, f64)>) -> Option<Self> {
        let mut this = Self {
            widths: sizes.values().map(|size| size.0).collect(),
            rows: rows(figure),
            links: Vec::new(),
            chains: Vec::with_capacity(figure.edges.len()),
        };
        for edge in &figure.edges {
            let upward = this.rows[edge.from] >= this.rows[edge.to];
            let (upper, lower) = match upward {
                true => (edge.to, edge.from),
                false => (edge.from, edge.to),
            };
            let between = this.link(upper, lower)?;
            this.chains.push(Chain {
                upper,
                lower,
                between,
                upward,
            });
        }
        Some(this)
    }

    /// Links two points by one in each row between them, and returns these.
    fn link(&mut self, upper: Node, lower: Node) -> Option<Vec<Node>> {
        let rows = self.rows[upper]..self.rows[lower];
        let mut between = Vec::new();
        if rows.is_empty() {
            return Some(between);
        }
        let mut last = upper;
        for row in rows.skip(1) {
            if self.widths.len() >= MAX_POINTS {
                return None;
            }
            let point = self.widths.push(LANE);
            self.rows.push(row);
            self.links.push((last, point));
            between.push(point);
            last = point;
        }
        self.links.push((last, lower));
        Some(between)
    }

    /// Returns the column of each point.
    fn columns(&self) -> Result<PrimaryMap<Node, f64>, Error> {
        let vertices = self
            .widths
            .iter()
            .map(|(point, &width)| (point.as_u32(), (width, 1.0)));
        let vertices: Vec<(u32, (f64, f64))> = vertices.collect();
        let links = self
            .links
            .iter()
            .map(|(from, to)| (from.as_u32(), to.as_u32()));
        let mut links: Vec<(u32, u32)> = links.collect();
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
        let mut columns = PrimaryMap::filled(f64::NAN, self.widths.len());
        let mut left = 0.0;
        for (part, ..) in parts {
            let placed = part
                .into_iter()
                .map(|(point, (x, _))| (Node::new(point), x));
            let mut placed: Vec<(Node, f64)> = placed.collect();
            placed.sort_by_key(|&(point, _)| point);
            let side = |&(point, x): &(Node, f64), side: f64| {
                x + side * self.widths.get(point).copied().unwrap_or(0.0) / 2.0
            };
            let starts = placed.iter().map(|point| side(point, -1.0));
            let ends = placed.iter().map(|point| side(point, 1.0));
            let (start, end) = (
                starts.fold(f64::INFINITY, f64::min),
                ends.fold(f64::NEG_INFINITY, f64::max),
            );
            for &(point, x) in &placed {
                if let Some(column) = columns.get_mut(point) {
                    *column = (left + x - start).round();
                }
            }
            left += end - start + COLUMN_GAP;
        }
        if columns.values().all(|x| x.is_finite()) {
            Ok(columns)
        } else {
            Err(Error::Layout {
                what: "a node has no place",
            })
        }
    }

    /// Returns rows and curves.
    fn place(
        &self,
        columns: &PrimaryMap<Node, f64>,
        sizes: &PrimaryMap<Node, (f64, f64)>,
    ) -> Layout {
        let rows = self.rows.values().max().map_or(0, |&row| row + 1);
        let mut heights = vec![0.0_f64; rows];
        let mut links = vec![0_usize; rows];
        for (node, &(_, height)) in sizes.iter() {
            let slot = &mut heights[self.rows[node]];
            *slot = slot.max(height);
        }
        for &(upper, _) in &self.links {
            links[self.rows[upper]] += 1;
        }
        // Where many edges run there is more space between rows, as they are steeper then.
        let mut tops = Vec::with_capacity(rows);
        let mut y = 0.0;
        for (height, links) in heights.iter().zip(&links) {
            tops.push(y);
            y += height + ROW_GAP + (links.saturating_sub(4) as f64 * 1.5).min(60.0);
        }
        let nodes: PrimaryMap<Node, Rectangle> = sizes
            .iter()
            .map(|(node, &(width, height))| Rectangle {
                x: columns[node],
                y: tops[self.rows[node]] + heights[self.rows[node]] / 2.0,
                width,
                height,
            })
            .collect();
        let (below, above) = self.ports(columns, &nodes);
        let routes = self.chains.iter().zip(below.into_iter().zip(above));
        let edges = routes.map(|(chain, (below, above))| {
            let (upper, lower) = (nodes[chain.upper], nodes[chain.lower]);
            if chain.upper == chain.lower {
                return self_loop(upper);
            }
            let mut route = vec![(below, upper.y + upper.height / 2.0)];
            for &point in &chain.between {
                let row = self.rows[point];
                curve(&mut route, (columns[point], tops[row]));
                line(&mut route, (columns[point], tops[row] + heights[row]));
            }
            curve(&mut route, (above, lower.y - lower.height / 2.0));
            if chain.upward {
                route.reverse();
            }
            route
        });
        let edges = edges.collect();
        shifted(nodes, edges)
    }

    /// Returns the end points of each edge, on the lower side of its upper node and on the upper side of its lower
    /// node: spread over the side in the order of their other ends.
    fn ports(
        &self,
        columns: &PrimaryMap<Node, f64>,
        nodes: &PrimaryMap<Node, Rectangle>,
    ) -> (Vec<f64>, Vec<f64>) {
        let sides = |ends: &dyn Fn(&Chain) -> (Node, Node)| {
            let mut of_node: PrimaryMap<Node, Vec<(f64, usize)>> =
                PrimaryMap::with_len(nodes.len());
            let edges = self.chains.iter().enumerate();
            for (index, chain) in edges.filter(|(_, chain)| chain.upper != chain.lower) {
                let (node, next) = ends(chain);
                of_node[node].push((columns[next], index));
            }
            let mut places = vec![0.0; self.chains.len()];
            for (node, edges) in of_node.iter_mut() {
                edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let node = nodes[node];
                let step = ((node.width - 12.0) / edges.len() as f64).min(14.0);
                let first = node.x - step * (edges.len() as f64 - 1.0) / 2.0;
                for (place, (_, edge)) in edges.iter().enumerate() {
                    places[*edge] = first + step * place as f64;
                }
            }
            places
        };
        let first = |chain: &Chain| chain.between.first().copied().unwrap_or(chain.lower);
        let last = |chain: &Chain| chain.between.last().copied().unwrap_or(chain.upper);
        (
            sides(&|chain| (chain.upper, first(chain))),
            sides(&|chain| (chain.lower, last(chain))),
        )
    }
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

/// Moves everything so that the upper left corner is at the origin.
pub(crate) fn shifted(mut nodes: PrimaryMap<Node, Rectangle>, mut edges: Vec<Route>) -> Layout {
    let corners = nodes.values().flat_map(|n| {
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
    for node in nodes.values_mut() {
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
