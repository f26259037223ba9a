//! Pictures of random graphs: well-formed, the same each time, nothing on top of anything else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use structurizer_testkit::generate::random_function;
use trellis_structurizer::text::parse;
use trellis_structurizer::{Options, Trace, trace};
use trellis_structurizer_view::{
    Error, Figure, MAX_NODES, Picture, dot, dot_for_layout, side_by_side,
};

fn traced(text: &str) -> Trace {
    trace(parse(text).unwrap(), &Options::default()).unwrap()
}

/// Returns the graph of each stage and its picture.
fn drawn(trace: &Trace, name: &str) -> Vec<(Figure, Picture)> {
    let draw = |snapshot| {
        let figure = Figure::new(snapshot, &|_| Some(name.to_owned()));
        let picture = Picture::of(&figure).unwrap();
        (figure, picture)
    };
    trace.snapshots.iter().map(draw).collect()
}

/// Left, top, right, bottom.
type Sides = (f64, f64, f64, f64);

/// Returns the boxes of an SVG's nodes, and points on its edges, in the coordinates of the graph.
fn read(svg: &str) -> (Vec<Sides>, Vec<Vec<(f64, f64)>>) {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let number = |n: &roxmltree::Node<'_, '_>, name: &str| {
        n.attribute(name).unwrap().parse::<f64>().unwrap()
    };
    let (mut boxes, mut curves) = (Vec::new(), Vec::new());
    for node in document
        .descendants()
        .filter(|n| n.attribute("data-node").is_some())
    {
        let rect = node.first_element_child().unwrap();
        let (x, y) = (number(&rect, "x"), number(&rect, "y"));
        boxes.push((
            x,
            y,
            x + number(&rect, "width"),
            y + number(&rect, "height"),
        ));
    }
    let graph = document
        .descendants()
        .find(|n| n.has_attribute("transform"))
        .unwrap();
    for path in graph.children().filter(|n| {
        n.attribute("class")
            .is_some_and(|c| !c.starts_with("tv-tip"))
    }) {
        let Some(data) = path.attribute("d") else {
            continue;
        };
        let numbers: Vec<f64> = data
            .split(['M', 'C', ' '])
            .filter(|n| !n.is_empty())
            .map(|n| n.parse().unwrap())
            .collect();
        let points: Vec<(f64, f64)> = numbers.chunks(2).map(|p| (p[0], p[1])).collect();
        let mut curve = Vec::new();
        for start in (0..points.len() - 1).step_by(3) {
            let [a, b, c, d] = points[start..start + 4] else {
                panic!("a cubic piece")
            };
            for t in (0..=8).map(|t| f64::from(t) / 8.0) {
                let s = 1.0 - t;
                let mix = |a: f64, b: f64, c: f64, d: f64| {
                    s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
                };
                curve.push((mix(a.0, b.0, c.0, d.0), mix(a.1, b.1, c.1, d.1)));
            }
        }
        curves.push(curve);
    }
    (boxes, curves)
}

#[test]
fn nodes_and_edges_keep_off_nodes() {
    for seed in 0..60 {
        let trace = trace(
            random_function(seed, 4 + seed as usize / 2),
            &Options::default(),
        )
        .unwrap();
        for snapshot in [&trace.snapshots[0], trace.snapshots.last().unwrap()] {
            let figure = Figure::new(snapshot, &|_| None);
            let svg = Picture::of(&figure).unwrap().svg(&figure);
            assert_eq!(
                svg,
                Picture::of(&figure).unwrap().svg(&figure),
                "seed {seed}"
            );
            let (boxes, curves) = read(&svg);
            assert_eq!(
                (boxes.len(), curves.len()),
                (figure.nodes.len(), figure.edges.len())
            );
            for (i, a) in boxes.iter().enumerate() {
                for b in &boxes[..i] {
                    assert!(
                        a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1,
                        "seed {seed}: {a:?} on {b:?}"
                    );
                }
                let inside = |p: &&(f64, f64)| {
                    p.0 > a.0 + 0.5 && p.0 < a.2 - 0.5 && p.1 > a.1 + 0.5 && p.1 < a.3 - 0.5
                };
                let hit = curves.iter().flatten().find(inside);
                assert!(
                    hit.is_none(),
                    "seed {seed}: an edge at {hit:?} runs through {a:?}"
                );
            }
        }
    }
}

#[test]
fn hostile_names_are_text() {
    let hostile = "</text><script>alert(1)</script>\"]; x [label=\"\u{1}&";
    for (figure, picture) in drawn(&traced("a: b c\nb: d\nc: d\nd: ret"), hostile) {
        let svg = picture.svg(&figure);
        let document = roxmltree::Document::parse(&svg).expect("well-formed");
        assert!(document.descendants().all(|n| !n.has_tag_name("script")));
        assert!(
            document
                .descendants()
                .any(|n| n.text().is_some_and(|t| t.starts_with("</text><script>")))
        );
        assert!(!dot(&figure).contains("x [label"));
    }
}

#[test]
fn two_graphs_are_side_by_side() {
    let drawn = drawn(
        &traced("a: b\nb: c d\nc: b e\nd: e f\ne: b g\nf: g\ng: ret"),
        "main",
    );
    let (first, last) = (&drawn[0], drawn.last().unwrap());
    let both = side_by_side(&[("before", &first.0, &first.1), ("after", &last.0, &last.1)]);
    let document = roxmltree::Document::parse(&both).expect("well-formed");
    assert_eq!(
        document
            .descendants()
            .filter(|n| n.has_attribute("data-node"))
            .count(),
        first.0.nodes.len() + last.0.nodes.len()
    );
}

#[test]
fn what_is_too_large_is_an_error() {
    let chain = |count: usize| {
        (0..count)
            .map(|i| {
                if i + 1 < count {
                    format!("n{i}: n{}\n", i + 1)
                } else {
                    format!("n{i}: ret\n")
                }
            })
            .collect::<String>()
    };
    let figure = |count| Figure::new(&traced(&chain(count)).snapshots[0], &|_| None);
    assert!(Picture::of(&figure(MAX_NODES)).is_ok());
    assert_eq!(
        Picture::of(&figure(MAX_NODES + 1)).unwrap_err(),
        Error::TooLarge {
            nodes: MAX_NODES + 1,
            edges: MAX_NODES
        }
    );
    // Few nodes, but each edge to the end would run through all rows.
    let many: String = (0..600)
        .map(|i| format!("n{i}: n{} z\n", i + 1))
        .chain(["n600: ret\nz: ret\n".to_owned()])
        .collect();
    let figure = Figure::new(&traced(&many).snapshots[0], &|_| None);
    assert_eq!(
        Picture::of(&figure).unwrap_err(),
        Error::TooLarge {
            nodes: 602,
            edges: 1200
        }
    );
}

#[test]
fn graphviz_places_are_read() {
    let trace = traced("a: b\nb: ret");
    let figure = Figure::new(&trace.snapshots[0], &|_| None);
    assert!(dot_for_layout(&figure).contains("n0 -> n1"));
    let plain = "graph 1 1 2\nnode n0 0.5 1.75 0.75 0.5 \"\" solid box black lightgrey\nnode n1 0.5 0.25 0.75 0.5 \"\" solid box black lightgrey\n\
                 edge n0 n1 4 0.5 1.5 0.5 1.2 0.5 1.0 0.5 0.6 solid black\nstop\n";
    let (boxes, curves) = read(&Picture::of_plain(&figure, plain).unwrap().svg(&figure));
    assert_eq!(boxes, [(0.0, 0.0, 54.0, 36.0), (0.0, 108.0, 54.0, 144.0)]);
    assert_eq!((curves.len(), curves[0][0]), (1, (27.0, 36.0)));
    for wrong in [
        "",
        "node n7 1 1 1 1",
        "node n0 nan 1 1 1\nnode n1 1 1 1 1",
        "edge n0 n1 99999999999 1 1",
    ] {
        assert!(
            matches!(Picture::of_plain(&figure, wrong), Err(Error::Layout { .. })),
            "{wrong}"
        );
    }
}
