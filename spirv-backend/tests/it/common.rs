//! Shaders of the corpus, and outputs as lines.

use std::path::Path;

use trellis_spirv_backend::{Options, convert, disassemble};

/// Reads a shader of the corpus by its path.
pub(crate) fn shader(path: &str) -> Vec<u8> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    std::fs::read(corpus.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

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

/// Returns whether a line has all the parts.
pub(crate) fn has(lines: &[String], parts: &[&str]) -> bool {
    let fits = |line: &String| parts.iter().all(|part| line.contains(part));
    lines.iter().any(fits)
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
