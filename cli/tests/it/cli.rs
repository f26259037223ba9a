//! Runs the cases in `tests/cases`: commands that call `trellis`, with their expected output.
//!
//! A case is a text file. A line that begins with `$ ` is a command for `sh`, run in a new
//! temporary folder that the commands of one file share, where `corpus` is the folder of the
//! project's own shaders. The text that follows, up to the next empty line, `# ` or `$ `, is the
//! expected output: lines of standard output as they are, lines of standard error after `! `, and
//! the exit status after `? ` unless it is 0. An empty line of output is written as a line with
//! only `~`, and an end without newline as `~` at the end of the last line. All other lines are
//! comments.
//!
//! `TRELLIS_BLESS=1 cargo test -p trellis-cli --test it cli::` replaces the expected output in the
//! files by the actual output: review the difference.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the folder of this test's crate.
fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command line in `folder` and returns its output in the form of a case.
fn run(command: &str, folder: &Path) -> String {
    let trellis = Path::new(env!("CARGO_BIN_EXE_trellis"));
    let bin = trellis.parent().expect("a program is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("LC_ALL", "C")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .expect("sh runs");
    let mut text = String::new();
    describe(&mut text, "", &output.stdout);
    describe(&mut text, "! ", &output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(code) => writeln!(text, "? {code}").unwrap(),
        None => writeln!(text, "? {}", output.status).unwrap(),
    }
    text
}

fn describe(text: &mut String, prefix: &str, bytes: &[u8]) {
    let output = String::from_utf8_lossy(bytes);
    for line in output.split_inclusive('\n') {
        let whole = line.strip_suffix('\n');
        let line = whole.unwrap_or(line);
        let mark = if whole.is_none() || line.is_empty() {
            "~"
        } else {
            ""
        };
        writeln!(text, "{prefix}{line}{mark}").unwrap();
    }
}

/// Returns the case with the actual output of its commands.
fn replay(case: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder for the case");
    std::os::unix::fs::symlink(
        crate_folder().join("../corpus/shaders"),
        folder.path().join("corpus"),
    )
    .expect("a link to the corpus");
    let mut result = String::new();
    let mut skipping = false;
    for line in case.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            writeln!(result, "{line}").unwrap();
            result.push_str(&run(command, folder.path()));
            skipping = true;
        } else if line.is_empty() || line.starts_with("# ") {
            skipping = false;
            writeln!(result, "{line}").unwrap();
        } else if !skipping {
            writeln!(result, "{line}").unwrap();
        }
    }
    result
}

/// Returns a message with the first line that differs and its number.
fn first_difference(expected: &str, actual: &str) -> String {
    let (mut old, mut new) = (expected.lines(), actual.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                return format!(
                    "line {number}:\n  expected: {}\n  printed:  {}",
                    a.unwrap_or("(the end)"),
                    b.unwrap_or("(the end)")
                );
            }
        }
    }
    "the files differ only in their final newline".to_owned()
}

#[test]
fn cases() {
    let bless = std::env::var_os("TRELLIS_BLESS").is_some();
    let mut files: Vec<PathBuf> = std::fs::read_dir(crate_folder().join("tests/cases"))
        .expect("the folder of cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(files.len() >= 8, "cases are missing");
    let mut wrong = Vec::new();
    for file in files {
        let case = std::fs::read_to_string(&file).expect("a case is text");
        assert!(
            case.contains("\n$ trellis ") || case.starts_with("$ trellis "),
            "{} runs nothing",
            file.display()
        );
        let actual = replay(&case);
        if actual == case {
            continue;
        }
        if bless {
            std::fs::write(&file, &actual).expect("a case can be written");
        } else {
            wrong.push(format!(
                "{}, {}",
                file.display(),
                first_difference(&case, &actual)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases differ (TRELLIS_BLESS=1 accepts the actual output):\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A build without spirv-val rejects `--validate` before it reads any input.
#[cfg(not(feature = "validate"))]
#[test]
fn validate_needs_its_feature() {
    let folder = tempfile::tempdir().expect("a folder");
    let printed = run("trellis convert x.dxil --validate", folder.path());
    assert!(
        printed.starts_with("! error: this build has no spirv-val\n")
            && printed.ends_with("\n? 2\n"),
        "{printed}"
    );
}

/// A build with spirv-val runs it with `--validate`.
#[cfg(feature = "validate")]
#[test]
fn validate_runs_spirv_val() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(
        crate_folder().join("../corpus/shaders"),
        folder.path().join("corpus"),
    )
    .expect("a link to the corpus");
    let printed = run(
        "trellis batch corpus/control_flow/if_else_nested.dxil -o out --validate --report r.json; grep validator r.json",
        folder.path(),
    );
    assert_eq!(
        printed,
        "converted 1, valid 1, failed 0\n  \"validator\": \"trellis+spirv-val\",\n"
    );
}

#[test]
fn the_runner_detects_differences() {
    let case = "$ printf 'a\\n\\nb'; echo oops >&2; exit 3\nwrong\n\nprose stays\n";
    assert_eq!(
        replay(case),
        "$ printf 'a\\n\\nb'; echo oops >&2; exit 3\na\n~\nb~\n! oops\n? 3\n\nprose stays\n"
    );
    assert_eq!(
        first_difference("a\nb\n", "a\nc\n"),
        "line 2:\n  expected: b\n  printed:  c"
    );
}
