//! The tables of `cargo xtask machine-code`.

use std::collections::BTreeMap;

use super::{Arguments, Row, TIME};

/// The listed statistics of the driver, and whether less is better.
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
pub(super) fn print(
    arguments: &Arguments,
    device: &str,
    tables: &[Vec<Row>],
) -> Result<(), String> {
    let Some(ours) = tables.first() else {
        return Ok(());
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
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    match &arguments.check {
        Some(path) => {
            check(path, device, ours).map_err(|problem| format!("{}: {problem}", path.display()))
        }
        None => Ok(()),
    }
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

/// Prints both sums, their ratio, and the shaders with the most instructions relative to the other
/// folder.
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

/// Compares the instructions of the shaders with a file: a line that names the device and
/// the driver, then `shader`, tab, number in each line.
fn check(path: &std::path::Path, device: &str, ours: &[Row]) -> Result<(), String> {
    let now: BTreeMap<&str, u64> = ours
        .iter()
        .filter_map(|row| Some((&*row.shader, *row.numbers.get(INSTRUCTIONS)? as u64)))
        .collect();
    let driver = ours.first().map_or("", |row| &row.driver);
    let title = format!("# {device}, driver {driver}: instructions by shader");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        let lines = now.iter().map(|(shader, n)| format!("{shader}\t{n}\n"));
        let text = format!("{title}\n{}", lines.collect::<String>());
        return std::fs::write(path, text).map_err(|error| error.to_string());
    }
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    against(&text, &title, &now)
}

/// Compares with the text of a file; an error if the shaders that it names have more instructions
/// together.
fn against(text: &str, title: &str, now: &BTreeMap<&str, u64>) -> Result<(), String> {
    let mut lines = text.lines();
    let found = lines.next().unwrap_or_default();
    if found != title {
        println!("not compared with the numbers of \"{found}\": this is \"{title}\"");
        return Ok(());
    }
    let (mut before_sum, mut now_sum, mut gone) = (0, 0, 0);
    let mut grown = Vec::new();
    for line in lines {
        let parsed = line.split_once('\t');
        let parsed = parsed.and_then(|(shader, n)| Some((shader, n.parse::<u64>().ok()?)));
        let (shader, before) =
            parsed.ok_or_else(|| format!("not a shader and a number: {line}"))?;
        let Some(&now) = now.get(shader) else {
            gone += 1;
            continue;
        };
        before_sum += before;
        now_sum += now;
        if now > before {
            grown.push((now - before, shader));
        }
    }
    println!("{now_sum} instructions, {before_sum} before; {gone} shaders are gone");
    if now_sum <= before_sum {
        return Ok(());
    }
    grown.sort_by(|a, b| b.cmp(a));
    let list = grown
        .iter()
        .take(10)
        .map(|(n, shader)| format!("\n  {n:+} {shader}"));
    Err(format!(
        "{now_sum} instructions, {before_sum} before; TRELLIS_BLESS=1 accepts them. The most have{}",
        list.collect::<String>()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_instructions_in_sum_are_an_error() {
        let file = "# a, driver 1: instructions by shader\nx\t10\ny\t20\ngone\t99\n";
        let title = "# a, driver 1: instructions by shader";
        let same = BTreeMap::from([("x", 12), ("y", 18), ("new", 1000)]);
        assert_eq!(against(file, title, &same), Ok(()));
        let more = BTreeMap::from([("x", 14), ("y", 18)]);
        let error = against(file, title, &more).expect_err("32 are more than 30");
        assert!(error.contains("+4 x") && !error.contains(" y"), "{error}");
        let other = "# a, driver 2: instructions by shader";
        assert_eq!(against(file, other, &more), Ok(()));
        assert!(against("# t\nno number\n", "# t", &same).is_err());
    }
}
