//! `cargo xtask commits`: whether commit messages have the form that CONTRIBUTING.md describes.

use std::path::Path;
use std::process::{Command, ExitCode};

/// The last commit from before the rules: the default range begins after it.
const BEFORE: &str = "754dd2a9ab3c5d216a236f0d30e0a9725cbf448e";

/// Commits that break the rules and stay as they are, since no commit of `main` is reworded.
const ACCEPTED: [&str; 3] = [
    "73e9bbaabe60816045ada832b9bc2b12297bc44f",
    "6989425e2d9ce96ad97aac06e88597efba89ef2c",
    "4ab84353c677a3732c99b6d5ce991046c133ae76",
];

/// Widest subject, in characters.
const SUBJECT: usize = 72;

/// Checks the commits of a range, by default all since the rules were made.
pub(crate) fn run(range: Option<&str>) -> ExitCode {
    let range = range.map_or_else(|| format!("{BEFORE}..HEAD"), str::to_owned);
    let output = Command::new("git")
        .args(["log", "--no-merges", "--format=%H%x00%s%x00%b%x01", &range])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output();
    let log = match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        Ok(output) => {
            println!(
                "skipped: git log {range}: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            );
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            println!("skipped: cannot start git: {error}");
            return ExitCode::SUCCESS;
        }
    };
    let mut problems = 0;
    for entry in log.split('\x01').map(str::trim).filter(|e| !e.is_empty()) {
        let mut parts = entry.split('\0');
        let (hash, subject, body) = (parts.next(), parts.next(), parts.next());
        if hash.is_some_and(|hash| ACCEPTED.contains(&hash)) {
            continue;
        }
        for problem in problems_of(subject.unwrap_or_default(), body.unwrap_or_default()) {
            eprintln!("{}: {problem}", hash.unwrap_or_default());
            problems += 1;
        }
    }
    if problems == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns the deviations of a message from the rules.
fn problems_of(subject: &str, body: &str) -> Vec<String> {
    let mut list = Vec::new();
    let width = subject.chars().count();
    if width > SUBJECT {
        list.push(format!(
            "the subject has {width} columns, at most {SUBJECT} are allowed"
        ));
    }
    if subject.ends_with('.') {
        list.push("the subject ends with a full stop".to_owned());
    }
    if body.trim().is_empty() {
        list.push("the body is missing: it states why, and what was measured".to_owned());
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_subjects_and_missing_bodies_are_found() {
        assert!(problems_of("xtask: check commit messages", "Long subjects.").is_empty());
        assert_eq!(problems_of(&"x".repeat(73), "").len(), 2);
        assert_eq!(problems_of("Ends.", "Why.").len(), 1);
    }
}
