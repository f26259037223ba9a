//! Families of control-flow graphs whose cost must grow in proportion to their size, in the short text form of `structurizer::text`.
//!
//! Each is a shape on which a structurizer of the field is known to explode.

use std::fmt::Write;

/// A family: its name, and the graph of a size.
pub type Family = (&'static str, fn(usize) -> String);

/// All families.
pub const FAMILIES: [Family; 12] = [
    ("chain of ifs", chain_of_ifs),
    ("else-if ladder", else_if_ladder),
    ("early returns", early_returns),
    ("nested ifs", nested_ifs),
    ("loops in a row", loops_in_a_row),
    ("nested loops", nested_loops),
    ("return from nested loops", return_from_nested_loops),
    ("unrolled breaks", unrolled_breaks),
    ("unrolled breaks, three targets", unrolled_breaks_to_three),
    ("switch", switch),
    ("switch with fall-through", switch_with_fall_through),
    ("irreducible chain", irreducible_chain),
];

/// Collects lines; writing to a string cannot fail.
struct Graph(String);

impl Graph {
    fn new() -> Self {
        Self(String::new())
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{line}");
    }
}

/// `if (c0) {…} if (c1) {…} …`
fn chain_of_ifs(n: usize) -> String {
    let mut graph = Graph::new();
    for i in 0..n {
        graph.line(format_args!("h{i}: t{i} h{}", i + 1));
        graph.line(format_args!("t{i}: h{}", i + 1));
    }
    graph.line(format_args!("h{n}: ret"));
    graph.0
}

/// `if (c0) {…} else if (c1) {…} …`
fn else_if_ladder(n: usize) -> String {
    let mut graph = Graph::new();
    for i in 0..n {
        graph.line(format_args!("h{i}: t{i} h{}", i + 1));
        graph.line(format_args!("t{i}: end"));
    }
    graph.line(format_args!("h{n}: end"));
    graph.line(format_args!("end: ret"));
    graph.0
}

/// `if (c0) {…; return;} …` with a common epilogue.
fn early_returns(n: usize) -> String {
    let mut graph = Graph::new();
    for i in 0..n {
        graph.line(format_args!("h{i}: t{i} n{i}"));
        graph.line(format_args!("t{i}: r{i} n{i}"));
        graph.line(format_args!("r{i}: end"));
        graph.line(format_args!("n{i}: h{}", i + 1));
    }
    graph.line(format_args!("h{n}: end"));
    graph.line(format_args!("end: ret"));
    graph.0
}

/// `if (c0) { if (c1) { … } }`
fn nested_ifs(n: usize) -> String {
    let mut graph = Graph::new();
    for i in 0..n {
        graph.line(format_args!("h{i}: h{} m{i}", i + 1));
    }
    graph.line(format_args!("h{n}: {}", if n > 0 { format!("m{}", n - 1) } else { "end".to_owned() }));
    for i in (0..n).rev() {
        graph.line(format_args!("m{i}: {}", if i > 0 { format!("m{}", i - 1) } else { "end".to_owned() }));
    }
    graph.line(format_args!("end: ret"));
    graph.0
}

/// `while (c0) {…} while (c1) {…} …`
fn loops_in_a_row(n: usize) -> String {
    let mut graph = Graph::new();
    graph.line(format_args!("entry: h0"));
    for i in 0..n {
        graph.line(format_args!("h{i}: b{i} h{}", i + 1));
        graph.line(format_args!("b{i}: h{i}"));
    }
    graph.line(format_args!("h{n}: ret"));
    graph.0
}

/// `while (c0) { while (c1) { … } }`
fn nested_loops(n: usize) -> String {
    let mut graph = Graph::new();
    graph.line(format_args!("entry: h0"));
    for i in 0..n {
        let exit = if i > 0 { format!("l{}", i - 1) } else { "end".to_owned() };
        graph.line(format_args!("h{i}: h{} {exit}", i + 1));
    }
    graph.line(format_args!("h{n}: {}", if n > 0 { format!("l{}", n - 1) } else { "end".to_owned() }));
    for i in (0..n).rev() {
        graph.line(format_args!("l{i}: h{i}"));
    }
    graph.line(format_args!("end: ret"));
    graph.0
}

/// The same, and the innermost block may leave them all.
fn return_from_nested_loops(n: usize) -> String {
    let inner = if n > 0 { format!("h{n}: l{} out", n - 1) } else { "h0: out".to_owned() };
    let plain = if n > 0 { format!("h{n}: l{}\n", n - 1) } else { "h0: end\n".to_owned() };
    nested_loops(n).replace(&plain, &format!("{inner}\n")).replace("end: ret", "end: ret\nout: ret")
}

/// A loop that was unrolled: `if (c0) break; … if (c1) break; …` to one block.
fn unrolled_breaks(n: usize) -> String {
    let mut graph = Graph::new();
    for i in 0..n {
        graph.line(format_args!("b{i}: out b{}", i + 1));
    }
    graph.line(format_args!("b{n}: out"));
    graph.line(format_args!("out: ret"));
    graph.0
}

/// The same with breaks to three blocks in turn, which go on to the next.
fn unrolled_breaks_to_three(n: usize) -> String {
    let mut graph = Graph::new();
    for i in 0..n {
        graph.line(format_args!("b{i}: out{} b{}", i % 3, i + 1));
    }
    graph.line(format_args!("b{n}: out0"));
    graph.line(format_args!("out0: out1\nout1: out2\nout2: ret"));
    graph.0
}

/// A switch of `n` cases that all break.
fn switch(n: usize) -> String {
    let mut graph = Graph::new();
    let cases: String = (0..n).fold(String::new(), |mut text, i| {
        let _ = write!(text, " c{i}");
        text
    });
    graph.line(format_args!("entry: switch end{cases}"));
    for i in 0..n {
        graph.line(format_args!("c{i}: end"));
    }
    graph.line(format_args!("end: ret"));
    graph.0
}

/// A switch of `n` cases that all fall through.
fn switch_with_fall_through(n: usize) -> String {
    let mut graph = Graph::new();
    let cases: String = (0..n).fold(String::new(), |mut text, i| {
        let _ = write!(text, " c{i}");
        text
    });
    graph.line(format_args!("entry: switch end{cases}"));
    for i in 0..n {
        let next = if i + 1 < n { format!("c{}", i + 1) } else { "end".to_owned() };
        graph.line(format_args!("c{i}: {next}"));
    }
    graph.line(format_args!("end: ret"));
    graph.0
}

/// Cycles of two blocks that are both entered from outside, one after the other.
fn irreducible_chain(n: usize) -> String {
    let mut graph = Graph::new();
    for i in 0..n {
        graph.line(format_args!("h{i}: x{i} y{i}"));
        graph.line(format_args!("x{i}: y{i} h{}", i + 1));
        graph.line(format_args!("y{i}: x{i}"));
    }
    graph.line(format_args!("h{n}: ret"));
    graph.0
}

#[cfg(test)]
mod tests {
    use super::FAMILIES;

    #[test]
    fn every_family_is_a_graph_that_structurizes() {
        for (name, make) in FAMILIES {
            for n in [0, 1, 2, 9] {
                let text = make(n);
                let function = structurizer::text::parse(&text).unwrap_or_else(|error| panic!("{name}, {n}: {error}\n{text}"));
                assert!(function.num_blocks() > n, "{name}, {n}");
                let result = structurizer::structurize(function, &structurizer::Options::default());
                assert!(result.is_ok(), "{name}, {n}: {:?}", result.err());
            }
        }
    }
}
