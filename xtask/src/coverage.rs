//! `cargo xtask coverage`: every `dx.op` operation, where it is lowered, and what tests it.
//!
//! A row is an operation of the front end's table. Its columns are derived, so that they cannot be
//! out of date: the function that lowers it from the backend's sources (`lowering`), the shaders that
//! call it from the corpus' DXIL (`uses`), and what runs these from the test files of `gpu-test`. An
//! operation without a translation has the backend's reason, which `spirv-backend/tests/it/untranslated.rs`
//! tests; one that no compiler emits is called in `spirv-backend/tests/it/assembled.rs`.
//!
//! `corpus/coverage.txt` has what tests each row, without numbers and names of shaders, which change
//! often. A row that loses a test fails the test of this module and `--check`; `--bless` writes the file
//! again, with new tests.

mod lowering;
mod uses;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use trellis_dxil_frontend::dxop::{ALL_OPS, Effects, Op};
use trellis_spirv_backend::error::untranslated;

use uses::{Shaders, Uses};

/// Most shaders that a row names.
const NAMED: usize = 2;

/// Arguments of the task.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Only operations whose names contain one of these.
    only: Vec<String>,
    /// Print a table in Markdown.
    #[arg(long)]
    markdown: bool,
    /// Print the summary only, and exit with 1 if a row of `corpus/coverage.txt` lost a test.
    #[arg(long, conflicts_with = "bless")]
    check: bool,
    /// Write `corpus/coverage.txt` again.
    #[arg(long)]
    bless: bool,
}

/// One operation.
struct Row {
    op: Op,
    /// The file and function that lower it, or why nothing does.
    lowered_by: Result<String, String>,
    /// True if a hand-made module calls it (`spirv-backend/tests/it/assembled.rs`).
    is_assembled: bool,
    uses: Uses,
}

impl Row {
    /// Returns what tests the operation, as `corpus/coverage.txt` has it.
    fn tests(&self) -> String {
        let columns = [
            (self.lowered_by.is_err(), "error"),
            (self.is_assembled, "assembled"),
            (!self.uses.corpus.is_empty(), "corpus"),
            (!self.uses.device.is_empty(), "gpu-test"),
            (!self.uses.interpreted.is_empty(), "interpreter"),
        ];
        let names: Vec<&str> = { columns.iter() }
            .filter(|(is, _)| *is)
            .map(|(_, name)| *name)
            .collect();
        match names.as_slice() {
            [] => "nothing".to_owned(),
            names => names.join(" "),
        }
    }

    /// Returns true if no shader, hand-made module or test of errors has the operation.
    fn is_untested(&self) -> bool {
        self.lowered_by.is_ok() && !self.is_assembled && self.uses.corpus.is_empty()
    }
}

/// Returns the repository's root.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match task(arguments) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn task(arguments: &Arguments) -> Result<ExitCode, String> {
    let shaders = Shaders::read(&root().join("corpus/shaders"))?;
    let rows = rows(&shaders)?;
    let summary = || format!("{}{}", shaders.numbers(), summary(&rows));
    let shown: Vec<&Row> = { rows.iter() }
        .filter(|row| is_shown(row, &arguments.only))
        .collect();
    let text = match (arguments.check, arguments.markdown) {
        (true, _) => summary(),
        (_, true) => markdown(&shown),
        _ => table(&shown) + &summary(),
    };
    // A closed pipe is not an error.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes());
    let path = root().join("corpus/coverage.txt");
    let found = expectations(&rows);
    if arguments.bless {
        std::fs::write(&path, found).map_err(|error| format!("{}: {error}", path.display()))?;
    } else if arguments.check {
        let expected = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let losses = losses(&expected, &found);
        if !losses.is_empty() {
            return Err(format!("operations that lost a test:\n{losses}"));
        }
        if expected != found {
            println!("there are new tests: `cargo xtask coverage --bless` adds them");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn is_shown(row: &Row, only: &[String]) -> bool {
    let name = row.op.name().to_lowercase();
    only.is_empty() || only.iter().any(|part| name.contains(&part.to_lowercase()))
}

/// Returns the rows of all operations, in the table's order.
fn rows(shaders: &Shaders) -> Result<Vec<Row>, String> {
    let sources = lowering::Sources::read(&root().join("spirv-backend/src"))?;
    let assembled = root().join("spirv-backend/tests/it/assembled.rs");
    let assembled = std::fs::read_to_string(&assembled)
        .map_err(|error| format!("{}: {error}", assembled.display()))?;
    let rows = ALL_OPS.into_iter().map(|op| Row {
        op,
        lowered_by: match refusal(op) {
            Some(reason) => Err(reason),
            None => Ok(sources.lowered_by(op).unwrap_or_default()),
        },
        // A row of the table begins with the operation.
        is_assembled: assembled.contains(&format!("Op::{op:?},")),
        uses: shaders.uses(op),
    });
    Ok(rows.collect())
}

/// Returns why an operation has no translation, if it has none.
fn refusal(op: Op) -> Option<String> {
    if op.effects().any(Effects::RESERVED) {
        return Some("reserved".to_owned());
    }
    let why = untranslated(op)?;
    Some(match why.extension {
        Some(extension) => format!("needs {extension}: {}", why.reason),
        None => why.reason.to_owned(),
    })
}

/// Returns the contents of `corpus/coverage.txt`.
fn expectations(rows: &[Row]) -> String {
    let mut text = String::from(
        "# What tests each operation of DXIL; `cargo xtask coverage --bless` writes it.\n",
    );
    for row in rows {
        let (code, name) = (row.op.code(), row.op.name());
        let _ = writeln!(text, "{code} {name}: {}", row.tests());
    }
    text
}

/// Returns the rows that lost a test, as lines of the expected file with what they have now. An error is
/// not a loss if something else tests the operation now.
fn losses(expected: &str, found: &str) -> String {
    let mut text = String::new();
    let rows: BTreeMap<&str, &str> = { found.lines() }
        .filter_map(|line| line.split_once(": "))
        .collect();
    for line in expected.lines() {
        let Some((row, tests)) = line.split_once(": ") else {
            continue;
        };
        let now = rows.get(row).copied().unwrap_or("nothing");
        let is_kept = |test: &str| {
            now.split(' ').any(|other| other == test)
                || test == "nothing"
                || (test == "error" && now != "nothing")
        };
        if !tests.split(' ').all(is_kept) {
            let _ = writeln!(text, "{line}; now {now}");
        }
    }
    text
}

/// The columns of a row after its number and name.
fn columns(row: &Row) -> [String; 5] {
    let model = row.op.info().min_shader_model;
    let lowered = match &row.lowered_by {
        Ok(place) => place.clone(),
        Err(reason) => format!("error: {reason}"),
    };
    [
        format!("{}.{}", model.major, model.minor),
        lowered,
        some_of(&row.uses.corpus),
        some_of(&row.uses.device),
        some_of(&row.uses.interpreted),
    ]
}

/// Returns the number of shaders, and the first ones.
fn some_of(names: &[String]) -> String {
    if names.is_empty() {
        return "-".to_owned();
    }
    let first: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    let more = if names.len() > NAMED { " …" } else { "" };
    format!("{}: {}{more}", names.len(), first.join(" "))
}

/// Returns the rows as lines of text.
fn table(rows: &[&Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let [model, lowered, corpus, device, interpreted] = columns(row);
        let (code, name) = (row.op.code(), row.op.name());
        let _ = writeln!(text, "{code} {name} ({model})");
        let _ = writeln!(text, "    lowered by   {lowered}");
        if row.is_assembled {
            let _ = writeln!(text, "    assembled    spirv-backend/tests/it/assembled.rs");
        }
        for (what, names) in [
            ("corpus", corpus),
            ("gpu-test", device),
            ("interpreted", interpreted),
        ] {
            if names != "-" {
                let _ = writeln!(text, "    {what:<12} {names}");
            }
        }
    }
    text
}

/// Returns the rows as a table in Markdown.
fn markdown(rows: &[&Row]) -> String {
    let mut text = String::from(
        "| opcode | name | model | lowered by | corpus | gpu-test | interpreted |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let cells = columns(row).join(" | ");
        let _ = writeln!(text, "| {} | {} | {cells} |", row.op.code(), row.op.name());
    }
    text
}

/// Returns the numbers of rows.
fn summary(rows: &[Row]) -> String {
    let count = |test: fn(&Row) -> bool| rows.iter().filter(|row| test(row)).count();
    let reserved = count(|row| row.op.effects().any(Effects::RESERVED));
    let mut text = format!(
        "{} operations and {reserved} reserved numbers: {} in a shader of the corpus, {} in a hand-made \
         module, {} run by a test on a device, {} run by the interpreter, {} refused with a reason, {} \
         without a test\n",
        rows.len() - reserved,
        count(|row| !row.uses.corpus.is_empty()),
        count(|row| row.is_assembled),
        count(|row| !row.uses.device.is_empty()),
        count(|row| !row.uses.interpreted.is_empty()),
        count(|row| row.lowered_by.is_err()) - reserved,
        count(Row::is_untested),
    );
    for row in rows.iter().filter(|row| row.is_untested()) {
        let _ = writeln!(text, "without a test: {} {}", row.op.code(), row.op);
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn shaders() -> Shaders {
        Shaders::read(&root().join("corpus/shaders")).unwrap()
    }

    #[test]
    fn the_corpus_has_every_stage_and_shader_model() {
        let numbers = shaders().numbers();
        assert!(numbers.files >= 1000, "{numbers}");
        assert_eq!(numbers.stages.len(), 15, "{numbers}");
        assert!(
            numbers.stages.values().all(|&count| count >= 30),
            "{numbers}"
        );
        assert_eq!(numbers.models.len(), 10, "{numbers}");
        assert!(
            numbers.models.values().all(|&count| count >= 10),
            "{numbers}"
        );
    }

    #[test]
    fn every_operation_has_its_row_and_keeps_its_tests() {
        let rows = rows(&shaders()).unwrap();
        for row in &rows {
            if let Ok(place) = &row.lowered_by {
                assert!(!place.is_empty(), "nothing in the backend names {}", row.op);
                assert!(!row.is_untested(), "{} has no test", row.op);
            } else {
                assert!(
                    row.uses.corpus.is_empty(),
                    "{} is said to have no translation, but {:?} have it",
                    row.op,
                    row.uses.corpus
                );
            }
        }
        let expected = std::fs::read_to_string(root().join("corpus/coverage.txt")).unwrap();
        let losses = losses(&expected, &expectations(&rows));
        assert!(losses.is_empty(), "operations that lost a test:\n{losses}");
    }

    #[test]
    fn lost_tests_are_found() {
        let expected = "# What\n1 A: corpus gpu-test\n2 B: nothing\n3 C: error\n4 D: error\n";
        assert_eq!(losses(expected, expected), "");
        let more = "1 A: assembled corpus gpu-test\n2 B: corpus\n3 C: corpus\n4 D: error\n";
        assert_eq!(losses(expected, more), "");
        assert_eq!(
            losses(expected, "1 A: corpus\n3 C: nothing\n"),
            "1 A: corpus gpu-test; now corpus\n3 C: error; now nothing\n4 D: error; now nothing\n"
        );
    }

    #[test]
    fn rows_are_text_and_markdown() {
        let uses = Uses {
            corpus: vec!["a/b".to_owned(), "a/c".to_owned(), "a/d".to_owned()],
            device: vec!["a/b".to_owned()],
            interpreted: Vec::new(),
        };
        let row = Row {
            op: Op::FAbs,
            lowered_by: Ok("ops/math.rs: emit".to_owned()),
            is_assembled: false,
            uses,
        };
        assert_eq!(row.tests(), "corpus gpu-test");
        assert_eq!(
            table(&[&row]),
            "6 FAbs (6.0)\n    lowered by   ops/math.rs: emit\n    corpus       3: a/b a/c …\n    \
             gpu-test     1: a/b\n"
        );
        assert!(
            markdown(&[&row])
                .ends_with("| 6 | FAbs | 6.0 | ops/math.rs: emit | 3: a/b a/c … | 1: a/b | - |\n")
        );
        assert!(is_shown(&row, &["fab".to_owned()]) && !is_shown(&row, &["sin".to_owned()]));
    }
}
