//! Measures how the structurizer's time grows with the size of each family of graphs, as a table.
//!
//! `cargo run --release -p benches --bin growth [-- --write | --check | FAMILY…]`: prints the
//! table; with `--write` it replaces the one in `benches/README.md`; with `--check` it fails if a
//! family grows faster than it may; names of families measure only those.

use std::path::Path;
use std::process::ExitCode;

use benches::growth::{exponent, heading, measure, row};
use structurizer_testkit::generate::Family;

/// The greatest exponent that `--check` accepts: 1.2 is the goal, the rest is for a noisy
/// machine.
const LIMIT: f64 = 1.3;
/// The most output blocks per input block.
const MOST_BLOCKS: f64 = 6.0;

/// The README with the table.
const BEGIN: &str = "<!-- growth: begin -->\n";
const END: &str = "<!-- growth: end -->";

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let write = wanted.iter().any(|w| w == "--write");
    let check = wanted.iter().any(|w| w == "--check");
    let names: Vec<&String> = wanted.iter().filter(|w| !w.starts_with("--")).collect();
    let known = |name: &str| Family::ALL.iter().any(|f| format!("{f:?}") == name);
    if let Some(unknown) = wanted
        .iter()
        .find(|w| *w != "--write" && *w != "--check" && !known(w))
    {
        eprintln!("no family is called {unknown}; there are {:?}", Family::ALL);
        return ExitCode::from(2);
    }
    let mut failed = false;
    let mut table = heading();
    println!("{table}");
    table.push('\n');
    for family in Family::ALL {
        if !names.is_empty() && !names.iter().any(|n| **n == format!("{family:?}")) {
            continue;
        }
        match measure(family) {
            Ok(samples) => {
                let line = row(family, &samples);
                println!("{line}");
                let too_fast = exponent(&samples) > LIMIT
                    || samples
                        .iter()
                        .any(|s| s.output as f64 > MOST_BLOCKS * s.blocks as f64);
                if check && too_fast {
                    eprintln!(
                        "{family:?} grows faster than an exponent of {LIMIT} or {MOST_BLOCKS} blocks for one"
                    );
                    failed = true;
                }
                table.push_str(&line);
                table.push('\n');
            }
            Err(error) => {
                eprintln!("{family:?}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    if write && let Err(error) = replace(&table) {
        eprintln!("benches/README.md: {error}");
        return ExitCode::FAILURE;
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Puts the table between its marks in the README.
fn replace(table: &str) -> std::io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path)?;
    let at = text.find(BEGIN).zip(text.find(END)).filter(|(b, e)| b < e);
    let (begin, end) =
        at.ok_or_else(|| std::io::Error::other("the marks of the table are not there"))?;
    std::fs::write(
        &path,
        format!("{}{table}{}", &text[..begin + BEGIN.len()], &text[end..]),
    )
}
