//! The fixed-function tessellator (Direct3D 11.3 functional specification, 10 and 11): points of a
//! domain and the primitives between them.
//!
//! Locations are fixed-point numbers with 16 bits after the point, as the specification requires. A
//! factor places the points of an edge symmetrically: the points of the next lower and the next
//! higher whole division, mixed by the factor's fraction. Triangles and quadrilaterals are rings of
//! edges; a strip of triangles joins each edge to the same edge of the next ring.

use trellis_dxil_frontend::shader::{
    TessellatorDomain, TessellatorOutputPrimitive, TessellatorPartitioning,
};

/// 1 and a half as fixed-point numbers.
const ONE: u32 = 1 << 16;
const HALF: u32 = ONE / 2;
/// Greatest factors.
const MAX_ODD: f32 = 63.0;
const MAX_EVEN: f32 = 64.0;
/// The least number that is added to an inner factor of 1 where another factor is greater.
const EPSILON: f32 = 1.0 / 65536.0;

/// The points and primitives of a patch.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Patch {
    /// Locations in the domain.
    pub(super) points: Vec<[f32; 3]>,
    /// Points of primitives, one after the other.
    pub(super) indices: Vec<usize>,
}

/// The division of edges by a factor.
#[derive(Clone, Copy, Debug)]
struct Division {
    is_odd: bool,
    /// Points up to the middle, without a point at the middle itself.
    half_points: u32,
    /// The point of the first half that the lower division lacks.
    split: u32,
    /// Distances between points of the lower and the higher division.
    steps: [u32; 2],
    /// Fraction of the higher division.
    fraction: u32,
}

impl Division {
    /// Returns the division by a factor, already rounded for whole divisions.
    fn new(factor: f32, is_odd: bool) -> Self {
        let factor = (factor * ONE as f32 + 0.5) as u32;
        let mut half = factor.div_ceil(2);
        // An even division by 1 has the point in the middle.
        if is_odd || half == HALF {
            half += HALF;
        }
        let (low, high) = (half / ONE, half.div_ceil(ONE));
        // The number without its highest bit gives the place in the order in which points are added.
        let place = |n: u32| n - (1 << n.ilog2());
        let split = match low {
            _ if low == high => high + 1,
            1 if is_odd => 0,
            _ => place(low - u32::from(is_odd)) * 2 + 1,
        };
        let step = |half: u32| {
            let segments = 2 * half - u32::from(is_odd);
            (2 * ONE + segments) / (2 * segments)
        };
        Self {
            is_odd,
            half_points: high,
            split,
            steps: [step(low), step(high)],
            fraction: half % ONE,
        }
    }

    /// Returns the number of points.
    fn points(&self) -> u32 {
        2 * self.half_points + u32::from(!self.is_odd)
    }

    /// Returns the location of a point.
    fn at(&self, point: u32) -> u32 {
        let is_second = point >= self.half_points;
        let point = if is_second {
            2 * self.half_points - u32::from(self.is_odd) - point
        } else {
            point
        };
        if point == self.half_points {
            return HALF;
        }
        let low = point - u32::from(point > self.split);
        let [low, high] = [low * self.steps[0], point * self.steps[1]].map(u64::from);
        let fraction = u64::from(self.fraction);
        let mixed = low * (u64::from(ONE) - fraction) + high * fraction;
        let at = ((mixed + u64::from(HALF)) >> 16) as u32;
        if is_second { ONE - at } else { at }
    }
}

/// Returns the points and primitives of a patch with factors of the outer edges and of the inside.
pub(super) fn tessellate(
    domain: TessellatorDomain,
    partitioning: TessellatorPartitioning,
    primitive: TessellatorOutputPrimitive,
    outer: [f32; 4],
    inner: [f32; 2],
) -> Patch {
    let (edges, axes) = match domain {
        TessellatorDomain::Quad => (4, 2),
        TessellatorDomain::Triangle => (3, 1),
        TessellatorDomain::IsoLine | TessellatorDomain::Unknown(_) => (2, 0),
    };
    // NaN is not above 0.
    if !outer[..edges].iter().all(|&factor| factor > 0.0) {
        return Patch::default();
    }
    let (least, most) = match partitioning {
        TessellatorPartitioning::FractionalEven => (2.0, MAX_EVEN),
        TessellatorPartitioning::FractionalOdd => (1.0, MAX_ODD),
        _ => (1.0, MAX_EVEN),
    };
    let clamp = |factor: f32| factor.max(least).min(most);
    let divide = |factor: f32| match partitioning {
        TessellatorPartitioning::FractionalEven => Division::new(factor, false),
        TessellatorPartitioning::FractionalOdd => Division::new(factor, true),
        _ => Division::new(factor.ceil(), factor.ceil() % 2.0 == 1.0),
    };
    let outer = outer.map(clamp);
    let mut inner = inner.map(clamp);
    let all = outer[..edges].iter().chain(&inner[..axes]);
    if least == 1.0 && all.fold(1.0, |most: f32, &factor| most.max(factor)) > 1.0 {
        inner = inner.map(|factor| factor.max(1.0 + EPSILON));
    }
    let lines = outer[0].ceil() as u32;
    let outer = outer.map(divide);
    let inner = inner.map(divide);
    let mut patch = Patch::default();
    match domain {
        TessellatorDomain::Quad => patch.quad(outer, inner),
        TessellatorDomain::Triangle => patch.triangle([outer[0], outer[1], outer[2]], inner[0]),
        TessellatorDomain::IsoLine | TessellatorDomain::Unknown(_) => patch.lines(lines, outer[1]),
    }
    match primitive {
        TessellatorOutputPrimitive::Point => patch.indices = (0..patch.points.len()).collect(),
        TessellatorOutputPrimitive::TriangleCcw => {
            for triangle in patch.indices.chunks_exact_mut(3) {
                triangle.swap(1, 2);
            }
        }
        TessellatorOutputPrimitive::Line
        | TessellatorOutputPrimitive::TriangleCw
        | TessellatorOutputPrimitive::Unknown(_) => {}
    }
    patch
}

/// Ring of points around a domain, by edge; the last point of an edge is the next edge's first.
type Ring = Vec<Vec<usize>>;

impl Patch {
    fn point(&mut self, location: [u32; 3]) -> usize {
        self.points.push(location.map(|at| at as f32 / ONE as f32));
        self.points.len() - 1
    }

    /// Returns a ring of the points of each edge without its last, which is the next edge's first.
    fn ring(&mut self, edges: Vec<Vec<[u32; 3]>>) -> Ring {
        let mut ring: Ring = Vec::with_capacity(edges.len());
        for edge in edges {
            ring.push(edge.into_iter().map(|at| self.point(at)).collect());
        }
        let first: Vec<usize> = ring.iter().map(|edge| edge[0]).collect();
        for (number, edge) in ring.iter_mut().enumerate() {
            edge.push(first[(number + 1) % first.len()]);
        }
        ring
    }

    /// Makes lines along U, the last one before V = 1.
    fn lines(&mut self, lines: u32, division: Division) {
        let places = Division::new(lines as f32, lines % 2 == 1);
        for line in 0..lines {
            for number in 0..division.points() {
                let point = self.point([division.at(number), places.at(line), 0]);
                if number > 0 {
                    self.indices.extend([point - 1, point]);
                }
            }
        }
    }

    /// Makes a quadrilateral: edges at U = 0, V = 0, U = 1 and V = 1, axes U and V.
    fn quad(&mut self, outer: [Division; 4], inner: [Division; 2]) {
        let outside = (0..4).map(|edge| {
            let last = outer[edge].points() - 1;
            let along = |number: u32| {
                outer[edge].at(if is_backward(edge) {
                    last - number
                } else {
                    number
                })
            };
            let across = if edge < 2 { 0 } else { ONE };
            (0..last)
                .map(|number| match edge {
                    0 | 2 => [across, along(number), 0],
                    _ => [along(number), across, 0],
                })
                .collect()
        });
        let outside: Vec<Vec<[u32; 3]>> = outside.collect();
        let mut ring = self.ring(outside);
        // The points inside, by column and row.
        let counts = inner.map(|axis| axis.points());
        let grid: Vec<Vec<usize>> = (0..counts[0])
            .map(|u| {
                (0..counts[1])
                    .map(|v| {
                        let inside = u % (counts[0] - 1) > 0 && v % (counts[1] - 1) > 0;
                        let at = [inner[0].at(u), inner[1].at(v), 0];
                        if inside { self.point(at) } else { 0 }
                    })
                    .collect()
            })
            .collect();
        let rings = counts[0].min(counts[1]).div_ceil(2);
        for start in 1..rings {
            let end = counts.map(|count| count - 1 - start);
            let next = (0..4).map(|edge| {
                let axis = 1 - edge % 2;
                let mut line: Vec<usize> = (start..=end[axis])
                    .map(|along| {
                        let across = if edge < 2 { start } else { end[1 - axis] };
                        let at = if axis == 1 {
                            [across, along]
                        } else {
                            [along, across]
                        };
                        grid[at[0] as usize][at[1] as usize]
                    })
                    .collect();
                if is_backward(edge) {
                    line.reverse();
                }
                line
            });
            let next: Ring = next.collect();
            for edge in 0..4 {
                if start == 1 {
                    let inside = (&*next[edge], inner[1 - edge % 2]);
                    self.transition((&ring[edge], outer[edge]), inside);
                } else {
                    self.mirrored(&ring[edge], &next[edge]);
                }
            }
            ring = next;
        }
        // A row of quadrilaterals remains inside if an axis has no point in the middle.
        let axis = usize::from(counts[1] >= counts[0]);
        if !inner[1 - axis].is_odd {
            return;
        }
        let (outside, inside) = (&ring[1 - axis], &ring[3 - axis]);
        let inside: Vec<usize> = inside.iter().rev().copied().collect();
        for (a, b) in outside.windows(2).zip(inside.windows(2)) {
            self.add([a[0], a[1], b[1]]);
            self.add([a[0], b[1], b[0]]);
        }
    }

    /// Makes a triangle: edges at U = 0, V = 0 and W = 0.
    fn triangle(&mut self, outer: [Division; 3], inner: Division) {
        let outside = (0..3).map(|edge| {
            let last = outer[edge].points() - 1;
            (0..last)
                .map(|number| {
                    let backward = edge != 1;
                    let at = outer[edge].at(if backward { last - number } else { number });
                    match edge {
                        0 => [0, at, ONE - at],
                        1 => [at, 0, ONE - at],
                        _ => [at, ONE - at, 0],
                    }
                })
                .collect()
        });
        let outside: Vec<Vec<[u32; 3]>> = outside.collect();
        let mut ring = self.ring(outside);
        let count = inner.points();
        for start in 1..count.div_ceil(2) {
            let end = count - 1 - start;
            let next = if start == end {
                let third = 0x5555;
                let center = self.point([third, third, ONE - 2 * third]);
                vec![vec![center]; 3]
            } else {
                let across = (u64::from(inner.at(start)) * 0xaaaa + u64::from(HALF)) >> 16;
                let across = across as u32;
                let edges = (0..3).map(|edge| {
                    (0..end - start)
                        .map(|number| {
                            let backward = edge != 1;
                            let point = if backward {
                                end - number
                            } else {
                                start + number
                            };
                            let at = inner.at(point) - across.div_ceil(2);
                            let rest = ONE - across - at;
                            match edge {
                                0 => [across, at, rest],
                                1 => [at, across, rest],
                                _ => [at, rest, across],
                            }
                        })
                        .collect()
                });
                let edges: Vec<Vec<[u32; 3]>> = edges.collect();
                self.ring(edges)
            };
            for edge in 0..3 {
                if start == 1 {
                    self.transition((&ring[edge], outer[edge]), (&next[edge], inner));
                } else {
                    self.mirrored(&ring[edge], &next[edge]);
                }
            }
            ring = next;
        }
        if inner.is_odd {
            self.add([ring[0][0], ring[1][0], ring[2][0]]);
        }
    }

    fn add(&mut self, triangle: [usize; 3]) {
        self.indices.extend(triangle);
    }

    /// Joins an edge to the same edge of the next ring, which has two points less: diagonals are
    /// mirrored at the middle.
    fn mirrored(&mut self, outside: &[usize], inside: &[usize]) {
        let half = inside.len() / 2;
        self.add([outside[0], outside[1], inside[0]]);
        for number in 0..inside.len() - 1 {
            let (a, b) = (&outside[number + 1..], &inside[number..]);
            if number < half {
                self.add([a[0], b[1], b[0]]);
                self.add([a[0], a[1], b[1]]);
            } else {
                self.add([b[0], a[0], a[1]]);
                self.add([b[0], a[1], b[1]]);
            }
        }
        let last = inside.len();
        self.add([outside[last], outside[last + 1], inside[last - 1]]);
    }

    /// Joins an edge to the same edge of the first ring inside, which has another factor: points are
    /// added to both in the same order from the ends to the middle.
    fn transition(&mut self, outside: (&[usize], Division), inside: (&[usize], Division)) {
        let half = |division: Division| division.half_points - u32::from(division.is_odd);
        let most = [half(outside.1), half(inside.1)];
        let is_odd = [outside.1.is_odd, inside.1.is_odd];
        let (outside, inside) = (outside.0, inside.0);
        let mut at = Ends {
            outside,
            inside,
            a: 0,
            b: 0,
        };
        // The first point inside is next to the second outside.
        for (place, &number) in ORDER.iter().enumerate() {
            if place > 0 && number < most[1] {
                self.add(at.step_inside());
            }
            if number < most[0] {
                self.add(at.step_outside());
            }
        }
        match is_odd {
            [true, true] => {
                self.add(at.step_inside());
                self.add(at.step_outside());
            }
            [true, false] => self.add(at.step_outside()),
            [false, true] => self.add(at.step_inside()),
            [false, false] => {}
        }
        for (place, &number) in ORDER.iter().enumerate().rev() {
            if number < most[0] {
                self.add(at.step_outside());
            }
            if place > 0 && number < most[1] {
                self.add(at.step_inside());
            }
        }
    }
}

/// The number that each point of half an edge has in the order in which greater factors add points:
/// the first, the last, the middle, the quarters, ...
const ORDER: [u32; 33] = [
    0, 32, 16, 8, 17, 4, 18, 9, 19, 2, 20, 10, 21, 5, 22, 11, 23, 1, 24, 12, 25, 6, 26, 13, 27, 3,
    28, 14, 29, 7, 30, 15, 31,
];

/// Points of two edges up to which triangles join them.
struct Ends<'e> {
    outside: &'e [usize],
    inside: &'e [usize],
    a: usize,
    b: usize,
}

impl Ends<'_> {
    /// Returns the triangle to the next point outside.
    fn step_outside(&mut self) -> [usize; 3] {
        self.a += 1;
        [
            self.outside[self.a - 1],
            self.outside[self.a],
            self.inside[self.b],
        ]
    }

    /// Returns the triangle to the next point inside.
    fn step_inside(&mut self) -> [usize; 3] {
        self.b += 1;
        [
            self.inside[self.b - 1],
            self.outside[self.a],
            self.inside[self.b],
        ]
    }
}

/// Returns whether an edge of a quadrilateral goes backward along its axis: edges follow each other
/// around the domain.
fn is_backward(edge: usize) -> bool {
    edge == 0 || edge == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    use TessellatorDomain::{IsoLine, Quad, Triangle};
    use TessellatorOutputPrimitive::{Line, Point, TriangleCcw, TriangleCw};
    use TessellatorPartitioning::{FractionalEven, FractionalOdd, Integer};

    fn locations(factor: f32, is_odd: bool) -> Vec<f32> {
        let division = Division::new(factor, is_odd);
        let points = (0..division.points()).map(|point| division.at(point));
        points.map(|at| at as f32 / ONE as f32).collect()
    }

    #[test]
    fn points_of_an_edge_are_mixed_from_two_divisions() {
        assert_eq!(locations(1.0, true), [0.0, 1.0]);
        assert_eq!(locations(4.0, false), [0.0, 0.25, 0.5, 0.75, 1.0]);
        let third = 21845.0 / 65536.0;
        assert_eq!(locations(3.0, true), [0.0, third, 1.0 - third, 1.0]);
        // Three quarters of a division by 2, where the point is in the middle, one of that by 4.
        assert_eq!(locations(2.5, false), [0.0, 0.4375, 0.5, 0.5625, 1.0]);
    }

    /// Twice the area of each triangle, with the sign of its winding.
    fn areas(patch: &Patch) -> Vec<f64> {
        let corner = |point: usize| patch.points[point].map(f64::from);
        let triangles = patch.indices.chunks_exact(3);
        triangles
            .map(|triangle| {
                let [a, b, c] = [0, 1, 2].map(|number| corner(triangle[number]));
                (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
            })
            .collect()
    }

    #[test]
    fn triangles_cover_the_domain_once() {
        let factors = [
            0.5, 1.0, 1.25, 2.0, 2.5, 3.0, 4.75, 5.0, 8.0, 33.5, 63.0, 64.0, 99.0,
        ];
        for partitioning in [Integer, FractionalOdd, FractionalEven] {
            for (number, outer) in factors.into_iter().enumerate() {
                for inner in factors {
                    for (domain, twice) in [(Quad, 2.0), (Triangle, 1.0)] {
                        let other = factors[(number + 5) % factors.len()];
                        let edges = [outer, other, outer, other];
                        let insides = [inner, other];
                        let patch = tessellate(domain, partitioning, TriangleCw, edges, insides);
                        let areas = areas(&patch);
                        let name = format!("{domain:?} {partitioning:?} {edges:?} {insides:?}");
                        assert!(areas.iter().all(|&area| area >= -1e-7), "{name}: {areas:?}");
                        let sum: f64 = areas.iter().sum();
                        assert!((sum - twice).abs() < 1e-6, "{name}: {sum}");
                        let mut used = vec![false; patch.points.len()];
                        patch.indices.iter().for_each(|&point| used[point] = true);
                        assert!(used.iter().all(|&used| used), "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn primitives_are_those_of_the_topology() {
        let patch = |primitive| tessellate(Triangle, Integer, primitive, [2.0; 4], [2.0; 2]);
        assert_eq!(patch(Point).indices, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(patch(TriangleCw).indices.len(), 6 * 3);
        let areas = areas(&patch(TriangleCcw));
        assert!(areas.iter().all(|&area| area < 0.0), "{areas:?}");
        // Two lines of three parts; none at V = 1.
        let lines = tessellate(IsoLine, Integer, Line, [1.5, 3.0, 0.0, 0.0], [0.0; 2]);
        assert_eq!(lines.points.len(), 2 * 4);
        assert_eq!(lines.indices, [0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7]);
        assert_eq!(lines.points[4], [0.0, 0.5, 0.0]);
        for factor in [0.0, -1.0, f32::NAN] {
            let none = tessellate(Quad, Integer, TriangleCw, [1.0, factor, 1.0, 1.0], [1.0; 2]);
            assert_eq!(none, Patch::default());
        }
    }
}
