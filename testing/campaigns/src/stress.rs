//! `cargo campaign stress`: random graphs on all threads, each result checked, each failure shrunk.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use gpu_test::worker_process::{for_seeds, parse_seeds};
use indicatif::ProgressBar;
use structurizer_testkit::check::{Checks, Failure, check_function, failure, shrunk};
use structurizer_testkit::generate::{mixed_size, random_function};
use trellis_structurizer::Target;
use trellis_structurizer::ir::Function;

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

/// The result of a run. Its text is the last line of the command.
#[derive(Debug, Default)]
struct Summary {
    /// The seeds that were checked.
    seeds: Range<u64>,
    failed: u64,
    /// Number of failures of each kind.
    kinds: BTreeMap<String, usize>,
    /// Failures with their seeds, shrunk, as graphs with comments.
    failures: BTreeMap<u64, String>,
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
    for graph in summary.failures.values() {
        eprintln!("{graph}");
    }
    println!("{summary}");
    Ok(crate::status(summary.failed == 0))
}

/// Checks the seeds in order, until the time is over. Each thread holds one graph at a time.
fn check_all(
    arguments: &Arguments,
    check: &(dyn Fn(&Function) -> Result<(), Failure> + Sync),
) -> Result<Summary, String> {
    let start = Instant::now();
    let count = match arguments.minutes {
        Some(_) => u64::MAX - 1,
        None => 10_000,
    };
    let all = 1..arguments.count.unwrap_or(count).saturating_add(1);
    let all = arguments.seeds.clone().unwrap_or(all);
    let bar = match arguments.minutes {
        Some(_) => ProgressBar::no_length(),
        None => ProgressBar::new(all.end - all.start),
    };
    let summary = Mutex::new(Summary {
        seeds: all.start..all.start,
        ..Summary::default()
    });
    let lock = || summary.lock().unwrap_or_else(PoisonError::into_inner);
    let one = |_: &mut (), seed| {
        let func = random_function(seed, mixed_size(seed, arguments.blocks));
        let found = failure(&func, check);
        if let Some(found) = found.filter(|found| lock().is_reported(found)) {
            let graph = format!("# seed {seed}: {}", shrunk(func, &found, check));
            lock().failures.insert(seed, graph);
        }
        lock().seeds.end += 1;
        bar.inc(1);
        Ok(())
    };
    let jobs = match arguments.jobs {
        0 => std::thread::available_parallelism().map_or(1, Into::into),
        jobs => jobs,
    };
    for_seeds(&all, arguments.minutes, jobs, || Ok::<_, String>(()), one)?;
    bar.finish_and_clear();
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.seconds = start.elapsed().as_secs_f64();
    if let Some(folder) = { arguments.out.as_ref() }.filter(|_| !summary.failures.is_empty()) {
        let at = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(at)?;
        for (seed, graph) in &summary.failures {
            std::fs::write(folder.join(format!("seed_{seed}.cfg")), graph).map_err(at)?;
        }
    }
    Ok(summary)
}

impl Summary {
    /// Counts a failure; the first ones of each kind are shrunk and reported.
    fn is_reported(&mut self, found: &Failure) -> bool {
        self.failed += 1;
        let count = self.kinds.entry(found.kind()).or_default();
        *count += 1;
        *count <= REPORTED_PER_KIND
    }
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
        for (seed, graph) in &summary.failures {
            let file = folder.path().join(format!("new/seed_{seed}.cfg"));
            let text = std::fs::read_to_string(file).unwrap();
            assert_eq!(text, *graph);
            let func = parse(&text).unwrap();
            assert!(kills(&func) && func.num_blocks() <= 2, "{text}");
            let start = format!("# seed {seed}: two runs");
            assert!(text.starts_with(&start), "{text}");
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
        for (seed, text) in &summary.failures {
            let start = format!("# seed {seed}: panic: injected");
            assert!(text.starts_with(&start), "{text}");
            let shrunk = text.lines().nth(1).unwrap();
            assert!(
                shrunk.starts_with("# shrunk: panic: injected, ")
                    && (shrunk.ends_with(" 1 blocks") || shrunk.ends_with(" 2 blocks")),
                "{text}"
            );
        }
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
