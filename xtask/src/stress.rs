//! `cargo xtask stress`: random graphs on all threads, each result checked, each failure shrunk.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use rayon::prelude::*;
use structurizer_testkit::check::{Checks, Failure, check_function, failure, shrink};
use structurizer_testkit::generate::{mixed_size, random_function};
use trellis_structurizer::Target;
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::print;

/// Maximum number of tests of a failing graph while it is shrunk.
const SHRINK_TESTS: usize = 4000;

/// Maximum number of failures of one kind that are shrunk and reported; the rest are counted.
const REPORTED_PER_KIND: usize = 3;

/// Arguments of the command.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The seeds, like 1..1000; the last one is not among them.
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, conflicts_with = "count")]
    seeds: Option<Range<u64>>,
    /// Number of graphs, from seed 1 on (default: 10000, or unlimited if --minutes is given)
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// The most blocks of a graph.
    #[arg(long, value_name = "MAX", default_value_t = 200)]
    blocks: usize,
    /// Stop after this many minutes.
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
    /// Number of threads (default: one per core)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// Structurize for this target, like `wgsl` or `rust`.
    #[arg(long, value_name = "NAME", default_value = "spirv", value_parser = parse_target)]
    target: Target,
    /// Let at most one block return.
    #[arg(long)]
    single_return: bool,
    /// Write the shrunk graphs of failures to this folder, as `.cfg` files.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// One failure, shrunk.
#[derive(Debug)]
struct Reported {
    seed: u64,
    /// The message for the original graph.
    message: String,
    /// The message for the shrunk graph.
    shrunk: String,
    /// The shrunk graph.
    graph: String,
}

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        writeln!(f, "# seed {}: {}", self.seed, first(&self.message))?;
        writeln!(f, "# shrunk: {}", first(&self.shrunk))?;
        f.write_str(&self.graph)
    }
}

/// The result of a run. Its text is the last line of the command.
#[derive(Debug, Default)]
struct Summary {
    /// The seeds that were checked.
    seeds: Range<u64>,
    failed: u64,
    /// Number of failures of each kind, up to the reported ones.
    kinds: BTreeMap<String, usize>,
    failures: Vec<Reported>,
    seconds: f64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.seeds;
        let (checked, failed) = (end - start, self.failed);
        write!(
            f,
            "checked {checked} graphs, failed {failed}, seeds {start}..{end}"
        )?;
        write!(f, ", seconds {:.0}", self.seconds)
    }
}

/// Reads `A..B`.
pub(crate) fn parse_seeds(text: &str) -> Result<Range<u64>, String> {
    let range = text
        .split_once("..")
        .and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?));
    range
        .filter(|range: &Range<u64>| range.start < range.end)
        .ok_or_else(|| "expected two numbers, the smaller one first, like 1..1000".to_owned())
}

/// Reads the name of a target.
fn parse_target(name: &str) -> Result<Target, String> {
    let names = || Target::PROFILES.map(|profile| profile.0).join(", ");
    Target::from_name(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    // Panics are failures of the graph on which they happen, and are reported with it.
    std::panic::set_hook(Box::new(|_| {}));
    let mut checks = Checks {
        target: arguments.target.with_single_return(arguments.single_return),
        ..Checks::default()
    };
    if checks.target != Target::SPIRV {
        // A label is a block, and a selector that others are spared is one.
        checks.growth = 8;
    }
    let summary = check_all(arguments, &|func| check_function(func, &checks))?;
    for failure in &summary.failures {
        eprintln!("{failure}");
    }
    println!("{summary}");
    Ok(crate::status(summary.failed == 0))
}

/// Checks all seeds, or as many as the time allows: always a range from the first on. Each thread
/// holds one graph at a time.
fn check_all(
    arguments: &Arguments,
    check: &(dyn Fn(&Function) -> Result<(), Failure> + Sync),
) -> Result<Summary, String> {
    let start = Instant::now();
    let deadline = arguments
        .minutes
        .and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok())
        .and_then(|time| start.checked_add(time));
    let count = match arguments.minutes {
        Some(_) => u64::MAX - 1,
        None => 10_000,
    };
    let all = 1..arguments.count.unwrap_or(count).saturating_add(1);
    let all = arguments.seeds.clone().unwrap_or(all);
    let mut end = all.start;
    let bar = match deadline {
        Some(_) => ProgressBar::no_length(),
        None => ProgressBar::new(all.end - all.start),
    };
    let seeds = all
        .clone()
        .take_while(|_| deadline.is_none_or(|time| Instant::now() < time));
    let seeds = seeds.inspect(|seed| end = seed + 1);
    let summary = Mutex::new(Summary::default());
    crate::threads(arguments.jobs)?.install(|| {
        seeds.par_bridge().for_each(|seed| {
            let func = random_function(seed, mixed_size(seed, arguments.blocks));
            if let Some(found) = failure(&func, check) {
                report(&summary, seed, func, &found, check);
            }
            bar.inc(1);
        });
    });
    bar.finish_and_clear();
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.failures.sort_by_key(|failure| failure.seed);
    summary.seeds = all.start..end;
    summary.seconds = start.elapsed().as_secs_f64();
    let folder = arguments
        .out
        .as_ref()
        .filter(|_| !summary.failures.is_empty());
    if let Some(folder) = folder {
        let at = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(at)?;
        for failure in &summary.failures {
            let file = folder.join(format!("seed_{}.cfg", failure.seed));
            std::fs::write(file, failure.to_string()).map_err(at)?;
        }
    }
    Ok(summary)
}

/// Counts a failure; the first ones of each kind are shrunk and reported.
fn report(
    summary: &Mutex<Summary>,
    seed: u64,
    func: Function,
    found: &Failure,
    check: &(dyn Fn(&Function) -> Result<(), Failure> + Sync),
) {
    let summary = || summary.lock().unwrap_or_else(PoisonError::into_inner);
    let kind = found.kind();
    {
        let mut summary = summary();
        summary.failed += 1;
        let count = summary.kinds.entry(kind.clone()).or_default();
        if *count == REPORTED_PER_KIND {
            return;
        }
        *count += 1;
    }
    let is_same = |smaller: &Function| failure(smaller, check).is_some_and(|f| f.kind() == kind);
    let small = shrink(func, SHRINK_TESTS, &is_same);
    let shrunk = failure(&small, check).map(|failure| failure.to_string());
    summary().failures.push(Reported {
        seed,
        message: found.to_string(),
        shrunk: shrunk.unwrap_or_default(),
        graph: print(&small),
    });
}

#[cfg(test)]
mod tests {
    use super::{Arguments, check_all, parse_seeds};
    use structurizer_testkit::check::{Checks, Failure, check_function};
    use trellis_structurizer::Target;
    use trellis_structurizer::ir::{Function, Terminator};
    use trellis_structurizer::text::parse;

    fn arguments(seeds: std::ops::Range<u64>) -> Arguments {
        Arguments {
            seeds: Some(seeds),
            count: None,
            blocks: 30,
            minutes: None,
            jobs: 2,
            target: Target::SPIRV,
            single_return: false,
            out: None,
        }
    }

    fn kills(func: &Function) -> bool {
        func.blocks()
            .any(|block| func.terminator(block) == Some(Terminator::Kill))
    }

    #[test]
    fn seeds_are_two_numbers() {
        assert_eq!(parse_seeds("1..5"), Ok(1..5));
        for text in ["", "5", "5..1", "1..=5", "a..b", "3..3"] {
            assert!(parse_seeds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn random_graphs_pass() {
        let summary = check_all(&arguments(1..301), &|func| {
            check_function(func, &Checks::default())
        })
        .unwrap();
        assert_eq!(
            (summary.failed, summary.seeds.clone()),
            (0, 1..301),
            "{:?}",
            summary.failures
        );
        assert!(
            summary
                .to_string()
                .starts_with("checked 300 graphs, failed 0, seeds 1..301, seconds "),
            "{summary}"
        );
    }

    #[test]
    fn an_injected_fault_is_counted_shrunk_and_written() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = Arguments {
            out: Some(folder.path().join("new")),
            ..arguments(1..201)
        };
        let fault = |func: &Function| {
            if kills(func) {
                Err(Failure::NotDeterministic)
            } else {
                Ok(())
            }
        };
        let summary = check_all(&arguments, &fault).unwrap();
        assert!(
            summary.failed > 10 && summary.seeds == (1..201),
            "{summary}"
        );
        assert_eq!(summary.failures.len(), super::REPORTED_PER_KIND);
        for failure in &summary.failures {
            let text = std::fs::read_to_string(
                folder.path().join(format!("new/seed_{}.cfg", failure.seed)),
            )
            .unwrap();
            let func = parse(&text).unwrap();
            assert!(kills(&func) && func.num_blocks() <= 2, "{text}");
            assert!(
                text.starts_with(&format!("# seed {}: two runs", failure.seed)),
                "{text}"
            );
        }
    }

    #[test]
    fn a_panic_is_a_failure_of_its_graph_alone() {
        let fault = |func: &Function| {
            if kills(func) {
                panic!("injected, {} blocks", func.num_blocks())
            } else {
                Ok(())
            }
        };
        let summary = check_all(&arguments(1..41), &fault).unwrap();
        assert!(
            summary.seeds == (1..41) && summary.failed > 0 && summary.failed < 40,
            "{summary}"
        );
        assert!(
            summary
                .failures
                .iter()
                .all(|failure| failure.message.starts_with("panic: injected")
                    && (failure.shrunk.ends_with(" 1 blocks")
                        || failure.shrunk.ends_with(" 2 blocks"))),
            "{:?}",
            summary.failures
        );
    }

    #[test]
    fn time_ends_a_run_without_a_last_seed() {
        let arguments = Arguments {
            minutes: Some(0.002),
            ..arguments(7..u64::MAX)
        };
        let summary = check_all(&arguments, &|_| Ok(())).unwrap();
        assert!(
            summary.seeds.start == 7 && summary.seeds.end > 7 && summary.seconds < 30.0,
            "{summary}"
        );
    }
}
