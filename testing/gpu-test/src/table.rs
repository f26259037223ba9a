//! The table of results: for each case, whether the converted shader, DXC's SPIR-V and the
//! interpreter give the file's expected results.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The verdict on one of the three for a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// As the file expects.
    Agrees,
    /// Something else, a line for each thing; or it did not end.
    Differs(Vec<String>),
    /// It was not run, and why.
    NotRun(String),
}

impl Verdict {
    /// Returns the verdict of these differences; without any it agrees.
    pub fn of(differences: Vec<String>) -> Self {
        if differences.is_empty() {
            Self::Agrees
        } else {
            Self::Differs(differences)
        }
    }
    /// Returns whether its results differ.
    pub fn differs(&self) -> bool {
        matches!(self, Self::Differs(_))
    }
    /// Returns the text of a column.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Agrees => "ok",
            Self::Differs(_) => "FAIL",
            Self::NotRun(_) => "-",
        }
    }
}

/// Outcome of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All that were run agree with the file.
    Passed,
    /// The device cannot run the converted shader; the others, as far as they were run, agree.
    Skipped,
    /// At least one does not agree.
    Failed,
}

/// A row: a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Shader, relative to the folder, and case.
    pub name: String,
    /// Trellis' SPIR-V, on the device.
    pub ours: Verdict,
    /// DXC's SPIR-V of the same HLSL, on the same device.
    pub dxc: Verdict,
    /// The DXIL interpreter, on the CPU.
    pub interpreter: Verdict,
    /// Time of all of them together.
    pub time: Duration,
}

impl Row {
    /// Creates the row of a test that could not be read, converted or written.
    pub fn problem(name: String, problem: String, time: Duration) -> Self {
        let omitted = || Verdict::NotRun("there is no test to run".to_owned());
        Self {
            name,
            ours: Verdict::Differs(vec![problem]),
            dxc: omitted(),
            interpreter: omitted(),
            time,
        }
    }
    /// Returns the three with their names.
    pub fn verdicts(&self) -> [(&'static str, &Verdict); 3] {
        [
            ("ours", &self.ours),
            ("DXC's SPIR-V", &self.dxc),
            ("the interpreter", &self.interpreter),
        ]
    }
    /// Returns the outcome of the case.
    pub fn outcome(&self) -> Outcome {
        if self.verdicts().iter().any(|(_, verdict)| verdict.differs()) {
            Outcome::Failed
        } else if matches!(self.ours, Verdict::NotRun(_)) {
            Outcome::Skipped
        } else {
            Outcome::Passed
        }
    }
}

/// The whole table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Name of the device.
    pub device: String,
    /// The validation layer was on.
    pub validated: bool,
    /// Rows, by name.
    pub rows: Vec<Row>,
}

impl Table {
    /// Adds rows, which may belong anywhere.
    pub fn add(&mut self, rows: Vec<Row>) {
        self.rows.extend(rows);
        self.rows.sort_by(|a, b| a.name.cmp(&b.name));
    }
    /// Returns how many rows ended in a way.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rows
            .iter()
            .filter(|row| row.outcome() == outcome)
            .count()
    }
    /// Returns the table without the rows that passed.
    pub fn without_passed(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, |row| row.outcome() != Outcome::Passed);
        text
    }
    /// Returns how many of each, in a line.
    pub fn summary(&self) -> String {
        let [passed, skipped, failed] =
            [Outcome::Passed, Outcome::Skipped, Outcome::Failed].map(|outcome| self.count(outcome));
        format!(
            "ran {}, passed {passed}, skipped {skipped}, failed {failed}",
            self.rows.len()
        )
    }
    /// Returns how often each of the three agrees, in one line.
    pub fn agreement(&self) -> String {
        let agrees = |index: usize| {
            self.rows
                .iter()
                .filter(|row| *row.verdicts()[index].1 == Verdict::Agrees)
                .count()
        };
        format!(
            "as expected: ours {}, DXC's SPIR-V {}, the interpreter {}",
            agrees(0),
            agrees(1),
            agrees(2)
        )
    }

    fn write(&self, f: &mut dyn fmt::Write, shown: impl Fn(&Row) -> bool) -> fmt::Result {
        writeln!(f, "         ours  DXC   interpreter")?;
        for row in self.rows.iter().filter(|row| shown(row)) {
            let word = match row.outcome() {
                Outcome::Passed => "ok",
                Outcome::Skipped => "skipped",
                Outcome::Failed => "FAILED",
            };
            let [ours, dxc, interpreter] = row.verdicts().map(|(_, verdict)| verdict.word());
            writeln!(
                f,
                "{word:<8} {ours:<5} {dxc:<5} {interpreter:<5} {} ({} ms)",
                row.name,
                row.time.as_millis()
            )?;
            if let (Outcome::Skipped, Verdict::NotRun(reason)) = (row.outcome(), &row.ours) {
                writeln!(f, "         {reason}")?;
            }
            for (who, verdict) in row.verdicts() {
                let Verdict::Differs(problems) = verdict else {
                    continue;
                };
                for problem in problems {
                    writeln!(f, "         {who}: {problem}")?;
                }
            }
        }
        let validation = if self.validated { "with" } else { "without" };
        writeln!(
            f,
            "on {}, {validation} the validation layer; {}",
            self.device,
            self.agreement()
        )?;
        write!(f, "{}", self.summary())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |_| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, ours: Verdict, dxc: Verdict, interpreter: Verdict) -> Row {
        Row {
            name: name.to_owned(),
            ours,
            dxc,
            interpreter,
            time: Duration::from_millis(3),
        }
    }

    fn table() -> Table {
        let omitted = || Verdict::NotRun("no such feature".to_owned());
        let rows = vec![
            row("a: all", Verdict::Agrees, Verdict::Agrees, Verdict::Agrees),
            row(
                "b: the device lacks it",
                omitted(),
                omitted(),
                Verdict::Agrees,
            ),
            row(
                "c: a reference differs",
                Verdict::Agrees,
                Verdict::Agrees,
                Verdict::Differs(vec!["byte 4".to_owned()]),
            ),
            row(
                "d: skipped, and the interpreter differs",
                omitted(),
                omitted(),
                Verdict::Differs(vec!["byte 0".to_owned()]),
            ),
        ];
        Table {
            device: "a device".to_owned(),
            validated: true,
            rows,
        }
    }

    #[test]
    fn a_row_has_three_results() {
        let text = table().to_string();
        assert!(
            text.contains("ok       ok    ok    ok    a: all (3 ms)\n"),
            "{text}"
        );
        assert!(text.contains("skipped  -     -     ok    b: the device lacks it (3 ms)\n         no such feature\n"), "{text}");
        assert!(text.contains("FAILED   ok    ok    FAIL  c: a reference differs (3 ms)\n         the interpreter: byte 4\n"), "{text}");
        assert!(
            text.contains("FAILED   -     -     FAIL  d: skipped"),
            "{text}"
        );
        assert!(
            text.ends_with(
                "ours 2, DXC's SPIR-V 2, the interpreter 2\nran 4, passed 1, skipped 1, failed 2"
            ),
            "{text}"
        );
    }

    #[test]
    fn passed_tests_can_be_omitted() {
        let text = table().without_passed();
        assert!(
            !text.contains("a: all") && text.contains("b: the") && text.contains("ran 4"),
            "{text}"
        );
    }
}
