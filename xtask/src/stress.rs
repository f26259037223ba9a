//! `cargo xtask stress`: random graphs on all threads, each result checked, each failure shrunk.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use structurizer_testkit::check::{Failure, failure, shrink};
use structurizer_testkit::generate::{mixed_size, random_function};
use trellis_structurizer::Target;
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::print;

/// Maximum number of tests of a failing graph while it is shrunk.
const SHRINK_TESTS: usize = 4000;

/// Maximum number of failures of one kind that are shrunk and reported; the rest are counted.
const REPORTED_PER_KIND: usize = 3;

/// Maximum number of failures that are reported in all.
const REPORTED: usize = 40;

/// Options of a stress run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) seeds: Range<u64>,
    pub(crate) blocks: usize,
    pub(crate) minutes: Option<f64>,
    /// Number of threads; one per core by default.
    pub(crate) jobs: Option<usize>,
    /// Folder for shrunk graphs.
    pub(crate) out: Option<PathBuf>,
}

/// One failure, shrunk.
#[derive(Clone, Debug)]
pub(crate) struct Reported {
    pub(crate) seed: u64,
    /// The message for the original graph.
    pub(crate) message: String,
    /// The message for the shrunk graph.
    pub(crate) shrunk: String,
    /// The shrunk graph.
    pub(crate) graph: String,
}

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# seed {}: {}\n# shrunk: {}",
            self.seed,
            first_line(&self.message),
            first_line(&self.shrunk)
        )?;
        f.write_str(&self.graph)
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

/// The result of a run. Its text is the last line of the command.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) checked: u64,
    pub(crate) failed: u64,
    /// The seeds that were checked.
    pub(crate) seeds: Range<u64>,
    pub(crate) seconds: f64,
    /// Some failures of each kind, by seed.
    pub(crate) failures: Vec<Reported>,
    /// Files that could not be written, and why.
    pub(crate) not_written: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "checked {} graphs, failed {}, seeds {}..{}, seconds {:.0}",
            self.checked, self.failed, self.seeds.start, self.seeds.end, self.seconds
        )
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
pub(crate) fn parse_target(name: &str) -> Result<Target, String> {
    let names = || Target::PROFILES.map(|profile| profile.0).join(", ");
    Target::from_name(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// The state that the threads share.
struct Shared<'a> {
    options: &'a Options,
    check: &'a (dyn Fn(&Function) -> Result<(), Failure> + Sync),
    deadline: Option<Instant>,
    next: AtomicU64,
    failed: AtomicU64,
    /// Kinds of failure, with the number of reported ones.
    kinds: Mutex<Vec<(String, usize)>>,
    reported: Mutex<Vec<Reported>>,
    bar: ProgressBar,
}

/// Checks all seeds, or as many as the time allows: always a range from the first on. Each thread
/// holds one graph at a time.
pub(crate) fn run(
    options: &Options,
    check: &(dyn Fn(&Function) -> Result<(), Failure> + Sync),
) -> Summary {
    let start = Instant::now();
    let deadline = options
        .minutes
        .and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok())
        .and_then(|time| start.checked_add(time));
    let shared = Shared {
        options,
        check,
        deadline,
        next: AtomicU64::new(options.seeds.start),
        failed: AtomicU64::new(0),
        kinds: Mutex::default(),
        reported: Mutex::default(),
        bar: progress(options),
    };
    let jobs = options
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| shared.work());
        }
    });
    shared.bar.finish_and_clear();
    let end = shared.next.load(Ordering::Relaxed).min(options.seeds.end);
    let mut failures = shared
        .reported
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    failures.sort_by_key(|failure| failure.seed);
    let not_written = write(options, &failures);
    Summary {
        checked: end - options.seeds.start,
        failed: shared.failed.into_inner(),
        seeds: options.seeds.start..end,
        seconds: start.elapsed().as_secs_f64(),
        failures,
        not_written,
    }
}

/// Returns a bar on standard error if that is a terminal; over the graphs, or over the time if the
/// number of graphs is unlimited.
fn progress(options: &Options) -> ProgressBar {
    let seconds = options.minutes.map(|minutes| (minutes * 60.0) as u64);
    let (length, template) = match seconds {
        Some(seconds) => (seconds, "{bar:40} {pos}/{len} seconds, {msg}"),
        None => (
            options.seeds.end - options.seeds.start,
            "{bar:40} {pos}/{len} graphs, {eta} left{msg}",
        ),
    };
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

impl Shared<'_> {
    fn work(&self) {
        let start = Instant::now();
        while self
            .deadline
            .is_none_or(|deadline| Instant::now() < deadline)
        {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            if seed >= self.options.seeds.end {
                break;
            }
            self.one(seed);
            if self.options.minutes.is_none() {
                self.bar.inc(1);
            } else if seed.is_multiple_of(256) {
                self.bar.set_position(start.elapsed().as_secs());
                self.bar
                    .set_message(format!("{} graphs", seed - self.options.seeds.start));
            }
        }
    }

    fn one(&self, seed: u64) {
        let test = |func: &Function| (self.check)(func);
        let func = random_function(seed, mixed_size(seed, self.options.blocks));
        let Some(found) = failure(&func, &test) else {
            return;
        };
        self.failed.fetch_add(1, Ordering::Relaxed);
        let kind = found.kind();
        if !self.is_reported(&kind) {
            return;
        }
        let small = shrink(func, SHRINK_TESTS, &|smaller| {
            failure(smaller, &test).is_some_and(|other| other.kind() == kind)
        });
        let shrunk = failure(&small, &test)
            .map(|failure| failure.to_string())
            .unwrap_or_default();
        let failure = Reported {
            seed,
            message: found.to_string(),
            shrunk,
            graph: print(&small),
        };
        self.reported
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(failure);
    }

    /// Returns whether another failure of this kind is shrunk and reported.
    fn is_reported(&self, kind: &str) -> bool {
        let mut kinds = self
            .kinds
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let all: usize = kinds.iter().map(|known| known.1).sum();
        if !kinds.iter().any(|known| known.0 == kind) {
            kinds.push((kind.to_owned(), 0));
        }
        let count = kinds
            .iter_mut()
            .find(|known| known.0 == kind)
            .map(|known| &mut known.1);
        match count {
            Some(count) if *count < REPORTED_PER_KIND && all < REPORTED => {
                *count += 1;
                true
            }
            _ => false,
        }
    }
}

/// Writes a test case per failure; returns the errors.
fn write(options: &Options, failures: &[Reported]) -> Vec<String> {
    let Some(folder) = options.out.as_ref().filter(|_| !failures.is_empty()) else {
        return Vec::new();
    };
    if let Err(error) = std::fs::create_dir_all(folder) {
        return vec![format!("{}: {error}", folder.display())];
    }
    let files = failures.iter().filter_map(|failure| {
        let file = folder.join(format!("seed_{}.cfg", failure.seed));
        std::fs::write(&file, failure.to_string())
            .err()
            .map(|error| format!("{}: {error}", file.display()))
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::{Options, parse_seeds, run};
    use structurizer_testkit::check::{Checks, Failure, check_function};
    use trellis_structurizer::ir::{Function, Terminator};
    use trellis_structurizer::text::parse;

    fn options(seeds: std::ops::Range<u64>) -> Options {
        Options {
            seeds,
            blocks: 30,
            minutes: None,
            jobs: Some(2),
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
        let summary = run(&options(1..301), &|func| {
            check_function(func, &Checks::default())
        });
        assert_eq!(
            (summary.checked, summary.failed, summary.seeds.clone()),
            (300, 0, 1..301),
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
        let options = Options {
            out: Some(folder.path().join("new")),
            ..options(1..201)
        };
        let fault = |func: &Function| {
            if kills(func) {
                Err(Failure::NotDeterministic)
            } else {
                Ok(())
            }
        };
        let summary = run(&options, &fault);
        assert!(summary.failed > 10 && summary.checked == 200, "{summary}");
        assert_eq!(summary.failures.len(), super::REPORTED_PER_KIND);
        assert!(summary.not_written.is_empty(), "{:?}", summary.not_written);
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
        let summary = run(&options(1..41), &fault);
        assert!(
            summary.checked == 40 && summary.failed > 0 && summary.failed < 40,
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
        let options = Options {
            minutes: Some(0.002),
            ..options(7..u64::MAX)
        };
        let summary = run(&options, &|_| Ok(()));
        assert!(
            summary.checked > 0 && summary.seeds.start == 7 && summary.seconds < 30.0,
            "{summary}"
        );
    }
}
