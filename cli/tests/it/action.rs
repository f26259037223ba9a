//! The script of the GitHub Action, without GitHub; and its documentation, which lists its inputs.

use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns whether a program can be started.
fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn the_script_converts_and_compares() {
    for program in ["bash", "git"] {
        if !is_installed(program) {
            eprintln!("skipped: there is no {program}");
            return;
        }
    }
    let output = Command::new("bash")
        .arg(repository().join("action/test.sh"))
        .env("TRELLIS_PROGRAM", Path::new(env!("CARGO_BIN_EXE_trellis")))
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{errors}");
    assert!(printed.ends_with(" cases\n"), "{printed}{errors}");
}

/// Returns the keys of a mapping at the top of `action.yml`: the lines below it with two spaces.
fn keys<'a>(text: &'a str, mapping: &str) -> Vec<&'a str> {
    let section = text.split(&format!("\n{mapping}:\n")).nth(1).unwrap();
    let lines = section
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with(' '));
    let keys = lines.filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'));
    keys.filter(|key| !key.starts_with(' ')).collect()
}

#[test]
fn the_page_lists_the_inputs() {
    let action = std::fs::read_to_string(repository().join("action.yml")).unwrap();
    let page = repository().join("docs/using/github-action.md");
    let page = std::fs::read_to_string(page).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let documented: Vec<&str> = cells
        .flat_map(|row| row.split(" | ").next().unwrap().split(", "))
        .map(|name| name.trim_matches('`'))
        .collect();
    let inputs = keys(&action, "inputs");
    assert!(inputs.len() > 10, "{inputs:?}");
    assert_eq!(documented, inputs);
    for output in keys(&action, "outputs") {
        assert!(page.contains(&format!("`{output}`")), "{output}");
    }
    // Each input is used, and the script has only variables that the action sets.
    for input in inputs {
        let used = [format!("inputs.{input} "), format!("inputs.{input}}}")];
        let count = used
            .iter()
            .map(|used| action.matches(used).count())
            .sum::<usize>();
        assert!(count > 0, "the input {input} is not used");
    }
    let script = std::fs::read_to_string(repository().join("action/run.sh")).unwrap();
    let names = script.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
    for name in names.filter(|name| name.starts_with("TRELLIS_") && name.len() > 8) {
        assert!(action.contains(&format!(" {name}: ")), "{name} is not set");
    }
}
