//! Reading and writing: files, standard input and output.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;

use serde::Serialize;
use trellis_corpus::files::write_whole_with;
use trellis_dxil::frontend::container::kind_of_file;
use trellis_dxil::frontend::is_dxil;

use crate::problem::Problem;

/// Maximum size of an input in bytes.
const LARGEST_INPUT: u64 = 512 << 20;

/// Returns true if the path is `-`: standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the name of an input in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if is_standard(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Reads a file or standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let name = name_of(path);
    let problem =
        |error: io::Error| Problem::usage_error(format!("cannot read {name}")).because(&error);
    let mut bytes = Vec::new();
    if is_standard(path) {
        io::stdin()
            .lock()
            .take(LARGEST_INPUT + 1)
            .read_to_end(&mut bytes)
            .map_err(problem)?;
    } else {
        let metadata = fs::metadata(path).map_err(|error| {
            problem(error).help("check the path; `trellis --help` shows examples")
        })?;
        if metadata.is_dir() {
            return Err(
                Problem::usage_error(format!("{name} is a folder; expected a file"))
                    .help("`trellis batch FOLDER -o DIR` converts all shaders of a folder"),
            );
        }
        File::open(path)
            .and_then(|file| file.take(LARGEST_INPUT + 1).read_to_end(&mut bytes))
            .map_err(problem)?;
    }
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(
            Problem::input_error(format!("{name} has more than {LARGEST_INPUT} bytes"))
                .help("check that this is a shader"),
        );
    }
    Ok(bytes)
}

/// Reads UTF-8 text.
pub(crate) fn read_text(path: &Path) -> Result<String, Problem> {
    String::from_utf8(read(path)?).map_err(|error| {
        let (name, bytes) = (name_of(path), error.as_bytes());
        let kind = match is_dxil(bytes) {
            true => Some("a compiled shader"),
            false => kind_of_file(bytes).filter(|kind| !kind.starts_with("text")),
        };
        let why = match kind {
            Some(kind) => format!("it is {kind}"),
            None => format!(
                "invalid byte at offset {:#x}",
                error.utf8_error().valid_up_to()
            ),
        };
        Problem::input_error(format!("{name} is not UTF-8 text: {why}"))
    })
}

/// Writes a file atomically, or writes to standard output if `path` is `None` or `-`.
pub(crate) fn write(path: Option<&Path>, bytes: &[u8]) -> Result<(), Problem> {
    match path.filter(|path| !is_standard(path)) {
        None => write_standard(bytes),
        Some(path) => write_with(path, |mut file| file.write_all(bytes)),
    }
}

/// Writes a file atomically with the contents that `write` produces.
pub(crate) fn write_with(
    path: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), Problem> {
    write_whole_with(path, write).map_err(|error| {
        let problem =
            Problem::usage_error(format!("cannot write {}", path.display())).because(&error);
        if path.is_dir() {
            problem.help("it is a folder; specify a file name")
        } else {
            problem
        }
    })
}

/// Writes to standard output. A broken pipe, as when the reader is `head`, is not an error.
pub(crate) fn write_standard(bytes: &[u8]) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Problem::usage_error("cannot write to standard output").because(&error))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. If that is closed, it cannot be shown.
pub(crate) fn note(line: &str) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Returns a value as JSON text that ends in a newline.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Problem> {
    let text = serde_json::to_string_pretty(value);
    let cannot = |error| Problem::usage_error("cannot write the JSON").because(&error);
    Ok(text.map_err(cannot)? + "\n")
}

/// Rejects, before any work is done, a binary output to a terminal and an output that would
/// overwrite its input.
pub(crate) fn check_output(
    input: &Path,
    output: Option<&Path>,
    binary: bool,
) -> Result<(), Problem> {
    match output.filter(|path| !is_standard(path)) {
        None if binary && io::stdout().is_terminal() => Err(Problem::usage_error(
            "cannot write a SPIR-V binary to a terminal",
        )
        .help("use -o FILE to write a file, --asm to print assembly text, or a pipe")),
        Some(output) if !is_standard(input) && is_same_file(input, output) => {
            Err(Problem::usage_error(format!(
                "{} is both the input and the output",
                output.display()
            ))
            .help("choose another output file"))
        }
        _ => Ok(()),
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    // A device such as /dev/null may be both the input and the output.
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b && a.is_file())
}

/// Returns a text on one line, without characters that a terminal obeys.
pub(crate) fn printable(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}
