//! Measures how the structurizer's time, memory and output grow with the size of each family of
//! graphs, without phis and with them, as tables.
//!
//! `cargo run --release -p benches --bin growth [-- --check | --large | FAMILY…]`: prints the tables; with
//! `--check` it fails if a family grows faster than it may; `--large` goes up to a million blocks; names
//! of families measure only those.

use std::process::{Command, ExitCode};

use benches::allocations::Counting;
use benches::growth::{Exponents, LARGE_SIZES, SIZES, Sample, heading, measure, row};
use structurizer_testkit::generate::{Family, Values};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The greatest exponent of time that `--check` accepts: 1.1 is the goal, the rest is for caches that
/// the larger graphs with phis do not fit in.
const TIME_LIMIT: f64 = 1.3;
/// The greatest exponent of time minus the walk's cache effect that `--check` accepts. Both times are
/// measured, and may be off by some hundredths on a shared machine.
const LIMIT_BESIDE_WALK: f64 = 1.25;
/// The greatest exponent of memory that `--check` accepts, in hundredths as the tables have it. It is
/// exact.
const MEMORY_LIMIT: f64 = 1.1;
/// The greatest exponent of output that `--check` accepts. It is exact, too.
const OUTPUT_LIMIT: f64 = 1.1;
/// The most output blocks per input block or edge.
const MOST_BLOCKS: f64 = 6.0;

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| wanted.iter().any(|w| w == flag);
    let names: Vec<&String> = wanted.iter().filter(|w| !w.starts_with("--")).collect();
    let known = |name: &str| {
        ["--check", "--large"].contains(&name)
            || Family::ALL.iter().any(|f| format!("{f:?}") == name)
    };
    if let Some(unknown) = wanted.iter().find(|w| !known(w)) {
        eprintln!("no family is called {unknown}; there are {:?}", Family::ALL);
        return ExitCode::from(2);
    }
    let sizes: &[usize] = if has("--large") { &LARGE_SIZES } else { &SIZES };
    let is_wanted =
        |family: &Family| names.is_empty() || names.iter().any(|n| **n == format!("{family:?}"));
    if has("--large")
        && let Some(status) = with_kept_memory()
    {
        return status;
    }
    let mut failed = false;
    for values in Values::ALL {
        println!("{}:\n\n{}", title(values), heading(sizes));
        for family in Family::ALL.into_iter().filter(is_wanted) {
            match measure(family, values, sizes) {
                Ok(samples) => {
                    println!("{}", row(family, &samples));
                    if has("--check") && grows_too_fast(&samples) {
                        eprintln!("{family:?} with {values:?} grows too fast");
                        failed = true;
                    }
                }
                Err(error) => {
                    eprintln!("{family:?}: {error}");
                    return ExitCode::FAILURE;
                }
            }
        }
        println!();
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Runs the program again with memory that stays the process's. The GNU C library returns each large
/// block to the system at once, and most of the time of a million blocks is the system's then.
fn with_kept_memory() -> Option<ExitCode> {
    const LIMIT: &str = "34359738368";
    let names = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];
    if names.iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let status = Command::new(program)
        .args(std::env::args_os().skip(1))
        .envs(names.map(|name| (name, LIMIT)))
        .status();
    Some(status.map_or(ExitCode::FAILURE, |status| {
        ExitCode::from(u8::from(!status.success()))
    }))
}

fn title(values: Values) -> &'static str {
    match values {
        Values::None => "Control flow only",
        Values::SomePhis => "With values, and phis in 60 % of the blocks with several predecessors",
        Values::EightPhis => "With values, and eight phis in each block with several predecessors",
    }
}

fn grows_too_fast(samples: &[Sample]) -> bool {
    let exponents = Exponents::of(samples);
    let too_many = |s: &Sample| s.output_blocks as f64 > MOST_BLOCKS * s.edges.max(s.blocks) as f64;
    exponents.time > TIME_LIMIT
        || exponents.time_beside_walk() > LIMIT_BESIDE_WALK
        || (exponents.memory * 100.0).round() > MEMORY_LIMIT * 100.0 + 0.5
        || exponents.output > OUTPUT_LIMIT
        || samples.iter().any(too_many)
}
