//! `cargo xtask optimum`: results of the structurizer against the least cost that any structured
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
use structurizer_testkit::optimum::{self, Comparison, Digraph, TEST, all_graphs};
use trellis_structurizer::{Options, Stage, Tree, structurize, text};

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
    /// Print so many graphs of each gap with their trees, those with the fewest blocks first.
    #[arg(long, value_name = "N", default_value_t = 0)]
    list: usize,
    /// Check each result, too: rules, traces, lane sets, determinism, size.
    #[arg(long)]
    check: bool,
    /// Disable a stage for the comparison; may be given several times.
    #[arg(long, value_name = "STAGE", value_parser = parse_stage, conflicts_with = "published")]
    without: Vec<Stage>,
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

fn parse_stage(name: &str) -> Result<Stage, String> {
    Stage::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Stage::TABLE.iter().map(|info| info.name).collect();
        format!("expected a stage: {}", names.join(", "))
    })
}

impl Arguments {
    fn options(&self) -> Options {
        let mut options = Options::default();
        for &stage in &self.without {
            options.stages = options.stages.without(stage);
        }
        options
    }
}

/// Graphs of one size: blocks, and the most successors of a block.
type Size = (usize, u32);

/// What was found for some graphs.
#[derive(Clone, Debug, Default)]
struct Row {
    graphs: usize,
    /// Graphs whose result has neither tests nor breakable blocks.
    free: usize,
    /// Number of graphs by gap.
    gaps: BTreeMap<u32, usize>,
}

impl Row {
    fn above(&self) -> usize {
        self.gaps.values().sum()
    }
    fn count(&self, range: impl std::ops::RangeBounds<u32>) -> usize {
        self.gaps.range(range).map(|(_, count)| count).sum()
    }
    fn share(&self) -> f64 {
        100.0 * self.above() as f64 / self.graphs.max(1) as f64
    }
    fn add(&mut self, other: &Self) {
        self.graphs += other.graphs;
        self.free += other.free;
        for (&gap, &count) in &other.gaps {
            *self.gaps.entry(gap).or_default() += count;
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} | {} | {} | {} | {} | {} | {:.1} %",
            self.graphs,
            self.free,
            self.graphs - self.above(),
            self.count(1..TEST),
            self.count(TEST..=TEST),
            self.count(TEST + 1..),
            self.share()
        )
    }
}

/// A graph and what was found.
struct Outcome {
    graph: Digraph,
    comparison: Option<Comparison>,
    failure: Option<String>,
}

/// The header of the table.
const HEADER: &str = "\
| blocks | ways | graphs | neither tests nor breakable blocks | at the optimum | less than a test above | one test above | more above | above |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let two = (1..=arguments.blocks).map(|blocks| (blocks, 2));
    let three = (3..=arguments.switches).map(|blocks| (blocks, 3));
    let sizes: Vec<Size> = two.chain(three).collect();
    let mut total = Row::default();
    let mut failed = 0;
    let mut lines = vec![HEADER.to_owned()];
    println!("{HEADER}");
    let mut listed = Vec::new();
    for (blocks, ways) in sizes {
        let outcomes = outcomes((blocks, ways), arguments);
        let mut row = Row {
            graphs: outcomes.len(),
            ..Row::default()
        };
        for outcome in outcomes {
            if let Some(failure) = &outcome.failure {
                failed += 1;
                let graph = text::print(&optimum::function(&outcome.graph));
                eprintln!("# {failure}\n{graph}");
            }
            let Some(comparison) = outcome.comparison else {
                continue;
            };
            row.free += usize::from(comparison.measure.cost() == 0);
            if comparison.gap() > 0 {
                *row.gaps.entry(comparison.gap()).or_default() += 1;
                listed.push((outcome.graph, comparison));
            }
        }
        lines.push(format!("| {blocks} | {ways} | {row} |"));
        println!("| {blocks} | {ways} | {row} |");
        total.add(&row);
    }
    lines.push(format!("| all | | {total} |"));
    println!("| all | | {total} |");
    list(arguments, listed);
    if failed > 0 {
        eprintln!("{failed} results are wrong");
    }
    if let Some(file) = &arguments.published {
        publish(file, &lines)?;
    }
    Ok(crate::status(failed == 0))
}

/// Compares a table with that of a file, or writes it there.
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

/// Compares the graphs of one size, in their order.
fn outcomes((blocks, ways): Size, arguments: &Arguments) -> Vec<Outcome> {
    let (part, parts) = arguments.part;
    // A part is spread over the graphs, of which neighbours are alike.
    let is_in = |index: u64| Rng::new(index).next_u64() % parts == part - 1;
    let graphs: Vec<Digraph> = all_graphs(blocks, ways)
        .into_iter()
        .zip(0..)
        .filter(|(_, index)| is_in(*index))
        .map(|(graph, _)| graph)
        .collect();
    let bar = ProgressBar::new(graphs.len() as u64);
    let outcomes = graphs
        .into_par_iter()
        .map(|graph| {
            let outcome = one(graph, arguments);
            bar.inc(1);
            outcome
        })
        .collect();
    bar.finish_and_clear();
    outcomes
}

fn one(graph: Digraph, arguments: &Arguments) -> Outcome {
    let mut failure = None;
    if arguments.check {
        failure = check(&graph).err();
    }
    let mut comparison = None;
    if !arguments.only_check {
        match optimum::compare(&graph, &arguments.options()) {
            Ok(found) => comparison = Some(found),
            Err(error) => failure = Some(error.to_string()),
        }
    }
    Outcome {
        graph,
        comparison,
        failure,
    }
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

/// Prints some graphs of each gap, with both trees.
fn list(arguments: &Arguments, mut found: Vec<(Digraph, Comparison)>) {
    let (count, options) = (arguments.list, arguments.options());
    found.sort_by_key(|(_, comparison)| std::cmp::Reverse(comparison.gap()));
    for same in found.chunk_by(|a, b| a.1.gap() == b.1.gap()) {
        for (graph, comparison) in same.iter().take(count) {
            let func = optimum::function(graph);
            println!("\n# {:?}, {} above", comparison.measure, comparison.gap());
            print!("{}", text::print(&func));
            if let Ok(after) = structurize(func, &options) {
                print!("# the result\n{}", Tree::of(&after));
            }
            if let Some(better) = &comparison.better {
                match &better.program {
                    Ok(program) => {
                        print!("# the optimum\n{}", Tree::of(program).with_instructions());
                    }
                    Err(error) => println!("# the optimum: {error}"),
                }
            }
        }
    }
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
            let row = format!("| 3 | 2 | 18 | 15 | {optimal} | 0 | 2 | 0 | 11.1 % |");
            vec![HEADER.to_owned(), row]
        };
        std::fs::write(&file, format!("a\n{}\n\nb\n", table(16).join("\n"))).unwrap();
        assert_eq!(above(&table(16).join("\n"))["3 blocks, 2 ways"], 2);
        assert_eq!(publish(&file, &table(16)), Ok(()));
        assert_eq!(publish(&file, &table(17)), Ok(()));
        assert!(publish(&file, &table(15)).is_err());
    }
}
