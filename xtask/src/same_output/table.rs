//! The results of all comparisons, as a table.

use std::fmt;

use super::compare::Outcome;

/// Maximum number of differences and failures that are reported per kind of input.
const REPORTED: usize = 3;

/// Results for the inputs of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) name: String,
    same: usize,
    refused: usize,
    differ: usize,
    failed: usize,
    /// The first differences and failures.
    reported: Vec<String>,
    /// Why there is less to compare than there could be.
    pub(super) notes: Vec<String>,
}

impl Row {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Counts the outcome of an input.
    pub(super) fn add(&mut self, input: &str, outcome: Outcome) {
        let (count, word, what) = match outcome {
            Outcome::Same => (&mut self.same, "", None),
            Outcome::Refused => (&mut self.refused, "", None),
            Outcome::Differs(what) => (&mut self.differ, "differs", Some(what)),
            Outcome::Failed(what) => (&mut self.failed, "failed", Some(what)),
        };
        *count += 1;
        if let Some(what) = what
            && self.reported.len() < REPORTED
        {
            let what = what.replace('\n', "\n    ");
            self.reported
                .push(format!("{word}: {}: {input}\n    {what}", self.name));
        }
    }

    /// Returns whether no input differs and none failed.
    pub(super) fn is_same(&self) -> bool {
        self.differ == 0 && self.failed == 0
    }
}

/// The text of the whole command.
pub(super) struct Report<'a> {
    pub(super) revision: &'a str,
    pub(super) rows: &'a [Row],
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows {
            for line in &row.reported {
                writeln!(f, "{line}")?;
            }
            for note in &row.notes {
                writeln!(f, "{}: {note}", row.name)?;
            }
        }
        let names = std::iter::once("input").chain(self.rows.iter().map(|row| row.name.as_str()));
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        writeln!(
            f,
            "{:width$}  compared   differ   failed  refused by both",
            "input"
        )?;
        for row in self.rows {
            let compared = row.same + row.refused + row.differ;
            let counts = [compared, row.differ, row.failed, row.refused];
            let [compared, differ, failed, refused] = counts.map(|count| format!("{count:9}"));
            writeln!(f, "{:width$} {compared}{differ}{failed}{refused}", row.name)?;
        }
        if self.rows.iter().all(Row::is_same) {
            writeln!(f, "every output is that of {}", self.revision)
        } else {
            writeln!(f, "NOT every output is that of {}", self.revision)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(outcomes: &[Outcome]) -> Row {
        let mut row = Row::new("kind");
        for (index, outcome) in outcomes.iter().enumerate() {
            row.add(&format!("input {index}"), outcome.clone());
        }
        row
    }

    #[test]
    fn a_difference_and_a_failure_are_no_success() {
        assert!(row(&[Outcome::Same, Outcome::Refused]).is_same());
        assert!(!row(&[Outcome::Same, Outcome::Differs(String::new())]).is_same());
        assert!(!row(&[Outcome::Failed(String::new()), Outcome::Same]).is_same());
    }

    #[test]
    fn counts_first_differences_and_notes_are_reported() {
        let differs = || Outcome::Differs("- line 2: a\n+ line 2: b".to_owned());
        let crashed = Outcome::Failed("signal 11".to_owned());
        let all = [
            Outcome::Same,
            differs(),
            crashed,
            Outcome::Refused,
            differs(),
            differs(),
        ];
        let mut row = row(&all);
        row.notes.push("skipped: no reason".to_owned());
        let text = Report {
            revision: "v1",
            rows: &[row],
        }
        .to_string();
        let expected = "\
differs: kind: input 1
    - line 2: a
    + line 2: b
failed: kind: input 2
    signal 11
differs: kind: input 4
    - line 2: a
    + line 2: b
kind: skipped: no reason
input  compared   differ   failed  refused by both
kind          5        3        1        1
NOT every output is that of v1
";
        assert_eq!(text, expected);
    }

    #[test]
    fn equal_outputs_are_reported_in_the_last_line() {
        let text = Report {
            revision: "v1",
            rows: &[row(&[Outcome::Same])],
        }
        .to_string();
        assert!(text.ends_with("\nevery output is that of v1\n"), "{text}");
    }
}
