//! Comparison of the outputs of two programs for one input.

use std::fmt;
use std::process::Output;

/// One of the two programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// That of the revision.
    Old,
    /// That of the working tree.
    New,
}

impl Side {
    /// Both programs.
    pub(super) const BOTH: [Self; 2] = [Self::Old, Self::New];

    /// Returns the word for file names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Old => "the revision's program",
            Self::New => "the working tree's program",
        })
    }
}

/// Result of one comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Both outputs are the same.
    Same,
    /// Both programs reject the input, with the same text on standard output.
    Refused,
    /// The outputs differ: the position, and the texts there.
    Differs(String),
    /// A program did not exit normally, so its output cannot be compared.
    Failed(String),
}

/// Compares runs of `trellis structurize` of the revision and of the working tree.
///
/// Standard error is not compared: its messages are for people, and a refactoring may improve them.
pub(super) fn compare_runs(old: &Output, new: &Output) -> Outcome {
    for (side, output) in Side::BOTH.into_iter().zip([old, new]) {
        // Status 1 means bad input. Status 2 means that the arguments are wrong.
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Outcome::Failed(ended(side, output));
        }
    }
    if old.status.code() != new.status.code() {
        let side = if old.status.success() {
            Side::New
        } else {
            Side::Old
        };
        let output = if old.status.success() { new } else { old };
        return Outcome::Differs(format!("only {}", ended(side, output)));
    }
    match first_difference(&old.stdout, &new.stdout) {
        Some(difference) => Outcome::Differs(difference.to_string()),
        None if old.status.success() => Outcome::Same,
        None => Outcome::Refused,
    }
}

/// Returns how a program ended and what it said first, for people.
fn ended(side: Side, output: &Output) -> String {
    let words = String::from_utf8_lossy(&output.stderr);
    let first = words
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("no message");
    format!("{side} ended with {}: {first}", output.status)
}

/// The first line in which two texts differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LineDifference {
    /// Number and text of the line of each side; `None` if that text has ended.
    old: Option<(usize, String)>,
    new: Option<(usize, String)>,
}

impl fmt::Display for LineDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (sign, line)) in [('-', &self.old), ('+', &self.new)].into_iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            match line {
                Some((number, text)) => write!(f, "{sign} line {number}: {text}")?,
                None => write!(f, "{sign} the output has ended")?,
            }
        }
        Ok(())
    }
}

/// Returns the first line in which two outputs differ, to the byte.
///
/// Lines that begin with `#` are no part of the output: they are comments with counts, whose words
/// may change.
pub(super) fn first_difference(old: &[u8], new: &[u8]) -> Option<LineDifference> {
    let (mut old, mut new) = (numbered_lines(old), numbered_lines(new));
    loop {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (Some((_, old)), Some((_, new))) if old == new => {}
            (old, new) => {
                return Some(LineDifference {
                    old: old.map(shown),
                    new: new.map(shown),
                });
            }
        }
    }
}

/// Returns the lines that count, with their ends, so that a missing last line end is seen.
fn numbered_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = text.split_inclusive(|&byte| byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.starts_with(b"#"))
        .map(|(index, line)| (index + 1, line))
}

/// Returns a line as text. What cannot be seen is escaped, a missing line end is named.
fn shown((number, line): (usize, &[u8])) -> (usize, String) {
    let (line, end) = match line.strip_suffix(b"\n") {
        Some(line) => (line, ""),
        None => (line, " (no line end)"),
    };
    let text = String::from_utf8_lossy(line);
    let escape = |c: char| {
        if c.is_control() {
            c.escape_default().to_string()
        } else {
            c.into()
        }
    };
    (number, text.chars().map(escape).collect::<String>() + end)
}

/// Returns what came of a file of SPIR-V that one or both programs wrote; none did not.
pub(super) fn compare_files(old: Option<&[u8]>, new: Option<&[u8]>) -> Outcome {
    match (old, new) {
        (Some(old), Some(new)) if old == new => Outcome::Same,
        (Some(old), Some(new)) => Outcome::Differs(binary_difference(old, new)),
        (Some(_), None) => Outcome::Differs(format!("only {} writes it", Side::Old)),
        (None, Some(_)) => Outcome::Differs(format!("only {} writes it", Side::New)),
        (None, None) => Outcome::Failed("no program writes it".to_owned()),
    }
}

/// Returns where two files differ first: SPIR-V is a sequence of words of 4 bytes.
fn binary_difference(old: &[u8], new: &[u8]) -> String {
    let (old_words, new_words) = (old.chunks(4), new.chunks(4));
    let index = old_words
        .zip(new_words)
        .take_while(|(old, new)| old == new)
        .count();
    let word = |file: &[u8]| match file.chunks(4).nth(index) {
        Some(&[a, b, c, d]) => format!("{:08x}", u32::from_le_bytes([a, b, c, d])),
        Some(bytes) => format!("{bytes:02x?}, which is not a whole word"),
        None => format!("the file has ended after {} bytes", file.len()),
    };
    format!(
        "- word {index}: {}\n+ word {index}: {}",
        word(old),
        word(new)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(old: &str, new: &str) -> Option<String> {
        first_difference(old.as_bytes(), new.as_bytes()).map(|found| found.to_string())
    }

    #[test]
    fn a_differing_line_is_found() {
        let old = "# blocks 2\nb0:\n    br b1\nb1:\n    ret\n";
        let new = "b0:\n    br b2\nb1:\n    kill\n";
        let expected = "- line 3:     br b1\n+ line 2:     br b2";
        assert_eq!(difference(old, new).as_deref(), Some(expected));
        assert_eq!(difference(old, old), None);
    }

    #[test]
    fn comments_are_no_output() {
        assert_eq!(
            difference("# blocks 2 -> 3\nb0:\n", "b0:\n# 3 blocks\n# one more\n"),
            None
        );
        assert_eq!(difference("# a", ""), None);
        assert!(
            difference("b0: # a\n", "b0: # b\n").is_some(),
            "it does not begin the line"
        );
        assert!(difference(" # a\n", " # b\n").is_some());
    }

    #[test]
    fn a_missing_line_or_line_end_is_a_difference() {
        let longer = difference("a\n", "a\nb\n").unwrap();
        assert_eq!(longer, "- the output has ended\n+ line 2: b");
        let cut = difference("a\n", "a").unwrap();
        assert_eq!(cut, "- line 1: a\n+ line 1: a (no line end)");
        assert_eq!(
            difference("a\r\n", "a\n").unwrap(),
            "- line 1: a\\r\n+ line 1: a"
        );
        assert!(difference("", "\n").is_some());
    }

    #[test]
    fn bytes_that_are_no_text_are_compared_too() {
        assert!(first_difference(b"\xff\n", b"\xfe\n").is_some());
        assert!(first_difference(b"\xff\n", b"\xff\n").is_none());
    }

    #[test]
    fn the_first_differing_word_of_a_file_is_reported() {
        let (old, new) = (b"\x03\x02\x23\x07abcd", b"\x03\x02\x23\x07abce");
        let expected = Outcome::Differs("- word 1: 64636261\n+ word 1: 65636261".to_owned());
        assert_eq!(compare_files(Some(old), Some(new)), expected);
        assert_eq!(compare_files(Some(old), Some(old)), Outcome::Same);
        let Outcome::Differs(cut) = compare_files(Some(old), Some(&old[..4])) else {
            panic!()
        };
        assert!(
            cut.ends_with("+ word 1: the file has ended after 4 bytes"),
            "{cut}"
        );
    }

    #[test]
    fn a_file_that_one_program_writes_is_a_difference() {
        for (old, new) in [(Some(&b"a"[..]), None), (None, Some(&b"a"[..]))] {
            assert!(matches!(compare_files(old, new), Outcome::Differs(_)));
        }
        assert!(matches!(compare_files(None, None), Outcome::Failed(_)));
    }

    #[cfg(unix)]
    mod runs {
        use super::super::*;
        use std::os::unix::process::ExitStatusExt;
        use std::process::ExitStatus;

        /// Returns the output of a program that ended with `code`.
        fn run(code: i32, stdout: &str, stderr: &str) -> Output {
            let status = ExitStatus::from_raw(code << 8);
            Output {
                status,
                stdout: stdout.into(),
                stderr: stderr.into(),
            }
        }

        #[test]
        fn equal_runs_are_the_same_whatever_they_say_to_people() {
            let (old, new) = (run(0, "a\n", "x"), run(0, "a\n", "y"));
            assert_eq!(compare_runs(&old, &new), Outcome::Same);
            let (old, new) = (run(1, "", "error: x"), run(1, "", "error: y"));
            assert_eq!(compare_runs(&old, &new), Outcome::Refused);
        }

        #[test]
        fn another_output_or_status_is_a_difference() {
            let outcome = compare_runs(&run(0, "a\n", ""), &run(0, "b\n", ""));
            assert_eq!(
                outcome,
                Outcome::Differs("- line 1: a\n+ line 1: b".to_owned())
            );
            let outcome = compare_runs(&run(0, "a\n", ""), &run(1, "a\n", "\nerror: no\nmore"));
            let Outcome::Differs(what) = outcome else {
                panic!("{outcome:?}")
            };
            assert!(
                what.starts_with("only the working tree's program ended with"),
                "{what}"
            );
            assert!(what.ends_with(": 1: error: no"), "{what}");
        }

        #[test]
        fn a_crash_or_wrong_use_is_a_failure_even_of_both() {
            let killed = Output {
                status: ExitStatus::from_raw(11),
                ..run(0, "", "")
            };
            for bad in [
                &run(101, "", "panicked"),
                &run(2, "", "error: unexpected"),
                &killed,
            ] {
                for (old, new) in [(bad, bad), (bad, &run(0, "", "")), (&run(0, "", ""), bad)] {
                    assert!(
                        matches!(compare_runs(old, new), Outcome::Failed(_)),
                        "{bad:?}"
                    );
                }
            }
        }
    }
}
