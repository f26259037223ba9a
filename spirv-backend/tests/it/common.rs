//! Shaders of the corpus, and outputs as lines.

use std::process::Command;

pub(crate) use shader_testkit::shader;
use trellis_spirv_backend::{Options, Output, convert, disassemble};

/// Returns the instructions of an output, with single spaces.
pub(crate) fn lines_of(words: &[u32]) -> Vec<String> {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    disassemble(words).unwrap().lines().map(line).collect()
}

/// Returns the instructions of the output for a shader of the corpus, with single spaces.
#[track_caller]
pub(crate) fn lines(path: &str, options: &Options) -> Vec<String> {
    let output = convert(&shader(path), options).unwrap_or_else(|error| panic!("{path}: {error}"));
    lines_of(&output.words)
}

/// Returns how many lines have a text.
pub(crate) fn count(lines: &[String], part: &str) -> usize {
    lines.iter().filter(|line| line.contains(part)).count()
}

/// Returns the decorations of the variable with a name, in order.
pub(crate) fn decorations(lines: &[String], name: &str) -> Vec<String> {
    let quoted = format!("\"{name}\"");
    let named = |line: &&String| line.starts_with("OpName ") && line.ends_with(&quoted);
    let name = lines.iter().find(named).expect("a variable of the name");
    let start = format!("OpDecorate {} ", name.split(' ').nth(1).unwrap());
    let found = lines.iter().filter_map(|line| line.strip_prefix(&start));
    found.map(str::to_owned).collect()
}

/// Lets spirv-val check an output where it is installed.
pub(crate) fn check_with_spirv_val(name: &str, output: &Output) {
    let file = format!("trellis-{}-{name}.spv", std::process::id());
    let path = std::env::temp_dir().join(file);
    std::fs::write(&path, output.bytes()).unwrap();
    let mut program = Command::new("spirv-val");
    program.args(["--target-env", "vulkan1.3", "--scalar-block-layout"]);
    let check = program.arg(&path).output();
    std::fs::remove_file(&path).unwrap();
    match check {
        Ok(check) if !check.status.success() => {
            panic!("{name}: {}", String::from_utf8_lossy(&check.stderr))
        }
        Ok(_) => {}
        Err(_) => println!("no spirv-val: {name} was checked by Trellis' verifier only"),
    }
}
