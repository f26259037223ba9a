//! `cargo campaign optimum`: results of the structurizer against the least cost that any structured
//! program needs, for every graph of few blocks.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use structurizer_testkit::check::{Checks, check_function};
use structurizer_testkit::generate::{FillOptions, Rng, fill};
use structurizer_testkit::optimum::{self, Digraph, all_graphs};
use trellis_structurizer::text;

/// Arguments of the command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    /// The most blocks of graphs with two-way branches.
    #[arg(long, value_name = "N", default_value_t = 6)]
    blocks: usize,
    /// The most blocks of graphs with three-way switches, too.
    #[arg(long, value_name = "N", default_value_t = 5)]
    switches: usize,
    /// Take only this part of the graphs, like 1/50.
    #[arg(long, value_name = "I/K", value_parser = parse_part, default_value = "1/1")]
    part: (u64, u64),
    /// Check each result, too: rules, traces, lane sets, determinism, size.
    #[arg(long)]
    check: bool,
    /// Do not search for the optimum.
    #[arg(long, requires = "check")]
    only_check: bool,
    /// Fail if more graphs of a size are above the optimum than the table of this file says; with
    /// TRELLIS_BLESS=1, write the table there.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["part", "only_check"])]
    published: Option<PathBuf>,
}

fn parse_part(text: &str) -> Result<(u64, u64), String> {
    let part = text
        .split_once('/')
        .and_then(|(i, k)| Some((i.parse().ok()?, k.parse().ok()?)));
    part.filter(|&(i, k)| (1..=k).contains(&i))
        .ok_or_else(|| "expected a part and the number of parts, like 1/50".to_owned())
}

/// Results for some graphs.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    graphs: usize,
    /// Graphs whose result costs nothing.
    free: usize,
    /// Graphs whose result costs one more than the optimum, and several more.
    above: [usize; 2],
}

impl std::ops::AddAssign for Row {
    fn add_assign(&mut self, other: Self) {
        self.graphs += other.graphs;
        self.free += other.free;
        self.above[0] += other.above[0];
        self.above[1] += other.above[1];
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            graphs,
            free,
            above,
        } = self;
        let all = above[0] + above[1];
        let share = 100.0 * all as f64 / (*graphs).max(1) as f64;
        let (optimal, [one, more]) = (graphs - all, above);
        write!(
            f,
            "{graphs} | {free} | {optimal} | {one} | {more} | {share:.1} %"
        )
    }
}

/// The header of the table.
const HEADER: &str = "\
| blocks | ways | graphs | neither tests nor breakable blocks | at the optimum | one above | more above | above |
|--:|--:|--:|--:|--:|--:|--:|--:|";

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let two = (1..=arguments.blocks).map(|blocks| (blocks, 2));
    let three = (3..=arguments.switches).map(|blocks| (blocks, 3));
    let (mut total, mut failed) = (Row::default(), 0);
    let mut lines = vec![HEADER.to_owned()];
    println!("{HEADER}");
    let mut add = |line: String| {
        println!("{line}");
        lines.push(line);
    };
    for (blocks, ways) in two.chain(three) {
        let mut row = Row::default();
        for (graph, outcome) in outcomes(blocks, ways, arguments) {
            row.graphs += 1;
            match outcome {
                Ok((cost, gap)) => {
                    row.free += usize::from(cost == 0);
                    if gap > 0 {
                        row.above[usize::from(gap > 1)] += 1;
                    }
                }
                Err(failure) => {
                    failed += 1;
                    let graph = text::print(&optimum::function(&graph));
                    eprintln!("# {failure}\n{graph}");
                }
            }
        }
        add(format!("| {blocks} | {ways} | {row} |"));
        total += row;
    }
    add(format!("| all | | {total} |"));
    if failed > 0 {
        eprintln!("{failed} results are wrong");
    }
    if let Some(file) = &arguments.published {
        publish(file, &lines)?;
    }
    Ok(crate::status(failed == 0))
}

/// Compares a table with the one in a file, or writes it there.
fn publish(file: &Path, table: &[String]) -> Result<(), String> {
    let at = |error: std::io::Error| format!("{}: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(at)?;
    let table = table.join("\n");
    let (before, rest) = text
        .split_once(HEADER)
        .ok_or_else(|| format!("{} has no such table", file.display()))?;
    let rows = rest.split('\n').skip(1);
    let end: usize = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.len() + 1)
        .sum();
    if std::env::var_os("TRELLIS_BLESS").is_some_and(|value| value == "1") {
        let after = &rest[end..];
        return std::fs::write(file, format!("{before}{table}{after}")).map_err(at);
    }
    let published = above(&rest[..=end]);
    for (size, count) in above(&table) {
        match published.get(&size) {
            Some(&most) if count <= most => {}
            _ => {
                return Err(format!(
                    "{count} graphs ({size}) are above the optimum, more than {} says",
                    file.display()
                ));
            }
        }
    }
    Ok(())
}

/// Returns the number of graphs above the optimum in each row of a table.
fn above(table: &str) -> BTreeMap<String, usize> {
    let read = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let graphs: usize = cells.get(3)?.parse().ok()?;
        let optimal: usize = cells.get(5)?.parse().ok()?;
        let size = format!("{} blocks, {} ways", cells.get(1)?, cells.get(2)?);
        Some((size, graphs.checked_sub(optimal)?))
    };
    table.lines().filter_map(read).collect()
}

/// The cost of a result, and how much less the optimum costs; or why the result is wrong.
type Outcome = Result<(u32, u32), String>;

/// Structurizes each graph of a size.
fn outcomes(blocks: usize, ways: u32, arguments: &Arguments) -> Vec<(Digraph, Outcome)> {
    let (part, parts) = arguments.part;
    // A part is spread over the graphs, of which neighbours are alike.
    let is_in = |index: u64| Rng::new(index).next_u64() % parts == part - 1;
    let all = all_graphs(blocks, ways).into_iter().zip(0..);
    let graphs: Vec<Digraph> = all.filter_map(|(g, i)| is_in(i).then_some(g)).collect();
    let bar = ProgressBar::new(graphs.len() as u64);
    let one = |graph: Digraph| {
        let checked = if arguments.check {
            check(&graph)
        } else {
            Ok(())
        };
        let outcome = checked.and_then(|()| match arguments.only_check {
            true => Ok((0, 0)),
            false => optimum::compare(&graph).map_err(|error| error.to_string()),
        });
        bar.inc(1);
        (graph, outcome)
    };
    let outcomes = graphs.into_par_iter().map(one).collect();
    bar.finish_and_clear();
    outcomes
}

/// Checks the result of a graph, plain and with convergent instructions, phis and values.
fn check(graph: &Digraph) -> Result<(), String> {
    let convergent = FillOptions {
        convergent: 100,
        phis: 100,
        ..FillOptions::default()
    };
    let functions = [
        optimum::function(graph),
        fill(&graph.shape(), &mut Rng::new(1), &convergent),
    ];
    // Three graphs of 5 blocks with three-way switches among each other become 37 and 38 blocks.
    let checks = Checks {
        growth: 7,
        ..Checks::default()
    };
    for func in &functions {
        check_function(func, &checks).map_err(|failure| failure.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{HEADER, above, parse_part, publish};

    #[test]
    fn a_part_is_two_numbers() {
        assert_eq!(parse_part("2/50"), Ok((2, 50)));
        for text in ["", "0/5", "6/5", "1", "a/b"] {
            assert!(parse_part(text).is_err(), "{text}");
        }
    }
    #[test]
    fn a_table_is_compared_with_the_published_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("README.md");
        let table = |optimal: usize| {
            let row = format!("| 3 | 2 | 18 | 15 | {optimal} | 2 | 0 | 11.1 % |");
            vec![HEADER.to_owned(), row]
        };
        std::fs::write(&file, format!("a\n{}\n\nb\n", table(16).join("\n"))).unwrap();
        assert_eq!(above(&table(16).join("\n"))["3 blocks, 2 ways"], 2);
        assert_eq!(publish(&file, &table(16)), Ok(()));
        assert_eq!(publish(&file, &table(17)), Ok(()));
        assert!(publish(&file, &table(15)).is_err());
    }
}
