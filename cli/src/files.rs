//! Reading and writing: files, standard input and output.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;

use trellis_corpus::batch::write_whole;

use crate::problem::Problem;

/// Largest input in bytes.
const LARGEST_INPUT: u64 = 512 << 20;

/// Does this path stand for standard input or output?
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How messages name an input.
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
        |error: io::Error| Problem::wrong_use(format!("cannot read {name}")).because(&error);
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
                Problem::wrong_use(format!("{name} is a folder, a file was expected"))
                    .help("`trellis batch FOLDER -o DIR` converts all shaders of a folder"),
            );
        }
        File::open(path)
            .and_then(|file| file.take(LARGEST_INPUT + 1).read_to_end(&mut bytes))
            .map_err(problem)?;
    }
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(
            Problem::bad_input(format!("{name} has more than {LARGEST_INPUT} bytes"))
                .help("no shader is that large: is it the right file?"),
        );
    }
    Ok(bytes)
}

/// Reads text in UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, Problem> {
    String::from_utf8(read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Problem::bad_input(format!(
            "{} is no text: byte {at:#x} is not UTF-8",
            name_of(path)
        ))
    })
}

/// Writes a file whole or not at all, or standard output; `None` is standard output.
pub(crate) fn write(path: Option<&Path>, bytes: &[u8]) -> Result<(), Problem> {
    match path.filter(|path| !is_standard(path)) {
        None => write_standard(bytes),
        Some(path) => write_whole(path, bytes).map_err(|error| {
            let problem =
                Problem::wrong_use(format!("cannot write {}", path.display())).because(&error);
            if path.is_dir() {
                problem.help("it is a folder: give the name of a file")
            } else {
                problem
            }
        }),
    }
}

/// Writes to standard output. A reader that has gone away, as `head` does, is no error.
pub(crate) fn write_standard(bytes: &[u8]) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Problem::wrong_use("cannot write to standard output").because(&error))
        }
        _ => Ok(()),
    }
}

/// Refuses what would do harm before any work is done: a binary on a terminal, an output over its
/// input.
pub(crate) fn check_output(
    input: &Path,
    output: Option<&Path>,
    binary: bool,
) -> Result<(), Problem> {
    match output.filter(|path| !is_standard(path)) {
        None if binary && io::stdout().is_terminal() => Err(Problem::wrong_use(
            "a SPIR-V binary is nothing for a terminal",
        )
        .help("use -o FILE to write a file, --asm to read it, or a pipe to pass it on")),
        Some(output) if !is_standard(input) && is_same_file(input, output) => Err(
            Problem::wrong_use(format!("{} is input and output", output.display()))
                .help("give the output another name"),
        ),
        _ => Ok(()),
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    // A device such as /dev/null may well be both.
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b && a.is_file())
}
