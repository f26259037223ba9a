//! The tables of `cargo xtask machine-code`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use super::{Arguments, Row, TIME};

/// What is listed of the driver's numbers, and whether less is better.
const COLUMNS: [&str; 11] = [
    "Instructions",
    "Code size",
    "Latency",
    "Inverse Throughput",
    "VMEM Clause",
    "SMEM Clause",
    "Branches",
    "SGPRs",
    "VGPRs",
    "Spilled SGPRs",
    "Spilled VGPRs",
];
/// The column that is compared by shader.
const INSTRUCTIONS: &str = "Instructions";
/// Shaders of fewer instructions do not count among the worst: a few more are a large ratio.
const SMALL: f64 = 50.0;

/// Prints the tables of one device; fails if the sum has grown.
pub(super) fn print(arguments: &Arguments, device: &str, tables: &[Vec<Row>]) -> ExitCode {
    let Some(ours) = tables.first() else {
        return ExitCode::SUCCESS;
    };
    let skipped = ours.iter().filter(|row| row.skipped.is_some()).count();
    println!("{device}: {} shaders, {skipped} not compiled", ours.len());
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in ours.iter().filter_map(|row| row.skipped.as_deref()) {
        *reasons.entry(reason).or_default() += 1;
    }
    for (reason, count) in reasons {
        println!("  {count} × {reason}");
    }
    match tables.get(1) {
        Some(theirs) => compare(arguments, ours, theirs),
        None => sums(arguments, ours),
    }
    if let Some(path) = &arguments.out {
        let text = serde_json::to_string_pretty(tables).unwrap_or_default();
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    check(arguments, device, ours)
}

fn sum(rows: &[&Row], column: &str) -> f64 {
    rows.iter().filter_map(|row| row.numbers.get(column)).sum()
}

/// Prints the sums of one folder, and its largest shaders.
fn sums(arguments: &Arguments, ours: &[Row]) {
    let mut rows: Vec<&Row> = ours.iter().filter(|row| row.skipped.is_none()).collect();
    for column in COLUMNS.into_iter().chain([TIME]) {
        println!("{column:24} {:14.0}", sum(&rows, column));
    }
    let size = |row: &Row| row.numbers.get(INSTRUCTIONS).copied().unwrap_or(0.0);
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    for row in rows.iter().take(arguments.worst) {
        println!("{:8.0} {}", size(row), row.shader);
    }
}

/// Prints both sums, their ratio, and the shaders whose instructions are most beside those of the
/// other folder.
fn compare(arguments: &Arguments, ours: &[Row], theirs: &[Row]) {
    let other: BTreeMap<&str, &Row> = theirs.iter().map(|r| (r.shader.as_str(), r)).collect();
    let mut pairs: Vec<(&Row, &Row)> = ours
        .iter()
        .filter_map(|row| Some((row, *other.get(row.shader.as_str())?)))
        .filter(|(a, b)| a.skipped.is_none() && b.skipped.is_none())
        .collect();
    println!("{} shaders are in both folders", pairs.len());
    let (left, right): (Vec<&Row>, Vec<&Row>) = pairs.iter().copied().unzip();
    for column in COLUMNS.into_iter().chain([TIME]) {
        let (a, b) = (sum(&left, column), sum(&right, column));
        println!("{column:24} {a:14.0} {b:14.0} {:8.3}", a / b);
    }
    let number = |row: &Row| row.numbers.get(INSTRUCTIONS).copied().unwrap_or(0.0);
    let (mut log, mut count) = (0.0, 0.0);
    for (a, b) in &pairs {
        if let (Some(a), Some(b)) = (a.numbers.get(TIME), b.numbers.get(TIME)) {
            (log, count) = (log + (a / b).ln(), count + 1.0);
        }
    }
    println!(
        "time, geometric mean {:.3}",
        f64::exp(log / f64::max(count, 1.0))
    );
    let worse = pairs.iter().filter(|(a, b)| number(a) > number(b)).count();
    let better = pairs.iter().filter(|(a, b)| number(a) < number(b)).count();
    println!("{better} shaders have fewer instructions, {worse} more");
    pairs.retain(|(a, b)| number(b).max(number(a)) > SMALL);
    pairs.sort_by(|x, y| (number(y.0) / number(y.1)).total_cmp(&(number(x.0) / number(x.1))));
    for (a, b) in pairs.iter().take(arguments.worst) {
        println!(
            "{:8.0} {:8.0} {:8.3} {}",
            number(a),
            number(b),
            number(a) / number(b),
            a.shader
        );
    }
}

/// Compares the sum of instructions with the file's, `device sum` in each line.
fn check(arguments: &Arguments, device: &str, ours: &[Row]) -> ExitCode {
    let Some(path) = &arguments.check else {
        return ExitCode::SUCCESS;
    };
    let rows: Vec<&Row> = ours.iter().filter(|row| row.skipped.is_none()).collect();
    let now = sum(&rows, INSTRUCTIONS);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut lines: BTreeMap<&str, f64> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(device, sum)| Some((device, sum.parse().ok()?)))
        .collect();
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        lines.insert(device, now);
        let text: String = lines.iter().map(|(d, n)| format!("{d} {n}\n")).collect();
        return match std::fs::write(path, text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                ExitCode::FAILURE
            }
        };
    }
    match lines.get(device) {
        Some(&before) if now <= before => ExitCode::SUCCESS,
        Some(before) => {
            eprintln!(
                "{device}: {now} instructions, {before} in {}",
                path.display()
            );
            ExitCode::FAILURE
        }
        None => {
            eprintln!(
                "{device} is not in {}: TRELLIS_BLESS=1 writes it",
                path.display()
            );
            ExitCode::FAILURE
        }
    }
}
